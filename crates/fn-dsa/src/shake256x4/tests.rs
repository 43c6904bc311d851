//! The stream against four of `sha3`, byte by byte.

use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};
use std::vec::Vec;

use super::{BLOCK, Shake256x4};

/// The first blocks of the stream of a seed.
fn naive(seed: &[u8], blocks: usize) -> Vec<u8> {
    let mut readers = [0, 1, 2, 3].map(|instance: u8| {
        let mut hash = Shake256::default();
        hash.update(seed);
        hash.update(&[instance]);
        hash.finalize_xof()
    });
    let mut stream = Vec::new();
    while stream.len() < blocks * BLOCK {
        for reader in &mut readers {
            let mut word = [0; 8];
            reader.read(&mut word);
            stream.extend(word);
        }
    }
    stream
}

#[test]
fn words_take_turns() {
    for length in [0, 1, 7, 8, 31, 32, 33, 56, 133, 134] {
        let seed = &[0x5a; 134][..length];
        let expected = naive(seed, 4);
        let mut stream = Shake256x4::empty();
        for _ in 0..2 {
            stream.restart(seed);
            for word in expected.chunks_exact(8) {
                let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
                assert_eq!(stream.next_bytes::<8>(), word, "{length}");
            }
        }
    }
}

/// Words of all lengths, at all offsets: what does not fit in a block is skipped.
#[test]
fn words_do_not_cross_blocks() {
    let expected = naive(b"seed", 16);
    let mut stream = Shake256x4::empty();
    stream.restart(b"seed");
    let (mut at, mut skipped) = (0, 0);
    for i in 0..1500 {
        let length = [1, 8, 2, 8, 8, 1][i % 6];
        let left = BLOCK - at % BLOCK;
        if left < length {
            at += left;
            skipped += left;
        }
        let value = match length {
            1 => stream.next_bytes::<1>(),
            2 => stream.next_bytes::<2>(),
            _ => stream.next_bytes::<8>(),
        };
        let mut bytes = [0; 8];
        bytes[..length].copy_from_slice(&expected[at..at + length]);
        assert_eq!(value, u64::from_le_bytes(bytes), "{i}");
        at += length;
    }
    assert!(skipped > 0, "some words did not fit");
}

#[test]
#[should_panic(expected = "one block")]
fn longer_seeds_are_refused() {
    Shake256x4::empty().restart(&[0; 135]);
}
