//! Ed25519 (RFC 8032) after its hashes.

use lanner_curve::Scalar;

use crate::multiply::{Base, multiply_base, vartime_defect};
use crate::point;
use crate::rule;

/// The public key of a clamped scalar.
pub(crate) fn public_key(secret: &[u8; 32], base: &mut Base) -> [u8; 32] {
    point::encode(&multiply_base(secret, base))
}

/// R for a nonce below L.
pub(crate) fn commitment(nonce: &Scalar, base: &mut Base) -> [u8; 32] {
    point::encode(&multiply_base(nonce.as_bytes(), base))
}

/// [`commitment`] and [`public_key`].
pub(crate) fn commitment_and_key(
    nonce: &Scalar,
    secret: &[u8; 32],
    base: &mut Base,
) -> [[u8; 32]; 2] {
    let r = multiply_base(nonce.as_bytes(), base);
    point::encode_both([&r, &multiply_base(secret, base)])
}

/// S: k a + r modulo L, for the hash k and the clamped scalar a.
pub(crate) fn response(hash: &[u8; 64], secret: &[u8; 32], nonce: &Scalar) -> [u8; 32] {
    let k = Scalar::from_bytes_mod_order_wide(hash);
    (k * Scalar::from_bytes_mod_order(*secret) + nonce).to_bytes()
}

/// Whether a signature is valid, given the hash of R, A and the message; not in constant time.
pub(crate) fn verify(
    hash: &[u8; 64],
    [r, s]: [&[u8; 32]; 2],
    public: &[u8; 32],
    rules: u32,
    base: &mut Base,
) -> bool {
    let is = |bit| rules & bit != 0;
    let scalar = Scalar::from_bytes_mod_order(*s);
    if s[31] >> 5 != 0 || !is(rule::LOOSE_SCALAR) && scalar.as_bytes() != s {
        return false;
    }
    let Some([a, point_r]) = point::vartime_decode([public, r]) else {
        return false;
    };
    let cofactored = is(rule::COFACTORED);
    if is(rule::CANONICAL_KEY) && point::encode_affine(&a) != *public
        || (!cofactored || is(rule::CANONICAL_R)) && point::encode_affine(&point_r) != *r
        || is(rule::LARGE_ORDER)
            && (point::vartime_is_small_order(&a) || point::vartime_is_small_order(&point_r))
    {
        return false;
    }
    let k = Scalar::from_bytes_mod_order_wide(hash);
    let defect = vartime_defect(&scalar, base, &k, &a, &point_r);
    if cofactored {
        point::vartime_is_small_order(&defect)
    } else {
        point::vartime_is_identity(&defect)
    }
}
