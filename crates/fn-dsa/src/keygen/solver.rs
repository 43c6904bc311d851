//! One NTRU equation on its way to a solution: what the descent, the ascent ([`super::ntru`]) and the reduction
//! ([`super::reduce`]) share, and where each depth keeps its polynomials.

use core::marker::PhantomData;

use lanner_simd::Isa;

use super::sizes::small_limbs;
use super::workspace::kept_at;
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
    /// The memory of a workspace.
    pub(crate) memory: &'a mut [u32],
}

impl<I: Isa> Solver<'_, I> {
    /// Whether both F and G are computed at the depths in between.
    pub(super) fn both(&self) -> bool {
        matches!(self.rule, KeygenRule::P3)
    }

    /// How many limbs (f, g) of the depths from 2 to this one take.
    pub(super) fn kept(&self, depth: u32) -> usize {
        kept_at(self.logn, depth + 1)
    }

    /// Where f of a depth >= 2 stands among them.
    pub(super) fn range_f(&self, depth: u32) -> core::ops::Range<usize> {
        let at = kept_at(self.logn, depth);
        at..at + (small_limbs(depth) << (self.logn - depth))
    }

    /// Where g of a depth >= 2 stands: after f.
    pub(super) fn range_g(&self, depth: u32) -> core::ops::Range<usize> {
        let f = self.range_f(depth);
        f.end..f.end + f.len()
    }
}
