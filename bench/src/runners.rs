//! The runner processes: libraries that need flags, a target or a language of their own.
//!
//! They are built when the benchmark starts, before it confines itself to one CPU. What cannot be
//! built is left out, and the report says so.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use lanner_curve::backend;

use crate::machine;
use crate::peers::{FIRST, Provider};
use crate::process::Process;
use crate::rows::Platform;

/// Linux on 32-bit x86.
const I686: &str = "i686-unknown-linux-gnu";
/// WebAssembly without a host.
const WASM: &str = "wasm32-unknown-unknown";

/// The column of fn-dsa 0.4 without AVX2.
pub(crate) const FN_DSA_NO_AVX2: &str = "fn-dsa-0.4/no-avx2";

/// Code in Rust and in C for the CPU that is measured.
const FOR_CPU: &str = "-C target-cpu=native";

/// The package that has several peers.
const SEVERAL: &str = "runner-peers";

/// Runners in Rust of the machine as it is: the column, the package, flags, the package whose version is shown, a feature.
const IN_RUST: [(&str, &str, &str, &str, &str); 13] = {
    const SERIAL: &str = "--cfg curve25519_dalek_backend=\"serial\"";
    const COMMONWARE: &str = "commonware-cryptography-curve25519";
    [
        ("crrl", "runner-crrl", FOR_CPU, "crrl", ""),
        ("dalek/native", SEVERAL, FOR_CPU, "ed25519-dalek", ""),
        ("dalek/serial", "runner-dalek", SERIAL, "ed25519-dalek", ""),
        ("graviola/native", SEVERAL, FOR_CPU, "graviola", ""),
        ("zebra/native", SEVERAL, FOR_CPU, "ed25519-zebra", ""),
        ("commonware", "runner-commonware", "", COMMONWARE, ""),
        ("fn-dsa/native", SEVERAL, FOR_CPU, "fn-dsa@0.3", ""),
        ("fn-dsa/x4", "runner-fn-dsa", "", "fn-dsa@0.3", "shake256x4"),
        (
            "fn-dsa/x4-native",
            "runner-fn-dsa",
            FOR_CPU,
            "fn-dsa@0.3",
            "shake256x4",
        ),
        ("fn-dsa-0.4/native", SEVERAL, FOR_CPU, "fn-dsa@0.4", ""),
        (
            FN_DSA_NO_AVX2,
            "runner-fn-dsa-04",
            "",
            "fn-dsa@0.4",
            "no_avx2",
        ),
        ("pqclean/native", SEVERAL, FOR_CPU, "pqcrypto-falcon", ""),
        ("ml-dsa/native", SEVERAL, FOR_CPU, "ml-dsa", ""),
    ]
};

/// Peers that are called from C.
const FROM_C: [&str; 3] = ["libsodium", "libsodium/native", "openssl"];

/// Lanner's own library, called from C.
const OURS_FROM_C: &str = "lanner/c";

/// The peer in Go.
const IN_GO: &str = "voi";

/// What a column's name begins with.
fn library_of(column: &str) -> &str {
    column.split('/').next().unwrap_or(column)
}

/// What of all this a run wants.
pub(crate) struct Wanted<'w> {
    /// Whether a column of that name is wanted.
    pub(crate) column: &'w dyn Fn(&str) -> bool,
    pub(crate) platforms: &'w [Platform],
    /// Whether each backend of Lanner gets a column of its own.
    pub(crate) backends: bool,
}

/// A runner that can be started.
#[derive(Clone)]
pub(crate) struct Runner {
    pub(crate) column: String,
    pub(crate) version: String,
    pub(crate) platform: Platform,
    /// The program and its options; the file of the pool comes last.
    pub(crate) command: Vec<PathBuf>,
}

/// A library that could not be had, and why.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    pub(crate) what: String,
    pub(crate) reason: String,
}

/// All that was built and all that could not be.
#[derive(Default)]
pub(crate) struct Runners {
    runners: Vec<Runner>,
    pub(crate) missing: Vec<Missing>,
}

/// The directory with the sources of the runners.
pub(crate) fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("runners")
}

/// The directory that runners are built in.
pub(crate) fn target() -> Result<PathBuf, String> {
    let exe = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = exe.parent().and_then(Path::parent);
    let target = target.ok_or("this program lies in no target directory")?;
    Ok(target.join("bench-runners"))
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let output = command
        .output()
        .map_err(|error| format!("cannot start {shown}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let tail: Vec<&str> = errors.trim_end().lines().rev().take(12).collect();
    let tail: Vec<&str> = tail.into_iter().rev().collect();
    Err(format!(
        "{shown} ended with {}:\n{}",
        output.status,
        tail.join("\n")
    ))
}

/// Builds a package of the runners' workspace in a directory of its own for each set of flags;
/// returns the directory that the results lie in.
pub(crate) fn cargo_build(
    package: &str,
    triple: Option<&str>,
    profile: &str,
    flags: &str,
    more: &[&str],
) -> Result<PathBuf, String> {
    if let Some(triple) = triple {
        // Adding a target that is there changes nothing; without rustup the build will tell.
        let _ = run(Command::new("rustup").args(["target", "add", triple]));
    }
    let words = flags.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| word.len() > 1).collect();
    let dir = match words[..] {
        [] => target()?.join("plain"),
        _ => target()?.join(words.join("-")),
    };
    let c_flags = match flags {
        FOR_CPU => "-march=native",
        _ => "",
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["build", "--quiet", "--package", package])
        .args(["--profile", profile])
        .args(more)
        .arg("--manifest-path")
        .arg(sources().join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&dir)
        .env("RUSTFLAGS", flags)
        .env("CFLAGS", c_flags)
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    if let Some(triple) = triple {
        command.args(["--target", triple]);
    }
    run(&mut command)?;
    Ok(triple
        .map_or(dir.clone(), |triple| dir.join(triple))
        .join(profile))
}

impl Runners {
    /// Builds what is wanted.
    pub(crate) fn build(wanted: &Wanted<'_>) -> Self {
        let mut runners = Self::default();
        for platform in wanted.platforms {
            match platform {
                Platform::Native => runners.native(wanted),
                Platform::I686 => runners.i686(wanted),
                Platform::Wasm32 => runners.wasm32(wanted),
            }
        }
        runners
    }

    /// Those that were built.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Runner> {
        self.runners.iter()
    }

    /// Starts them all, on the CPU of this thread.
    ///
    /// # Errors
    ///
    /// One that was built does not start.
    pub(crate) fn start(self, pool: &Path) -> Result<Vec<Provider>, String> {
        self.runners
            .into_iter()
            .map(|runner| {
                let mut command = Command::new(&runner.command[0]);
                command.args(&runner.command[1..]).arg(pool);
                let process = Process::start(&runner.column, command)?;
                Ok(Provider::process(
                    &runner.column,
                    &runner.version,
                    runner.platform,
                    process,
                ))
            })
            .collect()
    }

    fn add(
        &mut self,
        column: &str,
        version: &str,
        platform: Platform,
        command: Result<Vec<PathBuf>, String>,
    ) {
        match command {
            Ok(command) => self.runners.push(Runner {
                column: column.to_owned(),
                version: version.to_owned(),
                platform,
                command,
            }),
            Err(reason) => {
                let what = match platform {
                    Platform::Native => column.to_owned(),
                    Platform::I686 => format!("{column} on i686"),
                    Platform::Wasm32 => format!("{column} on wasm32"),
                };
                eprintln!("lanner-bench: NOT MEASURED: {what}: {reason}");
                self.missing.push(Missing { what, reason });
            }
        }
    }

    fn native(&mut self, wanted: &Wanted<'_>) {
        let platform = Platform::Native;
        for (column, package, flags, peer, feature) in IN_RUST {
            if (wanted.column)(column) {
                eprintln!("building {column}");
                let options = ["--features", feature];
                let built = cargo_build(package, None, "release", flags, &options);
                let mut command = built.map(|dir| vec![dir.join(package)]);
                if let (SEVERAL, Ok(command)) = (package, &mut command) {
                    command.push(library_of(column).into());
                }
                let mut version = machine::runner_version(peer);
                for (word, end, said) in [(" with ", "", feature), (" (", ")", flags)] {
                    if !said.is_empty() {
                        version += &format!("{word}{said}{end}");
                    }
                }
                self.add(column, &version, platform, command);
            }
        }
        if (wanted.column)(IN_GO) {
            eprintln!("building curve25519-voi");
            let version = machine::go_version("github.com/oasisprotocol/curve25519-voi");
            self.add(IN_GO, &version, platform, voi());
        }
        let from_c = |column: &&str| (wanted.column)(column);
        for column in FROM_C.into_iter().filter(from_c) {
            eprintln!("building {column}, called from C");
            let (flags, said) = match column.ends_with("/native") {
                true => (FOR_CPU, " (-march=native)"),
                false => ("", ""),
            };
            let library = library_of(column);
            let package = format!("runner-{library}");
            let command = cargo_build(&package, None, "release", flags, &[])
                .map(|dir| dir.join(package))
                .map_err(|reason| format!("{reason}\n(a C compiler, make and perl)"));
            self.add_from_c(column, library, said, command);
        }
        // For those who want to see C beside C.
        if FROM_C.iter().any(from_c) {
            eprintln!("building {OURS_FROM_C}, called from C");
            self.add_from_c(OURS_FROM_C, OURS_FROM_C, "", lanner_from_c());
        }
        if wanted.backends {
            let version = machine::version("lanner-ed25519");
            for name in backend::list().map(|backend| backend.name()) {
                let command = std::env::current_exe()
                    .map(|exe| {
                        let options = ["--backend", name, "--serve"];
                        let options = options.iter().map(PathBuf::from);
                        std::iter::once(exe).chain(options).collect()
                    })
                    .map_err(|error| error.to_string());
                self.add(&format!("{FIRST}/{name}"), &version, platform, command);
            }
        }
    }

    /// A program in C, which says its library's version itself.
    fn add_from_c(
        &mut self,
        column: &str,
        library: &str,
        flags: &str,
        command: Result<PathBuf, String>,
    ) {
        let version = command.as_ref().map_err(Clone::clone).and_then(|runner| {
            let version = run(Command::new(runner).arg("--version"))?;
            Ok(format!("{library} {}, from C{flags}", version.trim()))
        });
        let version = version.unwrap_or_default();
        let command = command.map(|runner| vec![runner]);
        self.add(column, &version, Platform::Native, command);
    }

    fn i686(&mut self, wanted: &Wanted<'_>) {
        eprintln!("building for {I686}");
        let platform = Platform::I686;
        let build = |package: &str, flags: &str| {
            cargo_build(package, Some(I686), "release", flags, &[])
                .map(|dir| dir.join(package))
                .map_err(|reason| {
                    format!("{reason}\n(a C compiler that links for 32 bits: gcc-multilib)")
                })
        };
        let lanner = build("runner-lanner", "");
        let version = machine::version("lanner-ed25519");
        let command = lanner.clone().map(|runner| vec![runner]);
        self.add(FIRST, &version, platform, command);
        if let (true, Ok(runner)) = (wanted.backends, lanner) {
            match run(Command::new(&runner).arg("--backends")) {
                Ok(names) => {
                    for name in names.lines() {
                        let options = [OsStr::new("--backend"), OsStr::new(name)];
                        let command = std::iter::once(runner.clone())
                            .chain(options.map(PathBuf::from))
                            .collect();
                        let column = format!("{FIRST}/{name}");
                        self.add(&column, &version, platform, Ok(command));
                    }
                }
                Err(reason) => self.add("lanner's backends", &version, platform, Err(reason)),
            }
        }
        // What dalek chooses for 32-bit targets, and its arithmetic of 64-bit words.
        let version = machine::runner_version("ed25519-dalek");
        let bits64 = "--cfg curve25519_dalek_bits=\"64\"";
        for (column, flags) in [("dalek", ""), ("dalek/u64", bits64)] {
            if (wanted.column)(column) {
                let command = build("runner-dalek", flags).map(|runner| vec![runner]);
                self.add(column, &version, platform, command);
            }
        }
    }

    fn wasm32(&mut self, wanted: &Wanted<'_>) {
        eprintln!("building for {WASM}");
        let simd = "-C target-feature=+simd128";
        let lanner = machine::version("lanner-ed25519");
        let dalek = machine::runner_version("ed25519-dalek");
        for (column, version, package, flags) in [
            (FIRST, &lanner, "runner-lanner", simd),
            ("lanner/no-simd", &lanner, "runner-lanner", ""),
            ("dalek", &dalek, "runner-dalek", ""),
            ("dalek/simd", &dalek, "runner-dalek", simd),
        ] {
            if !(wanted.column)(column) {
                continue;
            }
            let command = run(Command::new("node").arg("--version"))
                .and_then(|_| cargo_build(package, Some(WASM), "release", flags, &["--lib"]))
                .map(|dir| {
                    let module = format!("{}.wasm", package.replace('-', "_"));
                    vec![
                        PathBuf::from("node"),
                        // The optimising compiler from the first call on.
                        PathBuf::from("--no-liftoff"),
                        sources().join("wasm.mjs"),
                        dir.join(module),
                    ]
                });
            self.add(column, version, Platform::Wasm32, command);
        }
    }
}

/// Compiles the runner of the C library.
fn lanner_from_c() -> Result<PathBuf, String> {
    let library = liblanner()?;
    let runner = target()?.join("runner-c-lanner");
    let c = sources().join("c");
    let mut command = Command::new("cc");
    command
        .args(["-std=c99", "-O2", "-o"])
        .arg(&runner)
        .args([c.join("serve.c"), c.join("lanner.c")])
        .arg("-I")
        .arg(sources().join("../../c/include"))
        .arg(library)
        .args(["-lpthread", "-ldl"]);
    run(&mut command).map_err(|reason| format!("{reason}\n(a C compiler)"))?;
    Ok(runner)
}

/// Builds the C library, as it is released.
fn liblanner() -> Result<PathBuf, String> {
    let built = target()?;
    let target = built.parent().ok_or("the runners lie in no directory")?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["xtask", "c"])
        .current_dir(sources().join("../.."))
        .env("CARGO_TARGET_DIR", target);
    let said = run(&mut command)?;
    // It names what it has built, each file on a line of its own.
    let mut paths = said.lines().filter_map(|line| line.split_once(" ("));
    let library = paths.find(|(path, _)| path.ends_with("liblanner.a"));
    let (path, _) = library.ok_or_else(|| format!("no liblanner.a was named:\n{said}"))?;
    Ok(PathBuf::from(path))
}

fn voi() -> Result<Vec<PathBuf>, String> {
    let runner = target()?.join("runner-voi");
    let mut command = Command::new("go");
    command
        .args(["build", "-trimpath", "-o"])
        .arg(&runner)
        .arg(".")
        .current_dir(sources().join("voi"));
    run(&mut command).map(|_| vec![runner])
}

#[cfg(test)]
mod tests {
    use super::{FROM_C, IN_GO, IN_RUST, OURS_FROM_C, Runners, SEVERAL, Wanted, sources};
    use crate::rows::{Platform, Row};
    use crate::{machine, peers, pool};
    use lanner_bench_report::data::Results;
    use std::io::Write;

    /// Starts every runner that can be built here on a pool, and calls `check` with each row that
    /// it offers and the outcome of running that once or, for single tasks, 130 times.
    fn each_row(
        pool: &lanner_bench_kit::Pool,
        mut check: impl FnMut(&str, Row, Result<f64, String>),
    ) {
        let runners = Runners::build(&Wanted {
            column: &|_| true,
            platforms: &[Platform::Native, Platform::I686, Platform::Wasm32],
            backends: false,
        });
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(&pool.to_file()).expect("the file is ours");
        let rows = || Row::all().into_iter().filter(|row| row.units() <= 64);
        for row in rows() {
            // A runner ends at its first wrong result: a fresh one for each row.
            for runner in &runners.runners {
                if runner.platform != row.platform {
                    continue;
                }
                let one = Runners {
                    runners: vec![runner.clone()],
                    missing: Vec::new(),
                };
                let provider = one.start(file.path()).expect("it starts").remove(0);
                if let Some(mut timer) = provider.timer(row, pool).expect("it answers") {
                    let times = if row.units() == 1 { 130 } else { 2 };
                    check(&runner.column, row, timer(times));
                }
            }
        }
    }

    #[test]
    fn peers_for_this_cpu_have_the_versions_of_the_others() {
        let several = IN_RUST
            .iter()
            .filter(|(_, package, ..)| *package == SEVERAL);
        for (column, _, _, peer, _) in several {
            let version = machine::version(peer);
            assert!(!version.ends_with('?'), "{column}: {version}");
            assert_eq!(version, machine::runner_version(peer), "{column}");
        }
    }

    /// Of a column that is not there, a reader would think that there is no such peer.
    #[test]
    fn kept_runs_have_every_column_or_name_what_they_lack() {
        let here = peers::here().into_iter().map(|provider| provider.column);
        let others = IN_RUST.iter().map(|(column, ..)| *column).chain(FROM_C);
        let others = others.chain([IN_GO, OURS_FROM_C]).map(str::to_owned);
        let columns: Vec<String> = here.chain(others).collect();
        let kept = std::fs::read_dir(sources().join("../results")).expect("they are kept");
        let paths = kept.map(|entry| entry.expect("it is listed").path());
        for path in paths.filter(|path| path.extension().is_some_and(|end| end == "json")) {
            let results = Results::read(&path).expect("it is of the format");
            // A model of a core has what it was given.
            if results.machine.predicted {
                continue;
            }
            for column in &columns {
                let is_there = results.cells.iter().any(|cell| cell.column == *column);
                let is_named = results.missing.contains_key(column);
                assert!(is_there != is_named, "{}: {column}", path.display());
            }
        }
    }

    #[test]
    #[ignore = "builds for other targets, and needs Go, Node and a C compiler for 32 bits"]
    fn runners_give_right_results_and_notice_wrong_ones() {
        let mut pool = pool::new(128, 45, 1);
        let mut rows = 0;
        each_row(&pool, |column, row, outcome| {
            assert!(outcome.is_ok(), "{column} {row}: {outcome:?}");
            rows += 1;
        });
        assert!(rows > 30, "only {rows} rows");
        pool.signatures[0][5] ^= 1;
        pool.publics[1][5] ^= 1;
        pool.shared[0][5] ^= 1;
        each_row(&pool, |column, row, outcome| {
            // Nothing tells a wrong public key of X25519, and other schemes have keys of their own, commonware signatures.
            let name = row.to_string();
            let own = ["fn-dsa", "ml-dsa", "ristretto", "multiscalar", "vartime"]
                .iter()
                .any(|scheme| name.starts_with(scheme))
                || column == "commonware" && ["sign", "verify-decoded"].contains(&name.as_str());
            let wrong = !name.ends_with("x25519-base") && !own;
            assert_eq!(outcome.is_err(), wrong, "{column} {row}");
        });
    }
}
