//! Policies: which files need whose signatures, and what counts as one.

use crate::harness::*;
use base64ct::{Base64, Encoding};
use lanner::ed25519::Signer as _;
use sha2::{Digest, Sha256, Sha512};

const NAMES: [&str; 3] = ["alice", "bob", "carol"];

/// Three signers, and files below `dist`. `policy` may say `{alice}` for the line of a key.
fn place() -> Place {
    let place = Place::new();
    for (name, algorithm) in NAMES.into_iter().zip(["ed25519", "ed25519", "fn-dsa-512"]) {
        place
            .run(&[
                "keygen",
                "--no-password",
                "--alg",
                algorithm,
                "-o",
                &format!("{name}.pem"),
            ])
            .ended(0);
    }
    for directory in ["dist", "dist/bin"] {
        std::fs::create_dir(place.path(directory)).unwrap();
    }
    place.write("dist/x.tar.gz", "x");
    place.write("dist/bin/y", "y");
    place
}

fn line(place: &Place, name: &str) -> String {
    let run = place.run(&["convert", &format!("{name}.pub.pem"), "--to", "openssh"]);
    run.ended(0).text().trim().to_owned()
}

/// The policy `text`, with the keys of all three signers before it.
fn write_policy(place: &Place, signers: &str, text: &str) {
    let mut all = format!("version = 1\n{signers}\n");
    if signers.is_empty() {
        for name in NAMES {
            let line = line(place, name);
            all.push_str(&format!(
                "[[signer]]\nname = \"{name}\"\nkeys = [\"{line}\"]\n"
            ));
        }
    }
    place.write("release.toml", all + text);
}

fn sign(place: &Place, name: &str, file: &str, more: &[&str]) {
    let key = format!("{name}.pem");
    let signature = format!("{file}.{name}.sig");
    let args = ["sign", "-k", &key, file, "-o", &signature, "--force"];
    place.run(&[&args[..], more].concat()).ended(0);
}

fn judge(place: &Place, more: &[&str]) -> Run {
    place.run(&[&["verify", "--policy", "release.toml", "dist"], more].concat())
}

const TWO_OF_TWO: &str =
    "[[rule]]\nfiles = [\"**\"]\nsigners = [\"alice\", \"bob\"]\nthreshold = 2\n";

#[test]
fn a_threshold_counts_people() {
    let place = place();
    write_policy(&place, "", TWO_OF_TWO);
    judge(&place, &[]).ended(7);
    for file in ["dist/x.tar.gz", "dist/bin/y"] {
        sign(&place, "alice", file, &[]);
        judge(&place, &[]).ended(7);
        // The same person again, under another name of the file.
        std::fs::copy(
            place.path(format!("{file}.alice.sig")),
            place.path(format!("{file}.bob.sig")),
        )
        .unwrap();
        judge(&place, &[]).ended(7);
        // Somebody else, whom the rule does not name.
        sign(&place, "carol", file, &[]);
        judge(&place, &[]).ended(7);
        sign(&place, "bob", file, &[]);
    }
    let run = judge(&place, &[]).ended(0);
    assert!(run.text().contains("POLICY MET: release.toml"), "{run:?}");
    // What does not count is said.
    assert!(
        run.text().contains("its signer is none of the rule"),
        "{run:?}"
    );
    let json = judge(&place, &["--json"]).ended(0).json();
    assert_eq!(json["valid"], true);
    assert_eq!(json["results"][0]["name"], "bin/y");
    assert_eq!(
        json["results"][0]["rules"][0]["signed_by"],
        serde_json::json!(["alice", "bob"])
    );

    // One byte of one file.
    place.write("dist/bin/y", "z");
    let json = judge(&place, &["--json"]).ended(7).json();
    assert_eq!(json["error"]["kind"], "policy_not_met");
    assert_eq!(json["results"][0]["met"], false);
    assert_eq!(
        json["results"][0]["signatures"][0]["reason"],
        "it is not valid"
    );
    let results = json["results"].as_array().unwrap();
    let other = results.iter().find(|it| it["name"] == "x.tar.gz").unwrap();
    assert_eq!(other["met"], true);
}

#[test]
fn files_without_a_rule_fail() {
    let place = place();
    write_policy(
        &place,
        "",
        "[[rule]]\nfiles = [\"*.tar.gz\"]\nsigners = [\"alice\"]\nthreshold = 1\n",
    );
    sign(&place, "alice", "dist/x.tar.gz", &[]);
    let run = judge(&place, &[]).ended(7);
    assert!(
        run.text()
            .contains("NOT MET: dist/bin/y\n  because      no rule is about it"),
        "{run:?}"
    );
    std::fs::remove_file(place.path("dist/bin/y")).unwrap();
    judge(&place, &[]).ended(0);
    // A signature without its file is a file without a rule.
    place.write("dist/z.sig", "");
    judge(&place, &[]).ended(7);
    std::fs::remove_file(place.path("dist/z.sig")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("x.tar.gz", place.path("dist/y.tar.gz")).unwrap();
        let run = judge(&place, &[]).ended(7);
        assert!(run.text().contains("it is a symbolic link"), "{run:?}");
        std::fs::remove_file(place.path("dist/y.tar.gz")).unwrap();
    }
    for (name, others) in [
        ("a", ""),
        ("b", ", nor has another file"),
        ("c", ", nor have 2 other files"),
    ] {
        place.write(&format!("dist/{name}"), "");
        let run = judge(&place, &["--quiet"]).ended(7);
        let error = format!("has not the signatures that the policy asks for{others}\n");
        assert!(run.stderr.contains(&error), "{run:?}");
    }
    // Nothing at all meets nothing.
    std::fs::create_dir(place.path("none")).unwrap();
    place
        .run(&["verify", "--policy", "release.toml", "none"])
        .ended(7);
    // A file that is named itself is judged by its name; signatures of others are not its own.
    let one = ["verify", "--policy", "release.toml", "dist/x.tar.gz"];
    place.run(&one).ended(0);
    place.write("dist/x.tar", "");
    place
        .run(&["verify", "--policy", "release.toml", "dist/x.tar"])
        .ended(7);
}

#[test]
fn every_rule_that_matches_must_be_met() {
    let place = place();
    write_policy(
        &place,
        "",
        "[[rule]]\nfiles = [\"**\"]\nsigners = [\"alice\", \"bob\"]\nthreshold = 1\n\
         [[rule]]\nfiles = [\"bin/*\"]\nsigners = [\"carol\"]\nthreshold = 1\nalgorithms = [\"fn-dsa-512\"]\n\
         [[rule]]\nfiles = [\"notes\"]\nsigners = [\"bob\"]\nthreshold = 1\nrequired = true\nalgorithms = [\"fn-dsa-512\"]\n",
    );
    for file in ["dist/x.tar.gz", "dist/bin/y"] {
        sign(&place, "bob", file, &[]);
    }
    judge(&place, &[]).ended(7);
    sign(&place, "carol", "dist/bin/y", &["--hash", "sha256"]);
    let json = judge(&place, &["--json"]).ended(7).json();
    assert_eq!(json["missing"], serde_json::json!(["notes"]));
    assert_eq!(json["results"][0]["met"], true);
    // It is there now, but its signature is of an algorithm that the rule does not allow.
    place.write("dist/notes", "");
    sign(&place, "bob", "dist/notes", &[]);
    let run = judge(&place, &[]).ended(7);
    assert!(
        run.text().contains("the rule does not allow its algorithm"),
        "{run:?}"
    );
}

#[test]
fn times_are_those_of_the_clock() {
    let place = place();
    let alice = line(&place, "alice");
    let signer =
        |more: &str| format!("[[signer]]\nname = \"alice\"\nkeys = [\"{alice}\"]\n{more}\n");
    let rule = |more: &str| {
        format!("[[rule]]\nfiles = [\"**\"]\nsigners = [\"alice\"]\nthreshold = 1\n{more}\n")
    };
    for file in ["dist/x.tar.gz", "dist/bin/y"] {
        sign(&place, "alice", file, &[]);
    }
    let past = "not-after = 2020-01-01T00:00:00Z";
    let future = "not-before = 2150-01-01T00:00:00+01:00";
    let never = "not-after = 9999-12-31T23:59:59Z";
    for (first, second, code) in [
        ("", "", 0),
        (never, never, 0),
        (past, "", 7),
        ("", past, 7),
        (future, "", 7),
        ("", future, 7),
    ] {
        write_policy(&place, &signer(first), &rule(second));
        let run = judge(&place, &[]).ended(code);
        assert_eq!(
            run.text().contains("at another time only"),
            code != 0,
            "{run:?}"
        );
        let then = if first == past || second == past {
            "20191231Z"
        } else {
            "21500102Z"
        };
        judge(&place, &["--verify-time", then]).ended(0);
    }
    // The policy itself.
    write_policy(&place, &format!("{past}\n{}", signer("")), &rule(""));
    judge(&place, &[]).failed(6, &["release.toml", "another time"]);
    judge(&place, &["--verify-time", "20191231Z"]).ended(0);
}

#[test]
fn other_purposes_do_not_count() {
    let place = place();
    write_policy(&place, "", TWO_OF_TWO);
    for file in ["dist/x.tar.gz", "dist/bin/y"] {
        sign(&place, "alice", file, &[]);
        sign(&place, "bob", file, &["-n", "git"]);
    }
    let run = judge(&place, &[]).ended(7);
    assert!(run.text().contains("it is for the namespace"), "{run:?}");
    for format in ["raw", "minisign", "base64"] {
        for file in ["dist/x.tar.gz", "dist/bin/y"] {
            sign(&place, "bob", file, &["--format", format]);
        }
        let run = judge(&place, &[]).ended(7);
        assert!(
            run.text()
                .contains("SSH signatures count, so it is a file like any other"),
            "{run:?}"
        );
    }
    place.write(
        "dist/bin/y.bob.sig",
        "-----BEGIN SSH SIGNATURE-----\nbroken",
    );
    let run = judge(&place, &[]).ended(7);
    assert!(
        run.text().contains("no signature dist/bin/y.bob.sig"),
        "{run:?}"
    );
}

#[test]
fn policies_that_are_not_understood_are_refused() {
    let place = place();
    let [alice, bob] = ["alice", "bob"].map(|name| line(&place, name));
    let signer = format!("[[signer]]\nname = \"alice\"\nkeys = [\"{alice}\"]\n");
    let rule = "[[rule]]\nfiles = [\"*\"]\nsigners = [\"alice\"]\nthreshold = 1\n";
    let good = format!("version = 1\n{signer}{rule}");
    let weak = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    for (what, text) in [
        ("version", good.replace("version = 1", "version = 2")),
        ("version", good.replace("version = 1\n", "")),
        ("unknown field", format!("{good}treshold = 2\n")),
        ("unknown field", format!("name = \"x\"\n{good}")),
        (
            "unknown field",
            good.replace("name =", "expires = 1\nname ="),
        ),
        ("no rule", format!("version = 1\n{signer}")),
        (
            "no signature",
            good.replace("threshold = 1", "threshold = 0"),
        ),
        (
            "missing field `threshold`",
            good.replace("threshold = 1", ""),
        ),
        (
            "asks for 2 signers",
            good.replace("threshold = 1", "threshold = 2"),
        ),
        ("invalid", good.replace("threshold = 1", "threshold = -1")),
        ("no files", good.replace("[\"*\"]", "[]")),
        (
            "asks for 1 signers and names 0",
            good.replace("signers = [\"alice\"]", "signers = []"),
        ),
        (
            "who is not there",
            good.replace("signers = [\"alice\"]", "signers = [\"bob\"]"),
        ),
        (
            "names alice twice",
            good.replace("signers = [\"alice\"]", "signers = [\"alice\", \"alice\"]"),
        ),
        ("has no keys", good.replace(&format!("\"{alice}\""), "")),
        (
            "stands there already",
            good.replace(
                &format!("\"{alice}\""),
                &format!("\"{alice}\", \"{alice} x\""),
            ),
        ),
        (
            "stands there already",
            format!("{good}[[signer]]\nname = \"bob\"\nkeys = [\"{alice}\"]\n"),
        ),
        (
            "stands there twice",
            format!("{good}[[signer]]\nname = \"alice\"\nkeys = [\"{bob}\"]\n"),
        ),
        ("cannot be used", good.replace(&alice, "rubbish")),
        ("cannot be used", good.replace(&alice, weak)),
        ("allows no algorithm", format!("{good}algorithms = []\n")),
        (
            "no algorithm that signs",
            format!("{good}algorithms = [\"x25519\"]\n"),
        ),
        ("with its zone", format!("{good}not-after = 2030-01-01\n")),
        (
            "with its zone",
            format!("{good}not-after = 2030-01-01T00:00:00\n"),
        ),
        (
            "invalid type",
            format!("{good}not-after = \"2030-01-01T00:00:00Z\"\n"),
        ),
        (
            "before its not-before",
            format!("{good}not-before = 2030-01-01T00:00:00Z\nnot-after = 2029-01-01T00:00:00Z\n"),
        ),
        ("no other signs", good.replace("\"*\"", "\"[ab]\"")),
        ("without a slash", good.replace("\"*\"", "\"/dist/*\"")),
        ("duplicate key", format!("{good}threshold = 1\n")),
        ("one word", format!("namespace = \"\"\n{good}")),
    ] {
        place.write("release.toml", &text);
        judge(&place, &[]).failed(4, &["release.toml", what]);
    }
    // What stands in the file says nothing by itself: neither a line that is broken nor a name.
    for (what, text) in [
        ("line 2", "# x\n# \u{1b}[2J\rVALID: x\n".to_owned()),
        (
            "line 2",
            format!("version = 1\n\"\\u001b[2J\\nVALID: x\" = 1\n{rule}"),
        ),
        ("unknown field", format!("{good}\"\\nVALID: x\" = 1\n")),
        (
            "who is not there",
            good.replace("signers = [\"alice\"]", "signers = [\"\\nVALID: x\"]"),
        ),
    ] {
        place.write("release.toml", &text);
        let run = judge(&place, &[]).failed(4, &["release.toml", what]);
        run.says_nothing_by_itself();
    }
    place.write("release.toml", [good.as_bytes(), b"# \xff\n"].concat());
    judge(&place, &[]).failed(4, &["UTF-8"]);
    place.write("release.toml", &good);
    judge(&place, &[]).ended(7);
}

#[test]
fn a_policy_comes_from_outside_or_is_signed() {
    let place = place();
    write_policy(&place, "", TWO_OF_TWO);
    std::fs::rename(place.path("release.toml"), place.path("dist/release.toml")).unwrap();
    for file in ["dist/x.tar.gz", "dist/bin/y"] {
        sign(&place, "alice", file, &[]);
        sign(&place, "bob", file, &[]);
    }
    let judge = |more: &[&str]| {
        place.run(&[&["verify", "--policy", "dist/release.toml", "dist"], more].concat())
    };
    judge(&[]).failed(2, &["lies in what it would judge", "--policy-key"]);
    let lone = ["verify", "--policy", "dist/release.toml", "dist/x.tar.gz"];
    place
        .run(&lone)
        .failed(2, &["lies in the directory of dist/x.tar.gz, where"]);
    let pinned = ["--policy-key", "carol.pub.pem"];
    judge(&pinned).failed(3, &["release.toml.sig"]);
    // By the wrong key, and for another purpose.
    let signed = |key: &str, namespace: &str| {
        let args = [
            "sign",
            "-k",
            key,
            "dist/release.toml",
            "--force",
            "-n",
            namespace,
        ];
        place.run(&args).ended(0);
    };
    for (key, namespace, code) in [
        ("alice.pem", "lanner-policy", 1),
        ("carol.pem", "file", 1),
        ("carol.pem", "lanner-policy", 0),
    ] {
        signed(key, namespace);
        let run = judge(&pinned).ended(code);
        assert_eq!(run.text().contains("not looked at"), code == 1, "{run:?}");
    }
    let text = String::from_utf8(place.read("dist/release.toml")).unwrap();
    place.write(
        "dist/release.toml",
        text.replace("threshold = 2", "threshold = 1"),
    );
    judge(&pinned).ended(1);
    #[cfg(unix)]
    {
        // A link from outside is still what lies inside.
        std::os::unix::fs::symlink("dist/release.toml", place.path("link.toml")).unwrap();
        place
            .run(&["verify", "--policy", "link.toml", "dist"])
            .failed(2, &["lies in"]);
    }
    #[cfg(unix)]
    {
        // And a link that lies inside decides, wherever it leads: to the policy, to its directory, to another link.
        use std::os::unix::fs::symlink;
        std::fs::create_dir(place.path("outside")).unwrap();
        std::fs::rename(
            place.path("dist/release.toml"),
            place.path("outside/release.toml"),
        )
        .unwrap();
        symlink("../outside/release.toml", place.path("dist/release.toml")).unwrap();
        symlink("../outside", place.path("dist/policies")).unwrap();
        symlink("dist/release.toml", place.path("chain.toml")).unwrap();
        std::fs::create_dir(place.path("dist/sub")).unwrap();
        for policy in [
            "dist/release.toml",
            "dist/policies/release.toml",
            "chain.toml",
            "dist/sub/../../outside/release.toml",
            "./dist/./bin/../release.toml",
        ] {
            for (judged, why) in [
                ("dist", "lies in what it would judge"),
                (
                    "dist/x.tar.gz",
                    "lies in the directory of dist/x.tar.gz, where",
                ),
                (".", "lies in what it would judge"),
            ] {
                place
                    .run(&["verify", "--policy", policy, judged])
                    .failed(2, &[why]);
            }
        }
        let absolute = place.path("dist/release.toml");
        let args = ["verify", "--policy", absolute.to_str().unwrap(), "dist"];
        place.run(&args).failed(2, &["lies in"]);
        // A file that is named by a link lies where the link does, and where it leads.
        symlink("../dist/x.tar.gz", place.path("outside/x.tar.gz")).unwrap();
        let args = [
            "verify",
            "--policy",
            "outside/release.toml",
            "outside/x.tar.gz",
        ];
        place.run(&args).failed(2, &["lies in"]);
        // So does every link on the way.
        std::fs::create_dir(place.path("far")).unwrap();
        symlink("../outside/x.tar.gz", place.path("far/x.tar.gz")).unwrap();
        let args = [&args[..3], &["far/x.tar.gz"]].concat();
        place
            .run(&args)
            .failed(2, &["far/x.tar.gz, or of a link on the way to it, where"]);
        for name in ["dist/release.toml", "dist/policies"] {
            std::fs::remove_file(place.path(name)).unwrap();
        }
        std::fs::remove_dir(place.path("dist/sub")).unwrap();
        for policy in ["outside/release.toml", "dist/../outside/release.toml"] {
            let run = place.run(&["verify", "--policy", policy, "dist"]);
            assert!(matches!(run.code, Some(0 | 7)), "{run:?}");
        }
        std::fs::rename(
            place.path("outside/release.toml"),
            place.path("dist/release.toml"),
        )
        .unwrap();
    }
    for more in [
        &["-k", "alice.pub.pem"][..],
        &["--namespace", "x"],
        &["-s", "x"],
        &["--signers", "x"],
    ] {
        judge(more).failed(2, &["cannot be used with"]);
    }
    place
        .run(&[
            "verify",
            "--policy-key",
            "carol.pub.pem",
            "-k",
            "alice.pub.pem",
            "dist/bin/y",
        ])
        .failed(2, &["--policy"]);
}

/// What is called as a signature and is none that may count is judged as a file: anything could stand in it.
#[test]
fn nothing_hides_under_the_name_of_a_signature() {
    let place = place();
    write_policy(&place, "", TWO_OF_TWO);
    for file in ["dist/x.tar.gz", "dist/bin/y"] {
        for name in ["alice", "bob"] {
            sign(&place, name, file, &[]);
        }
    }
    judge(&place, &[]).ended(0);
    let good = place.read("dist/bin/y.bob.sig");
    for (name, content) in [
        ("y.evil.sig", &b"#!/bin/sh\necho all yours\n"[..]),
        ("y.sig", &[7; 64]),
        ("y.tar.sig", b""),
        ("y.evil.sig", b"-----BEGIN SSH SIGNATURE-----\nbroken"),
        ("y.evil.sig", &[&good[..], b"#!/bin/sh\n"].concat()),
        ("y.bob.evil.sig", &[0x7f; 100_000]),
    ] {
        let file = format!("dist/bin/{name}");
        place.write(&file, content);
        let run = judge(&place, &[]).ended(7);
        let said = format!("NOT MET: {file}\n");
        assert!(run.text().contains(&said), "{run:?}");
        assert!(run.text().contains("a file like any other"), "{run:?}");
        let json = judge(&place, &["--json"]).ended(7).json();
        let results = json["results"].as_array().unwrap();
        let result = results.iter().find(|it| it["file"] == file).unwrap();
        assert!(result["reason"].is_string(), "{result}");
        // Named by itself, too.
        place
            .run(&["verify", "--policy", "release.toml", &file])
            .ended(7);
        place
            .run(&["verify", "--policy", "release.toml", "dist/bin/y"])
            .ended(0);
        // Signed as a file, it is one.
        for name in ["alice", "bob"] {
            sign(&place, name, &file, &[]);
        }
        judge(&place, &[]).ended(0);
        for name in ["", ".alice.sig", ".bob.sig"] {
            std::fs::remove_file(place.path(format!("{file}{name}"))).unwrap();
        }
    }
}

/// The strings in an SSH signature: the key, the namespace, what is reserved, the hash, the signature.
fn strings(armoured: &[u8]) -> Vec<Vec<u8>> {
    let text = std::str::from_utf8(armoured).unwrap();
    let body: String = text.lines().filter(|line| !line.starts_with('-')).collect();
    let blob = Base64::decode_vec(&body).unwrap();
    let mut rest = &blob[10..];
    let mut strings = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk() {
        let (string, after) = after.split_at(u32::from_be_bytes(*length) as usize);
        strings.push(string.to_vec());
        rest = after;
    }
    strings
}

fn joined(strings: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for string in strings.iter().map(AsRef::as_ref) {
        bytes.extend((string.len() as u32).to_be_bytes());
        bytes.extend(string);
    }
    bytes
}

fn armoured(strings: &[Vec<u8>]) -> String {
    let blob = [b"SSHSIG\0\0\0\x01", &joined(strings)[..]].concat();
    pem("SSH SIGNATURE", &blob)
}

/// A signature of `message` by a security key that has the secret of RFC 8032, for an application.
fn by_security_key(message: &[u8], application: &str) -> String {
    let signed = [
        b"SSHSIG",
        &joined(&[&b"file"[..], b"", b"sha512", &Sha512::digest(message)])[..],
    ]
    .concat();
    let said = [1, 0, 0, 0, 7];
    let application = application.as_bytes();
    let data = [
        &Sha256::digest(application)[..],
        &said,
        &Sha256::digest(&signed),
    ]
    .concat();
    let secret: [u8; 32] = unhex(RFC8032_SECRET).try_into().unwrap();
    let signature = lanner::ed25519::SigningKey::from_bytes(&secret).sign(&data);
    const NAME: &[u8] = b"sk-ssh-ed25519@openssh.com";
    armoured(&[
        joined(&[NAME, &unhex(RFC8032_PUBLIC), application]),
        b"file".to_vec(),
        Vec::new(),
        b"sha512".to_vec(),
        [&joined(&[NAME, &signature.to_bytes()])[..], &said].concat(),
    ])
}

/// What a signature does not sign is room for anything: a field that is reserved, whoever else's key and purpose, and a
/// signature of something else.
#[test]
fn nothing_hides_in_a_signature() {
    let place = place();
    std::fs::create_dir(place.path("other")).unwrap();
    place.write("other/y", "something else");
    let keygen = ["keygen", "--no-password", "-o", "mallory.pem"];
    place.run(&keygen).ended(0);
    write_policy(
        &place,
        "",
        "[[rule]]\nfiles = [\"**\"]\nsigners = [\"alice\"]\nthreshold = 1\n",
    );
    for file in ["dist/x.tar.gz", "dist/bin/y", "other/y"] {
        sign(&place, "alice", file, &[]);
    }
    judge(&place, &[]).ended(0);

    let good = strings(&place.read("dist/bin/y.alice.sig"));
    let script = b"\n#!/bin/sh\necho all yours\n".repeat(1000);
    let with = |at: usize, bytes: &[u8]| {
        let mut changed = good.clone();
        changed[at] = bytes.to_vec();
        armoured(&changed)
    };
    let signed = |file: &str, more: &[&str]| {
        sign(&place, "mallory", file, more);
        let text = String::from_utf8(place.read(&format!("{file}.mallory.sig"))).unwrap();
        std::fs::remove_file(place.path(format!("{file}.mallory.sig"))).unwrap();
        text
    };
    let mut one_bit = good[4].clone();
    *one_bit.last_mut().unwrap() ^= 1;
    for (what, signature, reason) in [
        ("reserved", with(2, &script), "reserved"),
        ("one byte", with(2, b"x"), "reserved"),
        ("namespace", with(1, b"git"), "for the namespace"),
        ("broken", with(4, &one_bit), "it is not valid"),
        (
            "of another file",
            String::from_utf8(place.read("other/y.alice.sig")).unwrap(),
            "it is not valid",
        ),
        (
            "another purpose",
            signed("dist/bin/y", &["-n", "mallory"]),
            "for the namespace",
        ),
        (
            "unknown, of another file",
            signed("other/y", &[]),
            "it is not valid",
        ),
        (
            "an application",
            by_security_key(b"y", std::str::from_utf8(&script).unwrap()),
            "application",
        ),
    ] {
        place.write("dist/bin/y.more.sig", signature);
        let run = judge(&place, &[]).ended(7);
        let text = run.text();
        assert!(
            text.contains("\nMET: dist/bin/y\n") || text.starts_with("MET: dist/bin/y\n"),
            "{what}: {run:?}"
        );
        assert!(
            text.contains("NOT MET: dist/bin/y.more.sig\n"),
            "{what}: {run:?}"
        );
        assert!(text.contains(reason), "{what}: {run:?}");
        assert!(text.contains("a file like any other"), "{what}: {run:?}");
        let json = judge(&place, &["--json"]).ended(7).json();
        let results = json["results"].as_array().unwrap();
        let result = results.iter().find(|it| it["name"] == "bin/y.more.sig");
        let said = result.unwrap()["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{what}: {said}");
        // Signed as a file, it is one.
        sign(&place, "alice", "dist/bin/y.more.sig", &[]);
        judge(&place, &[]).ended(0);
        for name in ["dist/bin/y.more.sig", "dist/bin/y.more.sig.alice.sig"] {
            std::fs::remove_file(place.path(name)).unwrap();
        }
    }
    // Somebody else may sign as well: that counts for nothing, and does no harm.
    let by_key = by_security_key(b"y", "ssh:");
    for signature in [signed("dist/bin/y", &[]), by_key] {
        place.write("dist/bin/y.more.sig", signature);
        let run = judge(&place, &[]).ended(0);
        assert!(
            run.text().contains("the policy does not name its key"),
            "{run:?}"
        );
    }
    // Alone it is none.
    std::fs::remove_file(place.path("dist/bin/y.alice.sig")).unwrap();
    judge(&place, &[]).ended(7);

    // Without a policy, the field is for others to use, as it is for OpenSSH.
    place.write("dist/bin/y.alice.sig", with(2, &script));
    let args = [
        "verify",
        "-k",
        "alice.pub.pem",
        "dist/bin/y",
        "-s",
        "dist/bin/y.alice.sig",
    ];
    place.run(&args).ended(0);
}

/// The signature of a policy that lies in the tree is not judged as a file, so nothing may hide in it either.
#[test]
fn nothing_hides_in_the_signature_of_a_policy() {
    let place = place();
    write_policy(
        &place,
        "",
        "[[rule]]\nfiles = [\"**\"]\nsigners = [\"alice\"]\nthreshold = 1\n",
    );
    std::fs::rename(place.path("release.toml"), place.path("dist/release.toml")).unwrap();
    for file in ["dist/x.tar.gz", "dist/bin/y"] {
        sign(&place, "alice", file, &[]);
    }
    let args = [
        "sign",
        "-k",
        "carol.pem",
        "dist/release.toml",
        "-n",
        "lanner-policy",
    ];
    place.run(&args).ended(0);
    let judge = [
        "verify",
        "--policy",
        "dist/release.toml",
        "--policy-key",
        "carol.pub.pem",
        "dist",
    ];
    place.run(&judge).ended(0);
    let mut changed = strings(&place.read("dist/release.toml.sig"));
    changed[2] = b"#!/bin/sh\n".to_vec();
    place.write("dist/release.toml.sig", armoured(&changed));
    place
        .run(&judge)
        .failed(4, &["release.toml.sig", "reserved"]);
}

/// What only begins as the name of a file does is nothing to it, and may be what nobody can read.
#[cfg(target_os = "linux")]
#[test]
fn other_files_do_not_matter_to_a_file() {
    use crate::tools::try_script;
    let place = place();
    write_policy(
        &place,
        "",
        "[[rule]]\nfiles = [\"**\"]\nsigners = [\"alice\"]\nthreshold = 1\n",
    );
    let others = [
        "app-internal",
        "app-internal.sig",
        "app.tar",
        "app.tar.sig",
        "application.sig",
    ];
    for name in ["app", "app.tar", "app-internal"] {
        place.write(&format!("dist/{name}"), name);
        sign(&place, "alice", &format!("dist/{name}"), &[]);
    }
    for name in others.into_iter().filter(|name| name.ends_with(".sig")) {
        place.write(&format!("dist/{name}"), "not a signature");
    }
    let judge = "lanner verify --policy release.toml dist/app";
    assert_eq!(try_script(&place, judge).0, Some(0));
    if try_script(&place, "strace -qq -o /dev/null true").0 != Some(0) {
        return skip(
            "policies beside files that cannot be read: no strace here, or it may not trace",
        );
    }
    for name in others {
        let line = format!(
            "strace -f -qq -o /dev/null -P dist/{name} -e trace=open,openat -e inject=open,openat:error=EACCES {judge}"
        );
        let (code, said) = try_script(&place, &line);
        assert_eq!(code, Some(0), "{line}: {said}");
    }
    let line = format!(
        "strace -f -qq -o /dev/null -P dist/app.alice.sig -e trace=open,openat -e inject=open,openat:error=EACCES {judge}"
    );
    assert_eq!(
        try_script(&place, &line).0,
        Some(3),
        "its own signature matters"
    );
}

/// A rule can ask for a hybrid, and every kind of signature can be asked for.
#[test]
fn a_rule_for_hybrids() {
    let place = place();
    let args = [
        "keygen",
        "--no-password",
        "--alg",
        "ed25519+fn-dsa-512",
        "-o",
        "dora.pem",
    ];
    place.run(&args).ended(0);
    let mut signers = String::new();
    for name in ["alice", "dora"] {
        let line = line(&place, name);
        signers.push_str(&format!(
            "[[signer]]\nname = \"{name}\"\nkeys = [\"{line}\"]\n"
        ));
    }
    let rule = "[[rule]]\nfiles = [\"**\"]\nsigners = [\"alice\", \"dora\"]\nthreshold = 1\n\
                algorithms = [\"ed25519+fn-dsa-512\"]\n";
    write_policy(&place, &signers, rule);
    for file in ["dist/x.tar.gz", "dist/bin/y"] {
        sign(&place, "alice", file, &[]);
    }
    judge(&place, &[]).ended(7);
    for file in ["dist/x.tar.gz", "dist/bin/y"] {
        sign(&place, "dora", file, &[]);
    }
    judge(&place, &[]).ended(0);
    let all = "[\"ed25519\", \"fn-dsa-512\", \"fn-dsa-1024\", \"ed25519+fn-dsa-512\", \"ed25519+fn-dsa-1024\", \
               \"ed25519-sk\"]";
    let rule = rule.replace("[\"ed25519+fn-dsa-512\"]", all);
    write_policy(&place, &signers, &rule);
    judge(&place, &[]).ended(0);
}

/// A single file stands for its directory: whoever can replace it there can replace a policy beside it.
#[test]
fn a_policy_beside_a_single_file() {
    let place = place();
    write_policy(
        &place,
        "",
        "[[rule]]\nfiles = [\"*\"]\nsigners = [\"alice\"]\nthreshold = 1\n",
    );
    place.write("a.tar.gz", "a");
    sign(&place, "alice", "a.tar.gz", &[]);
    let run = place.run(&["verify", "--policy", "release.toml", "a.tar.gz"]);
    let run = run.failed(
        2,
        &[
            "the policy release.toml lies in the directory of a.tar.gz, where whoever replaces the file can replace it",
            "hint",
            "--policy-key",
        ],
    );
    assert!(!run.stderr.contains("what it would judge"), "{run:?}");
    let run = place.run(&["verify", "--policy", "release.toml", "."]);
    run.failed(2, &["lies in what it would judge"]);
}

/// What is wrong with a policy is said in the words of its writer.
#[test]
fn errors_of_policies_are_for_people() {
    let place = place();
    let rule = |threshold: &str| {
        format!("[[rule]]\nfiles = [\"*\"]\nsigners = [\"alice\"]\nthreshold = {threshold}\n")
    };
    for (threshold, words) in [
        ("-1", "expected a whole number, such as 2"),
        ("\"two\"", "expected a whole number"),
        ("1.5", "expected a whole number"),
        ("99999999999999999999", "expected a whole number, such as 2"),
        (
            "9223372036854775807",
            "asks for 9223372036854775807 signers",
        ),
        ("0", "asks for no signature"),
    ] {
        write_policy(&place, "", &rule(threshold));
        let run = judge(&place, &[]).failed(4, &[words]);
        for word in ["usize", "i128", "u64", "i64", "struct"] {
            assert!(!run.stderr.contains(word), "{threshold}: {run:?}");
        }
    }
    place.write("release.toml", "version = 1\nrule = [1]\n");
    judge(&place, &[]).failed(4, &["expected a table"]);
    let x25519 = public_pem(X25519_PUBLIC_DER, RFC7748_BOB_PUBLIC);
    for (key, words) in [
        (
            "ssh-ed25519 AAAA",
            "a key of dora cannot be used: it is not a usable key",
        ),
        (
            "nothing",
            "a key of dora cannot be used: it is not a public key",
        ),
        (
            x25519.trim(),
            "a key of dora cannot be used: it is an X25519 key",
        ),
    ] {
        let signer = format!("[[signer]]\nname = \"dora\"\nkeys = [\"\"\"{key}\"\"\"]\n");
        write_policy(&place, &signer, &rule("1"));
        let run = judge(&place, &[]).failed(4, &[words]);
        assert!(!run.stderr.contains("keys is"), "{run:?}");
    }
}
