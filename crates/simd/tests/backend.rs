//! The choice of a backend, in a process of its own: the choice is for all of a process.

use lanner_simd::backend::{self, Backend};

const ALL: [Backend; 10] = [
    Backend::Portable64,
    Backend::Portable32,
    Backend::Fiat64,
    Backend::Fiat32,
    Backend::Adx,
    Backend::Avx2,
    Backend::Avx512,
    Backend::Sse2,
    Backend::Neon,
    Backend::Simd128,
];

#[test]
fn what_cannot_run_here_is_refused_and_changes_nothing() {
    let (mut refused, mut taken) = (0, 0);
    for here in backend::list() {
        for wanted in ALL {
            backend::force(here).expect("a listed backend can run");
            let listed = backend::list().any(|backend| backend == wanted);
            match backend::force(wanted) {
                Ok(()) => {
                    assert!(listed, "{wanted} is taken, and cannot run here");
                    assert_eq!(backend::active(), wanted);
                    taken += 1;
                }
                Err(error) => {
                    assert!(!listed, "{wanted} is refused, and can run here");
                    assert_eq!(backend::active(), here, "{wanted} is refused, and at work");
                    assert_eq!(
                        error.to_string(),
                        format!("the backend {wanted} is not available here")
                    );
                    refused += 1;
                }
            }
        }
    }
    // Every processor lacks some: NEON and AVX2 exclude each other.
    assert!(taken > 0 && refused > 0, "{taken} taken, {refused} refused");
}

/// The settings of the compiler that this build was made with, and the only backend that they leave.
const SETTINGS: [(bool, &str, &str); 6] = [
    (
        cfg!(lanner_backend = "portable"),
        "portable64",
        "portable32",
    ),
    (
        cfg!(lanner_backend = "portable32"),
        "portable32",
        "portable32",
    ),
    (cfg!(lanner_backend = "fiat"), "fiat64", "fiat32"),
    (cfg!(lanner_backend = "fiat32"), "fiat32", "fiat32"),
    (
        cfg!(all(
            curve25519_dalek_backend = "serial",
            not(curve25519_dalek_bits = "32")
        )),
        "portable64",
        "portable32",
    ),
    (
        cfg!(all(
            curve25519_dalek_backend = "fiat",
            curve25519_dalek_bits = "32"
        )),
        "fiat32",
        "fiat32",
    ),
];

#[test]
fn the_build_has_what_its_settings_leave() {
    let names: Vec<&str> = backend::list().map(Backend::name).collect();
    for (is_set, of_64, of_32) in SETTINGS {
        if is_set {
            let only = if cfg!(target_pointer_width = "64") {
                of_64
            } else {
                of_32
            };
            assert_eq!(names, [only]);
            assert!(lanner_simd::Avx2::detect().is_none());
            assert!(lanner_simd::Avx512Ifma::detect().is_none());
            assert!(lanner_simd::Adx::detect().is_none());
            assert!(!backend::has_baseline());
            assert_eq!(backend::active().name(), only);
        }
    }
    let gone: &[&str] = if cfg!(lanner_without = "adx") {
        &["adx", "avx512"]
    } else if cfg!(lanner_without = "avx512") {
        &["avx512"]
    } else {
        &[]
    };
    assert!(names.iter().all(|name| !gone.contains(name)), "{names:?}");
    assert!(names.len() == 1 || names.iter().any(|name| name.starts_with("portable")));
}
