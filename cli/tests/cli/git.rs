//! git with `lanner-git` in the place of ssh-keygen, and with ssh-keygen in its own.

use crate::harness::*;
use crate::tools::*;

/// A repository with a file in it, a key `k`, and a list of signers.
fn repository() -> Place {
    let place = Place::new().with_keys();
    place
        .run(&[
            "convert",
            "k.pem",
            "--to",
            "openssh",
            "-o",
            "k",
            "--no-password",
        ])
        .ended(0);
    place
        .run(&["convert", "k", "--public", "--to", "openssh", "-o", "k.pub"])
        .ended(0);
    script(
        &place,
        "git init -q r; cd r; git config user.name A; git config user.email alice@x
         git config gpg.format ssh; git config user.signingkey ../k
         (printf 'alice@x '; cat ../k.pub) > ../signers; git config gpg.ssh.allowedSignersFile ../signers
         echo 1 > f; git add f",
    );
    place
}

fn possible() -> bool {
    have("git", "git with lanner-git") && have("ssh-keygen", "git with ssh-keygen")
}

const PROGRAMS: [&str; 2] = ["lanner-git", "ssh-keygen"];

#[test]
fn commits_and_tags_both_ways() {
    if !possible() {
        return;
    }
    let place = repository();
    for key in ["k", "k.pub", "k.pem", "k.pub.pem"] {
        for signer in PROGRAMS {
            if signer == "ssh-keygen" && key.ends_with(".pem") {
                continue;
            }
            script(
                &place,
                &format!(
                    "cd r; git config user.signingkey ../{key}; git config gpg.ssh.program {signer}
                     git commit -q --allow-empty -S -m x; git tag -f -s -m t t"
                ),
            );
            for verifier in PROGRAMS {
                let said = script(
                    &place,
                    &format!(
                        "cd r; git config gpg.ssh.program {verifier}; git verify-commit HEAD; git verify-tag t
                         git log -1 --show-signature; git log -1 --format='%G? %GS %GF'"
                    ),
                );
                let good = "Good \"git\" signature for alice@x with ED25519 key SHA256:";
                assert_eq!(
                    said.matches(good).count(),
                    3,
                    "{signer}, {verifier}: {said}"
                );
                assert!(said.contains("G alice@x SHA256:bbXpuKG6"), "{said}");
            }
        }
    }
}

/// Signature files that are written otherwise: `lanner-git` says of none that it is good where ssh-keygen does not.
#[test]
fn the_same_files_as_ssh_keygen() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    place.run(&["sign", "-k", "k.pem", "m"]).ended(0);
    let convert = ["convert", "k.pub.pem", "--to", "openssh"];
    let line = place.run(&convert).ended(0);
    place.write("signers", format!("alice@x {}", line.text()));
    let good = String::from_utf8(place.read("m.sig")).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    let [begin, body @ .., end] = &lines[..] else {
        unreachable!()
    };
    let (inner, one_line) = (body.join("\n"), body.concat());
    script(
        &place,
        "sed '1d;$d' m.sig | base64 -d > blob; (cat blob; echo) | base64 > more",
    );
    let more = String::from_utf8(place.read("more")).unwrap();
    let blob = place.read("blob");
    let text = |text: String| text.into_bytes();
    for (what, file, is_good) in [
        ("itself", text(good.clone()), true),
        (
            "on one line",
            text(format!("{begin}\n{one_line}\n{end}\n")),
            true,
        ),
        (
            "no end of the last line",
            text(good.trim_end().to_owned()),
            true,
        ),
        ("blank lines behind it", text(format!("{good}\n\n")), true),
        ("text behind it", text(format!("{good}more\n")), true),
        (
            "text on its last line",
            text(format!("{}more\n", good.trim_end())),
            true,
        ),
        ("twice", text(format!("{good}{good}")), true),
        (
            "tabs and spaces",
            text(format!(
                "{begin}\n\t {}\n\n{end}\n",
                body.join(" \n \t\x0b\x0c")
            )),
            true,
        ),
        ("carriage returns", text(good.replace('\n', "\r\n")), false),
        ("a mark", text(format!("\u{feff}{good}")), false),
        ("a blank line before it", text(format!("\n{good}")), false),
        ("text before it", text(format!("more\n{good}")), false),
        (
            "a space behind its first line",
            text(good.replacen('\n', " \n", 1)),
            false,
        ),
        (
            "its end in the last line",
            text(format!("{begin}\n{inner}{end}\n")),
            false,
        ),
        ("no end", text(format!("{begin}\n{inner}\n")), false),
        ("nothing within", text(format!("{begin}\n{end}\n")), false),
        (
            "more within",
            text(format!("{begin}\n{more}{end}\n")),
            false,
        ),
        ("bytes", blob, false),
    ] {
        place.write("s", file);
        for operation in [
            "verify -n file -f signers -I alice@x",
            "check-novalidate -n file",
            "find-principals -f signers",
        ] {
            let line = format!("lanner-git -Y {operation} -s s < m");
            let (code, said) = try_script(&place, &line);
            assert_eq!(code == Some(0), is_good, "{what}, {operation}: {said}");
            if is_good && have("ssh-keygen", "signature files beside ssh-keygen's") {
                script(&place, &line.replace("lanner-git", "ssh-keygen"));
            }
        }
    }
}

/// git has its C library write the time of a commit, in UTC where no zone is known.
#[test]
fn commits_where_the_zone_is_not_known() {
    if !possible() {
        return;
    }
    let place = repository();
    script(
        &place,
        "cd r; git config gpg.ssh.program lanner-git
         GIT_COMMITTER_DATE='2026-06-01T12:00:00Z' git commit -q --allow-empty -S -m x
         (printf 'alice@x valid-after=\"20260601115959Z\",valid-before=\"20260601120001Z\" '; cat ../k.pub) > ../then
         (printf 'alice@x valid-after=\"20260601\" '; cat ../k.pub) > ../zoned",
    );
    for verifier in PROGRAMS {
        for (zone, list) in [
            ("Foo/Bar", "signers"),
            ("Foo/Bar", "then"),
            ("nonsense", "then"),
            ("CET-1CEST", "signers"),
            ("UTC", "zoned"),
        ] {
            let said = script(
                &place,
                &format!(
                    "cd r; TZ={zone} git -c gpg.ssh.program={verifier} -c gpg.ssh.allowedSignersFile=../{list} \
                     log -1 --format=%G?"
                ),
            );
            assert_eq!(said.trim(), "G", "{verifier}, {zone}, {list}");
        }
    }
    // What a list says is another matter.
    let (code, said) = try_script(
        &place,
        "cd r; TZ=Foo/Bar git -c gpg.ssh.allowedSignersFile=../zoned verify-commit HEAD",
    );
    assert_ne!(code, Some(0), "{said}");
    assert!(said.contains("write it in UTC, with a Z"), "{said}");
}

/// The receiving git hands over an empty argument where the options of the time would be: there is none.
#[test]
fn a_push_that_is_signed() {
    if !possible() {
        return;
    }
    let place = repository();
    script(
        &place,
        "git init -q --bare there; cd there; git config receive.certNonceSeed seed; git config gpg.format ssh
         git config gpg.ssh.allowedSignersFile \"$PWD/../signers\"
         printf '#!/bin/sh\\necho \"$GIT_PUSH_CERT_STATUS $GIT_PUSH_CERT_SIGNER\"\\n' > hooks/pre-receive
         chmod +x hooks/pre-receive; cd ../r; git remote add there ../there; git config gpg.ssh.program lanner-git",
    );
    for verifier in PROGRAMS {
        let said = script(
            &place,
            &format!(
                "git -C there config gpg.ssh.program {verifier}; cd r; git commit -q --allow-empty -m x
                 git push --signed there HEAD"
            ),
        );
        assert!(said.contains("remote: G alice@x"), "{verifier}: {said}");
    }
}

/// A program that git starts and that ends before it has read the message may end git, too.
#[test]
fn what_is_refused_is_read_to_its_end() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let place = Place::new().with_keys();
    place.write("no.sig", "no signature");
    for args in [
        &["-Y", "check-novalidate", "-n", "git", "-s", "no.sig"][..],
        &["-Y", "check-novalidate", "-n", "git", "-s", "none"],
        &[
            "-Y", "verify", "-n", "git", "-f", "none", "-I", "a", "-s", "no.sig",
        ],
        &["-Y", "sign", "-n", "git", "-f", "none"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lanner-git"))
            .args(args)
            .current_dir(place.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        // More than a pipe holds.
        let written = child.stdin.take().unwrap().write_all(&[0; 1 << 20]);
        let run = Run::from(child.wait_with_output().unwrap());
        assert!(written.is_ok(), "{args:?}: {written:?}");
        let run = run.ended(255);
        assert!(run.stderr.starts_with("lanner-git: "), "{run:?}");
    }
}

/// The same on standard output, and the same exit code.
#[test]
fn what_is_not_good_ends_as_in_ssh_keygen() {
    let place = repository();
    script(
        &place,
        "echo m > m; echo o > o; lanner-git -Y sign -q -n git -f k m; cp k.pub revoked
         (printf 'alice@x valid-before=\"20200101Z\" '; cat k.pub) > late",
    );
    const BAD: &str = "Could not verify signature.\n";
    let ours = have("ssh-keygen", "ends beside ssh-keygen's");
    for (arguments, code, said) in [
        ("verify -n git -f signers -I bob@x -s m.sig < m", 255, BAD),
        (
            "verify -n other -f signers -I alice@x -s m.sig < m",
            255,
            BAD,
        ),
        ("verify -n git -f signers -I alice@x -s m.sig < o", 255, BAD),
        ("verify -n git -f late -I alice@x -s m.sig < m", 255, BAD),
        ("verify -n git -f none -I alice@x -s m.sig < m", 255, BAD),
        ("verify -n git -f signers -I alice@x -s none < m", 255, BAD),
        ("verify -n git -f signers -I alice@x -s m < m", 255, BAD),
        (
            "verify -n git -f signers -I alice@x -s m.sig -r revoked < m",
            255,
            BAD,
        ),
        (
            "verify -n git -f signers -I alice@x -s m.sig -O x=y < m",
            255,
            BAD,
        ),
        (
            "verify -q -n git -f signers -I alice@x -s m.sig < o",
            255,
            "",
        ),
        ("check-novalidate -n git -s m.sig < o", 255, BAD),
        ("check-novalidate -n git -s none < m", 255, BAD),
        ("find-principals -f late -s m.sig", 255, ""),
        ("find-principals -f signers -s none", 255, ""),
        ("sign -n git -f none < m", 255, ""),
        ("sign -n git -f k none", 255, ""),
        ("verify -f signers -I alice@x -s m.sig < m", 1, ""),
        ("verify -n '' -f signers -I alice@x -s m.sig < m", 1, ""),
        ("verify -n git -f signers -s m.sig < m", 1, ""),
        ("verify -n git -I alice@x -s m.sig < m", 1, ""),
        ("verify -n git -f signers -I alice@x < m", 1, ""),
        ("check-novalidate -s m.sig < m", 1, ""),
        ("check-novalidate -n git < m", 1, ""),
        ("find-principals -f signers", 1, ""),
        ("find-principals -s m.sig", 1, ""),
        ("sign -n git < m", 1, ""),
        ("sign -f k < m", 1, ""),
        ("nothing -n git < m", 1, ""),
        ("verify --nothing < m", 1, ""),
    ] {
        for program in PROGRAMS.iter().filter(|it| ours || **it != "ssh-keygen") {
            let line = format!("{program} -Y {arguments} 2> log");
            let found = try_script(&place, &line);
            assert_eq!(found, (Some(code), said.to_owned()), "{line}");
        }
    }
}

#[test]
fn several_files_are_signed() {
    let place = repository();
    for (program, files) in PROGRAMS.into_iter().zip(["a b", "c d"]) {
        if program == "ssh-keygen" && !have(program, "several files") {
            continue;
        }
        script(
            &place,
            &format!(
                "for f in {files}; do echo $f > $f; done; {program} -Y sign -q -n git -f k {files}
                 for f in {files}; do
                     lanner-git -Y verify -n git -f signers -I alice@x -s $f.sig < $f
                 done"
            ),
        );
    }
    // One that cannot be written leaves all others alone.
    let (code, said) = try_script(
        &place,
        "echo e > e; echo f > f; : > f.sig; lanner-git -Y sign -n git -f k e f",
    );
    assert_eq!(code, Some(255), "{said}");
    assert!(said.contains("f.sig exists already"), "{said}");
    assert!(!place.exists("e.sig"), "{said}");
}

/// ssh-keygen asks, and leaves it where nobody answers.
#[test]
fn a_signature_is_not_replaced() {
    use std::process::Command;
    let place = Place::new().with_keys();
    place.write("m", "m");
    let sign = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lanner-git"));
        command.args(["-Y", "sign", "-n", "file", "-f", "k.pem", "m"]);
        Run::of(command.current_dir(place.root()))
    };
    sign().ended(0);
    let signature = place.read("m.sig");
    place.write("m.sig", "precious");
    let run = sign().failed(255, &["m.sig exists already", "remove it first"]);
    assert!(!run.stderr.contains("--force"), "{run:?}");
    assert_eq!(place.read("m.sig"), b"precious");
    std::fs::remove_file(place.path("m.sig")).unwrap();
    sign().ended(0);
    assert_eq!(place.read("m.sig"), signature);
}

/// git reads what is said on standard error, so that nothing of it is a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_key_under_a_password() {
    if !possible() || !have("script", "passwords in git") || !have("setsid", "passwords in git") {
        return;
    }
    let place = repository();
    script(
        &place,
        "echo secret > pw; lanner convert k --to openssh --new-password-file pw -o locked
         lanner convert k --to pem --new-password-file pw -o locked.pem; cp k.pub.pem locked.pub.pem
         cd r; git config gpg.ssh.program lanner-git",
    );
    for key in ["locked", "locked.pem", "locked.pub.pem"] {
        // The answer comes again and again, because the question may not have been asked yet.
        let said = script(
            &place,
            &format!(
                "cd r; git config user.signingkey ../{key}; unset SSH_AUTH_SOCK
                 (while sleep 0.2; do echo secret; done) 2> ../end \
                     | script -qec 'git commit -q --allow-empty -S -m x' /dev/null
                 git verify-commit HEAD"
            ),
        );
        assert!(said.contains("Password of ../"), "{key}: {said}");
        assert!(said.contains("Good \"git\" signature"), "{key}: {said}");
        let (code, said) = try_script(
            &place,
            "cd r; unset SSH_AUTH_SOCK; setsid -w git commit -q --allow-empty -S -m y",
        );
        assert_ne!(code, Some(0), "{key}: {said}");
        assert!(said.contains("ssh-add"), "{key}: {said}");
        assert!(!said.contains("--password"), "{key}: {said}");
    }
    // An agent that has the key is asked first.
    if have("ssh-agent", "locked keys that an agent has") {
        for key in ["locked", "locked.pem", "locked.pub.pem"] {
            let said = script(
                &place,
                &format!(
                    "eval $(ssh-agent -s) > /dev/null; trap 'ssh-agent -k > /dev/null' EXIT; ssh-add -q k
                     cd r; git config user.signingkey ../{key}
                     setsid -w git commit -q --allow-empty -S -m x; git verify-commit HEAD"
                ),
            );
            assert!(said.contains("Good \"git\" signature"), "{key}: {said}");
        }
    }
}

/// What is wrong is said so that git's user knows what to do, and with no option that lanner-git has not.
#[cfg(unix)]
#[test]
fn what_to_do_next() {
    if !possible() {
        return;
    }
    let place = repository();
    script(
        &place,
        "ssh-keygen -q -t rsa -b 2048 -N '' -f rsa; cd r; git config gpg.ssh.program ssh-keygen
         git commit -q -S -m k; git tag K; git config user.signingkey ../rsa
         git commit -q --allow-empty -S -m rsa; git config gpg.ssh.program lanner-git
         lanner public ../x.pem -o ../x.pem.pub; cp ../k.pem ../open.pem; chmod 644 ../open.pem
         (printf 'a@x '; cat ../k.pub.pem) > ../pem; printf 'a@x ' > ../x
         lanner convert ../x.pem.pub --to openssh >> ../x",
    );
    for (line, word) in [
        ("verify-commit HEAD", "a signature by an RSA key"),
        ("verify-commit HEAD", "gpg.ssh.program=ssh-keygen"),
        (
            "-c gpg.ssh.allowedSignersFile=../none verify-commit K",
            "echo \"NAME $(lanner convert",
        ),
        (
            "-c gpg.ssh.allowedSignersFile=../pem verify-commit K",
            "lanner convert PUB --to openssh",
        ),
        (
            "-c gpg.ssh.allowedSignersFile=../x verify-commit K",
            "signs nothing",
        ),
        (
            "-c user.signingkey=../open.pem commit -q --allow-empty -S -m x",
            "chmod 600",
        ),
    ] {
        let line = format!("cd r; git {line}");
        let (code, said) = try_script(&place, &line);
        assert_ne!(code, Some(0), "{line}: {said}");
        assert!(said.contains(word), "{line}: {said}");
        assert!(!said.contains("--allow-open-key"), "{said}");
    }
}

#[test]
fn what_is_not_good() {
    if !possible() {
        return;
    }
    let place = repository();
    script(
        &place,
        "cd r; git config gpg.ssh.program lanner-git; git commit -q -S -m x
         (git cat-file commit HEAD | sed 's/^x$/y/') > ../changed
         git hash-object -t commit -w ../changed > ../bad
         ssh-keygen -q -t ed25519 -N '' -f ../other; cp ../k.pub ../revoked; (printf 'b@x '; cat ../other.pub) > ../none
         (printf 'alice@x valid-before=\"20200101Z\" '; cat ../k.pub) > ../late
         ssh-keygen -q -k -f ../krl ../k.pub; : > ../empty
         ssh-keygen -q -t rsa -b 2048 -N '' -f ../rsa; cp ../rsa.pub ../foreign
         cut -c1-76 ../k.pub > ../cut; cut -c1-80 ../rsa.pub > ../cut_rsa; echo ssh-ed25519 AAAA > ../rubbish
         (cut -d' ' -f2 ../k.pub | sed 's/^/ssh-rsa /') > ../other_type
         ssh-keygen -q -s ../other -I x ../k.pub; mv ../k-cert.pub ../certificate",
    );
    for verifier in PROGRAMS {
        for (settings, commit, letter) in [
            ("", "HEAD", "G"),
            ("", "$(cat ../bad)", "B"),
            ("-c gpg.ssh.allowedSignersFile=../none", "HEAD", "U"),
            ("-c gpg.ssh.allowedSignersFile=../late", "HEAD", "U"),
            ("-c gpg.ssh.revocationFile=../revoked", "HEAD", "B"),
            ("-c gpg.ssh.revocationFile=../krl", "HEAD", "B"),
            ("-c gpg.ssh.revocationFile=../empty", "HEAD", "G"),
            ("-c gpg.ssh.revocationFile=../foreign", "HEAD", "G"),
            // What is damaged may have been the key, and a certificate is one of the key.
            ("-c gpg.ssh.revocationFile=../cut", "HEAD", "B"),
            ("-c gpg.ssh.revocationFile=../cut_rsa", "HEAD", "B"),
            ("-c gpg.ssh.revocationFile=../rubbish", "HEAD", "B"),
            ("-c gpg.ssh.revocationFile=../other_type", "HEAD", "B"),
            ("-c gpg.ssh.revocationFile=../certificate", "HEAD", "B"),
        ] {
            let line = format!(
                "cd r; git config gpg.ssh.program {verifier}; git {settings} log -1 --format=%G? {commit}"
            );
            let said = script(&place, &line);
            assert_eq!(
                said.lines().last(),
                Some(letter),
                "{verifier}, {settings}: {said}"
            );
            let (code, _) = try_script(
                &place,
                &line.replace("log -1 --format=%G?", "verify-commit"),
            );
            assert_eq!(code == Some(0), letter == "G", "{verifier}, {settings}");
        }
    }
}

/// git's user hears at which line of the list a key may sign at another time only; ssh-keygen says so, too.
#[test]
fn a_key_outside_its_time() {
    if !possible() {
        return;
    }
    let place = repository();
    script(
        &place,
        "cd r; git config gpg.ssh.program lanner-git; git commit -q -S -m x
         (echo '# late'; printf 'alice@x valid-before=\"20200101Z\" '; cat ../k.pub) > ../late",
    );
    for (verifier, words) in [
        ("lanner-git", "late, line 2, lets the key SHA256:bbXpuKG6"),
        ("ssh-keygen", "late:2: key has expired"),
    ] {
        let line = format!(
            "cd r; git -c gpg.ssh.program={verifier} -c gpg.ssh.allowedSignersFile=../late \
             verify-commit HEAD"
        );
        let (code, said) = try_script(&place, &line);
        assert_ne!(code, Some(0), "{verifier}: {said}");
        assert!(said.contains("No principal matched."), "{verifier}: {said}");
        assert!(said.contains(words), "{verifier}: {said}");
    }
}

/// A public key signs with what is beside it, or with an agent: where both are missing, both are said.
#[test]
fn a_public_key_alone() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    std::fs::rename(place.path("k.pem"), place.path("elsewhere")).unwrap();
    let sign = "unset SSH_AUTH_SOCK; lanner-git -Y sign -n git -f k.pub.pem m";
    let alone = "k.pub.pem is a public key, and no secret key lies beside it";
    let (code, said) = try_script(&place, sign);
    assert_eq!(code, Some(255), "{said}");
    assert!(
        said.contains(alone) && said.contains("SSH_AUTH_SOCK"),
        "{said}"
    );
    // Who says that an agent has it knows.
    let (code, said) = try_script(&place, &format!("{sign} -U"));
    assert_eq!(code, Some(255), "{said}");
    assert!(
        !said.contains(alone) && said.contains("SSH_AUTH_SOCK"),
        "{said}"
    );
}

#[test]
fn an_agent_signs() {
    if !possible() || !have("ssh-agent", "signatures by an agent") {
        return;
    }
    let place = repository();
    let said = script(
        &place,
        "eval $(ssh-agent -s) > /dev/null; trap 'ssh-agent -k > /dev/null' EXIT
         ssh-add -q k; mv k elsewhere; cd r; git config gpg.ssh.program lanner-git
         git config user.signingkey \"$(cat ../k.pub)\"; git commit -q -S -m x; git verify-commit HEAD
         git config user.signingkey ../k.pub; git commit -q --allow-empty -S -m y; git verify-commit HEAD
         git config user.signingkey ../k; git commit -q --allow-empty -S -m y2; git verify-commit HEAD
         echo m > m; lanner sign --agent -k ../k.pub m; lanner verify -k ../k.pub m
         ssh-add -q -d ../k.pub; git commit -q --allow-empty -S -m z || echo refused
         git config user.signingkey ../none; git commit -q --allow-empty -S -m z || echo there is none",
    );
    assert!(
        said.contains("none: no such file") && said.contains("there is none"),
        "{said}"
    );
    assert_eq!(
        said.matches("Good \"git\" signature for alice@x").count(),
        3,
        "{said}"
    );
    assert!(
        said.contains("VALID: m") && said.contains("refused"),
        "{said}"
    );
    assert!(said.contains("ssh-add -l"), "{said}");
    // Only SSH signatures go through an agent, and only with a public key.
    for args in [
        &["sign", "--agent", "-k", "k.pub", "m", "--format", "raw"][..],
        &[
            "sign", "--agent", "-k", "k.pub", "m", "--format", "minisign",
        ],
        &["sign", "--agent", "-k", "k.pem", "m"],
    ] {
        let run = place.run(args);
        assert!(matches!(run.code, Some(2 | 4)), "{run:?}");
    }
}

/// An agent that answers with a signature of something else is not believed.
#[cfg(unix)]
#[test]
fn an_agent_is_not_believed() {
    use std::io::{Read, Write};
    let place = repository();
    place.write("m", "m");
    let socket = place.path("socket");
    let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let string = |bytes: &[u8]| [&(bytes.len() as u32).to_be_bytes()[..], bytes].concat();
    let signature = [string(b"ssh-ed25519"), string(&unhex(RFC8032_SIGNATURE))].concat();
    for (what, answer) in [
        (
            "a signature of something else",
            [&[14][..], &string(&signature)].concat(),
        ),
        (
            "of another kind",
            [
                &[14][..],
                &string(&[string(b"ssh-rsa"), string(&[0; 64])].concat()),
            ]
            .concat(),
        ),
        ("failure", vec![5]),
        ("nothing", vec![]),
        ("cut short", vec![14, 0, 0, 1, 0, 1]),
    ] {
        let child = place
            .command()
            .args(["sign", "--agent", "-k", "k.pub", "m"])
            .env("SSH_AUTH_SOCK", &socket)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let (mut stream, _) = listener.accept().unwrap();
        let mut length = [0; 4];
        stream.read_exact(&mut length).unwrap();
        let mut request = vec![0; u32::from_be_bytes(length) as usize];
        stream.read_exact(&mut request).unwrap();
        assert_eq!(request[0], 13);
        stream.write_all(&string(&answer)).unwrap();
        let run = Run::from(child.wait_with_output().unwrap());
        run.failed(3, &["the SSH agent"]);
        assert!(!place.exists("m.sig"), "{what}");
    }
}
