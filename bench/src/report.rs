//! The forms of the result: text, JSON, Markdown, and the file that a page collects.

mod json;
mod markdown;
mod submit;
mod text;

use crate::machine;
use crate::measure::{Plan, Table};
use crate::peers::Provider;
use crate::runners::Missing;
use crate::size::Size;
use crate::stats::Spread;

/// A measured table with what is needed to read it.
pub(crate) struct Report<'a> {
    pub(crate) table: &'a Table,
    pub(crate) providers: &'a [Provider],
    pub(crate) missing: &'a [Missing],
    /// Nothing where sizes were not asked for.
    pub(crate) sizes: &'a [Size],
    pub(crate) plan: Plan,
    pub(crate) message: usize,
    pub(crate) pinned: Option<usize>,
    pub(crate) ticks: Option<f64>,
    /// Options that would repeat the run.
    pub(crate) options: String,
}

impl Report<'_> {
    /// Facts about the run, one a line.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut versions: Vec<&str> = Vec::new();
        for provider in self.providers {
            if !versions.contains(&provider.version.as_str()) {
                versions.push(&provider.version);
            }
        }
        let pinned = self.pinned.map_or_else(
            || String::from("not pinned to a CPU"),
            |cpu| format!("pinned to CPU {cpu}"),
        );
        let counter = self.ticks.map_or_else(
            || String::from("not available"),
            |rate| format!("{rate:.3} GHz"),
        );
        let available: Vec<&str> = lanner_curve::backend::list()
            .map(|backend| backend.name())
            .collect();
        let tools = [
            machine::tool("rustc", "--version"),
            machine::tool("go", "version"),
            format!("node {}", machine::tool("node", "--version")),
        ];
        vec![
            (
                "processor",
                format!(
                    "{} with {}, {pinned}",
                    machine::processor(),
                    machine::extensions()
                ),
            ),
            ("time-stamp counter", counter),
            ("tools", tools.join(", ")),
            ("versions", versions.join(", ")),
            (
                "backend of Lanner",
                format!(
                    "{} (of {})",
                    lanner_curve::backend::active(),
                    available.join(", ")
                ),
            ),
            (
                "run",
                format!(
                    "{} rounds, {} µs a cell and round, {}-byte messages",
                    self.plan.rounds,
                    self.plan.slice.as_micros(),
                    self.message
                ),
            ),
        ]
    }

    /// Microseconds, and thousands of ticks where there is a counter.
    fn time(&self, spread: Spread) -> String {
        let micros = format!("{:.2}", spread.median / 1e3);
        match self.ticks {
            Some(rate) => format!("{micros} ({:.1})", spread.median * rate / 1e3),
            None => micros,
        }
    }
}

fn brackets(ratio: Spread) -> String {
    format!(
        "{:.2} [{:.2} {:.2}]",
        ratio.median, ratio.lower, ratio.upper
    )
}

/// The line of a reason that says most, for a list: a compiler's first error, or else the first.
fn headline(reason: &str) -> &str {
    let mut lines = reason.lines();
    let error = lines.clone().find(|line| line.starts_with("error"));
    error.or_else(|| lines.next()).unwrap_or_default()
}
