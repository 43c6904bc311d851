//! The verification equation: the only place where verification of a single
//! signature computes on the curve. Everything here is public and variable in
//! time.

use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule, EdwardsPoint};
use lanner_curve::scalar::Scalar;

/// Whether \[S]B = R + \[k]A, where R is given as bytes: true if and only if
/// `r` is the canonical encoding of \[S]B - \[k]A.
///
/// `k` is an integer in \[0, L), as RFC 8032 section 5.1.7 step 2 reduced; on
/// points with a torsion component it must not be replaced by another
/// representative modulo L.
pub(crate) fn vartime_cofactorless(k: &Scalar, a: &EdwardsPoint, s: &Scalar, r: &[u8; 32]) -> bool {
    CompressedEdwardsY(*r)
        .vartime_decompress(DecodingRule::Canonical)
        .is_some_and(|r| EdwardsPoint::vartime_group_equation(s, &r, k, a))
}

/// Whether \[8]\[S]B = \[8]R + \[8]\[k]A.
pub(crate) fn vartime_cofactored(
    k: &Scalar,
    a: &EdwardsPoint,
    s: &Scalar,
    r: &EdwardsPoint,
) -> bool {
    EdwardsPoint::vartime_group_equation_cofactored(s, r, k, a)
}

/// The point encoded by `r` under the rules of ZIP 215: y is taken modulo p,
/// and the sign bit does not matter where x = 0.
pub(crate) fn decode(r: &[u8; 32]) -> Option<EdwardsPoint> {
    CompressedEdwardsY(*r).decompress()
}
