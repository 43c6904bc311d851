//! The libraries, in one shape.

use lanner_fn_dsa::rand_core::{TryCryptoRng, TryRng};

use crate::Random;
use crate::board::demand;

/// What a program does with a library. The degree is a constant, so that no code of another one is linked, and no memory
/// for it is on the stack.
pub(crate) trait Library {
    fn sign_key_size(logn: u32) -> usize;
    fn vrfy_key_size(logn: u32) -> usize;
    fn signature_size(logn: u32) -> usize;
    /// A key pair.
    fn keygen<const LOGN: u32>(rng: &mut Random, sk: &mut [u8], vk: &mut [u8]);
    /// A signature, with the key decoded for it.
    fn sign<const LOGN: u32>(rng: &mut Random, sk: &[u8], message: &[u8], signature: &mut [u8]);
    /// A verification, with the key decoded for it.
    fn verify<const LOGN: u32>(vk: &[u8], message: &[u8], signature: &[u8]) -> bool;
}

impl TryRng for Random {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.fill(bytes);
        Ok(())
    }
}

impl TryCryptoRng for Random {}

impl fn_dsa_03::RngCore for Random {
    fn next_u32(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.fill(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.fill(bytes);
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), fn_dsa_03::RngError> {
        self.fill(bytes);
        Ok(())
    }
}

impl fn_dsa_03::CryptoRng for Random {}

/// Implements the trait over one module with the names of fn-dsa. Signing says whether it worked in some of them.
macro_rules! library {
    ($(#[$doc:meta])* $name:ident, $module:path, $signed:expr) => {
        $(#[$doc])*
        pub(crate) struct $name;

        const _: () = {
            use $module as module;
            use module::{
                DOMAIN_NONE, HASH_ID_RAW, KeyPairGenerator as _, KeyPairGenerator512,
                KeyPairGenerator1024, SigningKey as _, SigningKey512, SigningKey1024,
                VerifyingKey as _, VerifyingKey512, VerifyingKey1024,
            };

            impl Library for $name {
                fn sign_key_size(logn: u32) -> usize {
                    module::sign_key_size(logn)
                }

                fn vrfy_key_size(logn: u32) -> usize {
                    module::vrfy_key_size(logn)
                }

                fn signature_size(logn: u32) -> usize {
                    module::signature_size(logn)
                }

                #[inline(always)]
                fn keygen<const LOGN: u32>(rng: &mut Random, sk: &mut [u8], vk: &mut [u8]) {
                    if const { LOGN == 9 } {
                        KeyPairGenerator512::default().keygen(LOGN, rng, sk, vk);
                    } else {
                        KeyPairGenerator1024::default().keygen(LOGN, rng, sk, vk);
                    }
                }

                #[inline(always)]
                fn sign<const LOGN: u32>(
                    rng: &mut Random,
                    sk: &[u8],
                    message: &[u8],
                    signature: &mut [u8],
                ) {
                    let signed = if const { LOGN == 9 } {
                        let Some(mut key) = SigningKey512::decode(sk) else {
                            return demand(false);
                        };
                        key.sign(rng, &DOMAIN_NONE, &HASH_ID_RAW, message, signature)
                    } else {
                        let Some(mut key) = SigningKey1024::decode(sk) else {
                            return demand(false);
                        };
                        key.sign(rng, &DOMAIN_NONE, &HASH_ID_RAW, message, signature)
                    };
                    demand($signed(signed));
                }

                #[inline(always)]
                fn verify<const LOGN: u32>(vk: &[u8], message: &[u8], signature: &[u8]) -> bool {
                    if const { LOGN == 9 } {
                        VerifyingKey512::decode(vk).is_some_and(|key| {
                            key.verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, message)
                        })
                    } else {
                        VerifyingKey1024::decode(vk).is_some_and(|key| {
                            key.verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, message)
                        })
                    }
                }
            }
        };
    };
}

library!(
    /// Lanner's main variant.
    Lanner,
    ::lanner_fn_dsa,
    |()| true
);
library!(
    /// Lanner's draft guess.
    Draft,
    ::lanner_fn_dsa::draft2026,
    |signed: Option<()>| signed.is_some()
);
library!(
    /// fn-dsa 0.3, the peer of the main variant.
    FnDsa03,
    ::fn_dsa_03,
    |()| true
);
library!(
    /// fn-dsa 0.4, the peer of the draft guess.
    FnDsa04,
    ::fn_dsa_04,
    |signed: Option<()>| signed.is_some()
);
