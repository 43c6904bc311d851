//! NEON: registers of 128 bits. Part of the targets that this file is compiled for.
#![allow(unsafe_code)] // Intrinsics, and the barrier of `opaque`.

use core::arch::aarch64::*;
use core::arch::asm;
use core::ops::{Add, Mul, Neg, Sub};

use super::pair::{Half, Pair};
use crate::vector::{F64, Plain, PlainU32x4, U32x4, U64, binary};
use crate::{Isa, Task};

/// NEON.
pub(crate) struct Neon;

impl super::Sealed for Neon {}

impl Isa for Neon {
    const NAME: &'static str = "neon";
    type U64 = U64x2;
    type U32x4 = Words32;
    type Pairs = super::portable::Words32;
    type U64x4 = Pair<U64x2>;
    type I16 = super::portable::Single;
    type U32 = u32;
    type I64 = i64;
    type F64 = F64x2;

    #[inline(never)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

// ---------------------------------------------------------------- u64

/// Two words.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x2(uint64x2_t);

// SAFETY: a register is two words.
unsafe impl Plain for U64x2 {}

impl U64 for U64x2 {
    const LANES: usize = 2;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: the target has NEON; so in all of these.
        Self(unsafe { vdupq_n_u64(word) })
    }

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        let words: &[u64; 2] = words.first_chunk().expect("two words");
        // SAFETY: the array has 16 bytes.
        Self(unsafe { vld1q_u64(words.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words: &mut [u64; 2] = words.first_chunk_mut().expect("two words");
        // SAFETY: the array has 16 bytes.
        unsafe { vst1q_u64(words.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn load_le(bytes: &[u8]) -> Self {
        let bytes: &[u8; 16] = bytes.first_chunk().expect("two words");
        // SAFETY: the array has 16 bytes.
        Self(unsafe { vreinterpretq_u64_u8(vld1q_u8(bytes.as_ptr())) })
    }

    #[inline(always)]
    fn load_u32_le(bytes: &[u8]) -> Self {
        let bytes: &[u8; 8] = bytes.first_chunk().expect("two words");
        // SAFETY: the array has 8 bytes.
        Self(unsafe { vmovl_u32(vreinterpret_u32_u8(vld1_u8(bytes.as_ptr()))) })
    }

    #[inline(always)]
    fn load_blocks_be(blocks: &[&[u8; 128]]) -> [Self; 16] {
        let mut words = [Self::splat(0); 16];
        for (pair, words) in words.chunks_exact_mut(2).enumerate() {
            let a = load_swapped(blocks[0], pair);
            let b = load_swapped(blocks[1], pair);
            // SAFETY: as above.
            let (even, odd) = unsafe { (vtrn1q_u64(a, b), vtrn2q_u64(a, b)) };
            words.copy_from_slice(&[Self(even), Self(odd)]);
        }
        words
    }

    binary!(
        add: vaddq_u64,
        sub: vsubq_u64,
        and: vandq_u64,
        or: vorrq_u64,
        xor: veorq_u64,
    );

    // The compiler narrows each word once, and joins products with sums.
    #[inline(always)]
    fn mul_low32(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vmull_u32(vmovn_u64(self.0), vmovn_u64(other.0)) })
    }

    #[inline(always)]
    fn choose(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vbslq_u64(self.0, b.0, c.0) })
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self, _differences: &mut Self) -> Self {
        // Where the first two differ, the third decides.
        self.xor(b).choose(c, b)
    }

    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        self.xor(Self(unsafe { vbicq_u64(c.0, b.0) }))
    }

    // An immediate must not be 0 to the right, and is then of no use; the constant vector becomes the immediate.
    // To the right is a negative count.
    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vshlq_u64(self.0, vdupq_n_s64(BITS.into())) })
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vshlq_u64(self.0, vdupq_n_s64(-i64::from(BITS))) })
    }

    #[inline(always)]
    fn shl_by(self, bits: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { vshlq_u64(self.0, vdupq_n_s64(bits.into())) })
    }

    #[inline(always)]
    fn shr_by(self, bits: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { vshlq_u64(self.0, vdupq_n_s64(-i64::from(bits))) })
    }

    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        // The instruction reads eight bits of a count, so that a large one is made 64 first.
        // SAFETY: as above.
        unsafe {
            let near = vcltq_u64(counts.0, vdupq_n_u64(64));
            let counts = vbslq_u64(near, counts.0, vdupq_n_u64(64));
            Self(vshlq_u64(self.0, vnegq_s64(vreinterpretq_s64_u64(counts))))
        }
    }

    #[inline(always)]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self) -> Self {
        const { assert!(LEFT + RIGHT == 64) };
        // Shifts right, then shifts left into the bits that this left free.
        // SAFETY: as above.
        Self(unsafe { vsliq_n_u64::<LEFT>(vshrq_n_u64::<RIGHT>(self.0), self.0) })
    }

    #[inline(always)]
    fn sign(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vcltzq_s64(vreinterpretq_s64_u64(self.0)) })
    }

    #[inline(always)]
    fn below(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vcltq_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn opaque(mut self) -> Self {
        // SAFETY: no instruction.
        unsafe {
            asm!("/* {0:v} */", inout(vreg) self.0, options(pure, nomem, nostack, preserves_flags));
        }
        self
    }

    #[inline(always)]
    fn highest_bits(self) -> u32 {
        // SAFETY: as above.
        unsafe {
            let tops = vshrq_n_u64::<63>(self.0);
            (vgetq_lane_u64::<0>(tops) | vgetq_lane_u64::<1>(tops) << 1) as u32
        }
    }
}

/// Two big-endian words of a block, beginning at word 2·`pair`.
#[inline(always)]
fn load_swapped(block: &[u8; 128], pair: usize) -> uint64x2_t {
    let bytes = &block[16 * pair..][..16];
    // SAFETY: the slice has 16 bytes; the target has NEON.
    unsafe { vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(bytes.as_ptr()))) }
}

impl Half for U64x2 {
    type Isa = Neon;

    #[inline(always)]
    fn pick(a: Self, i: usize, b: Self, j: usize) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            match (i, j) {
                (0, 0) => vzip1q_u64(a.0, b.0),
                (_, 0) => vextq_u64::<1>(a.0, b.0),
                (0, _) => vcombine_u64(vget_low_u64(a.0), vget_high_u64(b.0)),
                _ => vzip2q_u64(a.0, b.0),
            }
        })
    }
}

// ---------------------------------------------------------------- f64

/// Two values.
#[derive(Clone, Copy)]
pub(crate) struct F64x2(float64x2_t);

impl Add for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the target has NEON; so in all of these.
        Self(unsafe { vaddq_f64(self.0, other.0) })
    }
}

impl Sub for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the target has NEON; so in all of these.
        Self(unsafe { vsubq_f64(self.0, other.0) })
    }
}

impl Mul for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: the target has NEON; so in all of these.
        Self(unsafe { vmulq_f64(self.0, other.0) })
    }
}

impl Neg for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the target has NEON; so in all of these.
        Self(unsafe { vnegq_f64(self.0) })
    }
}

impl F64 for F64x2 {
    type Real = f64;
    type Pack = [f64; 2];
    type Half = f64;
    type Words = U64x2;

    const LANES: usize = 2;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        <Neon as Isa>::outline(task)
    }

    #[inline(always)]
    fn packs(values: &[f64]) -> &[[f64; 2]] {
        values.as_chunks().0
    }

    #[inline(always)]
    fn packs_mut(values: &mut [f64]) -> &mut [[f64; 2]] {
        values.as_chunks_mut().0
    }

    #[inline(always)]
    fn load(pack: &[f64; 2]) -> Self {
        // SAFETY: two values are there to read.
        Self(unsafe { vld1q_f64(pack.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, pack: &mut [f64; 2]) {
        // SAFETY: two values are there to write.
        unsafe { vst1q_f64(pack.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: as above.
        Self(unsafe { vdupq_n_f64(value) })
    }

    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vdivq_f64(self.0, divisor.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vsqrtq_f64(self.0) })
    }

    #[inline(always)]
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
        debug_assert!(D == 1);
        // SAFETY: as above.
        unsafe { (Self(vzip1q_f64(a.0, b.0)), Self(vzip2q_f64(a.0, b.0))) }
    }

    #[inline(always)]
    fn zip<const D: usize>(even: Self, odd: Self) -> (Self, Self) {
        Self::unzip::<D>(even, odd)
    }

    #[inline(always)]
    fn load_repeated<const D: usize>(values: &[f64]) -> Self {
        debug_assert!(D == 1);
        Self::load(&Self::packs(&values[..2])[0])
    }

    #[inline(always)]
    fn alternate(values: [f64; 2], first: usize) -> Self {
        debug_assert!(first.is_multiple_of(2));
        Self::load(&values)
    }

    #[inline(always)]
    fn to_words(self) -> U64x2 {
        // SAFETY: as above.
        U64x2(unsafe { vreinterpretq_u64_f64(self.0) })
    }

    #[inline(always)]
    fn from_words(words: U64x2) -> Self {
        // SAFETY: as above.
        Self(unsafe { vreinterpretq_f64_u64(words.0) })
    }
}

// ---------------------------------------------------------------- u32x4

/// Four words of 32 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Words32(uint32x4_t);

// SAFETY: a register is four words, in the order of the lanes.
unsafe impl PlainU32x4 for Words32 {}

impl U32x4 for Words32 {
    type Double = U64x2;

    #[inline(always)]
    fn new(words: [u32; 4]) -> Self {
        // SAFETY: the array has 16 bytes; the target has NEON, in all of these.
        Self(unsafe { vld1q_u32(words.as_ptr()) })
    }

    #[inline(always)]
    fn words(self) -> [u32; 4] {
        let mut words = [0; 4];
        // SAFETY: the array has 16 bytes.
        unsafe { vst1q_u32(words.as_mut_ptr(), self.0) }
        words
    }

    #[inline(always)]
    fn splat(word: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { vdupq_n_u32(word) })
    }

    binary!(
        add: vaddq_u32,
        sub: vsubq_u32,
        mul: vmulq_u32,
        and: vandq_u32,
        or: vorrq_u32,
        xor: veorq_u32,
    );

    // The compiler joins these with sums: `umlal` and `umlal2`.
    #[inline(always)]
    fn mul_first(self, other: Self) -> U64x2 {
        // SAFETY: as above.
        U64x2(unsafe { vmull_u32(vget_low_u32(self.0), vget_low_u32(other.0)) })
    }

    #[inline(always)]
    fn mul_last(self, other: Self) -> U64x2 {
        // SAFETY: as above.
        U64x2(unsafe { vmull_high_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn pack(first: U64x2, last: U64x2) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            vuzp1q_u32(
                vreinterpretq_u32_u64(first.0),
                vreinterpretq_u32_u64(last.0),
            )
        })
    }

    // As for words of 64 bits.
    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vshlq_u32(self.0, vdupq_n_s32(-BITS)) })
    }

    #[inline(always)]
    fn permute(self, order: i32) -> Self {
        // The compiler finds one instruction for most orders that it knows, or two.
        let from = self.words();
        Self::new([0, 1, 2, 3].map(|lane| from[(order >> (2 * lane) & 3) as usize]))
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        let mask = [0, 1, 2, 3].map(|lane| u32::from(LANES >> lane & 1).wrapping_neg());
        // SAFETY: as above.
        Self(unsafe { vbslq_u32(Self::new(mask).0, b.0, a.0) })
    }

    #[inline(always)]
    fn select(a: Self, b: Self, mask: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vbslq_u32(mask.0, b.0, a.0) })
    }

    #[inline(always)]
    fn in_order([mut first, mut last]: [U64x2; 2]) -> [U64x2; 2] {
        // Not pure, so that it keeps its place.
        // SAFETY: no instruction.
        unsafe {
            asm!("/* {0:v} {1:v} */", inout(vreg) first.0, inout(vreg) last.0,
                options(nomem, nostack, preserves_flags));
        }
        [first, last]
    }

    // Half of a product's columns and a part of both factors fit in 32 registers.
    #[inline(always)]
    fn apart<T>(value: &T) -> &T {
        value
    }

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        Neon::outline(task)
    }
}
