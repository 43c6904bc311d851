//! The three forms of the result: text, JSON and Markdown.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::machine;
use crate::measure::{Plan, Table};
use crate::peers::Implementation;
use crate::stats::Spread;

/// A measured table with what is needed to read it.
pub(crate) struct Report<'a> {
    pub(crate) table: &'a Table,
    pub(crate) implementations: &'a [Box<dyn Implementation>],
    pub(crate) plan: Plan,
    pub(crate) message: usize,
    pub(crate) pinned: Option<usize>,
    pub(crate) ticks: Option<f64>,
    /// Options that would repeat the run.
    pub(crate) options: String,
}

impl Report<'_> {
    fn rows(&self) -> impl Iterator<Item = (usize, String)> {
        self.table.rows.iter().map(ToString::to_string).enumerate()
    }

    /// Facts about the run, one a line.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let versions: Vec<String> = self
            .implementations
            .iter()
            .map(|i| format!("{} {}", i.package(), machine::version(i.package())))
            .collect();
        let pinned = self.pinned.map_or_else(
            || String::from("not pinned to a CPU"),
            |cpu| format!("pinned to CPU {cpu}"),
        );
        let counter = self.ticks.map_or_else(
            || String::from("not available"),
            |rate| format!("{rate:.3} GHz"),
        );
        vec![
            ("processor", format!("{}, {pinned}", machine::processor())),
            ("time-stamp counter", counter),
            ("compiler", machine::compiler()),
            ("versions", versions.join(", ")),
            (
                "backend of Lanner",
                lanner_curve::backend::active().to_string(),
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

    /// The table for a terminal.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.facts() {
            let _ = writeln!(text, "{name}: {value}");
        }
        let unit = if self.ticks.is_some() {
            "µs (kc)"
        } else {
            "µs"
        };
        let _ = writeln!(
            text,
            "\nmedians in {unit}; a ratio is that column's time over {}'s, median [quartiles]\n",
            self.table.columns[0]
        );
        let mut lines = vec![self.header()];
        for (row, name) in self.rows() {
            let mut line = vec![name];
            for column in 0..self.table.columns.len() {
                line.push(
                    self.table
                        .time(row, column)
                        .map_or_else(String::new, |t| self.time(t)),
                );
                if column > 0 {
                    line.push(
                        self.table
                            .ratio(row, column)
                            .map_or_else(String::new, brackets),
                    );
                }
            }
            lines.push(line);
        }
        let widths: Vec<usize> = (0..lines[0].len())
            .map(|i| {
                lines
                    .iter()
                    .map(|line| line[i].chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        for line in lines {
            let mut out = format!("{:<width$}", line[0], width = widths[0]);
            for (field, width) in line.iter().zip(&widths).skip(1) {
                let _ = write!(out, "  {field:>width$}");
            }
            let _ = writeln!(text, "{}", out.trim_end());
        }
        text
    }

    fn header(&self) -> Vec<String> {
        let mut header = vec![String::new()];
        for (index, column) in self.table.columns.iter().enumerate() {
            header.push(String::from(*column));
            if index > 0 {
                header.push(String::from("ratio"));
            }
        }
        header
    }

    /// Everything, for programs.
    pub(crate) fn json(&self) -> Value {
        let spread = |spread: Option<Spread>| {
            spread.map_or(Value::Null, |s| {
                json!({ "median": s.median, "lower_quartile": s.lower, "upper_quartile": s.upper })
            })
        };
        let rows: Vec<Value> = self
            .rows()
            .map(|(row, name)| {
                let columns: serde_json::Map<String, Value> = self
                    .table
                    .columns
                    .iter()
                    .enumerate()
                    .map(|(column, label)| {
                        let cell = json!({
                            "nanoseconds": spread(self.table.time(row, column)),
                            "ratio": spread(self.table.ratio(row, column)),
                        });
                        (String::from(*label), cell)
                    })
                    .collect();
                json!({ "row": name, "columns": columns })
            })
            .collect();
        let facts: serde_json::Map<String, Value> = self
            .facts()
            .into_iter()
            .map(|(name, value)| (name.replace([' ', '-'], "_"), Value::String(value)))
            .collect();
        json!({
            "facts": facts,
            "rounds": self.plan.rounds,
            "message_bytes": self.message,
            "ticks_per_nanosecond": self.ticks,
            "rows": rows,
        })
    }

    /// The report that is kept in the repository.
    pub(crate) fn markdown(&self) -> String {
        let first = self.table.columns[0];
        let mut text = String::from("# Side by side\n\n");
        let _ = writeln!(
            text,
            "Written by `cargo run --release -p lanner-bench -- {}`; the method stands in \
             [README.md](README.md). Read the ratios, not the times: the times belong to this \
             machine and this hour.\n",
            self.options
        );
        for (name, value) in self.facts() {
            let _ = writeln!(text, "- {name}: {value}");
        }
        let _ = writeln!(
            text,
            "\n## Ratios\n\nA column's time over {first}'s, median over the rounds with quartiles; \
             above 1, {first} is the faster. The last column names the fastest peer.\n"
        );
        let peers = &self.table.columns[1..];
        let _ = writeln!(text, "| | {} | best peer |", peers.join(" | "));
        let _ = writeln!(text, "|---|{}---|", "---|".repeat(peers.len()));
        for (row, name) in self.rows() {
            let cells: Vec<String> = (1..self.table.columns.len())
                .map(|c| self.table.ratio(row, c).map_or_else(String::new, brackets))
                .collect();
            let best = self
                .table
                .best_peer(row)
                .map_or_else(String::new, |(peer, ratio)| {
                    format!("{peer}, {:.2}", ratio.median)
                });
            let _ = writeln!(text, "| {name} | {} | {best} |", cells.join(" | "));
        }
        let unit = if self.ticks.is_some() {
            "µs, in brackets thousand ticks of the time-stamp counter"
        } else {
            "µs"
        };
        let _ = writeln!(
            text,
            "\n## Times\n\nMedians in {unit}. Batch rows are per signature.\n"
        );
        let _ = writeln!(text, "| | {} |", self.table.columns.join(" | "));
        let _ = writeln!(text, "|---|{}", "---|".repeat(self.table.columns.len()));
        for (row, name) in self.rows() {
            let cells: Vec<String> = (0..self.table.columns.len())
                .map(|c| {
                    self.table
                        .time(row, c)
                        .map_or_else(String::new, |t| self.time(t))
                })
                .collect();
            let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
        }
        text
    }
}

fn brackets(ratio: Spread) -> String {
    format!(
        "{:.2} [{:.2} {:.2}]",
        ratio.median, ratio.lower, ratio.upper
    )
}
