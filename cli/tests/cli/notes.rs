//! Signed notes (C2SP).

use crate::harness::*;
use crate::tools::{go_note, script, try_script};

const NAME: &str = "example.org/releases";
const TEXT: &str = "lanner 1.2.3\nsha256 abc\n\nwith an empty line\n";

/// A text, its note, and the key in its own form as `v`.
fn with_note() -> Place {
    let place = Place::new().with_keys();
    place.write("t", TEXT);
    place
        .run(&["sign-note", "-k", "k.pem", "--name", NAME, "t"])
        .ended(0);
    place
        .run(&[
            "convert",
            "--to",
            "note",
            "-C",
            NAME,
            "k.pub.pem",
            "-o",
            "v",
        ])
        .ended(0);
    place
}

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).unwrap()
}

#[test]
fn there_and_back() {
    let place = with_note();
    let note = text(&place, "t.note");
    assert!(
        note.starts_with(&format!("{TEXT}\n\u{2014} {NAME} ")),
        "{note}"
    );
    let key = text(&place, "v");
    for args in [
        &["-k", "v"][..],
        &["-P", key.trim()],
        &["-k", "k.pub.pem", "--name", NAME],
    ] {
        let run = place
            .run(&[&["verify-note", "t.note"], args].concat())
            .ended(0);
        assert!(
            run.text().starts_with("VALID: t.note\n") && run.text().contains(NAME),
            "{run:?}"
        );
        assert!(run.text().contains(RFC8032_FINGERPRINT));
    }
    let run = place
        .run(&["verify-note", "t.note", "-k", "v", "-o", "-"])
        .ended(0);
    assert_eq!(run.text(), TEXT);
    // The name is the comment of a key in this form, the secret one as well.
    place
        .run(&[
            "convert",
            "--to",
            "note",
            "-C",
            NAME,
            "--no-password",
            "k.pem",
            "-o",
            "s",
        ])
        .ended(0);
    place
        .run(&["sign-note", "-k", "s", "t", "-o", "again"])
        .ended(0);
    assert_eq!(text(&place, "again"), note);
    let json = place.run(&["inspect", "s", "--json"]).ended(0).json();
    assert_eq!(
        (json["format"].as_str(), json["comment"].as_str()),
        (Some("note-secret"), Some(NAME))
    );
    let json = place.run(&["inspect", "v", "--json"]).ended(0).json();
    assert_eq!(
        (json["format"].as_str(), json["fingerprint"].as_str()),
        (Some("note-public"), Some(RFC8032_FINGERPRINT))
    );
}

#[test]
fn what_is_not_valid() {
    let place = with_note();
    let good = text(&place, "t.note");
    for (what, bad) in [
        ("another text", good.replace("1.2.3", "1.2.4")),
        ("a line less", good.replacen("sha256 abc\n", "", 1)),
        ("another name", good.replace("/releases", "/release")),
    ] {
        place.write("n", bad);
        let run = place.run(&["verify-note", "n", "-k", "v"]).ended(1);
        assert!(run.text().starts_with("NOT VALID: n\n"), "{what}: {run:?}");
        let run = place
            .run(&["verify-note", "n", "-k", "v", "-o", "out"])
            .ended(1);
        assert!(!place.exists("out"), "{run:?}");
    }
    let run = place.run(&["verify-note", "t.note"]).ended(5);
    assert!(run.text().starts_with("UNKNOWN SIGNER") && run.text().contains(NAME));
    let (name, words) = (
        "example.org/other",
        "there is no signature by example.org/other",
    );
    let run = place
        .run(&["verify-note", "t.note", "-k", "k.pub.pem", "--name", name])
        .ended(1);
    assert!(run.text().contains(words), "{run:?}");
}

#[test]
fn several_signatures() {
    let place = with_note();
    place
        .run(&["keygen", "--no-password", "-o", "b", "-C", "witness"])
        .ended(0);
    place
        .run(&["sign-note", "--add", "-k", "b", "t.note", "-o", "two"])
        .ended(0);
    for args in [&["-k", "v"][..], &["-k", "b.pub", "--name", "witness"]] {
        place
            .run(&[&["verify-note", "two"], args].concat())
            .ended(0);
    }
    let words = ["has a signature of this key already"];
    place
        .run(&["sign-note", "--add", "-k", "b", "two", "-o", "three"])
        .failed(2, &words);
    // A broken line of somebody else does no harm, one of ours does.
    let two = text(&place, "two");
    let mut lines: Vec<&str> = two.lines().collect();
    let last = lines.pop().unwrap();
    let broken = format!("{}\n{}AA\n", lines.join("\n"), &last[..last.len() - 2]);
    place.write("n", broken);
    place.run(&["verify-note", "n", "-k", "v"]).ended(0);
    place
        .run(&["verify-note", "n", "-k", "b.pub", "--name", "witness"])
        .ended(1);
}

#[test]
fn what_is_refused() {
    let place = with_note();
    for (content, words) in [
        ("no line feed", "no line feed"),
        ("a\tb\n", "control characters"),
        ("SSHSIG and so on\n", "an SSH signature"),
        ("DSSEv1 1 a 1 b\n", "a DSSE envelope"),
    ] {
        place.write("m", content);
        let run = place.run(&["sign-note", "-k", "k.pem", "--name", "n", "m"]);
        assert!(
            run.code != Some(0) && run.stderr.contains(words),
            "{content}: {run:?}"
        );
        assert!(!place.exists("m.note"));
    }
    let options = ["sign-note", "-k", "k.pem", "t", "-o", "x"];
    place.run(&options).failed(2, &["a name", "--name NAME"]);
    place
        .run(&[&options[..], &["--name", "a+b"]].concat())
        .failed(2, &["no plus sign"]);
    place
        .run(&["verify-note", "t.note", "-k", "k.pub.pem"])
        .failed(2, &["--name NAME"]);
    place
        .run(&["verify-note", "t.note", "-k", "v", "--name", NAME])
        .failed(2, &["leave out --name"]);
    place
        .run(&["verify-note", "t", "-k", "v"])
        .failed(4, &["no signed note"]);
    place
        .run(&["verify-note", "t.note", "-k", "x.pub.pem"])
        .failed(4, &["X25519"]);
    place
        .run(&["convert", "--to", "note", "k.pub.pem"])
        .failed(2, &["has a name"]);
    place
        .run(&["convert", "--to", "note", "-C", "n", "x.pub.pem"])
        .failed(2, &["no form"]);
    place
        .run(&[
            "keygen",
            "-a",
            "fn-dsa-512",
            "--no-password",
            "-o",
            "f",
            "-C",
            "f",
        ])
        .ended(0);
    place
        .run(&["sign-note", "-k", "f", "t", "-o", "x"])
        .failed(4, &["signed with Ed25519"]);
    let broken = text(&place, "v").replace('+', "++");
    place.write("w", broken);
    place
        .run(&["verify-note", "t.note", "-k", "w"])
        .failed(4, &["w is not a key file"]);
}

/// Go's package takes our notes and keys, and we take its.
#[test]
fn gos_package() {
    let place = with_note();
    let Some(note) = go_note(&place) else { return };
    let verify = format!("{note} verify \"$(cat v)\" < t.note");
    assert_eq!(script(&place, &verify), TEXT);
    place.write("n", text(&place, "t.note").replace("1.2.3", "1.2.4"));
    let (code, output) = try_script(&place, &verify.replace("t.note", "n"));
    assert!(
        code == Some(1) && output.contains("invalid signature"),
        "{output}"
    );
    place
        .run(&[
            "convert",
            "--to",
            "note",
            "-C",
            NAME,
            "--no-password",
            "k.pem",
            "-o",
            "s",
        ])
        .ended(0);
    script(&place, &format!("{note} sign \"$(cat s)\" < t > theirs"));
    assert_eq!(text(&place, "theirs"), text(&place, "t.note"));
    place.run(&["verify-note", "theirs", "-k", "v"]).ended(0);
}
