//! Batches over several threads.

use alloc::vec;
use alloc::vec::Vec;

use rayon::prelude::*;

use super::Batch;
use crate::profile::{Profile, ProfileName};
use crate::{Signature, SignatureError, VerifyingKey};

/// Fewer signatures than this are not worth the way to another thread.
const SMALLEST_PART: usize = 4;

/// As [`verify_batch_with`](super::verify_batch_with), over the threads of the
/// current rayon pool. Each takes a part, which it verifies as a batch of its
/// own; the verdict is the same.
///
/// # Errors
///
/// If any signature is not valid, or if the slices differ in length.
///
/// ```
/// use lanner_ed25519::{Signer, SigningKey, batch, profile::Strict};
///
/// let key = SigningKey::from_bytes(&[1; 32]);
/// let messages: Vec<Vec<u8>> = (0..100).map(|i| vec![i; 10]).collect();
/// let messages: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
/// let signatures: Vec<_> = messages.iter().map(|message| key.sign(message)).collect();
///
/// batch::par_verify_batch::<Strict>(&messages, &signatures, &[key.verifying_key(); 100])?;
/// # Ok::<(), lanner_ed25519::SignatureError>(())
/// ```
pub fn par_verify_batch<P: Profile>(
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<(), SignatureError> {
    par_verify_batch_by_name(P::NAME, messages, signatures, verifying_keys)
}

/// As [`par_verify_batch`], under a profile that is chosen at run time.
///
/// # Errors
///
/// If any signature is not valid, or if the slices differ in length.
pub fn par_verify_batch_by_name(
    profile: ProfileName,
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<(), SignatureError> {
    let batch = Batch::new(&profile.rules(), messages, signatures, verifying_keys)?;
    let size = batch.part_size();
    (0..batch.len().div_ceil(size))
        .into_par_iter()
        .try_for_each(|index| batch.part(size, index).verify_all())
}

/// As [`verify_each`](super::verify_each), over the threads of the current rayon
/// pool. Each takes a part, which it verifies as a batch of its own; the
/// verdicts are the same.
///
/// # Errors
///
/// If the slices differ in length. (An invalid signature is no error here.)
pub fn par_verify_each<P: Profile>(
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<Vec<bool>, SignatureError> {
    par_verify_each_by_name(P::NAME, messages, signatures, verifying_keys)
}

/// As [`par_verify_each`], under a profile that is chosen at run time.
///
/// # Errors
///
/// If the slices differ in length.
pub fn par_verify_each_by_name(
    profile: ProfileName,
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<Vec<bool>, SignatureError> {
    let batch = Batch::new(&profile.rules(), messages, signatures, verifying_keys)?;
    let size = batch.part_size();
    let mut verdicts = vec![false; batch.len()];
    verdicts
        .par_chunks_mut(size)
        .enumerate()
        .for_each(|(index, verdicts)| batch.part(size, index).verify_each_into(verdicts));
    Ok(verdicts)
}

impl<'b> Batch<'b> {
    /// One part for each thread: combinations gain by size.
    fn part_size(&self) -> usize {
        self.len()
            .div_ceil(rayon::current_num_threads())
            .max(SMALLEST_PART)
    }

    /// Part `index` of those of `size` signatures; the last one may be shorter.
    fn part(&self, size: usize, index: usize) -> Batch<'b> {
        let range = index * size..self.len().min((index + 1) * size);
        Batch {
            messages: &self.messages[range.clone()],
            signatures: &self.signatures[range.clone()],
            verifying_keys: &self.verifying_keys[range],
            ..*self
        }
    }
}
