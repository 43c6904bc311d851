//! The errors of this crate.

use core::fmt;

/// Why an operation was refused.
///
/// Whether a *signature* or a *key* is good has one opaque answer each: [`Error::Signature`] and
/// [`Error::Key`] do not say which of the checks failed. The other values are about how a function
/// was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The degree is not one that the type supports.
    Degree,
    /// A buffer does not have the exact length that the degree asks for.
    Length,
    /// The context is longer than 255 bytes.
    Context,
    /// The key is malformed: wrong header or length, a value out of range, an encoding that is not
    /// the canonical one, or parts that do not belong together. Or it is none any more, because it was wiped.
    Key,
    /// The signature is not valid: malformed, not canonical, or not made for this message,
    /// context and key.
    Signature,
    /// The random generator failed.
    Random,
    /// Signing gave up after more attempts than chance explains: the signing key decoded, but does
    /// not come from a key generator.
    Attempts,
    /// A signature was made twice, and came out differently, or is not valid: the processor or the memory failed.
    Fault,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::Degree => "the degree is not supported by this type",
            Error::Length => "a buffer has the wrong length for the degree",
            Error::Context => "the context is longer than 255 bytes",
            Error::Key => "the key is malformed",
            Error::Signature => "the signature is not valid",
            Error::Random => "the random generator failed",
            Error::Attempts => "no signature was found: the signing key is bad",
            Error::Fault => {
                "the signature did not pass its check: the processor or the memory failed"
            }
        })
    }
}

impl core::error::Error for Error {}
