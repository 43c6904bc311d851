//! Hybrid keys and signatures: Ed25519 and FN-DSA in one.

use crate::harness::*;
use crate::tools::script;

const SIZES: [(&str, usize, usize); 2] = [
    ("ed25519+fn-dsa-512", 929, 730),
    ("ed25519+fn-dsa-1024", 1825, 1344),
];

/// A key pair `h`, `h.pub`, and a message `m`.
fn with_hybrid(name: &str) -> Place {
    let place = Place::new();
    let run = place.run(&["keygen", "-a", name, "--no-password", "-o", "h", "-C", "me"]);
    run.ended(0);
    place.write("m", "a message\n");
    place
}

fn verify_hybrid(place: &Place, more: &[&str]) -> Run {
    place.run(&[&["verify", "-k", "h.pub"], more].concat())
}

#[test]
fn there_and_back_in_every_format() {
    for (name, _, length) in SIZES {
        let place = with_hybrid(name);
        for format in ["ssh", "raw", "base64"] {
            place
                .run(&[
                    "sign", "-k", "h", "--format", format, "m", "-o", "s", "--force",
                ])
                .ended(0);
            let run = verify_hybrid(&place, &["m", "-s", "s"]).ended(0);
            assert!(run.text().contains("FN-DSA"), "{run:?}");
            if format == "raw" {
                assert_eq!(place.read("s").len(), length);
            }
            place.write("m", "another message\n");
            verify_hybrid(&place, &["m", "-s", "s"]).ended(1);
            place.write("m", "a message\n");
        }
        // Standard input is read once; a pipe would do.
        let args = ["sign", "-k", "h", "--format", "raw", "-", "-o", "p"];
        place.run_with_stdin(&args, b"a message\n").ended(0);
        verify_hybrid(&place, &["m", "-s", "p"]).ended(0);
        let json = verify_hybrid(&place, &["m", "-s", "p", "--json"])
            .ended(0)
            .json();
        assert_eq!(json["results"][0]["algorithm"], name);
        // Both halves sign a hash.
        let args = [
            "sign", "-k", "h", "--format", "raw", "m", "-o", "p2", "--json",
        ];
        for fields in [&json["results"][0], &place.run(&args).ended(0).json()] {
            assert_eq!(
                (&fields["mode"], &fields["hash"]),
                (&"prehashed".into(), &"sha512".into())
            );
        }
        let text = verify_hybrid(&place, &["m", "-s", "p"]).ended(0);
        assert!(text.text().contains("both of the SHA-512"), "{text:?}");
        // Its length says what it may be.
        let json = place.run(&["inspect", "p", "--json"]).ended(0).json();
        assert_eq!(
            (&json["kind"], &json["algorithm"]),
            (&"bare_signature".into(), &name.into())
        );
        let run = place.run(&["convert", "h", "--to", "raw", "-o", "raw"]);
        run.failed(2, &["no form that is called"]);
        // Both halves count.
        let good = place.read("p");
        for at in [0, 63, 64, length / 2] {
            let mut bad = good.clone();
            bad[at] ^= 1;
            place.write("p", bad);
            verify_hybrid(&place, &["m", "-s", "p"]).ended(1);
        }
    }
}

#[test]
fn keys_in_every_form() {
    for (name, key, _) in SIZES {
        let place = with_hybrid(name);
        let json = place.run(&["inspect", "h", "--json"]).ended(0).json();
        assert_eq!(
            (json["algorithm"].as_str(), json["comment"].as_str()),
            (Some(name), Some("me"))
        );
        let fingerprint = json["fingerprint"].as_str().unwrap().to_owned();
        for form in ["pem", "der", "openssh", "raw", "hex", "base64"] {
            place
                .run(&["convert", "--public", "h", "--to", form, "-o", "p", "-f"])
                .ended(0);
            let json = place.run(&["inspect", "p", "--json"]).ended(0).json();
            assert_eq!(json["fingerprint"], fingerprint, "{form}");
            assert_eq!(json["public_key_hex"].as_str().unwrap().len(), 2 * key);
        }
        // A password protects the seed as it protects every key.
        place.write("password", "p");
        place
            .run(&[
                "convert",
                "h",
                "--to",
                "pem",
                "-o",
                "e",
                "--new-password-file",
                "password",
            ])
            .ended(0);
        place
            .run(&["sign", "-k", "e", "--password-file", "password", "m"])
            .ended(0);
        verify_hybrid(&place, &["m"]).ended(0);
        // The seed alone is not written: to another program it would be a key of Ed25519.
        for form in [
            "raw", "hex", "base64", "openssh", "jwk", "minisign", "signify", "note",
        ] {
            let run = place.run(&[
                "convert",
                "h",
                "--to",
                form,
                "--no-password",
                "-o",
                "x",
                "-C",
                "n",
            ]);
            run.failed(2, &["have no form that is called", "pem and der"]);
            assert!(!place.exists("x"));
        }
        for format in ["minisign", "signify"] {
            place
                .run(&["sign", "-k", "h", "--format", format, "m", "-o", "x"])
                .failed(4, &["is one of Ed25519"]);
        }
        place
            .run(&["sign-note", "-k", "h", "--name", "n", "m"])
            .failed(4, &["with Ed25519"]);
    }
}

/// Neither half is a signature of the file or of its hash, of what both halves sign, in any format, under the key
/// of that half.
#[test]
fn halves_verify_as_nothing() {
    for (name, key_length, length) in SIZES {
        let place = with_hybrid(name);
        let fn_dsa = name.strip_prefix("ed25519+").unwrap();
        place
            .run(&["convert", "--public", "h", "--to", "raw", "-o", "p"])
            .ended(0);
        place
            .run(&["sign", "-k", "h", "--format", "raw", "m", "-o", "s"])
            .ended(0);
        let (key, signature) = (place.read("p"), place.read("s"));
        assert_eq!((key.len(), signature.len()), (key_length, length));
        script(
            &place,
            "openssl dgst -sha512 -binary m > hash; openssl dgst -sha512 -binary p > key-hash; openssl dgst -sha256 -binary m > sha256",
        );
        let label = format!(
            "{}-main-SHA512",
            name.replace("ed", "Ed").replace("fn-dsa", "FN-DSA")
        );
        let representative = [
            &b"LannerHybridSignature2026"[..],
            &[label.len() as u8],
            label.as_bytes(),
            &place.read("key-hash"),
            &[0],
            &place.read("hash"),
        ]
        .concat();
        place.write("representative", &representative);
        place.write("short", &representative[12..]);
        // The halves of an SSH signature too.
        place.run(&["sign", "-k", "h", "m", "-o", "ssh"]).ended(0);
        let blob = script(&place, "sed '1d;$d' ssh | base64 -d > blob; wc -c < blob");
        assert!(blob.trim().parse::<usize>().unwrap() > length);
        let blob = place.read("blob");
        let inner = &blob[blob.len() - length..];
        for (whole, which) in [(&signature[..], "raw"), (inner, "ssh")] {
            for (algorithm, key, half) in [
                ("ed25519", &key[..32], &whole[..64]),
                (fn_dsa, &key[32..], &whole[64..]),
            ] {
                place.write("half", half);
                place.write("half-key", key);
                let base64: String = pem("X", half)
                    .lines()
                    .filter(|l| !l.starts_with('-'))
                    .collect();
                place.write("half-base64", base64);
                let mut signatures = vec!["half", "half-base64"];
                if algorithm == "ed25519" {
                    // minisign and signify: the same numbers of keys, so that only the signature can be wrong.
                    for (kind, file) in [("ED", "prehashed"), ("Ed", "legacy"), ("Ed", "signify")] {
                        let body = [kind.as_bytes(), &[0; 8], half].concat();
                        let line = |bytes: &[u8]| -> String {
                            pem("X", bytes)
                                .lines()
                                .filter(|l| !l.starts_with('-'))
                                .collect()
                        };
                        let trusted = match file {
                            "signify" => String::new(),
                            _ => format!("trusted comment: t\n{}\n", line(half)),
                        };
                        place.write(
                            file,
                            format!("untrusted comment: u\n{}\n{trusted}", line(&body)),
                        );
                        signatures.push(file);
                    }
                }
                for message in ["m", "hash", "sha256", "representative", "short"] {
                    for signature in &signatures {
                        let args = [
                            "verify", "-k", "half-key", "-a", algorithm, message, "-s", signature,
                        ];
                        let run = place.run(&args);
                        assert_eq!(
                            run.code,
                            Some(1),
                            "{which} {algorithm} {message} {signature}: {run:?}"
                        );
                        // What both halves sign is refused as a message, before anything is computed.
                        let is_refused = message == "representative" && *signature != "prehashed";
                        assert_eq!(
                            run.stderr.contains("a hybrid signature"),
                            is_refused,
                            "{run:?}"
                        );
                    }
                }
                // As an SSH signature by the half's key.
                let mut of_half = b"SSHSIG\0\0\0\x01".to_vec();
                let put = |blob: &mut Vec<u8>, bytes: &[u8]| {
                    blob.extend((bytes.len() as u32).to_be_bytes());
                    blob.extend(bytes);
                };
                let ssh_name = match algorithm {
                    "ed25519" => "ssh-ed25519".to_owned(),
                    _ => format!("{algorithm}@lanner.invalid"),
                };
                let (mut public, mut inner) = (Vec::new(), Vec::new());
                put(&mut public, ssh_name.as_bytes());
                put(&mut public, key);
                put(&mut inner, ssh_name.as_bytes());
                put(&mut inner, half);
                for part in [&public[..], b"file", b"", b"sha512", &inner] {
                    put(&mut of_half, part);
                }
                place.write("half-ssh", of_half);
                for message in ["m", "hash", "representative"] {
                    let args = [
                        "verify", "-k", "half-key", "-a", algorithm, message, "-s", "half-ssh",
                    ];
                    let run = place.run(&args).ended(1);
                    assert!(run.text().starts_with("NOT VALID"), "{run:?}");
                }
            }
        }
        // And a half is no hybrid signature.
        place.write("half", &signature[..64]);
        verify_hybrid(&place, &["m", "-s", "half"]).failed(4, &["64 bytes instead of"]);
    }
}

#[test]
fn messages_that_begin_as_other_formats_do() {
    let place = with_hybrid(SIZES[0].0);
    for mark in ["SSHSIG", "DSSEv1 ", "LannerHybrid"] {
        place.write("m", format!("{mark} and so on"));
        place
            .run(&["sign", "-k", "h", "--format", "raw", "m"])
            .failed(1, &["m begins with what"]);
        place.run(&["sign", "-k", "h", "m"]).ended(0);
        verify_hybrid(&place, &["m"]).ended(0);
        std::fs::remove_file(place.path("m.sig")).unwrap();
    }
}

#[test]
fn in_batches_statements_and_lists() {
    let place = with_hybrid(SIZES[0].0);
    place
        .run(&["sign", "-k", "h", "--format", "raw", "m", "-o", "s"])
        .ended(0);
    place
        .run(&["convert", "--public", "h", "--to", "hex", "-o", "p"])
        .ended(0);
    let hex = |bytes: Vec<u8>| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let (key, message, signature) = (place.read("p"), hex(place.read("m")), hex(place.read("s")));
    let key = String::from_utf8(key).unwrap();
    let line = format!("{},{message},{signature}", key.trim());
    let table = format!(
        "public_key,message,signature\n{line}\n{}\n",
        line.replace(&message, "00")
    );
    place.write("t", table);
    let run = place.run(&["verify-batch", "t"]).ended(1);
    assert!(run.text().ends_with("1,valid,\n2,not_valid,\n"), "{run:?}");

    place.write("predicate", "{}");
    let kind = ["--predicate-type", "spdx", "--predicate", "predicate"];
    place
        .run(&[&["attest", "-k", "h", "m"], &kind[..]].concat())
        .ended(0);
    place
        .run(&["verify-attestation", "-k", "h.pub", "m"])
        .ended(0);

    place
        .run(&["convert", "--public", "h", "--to", "openssh", "-o", "line"])
        .ended(0);
    let line = String::from_utf8(place.read("line")).unwrap();
    place.write(
        "signers",
        format!("me@example.org namespaces=\"file\" {line}"),
    );
    place.run(&["sign", "-k", "h", "m"]).ended(0);
    place.run(&["verify", "--signers", "signers", "m"]).ended(0);
    place.run(&["verify", "m"]).ended(5);
}
