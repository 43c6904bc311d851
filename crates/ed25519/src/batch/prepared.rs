//! Many signatures under keys with tables, each with its own verdict.

use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule, EdwardsPoint, VartimePreparedPoint};
use lanner_curve::scalar::Scalar;

use crate::errors::require;
use crate::many::hash_each;
use crate::profile::{ProfileName, Rules};
use crate::verify::{KeyParts, admit};
use crate::{PreparedVerifyingKey, ProfileVerifier, Signature, SignatureError};

/// How many signatures go together: their points and scalars are on the stack. A multiple of the lanes of every
/// backend.
const GROUP: usize = 16;

/// Signatures under keys that were kept with their tables, to be verified together under one
/// [profile](crate::profile): `signatures[i]` on `messages[i]` under `keys[i]`. Keys may repeat.
///
/// Neither decoding a key nor allocation is needed. Everything here is public and takes variable time.
///
/// ```
/// use lanner_ed25519::{PreparedVerifyingKey, Signer, SigningKey};
/// use lanner_ed25519::{batch::PreparedBatch, profile::Strict};
///
/// let key = SigningKey::from_bytes(&[1; 32]);
/// let signatures = [key.sign(b"zero"), key.sign(b"one")];
/// let prepared = PreparedVerifyingKey::new(&key.verifying_key());
///
/// let mut verdicts = [false; 2];
/// let messages: [&[u8]; 2] = [b"null", b"one"];
/// let keys = [&prepared; 2];
/// let batch = PreparedBatch::new(Strict, &messages, &signatures, &keys)?;
/// batch.verify_each_into(&mut verdicts)?;
/// assert_eq!(verdicts, [false, true]);
/// # Ok::<(), lanner_ed25519::SignatureError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PreparedBatch<'b> {
    rules: Rules,
    /// As many as there are signatures, like the keys.
    messages: &'b [&'b [u8]],
    signatures: &'b [Signature],
    keys: &'b [&'b PreparedVerifyingKey],
}

impl<'b> PreparedBatch<'b> {
    /// A batch under a profile: a type of [`profile`](crate::profile), or a [`ProfileName`] that was chosen at run
    /// time.
    ///
    /// # Errors
    ///
    /// If the slices differ in length.
    pub fn new(
        profile: impl Into<ProfileName>,
        messages: &'b [&'b [u8]],
        signatures: &'b [Signature],
        keys: &'b [&'b PreparedVerifyingKey],
    ) -> Result<Self, SignatureError> {
        require(messages.len() == signatures.len() && signatures.len() == keys.len())?;
        Ok(PreparedBatch {
            rules: profile.into().rules(),
            messages,
            signatures,
            keys,
        })
    }

    /// One verdict per signature, exactly that of [`PreparedVerifyingKey::under`], without allocation: `verdicts[i]`
    /// becomes whether `signatures[i]` is valid.
    ///
    /// On a processor with vectors of eight lanes (AVX-512 IFMA) signatures are verified side by side, each in a third
    /// to a half of the time of one alone. On others they share an inversion.
    ///
    /// # Errors
    ///
    /// If `verdicts` has another length than the batch; it stays as it is then. (An invalid signature is no error here.)
    pub fn verify_each_into(&self, verdicts: &mut [bool]) -> Result<(), SignatureError> {
        require(verdicts.len() == self.signatures.len())?;
        for (group, verdicts) in verdicts.chunks_mut(GROUP).enumerate() {
            let start = GROUP * group;
            match verdicts {
                [verdict] => {
                    *verdict = ProfileVerifier::new(self.rules, self.keys[start])
                        .verify(self.messages[start], &self.signatures[start])
                        .is_ok();
                }
                verdicts => self.verify_group(start, verdicts),
            }
        }
        Ok(())
    }

    /// The verdicts on the signatures from `start` on, at most `GROUP`.
    fn verify_group(&self, start: usize, verdicts: &mut [bool]) {
        verdicts.fill(false);
        // What passes the rules of the profile, in the order of the batch.
        let mut positions = [0; GROUP];
        let mut scalars = [Scalar::ZERO; GROUP];
        let mut commitments = [CompressedEdwardsY::default(); GROUP];
        let mut count = 0;
        for i in 0..verdicts.len() {
            let signature = &self.signatures[start + i];
            if let Ok(s) = admit(&self.rules, self.keys[start + i].encoding(), signature) {
                (positions[count], scalars[count]) = (i, s);
                commitments[count] = CompressedEdwardsY(*signature.r_bytes());
                count += 1;
            }
        }
        let (positions, commitments) = (&positions[..count], &commitments[..count]);
        let Some(&first) = positions.first() else {
            return;
        };

        let mut hashes = [[0; 64]; GROUP];
        let messages = positions.iter().zip(commitments).map(|(&i, r)| {
            let key = self.keys[start + i].encoding();
            [&r.0[..], &key[..], self.messages[start + i]]
        });
        hash_each(messages, &mut hashes[..count]);
        let mut challenges = [Scalar::ZERO; GROUP];
        let mut tables: [&VartimePreparedPoint; GROUP] =
            [self.keys[start + first].point().tables(); GROUP];
        for (j, &i) in positions.iter().enumerate() {
            challenges[j] = Scalar::from_bytes_mod_order_wide(&hashes[j]);
            tables[j] = self.keys[start + i].point().tables();
        }

        // \[S]B - \[k]A.
        let mut expected = [EdwardsPoint::default(); GROUP];
        let mut encodings = [CompressedEdwardsY::default(); GROUP];
        VartimePreparedPoint::vartime_double_scalar_mul_basepoint_each(
            &tables[..count],
            &challenges[..count],
            &scalars[..count],
            &mut expected[..count],
            &mut encodings[..count],
        );
        if self.rules.cofactored {
            // The rules have said already which encodings of R they accept.
            let mut points = [None; GROUP];
            let points = &mut points[..count];
            CompressedEdwardsY::vartime_decompress_batch(commitments, DecodingRule::Zip215, points);
            for (j, &i) in positions.iter().enumerate() {
                verdicts[i] = points[j].is_some_and(|r| (expected[j] - r).is_small_order());
            }
        } else {
            for (j, &i) in positions.iter().enumerate() {
                verdicts[i] = encodings[j].0 == commitments[j].0;
            }
        }
    }
}
