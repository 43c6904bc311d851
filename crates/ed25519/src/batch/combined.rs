//! The combined check of several items.

use crate::sha512::Sha512;
use lanner_curve::constants::ED25519_BASEPOINT_POINT;
use lanner_curve::edwards::EdwardsPoint;
use lanner_curve::scalar::Scalar;
use sha2::Digest;

use super::coefficients::Transcript;
use super::{room, torsion};
use crate::domain::Domain;
use crate::equation::{self, PublicPoint};
use crate::profile::Rules;
use crate::verify::{Candidate, CandidateR, KeyParts, challenge_hash};
use crate::{Signature, SignatureError, VerifyingKey, encoding};

/// A signature that passed every check but the equation.
pub(super) struct Item {
    candidate: Candidate,
    key: VerifyingKey,
    /// The hash of R, A and the message.
    challenge: [u8; 64],
    /// The hash reduced modulo L.
    k: Scalar,
    /// R decoded, if some combination has asked for it; `None` within if it is
    /// not the canonical encoding of a point, and the item hence not valid.
    r: Option<Option<EdwardsPoint>>,
}

impl Item {
    pub(super) fn new(
        rules: &Rules,
        key: &VerifyingKey,
        message: &[u8],
        signature: &Signature,
    ) -> Result<Self, SignatureError> {
        let candidate = Candidate::new(rules, key.as_bytes(), signature)?;
        let mut hash: Sha512 = challenge_hash(Domain::PURE, key.as_bytes(), signature.r_bytes());
        hash.update(message);
        let challenge = hash.finalize().into();
        Ok(Item {
            candidate,
            key: *key,
            k: Scalar::from_bytes_mod_order_wide(&challenge),
            challenge,
            r: None,
        })
    }

    /// Single verification.
    pub(super) fn is_valid(&self) -> bool {
        self.is_valid_under(self.key.point())
    }

    /// Single verification with the point of the key in another form.
    pub(super) fn is_valid_under(&self, a: &impl PublicPoint) -> bool {
        self.candidate.vartime_check(&self.k, a).is_ok()
    }

    pub(super) fn key(&self) -> &VerifyingKey {
        &self.key
    }

    /// R as a point; `None` if the item is invalid because of it.
    fn r(&mut self) -> Option<EdwardsPoint> {
        match &self.candidate.r {
            CandidateR::Point(point) => Some(*point),
            CandidateR::Bytes(bytes) => *self.r.get_or_insert_with(|| {
                // The cofactorless equation compares R with the canonical
                // encoding of a point.
                encoding::is_canonical(bytes)
                    .then(|| equation::decode(bytes))
                    .flatten()
            }),
        }
    }
}

/// Whether all of the items are valid. See the module `batch` for why this
/// equals single verification. `None` if there is not enough memory to tell. Variable time.
pub(super) fn all_valid(cofactored: bool, aux_rand: &[u8], items: &mut [Item]) -> Option<bool> {
    let mut commitments = room(items.len())?;
    for item in items.iter_mut() {
        match item.r() {
            Some(r) => commitments.push(r),
            None => return Some(false),
        }
    }

    let mut transcript = Transcript::new(items.len(), aux_rand);
    for item in items.iter() {
        transcript.absorb(&item.challenge, &item.candidate.s);
    }
    let coefficients = transcript.finish();

    // The sum of [z]([S]B - [k]A - R). Keys often repeat: each is multiplied
    // once. Scalars count modulo L, which is exact up to torsion.
    let mut base = Scalar::ZERO;
    let mut weights = room(items.len())?;
    let mut scalars = room(2 * items.len() + 1)?;
    for (i, chunk) in items.chunks(4).enumerate() {
        for (item, z) in chunk.iter().zip(coefficients.scalars(i)) {
            let z = Scalar::from(z);
            base -= z * item.candidate.s;
            weights.push(z * item.k);
            scalars.push(z);
        }
    }
    scalars.push(base);
    let mut by_key = room(items.len())?;
    by_key.extend(0..items.len());
    by_key.sort_unstable_by_key(|&i| items[i].key.as_bytes());
    let mut keys = room(items.len())?;
    for same in by_key.chunk_by(|&i, &j| items[i].key.as_bytes() == items[j].key.as_bytes()) {
        keys.push(items[same[0]].key.to_edwards());
        scalars.push(same.iter().map(|&i| weights[i]).sum());
    }
    let points = commitments
        .iter()
        .chain([&ED25519_BASEPOINT_POINT])
        .chain(&keys);
    if !EdwardsPoint::try_vartime_multiscalar_mul(&scalars, points)?.is_small_order() {
        return Some(false);
    }
    if cofactored {
        return Some(true);
    }

    // Every defect D is of small order now; the cofactorless equation wants it
    // to be zero.
    let mut residues = room(items.len())?;
    let pairs = items.iter().zip(&commitments);
    residues.extend(pairs.map(|(item, r)| torsion::residue(&item.k, item.key.point(), r)));
    torsion::vartime_all_free(&residues, &coefficients)
}
