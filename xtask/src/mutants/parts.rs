//! What is mutated, as data.

/// Files of one package.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) package: &'static str,
    /// Globs of what is mutated.
    pub(super) files: &'static [&'static str],
    /// Of these, what is left out: tests, and what only other targets compile.
    pub(super) without: &'static [&'static str],
    /// The features of the packages, where all of them would leave out what is mutated.
    pub(super) features: Option<&'static str>,
    /// Packages that are not mutated and are built without the checks of a debug build, which take most of the tests' time.
    pub(super) unchecked: &'static [&'static str],
    /// The packages whose tests must notice.
    pub(super) tests: &'static [&'static str],
}

impl Part {
    /// The root of the package's library.
    pub(super) fn root(&self) -> String {
        let directory = self.package.trim_start_matches("lanner-");
        format!("crates/{directory}/src/lib.rs")
    }
}

/// What decides about keys, signatures and verdicts. Arithmetic below it is proven (`cargo xtask evidence field`), generated, or
/// compared bit for bit with others.
pub(super) const PARTS: &[Part] = &[
    Part {
        name: "x25519",
        package: "lanner-x25519",
        files: &["crates/x25519/src/**"],
        without: &[],
        features: None,
        unchecked: &["lanner-simd", "lanner-curve"],
        tests: &["lanner-x25519"],
    },
    Part {
        name: "hybrid",
        package: "lanner-hybrid",
        files: &["crates/hybrid/src/**"],
        without: &[],
        features: None,
        unchecked: &[
            "lanner-simd",
            "lanner-hash",
            "lanner-curve",
            "lanner-ed25519",
            "lanner-fn-dsa",
        ],
        tests: &["lanner-hybrid"],
    },
    Part {
        name: "ed25519",
        package: "lanner-ed25519",
        files: &["crates/ed25519/src/**"],
        without: &["crates/ed25519/src/batch/tests.rs"],
        features: None,
        unchecked: &["lanner-simd", "lanner-hash", "lanner-curve"],
        tests: &["lanner-ed25519"],
    },
    Part {
        name: "curve",
        package: "lanner-curve",
        files: &[
            "crates/curve/src/edwards/compressed.rs",
            "crates/curve/src/edwards/decode.rs",
            "crates/curve/src/edwards/group_equation.rs",
            "crates/curve/src/edwards/multiscalar/**",
            "crates/curve/src/edwards/torsion.rs",
            "crates/curve/src/ristretto/**",
        ],
        without: &[],
        features: None,
        unchecked: &["lanner-simd", "lanner-hash", "lanner-ed25519"],
        tests: &["lanner-curve", "lanner-ed25519"],
    },
    Part {
        name: "fn-dsa",
        package: "lanner-fn-dsa",
        files: &[
            "crates/fn-dsa/src/attempts.rs",
            "crates/fn-dsa/src/checked.rs",
            "crates/fn-dsa/src/codec/*.rs",
            "crates/fn-dsa/src/falcon/*.rs",
            "crates/fn-dsa/src/rules.rs",
            "crates/fn-dsa/src/sampler/*.rs",
            "crates/fn-dsa/src/sign/*.rs",
            "crates/fn-dsa/src/signing.rs",
            "crates/fn-dsa/src/verifying.rs",
        ],
        without: &[
            "crates/fn-dsa/src/sampler/chacha.rs",
            "crates/fn-dsa/src/sampler/simd128.rs",
            "crates/fn-dsa/src/sign/distribution.rs",
        ],
        // Not `no_avx2`, and nothing for other processors.
        features: Some(
            "alloc,getrandom,jose,keygen,pem,pkcs8,rand_core_06,shake256x4,sign,signature,small_context",
        ),
        unchecked: &["lanner-simd", "lanner-hash"],
        tests: &["lanner-fn-dsa"],
    },
];
