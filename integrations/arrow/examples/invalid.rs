//! What rows cost that are not valid: time of the processor for each row, on one thread, beside the calls that the kernel chooses from.
//!
//! ```sh
//! cargo run --release -p lanner-arrow --example invalid
//! ```
//!
//! Each round has every way once, over every column, one after the other; ratios are to a batch of the same round in which all are valid,
//! and what is printed are medians.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use arrow_array::{BinaryArray, FixedSizeBinaryArray};
use clap::Parser;
use lanner_arrow::Ed25519;
use lanner_ed25519::backend::{self, Backend};
use lanner_ed25519::batch::Batch;
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Signature, SigningKey, VerifyingKey};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

#[derive(Parser)]
#[command(about = "Time rows that are not valid")]
struct Options {
    /// How many rows a call has
    #[arg(long, default_value_t = 16_384)]
    rows: usize,
    /// How many rounds there are
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How many keys sign where keys come again
    #[arg(long, default_value_t = 64)]
    hot: usize,
    /// The profile
    #[arg(long, default_value = "strict")]
    profile: ProfileName,
    /// Which instructions do the work; the best of this processor unless it is said
    #[arg(long)]
    backend: Option<String>,
}

/// Rows that the kernel verifies together.
const PIECE: usize = 2048;

/// Of so many rows one is not valid.
const MIXES: [(&str, usize); 8] = [
    ("none", usize::MAX),
    ("1 of 2,048", PIECE),
    ("1 of 512", 512),
    ("1 of 200", 200),
    ("1 of 100", 100),
    ("1 of 10", 10),
    ("all", 1),
    (ZEROS, 100),
];

/// Those whose signatures are zeros: as R has small order, no batch is searched for them where the profile refuses that.
const ZEROS: &str = "1 of 100, zeros";

/// Rows of which some are not valid.
struct Rows<'r> {
    keys: &'r [[u8; 32]],
    messages: &'r [Vec<u8>],
    signatures: Vec<Signature>,
}

/// Seconds of the processor, of this thread.
fn now(begun: Instant) -> f64 {
    #[cfg(unix)]
    {
        let _ = begun;
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
    }
    #[cfg(not(unix))]
    begun.elapsed().as_secs_f64()
}

/// How many are valid, by calls on pieces.
fn raw(
    rows: &Rows<'_>,
    verify: impl Fn(&[&[u8]], &[Signature], &[VerifyingKey], &mut [bool]),
) -> usize {
    let mut valid = 0;
    for start in (0..rows.keys.len()).step_by(PIECE) {
        let range = start..rows.keys.len().min(start + PIECE);
        let mut keys = vec![None; range.len()];
        VerifyingKey::from_bytes_each(&rows.keys[range.clone()], &mut keys);
        let keys: Vec<VerifyingKey> = keys.into_iter().flatten().collect();
        let messages = &rows.messages[range.clone()];
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let mut verdicts = vec![false; keys.len()];
        verify(&messages, &rows.signatures[range], &keys, &mut verdicts);
        valid += verdicts.iter().filter(|&&valid| valid).count();
    }
    valid
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if let Some(name) = &options.backend {
        let found: Option<Backend> = backend::list().find(|backend| backend.name() == name);
        backend::force(found.ok_or("no such backend here")?)?;
    }
    let begun = Instant::now();
    let rng = &mut ChaCha12Rng::seed_from_u64(1);
    let mut seeds = vec![[0; 32]; options.rows];
    seeds.iter_mut().for_each(|seed| rng.fill_bytes(seed));
    let mut signers = vec![None; seeds.len()];
    SigningKey::from_bytes_each(&seeds, &mut signers);
    let signers: Vec<SigningKey> = signers.into_iter().flatten().collect();
    println!(
        "{} rows, {} rounds, profile {}, {}",
        options.rows,
        options.rounds,
        options.profile,
        backend::active()
    );
    for (name, signers) in [
        ("every key another".to_owned(), &signers[..]),
        (format!("{} keys", options.hot), &signers[..options.hot]),
    ] {
        let by: Vec<&SigningKey> = signers.iter().cycle().take(options.rows).collect();
        let keys: Vec<[u8; 32]> = by
            .iter()
            .map(|key| key.verifying_key().to_bytes())
            .collect();
        let mut messages = vec![vec![0; 250]; options.rows];
        messages
            .iter_mut()
            .for_each(|message| rng.fill_bytes(message));
        let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let mut signed = vec![Signature::from_bytes(&[0; 64]); by.len()];
        SigningKey::sign_each_by(&by, &slices, &mut signed);
        let key_column = FixedSizeBinaryArray::try_from_iter(keys.iter())?;
        let message_column = BinaryArray::from_vec(slices);
        let columns: Vec<(Rows<'_>, FixedSizeBinaryArray)> = MIXES
            .iter()
            .map(|(name, one_of)| {
                let mut signatures = signed.clone();
                for i in (one_of / 2..options.rows).step_by(*one_of) {
                    // Another's equation: nothing else is wrong with it.
                    let mut bytes = signed[i].to_bytes();
                    bytes[32] ^= 1;
                    if *name == ZEROS {
                        bytes = [0; 64];
                    }
                    signatures[i] = Signature::from_bytes(&bytes);
                }
                let column =
                    FixedSizeBinaryArray::try_from_iter(signatures.iter().map(Signature::to_bytes));
                let rows = Rows {
                    keys: &keys,
                    messages: &messages,
                    signatures,
                };
                (rows, column.expect("there are rows"))
            })
            .collect();
        // Each mix has a kernel of its own, which has seen many such rows.
        let kernels = MIXES.map(|_| Ed25519::new(options.profile));
        let mut times = vec![[const { Vec::new() }; 4]; MIXES.len()];
        for round in 0..=options.rounds {
            for (((rows, column), kernel), times) in columns.iter().zip(&kernels).zip(&mut times) {
                let mut valid = [0; 4];
                for (way, times) in times.iter_mut().enumerate() {
                    let start = now(begun);
                    valid[way] = black_box(match way {
                        0 => raw(rows, |messages, signatures, keys, verdicts| {
                            Batch::new(options.profile, messages, signatures, keys)
                                .and_then(|batch| batch.verify_each_combined_into(verdicts))
                                .expect("as many of each");
                        }),
                        1 => raw(rows, |messages, signatures, keys, verdicts| {
                            Batch::new(options.profile, messages, signatures, keys)
                                .and_then(|batch| batch.verify_each_into(verdicts))
                                .expect("as many of each");
                        }),
                        2 => kernel
                            .verify(&key_column, &message_column, column)?
                            .true_count(),
                        _ => kernel
                            .explain(&key_column, &message_column, column)?
                            .valid
                            .true_count(),
                    });
                    // The first round fills caches.
                    if round > 0 {
                        times.push(1e6 * (now(begun) - start) / options.rows as f64);
                    }
                }
                assert!(valid.iter().all(|it| *it == valid[0]), "{valid:?}");
            }
        }
        let batch = times[0][0].clone();
        println!(
            "\n| {name}, not valid | a batch, searched | each row's equation | `verify` | `explain` |"
        );
        println!("|---|---:|---:|---:|---:|");
        for ((mix, _), ways) in MIXES.iter().zip(&times) {
            print!("| {mix} ");
            for own in ways {
                let ratios: Vec<f64> = own
                    .iter()
                    .zip(&batch)
                    .map(|(own, batch)| own / batch)
                    .collect();
                print!("| {:.2} ({:.2} us) ", median(&ratios), median(own));
            }
            println!("|");
        }
    }
    Ok(())
}
