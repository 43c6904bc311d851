//! Hashing to edwards25519, curve25519 and ristretto255 (RFC 9380), with SHA-512.

use std::sync::LazyLock;

use num_bigint::BigUint;
use sha2::{Digest, Sha512};

use super::edwards::Point;
use super::field::{self, P, SQRT_M1, add, int, invert, mul, neg, sub};
use super::ristretto;

/// The coefficient J of curve25519, whose K is 1.
const J: u32 = 486_662;

/// expand_message_xmd (RFC 9380 section 5.3.1), with the rule of section 5.3.3 for long tags.
fn expand(message: &[u8], tag: &[u8], length: usize) -> Vec<u8> {
    let hash = |parts: &[&[u8]]| -> Vec<u8> {
        let mut hash = Sha512::new();
        parts.iter().for_each(|part| hash.update(part));
        hash.finalize().to_vec()
    };
    let mut tag = tag.to_vec();
    if tag.len() > 255 {
        tag = hash(&[b"H2C-OVERSIZE-DST-", &tag]);
    }
    tag.push(u8::try_from(tag.len()).expect("at most 255"));
    let length_bytes = u16::try_from(length).expect("few octets").to_be_bytes();
    let b0 = hash(&[&[0; 128], message, &length_bytes, &[0], &tag]);
    let mut block = hash(&[&b0, &[1], &tag]);
    let mut out = block.clone();
    for counter in 2..=255u8 {
        if out.len() >= length {
            break;
        }
        let mixed: Vec<u8> = b0.iter().zip(&block).map(|(a, b)| a ^ b).collect();
        block = hash(&[&mixed, &[counter], &tag]);
        out.extend(&block);
    }
    out.truncate(length);
    out
}

/// hash_to_field (RFC 9380 section 5.2): elements of 48 octets each, big-endian.
fn to_field(message: &[u8], tag: &[u8], count: usize) -> Vec<BigUint> {
    expand(message, tag, 48 * count)
        .chunks(48)
        .map(|octets| BigUint::from_bytes_be(octets) % &*P)
        .collect()
}

/// A square root, if there is one.
fn root(square: &BigUint) -> Option<BigUint> {
    let root = square.modpow(&((&*P + 3u8) / 8u8), &P);
    [root.clone(), mul(&root, &SQRT_M1)]
        .into_iter()
        .find(|root| mul(root, root) == *square)
}

/// A root of this parity: sgn0 of RFC 9380 section 4.1.
fn with_sign(root: BigUint, odd: bool) -> BigUint {
    if root.bit(0) == odd { root } else { neg(&root) }
}

/// The root of -486664 that is even (RFC 9380 appendix D.1 and section 6.8.1).
static C1: LazyLock<BigUint> =
    LazyLock::new(|| with_sign(root(&neg(&int(J + 2))).expect("a square"), false));

/// map_to_curve_elligator2 with Z = 2 (RFC 9380 section 6.7.1), as a point of edwards25519 (section 6.8.2).
fn map(u: &BigUint) -> Point {
    let one = int(1);
    // x1 = -J / (1 + Z u^2), or -J where that divides by 0.
    let denominator = add(&one, &mul(&int(2), &mul(u, u)));
    let x1 = if denominator == int(0) {
        neg(&int(J))
    } else {
        mul(&neg(&int(J)), &invert(&denominator))
    };
    let x2 = sub(&neg(&x1), &int(J));
    // x^3 + J x^2 + x.
    let right = |x: &BigUint| mul(x, &add(&mul(&add(x, &int(J)), x), &one));
    let (x, y) = match root(&right(&x1)) {
        Some(y) => (x1, with_sign(y, true)),
        None => {
            let y = root(&right(&x2)).expect("one of the two is a square");
            (x2, with_sign(y, false))
        }
    };
    // The rational map to the Edwards curve; where it divides by 0, the neutral element.
    let below = add(&x, &one);
    if below == int(0) || y == int(0) {
        return Point::identity();
    }
    let v = mul(&mul(&C1, &x), &invert(&y));
    let w = mul(&sub(&x, &one), &invert(&below));
    Point::from_affine(&v, &w)
}

/// hash_to_curve of edwards25519 (RFC 9380 section 8.5), a point. Of curve25519 it is the same point.
pub(crate) fn hash_to_curve(message: &[u8], tag: &[u8]) -> Point {
    let fields = to_field(message, tag, 2);
    map(&fields[0]).add(&map(&fields[1])).mul(&int(8))
}

/// encode_to_curve.
pub(crate) fn encode_to_curve(message: &[u8], tag: &[u8]) -> Point {
    map(&to_field(message, tag, 1)[0]).mul(&int(8))
}

/// hash_to_ristretto255 (RFC 9380 appendix B).
pub(crate) fn hash_to_ristretto(message: &[u8], tag: &[u8]) -> [u8; 32] {
    let uniform = expand(message, tag, 64);
    let uniform = uniform.as_slice().try_into().expect("64 octets");
    ristretto::encode(&ristretto::from_uniform(uniform))
}

/// The octets of the u coordinate of such a point.
pub(crate) fn u_octets(point: &Point) -> [u8; 32] {
    field::to_bytes(&point.montgomery_u())
}
