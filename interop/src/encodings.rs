//! Encodings at the edges of the formats.

/// The order L of the prime-order subgroup, little-endian (RFC 8032 section 5.1).
pub const L: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// The prime p = 2^255 - 19, little-endian.
pub const P: [u8; 32] = {
    let mut bytes = [0xff; 32];
    bytes[0] = 0xed;
    bytes[31] = 0x7f;
    bytes
};

/// The sum of two numbers of 256 bits; what does not fit is dropped.
#[must_use]
pub fn add(a: &[u8; 32], b: &[u8; 32]) -> [u8; 32] {
    let mut sum = [0; 32];
    let mut carry = 0;
    for i in 0..32 {
        carry += u16::from(a[i]) + u16::from(b[i]);
        sum[i] = carry as u8;
        carry >>= 8;
    }
    sum
}

/// A small number, little-endian.
#[must_use]
pub fn small(value: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[0] = value;
    bytes
}

/// With the top bit set: the sign of x in an Edwards encoding, ignored in a u-coordinate.
#[must_use]
pub fn top_bit(mut bytes: [u8; 32]) -> [u8; 32] {
    bytes[31] |= 0x80;
    bytes
}

/// All numbers of 255 bits that are not reduced: p to p + 18.
pub fn unreduced() -> impl Iterator<Item = [u8; 32]> {
    (0..19).map(|i| add(&P, &small(i)))
}

/// The encodings of points of small order that are not canonical: y not reduced, or x = 0 with
/// the sign bit. RFC 8032 section 5.1.3 refuses them, and so many implementations do not.
#[must_use]
pub fn small_order_not_canonical() -> Vec<[u8; 32]> {
    let minus_one = add(&P, &[0xff; 32]);
    vec![
        P,
        top_bit(P),
        add(&P, &small(1)),
        top_bit(add(&P, &small(1))),
        top_bit(small(1)),
        top_bit(minus_one),
    ]
}

#[cfg(test)]
mod tests {
    use super::{P, add, small, unreduced};

    #[test]
    fn numbers_add() {
        assert_eq!(add(&[0xff; 32], &small(1)), [0; 32]);
        let last = unreduced().last().expect("nineteen numbers");
        assert_eq!((last[0], last[31]), (0xff, 0x7f));
        assert_eq!(unreduced().next(), Some(P));
    }
}
