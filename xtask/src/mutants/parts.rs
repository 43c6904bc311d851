//! What is mutated, as data.

/// Files of one package.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) package: &'static str,
    /// Globs of what is mutated.
    pub(super) files: &'static [&'static str],
    /// The packages whose tests must notice.
    pub(super) tests: &'static [&'static str],
    /// Into so many pieces it is cut, each of which can be run on its own.
    pub(super) shards: usize,
}

/// What decides about keys, signatures and verdicts. Arithmetic below it is proven (`cargo xtask evidence field`), generated, or
/// compared bit for bit with others.
pub(super) const PARTS: &[Part] = &[
    Part {
        name: "x25519",
        package: "lanner-x25519",
        files: &["crates/x25519/src/**"],
        tests: &["lanner-x25519"],
        shards: 2,
    },
    Part {
        name: "hybrid",
        package: "lanner-hybrid",
        files: &["crates/hybrid/src/**"],
        tests: &["lanner-hybrid"],
        shards: 4,
    },
    Part {
        name: "ed25519",
        package: "lanner-ed25519",
        files: &["crates/ed25519/src/**"],
        tests: &["lanner-ed25519"],
        shards: 16,
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
        tests: &["lanner-curve", "lanner-ed25519"],
        shards: 16,
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
        tests: &["lanner-fn-dsa"],
        shards: 16,
    },
];
