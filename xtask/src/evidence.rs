//! `cargo xtask evidence`: the claims of `docs/evidence.md`, shown again, and the page told what came of it.

use std::fmt::Write;

use crate::process::{Cmd, Tally, root};
use crate::steps::NO_STEP_RAN;

/// What `cargo xtask evidence --help` says.
pub(crate) const HELP: &str = "\
  evidence [TEXT]
                  without TEXT, list what the project claims of itself; with it, run the commands of the
                  claims that contain it, and write date, commit and outcome into docs/evidence.md
                  where that has a place for them, and nothing in the checkout differs from the commit
";

const PAGE: &str = "docs/evidence.md";

/// What stands in a row before its commands were run.
const NOT_RUN: &str = "not run on this commit";

/// A row of the page.
#[derive(Debug, PartialEq, Eq)]
struct Claim {
    /// Its line on the page, counted from 0.
    line: usize,
    text: String,
    commands: Vec<Vec<String>>,
    /// Whether the row has a place for an outcome.
    keeps: bool,
}

/// Runs the command.
///
/// # Errors
///
/// An option or text is unknown, the page cannot be read or written, or a claim does not hold.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let path = root().join(PAGE);
    let page = std::fs::read_to_string(&path).map_err(|error| format!("{PAGE}: {error}"))?;
    let claims = claims(&page);
    let text = match args {
        [] => {
            print!("{}", list(&claims));
            return Ok(());
        }
        [option] if option.starts_with('-') => {
            return Err(format!("evidence: unknown option '{option}'"));
        }
        [text] => text.to_lowercase(),
        _ => return Err(String::from("evidence: one text at a time, in quotes")),
    };
    let chosen: Vec<&Claim> = claims
        .iter()
        .filter(|claim| claim.text.to_lowercase().contains(&text))
        .collect();
    if chosen.is_empty() {
        return Err(format!("evidence: no claim contains '{text}'"));
    }
    let commit = commit()?;
    let mut broken = Vec::new();
    for claim in chosen {
        println!("claim: {}", claim.text);
        let result = show(claim);
        if let Err(error) = &result {
            broken.push(format!("{}: {error}", claim.text));
        }
        if let (Some(commit), true) = (&commit, claim.keeps) {
            let today = Cmd::new("date").args(["-u", "+%F"]).capture()?;
            let outcome = format!("{}, {commit}: {}", today.trim(), words(&result));
            // Anew, since the page may have changed meanwhile.
            let page =
                std::fs::read_to_string(&path).map_err(|error| format!("{PAGE}: {error}"))?;
            let page = with_outcome(&page, claim, &outcome)?;
            std::fs::write(&path, page).map_err(|error| format!("{PAGE}: {error}"))?;
            println!("{PAGE}: {outcome}");
        }
    }
    if broken.is_empty() {
        Ok(())
    } else {
        Err(broken.join("\n"))
    }
}

/// The rows of the page that have commands.
fn claims(page: &str) -> Vec<Claim> {
    let rows = page.lines().enumerate();
    rows.filter_map(|(line, row)| {
        let cells = cells(row)?;
        let [text, commands, last] = &cells[..] else {
            return None;
        };
        let spans = commands.split('`').skip(1).step_by(2);
        let commands: Vec<_> = spans
            .filter(|span| span.starts_with("cargo "))
            .map(split)
            .collect();
        let keeps = last == NOT_RUN || last.starts_with("20");
        (!commands.is_empty()).then(|| Claim {
            line,
            text: text.clone(),
            commands,
            keeps,
        })
    })
    .collect()
}

/// The cells of a row of a table. A bar within one has a backslash before it.
fn cells(row: &str) -> Option<Vec<String>> {
    let row = row.strip_prefix("| ")?.strip_suffix('|')?;
    let cells = row.replace("\\|", "\0");
    let cells = cells.split('|').map(|cell| cell.trim().replace('\0', "|"));
    Some(cells.collect())
}

/// The words of a command line, in which quotes keep spaces.
fn split(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (i, part) in line.split('"').enumerate() {
        let mut pieces = part.split(if i % 2 == 0 { ' ' } else { '\0' });
        if let (Some(word), Some(first)) = (words.last_mut(), pieces.next()) {
            word.push_str(first);
        }
        words.extend(pieces.map(String::from));
    }
    words.retain(|word| !word.is_empty());
    words
}

fn list(claims: &[Claim]) -> String {
    let mut text = String::new();
    for claim in claims {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", claim.text);
        for command in &claim.commands {
            let _ = writeln!(
                text,
                "    $ {}",
                Cmd::new(&command[0]).args(&command[1..]).display()
            );
        }
    }
    text
}

/// Runs the commands of a claim.
fn show(claim: &Claim) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for command in &claim.commands {
        tally.add(Cmd::new(&command[0]).args(&command[1..]).run()?);
    }
    Ok(tally)
}

/// The commit that is checked out, if nothing differs from it but the page itself.
fn commit() -> Result<Option<String>, String> {
    let status = Cmd::new("git").args(["status", "--porcelain"]).capture()?;
    if status.lines().any(|line| !line.ends_with(PAGE)) {
        println!("the checkout differs from its commit: {PAGE} stays as it is");
        return Ok(None);
    }
    let commit = Cmd::new("git")
        .args(["rev-parse", "--short", "HEAD"])
        .capture()?;
    Ok(Some(String::from(commit.trim())))
}

/// What a row says of an outcome.
fn words(result: &Result<Tally, String>) -> String {
    match result {
        Ok(tally) if !tally.skips.is_empty() => {
            format!("holds, but for what was skipped ({})", tally.skips.len())
        }
        Ok(tally) if tally.passed > 0 => format!("holds, {} tests", tally.passed),
        Ok(_) => String::from("holds"),
        Err(error) if error.ends_with(&format!("exit status: {}", NO_STEP_RAN.1)) => {
            String::from("not shown: what its commands need is not there")
        }
        Err(_) => String::from("**DOES NOT HOLD**"),
    }
}

/// The page with an outcome in the last cell of a claim.
///
/// # Errors
///
/// The row is not there any more.
fn with_outcome(page: &str, claim: &Claim, outcome: &str) -> Result<String, String> {
    let mut lines: Vec<String> = page.lines().map(String::from).collect();
    let row = lines
        .get_mut(claim.line)
        .filter(|row| cells(row).is_some_and(|cells| cells[0] == claim.text));
    let row = row.ok_or_else(|| format!("{PAGE} changed while this ran"))?;
    let body = row.trim_end().trim_end_matches('|').trim_end();
    let last = body.rfind(" | ").ok_or("a row without cells")?;
    *row = format!("{} | {outcome} |", &body[..last]);
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "\
# Page

| claim | command | last result |
|---|---|---|
| one \\| more | `cargo xtask test --only \"a b\\|c\"`, long: `… --all` | not run on this commit |
| two | `cargo x` and `cargo y --z` | [where](x.md) |
| three | by hand | 2026-01-01, abc: holds |
";

    #[test]
    fn rows_are_read() {
        let claims = claims(SMALL);
        let texts: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
        assert_eq!(texts, ["one | more", "two"]);
        assert_eq!(
            claims[0].commands,
            [["cargo", "xtask", "test", "--only", "a b|c"]]
        );
        assert_eq!(claims[1].commands.len(), 2);
        assert!(claims[0].keeps && !claims[1].keeps);
    }

    #[test]
    fn outcomes_stand_in_their_rows() {
        let claims = claims(SMALL);
        let page = with_outcome(SMALL, &claims[0], "2026-02-02, def: holds").expect("it is there");
        assert_eq!(page, SMALL.replace(NOT_RUN, "2026-02-02, def: holds"));
        let moved = SMALL.replace("| one", "| another");
        assert!(with_outcome(&moved, &claims[0], "x").is_err());
        assert_eq!(words(&Err(String::new())), "**DOES NOT HOLD**");
        // As the command line says it, of this program.
        let ended = |code: &str| Cmd::new("sh").args(["-c", &format!("exit {code}")]).run();
        assert_eq!(words(&ended("1")), "**DOES NOT HOLD**");
        assert!(words(&ended("3")).starts_with("not shown: "));
        let mut tally = Tally::default();
        assert_eq!(words(&Ok(tally.clone())), "holds");
        tally.read("test result: ok. 12 passed; 0 failed");
        assert_eq!(words(&Ok(tally.clone())), "holds, 12 tests");
        tally.read("SKIPPED: no valgrind");
        assert!(words(&Ok(tally)).contains("skipped (1)"));
    }

    /// Every row of the page can be run, but for those that say how by hand.
    #[test]
    fn the_page_is_read() {
        let page = std::fs::read_to_string(root().join(PAGE)).expect("the page");
        let rows = page.lines().filter(|row| row.starts_with("| ")).count();
        // Two rows are the heads of tables, and one names the step of another row.
        assert!(
            claims(&page).len() + 4 > rows,
            "{} of {rows}",
            claims(&page).len()
        );
        assert!(list(&claims(&page)).contains("$ cargo xtask test"));
        assert!(run(&[String::from("no such claim")]).is_err());
    }
}
