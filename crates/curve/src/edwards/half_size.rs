//! The equation of verification with scalars of half the size, in variable time.

use super::base::{base_multiples, shifted_base_multiples};
use super::double_base::{Naf, OddMultiples, vartime_horner};
use super::group_equation::vartime_full_defect;
use super::models::Extended;
use crate::bytes::words_from_bytes;
use crate::field::Field;
use crate::scalar::Scalar;
use crate::scalar::lattice::vartime_half_size;

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
    // An unreduced k counts as the integer it is, beyond the range of half sizes.
    let half = Some(k.as_bytes()).filter(|k| Scalar::vartime_is_canonical(k));
    let Some(half) = half.and_then(vartime_half_size) else {
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
