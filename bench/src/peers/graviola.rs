//! graviola: s2n-bignum's assembly, carried over into Rust.

use graviola::key_agreement::x25519::{PublicKey, StaticPrivateKey};
use graviola::signing::eddsa::{Ed25519SigningKey, Ed25519VerifyingKey};

use lanner_bench_kit::{Library, Operation, Pool, Task, each};

/// The column graviola.
pub(crate) struct Graviola;

impl Library for Graviola {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        let key = |seed: &[u8; 32]| Ed25519SigningKey::from_bytes(seed).expect("a seed");
        let decode =
            |bytes: &[u8; 32]| Ed25519VerifyingKey::from_bytes(bytes).expect("a public key");
        Some(match task {
            Task::Keygen => each(move |i| {
                let key = key(&pool.seeds[i]);
                assert_eq!(key.public_key().as_bytes(), pool.publics[i]);
            }),
            Task::Sign => {
                let keys: Vec<_> = pool.seeds.iter().map(key).collect();
                each(move |i| {
                    assert_eq!(keys[i].sign(&pool.messages[i]), pool.signatures[i]);
                })
            }
            Task::Verify => each(move |i| {
                let key = decode(&pool.publics[i]);
                assert!(key.verify(&pool.signatures[i], &pool.messages[i]).is_ok());
            }),
            Task::VerifyDecoded => {
                let keys: Vec<_> = pool.publics.iter().map(decode).collect();
                each(move |i| {
                    assert!(
                        keys[i]
                            .verify(&pool.signatures[i], &pool.messages[i])
                            .is_ok()
                    );
                })
            }
            Task::X25519Base => {
                let mut last = [0; 32];
                each(move |i| {
                    let secret = StaticPrivateKey::from_array(&pool.seeds[i]);
                    let public = secret.public_key().as_bytes();
                    assert_ne!(public, last);
                    last = public;
                })
            }
            Task::X25519 => {
                let secrets: Vec<_> = pool
                    .seeds
                    .iter()
                    .map(StaticPrivateKey::from_array)
                    .collect();
                each(move |i| {
                    let peer = PublicKey::from_array(&pool.peers[i]);
                    let shared = secrets[i]
                        .diffie_hellman(&peer)
                        .expect("not a low-order point");
                    assert_eq!(shared.0, pool.shared[i]);
                })
            }
            _ => return None,
        })
    }
}
