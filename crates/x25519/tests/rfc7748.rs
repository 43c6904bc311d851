//! RFC 7748: the function on bytes, the key types, the examples.

use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519, x25519_checked};

fn bytes(hex: &str) -> [u8; 32] {
    hex::decode(hex).unwrap().try_into().unwrap()
}

/// Section 5.2, first two vectors: scalar, u, result.
#[test]
fn vectors() {
    for (k, u, expected) in [
        (
            "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
        ),
        (
            "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
            // The top bit of u is set and must be ignored.
            "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
            "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
        ),
    ] {
        assert_eq!(x25519(bytes(k), bytes(u)), bytes(expected));
        assert_eq!(x25519_checked(bytes(k), bytes(u)), Ok(bytes(expected)));
    }
}

/// Section 5.2, iterated: after 1 and after 1,000 rounds.
#[test]
fn iterated() {
    let (mut k, mut u) = (X25519_BASEPOINT_BYTES, X25519_BASEPOINT_BYTES);
    for round in 1..=1000 {
        (k, u) = (x25519(k, u), k);
        if round == 1 {
            assert_eq!(
                k,
                bytes("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079")
            );
        }
    }
    assert_eq!(
        k,
        bytes("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51")
    );
}

/// Section 6.1.
#[cfg(feature = "static_secrets")]
#[test]
fn diffie_hellman() {
    use lanner_x25519::{PublicKey, StaticSecret};

    let alice = StaticSecret::from(bytes(
        "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
    ));
    let bob = StaticSecret::from(bytes(
        "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
    ));
    let alice_public = PublicKey::from(&alice);
    assert_eq!(
        alice_public.to_bytes(),
        bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    );
    let bob_public = PublicKey::from(&bob);
    assert_eq!(
        bob_public.to_bytes(),
        bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
    );
    let shared = bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
    assert_eq!(alice.diffie_hellman(&bob_public).to_bytes(), shared);
    assert_eq!(bob.diffie_hellman(&alice_public).to_bytes(), shared);
    let checked = alice.diffie_hellman_checked(&bob_public).unwrap();
    assert_eq!(checked.as_ref(), shared);
    assert!(checked.was_contributory());
}
