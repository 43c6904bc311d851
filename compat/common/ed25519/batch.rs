//! Batches.

use alloc::vec::Vec;

use lanner_ed25519 as lanner;

use crate::errors::{Cause, verdict};
use crate::verifying::admitted;
use crate::{Signature, SignatureError, VerifyingKey};

/// Verifies `signatures[i]` on `messages[i]` under `verifying_keys[i]`, for all i: `Ok` if and only if `verify` is `Ok`
/// for each. An empty batch is valid.
///
/// # Errors
///
/// If any signature is not valid, or if the slices differ in length.
pub fn verify_batch(
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<(), SignatureError> {
    let lengths = [messages.len(), signatures.len(), verifying_keys.len()];
    if lengths.iter().any(|length| *length != lengths[0]) {
        return Err(Cause::Arrays(lengths).into());
    }
    let signatures: Vec<_> = signatures.iter().map(admitted).collect::<Result<_, _>>()?;
    let keys: Vec<_> = verifying_keys.iter().map(|key| key.0).collect();
    verdict(lanner::verify_batch(messages, &signatures, &keys))
}
