//! PKCS#8 and SubjectPublicKeyInfo against ed25519-dalek and aws-lc-rs.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use lanner_ed25519::pkcs8::spki::der::pem::LineEnding;
use lanner_interop::{array, hex, start};

const ROUNDS: usize = 20;

fn ours(seed: &[u8; 32]) -> lanner_ed25519::SigningKey {
    lanner_ed25519::SigningKey::from_bytes(seed)
}

fn theirs(seed: &[u8; 32]) -> ed25519_dalek::SigningKey {
    ed25519_dalek::SigningKey::from_bytes(seed)
}

#[test]
fn others_read_our_secret_keys() {
    let mut rng = start("our secret keys");
    for _ in 0..ROUNDS {
        let seed = array(&mut rng);
        let key = ours(&seed);
        let der = key.to_pkcs8_der().expect("encodes");
        let dalek = ed25519_dalek::SigningKey::from_pkcs8_der(der.as_bytes()).expect("decodes");
        assert_eq!(dalek.to_bytes(), seed);
        // Version 1 has no public key to check, which is what "maybe unchecked" permits.
        let aws = Ed25519KeyPair::from_pkcs8_maybe_unchecked(der.as_bytes()).expect("decodes");
        assert_eq!(aws.public_key().as_ref(), key.verifying_key().as_bytes());

        let second = key.to_pkcs8_v2_der().expect("encodes");
        let dalek = ed25519_dalek::SigningKey::from_pkcs8_der(second.as_bytes()).expect("decodes");
        assert_eq!(dalek.to_bytes(), seed);
        let aws = Ed25519KeyPair::from_pkcs8(second.as_bytes()).expect("decodes");
        assert_eq!(aws.public_key().as_ref(), key.verifying_key().as_bytes());

        let pem = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
        let dalek = ed25519_dalek::SigningKey::from_pkcs8_pem(&pem).expect("decodes");
        assert_eq!(dalek.to_bytes(), seed);
    }
}

#[test]
fn we_read_the_secret_keys_of_others() {
    let mut rng = start("their secret keys");
    for _ in 0..ROUNDS {
        let seed = array(&mut rng);
        let read = |der: &[u8]| {
            lanner_ed25519::SigningKey::from_pkcs8_der(der)
                .map(|key| key.to_bytes())
                .map_err(|_| hex(der))
        };
        let dalek = theirs(&seed).to_pkcs8_der().expect("encodes");
        assert_eq!(read(dalek.as_bytes()), Ok(seed));
        let pem = theirs(&seed)
            .to_pkcs8_pem(LineEnding::CRLF)
            .expect("encodes");
        let key = lanner_ed25519::SigningKey::from_pkcs8_pem(&pem).expect("decodes");
        assert_eq!(key.to_bytes(), seed);
        let aws = Ed25519KeyPair::from_seed_unchecked(&seed).expect("a seed");
        assert_eq!(read(aws.to_pkcs8v1().expect("encodes").as_ref()), Ok(seed));
        assert_eq!(read(aws.to_pkcs8().expect("encodes").as_ref()), Ok(seed));
    }
}

#[test]
fn public_keys_are_the_same_files() {
    let mut rng = start("public keys");
    for _ in 0..ROUNDS {
        let seed = array(&mut rng);
        let (our_key, their_key) = (ours(&seed).verifying_key(), theirs(&seed).verifying_key());
        let der = our_key.to_public_key_der().expect("encodes");
        assert_eq!(der, their_key.to_public_key_der().expect("encodes"));
        let pem = our_key.to_public_key_pem(LineEnding::LF).expect("encodes");
        assert_eq!(
            pem,
            their_key
                .to_public_key_pem(LineEnding::LF)
                .expect("encodes")
        );
        let read = lanner_ed25519::VerifyingKey::from_public_key_der(der.as_bytes());
        assert_eq!(
            read.map(|key| key.to_bytes()).ok(),
            Some(their_key.to_bytes())
        );
        let read = lanner_ed25519::VerifyingKey::from_public_key_pem(&pem);
        assert_eq!(
            read.map(|key| key.to_bytes()).ok(),
            Some(their_key.to_bytes())
        );
    }
}

/// Each file cut short, lengthened, or with one byte changed: what dalek refuses, we refuse.
/// (The reverse does not hold: we check the public key inside a version 2 file as dalek does, and
/// read some files that dalek does not.)
#[test]
fn broken_files_are_refused() {
    let mut rng = start("broken files");
    let seed = array(&mut rng);
    let first = ours(&seed).to_pkcs8_der().expect("encodes");
    let second = theirs(&seed).to_pkcs8_der().expect("encodes");
    for whole in [first.as_bytes(), second.as_bytes()] {
        for length in 0..whole.len() {
            let cut = &whole[..length];
            assert!(
                lanner_ed25519::SigningKey::from_pkcs8_der(cut).is_err(),
                "{length} bytes"
            );
        }
        let longer = [whole, &[0]].concat();
        assert!(lanner_ed25519::SigningKey::from_pkcs8_der(&longer).is_err());
    }
    // The public key inside does not belong to the seed.
    let mut other = second.as_bytes().to_vec();
    *other.last_mut().expect("not empty") ^= 1;
    assert!(ed25519_dalek::SigningKey::from_pkcs8_der(&other).is_err());
    assert!(lanner_ed25519::SigningKey::from_pkcs8_der(&other).is_err());

    let public = ours(&seed)
        .verifying_key()
        .to_public_key_der()
        .expect("encodes");
    for length in 0..public.as_bytes().len() {
        let cut = &public.as_bytes()[..length];
        assert!(lanner_ed25519::VerifyingKey::from_public_key_der(cut).is_err());
    }
    // An X25519 key is not an Ed25519 key.
    let other = lanner_x25519::StaticSecret::from(seed);
    let public = lanner_x25519::PublicKey::from(&other)
        .to_public_key_der()
        .expect("encodes");
    assert!(lanner_ed25519::VerifyingKey::from_public_key_der(public.as_bytes()).is_err());
    let secret = other.to_pkcs8_der().expect("encodes");
    assert!(lanner_ed25519::SigningKey::from_pkcs8_der(secret.as_bytes()).is_err());
}
