//! Public keys.

use core::fmt;
use core::hash::{Hash, Hasher};

use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule, EdwardsPoint};
use lanner_curve::montgomery::MontgomeryPoint;
#[cfg(feature = "digest")]
use sha2_digest::{common::KeySizeUser, typenum::U32};

use crate::domain::Domain;
use crate::errors::require;
use crate::profile::ProfileName;
use crate::sha512::Sha512;
use crate::under::verifies;
use crate::verify::{KeyParts, verify_encoded};
use crate::{PUBLIC_KEY_LENGTH, Signature, SignatureError, SigningKey, encoding, equation};

/// An Ed25519 public key: a point of the curve and the bytes that encoded it.
///
/// Decoding follows ZIP 215: y is taken modulo p, and a sign bit on x = 0 is
/// ignored. The bytes are kept as given. They are what signatures are checked
/// against, what the profiles that insist on canonical encodings look at, and
/// what `==` and `Hash` compare: two encodings of one point are two keys.
///
/// There is no `Default`: the point that one would expect there, the neutral
/// element, is a key under which anybody can sign.
#[derive(Clone, Copy)]
pub struct VerifyingKey {
    /// Decodes to `point`.
    compressed: CompressedEdwardsY,
    point: EdwardsPoint,
}

impl VerifyingKey {
    /// Decodes a public key from its 32 bytes.
    ///
    /// # Errors
    ///
    /// If no point of the curve has this y coordinate (about half of all
    /// values). Non-canonical encodings and weak keys are accepted here: see
    /// [`Self::is_weak`] and the [profiles](crate::profile).
    ///
    /// ```
    /// use lanner_ed25519::VerifyingKey;
    ///
    /// // The public key of RFC 8032 section 7.1, test 1.
    /// let bytes = [
    ///     0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9, 0x64,
    ///     0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3, 0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68,
    ///     0xf7, 0x07, 0x51, 0x1a,
    /// ];
    /// let key = VerifyingKey::from_bytes(&bytes)?;
    /// assert_eq!(key.to_bytes(), bytes);
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    #[inline]
    pub fn from_bytes(bytes: &[u8; PUBLIC_KEY_LENGTH]) -> Result<VerifyingKey, SignatureError> {
        let point = equation::decode(bytes).ok_or_else(SignatureError::new)?;
        Ok(VerifyingKey {
            compressed: CompressedEdwardsY(*bytes),
            point,
        })
    }

    /// Decodes several public keys: `keys[i]` becomes what [`Self::from_bytes`] makes of
    /// `bytes[i]`, and `None` where that is an error.
    ///
    /// Where the processor has vectors that are wide enough, keys are decoded side by side, up
    /// to eight for little more than the time of one. No allocation.
    ///
    /// # Panics
    ///
    /// If there are not as many places for keys as encodings.
    ///
    /// ```
    /// use lanner_ed25519::{SigningKey, VerifyingKey};
    ///
    /// let bytes = [SigningKey::from_bytes(&[1; 32]).verifying_key().to_bytes(), [2; 32]];
    /// let mut keys = [None; 2];
    /// VerifyingKey::from_bytes_each(&bytes, &mut keys);
    /// assert_eq!(keys[0], Some(VerifyingKey::from_bytes(&bytes[0])?));
    /// assert_eq!(keys[1], None);
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    pub fn from_bytes_each(bytes: &[[u8; PUBLIC_KEY_LENGTH]], keys: &mut [Option<VerifyingKey>]) {
        /// A multiple of the lanes of every backend.
        const GROUP: usize = 16;

        assert_eq!(bytes.len(), keys.len());
        for (bytes, keys) in bytes.chunks(GROUP).zip(keys.chunks_mut(GROUP)) {
            let mut compressed = [CompressedEdwardsY::default(); GROUP];
            for (encoding, bytes) in compressed.iter_mut().zip(bytes) {
                encoding.0 = *bytes;
            }
            let compressed = &compressed[..keys.len()];
            let mut points = [None; GROUP];
            let points = &mut points[..keys.len()];
            CompressedEdwardsY::vartime_decompress_batch(compressed, DecodingRule::Zip215, points);
            for ((key, &compressed), point) in keys.iter_mut().zip(compressed).zip(points) {
                *key = point.map(|point| VerifyingKey { compressed, point });
            }
        }
    }

    /// Verifies an Ed25519 signature of 64 bytes (RFC 8032, section 5.1.7) under a key that is given by its 32
    /// bytes and not needed again: exactly the verdict of `from_bytes(bytes)?.under(profile).verify(message, signature)`.
    ///
    /// Where the processor has vectors that are wide enough, the key is decoded beside R, which saves a tenth of
    /// the time. Variable time.
    ///
    /// # Errors
    ///
    /// If no point of the curve has the key's y coordinate, or if the signature is not valid.
    ///
    /// ```
    /// use lanner_ed25519::{Signer, SigningKey, VerifyingKey, profile::Strict};
    ///
    /// let signing_key = SigningKey::from_bytes(&[1; 32]);
    /// let signature = signing_key.sign(b"message");
    /// let bytes = signing_key.verifying_key().to_bytes();
    /// VerifyingKey::verify_from_bytes(&bytes, Strict, b"message", &signature)?;
    /// assert!(VerifyingKey::verify_from_bytes(&bytes, Strict, b"passage", &signature).is_err());
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    pub fn verify_from_bytes(
        bytes: &[u8; PUBLIC_KEY_LENGTH],
        profile: impl Into<ProfileName>,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        let rules = profile.into().rules();
        verify_encoded::<Sha512>(&rules, bytes, Domain::PURE, &[message], signature)
    }

    /// The 32 bytes that this key was decoded from.
    #[inline]
    pub fn to_bytes(&self) -> [u8; PUBLIC_KEY_LENGTH] {
        self.compressed.to_bytes()
    }

    /// The 32 bytes that this key was decoded from.
    #[inline]
    pub fn as_bytes(&self) -> &[u8; PUBLIC_KEY_LENGTH] {
        self.compressed.as_bytes()
    }

    /// Whether this key has small order (1, 2, 4 or 8). Under such a key
    /// signatures can be made that are valid for many messages or all of them,
    /// by anybody. [`Self::verify_strict`] refuses it.
    pub fn is_weak(&self) -> bool {
        encoding::is_small_order(self.as_bytes())
    }

    /// Whether this key is in the subgroup of order L, as every honestly made
    /// key is: it has no component of small order. (The neutral element is
    /// torsion-free, and weak.)
    ///
    /// No profile asks for it. Costs about half a verification. Variable time.
    pub fn is_torsion_free(&self) -> bool {
        self.point.vartime_is_torsion_free()
    }

    /// Whether the bytes are the canonical encoding of the point, the only one
    /// that RFC 8032 section 5.1.3 decodes.
    pub fn is_canonical(&self) -> bool {
        encoding::is_canonical(self.as_bytes())
    }

    /// The u coordinate of this key on Curve25519 (RFC 7748 section 4.1), for
    /// X25519. The sign of x is lost.
    pub fn to_montgomery(&self) -> MontgomeryPoint {
        self.point.to_montgomery()
    }

    /// The X25519 public key of whoever holds this key's secret (RFC 7748
    /// section 4.1), 32 bytes; [`SigningKey::to_x25519_secret_bytes`] is the
    /// secret. In contrast to [`Self::to_montgomery`] it refuses keys that
    /// nobody makes honestly.
    ///
    /// # Errors
    ///
    /// If this key is weak or not [torsion-free](Self::is_torsion_free).
    ///
    /// ```
    /// use lanner_ed25519::{SigningKey, VerifyingKey};
    ///
    /// let key = SigningKey::from_bytes(&[1; 32]).verifying_key();
    /// assert_eq!(key.to_x25519_public_bytes()?, key.to_montgomery().to_bytes());
    ///
    /// let mut one = [0; 32];
    /// one[0] = 1;
    /// assert!(VerifyingKey::from_bytes(&one)?.to_x25519_public_bytes().is_err());
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    pub fn to_x25519_public_bytes(&self) -> Result<[u8; 32], SignatureError> {
        require(!self.is_weak() && self.is_torsion_free())?;
        Ok(self.to_montgomery().to_bytes())
    }

    /// A key of both its forms: `compressed` decodes to `point`.
    pub(crate) fn from_parts(compressed: CompressedEdwardsY, point: EdwardsPoint) -> Self {
        VerifyingKey { compressed, point }
    }

    /// The decoded point.
    pub fn to_edwards(&self) -> EdwardsPoint {
        self.point
    }
}

verifies!(VerifyingKey as VerifyingKey, self => *self);

impl KeyParts for VerifyingKey {
    type Point = EdwardsPoint;

    fn encoding(&self) -> &[u8; 32] {
        self.as_bytes()
    }

    fn point(&self) -> &EdwardsPoint {
        &self.point
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VerifyingKey(")?;
        for byte in self.as_bytes() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

impl AsRef<[u8]> for VerifyingKey {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl PartialEq for VerifyingKey {
    /// Compares encodings. Public keys are public: variable time.
    fn eq(&self, other: &VerifyingKey) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for VerifyingKey {}

impl Hash for VerifyingKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl From<&SigningKey> for VerifyingKey {
    fn from(signing_key: &SigningKey) -> VerifyingKey {
        signing_key.verifying_key()
    }
}

impl From<EdwardsPoint> for VerifyingKey {
    fn from(point: EdwardsPoint) -> VerifyingKey {
        VerifyingKey {
            compressed: point.compress(),
            point,
        }
    }
}

impl From<VerifyingKey> for EdwardsPoint {
    fn from(key: VerifyingKey) -> EdwardsPoint {
        key.point
    }
}

impl TryFrom<&[u8]> for VerifyingKey {
    type Error = SignatureError;

    /// Decodes a public key.
    ///
    /// # Errors
    ///
    /// If the slice is not 32 bytes long, or no point of the curve has this y
    /// coordinate.
    #[inline]
    fn try_from(bytes: &[u8]) -> Result<Self, SignatureError> {
        match bytes.try_into() {
            Ok(bytes) => Self::from_bytes(bytes),
            Err(_) => Err(SignatureError::new()),
        }
    }
}

#[cfg(feature = "digest")]
impl KeySizeUser for VerifyingKey {
    type KeySize = U32;
}
