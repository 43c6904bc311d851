//! The signatures of a batch that passed every check but the equation, several at a time: their
//! points are decoded and their messages hashed side by side, without allocation.

use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule, GroupEquation};
use lanner_curve::scalar::Scalar;

use super::Batch;
use crate::verify::admit;

/// How many signatures go together: their points and scalars are on the stack. A multiple
/// of the lanes of every backend.
pub(super) const GROUP: usize = 16;

/// A signature that passed every check but the equation.
#[derive(Clone, Copy)]
pub(super) struct Admitted {
    /// Where it stands in the batch.
    pub(super) position: usize,
    /// What it has to satisfy.
    pub(super) equation: GroupEquation,
    /// The hash of R, A and the message, which the equation has modulo L.
    #[cfg_attr(not(feature = "batch"), allow(dead_code))]
    pub(super) challenge: [u8; 64],
}

impl Batch<'_> {
    /// Gives `take` what is admitted of the `len` signatures from `start` on, in their order, at most
    /// `GROUP` of them.
    pub(super) fn admit_group(&self, start: usize, len: usize, mut take: impl FnMut(Admitted)) {
        // What passes the rules of the profile.
        let mut positions = [0; GROUP];
        let mut scalars = [Scalar::ZERO; GROUP];
        let mut encodings = [CompressedEdwardsY::default(); GROUP];
        let mut count = 0;
        for position in start..start + len {
            let signature = &self.signatures[position];
            let key = self.verifying_keys[position].as_bytes();
            if let Ok(s) = admit(&self.rules, key, signature) {
                (positions[count], scalars[count]) = (position, s);
                encodings[count] = CompressedEdwardsY(*signature.r_bytes());
                count += 1;
            }
        }
        let (positions, encodings) = (&positions[..count], &encodings[..count]);

        // The cofactorless equation compares R with the canonical encoding of a point; for
        // the other, the rules have said already which encodings they accept.
        let rule = if self.rules.cofactored {
            DecodingRule::Zip215
        } else {
            DecodingRule::Canonical
        };
        let mut points = [None; GROUP];
        CompressedEdwardsY::vartime_decompress_batch(encodings, rule, &mut points[..count]);

        let mut challenges = [[0; 64]; GROUP];
        let messages = positions.iter().zip(encodings).map(|(&position, r)| {
            let key = self.verifying_keys[position].as_bytes();
            [&r.0[..], &key[..], self.messages[position]]
        });
        lanner_hash::sha512::digest_each(messages, &mut challenges[..count]);

        for (i, &position) in positions.iter().enumerate() {
            if let Some(r) = points[i] {
                take(Admitted {
                    position,
                    equation: GroupEquation {
                        s: scalars[i],
                        r,
                        k: Scalar::from_bytes_mod_order_wide(&challenges[i]),
                        a: self.verifying_keys[position].to_edwards(),
                    },
                    challenge: challenges[i],
                });
            }
        }
    }
}
