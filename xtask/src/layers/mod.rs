//! `cargo xtask layers`: checks the laws that a machine can check.

mod circles;
mod comparison;
mod edges;
pub(crate) mod law;
mod source;
mod tokens;
pub(crate) mod workspace;

/// Runs every check and reports all findings together.
///
/// # Errors
///
/// A law is broken, or the workspace cannot be read.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if let Some(arg) = args.first() {
        return Err(format!("layers: unknown option '{arg}'"));
    }
    let members = workspace::members("")?;
    let mut findings = edges::check(&members);
    let mut apart = Vec::new();
    for workspace in law::APART {
        let crates = workspace::members(workspace.directory)?;
        findings.extend(edges::check_apart(workspace, &crates));
        apart.extend(crates);
    }
    findings.extend(edges::check_never()?);
    let files = source::read_all(&members, &apart)?;
    findings.extend(source::check(&members, &files));
    findings.extend(circles::check(&members, &files));
    findings.extend(circles::check(&apart, &files));
    if findings.is_empty() {
        println!(
            "layers: {} members and {} source files keep the law",
            members.len() + apart.len(),
            files.len()
        );
        Ok(())
    } else {
        findings.sort();
        Err(format!(
            "{} broken law(s), see xtask/src/layers/law.rs and ARCHITECTURE.md:\n  {}",
            findings.len(),
            findings.join("\n  ")
        ))
    }
}
