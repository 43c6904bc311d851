//! exchange.

use crate::harness::*;

#[test]
fn the_rfc_secret() {
    let place = Place::new().with_keys();
    let run = place
        .run(&["exchange", "-k", "x.pem", "x.pub.pem", "-o", "raw"])
        .ended(0);
    assert_eq!(place.read("raw"), unhex(RFC7748_SHARED));
    assert!(!run.text().contains(RFC7748_SHARED) && !run.stderr.contains(RFC7748_SHARED));
    #[cfg(unix)]
    assert_eq!(mode(&place.path("raw")), 0o600);

    let args = [
        "exchange",
        "-k",
        "x.pem",
        "x.pub.pem",
        "-o",
        "hex",
        "--format",
        "hex",
    ];
    place.run(&args).ended(0);
    assert_eq!(
        place.read("hex"),
        format!("{RFC7748_SHARED}\n").into_bytes()
    );

    // A pipe is no terminal.
    let run = place
        .run(&["exchange", "-k", "x.pem", "x.pub.pem"])
        .ended(0);
    assert_eq!(run.stdout, unhex(RFC7748_SHARED));
    let run = place.run(&[
        "exchange",
        "-k",
        "x.pem",
        "x.pub.pem",
        "-o",
        "-",
        "--format",
        "hex",
    ]);
    assert_eq!(run.ended(0).text(), format!("{RFC7748_SHARED}\n"));
}

#[test]
fn both_sides_agree() {
    let place = Place::new();
    place
        .run(&["keygen", "--no-password", "-a", "x25519", "-o", "a.pem"])
        .ended(0);
    place
        .run(&["keygen", "--no-password", "-a", "x25519", "-o", "b.pem"])
        .ended(0);
    place
        .run(&["exchange", "-k", "a.pem", "b.pub.pem", "-o", "1"])
        .ended(0);
    place
        .run(&["exchange", "-k", "b.pem", "a.pub.pem", "-o", "2"])
        .ended(0);
    assert_eq!(place.read("1"), place.read("2"));
    place
        .run(&["exchange", "-k", "b.pem", "b.pub.pem", "-o", "3"])
        .ended(0);
    assert_ne!(place.read("1"), place.read("3"));
}

#[test]
fn weak_peers_are_refused() {
    let place = Place::new().with_keys();
    // The points of small order on the curve and its twist, and their non-canonical spellings
    // (RFC 7748, section 6.1, asks for the check of the result).
    for u in [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000080",
    ] {
        place.write("weak.pem", public_pem(X25519_PUBLIC_DER, u));
        place
            .run(&["exchange", "-k", "x.pem", "weak.pem", "-o", "s"])
            .failed(4, &["weak.pem", "zero"]);
        assert!(!place.exists("s"));
    }
}

#[test]
fn wrong_files() {
    let place = Place::new().with_keys();
    for (args, code, word) in [
        (
            &["exchange", "-k", "k.pem", "x.pub.pem", "-o", "s"][..],
            4,
            "k.pem is an Ed25519 key",
        ),
        (
            &["exchange", "-k", "x.pem", "k.pub.pem", "-o", "s"],
            4,
            "k.pub.pem is an Ed25519 key",
        ),
        (
            &["exchange", "-k", "x.pub.pem", "x.pub.pem", "-o", "s"],
            4,
            "is a public key",
        ),
        (
            &["exchange", "-k", "x.pem", "x.pem", "-o", "s"],
            4,
            "is a secret key",
        ),
        (&["exchange", "-k", "x.pem", "none", "-o", "s"], 3, "none"),
        (
            &["exchange", "-k", "x.pem", "x.pub.pem", "-o", "k.pem"],
            3,
            "exists already",
        ),
        (&["exchange", "-k", "x.pem"], 2, "PEER_PUB"),
    ] {
        place.run(args).failed(code, &[word]);
        assert!(!place.exists("s"));
    }
    let args = ["exchange", "-k", "x.pem", "x.pub.pem", "--json"];
    let run = place.run(&args).ended(2);
    assert_eq!(run.json()["error"]["kind"], "usage");
    assert!(!run.text().contains(RFC7748_SHARED));
}
