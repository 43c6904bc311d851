//! What the command was started with: standard input and output, and other open descriptors.

#[cfg(unix)]
mod number;

use crate::error::{Error, Kind};
#[cfg(unix)]
use crate::paths::leads_to_open_file;
use crate::text::Shown;
use std::io;
use std::path::Path;
use zeroize::Zeroizing;

/// A line that was read from a descriptor.
#[cfg_attr(not(unix), allow(dead_code))]
pub(crate) struct Line {
    /// With the line feed, if there is one.
    pub(crate) bytes: Zeroizing<Vec<u8>>,
    /// What is read from standard input comes after it: both are the same open file.
    pub(crate) is_of_stdin: bool,
}

/// One line out of an open descriptor, from where that is in its file; at most `max` bytes. What comes after it stays there.
pub(crate) fn read_line(number: u32, max: usize) -> Result<Line, Error> {
    #[cfg(unix)]
    {
        let error =
            |e: io::Error| Error::new(Kind::Io, format!("cannot read descriptor {number}: {e}"));
        let mut file = number::duplicate(number).map_err(|e| {
            error(e).with_hint("open it for the command, as in: lanner … --password-fd 3 3< FILE")
        })?;
        let metadata = file.metadata().map_err(error)?;
        refuse_unless_readable(number, &metadata)?;
        let before = place_of_stdin();
        let bytes = line_of(None, max, |byte| read_patiently(&mut file, byte)).map_err(error)?;
        if bytes.is_empty() {
            let message = format!("there is nothing to read from descriptor {number}");
            return Err(Error::new(Kind::Io, message).with_hint("a password is a line"));
        }
        // A file may be open twice, with a place of its own each time.
        let is_of_stdin =
            is_open_as_stdin(&metadata) && (!metadata.is_file() || place_of_stdin() != before);
        Ok(Line { bytes, is_of_stdin })
    }
    #[cfg(not(unix))]
    {
        let _ = max;
        let message = format!("cannot read descriptor {number} on this system");
        Err(Error::new(Kind::Usage, message).with_hint("name a file instead"))
    }
}

/// A line that begins with `first`, byte by byte, so that nothing is taken from whoever reads what comes after it.
pub(crate) fn line_of(
    first: Option<u8>,
    max: usize,
    mut read: impl FnMut(&mut [u8]) -> io::Result<usize>,
) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut line = Zeroizing::new(Vec::with_capacity(max));
    line.extend(first);
    let mut byte = Zeroizing::new([0]);
    while line.len() < max && line.last() != Some(&b'\n') {
        match read(&mut byte[..]) {
            Ok(0) => break,
            Ok(_) => line.push(byte[0]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(line)
}

#[cfg(unix)]
fn refuse_unless_readable(number: u32, metadata: &std::fs::Metadata) -> Result<(), Error> {
    use std::os::unix::fs::FileTypeExt;
    let file_type = metadata.file_type();
    if file_type.is_file() || file_type.is_fifo() || file_type.is_socket() {
        return Ok(());
    }
    Err(Error::new(
        Kind::NotAFile,
        format!(
            "cannot read descriptor {number}: it is neither a regular file nor a pipe nor a socket"
        ),
    )
    .with_hint("at a terminal, leave the option out to be asked"))
}

/// Reads; where whoever opened the descriptor has said that reading should not wait, it waits all the same.
#[cfg(unix)]
fn read_patiently(file: &mut std::fs::File, bytes: &mut [u8]) -> io::Result<usize> {
    use rustix::event::{PollFd, PollFlags, poll};
    loop {
        match io::Read::read(file, bytes) {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                poll(&mut [PollFd::new(&*file, PollFlags::IN)], None)?;
            }
            result => return result,
        }
    }
}

/// Refuses a file that is standard input by another name, where the message comes from there: whichever is read first
/// would take the other's bytes. `what` is "key" or the like.
pub(crate) fn refuse_stdin(path: &Path, what: &str) -> Result<(), Error> {
    if !is_stdin(path) {
        return Ok(());
    }
    Err(Error::new(
        Kind::Usage,
        format!(
            "{} is standard input, and so is the message: the {what} cannot come from there",
            Shown(path)
        ),
    )
    .with_path(path)
    .with_hint(match what {
        "password" => {
            "--password-fd 0 takes the first line of standard input, and leaves the rest to the message"
        }
        _ => "save it as a file, or give it through another pipe, as in <(command)",
    }))
}

/// A regular file that is opened by its name is read from its start, wherever standard input is in it; one that is named as
/// a descriptor may be the same open file.
fn is_stdin(path: &Path) -> bool {
    #[cfg(unix)]
    {
        std::fs::metadata(path).is_ok_and(|named| {
            is_open_as_stdin(&named) && (!named.is_file() || leads_to_open_file(path))
        })
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// True if standard input is this file.
#[cfg(unix)]
fn is_open_as_stdin(file: &std::fs::Metadata) -> bool {
    use std::os::fd::AsFd;
    metadata_of(io::stdin().as_fd()).is_ok_and(|open| is_same(file, &open))
}

/// Where standard input is, if it is something that has places.
#[cfg(unix)]
fn place_of_stdin() -> Option<u64> {
    rustix::fs::tell(io::stdin()).ok()
}

#[cfg(unix)]
fn metadata_of(stream: std::os::fd::BorrowedFd<'_>) -> io::Result<std::fs::Metadata> {
    std::fs::File::from(stream.try_clone_to_owned()?).metadata()
}

#[cfg(unix)]
fn is_same(a: &std::fs::Metadata, b: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// True if standard output is a regular file that anybody but its owner may read or write, and that has a name. What waits in
/// a pipe is read by whoever was given its other end, and so is a file without a name.
pub(crate) fn stdout_is_open_file() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use std::os::unix::fs::MetadataExt;
        metadata_of(io::stdout().as_fd())
            .is_ok_and(|open| open.is_file() && open.nlink() != 0 && open.mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        false
    }
}

/// True if standard output is the regular file that is read, standard input where there is no path: what is written would be
/// read as well, without an end.
pub(crate) fn stdout_is(input: Option<&Path>) -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        metadata_of(io::stdout().as_fd()).is_ok_and(|open| {
            open.is_file()
                && match input {
                    None => is_open_as_stdin(&open),
                    Some(path) => std::fs::metadata(path).is_ok_and(|named| is_same(&named, &open)),
                }
        })
    }
    #[cfg(not(unix))]
    {
        let _ = input;
        false
    }
}

/// True if there is no standard input, or output (`number` 1): this language's runtime opens /dev/null for both reading and
/// writing where the command was started without one. Redirections of a shell open it for one of the two. Other programs
/// open it for both where they want no stream, which looks the same: only what would be lost or signed for nothing is worth
/// asking this for.
pub(crate) fn is_missing(number: u32) -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let (stdin, stdout) = (io::stdin(), io::stdout());
        let stream = if number == 0 {
            stdin.as_fd()
        } else {
            stdout.as_fd()
        };
        let is_null = metadata_of(stream).is_ok_and(|open| {
            std::fs::metadata("/dev/null").is_ok_and(|null| is_same(&null, &open))
        });
        let both = rustix::fs::OFlags::RDWR;
        let flags = rustix::fs::fcntl_getfl(stream);
        is_null && flags.is_ok_and(|flags| flags & rustix::fs::OFlags::ACCMODE == both)
    }
    #[cfg(not(unix))]
    {
        let _ = number;
        false
    }
}
