//! Every form of signature file, in both directions, with the programs that have it.

use crate::harness::*;
use crate::tools::*;
use serde_json::Value;

#[track_caller]
fn json(place: &Place, args: &str, code: i32) -> Value {
    let args: Vec<&str> = args.split(' ').chain(["--json"]).collect();
    place.run(&args).ended(code).json()
}

/// The one result of a verification.
#[track_caller]
fn verdict(place: &Place, args: &str, code: i32) -> Value {
    let json = json(place, &format!("verify {args}"), code);
    assert_eq!(json["valid"], code == 0, "{json}");
    json["results"][0].clone()
}

/// A message `m`, the key of RFC 8032 as a key of OpenSSH, `k`, and its public half, `k.pub`.
fn place() -> Place {
    let place = Place::new().with_keys();
    place.write("m", long_message());
    let convert = "convert k.pem --to openssh -o k --no-password -C me@example.org";
    json(&place, convert, 0);
    json(&place, "convert k --public --to openssh -o k.pub", 0);
    place
}

#[test]
fn ssh_signatures_both_ways() {
    let place = place();
    if !have("ssh-keygen", "SSH signatures") {
        return;
    }
    for (namespace, hash) in [
        ("file", "sha512"),
        ("file", "sha256"),
        ("a@example.org", "sha512"),
    ] {
        json(
            &place,
            &format!("sign -k k m -n {namespace} --hash {hash} --force"),
            0,
        );
        let ours = place.read("m.sig");
        let line = format!(
            "ssh-keygen -Y check-novalidate -n {namespace} -s m.sig < m
             rm m.sig; ssh-keygen -q -Y sign -f k -n {namespace} -O hashalg={hash} m"
        );
        script(&place, &line);
        assert_eq!(
            place.read("m.sig"),
            ours,
            "Ed25519 has one signature: {line}"
        );
        let found = verdict(&place, &format!("-k k.pub m -n {namespace}"), 0);
        assert_eq!(found["namespace"], namespace);
        assert_eq!(found["hash"], hash);
        assert_eq!(found["fingerprint"], RFC8032_FINGERPRINT);
        let other = verdict(&place, "-k k.pub m -n other", 1);
        assert!(
            other["reason"].as_str().unwrap().contains("\"other\""),
            "{other}"
        );
    }
    // FN-DSA signs under a name of its own, which ssh-keygen does not know.
    for algorithm in ["fn-dsa-512", "fn-dsa-1024"] {
        json(
            &place,
            &format!("keygen --no-password -a {algorithm} -o f.pem --force"),
            0,
        );
        json(&place, "sign -k f.pem m --force", 0);
        assert_eq!(verdict(&place, "-k f.pub.pem m", 0)["algorithm"], algorithm);
        verdict(&place, "-k k.pub m", 1);
        let checked = try_script(
            &place,
            "ssh-keygen -Y check-novalidate -n file -s m.sig < m",
        );
        assert_ne!(checked.0, Some(0));
    }
}

/// A key that a signature names is not trusted because it does.
#[test]
fn nobody_is_trusted_unasked() {
    let place = place();
    json(&place, "sign -k k m", 0);
    let found = verdict(&place, "m", 5);
    assert_eq!(found["verdict"], "unknown_signer");
    assert_eq!(found["fingerprint"], RFC8032_FINGERPRINT);
    let run = place.run(&["verify", "m"]).ended(5);
    assert!(run.text().starts_with("UNKNOWN SIGNER: m\n"), "{run:?}");
    // Neither is one that is wrong unknown: it is not valid.
    place.write("m", "other");
    assert_eq!(verdict(&place, "m", 1)["verdict"], "not_valid");
    for format in ["minisign", "signify"] {
        json(
            &place,
            &format!("sign -k k m --format {format} --force -o s"),
            0,
        );
        let found = verdict(&place, "m -s s", 5);
        assert_eq!(found["key_id"], json(&place, "inspect s", 0)["key_id"]);
        assert!(found["fingerprint"].is_null());
    }
    json(&place, "sign -k k m --format raw -o raw", 0);
    let error = json(&place, "verify m -s raw", 2);
    assert_eq!(error["error"]["kind"], "usage");
    // A key of small order, which anybody can sign for, is not even named.
    place.write(
        "weak.pem",
        public_pem(ED25519_PUBLIC_DER, &format!("01{}", "00".repeat(31))),
    );
    let weak = json(&place, "convert weak.pem --to raw -o weak.raw", 0);
    assert_eq!(weak["ok"], true);
    let mut blob = b"SSHSIG\0\0\0\x01".to_vec();
    let part = |out: &mut Vec<u8>, bytes: &[u8]| {
        out.extend((bytes.len() as u32).to_be_bytes());
        out.extend(bytes);
    };
    let mut key = Vec::new();
    part(&mut key, b"ssh-ed25519");
    part(&mut key, &place.read("weak.raw"));
    let mut inner = Vec::new();
    part(&mut inner, b"ssh-ed25519");
    part(&mut inner, &[place.read("weak.raw"), vec![0; 32]].concat());
    for bytes in [&key[..], b"file", b"", b"sha512", &inner] {
        part(&mut blob, bytes);
    }
    place.write("m.sig", blob);
    let error = json(&place, "verify m", 4);
    assert_eq!(error["error"]["kind"], "weak_key");
}

#[test]
fn keys_may_stand_on_the_command_line() {
    let place = place();
    json(&place, "sign -k k m", 0);
    let line = String::from_utf8(place.read("k.pub")).unwrap();
    let minisign = place
        .run(&["convert", "k.pub", "--to", "minisign"])
        .ended(0);
    let minisign = minisign.text().lines().nth(1).unwrap();
    let base64 = place.run(&["convert", "k.pub", "--to", "base64"]).ended(0);
    let base64 = base64.text().trim();
    let jwk = place.run(&["convert", "k.pub", "--to", "jwk"]).ended(0);
    let pem = String::from_utf8(place.read("k.pub.pem")).unwrap();
    let commented = format!("Comment: alice\n{pem}");
    for args in [
        ["-P", pem.trim()],
        ["-P", &commented],
        ["--public-key", &pem],
        ["-P", jwk.text()],
        ["-P", line.trim()],
        ["-P", RFC8032_PUBLIC],
        ["-P", base64],
        ["-P", minisign],
        ["--key-base64", base64],
    ] {
        let verify = [&["verify", "m"][..], &args].concat();
        place.run(&verify).ended(0);
    }
    let secret = format!("{RFC8032_SECRET}{RFC8032_PUBLIC}");
    let secret_pem = String::from_utf8(place.read("k.pem")).unwrap();
    let openssh = String::from_utf8(place.read("k")).unwrap();
    let secret_jwk = place.run(&["convert", "k", "--to", "jwk", "--no-password", "-o", "-"]);
    let secret_jwk = secret_jwk.ended(0).text().to_owned();
    for (args, word) in [
        (["-P", "k.pub"], "a file is named with -k"),
        (["-P", ""], "is not a public key"),
        (["-P", &secret], "secret keys stay in files"),
        (["-P", &secret_pem], "secret keys stay in files"),
        (["-P", &secret_jwk], "secret keys stay in files"),
        (["-P", &openssh], "secret keys stay in files"),
        (["-k", "-"], "standard input"),
    ] {
        let verify = [&["verify", "m"][..], &args].concat();
        place.run(&verify).failed(2, &[word]);
    }
    if have("openssl", "a certificate on the command line") {
        let make = "openssl req -x509 -key k.pem -subj /CN=me -days 1 -out certificate 2> log";
        script(&place, make);
        let certificate = String::from_utf8(place.read("certificate")).unwrap();
        let verify = ["verify", "m", "-P", &certificate];
        place
            .run(&verify)
            .failed(2, &["certificate: name its file"]);
    }
    let two = place.run(&["verify", "m", "-k", "k.pub", "-P", base64]);
    two.failed(2, &["cannot be used with"]);
}

#[test]
fn signatures_of_minisign() {
    let place = place();
    for args in ["", " --legacy", " -t trusted -c untrusted"] {
        json(
            &place,
            &format!("sign -k k m --format minisign --force{args}"),
            0,
        );
        let found = verdict(&place, "-k k.pub m -s m.minisig", 0);
        assert_eq!(found["mode"] == "pure", args == " --legacy");
        let says = found["trusted_comment"].as_str().unwrap();
        assert!(says == "trusted" || says.contains("file:m"), "{says}");
        // Without a word, it is found under the name that minisign gives it.
        verdict(&place, "-k k.pub m", 0);
        let good = String::from_utf8(place.read("m.minisig")).unwrap();
        let lines: Vec<&str> = good.lines().collect();
        for (what, bad, code) in [
            (
                "first comment",
                good.replace(lines[0], "untrusted comment: x"),
                0,
            ),
            (
                "trusted comment",
                good.replace(lines[2], "trusted comment: x"),
                1,
            ),
            (
                "no trusted comment",
                format!("{}\n{}\n", lines[0], lines[1]),
                if args == " --legacy" { 0 } else { 4 },
            ),
            (
                "no second signature",
                format!("{}\n{}\n{}\n", lines[0], lines[1], lines[2]),
                4,
            ),
            ("more", format!("{good}x\n"), 4),
        ] {
            place.write("bad", bad);
            let run = place.run(&["verify", "-k", "k.pub", "m", "-s", "bad"]);
            assert_eq!(run.code, Some(code), "{what}: {run:?}");
        }
        place.write("other", "other");
        verdict(&place, "-k k.pub other -s m.minisig", 1);
    }
    // What is left of one without its trusted comment is one of signify, and no longer one of minisign.
    json(&place, "sign -k k m --format minisign --legacy --force", 0);
    let whole = String::from_utf8(place.read("m.minisig")).unwrap();
    let cut: Vec<&str> = whole.lines().take(2).collect();
    place.write("cut", format!("{}\n", cut.join("\n")));
    for (file, format, code) in [
        ("m.minisig", "minisign", 0),
        ("m.minisig", "signify", 0),
        ("cut", "signify", 0),
    ] {
        verdict(
            &place,
            &format!("-k k.pub m -s {file} --format {format}"),
            code,
        );
    }
    let error = json(&place, "verify -k k.pub m -s cut --format minisign", 4);
    assert_eq!(error["error"]["kind"], "bad_signature_file");
    if !have("minisign", "signatures of minisign") {
        return;
    }
    json(&place, "convert k --to minisign --no-password -o k.mini", 0);
    json(&place, "convert k --public --to minisign -o k.minipub", 0);
    for args in ["", " --legacy"] {
        json(
            &place,
            &format!("sign -k k m --format minisign --force{args}"),
            0,
        );
        let said = script(&place, "minisign -V -p k.minipub -m m");
        assert!(said.contains("comment signature verified"), "{said}");
    }
    for (option, mode) in [("-H", "prehashed"), ("-l", "pure")] {
        script(
            &place,
            &format!("minisign -S {option} -s k.mini -m m -t 'so it is' < /dev/null"),
        );
        let found = verdict(&place, "-k k.minipub m -s m.minisig", 0);
        assert_eq!(
            (&found["mode"], &found["trusted_comment"]),
            (&mode.into(), &"so it is".into())
        );
        verdict(&place, "-k k.pub.pem m -s m.minisig", 0);
    }
    // A key with another number is another key, as for minisign.
    script(
        &place,
        "minisign -G -W -p other.pub -s other.key; cp k.pub.pem x.pem",
    );
    let found = verdict(&place, "-k other.pub m -s m.minisig", 1);
    assert!(
        found["reason"]
            .as_str()
            .unwrap()
            .contains("with the number"),
        "{found}"
    );
}

#[test]
fn signatures_of_signify() {
    let place = place();
    json(&place, "sign -k k m --format signify", 0);
    verdict(&place, "-k k.pub m --format signify", 0);
    if !have("signify-openbsd", "signatures of signify") {
        return;
    }
    json(&place, "convert k --to signify --no-password -o k.sec", 0);
    json(&place, "convert k --public --to signify -o k.spub", 0);
    script(
        &place,
        "signify-openbsd -V -p k.spub -m m -x m.sig; signify-openbsd -S -s k.sec -m m -x s",
    );
    verdict(&place, "-k k.spub m -s s", 0);
    let signature = |name: &str| {
        place
            .read(name)
            .split(|&b| b == b'\n')
            .nth(1)
            .unwrap()
            .to_vec()
    };
    assert_eq!(signature("s"), signature("m.sig"));
}

/// As `signify -S -e` writes them, and `sign-tree`, with the message after the signature.
#[test]
fn signatures_of_signify_with_their_messages() {
    let place = place();
    json(&place, "convert k --to signify --no-password -o k.sec", 0);
    json(&place, "convert k --public --to signify -o k.spub", 0);
    // Longer than signatures are, in lines that may be taken for something else, and without an end.
    let long: Vec<u8> = (0..300_000u32).map(|i| (i % 251) as u8).collect();
    let comment = b"trusted comments: none\n".to_vec();
    for (what, message) in [
        ("long", long),
        ("blank lines", b"\n\na\n\n".to_vec()),
        ("nearly a comment", comment),
        ("no line feed", b"a".to_vec()),
    ] {
        place.write("e", &message);
        json(&place, "sign -k k.sec e --format signify --force", 0);
        let alone = place.read("e.sig");
        place.write("e.sig", [&alone[..], &message].concat());
        let said = verdict(&place, "-k k.spub e", 0);
        assert_eq!(said["format"], "signify", "{what}");
        verdict(&place, "-k k.spub e --format signify", 0);
        json(&place, "verify -k k.spub e -s e.sig --format minisign", 4);
        let said = json(&place, "inspect e.sig", 0);
        assert_eq!(said["format"], "signify", "{what}");
        assert_eq!(said["has_message"], true, "{what}");
        let run = place.run_with_stdin(&["verify", "-k", "k.spub", "-", "-s", "e.sig"], &message);
        run.ended(0);
        if have("signify-openbsd", "messages after signatures of signify") {
            script(
                &place,
                "signify-openbsd -V -e -p k.spub -m out -x e.sig; cmp out e",
            );
            script(&place, "signify-openbsd -S -e -s k.sec -m e -x theirs");
            verdict(&place, "-k k.spub e -s theirs", 0);
        }
        // One of the two messages is another one.
        for other in [
            [&message[..], b"\n"].concat(),
            [b"\n", &message[..]].concat(),
            message[..message.len() - 1].to_vec(),
            [&message[..], &message].concat(),
        ] {
            place.write("other", &other);
            let said = verdict(&place, "-k k.spub other -s e.sig", 1);
            assert_eq!(said["reason"], "another message stands after the signature");
            if !other.trim_ascii().is_empty() {
                place.write("swapped", [&alone[..], &other].concat());
                let said = verdict(&place, "-k k.spub e -s swapped", 1);
                assert_eq!(said["reason"], "another message stands after the signature");
            }
        }
    }
    std::fs::create_dir(place.path("t")).unwrap();
    place.write("t/a", "a");
    json(&place, "sign-tree -k k.sec t --format signify", 0);
    verdict(&place, "-k k.spub t/SHA256SUMS", 0);
    assert_eq!(
        json(&place, "inspect t/SHA256SUMS.sig", 0)["format"],
        "signify"
    );
    // Where both are the same, they must still be what was signed.
    place.write("t/SHA256SUMS", "x\n");
    script(
        &place,
        "head -n 2 t/SHA256SUMS.sig > x; cat x t/SHA256SUMS > t/SHA256SUMS.sig",
    );
    let said = verdict(&place, "-k k.spub t/SHA256SUMS", 1);
    assert_eq!(said["reason"], Value::Null);
    // A signature of a hash has its comment and nothing else after it.
    json(&place, "sign -k k m --format minisign -o h", 0);
    script(&place, "(head -n 2 h; echo m) > h2");
    json(&place, "verify -k k.pub m -s h2", 4);
}

#[test]
fn bare_signatures() {
    let place = place();
    json(&place, "sign -k k m --format raw", 0);
    json(&place, "sign -k k m --format base64 -o m.b64", 0);
    assert_eq!(place.read("m.sig").len(), 64);
    for file in ["m.sig", "m.b64"] {
        let found = verdict(&place, &format!("-k k.pub m -s {file}"), 0);
        assert_eq!(found["mode"], "pure");
    }
    if have("openssl", "bare signatures") {
        script(
            &place,
            "openssl pkeyutl -verify -pubin -inkey k.pub.pem -rawin -in m -sigfile m.sig
             openssl base64 -d -A -in m.b64 > decoded; cmp decoded m.sig",
        );
    }
    json(&place, "sign -k k m --format openssl --force", 0);
    let error = json(&place, "verify -k k.pub m --format ssh", 4);
    assert_eq!(error["error"]["kind"], "bad_signature_file");
}

/// A bare signature that begins as COSE_Sign1 does, of a message that was searched for it.
#[test]
fn a_bare_signature_is_none_of_cose() {
    const SEED: &str = "a4b695d7ea76d37a4bc300f9732eff495a5e63e652ade3bbf01c69a4ef919166";
    const SIGNATURE: &str = "d2844bc05c439dbb9db9f63cc2074948a030024b40611b8594d393ac741fe40b\
                             9a8cf7c545e1ef6aa26be48aec9dd4da8395f012f0be51b6a2c899f47756ae07";
    let place = Place::new();
    place.write_private("k", secret_pem(ED25519_SECRET_DER, SEED));
    place.write("m", "message 1114472\n");
    for args in [
        "public k -o k.pub",
        "sign -k k m --format raw -o s",
        "sign -k k m --format cose -o c",
    ] {
        json(&place, args, 0);
    }
    assert_eq!(place.read("s"), unhex(SIGNATURE));
    for args in ["-k k.pub m -s s", "-k k.pub m -s s --format raw"] {
        let found = verdict(&place, args, 0);
        assert_eq!(found["format"], "raw");
    }
    assert_eq!(verdict(&place, "-k k.pub m -s c", 0)["format"], "cose");
    json(&place, "verify -k k.pub m -s c --format raw", 4);
    json(&place, "verify -k k.pub m -s s --format cose", 4);
    place.write("m", "message 1114473\n");
    verdict(&place, "-k k.pub m -s s", 1);
    // A hybrid's begins with that of Ed25519: bytes of its length are COSE only if they are whole.
    let keygen = "keygen -a ed25519+fn-dsa-512 --no-password -o h --public h.pub";
    json(&place, keygen, 0);
    let mut bytes = unhex(SIGNATURE);
    bytes.resize(730, 7);
    place.write("s", bytes);
    assert_eq!(verdict(&place, "-k h.pub m -s s", 1)["format"], "raw");
}

/// Comments are bytes: minisign verifies whatever stands in them.
#[test]
fn comments_that_are_not_utf8() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    let sign = |message: &[u8]| {
        place.write("x", message);
        json(&place, "sign -k k.pem x --format raw -o s --force", 0);
        place.read("s")
    };
    let base64 = |bytes: &[u8]| {
        let text = pem("X", bytes);
        let lines = text.lines().filter(|line| !line.starts_with('-'));
        lines.collect::<String>().into_bytes()
    };
    let signature = sign(b"m");
    let tie = sign(&[&signature[..], b"sign\xe9 \xff"].concat());
    let line = base64(&[&b"Ed\x01\x02\x03\x04\x05\x06\x07\x08"[..], &signature].concat());
    let file = |trusted: &[u8], feed: &[u8]| {
        [
            &b"untrusted comment: \xe9"[..],
            feed,
            &line,
            feed,
            b"trusted comment: ",
            trusted,
            feed,
            &base64(&tie),
            feed,
        ]
        .concat()
    };
    for feed in [&b"\n"[..], b"\r\n"] {
        place.write("m.minisig", file(b"sign\xe9 \xff", feed));
        let found = verdict(&place, "-k k.pub.pem m", 0);
        assert_eq!(found["trusted_comment"], "sign\u{fffd} \u{fffd}");
        let found = json(&place, "inspect m.minisig", 0);
        assert_eq!(found["trusted_comment"], "sign\u{fffd} \u{fffd}");
    }
    // Other bytes that look the same are other bytes.
    for other in [&b"sign\xe8 \xff"[..], b"sign\xef\xbf\xbd \xef\xbf\xbd"] {
        place.write("m.minisig", file(other, b"\n"));
        let found = verdict(&place, "-k k.pub.pem m", 1);
        assert_eq!(found["reason"], "its trusted comment was changed");
    }
    if !have("minisign", "comments that are not UTF-8") {
        return;
    }
    script(
        &place,
        "minisign -G -W -p p -s s.key > /dev/null; chmod 600 s.key
         minisign -S -s s.key -m m -t \"$(printf 'a\\344b')\" -c \"$(printf 'c\\344')\" < /dev/null
         minisign -V -p p -m m; sed -i \"1s/.*/$(printf 'untrusted comment: \\344')/\" s.key p
         minisign -V -p p -m m; minisign -S -s s.key -m m -x other < /dev/null",
    );
    verdict(&place, "-k p m", 0);
    json(&place, "sign -k s.key m --format minisign --force", 0);
    script(&place, "minisign -V -p p -m m");
}

/// What one format signs is never what another one means.
#[test]
fn formats_do_not_cross() {
    let place = place();
    // The very bytes that an SSH signature for git is of.
    let digest = unhex(&"ab".repeat(64));
    let mut data = b"SSHSIG".to_vec();
    for part in [&b"git"[..], b"", b"sha512", &digest] {
        data.extend((part.len() as u32).to_be_bytes());
        data.extend(part);
    }
    json(&place, "keygen --no-password -a fn-dsa-512 -o f.pem", 0);
    for (what, bytes) in [
        ("SSHSIG", data),
        (
            "DSSE",
            b"DSSEv1 28 application/vnd.in-toto+json 2 {}".to_vec(),
        ),
        ("hybrid", b"LannerHybrid and more".to_vec()),
        ("alone", b"SSHSIG".to_vec()),
    ] {
        place.write("m", bytes);
        for old in ["m.sig", "m.minisig"] {
            let _ = std::fs::remove_file(place.path(old));
        }
        for key in ["k", "f.pem"] {
            for format in ["raw", "base64"] {
                let error = json(&place, &format!("sign -k {key} m --format {format}"), 1);
                assert_eq!(error["error"]["kind"], "refused_message", "{what}");
            }
        }
        for format in ["signify", "minisign --legacy"] {
            let error = json(&place, &format!("sign -k k m --format {format}"), 1);
            assert_eq!(error["error"]["kind"], "refused_message", "{what}");
        }
        // Neither is a signature taken that somebody else has made.
        if have(
            "openssl",
            "bare signatures of what begins as SSH signatures do",
        ) {
            script(
                &place,
                "openssl pkeyutl -sign -inkey k.pem -rawin -in m -out s",
            );
            let error = json(&place, "verify -k k.pub m -s s", 1);
            assert_eq!(error["error"]["kind"], "refused_message", "{what}");
        }
        json(&place, "sign -k k m --force", 0);
        verdict(&place, "-k k.pub m", 0);
        json(&place, "sign -k k m --format minisign --force", 0);
        assert!(!place.exists("m.sig.sig"));
    }
}

#[test]
fn several_files() {
    let place = place();
    place.write("n", "n");
    place.write("o", "o");
    let signed = json(&place, "sign -k k m n o", 0);
    assert_eq!(signed["results"].as_array().unwrap().len(), 3);
    let found = json(&place, "verify -k k.pub m n o", 0);
    assert_eq!(found["results"].as_array().unwrap().len(), 3);
    // The others are looked at all the same, and the worst decides.
    place.write("n", "tampered");
    std::fs::remove_file(place.path("o.sig")).unwrap();
    let found = json(&place, "verify -k k.pub m n o", 1);
    assert_eq!(found["results"][0]["valid"], true);
    assert_eq!(found["results"][1]["valid"], false);
    assert_eq!(found["results"][2]["error"]["kind"], "not_found");
    let run = place.run(&["verify", "-k", "k.pub", "m", "o"]).ended(3);
    assert!(run.text().contains("VALID: m") && run.text().contains("NOT VERIFIED: o"));
    // Nothing is signed if one of the names is taken, and what was signed before a failure is said.
    let error = json(&place, "sign -k k o m", 3);
    assert_eq!(error["error"]["kind"], "already_exists");
    assert!(!place.exists("o.sig"));
    let error = json(&place, "sign -k k o none", 3);
    let message = error["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("none") && message.contains("one signature was written"),
        "{message}"
    );
    for args in [
        "sign -k k m n -o s",
        "verify -k k.pub m n -s s",
        "sign -k k - -",
    ] {
        assert_eq!(json(&place, args, 2)["error"]["kind"], "usage", "{args}");
    }
    // A file that is named twice is found before anything is signed.
    std::fs::create_dir(place.path("d")).unwrap();
    place.write("new", "new");
    place.write("p", "p");
    for args in [
        "sign -k k new new",
        "sign -k k new p ./new",
        "sign -k k d/../new new -f",
    ] {
        let error = json(&place, args, 2);
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains("is named twice"), "{message}");
        assert!(!place.exists("new.sig"), "{args}");
    }
}

/// An option that would have no effect is a mistake, and so is one that stands twice.
#[test]
fn options_that_do_not_apply() {
    let place = place();
    json(&place, "sign -k k m", 0);
    json(&place, "sign -k k m --format raw -o raw", 0);
    for args in [
        "sign -k k m --format raw -n file -o s",
        "sign -k k m --format raw --hash sha256 -o s",
        "sign -k k m --format minisign -n git -o s",
        "sign -k k m --legacy -o s",
        "sign -k k m --format signify --legacy -o s",
        "sign -k k m -c comment -o s",
        "sign -k k m --format signify -t comment -o s",
        "sign -k k m --password-file k.pub -o s",
        "sign -k k m --seed ed25519 -o s",
        "sign -k k m -n two\u{a0}words -o s",
        "verify -k k.pub m -s raw -n file",
        "convert k.pub --to pem --password-file m",
        "convert k.pub --to pem --no-password",
        "convert k --to jwk -o s",
        "sign -k k -k k m -o s",
        "keygen -o s",
        "keygen -o s --no-password --new-password-file m",
        "keygen -o s --to hex",
    ] {
        let error = json(&place, args, 2);
        assert_eq!(error["error"]["kind"], "usage", "{args}: {error}");
        assert!(!place.exists("s"), "{args}");
    }
    for args in [
        "public k --force",
        "convert k.pub --to hex --force",
        "exchange -k x.pem x.pub.pem --force",
        "verify-batch m --from csv --force",
        "verify-attestation -k k.pub m -s m --force",
        "verify-note -k k.pub m --force",
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        place.run(&args).failed(2, &["required", "--output"]);
    }
}

#[test]
fn broken_signature_files() {
    let place = place();
    json(&place, "sign -k k m", 0);
    let good = place.read("m.sig");
    place.write("bad", [&good[..], b"x\n"].concat());
    let run = place.run(&["verify", "-k", "k.pub", "m", "-s", "bad"]);
    run.failed(4, &["there is something after its last line"]);
    place.write("bad", &good[..good.len() - 2]);
    let run = place.run(&["verify", "-k", "k.pub", "m", "-s", "bad"]);
    run.failed(4, &["is the file cut short"]);
    // Every change of one character is refused or not valid, and never a panic.
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] = if bad[at] == b'A' { b'B' } else { b'A' };
        place.write("bad", &bad);
        let run = place.run(&["verify", "-k", "k.pub", "m", "-s", "bad"]);
        assert!(matches!(run.code, Some(1 | 4)), "{at}: {run:?}");
    }
    for length in 0..good.len() - 1 {
        place.write("bad", &good[..length]);
        let run = place.run(&["verify", "-k", "k.pub", "m", "-s", "bad"]);
        assert_eq!(run.code, Some(4), "{length}: {run:?}");
    }
}
