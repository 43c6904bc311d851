//! The script of the action for GitHub (action.yml), as a job would run it.
#![cfg(unix)]

use crate::harness::*;
use crate::tools::have;
use std::process::Command;

fn run(place: &Place, variables: &[(&str, &str)]) -> Run {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/action/verify.sh");
    let mut command = Command::new(script);
    command
        .arg(Place::program())
        .current_dir(place.root())
        .env("GITHUB_OUTPUT", place.path("output"))
        .envs(variables.iter().copied());
    Run::of(&mut command)
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
    run(&place, &[files]).ended(5);
    place.write("m", "n");
    run(&place, &[files, key]).ended(1);
    run(&place, &[("FILES", " \n"), key]).ended(3);
    run(&place, &[("FILES", "\n"), key]).failed(2, &["no files"]);

    std::fs::create_dir(place.path("t")).unwrap();
    place.write("t/a", "a");
    place.run(&["sign-tree", "-k", "k.pem", "t"]).ended(0);
    run(&place, &[("FILES", "t"), key, ("TREE", "true")]).ended(0);
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
