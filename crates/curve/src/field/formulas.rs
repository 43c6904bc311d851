//! Formulas on coordinates that a representation may have as a whole, in a block of assembly: what
//! such a block does is said here, once for all others.

use super::{Arithmetic, Field};
use subtle::Choice;

/// u = U/W on the projective u-line of the Montgomery curve.
#[derive(Clone, Copy)]
pub(crate) struct Line<F> {
    pub(crate) u: F,
    pub(crate) w: F,
}

/// From P and Q, whose difference has the coordinate `difference`: 2P and P + Q.
#[inline(always)]
pub(crate) fn step<F: Arithmetic>(p: &mut Line<F>, q: &mut Line<F>, difference: &F) {
    let (a, b) = (p.u.add(&p.w), p.u.sub(&p.w));
    let (c, d) = (q.u.add(&q.w), q.u.sub(&q.w));
    let (aa, bb) = (F::square_in_place(&a), F::square_in_place(&b));
    let (da, cb) = (F::mul_in_place(&d, &a), F::mul_in_place(&c, &b));
    let e = aa.sub(&bb);
    // (A + 2) / 4 = 121666 goes with BB, where RFC 7748 has 121665 with AA.
    p.u = F::mul_in_place(&aa, &bb);
    p.w = F::mul_in_place(&e, &bb.add(&F::mul_121666(&e)));
    q.u = F::square_in_place(&da.add(&cb));
    q.w = F::mul_in_place(difference, &F::square_in_place(&da.sub(&cb)));
}

/// (U, W) of nP for the bits of n, most significant first; W = 0 for the point at infinity. Constant
/// time in the values of the bits.
#[inline(always)]
pub(crate) fn ladder<F: Field>(u: &F, bits: impl Iterator<Item = Choice>) -> (F, F) {
    let mut p = Line {
        u: F::ONE,
        w: F::ZERO,
    };
    let mut q = Line { u: *u, w: F::ONE };
    let mut swapped = Choice::from(0);
    for bit in bits {
        let mask = (swapped ^ bit).into();
        F::conditional_swap(&mut p.u, &mut q.u, mask);
        F::conditional_swap(&mut p.w, &mut q.w, mask);
        swapped = bit;
        step(&mut p, &mut q, u);
    }
    F::conditional_swap(&mut p.u, &mut q.u, swapped.into());
    F::conditional_swap(&mut p.w, &mut q.w, swapped.into());
    (p.u, p.w)
}
