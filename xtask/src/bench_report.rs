//! `cargo xtask bench-report`: every face beside its peers, and the page that shows it.
//!
//! Nothing is measured and nothing is drawn here: each face has its own benchmark, and `bench/report` joins what they
//! write.

use std::path::{Path, PathBuf};

use crate::files::{copy, fresh, make, text};
use crate::needs;
use crate::process::{Cmd, root, target_dir, value};

pub(crate) const HELP: &str = "\
  bench-report [--quick] [--keep NAME] [--page]
                  measure Rust, C, JavaScript and Python beside their peers; write target/report/index.html, the data as
                  JSON and CSV, and docs/benchmarks.md
                    --quick      few short rounds: under five minutes once all is built; docs/benchmarks.md stays
                    --keep NAME  keep the result as bench/results/NAME.json, and the README's picture of all that is kept
                    --page       measure nothing: the page and the picture of what is kept
                    (further options are handed to lanner-bench)
";

/// Lengths of long messages, and whose throughput is measured with them.
const LENGTHS: [&str; 4] = ["256", "4096", "65536", "1048576"];
const LONG: &str = "dalek,aws-lc,graviola,ring,libsodium,openssl";

/// The tables of the npm package's benchmark that a quick run has: none of its starts of fresh processes.
const WARM: &str = "^(ed25519-(short|long|longest)|x25519|falcon-(512|1024)) ";

#[derive(Debug, Default, PartialEq)]
struct Options {
    quick: bool,
    keep: Option<String>,
    page: bool,
    rest: Vec<String>,
}

impl Options {
    fn read(args: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--quick" => options.quick = true,
                "--keep" => options.keep = Some(value(arg, &mut args)?.to_owned()),
                "--page" => options.page = true,
                other => options.rest.push(other.to_owned()),
            }
        }
        if options.page && (options.quick || options.keep.is_some() || !options.rest.is_empty()) {
            return Err("bench-report: --page measures nothing, and stands alone".into());
        }
        Ok(options)
    }

    /// The command as one would type it.
    fn typed(&self) -> String {
        let quick = if self.quick { " --quick" } else { "" };
        let rest = self.rest.iter().map(|word| format!(" {word}"));
        format!(
            "cargo xtask bench-report{quick}{}",
            rest.collect::<String>()
        )
    }
}

/// # Errors
///
/// The benchmark of Rust or the page fails. A face that is not built is left out, and said to be.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let options = Options::read(args)?;
    let report = target_dir().join("report");
    if options.page {
        make(&report)?;
        picture()?;
        return page(&report, None);
    }
    fresh(&report)?;
    let name = options.keep.as_deref().unwrap_or("this-machine");
    let joined = report.join(format!("{name}.json"));
    measure(&options, &report.join("parts"), &joined)?;
    if let Some(name) = &options.keep {
        copy(&joined, &kept_in().join(format!("{name}.json")))?;
        picture()?;
    }
    page(&report, Some(&joined))
}

/// All faces, one after the other, joined into one file.
fn measure(options: &Options, parts: &Path, joined: &Path) -> Result<(), String> {
    make(parts)?;
    let step = |number: usize, what: &str| println!("\n[{number}/5] {what}");
    let mut files = Vec::new();
    let mut bench = |name: &str, args: &[&str], rest: &[String]| {
        let file = parts.join(format!("{name}.json"));
        let amount: &[&str] = match options.quick {
            true => &["--quick"],
            false => &["--rounds", "25"],
        };
        let made = lanner_bench()
            .args(["--submit", &text(&file)])
            .args(args.iter().copied())
            .args(amount.iter().copied())
            .args(rest.iter().cloned())
            .to_file(&parts.join(format!("{name}.txt")));
        files.push(file);
        made
    };

    step(
        1,
        "Rust and C, short messages, and everybody's verdicts on odd signatures",
    );
    let judged = verdicts(parts)?;
    let mut args = vec!["--verdicts", "--backends"];
    args.extend(judged.iter().map(String::as_str));
    if !options.quick {
        args.extend(["--markdown", "--size"]);
    }
    bench("short", &args, &options.rest)?;
    step(2, "Rust and C, long messages");
    for length in LENGTHS {
        let args = [
            "--rows",
            "sign,verify",
            "--peers",
            LONG,
            "--message",
            length,
        ];
        bench(length, &args, &[])?;
    }

    let mut join = report()
        .args(["join", &text(joined)])
        .args(["--command", &options.typed()]);
    step(3, "JavaScript");
    match npm(options.quick, &parts.join("npm.json")) {
        Ok(file) => join = join.args(["--npm", &text(&file)]),
        Err(reason) => join = join.args(["--missing", &missing("JavaScript", &reason)]),
    }
    step(4, "Python");
    match python(options.quick, &parts.join("python.json")) {
        Ok(file) => join = join.args(["--python", &text(&file)]),
        Err(reason) => join = join.args(["--missing", &missing("Python", &reason)]),
    }
    step(5, "the page");
    join.args(files.iter().map(|file| text(file)))
        .run()
        .map(drop)
}

fn lanner_bench() -> Cmd {
    Cmd::cargo(["run", "--release", "-p", "lanner-bench", "--"])
}

fn report() -> Cmd {
    Cmd::cargo(["run", "--quiet", "-p", "lanner-bench-report", "--"])
}

/// What JavaScript and Python say to odd signatures, where they are built, as options of the benchmark of Rust. (That a face
/// is missing is said where it is measured.)
fn verdicts(parts: &Path) -> Result<Vec<String>, String> {
    let mut judges = Vec::new();
    if npm_is_built().is_ok() {
        let judge = Cmd::new("node").args(["js/bench/verdicts.mjs"]);
        judges.push((judge, "npm-verdicts.json"));
    }
    if let Ok(python) = environment() {
        judges.push((
            python.args(["python/bench/verdicts.py"]),
            "python-verdicts.json",
        ));
    }
    let mut options = Vec::new();
    for (judge, name) in judges {
        let file = parts.join(name);
        judge.to_file(&file)?;
        options.push(format!("--verdicts-of={}", text(&file)));
    }
    Ok(options)
}

/// Says that a face is left out, and gives the words for the page.
fn missing(face: &str, reason: &str) -> String {
    eprintln!("bench-report: NOT MEASURED: {face}: {reason}");
    format!("{face}={reason}")
}

/// The benchmark of the npm package, which has to be built.
fn npm(quick: bool, file: &Path) -> Result<PathBuf, String> {
    npm_is_built()?;
    let mut command = Cmd::new("node").args(["js/test/performance.js", "--json"]);
    if quick {
        command = command.args(["--quick", "--only", WARM]);
    }
    command.to_file(file)?;
    Ok(file.to_owned())
}

fn npm_is_built() -> Result<(), String> {
    // One of the peers, which the package is built without.
    for needed in ["js/node_modules/tweetnacl", "js/dist/index.js"] {
        if !root().join(needed).exists() {
            return Err(format!("no {needed}: npm ci && npm run build, in js/"));
        }
    }
    Ok(())
}

/// The benchmark of the Python package, in the environment of its tests.
fn python(quick: bool, file: &Path) -> Result<PathBuf, String> {
    let mut command = environment()?.args(["python/bench/compare.py", "--json", &text(file)]);
    if quick {
        command = command.args(["--rounds", "7", "--span", "0.003"]);
    }
    command.to_file(&file.with_extension("txt"))?;
    Ok(file.to_owned())
}

/// The interpreter that has the package and its peers.
fn environment() -> Result<Cmd, String> {
    let python = needs::python(crate::python::HOME);
    let is_there = Cmd::new(&python).args(["-c", "import lanner, nacl, cryptography"]);
    is_there.capture().map_err(|_| {
        "no environment with the package: cargo xtask test --only 'Python: the package, built' --install"
    })?;
    Ok(Cmd::new(&python))
}

/// Where results are kept.
fn kept_in() -> PathBuf {
    root().join("bench/results")
}

fn kept() -> Result<Vec<String>, String> {
    let directory = kept_in();
    let entries = std::fs::read_dir(&directory)
        .map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            files.push(text(&path));
        }
    }
    files.sort();
    Ok(files)
}

/// The picture of the README, which a test holds against what is kept.
fn picture() -> Result<(), String> {
    let file = root().join("docs/report/picture.svg");
    report()
        .args(["picture", &text(&file)])
        .args(kept()?)
        .run()
        .map(drop)
}

/// The page of what is kept, and of what was just measured before it.
fn page(directory: &Path, first: Option<&Path>) -> Result<(), String> {
    let mut command = report().args(["page", &text(directory)]);
    let mut files = kept()?;
    if let Some(first) = first {
        command = command.args(["--first", &text(first)]);
        // What was just kept is there as well.
        files.retain(|file| Path::new(file).file_name() != first.file_name());
    }
    command.args(files).run()?;
    println!("{}", directory.join("index.html").display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn options_are_ours_or_those_of_the_benchmark() {
        let read = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(String::from).collect();
            Options::read(&words)
        };
        let options = read("--quick --keep name --peers dalek").expect("all are known");
        assert_eq!(options.keep.as_deref(), Some("name"));
        let typed = "cargo xtask bench-report --quick --peers dalek";
        assert_eq!(options.typed(), typed);
        assert!(read("--page").expect("it stands alone").page);
        assert!(read("--page --quick").is_err() && read("--keep").is_err());
    }
}
