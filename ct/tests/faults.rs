//! Signs while bits are flipped and instructions left out: what checks itself gives out the right signature or none, and what
//! does not gives out others, or the faults were none.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod build;

use std::path::Path;
use std::process::Command;

use build::{PLAIN, is_long};

/// Whether all that checks itself was clean, and what the program said.
fn disturb(program: &Path, check: &str, options: &[&str]) -> (bool, String) {
    let mut command = Command::new(program);
    command.args(["faults", "--check", check]).args(options);
    let output = command.output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => (true, text),
        Some(1) => (false, text),
        _ => panic!("{check}: {}\n{text}{errors}", output.status),
    }
}

/// Instructions that a hybrid signature begins with, to the end of the hash of the message.
const UNTIL: &str = "30000";

/// Instructions that a signature with randomness begins with, past the draw.
const DRAWN: &str = "42000";

/// What the start is tried with.
const SEEDS: [&str; 5] = ["1", "2", "3", "4", "5"];

/// How often an effect was seen.
fn number(text: &str, effect: &str) -> usize {
    let line = text.lines().find_map(|line| {
        let (name, number) = line.trim().split_once(": ")?;
        (name == effect).then(|| number.parse().ok())?
    });
    line.unwrap_or(0)
}

fn judge(check: &str, options: &[&str]) {
    let program = PLAIN.build();
    let checked = format!("{check}-checked");
    let (_, text) = disturb(&program, check, options);
    print!("{text}");
    let valid = number(&text, "ANOTHER VALID SIGNATURE");
    assert!(valid + number(&text, "ANOTHER RESPONSE") > 0, "{text}");
    assert!(number(&text, "ANOTHER SIGNATURE") > 0, "{text}");
    let (clean, text) = disturb(&program, &checked, options);
    print!("{text}");
    assert!(clean, "{text}");
    assert!(number(&text, "refused") > 0, "{text}");
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
fn no_fault_lets_another_signature_out() {
    judge("sign", &["--backend", "portable64", "--every", "1597"]);
}

/// What is signed comes in at the start, in registers that all that follows is made of. One change is drawn for each place:
/// what one draw misses, another finds.
#[test]
#[ignore = "builds the program anew; --include-ignored"]
fn no_fault_signs_another_message() {
    let program = PLAIN.build();
    let checks = [
        "sign-checked",
        "fn-dsa-sign-checked",
        "falcon-sign-checked",
        "hybrid-sign-checked",
    ];
    for seed in SEEDS {
        let options = [
            "--backend",
            "portable64",
            "--until",
            "1000",
            "--every",
            "1",
            "--seed",
            seed,
        ];
        let (_, text) = disturb(&program, "sign", &options);
        print!("{text}");
        assert!(number(&text, "ANOTHER SIGNATURE") > 0, "{text}");
        for check in checks {
            let (clean, text) = disturb(&program, check, &options);
            print!("seed {seed}: {text}");
            assert!(clean, "{text}");
            assert!(number(&text, "refused") > 0, "{text}");
        }
    }
}

/// The halves of a hybrid signature have one hash of the message, and nothing else in common. It is what comes first.
#[test]
#[ignore = "builds the program anew; --include-ignored"]
fn no_fault_signs_another_hash() {
    let program = PLAIN.build();
    let every = if is_long() { "11" } else { "71" };
    let options = [
        "--backend",
        "portable64",
        "--until",
        UNTIL,
        "--every",
        every,
    ];
    let (_, text) = disturb(&program, "hybrid-sign", &options);
    print!("{text}");
    assert!(number(&text, "ANOTHER SIGNATURE") > 0, "{text}");
    let (clean, text) = disturb(&program, "hybrid-sign-checked", &options);
    print!("{text}");
    assert!(clean, "{text}");
    assert!(number(&text, "refused") > 0, "{text}");
}

/// Takes half an hour.
#[test]
#[ignore = "long; LANNER_CT_LONG=1 and --include-ignored"]
fn no_fault_lets_another_signature_out_long() {
    if !is_long() {
        return;
    }
    judge("sign", &["--backend", "portable64"]);
    judge("sign", &[]);
    for check in ["fn-dsa-sign", "falcon-sign"] {
        judge(check, &["--every", "97"]);
        let checked = format!("{check}-checked");
        // The caller's instructions are among these, and one that names another message has that signed: of it is not asked.
        let options = ["--until", DRAWN, "--every", "7"];
        let (_, text) = disturb(&PLAIN.build(), &checked, &options);
        print!("{text}");
        assert_eq!(number(&text, "ANOTHER VALID SIGNATURE"), 0, "{text}");
        assert!(number(&text, "another draw") > 0, "{text}");
    }
}
