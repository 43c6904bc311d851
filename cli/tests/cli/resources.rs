//! Memory, disks, permissions, terminals, interruptions.
#![cfg(unix)]

use crate::harness::*;
use std::fs::File;
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};

/// A shell that sets limits and then becomes the command.
fn shell(place: &Place, before: &str, args: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{before}; exec {:?} {args}", Place::program()))
        .current_dir(place.root())
        .stdin(Stdio::null());
    command
}

/// A file far larger than the address space that the command gets.
#[test]
fn constant_memory() {
    const LIMIT_KIB: u64 = 64 * 1024;
    let place = Place::new().with_keys();
    let large = File::create(place.path("large")).unwrap();
    large.set_len(4 * LIMIT_KIB * 1024).unwrap();
    let limit = format!("ulimit -v {LIMIT_KIB}");
    for args in [
        "sign -k k.pem large",
        "verify -k k.pub.pem large",
        "verify -k k.pub.pem - -s large.sig < large",
        "sign -k k.pem - -o stdin.sig < large",
        "quickstart large --dir d",
    ] {
        let run = Run::of(&mut shell(&place, &limit, args)).ended(0);
        assert_eq!(run.stderr, "", "no progress bar without a terminal");
    }
    assert_eq!(place.read("large.sig"), place.read("stdin.sig"));
}

/// A table four times as large as the address space that the command gets, through a pipe: small records and large ones.
#[test]
fn tables_in_constant_memory() {
    const LIMIT_KIB: usize = 64 * 1024;
    let place = Place::new().with_keys();
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let record = |from: &str, message: &[u8]| {
        place.write("part", message);
        let args = [
            "sign", "-k", "k.pem", "part", "--format", "raw", "-o", "s", "-f",
        ];
        place.run(&args).ended(0);
        let (message, signature) = (hex(message), hex(&place.read("s")));
        match from {
            "csv" => format!("{RFC8032_PUBLIC},{message},{signature}\n"),
            _ => format!(
                "{}\n",
                serde_json::json!({"public_key": RFC8032_PUBLIC, "message": message, "signature": signature})
            ),
        }
    };
    for from in ["jsonl", "csv"] {
        let block = record(from, b"small").repeat(200) + &record(from, &[7; 300_000]).repeat(4);
        let blocks = 4 * LIMIT_KIB * 1024 / block.len() + 1;
        let args = format!("verify-batch - --from {from} -o v --threads 2 --json -f");
        let mut child = shell(&place, &format!("ulimit -v {LIMIT_KIB}"), &args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        if from == "csv" {
            input.write_all(b"public_key,message,signature\n").unwrap();
        }
        for _ in 0..blocks {
            // A command that gave up says why itself.
            if input.write_all(block.as_bytes()).is_err() {
                break;
            }
        }
        drop(input);
        let run = Run::from(child.wait_with_output().unwrap()).ended(0);
        assert_eq!(run.json()["valid"], 204 * blocks, "{from}");
    }
}

/// Where the system gives fewer threads than there are processors, or none, those that there are do the work.
#[test]
fn fewer_threads_than_wanted() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    let args = ["sign", "-k", "k.pem", "m", "--format", "raw", "-o", "s"];
    place.run(&args).ended(0);
    let hex = |name| {
        place
            .read(name)
            .iter()
            .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    };
    let record = format!("{RFC8032_PUBLIC},{},{}\n", hex("m"), hex("s"));
    place.write(
        "table",
        "public_key,message,signature\n".to_owned() + &record.repeat(2000),
    );
    std::fs::create_dir(place.path("tree")).unwrap();
    for i in 0..20 {
        place.write(&format!("tree/{i}"), "text");
    }
    place.run(&["sign-tree", "-k", "k.pem", "tree"]).ended(0);
    // What a thread takes for its stack: the address space has room for some, or for none.
    for stack in [16 << 20, 1 << 30] {
        let limits = format!("export RUST_MIN_STACK={stack}; ulimit -v 200000");
        for args in [
            "verify-batch table -o v -f",
            "verify-tree -k k.pub.pem tree",
        ] {
            let run = Run::of(&mut shell(
                &place,
                &limits,
                &format!("{args} --threads 100"),
            ));
            assert_eq!(run.ended(0).stderr, "", "{stack}");
        }
    }
}

/// A table that its own verdicts are added to would have no end.
#[test]
fn verdicts_into_the_table() {
    let place = Place::new();
    let record = format!("{RFC8032_PUBLIC},,{RFC8032_SIGNATURE}\n");
    let table = "public_key,message,signature\n".to_owned() + &record.repeat(2000);
    for args in [
        "table >> table",
        "- < table >> table",
        "table -o - >> table",
        "table 1<> table",
    ] {
        place.write("table", &table);
        let args = format!("verify-batch {args}");
        let run = Run::of(&mut shell(&place, "ulimit -f 10000", &args));
        run.failed(
            2,
            &[
                "would be overwritten by its own output",
                "name another output file",
            ],
        );
        assert_eq!(place.read("table"), table.as_bytes(), "{args}");
    }
    let others = "verify-batch table -o - < table > other 2>&1";
    let _ = Run::of(&mut shell(&place, ":", others)).ended(0);
}

/// What a password costs is said where it is too much, and not by an abort.
#[test]
fn a_password_that_takes_more_memory_than_there_is() {
    let place = Place::new().with_keys();
    place.write("pw", "secret\n");
    place.write("m", "m");
    let convert = "convert k.pem --to minisign --new-password-file pw -o";
    Run::of(&mut shell(&place, ":", &format!("{convert} locked"))).ended(0);
    let sign = "sign -k locked m --password-file pw";
    for args in [sign, &format!("{convert} another")] {
        let run = Run::of(&mut shell(&place, "ulimit -v 100000", args));
        run.failed(3, &["there is no memory for", "128.0 MiB", "ulimit -v"]);
    }
    assert!(!place.exists("m.sig") && !place.exists("another"));
    let _ = Run::of(&mut shell(&place, ":", sign)).ended(0);
}

/// The system calls of the command, or nothing where strace is not there; the log says what it did.
fn calls(place: &Place, trace: &str, args: &str) -> Option<String> {
    let line = format!(
        "exec strace -f -qq -o calls -e {trace} {:?} {args}",
        Place::program()
    );
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(place.root());
    let run = Run::of(command.stdin(Stdio::null()));
    if run.code != Some(0) && !place.exists("calls") {
        return None;
    }
    let _ = run.ended(0);
    Some(String::from_utf8_lossy(&place.read("calls")).into_owned())
}

/// Memory for a password is asked for once, unless a limit may be in the way of it.
#[test]
fn memory_for_a_password_is_set_aside_once() {
    let place = Place::new().with_keys();
    place.write("pw", "secret\n");
    let convert = "convert k.pem --to minisign --new-password-file pw -o locked";
    Run::of(&mut shell(&place, ":", convert)).ended(0);
    let Some(calls) = calls(&place, "trace=mmap", "public locked --password-file pw") else {
        return skip("memory for passwords: no strace here, or it may not trace");
    };
    let is_large = |line: &&str| {
        let length = line.split(", ").nth(1).and_then(|it| it.parse().ok());
        length.is_some_and(|length: u64| length > 100_000_000)
    };
    assert_eq!(calls.lines().filter(is_large).count(), 1, "{calls}");
}

/// Twice the files are twice the work.
#[test]
fn many_files_are_signed_in_linear_time() {
    let count = |files: usize, more: &str| {
        let place = Place::new().with_keys();
        std::fs::create_dir(place.path("d")).unwrap();
        for i in 0..files {
            place.write(&format!("d/f{i}"), "m");
        }
        let args = format!("sign -k k.pem d/f*[0-9] {more}");
        if !more.is_empty() {
            Run::of(&mut shell(&place, ":", "sign -k k.pem d/f*[0-9]")).ended(0);
        }
        let calls = calls(&place, "trace=all", &args)?;
        Some(calls.lines().count())
    };
    for more in ["", "--force"] {
        let (Some(few), Some(many)) = (count(50, more), count(150, more)) else {
            return skip("signing many files: no strace here, or it may not trace");
        };
        assert!(
            many < 3 * few + few / 4,
            "{few} calls for 50 files, {many} for 150"
        );
    }
}

/// More than 32 bits can count, in the memory of a small file.
#[test]
#[ignore = "a minute or two: a file of 5 GB, read by each command that reads files"]
fn a_file_of_five_gigabytes() {
    let place = Place::new().with_keys();
    std::fs::create_dir(place.path("t")).unwrap();
    let large = File::create(place.path("t/large")).unwrap();
    large.set_len(5_000_000_000).unwrap();
    for args in [
        "sign -k k.pem t/large",
        "verify -k k.pub.pem t/large",
        "sign -k k.pem t/large --format raw -o raw",
        "verify -k k.pub.pem t/large -s raw",
        "sign-tree -k k.pem t -o L --threads 2",
        "verify-tree -k k.pub.pem t -l L --threads 2",
    ] {
        let _ = Run::of(&mut shell(&place, "ulimit -v 65536", args)).ended(0);
    }
    // The last byte counts.
    large.set_len(5_000_000_001).unwrap();
    let args = "verify-tree -k k.pub.pem t -l L";
    let _ = Run::of(&mut shell(&place, "ulimit -v 65536", args)).ended(1);
}

/// A disk that is full: writes fail, and nothing is left behind.
#[test]
fn a_failed_write_leaves_nothing_behind() {
    for args in [
        "keygen --no-password -o new.pem",
        "keygen --no-password -o k.pem --force",
        "sign -k k.pem m",
        "exchange -k x.pem x.pub.pem -o s",
        "public k.pem -o p.pem",
        "quickstart m --dir q",
    ] {
        let place = Place::new().with_keys();
        place.write("m", "m");
        let before = place.names();
        let key = place.read("k.pem");
        // Files of no size at all: write(2) fails, and there is a signal for it unless that is ignored.
        for before in ["ulimit -f 0", "trap '' XFSZ; ulimit -f 0"] {
            let run = Run::of(&mut shell(&place, before, args));
            run.failed(3, &["cannot write"]);
        }
        assert_eq!(place.names(), before, "{args}");
        assert_eq!(place.read("k.pem"), key, "{args}");
    }
}

#[test]
fn a_spool_that_does_not_fit_is_explained() {
    let place = Place::new().with_keys();
    let large = File::create(place.path("large")).unwrap();
    large.set_len(8 << 20).unwrap();
    // The unit of ulimit -f is 512 bytes or 1 KiB: 1 or 2 MiB.
    let run = Run::of(&mut shell(
        &place,
        "ulimit -f 2048",
        "sign --format raw -k k.pem - -o s < large",
    ));
    run.failed(3, &["temporary copy of standard input", "TMPDIR"]);
    assert!(!place.exists("s"));
}

/// Killed at any moment, the command leaves a whole signature or none.
#[test]
fn killed_while_signing() {
    let place = Place::new().with_keys();
    let large = File::create(place.path("large")).unwrap();
    large.set_len(1 << 40).unwrap();
    let before = place.names();
    let mut child = place
        .command()
        .args(["sign", "-k", "k.pem", "large"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(200));
    child.kill().unwrap();
    assert_eq!(
        child.wait().unwrap().signal(),
        Some(9),
        "a tebibyte takes longer"
    );
    assert_eq!(place.names(), before);
}

/// Runs as a user who may not write here.
#[test]
fn directories_without_permission() {
    use std::os::unix::fs::MetadataExt;
    let place = Place::new().with_keys();
    place.write("m", "m");
    set_mode(&place.path("k.pem"), 0o644);
    let root = place.path("m").metadata().unwrap().uid() == 0;
    set_mode(place.root(), 0o555);
    let command = |args: &[&str]| {
        let mut command = place.command();
        command.args(args);
        if root {
            // Permissions do not bind root: become nobody.
            command.uid(65534).gid(65534);
        }
        command
    };
    if let Err(e) = command(&["--version"]).output() {
        skip(&format!(
            "directories without permission: cannot run as nobody: {e}"
        ));
        set_mode(place.root(), 0o755);
        return;
    }
    for args in [
        &["keygen", "--no-password", "-o", "a.pem"][..],
        &["sign", "-k", "k.pem", "m"],
        &["exchange", "-k", "k.pem", "m", "-o", "s"],
        &["quickstart", "m", "--dir", "d"],
    ] {
        let run = Run::of(&mut command(args)).failed(3, &["permission denied"]);
        assert!(run.stderr.contains("cannot"), "{run:?}");
    }
    set_mode(place.root(), 0o755);
    set_mode(&place.path("m"), 0o000);
    set_mode(&place.path("k.pem"), 0o000);
    let run = Run::of(&mut command(&[
        "verify",
        "-k",
        "k.pub.pem",
        "m",
        "-s",
        "k.pub.pem",
    ]));
    assert_eq!(
        run.code,
        Some(4),
        "the signature file is looked at first: {run:?}"
    );
    Run::of(&mut command(&["public", "k.pem"])).failed(3, &["k.pem", "permission denied"]);
    place.write("m.sig", [0; 64]);
    Run::of(&mut command(&["verify", "-k", "k.pub.pem", "m"]))
        .failed(3, &["cannot read m", "permission denied"]);
}

/// Standard output that takes nothing, or that nobody reads.
#[test]
fn output_that_cannot_be_written() {
    let place = Place::new().with_keys();
    place.write("m", "");
    if let Ok(full) = File::options().write(true).open("/dev/full") {
        for args in [
            &["sign", "-k", "k.pem", "m", "-o", "-"][..],
            &["public", "k.pem"],
            &["public", "k.pem", "--json"],
            &["--help"],
        ] {
            let output = place
                .command()
                .args(args)
                .stdout(full.try_clone().unwrap())
                .output();
            Run::from(output.unwrap()).ended(3);
        }
    } else {
        skip("a full standard output: no /dev/full here");
    }
    // A closed pipe: no panic, no success.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = place
        .command()
        .args(["public", "k.pem"])
        .stdout(writer)
        .output()
        .unwrap();
    assert_eq!(Run::from(output).ended(3).stderr, "");
}

/// On a terminal, results in bytes are refused.
#[test]
fn terminals() {
    let place = Place::new().with_keys();
    let on_terminal = |args: &str| {
        Command::new("script")
            .args([
                "-qec",
                &format!("{:?} {args}", Place::program()),
                "/dev/null",
            ])
            .current_dir(place.root())
            .stdin(Stdio::null())
            .output()
    };
    match on_terminal("--version") {
        Ok(output) if output.status.success() => {}
        _ => return skip("terminals: no script(1) of util-linux here"),
    }
    let output = on_terminal("exchange -k x.pem x.pub.pem").unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).contains("does not belong on a terminal"));
    let output = on_terminal("sign -k k.pem - < k.pem").unwrap();
    assert_eq!(output.status.code(), Some(2));
    // Asked for by name, it is the user's will.
    let output = on_terminal("exchange -k x.pem x.pub.pem -o - --format hex").unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains(RFC7748_SHARED));
}
