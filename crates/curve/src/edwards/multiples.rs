//! Sums of multiples of points without lanes: the accumulator of one point, and tables for it that
//! are made on the way.

use super::models::{Cached, Completed, Extended};
use super::niels::{AffineNiels, PackedNiels};
use super::straus::{
    Accumulator, AddedTo, Doubling, OddMultiples, PointAccumulator, Term, vartime_straus_from,
};
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
        let mut multiples = Self([point.to_cached(); ODD_MULTIPLES]);
        let mut multiple = *point;
        // Twice the point is the first sum, of the point and itself.
        let twice = Self::next(&mut multiple, &multiples.0[0]);
        let mut added = multiples.0[0];
        for entry in &mut multiples.0[1..] {
            *entry = Self::next(&mut multiple, &added);
            added = twice;
        }
        multiples
    }

    /// Adds to a multiple, for the next one. A function, because a compiler would have it here more than once.
    #[inline(never)]
    fn next(multiple: &mut Extended<F>, added: &Cached<F>) -> Cached<F> {
        *multiple = extended(&multiple.add(added));
        multiple.to_cached()
    }
}

/// A function, as those of [`InMemory`].
#[inline(never)]
fn extended<F: Field>(sum: &Completed<F>) -> Extended<F> {
    sum.to_extended()
}

impl<F> OddMultiples for CachedMultiples<F> {
    #[inline(always)]
    fn count(&self) -> usize {
        ODD_MULTIPLES
    }
}

/// A sum is kept as the last formula left it: what follows decides whether T is needed.
impl<F: Field> Accumulator for Completed<F> {
    #[inline(always)]
    fn identity() -> Self {
        let (zero, one) = (F::ZERO.add(&F::ZERO), F::ONE.add(&F::ZERO));
        Self {
            x: zero,
            y: one,
            z: one,
            t: one,
        }
    }

    #[inline(always)]
    fn double(self) -> Self {
        self.to_projective().double()
    }
}

/// A sum that stays where it is in memory, with a function for each formula: registers do not hold a point, and where a chain
/// adds many terms the formulas would be as many times in its code.
pub(super) struct InMemory<'s, F: Field>(&'s mut Completed<F>);

impl<F: Field> InMemory<'_, F> {
    #[inline(never)]
    fn double(sum: &mut Completed<F>) {
        *sum = sum.to_projective().double();
    }

    /// The sum with a point, or the difference: the products are the same, but for which of the two sums of its coordinates
    /// each is made with.
    #[inline(never)]
    fn add(sum: &mut Completed<F>, multiple: &Cached<F>, minus: bool) {
        let Cached {
            y_plus_x: plus,
            y_minus_x: minus_x,
            z2,
            t2d,
        } = multiple;
        let extended = sum.to_extended();
        let d = F::mul(&extended.z, z2);
        *sum = Self::added(&extended, d, [plus, minus_x], t2d, minus);
    }

    /// The same for an affine point.
    #[inline(never)]
    fn add_affine(sum: &mut Completed<F>, multiple: &PackedNiels, minus: bool) {
        let [plus, minus_x, xy2d] = AffineNiels::from_packed(multiple).coordinates();
        let extended = sum.to_extended();
        let d = F::carry(&extended.z.add(&extended.z));
        *sum = Self::added(&extended, d, [&plus, &minus_x], &xy2d, minus);
    }

    /// The second half of add-2008-hwcd-3 (see `models`), where D is known.
    #[inline(always)]
    fn added(
        sum: &Extended<F>,
        d: F,
        [plus, minus_x]: [&F; 2],
        t2d: &F,
        minus: bool,
    ) -> Completed<F> {
        let [plus, minus_x] = if minus {
            [minus_x, plus]
        } else {
            [plus, minus_x]
        };
        let (a, b, c) = sum.products(plus, minus_x, t2d);
        let (z, t) = (d.add(&c), d.sub(&c));
        let (z, t) = if minus { (t, z) } else { (z, t) };
        Completed {
            x: b.sub(&a),
            y: b.add(&a),
            z,
            t,
        }
    }
}

impl<F: Field> Doubling for InMemory<'_, F> {
    #[inline(always)]
    fn twice(self) -> Self {
        Self::double(self.0);
        self
    }
}

impl<'s, F: Field> AddedTo<InMemory<'s, F>> for CachedMultiples<F> {
    #[inline(always)]
    fn add(&self, sum: InMemory<'s, F>, entry: usize) -> InMemory<'s, F> {
        InMemory::add(sum.0, &self.0[entry], false);
        sum
    }

    #[inline(always)]
    fn sub(&self, sum: InMemory<'s, F>, entry: usize) -> InMemory<'s, F> {
        InMemory::add(sum.0, &self.0[entry], true);
        sum
    }
}

impl<'s, F: Field> AddedTo<InMemory<'s, F>> for [PackedNiels] {
    #[inline(always)]
    fn add(&self, sum: InMemory<'s, F>, entry: usize) -> InMemory<'s, F> {
        InMemory::add_affine(sum.0, &self[entry], false);
        sum
    }

    #[inline(always)]
    fn sub(&self, sum: InMemory<'s, F>, entry: usize) -> InMemory<'s, F> {
        InMemory::add_affine(sum.0, &self[entry], true);
        sum
    }
}

/// The sum of all terms.
#[inline]
pub(super) fn vartime_straus_in_memory<F: Field>(
    terms: &(impl for<'s> Term<InMemory<'s, F>> + ?Sized),
) -> Extended<F> {
    let mut sum = Completed::identity();
    vartime_straus_from(InMemory(&mut sum), terms);
    extended(&sum)
}

impl<F: Field> PointAccumulator<F> for Completed<F> {
    #[inline(always)]
    fn to_point(&self) -> Extended<F> {
        self.to_extended()
    }
}
