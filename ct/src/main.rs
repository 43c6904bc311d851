//! Runs the operations that handle secrets under observation: see README.md.

mod c_library;
mod checks;
#[cfg(test)]
mod complete;
mod controls;
mod documented;
#[cfg(test)]
mod dropped;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod faults;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod followed;
mod instructions;
mod memcheck;
mod output;
mod random;
mod report;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod residue;
mod secrets;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod stepping;
mod timing;
mod valgrind;
#[cfg(test)]
mod wiped;

use std::process::ExitCode;

use lanner_curve::backend::{self, Backend};

use checks::{Check, GROUPS, Group};
use secrets::Secrets;
use valgrind::Selection;

const USAGE: &str = "\
usage: lanner-ct valgrind [SELECTION]      run the checks under valgrind, group by group, and judge
       lanner-ct step [SELECTION] [--check NAME,...] [--inputs N]
                                           run the checks of a backend (the first, without a selection)
                                           instruction by instruction, and compare secrets
       lanner-ct faults [--check NAME,...] [--backend NAME] [--every N] [--until N] [--seed N]
                                           disturb signing after every Nth instruction, or the first of them, and look
                                           at what comes out; which bit is flipped, or whether the next instruction is
                                           left out, is drawn from the seed
       lanner-ct residue [--backend NAME]  run the public operations, and look for what they leave on the stack
       lanner-ct timing [SELECTION] [--check NAME,...] [--seconds N] [--program COMMAND]
                                           take times of checks of a backend (the first, without a selection), or
                                           have a program take some, and compare one secret with others
       valgrind lanner-ct check [SELECTION]     run them, and count what memcheck reports
       valgrind lanner-ct control NAME [--backend NAME]     run a leak that must be reported
       lanner-ct list                      groups, checks, controls, and backends of this machine
       SELECTION: --group NAME,..., --backend NAME; everything without
                  --c-library PATH: with the functions of the C library that is there";

/// So many different inputs for each check.
const INPUTS: usize = 2;

/// How [`count`] says how much was reported before the first check: nothing, but for what valgrind finds in
/// the start of a program that is linked statically.
const BEFORE: &str = "reported before: ";

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
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        ["residue", ref rest @ ..] => residue(&selection(rest)?),
        ["step", ref rest @ ..] => step(&selection(rest)?),
        ["stepped", name, input, ref rest @ ..] => {
            stepped(name, input, &selection(rest)?)?;
            Ok(true)
        }
        ["faults", ref rest @ ..] => faults(&selection(rest)?),
        ["timing", ref rest @ ..] => times(&selection(rest)?),
        ["disturbed", name, ref rest @ ..] => {
            disturbed(name, &selection(rest)?)?;
            Ok(true)
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
            "--check" => &mut selection.check,
            "--inputs" => &mut selection.inputs,
            "--every" => &mut selection.every,
            "--until" => &mut selection.until,
            "--seed" => &mut selection.seed,
            "--seconds" => &mut selection.seconds,
            "--program" => &mut selection.program,
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
    let Some(names) = selection.group else {
        let possible = |group: &&Group| !group.of_c || c_library::is_loaded();
        return Ok(GROUPS.iter().filter(possible).collect());
    };
    let group = |name| {
        let mut groups = GROUPS.iter();
        groups
            .find(|group| group.name == name)
            .ok_or_else(|| format!("no group '{name}'"))
    };
    names.split(',').map(group).collect()
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
        for name in verdict.unseen(c_library::is_loaded()) {
            println!("UNSEEN {name}");
        }
        for place in verdict.unseen_places(c_library::is_loaded()) {
            println!("not seen in this build: {place}");
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
    println!("{BEFORE}{}", memcheck::errors());
    let mut clean = true;
    for &backend in backends {
        // Where no backend of the curve has a part, none is forced: FN-DSA runs on the vectors that the processor has, also
        // where valgrind's lacks what the curve asks of `avx2`.
        if group.on_backends {
            backend::force(backend).map_err(|error| error.to_string())?;
        }
        if group.on_backends && group.of_c && checks::force_in_c(backend).is_err() {
            // It is built without the feature that has this one.
            continue;
        }
        let results = checks
            .iter()
            .map(|check| examine(check, group.fn_dsa, backend));
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
fn examine(check: &Check, fn_dsa: bool, backend: Backend) -> bool {
    let (name, operation) = check;
    let mut clean = true;
    for i in 0..INPUTS {
        let plain = Secrets::new(i, fn_dsa);
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

/// Scans the stack after the public operations. Whether they left nothing, and whether the scan sees what is left on
/// purpose.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn residue(selection: &Selection<'_>) -> Result<bool, String> {
    if cfg!(debug_assertions) {
        return Err(String::from(
            "the stack of a build for debugging is not promised; use --release",
        ));
    }
    let mut clean = true;
    for backend in backends_of(&GROUPS[0], selection)? {
        backend::force(backend).map_err(|error| error.to_string())?;
        for (kind, operations, expected) in [
            ("operations", residue::CURVE, residue::CURVE.len()),
            ("controls", residue::CONTROLS, 0),
        ] {
            let left_nothing = residue::observe(operations, backend);
            println!(
                "backend {backend}: {left_nothing} of {} {kind} left nothing",
                operations.len()
            );
            clean &= left_nothing == expected;
        }
    }
    // FN-DSA has four ways: vectors of AVX-512, of AVX2, those of 128 bits, and one lane.
    let ways = [
        Backend::Avx512,
        Backend::Avx2,
        Backend::Sse2,
        Backend::Neon,
        Backend::Portable32,
    ];
    for backend in backends_of(&GROUPS[0], selection)? {
        if !ways.contains(&backend) {
            continue;
        }
        backend::force(backend).map_err(|error| error.to_string())?;
        for (kind, operations) in [("FN-DSA", residue::FN_DSA), ("hybrid", residue::HYBRID)] {
            let left_nothing = residue::observe(operations, backend);
            println!(
                "{kind}, backend {backend}: {left_nothing} of {} operations left nothing",
                operations.len()
            );
            clean &= left_nothing == operations.len();
        }
    }
    Ok(clean)
}

/// The checks that a selection names; without one, those of the curve's groups. No attempt of a signature or of a key shows
/// there, and the steps are not too many.
fn chosen(selection: &Selection<'_>) -> Result<Vec<&'static Check>, String> {
    match (selection.check, selection.group) {
        (Some(names), _) => names.split(',').map(|name| Ok(any(name)?.0)).collect(),
        (None, group) => {
            let groups = groups(selection)?
                .into_iter()
                .filter(|known| group.is_some() || known.on_backends);
            Ok(groups.flat_map(|group| group.checks).collect())
        }
    }
}

/// Takes times of checks, and of controls before them. Whether no check shows a secret and every control does; a program that
/// takes times brings controls of its own, whose names begin with `control`.
fn times(selection: &Selection<'_>) -> Result<bool, String> {
    /// Those whose leaks are longer than a clock takes to be read.
    const CONTROLS: [&str; 2] = ["vartime-multiplication", "vartime-verification"];
    let mut right = true;
    let mut judge = |what: &str, control: bool, times: Option<timing::Times>| {
        let fits = times.is_some_and(|times| times.is_even() != control);
        let found = if fits { "" } else { "  NOT AS IT SHOULD BE" };
        println!("{what}: {}{found}", timing::words(times.as_ref()));
        right &= fits;
    };
    if let Some(command) = selection.program {
        for (name, times) in timing::of_program(command)? {
            judge(&name, name.starts_with("control"), times);
        }
        return Ok(right);
    }
    if cfg!(debug_assertions) {
        return Err(String::from(
            "built with debug assertions, which branch on secrets; use --release",
        ));
    }
    let seconds = match selection.seconds {
        Some(number) => number.parse().ok().filter(|seconds| *seconds > 0),
        None => Some(5),
    };
    let seconds = std::time::Duration::from_secs(seconds.ok_or("whole seconds are needed")?);
    let backend = backends_of(&GROUPS[0], selection)?[0];
    backend::force(backend).map_err(|error| error.to_string())?;
    if c_library::is_loaded() {
        checks::force_in_c(backend)?;
    }
    let checks = chosen(selection)?;
    let is = |check: &Check, what: fn(&Group) -> bool| -> Result<bool, String> {
        Ok(any(check.0)?.1.is_some_and(what))
    };
    let mut fn_dsa = false;
    for check in &checks {
        fn_dsa |= is(check, |group| group.fn_dsa)?;
    }
    let mut pool = timing::Pool::new(fn_dsa);
    for name in CONTROLS {
        let what = format!("{backend} control {name}");
        let times = timing::take(any(name)?.0, false, &mut pool, seconds);
        judge(&what, true, times);
    }
    for check in checks {
        let what = format!("{backend} {}", check.0);
        let untimed = |(name, _): &&(&str, &str)| check.0.starts_with(name);
        if let Some((_, reason)) = checks::UNTIMED.iter().find(untimed) {
            println!("{what}: no times are taken: {reason}");
            continue;
        }
        let draws = is(check, |group| group.draws)?;
        judge(&what, false, timing::take(check, draws, &mut pool, seconds));
    }
    Ok(right)
}

/// Runs checks instruction by instruction. Whether nothing differs.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn step(selection: &Selection<'_>) -> Result<bool, String> {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    let backend = backends_of(&GROUPS[0], selection)?[0];
    let inputs = match selection.inputs {
        Some(number) => number
            .parse()
            .ok()
            .filter(|n| (2..secrets::INPUTS).contains(n)),
        None => Some(INPUTS),
    };
    let inputs = inputs.ok_or("a number of inputs from 2 to 3 is needed")?;
    let mut checks = chosen(selection)?;
    let mut arguments = vec!["--backend", backend.name()];
    if let Some(library) = selection.c_library {
        arguments.extend(["--c-library", library]);
    }
    // The last ones first off the stack.
    checks.reverse();
    let (left, clean) = (Mutex::new(checks), AtomicBool::new(true));
    let work = || {
        loop {
            let Some(check) = left.lock().ok().and_then(|mut left| left.pop()) else {
                return Ok(());
            };
            match stepping::compare(check, &arguments, inputs)? {
                stepping::Comparison::Same(steps) => {
                    println!(
                        "{backend} {}: {steps} steps, the same {inputs} times",
                        check.0
                    );
                }
                stepping::Comparison::Differs(how) => {
                    println!("{backend} {}: DIFFERS at {how}", check.0);
                    clean.store(false, Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut results = threads.into_iter().map(|thread| thread.join());
        results.try_for_each(|result| result.unwrap_or(Err(String::from("a thread failed"))))
    })
    .map(|()| clean.into_inner())
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn step(_: &Selection<'_>) -> Result<bool, String> {
    Err(String::from(
        "programs can be followed on Linux on x86-64 only",
    ))
}

/// Signs, with a fault after every so-manyth instruction. Whether what checks itself gave out nothing but the right signature.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn faults(selection: &Selection<'_>) -> Result<bool, String> {
    let backend = backends_of(&GROUPS[0], selection)?[0];
    let number = |text: Option<&str>, default: usize| match text {
        Some(text) => text.parse().ok().filter(|number| *number > 0),
        None => Some(default),
    };
    let every = number(selection.every, 1).ok_or("a distance of 1 or more is needed")?;
    let until = number(selection.until, usize::MAX).ok_or("1 instruction or more is needed")?;
    let seed = number(selection.seed, 1).ok_or("a seed of 1 or more is needed")?;
    let names: Vec<&str> = match selection.check {
        Some(names) => names.split(',').collect(),
        None => faults::ALL.iter().map(|(name, _)| *name).collect(),
    };
    let mut clean = true;
    for name in names {
        let places = faults::Places {
            every,
            until,
            seed: seed as u64,
        };
        let campaign = faults::disturb(name, backend.name(), places)?;
        let total: usize = campaign.effects.values().sum();
        println!(
            "{backend} {name}: {} instructions, {total} faults",
            campaign.instructions
        );
        for (effect, number) in &campaign.effects {
            println!("  {effect}: {number}");
        }
        if name.ends_with("-checked") {
            for finding in &campaign.findings {
                println!("  {finding}");
            }
            clean &= campaign.is_clean();
        }
    }
    Ok(clean)
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn faults(selection: &Selection<'_>) -> Result<bool, String> {
    step(selection)
}

/// Signs, to be followed and disturbed by [`faults()`].
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn disturbed(name: &str, selection: &Selection<'_>) -> Result<(), String> {
    let backend = backends_of(&GROUPS[0], selection)?[0];
    backend::force(backend).map_err(|error| error.to_string())?;
    faults::be_disturbed(name)
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn disturbed(_: &str, selection: &Selection<'_>) -> Result<(), String> {
    step(selection).map(drop)
}

/// Runs a check to be followed by [`step`].
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn stepped(name: &str, input: &str, selection: &Selection<'_>) -> Result<(), String> {
    use std::hint::black_box;

    let ((_, operation), group) = any(name)?;
    let fn_dsa = group.is_some_and(|group| group.fn_dsa);
    let input = input.parse().ok().filter(|input| *input < secrets::INPUTS);
    let input = input.ok_or("no such input")?;
    let backend = backends_of(&GROUPS[0], selection)?[0];
    backend::force(backend).map_err(|error| error.to_string())?;
    if c_library::is_loaded() {
        checks::force_in_c(backend)?;
    }
    let prepare = || {
        let secrets = Secrets::new(input, fn_dsa);
        // Whatever is done once is done, in the same way whatever the input is.
        black_box(operation(&Secrets::new(secrets::INPUTS - 1, fn_dsa)));
        secrets
    };
    followed::be_followed(prepare, |secrets| {
        black_box(black_box(operation)(black_box(&secrets)));
    })
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn stepped(_: &str, _: &str, selection: &Selection<'_>) -> Result<(), String> {
    step(selection).map(drop)
}

/// A check, by its name, and its group, or a control, which has none.
fn any(name: &str) -> Result<(&'static Check, Option<&'static Group>), String> {
    let checks = GROUPS.iter().flat_map(|group| {
        let checks = group.checks.iter();
        checks.map(move |check| (check, Some(group)))
    });
    let controls = controls::ALL.iter().chain(controls::STEPPED);
    let mut all = checks.chain(controls.map(|control| (control, None)));
    all.find(|((known, _), _)| *known == name)
        .ok_or_else(|| format!("no check and no control '{name}'"))
}

fn named(name: &str) -> Result<Backend, String> {
    backend::list()
        .find(|backend| backend.name() == name)
        .ok_or_else(|| format!("no backend '{name}' on the processor at hand"))
}

/// A control, as a group of its own.
fn one(name: &str) -> Result<Group, String> {
    let at = controls::ALL.iter().position(|(known, _)| *known == name);
    let at = at.ok_or_else(|| format!("no control '{name}'"))?;
    Ok(checks::curve("control", &controls::ALL[at..=at]))
}

fn list() {
    fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
        names.collect::<Vec<_>>().join(" ")
    }
    println!("groups: {}", names(GROUPS.iter().map(|group| group.name)));
    let checks = GROUPS.iter().flat_map(|group| group.checks);
    println!("checks: {}", names(checks.map(|(name, _)| *name)));
    println!(
        "controls: {}",
        names(controls::ALL.iter().map(|(name, _)| *name))
    );
    println!(
        "backends: {}",
        names(backend::list().map(|backend| backend.name()))
    );
}
