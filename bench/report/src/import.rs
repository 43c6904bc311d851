//! What other programs print, as cells: the benchmarks of the npm and the Python package, and predictions.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::data::{Cell, FORMAT, Machine, OURS, Results, SHORT};

/// What `node test/performance.js --json` prints, as far as the page needs it.
#[derive(Deserialize)]
struct Npm {
    machine: BTreeMap<String, String>,
    tables: BTreeMap<String, Table>,
    missing: BTreeMap<String, String>,
    sizes: BTreeMap<String, Size>,
}

#[derive(Deserialize)]
struct Table {
    reference: String,
    /// Microseconds of every round, by library and operation.
    times: serde_json::Map<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Size {
    gzip: u64,
}

/// The tables: what their rows are called here before the operation, and the length of the messages.
const TABLES: [(&str, &str, usize); 6] = [
    ("ed25519-short", "", SHORT),
    ("ed25519-long", "", 10_000),
    ("ed25519-longest", "", 1_000_000),
    ("x25519", "x25519 ", SHORT),
    ("falcon-512", "falcon-512 ", SHORT),
    ("falcon-1024", "falcon-1024 ", SHORT),
];

/// The benchmark of the npm package.
///
/// # Errors
///
/// The text is not what that benchmark prints.
pub fn npm(text: &str) -> Result<Results, String> {
    let failed = |error: serde_json::Error| format!("the benchmark of the npm package: {error}");
    let npm: Npm = serde_json::from_str(text).map_err(failed)?;
    let mut results = Results {
        format: FORMAT,
        bundles: npm
            .sizes
            .into_iter()
            .map(|(name, size)| (name, size.gzip))
            .collect(),
        missing: npm.missing,
        ..Results::default()
    };
    for key in ["engine", "versions"] {
        let all = npm.machine.get(key).into_iter();
        let all = all.flat_map(|text| text.split(", ").map(|word| format!("npm: {word}")));
        results.versions.extend(all);
    }
    for (id, prefix, bytes) in TABLES {
        let Some(table) = npm.tables.get(id) else {
            continue;
        };
        let times = |library: &str, operation: &str| -> Option<Vec<f64>> {
            let rounds = table.times.get(library)?.get(operation)?.as_array()?;
            rounds.iter().map(serde_json::Value::as_f64).collect()
        };
        for (library, operations) in &table.times {
            let operations = operations.as_object().ok_or("a library has operations")?;
            for operation in operations.keys() {
                let own = times(library, operation).ok_or("an operation has times")?;
                let ratio = times(&table.reference, operation)
                    .filter(|first| first.len() == own.len() && *library != table.reference)
                    .map(|first| {
                        let ratios = own.iter().zip(&first).map(|(own, first)| own / first);
                        let [lower, median, upper] = quartiles(ratios.collect());
                        [median, lower, upper]
                    });
                let [lower, median, upper] = quartiles(own);
                results.cells.push(Cell {
                    face: "js".into(),
                    row: format!("npm {prefix}{operation}"),
                    column: library.clone(),
                    bytes,
                    ns: rounded(median * 1e3),
                    quartiles: Some([lower, upper].map(|micros| rounded(micros * 1e3))),
                    ratio,
                });
            }
        }
    }
    Ok(results)
}

/// What is left of a number that a clock gave.
fn rounded(nanoseconds: f64) -> f64 {
    (nanoseconds * 10.0).round() / 10.0
}

/// The quartiles of a sample, by linear interpolation.
fn quartiles(mut sample: Vec<f64>) -> [f64; 3] {
    sample.sort_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|part| {
        let place = part * (sample.len() - 1) as f64;
        let (below, above) = (
            sample[place.floor() as usize],
            sample[place.ceil() as usize],
        );
        below + (above - below) * place.fract()
    })
}

/// What `python bench/compare.py --json` writes.
#[derive(Deserialize)]
struct Python {
    versions: Vec<String>,
    calls: Vec<Call>,
}

/// A line of it.
#[derive(Deserialize)]
struct Call {
    row: String,
    candidate: String,
    seconds: f64,
    ratio: Option<f64>,
}

/// The benchmark of the Python package. Its ratios are of the peer's time to that of the call which stands in its
/// place.
///
/// # Errors
///
/// The text is not what that benchmark writes.
pub fn python(text: &str) -> Result<Results, String> {
    let failed = |error: serde_json::Error| format!("the benchmark of the Python package: {error}");
    let Python { versions, calls } = serde_json::from_str(text).map_err(failed)?;
    let ratio_of = |row: &str, peer: &str| {
        let place = format!("in place of {peer}");
        let mut calls = calls.iter();
        calls
            .find(|call| call.row == row && call.candidate == place)
            .and_then(|call| call.ratio)
    };
    let cells = calls.iter().map(|call| Cell {
        face: "python".into(),
        row: format!("python {}", call.row),
        column: call.candidate.clone(),
        bytes: if call.row.contains("1 MiB") {
            1 << 20
        } else {
            100
        },
        ns: rounded(call.seconds * 1e9),
        quartiles: None,
        ratio: ratio_of(&call.row, &call.candidate).map(|ratio| [ratio; 3]),
    });
    Ok(Results {
        format: FORMAT,
        cells: cells.collect(),
        versions: versions
            .iter()
            .map(|version| format!("Python: {version}"))
            .collect(),
        ..Results::default()
    })
}

/// The table that `cargo xtask predict` prints, for one of its cores at a clock in gigahertz.
///
/// # Errors
///
/// There is no such table or core in it.
pub fn predicted(text: &str, core: &str, gigahertz: f64) -> Result<Results, String> {
    let mut results = Results {
        format: FORMAT,
        machine: Machine {
            name: format!("llvm-mca's model of {core}, at {gigahertz} GHz"),
            extensions: "neon".into(),
            predicted: true,
        },
        ..Results::default()
    };
    let mut place = None;
    for line in text.lines() {
        // The rows are printed one by one before the table has all of them.
        if !line.starts_with('|') {
            place = None;
            continue;
        }
        let row: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if row.first() == Some(&"task") {
            place = row.iter().position(|&name| name == core);
            continue;
        }
        if line.starts_with("|-") {
            continue;
        }
        let (Some(place), [task, program, ..]) = (place, &row[..]) else {
            continue;
        };
        let column = match *program {
            "lanner:neon" | "lanner-fn-dsa" => OURS,
            "fn-dsa-04" => "fn-dsa-0.4",
            other => other,
        };
        let cycles = row.get(place).and_then(|cell| cell.split(' ').next());
        let cycles: f64 = cycles
            .and_then(|number| number.parse().ok())
            .ok_or_else(|| format!("no number in the row of {task} and {program}"))?;
        results.cells.push(Cell {
            face: "rust".into(),
            row: (*task).into(),
            column: column.into(),
            bytes: SHORT,
            ns: rounded(cycles * 1e3 / gigahertz / several(task)),
            ..Cell::default()
        });
    }
    if results.cells.is_empty() {
        return Err(format!("no table of predictions with the core {core}"));
    }
    Ok(results)
}

/// How many signatures or pairs a task of predictions handles.
fn several(task: &str) -> f64 {
    let batch = task
        .strip_prefix("batch-")
        .and_then(|rest| rest.split('-').next());
    match batch {
        Some(size) => size.parse().unwrap_or(1.0),
        None if task == "x25519-many" => 64.0,
        None => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npm_has_medians_ratios_and_sizes() {
        let text = r#"{"machine":{"engine":"Node 20","versions":"a 1, b 2"},"cold":{},
          "tables":{"ed25519-long":{"title":"","reference":"lanner/fast","times":{
            "lanner/fast":{"verify":[10,20,30]},"slow":{"verify":[20,40,90],"sign":[1,1,1]}}}},
          "missing":{"other":"why"},"sizes":{"slow":{"minified":9,"gzip":7}}}"#;
        let results = npm(text).expect("it is what is printed");
        assert_eq!(results.versions, ["npm: Node 20", "npm: a 1", "npm: b 2"]);
        let slow = results.cell("npm verify", "slow", 10_000).expect("there");
        assert_eq!((slow.ns, slow.ratio), (40e3, Some([2.0, 2.0, 2.5])));
        let ours = results.cell("npm verify", "lanner/fast", 10_000);
        assert_eq!(ours.expect("there").quartiles, Some([15e3, 25e3]));
        assert_eq!((results.bundles["slow"], results.missing.len()), (7, 1));
        assert!(npm("{}").is_err());
    }

    #[test]
    fn python_has_the_ratios_of_peers() {
        let text = r#"{"versions":["Python 3","PyNaCl 1"],"calls":[
          {"row":"sign","candidate":"in place of PyNaCl","seconds":1e-6,"ratio":2.5},
          {"row":"sign","candidate":"PyNaCl","seconds":2.5e-6,"ratio":null}]}"#;
        let results = python(text).expect("it is what is written");
        assert_eq!(results.versions, ["Python: Python 3", "Python: PyNaCl 1"]);
        let peer = results.cell("python sign", "PyNaCl", 100).expect("there");
        assert_eq!((peer.ns, peer.ratio), (2500.0, Some([2.5; 3])));
        assert!(python("{}").is_err());
    }

    #[test]
    fn predictions_are_cycles_of_a_clock() {
        let text = "something\n| task | program | instructions | n1 | v1 |\n|---|---|---|---|---|\n\
                    | sign | lanner:neon | 84.6 (1.00) | 65.8 (1.00) | 20.0 (1.00) |\n\
                    | batch-64 | dalek | 1.0 (1.00) | 2.0 (1.00) | 640.0 (1.00) |\n";
        let results = predicted(text, "v1", 2.0).expect("a table");
        assert_eq!(results.micros("sign", OURS), Some(10.0));
        assert_eq!(results.micros("batch-64", "dalek"), Some(5.0));
        assert!(predicted(text, "v2", 2.0).is_err());
        // What was printed of the next one, before its table.
        let both =
            format!("{text}\n| sign | lanner:neon | 84.6 (1.00) | 65.8 (1.00) | 20.0 (1.00) |\n");
        assert_eq!(predicted(&both, "v1", 2.0), Ok(results));
    }
}
