//! What depends on the target, on other targets: the floating-point backends of FN-DSA, which must give the
//! same bits on each, and the vector lanes of the curve.
//!
//! The tests that decide for FN-DSA are few: the arithmetic against its definition and against the emulation in
//! integers, whole signatures on every kind of lanes that the target has, and keys and signatures whose hashes
//! were taken on another machine (`crates/fn-dsa/tests/own_data.rs`).

use crate::js;
use crate::needs::Need;
use crate::process::{Cmd, root};
use crate::steps::{Action, Step};
use crate::targets::{self, TESTED};

/// A target, and what builds and runs its tests on x86-64 Linux.
struct Target {
    /// Its name in words: what it has.
    name: &'static str,
    triple: &'static str,
    features: &'static str,
    /// Which tests of the curve to run there, by a part of their names.
    curve: Option<&'static str>,
    /// Has a part in every full run, and not only in the whole: the emulated floating point, which no other step has. The C
    /// library computes known answers on other processors, and the tests of the npm package on WebAssembly.
    quick: bool,
}

const NODE: Need = Need::debian("Node.js", "command -v node", &["nodejs"]);

const TARGETS: &[Target] = &[
    Target {
        name: "AArch64, NEON",
        triple: "aarch64-unknown-linux-gnu",
        features: "",
        curve: Some(""),
        quick: false,
    },
    Target {
        name: "32-bit x86 without SSE2, emulated floating point",
        triple: "i586-unknown-linux-gnu",
        features: "",
        curve: None,
        quick: true,
    },
    Target {
        name: "32-bit x86, SSE2",
        triple: "i686-unknown-linux-gnu",
        features: "no_avx2",
        curve: Some(""),
        quick: false,
    },
    Target {
        name: "RISC-V 64, division and root in integers",
        triple: "riscv64gc-unknown-linux-gnu",
        features: "div_emu,sqrt_emu",
        curve: None,
        quick: false,
    },
    Target {
        name: "RISC-V 64",
        triple: "riscv64gc-unknown-linux-gnu",
        features: "",
        curve: None,
        quick: false,
    },
    Target {
        name: "s390x, big-endian, emulated floating point",
        triple: "s390x-unknown-linux-gnu",
        features: "",
        curve: Some(""),
        quick: false,
    },
    Target {
        name: "WebAssembly, SIMD",
        triple: "wasm32-wasip1",
        features: "simd128",
        curve: Some(""),
        quick: false,
    },
    Target {
        name: "WebAssembly",
        triple: "wasm32-wasip1",
        features: "",
        curve: Some(""),
        quick: false,
    },
];

/// The tests that decide, by their names.
const TESTS: &[&str] = &[
    "fft::tests::",
    "fpr::tests::",
    "fast_vectors_agree_and_are_in_the_coset",
    "ntt::tests::",
    // Of sampler/wide/tests.rs.
    "lanes_give_the_same_samples",
    "one_generator_everywhere",
    // Of faces.rs.
    "signatures_are_those_of_every_face",
    // Of own_data.rs.
    "version_0_3_0",
    "version_0_4_0",
];

/// The first to differ where the arithmetic does: floating point against its emulation, keys and signatures of another
/// machine, and of the default sampler what it draws there.
const QUICK: &[&str] = &[
    "fpr::tests::",
    "one_generator_everywhere",
    "version_0_3_0",
    "version_0_4_0",
];

/// The steps, one a target: all tests that decide on all of them, or a quick look at those that nothing
/// else looks at.
pub(crate) fn steps(whole: bool) -> Vec<Step> {
    TARGETS
        .iter()
        .filter(|target| whole || target.quick)
        .map(|target| target.step(whole))
        .collect()
}

/// Where the curve is compared with big integers on a million inputs, by the triple: the processors that have assembly of their own,
/// and WebAssembly, which has a representation of its own.
const AT_LENGTH: [&str; 3] = ["aarch64-", "i686-", "wasm32-"];

/// Each routine of the curve's arithmetic, and of that of the npm package's modules, against big integers on a million inputs, as it
/// is released: here and on other targets.
pub(crate) fn million() -> Vec<Step> {
    let long = |command: Cmd| command.args(["--lib", "--", "--ignored"]);
    let here = Step::new(
        format!("{MILLION}: this machine"),
        &[],
        Action::Tests(vec![long(
            Cmd::cargo(["test", "--release", "-p", "lanner-curve"]).args(["--all-features"]),
        )]),
    );
    // WebAssembly once, with vectors, which the modules have.
    let is_one = |target: &&Target| {
        AT_LENGTH.iter().any(|part| target.triple.starts_with(part))
            && (!target.is_wasi() || target.features == "simd128")
    };
    let others = TARGETS.iter().filter(is_one).map(|target| {
        let curve = Cmd::cargo(["test", "--release", "-p", "lanner-curve"])
            .args(["--target", target.triple])
            .args(["--no-fail-fast"]);
        let mut tests = vec![long(target.with_tools(curve))];
        if target.is_wasi() {
            let modules = js::own_arithmetic(&["test", "--release", "--locked"])
                .args(["--target", target.triple])
                .args(["--no-fail-fast"])
                .env(
                    "CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS",
                    "-Ctarget-feature=+simd128",
                );
            tests.push(long(target.with_tools(modules)));
        }
        Step::new(
            format!("{MILLION}: {}", target.name),
            &[Need::Target(target.triple), target.tools()],
            Action::Tests(tests),
        )
    });
    [here].into_iter().chain(others).collect()
}

/// The machine code of the curve's arithmetic, run on unknowns: on other processors that have assembly of their own.
pub(crate) fn proven() -> Vec<Step> {
    let has_assembly = |target: &&Target| {
        let triple = target.triple;
        triple.starts_with("aarch64-") || triple.starts_with("i686-")
    };
    let steps = TARGETS.iter().filter(has_assembly).map(|target| {
        let there = |command: Cmd| {
            let command = command.args(["--target", target.triple]);
            target.with_tools(command)
        };
        // What is shown is shown of code as it is released.
        let curve = there(Cmd::cargo(["test", "--release", "-p", "lanner-curve"]))
            .args(["--features", "fiat", "--lib", "proven::"])
            .env("RUSTFLAGS", PROOF);
        Step::new(
            format!("{PROVEN}: {}", target.name),
            &[Need::Target(target.triple), target.tools()],
            Action::Tests(vec![
                there(Cmd::cargo([
                    "test",
                    "-p",
                    "lanner-proof",
                    "--lib",
                    "--tests",
                ])),
                curve,
            ]),
        )
    });
    steps.collect()
}

/// What the names of these steps begin with, and what the one of this machine is called.
pub(crate) const PROVEN: &str = "the curve's machine code, run on unknowns";

/// What the modules `proven` of the curve ask for, because those who test the published crate have no `lanner-proof`.
pub(crate) const PROOF: &str = "--cfg lanner_proof";

/// What the names of these steps begin with.
pub(crate) const MILLION: &str = "arithmetic on a million inputs";

impl Target {
    fn step(&self, whole: bool) -> Step {
        let fn_dsa = self
            .tests("lanner-fn-dsa", self.features)
            .args(["--lib", "--test", "own_data"]);
        let tests = if whole {
            let faces = fn_dsa.args(["--test", "faces", "--"]);
            let curve = self.curve.map(|filter| {
                let simd128 = self.features.split(',').find(|name| *name == "simd128");
                self.tests("lanner-curve", simd128.unwrap_or_default())
                    .args(["--lib", "--tests", "--", filter])
            });
            let faces = faces.args(TESTS.iter().copied());
            [faces].into_iter().chain(curve).collect()
        } else {
            vec![fn_dsa.args(["--"]).args(QUICK.iter().copied())]
        };
        Step::new(
            format!("on {}", self.name),
            &[Need::Target(self.triple), self.tools()],
            Action::Tests(tests),
        )
    }

    fn is_wasi(&self) -> bool {
        self.triple.ends_with("-wasip1")
    }

    /// The row of the table of C toolchains whose linker and emulator serve this target.
    fn toolchain(&self) -> targets::Target {
        let triple = self.triple.replace("i586", "i686");
        let known = TESTED.iter().find(|target| target.triple == triple);
        *known.expect("the table has it")
    }

    fn tools(&self) -> Need {
        if self.is_wasi() {
            NODE
        } else {
            self.toolchain().need()
        }
    }

    /// `cargo test -p <package> --target <this>`, with what builds and runs it.
    fn tests(&self, package: &str, features: &str) -> Cmd {
        // `release` would do without the checks, and full optimisation takes longer than it saves.
        let mut command = Cmd::cargo(["test", "-p", package, "--target", self.triple])
            .args(["--no-fail-fast"])
            .env("CARGO_PROFILE_TEST_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_TEST_DEBUG", "0");
        if !features.is_empty() {
            command = command.args(["--features", features]);
        }
        if self.is_wasi() {
            // Linkers give WebAssembly a stack of 1 MiB. Almost without optimisation, one table of 480 kB as a value, on the way from
            // function to function, takes more, here as in curve25519-dalek. This is what main threads elsewhere have.
            command = command.env(
                "CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS",
                "-Clink-arg=-zstack-size=8388608",
            );
        }
        self.with_tools(command)
    }

    /// A command, with what links and runs programs of this target.
    fn with_tools(&self, mut command: Cmd) -> Cmd {
        let variable = self.triple.replace('-', "_").to_uppercase();
        let set = |command: Cmd, name: &str, value: &str| match value {
            "" => command,
            _ => command.env(&format!("CARGO_TARGET_{variable}_{name}"), value),
        };
        if self.is_wasi() {
            let script = root().join("xtask/src/wasi.mjs");
            // Node 20 throws away the bytecode of what has not run for long, also of what waits for a program of a minute, and then
            // crashes when that has ended well.
            let runner = format!("node --no-flush-bytecode {}", script.display());
            return set(command, "RUNNER", &runner);
        }
        let toolchain = self.toolchain();
        if let [linker] = toolchain.cc {
            command = set(command, "LINKER", linker);
        }
        set(command, "RUNNER", &toolchain.runner.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::{QUICK, TARGETS, TESTS, steps};
    use crate::process::root;
    use crate::targets::TESTED;

    #[test]
    fn the_whole_has_more() {
        assert_eq!(steps(true).len(), TARGETS.len());
        assert!(!steps(false).is_empty() && steps(false).len() < TARGETS.len());
        for test in QUICK {
            assert!(TESTS.contains(test), "{test}");
        }
    }

    /// Every target has one step in the full tier: here, or with the C library, or in Node.
    #[test]
    fn no_target_is_left_out_of_the_full_tier() {
        for target in TARGETS {
            let of_c = TESTED.iter().any(|of_c| of_c.triple == target.triple);
            let in_node = target.triple.starts_with("wasm32");
            let same = |other: &&super::Target| other.triple == target.triple && other.quick;
            assert!(
                of_c || in_node || TARGETS.iter().any(|other| same(&other)),
                "{}",
                target.name
            );
        }
    }

    #[test]
    fn commands_have_their_linker_and_emulator() {
        let line = |name: &str| {
            let target = TARGETS.iter().find(|target| target.name == name);
            target.expect(name).tests("lanner-curve", "").display()
        };
        let arm = line("AArch64, NEON");
        assert!(arm.contains("AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc"));
        assert!(arm.contains("AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64 -L "));
        assert!(line("WebAssembly").contains("RUNNER=node "));
        let x86 = line("32-bit x86, SSE2");
        assert!(!x86.contains("LINKER") && !x86.contains("RUNNER"));
    }

    /// A test that is called something else would be left out without a word.
    #[test]
    fn the_tests_exist() {
        let source = |path: &str| std::fs::read_to_string(root().join(path)).expect(path);
        let all = [
            source("crates/fn-dsa/src/sign/tests.rs"),
            source("crates/fn-dsa/src/sampler/wide/tests.rs"),
            source("crates/fn-dsa/tests/faces.rs"),
            source("crates/fn-dsa/tests/own_data.rs"),
        ]
        .concat();
        for name in TESTS {
            match name.strip_suffix("::tests::") {
                Some(module) => drop(source(&format!("crates/fn-dsa/src/{module}/tests.rs"))),
                None => assert!(all.contains(&format!("fn {name}()")), "{name}"),
            }
        }
    }
}
