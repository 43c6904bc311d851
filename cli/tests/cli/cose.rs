//! COSE_Sign1 with a detached payload.

use crate::harness::*;
use crate::tools::{have, script};

fn with_signature(message: &[u8]) -> Place {
    let place = Place::new().with_keys();
    place.write("m", message);
    place
        .run(&["sign", "-k", "k.pem", "--format", "cose", "m"])
        .ended(0);
    place
}

fn verify_cose(place: &Place) -> Run {
    place.run(&["verify", "-k", "k.pub.pem", "m", "-s", "m.cose"])
}

/// The bytes are those that RFC 9052 describes, and OpenSSL verifies the signature of the structure, for lengths with heads
/// of every size up to 2^16 and more.
#[test]
fn the_structure() {
    for (length, head) in [
        (0, "40"),
        (23, "57"),
        (24, "5818"),
        (255, "58ff"),
        (256, "590100"),
        (65_535, "59ffff"),
        (65_536, "5a00010000"),
    ] {
        let message = vec![b'x'; length];
        let place = with_signature(&message);
        let file = place.read("m.cose");
        // Tag 18, four fields: {1: -8} as a byte string, an empty map, null, 64 bytes.
        assert_eq!(file[..10], unhex("d28443a10127a0f65840"), "{length}");
        assert_eq!(file.len(), 74);
        verify_cose(&place).ended(0);
        if !have("openssl", "the structure that COSE signs") {
            continue;
        }
        // ["Signature1", {1: -8}, h'', payload]
        let mut signed = unhex("846a5369676e61747572653143a1012740");
        signed.extend(unhex(head));
        signed.extend(&message);
        place.write("structure", signed);
        place.write("s", &file[10..]);
        script(
            &place,
            "openssl pkeyutl -verify -rawin -pubin -inkey k.pub.pem -in structure -sigfile s",
        );
    }
}

#[test]
fn what_is_not_valid() {
    let place = with_signature(b"message");
    let good = place.read("m.cose");
    for at in [10, 41, 42, 73] {
        let mut bad = good.clone();
        bad[at] ^= 1;
        place.write("m.cose", bad);
        verify_cose(&place).ended(1);
    }
    place.write("m.cose", &good);
    for message in ["massage", "messag", "messages", ""] {
        place.write("m", message);
        verify_cose(&place).ended(1);
    }
    place.write("m", "message");
    verify_cose(&place).ended(0);
    // Without its tag, and with the number of RFC 9864, which is signed: another signature.
    place.write("m.cose", &good[1..]);
    place
        .run(&["verify", "-k", "k.pub.pem", "m", "-s", "m.cose"])
        .failed(4, &["not an Ed25519 signature file"]);
    let mut other = good.clone();
    other[5] = 0x32;
    place.write("m.cose", &other);
    verify_cose(&place).ended(1);
    // A signature of a file is none of the structure, and the other way around.
    place.write("m.cose", &good);
    place.write("bare", &good[10..]);
    place
        .run(&["verify", "-k", "k.pub.pem", "m", "-s", "bare"])
        .ended(1);
    place
        .run(&["verify", "m", "-s", "m.cose"])
        .failed(2, &["by whom"]);
    let json = place.run(&["inspect", "m.cose", "--json"]).ended(0).json();
    assert_eq!(
        (json["format"].as_str(), json["algorithm"].as_str()),
        (Some("cose"), Some("ed25519"))
    );
}

/// Without a word about it, the signature is found where it was written.
#[test]
fn the_signature_is_found() {
    let place = with_signature(b"message");
    let verify = |more: &[&str]| place.run(&[&["verify", "-k", "k.pub.pem", "m"], more].concat());
    let json = verify(&["--json"]).ended(0).json();
    assert_eq!(json["results"][0]["signature_file"], "m.cose");
    verify(&["--format", "cose"]).ended(0);
    verify(&["--format", "ssh"]).failed(3, &["m.sig"]);
    // Others come first, valid or not.
    for name in ["m.minisig", "m.sig"] {
        place.write(name, "no signature");
        let run = verify(&[]).failed(4, &[name]);
        assert!(!run.stderr.contains("cose"), "{run:?}");
    }
    std::fs::create_dir(place.path("t")).unwrap();
    place.write("t/a", "a");
    let sign = ["sign-tree", "-k", "k.pem", "t", "--format", "cose"];
    place.run(&sign).ended(0);
    assert!(place.exists("t/SHA256SUMS.cose"));
    place.run(&["verify-tree", "-k", "k.pub.pem", "t"]).ended(0);
    place.write("t/a", "b");
    place.run(&["verify-tree", "-k", "k.pub.pem", "t"]).ended(1);
}

/// The length is signed before the content, which a pipe does not say.
#[cfg(unix)]
#[test]
fn pipes_are_verified() {
    let message = long_message();
    let place = with_signature(&message);
    let verify = |file: &'static str| ["verify", "-k", "k.pub.pem", file, "-s", "m.cose"];
    place.run_with_stdin(&verify("-"), &message).ended(0);
    place.run_with_stdin(&verify("-"), &message[1..]).ended(1);
    place
        .run_with_stdin(&verify("/dev/stdin"), &message)
        .ended(0);
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("fifo"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    for (bytes, code) in [(message.clone(), 0), (message[1..].to_vec(), 1)] {
        let fifo = place.path("fifo");
        let writer = std::thread::spawn(move || std::fs::write(fifo, bytes));
        place.run(&verify("fifo")).ended(code);
        writer.join().unwrap().unwrap();
    }
}

#[test]
fn what_is_refused() {
    let place = with_signature(b"message");
    let good = place.read("m.cose");
    let tail = &good[10..];
    for (head, words) in [
        // ES256; no algorithm; a critical header; a payload within it; a shorter signature.
        ("d28443a10126a0f65840", "is of the algorithm -7"),
        ("d28440a0f65840", "does not say of which algorithm"),
        ("d28446a201270281183a", "CBOR is broken"),
        ("d28447a20127028118639aa0f65840", "CBOR is broken"),
        ("d28443a10127a041785840", "payload is within it"),
    ] {
        place.write("m.cose", [&unhex(head)[..], tail].concat());
        verify_cose(&place).failed(4, &["COSE_Sign1", words]);
    }
    place.write(
        "m.cose",
        [&unhex("d28443a10127a0f6583f")[..], &tail[1..]].concat(),
    );
    verify_cose(&place).failed(4, &["64 bytes"]);
    place.write("m.cose", &good[..40]);
    verify_cose(&place).failed(4, &["CBOR is broken"]);
    // FN-DSA and hybrids have no number.
    for name in ["fn-dsa-512", "ed25519+fn-dsa-512"] {
        place
            .run(&["keygen", "-a", name, "--no-password", "-o", "f", "--force"])
            .ended(0);
        let run = place.run(&["sign", "-k", "f", "--format", "cose", "m", "-o", "x"]);
        run.failed(4, &["is one of Ed25519"]);
    }
    // What COSE signs is no message of a bare signature.
    place.write("m", unhex("846a5369676e61747572653143a1012740"));
    let run = place.run(&["sign", "-k", "k.pem", "--format", "raw", "m", "-o", "x"]);
    run.failed(1, &["a COSE signature"]);
    place
        .run(&["sign", "-k", "k.pem", "--format", "cose", "m", "-o", "y"])
        .ended(0);
}
