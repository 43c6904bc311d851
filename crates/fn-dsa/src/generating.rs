//! Key pair generation (Falcon specification, section 3.8).

use core::fmt;
use core::marker::PhantomData;

use rand_core::{CryptoRng, TryCryptoRng};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::codec;
use crate::errors::Error;
use crate::hash::hash_verifying_key;
use crate::keygen::{self, KeyStream, Memory, Workspace};
use crate::ntt;
use crate::params::{
    HPK_LENGTH, KEYGEN_LOGN_MIN, P3, SEED_LENGTH, Variant, check_degree, max_logn, vrfy_key_size,
};
use crate::rules::{Ruled, Rules};
#[cfg(feature = "sign")]
use crate::secret::Secret;
use crate::shake::ShakeStream;
use crate::verifying::write_verifying_key;
use crate::wiping::{after_making_pair, wipe};

/// A generator of key pairs, with the memory that it needs.
///
/// The types that implement this, one for each choice of degrees, are [`KeyPairGeneratorStandard`],
/// [`KeyPairGenerator512`], [`KeyPairGenerator1024`] and, for toy degrees, [`KeyPairGeneratorWeak`].
///
/// A key pair is a function of 32 random bytes, the same one on every platform and with every feature:
/// for the main variant that of fn-dsa 0.3.0. (The types in [`shake256x4`](crate::shake256x4) make that of 0.2.0.) The secret does not steer branches or addresses, but for
/// which candidates are thrown away: those are not used.
pub trait KeyPairGenerator: Default {
    /// Makes a key pair from a seed. The time depends on how many candidates are thrown away before the pair that is kept,
    /// which says nothing of it.
    ///
    /// # Errors
    ///
    /// [`Error::Degree`] if the type does not support the degree 2^`logn`; [`Error::Length`] if
    /// `sign_key` or `vrfy_key` does not have the exact length, [`sign_key_size`](crate::sign_key_size)
    /// and [`vrfy_key_size`]. Nothing is written then.
    fn keygen_from_seed(
        &mut self,
        logn: u32,
        seed: &[u8; 32],
        sign_key: &mut [u8],
        vrfy_key: &mut [u8],
    ) -> Result<(), Error>;

    /// Makes a key pair. Takes 32 bytes from the generator, and time as [`keygen_from_seed`](Self::keygen_from_seed).
    ///
    /// # Errors
    ///
    /// [`Error::Degree`] if the type does not support the degree 2^`logn`; [`Error::Length`] if
    /// `sign_key` or `vrfy_key` does not have the exact length; [`Error::Random`] if the generator
    /// failed. Nothing is written then.
    fn try_keygen<T: TryCryptoRng + ?Sized>(
        &mut self,
        logn: u32,
        rng: &mut T,
        sign_key: &mut [u8],
        vrfy_key: &mut [u8],
    ) -> Result<(), Error> {
        let mut seed = Zeroizing::new([0; SEED_LENGTH]);
        rng.try_fill_bytes(&mut *seed).map_err(|_| Error::Random)?;
        self.keygen_from_seed(logn, &seed, sign_key, vrfy_key)
    }

    /// Makes a key pair, by the name that fn-dsa 0.3 has for it. Takes 32 bytes from the generator.
    ///
    /// # Panics
    ///
    /// If the type does not support the degree 2^`logn`, or `sign_key` or `vrfy_key` does not have
    /// the exact length.
    fn keygen<T: CryptoRng + ?Sized>(
        &mut self,
        logn: u32,
        rng: &mut T,
        sign_key: &mut [u8],
        vrfy_key: &mut [u8],
    ) {
        if let Err(error) = self.try_keygen(logn, rng, sign_key, vrfy_key) {
            panic!("{error}");
        }
    }
}

/// A generator of key pairs of variant `V`, of degrees from 2^`MIN` to `N`, which is 128 at least: 44 `N` bytes, of which
/// all is wiped after each key, and when this is dropped. Beside it a key pair takes less than 5 kB of stack.
pub struct KeyPairGeneratorOf<V: Variant, const MIN: u32, const N: usize> {
    pub(crate) work: Workspace<N>,
    pub(crate) polynomials: Polynomials<N>,
    variant: PhantomData<V>,
}

/// f, g, F and G. Wiped when dropped.
pub(crate) struct Polynomials<const N: usize>(pub(crate) [[i8; N]; 4]);

impl<const N: usize> Polynomials<N> {
    fn wipe(&mut self) {
        wipe(self.0.as_flattened_mut(), 0);
    }
}

impl<const N: usize> Drop for Polynomials<N> {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// A generator of key pairs of degree 512 or 1024.
pub type KeyPairGeneratorStandard = KeyPairGeneratorOf<P3, 9, 1024>;

/// A generator of key pairs of degree 512.
pub type KeyPairGenerator512 = KeyPairGeneratorOf<P3, 9, 512>;

/// A generator of key pairs of degree 1024.
pub type KeyPairGenerator1024 = KeyPairGeneratorOf<P3, 10, 1024>;

/// A generator of key pairs of degree 4 to 256, for tests and research: **such keys are broken at
/// once**.
pub type KeyPairGeneratorWeak = KeyPairGeneratorOf<P3, 2, 256>;

impl<V: Variant, const MIN: u32, const N: usize> KeyPairGeneratorOf<V, MIN, N> {
    const MAX: u32 = max_logn(MIN, N);

    /// A generator.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(Self::MAX > 0) }
        Self {
            work: Workspace::new(),
            polynomials: Polynomials([[0; N]; 4]),
            variant: PhantomData,
        }
    }
}

impl<V: Variant, const MIN: u32, const N: usize> Default for KeyPairGeneratorOf<V, MIN, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Variant, const MIN: u32, const N: usize> KeyPairGenerator
    for KeyPairGeneratorOf<V, MIN, N>
{
    fn keygen_from_seed(
        &mut self,
        logn: u32,
        seed: &[u8; 32],
        sign_key: &mut [u8],
        vrfy_key: &mut [u8],
    ) -> Result<(), Error> {
        let mut stream = ShakeStream::empty();
        self.keygen_from_stream(logn, seed, &mut stream, sign_key, vrfy_key)
    }
}

impl<V: Variant, const MIN: u32, const N: usize> KeyPairGeneratorOf<V, MIN, N> {
    /// Makes a key pair from a seed by the stream that it decides, which wipes itself. The errors are those of
    /// [`KeyPairGenerator::keygen_from_seed`].
    pub(crate) fn keygen_from_stream(
        &mut self,
        logn: u32,
        seed: &[u8; 32],
        stream: &mut dyn KeyStream,
        sign_key: &mut [u8],
        vrfy_key: &mut [u8],
    ) -> Result<(), Error> {
        check_degree(logn, MIN.max(KEYGEN_LOGN_MIN), Self::MAX)?;
        if sign_key.len() != V::sign_key_size(logn) || vrfy_key.len() != vrfy_key_size(logn) {
            return Err(Error::Length);
        }
        let Self {
            work, polynomials, ..
        } = self;
        after_making_pair::<N, _>(|| {
            stream.start(seed);
            write_pair(
                V::RULES,
                logn,
                stream,
                polynomials.0.each_mut().map(|poly| &mut poly[..1 << logn]),
                work.words(),
                (sign_key, vrfy_key),
            );
            work.wipe();
            polynomials.wipe();
        });
        Ok(())
    }
}

/// Makes f, g, F and G from the stream of a seed, and writes the keys. All is in the memory that is given.
fn write_pair(
    rules: impl Rules,
    logn: u32,
    stream: &mut dyn KeyStream,
    [f, g, big_f, big_g]: [&mut [i8]; 4],
    memory: &mut [u32],
    (sign_key, vrfy_key): (&mut [u8], &mut [u8]),
) {
    let n = 1 << logn;
    keygen::from_stream(rules.keygen(), logn, stream, f, g, big_f, big_g, memory);
    let mut memory = Memory::new(memory);
    let (h_values, room) = (memory.residues(n), memory.room(n));
    let rooms = (&mut *room, memory.room(n));
    let invertible = ntt::public_key(logn, f, g, h_values, rooms);
    debug_assert!(invertible, "key generation refuses such f");
    // The length is right.
    let _ = write_verifying_key(rules, logn, h_values, vrfy_key, room);
    let mut hpk = [0; HPK_LENGTH];
    if rules.key_holds_hpk() {
        hpk = hash_verifying_key(vrfy_key);
    }
    codec::encode_signing_key(rules, logn, f, g, big_f, &hpk, sign_key);
}

impl<V: Variant, const MIN: u32, const N: usize> Zeroize for KeyPairGeneratorOf<V, MIN, N> {
    /// Wiped it still serves.
    fn zeroize(&mut self) {
        self.work.wipe();
        self.polynomials.wipe();
    }
}

impl<V: Variant, const MIN: u32, const N: usize> ZeroizeOnDrop for KeyPairGeneratorOf<V, MIN, N> {}

impl<V: Variant, const MIN: u32, const N: usize> fmt::Debug for KeyPairGeneratorOf<V, MIN, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyPairGenerator({})", V::NAME)
    }
}

/// Fills an empty key from a seed; the degree is one of the type's.
#[cfg(feature = "sign")]
pub(crate) fn generate<const N: usize>(
    rules: impl Rules,
    work: &mut Workspace<N>,
    logn: u32,
    seed: &[u8; 32],
    secret: &mut Secret<N>,
) {
    let mut stream = ShakeStream::empty();
    stream.restart(&[seed]);
    generate_from(rules, work, logn, &mut stream, secret);
}

/// The same from the stream of a seed.
#[cfg(feature = "sign")]
pub(crate) fn generate_from<const N: usize>(
    rules: impl Rules,
    work: &mut Workspace<N>,
    logn: u32,
    stream: &mut dyn KeyStream,
    secret: &mut Secret<N>,
) {
    let n = 1 << logn;
    secret.logn = logn;
    let polynomials = [
        &mut secret.f,
        &mut secret.g,
        &mut secret.big_f,
        &mut secret.big_g,
    ];
    let [f, g, big_f, big_g] = polynomials.map(|poly| &mut poly[..n]);
    keygen::from_stream(
        rules.keygen(),
        logn,
        stream,
        f,
        g,
        big_f,
        big_g,
        work.words(),
    );
    let mut memory = Memory::new(work.words());
    let (first, second) = (memory.room(n), memory.room(n));
    let rooms = (&mut *first, second);
    let invertible = ntt::public_key(logn, f, g, &mut secret.h_values[..n], rooms);
    debug_assert!(invertible, "key generation refuses such f");
    secret.hash(rules, first);
}
