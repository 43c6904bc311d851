//! Masks: how a secret bit becomes a choice without becoming a branch.
//!
//! An optimiser that knows that a word is all ones or zero may turn `x & mask` into a conditional
//! move, and that into a branch, as soon as it stands in a loop (RUSTSEC-2024-0344). So whatever
//! is chosen by a secret goes through [`Mask`], which hides from the optimiser that a mask has two values
//! only. FN-DSA builds masks in no other way, nor do the curve's selections of single elements: `cargo xtask layers`
//! looks for those who do. The curve's lanes and ladders select by masks of their vectors.
//!
//! The barrier is an empty piece of assembly: the compiler must assume that any word may come out of it. It costs
//! no instruction. Where there is no assembly (WebAssembly, Miri, and processors that are not in the
//! list below) it is [`core::hint::black_box`], which promises nothing. On WebAssembly nothing can be promised,
//! because the engine compiles the module once more.
#![allow(unsafe_code)]

use core::ops::{BitAnd, BitOr, BitXor, Not};

/// The words that masks are made of: `u32`, `i32`, `u64` and `i64`.
pub trait Word:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + sealed::Word
{
}

mod sealed {
    /// What a mask needs of a word.
    pub trait Word: Sized {
        /// All bits equal to the highest one, without a barrier.
        fn spread(self) -> Self;
        /// The lowest bit as the highest one.
        fn lowest_on_top(self) -> Self;
        /// The highest bit set exactly if the word is not zero.
        fn any_on_top(self) -> Self;
        fn minus(self, other: Self) -> Self;
        /// A mask, hidden.
        fn hidden(self) -> Self;
        /// As [`spread`](Self::spread) with an amount of the shift that is hidden.
        fn spread_by_hidden(self) -> Self;
        fn any(self) -> bool;
    }
}

macro_rules! word {
    ($word:ident, $signed:ident, $bits:literal) => {
        impl Word for $word {}

        impl sealed::Word for $word {
            #[inline(always)]
            fn spread(self) -> Self {
                (self as $signed >> ($bits - 1)) as $word
            }
            #[inline(always)]
            fn lowest_on_top(self) -> Self {
                self << ($bits - 1)
            }
            #[inline(always)]
            fn any_on_top(self) -> Self {
                self | self.wrapping_neg()
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn hidden(self) -> Self {
                hidden::$word(self)
            }
            #[inline(always)]
            fn spread_by_hidden(self) -> Self {
                // Where the barrier is one through memory, vector code could not stand it.
                let amount = if cfg!(target_family = "wasm") {
                    $bits - 1
                } else {
                    hidden::u32($bits - 1)
                };
                (self as $signed).wrapping_shr(amount) as $word
            }
            #[inline(always)]
            fn any(self) -> bool {
                self != 0
            }
        }
    };
}

word!(u32, i32, 32);
word!(i32, i32, 32);
word!(u64, i64, 64);
word!(i64, i64, 64);

/// Words of which the optimiser does not know that they are masks.
mod hidden {
    /// Defines the barrier of a word, for its formats in a template of assembly.
    ///
    /// `pure`: where nothing depends on it, it vanishes, and of one that stays the same in a loop the
    /// loop has one. That leaves vector code what it is.
    #[allow(unused_macros)]
    macro_rules! barrier {
        ($word:ident, $template:literal) => {
            #[inline(always)]
            pub(super) fn $word(mut word: $word) -> $word {
                // SAFETY: no instruction at all.
                unsafe {
                    core::arch::asm!(
                        $template,
                        word = inout(reg) word,
                        options(pure, nomem, nostack, preserves_flags)
                    );
                }
                word
            }
        };
    }

    #[cfg(all(not(miri), any(target_arch = "aarch64", target_arch = "arm64ec")))]
    barrier!(u32, "/* {word:w} */");
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    barrier!(u32, "/* {word:e} */");
    #[cfg(all(
        not(miri),
        any(
            target_arch = "x86",
            target_arch = "arm",
            target_arch = "riscv32",
            target_arch = "riscv64",
            target_arch = "loongarch64",
            target_arch = "s390x"
        )
    ))]
    barrier!(u32, "/* {word} */");
    #[cfg(all(
        not(miri),
        any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            target_arch = "arm64ec",
            target_arch = "riscv64",
            target_arch = "loongarch64",
            target_arch = "s390x"
        )
    ))]
    barrier!(u64, "/* {word} */");

    /// The halves of a mask are equal, and registers have 32 bits.
    #[cfg(all(
        not(miri),
        any(target_arch = "x86", target_arch = "arm", target_arch = "riscv32")
    ))]
    #[inline(always)]
    pub(super) fn u64(mask: u64) -> u64 {
        let half = u64::from(u32((mask >> 32) as u32));
        half << 32 | half
    }

    #[cfg(any(
        miri,
        not(any(
            target_arch = "x86",
            target_arch = "x86_64",
            target_arch = "arm",
            target_arch = "aarch64",
            target_arch = "arm64ec",
            target_arch = "riscv32",
            target_arch = "riscv64",
            target_arch = "loongarch64",
            target_arch = "s390x"
        ))
    ))]
    pub(super) use core::hint::{black_box as u32, black_box as u64};

    #[inline(always)]
    pub(super) fn i32(mask: i32) -> i32 {
        u32(mask as u32) as i32
    }

    #[inline(always)]
    pub(super) fn i64(mask: i64) -> i64 {
        u64(mask as u64) as i64
    }
}

/// All ones ("set") or zero, and the optimiser does not know that it is one of these.
///
/// Nothing here branches, or takes a time that depends on a value.
///
/// ```
/// use lanner_simd::Mask;
///
/// let negative = Mask::of_sign(-5_i64);
/// assert_eq!(negative.select(1, 2), 2);
/// assert_eq!(negative.negate(-5), 5);
/// assert_eq!((!negative).keep(7), 0);
/// ```
#[derive(Clone, Copy)]
pub struct Mask<W>(W);

impl<W: Word> Mask<W> {
    /// Set exactly if the highest bit is: for signed numbers, if x < 0.
    #[inline(always)]
    pub fn of_sign(x: W) -> Self {
        Self(x.spread().hidden())
    }

    /// As [`of_sign`](Self::of_sign), for loops that the compiler is to turn into vector code, which a hidden word
    /// for each element would prevent: what is hidden is the amount of a shift, the same for all.
    /// (On WebAssembly nothing is.)
    #[inline(always)]
    pub fn of_sign_in_lanes(x: W) -> Self {
        Self(x.spread_by_hidden())
    }

    /// Set exactly if the lowest bit is.
    #[inline(always)]
    pub fn of_bit(x: W) -> Self {
        Self::of_sign(x.lowest_on_top())
    }

    /// Set exactly if x is not zero.
    #[inline(always)]
    pub fn of_nonzero(x: W) -> Self {
        Self::of_sign(x.any_on_top())
    }

    /// Set exactly if x is zero.
    #[inline(always)]
    pub fn of_zero(x: W) -> Self {
        !Self::of_nonzero(x)
    }

    /// Set exactly if a = b.
    #[inline(always)]
    pub fn of_equal(a: W, b: W) -> Self {
        Self::of_zero(a ^ b)
    }

    /// Set exactly if a < b, where the difference fits a signed word: so for unsigned numbers, both without the
    /// highest bit.
    #[inline(always)]
    pub fn of_less(a: W, b: W) -> Self {
        Self::of_sign(a.minus(b))
    }

    /// `x` where set, else 0.
    #[inline(always)]
    pub fn keep(self, x: W) -> W {
        self.0 & x
    }

    /// `new` where set, else `old`.
    #[inline(always)]
    pub fn select(self, old: W, new: W) -> W {
        old ^ (self.0 & (old ^ new))
    }

    /// -x where set, else x.
    #[inline(always)]
    pub fn negate(self, x: W) -> W {
        (x ^ self.0).minus(self.0)
    }

    /// The word: all ones, or zero.
    #[inline(always)]
    pub fn word(self) -> W {
        self.0
    }

    /// Whether it is set, for what may be known.
    #[inline(always)]
    pub fn declassify(self) -> bool {
        self.0.any()
    }
}

impl<W: Word> Not for Mask<W> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl<W: Word> BitAnd for Mask<W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl<W: Word> BitOr for Mask<W> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl<W: Word> BitXor for Mask<W> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Mask<u64> {
    /// The same of half a word.
    #[inline(always)]
    #[must_use]
    pub fn narrow(self) -> Mask<u32> {
        Mask(self.0 as u32)
    }
}

impl Mask<u32> {
    /// The same of a word of twice the length.
    #[inline(always)]
    #[must_use]
    pub fn widen(self) -> Mask<u64> {
        Mask(u64::from(self.0) << 32 | u64::from(self.0))
    }
}

/// The highest bit of a word, as 0 or 1: the borrow of a difference of numbers without it.
#[inline(always)]
#[must_use]
pub const fn top_bit_u32(x: u32) -> u32 {
    x >> 31
}

/// As [`top_bit_u32`].
#[inline(always)]
#[must_use]
pub const fn top_bit(x: u64) -> u64 {
    x >> 63
}

/// `x << count` for a secret count below 64, in constant time.
///
/// 32-bit processors have no such shift, and the compiler calls a function, which branches on the count.
#[inline(always)]
#[must_use]
pub fn shift_left(x: u64, count: u32) -> u64 {
    if NATIVE_SHIFTS {
        x.wrapping_shl(count)
    } else {
        left_in_halves(x, count)
    }
}

/// `x >> count` for a secret count below 64, in constant time. See [`shift_left`].
#[inline(always)]
#[must_use]
pub fn shift_right(x: u64, count: u32) -> u64 {
    if NATIVE_SHIFTS {
        x.wrapping_shr(count)
    } else {
        right_in_halves(x, count)
    }
}

/// Whether the processor shifts words of 64 bits by an amount in a register. WebAssembly does.
const NATIVE_SHIFTS: bool = cfg!(any(target_pointer_width = "64", target_arch = "wasm32"));

#[inline(always)]
fn left_in_halves(x: u64, count: u32) -> u64 {
    let (low, high) = (x as u32, (x >> 32) as u32);
    let shifted = low.wrapping_shl(count);
    // By 32 less the count: in two steps, for a count of 0.
    let carried = (low >> 1).wrapping_shr(!count);
    let far = Mask::<u32>::of_bit(count >> 5);
    let high = far.select(high.wrapping_shl(count) | carried, shifted);
    u64::from(high) << 32 | u64::from((!far).keep(shifted))
}

#[inline(always)]
fn right_in_halves(x: u64, count: u32) -> u64 {
    let (low, high) = (x as u32, (x >> 32) as u32);
    let shifted = high.wrapping_shr(count);
    let carried = (high << 1).wrapping_shl(!count);
    let far = Mask::<u32>::of_bit(count >> 5);
    let low = far.select(low.wrapping_shr(count) | carried, shifted);
    u64::from((!far).keep(shifted)) << 32 | u64::from(low)
}

#[cfg(test)]
mod tests {
    use super::{Mask, shift_left, shift_right, top_bit, top_bit_u32};

    const EDGES: [u64; 12] = [
        0,
        1,
        2,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        1 << 32,
        0x7fff_ffff_ffff_ffff,
        1 << 63,
        u64::MAX,
        0x0123_4567_89ab_cdef,
        0xfedc_ba98_7654_3210,
    ];

    #[test]
    fn masks_say_what_they_are_named_for() {
        for x in EDGES {
            let (small, signed) = (x as u32, x as i64);
            assert_eq!(Mask::of_sign(signed).declassify(), signed < 0);
            assert_eq!(Mask::of_sign(small as i32).declassify(), (small as i32) < 0);
            assert_eq!(Mask::of_sign(x).word(), Mask::of_sign_in_lanes(x).word());
            assert_eq!(
                Mask::of_sign(small).word(),
                Mask::of_sign_in_lanes(small).word()
            );
            assert_eq!(Mask::of_bit(x).declassify(), x & 1 == 1);
            assert_eq!(Mask::of_zero(x).declassify(), x == 0);
            assert_eq!(Mask::of_nonzero(small).declassify(), small != 0);
            assert_eq!(Mask::of_sign(signed).negate(signed), signed.wrapping_abs());
            assert_eq!(u32::from(x >> 63 == 1), top_bit(x) as u32);
            assert_eq!(u32::from(small >> 31 == 1), top_bit_u32(small));
            for y in EDGES {
                assert_eq!(Mask::of_equal(x, y).declassify(), x == y);
                let (a, b) = (x >> 1, y >> 1);
                let less = Mask::of_less(a, b);
                assert_eq!(less.declassify(), a < b);
                assert_eq!(less.select(x, y), if a < b { y } else { x });
                assert_eq!(less.keep(x), if a < b { x } else { 0 });
                assert_eq!((!less).narrow().word(), if a < b { 0 } else { u32::MAX });
                assert_eq!(less.narrow().widen().word(), less.word());
            }
        }
    }

    #[test]
    fn shifts_are_shifts() {
        for x in EDGES {
            for count in 0..64 {
                assert_eq!(shift_left(x, count), x << count);
                assert_eq!(shift_right(x, count), x >> count);
                assert_eq!(super::left_in_halves(x, count), x << count);
                assert_eq!(super::right_in_halves(x, count), x >> count);
            }
        }
    }
}
