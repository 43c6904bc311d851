//! `cargo xtask dist --deb`: Debian packages of the library and of the command, for the machine that it runs on. They are
//! made of what `c-install` installs and of what the archive of the command holds, by `dpkg-deb`; the same commit gives the
//! same packages, byte for byte.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::c::debug;
use crate::c::dist::{VERSION, checksum, dist_dir};
use crate::c::install::{PAGES, Staged, staged};
use crate::command;
use crate::files::{copy, fresh, make, read, text, write};
use crate::linked;
use crate::process::{Cmd, Tally, root, target_dir};
use crate::targets::host;

/// Goes up where the packages change and the version does not.
const REVISION: u32 = 1;

/// Where a distribution's own maintainer stands, who sets `DEBFULLNAME` and `DEBEMAIL`, as Debian's tools have it.
const MAINTAINER: [&str; 2] = ["The Lanner developers", "release@lanner.invalid"];

/// A package under construction.
struct Package<'a> {
    build: &'a Build,
    name: &'a str,
    section: &'static str,
    multi_arch: &'static str,
    /// What it needs beside the shared libraries that its programs name.
    depends: String,
    /// More fields of its description.
    more: String,
    /// One line, then paragraphs.
    description: &'static str,
    tree: PathBuf,
}

/// What all packages share.
struct Build {
    dir: PathBuf,
    architecture: String,
    maintainer: String,
    /// Seconds since 1970: what the files and the changelog are dated.
    date: u64,
}

/// Builds all packages, and says where they lie.
///
/// # Errors
///
/// A tool is missing, or a build fails.
pub(crate) fn packages() -> Result<Vec<PathBuf>, String> {
    let triple = host()?;
    let dir = target_dir().join("debian");
    fresh(&dir)?;
    let staged = staged(&dir.join("library"))?;
    let built = command::programs(&triple)?;
    let pages = command::manuals(&triple)?;
    assemble(&dir, &triple, &staged, &built, &pages)
}

/// Packs what was built.
fn assemble(
    dir: &Path,
    triple: &str,
    staged: &Staged,
    built: &Path,
    pages: &Path,
) -> Result<Vec<PathBuf>, String> {
    let variable =
        |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let build = Build {
        dir: dir.to_owned(),
        architecture: Cmd::new("dpkg")
            .args(["--print-architecture"])
            .capture()?
            .trim()
            .to_owned(),
        maintainer: format!(
            "{} <{}>",
            variable("DEBFULLNAME", MAINTAINER[0]),
            variable("DEBEMAIL", MAINTAINER[1])
        ),
        date: date()?,
    };
    let library = format!("liblanner{}", staged.abi);
    let debug = format!("{library}-dbgsym");
    let packages = [
        runtime(&build, &library, staged)?,
        development(&build, &library, staged)?,
        symbols(&build, &debug, &library, staged)?,
        the_command(&build, triple, built, pages)?,
    ];
    packages.iter().map(Package::pack).collect()
}

/// The date of the commit, or of `SOURCE_DATE_EPOCH`.
fn date() -> Result<u64, String> {
    let text = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(date) => date,
        Err(_) => Cmd::new("git")
            .args(["log", "-1", "--format=%ct"])
            .capture()?,
    };
    let text = text.trim();
    text.parse()
        .map_err(|_| format!("'{text}' is no date in seconds"))
}

fn runtime<'a>(build: &'a Build, name: &'a str, staged: &Staged) -> Result<Package<'a>, String> {
    let package = Package::new(
        build,
        name,
        "libs",
        "same",
        "Ed25519, X25519 and FN-DSA signatures and key agreement - library\n\
         liblanner has Ed25519 with named verification profiles and batches, X25519,\n\
         Ristretto255, and FN-DSA (Falcon), for programs in C, under names of its own\n\
         and under those of ed25519-donna and curve25519-donna.\n",
    )?;
    let libdir = format!("usr/{}", staged.libdir);
    for file in &staged.shared {
        package.take(&staged.tree.join(&libdir), &libdir, file)?;
    }
    write(&package.control("symbols"), staged.symbols_file(name))?;
    let shlibs: String = staged
        .sonames
        .iter()
        .map(|soname| {
            let (stem, number) = soname.split_once(".so.").unwrap_or((soname, ""));
            format!("{stem} {number} {name} (>= {VERSION})\n")
        })
        .collect();
    write(&package.control("shlibs"), shlibs)?;
    write(&package.control("triggers"), "activate-noawait ldconfig\n")?;
    package.linked(&staged.tree.join("usr/share/doc/lanner"))?;
    Ok(package)
}

fn development<'a>(
    build: &'a Build,
    library: &str,
    staged: &Staged,
) -> Result<Package<'a>, String> {
    let mut package = Package::new(
        build,
        "liblanner-dev",
        "libdevel",
        "same",
        "Ed25519, X25519 and FN-DSA signatures and key agreement - development\n\
         Headers, the static library, manual pages and examples, and what pkg-config\n\
         and CMake find liblanner by. ed25519.h and curve25519.h take the place of\n\
         those of ed25519-donna and curve25519-donna.\n",
    )?;
    package.depends = format!("{library} (= {}), libc6-dev | libc-dev", package.version());
    let libdir = format!("usr/{}", staged.libdir);
    for at in ["usr/include", "usr/share/lanner", "usr/share/man"] {
        package.take_tree(&staged.tree, at)?;
    }
    for at in ["pkgconfig", "cmake"] {
        package.take_tree(&staged.tree, &format!("{libdir}/{at}"))?;
    }
    for file in &staged.linking {
        package.take(&staged.tree.join(&libdir), &libdir, file)?;
    }
    let docs = staged.tree.join("usr/share/doc/lanner");
    package.linked(&docs)?;
    for (_, page) in PAGES {
        package.take(&docs, &package.docs(), page)?;
    }
    package.take_tree_as(
        &docs.join("examples"),
        &format!("{}/examples", package.docs()),
    )?;
    Ok(package)
}

/// Debug information, found by the build identifiers.
fn symbols<'a>(
    build: &'a Build,
    name: &'a str,
    library: &str,
    staged: &Staged,
) -> Result<Package<'a>, String> {
    let mut package = Package::new(
        build,
        name,
        "debug",
        "same",
        "debug symbols of the library liblanner\n\
         What debuggers and profilers read, by the build identifiers of the library.\n",
    )?;
    package.depends = format!("{library} (= {})", package.version());
    let below = package.tree.join("usr/lib/debug");
    let mut identifiers = staged
        .debug
        .iter()
        .map(|file| debug::place(file, &below))
        .collect::<Result<Vec<_>, _>>()?;
    identifiers.sort_unstable();
    // Nothing but debug information may be in such a package: its documents are those of the library.
    let docs = package.tree.join(package.docs());
    std::fs::remove_dir(&docs).map_err(|error| error.to_string())?;
    std::os::unix::fs::symlink(library, &docs).map_err(|error| error.to_string())?;
    package.more = format!(
        "Auto-Built-Package: debug-symbols\nBuild-Ids: {}\n",
        identifiers.join(" ")
    );
    Ok(package)
}

fn the_command<'a>(
    build: &'a Build,
    triple: &str,
    built: &Path,
    pages: &Path,
) -> Result<Package<'a>, String> {
    let package = Package::new(
        build,
        "lanner",
        "utils",
        "foreign",
        "sign and verify files with Ed25519 and FN-DSA\n\
         The command lanner makes keys, signs files and directories and verifies them,\n\
         in its own format and in those of OpenSSH, minisign, signify and OpenSSL.\n\
         lanner-git signs commits and tags of git.\n",
    )?;
    make(&package.tree.join("usr/bin"))?;
    for name in command::PROGRAMS {
        let program = package.tree.join("usr/bin").join(name);
        copy(&built.join(name), &program)?;
        let sections = ["--remove-section=.comment", "--remove-section=.note"];
        Cmd::new("strip")
            .args(sections)
            .args([text(&program)])
            .run()?;
    }
    package.take_tree_as(&pages.join("man"), "usr/share/man")?;
    for (from, at, name) in [
        (
            "lanner.bash",
            "usr/share/bash-completion/completions",
            "lanner",
        ),
        ("_lanner", "usr/share/zsh/vendor-completions", "_lanner"),
        (
            "lanner.fish",
            "usr/share/fish/vendor_completions.d",
            "lanner.fish",
        ),
    ] {
        let at = package.tree.join(at);
        make(&at)?;
        copy(&pages.join("completions").join(from), &at.join(name))?;
    }
    command::documents(triple, &package.tree.join(package.docs()))?;
    Ok(package)
}

impl<'a> Package<'a> {
    fn new(
        build: &'a Build,
        name: &'a str,
        section: &'static str,
        multi_arch: &'static str,
        description: &'static str,
    ) -> Result<Self, String> {
        let tree = build.dir.join(name);
        fresh(&tree)?;
        let package = Self {
            build,
            name,
            section,
            multi_arch,
            depends: String::new(),
            more: String::new(),
            description,
            tree,
        };
        make(&package.tree.join("DEBIAN"))?;
        make(&package.tree.join(package.docs()))?;
        Ok(package)
    }

    fn version(&self) -> String {
        format!("{VERSION}-{REVISION}")
    }

    /// The directory of its documents.
    fn docs(&self) -> String {
        format!("usr/share/doc/{}", self.name)
    }

    fn control(&self, name: &str) -> PathBuf {
        self.tree.join("DEBIAN").join(name)
    }

    /// Copies a file of `from` into a directory of the package; a link stays one.
    fn take(&self, from: &Path, at: &str, name: &str) -> Result<(), String> {
        let to = self.tree.join(at);
        make(&to)?;
        Cmd::new("cp")
            .args([
                "--no-dereference",
                "--preserve=links",
                &text(&from.join(name)),
                &text(&to),
            ])
            .capture()
            .map(drop)
    }

    fn take_tree(&self, from: &Path, at: &str) -> Result<(), String> {
        self.take_tree_as(&from.join(at), at)
    }

    fn take_tree_as(&self, from: &Path, at: &str) -> Result<(), String> {
        let to = self.tree.join(at);
        make(to.parent().ok_or("a tree lies in a directory")?)?;
        Cmd::new("cp")
            .args(["--recursive", "--no-dereference", &text(from), &text(&to)])
            .capture()
            .map(drop)
    }

    /// What is linked in, and under which licences.
    fn linked(&self, docs: &Path) -> Result<(), String> {
        self.take(docs, &self.docs(), linked::NOTICES)?;
        self.take(docs, &self.docs(), linked::BILL)
    }

    /// Writes what every package has, and the package, and its line in `SHA256SUMS`.
    fn pack(&self) -> Result<PathBuf, String> {
        let docs = self.tree.join(self.docs());
        if docs.is_dir() {
            write(&docs.join("copyright"), copyright()?)?;
            write(&docs.join("changelog.Debian"), self.changelog()?)?;
            copy(&root().join("CHANGELOG.md"), &docs.join("changelog"))?;
        }
        let tree = text(&self.tree);
        let script = format!(
            "set -e; cd '{tree}'
             if [ -f {docs}/changelog ]; then gzip -9nf {docs}/changelog.Debian {docs}/changelog; fi
             if [ -d usr/share/man ]; then find usr/share/man -type f -exec gzip -9nf '{{}}' +; fi
             chmod -R u=rwX,go=rX .; find . -type f ! -path './usr/bin/*' -exec chmod 644 '{{}}' +
             find usr -type f -printf '%P\\n' | LC_ALL=C sort | sed 's,^,usr/,' | xargs -d '\\n' md5sum > DEBIAN/md5sums",
            docs = self.docs()
        );
        Cmd::new("sh").args(["-c", &script]).capture()?;
        write(&self.control("control"), self.describe()?)?;
        let file = format!(
            "{}_{}_{}.deb",
            self.name,
            self.version(),
            self.build.architecture
        );
        let at = dist_dir().join(&file);
        make(&dist_dir())?;
        Cmd::new("dpkg-deb")
            .args([
                "--root-owner-group",
                "-Zxz",
                "--threads-max=1",
                "--build",
                &tree,
                &text(&at),
            ])
            .env("SOURCE_DATE_EPOCH", &self.build.date.to_string())
            .run()?;
        checksum(&file)?;
        Ok(at)
    }

    /// The file `control`.
    fn describe(&self) -> Result<String, String> {
        let size = Cmd::new("sh")
            .args(["-c", &format!(
                "cd '{}' && find . -path ./DEBIAN -prune -o -type f -printf '%s\\n' -o -printf '0\\n' \
                 | awk '{{ kib += $1 == 0 ? 1 : int(($1 + 1023) / 1024) }} END {{ print kib }}'",
                text(&self.tree)
            )])
            .capture()?;
        let mut control = format!("Package: {}\n", self.name);
        if self.name != "lanner" {
            control.push_str("Source: lanner\n");
        }
        let depends = [self.shared()?, self.depends.clone()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", ");
        // Writing to a string does not fail.
        let _ = write!(
            control,
            "Version: {}\nArchitecture: {}\nMaintainer: {}\nInstalled-Size: {}\n",
            self.version(),
            self.build.architecture,
            self.build.maintainer,
            size.trim()
        );
        if !depends.is_empty() {
            let _ = writeln!(control, "Depends: {depends}");
        }
        let mut lines = self.description.lines();
        let _ = write!(
            control,
            "Section: {}\nPriority: optional\nMulti-Arch: {}\n{}Description: {}\n",
            self.section,
            self.multi_arch,
            self.more,
            lines.next().unwrap_or_default()
        );
        for line in lines {
            let _ = writeln!(control, " {line}");
        }
        Ok(control)
    }

    /// The packages of the shared libraries that its programs and libraries name.
    fn shared(&self) -> Result<String, String> {
        let find = format!(
            "cd '{}' && find usr/bin usr/lib -type f ! -path 'usr/lib/debug/*' \
             -exec sh -c 'head -c 4 \"$1\" | grep -q ELF' - '{{}}' \\; -print 2>/dev/null || true",
            text(&self.tree)
        );
        let programs = Cmd::new("sh").args(["-c", &find]).capture()?;
        let programs: Vec<String> = programs
            .lines()
            .map(|program| format!("-e'{}'", text(&self.tree.join(program))))
            .collect();
        if programs.is_empty() {
            return Ok(String::new());
        }
        // The tool wants to be where sources are.
        let place = self.build.dir.join("shlibdeps");
        make(&place.join("debian"))?;
        write(
            &place.join("debian/control"),
            format!(
                "Source: lanner\nMaintainer: {}\n\nPackage: {}\nArchitecture: any\n",
                self.build.maintainer, self.name
            ),
        )?;
        let line = format!(
            "cd '{}' && dpkg-shlibdeps -O --ignore-missing-info {}",
            text(&place),
            programs.join(" ")
        );
        let said = Cmd::new("sh").args(["-c", &line]).capture()?;
        said.lines()
            .find_map(|line| line.strip_prefix("shlibs:Depends="))
            .map(str::to_owned)
            .ok_or(format!("dpkg-shlibdeps says '{said}'"))
    }

    fn changelog(&self) -> Result<String, String> {
        let date = format!("@{}", self.build.date);
        let date = Cmd::new("date")
            .args(["-u", "-d", &date, "+%a, %d %b %Y %H:%M:%S +0000"])
            .env("LC_ALL", "C")
            .capture()?;
        Ok(format!(
            "lanner ({}) unstable; urgency=medium\n\n  * Made by the project itself; changelog.gz says what is new.\n\n \
             -- {}  {}\n",
            self.version(),
            self.build.maintainer,
            date.trim()
        ))
    }
}

/// The file `copyright`. Debian has the Apache licence on every machine.
fn copyright() -> Result<String, String> {
    let mit = read(&root().join("LICENSE-MIT"))?;
    let mut file = String::from(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: Lanner\n\
         Comment: The packages are made by the project. What other projects' code is linked\n \
         into the programs, and under which licences, says THIRD-PARTY-LICENSES beside\n \
         this file.\n\n\
         Files: *\n\
         Copyright: The Lanner developers\n\
         License: Expat or Apache-2.0\n\n\
         License: Expat\n",
    );
    for line in mit.trim().lines() {
        let _ = writeln!(file, " {}", if line.trim().is_empty() { "." } else { line });
    }
    file.push_str(
        "\nLicense: Apache-2.0\n The licence is in /usr/share/common-licenses/Apache-2.0 on systems of Debian.\n",
    );
    Ok(file)
}

/// The packages made twice, read by lintian, and installed where there is nothing else: a program is built and run with
/// them, and taking them away leaves nothing.
///
/// # Errors
///
/// Anything of this fails.
pub(crate) fn check() -> Result<Tally, String> {
    let packages = packages()?;
    let bytes = |file: &PathBuf| {
        std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
    };
    let first: Vec<Vec<u8>> = packages.iter().map(bytes).collect::<Result<_, _>>()?;
    for (file, first) in self::packages()?.iter().zip(&first) {
        if bytes(file)? != *first {
            return Err(format!("{} is not the same twice", file.display()));
        }
    }
    let files: Vec<String> = packages.iter().map(|file| text(file)).collect();
    Cmd::new("lintian")
        .args([
            "--allow-root",
            "--fail-on",
            "error,warning",
            "--display-info",
        ])
        // Nobody has uploaded these, nor asked for them; and the address is for each to set.
        .args([
            "--suppress-tags",
            "initial-upload-closes-no-bugs,bogus-mail-host",
        ])
        .args(files.iter().cloned())
        .run()?;
    in_a_clean_system(&files)?;
    Ok(Tally {
        passed: 3,
        ..Tally::default()
    })
}

/// A system of the same release as this one, with a compiler.
fn in_a_clean_system(files: &[String]) -> Result<(), String> {
    let system = target_dir().join("debian-system.tar");
    if !system.is_file() {
        Cmd::new("sh").args(["-c", &format!(
            "set -e; . /etc/os-release; mmdebstrap --variant=minbase --include=gcc,libc6-dev,pkg-config \
             \"$VERSION_CODENAME\" '{0}.part.tar' $(ls /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -1)
             mv '{0}.part.tar' '{0}'", text(&system)
        )]).run()?;
    }
    let place = target_dir().join("debian-system");
    let script = format!(
        "set -e; rm -rf '{place}'; mkdir -p '{place}'; tar -C '{place}' --exclude='./dev/*' -xf '{system}'
         trap \"rm -rf '{place}'\" EXIT
         mkdir '{place}/packages'; cp {files} '{place}/packages'; cp '{test}' '{example}' '{place}/packages'
         (cd '{place}' && find usr etc -not -path 'etc/ld.so.cache' | sort) > '{place}.before'
         chroot '{place}' sh -e -c '
            export DEBIAN_FRONTEND=noninteractive; cd /packages
            dpkg -i ./*.deb
            ldconfig -p | grep -q liblanner.so
            gcc -Wall -Werror -o shared key_agreement.c $(pkg-config --cflags --libs lanner) && ./shared
            gcc -o core key_agreement.c $(pkg-config --cflags --libs lanner-core) && ./core
            gcc -static -o static key_agreement.c $(pkg-config --cflags --libs --static lanner) && ./static
            gcc -o test test.c -llanner && ./test
            lanner doctor; lanner keygen --no-password -o a.pem; lanner sign -k a.pem test.c
            lanner verify -k a.pub.pem test.c
            dpkg --verify; dpkg --purge $(dpkg-deb -f ./lanner_*.deb Package) $(ls ./liblanner*.deb | sed \"s,./,,;s,_.*,,\")'
         (cd '{place}' && find usr etc -not -path 'etc/ld.so.cache' | sort) > '{place}.after'
         diff '{place}.before' '{place}.after'",
        place = text(&place),
        system = text(&system),
        files = files.iter().map(|file| format!("'{file}'")).collect::<Vec<_>>().join(" "),
        test = text(&root().join("c/tests/test.c")),
        example = text(&root().join("c/examples/key_agreement.c")),
    );
    Cmd::new("sh").args(["-c", &script]).run().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copyright_has_no_empty_lines_within_a_licence() {
        let file = copyright().expect("the licences are there");
        assert_eq!(file.split("\n\n").count(), 4);
        assert!(file.contains("\n .\n"));
    }
}
