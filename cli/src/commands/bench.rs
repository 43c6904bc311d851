//! `lanner bench`: how fast this machine is.

use crate::algorithm::Algorithm;
use crate::args::Bench;
use crate::error::Error;
use crate::keys::{PublicKey, SecretKey, SigningKey, VerifyingKey};
use crate::report::Report;
use crate::schemes::x25519;
use crate::signals;
use crate::signatures::{sign, verify};
use clap::ValueEnum;
use serde_json::{Value, json};
use sha2::{Digest, Sha256, Sha512};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Bytes that are hashed at a time.
const PIECE: usize = 1 << 20;

pub(crate) fn run(args: &Bench) -> Result<Report, Error> {
    let time = Duration::from_secs_f64(args.seconds);
    let mut table = Table::default();
    for &algorithm in Algorithm::value_variants() {
        if args.algorithm.is_none_or(|wanted| wanted == algorithm) {
            one(algorithm, time, &mut table)?;
        }
    }
    if args.algorithm.is_none() {
        let data = vec![0x5a; PIECE];
        for (name, hash) in [
            (
                "SHA-512",
                (|data: &[u8]| {
                    let _ = black_box(Sha512::digest(data));
                }) as fn(&[u8]),
            ),
            ("SHA-256", |data| {
                let _ = black_box(Sha256::digest(data));
            }),
            ("BLAKE3", |data| {
                let _ = black_box(blake3::hash(data));
            }),
        ] {
            let taken = measure(time, || {
                hash(black_box(&data));
                Ok(())
            })?;
            table.hash(name, taken);
        }
    }
    let backend = lanner::backend::active().name();
    let text = format!("One processor, backend {backend}:\n{}", table.text);
    let fields = json!({
        "backend": backend,
        "seconds": args.seconds,
        "results": table.results,
    });
    Ok(Report::new(text, fields).into_result())
}

#[derive(Default)]
struct Table {
    text: String,
    results: Vec<Value>,
}

impl Table {
    fn operation(&mut self, algorithm: Algorithm, operation: &str, taken: Duration) {
        let micros = taken.as_secs_f64() * 1e6;
        let per_second = 1.0 / taken.as_secs_f64();
        let _ = writeln!(
            self.text,
            "  {:<19} {operation:<14} {per_second:>10.0} per second  {micros:>10.1} \u{b5}s",
            algorithm.name(),
        );
        self.results.push(json!({
            "algorithm": algorithm.option(),
            "operation": operation,
            "per_second": per_second,
            "microseconds": micros,
        }));
    }

    fn hash(&mut self, name: &str, taken: Duration) {
        let per_second = PIECE as f64 / taken.as_secs_f64();
        let _ = writeln!(
            self.text,
            "  {name:<19} {:<14} {:>10.0} MB per second",
            "hash",
            per_second / 1e6
        );
        self.results.push(json!({
            "algorithm": name.to_lowercase().replace("sha-", "sha"),
            "operation": "hash",
            "bytes_per_second": per_second,
        }));
    }
}

fn one(algorithm: Algorithm, time: Duration, table: &mut Table) -> Result<(), Error> {
    let taken = measure(time, || SecretKey::generate(algorithm).map(drop))?;
    table.operation(algorithm, "make a key", taken);
    let key = SecretKey::generate(algorithm)?;
    match (&key, key.public()) {
        (SecretKey::Signing(key), PublicKey::Verifying(public)) => {
            signatures(algorithm, key, &public, time, table)
        }
        (SecretKey::X25519(key), PublicKey::X25519(public)) => {
            let taken = measure(time, || {
                let secret: x25519::SharedSecret = key.diffie_hellman(black_box(&public));
                black_box(secret.as_bytes());
                Ok(())
            })?;
            table.operation(algorithm, "agree", taken);
            Ok(())
        }
        _ => unreachable!("both halves of a key are of one kind"),
    }
}

fn signatures(
    algorithm: Algorithm,
    key: &SigningKey,
    public: &VerifyingKey,
    time: Duration,
    table: &mut Table,
) -> Result<(), Error> {
    let message = b"a message that is as short as a hash: what is signed for a file";
    let taken = measure(time, || sign::short(key, black_box(message)).map(drop))?;
    table.operation(algorithm, "sign", taken);
    let signature = sign::short(key, message)?;
    let taken = measure(time, || {
        black_box(verify::is_valid(public, black_box(&signature), message));
        Ok(())
    })?;
    table.operation(algorithm, "verify", taken);
    Ok(())
}

/// The time of one run, on average over about `time`.
fn measure(time: Duration, mut run: impl FnMut() -> Result<(), Error>) -> Result<Duration, Error> {
    // The first run fills caches and tables.
    run()?;
    let start = Instant::now();
    let mut runs = 0;
    loop {
        signals::check()?;
        run()?;
        runs += 1;
        let taken = start.elapsed();
        if taken >= time {
            return Ok(taken / runs);
        }
    }
}
