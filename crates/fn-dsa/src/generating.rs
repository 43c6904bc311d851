//! Key pair generation (Falcon specification, section 3.8).

use core::fmt;
use core::marker::PhantomData;

use rand_core::{CryptoRng, TryCryptoRng};
use zeroize::Zeroizing;

use crate::errors::Error;
use crate::keygen::{self, Workspace};
use crate::ntt::{self, Room};
use crate::params::{KEYGEN_LOGN_MIN, P3, SEED_LENGTH, Variant, check_degree, vrfy_key_size};
use crate::secret::Secret;
use crate::verifying::write_verifying_key;
use crate::wiping::after_making_pair;

/// A generator of key pairs, with the memory that it needs.
///
/// The types that implement this, one for each choice of degrees, are [`KeyPairGeneratorStandard`],
/// [`KeyPairGenerator512`], [`KeyPairGenerator1024`] and, for toy degrees, [`KeyPairGeneratorWeak`].
///
/// A key pair is a function of 32 random bytes, the same one on every platform and with every feature:
/// for the main variant that of fn-dsa 0.3.0. The secret does not steer branches or addresses, but for
/// which candidates are thrown away: those are not used.
pub trait KeyPairGenerator: Default {
    /// Makes a key pair from a seed.
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

    /// Makes a key pair. Takes 32 bytes from the generator.
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

/// A generator of key pairs of variant `V`, of degrees from 2^`MIN` to `N`. Wiped when dropped.
pub struct KeyPairGeneratorOf<V: Variant, const MIN: u32, const N: usize> {
    pub(crate) work: Workspace,
    variant: PhantomData<V>,
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
    const MAX: u32 = N.ilog2();

    /// A generator.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            work: Workspace::new(),
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
        check_degree(logn, MIN.max(KEYGEN_LOGN_MIN), Self::MAX)?;
        if sign_key.len() != V::sign_key_size(logn) || vrfy_key.len() != vrfy_key_size(logn) {
            return Err(Error::Length);
        }
        let work = &mut self.work;
        after_making_pair::<N, _>(|| {
            let mut secret = Secret::<N>::EMPTY;
            generate::<V, N>(work, logn, seed, &mut secret);
            secret.encode::<V>(sign_key)?;
            let room = &mut Room::<N>::new().0;
            write_verifying_key::<V>(logn, &secret.h_values, vrfy_key, room)
        })
    }
}

impl<V: Variant, const MIN: u32, const N: usize> fmt::Debug for KeyPairGeneratorOf<V, MIN, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyPairGenerator({})", V::NAME)
    }
}

/// Fills an empty key from a seed; the degree is one of the type's.
pub(crate) fn generate<V: Variant, const N: usize>(
    work: &mut Workspace,
    logn: u32,
    seed: &[u8; 32],
    secret: &mut Secret<N>,
) {
    let n = 1 << logn;
    secret.logn = logn;
    keygen::from_seed(
        V::KEYGEN,
        logn,
        seed,
        &mut secret.f[..n],
        &mut secret.g[..n],
        &mut secret.big_f[..n],
        &mut secret.big_g[..n],
        work,
    );
    let invertible = ntt::public_key(
        logn,
        &secret.f[..n],
        &secret.g[..n],
        &mut secret.h_values[..n],
        (&mut Room::<N>::new().0[..n], &mut Room::<N>::new().0[..n]),
    );
    debug_assert!(invertible, "key generation refuses such f");
    secret.hash::<V>();
}
