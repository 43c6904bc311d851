//! What is in memory that is given back to the system; and a format that gives some back. `compat/tests/wiping` has it, too.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use serde::de::value::Error;
use serde::de::{Deserializer, Visitor};

/// Looks at what is given back.
struct Watching;

thread_local! {
    /// Half of the secret that is looked for, and in how many blocks it was.
    static LEFT: Cell<Option<([u8; 16], usize)>> = const { Cell::new(None) };
}

// SAFETY: the system's allocator, which is given what this was given.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Zeros, so that every byte of a block can be looked at.
        // SAFETY: as the caller has it.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Ok(Some((secret, left))) = LEFT.try_with(Cell::get) {
            // SAFETY: within the block; the reads are volatile, because nothing else says that bytes were written.
            let byte = |at| unsafe { block.add(at).read_volatile() };
            let is_there = |at| secret.iter().zip(at..).all(|(x, at)| byte(at) == *x);
            let starts = (layout.size() + 1).saturating_sub(secret.len());
            let left = left + usize::from((0..starts).any(is_there));
            LEFT.set(Some((secret, left)));
        }
        // SAFETY: as the caller has it.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// In how many blocks that an operation gives back the secret is.
pub(crate) fn left_in(secret: &[u8; 32], operation: impl FnOnce()) -> usize {
    let half = secret.first_chunk().expect("32 are enough");
    LEFT.set(Some((*half, 0)));
    operation();
    LEFT.take().expect("it was set").1
}

/// A format that hands over the bytes that it read, to be kept.
pub(crate) struct Owned(pub(crate) Vec<u8>);

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
