//! Each feature of each library must compile with no other feature beside it.

use crate::layers::{law::LIBRARIES, workspace};
use crate::process::Cmd;

/// Checks each library without features, and then with each of its features alone.
///
/// # Errors
///
/// A combination does not compile; all are tried first.
pub(crate) fn check_each_alone() -> Result<(), String> {
    let metadata = workspace::metadata(&[])?;
    let mut failures = Vec::new();
    for name in LIBRARIES {
        let package = metadata
            .packages
            .iter()
            .find(|package| package.name == *name)
            .ok_or_else(|| format!("no package {name}"))?;
        let check = Cmd::cargo(["check", "--quiet", "-p", name, "--no-default-features"]);
        let mut commands = vec![check.clone()];
        for feature in package.features.keys() {
            commands.push(check.clone().args(["--features", feature]));
        }
        for command in commands {
            if let Err(error) = command.run() {
                failures.push(error);
            }
        }
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(failures.join("; "))
    }
}
