//! The npm package: `cargo xtask js`, and its steps in the test run.
//!
//! `js/scripts/` does the work, so that whoever knows npm finds the usual commands; here they are only
//! strung together.

use crate::process::Cmd;
use crate::steps::{Action, Need, Step};

/// The lines of `cargo xtask help`.
pub(crate) const HELP: &str = "\
  js              build the npm package, into js/dist (needs Node 20 or later, and npm)
";

const WASM: Need = Need::Target("wasm32-unknown-unknown");

const NODE: Need = Need::Debian {
    what: "Node 20 or later with npm",
    probe: "node -e 'process.exit(+(parseInt(process.versions.node) < 20))' && npm --version",
    packages: &["nodejs", "npm"],
};

const CHROMIUM: Need = Need::Debian {
    what: "Chromium",
    probe: "command -v chromium",
    packages: &["chromium"],
};

/// `npm` in `js/`.
fn npm(args: &[&str]) -> Cmd {
    Cmd::new("npm")
        .args(["--prefix", "js"])
        .args(args.iter().copied())
}

/// What makes `js/dist`.
fn build() -> Vec<Cmd> {
    vec![npm(&["ci", "--no-audit"]), npm(&["run", "build"])]
}

/// `cargo xtask js`.
///
/// # Errors
///
/// An option is unknown, or a command failed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if let Some(option) = args.first() {
        return Err(format!("js: unknown option '{option}'"));
    }
    build()
        .iter()
        .chain(&[npm(&["run", "size"])])
        .try_for_each(|command| command.run().map(drop))
}

/// The steps of the test run, in order: the later ones use what the first has built.
pub(crate) fn steps() -> Vec<Step> {
    let step = |name: &str, needs: &[Need], action| Step {
        name: name.to_owned(),
        needs: needs.to_vec(),
        action,
    };
    let mut first = build();
    first.push(npm(&["run", "size"]));
    first.push(npm(&["test"]));
    vec![
        step(
            "JavaScript: the arithmetic for size, on this machine",
            &[],
            Action::Tests(vec![Cmd::cargo([
                "test",
                "--locked",
                "--manifest-path",
                "js/wasm/Cargo.toml",
                "-p",
                "lanner-wasm-small",
            ])]),
        ),
        step(
            "JavaScript: build, sizes under their caps, tests in Node",
            &[WASM, NODE],
            Action::Tests(first),
        ),
        step(
            "JavaScript: Deno, Bun and workerd",
            &[WASM, NODE],
            Action::Tests(vec![npm(&["run", "test:runtimes"])]),
        ),
        step(
            "JavaScript: the packed archive in fresh projects",
            &[WASM, NODE],
            Action::Tests(vec![npm(&["run", "test:packages"])]),
        ),
        step(
            "JavaScript: Chromium, a worker, a content security policy, the demo",
            &[WASM, NODE, CHROMIUM],
            Action::Tests(vec![npm(&["run", "test:browser"])]),
        ),
    ]
}
