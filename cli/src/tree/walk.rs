//! What there is below a directory.

use crate::error::{Error, Kind};
use crate::paths::resolved;
use crate::text::Shown;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};

/// What is done about symbolic links to files. Links to directories are never followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Links {
    /// They are an error
    Refuse,
    /// One that leads to a regular file of the same tree counts as that file
    Follow,
}

/// The name of a file, seen from the directory: its bytes, with a slash between two parts on every system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name(pub(crate) Vec<u8>);

impl Name {
    /// The same with another part at its end.
    fn joined(&self, part: &[u8]) -> Name {
        if self.0.is_empty() {
            Name(part.to_vec())
        } else {
            Name([&self.0[..], b"/", part].concat())
        }
    }

    /// Where it is, below `root`.
    pub(crate) fn below(&self, root: &Path) -> PathBuf {
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            root.join(std::ffi::OsStr::from_bytes(&self.0))
        }
        #[cfg(not(unix))]
        root.join(String::from_utf8_lossy(&self.0).as_ref())
    }

    /// As text, with replacement characters where it is not UTF-8.
    pub(crate) fn lossy(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shown(Path::new(&self.lossy())).fmt(f)
    }
}

/// Something that is no directory.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: Name,
    pub(crate) path: PathBuf,
    /// Bytes, as the system states them.
    pub(crate) size: u64,
    /// A symbolic link that is followed.
    pub(crate) is_link: bool,
    /// What it is, if it is nothing that has a hash: "a symbolic link", say.
    pub(crate) other: Option<&'static str>,
}

/// The real path of a directory, or why it is none.
pub(crate) fn check_root(root: &Path) -> Result<PathBuf, Error> {
    let real = std::fs::canonicalize(root).map_err(|e| Error::io("read", root, &e))?;
    if !real.is_dir() {
        return Err(
            Error::new(Kind::NotAFile, format!("{} is no directory", Shown(root)))
                .with_path(root)
                .with_hint("single files have: lanner sign, lanner verify"),
        );
    }
    Ok(real)
}

/// Everything below `root` that is no directory, in the order of the names' bytes.
pub(crate) fn walk(root: &Path, links: Links) -> Result<Vec<Entry>, Error> {
    let real = check_root(root)?;
    let mut entries = Vec::new();
    let mut waiting = vec![Name(Vec::new())];
    while let Some(directory) = waiting.pop() {
        let path = directory.below(root);
        let error = |e: io::Error| Error::io("read the directory", &path, &e);
        for entry in std::fs::read_dir(&path).map_err(error)? {
            let entry = entry.map_err(error)?;
            let part = entry.file_name();
            let name = directory.joined(bytes_of(&part, &entry.path())?);
            let file_type = entry.file_type().map_err(error)?;
            if file_type.is_dir() {
                waiting.push(name);
                continue;
            }
            let path = entry.path();
            let (size, other) = if file_type.is_symlink() {
                match links {
                    Links::Refuse => (0, Some("a symbolic link")),
                    Links::Follow => followed(&path, &real),
                }
            } else if file_type.is_file() {
                let metadata = entry.metadata().map_err(|e| Error::io("read", &path, &e))?;
                (metadata.len(), None)
            } else {
                (0, Some("neither a file nor a directory"))
            };
            entries.push(Entry {
                name,
                path,
                size,
                is_link: file_type.is_symlink(),
                other,
            });
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// Where a link leads to: its size, or why it counts as no file.
fn followed(path: &Path, root: &Path) -> (u64, Option<&'static str>) {
    match std::fs::canonicalize(path) {
        Err(_) => (0, Some("a symbolic link that leads nowhere")),
        Ok(target) if !target.starts_with(root) => {
            (0, Some("a symbolic link that leads out of the tree"))
        }
        Ok(target) => match target.metadata() {
            Ok(metadata) if metadata.is_file() => (metadata.len(), None),
            Ok(metadata) if metadata.is_dir() => (0, Some("a symbolic link to a directory")),
            _ => (0, Some("a symbolic link to something that is no file")),
        },
    }
}

fn bytes_of<'a>(part: &'a std::ffi::OsStr, path: &Path) -> Result<&'a [u8], Error> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let _ = path;
        Ok(part.as_bytes())
    }
    #[cfg(not(unix))]
    part.to_str().map(str::as_bytes).ok_or_else(|| {
        Error::new(
            Kind::NotAFile,
            format!("the name of {} is not Unicode", Shown(path)),
        )
        .with_path(path)
    })
}

/// Every place that leads to what `path` names: directories, links with where they lead to, and the file at the end. Whoever
/// may change one of them decides what the path names. The directory of each is as the system calls it, so that places can
/// be compared with directories that are called so; the name in it is as it was written.
pub(crate) fn places_on_the_way(path: &Path) -> io::Result<Vec<PathBuf>> {
    /// As many as the kernel follows, and more.
    const MAX_LINKS: usize = 64;
    // What a link of /proc leads to may have no name.
    let is_nowhere = |e: &io::Error, links| e.kind() == io::ErrorKind::NotFound && links > 0;
    let mut places = Vec::new();
    let mut links = 0;
    let mut here = std::fs::canonicalize(".")?;
    let mut parts: Vec<OsString> = Vec::new();
    let push = |parts: &mut Vec<OsString>, path: &Path| {
        let reversed = path.components().rev();
        parts.extend(reversed.map(|part| part.as_os_str().to_owned()));
    };
    push(&mut parts, path);
    while let Some(part) = parts.pop() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => {
                here.pop();
            }
            Some(Component::Normal(name)) => {
                // As the system calls it: `here` may have letters in another case, or the drive in another form.
                let place = match std::fs::canonicalize(&here) {
                    Ok(here) => here.join(name),
                    Err(e) if is_nowhere(&e, links) => return Ok(places),
                    Err(e) => return Err(e),
                };
                places.push(place.clone());
                let metadata = match place.symlink_metadata() {
                    Err(e) if is_nowhere(&e, links) => return Ok(places),
                    metadata => metadata?,
                };
                if !metadata.is_symlink() {
                    here = place;
                    continue;
                }
                links += 1;
                if links > MAX_LINKS {
                    return Err(io::Error::other("too many links"));
                }
                push(&mut parts, &std::fs::read_link(&place)?);
            }
            Some(Component::CurDir) | None => {}
            // The root, or a drive.
            Some(_) => here.push(&part),
        }
    }
    Ok(places)
}

/// The name that `path` has, seen from `root`, if it is below it. The file itself need not exist.
pub(crate) fn name_below(root: &Path, path: &Path) -> Option<Name> {
    path.file_name()?;
    let below = resolved(path)
        .strip_prefix(std::fs::canonicalize(root).ok()?)
        .ok()?
        .to_owned();
    let mut name = Name(Vec::new());
    for part in &below {
        name = name.joined(bytes_of(part, path).ok()?);
    }
    Some(name)
}

/// The name of the file itself, without directories.
pub(crate) fn name_of(path: &Path) -> Result<Name, Error> {
    let part = path.file_name().ok_or_else(|| {
        Error::new(
            Kind::Usage,
            format!("{} is not the name of a file", Shown(path)),
        )
    })?;
    Ok(Name(bytes_of(part, path)?.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However a place is written, its directory is what the system calls it, and so can be found in another one.
    #[test]
    fn places_are_in_directories_that_have_one_name() {
        let directory = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(directory.path()).unwrap();
        let tree = root.join("Tree");
        std::fs::create_dir(&tree).unwrap();
        std::fs::write(tree.join("File"), "").unwrap();
        let mut names = vec![
            directory.path().join("Tree/File"),
            directory.path().join("Tree/../Tree/./File"),
        ];
        // Where letters in either case are one name.
        let other = directory.path().join("TREE/FILE");
        names.extend(other.exists().then_some(other));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("Tree", root.join("link")).unwrap();
            names.push(directory.path().join("link/File"));
        }
        for name in names {
            let places = places_on_the_way(&name).unwrap();
            for place in &places {
                let above = place.parent().unwrap();
                assert_eq!(std::fs::canonicalize(above).unwrap(), above, "{place:?}");
            }
            let last = places.last().unwrap();
            assert!(last != &tree && last.starts_with(&tree), "{last:?}");
        }
    }
}
