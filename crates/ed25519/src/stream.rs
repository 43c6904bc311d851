//! Verification of a message that comes in pieces.

use core::fmt;

use crate::sha512::Sha512;
use sha2::Digest;

use crate::domain::Domain;
use crate::profile::Rules;
use crate::under::PublicKey;
use crate::verify::{Candidate, challenge, challenge_hash};
use crate::{Signature, SignatureError, VerifyingKey};

/// Verifies one signature on a message that is given in pieces, in constant
/// memory.
///
/// Made by [`ProfileVerifier::verify_stream`](crate::ProfileVerifier::verify_stream), which
/// says what the profile is. The pieces may be cut anywhere. `K` is the form of the key.
pub struct StreamVerifier<K = VerifyingKey> {
    key: K,
    candidate: Candidate,
    hash: Sha512,
}

impl<K: PublicKey> StreamVerifier<K> {
    pub(crate) fn new(
        rules: &Rules,
        key: K,
        domain: Domain<'_>,
        signature: &Signature,
    ) -> Result<Self, SignatureError> {
        // RFC 8032 section 5.1.7: step 1, and the beginning of step 2.
        Ok(StreamVerifier {
            candidate: Candidate::new(rules, key.encoding(), signature)?,
            hash: challenge_hash(domain, key.encoding(), signature.r_bytes()),
            key,
        })
    }

    /// Absorbs the next piece of the message.
    pub fn update(&mut self, chunk: impl AsRef<[u8]>) {
        self.hash.update(chunk);
    }

    /// The verdict on everything absorbed.
    ///
    /// # Errors
    ///
    /// If the signature is not valid for it.
    pub fn finalize_and_verify(self) -> Result<(), SignatureError> {
        // Steps 2 and 3.
        self.candidate
            .vartime_check(&challenge(self.hash), self.key.point())
    }
}

impl<K> fmt::Debug for StreamVerifier<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamVerifier").finish_non_exhaustive()
    }
}
