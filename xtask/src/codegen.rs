//! `cargo xtask codegen`: the machine code that the compiler makes of the libraries, held against what the source
//! promises. `lanner-generated` (in `ct/generated`) reads it; here the libraries are built as users build them.

use std::path::Path;

use crate::layers::law::LIBRARIES;
use crate::needs::Need;
use crate::process::{Cmd, target_dir};
use crate::steps::{Action, Step};

pub(crate) const HELP: &str = "\
  codegen [--target TRIPLE]
                  hold the generated machine code against the source: vectors are inlined, hot loops stay in
                  registers, and nothing secret branches
                    --target     one of the targets only
";

/// A target, and the features of the libraries beside the default ones.
struct Build {
    name: &'static str,
    triple: &'static str,
    features: &'static str,
    /// Settings of the compiler (see `lanner_simd::backend`), and the instruction sets that are then not to be found.
    settings: Option<(&'static str, &'static str)>,
}

const X86_64: Build = Build {
    name: "x86-64",
    triple: "x86_64-unknown-linux-gnu",
    features: "lanner-ed25519/fast,lanner-curve/fiat",
    settings: None,
};

/// Builds that leave instruction sets out.
const LEAN: &[Build] = &[
    Build {
        name: "portable alone",
        features: "lanner-ed25519/fast",
        settings: Some(("--cfg lanner_backend=\"portable\"", "adx,avx2,avx512")),
        ..X86_64
    },
    Build {
        name: "without AVX-512",
        features: "lanner-ed25519/fast",
        settings: Some(("--cfg lanner_without=\"avx512\"", "avx512")),
        ..X86_64
    },
    Build {
        name: "without ADX and what builds on it",
        features: "lanner-ed25519/fast",
        settings: Some(("--cfg lanner_without=\"adx\"", "adx,avx512")),
        ..X86_64
    },
    Build {
        name: "verified alone",
        // The setting brings what it needs.
        features: "lanner-ed25519/fast",
        settings: Some(("--cfg curve25519_dalek_backend=\"fiat\"", "adx,avx2,avx512")),
        ..X86_64
    },
];

/// Targets whose vectors are checked, and nothing else.
const OTHERS: &[Build] = &[
    Build {
        name: "AArch64",
        triple: "aarch64-unknown-linux-gnu",
        features: "lanner-ed25519/fast",
        settings: None,
    },
    Build {
        name: "32-bit x86",
        triple: "i686-unknown-linux-gnu",
        features: "lanner-ed25519/fast",
        settings: None,
    },
    Build {
        name: "WebAssembly with vectors",
        triple: "wasm32-unknown-unknown",
        features: "lanner-ed25519/fast,lanner-ed25519/simd128,lanner-fn-dsa/simd128,lanner-x25519/simd128",
        settings: None,
    },
];

/// The facade only passes names on.
const FACADE: &str = "lanner";

/// Runs the command.
///
/// # Errors
///
/// An option is unknown, a library does not build, or its code is not what it should be.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let all = || std::iter::once(&X86_64).chain(OTHERS);
    match args {
        [] => check(all()),
        [option, triple] if option == "--target" => {
            let chosen = all().find(|build| build.triple == triple);
            check(chosen.map(std::iter::once).ok_or_else(|| {
                let known: Vec<&str> = all().map(|build| build.triple).collect();
                format!("codegen: no target '{triple}' among {}", known.join(", "))
            })?)
        }
        _ => Err(format!("codegen: unknown options '{}'", args.join(" "))),
    }
}

/// The step of the quick tests, for the target that has every backend.
pub(crate) fn step() -> Step {
    Step::new(
        format!("generated code: {}", X86_64.name),
        &[Need::Target(X86_64.triple)],
        Action::call(|| check(std::iter::once(&X86_64))),
    )
}

/// The step for the other targets.
pub(crate) fn other_targets() -> Step {
    let names: Vec<&str> = OTHERS.iter().map(|build| build.name).collect();
    let needs: Vec<Need> = (OTHERS.iter())
        .map(|build| Need::Target(build.triple))
        .collect();
    Step::new(
        format!("generated code: {}", names.join(", ")),
        &needs,
        Action::call(|| check(OTHERS)),
    )
}

/// The step for the builds that leave instruction sets out.
pub(crate) fn lean() -> Step {
    let names: Vec<&str> = LEAN.iter().map(|build| build.name).collect();
    Step::new(
        format!("generated code: {}", names.join(", ")),
        &[Need::Target(X86_64.triple)],
        Action::call(|| check(LEAN)),
    )
}

fn check<'a>(builds: impl IntoIterator<Item = &'a Build>) -> Result<(), String> {
    let mut failures = Vec::new();
    for build in builds {
        let archives = archives(build)?;
        let without = build.settings.map(|(_, sets)| ["--without", sets]);
        let read = Cmd::cargo(["run", "--quiet", "-p", "lanner-generated", "--"])
            .args([build.triple])
            .args(without.into_iter().flatten())
            .args(archives);
        if read.run().is_err() {
            failures.push(build.name);
        }
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "the generated code for {} is not what it should be",
            failures.join(" and ")
        ))
    }
}

/// Builds the libraries, and returns what the compiler made of them and of the crates below them.
fn archives(build: &Build) -> Result<Vec<String>, String> {
    let packages = LIBRARIES
        .iter()
        .filter(|name| **name != FACADE)
        .flat_map(|name| ["-p", name]);
    // A directory of its own: here names hold the types that a function was made for, in which the code is as
    // anywhere else.
    let directory = target_dir().join("codegen").display().to_string();
    let mut flags = String::from("-Csymbol-mangling-version=v0");
    if let Some((settings, _)) = build.settings {
        flags.extend([" ", settings]);
    }
    let command = Cmd::cargo(["build", "--release", "--message-format=json"])
        .args(["--target", build.triple, "--features", build.features])
        .args(packages)
        .env("CARGO_TARGET_DIR", &directory)
        .env("CARGO_INCREMENTAL", "0")
        .env("RUSTFLAGS", &flags);
    println!("$ {}", command.display());
    let messages = command.capture()?;
    let archives = libraries(&messages, build.triple);
    if archives.is_empty() {
        return Err(String::from("the build made no libraries"));
    }
    Ok(archives)
}

/// The archives of libraries for a target, from what cargo says of a build.
fn libraries(messages: &str, triple: &str) -> Vec<String> {
    let mut archives = Vec::new();
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
            continue;
        };
        let files = message["filenames"].as_array().into_iter().flatten();
        for file in files.filter_map(serde_json::Value::as_str) {
            // What runs during the build is for this machine, in another directory.
            let mut parts = Path::new(file).components();
            if file.ends_with(".rlib") && parts.any(|part| part.as_os_str() == triple) {
                archives.push(file.to_owned());
            }
        }
    }
    archives
}

#[cfg(test)]
mod tests {
    use super::{OTHERS, X86_64, libraries, other_targets, run, step};

    #[test]
    fn the_archives_of_the_target_are_found() {
        let said = r#"{"reason":"compiler-artifact","filenames":["/t/release/deps/liba.rlib"]}
{"reason":"compiler-artifact","filenames":["/t/x86/release/deps/libb.rlib","/t/x86/release/deps/libb.rmeta"]}
{"reason":"build-finished","success":true}"#;
        assert_eq!(libraries(said, "x86"), ["/t/x86/release/deps/libb.rlib"]);
    }

    #[test]
    fn targets_have_names_and_others_are_refused() {
        assert!(step().name.contains(X86_64.name));
        assert!(
            OTHERS
                .iter()
                .all(|build| other_targets().name.contains(build.name))
        );
        let args = |line: &str| line.split(' ').map(String::from).collect::<Vec<_>>();
        let error = run(&args("--target m68k")).expect_err("unknown");
        assert!(error.contains("wasm32-unknown-unknown"));
        assert!(run(&args("--fast")).is_err());
    }
}
