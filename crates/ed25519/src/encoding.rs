//! Facts about encoded points that can be read off their bytes.
//!
//! RFC 8032 section 5.1.2 encodes a point as y, little-endian in 255 bits,
//! with the parity of x in the top bit. Two things can make such an encoding
//! non-canonical: y in [p, 2^255), and the sign bit set where x = 0, which is
//! the case for y = 1 and y = -1. Nothing here is secret: time varies.

/// p = 2^255 - 19, little-endian.
const P: [u8; 32] = p_minus(0);

/// p - `d` for `d` up to 0xed, little-endian.
const fn p_minus(d: u8) -> [u8; 32] {
    let mut bytes = [0xff; 32];
    bytes[0] = 0xed - d;
    bytes[31] = 0x7f;
    bytes
}

/// `d` as 32 bytes, little-endian.
const fn small(d: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[0] = d;
    bytes
}

/// One of the two values of y among the four points of order 8, and its
/// negative is the other: the roots of d*y^4 + 2*y^2 - 1, which is the
/// condition that doubling the point gives y = 0.
const ORDER_8: [[u8; 32]; 2] = [
    [
        0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98,
        0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53,
        0xfc, 0x05,
    ],
    [
        0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67,
        0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac,
        0x03, 0x7a,
    ],
];

/// Every 255-bit value of y that decodes to a point of small order: 1 and -1
/// (orders 1 and 2), 0 (order 4), those of order 8, and the encodings of 0 and
/// 1 that are not reduced modulo p.
const SMALL_ORDER: [[u8; 32]; 7] = [
    small(0),
    small(1),
    p_minus(1),
    P,
    {
        let mut p_plus_1 = P;
        p_plus_1[0] += 1;
        p_plus_1
    },
    ORDER_8[0],
    ORDER_8[1],
];

/// The encoding without its sign bit: y.
fn y_of(encoding: &[u8; 32]) -> [u8; 32] {
    let mut y = *encoding;
    y[31] &= 0x7f;
    y
}

/// Whether y is below p.
fn y_is_reduced(y: &[u8; 32]) -> bool {
    // y >= p = 2^255 - 19 means: all bits set except for the lowest byte,
    // which is 0xed or more.
    !(y[31] == 0x7f && y[1..31].iter().all(|&byte| byte == 0xff) && y[0] >= P[0])
}

/// Whether a decodable encoding is canonical: the one that RFC 8032
/// section 5.1.3 accepts.
pub(crate) fn is_canonical(encoding: &[u8; 32]) -> bool {
    let y = y_of(encoding);
    let negative = encoding[31] >> 7 == 1;
    let x_is_zero = y == small(1) || y == p_minus(1);
    y_is_reduced(&y) && !(negative && x_is_zero)
}

/// Whether an encoding, canonical or not, decodes to a point whose order
/// divides the cofactor 8.
pub(crate) fn is_small_order(encoding: &[u8; 32]) -> bool {
    SMALL_ORDER.contains(&y_of(encoding))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanner_curve::edwards::CompressedEdwardsY;

    /// Every y near 0, 1 and p, those of order 8, and their neighbours.
    fn candidates() -> std::vec::Vec<[u8; 32]> {
        let mut all = std::vec::Vec::new();
        for d in 0..=40u8 {
            all.push(small(d));
            let mut high = [0xff; 32];
            high[0] = 0xff - d;
            high[31] = 0x7f;
            all.push(high);
        }
        for y in ORDER_8 {
            all.push(y);
            let mut next = y;
            next[0] ^= 1;
            all.push(next);
            let mut next = y;
            next[20] ^= 1;
            all.push(next);
        }
        let positive = all.clone();
        all.extend(positive.into_iter().map(|mut y| {
            y[31] |= 0x80;
            y
        }));
        all
    }

    /// Bytes of y that decide, at either end and between, in all combinations.
    #[test]
    fn reduced_is_below_p() {
        for low in [0, 0xec, 0xed, 0xee, 0xff] {
            for middle in [0, 0xfe, 0xff] {
                for (high, at) in [(0x7e, 30), (0x7f, 1), (0x7f, 15), (0x7f, 30)] {
                    let mut y = [0xff; 32];
                    (y[0], y[at], y[31]) = (low, middle, high);
                    let is_below = y.iter().rev().lt(P.iter().rev());
                    assert_eq!(y_is_reduced(&y), is_below, "{y:02x?}");
                }
            }
        }
    }

    #[test]
    fn agrees_with_the_curve() {
        let mut small_order = 0;
        let mut non_canonical = 0;
        for encoding in candidates() {
            let Some(point) = CompressedEdwardsY(encoding).decompress() else {
                continue;
            };
            assert_eq!(is_canonical(&encoding), point.compress().0 == encoding);
            assert_eq!(is_small_order(&encoding), point.is_small_order());
            small_order += usize::from(is_small_order(&encoding));
            non_canonical += usize::from(!is_canonical(&encoding));
        }
        // Eight points of small order and the six other encodings of them.
        assert_eq!(small_order, 14);
        // Both signs of each y in [p, 2^255) on the curve, and x = 0 with the
        // sign bit for y = 1 and y = -1.
        assert!(non_canonical > 14, "{non_canonical}");
    }
}
