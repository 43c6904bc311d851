//! X25519 (RFC 7748 section 5) on the u-line.

use crate::field::{self, Fe, ONE, ZERO, add, mul, square, sub};
use crate::point::invert;

/// Exchanges two elements where `mask` is -1, in constant time; nothing where it is 0.
fn swap(mask: i64, a: &mut Fe, b: &mut Fe) {
    for i in 0..10 {
        let both = (a[i] ^ b[i]) & mask;
        a[i] ^= both;
        b[i] ^= both;
    }
}

/// The u of the clamped scalar times the point of a u; in constant time.
pub(crate) fn x25519(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    let x1 = field::from_bytes(u);
    let (mut x2, mut z2, mut x3, mut z3) = (ONE, ZERO, x1, ONE);
    let mut swapped = 0;
    for bit in (0..255_usize).rev() {
        // The clamped bits: 254 is set, 0 to 2 are not.
        let bit = match bit {
            254 => 1,
            0..3 => 0,
            _ => scalar[bit / 8] >> (bit % 8) & 1,
        };
        let mask = core::hint::black_box(-i64::from(bit));
        swap(swapped ^ mask, &mut x2, &mut x3);
        swap(swapped ^ mask, &mut z2, &mut z3);
        swapped = mask;
        let (a, b) = (add(&x2, &z2), sub(&x2, &z2));
        let (aa, bb) = (square(&a), square(&b));
        let e = sub(&aa, &bb);
        let da = mul(&sub(&x3, &z3), &a);
        let cb = mul(&add(&x3, &z3), &b);
        x3 = square(&add(&da, &cb));
        z3 = mul(&x1, &square(&sub(&da, &cb)));
        x2 = mul(&aa, &bb);
        // a24 = 121665
        z2 = mul(&e, &add(&aa, &mul(&e, &field::small(121665))));
    }
    // The last bit is 0: nothing is left to be swapped.
    field::to_bytes(&mul(&x2, &invert(&z2)))
}
