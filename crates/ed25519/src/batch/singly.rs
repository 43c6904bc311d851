//! One item after the other, with tables for the keys that occur often.

#[cfg(feature = "fast")]
use alloc::vec::Vec;

use super::combined::Item;
#[cfg(feature = "fast")]
use super::room;
#[cfg(feature = "fast")]
use crate::equation::PreparedNegative;

/// Items per table of keys, which bounds the memory for tables: at most
/// `GROUP / REPETITIONS` of 6 kB each.
pub(super) const GROUP: usize = 512;

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
pub(super) struct Singly {
    /// In the order of their encodings. Without memory there are none, and verification is slower.
    #[cfg(feature = "fast")]
    keys: Vec<Key>,
}

impl Singly {
    /// For a group that has these encoded keys, each as often as it occurs.
    #[cfg(feature = "fast")]
    pub(super) fn new<'k>(keys: impl ExactSizeIterator<Item = &'k [u8; 32]>) -> Self {
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
    pub(super) fn new<'k>(_: impl ExactSizeIterator<Item = &'k [u8; 32]>) -> Self {
        Singly::default()
    }

    #[cfg(feature = "fast")]
    pub(super) fn is_valid(&mut self, item: &Item) -> bool {
        let place = self
            .keys
            .binary_search_by_key(&item.key().as_bytes(), |key| &key.encoding);
        match place {
            Ok(i) => {
                let new = || PreparedNegative::new(&item.key().to_edwards());
                item.is_valid_under(self.keys[i].tables.get_or_insert_with(new))
            }
            Err(_) => item.is_valid(),
        }
    }

    #[cfg(not(feature = "fast"))]
    pub(super) fn is_valid(&mut self, item: &Item) -> bool {
        item.is_valid()
    }
}
