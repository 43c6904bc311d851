//! The library for Windows, run under Wine: programs that mingw's compiler links, and programs that clang compiles as Microsoft's
//! compiler does and that lld links as Microsoft's linker does, each with the static library and with the DLL.
//!
//! Microsoft's headers and libraries are not here. Its calling convention, its names and its linker are; what a program takes
//! from the system stands in mingw's headers and libraries.

use std::path::{Path, PathBuf};

use super::checks::{EMULATED, PROGRAMS, arguments};
use super::context::{Context, work_dir};
use super::foreign::{GNU, MINGW, SYSTEM, find};
use super::layout::{HEADERS, SHARED};
use super::programs::source;
use crate::files::{copy, fresh, text, write};
use crate::needs::Need;
use crate::process::{Cmd, Tally, target_dir};

/// Random numbers that Wine may lack.
const PRNG: &str = "bcryptprimitives.dll";

/// What builds the programs and runs them.
pub(super) fn needs(triple: &str) -> Vec<Need> {
    let mut needs = find(triple).expect("it is one of them").needs();
    needs.push(Need::program("wine", &["wine", "wine64"]));
    if triple != GNU {
        needs.push(Need::program("clang", &["clang"]));
        needs.push(Need::program("lld-link", &["lld"]));
    }
    needs
}

/// How programs are linked.
struct Toolchain<'a> {
    is_gnu: bool,
    tree: &'a Path,
    dir: &'a Path,
}

/// The programs and the headers.
///
/// # Errors
///
/// Something does not build, or fails.
pub(super) fn check(context: &Context, triple: &str) -> Result<Tally, String> {
    let foreign = find(triple).expect("it is one of them");
    let profile = if context.long { "liblanner" } else { "c-test" };
    let tree = foreign.tree(&format!("{triple}-tested"), profile)?;
    let dir = work_dir().join(triple);
    fresh(&dir)?;
    let tools = Toolchain {
        is_gnu: triple == GNU,
        tree: &tree,
        dir: &dir,
    };
    Cmd::new(&format!("{MINGW}gcc"))
        .args(["-shared", "-O2", "-o", &text(&dir.join(PRNG))])
        .args([text(&source("tests/windows/prng.c")), "-ladvapi32".into()])
        .run()?;
    for shared in &SHARED {
        copy(
            &tree.join("bin").join(shared.dll()),
            &dir.join(shared.dll()),
        )?;
    }
    let mut tally = Tally::default();
    if !tools.is_gnu {
        tally.add(tools.headers()?);
    }
    for (kind, library) in [
        ("static", foreign.static_name().to_owned()),
        ("dll", foreign.import_name(&SHARED[0])),
    ] {
        for program in PROGRAMS
            .iter()
            .filter(|name| **name != "threads" || tools.is_gnu)
        {
            let made = tools.link(&source(&format!("tests/{program}.c")), kind, &library)?;
            let args = arguments(program, context, EMULATED)?;
            let run = tools.wine(&made).args(args).run()?;
            if run.passed == 0 {
                return Err(format!("{} tested nothing", made.display()));
            }
            tally.add(run);
        }
    }
    // The DLL with fewer names.
    let example = source("examples/key_agreement.c");
    let made = tools.link(&example, "core", &foreign.import_name(&SHARED[1]))?;
    if !tools.wine(&made).capture()?.trim_end().ends_with("done") {
        return Err(format!("{} did not come to its end", made.display()));
    }
    tally.passed += 1;
    Ok(tally)
}

/// The place of a file of mingw's.
fn of_mingw(name: &str) -> Result<String, String> {
    let asked = format!("-print-file-name={name}");
    let place = Cmd::new(&format!("{MINGW}gcc")).args([asked]).capture()?;
    Ok(place.trim().to_owned())
}

impl Toolchain<'_> {
    /// A program with a library of the tree.
    fn link(&self, source: &Path, kind: &str, library: &str) -> Result<PathBuf, String> {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let program = self.dir.join(format!("{stem}-{kind}.exe"));
        let library = text(&self.tree.join("lib").join(library));
        if self.is_gnu {
            Cmd::new(&format!("{MINGW}gcc"))
                .args(["-std=c99", "-O2", "-Wall", "-Wextra", "-static"])
                .args(self.includes())
                .args(["-o", &text(&program), &text(source), &library, "-lpthread"])
                .args(SYSTEM.iter().map(|name| format!("-l{name}")))
                .run()?;
            return Ok(program);
        }
        let (main, start) = (self.dir.join("main.obj"), self.dir.join("start.obj"));
        self.compile(source, &main)?;
        self.compile(&super::programs::source("tests/windows/start.c"), &start)?;
        let mut libraries = Vec::new();
        for name in ["mingw32", "mingwex", "gcc", "msvcrt", "ucrtbase"]
            .iter()
            .chain(SYSTEM)
        {
            libraries.push(of_mingw(&format!("lib{name}.a"))?);
        }
        Cmd::new("lld-link")
            .args(["/nologo", "/lldmingw", "/subsystem:console"])
            .args([
                "/entry:mainCRTStartup",
                "/alternatename:__image_base__=__ImageBase",
            ])
            .args([format!("/out:{}", text(&program)), of_mingw("crt2.o")?])
            .args([text(&main), text(&start), library])
            .args(libraries)
            .run()?;
        Ok(program)
    }

    fn includes(&self) -> [String; 4] {
        let tests = text(&source("tests"));
        [
            "-I".into(),
            text(&self.tree.join("include")),
            "-I".into(),
            tests,
        ]
    }

    /// As Microsoft's compiler does. Mingw's headers ask for the GNU compiler's version.
    fn compile(&self, source: &Path, object: &Path) -> Result<(), String> {
        let headers = Path::new(&of_mingw("crt2.o")?).with_file_name("../include");
        Cmd::new("clang")
            .args(["--target=x86_64-pc-windows-msvc", "-O2", "-w"])
            .args(["-D__GNUC__=4", "-D__GNUC_MINOR__=2"])
            .args(["-isystem", &text(&headers)])
            .args(self.includes())
            .args(["-c", "-o", &text(object), &text(source)])
            .run()
            .map(drop)
    }

    /// Each header, as `cl` reads it, with all its warnings.
    fn headers(&self) -> Result<Tally, String> {
        let mut tally = Tally::default();
        let file = self.dir.join("alone.c");
        // All that ed25519.h takes of it. Mingw's own is none that `cl` would read.
        write(&self.dir.join("stdlib.h"), "#include <stddef.h>\n")?;
        for header in HEADERS {
            write(
                &file,
                format!("#include \"{header}\"\n#include \"{header}\"\n"),
            )?;
            for language in ["/TC", "/TP"] {
                Cmd::new("clang")
                    .args(["--driver-mode=cl", "--target=x86_64-pc-windows-msvc"])
                    .args(["/nologo", "/W4", "/WX", "/Zs", "/clang:-ffreestanding"])
                    .args([
                        "/I",
                        &text(&self.tree.join("include")),
                        "/I",
                        &text(self.dir),
                    ])
                    .args([language])
                    // Else its first character says that it is an option.
                    .args([String::from("--"), text(&file)])
                    .run()?;
                tally.passed += 1;
            }
        }
        Ok(tally)
    }

    /// A program under Wine, with a drive of its own in the target directory.
    fn wine(&self, program: &Path) -> Cmd {
        Cmd::new("wine")
            .args([text(program)])
            .env("WINEPREFIX", &text(&target_dir().join("wine")))
            .env("WINEDEBUG", "-all")
    }
}
