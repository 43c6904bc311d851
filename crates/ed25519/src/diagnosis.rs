//! Why a signature is not valid: for logs and people, beside the verdict and never in its place.

use core::fmt;

use crate::encoding;
use crate::equation;
use crate::profile::{ProfileName, Rules, ScalarRule};
use crate::{PUBLIC_KEY_LENGTH, Signature, VerifyingKey};

/// The first rule of a [profile](crate::profile) that a signature breaks, in the order of the variants.
///
/// Whoever decides on a signature needs the verdict alone: every way of being invalid is the same. The reason is for those
/// who look for the fault in a column of a million signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The public key encodes no point of the curve, or not canonically under a profile that asks for it.
    KeyEncoding,
    /// The public key has small order, under a profile that refuses this: anybody can sign under it.
    WeakKey,
    /// R encodes no point of the curve, not canonically, or one of small order under a profile that refuses this.
    REncoding,
    /// S is not in the range of the profile: below L, or below 2^253.
    SRange,
    /// The equation does not hold: another message, another key, or a forgery.
    Equation,
}

impl Reason {
    /// A name for logs and tables, which never changes: `key_encoding`, `weak_key`, `r_encoding`, `s_range`, `equation`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::KeyEncoding => "key_encoding",
            Reason::WeakKey => "weak_key",
            Reason::REncoding => "r_encoding",
            Reason::SRange => "s_range",
            Reason::Equation => "equation",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::KeyEncoding => {
                "the public key is no encoding of a point that the profile accepts"
            }
            Reason::WeakKey => "the public key has small order",
            Reason::REncoding => "R is no encoding of a point that the profile accepts",
            Reason::SRange => "S is out of range",
            Reason::Equation => "the equation does not hold: another message or key, or a forgery",
        })
    }
}

/// Why [`VerifyingKey::verify_from_bytes`] refuses a signature; `None` exactly if it accepts it. Variable time, and no faster
/// than a verification.
///
/// ```
/// use lanner_ed25519::{Signer, SigningKey, diagnose, profile::Strict};
///
/// let signing_key = SigningKey::from_bytes(&[1; 32]);
/// let public = signing_key.verifying_key().to_bytes();
/// let mut signature = signing_key.sign(b"message").to_bytes();
/// assert_eq!(diagnose(&public, Strict, b"message", &signature.into()), None);
///
/// signature[63] |= 0x80;
/// let reason = diagnose(&public, Strict, b"message", &signature.into());
/// assert_eq!(reason.unwrap().as_str(), "s_range");
/// ```
pub fn diagnose(
    key: &[u8; PUBLIC_KEY_LENGTH],
    profile: impl Into<ProfileName>,
    message: &[u8],
    signature: &Signature,
) -> Option<Reason> {
    let profile = profile.into();
    let verdict = VerifyingKey::verify_from_bytes(key, profile, message, signature);
    // The rules only explain a verdict; they cannot change it.
    verdict
        .err()
        .map(|_| first_broken(&profile.rules(), key, signature))
}

fn first_broken(rules: &Rules, key: &[u8; 32], signature: &Signature) -> Reason {
    let (r, s) = (signature.r_bytes(), signature.s_bytes());
    let canonical_r = rules.cofactored && rules.non_canonical_r || encoding::is_canonical(r);
    let in_range = match rules.scalar {
        ScalarRule::Reduced => bool::from(lanner_curve::Scalar::from_canonical_bytes(*s).is_some()),
        ScalarRule::Below253Bits => s[31] & 0xe0 == 0,
    };
    if !(rules.non_canonical_key || encoding::is_canonical(key)) || equation::decode(key).is_none()
    {
        Reason::KeyEncoding
    } else if !rules.small_order && encoding::is_small_order(key) {
        Reason::WeakKey
    } else if !canonical_r
        || equation::decode(r).is_none()
        || !rules.small_order && encoding::is_small_order(r)
    {
        Reason::REncoding
    } else if !in_range {
        Reason::SRange
    } else {
        Reason::Equation
    }
}
