//! Standard input, output and error, and other descriptors: what is shared, closed or full.
#![cfg(unix)]

use crate::harness::*;
use crate::tools::try_script;
use std::io::Write;
use std::process::{Command, Stdio};

/// The key `locked` is that of RFC 8032, with the password `secret` that is the first line of `pw`; `m` is a message, and
/// `m.sig` its signature.
fn place() -> Place {
    let place = Place::new().with_keys();
    place.write("m", "a message\nof two lines");
    place.write("pw", "secret\nmore\n");
    for args in [
        "convert k.pem --to openssh -o locked --new-password-file pw",
        "sign -k k.pem m",
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        place.run(&args).ended(0);
    }
    place
}

/// `script` signs the message to `out`, as it is signed in `m.sig`.
#[track_caller]
fn signs(place: &Place, script: &str) {
    let (code, said) = try_script(place, script);
    assert_eq!(code, Some(0), "{script}: {said}");
    assert_eq!(place.read("out"), place.read("m.sig"), "{script}");
    std::fs::remove_file(place.path("out")).unwrap();
}

/// `script` fails so, and writes nothing to `out`.
#[track_caller]
fn fails(place: &Place, script: &str, code: i32, words: &[&str]) {
    let (found, said) = try_script(place, script);
    assert_eq!(found, Some(code), "{script}: {said}");
    for word in words {
        assert!(said.contains(word), "{script}: {word:?} is not in {said}");
    }
    let wrote = std::fs::read(place.path("out")).unwrap_or_default();
    assert!(wrote.is_empty(), "{script}");
    let _ = std::fs::remove_file(place.path("out"));
}

#[test]
fn a_password_is_a_line_and_the_message_what_follows() {
    let place = place();
    let sign = "lanner sign -k locked -";
    for script in [
        format!("(echo secret; cat m) | {sign} --password-fd 0 > out"),
        format!("(printf 'secret\\r\\n'; cat m) | {sign} --password-fd 0 > out"),
        // A file goes on where it is.
        format!("(echo secret; cat m) > both; {sign} --password-fd 0 < both > out"),
        format!("(echo x; echo secret) > 2nd; (read line; {sign} --password-fd 3 < m) 3< 2nd 0<&3 > out"),
        format!("{sign} --password-fd 3 3< pw < m > out"),
        format!("{sign} --password-file pw < m > out"),
        // The same pipe under another number.
        format!("(echo secret; cat m) | {sign} --password-fd 5 5<&0 > out"),
        // Both passwords, line by line.
        "(echo secret; echo other) | lanner convert locked --to openssh -o l2 -f --password-fd 0 --new-password-fd 0
         (echo other; cat m) | lanner sign -k l2 - --password-fd 0 > out".to_owned(),
    ] {
        signs(&place, &script);
    }
    fails(
        &place,
        &format!("printf secret | {sign} --password-fd 0 > out"),
        2,
        &["ends with the password", "line feed"],
    );
    // Whatever the number, and of a file too: it is the same that the message would come from.
    place.write("short", "secret");
    for line in [
        format!("printf secret | {sign} --password-fd 5 -o out 5<&0"),
        format!("{sign} --password-fd 5 -o out < short 5<&0"),
    ] {
        fails(&place, &line, 2, &["ends with the password", "line feed"]);
    }
    // Opened twice, it is read twice.
    for message in ["m", "short"] {
        let line = format!("{sign} --password-fd 5 -o out -f < {message} 5< short");
        let (code, said) = try_script(&place, &line);
        assert_eq!(code, Some(0), "{line}: {said}");
    }
    std::fs::remove_file(place.path("out")).unwrap();
    // An empty message is one all the same.
    let (code, _) = try_script(
        &place,
        &format!(
            "echo secret | {sign} --password-fd 0 -o e.sig
         lanner verify -k k.pub.pem - -s e.sig < /dev/null"
        ),
    );
    assert_eq!(code, Some(0));
    // Whatever the password stands in, it is a line, and nobody waits for more.
    signs(
        &place,
        "mkfifo p; (exec 4> p; echo secret >&4; exec sleep 60) & code=0
         lanner sign -k locked m -o out --password-file p || code=$?; kill $!; exit $code",
    );
    for (number, redirection, words) in [
        (7, "7<&-", "descriptor 7"),
        (
            0,
            "< /dev/null",
            "neither a regular file nor a pipe nor a socket",
        ),
        (3, "3< .", "neither"),
        (3, "3< empty", "nothing to read"),
    ] {
        place.write("empty", "");
        let script = format!("lanner sign -k locked m -o out --password-fd {number} {redirection}");
        fails(&place, &script, 3, &[words, "hint"]);
    }
    fails(
        &place,
        "lanner sign -k locked m -o out --password-fd 4294967295",
        3,
        &["descriptor"],
    );
}

/// Before a command: where a sandbox refuses the call that duplicates descriptors of processes, as those of containers do.
const SANDBOX: &str =
    "strace -f -qq -o /dev/null -e trace=pidfd_getfd -e inject=pidfd_getfd:error=EPERM ";

/// The sandboxes to try: none, and [`SANDBOX`] if it can be had.
fn sandboxes(place: &Place) -> Vec<&'static str> {
    let (code, _) = try_script(place, "strace -qq -o /dev/null true");
    if code != Some(0) {
        skip("descriptors in a sandbox: no strace here, or it may not trace");
        return vec![""];
    }
    vec!["", SANDBOX]
}

/// Lines are taken one after the other, each once, from files, pipes and sockets.
#[test]
fn two_passwords_from_one_descriptor() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    let place = place();
    place.write("pws", "secret\nother\n");
    place.write("other", "other\n");
    let convert = "lanner convert locked --to openssh -o l2 -f --password-fd 3 --new-password-fd 3";
    for sandbox in sandboxes(&place) {
        for line in [
            format!("{sandbox}{convert} 3< pws"),
            format!("cat pws | {sandbox}{convert} 3<&0"),
        ] {
            signs(
                &place,
                &format!("{line}; lanner sign -k l2 m -o out --password-file other; rm l2"),
            );
        }
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        ours.write_all(b"secret\nother\n").unwrap();
        let run = Command::new("sh")
            .args([
                "-ec",
                &format!("{sandbox}{convert} 3<&0").replace("lanner", Place::program()),
            ])
            .current_dir(place.root())
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .output()
            .unwrap();
        let _ = Run::from(run).ended(0);
        signs(
            &place,
            "lanner sign -k l2 m -o out --password-file other; rm l2",
        );
    }
}

/// Pipes and sockets whose other end stays open, and some that should not wait.
#[test]
fn a_password_comes_through_what_stays_open() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    let place = place();
    for (impatient, message) in [(false, "-"), (false, "m"), (true, "m")] {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        theirs.set_nonblocking(impatient).unwrap();
        let child = place
            .command()
            .args(["sign", "-k", "locked", message, "--password-fd", "0"])
            .args(["-o", "out"])
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        for part in [&b"sec"[..], b"ret\n"] {
            std::thread::sleep(std::time::Duration::from_millis(200));
            ours.write_all(part).unwrap();
        }
        if message == "-" {
            ours.write_all(&place.read("m")).unwrap();
            ours.shutdown(std::net::Shutdown::Write).unwrap();
        }
        let run = Run::from(child.wait_with_output().unwrap());
        let _ = run.ended(0);
        // Until here.
        drop(ours);
        assert_eq!(place.read("out"), place.read("m.sig"));
        std::fs::remove_file(place.path("out")).unwrap();
    }
}

/// Whichever were read first would take the other's bytes, and an empty message would be signed, or verified.
#[test]
fn nothing_else_comes_from_where_the_message_comes() {
    let place = place();
    place.write("list", "a@x ssh-ed25519 AAAA");
    for stdin in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        if !std::path::Path::new(stdin).exists() {
            continue;
        }
        for args in [
            format!("sign -k {stdin} -"),
            format!("sign -k locked --password-file {stdin} -"),
            format!("sign --agent -k {stdin} -"),
            format!("verify -k {stdin} - -s m.sig"),
            format!("verify --signers {stdin} - -s m.sig"),
            format!("verify -k k.pub.pem - -s {stdin}"),
            format!("verify-batch - -k {stdin} --from jsonl"),
            format!("verify-attestation -k {stdin} - -s m"),
            format!("verify-attestation -k k.pub.pem - -s {stdin}"),
        ] {
            for feed in ["cat k.pem |", "(echo secret; cat m) |", "cat m.sig |"] {
                let script = format!("{feed} lanner {args} > out");
                fails(&place, &script, 2, &["is standard input", "hint"]);
            }
            fails(
                &place,
                &format!("lanner {args} < pw > out"),
                2,
                &["is standard input"],
            );
        }
        for args in [
            format!("sign -n git -f {stdin}"),
            format!("verify -n git -I a -f {stdin} -s m.sig"),
            format!("check-novalidate -n git -s {stdin}"),
        ] {
            let script = format!("cat k.pem | lanner-git -q -Y {args} > out");
            fails(&place, &script, 255, &["is standard input"]);
        }
    }
    // A key that is piped is one where the message is a file.
    signs(&place, "cat k.pem | lanner sign -k /dev/stdin m -o out");
}

/// A file that is opened by its name is read by itself, although standard input is the same file.
#[test]
fn a_file_by_its_name_is_not_standard_input() {
    let place = place();
    let line = place.run(&["convert", "k.pub.pem", "--to", "openssh"]);
    place.write("signers", format!("alice@x {}", line.ended(0).text()));
    place.run(&["sign", "-k", "k.pem", "signers"]).ended(0);
    for call in [
        "lanner-git -Y verify -n file -I alice@x -f signers -s signers.sig",
        "lanner verify --signers signers - -s signers.sig",
    ] {
        let line = format!("{call} < signers");
        let (code, said) = try_script(&place, &line);
        assert_eq!(code, Some(0), "{line}: {said}");
    }
    // Under the names of a descriptor it is, by way of a link too.
    std::os::unix::fs::symlink("/dev/stdin", place.path("link")).unwrap();
    for name in [
        "/dev/stdin",
        "/dev/fd/0",
        "/dev/../dev/stdin",
        "link",
        "./link",
    ] {
        let line = format!("lanner verify --signers {name} - -s signers.sig < signers");
        fails(&place, &line, 2, &["is standard input"]);
    }
    fails(
        &place,
        "lanner verify --signers /dev/fd/7 - -s signers.sig < signers 7<&0",
        2,
        &["is standard input"],
    );
}

/// Standard error that is full or closed changes no exit code.
#[test]
fn the_exit_code_is_the_same_without_standard_error() {
    let place = place();
    place.write("bad", "another message");
    place.write("good", "a message");
    for (args, code) in [
        ("sign -k none m -o s", 3),
        ("verify -k k.pub.pem bad -s m.sig -q", 1),
        ("verify -k k.pub.pem m", 0),
        ("verify-batch none", 3),
        ("no-such-command", 2),
        ("sign", 2),
        ("sign -k open.pem m -o s --allow-open-key --force", 0),
    ] {
        std::fs::copy(place.path("k.pem"), place.path("open.pem")).unwrap();
        set_mode(&place.path("open.pem"), 0o644);
        for to in ["2> /dev/full", "2>&-", "2> /dev/null"] {
            if to.contains("full") && !std::path::Path::new("/dev/full").exists() {
                continue;
            }
            let line = format!("lanner {args} > /dev/null {to}");
            assert_eq!(try_script(&place, &line).0, Some(code), "{line}");
        }
    }
    for (args, code) in [
        ("-Y sign -n git -f none m", 255),
        ("-Y sign -n git -f k.pem good", 0),
        ("-Y nonsense", 1),
    ] {
        let line = format!("lanner-git {args} > /dev/null 2> /dev/full");
        if std::path::Path::new("/dev/full").exists() {
            assert_eq!(try_script(&place, &line).0, Some(code), "{line}");
        }
    }
    assert!(place.exists("good.sig"));
}

/// What cannot be had again must not vanish, and what is not there must not be taken for an empty message. Streams that a
/// shell has closed cannot be told from those that Python and Node open in the place of none.
#[test]
fn closed_streams() {
    let place = place();
    place.write("p.json", "{}");
    for args in [
        "sign -k k.pem m -o -",
        "convert k.pem --to openssh --no-password -o -",
        "exchange -k x.pem x.pub.pem",
        "attest -k k.pem m --predicate-type release --predicate p.json -o -",
        "sign-note -k k.pem --name n note.txt -o -",
    ] {
        place.write("note.txt", "a text\n");
        for without in [">&-", "1<> /dev/null"] {
            let line = format!("lanner {args} {without}");
            let words = ["there is no standard output", "-o FILE", "Python", "Node"];
            fails(&place, &line, 3, &words);
        }
        // That is what was asked for.
        let (code, said) = try_script(&place, &format!("lanner {args} > /dev/null"));
        assert_eq!(code, Some(0), "{args}: {said}");
    }
    let sign = "lanner-git -Y sign -n git -f k.pem < m";
    for without in [">&-", "1<> /dev/null"] {
        let words = ["there is no standard output", "name the file to sign"];
        fails(&place, &format!("{sign} {without}"), 255, &words);
    }
    // Only reports are what -q leaves out.
    let (code, said) = try_script(&place, &format!("{sign} -q; {sign} > /dev/null"));
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("BEGIN SSH SIGNATURE"), "{said}");
    // Before anybody is asked for a password.
    place.write("wrong", "wrong\n");
    let convert = "lanner convert locked --to openssh --no-password --password-file wrong";
    fails(
        &place,
        &format!("{convert} -o - >&-"),
        3,
        &["there is no standard output"],
    );
    fails(&place, &format!("{convert} -o m"), 3, &["exists already"]);
    fails(
        &place,
        &format!("{convert} --public -o m"),
        3,
        &["exists already"],
    );
    // What is public can be had again, and reports are nothing that anybody has to read.
    for args in [
        "public k.pem",
        "public k.pem -o -",
        "convert k.pub.pem --to openssh",
        "convert k.pub.pem --to openssh -o -",
        "convert k.pem --public --to raw",
        "verify -k k.pub.pem m",
        "inspect k.pem",
    ] {
        for without in [">&-", "1<> /dev/null"] {
            let (code, said) = try_script(&place, &format!("lanner {args} {without}"));
            assert_eq!(code, Some(0), "{args}: {said}");
        }
    }
    for args in [
        "sign -k k.pem - -o out",
        "sign -k k.pem - -o out --format raw",
        "verify -k k.pub.pem - -s m.sig",
        "verify-batch - --from jsonl",
    ] {
        for without in ["<&-", "0<> /dev/null"] {
            let line = format!("lanner {args} {without}");
            let words = ["there is no standard input", "< /dev/null", "Python"];
            fails(&place, &line, 3, &words);
        }
    }
    let sign = ["sign", "-k", "k.pem", "-", "-o", "empty.sig"];
    place.run(&sign).ended(0);
}

#[test]
fn outputs_that_are_no_files() {
    let place = place();
    for (output, force) in [
        // Without --force: a test that fails must not cost root these two.
        ("/dev/null", false),
        ("/dev/stdout", false),
        ("/dev/fd/1", true),
        ("/proc/self/fd/1", true),
        ("new/", false),
        ("new/", true),
    ] {
        let mut args = vec!["sign", "-k", "k.pem", "m", "-o", output];
        args.extend(force.then_some("--force"));
        let run = place.run(&args);
        assert_ne!(run.code, Some(0), "{args:?}");
        let hint = if output == "new/" {
            "in a directory"
        } else {
            "-o -"
        };
        assert!(run.stderr.contains(hint), "{run:?}");
        assert!(!run.stderr.contains("give --force"), "{run:?}");
    }
    let null = std::fs::metadata("/dev/null").unwrap();
    assert!(!null.is_file());
}

/// An agent that takes the question and never answers.
#[test]
fn a_silent_agent_is_not_waited_for() {
    let place = place();
    let socket = place.path("agent");
    let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let started = std::time::Instant::now();
    let mut command = Command::new("timeout");
    command
        .args(["60", Place::program(), "doctor"])
        .current_dir(place.root())
        .env("SSH_AUTH_SOCK", &socket);
    let run = Run::of(&mut command).ended(0);
    assert!(run.text().contains("note SSH agent"), "{run:?}");
    assert!(run.text().contains("within 5 seconds"), "{run:?}");
    assert!(started.elapsed().as_secs() < 55);
    drop(listener);
}

/// What `lanner doctor` says of an agent, which does this with each who comes to it.
#[cfg(target_os = "linux")]
fn of_agent(serve: impl Fn(&mut std::os::unix::net::UnixStream) + Send + 'static) -> String {
    let place = place();
    let socket = place.path("agent");
    let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            serve(&mut stream.unwrap());
        }
    });
    doctor(&place, &socket)
}

/// The line about the agent.
#[cfg(target_os = "linux")]
fn doctor(place: &Place, socket: &std::path::Path) -> String {
    let mut command = Command::new("timeout");
    command
        .args(["60", Place::program(), "doctor"])
        .current_dir(place.root())
        .env("SSH_AUTH_SOCK", socket);
    let run = Run::of(&mut command).ended(0);
    let text = run.text();
    let line = text.lines().find(|line| line.contains("SSH agent"));
    line.expect("a line about the agent").to_owned()
}

/// An agent that sends an octet now and then, one in front of which others wait, one that hangs up, and one that claims more
/// than it says.
#[cfg(target_os = "linux")]
#[test]
fn agents_that_misbehave() {
    use std::io::Read;
    /// Reads the question, which has five octets, and answers.
    fn answering(answer: &'static [u8]) -> String {
        of_agent(move |stream| {
            let _ = stream.read_exact(&mut [0; 5]);
            let _ = stream.write_all(answer);
        })
    }
    let slow = of_agent(|stream| {
        for octet in [0, 0, 0, 200].into_iter().chain([12; 200]) {
            if stream.write_all(&[octet]).is_err() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
    });
    assert!(slow.contains("within 5 seconds"), "{slow}");
    let short = answering(&[0, 0, 0, 100, 12, 0]);
    assert!(short.contains("hung up before its answer"), "{short}");
    let long = answering(&[255; 9]);
    assert!(long.contains("its answer is too long"), "{long}");
    let claims = answering(&[0, 0, 0, 5, 12, 255, 255, 255, 255]);
    assert!(claims.contains("does not say which keys"), "{claims}");
    let none = answering(&[0, 0, 0, 5, 12, 0, 0, 0, 0]);
    assert!(none.contains("answers, with 0 keys"), "{none}");
    let one = answering(&[0, 0, 0, 15, 12, 0, 0, 0, 1, 0, 0, 0, 1, 7, 0, 0, 0, 1, 8]);
    assert!(one.contains("answers, with 1 key"), "{one}");

    use rustix::net;
    let place = place();
    let path = place.path("full");
    let socket = net::socket(net::AddressFamily::UNIX, net::SocketType::STREAM, None).unwrap();
    net::bind(&socket, &net::SocketAddrUnix::new(&path).unwrap()).unwrap();
    net::listen(&socket, 0).unwrap();
    let _first = std::os::unix::net::UnixStream::connect(&path).unwrap();
    let full = doctor(&place, &path);
    assert!(full.contains("within 5 seconds"), "{full}");
}

/// The shell makes a file as the umask says, and a secret in it is one that others can read.
#[test]
fn no_secret_goes_to_a_file_that_others_can_read() {
    let place = place();
    for args in [
        "convert k.pem --to openssh --no-password",
        "exchange -k x.pem x.pub.pem",
        "exchange -k x.pem x.pub.pem --format hex",
    ] {
        for umask in ["000", "022", "037", "070"] {
            fails(
                &place,
                &format!("umask {umask}; lanner {args} > out"),
                2,
                &["that others may read or write", "hint", "-o FILE", "-o -"],
            );
        }
        for script in [
            format!("umask 077; lanner {args} > out"),
            format!("umask 022; lanner {args} -o - > out"),
            format!("umask 022; lanner {args} | cat > out"),
            format!("umask 022; lanner {args} -o out"),
        ] {
            let (code, said) = try_script(&place, &script);
            assert_eq!(code, Some(0), "{script}: {said}");
            assert!(place.read("out").len() >= 32, "{script}");
            std::fs::remove_file(place.path("out")).unwrap();
        }
    }
    let (code, _) = try_script(
        &place,
        "umask 022; lanner convert k.pem --public --to pem > out",
    );
    assert_eq!(code, Some(0));
}

/// Whoever cannot hear the report hears of the files all the same.
#[test]
fn what_was_written_is_said_where_the_report_is_lost() {
    let place = place();
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    place.write("p.json", "{}");
    place.write("t.jsonl", "{}\n");
    std::fs::create_dir(place.path("d")).unwrap();
    place.write("d/f", "f");
    place.write("note.txt", "a text\n");
    for (args, said) in [
        (
            "keygen --no-password -o n.pem",
            "n.pem and n.pub.pem were written",
        ),
        ("public k.pem -o p", "p was written"),
        ("convert k.pem --public --to openssh -o c", "c was written"),
        (
            "sign -k k.pem m k.pem x.pem -f",
            "m.sig and 2 other files were written",
        ),
        (
            "sign-tree -k k.pem d",
            "d/SHA256SUMS and d/SHA256SUMS.sig were written",
        ),
        ("exchange -k x.pem x.pub.pem -o s", "s was written"),
        (
            "attest -k k.pem m --predicate-type release --predicate p.json",
            "m.intoto.jsonl was written",
        ),
        (
            "verify-attestation -k k.pub.pem m -o pred",
            "pred was written",
        ),
        (
            "sign-note -k k.pem --name n note.txt",
            "note.txt.note was written",
        ),
        (
            "verify-note -k k.pub.pem --name n note.txt.note -o t",
            "t was written",
        ),
        ("verify-batch t.jsonl -o v", "v was written"),
        ("quickstart m --dir q", "q was written"),
    ] {
        let line = format!("lanner {args} > /dev/full");
        let (code, output) = try_script(
            &place,
            &format!("{line} 2> said || code=$?; cat said; exit $code"),
        );
        assert_eq!(code, Some(3), "{line}: {output}");
        let error = "cannot write to standard output";
        assert!(
            output.contains(error) && output.contains(said),
            "{line}: {output}"
        );
    }
    assert!(place.exists("n.pem") && place.exists("q"));
    let (code, output) = try_script(&place, "lanner verify -k k.pub.pem m 2>&1 > /dev/full");
    assert_eq!(code, Some(3));
    assert!(!output.contains("written"), "{output}");
}
