//! ed25519-dalek 2 and 3, x25519-dalek 2. Version 3 of the latter is Lanner's own crate by another name.

use std::convert::Infallible;
use std::hint::black_box;

use ed25519_dalek::rand_core::{TryCryptoRng, TryRng};
use rand_core_06::{CryptoRng, Error, RngCore};

use crate::freed::left_in;
use crate::wiped::is_wiped;
use crate::{Observed, Secrets};

/// Gives the same secret bytes again and again.
#[derive(Clone)]
struct Fixed([u8; 32]);

impl RngCore for Fixed {
    fn next_u32(&mut self) -> u32 {
        u32::from_le_bytes(*self.0.first_chunk().expect("32 are enough"))
    }

    fn next_u64(&mut self) -> u64 {
        u64::from_le_bytes(*self.0.first_chunk().expect("32 are enough"))
    }

    fn fill_bytes(&mut self, into: &mut [u8]) {
        for (byte, secret) in into.iter_mut().zip(self.0.iter().cycle()) {
            *byte = *secret;
        }
    }

    fn try_fill_bytes(&mut self, into: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(into);
        Ok(())
    }
}

impl CryptoRng for Fixed {}

/// The same in both versions of ed25519-dalek.
macro_rules! ed25519 {
    ($module:ident, $dalek:ident, $version:literal) => {
        mod $module {
            use serde::de::Deserialize;
            use $dalek::hazmat::{ExpandedSecretKey, raw_sign, raw_sign_prehashed};
            use $dalek::pkcs8::{EncodePrivateKey, KeypairBytes};
            use $dalek::{Digest, Sha512, Signer, SigningKey, VerifyingKey};

            use crate::freed::{Owned, left_in};
            use crate::wiped::is_wiped;
            use crate::{Observed, Secrets};

            /// What a seed expands to.
            fn expanded(seed: &[u8; 32]) -> ([u8; 32], [u8; 32]) {
                let expanded = ExpandedSecretKey::from(seed);
                (expanded.scalar.to_bytes(), expanded.hash_prefix)
            }

            pub(super) fn dropped(s: &Secrets) {
                let bytes = s.seed.to_vec();
                let left = left_in(&s.seed, || {
                    SigningKey::deserialize(Owned(bytes)).expect("32 bytes are a key");
                });
                assert_eq!(left, 0, "ed25519 {}: serde gives it back", $version);
                let (scalar, prefix) = expanded(&s.seed);
                let key = SigningKey::from_bytes(&s.seed);
                is_wiped(key.clone(), &[&s.seed, &scalar, &prefix]);
                is_wiped(key, &[&s.seed, &scalar, &prefix]);
                is_wiped(ExpandedSecretKey::from(&s.seed), &[&scalar, &prefix]);
            }

            pub(super) fn observe(observed: &mut Observed, s: &Secrets) {
                let name = |what: &str| format!("ed25519 {}: {what}", $version);
                let (scalar, prefix) = expanded(&s.seed);
                let secrets: [&[u8]; 3] = [&s.seed, &scalar, &prefix];
                let key = SigningKey::from_bytes(&s.seed);
                let pair = key.to_keypair_bytes();
                // All of its block but a byte: what a hash has not filled of it is whatever was on the stack before, which moves
                // with it into what is looked at.
                let hash = || Sha512::new().chain_update([0x6d; 127]);

                observed.observe(
                    &name("from_bytes"),
                    (s.seed, None),
                    &secrets,
                    |(seed, key)| {
                        *key = Some(SigningKey::from_bytes(seed));
                    },
                );
                observed.observe(
                    &name("from_keypair_bytes"),
                    (pair, None),
                    &secrets,
                    |(pair, key)| {
                        *key = SigningKey::from_keypair_bytes(pair).ok();
                    },
                );
                observed.observe(
                    &name("try_from"),
                    (s.seed, None),
                    &secrets,
                    |(seed, key)| {
                        *key = SigningKey::try_from(&seed[..]).ok();
                    },
                );
                observed.observe(&name("from"), (s.seed, None), &secrets, |(seed, key)| {
                    *key = Some(SigningKey::from(&*seed));
                });
                observed.observe(
                    &name("from a key file's pair"),
                    (KeypairBytes::from(&key), None),
                    &secrets,
                    |(pair, key)| {
                        *key = SigningKey::try_from(&*pair).ok();
                    },
                );
                observed.observe(
                    &name("write PEM"),
                    (key.clone(), None),
                    &secrets,
                    |(key, text)| {
                        *text = key.to_pkcs8_pem(Default::default()).ok();
                    },
                );
                observed.observe(
                    &name("clone"),
                    (key.clone(), None),
                    &secrets,
                    |(key, copy)| {
                        *copy = Some(key.clone());
                    },
                );
                observed.observe(
                    &name("=="),
                    (key.clone(), key.clone(), true),
                    &secrets,
                    |keys| {
                        keys.2 = keys.0 == keys.1;
                    },
                );
                observed.observe(&name("drop"), Some(key.clone()), &secrets, |key| {
                    *key = None
                });
                observed.observe(
                    &name("sign"),
                    (key.clone(), None),
                    &secrets,
                    |(key, made)| {
                        *made = Some(key.sign(b"a message"));
                    },
                );
                observed.observe(
                    &name("sign_prehashed"),
                    (key.clone(), Some(hash()), None),
                    &secrets,
                    |(key, hash, made)| {
                        let hash = hash.take().expect("once");
                        *made = key.sign_prehashed(hash, None).ok();
                    },
                );
                observed.observe(
                    &name("expanded"),
                    (s.seed, None),
                    &secrets,
                    |(seed, key)| {
                        *key = Some(ExpandedSecretKey::from(&*seed));
                    },
                );
                let of_64 = ExpandedSecretKey::from_bytes(&s.wide);
                let public = VerifyingKey::from(&of_64);
                let (scalar, prefix) = (of_64.scalar.to_bytes(), of_64.hash_prefix);
                let secrets: [&[u8]; 3] = [&s.wide, &scalar, &prefix];
                observed.observe(
                    &name("expanded of 64"),
                    (s.wide, None),
                    &secrets,
                    |(wide, key)| {
                        *key = Some(ExpandedSecretKey::from_bytes(wide));
                    },
                );
                observed.observe(
                    &name("expanded, a slice"),
                    (s.wide, None),
                    &secrets,
                    |(wide, key)| {
                        *key = ExpandedSecretKey::try_from(&wide[..]).ok();
                    },
                );
                let again = || ExpandedSecretKey::from_bytes(&s.wide);
                observed.observe(
                    &name("public key"),
                    (again(), None),
                    &secrets,
                    |(key, public)| {
                        *public = Some(VerifyingKey::from(&*key));
                    },
                );
                observed.observe(
                    &name("raw_sign"),
                    (again(), None),
                    &secrets,
                    |(key, made)| {
                        *made = Some(raw_sign::<Sha512>(key, b"a message", &public));
                    },
                );
                observed.observe(
                    &name("raw_sign_prehashed"),
                    (again(), Some(hash()), None),
                    &secrets,
                    |(key, hash, made)| {
                        let hash = hash.take().expect("once");
                        *made = raw_sign_prehashed::<Sha512, _>(key, hash, &public, None).ok();
                    },
                );
            }
        }
    };
}

ed25519!(ed25519_2, ed25519_dalek_2, 2);
ed25519!(ed25519_3, ed25519_dalek, 3);

mod x25519_2 {
    use x25519_dalek_2::{EphemeralSecret, PublicKey, ReusableSecret, StaticSecret};

    use super::{Fixed, is_wiped};
    use crate::{Observed, Secrets};

    pub(super) fn dropped(s: &Secrets) {
        let fixed = || Fixed(s.seed);
        is_wiped(StaticSecret::from(s.seed), &[&s.seed]);
        is_wiped(StaticSecret::from(s.seed).clone(), &[&s.seed]);
        is_wiped(ReusableSecret::random_from_rng(fixed()), &[&s.seed]);
        is_wiped(EphemeralSecret::random_from_rng(fixed()), &[&s.seed]);
        let shared = StaticSecret::from(s.seed).diffie_hellman(&PublicKey::from(s.other));
        let bytes = shared.to_bytes();
        is_wiped(shared, &[&bytes]);
    }

    pub(super) fn observe(observed: &mut Observed, s: &Secrets) {
        let theirs = PublicKey::from(s.other);
        let ours = StaticSecret::from(s.seed);
        let shared = ours.diffie_hellman(&theirs).to_bytes();
        let secrets: [&[u8]; 2] = [&s.seed, &shared];
        observed.observe(
            "x25519 2: clone",
            (ours.clone(), None),
            &secrets,
            |(ours, copy)| {
                *copy = Some(ours.clone());
            },
        );
        observed.observe("x25519 2: drop", Some(ours.clone()), &secrets, |ours| {
            *ours = None
        });
        observed.observe(
            "x25519 2: public key",
            (ours.clone(), None),
            &secrets,
            |(ours, key)| {
                *key = Some(PublicKey::from(&*ours));
            },
        );
        observed.observe(
            "x25519 2: agreement",
            (ours, None),
            &secrets,
            |(ours, shared)| {
                *shared = Some(ours.diffie_hellman(&theirs));
            },
        );
        let once = (Some(EphemeralSecret::random_from_rng(Fixed(s.seed))), None);
        observed.observe(
            "x25519 2: agreement, once",
            once,
            &secrets,
            |(ours, shared)| {
                *shared = ours.take().map(|ours| ours.diffie_hellman(&theirs));
            },
        );
        let generator = (Fixed(s.seed), None);
        observed.observe("x25519 2: random", generator, &secrets, |(fixed, ours)| {
            *ours = Some(StaticSecret::random_from_rng(&mut *fixed));
        });
    }
}

/// By the traits of digest 0.11, which version 3 of ed25519-dalek has.
fn ed25519_of_key(observed: &mut Observed, s: &Secrets) {
    use curve25519_dalek::digest::common::{Generate, TryKeyInit};
    use ed25519_dalek::SigningKey;

    let name = "ed25519 3: of a key";
    observed.observe(name, (s.seed, None), &[&s.seed], |(seed, key)| {
        *key = <SigningKey as TryKeyInit>::new((&*seed).into()).ok();
    });
    let name = "ed25519 3: generate";
    observed.observe(name, (Drawn(s.seed), None), &[&s.seed], |(drawn, key)| {
        *key = SigningKey::try_generate_from_rng(drawn).ok();
    });
}

/// [`Fixed`] for rand_core 0.10.
struct Drawn([u8; 32]);

impl TryRng for Drawn {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("keys are made of bytes")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("keys are made of bytes")
    }

    fn try_fill_bytes(&mut self, into: &mut [u8]) -> Result<(), Infallible> {
        into.copy_from_slice(&self.0);
        Ok(())
    }
}

impl TryCryptoRng for Drawn {}

/// Whatever is secret is wiped where it was; panics otherwise.
pub(crate) fn dropped(s: &Secrets) {
    ed25519_2::dropped(s);
    ed25519_3::dropped(s);
    x25519_2::dropped(s);
    let left = std::panic::catch_unwind(|| is_wiped(s.seed, &[&s.seed]));
    assert!(left.is_err(), "the control: plain bytes are left");
    let bytes = s.seed.to_vec();
    assert_eq!(
        left_in(&s.seed, || drop(black_box(bytes))),
        1,
        "the control is found"
    );
}

pub(crate) fn observe(observed: &mut Observed, s: &Secrets) {
    ed25519_2::observe(observed, s);
    ed25519_3::observe(observed, s);
    x25519_2::observe(observed, s);
    ed25519_of_key(observed, s);
    let (seed, key) = (Fixed(s.seed), None);
    observed.observe(
        "ed25519 2: generate",
        (seed, key),
        &[&s.seed],
        |(fixed, key)| {
            *key = Some(ed25519_dalek_2::SigningKey::generate(fixed));
        },
    );
}
