//! Overwriting secrets: what has a name, and the stack that an operation used.

use lanner_simd::stack::cleared;

#[cfg(all(test, feature = "keygen", feature = "sign"))]
mod tests;

/// Overwrites values, at the speed of a fill.
#[inline(always)]
pub(crate) fn wipe<T: Copy>(values: &mut [T], zero: T) {
    values.fill(zero);
    // Whoever looks at them here must find them overwritten.
    zeroize::optimization_barrier(values);
}

/// So many bytes more everywhere, because what is inlined where is decided anew in each program; and on 32-bit
/// processors, whose frames hold what has no register there.
const fn more(narrow: usize) -> usize {
    const INLINING: usize = 1024;
    if cfg!(target_pointer_width = "64") {
        INLINING
    } else {
        INLINING + narrow
    }
}

/// Whether the code that is run has large frames: that for AVX2, and on x86 the portable one, whose single lanes
/// the compiler makes wide again.
fn has_large_frames() -> bool {
    crate::vectors::avx2().is_some()
        || cfg!(any(target_arch = "x86", target_arch = "x86_64"))
            && !lanner_simd::backend::has_baseline()
}

/// Defines functions that run an operation and then overwrite the stack that it used: for keys of at most 512 and of
/// more coefficients, without large frames and with.
///
/// The depths, multiples of 64 bytes, are those that release builds for x86-64 reach (`lanner-ct residue` looks). The last
/// number is what builds for 32-bit x86 need beside.
macro_rules! operations {
    ($($(#[$attribute:meta])* $name:ident: $small:literal, $large:literal, $small_wide:literal, $large_wide:literal, $narrow:literal;)+) => {$(
        $(#[$attribute])*
        #[inline(always)]
        pub(crate) fn $name<const N: usize, R>(operation: impl FnOnce() -> R) -> R {
            match (has_large_frames(), N <= 512) {
                (false, true) => cleared::<{ $small + more($narrow) }, R>(operation),
                (false, false) => cleared::<{ $large + more($narrow) }, R>(operation),
                (true, true) => cleared::<{ $small_wide + more($narrow) }, R>(operation),
                (true, false) => cleared::<{ $large_wide + more($narrow) }, R>(operation),
            }
        }
    )+};
}

operations! {
    /// Decoding a signing key.
    #[cfg(feature = "sign")]
    after_decoding: 22_208, 25_280, 22_400, 25_472, 64;
    /// Reading a key file.
    #[cfg(all(feature = "pkcs8", feature = "sign"))]
    after_reading: 24_640, 27_712, 24_832, 27_904, 640;
    /// Writing a key file.
    #[cfg(all(feature = "alloc", feature = "pkcs8", feature = "sign"))]
    after_writing: 14_400, 14_400, 14_400, 14_400, 640;
    /// Encoding a signing key.
    #[cfg(feature = "sign")]
    after_encoding: 256, 256, 256, 256, 0;
    /// Comparing signing keys.
    #[cfg(feature = "sign")]
    after_comparing: 64, 64, 64, 64, 0;
    /// Signing in the main variant, in memory that is not on this stack; and so the others.
    #[cfg(feature = "sign")]
    after_signing: 11_648, 12_288, 18_688, 20_096, 3_392;
    /// Signing with SHAKE256 as the source of the sampler.
    #[cfg(feature = "sign")]
    after_signing_shake: 8_192, 8_768, 15_488, 17_024, 2_880;
    /// Signing for Falcon.
    #[cfg(feature = "sign")]
    after_signing_falcon: 10_752, 11_392, 17_920, 19_328, 3_264;
    /// Signing with the source of Falcon's reference.
    #[cfg(feature = "sign")]
    after_signing_reference: 9_536, 10_176, 17_472, 18_880, 1_472;
    /// Signing without randomness.
    #[cfg(feature = "sign")]
    after_signing_det1024: 15_168, 15_168, 20_224, 20_224, 1_408;
    /// Preparing a signing key, in memory that is not on this stack.
    #[cfg(feature = "sign")]
    after_preparing: 4_096, 4_096, 6_144, 6_144, 1_024;
    /// Signing several messages side by side, in memory that is not on this stack.
    #[cfg(feature = "sign")]
    after_signing_each: 14_336, 15_360, 22_528, 24_576, 3_392;
    /// Making a key, in memory that is not on this stack.
    #[cfg(all(feature = "keygen", feature = "sign"))]
    after_making_key: 11_456, 14_528, 19_072, 22_144, 704;
    /// Making a key pair, with the key on this stack.
    #[cfg(feature = "keygen")]
    after_making_pair: 11_904, 14_976, 19_456, 22_528, 640;
}
