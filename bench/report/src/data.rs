//! The file that a machine submits: what was measured, on what, and how.
//!
//! Every face writes the same cells, so that a page, a table or a plot asks for a row and a column and not
//! for a program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// The version of the format; files of another one are refused.
pub const FORMAT: u32 = 1;

/// Everything of one machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// [`FORMAT`].
    pub format: u32,
    /// What it ran on.
    pub machine: Machine,
    /// How it was measured.
    pub run: Run,
    /// Packages and tools with their versions.
    pub versions: Vec<String>,
    /// The measured cells.
    pub cells: Vec<Cell>,
    /// How the goals stand.
    pub goals: Vec<Goal>,
    /// Octets of packages in a bundle after gzip, by the name that their cells have.
    pub bundles: BTreeMap<String, u64>,
    /// Who accepts which odd signature.
    pub verdicts: Vec<Verdicts>,
    /// What could not be measured, and why.
    pub missing: BTreeMap<String, String>,
    /// Whether the page is about this file before all others.
    #[serde(skip)]
    pub first: bool,
}

/// A machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// The processor.
    pub name: String,
    /// The extensions that matter here.
    pub extensions: String,
    /// Whether a model of the processor gave the numbers, and no clock.
    pub predicted: bool,
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The day, as in 2026-11-24.
    pub date: String,
    /// What one types to do it again.
    pub command: String,
    /// How much was measured.
    pub amount: String,
    /// Whether it was the quick one.
    pub quick: bool,
    /// Processes that wanted the processor in the minute before, where the system tells.
    pub load: Option<f64>,
    /// What else one has to know to read the numbers.
    pub note: String,
}

/// One number: a row of a column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Through which face it was called: `rust`, `c`, `js` or `python`.
    pub face: String,
    /// What was done.
    pub row: String,
    /// By whom.
    pub column: String,
    /// The length of the message.
    pub bytes: usize,
    /// The median time of one, in nanoseconds.
    pub ns: f64,
    /// Its quartiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quartiles: Option<[f64; 2]>,
    /// The median and the quartiles of the ratio, round by round, to Lanner's cell of the row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<[f64; 3]>,
}

/// A goal, and how it stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// What is wanted.
    pub name: String,
    /// Against whom.
    pub against: String,
    /// How many times as fast.
    pub at_least: f64,
    /// The median and the quartiles; nothing where a cell was not measured.
    pub ratio: Option<[f64; 3]>,
    /// The peer that decided it.
    pub decided: String,
    /// In words.
    pub verdict: String,
}

/// What the libraries say to one kind of signature.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdicts {
    /// The kind.
    pub kind: String,
    /// How many cases of it there are.
    pub cases: usize,
    /// How many of them a library accepts, by its name and the call.
    pub accepted: BTreeMap<String, usize>,
}

impl Results {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is not of this format.
    pub fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
        Self::parse(&text).map_err(|error| format!("{shown}: {error}"))
    }

    /// Reads a text.
    ///
    /// # Errors
    ///
    /// It is not of this format.
    pub fn parse(text: &str) -> Result<Self, String> {
        let results: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if results.format != FORMAT {
            return Err(format!(
                "format {}, and this program knows {FORMAT}",
                results.format
            ));
        }
        Ok(results)
    }

    /// The file: JSON with a line for each entry of the long lists, so that two files can be compared.
    ///
    /// # Panics
    ///
    /// A number is none: nothing that was measured is.
    #[must_use]
    pub fn write(&self) -> String {
        let whole = serde_json::to_value(self).expect("plain data");
        let members = whole.as_object().expect("a struct").iter();
        let members: Vec<String> = members
            .map(|(name, value)| {
                let value = match value.as_array() {
                    Some(list) if !list.is_empty() => {
                        let lines: Vec<String> = list.iter().map(|v| format!("  {v}")).collect();
                        format!("[\n{}\n ]", lines.join(",\n"))
                    }
                    _ => value.to_string(),
                };
                format!(" {name:?}: {value}")
            })
            .collect();
        format!("{{\n{}\n}}\n", members.join(",\n"))
    }

    /// The cells as a table with one line each.
    ///
    /// # Panics
    ///
    /// Never: a vector takes what is written to it.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut table = csv::Writer::from_writer(Vec::new());
        let head = [
            "machine", "face", "row", "column", "bytes", "ns", "lower", "upper", "ratio",
        ];
        table.write_record(head).expect("in memory");
        for cell in &self.cells {
            let [lower, upper] = cell.quartiles.map_or([None; 2], |of| of.map(Some));
            let number =
                |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
            let record = [
                self.machine.name.clone(),
                cell.face.clone(),
                cell.row.clone(),
                cell.column.clone(),
                cell.bytes.to_string(),
                cell.ns.to_string(),
                number(lower),
                number(upper),
                number(cell.ratio.map(|[median, ..]| median)),
            ];
            table.write_record(record).expect("in memory");
        }
        String::from_utf8(table.into_inner().expect("in memory")).expect("text went in")
    }

    /// Takes in what another program measured on this machine.
    pub fn join(&mut self, other: Self) {
        for cell in other.cells {
            if self.cell(&cell.row, &cell.column, cell.bytes).is_none() {
                self.cells.push(cell);
            }
        }
        for version in other.versions {
            if !self.versions.contains(&version) {
                self.versions.push(version);
            }
        }
        self.goals.extend(other.goals);
        self.bundles.extend(other.bundles);
        self.verdicts.extend(other.verdicts);
        self.missing.extend(other.missing);
    }

    /// A cell.
    #[must_use]
    pub fn cell(&self, row: &str, column: &str, bytes: usize) -> Option<&Cell> {
        self.cells
            .iter()
            .find(|cell| cell.row == row && cell.column == column && cell.bytes == bytes)
    }

    /// The cells of a row with the shortest messages that it has, in the order of the file.
    #[must_use]
    pub fn row(&self, row: &str) -> Vec<&Cell> {
        let cells = || self.cells.iter().filter(|cell| cell.row == row);
        let shortest = cells().map(|cell| cell.bytes).min();
        cells()
            .filter(|cell| Some(cell.bytes) == shortest)
            .collect()
    }

    /// Microseconds of a cell of them.
    #[must_use]
    pub fn micros(&self, row: &str, column: &str) -> Option<f64> {
        let row = self.row(row);
        let cell = row.iter().find(|cell| cell.column == column)?;
        Some(cell.ns / 1e3)
    }

    /// A sentence about the run.
    #[must_use]
    pub fn about(&self) -> String {
        let mut text = self.machine.name.clone();
        if !self.machine.extensions.is_empty() {
            let _ = write!(text, " with {}", self.machine.extensions);
        }
        let _ = write!(text, ", {}", self.run.date);
        if self.run.quick {
            text.push_str(", a quick run");
        }
        if let Some(load) = self.run.load {
            let _ = write!(text, ", load {load:.1} before it");
        }
        text
    }
}

/// The length of the messages of rows that do not vary it.
pub const SHORT: usize = 32;

/// Lanner's own column.
pub const OURS: &str = "lanner";

/// Whether a column is Lanner's, on whatever backend or through whatever face.
#[must_use]
pub fn is_ours(column: &str) -> bool {
    column.starts_with(OURS) || column.starts_with("in place of")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_back_and_of_this_format() {
        let cell = |column: &str, ns| Cell {
            face: "rust".into(),
            row: "sign".into(),
            column: column.into(),
            bytes: SHORT,
            ns,
            ..Cell::default()
        };
        let mut results = Results {
            format: FORMAT,
            cells: vec![cell(OURS, 1500.0), cell("peer, with a comma", 3000.5)],
            ..Results::default()
        };
        results.missing.insert("voi".into(), "no \"go\"".into());
        let text = results.write();
        assert_eq!(Results::parse(&text), Ok(results.clone()));
        assert!(text.lines().count() > 10);
        assert!(Results::parse(&text.replace("\"format\": 1", "\"format\": 2")).is_err());
        assert!(Results::parse(&text.replace("\"ns\"", "\"µs\"")).is_err());
        let csv = results.csv();
        assert!(
            csv.contains(",\"peer, with a comma\",32,3000.5,,,"),
            "{csv}"
        );
        assert_eq!(results.micros("sign", OURS), Some(1.5));
        let again = results.clone();
        results.join(again);
        assert_eq!(results.cells.len(), 2);
    }

    #[test]
    fn own_columns_are_known_by_name() {
        assert!(is_ours("lanner/avx2") && is_ours("in place of PyNaCl"));
        assert!(!is_ours("libsodium"));
    }
}
