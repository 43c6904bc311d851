//! Public keys with tables, for those that verify many signatures.

use core::fmt;

use crate::equation::PreparedNegative;
use crate::under::verifies;
use crate::verify::KeyParts;
use crate::{PUBLIC_KEY_LENGTH, SignatureError, VerifyingKey};

/// A [`VerifyingKey`] with about 6 kB of tables, for a key that verifies many
/// signatures: that of a certification authority, of another party, of a session.
///
/// Every function gives exactly the verdict of its namesake on
/// [`VerifyingKey`], faster. Making the tables costs about as much as one
/// verification, so that they pay from a handful of signatures on. Everything
/// here is public and takes variable time.
///
/// ```
/// use lanner_ed25519::{PreparedVerifyingKey, Signer, SigningKey};
///
/// let signing_key = SigningKey::from_bytes(&[1; 32]);
/// let prepared = PreparedVerifyingKey::new(&signing_key.verifying_key());
/// for message in [b"one", b"two", b"six"] {
///     prepared.verify_strict(message, &signing_key.sign(message))?;
/// }
/// # Ok::<(), lanner_ed25519::SignatureError>(())
/// ```
#[derive(Clone)]
pub struct PreparedVerifyingKey {
    key: VerifyingKey,
    negative: PreparedNegative,
}

impl PreparedVerifyingKey {
    /// Makes the tables of a key.
    pub fn new(key: &VerifyingKey) -> Self {
        PreparedVerifyingKey {
            key: *key,
            negative: PreparedNegative::new(key.point()),
        }
    }

    /// Decodes a public key from its 32 bytes and makes its tables.
    ///
    /// # Errors
    ///
    /// If no point of the curve has this y coordinate. Non-canonical encodings and weak keys
    /// are accepted, as [`VerifyingKey::from_bytes`] accepts them.
    pub fn from_bytes(bytes: &[u8; PUBLIC_KEY_LENGTH]) -> Result<Self, SignatureError> {
        Ok(Self::new(&VerifyingKey::from_bytes(bytes)?))
    }

    /// The key without the tables.
    pub fn verifying_key(&self) -> VerifyingKey {
        self.key
    }
}

verifies!(PreparedVerifyingKey as &PreparedVerifyingKey, self => self);

impl KeyParts for PreparedVerifyingKey {
    type Point = PreparedNegative;

    fn encoding(&self) -> &[u8; 32] {
        self.key.as_bytes()
    }

    fn point(&self) -> &PreparedNegative {
        &self.negative
    }
}

impl fmt::Debug for PreparedVerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedVerifyingKey")
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

impl AsRef<VerifyingKey> for PreparedVerifyingKey {
    fn as_ref(&self) -> &VerifyingKey {
        &self.key
    }
}

impl From<&VerifyingKey> for PreparedVerifyingKey {
    fn from(key: &VerifyingKey) -> Self {
        Self::new(key)
    }
}

impl From<VerifyingKey> for PreparedVerifyingKey {
    fn from(key: VerifyingKey) -> Self {
        Self::new(&key)
    }
}
