//! What is wrong with a whole call. A row that is not valid is no error.

use core::fmt;

use arrow_schema::DataType;

use crate::Encoding;
use crate::reason::{Column, Reason};

/// Why there are no verdicts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A column has a type that holds no bytes.
    Type {
        /// Which column.
        column: Column,
        /// Its type.
        found: DataType,
    },
    /// A column of text, without an [`Encoding`] by which it stands for bytes.
    Text {
        /// Which column.
        column: Column,
        /// Its type.
        found: DataType,
    },
    /// A column of fixed width, and not that of a key or a signature.
    Width {
        /// Which column.
        column: Column,
        /// Its width in bytes.
        found: usize,
        /// How its bytes are written.
        encoding: Encoding,
    },
    /// A column has another number of rows than the one before it.
    Rows {
        /// Which column.
        column: Column,
        /// How many rows it has.
        found: usize,
        /// How many rows the others have.
        expected: usize,
    },
    /// A row is malformed, where the caller asked for an error then (`strict`).
    Malformed {
        /// The row, from 0.
        row: usize,
        /// What is wrong with it.
        reason: Reason,
    },
    /// The context of FN-DSA is longer than 255 bytes.
    Context,
    /// The caller stopped the work.
    Stopped,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { column, found } => {
                write!(
                    f,
                    "the column {column} is {found}: it must hold binary data or text"
                )
            }
            Self::Text { column, found } => write!(
                f,
                "the column {column} is {found}: say which encoding it is in (hex, base64 or base64url)"
            ),
            Self::Width {
                column,
                found,
                encoding,
            } => write!(
                f,
                "the column {column} has {found} bytes in each row, which nothing of that kind has (read as {encoding})"
            ),
            Self::Rows {
                column,
                found,
                expected,
            } => {
                write!(
                    f,
                    "the column {column} has {found} rows, and the ones before it {expected}"
                )
            }
            Self::Malformed { row, reason } => write!(f, "row {row}: {reason}"),
            Self::Context => f.write_str("a context has at most 255 bytes"),
            Self::Stopped => f.write_str("stopped by the caller"),
        }
    }
}

impl core::error::Error for Error {}
