//! The traits of the crate `signature`, for the types of one degree.

use core::fmt;

#[cfg(feature = "sign")]
use rand_core::TryCryptoRng;
use signature::{Error, MultipartVerifier, SignatureEncoding, Verifier};
#[cfg(feature = "sign")]
use signature::{RandomizedMultipartSigner, RandomizedSigner};

use crate::hash::{DOMAIN_NONE, HASH_ID_RAW};
use crate::params::{FnDsa, signature_size};
#[cfg(feature = "sign")]
use crate::signing::SigningKeyOf;
use crate::verifying::VerifyingKeyOf;

/// A padded signature of `LENGTH` bytes. Whether the bytes are well-formed shows when it is verified.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Signature<const LENGTH: usize>([u8; LENGTH]);

/// A signature of degree 512.
pub type Signature512 = Signature<{ signature_size(9) }>;

/// A signature of degree 1024.
pub type Signature1024 = Signature<{ signature_size(10) }>;

impl<const LENGTH: usize> Signature<LENGTH> {
    /// The signature in these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: &[u8; LENGTH]) -> Self {
        Self(*bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; LENGTH] {
        self.0
    }
}

impl<const LENGTH: usize> SignatureEncoding for Signature<LENGTH> {
    type Repr = [u8; LENGTH];
}

impl<const LENGTH: usize> TryFrom<&[u8]> for Signature<LENGTH> {
    type Error = Error;

    /// Fails if the length is not `LENGTH`.
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        bytes.try_into().map(Self).map_err(|_| Error::new())
    }
}

impl<const LENGTH: usize> From<[u8; LENGTH]> for Signature<LENGTH> {
    fn from(bytes: [u8; LENGTH]) -> Self {
        Self(bytes)
    }
}

impl<const LENGTH: usize> From<Signature<LENGTH>> for [u8; LENGTH] {
    fn from(signature: Signature<LENGTH>) -> Self {
        signature.0
    }
}

impl<const LENGTH: usize> AsRef<[u8]> for Signature<LENGTH> {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl<const LENGTH: usize> fmt::Debug for Signature<LENGTH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signature(")?;
        for byte in &self.0 {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

impl From<crate::Error> for Error {
    fn from(_: crate::Error) -> Error {
        Error::new()
    }
}

impl<V: FnDsa, const MIN: u32, const N: usize, const LENGTH: usize> Verifier<Signature<LENGTH>>
    for VerifyingKeyOf<V, MIN, N>
{
    /// With the empty context, of the message itself.
    fn verify(&self, message: &[u8], signature: &Signature<LENGTH>) -> Result<(), Error> {
        self.multipart_verify(&[message], signature)
    }
}

impl<V: FnDsa, const MIN: u32, const N: usize, const LENGTH: usize>
    MultipartVerifier<Signature<LENGTH>> for VerifyingKeyOf<V, MIN, N>
{
    fn multipart_verify(
        &self,
        message: &[&[u8]],
        signature: &Signature<LENGTH>,
    ) -> Result<(), Error> {
        let mut stream = self.verify_stream(&signature.0, &DOMAIN_NONE, &HASH_ID_RAW)?;
        for piece in message {
            stream.update(piece);
        }
        Ok(stream.finish()?)
    }
}

#[cfg(feature = "sign")]
macro_rules! signers {
    ($($min:literal, $n:literal, $signature:ident;)+) => {$(
        impl<V: FnDsa> RandomizedMultipartSigner<$signature> for SigningKeyOf<V, $min, $n> {
            fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                message: &[&[u8]],
            ) -> Result<$signature, Error> {
                let mut signature = [0; _];
                self.sign_stream(rng, &DOMAIN_NONE, &HASH_ID_RAW, &mut signature, |sink| {
                    message.iter().for_each(|piece| sink.update(piece));
                    Ok::<(), crate::Error>(())
                })
                .map_err(|_| Error::new())?;
                Ok(Signature(signature))
            }
        }

        impl<V: FnDsa> RandomizedSigner<$signature> for SigningKeyOf<V, $min, $n> {
            /// With the empty context, of the message itself.
            fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                message: &[u8],
            ) -> Result<$signature, Error> {
                self.try_multipart_sign_with_rng(rng, &[message])
            }
        }

        /// With the operating system's randomness.
        #[cfg(all(feature = "getrandom", not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))))]
        impl<V: FnDsa> signature::Signer<$signature> for SigningKeyOf<V, $min, $n> {
            fn try_sign(&self, message: &[u8]) -> Result<$signature, Error> {
                self.try_sign_with_rng(&mut getrandom::SysRng, message)
            }
        }

        /// With the operating system's randomness.
        #[cfg(all(feature = "getrandom", not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))))]
        impl<V: FnDsa> signature::MultipartSigner<$signature> for SigningKeyOf<V, $min, $n> {
            fn try_multipart_sign(&self, message: &[&[u8]]) -> Result<$signature, Error> {
                self.try_multipart_sign_with_rng(&mut getrandom::SysRng, message)
            }
        }

        impl<V: FnDsa> signature::Keypair for SigningKeyOf<V, $min, $n> {
            type VerifyingKey = VerifyingKeyOf<V, $min, $n>;

            fn verifying_key(&self) -> Self::VerifyingKey {
                self.verifying_key()
            }
        }
    )+};
}

#[cfg(feature = "sign")]
signers! {
    9, 512, Signature512;
    10, 1024, Signature1024;
}
