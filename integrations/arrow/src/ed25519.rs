//! Ed25519 (RFC 8032) in columns.

use arrow_array::{BooleanArray, Datum};
use lanner_ed25519::batch::Batch;
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{PUBLIC_KEY_LENGTH, SIGNATURE_LENGTH, Signature, VerifyingKey, diagnose};

use crate::kernel::Kernel;
use crate::options::{Options, option_methods};
use crate::scheme::{Row, Scheme};
use crate::{Encoding, Error, Explained, Nulls, Reason};

/// How many decoded keys a thread keeps: about 4 MB of them.
const KEYS_KEPT: usize = 1 << 14;

/// Verifies Ed25519 signatures (RFC 8032, section 5.1.7) in columns, under one
/// [profile](lanner_ed25519::profile): public keys of 32 bytes, signatures of 64.
///
/// The verdicts are those of `VerifyingKey::from_bytes(key)?.under(profile).verify(message, signature)`, row by row. Variable
/// time, as everything here.
pub struct Ed25519 {
    scheme: Equation,
    kernel: Kernel<Equation>,
}

impl Ed25519 {
    /// A verifier under a profile: a type of [`lanner_ed25519::profile`], or a [`ProfileName`] that was chosen at run time.
    #[must_use]
    pub fn new(profile: impl Into<ProfileName>) -> Self {
        Self {
            scheme: Equation {
                profile: profile.into(),
            },
            kernel: Kernel::new(Options::new(KEYS_KEPT)),
        }
    }

    /// How many decoded keys are kept at most from one chunk of 2,048 rows to the next, for each call that is under way at one
    /// time: a quarter of a kilobyte each, 16,384 unless this is called. Those of a chunk are beside them.
    #[must_use]
    pub fn keys_kept(mut self, keys: usize) -> Self {
        self.kernel.options.keys_kept = keys;
        self
    }

    /// The profile.
    #[must_use]
    pub fn profile(&self) -> ProfileName {
        self.scheme.profile
    }

    option_methods!();
}

pub(crate) struct Equation {
    profile: ProfileName,
}

impl Scheme for Equation {
    type Key = VerifyingKey;
    type Encoded = [u8; PUBLIC_KEY_LENGTH];

    // A batch of different keys gains little beyond 1,024 (docs/benchmarks.md), but signatures under one key share its part of
    // the sum: with 1,000 keys by Zipf's law 2,048 rows take 0.92 of the time, 4,096 rows 0.89 (the example `kernels`).
    const ROWS: usize = 2048;

    fn key_lengths(&self) -> &'static [usize] {
        &[PUBLIC_KEY_LENGTH]
    }

    fn signature_length(&self, _: usize) -> usize {
        SIGNATURE_LENGTH
    }

    fn encoded(bytes: &[u8]) -> Self::Encoded {
        bytes
            .try_into()
            .expect("the kernel has looked at the length")
    }

    fn decode_each<T>(
        items: &mut [T],
        of: impl Fn(&T) -> &Self::Encoded,
        put: impl Fn(&mut T, Option<VerifyingKey>),
    ) {
        let encoded: Vec<_> = items.iter().map(|item| *of(item)).collect();
        let mut keys = vec![None; items.len()];
        VerifyingKey::from_bytes_each(&encoded, &mut keys);
        for (item, key) in items.iter_mut().zip(keys) {
            put(item, key);
        }
    }

    fn verify_each(
        &self,
        rows: &[Row<'_, VerifyingKey>],
        many_invalid: bool,
        verdicts: &mut [bool],
    ) {
        let messages: Vec<_> = rows.iter().map(|row| row.message).collect();
        let keys: Vec<_> = rows.iter().map(|row| *row.key).collect();
        let signatures: Vec<_> = rows.iter().map(|row| signature(row.signature)).collect();
        Batch::new(self.profile, &messages, &signatures, &keys)
            .and_then(|batch| {
                // A batch that is searched for many rows is computed several times, and these rows then once more.
                if many_invalid {
                    batch.verify_each_into(verdicts)
                } else {
                    batch.verify_each_combined_into(verdicts)
                }
            })
            .expect("as many of each");
    }

    fn is_searched_for(&self, row: &Row<'_, VerifyingKey>) -> bool {
        let signature = signature(row.signature);
        let reason = diagnose(row.key.as_bytes(), self.profile, row.message, &signature);
        reason == Some(lanner_ed25519::Reason::Equation)
    }

    fn reason(&self, key: &[u8], message: &[u8], bytes: &[u8]) -> Reason {
        let key = Self::encoded(key);
        let reason = diagnose(&key, self.profile, message, &signature(bytes));
        reason.map_or(Reason::Signature, Reason::Ed25519)
    }
}

fn signature(bytes: &[u8]) -> Signature {
    Signature::from_bytes(
        bytes
            .try_into()
            .expect("the kernel has looked at the length"),
    )
}

#[cfg(test)]
mod tests {
    use lanner_ed25519::profile::{ProfileName, Strict, Zip215};
    use lanner_ed25519::{Signer, SigningKey};

    use super::Equation;
    use crate::scheme::{Row, Scheme};

    #[test]
    fn a_batch_is_searched_for_what_the_equation_alone_shows() {
        let signer = SigningKey::from_bytes(&[1; 32]);
        let (key, good) = (signer.verifying_key(), signer.sign(b"message").to_bytes());
        let is_searched_for = |profile: ProfileName, message: &[u8], signature: [u8; 64]| {
            Equation { profile }.is_searched_for(&Row {
                key: &key,
                message,
                signature: &signature,
            })
        };
        let with = |place: usize, byte: u8| {
            let mut signature = good;
            signature[place] = byte;
            signature
        };
        assert!(is_searched_for(Strict.into(), b"another", good));
        assert!(is_searched_for(
            Strict.into(),
            b"message",
            with(32, good[32] ^ 1)
        ));
        assert!(!is_searched_for(Strict.into(), b"message", good));
        assert!(!is_searched_for(Strict.into(), b"message", with(63, 0xff)));
        // R of small order, which one profile refuses and the other does not.
        assert!(!is_searched_for(Strict.into(), b"message", [0; 64]));
        assert!(is_searched_for(Zip215.into(), b"message", [0; 64]));
    }
}
