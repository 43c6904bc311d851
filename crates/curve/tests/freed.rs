//! What sums of multiples by secret scalars leave in memory that they give back: the same, whatever the secrets.
#![cfg(feature = "alloc")]
#![allow(unsafe_code)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use common::on_every_backend;
use lanner_curve::edwards::EdwardsPoint;
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::MultiscalarMul;

/// Looks at what is given back.
struct Watching;

/// How many bytes a block has at least that is looked at: less than the digits of a scalar.
const LEAST: usize = 64;

const MOST: usize = 64;

thread_local! {
    /// While it is looked at, the number of blocks, and what was in them. It has no memory of its own, because it is
    /// filled while memory is given back.
    static FREED: RefCell<Option<(usize, [u64; MOST])>> = const { RefCell::new(None) };
}

fn look(block: *mut u8, layout: Layout) {
    if layout.size() < LEAST {
        return;
    }
    FREED.with_borrow_mut(|freed| {
        if let Some((count, contents)) = freed {
            let mut hasher = DefaultHasher::new();
            for i in 0..layout.size() {
                // SAFETY: within the block; the reads are volatile, because nothing else says that bytes were written.
                unsafe { block.add(i).read_volatile() }.hash(&mut hasher);
            }
            contents[*count] = hasher.finish();
            *count += 1;
        }
    });
}

// SAFETY: the system's allocator, which is given what this was given.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Zeros, so that what nobody wrote is the same each time.
        // SAFETY: as the caller has it.
        unsafe { System.alloc_zeroed(layout) }
    }

    // That `realloc` is the default one, by way of these, is meant: what it leaves behind is looked at.
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        look(block, layout);
        // SAFETY: as the caller has it.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// What was in the blocks that a sum gave back, of terms whose number is told beforehand or is not.
fn freed(secret: u8, n: u8, told: bool) -> Vec<u64> {
    let scalars: Vec<Scalar> = (0..n)
        .map(|i| Scalar::from_bytes_mod_order([secret ^ i; 32]))
        .collect();
    let points: Vec<EdwardsPoint> = scalars.iter().map(EdwardsPoint::mul_base).collect();
    FREED.set(Some((0, [0; MOST])));
    let sum = if told {
        EdwardsPoint::multiscalar_mul(&scalars, &points)
    } else {
        EdwardsPoint::multiscalar_mul(
            scalars.iter().filter(|_| true),
            points.iter().filter(|_| true),
        )
    };
    let (count, contents) = FREED.take().expect("it was set");
    assert_ne!(sum, EdwardsPoint::default());
    contents[..count].to_vec()
}

#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn sums_leave_nothing() {
    on_every_backend(|backend| {
        for (n, told) in [(1, true), (2, true), (13, true), (13, false), (200, false)] {
            let [one, other] = [5, 90].map(|secret| freed(secret, n, told));
            assert!(one.len() >= 3, "digits, points and multiples");
            assert_eq!(one, other, "{n} terms, {backend}");
        }
    });
}
