//! Values of IEEE-754 binary64.

use core::ops::{Add, Mul, Neg, Sub};

use super::U64;
use crate::Task;

/// Values side by side.
///
/// The operators, [`div`](Self::div) and [`sqrt`](Self::sqrt) round each lane by itself to nearest, ties to even, and no two of
/// them are contracted into one.
pub trait F64:
    Copy + 'static + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The value of a lane: `f64`, in the vectors of an instruction set.
    type Real: Copy + 'static;
    /// `LANES` values at rest. A run of them has its bounds checked once, and not at each load.
    type Pack: Copy + 'static;
    /// Half as many lanes, or one.
    type Half: F64<Real = Self::Real>;
    /// As many words.
    type Words: U64;

    /// How many.
    const LANES: usize;

    /// Runs a task in a function of its own, compiled for the vectors: as [`Isa::outline`](crate::Isa::outline).
    fn outline<T: Task>(task: T) -> T::Output;

    /// A run of values as packs; its length is a multiple of `LANES`.
    fn packs(values: &[Self::Real]) -> &[Self::Pack];
    /// As [`packs`](Self::packs), to be written.
    fn packs_mut(values: &mut [Self::Real]) -> &mut [Self::Pack];
    /// The values of a pack.
    fn load(pack: &Self::Pack) -> Self;
    /// Writes the values to a pack.
    fn store(self, pack: &mut Self::Pack);
    /// One value in every lane.
    fn splat(value: Self::Real) -> Self;

    /// The quotient.
    fn div(self, divisor: Self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The largest integer not above a value, for |x| < 2^51.
    #[inline(always)]
    fn round_down(self) -> Self {
        let bits = |bits: u64| Self::from_words(Self::Words::splat(bits));
        // 1.5 * 2^52: sums with it are integers, those that are nearest.
        let rounder = bits(0x4338_0000_0000_0000);
        let nearest = (self + rounder) - rounder;
        // Exact, and above zero where the nearest integer is above the value. It is never -0.
        let excess = (nearest - self).to_words();
        let zero = Self::Words::splat(0);
        let above = zero.sub(zero.sub(excess).shr::<63>());
        // 1 there.
        nearest - Self::from_words(above.and(Self::Words::splat(1023 << 52)))
    }

    /// Of the 2 `LANES` values of (a, b), seen as groups of `D` values (1 or 2, and below `LANES`): the
    /// groups with even numbers, and those with odd ones. A single lane has a and b.
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self);
    /// The inverse of [`unzip`](Self::unzip).
    fn zip<const D: usize>(even: Self, odd: Self) -> (Self, Self);
    /// The first `LANES` / `D` values of a slice, each `D` times, with `D` as for [`unzip`](Self::unzip).
    fn load_repeated<const D: usize>(values: &[Self::Real]) -> Self;
    /// Two values in turn; lane 0 has the value number `first` (modulo 2), which is even where there are several lanes.
    fn alternate(values: [Self::Real; 2], first: usize) -> Self;

    /// The encodings of the values.
    fn to_words(self) -> Self::Words;
    /// The values with these encodings.
    fn from_words(words: Self::Words) -> Self;
}
