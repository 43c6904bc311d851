//! The derivation of the crate fn-dsa 0.2, and of fn-dsa 0.3 with its feature `shake256x4`.
//!
//! Keys, signatures and verdicts are those of the main variant; what differs is how randomness becomes a key or a
//! signature. Those crates read it from four instances of SHAKE256 that take turns (section "The stream" below), and so
//! a seed gives another key pair there than with fn-dsa 0.3's default, which is what the rest of this crate has. Whoever
//! has seeds from there, and no keys, gets the keys back by these names:
//!
//! | there | here |
//! |---|---|
//! | `KeyPairGenerator512` and so on, with the generator giving the 32 bytes of a seed | [`KeyPairGenerator512`] and so on of this module |
//! | – | `SigningKeyOf::from_seed_shake256x4`, `from_seed_of_degree_shake256x4` |
//! | `SigningKey512::sign`, with the same random bytes | `SigningKeyOf::sign_bytes_compat_shake256x4` |
//!
#![cfg_attr(all(feature = "keygen", feature = "sign"), doc = "```")]
#![cfg_attr(not(all(feature = "keygen", feature = "sign")), doc = "```ignore")]
//! use lanner_fn_dsa::{SigningKey512, shake256x4};
//! use lanner_fn_dsa::{KeyPairGenerator, sign_key_size, vrfy_key_size};
//!
//! let key = SigningKey512::from_seed_shake256x4(&[7; 32])?;
//! assert_ne!(key, SigningKey512::from_seed(&[7; 32])?);
//!
//! let (mut signing, mut verifying) = ([0; sign_key_size(9)], [0; vrfy_key_size(9)]);
//! let mut generator = shake256x4::KeyPairGenerator512::default();
//! generator.keygen_from_seed(9, &[7; 32], &mut signing, &mut verifying)?;
//! assert_eq!(key, SigningKey512::from_bytes(&signing)?);
//! # Ok::<(), lanner_fn_dsa::Error>(())
//! ```
//!
//! # The stream
//!
//! Instance i, of 0 to 3, is SHAKE256 of the seed and one byte, i. The output is eight bytes of instance 0, eight of
//! instance 1 and so on, over and over, in blocks of 544 bytes: one permutation of each. A word that the rest of a block
//! does not hold is the first of the next block; what is left is skipped.

#[cfg(feature = "keygen")]
use core::fmt;

use lanner_simd::stack::cleared;
#[cfg(feature = "sign")]
use rand_core::TryCryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop};

#[cfg(feature = "sign")]
use crate::attempts::SigningSpace;
#[cfg(any(feature = "keygen", feature = "sign"))]
use crate::errors::Error;
#[cfg(feature = "keygen")]
use crate::generating::{self, KeyPairGenerator};
#[cfg(feature = "sign")]
use crate::hash::{DomainContext, HashIdentifier};
#[cfg(feature = "keygen")]
use crate::keygen::KeyStream;
#[cfg(all(feature = "keygen", feature = "sign"))]
use crate::keygen::Workspace;
#[cfg(any(feature = "keygen", feature = "sign"))]
use crate::params::P3;
#[cfg(all(feature = "keygen", feature = "sign"))]
use crate::params::{KEYGEN_LOGN_MIN, check_degree};
#[cfg(all(feature = "keygen", feature = "sign"))]
use crate::rules::Ruled;
#[cfg(feature = "sign")]
use crate::sampler::Ordered;
#[cfg(feature = "sign")]
use crate::sampler::source::{ByteSource, Reseed};
use crate::shake::{RATE_256, SUFFIX_SHAKE, permute_four};
#[cfg(feature = "sign")]
use crate::signing::SigningKeyOf;
#[cfg(all(feature = "keygen", feature = "sign"))]
use crate::wiping::after_making_key;

/// Bytes of the stream that one permutation of each instance makes.
const BLOCK: usize = 4 * RATE_256;

/// How deep a permutation goes on the stack.
const PERMUTATION_DEPTH: usize = 3072;

/// The stream. Wiped when dropped.
#[derive(Clone)]
pub(crate) struct Shake256x4 {
    /// Word i of instance j is `states[i][j]`, so that the words of the block stand in the order of the stream.
    states: [[u64; 4]; 25],
    /// How many bytes of the block were given.
    position: usize,
}

impl Shake256x4 {
    /// One that waits for its seed.
    pub(crate) const fn empty() -> Self {
        Self {
            states: [[0; 4]; 25],
            position: BLOCK,
        }
    }

    /// Becomes the stream of a seed, which must fit in one block with what follows it.
    pub(crate) fn restart(&mut self, seed: &[u8]) {
        assert!(seed.len() + 2 <= RATE_256, "a seed of one block");
        self.states = [[0; 4]; 25];
        let absorb = |state: &mut [u64; 4], at: usize, byte: u8| {
            for word in state {
                *word ^= u64::from(byte) << (8 * (at % 8));
            }
        };
        for (at, &byte) in seed.iter().enumerate() {
            absorb(&mut self.states[at / 8], at, byte);
        }
        let at = seed.len();
        for (word, instance) in self.states[at / 8].iter_mut().zip(0_u64..) {
            *word ^= instance << (8 * (at % 8));
        }
        absorb(&mut self.states[(at + 1) / 8], at + 1, SUFFIX_SHAKE);
        absorb(&mut self.states[RATE_256 / 8 - 1], RATE_256 - 1, 0x80);
        self.position = BLOCK;
    }

    /// Overwrites what is secret, and waits for a seed again.
    fn wipe(&mut self) {
        self.states.zeroize();
        self.position = BLOCK;
    }

    /// The next `N` bytes as a little-endian integer, `N` at most 8.
    #[inline(always)]
    fn next_bytes<const N: usize>(&mut self) -> u64 {
        if self.position + N > BLOCK {
            // Its frames hold all four, and are deeper than what works on the stream overwrites.
            cleared::<PERMUTATION_DEPTH, _>(|| permute_four(&mut self.states));
            self.position = 0;
        }
        // The states go on behind the block, so that there always is a word after the first one.
        let (words, at) = (self.states.as_flattened(), self.position / 8);
        let low = u128::from(words[at]) | u128::from(words[at + 1]) << 64;
        let value = (low >> (8 * (self.position % 8))) as u64;
        self.position += N;
        value & (u64::MAX >> (64 - 8 * N))
    }
}

impl Drop for Shake256x4 {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl ZeroizeOnDrop for Shake256x4 {}

#[cfg(feature = "keygen")]
impl KeyStream for Shake256x4 {
    fn start(&mut self, seed: &[u8; 32]) {
        self.restart(seed);
    }

    #[inline]
    fn next_u16(&mut self) -> u16 {
        self.next_bytes::<2>() as u16
    }

    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.next_bytes::<8>()
    }
}

#[cfg(feature = "sign")]
impl ByteSource for Shake256x4 {
    #[inline(always)]
    fn next_u8(&mut self) -> u8 {
        self.next_bytes::<1>() as u8
    }

    #[inline(always)]
    fn next_u64(&mut self) -> u64 {
        self.next_bytes::<8>()
    }

    #[inline(always)]
    fn given_up(position: usize) -> usize {
        let left = BLOCK - position % BLOCK;
        if left < 8 { left } else { 0 }
    }
}

#[cfg(feature = "sign")]
impl Reseed for Shake256x4 {
    fn reseed(&mut self, seed: &[u8; 56]) {
        self.restart(seed);
    }
}

/// A generator of key pairs of degrees from 2^`MIN` to `N`, by this derivation: what
/// [`KeyPairGeneratorOf`](crate::KeyPairGeneratorOf) is otherwise, and 832 bytes more. Wiped after each key, and when this is dropped.
#[cfg(feature = "keygen")]
pub struct KeyPairGeneratorOf<const MIN: u32, const N: usize> {
    generator: generating::KeyPairGeneratorOf<P3, MIN, N>,
    stream: Shake256x4,
}

/// A generator of key pairs of degree 512 or 1024.
#[cfg(feature = "keygen")]
pub type KeyPairGeneratorStandard = KeyPairGeneratorOf<9, 1024>;

/// A generator of key pairs of degree 512.
#[cfg(feature = "keygen")]
pub type KeyPairGenerator512 = KeyPairGeneratorOf<9, 512>;

/// A generator of key pairs of degree 1024.
#[cfg(feature = "keygen")]
pub type KeyPairGenerator1024 = KeyPairGeneratorOf<10, 1024>;

/// A generator of key pairs of degree 4 to 256, for tests and research: **such keys are broken at once**.
#[cfg(feature = "keygen")]
pub type KeyPairGeneratorWeak = KeyPairGeneratorOf<2, 256>;

#[cfg(feature = "keygen")]
impl<const MIN: u32, const N: usize> KeyPairGeneratorOf<MIN, N> {
    /// A generator.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            generator: generating::KeyPairGeneratorOf::new(),
            stream: Shake256x4::empty(),
        }
    }
}

#[cfg(feature = "keygen")]
impl<const MIN: u32, const N: usize> Default for KeyPairGeneratorOf<MIN, N> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(feature = "keygen")]
impl<const MIN: u32, const N: usize> KeyPairGenerator for KeyPairGeneratorOf<MIN, N> {
    fn keygen_from_seed(
        &mut self,
        logn: u32,
        seed: &[u8; 32],
        sign_key: &mut [u8],
        vrfy_key: &mut [u8],
    ) -> Result<(), Error> {
        let result =
            self.generator
                .keygen_from_stream(logn, seed, &mut self.stream, sign_key, vrfy_key);
        self.stream.wipe();
        result
    }
}

#[cfg(feature = "keygen")]
impl<const MIN: u32, const N: usize> Zeroize for KeyPairGeneratorOf<MIN, N> {
    /// Wiped it still serves.
    fn zeroize(&mut self) {
        self.generator.zeroize();
        self.stream.wipe();
    }
}

#[cfg(feature = "keygen")]
impl<const MIN: u32, const N: usize> ZeroizeOnDrop for KeyPairGeneratorOf<MIN, N> {}

#[cfg(feature = "keygen")]
impl<const MIN: u32, const N: usize> fmt::Debug for KeyPairGeneratorOf<MIN, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyPairGenerator(FN-DSA, shake256x4)")
    }
}

#[cfg(feature = "sign")]
impl<const MIN: u32, const N: usize> SigningKeyOf<P3, MIN, N> {
    /// The key pair of a seed, of degree 2^`logn`, by the derivation of fn-dsa 0.2
    /// ([`shake256x4`](crate::shake256x4)). Memory and time are those of
    /// [`from_seed_of_degree`](Self::from_seed_of_degree), and 832 bytes more of stack.
    ///
    /// # Errors
    ///
    /// [`Error::Degree`] if this type does not support the degree.
    #[cfg(feature = "keygen")]
    pub fn from_seed_of_degree_shake256x4(logn: u32, seed: &[u8; 32]) -> Result<Self, Error> {
        check_degree(logn, MIN.max(KEYGEN_LOGN_MIN), Self::MAX)?;
        // Both wipe themselves, and so need not be on the stack that is overwritten.
        let (work, stream) = (&mut Workspace::<N>::new(), &mut Shake256x4::empty());
        after_making_key::<N, _>(|| {
            stream.start(seed);
            let mut key = Self::EMPTY;
            generating::generate_from(P3::RULES, work, logn, stream, &mut key.secret);
            Ok(key)
        })
    }

    /// The key pair of a seed, of the largest degree of the type, by the derivation of fn-dsa 0.2
    /// ([`shake256x4`](crate::shake256x4)): the one that fn-dsa 0.2, or 0.3 with `shake256x4`, makes of the same 32
    /// random bytes.
    ///
    /// # Errors
    ///
    /// None; the type has one for the sake of the other method.
    #[cfg(feature = "keygen")]
    pub fn from_seed_shake256x4(seed: &[u8; 32]) -> Result<Self, Error> {
        Self::from_seed_of_degree_shake256x4(Self::MAX, seed)
    }

    /// Signs as fn-dsa 0.2 does, byte for byte, from the same random bytes: 40 for the nonce and 56 for the sampler, in
    /// each attempt. For the sake of reproduction, as [`sign_bytes_compat`](Self::sign_bytes_compat) is, which signs as
    /// fn-dsa 0.3 does.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `signature` does not have [`signature_size`](crate::signature_size) bytes,
    /// [`Error::Context`] if the context is longer than 255 bytes, [`Error::Random`] if the generator failed,
    /// [`Error::Attempts`] if the key is no key, [`Error::Key`] if it was wiped. `signature` is not meaningful then.
    pub fn sign_bytes_compat_shake256x4<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let space = &mut SigningSpace::new();
        let source = &mut Ordered::new(Shake256x4::empty());
        self.sign_compat(source, space, rng, context, id, message, signature)
    }
}

#[cfg(test)]
mod tests;
