//! Where keys may come from, who may have seen them, and what `-` means.

use crate::harness::*;

#[test]
fn a_dash_is_standard_output_or_refused() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    let before = place.names();
    let public = place.run(&["public", "k.pem"]).ended(0).stdout;
    assert_eq!(
        place.run(&["public", "k.pem", "-o", "-"]).ended(0).stdout,
        public
    );
    let signature = place
        .run(&["sign", "--format", "raw", "-k", "k.pem", "m", "-o", "-"])
        .ended(0);
    assert_eq!(signature.stdout.len(), 64);
    let secret = place.run(&["exchange", "-k", "x.pem", "x.pub.pem", "-o", "-"]);
    assert_eq!(secret.ended(0).stdout, unhex(RFC7748_SHARED));
    for args in [
        &["keygen", "--no-password", "-o", "-"][..],
        &["keygen", "--no-password", "-o", "-", "--force"],
        &["keygen", "--no-password", "-o", "-", "--public", "p"],
        &["keygen", "--no-password", "-o", "a", "--public", "-"],
        &["quickstart", "m", "--dir", "-"],
        &["sign", "--format", "raw", "-k", "-", "m"],
        &["sign-tree", "-k", "k.pem", ".", "-o", "-"],
        &["public", "-"],
        &["verify", "-k", "-", "m", "-s", "k.pem"],
        &["verify", "-k", "k.pub.pem", "m", "-s", "-"],
        &["exchange", "-k", "-", "x.pub.pem", "-o", "s"],
        &["exchange", "-k", "x.pem", "-", "-o", "s"],
    ] {
        let run = place.run(args).failed(2, &["standard ", "hint: "]);
        assert_eq!(place.names(), before, "{args:?}: {run:?}");
    }
    // The one line of JSON has standard output for itself.
    for args in [
        &["public", "k.pem", "-o", "-", "--json"][..],
        &[
            "sign", "--format", "raw", "-k", "k.pem", "m", "-o", "-", "--json",
        ],
        &["exchange", "-k", "x.pem", "x.pub.pem", "-o", "-", "--json"],
    ] {
        let json = place.run(args).ended(2).json();
        assert_eq!(json["error"]["kind"], "usage", "{args:?}");
    }
    place
        .run(&["keygen", "--no-password", "-o", "./-"])
        .ended(0);
    assert!(place.exists("-") && place.exists("-.pub"));
}

#[cfg(unix)]
#[test]
fn keys_that_others_can_read_are_refused() {
    for mode in [0o604, 0o640, 0o644, 0o602, 0o620, 0o610, 0o601] {
        let place = Place::new().with_keys();
        place.write("m", "m");
        let before = place.names();
        set_mode(&place.path("k.pem"), mode);
        set_mode(&place.path("x.pem"), mode);
        for args in [
            &["public", "k.pem"][..],
            &["public", "k.pem", "-o", "p"],
            &["sign", "--format", "raw", "-k", "k.pem", "m"],
            &["exchange", "-k", "x.pem", "x.pub.pem", "-o", "s"],
        ] {
            let file = if args[0] == "exchange" {
                "x.pem"
            } else {
                "k.pem"
            };
            let chmod = format!("chmod 600 {file}");
            place
                .run(args)
                .failed(4, &["other users", &chmod, "--allow-open-key"]);
            assert_eq!(place.names(), before, "{args:?}, mode {mode:o}");
        }
        let json = place.run(&["public", "k.pem", "--json"]).ended(4).json();
        assert_eq!(json["error"]["kind"], "open_key");

        let args = [
            "sign",
            "--format",
            "raw",
            "-k",
            "k.pem",
            "m",
            "--allow-open-key",
            "--json",
        ];
        let json = place.run(&args).ended(0).json();
        assert_eq!(json["warnings"].as_array().unwrap().len(), 1);
        let run = place.run(&["public", "k.pem", "--allow-open-key"]).ended(0);
        assert!(run.stderr.contains("warning"), "{run:?}");
        let args = ["exchange", "-k", "x.pem", "x.pub.pem", "--allow-open-key"];
        assert_eq!(place.run(&args).ended(0).stdout, unhex(RFC7748_SHARED));
    }
    for mode in [0o600, 0o400, 0o700] {
        let place = Place::new().with_keys();
        set_mode(&place.path("k.pem"), mode);
        assert_eq!(place.run(&["public", "k.pem"]).ended(0).stderr, "");
    }
    // A public key is public, in the wrong place too.
    let place = Place::new().with_keys();
    place
        .run(&["public", "k.pub.pem"])
        .failed(4, &["is a public key"]);
}

/// As for ssh, a key that somebody else owns may be shared with a group, but not with everybody.
#[cfg(unix)]
#[test]
fn keys_of_other_owners() {
    let place = Place::new().with_keys();
    if std::os::unix::fs::chown(place.path("k.pem"), Some(65534), None).is_err() {
        return skip("keys of other owners: only root gives files away");
    }
    for (mode, code) in [(0o640, 0), (0o644, 4)] {
        set_mode(&place.path("k.pem"), mode);
        place.run(&["public", "k.pem"]).ended(code);
    }
}

#[cfg(unix)]
mod pipes {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    fn shell(place: &Place, shell: &str, script: &str) -> Option<Run> {
        let output = Command::new(shell)
            .args(["-c", script])
            .env("lanner", Place::program())
            .current_dir(place.root())
            .stdin(Stdio::null())
            .output();
        Some(Run::from(output.ok()?))
    }

    fn signed() -> Place {
        let place = Place::new().with_keys();
        place.write("m", "m");
        place
            .run(&["sign", "--format", "raw", "-k", "k.pem", "m"])
            .ended(0);
        place
    }

    #[test]
    fn keys_come_through_pipes() {
        let place = signed();
        let public = public_pem(ED25519_PUBLIC_DER, RFC8032_PUBLIC);
        let run = shell(&place, "sh", "cat k.pem | \"$lanner\" public /dev/stdin").unwrap();
        assert_eq!(run.ended(0).text(), public);
        let Some(run) = shell(&place, "bash", "\"$lanner\" public <(cat k.pem)") else {
            return skip("keys from <(command): no bash here");
        };
        assert_eq!(run.ended(0).text(), public);
        for script in [
            "\"$lanner\" verify -k <(cat k.pub.pem) -s <(sleep 0.3; cat m.sig) m",
            // Slower than a named pipe without a writer is waited for.
            "\"$lanner\" sign --format raw -k <(sleep 1.5; cat k.pem) m -o - | cmp - m.sig",
            "\"$lanner\" exchange -k <(cat x.pem) <(cat x.pub.pem) -o s",
        ] {
            shell(&place, "bash", script).unwrap().ended(0);
        }
        shell(&place, "bash", "\"$lanner\" public <(true)")
            .unwrap()
            .ended(3);
    }

    /// A named pipe is read if somebody writes to it, now or in a moment.
    #[test]
    fn named_pipes() {
        let place = signed();
        let script = "mkfifo fifo; (sleep 0.3; cat k.pem > fifo) & \"$lanner\" public fifo";
        let run = shell(&place, "sh", script).unwrap().ended(0);
        assert_eq!(run.text(), public_pem(ED25519_PUBLIC_DER, RFC8032_PUBLIC));
        let script = "(exec 3> fifo; sleep 1.5; cat k.pem >&3) & \"$lanner\" public fifo";
        shell(&place, "sh", script).unwrap().ended(0);
    }

    /// Runs the command, which must not take long.
    fn quick(place: &Place, args: &[&str]) -> Run {
        let mut child = place
            .command()
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > Duration::from_secs(60) {
                child.kill().unwrap();
                panic!("{args:?} hangs");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Run::from(child.wait_with_output().unwrap())
    }

    #[test]
    fn what_is_no_file_and_no_pipe_with_a_writer_is_an_error() {
        let place = signed();
        let made = Command::new("mkfifo").arg(place.path("fifo")).status();
        assert!(made.expect("mkfifo runs").success());
        std::fs::create_dir(place.path("directory")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(place.path("socket")).unwrap();
        let before = place.names();
        for (source, word) in [
            ("fifo", "nobody writes"),
            ("directory", "directory"),
            ("socket", "neither a regular file nor a pipe"),
            ("/dev/null", "neither a regular file nor a pipe"),
            ("/dev/zero", "neither a regular file nor a pipe"),
        ] {
            for args in [
                &["public", source][..],
                &["sign", "--format", "raw", "-k", source, "m", "-o", "s"],
                &["verify", "-k", source, "m"],
                &["verify", "-k", "k.pub.pem", "m", "-s", source],
                &["exchange", "-k", source, "x.pub.pem", "-o", "s"],
                &["exchange", "-k", "x.pem", source, "-o", "s"],
            ] {
                quick(&place, args).failed(3, &[source, word]);
                assert_eq!(place.names(), before, "{args:?}");
            }
        }
    }

    /// What is put where a list, a policy or a signature is looked for keeps nobody waiting.
    #[test]
    fn lists_that_nobody_writes() {
        let place = signed();
        let fifo = |name: &str| {
            let made = Command::new("mkfifo").arg(place.path(name)).status();
            assert!(made.expect("mkfifo runs").success());
        };
        std::fs::create_dir(place.path("t")).unwrap();
        place.write("t/a", "a");
        place.run(&["sign-tree", "-k", "k.pem", "t"]).ended(0);
        let tree = ["verify-tree", "-k", "k.pub.pem", "t"];
        place.run(&tree).ended(0);
        for name in ["t/SHA256SUMS.sig", "t/SHA256SUMS"] {
            std::fs::remove_file(place.path(name)).unwrap();
            fifo(name);
            quick(&place, &tree).failed(3, &[name, "nobody writes"]);
        }
        fifo("policy");
        let args = ["verify", "--policy", "policy", "t"];
        quick(&place, &args).failed(3, &["policy", "nobody writes"]);
        // Those that somebody writes are read.
        place.write("p.toml", "version = 2\n");
        let script = "\"$lanner\" verify --policy <(sleep 0.3; cat p.toml) t";
        if let Some(run) = shell(&place, "bash", script) {
            run.failed(4, &["version"]);
        }
    }
}
