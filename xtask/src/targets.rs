//! The targets with a C toolchain, and the tools that build and run their programs here: of the C library, and
//! of the tests on other machines.

use crate::needs::Need;
use crate::process::Cmd;

/// A target with a C toolchain of the GNU kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// Rust's name of it.
    pub(crate) triple: &'static str,
    /// The C compiler, and what it needs to compile for this target.
    pub(crate) cc: &'static [&'static str],
    /// Goes before `ld`, `objcopy`, `ar` and `nm`.
    pub(crate) binutils: &'static str,
    /// `ld -m …`, where the linker serves several targets.
    pub(crate) emulation: Option<&'static str>,
    /// What runs its programs here; empty where the machine itself does.
    pub(crate) runner: &'static [&'static str],
    /// The Debian packages that bring all this.
    pub(crate) packages: &'static [&'static str],
}

/// Debian's multilib package of the default compiler; `gcc-multilib` itself cannot be installed
/// together with cross compilers.
const MULTILIB: &[&str] = &["gcc-12-multilib", "libc6-dev-i386"];

/// Targets whose programs run on this machine, directly or emulated: the C library is built for them and tested.
pub(crate) const TESTED: &[Target] = &[
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
    Target {
        triple: "armv7-unknown-linux-gnueabihf",
        cc: &["arm-linux-gnueabihf-gcc"],
        binutils: "arm-linux-gnueabihf-",
        emulation: None,
        runner: &["qemu-arm", "-L", "/usr/arm-linux-gnueabihf"],
        packages: &[
            "gcc-arm-linux-gnueabihf",
            "libc6-dev-armhf-cross",
            "qemu-user",
        ],
    },
    Target {
        triple: "x86_64-unknown-linux-musl",
        cc: &["musl-gcc"],
        binutils: "",
        emulation: None,
        runner: &[],
        packages: &["gcc", "musl", "musl-dev", "musl-tools", "binutils"],
    },
];

/// Targets for which the C library is compiled as a static library and its symbols are checked, no more.
pub(crate) const COMPILED: &[&str] = &["aarch64-apple-darwin", "x86_64-apple-darwin"];

/// The target of the compiler that runs here.
///
/// # Errors
///
/// The compiler does not say.
pub(crate) fn host() -> Result<String, String> {
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
pub(crate) fn find(triple: &str) -> Result<Target, String> {
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
    pub(crate) fn tool(&self, name: &str) -> Cmd {
        Cmd::new(&format!("{}{name}", self.binutils))
    }

    /// The C compiler.
    pub(crate) fn compiler(&self) -> Cmd {
        Cmd::new(self.cc[0]).args(self.cc[1..].iter().copied())
    }

    /// A program of this target, to be run here.
    pub(crate) fn program(&self, path: &str) -> Cmd {
        match self.runner {
            [] => Cmd::new(path),
            [runner, args @ ..] => Cmd::new(runner).args(args.iter().copied()).args([path]),
        }
    }

    /// All that builds for the target and runs its programs.
    pub(crate) fn need(&self) -> Need {
        let tools = [
            self.cc[0],
            &format!("{}ld", self.binutils),
            &format!("{}objcopy", self.binutils),
        ];
        let programs = tools.iter().chain(self.runner.first());
        let there: String = programs
            .map(|program| format!("command -v '{program}' && "))
            .collect();
        // The compiler may be there without the target's headers and libraries.
        let links = format!(
            "printf '#include <stdio.h>\\nint main(void){{puts(\"\");return 0;}}\\n' | {} -x c -o /dev/null -",
            self.cc.join(" ")
        );
        Need::Debian {
            what: format!("what builds C for {} and runs it", self.triple).into(),
            probe: (there + &links).into(),
            packages: self.packages,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TESTED, find, host};

    #[test]
    fn this_machine_is_served_by_its_own_tools() {
        let host = host().expect("rustc says");
        if TESTED.iter().any(|target| target.triple == host) {
            let own = find(&host).expect("it is in the table");
            assert_eq!((own.cc, own.runner), (&["cc"][..], &[][..]));
            assert!(own.need().is_met(), "{:?}", own.need());
        }
        assert!(find("pdp11-unknown-none").is_err());
    }
}
