//! X25519: keys and key agreement, one and many.

use lanner_x25519::{
    PublicKey, ReusableSecret, StaticSecret, x25519, x25519_base_each, x25519_checked, x25519_each,
};

use super::Check;
use crate::output::Output;
use crate::random::Fixed;

/// All of them.
pub(super) const ALL: &[Check] = &[
    ("x25519-base", |s| {
        let secret = StaticSecret::from(s.seed);
        PublicKey::from(&secret).to_bytes().into()
    }),
    ("x25519", |s| {
        let secret = StaticSecret::from(s.seed);
        let shared = secret.diffie_hellman(&PublicKey::from(s.peer));
        shared.to_bytes().into()
    }),
    ("x25519-drawn", |s| {
        let secret = ReusableSecret::random_from_rng(&mut Fixed(s.seed));
        let shared = secret.diffie_hellman(&PublicKey::from(s.peer));
        shared.to_bytes().into()
    }),
    ("x25519-public-each", |s| {
        let secrets: [StaticSecret; 11] =
            core::array::from_fn(|i| StaticSecret::from(if i % 2 == 0 { s.seed } else { s.other }));
        let mut public_keys = [PublicKey::from([0; 32]); 11];
        StaticSecret::public_keys_each(&secrets, &mut public_keys);
        let mut out = Output::default();
        for key in public_keys {
            out.extend(key.to_bytes());
        }
        out
    }),
    ("x25519-function", |s| x25519(s.seed, s.peer).into()),
    ("x25519-base-each", |s| {
        let secrets: [[u8; 32]; 11] =
            core::array::from_fn(|i| if i % 2 == 0 { s.seed } else { s.other });
        let mut public_keys = [[0; 32]; 11];
        x25519_base_each(&secrets, &mut public_keys);
        public_keys.as_flattened().into()
    }),
    ("x25519-each", |s| {
        // More than one group of any backend, and a rest.
        let secrets: [[u8; 32]; 11] =
            core::array::from_fn(|i| if i % 2 == 0 { s.seed } else { s.other });
        let mut shared = [[0; 32]; 11];
        x25519_each(&secrets, &[s.peer; 11], &mut shared);
        shared.as_flattened().into()
    }),
];

/// That which ends in an answer which is public by its nature.
pub(super) const ANSWERS: &[Check] = &[
    ("x25519-checked", |s| {
        let shared = x25519_checked(s.seed, s.peer).expect("the point is not of small order");
        shared.into()
    }),
    ("x25519-agreement-checked", |s| {
        let secret = StaticSecret::from(s.seed);
        let shared = secret.diffie_hellman_checked(&PublicKey::from(s.peer));
        let shared = shared.expect("the point is not of small order");
        shared.to_bytes().into()
    }),
];
