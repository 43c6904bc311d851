//! Whether the checks and the search of the stack name every public function of the libraries.
//!
//! By name: a function of one type counts for that of the same name of another one, and functions of traits are not seen
//! here. So this does not show that everything is checked; it shows a function that nobody thought of.

use std::fs;
use std::path::{Path, PathBuf};

use crate::report::root;

/// Functions of a file that need not be named, and why.
type Excused = (&'static str, &'static [&'static str], &'static str);

const PUBLIC: &str = "it sees public values alone";
const VERIFIES: &str = "it verifies, and so sees public values alone";
const SIZES: &str = "it computes a size or a name, of public numbers";
const FROM_OS: &str = "the same as the function that takes a generator, which is checked";
const CARRIES: &str = "it lends, stores or copies bytes, and computes nothing";
const CHECKED_ITSELF: &str = "of its parts the signing is the same as without the check, and is checked; the verification sees what is public, \
     which memcheck cannot know";
const HASHES: &str =
    "the sponge is the one that SeededRng and the keys' own hashing use, which is checked";
const SMALL: &str =
    "a smaller operation of the curve, which wipes no stack: SECURITY.md, \"What is wiped\"";

/// For both.
const EXCUSED: &[Excused] = &[
    (
        "ed25519/src/batch.rs",
        &["verify_batch", "with_aux_rand"],
        VERIFIES,
    ),
    (
        "ed25519/src/batch/parallel.rs",
        &["par_verify", "par_verify_each"],
        VERIFIES,
    ),
    (
        "ed25519/src/batch/prepared.rs",
        &["verify_each_into"],
        VERIFIES,
    ),
    (
        "ed25519/src/batch/search.rs",
        &["verify", "verify_each", "verify_each_combined_into"],
        VERIFIES,
    ),
    (
        "ed25519/src/batch/sequential.rs",
        &["verify_each_into"],
        VERIFIES,
    ),
    (
        "ed25519/src/context.rs",
        &["value", "with_context"],
        CARRIES,
    ),
    (
        "ed25519/src/diagnosis.rs",
        &["as_str", "diagnose"],
        VERIFIES,
    ),
    (
        "ed25519/src/expanded.rs",
        &["from_slice"],
        "the same as from_bytes, behind a check of the length",
    ),
    (
        "ed25519/src/hazmat.rs",
        &["raw_verify", "raw_verify_prehashed"],
        VERIFIES,
    ),
    (
        "ed25519/src/hazmat/blinding.rs",
        &[
            "blind_public_key",
            "verifying_key_from_x25519",
            "mul_by_group_order",
        ],
        PUBLIC,
    ),
    ("ed25519/src/prehash.rs", &["verify_prehashed"], VERIFIES),
    ("ed25519/src/profile.rs", &["as_str"], PUBLIC),
    (
        "ed25519/src/serde_compat.rs",
        &["serialize", "deserialize"],
        "of signatures, which are public",
    ),
    ("ed25519/src/signing.rs", &["generate_from_os"], FROM_OS),
    (
        "ed25519/src/signing.rs",
        &["verify", "verify_strict", "verify_stream"],
        VERIFIES,
    ),
    ("ed25519/src/stream.rs", &["finalize_and_verify"], VERIFIES),
    (
        "ed25519/src/under.rs",
        &[
            "verify",
            "verify_ctx",
            "verify_prehashed",
            "verify_stream",
            "verify_stream_ctx",
            "under",
            "verify_strict",
            "verify_prehashed_strict",
        ],
        VERIFIES,
    ),
    (
        "ed25519/src/verifying.rs",
        &[
            "verify_from_bytes",
            "is_weak",
            "is_torsion_free",
            "is_canonical",
            "to_x25519_public_bytes",
        ],
        PUBLIC,
    ),
    (
        "ed25519/src/xeddsa.rs",
        &["verify", "verify_with_sign"],
        VERIFIES,
    ),
    ("x25519/src/secret.rs", &["generate_from_os"], FROM_OS),
    (
        "x25519/src/shared.rs",
        &["was_contributory"],
        "x25519_checked and diffie_hellman_checked call it, and are checked",
    ),
    ("curve/src/backend.rs", &["lanes"], PUBLIC),
    (
        "curve/src/edwards/compressed.rs",
        &["from_slice"],
        "it copies bytes behind a check of their number",
    ),
    (
        "curve/src/edwards/multiscalar/mod.rs",
        &["try_vartime_multiscalar_mul"],
        PUBLIC,
    ),
    (
        "curve/src/edwards/torsion.rs",
        &["is_small_order", "is_torsion_free"],
        PUBLIC,
    ),
    (
        "curve/src/ristretto/compressed.rs",
        &["from_slice"],
        "it copies bytes behind a check of their number",
    ),
    (
        "curve/src/ristretto/lizard.rs",
        &["lizard_encode", "lizard_decode"],
        "map_to_curve and map_to_curve_inverse, which are checked, around a hash",
    ),
    (
        "curve/src/ristretto/map.rs",
        &["try_random"],
        "the same as random, which is checked",
    ),
    ("curve/src/ristretto/table.rs", &["basepoint"], PUBLIC),
    (
        "curve/src/scalar/lattice.rs",
        &["v_scalar"],
        "what vartime_half_size made, of public values",
    ),
    (
        "fn-dsa/src/draft2026.rs",
        &[
            "hashed_vrfykey_from_signkey",
            "hashed_vrfykey_from_vrfykey",
            "try_compute_mu",
            "compute_mu",
            "compute_mu_start",
        ],
        "what it sees is public: the hash of a verifying key at the end of a signing key, and what is signed",
    ),
    (
        "fn-dsa/src/falcon/det1024.rs",
        &["verify_as", "verify", "to_constant_time"],
        "a signature is public",
    ),
    (
        "fn-dsa/src/falcon/verify.rs",
        &[
            "verify_as",
            "verify",
            "verify_with_encoded_key_as",
            "verify_with_encoded_key",
            "verify_stream_as",
            "verify_stream",
            "open",
        ],
        VERIFIES,
    ),
    (
        "fn-dsa/src/hash.rs",
        &["hash_to_point"],
        "what it hashes is public: the nonce, the hash of the verifying key and the message",
    ),
    ("fn-dsa/src/jose.rs", &["algorithm", "is_private"], SIZES),
    (
        "fn-dsa/src/jose.rs",
        &["to_public", "thumbprint_input"],
        PUBLIC,
    ),
    ("fn-dsa/src/jose.rs", &["verify"], VERIFIES),
    ("fn-dsa/src/params.rs", &["vrfy_key_size"], SIZES),
    ("fn-dsa/src/prepared.rs", &["signing_key"], CARRIES),
    (
        "fn-dsa/src/shake.rs",
        &["inject", "flip", "extract", "reset"],
        HASHES,
    ),
    (
        "fn-dsa/src/shake256x4.rs",
        &["from_seed_of_degree_shake256x4"],
        "from_seed_shake256x4 calls it, and is checked",
    ),
    ("fn-dsa/src/signing.rs", &["generate_from_os"], FROM_OS),
    (
        "fn-dsa/src/verifying.rs",
        &["hashed", "try_verify", "verify_each", "verify_stream"],
        VERIFIES,
    ),
    ("hybrid/src/representative.rs", &["label", "name"], SIZES),
    ("hybrid/src/signing.rs", &["generate_from_os"], FROM_OS),
    ("hybrid/src/signing.rs", &["seed"], CARRIES),
    ("hybrid/src/verifying.rs", &["name"], SIZES),
    (
        "hybrid/src/verifying.rs",
        &["verify", "verify_digest", "verify_stream"],
        VERIFIES,
    ),
];

/// For the checks of constant time alone.
const NOT_CHECKED: &[Excused] = &[
    (
        "ed25519/src/checked.rs",
        &["sign_checked", "sign_ctx_checked", "sign_prehashed_checked"],
        CHECKED_ITSELF,
    ),
    ("ed25519/src/context.rs", &["key"], CARRIES),
    (
        "ed25519/src/xeddsa.rs",
        &["x25519_public_bytes"],
        "what it sees is the public point, which memcheck cannot know",
    ),
    (
        "fn-dsa/src/checked.rs",
        &["sign_bytes_checked", "sign_bytes_checked_in"],
        CHECKED_ITSELF,
    ),
    (
        "fn-dsa/src/falcon/det1024.rs",
        &["sign_checked"],
        CHECKED_ITSELF,
    ),
    (
        "fn-dsa/src/falcon/sign.rs",
        &["sign_checked", "sign_checked_in"],
        CHECKED_ITSELF,
    ),
    ("fn-dsa/src/shake.rs", &["digest"], HASHES),
    (
        "hybrid/src/signing.rs",
        &[
            "sign_bytes_checked",
            "sign_bytes_checked_in",
            "sign_digest_checked",
            "sign_digest_checked_in",
        ],
        CHECKED_ITSELF,
    ),
    ("hybrid/src/verifying.rs", &["hash"], PUBLIC),
];

/// For the search of the stack alone.
const NOT_SEARCHED: &[Excused] = &[
    (
        "ed25519/src/hazmat/blinding.rs",
        &["from_unclamped_bytes", "to_unclamped_bytes"],
        CARRIES,
    ),
    (
        "ed25519/src/verifying.rs",
        &["to_montgomery", "to_edwards"],
        PUBLIC,
    ),
    ("curve/src/edwards/compressed.rs", &["decompress"], SMALL),
    (
        "curve/src/edwards/mod.rs",
        &[
            "compress",
            "compress_batch",
            "compress_batch_alloc",
            "to_montgomery",
            "to_montgomery_batch",
        ],
        SMALL,
    ),
    ("curve/src/edwards/torsion.rs", &["mul_by_cofactor"], SMALL),
    (
        "curve/src/hash_to_curve/mod.rs",
        &["hash_to_curve", "encode_to_curve", "hash_to_scalar"],
        SMALL,
    ),
    (
        "curve/src/montgomery/elligator2.rs",
        &[
            "map_to_point",
            "map_to_point_unbounded",
            "to_representative",
        ],
        SMALL,
    ),
    ("curve/src/montgomery/mod.rs", &["to_edwards"], SMALL),
    (
        "curve/src/ristretto/batch.rs",
        &["double_and_compress_batch"],
        SMALL,
    ),
    ("curve/src/ristretto/compressed.rs", &["decompress"], SMALL),
    (
        "curve/src/ristretto/inverse_map.rs",
        &["map_to_curve_inverse", "map_to_curve_restricted"],
        SMALL,
    ),
    (
        "curve/src/ristretto/map.rs",
        &[
            "from_uniform_bytes",
            "map_to_curve",
            "hash_from_bytes",
            "from_hash",
        ],
        SMALL,
    ),
    ("curve/src/ristretto/mod.rs", &["compress"], SMALL),
    (
        "curve/src/ristretto/table.rs",
        &["create"],
        "a table of multiples of a point, which is public where it is worth a table",
    ),
    (
        "curve/src/scalar/hash.rs",
        &["hash_from_bytes", "from_hash"],
        SMALL,
    ),
    (
        "curve/src/scalar/invert.rs",
        &["invert", "invert_batch", "invert_batch_alloc"],
        SMALL,
    ),
    (
        "curve/src/scalar/mod.rs",
        &[
            "from_canonical_bytes",
            "from_bits",
            "mul_add",
            "div_by_2",
            "clamp_in_place",
        ],
        SMALL,
    ),
    ("fn-dsa/src/draft2026.rs", &["sign_key_size"], SIZES),
    ("fn-dsa/src/verifying.rs", &["finish"], VERIFIES),
    ("hybrid/src/verifying.rs", &["finish"], VERIFIES),
    (
        "fn-dsa/src/params.rs",
        &["sign_key_size", "signature_size"],
        SIZES,
    ),
    (
        "fn-dsa/src/signing.rs",
        &["from_seed_of_degree"],
        "from_seed calls it, and is searched",
    ),
    (
        "fn-dsa/src/stream_signer.rs",
        &["finish"],
        "what stays of a signer that is moved is the hash of public data; finish_as, which ends in the same code, is searched",
    ),
    ("hybrid/src/lib.rs", &["signature_size"], SIZES),
    (
        "hybrid/src/signing.rs",
        &["from_seed_of_degree"],
        "from_seed calls it, and is searched",
    ),
];

/// The libraries whose functions handle secrets.
const LIBRARIES: &[&str] = &["ed25519", "x25519", "curve", "fn-dsa", "hybrid"];

/// The source files below a directory, without tests in files of their own.
fn sources(directory: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == "tests" || name == "tests.rs" {
        } else if path.is_dir() {
            sources(&path, into);
        } else if name.ends_with(".rs") {
            into.push(path);
        }
    }
}

/// The code of a file: no comments, and no module of tests at its end.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a file of source text");
    let tests = text
        .match_indices("#[cfg(test)]\nmod ")
        .find(|(at, begin)| {
            let name = text[at + begin.len()..].lines().next();
            name.is_some_and(|rest| rest.ends_with(" {"))
        });
    let lines = text[..tests.map_or(text.len(), |(at, _)| at)].lines();
    let lines = lines.map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

/// The names of the public functions of a piece of source text.
fn public_functions(code: &str) -> Vec<&str> {
    let functions = code.lines().filter_map(|line| {
        let mut rest = line.trim_start().strip_prefix("pub ")?;
        while let Some(without) = ["const ", "unsafe ", "async "]
            .iter()
            .find_map(|word| rest.strip_prefix(word))
        {
            rest = without;
        }
        let name = rest.strip_prefix("fn ")?;
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        (end > 0).then_some(&name[..end])
    });
    functions.collect()
}

/// Whether a function is called, or named as a function of a type or a module.
fn is_named(name: &str, code: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let goes_on = |c: char| c.is_alphanumeric() || c == '_';
        let whole = !before.ends_with(goes_on) && !after.starts_with(goes_on);
        let called = after.starts_with('(') || after.starts_with("::<");
        whole && !before.ends_with("fn ") && (called || before.ends_with("::"))
    })
}

/// What is neither named in these files of this directory nor excused, and what is excused in vain.
fn gaps(directory: &str, excused: &[&[Excused]]) -> Vec<String> {
    let mut files = Vec::new();
    sources(&root().join(directory), &mut files);
    // The C library has functions of the same names, and a test of its own.
    files.retain(|path| !path.ends_with("c_face.rs"));
    let checks: String = files.iter().map(|path| code(path)).collect();
    let excused: Vec<&Excused> = excused.iter().copied().flatten().collect();
    let (mut gaps, mut needed, mut functions) = (Vec::new(), Vec::new(), 0);
    for library in LIBRARIES {
        let mut files = Vec::new();
        sources(&root().join("crates").join(library).join("src"), &mut files);
        for path in files {
            let file = path.strip_prefix(root().join("crates"));
            let file = file.expect("it lies there").display().to_string();
            for name in public_functions(&code(&path)) {
                functions += 1;
                // The name says that it is for public values.
                if name.starts_with("vartime_") || is_named(name, &checks) {
                    continue;
                }
                if excused
                    .iter()
                    .any(|it| it.0 == file && it.1.contains(&name))
                {
                    needed.push((file.clone(), String::from(name)));
                } else {
                    gaps.push(format!("{file}: {name} is not named in {directory}"));
                }
            }
        }
    }
    assert!(functions > 300, "only {functions} public functions");
    for (file, names, why) in excused {
        assert!(!why.is_empty(), "{file}: why?");
        for name in *names {
            if !needed.iter().any(|(f, n)| f == file && n == name) {
                gaps.push(format!("{file}: {name} is excused in {directory} in vain"));
            }
        }
    }
    gaps
}

#[test]
fn the_checks_name_every_public_function() {
    let gaps = gaps("ct/src/checks", &[EXCUSED, NOT_CHECKED]);
    assert!(gaps.is_empty(), "{gaps:#?}");
}

#[test]
fn the_search_of_the_stack_names_every_public_function() {
    let gaps = gaps("ct/src/residue", &[EXCUSED, NOT_SEARCHED]);
    assert!(gaps.is_empty(), "{gaps:#?}");
}

#[test]
fn functions_are_found_in_source_text() {
    let text =
        "pub fn a() {}\n    pub const fn b<T>(\n    pub(crate) fn c() {}\nfn d() {}\npub use e;";
    assert_eq!(public_functions(text), ["a", "b"]);
    assert!(is_named("a", "x.a(1)") && is_named("a", "X::a,") && is_named("a", "a::<T>()"));
    assert!(!is_named("a", "fn a()") && !is_named("a", "ba(1)") && !is_named("a", "a_b(1) a;"));
}
