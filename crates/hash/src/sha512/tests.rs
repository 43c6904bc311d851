//! SHA-512 on every vectors, against the examples of the standard and the crate `sha2`.

use core::array::from_fn;
use std::vec;
use std::vec::Vec;

use sha2::{Digest, Sha512};

use super::compress::{Compress, States};
use super::constants::{INITIAL, ROUND};
use super::{digest_each, for_each_digest, hash_with};
use lanner_simd::{portable, portable_ifma};

use crate::testing::{Random, hex};
use crate::vectors::{Eight, Four, MAX_LANES, Vectors, Widest};

/// The digests of all messages, in their order; each must come exactly once.
fn hash<'a, M>(vectors: Vectors, messages: &[M]) -> Vec<[u8; 64]>
where
    M: AsRef<[&'a [u8]]>,
{
    let mut digests = vec![None; messages.len()];
    hash_with(vectors, messages, |index, digest| {
        assert_eq!(digests[index].replace(*digest), None, "twice");
    });
    digests.into_iter().map(Option::unwrap).collect()
}

fn reference(message: &[u8]) -> [u8; 64] {
    Sha512::digest(message).into()
}

/// FIPS 180-4, examples for SHA-512 (one block, two blocks), and the empty message.
#[test]
fn known_answers() {
    let two_blocks: &[u8] = b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklm\
        ghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    let messages: [[&[u8]; 1]; 3] = [[b"abc"], [two_blocks], [b""]];
    let expected = [
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
         2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018\
         501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
         47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
    ];
    for vectors in Vectors::all() {
        let digests = hash(vectors, &messages);
        assert_eq!(
            digests.iter().map(|d| hex(d)).collect::<Vec<_>>(),
            expected,
            "{vectors:?}"
        );
    }
}

/// Every length of one, two and three blocks, alone and beside its neighbours.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn lengths() {
    let bytes = Random::new().bytes(300);
    for vectors in Vectors::all() {
        for length in 0..=300 {
            let message = &bytes[..length];
            let expected = reference(message);
            assert_eq!(
                hash(vectors, &[[message]]),
                [expected],
                "{vectors:?}, {length}"
            );
            let many = hash(vectors, &[[message]; 9]);
            assert_eq!(many, [expected; 9], "{vectors:?}, {length}");
        }
    }
}

/// Any number of messages of any lengths, in any parts.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn unequal_lengths() {
    let mut random = Random::new();
    let bytes = random.bytes(2000);
    for vectors in Vectors::all() {
        for round in 0..20 {
            for count in 0..=20 {
                let longest = [1, 40, 300, 2000][round % 4];
                let messages: Vec<Vec<&[u8]>> = (0..count)
                    .map(|_| {
                        let start = random.below(longest);
                        let length = random.below(longest - start);
                        random.cut(&bytes[start..][..length])
                    })
                    .collect();
                let expected: Vec<_> = messages.iter().map(|m| reference(&m.concat())).collect();
                let lengths: Vec<_> = messages.iter().map(|m| m.concat().len()).collect();
                assert_eq!(
                    hash(vectors, &messages),
                    expected,
                    "{vectors:?}, {lengths:?}"
                );
            }
        }
    }
}

/// A boundary between parts at every place, with empty parts about it.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn part_boundaries() {
    let bytes = Random::new().bytes(400);
    for vectors in Vectors::all() {
        for length in [111, 112, 127, 128, 129, 256, 300, 400] {
            let message = &bytes[..length];
            let messages: Vec<[&[u8]; 5]> = (0..=length)
                .map(|i| [&[][..], &message[..i], &[], &message[i..], &[]])
                .collect();
            for digest in hash(vectors, &messages) {
                assert_eq!(digest, reference(message), "{vectors:?}, {length}");
            }
        }
        // Three parts of 32 bytes, as in Ed25519, and parts about as long as a block.
        for part in [1, 31, 32, 33, 64, 127, 128, 129] {
            let parts: Vec<&[u8]> = bytes.chunks(part).collect();
            assert_eq!(
                hash(vectors, &[parts]),
                [reference(&bytes)],
                "{vectors:?}, {part}"
            );
        }
    }
}

/// Lists of no parts, and owned parts, are messages, too.
#[test]
fn other_parts() {
    let none: [[[u8; 3]; 0]; 3] = [[]; 3];
    let mut digests = [[0; 64]; 3];
    digest_each(none, &mut digests);
    assert_eq!(digests, [reference(b""); 3]);
    digest_each([[vec![1], vec![2]]], &mut digests[..1]);
    assert_eq!(digests[0], reference(&[1, 2]));
    let mut count = 0;
    for_each_digest([[[7; 200]]; 9], |_, digest| {
        assert_eq!(*digest, reference(&[7; 200]));
        count += 1;
    });
    assert_eq!(count, 9);
}

#[test]
#[should_panic(expected = "one digest for each message")]
fn more_digests_than_messages() {
    digest_each([[b"a"]; 2], &mut [[0; 64]; 3]);
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn more_messages_than_digests() {
    digest_each([[b"a"]; 3], &mut [[0; 64]; 2]);
}

fn check_compress(random: &mut Random, lanes: usize, enter: impl FnOnce(Compress)) {
    let mut states: States = from_fn(|_| from_fn(|_| random.word()));
    let blocks: [[u8; 128]; MAX_LANES] = from_fn(|_| random.bytes(128).try_into().unwrap());
    let mut expected = states;
    for lane in 0..lanes {
        let mut state = from_fn(|i| expected[i][lane]);
        sha2::block_api::compress512(&mut state, &[blocks[lane]]);
        for (row, word) in expected.iter_mut().zip(state) {
            row[lane] = word;
        }
    }
    let blocks = from_fn(|i| &blocks[i]);
    enter(Compress {
        states: &mut states,
        blocks: &blocks,
    });
    assert_eq!(states, expected, "{lanes} lanes");
}

/// The compression function changes its lanes, and those only; on portable lanes of every
/// width, the twins of the vectors, and on every vectors.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn compression() {
    let mut random = Random::new();
    for _ in 0..50 {
        check_compress(&mut random, 1, |kernel| portable(Widest(kernel)));
        check_compress(&mut random, 4, |kernel| portable(Four(kernel)));
        check_compress(&mut random, 8, |kernel| portable_ifma(Eight(kernel)));
        for vectors in Vectors::all() {
            for messages in 1..=vectors.lanes() {
                let lanes = vectors.width(messages);
                assert!(lanes >= messages);
                check_compress(&mut random, lanes, |kernel| {
                    assert_eq!(vectors.run(messages, kernel), lanes);
                });
            }
        }
    }
}

/// `a` · `b` in integers of 320 bits, lowest word first.
fn product(a: &[u64; 5], b: u128) -> [u64; 5] {
    let mut result = [0u64; 5];
    for (offset, factor) in [b as u64, (b >> 64) as u64].into_iter().enumerate() {
        let mut carry = 0u128;
        for i in 0..5 - offset {
            let sum =
                u128::from(a[i]) * u128::from(factor) + u128::from(result[i + offset]) + carry;
            result[i + offset] = sum as u64;
            carry = sum >> 64;
        }
        assert_eq!(carry, 0);
    }
    result
}

/// Whether `fraction` is what follows the point of the `power`-th root of `prime`.
fn is_root(fraction: u64, prime: u64, power: usize) -> bool {
    let whole = (1..)
        .take_while(|x: &u64| x.pow(power as u32) <= prime)
        .last()
        .unwrap();
    let root = u128::from(whole) << 64 | u128::from(fraction);
    let to_power = |root| (0..power).fold([1, 0, 0, 0, 0], |a, _| product(&a, root));
    let mut scaled = [0; 5];
    scaled[power] = prime;
    // From the highest word.
    let at_most = |a: [u64; 5], b: [u64; 5]| a.iter().rev().le(b.iter().rev());
    at_most(to_power(root), scaled) && !at_most(to_power(root + 1), scaled)
}

/// FIPS 180-4, 4.2.3 and 5.3.5.
#[test]
fn constants() {
    let primes = || (2..).filter(|p: &u64| !(2..*p).any(|q| p.is_multiple_of(q)));
    assert!(
        INITIAL
            .iter()
            .zip(primes())
            .all(|(&word, prime)| is_root(word, prime, 2))
    );
    assert!(
        ROUND
            .iter()
            .zip(primes())
            .all(|(&word, prime)| is_root(word, prime, 3))
    );
    assert!(!is_root(INITIAL[0] + 1, 2, 2) && !is_root(INITIAL[0] - 1, 2, 2));
}

#[cfg(feature = "digest")]
#[test]
fn compact_agrees_at_every_length() {
    use super::Compact;

    let message: Vec<u8> = (0..600u32).map(|i| ((i * i) >> 3) as u8).collect();
    for len in 0..message.len() {
        let message = &message[..len];
        let expected = Sha512::digest(message);
        assert_eq!(Compact::digest(message)[..], expected[..], "{len} bytes");
        let (head, tail) = message.split_at(len / 3);
        let digest = Compact::new().chain_update(head).chain_update(tail);
        assert_eq!(digest.finalize()[..], expected[..], "{len} bytes in two");
    }
}
