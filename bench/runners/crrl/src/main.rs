//! crrl as a runner process.

use std::process::ExitCode;

use crrl::ed25519::{PrivateKey, PublicKey};
use crrl::x25519::{x25519, x25519_base};
use lanner_bench_kit::{Library, Operation, Pool, Task, each, serve};

struct Crrl;

impl Library for Crrl {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        let decode = |bytes: &[u8; 32]| PublicKey::decode(bytes).expect("a public key");
        Some(match task {
            Task::Keygen => each(move |i| {
                let key = PrivateKey::from_seed(&pool.seeds[i]);
                assert_eq!(key.public_key.encode(), pool.publics[i]);
            }),
            Task::Sign => {
                let keys: Vec<_> = pool
                    .seeds
                    .iter()
                    .map(|s| PrivateKey::from_seed(s))
                    .collect();
                each(move |i| {
                    assert_eq!(keys[i].sign_raw(&pool.messages[i]), pool.signatures[i]);
                })
            }
            Task::Verify => each(move |i| {
                let key = decode(&pool.publics[i]);
                assert!(key.verify_raw(&pool.signatures[i], &pool.messages[i]));
            }),
            Task::VerifyDecoded => {
                let keys: Vec<_> = pool.publics.iter().map(decode).collect();
                each(move |i| {
                    assert!(keys[i].verify_raw(&pool.signatures[i], &pool.messages[i]));
                })
            }
            Task::X25519Base => {
                let mut last = [0; 32];
                each(move |i| {
                    let public = x25519_base(&pool.seeds[i]);
                    assert_ne!(public, last);
                    last = public;
                })
            }
            Task::X25519 => each(move |i| {
                assert_eq!(x25519(&pool.peers[i], &pool.seeds[i]), pool.shared[i]);
            }),
            _ => return None,
        })
    }
}

fn main() -> ExitCode {
    let Some(pool) = std::env::args_os().nth(1) else {
        eprintln!("usage: runner-crrl POOL");
        return ExitCode::FAILURE;
    };
    match serve::serve_standard(&Crrl, pool.as_ref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("runner-crrl: {message}");
            ExitCode::FAILURE
        }
    }
}
