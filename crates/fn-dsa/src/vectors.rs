//! Which vectors do the work: the one place that chooses them.

use lanner_simd::{Operation, backend, baseline, portable};

/// Runs an operation on the widest vectors that the processor has and the active backend permits.
#[inline(always)]
pub(crate) fn dispatch<O: Operation>(operation: O) -> O::Output {
    #[cfg(not(feature = "no_avx2"))]
    if let Some(witness) = backend::avx2() {
        return witness.enter(operation);
    }
    if backend::has_baseline() {
        return baseline(operation);
    }
    portable(operation)
}
