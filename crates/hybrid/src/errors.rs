//! The errors of this crate.

use core::fmt;

/// Why an operation was refused.
///
/// Whether a signature or a key is good has one opaque answer each: [`Error::Signature`] does not say which half is
/// not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The degree is not one that the type supports.
    Degree,
    /// A buffer does not have the exact length.
    Length,
    /// The context is longer than 255 bytes.
    Context,
    /// The key is malformed: wrong length, or one of its halves is no key or not in its one encoding.
    Key,
    /// The signature is not valid: one of its halves, at least.
    Signature,
    /// The random generator failed.
    Random,
    /// A signature was made twice, and came out differently, or is not valid: the processor or the memory failed.
    Fault,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::Degree => "the degree is not supported by this type",
            Error::Length => "a buffer has the wrong length",
            Error::Context => "the context is longer than 255 bytes",
            Error::Key => "the key is malformed",
            Error::Signature => "the signature is not valid",
            Error::Random => "the random generator failed",
            Error::Fault => {
                "the signature did not pass its check: the processor or the memory failed"
            }
        })
    }
}

impl core::error::Error for Error {}
