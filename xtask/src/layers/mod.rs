//! `cargo xtask layers`: checks the laws that a machine can check.

mod circles;
mod comparison;
mod dependencies;
mod edges;
pub(crate) mod law;
mod page;
mod published;
mod source;
mod tokens;
mod version;
pub(crate) mod workspace;

use crate::process::Tally;

/// Runs every check and reports all findings together.
///
/// # Errors
///
/// A law is broken, or the workspace cannot be read.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if let Some(arg) = args.first() {
        return Err(format!("layers: unknown option '{arg}'"));
    }
    check().map(drop)
}

/// The checks as a step, which says what it left out.
///
/// # Errors
///
/// A law is broken, or the workspace cannot be read.
pub(crate) fn check() -> Result<Tally, String> {
    let mut tally = Tally::default();
    let members = workspace::members("")?;
    let mut others = Vec::new();
    for (dir, _) in law::COMPAT {
        others.extend(workspace::members(dir)?);
    }
    let mut findings = edges::check(&members);
    findings.extend(edges::check_compat(&others));
    let mut apart = Vec::new();
    for workspace in law::APART {
        let crates = workspace::members(workspace.directory)?;
        findings.extend(edges::check_apart(workspace, &crates));
        apart.extend(crates);
    }
    let beside: Vec<_> = apart.iter().chain(&others).collect();
    findings.extend(edges::check_in_vain(&members, &beside));
    findings.extend(edges::check_never()?);
    findings.extend(page::gaps()?);
    findings.extend(version::gaps(&mut tally)?);
    findings.extend(published::gaps()?);
    findings.extend(dependencies::gaps()?);
    let packages = apart.len() + others.len();
    others.push(workspace::Member {
        dir: law::COMPAT_COMMON.into(),
        ..workspace::Member::default()
    });
    // Packages in others' names have the modules that their names are known with, circles included.
    let beside: Vec<_> = apart.iter().chain(&others).cloned().collect();
    let files = source::read_all(&members, &beside)?;
    findings.extend(source::check(&members, &files));
    findings.extend(circles::check(&members, &files));
    findings.extend(circles::check(&apart, &files));
    if findings.is_empty() {
        println!(
            "layers: {} members and {} source files keep the law",
            members.len() + packages,
            files.len()
        );
        Ok(tally)
    } else {
        findings.sort();
        Err(format!(
            "{} broken law(s), see xtask/src/layers/law.rs and ARCHITECTURE.md:\n  {}",
            findings.len(),
            findings.join("\n  ")
        ))
    }
}
