//! FN-DSA, in every command that takes it.

use crate::harness::*;

/// The name of an algorithm on the command line and in words, and bytes of a signature and of a public key.
const ALGORITHMS: [(&str, &str, usize, usize); 2] = [
    ("fn-dsa-512", "FN-DSA-512", 666, 897),
    ("fn-dsa-1024", "FN-DSA-1024", 1280, 1793),
];

/// A key pair `k.pem`, `k.pub.pem`, a message `m`, and its signature.
pub(crate) fn signed(algorithm: &str) -> Place {
    let place = Place::new();
    place
        .run(&["keygen", "--no-password", "--alg", algorithm, "-o", "k.pem"])
        .ended(0);
    place.write("m", long_message());
    place
        .run(&["sign", "--format", "raw", "-k", "k.pem", "m"])
        .ended(0);
    place
}

#[test]
fn keys_signatures_verdicts() {
    for (option, name, signature_size, key_size) in ALGORITHMS {
        let place = signed(option);
        let secret = String::from_utf8(place.read("k.pem")).unwrap();
        assert!(secret.starts_with("-----BEGIN PRIVATE KEY-----\n"));
        let public = String::from_utf8(place.read("k.pub.pem")).unwrap();
        assert!(public.starts_with("-----BEGIN PUBLIC KEY-----\n"));
        #[cfg(unix)]
        assert_eq!(mode(&place.path("k.pem")), 0o600);
        let derived = place.run(&["public", "k.pem", "--alg", option]).ended(0);
        assert_eq!(derived.stdout, place.read("k.pub.pem"));

        let signature = place.read("m.sig");
        assert_eq!(signature.len(), signature_size);
        let run = verify(&place).ended(0);
        assert!(run.text().starts_with("VALID: m\n"), "{run:?}");
        assert!(run.text().contains(name), "{run:?}");
        assert_eq!(run.stderr, "");
        place
            .run(&["verify", "--alg", option, "-k", "k.pub.pem", "m"])
            .ended(0);

        // Randomised: another signature each time, valid like the first.
        place
            .run(&[
                "sign", "--format", "raw", "--alg", option, "-k", "k.pem", "m", "-o", "again",
            ])
            .ended(0);
        assert_ne!(place.read("again"), signature);
        place
            .run(&["verify", "-k", "k.pub.pem", "m", "-s", "again"])
            .ended(0);

        let run = place
            .run(&[
                "sign", "--format", "raw", "-k", "k.pem", "m", "-o", "third", "--json",
            ])
            .ended(0);
        assert_eq!(run.json()["algorithm"], option);
        assert_eq!(run.json()["mode"], "pure");
        let run = place
            .run(&["verify", "-k", "k.pub.pem", "m", "--json"])
            .ended(0);
        let json = run.json()["results"][0].clone();
        assert_eq!(
            (&json["valid"], &json["algorithm"]),
            (&true.into(), &option.into())
        );
        assert_eq!(json["profile"], serde_json::Value::Null);
        assert_eq!(json["public_key_hex"].as_str().unwrap().len(), 2 * key_size);
    }
}

#[test]
fn standard_input_and_output() {
    let place = signed("fn-dsa-512");
    for size in [0, 1, (1 << 20) + 1] {
        let message: Vec<u8> = (0..size).map(|i: u32| (i % 251) as u8).collect();
        let run = place
            .run_with_stdin(&["sign", "--format", "raw", "-k", "k.pem", "-"], &message)
            .ended(0);
        assert_eq!(run.stdout.len(), 666, "{size} bytes");
        place.write("s", &run.stdout);
        let verify = ["verify", "-k", "k.pub.pem", "-", "-s", "s"];
        place.run_with_stdin(&verify, &message).ended(0);
        let other = [&message[..], b"x"].concat();
        place.run_with_stdin(&verify, &other).ended(1);
    }
}

#[test]
fn tampered_messages() {
    tamper_with_message(&signed("fn-dsa-512"), "FN-DSA-512, pure");
}

#[test]
fn tampered_signatures() {
    for (option, name, size, _) in ALGORITHMS {
        let place = signed(option);
        place.write("m", "short");
        place
            .run(&["sign", "--format", "raw", "-f", "-k", "k.pem", "m"])
            .ended(0);
        let good = place.read("m.sig");
        // Header, nonce, coefficients, and the padding at the end.
        for at in (0..size).step_by(9).chain([1, 40, 41, size - 1]) {
            for flip in [1, 0x80] {
                let mut bad = good.clone();
                bad[at] ^= flip;
                place.write("m.sig", &bad);
                not_valid(verify(&place), name, &format!("byte {at}"));
            }
        }
        place.write("m.sig", &good);
        verify(&place).ended(0);
    }
}

#[test]
fn wrong_key() {
    let place = signed("fn-dsa-512");
    place
        .run(&[
            "keygen",
            "--no-password",
            "--alg",
            "fn-dsa-512",
            "-o",
            "other.pem",
        ])
        .ended(0);
    not_valid(
        place.run(&["verify", "-k", "other.pub.pem", "m"]),
        "FN-DSA-512",
        "another key",
    );
}

#[test]
fn signature_files_that_are_none() {
    let place = signed("fn-dsa-512");
    let good = place.read("m.sig");
    let hex: String = good.iter().map(|byte| format!("{byte:02x}")).collect();
    for (what, content, word) in [
        ("empty", Vec::new(), "the file is empty"),
        ("cut short", good[..665].to_vec(), "cut short"),
        (
            "cut at the nonce",
            good[..41].to_vec(),
            "41 bytes instead of 666",
        ),
        (
            "one byte more",
            [&good[..], b"\n"].concat(),
            "667 bytes instead of 666",
        ),
        ("hex", hex.into_bytes(), "xxd -r -p"),
        ("Ed25519's", vec![1; 64], "length of an Ed25519 signature"),
        (
            "1024's",
            vec![0x3a; 1280],
            "length of an FN-DSA-1024 signature",
        ),
        ("the message", place.read("m"), "more than 65536 bytes"),
    ] {
        place.write("s", &content);
        let run = place.run(&["verify", "-k", "k.pub.pem", "m", "-s", "s"]);
        assert!(run.stderr.contains(word), "{what}: {run:?}");
        run.failed(4, &["s is not a"]);
    }
    // And the other way round.
    let place = signed("fn-dsa-1024").with_other_keys();
    place
        .run(&["verify", "-k", "e.pub.pem", "m"])
        .failed(4, &["not an Ed25519 signature file", "FN-DSA-1024"]);
}

trait WithOtherKeys {
    fn with_other_keys(self) -> Self;
}

impl WithOtherKeys for Place {
    /// Ed25519 keys as `e.pem`, `e.pub.pem`; X25519 keys as `x.pem`, `x.pub.pem`.
    fn with_other_keys(self) -> Place {
        for (option, name) in [("ed25519", "e.pem"), ("x25519", "x.pem")] {
            self.run(&["keygen", "--no-password", "-a", option, "-o", name])
                .ended(0);
        }
        self
    }
}

#[test]
fn keys_of_the_wrong_kind() {
    let place = signed("fn-dsa-512").with_other_keys();
    let out = ["-o", "new"];
    for (key, words) in [
        (
            "k.pem",
            [
                "k.pem is an FN-DSA-512 key",
                "FN-DSA-1024",
                "--alg fn-dsa-1024",
            ],
        ),
        (
            "e.pem",
            [
                "e.pem is an Ed25519 key",
                "FN-DSA-1024",
                "--alg fn-dsa-1024",
            ],
        ),
        (
            "x.pem",
            [
                "x.pem is an X25519 key",
                "key agreement",
                "--alg fn-dsa-1024",
            ],
        ),
        ("k.pub.pem", ["k.pub.pem is a public key", "", ""]),
    ] {
        let args = [
            "sign",
            "--format",
            "raw",
            "--alg",
            "fn-dsa-1024",
            "-k",
            key,
            "m",
        ];
        place.run(&[&args[..], &out].concat()).failed(4, &words);
    }
    place
        .run(&[
            "sign", "--format", "raw", "--alg", "ed25519", "-k", "k.pem", "m", "-o", "new",
        ])
        .failed(4, &["an FN-DSA-512 key", "an Ed25519 key"]);
    place
        .run(&["verify", "--alg", "fn-dsa-1024", "-k", "k.pub.pem", "m"])
        .failed(4, &["an FN-DSA-512 key", "asks for an FN-DSA-1024 key"]);
    place
        .run(&["verify", "-k", "k.pem", "m"])
        .failed(4, &["k.pem is a secret key", "lanner public k.pem"]);
    place
        .run(&["public", "--alg", "fn-dsa-1024", "k.pem", "-o", "new"])
        .failed(4, &["an FN-DSA-512 key", "an FN-DSA-1024 key"]);
    place
        .run(&["exchange", "-k", "k.pem", "x.pub.pem", "-o", "new"])
        .failed(4, &["an FN-DSA-512 key", "an X25519 key"]);
    place
        .run(&["exchange", "-k", "x.pem", "k.pub.pem", "-o", "new"])
        .failed(4, &["an FN-DSA-512 key", "an X25519 key"]);
    // Key agreement does not sign.
    place
        .run(&[
            "sign", "--format", "raw", "--alg", "x25519", "-k", "x.pem", "m",
        ])
        .failed(2, &["x25519"]);
    assert!(!place.exists("new"));
}

/// One signature has one form here: those that Falcon has beside it are refused.
#[test]
fn signatures_have_one_encoding() {
    for (option, name, size, _) in ALGORITHMS {
        let place = signed(option);
        let good = place.read("m.sig");
        // Without its padding, or with a byte more of it.
        let end = good.iter().rposition(|&byte| byte != 0).unwrap() + 1;
        for length in [end, size - 1, size + 1] {
            let mut other = good.clone();
            other.resize(length, 0);
            place.write("m.sig", &other);
            if length != size {
                verify(&place).failed(4, &["instead of"]);
            }
        }
        // The header of the constant-time form, and that of the other degree.
        for flip in [0x60, 0x03] {
            let mut other = good.clone();
            other[0] ^= flip;
            place.write("m.sig", &other);
            not_valid(verify(&place), name, "another encoding");
        }
    }
}

#[test]
fn signatures_are_never_overwritten_unasked() {
    let place = signed("fn-dsa-1024");
    let before = place.read("m.sig");
    place
        .run(&["sign", "--format", "raw", "-k", "k.pem", "m"])
        .failed(3, &["m.sig exists already", "--force"]);
    assert_eq!(place.read("m.sig"), before);
    place
        .run(&["sign", "--format", "raw", "-k", "k.pem", "m", "--force"])
        .ended(0);
    assert_ne!(place.read("m.sig"), before);
    verify(&place).ended(0);
}

/// A full disk leaves no half of a pair and no part of a signature; memory stays constant.
#[cfg(unix)]
#[test]
fn limits() {
    let place = signed("fn-dsa-512");
    let shell = |before: &str, args: &str| {
        let mut command = std::process::Command::new("sh");
        command
            .arg("-c")
            .arg(format!("{before}; exec {:?} {args}", Place::program()))
            .current_dir(place.root())
            .stdin(std::process::Stdio::null());
        Run::of(&mut command)
    };
    let before = place.names();
    for args in [
        "keygen --no-password --alg fn-dsa-1024 -o new.pem",
        "sign -k k.pem m -o new.sig",
    ] {
        shell("ulimit -f 0", args).failed(3, &["cannot write"]);
        assert_eq!(place.names(), before, "{args}");
    }
    let large = std::fs::File::create(place.path("large")).unwrap();
    large.set_len(128 << 20).unwrap();
    shell("ulimit -v 65536", "sign -k k.pem large").ended(0);
    shell("ulimit -v 65536", "verify -k k.pub.pem large").ended(0);
}

/// Whoever makes a key, signs and verifies in the default form hears that there is no standard yet.
#[test]
fn there_is_no_standard_yet() {
    for (option, words) in [
        ("fn-dsa-512", "FN-DSA-512 (as fn-dsa 0.3; no standard yet)"),
        (
            "fn-dsa-1024",
            "FN-DSA-1024 (as fn-dsa 0.3; no standard yet)",
        ),
        (
            "ed25519+fn-dsa-512",
            "Ed25519+FN-DSA-512 (experimental; FN-DSA is no standard yet)",
        ),
    ] {
        let place = Place::new();
        place.write("m", "m");
        let line = format!("  algorithm    {words}");
        for args in [
            &["keygen", "--no-password", "--alg", option, "-o", "k.pem"][..],
            &["sign", "-k", "k.pem", "m"],
            &["verify", "-k", "k.pub.pem", "m"],
        ] {
            let run = place.run(args).ended(0);
            assert!(run.text().contains(&line), "{run:?}");
        }
    }
    let place = Place::new();
    let run = place
        .run(&["keygen", "--no-password", "-o", "k.pem"])
        .ended(0);
    assert!(!run.text().contains("standard"), "{run:?}");
}

/// What is said of a signature is its own, and not of the key that it was to be by.
#[test]
fn the_algorithm_of_the_signature() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    let keygen = [
        "keygen",
        "--no-password",
        "--alg",
        "fn-dsa-512",
        "-o",
        "f.pem",
    ];
    place.run(&keygen).ended(0);
    for (format, file) in [
        ("ssh", "m.sig"),
        ("minisign", "m.minisig"),
        ("cose", "m.cose"),
    ] {
        place
            .run(&["sign", "-k", "k.pem", "--format", format, "m"])
            .ended(0);
        let args = ["verify", "-k", "f.pub.pem", "m", "-s", file];
        let run = place.run(&args).ended(1);
        assert!(run.text().contains("  algorithm    Ed25519, "), "{run:?}");
        let run = place.run(&[&args[..], &["--json"]].concat()).ended(1);
        let result = &run.json()["results"][0];
        assert_eq!(result["algorithm"], "ed25519");
        assert_eq!(result["profile"], "strict");
    }
    place.run(&["sign", "-k", "f.pem", "m", "-f"]).ended(0);
    let args = ["verify", "-k", "k.pub.pem", "m", "--json"];
    let run = place.run(&args).ended(1);
    assert_eq!(run.json()["results"][0]["algorithm"], "fn-dsa-512");
    assert!(run.json()["results"][0]["profile"].is_null());
}
