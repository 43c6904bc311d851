//! The coefficients of a random combination, derived from the batch.

use crate::sha512::Sha512;
use sha2::Digest;

use lanner_curve::scalar::Scalar;

/// Separates this use of SHA-512 from all others.
const LABEL: &[u8] = b"lanner-ed25519 batch coefficients, version 1";

/// Absorbs the batch.
pub(super) struct Transcript(Sha512);

impl Transcript {
    /// For so many items; `aux_rand` may be empty.
    pub(super) fn new(items: usize, aux_rand: &[u8]) -> Self {
        let mut hash = Sha512::new_with_prefix(LABEL);
        hash.update((items as u64).to_le_bytes());
        hash.update((aux_rand.len() as u64).to_le_bytes());
        hash.update(aux_rand);
        Transcript(hash)
    }

    /// `challenge` is the hash of R, A and the message, all 64 bytes of it, and
    /// so binds them; S is bound by its bytes.
    pub(super) fn absorb(&mut self, challenge: &[u8; 64], s: &Scalar) {
        self.0.update(challenge);
        self.0.update(s.as_bytes());
    }

    pub(super) fn finish(self) -> Coefficients {
        Coefficients {
            seed: self.0.finalize().into(),
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

    /// Block `index` of the stream for subset sums: 64 bytes.
    pub(super) fn subsets(&self, index: usize) -> [u8; 64] {
        self.block(1, index)
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
