//! FN-DSA, in every command that takes it.

use crate::harness::*;

/// The name of an algorithm on the command line and in words, and bytes of a signature and of a public key.
const ALGORITHMS: [(&str, &str, usize, usize); 2] = [
    ("fn-dsa-512", "FN-DSA-512", 666, 897),
    ("fn-dsa-1024", "FN-DSA-1024", 1280, 1793),
];

fn message() -> Vec<u8> {
    (0..300_000u32).map(|i| (i % 253) as u8).collect()
}

/// A key pair `k.pem`, `k.pub.pem`, a message `m`, and its signature.
fn signed(algorithm: &str) -> Place {
    let place = Place::new();
    place
        .run(&["keygen", "--alg", algorithm, "-o", "k.pem"])
        .ended(0);
    place.write("m", message());
    place.run(&["sign", "-k", "k.pem", "m"]).ended(0);
    place
}

fn verify(place: &Place) -> Run {
    place.run(&["verify", "-k", "k.pub.pem", "m"])
}

#[track_caller]
fn not_valid(run: Run, what: &str) {
    assert_eq!(run.code, Some(1), "{what}: {run:?}");
    assert!(run.text().starts_with("NOT VALID: m\n"), "{what}: {run:?}");
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
            .run(&["sign", "--alg", option, "-k", "k.pem", "m", "-o", "again"])
            .ended(0);
        assert_ne!(place.read("again"), signature);
        place
            .run(&["verify", "-k", "k.pub.pem", "m", "-s", "again"])
            .ended(0);

        let run = place
            .run(&["sign", "-k", "k.pem", "m", "-o", "third", "--json"])
            .ended(0);
        assert_eq!(run.json()["algorithm"], name);
        assert_eq!(run.json()["mode"], "pure");
        let run = place
            .run(&["verify", "-k", "k.pub.pem", "m", "--json"])
            .ended(0);
        let json = run.json();
        assert_eq!(
            (&json["valid"], &json["algorithm"]),
            (&true.into(), &name.into())
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
            .run_with_stdin(&["sign", "-k", "k.pem", "-"], &message)
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
    let place = signed("fn-dsa-512");
    let good = place.read("m");
    // The ends of the file and of the pieces it is read in.
    for at in [0, 1, 131_071, 131_072, 131_073, 262_143, 262_144, 299_999] {
        let mut bad = good.clone();
        bad[at] ^= 0x80;
        place.write("m", &bad);
        not_valid(verify(&place), &format!("byte {at}"));
    }
    place.write("m", &good[..good.len() - 1]);
    not_valid(verify(&place), "one byte less");
    place.write("m", [&good[..], &[0]].concat());
    not_valid(verify(&place), "one byte more");
    place.write("m", &good);
    verify(&place).ended(0);
}

#[test]
fn tampered_signatures() {
    for (option, _, size, _) in ALGORITHMS {
        let place = signed(option);
        place.write("m", "short");
        place.run(&["sign", "-f", "-k", "k.pem", "m"]).ended(0);
        let good = place.read("m.sig");
        // Header, nonce, coefficients, and the padding at the end.
        for at in (0..size).step_by(9).chain([1, 40, 41, size - 1]) {
            for flip in [1, 0x80] {
                let mut bad = good.clone();
                bad[at] ^= flip;
                place.write("m.sig", &bad);
                not_valid(verify(&place), &format!("{option}, byte {at}"));
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
        .run(&["keygen", "--alg", "fn-dsa-512", "-o", "other.pem"])
        .ended(0);
    not_valid(
        place.run(&["verify", "-k", "other.pub.pem", "m"]),
        "another key",
    );
}

#[test]
fn signature_files_that_are_none() {
    let place = signed("fn-dsa-512");
    let good = place.read("m.sig");
    let hex: String = good.iter().map(|byte| format!("{byte:02x}")).collect();
    let base64: String = pem("X", &good)
        .lines()
        .filter(|line| !line.starts_with('-'))
        .map(|line| format!("{line}\n"))
        .collect();
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
        ("base64", base64.into_bytes(), "base64 -d"),
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
        run.failed(4, &["s is not an FN-DSA-512 signature file"]);
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
            self.run(&["keygen", "-a", option, "-o", name]).ended(0);
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
        let args = ["sign", "--alg", "fn-dsa-1024", "-k", key, "m"];
        place.run(&[&args[..], &out].concat()).failed(4, &words);
    }
    place
        .run(&["sign", "--alg", "ed25519", "-k", "k.pem", "m", "-o", "new"])
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
        .run(&["sign", "--alg", "x25519", "-k", "x.pem", "m"])
        .failed(2, &["x25519"]);
    assert!(!place.exists("new"));
}

/// The bytes of a PEM file.
fn der_of(pem: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(pem).unwrap();
    let digits = text
        .lines()
        .filter(|line| !line.starts_with('-'))
        .flat_map(str::bytes)
        .filter(|&byte| byte != b'=');
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::new());
    for digit in digits {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// 2.25.2041985364, to which 9 or 10 is added.
const ARC: [u8; 8] = [0x06, 0x07, 0x69, 0x87, 0xcd, 0xd8, 0xf2, 0x54];

/// The form of the files: identifiers of their own, and the layout of Open Quantum Safe.
#[test]
fn key_files_say_fn_dsa() {
    for (option, last, prefix, sizes) in [
        ("fn-dsa-512", 9, 0x59, [1281, 897]),
        ("fn-dsa-1024", 10, 0x5a, [2305, 1793]),
    ] {
        let place = signed(option);
        let identifier = [&ARC[..], &[last]].concat();
        let secret = der_of(&place.read("k.pem"));
        let public = der_of(&place.read("k.pub.pem"));
        for der in [&secret, &public] {
            assert!(der.windows(9).any(|window| window == identifier));
        }
        let value = &public[public.len() - sizes[1]..];
        assert_eq!(value[0], prefix - 0x50);
        let both = &secret[secret.len() - sizes[0] - sizes[1]..];
        assert_eq!(both[0], prefix);
        assert_eq!(&both[sizes[0]..], value);
    }
}

/// A value in DER.
fn der_value(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut der = vec![tag];
    match content.len() {
        length @ 0..128 => der.push(length as u8),
        length => der.extend([0x82, (length >> 8) as u8, length as u8]),
    }
    der.extend(content);
    der
}

/// A key that says Falcon, in any of its generations, signs and verifies nothing here: its bytes would be those
/// of an FN-DSA key, and then one key would serve both.
#[test]
fn falcon_keys_are_refused() {
    for (option, sizes, lasts) in [
        ("fn-dsa-512", [1281, 897], [1, 6, 11, 16]),
        ("fn-dsa-1024", [2305, 1793], [4, 9, 14, 19]),
    ] {
        let place = signed(option);
        let before = place.names().len();
        let secret = der_of(&place.read("k.pem"));
        let keys = &secret[secret.len() - sizes[0] - sizes[1]..];
        let identifiers = lasts.map(|last| vec![0x2b, 0xce, 0x0f, 0x03, last]);
        let own = [&ARC[2..], &[if sizes[1] == 897 { 9 } else { 10 }]].concat();
        for (i, identifier) in identifiers.into_iter().chain([own]).enumerate() {
            let algorithm = der_value(0x30, &der_value(0x06, &identifier));
            let info = [
                &[0x02, 0x01, 0x00],
                &algorithm[..],
                &der_value(0x04, &der_value(0x04, keys)),
            ]
            .concat();
            place.write_private("f.pem", pem("PRIVATE KEY", &der_value(0x30, &info)));
            let bits = der_value(0x03, &[&[0], &keys[sizes[0]..]].concat());
            let info = der_value(0x30, &[algorithm, bits].concat());
            place.write("f.pub.pem", pem("PUBLIC KEY", &info));
            let sign = ["sign", "-k", "f.pem", "m", "-o", "f.sig"];
            let verify = ["verify", "-k", "f.pub.pem", "m"];
            if i == lasts.len() {
                // With FN-DSA's own identifier, the same files are good.
                place.run(&sign).ended(0);
                place.run(&verify).ended(0);
                continue;
            }
            let words = ["is a Falcon key", "forged across", "--alg fn-dsa-512"];
            for args in [&sign[..], &verify, &["public", "f.pem"]] {
                place.run(args).failed(4, &words);
            }
            assert_eq!(place.names().len(), before + 2);
        }
    }
}

/// One signature has one form here: those that Falcon has beside it are refused.
#[test]
fn signatures_have_one_encoding() {
    for (option, _, size, _) in ALGORITHMS {
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
            not_valid(verify(&place), option);
        }
    }
}

#[test]
fn broken_key_files() {
    let place = signed("fn-dsa-512");
    let (secret, public) = (
        der_of(&place.read("k.pem")),
        der_of(&place.read("k.pub.pem")),
    );
    let changed = |der: &[u8], at: usize, flip: u8| {
        let mut der = der.to_vec();
        der[at] ^= flip;
        der
    };
    let at_f = secret.len() - 897 - 1280;
    let oid = secret.windows(8).position(|w| w == ARC).unwrap() + 8;
    for (what, der) in [
        ("another degree announced", changed(&secret, oid, 9 ^ 10)),
        ("another f", changed(&secret, at_f, 0x04)),
        ("another public key", changed(&secret, secret.len() - 5, 1)),
        ("cut short", secret[..secret.len() - 1].to_vec()),
    ] {
        place.write_private("bad.pem", pem("PRIVATE KEY", &der));
        let run = place.run(&["sign", "-k", "bad.pem", "m", "-o", "new"]);
        assert!(
            run.stderr.contains("bad.pem is not a usable key"),
            "{what}: {run:?}"
        );
        run.ended(4);
        assert!(!place.exists("new"), "{what}");
    }
    let oid_public = public.windows(8).position(|w| w == ARC).unwrap() + 8;
    for (what, der, word) in [
        (
            "another degree announced",
            changed(&public, oid_public, 9 ^ 10),
            "identifier announces",
        ),
        (
            "a coefficient of q or more",
            {
                let mut der = public.clone();
                let at = der.len() - 896;
                der[at] = 0xff;
                der
            },
            "identifier announces",
        ),
        ("cut short", public[..public.len() - 1].to_vec(), "broken"),
        (
            "an unknown algorithm",
            changed(&public, oid_public, 0x7f),
            "unknown algorithm 2.25.2041985364.118",
        ),
    ] {
        place.write("bad.pem", pem("PUBLIC KEY", &der));
        let run = place.run(&["verify", "-k", "bad.pem", "m"]);
        assert!(run.stderr.contains(word), "{what}: {run:?}");
        run.ended(4);
    }
}

/// Any byte of a key file changed: it is read or refused, with a documented code, and the signature
/// does not verify under another key.
#[test]
fn no_broken_key_file_panics() {
    let place = signed("fn-dsa-512");
    let (secret, public) = (place.read("k.pem"), place.read("k.pub.pem"));
    let replacements = [b'-', b'A', b'\n', 0, 0xff];
    for (i, replacement) in (0..secret.len())
        .step_by(41)
        .zip(replacements.into_iter().cycle())
    {
        let mut bytes = secret.clone();
        bytes[i] = replacement;
        place.write_private("bad.pem", &bytes);
        let run = place.run(&["public", "bad.pem"]);
        assert!(matches!(run.code, Some(0 | 4)), "byte {i}: {run:?}");
        if run.code == Some(0) {
            assert_eq!(run.stdout, public, "byte {i}");
        }
    }
    for (i, replacement) in (0..public.len())
        .step_by(23)
        .zip(replacements.into_iter().cycle())
    {
        let mut bytes = public.clone();
        bytes[i] = replacement;
        place.write("bad.pem", &bytes);
        let run = place.run(&["verify", "-k", "bad.pem", "m"]);
        let expected = if der_of_lossy(&bytes) == der_of_lossy(&public) {
            &[0, 4][..]
        } else {
            &[1, 4]
        };
        assert!(expected.contains(&run.code.unwrap()), "byte {i}: {run:?}");
    }
}

/// What a lenient reader makes of a PEM file; `None` if that is not text.
fn der_of_lossy(pem: &[u8]) -> Option<Vec<u8>> {
    std::str::from_utf8(pem).ok()?;
    Some(der_of(pem))
}

#[test]
fn signatures_are_never_overwritten_unasked() {
    let place = signed("fn-dsa-1024");
    let before = place.read("m.sig");
    place
        .run(&["sign", "-k", "k.pem", "m"])
        .failed(3, &["m.sig exists already", "--force"]);
    assert_eq!(place.read("m.sig"), before);
    place.run(&["sign", "-k", "k.pem", "m", "--force"]).ended(0);
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
        "keygen --alg fn-dsa-1024 -o new.pem",
        "sign -k k.pem m -o new.sig",
    ] {
        shell("trap '' XFSZ; ulimit -f 0", args).failed(3, &["cannot write"]);
        assert_eq!(place.names(), before, "{args}");
    }
    let large = std::fs::File::create(place.path("large")).unwrap();
    large.set_len(128 << 20).unwrap();
    shell("ulimit -v 65536", "sign -k k.pem large").ended(0);
    shell("ulimit -v 65536", "verify -k k.pub.pem large").ended(0);
}
