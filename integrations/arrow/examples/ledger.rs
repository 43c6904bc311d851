//! Makes a data set as ledgers and logs are: a folder of Parquet files with signed rows.
//!
//! ```sh
//! cargo run --release -p lanner-arrow --all-features --example ledger -- \
//!     --rows 10000000 --keys 50000 --invalid 1e-5 --out target/ledger
//! ```
//!
//! Each row has a public key (32 bytes, fixed width), a message (100 to 400 bytes) and a signature (64 bytes, fixed width),
//! a number, and whether it is valid. Who signs how often follows Zipf's law. The same options give the same rows.
//! With `--verify` the files are read again and verified instead, and the time is printed.

use std::error::Error;
use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use arrow_array::cast::AsArray;
use clap::Parser;
use lanner_arrow::Ed25519;
use lanner_ed25519::profile::ProfileName;
use make::Ledger;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

#[path = "ledger/make.rs"]
mod make;

/// Rows that are read and verified together.
const PIECE: usize = 8192;

#[derive(Parser)]
#[command(about = "Make, or verify, a folder of Parquet files with signed rows")]
struct Options {
    /// How many rows there are in all
    #[arg(long, default_value_t = 1_000_000)]
    rows: usize,
    /// How many keys sign them
    #[arg(long, default_value_t = 50_000)]
    keys: usize,
    /// The exponent of Zipf's law; 0 makes all keys alike
    #[arg(long, default_value_t = 1.0)]
    zipf: f64,
    /// Which part of the rows is not valid
    #[arg(long, default_value_t = 1e-5)]
    invalid: f64,
    /// How many files there are
    #[arg(long, default_value_t = 8)]
    partitions: usize,
    /// What the rows are derived from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder, which must not be there yet
    #[arg(long)]
    out: PathBuf,
    /// Verify the files of the folder instead
    #[arg(long)]
    verify: bool,
    /// The profile under which they are verified
    #[arg(long, default_value = "strict")]
    profile: ProfileName,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if options.verify {
        verify(&options)
    } else {
        make(&options)
    }
}

fn make(options: &Options) -> Result<(), Box<dyn Error>> {
    let started = Instant::now();
    let ledger = Ledger {
        rows: options.rows,
        keys: options.keys,
        zipf: options.zipf,
        invalid: options.invalid,
        partitions: options.partitions,
        seed: options.seed,
    };
    make::make(&ledger, &options.out)?;
    println!(
        "{} rows by {} keys in {} files in {}: {:.1} s",
        options.rows,
        options.keys.max(1),
        options.partitions.max(1),
        options.out.display(),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

fn verify(options: &Options) -> Result<(), Box<dyn Error>> {
    let kernel = Ed25519::new(options.profile);
    let (mut rows, mut invalid, mut wrong) = (0, 0, 0);
    let (mut verifying, started) = (Duration::ZERO, Instant::now());
    let mut paths: Vec<_> = std::fs::read_dir(&options.out)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?)?;
        for batch in reader.with_batch_size(PIECE).build()? {
            let batch = batch?;
            let column = |name: &str| {
                batch
                    .column_by_name(name)
                    .ok_or(format!("no column {name}"))
            };
            let (keys, messages) = (column("public_key")?, column("message")?);
            let before = Instant::now();
            #[cfg(feature = "rayon")]
            let verdicts = kernel.par_verify(keys, messages, column("signature")?)?;
            #[cfg(not(feature = "rayon"))]
            let verdicts = kernel.verify(keys, messages, column("signature")?)?;
            verifying += before.elapsed();
            rows += verdicts.len();
            invalid += lanner_arrow::count_invalid(&verdicts);
            let expected = column("valid")?.as_boolean();
            wrong += verdicts
                .iter()
                .zip(expected)
                .filter(|(found, expected)| found != expected)
                .count();
        }
    }
    let [all, own] = [started.elapsed(), verifying].map(|time| time.as_secs_f64());
    println!(
        "{rows} rows, {invalid} not valid, {wrong} unlike what was written; {own:.2} s to verify ({:.2} us each), {all:.2} s in all",
        1e6 * own / rows.max(1) as f64
    );
    if wrong > 0 {
        return Err("the verdicts are wrong".into());
    }
    Ok(())
}
