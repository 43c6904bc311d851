//! The equation that verification checks (RFC 8032, section 5.1.7), in variable
//! time: \[S]B = R + \[k]A, with or without the cofactor.

use super::EdwardsPoint;
use super::double_base;
#[cfg(feature = "precomputed-tables")]
use super::each::VartimeEach;
#[cfg(feature = "precomputed-tables")]
use super::half_size::{VartimeDefect, vartime_defect};
use super::models::Extended;
#[cfg(feature = "precomputed-tables")]
use crate::backend::in_lanes;
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

/// A multiple of \[S]B - R - \[k]A by a number that has no common factor with 8L.
fn vartime_defect_point(
    s: &Scalar,
    r: &EdwardsPoint,
    k: &Scalar,
    a: &EdwardsPoint,
) -> EdwardsPoint {
    #[cfg(feature = "precomputed-tables")]
    if let Ok(defect) = in_lanes(VartimeDefect { s, r, k, a }) {
        return defect;
    }
    with_field!(F => vartime_defect::<F>(s, &r.unpack(), k, &a.unpack()).pack())
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
        vartime_defect_point(s, r, k, a).is_neutral().into()
    }

    /// Whether \[8]\[S]B = \[8]R + \[8]\[k]A, for the base point B. Runs in variable time.
    #[must_use]
    pub fn vartime_group_equation_cofactored(s: &Scalar, r: &Self, k: &Scalar, a: &Self) -> bool {
        vartime_defect_point(s, r, k, a).is_small_order()
    }

    /// Whether \[S]B = R + \[k]A for each of several equations, or \[8]\[S]B = \[8]R +
    /// \[8]\[k]A if `cofactored` is set: verdict i is for equation i, and what
    /// [`vartime_group_equation`](Self::vartime_group_equation) says. Runs in variable time.
    ///
    /// Where the processor has vectors that are wide enough, equations are computed side by
    /// side, and each costs a fraction of a single one.
    ///
    /// # Panics
    ///
    /// If there are not as many verdicts as equations.
    ///
    /// ```
    /// use lanner_curve::edwards::{EdwardsPoint, GroupEquation};
    /// use lanner_curve::scalar::Scalar;
    ///
    /// let (secret, nonce, k) = (Scalar::from(5u64), Scalar::from(7u64), Scalar::from(11u64));
    /// let (a, r) = (EdwardsPoint::mul_base(&secret), EdwardsPoint::mul_base(&nonce));
    /// let right = GroupEquation { s: nonce + k * secret, r, k, a };
    /// let wrong = GroupEquation { s: secret, ..right };
    /// let mut verdicts = [false; 3];
    /// EdwardsPoint::vartime_group_equations(&[right, wrong, right], false, &mut verdicts);
    /// assert_eq!(verdicts, [true, false, true]);
    /// ```
    pub fn vartime_group_equations(
        equations: &[GroupEquation],
        cofactored: bool,
        verdicts: &mut [bool],
    ) {
        assert_eq!(equations.len(), verdicts.len());
        #[cfg(feature = "precomputed-tables")]
        let verdicts = {
            let each = VartimeEach {
                equations,
                cofactored,
                verdicts,
            };
            match in_lanes(each) {
                Ok(()) => return,
                Err(each) => each.verdicts,
            }
        };
        for (GroupEquation { s, r, k, a }, verdict) in equations.iter().zip(verdicts) {
            *verdict = if cofactored {
                Self::vartime_group_equation_cofactored(s, r, k, a)
            } else {
                Self::vartime_group_equation(s, r, k, a)
            };
        }
    }
}

/// The numbers and points of one equation \[S]B = R + \[k]A.
#[derive(Clone, Copy, Debug)]
pub struct GroupEquation {
    /// S.
    pub s: Scalar,
    /// R.
    pub r: EdwardsPoint,
    /// k, as the integer that its bytes are.
    pub k: Scalar,
    /// A.
    pub a: EdwardsPoint,
}
