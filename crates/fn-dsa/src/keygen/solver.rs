//! One NTRU equation on its way to a solution: what the descent, the ascent ([`super::ntru`]) and the reduction
//! ([`super::reduce`]) share, and where each depth keeps its polynomials.

use core::marker::PhantomData;

use lanner_simd::Isa;

use super::sizes::small_limbs;
use super::workspace::{Scratch, Tables, saved_at};
use crate::params::KeygenRule;

/// There is no solution, or none that the rule finds.
pub(crate) struct NoSolution;

pub(super) type Outcome = Result<(), NoSolution>;

/// `Err` if a condition does not hold.
pub(super) fn require(condition: bool) -> Outcome {
    condition.then_some(()).ok_or(NoSolution)
}

/// What stays the same while one equation is solved.
pub(crate) struct Solver<'a, I: Isa> {
    pub(crate) isa: PhantomData<I>,
    pub(crate) rule: KeygenRule,
    pub(crate) logn: u32,
    pub(crate) f: &'a [i8],
    pub(crate) g: &'a [i8],
    pub(crate) tables: &'a Tables,
    pub(crate) scratch: &'a mut Scratch,
}

impl<I: Isa> Solver<'_, I> {
    /// Whether both F and G are computed at the depths in between.
    pub(super) fn both(&self) -> bool {
        matches!(self.rule, KeygenRule::P3)
    }

    /// Where f of a depth stands in `saved`.
    pub(super) fn range_f(&self, depth: u32) -> core::ops::Range<usize> {
        let at = saved_at(self.logn, depth);
        at..at + (small_limbs(depth) << (self.logn - depth))
    }

    /// Where g of a depth stands in `saved`: after f.
    pub(super) fn range_g(&self, depth: u32) -> core::ops::Range<usize> {
        let f = self.range_f(depth);
        f.end..f.end + f.len()
    }
}
