//! The Montgomery ladder (RFC 7748, section 5; Costello and Smith 2017), in
//! constant time.

use crate::field::{Field, Packed, chains::invert};
use subtle::Choice;

/// u = U/W on the projective u-line.
#[derive(Clone, Copy)]
struct Line<F> {
    u: F,
    w: F,
}

/// From P and Q, whose difference has the coordinate `difference`: 2P and P + Q.
#[inline(always)]
fn step<F: Field>(p: &mut Line<F>, q: &mut Line<F>, difference: &F) {
    let (a, b) = (p.u.add(&p.w), p.u.sub(&p.w));
    let (c, d) = (q.u.add(&q.w), q.u.sub(&q.w));
    let (aa, bb) = (F::square(&a), F::square(&b));
    let (da, cb) = (F::mul(&d, &a), F::mul(&c, &b));
    let e = aa.sub(&bb);
    // (A + 2) / 4 = 121666 goes with BB, where RFC 7748 has 121665 with AA.
    p.u = F::mul(&aa, &bb);
    p.w = F::mul(&e, &bb.add(&F::mul_121666(&e)));
    q.u = F::square(&da.add(&cb));
    q.w = F::mul(difference, &F::square(&da.sub(&cb)));
}

/// The u-coordinate of nP for the bits of n, most significant first; 0 for the
/// point at infinity.
#[inline]
pub(super) fn ladder<F: Field>(u: &Packed, bits: impl Iterator<Item = Choice>) -> Packed {
    let u = F::from_packed(u);
    let mut p = Line {
        u: F::ONE,
        w: F::ZERO,
    };
    let mut q = Line { u, w: F::ONE };
    let mut swapped = Choice::from(0);
    for bit in bits {
        let mask = (swapped ^ bit).into();
        F::conditional_swap(&mut p.u, &mut q.u, mask);
        F::conditional_swap(&mut p.w, &mut q.w, mask);
        swapped = bit;
        step(&mut p, &mut q, &u);
    }
    F::conditional_swap(&mut p.u, &mut q.u, swapped.into());
    F::conditional_swap(&mut p.w, &mut q.w, swapped.into());
    F::mul(&p.u, &invert(&p.w)).to_packed()
}
