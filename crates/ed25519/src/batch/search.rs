//! From combinations to verdicts.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::combined;
use super::item::Item;
use super::{Batch, room, side_by_side, threshold, threshold_cofactored, torsion};
use crate::SignatureError;
use crate::errors::require;

/// How many signatures are verified before the verdicts are looked at.
const CHUNK: usize = 64;

/// How many are combined at most: more gain nothing from each other, and each takes half a kilobyte while it is combined.
const MOST: usize = 1 << 13;

impl Batch<'_> {
    /// The size of the parts that are combined each by itself: as few as there can be, of nearly the same size.
    fn size_of_parts(&self) -> usize {
        let parts = self.len().div_ceil(MOST).max(1);
        self.len().div_ceil(parts).max(1)
    }

    /// Whether all signatures are valid.
    ///
    /// # Errors
    ///
    /// If any signature is not valid.
    pub fn verify(&self) -> Result<(), SignatureError> {
        let size = self.size_of_parts();
        (0..self.len()).step_by(size).try_for_each(|start| {
            self.slice(start..self.len().min(start + size))
                .verify_together()
        })
    }

    fn verify_together(&self) -> Result<(), SignatureError> {
        if let Some(valid) = self.try_combine() {
            return require(valid);
        }
        let mut verdicts = [false; CHUNK];
        (0..self.len()).step_by(CHUNK).try_for_each(|start| {
            let chunk = self.slice(start..self.len().min(start + CHUNK));
            let verdicts = &mut verdicts[..chunk.len()];
            chunk.verify_without_combination(verdicts);
            require(verdicts.iter().all(|&valid| valid))
        })
    }

    /// The verdict on all by combination; `None` if that does not pay, or if there is not enough memory.
    fn try_combine(&self) -> Option<bool> {
        if self.len() < threshold(&self.rules) {
            return None;
        }
        let mut items = self.items()?;
        if items.len() < self.len() {
            return Some(false);
        }
        self.all_valid(&mut items)
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
        let size = self.size_of_parts();
        for (i, verdicts) in verdicts.chunks_mut(size).enumerate() {
            let part = self.slice(i * size..i * size + verdicts.len());
            if part.try_combine_each_into(verdicts).is_none() {
                part.verify_without_combination(verdicts);
            }
        }
    }

    /// The same without combination and without allocation that may fail.
    fn verify_without_combination(&self, verdicts: &mut [bool]) {
        if side_by_side::pays() && self.len() > 1 {
            self.verify_side_by_side(verdicts);
        } else {
            self.verify_singly(verdicts);
        }
    }

    /// The verdicts of a search; `None` if that does not pay, or if there is no memory for it.
    fn try_combine_each_into(&self, verdicts: &mut [bool]) -> Option<()> {
        if self.len() < threshold(&self.rules) {
            return None;
        }
        let mut items = self.items()?;
        let coefficients = combined::coefficients(self.aux_rand, &items)?;
        let of_small_order = combined::all_of_small_order(&items, &coefficients)?;
        let admitted = items.len();
        if !self.rules.cofactored {
            torsion::characters(&mut items);
            if !torsion::vartime_all_free(&items, &coefficients)? {
                items.retain(torsion::vartime_is_free);
            }
        }
        // What is left is valid if its defects are of small order.
        let mut valid = room(items.len())?;
        valid.resize(items.len(), of_small_order);
        if !of_small_order {
            let mut search = Search {
                batch: self,
                budget: 3 * admitted,
                valid,
                items: &items,
            };
            if items.len() < admitted {
                search.run(0..items.len());
            } else {
                search.halves(0..items.len());
            }
            valid = search.valid;
        }
        verdicts.fill(false);
        for (item, &valid) in items.iter().zip(&valid) {
            verdicts[item.admitted.position] = valid;
        }
        Some(())
    }
}

/// The search for the items whose defects are not of small order, among such as have defects without
/// torsion if the rule is cofactorless.
struct Search<'s> {
    batch: &'s Batch<'s>,
    /// How many items may still enter a combination.
    budget: usize,
    valid: Vec<bool>,
    items: &'s [Item<'s>],
}

impl Search<'_> {
    fn run(&mut self, range: Range<usize>) {
        match self.all_of_small_order(range.clone()) {
            Some(true) => self.valid[range].fill(true),
            Some(false) => self.halves(range),
            None => self
                .batch
                .verify_items(&self.items[range.clone()], &mut self.valid[range]),
        }
    }

    /// Finds them in a range that has at least one.
    fn halves(&mut self, range: Range<usize>) {
        let middle = range.start + range.len() / 2;
        self.run(range.start..middle);
        self.run(middle..range.end);
    }

    /// What a combination says; `None` if it is not worth while, or if there is no memory for it.
    fn all_of_small_order(&mut self, range: Range<usize>) -> Option<bool> {
        let items = &self.items[range];
        // Torsion is settled.
        if items.len() < threshold_cofactored() || items.len() > self.budget {
            return None;
        }
        self.budget -= items.len();
        let coefficients = combined::coefficients(self.batch.aux_rand, items)?;
        combined::all_of_small_order(items, &coefficients)
    }
}
