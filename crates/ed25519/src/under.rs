//! Verification under a profile, in one set of forms for every key: the message at once, in
//! parts or in pieces, with a context, hashed beforehand.

use core::fmt;

use crate::sha512::Sha512;
#[cfg(feature = "digest")]
use ed25519::signature::DigestVerifier;
use ed25519::signature::{MultipartVerifier, Verifier};
#[cfg(feature = "digest")]
use sha2::{Digest, digest::Update, digest::typenum::U64};

use crate::domain::Domain;
#[cfg(feature = "digest")]
use crate::prehash::verify_prehashed;
use crate::profile::Rules;
use crate::stream::StreamVerifier;
use crate::verify::{KeyParts, verify_parts};
use crate::{Signature, SignatureError};

/// A public key in a form that verifies: a [`VerifyingKey`], or a reference to one or to a
/// [`PreparedVerifyingKey`].
///
/// Sealed. It is the bound of [`ProfileVerifier`] and [`StreamVerifier`], for programs that are
/// generic over the form of the key.
///
/// [`VerifyingKey`]: crate::VerifyingKey
#[cfg_attr(
    feature = "fast",
    doc = "[`PreparedVerifyingKey`]: crate::PreparedVerifyingKey"
)]
#[cfg_attr(not(feature = "fast"), doc = "[`PreparedVerifyingKey`]: crate")]
pub trait PublicKey: KeyParts + Copy {}

impl<K: KeyParts + Copy> PublicKey for K {}

/// A public key together with the [profile](crate::profile) under which it verifies.
///
/// Made by [`VerifyingKey::under`](crate::VerifyingKey::under) and its namesake on keys with
/// tables. Everything here is public and takes variable time.
///
/// ```
/// use lanner_ed25519::{Signer, SigningKey, Verifier, profile::Zip215};
///
/// let signing_key = SigningKey::from_bytes(&[1; 32]);
/// let signature = signing_key.sign(b"message");
/// let consensus = signing_key.verifying_key().under(Zip215);
/// consensus.verify(b"message", &signature)?;
///
/// // It is a `Verifier`, for programs that take any.
/// fn check(key: &impl Verifier<lanner_ed25519::Signature>) {
///     let signature = lanner_ed25519::Signature::from_bytes(&[0; 64]);
///     assert!(key.verify(b"message", &signature).is_err());
/// }
/// check(&consensus);
/// # Ok::<(), lanner_ed25519::SignatureError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ProfileVerifier<K> {
    rules: Rules,
    key: K,
}

impl<K: PublicKey> ProfileVerifier<K> {
    pub(crate) fn new(rules: Rules, key: K) -> Self {
        ProfileVerifier { rules, key }
    }

    /// Verifies an Ed25519 signature of 64 bytes (RFC 8032 section 5.1.7).
    ///
    /// # Errors
    ///
    /// If the signature is not valid.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), SignatureError> {
        self.parts(Domain::PURE, &[message], signature)
    }

    /// Verifies an Ed25519ctx signature (RFC 8032 section 5.1); `context` has 1 to 255 bytes.
    ///
    /// # Errors
    ///
    /// If the signature is not valid, or the context is empty or longer than 255 bytes.
    pub fn verify_ctx(
        &self,
        context: &[u8],
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.parts(Domain::with_context(context)?, &[message], signature)
    }

    /// Verifies an Ed25519ph signature (RFC 8032 section 5.1): `prehashed_message` is a hash of
    /// 64 bytes that has absorbed the message, `context` has 0 to 255 bytes (none: empty).
    ///
    /// # Errors
    ///
    /// If the signature is not valid or the context longer than 255 bytes.
    #[cfg(feature = "digest")]
    pub fn verify_prehashed<MsgDigest>(
        &self,
        prehashed_message: MsgDigest,
        context: Option<&[u8]>,
        signature: &Signature,
    ) -> Result<(), SignatureError>
    where
        MsgDigest: Digest<OutputSize = U64>,
    {
        let (rules, key) = (&self.rules, &self.key);
        verify_prehashed::<Sha512, _>(rules, key, prehashed_message, context, signature)
    }

    /// Starts to verify a message that comes in pieces.
    ///
    /// Nothing of the message may be used before [`StreamVerifier::finalize_and_verify`] has
    /// returned `Ok`.
    ///
    /// ```
    /// use lanner_ed25519::{Signer, SigningKey, profile::Strict};
    ///
    /// let signing_key = SigningKey::from_bytes(&[3; 32]);
    /// let signature = signing_key.sign(b"in two pieces");
    ///
    /// let key = signing_key.verifying_key();
    /// let mut verifier = key.under(Strict).verify_stream(&signature)?;
    /// verifier.update(b"in two ");
    /// verifier.update(b"pieces");
    /// verifier.finalize_and_verify()?;
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the signature can be refused before the message is seen.
    pub fn verify_stream(
        &self,
        signature: &Signature,
    ) -> Result<StreamVerifier<K>, SignatureError> {
        StreamVerifier::new(&self.rules, self.key, Domain::PURE, signature)
    }

    /// Starts to verify an Ed25519ctx signature (RFC 8032 section 5.1) on a message that comes
    /// in pieces; `context` has 1 to 255 bytes.
    ///
    /// Nothing of the message may be used before [`StreamVerifier::finalize_and_verify`] has
    /// returned `Ok`.
    ///
    /// # Errors
    ///
    /// If the signature can be refused before the message is seen, or the context is empty or
    /// longer than 255 bytes.
    pub fn verify_stream_ctx(
        &self,
        context: &[u8],
        signature: &Signature,
    ) -> Result<StreamVerifier<K>, SignatureError> {
        let domain = Domain::with_context(context)?;
        StreamVerifier::new(&self.rules, self.key, domain, signature)
    }

    fn parts(
        &self,
        domain: Domain<'_>,
        message: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        verify_parts::<Sha512>(&self.rules, &self.key, domain, message, signature)
    }
}

impl<K: PublicKey> Verifier<Signature> for ProfileVerifier<K> {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), SignatureError> {
        self.verify(message, signature)
    }
}

impl<K: PublicKey> MultipartVerifier<Signature> for ProfileVerifier<K> {
    /// Verifies the concatenation of the parts.
    fn multipart_verify(
        &self,
        message: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.parts(Domain::PURE, message, signature)
    }
}

#[cfg(feature = "digest")]
impl<D, K> DigestVerifier<D, Signature> for ProfileVerifier<K>
where
    D: Digest<OutputSize = U64> + Update,
    K: PublicKey,
{
    /// Verifies an Ed25519ph signature without a context on what `f` feeds to the hash.
    fn verify_digest<F: Fn(&mut D) -> Result<(), SignatureError>>(
        &self,
        f: F,
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        let mut digest = D::new();
        f(&mut digest)?;
        self.verify_prehashed(digest, None, signature)
    }
}

impl<K: KeyParts> fmt::Debug for ProfileVerifier<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProfileVerifier")
            .field("key", self.key.encoding())
            .field("rules", &self.rules)
            .finish()
    }
}

/// The ways to verify that every form of a key has: `under`, and one line for each name that
/// programs written for ed25519-dalek use. `$Held` is the form of the key that what is made of
/// it holds.
macro_rules! verifies {
    ($Key:ty as $Held:ty, $self:ident => $held:expr) => {
        impl $Key {
            /// This key under a profile: a type of [`profile`](crate::profile), or a
            /// [`ProfileName`](crate::profile::ProfileName) that was chosen at run time. What it
            /// makes verifies under that profile in every form: the message at once or in
            /// pieces, with a context, or hashed beforehand.
            ///
            /// ```
            /// use lanner_ed25519::profile::{ProfileName, Zip215};
            /// use lanner_ed25519::{Signer, SigningKey};
            ///
            /// let signing_key = SigningKey::from_bytes(&[1; 32]);
            /// let signature = signing_key.sign(b"message");
            #[doc = concat!(
                "let key = lanner_ed25519::", stringify!($Key), "::from(signing_key.verifying_key());"
            )]
            /// key.under(Zip215).verify(b"message", &signature)?;
            ///
            /// let profile: ProfileName = "libsodium".parse()?;
            /// key.under(profile).verify(b"message", &signature)?;
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn under(
                &$self,
                profile: impl Into<$crate::profile::ProfileName>,
            ) -> $crate::ProfileVerifier<$Held> {
                $crate::ProfileVerifier::new(profile.into().rules(), $held)
            }

            /// Verifies under [`profile::Strict`](crate::profile::Strict): cofactorless; S below
            /// L; neither this key nor R of small order; R canonical. Recommended.
            ///
            /// With feature `legacy_compatibility`, S need only be below 2^253, as in
            /// ed25519-dalek; `under(Strict)` stays exact.
            ///
            /// # Errors
            ///
            /// If the signature is not valid.
            pub fn verify_strict(
                &$self,
                message: &[u8],
                signature: &$crate::Signature,
            ) -> Result<(), $crate::SignatureError> {
                $crate::ProfileVerifier::new($crate::profile::DROP_IN_STRICT, $self)
                    .verify(message, signature)
            }

            /// Verifies an Ed25519ph signature (RFC 8032 section 5.1) under
            /// [`profile::Dalek`](crate::profile::Dalek): `prehashed_message` is a hash of 64
            /// bytes that has absorbed the message, `context` has 0 to 255 bytes (none: empty).
            ///
            /// With feature `legacy_compatibility`, S need only be below 2^253.
            ///
            /// # Errors
            ///
            /// If the signature is not valid or the context longer than 255 bytes.
            #[cfg(feature = "digest")]
            pub fn verify_prehashed<MsgDigest>(
                &$self,
                prehashed_message: MsgDigest,
                context: Option<&[u8]>,
                signature: &$crate::Signature,
            ) -> Result<(), $crate::SignatureError>
            where
                MsgDigest: sha2::Digest<OutputSize = sha2::digest::typenum::U64>,
            {
                $crate::ProfileVerifier::new($crate::profile::DROP_IN, $self)
                    .verify_prehashed(prehashed_message, context, signature)
            }

            /// Verifies an Ed25519ph signature (RFC 8032 section 5.1) under
            /// [`profile::Strict`](crate::profile::Strict): `prehashed_message` is a hash of 64
            /// bytes that has absorbed the message, `context` has 0 to 255 bytes (none: empty).
            ///
            /// With feature `legacy_compatibility`, S need only be below 2^253.
            ///
            /// # Errors
            ///
            /// If the signature is not valid or the context longer than 255 bytes.
            #[cfg(feature = "digest")]
            pub fn verify_prehashed_strict<MsgDigest>(
                &$self,
                prehashed_message: MsgDigest,
                context: Option<&[u8]>,
                signature: &$crate::Signature,
            ) -> Result<(), $crate::SignatureError>
            where
                MsgDigest: sha2::Digest<OutputSize = sha2::digest::typenum::U64>,
            {
                $crate::ProfileVerifier::new($crate::profile::DROP_IN_STRICT, $self)
                    .verify_prehashed(prehashed_message, context, signature)
            }

            /// Starts to verify a message that comes in pieces, under
            /// [`profile::Dalek`](crate::profile::Dalek). New programs should prefer
            /// [`under`](Self::under) with [`profile::Strict`](crate::profile::Strict).
            ///
            /// With feature `legacy_compatibility`, S need only be below 2^253.
            ///
            /// # Errors
            ///
            /// If the signature can be refused before the message is seen.
            #[cfg(feature = "hazmat")]
            pub fn verify_stream(
                &$self,
                signature: &$crate::Signature,
            ) -> Result<$crate::StreamVerifier<$Held>, $crate::SignatureError> {
                $crate::ProfileVerifier::new($crate::profile::DROP_IN, $held)
                    .verify_stream(signature)
            }
        }

        impl ed25519::signature::Verifier<$crate::Signature> for $Key {
            /// Verifies under [`profile::Dalek`](crate::profile::Dalek): cofactorless; S below L;
            /// R canonical; any encoding of the key, weak keys included. New programs should
            /// prefer `verify_strict`.
            ///
            /// With feature `legacy_compatibility`, the rule is
            /// [`profile::Donna`](crate::profile::Donna).
            fn verify(
                &$self,
                message: &[u8],
                signature: &$crate::Signature,
            ) -> Result<(), $crate::SignatureError> {
                $crate::ProfileVerifier::new($crate::profile::DROP_IN, $self)
                    .verify(message, signature)
            }
        }

        impl ed25519::signature::MultipartVerifier<$crate::Signature> for $Key {
            /// Verifies the concatenation of the parts, under the profile of `verify`.
            fn multipart_verify(
                &$self,
                message: &[&[u8]],
                signature: &$crate::Signature,
            ) -> Result<(), $crate::SignatureError> {
                $crate::ProfileVerifier::new($crate::profile::DROP_IN, $self)
                    .multipart_verify(message, signature)
            }
        }

        #[cfg(feature = "digest")]
        impl<D> ed25519::signature::DigestVerifier<D, $crate::Signature> for $Key
        where
            D: sha2::Digest<OutputSize = sha2::digest::typenum::U64> + sha2::digest::Update,
        {
            /// Verifies an Ed25519ph signature without a context on what `f` feeds to the hash,
            /// under [`profile::Dalek`](crate::profile::Dalek).
            fn verify_digest<F: Fn(&mut D) -> Result<(), $crate::SignatureError>>(
                &$self,
                f: F,
                signature: &$crate::Signature,
            ) -> Result<(), $crate::SignatureError> {
                $crate::ProfileVerifier::new($crate::profile::DROP_IN, $self)
                    .verify_digest(f, signature)
            }
        }
    };
}

pub(crate) use verifies;
