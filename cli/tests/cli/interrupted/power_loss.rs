//! A loss of power, which leaves a directory as it was flushed, with any of the changes since.

use super::{Scene, empty, new_pair, old_pair, possible, replaced_pair};
use std::collections::{BTreeMap, BTreeSet};

/// One change of the names in a directory.
#[derive(Debug)]
enum Change {
    Name { name: String, content: String },
    Rename { from: String, to: String },
    Remove(String),
}

/// The changes of a traced run, in groups between which the directory was flushed to the disk.
/// Panics if a file gets a name before its content is on the disk.
fn changes(trace: &str) -> Vec<Vec<Change>> {
    let mut groups = vec![Vec::new()];
    let mut flushed: BTreeSet<String> = BTreeSet::new();
    let quoted = |call: &str| -> Vec<String> {
        let parts: Vec<&str> = call.split('"').collect();
        parts
            .iter()
            .skip(1)
            .step_by(2)
            .map(|s| (*s).into())
            .collect()
    };
    for line in trace
        .lines()
        .filter(|line| line.trim_end().ends_with("= 0"))
    {
        let call = line.split_once(' ').unwrap().1.trim_start();
        let names = quoted(call);
        let short = |name: &String| name.rsplit('/').next().unwrap().to_owned();
        let last = groups.last_mut().unwrap();
        if let Some(arguments) = call.strip_prefix("fsync(") {
            let descriptor = arguments.split('<').next().unwrap();
            if call.contains("(deleted)") || call.contains(".lanner-") {
                flushed.insert(format!("/proc/self/fd/{descriptor}"));
            } else {
                groups.push(Vec::new());
            }
        } else if call.starts_with("linkat(") {
            assert!(flushed.remove(&names[0]), "{line}: not on the disk yet");
            let (name, content) = (short(&names[1]), format!("new {}", short(&names[1])));
            last.push(Change::Name { name, content });
        } else if call.starts_with("rename") {
            let (from, to) = (short(&names[0]), short(&names[1]));
            last.push(Change::Rename { from, to });
        } else if call.starts_with("unlink") {
            last.push(Change::Remove(short(&names[0])));
        }
    }
    groups
}

type Names = BTreeMap<String, String>;

fn apply(names: &Names, change: &Change) -> Option<Names> {
    let mut names = names.clone();
    match change {
        Change::Name { name, content } => {
            names.insert(name.clone(), content.clone());
        }
        Change::Rename { from, to } => {
            let content = names.remove(from)?;
            names.insert(to.clone(), content);
        }
        Change::Remove(name) => {
            names.remove(name)?;
        }
    }
    Some(names)
}

/// Every state in which the directory can be found after a loss of power: what was flushed, and
/// any of the changes since.
fn after_power_loss(old: &Names, groups: &[Vec<Change>]) -> BTreeSet<Names> {
    let mut flushed = old.clone();
    let mut states = BTreeSet::from([old.clone()]);
    for group in groups {
        for chosen in 0..1u32 << group.len() {
            let mut names = Some(flushed.clone());
            for (i, change) in group.iter().enumerate() {
                if chosen >> i & 1 == 1 {
                    names = names.and_then(|names| apply(&names, change));
                }
            }
            states.extend(names);
        }
        for change in group {
            flushed = apply(&flushed, change).expect("it was done");
        }
    }
    states
}

#[test]
fn power_loss() {
    if !possible("key pairs after a loss of power") {
        return;
    }
    let new = BTreeMap::new();
    let old: Names = [("a.pem", "old a.pem"), ("a.pub.pem", "old a.pub.pem")]
        .map(|(name, content)| (name.into(), content.into()))
        .into();
    for (scene, old) in [
        (
            Scene::new(&["keygen", "--no-password", "-o", "a.pem"], empty, new_pair),
            &new,
        ),
        (
            Scene::new(
                &["keygen", "--no-password", "-o", "a.pem", "--force"],
                old_pair,
                replaced_pair,
            ),
            &old,
        ),
    ] {
        let calls = "trace=linkat,rename,renameat,renameat2,unlink,unlinkat,fsync";
        let groups = changes(&scene.trace(&["-y", "-e", calls]));
        let states = after_power_loss(old, &groups);
        assert!(states.len() >= 3, "{groups:?}");
        for names in &states {
            let get = |name: &str| names.get(name).map(String::as_str);
            let pair = (get("a.pem"), get("a.pub.pem"));
            match pair {
                (_, None) => {}
                (Some("old a.pem"), Some("old a.pub.pem")) => {}
                (Some("new a.pem"), Some("new a.pub.pem")) => {}
                _ => panic!("{names:?} after {groups:?}"),
            }
            let new_is_whole = pair == (Some("new a.pem"), Some("new a.pub.pem"));
            let old_is_there = names.values().any(|content| content == "old a.pem");
            assert!(
                old.is_empty() || new_is_whole || old_is_there,
                "{names:?} after {groups:?}"
            );
        }
    }
}
