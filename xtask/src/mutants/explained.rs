//! The page of survivors.

use crate::files::read;
use crate::process::root;

pub(super) const PAGE: &str = "docs/mutants.md";

/// A row of the page: mutants that may survive.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Explained {
    pub(super) part: String,
    /// The name that the tool gives it, without line and column.
    pub(super) mutant: String,
    /// So many of that name.
    pub(super) times: usize,
}

/// What an explanation begins with that holds on processors without AVX-512 alone: on others the mutant is caught.
const OF_AVX512: &str = "AVX-512: ";

/// And one that holds on those with it alone.
const OF_OTHERS: &str = "without AVX-512: ";

/// The rows of the page that are for this processor.
///
/// # Errors
///
/// It cannot be read, or a row is none.
pub(super) fn read_page() -> Result<Vec<Explained>, String> {
    rows(&read(&root().join(PAGE))?, has_avx512())
}

fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = std::arch::is_x86_feature_detected!("avx512ifma");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has
}

/// Rows are `| part | times | `mutant` | why |`, and a bar within a name has a backslash before it.
fn rows(page: &str, has_avx512: bool) -> Result<Vec<Explained>, String> {
    let mut explained = Vec::new();
    let rows = page.lines().filter(|line| line.starts_with('|'));
    for line in rows.filter(|line| !line.starts_with("| part ") && !line.starts_with("|---")) {
        let (row, why) = row(line).ok_or_else(|| format!("{PAGE}: this is no row: {line}"))?;
        let caught_here = if has_avx512 { OF_AVX512 } else { OF_OTHERS };
        if !why.starts_with(caught_here) {
            explained.push(row);
        }
    }
    Ok(explained)
}

/// A row, and why that survives.
fn row(line: &str) -> Option<(Explained, String)> {
    let line = line.replace("\\|", "\0");
    let cells: Vec<String> = line
        .split('|')
        .map(|cell| cell.trim().replace('\0', "|"))
        .collect();
    let [_, part, times, mutant, why, _] = &cells[..] else {
        return None;
    };
    let row = Explained {
        part: part.clone(),
        mutant: mutant.strip_prefix('`')?.strip_suffix('`')?.to_owned(),
        times: times.parse().ok()?,
    };
    (!why.is_empty()).then(|| (row, why.clone()))
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn rows_are_read() {
        let page = "# Page\n\n| part | times | mutant | why |\n|---|---:|---|---|\n\
                    | x25519 | 2 | `a.rs: replace \\| with & in f` | either does |\n\
                    | x25519 | 1 | `a.rs: replace g with ()` | AVX-512: it is not here |\n\
                    | x25519 | 1 | `a.rs: replace h with ()` | without AVX-512: it is there |\n";
        let names = |has_avx512| -> Vec<String> {
            let rows = rows(page, has_avx512).expect("rows");
            rows.into_iter().map(|row| row.mutant).collect()
        };
        assert!(names(false)[1].contains("replace g") && names(false).len() == 2);
        assert!(names(true)[1].contains("replace h") && names(true).len() == 2);
        let rows = rows(page, true).expect("rows");
        assert_eq!(rows[0].mutant, "a.rs: replace | with & in f");
        assert_eq!(rows[0].times, 2);
    }

    /// A row that nobody reads explains nothing.
    #[test]
    fn what_is_no_row_is_told() {
        for row in [
            "| x25519 | 1 | `a.rs: replace f with ()` | |",
            "| x25519 | 1 | `a.rs: replace | with ^ in f` | never both |",
            "| x25519 | once | `a.rs: replace f with ()` | it does nothing |",
            "| x25519 | 1 | a.rs: replace f with () | it does nothing |",
        ] {
            assert!(rows(row, false).is_err(), "{row}");
        }
    }
}
