//! Lanes: several residues, or several fixed-point numbers, side by side.
//!
//! Every transform of key generation is written once, generic over these traits. A [`Machine`] says
//! which lanes there are and how to enter code that is compiled for them; [`Portable`] has one lane and
//! exists everywhere.

#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    not(feature = "no_avx2")
))]
#[allow(unsafe_code)] // intrinsics
pub(crate) mod avx2;
pub(crate) mod portable;

pub(crate) use portable::Portable;

/// Moving elements between lanes, for the last steps of a transform, where the two halves of a
/// butterfly lie within one vector.
///
/// Two vectors are taken as 2N consecutive elements, in blocks of 2t, where t < N is a power of two.
pub(crate) trait Shuffle: Copy {
    /// What a lane holds in memory.
    type Element: Copy;
    /// How many lanes, a power of two.
    const N: usize;

    fn splat(x: Self::Element) -> Self;
    /// The first N elements of a slice that has at least so many.
    fn load(from: &[Self::Element]) -> Self;
    fn store(self, to: &mut [Self::Element]);
    /// The first halves of the blocks, in order, and the second halves, in order.
    fn unzip(a: Self, b: Self, t: usize) -> (Self, Self);
    /// The inverse of `unzip`.
    fn zip(first: Self, second: Self, t: usize) -> (Self, Self);
    /// The first N/t elements of a slice, each t times.
    fn spread(from: &[Self::Element], t: usize) -> Self;
}

/// A modulus p, odd and below 2^31, as lanes want it.
#[derive(Clone, Copy)]
pub(crate) struct Modulus<W> {
    pub(crate) p: W,
    /// 1/p mod 2^32.
    pub(crate) inverse: W,
}

/// Residues modulo p, each in [0, p).
pub(crate) trait Words: Shuffle<Element = u32> {
    fn add_mod(self, other: Self, p: Self) -> Self;
    fn sub_mod(self, other: Self, p: Self) -> Self;
    /// self * other / 2^32 mod p. One of the two factors may be any 32-bit number.
    fn mont_mul(self, other: Self, modulus: &Modulus<Self>) -> Self;
    /// A number in (-p, p), in two's complement, to its residue.
    fn residue(self, p: Self) -> Self;
    /// A residue to the number in (-p/2, p/2), in two's complement.
    fn centred(self, p: Self) -> Self;
}

/// Fixed-point numbers of 32 integral and 32 fractional bits in two's complement, wrapping.
pub(crate) trait Fixed: Shuffle<Element = i64> {
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    /// The product, rounded down.
    fn mul(self, other: Self) -> Self;
    /// Half, rounded up.
    fn half(self) -> Self;
    /// The quotient, rounded to nearest, halves away from zero.
    fn div(self, other: Self) -> Self;
    /// The product with 2^bits.
    fn shift_left(self, bits: u32) -> Self;
    fn neg(self) -> Self;
}

/// Where the lanes come from.
pub(crate) trait Machine: Copy {
    type Words: Words;
    type Fixed: Fixed;
    /// Calls a function inside one that is compiled for the lanes. What it calls must be
    /// `#[inline(always)]` all the way down.
    fn run<R>(self, task: impl FnOnce() -> R) -> R;
}
