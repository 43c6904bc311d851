//! What reading a secret key leaves in memory that it gives back: a format may hand over what it read, to be kept.
#![cfg(all(feature = "alloc", feature = "serde"))]

mod watching;

use std::hint::black_box;

use lanner_ed25519::{SigningKey, VerifyingKey};
use serde::de::Deserialize;
use watching::{Owned, left_in};

const SECRET: [u8; 32] = *b"what nobody finds in freed space";

/// Whether these bytes are read as a key, and in how many blocks that gives back they are.
fn left<K: for<'de> Deserialize<'de>>(bytes: &[u8]) -> (bool, usize) {
    let owned = Owned(bytes.to_vec());
    let mut read = None;
    let left = left_in(&SECRET, || read = K::deserialize(owned).ok());
    (read.is_some(), left)
}

#[test]
fn reading_a_secret_key_leaves_nothing() {
    assert_eq!(left::<SigningKey>(&SECRET), (true, 0));
    // One byte too many.
    let longer = [&SECRET[..], &[0]].concat();
    assert_eq!(left::<SigningKey>(&longer), (false, 0));
    // What is looked for would be found.
    let bytes = SECRET.to_vec();
    assert_eq!(left_in(&SECRET, || drop(black_box(bytes))), 1);
    let public = VerifyingKey::from(&SigningKey::from_bytes(&SECRET));
    assert!(left::<VerifyingKey>(public.as_bytes()).0);
}
