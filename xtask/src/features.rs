//! Each feature of each library must compile with no other feature beside it.

use cargo_metadata::Package;

use crate::layers::{law::LIBRARIES, workspace};
use crate::process::Cmd;

/// Checks each library without features, and then with each of its features alone.
///
/// # Errors
///
/// A combination does not compile; all are tried first.
pub(crate) fn check_each_alone() -> Result<(), String> {
    let metadata = workspace::metadata(&[])?;
    let mut commands = Vec::new();
    for name in LIBRARIES {
        let package = metadata
            .packages
            .iter()
            .find(|package| package.name == *name)
            .ok_or_else(|| format!("no package {name}"))?;
        commands.extend(each_alone(
            package,
            &Cmd::cargo(["check", "--quiet", "-p", name]),
        ));
    }
    run(&commands)
}

/// What checks a package without features, and then with each of its features alone.
pub(crate) fn each_alone(package: &Package, check: &Cmd) -> Vec<Cmd> {
    let check = check.clone().args(["--no-default-features"]);
    let alone = |feature| check.clone().args(["--features", feature]);
    let mut commands = vec![check.clone()];
    commands.extend(
        package
            .features
            .keys()
            .map(|feature| alone(feature.as_str())),
    );
    commands
}

/// Runs all of them, whatever one says.
///
/// # Errors
///
/// One fails.
pub(crate) fn run(commands: &[Cmd]) -> Result<(), String> {
    let failures: Vec<String> = commands
        .iter()
        .filter_map(|command| command.run().err())
        .collect();
    if failures.is_empty() {
        Ok(())
    } else {
        Err(failures.join("; "))
    }
}
