//! What is checked of the C library.

use std::path::Path;

use super::build::{Variant, cargo_static};
use super::context::{Context, work_dir};
use super::exports;
use super::layout::{HEADERS, Library, SHARED};
use super::programs::{Compile, PLAIN, compile, compile_only, run, run_under, source};
use crate::around;
use crate::files::{make, text, write};
use crate::process::{Tally, root};
use crate::targets::{COMPILED, host};

pub(super) const RELEASED: Variant = Variant {
    legacy: false,
    quick: false,
    small: false,
};
pub(super) const LEGACY: Variant = Variant {
    legacy: true,
    quick: true,
    small: false,
};
pub(super) const SMALL: Variant = Variant {
    small: true,
    ..RELEASED
};
/// The test programs, with what they take as arguments.
pub(super) const PROGRAMS: &[&str] = &[
    "vectors", "donna", "tor", "modern", "fn_dsa", "hybrid", "misuse", "threads", "abi",
];

pub(super) fn clang() -> Compile {
    Compile {
        compiler: &["clang"],
        ..PLAIN
    }
}

pub(super) fn sanitized(compiler: &'static [&'static str]) -> Compile {
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

pub(super) fn exported(context: &Context) -> Result<Tally, String> {
    exports::check(&context.own()?)?;
    Ok(Tally {
        passed: 1,
        ..Tally::default()
    })
}

/// A program that declares curve25519-donna's functions again, as floodyberry's header does, and points to one: it says so
/// beforehand, and does not compile otherwise.
fn returns_nothing(library: &Library, how: &Compile, dir: &Path) -> Result<(), String> {
    let file = dir.join("nothing.c");
    for (define, compiles) in [("#define CURVE25519_RETURNS_VOID\n", true), ("", false)] {
        let program = format!(
            "{define}#include \"curve25519.h\"\n\
             #if defined(__cplusplus)\nextern \"C\" {{\n#endif\n\
             void curve25519_donna(curve25519_key mypublic, const curve25519_key secret, const curve25519_key basepoint);\n\
             void curve25519_donna_basepoint(curve25519_key mypublic, const curve25519_key secret);\n\
             extern void (*const donna)(unsigned char *, const unsigned char *, const unsigned char *);\n\
             void (*const donna)(unsigned char *, const unsigned char *, const unsigned char *) = curve25519_donna;\n\
             #if defined(__cplusplus)\n}}\n#endif\n"
        );
        write(&file, program)?;
        let told = how
            .command(library)
            .args(["-fsyntax-only", &text(&file)])
            .capture();
        if told.is_ok() != compiles {
            return Err(format!("{}: {define:?} is not what decides", how.standard));
        }
    }
    Ok(())
}

/// Each header alone, and all together, in every standard.
pub(super) fn headers(
    context: &Context,
    compiler: &'static [&'static str],
) -> Result<Tally, String> {
    let library = context.own()?;
    let dir = work_dir().join("headers");
    make(&dir)?;
    let mut tally = Tally::default();
    for standard in [
        "-std=c89",
        "-std=c99",
        "-std=c11",
        "-std=c17",
        "-std=c2x",
        "-std=c++98",
        "-std=c++11",
        "-std=c++17",
        "-std=c++20",
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
        for header in HEADERS {
            let file = dir.join("alone.c");
            write(
                &file,
                format!("#include \"{header}\"\n#include \"{header}\"\nextern int unused;\n"),
            )?;
            compile_only(&library, &how, &file)?;
            tally.passed += 1;
        }
        returns_nothing(&library, &how, &dir)?;
        tally.passed += 1;
        compile_only(&library, &how, &source("tests/abi.c"))?;
        tally.passed += 1;
    }
    mistakes(&library, compiler, &dir)?;
    tally.passed += 1;
    Ok(tally)
}

/// Programs that the headers make a compiler warn of.
fn mistakes(
    library: &Library,
    compiler: &'static [&'static str],
    dir: &Path,
) -> Result<(), String> {
    let file = dir.join("mistake.c");
    let how = Compile { compiler, ..PLAIN };
    let compiles = |result: &str, bytes: u32| {
        write(
            &file,
            format!(
                "#include \"lanner.h\"\nint f(const lanner_ed25519_key *key, unsigned char *out);\n\
                 int f(const lanner_ed25519_key *key, unsigned char *out)\n{{\n\
                 \x20   unsigned char signature[{bytes}];\n\
                 \x20   {result}lanner_ed25519_sign(key, out, 1, signature);\n\
                 \x20   return signature[0];\n}}\n"
            ),
        )?;
        let object = how
            .command(library)
            .args(["-c", "-o", "/dev/null", &text(&file)]);
        Ok::<bool, String>(object.capture().is_ok())
    };
    if !compiles("*out = (unsigned char)", 64)? {
        return Err(String::from("a program without a mistake does not compile"));
    }
    if compiles("", 64)? {
        return Err(String::from("a result is ignored, and nobody says so"));
    }
    // Other compilers see sizes, too, but do not warn.
    if compiler == ["gcc"] && compiles("*out = (unsigned char)", 32)? {
        return Err(String::from("a signature has no room, and nobody says so"));
    }
    Ok(())
}

/// How much the test programs do.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Of the longer lists of vectors, every so manieth case.
    stride: &'static str,
    /// How often random input is tried.
    rounds: &'static str,
    /// How often threads use what they share, and read what another one writes.
    turns: &'static str,
}

const FULL: Effort = Effort {
    stride: "1",
    rounds: "2000",
    turns: "60",
};
/// On another processor that this machine has as well, built quickly.
const QUICK: Effort = Effort {
    stride: "3",
    rounds: "1000",
    turns: "12",
};
/// Under an emulator.
pub(super) const EMULATED: Effort = Effort {
    stride: "7",
    rounds: "200",
    turns: "12",
};
/// Under valgrind and sanitizers.
pub(super) const WATCHED: Effort = Effort {
    stride: "19",
    rounds: "30",
    turns: "12",
};

/// The vectors of hybrid signatures, which the programs read themselves.
pub(super) fn hybrid_vectors() -> String {
    text(&root().join("vectors/data/hybrid.json"))
}

/// Every test program against one library.
pub(super) fn programs(
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
        let args = arguments(program, context, effort)?;
        tally.add(run_under(library, under, &path, &args)?);
    }
    Ok(tally)
}

/// What a test program takes.
pub(super) fn arguments(
    program: &str,
    context: &Context,
    effort: Effort,
) -> Result<Vec<String>, String> {
    Ok(match program {
        "vectors" => vec![text(&context.data()?), effort.stride.to_owned()],
        "fn_dsa" => vec![text(&context.data()?)],
        "hybrid" => vec![hybrid_vectors()],
        "misuse" => vec![effort.rounds.to_owned()],
        "threads" => vec![effort.turns.to_owned()],
        _ => vec![],
    })
}

/// One test program.
pub(super) fn single(library: &Library, name: &str, args: &[String]) -> Result<Tally, String> {
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

/// The library that is to be small: nothing about it is less than about the other one but its speed.
pub(super) fn small(context: &Context) -> Result<Tally, String> {
    let library = context.library(&host()?, SMALL)?;
    exports::check(&library)?;
    let mut tally = programs(&library, context, &PLAIN, "small")?;
    tally.add(single(&library, "panic", &[])?);
    tally.add(single(&library, "residue", &[])?);
    Ok(tally)
}

/// The library of another target: as it is released in a long run, else built quickly.
pub(super) fn other(context: &Context, triple: &str) -> Result<Library, String> {
    let quick = !context.long;
    context.library(triple, Variant { quick, ..RELEASED })
}

/// A target that is emulated or has another word size.
pub(super) fn cross(context: &Context, triple: &str) -> Result<Tally, String> {
    let library = other(context, triple)?;
    exports::check(&library)?;
    let effort = match (context.long, library.target.runner.is_empty()) {
        (true, _) => FULL,
        (false, true) => QUICK,
        (false, false) => EMULATED,
    };
    let mut tally = each_program(&library, context, &PLAIN, triple, &[], effort)?;
    tally.add(single(&library, "panic", &[])?);
    Ok(tally)
}

/// The C library of small systems: programs that are static as a whole, and the shared library.
pub(super) fn musl(context: &Context) -> Result<Tally, String> {
    let triple = "x86_64-unknown-linux-musl";
    let mut tally = cross(context, triple)?;
    let library = other(context, triple)?;
    for (name, flags, shared) in [
        ("musl-static", &["-static"][..], false),
        ("musl-shared", &[], true),
    ] {
        let how = Compile {
            flags,
            shared,
            ..PLAIN
        };
        tally.add(programs(&library, context, &how, name)?);
    }
    Ok(tally)
}

/// An allocator that fails under every function that a header declares.
pub(super) fn memory(library: &Library) -> Result<Tally, String> {
    let dir = work_dir().join("memory").join(library.target.triple);
    make(&dir)?;
    let names = exports::declared(&exports::configuration(HEADERS))?;
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
    run(library, &program, &[hybrid_vectors()])
}

/// Programs that are linked with one copy of the library, and plugins with another.
pub(super) fn plugins(context: &Context) -> Result<Tally, String> {
    let library = &context.own()?;
    let dir = work_dir().join("plugins");
    make(&dir)?;
    let at = text(&library.dir);
    let from = |name: &str| {
        let rpath = format!("-Wl,-rpath,{at}");
        vec![format!("-L{at}"), format!("-l{name}"), rpath]
    };
    let hidden = vec![
        text(&library.dir.join("liblanner.a")),
        String::from("-Wl,--exclude-libs,liblanner.a"),
    ];
    let names = SHARED.map(|shared| shared.name);
    let how = Compile {
        standard: "-std=gnu99",
        ..PLAIN
    };
    let file = text(&source("tests/plugins.c"));
    let made = |name: &str, flags: &[&str], parts: &[String]| {
        let made = dir.join(name);
        how.command(library)
            .args(flags.iter().copied())
            .args(["-o", &text(&made), &file])
            .args(parts.iter().cloned())
            .args(["-lpthread", "-ldl"])
            .run()?;
        Ok::<_, String>(made)
    };
    let flags = ["-DPLUGIN", "-fPIC", "-shared"];
    let mut plugins = vec![("static", made("static.so", &flags, &hidden)?)];
    for name in names {
        let plugin = made(&format!("{name}.so"), &flags, &from(name))?;
        plugins.push((name, plugin));
    }
    let mut tally = Tally::default();
    for host in names {
        let program = made(host, &[], &from(host))?;
        for (name, plugin) in &plugins {
            let how = if *name == host { "together" } else { "apart" };
            println!("--- {host}, a plugin with {name}: {how}");
            let args = [how.to_owned(), text(plugin)];
            tally.add(run(library, &program, &args)?);
        }
    }
    Ok(tally)
}

/// The shims of `donna/`, twice in one program, each compiled with its own switches.
pub(super) fn suffixes(context: &Context) -> Result<Tally, String> {
    let library = &context.own()?;
    let dir = work_dir().join("suffix");
    make(&dir)?;
    let compiler = |object: &Path, file: &str, defines: &[&str]| {
        PLAIN
            .command(library)
            // The custom headers are the program's, and hold what C89 has not.
            .args(["-std=c99"])
            .args(["-I", &text(&source("tests/suffix"))])
            .args(defines.iter().copied())
            .args(["-c", "-o", &text(object), &text(&source(file))])
    };
    let object = |name: &str, file: &str, defines: &[&str]| {
        let object = dir.join(name);
        compiler(&object, file, defines).run()?;
        Ok::<_, String>(object)
    };
    let is_refused = |defines: &[&str], why: &str| {
        let told = compiler(&dir.join("refused.o"), "donna/ed25519.c", defines).capture();
        match told {
            Err(told) if told.contains(why) => Ok(()),
            _ => Err(format!("{defines:?} was not refused by {why}")),
        }
    };
    let suffix = "-DED25519_SUFFIX=_lanner";
    let custom = [
        "-DED25519_SUFFIX=_blake2b",
        "-DED25519_CUSTOMHASH",
        "-DED25519_CUSTOMRANDOM",
    ];
    is_refused(&["-DED25519_TEST"], "lanner_set_random_source")?;
    // The largest context that the library takes, and one that is larger.
    let large = |more| [custom[0], custom[1], more];
    object("large.o", "donna/ed25519.c", &large("-DMORE=65264"))?;
    is_refused(&large("-DMORE=65265"), "context_is_not_too_large")?;
    let objects = [
        // Of two hashes donna takes its own.
        object(
            "plain.o",
            "donna/ed25519.c",
            &[suffix, "-DED25519_SSE2", custom[1], "-DED25519_REFHASH"],
        )?,
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
    for what in ["random", "nowhere"] {
        let lacks = library.target.program(&text(&program)).args([what]);
        let [went_on, said] = lacks.output()?;
        if !went_on.is_empty() || !said.contains("no randomness") {
            return Err(format!(
                "without randomness it says {said:?} and {went_on:?}"
            ));
        }
    }
    run(library, &program, &[])
}

/// The programs under memcheck. Those that only measure, or fork, have nothing to show there.
pub(super) fn memcheck(context: &Context) -> Result<Tally, String> {
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

pub(super) fn differential(context: &Context, peer: &str, library: &str) -> Result<Tally, String> {
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

/// The C side of `interop/tests/c_face.rs`, which talks to it through a pipe.
pub(crate) fn interop_program() -> String {
    text(&work_dir().join("interop/interop"))
}

/// C and Rust, each on what the other made.
pub(super) fn interop(context: &Context) -> Result<Tally, String> {
    let library = context.own()?;
    let dir = work_dir().join("interop");
    let file = source("tests/interop.c");
    let program = compile(&library, &PLAIN, &[file], &dir, "interop", &[])?;
    let tally = around::tests(&["--test", "c_face", "--", "--ignored"])
        .env("LANNER_C_INTEROP", &text(&program))
        .run()?;
    if tally.passed == 0 || !tally.skips.is_empty() {
        return Err(String::from("the interop tests did not run"));
    }
    Ok(tally)
}

/// Systems that are not here: the static library is compiled, and has the declared functions.
pub(super) fn compiled_only(_: &Context) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let names = exports::declared(&exports::configuration(HEADERS))?;
    for triple in COMPILED {
        let archive = cargo_static(triple, "dev", &[], &[])?;
        let found = exports::in_archive("llvm-nm", &text(&archive))?;
        exports::compare(triple, &names, &found)?;
        tally.passed += 1;
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::root;
    use crate::c::layout::{HEADERS, VERSION, c_dir, include_dir};
    use crate::files::read;

    /// The header's version is the packages'.
    #[test]
    fn the_header_says_this_version() {
        let header = read(&include_dir().join("lanner.h")).expect("it is there");
        let version = VERSION;
        assert!(header.contains(&format!("#define LANNER_VERSION \"{version}\"")));
        for (name, number) in ["MAJOR", "MINOR", "PATCH"].iter().zip(version.split('.')) {
            assert!(header.contains(&format!("#define LANNER_VERSION_{name} {number}\n")));
        }
    }

    /// Results that must be looked at are marked: all that are statuses. (Donna's headers are as their users know them.)
    #[test]
    fn every_status_is_marked() {
        let header = read(&include_dir().join("lanner.h")).expect("it is there");
        let declarations: Vec<&str> = header
            .match_indices("\nint lanner_")
            .map(|(at, _)| header[at..].split(';').next().unwrap_or_default())
            .collect();
        assert!(declarations.len() > 100, "{}", declarations.len());
        for declaration in declarations {
            let is_marked = declaration.trim_end().ends_with(") LANNER_CHECKED");
            // A number, which no program has a reason to ignore, and no failure.
            let is_no_status = declaration.contains("lanner_ed25519_donna_profile(void)");
            assert!(is_marked || is_no_status, "{declaration}");
        }
    }

    /// Functions with two outputs are held to what the headers say of one that is NULL, all of them.
    #[test]
    fn two_outputs_are_tested() {
        // Arrays that are read, although nothing in the prototype says so: what is written is `valid`.
        const ONE: [&str; 2] = ["ed25519_sign_open_batch", "ed25519_sign_open_batch_donna"];
        let tests = read(&c_dir().join("tests/misuse.c")).expect("it is there");
        let (_, tests) = tests
            .split_once("static void two_outputs(void)\n")
            .expect("it has the function");
        let (tests, _) = tests.split_once("\n}\n").expect("which ends");
        let is_output = |parameter: &str| {
            let lent = parameter.ends_with("scratch") || parameter.ends_with("user");
            let read = parameter.starts_with("const ") && !parameter.contains("**");
            (parameter.contains('*') || parameter.contains('[')) && !lent && !read
        };
        let mut found = 0;
        for header in HEADERS {
            let header = read(&include_dir().join(header)).expect("it is there");
            for declaration in header.split(';') {
                let code = declaration.rsplit("*/\n").next().unwrap_or_default();
                let Some((start, rest)) = code.split_once('(') else {
                    continue;
                };
                let parameters = rest.split(')').next().unwrap_or_default();
                let parameters = parameters.split(',').map(str::trim);
                let outputs = parameters.filter(|it| is_output(it)).count();
                let name = start.rsplit([' ', '*']).next().unwrap_or_default();
                if outputs >= 2 && !ONE.contains(&name) {
                    assert!(tests.contains(&format!("{name}(")), "{name}");
                    found += 1;
                }
            }
        }
        assert!(found > 20, "{found}");
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
        let mut known: Vec<&str> = HEADERS.to_vec();
        known.sort_unstable();
        assert_eq!(found, known);
        assert!(root().join("c").is_dir());
    }
}
