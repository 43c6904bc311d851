//! Integers modulo p = 2^255 - 19, and modulo L, as plain big integers.

use std::sync::LazyLock;

use num_bigint::BigUint;

/// p = 2^255 - 19 (RFC 7748 section 4.1).
pub(crate) static P: LazyLock<BigUint> = LazyLock::new(|| (BigUint::from(1u8) << 255) - 19u8);

/// L = 2^252 + 27742317777372353535851937790883648493, the order of the base
/// point (RFC 8032 section 5.1).
pub(crate) static L: LazyLock<BigUint> = LazyLock::new(|| {
    let tail: BigUint = "27742317777372353535851937790883648493"
        .parse()
        .expect("digits");
    (BigUint::from(1u8) << 252) + tail
});

/// d = -121665/121666 (RFC 8032 section 5.1).
pub(crate) static D: LazyLock<BigUint> = LazyLock::new(|| {
    mul(
        &neg(&BigUint::from(121_665u32)),
        &invert(&BigUint::from(121_666u32)),
    )
});

/// A square root of -1: 2^((p-1)/4) (RFC 8032 section 5.1.3).
pub(crate) static SQRT_M1: LazyLock<BigUint> =
    LazyLock::new(|| BigUint::from(2u8).modpow(&((&*P - 1u8) / 4u8), &P));

/// A small integer.
pub(crate) fn int(value: u32) -> BigUint {
    BigUint::from(value)
}

/// a + b mod p.
pub(crate) fn add(a: &BigUint, b: &BigUint) -> BigUint {
    (a + b) % &*P
}

/// a - b mod p, for a and b below p.
pub(crate) fn sub(a: &BigUint, b: &BigUint) -> BigUint {
    (a + &*P - b) % &*P
}

/// a * b mod p.
pub(crate) fn mul(a: &BigUint, b: &BigUint) -> BigUint {
    (a * b) % &*P
}

/// -a mod p, for a at most p.
pub(crate) fn neg(a: &BigUint) -> BigUint {
    (&*P - a) % &*P
}

/// a^(p-2) mod p: the inverse, and 0 for 0.
pub(crate) fn invert(a: &BigUint) -> BigUint {
    a.modpow(&(&*P - 2u8), &P)
}

/// The 32 little-endian octets of a number below 2^256.
pub(crate) fn to_bytes(n: &BigUint) -> [u8; 32] {
    let digits = n.to_bytes_le();
    assert!(digits.len() <= 32, "wider than 256 bits");
    let mut out = [0u8; 32];
    out[..digits.len()].copy_from_slice(&digits);
    out
}

/// The number that little-endian octets stand for.
pub(crate) fn from_bytes(bytes: &[u8]) -> BigUint {
    BigUint::from_bytes_le(bytes)
}
