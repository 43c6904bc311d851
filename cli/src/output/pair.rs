//! The two files of a key pair.
//!
//! The secret key gets its name first: at any moment, and after a loss of power too, there is no public key
//! without its secret one. Where a pair replaces another, the old public key goes first, and the
//! old secret key stays under the name `KEY.old` until the new pair is whole. Each step is on the disk
//! before the next one begins.

use super::{Access, Output, Staged, sync_directory};
use crate::error::{Error, Kind};
use crate::input::is_dash;
use crate::paths::{directory_of, same_destination};
use crate::signals;
use crate::text::{Shown, shell_word};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// An old public key up to this size comes back if the new pair cannot be written.
const MAX_KEPT: u64 = 64 * 1024;

/// The two files that a key pair will be written to.
#[derive(Debug)]
pub(crate) struct PairOutput {
    secret: Output,
    public: Output,
}

impl PairOutput {
    /// Checks, before any long work, that both files can be written.
    pub(crate) fn new(secret: &Path, public: &Path, force: bool) -> Result<Self, Error> {
        for path in [secret, public] {
            if is_dash(path) {
                return Err(Error::new(
                    Kind::Usage,
                    "a key pair goes to two files, not to standard output",
                )
                .with_hint("name the files; one that is called - is ./-"));
            }
        }
        if same_destination(secret, public) {
            return Err(Error::new(
                Kind::Usage,
                "the secret and the public key cannot go to the same file",
            )
            .with_path(public));
        }
        let pair = PairOutput {
            secret: Output::new(secret, Access::Owner, force, &[])?,
            public: Output::new(public, Access::Default, force, &[])?,
        };
        if force && exists(secret) {
            pair.check_old_name()?;
        }
        Ok(pair)
    }

    /// Writes both files, or neither.
    pub(crate) fn write(&self, secret: &[u8], public: &[u8]) -> Result<(), Error> {
        let _held = signals::hold();
        let secret = self.secret.stage(secret)?;
        let public = self.public.stage(public)?;
        if !self.secret.force {
            return name_both(secret, public);
        }
        let removed = self.remove_old_public()?;
        let aside = self.set_old_secret_aside().inspect_err(|_| {
            self.restore_public(removed.as_deref());
        })?;
        match name_both(secret, public) {
            Ok(()) => {
                if let Some(old) = aside {
                    remove(&old).map_err(|e| Error::io("remove the old key in", &old, &e))?;
                }
                Ok(())
            }
            Err(e) => Err(self.restore(e, aside.as_deref(), removed.as_deref())),
        }
    }

    /// The old public key goes, and its bytes are returned.
    fn remove_old_public(&self) -> Result<Option<Vec<u8>>, Error> {
        let path = self.public.path();
        let kept = path
            .symlink_metadata()
            .ok()
            .filter(|metadata| metadata.is_file() && metadata.len() <= MAX_KEPT)
            .and_then(|_| std::fs::read(path).ok());
        match remove(path) {
            Ok(()) => Ok(kept),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(Error::io("replace", path, &e)),
        }
    }

    /// Renames the old secret key, if there is one, and returns its new name.
    fn set_old_secret_aside(&self) -> Result<Option<PathBuf>, Error> {
        let path = self.secret.path();
        let old = old_name(path);
        match rename_to_free_name(path, &old) {
            Ok(()) => {
                sync_directory(directory_of(path));
                Ok(Some(old))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(self.old_name_taken(&old)),
            Err(e) => Err(Error::io("set aside the old key in", path, &e)),
        }
    }

    /// Puts things back as they were after the new pair could not be written.
    fn restore(&self, error: Error, old: Option<&Path>, public: Option<&[u8]>) -> Error {
        if let Some(old) = old {
            if let Err(e) = rename_to_free_name(old, self.secret.path()) {
                return error.with_hint(format!(
                    "the old secret key is in {}: it could not be given back its name ({e})",
                    Shown(old)
                ));
            }
            sync_directory(directory_of(old));
        }
        self.restore_public(public);
        error
    }

    /// What cannot be put back can be derived.
    fn restore_public(&self, bytes: Option<&[u8]>) {
        if let Some(bytes) = bytes {
            let _ = self.public.stage(bytes).and_then(Staged::name_if_free);
        }
    }

    /// The old secret key needs a name of its own for a while, and neither a backup of the user's nor
    /// what an interrupted run has saved may be lost for that.
    fn check_old_name(&self) -> Result<(), Error> {
        let old = old_name(self.secret.path());
        if same_destination(&old, self.public.path()) {
            return Err(Error::new(
                Kind::Usage,
                format!(
                    "the old secret key is kept in {} meanwhile: the public key cannot go there",
                    Shown(&old)
                ),
            )
            .with_path(self.public.path()));
        }
        if exists(&old) {
            return Err(self.old_name_taken(&old));
        }
        Ok(())
    }

    fn old_name_taken(&self, old: &Path) -> Error {
        let (secret, public) = (self.secret.path(), self.public.path());
        Error::new(
            Kind::AlreadyExists,
            format!(
                "{} exists already and was left alone; it may be the key that an interrupted \
                 keygen --force has saved",
                Shown(old)
            ),
        )
        .with_path(old)
        .with_hint(format!(
            "to have that key back: mv {} {} && lanner public {1} -o {} --force; or give the file \
             another name",
            shell_word(old),
            shell_word(secret),
            shell_word(public),
        ))
    }
}

/// Gives both files their names, the secret key first. If the public one cannot have its name, the
/// secret one loses it again.
fn name_both(secret: Staged<'_>, public: Staged<'_>) -> Result<(), Error> {
    let path = secret.output.path().to_owned();
    secret.name_if_free()?;
    public.name_if_free().inspect_err(|_| {
        let _ = remove(&path);
    })
}

/// Where an old secret key waits until the new pair is whole.
pub(crate) fn old_name(secret: &Path) -> PathBuf {
    let mut name = OsString::from(secret);
    name.push(".old");
    name.into()
}

fn remove(path: &Path) -> io::Result<()> {
    std::fs::remove_file(path)?;
    sync_directory(directory_of(path));
    Ok(())
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// rename(2) that never replaces anything.
fn rename_to_free_name(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // The file system cannot do it in one step.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            result => return result.map_err(io::Error::from),
        }
    }
    if exists(to) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(directory).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Half a pair is none: if either key cannot have its name, the other one goes too.
    #[test]
    fn half_a_pair_is_taken_back() {
        for taken in ["k.pem", "k.pub.pem"] {
            let directory = tempfile::tempdir().unwrap();
            let at = |name: &str| directory.path().join(name);
            let pair = PairOutput::new(&at("k.pem"), &at("k.pub.pem"), false).unwrap();
            std::fs::write(at(taken), "precious").unwrap();
            let error = pair.write(b"secret", b"public").unwrap_err();
            assert_eq!(error.kind, Kind::AlreadyExists);
            assert_eq!(std::fs::read(at(taken)).unwrap(), b"precious");
            assert_eq!(names(directory.path()), [taken]);
        }
    }

    /// If a pair that is to be replaced cannot be, it is there as before.
    #[test]
    fn an_old_pair_comes_back() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let pair = PairOutput::new(&at("k.pem"), &at("k.pub.pem"), true).unwrap();
        std::fs::write(at("k.pem"), "old secret").unwrap();
        // Something that no file can replace, and that came after the check.
        std::fs::create_dir(at("k.pub.pem")).unwrap();
        pair.write(b"secret", b"public").unwrap_err();
        assert_eq!(std::fs::read(at("k.pem")).unwrap(), b"old secret");
        assert_eq!(names(directory.path()), ["k.pem", "k.pub.pem"]);

        std::fs::remove_dir(at("k.pub.pem")).unwrap();
        std::fs::write(at("k.pub.pem"), "old public").unwrap();
        std::fs::write(at("k.pem.old"), "another one").unwrap();
        let error = pair.write(b"secret", b"public").unwrap_err();
        assert_eq!(error.kind, Kind::AlreadyExists);
        for (name, content) in [
            ("k.pem", "old secret"),
            ("k.pub.pem", "old public"),
            ("k.pem.old", "another one"),
        ] {
            assert_eq!(std::fs::read_to_string(at(name)).unwrap(), content);
        }

        std::fs::remove_file(at("k.pem.old")).unwrap();
        pair.write(b"secret", b"public").unwrap();
        assert_eq!(std::fs::read(at("k.pem")).unwrap(), b"secret");
        assert_eq!(std::fs::read(at("k.pub.pem")).unwrap(), b"public");
        assert_eq!(names(directory.path()), ["k.pem", "k.pub.pem"]);
    }
}
