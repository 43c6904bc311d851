//! sign.

use crate::harness::*;

#[test]
fn the_rfc_signature() {
    let place = Place::new().with_keys();
    place.write("m", "");
    let run = place
        .run(&["sign", "--format", "raw", "-k", "k.pem", "m"])
        .ended(0);
    assert_eq!(place.read("m.sig"), unhex(RFC8032_SIGNATURE));
    assert!(run.text().contains("Ed25519, pure"), "{run:?}");
    assert!(run.text().contains(RFC8032_FINGERPRINT), "{run:?}");
    assert_eq!(run.stderr, "");
    assert_eq!(
        place.names(),
        ["k.pem", "k.pub.pem", "m", "m.sig", "x.pem", "x.pub.pem"]
    );
}

#[test]
fn standard_input_and_output() {
    // Below and above what is kept in memory.
    for size in [0, 1, 100, 1 << 20, (1 << 20) + 1, 5_000_000] {
        let place = Place::new().with_keys();
        let message: Vec<u8> = (0..size).map(|i: u32| (i % 251) as u8).collect();
        place.write("m", &message);
        place
            .run(&["sign", "--format", "raw", "-k", "k.pem", "m"])
            .ended(0);
        let run = place
            .run_with_stdin(&["sign", "--format", "raw", "-k", "k.pem", "-"], &message)
            .ended(0);
        assert_eq!(run.stdout, place.read("m.sig"), "{size} bytes");
        assert_eq!(run.stderr, "");
        let run = place
            .run_with_stdin(
                &["sign", "--format", "raw", "-k", "k.pem", "-", "-o", "s"],
                &message,
            )
            .ended(0);
        assert_eq!(place.read("s"), place.read("m.sig"));
        assert!(run.text().contains("Signed standard input"), "{run:?}");
        let run = place
            .run(&["sign", "--format", "raw", "-k", "k.pem", "m", "-o", "-"])
            .ended(0);
        assert_eq!(run.stdout, place.read("m.sig"));
        place
            .run_with_stdin(&["verify", "-k", "k.pub.pem", "-", "-s", "s"], &message)
            .ended(0);
    }
}

#[test]
fn json_wants_standard_output_for_itself() {
    let place = Place::new().with_keys();
    for args in [
        &["sign", "--format", "raw", "-k", "k.pem", "-", "--json"][..],
        &[
            "sign", "--format", "raw", "-k", "k.pem", "m", "-o", "-", "--json",
        ],
    ] {
        place.write("m", "m");
        let json = place.run(args).ended(2).json();
        assert_eq!(json["error"]["kind"], "usage");
    }
}

#[test]
fn wrong_keys() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    place
        .run(&["sign", "--format", "raw", "-k", "x.pem", "m"])
        .failed(4, &["x.pem", "X25519", "Ed25519", "keygen"]);
    place
        .run(&["sign", "--format", "raw", "-k", "k.pub.pem", "m"])
        .failed(4, &["k.pub.pem is a public key"]);
    // The arguments swapped.
    place
        .run(&["sign", "--format", "raw", "-k", "m", "k.pem"])
        .failed(4, &["m is not a key file"]);
    assert!(!place.exists("m.sig"));
}

#[test]
fn messages_that_cannot_be_signed() {
    let place = Place::new().with_keys();
    std::fs::create_dir(place.path("dir")).unwrap();
    let before = place.names();
    place
        .run(&["sign", "--format", "raw", "-k", "k.pem", "none"])
        .failed(3, &["none", "no such file"]);
    place
        .run(&["sign", "--format", "raw", "-k", "k.pem", "dir"])
        .failed(3, &["dir is a directory", "sign-tree"]);
    assert_eq!(place.names(), before);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices() {
    let place = Place::new().with_keys();
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("fifo"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    // Does not wait for a writer.
    place
        .run(&["sign", "--format", "raw", "-k", "k.pem", "fifo"])
        .failed(3, &["fifo is a pipe", "lanner sign -k KEY - < fifo"]);
    place
        .run(&[
            "sign",
            "--format",
            "raw",
            "-k",
            "k.pem",
            "/dev/zero",
            "-o",
            "s",
        ])
        .failed(3, &["/dev/zero", "not a regular file"]);
}

#[test]
fn signatures_are_never_overwritten_unasked() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    place.write("m.sig", "precious");
    place
        .run(&["sign", "--format", "raw", "-k", "k.pem", "m"])
        .failed(3, &["m.sig exists already", "--force"]);
    assert_eq!(place.read("m.sig"), b"precious");
    // That is found out before any long work: before the message is even looked for.
    place
        .run(&[
            "sign", "--format", "raw", "-k", "k.pem", "none", "-o", "m.sig",
        ])
        .failed(3, &["m.sig exists already"]);
    place
        .run(&["sign", "--format", "raw", "-k", "k.pem", "m", "--force"])
        .ended(0);
    assert_eq!(place.read("m.sig").len(), 64);
}

#[test]
fn force_does_not_destroy_the_inputs() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    for (output, args) in [
        (
            "k.pem",
            &[
                "sign", "--format", "raw", "-f", "-k", "k.pem", "m", "-o", "k.pem",
            ][..],
        ),
        (
            "m",
            &[
                "sign", "--format", "raw", "-f", "-k", "k.pem", "m", "-o", "./m",
            ],
        ),
        ("k.pem", &["public", "-f", "k.pem", "-o", "k.pem"]),
        (
            "x.pem",
            &["exchange", "-f", "-k", "x.pem", "x.pub.pem", "-o", "x.pem"],
        ),
        (
            "x.pub.pem",
            &[
                "exchange",
                "-f",
                "-k",
                "x.pem",
                "x.pub.pem",
                "-o",
                "x.pub.pem",
            ],
        ),
    ] {
        let before = place.read(output);
        place
            .run(args)
            .failed(2, &["overwritten by its own output"]);
        assert_eq!(place.read(output), before);
    }
}

#[cfg(unix)]
#[test]
fn hostile_file_names() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new().with_keys();
    for name in [
        &b"two words"[..],
        b"-k",
        b"\x1b[2Jx\nVALID: y",
        b"not utf-8 \xff",
    ] {
        let file = std::path::Path::new("./").join(std::ffi::OsStr::from_bytes(name));
        std::fs::write(place.root().join(&file), "m").unwrap();
        let run = Run::of(
            place
                .command()
                .args(["sign", "--format", "raw", "-k", "k.pem"])
                .arg(&file),
        )
        .ended(0);
        assert!(!run.text().contains('\x1b'), "{run:?}");
        assert_eq!(run.text().lines().count(), 4, "one line a fact: {run:?}");
        Run::of(
            place
                .command()
                .args(["verify", "-k", "k.pub.pem"])
                .arg(&file),
        )
        .ended(0);
        let run = Run::of(
            place
                .command()
                .args(["verify", "--json", "-k", "k.pub.pem"])
                .arg(&file),
        );
        assert_eq!(run.ended(0).json()["valid"], true);
        // Names of keys, in errors and in the commands that these hint at.
        std::fs::copy(place.path("k.pem"), place.root().join(&file)).unwrap();
        set_mode(&place.root().join(&file), 0o644);
        for args in [
            &["sign", "k.pub.pem", "-k"][..],
            &["verify", "k.pub.pem", "-s", "k.pem", "-k"],
        ] {
            let run = Run::of(place.command().args(args).arg(&file)).ended(4);
            run.says_nothing_by_itself();
        }
        set_mode(&place.root().join(&file), 0o600);
    }
}

/// A file that somebody writes to: two passes over different bytes must never give a signature.
#[test]
fn a_changing_file_is_not_signed() {
    use std::io::{Seek, Write};
    use std::sync::atomic::{AtomicBool, Ordering};
    let place = Place::new().with_keys();
    let mut file = std::fs::File::create(place.path("m")).unwrap();
    file.set_len(32 << 20).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut count = 0u64;
            while !done.load(Ordering::Relaxed) {
                count += 1;
                file.rewind().unwrap();
                file.write_all(&count.to_le_bytes()).unwrap();
            }
        });
        let run = place.run(&["sign", "--format", "raw", "-k", "k.pem", "m"]);
        let json = place.run(&["sign", "--format", "raw", "-k", "k.pem", "m", "--json"]);
        done.store(true, Ordering::Relaxed);
        run.failed(3, &["m changed while it was being signed"]);
        assert_eq!(json.ended(3).json()["error"]["kind"], "message_changed");
    });
    assert!(!place.exists("m.sig"));
}
