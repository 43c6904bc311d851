//! Every form of key file, in both directions, with the programs that have it.

use crate::harness::*;
use crate::tools::*;
use base64ct::Encoding as _;
use serde_json::Value;

const PASSWORD: &str = "pass wörd";

fn place() -> Place {
    let place = Place::new();
    place.write("pw", format!("{PASSWORD}\n"));
    place.write("wrong", "another\n");
    place
}

#[track_caller]
fn json(place: &Place, args: &str, code: i32) -> Value {
    let args: Vec<&str> = args.split(' ').chain(["--json"]).collect();
    place.run(&args).ended(code).json()
}

/// The key in `file` is that in `public`, for `inspect` without a password and for `public` with it.
#[track_caller]
fn same_key(place: &Place, file: &str, password: bool, fingerprint: &str) {
    let inspected = json(place, &format!("inspect {file}"), 0);
    assert_eq!(inspected["kind"], "secret_key", "{inspected}");
    assert_eq!(inspected["encrypted"], password, "{inspected}");
    let option = if password { " --password-file pw" } else { "" };
    let read = json(place, &format!("public {file}{option}"), 0);
    assert_eq!(read["fingerprint"], fingerprint, "{file}");
    if !password {
        assert_eq!(inspected["fingerprint"], fingerprint, "{file}");
        let error = json(place, &format!("public {file} --password-file pw"), 2);
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains("has no password"), "{error}");
        return;
    }
    for (option, code, kind) in [
        ("", 2, "password_needed"),
        (" --password-file wrong", 4, "wrong_password"),
        (" --password-file none", 3, "not_found"),
        (" --password-env NO_SUCH_VARIABLE", 2, "usage"),
    ] {
        let error = json(place, &format!("public {file}{option}"), code);
        assert_eq!(error["error"]["kind"], kind, "{file}{option}: {error}");
    }
}

#[test]
fn keys_of_openssh() {
    if !have("ssh-keygen", "keys of OpenSSH") {
        return;
    }
    let place = place();
    for (name, options) in [
        ("plain", "-N ''"),
        ("ctr", "-N \"$(cat pw)\""),
        ("ctr192", "-N \"$(cat pw)\" -Z aes192-ctr"),
        ("ctr128", "-N \"$(cat pw)\" -Z aes128-ctr"),
        ("cbc", "-N \"$(cat pw)\" -Z aes256-cbc -a 3"),
    ] {
        script(
            &place,
            &format!("ssh-keygen -q -t ed25519 -C 'me @x' {options} -f {name}"),
        );
        let listed = script(&place, &format!("ssh-keygen -lf {name}.pub"));
        let fingerprint = listed.split(' ').nth(1).unwrap();
        same_key(&place, name, name != "plain", fingerprint);
        let public = json(&place, &format!("inspect {name}.pub"), 0);
        assert_eq!(public["fingerprint"], fingerprint);
        assert_eq!(public["comment"], "me @x");
        // What ssh-keygen has encrypted is named without being opened.
        let inspected = json(&place, &format!("inspect {name}"), 0);
        assert_eq!(inspected["fingerprint"], fingerprint);

        // And back: ssh-keygen opens what lanner writes, and says the same comment.
        let from = if name == "plain" {
            ""
        } else {
            " --password-file pw"
        };
        for (to, password) in [
            ("--no-password", "''"),
            ("--new-password-file pw", "\"$(cat pw)\""),
        ] {
            let line = format!("convert {name} --to openssh -o back --force {to}{from}");
            json(&place, &line, 0);
            let opened = script(&place, &format!("ssh-keygen -y -P {password} -f back"));
            assert_eq!(opened.as_bytes(), place.read(&format!("{name}.pub")));
        }
        let (code, _) = try_script(&place, "ssh-keygen -y -P another -f back");
        assert_ne!(code, Some(0));
    }
    // Ciphers that are rare, keys of other kinds, and several lines.
    script(
        &place,
        "ssh-keygen -q -t ed25519 -N x -Z aes256-gcm@openssh.com -f gcm; ssh-keygen -q -t ecdsa -N '' -f ec
         ssh-keygen -q -t rsa -b 1024 -N '' -f rsa; cat plain.pub ctr.pub > two.pub; chmod 600 two.pub",
    );
    let run = place.run(&["public", "gcm"]);
    run.failed(4, &["aes256-gcm@openssh.com", "ssh-keygen -p -Z"]);
    for (file, word) in [
        ("ec.pub", "an elliptic-curve"),
        ("rsa.pub", "an RSA key"),
        ("ec", "an elliptic-curve"),
        ("rsa", "an RSA key"),
        ("two.pub", "more than one line"),
    ] {
        place.run(&["inspect", file]).failed(4, &[file, word]);
    }
}

#[test]
fn public_keys_of_openssh_from_all() {
    if !have("ssh-keygen", "public keys for OpenSSH") {
        return;
    }
    let place = place().with_keys();
    place.write(
        "k.ssh",
        place
            .run(&["convert", "k.pub.pem", "--to", "openssh"])
            .ended(0)
            .stdout,
    );
    let listed = script(&place, "ssh-keygen -lf k.ssh");
    let inspected = json(&place, "inspect k.pub.pem", 0);
    let fingerprint = inspected["fingerprint"].as_str().unwrap();
    assert!(listed.contains(fingerprint), "{listed}");
}

#[test]
fn keys_of_openssl() {
    if !have("openssl", "keys of OpenSSL") {
        return;
    }
    let place = place();
    for algorithm in ["ed25519", "x25519"] {
        script(
            &place,
            &format!(
                "umask 077; rm -f *.pem *.der; openssl genpkey -algorithm {algorithm} -out plain.pem
                 openssl pkey -in plain.pem -outform DER -out plain.der
                 openssl pkcs8 -topk8 -in plain.pem -passout file:pw -out default.pem
                 openssl pkcs8 -topk8 -in plain.pem -passout file:pw -scrypt -out scrypt.pem
                 openssl pkcs8 -topk8 -in plain.pem -passout file:pw -v2 aes-128-cbc -v2prf hmacWithSHA512 \
                    -iter 1000 -out sha512.pem
                 openssl pkcs8 -topk8 -in plain.pem -passout file:pw -v2 des3 -v2prf hmacWithSHA1 -out sha1.pem
                 openssl pkcs8 -topk8 -in plain.pem -passout file:pw -scrypt -outform DER -out scrypt.der"
            ),
        );
        let fingerprint = json(&place, "public plain.pem", 0)["fingerprint"].clone();
        let fingerprint = fingerprint.as_str().unwrap();
        for file in ["plain.pem", "plain.der"] {
            same_key(&place, file, false, fingerprint);
        }
        for file in [
            "default.pem",
            "scrypt.pem",
            "sha512.pem",
            "sha1.pem",
            "scrypt.der",
        ] {
            same_key(&place, file, true, fingerprint);
        }
        let plain = script(&place, "openssl pkey -in plain.pem");
        for (to, inform) in [("pem", "PEM"), ("der", "DER")] {
            for (option, pass) in [
                ("--no-password", ""),
                ("--new-password-file pw", "-passin file:pw"),
            ] {
                let line = format!("convert plain.der --to {to} -o back --force -C me {option}");
                json(&place, &line, 0);
                let read = format!("openssl pkey -in back -inform {inform} {pass}");
                assert_eq!(script(&place, &read), plain, "{line}");
            }
        }
        // Public keys, and certificates.
        script(
            &place,
            "openssl pkey -in plain.pem -pubout -outform DER -out pub.der",
        );
        assert_eq!(
            json(&place, "inspect pub.der", 0)["fingerprint"],
            fingerprint
        );
        json(&place, "convert pub.der --to der -o again.der", 0);
        assert_eq!(place.read("again.der"), place.read("pub.der"));
        json(
            &place,
            "convert plain.pem --public --to pem -o again.pem",
            0,
        );
        let read = script(&place, "openssl pkey -pubin -in again.pem");
        assert_eq!(read, script(&place, "openssl pkey -in plain.pem -pubout"));
        if algorithm == "ed25519" {
            script(
                &place,
                "openssl req -x509 -new -key plain.pem -subj '/CN=alice' -days 2 -out c.pem
                 openssl x509 -in c.pem -outform DER -out c.der",
            );
            for (file, form) in [("c.pem", "x509-pem"), ("c.der", "x509-der")] {
                let inspected = json(&place, &format!("inspect {file}"), 0);
                assert_eq!(inspected["fingerprint"], fingerprint);
                assert_eq!(inspected["format"], form);
                assert_eq!(inspected["comment"], "CN=alice");
                assert_eq!(inspected["kind"], "public_key");
            }
        }
    }
    script(
        &place,
        "openssl genpkey -algorithm ed448 -out 448.pem; openssl req -x509 -new -key 448.pem -subj /CN=x -out 448.crt",
    );
    place.run(&["inspect", "448.crt"]).failed(4, &["Ed448"]);
}

#[test]
fn keys_of_minisign() {
    if !have("minisign", "keys of minisign") {
        return;
    }
    let place = place();
    place.write("m", "a message\n");
    script(
        &place,
        "minisign -G -W -p plain.pub -s plain.key
         (cat pw; cat pw) | minisign -G -p secret.pub -s secret.key
         echo '' > empty; (cat empty; cat empty) | minisign -G -p empty.pub -s empty.key; chmod 600 *.key",
    );
    for (name, password) in [("plain", false), ("secret", true)] {
        let public = json(&place, &format!("inspect {name}.pub"), 0);
        let number = public["key_id"].as_str().unwrap();
        let text = String::from_utf8(place.read(&format!("{name}.pub"))).unwrap();
        assert!(text.contains(number), "{text}");
        same_key(
            &place,
            &format!("{name}.key"),
            password,
            public["fingerprint"].as_str().unwrap(),
        );
        let from = if password { "--password-file pw" } else { "" };
        for (option, input) in [
            ("--no-password", "/dev/null"),
            ("--new-password-file pw", "pw"),
        ] {
            let line = format!("convert {name}.key --to minisign -o back --force {option} {from}");
            let wrote = json(&place, line.trim(), 0);
            assert_eq!(wrote["key_id"], number);
            script(
                &place,
                &format!(
                    "minisign -S -s back -m m < {input}; minisign -V -p {name}.pub -m m
                     minisign -R -s back -p again.pub < {input}; cmp again.pub {name}.pub; rm again.pub"
                ),
            );
        }
        json(
            &place,
            &format!("convert {name}.pub --to minisign -o again --force"),
            0,
        );
        assert_eq!(place.read("again"), place.read(&format!("{name}.pub")));
    }
    // minisign takes an empty password for one.
    let empty = json(&place, "inspect empty.key", 0);
    if empty["encrypted"] == true {
        let opened = json(&place, "public empty.key --password-file empty", 0);
        assert_eq!(
            opened["fingerprint"],
            json(&place, "inspect empty.pub", 0)["fingerprint"]
        );
    }
}

#[test]
fn keys_of_signify() {
    if !have("signify-openbsd", "keys of signify") {
        return;
    }
    let place = place();
    place.write("m", "a message\n");
    script(
        &place,
        "signify-openbsd -G -n -p plain.pub -s plain.sec -c 'me too'",
    );
    let public = json(&place, "inspect plain.pub", 0);
    assert_eq!(public["comment"], "me too");
    same_key(
        &place,
        "plain.sec",
        false,
        public["fingerprint"].as_str().unwrap(),
    );
    json(
        &place,
        "convert plain.sec --to signify -o back.sec --no-password",
        0,
    );
    script(
        &place,
        "signify-openbsd -S -s back.sec -m m -x m.sig; signify-openbsd -V -p plain.pub -m m -x m.sig",
    );
    json(
        &place,
        "convert plain.sec --public --to signify -o back.pub",
        0,
    );
    assert_eq!(place.read("back.pub"), place.read("plain.pub"));

    // signify asks for passwords at a terminal only.
    json(
        &place,
        "convert plain.sec --to signify -o locked.sec --new-password-file pw",
        0,
    );
    same_key(
        &place,
        "locked.sec",
        true,
        public["fingerprint"].as_str().unwrap(),
    );
    assert_eq!(
        json(&place, "inspect locked.sec", 0)["key_id"],
        public["key_id"]
    );
    if !have("script", "keys of signify under a password") {
        return;
    }
    place.write(
        "sign",
        format!("#!/bin/sh\n(sleep 1; printf '%s\\n' '{PASSWORD}'; sleep 2) | script -qec \"$1\" /dev/null\n"),
    );
    script(
        &place,
        "sh sign 'signify-openbsd -S -s locked.sec -m m -x locked.sig'
         signify-openbsd -V -p plain.pub -m m -x locked.sig",
    );
    place.write(
        "make",
        format!(
            "(sleep 1; printf '%s\\n' '{PASSWORD}'; sleep 1; printf '%s\\n' '{PASSWORD}'; sleep 2) |
             script -qec 'signify-openbsd -G -p own.pub -s own.sec' /dev/null\n"
        ),
    );
    script(&place, "sh make");
    let own = json(&place, "inspect own.pub", 0);
    same_key(
        &place,
        "own.sec",
        true,
        own["fingerprint"].as_str().unwrap(),
    );
}

/// RFC 8037, appendix A: the key of RFC 8032 as a web key.
#[test]
fn web_keys() {
    let place = place().with_keys();
    const PUBLIC: &str =
        r#""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#;
    const SECRET: &str = r#""d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A""#;
    place.write("public.jwk", format!("{{{PUBLIC}}}"));
    place.write_private("secret.jwk", format!("{{{PUBLIC},{SECRET}}}"));
    let fingerprint = json(&place, "inspect k.pem", 0)["fingerprint"].clone();
    same_key(&place, "secret.jwk", false, fingerprint.as_str().unwrap());
    assert_eq!(
        json(&place, "inspect public.jwk", 0)["fingerprint"],
        fingerprint
    );
    json(
        &place,
        "convert k.pem --to jwk --no-password -o back.jwk",
        0,
    );
    assert_eq!(
        place.read("back.jwk"),
        format!("{{{PUBLIC},{SECRET}}}\n").into_bytes()
    );
    let public = place.run(&["convert", "k.pub.pem", "--to", "jwk"]).ended(0);
    assert_eq!(public.text(), format!("{{{PUBLIC}}}\n"));
    json(&place, "convert x.pem --to jwk --no-password -o x.jwk", 0);
    let x = json(&place, "inspect x.pem", 0);
    assert_eq!(
        json(&place, "inspect x.jwk", 0)["fingerprint"],
        x["fingerprint"]
    );
    for (name, content, word) in [
        ("foreign", r#"{"kty":"EC","crv":"P-256"}"#.to_owned(), "EC"),
        ("set", r#"{"keys":[]}"#.to_owned(), "set of keys"),
        ("no key", r#"{"a":1}"#.to_owned(), "no key"),
        (
            "short",
            r#"{"kty":"OKP","crv":"Ed25519","x":"11qY"}"#.to_owned(),
            "32 bytes",
        ),
        (
            "curve",
            format!("{{{}}}", PUBLIC.replace("Ed25519", "Ed448")),
            "Ed448",
        ),
        (
            "other",
            format!("{{{PUBLIC},{}}}", SECRET.replace("nWG", "mWG")),
            "does not belong",
        ),
        ("broken", format!("{{{PUBLIC}"), "not JSON"),
    ] {
        place.write_private(name, content);
        place.run(&["public", name]).failed(4, &[name]);
        place.run(&["inspect", name]).failed(4, &[name, word]);
    }
}

/// What others have written into the comment of a key begins no line in the files that are made of it.
#[test]
fn comments_of_others_are_one_line() {
    let place = place().with_keys();
    const KEY: &str =
        r#""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#;
    const SECRET: &str = r#""d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A""#;
    let evil = [
        "alice\\n* ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIGf".to_owned(),
        "alice\\r".to_owned(),
        "\\u001b[2J".to_owned(),
        "\\u009b2J".to_owned(),
        "x".repeat(2000),
    ];
    for kid in &evil {
        place.write("p.jwk", format!("{{{KEY},\"kid\":\"{kid}\"}}"));
        place.write_private("s.jwk", format!("{{{KEY},{SECRET},\"kid\":\"{kid}\"}}"));
        for (to, lines) in [("openssh", 1), ("pem", 4), ("minisign", 2), ("signify", 2)] {
            for key in ["p.jwk", "s.jwk"] {
                let convert = ["convert", key, "--public", "--to", to];
                let run = place.run(&convert);
                run.failed(4, &["the comment of", key, "-C COMMENT"]);
                let run = place.run(&[&convert[..], &["-o", "out"]].concat());
                run.failed(4, &["the comment of"]);
                let secret = ["convert", "s.jwk", "--no-password", "--to", to, "-o", "out"];
                place.run(&secret).failed(4, &["the comment of"]);
                assert!(!place.exists("out"), "{kid}");
                let run = place.run(&[&convert[..], &["-C", "x"]].concat()).ended(0);
                assert_eq!(run.text().lines().count(), lines, "{to}: {run:?}");
            }
        }
        let run = place.run(&["public", "s.jwk", "-o", "out"]);
        run.failed(4, &["the comment of", "--public --to pem -C"]);
        assert!(!place.exists("out"), "{kid}");
        // Where there is no room for it, it does no harm.
        let run = place.run(&["convert", "p.jwk", "--to", "hex"]).ended(0);
        assert_eq!(run.text().trim(), RFC8032_PUBLIC);
    }
    if have("ssh-keygen", "comments of several lines in keys of OpenSSH") {
        script(
            &place,
            "ssh-keygen -q -t ed25519 -N '' -C \"$(printf 'a\\nssh-ed25519 AAAA')\" -f nl",
        );
        for args in [
            "public nl",
            "convert nl --to openssh --no-password -o out",
            "convert nl --public --to openssh",
        ] {
            let error = json(&place, args, 4);
            assert_eq!(error["error"]["kind"], "bad_key", "{args}");
        }
        assert!(!place.exists("out"));
        json(
            &place,
            "convert nl --to openssh --no-password -o out -C a",
            0,
        );
        assert_eq!(json(&place, "inspect out", 0)["comment"], "a");
    }
}

#[test]
fn bare_bytes() {
    let place = place().with_keys();
    let fingerprint = json(&place, "inspect k.pem", 0)["fingerprint"].clone();
    for to in ["raw", "hex", "base64"] {
        let secret = format!("convert k.pem --to {to} --no-password -o k.{to}");
        json(&place, &secret, 0);
        json(&place, &format!("convert k.pub.pem --to {to} -o p.{to}"), 0);
        let line = format!("convert p.{to} --bare-public ed25519 --to pem -o p.pem --force");
        json(&place, &line, 0);
        assert_eq!(place.read("p.pem"), place.read("k.pub.pem"));
        // 32 bytes may be a seed or a public key: a public key that was taken for a seed could be signed with by all.
        let run = place.run(&["public", &format!("k.{to}")]);
        run.failed(4, &["stand alone", "--seed ed25519"]);
        let read = json(&place, &format!("public k.{to} --seed ed25519"), 0);
        assert_eq!(read["fingerprint"], fingerprint);
        let x = json(
            &place,
            &format!("convert x.pem --to {to} --no-password -o x.{to}"),
            0,
        );
        let read = json(&place, &format!("public x.{to} --seed x25519"), 0);
        assert_eq!(read["fingerprint"], x["fingerprint"]);
        let line = format!("convert k.{to} --seed ed25519 --to pem --no-password -o back --force");
        json(&place, &line, 0);
        assert_eq!(place.read("back"), place.read("k.pem"));
    }
    assert_eq!(place.read("k.raw"), unhex(RFC8032_SECRET));
    assert_eq!(
        place.read("p.hex"),
        format!("{RFC8032_PUBLIC}\n").into_bytes()
    );
    // The secret key as NaCl has it: both halves, which must match.
    place.write_private("pair", unhex(&format!("{RFC8032_SECRET}{RFC8032_PUBLIC}")));
    same_key(&place, "pair", false, fingerprint.as_str().unwrap());
    place.write_private("half", unhex(&format!("{RFC8032_SECRET}{RFC8032_SECRET}")));
    place
        .run(&["public", "half"])
        .failed(4, &["half", "does not belong"]);
    place
        .run(&["public", "k.pem", "--seed", "ed25519"])
        .failed(2, &["leave out --seed"]);
    place.write("m", "");
    place
        .run(&["verify", "-k", "pair", "m", "-s", "k.pem"])
        .failed(4, &["secret key"]);
}

#[test]
fn fn_dsa_has_pem_and_der() {
    let place = place();
    for algorithm in ["fn-dsa-512", "fn-dsa-1024"] {
        let made = json(
            &place,
            &format!("keygen -a {algorithm} --to der -o a --force --new-password-file pw -C me"),
            0,
        );
        same_key(&place, "a", true, made["fingerprint"].as_str().unwrap());
        for to in ["pem", "der"] {
            json(
                &place,
                &format!("convert a --password-file pw --no-password --to {to} -o b --force"),
                0,
            );
            same_key(&place, "b", false, made["fingerprint"].as_str().unwrap());
        }
        for to in ["openssh", "minisign", "signify", "jwk", "raw"] {
            let line = format!("convert a --password-file pw --to {to} -o d --no-password");
            assert_eq!(json(&place, &line, 2)["error"]["kind"], "usage");
        }
        for to in ["pem", "der", "openssh", "raw", "hex", "base64"] {
            json(&place, &format!("convert a.pub --to {to} -o c --force"), 0);
            let read = json(&place, "inspect c", 0);
            assert_eq!(read["fingerprint"], made["fingerprint"], "{to}");
            assert_eq!(read["algorithm"], algorithm);
        }
    }
}

/// A key in a security key has a form of OpenSSH's only. The line is from ssh-keygen's own tests of the format, with
/// the key of RFC 8032.
#[test]
fn keys_of_security_keys() {
    let place = Place::new();
    let mut blob = Vec::new();
    for part in [
        &b"sk-ssh-ed25519@openssh.com"[..],
        &unhex(RFC8032_PUBLIC),
        b"ssh:",
    ] {
        blob.extend((part.len() as u32).to_be_bytes());
        blob.extend(part);
    }
    let body: String = pem("X", &blob)
        .lines()
        .filter(|l| !l.starts_with('-'))
        .collect();
    place.write("sk.pub", format!("sk-ssh-ed25519@openssh.com {body} me\n"));
    let inspected = json(&place, "inspect sk.pub", 0);
    assert_eq!(inspected["application"], "ssh:");
    assert_eq!(inspected["algorithm"], "ed25519-sk");
    if have("ssh-keygen", "fingerprints of security keys") {
        let listed = script(&place, "ssh-keygen -lf sk.pub");
        assert!(
            listed.contains(inspected["fingerprint"].as_str().unwrap()),
            "{listed}"
        );
    }
    let back = place
        .run(&["convert", "sk.pub", "--to", "openssh"])
        .ended(0);
    assert_eq!(back.stdout, place.read("sk.pub"));
    for to in ["pem", "raw", "jwk", "minisign"] {
        assert_ne!(place.run(&["convert", "sk.pub", "--to", to]).code, Some(0));
    }
}

/// Some editors put a mark before a text, which nobody sees.
#[test]
fn a_mark_before_a_text() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    let mark = |name: &str| {
        let marked = format!("{name}.marked");
        let bytes = [&[0xef, 0xbb, 0xbf][..], &place.read(name)].concat();
        place.write_private(&marked, bytes);
        marked
    };
    place.run(&["sign", "-k", "k.pem", "m"]).ended(0);
    for form in ["pem", "openssh", "minisign", "jwk", "hex", "base64"] {
        place
            .run(&["convert", "k.pem", "--public", "--to", form, "-o", form])
            .ended(0);
        let run = place.run(&["verify", "-k", &mark(form), "m"]).ended(0);
        assert!(run.text().starts_with("VALID: m\n"), "{form}: {run:?}");
    }
    for format in ["ssh", "minisign", "base64"] {
        let name = format!("{format}.sig");
        place
            .run(&["sign", "-k", "k.pem", "m", "--format", format, "-o", &name])
            .ended(0);
        place
            .run(&["verify", "-k", "k.pub.pem", "m", "-s", &mark(&name)])
            .ended(0);
    }
    place
        .run(&[
            "convert",
            "k.pem",
            "--to",
            "minisign",
            "--no-password",
            "-o",
            "key",
        ])
        .ended(0);
    place
        .run(&["sign", "-k", &mark("key"), "m", "-o", "by.key"])
        .ended(0);
    place.write("signers", [&b"a@x "[..], &place.read("openssh")].concat());
    place
        .run(&[
            "verify",
            "--signers",
            &mark("signers"),
            "--signer",
            "a@x",
            "m",
        ])
        .ended(0);

    let attest = |predicate: &str| {
        let kind = ["--predicate-type", "spdx", "--predicate", predicate];
        place
            .run(&[&["attest", "-k", "k.pem", "m", "--force"], &kind[..]].concat())
            .ended(0);
        place.read("m.intoto.jsonl")
    };
    place.write("p", "{}");
    assert_eq!(attest(&mark("p")), attest("p"));
    let envelope = mark("m.intoto.jsonl");
    place
        .run(&[
            "verify-attestation",
            "-k",
            "k.pub.pem",
            "m",
            "-s",
            &envelope,
        ])
        .ended(0);

    let wide = place.read("openssh");
    let wide = wide.iter().flat_map(|&byte| [byte, 0]);
    place.write(
        "wide",
        [0xff, 0xfe].into_iter().chain(wide).collect::<Vec<u8>>(),
    );
    place
        .run(&["verify", "-k", "wide", "m"])
        .failed(4, &["wide is not a key file", "UTF-16"]);
}

/// Nothing tells a bare secret key from a public one, so that what is public of a key is said of no bare one.
#[test]
fn bare_secret_keys_are_not_published() {
    let place = Place::new().with_keys();
    // The secret keys are no points of the curve, or are: it makes no difference.
    let point = format!("01{}", "00".repeat(31));
    place.write("m", "what is signed");
    place.write("sig", [0; 64]);
    for (secret, is_point) in [
        (RFC8032_SECRET, false),
        (&point, true),
        (RFC7748_BOB_PUBLIC, true),
    ] {
        let bytes = unhex(secret);
        place.write_private("s.raw", &bytes);
        place.write_private("s.hex", secret);
        place.write_private("s.base64", base64ct::Base64::encode_string(&bytes));
        for name in ["s.raw", "s.hex", "s.base64"] {
            let run = place.run(&["inspect", name]).ended(0);
            let what = "32 bytes: a secret key, or a public key (of Ed25519 or X25519)";
            assert!(
                run.text().starts_with(&format!("{name}: {what}\n")),
                "{run:?}"
            );
            assert!(!run.text().contains("fingerprint"), "{run:?}");
            let fields = json(&place, &format!("inspect {name}"), 0);
            assert_eq!(fields["kind"], "bare_32_bytes");
            for name in ["algorithm", "fingerprint", "public_key_hex"] {
                assert!(fields[name].is_null(), "{name}: {fields}");
            }
            for options in [
                "",
                "--public",
                "--alg ed25519",
                "--public --alg x25519",
                "-o out",
            ] {
                let line = format!("convert {name} --to openssh {options}");
                let args: Vec<&str> = line.split_whitespace().collect();
                let hint = [
                    "stand alone",
                    "hint",
                    "--seed ed25519",
                    "--bare-public ed25519",
                ];
                place.run(&args).failed(4, &hint);
            }
            assert!(!place.exists("out"));
            // Nor where it stands in the place of a public one.
            for line in [
                format!("verify -k {name} -s sig m --json"),
                format!("exchange -k x.pem {name} -o shared --force --json"),
            ] {
                let args: Vec<&str> = line.split(' ').collect();
                let run = place.run(&args);
                assert!(!format!("{run:?}").contains(secret), "{run:?}");
            }
            // Whoever says that they are public has them as they are.
            let args = ["convert", name, "--bare-public", "x25519", "--to", "hex"];
            assert_eq!(place.run(&args).ended(0).text().trim(), secret);
            let args = ["convert", name, "--bare-public", "ed25519", "--to", "hex"];
            let run = place.run(&args);
            match is_point {
                true => drop(run.ended(0)),
                // Nobody makes a new key because this is no public one of Ed25519.
                false => {
                    let run = run.failed(4, &["not a point of the curve", "hint", "X25519"]);
                    assert!(!run.stderr.contains("keygen"), "{run:?}");
                }
            }
        }
    }
    let args = [
        "convert", "s.hex", "--public", "--seed", "ed25519", "--to", "hex",
    ];
    assert_ne!(place.run(&args).ended(0).text().trim(), RFC7748_BOB_PUBLIC);
    let both = ["--bare-public", "ed25519", "--seed", "ed25519"];
    place
        .run(&[&["convert", "s.hex", "--to", "pem"], &both[..]].concat())
        .failed(2, &["cannot be used with"]);
    for key in ["k.pub.pem", "k.pem"] {
        place
            .run(&["convert", key, "--bare-public", "ed25519", "--to", "pem"])
            .failed(2, &["leave out --bare-public"]);
    }
}

/// Editors and mails leave blanks at the ends of lines; what OpenSSL reads then is a key.
#[test]
fn blanks_at_the_ends_of_lines() {
    let place = Place::new().with_keys();
    let public = json(&place, "inspect k.pem", 0)["fingerprint"].clone();
    for (key, end) in [("k.pem", "  \n"), ("k.pem", "\t\r\n"), ("k.pub.pem", " \n")] {
        let text = String::from_utf8(place.read(key)).unwrap();
        place.write_private("blanks", text.replace('\n', end));
        assert_eq!(json(&place, "inspect blanks", 0)["fingerprint"], public);
        if have("openssl", "blanks at the ends of lines") {
            let pubin = if key == "k.pem" { "" } else { "-pubin" };
            script(&place, &format!("openssl pkey {pubin} -in blanks -noout"));
        }
    }
    // Within a line, they are nothing that a key has.
    let text = String::from_utf8(place.read("k.pem")).unwrap();
    place.write_private("blanks", text.replacen("MC4C", "MC 4C", 1));
    place
        .run(&["inspect", "blanks"])
        .failed(4, &["the PEM block is broken"]);
}
