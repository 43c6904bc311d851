//! The base points, and the points of small order.

use lanner_curve::constants as inner;

#[cfg(feature = "precomputed-tables")]
use crate::edwards::EdwardsBasepointTable;
use crate::edwards::{CompressedEdwardsY, EdwardsPoint};
use crate::montgomery::MontgomeryPoint;
#[cfg(feature = "precomputed-tables")]
use crate::ristretto::RistrettoBasepointTable;
use crate::ristretto::{CompressedRistretto, RistrettoPoint};
use crate::scalar::Scalar;

/// The base point B of Ed25519, encoded: y = 4/5, x even (RFC 8032, section 5.1).
pub const ED25519_BASEPOINT_COMPRESSED: CompressedEdwardsY =
    CompressedEdwardsY(inner::ED25519_BASEPOINT_COMPRESSED.0);

/// The base point of X25519: u = 9 (RFC 7748, section 4.1).
pub const X25519_BASEPOINT: MontgomeryPoint = MontgomeryPoint(inner::X25519_BASEPOINT.0);

/// The base point of ristretto255, encoded (RFC 9496, section 4.3.1).
pub const RISTRETTO_BASEPOINT_COMPRESSED: CompressedRistretto =
    CompressedRistretto(inner::RISTRETTO_BASEPOINT_COMPRESSED.0);

/// The base point of ristretto255.
pub const RISTRETTO_BASEPOINT_POINT: RistrettoPoint =
    RistrettoPoint(inner::RISTRETTO_BASEPOINT_POINT);

/// The base point B of Ed25519.
pub const ED25519_BASEPOINT_POINT: EdwardsPoint = EdwardsPoint(inner::ED25519_BASEPOINT_POINT);

/// The points whose order divides 8: `EIGHT_TORSION[i]` is i times `EIGHT_TORSION[1]`.
pub const EIGHT_TORSION: [EdwardsPoint; 8] = {
    let [a, b, c, d, e, f, g, h] = inner::EIGHT_TORSION;
    [
        EdwardsPoint(a),
        EdwardsPoint(b),
        EdwardsPoint(c),
        EdwardsPoint(d),
        EdwardsPoint(e),
        EdwardsPoint(f),
        EdwardsPoint(g),
        EdwardsPoint(h),
    ]
};

/// The order L = 2^252 + 27742317777372353535851937790883648493 of the base point, which is not reduced: as an element
/// of its type it is no number modulo L.
#[deprecated(since = "4.1.1", note = "it is not in the range of its type")]
pub const BASEPOINT_ORDER: Scalar = Scalar::integer([
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10,
]);

/// Multiples of the base point B of Ed25519.
#[cfg(feature = "precomputed-tables")]
pub static ED25519_BASEPOINT_TABLE: &EdwardsBasepointTable = &EdwardsBasepointTable::ED25519;

/// Multiples of the base point of ristretto255.
#[cfg(feature = "precomputed-tables")]
pub static RISTRETTO_BASEPOINT_TABLE: &RistrettoBasepointTable =
    &RistrettoBasepointTable::RISTRETTO;
