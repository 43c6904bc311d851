//! `cargo xtask dist`: a release archive per target, for those who have no Rust, and one of the debug information. Of the
//! command, `command.rs` says what is in it.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::build::{RELEASED, Variant, build};
use super::foreign::{self, Foreign};
use super::install::{Places, examples, install, licences};
pub(crate) use super::layout::VERSION;
use super::layout::{Library, SHARED};
use super::{debug, exports};
use crate::files::{fresh, make, text, write};
use crate::process::{Cmd, target_dir};
use crate::targets::{find, host};

/// Writes the archives of the library for each target, or for this machine.
///
/// # Errors
///
/// A build fails.
pub(crate) fn libraries(mut triples: Vec<String>) -> Result<(), String> {
    if triples.is_empty() {
        triples.push(host()?);
    }
    for triple in &triples {
        if let Some(foreign) = foreign::find(triple) {
            println!("{}", archive_foreign(&foreign)?.display());
            continue;
        }
        let library = build(&find(triple)?, Variant::default())?;
        exports::check(&library)?;
        println!("{}", archive(&library)?.display());
        println!("{}", archive_debug(&library)?.display());
    }
    Ok(())
}

/// The directory of the archives.
pub(crate) fn dist_dir() -> PathBuf {
    target_dir().join("dist")
}

/// The name of an archive without its ending, and of the directory in it.
pub(super) fn stem(triple: &str) -> String {
    format!("lanner-{VERSION}-{triple}")
}

/// Writes the archive of a library, and its line in `SHA256SUMS`. The same input gives the same
/// archive, byte for byte.
///
/// # Errors
///
/// A file cannot be written, or there is no `tar`.
pub(super) fn archive(library: &Library) -> Result<PathBuf, String> {
    let stem = stem(library.target.triple);
    let staging = target_dir().join("dist-staging");
    fresh(&staging)?;
    let tree = staging.join(&stem);
    // Found from where the .pc file lies, so that the archive can be unpacked anywhere.
    let places = Places {
        prefix: "${pcfiledir}/../..",
        libdir: "lib",
    };
    install(library, &tree, &places)?;
    examples(&tree.join("share/doc/lanner/examples"))?;
    pack(&staging, &stem)
}

/// Where debuggers look, in the archive of the debug information: what `debug-file-directory` is set to, or what is copied to
/// `/usr/lib/debug`.
pub(super) const DEBUG: &str = "lib/debug";

/// As [`stem`], of that archive.
pub(super) fn debug_stem(triple: &str) -> String {
    stem(triple) + "-debug"
}

/// As [`archive`], with the debug information of the shared libraries, which is not in the other one: it is larger than them,
/// and few need it.
///
/// # Errors
///
/// A file cannot be written, or there is no `tar`.
pub(super) fn archive_debug(library: &Library) -> Result<PathBuf, String> {
    let stem = debug_stem(library.target.triple);
    let staging = target_dir().join("dist-staging");
    fresh(&staging)?;
    let tree = staging.join(&stem);
    for shared in &SHARED {
        debug::place(&library.dir.join(shared.debug_file()), &tree.join(DEBUG))?;
    }
    // It has names and lines of what is linked.
    licences(library.target.triple, &tree.join("share/doc/lanner-debug"))?;
    pack(&staging, &stem)
}

/// As [`archive`], for a system whose objects are others.
fn archive_foreign(foreign: &Foreign) -> Result<PathBuf, String> {
    let stem = stem(foreign.triple);
    let staging = target_dir().join("dist-staging");
    fresh(&staging)?;
    let tree = staging.join(&stem);
    foreign.install(&tree, RELEASED)?;
    examples(&tree.join("share/doc/lanner/examples"))?;
    pack(&staging, &stem)
}

/// Writes the archive of the directory `stem` in `staging`, and its line in `SHA256SUMS`.
///
/// # Errors
///
/// A file cannot be written, or there is no `tar`.
pub(crate) fn pack(staging: &Path, stem: &str) -> Result<PathBuf, String> {
    let dist = dist_dir();
    make(&dist)?;
    let name = format!("{stem}.tar.gz");
    let file = dist.join(&name);
    Cmd::new("tar")
        .args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0"])
        .args(["--numeric-owner", "--mode=u=rwX,go=rX", "--format=ustar"])
        .args(["--use-compress-program=gzip -n -9"])
        .args(["-C", &text(staging), "-cf", &text(&file), stem])
        .run()?;
    checksum(&name)?;
    Ok(file)
}

/// Puts the checksum of a file there into `SHA256SUMS`, in the form that `sha256sum -c` reads.
///
/// # Errors
///
/// The file cannot be read, or the list not written.
pub(crate) fn checksum(name: &str) -> Result<(), String> {
    let path = dist_dir().join(name);
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let digest: String = Sha256::digest(&bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let sums = dist_dir().join("SHA256SUMS");
    let old = std::fs::read_to_string(&sums).unwrap_or_default();
    let mut lines: Vec<String> = old
        .lines()
        .filter(|line| !line.ends_with(&format!("  {name}")))
        .map(str::to_owned)
        .collect();
    lines.push(format!("{digest}  {name}"));
    lines.sort_by(|a, b| a[64..].cmp(&b[64..]));
    write(&sums, lines.join("\n") + "\n")
}
