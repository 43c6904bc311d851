//! The draft guess: FN-DSA as the crate fn-dsa 0.4.0 (July 2026) guesses the coming draft, byte for byte the same keys
//! and signatures from the same random bytes.
//!
//! **Not compatible with the rest of this crate, with Falcon, or with the standard to come.** The module
//! has the names of fn-dsa 0.4.0, so that `use lanner_fn_dsa::draft2026 as fn_dsa;` takes a program along.
//! What differs from the main variant:
//!
//! * bits are packed from the least significant one on; verifying keys hold h in the transformed
//!   domain; signing keys end in the hash of the verifying key, and are 1345 and 2369 bytes long
//! * a message is hashed to mu, 64 bytes, without the nonce, so that mu can be
//!   [computed elsewhere](compute_mu_start) ([`HASH_ID_EXTMU`]), and long messages need one pass
//! * no coefficient of a signature's vector may exceed 840
//! * key generation draws from other tables; signing hedges its randomness with the key and mu
//!
#![cfg_attr(
    all(feature = "keygen", feature = "sign", feature = "getrandom"),
    doc = "```"
)]
#![cfg_attr(
    not(all(feature = "keygen", feature = "sign", feature = "getrandom")),
    doc = "```ignore"
)]
//! use lanner_fn_dsa::draft2026 as fn_dsa;
//!
//! use fn_dsa::{
//!     DOMAIN_NONE, FN_DSA_LOGN_512, HASH_ID_RAW, KeyPairGenerator as _, KeyPairGeneratorStandard, OsRng, SigningKey as _,
//!     SigningKeyStandard, VerifyingKey as _, VerifyingKeyStandard, sign_key_size, signature_size, vrfy_key_size,
//! };
//!
//! let mut signing = [0; sign_key_size(FN_DSA_LOGN_512)];
//! let mut verifying = [0; vrfy_key_size(FN_DSA_LOGN_512)];
//! KeyPairGeneratorStandard::default().keygen(FN_DSA_LOGN_512, &mut OsRng, &mut signing, &mut verifying);
//!
//! let mut key = SigningKeyStandard::decode(&signing).unwrap();
//! let mut signature = [0; signature_size(FN_DSA_LOGN_512)];
//! key.sign(&mut OsRng, &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut signature).unwrap();
//! let key = VerifyingKeyStandard::decode(&verifying).unwrap();
//! assert!(key.verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"message"));
//! ```

#[cfg(feature = "sign")]
use rand_core::TryCryptoRng;

use crate::errors::Error;
use crate::hash::{MU_LENGTH, MessageHash, hash_verifying_key};
use crate::params::{HPK_LENGTH, P4};
use crate::rules::Ruled;
#[cfg(feature = "sign")]
use crate::signing::SigningKeyOf;
use crate::verifying::VerifyingKeyOf;

pub use crate::hash::{
    DOMAIN_NONE, DomainContext, HASH_ID_EXTMU, HASH_ID_RAW, HASH_ID_SHA3_256, HASH_ID_SHA3_384,
    HASH_ID_SHA3_512, HASH_ID_SHA256, HASH_ID_SHA384, HASH_ID_SHA512, HASH_ID_SHA512_256,
    HASH_ID_SHAKE128, HASH_ID_SHAKE256, HashIdentifier,
};
pub use crate::params::{FN_DSA_LOGN_512, FN_DSA_LOGN_1024, signature_size, vrfy_key_size};
pub use crate::shake::{SHA3_224, SHA3_256, SHA3_384, SHA3_512, SHAKE, SHAKE128, SHAKE256};
pub use crate::verifying::VerifyingKey;
pub use core::convert::Infallible as RngError;
pub use rand_core::{self, CryptoRng, Rng as RngCore};
// Generators go by the same names as at the root, so that a program finds them where its `fn_dsa` leads.
#[cfg(all(
    feature = "getrandom",
    not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
))]
pub use crate::OsRng;
#[cfg(feature = "rand_core_06")]
pub use crate::{Rng06, rand_core_06};

/// Bytes of a signing key of degree 2^`logn`: 1345 for `logn` = 9, 2369 for 10.
///
/// # Panics
///
/// If `logn` is not in 1..=10.
#[must_use]
pub const fn sign_key_size(logn: u32) -> usize {
    crate::params::sign_key_size(logn) + HPK_LENGTH
}

/// A verifying key of degree 512 or 1024.
pub type VerifyingKeyStandard = VerifyingKeyOf<P4, 9, 1024>;

/// A verifying key of degree 512.
pub type VerifyingKey512 = VerifyingKeyOf<P4, 9, 512>;

/// A verifying key of degree 1024.
pub type VerifyingKey1024 = VerifyingKeyOf<P4, 10, 1024>;

/// A verifying key of degree 4 to 256, for tests and research.
pub type VerifyingKeyWeak = VerifyingKeyOf<P4, 2, 256>;

/// A signing key of degree 512 or 1024.
#[cfg(feature = "sign")]
pub type SigningKeyStandard = SigningKeyOf<P4, 9, 1024>;

/// A [`StreamVerifier`](crate::StreamVerifier) of this variant.
pub type StreamVerifierStandard<'k, 's> = crate::StreamVerifier<'k, 's, P4>;

/// A [`StreamSigner`](crate::StreamSigner) with a key of degree 512 or 1024.
#[cfg(feature = "sign")]
pub type StreamSignerStandard<'k> = crate::StreamSigner<'k, P4, 9, 1024>;

/// A signing key of degree 512.
#[cfg(feature = "sign")]
pub type SigningKey512 = SigningKeyOf<P4, 9, 512>;

/// A signing key of degree 1024.
#[cfg(feature = "sign")]
pub type SigningKey1024 = SigningKeyOf<P4, 10, 1024>;

/// A signing key of degree 4 to 256, for tests and research.
#[cfg(feature = "sign")]
pub type SigningKeyWeak = SigningKeyOf<P4, 2, 256>;

#[cfg(feature = "keygen")]
pub use crate::generating::KeyPairGenerator;
#[cfg(feature = "keygen")]
use crate::generating::KeyPairGeneratorOf;

/// A generator of key pairs of degree 512 or 1024.
#[cfg(feature = "keygen")]
pub type KeyPairGeneratorStandard = KeyPairGeneratorOf<P4, 9, 1024>;

/// A generator of key pairs of degree 512.
#[cfg(feature = "keygen")]
pub type KeyPairGenerator512 = KeyPairGeneratorOf<P4, 9, 512>;

/// A generator of key pairs of degree 1024.
#[cfg(feature = "keygen")]
pub type KeyPairGenerator1024 = KeyPairGeneratorOf<P4, 10, 1024>;

/// A generator of key pairs of degree 4 to 256, for tests and research.
#[cfg(feature = "keygen")]
pub type KeyPairGeneratorWeak = KeyPairGeneratorOf<P4, 2, 256>;

/// The trait of signing keys, as fn-dsa 0.4.0 has it: [`sign`](Self::sign) tells failure.
#[cfg(feature = "sign")]
pub trait SigningKey: Sized {
    /// Decodes a key: [`sign_key_size`] bytes. `None` if the encoding is not canonical, the parts
    /// (the hash of the verifying key among them, which fn-dsa 0.4.0 does not look at) do not belong
    /// together, or the degree is not one that this type supports.
    fn decode(sec: &[u8]) -> Option<Self>;

    /// The logarithm of the degree.
    fn get_logn(&self) -> u32;

    /// Encodes the verifying key.
    ///
    /// # Panics
    ///
    /// If `vrfy_key` does not have [`vrfy_key_size`] bytes, or the key was wiped.
    fn to_verifying_key(&self, vrfy_key: &mut [u8]);

    /// Signs `hv` under `ctx`, where `id` says what `hv` is: the message, its hash, or mu (then 64
    /// bytes, and `ctx` is ignored). Takes 40 random bytes. `&mut self` as in fn-dsa 0.4, though nothing changes.
    ///
    /// `None` where [`SigningKeyOf::sign_bytes`] has an error: a wrong length or, unless `hv` is mu, a context of more than
    /// 255 bytes, for both of which fn-dsa 0.4.0 panics; a generator that failed; or a key that is none.
    fn sign<T: TryCryptoRng + ?Sized>(
        &mut self,
        rng: &mut T,
        ctx: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        hv: &[u8],
        sig: &mut [u8],
    ) -> Option<()>;
}

#[cfg(feature = "sign")]
impl<const MIN: u32, const N: usize> SigningKey for SigningKeyOf<P4, MIN, N> {
    fn decode(sec: &[u8]) -> Option<Self> {
        Self::from_bytes_or_none(sec)
    }

    fn get_logn(&self) -> u32 {
        self.logn()
    }

    fn to_verifying_key(&self, vrfy_key: &mut [u8]) {
        if let Err(error) = self.verifying_key().write_bytes(vrfy_key) {
            panic!("{error}");
        }
    }

    fn sign<T: TryCryptoRng + ?Sized>(
        &mut self,
        rng: &mut T,
        ctx: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        hv: &[u8],
        sig: &mut [u8],
    ) -> Option<()> {
        self.sign_bytes(rng, ctx, id, hv, sig).ok()
    }
}

/// The hash of the verifying key that stands at the end of an encoded signing key.
///
/// # Panics
///
/// If `sk` is shorter than 65 bytes.
#[must_use]
pub fn hashed_vrfykey_from_signkey(sk: &[u8]) -> [u8; 64] {
    assert!(sk.len() > HPK_LENGTH, "not a signing key");
    let mut hash = [0; HPK_LENGTH];
    hash.copy_from_slice(&sk[sk.len() - HPK_LENGTH..]);
    hash
}

/// The hash of an encoded verifying key: SHAKE256 of all its bytes, [`vrfy_key_size`] of them (897 for degree 512, 1793 for
/// 1024), which are not looked at.
#[must_use]
pub fn hashed_vrfykey_from_vrfykey(vk: &[u8]) -> [u8; 64] {
    hash_verifying_key(vk)
}

/// The message representative mu of a message or of its hash, to be signed or verified with
/// [`HASH_ID_EXTMU`].
///
/// # Errors
///
/// [`Error::Context`] if the context is longer than 255 bytes. With [`HASH_ID_EXTMU`], which says that `hv` is mu already and
/// for which the context is ignored, [`Error::Length`] if `hv` is not 64 bytes long.
pub fn try_compute_mu(
    hashed_vrfy_key: &[u8; 64],
    ctx: &DomainContext<'_>,
    id: &HashIdentifier<'_>,
    hv: &[u8],
) -> Result<[u8; MU_LENGTH], Error> {
    let nonce = &[0; 40]; // mu does not depend on it
    let mut hash = MessageHash::new(P4::RULES, nonce, hashed_vrfy_key, ctx, id)?;
    hash.update(hv);
    hash.mu()
}

/// The message representative mu of a message or of its hash, 64 bytes, by the name and with the
/// arguments that it has in fn-dsa 0.4.0. [`try_compute_mu`] does not panic.
///
/// # Panics
///
/// If `hashed_vrfy_key` is not 64 bytes long, `ctx` is longer than 255, or `id` is [`HASH_ID_EXTMU`], which leaves nothing to
/// compute.
#[must_use]
pub fn compute_mu(
    hashed_vrfy_key: &[u8],
    ctx: &DomainContext<'_>,
    id: &HashIdentifier<'_>,
    hv: &[u8],
) -> [u8; 64] {
    let hpk = hashed_vrfy_key.try_into().expect("64 bytes");
    assert_ne!(*id, HASH_ID_EXTMU, "mu is there already");
    match try_compute_mu(hpk, ctx, id, hv) {
        Ok(mu) => mu,
        Err(error) => panic!("{error}"),
    }
}

/// Begins to compute mu of a message that is not hashed beforehand: the caller injects the message,
/// flips, and extracts 64 bytes.
///
/// # Panics
///
/// If `hashed_vrfy_key` is not 64 bytes long, or `ctx` longer than 255.
///
/// ```
/// use lanner_fn_dsa::draft2026::{DOMAIN_NONE, HASH_ID_RAW, compute_mu, compute_mu_start};
///
/// let hashed_key = [1; 64];
/// let mut shake = compute_mu_start(&hashed_key, &DOMAIN_NONE);
/// shake.inject(b"in ");
/// shake.inject(b"pieces");
/// shake.flip();
/// let mut mu = [0; 64];
/// shake.extract(&mut mu);
/// assert_eq!(mu, compute_mu(&hashed_key, &DOMAIN_NONE, &HASH_ID_RAW, b"in pieces"));
/// ```
#[must_use]
pub fn compute_mu_start(hashed_vrfy_key: &[u8], ctx: &DomainContext<'_>) -> SHAKE256 {
    assert_eq!(
        hashed_vrfy_key.len(),
        HPK_LENGTH,
        "the hash of a key has 64 bytes"
    );
    let length = u8::try_from(ctx.0.len()).expect("a context of at most 255 bytes");
    let mut shake = SHAKE256::new();
    shake.inject(hashed_vrfy_key);
    shake.inject(&[0, length]);
    shake.inject(ctx.0);
    shake
}
