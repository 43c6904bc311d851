//! Public keys.

use core::fmt;
use core::hash::{Hash, Hasher};

use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::montgomery::MontgomeryPoint;
use ed25519::signature::Verifier;
use lanner_ed25519 as lanner;

use crate::errors::{Cause, verdict};
use crate::{PUBLIC_KEY_LENGTH, Signature, SignatureError, SigningKey};

/// An Ed25519 public key: a point of the curve and the bytes that encoded it.
///
/// Decoding follows ZIP 215. `==` and `Hash` are of the bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VerifyingKey(pub(crate) lanner::VerifyingKey);

/// The signature as Lanner takes it, if its S is one that this package accepts.
///
/// Whether that is S < L or, with `legacy_compatibility`, S < 2^253 is decided here and not by the features of
/// `lanner_ed25519`, which several packages of one program share. The order of B is L, so that \[S]B = \[S mod L]B, and
/// S is not hashed: a signature with S and one with S mod L are valid for the same messages.
pub(crate) fn admitted(signature: &Signature) -> Result<lanner::Signature, SignatureError> {
    let mut s = *signature.s_bytes();
    if cfg!(feature = "legacy_compatibility") {
        if s[31] >= 0x20 {
            return Err(Cause::Scalar.into());
        }
        s = lanner_curve::Scalar::from_bytes_mod_order(s).to_bytes();
    } else if !lanner_curve::Scalar::vartime_is_canonical(&s) {
        return Err(Cause::Scalar.into());
    }
    Ok(lanner::Signature::from_components(*signature.r_bytes(), s))
}

impl VerifyingKey {
    /// The 32 bytes that this key was decoded from.
    #[inline]
    pub fn to_bytes(&self) -> [u8; PUBLIC_KEY_LENGTH] {
        self.0.to_bytes()
    }

    /// The 32 bytes that this key was decoded from.
    #[inline]
    pub fn as_bytes(&self) -> &[u8; PUBLIC_KEY_LENGTH] {
        self.0.as_bytes()
    }

    /// Decodes a public key from its 32 bytes.
    ///
    /// # Errors
    ///
    /// If no point of the curve has this y coordinate. Non-canonical encodings and weak keys are accepted.
    #[inline]
    pub fn from_bytes(bytes: &[u8; PUBLIC_KEY_LENGTH]) -> Result<VerifyingKey, SignatureError> {
        match lanner::VerifyingKey::from_bytes(bytes) {
            Ok(key) => Ok(VerifyingKey(key)),
            Err(_) => Err(Cause::Point.into()),
        }
    }

    /// Whether this key has small order: under such a key anybody can sign.
    pub fn is_weak(&self) -> bool {
        self.0.is_weak()
    }

    /// Verifies strictly: cofactorless; S below L; neither the key nor R of small order; R canonical.
    ///
    /// With feature `legacy_compatibility`, S need only be below 2^253.
    ///
    /// # Errors
    ///
    /// If the signature is not valid.
    pub fn verify_strict(
        &self,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        verdict(self.0.verify_strict(message, &admitted(signature)?))
    }

    /// The u coordinate of this key on Curve25519 (RFC 7748, section 4.1), for X25519.
    pub fn to_montgomery(&self) -> MontgomeryPoint {
        self.0.to_montgomery().into()
    }

    /// The decoded point.
    pub fn to_edwards(&self) -> EdwardsPoint {
        self.0.to_edwards().into()
    }
}

impl Verifier<Signature> for VerifyingKey {
    /// Verifies: cofactorless; S below L; R canonical; any encoding of the key, weak keys included. New programs should
    /// prefer [`VerifyingKey::verify_strict`].
    ///
    /// With feature `legacy_compatibility`, S need only be below 2^253.
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), SignatureError> {
        verdict(lanner::Verifier::verify(
            &self.0,
            message,
            &admitted(signature)?,
        ))
    }
}

/// The neutral element, because the version that this package stands for has it: a weak key, under which anybody can
/// sign.
impl Default for VerifyingKey {
    fn default() -> Self {
        VerifyingKey(lanner_curve::EdwardsPoint::default().into())
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl AsRef<[u8]> for VerifyingKey {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl Hash for VerifyingKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl From<&SigningKey> for VerifyingKey {
    fn from(signing_key: &SigningKey) -> VerifyingKey {
        signing_key.verifying_key()
    }
}

impl From<EdwardsPoint> for VerifyingKey {
    fn from(point: EdwardsPoint) -> VerifyingKey {
        VerifyingKey(lanner_curve::EdwardsPoint::from(point).into())
    }
}

impl From<VerifyingKey> for EdwardsPoint {
    fn from(key: VerifyingKey) -> EdwardsPoint {
        key.to_edwards()
    }
}

impl TryFrom<&[u8]> for VerifyingKey {
    type Error = SignatureError;

    #[inline]
    fn try_from(bytes: &[u8]) -> Result<Self, SignatureError> {
        match bytes.try_into() {
            Ok(bytes) => Self::from_bytes(bytes),
            Err(_) => Err(Cause::Length {
                name: "VerifyingKey",
                length: PUBLIC_KEY_LENGTH,
            }
            .into()),
        }
    }
}

#[cfg(feature = "digest")]
mod prehashed {
    use super::{VerifyingKey, admitted};
    use crate::adapter::Adapted;
    use crate::context::Context;
    use crate::ecosystem::{Digest, U64};
    use crate::errors::{Cause, verdict};
    use crate::{Signature, SignatureError};

    impl VerifyingKey {
        /// Binds this key to a context for Ed25519ph.
        ///
        /// # Errors
        ///
        /// If the context is longer than 255 bytes.
        pub fn with_context<'k, 'v>(
            &'k self,
            context_value: &'v [u8],
        ) -> Result<Context<'k, 'v, Self>, SignatureError> {
            Context::new(self, context_value)
        }

        /// Verifies an Ed25519ph signature (RFC 8032, section 5.1) by the rule of `verify`: `prehashed_message` is a hash of
        /// 64 bytes that has absorbed the message, `context` has 0 to 255 bytes (none: empty).
        ///
        /// # Errors
        ///
        /// If the signature is not valid or the context longer than 255 bytes.
        pub fn verify_prehashed<MsgDigest>(
            &self,
            prehashed_message: MsgDigest,
            context: Option<&[u8]>,
            signature: &Signature,
        ) -> Result<(), SignatureError>
        where
            MsgDigest: Digest<OutputSize = U64>,
        {
            let signature = admitted(signature)?;
            check(context)?;
            verdict(
                self.0
                    .verify_prehashed(Adapted(prehashed_message), context, &signature),
            )
        }

        /// [`Self::verify_prehashed`] by the rule of [`Self::verify_strict`].
        ///
        /// # Errors
        ///
        /// If the signature is not valid or the context longer than 255 bytes.
        pub fn verify_prehashed_strict<MsgDigest>(
            &self,
            prehashed_message: MsgDigest,
            context: Option<&[u8]>,
            signature: &Signature,
        ) -> Result<(), SignatureError>
        where
            MsgDigest: Digest<OutputSize = U64>,
        {
            let signature = admitted(signature)?;
            check(context)?;
            verdict(
                self.0
                    .verify_prehashed_strict(Adapted(prehashed_message), context, &signature),
            )
        }
    }

    /// An error for a context of more than 255 bytes.
    pub(crate) fn check(context: Option<&[u8]>) -> Result<(), SignatureError> {
        match context {
            Some(context) if context.len() > 255 => Err(Cause::Context.into()),
            _ => Ok(()),
        }
    }
}
#[cfg(feature = "digest")]
pub(crate) use prehashed::check;

#[cfg(feature = "hazmat")]
mod stream {
    use core::fmt;

    use lanner_ed25519 as lanner;

    use super::{VerifyingKey, admitted};
    use crate::errors::{Cause, verdict};
    use crate::{Signature, SignatureError};

    /// Verifies one signature on a message that comes in pieces, which may be cut anywhere.
    pub struct StreamVerifier(lanner::StreamVerifier);

    impl VerifyingKey {
        /// Starts to verify a message that comes in pieces, by the rule of `verify`.
        ///
        /// # Errors
        ///
        /// If the signature can be refused before the message is seen.
        pub fn verify_stream(
            &self,
            signature: &Signature,
        ) -> Result<StreamVerifier, SignatureError> {
            match self.0.verify_stream(&admitted(signature)?) {
                Ok(verifier) => Ok(StreamVerifier(verifier)),
                Err(_) => Err(Cause::Verify.into()),
            }
        }
    }

    impl StreamVerifier {
        /// Absorbs the next piece of the message.
        pub fn update(&mut self, chunk: impl AsRef<[u8]>) {
            self.0.update(chunk);
        }

        /// The verdict on everything absorbed.
        ///
        /// # Errors
        ///
        /// If the signature is not valid for it.
        pub fn finalize_and_verify(self) -> Result<(), SignatureError> {
            verdict(self.0.finalize_and_verify())
        }
    }

    impl fmt::Debug for StreamVerifier {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(f)
        }
    }
}
#[cfg(feature = "hazmat")]
pub use stream::StreamVerifier;
