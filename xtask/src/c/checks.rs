//! The checks of `cargo xtask c-test`, in order.

use std::path::Path;

use super::build::{Library, SHARED, Variant, cargo_static};
use super::programs::{Compile, PLAIN, compile, compile_only, run, run_under, source};
use super::targets::{COMPILED, host};
use super::test::{Check, Context, Need, one, work_dir};
use super::{bare_metal, beside, copy, dist, exports, fresh, install, make, text, write};
use crate::process::{Cmd, Tally};

const CLANG: Need = Need::Program("clang", &["clang"]);
/// Reads the libraries of all targets.
const LLVM: Need = Need::Program("llvm-nm", &["llvm"]);
const DEFAULT: Variant = Variant {
    legacy: false,
    quick: false,
};
const LEGACY: Variant = Variant {
    legacy: true,
    quick: true,
};
/// The test programs, with what they take as arguments.
const PROGRAMS: &[&str] = &[
    "vectors", "donna", "tor", "modern", "fn_dsa", "misuse", "threads", "abi",
];

/// All checks; the quickest to fail stand first.
pub(super) fn all() -> Vec<Check> {
    let check = |name, needs: &[Need], run| Check {
        name,
        needs: needs.to_vec(),
        run,
    };
    vec![
        check("exports are what the headers declare", &[], exported),
        check(
            "headers: every standard of C and C++, gcc",
            &[],
            |context| headers(context, &["gcc"]),
        ),
        check(
            "headers: every standard of C and C++, clang",
            &[CLANG],
            |context| headers(context, &["clang"]),
        ),
        check("gcc, static", &[], |context| {
            programs(&context.own()?, context, &PLAIN, "gcc")
        }),
        check("gcc, shared", &[], |context| {
            let how = Compile {
                shared: true,
                ..PLAIN
            };
            programs(&context.own()?, context, &how, "gcc-shared")
        }),
        check("clang", &[CLANG], |context| {
            programs(&context.own()?, context, &clang(), "clang")
        }),
        check("as C++", &[Need::Program("g++", &["g++"])], |context| {
            let how = Compile {
                standard: "-std=c++98",
                flags: &["-Wno-long-long", "-Wno-variadic-macros"],
                ..PLAIN
            };
            programs(&context.own()?, context, &how, "cpp")
        }),
        check("legacy_compatibility", &[], |context| {
            let library = context.library(&host()?, LEGACY)?;
            programs(&library, context, &PLAIN, "legacy")
        }),
        check("suffixes, a custom hash, custom randomness", &[], suffixes),
        check("beside a program's own donna", &[], beside::check),
        check("a panic ends the process with a message", &[], |context| {
            single(&context.own()?, "panic", &[])
        }),
        check("memory that lacks, in every function", &[], |context| {
            memory(&context.own()?)
        }),
        check("residue of secrets on the stack", &[], |context| {
            single(&context.own()?, "residue", &[])
        }),
        check(
            "residue of secrets on the stack, i686",
            &[Need::Target("i686-unknown-linux-gnu")],
            |context| {
                // Only the released build is made to leave nothing.
                let library = context.library("i686-unknown-linux-gnu", DEFAULT)?;
                single(&library, "residue", &[])
            },
        ),
        check("a test as donna's users know it", &[], |context| {
            single(&context.own()?, "test", &[])
        }),
        check("examples", &[], |context| {
            let dir = work_dir().join("examples");
            let library = context.own()?;
            let how = Compile {
                standard: "-std=c99",
                ..PLAIN
            };
            examples(&dir, |program, source| {
                compile(&library, &how, &[source.to_path_buf()], &dir, program, &[]).map(drop)
            })
        }),
        check(
            "address and undefined-behaviour sanitizers, gcc",
            &[],
            |context| programs(&context.own()?, context, &sanitized(&[]), "sanitized-gcc"),
        ),
        check(
            "address and undefined-behaviour sanitizers, clang",
            &[CLANG, Need::Sanitizers("clang", &["libclang-rt-14-dev"])],
            |context| {
                programs(
                    &context.own()?,
                    context,
                    &sanitized(&["clang"]),
                    "sanitized-clang",
                )
            },
        ),
        check(
            "valgrind: no invalid access, no leak",
            &[Need::Program("valgrind", &["valgrind", "libc6-dbg"])],
            memcheck,
        ),
        check(
            "differential: libsodium",
            &[Need::Header("sodium.h", "libsodium-dev")],
            |context| differential(context, "sodium", "-lsodium"),
        ),
        check(
            "differential: OpenSSL",
            &[Need::Header("openssl/evp.h", "libssl-dev")],
            |context| differential(context, "openssl", "-lcrypto"),
        ),
        check("C and Rust, each on what the other made", &[], interop),
        check(
            "installed: pkg-config and CMake find it",
            &[
                Need::Program("pkg-config", &["pkg-config"]),
                Need::Program("cmake", &["cmake", "make"]),
            ],
            installed,
        ),
        check(
            "release archive: unpacked and used with gcc alone",
            &[],
            archive,
        ),
        check(
            "i686",
            &[Need::Target("i686-unknown-linux-gnu")],
            |context| cross(context, "i686-unknown-linux-gnu"),
        ),
        check(
            "i686, clang",
            &[Need::Target("i686-unknown-linux-gnu"), CLANG],
            |context| {
                let library = other(context, "i686-unknown-linux-gnu")?;
                programs(&library, context, &clang(), "i686-clang")
            },
        ),
        check(
            "aarch64",
            &[Need::Target("aarch64-unknown-linux-gnu")],
            |context| cross(context, "aarch64-unknown-linux-gnu"),
        ),
        check(
            "riscv64",
            &[Need::Target("riscv64gc-unknown-linux-gnu")],
            |context| cross(context, "riscv64gc-unknown-linux-gnu"),
        ),
        check(
            "s390x (big-endian)",
            &[Need::Target("s390x-unknown-linux-gnu")],
            |context| cross(context, "s390x-unknown-linux-gnu"),
        ),
        check(
            "bare metal",
            &[Need::RustTarget(bare_metal::TARGET), LLVM],
            bare_metal::check,
        ),
        check(
            "Windows and macOS: compiled, not run",
            &COMPILED
                .iter()
                .map(|target| Need::RustTarget(target))
                .chain([LLVM])
                .collect::<Vec<_>>(),
            compiled_only,
        ),
    ]
}

fn clang() -> Compile {
    Compile {
        compiler: &["clang"],
        ..PLAIN
    }
}

fn sanitized(compiler: &'static [&'static str]) -> Compile {
    Compile {
        compiler,
        flags: &[
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
            "-fno-omit-frame-pointer",
        ],
        ..PLAIN
    }
}

fn exported(context: &Context) -> Result<Tally, String> {
    exports::check(&context.own()?)?;
    Ok(one())
}

/// Each header alone, and all together, in every standard.
fn headers(context: &Context, compiler: &'static [&'static str]) -> Result<Tally, String> {
    let library = context.own()?;
    let dir = work_dir().join("headers");
    make(&dir)?;
    let mut tally = Tally::default();
    for standard in [
        "-std=c89",
        "-std=c99",
        "-std=c11",
        "-std=c17",
        "-std=c++98",
        "-std=c++11",
        "-std=c++17",
    ] {
        let how = Compile {
            compiler,
            standard,
            flags: if standard == "-std=c++98" {
                &["-Wno-long-long"]
            } else {
                &[]
            },
            ..PLAIN
        };
        for header in exports::HEADERS {
            let file = dir.join("alone.c");
            write(
                &file,
                format!("#include \"{header}\"\n#include \"{header}\"\nextern int unused;\n"),
            )?;
            compile_only(&library, &how, &file)?;
            tally.passed += 1;
        }
        compile_only(&library, &how, &source("tests/abi.c"))?;
        tally.passed += 1;
    }
    Ok(tally)
}

/// How much the test programs do.
#[derive(Clone, Copy)]
struct Effort {
    /// Of the longer lists of vectors, every so manieth case.
    stride: &'static str,
    /// How often random input is tried.
    rounds: &'static str,
}

const FULL: Effort = Effort {
    stride: "1",
    rounds: "2000",
};
/// Under an emulator.
const EMULATED: Effort = Effort {
    stride: "7",
    rounds: "200",
};
/// Under valgrind.
const WATCHED: Effort = Effort {
    stride: "19",
    rounds: "30",
};

/// Every test program against one library.
fn programs(
    library: &Library,
    context: &Context,
    how: &Compile,
    name: &str,
) -> Result<Tally, String> {
    each_program(library, context, how, name, &[], FULL)
}

fn each_program(
    library: &Library,
    context: &Context,
    how: &Compile,
    name: &str,
    under: &[&str],
    effort: Effort,
) -> Result<Tally, String> {
    let dir = work_dir().join(name);
    let mut tally = Tally::default();
    for program in PROGRAMS {
        let file = source(&format!("tests/{program}.c"));
        let path = compile(library, how, &[file], &dir, program, &[])?;
        let args = match *program {
            "vectors" => vec![text(&context.data()?), effort.stride.to_owned()],
            "fn_dsa" => vec![text(&context.data()?)],
            "misuse" => vec![effort.rounds.to_owned()],
            _ => vec![],
        };
        tally.add(run_under(library, under, &path, &args)?);
    }
    Ok(tally)
}

/// One test program.
fn single(library: &Library, name: &str, args: &[String]) -> Result<Tally, String> {
    let how = Compile {
        standard: "-std=gnu99",
        ..PLAIN
    };
    let file = source(&format!("tests/{name}.c"));
    let path = compile(
        library,
        &how,
        &[file],
        &work_dir().join("single"),
        name,
        &[],
    )?;
    run(library, &path, args)
}

/// The library of another target: as it is released in a long run, else built quickly.
fn other(context: &Context, triple: &str) -> Result<Library, String> {
    let quick = !context.long;
    context.library(triple, Variant { quick, ..DEFAULT })
}

/// A target that is emulated or has another word size.
fn cross(context: &Context, triple: &str) -> Result<Tally, String> {
    let library = other(context, triple)?;
    exports::check(&library)?;
    let effort = if context.long || library.target.runner.is_empty() {
        FULL
    } else {
        EMULATED
    };
    let mut tally = each_program(&library, context, &PLAIN, triple, &[], effort)?;
    tally.add(single(&library, "panic", &[])?);
    Ok(tally)
}

/// An allocator that fails under every function that a header declares.
fn memory(library: &Library) -> Result<Tally, String> {
    let dir = work_dir().join("memory").join(library.target.triple);
    make(&dir)?;
    let names = exports::declared(&exports::configuration(exports::HEADERS))?;
    let entries: String = names
        .iter()
        .map(|name| format!(" \\\n    X({name})"))
        .collect();
    write(
        &dir.join("declared.h"),
        format!("#define DECLARED(X){entries}\n"),
    )?;
    let how = Compile {
        standard: "-std=gnu99",
        ..PLAIN
    };
    let include = format!("-I{}", text(&dir));
    let wrapped = [
        "malloc",
        "calloc",
        "realloc",
        "aligned_alloc",
        "posix_memalign",
    ]
    .map(|name| format!("-Wl,--wrap={name}"));
    let flags: Vec<&str> = std::iter::once(&include)
        .chain(&wrapped)
        .map(String::as_str)
        .collect();
    let program = compile(
        library,
        &how,
        &[source("tests/memory.c")],
        &dir,
        "memory",
        &flags,
    )?;
    run(library, &program, &[])
}

/// The shims of `donna/`, twice in one program, each compiled with its own switches.
fn suffixes(context: &Context) -> Result<Tally, String> {
    let library = &context.own()?;
    let dir = work_dir().join("suffix");
    make(&dir)?;
    let object = |name: &str, file: &str, defines: &[&str]| {
        let object = dir.join(name);
        PLAIN
            .command(library)
            // The custom headers are the program's, and hold what C89 has not.
            .args(["-std=c99"])
            .args(["-I", &text(&source("tests/suffix"))])
            .args(defines.iter().copied())
            .args(["-c", "-o", &text(&object), &text(&source(file))])
            .run()?;
        Ok::<_, String>(object)
    };
    let suffix = "-DED25519_SUFFIX=_lanner";
    let custom = [
        "-DED25519_SUFFIX=_blake2b",
        "-DED25519_CUSTOMHASH",
        "-DED25519_CUSTOMRANDOM",
    ];
    let refused = object("refused.o", "donna/ed25519.c", &["-DED25519_TEST"]);
    if refused.is_ok() {
        return Err(String::from("ED25519_TEST was not refused"));
    }
    let objects = [
        object("plain.o", "donna/ed25519.c", &[suffix, "-DED25519_SSE2"])?,
        object("custom.o", "donna/ed25519.c", &custom)?,
        object(
            "exchange.o",
            "donna/curve25519.c",
            &["-DCURVE25519_SUFFIX=_lanner"],
        )?,
        source("tests/suffix/main.c"),
    ];
    let how = Compile {
        standard: "-std=c99",
        ..PLAIN
    };
    let program = compile(library, &how, &objects, &dir, "suffix", &[])?;
    run(library, &program, &[])
}

/// The programs under memcheck. Those that only measure, or fork, have nothing to show there.
fn memcheck(context: &Context) -> Result<Tally, String> {
    let under = [
        "valgrind",
        "--quiet",
        "--error-exitcode=9",
        "--leak-check=full",
        "--show-leak-kinds=all",
        "--errors-for-leak-kinds=definite,indirect,possible",
    ];
    let effort = if context.long { EMULATED } else { WATCHED };
    let library = context.own()?;
    each_program(&library, context, &PLAIN, "memcheck", &under, effort)
}

fn differential(context: &Context, peer: &str, library: &str) -> Result<Tally, String> {
    let own = context.own()?;
    let how = Compile {
        standard: "-std=c99",
        ..PLAIN
    };
    let dir = work_dir().join("differential");
    let file = source(&format!("tests/fuzz_{peer}.c"));
    let program = compile(&own, &how, &[file], &dir, peer, &[library])?;
    let rounds = if context.long { "100000" } else { "2000" };
    run(&own, &program, &[rounds.to_owned()])
}

/// `interop/tests/c_face.rs` talks to a C program through a pipe.
fn interop(context: &Context) -> Result<Tally, String> {
    let library = context.own()?;
    let dir = work_dir().join("interop");
    let file = source("tests/interop.c");
    let program = compile(&library, &PLAIN, &[file], &dir, "interop", &[])?;
    let tally = Cmd::cargo(["test", "-p", "lanner-interop", "--test", "c_face"])
        .args(["--", "--ignored"])
        .env("LANNER_C_INTEROP", &text(&program))
        .run()?;
    if tally.passed == 0 || !tally.skips.is_empty() {
        return Err(String::from("the interop tests did not run"));
    }
    Ok(tally)
}

/// Builds every example with `build`, and runs each as its comment says.
fn examples(
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
fn installed(context: &Context) -> Result<Tally, String> {
    let library = context.own()?;
    let dir = work_dir().join("installed");
    fresh(&dir)?;
    let prefix = text(&dir.join("prefix"));
    install::install(&library, Path::new(&prefix), &prefix)?;
    let example = dir.join("example.c");
    copy(&source("examples/key_agreement.c"), &example)?;
    let pkg_of = |library: &str, args: &str| {
        Cmd::new("pkg-config")
            .args(args.split(' '))
            .args([library])
            .env("PKG_CONFIG_PATH", &format!("{prefix}/lib/pkgconfig"))
            .capture()
    };
    let pkg = |args: &str| pkg_of("lanner", args);
    if pkg("--modversion")?.trim() != super::build::VERSION {
        return Err(String::from("pkg-config says another version"));
    }
    for (name, flags) in [
        ("shared", pkg("--cflags --libs")?),
        ("core", pkg_of("lanner-core", "--cflags --libs")?),
        (
            "static",
            format!("-static {}", pkg("--cflags --libs --static")?),
        ),
    ] {
        let program = text(&dir.join(name));
        let line = format!("cc -o {program} {} {}", text(&example), flags.trim());
        Cmd::new("sh").args(["-c", &line]).run()?;
        Cmd::new(&program)
            .env("LD_LIBRARY_PATH", &format!("{prefix}/lib"))
            .run()?;
    }
    write(
        &dir.join("CMakeLists.txt"),
        "cmake_minimum_required(VERSION 3.13)\n\
         project(probe C)\n\
         find_package(lanner 0.1 REQUIRED)\n\
         find_package(lanner 0.2 QUIET)\n\
         if(lanner_FOUND)\n  message(FATAL_ERROR \"found a version that is not there\")\nendif()\n\
         find_package(lanner 0.1 REQUIRED)\n\
         add_executable(with_shared example.c)\n\
         target_link_libraries(with_shared lanner::lanner)\n\
         add_executable(with_static example.c)\n\
         target_link_libraries(with_static lanner::static)\n\
         add_executable(with_core example.c)\n\
         target_link_libraries(with_core lanner::core)\n",
    )?;
    let out = text(&dir.join("cmake"));
    Cmd::new("cmake")
        .args(["-S", &text(&dir), "-B", &out])
        .args([format!("-DCMAKE_PREFIX_PATH={prefix}")])
        .run()?;
    Cmd::new("cmake").args(["--build", &out]).run()?;
    for program in ["with_shared", "with_static", "with_core"] {
        Cmd::new(&format!("{out}/{program}")).run()?;
    }
    Ok(Tally {
        passed: 6,
        ..Tally::default()
    })
}

/// The release archive in an empty directory, as somebody has it who has no Rust.
fn archive(context: &Context) -> Result<Tally, String> {
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
    ] {
        if !tree.join(&file).exists() {
            return Err(format!("the archive lacks {file}"));
        }
    }
    let mut tally = Tally::default();
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

/// Systems that are not here: the static library is compiled, and has the declared functions.
fn compiled_only(context: &Context) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let names = exports::declared(&exports::configuration(exports::HEADERS))?;
    // One of each system in a short run.
    let targets = if context.long {
        COMPILED
    } else {
        &COMPILED[..2]
    };
    for triple in targets {
        let archive = cargo_static(triple, "dev", &[])?;
        let found = exports::in_archive("llvm-nm", &text(&archive))?;
        exports::compare(triple, &names, &found)?;
        tally.passed += 1;
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::exports;
    use crate::c::build::{c_dir, include_dir};
    use crate::c::read;
    use crate::process::root;

    /// The header's version is the packages'.
    #[test]
    fn the_header_says_this_version() {
        let header = read(&include_dir().join("lanner.h")).expect("it is there");
        let version = crate::c::build::VERSION;
        assert!(header.contains(&format!("#define LANNER_VERSION \"{version}\"")));
        for (name, number) in ["MAJOR", "MINOR", "PATCH"].iter().zip(version.split('.')) {
            assert!(header.contains(&format!("#define LANNER_VERSION_{name} {number}\n")));
        }
    }

    #[test]
    fn every_header_is_known() {
        let mut found: Vec<String> = std::fs::read_dir(c_dir().join("include"))
            .expect("it is there")
            .map(|entry| {
                entry
                    .expect("readable")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        found.sort();
        let mut known: Vec<&str> = exports::HEADERS.to_vec();
        known.sort_unstable();
        assert_eq!(found, known);
        assert!(root().join("c").is_dir());
    }
}
