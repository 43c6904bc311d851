//! Whether many points are free of torsion, that is, in the subgroup of order
//! L. Variable time.

use super::room;
use lanner_curve::edwards::EdwardsPoint;
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::Identity;

use super::coefficients::Coefficients;

/// How many subset sums are tested, which makes the error at most 2^-128.
const ROUNDS: usize = 128;

/// Points per group. All sums of a group are made first, 2^WIDTH of them, and
/// each round then adds one: (2^WIDTH + ROUNDS) / WIDTH additions per point,
/// which 5 and 6 minimise.
pub(super) const WIDTH: usize = 6;

/// A point with the torsion component of \[k]A + R, where k is the integer in
/// \[0, L) that the scalar stands for: the torsion group has order 8.
pub(super) fn residue(k: &Scalar, a: &EdwardsPoint, r: &EdwardsPoint) -> EdwardsPoint {
    let mut sum = EdwardsPoint::identity();
    for bit in (0..3).rev() {
        sum += sum;
        if k.as_bytes()[0] >> bit & 1 == 1 {
            sum += a;
        }
    }
    sum + r
}

/// Whether all points are free of torsion; `None` if there is not enough memory to tell.
///
/// Below some 200 points one test for each would be faster, but there the batch
/// as a whole is slower than single verifications.
///
/// If they are, the answer is `true`. If not, it is `false` except with
/// probability 2^-128: fix a point with torsion t; whatever the other points of
/// a round sum up to, at most one of "with it" and "without it" is free of
/// torsion, so that each round misses it with probability at most 1/2.
pub(super) fn vartime_all_free(
    points: &[EdwardsPoint],
    coefficients: &Coefficients,
) -> Option<bool> {
    let mut sums = room(ROUNDS)?;
    sums.resize(ROUNDS, EdwardsPoint::identity());
    let mut table = [EdwardsPoint::identity(); 1 << WIDTH];
    for (group, points) in points.chunks(WIDTH).enumerate() {
        let mut size = 1;
        for point in points {
            for i in 0..size {
                table[size + i] = table[i] + point;
            }
            size *= 2;
        }
        for (half, sums) in sums.chunks_mut(ROUNDS / 2).enumerate() {
            let subsets = coefficients.subsets(2 * group + half);
            for (sum, subset) in sums.iter_mut().zip(subsets) {
                // A uniform byte modulo a power of two.
                *sum += table[usize::from(subset) % size];
            }
        }
    }
    Some(sums.iter().all(EdwardsPoint::vartime_is_torsion_free))
}
