//! Signing that answers for its result: what a fault of the processor or of memory made of it is not given out.
//!
//! A sampler that stops early, or whose randomness a fault took away, gives vectors that are short and valid and show the
//! key's basis (McCarthy et al., "BEARZ Attack FALCON", SECRYPT 2019). No verification sees that. So everything is computed
//! twice from one seed and compared; and then the signature is verified under the public key, whose hash is
//! computed anew. A fault in the seed is in both: so it is drawn in two halves, each of which is enough.

use core::hint::black_box;

use rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

use crate::attempts::SigningSpace;
use crate::codec::BITS_CONSTANT_TIME;
use crate::errors::Error;
use crate::hash::{DomainContext, HashIdentifier};
use crate::params::{FnDsa, N_MAX, NONCE_LENGTH, signature_size};
use crate::shake::SeededRng;
use crate::signing::SigningKeyOf;
use crate::wiping::after_checking;

/// The longest signature there is: Falcon's of a fixed width each coefficient.
const LONGEST: usize = 1 + NONCE_LENGTH + (BITS_CONSTANT_TIME as usize) * N_MAX / 8;

/// A half of the seed of both signatures, in bytes.
const HALF: usize = 32;

/// What both signatures draw their randomness from: two halves, each of which is enough. A fault that leaves out one
/// draw, or a piece of it, or the place where one half lies, leaves the other.
pub(crate) struct Seed([Zeroizing<[u8; HALF]>; 2]);

impl Seed {
    /// Not drawn yet. To be drawn where it lies: a value that is moved leaves a copy.
    pub(crate) fn new() -> Self {
        Self([Zeroizing::new([0; HALF]), Zeroizing::new([0; HALF])])
    }

    #[inline(always)]
    pub(crate) fn draw<R: TryCryptoRng + ?Sized>(&mut self, rng: &mut R) -> Result<(), Error> {
        let [first, second] = &mut self.0;
        rng.try_fill_bytes(&mut **first)
            .map_err(|_| Error::Random)?;
        rng.try_fill_bytes(&mut **second).map_err(|_| Error::Random)
    }

    /// Computed, not remembered.
    #[inline(always)]
    pub(crate) fn generator(&self) -> SeededRng {
        let [first, second] = &self.0;
        SeededRng::of_parts(&[black_box(&**first), black_box(&**second)])
    }
}

/// What a signature of FN-DSA is of: the context, what hashed the message, and the message.
type Named<'a> = (&'a DomainContext<'a>, &'a HashIdentifier<'a>, &'a [u8]);

impl<V: FnDsa, const MIN: u32, const N: usize> SigningKeyOf<V, MIN, N> {
    /// Makes a signature as [`sign_bytes`](Self::sign_bytes) does, and gives it out only if it is the right one, whatever
    /// single fault of the processor or of memory happened meanwhile: it is made twice from one seed,
    /// compared, and verified. For machines that others can heat, starve or disturb.
    ///
    /// Takes 32 bytes from the generator and then 32 more, and the time of two signatures and a verification; constant time as
    /// [`sign_bytes`](Self::sign_bytes). The signature is the one that [`sign_bytes`](Self::sign_bytes) makes with
    /// [`SeededRng`] of these 64 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Fault`] if the two differ or the signature is not valid: this key or this machine should sign no more
    /// before the reason is found. Those of [`sign_bytes`](Self::sign_bytes). `signature` is zeros then, or as it was.
    ///
    /// ```
    /// # #[cfg(feature = "keygen")] {
    /// use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, SigningKey512, shake::SeededRng};
    ///
    /// let key = SigningKey512::from_seed(&[7; 32])?;
    /// let rng = &mut SeededRng::new(b"use a real generator");
    /// let mut signature = [0; 666];
    /// key.sign_bytes_checked(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut signature)?;
    /// key.verifying_key().try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"message")?;
    /// # }
    /// # Ok::<(), lanner_fn_dsa::Error>(())
    /// ```
    pub fn sign_bytes_checked<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let both = named_apart((context, id, message));
        let space = &mut SigningSpace::new();
        self.sign_named(space, rng, both, signature)
    }

    /// [`sign_bytes_checked`](Self::sign_bytes_checked) in memory that the caller provides, for small stacks. A second
    /// signature and a verifying key are on the stack besides: with them and what is overwritten at the
    /// end, it takes at most 18 kB for degrees up to 512, and 24 kB above.
    ///
    /// # Errors
    ///
    /// Those of [`sign_bytes_checked`](Self::sign_bytes_checked).
    pub fn sign_bytes_checked_in<R: TryCryptoRng + ?Sized>(
        &self,
        space: &mut SigningSpace<N>,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let both = named_apart((context, id, message));
        self.sign_named(space, rng, both, signature)
    }

    #[inline(always)]
    fn sign_named<R: TryCryptoRng + ?Sized>(
        &self,
        space: &mut SigningSpace<N>,
        rng: &mut R,
        [signed, verified]: [Named<'_>; 2],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let length = signature_size(self.secret.present()?);
        if signature.len() != length {
            return Err(Error::Length);
        }
        let sign = |rng: &mut SeededRng, signature: &mut [u8]| {
            let (context, id, message) = black_box(signed);
            black_box(self).sign_bytes_in(space, rng, context, id, message, signature)?;
            Ok(length)
        };
        let verify = |signature: &[u8]| {
            let key = black_box(self).verifying_key().of_variant::<V>();
            let (context, id, message) = black_box(verified);
            key.try_verify(signature, context, id, message)
        };
        twice_of_a_seed::<N, _>(rng, signature, sign, verify).map(|_| ())
    }
}

/// What is signed, and what is verified, so that the two are not lost together. To be called with what comes in, before anything
/// else is done: what happens to it until then happens to both.
#[inline(always)]
pub(crate) fn named_apart<T: Copy>(name: T) -> [T; 2] {
    [(); 2].map(|()| black_box(name))
}

/// The same as [`twice`], with what is random from one seed that is drawn first. Overwrites the stack.
#[inline(always)]
pub(crate) fn twice_of_a_seed<const N: usize, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    output: &mut [u8],
    mut sign: impl FnMut(&mut SeededRng, &mut [u8]) -> Result<usize, Error>,
    verify: impl FnOnce(&[u8]) -> Result<(), Error>,
) -> Result<usize, Error> {
    after_checking::<N, _>(|| {
        let mut seed = Seed::new();
        seed.draw(rng)?;
        let sign = |signature: &mut [u8]| sign(&mut seed.generator(), signature);
        twice(output, sign, verify)
    })
}

/// Makes a signature twice, compares the two, and verifies. `sign` takes what hides its origin, so that everything is computed
/// again, and gives the length of a signature, which is at the start of what it is given; so is the one that is made.
/// `output` has at most [`LONGEST`] bytes, and is zeros if there is an error.
#[inline(always)]
pub(crate) fn twice(
    output: &mut [u8],
    mut sign: impl FnMut(&mut [u8]) -> Result<usize, Error>,
    verify: impl FnOnce(&[u8]) -> Result<(), Error>,
) -> Result<usize, Error> {
    let both = || {
        let mut again = [0; LONGEST];
        let again = &mut again[..output.len()];
        let length = sign(output)?;
        let length_again = sign(again)?;
        let signature = output.get(..length).ok_or(Error::Fault)?;
        let same = length == length_again && bool::from(signature.ct_eq(&again[..length]));
        let verdict = verify(signature);
        if same && verdict.is_ok() {
            Ok(length)
        } else {
            Err(Error::Fault)
        }
    };
    let result = both();
    if result.is_err() {
        // What differs from the right signature is a secret.
        output.zeroize();
    }
    result
}

#[cfg(all(test, feature = "keygen"))]
mod tests {
    use rand_core::Rng;

    use super::*;
    use crate::{DOMAIN_NONE, HASH_ID_RAW, SigningKey512};

    const MESSAGE: &[u8] = b"message";

    fn signed(key: &SigningKey512, seed: u8) -> Result<[u8; 666], Error> {
        let mut signature = [1; 666];
        let rng = &mut Repeating(seed);
        let result =
            key.sign_bytes_checked(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, &mut signature);
        assert!(result.is_ok() || signature == [0; 666]);
        result.map(|()| signature)
    }

    /// A generator whose bytes are known.
    struct Repeating(u8);

    impl rand_core::TryRng for Repeating {
        type Error = core::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            Ok(u32::from_ne_bytes([self.0; 4]))
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(u64::from_ne_bytes([self.0; 8]))
        }

        fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> {
            dst.fill(self.0);
            Ok(())
        }
    }

    impl TryCryptoRng for Repeating {}

    #[test]
    fn it_is_the_plain_signature_of_the_seed() {
        let key = SigningKey512::from_seed(&[9; 32]).expect("any seed");
        for seed in 0..4 {
            let mut plain = [0; 666];
            let rng = &mut SeededRng::new(&[seed; 2 * HALF]);
            key.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, &mut plain)
                .expect("it is a key");
            assert_eq!(signed(&key, seed), Ok(plain));
        }
        let mut short = [0; 665];
        let rng = &mut Repeating(0);
        let result = key.sign_bytes_checked(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, &mut short);
        assert_eq!(result, Err(Error::Length));
    }

    /// A generator that fails to give anything once, without a word.
    struct Idle(usize);

    impl rand_core::TryRng for Idle {
        type Error = core::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            unreachable!()
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            unreachable!()
        }

        fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> {
            if self.0 != 0 {
                dst.fill(3);
            }
            self.0 = self.0.wrapping_sub(1);
            Ok(())
        }
    }

    impl TryCryptoRng for Idle {}

    #[test]
    fn each_half_of_the_seed_counts() {
        let output = |idle: usize| {
            let mut seed = Seed::new();
            seed.draw(&mut Idle(idle)).expect("it does not fail");
            seed.generator().next_u64()
        };
        let none = SeededRng::new(&[0; 2 * HALF]).next_u64();
        let [first, second, both] = [0, 1, 2].map(output);
        assert!(none != first && none != second && first != second);
        assert!(both != first && both != second);
        assert_eq!(both, SeededRng::new(&[3; 2 * HALF]).next_u64());
    }

    #[test]
    fn two_that_differ_are_not_given_out() {
        for (lengths, bytes, result) in [
            ([4, 4], [1, 1], Ok(4)),
            ([4, 4], [1, 2], Err(Error::Fault)),
            ([4, 3], [1, 1], Err(Error::Fault)),
            ([3, 4], [1, 1], Err(Error::Fault)),
            ([5, 5], [1, 1], Err(Error::Fault)),
        ] {
            let (mut output, mut times) = ([9; 4], 0);
            let sign = |signature: &mut [u8]| {
                signature.fill(bytes[times]);
                times += 1;
                Ok(lengths[times - 1])
            };
            assert_eq!(twice(&mut output, sign, |_| Ok(())), result);
            assert_eq!(output, if result.is_ok() { [1; 4] } else { [0; 4] });
        }
    }

    /// Keys as a fault in memory leaves them.
    #[test]
    fn keys_that_changed_sign_nothing() {
        let key = || SigningKey512::from_seed(&[9; 32]).expect("any seed");
        type Change = fn(&mut SigningKey512);
        let changes: [(Change, Error); 3] = [
            (|key| key.secret.h_values[5] ^= 1, Error::Fault),
            (|key| key.secret.hpk[5] ^= 1, Error::Fault),
            // The sampler sees that this is no basis of the lattice.
            (|key| key.secret.f[5] ^= 1, Error::Attempts),
        ];
        for (change, error) in changes {
            let mut key = key();
            change(&mut key);
            assert_eq!(signed(&key, 1), Err(error));
        }
    }
}
