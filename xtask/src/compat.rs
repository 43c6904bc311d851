//! The packages of `compat/`, which stand for versions of the dalek libraries: each is a workspace of its own, because two
//! packages of one name cannot be members of one.

use std::path::Path;

use crate::features;
use crate::files::text;
use crate::layers::workspace;
use crate::needs::Need;
use crate::process::{Cmd, root, target_dir};
use crate::steps::{Action, Step};

/// Their directories below `compat/`, and the versions that `[patch.crates-io]` is told of.
pub(crate) const PACKAGES: &[Package] = &[
    Package::new("curve25519-dalek-4", "curve25519-dalek", "4"),
    Package::new("curve25519-dalek-5", "curve25519-dalek", "5"),
    Package::new("ed25519-dalek-2", "ed25519-dalek", "2"),
    Package::new("ed25519-dalek-3", "ed25519-dalek", "3"),
    Package::new("x25519-dalek-2", "x25519-dalek", "2"),
    Package::new("x25519-dalek-3", "x25519-dalek", "3"),
];

/// The program on both: without the patch, and with it.
const STORIES: [&str; 2] = ["compat/tests/incumbent", "compat/tests/lanner"];

/// One of the packages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Package {
    pub(crate) dir: &'static str,
    /// The name that it stands for.
    pub(crate) name: &'static str,
    /// Which versions.
    pub(crate) version: &'static str,
}

impl Package {
    const fn new(dir: &'static str, name: &'static str, version: &'static str) -> Self {
        Self { dir, name, version }
    }
}

/// The stanza that replaces the whole family, as a program writes it, with absolute paths.
pub(crate) fn stanza() -> String {
    let mut stanza = String::from("[patch.crates-io]\n");
    for Package { dir, name, version } in PACKAGES {
        let path = text(&root().join("compat").join(dir));
        stanza.push_str(&format!(
            "{dir} = {{ path = \"{path}\", package = \"{name}\", version = \"{version}\" }}\n"
        ));
    }
    stanza
}

/// Cargo on a manifest of its own, in the target directory that all of these share.
fn cargo(verb: &[&str], dir: &str) -> Cmd {
    let manifest = Path::new(dir).join("Cargo.toml");
    Cmd::cargo(verb.iter().copied())
        .args(["--locked", "--manifest-path", &text(&manifest)])
        .env("CARGO_TARGET_DIR", &text(&target_dir().join("compat")))
}

/// Checks each package without features, and then with each of its features alone, as who depends on the incumbent may
/// choose them.
///
/// # Errors
///
/// A combination does not compile; all are tried first.
fn check_each_feature_alone() -> Result<(), String> {
    let mut commands = Vec::new();
    for Package { dir, .. } in PACKAGES {
        let dir = format!("compat/{dir}");
        let metadata = workspace::metadata_in(&dir, &[])?;
        let package = metadata.packages.first();
        let package = package.ok_or_else(|| format!("no package in {dir}"))?;
        let check = cargo(&["check", "--quiet"], &dir);
        commands.extend(features::each_alone(package, &check));
    }
    features::run(&commands)
}

/// The packages that have types of their own, and so the most that may differ, over all of the others.
const QUICK: [&str; 2] = ["curve25519-dalek-4", "ed25519-dalek-2"];

/// The steps; `whole`: every package, with each set of features and the oldest compiler.
pub(crate) fn steps(oldest: &'static str, whole: bool) -> Vec<Step> {
    let each = |verb: &'static str, features: &'static [&'static str]| {
        let wanted = move |package: &&Package| whole || QUICK.contains(&package.dir);
        PACKAGES.iter().filter(wanted).map(move |package| {
            cargo(&[verb], &format!("compat/{}", package.dir)).args(features.iter().copied())
        })
    };
    let all_features: Vec<Cmd> = each("test", &["--all-features"]).collect();
    let mut other_features: Vec<Cmd> = each("test", &[]).collect();
    other_features.extend(each(
        "clippy",
        &["--no-default-features", "--", "-D", "warnings"],
    ));
    let with_oldest = PACKAGES.iter().map(|package| {
        let manifest = format!("compat/{}/Cargo.toml", package.dir);
        Cmd::cargo_of(oldest, ["check", "--locked", "--all-features"])
            .args(["--manifest-path", &manifest])
            .env(
                "CARGO_TARGET_DIR",
                &text(&target_dir().join("compat-oldest")),
            )
    });
    let mut steps = vec![
        Step::new(
            "compat: the packages in others' names, all features",
            &[],
            Action::Tests(all_features),
        ),
        Step::new(
            "compat: one program on the dalek libraries and on what stands for them",
            &[],
            Action::call(move || stories_agree(whole)),
        ),
    ];
    if whole {
        steps.push(Step::new(
            "compat: constant time of the packages in others' names, under valgrind",
            &[Need::valgrind()],
            Action::Run(vec![
                cargo(&["build", "--release", "--bin", "secrets"], STORIES[1]),
                Cmd::new("valgrind")
                    .args(["-q", &text(&target_dir().join("compat/release/secrets"))]),
            ]),
        ));
        steps.push(Step::new(
            "compat: what the packages in others' names leave of secrets",
            &[],
            Action::Run(vec![cargo(
                &["run", "--release", "--quiet", "--bin", "wiping"],
                STORIES[1],
            )]),
        ));
        steps.push(Step::new(
            "compat: the packages in others' names, default features and none",
            &[],
            Action::Tests(other_features),
        ));
        steps.push(Step::new(
            "compat: each feature of the packages in others' names alone",
            &[],
            Action::call(check_each_feature_alone),
        ));
        steps.push(Step::new(
            "compat: oldest supported compiler",
            &[Need::Toolchain(oldest, &[])],
            Action::Run(with_oldest.collect()),
        ));
    }
    steps
}

/// Runs the program both ways, plainly and if `whole` with `legacy_compatibility` as well, and compares what it prints.
fn stories_agree(whole: bool) -> Result<(), String> {
    let features = [None, Some("legacy_compatibility")];
    for features in &features[..if whole { 2 } else { 1 }] {
        let [incumbent, lanner] = STORIES.map(|dir| {
            let command = cargo(&["run", "--quiet"], dir);
            match features {
                Some(features) => command.args(["--features", *features]),
                None => command,
            }
            .capture()
        });
        let (incumbent, lanner) = (incumbent?, lanner?);
        differences(&incumbent, &lanner)?;
        let features = features.unwrap_or("default features");
        println!("{features}: {} lines, all the same", lanner.lines().count());
    }
    Ok(())
}

/// An error that shows where two stories part.
fn differences(expected: &str, found: &str) -> Result<(), String> {
    /// A story of which nothing is left proves nothing.
    const AT_LEAST: usize = 5000;

    let [expected, found] = [expected, found].map(|story| story.lines().collect::<Vec<_>>());
    let mut wrong: Vec<String> = expected
        .iter()
        .zip(&found)
        .enumerate()
        .filter(|(_, (expected, found))| expected != found)
        .map(|(line, (expected, found))| format!("line {}: {expected} / {found}", line + 1))
        .collect();
    if expected.len() != found.len() {
        wrong.push(format!("{} lines / {}", expected.len(), found.len()));
    }
    if expected.len() < AT_LEAST {
        wrong.push(format!("only {} lines", expected.len()));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let number = wrong.len();
    wrong.truncate(10);
    Err(format!("{number} differences:\n{}", wrong.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::{PACKAGES, differences, stanza};
    use crate::files;
    use crate::process::root;

    #[test]
    fn stories_that_part_are_found() {
        let story = "a line\n".repeat(5000);
        assert_eq!(differences(&story, &story), Ok(()));
        let other = story.replacen("a line", "a lime", 1);
        assert!(differences(&story, &other).is_err_and(|error| error.contains("line 1:")));
        assert!(differences(&story, &story[7..]).is_err());
        assert!(differences("a line\n", "a line\n").is_err());
    }

    #[test]
    fn tables_are_there_under_an_operating_system() {
        for package in PACKAGES {
            let manifest = root().join("compat").join(package.dir).join("Cargo.toml");
            let text = files::read(&manifest).expect("the manifest");
            let table = text.split(r#"[target.'cfg(all(any(unix, windows), target_pointer_width = "64"))'.dependencies]"#);
            let feature = match package.name {
                "ed25519-dalek" => "\"fast\"",
                _ => "\"precomputed-tables\"",
            };
            let own = table.last().unwrap_or_default().lines().nth(1);
            assert!(
                own.is_some_and(|line| line.contains(feature)),
                "{}",
                package.dir
            );
        }
    }

    #[test]
    fn the_stanza_names_all_and_the_page_has_it() {
        let stanza = stanza();
        let page = files::read(&root().join("docs/migration.md")).expect("the page");
        for package in PACKAGES {
            assert!(stanza.contains(package.dir));
            assert!(root().join("compat").join(package.dir).is_dir());
            let told = page.lines().any(|line| {
                let version = format!("version = \"{}\"", package.version);
                line.starts_with(package.name) && line.contains("git") && line.contains(&version)
            });
            assert!(told, "docs/migration.md does not name {}", package.dir);
        }
    }
}
