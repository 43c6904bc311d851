//! The time of one operation, without the patch and with it.

use std::path::PathBuf;

use super::programs::Program;
use super::{configuration, directory, sources};
use crate::files;
use crate::process::{Cmd, root};

/// How often each way is run, in turns.
const TURNS: usize = 5;

/// Nanoseconds without the patch, and with it; `None` where there is no operation.
///
/// # Errors
///
/// A program cannot be built, or fails.
pub(super) fn both(program: &Program) -> Result<Option<[u64; 2]>, String> {
    let Some(operation) = &program.operation else {
        return Ok(None);
    };
    let configuration = configuration()?;
    let programs = [
        build(program, operation.dependencies, "before", None)?,
        build(
            program,
            operation.dependencies,
            "after",
            Some(&configuration),
        )?,
    ];
    let mut best = [u64::MAX; 2];
    for _ in 0..TURNS {
        for (best, path) in best.iter_mut().zip(&programs) {
            let output = Cmd::new(&files::text(path)).capture()?;
            *best = (*best).min(read(&output)?);
        }
    }
    Ok(Some(best))
}

fn build(
    program: &Program,
    dependencies: &str,
    way: &str,
    configuration: Option<&str>,
) -> Result<PathBuf, String> {
    let dir = directory().join("speed").join(program.name).join(way);
    files::fresh(&dir)?;
    sources::manifest(&dir, dependencies)?;
    let manifest = dir.join("Cargo.toml");
    let source = root()
        .join("compat/programs")
        .join(format!("{}.rs", program.name));
    let binary = format!(
        "\n[[bin]]\nname = \"{way}\"\npath = \"{}\"\n",
        source.display()
    );
    files::write(&manifest, files::read(&manifest)? + &binary)?;
    let target = directory().join("build");
    let command = Cmd::cargo([
        "build",
        "--release",
        "--manifest-path",
        &files::text(&manifest),
    ])
    .args(configuration.iter().flat_map(|config| ["--config", config]))
    .env("CARGO_TARGET_DIR", &files::text(&target));
    println!("$ {}", command.display());
    command.capture()?;
    if configuration.is_some() {
        sources::is_patched(&dir.join("Cargo.lock"))?;
    }
    // Another program's of the same name comes there next.
    let built = dir.join(format!("{way}{}", std::env::consts::EXE_SUFFIX));
    files::copy(
        &target
            .join("release")
            .join(format!("{way}{}", std::env::consts::EXE_SUFFIX)),
        &built,
    )?;
    Ok(built)
}

/// The number that a program printed.
fn read(output: &str) -> Result<u64, String> {
    output
        .lines()
        .find_map(|line| line.strip_prefix("nanoseconds ")?.parse().ok())
        .ok_or_else(|| format!("no time in '{output}'"))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_number_is_read() {
        assert_eq!(read("x\nnanoseconds 42\n"), Ok(42));
        assert!(read("nanoseconds many\n").is_err());
    }
}
