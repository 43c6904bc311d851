//! Vectors of 128 bits: four words of 32 bits, and two of 64.
//!
//! In WebAssembly each operation is an instruction; elsewhere, that is in the tests, which check
//! every sum and product for overflow, the same is done word by word.

#[cfg(target_feature = "simd128")]
pub(crate) use simd::{Four, Two};
#[cfg(not(target_feature = "simd128"))]
pub(crate) use words::{Four, Two};

#[cfg(target_feature = "simd128")]
mod simd {
    use core::arch::wasm32::*;

    /// Four signed words of 32 bits.
    #[derive(Clone, Copy)]
    pub(crate) struct Four(v128);

    /// Two words of 64 bits.
    #[derive(Clone, Copy)]
    pub(crate) struct Two(v128);

    impl Four {
        pub(crate) const fn new([a, b, c, d]: [i32; 4]) -> Self {
            Self(i32x4(a, b, c, d))
        }

        #[inline(always)]
        pub(crate) fn words(self) -> [i32; 4] {
            [
                i32x4_extract_lane::<0>(self.0),
                i32x4_extract_lane::<1>(self.0),
                i32x4_extract_lane::<2>(self.0),
                i32x4_extract_lane::<3>(self.0),
            ]
        }

        #[inline(always)]
        pub(crate) fn add(self, rhs: Self) -> Self {
            Self(i32x4_add(self.0, rhs.0))
        }

        #[inline(always)]
        pub(crate) fn mul(self, rhs: Self) -> Self {
            Self(i32x4_mul(self.0, rhs.0))
        }

        #[inline(always)]
        pub(crate) fn and(self, rhs: Self) -> Self {
            Self(v128_and(self.0, rhs.0))
        }

        #[inline(always)]
        pub(crate) fn or(self, rhs: Self) -> Self {
            Self(v128_or(self.0, rhs.0))
        }

        /// The sign is kept.
        #[inline(always)]
        pub(crate) fn shr<const N: u32>(self) -> Self {
            Self(i32x4_shr(self.0, N))
        }

        /// Word i is word A, B, C, D of this.
        #[inline(always)]
        pub(crate) fn order<const A: usize, const B: usize, const C: usize, const D: usize>(
            self,
        ) -> Self {
            Self(i32x4_shuffle::<A, B, C, D>(self.0, self.0))
        }

        /// The low halves of four words.
        #[inline(always)]
        pub(crate) fn pack(first: Two, last: Two) -> Self {
            Self(i32x4_shuffle::<0, 2, 4, 6>(first.0, last.0))
        }

        /// The products of words 0 and 1, and of words 2 and 3.
        #[inline(always)]
        pub(crate) fn products(self, rhs: Self) -> [Two; 2] {
            [
                Two(i64x2_extmul_low_i32x4(self.0, rhs.0)),
                Two(i64x2_extmul_high_i32x4(self.0, rhs.0)),
            ]
        }
    }

    impl Two {
        #[inline(always)]
        pub(crate) fn splat(word: i64) -> Self {
            Self(i64x2_splat(word))
        }

        #[inline(always)]
        pub(crate) fn add(self, rhs: Self) -> Self {
            Self(i64x2_add(self.0, rhs.0))
        }

        #[inline(always)]
        pub(crate) fn sub(self, rhs: Self) -> Self {
            Self(i64x2_sub(self.0, rhs.0))
        }

        #[inline(always)]
        pub(crate) fn and(self, rhs: Self) -> Self {
            Self(v128_and(self.0, rhs.0))
        }

        #[inline(always)]
        pub(crate) fn shl<const N: u32>(self) -> Self {
            Self(i64x2_shl(self.0, N))
        }

        /// Without regard to a sign: there is no other shift of such words.
        #[inline(always)]
        pub(crate) fn shr<const N: u32>(self) -> Self {
            Self(u64x2_shr(self.0, N))
        }
    }
}

#[cfg(not(target_feature = "simd128"))]
mod words {
    /// Four signed words of 32 bits.
    #[derive(Clone, Copy)]
    pub(crate) struct Four([i32; 4]);

    /// Two words of 64 bits.
    #[derive(Clone, Copy)]
    pub(crate) struct Two([i64; 2]);

    impl Four {
        pub(crate) const fn new(words: [i32; 4]) -> Self {
            Self(words)
        }

        pub(crate) fn words(self) -> [i32; 4] {
            self.0
        }

        fn each(self, rhs: Self, f: impl Fn(i32, i32) -> i32) -> Self {
            Self(core::array::from_fn(|i| f(self.0[i], rhs.0[i])))
        }

        pub(crate) fn add(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a + b)
        }

        pub(crate) fn mul(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a * b)
        }

        pub(crate) fn and(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a & b)
        }

        pub(crate) fn or(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a | b)
        }

        pub(crate) fn shr<const N: u32>(self) -> Self {
            self.each(self, |a, _| a >> N)
        }

        pub(crate) fn order<const A: usize, const B: usize, const C: usize, const D: usize>(
            self,
        ) -> Self {
            Self([self.0[A], self.0[B], self.0[C], self.0[D]])
        }

        pub(crate) fn pack(first: Two, last: Two) -> Self {
            let ([a, b], [c, d]) = (first.0, last.0);
            Self([a, b, c, d].map(|word| word as i32))
        }

        pub(crate) fn products(self, rhs: Self) -> [Two; 2] {
            let product = |i: usize| i64::from(self.0[i]) * i64::from(rhs.0[i]);
            [Two([product(0), product(1)]), Two([product(2), product(3)])]
        }
    }

    impl Two {
        pub(crate) fn splat(word: i64) -> Self {
            Self([word; 2])
        }

        fn each(self, rhs: Self, f: impl Fn(i64, i64) -> i64) -> Self {
            Self([f(self.0[0], rhs.0[0]), f(self.0[1], rhs.0[1])])
        }

        pub(crate) fn add(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a + b)
        }

        pub(crate) fn sub(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a - b)
        }

        pub(crate) fn and(self, rhs: Self) -> Self {
            self.each(rhs, |a, b| a & b)
        }

        pub(crate) fn shl<const N: u32>(self) -> Self {
            self.each(self, |a, _| a << N)
        }

        pub(crate) fn shr<const N: u32>(self) -> Self {
            self.each(self, |a, _| (a as u64 >> N) as i64)
        }
    }
}
