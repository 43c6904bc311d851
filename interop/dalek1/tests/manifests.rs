//! What the page says of the manifests of version 1, beside what cargo tells of this workspace.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::page::{PAGE, raw_rows, rows};

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .args([
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn package<'a>(metadata: &'a Value, name: &str, version: &str) -> &'a Value {
    let mut all = list(&metadata["packages"]).iter();
    let found = all.find(|it| it["name"] == name && text(&it["version"]).starts_with(version));
    found.unwrap_or_else(|| panic!("{name} {version}"))
}

fn features(package: &Value) -> BTreeSet<&str> {
    let all = package["features"].as_object().expect("features");
    all.keys().map(String::as_str).collect()
}

/// What stands in backquotes.
fn quoted(cell: &str) -> BTreeSet<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn features_are_those_of_the_page() {
    let metadata = metadata();
    let old = package(&metadata, "ed25519-dalek", "1.0.1");
    let (has, ours) = (
        features(old),
        features(package(&metadata, "lanner-ed25519", "")),
    );
    let defaults: BTreeSet<&str> = list(&old["features"]["default"]).iter().map(text).collect();
    let mut named = BTreeSet::from(["default"]);
    let rows = raw_rows(PAGE, "### Features of `lanner-ed25519`");
    for row in &rows {
        let names = quoted(&row[0]);
        let of_them: BTreeSet<&str> = names.intersection(&has).copied().collect();
        match &*row[1] {
            "no" => assert_eq!(of_them, BTreeSet::new(), "{row:?}"),
            "yes" => assert_eq!(of_them, names, "{row:?}"),
            "default" => assert_eq!((&of_them, defaults.is_superset(&names)), (&names, true)),
            "only names a dependency" => {
                for name in &names {
                    let means = &old["features"][name];
                    assert_eq!(*means, serde_json::json!([format!("dep:{name}")]));
                }
            }
            some => assert_eq!(of_them, quoted(some), "{row:?}"),
        }
        // And what of them is accepted, or has to be removed.
        let taken = !row[4].starts_with("no: remove");
        for name in &names {
            assert_eq!(ours.contains(name), taken, "{name}: {row:?}");
        }
        named.extend(of_them);
    }
    assert_eq!(named, has);
}

#[test]
fn features_of_x25519_dalek_1_that_must_go() {
    let metadata = metadata();
    let has = features(package(&metadata, "x25519-dalek", "1.1.1"));
    let ours = features(package(&metadata, "lanner-x25519", ""));
    let gone: Vec<&str> = has.difference(&ours).copied().collect();
    assert_eq!(gone, ["nightly", "our_serde", "u32_backend", "u64_backend"]);
}

/// The versions of the field's shared crates that version 1 takes.
#[test]
fn shared_crates_have_the_versions_of_the_page() {
    let metadata = metadata();
    let mut reached = BTreeSet::new();
    let mut next = vec![text(&package(&metadata, "ed25519-dalek", "1.0.1")["id"])];
    while let Some(id) = next.pop() {
        if reached.insert(id) {
            let mut nodes = list(&metadata["resolve"]["nodes"]).iter();
            let node = nodes.find(|node| node["id"] == id).expect("a node");
            next.extend(list(&node["dependencies"]).iter().map(text));
        }
    }
    let versions = |name: &str| -> Vec<&str> {
        let all = list(&metadata["packages"]).iter();
        let these = all.filter(|it| it["name"] == name && reached.contains(text(&it["id"])));
        these.map(|it| text(&it["version"])).collect()
    };
    for row in raw_rows(PAGE, "## From 1.x and 2.x") {
        for name in quoted(&row[0]) {
            match (&*row[1], &*versions(name)) {
                ("–", []) => {}
                (said, [version]) => {
                    assert!(version.starts_with(&format!("{said}.")), "{name} {version}");
                }
                (said, versions) => panic!("{name}: {said}, {versions:?}"),
            }
        }
    }
    // The last curve25519-dalek 3 that lets a newer zeroize be.
    assert_eq!(versions("curve25519-dalek"), ["3.2.0"]);
}

/// Of the tables of calls, this is what the tests here run.
#[test]
fn both_tables_have_rows_of_version_1() {
    for (heading, least) in [
        ("## ed25519-dalek, call by call", 25),
        ("## x25519-dalek", 9),
    ] {
        assert!(rows(PAGE, heading).len() >= least, "{heading}");
    }
}
