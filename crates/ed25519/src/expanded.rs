//! The expanded secret key and the signing operation (RFC 8032 sections 5.1.5
//! and 5.1.6).

use core::convert::Infallible;
use core::fmt;

use crate::sha512::Sha512;
use lanner_curve::edwards::EdwardsPoint;
use lanner_curve::scalar::{Scalar, clamp_in_place};
use lanner_simd::stack::cleared;
use sha2::{Digest, digest::typenum::U64};
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::depth;
use crate::domain::Domain;
use crate::errors::SignatureError;
use crate::verify::{challenge, challenge_hash};
use crate::{SecretKey, Signature, VerifyingKey};

/// The secret scalar and the nonce prefix that a [`SecretKey`] expands to.
///
/// In Ed25519 the two are the halves of SHA-512 of the secret key, the first
/// one clamped (RFC 8032 section 5.1.5 steps 1 to 3).
///
/// **Warning.** Two signatures with the same prefix on the same message but
/// under different public keys reveal the scalar, and so does a prefix that
/// others know. Whoever makes the fields by another way than hashing a secret
/// key answers for that.
///
/// Wiped when dropped; `Debug` shows nothing; comparison takes constant time.
pub struct ExpandedSecretKey {
    /// The secret scalar, reduced modulo L.
    pub scalar: Scalar,
    /// Absorbed before the message when the nonce is derived.
    pub hash_prefix: [u8; 32],
}

impl ExpandedSecretKey {
    /// Takes 64 bytes as SHA-512 gives them: the first 32 are clamped and
    /// become the scalar, the last 32 the prefix.
    pub fn from_bytes(bytes: &[u8; 64]) -> Self {
        cleared::<{ depth::KEY }, _>(|| Self::clamped(bytes))
    }

    /// [`Self::from_bytes`], within an operation that clears the stack.
    pub(crate) fn clamped(bytes: &[u8; 64]) -> Self {
        // RFC 8032 section 5.1.5: the halves of step 1, and the clamping of step 2.
        let (scalar, prefix) = bytes.split_first_chunk().expect("64 is more than 32");
        let mut clamped = Zeroizing::new(*scalar);
        clamp_in_place(&mut clamped);
        ExpandedSecretKey {
            scalar: Scalar::from_bytes_mod_order(*clamped),
            hash_prefix: prefix.try_into().expect("64 is twice 32"),
        }
    }

    /// Takes 64 bytes as SHA-512 gives them: the first 32 are clamped and
    /// become the scalar, the last 32 the prefix. Constant time.
    ///
    /// # Errors
    ///
    /// If the slice is not 64 bytes long.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, SignatureError> {
        match bytes.try_into() {
            Ok(bytes) => Ok(Self::from_bytes(bytes)),
            Err(_) => Err(SignatureError::new()),
        }
    }

    /// Signs `message` under the public key that belongs to the scalar, which is derived on the way: for
    /// callers who hold no public key that they could trust. The signature of [`SigningKey::sign`].
    ///
    /// Costs less than deriving the key first, because both multiplications of the base point share
    /// one pass and one inversion. Constant time in all but the length of the message.
    ///
    /// ```
    /// use lanner_ed25519::hazmat::ExpandedSecretKey;
    /// use lanner_ed25519::{Signer, SigningKey};
    ///
    /// let seed = [3; 32];
    /// let signature = ExpandedSecretKey::from(&seed).sign(b"message");
    /// assert_eq!(signature, SigningKey::from_bytes(&seed).sign(b"message"));
    /// ```
    ///
    /// [`SigningKey::sign`]: crate::Signer::sign
    #[cfg(feature = "hazmat")]
    pub fn sign(&self, message: &[u8]) -> Signature {
        self.derive_and_sign::<Sha512>(Domain::PURE, message)
    }

    /// RFC 8032 section 5.1.5 steps 1 to 3, within an operation that clears the stack.
    pub(crate) fn expand(secret_key: &SecretKey) -> Self {
        Self::clamped(&hash_secret_key(secret_key))
    }

    /// A second copy of the secret. Not `Clone`, so that copies stay few.
    pub(crate) fn duplicate(&self) -> Self {
        ExpandedSecretKey {
            scalar: self.scalar,
            hash_prefix: self.hash_prefix,
        }
    }

    /// Within an operation that clears the stack: the public key \[scalar]B (RFC 8032 section 5.1.5 steps 3 and 4).
    pub(crate) fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey::from(EdwardsPoint::mul_base(&self.scalar))
    }

    /// Signs the message that `absorb` feeds to the hash it is given. It is
    /// called twice and must feed the same bytes both times: the caller
    /// answers for that, and for `key` belonging to `self`.
    pub(crate) fn sign_by_update<D, E>(
        &self,
        domain: Domain<'_>,
        key: &[u8; 32],
        mut absorb: impl FnMut(&mut D) -> Result<(), E>,
    ) -> Result<Signature, E>
    where
        D: Digest<OutputSize = U64>,
    {
        cleared::<{ depth::SIGN }, _>(|| {
            // RFC 8032 section 5.1.6. Step 1, h = SHA-512(seed), made `self`.
            // Step 2: r = SHA-512(dom2 || prefix || PH(M)).
            let mut hash = self.nonce_hash::<D>(domain);
            absorb(&mut hash)?;
            // Step 3: R = [r]B.
            let nonce = Nonce::from_hash(hash);
            // Step 4: k = SHA-512(dom2 || R || A || PH(M)).
            let mut hash: D = challenge_hash(domain, key, nonce.commitment());
            absorb(&mut hash)?;
            // Steps 5 and 6: S = r + k s modulo L, and the signature R || S.
            Ok(nonce.respond(&self.scalar, &challenge(hash)))
        })
    }

    /// Signs a message in parts; the caller answers for `key` belonging to `self`.
    pub(crate) fn sign_parts<D>(
        &self,
        domain: Domain<'_>,
        key: &[u8; 32],
        message: &[&[u8]],
    ) -> Signature
    where
        D: Digest<OutputSize = U64>,
    {
        let Ok(signature) = self.sign_by_update(domain, key, |hash: &mut D| {
            for part in message {
                hash.update(part);
            }
            Ok::<(), Infallible>(())
        });
        signature
    }

    /// Signs the message under the public key of `self`, which is derived in the same pass as the
    /// nonce's commitment: both multiply the base point, and both points are encoded with one
    /// inversion.
    #[cfg(feature = "hazmat")]
    pub(crate) fn derive_and_sign<D>(&self, domain: Domain<'_>, message: &[u8]) -> Signature
    where
        D: Digest<OutputSize = U64>,
    {
        cleared::<{ depth::SIGN }, _>(|| {
            // RFC 8032 section 5.1.6 step 2.
            let mut hash = self.nonce_hash::<D>(domain);
            hash.update(message);
            // Step 3, and A = [s]B of section 5.1.5 steps 3 and 4.
            let (key, nonce) = Nonce::with_key(&hash_output(hash), self);
            // Steps 4 to 6.
            let mut hash: D = challenge_hash(domain, &key, nonce.commitment());
            hash.update(message);
            nonce.respond(&self.scalar, &challenge(hash))
        })
    }

    /// The hash of RFC 8032 section 5.1.6 step 2, ready to absorb the message.
    pub(crate) fn nonce_hash<D: Digest>(&self, domain: Domain<'_>) -> D {
        let mut hash: D = domain.start();
        hash.update(self.hash_prefix.as_slice());
        hash
    }
}

/// The nonce r of one signature, with its commitment R = \[r]B.
pub(crate) struct Nonce {
    r: Zeroizing<Scalar>,
    commitment: [u8; 32],
}

impl Nonce {
    /// RFC 8032 section 5.1.6: what step 2 hashed becomes r, and step 3.
    pub(crate) fn from_hash<D: Digest<OutputSize = U64>>(hash: D) -> Self {
        Self::from_bytes(&hash_output(hash))
    }

    /// RFC 8032 section 5.1.6 step 3: r is the 64 bytes of the hash modulo L, and R = \[r]B.
    pub(crate) fn from_bytes(bytes: &[u8; 64]) -> Self {
        let r = Zeroizing::new(Scalar::from_bytes_mod_order_wide(bytes));
        let commitment = EdwardsPoint::mul_base(&r).compress().0;
        Nonce { r, commitment }
    }

    /// A nonce whose commitment has been computed: `commitment` is the encoding of \[r]B.
    pub(crate) fn committed(r: &Scalar, commitment: [u8; 32]) -> Self {
        Nonce {
            r: Zeroizing::new(*r),
            commitment,
        }
    }

    /// The nonce of these 64 bytes and the public key of the secret, computed together.
    #[cfg(feature = "hazmat")]
    fn with_key(bytes: &[u8; 64], secret: &ExpandedSecretKey) -> ([u8; 32], Self) {
        let r = Zeroizing::new(Scalar::from_bytes_mod_order_wide(bytes));
        let points = EdwardsPoint::mul_base_pair(&secret.scalar, &r);
        let [key, commitment] = EdwardsPoint::compress_batch(&points).map(|encoding| encoding.0);
        (key, Nonce { r, commitment })
    }

    /// The encoding of R.
    pub(crate) fn commitment(&self) -> &[u8; 32] {
        &self.commitment
    }

    /// RFC 8032 section 5.1.6 steps 5 and 6, with the secret scalar. Consumes the nonce: answering
    /// two challenges with one reveals the key.
    pub(crate) fn respond(self, secret: &Scalar, k: &Scalar) -> Signature {
        // Step 5.
        let mut ks = k * secret;
        let s = ks + *self.r;
        ks.zeroize();
        // Step 6.
        Signature::from_components(self.commitment, s.to_bytes())
    }
}

impl From<&SecretKey> for ExpandedSecretKey {
    /// RFC 8032 section 5.1.5 steps 1 to 3.
    fn from(secret_key: &SecretKey) -> Self {
        cleared::<{ depth::KEY }, _>(|| Self::expand(secret_key))
    }
}

/// The 64 bytes of a hash that are secret.
pub(crate) fn hash_output<D: Digest<OutputSize = U64>>(hash: D) -> Zeroizing<[u8; 64]> {
    let mut bytes = Zeroizing::new([0; 64]);
    let mut output = hash.finalize();
    bytes.copy_from_slice(&output);
    output.zeroize();
    bytes
}

/// SHA-512 of a secret key.
pub(crate) fn hash_secret_key(secret_key: &SecretKey) -> Zeroizing<[u8; 64]> {
    hash_output(Sha512::new_with_prefix(secret_key))
}

impl TryFrom<&[u8]> for ExpandedSecretKey {
    type Error = SignatureError;

    fn try_from(bytes: &[u8]) -> Result<Self, SignatureError> {
        Self::from_slice(bytes)
    }
}

impl From<&ExpandedSecretKey> for VerifyingKey {
    /// The public key \[scalar]B (RFC 8032 section 5.1.5 steps 3 and 4).
    fn from(secret: &ExpandedSecretKey) -> VerifyingKey {
        cleared::<{ depth::KEY }, _>(|| secret.verifying_key())
    }
}

impl fmt::Debug for ExpandedSecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExpandedSecretKey").finish_non_exhaustive()
    }
}

impl ConstantTimeEq for ExpandedSecretKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.scalar.ct_eq(&other.scalar) & self.hash_prefix.ct_eq(&other.hash_prefix)
    }
}

impl PartialEq for ExpandedSecretKey {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for ExpandedSecretKey {}

impl Drop for ExpandedSecretKey {
    fn drop(&mut self) {
        self.scalar.zeroize();
        self.hash_prefix.zeroize();
    }
}

impl ZeroizeOnDrop for ExpandedSecretKey {}
