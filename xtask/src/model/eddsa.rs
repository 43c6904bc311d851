//! Ed25519, Ed25519ctx and Ed25519ph (RFC 8032 sections 5.1.5 to 5.1.7), and who
//! accepts which signature.

use num_bigint::BigUint;
use sha2::{Digest, Sha512};

use super::edwards::{BASE, DecodeRule, Point, TORSION};
use super::field::{self, L, int};

/// Which of the three schemes of RFC 8032 section 5.1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scheme<'a> {
    /// Ed25519: no context, no prefix.
    Pure,
    /// Ed25519ctx with its context (1 to 255 octets).
    Context(&'a [u8]),
    /// Ed25519ph with its context (0 to 255 octets); the message is given whole.
    Prehash(&'a [u8]),
}

impl Scheme<'_> {
    /// dom2(phflag, context), or nothing for plain Ed25519 (RFC 8032 section 2).
    fn dom2(&self) -> Vec<u8> {
        let (flag, context) = match self {
            Self::Pure => return Vec::new(),
            Self::Context(context) => (0u8, context),
            Self::Prehash(context) => (1u8, context),
        };
        let length = u8::try_from(context.len()).expect("a context of at most 255 octets");
        let mut out = b"SigEd25519 no Ed25519 collisions".to_vec();
        out.extend([flag, length]);
        out.extend_from_slice(context);
        out
    }

    /// PH(M): the identity, or SHA-512 for Ed25519ph.
    fn prehash(&self, message: &[u8]) -> Vec<u8> {
        match self {
            Self::Pure | Self::Context(_) => message.to_vec(),
            Self::Prehash(_) => Sha512::digest(message).to_vec(),
        }
    }

    /// SHA-512(dom2 || parts || PH(M)) as an integer mod L.
    fn hash_to_scalar(&self, parts: &[&[u8]], message: &[u8]) -> BigUint {
        let mut hash = Sha512::new();
        hash.update(self.dom2());
        for part in parts {
            hash.update(part);
        }
        hash.update(self.prehash(message));
        field::from_bytes(&hash.finalize()) % &*L
    }
}

/// k = SHA-512(dom2 || R || A || PH(M)) mod L over the octets as given.
///
/// Every verifier known reduces k mod L before it multiplies; with a key that
/// has a torsion part, an unreduced k would change the cofactorless verdict.
pub(crate) fn challenge(scheme: Scheme<'_>, r: &[u8; 32], a: &[u8; 32], message: &[u8]) -> BigUint {
    scheme.hash_to_scalar(&[r, a], message)
}

/// The secret scalar (clamped) and the prefix (RFC 8032 section 5.1.5).
fn expand(seed: &[u8; 32]) -> (BigUint, [u8; 32]) {
    let digest = Sha512::digest(seed);
    let mut scalar: [u8; 32] = digest[..32].try_into().expect("half of 64");
    scalar[0] &= 0xf8;
    scalar[31] &= 0x7f;
    scalar[31] |= 0x40;
    (
        field::from_bytes(&scalar),
        digest[32..].try_into().expect("half of 64"),
    )
}

/// The public key of a seed (RFC 8032 section 5.1.5).
pub(crate) fn public_key(seed: &[u8; 32]) -> [u8; 32] {
    BASE.mul(&expand(seed).0).encode()
}

/// The signature of a message (RFC 8032 section 5.1.6).
pub(crate) fn sign(scheme: Scheme<'_>, seed: &[u8; 32], message: &[u8]) -> [u8; 64] {
    let (s, prefix) = expand(seed);
    let a = BASE.mul(&s).encode();
    let r = scheme.hash_to_scalar(&[&prefix], message);
    let r_bytes = BASE.mul(&r).encode();
    let k = challenge(scheme, &r_bytes, &a, message);
    join(&r_bytes, &((r + k * s) % &*L))
}

/// The signature of a message with r = SHA-512(Z || prefix || 64 octets of zero || M), where the zeros fill the
/// first block of the hash (draft-irtf-cfrg-det-sigs-with-noise); all else as in RFC 8032 section 5.1.6.
pub(crate) fn sign_hedged(seed: &[u8; 32], z: &[u8; 32], message: &[u8]) -> [u8; 64] {
    let (s, prefix) = expand(seed);
    let a = BASE.mul(&s).encode();
    let r = Scheme::Pure.hash_to_scalar(&[z, &prefix, &[0; 128 - 32 - 32]], message);
    let r_bytes = BASE.mul(&r).encode();
    let k = challenge(Scheme::Pure, &r_bytes, &a, message);
    join(&r_bytes, &((r + k * s) % &*L))
}

/// R || S.
pub(crate) fn join(r: &[u8; 32], s: &BigUint) -> [u8; 64] {
    let mut out = [0u8; 64];
    out[..32].copy_from_slice(r);
    out[32..].copy_from_slice(&field::to_bytes(s));
    out
}

/// A named rule for who is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// RFC 8032 section 5.1.7 with the multiplication by 8.
    Rfc8032,
    /// RFC 8032 section 5.1.7 without it.
    Rfc8032Cofactorless,
    /// ed25519-dalek's `verify`, Go, OpenSSL, BoringSSL.
    Dalek,
    /// ed25519-dalek's `verify_strict`.
    Strict,
    /// ZIP 215.
    Zip215,
    /// ed25519-donna.
    Donna,
    /// libsodium's `crypto_sign_verify_detached`.
    Libsodium,
    /// SIMD-0376 as its amendment of 2026 would have it.
    Simd0376,
    /// `verify_strict` with ed25519-dalek's feature `legacy_compatibility`: not
    /// a profile of its own, but a drop-in name changes its verdict to this.
    StrictLegacy,
}

impl Profile {
    /// All of them, in the order of the data files.
    pub(crate) const ALL: [Self; 9] = [
        Self::Rfc8032,
        Self::Rfc8032Cofactorless,
        Self::Dalek,
        Self::Strict,
        Self::Zip215,
        Self::Donna,
        Self::Libsodium,
        Self::Simd0376,
        Self::StrictLegacy,
    ];

    /// The name in the data files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rfc8032 => "rfc8032",
            Self::Rfc8032Cofactorless => "rfc8032-cofactorless",
            Self::Dalek => "dalek",
            Self::Strict => "strict",
            Self::Zip215 => "zip215",
            Self::Donna => "donna",
            Self::Libsodium => "libsodium",
            Self::Simd0376 => "simd0376-2026",
            Self::StrictLegacy => "strict-legacy",
        }
    }
}

/// One encoded point of a signature: what decoding says about it.
#[derive(Clone, Debug)]
pub(crate) struct PointFacts {
    /// The point, decoded by ZIP 215's rule; none if no such point exists.
    pub(crate) point: Option<Point>,
    /// Whether RFC 8032 section 5.1.3 takes the encoding.
    pub(crate) canonical: bool,
    /// Whether the point has order 1, 2, 4 or 8.
    pub(crate) small_order: bool,
}

impl PointFacts {
    /// Looks at an encoding.
    pub(crate) fn new(bytes: &[u8; 32]) -> Self {
        let point = Point::decode(bytes, DecodeRule::Zip215);
        Self {
            canonical: Point::decode(bytes, DecodeRule::Rfc8032).is_some(),
            small_order: point.as_ref().is_some_and(Point::has_small_order),
            point,
        }
    }
}

/// All that a rule may ask about a key, a message and a signature.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// The public key.
    pub(crate) a: PointFacts,
    /// The first half of the signature.
    pub(crate) r: PointFacts,
    /// S < L.
    pub(crate) s_reduced: bool,
    /// The three top bits of S are clear: S < 2^253.
    pub(crate) s_top_clear: bool,
    /// S·B = R + k·A; false where a point does not decode.
    pub(crate) cofactorless: bool,
    /// 8·S·B = 8·R + 8·k·A; false where a point does not decode.
    pub(crate) cofactored: bool,
    /// What is left of S·B - R - k·A where that is a torsion point, as its index
    /// in [`TORSION`].
    pub(crate) residue: Option<u32>,
    /// S·B - k·A encodes to the very octets of R; false where A does not decode.
    pub(crate) r_reencodes: bool,
}

impl Facts {
    /// Works the facts out.
    pub(crate) fn new(
        scheme: Scheme<'_>,
        key: &[u8; 32],
        message: &[u8],
        signature: &[u8; 64],
    ) -> Self {
        let r_bytes: &[u8; 32] = signature[..32].try_into().expect("half of 64");
        let s = field::from_bytes(&signature[32..]);
        let mut facts = Self {
            a: PointFacts::new(key),
            r: PointFacts::new(r_bytes),
            s_reduced: s < *L,
            s_top_clear: s.bits() <= 253,
            cofactorless: false,
            cofactored: false,
            residue: None,
            r_reencodes: false,
        };
        if let Some(a) = &facts.a.point {
            let k = challenge(scheme, r_bytes, key, message);
            let recomputed = BASE.mul(&s).sub(&a.mul(&k));
            facts.r_reencodes = recomputed.encode() == *r_bytes;
            if let Some(r) = &facts.r.point {
                let residue = recomputed.sub(r);
                facts.cofactorless = residue.is_identity();
                facts.cofactored = residue.mul(&int(8)).is_identity();
                let index = TORSION.iter().position(|t| t.equals(&residue));
                facts.residue = index.map(|index| index as u32);
            }
        }
        facts
    }

    /// The verdict of a rule: each row of the table of profiles as one formula.
    pub(crate) fn accepted_by(&self, profile: Profile) -> bool {
        let canonical = self.a.canonical && self.r.canonical;
        let small = self.a.small_order || self.r.small_order;
        match profile {
            Profile::Rfc8032 => self.s_reduced && canonical && self.cofactored,
            Profile::Rfc8032Cofactorless => self.s_reduced && canonical && self.cofactorless,
            Profile::Dalek => self.s_reduced && self.r_reencodes,
            Profile::Strict => self.s_reduced && !small && self.r_reencodes,
            Profile::Zip215 => self.s_reduced && self.cofactored,
            Profile::Donna => self.s_top_clear && self.r_reencodes,
            Profile::Libsodium => self.s_reduced && self.a.canonical && !small && self.r_reencodes,
            Profile::Simd0376 => self.s_reduced && canonical && !small && self.cofactored,
            Profile::StrictLegacy => self.s_top_clear && !small && self.r_reencodes,
        }
    }

    /// The names of the rules that accept.
    pub(crate) fn accepted(&self) -> Vec<&'static str> {
        Profile::ALL
            .into_iter()
            .filter(|&p| self.accepted_by(p))
            .map(Profile::name)
            .collect()
    }
}
