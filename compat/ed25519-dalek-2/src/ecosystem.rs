//! What the crates of the time call things: signature 2, pkcs8 0.10, rand_core 0.6, digest 0.10.

#[cfg(any(feature = "digest", feature = "hazmat"))]
pub(crate) use curve25519_dalek::digest::{Digest, generic_array::typenum::U64};
#[cfg(feature = "pkcs8")]
pub(crate) use ed25519::pkcs8::{Error, PrivateKeyInfo};
#[cfg(feature = "rand_core")]
pub(crate) use rand_core::CryptoRngCore as Generator;

use crate::errors::Cause;
use crate::{Signature, SignatureError};

/// A signature that Lanner made.
pub(crate) fn signature(made: lanner_ed25519::Signature) -> Signature {
    Signature::from_bytes(&made.to_bytes())
}

#[cfg(feature = "std")]
pub(crate) fn error(cause: Cause) -> SignatureError {
    SignatureError::from_source(cause)
}

#[cfg(not(feature = "std"))]
pub(crate) fn error(_: Cause) -> SignatureError {
    SignatureError::new()
}

/// The error of a key file that holds no key.
#[cfg(feature = "pkcs8")]
pub(crate) fn malformed() -> Error {
    Error::KeyMalformed
}

#[cfg(all(feature = "alloc", feature = "pkcs8"))]
mod algorithm {
    use ed25519::pkcs8::spki::{self, AlgorithmIdentifierOwned, DynSignatureAlgorithmIdentifier};

    use crate::{SigningKey, VerifyingKey};

    macro_rules! identified {
        ($($Key:ty)*) => {$(
            impl DynSignatureAlgorithmIdentifier for $Key {
                fn signature_algorithm_identifier(
                    &self,
                ) -> spki::Result<AlgorithmIdentifierOwned> {
                    Ok(AlgorithmIdentifierOwned {
                        oid: ed25519::pkcs8::ALGORITHM_OID,
                        parameters: None,
                    })
                }
            }
        )*};
    }

    identified!(SigningKey VerifyingKey);
}
