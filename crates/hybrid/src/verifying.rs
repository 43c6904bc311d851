//! Verifying keys and verification. Everything here is public: time may vary with it.

use crate::representative::{Representative, has_label, label, name};
use crate::{DIGEST_LENGTH, Error, Sha512, signature_size, verifying_key_size};
use core::fmt;
use core::hash::{Hash, Hasher};
use lanner_ed25519::profile::Strict;
use lanner_ed25519::{PUBLIC_KEY_LENGTH, SIGNATURE_LENGTH};
use lanner_fn_dsa::{DomainContext, HASH_ID_RAW, VerifyingKey512 as FnDsa512};
use sha2::Digest;

/// The variant of FN-DSA, whose name is in the label.
pub(crate) type Main = lanner_fn_dsa::variant::P3;

/// A verifying key with FN-DSA of a degree from 2^`MIN` to `N`, 512 or 1024: a key of Ed25519 and one of FN-DSA. A type for toy
/// degrees decodes none:
///
/// ```compile_fail,E0080
/// let key = lanner_hybrid::VerifyingKeyOf::<2, 1024>::from_bytes(&[0; 929]);
/// ```
///
/// Takes 2 `N` + about 400 bytes. Verifying takes 450 bytes of stack for what is verified, beside what the halves take.
#[derive(Clone, Copy)]
pub struct VerifyingKeyOf<const MIN: u32, const N: usize> {
    ed25519: lanner_ed25519::VerifyingKey,
    fn_dsa: lanner_fn_dsa::VerifyingKeyOf<Main, MIN, N>,
    hash: [u8; DIGEST_LENGTH],
}

/// A verifying key with FN-DSA-512: 929 bytes, signatures 730.
pub type VerifyingKey512 = VerifyingKeyOf<9, 512>;

/// A verifying key with FN-DSA-1024: 1825 bytes, signatures 1344.
pub type VerifyingKey1024 = VerifyingKeyOf<10, 1024>;

/// A verifying key of either kind.
pub type VerifyingKeyStandard = VerifyingKeyOf<9, 1024>;

// The aliases agree with those of the other crate.
const _: fn(VerifyingKey512) -> FnDsa512 = |key| key.fn_dsa;

impl<const MIN: u32, const N: usize> VerifyingKeyOf<MIN, N> {
    /// Decodes a key: [`verifying_key_size`] bytes, the key of Ed25519 first.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] if the length is wrong, if the first half is not the canonical encoding of a point or is one of small
    /// order, or if the second is no key of FN-DSA; [`Error::Degree`] if it is one of a degree that this type does
    /// not support.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        const { assert!(has_label(MIN, N), "degrees 512 and 1024 alone") }
        let (first, second) = bytes
            .split_first_chunk::<PUBLIC_KEY_LENGTH>()
            .ok_or(Error::Key)?;
        let ed25519 = lanner_ed25519::VerifyingKey::from_bytes(first).map_err(|_| Error::Key)?;
        if !ed25519.is_canonical() || ed25519.is_weak() {
            return Err(Error::Key);
        }
        let fn_dsa =
            lanner_fn_dsa::VerifyingKeyOf::from_bytes(second).map_err(|error| match error {
                lanner_fn_dsa::Error::Degree => Error::Degree,
                _ => Error::Key,
            })?;
        Ok(VerifyingKeyOf {
            ed25519,
            fn_dsa,
            hash: Sha512::digest(bytes).into(),
        })
    }

    /// The key of which these are the halves, that belong to a signing key.
    #[cfg(feature = "sign")]
    pub(crate) fn of_halves(
        ed25519: lanner_ed25519::VerifyingKey,
        fn_dsa: lanner_fn_dsa::VerifyingKeyOf<Main, MIN, N>,
    ) -> Self {
        let mut key = VerifyingKeyOf {
            ed25519,
            fn_dsa,
            hash: [0; DIGEST_LENGTH],
        };
        let mut bytes = [0; verifying_key_size(crate::LOGN_1024)];
        let bytes = &mut bytes[..verifying_key_size(key.logn())];
        key.write_bytes(bytes).expect("the length is the key's");
        key.hash = Sha512::digest(&*bytes).into();
        key
    }

    /// Encodes the key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `output` does not have [`verifying_key_size`] bytes.
    pub fn write_bytes(&self, output: &mut [u8]) -> Result<(), Error> {
        if output.len() != verifying_key_size(self.logn()) {
            return Err(Error::Length);
        }
        let (first, second) = output.split_at_mut(PUBLIC_KEY_LENGTH);
        first.copy_from_slice(self.ed25519.as_bytes());
        self.fn_dsa.write_bytes(second).map_err(|_| Error::Length)
    }

    /// The logarithm of FN-DSA's degree: 9 or 10.
    #[must_use]
    pub fn logn(&self) -> u32 {
        self.fn_dsa.logn()
    }

    /// Which algorithms these are, as programs call them.
    #[must_use]
    pub fn name(&self) -> &'static str {
        name(self.logn())
    }

    /// The SHA-512 of the encoded key, which is part of what is signed.
    #[must_use]
    pub fn hash(&self) -> &[u8; DIGEST_LENGTH] {
        &self.hash
    }

    /// Verifies a signature of [`signature_size`] bytes of a message, under a context that signer and verifier agree on:
    /// 0 to 255 bytes. Both halves must be valid.
    ///
    /// # Errors
    ///
    /// [`Error::Signature`] if it is not valid, whatever the reason; [`Error::Context`] if the context is too long.
    pub fn verify(&self, signature: &[u8], context: &[u8], message: &[u8]) -> Result<(), Error> {
        self.verify_digest(signature, context, &Sha512::digest(message).into())
    }

    /// The same for the message with this SHA-512.
    ///
    /// # Errors
    ///
    /// Those of [`verify`](Self::verify).
    pub fn verify_digest(
        &self,
        signature: &[u8],
        context: &[u8],
        digest: &[u8; DIGEST_LENGTH],
    ) -> Result<(), Error> {
        let logn = self.logn();
        let message = Representative::new(logn, &self.hash, context, digest)?;
        if signature.len() != signature_size(logn) {
            return Err(Error::Signature);
        }
        let (first, second) = signature
            .split_first_chunk::<SIGNATURE_LENGTH>()
            .ok_or(Error::Signature)?;
        self.ed25519
            .under(Strict)
            .verify(
                message.bytes(),
                &lanner_ed25519::Signature::from_bytes(first),
            )
            .map_err(|_| Error::Signature)?;
        self.fn_dsa
            .try_verify(
                second,
                &DomainContext(label(logn)),
                &HASH_ID_RAW,
                message.bytes(),
            )
            .map_err(|_| Error::Signature)
    }

    /// Begins to verify a signature of a message that comes in pieces. Everything is decided at the end.
    #[must_use]
    pub fn verify_stream<'a>(
        &'a self,
        signature: &'a [u8],
        context: &'a [u8],
    ) -> StreamVerifier<'a, MIN, N> {
        StreamVerifier {
            key: self,
            signature,
            context,
            hash: Sha512::new(),
        }
    }
}

impl<const MIN: u32, const N: usize> fmt::Debug for VerifyingKeyOf<MIN, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerifyingKey")
            .field("ed25519", &self.ed25519)
            .field("fn_dsa", &self.fn_dsa)
            .finish()
    }
}

impl<const MIN: u32, const N: usize> PartialEq for VerifyingKeyOf<MIN, N> {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl<const MIN: u32, const N: usize> Eq for VerifyingKeyOf<MIN, N> {}

impl<const MIN: u32, const N: usize> Hash for VerifyingKeyOf<MIN, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

impl<const MIN: u32, const N: usize> TryFrom<&[u8]> for VerifyingKeyOf<MIN, N> {
    type Error = Error;

    /// As [`from_bytes`](Self::from_bytes).
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

/// The verification of a message that comes in pieces.
///
#[cfg_attr(feature = "sign", doc = "```")]
#[cfg_attr(not(feature = "sign"), doc = "```ignore")]
/// # let rng = &mut lanner_fn_dsa::shake::SeededRng::new(b"use a real generator");
/// # let signing_key = lanner_hybrid::SigningKey512::from_seed(&[1; 32])?;
/// # let mut signature = [0; 730];
/// # signing_key.sign_bytes(rng, b"", b"in pieces", &mut signature)?;
/// let key = signing_key.verifying_key();
/// let mut stream = key.verify_stream(&signature, b"");
/// stream.update(b"in ");
/// stream.update(b"pieces");
/// stream.finish()?;
/// # Ok::<(), lanner_hybrid::Error>(())
/// ```
#[derive(Clone)]
pub struct StreamVerifier<'a, const MIN: u32, const N: usize> {
    key: &'a VerifyingKeyOf<MIN, N>,
    signature: &'a [u8],
    context: &'a [u8],
    hash: Sha512,
}

impl<const MIN: u32, const N: usize> StreamVerifier<'_, MIN, N> {
    /// Takes the next piece of the message.
    pub fn update(&mut self, piece: impl AsRef<[u8]>) {
        self.hash.update(piece.as_ref());
    }

    /// The verdict.
    ///
    /// # Errors
    ///
    /// Those of [`VerifyingKeyOf::verify`].
    pub fn finish(self) -> Result<(), Error> {
        let digest = self.hash.finalize().into();
        self.key
            .verify_digest(self.signature, self.context, &digest)
    }
}

impl<const MIN: u32, const N: usize> fmt::Debug for StreamVerifier<'_, MIN, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamVerifier")
            .field("key", self.key)
            .finish_non_exhaustive()
    }
}
