//! Files without their final name.
//!
//! On systems that allow it, these have no name at all, and nothing is left of them however the
//! process ends. On others, and for the moment in which one file replaces another, they are called
//! `.lanner-` and twelve random characters and `.tmp`, and are locked as long as their process lives. One that is
//! not locked was left behind, and the next run in the same directory removes it.

use super::Access;
#[cfg(target_os = "linux")]
use crate::paths::directory_of;
use std::fs::File;
use std::io;
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

const PREFIX: &str = ".lanner-";
const SUFFIX: &str = ".tmp";
const RANDOM: usize = 12;

/// A file that waits for its name. Dropped without one, it vanishes.
#[derive(Debug)]
pub(super) enum Temporary {
    #[cfg(target_os = "linux")]
    Unnamed(File),
    Named(NamedTempFile),
}

impl Temporary {
    /// Signals must be held: the file may have a name.
    pub(super) fn new_in(directory: &Path, access: Access) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed(directory, access)? {
            return Ok(Temporary::Unnamed(file));
        }
        named(directory, access).map(Temporary::Named)
    }

    pub(super) fn file(&mut self) -> &mut File {
        match self {
            #[cfg(target_os = "linux")]
            Temporary::Unnamed(file) => file,
            Temporary::Named(file) => file.as_file_mut(),
        }
    }

    /// What it is called meanwhile, if it is called anything.
    pub(super) fn name(&self) -> Option<&Path> {
        match self {
            #[cfg(target_os = "linux")]
            Temporary::Unnamed(_) => None,
            Temporary::Named(file) => Some(file.path()),
        }
    }

    /// Names the file `path`, in the directory that it was made in. Fails if that name is taken.
    pub(super) fn link(self, path: &Path, access: Access) -> io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Temporary::Unnamed(file) => match link(&file, path) {
                Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
                    // Some sandboxes and file systems make such files and never name them.
                    let copy = named_copy(file, directory_of(path), access)?;
                    copy.persist_noclobber(path).map(drop).map_err(|e| e.error)
                }
                result => result,
            },
            Temporary::Named(file) => {
                let _ = access;
                file.persist_noclobber(path).map(drop).map_err(|e| e.error)
            }
        }
    }

    /// Names the file `path`, in the directory that it was made in, and in the same step takes the name
    /// away from whatever has it.
    pub(super) fn replace(self, path: &Path, access: Access) -> io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Temporary::Unnamed(file) => {
                // Only a file that has a name can replace another one.
                let linked = builder(access)
                    .make_in(directory_of(path), |name| link(&file, name))
                    .map(NamedTempFile::into_temp_path);
                let temporary = match linked {
                    Ok(name) => name,
                    Err(_) => named_copy(file, directory_of(path), access)?.into_temp_path(),
                };
                temporary.persist(path).map_err(|e| e.error)
            }
            Temporary::Named(file) => {
                let _ = access;
                file.persist(path).map(drop).map_err(|e| e.error)
            }
        }
    }
}

/// A file without a name, or `None` where there are none.
#[cfg(target_os = "linux")]
fn unnamed(directory: &Path, access: Access) -> io::Result<Option<File>> {
    use rustix::fs::{Mode, OFlags};
    use rustix::io::Errno;

    // Tests take the other way, too.
    if cfg!(debug_assertions) && std::env::var_os("LANNER_TEST_NAMED_FILES").is_some() {
        return Ok(None);
    }
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    match rustix::fs::open(directory, flags, Mode::from_raw_mode(access.mode())) {
        Ok(fd) => {
            let file = File::from(fd);
            // Without /proc there is no way to name it.
            if !own_path(&file).exists() {
                return Ok(None);
            }
            // It will have a name for a moment if it replaces another file.
            lock(&file);
            Ok(Some(file))
        }
        // The file system does not have them, or the kernel takes the flag for one on directories.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => Ok(None),
        Err(e) => Err(e.into()),
    }
}

#[cfg(target_os = "linux")]
fn own_path(file: &File) -> std::path::PathBuf {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// Gives an unnamed file a name that nothing else has.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    linkat(CWD, own_path(file), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
}

/// The same bytes in a file that has a name.
#[cfg(target_os = "linux")]
fn named_copy(file: File, directory: &Path, access: Access) -> io::Result<NamedTempFile> {
    use std::io::{Read, Seek, Write};
    use zeroize::Zeroizing;

    let mut copy = named(directory, access)?;
    let mut source = file;
    source.rewind()?;
    let mut buffer = Zeroizing::new([0; 8192]);
    loop {
        match source.read(&mut buffer[..])? {
            0 => break,
            n => copy.as_file_mut().write_all(&buffer[..n])?,
        }
    }
    copy.as_file().sync_all()?;
    Ok(copy)
}

fn builder<'a>(access: Access) -> Builder<'a, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The mode that open(2) is called with, from which the umask takes bits away.
        builder.permissions(std::fs::Permissions::from_mode(access.mode()));
    }
    #[cfg(not(unix))]
    let _ = access;
    builder
}

fn named(directory: &Path, access: Access) -> io::Result<NamedTempFile> {
    loop {
        let file = builder(access).tempfile_in(directory)?;
        lock(file.as_file());
        // Between these two, another run may have taken it for one that was left behind.
        if file.path().symlink_metadata().is_ok() {
            return Ok(file);
        }
    }
}

/// Marks a file as in use, for as long as it is open. On file systems that have no locks none can be
/// taken, so that nothing is ever found to be left behind there.
fn lock(file: &File) {
    let _ = file.lock();
}

/// Removes what killed runs have left behind.
pub(super) fn remove_leftovers(directory: &Path) {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if name.to_str().is_some_and(is_temporary_name) && is_left_behind(&entry.path()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn is_temporary_name(name: &str) -> bool {
    name.strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX))
        .is_some_and(|random| {
            random.len() == RANDOM && random.bytes().all(|b| b.is_ascii_alphanumeric())
        })
}

/// True for a regular file of this user's that no process has locked.
fn is_left_behind(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let is_ours = path.symlink_metadata().is_ok_and(|metadata| {
            metadata.is_file() && metadata.uid() == rustix::process::geteuid().as_raw()
        });
        if !is_ours {
            return false;
        }
    }
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_are_known_by_name_and_lock() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let others = [
            ".lanner-short.tmp",
            ".lanner-abcdefghijk-.tmp",
            "lanner-abcdefghijkl.tmp",
            ".lanner-abcdefghijkl.pem",
        ];
        for name in others {
            std::fs::write(at(name), "").unwrap();
        }
        std::fs::create_dir(at(".lanner-directory123.tmp")).unwrap();
        std::fs::write(at(".lanner-abcdefghijkl.tmp"), "left behind").unwrap();
        let in_use = named(directory.path(), Access::Owner).unwrap();
        remove_leftovers(directory.path());
        assert!(in_use.path().exists(), "a running process works with it");
        assert!(!at(".lanner-abcdefghijkl.tmp").exists());
        let rest = std::fs::read_dir(&directory).unwrap().count();
        assert_eq!(rest, others.len() + 2);
    }

    /// What is done where unnamed files can be made but not named.
    #[cfg(target_os = "linux")]
    #[test]
    fn an_unnamed_file_can_be_copied() {
        use std::io::Write;
        let directory = tempfile::tempdir().unwrap();
        let Some(mut file) = unnamed(directory.path(), Access::Owner).unwrap() else {
            return;
        };
        let bytes: Vec<u8> = (0..20_000u32).map(|i| i as u8).collect();
        file.write_all(&bytes).unwrap();
        let copy = named_copy(file, directory.path(), Access::Owner).unwrap();
        assert_eq!(std::fs::read(copy.path()).unwrap(), bytes);
    }
}
