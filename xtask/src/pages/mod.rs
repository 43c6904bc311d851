//! The committed pages of Markdown: where their links lead, and who runs their programs.

mod links;
mod programs;

use std::collections::BTreeSet;

use crate::files;
use crate::process::{Cmd, Tally, root};

#[cfg(test)]
pub(crate) use links::links_in;
pub(crate) use links::{Page, attributes, elsewhere, resolve};

/// What `cargo xtask links --help` says.
pub(crate) const HELP: &str = "\
  links           check that every relative link and anchor of the committed pages leads to something that is
                  committed too, and that every program on them is run by something, or what it names is there
";

/// The files of the repository, those among them that are new and not ignored.
///
/// # Errors
///
/// Git is not there, or does not know this directory.
pub(crate) fn committed() -> Result<BTreeSet<String>, String> {
    let list = Cmd::new("git")
        .args(["ls-files", "-z", "--cached", "--others"])
        .args(["--exclude-standard"])
        .capture()?;
    let names = list.split('\0').filter(|name| !name.is_empty());
    // What was removed and is not committed yet is listed too.
    let there = names.filter(|name| root().join(name).is_file());
    Ok(there.map(String::from).collect())
}

/// Those of these files that are pages.
pub(crate) fn of_markdown(files: &BTreeSet<String>) -> impl Iterator<Item = &String> {
    files.iter().filter(|name| name.ends_with(".md"))
}

pub(crate) fn read(name: &str) -> Result<String, String> {
    files::read(&root().join(name))
}

/// `cargo xtask links`.
///
/// # Errors
///
/// An option is unknown, or a page is not in order.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if let Some(option) = args.first() {
        return Err(format!("links: unknown option '{option}'"));
    }
    check().map(drop)
}

/// The check as a step, which says what it left out.
///
/// # Errors
///
/// A page is not in order.
pub(crate) fn check() -> Result<Tally, String> {
    let files = match committed() {
        Ok(files) => files,
        Err(reason) => {
            let mut tally = Tally::default();
            let skip = format!("SKIPPED: links of the pages: {reason}");
            println!("{skip}");
            tally.read(&skip);
            return Ok(tally);
        }
    };
    let (number, mut findings) = links::broken(&files, read)?;
    findings.extend(programs::forgotten(&files, read)?);
    if findings.is_empty() {
        let pages = of_markdown(&files).count();
        println!("links: {number} on {pages} pages, and all lead to what is there");
        Ok(Tally::default())
    } else {
        Err(findings.join("\n  "))
    }
}
