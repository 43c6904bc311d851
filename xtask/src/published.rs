//! What a registry would get, built and tested as it is there: who packages a crate for a distribution runs the tests that are
//! in it, and has nothing else of this repository.

use crate::around::packages;
use crate::c::dist::VERSION;
use crate::files::{copy, fresh, text, write};
use crate::layers::law::{LIBRARIES, PUBLISHED};
use crate::process::{Cmd, Tally, root, target_dir};

/// Publishes all but that; unpacks what that would have published; runs the tests in it with the features that there are by default,
/// and compiles them with all.
///
/// # Errors
///
/// A package does not build by itself, or its tests do not, or one fails.
pub(crate) fn check() -> Result<Tally, String> {
    Cmd::cargo(["publish", "--workspace", "--dry-run", "--allow-dirty"]).run()?;
    let names: Vec<&str> = LIBRARIES.iter().chain(PUBLISHED).copied().collect();
    // A dry run keeps no archives.
    let pack = Cmd::cargo(["package", "--no-verify", "--allow-dirty"]);
    packages(pack, &names).run()?;
    let dir = target_dir().join("published");
    let sources = dir.join("sources");
    fresh(&sources)?;
    for name in &names {
        let archive = target_dir().join(format!("package/{}.crate", directory(name)));
        Cmd::new("tar")
            .args(["-xzf", &text(&archive), "-C", &text(&sources)])
            .run()?;
    }
    let manifest_path = sources.join("Cargo.toml");
    write(&manifest_path, manifest(&names))?;
    // What they take is what everything else here is tested with, and is here already.
    copy(&root().join("Cargo.lock"), &sources.join("Cargo.lock"))?;
    let mut all = Tally::default();
    for name in &names {
        let test = Cmd::cargo(["test", "--manifest-path", &text(&manifest_path), "-p", name])
            .env("CARGO_TARGET_DIR", &text(&dir.join("target")));
        let found = test.clone().args(["--no-fail-fast"]).run()?;
        // At least the examples of its documentation.
        if found.passed == 0 {
            return Err(format!("{name}: ran no test at all"));
        }
        all.add(found);
        test.args(["--all-features", "--no-run"]).run()?;
    }
    Ok(all)
}

/// Where a package lies when it is unpacked.
fn directory(name: &str) -> String {
    format!("{name}-{VERSION}")
}

/// A workspace of them, in which each takes the others from there and not from the registry. Cargo is told one at a time, so that
/// none gets features that another asks for.
fn manifest(names: &[&str]) -> String {
    let members: Vec<String> = names
        .iter()
        .map(|name| format!("{:?}", directory(name)))
        .collect();
    let patches = names
        .iter()
        .map(|name| format!("{name} = {{ path = {:?} }}\n", directory(name)));
    // Without optimisation the tests would take an hour; and the build, if units were optimised across, as the root manifest says.
    format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n[profile.test]\nopt-level = 1\nlto = \"off\"\n\n[patch.crates-io]\n{}",
        members.join(", "),
        patches.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_takes_the_others_from_there() {
        let text = manifest(&["lanner-a", "lanner"]);
        let [a, all] = [directory("lanner-a"), directory("lanner")];
        assert!(text.contains(&format!("members = [\"{a}\", \"{all}\"]\n")));
        assert!(text.ends_with(&format!(
            "[patch.crates-io]\nlanner-a = {{ path = \"{a}\" }}\nlanner = {{ path = \"{all}\" }}\n"
        )));
    }
}
