//! Makes signed rows in Parquet files. The tests of the engines have it as well.

use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, FixedSizeBinaryArray, Int64Array, RecordBatch,
};
use lanner_ed25519::{Signature, SigningKey};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use rand_distr::{Distribution, Zipf};

/// Rows that are made and written together.
const PIECE: usize = 8192;

/// What a data set is made from.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    pub(crate) rows: usize,
    /// How many keys sign them.
    pub(crate) keys: usize,
    /// The exponent of Zipf's law.
    pub(crate) zipf: f64,
    /// Which part of the rows is not valid.
    pub(crate) invalid: f64,
    /// How many files there are.
    pub(crate) partitions: usize,
    pub(crate) seed: u64,
}

/// Writes a data set into a folder that is not there yet.
pub(crate) fn make(options: &Ledger, folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
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
                    let path = folder.join(format!("part-{i:05}.parquet"));
                    partition(options, keys, i, rows, &path).map_err(|error| error.to_string())
                })
            })
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    Ok(())
}

/// Writes one file.
fn partition(
    options: &Ledger,
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
    options: &Ledger,
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
