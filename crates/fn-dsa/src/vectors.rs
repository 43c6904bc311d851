//! Which vectors do the work: those of the backend ([`crate::backend`]).

use lanner_simd::{Avx2, Operation, backend};

/// The witness of AVX2, where the backend has it.
#[inline]
pub(crate) fn avx2() -> Option<Avx2> {
    if cfg!(feature = "no_avx2") {
        None
    } else {
        backend::avx2()
    }
}

/// Runs an operation on the widest vectors.
#[inline(always)]
pub(crate) fn dispatch<O: Operation>(operation: O) -> O::Output {
    if let Some(witness) = avx2() {
        witness.enter(operation)
    } else if cfg!(target_family = "wasm") || backend::has_baseline() {
        // A module for WebAssembly has one way, because it is loaded from afar; where it has no vectors, that is the
        // portable one.
        lanner_simd::baseline(operation)
    } else {
        lanner_simd::portable(operation)
    }
}

/// The same for operations on lanes that vectors of 128 bits do not have.
#[cfg(any(feature = "keygen", feature = "sign"))]
#[inline(always)]
pub(crate) fn dispatch_wide<O: Operation>(operation: O) -> O::Output {
    match avx2() {
        Some(witness) => witness.enter(operation),
        None => lanner_simd::portable(operation),
    }
}
