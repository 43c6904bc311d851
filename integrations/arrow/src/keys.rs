//! Decoded public keys, kept while they may come again.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

use crate::scheme::Scheme;

/// A public key as it is kept.
pub(crate) struct Kept<S: Scheme> {
    encoded: S::Encoded,
    /// None if the bytes are no key, or, in a place that waits, not yet.
    pub(crate) key: Option<S::Key>,
}

/// Decoded public keys of one thread, found by their bytes: at most so many, and those of one chunk. When there are too many it
/// begins anew: what comes often is there again at once, for the price of a decoding.
pub(crate) struct Store<S: Scheme> {
    kept: Vec<Kept<S>>,
    places: HashTable<u32>,
    /// With keys of its own, because who makes the columns may choose the public keys.
    hashing: RandomState,
    /// From this place on, keys are not decoded yet.
    decoded: usize,
    limit: usize,
    /// Whether there were many among the signatures that were verified last for which a batch is searched. It stands here because that is
    /// kept from one call to the next, which may have no more than one chunk.
    pub(crate) many_invalid: bool,
}

impl<S: Scheme> Store<S> {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            kept: Vec::new(),
            places: HashTable::new(),
            hashing: RandomState::new(),
            decoded: 0,
            limit,
            many_invalid: false,
        }
    }

    /// Makes room for the keys of another chunk. True if the places of those that were here are of no meaning any more.
    // How many of its rows have a key that is new is not known yet: to count on all of them would let nothing stay where a chunk has as
    // many rows as keys are kept.
    pub(crate) fn make_room(&mut self) -> bool {
        let full = self.kept.len() > self.limit;
        if full {
            self.kept.clear();
            self.places.clear();
            self.decoded = 0;
        }
        full
    }

    /// The place of the key with these bytes, which have a length of the scheme.
    pub(crate) fn place_of(&mut self, bytes: &[u8]) -> u32 {
        let hash = self.hashing.hash_one(bytes);
        let kept = &self.kept;
        let found = self.places.find(hash, |&place| {
            kept[place as usize].encoded.as_ref() == bytes
        });
        if let Some(&place) = found {
            return place;
        }
        let place =
            u32::try_from(self.kept.len()).expect("fewer keys than rows of a chunk and the limit");
        let hash_of = |&place: &u32| {
            self.hashing
                .hash_one(self.kept[place as usize].encoded.as_ref())
        };
        self.places.insert_unique(hash, place, hash_of);
        self.kept.push(Kept {
            encoded: S::encoded(bytes),
            key: None,
        });
        place
    }

    /// Decodes what has come since the last time, side by side.
    pub(crate) fn decode_new(&mut self) {
        let new = &mut self.kept[self.decoded..];
        if !new.is_empty() {
            S::decode_each(new, |kept| &kept.encoded, |kept, key| kept.key = key);
        }
        self.decoded = self.kept.len();
    }

    pub(crate) fn key(&self, place: u32) -> Option<&S::Key> {
        self.kept[place as usize].key.as_ref()
    }
}
