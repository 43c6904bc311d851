//! What the page shows of the files: which rows become bars, lines and points, and which file speaks for which
//! processor.

use std::collections::BTreeSet;

use crate::data::{OURS, Results, is_ours};
use crate::plot::{Bar, Group, Line, Panel, Point};

/// A row of ours, and the rows of peers that do the same.
pub(crate) struct Operation {
    pub(crate) title: &'static str,
    pub(crate) ours: &'static str,
    /// The peers' row, and what is said of those of them that do it by a rule of their own.
    theirs: &'static [(&'static str, &'static str)],
}

const fn same(title: &'static str, row: &'static [(&'static str, &'static str)]) -> Operation {
    Operation {
        title,
        ours: row[0].0,
        theirs: row,
    }
}

/// The picture.
pub(crate) const PICTURE: [Operation; 6] = [
    same("verify", &[("verify", "")]),
    same("sign", &[("sign", "")]),
    same("X25519", &[("x25519", "")]),
    same(
        "batch of 64 (ZIP 215)",
        &[("batch-64-zip215", ""), ("batch-64", ", own rule")],
    ),
    same("FN-DSA-512 sign", &[("fn-dsa-512-sign", "")]),
    same("FN-DSA-512 verify", &[("fn-dsa-512-verify", "")]),
];

/// Builds of a peer that are not what its README says, nor for the native CPU: in the tables alone.
const ASIDE: [&str; 4] = [
    "dalek/serial",
    "dalek/u64",
    "dalek/simd",
    "fn-dsa-0.4/no-avx2",
];

/// Peers that use AVX-512 wherever the processor has it, whatever Lanner is told to use: chosen at run time or by the compiler.
fn takes_avx512(column: &str) -> bool {
    column == "commonware" || column.ends_with("native")
}

/// How a column is called in a picture.
fn shown(column: &str) -> String {
    if let Some((library, "native")) = column.rsplit_once(['/', '-']) {
        return shown(library) + ", native";
    }
    match column {
        "fn-dsa" => "fn-dsa 0.3".into(),
        "fn-dsa/x4" => "fn-dsa 0.3, x4".into(),
        "fn-dsa-0.4" => "fn-dsa 0.4".into(),
        other => other.into(),
    }
}

impl Operation {
    /// The bars, with this column as ours.
    fn group(&self, results: &Results, own: &str, without_avx512: bool) -> Option<Group> {
        let mut bars = vec![Bar {
            name: OURS.into(),
            micros: results.micros(self.ours, own)?,
            ours: true,
        }];
        for (row, mark) in self.theirs {
            for cell in results.row(row) {
                let column = cell.column.as_str();
                if is_ours(column) || ASIDE.contains(&column) {
                    continue;
                }
                let mut name = shown(column) + mark;
                if without_avx512 && takes_avx512(column) {
                    name += ", 512";
                }
                bars.push(Bar {
                    name,
                    micros: cell.ns / 1e3,
                    ours: false,
                });
            }
        }
        bars.sort_by(|a, b| a.micros.total_cmp(&b.micros));
        Some(Group {
            title: self.title.into(),
            bars,
        })
    }
}

/// The panels of the picture, as far as there are files for them.
#[must_use]
pub(crate) fn picture(all: &[Results]) -> Vec<Panel> {
    let panel = |title: &str, source: String, results: &Results, own: &str, without| Panel {
        title: title.into(),
        source,
        groups: PICTURE
            .iter()
            .filter_map(|operation| operation.group(results, own, without))
            .collect(),
    };
    let name = |results: &Results| {
        let name = results.machine.name.split(" (family").next();
        let quick = if results.run.quick { ", quick run" } else { "" };
        format!("{}, {}{quick}", name.unwrap_or_default(), results.run.date)
    };
    let mut panels = Vec::new();
    let with = best(all, |results| has(results, "avx512ifma"));
    let without = best(all, |results| {
        has(results, "avx2") && !has(results, "avx512ifma")
    });
    if let Some(results) = with {
        panels.push(panel("AVX-512", name(results), results, OURS, false));
    }
    if let Some(results) = without {
        panels.push(panel("AVX2", name(results), results, OURS, false));
    } else if let Some(results) = with {
        let source = String::from("same run, Lanner held to AVX2; “512” is not");
        panels.push(panel("AVX2", source, results, "lanner/avx2", true));
    }
    if let Some(results) = all.iter().find(|results| results.machine.predicted) {
        // The model reads what compilers make of Rust and C: the libraries whose arithmetic is in assembly are not among it.
        let name = results
            .machine
            .name
            .trim_start_matches("llvm-mca's model of ");
        let core = name.split(',').next().unwrap_or_default();
        let source = format!("{core}; without aws-lc, graviola, ring");
        panels.push(panel("ARM, predicted", source, results, OURS, false));
    }
    panels
}

fn has(results: &Results, extension: &str) -> bool {
    let mut extensions = results.machine.extensions.split(", ");
    extensions.any(|name| name == extension)
}

/// The file that speaks for a kind of processor: the one that the page is about; a whole run before a quick one; one of
/// more faces; the newer.
pub(crate) fn best(all: &[Results], fits: impl Fn(&Results) -> bool) -> Option<&Results> {
    let measured = all.iter().filter(|results| !results.machine.predicted);
    measured
        .filter(|results| fits(results))
        .max_by_key(|results| {
            let faces = faces(results);
            (results.first, !results.run.quick, faces, &results.run.date)
        })
}

fn faces(results: &Results) -> usize {
    let faces: BTreeSet<&str> = results.cells.iter().map(|cell| &*cell.face).collect();
    faces.len()
}

/// The fastest peer in a row: its name and its microseconds.
pub(crate) fn fastest<'r>(results: &'r Results, row: &str) -> Option<(&'r str, f64)> {
    results
        .row(row)
        .into_iter()
        .filter(|cell| !is_ours(&cell.column) && !built_in(&cell.column))
        .map(|cell| (cell.column.as_str(), cell.ns / 1e3))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// What an engine of JavaScript has itself: native code, which no package can be.
pub(crate) fn built_in(column: &str) -> bool {
    column.starts_with("node:") || column.starts_with("WebCrypto")
}

/// Microseconds for each signature by the size of the batch.
#[must_use]
pub(crate) fn batches(results: &Results) -> Vec<Line> {
    const KINDS: [(&str, &str, &str); 5] = [
        ("", OURS, "lanner, default rule"),
        ("-zip215", OURS, "lanner, ZIP 215"),
        ("", "dalek", "dalek, own rule"),
        ("-zip215", "zebra", "zebra, ZIP 215"),
        ("-zip215", "commonware", "commonware, ZIP 215"),
    ];
    let of = |&(suffix, column, name): &(&str, &str, &str)| {
        let alone = (suffix.is_empty() || column == "commonware").then_some(1);
        let sizes = alone.into_iter().chain((2..=10).map(|power| 1 << power));
        let points: Vec<(f64, f64)> = sizes
            .filter_map(|size: u32| {
                let row = match size {
                    1 => String::from("verify"),
                    _ => format!("batch-{size}{suffix}"),
                };
                Some((f64::from(size), results.micros(&row, column)?))
            })
            .collect();
        line(name, points)
    };
    let voi = ("-zip215", "voi", "voi, ZIP 215");
    KINDS.iter().chain([&voi]).filter_map(of).collect()
}

fn line(name: &str, points: Vec<(f64, f64)>) -> Option<Line> {
    (points.len() > 1).then(|| Line {
        name: name.into(),
        ours: is_ours(name),
        points,
    })
}

/// Megabytes a second by the length of the message.
#[must_use]
pub(crate) fn throughput(results: &Results, row: &str, columns: &[&str]) -> Vec<Line> {
    columns
        .iter()
        .filter_map(|column| {
            let cells = results.cells.iter();
            let mut points: Vec<(f64, f64)> = cells
                .filter(|cell| cell.row == row && cell.column == *column)
                .map(|cell| (cell.bytes as f64, cell.bytes as f64 / cell.ns * 1e3))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            line(column, points)
        })
        .collect()
}

/// The libraries of that plot.
pub(crate) const LONG_MESSAGES: [&str; 7] = [
    OURS,
    "dalek",
    "aws-lc",
    "graviola",
    "ring",
    "libsodium",
    "openssl",
];

/// Bytes of packages for npm, and microseconds of a verification.
#[must_use]
pub(crate) fn npm(results: &Results) -> Vec<Point> {
    let bundles = results.bundles.iter();
    bundles
        .filter_map(|(name, bytes)| {
            Some(Point {
                name: name.clone(),
                ours: is_ours(name),
                x: *bytes as f64,
                y: results.micros("npm verify", name)?,
            })
        })
        .collect()
}

/// A scheme: its name, the length of its signatures, the row of its verification, and whose.
const SCHEMES: [(&str, u32, &str, &str); 11] = [
    ("Ed25519 (lanner)", 64, "verify", OURS),
    ("FN-DSA-512 (lanner)", 666, "fn-dsa-512-verify", OURS),
    ("FN-DSA-1024 (lanner)", 1280, "fn-dsa-1024-verify", OURS),
    (
        "Ed25519 + FN-DSA-512 (lanner)",
        730,
        "hybrid-512-verify",
        OURS,
    ),
    (
        "Ed25519 + FN-DSA-1024 (lanner)",
        1344,
        "hybrid-1024-verify",
        OURS,
    ),
    ("ECDSA P-256 (aws-lc)", 64, "ecdsa-p256-verify", "aws-lc"),
    ("RSA-2048 (aws-lc)", 256, "rsa-2048-verify", "aws-lc"),
    ("RSA-3072 (aws-lc)", 384, "rsa-3072-verify", "aws-lc"),
    ("ML-DSA-44 (aws-lc)", 2420, "ml-dsa-44-verify", "aws-lc"),
    ("ML-DSA-65 (aws-lc)", 3309, "ml-dsa-65-verify", "aws-lc"),
    ("ML-DSA-44 (ml-dsa)", 2420, "ml-dsa-44-verify", "ml-dsa"),
];

/// Bytes of a signature, and microseconds of its verification.
#[must_use]
pub(crate) fn schemes(results: &Results) -> Vec<Point> {
    let of = |&(name, bytes, row, column): &(&str, u32, &str, &str)| {
        Some(Point {
            name: name.into(),
            ours: is_ours(column),
            x: f64::from(bytes),
            y: results.micros(row, column)?,
        })
    };
    SCHEMES.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Cell, Machine, Run, SHORT};

    fn results(extensions: &str, quick: bool, cells: &[(&str, &str, f64)]) -> Results {
        Results {
            machine: Machine {
                name: "a processor (family 1)".into(),
                extensions: extensions.into(),
                predicted: false,
            },
            run: Run {
                date: "2026-11-24".into(),
                quick,
                ..Run::default()
            },
            cells: cells
                .iter()
                .map(|&(row, column, micros)| Cell {
                    row: row.into(),
                    column: column.into(),
                    bytes: SHORT,
                    ns: micros * 1e3,
                    ..Cell::default()
                })
                .collect(),
            ..Results::default()
        }
    }

    #[test]
    fn builds_for_the_native_cpu_are_named_and_marked() {
        assert_eq!(shown("fn-dsa/x4-native"), "fn-dsa 0.3, x4, native");
        assert_eq!(shown("zebra/native"), "zebra, native");
        assert!(takes_avx512("zebra/native") && !takes_avx512("zebra"));
    }

    #[test]
    fn each_panel_has_its_own_column() {
        let cells = [
            ("verify", "lanner", 10.0),
            ("verify", "lanner/avx2", 20.0),
            ("verify", "commonware", 15.0),
            ("verify", "dalek/serial", 5.0),
        ];
        let whole = results("avx2, avx512ifma", false, &cells);
        let quick = results("avx2, avx512ifma", true, &[("verify", "lanner", 1.0)]);
        let panels = picture(&[quick, whole]);
        let titles: Vec<&str> = panels.iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!(titles, ["AVX-512", "AVX2"]);
        let leads: Vec<Option<f64>> = panels.iter().map(|panel| panel.groups[0].lead()).collect();
        assert_eq!(leads, [Some(1.5), Some(0.75)]);
        assert_eq!(panels[1].groups[0].bars[0].name, "commonware, 512");
        assert_eq!(panels[0].source, "a processor, 2026-11-24");
    }

    #[test]
    fn more_faces_speak_before_newer_ones() {
        let mut newer = results("avx512ifma", false, &[("verify", "lanner", 1.0)]);
        newer.run.date = "2026-11-25".into();
        let mut whole = results("avx512ifma", false, &[("verify", "lanner", 2.0); 2]);
        whole.cells[1].face = "npm".into();
        let all = [whole, newer];
        assert_eq!(best(&all, |_| true), Some(&all[0]));
        assert_eq!(best(&all[1..], |_| true), Some(&all[1]));
    }

    #[test]
    fn the_fastest_peer_is_neither_ours_nor_the_engine() {
        let cells = [
            ("npm verify", "lanner/fast", 10.0),
            ("npm verify", "node:crypto, KeyObject", 5.0),
            ("npm verify", "slow", 50.0),
            ("npm verify", "less slow", 40.0),
        ];
        let results = results("", false, &cells);
        assert_eq!(fastest(&results, "npm verify"), Some(("less slow", 40.0)));
        assert_eq!(fastest(&results, "sign"), None);
    }

    #[test]
    fn single_calls_begin_the_lines_of_batches() {
        let cells = [
            ("verify", "lanner", 10.0),
            ("batch-64", "lanner", 4.0),
            ("batch-1024", "lanner", 3.0),
            ("batch-64-zip215", "lanner", 3.5),
        ];
        let lines = batches(&results("", false, &cells));
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].points, [(1.0, 10.0), (64.0, 4.0), (1024.0, 3.0)]);
    }
}
