//! Runs this program under valgrind, group by group, and judges what memcheck reports.

use std::path::PathBuf;
use std::process::Command;

use crate::documented;
use crate::instructions::Code;
use crate::report::{self, Finding};

/// Which part of the checks to run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection<'a> {
    /// One group, by name; or all.
    pub(crate) group: Option<&'a str>,
    /// One backend of the curve, by name; or all.
    pub(crate) backend: Option<&'a str>,
    /// The C library, whose functions are checked then.
    pub(crate) c_library: Option<&'a str>,
    /// When stepping: some checks or controls, by name, with commas.
    pub(crate) check: Option<&'a str>,
    /// When stepping: on so many inputs.
    pub(crate) inputs: Option<&'a str>,
    /// When disturbing: after every so-manyth instruction.
    pub(crate) every: Option<&'a str>,
    /// When disturbing: after the first so many instructions alone.
    pub(crate) until: Option<&'a str>,
    pub(crate) seed: Option<&'a str>,
    /// When taking times: so many seconds of each operation.
    pub(crate) seconds: Option<&'a str>,
    /// When taking times: a program that takes others.
    pub(crate) program: Option<&'a str>,
}

/// How often each documented place was seen: by entry, by place.
pub(crate) type Seen = Vec<Vec<usize>>;

/// What came out of the runs.
#[derive(Default)]
pub(crate) struct Verdict {
    /// What nothing documents, in words.
    pub(crate) findings: Vec<String>,
    /// Each place of [`documented::ALL`].
    pub(crate) seen: Seen,
}

impl Verdict {
    pub(crate) fn new() -> Self {
        let seen = documented::ALL
            .iter()
            .map(|entry| vec![0; entry.places.len()]);
        Self {
            findings: Vec::new(),
            seen: seen.collect(),
        }
    }

    /// Adds what was reported while a group ran.
    pub(crate) fn judge(&mut self, group: &str, findings: &[Finding]) {
        for finding in findings.iter().filter(|finding| !is_of_libc(finding)) {
            let mut entries = documented::ALL.iter().zip(&mut self.seen);
            let known = entries.find_map(|(entry, seen)| {
                let place = entry.place_of(group, finding)?;
                Some(&mut seen[place])
            });
            match known {
                Some(seen) => *seen += finding.count,
                None => self
                    .findings
                    .push(format!("{group}: {}", finding.describe())),
            }
        }
    }

    /// The names of what is documented and was not seen, without what only the C library shows if it was
    /// not there.
    pub(crate) fn unseen(&self, with_c: bool) -> Vec<&'static str> {
        let entries = documented::ALL.iter().zip(&self.seen);
        let unseen = entries.filter(|(entry, seen)| {
            let here = with_c
                || entry
                    .places
                    .iter()
                    .any(|place| !place.path.starts_with("c/"));
            here && seen.iter().all(|times| *times == 0)
        });
        unseen.map(|(entry, _)| entry.name).collect()
    }

    /// The places that were not seen, of the entries that were: in words, for who prunes the list. Not seen in one build
    /// is not unneeded: the compiler merges branches, and a report is at one of their lines.
    /// Those in the C library are left out where it was not there.
    pub(crate) fn unseen_places(&self, with_c: bool) -> Vec<String> {
        let entries = documented::ALL.iter().zip(&self.seen);
        let entries = entries.filter(|(_, seen)| seen.iter().any(|times| *times > 0));
        let places = entries.flat_map(|(entry, seen)| {
            let places = entry.places.iter().zip(seen);
            let unseen = places
                .filter(|(place, times)| **times == 0 && (with_c || !place.path.starts_with("c/")));
            unseen.map(|(place, _)| format!("{}: {}: {}", entry.name, place.path, place.line))
        });
        places.collect()
    }

    /// What was seen, a line for each entry.
    pub(crate) fn print(&self) {
        for (entry, seen) in documented::ALL.iter().zip(&self.seen) {
            let times: usize = seen.iter().sum();
            println!(
                "documented: {}: {times} times ({})",
                entry.name, entry.says.0
            );
        }
        for finding in &self.findings {
            println!("FINDING {finding}");
        }
    }
}

/// Whether the library of C was reported, at work for itself. In a program that is linked statically valgrind does not
/// know its allocator, and takes for undefined what that one keeps.
fn is_of_libc(finding: &Finding) -> bool {
    const NAMES: &[&str] = &[
        "_int_free",
        "_int_malloc",
        "calloc",
        "close",
        "free",
        "malloc",
        "open64",
        "read",
        "realloc",
        "write",
    ];
    let innermost = finding.stack.first();
    innermost.is_some_and(|frame| frame.line == 0 && NAMES.contains(&frame.function.as_str()))
}

/// Runs groups of checks under valgrind.
///
/// # Errors
///
/// Valgrind does not run, or a result was another one under marks.
pub(crate) fn run(groups: &[&str], selection: &Selection<'_>) -> Result<Verdict, String> {
    let mut verdict = Verdict::new();
    for group in groups {
        let findings = run_group(group, selection)?;
        verdict.judge(group, &findings);
    }
    Ok(verdict)
}

/// Where the report of a group goes: a file of this process alone, removed when dropped.
struct ReportFile(PathBuf);

impl Drop for ReportFile {
    fn drop(&mut self) {
        // A report that stays behind does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn run_group(group: &str, selection: &Selection<'_>) -> Result<Vec<Finding>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let file = format!("lanner-ct-{}-{group}.xml", std::process::id());
    let file = ReportFile(std::env::temp_dir().join(file));
    let mut command = Command::new("valgrind");
    command
        .args([
            "--quiet",
            "--error-limit=no",
            // Bit by bit in comparisons, too: a flag of one secret bit in a byte is never the byte that says "none".
            "--expensive-definedness-checks=yes",
            // Without it an instruction may be reported at the place of one before it.
            "--vex-iropt-register-updates=allregs-at-each-insn",
            "--num-callers=40",
            "--xml=yes",
        ])
        .arg(format!("--xml-file={}", file.0.display()))
        .arg(program)
        .args(["check", "--group", group]);
    if let Some(backend) = selection.backend {
        command.args(["--backend", backend]);
    }
    if let Some(library) = selection.c_library {
        command.args(["--c-library", library]);
    }
    let output = command
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    // 1 is for uses of secrets, which are judged here.
    if !matches!(output.status.code(), Some(0 | 1)) || said.contains(crate::ANOTHER_RESULT) {
        return Err(format!(
            "{command:?}: {}\n{said}{complaints}",
            output.status
        ));
    }
    for line in said.lines().filter(|line| line.starts_with("backend ")) {
        println!("{group}: {line}");
    }
    let xml = std::fs::read_to_string(&file.0);
    let xml = xml.map_err(|error| format!("{}: {error}", file.0.display()))?;
    let mut findings = report::read(&xml, &mut Code::read(&said))?;
    let before = said
        .lines()
        .find_map(|line| line.strip_prefix(crate::BEFORE));
    if before != Some("0") {
        findings.retain(|finding| {
            finding
                .stack
                .iter()
                .any(|frame| frame.path.ends_with("ct/src/main.rs"))
        });
    }
    Ok(findings)
}
