//! What the crates of the time call things: signature 3, pkcs8 0.11, rand_core 0.10, digest 0.11.

#[cfg(feature = "pkcs8")]
pub(crate) use ed25519::pkcs8::{Error, PrivateKeyInfoRef as PrivateKeyInfo};
#[cfg(any(feature = "digest", feature = "hazmat"))]
pub(crate) use lanner_digest::{Digest, typenum::U64};
#[cfg(feature = "rand_core")]
pub(crate) use rand_core::CryptoRng as Generator;

use ed25519::signature::{MultipartSigner, MultipartVerifier};

use crate::errors::{Cause, verdict};
use crate::verifying::admitted;
use crate::{Signature, SignatureError, SigningKey, VerifyingKey};

/// A signature that Lanner made: the same type.
pub(crate) fn signature(made: lanner_ed25519::Signature) -> Signature {
    made
}

#[cfg(feature = "alloc")]
pub(crate) fn error(cause: Cause) -> SignatureError {
    SignatureError::from_source(cause)
}

#[cfg(not(feature = "alloc"))]
pub(crate) fn error(_: Cause) -> SignatureError {
    SignatureError::new()
}

/// The error of a key file that holds no key.
#[cfg(feature = "pkcs8")]
pub(crate) fn malformed() -> Error {
    Error::KeyMalformed(ed25519::pkcs8::KeyError::Invalid)
}

impl MultipartSigner<Signature> for SigningKey {
    /// Signs the concatenation of the parts. Never fails.
    fn try_multipart_sign(&self, message: &[&[u8]]) -> Result<Signature, SignatureError> {
        self.key.try_multipart_sign(message)
    }
}

impl MultipartVerifier<Signature> for SigningKey {
    fn multipart_verify(
        &self,
        message: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.verifying_key().multipart_verify(message, signature)
    }
}

impl MultipartVerifier<Signature> for VerifyingKey {
    /// Verifies the concatenation of the parts, by the rule of `verify`.
    fn multipart_verify(
        &self,
        message: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        verdict(self.0.multipart_verify(message, &admitted(signature)?))
    }
}

#[cfg(feature = "pkcs8")]
mod algorithm {
    use ed25519::pkcs8::spki::der::AnyRef;
    use ed25519::pkcs8::spki::{
        AlgorithmIdentifier, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier,
    };

    use crate::{Signature, SigningKey, VerifyingKey};

    macro_rules! identified {
        ($($Key:ty)*) => {$(
            impl SignatureAlgorithmIdentifier for $Key {
                type Params = AnyRef<'static>;

                const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> =
                    <Signature as AssociatedAlgorithmIdentifier>::ALGORITHM_IDENTIFIER;
            }
        )*};
    }

    identified!(SigningKey VerifyingKey);
}
