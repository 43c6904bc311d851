//! Batches without allocation.

use crate::sha512::Sha512;

use super::{Batch, side_by_side};
use crate::domain::Domain;
use crate::errors::require;
use crate::profile::{Profile, ProfileName};
use crate::verify::verify_parts;
use crate::{Signature, SignatureError, VerifyingKey};

/// One verdict per signature, as `verify_each` gives them, without allocation:
/// `verdicts[i]` becomes whether `signatures[i]` is valid under the profile
/// `P`. For any number of signatures, with or without the feature `batch`.
///
/// On a processor with vectors of eight lanes (AVX-512 IFMA) signatures are verified
/// side by side, several times as fast as in a loop. On others this is no faster than
/// a loop: it verifies one signature after the other, because a combination keeps
/// tables for every item and hence needs memory that grows with the batch. If all
/// signatures are of few keys, a `PreparedVerifyingKey` for each key is faster there
/// and does not allocate either.
///
/// # Errors
///
/// If the slices differ in length; `verdicts` stays as it is then. (An invalid
/// signature is no error here.)
///
/// ```
/// use lanner_ed25519::{Signer, SigningKey, batch, profile::Strict};
///
/// let key = SigningKey::from_bytes(&[1; 32]);
/// let signatures = [key.sign(b"zero"), key.sign(b"one")];
/// let messages: [&[u8]; 2] = [b"null", b"one"];
///
/// let mut verdicts = [false; 2];
/// let keys = [key.verifying_key(); 2];
/// batch::verify_each_into::<Strict>(&messages, &signatures, &keys, &mut verdicts)?;
/// assert_eq!(verdicts, [false, true]);
/// # Ok::<(), lanner_ed25519::SignatureError>(())
/// ```
pub fn verify_each_into<P: Profile>(
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
    verdicts: &mut [bool],
) -> Result<(), SignatureError> {
    verify_each_into_by_name(P::NAME, messages, signatures, verifying_keys, verdicts)
}

/// As [`verify_each_into`], under a profile that is chosen at run time.
///
/// # Errors
///
/// If the slices differ in length; `verdicts` stays as it is then.
pub fn verify_each_into_by_name(
    profile: ProfileName,
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
    verdicts: &mut [bool],
) -> Result<(), SignatureError> {
    let batch = Batch::new(&profile.rules(), messages, signatures, verifying_keys)?;
    require(verdicts.len() == batch.len())?;
    if side_by_side::pays() {
        batch.verify_side_by_side(verdicts);
        return Ok(());
    }
    for (i, verdict) in verdicts.iter_mut().enumerate() {
        *verdict = verify_parts::<Sha512>(
            &batch.rules,
            &batch.verifying_keys[i],
            Domain::PURE,
            &[batch.messages[i]],
            &batch.signatures[i],
        )
        .is_ok();
    }
    Ok(())
}
