//! What hashing several messages at once costs, beside `sha2` and `sha3` one by one:
//! `cargo bench -p lanner-hash [-- <part of a row's name>]`.
//!
//! Each row names a group and a way to do its work. The ways of a group take turns, so that
//! whatever else the machine does falls on all of them; printed are nanoseconds per unit (medians)
//! and the median of the ratios to the first way of the group, turn by turn. Run by `cargo
//! test`, every way runs once and nothing is measured.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lanner_hash::backend::{self, Backend};
use lanner_hash::keccak::{self, Shake256};
use lanner_hash::sha512;
use sha2::{Digest, Sha512};
use sha3::digest::{ExtendableOutput, Update, XofReader};

const SAMPLE: Duration = Duration::from_millis(4);
const TURNS: usize = 41;

/// A way to do the work of a group.
struct Way<'a> {
    name: String,
    run: Box<dyn FnMut() + 'a>,
}

fn way<'a, T>(name: impl Into<String>, mut run: impl FnMut() -> T + 'a) -> Way<'a> {
    Way {
        name: name.into(),
        run: Box::new(move || {
            black_box(run());
        }),
    }
}

/// The same work on every backend.
fn on_backends<'a, T>(run: impl FnMut() -> T + Clone + 'a) -> Vec<Way<'a>> {
    backend::list()
        .map(|backend: Backend| {
            let mut run = run.clone();
            way(backend.name(), move || {
                backend::force(backend).expect("listed");
                run()
            })
        })
        .collect()
}

fn seconds(run: &mut dyn FnMut(), repetitions: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..repetitions {
        run();
    }
    start.elapsed().as_secs_f64() / f64::from(repetitions)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

struct Groups {
    filter: String,
    measure: bool,
}

impl Groups {
    /// One group: every way does `units` of work.
    fn group(&self, name: &str, units: usize, mut ways: Vec<Way>) {
        if !name.contains(&self.filter) {
            return;
        }
        if !self.measure {
            ways.iter_mut().for_each(|way| (way.run)());
            return;
        }
        let repetitions: Vec<u32> = ways
            .iter_mut()
            .map(|way| {
                seconds(&mut way.run, 3);
                1 + (SAMPLE.as_secs_f64() / seconds(&mut way.run, 3)) as u32
            })
            .collect();
        let mut times = vec![Vec::new(); ways.len()];
        for _ in 0..TURNS {
            for ((way, &repetitions), times) in ways.iter_mut().zip(&repetitions).zip(&mut times) {
                times.push(seconds(&mut way.run, repetitions));
            }
        }
        for (way, own) in ways.iter().zip(&times) {
            let ratios = own.iter().zip(&times[0]).map(|(own, first)| own / first);
            println!(
                "{name:<34} {:<10} {:>9.1} ns {:>6.3}",
                way.name,
                1e9 * median(own.clone()) / units as f64,
                median(ratios.collect()),
            );
        }
    }
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let measure = args.iter().any(|arg| arg == "--bench");
    args.retain(|arg| !arg.starts_with('-'));
    let groups = Groups {
        filter: args.pop().unwrap_or_default(),
        measure,
    };
    clock(&groups);
    sha512_rows(&groups);
    keccak_rows(&groups);
}

/// Dependent multiplications, three cycles each on most processors: how long a cycle is.
fn clock(groups: &Groups) {
    let chain = || {
        let mut x = black_box(3u64);
        for _ in 0..1000 {
            // Opaque to the compiler, which would find a closed form of a bare product.
            x = x.wrapping_mul(x) ^ 1;
        }
        x
    };
    groups.group("clock: four cycles", 1000, vec![way("mul, xor", chain)]);
}

fn sha512_rows(groups: &Groups) {
    let long = vec![0x5a; 128 * 64 - 17];
    let messages = [&long[..]; 16].map(|message| [message]);
    for count in [1, 2, 4, 8, 16] {
        let messages = &messages[..count];
        let mut ways = vec![way("sha2", || {
            for [message] in messages {
                black_box(Sha512::digest(black_box(message)));
            }
        })];
        let mut digests = [[0; 64]; 16];
        ways.extend(on_backends(move || {
            sha512::digest_each(black_box(messages), &mut digests[..messages.len()]);
        }));
        groups.group(
            &format!("sha512 x{count}, 64 blocks, a block"),
            64 * count,
            ways,
        );
    }

    let (r, a, m) = ([1; 32], [2; 32], [3u8; 32]);
    for count in [1, 2, 3, 4, 8, 64] {
        let mut ways = vec![way("sha2", || {
            for _ in 0..count {
                let hash = Sha512::new_with_prefix(black_box(&r));
                black_box(hash.chain_update(a).chain_update(m).finalize());
            }
        })];
        let mut digests = [[0; 64]; 64];
        ways.extend(on_backends(move || {
            let messages = (0..count).map(|_| [black_box(&r), &a, &m]);
            sha512::digest_each(messages, &mut digests[..count]);
        }));
        groups.group(&format!("sha512 x{count}, R A M, a message"), count, ways);
    }

    let lengths = |i: usize| (i * 7919) % 1000;
    let mut ways = vec![way("sha2", || {
        for i in 0..64 {
            black_box(Sha512::digest(black_box(&long[..lengths(i)])));
        }
    })];
    ways.extend(on_backends(|| {
        let mut digests = [[0; 64]; 64];
        sha512::digest_each((0..64).map(|i| [&long[..lengths(i)]]), &mut digests);
        digests
    }));
    groups.group("sha512 x64, 0 to 999 bytes, each", 64, ways);
}

fn keccak_rows(groups: &Groups) {
    permutations::<1>(groups);
    permutations::<2>(groups);
    permutations::<4>(groups);
    permutations::<8>(groups);

    // The hash-to-point of FN-DSA-512: nonce, hashed key, message; about nine blocks.
    let (nonce, key, message) = ([1; 40], [2; 64], [3u8; 32]);
    let mut ways = vec![way("sha3", || {
        for _ in 0..8 {
            let mut hash = sha3::Shake256::default();
            hash.update(black_box(&nonce));
            hash.update(&key);
            hash.update(&message);
            let mut reader = hash.finalize_xof();
            let mut block = [0; 136];
            for _ in 0..9 {
                reader.read(&mut block);
                black_box(&block);
            }
        }
    })];
    ways.extend(on_backends(|| {
        let parts: [&[u8]; 3] = [black_box(&nonce), &key, &message];
        let mut streams = Shake256::<8>::new([parts; 8]);
        for _ in 0..9 {
            black_box(streams.next_block());
        }
    }));
    groups.group("shake256 x8, 9 blocks, a block", 8 * 9, ways);
}

fn permutations<const N: usize>(groups: &Groups) {
    let mut single = [0; 200];
    let mut ways = vec![way("sha3", move || {
        // A block of output is a permutation; the crate has no other door to it.
        let mut reader = sha3::Shake256::default().finalize_xof();
        for _ in 0..N * 16 {
            reader.read(&mut single[..136]);
        }
    })];
    for backend in backend::list() {
        let mut states = [[0; N]; 25];
        ways.push(way(backend.name(), move || {
            backend::force(backend).expect("listed");
            for _ in 0..16 {
                keccak::permute(&mut states);
            }
        }));
    }
    groups.group(&format!("keccak x{N}, a permutation"), N * 16, ways);
}
