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

/// The depth of all operations on WebAssembly that are not deeper: that of making a key.
const MODULE: usize = 9_472 + more(64);

/// Whether the code that is run has large frames: that for AVX2, and on x86 the portable one, whose single lanes
/// the compiler makes wide again.
fn has_large_frames() -> bool {
    crate::vectors::avx2().is_some()
        || cfg!(any(target_arch = "x86", target_arch = "x86_64"))
            && !lanner_simd::backend::has_baseline()
}

/// Defines functions that run an operation and then overwrite the stack that it used: for keys of at most 512 and of
/// more coefficients, without large frames and with. Those with doubles round to nearest whatever the program has set.
///
/// The depths, multiples of 64 bytes, are those that builds for x86-64 reach, for speed and for size (`lanner-ct residue`
/// looks). The last
/// number is what builds for 32-bit x86 need beside.
macro_rules! operations {
    ($($(#[$attribute:meta])* $name:ident $(with $doubles:ident)?: $small:literal, $large:literal, $small_wide:literal, $large_wide:literal, $narrow:literal;)+) => {$(
        $(#[$attribute])*
        #[inline(always)]
        pub(crate) fn $name<const N: usize, R>(operation: impl FnOnce() -> R) -> R {
            // Its program may have set another direction of rounding, and a signature would be another one.
            $(let $doubles = lanner_simd::rounding::Nearest::set();)?
            match (has_large_frames(), N <= 512) {
                // One function that overwrites, for all: modules are loaded from afar.
                _ if cfg!(target_arch = "wasm32") && $large + more($narrow) <= MODULE => {
                    cleared::<MODULE, R>(operation)
                }
                (false, true) => cleared::<{ $small + more($narrow) }, R>(operation),
                (false, false) => cleared::<{ $large + more($narrow) }, R>(operation),
                (true, true) => cleared::<{ $small_wide + more($narrow) }, R>(operation),
                (true, false) => cleared::<{ $large_wide + more($narrow) }, R>(operation),
            }
        }
    )+};
}

operations! {
    /// Decoding a signing key, in memory that is not on this stack; and so the others.
    #[cfg(feature = "sign")]
    after_decoding: 4_480, 7_552, 5_760, 8_832, 576;
    /// Copying a signing key: builds for size make one more on the way.
    #[cfg(feature = "sign")]
    after_copying: 3_328, 6_400, 3_328, 6_400, 0;
    /// Reading a key file.
    #[cfg(all(feature = "pkcs8", feature = "sign"))]
    after_reading: 17_152, 24_000, 17_664, 24_512, 64;
    /// Writing a key file.
    #[cfg(all(feature = "alloc", feature = "pkcs8", feature = "sign"))]
    after_writing: 7_552, 9_664, 8_256, 10_368, 576;
    /// The same in Bouncy Castle's form, which is put together in memory for the largest degree.
    #[cfg(all(feature = "alloc", feature = "pkcs8", feature = "sign"))]
    after_writing_sequence: 14_336, 14_336, 14_336, 14_336, 576;
    /// Encoding a signing key.
    #[cfg(feature = "sign")]
    after_encoding: 256, 256, 256, 256, 0;
    /// Comparing signing keys.
    #[cfg(feature = "sign")]
    after_comparing: 64, 64, 64, 64, 0;
    /// Signing in the main variant.
    #[cfg(feature = "sign")]
    after_signing with _doubles: 6_464, 6_720, 11_136, 11_648, 704;
    /// Signing with SHAKE256 as the source of the sampler.
    #[cfg(feature = "sign")]
    after_signing_shake with _doubles: 5_568, 5_824, 8_192, 8_704, 320;
    /// Signing for Falcon.
    #[cfg(feature = "sign")]
    after_signing_falcon with _doubles: 6_464, 6_912, 11_072, 11_776, 768;
    /// Signing with the source of Falcon's reference.
    #[cfg(feature = "sign")]
    after_signing_reference with _doubles: 6_912, 7_168, 7_616, 7_872, 64;
    /// Signing without randomness.
    #[cfg(feature = "sign")]
    after_signing_det1024 with _doubles: 7_936, 7_936, 7_936, 7_936, 64;
    /// Signing with a prepared key, whatever the source of the sampler.
    #[cfg(feature = "sign")]
    after_signing_prepared with _doubles: 9_024, 10_432, 14_976, 16_448, 1_600;
    /// Comparing two signatures and verifying one, beside signing, which overwrites its own.
    #[cfg(feature = "sign")]
    after_checking: 12_288, 18_432, 13_440, 19_584, 1_024;
    /// Preparing a signing key, in memory that is not on this stack.
    #[cfg(feature = "sign")]
    after_preparing with _doubles: 4_096, 4_096, 6_144, 6_144, 1_024;
    /// Signing several messages side by side, in memory that is not on this stack.
    #[cfg(feature = "sign")]
    after_signing_each with _doubles: 14_336, 15_360, 31_040, 33_664, 3_392;
    /// Making a key.
    #[cfg(all(feature = "keygen", feature = "sign"))]
    after_making_key: 6_400, 9_472, 6_464, 9_536, 64;
    /// Making a key pair, all of which is in its generator.
    #[cfg(feature = "keygen")]
    after_making_pair: 3_264, 3_264, 3_328, 3_328, 64;
}
