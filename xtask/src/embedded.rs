//! FN-DSA and hybrid signatures on a bare Cortex-M4: the programs of `bench/embedded`, built, run on QEMU's board
//! mps2-an386, and compared.
//!
//! Keys that the programs make there of the same random bytes must be the same as the peer's, and so must signatures of the
//! draft guess; each signature must verify; what each takes is held against the documents (`LIMITS`).

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::needs::Need;
use crate::process::{Cmd, root, target_dir};
use crate::steps::{Action, Step};

pub(crate) const HELP: &str = "\
  embedded        what FN-DSA takes on a bare Cortex-M4, beside fn-dsa 0.3 and 0.4, by qemu-system-arm
";

const TRIPLE: &str = "thumbv7em-none-eabi";
/// The main variant and its peer, the draft guess and its peer.
const LIBRARIES: [(&str, &str); 2] = [("lanner", "fn-dsa-03"), ("lanner-draft", "fn-dsa-04")];
const TASKS: [&str; 3] = ["keygen", "sign", "verify"];
const DEGREES: [u32; 2] = [512, 1024];
const PROFILES: [&str; 2] = ["release", "size"];

/// The most bytes of stack by task and degree, whatever the variant: a little above what docs/performance.md has, in the
/// profile that is documented. All memory is on the stack in these programs, but for the encoded keys and the signature.
const LIMITS: [[u64; 2]; 3] = [[28_000, 51_000], [51_000, 94_500], [8_500, 15_500]];

/// The same for verifying hybrid signatures.
const LIMITS_HYBRID: [u64; 2] = [17_500, 26_000];

/// What a program took.
#[derive(Clone, Copy)]
struct Taken {
    stack: u64,
    instructions: u64,
    flash: u64,
}

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if let Some(arg) = args.first() {
        return Err(format!("unknown option '{arg}'"));
    }
    let mut tables = String::new();
    for profile in PROFILES {
        tables += &measure(profile)?;
    }
    println!("{tables}");
    Ok(())
}

/// The step of the whole tests.
pub(crate) fn step() -> Step {
    Step::new(
        "FN-DSA on a bare Cortex-M4, emulated",
        &[
            Need::Target(TRIPLE),
            Need::program("qemu-system-arm", &["qemu-system-arm"]),
        ],
        Action::call(|| run(&[])),
    )
}

/// Builds and runs all programs, and tells what they took.
fn measure(profile: &str) -> Result<String, String> {
    let programs = build(profile)?;
    let files = target_dir().join("embedded/files");
    std::fs::create_dir_all(&files).map_err(|error| format!("{}: {error}", files.display()))?;
    let mut table = format!(
        "Profile `{profile}`: thousands of instructions, bytes of stack, and bytes of flash with 2 kB of the program's \
         own.\n\n| | library | instructions | stack | flash |\n|---|---|---|---|---|\n"
    );
    for (i, task) in TASKS.iter().enumerate() {
        for (j, degree) in DEGREES.iter().enumerate() {
            for (ours, theirs) in LIBRARIES {
                let mine = run_one(&programs, &files, &format!("{ours}-{task}-{degree}"))?;
                let peer = run_one(&programs, &files, &format!("{theirs}-{task}-{degree}"))?;
                for (library, taken) in [(ours, mine), (theirs, peer)] {
                    let _ = writeln!(
                        table,
                        "| {task} {degree} | {library} | {} | {} | {} |",
                        taken.instructions / 1000,
                        taken.stack,
                        taken.flash
                    );
                }
                if profile == PROFILES[0] && mine.stack > LIMITS[i][j] {
                    return Err(format!(
                        "{ours}-{task}-{degree} takes {} bytes of stack, and may take {}",
                        mine.stack, LIMITS[i][j]
                    ));
                }
                match *task {
                    "keygen" => same(&files, ours, theirs, *degree, &["sk", "vk"])?,
                    // The draft guess takes its randomness as the peer does.
                    "sign" if ours == "lanner-draft" => {
                        same(&files, ours, theirs, *degree, &["sig"])?;
                    }
                    _ => {}
                }
            }
        }
    }
    hybrids(&files)?;
    for (degree, limit) in DEGREES.iter().zip(LIMITS_HYBRID) {
        let taken = run_one(&programs, &files, &format!("hybrid-verify-{degree}"))?;
        let _ = writeln!(
            table,
            "| verify {degree} | hybrid | {} | {} | {} |",
            taken.instructions / 1000,
            taken.stack,
            taken.flash
        );
        if profile == PROFILES[0] && taken.stack > limit {
            return Err(format!(
                "hybrid-verify-{degree} takes {} bytes of stack, and may take {limit}",
                taken.stack
            ));
        }
    }
    Ok(table + "\n")
}

/// Writes the vectors of an empty message under an empty context where the programs read them.
fn hybrids(files: &Path) -> Result<(), String> {
    let path = root().join("vectors/data/hybrid.json");
    let of = |error: String| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| of(error.to_string()))?;
    let vectors: Vec<HashMap<String, String>> =
        serde_json::from_str(&text).map_err(|error| of(error.to_string()))?;
    for degree in DEGREES {
        let name = format!("ed25519+fn-dsa-{degree}");
        let vector = vectors
            .iter()
            .find(|v| v["algorithm"] == name && v["context"].is_empty() && v["message"].is_empty())
            .ok_or_else(|| of(format!("{name} has no empty message")))?;
        for (ending, field) in [("vk", "verifying_key"), ("sig", "signature")] {
            let file = files.join(format!("hybrid-{degree}.{ending}"));
            std::fs::write(&file, lanner_vectors::hex::decode(&vector[field]))
                .map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    Ok(())
}

/// Builds them into a directory of their own.
fn build(profile: &str) -> Result<PathBuf, String> {
    let directory = target_dir().join("embedded");
    let script = root().join("bench/embedded/link.x");
    let manifest = root().join("bench/embedded/Cargo.toml");
    Cmd::cargo([
        "build",
        "--locked",
        "--quiet",
        "--target",
        TRIPLE,
        "--profile",
        profile,
    ])
    .args(["--manifest-path", &manifest.display().to_string()])
    .args(["--target-dir", &directory.display().to_string()])
    .env(
        "CARGO_TARGET_THUMBV7EM_NONE_EABI_RUSTFLAGS",
        &format!("-Clink-arg=-T{}", script.display()),
    )
    .run()?;
    Ok(directory.join(TRIPLE).join(profile))
}

/// Runs one program where the files are, and reads what it says.
fn run_one(programs: &Path, files: &Path, name: &str) -> Result<Taken, String> {
    let result = files.join(format!("{name}.txt"));
    let _ = std::fs::remove_file(&result);
    let emulator = format!(
        "cd '{}' && exec qemu-system-arm -M mps2-an386 -display none -monitor none -serial none \
         -semihosting-config enable=on,target=native -icount shift=0 -kernel '{}'",
        files.display(),
        programs.join(name).display()
    );
    Cmd::new("timeout")
        .args(["600", "sh", "-c", &emulator])
        .capture()?;
    let text = std::fs::read_to_string(&result)
        .map_err(|error| format!("{name}: {}: {error}", result.display()))?;
    let numbers: Option<Vec<u64>> = text.split_whitespace().map(|x| x.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[stack, instructions, flash]) => Ok(Taken {
            stack,
            instructions,
            flash,
        }),
        _ => Err(format!("{name} says '{text}'")),
    }
}

/// Both have written the same files.
fn same(
    files: &Path,
    ours: &str,
    theirs: &str,
    degree: u32,
    endings: &[&str],
) -> Result<(), String> {
    for ending in endings {
        let read = |library: &str| {
            let path = files.join(format!("{library}-{degree}.{ending}"));
            std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        if read(ours)? != read(theirs)? {
            return Err(format!(
                "{ours} and {theirs} differ in what they make: .{ending} of degree {degree}"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{DEGREES, LIBRARIES, TASKS};
    use crate::process::root;

    /// The manifest has a program for each.
    #[test]
    fn all_programs_are_there() {
        let manifest = std::fs::read_to_string(root().join("bench/embedded/Cargo.toml"));
        let manifest = manifest.expect("it is there");
        let mut count = 0;
        for library in LIBRARIES.iter().flat_map(|(ours, theirs)| [ours, theirs]) {
            for task in TASKS {
                for degree in DEGREES {
                    let name = format!("name = \"{library}-{task}-{degree}\"");
                    assert!(manifest.contains(&name), "{name}");
                    count += 1;
                }
            }
        }
        for degree in DEGREES {
            let name = format!("name = \"hybrid-verify-{degree}\"");
            assert!(manifest.contains(&name), "{name}");
            count += 1;
        }
        assert_eq!(manifest.matches("[[bin]]").count(), count);
    }
}
