//! Scalars from hashes of 64 bytes (RFC 8032, section 5.1.6).

use super::Scalar;
use zeroize::Zeroize;

impl Scalar {
    /// Hashes bytes to a scalar with a hash function of 64 bytes of output.
    ///
    /// ```
    /// use lanner_curve::scalar::Scalar;
    /// use sha2::Sha512;
    ///
    /// let s = Scalar::hash_from_bytes::<Sha512>(b"a message");
    /// assert_ne!(s, Scalar::ZERO);
    /// ```
    pub fn hash_from_bytes<D>(input: &[u8]) -> Self
    where
        D: digest::Digest<OutputSize = digest::consts::U64> + Default,
    {
        Self::from_hash(D::default().chain_update(input))
    }

    /// The scalar that a hash of 64 bytes of output gives: its little-endian
    /// value modulo L.
    ///
    /// ```
    /// use lanner_curve::scalar::Scalar;
    /// use sha2::{Digest, Sha512};
    ///
    /// let hash = Sha512::new().chain_update(b"a ").chain_update(b"message");
    /// assert_eq!(Scalar::from_hash(hash), Scalar::hash_from_bytes::<Sha512>(b"a message"));
    /// ```
    pub fn from_hash<D>(hash: D) -> Self
    where
        D: digest::Digest<OutputSize = digest::consts::U64>,
    {
        let mut output = hash.finalize();
        let mut bytes = [0; 64];
        bytes.copy_from_slice(&output);
        let scalar = Self::from_bytes_mod_order_wide(&bytes);
        bytes.zeroize();
        output.as_mut_slice().zeroize();
        scalar
    }
}
