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
        const SIDE_BY_SIDE: usize = 16;
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
    /// Block `index` of the stream for the coefficients z: four of them, 128
    /// bits each.
    pub(super) fn scalars(&self, index: usize) -> [u128; 4] {
        let block = self.block(0, index);
        core::array::from_fn(|i| {
            u128::from_le_bytes(block[16 * i..16 * (i + 1)].try_into().expect("16 bytes"))
        })
    }

    /// Part `index` of the stream for subsets: 128 bytes, two blocks.
    pub(super) fn subsets(&self, index: usize) -> [u8; 128] {
        let mut bytes = [0; 128];
        let (first, second) = bytes.split_at_mut(64);
        first.copy_from_slice(&self.block(1, 2 * index));
        second.copy_from_slice(&self.block(1, 2 * index + 1));
        bytes
    }

    fn block(&self, stream: u8, index: usize) -> [u8; 64] {
        Sha512::new()
            .chain_update(self.seed)
            .chain_update([stream])
            .chain_update((index as u64).to_le_bytes())
            .finalize()
            .into()
    }
}
