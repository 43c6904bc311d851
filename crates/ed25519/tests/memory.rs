//! What batches take from the allocator: no more for a million signatures than for some thousands.
#![cfg(feature = "batch")]
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use lanner_ed25519::batch::Batch;
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Signer, SigningKey};

/// Counts what is taken and not given back.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator, which is given what this was given.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: as the caller has it.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller has it.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How much an operation has at most.
fn most(operation: impl FnOnce()) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    operation();
    MOST.load(Ordering::Relaxed) - before
}

#[test]
fn large_batches_are_combined_in_parts() {
    let keys: Vec<SigningKey> = (0..8).map(|i| SigningKey::from_bytes(&[i; 32])).collect();
    let of = |count: usize| {
        let messages: Vec<&[u8]> = vec![b"message"; count];
        let signatures: Vec<_> = keys.iter().map(|key| key.sign(b"message")).collect();
        let mut signatures: Vec<_> = signatures.into_iter().cycle().take(count).collect();
        let publics = keys.iter().map(SigningKey::verifying_key).cycle();
        let publics: Vec<_> = publics.take(count).collect();
        // One is not valid, in the last part.
        signatures[count - 7] = keys[0].sign(b"another");
        let mut verdicts = vec![true; count];
        let each = most(|| {
            let batch = Batch::new(ProfileName::Zip215, &messages, &signatures, &publics);
            let batch = batch.expect("as many of each");
            batch
                .verify_each_combined_into(&mut verdicts)
                .expect("as many verdicts");
        });
        let invalid: Vec<usize> = (0..count).filter(|&i| !verdicts[i]).collect();
        assert_eq!(invalid, [count - 7]);
        let all = most(|| {
            let batch = Batch::new(ProfileName::Zip215, &messages, &signatures, &publics);
            assert!(batch.expect("as many of each").verify().is_err());
        });
        (each, all)
    };
    let (each, all) = of(1 << 13);
    let (each_of_more, all_of_more) = of((1 << 14) + 100);
    assert!(
        each > 1 << 20 && each_of_more <= each,
        "{each}, {each_of_more}"
    );
    assert!(all > 1 << 20 && all_of_more <= all, "{all}, {all_of_more}");
}
