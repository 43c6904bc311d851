//! The fuzz targets without a fuzzer: good inputs, those that a search found, spoiled ones, and random bytes.
//! `LANNER_FUZZ_ROUNDS` (a number) is how many of the last two a target gets, instead of what takes a second or so, and
//! `LANNER_FUZZ_TARGET` (a name) the only target that runs.

use lanner_fuzz_targets::{TARGETS, corpus};

/// A few changes to the bytes, of the kinds that fuzzers make.
fn spoil(rng: &mut fastrand::Rng, bytes: &mut Vec<u8>, others: &[Vec<u8>]) {
    for _ in 0..rng.u32(1..4) {
        let at = rng.usize(..=bytes.len());
        match rng.u8(..8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.u8(..8),
            1 if at < bytes.len() => bytes[at] = rng.u8(..),
            2 if at < bytes.len() => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][rng.usize(..5)],
            3 => bytes.insert(at, rng.u8(..)),
            4 if at < bytes.len() => drop(bytes.remove(at)),
            5 => bytes.truncate(at),
            6 => {
                let length = rng.usize(..16).min(bytes.len() - at);
                bytes[at..at + length].fill(0);
            }
            _ => {
                // The end of another input.
                let other = &others[rng.usize(..others.len())];
                bytes.truncate(at);
                bytes.extend_from_slice(&other[rng.usize(..=other.len())..]);
            }
        }
    }
}

#[test]
fn spoiled_and_random_inputs() {
    let asked: Option<usize> = std::env::var("LANNER_FUZZ_ROUNDS")
        .ok()
        .map(|text| text.parse().expect("LANNER_FUZZ_ROUNDS is a number"));
    let only = std::env::var("LANNER_FUZZ_TARGET").ok();
    let is_asked = |name: &str| only.as_ref().is_none_or(|only| only == name);
    assert!(TARGETS.iter().any(|target| is_asked(target.name)));
    for target in TARGETS.iter().filter(|target| is_asked(target.name)) {
        let rounds = asked.unwrap_or(target.rounds);
        let mut rng = fastrand::Rng::with_seed(0x1a44_e400);
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{}", target.name);
        let run = |input: &[u8], what: &str| {
            let outcome = std::panic::catch_unwind(|| (target.run)(input));
            assert!(outcome.is_ok(), "{}, {what}: {input:02x?}", target.name);
        };
        for seed in &seeds {
            run(seed, "a good input");
        }
        for (i, input) in corpus::read(target.name)
            .expect("a corpus")
            .iter()
            .enumerate()
        {
            run(input, &format!("input {i} of the corpus"));
        }
        for round in 0..rounds {
            let mut input = seeds[rng.usize(..seeds.len())].clone();
            spoil(&mut rng, &mut input, &seeds);
            run(&input, &format!("spoiled, round {round}"));
            let mut input = vec![0; rng.usize(..200)];
            rng.fill(&mut input);
            run(&input, &format!("random, round {round}"));
        }
    }
}

/// Each target has its binary for the fuzzer, and there is no other.
#[test]
fn binaries_and_targets_are_the_same() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/libfuzzer/fuzz_targets");
    let mut binaries: Vec<String> = std::fs::read_dir(directory)
        .expect("the directory is there")
        .map(|entry| entry.expect("an entry").file_name().into_string())
        .map(|name| name.expect("a name in UTF-8").replace(".rs", ""))
        .collect();
    binaries.sort();
    let mut names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    names.sort();
    assert_eq!(binaries, names);
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/libfuzzer/Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).expect("the manifest is there");
    for name in names {
        assert!(
            manifest.contains(&format!("fuzz_targets/{name}.rs")),
            "{name}"
        );
    }
}
