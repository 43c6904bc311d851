//! Making the inputs that all libraries share.

use ed25519_dalek::{Signer, SigningKey};
use lanner_bench_kit::Pool;
use x25519_dalek::{PublicKey, StaticSecret};

/// A pool of `entries` with messages of `message` bytes, from a seeded generator; keys,
/// signatures and secrets are made by ed25519-dalek and x25519-dalek.
pub(crate) fn new(entries: usize, message: usize, seed: u64) -> Pool {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut bytes32 = || {
        let mut bytes = [0; 32];
        rng.fill(&mut bytes);
        bytes
    };
    let mut pool = Pool::default();
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
