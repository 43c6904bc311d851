//! What is the same for all commands: silence, colours, examples in the help; and the commands that look at the machine.

use crate::harness::*;
use crate::tools::{have, try_script};
use std::process::Command;

const COMMANDS: [&str; 17] = [
    "quickstart",
    "keygen",
    "public",
    "inspect",
    "convert",
    "sign",
    "verify",
    "sign-tree",
    "verify-tree",
    "verify-batch",
    "attest",
    "verify-attestation",
    "sign-note",
    "verify-note",
    "exchange",
    "bench",
    "doctor",
];

#[test]
fn quiet_leaves_errors_and_results() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    let run = place.run(&["sign", "-q", "-k", "k.pem", "m"]).ended(0);
    assert_eq!((run.text(), run.stderr.as_str()), ("", ""));
    let run = place
        .run(&["--quiet", "verify", "-k", "k.pub.pem", "m"])
        .ended(0);
    assert_eq!((run.text(), run.stderr.as_str()), ("", ""));
    // A refusal is never silent.
    place.write("m", "n");
    let run = place.run(&["verify", "-q", "-k", "k.pub.pem", "m"]);
    let run = run.failed(1, &["the signature of m is not valid"]);
    assert!(!run.stderr.contains("NOT VALID"));
    place.write("m", "m");
    place
        .run(&["verify", "-q", "m"])
        .failed(5, &["nobody has said"]);
    place
        .run(&["sign", "-q", "-k", "k.pem", "m"])
        .failed(3, &["exists already"]);
    // What was asked for is no report.
    let run = place.run(&["public", "-q", "k.pem"]).ended(0);
    assert_eq!(run.stdout, place.read("k.pub.pem"));
    let run = place.run(&["inspect", "-q", "k.pem"]).ended(0);
    assert!(run.text().contains("Ed25519"), "{run:?}");
    #[cfg(unix)]
    {
        set_mode(&place.path("k.pem"), 0o644);
        let args = ["sign", "-f", "--allow-open-key", "-k", "k.pem", "m"];
        let run = place.run(&args).ended(0);
        assert!(run.stderr.contains("warning"), "{run:?}");
        let run = place.run(&[&args[..], &["-q"]].concat()).ended(0);
        assert_eq!(run.stderr, "");
    }
    place.run(&["verify", "--quiet", "--json", "m"]).ended(2);
}

#[test]
fn options_that_stand_twice_are_refused() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    for twice in [
        &["sign", "-k", "k.pem", "-k", "k.pem", "m"][..],
        &["sign", "-k", "k.pem", "m", "--force", "--force"],
        &["verify", "--json", "--json", "-k", "k.pub.pem", "m"],
        &[
            "sign-tree",
            "-k",
            "k.pem",
            ".",
            "--hash",
            "sha256",
            "--hash",
            "sha256",
        ],
        &["verify", "--policy", "p", "--policy", "p", "m"],
    ] {
        let run = place.run(twice);
        assert_eq!(run.code, Some(2), "{twice:?}: {run:?}");
        let said = format!("{}{}", run.stderr, run.text());
        assert!(said.contains("cannot be used multiple times"), "{said}");
    }
    assert!(!place.exists("m.sig"));
}

#[test]
fn every_command_has_help_with_an_example() {
    let place = Place::new();
    let all = place.run(&["--help"]).ended(0);
    for command in COMMANDS {
        assert!(all.text().contains(&format!("\n  {command} ")), "{command}");
        let run = place.run(&[command, "--help"]).ended(0);
        let example = "\nExamples:\n  ";
        assert!(run.text().contains(example), "{command}: {run:?}");
        assert!(
            run.text().contains(&format!("lanner {command}")),
            "{command}"
        );
        assert!(run.text().contains("\nExit codes:\n"), "{command}");
    }
}

/// What the parser of the command line quotes, say a name that begins with a dash and was matched by `*`, neither steers the
/// terminal nor looks like a verdict.
#[test]
fn what_is_not_understood_is_quoted_safely() {
    let place = Place::new();
    let steers = "\u{1b}]0;title\u{7}\nVALID: m\u{9b}31m\u{202e}";
    let option = format!("--{steers}");
    let (own, git) = (Place::program(), env!("CARGO_BIN_EXE_lanner-git"));
    for (program, args) in [
        (own, &["sign", "-k", "k", &option][..]),
        (own, &["sign", "-k", "k", "m", "--format", steers]),
        (own, &["sign", "-k", "k", "m", "--password-fd", steers]),
        (own, &[steers]),
        (own, &["help", steers]),
        (git, &["-Y", steers]),
        (git, &["-Y", "sign", &option]),
    ] {
        // As at a terminal: elsewhere, the parser takes out some of it.
        let mut command = Command::new(program);
        let command = command.current_dir(place.root()).args(args);
        let stderr = Run::of(command.env("CLICOLOR_FORCE", "1")).stderr;
        assert!(stderr.contains("\u{1b}[1m"), "{args:?}: {stderr:?}");
        assert!(stderr.contains("u{9b}31m"), "{args:?}: {stderr:?}");
        for part in ["\u{1b}]", "\u{7}", "\nVALID", "\u{9b}", "\u{202e}"] {
            assert!(!stderr.contains(part), "{args:?}: {stderr:?}");
        }
    }
    let run = place.run(&["sign", "-k", "k", &option, "--json"]).ended(2);
    assert!(run.text().is_ascii(), "{run:?}");
    assert_eq!(run.json()["error"]["kind"], "usage");
    // As JSON has it, the name of a file is what it is.
    place.write("k", "no key");
    let run = place.run(&["inspect", "--json", "c1\u{9b}31m\u{202e}\u{7f}"]);
    assert!(run.text().is_ascii(), "{run:?}");
    assert_eq!(run.json()["error"]["path"], "c1\u{9b}31m\u{202e}\u{7f}");
}

/// Colours are for terminals, and not for those who ask for none. What else decides (a runner of continuous integration
/// counts as a terminal of colours whatever its `TERM`) is taken out of the environment.
#[test]
fn colours() {
    let place = Place::new();
    let escape = '\u{1b}';
    assert!(!place.run(&["--help"]).text().contains(escape));
    if !have("script", "colours at a terminal") {
        return;
    }
    let at_terminal = |environment: &str| {
        try_script(
            &place,
            &format!(
                "unset CI NO_COLOR CLICOLOR CLICOLOR_FORCE; TERM=xterm {environment} \
                 script -qec 'lanner verify --help' /dev/null < /dev/null"
            ),
        )
        .1
    };
    assert!(at_terminal("").contains(escape));
    assert!(!at_terminal("NO_COLOR=1").contains(escape));
    assert!(!at_terminal("TERM=dumb").contains(escape));
}

#[test]
fn bench_measures() {
    let place = Place::new();
    let run = place
        .run(&["bench", "--seconds", "0.01", "--alg", "ed25519"])
        .ended(0);
    assert!(run.text().contains("verify"), "{run:?}");
    let json = place
        .run(&["bench", "--seconds", "0.01", "--json"])
        .ended(0)
        .json();
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), 3 + 3 + 3 + 3 + 3 + 2 + 3, "{json}");
    for result in results {
        let number = result["per_second"]
            .as_f64()
            .or(result["bytes_per_second"].as_f64());
        assert!(number.unwrap() > 0.0, "{result}");
    }
    let args = [
        "bench",
        "--seconds",
        "0.01",
        "--json",
        "--alg",
        "ed25519+fn-dsa-512",
    ];
    let json = place.run(&args).ended(0).json();
    assert_eq!(json["results"].as_array().unwrap().len(), 3, "{json}");
    place
        .run(&["bench", "--seconds", "0"])
        .failed(2, &["0.01 to 60"]);
}

#[test]
fn doctor_looks() {
    let place = Place::new();
    let run = Run::of(place.command().arg("doctor").env_remove("SSH_AUTH_SOCK")).ended(0);
    for word in [
        "backend",
        "known answer",
        "FN-DSA-1024",
        "Ed25519+FN-DSA-512",
        "note SSH agent",
        "SECURITY.md",
    ] {
        assert!(run.text().contains(word), "{word}: {run:?}");
    }
    assert!(!run.text().contains("BAD"), "{run:?}");
    let json = place.run(&["doctor", "--json"]).ended(0).json();
    assert_eq!(json["checks"][0]["result"], "ok");
    assert!(place.names().is_empty(), "it leaves nothing");
}

/// Where there is a verdict, what to do stands beside it.
#[test]
fn refusals_say_what_to_do() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    place.write("note.txt", "a text\n");
    place.write("p.json", "{}");
    std::fs::create_dir(place.path("d")).unwrap();
    place.write("d/f", "f");
    let predicate = ["--predicate-type", "release", "--predicate", "p.json"];
    for args in [
        &["sign", "-k", "k.pem", "m"][..],
        &["sign-tree", "-k", "k.pem", "d"],
        &["sign-note", "-k", "k.pem", "--name", "n", "note.txt"],
        &[&["attest", "-k", "k.pem", "m"], &predicate[..]].concat(),
    ] {
        place.run(args).ended(0);
    }
    for (args, option) in [
        (&["verify", "m"][..], "--signers FILE"),
        (&["verify-tree", "d"], "--signers FILE"),
        (&["verify-attestation", "m"], "-P TEXT"),
        (&["verify-note", "note.txt.note"], "-P NAME+HASH+KEY"),
    ] {
        let run = place.run(args).ended(5);
        assert!(run.text().starts_with("UNKNOWN SIGNER: "), "{run:?}");
        assert!(run.stderr.starts_with("lanner: hint: say whose"), "{run:?}");
        assert!(run.stderr.contains("-k PUB"), "{run:?}");
        assert!(run.stderr.contains(option), "{run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
        // With the error that it belongs to.
        let quiet = place.run(&[args, &["-q"]].concat()).ended(5);
        assert_eq!((quiet.text(), quiet.stderr.lines().count()), ("", 2));
        let json = place.run(&[args, &["--json"]].concat()).ended(5);
        assert_eq!(json.stderr, "");
        assert!(json.json()["error"]["hint"].is_string());
    }
    let good = place.run(&["verify", "-k", "k.pub.pem", "m"]).ended(0);
    assert_eq!(good.stderr, "");
}

/// What is not there, or is something else, is named as what it is, and no hint leads elsewhere.
#[test]
fn hints_are_about_what_is_wrong() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    place.write("t.csv", "public_key,message,signature\n");
    std::fs::create_dir(place.path("d")).unwrap();
    for (line, code, words, never) in [
        (
            "verify -k k.pub.pem none",
            3,
            "cannot read none: no such file",
            "none.sig",
        ),
        (
            "verify -k k.pub.pem none -s none.sig",
            3,
            "cannot read none: no such",
            "none.sig",
        ),
        (
            "verify-tree -k k.pub.pem none",
            3,
            "cannot read none: no such file",
            "sign-tree",
        ),
        (
            "verify-tree -k k.pub.pem m",
            3,
            "m is no directory",
            "sign-tree",
        ),
        (
            "verify-tree -k k.pub.pem d",
            3,
            "there is no list of hashes in d",
            "no directory",
        ),
        (
            "verify-batch d",
            3,
            "hint: name the file that has the table",
            "sign-tree",
        ),
        (
            "quickstart d",
            3,
            "hint: name any regular file",
            "sign-tree",
        ),
        (
            "verify-batch t.csv --keep none",
            2,
            "hint: --keep takes names",
            "--columns",
        ),
        (
            "verify-batch t.csv --columns a,b,c",
            2,
            "hint: name the columns with --columns",
            "--keep",
        ),
        (
            "exchange -k x.pem x.pem -o s",
            4,
            "it lets anybody act in their name",
            "sign in",
        ),
        (
            "sign -k k.pem m --password-file none",
            3,
            "cannot read the password file none: no such file",
            "password none",
        ),
        (
            "sign -k k.pem m --password-file d",
            3,
            "hint: name the file that the password is in",
            "password d",
        ),
    ] {
        if line.starts_with("sign ") {
            place.write("pw", "secret\n");
            let lock = [
                "convert",
                "k.pem",
                "--to",
                "pem",
                "--new-password-file",
                "pw",
            ];
            place
                .run(&[&lock[..], &["-o", "l.pem", "-f"]].concat())
                .ended(0);
        }
        let line = line.replace("-k k.pem m --p", "-k l.pem m --p");
        let args: Vec<&str> = line.split(' ').collect();
        let run = place.run(&args).failed(code, &[words]);
        assert!(!run.stderr.contains(never), "{line}: {run:?}");
    }
}
