//! Why a row is not valid.

use core::fmt;

/// One of the three columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// The public keys.
    PublicKeys,
    /// The messages.
    Messages,
    /// The signatures.
    Signatures,
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PublicKeys => "public_keys",
            Self::Messages => "messages",
            Self::Signatures => "signatures",
        })
    }
}

/// Why a row is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The value of this column is null.
    Null(Column),
    /// The text of this column does not stand for bytes in the encoding that it is read in.
    Text(Column),
    /// No key or signature has this length in bytes.
    Length(Column),
    /// The signature is well formed and not valid under the profile.
    Ed25519(lanner_ed25519::Reason),
    /// The public key is none of FN-DSA.
    Key,
    /// The signature is well formed and not valid.
    Signature,
}

impl Reason {
    /// Whether the row cannot be judged at all: its text does not decode, or a length is wrong.
    #[must_use]
    pub fn is_malformed(self) -> bool {
        matches!(self, Self::Text(_) | Self::Length(_))
    }

    /// A name for logs and tables, which never changes: `null_key`, `null_message`, `null_signature`, `text_key`,
    /// `text_message`, `text_signature`, `key_length`, `signature_length`, `key_encoding`, `weak_key`, `r_encoding`, `s_range`,
    /// `equation`, or `signature`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Null(Column::PublicKeys) => "null_key",
            Self::Null(Column::Messages) => "null_message",
            Self::Null(Column::Signatures) => "null_signature",
            Self::Text(Column::PublicKeys) => "text_key",
            Self::Text(Column::Messages) => "text_message",
            Self::Text(Column::Signatures) => "text_signature",
            Self::Length(Column::PublicKeys) => "key_length",
            Self::Length(_) => "signature_length",
            Self::Ed25519(reason) => reason.as_str(),
            Self::Key => "key_encoding",
            Self::Signature => "signature",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null(column) => write!(f, "the value of {column} is null"),
            Self::Text(column) => write!(f, "the value of {column} is not in its encoding"),
            Self::Length(column) => write!(f, "the value of {column} has a wrong length"),
            Self::Ed25519(reason) => reason.fmt(f),
            Self::Key => f.write_str("the public key does not decode"),
            Self::Signature => f.write_str("the signature is not valid"),
        }
    }
}
