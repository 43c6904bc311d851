//! Runs the program, built in several ways, under valgrind: the checks must be without a finding, the
//! controls must be reported. The builds take minutes: `cargo test -p lanner-ct -- --include-ignored`.

mod build;

use std::path::Path;
use std::process::Command;

use build::{
    ADX, FOR_SIZE, PLAIN, SMALLEST, Variant, WITHOUT_TABLES, X86_32, c_library, is_long,
    links_for_32_bits, skip, skips_without_programs, works,
};

/// The exit status that valgrind is told to use when it has reported something.
const REPORTED: i32 = 99;

/// Says so and returns false where there is no valgrind.
fn valgrind_works() -> bool {
    let works = cfg!(target_os = "linux") && works("valgrind", &["--version"]);
    if !works {
        skip("constant time is not checked: no valgrind here");
    }
    works
}

/// Runs the program under valgrind: the exit status, and everything that both said. The status is
/// [`REPORTED`] where valgrind reported anything, also before the first check.
fn under_valgrind(program: &Path, args: &[&str]) -> (i32, String) {
    under_valgrind_with(&[&format!("--error-exitcode={REPORTED}")], program, args)
}

/// The same, with the exit status that the program chose.
fn own_status(program: &Path, args: &[&str]) -> (i32, String) {
    under_valgrind_with(&[], program, args)
}

fn under_valgrind_with(options: &[&str], program: &Path, args: &[&str]) -> (i32, String) {
    let output = Command::new("valgrind")
        .args(["--quiet", "--error-limit=no"])
        .args(options)
        .arg(program)
        .args(args)
        .output()
        .expect("valgrind starts");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    (output.status.code().unwrap_or(-1), text)
}

/// Runs all checks of a variant, which must be without a finding and run on these backends at least.
fn is_clean(variant: &Variant, at_least: &[&str], options: &[&str]) -> String {
    let program = variant.build();
    let output = Command::new(&program)
        .arg("valgrind")
        .args(options)
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}:\n{text}{errors}", variant.name);
    for group in ["ed25519", "x25519", "curve"] {
        for backend in at_least {
            let line = format!("{group}: backend {backend}: ");
            assert!(text.contains(&line), "{line}\n{text}");
        }
    }
    println!("{}:\n{text}", variant.name);
    text
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn secrets_do_not_steer() {
    if valgrind_works() {
        let library = c_library();
        let library = library.to_str().expect("a path in UTF-8");
        let backends = &["portable64", "portable32", "fiat64", "fiat32"];
        let text = is_clean(&PLAIN, backends, &["--c-library", library]);
        for group in ["c-curve", "c-answers", "c-key-files", "c-fn-dsa-sign"] {
            assert!(
                text.contains(&format!("{group}: backend ")),
                "{group}\n{text}"
            );
        }
        // What is documented and does not show is no longer true.
        assert!(!text.contains("UNSEEN"), "{text}");
    }
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn secrets_do_not_steer_with_adx() {
    if valgrind_works() {
        is_clean(&ADX, &["adx", "avx2"], &[]);
    }
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn secrets_do_not_steer_without_tables() {
    if valgrind_works() {
        is_clean(&WITHOUT_TABLES, &["portable64", "portable32"], &[]);
    }
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn secrets_do_not_steer_in_builds_for_size() {
    if valgrind_works() {
        is_clean(
            &FOR_SIZE,
            &["portable64", "portable32", "fiat64", "fiat32"],
            &[],
        );
    }
}

#[test]
#[ignore = "long; LANNER_CT_LONG=1 and --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn secrets_do_not_steer_in_builds_for_size_without_tables_long() {
    if is_long() && valgrind_works() {
        is_clean(&SMALLEST, &["portable64", "portable32"], &[]);
    }
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn secrets_do_not_steer_on_32_bit_x86() {
    if !valgrind_works() {
        return;
    }
    if links_for_32_bits() {
        is_clean(&X86_32, &["sse2", "portable32", "fiat32"], &[]);
        let (status, text) = own_status(&X86_32.build(), &["control", "vartime-multiplication"]);
        assert_eq!(status, 1, "{text}");
        assert!(text.contains("uses of a secret reported"), "{text}");
    } else {
        skip("constant time on 32-bit x86: no compiler that links for it (gcc-multilib)");
    }
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn every_leak_is_reported() {
    if !valgrind_works() {
        return;
    }
    let mut reported = 0;
    for variant in [PLAIN, ADX] {
        let program = variant.build();
        let (_, text) = under_valgrind(&program, &["list"]);
        let names = |kind: &str| -> Vec<String> {
            let line = text.lines().find_map(|line| line.strip_prefix(kind));
            let names = line.expect("list names them").split_whitespace();
            names.map(String::from).collect()
        };
        for control in names("controls:") {
            for backend in names("backends:") {
                let args = ["control", &control, "--backend", &backend];
                let (status, text) = under_valgrind(&program, &args);
                assert_eq!(status, REPORTED, "{control} on {backend}:\n{text}");
                assert!(text.contains("uninitialised"), "{text}");
                assert!(text.contains("uses of a secret reported"), "{text}");
                reported += 1;
            }
        }
    }
    assert!(reported >= 5 * 4, "only {reported} controls");
}

/// The test runner holds back what a passing test prints: what is left out must be seen all the same.
#[test]
#[cfg(target_arch = "x86_64")]
fn without_valgrind_the_tests_say_so() {
    let reason = "constant time is not checked: no valgrind here";
    for test in ["secrets_do_not_steer", "every_leak_is_reported"] {
        skips_without_programs(test, reason);
    }
}

#[test]
fn without_valgrind_it_says_that_it_proves_nothing() {
    let program = env!("CARGO_BIN_EXE_lanner-ct");
    let output = Command::new(program).arg("check").output();
    let output = output.expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("proves nothing"), "{errors}");
    let listed = Command::new(program).arg("list").output();
    assert!(listed.expect("it starts").status.success());
}
