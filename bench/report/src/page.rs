//! The pages: what one sees first, and the long tables on pages of their own.

mod parts;
mod style;

use std::path::Path;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::data::{Results, SHORT};
use crate::plot;
use crate::show;
use crate::words;
use parts::{barred, by_row, goals, machines, plotted, verdicts};

/// The pages of long tables: file, title, a sentence, the faces, and which rows.
type Long = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    fn(&str) -> bool,
);

const LONG: [Long; 5] = [
    (
        "native.html",
        "On this processor",
        "Libraries in Rust, Go and C, from one interleaved run.",
        &["rust", "c"],
        |row| !elsewhere(row),
    ),
    (
        "c.html",
        "Called from C",
        "liblanner and the system's libraries, called from C, in the same run.",
        &["c"],
        |row| !elsewhere(row),
    ),
    (
        "elsewhere.html",
        "32-bit x86 and WebAssembly",
        "Programs for other targets on the same machine, from the same run.",
        &["rust"],
        elsewhere,
    ),
    (
        "npm.html",
        "JavaScript",
        "The npm package and its peers in Node; method: docs/benchmarks-js.md.",
        &["js"],
        |_| true,
    ),
    (
        "python.html",
        "Python",
        "The Python package and what it stands in for, in one interpreter.",
        &["python"],
        |_| true,
    ),
];

fn elsewhere(row: &str) -> bool {
    row.starts_with("i686-") || row.starts_with("wasm32-")
}

/// Writes all pages, the pictures, and the data as JSON and CSV.
///
/// # Errors
///
/// There is no measured file, or nothing can be written.
pub fn write(directory: &Path, all: &[(String, Results)]) -> Result<(), String> {
    let results: Vec<Results> = all.iter().map(|(_, results)| results.clone()).collect();
    let first = show::best(&results, |_| true).ok_or("no file of a machine was given")?;
    let put = |name: &str, text: &str| {
        let path = directory.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    let data = directory.join("data");
    std::fs::create_dir_all(&data).map_err(|error| format!("{}: {error}", data.display()))?;
    for (name, results) in all {
        put(&format!("data/{name}.json"), &results.write())?;
        put(&format!("data/{name}.csv"), &results.csv())?;
    }
    put("picture.svg", &picture(&results)?)?;
    put("index.html", &index(all, &results, first)?.into_string())?;
    for (file, title, about, faces, fits) in LONG {
        let shown = all.iter().filter(|(_, results)| !results.machine.predicted);
        let body = html! {
            p { (about) " Microseconds, and in brackets the time over Lanner's: above 1, Lanner is the faster." }
            @for (_, results) in shown {
                h2 { (results.about()) }
                p.small { (results.run.amount) @if !results.run.note.is_empty() { "; " (results.run.note) } }
                (by_row(results, faces, fits))
            }
        };
        put(file, &page(title, &body).into_string())?;
    }
    let body = html! {
        p { "Each kind of odd signature from the project's own edge cases (" code { "vectors/data" } "), given to every library \
             here and to every rule of Lanner: how many of the cases it accepts. Batches hold the odd signature beside good ones; \
             one that accepts what the single call refuses, or the reverse, has no verdict to build on: dalek's factors are a hash of all \
             that is in the batch, and what it says of one signature depends on which others stand beside it." }
        @for (_, results) in all.iter().filter(|(_, results)| !results.verdicts.is_empty()) {
            h2 { (results.about()) }
            (verdicts(&results.verdicts))
        }
    };
    put(
        "verdicts.html",
        &page("Who accepts which odd signature", &body).into_string(),
    )?;
    put(
        "machines.html",
        &page("Several machines", &machines(&results)).into_string(),
    )
}

/// The picture of the first screen, as the README has it.
///
/// # Errors
///
/// There is nothing to draw.
pub fn picture(all: &[Results]) -> Result<String, String> {
    let panels = show::picture(all);
    if panels.is_empty() {
        return Err("no file with a processor that the picture is about".into());
    }
    plot::panels("Microseconds on one core, Lanner and its peers", &panels)
}

fn index(files: &[(String, Results)], all: &[Results], first: &Results) -> Result<Markup, String> {
    let panels = show::picture(all);
    let drawn: Result<Vec<String>, String> = panels.iter().map(plot::panel).collect();
    let drawn = drawn?;
    let (whole, others) = merged(all, first);
    let sentences = words::ten(&whole);
    let plots = plots(all)?;
    let body = html! {
        p.lead { "Microseconds on one core, shorter is better. " b.ours { "Lanner" } ", " span.behind { "slower peers" } ", "
            b.ahead { "faster peers" } ". Every panel is one interleaved run, or says what else it is." }
        div.panels { @for (panel, svg) in panels.iter().zip(&drawn) { figure { (PreEscaped(svg)) (barred(panel)) } } }
        h2 { "Ten rows in words" }
        p.small { (first.about()) "."
            @for (face, other) in &others { " What is said of " (face) ": " (other.about()) "." }
        }
        ol.words { @for sentence in &sentences {
            li { (sentence.what) ": "
                @match sentence.behind {
                    Some(true) => b.ahead { (sentence.verdict) },
                    Some(false) => b.ours { (sentence.verdict) },
                    None => span.behind { (sentence.verdict) },
                }
            }
        } }
        h2 { "Goals" }
        (goals(&first.goals))
        h2 { "Plots" }
        (plots)
        h2 { "Tables" }
        ul.tables {
            @for (file, title, about, ..) in LONG { li { a href=(file) { (title) } ": " (about) } }
            li { a href="verdicts.html" { "Who accepts which odd signature" } ": every library and every rule, run." }
            li { a href="machines.html" { "Several machines" } ": the main rows side by side." }
        }
        h2 { "Data, and how to do it again" }
        p { "What is drawn here is in these files and nowhere else." }
        ul { @for (name, results) in files { li {
            (results.about()) ": " a href={ "data/" (name) ".json" } { "JSON" } ", " a href={ "data/" (name) ".csv" } { "CSV" }
            @if !results.run.command.is_empty() { ", by " code { (results.run.command) } }
            @if !results.run.note.is_empty() { "; " (results.run.note) }
        } } }
        @if !first.missing.is_empty() {
            h3 { "Not measured" }
            ul { @for (what, why) in &first.missing { li { b { (what) } ": " (why.lines().next().unwrap_or_default()) } } }
        }
        details { summary { "Versions" } p.small { (first.versions.join(", ")) } }
    };
    Ok(page("Lanner, measured", &body))
}

/// The first file, with the rows of others' faces where it has none; and what was taken from where.
fn merged<'a>(all: &'a [Results], first: &Results) -> (Results, Vec<(&'static str, &'a Results)>) {
    let (mut whole, mut others) = (first.clone(), Vec::new());
    for (face, name) in [("js", "JavaScript"), ("python", "Python")] {
        let of = |results: &Results| results.cells.iter().any(|cell| cell.face == face);
        if !of(first)
            && let Some(other) = show::best(all, of)
        {
            let cells = other.cells.iter().filter(|cell| cell.face == face);
            whole.cells.extend(cells.cloned());
            others.push((name, other));
        }
    }
    (whole, others)
}

fn plots(all: &[Results]) -> Result<Markup, String> {
    let of = |row: &str| show::best(all, |results| !results.row(row).is_empty());
    let longest = |row: &str| {
        show::best(all, |results| {
            let mut cells = results.cells.iter();
            cells.any(|cell| cell.row == row && cell.bytes > SHORT)
        })
    };
    let sizes = [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0];
    let marks = sizes.map(|size| (size, size.to_string()));
    let marks: Vec<(f64, &str)> = marks
        .iter()
        .map(|(size, mark)| (*size, mark.as_str()))
        .collect();
    let lengths = [
        (32.0, "32"),
        (256.0, "256"),
        (1024.0, "1 kB"),
        (16_384.0, "16 kB"),
        (131_072.0, "128 kB"),
        (1_048_576.0, "1 MB"),
    ];
    let mut shown = Vec::new();
    if let Some(results) = of("batch-64") {
        let lines = show::batches(results);
        let axes = ["signatures in a batch", "µs for each"];
        let svg = plot::lines("Cost by the size of the batch", axes, &marks, &lines)?;
        let note = "At 1 stands a single verification by the default rule.";
        shown.push(plotted(
            "Cost by the size of the batch",
            note,
            results,
            &svg,
            &lines,
        ));
    }
    for (row, title) in [
        ("sign", "Signing: throughput by the length of the message"),
        (
            "verify",
            "Verifying: throughput by the length of the message",
        ),
    ] {
        if let Some(results) = longest(row) {
            let lines = show::throughput(results, row, &show::LONG_MESSAGES);
            let axes = ["bytes of the message", "MB a second"];
            if lines.is_empty() {
                continue;
            }
            let svg = plot::lines(title, axes, &lengths, &lines)?;
            let note = "What long messages cost is SHA-512; signing reads them twice.";
            shown.push(plotted(title, note, results, &svg, &lines));
        }
    }
    if let Some(results) = show::best(all, |results| !show::npm(results).is_empty()) {
        let points = show::npm(results);
        let axes = ["bytes after gzip", "µs for a verification"];
        let title = "npm: size against speed";
        let svg = plot::points(title, axes, &points)?;
        let note = "What a bundle grows by, and what a verification takes in Node. Below and to the left is better.";
        shown.push(parts::pointed(title, note, results, axes, &svg, &points));
    }
    if let Some(results) = of("rsa-2048-verify").or_else(|| of("fn-dsa-512-verify")) {
        let points = show::schemes(results);
        let axes = ["bytes of a signature", "µs for a verification"];
        let title = "Signature size against verification time";
        let svg = plot::points(title, axes, &points)?;
        let note = "Keys are given as bytes. Below and to the left is better.";
        shown.push(parts::pointed(title, note, results, axes, &svg, &points));
    }
    Ok(html! { @for plot in shown { (plot) } })
}

/// A page with its head and its way back.
fn page(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(style::SHEET)) }
            }
            body {
                main {
                    @if title != "Lanner, measured" { p { a href="index.html" { "Lanner, measured" } } }
                    h1 { (title) }
                    (body)
                }
            }
        }
    }
}
