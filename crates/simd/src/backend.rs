//! The backends: which instructions do the work, in every crate.
//!
//! Whatever can run here is compiled in, unless a [setting](#settings-of-the-compiler) leaves it out, and the fastest
//! of it that the processor supports is chosen when the first operation runs. All backends give the same results. [`force`] selects one by hand, for tests, measurements
//! and audits; it reaches the curve, the hashes and FN-DSA alike (on WebAssembly the curve alone: a module has one way for
//! the others, because it is loaded from afar):
//!
//! ```
//! use lanner_simd::backend;
//!
//! for backend in backend::list() {
//!     backend::force(backend).expect("a listed backend can run");
//!     println!("{} is at work", backend::active());
//! }
//! ```
//!
//! What the backends mean:
//!
//! | backend | the curve | hashes | FN-DSA | where |
//! |---|---|---|---|---|
//! | `avx512` | lanes: five limbs of 51 bits in vectors of four and eight, 52-bit multiply-add; else as `adx` | 8 lanes | as `avx2`; with AVX-512 several signatures by one key, the sampler's random bytes, hashing to a point, and decompression of eight signatures | x86-64 with AVX-512 IFMA, BMI2 and ADX |
//! | `avx2` | lanes: five limbs of 51 bits in doubles, vectors of four; single ladders and all else as `adx`, without ADX four 64-bit limbs with `mulx` alone, on 32-bit x86 as `portable32` | 4 lanes | AVX2 | x86 with AVX2 and FMA |
//! | `adx` | four 64-bit limbs, assembly with `mulx`, `adcx` and `adox` | portable | portable | x86-64 with BMI2 and ADX |
//! | `sse2` | on 32-bit x86 lanes of ten limbs of 25.5 bits, two vectors of two, else as `portable32`; on x86-64 as `portable64` | portable | SSE2, and key generation portable | x86 with SSE2 |
//! | `neon` | four 64-bit limbs, assembly with `mul` and `umulh`; lanes of independent elements: four of ten limbs of 25.5 bits in NEON beside four single ones | 2 lanes (Keccak) | NEON, and key generation portable | little-endian AArch64 |
//! | `simd128` | lanes: twenty limbs of 13 bits, multiplied in pairs, four elements in vectors of 32-bit words; else nine limbs of 29 bits | 2 lanes (Keccak) | 128-bit vectors, and key generation portable | WebAssembly: by target feature, or feature `simd128` |
//! | `portable64` | five limbs of 51 bits; on x86-64 with products in assembly, of instructions that every such processor has | portable | portable | 64-bit targets |
//! | `portable32` | ten limbs of 25.5 bits; on 32-bit x86 with products in assembly likewise | portable | portable | everywhere |
//! | `fiat64`, `fiat32` | the formally verified code of fiat-crypto, the same two shapes | portable | portable | feature `fiat`, or a setting |
//!
//! Without an operating system, or under UEFI or in SGX, no processor is asked: on x86-64 the backend is `portable64`, unless the build takes
//! features for granted (`-C target-feature=+adx,+bmi2`, which a kernel may use, as they have no registers of vectors).
//!
//! # Settings of the compiler
//!
//! A program that wants one kind of code and no other says so when it is compiled, for all crates at once: in `RUSTFLAGS`,
//! or under `build.rustflags` in `.cargo/config.toml`. What a setting leaves out is not in the program, and [`list`] and
//! [`force`] do not know it.
//!
//! | setting | what is left |
//! |---|---|
//! | `--cfg lanner_backend="portable"` | portable code with the limbs of the target, and no assembly; `"portable64"` and `"portable32"` name them |
//! | `--cfg lanner_backend="fiat"` | formally verified arithmetic of the field, the rest portable; `"fiat64"`, `"fiat32"`. Needs no feature |
//! | `--cfg lanner_without="avx512"` | all but this: `"avx512"`, `"avx2"`, `"adx"`, `"sse2"`, `"neon"` or `"simd128"`, and what builds on it; more than once if need be |
//! | `--cfg lanner_without="portable32"` | all but this, which on 64-bit targets is there for tests alone. `cargo xtask c` has it |
//! | `--cfg lanner_size="small"` | everything; products of the portable field with limbs of 51 bits are calls: less code, and slower. `cargo xtask c --small` has it beside `lanner_backend="portable"` |
//! | `--cfg curve25519_dalek_backend="serial"` | as `lanner_backend="portable"` |
//! | `--cfg curve25519_dalek_backend="fiat"` | as `lanner_backend="fiat"` |
//! | `--cfg curve25519_dalek_backend="simd"`, `="avx512"`, `="unstable_avx512"` | everything: the processor decides |
//! | `--cfg curve25519_dalek_bits="32"`, `="64"` | which limbs the two of them have; `"32"` alone means portable code, as it does there |
//!
//! The last four are those of curve25519-dalek. `lanner_backend` goes before them. A compiler does not know which values there are:
//! one that is misspelt changes nothing, and says nothing. What [`list`] gives when the program runs is what the build has.
//!
//! # Builds with debug assertions
//!
//! Where code is not optimised, vectors take megabytes of stack, and are slower than words. So in builds with debug assertions,
//! which those without optimisation have unless a profile says otherwise, the preferred backend is the first of the list without
//! vectors: `adx`, or portable code. [`force`] has the others. A profile that has debug assertions *and* optimises the program itself, not
//! its dependencies alone, gets vectors back by two lines in the manifest of the program (what is generic, as verification under a
//! profile and the keys of FN-DSA are, is compiled with the program):
//!
//! ```toml
//! [profile.dev.package.lanner-simd]
//! debug-assertions = false
//! ```
//!
//! One that has neither (`opt-level = 0` with `debug-assertions = false`) wants the opposite there, `debug-assertions = true`: it
//! gets vectors otherwise, and threads overflow their stacks. Nothing tells a crate how far it is optimised.

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::settings;
use crate::witness::{Adx, Avx2, Avx512Ifma};

/// A way to do the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Portable code; elements of the field have five limbs of 51 bits, which are multiplied in assembly on x86-64. On
    /// 64-bit targets.
    Portable64,
    /// Portable code; elements of the field have ten limbs of 25.5 bits, which are multiplied in assembly on 32-bit x86.
    /// Everywhere.
    Portable32,
    /// Portable code; the field is the formally verified code of `fiat-crypto` with five limbs of 51 bits.
    /// Feature `fiat` or a setting, on 64-bit targets.
    Fiat64,
    /// Portable code; the field is the formally verified code of `fiat-crypto` with ten limbs of 25.5 bits.
    /// Feature `fiat` or a setting.
    Fiat32,
    /// `mulx`, `adcx` and `adox` for the field; on x86-64 processors with BMI2 and ADX (Intel since Broadwell, AMD
    /// since Zen). No vectors.
    Adx,
    /// Vectors of AVX2, with its companion FMA, and for single elements of the field what `Adx` has, or `mulx` alone on
    /// processors without ADX, or on 32-bit x86 `Portable32` (Intel since Haswell, AMD since Zen).
    Avx2,
    /// Vectors of AVX-512 with its 52-bit multiplication (Intel since Ice Lake, AMD since Zen 4).
    Avx512,
    /// Vectors of SSE2: on x86-64, and on 32-bit x86 targets whose processors have it, which are all but the
    /// oldest.
    Sse2,
    /// Vectors of NEON; on little-endian 64-bit ARM.
    Neon,
    /// The 128-bit vectors of WebAssembly: in modules compiled for engines that have them, with
    /// `-C target-feature=+simd128` or the feature `simd128`.
    Simd128,
}

/// All backends, the preferred ones first.
const ALL: [Backend; 10] = [
    Backend::Avx512,
    Backend::Avx2,
    Backend::Adx,
    Backend::Neon,
    Backend::Simd128,
    // Before the portable ones where it has the better field.
    #[cfg(target_arch = "x86")]
    Backend::Sse2,
    Backend::Portable64,
    #[cfg(not(target_arch = "x86"))]
    Backend::Sse2,
    Backend::Portable32,
    Backend::Fiat64,
    Backend::Fiat32,
];

impl Backend {
    /// The name: `portable64`, `portable32`, `fiat64`, `fiat32`, `adx`, `avx2`, `avx512`,
    /// `sse2`, `neon` or `simd128`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable64 => "portable64",
            Self::Portable32 => "portable32",
            Self::Fiat64 => "fiat64",
            Self::Fiat32 => "fiat32",
            Self::Adx => "adx",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Sse2 => "sse2",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
        }
    }

    /// Whether the backend is compiled in and this processor can run it.
    #[must_use]
    pub fn is_available(self) -> bool {
        self.is_available_on(&Processor {
            avx512: Avx512Ifma::detect().is_some(),
            avx2: Avx2::detect().is_some(),
            adx: Adx::detect().is_some(),
        })
    }

    /// As [`is_available`](Self::is_available), on a processor of this target with these features.
    fn is_available_on(self, processor: &Processor) -> bool {
        const X86: bool = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
        const WORDS_64: bool = cfg!(target_pointer_width = "64");
        match self {
            Self::Portable64 => settings::PORTABLE_64,
            Self::Portable32 => settings::PORTABLE_32,
            Self::Fiat64 => settings::FIAT_64,
            Self::Fiat32 => settings::FIAT_32,
            Self::Adx => WORDS_64 && processor.adx,
            Self::Avx2 => processor.avx2 && (cfg!(target_arch = "x86") || WORDS_64),
            Self::Avx512 => WORDS_64 && processor.avx512,
            Self::Sse2 => X86 && HAS_BASELINE,
            Self::Neon => cfg!(target_arch = "aarch64") && HAS_BASELINE,
            Self::Simd128 => cfg!(target_family = "wasm") && HAS_BASELINE,
        }
    }

    /// Whether it has vectors: those of [`baseline`](crate::baseline), or wider ones.
    const fn has_vectors(self) -> bool {
        matches!(
            self,
            Self::Avx512 | Self::Avx2 | Self::Sse2 | Self::Neon | Self::Simd128
        )
    }
}

/// The features by which backends are chosen, each as its witness says.
struct Processor {
    avx512: bool,
    avx2: bool,
    adx: bool,
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error of [`force`]: the backend is not compiled in, or this processor
/// cannot run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable(Backend);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the backend {} is not available here", self.0)
    }
}

impl core::error::Error for Unavailable {}

/// Whether the target has vectors on every processor, and the settings leave them in.
const HAS_BASELINE: bool = crate::isa::HAS_BASELINE && settings::BASELINE;

/// Whether the formally verified arithmetic is compiled in.
pub const HAS_FIAT: bool = settings::FIAT;

/// Whether limbs of 32 bits are left in, where the target could have wider ones.
pub const HAS_PORTABLE_32: bool = settings::PORTABLE_32;

/// Whether a product of limbs may be assembly, of instructions that every processor of the target has.
pub const HAS_PRODUCTS: bool = settings::PRODUCTS;

/// 0 before the first use, else 1 + the discriminant of a backend that
/// `is_available`; [`FORCED`] is added where it was chosen by hand.
static ACTIVE: AtomicU8 = AtomicU8::new(0);

const FORCED: u8 = 128;

/// The backends that can run here, the preferred one first; of those without vectors the first, in
/// [builds with debug assertions](self#builds-with-debug-assertions).
pub fn list() -> impl Iterator<Item = Backend> {
    ALL.into_iter().filter(|backend| backend.is_available())
}

/// Makes one backend do all the work of this process from now on.
///
/// Keys, points, scalars and states of hashes do not depend on the backend, so it may be changed at any
/// time, but the change is for all threads.
///
/// # Errors
///
/// [`Unavailable`] if the backend is not one of [`list`]; nothing changes then.
pub fn force(backend: Backend) -> Result<(), Unavailable> {
    if !backend.is_available() {
        return Err(Unavailable(backend));
    }
    ACTIVE.store((backend as u8 + 1) | FORCED, Ordering::Relaxed);
    Ok(())
}

/// The backend with a code of `ACTIVE`.
#[inline]
fn decode(code: u8) -> Option<Backend> {
    ALL.into_iter()
        .find(|&backend| backend as u8 + 1 == code & !FORCED)
}

/// The backend at work.
#[must_use]
pub fn active() -> Backend {
    match decode(ACTIVE.load(Ordering::Relaxed)) {
        Some(backend) => backend,
        None => choose(),
    }
}

#[cold]
fn choose() -> Backend {
    let preferred = list()
        .find(|backend| settings::VECTORS || !backend.has_vectors())
        .unwrap_or(Backend::Portable32);
    store_if_none(preferred as u8 + 1);
    active()
}

/// Stores the code of a backend where there is none. Threads that race here all store the same one, unless one of them forces
/// another: that one stays.
#[cfg(target_has_atomic = "8")]
fn store_if_none(code: u8) {
    let _ = ACTIVE.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
}

/// The same on processors that load and store alone (Cortex-M0, RISC-V without A). What an interrupt or another core forces
/// between the two is lost, which costs speed at most: no result depends on the backend, and each that is stored is available.
#[cfg(not(target_has_atomic = "8"))]
fn store_if_none(code: u8) {
    if ACTIVE.load(Ordering::Relaxed) == 0 {
        ACTIVE.store(code, Ordering::Relaxed);
    }
}

/// The backend that was chosen by hand.
#[inline]
fn forced() -> Option<Backend> {
    let code = ACTIVE.load(Ordering::Relaxed);
    if code & FORCED == 0 {
        None
    } else {
        decode(code)
    }
}

/// The witness of AVX-512, where the processor has it, unless a backend without it was forced or is preferred.
#[must_use]
#[inline]
pub fn avx512() -> Option<Avx512Ifma> {
    match forced() {
        None if settings::VECTORS => Avx512Ifma::detect(),
        Some(Backend::Avx512) => Avx512Ifma::detect(),
        _ => None,
    }
}

/// The witness of AVX2, where the processor has it, unless a backend without it was forced or is preferred. Processors may have it
/// although none of the backends with its name is in the [`list`], because the curve asks for words of 64 bits.
#[must_use]
#[inline]
pub fn avx2() -> Option<Avx2> {
    match forced() {
        None if settings::VECTORS => Avx2::detect(),
        Some(Backend::Avx512 | Backend::Avx2) => Avx2::detect(),
        _ => None,
    }
}

/// Whether work that can be done on the vectors of [`baseline`](crate::baseline) is to be done there: they exist, and no
/// backend without vectors was forced or is preferred (which has no effect here on WebAssembly).
#[must_use]
#[inline]
pub fn has_baseline() -> bool {
    // A module for WebAssembly has one way, because it is loaded from afar.
    HAS_BASELINE
        && (cfg!(target_family = "wasm")
            || forced().map_or(settings::VECTORS, Backend::has_vectors))
}

#[cfg(all(test, target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
mod tests {
    use super::{ALL, Backend, Processor, settings};

    /// What is preferred on x86-64, by the features of the processor.
    #[test]
    fn lanes_need_vectors_alone() {
        let preferred = |avx512, avx2, adx| {
            let processor = Processor { avx512, avx2, adx };
            ALL.into_iter()
                .find(|backend| backend.is_available_on(&processor))
        };
        assert_eq!(preferred(true, true, true), Some(Backend::Avx512));
        assert_eq!(preferred(false, true, true), Some(Backend::Avx2));
        // Haswell.
        assert_eq!(preferred(false, true, false), Some(Backend::Avx2));
        assert_eq!(preferred(false, false, true), Some(Backend::Adx));
        if settings::PORTABLE_64 {
            assert_eq!(preferred(false, false, false), Some(Backend::Portable64));
        }
    }
}
