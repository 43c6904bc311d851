//! Constants of the curves.

use crate::edwards::{CompressedEdwardsY, EdwardsPoint};
use crate::field::Packed;
use crate::montgomery::MontgomeryPoint;

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
