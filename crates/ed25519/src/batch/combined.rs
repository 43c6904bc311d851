//! The combined check of several items.

use lanner_curve::constants::ED25519_BASEPOINT_POINT;
use lanner_curve::edwards::EdwardsPoint;
use lanner_curve::scalar::Scalar;

use super::coefficients::{Coefficients, Transcript};
use super::item::Item;
use super::{Batch, room, torsion};
use alloc::vec::Vec;

impl<'b> Batch<'b> {
    /// The items of the batch: what is not among them is not valid. `None` if there is not enough
    /// memory.
    pub(super) fn items(&self) -> Option<Vec<Item<'b>>> {
        let mut items = room(self.len())?;
        let keys = self.verifying_keys;
        for start in (0..self.len()).step_by(super::admitted::GROUP) {
            let len = super::admitted::GROUP.min(self.len() - start);
            self.admit_group(start, len, |admitted| {
                items.push(Item {
                    admitted,
                    key: &keys[admitted.position],
                    character: None,
                });
            });
        }
        Some(items)
    }

    /// Whether all of the items are valid. See the module `batch` for why this
    /// equals single verification. `None` if there is not enough memory to tell. Variable time.
    pub(super) fn all_valid(&self, items: &mut [Item]) -> Option<bool> {
        let coefficients = coefficients(self.aux_rand, items)?;
        if !all_of_small_order(items, &coefficients)? {
            return Some(false);
        }
        // Every defect D is of small order now; the cofactorless equation wants it to be zero.
        if self.rules.cofactored {
            return Some(true);
        }
        torsion::characters(items);
        torsion::vartime_all_free(items, &coefficients)
    }
}

/// The coefficients for a combination of the items; `None` if there is not enough memory.
pub(super) fn coefficients(aux_rand: &[u8], items: &[Item]) -> Option<Coefficients> {
    let mut transcript = Transcript::new(items.len(), aux_rand)?;
    for Item { admitted, .. } in items {
        transcript.absorb(&admitted.challenge, &admitted.equation.s);
    }
    Some(transcript.finish())
}

/// Whether the defects \[S]B - \[k]A - R of all items are of small order, up to a probability of 2^-128;
/// `None` if there is not enough memory to tell.
pub(super) fn all_of_small_order(items: &[Item], coefficients: &Coefficients) -> Option<bool> {
    // The sum of [z]([S]B - [k]A - R). Keys often repeat: each is multiplied
    // once. Scalars count modulo L, which is exact up to torsion.
    let mut base = Scalar::ZERO;
    let mut weights = room(items.len())?;
    let mut scalars = room(2 * items.len() + 1)?;
    for (item, z) in items.iter().zip(coefficients.scalars(items.len())?) {
        let z = Scalar::from(z);
        base -= z * item.admitted.equation.s;
        weights.push(z * item.admitted.equation.k);
        scalars.push(z);
    }
    scalars.push(base);
    let mut by_key = room(items.len())?;
    by_key.extend(0..items.len());
    by_key.sort_unstable_by_key(|&i: &usize| items[i].key.as_bytes());
    let mut keys = room(items.len())?;
    for same in by_key.chunk_by(|&i, &j| items[i].key.as_bytes() == items[j].key.as_bytes()) {
        keys.push(&items[same[0]].admitted.equation.a);
        scalars.push(same.iter().map(|&i| weights[i]).sum());
    }
    let points = items
        .iter()
        .map(|item| &item.admitted.equation.r)
        .chain([&ED25519_BASEPOINT_POINT])
        .chain(keys);
    Some(EdwardsPoint::try_vartime_multiscalar_mul(&scalars, points)?.is_small_order())
}
