//! The library beside another one that has some of donna's names: what links, and whose functions are
//! called.

use std::path::{Path, PathBuf};

use super::context::{Context, work_dir};
use super::layout::Library;
use super::programs::{Compile, PLAIN, run, source};
use crate::files::{fresh, text};
use crate::process::Tally;

const HOW: Compile = Compile {
    standard: "-std=c99",
    ..PLAIN
};

/// All names of the other library.
const ALL: &[&str] = &["-DOWN_ED25519", "-DOWN_CURVE25519", "-DOWN_TOR"];

/// Compiles a source of `c/` into an object; `-fPIC`, so that it may become a shared library.
fn object(
    library: &Library,
    dir: &Path,
    name: &str,
    file: &str,
    defines: &[&str],
) -> Result<String, String> {
    let object = text(&dir.join(name));
    HOW.command(library)
        .args(["-fPIC", "-I", &text(&source("tests/suffix"))])
        .args(["-I", &text(&source("tests/beside"))])
        .args(defines.iter().copied())
        .args(["-c", "-o", &object, &text(&source(file))])
        .run()?;
    Ok(object)
}

/// Links the parts in this order, with the names of the other library as `defines` say, and runs it.
fn program(
    library: &Library,
    dir: &Path,
    name: &str,
    defines: &[&str],
    parts: &[String],
) -> Result<Tally, String> {
    println!("--- {name}");
    let main = object(library, dir, "main.o", "tests/beside/main.c", defines)?;
    let program: PathBuf = dir.join(name.replace([' ', ',', ':'], "-"));
    let rpath = |path: &Path| format!("-Wl,-rpath,{}", text(path));
    library
        .target
        .compiler()
        .args(["-o", &text(&program), &main])
        .args(parts.iter().map(String::as_str))
        .args([rpath(&library.dir), rpath(dir)])
        .args(["-lpthread", "-ldl"])
        .run()?;
    run(library, &program, &[])
}

/// The combinations of a program's own names with the static library and with both shared ones.
///
/// # Errors
///
/// One does not link, or calls the wrong functions.
pub(super) fn check(context: &Context) -> Result<Tally, String> {
    let library = &context.own()?;
    let dir = &work_dir().join("beside");
    fresh(dir)?;
    let from_dir = |dir: &Path, name: &str| vec![format!("-L{}", text(dir)), format!("-l{name}")];
    let archive = vec![text(&library.dir.join("liblanner.a"))];
    let shared = from_dir(&library.dir, "lanner");
    let core = from_dir(&library.dir, "lanner-core");
    let mut tally = Tally::default();
    let mut test = |name: &str, defines: &[&str], parts: &[&[String]]| {
        program(library, dir, name, defines, &parts.concat()).map(|found| tally.add(found))
    };

    // The program's own names are in its objects.
    let own = |name: &str, defines: &[&str]| {
        object(library, dir, name, "tests/beside/own.c", defines).map(|object| vec![object])
    };
    for (name, defines) in [
        ("none", &[][..]),
        ("all", ALL),
        ("ed25519", &ALL[..1]),
        ("curve25519", &ALL[1..2]),
        ("tor", &ALL[2..]),
        ("one of the library's own", &["-DOWN_SECKEY"]),
    ] {
        let own = &own("own.o", defines)?;
        test(&format!("static, {name}"), defines, &[own, &archive])?;
        test(&format!("shared, {name}"), defines, &[own, &shared])?;
    }
    let all = &own("all.o", ALL)?;
    test("core, all", ALL, &[all, &core])?;

    // They are in an archive, or in a shared library: whoever stands first has the names.
    let none = &own("none.o", &[])?;
    let own_archive = &[text(&dir.join("libown.a"))];
    let own_shared = &from_dir(dir, "own");
    let ar = library.target.tool("ar");
    ar.args(["rcs", &own_archive[0], &all[0]]).run()?;
    library
        .target
        .compiler()
        .args(["-shared", "-o", &text(&dir.join("libown.so")), &all[0]])
        .run()?;
    // Nothing of what the other archive has is wanted behind Lanner's.
    let archives = "static, all in an archive";
    test(archives, ALL, &[own_archive, &archive])?;
    test(
        &format!("{archives} behind"),
        &[],
        &[none, &archive, own_archive],
    )?;
    let libraries = "shared, all in a library";
    test(libraries, ALL, &[own_shared, &shared])?;
    test(
        &format!("{libraries} behind"),
        &[],
        &[none, &shared, own_shared],
    )?;
    test("core, all in a library", ALL, &[own_shared, &core])?;
    test("core, all in a library behind", ALL, &[&core, own_shared])?;

    // The library's own sources with donna's switches, and with plain names.
    let exchange = &[object(library, dir, "curve.o", "donna/curve25519.c", &[])?];
    for (name, switches, defines) in [
        ("plain", &[][..], &[][..]),
        ("random", &["-DED25519_CUSTOMRANDOM"], &["-DSHIM_RANDOM"]),
        ("hash", &["-DED25519_CUSTOMHASH"], &["-DSHIM_HASH"]),
        (
            "both",
            &["-DED25519_CUSTOMRANDOM", "-DED25519_CUSTOMHASH"],
            &["-DSHIM_RANDOM", "-DSHIM_HASH"],
        ),
    ] {
        let shim = &[object(library, dir, "shim.o", "donna/ed25519.c", switches)?];
        for (kind, library, more) in [
            ("static", &archive, &[][..]),
            ("shared", &shared, &[]),
            ("core", &core, &["-DNO_TOR"]),
        ] {
            let defines = [defines, more].concat();
            let name = format!("{kind}, sources, {name}");
            test(&name, &defines, &[none, shim, exchange, library])?;
        }
    }
    Ok(tally)
}
