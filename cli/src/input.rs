//! Messages: files and standard input, read in pieces.

use crate::descriptor;
use crate::error::{Error, Kind};
use crate::progress::Progress;
use crate::signals;
use crate::text::Shown;
use std::fs::{File, FileType};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use tempfile::SpooledTempFile;

/// Bytes per read: large enough that system calls do not count, small enough for the cache.
const CHUNK: usize = 128 * 1024;

/// Standard input up to this size is kept in memory where it must be read twice, more goes to a temporary file.
const SPOOL_IN_MEMORY: usize = 1024 * 1024;

/// What stands for standard input on the command line.
pub(crate) const STDIN: &str = "-";

/// Its name in messages.
pub(crate) const STDIN_NAME: &str = "standard input";

/// True if `path` stands for standard input (or output).
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == STDIN
}

/// Where a message comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// A file, or standard input.
    File(&'a Path),
    /// Bytes that this program has read or composed, and what they are called in messages.
    Bytes { name: &'a Path, bytes: &'a [u8] },
}

impl<'a> Source<'a> {
    /// What it is called.
    pub(crate) fn path(self) -> &'a Path {
        match self {
            Source::File(path) | Source::Bytes { name: path, .. } => path,
        }
    }

    /// Opens it for being read once.
    pub(crate) fn once(self) -> Result<Message, Error> {
        match self {
            Source::File(path) => Message::once(path),
            Source::Bytes { name, bytes } => Ok(Message::of_bytes(name, bytes)),
        }
    }

    /// Opens it for being read once, with its size known beforehand: what does not say that, such as a pipe, is first copied to
    /// an unnamed temporary file.
    pub(crate) fn sized(self) -> Result<Message, Error> {
        let message = self.once()?;
        match message.size {
            Some(_) => Ok(message),
            None => spool(message),
        }
    }

    /// Opens it for being read more than once.
    pub(crate) fn rewindable(self) -> Result<Message, Error> {
        match self {
            Source::File(path) => Message::rewindable(path),
            Source::Bytes { name, bytes } => Ok(Message::of_bytes(name, bytes)),
        }
    }
}

/// A message that is being read.
pub(crate) struct Message {
    reader: Reader,
    name: PathBuf,
    /// The size as the system states it, for the progress bar only.
    size: Option<u64>,
}

enum Reader {
    File(File),
    Spool(SpooledTempFile),
    Stdin(io::Stdin),
    Bytes(io::Cursor<Vec<u8>>),
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Reader::File(file) => file.read(buffer),
            Reader::Spool(spool) => spool.read(buffer),
            Reader::Stdin(stdin) => stdin.read(buffer),
            Reader::Bytes(bytes) => bytes.read(buffer),
        }
    }
}

impl Message {
    /// Opens a message that will be read more than once, as signing does: a regular file, a block
    /// device, or standard input, which is first copied to an unnamed temporary file.
    pub(crate) fn rewindable(path: &Path) -> Result<Self, Error> {
        if is_dash(path) {
            return spool(Message::once(path)?);
        }
        let metadata = std::fs::metadata(path).map_err(|e| Error::io("read", path, &e))?;
        // Before opening: opening a named pipe would wait for somebody to write to it.
        refuse_unless_rewindable(path, metadata.file_type())?;
        let file = File::open(path).map_err(|e| Error::io("read", path, &e))?;
        let metadata = file.metadata().map_err(|e| Error::io("read", path, &e))?;
        refuse_unless_rewindable(path, metadata.file_type())?;
        Ok(Message {
            reader: Reader::File(file),
            name: path.to_owned(),
            size: metadata.is_file().then_some(metadata.len()),
        })
    }

    /// Opens a message that will be read once, as verifying does: pipes are welcome.
    pub(crate) fn once(path: &Path) -> Result<Self, Error> {
        if is_dash(path) {
            if descriptor::is_missing(0) {
                return Err(Error::new(
                    Kind::Io,
                    "there is no standard input: it is closed, or /dev/null for reading and writing",
                )
                .with_hint(
                    "send the data to it, or name a file; of nothing at all: < /dev/null (Python's subprocess.DEVNULL \
                     looks as if it were closed)",
                ));
            }
            return Ok(Message {
                reader: Reader::Stdin(io::stdin()),
                name: PathBuf::from(STDIN_NAME),
                size: None,
            });
        }
        let file = File::open(path).map_err(|e| Error::io("read", path, &e))?;
        let metadata = file.metadata().map_err(|e| Error::io("read", path, &e))?;
        if metadata.is_dir() {
            return Err(directory(path));
        }
        Ok(Message {
            reader: Reader::File(file),
            name: path.to_owned(),
            size: metadata.is_file().then_some(metadata.len()),
        })
    }

    fn of_bytes(name: &Path, bytes: &[u8]) -> Self {
        Message {
            reader: Reader::Bytes(io::Cursor::new(bytes.to_vec())),
            name: name.to_owned(),
            size: Some(bytes.len() as u64),
        }
    }

    /// The size in bytes, if the system knows it beforehand.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// The rest of the message, for those who take it in pieces of their own.
    pub(crate) fn into_reader(self) -> Box<dyn Read + Send> {
        Box::new(self.reader)
    }

    /// The size in bytes, for formats that sign it before the message; `path` is for the error.
    pub(crate) fn known_size(&self, path: &Path) -> Result<u64, Error> {
        self.size.ok_or_else(|| {
            Error::new(
                Kind::NotAFile,
                format!("{} does not say how long it is", Shown(path)),
            )
            .with_path(path)
            .with_hint("save the data as a file first")
        })
    }

    /// Goes back to the first byte.
    pub(crate) fn rewind(&mut self) -> Result<(), Error> {
        match &mut self.reader {
            Reader::File(file) => file.rewind(),
            Reader::Spool(spool) => spool.rewind(),
            Reader::Stdin(_) => Err(io::ErrorKind::NotSeekable.into()),
            Reader::Bytes(bytes) => bytes.rewind(),
        }
        .map_err(|e| Error::io("read again", &self.name, &e))
    }

    /// Hands the rest of the message to `sink`, piece by piece, until the end or an error.
    pub(crate) fn feed(
        &mut self,
        progress: &mut Progress,
        mut sink: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut buffer = vec![0; CHUNK];
        loop {
            signals::check()?;
            match self.reader.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(n) => {
                    sink(&buffer[..n])?;
                    progress.advance(n);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Error::io("read", &self.name, &e)),
            }
        }
    }
}

/// A copy of what can be read once, such as standard input.
fn spool(mut once: Message) -> Result<Message, Error> {
    let mut spool = tempfile::spooled_tempfile(SPOOL_IN_MEMORY);
    let mut size = 0;
    let name = once.name.clone();
    once.feed(&mut Progress::new("reading", None), |bytes| {
        size += bytes.len() as u64;
        spool.write_all(bytes).map_err(|e| spool_error(&name, &e))
    })?;
    let mut message = Message {
        reader: Reader::Spool(spool),
        name,
        size: Some(size),
    };
    message.rewind()?;
    Ok(message)
}

fn spool_error(name: &Path, error: &io::Error) -> Error {
    let directory = std::env::temp_dir();
    Error::new(
        Kind::Io,
        format!(
            "cannot keep a temporary copy of {} in {}: {error}",
            Shown(name),
            Shown(&directory)
        ),
    )
    .with_path(&directory)
    .with_hint("set TMPDIR to a directory with more room, or save the data as a file and name that")
}

/// The refusal of a directory in the place of a message.
pub(crate) fn directory(path: &Path) -> Error {
    Error::new(
        Kind::NotAFile,
        format!("{} is a directory, not a file", Shown(path)),
    )
    .with_path(path)
    .with_hint(
        "lanner sign-tree and lanner verify-tree take directories; or pack it, for instance with tar, and use the archive",
    )
}

/// Signing may read its message twice, so it must be something that can be read twice.
fn refuse_unless_rewindable(path: &Path, file_type: FileType) -> Result<(), Error> {
    if file_type.is_file() {
        return Ok(());
    }
    if file_type.is_dir() {
        return Err(directory(path));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if file_type.is_block_device() {
            return Ok(());
        }
        if file_type.is_fifo() {
            return Err(Error::new(
                Kind::NotAFile,
                format!(
                    "{} is a pipe, and signing may have to read the message twice",
                    Shown(path)
                ),
            )
            .with_path(path)
            .with_hint(format!(
                "give - as the file and send the data to standard input: lanner sign -k KEY - < {}",
                crate::text::shell_word(path)
            )));
        }
    }
    Err(Error::new(
        Kind::NotAFile,
        format!("{} is not a regular file", Shown(path)),
    )
    .with_path(path)
    .with_hint("save the data as a file, or send it to standard input with - as the file"))
}
