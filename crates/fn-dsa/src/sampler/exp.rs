//! `BerExp` and `ApproxExp`: a coin that falls with the probability ccs * exp(-x), exactly as the
//! specification computes it (section 3.9.3), in integers.

use lanner_simd::Mask;
use lanner_simd::mask::{shift_right, top_bit};

use super::source::ByteSource;
use super::tables::{INVERSE_LN_2, LN_2};
use crate::fpr::Real;

/// A polynomial for exp(-r) on [0, ln 2), the leading coefficient first, with 63 fractional bits (Zhao,
/// Steinfeld, Sakzad, "FACCT: fast, compact and constant-time discrete Gaussian sampler over
/// integers", eprint 2018/1234); its relative error is below 2^-51.
pub(super) const COEFFICIENTS: [u64; 13] = [
    0x0000_0004_7411_83a3,
    0x0000_0036_548c_fc06,
    0x0000_024f_dcbf_140a,
    0x0000_171d_939d_e045,
    0x0000_d00c_f58f_6f84,
    0x0006_8068_1cf7_96e3,
    0x002d_82d8_305b_0fea,
    0x0111_1111_0e06_6fd0,
    0x0555_5555_5507_0f00,
    0x1555_5555_5581_ff00,
    0x4000_0000_0002_b400,
    0x7fff_ffff_ffff_4800,
    0x8000_0000_0000_0000,
];

/// The high half of a product.
#[cfg(target_pointer_width = "64")]
#[inline(always)]
fn high_product(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

#[cfg(not(target_pointer_width = "64"))]
use high_product_of_halves as high_product;

/// The high half of a product, from products of 32-bit halves.
#[cfg(any(test, not(target_pointer_width = "64")))]
#[inline(always)]
fn high_product_of_halves(a: u64, b: u64) -> u64 {
    let low = |x: u64| x & 0xffff_ffff;
    let (a0, a1, b0, b1) = (low(a), a >> 32, low(b), b >> 32);
    let middle = ((a0 * b0) >> 32) + low(a0 * b1) + low(a1 * b0);
    a1 * b1 + ((a0 * b1) >> 32) + ((a1 * b0) >> 32) + (middle >> 32)
}

/// 2^63 ccs exp(-r), for 0 <= r < ln 2 and 0 < ccs <= 1.
#[inline(always)]
fn approximate<R: Real>(r: R, ccs: R) -> u64 {
    let z = r.to_fixed63() << 1;
    let mut y = COEFFICIENTS[0];
    for coefficient in &COEFFICIENTS[1..] {
        y = coefficient.wrapping_sub(high_product(z, y));
    }
    // 1 itself, which a deviation at the lower end can round to, becomes 1 - 2^-63.
    let ccs = ccs.to_fixed63();
    high_product((ccs - top_bit(ccs)) << 1, y)
}

/// True with the probability ccs * exp(-x), for x >= 0.
///
/// The uniform bytes are compared one by one, from the most significant, until they differ: how many it takes
/// has a fixed distribution, whatever x is.
#[inline(always)]
pub(super) fn coin<R: Real, S: ByteSource>(source: &mut S, x: R, ccs: R) -> bool {
    let twos = (x * R::from_bits(INVERSE_LN_2)).floor();
    let r = x - R::from_i32(twos) * R::from_bits(LN_2);
    // 2^-63 stands for anything smaller.
    let above = Mask::of_sign(63_i32.wrapping_sub(twos));
    let twos = ((twos | above.word()) & 63) as u32;
    let threshold = shift_right((approximate(r, ccs) << 1).wrapping_sub(1), twos);
    let mut shift = 64;
    loop {
        shift -= 8;
        let byte = u32::from(source.next_u8());
        let wanted = (threshold >> shift) as u32 & 0xff;
        if byte != wanted || shift == 0 {
            return byte < wanted;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ByteSource, coin, high_product_of_halves};
    use crate::fpr::tests::TestRng;
    use crate::fpr::{Fpr, Real};

    #[test]
    fn halves_make_the_high_product() {
        let mut rng = TestRng(4);
        let edges = [0, 1, u64::from(u32::MAX), 1 << 32, u64::MAX - 1, u64::MAX];
        let random = core::iter::repeat_with(|| [rng.next(), rng.next()]).take(100_000);
        let pairs = edges.iter().flat_map(|&a| edges.map(|b| [a, b]));
        for [a, b] in pairs.chain(random) {
            let expected = ((u128::from(a) * u128::from(b)) >> 64) as u64;
            assert_eq!(high_product_of_halves(a, b), expected, "{a:#x} {b:#x}");
        }
    }

    /// Seven zeros, and another byte.
    struct Last(u8, u8);

    impl ByteSource for Last {
        fn next_u8(&mut self) -> u8 {
            self.0 += 1;
            if self.0 < 8 { 0 } else { self.1 }
        }

        fn next_u64(&mut self) -> u64 {
            unreachable!("a coin takes its bytes one by one")
        }
    }

    /// What is smaller than 2^-63 is accepted as if it were that: of 2^64 strings of eight bytes, the zeros alone. Of equal ones
    /// none is accepted.
    #[test]
    fn the_rarest_coin() {
        for x in [50, 64, 100, 1000] {
            let falls = |last| coin(&mut Last(0, last), Fpr::from_i32(x), Fpr::from_i32(1));
            assert!(falls(0), "{x}");
            assert!(!falls(1) && !falls(2), "{x}");
        }
    }
}
