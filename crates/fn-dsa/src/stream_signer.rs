//! Signing a message whose pieces are handed over, by a caller who cannot be asked for them again.
//!
//! [`SigningKeyOf::sign_stream`] asks for the message, and for all of it once more when an attempt fails. Here the
//! nonce is drawn at the start and kept, as original Falcon does: another attempt has the same target and, from its
//! number, other randomness for the sampler. Of the vectors for one target only the one that is given out is ever
//! seen, and so nothing is lost by that (Falcon specification, section 3.9.1, Algorithm 10).

use core::convert::Infallible;
use core::fmt;

use rand_core::{TryCryptoRng, TryRng};

use crate::attempts::{self, Derived, Hedged, SigningSpace};
use crate::codec::{self, header};
use crate::errors::Error;
use crate::falcon::{self, Encoding};
use crate::hash::{
    DOMAIN_NONE, DomainContext, HASH_ID_ORIGINAL_FALCON, HashIdentifier, MessageHash, point_of_mu,
};
use crate::params::{NONCE_LENGTH, P3, Variant, signature_size};
use crate::signing::{SigningKeyOf, write_padded};

/// Signs a message that comes in pieces: see [`SigningKeyOf::stream_signer`] and [`falcon::stream_signer`].
#[derive(Clone)]
pub struct StreamSigner<'k, V: Variant, const MIN: u32, const N: usize> {
    key: &'k SigningKeyOf<V, MIN, N>,
    /// What was drawn: the nonce, or in the draft guess what hedges it.
    drawn: [u8; NONCE_LENGTH],
    hash: MessageHash,
}

/// A [`StreamSigner`] with a key of degree 512 or 1024.
pub type StreamSignerStandard<'k> = StreamSigner<'k, P3, 9, 1024>;

impl<V: Variant, const MIN: u32, const N: usize> SigningKeyOf<V, MIN, N> {
    /// Begins to sign a message that comes in pieces, in constant memory and in one pass. Takes 40 random bytes.
    ///
    /// The result is an ordinary padded signature of the whole message, and unless the first attempt fails the one
    /// that [`sign_bytes`](Self::sign_bytes) makes of the same random bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Context`] if the context is longer than 255 bytes; [`Error::Random`] if the generator failed.
    ///
    /// ```
    /// # #[cfg(feature = "keygen")] {
    /// use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, SigningKey512, shake::SeededRng};
    ///
    /// let key = SigningKey512::from_seed(&[9; 32])?;
    /// let rng = &mut SeededRng::new(b"use a real generator");
    /// let mut signer = key.stream_signer(rng, &DOMAIN_NONE, &HASH_ID_RAW)?;
    /// signer.update(b"in ");
    /// signer.update(b"pieces");
    /// let mut signature = [0; 666];
    /// signer.finish(&mut signature)?;
    ///
    /// let key = key.verifying_key();
    /// assert!(key.try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"in pieces").is_ok());
    /// # }
    /// # Ok::<(), lanner_fn_dsa::Error>(())
    /// ```
    pub fn stream_signer<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
    ) -> Result<StreamSigner<'_, V, MIN, N>, Error> {
        let mut drawn = [0; NONCE_LENGTH];
        rng.try_fill_bytes(&mut drawn).map_err(|_| Error::Random)?;
        Ok(StreamSigner {
            key: self,
            drawn,
            // Where mu is hashed, it does not depend on the nonce.
            hash: MessageHash::new::<V>(&drawn, &self.secret.hpk, context, id)?,
        })
    }
}

/// Begins to sign a message that comes in pieces in the way of original Falcon. Takes 40 random bytes. The signature
/// that [`StreamSigner::finish_encoded`] makes is the one that [`falcon::sign`] makes of the same random bytes.
///
/// # Errors
///
/// [`Error::Random`] if the generator failed.
pub fn falcon_stream_signer<'k, R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &'k SigningKeyOf<P3, MIN, N>,
    rng: &mut R,
) -> Result<StreamSigner<'k, P3, MIN, N>, Error> {
    key.stream_signer(rng, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON)
}

impl<V: Variant, const MIN: u32, const N: usize> StreamSigner<'_, V, MIN, N> {
    /// Takes the next piece of the message. The pieces may be cut anywhere.
    pub fn update(&mut self, piece: impl AsRef<[u8]>) {
        self.hash.update(piece.as_ref());
    }

    /// Ends the message and makes a padded signature. Constant time as
    /// [`SigningKey::try_sign`](crate::SigningKey::try_sign). Takes 70 `N` bytes of stack.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `signature` does not have [`signature_size`] bytes, or mu was given and did not have
    /// 64; [`Error::Attempts`] if the key is no key.
    pub fn finish(self, signature: &mut [u8]) -> Result<(), Error> {
        let logn = self.key.secret.logn;
        if signature.len() != signature_size(logn) {
            return Err(Error::Length);
        }
        self.attempts(|nonce, s2| write_padded::<V>(logn, nonce, s2, signature))
            .map(|_| ())
    }

    fn attempts(
        self,
        encode: impl FnMut(&[u8; NONCE_LENGTH], &[i16]) -> Option<usize>,
    ) -> Result<usize, Error> {
        let space = &mut SigningSpace::new();
        let secret = &self.key.secret;
        let mut hash = Some(self.hash);
        let mut drawn = Drawn(&self.drawn);
        if V::HASHES_MU {
            let mu = hash.take().ok_or(Error::Attempts)?.mu()?;
            let attempts = &mut Hedged::new(&mut drawn, &secret.hsk, &mu)?;
            let target = |nonce: &_, c: &mut _| Ok(point_of_mu::<V>(nonce, &mu, c));
            attempts::sign::<V, _, N, Error>(secret, space, attempts, target, encode)
        } else {
            let attempts = &mut Derived::new(&mut drawn, &secret.hsk, true);
            let target = |nonce: &_, c: &mut _| {
                // The nonce is kept, and so is the target: this is called once.
                hash.take().ok_or(Error::Attempts)?.point::<V>(nonce, c)
            };
            attempts::sign::<V, _, N, Error>(secret, space, attempts, target, encode)
        }
    }
}

impl<const MIN: u32, const N: usize> StreamSigner<'_, P3, MIN, N> {
    /// Ends a message that [`falcon::stream_signer`] began, and makes a signature in an encoding: its length is
    /// returned, and it lies at the start of `output`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `output` is shorter than [`falcon::max_signature_size`]; [`Error::Attempts`] if the key
    /// is no key.
    pub fn finish_encoded(self, encoding: Encoding, output: &mut [u8]) -> Result<usize, Error> {
        let logn = self.key.secret.logn;
        let output = output
            .get_mut(..falcon::max_signature_size(encoding, logn))
            .ok_or(Error::Length)?;
        self.attempts(|nonce, s2| {
            let (head, body) = output.split_at_mut(1 + NONCE_LENGTH);
            let (kind, length) = match encoding {
                Encoding::Compressed => (header::COMPRESSED, codec::compress::<P3>(s2, body)?),
                Encoding::Padded => {
                    codec::compress::<P3>(s2, body)?;
                    (header::COMPRESSED, body.len())
                }
                Encoding::ConstantTime => {
                    codec::pack_s2::<P3>(s2, body)?;
                    (header::CONSTANT_TIME, body.len())
                }
            };
            head[0] = kind + logn as u8;
            head[1..].copy_from_slice(nonce);
            Some(head.len() + length)
        })
    }
}

impl<V: Variant, const MIN: u32, const N: usize> fmt::Debug for StreamSigner<'_, V, MIN, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamSigner").finish_non_exhaustive()
    }
}

/// What has been drawn already, as a generator that gives it and nothing else.
struct Drawn<'a>(&'a [u8; NONCE_LENGTH]);

impl TryRng for Drawn<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("only bytes are asked for")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("only bytes are asked for")
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Infallible> {
        output.copy_from_slice(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Drawn<'_> {}
