//! Signing a message that comes in pieces.

use rand_core::TryCryptoRng;

use super::Encoding;
use super::sign::room;
use crate::errors::Error;
use crate::hash::{DOMAIN_NONE, HASH_ID_ORIGINAL_FALCON};
use crate::params::R3;
use crate::signing::SigningKeyOf;
use crate::stream_signer::StreamSigner;

/// A [`StreamSigner`] with a key of degree 512 or 1024.
pub type StreamSignerStandard<'k> = StreamSigner<'k, R3, 9, 1024>;

/// Begins to sign a message that comes in pieces, in one pass. Takes 40 random bytes.
///
/// The signature is the one that [`sign`](super::sign) makes of the same random bytes.
///
/// # Errors
///
/// [`Error::Random`] if the generator failed; [`Error::Key`] if the key was wiped.
///
/// ```
/// # #[cfg(feature = "keygen")] {
/// use lanner_fn_dsa::falcon::{self, Encoding, SigningKey512};
/// use lanner_fn_dsa::shake::SeededRng;
///
/// let key = SigningKey512::from_seed(&[3; 32])?;
/// let mut signer = falcon::stream_signer(&key, &mut SeededRng::new(b"use a real generator"))?;
/// signer.update(b"in ");
/// signer.update(b"pieces");
/// let mut signature = [0; 666];
/// signer.finish_as(Encoding::Padded, &mut signature)?;
///
/// let key = key.verifying_key();
/// falcon::verify_as(&key, &signature, b"in pieces", Encoding::Padded)?;
/// # }
/// # Ok::<(), lanner_fn_dsa::Error>(())
/// ```
pub fn stream_signer<'k, R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &'k SigningKeyOf<R3, MIN, N>,
    rng: &mut R,
) -> Result<StreamSigner<'k, R3, MIN, N>, Error> {
    StreamSigner::start(key, rng, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON)
}

impl<const MIN: u32, const N: usize> StreamSigner<'_, R3, MIN, N> {
    /// Ends the message and signs it in an encoding. Returns the length of the signature, which is written to the
    /// start of `output`. Constant time as [`sign`](super::sign).
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `output` is shorter than [`max_signature_size`](super::max_signature_size);
    /// [`Error::Attempts`] if the key is no key.
    pub fn finish_as(self, encoding: Encoding, output: &mut [u8]) -> Result<usize, Error> {
        let logn = self.logn();
        let output = room(encoding, logn, output)?;
        self.finish_with(encoding, output)
    }
}
