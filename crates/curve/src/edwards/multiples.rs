//! Sums of multiples of points without lanes: the accumulator of one point, and tables for it that
//! are made on the way.

use super::models::{Cached, Completed, Extended, Projective};
use super::straus::{Accumulator, AddedTo, OddMultiples, PointAccumulator};
use crate::field::Field;

/// How many odd multiples of a point; fewer where the stack may be short.
const ODD_MULTIPLES: usize = if cfg!(feature = "precomputed-tables") {
    8
} else {
    4
};

/// The odd multiples 1, 3, 5, … of a point.
#[derive(Clone, Copy)]
pub(super) struct CachedMultiples<F>([Cached<F>; ODD_MULTIPLES]);

impl<F: Field> CachedMultiples<F> {
    #[inline]
    pub(super) fn new(point: &Extended<F>) -> Self {
        let twice = point.double().to_extended().to_cached();
        let mut multiples = Self([Cached::IDENTITY; ODD_MULTIPLES]);
        let mut multiple = *point;
        multiples.0[0] = point.to_cached();
        for entry in &mut multiples.0[1..] {
            multiple = multiple.add(&twice).to_extended();
            *entry = multiple.to_cached();
        }
        multiples
    }
}

impl<F> OddMultiples for CachedMultiples<F> {
    #[inline(always)]
    fn count(&self) -> usize {
        ODD_MULTIPLES
    }
}

impl<F: Field> AddedTo<Completed<F>> for CachedMultiples<F> {
    #[inline(always)]
    fn add(&self, sum: Completed<F>, entry: usize) -> Completed<F> {
        sum.to_extended().add(&self.0[entry])
    }

    #[inline(always)]
    fn sub(&self, sum: Completed<F>, entry: usize) -> Completed<F> {
        sum.to_extended().sub(&self.0[entry])
    }
}

/// A sum is kept as the last formula left it: what follows decides whether T is needed.
impl<F: Field> Accumulator for Completed<F> {
    #[inline(always)]
    fn identity() -> Self {
        Projective::IDENTITY.double()
    }

    #[inline(always)]
    fn double(self) -> Self {
        self.to_projective().double()
    }
}

impl<F: Field> PointAccumulator<F> for Completed<F> {
    type Multiples = CachedMultiples<F>;

    #[inline(always)]
    fn odd_multiples(point: &Extended<F>) -> CachedMultiples<F> {
        CachedMultiples::new(point)
    }

    #[inline(always)]
    fn to_point(&self) -> Extended<F> {
        self.to_extended()
    }
}
