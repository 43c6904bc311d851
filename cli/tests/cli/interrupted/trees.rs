//! Lists of hashes and their signatures, ended at each system call: both are there whole, or neither, or the list alone.

use super::*;

pub(super) const ARGS: &[&str] = &["sign-tree", "-k", "k.pem", "t", "-o", "L", "--threads", "1"];
const AGAIN: &[&str] = &[
    "sign-tree",
    "-k",
    "k.pem",
    "t",
    "-o",
    "L",
    "--threads",
    "1",
    "--force",
];

pub(super) fn with_tree() -> Place {
    let place = Place::new().with_keys();
    std::fs::create_dir(place.path("t")).unwrap();
    place.write("t/a", "a");
    place.write("t/b", "b");
    place
}

fn with_old_list() -> Place {
    let place = with_tree();
    place.write("L", "old");
    place.write("L.sig", "old");
    place
}

fn files(place: &Place) -> Result<[Option<Vec<u8>>; 2], String> {
    let names = [
        "k.pem",
        "k.pub.pem",
        "x.pem",
        "x.pub.pem",
        "t/a",
        "t/b",
        "L",
        "L.sig",
    ];
    let mut files = known(place, &names)?;
    Ok([files.remove("L"), files.remove("L.sig")])
}

fn is_good(place: &Place) -> bool {
    let args = ["verify-tree", "-k", "k.pub.pem", "t", "-l", "L"];
    place.run(&args).code == Some(0)
}

/// `old` is what both files were before.
fn judged(place: &Place, old: Option<&[u8]>) -> Result<Left, String> {
    let [list, signature] = files(place)?;
    let is_old = |file: &Option<Vec<u8>>| file.as_deref() == old;
    // The list of this tree is always the same: a new one is recognised by its length.
    let is_new_list = list.as_ref().is_some_and(|list| list.len() == 2 * 68);
    match (&list, &signature) {
        (list, signature) if is_old(list) && is_old(signature) => Ok(Left::Before),
        _ if is_new_list && is_good(place) => Ok(Left::After),
        (_, signature) if is_new_list && is_old(signature) => Ok(Left::Between),
        _ => Err(format!("the list is {list:?}, the signature {signature:?}")),
    }
}

pub(super) fn new_list(place: &Place) -> Result<Left, String> {
    judged(place, None)
}

fn replaced_list(place: &Place) -> Result<Left, String> {
    judged(place, Some(b"old"))
}

#[test]
fn lists() {
    sweep_lists(ONE_EACH);
}

#[test]
#[ignore = "a minute: every system call of sign-tree, under four signals"]
fn lists_at_every_call() {
    sweep_lists(1);
}

fn sweep_lists(step: usize) {
    if !possible("signed lists at every system call") {
        return;
    }
    for scene in [
        Scene::new(ARGS, with_tree, new_list),
        Scene::new(AGAIN, with_old_list, replaced_list),
    ] {
        let left = scene.sweep(step);
        assert!(
            left.contains(&Left::Before) && (step > 1 || left.contains(&Left::After)),
            "{left:?}"
        );
    }
}

/// What a tree costs beside its hashes does not grow with it: the disk is waited for at the end, once for each of the two
/// files and once for their directory.
#[test]
fn one_sync_for_all_files() {
    if !possible("the number of syncs") {
        return;
    }
    let place = with_tree();
    for i in 0..300 {
        place.write(&format!("t/{i}"), [i as u8]);
    }
    let scene = Scene::new(&["sign-tree", "-k", "k.pem", "t", "-o", "L"], empty, |_| {
        Ok(Left::After)
    });
    let log = place.path("log");
    let options = [
        "-o",
        log.to_str().unwrap(),
        "-e",
        "trace=fsync,fdatasync,sync,syncfs,sync_file_range",
    ];
    assert!(scene.strace(&place, &options).status().unwrap().success());
    let syncs = place
        .read("log")
        .split(|&b| b == b'\n')
        .filter(|line| !line.is_empty())
        .count();
    assert!((2..=4).contains(&syncs), "{syncs} syncs");
    assert!(is_good(&place));
}
