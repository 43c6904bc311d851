//! aws-lc-rs: the C and assembly of AWS-LC (s2n-bignum), through its Rust interface.

use aws_lc_rs::agreement::{self, PrivateKey};
use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair, ParsedPublicKey, UnparsedPublicKey};

use lanner_bench_kit::{Library, Operation, Pool, Task, each};

use super::schemes;

/// The column aws-lc.
pub(crate) struct AwsLc;

impl Library for AwsLc {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        let key = |seed: &[u8; 32]| Ed25519KeyPair::from_seed_unchecked(seed).expect("a seed");
        let private = |seed: &[u8; 32]| {
            PrivateKey::from_private_key(&agreement::X25519, seed).expect("a secret")
        };
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
            // The parsed key spares the wrapping of the bytes; the point is decoded each time.
            Task::VerifyDecoded => {
                let parse = |bytes| ParsedPublicKey::new(&ED25519, bytes).expect("a public key");
                let keys: Vec<_> = pool.publics.iter().map(parse).collect();
                each(move |i| {
                    assert!(
                        keys[i]
                            .verify_sig(&pool.messages[i], &pool.signatures[i])
                            .is_ok()
                    );
                })
            }
            Task::X25519Base => {
                let mut last = Vec::new();
                each(move |i| {
                    let private = private(&pool.seeds[i]);
                    let public = private.compute_public_key().expect("a public key");
                    assert_ne!(public.as_ref(), last);
                    last.clear();
                    last.extend_from_slice(public.as_ref());
                })
            }
            Task::X25519 => {
                let secrets: Vec<_> = pool.seeds.iter().map(private).collect();
                each(move |i| {
                    let peer =
                        agreement::UnparsedPublicKey::new(&agreement::X25519, &pool.peers[i]);
                    let right = agreement::agree(&secrets[i], peer, (), |shared| {
                        Ok(shared == pool.shared[i])
                    });
                    assert_eq!(right, Ok(true));
                })
            }
            Task::SchemeSign(scheme) => return schemes::aws_lc(scheme, true, pool),
            Task::SchemeVerify(scheme) => return schemes::aws_lc(scheme, false, pool),
            _ => return None,
        })
    }
}
