//! The recipes of package managers in `c/recipes`, each of which builds the library from a clone of this commit, and a program
//! with it. The addresses of the repository in them are replaced by that of the clone.

use std::path::{Path, PathBuf};

use super::context::{Context, work_dir};
use super::install::{Places, install};
use super::layout::c_dir;
use super::programs::source;
use crate::files::{copy, fresh, make, read, text, write};
use crate::needs::{Need, python};
use crate::process::{Cmd, Tally, root, target_dir};

const HOME: &str = "recipes";

/// Meson and Conan, in exactly the listed versions.
pub(super) const TOOLS: Need = Need::Python {
    home: HOME,
    list: "c/recipes/requirements.txt",
    probe: "
import importlib.metadata
for line in open('c/recipes/requirements.txt'):
    name, _, version = line.partition('#')[0].strip().partition('==')
    assert not name or importlib.metadata.version(name) == version, name
",
};

/// The address that the recipes have.
const ADDRESS: &str = "https://lanner.invalid/lanner.git";

/// What was passed.
fn passed(passed: u64) -> Tally {
    Tally {
        passed,
        ..Tally::default()
    }
}

/// A directory for a recipe, with its files, and a clone of the commit in it.
fn workshop(recipe: &str) -> Result<PathBuf, String> {
    let dir = work_dir().join("recipes").join(recipe);
    fresh(&dir)?;
    Cmd::new("git")
        .args(["clone", "--quiet", &text(root()), &text(&dir.join("clone"))])
        .run()?;
    Cmd::new("cp")
        .args(["-r", &text(&c_dir().join("recipes").join(recipe))])
        .args([text(&dir)])
        .run()?;
    Ok(dir)
}

/// Cargo builds into one directory for all of them.
fn builds(command: Cmd) -> Cmd {
    let dir = target_dir().join("recipes-build");
    command.env("CARGO_TARGET_DIR", &text(&dir))
}

fn replace(file: &Path, from: &str, to: &str) -> Result<(), String> {
    let before = read(file)?;
    let after = before.replace(from, to);
    match after == before {
        true => Err(format!("{} has no {from}", file.display())),
        false => write(file, after),
    }
}

/// The program of an example, run to its end.
fn example(command: &Cmd) -> Result<(), String> {
    match command.capture()?.ends_with("done\n") {
        true => Ok(()),
        false => Err(format!("{} did not come to its end", command.display())),
    }
}

/// A project of Meson: with the installed library, then with the subproject.
///
/// # Errors
///
/// One way fails.
pub(super) fn meson(context: &Context) -> Result<Tally, String> {
    let dir = workshop("meson")?;
    let project = dir.join("project");
    let subprojects = project.join("subprojects");
    make(&subprojects)?;
    let move_there = |name: &str| {
        let (from, to) = (dir.join("meson").join(name), subprojects.join(name));
        std::fs::rename(&from, &to).map_err(|error| format!("{}: {error}", from.display()))
    };
    move_there("lanner.wrap")?;
    move_there("packagefiles")?;
    let wrap = subprojects.join("lanner.wrap");
    replace(&wrap, ADDRESS, &text(&dir.join("clone")))?;
    replace(&wrap, "revision = v", "revision = HEAD\n# v")?;
    copy(&source("examples/key_agreement.c"), &project.join("main.c"))?;
    write(
        &project.join("meson.build"),
        "project('probe', 'c')\nexecutable('probe', 'main.c', dependencies: dependency('lanner', version: '>=0.1'))\n",
    )?;
    let meson = |args: &[&str]| {
        Cmd::new(&python(HOME))
            .args(["-m", "mesonbuild.mesonmain"])
            .args(args.iter().copied())
    };
    let prefix = text(&dir.join("prefix"));
    let places = Places {
        prefix: &prefix,
        libdir: "lib",
    };
    install(&context.own()?, Path::new(&prefix), &places)?;
    for (name, pkgconfig) in [
        ("installed", format!("{prefix}/lib/pkgconfig")),
        ("subproject", String::new()),
    ] {
        let out = text(&dir.join(name));
        let small: &[&str] = match name {
            "subproject" => &["-Dlanner:small=true"],
            _ => &[],
        };
        meson(&[&["setup", &out, &text(&project)], small].concat())
            .env("PKG_CONFIG_PATH", &pkgconfig)
            .run()?;
        builds(meson(&["compile", "-C", &out])).run()?;
        example(&Cmd::new(&format!("{out}/probe")))?;
    }
    // For another machine it is built by that one's name, or refused; that cc makes no programs for it shows later.
    for (machine, target) in [
        ("aarch64", Some("aarch64-unknown-linux-gnu")),
        ("ppc64", None),
    ] {
        let (out, cross) = (dir.join(machine), dir.join(format!("{machine}.ini")));
        write(
            &cross,
            format!(
                "[binaries]\nc = 'cc'\nar = 'ar'\n[properties]\nneeds_exe_wrapper = true\n[host_machine]\nsystem = 'linux'\n\
                 cpu_family = '{machine}'\ncpu = '{machine}'\nendian = 'little'\n"
            ),
        )?;
        let setup = [
            "setup",
            "--cross-file",
            &text(&cross),
            &text(&out),
            &text(&project),
        ];
        let is_set_up = meson(&setup).env("PKG_CONFIG_PATH", "").capture().is_ok();
        let named = target.map(|target| {
            let ninja = read(&out.join("build.ninja")).unwrap_or_default();
            ninja.contains(&format!("--target {target}"))
        });
        if is_set_up != target.is_some() || named == Some(false) {
            return Err(format!("Meson does not build for {machine} as it should"));
        }
    }
    Ok(passed(4))
}

/// The package of Conan, static and shared, and the program that goes with the recipe.
///
/// # Errors
///
/// It is not made, or the program fails.
pub(super) fn conan(_: &Context) -> Result<Tally, String> {
    let dir = workshop("conan")?;
    let recipe = dir.join("conan");
    replace(
        &recipe.join("conandata.yml"),
        ADDRESS,
        &text(&dir.join("clone")),
    )?;
    replace(
        &recipe.join("conandata.yml"),
        "commit: \"v",
        "commit: \"HEAD\" # \"v",
    )?;
    let conan = |args: &[&str]| {
        let conan = Path::new(&python(HOME)).with_file_name("conan");
        let command = Cmd::new(&text(&conan)).args(args.iter().copied());
        builds(command).env("CONAN_HOME", &text(&dir.join("home")))
    };
    conan(&["profile", "detect"]).run()?;
    for shared in ["False", "True"] {
        let kind = format!("lanner/*:shared={shared}");
        conan(&[
            "create",
            &text(&recipe),
            "-o",
            &kind,
            "-o",
            "lanner/*:small=True",
        ])
        .run()?;
    }
    Ok(passed(2))
}

/// The port of vcpkg, with functions of the same names in the place of vcpkg's, and a project of CMake that uses what it made.
///
/// # Errors
///
/// It does not build, or lacks a file.
pub(super) fn vcpkg(_: &Context) -> Result<Tally, String> {
    let dir = workshop("vcpkg")?;
    for linkage in ["static", "dynamic"] {
        let packages = dir.join(format!("packages-{linkage}"));
        let define = |name: &str, value: &str| format!("-D{name}={value}");
        Cmd::new("cmake")
            .args([
                define("PORT", &text(&dir.join("vcpkg/lanner"))),
                define("SOURCES", &text(&dir.join("clone"))),
                define("CURRENT_PACKAGES_DIR", &text(&packages)),
                define(
                    "CURRENT_BUILDTREES_DIR",
                    &text(&target_dir().join("recipes-build")),
                ),
                define("VCPKG_TARGET_ARCHITECTURE", "x64"),
                define("VCPKG_LIBRARY_LINKAGE", linkage),
                define("FEATURES", "small"),
            ])
            .args(["-P", &text(&dir.join("vcpkg/stubs.cmake"))])
            .run()?;
        for file in [
            "copyright",
            "usage",
            "lanner-config.cmake",
            "donna/ed25519.c",
        ] {
            if !packages.join("share/lanner").join(file).is_file() {
                return Err(format!("the port leaves no share/lanner/{file}"));
            }
        }
        every_name_is_linked(&packages.join("lib"))?;
        let project = dir.join(linkage);
        make(&project)?;
        copy(&source("examples/key_agreement.c"), &project.join("main.c"))?;
        write(
            &project.join("CMakeLists.txt"),
            "cmake_minimum_required(VERSION 3.13)\nproject(probe C)\nfind_package(lanner CONFIG REQUIRED)\n\
             add_executable(probe main.c)\n\
             target_link_libraries(probe PRIVATE \
             $<IF:$<TARGET_EXISTS:lanner::lanner>,lanner::lanner,lanner::static>)\n",
        )?;
        let out = text(&project.join("build"));
        Cmd::new("cmake")
            .args(["-S", &text(&project), "-B", &out])
            .args([define("CMAKE_PREFIX_PATH", &text(&packages))])
            .run()?;
        Cmd::new("cmake").args(["--build", &out]).run()?;
        example(&Cmd::new(&format!("{out}/probe")))?;
    }
    Ok(passed(2))
}

/// Checks that what the files of pkg-config name lies in the directory.
///
/// # Errors
///
/// It does not, or there is no such file.
fn every_name_is_linked(lib: &Path) -> Result<(), String> {
    let dir = lib.join("pkgconfig");
    let entries = std::fs::read_dir(&dir).map_err(|error| format!("{}: {error}", text(&dir)))?;
    let mut names = 0;
    for entry in entries {
        let file = entry.map_err(|error| error.to_string())?.path();
        let of_file = read(&file)?;
        let line = of_file.lines().find(|line| line.starts_with("Libs:"));
        for name in line
            .unwrap_or_default()
            .split_whitespace()
            .filter_map(|word| word.strip_prefix("-l"))
        {
            names += 1;
            let there = ["a", "so"]
                .iter()
                .any(|kind| lib.join(format!("lib{name}.{kind}")).exists());
            if !there {
                return Err(format!("{} names {name}, which is not there", text(&file)));
            }
        }
    }
    if names == 0 {
        return Err(format!("{} has no file that names a library", text(&dir)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{ADDRESS, c_dir};
    use crate::c::layout::VERSION;
    use crate::files::read;

    #[test]
    fn recipes_have_this_version() {
        for (file, line) in [
            ("meson/lanner.wrap", format!("revision = v{VERSION}\n")),
            (
                "meson/packagefiles/lanner/meson.build",
                format!("version: '{VERSION}'"),
            ),
            ("conan/conanfile.py", format!("version = \"{VERSION}\"\n")),
            ("conan/conandata.yml", format!("\"{VERSION}\":\n")),
            ("conan/conandata.yml", format!("commit: \"v{VERSION}\"\n")),
            (
                "vcpkg/lanner/vcpkg.json",
                format!("\"version\": \"{VERSION}\""),
            ),
            (
                "vcpkg/lanner/portfile.cmake",
                format!("commit of v{VERSION}.\n"),
            ),
        ] {
            let text = read(&c_dir().join("recipes").join(file)).expect("it is there");
            assert!(text.contains(&line), "{file}: {line}");
        }
        for file in [
            "meson/lanner.wrap",
            "conan/conandata.yml",
            "vcpkg/lanner/portfile.cmake",
        ] {
            let text = read(&c_dir().join("recipes").join(file)).expect("it is there");
            assert!(text.contains(ADDRESS), "{file}");
        }
    }
}
