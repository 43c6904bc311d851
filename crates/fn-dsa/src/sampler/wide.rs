//! `SamplerZ` for sources whose order of bytes is free: four attempts side by side.
//!
//! The distribution is that of [`super::exact`]: the same table of 72 bits, the same acceptance. What
//! differs is that the acceptance is computed in doubles, with a relative error below 2^-48 (the
//! polynomial of the specification has 2^-51, and its arguments are doubles as well), and that the attempts for
//! the two samples of a pair are made in rounds of four: for both in turn, or, once one of them is
//! found, for the other. Samples do not depend on the number of lanes: each takes its first accepted
//! attempt, in the order of the attempts.
//!
//! A round takes 48 bytes: for each attempt 64 bits (the sign, and 63 bits for the table) and then for each 32
//! (the other 9 bits for the table, and the first 23 of the coin). If those 23 do not decide, a further
//! round's bytes do.

use chacha20::ChaCha12Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use lanner_simd::{Task, U64};
use zeroize::Zeroize;

use super::tables::{INVERSE_2_SIGMA_MAX_SQUARED, INVERSE_LN_2, LN_2, RCDT72, Rcdt};
use super::{MAX_ATTEMPTS, NoSample, SamplerRng, Shape};
use crate::fpr::{Lanes, ROUNDER, Real};

/// Bytes of a round.
pub(super) const ROUND: usize = 48;

/// Rounds that are generated at once: a multiple of the 256 and of the 512 bytes at which generators are
/// efficient.
const ROUNDS: usize = 32;

/// Bytes that are generated at once.
pub(super) const RUN: usize = ROUND * ROUNDS;

/// A generator of uniform bytes in runs of `RUN`.
pub(crate) trait Generator {
    fn fill(&mut self, bytes: &mut [u8; RUN]);
}

impl Generator for ChaCha12Rng {
    fn fill(&mut self, bytes: &mut [u8; RUN]) {
        self.fill_bytes(bytes);
    }
}

/// The source of the main variant: ChaCha12, keyed by a seed.
///
/// Twelve rounds, because twenty would make a signature a tenth slower (with AVX2, 6 % more instructions; measured
/// in turn: 61 to 68 µs at degree 512, 124 to 135 µs at 1024); the best attacks known reach seven (Aumasson, "Too
/// much crypto", eprint 2019/1492). One generator on
/// every target: the samples are a function of the seed, and a target that gets its seed by hashing
/// has one signature, wherever it is signed.
pub(crate) type FastSource = Wide<FastGenerator>;

#[cfg(not(all(
    target_arch = "wasm32",
    any(target_feature = "simd128", feature = "simd128")
)))]
type FastGenerator = ChaCha12Rng;
#[cfg(all(
    target_arch = "wasm32",
    any(target_feature = "simd128", feature = "simd128")
))]
type FastGenerator = super::chacha::ChaCha12;

impl FastSource {
    /// One that waits for its seed.
    pub(crate) fn empty() -> Self {
        Self::new(FastGenerator::from_seed([0; 32]))
    }

    #[cfg(test)]
    pub(crate) fn from_seed(seed: [u8; 32]) -> Self {
        let mut source = Self::empty();
        source.restart(&seed);
        source
    }

    /// Becomes the source of a seed, in its place.
    pub(crate) fn restart(&mut self, seed: &[u8; 32]) {
        self.generator = FastGenerator::from_seed(*seed);
        self.position = ROUNDS;
    }
}

/// A source of samples over a generator whose bytes may go in any order. Wiped when dropped.
pub(crate) struct Wide<G: Generator> {
    generator: G,
    buffer: [u8; RUN],
    /// The next round.
    position: usize,
    /// The present round, which outlives a refill.
    round: [u8; ROUND],
}

impl<G: Generator> Wide<G> {
    pub(crate) fn new(generator: G) -> Self {
        Self {
            generator,
            buffer: [0; RUN],
            position: ROUNDS,
            round: [0; ROUND],
        }
    }

    /// Makes the next round the present one.
    #[inline(always)]
    fn next_round(&mut self) {
        self.round = *self.take_round();
    }

    /// The bytes of the next round.
    #[inline(always)]
    fn take_round(&mut self) -> &[u8; ROUND] {
        if self.position == ROUNDS {
            self.refill();
        }
        let (rounds, _) = self.buffer.as_chunks();
        let round = &rounds[self.position];
        self.position += 1;
        round
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        self.generator.fill(&mut self.buffer);
        self.position = 0;
    }

    /// Whether an attempt whose first bits met the threshold is accepted: `FRACTION - COIN_BITS` more bits
    /// against those of the probability.
    #[cold]
    #[inline(never)]
    fn decide(&mut self, below: u64) -> bool {
        let mut word = [0; 8];
        word.copy_from_slice(&self.take_round()[..8]);
        u64::from_le_bytes(word) >> (64 - (FRACTION - COIN_BITS)) < below
    }
}

impl<G: Generator> Drop for Wide<G> {
    fn drop(&mut self) {
        self.buffer.zeroize();
        self.round.zeroize();
    }
}

/// Bits of the coin in the short word.
const COIN_BITS: i32 = 23;
/// Fractional bits of the probability; the coin's first bits stand against the highest of them.
const FRACTION: i32 = 62;

/// exp(-r) for |r| <= (ln 2) / 2 (1 + 2^-20): 1 - r + r^2 p(r), the coefficients of p from the lowest. By Remez'
/// algorithm in 60 digits, relative error below 2^-56 with these roundings.
pub(super) const EXP: [u64; 10] = [
    0x3fe0_0000_0000_000a,
    0xbfc5_5555_5555_54fa,
    0x3fa5_5555_5555_088c,
    0xbf81_1111_1112_7b9e,
    0x3f56_c16c_1842_6765,
    0xbf2a_01a0_12a6_8f86,
    0x3efa_0199_a16c_661c,
    0xbec7_1df2_53bd_594c,
    0x3e92_8ad6_8bdb_3a3f,
    0xbe5a_d7f7_8591_017f,
];

/// The encoding of 1.
pub(super) const ONE: u64 = 0x3ff0_0000_0000_0000;

#[inline(always)]
fn real<L: Lanes>(bits: u64) -> L {
    L::splat(L::Real::from_bits(bits))
}

/// The coefficient k, and the next one times r.
#[inline(always)]
fn linear<L: Lanes>(k: usize, r: L) -> L {
    real::<L>(EXP[k]) + real::<L>(EXP[k + 1]) * r
}

#[inline(always)]
fn exp_of_minus<L: Lanes>(r: L) -> L {
    // Estrin's order: short chains.
    let r2 = r * r;
    let low = (real::<L>(ONE) - r) + linear(0, r) * r2;
    let middle = linear(2, r) + linear(4, r) * r2;
    let high = linear(6, r) + linear(8, r) * r2;
    let r4 = r2 * r2;
    low + (middle + high * r4) * r4
}

/// The table in two parts: entry = high * 2^9 + low.
pub(super) struct Parts {
    pub(super) high: [u64; 18],
    pub(super) low: [u64; 18],
}

const fn parts(table: &Rcdt) -> Parts {
    let mut parts = Parts {
        high: [0; 18],
        low: [0; 18],
    };
    let mut i = 0;
    while i < 18 {
        let (high, middle, low) = (table.high[i], table.middle[i], table.low[i]);
        parts.high[i] = (high as u64) << 39 | (middle as u64) << 15 | (low >> 9) as u64;
        parts.low[i] = (low & 0x1ff) as u64;
        i += 1;
    }
    parts
}

pub(super) static PARTS: Parts = parts(&RCDT72);

/// As many attempts as there are lanes.
struct Attempts<L: Lanes> {
    /// The samples.
    z: L,
    /// Accepted if `coin` is below it, to be decided if they are equal.
    threshold: L::Words,
    coin: L::Words,
    /// The bits of the probability below the threshold.
    below: L::Words,
}

/// Makes the attempts around centres.
#[inline(always)]
fn attempts<L: Lanes>(
    long: L::Words,
    short: L::Words,
    centre: L,
    narrow: L,
    ccs: L,
) -> Attempts<L> {
    let word = L::Words::splat;

    // The centre in [0, 1), as `Real::floor_and_rest` has it.
    let nearest = (centre + real::<L>(ROUNDER)) - real::<L>(ROUNDER);
    let excess = nearest - centre;
    let above = word(0).sub(excess.to_words()).shr::<63>();
    let above = L::from_words(word(0).sub(above).and(word(ONE)));
    let floor = nearest - above;
    let rest = above - excess;

    // The half-Gaussian: how many entries are above the 72 bits (63 of `long`, 9 of `short`). An entry is
    // above them if its high part, and 1 more where its low part is above theirs, is above theirs.
    let u_high = long.shr::<1>();
    let u_low = short.and(word(0x1ff));
    let mut minus_z0 = word(0);
    for i in 0..18 {
        let entry = word(PARTS.high[i]).sub(u_low.below(word(PARTS.low[i])));
        minus_z0 = minus_z0.add(u_high.below(entry));
    }
    // As a double: the low bits of 2^52 + z0.
    let two52 = word(0x4330_0000_0000_0000);
    let z0 = L::from_words(two52.sub(minus_z0)) - L::from_words(two52);
    // -z0, or 1 + z0 if the bit is set.
    let bit = long.shl::<63>();
    let sign = bit.xor(word(1 << 63));
    let one = word(0).sub(long.and(word(1))).and(word(ONE));
    let z = L::from_words(z0.to_words().xor(sign)) + L::from_words(one);

    let distance = z - rest;
    let x = distance * distance * narrow - z0 * z0 * real::<L>(INVERSE_2_SIGMA_MAX_SQUARED);

    // exp(-x) = 2^-s exp(-r), s being the nearest integer to x / ln 2.
    let rounded = x * real::<L>(INVERSE_LN_2) + real::<L>(ROUNDER);
    let s = rounded.to_words().sub(word(ROUNDER));
    let r = x - (rounded - real::<L>(ROUNDER)) * real::<L>(LN_2);
    let probability = (ccs * exp_of_minus(r)).to_words();
    // Its bits: significand * 2^(exponent - 1023 - 52), times 2^-s; as a fraction of `FRACTION` bits.
    let significand = probability
        .and(word((1 << 52) - 1))
        .or(word(1 << 52))
        .shl::<{ FRACTION - 52 }>();
    let shift = word(1023).sub(probability.shr::<52>()).add(s);
    let fraction = significand.shr_each(shift);
    Attempts {
        z: floor + z,
        threshold: fraction.shr::<{ FRACTION - COIN_BITS }>(),
        coin: short.shr::<9>(),
        below: fraction.and(word((1 << (FRACTION - COIN_BITS)) - 1)),
    }
}

/// Two samples, as a task.
struct Pair<'a, L: Lanes, G: Generator> {
    source: &'a mut Wide<G>,
    shape: &'a Shape<L::Real>,
    centres: [L::Real; 2],
    inverse_deviation: L::Real,
}

impl<L: Lanes, G: Generator> Task for Pair<'_, L, G> {
    type Output = Result<[L::Real; 2], NoSample>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let narrow = L::splat((self.inverse_deviation * self.inverse_deviation).half());
        let ccs = L::splat(self.inverse_deviation * self.shape.sigma_min);
        // The centres of the attempts with even and with odd numbers, and the attempts for either sample.
        let mut centres = self.centres;
        let mut attempts_for = [0b0101, 0b1010];
        let mut samples = self.centres;
        for _ in 0..MAX_ATTEMPTS {
            self.source.next_round();
            #[cfg(all(
                target_arch = "wasm32",
                any(target_feature = "simd128", feature = "simd128")
            ))]
            if L::LANES > 1 {
                let double = |x: L::Real| f64::from_bits(x.to_bits());
                let made = super::simd128::four(
                    &self.source.round,
                    centres.map(double),
                    double(self.inverse_deviation * self.inverse_deviation) * 0.5,
                    double(self.inverse_deviation * self.shape.sigma_min),
                );
                let mut accepted = made.accepted;
                let open = 0b1111 & !(accepted | made.refused);
                if open != 0 {
                    let below = &made.below();
                    accepted = self
                        .source
                        .decide_open(open, accepted, attempts_for, below, 0);
                }
                let [first, second] = &mut samples;
                take(first, &mut attempts_for[0], accepted, &made.z);
                take(second, &mut attempts_for[1], accepted, &made.z);
                match attempts_for {
                    [0, 0] => return Ok(samples),
                    [0, _] => (centres[0], attempts_for[1]) = (centres[1], 0b1111),
                    [_, 0] => (centres[1], attempts_for[0]) = (centres[0], 0b1111),
                    _ => {}
                }
                continue;
            }
            let mut first = 0;
            while first < 4 {
                let (long, short) = self.source.round.split_at(32);
                let made = attempts::<L>(
                    L::Words::load_le(&long[8 * first..]),
                    L::Words::load_u32_le(&short[4 * first..]),
                    L::alternate(centres, first),
                    narrow,
                    ccs,
                );
                let mut z = [centres[0]; 4];
                made.z.store(&mut L::packs_mut(&mut z)[0]);
                let mut accepted = made.coin.below(made.threshold).highest_bits() << first;
                let refused = made.threshold.below(made.coin).highest_bits() << first;
                let open = ((1 << L::LANES) - 1) << first & !(accepted | refused);
                if open != 0 {
                    let mut below = [0; 4];
                    made.below.store(&mut below);
                    accepted = self.source.decide_open(
                        open,
                        accepted,
                        attempts_for,
                        &below[..L::LANES],
                        first,
                    );
                }
                for (sample, attempts) in samples.iter_mut().zip(&mut attempts_for) {
                    let own = accepted & *attempts;
                    if own != 0 {
                        *sample = z[own.trailing_zeros() as usize - first];
                        *attempts = 0;
                    }
                }
                first += L::LANES;
            }
            match attempts_for {
                [0, 0] => return Ok(samples),
                [0, _] => (centres[0], attempts_for[1]) = (centres[1], 0b1111),
                [_, 0] => (centres[1], attempts_for[0]) = (centres[0], 0b1111),
                _ => {}
            }
        }
        Err(NoSample)
    }
}

/// The sample of the first accepted attempt for it, if there is one.
#[cfg(all(
    target_arch = "wasm32",
    any(target_feature = "simd128", feature = "simd128")
))]
#[inline(always)]
fn take<R: Real>(sample: &mut R, attempts: &mut u32, accepted: u32, z: &[f64; 4]) {
    let own = accepted & *attempts;
    if own != 0 {
        *sample = R::from_bits(z[own.trailing_zeros() as usize & 3].to_bits());
        *attempts = 0;
    }
}

impl<G: Generator> Wide<G> {
    /// Of the attempts from number `first` on, `accepted` and those of the open ones that are accepted: in order,
    /// and leaving out the ones for a sample that an earlier attempt has found. `below` has the bits of the
    /// probabilities below the thresholds.
    #[cold]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn decide_open(
        &mut self,
        open: u32,
        mut accepted: u32,
        attempts_for: [u32; 2],
        below: &[u64],
        first: usize,
    ) -> u32 {
        for (i, &below) in (first..).zip(below) {
            let own = attempts_for
                .into_iter()
                .find(|attempts| attempts >> i & 1 == 1)
                .unwrap_or(0);
            let found = accepted & own & ((1 << i) - 1) != 0;
            if open >> i & 1 == 1 && own != 0 && !found && self.decide(below) {
                accepted |= 1 << i;
            }
        }
        accepted
    }
}

impl<G: Generator> SamplerRng for Wide<G> {
    #[inline(always)]
    fn pair<L: Lanes>(
        &mut self,
        shape: &Shape<L::Real>,
        centres: [L::Real; 2],
        inverse_deviation: L::Real,
    ) -> Result<[L::Real; 2], NoSample> {
        let source = self;
        L::enter(Pair::<L, G> {
            source,
            shape,
            centres,
            inverse_deviation,
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use alloc::vec::Vec;

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
        let made = attempts::<Fpr>(long, short, fpr(centre), narrow, ccs);
        let word = |words: W| {
            let mut word = [0];
            words.store(&mut word);
            word[0]
        };
        (double(made.z), word(made.threshold), word(made.below))
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
}
