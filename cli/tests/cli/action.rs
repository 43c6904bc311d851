//! The script of the action for GitHub (action.yml), as a job would run it.
#![cfg(unix)]

use crate::harness::*;
use crate::tools::have;
use std::path::Path;
use std::process::Command;

/// What the script prints to the log, without the two lines between which the runner looks for no commands.
fn run(place: &Place, variables: &[(&str, &str)]) -> Run {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/action/verify.sh");
    let mut command = Command::new(script);
    command
        .arg(Place::program())
        .current_dir(place.root())
        .env("GITHUB_OUTPUT", place.path("output"))
        .envs(variables.iter().copied());
    let mut run = Run::of(&mut command);
    run.stdout = without_marks(run.text()).into_bytes();
    run
}

fn without_marks(log: &str) -> String {
    let (first, rest) = log.split_once('\n').unwrap();
    let token = first.strip_prefix("::stop-commands::").unwrap();
    assert!(token.len() == 32 && token.bytes().all(|it| it.is_ascii_hexdigit()));
    let inner = rest.strip_suffix(&format!("::{token}::\n"));
    inner.expect("the last line ends it").to_owned()
}

#[test]
fn a_job_checks_its_files() {
    if !have("bash", "the script of the action") {
        return;
    }
    let place = Place::new().with_keys();
    for file in ["m", "two words", "-n"] {
        place.write(file, file);
        place.run(&["sign", "-k", "k.pem", "--", file]).ended(0);
    }
    let files = ("FILES", "m\n\ntwo words\n-n\n");
    let key = ("KEY", "k.pub.pem");
    let good = run(&place, &[files, key]).ended(0);
    assert_eq!(good.json()["results"].as_array().unwrap().len(), 3);
    let output = String::from_utf8(place.read("output")).unwrap();
    assert!(
        output.starts_with("report<<") && output.contains("\"valid\":true"),
        "{output}"
    );
    run(&place, &[("FILES", "m"), ("PUBLIC_KEY", RFC8032_PUBLIC)]).ended(0);
    let pem = String::from_utf8(place.read("k.pub.pem")).unwrap();
    run(&place, &[("FILES", "m"), ("PUBLIC_KEY", &pem)]).ended(0);
    run(&place, &[files]).ended(5);
    place.write("m", "n");
    run(&place, &[files, key]).ended(1);
    run(&place, &[("FILES", " \n"), key]).ended(3);
    run(&place, &[("FILES", "\n"), key]).failed(2, &["no files"]);

    std::fs::create_dir(place.path("t")).unwrap();
    place.write("t/a", "a");
    place.run(&["sign-tree", "-k", "k.pem", "t"]).ended(0);
    run(&place, &[("FILES", "t"), key, ("TREE", "true")]).ended(0);
    for other in ["True", "yes", "1"] {
        let tree = [("FILES", "t"), key, ("TREE", other)];
        run(&place, &tree).failed(2, &["neither true nor false"]);
    }
    place.write("t/b", "b");
    run(&place, &[("FILES", "t"), key, ("TREE", "true")]).ended(1);
}

/// The inputs that the script knows are those that the action has.
#[test]
fn the_action_hands_on_what_it_takes() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let action = std::fs::read_to_string(format!("{root}/action.yml")).unwrap();
    let script = std::fs::read_to_string(format!("{root}/cli/action/verify.sh")).unwrap();
    let mut found = 0;
    for line in action.lines() {
        let line = line.trim();
        let Some((name, input)) = line.split_once(": ${{ inputs.") else {
            continue;
        };
        found += 1;
        assert!(script.contains(&format!("${{{name}:-")), "{name}");
        let input = input.trim_end_matches(" }}");
        assert_eq!(name.to_lowercase().replace('_', "-"), input);
        assert!(
            action.contains(&format!("\n  {input}:\n    description:")),
            "{input}"
        );
    }
    assert_eq!(found, 7);
}

/// Names that would be commands to the runner, which takes `##[…]` for one anywhere in a line.
#[test]
fn names_are_no_commands() {
    if !have("bash", "the script of the action") {
        return;
    }
    let place = Place::new().with_keys();
    let name = "##[error]no.txt";
    place.write(name, "m");
    place.run(&["sign", "-k", "k.pem", name]).ended(0);
    let files = ("FILES", name);
    let good = run(&place, &[files, ("KEY", "k.pub.pem")]).ended(0);
    assert!(good.text().contains(name), "{good:?}");
    let other = run(&place, &[files, ("KEY", "k.pub.pem")]);
    assert_eq!(good.stdout, other.stdout);
    run(&place, &[files, ("KEY", "##[add-path]x")]).ended(3);
}

/// A step of action.yml: where it runs, and what.
struct Step {
    directory: String,
    script: String,
}

fn steps(action: &str) -> Vec<Step> {
    let (_, steps) = action.split_once("\n  steps:\n").unwrap();
    let steps = steps.split("\n    - ").map(|step| {
        let field = |name: &str| {
            let mut lines = step.lines().map(|line| line.trim_start());
            let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))?;
            let value = value.strip_prefix('\'').unwrap_or(value);
            Some(value.strip_suffix('\'').unwrap_or(value).to_owned())
        };
        assert_eq!(field("shell").as_deref(), Some("bash"));
        Step {
            directory: field("working-directory").unwrap_or_default(),
            script: field("run").expect("each step runs something"),
        }
    });
    steps.collect()
}

/// The whole action over a workspace that somebody else has made: rustup takes the compiler that `rust-toolchain.toml` in the
/// directory, or in one above, names by its path, and cargo takes settings from there.
#[test]
fn a_hostile_workspace_chooses_no_tools() {
    if !have("bash", "the steps of the action") {
        return;
    }
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let action = std::fs::read_to_string(root.join("action.yml")).unwrap();
    let place = Place::new().with_keys();
    for directory in ["bin", "work", "work/.cargo", "work/evil", "action", "temp"] {
        std::fs::create_dir(place.path(directory)).unwrap();
    }
    std::os::unix::fs::symlink(root.join("cli"), place.path("action/cli")).unwrap();
    for file in [
        "work/rust-toolchain.toml",
        "work/rust-toolchain",
        "work/.cargo/config.toml",
    ] {
        place.write(file, "[toolchain]\npath = \"evil\"\n");
    }
    // What rustup and cargo look for, and the program in the place of what they would build.
    place.write(
        "bin/cargo",
        format!(
            "#!/bin/sh\nhere=$PWD\nwhile [ \"$here\" != / ]; do\n\
             for file in rust-toolchain rust-toolchain.toml .cargo/config.toml; do\n\
             if [ -e \"$here/$file\" ] && [ \"$here\" = {work:?} ]; then echo \"$*\" >> {pwned:?}; fi\ndone\n\
             here=$(dirname \"$here\")\ndone\n\
             [ -e cli/Cargo.toml ] || exit 9\n\
             mkdir -p \"$RUNNER_TEMP/lanner/bin\" && cp {program:?} \"$RUNNER_TEMP/lanner/bin/\"\n",
            work = place.path("work").canonicalize().unwrap(),
            pwned = place.path("pwned"),
            program = Place::program(),
        ),
    );
    set_mode(&place.path("bin/cargo"), 0o755);
    std::fs::copy(place.path("bin/cargo"), place.path("bin/rustc")).unwrap();
    place.write("work/m", "m");
    place.run(&["sign", "-k", "k.pem", "work/m"]).ended(0);
    let steps = steps(&action);
    assert_eq!(steps.len(), 2);
    let path = std::env::var("PATH").unwrap();
    for step in steps {
        let directory = match step.directory.as_str() {
            "" => place.path("work"),
            "${{ github.action_path }}" => place.path("action"),
            other => panic!("{other}"),
        };
        let mut command = Command::new("bash");
        command
            .args(["-e", "-o", "pipefail", "-c", &step.script])
            .current_dir(directory)
            .env("PATH", format!("{}:{path}", place.path("bin").display()))
            .env("GITHUB_ACTION_PATH", place.path("action"))
            .env("RUNNER_TEMP", place.path("temp"))
            .env("FILES", "m")
            .env("KEY", place.path("k.pub.pem"))
            .env_remove("GITHUB_OUTPUT");
        let run = Run::of(&mut command);
        assert!(!place.exists("pwned"), "{}: {run:?}", step.script);
        let run = run.ended(0);
        if step.script.contains("verify") {
            let log = without_marks(run.text());
            assert!(log.contains("\"valid\":true"), "{run:?}");
        }
    }
}
