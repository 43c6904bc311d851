//! The tables of `docs/migration.md`, and what of them was run.
//!
//! A row is run by code that stands in [`old!`] and [`new!`], which also say what it was: the first and the last cell of
//! the row on the page have to consist of just these expressions, in this order, blanks aside. So neither the page nor the
//! code changes alone.

use std::cell::RefCell;
use std::collections::BTreeSet;

/// The page, as it is in the repository.
pub(crate) const PAGE: &str = include_str!("../../../docs/migration.md");

/// The code of a row's two columns, without blanks.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    old: Vec<String>,
    new: Vec<String>,
}

thread_local! {
    static CURRENT: RefCell<Row> = RefCell::default();
}

/// Notes that an expression of one side is being run.
pub(crate) fn note(of_the_old: bool, code: &str) {
    let code = blankless(code);
    CURRENT.with_borrow_mut(|row| {
        let side = if of_the_old {
            &mut row.old
        } else {
            &mut row.new
        };
        if !side.contains(&code) {
            side.push(code);
        }
    });
}

/// Runs what is about a row without being of it.
pub(crate) fn unnoted(run: impl FnOnce()) {
    let row = CURRENT.take();
    run();
    CURRENT.set(row);
}

/// An expression of the old library, or a type after the word, as the page has it.
macro_rules! old {
    (type $code:ty) => {{
        $crate::page::note(true, stringify!($code));
        core::marker::PhantomData::<$code>
    }};
    ($code:expr) => {{
        $crate::page::note(true, stringify!($code));
        $code
    }};
}

/// An expression of Lanner, or a type after the word, as the page has it.
macro_rules! new {
    (type $code:ty) => {{
        $crate::page::note(false, stringify!($code));
        core::marker::PhantomData::<$code>
    }};
    ($code:expr) => {{
        $crate::page::note(false, stringify!($code));
        $code
    }};
}

pub(crate) use {new, old};

/// The rows of one section that were run.
#[derive(Default)]
pub(crate) struct Rows(Vec<Row>);

impl Rows {
    /// Runs a row.
    pub(crate) fn row(&mut self, run: impl FnOnce() -> Tested) {
        CURRENT.take();
        run().unwrap_or_else(|error| panic!("{:?}: {error}", CURRENT.take()));
        self.0.push(CURRENT.take());
    }

    /// Asserts that these are the rows of the section.
    pub(crate) fn are_those_of(self, heading: &str) {
        let on_the_page = rows(PAGE, heading);
        assert!(!on_the_page.is_empty(), "{heading}: no rows");
        let run: BTreeSet<&Row> = self.0.iter().collect();
        let said: BTreeSet<&Row> = on_the_page.iter().collect();
        let [without, gone] =
            [(&said, &run), (&run, &said)].map(|(a, b)| a.difference(b).collect::<Vec<_>>());
        assert!(
            without.is_empty() && gone.is_empty(),
            "{heading}: rows of the page that nothing runs: {without:#?}\nrows that are not on the page: {gone:#?}"
        );
    }
}

/// What a row's code gives: errors are those of calls that have to succeed.
pub(crate) type Tested = Result<(), Box<dyn std::error::Error>>;

/// Code without blanks, and without the commas and braces of code that is broken into lines.
fn blankless(code: &str) -> String {
    let code: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    code.replace(",)", ")").replace(",]", "]")
}

/// The part of a page below a heading, up to the next one.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let start = format!("\n{heading}\n");
    let (_, rest) = page
        .split_once(&start)
        .unwrap_or_else(|| panic!("the page has no {heading}"));
    let end = rest.match_indices("\n#").find(|(at, _)| {
        let marks = rest[at + 1..].trim_start_matches('#');
        marks.starts_with(' ')
    });
    &rest[..end.map_or(rest.len(), |(at, _)| at)]
}

/// The rows of a section's tables of calls, without those of what the old library does not have.
pub(crate) fn rows(page: &str, heading: &str) -> Vec<Row> {
    let rows = raw_rows(page, heading).into_iter();
    let rows = rows.filter(|cells| cells[0].split(';').next() != Some("no"));
    rows.map(resolved)
        .map(|cells| Row {
            old: spans(&cells[0]),
            new: spans(&cells[cells.len() - 1]),
        })
        .collect()
}

/// The cells of all rows of a section's tables.
pub(crate) fn raw_rows(page: &str, heading: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    // How many cells a row has: the line of dashes, which ends what tops a table, says it.
    let mut columns = None;
    for line in section(page, heading).lines() {
        if !line.starts_with('|') {
            columns = None;
        } else if line.starts_with("|---") {
            columns = Some(line.matches("---").count());
        } else if let Some(columns) = columns {
            let line = line.trim_matches('|').split(" | ");
            let cells: Vec<String> = line.map(|cell| cell.trim().to_owned()).collect();
            assert_eq!(cells.len(), columns, "{heading}: {cells:?}");
            rows.push(cells);
        }
    }
    rows
}

/// The cells of a row with what the sign for what the column to the left has stands for.
pub(crate) fn resolved(mut cells: Vec<String>) -> Vec<String> {
    for i in 1..cells.len() {
        if let Some(more) = cells[i].strip_prefix("`\"`") {
            cells[i] = format!("{}{more}", cells[i - 1]);
        }
    }
    cells
}

/// The code in a cell: what is in backticks, but for the name of a feature.
pub(crate) fn code(cell: &str) -> Vec<&str> {
    let parts: Vec<&str> = cell.split('`').collect();
    assert!(parts.len() % 2 == 1, "a backtick without another: {cell}");
    let pairs = parts.chunks_exact(2);
    let code = pairs.filter(|pair| !pair[0].ends_with("feature "));
    code.map(|pair| pair[1]).collect()
}

fn spans(cell: &str) -> Vec<String> {
    code(cell).into_iter().map(blankless).collect()
}

/// The tables of a page: the heading above each, and its first line.
pub(crate) fn tables(page: &str) -> Vec<(&str, &str)> {
    let (mut heading, mut before, mut found) = ("", "", Vec::new());
    for line in page.lines() {
        if line.starts_with('#') && line.trim_start_matches('#').starts_with(' ') {
            heading = line;
        }
        if line.starts_with("|---") {
            found.push((heading, before));
        }
        before = line;
    }
    found
}
