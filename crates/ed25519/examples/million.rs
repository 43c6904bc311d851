//! Verifies a long stream of signatures in bounded memory, as a node or a log does: chunk by chunk,
//! each decoded and verified side by side over all threads.
//!
//! ```sh
//! cargo run --release -p lanner-ed25519 --features rayon --example million
//! cargo run --release -p lanner-ed25519 --features rayon --example million -- 200000 1   # one thread
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

use lanner_ed25519::batch::Batch;
use lanner_ed25519::profile::Strict;
use lanner_ed25519::{Signature, Signer, SigningKey, VerifyingKey};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// Records that are in memory at a time.
const CHUNK: usize = 4096;

/// What such a stream consists of.
#[derive(Clone)]
struct Record {
    key: [u8; 32],
    message: Vec<u8>,
    signature: [u8; 64],
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let total: usize = args.next().map_or(Ok(1_000_000), |arg| arg.parse())?;
    let threads: usize = args.next().map_or(Ok(0), |arg| arg.parse())?;
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()?;

    // One in a thousand is forged.
    let records: Vec<Record> = (0..CHUNK).map(record).collect();
    let before = peak_memory();

    let (mut taken, mut invalid, mut time) = (0, 0, Duration::ZERO);
    while taken < total {
        let len = CHUNK.min(total - taken);
        let chunk = &records[..len];
        let start = Instant::now();
        invalid += verify(chunk)?.iter().filter(|valid| !**valid).count();
        time += start.elapsed();
        taken += len;
    }

    let seconds = time.as_secs_f64();
    println!("{taken} signatures, {invalid} of them invalid");
    println!(
        "{seconds:.2} s on {} threads: {:.0} a second, {:.2} µs each",
        rayon::current_num_threads(),
        taken as f64 / seconds,
        seconds * 1e6 / taken as f64
    );
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        println!("peak memory {before} kB before, {after} kB after");
    }
    Ok(())
}

fn record(i: usize) -> Record {
    let mut seed = [7; 32];
    seed[..8].copy_from_slice(&(i as u64).to_le_bytes());
    let key = SigningKey::from_bytes(&seed);
    let message = format!("entry {i} of the log").into_bytes();
    let mut signature = key.sign(&message).to_bytes();
    signature[40] ^= u8::from(i % 1000 == 999);
    Record {
        key: key.verifying_key().to_bytes(),
        message,
        signature,
    }
}

/// One verdict for each record; a key that is none makes its record invalid.
fn verify(records: &[Record]) -> Result<Vec<bool>, Box<dyn Error>> {
    let bytes: Vec<[u8; 32]> = records.iter().map(|record| record.key).collect();
    let mut decoded = vec![None; bytes.len()];
    let part = bytes.len().div_ceil(rayon::current_num_threads());
    let parts = decoded.par_chunks_mut(part).zip(bytes.par_chunks(part));
    parts.for_each(|(decoded, bytes)| VerifyingKey::from_bytes_each(bytes, decoded));

    let is_key: Vec<bool> = decoded.iter().map(Option::is_some).collect();
    // Something has to stand in the place of what is no key.
    let stand_in = SigningKey::from_bytes(&[0; 32]).verifying_key();
    let keys: Vec<_> = decoded
        .into_iter()
        .map(|key| key.unwrap_or(stand_in))
        .collect();
    let messages: Vec<&[u8]> = records.iter().map(|record| &record.message[..]).collect();
    let signatures: Vec<_> = records
        .iter()
        .map(|record| Signature::from_bytes(&record.signature))
        .collect();
    let verdicts = Batch::new(Strict, &messages, &signatures, &keys)?.par_verify_each();
    Ok(verdicts
        .into_iter()
        .zip(is_key)
        .map(|(valid, is_key)| valid && is_key)
        .collect())
}

/// The most memory that this process has had, in kB; Linux tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
