//! What computes with vectors: one trait for each kind of lane.
//!
//! Arithmetic is written over these traits. Values of the vectors here exist only where the processor has the
//! instructions; but any other type may implement the traits as well, for example one that follows the bounds of
//! integers instead of their values.

mod f64;
mod i16;
mod i64;
mod pairs;
mod rows;
mod u32;
mod u32x4;
mod u64;

pub use self::f64::F64;
pub use self::i16::I16;
pub use self::i64::I64;
#[cfg(not(target_pointer_width = "64"))]
pub(crate) use self::i64::mul_in_halves;
pub use self::pairs::{Pairs, PlainPairs, splat_pairs};
pub use self::rows::Rows;
pub use self::u32::{U32, difference_of_halves};
pub use self::u32x4::{PlainU32x4, U32x4, splat_u32x4};
pub use self::u64::{Each, Groups, MulAdd52, MulAddF64, Parts, Plain, U64, order, splat};

/// Functions of two vectors that are one intrinsic.
#[allow(unused_macros)]
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident: $intrinsic:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            // SAFETY: the type is reached only where the processor has the instructions (`Isa`).
            Self(unsafe { $intrinsic(self.0, other.0) })
        }
    )*};
}
#[allow(unused_imports)]
pub(crate) use binary;
