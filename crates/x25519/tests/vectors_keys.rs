//! BoringSSL's X25519 keys and exchanges.

#![cfg(feature = "pkcs8")]

use lanner_vectors::{Stanza, outside};
use lanner_x25519::pkcs8::{DecodePrivateKey, DecodePublicKey};
use lanner_x25519::{PublicKey, StaticSecret};

/// A key from its DER, compared with its octets.
fn secret(stanza: &Stanza) -> StaticSecret {
    let secret = StaticSecret::from_pkcs8_der(&stanza.octets("PKCS8")).expect("PKCS#8");
    assert_eq!(secret.to_bytes(), stanza.octets("RawPrivate")[..]);
    assert_eq!(
        PublicKey::from(&secret).to_bytes(),
        stanza.octets("RawPublic")[..]
    );
    secret
}

fn public(stanza: &Stanza) -> PublicKey {
    let public = PublicKey::from_public_key_der(&stanza.octets("SPKI")).expect("SPKI");
    assert_eq!(public.to_bytes(), stanza.octets("RawPublic")[..]);
    public
}

#[test]
fn boringssl() {
    let Some(files) = outside("BoringSSL's X25519 file") else {
        return;
    };
    let evp = files.boringssl_x25519();
    assert_eq!((evp.keys.len(), evp.operations.len()), (3, 3));
    for stanza in &evp.operations {
        let (own, may_derive) = evp.key(stanza.text("Derive"));
        let (peer, _) = evp.key(stanza.text("DerivePeer"));
        match stanza.get("Error") {
            None => {
                let shared = secret(own)
                    .diffie_hellman_checked(&public(peer))
                    .expect("a secret");
                assert_eq!(shared.to_bytes(), stanza.octets("Output")[..]);
            }
            Some("INVALID_PEER_KEY") => {
                assert!(secret(own).diffie_hellman_checked(&public(peer)).is_err());
            }
            // A public key cannot stand where a secret is asked for.
            Some("NOT_A_PRIVATE_KEY") => assert!(!may_derive),
            other => panic!("line {}: unexpected {other:?}", stanza.line),
        }
    }
}

#[test]
fn ed25519_keys_are_refused() {
    let Some(files) = outside("BoringSSL's Ed25519 keys as X25519") else {
        return;
    };
    for stanza in files.boringssl_ed25519().keys.values() {
        if stanza.get("PKCS8").is_some() {
            assert!(StaticSecret::from_pkcs8_der(&stanza.octets("PKCS8")).is_err());
        }
        if stanza.get("SPKI").is_some() {
            assert!(PublicKey::from_public_key_der(&stanza.octets("SPKI")).is_err());
        }
    }
}
