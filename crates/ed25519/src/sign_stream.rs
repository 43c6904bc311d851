//! Signing a message that comes in pieces.
//!
//! Ed25519 reads the message twice: first for the nonce r = H(prefix, M), then
//! for the challenge k = H(R, A, M) (RFC 8032 section 5.1.6). If the two
//! passes see different messages M and M', the answer S = r + k'*a is no valid
//! signature, but it is dangerous all the same: the nonce r, which depends on M
//! alone, then answers more than one challenge. An honest signature of M and
//! such a one give two equations in the two unknowns r and a, that is the
//! secret key. A file that is being written to while it is signed, or a reader
//! that an attacker controls, would be enough.
//!
//! So the second pass derives the nonce hash again, and nothing about the
//! signature leaves this module unless both are equal.

use core::fmt;

use crate::sha512::Sha512;
use lanner_simd::stack::cleared;
use sha2::Digest;
use subtle::ConstantTimeEq;

use crate::depth;
use crate::domain::Domain;
use crate::expanded::{Nonce, hash_output};
use crate::verify::{challenge, challenge_hash};
use crate::{Signature, SigningKey};

/// Takes the pieces of a message that [`SigningKey::sign_stream`] signs.
pub struct MessageSink<'h> {
    nonce: &'h mut Sha512,
    /// Absent in the first pass, when R is not known yet.
    challenge: Option<&'h mut Sha512>,
}

impl MessageSink<'_> {
    /// Absorbs the next piece of the message. The pieces may be cut anywhere,
    /// and differently in each pass.
    pub fn update(&mut self, chunk: impl AsRef<[u8]>) {
        let chunk = chunk.as_ref();
        self.nonce.update(chunk);
        if let Some(challenge) = &mut self.challenge {
            challenge.update(chunk);
        }
    }
}

impl fmt::Debug for MessageSink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageSink").finish_non_exhaustive()
    }
}

/// Why [`SigningKey::sign_stream`] made no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignStreamError<E> {
    /// The second pass did not feed the same message as the first one.
    MessageChanged,
    /// The closure failed, with this error.
    Source(E),
    /// The context of Ed25519ctx is empty or longer than 255 bytes.
    InvalidContext,
}

impl<E> From<E> for SignStreamError<E> {
    fn from(error: E) -> Self {
        SignStreamError::Source(error)
    }
}

impl<E> fmt::Display for SignStreamError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignStreamError::MessageChanged => {
                f.write_str("the message changed while it was being signed")
            }
            SignStreamError::Source(_) => f.write_str("cannot read the message"),
            SignStreamError::InvalidContext => {
                f.write_str("the context is empty or longer than 255 bytes")
            }
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for SignStreamError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            SignStreamError::MessageChanged | SignStreamError::InvalidContext => None,
            SignStreamError::Source(error) => Some(error),
        }
    }
}

impl SigningKey {
    /// Signs a message that is fed in pieces, in constant memory. The result is
    /// the ordinary Ed25519 signature of the whole message, the same as
    /// [`Signer::sign`](crate::Signer::sign) gives.
    ///
    /// `pass` is called exactly twice (once, if it fails) and must feed the
    /// same message both times: with a file, it seeks to the start and reads
    /// to the end. Each byte is hashed three times, once in the first pass and
    /// twice in the second. Constant time in all but the lengths of the pieces.
    ///
    /// # Errors
    ///
    /// [`SignStreamError::Source`] if `pass` fails;
    /// [`SignStreamError::MessageChanged`] if the two passes fed different
    /// messages, because a signature over both would give the secret key away.
    ///
    /// ```
    /// use lanner_ed25519::{SignStreamError, Signer, SigningKey};
    /// use std::io::{Cursor, Error, Read, Seek};
    ///
    /// let signing_key = SigningKey::from_bytes(&[9; 32]);
    /// let mut file = Cursor::new(vec![0x5a; 100_000]); // or a std::fs::File
    ///
    /// let signature = signing_key.sign_stream(|sink| {
    ///     let mut buffer = [0; 4096];
    ///     file.rewind()?;
    ///     loop {
    ///         match file.read(&mut buffer)? {
    ///             0 => return Ok::<(), Error>(()),
    ///             n => sink.update(&buffer[..n]),
    ///         }
    ///     }
    /// })?;
    /// assert_eq!(signature, signing_key.sign(&[0x5a; 100_000]));
    /// # Ok::<(), SignStreamError<Error>>(())
    /// ```
    pub fn sign_stream<E>(
        &self,
        pass: impl FnMut(&mut MessageSink<'_>) -> Result<(), E>,
    ) -> Result<Signature, SignStreamError<E>> {
        self.sign_stream_domain(Domain::PURE, pass)
    }

    /// Signs a message that is fed in pieces with Ed25519ctx (RFC 8032 section
    /// 5.1), in constant memory: the signature that [`Self::sign_ctx`] makes of
    /// the whole message. `context` has 1 to 255 bytes; `pass` is called exactly
    /// twice, as by [`Self::sign_stream`]. Constant time in all but the lengths.
    ///
    /// # Errors
    ///
    /// [`SignStreamError::Source`] if `pass` fails;
    /// [`SignStreamError::MessageChanged`] if the two passes fed different
    /// messages; [`SignStreamError::InvalidContext`] if the context is empty or
    /// longer than 255 bytes, and `pass` is not called then.
    pub fn sign_stream_ctx<E>(
        &self,
        context: &[u8],
        pass: impl FnMut(&mut MessageSink<'_>) -> Result<(), E>,
    ) -> Result<Signature, SignStreamError<E>> {
        match Domain::with_context(context) {
            Ok(domain) => self.sign_stream_domain(domain, pass),
            Err(_) => Err(SignStreamError::InvalidContext),
        }
    }

    fn sign_stream_domain<E>(
        &self,
        domain: Domain<'_>,
        mut pass: impl FnMut(&mut MessageSink<'_>) -> Result<(), E>,
    ) -> Result<Signature, SignStreamError<E>> {
        cleared::<{ depth::SIGN_STREAM }, _>(|| {
            let secret = self.expanded();

            // RFC 8032 section 5.1.6 step 2.
            let mut nonce_hash: Sha512 = secret.nonce_hash(domain);
            pass(&mut MessageSink {
                nonce: &mut nonce_hash,
                challenge: None,
            })?;
            let first = hash_output(nonce_hash);
            // Step 3.
            let nonce = Nonce::from_bytes(&first);

            // Step 4, and step 2 again.
            let mut nonce_hash: Sha512 = secret.nonce_hash(domain);
            let mut hash: Sha512 =
                challenge_hash(domain, self.as_ref().as_bytes(), nonce.commitment());
            pass(&mut MessageSink {
                nonce: &mut nonce_hash,
                challenge: Some(&mut hash),
            })?;
            let second = hash_output(nonce_hash);
            if !bool::from(first.ct_eq(&*second)) {
                return Err(SignStreamError::MessageChanged);
            }
            // Steps 5 and 6.
            Ok(nonce.respond(&secret.scalar, &challenge(hash)))
        })
    }
}
