//! What signing and verifying cost here, row by row:
//! `cargo bench -p lanner-ed25519 --features batch [-- <part of a row's name>]`.
//!
//! Each row is the median of several samples, in microseconds for one
//! signature. (The comparison with other libraries is a package of its own.)
//! Run by `cargo test`, every row runs once and nothing is measured.

use std::hint::black_box;
use std::time::{Duration, Instant};

#[cfg(feature = "batch")]
use lanner_ed25519::Signature;
use lanner_ed25519::{Signer, SigningKey, Verifier, VerifyingKey};

/// How long one sample of a row shall take, at least.
const SAMPLE: Duration = Duration::from_millis(20);
const SAMPLES: usize = 11;

struct Rows {
    /// Rows whose names do not contain it are left out.
    filter: String,
    measure: bool,
}

impl Rows {
    fn from_args() -> Self {
        let mut args: Vec<String> = std::env::args().skip(1).collect();
        let measure = args.iter().any(|arg| arg == "--bench");
        args.retain(|arg| !arg.starts_with('-'));
        Rows {
            filter: args.pop().unwrap_or_default(),
            measure,
        }
    }

    /// One row: `run` handles `signatures` of them.
    fn row<T>(&self, name: &str, signatures: usize, mut run: impl FnMut() -> T) {
        if !name.contains(&self.filter) {
            return;
        }
        if !self.measure {
            black_box(run());
            return;
        }
        let mut times = |repetitions: u32| {
            let start = Instant::now();
            for _ in 0..repetitions {
                black_box(run());
            }
            start.elapsed()
        };
        let once = times(3) / 3;
        let repetitions = 1 + (SAMPLE.as_nanos() / once.as_nanos().max(1)) as u32;
        let mut samples: Vec<Duration> = (0..SAMPLES).map(|_| times(repetitions)).collect();
        samples.sort();
        let median = samples[SAMPLES / 2].as_secs_f64() / f64::from(repetitions);
        println!("{name:<40} {:>9.2} us", 1e6 * median / signatures as f64);
    }
}

/// Signatures, with their messages and keys.
#[cfg(feature = "batch")]
struct Items {
    messages: Vec<Vec<u8>>,
    signatures: Vec<Signature>,
    verifying_keys: Vec<VerifyingKey>,
}

/// `n` signatures under `keys` different keys.
#[cfg(feature = "batch")]
fn items(n: usize, keys: usize) -> Items {
    let signing_keys: Vec<SigningKey> = (0..keys)
        .map(|i| {
            let mut secret_key = [7; 32];
            secret_key[..8].copy_from_slice(&(i as u64).to_le_bytes());
            SigningKey::from_bytes(&secret_key)
        })
        .collect();
    let messages: Vec<Vec<u8>> = (0..n).map(|i| vec![i as u8; 32]).collect();
    let signer = |i: usize| &signing_keys[i % keys];
    Items {
        signatures: (0..n).map(|i| signer(i).sign(&messages[i])).collect(),
        verifying_keys: (0..n).map(|i| signer(i).verifying_key()).collect(),
        messages,
    }
}

fn main() {
    let rows = Rows::from_args();
    single(&rows);
    #[cfg(feature = "fast")]
    prepared(&rows);
    #[cfg(feature = "batch")]
    batch(&rows);
}

fn single(rows: &Rows) {
    use lanner_ed25519::profile::Zip215;

    let signing_key = SigningKey::from_bytes(&[1; 32]);
    let message = &[2; 32];
    let signature = signing_key.sign(message);
    let key = signing_key.verifying_key();
    rows.row("key from seed", 1, || {
        SigningKey::from_bytes(black_box(&[1; 32]))
    });
    rows.row("key from bytes", 1, || {
        VerifyingKey::from_bytes(black_box(key.as_bytes()))
    });
    rows.row("sign", 1, || signing_key.sign(black_box(message)));
    rows.row("verify", 1, || key.verify(black_box(message), &signature));
    rows.row("verify_strict", 1, || {
        key.verify_strict(black_box(message), &signature)
    });
    rows.row("verify zip215", 1, || {
        key.under(Zip215).verify(black_box(message), &signature)
    });
}

#[cfg(feature = "fast")]
fn prepared(rows: &Rows) {
    use lanner_ed25519::{PreparedVerifyingKey, profile::Zip215};

    let signing_key = SigningKey::from_bytes(&[1; 32]);
    let message = &[2; 32];
    let signature = signing_key.sign(message);
    let key = signing_key.verifying_key();
    let prepared = PreparedVerifyingKey::new(&key);
    rows.row("prepared: make", 1, || {
        PreparedVerifyingKey::new(black_box(&key))
    });
    rows.row("prepared: verify", 1, || {
        prepared.verify(black_box(message), &signature)
    });
    rows.row("prepared: verify zip215", 1, || {
        prepared
            .under(Zip215)
            .verify(black_box(message), &signature)
    });
}

#[cfg(feature = "batch")]
fn batch(rows: &Rows) {
    use lanner_ed25519::batch::Batch;
    use lanner_ed25519::profile::ProfileName;

    for profile in [ProfileName::Dalek, ProfileName::Zip215] {
        for n in [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096] {
            for keys in [n, 1] {
                let kind = if keys == 1 {
                    "one key"
                } else {
                    "all different"
                };
                let items = items(n, keys);
                let messages: Vec<&[u8]> = items.messages.iter().map(|m| &m[..]).collect();
                rows.row(&format!("batch {profile} of {n}, {kind}"), n, || {
                    let (signatures, keys) = (&items.signatures, &items.verifying_keys);
                    let batch = Batch::new(profile, &messages, signatures, keys);
                    batch.and_then(|batch| batch.verify()).expect("valid")
                });
            }
        }
    }
}
