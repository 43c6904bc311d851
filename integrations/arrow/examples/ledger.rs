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
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::cast::AsArray;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, FixedSizeBinaryArray, Int64Array, RecordBatch,
};
use clap::Parser;
use lanner_arrow::Ed25519;
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Signature, SigningKey};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use rand_distr::{Distribution, Zipf};

/// Rows that are made and written together.
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
    std::fs::create_dir(&options.out)
        .map_err(|error| format!("{}: {error}", options.out.display()))?;
    let mut seeds = vec![[0; 32]; options.keys.max(1)];
    let mut rng = ChaCha12Rng::seed_from_u64(options.seed);
    seeds.iter_mut().for_each(|seed| rng.fill_bytes(seed));
    let mut keys = vec![None; seeds.len()];
    SigningKey::from_bytes_each(&seeds, &mut keys);
    let keys: Vec<SigningKey> = keys.into_iter().flatten().collect();

    let files = options.partitions.max(1);
    let size = options.rows.div_ceil(files);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..files)
            .map(|i| {
                let keys = &keys;
                scope.spawn(move || {
                    let rows = (i * size).min(options.rows)..((i + 1) * size).min(options.rows);
                    let path = options.out.join(format!("part-{i:05}.parquet"));
                    partition(options, keys, i, rows, &path).map_err(|error| error.to_string())
                })
            })
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    println!(
        "{} rows by {} keys in {files} files in {}: {:.1} s",
        options.rows,
        keys.len(),
        options.out.display(),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Writes one file.
fn partition(
    options: &Options,
    keys: &[SigningKey],
    number: usize,
    rows: std::ops::Range<usize>,
    path: &Path,
) -> Result<(), Box<dyn Error>> {
    let mut rng = ChaCha12Rng::seed_from_u64(options.seed);
    rng.set_stream(1 + number as u64);
    let zipf = Zipf::new(keys.len() as f64, options.zipf)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .build();
    let mut writer: Option<ArrowWriter<File>> = None;
    // A folder without rows still has a schema in each file.
    for start in rows
        .clone()
        .step_by(PIECE)
        .chain(rows.is_empty().then_some(rows.start))
    {
        let ids = start..rows.end.min(start + PIECE);
        let batch = piece(options, keys, &zipf, ids, &mut rng)?;
        let writer = match &mut writer {
            Some(writer) => writer,
            none => none.insert(ArrowWriter::try_new(
                File::create_new(path)?,
                batch.schema(),
                Some(properties.clone()),
            )?),
        };
        writer.write(&batch)?;
    }
    if let Some(writer) = writer {
        writer.close()?;
    }
    Ok(())
}

/// Makes some rows.
fn piece(
    options: &Options,
    keys: &[SigningKey],
    zipf: &Zipf<f64>,
    ids: std::ops::Range<usize>,
    rng: &mut impl Rng,
) -> Result<RecordBatch, Box<dyn Error>> {
    let signers: Vec<&SigningKey> = ids
        .clone()
        .map(|_| &keys[(zipf.sample(rng) as usize).clamp(1, keys.len()) - 1])
        .collect();
    let messages: Vec<Vec<u8>> = ids
        .clone()
        .map(|_| {
            let mut message = vec![0; rng.random_range(100..=400)];
            rng.fill_bytes(&mut message);
            message
        })
        .collect();
    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let mut signed = vec![Signature::from_bytes(&[0; 64]); signers.len()];
    SigningKey::sign_each_by(&signers, &slices, &mut signed);
    let mut valid = Vec::with_capacity(signed.len());
    let signatures = signed.iter().map(|signature| {
        let mut bytes = signature.to_bytes();
        let spoiled = rng.random_bool(options.invalid);
        if spoiled {
            bytes[rng.random_range(0..64)] ^= 1 << rng.random_range(0..8);
        }
        valid.push(!spoiled);
        bytes
    });
    let signatures = FixedSizeBinaryArray::try_from_iter(
        signatures.collect::<Vec<_>>().into_iter(),
    )
    .or_else(|_| {
        FixedSizeBinaryArray::try_from_sparse_iter_with_size(
            std::iter::empty::<Option<[u8; 64]>>(),
            64,
        )
    })?;
    let public = signers
        .iter()
        .map(|key| Some(key.verifying_key().to_bytes()));
    let public = FixedSizeBinaryArray::try_from_sparse_iter_with_size(public, 32)?;
    let ids: Int64Array = ids.map(|id| id as i64).collect();
    let columns: [(&str, ArrayRef); 5] = [
        ("id", Arc::new(ids)),
        ("public_key", Arc::new(public)),
        ("message", Arc::new(BinaryArray::from_vec(slices))),
        ("signature", Arc::new(signatures)),
        ("valid", Arc::new(BooleanArray::from(valid))),
    ];
    Ok(RecordBatch::try_from_iter(columns)?)
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
