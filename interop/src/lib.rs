//! Lanner held against other libraries: what the tests share.
//!
//! Every random input comes from a seeded generator. `LANNER_TEST_SEED` (a number) changes the
//! seed; `LANNER_TEST_BACKEND` (a name from `lanner_simd::backend`) makes one backend do all
//! the work.

use std::io::Write;
use std::sync::Once;

use lanner_curve::backend;

pub mod encodings;

/// The first program of the README, compiled and run like any other example.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The programs of the essay on validation.
#[cfg(doctest)]
#[doc = include_str!("../../docs/validation.md")]
pub struct Validation;

/// Readies a test: selects the backend that the environment names, and gives the generator.
///
/// # Panics
///
/// The environment holds a backend that does not exist, or a seed that is no number.
pub fn start(name: &str) -> fastrand::Rng {
    static BACKEND: Once = Once::new();
    BACKEND.call_once(|| {
        if let Ok(wanted) = std::env::var("LANNER_TEST_BACKEND") {
            force(&wanted);
        }
    });
    let seed = match std::env::var("LANNER_TEST_SEED") {
        Ok(text) => text.parse().expect("LANNER_TEST_SEED is a number"),
        Err(_) => 0x1a44_e400_u64,
    };
    // Tests draw different inputs from one seed.
    let name = name.bytes().fold(seed, |sum, byte| {
        sum.wrapping_mul(0x0100_0000_01b3)
            .wrapping_add(u64::from(byte))
    });
    fastrand::Rng::with_seed(name)
}

fn force(wanted: &str) {
    const KNOWN: [&str; 9] = [
        "avx512",
        "avx2",
        "adx",
        "neon",
        "portable64",
        "sse2",
        "portable32",
        "fiat64",
        "fiat32",
    ];
    match backend::list().find(|backend| backend.name() == wanted) {
        Some(found) => backend::force(found).expect("a listed backend can run"),
        None if KNOWN.contains(&wanted) => skip(&format!(
            "the backend {wanted} cannot run here; {} did the work",
            backend::active()
        )),
        None => panic!("LANNER_TEST_BACKEND: no backend is called {wanted}"),
    }
}

/// Says that something is left out, so that it is read even when the test passes.
pub fn skip(reason: &str) {
    // Not println!, which the test runner swallows.
    let line = format!("\nSKIPPED: {reason}\n");
    let _ = std::io::stdout().write_all(line.as_bytes());
}

/// An array of random bytes.
pub fn array<const N: usize>(rng: &mut fastrand::Rng) -> [u8; N] {
    let mut bytes = [0; N];
    rng.fill(&mut bytes);
    bytes
}

/// A vector of random bytes.
pub fn bytes(rng: &mut fastrand::Rng, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    rng.fill(&mut bytes);
    bytes
}

/// Lower-case hexadecimal, for messages of failed assertions.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
