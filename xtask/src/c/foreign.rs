//! The library for Windows and macOS, whose objects are not of the ELF kind: static as cargo makes it, and for Windows as DLLs
//! with import libraries for both kinds of compilers.
//!
//! What the GNU linker makes serves Microsoft's compilers as well: between a program and a DLL there is nothing but the
//! calling convention of C. So there is one DLL, and nobody needs Microsoft's linker and libraries to make a release.

use std::path::{Path, PathBuf};

use super::build::{RELEASED, cargo_static};
use super::exports;
use super::install::{common, pointer_bytes};
use super::layout::{ABI, HEADERS, SHARED, Shared, VERSION, c_dir};
use crate::files::{copy, fresh, make, read, text, write};
use crate::needs::Need;
use crate::nowhere;
use crate::process::{Cmd, target_dir};

/// Whose linker takes the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gnu,
    Microsoft,
    Apple,
}

/// A target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign {
    /// Rust's name of it.
    pub(crate) triple: &'static str,
    kind: Kind,
}

/// All of them. What is not for Windows can be built here, but not run.
pub(crate) const FOREIGN: &[Foreign] = &[
    Foreign {
        triple: GNU,
        kind: Kind::Gnu,
    },
    Foreign {
        triple: MICROSOFT,
        kind: Kind::Microsoft,
    },
    Foreign {
        triple: "aarch64-apple-darwin",
        kind: Kind::Apple,
    },
    Foreign {
        triple: "x86_64-apple-darwin",
        kind: Kind::Apple,
    },
];

pub(super) const GNU: &str = "x86_64-pc-windows-gnu";
pub(super) const MICROSOFT: &str = "x86_64-pc-windows-msvc";

/// What goes before the names of the compiler and the binutils that make the DLLs.
pub(super) const MINGW: &str = "x86_64-w64-mingw32-";

/// What Rust's standard library calls on Windows.
pub(super) const SYSTEM: &[&str] = &["kernel32", "ntdll", "userenv", "ws2_32", "dbghelp"];

/// The target with that name, if it is one of these.
pub(crate) fn find(triple: &str) -> Option<Foreign> {
    FOREIGN.iter().find(|of| of.triple == triple).copied()
}

impl Shared {
    /// The DLL, which has its number in its name.
    pub(super) fn dll(&self) -> String {
        format!("{}-{ABI}.dll", self.name)
    }
}

impl Foreign {
    /// What builds it.
    pub(crate) fn needs(&self) -> Vec<Need> {
        let mut needs = vec![
            Need::Target(self.triple),
            Need::program("llvm-nm", &["llvm"]),
        ];
        if self.kind != Kind::Apple {
            let packages = &["gcc-mingw-w64-x86-64", "mingw-w64-x86-64-dev"];
            needs.push(Need::Target(GNU));
            needs.push(Need::program("x86_64-w64-mingw32-gcc", packages));
        }
        if self.kind == Kind::Microsoft {
            needs.push(Need::program("llvm-dlltool", &["llvm"]));
        }
        needs
    }

    /// The programs beside Rust's that make it.
    pub(crate) fn tools(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Gnu => &["x86_64-w64-mingw32-gcc"],
            Kind::Microsoft => &["x86_64-w64-mingw32-gcc", "llvm-dlltool"],
            Kind::Apple => &[],
        }
    }

    /// The static library.
    pub(super) fn static_name(&self) -> &'static str {
        match self.kind {
            // Beside the import library, which Microsoft's linker takes by that name.
            Kind::Microsoft => "lanner-static.lib",
            Kind::Gnu | Kind::Apple => "liblanner.a",
        }
    }

    /// What programs are linked with that use a DLL.
    pub(super) fn import_name(&self, shared: &Shared) -> String {
        match self.kind {
            Kind::Microsoft => format!("{}.lib", shared.name),
            Kind::Gnu | Kind::Apple => format!("lib{}.dll.a", shared.name),
        }
    }

    fn shared(&self) -> &'static [Shared] {
        match self.kind {
            Kind::Apple => &[],
            Kind::Gnu | Kind::Microsoft => &SHARED,
        }
    }

    /// Builds the library, and installs it below `to`, which can be moved.
    ///
    /// # Errors
    ///
    /// It does not build, or its names are not those that the headers declare.
    pub(super) fn install(&self, to: &Path, profile: &str) -> Result<(), String> {
        let (lib, bin) = (to.join("lib"), to.join("bin"));
        make(&lib)?;
        let own = lib.join(self.static_name());
        copy(&cargo_static(self.triple, profile, &[], &[])?, &own)?;
        let names = exports::declared(&exports::configuration(HEADERS))?;
        let found = exports::in_archive("llvm-nm", &text(&own))?;
        exports::compare(
            &format!("{}: {}", self.triple, self.static_name()),
            &names,
            &found,
        )?;
        if self.kind == Kind::Apple {
            println!("{}: built, not run", self.triple);
        } else {
            make(&bin)?;
            let archive = match self.kind {
                Kind::Gnu => own.clone(),
                _ => cargo_static(GNU, profile, &[], &[])?,
            };
            for shared in &SHARED {
                self.dll(shared, &archive, &bin, &lib)?;
            }
        }
        if profile == RELEASED {
            nowhere::check(&[own])?;
        }
        common(self.triple, to)?;
        self.found_by(to)
    }

    /// Links a DLL, and makes what programs are linked with.
    fn dll(&self, shared: &Shared, archive: &Path, bin: &Path, lib: &Path) -> Result<(), String> {
        let dir = target_dir().join("liblanner").join(self.triple);
        make(&dir)?;
        let names = exports::declared(&exports::configuration(shared.headers))?;
        let list = dir.join(format!("{}.def", shared.name));
        let lines: String = names.iter().map(|name| format!("  {name}\n")).collect();
        write(
            &list,
            format!("LIBRARY \"{}\"\nEXPORTS\n{lines}", shared.dll()),
        )?;
        // A list of exports takes nothing out of an archive.
        let wanted = dir.join("wanted");
        let lines: String = names
            .iter()
            .map(|name| format!("-Wl,-u,{name}\n"))
            .collect();
        write(&wanted, lines)?;
        let dll = bin.join(shared.dll());
        let imports = lib.join(self.import_name(shared));
        Cmd::new(&format!("{MINGW}gcc"))
            .args(["-shared", "-static-libgcc", "-s", "-o", &text(&dll)])
            .args([format!("@{}", text(&wanted)), text(archive), text(&list)])
            .args([format!("-Wl,--out-implib,{}", text(&imports))])
            .args(["-Wl,--gc-sections", "-Wl,--no-insert-timestamp"])
            .args(SYSTEM.iter().map(|name| format!("-l{name}")))
            .run()?;
        if self.kind == Kind::Microsoft {
            Cmd::new("llvm-dlltool")
                .args(["-m", "i386:x86-64", "-d", &text(&list)])
                .args(["-D", &shared.dll(), "-l", &text(&imports)])
                .run()?;
        }
        let listing = Cmd::new(&format!("{MINGW}objdump"))
            .args(["-p", &text(&dll)])
            .capture()?;
        exports::compare(
            &shared.dll(),
            &names,
            &exported(&listing).into_iter().collect(),
        )?;
        let others = imported(&listing);
        match others.iter().find(|name| !is_of_windows(name)) {
            Some(name) => Err(format!("{} needs {name}", shared.dll())),
            None => Ok(()),
        }
    }

    /// The files of pkg-config and CMake.
    fn found_by(&self, to: &Path) -> Result<(), String> {
        let lib = to.join("lib");
        let (cmake, pkgconfig) = (lib.join("cmake/lanner"), lib.join("pkgconfig"));
        make(&cmake)?;
        make(&pkgconfig)?;
        let system: &[&str] = match self.kind {
            Kind::Apple => &[],
            Kind::Gnu | Kind::Microsoft => SYSTEM,
        };
        let private: Vec<String> = system.iter().map(|name| format!("-l{name}")).collect();
        let fill = |name: &str| -> Result<String, String> {
            Ok(read(&c_dir().join(name))?
                .replace("@VERSION@", VERSION)
                .replace("@POINTER_BYTES@", pointer_bytes(self.triple))
                .replace("@PREFIX@", "${pcfiledir}/../..")
                .replace("@LIBDIR@", "lib")
                .replace("@PRIVATE@", &private.join(" "))
                .replace("@STATIC@", self.static_name())
                .replace("@SYSTEM@", &system.join(";"))
                .replace("@DLL@", &SHARED[0].dll())
                .replace("@IMPORTS@", &self.import_name(&SHARED[0]))
                .replace("@CORE_DLL@", &SHARED[1].dll())
                .replace("@CORE_IMPORTS@", &self.import_name(&SHARED[1])))
        };
        let named = match self.shared() {
            [] => &SHARED[..1],
            both => both,
        };
        for shared in named {
            let file = shared.pkg_config(&fill("lanner.pc.in")?);
            write(&pkgconfig.join(format!("{}.pc", shared.name)), file)?;
        }
        let version = fill("cmake/lanner-config-version.cmake.in")?;
        write(&cmake.join("lanner-config-version.cmake"), version)?;
        let config = fill("cmake/lanner-config-foreign.cmake.in")?;
        write(&cmake.join("lanner-config.cmake"), config)
    }

    /// Builds it, as it is in an archive, into a directory of that name in `target/liblanner`.
    ///
    /// # Errors
    ///
    /// It does not build.
    pub(super) fn tree(&self, name: &str, profile: &str) -> Result<PathBuf, String> {
        let tree = target_dir().join("liblanner").join(name);
        fresh(&tree)?;
        self.install(&tree, profile)?;
        Ok(tree)
    }
}

/// The names that a DLL exports, as `objdump -p` lists them.
fn exported(listing: &str) -> Vec<String> {
    let table = listing.split_once("[Ordinal/Name Pointer] Table");
    let lines = table.map_or("", |(_, rest)| rest).lines().skip(1);
    lines
        .map_while(|line| line.trim().strip_prefix('['))
        .filter_map(|line| line.split_whitespace().last())
        .map(str::to_owned)
        .collect()
}

/// The DLLs that one needs.
fn imported(listing: &str) -> Vec<String> {
    let lines = listing.lines();
    lines
        .filter_map(|line| line.trim().strip_prefix("DLL Name: "))
        .map(str::to_lowercase)
        .collect()
}

/// Whether every Windows has that DLL.
fn is_of_windows(name: &str) -> bool {
    let named = name.strip_suffix(".dll").unwrap_or(name);
    SYSTEM.contains(&named)
        || ["msvcrt", "bcryptprimitives"].contains(&named)
        || named.starts_with("api-ms-win-core-")
}

#[cfg(test)]
mod tests {
    use super::{exported, imported, is_of_windows};

    #[test]
    fn listings_of_dlls_are_read() {
        let listing = "\
\tDLL Name: KERNEL32.dll
\tvma:  Hint/Ord Member-Name Bound-To
\tDLL Name: libgcc_s_seh-1.dll

[Ordinal/Name Pointer] Table
\t[   0] one
\t[   1] two

The Function Table
";
        assert_eq!(exported(listing), ["one", "two"]);
        let needed = imported(listing);
        assert_eq!(needed, ["kernel32.dll", "libgcc_s_seh-1.dll"]);
        assert!(is_of_windows(&needed[0]) && !is_of_windows(&needed[1]));
    }
}
