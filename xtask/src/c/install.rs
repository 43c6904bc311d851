//! `cargo xtask c-install`: the files of an installation.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use super::build::{Variant, build, link};
use super::layout::{ABI, HEADERS, Library, SHARED, VERSION, c_dir, include_dir};
use super::{exports, manual};
use crate::files::{copy, fresh, make, read, text, write};
use crate::linked::{Product, write_both};
use crate::pages;
use crate::process::{root, value};
use crate::targets::{TESTED, Target, find, host};

/// `cargo xtask c-install`.
///
/// # Errors
///
/// An option is unknown, or the build or the copying fails.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let mut triple = host()?;
    let mut prefix = String::from("/usr/local");
    let mut libdir = String::from("lib");
    let mut destdir = String::new();
    let mut variant = Variant::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--target" => triple = value(arg, &mut args)?.to_owned(),
            "--prefix" => prefix = value(arg, &mut args)?.to_owned(),
            "--libdir" => libdir = value(arg, &mut args)?.to_owned(),
            "--small" => variant.small = true,
            "--legacy" => variant.legacy = true,
            "--destdir" => destdir = value(arg, &mut args)?.to_owned(),
            other => return Err(format!("c-install: unknown option '{other}'")),
        }
    }
    if !Path::new(&prefix).is_absolute() {
        return Err(format!("c-install: the prefix '{prefix}' is not absolute"));
    }
    let libdir = below(&libdir, &prefix)?;
    let to = PathBuf::from(format!("{destdir}{prefix}"));
    // Before minutes of building.
    probe(&to.join(libdir).join("pkgconfig")).map_err(|error| {
        format!(
            "c-install: {error}; install as root, or with --prefix or --destdir where you may write"
        )
    })?;
    let library = build(&find(&triple)?, variant)?;
    exports::check(&library)?;
    let places = Places {
        prefix: &prefix,
        libdir,
    };
    let stage = library.dir.join("installation");
    fresh(&stage)?;
    install(&library, &stage, &places)?;
    examples(&stage.join("share/doc/lanner/examples"))?;
    put(&stage, &to)?;
    println!(
        "installed below {}; {LIST} there has the names of the files",
        to.display()
    );
    Ok(())
}

/// Where an installation says which files it has.
const LIST: &str = "share/lanner/installed";

/// Fails if no files can be made in a directory.
fn probe(dir: &Path) -> Result<(), String> {
    make_public(dir)?;
    let file = dir.join(format!(".lanner-{}", std::process::id()));
    write(&file, "")?;
    std::fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Puts an installation in its place, where another one may be: programs that have its libraries loaded keep them, and what
/// it alone had goes, since `ldconfig` would take its library for the current one, whichever is newer. The list of the
/// files serves those who remove them.
pub(super) fn put(from: &Path, to: &Path) -> Result<(), String> {
    let before = std::fs::read_to_string(to.join(LIST)).unwrap_or_default();
    let mut names = vec![PathBuf::from(LIST)];
    collect(from, Path::new(""), &mut names)?;
    names.sort();
    names.dedup();
    let lines = names.iter().map(|name| format!("{}\n", name.display()));
    make(&from.join("share/lanner"))?;
    write(&from.join(LIST), lines.collect::<String>())?;
    let one = |name: &PathBuf| {
        let (from, to) = (from.join(name), to.join(name));
        make_public(to.parent().unwrap_or(&to))?;
        if to.is_symlink() || to.exists() {
            std::fs::remove_file(&to).map_err(|error| format!("{}: {error}", to.display()))?;
        }
        if from.is_symlink() {
            let points_to = std::fs::read_link(&from).map_err(|error| error.to_string())?;
            link(&text(&points_to), &to)?;
        } else {
            copy(&from, &to)?;
            let is_shared = text(name).contains(".so.");
            allow(&to, if is_shared { 0o755 } else { 0o644 })?;
        }
        Ok::<_, String>(())
    };
    names
        .iter()
        .filter(|name| name.as_path() != Path::new(LIST))
        .try_for_each(one)?;
    for name in before.lines().map(Path::new) {
        let is_below = name
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let file = to.join(name);
        let is_there = file.is_symlink() || file.is_file();
        if is_below && is_there && !names.iter().any(|new| new == name) {
            std::fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    // The last: until then the old one names what is still to go, should this be interrupted.
    one(&PathBuf::from(LIST))
}

/// What everybody may do with a file, whatever the mask of who makes it takes away: an installation is for all.
fn allow(at: &Path, mode: u32) -> Result<(), String> {
    std::fs::set_permissions(at, Permissions::from_mode(mode))
        .map_err(|error| format!("{}: {error}", at.display()))
}

/// Makes a directory that all may look into, and those above it. What is there stays as it is.
fn make_public(dir: &Path) -> Result<(), String> {
    // Above a path that is not absolute is the empty one.
    if dir.is_dir() || dir.as_os_str().is_empty() {
        return Ok(());
    }
    if let Some(above) = dir.parent() {
        make_public(above)?;
    }
    make(dir)?;
    allow(dir, 0o755)
}

/// The files and links in a directory, from `root` on.
fn collect(root: &Path, dir: &Path, names: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(root.join(dir)).map_err(|error| error.to_string())?;
    for entry in entries {
        let entry = entry.map_err(|error| error.to_string())?;
        let name = dir.join(entry.file_name());
        let kind = entry.file_type().map_err(|error| error.to_string())?;
        if kind.is_dir() {
            collect(root, &name, names)?;
        } else {
            names.push(name);
        }
    }
    Ok(())
}

/// Where the files of an installation will be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'a> {
    /// What pkg-config is told; `${pcfiledir}` keeps an archive movable.
    pub(super) prefix: &'a str,
    /// The directory of the libraries, from the prefix on.
    pub(super) libdir: &'a str,
}

/// The directory of the libraries from the prefix on, however it was given.
fn below<'a>(libdir: &'a str, prefix: &str) -> Result<&'a str, String> {
    let path = Path::new(libdir);
    let inside = if path.is_absolute() {
        path.strip_prefix(prefix).ok()
    } else {
        Some(path)
    };
    let plain = |path: &&Path| {
        let names = |part| matches!(part, Component::Normal(_));
        path.components().count() > 0 && path.components().all(names)
    };
    inside
        .filter(plain)
        .and_then(Path::to_str)
        .ok_or(format!("c-install: '{libdir}' is not below {prefix}"))
}

/// The directory of the target's libraries where systems have those of several, else the plain one.
///
/// # Errors
///
/// There is no compiler.
pub(super) fn multiarch(target: &Target) -> Result<String, String> {
    let said = target.compiler().args(["-print-multiarch"]).capture()?;
    Ok(match said.trim() {
        "" => String::from("lib"),
        name => format!("lib/{name}"),
    })
}

/// An installation in a directory of its own, of which a distribution makes packages.
pub(crate) struct Staged {
    /// The root: everything is in `usr` below it.
    pub(crate) tree: PathBuf,
    /// The directory of the libraries, from `usr` on.
    pub(crate) libdir: String,
    /// The number in the sonames.
    pub(crate) abi: u32,
    /// What programs load: the files in the directory of the libraries.
    pub(crate) shared: Vec<String>,
    /// What programs are linked with.
    pub(crate) linking: Vec<String>,
    pub(crate) sonames: Vec<String>,
    /// The files of debug information, which are not in the tree.
    pub(crate) debug: Vec<PathBuf>,
    /// What each shared library exports, in the order of the sonames.
    names: Vec<Vec<String>>,
    /// The version of the symbols of each.
    nodes: Vec<String>,
}

impl Staged {
    /// From which version on a package has each function, in the form of Debian.
    pub(crate) fn symbols_file(&self, package: &str) -> String {
        let mut file = String::new();
        for ((soname, names), node) in self.sonames.iter().zip(&self.names).zip(&self.nodes) {
            file += &format!("{soname} {package} #MINVER#\n");
            file += "* Build-Depends-Package: liblanner-dev\n";
            for name in std::iter::once(node).chain(names) {
                file += &format!(" {name}@{node} {VERSION}\n");
            }
        }
        file
    }
}

/// Builds the library of this machine, and installs it below `tree`, as a distribution has it.
///
/// # Errors
///
/// It does not build, or a file cannot be written.
pub(crate) fn staged(tree: &Path) -> Result<Staged, String> {
    let library = build(&find(&host()?)?, Variant::default())?;
    exports::check(&library)?;
    let libdir = multiarch(&library.target)?;
    let places = Places {
        prefix: "/usr",
        libdir: &libdir,
    };
    let usr = tree.join("usr");
    install(&library, &usr, &places)?;
    linked(&of_debian(), &usr.join("share/doc/lanner"))?;
    examples(&usr.join("share/doc/lanner/examples"))?;
    let names = SHARED
        .iter()
        .map(|shared| exports::declared(&exports::configuration(shared.headers)))
        .collect::<Result<_, _>>()?;
    let static_library = String::from("liblanner.a");
    Ok(Staged {
        tree: tree.to_owned(),
        libdir,
        abi: ABI,
        shared: SHARED
            .iter()
            .flat_map(|shared| [shared.soname(), shared.file()])
            .collect(),
        linking: SHARED
            .iter()
            .map(|shared| shared.link_name())
            .chain([static_library])
            .collect(),
        sonames: SHARED.iter().map(|shared| shared.soname()).collect(),
        debug: SHARED
            .iter()
            .map(|shared| library.dir.join(shared.debug_file()))
            .collect(),
        names,
        nodes: SHARED.iter().map(|shared| shared.node()).collect(),
    })
}

/// Copies the examples: of what lies there, the files that git knows, where there is git. An editor's copies and keys of
/// somebody who tried them are nobody else's.
///
/// # Errors
///
/// A file cannot be read or written.
pub(super) fn examples(to: &Path) -> Result<(), String> {
    let from = c_dir().join("examples");
    let known = pages::committed().ok();
    make(&to.join("cgo"))?;
    for (from, to) in [(from.join("cgo"), to.join("cgo")), (from, to.to_owned())] {
        for entry in std::fs::read_dir(&from).map_err(|error| error.to_string())? {
            let path = entry.map_err(|error| error.to_string())?.path();
            let name = path.strip_prefix(root()).unwrap_or(&path);
            let is_known = known
                .as_ref()
                .is_none_or(|known| known.contains(&text(name)));
            if path.is_file() && is_known {
                copy(&path, &to.join(path.file_name().unwrap_or_default()))?;
            }
        }
    }
    Ok(())
}

/// Installs a library below `to`.
///
/// # Errors
///
/// A file cannot be written.
pub(super) fn install(library: &Library, to: &Path, places: &Places<'_>) -> Result<(), String> {
    let lib = to.join(places.libdir);
    let cmake = lib.join("cmake/lanner");
    let pkgconfig = lib.join("pkgconfig");
    for dir in [&cmake, &pkgconfig] {
        make(dir)?;
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
    common(library.target.triple, to)?;

    // From the files of CMake to the prefix.
    let up = "../".repeat(Path::new(places.libdir).components().count()) + "../..";
    let fill = |template: &str| -> Result<String, String> {
        Ok(read(&c_dir().join(template))?
            .replace("@VERSION@", VERSION)
            .replace("@POINTER_BYTES@", pointer_bytes(library.target.triple))
            .replace("@SONAME@", &SHARED[0].soname())
            .replace("@SHARED@", &SHARED[0].file())
            .replace("@CORE_SONAME@", &SHARED[1].soname())
            .replace("@CORE_SHARED@", &SHARED[1].file())
            .replace("@PRIVATE@", "-lpthread -ldl")
            .replace("@PREFIX@", places.prefix)
            .replace("@LIBDIR@", places.libdir)
            .replace("@UP@", &up))
    };
    for shared in &SHARED {
        let file = shared.pkg_config(&fill("lanner.pc.in")?);
        write(&pkgconfig.join(format!("{}.pc", shared.name)), file)?;
    }
    for name in ["lanner-config.cmake", "lanner-config-version.cmake"] {
        write(&cmake.join(name), fill(&format!("cmake/{name}.in"))?)?;
    }
    Ok(())
}

/// The size of a pointer in C, as CMake says it.
pub(super) fn pointer_bytes(triple: &str) -> &'static str {
    match triple.split('-').next() {
        Some("i686" | "armv7") => "4",
        _ => "8",
    }
}

/// The pages that go along, and their names there.
pub(crate) const PAGES: &[(&str, &str)] = &[
    ("c/README.md", "README.md"),
    ("docs/migration-c.md", "migration-c.md"),
    ("SECURITY.md", "SECURITY.md"),
];

/// Installs what does not depend on how the objects of a target look.
///
/// # Errors
///
/// A file cannot be written.
pub(super) fn common(triple: &str, to: &Path) -> Result<(), String> {
    let include = to.join("include");
    let sources = to.join("share/lanner/donna");
    let doc = to.join("share/doc/lanner");
    let man = to.join("share/man/man3");
    for dir in [&include, &sources, &doc, &man] {
        make(dir)?;
    }
    for header in HEADERS {
        copy(&include_dir().join(header), &include.join(header))?;
    }
    for source in ["ed25519.c", "curve25519.c"] {
        copy(&c_dir().join("donna").join(source), &sources.join(source))?;
    }
    licences(triple, &doc)?;
    copy(&root().join("CHANGELOG.md"), &doc.join("CHANGELOG.md"))?;
    for (page, name) in PAGES {
        let text = read(&root().join(page))?;
        write(&doc.join(name), pages::elsewhere(page, &text, PAGES))?;
    }
    for (name, page) in manual::pages()? {
        write(&man.join(name), page)?;
    }
    Ok(())
}

/// Writes the licences of the library and of what is linked into it, and the bill of the latter.
///
/// # Errors
///
/// A file cannot be written.
pub(super) fn licences(triple: &str, to: &Path) -> Result<(), String> {
    make(to)?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(name), &to.join(name))?;
    }
    linked(&[triple], to)
}

/// Writes what is linked into the library of any of these targets.
fn linked(targets: &[&str], to: &Path) -> Result<(), String> {
    let product = Product {
        workspace: "",
        package: "lanner-c",
        targets,
    };
    write_both(&product, to)
}

/// The targets of which Debian has packages: those of two of them may be installed side by side, and a file that both have
/// is the same.
fn of_debian() -> Vec<&'static str> {
    let triples = TESTED.iter().map(|target| target.triple);
    triples
        .filter(|triple| triple.contains("-linux-gnu"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{LIST, below, collect, make_public, pointer_bytes, probe, put};
    use crate::targets::TESTED;
    use std::io::Read;
    use std::os::unix::fs::PermissionsExt;
    use std::path::{Path, PathBuf};

    #[test]
    fn libraries_lie_below_the_prefix() {
        let multiarch = "lib/x86_64-linux-gnu";
        assert_eq!(below(multiarch, "/usr"), Ok(multiarch));
        assert_eq!(below("/usr/lib/x86_64-linux-gnu", "/usr"), Ok(multiarch));
        for wrong in ["/opt/lib", "../lib", "", "/usr", "./lib"] {
            assert!(below(wrong, "/usr").is_err(), "{wrong}");
        }
    }

    /// What the installed pages link is installed with them.
    #[test]
    fn installed_pages_link_each_other_alone() {
        let links = crate::pages::links_in(super::PAGES);
        assert!(links > 5, "{links}");
    }

    /// The packages of each machine that builds some say the same of what is linked.
    #[test]
    fn debian_has_packages_of_several_targets() {
        let host = crate::targets::host().unwrap();
        let targets = super::of_debian();
        assert!(targets.len() > 4, "{targets:?}");
        assert!(targets.contains(&&*host) || !host.contains("-linux-gnu"));
    }

    #[test]
    fn pointers_have_the_size_of_the_target() {
        let small: Vec<_> = TESTED
            .iter()
            .map(|target| target.triple)
            .filter(|triple| pointer_bytes(triple) == "4")
            .collect();
        assert_eq!(
            small,
            ["i686-unknown-linux-gnu", "armv7-unknown-linux-gnueabihf"]
        );
        assert_eq!(pointer_bytes("x86_64-pc-windows-msvc"), "8");
    }

    #[test]
    fn an_installation_replaces_another_and_can_be_removed() {
        let dir = std::env::temp_dir().join(format!("lanner-install-{}", std::process::id()));
        let (from, to) = (dir.join("from"), dir.join("to"));
        for (at, text) in [(&from, "new"), (&to, "old")] {
            std::fs::create_dir_all(at.join("lib")).unwrap();
            std::fs::write(at.join("lib/liblanner.so.0.1"), text).unwrap();
        }
        std::os::unix::fs::symlink("liblanner.so.0.1", from.join("lib/liblanner.so")).unwrap();
        std::fs::write(to.join("lib/libother.so"), "other").unwrap();
        let mut loaded = std::fs::File::open(to.join("lib/liblanner.so.0.1")).unwrap();
        // Twice, because the second finds the list.
        for _ in 0..2 {
            put(&from, &to).unwrap();
        }
        let mut before = String::new();
        loaded.read_to_string(&mut before).unwrap();
        assert_eq!(before, "old", "what is open stays as it was");
        assert_eq!(
            std::fs::read_to_string(to.join("lib/liblanner.so.0.1")).unwrap(),
            "new"
        );
        let list = std::fs::read_to_string(to.join(LIST)).unwrap();
        for name in list.lines() {
            std::fs::remove_file(to.join(name)).unwrap();
        }
        let left: Vec<_> = std::fs::read_dir(to.join("lib")).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
        assert!(probe(&to.join("lib/libother.so/pkgconfig")).is_err());
        probe(&to.join("lib/pkgconfig")).unwrap();
        std::fs::remove_dir_all(&dir).unwrap();
    }

    /// Root's mask may be 077, and what root installs is for all the same. The test starts itself with that one.
    #[test]
    fn all_may_use_what_is_installed() {
        const MASKED: &str = "LANNER_TEST_MASKED";
        if std::env::var_os(MASKED).is_none() {
            let line =
                "umask 077; exec \"$0\" --exact c::install::tests::all_may_use_what_is_installed";
            let own = std::env::current_exe().unwrap();
            let mut masked = std::process::Command::new("sh");
            masked.args(["-c", line]).arg(own).env(MASKED, "1");
            assert!(masked.status().unwrap().success());
            return;
        }
        let dir = std::env::temp_dir().join(format!("lanner-mask-{}", std::process::id()));
        let (from, to) = (dir.join("from"), dir.join("to/usr"));
        std::fs::create_dir_all(from.join("lib/pkgconfig")).unwrap();
        for file in [
            "lib/liblanner.so.0.1",
            "lib/liblanner.a",
            "lib/pkgconfig/lanner.pc",
        ] {
            std::fs::write(from.join(file), file).unwrap();
        }
        // What is there before is not ours to open.
        std::fs::create_dir_all(to.join("share")).unwrap();
        probe(&to.join("lib/pkgconfig")).unwrap();
        put(&from, &to).unwrap();
        for (name, expected) in [
            ("lib", 0o755),
            ("lib/pkgconfig", 0o755),
            ("lib/liblanner.so.0.1", 0o755),
            ("lib/liblanner.a", 0o644),
            ("lib/pkgconfig/lanner.pc", 0o644),
            ("share", 0o700),
            ("share/lanner", 0o755),
            (LIST, 0o644),
        ] {
            let mode = std::fs::metadata(to.join(name))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, expected, "{name}: {mode:o}");
        }
        std::fs::remove_dir_all(&dir).unwrap();
        assert_eq!(make_public(Path::new("")), Ok(()));
    }

    /// An upgrade, a downgrade, or libraries in another directory: nothing is left of what was there, by which `ldconfig`
    /// would undo it, and nothing of others goes.
    #[test]
    fn what_an_installation_alone_had_goes_with_it() {
        let dir = std::env::temp_dir().join(format!("lanner-upgrade-{}", std::process::id()));
        let to = dir.join("to");
        std::fs::create_dir_all(to.join("lib")).unwrap();
        for file in ["other", "lib/libother.so"] {
            std::fs::write(to.join(file), "other").unwrap();
        }
        std::fs::write(dir.join("outside"), "other").unwrap();
        for (libdir, version) in [
            ("lib", "0.1"),
            ("lib", "0.2"),
            ("lib", "0.1"),
            ("lib64", "0.1"),
        ] {
            let from = dir.join("from");
            std::fs::create_dir_all(from.join(libdir)).unwrap();
            let file = format!("liblanner.so.{version}");
            std::fs::write(from.join(libdir).join(&file), version).unwrap();
            for (link, to) in [
                ("liblanner.so.0", &*file),
                ("liblanner.so", "liblanner.so.0"),
            ] {
                std::os::unix::fs::symlink(to, from.join(libdir).join(link)).unwrap();
            }
            put(&from, &to).unwrap();
            let mut names = Vec::new();
            collect(&to, Path::new(""), &mut names).unwrap();
            let own =
                ["liblanner.so", "liblanner.so.0", &file].map(|name| Path::new(libdir).join(name));
            let others = [LIST, "other", "lib/libother.so"].map(PathBuf::from);
            let mut expected = [own, others].concat();
            expected.sort();
            names.sort();
            assert_eq!(names, expected);
            // A list that somebody changed leads nowhere else.
            let list = std::fs::read_to_string(to.join(LIST)).unwrap();
            let wrong = format!("{}/other", to.display());
            std::fs::write(to.join(LIST), format!("{list}../outside\n{wrong}\nlib\n\n")).unwrap();
            std::fs::remove_dir_all(&from).unwrap();
        }
        assert!(dir.join("outside").is_file());
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
