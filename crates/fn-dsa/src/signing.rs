//! Signing keys and signing (Falcon specification, section 3.9).

use core::fmt;

use rand_core::{CryptoRng, TryCryptoRng};
use subtle::{Choice, ConstantTimeEq};

use crate::attempts::{self, Attempts, Compat, Core, Derived, Hedged, SigningSpace};
use crate::codec::{self, Encoding};
use crate::errors::Error;
#[cfg(feature = "keygen")]
use crate::generating::generate;
use crate::hash::{
    DomainContext, HashIdentifier, MU_LENGTH, MessageHash, keeps_nonce, point_of_mu,
};
#[cfg(feature = "keygen")]
use crate::keygen::Workspace;
use crate::ntt::Room;
use crate::params::{FnDsa, NONCE_LENGTH, P3, Variant, max_logn, signature_size};
#[cfg(feature = "keygen")]
use crate::params::{KEYGEN_LOGN_MIN, check_degree};
use crate::rules::{Ruled, Rules};
use crate::sampler::Ordered;
use crate::sampler::source::Reseed;
use crate::sampler::wide::FastSource;
use crate::secret::{DecodingSpace, Secret};
use crate::shake::{RATE_256, ShakeStream, Sponge};
use crate::verifying::{VerifyingKeyOf, write_verifying_key};
#[cfg(feature = "keygen")]
use crate::wiping::after_making_key;
use crate::wiping::{
    after_comparing, after_copying, after_decoding, after_encoding, after_signing_shake, wipe,
};

/// A signing key: the secret half of a key pair.
///
/// The types that implement this, one for each choice of degrees, are [`SigningKeyStandard`],
/// [`SigningKey512`], [`SigningKey1024`] and, for toy degrees, [`SigningKeyWeak`]. More can be done
/// with them by the methods of [`SigningKeyOf`] itself.
pub trait SigningKey: Sized {
    /// Decodes a key: [`sign_key_size`](crate::sign_key_size) bytes. `None` if the encoding is not
    /// canonical, the parts do not belong together or are longer than generators make them, or the degree is not one that this type
    /// supports.
    fn decode(sec: &[u8]) -> Option<Self>;

    /// The logarithm of the degree.
    fn get_logn(&self) -> u32;

    /// Encodes the verifying key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `vrfy_key` does not have [`vrfy_key_size`](crate::vrfy_key_size) bytes, [`Error::Key`] if
    /// the key was wiped.
    fn try_to_verifying_key(&self, vrfy_key: &mut [u8]) -> Result<(), Error>;

    /// Encodes the verifying key, by the name that fn-dsa 0.3 has for it.
    ///
    /// # Panics
    ///
    /// If `vrfy_key` does not have [`vrfy_key_size`](crate::vrfy_key_size) bytes, or the key was wiped.
    fn to_verifying_key(&self, vrfy_key: &mut [u8]) {
        if let Err(error) = self.try_to_verifying_key(vrfy_key) {
            panic!("{error}");
        }
    }

    /// Signs `hv` under `ctx`, where `id` says what `hv` is: the message
    /// ([`HASH_ID_RAW`](crate::HASH_ID_RAW)) or its hash, which the caller has computed: as in fn-dsa 0.3 it is not looked at
    /// whether that has the length of such a hash, and the C library and the npm package, which do look, would take no
    /// signature of anything else. Takes 40 random bytes an attempt, and one
    /// attempt nearly always.
    ///
    /// The key does not steer branches or addresses. The number of attempts shows, and so does that of
    /// rejections within the sampler; both are independent of the key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `sig` does not have [`signature_size`] bytes, [`Error::Context`] if the
    /// context is longer than 255 bytes, [`Error::Random`] if the generator failed,
    /// [`Error::Attempts`] if the key is no key, [`Error::Key`] if it was wiped. `sig` is not meaningful then.
    fn try_sign<T: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut T,
        ctx: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        hv: &[u8],
        sig: &mut [u8],
    ) -> Result<(), Error>;

    /// Signs `hv` under `ctx`, where `id` says what `hv` is, as fn-dsa 0.3 has it: `&mut self`, though nothing
    /// changes, so that `let mut key` there draws no warning here. Takes 40 random bytes an attempt.
    ///
    /// # Panics
    ///
    /// If `sig` does not have [`signature_size`] bytes, the context is longer than 255 bytes, or the key is no
    /// key. [`try_sign`](Self::try_sign) has errors for that.
    fn sign<T: CryptoRng + ?Sized>(
        &mut self,
        rng: &mut T,
        ctx: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        hv: &[u8],
        sig: &mut [u8],
    ) {
        if let Err(error) = self.try_sign(rng, ctx, id, hv, sig) {
            panic!("{error}");
        }
    }
}

/// A signing key of variant `V`, of a degree from 2^`MIN` to `N`.
///
/// Takes 6 `N` + 112 bytes. Signing takes a [`SigningSpace`] besides, from the stack or from the
/// caller, and 13 kB of stack: 51 kB in all at degree 512, and 91 kB at 1024. Decoding takes a [`DecodingSpace`] and
/// 7 or 10 kB of stack, beside the key itself. `N` is a power of two, 1024 at most:
///
/// ```compile_fail,E0080
/// use lanner_fn_dsa::{SigningKeyOf, variant::P3};
///
/// let key = SigningKeyOf::<P3, 9, 2048>::from_bytes(&[0x5b; 100]);
/// ```
///
/// Wiped when dropped; `Debug` shows the verifying key alone; comparing takes constant time. One that was wiped before, by
/// [`zeroize`](zeroize::Zeroize::zeroize), is no key any more: whoever signs with it or encodes it gets [`Error::Key`], its
/// degree is 2^0, and its verifying key none under which a signature is valid.
pub struct SigningKeyOf<V: Variant, const MIN: u32, const N: usize> {
    pub(crate) secret: Secret<N>,
    pub(crate) rules: <V as Ruled>::Rules,
}

/// A signing key of degree 512 or 1024.
pub type SigningKeyStandard = SigningKeyOf<P3, 9, 1024>;

/// A signing key of degree 512.
pub type SigningKey512 = SigningKeyOf<P3, 9, 512>;

/// A signing key of degree 1024.
pub type SigningKey1024 = SigningKeyOf<P3, 10, 1024>;

/// A signing key of degree 4 to 256, for tests and research: **such keys are broken at once**.
pub type SigningKeyWeak = SigningKeyOf<P3, 2, 256>;

impl<V: Variant, const MIN: u32, const N: usize> SigningKeyOf<V, MIN, N> {
    pub(crate) const MAX: u32 = max_logn(MIN, N);

    /// Decodes a key: [`sign_key_size`](crate::sign_key_size) bytes, 1281 for degree 512 and 2305 for 1024, and in the draft
    /// guess 64 more. In constant time, but for which of the errors it is.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] if the encoding is not canonical or the parts do not belong together, another length included, or f and g are longer
    /// than key generators make them;
    /// [`Error::Degree`] if the header tells a degree that this type does not support.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_in(&mut DecodingSpace::new(), bytes)
    }

    /// Decodes a key as [`from_bytes`](Self::from_bytes) does, in memory that the caller provides, for small stacks.
    ///
    /// # Errors
    ///
    /// Those of [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_in(space: &mut DecodingSpace<N>, bytes: &[u8]) -> Result<Self, Error> {
        after_decoding::<N, _>(|| Self::decoded(space, bytes))
    }

    /// The key of these bytes, for traits that do not tell why there is none.
    pub(crate) fn from_bytes_or_none(bytes: &[u8]) -> Option<Self> {
        let space = &mut DecodingSpace::new();
        after_decoding::<N, _>(|| {
            let mut key = Self::EMPTY;
            key.secret
                .decode(V::RULES, space, bytes, MIN, Self::MAX)
                .ok()?;
            Some(key)
        })
    }

    /// The same, without overwriting the stack.
    pub(crate) fn decoded(space: &mut DecodingSpace<N>, bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self::EMPTY;
        key.secret.decode(V::RULES, space, bytes, MIN, Self::MAX)?;
        Ok(key)
    }

    /// No key yet.
    pub(crate) const EMPTY: Self = {
        assert!(Self::MAX > 0);
        Self {
            secret: Secret::EMPTY,
            rules: V::RULES,
        }
    };

    /// Encodes the key: the same bytes that [`from_bytes`](Self::from_bytes) takes.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] if the key was wiped; [`Error::Length`] if `output` does not have the exact length, which is
    /// [`sign_key_size`](crate::sign_key_size), and in the draft guess
    /// [its own](crate::draft2026::sign_key_size).
    pub fn write_bytes(&self, output: &mut [u8]) -> Result<(), Error> {
        after_encoding::<N, _>(|| self.secret.encode(self.rules, output))
    }

    /// The key pair of a seed, of degree 2^`logn`: the same one on every platform, and for the main
    /// variant the one that fn-dsa 0.3.0 makes of the same 32 random bytes.
    ///
    /// Takes 40 `N` bytes of stack and 7 kB (degree 512) or 10 kB, beside the key itself: 28 and 52 kB. A
    /// [`KeyPairGenerator`](crate::KeyPairGenerator) has that memory in itself.
    ///
    /// The time depends on how many candidates for keys are thrown away before the one that is kept, which says nothing of it.
    ///
    /// At degree 64, a toy, and with the draft guess at 256, one seed in millions gives a key with a coefficient for which encoded keys have
    /// no room: it signs, and its encoding is not one that decodes. So it is in fn-dsa 0.3, which makes the same.
    ///
    /// # Errors
    ///
    /// [`Error::Degree`] if this type does not support the degree.
    #[cfg(feature = "keygen")]
    pub fn from_seed_of_degree(logn: u32, seed: &[u8; 32]) -> Result<Self, Error> {
        check_degree(logn, MIN.max(KEYGEN_LOGN_MIN), Self::MAX)?;
        let work = &mut Workspace::<N>::new();
        after_making_key::<N, _>(|| {
            let mut key = Self::EMPTY;
            generate(V::RULES, work, logn, seed, &mut key.secret);
            Ok(key)
        })
    }

    /// The key pair of a seed, of the largest degree of the type: the same one on every platform, and for the
    /// main variant the one that fn-dsa 0.3.0 makes of the same 32 random bytes. Takes 28 kB of stack at degree 512 and 52 kB
    /// at 1024, beside the key itself. Time as [`from_seed_of_degree`](Self::from_seed_of_degree).
    ///
    /// # Errors
    ///
    /// None; the type has one for the sake of the other method.
    ///
    /// ```
    /// use lanner_fn_dsa::SigningKey512;
    ///
    /// let one = SigningKey512::from_seed(&[7; 32])?;
    /// let two = SigningKey512::from_seed(&[7; 32])?;
    /// assert_eq!(one, two);
    /// # Ok::<(), lanner_fn_dsa::Error>(())
    /// ```
    #[cfg(feature = "keygen")]
    pub fn from_seed(seed: &[u8; 32]) -> Result<Self, Error> {
        Self::from_seed_of_degree(Self::MAX, seed)
    }

    /// A new key pair, of the largest degree of the type. Takes 32 bytes from the generator, and memory and time as
    /// [`from_seed`](Self::from_seed).
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the generator failed.
    #[cfg(feature = "keygen")]
    pub fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let mut seed = zeroize::Zeroizing::new([0; 32]);
        rng.try_fill_bytes(&mut *seed).map_err(|_| Error::Random)?;
        Self::from_seed(&seed)
    }

    /// A new key pair, of the largest degree of the type, from the generator of the operating system. Absent on
    /// WebAssembly without WASI, where there is none. Memory and time as [`from_seed`](Self::from_seed).
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the operating system gives no randomness.
    #[cfg(all(
        feature = "keygen",
        feature = "getrandom",
        not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
    ))]
    pub fn generate_from_os() -> Result<Self, Error> {
        let mut seed = zeroize::Zeroizing::new([0; 32]);
        getrandom::fill(&mut *seed).map_err(|_| Error::Random)?;
        Self::from_seed(&seed)
    }

    /// The logarithm of the degree.
    #[must_use]
    pub fn logn(&self) -> u32 {
        self.secret.logn
    }

    /// The verifying key.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKeyOf<V, MIN, N> {
        VerifyingKeyOf::from_values(self.secret.logn, &self.secret.h_values, self.secret.hpk)
    }

    /// Makes a padded signature of `message` under `context`, where `id` says what the message is: itself
    /// ([`HASH_ID_RAW`](crate::HASH_ID_RAW)) or its hash. Takes 40 random bytes an attempt, and one attempt nearly
    /// always; the number of attempts shows, and the key does not.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `signature` does not have [`signature_size`] bytes, [`Error::Context`] if the
    /// context is longer than 255 bytes, [`Error::Random`] if the generator failed,
    /// [`Error::Attempts`] if the key is no key, [`Error::Key`] if it was wiped. `signature` is not meaningful then.
    pub fn sign_bytes<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error>
    where
        V: FnDsa,
    {
        let space = &mut SigningSpace::new();
        self.sign_bytes_in(space, rng, context, id, message, signature)
    }

    /// Makes the signature of [`sign_bytes`](Self::sign_bytes) in memory that the caller provides, for small
    /// stacks.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `signature` does not have [`signature_size`] bytes, [`Error::Context`] if the
    /// context is longer than 255 bytes, [`Error::Random`] if the generator failed,
    /// [`Error::Attempts`] if the key is no key, [`Error::Key`] if it was wiped. `signature` is not meaningful then.
    pub fn sign_bytes_in<R: TryCryptoRng + ?Sized>(
        &self,
        space: &mut SigningSpace<N>,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error>
    where
        V: FnDsa,
    {
        let hash = |nonce: &[u8; NONCE_LENGTH], hash: &mut MessageHash| -> Result<(), Error> {
            hash.start(V::RULES, nonce, &self.secret.hpk, context, id)?;
            hash.update(message);
            Ok(())
        };
        self.sign_hashed(&self.secret, space, rng, id, signature, hash)
    }

    /// Signs a message that comes in pieces, in constant memory. The result is an ordinary padded
    /// signature of the whole message.
    ///
    /// `pass` must feed the message; it is called once for each attempt, so nearly always once, and has
    /// to begin at the start each time. (The nonce comes before the message in the hash, and another
    /// attempt takes another nonce. In the [draft guess](crate::draft2026) there is one pass always.)
    /// A message that changes between passes does no harm: what is signed is what the last pass fed.
    ///
    /// # Errors
    ///
    /// [`StreamError::Source`] if `pass` fails, [`StreamError::Sign`] with the errors of
    /// [`sign_bytes`](Self::sign_bytes).
    ///
    /// ```
    /// # #[cfg(feature = "keygen")] {
    /// use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, SigningKey512, StreamError, shake::SeededRng};
    /// use std::io::{Cursor, Error, Read, Seek};
    ///
    /// let key = SigningKey512::from_seed(&[9; 32]).unwrap();
    /// let rng = &mut SeededRng::new(b"use a real generator");
    /// let mut file = Cursor::new(vec![0x5a; 100_000]); // or a std::fs::File
    /// let mut signature = [0; 666];
    ///
    /// key.sign_stream(rng, &DOMAIN_NONE, &HASH_ID_RAW, &mut signature, |sink| {
    ///     let mut buffer = [0; 4096];
    ///     file.rewind()?;
    ///     loop {
    ///         match file.read(&mut buffer)? {
    ///             0 => return Ok::<(), Error>(()),
    ///             n => sink.update(&buffer[..n]),
    ///         }
    ///     }
    /// })?;
    /// let key = key.verifying_key();
    /// assert!(key.try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, &[0x5a; 100_000]).is_ok());
    /// # }
    /// # Ok::<(), lanner_fn_dsa::StreamError<std::io::Error>>(())
    /// ```
    pub fn sign_stream<R: TryCryptoRng + ?Sized, E>(
        &self,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        signature: &mut [u8],
        mut pass: impl FnMut(&mut MessageSink<'_>) -> Result<(), E>,
    ) -> Result<(), StreamError<E>>
    where
        V: FnDsa,
    {
        let space = &mut SigningSpace::new();
        let hash = |nonce: &[u8; NONCE_LENGTH], hash: &mut MessageHash| {
            hash.start(V::RULES, nonce, &self.secret.hpk, context, id)?;
            pass(&mut MessageSink(hash)).map_err(StreamError::Source)
        };
        self.sign_hashed(&self.secret, space, rng, id, signature, hash)
    }

    /// The variants' own ways of drawing randomness, around a padded signature.
    pub(crate) fn sign_hashed<C: Core, R: TryCryptoRng + ?Sized, E: From<Error>>(
        &self,
        core: &C,
        space: &mut SigningSpace<N>,
        rng: &mut R,
        id: &HashIdentifier<'_>,
        signature: &mut [u8],
        mut hash: impl FnMut(&[u8; NONCE_LENGTH], &mut MessageHash) -> Result<(), E>,
    ) -> Result<(), E> {
        if signature.len() != signature_size(self.secret.present()?) {
            return Err(Error::Length.into());
        }
        let hsk = &self.secret.hsk;
        if V::HASHES_MU {
            C::cleared::<true, _>(|| {
                // mu does not depend on the nonce.
                let mut message = MessageHash::empty();
                hash(&[0; NONCE_LENGTH], &mut message)?;
                let mu: [u8; MU_LENGTH] = message.mu()?;
                let mut attempts = Hedged::empty();
                attempts.start(rng, hsk, &mu)?;
                Self::sign_padded(core, space, &mut attempts, signature, |nonce, c, digest| {
                    point_of_mu(V::RULES, nonce, &mu, c, digest);
                    Ok(())
                })
            })
        } else {
            C::cleared::<false, _>(|| {
                let source = &mut FastSource::empty();
                let mut attempts = Derived::new(rng, hsk, keeps_nonce(V::RULES, id), source);
                let mut message = MessageHash::empty();
                Self::sign_padded(core, space, &mut attempts, signature, |nonce, c, digest| {
                    hash(nonce, &mut message)?;
                    message.point(V::RULES, nonce, c)?;
                    digest.clone_from(message.digest());
                    Ok(())
                })
            })
        }
    }

    fn sign_padded<A: Attempts, E: From<Error>>(
        core: &impl Core,
        space: &mut SigningSpace<N>,
        attempts: &mut A,
        signature: &mut [u8],
        hash: impl FnMut(&[u8; NONCE_LENGTH], &mut [u16], &mut Sponge<RATE_256>) -> Result<(), E>,
    ) -> Result<(), E> {
        let logn = core.logn();
        attempts::sign::<_, N, E>(V::RULES, core, space, attempts, hash, |nonce, s2| {
            write_padded(V::RULES, logn, nonce, s2, signature)
        })?;
        Ok(())
    }

    /// Signs as fn-dsa 0.3.0 does, byte for byte, from the same random bytes: 40 for the nonce and 56
    /// for the sampler, in each attempt. For the sake of reproduction: it is no safer than
    /// [`sign_bytes`](Self::sign_bytes), and leaves more to the generator.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `signature` does not have [`signature_size`] bytes, [`Error::Context`] if the
    /// context is longer than 255 bytes, [`Error::Random`] if the generator failed,
    /// [`Error::Attempts`] if the key is no key, [`Error::Key`] if it was wiped. `signature` is not meaningful then.
    pub fn sign_bytes_compat<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error>
    where
        Self: SigningKey,
    {
        let space = &mut SigningSpace::new();
        let source = &mut Ordered::new(ShakeStream::empty());
        self.sign_compat(source, space, rng, context, id, message, signature)
    }

    /// The same from a source of one's own, which wipes itself.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn sign_compat<R: TryCryptoRng + ?Sized>(
        &self,
        source: &mut Ordered<impl Reseed>,
        space: &mut SigningSpace<N>,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        if signature.len() != signature_size(self.secret.present()?) {
            return Err(Error::Length);
        }
        after_signing_shake::<N, _>(|| {
            let mut attempts = Compat::new(rng, keeps_nonce(V::RULES, id), source);
            let mut hash = MessageHash::empty();
            Self::sign_padded(
                &self.secret,
                space,
                &mut attempts,
                signature,
                |nonce, c, _| {
                    hash.start(V::RULES, nonce, &self.secret.hpk, context, id)?;
                    hash.update(message);
                    hash.point(V::RULES, nonce, c)
                },
            )
        })
    }
}

/// Writes header, nonce and compressed s2, zero-padded; `None` if s2 does not fit.
pub(crate) fn write_padded(
    rules: impl Rules,
    logn: u32,
    nonce: &[u8; NONCE_LENGTH],
    s2: &[i16],
    signature: &mut [u8],
) -> Option<usize> {
    write_signature(rules, Encoding::Padded, logn, nonce, s2, signature)
}

/// Writes header, nonce and s2 in an encoding; the length, or `None` if s2 does not fit into `output`.
pub(crate) fn write_signature(
    rules: impl Rules,
    encoding: Encoding,
    logn: u32,
    nonce: &[u8; NONCE_LENGTH],
    s2: &[i16],
    output: &mut [u8],
) -> Option<usize> {
    let (head, body) = output.split_at_mut(1 + NONCE_LENGTH);
    // Where it does not fit another attempt follows, whose randomness may fail to come: nobody gets a vector that was refused.
    let (kind, length) = match encoding {
        Encoding::ConstantTime => {
            if codec::pack_s2(rules, s2, body).is_none() {
                wipe(body, 0);
                return None;
            }
            (codec::header::CONSTANT_TIME, body.len())
        }
        Encoding::Compressed | Encoding::Padded => {
            let Some(length) = codec::compress(rules, s2, body) else {
                wipe(body, 0);
                return None;
            };
            let padded = encoding == Encoding::Padded;
            let length = if padded { body.len() } else { length };
            (codec::header::COMPRESSED, length)
        }
    };
    head[0] = kind + logn as u8;
    head[1..].copy_from_slice(nonce);
    Some(head.len() + length)
}

impl<const MIN: u32, const N: usize> SigningKey for SigningKeyOf<P3, MIN, N> {
    fn decode(sec: &[u8]) -> Option<Self> {
        Self::from_bytes_or_none(sec)
    }

    fn get_logn(&self) -> u32 {
        self.logn()
    }

    fn try_to_verifying_key(&self, vrfy_key: &mut [u8]) -> Result<(), Error> {
        let room = &mut Room::<N>::new().0;
        write_verifying_key(
            P3::RULES,
            self.secret.logn,
            &self.secret.h_values,
            vrfy_key,
            room,
        )
    }

    fn try_sign<T: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut T,
        ctx: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        hv: &[u8],
        sig: &mut [u8],
    ) -> Result<(), Error> {
        self.sign_bytes(rng, ctx, id, hv, sig)
    }
}

impl<V: Variant, const MIN: u32, const N: usize> Clone for SigningKeyOf<V, MIN, N> {
    fn clone(&self) -> Self {
        after_copying::<N, _>(|| {
            let mut copy = Self::EMPTY;
            copy.secret.copy_from(&self.secret);
            copy
        })
    }
}

impl<V: Variant, const MIN: u32, const N: usize> ConstantTimeEq for SigningKeyOf<V, MIN, N> {
    /// The degree is public; f, g and F decide, since G follows from them.
    fn ct_eq(&self, other: &Self) -> Choice {
        let (a, b) = (&self.secret, &other.secret);
        let same = |x: &[i8; N], y: &[i8; N]| {
            x.iter()
                .zip(y)
                .fold(Choice::from(1), |same, (x, y)| same & x.ct_eq(y))
        };
        after_comparing::<N, _>(|| {
            a.logn.ct_eq(&b.logn) & same(&a.f, &b.f) & same(&a.g, &b.g) & same(&a.big_f, &b.big_f)
        })
    }
}

impl<V: Variant, const MIN: u32, const N: usize> PartialEq for SigningKeyOf<V, MIN, N> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl<V: Variant, const MIN: u32, const N: usize> Eq for SigningKeyOf<V, MIN, N> {}

impl<V: Variant, const MIN: u32, const N: usize> fmt::Debug for SigningKeyOf<V, MIN, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", &self.verifying_key())
            .finish_non_exhaustive()
    }
}

impl<V: Variant, const MIN: u32, const N: usize> zeroize::Zeroize for SigningKeyOf<V, MIN, N> {
    fn zeroize(&mut self) {
        self.secret.wipe();
    }
}

impl<V: Variant, const MIN: u32, const N: usize> zeroize::ZeroizeOnDrop
    for SigningKeyOf<V, MIN, N>
{
}

/// Takes the pieces of a message that [`SigningKeyOf::sign_stream`] signs.
pub struct MessageSink<'h>(&'h mut MessageHash);

impl MessageSink<'_> {
    /// Takes the next piece. The pieces may be cut anywhere, and differently in each pass.
    pub fn update(&mut self, piece: impl AsRef<[u8]>) {
        self.0.update(piece.as_ref());
    }
}

impl fmt::Debug for MessageSink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageSink").finish_non_exhaustive()
    }
}

/// Why [`SigningKeyOf::sign_stream`] made no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamError<E> {
    /// The closure failed, with this error.
    Source(E),
    /// Signing failed.
    Sign(Error),
}

impl<E> From<Error> for StreamError<E> {
    fn from(error: Error) -> Self {
        StreamError::Sign(error)
    }
}

impl<E> fmt::Display for StreamError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Source(_) => f.write_str("cannot read the message"),
            StreamError::Sign(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for StreamError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            StreamError::Source(error) => Some(error),
            // Said already, by what stands for it.
            StreamError::Sign(error) => error.source(),
        }
    }
}

#[cfg(all(test, feature = "keygen"))]
mod tests {
    use super::*;

    /// Keys that differ in one of what decides are not equal, nor those that differ in two.
    #[test]
    fn every_part_of_a_key_is_compared() {
        type Change = fn(&mut SigningKey512);
        let changes: [Change; 5] = [
            |key| key.secret.logn -= 1,
            |key| key.secret.f[511] ^= 1,
            |key| key.secret.g[0] ^= 1,
            |key| key.secret.big_f[300] ^= 1,
            |key| key.secret.f[..2].iter_mut().for_each(|x| *x ^= 1),
        ];
        let key = SigningKey512::from_seed(&[1; 32]).expect("any seed");
        for change in changes {
            let mut other = key.clone();
            assert_eq!(other, key);
            change(&mut other);
            assert_ne!(other, key);
        }
    }
}
