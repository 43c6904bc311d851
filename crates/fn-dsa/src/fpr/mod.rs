//! The floating-point contract of signing.
//!
//! Signing computes with IEEE-754 binary64: addition, subtraction, multiplication, division and
//! square root, each rounded to nearest with ties to even, and no two of them contracted into one.
//! `docs/floating-point.md` says why that suffices, what is secret, and whose timing is relied on.
//!
//! [`Real`] is one such value: the processor's own `f64` where the target keeps the contract, and
//! `Emulated`, the same operations in integers, elsewhere. [`Lanes`] is one or several values side
//! by side; the formulas of the transform and of the sampler are written once, generic over it,
//! and give the same bits whatever the width.

use core::ops::{Add, Mul, Neg, Sub};

use lanner_simd::mask::{shift_right, top_bit};
use lanner_simd::{Mask, Task};

// Compiled everywhere, so that every machine checks and tests them.
#[allow(dead_code)]
pub(crate) mod emulated;
#[allow(dead_code)]
mod root;

// The targets whose `f64` keeps the contract, here and once more below.
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "x86", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "riscv64", target_feature = "d"),
    target_arch = "wasm32",
))]
#[path = "native.rs"]
mod target;
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "x86", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "riscv64", target_feature = "d"),
    target_arch = "wasm32",
)))]
#[path = "software.rs"]
mod target;
pub(crate) use target::Fpr;

// Two lanes that the target has, or else one; and more lanes behind a witness.
#[cfg(all(
    any(target_arch = "x86_64", target_arch = "x86"),
    target_feature = "sse2"
))]
#[cfg_attr(feature = "no_avx2", allow(dead_code))]
pub(crate) mod x86;
#[cfg(all(
    any(target_arch = "x86_64", target_arch = "x86"),
    target_feature = "sse2"
))]
pub(crate) use x86::F64x2 as Widest;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
mod neon;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
pub(crate) use neon::F64x2 as Widest;
#[cfg(all(
    target_arch = "wasm32",
    any(target_feature = "simd128", feature = "simd128")
))]
mod wasm;
#[cfg(not(any(
    all(
        any(target_arch = "x86_64", target_arch = "x86"),
        target_feature = "sse2"
    ),
    all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    ),
    all(
        target_arch = "wasm32",
        any(target_feature = "simd128", feature = "simd128")
    ),
)))]
pub(crate) use target::Fpr as Widest;
#[cfg(all(
    target_arch = "wasm32",
    any(target_feature = "simd128", feature = "simd128")
))]
pub(crate) use wasm::F64x2 as Widest;

#[cfg(test)]
pub(crate) mod tests;

/// 1.5 * 2^52: added to a value below 2^51 in magnitude it leaves the nearest integer (ties to even)
/// in the low bits of the sum, because the sum lies where doubles are 1 apart.
pub(crate) const ROUNDER: u64 = 0x4338_0000_0000_0000;

/// One value of IEEE-754 binary64.
///
/// The arguments of the conversions stay within the stated bounds for every key that comes out of
/// key generation; outside of them the results are some integers, and never undefined behaviour.
pub(crate) trait Real: Lanes<Real = Self, Pack = Self, Witness = ()> + 'static {
    /// Real and imaginary parts of the roots of the transform (`fft::twiddles`).
    const ROOTS: &'static ([Self; 512], [Self; 512]);

    /// 0.
    const ZERO: Self;

    /// The value with this encoding.
    fn from_bits(bits: u64) -> Self;

    /// The encoding of the value.
    fn to_bits(self) -> u64;

    /// The value of an integer: exact.
    fn from_i32(value: i32) -> Self;

    /// The integer nearest to a value, ties to even; for |x| < 2^31.
    #[inline(always)]
    fn round(self) -> i32 {
        (self + Self::from_bits(ROUNDER)).to_bits() as u32 as i32
    }

    /// The largest integer not above a value, and the value less that integer, in [0, 1) (or 1, where
    /// the difference of a tiny negative value from -1 rounds to it); for |x| < 2^31.
    #[inline(always)]
    fn floor_and_rest(self) -> (i32, Self) {
        let rounded = self + Self::from_bits(ROUNDER);
        let nearest = rounded - Self::from_bits(ROUNDER);
        // Exact, in [-1/2, 1/2], and above zero where the nearest integer is above the value. It is never
        // -0, so that the sign of the negated encoding tells.
        let excess = nearest - self;
        let above = Mask::of_sign(0_u64.wrapping_sub(excess.to_bits()));
        let floor = (rounded.to_bits() as u32).wrapping_add(above.narrow().word()) as i32;
        let one_if_above = Self::from_bits(above.keep(1023 << 52));
        (floor, one_if_above - excess)
    }

    /// The largest integer not above x; for |x| < 2^31.
    #[inline(always)]
    fn floor(self) -> i32 {
        self.floor_and_rest().0
    }

    /// floor(x * 2^63), for 0 <= x <= 1.
    #[inline(always)]
    fn to_fixed63(self) -> u64 {
        let bits = self.to_bits();
        let exponent = (bits >> 52) as u32 & 0x7ff;
        let significand = (1 << 63) | (bits << 11);
        // x = significand * 2^(exponent - 1086); below 2^-63 the answer is 0.
        let shift = 1023_u32.wrapping_sub(exponent);
        let in_range = Mask::of_less(u64::from(shift), 64);
        in_range.keep(shift_right(significand, shift & 63))
    }
}

/// One or several values side by side.
///
/// The operators round as the contract says, in each lane by itself. `enter` runs code where
/// the instructions of the lanes are enabled: whatever computes with lanes is reached through
/// it, and inlined into it.
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The value in a lane.
    type Real: Real;
    /// `WIDTH` values at rest.
    type Pack: Copy;
    /// Proof that the processor has the instructions.
    type Witness: Copy;
    /// Half as many lanes, or one.
    type Half: Lanes<Real = Self::Real>;
    /// As many 64-bit words.
    type Words: Words;
    /// How many values.
    const WIDTH: usize;

    /// Runs a task in a function that is compiled for the instructions; `Task::run` and whatever it calls
    /// are `#[inline(always)]`, or enter again.
    fn enter<T: Task>(witness: Self::Witness, task: T) -> T::Output;

    /// Runs a task from code that was entered already: in a function of its own where that saves size and
    /// costs nothing, else in place.
    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }

    /// A run of values as packs; its length is a multiple of `WIDTH`.
    fn packs(values: &[Self::Real]) -> &[Self::Pack];
    /// A run of values as packs; its length is a multiple of `WIDTH`.
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

    /// Of the 2 * `WIDTH` values of (a, b), seen as groups of `D` values (1 or 2, and below `WIDTH`): the
    /// groups with even numbers, and those with odd ones.
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self);
    /// The inverse of `unzip`.
    fn zip<const D: usize>(even: Self, odd: Self) -> (Self, Self);
    /// The first `WIDTH / D` values of a slice, each `D` times.
    fn load_repeated<const D: usize>(values: &[Self::Real]) -> Self;

    /// Two values in turn; lane 0 has the value number `first` (modulo 2).
    fn alternate(values: [Self::Real; 2], first: usize) -> Self;

    /// The encodings of the values.
    fn to_words(self) -> Self::Words;
    /// The values with these encodings.
    fn from_words(words: Self::Words) -> Self;

    /// Half of each value.
    #[inline(always)]
    fn half(self) -> Self {
        self * Self::splat(Self::Real::from_bits(1022 << 52))
    }
}

/// As many 64-bit words as a [`Lanes`] has values.
pub(crate) trait Words: Copy {
    /// The words at the front of a slice, each of eight bytes, little-endian.
    fn from_bytes(bytes: &[u8]) -> Self;
    /// The same from four bytes each.
    fn from_u32_bytes(bytes: &[u8]) -> Self;
    /// Writes the words to the front of a slice.
    fn store(self, words: &mut [u64]);
    /// One word in every lane.
    fn splat(word: u64) -> Self;
    /// The sum modulo 2^64.
    fn add(self, other: Self) -> Self;
    /// The difference modulo 2^64.
    fn sub(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn shift_left<const N: i32>(self) -> Self;
    fn shift_right<const N: i32>(self) -> Self;
    /// Each word shifted right by a count of its own; by 64 or more, it becomes 0.
    fn shift_right_each(self, counts: Self) -> Self;
    /// All ones where a word is below the other, both being below 2^63; else 0.
    fn below(self, other: Self) -> Self;
    /// The highest bit of each word, the first lane's lowest.
    fn highest_bits(self) -> u32;
}

impl Words for u64 {
    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Self {
        u64::from_le_bytes(bytes.as_chunks().0[0])
    }
    #[inline(always)]
    fn from_u32_bytes(bytes: &[u8]) -> Self {
        u64::from(u32::from_le_bytes(bytes.as_chunks().0[0]))
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[0] = self;
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        word
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    #[inline(always)]
    fn shift_left<const N: i32>(self) -> Self {
        self << N
    }
    #[inline(always)]
    fn shift_right<const N: i32>(self) -> Self {
        self >> N
    }
    #[inline(always)]
    fn shift_right_each(self, counts: Self) -> Self {
        let near = Mask::of_less(counts, 64) & !Mask::of_sign(counts);
        near.keep(shift_right(self, counts as u32 & 63))
    }
    #[inline(always)]
    fn below(self, other: Self) -> Self {
        Mask::of_less(self, other).word()
    }
    #[inline(always)]
    fn highest_bits(self) -> u32 {
        top_bit(self) as u32
    }
}

/// Implements `Lanes` for a type of one value.
macro_rules! one_lane {
    ($name:ty) => {
        impl $crate::fpr::Lanes for $name {
            type Real = Self;
            type Pack = Self;
            type Witness = ();
            type Half = Self;
            type Words = u64;
            const WIDTH: usize = 1;

            #[inline(always)]
            fn enter<T: lanner_simd::Task>((): (), task: T) -> T::Output {
                task.run()
            }
            #[inline(always)]
            fn packs(values: &[Self]) -> &[Self] {
                values
            }
            #[inline(always)]
            fn packs_mut(values: &mut [Self]) -> &mut [Self] {
                values
            }
            #[inline(always)]
            fn load(pack: &Self) -> Self {
                *pack
            }
            #[inline(always)]
            fn store(self, pack: &mut Self) {
                *pack = self;
            }
            #[inline(always)]
            fn splat(value: Self) -> Self {
                value
            }
            #[inline(always)]
            fn div(self, divisor: Self) -> Self {
                self.quotient(divisor)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.square_root()
            }
            #[inline(always)]
            fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
                (a, b)
            }
            #[inline(always)]
            fn zip<const D: usize>(even: Self, odd: Self) -> (Self, Self) {
                (even, odd)
            }
            #[inline(always)]
            fn load_repeated<const D: usize>(values: &[Self]) -> Self {
                values[0]
            }
            #[inline(always)]
            fn alternate(values: [Self; 2], first: usize) -> Self {
                values[first & 1]
            }
            #[inline(always)]
            fn to_words(self) -> u64 {
                self.to_bits()
            }
            #[inline(always)]
            fn from_words(words: u64) -> Self {
                Self::from_bits(words)
            }
        }
    };
}
use one_lane;

/// Turns bit patterns into values.
macro_rules! values {
    ($bits:expr, $from_bits:path) => {{
        let mut values = [$from_bits(0); 512];
        let mut j = 0;
        while j < 512 {
            values[j] = $from_bits($bits[j]);
            j += 1;
        }
        values
    }};
}
use values;
