//! What cargo runs the tests by: it ends them when one has failed. The programs themselves would run all that is left, which
//! for most mutants takes longer than all else.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// What xtask is called with in place of a part, with a test program and its words behind it.
pub(super) const FIRST_FAILURE: &str = "--first-failure";

/// Runs a program of tests until one fails. Tests that are named exactly run one after another, in the order named.
///
/// # Errors
///
/// One failed, or the program could not be started.
pub(super) fn run(words: &[String]) -> Result<(), String> {
    let (program, words) = words.split_first().ok_or("there is no program")?;
    for words in runs(words) {
        until_one_fails(program, &words)?;
    }
    Ok(())
}

/// The words of each run.
fn runs(words: &[String]) -> Vec<Vec<String>> {
    let is_option = |word: &String| word.starts_with('-');
    match words.split_first() {
        Some((exact, names)) if exact == "--exact" && !names.iter().any(is_option) => names
            .iter()
            .map(|name| vec![exact.clone(), name.clone()])
            .collect(),
        _ => vec![words.to_vec()],
    }
}

fn until_one_fails(program: &str, words: &[String]) -> Result<(), String> {
    let failed = |error| format!("{program}: {error}");
    let mut child = Command::new(program)
        .args(words)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    for line in output.lines().map_while(Result::ok) {
        println!("{line}");
        if has_failed(&line) {
            // What is left of it, what the test said among it, is of no use.
            child.kill().map_err(failed)?;
            break;
        }
    }
    let status = child.wait().map_err(failed)?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{program} ended with {status}"))
    }
}

/// Whether a line says that a test failed.
fn has_failed(line: &str) -> bool {
    line.starts_with("test ") && line.ends_with("... FAILED")
}

#[cfg(test)]
mod tests {
    use super::{has_failed, runs};

    #[test]
    fn failures_are_seen() {
        assert!(has_failed("test one::two ... FAILED"));
        assert!(has_failed("test one - should panic ... FAILED"));
        assert!(!has_failed("test one::two ... ok"));
        assert!(!has_failed("test result: ok. 1 passed; 0 failed"));
    }

    #[test]
    fn named_tests_run_in_their_order() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let of = |text| runs(&words(text));
        assert_eq!(of("--exact b a"), [words("--exact b"), words("--exact a")]);
        let quick = "--exact --skip b --skip a";
        assert_eq!(of(quick), [words(quick)]);
        assert_eq!(runs(&[]), [Vec::<String>::new()]);
    }
}
