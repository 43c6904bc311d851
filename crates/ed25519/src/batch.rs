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
//! \[0, L). Characters of the group tell it: one exponentiation gives from E an element of the
//! field that is a fourth power exactly if E is free of torsion, or says that E has a
//! component of order 8, and a second one tells whether it is a fourth power
//! (`TorsionCharacter` of `lanner_curve`). Both are done for several signatures at once where there
//! are vector lanes, and both are exact: there is no error to bound.
//!
//! In batches of some two hundred signatures and more the second exponentiation is made for products
//! in their place. Fourth powers are a group, so if all elements are fourth powers, each product over a
//! subset is one. If one is none, then whatever else is in a subset drawn from the same hash, at most one
//! of "with it" and "without it" is a fourth power, and both are equally likely: a subset misses it
//! with a probability of at most 1/2, and 128 subsets with 2^-128. A product costs about 35
//! multiplications in the field for each signature.
//!
//! Below `threshold` signatures are verified one by one or, on a processor with vectors of eight lanes,
//! side by side, each by its own equation.
//!
//! Where a key repeats it is multiplied once for the whole combination, and
//! when signatures are verified one by one it gets tables as a
//! `PreparedVerifyingKey` has them (feature `fast`).
//!
//! No more than 8,192 are combined at once: a longer batch is verified in parts of that size, with memory for one of them.
//!
//! # Which are invalid
//!
//! The search for the invalid items of a batch settles torsion first, for each item by itself. What
//! remains is valid if its defect D is of small order, which combinations of halves find out.
//!
//! # Without the feature `batch`
//!
//! All but [`Batch::new`], [`Batch::verify_each_into`] and `PreparedBatch` is there with the feature `batch` only;
//! what works over several threads with the feature `rayon`.

mod admitted;
#[cfg(feature = "batch")]
mod coefficients;
#[cfg(feature = "batch")]
mod combined;
#[cfg(feature = "batch")]
mod item;
#[cfg(feature = "rayon")]
mod parallel;
#[cfg(feature = "fast")]
mod prepared;
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

#[cfg(feature = "fast")]
pub use prepared::PreparedBatch;

#[cfg(feature = "batch")]
use lanner_curve::backend::{self, Backend};

use crate::errors::require;
#[cfg(feature = "batch")]
use crate::profile::DROP_IN;
use crate::profile::{ProfileName, Rules};
use crate::{Signature, SignatureError, VerifyingKey};

/// From how many signatures on cofactorless profiles are verified by
/// combination on every processor; some do from fewer on. It does not change any verdict.
#[cfg(feature = "batch")]
pub const COFACTORLESS_THRESHOLD: usize = 32;

/// The same for cofactored profiles.
#[cfg(feature = "batch")]
pub const COFACTORED_THRESHOLD: usize = 20;

/// Beside AVX2, single elements are computed fast: a combination pays later than the lanes alone would have it. (With decoded
/// keys, some processors are level at 20 signatures and others at 7; for cofactored profiles at 8, and at 4.)
#[cfg(feature = "batch")]
const FAST_SINGLES: bool = cfg!(target_arch = "x86_64");

/// From how many signatures on a combination is faster than the other ways on this processor.
#[cfg(feature = "batch")]
fn threshold(rules: &Rules) -> usize {
    match (rules.cofactored, backend::lanes()) {
        (true, _) => threshold_cofactored(),
        (false, 8..) => COFACTORLESS_THRESHOLD,
        (false, 2..) if FAST_SINGLES => 12,
        (false, 2..) => 4,
        // Single verifications gain more from its blocks than sums of many points do.
        (false, _) if backend::active() == Backend::Adx => COFACTORLESS_THRESHOLD,
        (false, _) => 8,
    }
}

/// The same for a cofactored rule, or where torsion is settled.
#[cfg(feature = "batch")]
fn threshold_cofactored() -> usize {
    match backend::lanes() {
        8.. => COFACTORED_THRESHOLD,
        2.. if FAST_SINGLES => 6,
        2.. => 4,
        _ => 3,
    }
}

/// Verifies `signatures[i]` on `messages[i]` under `verifying_keys[i]`, for all
/// i, under [`profile::Dalek`](crate::profile::Dalek): `Ok` if and only if [`Verifier::verify`] is `Ok`
/// for each. An empty batch is valid.
///
/// With feature `legacy_compatibility`, the rule is
/// [`profile::Donna`](crate::profile::Donna), as it is
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
    Batch::with_rules(DROP_IN, messages, signatures, verifying_keys)?.verify()
}

/// A vector with room for so many elements, or `None` if there is no memory for it.
#[cfg(feature = "batch")]
fn room<T>(len: usize) -> Option<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(len).ok()?;
    Some(elements)
}

/// Signatures to be verified together under one [profile](crate::profile): `signatures[i]` on
/// `messages[i]` under `verifying_keys[i]`.
///
/// An empty batch is valid.
///
/// ```
/// use lanner_ed25519::{Signer, SigningKey, batch::Batch, profile::Strict};
///
/// let key = SigningKey::from_bytes(&[1; 32]);
/// let signatures = [key.sign(b"zero"), key.sign(b"one")];
/// let keys = [key.verifying_key(); 2];
///
/// let mut verdicts = [false; 2];
/// Batch::new(Strict, &[b"null", b"one"], &signatures, &keys)?.verify_each_into(&mut verdicts)?;
/// assert_eq!(verdicts, [false, true]);
/// # Ok::<(), lanner_ed25519::SignatureError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Batch<'b> {
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
    /// A batch under a profile: a type of [`profile`](crate::profile), or a [`ProfileName`] that
    /// was chosen at run time.
    ///
    /// # Errors
    ///
    /// If the slices differ in length.
    pub fn new(
        profile: impl Into<ProfileName>,
        messages: &'b [&'b [u8]],
        signatures: &'b [Signature],
        verifying_keys: &'b [VerifyingKey],
    ) -> Result<Self, SignatureError> {
        Self::with_rules(profile.into().rules(), messages, signatures, verifying_keys)
    }

    fn with_rules(
        rules: Rules,
        messages: &'b [&'b [u8]],
        signatures: &'b [Signature],
        verifying_keys: &'b [VerifyingKey],
    ) -> Result<Self, SignatureError> {
        require(messages.len() == signatures.len() && signatures.len() == verifying_keys.len())?;
        Ok(Batch {
            rules,
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

    /// The same batch with auxiliary randomness in the derivation of the coefficients.
    ///
    /// Nothing depends on it: the coefficients are derived from all that is combined, and whoever
    /// makes the batch cannot steer them other than by trying again, which 128 bits rule out.
    /// With 32 bytes here that the makers of the signatures cannot know, they cannot even try.
    /// Neither the bytes nor whether they are random changes a verdict.
    #[cfg(feature = "batch")]
    pub fn with_aux_rand(self, aux_rand: &'b [u8]) -> Self {
        Batch { aux_rand, ..self }
    }
}
