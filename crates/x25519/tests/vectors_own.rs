//! The project's own vectors, derived by an independent slow model: low order,
//! non-canonical u, the top bit, clamping, the twist.

use lanner_vectors::own::{self, X25519Case};
use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519, x25519_checked};

fn check(case: &X25519Case) {
    let name = format!("case {} ({})", case.id, case.note);
    assert_eq!(x25519(case.scalar, case.u), case.out, "{name}");
    let checked = x25519_checked(case.scalar, case.u);
    assert_eq!(
        checked.ok(),
        case.contributory.then_some(case.out),
        "{name}"
    );
    check_secrets(case, &name);
}

#[cfg(not(feature = "static_secrets"))]
fn check_secrets(_: &X25519Case, _: &str) {}

#[cfg(feature = "static_secrets")]
fn check_secrets(case: &X25519Case, name: &str) {
    use lanner_x25519::{PublicKey, StaticSecret};

    let secret = StaticSecret::from(case.scalar);
    let shared = secret.diffie_hellman(&PublicKey::from(case.u));
    assert_eq!(shared.to_bytes(), case.out, "{name}");
    assert_eq!(shared.was_contributory(), case.contributory, "{name}");
    let checked = secret.diffie_hellman_checked(&PublicKey::from(case.u));
    assert_eq!(checked.is_ok(), case.contributory, "{name}");
    if case.u == X25519_BASEPOINT_BYTES {
        assert_eq!(PublicKey::from(&secret).to_bytes(), case.out, "{name}");
    }
}

#[test]
fn every_case() {
    let file = own::x25519();
    assert!(file.cases.len() > 150);
    file.cases.iter().for_each(check);
}

#[test]
fn rfc7748() {
    let rfc = own::rfc7748();
    rfc.x25519.iter().for_each(check);
    let dh = &rfc.diffie_hellman;
    assert_eq!(
        x25519(dh.alice_secret, X25519_BASEPOINT_BYTES),
        dh.alice_public
    );
    assert_eq!(x25519(dh.bob_secret, X25519_BASEPOINT_BYTES), dh.bob_public);
    assert_eq!(x25519(dh.alice_secret, dh.bob_public), dh.shared);
    assert_eq!(x25519(dh.bob_secret, dh.alice_public), dh.shared);
}

/// k after so many rounds of (k, u) = (X25519(k, u), k).
fn iterate(rounds: u32) -> [u8; 32] {
    let (mut k, mut u) = (X25519_BASEPOINT_BYTES, X25519_BASEPOINT_BYTES);
    for _ in 0..rounds {
        (k, u) = (x25519(k, u), k);
    }
    k
}

#[test]
fn rfc7748_one_and_a_thousand_rounds() {
    let rfc = own::rfc7748();
    for rounds in [1, 1_000] {
        assert_eq!(iterate(rounds), rfc.iterated[&rounds].0, "{rounds} rounds");
    }
}

#[test]
#[ignore = "the long run, half a minute: `cargo xtask test --all`"]
fn rfc7748_a_million_rounds() {
    assert_eq!(iterate(1_000_000), own::rfc7748().iterated[&1_000_000].0);
}
