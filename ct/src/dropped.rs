//! What dropped keys and shared secrets leave: nothing.

use lanner_ed25519::hazmat::ExpandedSecretKey;
use lanner_ed25519::{Digest, Sha512, SigningKey};
use lanner_x25519::{EphemeralSecret, PublicKey, ReusableSecret, StaticSecret};

use crate::random::Fixed;
use crate::secrets::Secrets;
use crate::wiped::is_wiped;

#[test]
fn keys_of_ed25519() {
    let s = Secrets::new(1, false);
    let key = SigningKey::from_bytes(&s.seed);
    let expanded = ExpandedSecretKey::from(&s.seed);
    let (scalar, prefix) = (expanded.scalar.to_bytes(), expanded.hash_prefix);
    is_wiped(expanded, &[&scalar, &prefix]);
    is_wiped(key.clone(), &[&s.seed, &scalar, &prefix]);
    is_wiped(key, &[&s.seed, &scalar, &prefix]);
}

#[test]
fn keys_and_shared_secrets_of_x25519() {
    let s = Secrets::new(1, false);
    let public = PublicKey::from(&StaticSecret::from(s.other));
    let fixed = || Fixed(s.seed);
    is_wiped(StaticSecret::from(s.seed), &[&s.seed]);
    is_wiped(StaticSecret::from(s.seed).clone(), &[&s.seed]);
    is_wiped(ReusableSecret::random_from_rng(&mut fixed()), &[&s.seed]);
    is_wiped(EphemeralSecret::random_from_rng(&mut fixed()), &[&s.seed]);
    let shared = StaticSecret::from(s.seed).diffie_hellman(&public);
    let bytes = shared.to_bytes();
    is_wiped(shared, &[&bytes]);
}

#[test]
fn keys_of_hybrids() {
    let s = Secrets::new(1, false);
    let key = lanner_hybrid::SigningKey512::from_seed(&s.seed).expect("the degree is its own");
    // The seeds of the halves, as the specification derives them.
    let label = lanner_hybrid::label(lanner_hybrid::LOGN_512);
    let halves: [u8; 64] = Sha512::new()
        .chain_update(lanner_hybrid::PREFIX)
        .chain_update([30])
        .chain_update(label)
        .chain_update(s.seed)
        .finalize()
        .into();
    is_wiped(key.clone(), &[&s.seed, &halves[..32]]);
    is_wiped(key, &[&s.seed, &halves[..32]]);
}

/// The control: a copy of the seed that nobody wipes.
#[test]
#[should_panic(expected = "it is left")]
fn plain_bytes_are_left() {
    let seed = Secrets::new(1, false).seed;
    is_wiped(seed, &[&seed]);
}
