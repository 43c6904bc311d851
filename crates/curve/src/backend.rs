//! The backends: which representation of the field does the work.
//!
//! Every backend that can run here is compiled in, and the fastest one that the
//! processor supports is chosen when the first operation runs. All give the same
//! results. [`force`] selects one by hand, for tests, measurements and audits. The choice is one for
//! all crates: [`lanner_simd::backend`] says what each does elsewhere.
//!
//! ```
//! use lanner_curve::backend;
//!
//! for backend in backend::list() {
//!     backend::force(backend).expect("a listed backend can run");
//!     println!("{} is at work", backend::active());
//! }
//! ```

use crate::field::lanes::{Double51, Engine, Mixed25, Radix25, Radix51, Words13};
use crate::field::{Beside, BesideDoubles, BesideNeon};
pub(crate) use lanner_simd::backend::has_baseline;
pub use lanner_simd::backend::{Backend, Unavailable, active, force, list};
#[cfg_attr(not(target_pointer_width = "64"), allow(unused_imports))]
pub(crate) use lanner_simd::backend::{HAS_FIAT, HAS_PORTABLE_32};
use lanner_simd::stack::{Baseline, Overwrite};
use lanner_simd::{
    Adx, Avx2, Avx512Ifma, Bmi, Fma, FmaOperation, Ifma, IfmaOperation, Isa, Operation,
};

/// How many elements of the field the active backend computes with at once where that pays:
/// 1 for backends without vectors.
///
/// With 4, several decodings or key agreements share their work; with 8, equations of
/// signatures too.
#[must_use]
pub fn lanes() -> usize {
    kind(active()).map_or(1, |kind| if kind.wide { kind.lanes } else { 4 })
}

/// What is known of an engine before it is entered.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// How many elements its vectors hold.
    pub(crate) lanes: usize,
    /// Whether computing with one element alone is so fast that four lanes that wait for each
    /// other are not faster.
    pub(crate) fast_field: bool,
    /// Whether all lanes are one register, so that several elements cost little more than one.
    pub(crate) wide: bool,
    /// Whether the coordinates of one point, and shares of one sum, are better computed in lanes.
    #[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
    pub(crate) shares: bool,
}

const EIGHT: Kind = Kind {
    lanes: 8,
    fast_field: true,
    wide: true,
    shares: true,
};
/// Lanes of doubles: a product of four elements takes little longer than one of single elements.
const DOUBLES: Kind = Kind {
    lanes: 4,
    fast_field: false,
    wide: false,
    shares: true,
};
/// WebAssembly multiplies single words fast.
const FOUR: Kind = Kind {
    lanes: 4,
    fast_field: !cfg!(target_arch = "x86"),
    wide: false,
    shares: true,
};
/// Four lanes of NEON, and four single elements at the same time: eight are as fast as the units of the processor are
/// together, and what waits for itself is left to single elements.
const MIXED: Kind = Kind {
    lanes: 8,
    fast_field: true,
    wide: false,
    shares: false,
};

/// The kind of a backend's engine, for the backends that have one.
#[inline(always)]
fn kind(backend: Backend) -> Option<Kind> {
    match backend {
        Backend::Avx512 => Some(EIGHT),
        Backend::Avx2 => Some(DOUBLES),
        Backend::Sse2 if cfg!(target_arch = "x86") => Some(FOUR),
        Backend::Simd128 => Some(FOUR),
        Backend::Neon => Some(MIXED),
        _ => None,
    }
}

/// Evaluates an expression with `$field` as the active backend's representation.
///
/// Beside the lanes below, the only place that names representations outside `field`. The arm of a
/// backend with requirements on the processor is reached only while that backend
/// is active, and it becomes active only if `is_available` said so.
macro_rules! with_field {
    ($field:ident => $body:expr) => {
        $crate::backend::with_field!(assembly: true, mulx_alone: true, $field => $body)
    };
    (assembly: $assembly:literal, mulx_alone: $mulx_alone:literal, $field:ident => $body:expr) => {
        match $crate::backend::active() {
            #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
            $crate::backend::Backend::Adx
            | $crate::backend::Backend::Avx2
            | $crate::backend::Backend::Avx512
                if $assembly && lanner_simd::Adx::LEFT_IN && $crate::backend::has_adx() =>
            {
                type $field = $crate::field::adx::FieldAdx;
                $body
            }
            #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
            $crate::backend::Backend::Avx2
                if $mulx_alone && lanner_simd::Avx2::LEFT_IN && $crate::backend::has_bmi() =>
            {
                type $field = $crate::field::adx::FieldBmi;
                $body
            }
            #[cfg(all(target_arch = "aarch64", target_pointer_width = "64", not(miri)))]
            $crate::backend::Backend::Neon if $assembly && $crate::backend::has_baseline() => {
                type $field = $crate::field::arm::FieldArm;
                $body
            }
            // Beside vectors of 128 bits, of which the curve has no use on x86-64, too; beside those of
            // processors that have AVX2 without BMI2, if there are any; and where assembly is not asked for.
            #[cfg(target_pointer_width = "64")]
            $crate::backend::Backend::Portable64
            | $crate::backend::Backend::Adx
            | $crate::backend::Backend::Avx512
            | $crate::backend::Backend::Avx2
            | $crate::backend::Backend::Sse2
            | $crate::backend::Backend::Neon => {
                type $field = $crate::field::radix51::Field51;
                $body
            }
            #[cfg(target_pointer_width = "64")]
            $crate::backend::Backend::Fiat64 if $crate::backend::HAS_FIAT => {
                type $field = $crate::field::fiat::FiatField51;
                $body
            }
            $crate::backend::Backend::Fiat32 if $crate::backend::HAS_FIAT => {
                type $field = $crate::field::fiat::FiatField25;
                $body
            }
            #[cfg(target_family = "wasm")]
            _ => {
                type $field = $crate::field::radix29::Field29;
                $body
            }
            // Never active there: the same once more, so that there is nothing else in the build.
            #[cfg(all(target_pointer_width = "64", not(target_family = "wasm")))]
            _ if !$crate::backend::HAS_PORTABLE_32 => {
                type $field = $crate::field::radix51::Field51;
                $body
            }
            #[cfg(not(target_family = "wasm"))]
            _ => {
                type $field = $crate::field::radix25::Field25;
                $body
            }
        }
    };
}
pub(crate) use with_field;

/// [`with_field!`] for what vectors of doubles do wherever they are: beside them it is left to threads that round otherwise, for
/// which a representation of its own would be too much code.
macro_rules! with_field_beside_lanes {
    ($field:ident => $body:expr) => {
        $crate::backend::with_field!(assembly: true, mulx_alone: false, $field => $body)
    };
}
pub(crate) use with_field_beside_lanes;

/// [`with_field!`] for what is hardly ever done, or takes hardly any time: portable representations alone, so that a program has
/// less of it. A backend that was chosen for its representation, such as the verified one, keeps it here as well.
macro_rules! with_portable_field {
    ($field:ident => $body:expr) => {
        $crate::backend::with_field!(assembly: false, mulx_alone: false, $field => $body)
    };
}
pub(crate) use with_portable_field;

/// Whether the processor has what [`FieldAdx`](crate::field::adx::FieldAdx) needs, and the backend is left in.
#[cfg_attr(
    not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))),
    allow(dead_code)
)]
#[inline(always)]
pub(crate) fn has_adx() -> bool {
    Adx::detect().is_some()
}

/// Whether the processor has `mulx`, which [`FieldBmi`](crate::field::adx::FieldBmi) needs.
#[cfg_attr(
    not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))),
    allow(dead_code)
)]
#[inline(always)]
pub(crate) fn has_bmi() -> bool {
    Bmi::detect().is_some()
}

/// An operation that can be done in lanes.
pub(crate) trait InLanes {
    type Output;

    /// Whether single elements are computed with beside lanes of doubles: it is worth another engine then, whose
    /// field is the processor's fastest.
    const FIELD_BESIDE_DOUBLES: bool = false;

    /// Whether that is faster with lanes of this kind than without any.
    fn pays(_kind: Kind) -> bool {
        true
    }

    /// Does it; to be implemented with `#[inline(always)]`, and all that it calls too.
    fn run<E: Engine>(self) -> Self::Output;

    /// Overwrites the stack that `run` used, for operations on secrets; to be implemented with
    /// `#[inline(always)]`.
    fn overwrite_stack(_kind: Kind, _with: impl Overwrite) {}
}

/// Does an operation in the lanes of the active backend; gives it back if that has none or
/// does better without.
#[inline(always)]
pub(crate) fn in_lanes<O: InLanes>(operation: O) -> Result<O::Output, O> {
    // The witnesses of other targets have no values, and what would run with them is not compiled.
    match active() {
        Backend::Avx512 if O::pays(EIGHT) => {
            let Some(cpu) = Avx512Ifma::detect() else {
                return Err(operation);
            };
            let output = cpu.enter_ifma(With51(operation));
            O::overwrite_stack(EIGHT, cpu);
            Ok(output)
        }
        Backend::Avx2 if O::pays(DOUBLES) => {
            let Some(cpu) = Avx2::detect().filter(|cpu| cpu.rounds_to_nearest()) else {
                return Err(operation);
            };
            let output = if O::FIELD_BESIDE_DOUBLES && has_adx() {
                cpu.enter_fma(WithDouble51AndField(operation))
            } else {
                cpu.enter_fma(WithDouble51(operation))
            };
            O::overwrite_stack(DOUBLES, cpu);
            Ok(output)
        }
        Backend::Sse2 if cfg!(target_arch = "x86") && has_baseline() && O::pays(FOUR) => {
            let output = lanner_simd::baseline(With25(operation));
            O::overwrite_stack(FOUR, Baseline);
            Ok(output)
        }
        Backend::Simd128 if cfg!(target_family = "wasm") && has_baseline() && O::pays(FOUR) => {
            let output = lanner_simd::baseline(With13(operation));
            O::overwrite_stack(FOUR, Baseline);
            Ok(output)
        }
        Backend::Neon if cfg!(target_arch = "aarch64") && has_baseline() && O::pays(MIXED) => {
            let output = lanner_simd::baseline(WithNeon(operation));
            O::overwrite_stack(MIXED, Baseline);
            Ok(output)
        }
        _ => Err(operation),
    }
}

/// An operation in lanes of 51-bit limbs.
struct With51<O>(O);

impl<O: InLanes> IfmaOperation for With51<O> {
    type Output = O::Output;

    #[inline(always)]
    fn run<I: Ifma>(self) -> O::Output {
        self.0.run::<Radix51<I, Beside>>()
    }
}

/// An operation in lanes of 51-bit limbs in doubles.
struct WithDouble51<O>(O);

impl<O: InLanes> FmaOperation for WithDouble51<O> {
    type Output = O::Output;

    #[inline(always)]
    fn run<I: Fma>(self) -> O::Output {
        self.0.run::<Double51<I, BesideDoubles>>()
    }
}

/// The same on processors that have what [`Beside`] asks for.
struct WithDouble51AndField<O>(O);

impl<O: InLanes> FmaOperation for WithDouble51AndField<O> {
    type Output = O::Output;

    #[inline(always)]
    fn run<I: Fma>(self) -> O::Output {
        self.0.run::<Double51<I, Beside>>()
    }
}

/// An operation in lanes of 25.5-bit limbs, each in 64 bits.
struct With25<O>(O);

impl<O: InLanes> Operation for With25<O> {
    type Output = O::Output;

    #[inline(always)]
    fn run<I: Isa>(self) -> O::Output {
        self.0.run::<Radix25<I, Beside>>()
    }
}

/// An operation in lanes of 13-bit limbs, two in 32 bits.
struct With13<O>(O);

impl<O: InLanes> Operation for With13<O> {
    type Output = O::Output;

    #[inline(always)]
    fn run<I: Isa>(self) -> O::Output {
        self.0.run::<Words13<I, Beside>>()
    }
}

/// An operation in such lanes and single elements at once.
struct WithNeon<O>(O);

impl<O: InLanes> Operation for WithNeon<O> {
    type Output = O::Output;

    #[inline(always)]
    fn run<I: Isa>(self) -> O::Output {
        self.0.run::<Mixed25<I, BesideNeon>>()
    }
}
