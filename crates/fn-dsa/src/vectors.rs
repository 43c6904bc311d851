//! Which vectors do the work: those of the backend ([`crate::backend`]).

use lanner_simd::{Avx2, Avx512Ifma, Bmi, Operation, Task, backend};

/// The witness of AVX2, where the backend has it.
#[inline]
pub(crate) fn avx2() -> Option<Avx2> {
    if cfg!(feature = "no_avx2") {
        None
    } else {
        backend::avx2()
    }
}

/// The witness of AVX-512, where the backend has it.
#[inline]
pub(crate) fn avx512() -> Option<Avx512Ifma> {
    if cfg!(feature = "no_avx2") {
        None
    } else {
        backend::avx512()
    }
}

/// Runs a task with the shifts of BMI2, which do not wait for flags, where the backend has vectors.
#[inline(always)]
pub(crate) fn with_shifts<T: Task>(task: T) -> T::Output {
    match Bmi::detect() {
        Some(witness) if avx2().is_some() => witness.run(task),
        _ => task.run(),
    }
}

/// Runs an operation on the vectors that serve one polynomial best: longer ones are no faster where what they do next
/// depends on what they did.
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

/// Runs an operation on the longest vectors.
#[cfg(feature = "sign")]
#[inline(always)]
pub(crate) fn dispatch_widest<O: Operation>(operation: O) -> O::Output {
    match avx512() {
        Some(witness) => witness.enter(operation),
        None => dispatch(operation),
    }
}
