//! The programs, as data.

/// A published package that uses the dalek libraries.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    /// What is handed to `cargo test`: features, say.
    pub(super) options: &'static [&'static str],
    /// Tests that are left out, by parts of their names: they need the network, or fail now and then without the patch.
    pub(super) without: &'static [&'static str],
    /// Dependencies of its tests that its package on the registry has lost, because they lie in its own repository.
    pub(super) lost: &'static str,
    /// What its tests cannot be built without, if the registry has it not.
    pub(super) missing: Option<Missing>,
    /// What `compat/programs/NAME.rs` times.
    pub(super) operation: Option<Operation>,
}

/// What the registry has not of that which tests need.
pub(super) enum Missing {
    /// A file of the package.
    File(&'static str),
    /// A dependency that the package's repository takes from elsewhere, by `[patch.crates-io]`.
    Fork(&'static str),
}

/// One operation that matters to the users of a package.
pub(super) struct Operation {
    pub(super) what: &'static str,
    /// The dependencies of the program that times it.
    pub(super) dependencies: &'static str,
}

/// In the order of the page.
pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "age",
        version: "0.12.1",
        options: &["--features", "armor,async,ssh"],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a short file encrypted and decrypted",
            dependencies: "age = \"=0.12.1\"",
        }),
    },
    Program {
        name: "snow",
        version: "0.10.0",
        options: &[],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a handshake of Noise XX",
            dependencies: "snow = \"=0.10.0\"",
        }),
    },
    Program {
        name: "boringtun",
        version: "0.7.1",
        options: &[],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a handshake of WireGuard",
            dependencies: "boringtun = \"=0.7.1\"",
        }),
    },
    Program {
        name: "jsonwebtoken",
        version: "11.1.0",
        options: &["--features", "rust_crypto"],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a token by EdDSA verified",
            dependencies: "\
jsonwebtoken = { version = \"=11.1.0\", features = [\"rust_crypto\"] }
ed25519-dalek = { version = \"2\", features = [\"pkcs8\"] }
serde_json = \"1\"",
        }),
    },
    Program {
        name: "biscuit-auth",
        version: "6.0.0",
        options: &[],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a token of two blocks verified",
            dependencies: "biscuit-auth = \"=6.0.0\"",
        }),
    },
    Program {
        name: "ssh-key",
        version: "0.6.7",
        options: &["--features", "ed25519,encryption"],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a signature made and verified",
            dependencies: "ssh-key = { version = \"=0.6.7\", features = [\"ed25519\"] }",
        }),
    },
    Program {
        name: "russh",
        version: "0.65.1",
        options: &["--no-default-features", "--features", "flate2,ring,rsa"],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a connection opened by both sides",
            dependencies: "\
russh = { version = \"=0.65.1\", default-features = false, features = [\"ring\"] }
rand = \"0.10\"
tokio = { version = \"1\", features = [\"rt\", \"io-util\"] }",
        }),
    },
    Program {
        name: "libp2p-identity",
        version: "0.3.1",
        options: &["--features", "ed25519,peerid,rand"],
        without: &[],
        lost: "[dev-dependencies.quickcheck]\nversion = \"1\"",
        missing: None,
        operation: Some(Operation {
            what: "a signature verified",
            dependencies: "libp2p-identity = { version = \"=0.3.1\", features = [\"ed25519\"] }",
        }),
    },
    Program {
        name: "vodozemac",
        version: "0.11.1",
        options: &[],
        without: &[],
        lost: "",
        missing: Some(Missing::Fork("olm-rs")),
        operation: Some(Operation {
            what: "a session of Olm and its first message",
            dependencies: "vodozemac = \"=0.11.1\"",
        }),
    },
    Program {
        name: "hpke",
        version: "0.15.1",
        options: &[],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a message sealed and opened",
            dependencies: "hpke = \"=0.15.1\"\nrand = \"0.10\"",
        }),
    },
    Program {
        name: "frost-ed25519",
        version: "3.0.0",
        options: &[],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a signature by two of three",
            dependencies: "frost-ed25519 = \"=3.0.0\"\nrand = \"0.8\"",
        }),
    },
    Program {
        name: "frost-ristretto255",
        version: "3.0.0",
        options: &[],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a signature by two of three",
            dependencies: "frost-ristretto255 = \"=3.0.0\"\nrand = \"0.8\"",
        }),
    },
    Program {
        name: "bulletproofs",
        version: "5.0.0",
        options: &[],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a range proof of 64 bits verified",
            dependencies: "bulletproofs = \"=5.0.0\"\ncurve25519-dalek = \"4\"\nmerlin = \"3\"",
        }),
    },
    Program {
        name: "schnorrkel",
        version: "0.11.5",
        options: &[],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a signature verified",
            dependencies: "schnorrkel = \"=0.11.5\"",
        }),
    },
    Program {
        name: "opaque-ke",
        version: "4.0.1",
        options: &[],
        without: &[],
        lost: "",
        missing: Some(Missing::File("src/tests/mod.rs")),
        operation: Some(Operation {
            what: "a login, both sides",
            dependencies: "opaque-ke = \"=4.0.1\"\nrand = \"0.8\"\nsha2 = \"0.10\"",
        }),
    },
    // From version 4 on it has signatures of its own.
    Program {
        name: "solana-keypair",
        version: "3.1.0",
        options: &[],
        without: &[],
        lost: "",
        missing: None,
        operation: Some(Operation {
            what: "a signature made and verified",
            dependencies: "\
solana-keypair = \"=3.1.0\"
solana-signature = { version = \"=3.4.0\", features = [\"verify\"] }",
        }),
    },
];
