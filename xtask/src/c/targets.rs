//! The targets that the C library is made for, with the tools that each one needs.

use super::has_program;
use crate::process::Cmd;

/// A target with a C toolchain of the GNU kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// Rust's name of it.
    pub(super) triple: &'static str,
    /// The C compiler, and what it needs to compile for this target.
    pub(super) cc: &'static [&'static str],
    /// Goes before `ld`, `objcopy`, `ar` and `nm`.
    pub(super) binutils: &'static str,
    /// `ld -m …`, where the linker serves several targets.
    pub(super) emulation: Option<&'static str>,
    /// What runs its programs here; empty where the machine itself does.
    pub(super) runner: &'static [&'static str],
    /// The Debian packages that bring all this.
    pub(super) packages: &'static [&'static str],
}

/// Debian's multilib package of the default compiler; `gcc-multilib` itself cannot be installed
/// together with cross compilers.
const MULTILIB: &[&str] = &["gcc-12-multilib", "libc6-dev-i386"];

/// Targets whose programs run on this machine, directly or emulated: built and tested.
pub(super) const TESTED: &[Target] = &[
    Target {
        triple: "x86_64-unknown-linux-gnu",
        cc: &["gcc"],
        binutils: "",
        emulation: None,
        runner: &[],
        packages: &["gcc", "libc6-dev", "binutils"],
    },
    Target {
        triple: "i686-unknown-linux-gnu",
        cc: &["gcc", "-m32"],
        binutils: "",
        emulation: Some("elf_i386"),
        runner: &[],
        packages: MULTILIB,
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        cc: &["aarch64-linux-gnu-gcc"],
        binutils: "aarch64-linux-gnu-",
        emulation: None,
        runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
        packages: &[
            "gcc-aarch64-linux-gnu",
            "libc6-dev-arm64-cross",
            "qemu-user",
        ],
    },
    Target {
        triple: "riscv64gc-unknown-linux-gnu",
        cc: &["riscv64-linux-gnu-gcc"],
        binutils: "riscv64-linux-gnu-",
        emulation: None,
        runner: &["qemu-riscv64", "-L", "/usr/riscv64-linux-gnu"],
        packages: &[
            "gcc-riscv64-linux-gnu",
            "libc6-dev-riscv64-cross",
            "qemu-user",
        ],
    },
    Target {
        triple: "s390x-unknown-linux-gnu",
        cc: &["s390x-linux-gnu-gcc"],
        binutils: "s390x-linux-gnu-",
        emulation: None,
        runner: &["qemu-s390x", "-L", "/usr/s390x-linux-gnu"],
        packages: &["gcc-s390x-linux-gnu", "libc6-dev-s390x-cross", "qemu-user"],
    },
];

/// Targets for which the static library is compiled and its symbols are checked, no more.
pub(super) const COMPILED: &[&str] = &[
    "x86_64-pc-windows-msvc",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-gnu",
    "x86_64-apple-darwin",
];

/// The target of the compiler that runs here.
///
/// # Errors
///
/// The compiler does not say.
pub(super) fn host() -> Result<String, String> {
    Cmd::new("rustc")
        .args(["-vV"])
        .capture()?
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or_else(|| String::from("rustc -vV names no host"))
}

/// The target with that name.
///
/// # Errors
///
/// There is none.
pub(super) fn find(triple: &str) -> Result<Target, String> {
    // The Linux target of this machine is served by its own tools, whatever the table says.
    let known = TESTED.iter().find(|target| target.triple == triple);
    match known {
        Some(target) if host()? == triple => Ok(Target {
            cc: &["cc"],
            binutils: "",
            emulation: None,
            runner: &[],
            ..*target
        }),
        Some(target) => Ok(*target),
        None => {
            let names: Vec<&str> = TESTED.iter().map(|target| target.triple).collect();
            Err(format!(
                "no target '{triple}'; there are {}",
                names.join(", ")
            ))
        }
    }
}

impl Target {
    /// A program of the binutils.
    pub(super) fn tool(&self, name: &str) -> Cmd {
        Cmd::new(&format!("{}{name}", self.binutils))
    }

    /// The C compiler.
    pub(super) fn compiler(&self) -> Cmd {
        Cmd::new(self.cc[0]).args(self.cc[1..].iter().copied())
    }

    /// A program of this target, to be run here.
    pub(super) fn program(&self, path: &str) -> Cmd {
        match self.runner {
            [] => Cmd::new(path),
            [runner, args @ ..] => Cmd::new(runner).args(args.iter().copied()).args([path]),
        }
    }

    /// What is missing on this machine to build for the target and to run its programs.
    pub(super) fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        let programs = [
            self.cc[0].to_owned(),
            format!("{}ld", self.binutils),
            format!("{}objcopy", self.binutils),
        ];
        let runner = self.runner.first().map(|runner| (*runner).to_owned());
        for program in programs.into_iter().chain(runner) {
            if !has_program(&program) {
                missing.push(program);
            }
        }
        if missing.is_empty() && !self.links() {
            missing.push(format!("a C library for '{}'", self.cc.join(" ")));
        }
        missing
    }

    /// Whether the compiler finds headers and libraries for the target.
    fn links(&self) -> bool {
        let script = format!(
            "printf '#include <stdio.h>\\nint main(void){{puts(\"\");return 0;}}\\n' | {} -x c -o /dev/null -",
            self.cc.join(" ")
        );
        Cmd::new("sh").args(["-c", &script]).capture().is_ok()
    }
}
