//! The backends: which vectors do the work.
//!
//! Every backend that can run here is compiled in, and the widest one that the processor
//! supports is chosen when the first operation runs. All give the same results. [`force`]
//! selects one by hand, for tests, measurements and audits:
//!
//! ```
//! use lanner_hash::backend;
//!
//! for backend in backend::list() {
//!     backend::force(backend).expect("a listed backend can run");
//!     println!("{} is at work", backend::active());
//! }
//! ```

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::lanes::{Kernel, Lanes, Portable};

/// The most lanes that any backend has.
pub(crate) const MAX_LANES: usize = 8;

/// A kind of vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// One word at a time; everywhere.
    Portable,
    /// 128-bit vectors of WebAssembly, for Keccak; with the feature `simd128` of this crate, or where
    /// the target has them.
    Simd128,
    /// 128-bit vectors of 64-bit ARM, for Keccak.
    Neon,
    /// 256-bit vectors of x86 processors with AVX2 (Intel since Haswell, AMD since
    /// Excavator).
    Avx2,
    /// 512-bit vectors, and 256-bit ones for few messages, with the rotations and
    /// three-operand logic of AVX-512 (the processors that `lanner_simd::Avx512Ifma`
    /// names).
    Avx512,
}

/// All backends, the preferred ones first.
const ALL: [Backend; 5] = [
    Backend::Avx512,
    Backend::Avx2,
    Backend::Neon,
    Backend::Simd128,
    Backend::Portable,
];

impl Backend {
    /// The name: `portable`, `simd128`, `neon`, `avx2` or `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Simd128 => "simd128",
            Self::Neon => "neon",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// How many words its vectors have.
    #[must_use]
    pub const fn lanes(self) -> usize {
        match self {
            Self::Portable => 1,
            Self::Simd128 | Self::Neon => 2,
            Self::Avx2 => 4,
            Self::Avx512 => 8,
        }
    }

    /// Whether the backend is compiled in and this processor can run it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(all(
                target_family = "wasm",
                any(feature = "simd128", target_feature = "simd128")
            ))]
            Self::Simd128 => true,
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little",
                not(miri)
            ))]
            Self::Neon => true,
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(miri)))]
            Self::Avx2 => lanner_simd::Avx2::detect().is_some(),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx512 => lanner_simd::Avx512Ifma::detect().is_some(),
            #[allow(unreachable_patterns)] // Only where one target has all of the above.
            _ => false,
        }
    }

    /// How many lanes have the vectors that suit so many messages (at least one): a vector that
    /// is partly idle takes as long as a full one, which is no loss until fewer lanes would be
    /// faster.
    #[inline]
    pub(crate) const fn width(self, messages: usize) -> usize {
        match (self, messages) {
            (Self::Portable, _) | (_, 0..=1) => 1,
            (Self::Simd128 | Self::Neon, _) => 2,
            (Self::Avx2, _) | (Self::Avx512, 2..=4) => 4,
            (Self::Avx512, _) => 8,
        }
    }

    /// Runs a kernel on vectors of [`width`](Self::width) lanes and returns that width.
    ///
    /// The only place that names the vectors of an instruction set outside `lanes`.
    #[inline]
    pub(crate) fn run(self, messages: usize, kernel: impl Kernel) -> usize {
        match (self, self.width(messages)) {
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            (Self::Avx512, width @ (4 | 8)) => {
                if let Some(witness) = lanner_simd::Avx512Ifma::detect() {
                    if width == 8 {
                        return run::<8, crate::lanes::avx512::U64x8>(witness, kernel);
                    }
                    return run::<4, crate::lanes::avx512::U64x4>(witness, kernel);
                }
            }
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(miri)))]
            (Self::Avx2, 4) => {
                if let Some(witness) = lanner_simd::Avx2::detect() {
                    return run::<4, crate::lanes::avx2::U64x4>(witness, kernel);
                }
            }
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little",
                not(miri)
            ))]
            (Self::Neon, 2) => return run::<2, crate::lanes::neon::U64x2>((), kernel),
            #[cfg(all(
                target_family = "wasm",
                any(feature = "simd128", target_feature = "simd128")
            ))]
            (Self::Simd128, 2) => return run::<2, crate::lanes::simd128::U64x2>((), kernel),
            _ => {}
        }
        run::<1, Portable<1>>((), kernel)
    }
}

#[inline(always)]
fn run<const N: usize, L: Lanes<N>>(witness: L::Witness, kernel: impl Kernel) -> usize {
    L::enter(witness, kernel);
    N
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error of [`force`]: the backend is not compiled in, or this processor cannot run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable(Backend);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the backend {} is not available here", self.0)
    }
}

impl core::error::Error for Unavailable {}

/// 0 before the first use, else 1 + the discriminant of a backend that `is_available`.
static ACTIVE: AtomicU8 = AtomicU8::new(0);

/// The backends that can run here, the preferred one first.
pub fn list() -> impl Iterator<Item = Backend> {
    ALL.into_iter().filter(|backend| backend.is_available())
}

/// Makes one backend do all the work of this process from now on.
///
/// States at rest do not depend on the backend, so it may be changed at any time, but the
/// change is for all threads.
///
/// # Errors
///
/// [`Unavailable`] if the backend is not one of [`list`]; nothing changes then.
pub fn force(backend: Backend) -> Result<(), Unavailable> {
    if !backend.is_available() {
        return Err(Unavailable(backend));
    }
    ACTIVE.store(backend as u8 + 1, Ordering::Relaxed);
    Ok(())
}

/// The backend at work.
#[must_use]
#[inline]
pub fn active() -> Backend {
    let code = ACTIVE.load(Ordering::Relaxed);
    match ALL.into_iter().find(|&backend| backend as u8 + 1 == code) {
        Some(backend) => backend,
        None => choose(),
    }
}

#[cold]
fn choose() -> Backend {
    let preferred = list().next().unwrap_or(Backend::Portable);
    // Threads that race here all store the same value, unless one forces another.
    let _ = ACTIVE.compare_exchange(0, preferred as u8 + 1, Ordering::Relaxed, Ordering::Relaxed);
    active()
}
