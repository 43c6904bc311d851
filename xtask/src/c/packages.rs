//! What users of the C library get: the examples, an installation, a release archive.

use std::path::Path;

use super::build::link;
use super::context::{Context, work_dir};
use super::layout::{SHARED, VERSION};
use super::programs::{run, source};
use super::{dist, documents, install};
use crate::files::{copy, fresh, make, text, write};
use crate::linked;
use crate::process::{Cmd, Tally, root};

/// Builds every example with `build`, and runs each as its comment says.
///
/// # Errors
///
/// One does not build, or does not come to its end.
pub(super) fn examples(
    dir: &Path,
    build: impl Fn(&str, &Path) -> Result<(), String>,
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(source("examples")).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            names.push(path);
        }
    }
    names.sort();
    for path in &names {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        build(&stem, path)?;
        // Each shows itself when it gets no arguments, and says so in the end.
        let said = Cmd::new("sh")
            .args(["-c", &format!("cd '{}' && ./{stem}", text(dir))])
            .capture()?;
        print!("{said}");
        if !said.ends_with("done\n") {
            return Err(format!("the example {stem} did not come to its end"));
        }
        tally.passed += 1;
    }
    if tally.passed < 4 {
        return Err(format!("only {} examples", tally.passed));
    }
    Ok(tally)
}

/// An installation below a prefix, found by the two tools.
///
/// # Errors
///
/// A tool does not find it, or a program does not run with it.
pub(super) fn installed(context: &Context) -> Result<Tally, String> {
    let library = context.own()?;
    let dir = work_dir().join("installed");
    fresh(&dir)?;
    let prefix = text(&dir.join("prefix"));
    let libdir = install::multiarch(&library.target)?;
    let places = install::Places {
        prefix: &prefix,
        libdir: &libdir,
    };
    install::install(&library, Path::new(&prefix), &places)?;
    let example = dir.join("example.c");
    copy(&source("examples/key_agreement.c"), &example)?;
    let pkg_of = |library: &str, args: &str| {
        Cmd::new("pkg-config")
            .args(args.split(' '))
            .args([library])
            .env("PKG_CONFIG_PATH", &format!("{prefix}/{libdir}/pkgconfig"))
            .capture()
    };
    let pkg = |args: &str| pkg_of("lanner", args);
    if pkg("--modversion")?.trim() != VERSION {
        return Err(String::from("pkg-config says another version"));
    }
    // Of its names alone there is no static library, so nothing is said of one.
    let of_core = |args: &str| pkg_of("lanner-core", args);
    if of_core("--libs --static")? != of_core("--libs")? {
        return Err(String::from("lanner-core says what a static library needs"));
    }
    for (name, flags) in [
        ("shared", pkg("--cflags --libs")?),
        ("core", of_core("--cflags --libs")?),
        (
            "static",
            format!("-static {}", pkg("--cflags --libs --static")?),
        ),
    ] {
        let program = text(&dir.join(name));
        let line = format!("cc -o {program} {} {}", text(&example), flags.trim());
        Cmd::new("sh").args(["-c", &line]).run()?;
        Cmd::new(&program)
            .env("LD_LIBRARY_PATH", &format!("{prefix}/{libdir}"))
            .run()?;
    }
    as_the_readme_says(&dir, &libdir)?;
    // As on systems where /lib is a link to usr/lib: what is found first there is no prefix.
    let merged = dir.join("merged");
    make(&merged)?;
    link("../prefix/lib", &merged.join("lib"))?;
    let (series, _) = VERSION.rsplit_once('.').unwrap_or_default();
    let components = [
        (" COMPONENTS lanner core static", true),
        (" COMPONENTS lanner nothing", false),
        (" COMPONENTS lanner OPTIONAL_COMPONENTS nothing", true),
    ]
    .map(|(components, is_there)| (format!("{series}{components}"), is_there));
    let asked = asked_for(VERSION).into_iter().chain(components);
    let asked: String = asked
        .map(|(what, is_there)| asking(&what, is_there))
        .collect();
    write(
        &dir.join("CMakeLists.txt"),
        "cmake_minimum_required(VERSION 3.13)\n\
         project(probe C)\n"
            .to_owned()
            + &asked
            + &format!(
                "set(size ${{CMAKE_SIZEOF_VOID_P}})\n\
                 set(CMAKE_SIZEOF_VOID_P 4)\n\
                 find_package(lanner {series} QUIET)\n\
                 if(lanner_FOUND)\n  message(FATAL_ERROR \"found the library of another word size\")\nendif()\n\
                 set(CMAKE_SIZEOF_VOID_P ${{size}})\n\
                 find_package(lanner {series} REQUIRED)\n"
            )
            + "add_executable(with_shared example.c)\n\
         target_link_libraries(with_shared lanner::lanner)\n\
         add_executable(with_static example.c)\n\
         target_link_libraries(with_static lanner::static)\n\
         add_executable(with_core example.c)\n\
         target_link_libraries(with_core lanner::core)\n\
         add_executable(app example.c)\n"
            + &documents::cmake()?,
    )?;
    for (name, prefix) in [("cmake", &prefix), ("cmake-merged", &text(&merged))] {
        let out = text(&dir.join(name));
        Cmd::new("cmake")
            .args(["-S", &text(&dir), "-B", &out])
            .args([format!("-DCMAKE_PREFIX_PATH={prefix}")])
            .run()?;
        Cmd::new("cmake").args(["--build", &out]).run()?;
        for program in ["with_shared", "with_static", "with_core", "app"] {
            Cmd::new(&format!("{out}/{program}")).run()?;
        }
    }
    Ok(Tally {
        passed: 14,
        ..Tally::default()
    })
}

/// The lines of the README that build with what is installed below `prefix`; and those that copy what was staged elsewhere, and
/// remove it there, below a directory of ours, where nobody has to be root.
fn as_the_readme_says(dir: &Path, libdir: &str) -> Result<(), String> {
    let in_dir = |line: &str| {
        let at = |below: &str| text(&dir.join("prefix").join(libdir).join(below));
        Cmd::new("sh")
            .args(["-e", "-c", &format!("cd '{}'; {line}", text(dir))])
            .env("PKG_CONFIG_PATH", &at("pkgconfig"))
            .env("LD_LIBRARY_PATH", &at(""))
            .capture()
    };
    copy(&dir.join("example.c"), &dir.join("app.c"))?;
    let line = documents::shell("gcc app.c $(pkg-config")?;
    for line in [&line, &line.replace("lanner)", "lanner-core)")] {
        in_dir(&format!("{line}; ./a.out; rm a.out"))?;
    }
    install::put(&dir.join("prefix"), &dir.join("staged"))?;
    make(&dir.join("copied"))?;
    let elsewhere = |line: String| {
        let plain = line.replace("sudo ", "").replace("ldconfig", "true");
        plain
            .replace("target/stage/usr/local/", "staged/")
            .replace(" /usr/local", " copied")
    };
    in_dir(&elsewhere(documents::shell("sudo sh -c ")?))?;
    in_dir("diff -r --no-dereference staged copied")?;
    in_dir(&elsewhere(documents::shell("cd /usr/local && ")?))?;
    match in_dir("find copied ! -type d")?.trim() {
        "" => Ok(()),
        left => Err(format!(
            "after c/README.md's last line there is still {left}"
        )),
    }
}

/// The versions and ranges that programs ask CMake for, and whether a version will do.
fn asked_for(version: &str) -> [(String, bool); 7] {
    let number = |place| -> u32 {
        let number: Option<&str> = version.split('.').nth(place);
        number.and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    let (major, minor, patch) = (number(0), number(1), number(2));
    let series = format!("{major}.{minor}");
    let next = format!("{major}.{}", minor + 1);
    [
        (format!("{series}.{}...{next}", patch + 1), false),
        (series, true),
        (format!("0.0.9...{next}"), true),
        (next, false),
        (String::from("0.0.9"), false),
        (format!("0.0.9...{version}"), true),
        (format!("0.0.9...<{version}"), false),
    ]
}

/// Lines of CMake that fail unless it says of what is asked for whether it is there.
fn asking(what: &str, is_there: bool) -> String {
    let wrong = if is_there {
        "NOT lanner_FOUND"
    } else {
        "lanner_FOUND"
    };
    format!(
        "find_package(lanner {what} QUIET)\n\
         if({wrong})\n  message(FATAL_ERROR \"{what}: ${{lanner_FOUND}}\")\nendif()\n"
    )
}

/// The examples in other languages, with an installed library: `line` runs one in its directory.
///
/// # Errors
///
/// It does not come to its end.
fn other_language(context: &Context, name: &str, line: &str) -> Result<Tally, String> {
    let library = context.own()?;
    let dir = work_dir().join(name);
    fresh(&dir)?;
    let prefix = text(&dir.join("prefix"));
    let places = install::Places {
        prefix: &prefix,
        libdir: "lib",
    };
    install::install(&library, Path::new(&prefix), &places)?;
    install::examples(&dir.join("examples"))?;
    let lib = format!("{prefix}/lib");
    let said = Cmd::new("sh")
        .args([
            "-e",
            "-c",
            &format!("cd '{}'; {line}", text(&dir.join("examples"))),
        ])
        .env("LIB", &lib)
        .env("LD_LIBRARY_PATH", &lib)
        .env("PKG_CONFIG_PATH", &format!("{lib}/pkgconfig"))
        .capture()?;
    print!("{said}");
    if said.ends_with("done\n") {
        Ok(Tally {
            passed: 1,
            ..Tally::default()
        })
    } else {
        Err(format!("the example of {name} did not come to its end"))
    }
}

/// Python, without a compiler.
///
/// # Errors
///
/// It does not come to its end.
pub(super) fn ctypes(context: &Context) -> Result<Tally, String> {
    let library = SHARED[1].soname();
    other_language(
        context,
        "ctypes",
        &format!("python3 sign_verify.py \"$LIB/{library}\""),
    )
}

/// Go, by cgo.
///
/// # Errors
///
/// It does not build, or does not come to its end.
pub(super) fn cgo(context: &Context) -> Result<Tally, String> {
    let cache = text(&work_dir().join("go-cache"));
    let line = format!("cd cgo; export GOCACHE='{cache}' GOFLAGS=-mod=mod GOPROXY=off; go run .");
    other_language(context, "cgo", &line)
}

/// The release archive in an empty directory, as somebody has it who has no Rust.
///
/// # Errors
///
/// It lacks a file, is not the same twice, or a program does not run with it.
pub(super) fn archive(context: &Context) -> Result<Tally, String> {
    let library = context.own()?;
    let archive = dist::archive(&library)?;
    let first = std::fs::read(&archive).map_err(|error| error.to_string())?;
    dist::archive(&library)?;
    if first != std::fs::read(&archive).map_err(|error| error.to_string())? {
        return Err(String::from("two archives of one library differ"));
    }
    let check = format!(
        "cd '{}' && sha256sum -c --ignore-missing SHA256SUMS",
        text(&dist::dist_dir())
    );
    Cmd::new("sh").args(["-c", &check]).run()?;

    let dir = work_dir().join("archive");
    fresh(&dir)?;
    Cmd::new("tar")
        .args(["-xzf", &text(&archive), "-C", &text(&dir)])
        .run()?;
    let tree = dir.join(dist::stem(library.target.triple));
    let lib = text(&tree.join("lib"));
    for file in [
        "lib/liblanner.a".to_owned(),
        format!("lib/{}", SHARED[0].file()),
        format!("lib/{}", SHARED[0].soname()),
        format!("lib/{}", SHARED[0].link_name()),
        format!("lib/{}", SHARED[1].file()),
        format!("lib/{}", SHARED[1].soname()),
        format!("lib/{}", SHARED[1].link_name()),
        "lib/pkgconfig/lanner.pc".to_owned(),
        "lib/pkgconfig/lanner-core.pc".to_owned(),
        "lib/cmake/lanner/lanner-config.cmake".to_owned(),
        "share/lanner/donna/ed25519.c".to_owned(),
        "share/doc/lanner/LICENSE-MIT".to_owned(),
        "share/doc/lanner/LICENSE-APACHE".to_owned(),
        "share/doc/lanner/README.md".to_owned(),
        "share/doc/lanner/SECURITY.md".to_owned(),
        "share/doc/lanner/migration-c.md".to_owned(),
    ] {
        if !tree.join(&file).exists() {
            return Err(format!("the archive lacks {file}"));
        }
    }
    // As the README says it.
    copy(&source("examples/key_agreement.c"), &dir.join("app.c"))?;
    let line = documents::shell("gcc app.c -I ")?;
    let line = line.replace(
        &format!("lanner-{VERSION}-…"),
        &dist::stem(library.target.triple),
    );
    Cmd::new("sh")
        .args(["-e", "-c", &format!("cd '{}'; {line}; ./a.out", text(&dir))])
        .env("LD_LIBRARY_PATH", &lib)
        .run()?;
    let mut tally = Tally {
        passed: 1,
        ..Tally::default()
    };
    // With nothing in the environment but a path: no Rust, no library path of ours.
    let gcc = |output: &Path, sources: &[&Path], more: &[&str]| {
        Cmd::new("env")
            .args([
                "-i",
                "PATH=/usr/bin:/bin",
                "gcc",
                "-O2",
                "-o",
                &text(output),
            ])
            .args(sources.iter().map(|path| text(path)))
            .args([format!("-I{}", text(&tree.join("include")))])
            .args([format!("-L{lib}"), String::from("-llanner")])
            .args(more.iter().copied())
            .run()
            .map(drop)
    };
    let rpath = format!("-Wl,-rpath,{lib}");
    for (kind, more) in [
        ("shared", vec![rpath.as_str()]),
        ("static", vec!["-static"]),
    ] {
        let out = dir.join(kind);
        make(&out)?;
        tally.add(examples(&out, |name, path| {
            // The archive's own copy.
            let name_c = path.file_name().unwrap_or_default();
            let own = tree.join("share/doc/lanner/examples").join(name_c);
            gcc(&out.join(name), &[&own], &more)
        })?);
    }
    let program = dir.join("test");
    gcc(&program, &[&source("tests/test.c")], &[&rpath])?;
    tally.add(run(&library, &program, &[])?);
    Ok(tally)
}

/// The archive of the debug information beside that of the libraries, which have none: what gdb, told where it lies, and
/// addr2line say of a function is the line of the sources that defines it.
///
/// # Errors
///
/// It is not the same twice, or a line is not found.
pub(super) fn debug_archive(context: &Context) -> Result<Tally, String> {
    let library = context.own()?;
    let archive = dist::archive_debug(&library)?;
    let first = std::fs::read(&archive).map_err(|error| error.to_string())?;
    dist::archive_debug(&library)?;
    if first != std::fs::read(&archive).map_err(|error| error.to_string())? {
        return Err(String::from("two archives of one library differ"));
    }
    let dir = work_dir().join("debug-archive");
    fresh(&dir)?;
    for archive in [&archive, &dist::archive(&library)?] {
        Cmd::new("tar")
            .args(["-xzf", &text(archive), "-C", &text(&dir)])
            .run()?;
    }
    let tree = dir.join(dist::debug_stem(library.target.triple));
    for name in [
        "LICENSE-APACHE",
        "LICENSE-MIT",
        linked::NOTICES,
        linked::BILL,
    ] {
        if !tree.join("share/doc/lanner-debug").join(name).is_file() {
            return Err(format!("the archive lacks {name}"));
        }
    }
    let mut tally = Tally::default();
    let below = tree.join(dist::DEBUG);
    for shared in &SHARED {
        let lib = dir.join(dist::stem(library.target.triple)).join("lib");
        let file = text(&lib.join(shared.file()));
        let gdb = |below: &Path| {
            Cmd::new("gdb")
                .args(["-batch", "-nx", "-iex"])
                .args([format!("set debug-file-directory {}", text(below))])
                .args(["-ex", &format!("info line {FUNCTION}"), &file])
                .output()
                .map(|[said, errors]| said + &errors)
        };
        let said = gdb(&below)?;
        print!("{said}");
        if !says_the_line(&said)? {
            return Err(format!("gdb says of {FUNCTION}: {said}"));
        }
        // Or else it would have been another place in which it looked.
        let elsewhere = gdb(&dir.join("nowhere"))?;
        if says_the_line(&elsewhere)? {
            return Err(format!("gdb says without the archive: {elsewhere}"));
        }
        // The same by what everybody has: the address in the library, and the line in the other file.
        let find = format!(
            "set -e; a=$(nm -D '{file}' | sed -n 's/ T {FUNCTION}@@.*//p'); id=$(readelf -n '{file}' | sed -n 's/.*Build ID: //p')
             addr2line -f -e '{}/.build-id/'\"$(echo $id | sed 's,^..,&/,')\".debug 0x$a",
            text(&below)
        );
        let said = Cmd::new("sh").args(["-c", &find]).capture()?;
        print!("{said}");
        if !says_the_line(&said)? {
            return Err(format!("addr2line says of {FUNCTION}: {said}"));
        }
        tally.passed += 2;
    }
    Ok(tally)
}

/// A function of every shared library, and where it is defined.
const FUNCTION: &str = "lanner_ed25519_verify";
const DEFINED: &str = "c/src/ed25519/verify.rs";

/// Whether a debugger's words name the file, as builds name it, and a line that is one of the function.
fn says_the_line(said: &str) -> Result<bool, String> {
    let sources = std::fs::read_to_string(root().join(DEFINED));
    let sources = sources.map_err(|error| format!("{DEFINED}: {error}"))?;
    let start = sources
        .lines()
        .position(|line| line.contains(&format!(" fn {FUNCTION}(")));
    let start = start.ok_or(format!("{DEFINED} does not define {FUNCTION}"))?;
    let length = sources.lines().skip(start).position(|line| line == "}");
    let lines = start + 1..=start + 1 + length.unwrap_or(0);
    // gdb names the file as the compiler was given it, addr2line from the compiler's directory on.
    let named = lines
        .map(|line| {
            [
                format!("Line {line} of \"{DEFINED}\""),
                format!("/lanner/{DEFINED}:{line}\n"),
            ]
        })
        .any(|ways| ways.iter().any(|way| said.contains(way)));
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_of_the_function() {
        let sources = std::fs::read_to_string(root().join(DEFINED)).unwrap();
        let declared = format!(" fn {FUNCTION}(");
        let line = 1 + sources
            .lines()
            .position(|line| line.contains(&declared))
            .unwrap();
        let gdb = |line: usize| format!("Line {line} of \"{DEFINED}\" starts at 0x1");
        assert_eq!(says_the_line(&gdb(line)), Ok(true));
        let said = format!("{FUNCTION}\n/lanner/{DEFINED}:{}\n", line + 1);
        assert_eq!(says_the_line(&said), Ok(true));
        for said in [
            gdb(line - 1),
            gdb(1),
            format!("{FUNCTION}\n??:0\n"),
            format!("No line number information available for address 0x1 <{FUNCTION}>"),
        ] {
            assert_eq!(says_the_line(&said), Ok(false), "{said}");
        }
    }

    /// Versions to come, too: in the first one of a series, asking for the series is asking for the version.
    #[test]
    fn cmake_finds_the_versions_that_will_do() {
        if Cmd::new("cmake").args(["--version"]).capture().is_err() {
            println!("SKIPPED: versions in CMake: cmake is missing");
            return;
        }
        let dir = std::env::temp_dir().join(format!("lanner-cmake-{}", std::process::id()));
        let template = source("cmake/lanner-config-version.cmake.in");
        let template = std::fs::read_to_string(template).unwrap();
        for version in ["0.1.0", "0.1.1", "0.2.3", "1.2.3", VERSION] {
            let package = dir.join(version).join("lib/cmake/lanner");
            std::fs::create_dir_all(&package).unwrap();
            write(&package.join("lanner-config.cmake"), "").unwrap();
            let filled = template.replace("@VERSION@", version);
            write(&package.join("lanner-config-version.cmake"), filled).unwrap();
            let asked: String = asked_for(version)
                .iter()
                .map(|(what, is_there)| asking(what, *is_there))
                .collect();
            let script = text(&dir.join("asked.cmake"));
            write(Path::new(&script), asked).unwrap();
            let prefix = format!("-DCMAKE_PREFIX_PATH={}", text(&dir.join(version)));
            let said = Cmd::new("cmake")
                .args([prefix.as_str(), "-P", &script])
                .capture();
            assert!(said.is_ok(), "{version}: {said:?}");
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
