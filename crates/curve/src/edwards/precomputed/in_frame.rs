//! Sums of multiples of points where the representation has the formulas as blocks: the sum stays in
//! one frame, and what is added to it lies in memory as words.

use super::niels::PackedNiels;
use crate::edwards::models::Extended;
use crate::edwards::straus::{AddedTo, Doubling, OddMultiples};
use crate::field::blocks::{Blocks, PointFrame};
use crate::field::{Field, Packed};

/// A frame with the neutral element, ((0 : 1), (1 : 1)).
#[inline(always)]
pub(super) fn identity() -> PointFrame {
    PointFrame::new(&[[0; 4], Packed::ONE.0, Packed::ONE.0, Packed::ONE.0])
}

/// A sum in its frame.
pub(super) struct InFrame<'f> {
    frame: &'f mut PointFrame,
    blocks: &'static Blocks,
}

impl<'f> InFrame<'f> {
    #[inline(always)]
    pub(super) fn new(frame: &'f mut PointFrame, blocks: &'static Blocks) -> Self {
        Self { frame, blocks }
    }

    /// Adds an affine point.
    #[inline(always)]
    pub(super) fn add_affine(&mut self, entry: &PackedNiels) {
        (self.blocks.add_affine)(self.frame, entry);
    }

    /// Adds a point given as (Y + X, Y - X, 2Z, 2dT).
    #[inline(always)]
    pub(super) fn add(&mut self, point: &[[u64; 4]; 4]) {
        (self.blocks.add)(self.frame, point);
    }

    /// The sum.
    #[inline(always)]
    pub(super) fn to_point<F: Field>(&self) -> Extended<F> {
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

impl Doubling for InFrame<'_> {
    #[inline(always)]
    fn twice(self) -> Self {
        (self.blocks.double)(self.frame);
        self
    }
}

/// How many odd multiples of a point.
const ODD_MULTIPLES: usize = 8;

/// The odd multiples 1, 3, 5, … of a point, as words of (Y + X, Y - X, 2Z, 2dT).
pub(super) struct MultiplesInWords([[[u64; 4]; 4]; ODD_MULTIPLES]);

impl MultiplesInWords {
    #[inline]
    pub(super) fn new<F: Field>(point: &Extended<F>) -> Self {
        let twice = point.double().to_extended().to_cached();
        let mut multiples = Self([[[0; 4]; 4]; ODD_MULTIPLES]);
        let mut multiple = *point;
        multiples.0[0] = point.to_cached().to_words();
        for entry in &mut multiples.0[1..] {
            multiple = multiple.add(&twice).to_extended();
            *entry = multiple.to_cached().to_words();
        }
        multiples
    }
}

impl OddMultiples for MultiplesInWords {
    #[inline(always)]
    fn count(&self) -> usize {
        ODD_MULTIPLES
    }
}

impl<'f> AddedTo<InFrame<'f>> for MultiplesInWords {
    #[inline(always)]
    fn add(&self, sum: InFrame<'f>, entry: usize) -> InFrame<'f> {
        (sum.blocks.add)(sum.frame, &self.0[entry]);
        sum
    }

    #[inline(always)]
    fn sub(&self, sum: InFrame<'f>, entry: usize) -> InFrame<'f> {
        (sum.blocks.sub)(sum.frame, &self.0[entry]);
        sum
    }
}

impl<'f> AddedTo<InFrame<'f>> for [PackedNiels] {
    #[inline(always)]
    fn add(&self, sum: InFrame<'f>, entry: usize) -> InFrame<'f> {
        (sum.blocks.add_affine)(sum.frame, &self[entry]);
        sum
    }

    #[inline(always)]
    fn sub(&self, sum: InFrame<'f>, entry: usize) -> InFrame<'f> {
        (sum.blocks.sub_affine)(sum.frame, &self[entry]);
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
    fn agree(blocks: &Blocks) {
        let mut state = 0x853c_49e6_748f_ea9b;
        for _ in 0..40_000 {
            let c: [Words; 4] = core::array::from_fn(|_| words(&mut state));
            let q: [Words; 4] = core::array::from_fn(|_| words(&mut state));
            let niels = [q[0], q[1], q[2]];
            let affine = AffineNiels::<Field51>::from_packed(&niels);
            let cached = Cached::<Field51>::from_words(&q);
            let sum = completed(&c);
            let extended = sum.to_extended();

            let computed = |formula: &dyn Fn(&mut PointFrame)| {
                let mut frame = PointFrame::new(&c);
                formula(&mut frame);
                frame.coordinates().map(|c| Packed(c).freeze().0)
            };
            let cases = [
                (
                    computed(&|frame| (blocks.double)(frame)),
                    sum.to_projective().double(),
                ),
                (
                    computed(&|frame| (blocks.add_affine)(frame, &niels)),
                    extended.add_affine(&affine),
                ),
                (
                    computed(&|frame| (blocks.sub_affine)(frame, &niels)),
                    extended.sub_affine(&affine),
                ),
                (
                    computed(&|frame| (blocks.add)(frame, &q)),
                    extended.add(&cached),
                ),
                (
                    computed(&|frame| (blocks.sub)(frame, &q)),
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
            agree(FieldAdx::BLOCKS.expect("they are there"));
        }
    }

    #[test]
    fn blocks_of_bmi_agree_with_the_formulas() {
        if lanner_simd::Bmi::detect().is_some() {
            agree(FieldBmi::BLOCKS.expect("they are there"));
        }
    }
}
