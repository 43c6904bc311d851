//! Samples that are drawn ahead are those that are drawn one by one, on every vector, and take as many bytes.

extern crate std;

use alloc::vec::Vec;

use super::*;
use crate::fpr::tests::TestRng;
use crate::fpr::{Floating, Fpr};
use crate::sampler::source::{ReferenceChaCha20, Reseed, ShakeStream};
use crate::shake256x4::Shake256x4;
use lanner_simd::{Isa, Operation};

fn fpr(x: f64) -> Fpr {
    Fpr::from_bits(x.to_bits())
}

/// Bytes, and behind them more of a generator.
#[derive(Clone)]
struct Script {
    bytes: Vec<u8>,
    at: usize,
    behind: TestRng,
}

impl Script {
    fn new(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            at: 0,
            behind: TestRng(9),
        }
    }
}

impl ByteSource for Script {
    fn next_u8(&mut self) -> u8 {
        self.at += 1;
        match self.bytes.get(self.at - 1) {
            Some(&byte) => byte,
            None => (self.behind.next() >> 56) as u8,
        }
    }

    fn next_u64(&mut self) -> u64 {
        u64::from_le_bytes([(); 8].map(|()| self.next_u8()))
    }
}

/// What pairs are drawn with.
#[derive(Clone, Copy, Debug)]
struct Given {
    centres: [f64; 2],
    inverse_deviation: f64,
}

/// The samples of all pairs.
type Samples = Vec<Result<[u64; 2], NoSample>>;

/// Draws pairs from a source one by one, as the variants say it.
fn one_by_one(source: &mut impl ByteSource, tables: SamplerTables, given: &[Given]) -> Samples {
    let shape = Shape::<Fpr>::new(9, tables);
    let pairs = given.iter().map(|given| {
        let mut samples = [0; 2];
        for (z, centre) in samples.iter_mut().zip(given.centres) {
            let inverse_deviation = fpr(given.inverse_deviation);
            let sample = exact::sample(source, &shape, fpr(centre), inverse_deviation)?;
            *z = Fpr::from_i32(sample).to_bits();
        }
        Ok(samples)
    });
    pairs.collect()
}

/// Asserts that every instruction set draws the same, and the same bytes behind it.
#[derive(Clone)]
struct Check<'a, S> {
    source: &'a S,
    tables: SamplerTables,
    given: &'a [Given],
    expected: &'a Samples,
    behind: [u8; 16],
}

impl<S: ByteSource + Clone> Operation for Check<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let shape = Shape::<Fpr>::new(9, self.tables);
        let mut ahead = Ordered::new(self.source.clone());
        for (given, expected) in self.given.iter().zip(self.expected) {
            let (centres, inverse_deviation) =
                (given.centres.map(fpr), fpr(given.inverse_deviation));
            let made = ahead.pair::<<I as Floating>::Lanes>(&shape, centres, inverse_deviation);
            let made = made.map(|samples| samples.map(Fpr::to_bits));
            assert_eq!(made, *expected, "{}: {given:?}", I::NAME);
        }
        // Nothing is drawn behind what admits no sample.
        if self.expected.iter().all(Result::is_ok) {
            let at = usize::from(ahead.attempts[ahead.next]);
            let ahead = &mut ahead;
            let mut rest = Rest { ahead, at };
            let behind = [(); 16].map(|()| rest.next_u8());
            assert_eq!(behind, self.behind, "{}", I::NAME);
        }
    }
}

fn check(bytes: Vec<u8>, tables: SamplerTables, given: &[Given]) -> Samples {
    check_source(&Script::new(bytes), tables, given)
}

fn check_source<S: ByteSource + Clone>(
    source: &S,
    tables: SamplerTables,
    given: &[Given],
) -> Samples {
    let mut reference = source.clone();
    let expected = &one_by_one(&mut reference, tables, given);
    let behind = [(); 16].map(|()| reference.next_u8());
    lanner_simd::everywhere(Check {
        source,
        tables,
        given,
        expected,
        behind,
    });
    expected.clone()
}

const TABLES: [SamplerTables; 2] = [SamplerTables::Rcdt72, SamplerTables::Rcdt79];

/// Centres and deviations of keys.
fn of_a_key(rng: &mut TestRng) -> Given {
    let mut centre = || (rng.next() as i64 as f64) * 2.0_f64.powi(-52 - (rng.next() % 16) as i32);
    let centres = [centre(), centre()];
    let deviation = 1.2778337 + (rng.next() % 4715) as f64 / 10000.0;
    Given {
        centres,
        inverse_deviation: 1.0 / deviation,
    }
}

#[test]
fn samples_of_random_bytes() {
    let mut rng = TestRng(1);
    for tables in TABLES {
        for _ in 0..30 {
            let bytes = (0..20_000).map(|_| (rng.next() >> 56) as u8).collect();
            let given: Vec<_> = (0..700).map(|_| of_a_key(&mut rng)).collect();
            let samples = check(bytes, tables, &given);
            assert!(samples.iter().all(Result::is_ok));
        }
    }
}

/// The sources of the variants, some of which give up bytes.
#[test]
fn samples_of_every_source() {
    let mut rng = TestRng(5);
    for round in 0..10_u8 {
        let mut given = || -> Vec<_> { (0..2_000).map(|_| of_a_key(&mut rng)).collect() };
        let mut shake = ShakeStream::empty();
        shake.reseed(&[round; 56]);
        check_source(&shake, SamplerTables::Rcdt79, &given());
        check_source(&shake, SamplerTables::Rcdt72, &given());
        let reference = ReferenceChaCha20::new(&[round; 56]);
        check_source(&reference, SamplerTables::Rcdt72, &given());
        let mut four = Shake256x4::empty();
        four.reseed(&[round; 56]);
        check_source(&four, SamplerTables::Rcdt72, &given());
    }
}

/// A source that is seeded anew is a new one, whatever was drawn before.
#[test]
fn restarted_is_new() {
    let mut rng = TestRng(6);
    let shape = Shape::<Fpr>::new(9, SamplerTables::Rcdt72);
    let given: Vec<_> = (0..100).map(|_| of_a_key(&mut rng)).collect();
    let draw = |ahead: &mut Ordered<ReferenceChaCha20>, count: usize| -> Vec<_> {
        ahead.restart().restart(&[7; 56]);
        let pairs = given[..count].iter().map(|given| {
            let centres = given.centres.map(fpr);
            ahead.pair::<Fpr>(&shape, centres, fpr(given.inverse_deviation))
        });
        pairs
            .map(|pair| pair.expect("a pair").map(Fpr::to_bits))
            .collect()
    };
    let new = draw(&mut Ordered::new(ReferenceChaCha20::empty()), 100);
    let mut used = Ordered::new(ReferenceChaCha20::empty());
    for count in 0..100 {
        draw(&mut used, count);
        assert_eq!(draw(&mut used, 100), new, "{count}");
    }
}

/// Bytes that are 0, 1, 254 or 255, or one value most of the time: coins that are equal over many bytes, u at its ends,
/// and all attempts refused.
#[test]
fn samples_of_odd_bytes() {
    let mut rng = TestRng(2);
    for round in 0..300_u64 {
        let usual = [0, 1, 254, 255, (rng.next() >> 56) as u8][round as usize % 5];
        let often = 1 + rng.next() % 12;
        let bytes = (0..8_000)
            .map(|_| match rng.next() % (often + 3) {
                0 => (rng.next() >> 56) as u8,
                1 => [0, 1, 254, 255][rng.next() as usize % 4],
                _ => usual,
            })
            .collect();
        let given: Vec<_> = (0..200).map(|_| of_a_key(&mut rng)).collect();
        check(bytes, TABLES[round as usize % 2], &given);
    }
}

/// Coins whose threshold lies within 2^-8 to 2^-40 of where the next one begins.
#[test]
fn thresholds_between_coins() {
    let mut rng = TestRng(3);
    let shape = Shape::<Fpr>::new(9, SamplerTables::Rcdt79);
    let sigma_min = f64::from_bits(shape.sigma_min.to_bits());
    let mut made = 0;
    while made < 20_000 {
        // z0 = 0 and b = 1, so that z = 1: x = (1 - rest)^2 / (2 sigma'^2) - 0.
        let inverse = of_a_key(&mut rng).inverse_deviation;
        let coin = 1 + rng.next() % 255;
        let off = 2.0_f64.powi(-8 - (rng.next() % 33) as i32) * [1.0, -1.0][made % 2];
        let probability = coin as f64 / 256.0 * (1.0 + off);
        let x = (inverse * sigma_min / probability).ln();
        let distance = (2.0 * x).sqrt() / inverse;
        if !(0.0..1.0).contains(&distance) {
            continue;
        }
        made += 1;
        let centre = 1.0 - distance;
        let mut bytes = Vec::new();
        for shift in [0, 1, 2] {
            // u as large as it can be, b = 1.
            bytes.extend([0xff; 10]);
            bytes.push((coin as u8).wrapping_sub(shift));
        }
        bytes.push((rng.next() >> 56) as u8);
        let given = Given {
            centres: [centre; 2],
            inverse_deviation: inverse,
        };
        check(bytes, SamplerTables::Rcdt79, &[given; 3]);
    }
}

/// Centres and deviations that no key has give what they give one by one.
#[test]
fn what_no_key_has() {
    let mut rng = TestRng(4);
    let odd = [
        0.0,
        -0.0,
        1e-300,
        2.0_f64.powi(30),
        -(2.0_f64.powi(30)),
        2.0_f64.powi(31) + 0.5,
        -3e9,
        1e18,
        1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let inverse = [
        0.0,
        -0.0,
        -0.6,
        1e-9,
        0.549,
        0.5493,
        0.5494,
        0.7825,
        0.783,
        0.9,
        1.0,
        50.0,
        1e300,
        f64::INFINITY,
        f64::NAN,
        f64::from_bits(u64::MAX),
    ];
    for round in 0..2_000 {
        let bytes = (0..200).map(|_| (rng.next() >> 56) as u8).collect();
        let usual = of_a_key(&mut rng);
        let mut given = usual;
        let pick = rng.next() as usize;
        if round % 3 != 0 {
            given.centres[pick % 2] = odd[pick / 2 % odd.len()];
        }
        if round % 3 != 1 {
            given.inverse_deviation = inverse[pick / 64 % inverse.len()];
        }
        let samples = check(bytes, TABLES[round % 2], &[usual, given]);
        assert!(samples[0].is_ok());
    }
}
