//! The vectors in a form that a C program reads without a library: a line per case, fields in
//! hexadecimal digits between colons. (The form of sign.input, which C programs have always read.)

use std::fmt::Write;
use std::path::Path;

use lanner_vectors::fndsa::Random;
use lanner_vectors::{Outside, hex, outside, own};

use crate::files::{fresh, write};

/// Writes the files for the C tests into `dir`.
///
/// # Errors
///
/// A file cannot be written.
pub(super) fn write_all(dir: &Path) -> Result<(), String> {
    fresh(dir)?;
    let mut signing = String::new();
    for case in own::rfc8032().cases.iter().chain(&own::sign().cases) {
        let scheme = format!("{:?}", case.scheme).to_lowercase();
        let _ = writeln!(
            signing,
            "{scheme}:{}:{}:{}:{}:{}",
            hex::encode(&case.context),
            hex::encode(&case.seed),
            hex::encode(&case.public_key),
            hex::encode(&case.message),
            hex::encode(&case.signature),
        );
    }
    write(&dir.join("ed25519_sign"), signing)?;

    let mut verdicts = String::new();
    for case in &own::verify().cases {
        let _ = writeln!(
            verdicts,
            "{}:{}:{}:{}",
            hex::encode(&case.key),
            hex::encode(&case.msg),
            hex::encode(&case.sig),
            // Separated by commas, with one at each end.
            case.accept
                .iter()
                .fold(String::from(","), |list, name| list + name + ","),
        );
    }
    write(&dir.join("ed25519_verify"), verdicts)?;

    let mut exchange = String::new();
    for case in &own::x25519().cases {
        let _ = writeln!(
            exchange,
            "{}:{}:{}:{}",
            hex::encode(&case.scalar),
            hex::encode(&case.u),
            hex::encode(&case.out),
            u8::from(case.contributory),
        );
    }
    let pair = own::rfc7748().diffie_hellman;
    for (secret, public) in [
        (pair.alice_secret, pair.bob_public),
        (pair.bob_secret, pair.alice_public),
    ] {
        let _ = writeln!(
            exchange,
            "{}:{}:{}:1",
            hex::encode(&secret),
            hex::encode(&public),
            hex::encode(&pair.shared)
        );
    }
    write(&dir.join("x25519"), exchange)?;

    let group = own::ristretto();
    let mut ristretto = String::new();
    for case in &group.encodings {
        let valid = u8::from(case.valid);
        let _ = writeln!(ristretto, "encoding:{}:{valid}", hex::encode(&case.bytes));
    }
    for case in &group.mapped {
        let element = hex::encode(&case.element);
        let _ = writeln!(ristretto, "mapped:{}:{element}", hex::encode(&case.uniform));
    }
    for case in &group.group {
        let fields = [
            case.p,
            case.q,
            case.scalar,
            case.sum,
            case.difference,
            case.product,
            case.of_the_generator,
        ];
        let fields = fields.map(|field| hex::encode(&field)).join(":");
        let _ = writeln!(ristretto, "group:{fields}");
    }
    write(&dir.join("ristretto255"), ristretto)?;

    match outside("the C library's tests") {
        Some(outside) => {
            sign_input(&outside, dir)?;
            fn_dsa(&outside, dir)
        }
        None => Ok(()),
    }
}

/// The hash functions by the numbers that `lanner.h` gives them: 0 is the message itself.
const HASHES: [&str; 10] = [
    "00",
    "0609608648016503040201",
    "0609608648016503040202",
    "0609608648016503040203",
    "0609608648016503040206",
    "0609608648016503040208",
    "0609608648016503040209",
    "060960864801650304020a",
    "060960864801650304020b",
    "060960864801650304020c",
];

/// Key pairs and signatures of fn-dsa 0.3.0 and 0.4.0, of the degrees that the C face has.
fn fn_dsa(outside: &Outside, dir: &Path) -> Result<(), String> {
    let mut text = String::new();
    for (variant, cases) in [outside.fndsa_0_3(), outside.fndsa_0_4()]
        .iter()
        .enumerate()
    {
        for case in cases.iter().filter(|case| case.logn >= 9) {
            let id = hex::encode(&case.hash_id);
            let Some(hash) = HASHES.iter().position(|known| *known == id) else {
                continue;
            };
            let (seed, random) = match &case.random {
                Random::V4 {
                    seed_kgen,
                    seed_sign,
                } => (hex::encode(seed_kgen), seed_sign),
                // Its 32 octets are derived from what is given.
                Random::V3 {
                    sign_random_bytes, ..
                } => (String::new(), sign_random_bytes),
            };
            let _ = writeln!(
                text,
                "{variant}:{}:{seed}:{}:{}:{}:{hash}:{}:{}:{}",
                1 << case.logn,
                hex::encode(&case.sk),
                hex::encode(&case.vk),
                hex::encode(&case.ctx),
                hex::encode(&case.hv),
                hex::encode(&case.sig),
                hex::encode(random),
            );
        }
    }
    write(&dir.join("fn_dsa"), text)
}

/// djb's set of signatures (as much of it as is there), again as he gave it.
fn sign_input(outside: &Outside, dir: &Path) -> Result<(), String> {
    let mut text = String::new();
    for case in outside.golang_sign_input() {
        let (seed, public) = (hex::encode(&case.seed), hex::encode(&case.public_key));
        let message = hex::encode(&case.message);
        let signature = hex::encode(&case.signature);
        let _ = writeln!(
            text,
            "{seed}{public}:{public}:{message}:{signature}{message}:"
        );
    }
    write(&dir.join("sign.input"), text)
}
