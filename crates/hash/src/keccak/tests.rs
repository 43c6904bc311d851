//! Keccak and SHAKE on every vectors, against the examples of the standard and the crate `sha3`.

use core::array::from_fn;
use std::vec::Vec;

use sha3::digest::{ExtendableOutput, XofReader};

use super::permutation::{permute_one_beside_with, permute_one_with, permute_with};
use super::{Shake, Shake128, Shake256, Work};
use crate::testing::{Random, hex};
use crate::vectors::{MAX_LANES, Vectors};

/// The beginning of the SHAKE with this rate in words.
fn reference<const RATE: usize>(message: &[u8], length: usize) -> Vec<u8> {
    fn read(mut hash: impl ExtendableOutput, message: &[u8], length: usize) -> Vec<u8> {
        hash.update(message);
        let mut output = std::vec![0; length];
        hash.finalize_xof().read(&mut output);
        output
    }
    match RATE {
        17 => read(sha3::Shake256::default(), message, length),
        21 => read(sha3::Shake128::default(), message, length),
        _ => panic!("no SHAKE has this rate"),
    }
}

/// Checks the streams of some messages for some blocks, by all ways to read them.
fn check<const RATE: usize, const N: usize>(
    vectors: Vectors,
    messages: [Vec<&[u8]>; N],
    blocks: usize,
) {
    let whole = messages.each_ref().map(|message| message.concat());
    let mut streams = Shake::<RATE, N>::new_with(vectors, messages);
    let expected = whole
        .each_ref()
        .map(|message| reference::<RATE>(message, 8 * RATE * blocks));
    let lengths = whole.each_ref().map(Vec::len);
    let before = *streams.block();
    for block in 0..blocks {
        let words = *streams.next_block_with(vectors);
        assert!(
            block > 0 || words == before,
            "the first block is there from the start"
        );
        assert_eq!(words, *streams.block());
        for stream in 0..N {
            let expected = &expected[stream][8 * RATE * block..][..8 * RATE];
            let (expected_words, _) = expected.as_chunks();
            for (i, word) in expected_words.iter().enumerate() {
                let word = u64::from_le_bytes(*word);
                assert_eq!(
                    words[i][stream], word,
                    "{vectors:?}, {lengths:?}, {stream}, {block}"
                );
                assert_eq!(streams.words(stream)[i], word);
            }
            for length in [0, 1, 7, 8, 9, 8 * RATE - 1, 8 * RATE] {
                let mut bytes = [0; 168];
                streams.copy_block(stream, &mut bytes[..length]);
                assert_eq!(bytes[..length], expected[..length]);
            }
        }
    }
}

/// The NIST examples for FIPS 202 with no bits and with 1600 bits.
#[test]
fn known_answers() {
    fn first<const RATE: usize>(vectors: Vectors) -> [std::string::String; 2] {
        let streams = Shake::<RATE, 2>::new_with(vectors, [&[&[][..]][..], &[&[0xa3; 200]]]);
        [0, 1].map(|stream| {
            let mut bytes = [0; 32];
            streams.copy_block(stream, &mut bytes);
            hex(&bytes)
        })
    }
    for vectors in Vectors::all() {
        let expected = [
            "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26",
            "131ab8d2b594946b9c81333f9bb6e0ce75c3b93104fa3469d3917457385da037",
        ];
        assert_eq!(first::<21>(vectors), expected, "{vectors:?}");
        let expected = [
            "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f",
            "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d",
        ];
        assert_eq!(first::<17>(vectors), expected, "{vectors:?}");
    }
}

/// Every length of up to three blocks.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn lengths() {
    let bytes = Random::new().bytes(450);
    for vectors in Vectors::all() {
        for length in 0..=450 {
            let message = Vec::from([&bytes[..length]]);
            check::<17, 4>(vectors, from_fn(|_| message.clone()), 2);
            check::<21, 4>(vectors, from_fn(|_| message.clone()), 2);
        }
    }
}

fn check_unequal<const N: usize>(random: &mut Random, vectors: Vectors, bytes: &[u8]) {
    for round in 0..24 {
        let longest = [1, 140, 500, 1500][round % 4];
        let mut messages = || {
            from_fn(|_| {
                let length = random.below(longest);
                random.cut(&bytes[..length])
            })
        };
        check::<17, N>(vectors, messages(), 1 + round % 3);
        check::<21, N>(vectors, messages(), 1 + round % 3);
    }
}

/// Any number of messages of any lengths, in any parts.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn unequal_lengths() {
    let mut random = Random::new();
    let bytes = random.bytes(1500);
    for vectors in Vectors::all() {
        check_unequal::<0>(&mut random, vectors, &bytes);
        check_unequal::<1>(&mut random, vectors, &bytes);
        check_unequal::<2>(&mut random, vectors, &bytes);
        check_unequal::<3>(&mut random, vectors, &bytes);
        check_unequal::<4>(&mut random, vectors, &bytes);
        check_unequal::<5>(&mut random, vectors, &bytes);
        check_unequal::<7>(&mut random, vectors, &bytes);
        check_unequal::<8>(&mut random, vectors, &bytes);
        check_unequal::<13>(&mut random, vectors, &bytes);
        check_unequal::<20>(&mut random, vectors, &bytes);
    }
}

/// A boundary between parts at every place.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn part_boundaries() {
    let bytes = Random::new().bytes(300);
    for vectors in Vectors::all() {
        for i in 0..=300 {
            let cut = |length: usize| {
                let i = i.min(length);
                Vec::from([&bytes[..i], &[], &bytes[i..length]])
            };
            check::<17, 4>(vectors, [cut(135), cut(136), cut(272), cut(300)], 1);
            check::<21, 4>(vectors, [cut(167), cut(168), cut(169), cut(300)], 1);
        }
    }
}

fn check_permutation<const N: usize>(random: &mut Random, vectors: Vectors) {
    let mut states: [[u64; N]; 25] = from_fn(|_| from_fn(|_| random.word()));
    let mut expected = states;
    for lane in 0..N {
        let mut state = states.map(|row| [row[lane]]);
        permute_with(Vectors::Portable, &mut state);
        for (row, [word]) in expected.iter_mut().zip(state) {
            row[lane] = word;
        }
    }
    permute_with(vectors, &mut states);
    assert_eq!(states, expected, "{vectors:?}, {N}");
}

/// Lanes do not depend on each other, however many there are.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn permutation() {
    let mut random = Random::new();
    for vectors in Vectors::all() {
        for _ in 0..50 {
            check_permutation::<1>(&mut random, vectors);
            let mut state = from_fn(|_| random.word());
            let mut expected = state.map(|word| [word]);
            permute_one_with(vectors, &mut state);
            permute_with(Vectors::Portable, &mut expected);
            assert_eq!(state.as_slice(), expected.as_flattened(), "{vectors:?}");
            check_permutation::<2>(&mut random, vectors);
            check_permutation::<3>(&mut random, vectors);
            check_permutation::<4>(&mut random, vectors);
            check_permutation::<6>(&mut random, vectors);
            check_permutation::<MAX_LANES>(&mut random, vectors);
            check_permutation::<11>(&mut random, vectors);
            check_permutation::<16>(&mut random, vectors);
        }
    }
}

/// The portable lanes of every width, twins of the vectors, and the state that all
/// implementations of Keccak print first.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn portable_lanes() {
    use super::permutation::Permute;
    use crate::vectors::{Eight, Four, Widest};
    use lanner_simd::{portable, portable_ifma};

    fn permuted<const N: usize>(mut states: [[u64; N]; 25]) -> [[u64; N]; 25] {
        let kernel = Permute {
            states: states.as_flattened_mut(),
            stride: N,
            first: 0,
        };
        match N {
            1 => portable(Widest(kernel)),
            4 => portable(Four(kernel)),
            _ => portable_ifma(Eight(kernel)),
        }
        states
    }
    let mut random = Random::new();
    let states: [[u64; 8]; 25] = from_fn(|_| from_fn(|_| random.word()));
    let together = permuted(states);
    for lane in 0..8 {
        let alone = permuted(states.map(|row| [row[lane]]));
        assert_eq!(alone, together.map(|row| [row[lane]]));
        let four = permuted(states.map(|row| [0, 0, row[lane], row[0]]));
        assert_eq!(alone, four.map(|row| [row[2]]));
    }
    assert_eq!(permuted([[0]; 25])[0], [0xf125_8f79_40e1_dde7]);
}

#[test]
fn public_types() {
    let mut streams = Shake128::<2>::new([[b"a"], [b"b"]]);
    streams.next_block();
    let second = streams.next_block()[0];
    let expected = reference::<21>(b"b", 176);
    assert_eq!(second[1].to_le_bytes(), expected[168..]);
    assert_eq!(std::format!("{streams:?}"), "Shake { .. }");
}

#[test]
#[should_panic(expected = "one block")]
fn more_than_a_block() {
    Shake256::<1>::new([[b"a"]]).copy_block(0, &mut [0; 137]);
}

/// Work that counts its steps.
#[derive(Default)]
struct Steps(u32);

impl Work for Steps {
    #[inline(always)]
    fn step(&mut self) {
        self.0 += 1;
    }
}

/// Beside other work, the permutation is the same; and where vectors leave room for that, a step is done for each round.
#[test]
fn beside_other_work() {
    let mut random = Random::new();
    for vectors in Vectors::all() {
        for _ in 0..20 {
            let mut state: [u64; 25] = from_fn(|_| random.word());
            let mut beside = state;
            permute_one_with(vectors, &mut state);
            let mut steps = Steps(7);
            permute_one_beside_with(vectors, &mut beside, &mut steps);
            assert_eq!(beside, state);
            let expected = if matches!(vectors, Vectors::Eight(_)) {
                24
            } else {
                0
            };
            assert_eq!(steps.0, 7 + expected);
        }
    }
}
