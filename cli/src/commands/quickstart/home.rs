//! The fresh directory that quickstart works in.

use super::PairFiles;
use crate::commands::keygen::{default_public_path, write_pair};
use crate::error::{Error, Kind};
use crate::keys::SecretKey;
use crate::output::{Access, Output, PairOutput};
use crate::signals::{self, Held};
use crate::text::Shown;
use std::io;
use std::path::{Path, PathBuf};

/// The fresh directory. What was put there is removed again unless the run comes to its end: also if
/// a signal ends it, which waits until that is done.
pub(super) struct Home {
    pub(super) path: PathBuf,
    created: bool,
    files: Vec<PathBuf>,
    keep: bool,
    /// The last one, dropped after everything has been removed.
    _held: Held,
}

impl Home {
    pub(super) fn new(wanted: Option<&Path>) -> Result<Self, Error> {
        let held = signals::hold();
        let (path, created) = match wanted {
            None => (Self::in_temporary_directory()?, true),
            Some(path) => (path.to_owned(), Self::make_or_check(path)?),
        };
        Ok(Home {
            path,
            created,
            files: Vec::new(),
            keep: false,
            _held: held,
        })
    }

    fn in_temporary_directory() -> Result<PathBuf, Error> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("lanner-quickstart-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o700));
        }
        let parent = std::env::temp_dir();
        builder
            .tempdir_in(&parent)
            .map(tempfile::TempDir::keep)
            .map_err(|e| {
                Error::io("make a directory in", &parent, &e)
                    .with_hint("name a directory of your own with --dir DIR")
            })
    }

    /// True if the directory was made, false if it was there and empty.
    fn make_or_check(path: &Path) -> Result<bool, Error> {
        #[cfg_attr(not(unix), expect(unused_mut, reason = "the mode is Unix's"))]
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        match builder.create(path) {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                let is_empty = std::fs::read_dir(path)
                    .map_err(|e| Error::io("use the directory", path, &e))?
                    .next()
                    .is_none();
                if is_empty {
                    return Ok(false);
                }
                Err(Error::new(
                    Kind::AlreadyExists,
                    format!(
                        "the directory {} is not empty and was left alone",
                        Shown(path)
                    ),
                )
                .with_path(path)
                .with_hint("name a new directory with --dir DIR, or leave --dir out"))
            }
            Err(e) => Err(Error::io("make the directory", path, &e)),
        }
    }

    fn output(&mut self, name: impl AsRef<Path>, access: Access) -> Result<Output, Error> {
        signals::check()?;
        let path = self.path.join(name);
        let output = Output::new(&path, access, false, &[])?;
        self.files.push(path);
        Ok(output)
    }

    pub(super) fn write(
        &mut self,
        name: impl AsRef<Path>,
        access: Access,
        bytes: &[u8],
    ) -> Result<PathBuf, Error> {
        let output = self.output(name, access)?;
        output.write(bytes)?;
        Ok(output.path().to_owned())
    }

    /// Writes what `fill` hands to its argument.
    pub(super) fn write_pieces(
        &mut self,
        name: impl AsRef<Path>,
        fill: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        let output = self.output(name, Access::Default)?;
        output.write_pieces(fill)?;
        Ok(output.path().to_owned())
    }

    pub(super) fn write_pair(&mut self, key: &SecretKey, name: &str) -> Result<PairFiles, Error> {
        signals::check()?;
        let secret = self.path.join(name);
        let public = default_public_path(&secret)?;
        let files = PairOutput::new(&secret, &public, false)?;
        self.files.extend([secret.clone(), public.clone()]);
        write_pair(key, &files)?;
        Ok(PairFiles { secret, public })
    }

    pub(super) fn write_public(&mut self, key: &SecretKey, name: &str) -> Result<PathBuf, Error> {
        self.write(name, Access::Default, key.public().to_pem()?.as_bytes())
    }

    /// The run has come to its end, unless a signal is waiting.
    pub(super) fn keep(mut self) -> Result<(), Error> {
        signals::check()?;
        self.keep = true;
        Ok(())
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if self.keep {
            return;
        }
        // Only what was put here, never a whole tree; what cannot be removed stays.
        for file in &self.files {
            let _ = std::fs::remove_file(file);
        }
        if self.created {
            let _ = std::fs::remove_dir(&self.path);
        }
    }
}
