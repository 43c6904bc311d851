//! Signatures verified side by side in vector lanes, each with its own verdict and by
//! its own equation: no combination, and no allocation.

use lanner_curve::backend;
use lanner_curve::edwards::{EdwardsPoint, GroupEquation};
use lanner_curve::scalar::Scalar;

use super::Batch;
use super::admitted::GROUP;

/// Whether the processor has lanes enough that this is faster than one signature after the other.
pub(super) fn pays() -> bool {
    backend::lanes() >= 8
}

impl Batch<'_> {
    /// Writes one verdict per signature; `verdicts` has as many elements.
    pub(super) fn verify_side_by_side(&self, verdicts: &mut [bool]) {
        verdicts.fill(false);
        for start in (0..self.len()).step_by(GROUP) {
            let mut equations = [GroupEquation {
                s: Scalar::ZERO,
                r: EdwardsPoint::default(),
                k: Scalar::ZERO,
                a: EdwardsPoint::default(),
            }; GROUP];
            let mut positions = [0; GROUP];
            let mut count = 0;
            self.admit_group(start, GROUP.min(self.len() - start), |admitted| {
                equations[count] = admitted.equation;
                positions[count] = admitted.position;
                count += 1;
            });
            let mut valid = [false; GROUP];
            EdwardsPoint::vartime_group_equations(
                &equations[..count],
                self.rules.cofactored,
                &mut valid[..count],
            );
            for (&position, &valid) in positions[..count].iter().zip(&valid) {
                verdicts[position] = valid;
            }
        }
    }
}
