//! Lists of who may sign: the same verdicts as ssh-keygen's.

use crate::harness::*;
use crate::tools::*;
use serde_json::Value;

/// A message `m` signed by the key of RFC 8032, for files.
fn place() -> Place {
    let place = Place::new().with_keys();
    place.write("m", "a message\n");
    place.run(&["sign", "-k", "k.pem", "m"]).ended(0);
    place
}

/// The lines of the key of RFC 8032 and of another one.
fn lines(place: &Place) -> (String, String) {
    let line = |file: &str| {
        let run = place.run(&["convert", file, "--to", "openssh"]).ended(0);
        run.text().trim().to_owned()
    };
    let keygen = ["keygen", "--no-password", "-o", "other.pem"];
    place.run(&keygen).ended(0);
    (line("k.pub.pem"), line("other.pub.pem"))
}

#[track_caller]
fn verify(place: &Place, options: &[&str], code: i32) -> Value {
    let run = place.run(&[&["verify", "m", "--signers", "signers", "--json"], options].concat());
    run.ended(code).json()
}

/// Files, the name that is asked for, the time, and the exit code; each is put to ssh-keygen, too.
#[test]
fn the_same_verdicts_as_ssh_keygen() {
    let place = place();
    let (key, other) = lines(&place);
    let past = "20200101Z";
    let now = "20260601120000Z";
    let ours = have("ssh-keygen", "lists of signers beside ssh-keygen's");
    for (file, name, time, code) in [
        (format!("alice@x {key}"), "alice@x", now, 0),
        (
            format!("# comment\n\n  alice@x {key} a comment\n"),
            "alice@x",
            now,
            0,
        ),
        (format!("alice@x {other}"), "alice@x", now, 5),
        (format!("alice@x {other}\nalice@x {key}"), "alice@x", now, 0),
        (format!("alice@x {key}"), "bob@x", now, 5),
        (format!("*@x {key}"), "bob@x", now, 0),
        (format!("*@x,!bob@x {key}"), "bob@x", now, 5),
        (format!("bob@y,b?b@x {key}"), "bob@x", now, 0),
        (
            format!("alice@x namespaces=\"file\" {key}"),
            "alice@x",
            now,
            0,
        ),
        (
            format!("alice@x namespaces=\"git,file\" {key}"),
            "alice@x",
            now,
            0,
        ),
        (
            format!("alice@x namespaces=\"git\" {key}"),
            "alice@x",
            now,
            5,
        ),
        (
            format!("alice@x namespaces=\"f*\" {key}"),
            "alice@x",
            now,
            0,
        ),
        (
            format!("alice@x valid-after=\"20250101Z\" {key}"),
            "alice@x",
            now,
            0,
        ),
        (
            format!("alice@x valid-after=\"20250101Z\" {key}"),
            "alice@x",
            past,
            6,
        ),
        (
            format!("alice@x valid-before=\"20250101Z\" {key}"),
            "alice@x",
            now,
            6,
        ),
        (
            format!("alice@x valid-before=\"20250101Z\" {key}"),
            "alice@x",
            past,
            0,
        ),
        (
            format!(
                "alice@x namespaces=\"file\",valid-after=\"20190101Z\",valid-before=\"20200102Z\" {key}"
            ),
            "alice@x",
            past,
            0,
        ),
        (
            format!("alice@x valid-before=\"20250101Z\" {key}\nalice@x {key}"),
            "alice@x",
            now,
            0,
        ),
        (format!("\"alice@x\" {key}"), "alice@x", now, 0),
        (format!("alice@x cert-authority {key}"), "alice@x", now, 4),
        (
            format!("alice@x cert-authority {other}\nalice@x {key}"),
            "alice@x",
            now,
            0,
        ),
        (format!("alice@x nonsense {key}"), "alice@x", now, 4),
        (
            format!("alice@x valid-after=\"tomorrow\" {key}"),
            "alice@x",
            now,
            4,
        ),
        ("alice@x ssh-ed25519 AAAA".to_owned(), "alice@x", now, 4),
        ("alice@x".to_owned(), "alice@x", now, 4),
        (String::new(), "alice@x", now, 5),
    ] {
        place.write("signers", &file);
        let json = verify(&place, &["--signer", name, "--verify-time", time], code);
        if code == 0 {
            assert_eq!(json["results"][0]["signer"], name, "{file}");
        }
        if ours {
            let line = format!(
                "ssh-keygen -Y verify -f signers -I '{name}' -n file -s m.sig -Overify-time={time} < m"
            );
            let (theirs, said) = try_script(&place, &line);
            assert_eq!(theirs == Some(0), code == 0, "{file}: {said}");
            let line = line.replacen("ssh-keygen", "lanner-git", 1);
            let (git, said) = try_script(&place, &line);
            assert_eq!(git == Some(0), code == 0, "{file}: {said}");
        }
    }
}

#[test]
fn who_is_not_listed_is_unknown() {
    let place = place();
    let (key, other) = lines(&place);
    place.write("signers", format!("alice@x,a@y {key}\n"));
    // Without a name, whoever is listed.
    let json = verify(&place, &[], 0);
    assert_eq!(json["results"][0]["signer"], "alice@x,a@y");
    place.write("signers", format!("alice@x {other}\n"));
    let json = verify(&place, &[], 5);
    assert_eq!(json["results"][0]["verdict"], "unknown_signer");
    assert_eq!(json["error"]["kind"], "unknown_signer");
    place.write(
        "signers",
        format!("alice@x valid-before=\"20200101Z\" {key}\n"),
    );
    let json = verify(&place, &[], 6);
    assert_eq!(json["results"][0]["verdict"], "outside_validity");
    // What is not valid stays so, whoever is listed.
    place.write("m", "tampered");
    verify(&place, &[], 1);
    std::fs::remove_file(place.path("signers")).unwrap();
    verify(&place, &[], 3);
    for args in [
        &["verify", "m", "--signer", "alice@x"][..],
        &[
            "verify",
            "m",
            "--verify-time",
            "20200101",
            "-k",
            "k.pub.pem",
        ],
        &["verify", "m", "--signers", "signers", "-k", "k.pub.pem"],
    ] {
        place.run(args).ended(2);
    }
}
