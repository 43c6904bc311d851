//! The verification equation: the only place where verification of a single
//! signature computes on the curve. Everything here is public and variable in
//! time.

#[cfg(all(feature = "fast", feature = "batch"))]
use lanner_curve::edwards::GroupEquation;
#[cfg(feature = "fast")]
use lanner_curve::edwards::VartimePreparedPoint;
use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule, EdwardsPoint};
use lanner_curve::scalar::Scalar;

/// The point A of a public key, in some form in which the equation can be
/// computed. `k` is an integer in \[0, L), as RFC 8032 section 5.1.7 step 2
/// reduced; on points with a torsion component it must not be replaced by
/// another representative modulo L.
pub trait PublicPoint {
    /// Whether \[S]B = R + \[k]A, where R is given as bytes: true if and only if
    /// `r` is the canonical encoding of \[S]B - \[k]A.
    fn vartime_cofactorless(&self, k: &Scalar, s: &Scalar, r: &[u8; 32]) -> bool;

    /// Whether \[8]\[S]B = \[8]R + \[8]\[k]A.
    fn vartime_cofactored(&self, k: &Scalar, s: &Scalar, r: &EdwardsPoint) -> bool;
}

impl PublicPoint for EdwardsPoint {
    fn vartime_cofactorless(&self, k: &Scalar, s: &Scalar, r: &[u8; 32]) -> bool {
        // Decoding R costs less than what it saves: with all points at hand, k
        // can be halved.
        CompressedEdwardsY(*r)
            .vartime_decompress(DecodingRule::Canonical)
            .is_some_and(|r| EdwardsPoint::vartime_group_equation(s, &r, k, self))
    }

    fn vartime_cofactored(&self, k: &Scalar, s: &Scalar, r: &EdwardsPoint) -> bool {
        EdwardsPoint::vartime_group_equation_cofactored(s, r, k, self)
    }
}

/// Tables for -A.
#[cfg(feature = "fast")]
#[derive(Clone)]
pub struct PreparedNegative(VartimePreparedPoint);

#[cfg(feature = "fast")]
impl PreparedNegative {
    pub(crate) fn new(a: &EdwardsPoint) -> Self {
        PreparedNegative(VartimePreparedPoint::new(&-a))
    }

    /// The tables of -A.
    pub(crate) fn tables(&self) -> &VartimePreparedPoint {
        &self.0
    }

    /// Whether the equation holds, of which A is not looked at, with or without the cofactor.
    #[cfg(feature = "batch")]
    pub(crate) fn vartime_holds(&self, equation: &GroupEquation, cofactored: bool) -> bool {
        let GroupEquation { s, r, k, .. } = equation;
        let expected = self.0.vartime_double_scalar_mul_basepoint(k, s);
        if cofactored {
            (expected - r).is_small_order()
        } else {
            expected == *r
        }
    }
}

#[cfg(feature = "fast")]
impl PublicPoint for PreparedNegative {
    fn vartime_cofactorless(&self, k: &Scalar, s: &Scalar, r: &[u8; 32]) -> bool {
        let expected = self.0.vartime_double_scalar_mul_basepoint_compress(k, s);
        expected.as_bytes() == r
    }

    fn vartime_cofactored(&self, k: &Scalar, s: &Scalar, r: &EdwardsPoint) -> bool {
        let expected = self.0.vartime_double_scalar_mul_basepoint(k, s);
        (expected - r).is_small_order()
    }
}

/// The point encoded by `r` under the rules of ZIP 215: y is taken modulo p,
/// and the sign bit does not matter where x = 0.
pub(crate) fn decode(r: &[u8; 32]) -> Option<EdwardsPoint> {
    CompressedEdwardsY(*r).decompress()
}
