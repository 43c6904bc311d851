//! Key agreement that refuses an all-zero result (RFC 7748 section 6.1).

use core::fmt;

use crate::shared::SharedSecret;
use crate::x25519::CALLER_DEPTH;
use lanner_curve::montgomery::MontgomeryPoint;
use lanner_simd::stack::cleared;
use zeroize::Zeroize;

/// The error of a checked key agreement: the other party's public key is a
/// point of small order, so that the result is all zero and does not depend on
/// any secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NonContributory(());

impl fmt::Display for NonContributory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the public key has small order: the shared secret would be zero")
    }
}

impl core::error::Error for NonContributory {}

/// `shared`, unless it is all zero. Which of both is visible in the result
/// anyway; the comparison takes constant time.
pub(crate) fn require_contributory(shared: SharedSecret) -> Result<SharedSecret, NonContributory> {
    if shared.was_contributory() {
        Ok(shared)
    } else {
        Err(NonContributory(()))
    }
}

/// X25519 (RFC 7748 section 5) of a scalar and a u coordinate of 32 bytes each,
/// but an all-zero result is refused, as RFC 7748 section 6.1 allows and RFC
/// 9180 and others demand. Constant time but for the verdict.
///
/// # Errors
///
/// If `u` is the coordinate of a point of small order.
///
/// ```
/// use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519_checked};
///
/// assert!(x25519_checked([1; 32], X25519_BASEPOINT_BYTES).is_ok());
/// assert!(x25519_checked([1; 32], [0; 32]).is_err());
/// ```
pub fn x25519_checked(mut k: [u8; 32], u: [u8; 32]) -> Result<[u8; 32], NonContributory> {
    cleared::<CALLER_DEPTH, _>(|| {
        let shared = SharedSecret(MontgomeryPoint(u).mul_clamped(k));
        k.zeroize();
        Ok(require_contributory(shared)?.to_bytes())
    })
}
