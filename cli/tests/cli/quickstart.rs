//! quickstart.

use crate::harness::*;
use crate::tools::have;
use std::path::Path;
use std::process::Command;

#[test]
fn it_does_what_it_says() {
    let place = Place::new();
    place.write("README.md", "# A real file\n");
    let run = place
        .run(&["quickstart", "README.md", "--dir", "new"])
        .ended(0);
    assert_eq!(run.stderr, "");
    for word in [
        "ok ",
        "Ed25519",
        "X25519",
        "FN-DSA-512",
        "FN-DSA-1024",
        "tampered",
        "wrong key",
        "shared secret",
        " ms",
        "new",
    ] {
        assert!(
            run.text().contains(word),
            "{word:?} is not in {}",
            run.text()
        );
    }
    assert!(!run.text().contains("FAILED"));
    assert_eq!(place.names(), ["README.md", "new"]);
    assert_eq!(place.read("README.md"), b"# A real file\n");
    for signature in [
        "new/README.md.sig",
        "new/README.md.fn-dsa-512.sig",
        "new/README.md.fn-dsa-1024.sig",
    ] {
        let content = place.read(signature);
        assert!(content.starts_with(b"-----BEGIN SSH SIGNATURE-----\n"));
    }
    assert_ne!(
        place.read("new/tampered-README.md"),
        place.read("README.md")
    );
    let lens = [
        place.read("new/tampered-README.md").len(),
        place.read("README.md").len(),
    ];
    assert_eq!(lens[0], lens[1], "one bit differs");
    #[cfg(unix)]
    {
        assert_eq!(mode(&place.path("new")) & 0o077, 0);
        for secret in [
            "signer.pem",
            "signer-fn-dsa-512.pem",
            "signer-fn-dsa-1024.pem",
            "alice.pem",
            "bob.pem",
        ] {
            assert_eq!(mode(&place.path("new").join(secret)), 0o600);
        }
    }
}

#[test]
fn json_names_steps_and_files() {
    let place = Place::new();
    place.write("m", "m");
    let run = Run::of(
        place
            .command()
            .args(["quickstart", "m", "--json"])
            .env("TMPDIR", place.root()),
    );
    let json = run.ended(0).json();
    let steps: Vec<_> = json["steps"].as_array().unwrap().iter().collect();
    let named = |id: &str| {
        steps
            .iter()
            .find(|s| s["step"] == id)
            .expect("the step is there")
    };
    for (id, result) in [
        ("make_signing_key", "made"),
        ("sign", "signed"),
        ("verify", "valid"),
        ("refuse_tampered_copy", "not valid"),
        ("refuse_wrong_key", "not valid"),
        ("make_fn_dsa_512", "made"),
        ("sign_fn_dsa_512", "signed"),
        ("verify_fn_dsa_512", "valid"),
        ("refuse_tampered_copy_fn_dsa_512", "not valid"),
        ("make_fn_dsa_1024", "made"),
        ("sign_fn_dsa_1024", "signed"),
        ("verify_fn_dsa_1024", "valid"),
        ("refuse_tampered_copy_fn_dsa_1024", "not valid"),
        ("make_exchange_keys", "made"),
        ("agree_on_secret", "equal"),
    ] {
        assert_eq!(named(id)["result"], result);
        assert_eq!(named(id)["as_expected"], true);
        assert!(named(id)["milliseconds"].as_f64().unwrap() >= 0.0);
    }
    let directory = Path::new(json["directory"].as_str().unwrap());
    assert!(
        directory.starts_with(place.root()) && directory.is_dir(),
        "{directory:?}"
    );
    for file in json["files"].as_object().unwrap().values() {
        assert!(Path::new(file.as_str().unwrap()).is_file(), "{file}");
    }
}

/// The commands that quickstart prints do what it says about them, typed as printed.
#[cfg(unix)]
#[test]
fn the_printed_commands_work() {
    let openssl = have("openssl", "the OpenSSL commands that quickstart prints");
    let openssh = have("ssh-keygen", "the OpenSSH commands that quickstart prints");
    let place = Place::new();
    place.write("a file's name", "content\n");
    let run = place
        .run(&["quickstart", "a file's name", "--dir", "the dir"])
        .ended(0);
    let text = run.text();
    let commands: Vec<&str> = text
        .split_once("Try it yourself\n")
        .unwrap()
        .1
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert_eq!(commands.len(), 10, "{text}");
    let variable = commands[0];
    for command in &commands[1..] {
        if !openssl && command.starts_with("openssl") || !openssh && command.contains("ssh-keygen")
        {
            continue;
        }
        let script = format!("{variable}\n{command}");
        let run = Run::of(
            Command::new("sh")
                .arg("-c")
                .arg(&script)
                .current_dir(place.root()),
        );
        let expected = if command.contains("tampered") { 1 } else { 0 };
        assert_eq!(run.code, Some(expected), "{script}: {run:?}");
    }
    // The last one removes what all of them wrote.
    assert_eq!(place.names(), ["a file's name"]);
}

#[test]
fn empty_and_binary_files() {
    let place = Place::new();
    place.write("empty", "");
    place.write("binary", (0..=255).collect::<Vec<u8>>());
    place.run(&["quickstart", "empty", "--dir", "1"]).ended(0);
    assert_eq!(place.read("1/tampered-empty").len(), 1);
    place.run(&["quickstart", "binary", "--dir", "2"]).ended(0);
}

#[test]
fn large_files_are_not_copied() {
    let place = Place::new();
    let file = std::fs::File::create(place.path("large")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let json = place
        .run(&["quickstart", "large", "--dir", "d", "--json"])
        .ended(0)
        .json();
    assert_eq!(json["files"]["tampered_copy"], serde_json::Value::Null);
    assert!(!place.exists("d/tampered-large"));
    let refused = json["steps"].as_array().unwrap().iter();
    let refused = refused.filter(|step| {
        step["step"]
            .as_str()
            .unwrap()
            .starts_with("refuse_tampered")
    });
    assert_eq!(
        refused.map(|step| &step["result"]).collect::<Vec<_>>(),
        ["not valid"; 3]
    );
}

#[test]
fn the_directory_must_be_fresh() {
    let place = Place::new();
    place.write("m", "m");
    std::fs::create_dir(place.path("used")).unwrap();
    place.write("used/signer.pem", "precious");
    place
        .run(&["quickstart", "m", "--dir", "used"])
        .failed(3, &["used is not empty", "left alone"]);
    assert_eq!(place.read("used/signer.pem"), b"precious");
    std::fs::create_dir(place.path("empty")).unwrap();
    place.run(&["quickstart", "m", "--dir", "empty"]).ended(0);
    place
        .run(&["quickstart", "m", "--dir", "m"])
        .failed(3, &["m"]);
    place
        .run(&["quickstart", "m", "--dir", "no/such"])
        .failed(3, &["no/such"]);
}

#[test]
fn a_failure_leaves_nothing_behind() {
    let place = Place::new();
    std::fs::create_dir(place.path("tmp")).unwrap();
    std::fs::create_dir(place.path("dir")).unwrap();
    for (file, code, word) in [
        ("none", 3, "none"),
        ("dir", 3, "directory"),
        ("-", 2, "a file"),
    ] {
        let run = Run::of(
            place
                .command()
                .args(["quickstart", file])
                .env("TMPDIR", place.path("tmp")),
        );
        run.failed(code, &[word]);
        assert!(
            std::fs::read_dir(place.path("tmp"))
                .unwrap()
                .next()
                .is_none()
        );
    }
}
