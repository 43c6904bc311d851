//! Ed25519: keys, signing in every form, the hazmat module.

use lanner_ed25519::ed25519::signature::{MultipartSigner, RandomizedSigner};
use lanner_ed25519::hazmat::{self, ExpandedSecretKey};
use lanner_ed25519::xeddsa;
use lanner_ed25519::{Digest, DigestSigner, Sha512, Signature, Signer, SigningKey, VerifyingKey};
use subtle::ConstantTimeEq;

use super::Check;
use crate::output::Output;
use crate::random::Fixed;
use crate::secrets::Secrets;

/// Those in which nothing shows.
pub(super) const ALL: &[Check] = &[
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
        key.sign(s.message).to_bytes().into()
    }),
    ("keygen-each", |s| {
        let mut keys = [const { None }; 11];
        SigningKey::from_bytes_each(&seeds(s), &mut keys);
        let mut public = [None; 11];
        VerifyingKey::from_secret_keys_each(&seeds(s), &mut public);
        let mut out = Output::default();
        for (key, public) in keys.into_iter().zip(public) {
            out.extend(key.expect("every seed is a key").to_keypair_bytes());
            out.extend(public.expect("every seed has one").to_bytes());
        }
        out
    }),
    ("sign-each", |s| {
        let keys = seeds(s).map(|seed| SigningKey::from_bytes(&seed));
        let keys = core::array::from_fn::<_, 11, _>(|i| &keys[i]);
        let messages = core::array::from_fn::<_, 11, _>(|i| &s.message[..s.message.len() - i]);
        let mut signatures = [Signature::from_bytes(&[0; 64]); 11];
        SigningKey::sign_each_by(&keys, &messages, &mut signatures);
        let mut out = Output::default();
        for signature in signatures {
            out.extend(signature.to_bytes());
        }
        out
    }),
    ("sign-secret-message", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        key.sign(&s.other).to_bytes().into()
    }),
    ("sign-parts", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        key.multipart_sign(&[s.message, s.message])
            .to_bytes()
            .into()
    }),
    ("sign-ctx", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let signature = key.sign_ctx(b"context", s.message);
        signature.expect("the context is short").to_bytes().into()
    }),
    ("sign-prehashed", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let hash = Sha512::new_with_prefix(s.message);
        let signature = key.sign_prehashed(hash, Some(b"context"));
        signature.expect("the context is short").to_bytes().into()
    }),
    ("sign-digest", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let signature = key.sign_digest(|hash: &mut Sha512| hash.update(s.message));
        signature.to_bytes().into()
    }),
    ("xeddsa-sign", |s| {
        let key = xeddsa::SecretKey::from_x25519(&s.seed);
        let random = [s.other, s.seed];
        let random = random.as_flattened().try_into().expect("64 bytes");
        key.sign(s.message, random).to_bytes().into()
    }),
    ("sign-hedged", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let signature = key.try_sign_with_rng(&mut Fixed(s.other), s.message);
        signature
            .expect("the generator does not fail")
            .to_bytes()
            .into()
    }),
    ("hazmat-sign", |s| {
        let secret = ExpandedSecretKey::from_bytes(&s.wide);
        hazmat::raw_sign::<Sha512>(&secret, s.message, &public(s))
            .to_bytes()
            .into()
    }),
    ("hazmat-sign-deriving", |s| {
        let secret = ExpandedSecretKey::from(&s.seed);
        let mut out = Output::from(secret.sign(s.message).to_bytes());
        out.extend(hazmat::raw_sign_deriving::<Sha512>(&secret, s.message).to_bytes());
        out
    }),
    ("hazmat-sign-by-update", |s| {
        let secret = ExpandedSecretKey::from(&s.seed);
        let update = |hash: &mut Sha512| {
            hash.update(s.message);
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
        let hash = Sha512::new_with_prefix(s.message);
        let signature = hazmat::raw_sign_prehashed::<Sha512, _>(&secret, hash, &public(s), None);
        signature.expect("there is no context").to_bytes().into()
    }),
    ("hazmat-blinding", |s| {
        let expanded = hazmat::expand_secret_key(&s.seed);
        let secret = ExpandedSecretKey::from_unclamped_bytes(&expanded);
        let blinded = hazmat::blind_secret_key(&secret, &[5; 32]);
        (*blinded.to_unclamped_bytes()).into()
    }),
];

/// Those that end in an answer which is public by its nature.
pub(super) const ANSWERS: &[Check] = &[
    ("sign-stream", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let signature = key.sign_stream(|sink| {
            sink.update(&s.message[..10]);
            sink.update(&s.message[10..]);
            Ok::<(), ()>(())
        });
        signature.expect("both passes agree").to_bytes().into()
    }),
    ("sign-stream-ctx", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let signature = key.sign_stream_ctx(b"context", |sink| {
            sink.update(s.message);
            Ok::<(), ()>(())
        });
        signature.expect("both passes agree").to_bytes().into()
    }),
    ("keypair-bytes", |s| {
        let mut pair = [0; 64];
        pair[..32].copy_from_slice(&s.seed);
        pair[32..].copy_from_slice(&s.public);
        let key = SigningKey::from_keypair_bytes(&pair).expect("the halves belong together");
        key.to_bytes().into()
    }),
];

/// More than one group of any backend, and a rest.
fn seeds(s: &Secrets) -> [[u8; 32]; 11] {
    core::array::from_fn(|i| if i % 2 == 0 { s.seed } else { s.other })
}

/// A public key, as these functions take it on trust.
fn public(s: &Secrets) -> VerifyingKey {
    VerifyingKey::from_bytes(&s.somebody).expect("a public key")
}
