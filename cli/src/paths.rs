//! What paths name, whatever is there.

use std::path::{Path, PathBuf};

/// The directory that holds the name.
pub(crate) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The directory entry that a path names, which may not exist yet: its directory as the system calls it, and the name in
/// it. Where there is no such directory, the path as it stands.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    let entry = || {
        Some(
            directory_of(path)
                .canonicalize()
                .ok()?
                .join(path.file_name()?),
        )
    };
    entry().unwrap_or_else(|| path.to_owned())
}

/// True if both paths name the same directory entry, which may not exist yet.
pub(crate) fn same_destination(a: &Path, b: &Path) -> bool {
    a == b || resolved(a) == resolved(b)
}

/// True for the names of what a process has open, such as /dev/stdout: links that are no files of their own.
pub(crate) fn is_open_file(path: &Path) -> bool {
    const NAMES: [&str; 3] = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];
    cfg!(unix)
        && (NAMES.iter().any(|name| path == Path::new(name))
            || path.starts_with("/dev/fd")
            || path.starts_with("/proc"))
}

/// The same, by way of links and other names of directories too.
#[cfg(unix)]
pub(crate) fn leads_to_open_file(path: &Path) -> bool {
    /// As many as the kernel follows.
    const MAX_LINKS: usize = 40;
    let mut path = resolved(path);
    for _ in 0..MAX_LINKS {
        if is_open_file(&path) {
            return true;
        }
        match std::fs::read_link(&path) {
            Ok(target) => path = resolved(&directory_of(&path).join(target)),
            Err(_) => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_entry_has_many_names() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::create_dir(at("d")).unwrap();
        assert!(same_destination(&at("d/new"), &at("d/../d/./new")));
        assert!(!same_destination(&at("d/new"), &at("new")));
        assert!(!same_destination(&at("none/new"), &at("d/new")));
        assert!(same_destination(&at("none/new"), &at("none/new")));
    }
}
