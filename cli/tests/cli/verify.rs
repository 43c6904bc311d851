//! verify: every verdict that is not "valid", and every reason why there is none.

use crate::harness::*;

/// What reports call the algorithm and the mode.
const PURE: &str = "Ed25519, pure";

fn signed() -> Place {
    let place = Place::new().with_keys();
    place.write("m", long_message());
    place
        .run(&["sign", "--format", "raw", "-k", "k.pem", "m"])
        .ended(0);
    place
}

#[test]
fn valid() {
    let run = verify(&signed()).ended(0);
    assert!(run.text().starts_with("VALID: m\n"), "{run:?}");
    assert!(run.text().contains(PURE), "algorithm and mode: {run:?}");
    assert_eq!(run.stderr, "");
}

#[test]
fn tampered_messages() {
    tamper_with_message(&signed(), PURE);
}

#[test]
fn tampered_signatures() {
    let place = signed();
    let good = place.read("m.sig");
    for bit in 0..512 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        place.write("m.sig", &bad);
        not_valid(verify(&place), PURE, &format!("bit {bit}"));
    }
    // S + L: the same equation, but not a canonical S (RFC 8032, section 5.1.7).
    let order = unhex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    let mut bad = good.clone();
    let mut carry = 0;
    for i in 0..32 {
        let sum = u16::from(bad[32 + i]) + u16::from(order[i]) + carry;
        bad[32 + i] = sum as u8;
        carry = sum >> 8;
    }
    place.write("m.sig", &bad);
    not_valid(verify(&place), PURE, "S + L");
}

#[test]
fn wrong_key() {
    let place = signed();
    place
        .run(&["keygen", "--no-password", "-o", "other.pem"])
        .ended(0);
    not_valid(
        place.run(&["verify", "-k", "other.pub.pem", "m"]),
        PURE,
        "another key",
    );
}

#[test]
fn signature_files_that_are_none() {
    let place = signed();
    let good = place.read("m.sig");
    for (what, content, word) in [
        ("empty", Vec::new(), "the file is empty"),
        (
            "one byte less",
            good[..63].to_vec(),
            "63 bytes instead of 64",
        ),
        (
            "one byte more",
            [&good[..], b"\n"].concat(),
            "65 bytes instead of 64",
        ),
        (
            "hex",
            format!("{RFC8032_SIGNATURE}\n").into_bytes(),
            "xxd -r -p",
        ),
        (
            "minisign",
            b"untrusted comment: x\nRWQ=\n".to_vec(),
            "holds no signature",
        ),
        (
            "SSH",
            b"-----BEGIN SSH SIGNATURE-----\n".to_vec(),
            "its last line is missing",
        ),
        ("the message", place.read("m"), "more than 65536 bytes"),
    ] {
        place.write("s", &content);
        let run = place.run(&["verify", "-k", "k.pub.pem", "m", "-s", "s"]);
        assert!(run.stderr.contains(word), "{what}: {run:?}");
        run.failed(4, &["s is not a"]);
    }
}

#[test]
fn missing_files() {
    let place = signed();
    place
        .run(&["verify", "-k", "none", "m"])
        .failed(3, &["none", "no such file"]);
    place
        .run(&["verify", "-k", "k.pub.pem", "none"])
        .failed(3, &["cannot read none: no such file"]);
    place
        .run(&["verify", "-k", "k.pub.pem", "k.pem"])
        .failed(3, &["k.pem.sig", "-s SIGNATURE"]);
    std::fs::create_dir(place.path("d")).unwrap();
    place
        .run(&["verify", "-k", "k.pub.pem", "d"])
        .failed(3, &["d is a directory", "lanner verify-tree"]);
    // As gpg is told.
    place
        .run(&["verify", "-k", "k.pub.pem", "m.sig"])
        .failed(3, &["m.sig looks like a signature", "was signed: m"]);
    place
        .run(&["verify", "-k", "k.pub.pem", "none", "-s", "m.sig"])
        .failed(3, &["none", "no such file"]);
    std::fs::create_dir(place.path("dir")).unwrap();
    place
        .run(&["verify", "-k", "k.pub.pem", "dir", "-s", "m.sig"])
        .failed(3, &["dir is a directory"]);
    place.run(&["verify", "-k", "dir", "m"]).failed(3, &["dir"]);
    place
        .run(&["verify", "-k", "k.pub.pem", "m", "-s", "dir"])
        .failed(3, &["dir"]);
}

#[test]
fn keys_of_the_wrong_kind() {
    let place = signed();
    place
        .run(&["verify", "-k", "x.pub.pem", "m"])
        .failed(4, &["x.pub.pem", "an X25519 key", "Ed25519"]);
    place
        .run(&["verify", "-k", "k.pem", "m"])
        .failed(4, &["k.pem is a secret key", "lanner public k.pem"]);
    place
        .run(&["verify", "-k", "m.sig", "m"])
        .failed(4, &["m.sig is a secret key", "or a signature"]);
}

#[test]
fn public_keys_that_are_refused() {
    let place = signed();
    // y = 2 is on no point of the curve.
    let off_curve = format!("02{}", "00".repeat(31));
    // The neutral element, and a point of order 8 (small order: anybody can sign for them).
    let neutral = format!("01{}", "00".repeat(31));
    let order_8 = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05";
    for (key, word) in [
        (off_curve.as_str(), "not a point of the curve"),
        (&neutral, "weak key"),
        (order_8, "weak key"),
        ("00", "SubjectPublicKeyInfo"),
    ] {
        place.write("bad.pem", public_pem(ED25519_PUBLIC_DER, key));
        let run = place.run(&["verify", "-k", "bad.pem", "m"]);
        let run = run.failed(4, &["bad.pem", word]);
        // Nobody makes a new key because somebody else's public one is broken.
        assert!(!run.stderr.contains("keygen"), "{run:?}");
    }
    for broken in ["ssh-ed25519 AAAA", "-----BEGIN PUBLIC KEY-----\nMCow"] {
        place.write("bad.pem", broken);
        let run = place.run(&["verify", "-k", "bad.pem", "m"]);
        let run = run.failed(4, &["bad.pem", "take it again from whoever gave it to you"]);
        assert!(!run.stderr.contains("keygen"), "{run:?}");
    }
}

#[test]
fn standard_input_needs_a_signature_file() {
    let place = signed();
    place
        .run(&["verify", "-k", "k.pub.pem", "-"])
        .failed(2, &["-s SIG"]);
    place
        .run(&["verify", "-k", "k.pub.pem", "m", "-s", "-"])
        .failed(2, &["standard input"]);
    let message = place.read("m");
    place
        .run_with_stdin(&["verify", "-k", "k.pub.pem", "-", "-s", "m.sig"], &message)
        .ended(0);
    place
        .run_with_stdin(
            &["verify", "-k", "k.pub.pem", "-", "-s", "m.sig"],
            &message[1..],
        )
        .ended(1);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_can_be_verified() {
    let place = signed();
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("fifo"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    let (source, fifo) = (place.read("m"), place.path("fifo"));
    let writer = std::thread::spawn(move || std::fs::write(fifo, source));
    place
        .run(&["verify", "-k", "k.pub.pem", "fifo", "-s", "m.sig"])
        .ended(0);
    writer.join().unwrap().unwrap();
}
