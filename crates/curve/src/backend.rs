//! The backends: which representation of the field does the work.
//!
//! Every backend that can run here is compiled in, and the fastest one that the
//! processor supports is chosen when the first operation runs. All give the same
//! results. [`force`] selects one by hand, for tests, measurements and audits:
//!
//! ```
//! use lanner_curve::backend;
//!
//! for backend in backend::list() {
//!     backend::force(backend).expect("a listed backend can run");
//!     println!("{} is at work", backend::active());
//! }
//! ```

use crate::field::lanes::Engine;
#[cfg(all(
    any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_pointer_width = "64")
    ),
    not(miri)
))]
use crate::field::lanes::avx2::Avx2;
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
use crate::field::lanes::avx512::Avx512;
#[cfg(all(
    target_arch = "wasm32",
    any(target_feature = "simd128", feature = "simd128")
))]
use crate::field::lanes::simd128::Simd128;
#[cfg(all(target_arch = "x86", target_feature = "sse2", not(miri)))]
use crate::field::lanes::sse2::Sse2;
use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};
#[cfg(any(
    all(target_arch = "x86", target_feature = "sse2", not(miri)),
    all(
        target_arch = "wasm32",
        any(target_feature = "simd128", feature = "simd128")
    )
))]
use lanner_simd::stack::Baseline;
use lanner_simd::stack::Overwrite;

/// A way to do the arithmetic of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Portable code with five limbs of 51 bits; on 64-bit targets.
    Portable64,
    /// Portable code with ten limbs of 25.5 bits; everywhere.
    Portable32,
    /// Formally verified code of `fiat-crypto` with five limbs of 51 bits;
    /// feature `fiat`, on 64-bit targets.
    Fiat64,
    /// Formally verified code of `fiat-crypto` with ten limbs of 25.5 bits;
    /// feature `fiat`.
    Fiat32,
    /// Four 64-bit limbs with `mulx`, `adcx` and `adox`; on x86-64 processors with
    /// BMI2 and ADX (Intel since Broadwell, AMD since Zen).
    Adx,
    /// Vectors of four elements with AVX2, and for single ones `Adx`, or on 32-bit x86
    /// `Portable32` (Intel since Broadwell, AMD since Zen).
    Avx2,
    /// `Adx`, and vectors of four and eight elements with the 52-bit multiplication of
    /// AVX-512 IFMA (Intel since Ice Lake, AMD since Zen 4).
    Avx512,
    /// `Portable32`, and vectors of two elements with SSE2; on 32-bit x86 targets whose
    /// processors have it, which are all but the oldest.
    Sse2,
    /// `Portable32`, and vectors of four elements with the 128-bit vectors of WebAssembly: in
    /// modules compiled for engines that have them, with `-C target-feature=+simd128` or the
    /// feature `simd128`.
    Simd128,
}

/// All backends, the preferred ones first.
const ALL: [Backend; 9] = [
    Backend::Avx512,
    Backend::Avx2,
    Backend::Adx,
    Backend::Sse2,
    Backend::Simd128,
    Backend::Portable64,
    Backend::Portable32,
    Backend::Fiat64,
    Backend::Fiat32,
];

impl Backend {
    /// The name: `portable64`, `portable32`, `fiat64`, `fiat32`, `adx`, `avx2`, `avx512`,
    /// `sse2` or `simd128`.
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
            Self::Simd128 => "simd128",
        }
    }

    /// Whether the backend is compiled in and this processor can run it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable64 => cfg!(target_pointer_width = "64"),
            Self::Portable32 => true,
            Self::Fiat64 => cfg!(all(feature = "fiat", target_pointer_width = "64")),
            Self::Fiat32 => cfg!(feature = "fiat"),
            Self::Sse2 => cfg!(all(target_arch = "x86", target_feature = "sse2", not(miri))),
            Self::Simd128 => cfg!(all(
                target_arch = "wasm32",
                any(target_feature = "simd128", feature = "simd128")
            )),
            #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
            Self::Adx => lanner_simd::Adx::detect().is_some(),
            #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
            Self::Avx2 => {
                lanner_simd::Avx2::detect().is_some() && lanner_simd::Adx::detect().is_some()
            }
            #[cfg(all(target_arch = "x86", not(miri)))]
            Self::Avx2 => lanner_simd::Avx2::detect().is_some(),
            #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
            Self::Avx512 => lanner_simd::Avx512Ifma::detect().is_some(),
            #[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))))]
            Self::Adx | Self::Avx512 => false,
            #[cfg(not(all(
                any(
                    target_arch = "x86",
                    all(target_arch = "x86_64", target_pointer_width = "64")
                ),
                not(miri)
            )))]
            Self::Avx2 => false,
        }
    }
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

/// 0 before the first use, else 1 + the discriminant of a backend that
/// `is_available`.
static ACTIVE: AtomicU8 = AtomicU8::new(0);

/// The backends that can run here, the preferred one first.
pub fn list() -> impl Iterator<Item = Backend> {
    ALL.into_iter().filter(|backend| backend.is_available())
}

/// Makes one backend do all the work of this process from now on.
///
/// Points and scalars do not depend on the backend, so it may be changed at any
/// time, but the change is for all threads.
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
pub fn active() -> Backend {
    let code = ACTIVE.load(Ordering::Relaxed);
    if let Some(backend) = ALL.into_iter().find(|&backend| backend as u8 + 1 == code) {
        return backend;
    }
    let preferred = list()
        .next()
        .expect("a portable backend is always available");
    // Threads that race here all store the same value, unless one forces another.
    let _ = ACTIVE.compare_exchange(0, preferred as u8 + 1, Ordering::Relaxed, Ordering::Relaxed);
    active()
}

/// How many elements of the field the active backend computes with at once where that pays:
/// 1 for backends without vectors.
///
/// With 4, several decodings or key agreements share their work; with 8, equations of
/// signatures too.
#[must_use]
pub fn lanes() -> usize {
    match active() {
        Backend::Avx512 => 8,
        Backend::Avx2 | Backend::Sse2 | Backend::Simd128 => 4,
        _ => 1,
    }
}

/// Evaluates an expression with `$field` as the active backend's representation.
///
/// The only place that names representations outside `field`. The arm of a
/// backend with requirements on the processor is reached only while that backend
/// is active, and it becomes active only if `is_available` said so.
macro_rules! with_field {
    ($field:ident => $body:expr) => {
        match $crate::backend::active() {
            #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
            $crate::backend::Backend::Adx
            | $crate::backend::Backend::Avx2
            | $crate::backend::Backend::Avx512 => {
                type $field = $crate::field::adx::FieldAdx;
                $body
            }
            #[cfg(target_pointer_width = "64")]
            $crate::backend::Backend::Portable64 => {
                type $field = $crate::field::radix51::Field51;
                $body
            }
            #[cfg(all(feature = "fiat", target_pointer_width = "64"))]
            $crate::backend::Backend::Fiat64 => {
                type $field = $crate::field::fiat::FiatField51;
                $body
            }
            #[cfg(feature = "fiat")]
            $crate::backend::Backend::Fiat32 => {
                type $field = $crate::field::fiat::FiatField25;
                $body
            }
            _ => {
                type $field = $crate::field::radix25::Field25;
                $body
            }
        }
    };
}
pub(crate) use with_field;

/// An operation that can be done in lanes.
pub(crate) trait InLanes {
    type Output;

    /// Whether that is faster with these lanes than without any.
    fn pays<E: Engine>() -> bool {
        true
    }

    /// Does it; to be implemented with `#[inline(always)]`, and all that it calls too.
    fn run<E: Engine>(self) -> Self::Output;

    /// Overwrites the stack that `run` used, for operations on secrets; to be implemented with
    /// `#[inline(always)]`.
    fn overwrite_stack<E: Engine>(_with: impl Overwrite) {}
}

/// Does an operation in the lanes of the active backend; gives it back if that has none or
/// does better without.
#[inline(always)]
pub(crate) fn in_lanes<O: InLanes>(operation: O) -> Result<O::Output, O> {
    match active() {
        #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
        Backend::Avx512 => match lanner_simd::Avx512Ifma::detect() {
            Some(cpu) if O::pays::<Avx512>() => {
                let output = cpu.run(With::<_, Avx512>::new(operation));
                O::overwrite_stack::<Avx512>(cpu);
                Ok(output)
            }
            _ => Err(operation),
        },
        #[cfg(all(
            any(
                target_arch = "x86",
                all(target_arch = "x86_64", target_pointer_width = "64")
            ),
            not(miri)
        ))]
        Backend::Avx2 => match lanner_simd::Avx2::detect() {
            Some(cpu) if O::pays::<Avx2>() => {
                let output = cpu.run(With::<_, Avx2>::new(operation));
                O::overwrite_stack::<Avx2>(cpu);
                Ok(output)
            }
            _ => Err(operation),
        },
        #[cfg(all(target_arch = "x86", target_feature = "sse2", not(miri)))]
        Backend::Sse2 if O::pays::<Sse2>() => {
            let output = Sse2::run(With::<_, Sse2>::new(operation));
            O::overwrite_stack::<Sse2>(Baseline);
            Ok(output)
        }
        #[cfg(all(
            target_arch = "wasm32",
            any(target_feature = "simd128", feature = "simd128")
        ))]
        Backend::Simd128 if O::pays::<Simd128>() => {
            let output = Simd128::run(With::<_, Simd128>::new(operation));
            O::overwrite_stack::<Simd128>(Baseline);
            Ok(output)
        }
        _ => Err(operation),
    }
}

/// An operation for the lanes of one engine.
#[cfg_attr(
    not(any(target_arch = "x86", target_arch = "x86_64")),
    allow(dead_code)
)]
struct With<O, E>(O, core::marker::PhantomData<E>);

#[cfg_attr(
    not(any(target_arch = "x86", target_arch = "x86_64")),
    allow(dead_code)
)]
impl<O, E> With<O, E> {
    #[inline(always)]
    fn new(operation: O) -> Self {
        Self(operation, core::marker::PhantomData)
    }
}

impl<O: InLanes, E: Engine> lanner_simd::Task for With<O, E> {
    type Output = O::Output;

    #[inline(always)]
    fn run(self) -> O::Output {
        self.0.run::<E>()
    }
}
