//! Instruction sets: one file each, with all of its vectors.

use crate::Task;
use crate::vector::{
    Each, F64, I16, I64, MulAdd52, MulAddF64, Pairs, Parts, Plain, PlainPairs, PlainU32x4, Rows,
    U32, U32x4, U64,
};

#[cfg(all(
    any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_feature = "sse2")
    ),
    not(miri)
))]
pub(crate) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub(crate) mod avx512;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    not(miri)
))]
mod neon;
mod pair;
mod portable;
pub(crate) mod scalar;
#[cfg(all(
    target_family = "wasm",
    any(feature = "simd128", target_feature = "simd128")
))]
mod simd128;
// Halves of the vectors of AVX2, too, where SSE2 is not the target's.
#[cfg(all(
    any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_feature = "sse2")
    ),
    not(miri)
))]
#[cfg_attr(not(target_feature = "sse2"), allow(dead_code))]
mod sse2;

pub use self::portable::Portable;
pub(crate) use self::portable::Portable128;

// The one place that says which vectors every processor of a target has.
#[cfg(not(any(
    all(
        any(
            all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            ),
            all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ),
        ),
        not(miri)
    ),
    all(
        target_family = "wasm",
        any(feature = "simd128", target_feature = "simd128")
    ),
)))]
use self::Portable as Baseline;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    not(miri)
))]
use self::neon::Neon as Baseline;
#[cfg(all(
    target_family = "wasm",
    any(feature = "simd128", target_feature = "simd128")
))]
use self::simd128::Simd128 as Baseline;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2",
    not(miri)
))]
use self::sse2::Sse2 as Baseline;

mod sealed {
    /// Only this crate says what an instruction set is.
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

/// An instruction set, and its vectors.
///
/// The types that implement it have no names outside this crate, but for [`Portable`]: see the crate's documentation. Their vectors are
/// values of plain data.
pub trait Isa: Sealed + Sized + 'static {
    /// The name, as in [`Backend::name`](crate::Backend::name).
    const NAME: &'static str;
    /// Whether bytes of code count more than calls: large pieces are functions of their own then.
    const COMPACT: bool = false;

    /// Words of 64 bits, as many as a register has: 1, 2, 4 or 8.
    type U64: U64 + Plain;
    /// Four words of 64 bits, in one register or in several.
    type U64x4: Parts + Plain;
    /// Four words of 32 bits with products of 64: of WebAssembly, elsewhere the twin.
    type U32x4: U32x4 + PlainU32x4;
    /// Four pairs of 16-bit integers: of WebAssembly, elsewhere the twin.
    type Pairs: Pairs + PlainPairs;
    /// Integers of 16 bits: as many as a register has, or one.
    type I16: I16;
    /// Words of 32 bits: as many as a register has, or one.
    type U32: U32;
    /// Words of 64 bits in two's complement: as many as a register has, or one.
    type I64: I64;
    /// Values of IEEE-754 binary64: as many as a register has, or one.
    type F64: F64<Real = f64>;

    /// Runs an operation on these vectors, in a function of its own, compiled for the instructions.
    #[inline(always)]
    fn enter<O: Operation>(operation: O) -> O::Output {
        Self::outline(On::<O, Self>::new(operation))
    }

    /// Runs a task in a function of its own, compiled for the instructions.
    fn outline<T: Task>(task: T) -> T::Output;
}

/// An instruction set with the 52-bit multiplication of AVX-512 IFMA, and its twin.
pub trait Ifma: Isa<U64x4: MulAdd52 + Plain> {
    /// Eight words of 64 bits.
    type U64x8: MulAdd52 + Each + Plain;
    /// Sixteen words of 32 bits in groups.
    type Rows: Rows;
}

/// An instruction set with multiplications and additions of doubles in one rounding.
pub trait Fma: Isa<U64x4: MulAddF64 + Plain> {}

/// Work on the vectors of some instruction set.
pub trait Operation: Sized {
    /// What the work gives.
    type Output;

    /// Does the work; to be implemented with `#[inline(always)]`, as is all that it calls.
    fn run<I: Isa>(self) -> Self::Output;
}

/// Work on vectors that have the 52-bit multiplication.
pub trait IfmaOperation: Sized {
    /// What the work gives.
    type Output;

    /// As [`Operation::run`].
    fn run<I: Ifma>(self) -> Self::Output;
}

/// Work on vectors that multiply and add doubles in one rounding.
pub trait FmaOperation: Sized {
    /// What the work gives.
    type Output;

    /// As [`Operation::run`].
    fn run<I: Fma>(self) -> Self::Output;
}

/// An operation on one instruction set, as a task.
pub(crate) struct On<O, I>(O, core::marker::PhantomData<I>);

impl<O, I> On<O, I> {
    #[inline(always)]
    pub(crate) fn new(operation: O) -> Self {
        Self(operation, core::marker::PhantomData)
    }
}

impl<O: Operation, I: Isa> Task for On<O, I> {
    type Output = O::Output;

    #[inline(always)]
    fn run(self) -> O::Output {
        self.0.run::<I>()
    }
}

/// An operation on vectors with the 52-bit multiplication, as a task.
pub(crate) struct OnIfma<O, I>(O, core::marker::PhantomData<I>);

impl<O, I> OnIfma<O, I> {
    #[inline(always)]
    pub(crate) fn new(operation: O) -> Self {
        Self(operation, core::marker::PhantomData)
    }
}

impl<O: IfmaOperation, I: Ifma> Task for OnIfma<O, I> {
    type Output = O::Output;

    #[inline(always)]
    fn run(self) -> O::Output {
        self.0.run::<I>()
    }
}

/// An operation on vectors that multiply and add doubles in one rounding, as a task.
#[cfg(all(
    any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_feature = "sse2")
    ),
    not(miri)
))]
pub(crate) struct OnFma<O, I>(O, core::marker::PhantomData<I>);

#[cfg(all(
    any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_feature = "sse2")
    ),
    not(miri)
))]
impl<O, I> OnFma<O, I> {
    #[inline(always)]
    pub(crate) fn new(operation: O) -> Self {
        Self(operation, core::marker::PhantomData)
    }
}

#[cfg(all(
    any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_feature = "sse2")
    ),
    not(miri)
))]
impl<O: FmaOperation, I: Fma> Task for OnFma<O, I> {
    type Output = O::Output;

    #[inline(always)]
    fn run(self) -> O::Output {
        self.0.run::<I>()
    }
}

/// Runs an operation on the vectors that every processor of the target has (SSE2, NEON, those of WebAssembly where
/// they are compiled in), or else as [`portable`] does. In a function of its own.
#[inline(always)]
pub fn baseline<O: Operation>(operation: O) -> O::Output {
    Baseline::outline(On::<O, Baseline>::new(operation))
}

/// Whether [`baseline`] has vectors.
pub(crate) const HAS_BASELINE: bool = <Baseline as Isa>::U64::LANES > 1;

/// Runs an operation on the twin of the vectors, in plain Rust, in a function of its own: lanes are elements of an
/// array, registers have one.
#[inline(always)]
pub fn portable<O: Operation>(operation: O) -> O::Output {
    Portable::outline(On::<O, Portable>::new(operation))
}

/// As [`portable`], for operations with the 52-bit multiplication: tests compare with it.
#[inline(always)]
pub fn portable_ifma<O: IfmaOperation>(operation: O) -> O::Output {
    Portable::outline(OnIfma::<O, Portable>::new(operation))
}

/// As [`portable`], in registers of 128 bits: the twin of SSE2, NEON and WebAssembly.
pub(crate) fn portable128<O: Operation>(operation: O) -> O::Output {
    Portable128::outline(On::<O, Portable128>::new(operation))
}

/// [`Parts`] of a vector that is one register.
macro_rules! whole {
    ($name:ty, $isa:ty) => {
        impl $crate::vector::Parts for $name {
            type Part = Self;
            const PARTS: usize = 1;

            #[inline(always)]
            fn part<const N: usize>(
                vectors: &[Self; N],
                _: usize,
            ) -> impl core::borrow::Borrow<[Self; N]> {
                vectors
            }

            #[inline(always)]
            fn set_part<const N: usize>(vectors: &mut [Self; N], _: usize, part: [Self; N]) {
                *vectors = part;
            }

            #[inline(always)]
            fn outline<T: $crate::Task>(task: T) -> T::Output {
                <$isa as $crate::Isa>::outline(task)
            }
        }
    };
}
use whole;
