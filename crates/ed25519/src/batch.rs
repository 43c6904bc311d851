//! Verifying many signatures at once.
//!
//! **A batch equals single verification.** For every profile and every input,
//! including points with a torsion component and encodings that are not
//! canonical, the verdicts here are those of single verification under the same
//! profile, up to a probability of 2^-128. The verdict on the same input is
//! always the same: the coefficients of the random combination are derived by
//! hashing the input, and no random number generator is involved.
//!
//! (The batch of ed25519-dalek, in contrast, accepts some signatures that its
//! single verification refuses, and refuses some that it accepts.)
//!
//! # How
//!
//! For signature i let D = \[S]B - \[k]A - R be what single verification wants
//! to see: the neutral element, or, under a cofactored rule, a point of small
//! order. With coefficients z of 128 bits that nobody could foresee, the sum of
//! all \[z]D is of small order only if each D is, because the group modulo its
//! points of small order has prime order. That one multi-scalar multiplication
//! is all a cofactored profile needs.
//!
//! A cofactorless profile also wants the torsion component of each D to vanish.
//! B has none, so it is that of E = R + \[k mod 8]A, with k the integer in
//! \[0, L). To show that all of many points E are free of torsion, 128 sums over
//! subsets, drawn from the same hash, are tested: if one E has torsion, each sum
//! has torsion with probability at least 1/2. The sums cost about 32 additions
//! per signature; the 128 tests are a fixed cost, so batches below
//! `COFACTORLESS_THRESHOLD` are verified one by one, which is faster.
//!
//! On a processor with vectors of eight lanes none of this is needed: signatures are
//! verified side by side, each by its own equation, which is faster than any
//! combination (`lanner_curve::backend::lanes` tells).
//!
//! Where a key repeats it is multiplied once for the whole combination, and
//! when signatures are verified one by one it gets tables as a
//! `PreparedVerifyingKey` has them (feature `fast`).
//!
//! # Without the feature `batch`
//!
//! All but [`verify_each_into`] and [`verify_each_into_by_name`] is there with
//! the feature `batch` only; the functions over several threads with the
//! feature `rayon`.

#[cfg(feature = "batch")]
mod coefficients;
#[cfg(feature = "batch")]
mod combined;
#[cfg(feature = "rayon")]
mod parallel;
#[cfg(feature = "batch")]
mod search;
mod sequential;
mod side_by_side;
#[cfg(feature = "batch")]
mod singly;
#[cfg(feature = "batch")]
mod torsion;

#[cfg(all(test, feature = "batch"))]
mod tests;

#[cfg(feature = "batch")]
use alloc::vec::Vec;

use crate::errors::require;
use crate::profile::Rules;
#[cfg(feature = "batch")]
use crate::profile::{self, Profile, ProfileName};
use crate::{Signature, SignatureError, VerifyingKey};

#[cfg(feature = "rayon")]
pub use parallel::{
    par_verify_batch, par_verify_batch_by_name, par_verify_each, par_verify_each_by_name,
};
pub use sequential::{verify_each_into, verify_each_into_by_name};

/// From how many signatures on cofactorless profiles are verified by
/// combination. It does not change any verdict.
#[cfg(feature = "batch")]
pub const COFACTORLESS_THRESHOLD: usize = 256;

/// The same for cofactored profiles.
#[cfg(feature = "batch")]
pub const COFACTORED_THRESHOLD: usize = 3;

/// Verifies `signatures[i]` on `messages[i]` under `verifying_keys[i]`, for all
/// i, under [`profile::Dalek`]: `Ok` if and only if [`Verifier::verify`] is `Ok`
/// for each. An empty batch is valid.
///
/// With feature `legacy_compatibility`, the rule is [`profile::Donna`], as it is
/// for `verify`.
///
/// # Errors
///
/// If any signature is not valid, or if the slices differ in length.
///
/// ```
/// use lanner_ed25519::{Signer, SigningKey, verify_batch};
///
/// let keys: Vec<_> = (0..8).map(|i| SigningKey::from_bytes(&[i; 32])).collect();
/// let messages: Vec<&[u8]> = vec![b"the same for all"; 8];
/// let signatures: Vec<_> = keys.iter().map(|key| key.sign(messages[0])).collect();
/// let verifying_keys: Vec<_> = keys.iter().map(|key| key.verifying_key()).collect();
///
/// verify_batch(&messages, &signatures, &verifying_keys)?;
/// # Ok::<(), lanner_ed25519::SignatureError>(())
/// ```
///
/// [`Verifier::verify`]: crate::Verifier::verify
#[cfg(feature = "batch")]
pub fn verify_batch(
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<(), SignatureError> {
    Batch::new(&profile::DROP_IN, messages, signatures, verifying_keys)?.verify_all()
}

/// As [`verify_batch`], under the profile `P`.
///
/// # Errors
///
/// If any signature is not valid, or if the slices differ in length.
#[cfg(feature = "batch")]
pub fn verify_batch_with<P: Profile>(
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<(), SignatureError> {
    verify_batch_by_name(P::NAME, messages, signatures, verifying_keys)
}

/// As [`verify_batch`], under a profile that is chosen at run time.
///
/// # Errors
///
/// If any signature is not valid, or if the slices differ in length.
#[cfg(feature = "batch")]
pub fn verify_batch_by_name(
    profile: ProfileName,
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<(), SignatureError> {
    Batch::new(&profile.rules(), messages, signatures, verifying_keys)?.verify_all()
}

/// One verdict per signature, under the profile `P`: element i says whether
/// `signatures[i]` is valid.
///
/// While no signature is invalid this costs what [`verify_batch_with`] does.
/// Invalid ones are found by halving; however many there are, the cost stays
/// below four batch verifications and a loop of single ones.
///
/// # Errors
///
/// If the slices differ in length. (An invalid signature is no error here.)
///
/// ```
/// use lanner_ed25519::{Signer, SigningKey, batch, profile::Strict};
///
/// let key = SigningKey::from_bytes(&[1; 32]);
/// let signatures = [key.sign(b"zero"), key.sign(b"one"), key.sign(b"two")];
/// let messages: [&[u8]; 3] = [b"zero", b"eins", b"two"];
///
/// let verdicts = batch::verify_each::<Strict>(&messages, &signatures, &[key.verifying_key(); 3])?;
/// assert_eq!(verdicts, [true, false, true]);
/// # Ok::<(), lanner_ed25519::SignatureError>(())
/// ```
#[cfg(feature = "batch")]
pub fn verify_each<P: Profile>(
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<Vec<bool>, SignatureError> {
    verify_each_by_name(P::NAME, messages, signatures, verifying_keys)
}

/// As [`verify_each`], under a profile that is chosen at run time.
///
/// # Errors
///
/// If the slices differ in length.
#[cfg(feature = "batch")]
pub fn verify_each_by_name(
    profile: ProfileName,
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<Vec<bool>, SignatureError> {
    Batch::new(&profile.rules(), messages, signatures, verifying_keys)?.verify_each()
}

/// As [`verify_each_by_name`], into the caller's memory: `verdicts[i]` becomes
/// whether `signatures[i]` is valid.
///
/// What a combination needs is taken from the allocator. If that has not
/// enough, signatures are verified one after the other, without memory: slower,
/// with the same verdicts. So this function never ends the process for want of
/// memory, which [`verify_each_by_name`] does where its vector does not fit.
/// [`verify_each_into_by_name`] never allocates.
///
/// # Errors
///
/// If the slices differ in length; `verdicts` stays as it is then.
#[cfg(feature = "batch")]
pub fn verify_each_combined_into_by_name(
    profile: ProfileName,
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
    verdicts: &mut [bool],
) -> Result<(), SignatureError> {
    let batch = Batch::new(&profile.rules(), messages, signatures, verifying_keys)?;
    require(verdicts.len() == batch.len())?;
    batch.verify_each_into(verdicts);
    Ok(())
}

/// As [`verify_batch_by_name`], with auxiliary randomness in the derivation of
/// the coefficients.
///
/// Nothing depends on it: the coefficients are derived from the whole batch,
/// and whoever makes the batch cannot steer them other than by trying again,
/// which 128 bits rule out. With 32 bytes here that the makers of the
/// signatures cannot know, they cannot even try. Neither the bytes nor whether
/// they are random changes a verdict.
///
/// # Errors
///
/// If any signature is not valid, or if the slices differ in length.
#[cfg(feature = "batch")]
pub fn verify_batch_with_aux_rand(
    profile: ProfileName,
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
    aux_rand: &[u8],
) -> Result<(), SignatureError> {
    Batch::new(&profile.rules(), messages, signatures, verifying_keys)?
        .with_aux_rand(aux_rand)
        .verify_all()
}

/// As [`verify_each_by_name`], with auxiliary randomness as in
/// [`verify_batch_with_aux_rand`].
///
/// # Errors
///
/// If the slices differ in length.
#[cfg(feature = "batch")]
pub fn verify_each_with_aux_rand(
    profile: ProfileName,
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
    aux_rand: &[u8],
) -> Result<Vec<bool>, SignatureError> {
    Batch::new(&profile.rules(), messages, signatures, verifying_keys)?
        .with_aux_rand(aux_rand)
        .verify_each()
}

/// A vector with room for so many elements, or `None` if there is no memory for it.
#[cfg(feature = "batch")]
fn room<T>(len: usize) -> Option<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(len).ok()?;
    Some(elements)
}

/// The input of one call.
#[derive(Clone, Copy)]
struct Batch<'b> {
    rules: Rules,
    /// As many as there are signatures, like the keys.
    messages: &'b [&'b [u8]],
    signatures: &'b [Signature],
    verifying_keys: &'b [VerifyingKey],
    /// Joins what the coefficients are derived from.
    #[cfg(feature = "batch")]
    aux_rand: &'b [u8],
}

impl<'b> Batch<'b> {
    fn new(
        rules: &Rules,
        messages: &'b [&'b [u8]],
        signatures: &'b [Signature],
        verifying_keys: &'b [VerifyingKey],
    ) -> Result<Self, SignatureError> {
        require(messages.len() == signatures.len() && signatures.len() == verifying_keys.len())?;
        Ok(Batch {
            rules: *rules,
            messages,
            signatures,
            verifying_keys,
            #[cfg(feature = "batch")]
            aux_rand: &[],
        })
    }

    fn len(&self) -> usize {
        self.signatures.len()
    }

    /// A part of the batch.
    #[cfg(feature = "batch")]
    fn slice(&self, range: core::ops::Range<usize>) -> Self {
        Batch {
            messages: &self.messages[range.clone()],
            signatures: &self.signatures[range.clone()],
            verifying_keys: &self.verifying_keys[range],
            ..*self
        }
    }
}

#[cfg(feature = "batch")]
impl<'b> Batch<'b> {
    fn with_aux_rand(self, aux_rand: &'b [u8]) -> Self {
        Batch { aux_rand, ..self }
    }
}
