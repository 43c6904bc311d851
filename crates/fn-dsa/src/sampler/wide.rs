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

use chacha20::rand_core::SeedableRng;
use lanner_simd::{F64, Task, U64};
use zeroize::Zeroize;

use super::drawn::{COIN_BITS, Drawn, drawn, half_gaussian, log2, lower_bits, real, words};
use super::round::{Generator, ROUND, ROUNDS, RUN};
use super::tables::{EXP, INVERSE_2_SIGMA_MAX_SQUARED, INVERSE_LN_2, LN_2, ONE, PARTS72};
use super::{MAX_ATTEMPTS, NoSample, SamplerRng, Shape};
use crate::fpr::{Lanes, ROUNDER, Real};

/// The source of the main variant: ChaCha12, keyed by a seed.
///
/// Twelve rounds, because twenty would make a signature a tenth slower (with AVX2, 6 % more instructions; measured
/// in turn: 61 to 68 µs at degree 512, 124 to 135 µs at 1024); the best attacks known reach seven (Aumasson, "Too
/// much crypto", eprint 2019/1492). One generator on
/// every target: the samples are a function of the seed, and a target that gets its seed by hashing
/// has one signature, wherever it is signed.
pub(crate) type FastSource = Wide<FastGenerator>;

#[cfg(target_arch = "x86_64")]
type FastGenerator = super::rows::ChaCha12;
#[cfg(not(any(
    target_arch = "x86_64",
    all(
        target_arch = "wasm32",
        any(target_feature = "simd128", feature = "simd128")
    )
)))]
type FastGenerator = chacha20::ChaCha12Rng;
#[cfg(all(
    target_arch = "wasm32",
    any(target_feature = "simd128", feature = "simd128")
))]
type FastGenerator = super::chacha::ChaCha12;

#[cfg(not(any(
    target_arch = "x86_64",
    all(
        target_arch = "wasm32",
        any(target_feature = "simd128", feature = "simd128")
    )
)))]
impl Generator for FastGenerator {
    fn fill(&mut self, bytes: &mut [u8; RUN]) {
        use chacha20::rand_core::Rng as _;
        self.fill_bytes(bytes);
    }
}

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

    /// Becomes one that waits for its seed, overwriting what was.
    pub(crate) fn forget(&mut self) {
        self.restart(&[0; 32]);
        self.buffer.zeroize();
        self.round.zeroize();
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

    /// How many rounds of the present run are taken.
    #[cfg(test)]
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Gives the present round back.
    #[inline(always)]
    pub(super) fn back(&mut self) {
        // The next one is not the first of a run: taking the present one has left its run in the buffer.
        self.position -= 1;
    }

    /// Makes the next round the present one.
    #[inline(always)]
    pub(super) fn next_round(&mut self) -> &[u8; ROUND] {
        self.round = *self.take_round();
        &self.round
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

/// Fractional bits of the probability; the coin's first bits stand against the highest of them.
const FRACTION: i32 = 62;

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

/// The probabilities of as many attempts as there are lanes.
struct Probabilities<L: Lanes> {
    /// Accepted if the coin is below it, to be decided if they are equal.
    threshold: L::Words,
    /// The bits below the threshold.
    below: L::Words,
}

/// The probabilities of attempts around centres.
#[inline(always)]
fn probabilities<L: Lanes>((z0, z): (L, L), centre: L, narrow: L, ccs: L) -> Probabilities<L> {
    let word = L::Words::splat;

    // The centre in [0, 1), as `Real::floor_and_rest` has it.
    let nearest = (centre + real::<L>(ROUNDER)) - real::<L>(ROUNDER);
    let excess = nearest - centre;
    let above = word(0).sub(excess.to_words()).shr::<63>();
    let above = L::from_words(word(0).sub(above).and(word(ONE)));
    let rest = above - excess;

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
    Probabilities {
        threshold: fraction.shr::<{ FRACTION - COIN_BITS }>(),
        below: fraction.and(word((1 << (FRACTION - COIN_BITS)) - 1)),
    }
}

/// What attempts with one deviation need to know of it.
#[derive(Clone, Copy)]
pub(super) struct Deviation<L> {
    /// 1 / (2 sigma'^2 ln 2)
    narrow: L,
    /// log2(sigma_min / sigma')
    log_ccs: L,
}

impl<L: Lanes> Deviation<L> {
    #[inline(always)]
    pub(super) fn new(shape: &Shape<L::Real>, inverse_deviation: L::Real) -> Self {
        let squared = inverse_deviation * inverse_deviation;
        let narrow = squared.half() * L::Real::from_bits(INVERSE_LN_2);
        Self {
            narrow: L::splat(narrow),
            log_ccs: log2(L::splat(inverse_deviation * shape.sigma_min), 0),
        }
    }
}

/// As many attempts as there are lanes.
pub(super) struct Attempts<L: Lanes> {
    pub(super) z: L,
    /// A bit for each attempt; what is neither accepted nor refused is decided exactly.
    pub(super) accepted: u32,
    pub(super) refused: u32,
    /// The highest bit is set where an attempt is accepted.
    sign: L::Words,
}

impl<L: Lanes> Attempts<L> {
    /// The attempts that are to be decided exactly.
    #[inline(always)]
    pub(super) fn open(&self) -> u32 {
        !(self.accepted | self.refused)
    }

    /// The sample where the attempt is accepted, and that of the other one elsewhere.
    #[inline(always)]
    pub(super) fn or_else(&self, other: &Self) -> L {
        let mask = L::Words::splat(0).sub(self.sign.shr::<63>());
        L::from_words(mask.choose(self.z.to_words(), other.z.to_words()))
    }
}

/// Makes attempts around centres.
#[inline(always)]
pub(super) fn attempts<L: Lanes>(
    drawn: Drawn<L>,
    centre: L,
    deviation: Deviation<L>,
) -> Attempts<L> {
    let floor = centre.round_down();
    let distance = drawn.z - (centre - floor);
    let x = distance * distance * deviation.narrow;
    let (low, high) = (
        drawn.low + deviation.log_ccs,
        drawn.high + deviation.log_ccs,
    );
    let sign = (x - low).to_words();
    Attempts {
        z: floor + drawn.z,
        accepted: sign.highest_bits(),
        refused: (high - x).to_words().highest_bits(),
        sign,
    }
}

/// Two samples, or those of them that are still missing, as a task.
pub(super) struct Pair<'a, L: Lanes, G: Generator> {
    source: &'a mut Wide<G>,
    shape: &'a Shape<L::Real>,
    inverse_deviation: L::Real,
    /// The centres of the attempts with even and with odd numbers.
    centres: [L::Real; 2],
    samples: [L::Real; 2],
    /// A bit for each sample. What is found is public, and steers what is done.
    found: u32,
    /// How many rounds are left.
    rounds: u32,
}

/// The attempts of a round that are for either sample, by what has been found before.
const ATTEMPTS_FOR: [[u32; 2]; 4] = [[0b0101, 0b1010], [0, 0b1111], [0b1111, 0], [0, 0]];

/// Which samples the attempts with even and with odd numbers are for then.
const CENTRES_OF: [[usize; 2]; 4] = [[0, 1], [1, 1], [0, 0], [0, 1]];

/// Both samples.
const BOTH: u32 = 0b11;

impl<'a, L: Lanes, G: Generator> Pair<'a, L, G> {
    #[inline(always)]
    pub(super) fn new(
        source: &'a mut Wide<G>,
        shape: &'a Shape<L::Real>,
        centres: [L::Real; 2],
        inverse_deviation: L::Real,
    ) -> Self {
        Self {
            source,
            shape,
            inverse_deviation,
            centres,
            samples: centres,
            found: 0,
            rounds: MAX_ATTEMPTS,
        }
    }

    /// Goes on behind the first round, which has found some samples but not both.
    #[inline(always)]
    pub(super) fn after_first(mut self, samples: [L::Real; 2], found: u32) -> Self {
        self.samples = samples;
        self.rounds -= 1;
        self.has_found(found);
        self
    }

    /// Gives all attempts to the sample that is missing, if one is.
    #[inline(always)]
    fn has_found(&mut self, found: u32) {
        self.found = found;
        self.centres = CENTRES_OF[found as usize & 3].map(|k| self.centres[k]);
    }

    /// Makes the attempts `first` and following of the present round, as many as there are lanes: the samples, and a bit
    /// for each that is accepted.
    #[cfg(not(all(
        target_arch = "wasm32",
        any(target_feature = "simd128", feature = "simd128")
    )))]
    #[inline(always)]
    fn attempts(
        &mut self,
        first: usize,
        deviation: Deviation<L>,
        attempts_for: [u32; 2],
    ) -> ([L::Real; 4], u32) {
        self.attempts_in_lanes(first, deviation, attempts_for)
    }

    /// The same; the way for vectors is another one here.
    #[cfg(all(
        target_arch = "wasm32",
        any(target_feature = "simd128", feature = "simd128")
    ))]
    #[inline(always)]
    fn attempts(
        &mut self,
        first: usize,
        deviation: Deviation<L>,
        attempts_for: [u32; 2],
    ) -> ([L::Real; 4], u32) {
        if L::LANES == 1 {
            return self.attempts_in_lanes(first, deviation, attempts_for);
        }
        let double = |x: L::Real| f64::from_bits(x.to_bits());
        let made = super::simd128::four(
            &self.source.round,
            self.centres.map(double),
            double(self.inverse_deviation * self.inverse_deviation) * 0.5,
            double(self.inverse_deviation * self.shape.sigma_min),
        );
        let mut accepted = made.accepted;
        let open = 0b1111 & !(accepted | made.refused);
        if open != 0 {
            let below = made.below();
            accepted = in_order(open, accepted, attempts_for, |i| {
                self.source.decide(below[i])
            });
        }
        (made.z.map(|x| L::Real::from_bits(x.to_bits())), accepted)
    }

    #[inline(always)]
    fn attempts_in_lanes(
        &mut self,
        first: usize,
        deviation: Deviation<L>,
        attempts_for: [u32; 2],
    ) -> ([L::Real; 4], u32) {
        let (long, short) = words(&self.source.round, first);
        let centre = L::alternate(self.centres, first);
        let made = attempts(drawn::<L>(long, short), centre, deviation);
        let mut z = [self.centres[0]; 4];
        made.z.store(&mut L::packs_mut(&mut z[first..])[0]);
        let mut accepted = made.accepted << first;
        let open = (made.open() & ((1 << L::LANES) - 1)) << first;
        if open != 0 {
            accepted = self.decide_open(open, accepted, attempts_for);
        }
        (z, accepted)
    }

    /// `accepted`, and those of the open attempts that are accepted.
    #[cold]
    #[inline(never)]
    fn decide_open(&mut self, open: u32, accepted: u32, attempts_for: [u32; 2]) -> u32 {
        let narrow = (self.inverse_deviation * self.inverse_deviation).half();
        let ccs = self.inverse_deviation * self.shape.sigma_min;
        in_order(open, accepted, attempts_for, |i| {
            type Words<R> = <R as F64>::Words;
            let (long, short) = words::<Words<L::Real>>(&self.source.round, i);
            let halves = half_gaussian::<L::Real, 9>(&PARTS72, long, lower_bits(short));
            let made = probabilities(halves, self.centres[i % 2], narrow, ccs);
            let word = |words: Words<L::Real>| {
                let mut word = [0];
                words.store(&mut word);
                word[0]
            };
            let (coin, threshold) = (word(short.shr::<9>()), word(made.threshold));
            if coin == threshold {
                self.source.decide(word(made.below))
            } else {
                coin < threshold
            }
        })
    }
}

/// `accepted`, and those of the open attempts that `decide` accepts: in order, and leaving out the ones for a sample that
/// an earlier attempt has found, or for none.
#[inline(always)]
fn in_order(
    open: u32,
    mut accepted: u32,
    attempts_for: [u32; 2],
    mut decide: impl FnMut(usize) -> bool,
) -> u32 {
    for i in 0..4 {
        let own = attempts_for
            .into_iter()
            .find(|attempts| attempts >> i & 1 == 1)
            .unwrap_or(0);
        let found = accepted & own & ((1 << i) - 1) != 0;
        if open >> i & 1 == 1 && own != 0 && !found && decide(i) {
            accepted |= 1 << i;
        }
    }
    accepted
}

impl<L: Lanes, G: Generator> Task for Pair<'_, L, G> {
    type Output = Result<[L::Real; 2], NoSample>;

    #[inline(always)]
    fn run(mut self) -> Self::Output {
        let deviation = Deviation::<L>::new(self.shape, self.inverse_deviation);
        for _ in 0..self.rounds {
            self.source.next_round();
            let mut found = self.found;
            let mut attempts_for = ATTEMPTS_FOR[found as usize & 3];
            let mut first = 0;
            while first < 4 && (L::LANES >= 4 || found != BOTH) {
                let (z, accepted) = self.attempts(first, deviation, attempts_for);
                // Each sample is that of its first accepted attempt, or what it was. There is no branch for each: it could not
                // be foreseen.
                let [a, b] = self.samples;
                let choice = [z[0], z[1], z[2], z[3], a, b, a, b];
                for (k, sample) in self.samples.iter_mut().enumerate() {
                    let place = (accepted & attempts_for[k] | 1 << (4 + k)).trailing_zeros();
                    *sample = choice[place as usize & 7];
                    let hit = u32::from(place < 4);
                    found |= hit << k;
                    attempts_for[k] &= hit.wrapping_sub(1);
                }
                first += if cfg!(target_family = "wasm") && L::LANES > 1 {
                    4
                } else {
                    L::LANES
                };
            }
            if found == BOTH {
                return Ok(self.samples);
            }
            self.has_found(found);
        }
        Err(NoSample)
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
        // A round fills four lanes.
        if L::LANES <= 4 {
            L::outline(Pair::<L, G>::new(self, shape, centres, inverse_deviation))
        } else {
            <L::Half as F64>::outline(Pair::<L::Half, G>::new(
                self,
                shape,
                centres,
                inverse_deviation,
            ))
        }
    }
}

#[cfg(test)]
mod tests;
