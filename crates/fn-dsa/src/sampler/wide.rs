//! `SamplerZ` for sources whose order of bytes is free: four attempts side by side.
//!
//! The distribution is that of [`super::exact`]: the same table of 72 bits, the same acceptance. Two things differ. The
//! acceptance is computed in doubles, with a relative error below 2^-48 (the polynomial of the specification has 2^-51,
//! and its arguments are doubles as well). And the attempts for the two samples of a pair are made in rounds of four: for
//! both samples in turn, or, once one of them is found, for the other. Each sample takes its first accepted attempt, in the
//! order of the attempts, so that samples do not depend on the number of lanes.
//!
//! A round is 48 bytes, little-endian: a long and a short word for each attempt.
//!
//! ```text
//!    byte      0        8        16       24       32      36      40      44     48
//!              | long 0 | long 1 | long 2 | long 3 |short 0|short 1|short 2|short 3|
//!
//!    long      [ upper 63 bits of u       | b ]      short   [ coin: 23 bits | lower 9 bits of u ]
//!              63                        1  0                31             9 8                 0
//! ```
//!
//! One attempt, for a centre and a deviation sigma' in [sigma_min, sigma_max]:
//!
//! ```text
//!    u, 72 bits ---> z0: the entries of the table above u, 0 to 18
//!    b ------------> z = -z0 or 1 + z0
//!    centre -------> floor, rest in [0, 1)
//!                    x = (z - rest)^2 / (2 sigma'^2) - z0^2 / (2 sigma_max^2) >= 0
//!    x ------------> s + r: x = s ln 2 + r, s an integer, |r| <= (ln 2) / 2, but for roundings
//!                    probability = sigma_min / sigma' exp(-r) 2^-s, cut off to 62 bits
//!    probability --> threshold, 23 bits | below, 39 bits
//!    coin < threshold: accepted, floor + z    coin > threshold: refused    equal: open
//! ```
//!
//! An open attempt, one in 2^23, is decided by 39 more bits, from a round of its own; and only if the result is needed.
//!
//! Ranges: the centre is below 2^51 in absolute value, where adding `ROUNDER` gives the nearest integer. The probability is
//! at most 1 for every key; the count of the shift by s is 64 or more where x is large, and then the probability is 0.
//! Centres and deviations that no key has (infinities, NaN) give some values or [`NoSample`], after at most `MAX_ATTEMPTS`
//! rounds.
//!
//! WebAssembly has its own version of a round in `simd128`, with the same results to the bit; the source, the
//! order of the attempts and the decision of open ones are those of this file.

use chacha20::ChaCha12Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use lanner_simd::{Task, U64};
use zeroize::Zeroize;

use super::round::{Generator, ROUND, ROUNDS, RUN};
use super::tables::{EXP, INVERSE_2_SIGMA_MAX_SQUARED, INVERSE_LN_2, LN_2, ONE, PARTS};
use super::{MAX_ATTEMPTS, NoSample, SamplerRng, Shape};
use crate::fpr::{Lanes, ROUNDER, Real};

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
        L::outline(Pair::<L, G> {
            source,
            shape,
            centres,
            inverse_deviation,
        })
    }
}

#[cfg(test)]
mod tests;
