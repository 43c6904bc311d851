//! X25519 (RFC 7748 section 5).

use num_bigint::BigUint;

use super::field::{self, P, add, int, invert, mul, sub};

/// decodeScalar25519: clears the three low bits and the top bit, sets bit 254.
pub(crate) fn decode_scalar(bytes: &[u8; 32]) -> BigUint {
    let mut k = field::from_bytes(bytes);
    for bit in [0, 1, 2, 255] {
        k.set_bit(bit, false);
    }
    k.set_bit(254, true);
    k
}

/// decodeUCoordinate: masks the top bit and reduces mod p.
pub(crate) fn decode_u(bytes: &[u8; 32]) -> BigUint {
    let mut u = field::from_bytes(bytes);
    u.set_bit(255, false);
    u % &*P
}

/// X25519(k, u): the ladder of RFC 7748 section 5, line by line.
pub(crate) fn x25519(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    let k = decode_scalar(scalar);
    let x1 = decode_u(u);
    let (mut x2, mut z2) = (int(1), int(0));
    let (mut x3, mut z3) = (x1.clone(), int(1));
    let mut swap = false;
    for t in (0..255).rev() {
        let bit = k.bit(t);
        if swap != bit {
            std::mem::swap(&mut x2, &mut x3);
            std::mem::swap(&mut z2, &mut z3);
        }
        swap = bit;

        let a = add(&x2, &z2);
        let aa = mul(&a, &a);
        let b = sub(&x2, &z2);
        let bb = mul(&b, &b);
        let e = sub(&aa, &bb);
        let c = add(&x3, &z3);
        let d = sub(&x3, &z3);
        let da = mul(&d, &a);
        let cb = mul(&c, &b);
        let sum = add(&da, &cb);
        let difference = sub(&da, &cb);
        x3 = mul(&sum, &sum);
        z3 = mul(&x1, &mul(&difference, &difference));
        x2 = mul(&aa, &bb);
        z2 = mul(&e, &add(&aa, &mul(&int(121_665), &e)));
    }
    if swap {
        std::mem::swap(&mut x2, &mut x3);
        std::mem::swap(&mut z2, &mut z3);
    }
    field::to_bytes(&mul(&x2, &invert(&z2)))
}

/// X25519(k, 9): the public key of a scalar (RFC 7748 section 6.1).
pub(crate) fn public_key(scalar: &[u8; 32]) -> [u8; 32] {
    x25519(scalar, &field::to_bytes(&int(9)))
}

/// Whether u belongs to a point of the twist: v² = u³ + 486662·u² + u has no
/// root mod p.
pub(crate) fn is_on_twist(u: &[u8; 32]) -> bool {
    let u = decode_u(u);
    let uu = mul(&u, &u);
    let right = add(&add(&mul(&uu, &u), &mul(&int(486_662), &uu)), &u);
    let legendre = right.modpow(&((&*P - 1u8) / 2u8), &P);
    legendre == &*P - 1u8
}
