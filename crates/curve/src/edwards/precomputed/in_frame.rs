//! Sums of multiples of points where the representation has the formulas as blocks: the sum stays in
//! one frame, and what is added to it lies in memory as words.

use super::niels::PackedNiels;
use crate::edwards::models::Extended;
use crate::edwards::straus::{AddedTo, Doubling, OddMultiples};
use crate::field::blocks::{Blocks, PointFrame};
use crate::field::{Field, Packed};
use core::marker::PhantomData;

/// A frame with the neutral element, ((0 : 1), (1 : 1)).
#[inline(always)]
pub(super) fn identity() -> PointFrame {
    PointFrame::new(&[[0; 4], Packed::ONE.0, Packed::ONE.0, Packed::ONE.0])
}

/// A sum in its frame, by the blocks of a representation that has them.
pub(super) struct InFrame<'f, F> {
    frame: &'f mut PointFrame,
    field: PhantomData<F>,
}

/// The blocks of a representation; nothing here is for one that has none.
#[inline(always)]
fn blocks<F: Field>() -> &'static Blocks {
    F::BLOCKS.expect("the representation has blocks")
}

impl<'f, F: Field> InFrame<'f, F> {
    #[inline(always)]
    pub(super) fn new(frame: &'f mut PointFrame) -> Self {
        Self {
            frame,
            field: PhantomData,
        }
    }

    /// Adds an affine point.
    #[inline(always)]
    pub(super) fn add_affine(&mut self, entry: &PackedNiels) {
        (blocks::<F>().add_affine)(self.frame, entry);
    }

    /// Adds a point given as (Y + X, Y - X, 2Z, 2dT).
    #[inline(always)]
    pub(super) fn add(&mut self, point: &[[u64; 4]; 4]) {
        (blocks::<F>().add)(self.frame, point);
    }

    // What sums of many terms have at many places: functions, because a block has 4 kB. A compiler sees in it one instruction.

    /// [`Self::add_affine`], or the difference. The entry is below p.
    #[inline(never)]
    fn vartime_add_affine(frame: &mut PointFrame, entry: &PackedNiels, minus: bool) {
        let [plus, minus_x, xy2d] = *entry;
        let difference;
        let entry = if minus {
            difference = [minus_x, plus, Packed(xy2d).neg_loose().0];
            &difference
        } else {
            entry
        };
        InFrame::<F>::new(frame).add_affine(entry);
    }

    /// [`Self::add`], or the difference. 2dT is carried.
    #[inline(never)]
    fn vartime_add(frame: &mut PointFrame, point: &[[u64; 4]; 4], minus: bool) {
        let [plus, minus_x, z2, t2d] = *point;
        let difference;
        let point = if minus {
            difference = [minus_x, plus, z2, Packed(t2d).neg_loose().0];
            &difference
        } else {
            point
        };
        InFrame::<F>::new(frame).add(point);
    }

    /// The sum.
    #[inline(always)]
    pub(super) fn to_point(&self) -> Extended<F> {
        let [x, y, z, t] = self.frame.coordinates();
        let (x, y) = (F::from_packed(&Packed(*x)), F::from_packed(&Packed(*y)));
        let (z, t) = (F::from_packed(&Packed(*z)), F::from_packed(&Packed(*t)));
        Extended {
            x: F::mul(&x, &t),
            y: F::mul(&y, &z),
            z: F::mul(&z, &t),
            t: F::mul(&x, &y),
        }
    }
}

impl<F: Field> Doubling for InFrame<'_, F> {
    #[inline(always)]
    fn twice(self) -> Self {
        (blocks::<F>().double)(self.frame);
        self
    }
}

/// How many odd multiples of a point.
const ODD_MULTIPLES: usize = 8;

/// The odd multiples 1, 3, 5, … of a point, as words of (Y + X, Y - X, 2Z, 2dT).
pub(super) struct MultiplesInWords([[[u64; 4]; 4]; ODD_MULTIPLES]);

impl MultiplesInWords {
    /// By the blocks of the same representation.
    #[inline(never)]
    pub(super) fn new<F: Field>(point: &Extended<F>) -> Self {
        let Extended { x, y, z, t } = point;
        let mut frame = PointFrame::of_extended([x, y, z, t].map(|c| c.to_packed().0));
        let mut multiples = Self([cached::<F>(&frame); ODD_MULTIPLES]);
        let mut added = multiples.0[0];
        // By one formula, which doubles as well: 2P, and then, made with P and with 2P, what the entries are. What an addition
        // begins with it leaves in the frame.
        InFrame::<F>::vartime_add(&mut frame, &added, false);
        for i in 0..ODD_MULTIPLES {
            InFrame::<F>::vartime_add(&mut frame, &added, false);
            let cached = cached::<F>(&frame);
            if i == 0 {
                added = cached;
            } else {
                multiples.0[i] = cached;
            }
        }
        multiples
    }
}

/// What the last addition in a frame began with, for additions.
#[inline(never)]
fn cached<F: Field>(frame: &PointFrame) -> [[u64; 4]; 4] {
    let [x, y, z, t] = frame.before().map(|words| F::from_packed(&Packed(words)));
    Extended { x, y, z, t }.to_cached().to_words()
}

impl OddMultiples for MultiplesInWords {
    #[inline(always)]
    fn count(&self) -> usize {
        ODD_MULTIPLES
    }
}

impl<'f, F: Field> AddedTo<InFrame<'f, F>> for MultiplesInWords {
    #[inline(always)]
    fn add(&self, sum: InFrame<'f, F>, entry: usize) -> InFrame<'f, F> {
        InFrame::<F>::vartime_add(sum.frame, &self.0[entry], false);
        sum
    }

    #[inline(always)]
    fn sub(&self, sum: InFrame<'f, F>, entry: usize) -> InFrame<'f, F> {
        InFrame::<F>::vartime_add(sum.frame, &self.0[entry], true);
        sum
    }
}

impl<'f, F: Field> AddedTo<InFrame<'f, F>> for [PackedNiels] {
    #[inline(always)]
    fn add(&self, sum: InFrame<'f, F>, entry: usize) -> InFrame<'f, F> {
        InFrame::<F>::vartime_add_affine(sum.frame, &self[entry], false);
        sum
    }

    #[inline(always)]
    fn sub(&self, sum: InFrame<'f, F>, entry: usize) -> InFrame<'f, F> {
        InFrame::<F>::vartime_add_affine(sum.frame, &self[entry], true);
        sum
    }
}

#[cfg(all(test, target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
mod tests {
    use super::super::niels::AffineNiels;
    use super::*;
    use crate::edwards::models::{Cached, Completed};
    use crate::field::Arithmetic;
    use crate::field::adx::{FieldAdx, FieldBmi};
    use crate::field::radix51::Field51;

    type Words = [u64; 4];

    /// Around 0, p, 2^255, 2p and 2^256.
    const EDGES: [Words; 14] = [
        [0; 4],
        [1, 0, 0, 0],
        [37, 0, 0, 0],
        [38, 0, 0, 0],
        [u64::MAX, 0, 0, 0],
        [u64::MAX - 19, u64::MAX, u64::MAX, u64::MAX >> 1],
        [u64::MAX - 18, u64::MAX, u64::MAX, u64::MAX >> 1],
        [u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 1],
        [0, 0, 0, 1 << 63],
        [u64::MAX - 38, u64::MAX, u64::MAX, u64::MAX],
        [u64::MAX - 37, u64::MAX, u64::MAX, u64::MAX],
        [u64::MAX - 36, u64::MAX, u64::MAX, u64::MAX],
        [0, u64::MAX, u64::MAX, u64::MAX],
        [u64::MAX; 4],
    ];

    /// Any 256-bit value (xorshift), three times out of four an edge.
    fn words(state: &mut u64) -> Words {
        let mut word = || {
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            *state
        };
        let edge = word() >> 33;
        match word() >> 62 {
            0 => [word(), word(), word(), word()],
            _ => EDGES[edge as usize % EDGES.len()],
        }
    }

    fn element(words: &Words) -> Field51 {
        Field51::from_packed(&Packed(*words))
    }

    /// A sum as the formulas have it.
    fn completed(c: &[Words; 4]) -> Completed<Field51> {
        let [x, y, z, t] = c.each_ref().map(|c| element(c).add(&Field51::ZERO));
        Completed { x, y, z, t }
    }

    fn frozen(sum: &Completed<Field51>) -> [Words; 4] {
        [sum.x, sum.y, sum.z, sum.t].map(|c| Field51::carry(&c).to_packed().freeze().0)
    }

    /// Every block against the formula that it stands for, with any coordinates: the formulas are
    /// polynomials, and their blocks take what is on no curve as well.
    fn agree<F: Field>() {
        let mut state = 0x853c_49e6_748f_ea9b;
        for _ in 0..40_000 {
            let c: [Words; 4] = core::array::from_fn(|_| words(&mut state));
            let mut q: [Words; 4] = core::array::from_fn(|_| words(&mut state));
            // What is negated is at most 2p = 2^256 - 38.
            for words in &mut q {
                if words[1..] == [u64::MAX; 3] {
                    words[0] = words[0].min(u64::MAX - 37);
                }
            }
            let niels = [q[0], q[1], q[2]];
            let affine = AffineNiels::<Field51>::from_packed(&niels);
            let cached = Cached::<Field51>::from_words(&q);
            let sum = completed(&c);
            let extended = sum.to_extended();

            let computed = |formula: &dyn Fn(InFrame<'_, F>)| {
                let mut frame = PointFrame::new(&c);
                formula(InFrame::new(&mut frame));
                frame.coordinates().map(|c| Packed(c).freeze().0)
            };
            let cases = [
                (
                    computed(&|sum| {
                        sum.twice();
                    }),
                    sum.to_projective().double(),
                ),
                (
                    computed(&|mut sum| sum.add_affine(&niels)),
                    extended.add_affine(&affine),
                ),
                (
                    computed(&|sum| InFrame::<F>::vartime_add_affine(sum.frame, &niels, true)),
                    extended.sub_affine(&affine),
                ),
                (computed(&|mut sum| sum.add(&q)), extended.add(&cached)),
                (
                    computed(&|sum| InFrame::<F>::vartime_add(sum.frame, &q, true)),
                    extended.sub(&cached),
                ),
            ];
            for (i, (computed, expected)) in cases.iter().enumerate() {
                assert_eq!(*computed, frozen(expected), "formula {i}: {c:x?} {q:x?}");
            }
        }
    }

    #[test]
    fn blocks_of_adx_agree_with_the_formulas() {
        if lanner_simd::Adx::detect().is_some() {
            agree::<FieldAdx>();
        }
    }

    #[test]
    fn blocks_of_bmi_agree_with_the_formulas() {
        if lanner_simd::Bmi::detect().is_some() {
            agree::<FieldBmi>();
        }
    }
}
