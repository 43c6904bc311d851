//! The equation of verification with scalars of half the size, in variable time.

use super::EdwardsPoint;
use super::base::{base_multiples, shifted_base_multiples};
use super::double_base::{Naf, OddMultiples, vartime_horner};
use super::group_equation::vartime_full_defect;
use super::models::Extended;
use super::niels::NielsMultiples;
use super::quad::{QuadOddMultiples, QuadPoint, vartime_add_niels};
use crate::backend::InLanes;
use crate::bytes::words_from_bytes;
use crate::field::Field;
use crate::field::lanes::Engine;
use crate::scalar::Scalar;
use crate::scalar::lattice::{HalfSize, vartime_half_size};
use crate::tables::{BASE_2_POW_128_ODD, BASE_ODD};

/// The halves of k for [`vartime_defect`]; `None` for a k that has none.
#[inline]
pub(super) fn vartime_halves(k: &Scalar) -> Option<HalfSize> {
    // An unreduced k counts as the integer it is, beyond the range of half sizes.
    vartime_half_size(k.as_bytes())
}

/// A multiple of \[S]B - R - \[k]A that is 0 exactly if that is 0, with scalars of
/// half the size (Antipa et al. 2005; Pornin, eprint 2020/454).
///
/// With u = v k mod 8L and v odd, 0 < |v| < L, the multiple is
/// [v S mod L]B - \[v]R - \[u]A: v is invertible modulo 8L, the exponent of the
/// group, so no point of small order is lost. The scalar of B is cut in two at
/// bit 128, where a second table begins.
#[inline]
pub(super) fn vartime_defect<F: Field>(
    s: &Scalar,
    r: &Extended<F>,
    k: &Scalar,
    a: &Extended<F>,
) -> Extended<F> {
    let Some(half) = vartime_halves(k) else {
        return vartime_full_defect(s, r, k, a);
    };
    let [b0, b1, b2, b3] = words_from_bytes((half.v_scalar() * s).as_bytes());
    let (base, shifted) = (base_multiples::<F>(), shifted_base_multiples());
    let low = Naf::vartime_new(&[b0, b1], base.width());
    let high = Naf::vartime_new(&[b2, b3], shifted.width());
    let u_multiples = OddMultiples::new(&a.neg());
    let v_multiples = OddMultiples::new(&if half.v_is_negative { *r } else { r.neg() });
    let u = Naf::vartime_new(&half.u, u_multiples.width());
    let v = Naf::vartime_new(&half.v, v_multiples.width());
    let top = u.top().max(v.top()).max(low.top()).max(high.top());
    vartime_horner(top, |sum, i| {
        let sum = u_multiples.vartime_add(sum, u.digit(i));
        let sum = v_multiples.vartime_add(sum, v.digit(i));
        let sum = base.vartime_add(sum, low.digit(i));
        shifted.vartime_add(sum, high.digit(i))
    })
}

/// [`vartime_defect`] in lanes.
pub(super) struct VartimeDefect<'a> {
    pub(super) s: &'a Scalar,
    pub(super) r: &'a EdwardsPoint,
    pub(super) k: &'a Scalar,
    pub(super) a: &'a EdwardsPoint,
}

impl InLanes for VartimeDefect<'_> {
    type Output = EdwardsPoint;

    #[inline(always)]
    fn run<E: Engine>(self) -> EdwardsPoint {
        let (r, a) = (self.r.unpack::<E::Field>(), self.a.unpack());
        let Some(half) = vartime_halves(self.k) else {
            return vartime_full_defect(self.s, &r, self.k, &a).pack();
        };
        let [b0, b1, b2, b3] = words_from_bytes((half.v_scalar() * self.s).as_bytes());
        let low = Naf::vartime_new(&[b0, b1], NielsMultiples::new(&BASE_ODD).width());
        let high = Naf::vartime_new(&[b2, b3], NielsMultiples::new(&BASE_2_POW_128_ODD).width());
        let a = QuadPoint::<E::Quad>::new(&a.neg(), &a);
        let r = QuadPoint::<E::Quad>::new(&if half.v_is_negative { r } else { r.neg() }, &r);
        let u_multiples = QuadOddMultiples::<_, 8>::new(a);
        let v_multiples = QuadOddMultiples::<_, 8>::new(r);
        let u = Naf::vartime_new(&half.u, QuadOddMultiples::<E::Quad, 8>::WIDTH);
        let v = Naf::vartime_new(&half.v, QuadOddMultiples::<E::Quad, 8>::WIDTH);
        let top = u.top().max(v.top()).max(low.top()).max(high.top());
        let mut sum = QuadPoint::identity();
        for i in (0..=top).rev() {
            sum = sum.double();
            sum = u_multiples.vartime_add(sum, u.digit(i));
            sum = v_multiples.vartime_add(sum, v.digit(i));
            sum = vartime_add_niels(sum, low.digit(i), &BASE_ODD);
            sum = vartime_add_niels(sum, high.digit(i), &BASE_2_POW_128_ODD);
        }
        sum.first::<E::Field>().pack()
    }
}
