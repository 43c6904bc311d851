//! Eight residues, or four fixed-point numbers, in registers of AVX2.
//!
//! # Safety
//!
//! The intrinsics need AVX2. The two lane types are private but for their names, which only the machine
//! [`Avx2`] gives out; and that is a witness, which exists only where AVX2 does. Within its `run`
//! they compile to the instructions; elsewhere they would be calls, slow but sound.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use lanner_simd::Avx2;

use super::{Fixed, Machine, Modulus, Shuffle, Words};

impl Machine for Avx2 {
    type Words = U32x8;
    type Fixed = I64x4;

    #[inline(always)]
    fn run<R>(self, task: impl FnOnce() -> R) -> R {
        Avx2::run(self, task)
    }
}

/// Eight words.
#[derive(Clone, Copy)]
pub(crate) struct U32x8(__m256i);

/// Four words of 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct I64x4(__m256i);

/// Wraps expressions of intrinsics, which need no more than the feature that the module's types stand
/// for.
macro_rules! avx2 {
    ($e:expr) => {{
        // SAFETY: the types of this module are in use only where AVX2 is; see the module's
        // documentation.
        unsafe { $e }
    }};
}

/// The eight words at the front of a slice.
#[inline(always)]
fn front<T, const N: usize>(from: &[T]) -> *const __m256i {
    const { assert!(size_of::<T>() * N == 32) }
    from[..N].as_ptr().cast()
}

#[inline(always)]
fn front_mut<T, const N: usize>(to: &mut [T]) -> *mut __m256i {
    const { assert!(size_of::<T>() * N == 32) }
    to[..N].as_mut_ptr().cast()
}

/// The halves of 128 bits: the lower ones of a and b, and the upper ones.
#[inline(always)]
fn halves(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    avx2!((
        _mm256_permute2x128_si256(a, b, 0x20),
        _mm256_permute2x128_si256(a, b, 0x31)
    ))
}

/// Exchanges the two middle quarters.
#[inline(always)]
fn swap_middle(a: __m256i) -> __m256i {
    avx2!(_mm256_permute4x64_epi64(a, 0xd8))
}

/// Quarters: the even ones of a, then of b, and the odd ones.
#[inline(always)]
fn quarters(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    avx2!((
        swap_middle(_mm256_unpacklo_epi64(a, b)),
        swap_middle(_mm256_unpackhi_epi64(a, b))
    ))
}

/// The inverse of `quarters`.
#[inline(always)]
fn quarters_back(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    let (a, b) = (swap_middle(a), swap_middle(b));
    avx2!((_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)))
}

impl Shuffle for U32x8 {
    type Element = u32;
    const N: usize = 8;

    #[inline(always)]
    fn splat(x: u32) -> Self {
        Self(avx2!(_mm256_set1_epi32(x as i32)))
    }

    #[inline(always)]
    fn load(from: &[u32]) -> Self {
        // SAFETY: as everywhere here; and the slice has 32 bytes.
        Self(unsafe { _mm256_loadu_si256(front::<u32, 8>(from)) })
    }

    #[inline(always)]
    fn store(self, to: &mut [u32]) {
        // SAFETY: as everywhere here; and the slice has 32 bytes.
        unsafe { _mm256_storeu_si256(front_mut::<u32, 8>(to), self.0) }
    }

    #[inline(always)]
    fn unzip(a: Self, b: Self, t: usize) -> (Self, Self) {
        let (first, second) = match t {
            4 => halves(a.0, b.0),
            2 => quarters(a.0, b.0),
            _ => {
                let even = avx2!(_mm256_shuffle_ps::<0x88>(
                    _mm256_castsi256_ps(a.0),
                    _mm256_castsi256_ps(b.0)
                ));
                let odd = avx2!(_mm256_shuffle_ps::<0xdd>(
                    _mm256_castsi256_ps(a.0),
                    _mm256_castsi256_ps(b.0)
                ));
                avx2!((
                    swap_middle(_mm256_castps_si256(even)),
                    swap_middle(_mm256_castps_si256(odd))
                ))
            }
        };
        (Self(first), Self(second))
    }

    #[inline(always)]
    fn zip(first: Self, second: Self, t: usize) -> (Self, Self) {
        let (a, b) = match t {
            4 => halves(first.0, second.0),
            2 => quarters_back(first.0, second.0),
            _ => {
                let (first, second) = (swap_middle(first.0), swap_middle(second.0));
                avx2!((
                    _mm256_unpacklo_epi32(first, second),
                    _mm256_unpackhi_epi32(first, second)
                ))
            }
        };
        (Self(a), Self(b))
    }

    #[inline(always)]
    fn spread(from: &[u32], t: usize) -> Self {
        match t {
            4 => Self(avx2!(_mm256_setr_m128i(
                _mm_set1_epi32(from[0] as i32),
                _mm_set1_epi32(from[1] as i32)
            ))),
            2 => {
                // SAFETY: as everywhere here; and the slice has 16 bytes.
                let four = unsafe { _mm_loadu_si128(from[..4].as_ptr().cast()) };
                Self(avx2!(_mm256_permutevar8x32_epi32(
                    _mm256_castsi128_si256(four),
                    _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3)
                )))
            }
            _ => Self::load(from),
        }
    }
}

impl Words for U32x8 {
    #[inline(always)]
    fn add_mod(self, other: Self, p: Self) -> Self {
        let sum = avx2!(_mm256_add_epi32(self.0, other.0));
        // Below 2p; minus p it is smaller, or wraps to something larger.
        Self(avx2!(_mm256_min_epu32(sum, _mm256_sub_epi32(sum, p.0))))
    }

    #[inline(always)]
    fn sub_mod(self, other: Self, p: Self) -> Self {
        Self(avx2!(_mm256_sub_epi32(self.0, other.0))).residue(p)
    }

    #[inline(always)]
    fn mont_mul(self, other: Self, modulus: &Modulus<Self>) -> Self {
        let (p, inverse) = (modulus.p.0, modulus.inverse.0);
        // The even lanes, then the odd ones: ab minus the multiple of p with the same low half.
        let one = |a, b| {
            avx2!({
                let product = _mm256_mul_epu32(a, b);
                let multiple = _mm256_mul_epu32(_mm256_mul_epu32(product, inverse), p);
                _mm256_sub_epi64(product, multiple)
            })
        };
        let even = one(self.0, other.0);
        let odd = avx2!(one(
            _mm256_srli_epi64(self.0, 32),
            _mm256_srli_epi64(other.0, 32)
        ));
        let both = avx2!(_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa));
        Self(both).residue(modulus.p)
    }

    #[inline(always)]
    fn residue(self, p: Self) -> Self {
        // A negative number is large as an unsigned one, and wraps to its residue.
        Self(avx2!(_mm256_min_epu32(
            self.0,
            _mm256_add_epi32(self.0, p.0)
        )))
    }

    #[inline(always)]
    fn centred(self, p: Self) -> Self {
        Self(avx2!({
            let above = _mm256_cmpgt_epi32(self.0, _mm256_srli_epi32(p.0, 1));
            _mm256_sub_epi32(self.0, _mm256_and_si256(p.0, above))
        }))
    }
}

impl Shuffle for I64x4 {
    type Element = i64;
    const N: usize = 4;

    #[inline(always)]
    fn splat(x: i64) -> Self {
        Self(avx2!(_mm256_set1_epi64x(x)))
    }

    #[inline(always)]
    fn load(from: &[i64]) -> Self {
        // SAFETY: as everywhere here; and the slice has 32 bytes.
        Self(unsafe { _mm256_loadu_si256(front::<i64, 4>(from)) })
    }

    #[inline(always)]
    fn store(self, to: &mut [i64]) {
        // SAFETY: as everywhere here; and the slice has 32 bytes.
        unsafe { _mm256_storeu_si256(front_mut::<i64, 4>(to), self.0) }
    }

    #[inline(always)]
    fn unzip(a: Self, b: Self, t: usize) -> (Self, Self) {
        let (first, second) = match t {
            2 => halves(a.0, b.0),
            _ => quarters(a.0, b.0),
        };
        (Self(first), Self(second))
    }

    #[inline(always)]
    fn zip(first: Self, second: Self, t: usize) -> (Self, Self) {
        let (a, b) = match t {
            2 => halves(first.0, second.0),
            _ => quarters_back(first.0, second.0),
        };
        (Self(a), Self(b))
    }

    #[inline(always)]
    fn spread(from: &[i64], t: usize) -> Self {
        match t {
            2 => Self(avx2!(_mm256_setr_epi64x(
                from[0], from[0], from[1], from[1]
            ))),
            _ => Self::load(from),
        }
    }
}

impl Fixed for I64x4 {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(avx2!(_mm256_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(avx2!(_mm256_sub_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // a = a1 2^32 + a0, where a negative a is its unsigned reading minus 2^64.
        Self(avx2!({
            let (a0, b0) = (self.0, other.0);
            let (a1, b1) = (_mm256_srli_epi64(a0, 32), _mm256_srli_epi64(b0, 32));
            let zero = _mm256_setzero_si256();
            let excess = _mm256_add_epi64(
                _mm256_and_si256(a0, _mm256_cmpgt_epi64(zero, b0)),
                _mm256_and_si256(b0, _mm256_cmpgt_epi64(zero, a0)),
            );
            let high = _mm256_slli_epi64(_mm256_sub_epi64(_mm256_mul_epu32(a1, b1), excess), 32);
            let low = _mm256_srli_epi64(_mm256_mul_epu32(a0, b0), 32);
            let cross = _mm256_add_epi64(_mm256_mul_epu32(a0, b1), _mm256_mul_epu32(a1, b0));
            _mm256_add_epi64(_mm256_add_epi64(low, cross), high)
        }))
    }

    #[inline(always)]
    fn half(self) -> Self {
        // With the sign bit flipped, a logical shift serves.
        Self(avx2!({
            let x = _mm256_add_epi64(self.0, _mm256_set1_epi64x(i64::MIN + 1));
            _mm256_sub_epi64(_mm256_srli_epi64(x, 1), _mm256_set1_epi64x(1 << 62))
        }))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // As in the portable lane, with the quotient's bits collected inverted.
        Self(avx2!({
            let zero = _mm256_setzero_si256();
            let (sign_n, sign_d) = (
                _mm256_cmpgt_epi64(zero, self.0),
                _mm256_cmpgt_epi64(zero, other.0),
            );
            let x = _mm256_sub_epi64(_mm256_xor_si256(self.0, sign_n), sign_n);
            let y = _mm256_sub_epi64(_mm256_xor_si256(other.0, sign_d), sign_d);
            let mut rest = _mm256_srli_epi64(x, 31);
            let mut next = _mm256_slli_epi64(x, 33);
            let mut inverted = zero;
            let step = |rest: &mut __m256i, inverted: &mut __m256i| {
                let difference = _mm256_sub_epi64(*rest, y);
                *inverted = _mm256_add_epi64(*inverted, *inverted);
                *inverted = _mm256_add_epi64(*inverted, _mm256_srli_epi64(difference, 63));
                // Keeps the rest where the difference is negative.
                *rest = _mm256_castpd_si256(_mm256_blendv_pd(
                    _mm256_castsi256_pd(difference),
                    _mm256_castsi256_pd(*rest),
                    _mm256_castsi256_pd(difference),
                ));
                *rest = _mm256_add_epi64(*rest, *rest);
            };
            for _ in 0..31 {
                step(&mut rest, &mut inverted);
                rest = _mm256_or_si256(rest, _mm256_srli_epi64(next, 63));
                next = _mm256_add_epi64(next, next);
            }
            for _ in 0..33 {
                step(&mut rest, &mut inverted);
            }
            // The rounding bit is 1 minus the sign: quotient = -1 - inverted + 1 - sign.
            let last = _mm256_srli_epi64(_mm256_sub_epi64(rest, y), 63);
            let quotient = _mm256_sub_epi64(_mm256_sub_epi64(zero, inverted), last);
            let sign = _mm256_xor_si256(sign_n, sign_d);
            _mm256_sub_epi64(_mm256_xor_si256(quotient, sign), sign)
        }))
    }

    #[inline(always)]
    fn shift_left(self, bits: u32) -> Self {
        Self(avx2!(_mm256_sll_epi64(
            self.0,
            _mm_cvtsi32_si128(bits as i32)
        )))
    }

    #[inline(always)]
    fn neg(self) -> Self {
        Self(avx2!(_mm256_sub_epi64(_mm256_setzero_si256(), self.0)))
    }
}
