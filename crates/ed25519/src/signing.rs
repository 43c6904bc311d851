//! Secret keys.

use core::fmt;

use crate::sha512::Sha512;
use ed25519::signature::{KeypairRef, MultipartSigner, MultipartVerifier, Signer, Verifier};
use lanner_curve::scalar::{Scalar, clamp_in_place};
use lanner_simd::stack::cleared;
#[cfg(all(feature = "digest", feature = "rand_core"))]
use sha2_digest::common::Generate;
#[cfg(feature = "digest")]
use sha2_digest::{
    common::{InvalidKey, Key, KeySizeUser, TryKeyInit},
    typenum::U32,
};
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::depth;
use crate::domain::Domain;
use crate::errors::require;
use crate::expanded::{ExpandedSecretKey, hash_secret_key};
#[cfg(feature = "hazmat")]
use crate::stream::StreamVerifier;
use crate::{KEYPAIR_LENGTH, SECRET_KEY_LENGTH, Signature, SignatureError, VerifyingKey};

/// A secret key as RFC 8032 section 5.1.5 defines it: 32 random bytes, also
/// known as the seed.
pub type SecretKey = [u8; SECRET_KEY_LENGTH];

/// An Ed25519 key that signs.
///
/// It holds the secret key, what the secret key expands to, and the public key
/// that was derived from it; no function sets one without the others.
///
/// Wiped when dropped; `Debug` shows the public key only; comparison takes
/// constant time.
pub struct SigningKey {
    secret_key: SecretKey,
    expanded: ExpandedSecretKey,
    verifying_key: VerifyingKey,
}

impl SigningKey {
    /// The signing key of a secret key. Every 32 bytes are one. Constant time.
    ///
    /// ```
    /// use lanner_ed25519::SigningKey;
    ///
    /// let secret_key = [0x9d; 32];
    /// assert_eq!(SigningKey::from_bytes(&secret_key).to_bytes(), secret_key);
    /// ```
    pub fn from_bytes(secret_key: &SecretKey) -> Self {
        cleared::<{ depth::KEY }, _>(|| {
            let expanded = ExpandedSecretKey::expand(secret_key);
            let verifying_key = expanded.verifying_key();
            SigningKey {
                secret_key: *secret_key,
                expanded,
                verifying_key,
            }
        })
    }

    /// A copy of the 32-byte secret key, which the caller should wipe.
    #[inline]
    pub fn to_bytes(&self) -> SecretKey {
        self.secret_key
    }

    /// The 32-byte secret key.
    #[inline]
    pub fn as_bytes(&self) -> &SecretKey {
        &self.secret_key
    }

    /// Takes a key pair of 64 bytes: the secret key, then the public key.
    ///
    /// # Errors
    ///
    /// If the public key is not the one of the secret key; nothing is ever
    /// signed with a key pair that does not match.
    pub fn from_keypair_bytes(bytes: &[u8; KEYPAIR_LENGTH]) -> Result<SigningKey, SignatureError> {
        cleared::<{ depth::COPY }, _>(|| {
            let (secret, public) = bytes.split_at(SECRET_KEY_LENGTH);
            let signing_key = SigningKey::try_from(secret)?;
            let derived = signing_key.verifying_key.as_bytes();
            require(derived[..].ct_eq(public).into())?;
            Ok(signing_key)
        })
    }

    /// The key pair as 64 bytes: the secret key, then the public key. The caller
    /// should wipe them.
    pub fn to_keypair_bytes(&self) -> [u8; KEYPAIR_LENGTH] {
        let mut bytes = [0; KEYPAIR_LENGTH];
        bytes[..SECRET_KEY_LENGTH].copy_from_slice(&self.secret_key);
        bytes[SECRET_KEY_LENGTH..].copy_from_slice(self.verifying_key.as_bytes());
        bytes
    }

    /// The public key.
    pub fn verifying_key(&self) -> VerifyingKey {
        self.verifying_key
    }

    /// A new random key, from any cryptographically secure generator.
    ///
    /// ```
    /// use getrandom::{SysRng, rand_core::UnwrapErr};
    /// use lanner_ed25519::SigningKey;
    ///
    /// let signing_key = SigningKey::generate(&mut UnwrapErr(SysRng));
    /// assert!(!signing_key.verifying_key().is_weak());
    /// ```
    #[cfg(feature = "rand_core")]
    pub fn generate<R: rand_core::CryptoRng + ?Sized>(csprng: &mut R) -> SigningKey {
        let mut secret_key = zeroize::Zeroizing::new(SecretKey::default());
        csprng.fill_bytes(&mut *secret_key);
        Self::from_bytes(&secret_key)
    }

    /// A new random key, from the generator of the operating system. Absent on
    /// WebAssembly without WASI, where there is none: see [`Self::from_bytes`].
    ///
    /// # Errors
    ///
    /// If the operating system gives no randomness.
    #[cfg(all(
        feature = "getrandom",
        not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
    ))]
    pub fn generate_from_os() -> Result<SigningKey, lanner_simd::NoRandomness> {
        cleared::<{ depth::COPY }, _>(|| {
            let mut secret_key = zeroize::Zeroizing::new(SecretKey::default());
            lanner_simd::OsRng::try_fill(&mut *secret_key)?;
            Ok(Self::from_bytes(&secret_key))
        })
    }

    /// Signs with Ed25519ctx (RFC 8032 section 5.1), which binds the signature
    /// to a context: the name of the protocol, say. Constant time in all but
    /// the lengths.
    ///
    /// # Errors
    ///
    /// If the context is empty or longer than 255 bytes.
    ///
    /// ```
    /// use lanner_ed25519::{SigningKey, profile::Strict};
    ///
    /// let signing_key = SigningKey::from_bytes(&[5; 32]);
    /// let signature = signing_key.sign_ctx(b"example v1", b"message")?;
    /// let key = signing_key.verifying_key().under(Strict);
    /// assert!(key.verify_ctx(b"example v1", b"message", &signature).is_ok());
    /// assert!(key.verify_ctx(b"example v2", b"message", &signature).is_err());
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    pub fn sign_ctx(&self, context: &[u8], message: &[u8]) -> Result<Signature, SignatureError> {
        let domain = Domain::with_context(context)?;
        Ok(self.sign_domain(domain, &[message]))
    }

    /// Verifies with the public key under [`profile::Dalek`]: cofactorless; S below L; R
    /// canonical; any encoding of the key, weak keys included. New programs
    /// should prefer [`Self::verify_strict`].
    ///
    /// With feature `legacy_compatibility`, the rule is
    /// [`profile::Donna`](crate::profile::Donna).
    ///
    /// # Errors
    ///
    /// If the signature is not valid.
    ///
    /// [`profile::Dalek`]: crate::profile::Dalek
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), SignatureError> {
        self.verifying_key.verify(message, signature)
    }

    /// Verifies with the public key under
    /// [`profile::Strict`](crate::profile::Strict): cofactorless; S below L;
    /// neither the key nor R of small order; R canonical. Recommended.
    ///
    /// With feature `legacy_compatibility`, S need only be below 2^253.
    ///
    /// # Errors
    ///
    /// If the signature is not valid.
    pub fn verify_strict(
        &self,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.verifying_key.verify_strict(message, signature)
    }

    /// Starts to verify a message that comes in pieces with the public key,
    /// under [`profile::Dalek`](crate::profile::Dalek).
    ///
    /// With feature `legacy_compatibility`, S need only be below 2^253.
    ///
    /// # Errors
    ///
    /// If the signature can be refused before the message is seen.
    #[cfg(feature = "hazmat")]
    pub fn verify_stream(&self, signature: &Signature) -> Result<StreamVerifier, SignatureError> {
        self.verifying_key.verify_stream(signature)
    }

    /// The first 32 bytes of SHA-512 of the secret key, **not clamped**: the
    /// secret key for X25519 that belongs to
    /// [`VerifyingKey::to_montgomery`], which the caller should wipe. (X25519
    /// clamps by itself.)
    ///
    /// Using one key for signing and for key agreement is safe in many
    /// protocols, but not in all: prefer two keys.
    pub fn to_scalar_bytes(&self) -> [u8; 32] {
        cleared::<{ depth::KEY }, _>(|| {
            let hash = hash_secret_key(&self.secret_key);
            *hash.first_chunk().expect("64 is more than 32")
        })
    }

    /// The secret key for X25519 that belongs to
    /// [`VerifyingKey::to_x25519_public_bytes`], 32 bytes, which the caller
    /// should wipe. Constant time.
    ///
    /// These are [`Self::to_scalar_bytes`], clamped as RFC 7748 section 5 says,
    /// so that implementations agree that do not clamp when they use it.
    pub fn to_x25519_secret_bytes(&self) -> [u8; 32] {
        cleared::<{ depth::COPY }, _>(|| {
            let mut bytes = self.to_scalar_bytes();
            clamp_in_place(&mut bytes);
            bytes
        })
    }

    /// The secret scalar, clamped and then reduced modulo L: \[scalar]B is the
    /// public key. It is `Copy` and wipes nothing by itself: the caller should.
    pub fn to_scalar(&self) -> Scalar {
        self.expanded.scalar
    }

    /// A key of all its parts, which belong together.
    pub(crate) fn from_parts(
        secret_key: &SecretKey,
        expanded: ExpandedSecretKey,
        verifying_key: VerifyingKey,
    ) -> Self {
        SigningKey {
            secret_key: *secret_key,
            expanded,
            verifying_key,
        }
    }

    pub(crate) fn expanded(&self) -> &ExpandedSecretKey {
        &self.expanded
    }

    /// Signs under the derived public key.
    pub(crate) fn sign_domain(&self, domain: Domain<'_>, message: &[&[u8]]) -> Signature {
        self.expanded
            .sign_parts::<Sha512>(domain, self.verifying_key.as_bytes(), message)
    }
}

impl Signer<Signature> for SigningKey {
    /// Signs deterministically (RFC 8032 section 5.1.6). Never fails. Constant
    /// time in all but the length of the message.
    fn try_sign(&self, message: &[u8]) -> Result<Signature, SignatureError> {
        Ok(self.sign_domain(Domain::PURE, &[message]))
    }
}

impl MultipartSigner<Signature> for SigningKey {
    /// Signs the concatenation of the parts. Never fails.
    fn try_multipart_sign(&self, message: &[&[u8]]) -> Result<Signature, SignatureError> {
        Ok(self.sign_domain(Domain::PURE, message))
    }
}

impl Verifier<Signature> for SigningKey {
    /// Verifies with the public key under [`profile::Dalek`](crate::profile::Dalek).
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), SignatureError> {
        self.verifying_key.verify(message, signature)
    }
}

impl MultipartVerifier<Signature> for SigningKey {
    /// Verifies the concatenation of the parts with the public key, under
    /// [`profile::Dalek`](crate::profile::Dalek).
    fn multipart_verify(
        &self,
        message: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.verifying_key.multipart_verify(message, signature)
    }
}

impl Clone for SigningKey {
    fn clone(&self) -> Self {
        SigningKey {
            secret_key: self.secret_key,
            expanded: self.expanded.duplicate(),
            verifying_key: self.verifying_key,
        }
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", &self.verifying_key)
            .finish_non_exhaustive()
    }
}

impl ConstantTimeEq for SigningKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.secret_key.ct_eq(&other.secret_key)
    }
}

impl PartialEq for SigningKey {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for SigningKey {}

impl Drop for SigningKey {
    fn drop(&mut self) {
        // `expanded` wipes itself.
        self.secret_key.zeroize();
    }
}

impl ZeroizeOnDrop for SigningKey {}

impl AsRef<VerifyingKey> for SigningKey {
    fn as_ref(&self) -> &VerifyingKey {
        &self.verifying_key
    }
}

impl KeypairRef for SigningKey {
    type VerifyingKey = VerifyingKey;
}

impl From<SecretKey> for SigningKey {
    fn from(mut secret_key: SecretKey) -> Self {
        let signing_key = Self::from_bytes(&secret_key);
        secret_key.zeroize();
        signing_key
    }
}

impl From<&SecretKey> for SigningKey {
    fn from(secret_key: &SecretKey) -> Self {
        Self::from_bytes(secret_key)
    }
}

impl TryFrom<&[u8]> for SigningKey {
    type Error = SignatureError;

    /// The signing key of a secret key. Constant time.
    ///
    /// # Errors
    ///
    /// If the slice is not 32 bytes long.
    fn try_from(bytes: &[u8]) -> Result<SigningKey, SignatureError> {
        let secret_key = bytes.try_into().map_err(|_| SignatureError::new())?;
        cleared::<{ depth::COPY }, _>(|| Ok(Self::from_bytes(secret_key)))
    }
}

#[cfg(feature = "digest")]
impl KeySizeUser for SigningKey {
    type KeySize = U32;
}

#[cfg(feature = "digest")]
impl TryKeyInit for SigningKey {
    /// The signing key of a secret key of 32 bytes. Never fails. Constant time.
    fn new(key: &Key<Self>) -> Result<Self, InvalidKey> {
        cleared::<{ depth::COPY }, _>(|| Ok(Self::from_bytes(key.as_ref())))
    }
}

#[cfg(all(feature = "digest", feature = "rand_core"))]
impl Generate for SigningKey {
    fn try_generate_from_rng<R: rand_core::TryCryptoRng + ?Sized>(
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        cleared::<{ depth::COPY }, _>(|| {
            let mut secret_key = zeroize::Zeroizing::new(SecretKey::default());
            rng.try_fill_bytes(&mut *secret_key)?;
            Ok(Self::from_bytes(&secret_key))
        })
    }
}
