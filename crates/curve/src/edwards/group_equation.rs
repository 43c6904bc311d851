//! The equation that verification checks (RFC 8032, section 5.1.7), in variable
//! time: [S]B = R + [k]A, with or without the cofactor.

use super::EdwardsPoint;
use super::double_base;
use super::models::Extended;
use crate::backend::with_field;
use crate::field::Field;
use crate::scalar::Scalar;

/// [S]B - R - [k]A.
#[inline]
fn vartime_defect<F: Field>(
    s: &Scalar,
    r: &Extended<F>,
    k: &Scalar,
    a: &Extended<F>,
) -> Extended<F> {
    let sum = double_base::vartime_mul(k, &a.neg(), s);
    sum.sub(&r.to_cached()).to_extended()
}

/// A multiple of [S]B - R - [k]A that is 0 exactly if that is 0, with scalars of
/// half the size (Antipa et al. 2005; Pornin, eprint 2020/454).
///
/// With u = v k mod 8L and v odd, 0 < |v| < L, the multiple is
/// [v S mod L]B - [v]R - [u]A: v is invertible modulo 8L, the exponent of the
/// group, so no point of small order is lost. The scalar of B is cut in two at
/// bit 128, where a second table begins.
#[cfg(feature = "precomputed-tables")]
#[inline]
fn vartime_scaled_defect<F: Field>(
    s: &Scalar,
    r: &Extended<F>,
    k: &Scalar,
    a: &Extended<F>,
) -> Extended<F> {
    use super::double_base::{Naf, OddMultiples, vartime_add_static, vartime_horner};
    use crate::bytes::words_from_bytes;
    use crate::scalar::lattice::vartime_half_size;
    use crate::tables::{BASE_2_POW_128_ODD, BASE_ODD};

    let Some(half) = vartime_half_size(k.as_bytes()) else {
        return vartime_defect(s, r, k, a);
    };
    let [b0, b1, b2, b3] = words_from_bytes((half.v_scalar() * s).as_bytes());
    let low = Naf::vartime_new(&[b0, b1], 8);
    let high = Naf::vartime_new(&[b2, b3], 8);
    let u = Naf::vartime_new(&half.u, OddMultiples::<F>::WIDTH);
    let v = Naf::vartime_new(&half.v, OddMultiples::<F>::WIDTH);
    let u_multiples = OddMultiples::new(&a.neg());
    let v_multiples = OddMultiples::new(&if half.v_is_negative { *r } else { r.neg() });
    let top = u.top().max(v.top()).max(low.top()).max(high.top());
    vartime_horner(top, |sum, i| {
        let sum = u_multiples.vartime_add(sum, u.digit(i));
        let sum = v_multiples.vartime_add(sum, v.digit(i));
        let sum = vartime_add_static(&BASE_ODD, sum, low.digit(i));
        vartime_add_static(&BASE_2_POW_128_ODD, sum, high.digit(i))
    })
}

#[cfg(not(feature = "precomputed-tables"))]
use vartime_defect as vartime_scaled_defect;

impl EdwardsPoint {
    /// Whether [S]B = R + [k]A, for the base point B. Runs in variable time: all
    /// four are public when a signature is verified.
    ///
    /// Exact for all points, those with a component of small order included: k is
    /// taken as an integer in [0, L).
    #[must_use]
    pub fn vartime_group_equation(s: &Scalar, r: &Self, k: &Scalar, a: &Self) -> bool {
        with_field!(F => {
            vartime_scaled_defect::<F>(s, &r.unpack(), k, &a.unpack()).is_identity().into()
        })
    }

    /// Whether [8][S]B = [8]R + [8][k]A, for the base point B. Runs in variable time.
    #[must_use]
    pub fn vartime_group_equation_cofactored(s: &Scalar, r: &Self, k: &Scalar, a: &Self) -> bool {
        with_field!(F => {
            let defect = vartime_scaled_defect::<F>(s, &r.unpack(), k, &a.unpack());
            super::torsion::mul_by_cofactor(&defect).is_identity().into()
        })
    }
}
