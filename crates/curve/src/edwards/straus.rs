//! Sums of multiples by one chain of doublings, in variable time: the work of verification.
//!
//! Straus (1964) computes \[a]P + \[b]Q + … from signed digits of the scalars. The sum is doubled
//! once for each position, from the highest down to 0, and at each position every term adds the
//! multiple of its point that its digit asks for, from a table:
//!
//! ```text
//! position   12 11 10  9  8  7  6  5  4  3  2  1  0
//! a           .  3  .  .  .  .  . -5  .  .  .  .  7    non-adjacent form of width 4
//! b           1  .  .  . -6  .  .  .  8  .  .  .  2    windows of four bits
//!           --------- one doubling a column -------->
//! ```
//!
//! The chain is written once, over two things that differ. What is added up is an
//! [`Accumulator`]: a point, a point whose coordinates lie in four lanes, or a point in each lane.
//! What is added to it is a [`Term`], and pairs and slices of terms are terms as well.
//!
//! | accumulator | terms |
//! |---|---|
//! | `Completed<F>`, `InMemory` | [`Sliding`] over `CachedMultiples` and tables of `PackedNiels` |
//! | `InFrame` | [`Sliding`] over `MultiplesInWords` and tables of `PackedNiels` |
//! | `QuadPoint<Q>`, `InPlace` | [`Sliding`] over `QuadMultiples` and tables of `PackedNiels` |
//! | `each::Sums<L>` | fixed windows, because all lanes must do the same |
//!
//! In lanes everything here is part of the function that was entered for the vectors: hence
//! traits in the place of closures, and `#[inline(always)]`.

use super::models::Extended;
use crate::bytes::words_from_bytes;
use crate::field::Field;
use crate::scalar::Scalar;
use crate::scalar::recode::vartime_naf;

/// What a chain of doublings adds up.
pub(super) trait Accumulator: Sized {
    /// The neutral element.
    fn identity() -> Self;

    /// Twice the sum.
    fn double(self) -> Self;
}

/// What a chain needs once it has begun. An [`Accumulator`] has it; so has a sum in a frame that
/// somebody else holds.
pub(super) trait Doubling: Sized {
    /// Twice the sum.
    fn twice(self) -> Self;
}

impl<A: Accumulator> Doubling for A {
    #[inline(always)]
    fn twice(self) -> Self {
        self.double()
    }
}

/// An accumulator for one point.
#[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
pub(super) trait PointAccumulator<F: Field>: Accumulator {
    /// The sum.
    fn to_point(&self) -> Extended<F>;
}

/// A multiple of a point, of which one digit after the other is added.
pub(super) trait Term<A> {
    /// All digits beyond this position are 0.
    fn top(&self) -> usize;

    /// Whether nothing is added at this position.
    #[inline(always)]
    fn vartime_is_idle(&self, _position: usize) -> bool {
        false
    }

    /// The sum with the multiple added that the digit at this position asks for.
    fn vartime_add(&self, sum: A, position: usize) -> A;
}

impl<A, S: Term<A>, T: Term<A>> Term<A> for (S, T) {
    #[inline(always)]
    fn top(&self) -> usize {
        self.0.top().max(self.1.top())
    }

    #[inline(always)]
    fn vartime_add(&self, sum: A, position: usize) -> A {
        self.1
            .vartime_add(self.0.vartime_add(sum, position), position)
    }
}

impl<A, T: Term<A> + ?Sized> Term<A> for &T {
    #[inline(always)]
    fn top(&self) -> usize {
        T::top(self)
    }

    #[inline(always)]
    fn vartime_is_idle(&self, position: usize) -> bool {
        T::vartime_is_idle(self, position)
    }

    #[inline(always)]
    fn vartime_add(&self, sum: A, position: usize) -> A {
        T::vartime_add(self, sum, position)
    }
}

impl<A, T: Term<A>> Term<A> for [T] {
    #[inline(always)]
    fn top(&self) -> usize {
        let mut top = 0;
        for term in self {
            top = top.max(term.top());
        }
        top
    }

    #[inline(always)]
    fn vartime_add(&self, mut sum: A, position: usize) -> A {
        for term in self {
            // Five of six digits are 0; to ask first keeps the sum in its place.
            if !term.vartime_is_idle(position) {
                sum = term.vartime_add(sum, position);
            }
        }
        sum
    }
}

/// The sum of all terms.
#[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
#[inline(always)]
pub(super) fn vartime_straus<A: Accumulator>(terms: &(impl Term<A> + ?Sized)) -> A {
    vartime_straus_from(A::identity(), terms)
}

/// The same from a sum that is the neutral element.
#[inline(always)]
pub(super) fn vartime_straus_from<A: Doubling>(mut sum: A, terms: &(impl Term<A> + ?Sized)) -> A {
    for position in (0..=terms.top()).rev() {
        sum = terms.vartime_add(sum.twice(), position);
    }
    sum
}

/// A table of the odd multiples P, 3P, 5P, … of a point.
pub(super) trait OddMultiples {
    /// How many: a power of two.
    fn count(&self) -> usize;

    /// The width of the non-adjacent forms that the multiples serve: 2^(width - 2) odd
    /// multiples are all below 2^(width - 1).
    #[inline(always)]
    fn width(&self) -> u32 {
        debug_assert!(self.count().is_power_of_two());
        self.count().trailing_zeros() + 2
    }
}

/// Odd multiples that can be added to an accumulator `A`.
pub(super) trait AddedTo<A>: OddMultiples {
    /// sum + \[2 entry + 1]P.
    fn add(&self, sum: A, entry: usize) -> A;

    /// sum - \[2 entry + 1]P.
    fn sub(&self, sum: A, entry: usize) -> A;
}

impl<M: OddMultiples + ?Sized> OddMultiples for &M {
    #[inline(always)]
    fn count(&self) -> usize {
        M::count(self)
    }
}

impl<A, M: AddedTo<A> + ?Sized> AddedTo<A> for &M {
    #[inline(always)]
    fn add(&self, sum: A, entry: usize) -> A {
        M::add(self, sum, entry)
    }

    #[inline(always)]
    fn sub(&self, sum: A, entry: usize) -> A {
        M::sub(self, sum, entry)
    }
}

/// An integer in non-adjacent form, and the odd multiples of a point that its digits are for:
/// a sliding window.
pub(super) struct Sliding<M> {
    digits: [i8; 257],
    top: usize,
    multiples: M,
}

impl<M: OddMultiples> Sliding<M> {
    /// The multiple of the point by the integer in `words`, below 2^256.
    #[inline]
    pub(super) fn vartime_new<const N: usize>(words: &[u64; N], multiples: M) -> Self {
        let width = multiples.width();
        let mut term = Self {
            digits: [0; 257],
            top: 0,
            multiples,
        };
        term.top = vartime_naf(words, width, &mut term.digits).unwrap_or(0);
        term
    }

    /// The multiple of the point by a scalar, as the integer that its bytes are.
    #[inline]
    pub(super) fn vartime_from_scalar(scalar: &Scalar, multiples: M) -> Self {
        Self::vartime_new::<4>(&words_from_bytes(scalar.as_bytes()), multiples)
    }
}

impl<A, M: AddedTo<A>> Term<A> for Sliding<M> {
    #[inline(always)]
    fn top(&self) -> usize {
        self.top
    }

    #[inline(always)]
    fn vartime_is_idle(&self, position: usize) -> bool {
        self.digits[position] == 0
    }

    #[inline(always)]
    fn vartime_add(&self, sum: A, position: usize) -> A {
        let digit = self.digits[position];
        let entry = usize::from(digit.unsigned_abs() / 2);
        match digit {
            0 => sum,
            1.. => self.multiples.add(sum, entry),
            _ => self.multiples.sub(sum, entry),
        }
    }
}
