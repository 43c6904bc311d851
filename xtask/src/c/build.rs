//! `cargo xtask c`: the static and the shared library.

use std::path::{Path, PathBuf};

use super::layout::{CORE, HEADERS, INSIDE, Library, SHARED, Shared, c_dir, include_dir};
use super::turn::Turn;
use super::{debug, exports, glibc, split};
use crate::files::{fresh, text, write};
use crate::nowhere;
use crate::process::{Cmd, target_dir, value};
use crate::targets::{Target, find, host};

/// The profile of what is released.
pub(super) const RELEASED: &str = "liblanner";
/// The profile of what is to be small.
const SMALL: &str = "liblanner-small";
/// What goes with it: one backend, without assembly. It serves every processor of the target.
const SMALL_FLAGS: &[&str] = &[
    "--cfg",
    "lanner_backend=\"portable\"",
    "--cfg",
    "lanner_size=\"small\"",
];

/// The kernel is asked for randomness, not the C library: a static program does not find its function by name, and would
/// read /dev/urandom, which a chroot may not have. Linux has had the call since 3.17, and what else is asked for is newer.
const LINUX_FLAGS: &[&str] = &["--cfg", "getrandom_backend=\"linux_raw\""];

/// Every processor of a target of 64 bits has wider limbs than these, which are there for tests.
const RELEASED_FLAGS: &[&str] = &["--cfg", "lanner_without=\"portable32\""];

/// What a library is built with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Variant {
    pub(super) legacy: bool,
    /// Built in a fraction of the time, slower, and with overflow checks: for tests.
    pub(super) quick: bool,
    /// For programs that are to be small: portable code alone, compiled for size.
    pub(super) small: bool,
}

impl Variant {
    fn cargo_args(self) -> Vec<String> {
        let mut args = Vec::new();
        let mut features = Vec::new();
        if self.legacy {
            features.push("legacy_compatibility");
        }
        if !features.is_empty() {
            args.extend([String::from("--features"), features.join(",")]);
        }
        args
    }

    fn suffix(self) -> String {
        let parts = [
            (self.legacy, "-legacy"),
            (self.quick, "-quick"),
            (self.small, "-small"),
        ];
        parts
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, text)| *text)
            .collect()
    }

    fn profile(self) -> &'static str {
        match (self.quick, self.small) {
            (true, _) => "c-test",
            (false, true) => SMALL,
            (false, false) => RELEASED,
        }
    }
}

/// `cargo xtask c`.
///
/// # Errors
///
/// An option is unknown, or the build fails.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let mut triple = host()?;
    let mut variant = Variant::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--target" => triple = value(arg, &mut args)?.to_owned(),
            "--legacy" => variant.legacy = true,
            "--small" => variant.small = true,
            other => return Err(format!("c: unknown option '{other}'")),
        }
    }
    let library = build(&find(&triple)?, variant)?;
    exports::check(&library)?;
    let shared = SHARED.iter().map(|shared| shared.file());
    for name in [String::from("liblanner.a")].into_iter().chain(shared) {
        let path = library.dir.join(name);
        let size = std::fs::metadata(&path).map_or(0, |data| data.len());
        println!("{} ({} kB)", path.display(), size / 1000);
    }
    println!("headers: {}", include_dir().display());
    Ok(())
}

/// Cargo's static library for a target, with arguments of cargo and flags of the compiler.
///
/// # Errors
///
/// It does not build.
pub(super) fn cargo_static(
    triple: &str,
    profile: &str,
    args: &[String],
    flags: &[&str],
) -> Result<PathBuf, String> {
    let build = Cmd::cargo(["rustc", "-p", "lanner-c", "--lib", "--profile", profile])
        .args(["--crate-type", "staticlib"])
        .args(args.iter().cloned());
    // What is tested alone shares builds with other tests.
    let is_released = profile == RELEASED || !flags.is_empty();
    if is_released {
        let of_system = if triple.contains("-linux-") {
            LINUX_FLAGS
        } else {
            &[]
        };
        let flags = [flags, of_system, RELEASED_FLAGS].concat();
        nowhere::build(build, triple, &flags)?
    } else {
        build.args(["--target", triple])
    }
    .run()?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let dir = target_dir().join(triple).join(folder);
    ["liblanner_c.a", "lanner_c.lib"]
        .iter()
        .map(|name| dir.join(name))
        .find(|path| path.is_file())
        .ok_or_else(|| format!("cargo left no static library in {}", dir.display()))
}

/// Builds both libraries, when no other process builds or uses them in this checkout.
///
/// # Errors
///
/// A tool is missing, or a step fails.
pub(super) fn build(target: &Target, variant: Variant) -> Result<Library, String> {
    let turn = Turn::take()?;
    let flags = if variant.small { SMALL_FLAGS } else { &[] };
    let args = variant.cargo_args();
    let archive = cargo_static(target.triple, variant.profile(), &args, flags)?;
    let dir = target_dir()
        .join("liblanner")
        .join(format!("{}{}", target.triple, variant.suffix()));
    fresh(&dir)?;
    let names = exports::declared(&exports::configuration(HEADERS))?;
    let core = exports::declared(&exports::configuration(CORE))?;
    let (core, donna): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|name| core.contains(name));
    let gathered = gather(target, &archive, &core, &donna, &dir)?;
    let mut names = Vec::new();
    for name in &donna {
        names.push(donna_name(target, name, &dir)?);
    }
    shared(target, &gathered, &names, &dir)?;

    target
        .tool("objcopy")
        .args(["--strip-debug", &text(&gathered)])
        .run()?;
    let members = dir.join("members");
    fresh(&members)?;
    let members = split::split(&gathered, &members)?;
    let listed = dir.join("listed");
    let objects = || members.iter().chain(&names);
    let lines: String = objects()
        .map(|object| quoted(&text(object)) + "\n")
        .collect();
    write(&listed, lines)?;
    target
        .tool("ar")
        .args(["rcsD", &text(&dir.join("liblanner.a"))])
        .args([format!("@{}", text(&listed))])
        .run()?;
    for object in objects().chain([&gathered, &listed]) {
        std::fs::remove_file(object).map_err(|error| error.to_string())?;
    }
    std::fs::remove_dir(dir.join("members")).map_err(|error| error.to_string())?;
    if !variant.quick {
        let made = SHARED
            .iter()
            .flat_map(|shared| [shared.file(), shared.debug_file()]);
        let made = made.chain([String::from("liblanner.a")]);
        nowhere::check(&made.map(|name| dir.join(name)).collect::<Vec<_>>())?;
    }
    Ok(Library {
        target: *target,
        dir,
        _turn: turn,
    })
}

/// A word of a file of arguments, as the binutils read it: between quotation marks, in which a backslash stands before what
/// would be something else.
fn quoted(word: &str) -> String {
    let escaped = word.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

/// Links the shared libraries, and puts their debug information into files beside them.
fn shared(target: &Target, gathered: &Path, names: &[PathBuf], dir: &Path) -> Result<(), String> {
    let object = dir.join("shared.o");
    let (pins, needed) = glibc::pins(target, gathered)?;
    let renamed = dir.join("pins");
    write(&renamed, pins)?;
    target
        .tool("objcopy")
        .args([format!("--redefine-syms={}", text(&renamed))])
        .args([text(gathered), text(&object)])
        .run()?;
    for shared in &SHARED {
        let declared = exports::declared(&exports::configuration(shared.headers))?;
        let script = version_script(shared, &declared, dir)?;
        let library = dir.join(shared.file());
        target
            .compiler()
            .args(["-shared", "-o", &text(&library), &text(&object)])
            .args(names.iter().map(|object| text(object)))
            .args([
                &format!("-Wl,-soname,{}", shared.soname()),
                &format!("-Wl,--version-script={}", text(&script)),
            ])
            .args(["-Wl,--gc-sections", "-Wl,-z,relro,-z,now,-z,defs"])
            // Threads may hold a key of the library's for as long as the process runs: `c/src/system.rs`.
            .args(["-Wl,-z,nodelete"])
            .args(["-Wl,--build-id=sha1", "-Wl,--no-as-needed"])
            .args(needed.iter().cloned())
            .args(["-Wl,--as-needed", "-lpthread", "-ldl"])
            .run()?;
        debug::split(target, &library, &dir.join(shared.debug_file()))?;
        link(&shared.file(), &dir.join(shared.soname()))?;
        link(&shared.soname(), &dir.join(shared.link_name()))?;
    }
    for file in [&object, &renamed] {
        std::fs::remove_file(file).map_err(|error| error.to_string())?;
    }
    Ok(())
}

pub(super) fn link(to: &str, at: &Path) -> Result<(), String> {
    std::os::unix::fs::symlink(to, at).map_err(|error| format!("{}: {error}", at.display()))
}

/// One object with all that the declared functions need, and no other global symbol, so that the
/// library meets nothing of its host by accident: a second library written in Rust, say. Donna's names are
/// not in it either, but with [`INSIDE`] before them.
fn gather(
    target: &Target,
    archive: &Path,
    core: &[String],
    donna: &[String],
    dir: &Path,
) -> Result<PathBuf, String> {
    let names = || core.iter().chain(donna);
    let object = dir.join("lanner.o");
    let list = dir.join("keep");
    let inside = donna.iter().map(|name| format!("{INSIDE}{name}"));
    let kept: Vec<String> = core.iter().cloned().chain(inside).collect();
    write(&list, kept.join("\n") + "\n")?;
    let renamed = dir.join("renamed");
    let lines: String = donna
        .iter()
        .map(|name| format!("{name} {INSIDE}{name}\n"))
        .collect();
    write(&renamed, lines)?;
    let mut ld = target.tool("ld");
    if let Some(emulation) = target.emulation {
        ld = ld.args(["-m", emulation]);
    }
    let wanted = dir.join("wanted");
    let lines: String = names().map(|name| format!("-u {name}\n")).collect();
    write(&wanted, lines)?;
    ld.args(["-r", "--gc-sections", "--force-group-allocation"])
        .args([format!("@{}", text(&wanted))])
        .args(["-o", &text(&object), &text(archive)])
        .run()?;
    let mut objcopy = target.tool("objcopy").args([
        // Bitcode of the standard library, which tools with another LLVM choke on.
        "--remove-section=.llvmbc",
        "--remove-section=.llvmcmd",
    ]);
    if target.triple.starts_with("riscv") {
        // Differences of labels that relaxation may move: the GNU linker cannot read the table any more
        // after a relocatable link, and fails on it. Nothing here unwinds, so nobody misses it. Debug information
        // has such differences as well.
        objcopy = objcopy.args([
            "--strip-debug",
            "--remove-section=.eh_frame",
            "--remove-section=.rela.eh_frame",
        ]);
    }
    if target.triple.starts_with("arm") {
        // Tables of unwinding once more. Their order is that of the functions, which members do not keep.
        objcopy = objcopy.args(
            [
                ".ARM.exidx*",
                ".rel.ARM.exidx*",
                ".ARM.extab*",
                ".rel.ARM.extab*",
            ]
            .map(|name| format!("--remove-section={name}")),
        );
    }
    objcopy
        .args([
            &format!("--redefine-syms={}", text(&renamed)),
            &format!("--keep-global-symbols={}", text(&list)),
            &text(&object),
        ])
        .run()?;
    for file in [&list, &wanted, &renamed] {
        std::fs::remove_file(file).map_err(|error| error.to_string())?;
    }
    Ok(object)
}

/// The object of one of donna's names: see `c/donna/names.c`.
fn donna_name(target: &Target, name: &str, dir: &Path) -> Result<PathBuf, String> {
    let object = dir.join(format!("{name}.o"));
    target
        .compiler()
        .args(["-std=c89", "-O2", "-fPIC", "-Wall", "-Wextra", "-Werror"])
        .args(["-ffunction-sections", "-fomit-frame-pointer"])
        .args(["-I", &text(&include_dir()), &format!("-DNAME_{name}")])
        .args(["-c", "-o", &text(&object)])
        .args([text(&c_dir().join("donna/names.c"))])
        .run()?;
    Ok(object)
}

/// The version script of a shared library: what is left of `c/liblanner.map` where there are fewer names.
fn version_script(shared: &Shared, names: &[String], dir: &Path) -> Result<PathBuf, String> {
    let map = exports::map()?;
    let script = dir.join(format!("version-script-{}", shared.name));
    let kept: Vec<&String> = map.iter().filter(|name| names.contains(name)).collect();
    let lines: String = kept.iter().map(|name| format!("    {name};\n")).collect();
    write(
        &script,
        format!(
            "{} {{\n  global:\n{lines}  local:\n    *;\n}};\n",
            shared.node()
        ),
    )?;
    Ok(script)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Cmd;

    /// Where the target directory lies is the user's choice.
    #[test]
    fn files_of_arguments_have_any_path() {
        let dir = std::env::temp_dir().join(format!("lanner \"a\\b' {}", std::process::id()));
        fresh(&dir).expect("made");
        let (member, listed, archive) = (dir.join("m 1"), dir.join("listed"), dir.join("a.a"));
        write(&member, "any").expect("written");
        write(&listed, quoted(&text(&member)) + "\n").expect("written");
        let ar = Cmd::new("ar").args(["rcsD", &text(&archive)]);
        ar.args([format!("@{}", text(&listed))])
            .capture()
            .expect("it finds them");
        let names = Cmd::new("ar").args(["t", &text(&archive)]).capture();
        assert_eq!(names, Ok(String::from("m 1\n")));
        std::fs::remove_dir_all(&dir).expect("it was made");
    }
}
