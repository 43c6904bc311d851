//! Signing keys and signing.

use crate::representative::{PREFIX, Representative, has_label, label};
use crate::verifying::{Main, VerifyingKeyOf};
use crate::{DIGEST_LENGTH, Error, SEED_LENGTH, Sha512, signature_size};
use core::fmt;
use core::hint::black_box;
use lanner_ed25519::{SIGNATURE_LENGTH, Signature, Signer};
use lanner_fn_dsa::{DomainContext, HASH_ID_RAW, SigningSpace};
use lanner_simd::stack::cleared;
use rand_core::TryCryptoRng;
use sha2::Digest;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// A signing key with FN-DSA of a degree from 2^`MIN` to `N`: 512 or 1024. A type for toy degrees cannot make one:
///
/// ```compile_fail,E0080
/// let key = lanner_hybrid::SigningKeyOf::<2, 256>::from_seed(&[1; 32]);
/// ```
///
/// It is a seed of 32 bytes; the keys of both halves are derived from it and kept beside it: 6 `N` + about 400 bytes. Wiped when
/// dropped; `Debug` shows the verifying key alone; comparing takes constant time. Signing takes what FN-DSA takes, and 700 bytes.
pub struct SigningKeyOf<const MIN: u32, const N: usize> {
    seed: Zeroizing<[u8; SEED_LENGTH]>,
    ed25519: lanner_ed25519::SigningKey,
    fn_dsa: lanner_fn_dsa::SigningKeyOf<Main, MIN, N>,
    hash: [u8; DIGEST_LENGTH],
}

/// A signing key with FN-DSA-512.
pub type SigningKey512 = SigningKeyOf<9, 512>;

/// A signing key with FN-DSA-1024.
pub type SigningKey1024 = SigningKeyOf<10, 1024>;

/// A signing key of either kind.
pub type SigningKeyStandard = SigningKeyOf<9, 1024>;

/// Runs what makes a key, and overwrites the stack where parts of it were moved. The halves overwrite what they use
/// themselves; what is left are copies of what a key is made of: three in a row, where a program is optimised as one unit of
/// code.
#[inline(always)]
fn after_making<const N: usize, R>(operation: impl FnOnce() -> R) -> R {
    if N <= 512 {
        cleared::<{ 40 * 1024 }, R>(operation)
    } else {
        cleared::<{ 72 * 1024 }, R>(operation)
    }
}

/// The same for what has a key already.
#[inline(always)]
fn after_moving<const N: usize, R>(operation: impl FnOnce() -> R) -> R {
    if N <= 512 {
        cleared::<{ 24 * 1024 }, R>(operation)
    } else {
        cleared::<{ 36 * 1024 }, R>(operation)
    }
}

impl<const MIN: u32, const N: usize> SigningKeyOf<MIN, N> {
    /// The key that a seed is, with FN-DSA of degree 2^`logn`. The same seed makes other keys with another degree.
    /// The time depends on how many candidates for the key of FN-DSA are thrown away, which says nothing of the one that is kept.
    ///
    /// # Errors
    ///
    /// [`Error::Degree`] if this type does not support the degree.
    pub fn from_seed_of_degree(logn: u32, seed: &[u8; SEED_LENGTH]) -> Result<Self, Error> {
        const { assert!(has_label(MIN, N), "degrees 512 and 1024 alone") }
        if !(MIN..=N.ilog2()).contains(&logn) {
            return Err(Error::Degree);
        }
        after_making::<N, _>(|| {
            let halves = derive(logn, seed);
            let (first, second) = halves.split_at(SEED_LENGTH);
            let (first, second) = (
                first.try_into().expect("32 bytes"),
                second.try_into().expect("32 bytes"),
            );
            let mut key = SigningKeyOf {
                seed: Zeroizing::new(*seed),
                ed25519: lanner_ed25519::SigningKey::from_bytes(first),
                fn_dsa: lanner_fn_dsa::SigningKeyOf::from_seed_of_degree(logn, second)
                    .map_err(|_| Error::Degree)?,
                hash: [0; DIGEST_LENGTH],
            };
            key.hash = *key.verifying_key().hash();
            Ok(key)
        })
    }

    /// The key that a seed is, of the largest degree of the type. Time as
    /// [`from_seed_of_degree`](Self::from_seed_of_degree).
    ///
    /// # Errors
    ///
    /// None; the type has one for the sake of the other method.
    pub fn from_seed(seed: &[u8; SEED_LENGTH]) -> Result<Self, Error> {
        Self::from_seed_of_degree(N.ilog2(), seed)
    }

    /// A new key, of the largest degree of the type. Takes 32 bytes from the generator, and time as
    /// [`from_seed`](Self::from_seed).
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the generator failed.
    pub fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let mut seed = Zeroizing::new([0; SEED_LENGTH]);
        rng.try_fill_bytes(&mut *seed).map_err(|_| Error::Random)?;
        Self::from_seed(&seed)
    }

    /// A new key, of the largest degree of the type, from the generator of the operating system. Time as
    /// [`from_seed`](Self::from_seed).
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the operating system gives no randomness.
    #[cfg(all(
        feature = "getrandom",
        not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
    ))]
    pub fn generate_from_os() -> Result<Self, Error> {
        let mut seed = Zeroizing::new([0; SEED_LENGTH]);
        getrandom::fill(&mut *seed).map_err(|_| Error::Random)?;
        Self::from_seed(&seed)
    }

    /// The 32 bytes that the key is. The keys of the halves cannot be had.
    #[must_use]
    pub fn seed(&self) -> &[u8; SEED_LENGTH] {
        &self.seed
    }

    /// The logarithm of FN-DSA's degree: 9 or 10.
    #[must_use]
    pub fn logn(&self) -> u32 {
        self.fn_dsa.logn()
    }

    /// The verifying key.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKeyOf<MIN, N> {
        VerifyingKeyOf::of_halves(self.ed25519.verifying_key(), self.fn_dsa.verifying_key())
    }

    /// Makes a signature of [`signature_size`] bytes of a message, under a context that signer and verifier agree on: 0 to 255
    /// bytes. Takes randomness for FN-DSA: 40 bytes, nearly always. In constant time but for what FN-DSA shows: the
    /// number of its attempts.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `signature` has another length, [`Error::Context`] if the context is too long,
    /// [`Error::Random`] if the generator failed. `signature` is zeros then, or as it was.
    pub fn sign_bytes<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        context: &[u8],
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        self.sign_digest(rng, context, &Sha512::digest(message).into(), signature)
    }

    /// [`sign_bytes`](Self::sign_bytes) in memory that the caller provides, for small stacks.
    ///
    /// # Errors
    ///
    /// Those of [`sign_bytes`](Self::sign_bytes).
    ///
    /// ```
    /// use lanner_fn_dsa::shake::SeededRng;
    /// use lanner_hybrid::{SigningKey512, SigningSpace};
    ///
    /// let rng = &mut SeededRng::new(b"use a real generator");
    /// let key = SigningKey512::generate(rng)?;
    /// let mut space = Box::new(SigningSpace::new()); // 36 kB, and 72 with degree 1024
    /// let mut signature = [0; 730];
    /// key.sign_bytes_in(&mut space, rng, b"", b"message", &mut signature)?;
    /// key.verifying_key().verify(&signature, b"", b"message")?;
    /// # Ok::<(), lanner_hybrid::Error>(())
    /// ```
    pub fn sign_bytes_in<R: TryCryptoRng + ?Sized>(
        &self,
        space: &mut SigningSpace<N>,
        rng: &mut R,
        context: &[u8],
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let digest = Sha512::digest(message).into();
        self.sign_digest_in(space, rng, context, &digest, signature)
    }

    /// [`sign_bytes`](Self::sign_bytes) for the message with this SHA-512.
    ///
    /// # Errors
    ///
    /// Those of [`sign_bytes`](Self::sign_bytes).
    pub fn sign_digest<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        context: &[u8],
        digest: &[u8; DIGEST_LENGTH],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        self.sign_halves(
            context,
            digest,
            signature,
            |message| Ok(self.ed25519.sign(message)),
            |context, message, signature| {
                self.fn_dsa
                    .sign_bytes(rng, context, &HASH_ID_RAW, message, signature)
            },
        )
    }

    /// [`sign_digest`](Self::sign_digest) in memory that the caller provides, for small stacks.
    ///
    /// # Errors
    ///
    /// Those of [`sign_bytes`](Self::sign_bytes).
    pub fn sign_digest_in<R: TryCryptoRng + ?Sized>(
        &self,
        space: &mut SigningSpace<N>,
        rng: &mut R,
        context: &[u8],
        digest: &[u8; DIGEST_LENGTH],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        self.sign_halves(
            context,
            digest,
            signature,
            |message| Ok(self.ed25519.sign(message)),
            |context, message, signature| {
                self.fn_dsa
                    .sign_bytes_in(space, rng, context, &HASH_ID_RAW, message, signature)
            },
        )
    }

    /// Makes the signature of [`sign_bytes`](Self::sign_bytes), and gives it out only if it is right, whatever single
    /// fault of the processor or of memory happened meanwhile: both halves are made twice, compared and verified, for
    /// which the message is hashed once more. Takes 32 bytes from the generator and then 32 more; constant time as
    /// [`sign_bytes`](Self::sign_bytes).
    ///
    /// # Errors
    ///
    /// [`Error::Fault`] if a half differs or the signature is not valid; those of [`sign_bytes`](Self::sign_bytes).
    /// `signature` is zeros then, or as it was.
    pub fn sign_bytes_checked<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        context: &[u8],
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let both = named_apart((context, message));
        self.sign_message_named(both, signature, |context, message, signature| {
            self.fn_dsa
                .sign_bytes_checked(rng, context, &HASH_ID_RAW, message, signature)
        })
    }

    /// [`sign_bytes_checked`](Self::sign_bytes_checked) in memory that the caller provides, for small stacks. A second signature
    /// and a verifying key are on the stack besides.
    ///
    /// # Errors
    ///
    /// Those of [`sign_bytes_checked`](Self::sign_bytes_checked).
    pub fn sign_bytes_checked_in<R: TryCryptoRng + ?Sized>(
        &self,
        space: &mut SigningSpace<N>,
        rng: &mut R,
        context: &[u8],
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let both = named_apart((context, message));
        self.sign_message_named(both, signature, |context, message, signature| {
            self.fn_dsa
                .sign_bytes_checked_in(space, rng, context, &HASH_ID_RAW, message, signature)
        })
    }

    /// [`sign_bytes_checked`](Self::sign_bytes_checked) for the message with this SHA-512.
    ///
    /// # Errors
    ///
    /// Those of [`sign_bytes_checked`](Self::sign_bytes_checked).
    pub fn sign_digest_checked<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        context: &[u8],
        digest: &[u8; DIGEST_LENGTH],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let both = named_apart((context, digest));
        self.sign_digest_named(both, signature, |context, message, signature| {
            self.fn_dsa
                .sign_bytes_checked(rng, context, &HASH_ID_RAW, message, signature)
        })
    }

    /// [`sign_digest_checked`](Self::sign_digest_checked) in memory that the caller provides, as
    /// [`sign_bytes_checked_in`](Self::sign_bytes_checked_in).
    ///
    /// # Errors
    ///
    /// Those of [`sign_bytes_checked`](Self::sign_bytes_checked).
    pub fn sign_digest_checked_in<R: TryCryptoRng + ?Sized>(
        &self,
        space: &mut SigningSpace<N>,
        rng: &mut R,
        context: &[u8],
        digest: &[u8; DIGEST_LENGTH],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let both = named_apart((context, digest));
        self.sign_digest_named(both, signature, |context, message, signature| {
            self.fn_dsa
                .sign_bytes_checked_in(space, rng, context, &HASH_ID_RAW, message, signature)
        })
    }

    #[inline(always)]
    fn sign_message_named(
        &self,
        [signed, verified]: [(&[u8], &[u8]); 2],
        signature: &mut [u8],
        fn_dsa: impl FnOnce(&DomainContext<'_>, &[u8], &mut [u8]) -> Result<(), lanner_fn_dsa::Error>,
    ) -> Result<(), Error> {
        // The halves sign one hash. Whether it is that of the message, another one tells.
        let (context, message) = black_box(signed);
        let digest = Sha512::digest(message).into();
        self.sign_checked(context, &digest, signature, fn_dsa, |key, signature| {
            let (context, message) = black_box(verified);
            key.verify(signature, context, message)
        })
    }

    #[inline(always)]
    fn sign_digest_named(
        &self,
        [signed, verified]: [(&[u8], &[u8; DIGEST_LENGTH]); 2],
        signature: &mut [u8],
        fn_dsa: impl FnOnce(&DomainContext<'_>, &[u8], &mut [u8]) -> Result<(), lanner_fn_dsa::Error>,
    ) -> Result<(), Error> {
        let (context, digest) = black_box(signed);
        self.sign_checked(context, digest, signature, fn_dsa, |key, signature| {
            let (context, digest) = black_box(verified);
            key.verify_digest(signature, context, digest)
        })
    }

    /// Signs twice, FN-DSA's half by `fn_dsa`, and gives out what `verify` accepts.
    fn sign_checked(
        &self,
        context: &[u8],
        digest: &[u8; DIGEST_LENGTH],
        signature: &mut [u8],
        fn_dsa: impl FnOnce(&DomainContext<'_>, &[u8], &mut [u8]) -> Result<(), lanner_fn_dsa::Error>,
        verify: impl FnOnce(&VerifyingKeyOf<MIN, N>, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.sign_halves(
            context,
            digest,
            signature,
            |message| {
                let signature = self.ed25519.sign_checked(message);
                signature.map_err(|_| Error::Fault)
            },
            fn_dsa,
        )?;
        // What both halves signed is computed once more here.
        let verdict = after_moving::<N, _>(|| verify(&self.verifying_key(), signature));
        if verdict.is_err() {
            signature.fill(0);
            return Err(Error::Fault);
        }
        Ok(())
    }

    /// Both signatures of what stands for the message, by what makes one of Ed25519 and one of FN-DSA.
    fn sign_halves(
        &self,
        context: &[u8],
        digest: &[u8; DIGEST_LENGTH],
        signature: &mut [u8],
        ed25519: impl FnOnce(&[u8]) -> Result<Signature, Error>,
        fn_dsa: impl FnOnce(&DomainContext<'_>, &[u8], &mut [u8]) -> Result<(), lanner_fn_dsa::Error>,
    ) -> Result<(), Error> {
        let logn = self.logn();
        if signature.len() != signature_size(logn) {
            return Err(Error::Length);
        }
        let message = Representative::new(logn, &self.hash, context, digest)?;
        let (first, second) = signature.split_at_mut(SIGNATURE_LENGTH);
        let result = match fn_dsa(&DomainContext(label(logn)), message.bytes(), second) {
            // Signing overwrites what it uses; this is for its result on the way.
            Ok(()) => cleared::<256, _>(|| {
                first.copy_from_slice(&ed25519(message.bytes())?.to_bytes());
                Ok(())
            }),
            Err(lanner_fn_dsa::Error::Fault) => Err(Error::Fault),
            // The lengths are right, and the key comes from a key generator.
            Err(_) => Err(Error::Random),
        };
        if result.is_err() {
            // Half a signature is none.
            signature.fill(0);
        }
        result
    }
}

/// What is signed, as it comes in, for each of its uses: one name for both would be one place for a fault, after which another
/// message is signed, rightly.
#[inline(always)]
fn named_apart<T: Copy>(name: T) -> [T; 2] {
    [(); 2].map(|()| black_box(name))
}

/// The seeds of both halves: that of Ed25519, and that of FN-DSA.
fn derive(logn: u32, seed: &[u8; SEED_LENGTH]) -> Zeroizing<[u8; 2 * SEED_LENGTH]> {
    let label = label(logn);
    let mut seeds = Zeroizing::new([0; 2 * SEED_LENGTH]);
    let mut hash = Sha512::new();
    hash.update(PREFIX);
    hash.update([label.len() as u8]);
    hash.update(label);
    hash.update(seed);
    hash.finalize_into((&mut *seeds).into());
    seeds
}

impl<const MIN: u32, const N: usize> Clone for SigningKeyOf<MIN, N> {
    fn clone(&self) -> Self {
        after_moving::<N, _>(|| SigningKeyOf {
            seed: self.seed.clone(),
            ed25519: self.ed25519.clone(),
            fn_dsa: self.fn_dsa.clone(),
            hash: self.hash,
        })
    }
}

impl<const MIN: u32, const N: usize> ConstantTimeEq for SigningKeyOf<MIN, N> {
    fn ct_eq(&self, other: &Self) -> subtle::Choice {
        self.seed[..].ct_eq(&other.seed[..]) & self.logn().ct_eq(&other.logn())
    }
}

impl<const MIN: u32, const N: usize> PartialEq for SigningKeyOf<MIN, N> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl<const MIN: u32, const N: usize> Eq for SigningKeyOf<MIN, N> {}

impl<const MIN: u32, const N: usize> fmt::Debug for SigningKeyOf<MIN, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", &self.verifying_key())
            .finish_non_exhaustive()
    }
}

impl<const MIN: u32, const N: usize> zeroize::ZeroizeOnDrop for SigningKeyOf<MIN, N> {}
