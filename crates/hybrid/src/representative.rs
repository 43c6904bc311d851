//! What both halves sign in the place of a message.

use crate::{DIGEST_LENGTH, Error, LOGN_512, LOGN_1024, MAX_CONTEXT_LENGTH};

/// What every representative begins with, and every derivation of keys: 25 bytes. Formats that sign the bytes of a message as
/// they are should refuse messages that begin so.
pub const PREFIX: &[u8; 25] = b"LannerHybridSignature2026";

const LABEL_512: &[u8] = b"Ed25519+FN-DSA-512-main-SHA512";
const LABEL_1024: &[u8] = b"Ed25519+FN-DSA-1024-main-SHA512";

/// The label with FN-DSA of degree 2^`logn`: it names both algorithms, the variant of FN-DSA, and the hash. ASCII, 30 or 31 bytes.
///
/// # Panics
///
/// If `logn` is not 9 or 10.
#[must_use]
pub const fn label(logn: u32) -> &'static [u8] {
    match checked(logn) {
        LOGN_512 => LABEL_512,
        _ => LABEL_1024,
    }
}

/// The degree, if it is one of those that hybrids have.
pub(crate) const fn checked(logn: u32) -> u32 {
    assert!(
        logn == LOGN_512 || logn == LOGN_1024,
        "degrees 512 and 1024 alone"
    );
    logn
}

/// What is signed names one of two degrees, so that types for others do not compile.
pub(crate) const fn has_label(min: u32, n: usize) -> bool {
    min >= LOGN_512 && (n == 512 || n == 1024)
}

/// What programs call it: `ed25519+fn-dsa-512` or `ed25519+fn-dsa-1024`.
///
/// # Panics
///
/// If `logn` is not 9 or 10.
#[must_use]
pub const fn name(logn: u32) -> &'static str {
    match checked(logn) {
        LOGN_512 => "ed25519+fn-dsa-512",
        _ => "ed25519+fn-dsa-1024",
    }
}

/// Prefix, label, hash of the key, context, hash of the message; label and context with their lengths before them.
const MAX_LENGTH: usize =
    PREFIX.len() + 1 + LABEL_1024.len() + DIGEST_LENGTH + 1 + MAX_CONTEXT_LENGTH + DIGEST_LENGTH;

pub(crate) struct Representative {
    bytes: [u8; MAX_LENGTH],
    length: usize,
}

impl Representative {
    pub(crate) fn new(
        logn: u32,
        key_hash: &[u8; DIGEST_LENGTH],
        context: &[u8],
        digest: &[u8; DIGEST_LENGTH],
    ) -> Result<Self, Error> {
        let context_length = u8::try_from(context.len()).map_err(|_| Error::Context)?;
        let label = label(logn);
        let label_length = label.len() as u8;
        let mut it = Representative {
            bytes: [0; MAX_LENGTH],
            length: 0,
        };
        for part in [
            &PREFIX[..],
            &[label_length],
            label,
            key_hash,
            &[context_length],
            context,
            digest,
        ] {
            it.bytes[it.length..it.length + part.len()].copy_from_slice(part);
            it.length += part.len();
        }
        Ok(it)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_fits() {
        let hash = [7; DIGEST_LENGTH];
        let longest = Representative::new(10, &hash, &[1; 255], &hash).unwrap();
        assert_eq!(longest.bytes().len(), MAX_LENGTH);
        let refused = Representative::new(10, &hash, &[1; 256], &hash);
        assert_eq!(refused.err(), Some(Error::Context));
    }

    #[test]
    fn types_have_labels() {
        assert!(has_label(9, 512) && has_label(9, 1024) && has_label(10, 1024));
        for (min, n) in [
            (8, 1024),
            (2, 256),
            (9, 256),
            (0, 512),
            (9, 2048),
            (9, 1023),
        ] {
            assert!(!has_label(min, n));
        }
    }

    /// No label is the beginning of another with its length before it, and the names differ.
    #[test]
    fn labels_differ() {
        assert_ne!(label(9).len(), label(10).len());
        assert_ne!(name(9), name(10));
        assert!(PREFIX.starts_with(b"LannerHybrid"));
    }
}
