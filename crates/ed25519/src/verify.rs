//! The one verification core. Every way to verify (single, multipart,
//! streaming, prehashed, context, batch) asks it what the rules of a profile
//! say about a key and a signature before the equation is computed.

use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule, EdwardsPoint};
use lanner_curve::scalar::Scalar;
use sha2::{Digest, digest::typenum::U64};

use crate::Signature;
use crate::domain::Domain;
use crate::encoding;
use crate::equation::{self, PublicPoint};
use crate::errors::{SignatureError, require};
use crate::profile::{Rules, ScalarRule};

/// A public key as verification needs it: its bytes, and its point in some
/// form. What [`PublicKey`](crate::PublicKey) is sealed by.
pub trait KeyParts {
    type Point: PublicPoint;

    /// The bytes that were given, which the hash absorbs and the rules judge.
    fn encoding(&self) -> &[u8; 32];

    /// What they decode to.
    fn point(&self) -> &Self::Point;
}

impl<K: KeyParts> KeyParts for &K {
    type Point = K::Point;

    fn encoding(&self) -> &[u8; 32] {
        (**self).encoding()
    }

    fn point(&self) -> &Self::Point {
        (**self).point()
    }
}

/// A signature that, with some key, passed every check but the equation.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) s: Scalar,
    pub(crate) r: CandidateR,
}

/// R in the form that the equation wants.
#[derive(Clone)]
pub(crate) enum CandidateR {
    /// For the cofactorless equation: bytes to compare with. They may not even
    /// encode a point, and then the comparison fails.
    Bytes([u8; 32]),
    /// For the cofactored equation.
    Point(EdwardsPoint),
}

impl Candidate {
    /// RFC 8032 section 5.1.7 step 1, as `rules` modify it.
    pub(crate) fn new(
        rules: &Rules,
        key: &[u8; 32],
        signature: &Signature,
    ) -> Result<Self, SignatureError> {
        let s = admit(rules, key, signature)?;
        let r = signature.r_bytes();
        let r = if rules.cofactored {
            CandidateR::Point(equation::decode(r).ok_or_else(SignatureError::new)?)
        } else {
            CandidateR::Bytes(*r)
        };
        Ok(Candidate { s, r })
    }

    /// RFC 8032 section 5.1.7 step 3. Variable time.
    pub(crate) fn vartime_check(
        &self,
        k: &Scalar,
        a: &impl PublicPoint,
    ) -> Result<(), SignatureError> {
        require(match &self.r {
            CandidateR::Bytes(r) => a.vartime_cofactorless(k, &self.s, r),
            CandidateR::Point(r) => a.vartime_cofactored(k, &self.s, r),
        })
    }
}

/// S modulo L, if the encodings of the key and of the signature are what `rules` accept.
/// Whether R encodes a point is left open.
pub(crate) fn admit(
    rules: &Rules,
    key: &[u8; 32],
    signature: &Signature,
) -> Result<Scalar, SignatureError> {
    let r = signature.r_bytes();
    require(rules.non_canonical_key || encoding::is_canonical(key))?;
    require(rules.small_order || !(encoding::is_small_order(key) || encoding::is_small_order(r)))?;
    // Without the cofactor, R is compared with a canonical encoding in the end.
    require(!rules.cofactored || rules.non_canonical_r || encoding::is_canonical(r))?;
    decode_scalar(rules.scalar, signature.s_bytes())
}

/// S modulo L, if `rule` allows it.
fn decode_scalar(rule: ScalarRule, bytes: &[u8; 32]) -> Result<Scalar, SignatureError> {
    match rule {
        ScalarRule::Reduced => {
            Option::from(Scalar::from_canonical_bytes(*bytes)).ok_or_else(SignatureError::new)
        }
        ScalarRule::Below253Bits => {
            require(bytes[31] & 0xe0 == 0)?;
            // Only [S]B is ever computed and B has order L.
            Ok(Scalar::from_bytes_mod_order(*bytes))
        }
    }
}

/// The hash of RFC 8032 section 5.1.7 step 2, ready to absorb the message.
pub(crate) fn challenge_hash<D: Digest>(domain: Domain<'_>, key: &[u8; 32], r: &[u8; 32]) -> D {
    let mut hash: D = domain.start();
    hash.update(r);
    hash.update(key);
    hash
}

/// k: the hash as an integer, reduced modulo L. Not for secrets: the hash is
/// not wiped.
pub(crate) fn challenge<D: Digest<OutputSize = U64>>(hash: D) -> Scalar {
    Scalar::from_bytes_mod_order_wide(&hash.finalize().into())
}

/// Verifies a message that is given in parts. Variable time.
pub(crate) fn verify_parts<D: Digest<OutputSize = U64>>(
    rules: &Rules,
    key: &impl KeyParts,
    domain: Domain<'_>,
    message: &[&[u8]],
    signature: &Signature,
) -> Result<(), SignatureError> {
    // RFC 8032 section 5.1.7. Step 1: the encodings of R, S and A.
    let candidate = Candidate::new(rules, key.encoding(), signature)?;
    // Step 2: k = SHA-512(dom2 || R || A || PH(M)).
    let mut hash: D = challenge_hash(domain, key.encoding(), signature.r_bytes());
    for part in message {
        hash.update(part);
    }
    // Step 3: the equation of the group.
    candidate.vartime_check(&challenge(hash), key.point())
}

/// [`verify_parts`] under a key that is not decoded: its point and R are decoded together, which
/// takes little longer than one of them where there are vectors. Variable time.
pub(crate) fn verify_encoded<D: Digest<OutputSize = U64>>(
    rules: &Rules,
    key: &[u8; 32],
    domain: Domain<'_>,
    message: &[&[u8]],
    signature: &Signature,
) -> Result<(), SignatureError> {
    let s = admit(rules, key, signature)?;
    let r = signature.r_bytes();
    // Without the cofactor, R is compared with a canonical encoding in the end.
    require(rules.cofactored || encoding::is_canonical(r))?;
    let encodings = [CompressedEdwardsY(*key), CompressedEdwardsY(*r)];
    let [Some(a), Some(r_point)] =
        CompressedEdwardsY::vartime_decompress_pair(&encodings, DecodingRule::Zip215)
    else {
        return Err(SignatureError::new());
    };
    let mut hash: D = challenge_hash(domain, key, r);
    for part in message {
        hash.update(part);
    }
    let k = challenge(hash);
    require(if rules.cofactored {
        EdwardsPoint::vartime_group_equation_cofactored(&s, &r_point, &k, &a)
    } else {
        EdwardsPoint::vartime_group_equation(&s, &r_point, &k, &a)
    })
}
