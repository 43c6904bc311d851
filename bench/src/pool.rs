//! The inputs that all implementations share.
//!
//! Each run of an operation takes the next entry, so that neither caches nor the branch predictor
//! see the same key twice in a row.

use ed25519_dalek::{Signer, SigningKey};
use x25519_dalek::{PublicKey, StaticSecret};

/// How many entries single operations go through; batches may use the whole pool.
pub(crate) const SINGLES: usize = 128;

/// Keys, messages and signatures, made by ed25519-dalek and x25519-dalek.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    pub(crate) seeds: Vec<[u8; 32]>,
    pub(crate) publics: Vec<[u8; 32]>,
    pub(crate) messages: Vec<Vec<u8>>,
    pub(crate) signatures: Vec<[u8; 64]>,
    /// X25519 secrets are the seeds; these are public keys of others.
    pub(crate) peers: Vec<[u8; 32]>,
    /// What the seeds and the peers agree on.
    pub(crate) shared: Vec<[u8; 32]>,
}

impl Pool {
    /// A pool of `entries` with messages of `message` bytes, from a seeded generator.
    pub(crate) fn new(entries: usize, message: usize, seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut bytes32 = || {
            let mut bytes = [0; 32];
            rng.fill(&mut bytes);
            bytes
        };
        let mut pool = Self::default();
        for _ in 0..entries {
            let (seed, peer) = (bytes32(), StaticSecret::from(bytes32()));
            let text: Vec<u8> = (0..message.div_ceil(32))
                .flat_map(|_| bytes32())
                .take(message)
                .collect();
            let key = SigningKey::from_bytes(&seed);
            pool.signatures.push(key.sign(&text).to_bytes());
            pool.publics.push(key.verifying_key().to_bytes());
            pool.messages.push(text);
            let own = StaticSecret::from(seed);
            let public = PublicKey::from(&peer);
            pool.shared.push(own.diffie_hellman(&public).to_bytes());
            pool.peers.push(public.to_bytes());
            pool.seeds.push(seed);
        }
        pool
    }

    /// The messages as slices, for batches.
    pub(crate) fn slices(&self) -> Vec<&[u8]> {
        self.messages.iter().map(Vec::as_slice).collect()
    }
}
