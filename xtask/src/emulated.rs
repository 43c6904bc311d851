//! What depends on the target, on other targets: the floating-point backends of FN-DSA, which must give the
//! same bits on each, and the vector lanes of the curve.
//!
//! The tests that decide for FN-DSA are few: the arithmetic against its definition and against the emulation in
//! integers, whole signatures on every kind of lanes that the target has, and keys and signatures whose hashes
//! were taken on another machine (`crates/fn-dsa/tests/own_data.rs`).

use crate::process::{Cmd, root};
use crate::steps::{Action, Need, Step};

/// A target, and what builds and runs its tests on x86-64 Linux.
struct Target {
    /// Its name in words: what it has.
    name: &'static str,
    triple: &'static str,
    /// The linker, unless it is the usual one.
    linker: Option<&'static str>,
    /// What runs the tests; empty where this machine does.
    runner: &'static str,
    features: &'static str,
    tools: Need,
    /// Which tests of the curve to run there, by a part of their names.
    curve: Option<&'static str>,
    /// Only in the long run: another target shows nearly as much.
    long: bool,
}

const AARCH64: Need = Need::Debian {
    what: "a linker for AArch64, and qemu",
    probe: "command -v aarch64-linux-gnu-gcc && command -v qemu-aarch64",
    packages: &[
        "gcc-aarch64-linux-gnu",
        "libc6-dev-arm64-cross",
        "qemu-user",
    ],
};
const RISCV64: Need = Need::Debian {
    what: "a linker for RISC-V, and qemu",
    probe: "command -v riscv64-linux-gnu-gcc && command -v qemu-riscv64",
    packages: &[
        "gcc-riscv64-linux-gnu",
        "libc6-dev-riscv64-cross",
        "qemu-user",
    ],
};
const S390X: Need = Need::Debian {
    what: "a linker for s390x, and qemu",
    probe: "command -v s390x-linux-gnu-gcc && command -v qemu-s390x",
    packages: &["gcc-s390x-linux-gnu", "libc6-dev-s390x-cross", "qemu-user"],
};
const X86_32: Need = Need::Debian {
    what: "the C library for 32-bit x86",
    probe: "echo 'int main(void){return 0;}' | cc -m32 -x c -o /dev/null -",
    packages: &["gcc-12-multilib", "libc6-dev-i386"],
};
const NODE: Need = Need::Debian {
    what: "Node.js",
    probe: "command -v node",
    packages: &["nodejs"],
};

const TARGETS: &[Target] = &[
    Target {
        name: "AArch64, NEON",
        triple: "aarch64-unknown-linux-gnu",
        linker: Some("aarch64-linux-gnu-gcc"),
        runner: "qemu-aarch64 -L /usr/aarch64-linux-gnu",
        features: "",
        tools: AARCH64,
        curve: Some("lanes"),
        long: false,
    },
    Target {
        name: "32-bit x86 without SSE2, emulated floating point",
        triple: "i586-unknown-linux-gnu",
        linker: None,
        runner: "",
        features: "",
        tools: X86_32,
        curve: None,
        long: false,
    },
    Target {
        name: "32-bit x86, SSE2",
        triple: "i686-unknown-linux-gnu",
        linker: None,
        runner: "",
        features: "no_avx2",
        tools: X86_32,
        curve: Some(""),
        long: false,
    },
    Target {
        name: "RISC-V 64, division and root in integers",
        triple: "riscv64gc-unknown-linux-gnu",
        linker: Some("riscv64-linux-gnu-gcc"),
        runner: "qemu-riscv64 -L /usr/riscv64-linux-gnu",
        features: "div_emu,sqrt_emu",
        tools: RISCV64,
        curve: None,
        long: false,
    },
    Target {
        name: "RISC-V 64",
        triple: "riscv64gc-unknown-linux-gnu",
        linker: Some("riscv64-linux-gnu-gcc"),
        runner: "qemu-riscv64 -L /usr/riscv64-linux-gnu",
        features: "",
        tools: RISCV64,
        curve: None,
        long: true,
    },
    Target {
        name: "s390x, big-endian, emulated floating point",
        triple: "s390x-unknown-linux-gnu",
        linker: Some("s390x-linux-gnu-gcc"),
        runner: "qemu-s390x -L /usr/s390x-linux-gnu",
        features: "",
        tools: S390X,
        curve: Some(""),
        long: true,
    },
    Target {
        name: "WebAssembly, SIMD",
        triple: "wasm32-wasip1",
        linker: None,
        runner: WASI,
        features: "simd128",
        tools: NODE,
        curve: Some(""),
        long: false,
    },
    Target {
        name: "WebAssembly",
        triple: "wasm32-wasip1",
        linker: None,
        runner: WASI,
        features: "",
        tools: NODE,
        curve: Some(""),
        long: true,
    },
];

/// Stands for the script that runs a test program under Node.
const WASI: &str = "node wasi.mjs";

/// The tests that decide, by their names.
const TESTS: &[&str] = &[
    "fft::tests::",
    "fpr::tests::",
    "fast_vectors_agree_and_are_in_the_coset",
    "ntt::tests::",
    // Of sampler/wide.rs.
    "lanes_give_the_same_samples",
    "one_generator_everywhere",
    // Of faces.rs.
    "signatures_are_those_of_every_face",
    // Of own_data.rs.
    "version_0_3_0",
    "version_0_4_0",
];

/// The steps, one a target; the whole list if `long`.
pub(crate) fn steps(long: bool) -> Vec<Step> {
    TARGETS
        .iter()
        .filter(|target| long || !target.long)
        .map(Target::step)
        .collect()
}

impl Target {
    fn step(&self) -> Step {
        let fn_dsa = self
            .tests("lanner-fn-dsa", self.features)
            .args(["--lib", "--test", "own_data", "--test", "faces", "--"])
            .args(TESTS.iter().copied());
        let curve = self.curve.map(|filter| {
            let simd128 = self.features.split(',').find(|name| *name == "simd128");
            self.tests("lanner-curve", simd128.unwrap_or_default())
                .args(["--lib", "--tests", "--", filter])
        });
        Step {
            name: format!("on {}", self.name),
            needs: vec![Need::Target(self.triple), self.tools.clone()],
            action: Action::Tests([fn_dsa].into_iter().chain(curve).collect()),
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
        let variable = self.triple.replace('-', "_").to_uppercase();
        if let Some(linker) = self.linker {
            command = command.env(&format!("CARGO_TARGET_{variable}_LINKER"), linker);
        }
        if !self.runner.is_empty() {
            let script = root().join("xtask/src/wasi.mjs");
            let runner = self
                .runner
                .replace("wasi.mjs", &script.display().to_string());
            command = command.env(&format!("CARGO_TARGET_{variable}_RUNNER"), &runner);
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::{TARGETS, TESTS, steps};
    use crate::process::root;

    #[test]
    fn the_long_run_has_more() {
        assert_eq!(steps(true).len(), TARGETS.len());
        assert!(steps(false).len() < TARGETS.len());
    }

    /// A test that is called something else would be left out without a word.
    #[test]
    fn the_tests_exist() {
        let source = |path: &str| std::fs::read_to_string(root().join(path)).expect(path);
        let all = [
            source("crates/fn-dsa/src/sign/tests.rs"),
            source("crates/fn-dsa/src/sampler/wide.rs"),
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
