//! Project Wycheproof on X25519: keys as octets, and as DER.

use lanner_vectors::outside;
use lanner_vectors::wycheproof::{Verdict, XdhCase};
use lanner_x25519::{x25519, x25519_checked};

/// `acceptable` cases may be refused: the unchecked function must still compute
/// the value stated, the checked one refuses exactly an all-zero result.
fn check(case: &XdhCase, scalar: [u8; 32], u: [u8; 32]) {
    let name = format!("case {}: {}", case.tc_id, case.comment);
    let stated: [u8; 32] = case.shared.as_slice().try_into().expect("32 octets");
    assert_eq!(x25519(scalar, u), stated, "{name}");
    let zero = case.has_flag("ZeroSharedSecret");
    assert_eq!(stated == [0; 32], zero, "{name}");
    assert_eq!(
        x25519_checked(scalar, u).ok(),
        (!zero).then_some(stated),
        "{name}"
    );
}

#[test]
fn octets() {
    let Some(files) = outside("Wycheproof X25519") else {
        return;
    };
    let cases = files.wycheproof_x25519();
    assert_eq!(cases.len(), 518);
    for case in &cases {
        assert_ne!(case.result, Verdict::Invalid);
        let scalar = case.private.as_slice().try_into().expect("a scalar");
        check(
            case,
            scalar,
            case.public.as_slice().try_into().expect("a u coordinate"),
        );
    }
}

#[cfg(feature = "pkcs8")]
#[test]
fn der() {
    use lanner_x25519::pkcs8::{DecodePrivateKey, DecodePublicKey};
    use lanner_x25519::{PublicKey, StaticSecret};

    let Some(files) = outside("Wycheproof X25519, DER") else {
        return;
    };
    let cases = files.wycheproof_x25519_asn();
    assert_eq!(cases.len(), 537);
    for case in &cases {
        let secret = StaticSecret::from_pkcs8_der(&case.private);
        let public = PublicKey::from_public_key_der(&case.public);
        match (secret, public) {
            (Ok(secret), Ok(public)) => {
                assert_ne!(
                    case.result,
                    Verdict::Invalid,
                    "case {}: {}",
                    case.tc_id,
                    case.comment
                );
                check(case, secret.to_bytes(), public.to_bytes());
            }
            _ => {
                assert_eq!(
                    case.result,
                    Verdict::Invalid,
                    "case {}: {}",
                    case.tc_id,
                    case.comment
                );
            }
        }
    }
}
