//! The members around the libraries, as cargo is told of them.

use crate::process::Cmd;

/// The members that are neither libraries nor the command, nor take minutes to build. They are always
/// named together: cargo unites the features of what it builds at once, and another union would be another
/// build of all libraries.
pub(crate) const AROUND: &[&str] = &[
    "lanner-interop",
    "lanner-drop-in-incumbent",
    "lanner-drop-in-lanner",
    "lanner-c",
    "lanner-ct",
    "lanner-arrow",
    "lanner-generated",
    "lanner-fuzz-targets",
    "lanner-c-as-a-crate",
    "lanner-bench-report",
    "xtask",
];

/// `cargo test` over them.
pub(crate) fn tests(more: &[&str]) -> Cmd {
    let tests = packages(Cmd::cargo(["test"]), AROUND).args(["--features", "lanner-arrow/rayon"]);
    tests.args(more.iter().copied())
}

/// The command, for these packages.
pub(crate) fn packages<S: AsRef<str>>(command: Cmd, names: &[S]) -> Cmd {
    command.args(names.iter().flat_map(|name| ["-p", name.as_ref()]))
}
