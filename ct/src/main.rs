//! Runs everything that handles secrets under observation: see README.md.

mod c_library;
mod checks;
mod controls;
mod documented;
mod instructions;
mod memcheck;
mod output;
mod random;
mod report;
mod secrets;
mod valgrind;

use std::process::ExitCode;

use lanner_curve::backend::{self, Backend};

use checks::{Check, GROUPS, Group};
use secrets::Secrets;
use valgrind::Selection;

const USAGE: &str = "\
usage: lanner-ct valgrind [SELECTION]      run the checks under valgrind, group by group, and judge
       valgrind lanner-ct check [SELECTION]     run them, and count what memcheck reports
       valgrind lanner-ct control NAME [--backend NAME]     run a leak that must be reported
       lanner-ct list                      groups, checks, controls, and backends of this machine
       SELECTION: --group NAME, --backend NAME; everything without
                  --c-library PATH: with the functions of the C library that is there";

/// So many different inputs for each check.
const INPUTS: usize = 2;

/// What [`examine`] says where marks change a result.
const ANOTHER_RESULT: &str = "another result under marks";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("lanner-ct: {message}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing was reported and every result was right.
fn run(args: &[&str]) -> Result<bool, String> {
    match *args {
        ["list"] => {
            list();
            Ok(true)
        }
        ["valgrind", ref rest @ ..] => judge(&selection(rest)?),
        ["check", ref rest @ ..] => {
            let selection = selection(rest)?;
            print!("{}", instructions::mapped());
            let mut clean = true;
            for group in groups(&selection)? {
                clean &= count(group, &backends_of(group, &selection)?)?;
            }
            Ok(clean)
        }
        ["control", control, ref rest @ ..] => {
            let backends = backends_of(&GROUPS[0], &selection(rest)?)?;
            count(&one(control)?, &backends[..1])
        }
        _ => Err(String::from(USAGE)),
    }
}

fn selection<'a>(mut args: &[&'a str]) -> Result<Selection<'a>, String> {
    let mut selection = Selection::default();
    while let [name, value, ref rest @ ..] = *args {
        let place = match name {
            "--group" => &mut selection.group,
            "--backend" => &mut selection.backend,
            "--c-library" => &mut selection.c_library,
            _ => return Err(format!("unknown option {name}\n{USAGE}")),
        };
        *place = Some(value);
        args = rest;
    }
    if !args.is_empty() {
        return Err(String::from(USAGE));
    }
    if let Some(path) = selection.c_library {
        c_library::load(path)?;
    }
    Ok(selection)
}

fn groups(selection: &Selection<'_>) -> Result<Vec<&'static Group>, String> {
    let wanted = |group: &&Group| match selection.group {
        Some(name) => name == group.name,
        None => !group.of_c || c_library::is_loaded(),
    };
    let groups: Vec<_> = GROUPS.iter().filter(wanted).collect();
    match (groups.is_empty(), selection.group) {
        (true, Some(name)) => Err(format!("no group '{name}'")),
        _ => Ok(groups),
    }
}

/// The backends on which a group runs: one, where no backend of the curve has a part in it.
fn backends_of(group: &Group, selection: &Selection<'_>) -> Result<Vec<Backend>, String> {
    let mut backends: Vec<_> = match selection.backend {
        Some(name) => vec![named(name)?],
        None => backend::list().collect(),
    };
    if !group.on_backends {
        backends.truncate(1);
    }
    Ok(backends)
}

/// Runs the checks under valgrind. Whether everything that was seen is documented, and, if all checks
/// ran, whether everything that is documented was seen.
fn judge(selection: &Selection<'_>) -> Result<bool, String> {
    let names: Vec<&str> = groups(selection)?.iter().map(|group| group.name).collect();
    let verdict = valgrind::run(&names, selection)?;
    verdict.print();
    if selection.group.is_none() {
        for place in verdict.unseen(c_library::is_loaded()) {
            println!("UNSEEN {place}");
        }
    }
    Ok(verdict.findings.is_empty())
}

/// Runs checks on backends, on plain and on marked input, and counts what valgrind reports.
fn count(group: &Group, backends: &[Backend]) -> Result<bool, String> {
    if !memcheck::is_present() {
        return Err(format!("this proves nothing without valgrind\n{USAGE}"));
    }
    if cfg!(debug_assertions) {
        return Err(String::from(
            "built with debug assertions, which branch on secrets; use --release",
        ));
    }
    let checks = group.checks;
    let mut clean = true;
    for &backend in backends {
        backend::force(backend).map_err(|error| error.to_string())?;
        if group.of_c && checks::force_in_c(backend).is_err() {
            // It is built without the feature that has this one.
            continue;
        }
        let results = checks.iter().map(|check| examine(check, backend));
        let leaks = results.filter(|clean| !clean).count();
        println!(
            "backend {backend}: {} of {} without a report",
            checks.len() - leaks,
            checks.len()
        );
        clean &= leaks == 0;
    }
    Ok(clean)
}

/// Runs a check on plain and on marked input. Says what is reported; true if nothing is.
fn examine(check: &Check, backend: Backend) -> bool {
    let (name, operation) = check;
    let mut clean = true;
    for i in 0..INPUTS {
        let plain = Secrets::new(i);
        let expected = operation(&plain);
        let marked = plain.marked();
        let before = memcheck::errors();
        let mut output = operation(&marked);
        let errors = memcheck::errors() - before;
        output.declassify();
        if errors > 0 {
            println!("{backend} {name}: {errors} uses of a secret reported");
            clean = false;
        }
        if output != expected {
            println!("{backend} {name}: {ANOTHER_RESULT}");
            clean = false;
        }
    }
    clean
}

fn named(name: &str) -> Result<Backend, String> {
    backend::list()
        .find(|backend| backend.name() == name)
        .ok_or_else(|| format!("no backend '{name}' on the processor at hand"))
}

fn one(name: &str) -> Result<Group, String> {
    let at = controls::ALL.iter().position(|(known, _)| *known == name);
    let at = at.ok_or_else(|| format!("no control '{name}'"))?;
    Ok(Group {
        name: "control",
        on_backends: true,
        of_c: false,
        checks: &controls::ALL[at..=at],
    })
}

fn list() {
    fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
        names.collect::<Vec<_>>().join(" ")
    }
    println!("groups: {}", names(GROUPS.iter().map(|group| group.name)));
    println!("checks: {}", names(checks::all().map(|(name, _)| *name)));
    println!(
        "controls: {}",
        names(controls::ALL.iter().map(|(name, _)| *name))
    );
    println!(
        "backends: {}",
        names(backend::list().map(|backend| backend.name()))
    );
}
