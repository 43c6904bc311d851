//! ed25519-dalek 2 and 3, x25519-dalek 2 and 3: keys, signing in every form, key agreement.

use crate::Check;

/// The same calls in both versions of ed25519-dalek.
macro_rules! ed25519 {
    ($dalek:ident, $version:literal) => {
        &[
            (concat!("ed25519 ", $version, ": keys"), |s| {
                let key = $dalek::SigningKey::from_bytes(&s.seed);
                let copy = key.clone();
                let mut out = key.to_keypair_bytes().to_vec();
                out.extend(key.to_scalar_bytes());
                out.extend(key.to_scalar().to_bytes());
                out.extend(key.verifying_key().to_bytes());
                out.push(u8::from(copy == $dalek::SigningKey::from_bytes(&s.other)));
                out
            }),
            (concat!("ed25519 ", $version, ": signing"), |s| {
                use $dalek::Signer;
                let key = $dalek::SigningKey::from_bytes(&s.seed);
                key.sign(s.message).to_bytes().to_vec()
            }),
            (concat!("ed25519 ", $version, ": signing hashes"), |s| {
                use $dalek::{Digest, Sha512};
                let key = $dalek::SigningKey::from_bytes(&s.seed);
                let hash = Sha512::new().chain_update(s.message);
                let signature = key.sign_prehashed(hash, Some(b"context"));
                signature.expect("the context is short").to_bytes().to_vec()
            }),
            (concat!("ed25519 ", $version, ": expanded keys"), |s| {
                use $dalek::hazmat::{ExpandedSecretKey, raw_sign};
                let secret = ExpandedSecretKey::from_bytes(&s.wide);
                let public = $dalek::VerifyingKey::from_bytes(&s.public).expect("a key");
                let signature = raw_sign::<$dalek::Sha512>(&secret, s.message, &public);
                let mut out = signature.to_bytes().to_vec();
                out.extend($dalek::VerifyingKey::from(&secret).to_bytes());
                out
            }),
        ]
    };
}

/// The same in both versions of x25519-dalek.
macro_rules! x25519 {
    ($dalek:ident, $version:literal) => {
        &[(concat!("x25519 ", $version, ": agreement"), |s| {
            use $dalek::{PublicKey, StaticSecret, x25519};
            let secret = StaticSecret::from(s.seed);
            let shared = secret.diffie_hellman(&PublicKey::from(s.other));
            let mut out = shared.to_bytes().to_vec();
            out.push(u8::from(shared.was_contributory()));
            out.extend(PublicKey::from(&secret).to_bytes());
            out.extend(secret.clone().to_bytes());
            out.extend(x25519(s.other, s.seed));
            out
        })]
    };
}

pub(crate) const ALL: [&[Check]; 4] = [
    ed25519!(ed25519_dalek_2, "2"),
    ed25519!(ed25519_dalek, "3"),
    x25519!(x25519_dalek_2, "2"),
    x25519!(x25519_dalek, "3"),
];
