//! The law of the house as data: who may import whom, and where unsafe may stand.
//!
//! ARCHITECTURE.md gives the reasons; this file is what the machine checks.

/// The library crates, in dependency order: `no_std`, without an allocator unless they say so.
pub(crate) const LIBRARIES: &[&str] = &[
    "lanner-simd",
    "lanner-hash",
    "lanner-curve",
    "lanner-ed25519",
    "lanner-x25519",
    "lanner-fn-dsa",
    "lanner-hybrid",
    "lanner",
];

/// What is published beside them.
pub(crate) const PUBLISHED: &[&str] = &["lanner-arrow", "lanner-cli"];

/// Every workspace member, and the members that it may depend on.
pub(super) const MEMBERS: &[(&str, &[&str])] = &[
    ("lanner-simd", &[]),
    ("lanner-hash", &["lanner-simd"]),
    ("lanner-curve", &["lanner-simd"]),
    (
        "lanner-ed25519",
        &["lanner-simd", "lanner-curve", "lanner-hash"],
    ),
    ("lanner-x25519", &["lanner-simd", "lanner-curve"]),
    ("lanner-fn-dsa", &["lanner-simd", "lanner-hash"]),
    // Of lanner-simd only the stack, of lanner-hash only the small SHA-512.
    (
        "lanner-hybrid",
        &[
            "lanner-simd",
            "lanner-hash",
            "lanner-ed25519",
            "lanner-fn-dsa",
        ],
    ),
    // Of lanner-simd only the clearing of the stack, of lanner-curve the choice of a backend and Ristretto255.
    (
        "lanner-c",
        &[
            "lanner-simd",
            "lanner-curve",
            "lanner-ed25519",
            "lanner-x25519",
            "lanner-fn-dsa",
            "lanner-hybrid",
        ],
    ),
    (
        "lanner",
        // Of lanner-simd only the choice of a backend.
        &[
            "lanner-simd",
            "lanner-ed25519",
            "lanner-x25519",
            "lanner-fn-dsa",
            "lanner-hybrid",
        ],
    ),
    (
        "lanner-cli",
        // Of lanner-simd only the stack.
        &["lanner-simd", "lanner", "lanner-arrow"],
    ),
    ("lanner-vectors", &[]),
    (
        "lanner-interop",
        &[
            "lanner",
            "lanner-curve",
            "lanner-ed25519",
            "lanner-fn-dsa",
            "lanner-x25519",
            "lanner-drop-in-incumbent",
            "lanner-drop-in-lanner",
        ],
    ),
    ("lanner-drop-in-incumbent", &[]),
    (
        "lanner-drop-in-lanner",
        &[
            "lanner-curve",
            "lanner-ed25519",
            "lanner-x25519",
            "lanner-fn-dsa",
        ],
    ),
    (
        "lanner-bench",
        &[
            "lanner-curve",
            "lanner-ed25519",
            "lanner-x25519",
            "lanner-fn-dsa",
            "lanner-hybrid",
            "lanner-vectors",
            "lanner-bench-kit",
            "lanner-bench-report",
        ],
    ),
    ("lanner-bench-kit", &[]),
    ("lanner-bench-report", &[]),
    (
        "lanner-ct",
        &[
            "lanner-curve",
            "lanner-ed25519",
            "lanner-x25519",
            "lanner-fn-dsa",
            "lanner-hybrid",
        ],
    ),
    ("lanner-arrow", &["lanner-ed25519", "lanner-fn-dsa"]),
    ("lanner-generated", &[]),
    ("lanner-proof", &[]),
    // The C face's sources as a crate, for the fuzz targets.
    (
        "lanner-c-as-a-crate",
        &[
            "lanner-simd",
            "lanner-curve",
            "lanner-ed25519",
            "lanner-x25519",
            "lanner-fn-dsa",
            "lanner-hybrid",
        ],
    ),
    (
        "lanner-fuzz-targets",
        &[
            "lanner-curve",
            "lanner-ed25519",
            "lanner-x25519",
            "lanner-fn-dsa",
            "lanner-hybrid",
            "lanner-arrow",
            "lanner-c-as-a-crate",
            "lanner-cli",
            "lanner-wasm-curve",
            "lanner-wasm-fast",
            "lanner-wasm-small",
        ],
    ),
    ("xtask", &["lanner-simd", "lanner-vectors"]),
];

/// A workspace apart from the root's, with a lock file of its own.
pub(super) struct Apart {
    /// Its directory.
    pub(super) directory: &'static str,
    /// Its members, and the crates of the house that they may depend on.
    pub(super) crates: &'static [(&'static str, &'static [&'static str])],
    /// The foreign crates that they may depend on beside those of a library.
    pub(super) foreign: &'static [&'static str],
    /// The members that are published.
    pub(super) published: &'static [&'static str],
}

/// The WebAssembly modules of the npm package: the schemes, and of what lies below them what a module needs for signing step
/// by step.
pub(super) const MODULES_OF_NPM: Apart = Apart {
    directory: "js/wasm",
    crates: &[
        ("lanner-wasm-curve", &[]),
        ("lanner-wasm-small", &["lanner-wasm-curve"]),
        ("lanner-wasm-fast", &["lanner-wasm-curve"]),
        ("lanner-wasm-x25519", &["lanner-curve", "lanner-x25519"]),
        ("lanner-wasm-ristretto", &["lanner-curve", "lanner-hash"]),
        ("lanner-wasm-fn-dsa", &["lanner-fn-dsa"]),
    ],
    foreign: &[],
    published: &[],
};

/// The extension module of the Python package: the schemes, their columns, and of lanner-simd the clearing of the stack.
const PYTHON: Apart = Apart {
    directory: "python",
    crates: &[(
        "lanner-python",
        &[
            "lanner-simd",
            "lanner-ed25519",
            "lanner-x25519",
            "lanner-fn-dsa",
            "lanner-hybrid",
            "lanner-arrow",
        ],
    )],
    foreign: &[
        "arrow-array",
        "arrow-buffer",
        "arrow-data",
        "arrow-schema",
        "pyo3",
    ],
    published: &[],
};

/// The functions for DataFusion, and a scheduler and executors of Ballista that have them.
const DATAFUSION: Apart = Apart {
    directory: "integrations/datafusion",
    crates: &[
        ("lanner-datafusion", &["lanner-arrow", "lanner-ed25519"]),
        ("lanner-ballista", &["lanner-datafusion"]),
    ],
    foreign: &[
        "arrow-array",
        "arrow-schema",
        "ballista-core",
        "ballista-executor",
        "ballista-scheduler",
        "clap",
        "datafusion",
        "datafusion-common",
        "datafusion-expr",
        "datafusion-proto",
        "env_logger",
        "tempfile",
        "tokio",
    ],
    published: &["lanner-datafusion"],
};

/// The expression plugin of Polars, which speaks the engine's interface without its crates.
const POLARS: Apart = Apart {
    directory: "integrations/polars",
    crates: &[("lanner-polars", &["lanner-arrow", "lanner-ed25519"])],
    foreign: &[
        "arrow-array",
        "arrow-schema",
        "pyo3",
        "serde-pickle",
        "signal-hook",
    ],
    published: &[],
};

/// The extension of DuckDB.
const DUCKDB: Apart = Apart {
    directory: "integrations/duckdb",
    crates: &[("lanner-duckdb", &["lanner-arrow", "lanner-ed25519"])],
    foreign: &["arrow-array", "arrow-buffer", "libduckdb-sys"],
    published: &[],
};

/// All of these.
pub(super) const APART: &[Apart] = &[MODULES_OF_NPM, PYTHON, DATAFUSION, POLARS, DUCKDB];

/// The packages that stand for versions of the dalek libraries, each a workspace of its own in this directory, and what
/// they may depend on: of the house the scheme that serves them, and their siblings.
pub(super) const COMPAT: &[(&str, &[&str])] = &[
    ("compat/curve25519-dalek-4", &["lanner-curve"]),
    ("compat/curve25519-dalek-5", &["lanner-curve"]),
    (
        "compat/ed25519-dalek-2",
        // Of lanner-simd only the clearing of the stack.
        &[
            "curve25519-dalek",
            "lanner-curve",
            "lanner-ed25519",
            "lanner-simd",
        ],
    ),
    (
        "compat/ed25519-dalek-3",
        &[
            "curve25519-dalek",
            "lanner-curve",
            "lanner-ed25519",
            "lanner-simd",
        ],
    ),
    (
        "compat/x25519-dalek-2",
        &["curve25519-dalek", "lanner-simd", "lanner-x25519"],
    ),
    ("compat/x25519-dalek-3", &["lanner-x25519"]),
];

/// The sources that some of them share.
pub(super) const COMPAT_COMMON: &str = "compat/common";

/// Foreign crates that they may depend on beside [`FOREIGN`], because what they stand for does.
pub(super) const COMPAT_FOREIGN: &[&str] = &["ff", "group"];

/// Members that any member may use in its tests.
pub(super) const FOR_TESTS: &[&str] = &["lanner-proof", "lanner-vectors"];

/// The foreign crates that a library crate may depend on: few, and the field's own.
pub(super) const FOREIGN: &[&str] = &[
    "base64ct",
    "chacha20",
    "cpufeatures",
    "digest",
    "ed25519",
    "fiat-crypto",
    "getrandom",
    "group",
    "keccak",
    "pkcs8",
    "rand_core",
    "rayon",
    "serde",
    "serde_json",
    "sha2",
    "signature",
    "subtle",
    "zeroize",
];

/// Other implementations of what Lanner implements, and the members that may hold themselves
/// against them.
pub(super) const PEERS: &[&str] = &[
    "aws-lc-rs",
    "crrl",
    "curve25519-dalek",
    "ed25519-compact",
    "ed25519-dalek",
    "ed25519-zebra",
    "fn-dsa",
    "fn-dsa-comm",
    "fn-dsa-kgen",
    "fn-dsa-sign",
    "fn-dsa-vrfy",
    "graviola",
    "ml-dsa",
    "pqcrypto-falcon",
    "ring",
    "x25519-dalek",
];
pub(super) const PEER_USERS: &[&str] =
    &["lanner-bench", "lanner-interop", "lanner-drop-in-incumbent"];

/// Crates that must not be reachable from a library crate on the given target, in any feature set.
pub(super) const NEVER: &[(&str, &str)] = &[("wasm32-unknown-unknown", "getrandom")];

/// Where unsafe may stand: a file, or a directory that ends in a slash, and the reason.
/// An entry under which no unsafe is found is an error too.
pub(super) const UNSAFE: &[(&str, &str)] = &[
    (
        "crates/simd/src/mask.rs",
        "assembly: the barrier of masks, which has no instruction",
    ),
    (
        "crates/simd/src/memory.rs",
        "memory seen as integers of another width",
    ),
    (
        "crates/simd/src/rounding.rs",
        "assembly: the register that says how doubles round",
    ),
    (
        "crates/simd/src/stack.rs",
        "volatile stores, which overwrite the stack that an operation used",
    ),
    (
        "crates/simd/src/witness.rs",
        "witnesses: entering functions that are compiled for a detected feature",
    ),
    ("crates/simd/src/isa/", "vector instructions"),
    (
        "crates/simd/src/vector/",
        "constants: vectors as plain data; what is one instruction in every set",
    ),
    (
        "crates/curve/src/field/adx/",
        "assembly: the two carry chains of adcx and adox",
    ),
    (
        "crates/curve/src/field/products25.rs",
        "assembly: products that are added to a column where they are made",
    ),
    ("crates/curve/src/field/products51.rs", "assembly: the same"),
    (
        "crates/curve/src/field/arm.rs",
        "assembly: products and carries of AArch64",
    ),
    (
        "crates/fn-dsa/src/sampler/simd128.rs",
        "vector instructions",
    ),
    (
        "crates/curve/tests/freed.rs",
        "an allocator that looks at what is given back",
    ),
    ("crates/ed25519/tests/freed/watching.rs", "the same"),
    ("crates/ed25519/tests/memory.rs", "an allocator that counts"),
    (
        "crates/fn-dsa/src/wiping/tests.rs",
        "reading the memory of what was dropped",
    ),
    (
        "crates/fn-dsa/tests/memory.rs",
        "the stack below a frame, painted and read",
    ),
    (
        "crates/fn-dsa/tests/rounding.rs",
        "assembly: the register that says how doubles round",
    ),
    ("c/src/", "the boundary to C"),
    (
        "cli/src/descriptor/number.rs",
        "an open descriptor, by the number that a user names",
    ),
    (
        "crates/curve/src/field/proven.rs",
        "functions of the C interface, for their machine code",
    ),
    (
        "proof/src/machine/mod.rs",
        "reading the machine code of this process",
    ),
    (
        "proof/src/machine/aarch64/tests.rs",
        "assembly that is followed and done",
    ),
    (
        "proof/src/machine/x86/tests.rs",
        "assembly that is followed and done",
    ),
    ("proof/src/machine/x86/tests32.rs", "the same with 32 bits"),
    ("proof/tests/", "assembly that is to be followed"),
    ("ct/src/c_library.rs", "loading the C library"),
    (
        "ct/src/checks/c_face.rs",
        "calling the C library through its ABI",
    ),
    ("fuzz/src/c_face.rs", "calling the C face through its ABI"),
    (
        "ct/src/wiped.rs",
        "what a dropped value leaves where it was, read",
    ),
    (
        "ct/src/residue/stack.rs",
        "the stack below a frame, painted and read",
    ),
    (
        "ct/src/faults/extended.rs",
        "the vector registers of a process that is followed, which nix does not read",
    ),
    (
        "ct/src/memcheck.rs",
        "assembly: the requests of a program to valgrind",
    ),
    (
        "bench/kit/src/wasm.rs",
        "the boundary of the WebAssembly runners",
    ),
    (
        "js/wasm/curve/src/exports.rs",
        "the boundary of the WebAssembly modules for Ed25519",
    ),
    ("js/wasm/curve/src/vector.rs", "vector instructions"),
    (
        "js/wasm/fast/src/boundary.rs",
        "the boundary of a WebAssembly module",
    ),
    (
        "js/wasm/fn-dsa/src/boundary.rs",
        "the boundary of a WebAssembly module",
    ),
    (
        "js/wasm/fn-dsa/src/boundary/signing.rs",
        "the boundary of a WebAssembly module",
    ),
    (
        "js/wasm/ristretto/src/boundary.rs",
        "the boundary of a WebAssembly module",
    ),
    (
        "js/wasm/ristretto/src/heap.rs",
        "the memory of a WebAssembly module",
    ),
    (
        "js/wasm/small/src/boundary.rs",
        "the boundary of a WebAssembly module",
    ),
    (
        "js/wasm/x25519/src/boundary.rs",
        "the boundary of a WebAssembly module",
    ),
    (
        "python/src/arrow/capsules.rs",
        "the boundary of Arrow's C data interface",
    ),
    (
        "integrations/polars/src/interface.rs",
        "the boundary of Polars' plugins, and of Arrow's C data interface",
    ),
    (
        "integrations/duckdb/src/interface.rs",
        "the boundary of DuckDB's extensions",
    ),
    (
        "bench/embedded/src/board.rs",
        "the start of a program without an operating system, and the board",
    ),
    (
        "bench/runners/size-start/src/lib.rs",
        "the start of a program without an operating system",
    ),
];

/// Where instructions of processors may stand in `crates/`: a file, or a directory that ends in a slash.
pub(super) const INSTRUCTIONS: &[&str] = &[
    "crates/simd/src/",
    "crates/curve/src/field/adx/",
    "crates/curve/src/field/products25.rs",
    "crates/curve/src/field/products51.rs",
    "crates/curve/src/field/arm.rs",
    "crates/fn-dsa/src/sampler/chacha.rs",
    "crates/fn-dsa/src/sampler/simd128.rs",
    // How the thread of a test rounds doubles.
    "crates/fn-dsa/tests/rounding.rs",
];

/// Where secret masks come from `lanner_simd::Mask` alone: a file, or a directory that ends in a slash.
pub(super) const MASKED: &[&str] = &["crates/curve/src/ct.rs", "crates/fn-dsa/src/"];

/// Modules of a library crate (directory under `crates/`), and the modules of the same crate
/// that they may not name.
pub(super) const MODULES: &[(&str, &str, &[&str])] = &[
    (
        "curve",
        "field",
        &["scalar", "edwards", "montgomery", "ristretto", "tables"],
    ),
    (
        "curve",
        "scalar",
        &["field", "edwards", "montgomery", "ristretto", "tables"],
    ),
];

/// Circles of modules that are allowed: the crate, the module that the others are parts of (empty for the root),
/// and the parts, of which each may use each. An entry without a circle is an error too.
pub(super) const CIRCLES: &[(&str, &str, &[&str])] = &[
    // The two shapes of the curve, because points convert both ways; constants and tables are points, of all three groups.
    (
        "lanner-curve",
        "",
        &["constants", "edwards", "montgomery", "ristretto", "tables"],
    ),
    ("lanner-curve", "edwards", &["compressed", "decode"]),
    // A key and its forms: each is made of, or gives, another.
    (
        "lanner-ed25519",
        "",
        &[
            "expanded",
            "prehash",
            "signing",
            "stream",
            "under",
            "verifying",
        ],
    ),
    ("lanner-wasm-fast", "", &["chain", "field", "product"]),
];
