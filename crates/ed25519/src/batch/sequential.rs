//! Batches without allocation.

use super::{Batch, side_by_side};
use crate::errors::require;
use crate::{ProfileVerifier, SignatureError};

impl Batch<'_> {
    /// One verdict per signature, without allocation: `verdicts[i]` becomes whether
    /// `signatures[i]` is valid. For any number of signatures, with or without the feature
    /// `batch`.
    ///
    /// On a processor with vectors of eight lanes (AVX-512 IFMA) signatures are verified side by
    /// side, several times as fast as in a loop. On others this is no faster than a loop: it
    /// verifies one signature after the other, because a combination keeps tables for every item
    /// and hence needs memory that grows with the batch. If all signatures are of few keys, a
    /// `PreparedVerifyingKey` for each key is faster there and does not allocate either.
    ///
    /// # Errors
    ///
    /// If `verdicts` has another length than the batch; it stays as it is then. (An invalid
    /// signature is no error here.)
    pub fn verify_each_into(&self, verdicts: &mut [bool]) -> Result<(), SignatureError> {
        require(verdicts.len() == self.len())?;
        if side_by_side::pays() {
            self.verify_side_by_side(verdicts);
            return Ok(());
        }
        for (i, verdict) in verdicts.iter_mut().enumerate() {
            *verdict = ProfileVerifier::new(self.rules, &self.verifying_keys[i])
                .verify(self.messages[i], &self.signatures[i])
                .is_ok();
        }
        Ok(())
    }
}
