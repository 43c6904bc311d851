//! The kernel beside the calls that it is made of: time for each signature, on one thread.
//!
//! ```sh
//! cargo run --release -p lanner-arrow --example kernels
//! ```
//!
//! The raw calls are what a program without columns would write: keys decoded many at once, then a batch whose verdicts are
//! each signature's own, in pieces of as many rows as the kernel takes. Each round has every way once, one after the other,
//! and ratios are of the times of one round; what is printed are medians.

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, Datum, DictionaryArray, FixedSizeBinaryArray, Int32Array,
};
use clap::Parser;
use lanner_arrow::{Ed25519, Encoding};
use lanner_ed25519::backend::{self, Backend};
use lanner_ed25519::batch::Batch;
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Signature, SigningKey, VerifyingKey};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use rand_distr::{Distribution, Zipf};

#[derive(Parser)]
#[command(about = "Time the kernel beside the calls that it is made of")]
struct Options {
    /// How many rows a call has
    #[arg(long, default_value_t = 32_768)]
    rows: usize,
    /// How many rounds there are
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Rows that a raw call takes together
    #[arg(long, default_value_t = 2048)]
    piece: usize,
    /// How many keys sign where keys come again
    #[arg(long, default_value_t = 1000)]
    hot: usize,
    /// The profile
    #[arg(long, default_value = "strict")]
    profile: ProfileName,
    /// Which instructions do the work; the best of this processor unless it is said
    #[arg(long, value_parser = instructions)]
    backend: Option<Backend>,
    /// Time of the processor, for a machine that is busy
    #[arg(long)]
    processor: bool,
}

/// Seconds since some time, of this thread if time of the processor is asked for.
fn now(options: &Options, begun: Instant) -> f64 {
    #[cfg(unix)]
    if options.processor {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        return time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64;
    }
    begun.elapsed().as_secs_f64()
}

fn instructions(name: &str) -> Result<Backend, String> {
    let found = backend::list().find(|backend| backend.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = backend::list().map(Backend::name).collect();
        format!("here there are {}", names.join(", "))
    })
}

/// Rows, as a program has them and as columns.
struct Rows {
    keys: Vec<[u8; 32]>,
    messages: Vec<Vec<u8>>,
    signatures: Vec<[u8; 64]>,
    /// By dictionary where keys come again.
    key_column: ArrayRef,
    message_column: BinaryArray,
    signature_column: FixedSizeBinaryArray,
}

fn rows(options: &Options, signers: &[SigningKey], of_row: &[usize], rng: &mut impl Rng) -> Rows {
    let messages: Vec<Vec<u8>> = (0..options.rows)
        .map(|_| {
            let mut message = vec![0; rng.random_range(100..=400)];
            rng.fill_bytes(&mut message);
            message
        })
        .collect();
    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let by: Vec<&SigningKey> = of_row.iter().map(|&i| &signers[i]).collect();
    let mut signed = vec![Signature::from_bytes(&[0; 64]); by.len()];
    SigningKey::sign_each_by(&by, &slices, &mut signed);
    let signatures: Vec<[u8; 64]> = signed.iter().map(Signature::to_bytes).collect();
    let fixed = |values: &[[u8; 32]]| {
        FixedSizeBinaryArray::try_from_iter(values.iter()).expect("there are rows")
    };
    let encoded: Vec<[u8; 32]> = (signers.iter())
        .map(|key| key.verifying_key().to_bytes())
        .collect();
    let keys: Vec<[u8; 32]> = of_row.iter().map(|&i| encoded[i]).collect();
    let key_column: ArrayRef = if signers.len() < of_row.len() {
        let places: Int32Array = of_row.iter().map(|&i| i32::try_from(i).ok()).collect();
        Arc::new(DictionaryArray::<Int32Type>::new(
            places,
            Arc::new(fixed(&encoded)),
        ))
    } else {
        Arc::new(fixed(&keys))
    };
    Rows {
        message_column: BinaryArray::from_vec(slices),
        signature_column: FixedSizeBinaryArray::try_from_iter(signatures.iter())
            .expect("there are rows"),
        keys,
        messages,
        signatures,
        key_column,
    }
}

/// The raw calls.
fn raw(options: &Options, rows: &Rows) -> usize {
    let mut valid = 0;
    for start in (0..rows.keys.len()).step_by(options.piece) {
        let range = start..rows.keys.len().min(start + options.piece);
        let mut keys = vec![None; range.len()];
        VerifyingKey::from_bytes_each(&rows.keys[range.clone()], &mut keys);
        let keys: Vec<VerifyingKey> = keys.into_iter().flatten().collect();
        let messages: Vec<&[u8]> = rows.messages[range.clone()]
            .iter()
            .map(Vec::as_slice)
            .collect();
        let signatures: Vec<Signature> = rows.signatures[range]
            .iter()
            .map(Signature::from_bytes)
            .collect();
        let mut verdicts = vec![false; keys.len()];
        Batch::new(options.profile, &messages, &signatures, &keys)
            .and_then(|batch| batch.verify_each_combined_into(&mut verdicts))
            .expect("as many of each");
        valid += verdicts.iter().filter(|&&valid| valid).count();
    }
    valid
}

fn kernel(kernel: &Ed25519, keys: &dyn Datum, rows: &Rows) -> usize {
    let verdicts = kernel.verify(keys, &rows.message_column, &rows.signature_column);
    verdicts.expect("the columns are right").true_count()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if let Some(backend) = options.backend {
        backend::force(backend)?;
    }
    let rng = &mut ChaCha12Rng::seed_from_u64(1);
    let mut seeds = vec![[0; 32]; options.rows];
    seeds.iter_mut().for_each(|seed| rng.fill_bytes(seed));
    let mut signers = vec![None; seeds.len()];
    SigningKey::from_bytes_each(&seeds, &mut signers);
    let signers: Vec<SigningKey> = signers.into_iter().flatten().collect();
    let each: Vec<usize> = (0..options.rows).collect();
    let distinct = rows(&options, &signers, &each, rng);
    let hot_signers = &signers[..options.hot.clamp(1, options.rows / 2)];
    let zipf = Zipf::new(hot_signers.len() as f64, 1.0)?;
    let often: Vec<usize> = (0..options.rows)
        .map(|_| (zipf.sample(rng) as usize).clamp(1, hot_signers.len()) - 1)
        .collect();
    let hot = rows(&options, hot_signers, &often, rng);
    let plain_keys = FixedSizeBinaryArray::try_from_iter(hot.keys.iter())?;
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let hex_keys: arrow_array::StringArray =
        distinct.keys.iter().map(|key| Some(hex(key))).collect();

    // Kept from one call to the next, as an engine keeps it; of keys that never come again, nothing is left.
    let of_distinct = Ed25519::new(options.profile);
    let of_hex = Ed25519::new(options.profile).key_encoding(Encoding::Hex);
    let of_hot = Ed25519::new(options.profile);
    let of_plain = Ed25519::new(options.profile);
    let ways: [(&str, &dyn Fn() -> usize); 6] = [
        ("raw calls, every key another", &|| raw(&options, &distinct)),
        ("kernel, every key another", &|| {
            kernel(&of_distinct, &distinct.key_column, &distinct)
        }),
        ("kernel, the same, keys in hexadecimal", &|| {
            kernel(&of_hex, &hex_keys, &distinct)
        }),
        ("raw calls, keys that come again", &|| raw(&options, &hot)),
        ("kernel, keys that come again", &|| {
            kernel(&of_plain, &plain_keys, &hot)
        }),
        ("kernel, the same, by dictionary", &|| {
            kernel(&of_hot, &hot.key_column, &hot)
        }),
    ];
    if options.processor && !cfg!(unix) {
        return Err("--processor is for Unix".into());
    }
    let begun = Instant::now();
    let mut times = vec![Vec::new(); ways.len()];
    for round in 0..=options.rounds {
        for ((name, way), times) in ways.iter().zip(&mut times) {
            let start = now(&options, begun);
            let valid = black_box(way());
            let time = now(&options, begun) - start;
            assert_eq!(valid, options.rows, "{name}");
            // The first round fills caches.
            if round > 0 {
                times.push(1e6 * time / options.rows as f64);
            }
        }
    }
    println!(
        "{} rows, {} rounds, profile {}, {}, keys that come again: {} by Zipf's law",
        options.rows,
        options.rounds,
        options.profile,
        backend::active(),
        hot_signers.len()
    );
    println!("| way | us per signature | times as fast as raw calls, every key another |");
    println!("|---|---|---|");
    for ((name, _), own) in ways.iter().zip(&times) {
        let mut ratios: Vec<f64> = times[0]
            .iter()
            .zip(own)
            .map(|(raw, own)| raw / own)
            .collect();
        let time = median(&mut own.clone());
        println!("| {name} | {time:.2} | {:.2} |", median(&mut ratios));
    }
    Ok(())
}
