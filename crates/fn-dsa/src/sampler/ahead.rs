//! `SamplerZ` with the randomness consumed as the variants prescribe, attempts side by side: the samples of
//! [`super::exact`], to the bit.
//!
//! An attempt takes ten bytes for the half-Gaussian and one of the coin; more of the coin are read where the first one is
//! the first of the probability too, one time in 256. So as long as that does not happen it is known where attempts lie, and
//! what depends on their bytes alone is computed before the first centre is known, for a window of [`ATTEMPTS`] attempts:
//!
//! ```text
//!     byte   0                    10     11
//!            | u and b            | coin |          z = -z0 or 1 + z0
//!
//!     refused   if x > -log2(coin / 256)       +  z0^2 / (2 sigma_max^2 ln 2)  =  high
//!     accepted  if x < -log2((coin + 1) / 256) +  z0^2 / (2 sigma_max^2 ln 2)  =  low
//!               x = (z - rest)^2 / (2 sigma'^2 ln 2) - log2(sigma_min / sigma')
//! ```
//!
//! with a [`MARGIN`] for what is not exact: 2^-16.2 in each of the three logarithms, and 2^-40 for everything
//! else, the differences between the doubles and integers of the exact computation and these among them. The first sample
//! is that of the first attempt that is accepted, the second one that of the next.
//!
//! What lies between the bounds, and whatever has a centre or a deviation that no key has, is left to the exact
//! computation, which reads the bytes again. It may read more of them than an attempt has; then the window begins behind
//! them.

use core::marker::PhantomData;

use lanner_simd::mask::top_bit;
use lanner_simd::{F64, Task, U64};
use zeroize::Zeroize;

use super::drawn::{Drawn, TWO_52, half_gaussian, log2, real};
use super::exact;
use super::source::ByteSource;
use super::tables::{INVERSE_2_SIGMA_MAX_SQUARED_LN_2, ONE, PARTS72, Parts, RCDT79, parts};
use super::wide::{Deviation, attempts};
use super::{MAX_ATTEMPTS, NoSample, SamplerRng, SamplerTables, Shape};
use crate::fpr::{Lanes, Real};

/// Bytes of an attempt.
const ATTEMPT: usize = 11;

/// Attempts of a window: a multiple of those that are made at once.
const ATTEMPTS: usize = 32;

/// Attempts that are made at once, for both samples of a pair.
const AT_ONCE: usize = 4;

/// The bit behind those of the attempts.
const NONE: u32 = 1 << AT_ONCE;

/// Bytes of a window, with room for what is given up within it.
const BYTES: usize = ATTEMPT * ATTEMPTS + 16;

/// In the place of an attempt where nothing is read yet.
const NO_WINDOW: usize = usize::MAX;

/// 2^-14.
const MARGIN: u64 = 0x3f10_0000_0000_0000;

/// The encoding of 2^30, above all centres.
const CENTRE_BOUND: u64 = 0x41d0_0000_0000_0000;

/// The encoding of 0.5493, 1 + 2^-20.5 times 1 / sigma_max: deviations whose inverse is larger are below sigma_max by more than
/// roundings.
const LARGE_INVERSE_SIGMA_MAX: u64 = 0x3fe1_93dd_97f6_2b6b;

static PARTS79: Parts<16> = parts(&RCDT79);

/// A source of samples over one of bytes, in which it reads ahead. Wiped when dropped.
pub(crate) struct Ordered<S> {
    source: S,
    /// The bytes of the window.
    bytes: [u8; BYTES],
    /// How many bytes came before them.
    position: usize,
    /// Where each attempt begins in them, and where the next one would.
    attempts: [u16; ATTEMPTS + 1],
    /// z, and the bounds below which an attempt is accepted and above which it is refused: the encodings.
    drawn: [[u64; ATTEMPTS]; 3],
    /// The first attempt that was not made.
    next: usize,
}

impl<S: ByteSource> Ordered<S> {
    /// One over a source that waits for its seed.
    pub(crate) const fn new(source: S) -> Self {
        Self {
            source,
            bytes: [0; BYTES],
            position: 0,
            attempts: [0; ATTEMPTS + 1],
            drawn: [[0; ATTEMPTS]; 3],
            next: NO_WINDOW,
        }
    }

    /// The source, to be seeded anew: what was read ahead is forgotten.
    pub(crate) fn restart(&mut self) -> &mut S {
        self.next = NO_WINDOW;
        &mut self.source
    }

    /// Reads the window that begins where attempt `next` of the present one does.
    #[inline(always)]
    fn read_on<L: Lanes>(&mut self, tables: SamplerTables) {
        let (from, kept) = match self.next {
            NO_WINDOW => {
                self.position = 0;
                (BYTES, 0)
            }
            next => {
                let from = usize::from(self.attempts[next]);
                self.position += from;
                (from, ATTEMPTS - next)
            }
        };
        self.read::<L>(tables, from, kept);
    }

    /// Reads the window that begins at `position`, so many bytes behind the beginning of the present one, whose last `kept`
    /// attempts are its first.
    fn read<L: Lanes>(&mut self, tables: SamplerTables, from: usize, kept: usize) {
        L::outline(Read::<L, S> {
            ahead: self,
            tables,
            from,
            kept,
            lanes: PhantomData,
        });
    }

    /// What is drawn of as many attempts as there are lanes.
    #[inline(always)]
    fn drawn<L: Lanes>(&self, first: usize) -> Drawn<L> {
        Drawn {
            z: L::from_words(L::Words::load(&self.drawn[0][first..])),
            low: L::from_words(L::Words::load(&self.drawn[1][first..])),
            high: L::from_words(L::Words::load(&self.drawn[2][first..])),
        }
    }
}

impl<S> Drop for Ordered<S> {
    fn drop(&mut self) {
        self.bytes.zeroize();
        self.position.zeroize();
        self.attempts.zeroize();
        self.drawn.zeroize();
        self.next.zeroize();
    }
}

/// [`Ordered::read`], as a task.
struct Read<'a, L, S> {
    ahead: &'a mut Ordered<S>,
    tables: SamplerTables,
    from: usize,
    kept: usize,
    lanes: PhantomData<L>,
}

impl<L: Lanes, S: ByteSource> Task for Read<'_, L, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { from, kept, .. } = self;
        let Ordered {
            source,
            bytes,
            position,
            attempts,
            drawn,
            next,
        } = self.ahead;
        // The exact computation may have read more than the window had.
        let left = from.min(BYTES);
        bytes.copy_within(left.., 0);
        source.fill(&mut bytes[BYTES - left..]);
        *next = 0;
        for words in drawn.iter_mut() {
            words.copy_within(ATTEMPTS - kept.., 0);
        }
        let kept = kept / L::LANES * L::LANES;
        // What stands for z until the end is the upper part of u with b; for the bounds, the lower part and the coin.
        let [long, u_low, coin] = &mut *drawn;
        let mut at = 0;
        for i in 0..ATTEMPTS {
            at += S::given_up(*position + at);
            attempts[i] = at as u16;
            let bytes: &[u8; ATTEMPT] = bytes[at..]
                .first_chunk()
                .expect("room for what is given up");
            at += ATTEMPT;
            if i < kept {
                continue;
            }
            let (low, rest) = bytes.split_at(8);
            let low = u64::from_le_bytes(*low.first_chunk().expect("eight"));
            let (high, top) = (u64::from(rest[0]), u64::from(rest[1]));
            (long[i], u_low[i]) = match self.tables {
                // 72 bits, and b in the byte behind them.
                SamplerTables::Rcdt72 => {
                    (((low >> 9) | (high << 55)) << 1 | (top & 1), low & 0x1ff)
                }
                // b, and 79 bits.
                SamplerTables::Rcdt79 => {
                    let upper = low >> 17 | high << 47 | top << 55;
                    (upper << 1 | (low & 1), low >> 1 & 0xffff)
                }
            };
            coin[i] = u64::from(rest[2]);
        }
        attempts[ATTEMPTS] = at as u16;
        for first in (kept..ATTEMPTS).step_by(L::LANES) {
            let long = L::Words::load(&drawn[0][first..]);
            let u_low = L::Words::load(&drawn[1][first..]);
            let coin = L::Words::load(&drawn[2][first..]);
            let (z0, z) = match self.tables {
                SamplerTables::Rcdt72 => half_gaussian::<L, 9>(&PARTS72, long, u_low),
                SamplerTables::Rcdt79 => half_gaussian::<L, 16>(&PARTS79, long, u_low),
            };
            let (low, high) = bounds::<L>(z0, coin);
            z.to_words().store(&mut drawn[0][first..]);
            low.to_words().store(&mut drawn[1][first..]);
            high.to_words().store(&mut drawn[2][first..]);
        }
    }
}

/// What is accepted is below the first, what is refused above the second.
#[inline(always)]
fn bounds<L: Lanes>(z0: L, coin: L::Words) -> (L, L) {
    let word = L::Words::splat;
    let ahead = z0 * z0 * real::<L>(INVERSE_2_SIGMA_MAX_SQUARED_LN_2);
    let coin_value = L::from_words(coin.or(word(TWO_52))) - real::<L>(TWO_52);
    let low = ahead - log2(coin_value + real::<L>(ONE), -8) - real::<L>(MARGIN);
    // A coin of 0 refuses nothing, for the next byte decides: its "logarithm", of an encoding that is 0, is -1023.
    let high = ahead - log2(coin_value, -8) + real::<L>(MARGIN);
    (low, high)
}

/// The bytes of the window from one on, and behind them those of the source.
struct Rest<'a, S> {
    ahead: &'a mut Ordered<S>,
    /// How many bytes behind the beginning of the window.
    at: usize,
}

impl<S: ByteSource> ByteSource for Rest<'_, S> {
    fn next_u8(&mut self) -> u8 {
        self.at += 1;
        match self.ahead.bytes.get(self.at - 1) {
            Some(&byte) => byte,
            None => self.ahead.source.next_u8(),
        }
    }

    fn next_u64(&mut self) -> u64 {
        for _ in 0..S::given_up(self.ahead.position + self.at) {
            self.next_u8();
        }
        u64::from_le_bytes([(); 8].map(|()| self.next_u8()))
    }
}

/// The same number, of an attempt of the window, read from a table. Where attempts lie is public, but computed from secrets; what
/// follows secrets through a program (`ct/`) follows no addresses, so that all that depends on the number is not taken for secret, and
/// this line alone is listed there.
#[inline(always)]
fn public(attempt: usize) -> usize {
    static NUMBERS: [u8; ATTEMPTS + 1] = {
        let mut numbers = [0; ATTEMPTS + 1];
        let mut i = 0;
        while i <= ATTEMPTS {
            numbers[i] = i as u8;
            i += 1;
        }
        numbers
    };
    usize::from(NUMBERS[attempt])
}

/// Two samples, as a task.
struct Pair<'a, L: Lanes, S> {
    ahead: &'a mut Ordered<S>,
    shape: &'a Shape<L::Real>,
    centres: [L::Real; 2],
    inverse_deviation: L::Real,
}

impl<L: Lanes, S: ByteSource> Task for Pair<'_, L, S> {
    type Output = Result<[L::Real; 2], NoSample>;

    #[inline(always)]
    fn run(mut self) -> Self::Output {
        let deviation = Deviation::<L>::new(self.shape, self.inverse_deviation);
        let mut samples = self.centres;
        let mut found = false;
        if !self.is_of_a_key() {
            if self.ahead.next == NO_WINDOW {
                self.ahead.read_on::<L>(self.shape.tables);
            }
            for (k, z) in samples.iter_mut().enumerate() {
                *z = self.exactly(k, self.ahead.next)?;
            }
            return Ok(samples);
        }
        for _ in 0..MAX_ATTEMPTS {
            if self.ahead.next > ATTEMPTS - AT_ONCE {
                self.ahead.read_on::<L>(self.shape.tables);
            }
            let next = self.ahead.next;
            let mut z = [[L::Real::ZERO; AT_ONCE]; 2];
            // A bit for each attempt.
            let (mut accepted, mut refused) = ([0; 2], [0; 2]);
            for first in (0..AT_ONCE).step_by(L::LANES) {
                let drawn = self.ahead.drawn::<L>(next + first);
                for k in 0..2 {
                    let made = attempts(drawn, L::splat(self.centres[k]), deviation);
                    made.z.store(&mut L::packs_mut(&mut z[k][first..])[0]);
                    accepted[k] |= made.accepted << first;
                    refused[k] |= made.refused << first;
                }
            }
            // A sample is that of the first attempt that is not refused, behind those of the sample before.
            let mut behind = 0;
            if !found {
                let at = (!refused[0] | NONE).trailing_zeros() as usize;
                if at < AT_ONCE {
                    found = true;
                    if accepted[0] >> at & 1 == 0 {
                        samples[0] = self.exactly(0, public(next + at))?;
                        continue;
                    }
                    samples[0] = z[0][at];
                }
                behind = at + 1;
            }
            let at = (!refused[1] & !0 << behind | NONE).trailing_zeros() as usize;
            if at < AT_ONCE {
                if accepted[1] >> at & 1 == 0 {
                    samples[1] = self.exactly(1, public(next + at))?;
                } else {
                    samples[1] = z[1][at];
                    self.ahead.next = public(next + at + 1);
                }
                return Ok(samples);
            }
            self.ahead.next = next + AT_ONCE;
        }
        Err(NoSample)
    }
}

impl<L: Lanes, S: ByteSource> Pair<'_, L, S> {
    /// Whether centres and deviation are within the bounds of keys.
    #[inline(always)]
    fn is_of_a_key(&self) -> bool {
        let ccs = self.inverse_deviation * self.shape.sigma_min;
        // Encodings of numbers that are not negative are in the order of the numbers. If the deviation is negative, so is ccs.
        let below = |x: u64, bound: u64| top_bit(x.wrapping_sub(bound) & !x);
        let magnitude = |x: L::Real| x.to_bits() & (u64::MAX >> 1);
        let within = below(ccs.to_bits(), ONE + 1)
            & below(LARGE_INVERSE_SIGMA_MAX, self.inverse_deviation.to_bits())
            & below(magnitude(self.centres[0]), CENTRE_BOUND)
            & below(magnitude(self.centres[1]), CENTRE_BOUND);
        within == 1
    }

    /// Sample `k` as [`exact`] draws it, from an attempt of the window on.
    #[cold]
    #[inline(never)]
    fn exactly(&mut self, k: usize, attempt: usize) -> Result<L::Real, NoSample> {
        let at = usize::from(self.ahead.attempts[attempt]);
        let ahead = &mut *self.ahead;
        let mut rest = Rest { ahead, at };
        let z = exact::sample(
            &mut rest,
            self.shape,
            self.centres[k],
            self.inverse_deviation,
        )?;
        let at = rest.at;
        self.ahead.position += at;
        self.ahead.read::<L>(self.shape.tables, at, 0);
        Ok(L::Real::from_i32(z))
    }
}

impl<S: ByteSource> SamplerRng for Ordered<S> {
    #[inline(always)]
    fn pair<L: Lanes>(
        &mut self,
        shape: &Shape<L::Real>,
        centres: [L::Real; 2],
        inverse_deviation: L::Real,
    ) -> Result<[L::Real; 2], NoSample> {
        if L::LANES <= AT_ONCE {
            L::outline(Pair::<L, S> {
                ahead: self,
                shape,
                centres,
                inverse_deviation,
            })
        } else {
            <L::Half as F64>::outline(Pair::<L::Half, S> {
                ahead: self,
                shape,
                centres,
                inverse_deviation,
            })
        }
    }
}

#[cfg(test)]
mod tests;
