//! What version 1 wrote through serde, and what reads it.

use lanner_ed25519 as own;
use lanner_interop::{array, start};
use own::{serde_compat, serde_compat::numbers};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ed25519::pair;

/// What a format has of a value, as bytes.
type Written = Vec<u8>;

fn json(value: &impl Serialize) -> Written {
    serde_json::to_vec(value).expect("it is written")
}

fn binary(value: &impl Serialize) -> Written {
    bincode::serialize(value).expect("it is written")
}

fn from_json<T: DeserializeOwned>(written: &[u8]) -> Option<T> {
    serde_json::from_slice(written).ok()
}

fn from_binary<T: DeserializeOwned>(written: &[u8]) -> Option<T> {
    bincode::deserialize(written).ok()
}

/// As bytes are written: behind their number, and in JSON as numbers.
fn as_bytes(bytes: &[u8]) -> [Written; 2] {
    let number = (bytes.len() as u64).to_le_bytes();
    [json(&bytes), [&number, bytes].concat()]
}

#[derive(Serialize, Deserialize)]
struct Any(#[serde(with = "serde_compat")] own::Signature);

#[derive(Serialize, Deserialize)]
struct Numbers(#[serde(with = "numbers")] own::Signature);

#[test]
fn keys_are_read_and_written_the_same() {
    let rng = &mut start("serialised keys");
    let (old, new) = pair(&array(rng));
    let (secret, public) = (&old.secret, &old.public);
    let (key, verifying_key) = (&new, &new.verifying_key());
    assert_eq!(
        [json(secret), binary(secret)],
        as_bytes(new.as_bytes()),
        "secret"
    );
    assert_eq!([json(secret), binary(secret)], [json(key), binary(key)]);
    assert_eq!(
        [json(public), binary(public)],
        [json(verifying_key), binary(verifying_key)]
    );
    assert_eq!(from_json(&json(secret)).as_ref(), Some(key));
    assert_eq!(from_binary(&binary(secret)).as_ref(), Some(key));
    assert_eq!(from_json(&json(public)).as_ref(), Some(verifying_key));
    assert_eq!(from_binary(&binary(public)).as_ref(), Some(verifying_key));
    assert_eq!(from_json(&json(verifying_key)).as_ref(), Some(public));
    assert_eq!(from_binary(&binary(verifying_key)).as_ref(), Some(public));
    // What is no key.
    let none = as_bytes(&[2; 32]);
    assert!(from_json::<dalek_1::PublicKey>(&none[0]).is_none());
    assert!(from_json::<own::VerifyingKey>(&none[0]).is_none());
    assert!(from_binary::<dalek_1::PublicKey>(&none[1]).is_none());
    assert!(from_binary::<own::VerifyingKey>(&none[1]).is_none());
}

#[test]
fn pairs_and_expanded_keys_are_64_bytes() {
    let rng = &mut start("serialised pairs");
    let (old, new) = pair(&array(rng));
    assert_eq!(
        [json(&old), binary(&old)],
        as_bytes(&new.to_keypair_bytes())
    );
    let read: [Vec<u8>; 2] = [
        from_json(&json(&old)).expect("bytes"),
        from_binary(&binary(&old)).expect("bytes"),
    ];
    for bytes in read {
        let bytes = bytes.try_into().expect("64 bytes");
        assert_eq!(
            own::SigningKey::from_keypair_bytes(&bytes).expect("a pair"),
            new
        );
    }
    let expanded = dalek_1::ExpandedSecretKey::from(&old.secret);
    assert_eq!(
        [json(&expanded), binary(&expanded)],
        as_bytes(&expanded.to_bytes())
    );
}

#[test]
fn signatures_are_64_numbers() {
    let rng = &mut start("serialised signatures");
    let (old, new) = pair(&array(rng));
    let [theirs, ours] = [
        dalek_1::Signer::sign(&old, b"m").to_bytes(),
        own::Signer::sign(&new, b"m").to_bytes(),
    ];
    assert_eq!(theirs, ours);
    let old = dalek_1::Signature::from_bytes(&theirs).expect("a signature");
    let new = own::Signature::from_bytes(&ours);
    let (text, bytes) = (json(&old), binary(&old));
    assert_eq!((&*text, &*bytes), (&*json(&&theirs[..]), &theirs[..]));
    // JSON by both modules, bincode by that of numbers alone, neither without.
    assert_eq!(from_json(&text).map(|Any(it)| it), Some(new));
    assert_eq!(from_json(&text).map(|Numbers(it)| it), Some(new));
    assert_eq!(from_binary(&bytes).map(|Numbers(it)| it), Some(new));
    assert!(from_binary::<Any>(&bytes).is_none());
    assert!(from_json::<own::Signature>(&text).is_none());
    assert!(from_binary::<own::Signature>(&bytes).is_none());
    // And back.
    let written = Numbers(new);
    assert_eq!(
        [json(&written), binary(&written)],
        [text.clone(), bytes.clone()]
    );
    assert_eq!(from_json(&json(&written)), Some(old));
    assert_eq!(from_binary(&binary(&written)), Some(old));
    let today = Any(new);
    assert!(from_json::<dalek_1::Signature>(&json(&today)).is_none());
    assert_ne!(from_binary(&binary(&today)), Some(old));
}
