//! Generators of rand_core 0.6, which the crates fn-dsa 0.3 and 0.4 take.

use core::convert::Infallible;

use rand_core::{TryCryptoRng, TryRng};

/// A generator of rand_core 0.6 where this crate takes one of 0.10.
///
/// In a program that was written for fn-dsa 0.3 or 0.4 and keeps its generators, `&mut rng` becomes
/// `&mut Rng06(&mut rng)` in each call. The bytes are those that the generator gives, in the same order.
///
/// # Panics
///
/// Where the generator itself does, as `OsRng` of rand_core 0.6 if the system fails.
///
/// ```
/// # #[cfg(all(feature = "keygen", feature = "sign"))] {
/// use lanner_fn_dsa::{
///     DOMAIN_NONE, HASH_ID_RAW, KeyPairGenerator, KeyPairGeneratorStandard, Rng06, SigningKey,
///     SigningKeyStandard,
/// };
/// # struct OldRng(u8);
/// # impl rand_core_06::RngCore for OldRng {
/// #     fn next_u32(&mut self) -> u32 { unimplemented!() }
/// #     fn next_u64(&mut self) -> u64 { unimplemented!() }
/// #     fn fill_bytes(&mut self, to: &mut [u8]) { self.0 += 1; to.fill(self.0) }
/// #     fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), rand_core_06::Error> {
/// #         Ok(self.fill_bytes(to))
/// #     }
/// # }
/// # impl rand_core_06::CryptoRng for OldRng {}
/// # let mut rng = OldRng(0);
///
/// let (mut sign_key, mut vrfy_key, mut signature) = ([0; 1281], [0; 897], [0; 666]);
/// let mut generator = KeyPairGeneratorStandard::default();
/// generator.keygen(9, &mut Rng06(&mut rng), &mut sign_key, &mut vrfy_key);
/// let mut key = SigningKeyStandard::decode(&sign_key).unwrap();
/// key.sign(&mut Rng06(&mut rng), &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut signature);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Rng06<R>(pub R);

impl<R: rand_core_06::RngCore> TryRng for Rng06<R> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(output);
        Ok(())
    }
}

impl<R: rand_core_06::RngCore + rand_core_06::CryptoRng> TryCryptoRng for Rng06<R> {}
