//! The function X25519 on bytes.

use lanner_curve::montgomery::MontgomeryPoint;

/// The u coordinate of the base point: 9 (RFC 7748 section 4.1).
pub const X25519_BASEPOINT_BYTES: [u8; 32] = {
    let mut bytes = [0; 32];
    bytes[0] = 9;
    bytes
};

/// The function X25519 of RFC 7748 section 5: the scalar `k`, which is clamped,
/// times the point with the coordinate `u`, whose top bit is ignored. Constant
/// time.
///
/// The result is all zero if `u` is the coordinate of a point of small order:
/// [`x25519_checked`](crate::x25519_checked) refuses that. The arguments are
/// copies that the caller should wipe.
///
/// ```
/// use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519};
///
/// let (alice, bob) = ([1; 32], [2; 32]);
/// let alice_public = x25519(alice, X25519_BASEPOINT_BYTES);
/// let bob_public = x25519(bob, X25519_BASEPOINT_BYTES);
/// assert_eq!(x25519(alice, bob_public), x25519(bob, alice_public));
/// ```
pub fn x25519(k: [u8; 32], u: [u8; 32]) -> [u8; 32] {
    scalar_mul(&k, &MontgomeryPoint(u)).to_bytes()
}

/// The product of the clamped scalar and a point.
pub(crate) fn scalar_mul(k: &[u8; 32], u: &MontgomeryPoint) -> MontgomeryPoint {
    u.mul_clamped(*k)
}

/// The product of the clamped scalar and the base point.
pub(crate) fn scalar_mul_base(k: &[u8; 32]) -> MontgomeryPoint {
    MontgomeryPoint::mul_base_clamped(*k)
}
