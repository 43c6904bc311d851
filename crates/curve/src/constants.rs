//! Constants of the curves.

#[cfg(feature = "precomputed-tables")]
use crate::edwards::EdwardsBasepointTable;
use crate::edwards::{CompressedEdwardsY, EdwardsPoint};
use crate::field::Packed;
use crate::montgomery::MontgomeryPoint;
#[cfg(feature = "precomputed-tables")]
use crate::ristretto::RistrettoBasepointTable;
use crate::ristretto::{CompressedRistretto, RistrettoPoint};

/// The base point B of Ed25519, encoded: y = 4/5, x even (RFC 8032, section 5.1).
pub const ED25519_BASEPOINT_COMPRESSED: CompressedEdwardsY = CompressedEdwardsY([
    0x58, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
    0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
]);

/// The base point of X25519: u = 9 (RFC 7748, section 4.1).
pub const X25519_BASEPOINT: MontgomeryPoint = {
    let mut bytes = [0; 32];
    bytes[0] = 9;
    MontgomeryPoint(bytes)
};

/// The base point B of Ed25519, of order L = 2^252 + 27742317777372353535851937790883648493.
pub const ED25519_BASEPOINT_POINT: EdwardsPoint = EdwardsPoint {
    x: Packed([
        0xc9562d608f25d51a,
        0x692cc7609525a7b2,
        0xc0a4e231fdd6dc5c,
        0x216936d3cd6e53fe,
    ]),
    y: Packed([
        0x6666666666666658,
        0x6666666666666666,
        0x6666666666666666,
        0x6666666666666666,
    ]),
    z: Packed::ONE,
    t: Packed([
        0x6dde8ab3a5b7dda3,
        0x20f09f80775152f5,
        0x66ea4e8e64abe37d,
        0x67875f0fd78b7665,
    ]),
};

pub use crate::edwards::torsion::EIGHT_TORSION;

/// The multiples of the base point B of Ed25519.
#[cfg(feature = "precomputed-tables")]
pub static ED25519_BASEPOINT_TABLE: &EdwardsBasepointTable = &crate::tables::BASE.0;

/// The base point of Ristretto255, encoded (RFC 9496, appendix A.1).
pub const RISTRETTO_BASEPOINT_COMPRESSED: CompressedRistretto = CompressedRistretto([
    0xe2, 0xf2, 0xae, 0x0a, 0x6a, 0xbc, 0x4e, 0x71, 0xa8, 0x84, 0xa9, 0x61, 0xc5, 0x00, 0x51, 0x5f,
    0x58, 0xe3, 0x0b, 0x6a, 0xa5, 0x82, 0xdd, 0x8d, 0xb6, 0xa6, 0x59, 0x45, 0xe0, 0x8d, 0x2d, 0x76,
]);

/// The base point of Ristretto255: the element that has the base point of Ed25519 in it.
pub const RISTRETTO_BASEPOINT_POINT: RistrettoPoint = RistrettoPoint(ED25519_BASEPOINT_POINT);

/// The multiples of the base point of Ristretto255.
#[cfg(feature = "precomputed-tables")]
pub static RISTRETTO_BASEPOINT_TABLE: &RistrettoBasepointTable = &crate::tables::BASE;

/// The u-coordinates of the points of small order, of the curve and of its twist: any clamped multiple of one of them is 0
/// (Bernstein, <https://cr.yp.to/ecdh.html>). Those of them below 19 also in their other form below 2^255.
pub static X25519_LOW_ORDER_POINTS: [MontgomeryPoint; 7] = {
    /// 2^255 - 19 + `n` for `n` of at least -1.
    const fn p_plus(n: i16) -> [u8; 32] {
        let mut bytes = [0xff; 32];
        bytes[0] = (0xed + n) as u8;
        bytes[31] = 0x7f;
        bytes
    }
    let mut one = [0; 32];
    one[0] = 1;
    [
        MontgomeryPoint([0; 32]),
        MontgomeryPoint(one),
        MontgomeryPoint([
            0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f,
            0xc4, 0x6a, 0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16,
            0x5f, 0x49, 0xb8, 0x00,
        ]),
        MontgomeryPoint([
            0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83,
            0xef, 0x5b, 0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd,
            0xd0, 0x9f, 0x11, 0x57,
        ]),
        MontgomeryPoint(p_plus(-1)),
        MontgomeryPoint(p_plus(0)),
        MontgomeryPoint(p_plus(1)),
    ]
};
