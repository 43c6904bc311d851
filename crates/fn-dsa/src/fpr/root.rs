//! The square root from multiplications, for targets whose instruction stable Rust cannot name.
//!
//! Newton's iteration gives the root to within a few units of the last place; the residue, computed
//! exactly in integers modulo 2^64, then corrects it. No branch and no table depends on the value.

use lanner_simd::Mask;

/// The correctly rounded square root of a normal x > 0, or of 0; anything else gives some number.
#[inline]
pub(super) fn square_root(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> 52) & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    // x = m * 2^(2 e - 52) with an integer m in [2^52, 2^54).
    let odd = (exponent & 1) ^ 1;
    let m = ((1 << 52) | fraction) << odd;
    let a = f64::from_bits(((1023 + odd) << 52) | fraction);
    // 1 / sqrt(a), for a in [1, 4): a linear guess on the logarithm, 3.5 % off; four steps square that
    // error each, down to the rounding.
    let mut inverse = f64::from_bits(0x5fe6_eb50_c7b5_37a9 - (a.to_bits() >> 1));
    for _ in 0..4 {
        inverse = inverse * (1.5 - 0.5 * a * inverse * inverse);
    }
    // q is to be floor(sqrt(m * 2^54)), in [2^53, 2^54). The estimate is off by less than 2^6, so that
    // the residue is below 2^62 and right modulo 2^64.
    let estimate = a * inverse;
    let mut q = (estimate * 9_007_199_254_740_992.0) as i64;
    let residue = |q: i64| ((m << 54) as i64).wrapping_sub(q.wrapping_mul(q));
    let correction = residue(q) as f64 * (inverse * (1.0 / 18_014_398_509_481_984.0));
    q = q.wrapping_add(correction as i64);
    // Now off by one at most.
    q = q.wrapping_add(Mask::of_sign(residue(q)).word());
    q = q.wrapping_add(1 + Mask::of_sign(residue(q + 1)).word());
    // No root lies halfway between two doubles: its square would be odd, and m * 2^54 is not.
    let rounded = ((q + 1) >> 1) as u64;
    let biased = (exponent + 1023 - odd) >> 1;
    let root = ((biased - 1) << 52) + rounded;
    let zero = Mask::of_zero(exponent);
    f64::from_bits(zero.select(root, bits & (1 << 63)))
}
