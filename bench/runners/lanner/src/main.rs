//! Lanner as a runner process.
//!
//! `--backends` lists the backends of this machine; `--backend NAME` before the pool forces one; `--make-pool ENTRIES`
//! writes a pool instead of reading it.

use std::process::ExitCode;

use lanner_bench_kit::{Library, MANY, Operation, Pool, Task, ristretto_shaped, runs, serve};
use lanner_curve::backend;
use lanner_ed25519::batch::Batch;
use lanner_ed25519::profile::{Dalek, Profile, Zip215};
use lanner_ed25519::{Signature, Signer, SigningKey, VerifyingKey};
use runner_lanner::Lanner;

/// The library, with what processes alone are asked for.
struct Whole;

ristretto_shaped!(ristretto, lanner_curve);

impl Library for Whole {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        match task {
            Task::Batch(size) => Some(batch(size, pool, Dalek)),
            Task::BatchZip215(size) => Some(batch(size, pool, Zip215)),
            Task::X25519Many => Some(runs(MANY, pool, move |run| {
                let mut shared = vec![[0; 32]; run.len()];
                let peers = &pool.peers[run.clone()];
                lanner_x25519::x25519_each(&pool.seeds[run.clone()], peers, &mut shared);
                assert_eq!(shared, pool.shared[run]);
            })),
            _ => ristretto(task, pool).or_else(|| Lanner.operation(task, pool)),
        }
    }
}

/// A batch from bytes under a profile.
fn batch<P: Profile>(size: usize, pool: &Pool, _: P) -> Operation<'_> {
    let messages = pool.slices();
    runs(size, pool, move |run| {
        let mut keys = vec![None; run.len()];
        VerifyingKey::from_bytes_each(&pool.publics[run.clone()], &mut keys);
        let keys: Vec<_> = keys.into_iter().map(|key| key.expect("a key")).collect();
        let signatures = pool.signatures[run.clone()].iter();
        let signatures: Vec<_> = signatures.map(Signature::from_bytes).collect();
        let valid = Batch::new(P::NAME, &messages[run], &signatures, &keys)
            .and_then(|batch| batch.verify());
        assert!(valid.is_ok());
    })
}

/// Keys from seeds that count, short messages, and what follows from both.
fn make_pool(entries: u64) -> Pool {
    let mut pool = Pool::default();
    for i in 0..entries {
        let seed = lanner_x25519::x25519([i as u8 ^ (i >> 8) as u8; 32], {
            let mut point = [9; 32];
            point[..8].copy_from_slice(&i.to_le_bytes());
            point
        });
        let key = SigningKey::from_bytes(&seed);
        let message = i.to_le_bytes().repeat(4);
        let peer = lanner_x25519::x25519(seed, lanner_x25519::X25519_BASEPOINT_BYTES);
        pool.signatures.push(key.sign(&message).to_bytes());
        pool.publics.push(key.verifying_key().to_bytes());
        pool.messages.push(message);
        pool.shared.push(lanner_x25519::x25519(seed, peer));
        pool.peers.push(peer);
        pool.seeds.push(seed);
    }
    pool
}

fn run(args: &[String]) -> Result<(), String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let pool = match args[..] {
        ["--backends"] => {
            for backend in backend::list() {
                println!("{backend}");
            }
            return Ok(());
        }
        ["--make-pool", entries, pool] => {
            let entries = entries.parse().map_err(|_| String::from("no number"))?;
            let file = make_pool(entries).to_file();
            return std::fs::write(pool, file).map_err(|error| error.to_string());
        }
        [pool] => pool,
        ["--backend", name, pool] => {
            let found = backend::list().find(|backend| backend.name() == name);
            let found = found.ok_or_else(|| format!("no backend '{name}' here"))?;
            backend::force(found).map_err(|error| error.to_string())?;
            pool
        }
        _ => return Err(String::from("usage: runner-lanner [--backend NAME] POOL")),
    };
    serve::serve_standard(&Whole, pool.as_ref())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("runner-lanner: {message}");
            ExitCode::FAILURE
        }
    }
}
