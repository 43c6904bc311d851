use super::full::{BACKENDS, MSRV, WHOLE, constant_time};
use super::{
    LIBRARIES, Need, Step, Tier, c_steps, missing_for_the_rest, parse, quick, quick_packages, steps,
};
use crate::around::AROUND;
use crate::emulated;
use crate::layers::workspace;
use crate::pages;
use crate::process::{Cmd, root};
use crate::steps::{Action, Selection};

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(String::from).collect()
}

fn names(steps: &[Step]) -> Vec<&str> {
    steps.iter().map(|step| step.name.as_str()).collect()
}

#[test]
fn options_are_read_or_refused() {
    let tier = |line: &str| parse(&words(line)).map(|(tier, _)| tier);
    assert_eq!(tier(""), Ok(None));
    assert_eq!(tier("--install --full --only no_std"), Ok(Some(Tier::Full)));
    assert_eq!(tier("--all --list --from C:"), Ok(Some(Tier::All)));
    for wrong in ["--full --all", "--only", "--from", "--fast", "--long", "x"] {
        assert!(tier(wrong).is_err(), "{wrong}");
    }
    let (_, selection) = parse(&words("--only no_std")).expect("it is known");
    assert!(selection != Selection::default() && selection.names_some());
}

#[test]
fn quick_takes_crates_with_or_without_the_prefix() {
    let packages = |line: &str| quick_packages(&words(line));
    let some = packages("curve lanner-cli lanner").expect("no option");
    assert_eq!(some, ["lanner-curve", "lanner-cli", "lanner"]);
    assert!(packages("").expect("none").len() > LIBRARIES.len());
    assert!(packages("--all").is_err());
    assert_eq!(quick(&some).len(), 4);
}

/// `test` and `test --full` repeat nothing of each other, and `--all` leaves nothing out.
#[test]
fn tiers_are_disjoint_and_all_has_everything() {
    let (native, full, all) = (steps(Tier::Native), steps(Tier::Full), steps(Tier::All));
    let all = names(&all);
    let mut unique = all.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), all.len());
    for name in names(&native) {
        assert!(all.contains(&name), "{name}");
        assert!(!names(&full).contains(&name), "{name}");
    }
    for name in names(&full) {
        assert!(all.contains(&name), "{name}");
    }
    assert!(all.len() > native.len() + full.len());
    let c = c_steps(false);
    let of_c = all.iter().filter(|name| name.starts_with("C: "));
    assert_eq!(of_c.count(), c.len());
}

/// Of the steps of a tier: which take what another makes, that is not there or does not run before them.
fn made_too_late(steps: &[Step]) -> Vec<&str> {
    let lacks = |(index, step): &(usize, &Step)| {
        let is_made = |name: &String| {
            let mut before = steps[..*index].iter();
            // Chains run beside each other.
            before.any(|other| other.name == *name && other.is_in_the_chain_of(step))
        };
        !step.after.iter().all(is_made)
    };
    let late = steps.iter().enumerate().filter(lacks);
    late.map(|(_, step)| step.name.as_str()).collect()
}

/// So there is no circle, either.
#[test]
fn what_steps_take_is_made_before_them() {
    for tier in [Tier::Native, Tier::Full, Tier::All] {
        assert_eq!(made_too_late(&steps(tier)), [""; 0], "{tier:?}");
    }
    assert_eq!(made_too_late(&c_steps(true)), [""; 0]);
    let takers = steps(Tier::All).into_iter().filter(|s| !s.after.is_empty());
    let takers: Vec<String> = takers.map(|step| step.name).collect();
    // One of each language, and those of the packages in their languages.
    for part in ["interop: everything", "JavaScript: Deno", "Python: beside"] {
        assert!(takers.iter().any(|name| name.starts_with(part)), "{part}");
    }
    let step = |name: &str| Step::new(name, &[], Action::Run(Vec::new()));
    assert_eq!(made_too_late(&[step("a").after("b"), step("b")]), ["a"]);
    assert_eq!(made_too_late(&[step("a").after("a")]), ["a"]);
    let circle = [step("a").after("b"), step("b").after("a")];
    assert_eq!(made_too_late(&circle), ["a"]);
    let beside = [step("a").beside("x"), step("b").after("a").beside("y")];
    assert_eq!(made_too_late(&beside), ["b"]);
    assert_eq!(made_too_late(&[step("a"), step("b").after("a")]), [""; 0]);
}

/// A feature that the first tier does not name would be tested nowhere beside its neighbours.
#[test]
fn whole_libraries_have_every_feature() {
    let metadata = workspace::metadata(&[]).expect("cargo tells");
    for (name, features) in WHOLE {
        let package = metadata.packages.iter().find(|p| p.name == *name);
        let all = &package.expect("it is a member").features;
        assert!(all.keys().eq(features.iter()), "{name}: {all:?}");
    }
}

/// A member that no tier tests would rot.
#[test]
fn every_member_is_tested() {
    let metadata = workspace::metadata(&[]).expect("cargo tells");
    let all = steps(Tier::All);
    for package in metadata.packages {
        let name = package.name.as_str();
        let tested = all.iter().any(|step| match &step.action {
            Action::Tests(commands) => commands.iter().any(|command| {
                command.display().contains(&format!("-p {name} "))
                    || command.display().ends_with(&format!("-p {name}"))
            }),
            _ => false,
        });
        assert!(tested, "{name}");
    }
    assert!(AROUND.contains(&"xtask"));
}

/// The first tier needs nothing that a newcomer has not.
#[test]
fn the_first_tier_needs_nothing_and_builds_no_peer() {
    for step in steps(Tier::Native) {
        assert_eq!(step.needs, Vec::<Need>::new(), "{}", step.name);
        if let Action::Run(commands) | Action::Tests(commands) = &step.action {
            for command in commands {
                let line = command.display();
                for peer in ["--workspace", "interop", "bench", "drop-in"] {
                    assert!(!line.contains(peer), "{line}");
                }
            }
        }
    }
}

#[test]
fn the_oldest_compiler_is_the_one_that_the_manifest_names() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("root manifest");
    assert!(manifest.contains(&format!("rust-version = \"{MSRV}\"")));
}

/// A test that is called something else would be left out without a word.
#[test]
fn the_tests_of_constant_time_exist() {
    let sources = ["residue", "valgrind", "stepping", "faults"].map(|name| {
        std::fs::read_to_string(root().join(format!("ct/tests/{name}.rs"))).expect(name)
    });
    let line = constant_time(false).display();
    let (_, names) = line.split_once("--exact ").expect("they are named exactly");
    assert!(names.split(' ').count() > 3);
    for name in names.split(' ') {
        let is_there = |source: &String| source.contains(&format!("fn {name}()"));
        assert!(sources.iter().any(is_there), "{name}");
    }
}

/// Tests of arithmetic that would let it overflow without a word show less. docs/unsafe.md names what is tested as it is released.
#[test]
fn optimised_tests_check_for_overflow() {
    const AS_RELEASED: [&str; 3] = [
        "FN-DSA: memory and stack, as they are released",
        emulated::PROVEN,
        emulated::MILLION,
    ];
    let mut with_checks = 0;
    for step in steps(Tier::All) {
        let Action::Tests(commands) = &step.action else {
            continue;
        };
        for line in commands.iter().map(Cmd::display) {
            if line.contains("cargo test --release") {
                let checks = line.contains("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true ");
                let as_released = AS_RELEASED.iter().any(|name| step.name.starts_with(name));
                assert_ne!(checks, as_released, "{}: {line}", step.name);
                with_checks += usize::from(checks);
            }
        }
    }
    assert_eq!(with_checks, 2);
}

/// A database that is fetched while tests run would make them depend on a network.
#[test]
fn advisories_are_looked_up_in_what_is_here() {
    let all = steps(Tier::All);
    let step = all.iter().find(|step| step.name.starts_with("advisories"));
    let step = step.expect("there is a step");
    assert_eq!(step.needs.last(), Some(&Need::Advisories));
    let Action::Run(commands) = &step.action else {
        panic!("it runs commands");
    };
    let lines = commands.iter().map(Cmd::display);
    let lines: Vec<_> = lines.filter(|line| line.contains("cargo-deny")).collect();
    assert_eq!(lines.len(), 12);
    for line in lines {
        assert!(line.contains("cargo-deny --offline "), "{line}");
        assert!(line.ends_with(" check advisories"), "{line}");
    }
}

/// What the workflows run of the suite is there.
#[test]
fn workflows_name_steps() {
    let mut number = 0;
    for file in pages::committed().expect("git lists them") {
        if file.starts_with(".github/workflows/") {
            let text = pages::read(&file).expect("it is there");
            let commands = text.lines().filter_map(|line| line.split_once("run: "));
            let commands = commands.filter(|(_, command)| command.contains("--only"));
            number += commands
                .map(|(_, command)| named_steps(&format!("`{command}`")))
                .sum::<usize>();
        }
    }
    assert_eq!(number, 1);
}

/// The last lines of the first tier speak of each of the others.
#[test]
fn what_is_missing_is_said_for_each_tier() {
    let lines = missing_for_the_rest();
    assert_eq!(lines.len(), 3);
    for (line, option) in lines[1..].iter().zip(["--full", "--all"]) {
        assert!(line.contains("missing") && line.contains(option), "{line}");
    }
}

/// What the pages tell to run is there, in the tier that they name.
#[test]
fn pages_name_steps() {
    let mut number = 0;
    for page in pages::of_markdown(&pages::committed().expect("git lists them")) {
        let text = pages::read(page).expect("it is there");
        let found = named_steps(&text);
        assert!(found > 25 || page != "docs/evidence.md", "only {found}");
        number += found;
    }
    assert!(number > 45, "only {number}");
}

/// How many commands of a page name steps, each of which must be there.
fn named_steps(page: &str) -> usize {
    let commands: Vec<&str> = page
        .split('`')
        .filter(|text| text.starts_with("cargo xtask test") && text.contains("--only"))
        .collect();
    for command in &commands {
        // A bar would end the cell of the table; texts with spaces stand in quotes.
        let (line, only) = command.split_once(" --only ").expect("it has one");
        let (only, rest) = match only.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').expect("a quote ends"),
            None => only.split_once(' ').unwrap_or((only, "")),
        };
        let only = only.replace("\\|", "|");
        let options = words(&format!(
            "{} {rest}",
            line.trim_start_matches("cargo xtask test")
        ));
        let (tier, mut selection) = parse(&options).expect(command);
        let only = [only];
        assert_eq!(selection.take("--only", &mut only.iter()), Ok(true));
        let tiers = tier.map_or(vec![Tier::Native, Tier::Full, Tier::All], |tier| vec![tier]);
        for text in only[0].split('|') {
            let has = |tier: &Tier| steps(*tier).iter().any(|step| step.name.contains(text));
            assert!(tiers.iter().any(has), "{command}: {text}");
        }
        assert!(
            tiers
                .iter()
                .any(|tier| !selection.choose(steps(*tier)).is_empty())
        );
    }
    commands.len()
}

/// One that is not named would be tested against nothing else; a name that no backend has would be skipped for ever.
#[test]
fn the_backends_of_this_machine_are_named() {
    for backend in lanner_simd::backend::list() {
        assert!(BACKENDS.contains(&backend.name()), "{backend}");
    }
}
