//! Public keys with tables, for those that verify many signatures.

use core::fmt;

use crate::sha512::Sha512;
#[cfg(feature = "digest")]
use ed25519::signature::DigestVerifier;
use ed25519::signature::{MultipartVerifier, Verifier};
#[cfg(feature = "digest")]
use sha2::{Digest, digest::Update, digest::typenum::U64};

use crate::domain::Domain;
use crate::equation::PreparedNegative;
#[cfg(feature = "digest")]
use crate::prehash::verify_prehashed;
use crate::profile::{self, Profile, ProfileName, Rules};
use crate::stream::PreparedStreamVerifier;
use crate::verify::{PublicKey, verify_parts};
use crate::{PUBLIC_KEY_LENGTH, Signature, SignatureError, VerifyingKey};

/// A [`VerifyingKey`] with about 6 kB of tables, for a key that verifies many
/// signatures: that of a certification authority, of a peer, of a session.
///
/// Every function gives exactly the verdict of its namesake on
/// [`VerifyingKey`], faster. Making the tables costs about as much as one
/// verification, so that they pay from a handful of signatures on. Everything
/// here is public and takes variable time.
///
/// ```
/// use lanner_ed25519::{PreparedVerifyingKey, Signer, SigningKey};
///
/// let signing_key = SigningKey::from_bytes(&[1; 32]);
/// let prepared = PreparedVerifyingKey::new(&signing_key.verifying_key());
/// for message in [b"one", b"two", b"six"] {
///     prepared.verify_strict(message, &signing_key.sign(message))?;
/// }
/// # Ok::<(), lanner_ed25519::SignatureError>(())
/// ```
#[derive(Clone)]
pub struct PreparedVerifyingKey {
    key: VerifyingKey,
    negative: PreparedNegative,
}

impl PreparedVerifyingKey {
    /// Makes the tables of a key.
    pub fn new(key: &VerifyingKey) -> Self {
        PreparedVerifyingKey {
            key: *key,
            negative: PreparedNegative::new(key.point()),
        }
    }

    /// Decodes a public key from its 32 bytes and makes its tables.
    ///
    /// # Errors
    ///
    /// As [`VerifyingKey::from_bytes`].
    pub fn from_bytes(bytes: &[u8; PUBLIC_KEY_LENGTH]) -> Result<Self, SignatureError> {
        Ok(Self::new(&VerifyingKey::from_bytes(bytes)?))
    }

    /// The key without the tables.
    pub fn verifying_key(&self) -> VerifyingKey {
        self.key
    }

    /// As [`VerifyingKey::verify_strict`]: [`profile::Strict`]. Recommended.
    ///
    /// # Errors
    ///
    /// If the signature is not valid.
    pub fn verify_strict(
        &self,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.verify_rules(&profile::DROP_IN_STRICT, &[message], signature)
    }

    /// As [`VerifyingKey::verify_with`]: the profile `P`.
    ///
    /// # Errors
    ///
    /// If the signature is not valid.
    pub fn verify_with<P: Profile>(
        &self,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.verify_by_name(P::NAME, message, signature)
    }

    /// As [`VerifyingKey::verify_by_name`]: a profile chosen at run time.
    ///
    /// # Errors
    ///
    /// If the signature is not valid.
    pub fn verify_by_name(
        &self,
        profile: ProfileName,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.verify_rules(&profile.rules(), &[message], signature)
    }

    /// As [`VerifyingKey::verify_ctx`]: Ed25519ctx under [`profile::Strict`].
    ///
    /// # Errors
    ///
    /// If the signature is not valid, or the context is empty or longer than
    /// 255 bytes.
    pub fn verify_ctx(
        &self,
        context: &[u8],
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.verify_ctx_with::<profile::Strict>(context, message, signature)
    }

    /// As [`VerifyingKey::verify_ctx_with`]: Ed25519ctx under the profile `P`.
    ///
    /// # Errors
    ///
    /// As [`Self::verify_ctx`].
    pub fn verify_ctx_with<P: Profile>(
        &self,
        context: &[u8],
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.verify_ctx_by_name(P::NAME, context, message, signature)
    }

    /// As [`VerifyingKey::verify_ctx_by_name`]: Ed25519ctx under a profile
    /// chosen at run time.
    ///
    /// # Errors
    ///
    /// As [`Self::verify_ctx`].
    pub fn verify_ctx_by_name(
        &self,
        profile: ProfileName,
        context: &[u8],
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        let domain = Domain::with_context(context)?;
        verify_parts::<Sha512>(&profile.rules(), self, domain, &[message], signature)
    }

    /// As [`VerifyingKey::verify_stream_strict`]: a message in pieces under
    /// [`profile::Strict`].
    ///
    /// # Errors
    ///
    /// If the signature can be refused before the message is seen.
    pub fn verify_stream_strict(
        &self,
        signature: &Signature,
    ) -> Result<PreparedStreamVerifier<'_>, SignatureError> {
        self.verify_stream_with::<profile::Strict>(signature)
    }

    /// As [`VerifyingKey::verify_stream_with`]: a message in pieces under the
    /// profile `P`.
    ///
    /// # Errors
    ///
    /// If the signature can be refused before the message is seen.
    pub fn verify_stream_with<P: Profile>(
        &self,
        signature: &Signature,
    ) -> Result<PreparedStreamVerifier<'_>, SignatureError> {
        self.verify_stream_by_name(P::NAME, signature)
    }

    /// As [`VerifyingKey::verify_stream_by_name`]: a message in pieces under a
    /// profile chosen at run time.
    ///
    /// # Errors
    ///
    /// If the signature can be refused before the message is seen.
    pub fn verify_stream_by_name(
        &self,
        profile: ProfileName,
        signature: &Signature,
    ) -> Result<PreparedStreamVerifier<'_>, SignatureError> {
        PreparedStreamVerifier::new(&profile.rules(), self, Domain::PURE, signature)
    }

    /// As [`VerifyingKey::verify_stream_ctx`]: a message in pieces, Ed25519ctx
    /// under [`profile::Strict`].
    ///
    /// # Errors
    ///
    /// If the signature can be refused before the message is seen, or the
    /// context is empty or longer than 255 bytes.
    pub fn verify_stream_ctx(
        &self,
        context: &[u8],
        signature: &Signature,
    ) -> Result<PreparedStreamVerifier<'_>, SignatureError> {
        self.verify_stream_ctx_by_name(ProfileName::Strict, context, signature)
    }

    /// As [`VerifyingKey::verify_stream_ctx_by_name`]: a message in pieces,
    /// Ed25519ctx under a profile chosen at run time.
    ///
    /// # Errors
    ///
    /// As [`Self::verify_stream_ctx`].
    pub fn verify_stream_ctx_by_name(
        &self,
        profile: ProfileName,
        context: &[u8],
        signature: &Signature,
    ) -> Result<PreparedStreamVerifier<'_>, SignatureError> {
        let domain = Domain::with_context(context)?;
        PreparedStreamVerifier::new(&profile.rules(), self, domain, signature)
    }

    /// As [`VerifyingKey::verify_stream`]: a message in pieces under
    /// [`profile::Dalek`].
    ///
    /// # Errors
    ///
    /// If the signature can be refused before the message is seen.
    #[cfg(feature = "hazmat")]
    pub fn verify_stream(
        &self,
        signature: &Signature,
    ) -> Result<PreparedStreamVerifier<'_>, SignatureError> {
        PreparedStreamVerifier::new(&profile::DROP_IN, self, Domain::PURE, signature)
    }

    fn verify_rules(
        &self,
        rules: &Rules,
        message: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        verify_parts::<Sha512>(rules, self, Domain::PURE, message, signature)
    }
}

#[cfg(feature = "digest")]
impl PreparedVerifyingKey {
    /// As [`VerifyingKey::verify_prehashed`]: Ed25519ph under
    /// [`profile::Dalek`].
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
        let rules = &profile::DROP_IN;
        verify_prehashed::<Sha512, _>(rules, self, prehashed_message, context, signature)
    }

    /// As [`VerifyingKey::verify_prehashed_strict`]: Ed25519ph under
    /// [`profile::Strict`].
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
        let rules = &profile::DROP_IN_STRICT;
        verify_prehashed::<Sha512, _>(rules, self, prehashed_message, context, signature)
    }

    /// As [`VerifyingKey::verify_prehashed_with`]: Ed25519ph under the profile
    /// `P`.
    ///
    /// # Errors
    ///
    /// If the signature is not valid or the context longer than 255 bytes.
    pub fn verify_prehashed_with<P, MsgDigest>(
        &self,
        prehashed_message: MsgDigest,
        context: Option<&[u8]>,
        signature: &Signature,
    ) -> Result<(), SignatureError>
    where
        P: Profile,
        MsgDigest: Digest<OutputSize = U64>,
    {
        self.verify_prehashed_by_name(P::NAME, prehashed_message, context, signature)
    }

    /// As [`VerifyingKey::verify_prehashed_by_name`]: Ed25519ph under a profile
    /// chosen at run time.
    ///
    /// # Errors
    ///
    /// If the signature is not valid or the context longer than 255 bytes.
    pub fn verify_prehashed_by_name<MsgDigest>(
        &self,
        profile: ProfileName,
        prehashed_message: MsgDigest,
        context: Option<&[u8]>,
        signature: &Signature,
    ) -> Result<(), SignatureError>
    where
        MsgDigest: Digest<OutputSize = U64>,
    {
        let rules = &profile.rules();
        verify_prehashed::<Sha512, _>(rules, self, prehashed_message, context, signature)
    }
}

impl PublicKey for PreparedVerifyingKey {
    type Point = PreparedNegative;

    fn encoding(&self) -> &[u8; 32] {
        self.key.as_bytes()
    }

    fn point(&self) -> &PreparedNegative {
        &self.negative
    }
}

impl Verifier<Signature> for PreparedVerifyingKey {
    /// As [`VerifyingKey`] does: [`profile::Dalek`]. New programs should prefer
    /// [`PreparedVerifyingKey::verify_strict`].
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), SignatureError> {
        self.verify_rules(&profile::DROP_IN, &[message], signature)
    }
}

impl MultipartVerifier<Signature> for PreparedVerifyingKey {
    /// As [`Verifier::verify`] on the concatenation of the parts.
    fn multipart_verify(
        &self,
        message: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.verify_rules(&profile::DROP_IN, message, signature)
    }
}

#[cfg(feature = "digest")]
impl<D> DigestVerifier<D, Signature> for PreparedVerifyingKey
where
    D: Digest<OutputSize = U64> + Update,
{
    /// As [`PreparedVerifyingKey::verify_prehashed`] without a context:
    /// [`profile::Dalek`].
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

impl fmt::Debug for PreparedVerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedVerifyingKey")
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

impl AsRef<VerifyingKey> for PreparedVerifyingKey {
    fn as_ref(&self) -> &VerifyingKey {
        &self.key
    }
}

impl From<&VerifyingKey> for PreparedVerifyingKey {
    fn from(key: &VerifyingKey) -> Self {
        Self::new(key)
    }
}

impl From<VerifyingKey> for PreparedVerifyingKey {
    fn from(key: VerifyingKey) -> Self {
        Self::new(&key)
    }
}
