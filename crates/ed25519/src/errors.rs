//! The one error of this crate.

/// The opaque error of signing, verifying and decoding.
///
/// It says no more than "not valid", because telling an attacker which check
/// failed helps nobody else. It arises when
///
/// * bytes have the wrong length for a key or a signature,
/// * 32 bytes are not the encoding of a point of the curve,
/// * the public half of a key pair does not belong to its secret half,
/// * a context is longer than 255 bytes (or empty, for Ed25519ctx),
/// * the slices given to a batch differ in length,
/// * a signature is not valid under the profile that was asked for.
///
/// The error never carries a source, whatever the features.
pub type SignatureError = signature::Error;

/// `Ok(())` if `valid`, else the opaque error.
pub(crate) fn require(valid: bool) -> Result<(), SignatureError> {
    if valid {
        Ok(())
    } else {
        Err(SignatureError::new())
    }
}
