//! Every command that writes, with each of its system calls failing: no room, a broken disk, an interruption.
//!
//! Whatever fails, the command says so with an exit code of its own, without a panic, and leaves what was there before or
//! what a whole run leaves.

use super::*;
use std::sync::Mutex;

/// The calls that disks and other processes make fail.
const CALLS: [&str; 24] = [
    "openat",
    "open",
    "read",
    "pread64",
    "write",
    "writev",
    "lseek",
    "fsync",
    "fdatasync",
    "linkat",
    "link",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "getdents64",
    "statx",
    "newfstatat",
    "fstat",
    "flock",
    "fcntl",
    "readlink",
    "ftruncate",
];

const ERRORS: [&str; 3] = ["ENOSPC", "EIO", "EINTR"];

impl Scene {
    /// Runs the command with one call failing, and judges how it ends and what is left.
    fn fail_at(&self, error: &str, call: &Call) -> (Option<i32>, Left) {
        let place = (self.prepare)();
        let at = format!("{:?}, {error} of {call:?}", self.args);
        let output = self
            .inject(&place, call, &format!("error={error}"))
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{at}: {said}");
        let code = output.status.code();
        assert!(matches!(code, Some(0..=6)), "{at}: {code:?} {said}");
        let left = (self.judge)(&place).unwrap_or_else(|e| panic!("{at}: {e}; {:?}", tree(&place)));
        if code == Some(0) {
            assert_eq!(left, Left::After, "{at}: {said}");
        } else {
            assert!(said.contains("lanner: error: "), "{at}: {said}");
        }
        // What cannot be removed stays, for the next run.
        if !call.0.starts_with("unlink") {
            assert!(leftovers(&place).is_empty(), "{at}: {:?}", tree(&place));
        }
        (code, left)
    }

    /// Lets every call fail: with each error if `whole`, and else with one, in turn.
    fn fail_everywhere(&self, whole: bool) {
        let mut failures = 0;
        let calls = self.calls();
        let calls = calls
            .iter()
            .filter(|(name, _)| CALLS.contains(&name.as_str()));
        for (i, call) in calls.enumerate() {
            for (j, error) in ERRORS.into_iter().enumerate() {
                if whole || i % ERRORS.len() == j {
                    let (code, left) = self.fail_at(error, call);
                    failures += usize::from(code != Some(0) && left == Left::Before);
                }
            }
        }
        let least = if whole { 5 } else { 1 };
        assert!(failures > least, "{:?}: {failures} failures", self.args);
    }
}

fn fail(scenes: &[Scene], whole: bool) {
    if possible("failing system calls") {
        scenes.iter().for_each(|scene| scene.fail_everywhere(whole));
    }
}

fn scenes_of_files() -> [Scene; 5] {
    let converted = |place: &Place| whole(place, &public_key(), None);
    [
        Scene::new(&["public", "k.pem", "-o", "out"], with_message, converted),
        Scene::new(
            &["convert", "k.pem", "--public", "--to", "pem", "-o", "out"],
            with_message,
            converted,
        ),
        Scene::new(
            &["sign", "-k", "k.pem", "m", "-o", "out"],
            with_message,
            |place| whole(place, signature(), None),
        ),
        Scene::new(
            &["sign", "-k", "k.pem", "m", "-o", "out", "--force"],
            with_old_output,
            |place| whole(place, signature(), Some(b"old")),
        ),
        Scene::new(
            &["exchange", "-k", "x.pem", "x.pub.pem", "-o", "out"],
            with_message,
            |place| whole(place, &unhex(RFC7748_SHARED), None),
        ),
    ]
}

const ATTEST: &[&str] = &[
    "attest",
    "-k",
    "k.pem",
    "--predicate-type",
    "release",
    "--predicate",
    "predicate",
    "m",
    "-o",
    "out",
];
const NOTE: &[&str] = &[
    "sign-note",
    "-k",
    "k.pem",
    "--name",
    "a.example",
    "m",
    "-o",
    "out",
];
const BATCH: &[&str] = &["verify-batch", "table", "-o", "out"];

/// A text, a predicate, and a table with one record.
fn with_documents() -> Place {
    let place = Place::new().with_keys();
    place.write("m", "a text\n");
    place.write("predicate", "{}");
    let record = serde_json::json!({
        "public_key": RFC8032_PUBLIC, "message": "", "signature": RFC8032_SIGNATURE
    });
    place.write("table", record.to_string());
    place
}

/// `out` is what an undisturbed run makes of the same, which is always the same.
fn as_undisturbed(place: &Place, args: &'static [&'static str]) -> Result<Left, String> {
    static GOOD: Mutex<BTreeMap<&[&str], Vec<u8>>> = Mutex::new(BTreeMap::new());
    let mut good = GOOD.lock().unwrap();
    let good = good.entry(args).or_insert_with(|| {
        let place = with_documents();
        place.run(args).ended(0);
        place.read("out")
    });
    whole(place, good, None)
}

fn scenes_of_documents() -> [Scene; 3] {
    [
        Scene::new(ATTEST, with_documents, |place| {
            as_undisturbed(place, ATTEST)
        }),
        Scene::new(NOTE, with_documents, |place| as_undisturbed(place, NOTE)),
        Scene::new(BATCH, with_documents, |place| as_undisturbed(place, BATCH)),
    ]
}

fn scenes_of_pairs_and_lists() -> [Scene; 3] {
    [
        new_pair_scene(),
        replaced_pair_scene(),
        Scene::new(trees::ARGS, trees::with_tree, trees::new_list),
    ]
}

#[test]
fn files_that_cannot_be_written() {
    fail(&scenes_of_files(), false);
}

#[test]
#[ignore = "a minute: every system call of four commands, with three errors"]
fn files_that_cannot_be_written_for_any_reason() {
    fail(&scenes_of_files(), true);
}

#[test]
fn pairs_and_lists_that_cannot_be_written() {
    fail(&scenes_of_pairs_and_lists(), false);
}

#[test]
#[ignore = "a minute: every system call of keygen and sign-tree, with three errors"]
fn pairs_and_lists_that_cannot_be_written_for_any_reason() {
    fail(&scenes_of_pairs_and_lists(), true);
}

#[test]
fn documents_that_cannot_be_written() {
    fail(&scenes_of_documents(), false);
}

#[test]
#[ignore = "a minute: every system call of attest, sign-note and verify-batch, with three errors"]
fn documents_that_cannot_be_written_for_any_reason() {
    fail(&scenes_of_documents(), true);
}
