//! The checks of the C library as steps of the test run.

use std::sync::Arc;

use super::bare_metal;
use super::beside;
use super::checks::{
    LEGACY, RELEASED, clang, compiled_only, cross, differential, exported, headers, hybrid_vectors,
    interop, memcheck, memory, musl, other, plugins, programs, sanitized, single, small, suffixes,
};
use super::context::{Context, work_dir};
use super::documents;
use super::foreign::{GNU, MICROSOFT};
use super::instrumented;
use super::layout::SHARED;
use super::packages::{archive, cgo, ctypes, debug_archive, examples, installed};
use super::programs::{Compile, PLAIN, compile, source};
use super::recipes;
use super::sizes;
use super::windows;
use crate::files::text;
use crate::needs::Need;
use crate::process::Tally;
use crate::steps::{Action, Step};
use crate::targets::{COMPILED, TESTED, host};

/// The step that makes the C side of the tests in which C and Rust talk to each other, and runs these.
const BOTH_WAYS: &str = "C and Rust, each on what the other made";

/// What it is called in the test run.
pub(crate) fn interop_step() -> String {
    named(BOTH_WAYS)
}

/// What a step is called in the test run.
fn named(name: &str) -> String {
    format!("C: {name}")
}

type Check = fn(&Context) -> Result<Tally, String>;

/// Makes steps of checks that share a context.
pub(crate) struct Steps {
    context: Arc<Context>,
    steps: Vec<Step>,
}

fn clang_itself() -> Need {
    Need::program("clang", &["clang"])
}

/// Reads the libraries of all targets.
fn llvm() -> Need {
    Need::program("llvm-nm", &["llvm"])
}

/// What another target takes, in Rust and in C.
fn on(triple: &'static str) -> Vec<Need> {
    let target = TESTED.iter().find(|target| target.triple == triple);
    let tools = target.expect("the table has it").need();
    vec![Need::Target(triple), tools]
}

impl Steps {
    /// None yet. In a long run, emulators see all vectors, random input is longer, and every target has
    /// the released build.
    pub(crate) fn new(long: bool) -> Self {
        Self {
            context: Arc::new(Context::new(long)),
            steps: Vec::new(),
        }
    }

    /// What builds the shared library of this machine, unless that is done, and gives its path.
    pub(crate) fn shared_library(
        &self,
    ) -> impl Fn() -> Result<String, String> + Send + Sync + use<> {
        let context = Arc::clone(&self.context);
        move || Ok(text(&context.own()?.dir.join(SHARED[0].link_name())))
    }

    /// What was gathered.
    pub(crate) fn into_list(self) -> Vec<Step> {
        self.steps
    }

    fn add(&mut self, name: &str, needs: &[Need], check: Check) {
        let context = Arc::clone(&self.context);
        let action = Action::Call(Box::new(move || check(&context)));
        self.steps.push(Step::new(named(name), needs, action));
    }

    /// What runs on this machine; the quickest to fail stand first.
    pub(crate) fn here(&mut self) {
        self.add("exports are what the headers declare", &[], exported);
        self.add(
            "headers: every standard of C and C++, gcc",
            &[],
            |context| headers(context, &["gcc"]),
        );
        self.add(
            "headers: every standard of C and C++, clang",
            &[clang_itself()],
            |context| headers(context, &["clang"]),
        );
        self.add("gcc, static", &[], |context| {
            programs(&context.own()?, context, &PLAIN, "gcc")
        });
        self.add("gcc, shared", &[], |context| {
            let how = Compile {
                shared: true,
                ..PLAIN
            };
            programs(&context.own()?, context, &how, "gcc-shared")
        });
        self.add("clang", &[clang_itself()], |context| {
            programs(&context.own()?, context, &clang(), "clang")
        });
        self.add("as C++", &[Need::program("g++", &["g++"])], |context| {
            let how = Compile {
                standard: "-std=c++98",
                flags: &["-Wno-long-long", "-Wno-variadic-macros"],
                ..PLAIN
            };
            programs(&context.own()?, context, &how, "cpp")
        });
        self.add("suffixes, a custom hash, custom randomness", &[], suffixes);
        self.add("beside a program's own donna", &[], beside::check);
        self.add("a panic ends the process with a message", &[], |context| {
            single(&context.own()?, "panic", &[])
        });
        self.add("memory that lacks, in every function", &[], |context| {
            memory(&context.own()?)
        });
        self.add("loaded and unloaded 2000 times", &[], |context| {
            let library = context.own()?;
            let shared = text(&library.dir.join(SHARED[1].soname()));
            single(&library, "unload", &[shared])
        });
        self.add("plugins with a copy of their own", &[], plugins);
        self.add("residue of secrets on the stack", &[], |context| {
            single(&context.own()?, "residue", &[])
        });
        self.add("stack beside scratch, as the header says", &[], |context| {
            let [header, readme] =
                ["include/lanner.h", "README.md"].map(|name| text(&source(name)));
            let args = [header, hybrid_vectors(), readme];
            single(&context.own()?, "stack", &args)
        });
        self.add("the small library", &[], small);
        self.add("a test as donna's users know it", &[], |context| {
            single(&context.own()?, "test", &[])
        });
        self.add("sizes of programs", &[], sizes::check);
        self.add("examples", &[], |context| {
            let dir = work_dir().join("examples");
            let library = context.own()?;
            let how = Compile {
                standard: "-std=c99",
                ..PLAIN
            };
            examples(&dir, |program, source| {
                compile(&library, &how, &[source.to_path_buf()], &dir, program, &[]).map(drop)
            })
        });
        self.add("the program of the README", &[], documents::readme);
        self.add(
            "switching from libsodium: each line of the page",
            &[Need::header("sodium.h", &["libsodium-dev"])],
            documents::libsodium,
        );
        self.add(
            "switching from OpenSSL: each line of the page",
            &[Need::header("openssl/evp.h", &["libssl-dev"])],
            documents::openssl,
        );
        self.add(
            "differential: libsodium",
            &[Need::header("sodium.h", &["libsodium-dev"])],
            |context| differential(context, "sodium", "-lsodium"),
        );
        self.add(
            "differential: OpenSSL",
            &[Need::header("openssl/evp.h", &["libssl-dev"])],
            |context| differential(context, "openssl", "-lcrypto"),
        );
        self.add(BOTH_WAYS, &[], interop);
        self.add(
            "installed: pkg-config and CMake find it",
            &[
                Need::program("pkg-config", &["pkg-config"]),
                Need::program("cmake", &["cmake", "make"]),
            ],
            installed,
        );
        self.add(
            "the example in Python, by ctypes",
            &[Need::program("python3", &["python3"])],
            ctypes,
        );
        self.add(
            "release archive: unpacked and used with gcc alone",
            &[],
            archive,
        );
        self.add(
            "release archive of debug information: read by gdb and addr2line",
            &[Need::program("gdb", &["gdb"])],
            debug_archive,
        );
    }

    /// The programs where the bytes of a word stand in the other order, in an emulator. Other targets are for the whole: with
    /// 32 bits a full run has the portable lanes of the libraries on this processor, and FN-DSA without SSE2.
    pub(crate) fn elsewhere(&mut self) {
        self.add(
            "on s390x (big-endian)",
            &on("s390x-unknown-linux-gnu"),
            |context| cross(context, "s390x-unknown-linux-gnu"),
        );
    }

    /// What takes long, or tools that few have.
    pub(crate) fn thorough(&mut self) {
        self.add("legacy_compatibility", &[], |context| {
            let library = context.library(&host()?, LEGACY)?;
            programs(&library, context, &PLAIN, "legacy")
        });
        self.add("on i686", &on("i686-unknown-linux-gnu"), |context| {
            cross(context, "i686-unknown-linux-gnu")
        });
        self.add("on aarch64", &on("aarch64-unknown-linux-gnu"), |context| {
            cross(context, "aarch64-unknown-linux-gnu")
        });
        self.add(
            "on riscv64",
            &on("riscv64gc-unknown-linux-gnu"),
            |context| cross(context, "riscv64gc-unknown-linux-gnu"),
        );
        self.add(
            "on 32-bit ARM",
            &on("armv7-unknown-linux-gnueabihf"),
            |context| cross(context, "armv7-unknown-linux-gnueabihf"),
        );
        self.add(
            "on Windows, with the GNU linker",
            &windows::needs(GNU),
            |context| windows::check(context, GNU),
        );
        self.add(
            "on Windows, with Microsoft's compiler and linker as LLVM has them",
            &windows::needs(MICROSOFT),
            |context| windows::check(context, MICROSOFT),
        );
        self.add(
            "with musl, static and shared",
            &on("x86_64-unknown-linux-musl"),
            musl,
        );
        self.add(
            "address and undefined-behaviour sanitizers, gcc",
            &[],
            |context| programs(&context.own()?, context, &sanitized(&[]), "sanitized-gcc"),
        );
        self.add(
            "address and undefined-behaviour sanitizers, clang",
            &[
                clang_itself(),
                Need::sanitizers("clang", &["libclang-rt-14-dev"]),
            ],
            |context| {
                let how = sanitized(&["clang"]);
                programs(&context.own()?, context, &how, "sanitized-clang")
            },
        );
        self.add(
            "address sanitizer, in the library's own code",
            &[instrumented::NIGHTLY],
            |context| instrumented::ADDRESSES.check(context),
        );
        self.add(
            "thread sanitizer, in the library's own code",
            &[instrumented::NIGHTLY],
            |context| instrumented::THREADS.check(context),
        );
        self.add(
            "the example in Go, by cgo",
            &[
                Need::program("go", &["golang-go"]),
                Need::program("pkg-config", &["pkg-config"]),
            ],
            cgo,
        );
        let cmake = Need::program("cmake", &["cmake", "make"]);
        let git = Need::program("git", &["git"]);
        self.add(
            "recipes: a project of Meson, with the library and with the subproject",
            &[
                recipes::TOOLS,
                git.clone(),
                Need::program("ninja", &["ninja-build"]),
                Need::program("pkg-config", &["pkg-config"]),
            ],
            recipes::meson,
        );
        self.add(
            "recipes: Conan's package, static and shared",
            &[recipes::TOOLS, git.clone(), cmake.clone()],
            recipes::conan,
        );
        self.add(
            "recipes: vcpkg's port, without vcpkg",
            &[git, cmake],
            recipes::vcpkg,
        );
        self.add(
            "valgrind: no invalid access, no leak",
            &[Need::valgrind()],
            memcheck,
        );
        self.add(
            "residue of secrets on the stack, i686",
            &on("i686-unknown-linux-gnu"),
            |context| {
                // Only the released build is made to leave nothing.
                let library = context.library("i686-unknown-linux-gnu", RELEASED)?;
                single(&library, "residue", &[])
            },
        );
        self.add(
            "on i686, clang",
            &[on("i686-unknown-linux-gnu"), vec![clang_itself()]].concat(),
            |context| {
                let library = other(context, "i686-unknown-linux-gnu")?;
                programs(&library, context, &clang(), "i686-clang")
            },
        );
        self.add(
            "bare metal",
            &[Need::Target(bare_metal::TARGET), llvm()],
            bare_metal::check,
        );
        let targets = COMPILED.iter().map(|target| Need::Target(target));
        let needs: Vec<Need> = targets.chain([llvm()]).collect();
        self.add("macOS: compiled, not run", &needs, compiled_only);
    }
}
