//! `cargo xtask c-install`: the files of an installation.

use std::path::{Path, PathBuf};

use super::build::{Variant, build, link};
use super::exports;
use super::layout::{HEADERS, Library, SHARED, VERSION, c_dir, include_dir};
use crate::files::{copy, make, read, write};
use crate::linked::{self, Product};
use crate::process::{root, value};
use crate::targets::{find, host};

/// `cargo xtask c-install`.
///
/// # Errors
///
/// An option is unknown, or the build or the copying fails.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let mut triple = host()?;
    let mut prefix = String::from("/usr/local");
    let mut destdir = String::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--target" => triple = value(arg, &mut args)?.to_owned(),
            "--prefix" => prefix = value(arg, &mut args)?.to_owned(),
            "--destdir" => destdir = value(arg, &mut args)?.to_owned(),
            other => return Err(format!("c-install: unknown option '{other}'")),
        }
    }
    if !Path::new(&prefix).is_absolute() {
        return Err(format!("c-install: the prefix '{prefix}' is not absolute"));
    }
    let library = build(&find(&triple)?, Variant::default())?;
    exports::check(&library)?;
    let to = PathBuf::from(format!("{destdir}{prefix}"));
    install(&library, &to, &prefix)?;
    println!("installed below {}", to.display());
    Ok(())
}

/// Installs a library below `to`. The files will be used below `prefix`, which pkg-config is told;
/// `${pcfiledir}` keeps an archive movable.
///
/// # Errors
///
/// A file cannot be written.
pub(super) fn install(library: &Library, to: &Path, prefix: &str) -> Result<(), String> {
    let include = to.join("include");
    let lib = to.join("lib");
    let cmake = lib.join("cmake/lanner");
    let pkgconfig = lib.join("pkgconfig");
    let sources = to.join("share/lanner/donna");
    let doc = to.join("share/doc/lanner");
    for dir in [&include, &cmake, &pkgconfig, &sources, &doc] {
        make(dir)?;
    }
    for header in HEADERS {
        copy(&include_dir().join(header), &include.join(header))?;
    }
    copy(&library.dir.join("liblanner.a"), &lib.join("liblanner.a"))?;
    for shared in &SHARED {
        copy(&library.dir.join(shared.file()), &lib.join(shared.file()))?;
        for (name, points_to) in [
            (shared.soname(), shared.file()),
            (shared.link_name(), shared.soname()),
        ] {
            let at = lib.join(name);
            if at.is_symlink() || at.exists() {
                std::fs::remove_file(&at).map_err(|error| format!("{}: {error}", at.display()))?;
            }
            link(&points_to, &at)?;
        }
    }
    for source in ["ed25519.c", "curve25519.c"] {
        copy(&c_dir().join("donna").join(source), &sources.join(source))?;
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "CHANGELOG.md"] {
        copy(&root().join(name), &doc.join(name))?;
    }
    copy(&c_dir().join("README.md"), &doc.join("README.md"))?;
    let product = Product {
        workspace: "",
        package: "lanner-c",
        target: library.target.triple,
    };
    linked::write_both(&product, &doc)?;

    let fill = |template: &str| -> Result<String, String> {
        Ok(read(&c_dir().join(template))?
            .replace("@VERSION@", VERSION)
            .replace("@SONAME@", &SHARED[0].soname())
            .replace("@SHARED@", &SHARED[0].file())
            .replace("@CORE_SONAME@", &SHARED[1].soname())
            .replace("@CORE_SHARED@", &SHARED[1].file())
            .replace("@PREFIX@", prefix))
    };
    for shared in &SHARED {
        let file = fill("lanner.pc.in")?.replace("@NAME@", shared.name);
        write(&pkgconfig.join(format!("{}.pc", shared.name)), file)?;
    }
    for name in ["lanner-config.cmake", "lanner-config-version.cmake"] {
        write(&cmake.join(name), fill(&format!("cmake/{name}.in"))?)?;
    }
    Ok(())
}
