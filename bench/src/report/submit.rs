//! The result as the file that a page collects.

use lanner_bench_report::data::{self, Cell, FORMAT, Machine, Results, Run, Verdicts};

use super::Report;
use crate::goals::{Goal, Standing};
use crate::machine;
use crate::stats::Spread;

/// Columns that are called from C.
const FROM_C: [&str; 4] = ["lanner/c", "libsodium", "libsodium/native", "openssl"];

impl Report<'_> {
    /// Everything, in the format of the page.
    pub(crate) fn submit(
        &self,
        quick: bool,
        load: Option<f64>,
        verdicts: Vec<Verdicts>,
    ) -> Results {
        let fact = |name: &str| {
            let facts = self.facts();
            let found = facts.iter().find(|fact| fact.0 == name);
            found.map(|fact| fact.1.clone()).unwrap_or_default()
        };
        let mut versions: Vec<String> = Vec::new();
        for provider in self.providers {
            if !versions.contains(&provider.version) {
                versions.push(provider.version.clone());
            }
        }
        versions.extend(fact("tools").split(", ").map(String::from));
        Results {
            format: FORMAT,
            machine: Machine {
                name: machine::processor(),
                extensions: machine::extensions(),
                predicted: false,
            },
            run: Run {
                date: machine::tool("date", "+%F"),
                command: format!("lanner-bench {}", self.options),
                amount: fact("run"),
                quick,
                load,
                note: String::new(),
            },
            versions,
            cells: self.cells(),
            // They are about short messages: what is joined with this of other lengths has none.
            goals: match self.message {
                data::SHORT => self.standings(),
                _ => Vec::new(),
            },
            verdicts,
            missing: self
                .missing
                .iter()
                .map(|missing| (missing.what.clone(), missing.reason.clone()))
                .collect(),
            ..Results::default()
        }
    }

    fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for &row in &self.table.rows {
            for column in &self.table.columns {
                let Some(time) = self.table.time(row, column) else {
                    continue;
                };
                let from_c = FROM_C.contains(&column.as_str());
                let ratio = self.table.ratio_to_first(row, column);
                cells.push(Cell {
                    face: if from_c { "c" } else { "rust" }.into(),
                    row: row.to_string(),
                    column: column.clone(),
                    bytes: self.message,
                    ns: rounded(time.median, 1.0),
                    quartiles: Some([time.lower, time.upper].map(|time| rounded(time, 1.0))),
                    ratio: ratio
                        .filter(|_| column != crate::peers::FIRST)
                        .map(of_spread),
                });
            }
        }
        cells
    }

    fn standings(&self) -> Vec<data::Goal> {
        let goals = Goal::all().into_iter();
        goals
            .filter(|goal| goal.concerns(self.table))
            .map(|goal| {
                let (ratio, decided, verdict) = match goal.standing(self.table) {
                    Standing::Known {
                        ratio,
                        published,
                        worst,
                    } => {
                        let mark = if published { ", published" } else { "" };
                        let verdict = goal.verdict(ratio).replace("**", "");
                        (Some(of_spread(ratio)), worst + mark, verdict)
                    }
                    Standing::Unknown => (None, String::new(), "not measured".into()),
                };
                data::Goal {
                    name: goal.name,
                    against: goal.against.into(),
                    at_least: goal.at_least,
                    ratio,
                    decided,
                    verdict,
                }
            })
            .collect()
    }
}

fn of_spread(spread: Spread) -> [f64; 3] {
    [spread.median, spread.lower, spread.upper].map(|ratio| rounded(ratio, 3.0))
}

/// With so many digits behind the point.
fn rounded(value: f64, digits: f64) -> f64 {
    let unit = 10f64.powf(digits);
    (value * unit).round() / unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Plan, Table};
    use crate::rows::Row;
    use lanner_bench_kit::Task;
    use std::time::Duration;

    #[test]
    fn what_is_submitted_is_what_was_measured() {
        let row = Row::native(Task::Sign);
        let mut table = Table {
            rows: vec![row],
            columns: ["lanner", "openssl"].map(String::from).to_vec(),
            ..Table::default()
        };
        let times = [
            ("lanner", [10.0, 20.0, 30.0]),
            ("openssl", [30.0, 60.0, 90.0]),
        ];
        for (column, times) in times {
            table.cells.insert((row, column.into()), times.to_vec());
        }
        let report = Report {
            table: &table,
            providers: &[],
            missing: &[],
            sizes: &[],
            plan: Plan {
                rounds: 3,
                slice: Duration::from_micros(1),
                seed: 1,
            },
            message: 32,
            pinned: None,
            ticks: None,
            options: String::new(),
        };
        let results = report.submit(true, Some(1.5), Vec::new());
        let theirs = results.cell("sign", "openssl", 32).expect("it is there");
        assert_eq!((theirs.face.as_str(), theirs.ns), ("c", 60.0));
        assert_eq!(theirs.ratio, Some([3.0; 3]));
        let ours = results.cell("sign", "lanner", 32).expect("it is there");
        assert_eq!(ours.ratio, None);
        assert!(results.run.quick && results.run.load == Some(1.5));
        // Goals about rows that were not measured are not in it.
        assert!(results.goals.iter().all(|goal| goal.name.contains("sign")));
        assert_eq!(Results::parse(&results.write()), Ok(results));
    }
}
