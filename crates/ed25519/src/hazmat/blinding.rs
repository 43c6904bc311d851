//! Key blinding, and the other operations on keys that Tor's onion services
//! need (Tor's rend-spec-v3, appendix "Key blinding").
//!
//! From one key pair (a, A) and a public parameter h, everybody can derive the
//! blinded public key \[h]A, and the owner its secret h*a. Signatures under the
//! blinded key verify as any others, and nobody who does not know A can tell
//! which key they belong to.

use crate::sha512::Sha512;
use lanner_curve::montgomery::MontgomeryPoint;
use lanner_curve::scalar::{Scalar, clamp_in_place, clamp_integer};
use lanner_simd::stack::cleared;
use sha2::Digest;
use zeroize::Zeroizing;

use super::ExpandedSecretKey;
use crate::depth;
use crate::expanded::{hash_output, hash_secret_key};
use crate::{EXPANDED_SECRET_KEY_LENGTH, SecretKey, SignatureError, VerifyingKey};

/// Separates the nonce prefix of a blinded key from that of its origin.
const PREFIX_LABEL: &[u8] = b"Derive temporary signing key hash input";

/// The 64 bytes that a secret key expands to: the secret scalar, clamped but
/// not reduced, then the nonce prefix (RFC 8032 section 5.1.5 steps 1 and 2).
/// Constant time.
pub fn expand_secret_key(secret_key: &SecretKey) -> Zeroizing<[u8; EXPANDED_SECRET_KEY_LENGTH]> {
    cleared::<{ depth::KEY }, _>(|| {
        let mut bytes = hash_secret_key(secret_key);
        let (scalar, _) = bytes.split_first_chunk_mut().expect("64 is more than 32");
        clamp_in_place(scalar);
        bytes
    })
}

/// The factor h modulo L: the parameter, clamped.
fn blinding_factor(parameter: &[u8; 32]) -> Scalar {
    Scalar::from_bytes_mod_order(clamp_integer(*parameter))
}

/// The secret key that belongs to [`blind_public_key`] with the same
/// parameter: scalar h*a modulo L, where h is the parameter, clamped; prefix
/// the first 32 bytes of SHA-512 of "Derive temporary signing key hash input"
/// and the old prefix. Constant time.
///
/// The parameter is 32 bytes that the protocol derives by hashing, from the
/// public key and the time period in Tor's. It need not be secret.
///
/// **Hazard:** this is no one-way derivation. Whoever knows the blinded scalar
/// and the parameter can compute the scalar of the original key.
///
/// ```
/// use lanner_ed25519::{Sha512, SigningKey, Verifier};
/// use lanner_ed25519::hazmat::{ExpandedSecretKey, blind_public_key, blind_secret_key, raw_sign};
///
/// let signing_key = SigningKey::from_bytes(&[1; 32]);
/// let parameter = [2; 32]; // a hash, in earnest
///
/// let secret = ExpandedSecretKey::from(signing_key.as_bytes());
/// let blinded_secret = blind_secret_key(&secret, &parameter);
/// let blinded_key = blind_public_key(&signing_key.verifying_key(), &parameter);
///
/// let signature = raw_sign::<Sha512>(&blinded_secret, b"message", &blinded_key);
/// blinded_key.verify_strict(b"message", &signature)?;
/// # Ok::<(), lanner_ed25519::SignatureError>(())
/// ```
pub fn blind_secret_key(secret: &ExpandedSecretKey, parameter: &[u8; 32]) -> ExpandedSecretKey {
    cleared::<{ depth::KEY }, _>(|| {
        let mut hash = Sha512::new();
        hash.update(PREFIX_LABEL);
        hash.update(secret.hash_prefix.as_slice());
        let hash = hash_output(hash);
        ExpandedSecretKey {
            scalar: blinding_factor(parameter) * secret.scalar,
            hash_prefix: *hash.first_chunk().expect("64 is more than 32"),
        }
    })
}

/// The blinded public key \[h]A, where h is the parameter, clamped and reduced
/// modulo L.
///
/// A key with a component of small order keeps one: see
/// [`VerifyingKey::is_torsion_free`].
pub fn blind_public_key(key: &VerifyingKey, parameter: &[u8; 32]) -> VerifyingKey {
    VerifyingKey::from(key.to_edwards() * blinding_factor(parameter))
}

/// The Ed25519 public key with this X25519 public key (32 bytes, little-endian
/// u) and this sign of x: y = (u - 1)/(u + 1) (RFC 7748 section 4.1). The
/// inverse of [`VerifyingKey::to_montgomery`]; which sign belongs to a secret is
/// not known to the X25519 key.
///
/// # Errors
///
/// If u is not the coordinate of a point of this curve. (About half of all
/// values are those of its twist, on which X25519 works too.)
pub fn verifying_key_from_x25519(
    public_key: &[u8; 32],
    x_is_odd: bool,
) -> Result<VerifyingKey, SignatureError> {
    MontgomeryPoint(*public_key)
        .to_edwards(x_is_odd.into())
        .map(VerifyingKey::from)
        .ok_or_else(SignatureError::new)
}

/// The encoding of \[L]A, where L is the order of the base point: that of the
/// neutral element, 1 and 31 zeros, if and only if
/// [`VerifyingKey::is_torsion_free`].
pub fn mul_by_group_order(key: &VerifyingKey) -> [u8; 32] {
    // L - 1 is the greatest scalar.
    let point = key.to_edwards();
    (point * -Scalar::ONE + point).compress().to_bytes()
}

impl ExpandedSecretKey {
    /// Takes 64 bytes: the scalar, little-endian, which is reduced modulo L but
    /// **not clamped**, and the prefix. For blinded keys, whose scalar clamping
    /// would change, and for what [`expand_secret_key`] gives. Constant time.
    pub fn from_unclamped_bytes(bytes: &[u8; EXPANDED_SECRET_KEY_LENGTH]) -> Self {
        cleared::<{ depth::KEY }, _>(|| {
            let (scalar, prefix) = bytes.split_first_chunk().expect("64 is more than 32");
            ExpandedSecretKey {
                scalar: Scalar::from_bytes_mod_order(*scalar),
                hash_prefix: prefix.try_into().expect("64 is twice 32"),
            }
        })
    }

    /// The scalar, reduced modulo L, and the prefix: 64 bytes for
    /// [`Self::from_unclamped_bytes`]. [`Self::from_bytes`] makes another key of
    /// them.
    pub fn to_unclamped_bytes(&self) -> Zeroizing<[u8; EXPANDED_SECRET_KEY_LENGTH]> {
        let mut bytes = Zeroizing::new([0; EXPANDED_SECRET_KEY_LENGTH]);
        bytes[..32].copy_from_slice(self.scalar.as_bytes());
        bytes[32..].copy_from_slice(&self.hash_prefix);
        bytes
    }
}
