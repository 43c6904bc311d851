//! Batches over several threads.

use alloc::vec;
use alloc::vec::Vec;

use rayon::prelude::*;

use super::Batch;
use crate::SignatureError;

/// Fewer signatures than this are not worth the way to another thread.
const SMALLEST_PART: usize = 4;

impl<'b> Batch<'b> {
    /// The verdict of [`Self::verify`], over the threads of the current rayon pool. Each takes a
    /// part, which it verifies as a batch of its own.
    ///
    /// # Errors
    ///
    /// If any signature is not valid.
    ///
    /// ```
    /// use lanner_ed25519::{Signer, SigningKey, batch::Batch, profile::Strict};
    ///
    /// let key = SigningKey::from_bytes(&[1; 32]);
    /// let messages: Vec<Vec<u8>> = (0..100).map(|i| vec![i; 10]).collect();
    /// let messages: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    /// let signatures: Vec<_> = messages.iter().map(|message| key.sign(message)).collect();
    ///
    /// let keys = [key.verifying_key(); 100];
    /// Batch::new(Strict, &messages, &signatures, &keys)?.par_verify()?;
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    pub fn par_verify(&self) -> Result<(), SignatureError> {
        let size = self.part_size();
        (0..self.len().div_ceil(size))
            .into_par_iter()
            .try_for_each(|index| self.part(size, index).verify())
    }

    /// The verdicts of [`Self::verify_each`], over the threads of the current rayon pool. Each
    /// takes a part, which it verifies as a batch of its own.
    pub fn par_verify_each(&self) -> Vec<bool> {
        let size = self.part_size();
        let mut verdicts = vec![false; self.len()];
        verdicts
            .par_chunks_mut(size)
            .enumerate()
            .for_each(|(index, verdicts)| self.part(size, index).combine_each_into(verdicts));
        verdicts
    }

    /// One part for each thread: combinations gain by size.
    fn part_size(&self) -> usize {
        self.len()
            .div_ceil(rayon::current_num_threads())
            .max(SMALLEST_PART)
    }

    /// Part `index` of those of `size` signatures; the last one may be shorter.
    fn part(&self, size: usize, index: usize) -> Batch<'b> {
        self.slice(index * size..self.len().min((index + 1) * size))
    }
}
