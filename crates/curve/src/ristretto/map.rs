//! Elements from uniform bytes: the one-way map (RFC 9496, section 4.3.4), and what is made of it.

use super::RistrettoPoint;
use super::formulas::{MapConstants, map_each};
use crate::backend::with_field;
use crate::edwards::models::Extended;
use crate::field::{Field, Packed};
#[cfg(feature = "rand_core")]
use rand_core::{CryptoRng, TryCryptoRng};
#[cfg(any(feature = "digest", feature = "rand_core"))]
use zeroize::Zeroize;

/// The point that one element is mapped to.
#[inline(never)]
fn map_one<F: Field>(t: &F) -> Extended<F> {
    let [point] = map_each(&[*t], &MapConstants::new());
    point
}

impl RistrettoPoint {
    /// The element that 64 bytes are mapped to (RFC 9496, section 4.3.4): for uniform bytes an element that is
    /// uniform, and whose discrete logarithms nobody knows. Constant time.
    ///
    /// The top bit of either half is ignored.
    #[must_use]
    pub fn from_uniform_bytes(bytes: &[u8; 64]) -> Self {
        let (low, high) = bytes.split_at(32);
        let halves = [low, high].map(|half| {
            let half = half.try_into().expect("half of 64 bytes");
            Packed::from_bytes(half)
        });
        with_field!(F => {
            let t = halves.map(|half| F::from_packed(&half));
            let [a, b] = if F::PAIRS {
                map_each(&t, &MapConstants::new())
            } else {
                t.map(|t| map_one(&t))
            };
            Self(a.add(&b.to_cached()).to_extended().pack())
        })
    }

    /// The element that 32 bytes are mapped to by the map of RFC 9496, section 4.3.4, which
    /// [`from_uniform_bytes`](Self::from_uniform_bytes) applies twice. Constant time.
    ///
    /// The top bit is ignored. For uniform bytes the element is *not* uniform: only about half of the elements are
    /// mapped to.
    #[must_use]
    pub fn map_to_curve(bytes: [u8; 32]) -> Self {
        let t = Packed::from_bytes(&bytes);
        with_field!(F => Self(map_one(&F::from_packed(&t)).pack()))
    }

    /// The element that the hash of bytes is mapped to by [`from_uniform_bytes`](Self::from_uniform_bytes), with a
    /// hash function of 64 bytes of output. Constant time in all but the length.
    ///
    /// ```
    /// use lanner_curve::ristretto::RistrettoPoint;
    /// use sha2::Sha512;
    ///
    /// let point = RistrettoPoint::hash_from_bytes::<Sha512>(b"a message");
    /// assert_ne!(point, RistrettoPoint::hash_from_bytes::<Sha512>(b"another"));
    /// ```
    #[cfg(feature = "digest")]
    #[must_use]
    pub fn hash_from_bytes<D>(input: &[u8]) -> Self
    where
        D: digest::Digest<OutputSize = digest::consts::U64> + Default,
    {
        Self::from_hash(D::default().chain_update(input))
    }

    /// The element that the 64 bytes of output of a hash are mapped to by
    /// [`from_uniform_bytes`](Self::from_uniform_bytes). Constant time.
    #[cfg(feature = "digest")]
    #[must_use]
    pub fn from_hash<D>(hash: D) -> Self
    where
        D: digest::Digest<OutputSize = digest::consts::U64> + Default,
    {
        let mut output = hash.finalize();
        let mut bytes = [0; 64];
        bytes.copy_from_slice(&output);
        let point = Self::from_uniform_bytes(&bytes);
        bytes.zeroize();
        output.as_mut_slice().zeroize();
        point
    }

    /// A uniformly random element, whose discrete logarithms nobody knows.
    #[cfg(feature = "rand_core")]
    pub fn random<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let mut bytes = [0; 64];
        rng.fill_bytes(&mut bytes);
        let point = Self::from_uniform_bytes(&bytes);
        bytes.zeroize();
        point
    }

    /// The same with a generator that can fail.
    ///
    /// # Errors
    ///
    /// Those of the generator.
    #[cfg(feature = "rand_core")]
    pub fn try_random<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut bytes = [0; 64];
        rng.try_fill_bytes(&mut bytes)?;
        let point = Self::from_uniform_bytes(&bytes);
        bytes.zeroize();
        Ok(point)
    }
}
