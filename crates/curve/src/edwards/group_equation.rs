//! The equation that verification checks (RFC 8032, section 5.1.7), in variable
//! time: \[S]B = R + \[k]A, with or without the cofactor.

use super::EdwardsPoint;
use super::double_base;
#[cfg(feature = "precomputed-tables")]
use super::half_size::vartime_defect;
use super::models::Extended;
use crate::backend::with_field;
use crate::field::Field;
use crate::scalar::Scalar;
#[cfg(not(feature = "precomputed-tables"))]
use vartime_full_defect as vartime_defect;

/// \[S]B - R - \[k]A.
#[inline]
pub(super) fn vartime_full_defect<F: Field>(
    s: &Scalar,
    r: &Extended<F>,
    k: &Scalar,
    a: &Extended<F>,
) -> Extended<F> {
    let sum = double_base::vartime_mul(k, &a.neg(), s);
    sum.sub(&r.to_cached()).to_extended()
}

impl EdwardsPoint {
    /// Whether \[S]B = R + \[k]A, for the base point B. Runs in variable time: all
    /// four are public when a signature is verified.
    ///
    /// Exact for all points, those with a component of small order included: k is
    /// taken as the integer that its bytes are.
    ///
    /// ```
    /// use lanner_curve::{EdwardsPoint, Scalar};
    ///
    /// let (secret, nonce, k) = (Scalar::from(5u64), Scalar::from(7u64), Scalar::from(11u64));
    /// let (a, r) = (EdwardsPoint::mul_base(&secret), EdwardsPoint::mul_base(&nonce));
    /// let s = nonce + k * secret;
    /// assert!(EdwardsPoint::vartime_group_equation(&s, &r, &k, &a));
    /// assert!(!EdwardsPoint::vartime_group_equation(&s, &a, &k, &r));
    /// ```
    #[must_use]
    pub fn vartime_group_equation(s: &Scalar, r: &Self, k: &Scalar, a: &Self) -> bool {
        with_field!(F => {
            vartime_defect::<F>(s, &r.unpack(), k, &a.unpack()).is_identity().into()
        })
    }

    /// Whether \[8]\[S]B = \[8]R + \[8]\[k]A, for the base point B. Runs in variable time.
    #[must_use]
    pub fn vartime_group_equation_cofactored(s: &Scalar, r: &Self, k: &Scalar, a: &Self) -> bool {
        with_field!(F => {
            let defect = vartime_defect::<F>(s, &r.unpack(), k, &a.unpack());
            super::torsion::mul_by_cofactor(&defect).is_identity().into()
        })
    }
}
