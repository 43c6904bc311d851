//! Verification of a message that comes in pieces.

use core::fmt;

use crate::sha512::Sha512;
use sha2::Digest;

#[cfg(feature = "fast")]
use crate::PreparedVerifyingKey;
use crate::domain::Domain;
use crate::profile::Rules;
use crate::verify::{Candidate, PublicKey, challenge, challenge_hash};
use crate::{Signature, SignatureError, VerifyingKey};

/// A verification under way, whatever the form of the key.
struct Stream<K> {
    key: K,
    candidate: Candidate,
    hash: Sha512,
}

impl<K: PublicKey> Stream<K> {
    fn new(
        rules: &Rules,
        key: K,
        domain: Domain<'_>,
        signature: &Signature,
    ) -> Result<Self, SignatureError> {
        Ok(Stream {
            candidate: Candidate::new(rules, key.encoding(), signature)?,
            hash: challenge_hash(domain, key.encoding(), signature.r_bytes()),
            key,
        })
    }

    fn finalize_and_verify(self) -> Result<(), SignatureError> {
        self.candidate
            .vartime_check(&challenge(self.hash), self.key.point())
    }
}

/// Verifies one signature on a message that is given in pieces, in constant
/// memory.
///
/// Made by [`VerifyingKey::verify_stream_strict`] and its relatives, which
/// choose the profile. The pieces may be cut anywhere.
pub struct StreamVerifier(Stream<VerifyingKey>);

/// As [`StreamVerifier`], under a key with tables. Made by
/// [`PreparedVerifyingKey::verify_stream_strict`] and its relatives.
#[cfg(feature = "fast")]
pub struct PreparedStreamVerifier<'k>(Stream<&'k PreparedVerifyingKey>);

impl StreamVerifier {
    pub(crate) fn new(
        rules: &Rules,
        key: &VerifyingKey,
        domain: Domain<'_>,
        signature: &Signature,
    ) -> Result<Self, SignatureError> {
        Stream::new(rules, *key, domain, signature).map(StreamVerifier)
    }

    /// Absorbs the next piece of the message.
    pub fn update(&mut self, chunk: impl AsRef<[u8]>) {
        self.0.hash.update(chunk);
    }

    /// The verdict on everything absorbed.
    ///
    /// # Errors
    ///
    /// If the signature is not valid for it.
    pub fn finalize_and_verify(self) -> Result<(), SignatureError> {
        self.0.finalize_and_verify()
    }
}

#[cfg(feature = "fast")]
impl<'k> PreparedStreamVerifier<'k> {
    pub(crate) fn new(
        rules: &Rules,
        key: &'k PreparedVerifyingKey,
        domain: Domain<'_>,
        signature: &Signature,
    ) -> Result<Self, SignatureError> {
        Stream::new(rules, key, domain, signature).map(PreparedStreamVerifier)
    }

    /// Absorbs the next piece of the message.
    pub fn update(&mut self, chunk: impl AsRef<[u8]>) {
        self.0.hash.update(chunk);
    }

    /// The verdict on everything absorbed.
    ///
    /// # Errors
    ///
    /// If the signature is not valid for it.
    pub fn finalize_and_verify(self) -> Result<(), SignatureError> {
        self.0.finalize_and_verify()
    }
}

impl fmt::Debug for StreamVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamVerifier").finish_non_exhaustive()
    }
}

#[cfg(feature = "fast")]
impl fmt::Debug for PreparedStreamVerifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedStreamVerifier")
            .finish_non_exhaustive()
    }
}
