//! From combinations to verdicts.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::combined::{self, Item};
use super::singly::{GROUP, Singly};
use super::{Batch, COFACTORED_THRESHOLD, COFACTORLESS_THRESHOLD, room, side_by_side};
use crate::errors::require;
use crate::profile::Rules;
use crate::{SignatureError, VerifyingKey};

/// How many signatures are verified before the verdicts are looked at.
const CHUNK: usize = 64;

impl Batch<'_> {
    /// Whether all signatures are valid.
    ///
    /// # Errors
    ///
    /// If any signature is not valid.
    pub fn verify(&self) -> Result<(), SignatureError> {
        if side_by_side::pays() && self.len() > 1 {
            let mut verdicts = [false; CHUNK];
            return (0..self.len()).step_by(CHUNK).try_for_each(|start| {
                let chunk = self.slice(start..self.len().min(start + CHUNK));
                let verdicts = &mut verdicts[..chunk.len()];
                chunk.verify_side_by_side(verdicts);
                require(verdicts.iter().all(|&valid| valid))
            });
        }
        if self.len() >= threshold(&self.rules)
            && let Some(mut items) = room(self.len())
        {
            for i in 0..self.len() {
                items.push(self.item(i)?);
            }
            let valid = combined::all_valid(self.rules.cofactored, self.aux_rand, &mut items);
            if let Some(valid) = valid {
                return require(valid);
            }
        }
        let mut singly = Singly::new(self.verifying_keys.iter().map(VerifyingKey::as_bytes));
        (0..self.len()).try_for_each(|i| require(singly.is_valid(&self.item(i)?)))
    }

    /// One verdict per signature: element i says whether `signatures[i]` is valid.
    ///
    /// While no signature is invalid this costs what [`Self::verify`] does. Invalid ones are found
    /// by halving; however many there are, the cost stays below four batch verifications and a
    /// loop of single ones.
    ///
    /// ```
    /// use lanner_ed25519::{Signer, SigningKey, batch::Batch, profile::Strict};
    ///
    /// let key = SigningKey::from_bytes(&[1; 32]);
    /// let signatures = [key.sign(b"zero"), key.sign(b"one"), key.sign(b"two")];
    /// let messages: [&[u8]; 3] = [b"zero", b"eins", b"two"];
    ///
    /// let keys = [key.verifying_key(); 3];
    /// let verdicts = Batch::new(Strict, &messages, &signatures, &keys)?.verify_each();
    /// assert_eq!(verdicts, [true, false, true]);
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    pub fn verify_each(&self) -> Vec<bool> {
        let mut verdicts = vec![false; self.len()];
        self.combine_each_into(&mut verdicts);
        verdicts
    }

    /// [`Self::verify_each`] into the caller's memory: `verdicts[i]` becomes whether
    /// `signatures[i]` is valid.
    ///
    /// What a combination needs is taken from the allocator. If that has not enough, signatures
    /// are verified one after the other, without memory: slower, with the same verdicts. So this
    /// function never ends the process for want of memory, which [`Self::verify_each`] does where
    /// its vector does not fit. [`Self::verify_each_into`] never allocates.
    ///
    /// # Errors
    ///
    /// If `verdicts` has another length than the batch; it stays as it is then. (An invalid
    /// signature is no error here.)
    pub fn verify_each_combined_into(&self, verdicts: &mut [bool]) -> Result<(), SignatureError> {
        require(verdicts.len() == self.len())?;
        self.combine_each_into(verdicts);
        Ok(())
    }

    /// Writes one verdict per signature; `verdicts` has as many elements.
    pub(super) fn combine_each_into(&self, verdicts: &mut [bool]) {
        if side_by_side::pays() && self.len() > 1 {
            return self.verify_side_by_side(verdicts);
        }
        if self.try_combine_each_into(verdicts).is_none() {
            for (i, verdict) in verdicts.iter_mut().enumerate() {
                *verdict = self.item(i).is_ok_and(|item| item.is_valid());
            }
        }
    }

    /// The verdicts of a search; `None` if there is no memory for it.
    fn try_combine_each_into(&self, verdicts: &mut [bool]) -> Option<()> {
        // Items that passed every check but the equation, and where they belong.
        let mut positions = room(self.len())?;
        let mut items = room(self.len())?;
        for i in 0..self.len() {
            if let Ok(item) = self.item(i) {
                positions.push(i);
                items.push(item);
            }
        }
        let mut valid = room(items.len())?;
        valid.resize(items.len(), false);
        let mut search = Search {
            threshold: threshold(&self.rules),
            cofactored: self.rules.cofactored,
            aux_rand: self.aux_rand,
            budget: 4 * items.len(),
            valid,
            items: &mut items,
        };
        search.run(0..positions.len());
        verdicts.fill(false);
        for (&position, &valid) in positions.iter().zip(&search.valid) {
            verdicts[position] = valid;
        }
        Some(())
    }

    fn item(&self, i: usize) -> Result<Item, SignatureError> {
        Item::new(
            &self.rules,
            &self.verifying_keys[i],
            self.messages[i],
            &self.signatures[i],
        )
    }
}

/// The search for the invalid items of a batch.
struct Search<'i> {
    threshold: usize,
    cofactored: bool,
    aux_rand: &'i [u8],
    /// How many items may still enter a combination.
    budget: usize,
    valid: Vec<bool>,
    items: &'i mut [Item],
}

impl Search<'_> {
    fn run(&mut self, range: Range<usize>) {
        let items = &mut self.items[range.clone()];
        let affordable = items.len() >= self.threshold && items.len() <= self.budget;
        let combined = if affordable {
            self.budget -= items.len();
            combined::all_valid(self.cofactored, self.aux_rand, items)
        } else {
            None
        };
        let Some(all_valid) = combined else {
            for (items, valid) in items.chunks(GROUP).zip(self.valid[range].chunks_mut(GROUP)) {
                let mut singly = Singly::new(items.iter().map(|item| item.key().as_bytes()));
                for (item, valid) in items.iter().zip(valid) {
                    *valid = singly.is_valid(item);
                }
            }
            return;
        };
        if all_valid {
            self.valid[range].fill(true);
        } else {
            let middle = range.start + range.len() / 2;
            self.run(range.start..middle);
            self.run(middle..range.end);
        }
    }
}

fn threshold(rules: &Rules) -> usize {
    if rules.cofactored {
        COFACTORED_THRESHOLD
    } else {
        COFACTORLESS_THRESHOLD
    }
}
