//! What is wrong, in the words that programs have seen so far.

use core::fmt;

use crate::SignatureError;

/// The source of a [`SignatureError`]. Nothing here depends on a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// No point of the curve has this y.
    Point,
    /// S is not below L.
    Scalar,
    /// A slice is not as long as what it should be.
    Length { name: &'static str, length: usize },
    /// The signature is not one of this message under this key.
    Verify,
    /// The slices of a batch differ in length: messages, signatures, keys.
    #[cfg(feature = "batch")]
    Arrays([usize; 3]),
    /// A context has more than 255 bytes.
    #[cfg(feature = "digest")]
    Context,
    /// The public key is not the one of the secret key.
    Mismatch,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Programs print these and compare them: they are an interface.
        match self {
            Cause::Point => f.write_str("Cannot decompress Edwards point"),
            Cause::Scalar => f.write_str("Cannot use scalar with high-bit set"),
            Cause::Length { name, length } => write!(f, "{name} must be {length} bytes in length"),
            Cause::Verify => f.write_str("Verification equation was not satisfied"),
            #[cfg(feature = "batch")]
            Cause::Arrays([messages, signatures, keys]) => write!(
                f,
                // The break and the 30 spaces are the originals'.
                "Arrays must be the same length: signatures has length {signatures},\n{:30}messages has \
                 length {messages}, verifying_keys has length {keys}.",
                ""
            ),
            #[cfg(feature = "digest")]
            Cause::Context => {
                f.write_str("An ed25519ph signature can only take up to 255 octets of context")
            }
            Cause::Mismatch => f.write_str("Mismatched Keypair detected"),
        }
    }
}

impl core::error::Error for Cause {}

impl From<Cause> for SignatureError {
    fn from(cause: Cause) -> SignatureError {
        crate::ecosystem::error(cause)
    }
}

/// The verdict of Lanner on a signature.
pub(crate) fn verdict(
    result: Result<(), lanner_ed25519::SignatureError>,
) -> Result<(), SignatureError> {
    result.map_err(|_| Cause::Verify.into())
}
