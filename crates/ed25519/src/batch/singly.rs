//! One item after the other, with tables for the keys that occur often.

#[cfg(feature = "fast")]
use alloc::{boxed::Box, collections::BTreeMap};

use super::combined::Item;
#[cfg(feature = "fast")]
use crate::equation::PreparedNegative;

/// Items per table of keys, which bounds the memory for tables: at most
/// `GROUP / REPETITIONS` of 6 kB each.
pub(super) const GROUP: usize = 512;

/// From how many signatures of one key on its tables pay: they cost about one
/// verification and save a quarter of each.
#[cfg(feature = "fast")]
const REPETITIONS: usize = 8;

/// What is known of one key.
#[cfg(feature = "fast")]
#[derive(Default)]
struct Key {
    occurrences: usize,
    tables: Option<Box<PreparedNegative>>,
}

/// Verifies the items of a group singly.
#[derive(Default)]
pub(super) struct Singly {
    #[cfg(feature = "fast")]
    keys: BTreeMap<[u8; 32], Key>,
}

impl Singly {
    /// For a group that has these encoded keys, each as often as it occurs.
    #[cfg(feature = "fast")]
    pub(super) fn new<'k>(keys: impl ExactSizeIterator<Item = &'k [u8; 32]>) -> Self {
        let mut singly = Singly::default();
        if keys.len() >= REPETITIONS {
            for key in keys {
                singly.keys.entry(*key).or_default().occurrences += 1;
            }
        }
        singly
    }

    /// Without the feature `fast` there are no tables.
    #[cfg(not(feature = "fast"))]
    pub(super) fn new<'k>(_: impl ExactSizeIterator<Item = &'k [u8; 32]>) -> Self {
        Singly::default()
    }

    #[cfg(feature = "fast")]
    pub(super) fn is_valid(&mut self, item: &Item) -> bool {
        match self.keys.get_mut(item.key().as_bytes()) {
            Some(key) if key.occurrences >= REPETITIONS => {
                let new = || Box::new(PreparedNegative::new(&item.key().to_edwards()));
                item.is_valid_under(&**key.tables.get_or_insert_with(new))
            }
            _ => item.is_valid(),
        }
    }

    #[cfg(not(feature = "fast"))]
    pub(super) fn is_valid(&mut self, item: &Item) -> bool {
        item.is_valid()
    }
}
