//! The equation that verification checks (RFC 8032, section 5.1.7), in variable
//! time: \[S]B = R + \[k]A, with or without the cofactor.

use super::base::{vartime_defect, vartime_each};
use super::{EdwardsPoint, GroupEquation};
use crate::scalar::Scalar;

/// Whether the equation holds, with or without the cofactor.
fn vartime_holds(equation: &GroupEquation, cofactored: bool) -> bool {
    let defect = vartime_defect(equation);
    if cofactored {
        defect.is_small_order()
    } else {
        defect.is_neutral().into()
    }
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
        let (s, r, k, a) = (*s, *r, *k, *a);
        vartime_holds(&GroupEquation { s, r, k, a }, false)
    }

    /// Whether \[8]\[S]B = \[8]R + \[8]\[k]A, for the base point B. Runs in variable time.
    #[must_use]
    pub fn vartime_group_equation_cofactored(s: &Scalar, r: &Self, k: &Scalar, a: &Self) -> bool {
        let (s, r, k, a) = (*s, *r, *k, *a);
        vartime_holds(&GroupEquation { s, r, k, a }, true)
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
        if !vartime_each(equations, cofactored, vartime_holds, verdicts) {
            for (equation, verdict) in equations.iter().zip(verdicts) {
                *verdict = vartime_holds(equation, cofactored);
            }
        }
    }
}
