//! Vectors of 128 bits: four words of 32 bits, and two of 64.
//!
//! In WebAssembly with SIMD each operation is an instruction; elsewhere (`lanner/compat`, and the
//! tests, which check every sum and product for overflow) the same is done word by word.
//!
//! # Soundness
//!
//! The only unsafe operations are reading what a reference points to and giving words of the same
//! size another type.
// They are named like the instructions.
#![allow(clippy::should_implement_trait)]
#![cfg_attr(target_feature = "simd128", allow(unsafe_code))]

#[cfg(target_feature = "simd128")]
pub use simd::{Four, Two};
#[cfg(not(target_feature = "simd128"))]
pub use words::{Four, Two};

#[cfg(target_feature = "simd128")]
mod simd {
    use core::arch::wasm32::*;

    /// Four signed words of 32 bits.
    #[derive(Clone, Copy)]
    pub struct Four(v128);

    /// Two words of 64 bits.
    #[derive(Clone, Copy)]
    pub struct Two(v128);

    impl Four {
        #[inline(always)]
        pub const fn new([a, b, c, d]: [i32; 4]) -> Self {
            Self(i32x4(a, b, c, d))
        }

        #[inline(always)]
        pub fn splat(word: i32) -> Self {
            Self(i32x4_splat(word))
        }

        #[inline(always)]
        pub fn words(&self) -> &[i32; 4] {
            // SAFETY: a vector is plain data of this size, and of greater alignment.
            unsafe { &*core::ptr::from_ref(self).cast() }
        }

        #[inline(always)]
        pub fn set(&mut self, i: usize, word: i32) {
            // SAFETY: a vector is plain data of this size, and of greater alignment.
            let words: &mut [i32; 4] = unsafe { &mut *core::ptr::from_mut(self).cast() };
            words[i % 4] = word;
        }

        #[inline(always)]
        pub fn add(self, rhs: Self) -> Self {
            Self(i32x4_add(self.0, rhs.0))
        }

        #[inline(always)]
        pub fn sub(self, rhs: Self) -> Self {
            Self(i32x4_sub(self.0, rhs.0))
        }

        #[inline(always)]
        pub fn mul(self, rhs: Self) -> Self {
            Self(i32x4_mul(self.0, rhs.0))
        }

        #[inline(always)]
        pub fn and(self, rhs: Self) -> Self {
            Self(v128_and(self.0, rhs.0))
        }

        /// All ones where words are the same, else zeros.
        #[inline(always)]
        pub fn equal(self, rhs: Self) -> Self {
            Self(i32x4_eq(self.0, rhs.0))
        }

        #[inline(always)]
        pub fn or(self, rhs: Self) -> Self {
            Self(v128_or(self.0, rhs.0))
        }

        #[inline(always)]
        pub fn xor(self, rhs: Self) -> Self {
            Self(v128_xor(self.0, rhs.0))
        }

        #[inline(always)]
        pub fn shl<const N: u32>(self) -> Self {
            Self(i32x4_shl(self.0, N))
        }

        /// The sign is kept.
        #[inline(always)]
        pub fn shr<const N: u32>(self) -> Self {
            Self(i32x4_shr(self.0, N))
        }

        /// Word i is word A, B, C, D of this.
        #[inline(always)]
        pub fn order<const A: usize, const B: usize, const C: usize, const D: usize>(self) -> Self {
            Self(i32x4_shuffle::<A, B, C, D>(self.0, self.0))
        }

        /// Words 0 and 1 of the first, 2 and 3 of the last.
        #[inline(always)]
        pub fn halves(first: Self, last: Self) -> Self {
            Self(i32x4_shuffle::<0, 1, 6, 7>(first.0, last.0))
        }

        /// The low halves of four words.
        #[inline(always)]
        pub fn pack(first: Two, last: Two) -> Self {
            Self(i32x4_shuffle::<0, 2, 4, 6>(first.0, last.0))
        }

        /// The products of words 0 and 1.
        #[inline(always)]
        pub fn products(self, rhs: Self) -> Two {
            Two(i64x2_extmul_low_i32x4(self.0, rhs.0))
        }

        /// The products of words 2 and 3.
        #[inline(always)]
        pub fn last_products(self, rhs: Self) -> Two {
            Two(i64x2_extmul_high_i32x4(self.0, rhs.0))
        }

        /// Words 0 and 1 (`half` 0) or 2 and 3 of a vector, as words 0 and 1. Volatile, so that
        /// they are read as they are: else the compiler extends them as it reads them, and then
        /// multiplies words of 64 bits, which is three times as expensive.
        #[inline(always)]
        pub fn half(this: &Self, half: usize) -> Self {
            let halves = core::ptr::from_ref(this).cast::<i64>();
            // SAFETY: a vector is plain data of the size of two such words.
            Self(i64x2_splat(unsafe { halves.add(half % 2).read_volatile() }))
        }
    }

    impl Two {
        #[inline(always)]
        pub const fn new([a, b]: [i64; 2]) -> Self {
            Self(i64x2(a, b))
        }

        #[inline(always)]
        pub fn splat(word: i64) -> Self {
            Self(i64x2_splat(word))
        }

        /// Words whose octets come the highest first.
        #[inline(always)]
        pub fn from_be_bytes(bytes: &[u8; 16]) -> Self {
            // SAFETY: there are 16 octets, and the instruction asks for no alignment.
            let v = unsafe { v128_load(core::ptr::from_ref(bytes).cast()) };
            Self(v).swapped()
        }

        /// The octets of each word the other way round.
        #[inline(always)]
        pub fn swapped(self) -> Self {
            Self(u8x16_shuffle::<
                7,
                6,
                5,
                4,
                3,
                2,
                1,
                0,
                15,
                14,
                13,
                12,
                11,
                10,
                9,
                8,
            >(self.0, self.0))
        }

        #[inline(always)]
        pub fn words(self) -> [u64; 2] {
            [
                u64x2_extract_lane::<0>(self.0),
                u64x2_extract_lane::<1>(self.0),
            ]
        }

        /// All words in a row.
        #[inline(always)]
        pub fn flat(vectors: [Self; 40]) -> [u64; 80] {
            // SAFETY: a vector is two words, the first one at its address, and any bits are words.
            unsafe { core::mem::transmute(vectors) }
        }

        /// The last word of the first, the first of the last.
        #[inline(always)]
        pub fn between(first: Self, last: Self) -> Self {
            Self(i64x2_shuffle::<1, 2>(first.0, last.0))
        }

        #[inline(always)]
        pub fn xor(self, rhs: Self) -> Self {
            Self(v128_xor(self.0, rhs.0))
        }

        #[inline(always)]
        pub fn add(self, rhs: Self) -> Self {
            Self(i64x2_add(self.0, rhs.0))
        }

        #[inline(always)]
        pub fn sub(self, rhs: Self) -> Self {
            Self(i64x2_sub(self.0, rhs.0))
        }

        /// Modulo 2^64: there are words without a sign.
        #[inline(always)]
        pub fn wrapping_add(self, rhs: Self) -> Self {
            self.add(rhs)
        }

        #[inline(always)]
        pub fn and(self, rhs: Self) -> Self {
            Self(v128_and(self.0, rhs.0))
        }

        #[inline(always)]
        pub fn shl<const N: u32>(self) -> Self {
            Self(i64x2_shl(self.0, N))
        }

        /// Without regard to a sign.
        #[inline(always)]
        pub fn shr<const N: u32>(self) -> Self {
            Self(u64x2_shr(self.0, N))
        }
    }
}

#[cfg(not(target_feature = "simd128"))]
mod words {
    /// Four signed words of 32 bits.
    #[derive(Clone, Copy)]
    #[repr(align(16))]
    pub struct Four([i32; 4]);

    /// Two words of 64 bits.
    #[derive(Clone, Copy)]
    #[repr(align(16))]
    pub struct Two([i64; 2]);

    impl Four {
        #[inline(always)]
        pub const fn new(words: [i32; 4]) -> Self {
            Self(words)
        }

        #[inline(always)]
        pub fn splat(word: i32) -> Self {
            Self([word; 4])
        }

        #[inline(always)]
        pub fn words(&self) -> &[i32; 4] {
            &self.0
        }

        #[inline(always)]
        pub fn set(&mut self, i: usize, word: i32) {
            self.0[i % 4] = word;
        }

        #[inline(always)]
        fn each(self, rhs: Self, f: impl Fn(i32, i32) -> i32) -> Self {
            let ([a, b, c, d], [e, g, h, i]) = (self.0, rhs.0);
            Self([f(a, e), f(b, g), f(c, h), f(d, i)])
        }

        #[inline(always)]
        pub fn add(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a + b)
        }

        #[inline(always)]
        pub fn sub(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a - b)
        }

        #[inline(always)]
        pub fn mul(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a * b)
        }

        #[inline(always)]
        pub fn and(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a & b)
        }

        /// All ones where words are the same, else zeros.
        #[inline(always)]
        pub fn equal(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| -i32::from(a == b))
        }

        #[inline(always)]
        pub fn or(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a | b)
        }

        #[inline(always)]
        pub fn xor(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a ^ b)
        }

        #[inline(always)]
        pub fn shl<const N: u32>(self) -> Self {
            self.each(self, |a, _| a << N)
        }

        #[inline(always)]
        pub fn shr<const N: u32>(self) -> Self {
            self.each(self, |a, _| a >> N)
        }

        #[inline(always)]
        pub fn order<const A: usize, const B: usize, const C: usize, const D: usize>(self) -> Self {
            Self([self.0[A], self.0[B], self.0[C], self.0[D]])
        }

        /// Words 0 and 1 of the first, 2 and 3 of the last.
        #[inline(always)]
        pub fn halves(first: Self, last: Self) -> Self {
            Self([first.0[0], first.0[1], last.0[2], last.0[3]])
        }

        /// The low halves of four words.
        #[inline(always)]
        pub fn pack(first: Two, last: Two) -> Self {
            let ([a, b], [c, d]) = (first.0, last.0);
            Self([a as i32, b as i32, c as i32, d as i32])
        }

        /// The products of words 0 and 1.
        #[inline(always)]
        pub fn products(self, rhs: Self) -> Two {
            let product = |i| i64::from(self.0[i]) * i64::from(rhs.0[i]);
            Two([product(0), product(1)])
        }

        /// The products of words 2 and 3.
        #[inline(always)]
        pub fn last_products(self, rhs: Self) -> Two {
            let product = |i| i64::from(self.0[i]) * i64::from(rhs.0[i]);
            Two([product(2), product(3)])
        }

        /// Words 0 and 1 (`half` 0) or 2 and 3 of a vector, as words 0 and 1.
        #[inline(always)]
        pub fn half(this: &Self, half: usize) -> Self {
            let i = half % 2 * 2;
            Self([this.0[i], this.0[i + 1], 0, 0])
        }
    }

    impl Two {
        #[inline(always)]
        pub const fn new(words: [i64; 2]) -> Self {
            Self(words)
        }

        #[inline(always)]
        pub fn splat(word: i64) -> Self {
            Self([word; 2])
        }

        /// Words whose octets come the highest first.
        #[inline(always)]
        pub fn from_be_bytes(bytes: &[u8; 16]) -> Self {
            let [first, last] = [0, 8].map(|at| {
                let octets = &bytes[at..at + 8];
                octets
                    .iter()
                    .fold(0, |word, &octet| word << 8 | i64::from(octet))
            });
            Self([first, last])
        }

        /// The octets of each word the other way round.
        #[inline(always)]
        pub fn swapped(self) -> Self {
            Self(self.0.map(i64::swap_bytes))
        }

        #[inline(always)]
        pub fn words(self) -> [u64; 2] {
            self.0.map(|word| word as u64)
        }

        /// All words in a row.
        #[inline(always)]
        pub fn flat(vectors: [Self; 40]) -> [u64; 80] {
            core::array::from_fn(|i| vectors[i / 2].0[i % 2] as u64)
        }

        /// The last word of the first, the first of the last.
        #[inline(always)]
        pub fn between(first: Self, last: Self) -> Self {
            Self([first.0[1], last.0[0]])
        }

        #[inline(always)]
        pub fn xor(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a ^ b)
        }

        /// Modulo 2^64: there are words without a sign.
        #[inline(always)]
        pub fn wrapping_add(self, rhs: Self) -> Self {
            self.each(rhs, i64::wrapping_add)
        }

        #[inline(always)]
        fn each(self, rhs: Self, f: impl Fn(i64, i64) -> i64) -> Self {
            Self([f(self.0[0], rhs.0[0]), f(self.0[1], rhs.0[1])])
        }

        #[inline(always)]
        pub fn add(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a + b)
        }

        #[inline(always)]
        pub fn sub(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a - b)
        }

        #[inline(always)]
        pub fn and(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a & b)
        }

        #[inline(always)]
        pub fn shl<const N: u32>(self) -> Self {
            self.each(self, |a, _| a << N)
        }

        #[inline(always)]
        pub fn shr<const N: u32>(self) -> Self {
            self.each(self, |a, _| (a as u64 >> N) as i64)
        }
    }
}
