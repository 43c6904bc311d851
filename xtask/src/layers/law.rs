//! The law of the house as data: who may import whom, and where unsafe may stand.
//!
//! ARCHITECTURE.md gives the reasons; this file is what the machine checks.

/// The library crates, in dependency order: `no_std`, without an allocator unless they say so.
pub(crate) const LIBRARIES: &[&str] = &[
    "lanner-cpu",
    "lanner-curve",
    "lanner-ed25519",
    "lanner-x25519",
    "lanner",
];

/// Every workspace member, and the members that it may depend on.
pub(super) const MEMBERS: &[(&str, &[&str])] = &[
    ("lanner-cpu", &[]),
    ("lanner-curve", &["lanner-cpu"]),
    ("lanner-ed25519", &["lanner-curve"]),
    ("lanner-x25519", &["lanner-curve"]),
    ("lanner", &["lanner-ed25519", "lanner-x25519"]),
    ("lanner-cli", &["lanner", "lanner-ed25519", "lanner-x25519"]),
    ("lanner-vectors", &[]),
    (
        "lanner-interop",
        &[
            "lanner",
            "lanner-curve",
            "lanner-ed25519",
            "lanner-x25519",
            "lanner-vectors",
            "lanner-drop-in-incumbent",
            "lanner-drop-in-lanner",
        ],
    ),
    ("lanner-drop-in-incumbent", &[]),
    (
        "lanner-drop-in-lanner",
        &["lanner-curve", "lanner-ed25519", "lanner-x25519"],
    ),
    (
        "lanner-bench",
        &["lanner", "lanner-curve", "lanner-ed25519", "lanner-x25519"],
    ),
    ("xtask", &["lanner-vectors"]),
];

/// Members that any member may use in its tests.
pub(super) const FOR_TESTS: &[&str] = &["lanner-vectors"];

/// The foreign crates that a library crate may depend on: few, and the field's own.
pub(super) const FOREIGN: &[&str] = &[
    "aes",
    "chacha20",
    "const-oid",
    "cpufeatures",
    "der",
    "digest",
    "ed25519",
    "fiat-crypto",
    "getrandom",
    "keccak",
    "pkcs8",
    "rand_core",
    "rayon",
    "serde",
    "serde_core",
    "serdect",
    "sha2",
    "sha3",
    "signature",
    "spki",
    "subtle",
    "zeroize",
];

/// Other implementations of what Lanner implements, and the members that may hold themselves
/// against them.
pub(super) const PEERS: &[&str] = &[
    "aws-lc-rs",
    "curve25519-dalek",
    "ed25519-dalek",
    "ed25519-zebra",
    "graviola",
    "ring",
    "x25519-dalek",
];
pub(super) const PEER_USERS: &[&str] =
    &["lanner-bench", "lanner-interop", "lanner-drop-in-incumbent"];

/// Crates that must not be reachable from a library crate on the given target, in any feature set.
pub(super) const NEVER: &[(&str, &str)] = &[("wasm32-unknown-unknown", "getrandom")];

/// Where unsafe may stand: a file, or a directory that ends in a slash, and the reason.
/// An entry under which no unsafe is found is an error too.
pub(super) const UNSAFE: &[(&str, &str)] = &[(
    "crates/curve/src/field/adx.rs",
    "assembly: the two carry chains of adcx and adox",
)];

/// Modules of a library crate (directory under `crates/`), and the modules of the same crate
/// that they may not name.
pub(super) const MODULES: &[(&str, &str, &[&str])] = &[
    (
        "curve",
        "field",
        &["scalar", "edwards", "montgomery", "tables"],
    ),
    (
        "curve",
        "scalar",
        &["field", "edwards", "montgomery", "tables"],
    ),
];
