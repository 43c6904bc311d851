//! OpenSSL reads what lanner writes, and the reverse.

use crate::harness::*;
use crate::tools::{have, script, try_script};
use std::process::Command;

/// Runs openssl in `place`; `None`, with a loud remark, if there is no usable one.
fn openssl(place: &Place, args: &[&str]) -> Run {
    Run::of(Command::new("openssl").args(args).current_dir(place.root()))
}

fn available() -> bool {
    let version = Command::new("openssl").arg("version").output();
    let version = version.map(|v| String::from_utf8_lossy(&v.stdout).into_owned());
    // `pkeyutl -rawin` with Ed25519 came with 3.0.
    let found = version.is_ok_and(|v| v.starts_with("OpenSSL ") && !v.starts_with("OpenSSL 1"));
    if !found {
        skip("agreement with OpenSSL: no openssl 3 here");
    }
    found
}

#[test]
fn openssl_reads_our_keys_byte_for_byte() {
    if !available() {
        return;
    }
    for algorithm in ["ed25519", "x25519"] {
        let place = Place::new();
        place
            .run(&["keygen", "--no-password", "-a", algorithm, "-o", "a.pem"])
            .ended(0);
        // What OpenSSL writes out again is what lanner wrote.
        let run = openssl(&place, &["pkey", "-in", "a.pem"]).ended(0);
        assert_eq!(run.stdout, place.read("a.pem"));
        let run = openssl(&place, &["pkey", "-in", "a.pem", "-pubout"]).ended(0);
        assert_eq!(run.stdout, place.read("a.pub.pem"));
        openssl(
            &place,
            &["pkey", "-pubin", "-in", "a.pub.pem", "-text", "-noout"],
        )
        .ended(0);
    }
}

#[test]
fn we_read_openssl_keys() {
    if !available() {
        return;
    }
    for algorithm in ["ed25519", "x25519"] {
        let place = Place::new();
        for extra in [&[][..], &["-text"]] {
            let mut args = vec!["genpkey", "-algorithm", algorithm, "-out", "a.pem"];
            args.extend(extra);
            openssl(&place, &args).ended(0);
            let expected = openssl(&place, &["pkey", "-in", "a.pem", "-pubout"]).ended(0);
            assert_eq!(
                place.run(&["public", "a.pem"]).ended(0).stdout,
                expected.stdout
            );
        }
        openssl(
            &place,
            &[
                "pkey", "-in", "a.pem", "-aes256", "-passout", "pass:x", "-out", "e.pem",
            ],
        )
        .ended(0);
        place
            .run(&["public", "e.pem"])
            .failed(2, &["password", "--password-file"]);
    }
}

#[test]
fn signatures_both_ways() {
    if !available() {
        return;
    }
    let place = Place::new();
    openssl(
        &place,
        &["genpkey", "-algorithm", "ed25519", "-out", "k.pem"],
    )
    .ended(0);
    place.run(&["public", "k.pem", "-o", "k.pub.pem"]).ended(0);
    let verify = [
        "pkeyutl",
        "-verify",
        "-pubin",
        "-inkey",
        "k.pub.pem",
        "-rawin",
        "-in",
        "m",
    ];
    let sign = [
        "pkeyutl", "-sign", "-inkey", "k.pem", "-rawin", "-in", "m", "-out", "theirs",
    ];
    for size in [1, 64, 1000, 200_000] {
        place.write("m", vec![0x5a; size]);
        place
            .run(&["sign", "--format", "raw", "--force", "-k", "k.pem", "m"])
            .ended(0);
        openssl(&place, &sign).ended(0);
        assert_eq!(
            place.read("m.sig"),
            place.read("theirs"),
            "Ed25519 is deterministic"
        );
        openssl(&place, &[&verify[..], &["-sigfile", "m.sig"]].concat()).ended(0);
        place
            .run(&["verify", "-k", "k.pub.pem", "m", "-s", "theirs"])
            .ended(0);
        place.write("m", vec![0x5b; size]);
        openssl(&place, &[&verify[..], &["-sigfile", "m.sig"]].concat()).ended(1);
        place.run(&["verify", "-k", "k.pub.pem", "m"]).ended(1);
    }
}

#[test]
fn shared_secrets_both_ways() {
    if !available() {
        return;
    }
    let place = Place::new();
    place
        .run(&["keygen", "--no-password", "-a", "x25519", "-o", "a.pem"])
        .ended(0);
    openssl(
        &place,
        &["genpkey", "-algorithm", "x25519", "-out", "b.pem"],
    )
    .ended(0);
    openssl(
        &place,
        &["pkey", "-in", "b.pem", "-pubout", "-out", "b.pub.pem"],
    )
    .ended(0);
    place
        .run(&["exchange", "-k", "a.pem", "b.pub.pem", "-o", "ours"])
        .ended(0);
    let derive = [
        "pkeyutl",
        "-derive",
        "-inkey",
        "b.pem",
        "-peerkey",
        "a.pub.pem",
        "-out",
        "theirs",
    ];
    openssl(&place, &derive).ended(0);
    assert_eq!(place.read("ours"), place.read("theirs"));
}

#[test]
fn other_algorithms_are_named() {
    if !available() {
        return;
    }
    let place = Place::new();
    place.write("m", "m");
    for (args, name) in [
        (&["-algorithm", "ed448"][..], "an Ed448 key"),
        (&["-algorithm", "x448"], "an X448 key"),
        (
            &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
            "an elliptic-curve",
        ),
        (
            &["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"],
            "an RSA key",
        ),
    ] {
        openssl(&place, &[&["genpkey", "-out", "o.pem"], args].concat()).ended(0);
        place
            .run(&["sign", "--format", "raw", "-k", "o.pem", "m"])
            .failed(4, &["o.pem is", name]);
        openssl(
            &place,
            &["pkey", "-in", "o.pem", "-pubout", "-out", "o.pub.pem"],
        )
        .ended(0);
        place
            .run(&["verify", "-k", "o.pub.pem", "m", "-s", "m"])
            .failed(4, &["o.pub.pem is", name]);
    }
}

/// Protections that are in order and not read are named, with what to do; the key is not called damaged.
#[test]
fn encryptions_that_are_not_read() {
    if !have("openssl", "encryptions that are not read") {
        return;
    }
    let place = Place::new().with_keys();
    place.write("pw", "secret\n");
    let mut made = 0;
    for (options, words) in [
        (
            "-v1 PBE-SHA1-3DES",
            "the encryption of PKCS#12 (1.2.840.113549.1.12.1.3)",
        ),
        ("-v2 aria-256-cbc", "PBES2 with a cipher"),
        ("-v2 camellia-256-cbc", "PBES2 with a cipher"),
    ] {
        let (code, _) = try_script(
            &place,
            &format!(
                "openssl pkcs8 -topk8 {options} -in k.pem -passout file:pw -out locked && chmod 600 locked"
            ),
        );
        if code != Some(0) {
            skip(&format!("{options}: this OpenSSL has it not"));
            continue;
        }
        made += 1;
        let run = place.run(&["public", "locked", "--password-file", "pw"]);
        let run = run.failed(4, &["does not read", words, "-v2 aes-256-cbc"]);
        assert!(!run.stderr.contains("backup"), "{run:?}");
        place.run(&["inspect", "locked"]).ended(0);
        // What the hint says helps.
        script(
            &place,
            "openssl pkcs8 -topk8 -v2 aes-256-cbc -in locked -passin pass:secret -passout pass:secret -out NEW.pem
             chmod 600 NEW.pem; lanner public NEW.pem --password-file pw > again; cmp again k.pub.pem",
        );
    }
    assert!(made > 0);
    // What is cut short still is what it is.
    let mut locked = place.read("locked");
    let at = locked.len() / 2;
    locked[at] = b'!';
    place.write_private("locked", locked);
    let run = place.run(&["public", "locked", "--password-file", "pw"]);
    run.failed(4, &["broken"]);
}
