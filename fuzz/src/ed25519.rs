//! Ed25519: keys, signatures, and key files; keys in `serde`; keys of X25519 that sign.

use lanner_ed25519::hazmat::{ExpandedSecretKey, verifying_key_from_x25519};
use lanner_ed25519::pkcs8::spki::der::pem::LineEnding;
use lanner_ed25519::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, PublicKeyBytes,
};
use lanner_ed25519::profile::{Donna, ProfileName, Strict};
use lanner_ed25519::{Signature, Signer, SigningKey, Verifier, VerifyingKey, xeddsa};

use crate::items::odd_encoding;
use crate::serialized::{agrees, seed};

const MESSAGE: &[u8] = b"message";

fn signing(key: &SigningKey) {
    let written = key.to_pkcs8_der().expect("encodes");
    let again = SigningKey::from_pkcs8_der(written.as_bytes()).expect("our own form");
    assert_eq!(again.to_bytes(), key.to_bytes());
    assert_eq!(
        again.to_pkcs8_der().expect("encodes").as_bytes(),
        written.as_bytes()
    );
    let both = key.to_pkcs8_v2_der().expect("encodes");
    let again = SigningKey::from_pkcs8_der(both.as_bytes()).expect("our own form");
    assert_eq!(again.to_bytes(), key.to_bytes());
}

fn verifying(key: &VerifyingKey) {
    let written = key.to_public_key_der().expect("encodes");
    let again = VerifyingKey::from_public_key_der(written.as_bytes()).expect("our own form");
    assert_eq!(again.to_bytes(), key.to_bytes());
}

/// A public key of X25519: its points of the curve, and a signature by it in both forms.
fn of_x25519(bytes: &[u8; 32], signature: &Signature) {
    let points = [false, true].map(|odd| verifying_key_from_x25519(bytes, odd).ok());
    assert_eq!(points[0].is_some(), points[1].is_some());
    let reduced = points[0].map(|point| point.to_montgomery().to_bytes());
    assert_eq!(points[1].map(|it| it.to_montgomery().to_bytes()), reduced);
    // The specification takes an integer below p alone.
    let key = xeddsa::verifying_key(bytes).ok();
    assert_eq!(key, points[0].filter(|_| reduced == Some(*bytes)));
    let verdict = xeddsa::verify(bytes, MESSAGE, signature).is_ok();
    let expected = key.is_some_and(|key| key.under(Donna).verify(MESSAGE, signature).is_ok());
    assert_eq!(verdict, expected);
    let with_sign = xeddsa::verify_with_sign(bytes, MESSAGE, signature).is_ok();
    if key.is_some() && signature.s_bytes()[31] < 0x80 {
        assert_eq!(with_sign, verdict, "the sign of the specification's key");
    }
    assert!(with_sign || !verdict);
}

/// The bytes as everything that can be read.
pub fn run(data: &[u8]) {
    if let Ok(bytes) = <&[u8; 32]>::try_from(data)
        && let Ok(key) = VerifyingKey::from_bytes(bytes)
    {
        assert_eq!(key.as_bytes(), bytes);
        verifying(&key);
    }
    if let Ok(bytes) = <&[u8; 64]>::try_from(data)
        && let Ok(key) = SigningKey::from_keypair_bytes(bytes)
    {
        assert_eq!(key.to_keypair_bytes(), *bytes);
        signing(&key);
    }
    // A signature under a key that is known, or under the bytes before it.
    if let Some((before, bytes)) = data.split_last_chunk::<64>() {
        let signature = Signature::from_bytes(bytes);
        assert_eq!(signature.to_bytes(), *bytes);
        let mut keys = vec![SigningKey::from_bytes(&[7; 32]).verifying_key()];
        if let Ok(bytes) = <&[u8; 32]>::try_from(before) {
            keys.extend(VerifyingKey::from_bytes(bytes));
            of_x25519(bytes, &signature);
        }
        for key in keys {
            let lax = key.verify(MESSAGE, &signature).is_ok();
            let strict = key.verify_strict(MESSAGE, &signature).is_ok();
            assert!(lax || !strict, "the strict rule accepts less");
            let streamed = key
                .under(Strict)
                .verify_stream(&signature)
                .is_ok_and(|mut stream| {
                    MESSAGE.chunks(3).for_each(|piece| stream.update(piece));
                    stream.finalize_and_verify().is_ok()
                });
            assert_eq!(streamed, strict);
        }
    }
    // A secret key that is hashed already: the scalar is reduced once.
    let expanded = ExpandedSecretKey::from_slice(data);
    assert_eq!(expanded.is_ok(), data.len() == 64);
    if let Ok(expanded) = expanded {
        let again = ExpandedSecretKey::from_unclamped_bytes(&expanded.to_unclamped_bytes());
        assert!(again == expanded);
    }
    if let Ok(key) = SigningKey::from_pkcs8_der(data) {
        signing(&key);
    }
    // The bytes of a key file that need not be a point.
    let bytes = PublicKeyBytes::from_public_key_der(data).ok();
    let key = bytes.and_then(|bytes| VerifyingKey::try_from(&bytes).ok());
    assert_eq!(VerifyingKey::from_public_key_der(data).ok(), key);
    if let Some(key) = key {
        verifying(&key);
        let written = key.to_public_key_der().expect("encodes");
        assert_eq!(
            written.as_bytes(),
            data,
            "a second form of a public key file"
        );
    }
    if let Ok(text) = std::str::from_utf8(data) {
        if let Ok(key) = SigningKey::from_pkcs8_pem(text) {
            signing(&key);
        }
        if let Ok(key) = VerifyingKey::from_public_key_pem(text) {
            verifying(&key);
        }
        if let Ok(profile) = text.parse::<ProfileName>() {
            assert_eq!(profile.to_string(), text);
        }
    }
    let array = |bytes: &[u8]| <[u8; 32]>::try_from(bytes).ok();
    agrees(data, true, |bytes| {
        array(bytes).map(|bytes| SigningKey::from_bytes(&bytes))
    });
    agrees(data, true, |bytes| {
        VerifyingKey::from_bytes(&array(bytes)?).ok()
    });
}

/// One of everything.
pub fn seeds() -> Vec<Vec<u8>> {
    let key = SigningKey::from_bytes(&[7; 32]);
    let public = key.verifying_key();
    let signature = key.sign(MESSAGE).to_bytes();
    let of_x25519 = xeddsa::SecretKey::from_x25519(&[7; 32]);
    let of_x25519 = [
        &of_x25519.x25519_public_bytes()[..],
        &of_x25519.sign(MESSAGE, &[8; 64]).to_bytes(),
    ]
    .concat();
    vec![
        public.to_bytes().to_vec(),
        key.to_keypair_bytes().to_vec(),
        signature.to_vec(),
        [&public.to_bytes()[..], &signature].concat(),
        of_x25519,
        // As u, p and p + 1: 0 and 1 to those who reduce it.
        [&odd_encoding(0)[..], &signature].concat(),
        [&odd_encoding(2)[..], &signature].concat(),
        seed(public.as_bytes()),
        ProfileName::Strict.as_str().into(),
        key.to_pkcs8_der().expect("encodes").as_bytes().to_vec(),
        key.to_pkcs8_v2_der().expect("encodes").as_bytes().to_vec(),
        public
            .to_public_key_der()
            .expect("encodes")
            .as_bytes()
            .to_vec(),
        key.to_pkcs8_pem(LineEnding::LF)
            .expect("encodes")
            .as_bytes()
            .to_vec(),
        public
            .to_public_key_pem(LineEnding::CRLF)
            .expect("encodes")
            .into_bytes(),
    ]
}
