//! What the C library consists of: its headers, its files and their names.

use std::path::PathBuf;

use super::turn::Turn;
use crate::process::root;
use crate::targets::Target;

/// The number in the soname and in the version of the symbols. It counts the incompatible changes of the binary
/// interface: an object of the caller's that grows, a function that goes.
pub(super) const ABI: u32 = 0;

/// The version of all packages.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// All headers.
pub(super) const HEADERS: &[&str] = &[
    "lanner.h",
    "ed25519.h",
    "ed25519_donna_tor.h",
    "curve25519.h",
];

/// The header without names of others.
pub(super) const CORE: &[&str] = &["lanner.h"];

/// A library that was built.
#[derive(Clone, Debug)]
pub(super) struct Library {
    pub(super) target: Target,
    /// Where `liblanner.a` and the shared libraries lie.
    pub(super) dir: PathBuf,
    /// While it is used, no other process builds here.
    pub(super) _turn: Turn,
}

/// The directory of the C face.
pub(super) fn c_dir() -> PathBuf {
    root().join("c")
}

/// The headers.
pub(super) fn include_dir() -> PathBuf {
    c_dir().join("include")
}

/// A shared library.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    /// What the linker is told behind `-l`.
    pub(super) name: &'static str,
    /// What it exports.
    pub(super) headers: &'static [&'static str],
}

/// With all names, and with those of `lanner.h` alone, for programs in which something else has donna's.
pub(super) const SHARED: [Shared; 2] = [
    Shared {
        name: "lanner",
        headers: HEADERS,
    },
    Shared {
        name: "lanner-core",
        headers: CORE,
    },
];

impl Shared {
    /// The file that the linker looks for.
    pub(super) fn link_name(&self) -> String {
        format!("lib{}.so", self.name)
    }

    /// The file with this name that the loader looks for.
    pub(super) fn soname(&self) -> String {
        format!("lib{}.so.{ABI}", self.name)
    }

    /// The file itself.
    pub(super) fn file(&self) -> String {
        format!("lib{}.so.{ABI}.{VERSION}", self.name)
    }

    /// The version of its symbols. No other library has it, so that a function which a program or a plugin was linked
    /// with here is not taken from there, where a process has both: each has variables of its own.
    pub(super) fn node(&self) -> String {
        format!("{}_{ABI}", self.name.to_uppercase().replace('-', "_"))
    }

    /// Whether there is a static library of this name, and something to say of what it needs.
    pub(super) fn has_static(&self) -> bool {
        self.name == SHARED[0].name
    }

    /// The file of pkg-config, of a template whose other words were filled in.
    pub(super) fn pkg_config(&self, filled: &str) -> String {
        let lines = filled.split_inclusive('\n');
        let lines = lines.filter(|line| self.has_static() || !line.starts_with("Libs.private:"));
        lines.collect::<String>().replace("@NAME@", self.name)
    }

    /// The file with its debug information.
    pub(super) fn debug_file(&self) -> String {
        format!("{}.debug", self.file())
    }
}

/// Stands before donna's names in the member of the archive that has all the code.
pub(super) const INSIDE: &str = "lanner_donna_";
