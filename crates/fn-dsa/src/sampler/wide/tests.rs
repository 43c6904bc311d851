//! The wide sampler: its exponential, its coins, and the same samples on every vector.

extern crate std;

use alloc::vec::Vec;

use chacha20::ChaCha12Rng;
use chacha20::rand_core::Rng;
use num_bigint::BigInt;

use super::*;
use crate::fpr::tests::TestRng;
use crate::fpr::{Floating, Fpr};
use crate::params::SamplerTables;
use lanner_simd::{F64, Isa, Operation};

fn fpr(x: f64) -> Fpr {
    Fpr::from_bits(x.to_bits())
}

fn double(x: Fpr) -> f64 {
    f64::from_bits(x.to_bits())
}

/// Fractional bits of the integers that stand for reals in the proof below. All coefficients are multiples of
/// 2^-`PRECISION`, and every other operation errs by less than one such unit.
const PRECISION: u32 = 300;

/// A double, exactly.
fn exact(bits: u64) -> BigInt {
    let significand = BigInt::from(bits & ((1 << 52) - 1) | 1 << 52);
    let size = significand << ((bits >> 52 & 0x7ff) + u64::from(PRECISION) - 1075);
    if bits >> 63 == 1 { -size } else { size }
}

/// A polynomial in r, the lowest coefficient first, as one in r - m.
fn around(polynomial: &[BigInt], m: &BigInt) -> Vec<BigInt> {
    let mut shifted = polynomial.to_vec();
    for first in 0..shifted.len() {
        for i in (first..shifted.len() - 1).rev() {
            let carried: BigInt = (&shifted[i + 1] * m) >> PRECISION;
            shifted[i] += carried;
        }
    }
    shifted
}

/// The relative error of the polynomial 1 - r + r^2 p(r) with the coefficients [`EXP`], evaluated exactly, is below
/// 2^-56 for all |r| <= (ln 2) / 2 (1 + 2^-20): a proof, not a sample.
///
/// The difference D of the polynomial and of the Taylor polynomial T of exp(-r), of degree 30, is a polynomial. In each
/// of 512 intervals [m - h, m + h], |D| is at most the sum of |d_i| h^i, with the coefficients d_i of D around m; and
/// exp(-r) is there at least exp(-m - h). T differs from exp(-r) by less than 0.35^31 / 31! < 2^-150.
#[test]
fn the_coefficients_keep_their_bound() {
    const DEGREE: usize = 30;
    const INTERVALS: i32 = 512;
    let one = BigInt::from(1) << PRECISION;
    // What truncations and the rest of the series can amount to, with room to spare.
    let slack = BigInt::from(1) << (PRECISION - 120);

    // ln 2 = sum of 1 / (k 2^k).
    let ln_2: BigInt = (1..=PRECISION).map(|k| (&one >> k) / k).sum();
    let reach: BigInt = ((&ln_2 + (&ln_2 >> 20)) >> 1) + &slack;

    let mut taylor = std::vec![one.clone()];
    for k in 1..=DEGREE {
        taylor.push(-&taylor[k - 1] / BigInt::from(k));
    }
    let mut difference: Vec<BigInt> = taylor.iter().map(|t| -t).collect();
    difference[0] += &one;
    difference[1] -= &one;
    for (d, &bits) in difference[2..].iter_mut().zip(&EXP) {
        *d += exact(bits);
    }

    let h: BigInt = &reach / INTERVALS + 2;
    for interval in 0..INTERVALS {
        let m = (&reach * (2 * interval + 1 - INTERVALS)) / INTERVALS;
        let error = around(&difference, &m)
            .iter()
            .rev()
            .fold(BigInt::ZERO, |sum, d| {
                ((sum * &h) >> PRECISION) + BigInt::from(d.magnitude().clone())
            })
            + &slack;
        // exp(-m - h), from below.
        let least = &around(&taylor, &(m + &h))[0] - &slack;
        assert!(error << 56 < least, "interval {interval}");
    }
}

#[test]
fn the_exponential_is_close() {
    let mut rng = TestRng(3);
    for _ in 0..1_000_000 {
        let r = (rng.next() as i64 as f64) * (0.5 * std::f64::consts::LN_2 / 2.0_f64.powi(63));
        let value = double(exp_of_minus::<Fpr>(fpr(r)));
        let error = value / (-r).exp() - 1.0;
        // That of the library included.
        assert!(error.abs() < 2.0_f64.powi(-50), "{r}: {error:e}");
    }
}

/// What attempts are accepted with is ccs exp(-x), as doubles compute it.
#[test]
fn probabilities_are_close() {
    let mut rng = TestRng(5);
    let mut unit = || (rng.next() >> 11) as f64 / 2.0_f64.powi(53);
    for _ in 0..100_000 {
        let (z0, b) = ((unit() * 19.0).floor(), (unit() * 2.0).floor());
        let z = b + (2.0 * b - 1.0) * z0;
        let (rest, ccs) = (unit(), 0.5 + 0.5 * unit());
        let deviation = 1.277 + unit() * (1.8205 - 1.277);
        let narrow = 1.0 / (2.0 * deviation * deviation);
        let centre = (unit() * 200.0).floor() - 100.0 + rest;
        // The centre loses bits to its integer.
        let rest = centre - centre.floor();
        let x = (z - rest).powi(2) * narrow - z0 * z0 * f64::from_bits(INVERSE_2_SIGMA_MAX_SQUARED);
        let expected = ccs * (-x).exp();
        let found = probabilities::<Fpr>((fpr(z0), fpr(z)), fpr(centre), fpr(narrow), fpr(ccs));
        let (mut threshold, mut below) = (0, 0);
        found.threshold.store(core::slice::from_mut(&mut threshold));
        found.below.store(core::slice::from_mut(&mut below));
        let fraction = (threshold << (FRACTION - COIN_BITS)) + below;
        let error = fraction as f64 / 2.0_f64.powi(FRACTION) - expected;
        let least = 2.0_f64.powi(1 - FRACTION);
        assert!(
            error.abs() < expected * 2.0_f64.powi(-44) + least,
            "{z} {centre} {deviation}: {error:e} of {expected:e}"
        );
    }
}

/// Bytes from a script, and then zeros.
#[derive(Clone)]
struct Script(Vec<u8>);

impl Generator for Script {
    fn fill(&mut self, bytes: &mut [u8; RUN]) {
        let count = self.0.len().min(bytes.len());
        bytes.fill(0);
        bytes[..count].copy_from_slice(&self.0[..count]);
        self.0.drain(..count);
    }
}

fn script(long: [u64; 4], short: [u32; 4]) -> Vec<u8> {
    let long = long.iter().flat_map(|word| word.to_le_bytes());
    long.chain(short.iter().flat_map(|word| word.to_le_bytes()))
        .collect()
}

fn pair_on<L: Lanes<Real = Fpr>>(bytes: &[u8], centres: [f64; 2], deviation: f64) -> [f64; 2] {
    let shape = Shape::new(9, SamplerTables::Rcdt72);
    Wide::new(Script(bytes.to_vec()))
        .pair::<L>(&shape, centres.map(fpr), fpr(1.0 / deviation))
        .expect("samples")
        .map(double)
}

fn pair_on_all(bytes: &[u8], centres: [f64; 2], deviation: f64) -> [f64; 2] {
    let expected = pair_on::<Fpr>(bytes, centres, deviation);
    lanner_simd::everywhere(PairOn(bytes, centres, deviation, expected));
    expected
}

/// The samples on the lanes of an instruction set are those of single values.
#[derive(Clone)]
struct PairOn<'a>(&'a [u8], [f64; 2], f64, [f64; 2]);

impl Operation for PairOn<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let Self(bytes, centres, deviation, expected) = self;
        let samples = pair_on::<<I as Floating>::Lanes>(bytes, centres, deviation);
        assert_eq!(samples, expected, "{}", I::NAME);
    }
}

/// On every target the fast source is ChaCha12 as the crate has it.
#[test]
fn one_generator_everywhere() {
    let mut fast = FastSource::from_seed([7; 32]);
    let mut reference = ChaCha12Rng::from_seed([7; 32]);
    for _ in 0..5 {
        let mut expected = [0; RUN];
        fast.refill();
        reference.fill_bytes(&mut expected);
        assert_eq!(fast.buffer, expected);
    }
}

/// What an attempt makes of its bits: (z, threshold, bits below the threshold).
fn attempt(long: u64, low_bits: u64, centre: f64, deviation: f64) -> (f64, u64, u64) {
    let shape = Shape::<Fpr>::new(9, SamplerTables::Rcdt72);
    let inverse = fpr(1.0 / deviation);
    let narrow = (inverse * inverse).half();
    let ccs = inverse * shape.sigma_min;
    type W = <Fpr as F64>::Words;
    let (long, short) = (W::splat(long), W::splat(low_bits));
    let halves = half_gaussian::<Fpr, 9>(&PARTS72, long, lower_bits(short));
    let made = probabilities(halves, fpr(centre), narrow, ccs);
    let word = |words: W| {
        let mut word = [0];
        words.store(&mut word);
        word[0]
    };
    let z = fpr(centre.floor()) + halves.1;
    (double(z), word(made.threshold), word(made.below))
}

/// The first 23 bits of the coins meet their thresholds; the bits of further rounds decide, for the
/// attempts in their order and for those alone that are needed.
#[test]
fn ties_are_decided_by_further_bits() {
    let mut rng = TestRng(4);
    let (centres, deviation) = ([0.3, -7.8], 1.5);
    let mut outcomes = [0; 16];
    for _ in 0..2000 {
        let long: [u64; 4] = core::array::from_fn(|_| rng.next());
        let low: [u64; 4] = core::array::from_fn(|_| rng.next() & 0x1ff);
        let made: [_; 4] =
            core::array::from_fn(|i| attempt(long[i], low[i], centres[i % 2], deviation));
        // A threshold of zero has no bits of its own; those of 2^23 always accept.
        if made
            .iter()
            .any(|&(_, threshold, below)| threshold >> 23 != 0 || below == 0)
        {
            continue;
        }
        let short = core::array::from_fn(|i| (low[i] | made[i].1 << 9) as u32);
        let accept = (rng.next() % 16) as usize;
        let mut bytes = script(long, short);
        let mut found = [None; 2];
        for (i, &(z, _, below)) in made.iter().enumerate() {
            if found[i % 2].is_none() {
                // The first 39 bits of the word against the 39 bits below.
                let accepted = accept >> i & 1 == 1;
                let word = if accepted { below - 1 } else { below } << 25 | rng.next() >> 39;
                bytes.extend(script([word, rng.next(), 0, 0], [0; 4]));
                found[i % 2] = accepted.then_some(z);
            }
        }
        // Whoever is not found takes what the next rounds have.
        let mut rest = TestRng(5);
        for _ in 0..40 {
            let words = core::array::from_fn(|_| rest.next());
            bytes.extend(script(words, core::array::from_fn(|_| rest.next() as u32)));
        }
        let samples = pair_on_all(&bytes, centres, deviation);
        for k in 0..2 {
            if let Some(z) = found[k] {
                assert_eq!(samples[k], z, "sample {k}, accepting {accept:04b}");
            }
        }
        outcomes[accept] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 0), "{outcomes:?}");
}

#[test]
fn lanes_give_the_same_samples() {
    let mut rng = TestRng(6);
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..RUN / 8)
            .flat_map(|_| rng.next().to_le_bytes())
            .collect();
        let centre = |word: u64| (word as i64 as f64) * 2.0_f64.powi(-55);
        let deviation = 1.28 + (rng.next() % 500) as f64 / 1000.0;
        pair_on_all(&bytes, [centre(rng.next()), centre(rng.next())], deviation);
    }
}

#[test]
fn what_admits_no_sample_ends() {
    let shape = Shape::new(9, SamplerTables::Rcdt72);
    let mut source = FastSource::empty();
    let mut pair = |centre: f64, deviation: f64| {
        source.pair::<Fpr>(&shape, [fpr(centre), fpr(0.0)], fpr(1.0 / deviation))
    };
    assert!(pair(0.5, 1e-9).is_err());
    // Whatever these give.
    for (centre, deviation) in [
        (f64::NAN, 1.5),
        (f64::INFINITY, 1.5),
        (1e300, 1.5),
        (0.5, f64::NAN),
        (0.5, -1.0),
        (0.5, 1e9),
        (0.0, 0.0),
    ] {
        let _ = pair(centre, deviation);
    }
}

/// What the estimate decides is what the exact computation decides, for coins of every size and most of all for those
/// next to the probability; and it leaves few attempts open.
#[test]
fn the_estimate_is_right_where_it_decides() {
    let mut rng = TestRng(8);
    let shape = Shape::<Fpr>::new(9, SamplerTables::Rcdt72);
    type W = <Fpr as F64>::Words;
    let (mut decided, mut open) = ([0; 2], 0);
    for i in 0..2_000_000_u64 {
        // Few entries above, or any number of them.
        let long = rng.next() >> (rng.next() % 2 * (rng.next() % 60));
        let low = rng.next() & 0x1ff;
        let centre = (rng.next() as i64 as f64) * 2.0_f64.powi(-60);
        let deviation = 1.2778 + (rng.next() % 5427) as f64 / 10000.0;
        let (_, threshold, below) = attempt(long, low, centre, deviation);
        let coin = match i % 4 {
            // The whole interval, a narrow one around the probability, and one around what stays open.
            0 => rng.next() >> 41,
            1 => threshold.wrapping_add(rng.next() % 9).wrapping_sub(4),
            2 => (threshold as f64 * (1.0 + (rng.next() as i64 as f64) * 2.0_f64.powi(-73))) as u64,
            _ => rng.next() >> (41 + rng.next() % 16),
        };
        let coin = coin.min((1 << 23) - 1);
        let inverse = fpr(1.0 / deviation);
        let words = drawn::<Fpr>(W::splat(long), W::splat(low | coin << 9));
        let made = attempts(words, fpr(centre), Deviation::<Fpr>::new(&shape, inverse));
        let exact = if coin == threshold && threshold < 1 << 23 {
            // The bits below are still to be drawn, unless there is nothing to find.
            assert!(made.open() & 1 == 1 || below == 0, "{coin}");
            continue;
        } else {
            coin < threshold
        };
        match (made.accepted & 1, made.refused & 1) {
            (0, 0) => open += u32::from(i % 4 == 0),
            (accepted, refused) => {
                assert_eq!(
                    (accepted == 1, refused == 1),
                    (exact, !exact),
                    "{coin} {threshold}"
                );
                decided[usize::from(exact)] += 1;
            }
        }
    }
    assert!(decided[0] > 100_000 && decided[1] > 100_000, "{decided:?}");
    assert!((50..1000).contains(&open), "{open}");
}
