//! ring: BoringSSL's C and assembly, through its Rust interface.

use ring::agreement::{self, EphemeralPrivateKey};
use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use lanner_bench_kit::{Library, Operation, Pool, Task, each};

/// The column ring.
pub(crate) struct Ring;

impl Library for Ring {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        let key = |seed: &[u8; 32]| Ed25519KeyPair::from_seed_unchecked(seed).expect("a seed");
        // Secrets cannot be given, only drawn: 32 bytes from the system are part of both rows.
        let secret = |random: &SystemRandom| {
            EphemeralPrivateKey::generate(&agreement::X25519, random).expect("a secret")
        };
        let random = SystemRandom::new();
        Some(match task {
            Task::Keygen => each(move |i| {
                let key = key(&pool.seeds[i]);
                assert_eq!(key.public_key().as_ref(), pool.publics[i]);
            }),
            Task::Sign => {
                let keys: Vec<_> = pool.seeds.iter().map(key).collect();
                each(move |i| {
                    let signature = keys[i].sign(&pool.messages[i]);
                    assert_eq!(signature.as_ref(), pool.signatures[i]);
                })
            }
            Task::Verify => each(move |i| {
                let key = UnparsedPublicKey::new(&ED25519, &pool.publics[i]);
                assert!(key.verify(&pool.messages[i], &pool.signatures[i]).is_ok());
            }),
            Task::X25519Base => {
                let mut last = Vec::new();
                each(move |_| {
                    let public = secret(&random).compute_public_key().expect("a public key");
                    assert_ne!(public.as_ref(), last);
                    last.clear();
                    last.extend_from_slice(public.as_ref());
                })
            }
            Task::X25519 => {
                let mut last = Vec::new();
                each(move |i| {
                    let peer =
                        agreement::UnparsedPublicKey::new(&agreement::X25519, &pool.peers[i]);
                    let shared = agreement::agree_ephemeral(secret(&random), &peer, <[u8]>::to_vec)
                        .expect("not a low-order point");
                    assert_ne!(shared, last);
                    last = shared;
                })
            }
            _ => return None,
        })
    }
}
