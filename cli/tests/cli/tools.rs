//! The programs of others that have the same formats. Where one is missing, what needs it says so.

use crate::harness::{Place, skip};
use std::process::{Command, Stdio};

/// True if `program` can be started; if not, says that `what` was not checked.
pub(crate) fn have(program: &str, what: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !found {
        skip(&format!("{what}: no {program} here"));
    }
    found
}

/// What a script printed that ended well: a POSIX shell in the directory of `place`, in which `lanner` is the command.
#[track_caller]
pub(crate) fn script(place: &Place, script: &str) -> String {
    let (code, output) = try_script(place, script);
    assert_eq!(code, Some(0), "{script}\n{output}");
    output
}

/// The exit code of a script, and what it printed on either output.
pub(crate) fn try_script(place: &Place, script: &str) -> (Option<i32>, String) {
    let directory = std::path::Path::new(Place::program()).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("sh")
        .args(["-ec", &format!("exec 2>&1\n{script}")])
        .current_dir(place.root())
        .env("PATH", format!("{}:{path}", directory.display()))
        .env("HOME", place.root())
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.contains("panicked"), "{script}\n{text}");
    (output.status.code(), text)
}

/// Where the project keeps programs of others that are fetched for the tests: beside what was built.
fn fetched() -> std::path::PathBuf {
    let profile = std::path::Path::new(Place::program()).parent().unwrap();
    profile.parent().unwrap().join("peers")
}

/// The Python that has the packages of `tests/peers/requirements.txt`; if there is none, says that `what` was not
/// checked.
pub(crate) fn python_peers(what: &str) -> Option<String> {
    let python = fetched().join("bin/python");
    let works = Command::new(&python)
        .args([
            "-c",
            "import securesystemslib.dsse, in_toto_attestation.v1.statement",
        ])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !works {
        skip(&format!(
            "{what}: the packages are not in {}",
            python.display()
        ));
    }
    works.then(|| python.display().to_string())
}

/// Go's package for signed notes as a program, built in `place`.
pub(crate) fn go_note(place: &Place) -> Option<String> {
    const WHAT: &str = "signed notes beside Go's package";
    if !have("go", WHAT) {
        return None;
    }
    let source = format!("{}/tests/peers/note", env!("CARGO_MANIFEST_DIR"));
    let go = |args: &[&str]| {
        Command::new("go")
            .args(args)
            .current_dir(&source)
            .env("GOFLAGS", "-mod=readonly -buildvcs=false")
            .status()
            .is_ok_and(|status| status.success())
    };
    if !go(&["mod", "download"]) {
        skip(&format!("{WHAT}: it is neither here nor can it be fetched"));
        return None;
    }
    let program = place.path("go-note").display().to_string();
    assert!(go(&["build", "-o", &program, "."]), "Go builds it");
    Some(program)
}
