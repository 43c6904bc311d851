//! The operations that promise constant time.
//!
//! Each takes the secrets and returns bytes, which are declassified before anybody looks at them.
//! Answers that steer the caller by their nature are not here: see the README.

use lanner_curve::scalar::clamp_integer;
use lanner_curve::{EdwardsPoint, MontgomeryPoint, Scalar, constants};
use lanner_ed25519::ed25519::signature::{MultipartSigner, RandomizedSigner};
use lanner_ed25519::hazmat::{self, ExpandedSecretKey};
use lanner_ed25519::{Digest, DigestSigner, Sha512, Signer, SigningKey, VerifyingKey};
use lanner_x25519::{PublicKey, StaticSecret, x25519};
use rand_core::{TryCryptoRng, TryRng};
use subtle::{ConditionallySelectable, ConstantTimeEq};

use crate::output::Output;
use crate::secrets::Secrets;

/// A check: its name, and what it runs.
pub(crate) type Check = (&'static str, fn(&Secrets) -> Output);

/// All of them.
pub(crate) const ALL: &[Check] = &[
    ("keygen", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        key.verifying_key().to_bytes().into()
    }),
    ("key-copies", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let copy = key.clone();
        let mut out = Output::from(copy.to_keypair_bytes());
        out.extend(key.to_scalar_bytes());
        out.extend(key.to_x25519_secret_bytes());
        out.extend(key.to_scalar().as_bytes());
        out.extend([key.ct_eq(&copy).unwrap_u8()]);
        out
    }),
    ("sign", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        key.sign(&s.message).to_bytes().into()
    }),
    ("sign-secret-message", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        key.sign(&s.other).to_bytes().into()
    }),
    ("sign-parts", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        key.multipart_sign(&[&s.message, &s.message])
            .to_bytes()
            .into()
    }),
    ("sign-ctx", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let signature = key.sign_ctx(b"context", &s.message);
        signature.expect("the context is short").to_bytes().into()
    }),
    ("sign-prehashed", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let hash = Sha512::new_with_prefix(&s.message);
        let signature = key.sign_prehashed(hash, Some(b"context"));
        signature.expect("the context is short").to_bytes().into()
    }),
    ("sign-digest", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let signature = key.sign_digest(|hash: &mut Sha512| hash.update(&s.message));
        signature.to_bytes().into()
    }),
    ("sign-hedged", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let signature = key.try_sign_with_rng(&mut Fixed(s.other), &s.message);
        signature
            .expect("the generator does not fail")
            .to_bytes()
            .into()
    }),
    ("hazmat-sign", |s| {
        let secret = ExpandedSecretKey::from_bytes(&s.wide);
        hazmat::raw_sign::<Sha512>(&secret, &s.message, &public(s))
            .to_bytes()
            .into()
    }),
    ("hazmat-sign-deriving", |s| {
        let secret = ExpandedSecretKey::from(&s.seed);
        let mut out = Output::from(secret.sign(&s.message).to_bytes());
        out.extend(hazmat::raw_sign_deriving::<Sha512>(&secret, &s.message).to_bytes());
        out
    }),
    ("hazmat-sign-by-update", |s| {
        let secret = ExpandedSecretKey::from(&s.seed);
        let update = |hash: &mut Sha512| {
            hash.update(&s.message);
            Ok(())
        };
        let signature = hazmat::raw_sign_byupdate(&secret, update, &public(s));
        signature
            .expect("the update does not fail")
            .to_bytes()
            .into()
    }),
    ("hazmat-sign-prehashed", |s| {
        let secret = ExpandedSecretKey::from_bytes(&s.wide);
        let hash = Sha512::new_with_prefix(&s.message);
        let signature = hazmat::raw_sign_prehashed::<Sha512, _>(&secret, hash, &public(s), None);
        signature.expect("there is no context").to_bytes().into()
    }),
    ("hazmat-blinding", |s| {
        let expanded = hazmat::expand_secret_key(&s.seed);
        let secret = ExpandedSecretKey::from_unclamped_bytes(&expanded);
        let blinded = hazmat::blind_secret_key(&secret, &[5; 32]);
        (*blinded.to_unclamped_bytes()).into()
    }),
    ("x25519-base", |s| {
        let secret = StaticSecret::from(s.seed);
        PublicKey::from(&secret).to_bytes().into()
    }),
    ("x25519", |s| {
        let secret = StaticSecret::from(s.seed);
        let shared = secret.diffie_hellman(&PublicKey::from(s.peer));
        shared.to_bytes().into()
    }),
    ("x25519-function", |s| x25519(s.seed, s.peer).into()),
    ("scalar-arithmetic", |s| {
        let a = Scalar::from_bytes_mod_order(s.seed);
        let b = Scalar::from_bytes_mod_order(clamp_integer(s.other));
        let c = Scalar::from_bytes_mod_order_wide(&s.wide);
        let choice = subtle::Choice::from(s.seed[0] & 1);
        let chosen = Scalar::conditional_select(&a, &b, choice);
        let mut out = Output::default();
        for scalar in [a + b, a - b, a * b, -a, Scalar::mul_add(&a, &b, &c), chosen] {
            out.extend(scalar.as_bytes());
        }
        out.extend([a.ct_eq(&b).unwrap_u8()]);
        out
    }),
    ("scalar-inversion", |s| {
        let a = Scalar::from_bytes_mod_order(s.seed);
        a.invert().to_bytes().into()
    }),
    ("edwards-base", |s| {
        let point = EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order(s.seed));
        point.compress().to_bytes().into()
    }),
    ("edwards-clamped", |s| {
        let point = constants::ED25519_BASEPOINT_POINT.mul_clamped(s.seed);
        let base = EdwardsPoint::mul_base_clamped(s.other);
        let mut out = Output::from(point.compress().to_bytes());
        out.extend(base.compress().to_bytes());
        out
    }),
    ("edwards-arithmetic", |s| {
        let a = EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order(s.seed));
        let b = a * Scalar::from_bytes_mod_order(s.other);
        let choice = subtle::Choice::from(s.seed[0] & 1);
        let chosen = EdwardsPoint::conditional_select(&a, &b, choice);
        let mut out = Output::default();
        for point in [a + b, a - b, -a, chosen] {
            out.extend(point.compress().to_bytes());
        }
        out.extend(a.to_montgomery().to_bytes());
        out.extend([a.ct_eq(&b).unwrap_u8()]);
        out
    }),
    ("montgomery", |s| {
        let scalar = Scalar::from_bytes_mod_order(s.seed);
        let point = MontgomeryPoint(s.peer);
        let mut out = Output::from((point * scalar).to_bytes());
        out.extend(MontgomeryPoint::mul_base(&scalar).to_bytes());
        out.extend(point.mul_clamped(s.other).to_bytes());
        out
    }),
];

/// The public key, which is no secret.
fn public(s: &Secrets) -> VerifyingKey {
    VerifyingKey::from_bytes(&s.public).expect("a public key")
}

/// A generator whose output is secret.
pub(crate) struct Fixed(pub(crate) [u8; 32]);

impl TryRng for Fixed {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.try_next_u64()? as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, into: &mut [u8]) -> Result<(), Self::Error> {
        for (byte, secret) in into.iter_mut().zip(self.0.iter().cycle()) {
            *byte = *secret;
        }
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}
