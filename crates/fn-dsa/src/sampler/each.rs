//! Pairs of samples for several targets at once, one in each lane, each from a source of its own: the same that
//! [`super::wide`] draws for each of them.
//!
//! The four attempts of a first round are four vectors. Who finds one of its samples, or both, in none of them goes on alone:
//! that is a third of the lanes.

use lanner_simd::{Task, U64};

use super::drawn::drawn;
use super::round::Generator;
use super::wide::{Deviation, Pair, Wide, attempts};
use super::{NoSample, Shape};
use crate::fpr::Lanes;

/// Two samples for each target, as a task.
pub(crate) struct PairEach<'a, L: Lanes, G: Generator> {
    /// One for each lane.
    pub(crate) sources: &'a mut [Wide<G>],
    pub(crate) shape: &'a Shape<L::Real>,
    pub(crate) centres: [L; 2],
    pub(crate) inverse_deviation: L::Real,
}

impl<L: Lanes, G: Generator> Task for PairEach<'_, L, G> {
    type Output = Result<[L; 2], NoSample>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        const { assert!(L::LANES <= 8) }
        let (mut long, mut short) = ([[0; 4]; 8], [[0; 4]; 8]);
        let rows = long.iter_mut().zip(&mut short);
        for (source, (long, short)) in self.sources[..L::LANES].iter_mut().zip(rows) {
            let (long_bytes, short_bytes) = source.next_round().split_at(32);
            for (word, bytes) in long.iter_mut().zip(long_bytes.as_chunks::<8>().0) {
                *word = u64::from_le_bytes(*bytes);
            }
            for (word, bytes) in short.iter_mut().zip(short_bytes.as_chunks::<4>().0) {
                *word = u64::from(u32::from_le_bytes(*bytes));
            }
        }
        let long = L::Words::load_columns(&long);
        let short = L::Words::load_columns(&short);
        let deviation = Deviation::<L>::new(self.shape, self.inverse_deviation);
        macro_rules! made {
            ($($k:literal)+) => {
                [$(attempts(drawn::<L>(long[$k], short[$k]), self.centres[$k & 1], deviation)),+]
            };
        }
        let made = made!(0 1 2 3);
        let samples = [made[0].or_else(&made[2]), made[1].or_else(&made[3])];
        // A bit for each lane. What is open matters where no earlier attempt for the sample is accepted.
        let all = (1 << L::LANES) - 1;
        let [first, second] = [0, 1].map(|k| made[k].accepted | made[k + 2].accepted);
        let open = [0, 1].map(|k| {
            let later = made[k + 2].open() & !made[k].accepted;
            made[k].open() | later
        });
        let open = all & (open[0] | open[1]);
        let missing = all & !(first & second) | open;
        if missing == 0 {
            return Ok(samples);
        }
        let mut lanes = [[self.shape.sigma_min; 8]; 2];
        let mut centres = lanes;
        for k in 0..2 {
            samples[k].store(&mut L::packs_mut(&mut lanes[k])[0]);
            self.centres[k].store(&mut L::packs_mut(&mut centres[k])[0]);
        }
        // Lane after lane: what shows is for which of them there is something to do, in a branch and in no address.
        for lane in 0..L::LANES {
            if missing >> lane & 1 == 0 {
                continue;
            }
            let alone = Alone::<L, G> {
                source: &mut self.sources[lane],
                shape: self.shape,
                inverse_deviation: self.inverse_deviation,
                centres: centres.map(|lanes| lanes[lane]),
                samples: lanes.map(|lanes| lanes[lane]),
                found: first >> lane & 1 | (second >> lane & 1) << 1,
                again: open >> lane & 1 == 1,
            };
            // A round fills four lanes.
            let pair = if L::LANES <= 4 {
                alone.finish::<L>()
            } else {
                alone.finish::<L::Half>()
            }?;
            for (lanes, z) in lanes.iter_mut().zip(pair) {
                lanes[lane] = z;
            }
        }
        let [first, second] = &lanes;
        Ok([L::load(&L::packs(first)[0]), L::load(&L::packs(second)[0])])
    }
}

/// A target that goes on alone.
struct Alone<'a, L: Lanes, G: Generator> {
    source: &'a mut Wide<G>,
    shape: &'a Shape<L::Real>,
    inverse_deviation: L::Real,
    centres: [L::Real; 2],
    samples: [L::Real; 2],
    found: u32,
    /// Whether the first round is to be looked at once more.
    again: bool,
}

impl<L: Lanes, G: Generator> Alone<'_, L, G> {
    #[inline(always)]
    fn finish<M: Lanes<Real = L::Real>>(self) -> Result<[L::Real; 2], NoSample> {
        if self.again {
            self.source.back();
        }
        let pair = Pair::<M, G>::new(
            self.source,
            self.shape,
            self.centres,
            self.inverse_deviation,
        );
        M::outline(if self.again {
            pair
        } else {
            pair.after_first(self.samples, self.found)
        })
    }
}
