//! Output files, which appear whole or not at all.
//!
//! The bytes go to a file without a name, are flushed to the disk, and then the file takes its name in
//! one step. That step fails if the name is taken, unless `--force` says otherwise; nothing is
//! checked first and then overwritten in a race. Signals wait until the step is done.

mod pair;
mod temporary;

pub(crate) use pair::{PairOutput, old_name};

use crate::descriptor;
use crate::error::{Error, Kind};
use crate::input::is_dash;
use crate::paths::{directory_of, is_open_file};
use crate::signals::{self, Held};
use crate::text::Shown;
#[cfg(unix)]
use std::collections::HashMap;
use std::collections::HashSet;
#[cfg(unix)]
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use temporary::Temporary;

/// Who may read a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// The owner only: mode 0600 from the moment that the file exists.
    Owner,
    /// As the umask says.
    Default,
}

impl Access {
    /// What open(2) is told; the umask takes bits away from it.
    #[cfg(unix)]
    fn mode(self) -> u32 {
        match self {
            Access::Owner => 0o600,
            Access::Default => 0o666,
        }
    }
}

/// Takes a piece of a file.
pub(crate) type Pieces<'a> = &'a mut dyn FnMut(&[u8]) -> Filled;

/// What came of writing.
type Filled = Result<(), Error>;

/// What is around the outputs of a command, looked up once for all of them: looked up for each, thousands of files would take
/// minutes.
pub(crate) struct Surroundings<'a> {
    /// What no output may overwrite.
    inputs: &'a [&'a Path],
    /// The files behind the inputs, by device and number, once somebody wants to know.
    #[cfg(unix)]
    files: Option<HashMap<(u64, u64), &'a Path>>,
    /// Where new files can be made.
    directories: HashSet<PathBuf>,
}

impl<'a> Surroundings<'a> {
    pub(crate) fn of(inputs: &'a [&'a Path]) -> Self {
        Surroundings {
            inputs,
            #[cfg(unix)]
            files: None,
            directories: HashSet::new(),
        }
    }

    /// The input that is the file behind this path.
    fn overwritten_by(&mut self, path: &Path) -> Option<&'a Path> {
        let inputs = self.inputs.iter().copied();
        let inputs = inputs.filter(|input| !is_dash(input));
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let file = |path: &Path| {
                let metadata = std::fs::metadata(path).ok()?;
                Some((metadata.dev(), metadata.ino()))
            };
            let files = self.files.get_or_insert_with(|| {
                inputs
                    .filter_map(|input| Some((file(input)?, input)))
                    .collect()
            });
            files.get(&file(path)?).copied()
        }
        #[cfg(not(unix))]
        {
            let mut inputs = inputs;
            inputs.find(|input| same_file::is_same_file(path, input).unwrap_or(false))
        }
    }
}

/// A file that will be written.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    access: Access,
    force: bool,
}

impl Output {
    /// Checks, before any long work, that the file can be written: the directory takes new files,
    /// the name is free (or may be replaced), and it is none of the `inputs`.
    pub(crate) fn new(
        path: &Path,
        access: Access,
        force: bool,
        inputs: &[&Path],
    ) -> Result<Self, Error> {
        Output::among(path, access, force, &mut Surroundings::of(inputs))
    }

    /// The same for one of many outputs.
    fn among(
        path: &Path,
        access: Access,
        force: bool,
        surroundings: &mut Surroundings<'_>,
    ) -> Result<Self, Error> {
        let output = Output {
            path: path.to_owned(),
            access,
            force,
        };
        if path.file_name().is_none() || ends_in_slash(path) {
            return Err(Error::new(
                Kind::Usage,
                format!("{} is not the name of a file to write", Shown(path)),
            )
            .with_path(path)
            .with_hint("name a file in a directory that is there"));
        }
        if is_open_file(path) {
            return Err(Error::new(
                Kind::NotAFile,
                format!("cannot write {}: it is no file of its own", Shown(path)),
            )
            .with_path(path)
            .with_hint(STDOUT_HINT));
        }
        match std::fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(Error::new(
                    Kind::NotAFile,
                    format!("cannot write {}: it is a directory", Shown(path)),
                )
                .with_path(path)
                .with_hint("name a file in it"));
            }
            // Replacing /dev/null or a socket by a file would be a bad surprise.
            Ok(metadata) if !metadata.is_file() && !metadata.is_symlink() => {
                return Err(Error::new(
                    Kind::NotAFile,
                    format!("cannot replace {}: it is not a regular file", Shown(path)),
                )
                .with_path(path)
                .with_hint(STDOUT_HINT));
            }
            Ok(_) if !force => return Err(output.taken()),
            Ok(_) => {
                if let Some(input) = surroundings.overwritten_by(path) {
                    return Err(overwritten(input).with_path(path));
                }
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(Error::io("write", path, &e)),
        }
        let directory = output.directory();
        if !surroundings.directories.contains(directory) {
            let _held = signals::hold();
            temporary::remove_leftovers(directory);
            Temporary::new_in(directory, access).map_err(|e| output.directory_error(&e))?;
            surroundings.directories.insert(directory.to_owned());
        }
        Ok(output)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what `fill` has to say to a file without its name, and flushes it to the disk.
    fn stage_with(
        &self,
        fill: impl FnOnce(&mut Temporary) -> Result<(), Error>,
    ) -> Result<Staged<'_>, Error> {
        let held = signals::hold();
        let mut file = Temporary::new_in(self.directory(), self.access)
            .map_err(|e| self.directory_error(&e))?;
        fill(&mut file)?;
        file.file().sync_all().map_err(|e| self.write_error(&e))?;
        Ok(Staged {
            output: self,
            file,
            _held: held,
        })
    }

    fn stage(&self, bytes: &[u8]) -> Result<Staged<'_>, Error> {
        self.stage_with(|file| self.append(file, bytes))
    }

    /// Writes the file.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        self.stage(bytes)?.commit()
    }

    /// Writes the file, piece by piece: `fill` hands each one to its argument.
    pub(crate) fn write_pieces(&self, fill: impl FnOnce(Pieces<'_>) -> Filled) -> Filled {
        self.stage_with(|file| fill(&mut |bytes| self.append(file, bytes)))?
            .commit()
    }

    /// The same with pieces that somebody else may be long in sending: no signal waits for them. Whoever calls this has
    /// nothing else to take back.
    pub(crate) fn write_awaited_pieces(&self, fill: impl FnOnce(Pieces<'_>) -> Filled) -> Filled {
        self.stage_with(|file| {
            let name = file.name().map(Path::to_owned);
            let remove = move || {
                if let Some(name) = name {
                    let _ = std::fs::remove_file(name);
                }
            };
            signals::ending_with(remove, || fill(&mut |bytes| self.append(file, bytes)))
        })?
        .commit()
    }

    fn append(&self, file: &mut Temporary, bytes: &[u8]) -> Filled {
        let written = file.file().write_all(bytes);
        written.map_err(|e| self.write_error(&e))
    }

    fn directory(&self) -> &Path {
        directory_of(&self.path)
    }

    fn write_error(&self, error: &io::Error) -> Error {
        Error::io("write", &self.path, error)
    }

    fn directory_error(&self, error: &io::Error) -> Error {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => "make the directory first, or name another one",
            io::ErrorKind::PermissionDenied => "you may not make files in that directory",
            _ => "check the directory and the room on its disk",
        };
        Error::io("write", &self.path, error).with_hint(hint)
    }

    /// What comes of giving the file its name.
    fn named(&self, result: io::Result<()>) -> Result<(), Error> {
        match result {
            Ok(()) => {
                sync_directory(self.directory());
                Ok(())
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(self.taken()),
            Err(e) => Err(self.write_error(&e)),
        }
    }

    fn taken(&self) -> Error {
        Error::new(
            Kind::AlreadyExists,
            format!("{} exists already and was left alone", Shown(&self.path)),
        )
        .with_path(&self.path)
        .with_hint(match self.access {
            Access::Owner => {
                "name another file; --force replaces it, and a secret in it is lost for good"
            }
            Access::Default => "name another file, or give --force to replace it",
        })
    }
}

/// Bytes on the disk that wait for their name. Dropped without one, they vanish. Signals wait as long
/// as this lives.
#[derive(Debug)]
struct Staged<'a> {
    output: &'a Output,
    file: Temporary,
    /// The last one, dropped after the file.
    _held: Held,
}

impl Staged<'_> {
    /// Gives the file its name, from whatever has that name if `--force` was given.
    fn commit(self) -> Result<(), Error> {
        let Staged {
            output,
            file,
            _held,
        } = self;
        // Where nothing is replaced, the file needs no other name on its way.
        let free = output.path.symlink_metadata().is_err();
        let result = if output.force && !free {
            file.replace(&output.path, output.access)
        } else {
            file.link(&output.path, output.access)
        };
        output.named(result)
    }

    /// Gives the file its name, which must be free.
    fn name_if_free(self) -> Result<(), Error> {
        let Staged {
            output,
            file,
            _held,
        } = self;
        output.named(file.link(&output.path, output.access))
    }
}

/// What to do where somebody means a stream.
const STDOUT_HINT: &str =
    "name a new file; where a command writes to standard output, -o - says so";

fn ends_in_slash(path: &Path) -> bool {
    path.as_os_str()
        .as_encoded_bytes()
        .last()
        .is_some_and(|&byte| std::path::is_separator(byte.into()))
}

/// Writes two files, the second of which is about the first: both are on the disk before either has its name, and
/// signals wait until both have it. A loss of power in between leaves the first alone.
pub(crate) fn write_both(first: (&Output, &[u8]), second: (&Output, &[u8])) -> Result<(), Error> {
    let _held = signals::hold();
    let one = first.0.stage(first.1)?;
    let two = second.0.stage(second.1)?;
    one.commit()?;
    two.commit()
        .map_err(|e| e.with_more(format!("{} was written before that", Shown(&first.0.path))))
}

/// What is said where output would go into what is read.
pub(crate) fn overwritten(input: &Path) -> Error {
    Error::new(
        Kind::Usage,
        format!("{} would be overwritten by its own output", Shown(input)),
    )
    .with_path(input)
    .with_hint("name another output file")
}

/// Makes the new name survive a loss of power. Not every file system can; the file is whole in
/// either case, so a failure is no error.
fn sync_directory(directory: &Path) {
    #[cfg(unix)]
    let _ = File::open(directory).and_then(|d| d.sync_all());
    #[cfg(not(unix))]
    let _ = directory;
}

/// Where a result goes.
#[derive(Debug)]
pub(crate) enum Target {
    File(Output),
    /// Standard output, which then carries the result and nothing else.
    Stdout,
}

impl Target {
    /// `path` is what `-o` says; without it, a result goes to standard output unless that is a
    /// terminal, or a file that others can read and the result is its owner's. `what` names the result in errors.
    pub(crate) fn new(
        path: Option<&Path>,
        access: Access,
        force: bool,
        json: bool,
        what: &str,
        inputs: &[&Path],
    ) -> Result<Self, Error> {
        let mut surroundings = Surroundings::of(inputs);
        Target::among(path, access, force, json, what, &mut surroundings)
    }

    /// The same for one of many results.
    pub(crate) fn among(
        path: Option<&Path>,
        access: Access,
        force: bool,
        json: bool,
        what: &str,
        surroundings: &mut Surroundings<'_>,
    ) -> Result<Self, Error> {
        match path {
            Some(path) if !is_dash(path) => Ok(Target::File(Output::among(
                path,
                access,
                force,
                surroundings,
            )?)),
            _ if json => Err(Error::new(
                Kind::Usage,
                format!("with --json, standard output has no room for {what}"),
            )
            .with_hint("name a file with -o FILE")),
            None if io::stdout().is_terminal() => Err(Error::new(
                Kind::Usage,
                format!("{what} does not belong on a terminal"),
            )
            .with_hint("name a file with -o FILE, or send standard output to a pipe")),
            // The shell has made it as the umask says.
            None if access == Access::Owner && descriptor::stdout_is_open_file() => {
                Err(Error::new(
                    Kind::Usage,
                    format!("{what} does not belong into a file that others may read or write, as standard output is"),
                )
                .with_hint(
                    "name a file with -o FILE, which nobody but you can read from the start; -o - writes there all the same",
                ))
            }
            _ => Ok(Target::Stdout),
        }
    }

    /// Fails, before any work, where there is no standard output for a result that would be lost: a secret, or a signature,
    /// which somebody may count on. What is public, or a report, can be had again.
    pub(crate) fn must_arrive(&self, what: &str) -> Result<(), Error> {
        if matches!(self, Target::File(_)) || !descriptor::is_missing(1) {
            return Ok(());
        }
        Err(Error::new(
            Kind::Io,
            format!(
                "there is no standard output for {what}: it is closed, or /dev/null for reading and writing"
            ),
        )
        .with_hint(
            "name a file with -o FILE, or send standard output somewhere; to nowhere: > /dev/null (Python's \
             subprocess.DEVNULL and Node's stdio \"ignore\" look as if it were closed)",
        ))
    }

    /// The file, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Target::File(output) => Some(output.path()),
            Target::Stdout => None,
        }
    }

    /// Writes the result.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Target::File(output) => output.write(bytes),
            Target::Stdout => write_stdout(bytes).map_err(|e| stdout_error(&e)),
        }
    }
}

/// Standard output is gone, or full.
pub(crate) fn stdout_error(error: &io::Error) -> Error {
    Error::new(
        Kind::Io,
        format!("cannot write to standard output: {error}"),
    )
}

/// Writes to standard output past the buffer of [`io::Stdout`], which would keep a copy of what
/// may be a secret.
fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let mut file = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        file.write_all(bytes)
    }
    #[cfg(not(unix))]
    {
        let mut stdout = io::stdout();
        stdout.write_all(bytes)?;
        stdout.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name may be taken after the first check; the last step is the one that counts.
    #[test]
    fn a_name_taken_meanwhile_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key");
        let output = Output::new(&path, Access::Owner, false, &[]).unwrap();
        let staged = output.stage(b"new").unwrap();
        std::fs::write(&path, "precious").unwrap();
        assert_eq!(staged.commit().unwrap_err().kind, Kind::AlreadyExists);
        assert_eq!(std::fs::read(&path).unwrap(), b"precious");
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1);

        let output = Output::new(&path, Access::Owner, true, &[]).unwrap();
        output.write(b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
    }
}
