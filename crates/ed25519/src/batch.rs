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
//! single verification refuses.)
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
//! [`COFACTORLESS_THRESHOLD`] are verified one by one, which is faster.

mod coefficients;
mod combined;
mod torsion;

#[cfg(test)]
mod tests;

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use combined::Item;

use crate::errors::require;
use crate::profile::{self, Profile, ProfileName, Rules};
use crate::{Signature, SignatureError, VerifyingKey};

/// From how many signatures on cofactorless profiles are verified by
/// combination. It does not change any verdict.
pub const COFACTORLESS_THRESHOLD: usize = 512;

/// The same for cofactored profiles.
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
pub fn verify_batch(
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<(), SignatureError> {
    all(&profile::DROP_IN, messages, signatures, verifying_keys)
}

/// As [`verify_batch`], under the profile `P`.
///
/// # Errors
///
/// If any signature is not valid, or if the slices differ in length.
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
pub fn verify_batch_by_name(
    profile: ProfileName,
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<(), SignatureError> {
    all(&profile.rules(), messages, signatures, verifying_keys)
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
pub fn verify_each_by_name(
    profile: ProfileName,
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<Vec<bool>, SignatureError> {
    let rules = &profile.rules();
    require_equal_lengths(messages, signatures, verifying_keys)?;

    let mut verdicts = vec![false; signatures.len()];
    // Items that passed every check but the equation, and where they belong.
    let mut positions = Vec::with_capacity(signatures.len());
    let mut items = Vec::with_capacity(signatures.len());
    for i in 0..signatures.len() {
        if let Ok(item) = Item::new(rules, &verifying_keys[i], messages[i], &signatures[i]) {
            positions.push(i);
            items.push(item);
        }
    }
    let mut search = Search {
        threshold: threshold(rules),
        cofactored: rules.cofactored,
        budget: 4 * items.len(),
        valid: vec![false; items.len()],
        items: &mut items,
    };
    search.run(0..positions.len());
    for (&position, &valid) in positions.iter().zip(&search.valid) {
        verdicts[position] = valid;
    }
    Ok(verdicts)
}

/// The search for the invalid items of a batch.
struct Search<'i> {
    threshold: usize,
    cofactored: bool,
    /// How many items may still enter a combination.
    budget: usize,
    valid: Vec<bool>,
    items: &'i mut [Item],
}

impl Search<'_> {
    fn run(&mut self, range: Range<usize>) {
        let items = &mut self.items[range.clone()];
        if items.len() < self.threshold || items.len() > self.budget {
            for i in range {
                self.valid[i] = self.items[i].is_valid();
            }
            return;
        }
        self.budget -= items.len();
        match combined::all_valid(self.cofactored, items) {
            Verdict::Valid => self.valid[range].fill(true),
            Verdict::Invalid => {
                let middle = range.start + range.len() / 2;
                self.run(range.start..middle);
                self.run(middle..range.end);
            }
        }
    }
}

/// The verdict on several items together.
enum Verdict {
    Valid,
    /// At least one is invalid.
    Invalid,
}

fn threshold(rules: &Rules) -> usize {
    if rules.cofactored {
        COFACTORED_THRESHOLD
    } else {
        COFACTORLESS_THRESHOLD
    }
}

fn all(
    rules: &Rules,
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<(), SignatureError> {
    require_equal_lengths(messages, signatures, verifying_keys)?;
    let combine = signatures.len() >= threshold(rules);
    let mut items = Vec::with_capacity(if combine { signatures.len() } else { 0 });
    for ((message, signature), key) in messages.iter().zip(signatures).zip(verifying_keys) {
        let item = Item::new(rules, key, message, signature)?;
        if combine {
            items.push(item);
        } else {
            require(item.is_valid())?;
        }
    }
    require(
        items.is_empty()
            || matches!(
                combined::all_valid(rules.cofactored, &mut items),
                Verdict::Valid
            ),
    )
}

fn require_equal_lengths(
    messages: &[&[u8]],
    signatures: &[Signature],
    verifying_keys: &[VerifyingKey],
) -> Result<(), SignatureError> {
    require(messages.len() == signatures.len() && signatures.len() == verifying_keys.len())
}
