//! Directories: what is listed and refused, what sha256sum and signify make of it, and what is found to be different.

use crate::harness::*;
use crate::tools::{have, script};
use std::process::Command;

/// A tree with names of every kind, and keys beside it.
fn tree() -> Place {
    let place = Place::new().with_keys();
    for directory in ["t", "t/d", "t/d/e", "t/empty"] {
        std::fs::create_dir(place.path(directory)).unwrap();
    }
    place.write("t/a", "a");
    place.write("t/two words", "b");
    place.write("t/d/zero", "");
    place.write("t/d/e/long", long_message());
    place.write("t/(a) = b", "c");
    place.write("t/-n", "d");
    place.write("t/\u{e9}", "e");
    #[cfg(unix)]
    {
        place.write("t/line\nfeed", "f");
        place.write("t/back\\slash", "g");
        place.write("t/return\r", "h");
    }
    place
}

fn sign(place: &Place, more: &[&str]) -> Run {
    place.run(&[&["sign-tree", "-k", "k.pem", "t"], more].concat())
}

fn verify(place: &Place, more: &[&str]) -> Run {
    place.run(&[&["verify-tree", "-k", "k.pub.pem", "t"], more].concat())
}

/// A program of coreutils over the list, which must find every file good.
#[track_caller]
fn checks(place: &Place, program: &str, list: &str) {
    if !have(program, "lists of hashes") {
        return;
    }
    let run = Run::of(
        Command::new(program)
            .args(["-c", "--strict", list])
            .env("LC_ALL", "C.UTF-8")
            .current_dir(place.path("t")),
    );
    assert_eq!(run.code, Some(0), "{program} {list}: {run:?}");
    assert!(!run.text().contains("FAILED"), "{run:?}");
}

#[test]
fn lists_of_every_hash_and_form() {
    for hash in ["sha256", "sha512", "blake3"] {
        for tag in [false, true] {
            let place = tree();
            let mut more = vec!["--hash", hash];
            more.extend(tag.then_some("--tag"));
            let list = format!("{}SUMS", hash.to_uppercase());
            let run = sign(&place, &more).ended(0);
            assert!(run.text().contains("Signed t with "), "{run:?}");
            verify(&place, &[]).ended(0);
            verify(&place, &["--hash", hash]).ended(0);
            let other = if hash == "sha512" { "sha256" } else { "sha512" };
            verify(&place, &["--hash", other]).failed(4, &["another function"]);
            // The signature is one of the list as a file.
            let file = format!("t/{list}");
            place.run(&["verify", "-k", "k.pub.pem", &file]).ended(0);
            if hash != "blake3" {
                checks(&place, &format!("{hash}sum"), &list);
            }
        }
    }
}

/// A list that others have made.
#[test]
fn lists_of_coreutils() {
    if !have("sha256sum", "lists of hashes") {
        return;
    }
    for (tag, by) in [("", "."), ("--tag", "."), ("-b", ".")] {
        let place = tree();
        let script = format!("cd t && find {by} -type f -print0 | xargs -0 sha256sum {tag} > ../L");
        let status = Command::new("sh")
            .args(["-c", &script])
            .current_dir(place.root())
            .status();
        assert!(status.unwrap().success());
        place.run(&["sign", "-k", "k.pem", "L"]).ended(0);
        verify(&place, &["-l", "L"]).ended(0);
    }
}

/// Comments are none of the files, to sha256sum neither.
#[test]
fn lists_with_comments() {
    let place = Place::new().with_keys();
    std::fs::create_dir(place.path("t")).unwrap();
    place.write("t/a", "a");
    sign(&place, &["-o", "plain"]).ended(0);
    let list = place.read("plain");
    place.write(
        "t/CHECKSUM",
        [&b"# a: 1 byte\n"[..], &list, b"#end\n"].concat(),
    );
    let args = ["sign", "-k", "k.pem", "t/CHECKSUM"];
    place.run(&args).ended(0);
    verify(&place, &["-l", "t/CHECKSUM"]).ended(0);
    checks(&place, "sha256sum", "CHECKSUM");
    place.write("t/a", "b");
    verify(&place, &["-l", "t/CHECKSUM"]).ended(1);
}

#[test]
fn what_is_different_is_named() {
    let place = tree();
    sign(&place, &[]).ended(0);
    let before = verify(&place, &["--json"]).ended(0).json();
    assert_eq!(before["valid"], true);
    assert_eq!(before["files"], if cfg!(unix) { 10 } else { 7 });
    assert_eq!(before["signature"]["verdict"], "valid");

    place.write("t/a", "b");
    std::fs::remove_file(place.path("t/d/zero")).unwrap();
    place.write("t/d/new", "");
    let run = verify(&place, &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    for line in [
        "CHANGED: a\n",
        "MISSING: d/zero\n",
        "ADDED: d/new\n",
        "NOT AS SIGNED: t\n",
    ] {
        assert!(run.text().contains(line), "{line}: {run:?}");
    }
    let json = verify(&place, &["--json"]).ended(1).json();
    assert_eq!(json["valid"], false);
    assert_eq!(json["error"]["kind"], "tree_differs");
    assert_eq!(json["changed"][0]["file"], "a");
    assert_eq!(json["missing"][0]["file"], "d/zero");
    assert_eq!(json["added"][0]["file"], "d/new");
    verify(&place, &["--allow-added"]).ended(1);

    // Only what is added can be allowed.
    place.write("t/a", "a");
    verify(&place, &["--allow-added"]).ended(1);
    place.write("t/d/zero", "");
    verify(&place, &[]).ended(1);
    let run = verify(&place, &["--allow-added"]).ended(0);
    assert!(run.text().contains("ADDED: d/new\n"), "{run:?}");

    // Empty directories are nothing.
    std::fs::remove_file(place.path("t/d/new")).unwrap();
    std::fs::create_dir(place.path("t/d/none")).unwrap();
    verify(&place, &[]).ended(0);
}

/// Files are looked at only if the list is signed, and by the right key.
#[test]
fn a_list_must_be_signed() {
    let place = tree();
    sign(&place, &[]).ended(0);
    let list = place.read("t/SHA256SUMS");
    place.write("t/SHA256SUMS", [&list[..], b"\n"].concat());
    let run = verify(&place, &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.text().contains("NOT VALID: t/SHA256SUMS") && run.text().contains("not looked at"));
    assert_eq!(
        verify(&place, &["--json"]).json()["error"]["kind"],
        "signature_invalid"
    );
    place.write("t/SHA256SUMS", &list);
    verify(&place, &["-n", "other"]).ended(1);
    let run = place.run(&["verify-tree", "t"]);
    assert_eq!(run.code, Some(5), "{run:?}");
    place
        .run(&["keygen", "--no-password", "-o", "o.pem"])
        .ended(0);
    place.run(&["verify-tree", "-k", "o.pub.pem", "t"]).ended(1);
    std::fs::remove_file(place.path("t/SHA256SUMS.sig")).unwrap();
    verify(&place, &[]).failed(3, &["SHA256SUMS.sig"]);
    std::fs::remove_file(place.path("t/SHA256SUMS")).unwrap();
    verify(&place, &[]).failed(3, &["no list of hashes"]);
}

/// As `sha256sum * > SHA256SUMS` makes one that is there already.
#[test]
fn a_list_that_lists_itself() {
    let place = Place::new().with_keys();
    std::fs::create_dir(place.path("t")).unwrap();
    place.write("t/a", "a");
    sign(&place, &[]).ended(0);
    let hash = "0".repeat(64);
    let list = place.read("t/SHA256SUMS");
    for (name, why) in [
        (
            "SHA256SUMS",
            "it is the list itself, which cannot have its own hash",
        ),
        ("SHA256SUMS.sig", "it is the signature of the list"),
    ] {
        let more = format!("{hash}  {name}\n");
        place.write("t/SHA256SUMS", [&list[..], more.as_bytes()].concat());
        let again = ["sign", "-k", "k.pem", "t/SHA256SUMS", "--force"];
        place.run(&again).ended(0);
        let run = verify(&place, &[]).ended(1);
        let line = format!("CHANGED: {name}  ({why}");
        assert!(run.text().contains(&line), "{run:?}");
        assert!(!run.text().contains("MISSING: "), "{run:?}");
    }
}

/// A signed list may still be one that leads elsewhere.
#[test]
fn names_that_lead_elsewhere_are_refused() {
    let place = tree();
    let hash = "0".repeat(64);
    for name in ["/etc/passwd", "../k.pem", "d/../a", "d//e", "./", "a\0b"] {
        place.write("L", format!("{hash}  {name}\n"));
        place.run(&["sign", "-k", "k.pem", "L", "--force"]).ended(0);
        let run = verify(&place, &["-l", "L"]).failed(4, &["L, line 1"]);
        assert!(!run.stderr.contains("k.pem:"), "{run:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused() {
    use std::os::unix::fs::symlink;
    let place = tree();
    symlink("a", place.path("t/link")).unwrap();
    sign(&place, &[]).failed(3, &["t/link is a symbolic link", "--links follow"]);
    assert!(!place.exists("t/SHA256SUMS"));
    sign(&place, &["--links", "follow"]).ended(0);
    checks(&place, "sha256sum", "SHA256SUMS");
    verify(&place, &["--links", "follow"]).ended(0);
    let run = verify(&place, &[]).ended(1);
    assert!(
        run.text().contains("CHANGED: link  (a symbolic link)"),
        "{run:?}"
    );

    // A link in the place of a directory or of a file.
    for (target, word) in [
        ("/etc/hostname", "leads out of the tree"),
        ("nowhere", "leads nowhere"),
        ("d", "to a directory"),
        ("../k.pem", "leads out of the tree"),
    ] {
        std::fs::remove_file(place.path("t/link")).unwrap();
        symlink(target, place.path("t/link")).unwrap();
        let run = verify(&place, &["--links", "follow"]).ended(1);
        assert!(run.text().contains(word), "{target}: {run:?}");
        sign(&place, &["--links", "follow", "--force"]).failed(3, &[word]);
    }
    std::fs::remove_file(place.path("t/link")).unwrap();
    std::fs::rename(place.path("t/d"), place.path("elsewhere")).unwrap();
    symlink("../elsewhere", place.path("t/d")).unwrap();
    let run = verify(&place, &["--links", "follow"]).ended(1);
    assert!(run.text().contains("MISSING: d/zero"), "{run:?}");
    std::fs::remove_file(place.path("t/d")).unwrap();

    let made = Command::new("mkfifo").arg(place.path("t/pipe")).status();
    assert!(made.unwrap().success());
    sign(&place, &["--force"]).failed(3, &["t/pipe is neither a file nor a directory"]);
    let run = verify(&place, &[]).ended(1);
    assert!(run.text().contains("ADDED: pipe  (neither"), "{run:?}");
    place
        .run(&["sign-tree", "-k", "k.pem", "t/a"])
        .failed(3, &["no directory"]);
    place
        .run(&["sign-tree", "-k", "k.pem", "none"])
        .failed(3, &["no such file"]);
    place
        .run(&["sign-tree", "-k", "k.pem", "t/empty"])
        .failed(2, &["no files in t/empty"]);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_one_name_elsewhere() {
    let place = tree();
    place.write("t/A", "");
    sign(&place, &[]).failed(2, &["A and a", "--allow-collisions"]);
    let run = sign(&place, &["--allow-collisions"]).ended(0);
    assert!(run.stderr.contains("warning: some file systems"), "{run:?}");
    verify(&place, &[]).ended(0);
    std::fs::remove_file(place.path("t/A")).unwrap();
    place.write("t/e\u{301}", "");
    sign(&place, &["--force"]).failed(2, &["the same name"]);
}

#[test]
fn nothing_is_replaced_unless_asked() {
    let place = tree();
    place.write("t/SHA256SUMS.sig", "precious");
    sign(&place, &[]).failed(3, &["SHA256SUMS.sig exists already"]);
    assert!(!place.exists("t/SHA256SUMS"));
    sign(&place, &["--force"]).ended(0);
    verify(&place, &[]).ended(0);
    // Again, over its own files: these are never in the list.
    sign(&place, &["--force"]).ended(0);
    verify(&place, &[]).ended(0);
    // What a killed run has left is not listed either.
    place.write("t/.lanner-abcdefghijkl.tmp", "");
    sign(&place, &["--force"]).ended(0);
    verify(&place, &[]).ended(0);
    assert!(!place.exists("t/.lanner-abcdefghijkl.tmp"));
    // Elsewhere, and the old ones are files like others then.
    sign(&place, &["-o", "L"]).ended(0);
    verify(&place, &["-l", "L"]).ended(0);
    assert!(
        String::from_utf8(place.read("L"))
            .unwrap()
            .contains("  SHA256SUMS.sig\n")
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let place = tree();
    for i in 0..50 {
        place.write(&format!("t/d/{i}"), vec![i; 1000 * usize::from(i)]);
    }
    let mut lists = Vec::new();
    for threads in ["1", "2", "7", "1024"] {
        sign(&place, &["--force", "--threads", threads]).ended(0);
        verify(&place, &["--threads", threads]).ended(0);
        lists.push(place.read("t/SHA256SUMS"));
    }
    assert!(lists.windows(2).all(|pair| pair[0] == pair[1]));
    sign(&place, &["--force", "--threads", "0"]).failed(2, &["--threads"]);
}

/// What signify checks without us, and makes for us.
#[test]
fn signify_checks_a_signed_list() {
    let place = Place::new();
    place
        .run(&[
            "keygen",
            "--no-password",
            "--to",
            "signify",
            "-o",
            "s.sec",
            "--public",
            "s.pub",
        ])
        .ended(0);
    std::fs::create_dir(place.path("t")).unwrap();
    std::fs::create_dir(place.path("t/d")).unwrap();
    place.write("t/a", "a");
    place.write("t/d/b", "b");
    let signed = ["sign-tree", "-k", "s.sec", "t", "--format", "signify"];
    place.run(&signed).ended(0);
    place.run(&["verify-tree", "-k", "s.pub", "t"]).ended(0);
    checks(&place, "sha256sum", "SHA256SUMS");
    let signify = |place: &Place| {
        Run::of(
            Command::new("signify-openbsd")
                .args(["-C", "-p", "../s.pub", "-x", "SHA256SUMS.sig"])
                .current_dir(place.path("t")),
        )
    };
    if have("signify-openbsd", "signify -C") {
        assert_eq!(signify(&place).code, Some(0));
        place.write("t/a", "x");
        assert_ne!(signify(&place).code, Some(0));
    }
    // The list beside the one that is signed with it must be the same.
    place.write("t/a", "a");
    let list = place.read("t/SHA256SUMS");
    place.write("t/SHA256SUMS", [&list[..], &list].concat());
    let run = place.run(&["verify-tree", "-k", "s.pub", "t"]).ended(1);
    assert!(
        run.text().contains("another message stands after"),
        "{run:?}"
    );
    assert!(run.text().contains("not looked at"), "{run:?}");
    place.write("t/two words", "");
    place
        .run(&[&signed[..], &["--force"]].concat())
        .failed(2, &["signify cannot read the name two words"]);
    std::fs::remove_file(place.path("t/two words")).unwrap();
    place
        .run(&[&signed[..], &["--force", "--hash", "blake3"]].concat())
        .failed(2, &["SHA-256 and SHA-512 only"]);
    std::fs::remove_file(place.path("t/SHA256SUMS")).unwrap();
    std::fs::remove_file(place.path("t/SHA256SUMS.sig")).unwrap();
    place
        .run(&[&signed[..], &["--force", "--hash", "sha512"]].concat())
        .ended(0);
}

/// With minisign's own program, and with ssh-keygen.
#[test]
fn others_check_the_signature_of_the_list() {
    let place = tree();
    sign(&place, &["--format", "minisign"]).ended(0);
    verify(&place, &[]).ended(0);
    place
        .run(&["convert", "k.pub.pem", "--to", "minisign", "-o", "m.pub"])
        .ended(0);
    if have("minisign", "the signature of a list") {
        let run = Run::of(
            Command::new("minisign")
                .args(["-V", "-p", "m.pub", "-m", "t/SHA256SUMS"])
                .current_dir(place.root()),
        );
        assert_eq!(run.code, Some(0), "{run:?}");
    }
    std::fs::remove_file(place.path("t/SHA256SUMS.minisig")).unwrap();
    sign(&place, &["--force"]).ended(0);
    if have("ssh-keygen", "the signature of a list") {
        let run = Run::of(
            Command::new("sh")
                .args([
                    "-c",
                    "ssh-keygen -Y check-novalidate -n file -s t/SHA256SUMS.sig < t/SHA256SUMS",
                ])
                .current_dir(place.root()),
        );
        assert_eq!(run.code, Some(0), "{run:?}");
    }
}

/// As many files as a large release has: the list is one that coreutils checks, and one more file is found.
#[test]
#[ignore = "ten seconds: 10,000 files"]
fn ten_thousand_files() {
    let place = Place::new().with_keys();
    for directory in 0..100 {
        std::fs::create_dir_all(place.path(format!("t/{directory}"))).unwrap();
        for file in 0..100 {
            let content = vec![file as u8; 200 * directory];
            place.write(&format!("t/{directory}/{file}"), content);
        }
    }
    let args = ["sign-tree", "-k", "k.pem", "t", "--json"];
    assert_eq!(place.run(&args).ended(0).json()["files"], 10_000);
    let args = ["verify-tree", "-k", "k.pub.pem", "t", "--json"];
    assert_eq!(place.run(&args).ended(0).json()["files"], 10_000);
    if have("sha256sum", "a list of 10,000 files") {
        script(&place, "cd t; sha256sum -c --quiet SHA256SUMS");
    }
    place.write("t/99/100", "added");
    place.write("t/0/0", "changed");
    let report = place.run(&args).ended(1).json();
    assert_eq!(report["added"].as_array().unwrap().len(), 1);
    assert_eq!(report["changed"].as_array().unwrap().len(), 1);
}

/// What is signed is what verify-tree finds, or nothing is signed.
#[test]
fn nothing_older_counts_in_the_place_of_what_is_signed() {
    for (first, second, old) in [
        (&[][..], &["--hash", "sha512"][..], "t/SHA256SUMS"),
        (&["--hash", "blake3"], &[], "t/BLAKE3SUMS"),
        (
            &[],
            &["--format", "minisign", "--force"],
            "t/SHA256SUMS.sig",
        ),
        (
            &["--format", "minisign"],
            &["--force"],
            "t/SHA256SUMS.minisig",
        ),
        (&["--format", "cose"], &["--force"], "t/SHA256SUMS.cose"),
        (
            &["-o", "L"],
            &["-o", "L", "--format", "minisign", "--force"],
            "L.sig",
        ),
    ] {
        let place = tree();
        sign(&place, first).ended(0);
        let before = place.read(old);
        sign(&place, second).failed(3, &[old, "remove it", "-o LIST"]);
        assert_eq!(place.read(old), before);
        assert!(!place.exists("t/SHA512SUMS"));
        std::fs::remove_file(place.path(old)).unwrap();
        let signature = place.path(format!("{old}.sig"));
        let _ = std::fs::remove_file(signature);
        sign(&place, second).ended(0);
        let more: &[&str] = if second.contains(&"-o") {
            &["-l", "L"]
        } else {
            &[]
        };
        verify(&place, more).ended(0);
    }
    // Somebody else's list is a file, where another one counts.
    let place = tree();
    place.write("t/SHA512SUMS", "theirs");
    sign(&place, &["-o", "L"]).ended(0);
    verify(&place, &["-l", "L"]).ended(0);
    sign(&place, &[]).failed(3, &["t/SHA512SUMS"]);
    // However the place of the list is named.
    let absolute = place.path("t/SHA256SUMS");
    let mut names = vec![absolute.to_str().unwrap(), "./t/../t/SHA256SUMS"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("t", place.path("link")).unwrap();
        names.push("link/SHA256SUMS");
    }
    for name in names {
        sign(&place, &["-o", name]).failed(3, &["t/SHA512SUMS", "another list"]);
    }
}

/// A link to the list would be listed with what the list was before.
#[cfg(unix)]
#[test]
fn links_to_the_list_itself() {
    for target in ["SHA256SUMS", "SHA256SUMS.sig", "d/../SHA256SUMS"] {
        let place = tree();
        sign(&place, &[]).ended(0);
        std::os::unix::fs::symlink(target, place.path("t/latest")).unwrap();
        let follow = ["--links", "follow", "--force"];
        let before = place.read("t/SHA256SUMS");
        sign(&place, &follow).failed(3, &["t/latest", "a link to the list", "remove the link"]);
        assert_eq!(place.read("t/SHA256SUMS"), before);
        std::fs::remove_file(place.path("t/latest")).unwrap();
        std::os::unix::fs::symlink("a", place.path("t/latest")).unwrap();
        sign(&place, &follow).ended(0);
        verify(&place, &["--links", "follow"]).ended(0);
    }
}
