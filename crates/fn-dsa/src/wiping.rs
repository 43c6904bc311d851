//! Overwriting secrets: what has a name, and the stack that an operation used.

use lanner_cpu::stack::cleared;

#[cfg(test)]
mod tests;

/// Overwrites values, at the speed of a fill.
#[inline(always)]
pub(crate) fn wipe<T: Copy>(values: &mut [T], zero: T) {
    values.fill(zero);
    // Whoever looks at them here must find them overwritten.
    zeroize::optimization_barrier(values);
}

/// Runs the decoding of a signing key, and overwrites its stack.
#[cfg(feature = "sign")]
#[inline(always)]
pub(crate) fn after_decoding<R>(operation: impl FnOnce() -> R) -> R {
    cleared::<{ 24 * 1024 }, R>(operation)
}

/// Runs the encoding or the comparison of signing keys, and overwrites its stack.
#[cfg(feature = "sign")]
#[inline(always)]
pub(crate) fn after_encoding<R>(operation: impl FnOnce() -> R) -> R {
    cleared::<256, R>(operation)
}

/// Runs the making of a signature in memory that the caller has, and overwrites its stack.
#[cfg(feature = "sign")]
#[inline(always)]
pub(crate) fn after_signing<R>(operation: impl FnOnce() -> R) -> R {
    cleared::<{ 24 * 1024 }, R>(operation)
}

/// Runs the making of a key pair in memory that the caller has, and overwrites its stack.
#[cfg(feature = "keygen")]
#[inline(always)]
pub(crate) fn after_key_generation<R>(operation: impl FnOnce() -> R) -> R {
    cleared::<{ 24 * 1024 }, R>(operation)
}
