//! Signatures verified side by side in vector lanes, each with its own verdict and by
//! its own equation: no combination, and no allocation.

use lanner_curve::backend;
use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule, EdwardsPoint, GroupEquation};
use lanner_curve::scalar::Scalar;

use super::Batch;
use crate::verify::admit;

/// How many signatures go together: their points and scalars are on the stack. A multiple
/// of the lanes of every backend.
const GROUP: usize = 16;

/// Whether the processor has lanes enough that this is the fastest way for a batch of any
/// size.
pub(super) fn pays() -> bool {
    backend::lanes() >= 8
}

impl Batch<'_> {
    /// Writes one verdict per signature; `verdicts` has as many elements.
    pub(super) fn verify_side_by_side(&self, verdicts: &mut [bool]) {
        for (group, verdicts) in verdicts.chunks_mut(GROUP).enumerate() {
            self.verify_group(GROUP * group, verdicts);
        }
    }

    /// The verdicts on the signatures from `start` on, at most `GROUP`.
    fn verify_group(&self, start: usize, verdicts: &mut [bool]) {
        // What passes the rules of the profile, in the order of the batch.
        let mut positions = [0; GROUP];
        let mut scalars = [Scalar::ZERO; GROUP];
        let mut encodings = [CompressedEdwardsY::default(); GROUP];
        let mut len = 0;
        for i in 0..verdicts.len() {
            let signature = &self.signatures[start + i];
            let key = self.verifying_keys[start + i].as_bytes();
            if let Ok(s) = admit(&self.rules, key, signature) {
                (positions[len], scalars[len]) = (i, s);
                encodings[len] = CompressedEdwardsY(*signature.r_bytes());
                len += 1;
            }
        }
        verdicts.fill(false);
        let (positions, encodings) = (&positions[..len], &encodings[..len]);

        // The cofactorless equation compares R with the canonical encoding of a point; for
        // the other, the rules have said already which encodings they accept.
        let rule = if self.rules.cofactored {
            DecodingRule::Zip215
        } else {
            DecodingRule::Canonical
        };
        let mut points = [None; GROUP];
        CompressedEdwardsY::vartime_decompress_batch(encodings, rule, &mut points[..len]);

        let mut challenges = [[0; 64]; GROUP];
        let messages = positions.iter().zip(encodings).map(|(&i, r)| {
            let key = self.verifying_keys[start + i].as_bytes();
            [&r.0[..], &key[..], self.messages[start + i]]
        });
        lanner_hash::sha512::digest_each(messages, &mut challenges[..len]);

        let mut equations = [GroupEquation {
            s: Scalar::ZERO,
            r: EdwardsPoint::default(),
            k: Scalar::ZERO,
            a: EdwardsPoint::default(),
        }; GROUP];
        let mut decoded = [0; GROUP];
        let mut count = 0;
        for (j, &i) in positions.iter().enumerate() {
            if let Some(r) = points[j] {
                equations[count] = GroupEquation {
                    s: scalars[j],
                    r,
                    k: Scalar::from_bytes_mod_order_wide(&challenges[j]),
                    a: self.verifying_keys[start + i].to_edwards(),
                };
                decoded[count] = i;
                count += 1;
            }
        }
        let mut valid = [false; GROUP];
        EdwardsPoint::vartime_group_equations(
            &equations[..count],
            self.rules.cofactored,
            &mut valid[..count],
        );
        for (&i, &valid) in decoded[..count].iter().zip(&valid) {
            verdicts[i] = valid;
        }
    }
}
