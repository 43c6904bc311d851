//! Signing a message whose pieces are handed over, by a caller who cannot be asked for them again.
//!
//! [`SigningKeyOf::sign_stream`] asks for the message, and for all of it once more when an attempt fails. Here the
//! nonce is drawn at the start and kept, as original Falcon does: another attempt has the same target and, from its
//! number, other randomness for the sampler. Of the vectors for one target only the one that is given out is ever
//! seen, and so nothing is lost by that (Falcon specification, section 3.9.1, Algorithm 10).

use core::convert::Infallible;
use core::fmt;

use rand_core::{TryCryptoRng, TryRng};
use zeroize::Zeroizing;

use crate::attempts::{self, Derived, Hedged, SigningSpace};
use crate::codec::Encoding;
use crate::errors::Error;
use crate::hash::{DomainContext, HashIdentifier, MessageHash, point_of_mu};
use crate::params::{FnDsa, NONCE_LENGTH, P3, Variant, signature_size};
use crate::rules::Rules;
use crate::sampler::wide::FastSource;
use crate::shake::{RATE_256, Sponge};
use crate::signing::{SigningKeyOf, write_signature};
use crate::wiping::{after_signing, after_signing_falcon, after_signing_shake};

/// Signs a message that comes in pieces: see [`SigningKeyOf::stream_signer`] and
/// [`falcon::stream_signer`](crate::falcon::stream_signer).
#[derive(Clone)]
pub struct StreamSigner<'k, V: Variant, const MIN: u32, const N: usize> {
    key: &'k SigningKeyOf<V, MIN, N>,
    /// What was drawn: the nonce, or in the draft guess what hedges it.
    drawn: Zeroizing<[u8; NONCE_LENGTH]>,
    hash: MessageHash,
}

/// A [`StreamSigner`] with a key of degree 512 or 1024.
pub type StreamSignerStandard<'k> = StreamSigner<'k, P3, 9, 1024>;

impl<V: FnDsa, const MIN: u32, const N: usize> SigningKeyOf<V, MIN, N> {
    /// Begins to sign a message that comes in pieces, in constant memory and in one pass. Takes 40 random bytes.
    ///
    /// The result is an ordinary padded signature of the whole message, and unless the first attempt fails the one
    /// that [`sign_bytes`](Self::sign_bytes) makes of the same random bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Context`] if the context is longer than 255 bytes; [`Error::Random`] if the generator failed;
    /// [`Error::Key`] if the key was wiped.
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
        StreamSigner::start(self, rng, context, id)
    }
}

impl<V: FnDsa, const MIN: u32, const N: usize> StreamSigner<'_, V, MIN, N> {
    /// Ends the message and makes a padded signature. Constant time as
    /// [`SigningKey::try_sign`](crate::SigningKey::try_sign). Takes 70 `N` bytes of stack.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `signature` does not have [`signature_size`] bytes, or mu was given and did not have
    /// 64; [`Error::Attempts`] if the key is no key.
    pub fn finish(self, signature: &mut [u8]) -> Result<(), Error> {
        let logn = self.logn();
        if signature.len() != signature_size(logn) {
            return Err(Error::Length);
        }
        self.finish_with(Encoding::Padded, signature).map(|_| ())
    }
}

impl<'k, V: Variant, const MIN: u32, const N: usize> StreamSigner<'k, V, MIN, N> {
    pub(crate) fn start<R: TryCryptoRng + ?Sized>(
        key: &'k SigningKeyOf<V, MIN, N>,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
    ) -> Result<Self, Error> {
        key.secret.present()?;
        let mut drawn = Zeroizing::new([0; NONCE_LENGTH]);
        rng.try_fill_bytes(&mut *drawn).map_err(|_| Error::Random)?;
        // Where mu is hashed, it does not depend on the nonce.
        let hash = MessageHash::new(key.rules, &drawn, &key.secret.hpk, context, id)?;
        Ok(Self { key, drawn, hash })
    }

    pub(crate) fn logn(&self) -> u32 {
        self.key.logn()
    }

    /// Takes the next piece of the message. The pieces may be cut anywhere.
    pub fn update(&mut self, piece: impl AsRef<[u8]>) {
        self.hash.update(piece.as_ref());
    }

    /// Ends the message and writes the signature, in an encoding, to `output`, which has room for one; its length.
    pub(crate) fn finish_with(self, encoding: Encoding, output: &mut [u8]) -> Result<usize, Error> {
        let logn = self.logn();
        let encode =
            |nonce: &_, s2: &_| write_signature(self.key.rules, encoding, logn, nonce, s2, output);
        let secret = &self.key.secret;
        let space = &mut SigningSpace::new();
        let drawn = &mut Drawn(&self.drawn);
        let mut hash = self.hash;
        let rules = self.key.rules;
        if rules.hashes_mu() {
            return after_signing_shake::<N, _>(|| {
                let mu = hash.mu()?;
                let mut attempts = Hedged::empty();
                attempts.start(drawn, &secret.hsk, &mu)?;
                let target = |nonce: &_, c: &mut _, digest: &mut _| {
                    point_of_mu(rules, nonce, &mu, c, digest);
                    Ok(())
                };
                attempts::sign::<_, N, Error>(rules, secret, space, &mut attempts, target, encode)
            });
        }
        let sign = || {
            let source = &mut FastSource::empty();
            let mut attempts = Derived::new(drawn, &secret.hsk, true, source);
            // The nonce is kept, and so is the target: this is called once.
            let mut hash = Some(&mut hash);
            let target = |nonce: &_, c: &mut _, digest: &mut Sponge<RATE_256>| {
                let hash = hash.take().ok_or(Error::Attempts)?;
                hash.point(rules, nonce, c)?;
                digest.clone_from(hash.digest());
                Ok(())
            };
            attempts::sign::<_, N, Error>(rules, secret, space, &mut attempts, target, encode)
        };
        if rules.binds_key() {
            after_signing::<N, _>(sign)
        } else {
            after_signing_falcon::<N, _>(sign)
        }
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

#[cfg(all(test, feature = "keygen"))]
mod tests {
    use super::*;
    use crate::draft2026;
    use crate::falcon::{self, Encoding, max_signature_size};
    use crate::hash::{DOMAIN_NONE, HASH_ID_EXTMU, HASH_ID_RAW, HASH_ID_SHA256};
    use crate::shake::SeededRng;
    use crate::{SigningKey512, SigningKeyWeak};
    use alloc::vec;

    fn message(length: usize) -> vec::Vec<u8> {
        (0..length).map(|i| (i * 5 + i / 7) as u8).collect()
    }

    /// The bytes of signing in one piece, wherever the message is cut.
    #[test]
    fn pieces_make_the_signature_of_the_whole() {
        let context = DomainContext(b"context");
        let main = SigningKey512::from_seed(&[1; 32]).unwrap();
        let draft = draft2026::SigningKey512::from_seed(&[1; 32]).unwrap();
        let falcon_key = falcon::SigningKey512::from_seed(&[1; 32]).unwrap();
        for length in [0, 1, 135, 136, 1000] {
            let message = message(length);
            for cut in [0, 1, 64, 136, 999] {
                let (left, right) = message.split_at(cut.min(length));
                let rng = || SeededRng::new(&[length as u8]);
                macro_rules! check {
                    ($key:expr, $id:expr) => {
                        let (mut whole, mut pieces) = ([0; 666], [0; 666]);
                        $key.sign_bytes(&mut rng(), &context, $id, &message, &mut whole)
                            .unwrap();
                        let mut signer = $key.stream_signer(&mut rng(), &context, $id).unwrap();
                        signer.update(left);
                        signer.update(right);
                        signer.finish(&mut pieces).unwrap();
                        assert_eq!(whole, pieces);
                    };
                }
                check!(main, &HASH_ID_RAW);
                check!(main, &HASH_ID_SHA256);
                check!(draft, &HASH_ID_RAW);
                check!(draft, &HASH_ID_SHA256);
                for encoding in [
                    Encoding::Compressed,
                    Encoding::Padded,
                    Encoding::ConstantTime,
                ] {
                    let room = max_signature_size(encoding, 9);
                    let (mut whole, mut pieces) = (vec![0; room], vec![0; room]);
                    let expected =
                        falcon::sign(&falcon_key, &mut rng(), &message, encoding, &mut whole);
                    let mut signer = falcon::stream_signer(&falcon_key, &mut rng()).unwrap();
                    signer.update(left);
                    signer.update(right);
                    assert_eq!(signer.finish_as(encoding, &mut pieces), expected);
                    assert!(expected.is_ok());
                    assert_eq!(whole, pieces);
                }
            }
        }
    }

    /// At toy degrees attempts fail often: the nonce stays, and the signature is valid all the same.
    #[test]
    fn failed_attempts_need_no_second_pass() {
        let key = SigningKeyWeak::from_seed_of_degree(3, &[4; 32]).unwrap();
        let (mut same, mut others) = (0, 0);
        for i in 0..200u8 {
            let size = signature_size(3);
            let (mut whole, mut pieces) = (vec![0; size], vec![0; size]);
            let rng = || SeededRng::new(&[i]);
            key.sign_bytes(
                &mut rng(),
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                b"message",
                &mut whole,
            )
            .unwrap();
            let mut signer = key
                .stream_signer(&mut rng(), &DOMAIN_NONE, &HASH_ID_RAW)
                .unwrap();
            signer.update(b"mess");
            signer.update(b"age");
            signer.finish(&mut pieces).unwrap();
            let mut nonce = [0; NONCE_LENGTH];
            rng().try_fill_bytes(&mut nonce).unwrap();
            assert_eq!(pieces[1..=NONCE_LENGTH], nonce);
            let verifying = key.verifying_key();
            verifying
                .try_verify(&pieces, &DOMAIN_NONE, &HASH_ID_RAW, b"message")
                .unwrap();
            // After a failed attempt `sign_bytes` takes another nonce.
            if whole == pieces {
                same += 1;
            } else {
                others += 1;
            }
        }
        assert!(same > 10 && others > 10, "{same} {others}");
    }

    #[test]
    fn errors() {
        let key = draft2026::SigningKey512::from_seed(&[1; 32]).unwrap();
        let rng = &mut SeededRng::new(b"");
        let long = &DomainContext(&[0; 256]);
        let refused = key.stream_signer(rng, long, &HASH_ID_RAW);
        assert_eq!(refused.err(), Some(Error::Context));
        let mut begun = |id| key.stream_signer(rng, &DOMAIN_NONE, id).unwrap();
        assert_eq!(
            begun(&HASH_ID_RAW).finish(&mut [0; 665]),
            Err(Error::Length)
        );
        let mut short = begun(&HASH_ID_EXTMU);
        short.update([0; 63]);
        assert_eq!(short.finish(&mut [0; 666]), Err(Error::Length));
        let falcon_key = falcon::SigningKey512::from_seed(&[1; 32]).unwrap();
        let signer = falcon::stream_signer(&falcon_key, rng).unwrap();
        let refused = signer.finish_as(Encoding::Compressed, &mut [0; 700]);
        assert_eq!(refused, Err(Error::Length));
        struct Broken;
        impl TryRng for Broken {
            type Error = fmt::Error;
            fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
                Err(fmt::Error)
            }
            fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
                Err(fmt::Error)
            }
            fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
                Err(fmt::Error)
            }
        }
        impl TryCryptoRng for Broken {}
        let refused = key.stream_signer(&mut Broken, &DOMAIN_NONE, &HASH_ID_RAW);
        assert_eq!(refused.err(), Some(Error::Random));
    }
}
