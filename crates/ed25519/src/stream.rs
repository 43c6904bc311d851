//! Verification of a message that comes in pieces.

use core::fmt;

use sha2::{Digest, Sha512};

use crate::domain::Domain;
use crate::profile::Rules;
use crate::verify::{Candidate, challenge, challenge_hash};
use crate::{Signature, SignatureError, VerifyingKey};

/// Verifies one signature on a message that is given in pieces, in constant
/// memory.
///
/// Made by [`VerifyingKey::verify_stream_strict`] and its relatives, which
/// choose the profile. The pieces may be cut anywhere.
pub struct StreamVerifier {
    candidate: Candidate,
    hash: Sha512,
}

impl StreamVerifier {
    pub(crate) fn new(
        rules: &Rules,
        key: &VerifyingKey,
        domain: Domain<'_>,
        signature: &Signature,
    ) -> Result<Self, SignatureError> {
        Ok(StreamVerifier {
            candidate: Candidate::new(rules, key, signature)?,
            hash: challenge_hash(domain, key.as_bytes(), signature.r_bytes()),
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
        self.candidate.vartime_check(&challenge(self.hash))
    }
}

impl fmt::Debug for StreamVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamVerifier").finish_non_exhaustive()
    }
}
