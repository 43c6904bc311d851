//! What is kept in the repository: results of machines, and the picture of the README that is made of them.

use std::path::{Path, PathBuf};

use lanner_bench_report::data::Results;
use lanner_bench_report::page;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files with their names, in order.
fn kept() -> Vec<(String, Results)> {
    let directory = root().join("bench/results");
    let entries = std::fs::read_dir(&directory).expect("it is there");
    let paths = entries.map(|entry| entry.expect("it is listed").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|end| end == "json"));
    let mut files: Vec<(String, Results)> = paths
        .map(|path| {
            let name = path.file_stem().expect("it has a name").to_string_lossy();
            (
                name.into_owned(),
                Results::read(&path).expect("it is of the format"),
            )
        })
        .collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    files
}

#[test]
fn files_are_as_they_are_written() {
    let files = kept();
    assert!(!files.is_empty());
    for (name, results) in files {
        let path = root().join(format!("bench/results/{name}.json"));
        assert!(results.write() == read(&path), "{name} was edited by hand");
        assert!(results.cells.iter().all(|cell| cell.ns > 0.0), "{name}");
        assert!(!results.run.date.is_empty() && !results.run.command.is_empty());
        let mut goals: Vec<_> = results
            .goals
            .iter()
            .map(|goal| (&goal.name, &goal.against))
            .collect();
        let count = goals.len();
        goals.sort();
        goals.dedup();
        assert_eq!(goals.len(), count, "{name} has goals twice");
    }
}

/// To draw it anew: `cargo xtask bench-report --page`.
#[test]
fn the_picture_is_that_of_the_files() {
    let files: Vec<Results> = kept().into_iter().map(|(_, results)| results).collect();
    let drawn = page::picture(&files).expect("it draws");
    let there = read(&root().join("docs/report/picture.svg"));
    assert!(
        drawn == there,
        "docs/report/picture.svg is not what bench/results says"
    );
    assert!(read(&root().join("README.md")).contains("docs/report/picture.svg"));
}

#[test]
fn the_pages_have_everything_and_lead_to_each_other() {
    let directory = std::env::temp_dir().join(format!("lanner-report-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let files = kept();
    page::write(&directory, &files).expect("they are written");
    let index = read(&directory.join("index.html"));
    let links = index
        .split("href=\"")
        .skip(1)
        .map(|rest| rest.split('"').next());
    let links: Vec<&str> = links.flatten().collect();
    assert!(links.len() >= 8, "{links:?}");
    for link in links {
        assert!(directory.join(link).is_file(), "{link} leads nowhere");
    }
    // A picture without words is nothing to those who do not see it.
    assert!(index.matches("<svg").count() >= 4);
    assert_eq!(
        index.matches("<svg").count(),
        index.matches("<desc>").count()
    );
    let native = read(&directory.join("native.html"));
    for (_, results) in files
        .iter()
        .filter(|(_, results)| !results.machine.predicted)
    {
        for cell in results.cells.iter().filter(|cell| cell.face == "c") {
            assert!(native.contains(&cell.column), "{}", cell.column);
        }
    }
    for (name, results) in &files {
        let csv = read(&directory.join(format!("data/{name}.csv")));
        assert_eq!(csv.lines().count(), results.cells.len() + 1);
    }
    std::fs::remove_dir_all(&directory).expect("it was ours");
}
