//! Key files of FN-DSA: their form, and those that are none.

use crate::fn_dsa::signed;
use crate::harness::*;

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
            let sign = ["sign", "--format", "raw", "-k", "f.pem", "m", "-o", "f.sig"];
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
        let run = place.run(&["sign", "--format", "raw", "-k", "bad.pem", "m", "-o", "new"]);
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
