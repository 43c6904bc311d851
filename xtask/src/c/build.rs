//! `cargo xtask c`: the static and the shared library.

use std::path::{Path, PathBuf};

use super::targets::{Target, find, host};
use super::{exports, fresh, text, value, write};
use crate::process::{Cmd, root, target_dir};

/// The number in the soname. It counts the incompatible changes of the binary interface: an object
/// of the caller's that grows, a function that goes.
pub(super) const ABI: u32 = 0;

/// The version of all packages.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a library is built with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Variant {
    pub(super) legacy: bool,
    pub(super) no_donna: bool,
    /// Built in a fraction of the time, slower, and with overflow checks: for tests.
    pub(super) quick: bool,
}

impl Variant {
    fn cargo_args(self) -> Vec<String> {
        let mut args = Vec::new();
        let mut features = Vec::new();
        if self.no_donna {
            args.push(String::from("--no-default-features"));
            features.extend(["std", "key-files", "tables"]);
        }
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
            (self.no_donna, "-no-donna"),
            (self.quick, "-quick"),
        ];
        parts
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, text)| *text)
            .collect()
    }

    fn profile(self) -> &'static str {
        if self.quick { "c-test" } else { "liblanner" }
    }
}

/// A library that was built.
#[derive(Clone, Debug)]
pub(super) struct Library {
    pub(super) target: Target,
    /// Where `liblanner.a` and `liblanner.so` lie.
    pub(super) dir: PathBuf,
}

/// The directory of the C face.
pub(super) fn c_dir() -> PathBuf {
    root().join("c")
}

/// The headers.
pub(super) fn include_dir() -> PathBuf {
    c_dir().join("include")
}

/// The file with this name that the loader looks for.
pub(super) fn soname() -> String {
    format!("liblanner.so.{ABI}")
}

/// The name of the shared library's file.
pub(super) fn shared_name() -> String {
    format!("liblanner.so.{ABI}.{VERSION}")
}

/// `cargo xtask c`.
///
/// # Errors
///
/// An option is unknown, or the build fails.
pub(super) fn run(args: &[String]) -> Result<(), String> {
    let mut triple = host()?;
    let mut variant = Variant::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--target" => triple = value(arg, &mut args)?.to_owned(),
            "--legacy" => variant.legacy = true,
            "--no-donna" => variant.no_donna = true,
            other => return Err(format!("c: unknown option '{other}'")),
        }
    }
    let library = build(&find(&triple)?, variant)?;
    exports::check(&library, variant)?;
    for name in [String::from("liblanner.a"), shared_name()] {
        let path = library.dir.join(name);
        let size = std::fs::metadata(&path).map_or(0, |data| data.len());
        println!("{} ({} kB)", path.display(), size / 1000);
    }
    println!("headers: {}", include_dir().display());
    Ok(())
}

/// Cargo's static library for a target.
///
/// # Errors
///
/// It does not build.
pub(super) fn cargo_static(
    triple: &str,
    profile: &str,
    args: &[String],
) -> Result<PathBuf, String> {
    Cmd::cargo(["rustc", "-p", "lanner-c", "--lib", "--profile", profile])
        .args(["--crate-type", "staticlib", "--target", triple])
        .args(args.iter().cloned())
        .run()?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let dir = target_dir().join(triple).join(folder);
    ["liblanner_c.a", "lanner_c.lib"]
        .iter()
        .map(|name| dir.join(name))
        .find(|path| path.is_file())
        .ok_or_else(|| format!("cargo left no static library in {}", dir.display()))
}

/// Builds both libraries.
///
/// # Errors
///
/// A tool is missing, or a step fails.
pub(super) fn build(target: &Target, variant: Variant) -> Result<Library, String> {
    let archive = cargo_static(target.triple, variant.profile(), &variant.cargo_args())?;
    let dir = target_dir()
        .join("liblanner")
        .join(format!("{}{}", target.triple, variant.suffix()));
    fresh(&dir)?;
    let names = exports::declared(&exports::configuration(variant))?;
    let object = gather(target, &archive, &names, &dir)?;

    target
        .tool("ar")
        .args(["rcsD", &text(&dir.join("liblanner.a")), &text(&object)])
        .run()?;
    let shared = dir.join(shared_name());
    let script = version_script(&names, &dir)?;
    target
        .compiler()
        .args(["-shared", "-o", &text(&shared), &text(&object)])
        .args([
            &format!("-Wl,-soname,{}", soname()),
            &format!("-Wl,--version-script={}", text(&script)),
        ])
        .args(["-Wl,--gc-sections", "-Wl,-z,relro,-z,now,-z,defs", "-Wl,-s"])
        .args(["-lpthread", "-ldl"])
        .run()?;
    link(&shared_name(), &dir.join(soname()))?;
    link(&soname(), &dir.join("liblanner.so"))?;
    std::fs::remove_file(&object).map_err(|error| error.to_string())?;
    Ok(Library {
        target: *target,
        dir,
    })
}

pub(super) fn link(to: &str, at: &Path) -> Result<(), String> {
    std::os::unix::fs::symlink(to, at).map_err(|error| format!("{}: {error}", at.display()))
}

/// One object with all that the declared functions need, and no other global symbol, so that the
/// library meets nothing of its host by accident: a second library written in Rust, say.
fn gather(
    target: &Target,
    archive: &Path,
    names: &[String],
    dir: &Path,
) -> Result<PathBuf, String> {
    let object = dir.join("lanner.o");
    let list = dir.join("keep");
    write(&list, names.join("\n") + "\n")?;
    let mut ld = target.tool("ld");
    if let Some(emulation) = target.emulation {
        ld = ld.args(["-m", emulation]);
    }
    let wanted = dir.join("wanted");
    let lines: String = names.iter().map(|name| format!("-u {name}\n")).collect();
    write(&wanted, lines)?;
    ld.args(["-r", "--gc-sections", &format!("@{}", text(&wanted))])
        .args(["-o", &text(&object), &text(archive)])
        .run()?;
    let mut objcopy = target.tool("objcopy").args([
        "--strip-debug",
        // Bitcode of the standard library, which tools with another LLVM choke on.
        "--remove-section=.llvmbc",
        "--remove-section=.llvmcmd",
    ]);
    if target.triple.starts_with("riscv") {
        // Differences of labels that relaxation may move: the GNU linker cannot read the table any more
        // after a relocatable link, and fails on it. Nothing here unwinds, so nobody misses it.
        objcopy = objcopy.args([
            "--remove-section=.eh_frame",
            "--remove-section=.rela.eh_frame",
        ]);
    }
    objcopy
        .args([
            &format!("--keep-global-symbols={}", text(&list)),
            &text(&object),
        ])
        .run()?;
    for file in [&list, &wanted] {
        std::fs::remove_file(file).map_err(|error| error.to_string())?;
    }
    Ok(object)
}

/// The version script: `c/liblanner.map`, or what is left of it in a variant with fewer names.
fn version_script(names: &[String], dir: &Path) -> Result<PathBuf, String> {
    let map = exports::map()?;
    let script = dir.join("version-script");
    let kept: Vec<&String> = map
        .names
        .iter()
        .filter(|name| names.contains(name))
        .collect();
    let lines: String = kept.iter().map(|name| format!("    {name};\n")).collect();
    write(
        &script,
        format!(
            "{} {{\n  global:\n{lines}  local:\n    *;\n}};\n",
            map.version
        ),
    )?;
    Ok(script)
}
