//! One item after the other, with tables for the keys that occur often.

#[cfg(feature = "fast")]
use alloc::vec::Vec;
use lanner_curve::edwards::{EdwardsPoint, GroupEquation};

use super::item::Item;
#[cfg(feature = "fast")]
use super::room;
use super::{Batch, admitted, side_by_side};
use crate::VerifyingKey;
#[cfg(feature = "fast")]
use crate::equation::PreparedNegative;

/// Items per table of keys, which bounds the memory for tables: at most
/// `GROUP / REPETITIONS` of 6 kB each.
const GROUP: usize = 512;

/// From how many signatures of one key on its tables pay: they cost about one
/// verification and save a quarter of each.
#[cfg(feature = "fast")]
const REPETITIONS: usize = 8;

/// A key that occurs often.
#[cfg(feature = "fast")]
struct Key {
    encoding: [u8; 32],
    /// Its tables, once they are needed.
    tables: Option<PreparedNegative>,
}

/// Verifies the items of a group singly.
#[derive(Default)]
struct Singly {
    /// In the order of their encodings. Without memory there are none, and verification is slower.
    #[cfg(feature = "fast")]
    keys: Vec<Key>,
}

impl Singly {
    /// For a group that has these encoded keys, each as often as it occurs.
    #[cfg(feature = "fast")]
    fn new<'k>(keys: impl ExactSizeIterator<Item = &'k [u8; 32]>) -> Self {
        let keys = if keys.len() < REPETITIONS {
            None
        } else {
            Self::frequent(keys)
        };
        Singly {
            keys: keys.unwrap_or_default(),
        }
    }

    /// The keys that occur often; `None` if there is no memory for them.
    #[cfg(feature = "fast")]
    fn frequent<'k>(keys: impl ExactSizeIterator<Item = &'k [u8; 32]>) -> Option<Vec<Key>> {
        let mut sorted: Vec<&[u8; 32]> = room(keys.len())?;
        sorted.extend(keys);
        sorted.sort_unstable();
        let runs = || {
            sorted
                .chunk_by(|a, b| a == b)
                .filter(|run| run.len() >= REPETITIONS)
        };
        let mut frequent = room(runs().count())?;
        frequent.extend(runs().map(|run| Key {
            encoding: *run[0],
            tables: None,
        }));
        Some(frequent)
    }

    /// Without the feature `fast` there are no tables.
    #[cfg(not(feature = "fast"))]
    fn new<'k>(_: impl ExactSizeIterator<Item = &'k [u8; 32]>) -> Self {
        Singly::default()
    }

    #[cfg(feature = "fast")]
    fn is_valid(&mut self, key: &VerifyingKey, equation: &GroupEquation, cofactored: bool) -> bool {
        let place = self
            .keys
            .binary_search_by_key(&key.as_bytes(), |key| &key.encoding);
        match place {
            Ok(i) => self.keys[i]
                .tables
                .get_or_insert_with(|| PreparedNegative::new(&equation.a))
                .vartime_holds(equation, cofactored),
            Err(_) => vartime_holds(equation, cofactored),
        }
    }

    #[cfg(not(feature = "fast"))]
    fn is_valid(&mut self, _: &VerifyingKey, equation: &GroupEquation, cofactored: bool) -> bool {
        vartime_holds(equation, cofactored)
    }
}

/// Single verification, with R decoded as the rule wants it.
fn vartime_holds(GroupEquation { s, r, k, a }: &GroupEquation, cofactored: bool) -> bool {
    if cofactored {
        EdwardsPoint::vartime_group_equation_cofactored(s, r, k, a)
    } else {
        EdwardsPoint::vartime_group_equation(s, r, k, a)
    }
}

impl Batch<'_> {
    /// Writes one verdict per signature; `verdicts` has as many elements.
    pub(super) fn verify_singly(&self, verdicts: &mut [bool]) {
        verdicts.fill(false);
        for start in (0..self.len()).step_by(GROUP) {
            let end = self.len().min(start + GROUP);
            let keys = &self.verifying_keys[start..end];
            let mut singly = Singly::new(keys.iter().map(VerifyingKey::as_bytes));
            for start in (start..end).step_by(admitted::GROUP) {
                let len = admitted::GROUP.min(end - start);
                self.admit_group(start, len, |admitted| {
                    let key = &self.verifying_keys[admitted.position];
                    verdicts[admitted.position] =
                        singly.is_valid(key, &admitted.equation, self.rules.cofactored);
                });
            }
        }
    }

    /// Writes one verdict per item; `verdicts` has as many elements.
    pub(super) fn verify_items(&self, items: &[Item], verdicts: &mut [bool]) {
        let cofactored = self.rules.cofactored;
        if side_by_side::pays() {
            for (items, verdicts) in items
                .chunks(admitted::GROUP)
                .zip(verdicts.chunks_mut(admitted::GROUP))
            {
                let mut equations = [items[0].admitted.equation; admitted::GROUP];
                for (equation, item) in equations.iter_mut().zip(items) {
                    *equation = item.admitted.equation;
                }
                let equations = &equations[..items.len()];
                EdwardsPoint::vartime_group_equations(equations, cofactored, verdicts);
            }
            return;
        }
        for (items, verdicts) in items.chunks(GROUP).zip(verdicts.chunks_mut(GROUP)) {
            let mut singly = Singly::new(items.iter().map(|item| item.key.as_bytes()));
            for (item, verdict) in items.iter().zip(verdicts) {
                *verdict = singly.is_valid(item.key, &item.admitted.equation, cofactored);
            }
        }
    }
}
