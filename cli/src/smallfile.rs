//! Files that are read whole: keys and signatures.

use crate::descriptor::line_of;
use crate::error::{Error, Kind};
use crate::input::is_dash;
use crate::text::Shown;
use std::fs::{File, FileType, Metadata};
use std::io::{self, Read};
use std::path::Path;
use zeroize::Zeroizing;

/// More than any key or signature is long; enough to tell what a file is.
pub(crate) const MAX: usize = 64 * 1024;

/// How long somebody has to start writing to a named pipe.
#[cfg(unix)]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(1);

/// The content of a file; wiped when dropped.
pub(crate) struct SmallFile {
    /// Of a key or signature at most [`MAX`] + 1 bytes: with more than [`MAX`], the file is too large.
    pub(crate) bytes: Zeroizing<Vec<u8>>,
    /// That of the file that was opened, even if another one has its name by now.
    pub(crate) metadata: Metadata,
}

impl SmallFile {
    pub(crate) fn is_too_large(&self) -> bool {
        self.bytes.len() > MAX
    }
}

/// Reads a regular file, or a pipe that somebody writes to, as `<(command)` is. `what` is "key" or
/// "signature".
pub(crate) fn read(path: &Path, what: &str) -> Result<SmallFile, Error> {
    read_up_to(path, what, MAX)
}

/// Reads a list, which may be longer than keys are.
pub(crate) fn read_long(path: &Path, what: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
    const MAX_LIST: usize = 16 << 20;
    let file = read_up_to(path, what, MAX_LIST)?;
    if file.bytes.len() > MAX_LIST {
        return Err(Error::new(
            Kind::BadKey,
            format!("{} is too large for a {what}", Shown(path)),
        )
        .with_path(path));
    }
    Ok(file.bytes)
}

/// Reads a file that has no secrets, of at most `max` bytes; the memory is what the file needs.
pub(crate) fn read_public(path: &Path, what: &str, max: usize) -> Result<Vec<u8>, Error> {
    let bytes = read_further(path, what, max, |_| true)?;
    if bytes.len() > max {
        return Err(Error::new(
            Kind::BadManifest,
            format!("{} is too large for a {what}", Shown(path)),
        )
        .with_path(path));
    }
    Ok(bytes)
}

/// Reads a file that has no secrets: of a longer one the first `max` + 1 bytes, or if `goes_on` does not say so of the
/// first [`MAX`] + 1 bytes, those.
pub(crate) fn read_further(
    path: &Path,
    what: &str,
    max: usize,
    goes_on: impl FnOnce(&[u8]) -> bool,
) -> Result<Vec<u8>, Error> {
    let mut opened = Opened::new(path, what)?;
    let mut bytes: Vec<u8> = opened.first.take().into_iter().collect();
    let fill = |bytes: &mut Vec<u8>, max: usize| {
        let rest = (max as u64).saturating_add(1) - bytes.len() as u64;
        let read = (&opened.file).take(rest).read_to_end(bytes);
        read.map_err(|e| Error::io(&format!("read the {what}"), path, &e))
    };
    fill(&mut bytes, max.min(MAX))?;
    if bytes.len() > MAX && goes_on(&bytes) {
        fill(&mut bytes, max)?;
    }
    opened.check_not_silent(bytes.len(), path, what)?;
    Ok(bytes)
}

fn read_up_to(path: &Path, what: &str, max: usize) -> Result<SmallFile, Error> {
    if is_dash(path) {
        return Err(Error::new(
            Kind::Usage,
            format!("a {what} cannot come from standard input"),
        )
        .with_hint("save it as a file; one that is called - is ./-"));
    }
    let error = |e: io::Error| Error::io(&format!("read the {what}"), path, &e);
    let mut opened = Opened::new(path, what)?;
    // All at once, and read in place: growing would leave copies of a secret behind.
    let mut bytes = Zeroizing::new(vec![0; max + 1]);
    let mut length = 0;
    if let Some(byte) = opened.first.take() {
        bytes[0] = byte;
        length = 1;
    }
    while length < bytes.len() {
        match opened.file.read(&mut bytes[length..]) {
            Ok(0) => break,
            Ok(n) => length += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(error(e)),
        }
    }
    opened.check_not_silent(length, path, what)?;
    bytes.truncate(length);
    Ok(SmallFile {
        bytes,
        metadata: opened.metadata,
    })
}

/// The first line of a file, with its line feed if it has one, and at most `max` bytes of it. Of a pipe, nothing is read
/// that comes after the line.
pub(crate) fn read_line(path: &Path, what: &str, max: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    let error = |e: io::Error| Error::io(&format!("read the {what}"), path, &e);
    let mut opened = Opened::new(path, what)?;
    let first = opened.first.take();
    let line = line_of(first, max, |byte| opened.file.read(byte)).map_err(error)?;
    opened.check_not_silent(line.len(), path, what)?;
    Ok(line)
}

/// A file that was found to be a regular one, or a pipe that somebody writes to.
struct Opened {
    file: File,
    metadata: Metadata,
    /// The first byte of a pipe, if that had to be read.
    first: Option<u8>,
}

impl Opened {
    fn new(path: &Path, what: &str) -> Result<Self, Error> {
        let error = |e: io::Error| Error::io(&format!("read the {what}"), path, &e);
        // Before opening: that alone makes some devices do something.
        let metadata = std::fs::metadata(path).map_err(error)?;
        refuse_unless_readable(path, what, metadata.file_type())?;
        let file = open(path).map_err(error)?;
        let metadata = file.metadata().map_err(error)?;
        refuse_unless_readable(path, what, metadata.file_type())?;
        let opened = Opened {
            file,
            metadata,
            first: None,
        };
        #[cfg(unix)]
        let opened = opened.after_first_byte(path, what)?;
        Ok(opened)
    }

    /// Of a pipe, whether anybody will write to it is asked by reading.
    #[cfg(unix)]
    fn after_first_byte(mut self, path: &Path, what: &str) -> Result<Self, Error> {
        if is_pipe(self.metadata.file_type()) {
            let first = first_byte(&mut self.file);
            match first.map_err(|e| Error::io(&format!("read the {what}"), path, &e))? {
                FirstByte::Is(byte) => self.first = Some(byte),
                FirstByte::WillCome => {}
                FirstByte::Never => return Err(silent_pipe(path, what)),
            }
        }
        Ok(self)
    }

    /// A pipe whose other end was closed again has nothing in it: when it was opened makes no difference.
    fn check_not_silent(&self, length: usize, path: &Path, what: &str) -> Result<(), Error> {
        if length == 0 && is_pipe(self.metadata.file_type()) {
            return Err(silent_pipe(path, what));
        }
        Ok(())
    }
}

fn silent_pipe(path: &Path, what: &str) -> Error {
    let message = format!(
        "cannot read the {what} {}: nobody writes to this pipe",
        Shown(path)
    );
    Error::new(Kind::Io, message).with_path(path)
}

/// Opens a file; a pipe without waiting for somebody to write to it.
fn open(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
    }
    #[cfg(not(unix))]
    File::open(path)
}

fn is_pipe(file_type: FileType) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        file_type.is_fifo()
    }
    #[cfg(not(unix))]
    {
        let _ = file_type;
        false
    }
}

fn refuse_unless_readable(path: &Path, what: &str, file_type: FileType) -> Result<(), Error> {
    if file_type.is_file() || is_pipe(file_type) {
        return Ok(());
    }
    let content = what.strip_suffix(" file").unwrap_or(what);
    let is = if file_type.is_dir() {
        "a directory"
    } else {
        "neither a regular file nor a pipe"
    };
    Err(Error::new(
        Kind::NotAFile,
        format!("cannot read the {what} {}: it is {is}", Shown(path)),
    )
    .with_path(path)
    .with_hint(format!("name the file that the {content} is in")))
}

#[cfg(unix)]
enum FirstByte {
    Is(u8),
    /// Somebody has the other end open.
    WillCome,
    /// Nobody has.
    Never,
}

/// Waits for somebody to open the other end of a pipe that was opened without waiting, and lets
/// reading wait from then on. The shells that make `<(command)` of a named pipe may be a little late.
#[cfg(unix)]
fn first_byte(file: &mut File) -> io::Result<FirstByte> {
    let start = std::time::Instant::now();
    let mut byte = Zeroizing::new([0]);
    let first = loop {
        match file.read(&mut *byte) {
            Ok(0) if start.elapsed() >= PATIENCE => return Ok(FirstByte::Never),
            Ok(0) => std::thread::sleep(PATIENCE / 100),
            Ok(_) => break FirstByte::Is(byte[0]),
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => break FirstByte::WillCome,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    };
    let flags = rustix::fs::fcntl_getfl(&*file)?;
    rustix::fs::fcntl_setfl(&*file, flags & !rustix::fs::OFlags::NONBLOCK)?;
    Ok(first)
}
