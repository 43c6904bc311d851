//! Running other programs, with their output passed through and read along the way.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the workspace")
}

/// The directory that cargo builds into, as cargo says: variables and files may have named another one.
pub(crate) fn target_dir() -> PathBuf {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    let asked = || built_by(&Cmd::cargo(METADATA.iter().copied()));
    // Where it fails, so does the build, and says why.
    DIR.get_or_init(|| asked().unwrap_or_else(|| root().join("target")))
        .clone()
}

/// What makes cargo say where it builds.
const METADATA: [&str; 4] = ["metadata", "--no-deps", "--format-version", "1"];

/// Reads what it says.
fn built_by(metadata: &Cmd) -> Option<PathBuf> {
    let said: serde_json::Value = serde_json::from_str(&metadata.capture().ok()?).ok()?;
    said["target_directory"].as_str().map(PathBuf::from)
}

/// The value that follows an option.
///
/// # Errors
///
/// There is none.
pub(crate) fn value<'a>(
    option: &str,
    args: &mut impl Iterator<Item = &'a String>,
) -> Result<&'a str, String> {
    args.next()
        .map(String::as_str)
        .ok_or_else(|| format!("{option} needs a value"))
}

thread_local! {
    static SINK: RefCell<Sink> = const { RefCell::new(Sink(None)) };
}

/// Where what commands print goes: to the terminal, or into a text.
#[derive(Clone, Default)]
struct Sink(Option<Arc<Mutex<String>>>);

impl Sink {
    /// That of this thread.
    fn current() -> Self {
        SINK.with_borrow(Clone::clone)
    }

    fn print(&self, text: &str) {
        match &self.0 {
            Some(kept) => *kept.lock().unwrap_or_else(PoisonError::into_inner) += text,
            None => print!("{text}"),
        }
    }

    fn print_error(&self, text: &str) {
        match self.0 {
            Some(_) => self.print(text),
            None => eprint!("{text}"),
        }
    }
}

/// What the commands print that the function runs on this thread, instead of printing it.
pub(crate) fn kept<T>(function: impl FnOnce() -> T) -> (T, String) {
    let text = Arc::new(Mutex::new(String::new()));
    let before = SINK.replace(Sink(Some(Arc::clone(&text))));
    let result = function();
    SINK.set(before);
    let text = core::mem::take(&mut *text.lock().unwrap_or_else(PoisonError::into_inner));
    (result, text)
}

/// A command line, as data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cmd {
    toolchain: Option<&'static str>,
    program: String,
    args: Vec<String>,
    env: Vec<(String, String)>,
}

/// What a command's output said about tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
    /// Whether a test runner has said how many there were, be it none.
    pub(crate) counted: bool,
    /// Lines in which a test says that it left something out.
    pub(crate) skips: Vec<String>,
}

impl Tally {
    /// Reads one line of a test runner's output.
    pub(crate) fn read(&mut self, line: &str) {
        if let Some((_, counts)) = line.split_once("test result: ") {
            self.counted = true;
            for field in counts.split([';', '.']) {
                let mut words = field.split_whitespace();
                let (Some(number), Some(what)) = (words.next(), words.next()) else {
                    continue;
                };
                let Ok(number) = number.parse::<u64>() else {
                    continue;
                };
                match what {
                    "passed" => self.passed += number,
                    "failed" => self.failed += number,
                    "ignored" => self.ignored += number,
                    _ => {}
                }
            }
        } else if let Some(at) = line.find("SKIPPED: ") {
            let skip = line[at..].trim_end().to_owned();
            if !self.skips.contains(&skip) {
                self.skips.push(skip);
            }
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
        self.counted |= other.counted;
        for skip in other.skips {
            if !self.skips.contains(&skip) {
                self.skips.push(skip);
            }
        }
    }
}

impl Cmd {
    pub(crate) fn new(program: &str) -> Self {
        Self {
            program: program.to_owned(),
            ..Self::default()
        }
    }

    /// The cargo that runs xtask.
    pub(crate) fn cargo<I: IntoIterator<Item = S>, S: Into<String>>(args: I) -> Self {
        Self::new("cargo").args(args)
    }

    /// The cargo of another toolchain, through rustup.
    pub(crate) fn cargo_of<I: IntoIterator<Item = S>, S: Into<String>>(
        toolchain: &'static str,
        args: I,
    ) -> Self {
        let mut command = Self::cargo(args);
        command.toolchain = Some(toolchain);
        command
    }

    pub(crate) fn args<I: IntoIterator<Item = S>, S: Into<String>>(mut self, args: I) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The command as one would type it.
    pub(crate) fn display(&self) -> String {
        let mut words: Vec<String> = self.env.iter().map(|(k, v)| format!("{k}={v}")).collect();
        words.push(self.program.clone());
        words.extend(self.toolchain.map(|name| format!("+{name}")));
        words.extend(self.args.iter().map(|arg| {
            if arg.is_empty() || arg.contains(' ') {
                format!("'{arg}'")
            } else {
                arg.clone()
            }
        }));
        words.join(" ")
    }

    fn command(&self) -> Command {
        let mut command = match self.toolchain {
            // The explicit form works wherever rustup is, also where cargo itself is not its proxy.
            Some(toolchain) => {
                let mut command = Command::new("rustup");
                command.args(["run", toolchain, &self.program]);
                command
            }
            None if self.program == "cargo" => {
                Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            }
            None => Command::new(&self.program),
        };
        command.args(&self.args);
        command.current_dir(root());
        // What `cargo run` said about xtask itself must not reach the builds that xtask starts.
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            let own = [
                "CARGO_PKG_",
                "CARGO_MANIFEST_",
                "CARGO_BIN_",
                "CARGO_CRATE_",
            ]
            .iter()
            .any(|prefix| name.starts_with(prefix));
            if own || (self.toolchain.is_some() && matches!(&*name, "CARGO" | "RUSTUP_TOOLCHAIN")) {
                command.env_remove(&*name);
            }
        }
        command.envs(self.env.iter().map(|(k, v)| (k, v)));
        command.stdin(Stdio::null());
        command
    }

    /// Runs the command, passes its output on, and tells what it said of tests.
    ///
    /// # Errors
    ///
    /// The command could not be started, or it failed.
    pub(crate) fn run(&self) -> Result<Tally, String> {
        let sink = Sink::current();
        sink.print(&format!("$ {}\n", self.display()));
        let mut command = self.command();
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        if std::io::stderr().is_terminal() {
            // Cargo would see the pipe and drop its colours.
            command.env("CARGO_TERM_COLOR", "always");
        }
        let mut child = command
            .spawn()
            .map_err(|error| format!("cannot start '{}': {error}", self.display()))?;
        let errors = child.stderr.take().expect("stderr is piped");
        let to = sink.clone();
        let errors = std::thread::spawn(move || pass_on(errors, |line| to.print_error(line)));
        let output = child.stdout.take().expect("stdout is piped");
        let mut tally = pass_on(output, |line| sink.print(line));
        tally.add(errors.join().expect("the reader does not panic"));
        let status = child
            .wait()
            .map_err(|error| format!("'{}': {error}", self.display()))?;
        if status.success() {
            Ok(tally)
        } else {
            Err(format!("'{}' ended with {status}", self.display()))
        }
    }

    /// Runs the command with its standard output in a file and its standard error where it is, so that a line of progress
    /// finds the terminal.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or the command could not be started, or it failed.
    pub(crate) fn to_file(&self, file: &Path) -> Result<(), String> {
        println!("$ {} > {}", self.display(), file.display());
        let output = std::fs::File::create(file);
        let output = output.map_err(|error| format!("{}: {error}", file.display()))?;
        let status = self.command().stdout(output).status();
        let status =
            status.map_err(|error| format!("cannot start '{}': {error}", self.display()))?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("'{}' ended with {status}", self.display()))
        }
    }

    /// Runs the command silently and returns its standard output.
    ///
    /// # Errors
    ///
    /// The command could not be started, or it failed; the message holds its standard error.
    pub(crate) fn capture(&self) -> Result<String, String> {
        let output = self
            .command()
            .stderr(Stdio::piped())
            .output()
            .map_err(|error| format!("cannot start '{}': {error}", self.display()))?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(format!(
                "'{}' ended with {}\n{}",
                self.display(),
                output.status,
                String::from_utf8_lossy(&output.stderr).trim_end()
            ))
        }
    }

    /// Runs the command silently and returns what it printed on both streams, however it ended.
    ///
    /// # Errors
    ///
    /// The command could not be started.
    pub(crate) fn output(&self) -> Result<[String; 2], String> {
        let output = self
            .command()
            .output()
            .map_err(|error| format!("cannot start '{}': {error}", self.display()))?;
        Ok([output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()))
    }
}

/// Prints every line of a stream, and reads it for what it says of tests.
fn pass_on(stream: impl Read, print: impl Fn(&str)) -> Tally {
    let mut reader = BufReader::new(stream);
    let mut tally = Tally::default();
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).unwrap_or(0) > 0 {
        let text = String::from_utf8_lossy(&line);
        print(&text);
        tally.read(&text);
        line.clear();
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::{Cmd, METADATA, Tally, built_by, kept, root};
    use std::path::Path;

    #[test]
    fn tally_reads_cargo_and_skips() {
        let mut tally = Tally::default();
        tally.read("test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 1 filtered out; finished in 0.1s");
        tally
            .read("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out");
        tally.read("test a ... SKIPPED: no openssl here\n");
        tally.read("SKIPPED: no openssl here");
        assert_eq!((tally.passed, tally.failed, tally.ignored), (13, 2, 3));
        assert_eq!(tally.skips, ["SKIPPED: no openssl here"]);
    }

    #[test]
    fn both_streams_are_read() {
        let say = "echo 'test result: ok. 2 passed; 0 failed'; echo 'SKIPPED: x' >&2";
        let tally = Cmd::new("sh").args(["-c", say]).run().expect("sh runs");
        assert_eq!((tally.passed, tally.skips.len()), (2, 1));
    }

    #[test]
    fn what_is_printed_can_be_kept() {
        let say = Cmd::new("sh").args(["-c", "echo out; echo err >&2"]);
        let ((), text) = kept(|| drop(say.run()));
        for line in ["$ sh -c ", "out\n", "err\n"] {
            assert!(text.contains(line), "{text}");
        }
    }

    /// Every way in which cargo is told where to build.
    #[test]
    fn cargo_says_where_it_builds() {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| String::from("cargo"));
        let with = |variables: &[&str], more: &[&str]| {
            let plain = ["-u", "CARGO_TARGET_DIR", "-u", "CARGO_BUILD_TARGET_DIR"];
            let env = Cmd::new("env").args(plain).args(variables.iter().copied());
            let cargo = env.args([&cargo]).args(METADATA);
            built_by(&cargo.args(more.iter().copied()))
        };
        let there = Path::new("/some where");
        for (variables, more) in [
            (&["CARGO_TARGET_DIR=/some where"][..], &[][..]),
            (&["CARGO_BUILD_TARGET_DIR=/some where"], &[]),
            (&[], &["--config", "build.target-dir='/some where'"]),
        ] {
            assert_eq!(with(variables, more).as_deref(), Some(there));
        }
        let relative = with(&["CARGO_TARGET_DIR=here"], &[]);
        assert_eq!(relative, Some(root().join("here")));
        assert_eq!(with(&[], &["--no-such-option"]), None);
    }

    #[test]
    fn a_failing_command_is_an_error() {
        assert!(Cmd::new("false").capture().is_err());
        assert!(Cmd::new("no-such-program-here").capture().is_err());
        assert!(Cmd::new("true").capture().is_ok());
    }
}
