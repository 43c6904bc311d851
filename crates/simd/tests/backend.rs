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
