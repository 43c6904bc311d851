//! The rows of the report: what is measured.

use std::fmt;

/// The batch sizes.
pub(crate) const BATCHES: [usize; 8] = [4, 8, 16, 32, 64, 128, 256, 1024];

/// One measured operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// From a 32-byte seed to the 32-byte public key.
    Keygen,
    /// A signature, with the key object held.
    Sign,
    /// Verification from the bytes of key and signature, by the default rule.
    Verify,
    /// The same with the decoded key held.
    VerifyDecoded,
    /// From bytes, by the strict rule.
    VerifyStrict,
    /// Batch verification from bytes; the figure is per signature.
    Batch(usize),
    /// The same with decoded keys held.
    BatchDecoded(usize),
    /// Batch verification from bytes by the rule of ZIP 215; per signature.
    BatchZip215(usize),
    /// From a 32-byte secret to the 32-byte public key.
    X25519Base,
    /// The shared secret, from the bytes of the peer's public key.
    X25519,
}

impl Row {
    /// All rows, in the order of the report.
    pub(crate) fn all() -> Vec<Self> {
        let mut rows = vec![
            Self::Keygen,
            Self::Sign,
            Self::Verify,
            Self::VerifyDecoded,
            Self::VerifyStrict,
        ];
        rows.extend(BATCHES.map(Self::Batch));
        rows.extend(BATCHES.map(Self::BatchDecoded));
        rows.extend(BATCHES.map(Self::BatchZip215));
        rows.extend([Self::X25519Base, Self::X25519]);
        rows
    }

    /// How many signatures one run of the operation handles.
    pub(crate) fn units(self) -> usize {
        match self {
            Self::Batch(n) | Self::BatchDecoded(n) | Self::BatchZip215(n) => n,
            _ => 1,
        }
    }

    /// The rows that a comma-separated list names: by whole name, or else by part of a name.
    ///
    /// # Errors
    ///
    /// An item fits no row.
    pub(crate) fn select(list: &str) -> Result<Vec<Self>, String> {
        let mut chosen = Vec::new();
        for item in list
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
        {
            let mut fits: Vec<Self> = Self::all()
                .into_iter()
                .filter(|row| row.to_string() == item)
                .collect();
            if fits.is_empty() {
                fits = Self::all()
                    .into_iter()
                    .filter(|row| row.to_string().contains(item))
                    .collect();
            }
            if fits.is_empty() {
                let names: Vec<String> = Self::all().iter().map(Self::to_string).collect();
                return Err(format!(
                    "no row fits '{item}'; the rows are {}",
                    names.join(", ")
                ));
            }
            chosen.extend(fits);
        }
        Ok(Self::all()
            .into_iter()
            .filter(|row| chosen.contains(row))
            .collect())
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keygen => f.write_str("keygen"),
            Self::Sign => f.write_str("sign"),
            Self::Verify => f.write_str("verify"),
            Self::VerifyDecoded => f.write_str("verify-decoded"),
            Self::VerifyStrict => f.write_str("verify-strict"),
            Self::Batch(n) => write!(f, "batch-{n}"),
            Self::BatchDecoded(n) => write!(f, "batch-{n}-decoded"),
            Self::BatchZip215(n) => write!(f, "batch-{n}-zip215"),
            Self::X25519Base => f.write_str("x25519-base"),
            Self::X25519 => f.write_str("x25519"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Row;

    #[test]
    fn whole_names_win_over_parts() {
        assert_eq!(Row::select("verify"), Ok(vec![Row::Verify]));
        assert_eq!(
            Row::select("x25519, sign"),
            Ok(vec![Row::Sign, Row::X25519])
        );
        assert_eq!(Row::select("batch").map(|rows| rows.len()), Ok(24));
        assert!(Row::select("hash").is_err());
    }

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<String> = Row::all().iter().map(Row::to_string).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
