//! What reading a secret key leaves in memory that it gives back: a format may hand over what it read, to be kept.
#![cfg(all(feature = "alloc", feature = "serde"))]
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use lanner_ed25519::{SigningKey, VerifyingKey};
use serde::de::value::Error;
use serde::de::{Deserialize, Deserializer, Visitor};

/// Looks at what is given back.
struct Watching;

thread_local! {
    /// In how many blocks the secret was that were given back while it is looked for.
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

const SECRET: [u8; 32] = *b"what nobody finds in freed space";

// SAFETY: the system's allocator, which is given what this was given.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Zeros, so that every byte of a block can be looked at.
        // SAFETY: as the caller has it.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some(left) = LEFT.get() {
            // SAFETY: within the block; the reads are volatile, because nothing else says that bytes were written.
            let byte = |at| unsafe { block.add(at).read_volatile() };
            let is_there = |at| SECRET[..16].iter().zip(at..).all(|(x, at)| byte(at) == *x);
            let starts = (layout.size() + 1).saturating_sub(16);
            LEFT.set(Some(left + usize::from((0..starts).any(is_there))));
        }
        // SAFETY: as the caller has it.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// A format that hands its bytes over.
struct Owned(Vec<u8>);

impl<'de> Deserializer<'de> for Owned {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_byte_buf(self.0)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// What reading these bytes as a key left.
fn left<K: for<'de> Deserialize<'de>>(bytes: &[u8]) -> (bool, usize) {
    let owned = Owned(bytes.to_vec());
    LEFT.set(Some(0));
    let read = K::deserialize(owned);
    (read.is_ok(), LEFT.take().expect("it was set"))
}

#[test]
fn reading_a_secret_key_leaves_nothing() {
    assert_eq!(left::<SigningKey>(&SECRET), (true, 0));
    // One byte too many.
    let longer = [&SECRET[..], &[0]].concat();
    assert_eq!(left::<SigningKey>(&longer), (false, 0));
    // What is looked for would be found.
    LEFT.set(Some(0));
    drop(black_box(SECRET.to_vec()));
    assert_eq!(LEFT.take(), Some(1));
    let public = VerifyingKey::from(&SigningKey::from_bytes(&SECRET));
    assert!(left::<VerifyingKey>(public.as_bytes()).0);
}
