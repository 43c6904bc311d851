//! XEdDSA: signatures of Ed25519's form by the keys of X25519, as Signal specifies them in
//! "The XEdDSA and VXEdDSA Signature Schemes" (Trevor Perrin, revision 1, sections 2 and 3) for curve25519. One key pair
//! then agrees on secrets and signs, as in Signal's protocols; two key pairs are simpler where they can be had.
//!
//! A public key of X25519 is a coordinate u, which two points of the Edwards curve share. XEdDSA takes the one whose x is
//! even, so the secret scalar is negated where it belongs to the other. The nonce depends on 64 random bytes as well as on
//! the secret and the message: a generator that fails costs the signature nothing but that.
//!
//! ```
//! use lanner_ed25519::xeddsa;
//!
//! let key = xeddsa::SecretKey::from_x25519(&[7; 32]);
//! let random = [8; 64]; // from a generator, in earnest
//! let signature = key.sign(b"message", &random);
//!
//! let public = key.x25519_public_bytes();
//! xeddsa::verify(&public, b"message", &signature)?;
//! assert!(xeddsa::verify(&public, b"passage", &signature).is_err());
//! # Ok::<(), lanner_ed25519::SignatureError>(())
//! ```
//!
//! # Who accepts what
//!
//! | | u | S | A or R of small order |
//! |---|---|---|---|
//! | [`verify`] | below p, all 256 bits counted | below 2^253, as specified: S and S + L are both valid | accepted, as specified |
//! | [`verify_with_sign`] | modulo p, the highest bit ignored | below 2^253, and a bit that says which x | accepted |
//! | [`verifying_key`] under [`Strict`](crate::profile::Strict) | below p | below L | refused |
//!
//! The equation is cofactorless and R is compared as bytes, so R is canonical. u = -1, which is no coordinate of a point of
//! curve25519, is refused, where the specification's map makes of it a point of order 4.
//!
//! [`verify_with_sign`] is not in the specification: libsignal and its predecessors leave x odd where it is, and say so in
//! the highest bit of the signature, which is clear otherwise. They accept what [`SecretKey::sign`] makes; what they
//! make takes this function.
//!
//! VXEdDSA, whose signatures are also the proofs of a verifiable random function, is not here.

use core::fmt;

use lanner_curve::edwards::EdwardsPoint;
use lanner_curve::montgomery::MontgomeryPoint;
use lanner_curve::scalar::{Scalar, clamp_in_place};
use lanner_simd::stack::cleared;
use sha2::Digest;
use subtle::{Choice, ConditionallySelectable};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::depth;
use crate::domain::Domain;
use crate::errors::{SignatureError, require};
use crate::expanded::Nonce;
use crate::profile::Donna;
use crate::sha512::Sha512;
use crate::verify::{challenge, challenge_hash};
use crate::{Signature, VerifyingKey};

/// Length of the randomness of a signature, Z, in bytes.
pub const RANDOM_LENGTH: usize = 64;

/// What tells the specification's hash_1 from SHA-512 of a signature: 2^256 - 1 - 1, little-endian. No point is encoded so.
const HASH_1: [u8; 32] = {
    let mut bytes = [0xff; 32];
    bytes[0] = 0xfe;
    bytes
};

/// A secret key of X25519 that signs: the scalar a and the public key A of `calculate_key_pair` (section 2.3).
///
/// Wiped when dropped; `Debug` shows nothing.
pub struct SecretKey {
    /// Modulo L, negated where the point has an odd x.
    a: Scalar,
    /// What of it the nonce depends on: 32 bytes of -k modulo L, or else of k as it was clamped, which Signal's own code does not
    /// reduce. Whoever has the same random bytes makes the same signature.
    hashed: [u8; 32],
    /// The encoding of \[a]B, whose sign bit is clear.
    key: [u8; 32],
}

impl SecretKey {
    /// Takes a secret key of X25519, any 32 bytes, which are clamped as RFC 7748, section 5, has it. Constant time.
    pub fn from_x25519(secret: &[u8; 32]) -> Self {
        cleared::<{ depth::KEY }, _>(|| {
            let mut k = Zeroizing::new(*secret);
            clamp_in_place(&mut k);
            let mut a = Zeroizing::new(Scalar::from_bytes_mod_order(*k));
            let mut key = EdwardsPoint::mul_base(&a).compress().0;
            // The sign tells a bit of the secret until it is gone.
            let odd = Choice::from(key[31] >> 7);
            key[31] &= 0x7f;
            let negative = Zeroizing::new(-*a);
            a.conditional_assign(&negative, odd);
            for (byte, negative) in k.iter_mut().zip(negative.as_bytes()) {
                byte.conditional_assign(negative, odd);
            }
            SecretKey {
                a: *a,
                hashed: *k,
                key,
            }
        })
    }

    /// A as a key of Ed25519: [`verify`] is [`VerifyingKey::under`] [`Donna`] with it.
    pub fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey::from_bytes(&self.key).expect("it is the encoding of a point")
    }

    /// The public key of X25519, 32 bytes.
    pub fn x25519_public_bytes(&self) -> [u8; 32] {
        self.verifying_key().to_montgomery().to_bytes()
    }

    /// Signs (section 3.1, `xeddsa_sign`). `random` is Z: 64 bytes of a generator, new for each signature. Constant
    /// time in all but the length of the message.
    pub fn sign(&self, message: &[u8], random: &[u8; RANDOM_LENGTH]) -> Signature {
        cleared::<{ depth::SIGN }, _>(|| {
            // r = hash_1(a || M || Z) and R = rB.
            let mut hash = Sha512::new();
            hash.update(HASH_1);
            hash.update(self.hashed.as_slice());
            hash.update(message);
            hash.update(random);
            let nonce = Nonce::from_hash(hash);
            // h = hash(R || A || M).
            let mut hash: Sha512 = challenge_hash(Domain::PURE, &self.key, nonce.commitment());
            hash.update(message);
            // s = r + ha.
            nonce.respond(&self.a, &challenge(hash))
        })
    }

    /// Signs with 64 bytes of a generator.
    ///
    /// # Errors
    ///
    /// If the generator fails.
    ///
    /// ```
    /// use getrandom::SysRng;
    /// use lanner_ed25519::xeddsa;
    ///
    /// let key = xeddsa::SecretKey::from_x25519(&[7; 32]);
    /// let signature = key.try_sign_with_rng(&mut SysRng, b"message")?;
    /// xeddsa::verify(&key.x25519_public_bytes(), b"message", &signature)?;
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    #[cfg(feature = "rand_core")]
    pub fn try_sign_with_rng<R: rand_core::TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, SignatureError> {
        let mut random = Zeroizing::new([0; RANDOM_LENGTH]);
        rng.try_fill_bytes(&mut *random)
            .map_err(|_| SignatureError::new())?;
        Ok(self.sign(message, &random))
    }
}

impl Drop for SecretKey {
    fn drop(&mut self) {
        self.a.zeroize();
        self.hashed.zeroize();
        // Of whom the secret was may be a secret too.
        self.key.zeroize();
    }
}

impl ZeroizeOnDrop for SecretKey {}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").finish_non_exhaustive()
    }
}

/// The key of Ed25519 that belongs to a public key of X25519 (section 2.3, `convert_mont`): 32 bytes, u little-endian. It
/// verifies in every form that [`VerifyingKey`] offers: prepared, in batches, in pieces. [`Donna`] is the profile
/// that accepts what XEdDSA accepts.
///
/// # Errors
///
/// If u is p or more, the highest bit counted, or not the coordinate of a point of the curve. Variable time.
pub fn verifying_key(public_key: &[u8; 32]) -> Result<VerifyingKey, SignatureError> {
    require(is_reduced(public_key))?;
    with_sign(public_key, 0)
}

/// Verifies (section 3.1, `xeddsa_verify`) under a public key of X25519, 32 bytes. Variable time.
///
/// # Errors
///
/// If [`verifying_key`] refuses the key, or the signature is not valid. The table [above](self) says more.
pub fn verify(
    public_key: &[u8; 32],
    message: &[u8],
    signature: &Signature,
) -> Result<(), SignatureError> {
    verifying_key(public_key)?
        .under(Donna)
        .verify(message, signature)
}

/// Verifies a signature in whose highest bit stands the sign of x, as libsignal makes them; where it is clear, that is the
/// signature of the specification. u counts modulo p, without its highest bit. Variable time.
///
/// # Errors
///
/// If u is not the coordinate of a point of the curve, or the signature is not valid. The table [above](self) says more.
pub fn verify_with_sign(
    public_key: &[u8; 32],
    message: &[u8],
    signature: &Signature,
) -> Result<(), SignatureError> {
    let mut s = *signature.s_bytes();
    let sign = s[31] >> 7;
    s[31] &= 0x7f;
    with_sign(public_key, sign)?.under(Donna).verify(
        message,
        &Signature::from_components(*signature.r_bytes(), s),
    )
}

/// The point of this u and this sign of x.
fn with_sign(public_key: &[u8; 32], sign: u8) -> Result<VerifyingKey, SignatureError> {
    MontgomeryPoint(*public_key)
        .to_edwards(sign)
        .map(VerifyingKey::from)
        .ok_or_else(SignatureError::new)
}

/// Whether the little-endian integer is below p = 2^255 - 19. Variable time.
fn is_reduced(bytes: &[u8; 32]) -> bool {
    let [low, middle @ .., high] = bytes;
    *high < 0x7f || *high == 0x7f && !(*low >= 0xed && middle.iter().all(|byte| *byte == 0xff))
}
