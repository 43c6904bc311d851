//! keygen and public, and every kind of key file that is no good.

use crate::harness::*;

#[test]
fn keygen_writes_a_pair_that_works() {
    for (algorithm, name) in [("ed25519", "Ed25519"), ("x25519", "X25519")] {
        let place = Place::new();
        let run = place
            .run(&[
                "keygen",
                "--no-password",
                "--algorithm",
                algorithm,
                "-o",
                "a.pem",
            ])
            .ended(0);
        assert!(run.text().contains(name), "{run:?}");
        assert_eq!(run.stderr, "");
        assert_eq!(place.names(), ["a.pem", "a.pub.pem"]);
        let secret = String::from_utf8(place.read("a.pem")).unwrap();
        assert!(secret.starts_with("-----BEGIN PRIVATE KEY-----\n"));
        assert_eq!(secret.len(), 119, "PKCS#8 v1 is 48 bytes");
        let derived = place.run(&["public", "a.pem"]).ended(0);
        assert_eq!(derived.stdout, place.read("a.pub.pem"));
        assert!(!run.text().contains(secret.lines().nth(1).unwrap()));
    }
}

#[test]
fn keys_differ() {
    let place = Place::new();
    place.run(&["keygen", "--no-password", "-o", "a"]).ended(0);
    place.run(&["keygen", "--no-password", "-o", "b"]).ended(0);
    assert_ne!(place.read("a"), place.read("b"));
    assert_eq!(place.names(), ["a", "a.pub", "b", "b.pub"]);
}

#[cfg(unix)]
#[test]
fn secret_files_are_private_whatever_the_umask() {
    for umask in ["000", "022", "077", "0777"] {
        let place = Place::new();
        let script = format!(
            "umask {umask}; exec {:?} keygen --no-password -o a.pem",
            Place::program()
        );
        Run::of(
            std::process::Command::new("sh")
                .arg("-c")
                .arg(script)
                .current_dir(place.root()),
        )
        .ended(0);
        let umask = u32::from_str_radix(umask, 8).unwrap();
        assert_eq!(
            mode(&place.path("a.pem")),
            0o600 & !umask,
            "umask {umask:o}"
        );
        assert_eq!(
            mode(&place.path("a.pub.pem")),
            0o666 & !umask,
            "umask {umask:o}"
        );
    }
}

#[test]
fn known_key() {
    let place = Place::new().with_keys();
    let run = place.run(&["public", "k.pem"]).ended(0);
    assert_eq!(run.text(), public_pem(ED25519_PUBLIC_DER, RFC8032_PUBLIC));
    place.run(&["public", "k.pem", "-o", "out.pem"]).ended(0);
    assert_eq!(place.read("out.pem"), run.stdout);
}

#[test]
fn keys_are_never_overwritten_unasked() {
    for (exists, args) in [
        ("a.pem", &["keygen", "--no-password", "-o", "a.pem"][..]),
        ("a.pub.pem", &["keygen", "--no-password", "-o", "a.pem"]),
        (
            "p.pem",
            &[
                "keygen",
                "--no-password",
                "-o",
                "a.pem",
                "--public",
                "p.pem",
            ],
        ),
        ("p.pem", &["public", "k.pem", "-o", "p.pem"]),
    ] {
        let place = Place::new().with_keys();
        place.write(exists, "precious");
        let before = place.names();
        place
            .run(args)
            .failed(3, &[exists, "exists already", "left alone", "--force"]);
        assert_eq!(place.read(exists), b"precious");
        assert_eq!(place.names(), before, "nothing is left behind");

        let forced: Vec<&str> = args.iter().copied().chain(["--force"]).collect();
        place.run(&forced).ended(0);
        assert!(place.read(exists).starts_with(b"-----BEGIN"));
    }
}

#[test]
fn keygen_destinations() {
    let place = Place::new();
    std::fs::create_dir(place.path("dir")).unwrap();
    for (args, code, word) in [
        (
            &["keygen", "--no-password", "-o", "a", "--public", "a"][..],
            2,
            "same file",
        ),
        (
            &["keygen", "--no-password", "-o", "a", "--public", "./a"],
            2,
            "same file",
        ),
        (&["keygen", "--no-password", "-o", "dir"], 3, "directory"),
        (
            &["keygen", "--no-password", "-o", "dir", "--force"],
            3,
            "directory",
        ),
        (
            &["keygen", "--no-password", "-o", "none/a"],
            3,
            "no such file or directory",
        ),
        (
            &["keygen", "--no-password", "-o", "a", "--public", "none/a"],
            3,
            "no such file or directory",
        ),
        (
            &["keygen", "--no-password", "-o", ".."],
            2,
            "not the name of a file",
        ),
        (&["keygen", "--no-password", "-o", ""], 2, ""),
    ] {
        place.run(args).failed(code, &[word]);
        assert_eq!(place.names(), ["dir"], "nothing is left behind by {args:?}");
    }
}

#[cfg(unix)]
#[test]
fn force_replaces_files_only() {
    let place = Place::new();
    std::os::unix::net::UnixListener::bind(place.path("socket")).unwrap();
    place
        .run(&["keygen", "--no-password", "-o", "socket", "--force"])
        .failed(3, &["not a regular file"]);
    // A link is replaced itself; what it points to stays.
    place.write("target", "precious");
    std::os::unix::fs::symlink("target", place.path("link")).unwrap();
    place
        .run(&["keygen", "--no-password", "-o", "link", "--force"])
        .ended(0);
    assert_eq!(place.read("target"), b"precious");
    assert!(place.read("link").starts_with(b"-----BEGIN PRIVATE KEY"));
}

#[test]
fn forms_of_secret_keys_that_are_read() {
    let v2 = format!("3051020101300506032b657004220420{RFC8032_SECRET}812100{RFC8032_PUBLIC}");
    let old_ring =
        format!("3053020101300506032b657004220420{RFC8032_SECRET}a123032100{RFC8032_PUBLIC}");
    // [0] Attributes: a friendly name, "x".
    let attributes = format!(
        "3043020100300506032b657004220420{RFC8032_SECRET}a0133011\
         06092a864886f70d010914310403020078"
    );
    let v1 = secret_pem(ED25519_SECRET_DER, RFC8032_SECRET);
    let crlf = v1.replace('\n', "\r\n");
    let with_prose = format!("some words\n{v1}ED25519 Private-Key:\npriv:\n  00:11\n");
    let no_final_newline = v1.trim_end().to_owned();
    for (what, text) in [
        ("v2", pem("PRIVATE KEY", &unhex(&v2))),
        (
            "v2 as old versions of ring wrote it",
            pem("PRIVATE KEY", &unhex(&old_ring)),
        ),
        ("with attributes", pem("PRIVATE KEY", &unhex(&attributes))),
        ("CRLF", crlf),
        ("with text around", with_prose),
        ("no line feed at the end", no_final_newline),
    ] {
        let place = Place::new();
        place.write_private("k.pem", &text);
        let run = place.run(&["public", "k.pem"]);
        assert_eq!(run.code, Some(0), "{what}: {run:?}");
        assert_eq!(
            run.text(),
            public_pem(ED25519_PUBLIC_DER, RFC8032_PUBLIC),
            "{what}"
        );
    }
}

#[test]
fn secret_key_files_that_are_refused() {
    let v1 = unhex(&format!("{ED25519_SECRET_DER}{RFC8032_SECRET}"));
    let good = pem("PRIVATE KEY", &v1);
    let hex = |s: &str| pem("PRIVATE KEY", &unhex(&s.replace("SEED", RFC8032_SECRET)));
    let mismatch = format!("3051020101300506032b657004220420SEED812100{RFC7748_BOB_PUBLIC}");
    for (what, content, word) in [
        ("empty", String::new().into_bytes(), "empty"),
        ("prose", b"hello\n".to_vec(), "not a key file"),
        ("DER that is cut", v1[..40].to_vec(), "cut short"),
        (
            "cut in the base64",
            good.as_bytes()[..80].to_vec(),
            "cut short",
        ),
        (
            "cut in the end line",
            good.as_bytes()[..good.len() - 3].to_vec(),
            "cut short",
        ),
        (
            "bad base64",
            good.replace("MC4C", "MC!C").into_bytes(),
            "PEM block is broken",
        ),
        (
            "two keys",
            format!("{good}{good}").into_bytes(),
            "more than one PEM block",
        ),
        (
            "OpenSSH",
            pem("OPENSSH PRIVATE KEY", &v1).into_bytes(),
            "no OpenSSH private key",
        ),
        (
            "certificate",
            pem("CERTIFICATE", &v1).into_bytes(),
            "is a public key",
        ),
        (
            "public",
            public_pem(ED25519_PUBLIC_DER, RFC8032_PUBLIC).into_bytes(),
            "is a public key",
        ),
        (
            "Ed448",
            hex("302e020100300506032b657104220420SEED").into_bytes(),
            "Ed448",
        ),
        (
            "parameters",
            hex("3030020100300706032b6570050004220420SEED").into_bytes(),
            "parameters",
        ),
        (
            "trailing byte",
            hex("302e020100300506032b657004220420SEED00").into_bytes(),
            "PKCS#8",
        ),
        (
            "not 32 bytes",
            hex("302d020100300506032b65700421041f").into_bytes(),
            "PKCS#8",
        ),
        (
            "no inner octet string",
            hex("302c020100300506032b65700420SEED").into_bytes(),
            "32 bytes",
        ),
        (
            "other public key inside",
            hex(&mismatch).into_bytes(),
            "does not belong",
        ),
        (
            "RSA",
            pem("RSA PRIVATE KEY", &v1).into_bytes(),
            "RSA PRIVATE KEY",
        ),
        ("huge", vec![b'a'; 70_000], "too large"),
    ] {
        let place = Place::new();
        place.write("m", "m");
        place.write_private("k.pem", &content);
        let run = place.run(&["sign", "-k", "k.pem", "m"]);
        assert_eq!(run.code, Some(4), "{what}: {run:?}");
        assert!(
            run.stderr.contains(word) && run.stderr.contains("k.pem"),
            "{what}: {run:?}"
        );
        assert!(!place.exists("m.sig"), "{what}");
    }
}

#[test]
fn no_broken_key_file_panics() {
    // Every single-byte change of a key file is either read or refused, with a documented code.
    let text = secret_pem(ED25519_SECRET_DER, RFC8032_SECRET);
    let place = Place::new();
    for (i, replacement) in (0..text.len()).zip([b'-', b'A', b'\n', 0, 0xff].into_iter().cycle()) {
        let mut bytes = text.clone().into_bytes();
        bytes[i] = replacement;
        place.write_private("k.pem", &bytes);
        let run = place.run(&["public", "k.pem"]);
        assert!(matches!(run.code, Some(0 | 4)), "byte {i}: {run:?}");
    }
}

#[test]
fn a_missing_key_is_an_io_error() {
    let place = Place::new();
    for args in [
        &["public", "none.pem"][..],
        &["sign", "-k", "none.pem", "m"],
        &["exchange", "-k", "none.pem", "x", "-o", "s"],
    ] {
        place.run(args).failed(3, &["none.pem", "no such file"]);
    }
}

/// A file with the name of a public key is one that somebody gives away.
#[test]
fn no_secret_key_under_the_name_of_a_public_one() {
    let place = Place::new().with_keys();
    let before = place.names();
    for name in [
        "alice.pub",
        "alice.pub.pem",
        "./alice.pub",
        ".pub",
        "ALICE.PUB",
        "alice.pub.jwk",
    ] {
        let words = ["would have the name of a public one", name, "hint"];
        place
            .run(&["keygen", "--no-password", "-o", name, "--force"])
            .failed(2, &words);
        let args = [
            "convert",
            "k.pem",
            "--to",
            "openssh",
            "--no-password",
            "-o",
            name,
        ];
        let hint = [&words[..], &["--public"]].concat();
        place.run(&args).failed(2, &hint);
        assert_eq!(place.names(), before);
    }
    let args = [
        "convert",
        "k.pem",
        "--to",
        "openssh",
        "--public",
        "-o",
        "alice.pub",
    ];
    place.run(&args).ended(0);
    place
        .run(&["keygen", "--no-password", "-o", "pub"])
        .ended(0);
}

#[test]
fn what_is_neither_key_nor_signature_is_told_so() {
    let place = Place::new();
    place.write("prose", "hello\n");
    let run = place.run(&["inspect", "prose"]);
    run.failed(4, &["prose is not a key file", "nor is it a signature"]);
    place
        .run(&["public", "prose"])
        .failed(4, &["lanner reads PKCS#8"]);
}
