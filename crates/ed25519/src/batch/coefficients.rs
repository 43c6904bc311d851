//! The coefficients of a random combination, derived from the batch.

use alloc::vec::Vec;

use crate::sha512::Sha512;
use lanner_curve::scalar::Scalar;
use lanner_hash::sha512::digest_each;
use sha2::Digest;

use super::room;

/// Separates this use of SHA-512 from all others.
const LABEL: &[u8] = b"lanner-ed25519 batch coefficients, version 2";

/// Items that are hashed together, before their hashes are: that leaves independent messages, to be
/// hashed side by side.
const LEAF: usize = 16;

/// How many messages are given to be hashed side by side.
const SIDE_BY_SIDE: usize = 16;

/// What is absorbed for an item: the challenge and S.
const ITEM: usize = 64 + 32;

/// Absorbs the batch.
pub(super) struct Transcript {
    root: Sha512,
    items: Vec<u8>,
}

impl Transcript {
    /// For so many items; `aux_rand` may be empty. `None` if there is not enough memory.
    pub(super) fn new(items: usize, aux_rand: &[u8]) -> Option<Self> {
        let mut root = Sha512::new_with_prefix(LABEL);
        root.update((items as u64).to_le_bytes());
        root.update((aux_rand.len() as u64).to_le_bytes());
        root.update(aux_rand);
        Some(Transcript {
            root,
            items: room(items * ITEM)?,
        })
    }

    /// `challenge` is the hash of R, A and the message, all 64 bytes of it, and
    /// so binds them; S is bound by its bytes. For as many items as were announced.
    pub(super) fn absorb(&mut self, challenge: &[u8; 64], s: &Scalar) {
        self.items.extend_from_slice(challenge);
        self.items.extend_from_slice(s.as_bytes());
    }

    /// The root hashes the hashes of leaves in their order; the number of items says how long
    /// each leaf is.
    pub(super) fn finish(mut self) -> Coefficients {
        for leaves in self.items.chunks(SIDE_BY_SIDE * LEAF * ITEM) {
            let mut digests = [[0; 64]; SIDE_BY_SIDE];
            let digests = &mut digests[..leaves.len().div_ceil(LEAF * ITEM)];
            digest_each(leaves.chunks(LEAF * ITEM).map(|leaf| [leaf]), digests);
            for digest in digests {
                self.root.update(&digest[..]);
            }
        }
        Coefficients {
            seed: self.root.finalize().into(),
        }
    }
}

/// Pseudorandom streams that depend on every byte of the batch.
pub(super) struct Coefficients {
    seed: [u8; 64],
}

impl Coefficients {
    /// So many coefficients z, of 128 bits each; `None` if there is not enough memory.
    pub(super) fn scalars(&self, count: usize) -> Option<Vec<u128>> {
        let mut scalars = room(count)?;
        self.for_each_block(0, count.div_ceil(4), |block| {
            for bytes in block.chunks_exact(16).take(count - scalars.len()) {
                scalars.push(u128::from_le_bytes(bytes.try_into().expect("16 bytes")));
            }
        });
        Some(scalars)
    }

    /// Bits for so many groups of eight characters, 128 bytes each; `None` if there is not enough memory.
    pub(super) fn subsets(&self, groups: usize) -> Option<Vec<[u8; 128]>> {
        let mut subsets: Vec<[u8; 128]> = room(groups)?;
        let mut second = false;
        self.for_each_block(1, 2 * groups, |block| {
            match subsets.last_mut() {
                Some(subset) if second => subset[64..].copy_from_slice(block),
                _ => {
                    let mut subset = [0; 128];
                    subset[..64].copy_from_slice(block);
                    subsets.push(subset);
                }
            }
            second = !second;
        });
        Some(subsets)
    }

    /// The first blocks of a stream, in their order.
    fn for_each_block(&self, stream: u8, count: usize, mut take: impl FnMut(&[u8; 64])) {
        for start in (0..count).step_by(SIDE_BY_SIDE) {
            let mut blocks = [[0; 64]; SIDE_BY_SIDE];
            let blocks = &mut blocks[..SIDE_BY_SIDE.min(count - start)];
            let inputs = (start..start + blocks.len()).map(|index| {
                let mut input = [0; 64 + 1 + 8];
                input[..64].copy_from_slice(&self.seed);
                input[64] = stream;
                input[65..].copy_from_slice(&(index as u64).to_le_bytes());
                [input]
            });
            digest_each(inputs, blocks);
            blocks.iter().for_each(&mut take);
        }
    }
}
