//! What the command was started with: standard input and output, and other open descriptors.

use crate::error::{Error, Kind};
use crate::text::Shown;
use std::io;
use std::path::Path;
use zeroize::Zeroizing;

/// One line out of an open descriptor, from where that is in its file; at most `max` bytes, with the line feed if there is
/// one. What comes after it stays there.
pub(crate) fn read_line(number: u32, max: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    #[cfg(unix)]
    {
        let error =
            |e: io::Error| Error::new(Kind::Io, format!("cannot read descriptor {number}: {e}"));
        let mut file = duplicate(number).map_err(|e| {
            error(e).with_hint("open it for the command, as in: lanner … --password-fd 3 3< FILE")
        })?;
        refuse_unless_readable(number, &file.metadata().map_err(error)?)?;
        let line = line_of(None, max, |byte| read_patiently(&mut file, byte)).map_err(error)?;
        if line.is_empty() {
            let message = format!("there is nothing to read from descriptor {number}");
            return Err(Error::new(Kind::Io, message).with_hint("a password is a line"));
        }
        Ok(line)
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

/// A descriptor for the same open file, whose place in the file is the same, too: one that opened the file anew would
/// begin at its start, and cannot be had of a socket.
#[cfg(unix)]
fn duplicate(number: u32) -> io::Result<std::fs::File> {
    use rustix::io::Errno;
    use std::fs::File;
    use std::os::fd::AsFd;
    if number == 0 {
        return Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?));
    }
    let Ok(raw) = i32::try_from(number) else {
        return Err(Errno::BADF.into());
    };
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
        let own = pidfd_open(getpid(), PidfdFlags::empty());
        match own.and_then(|own| pidfd_getfd(own, raw, PidfdGetfdFlags::empty())) {
            Ok(descriptor) => return Ok(File::from(descriptor)),
            Err(Errno::BADF) => return Err(Errno::BADF.into()),
            // An old kernel, or a sandbox without this call.
            Err(_) => {}
        }
    }
    let mut file = File::from(rustix::fs::open(
        format!("/dev/fd/{raw}"),
        rustix::fs::OFlags::RDONLY
            | rustix::fs::OFlags::CLOEXEC
            | rustix::fs::OFlags::NONBLOCK
            | rustix::fs::OFlags::NOCTTY,
        rustix::fs::Mode::empty(),
    )?);
    // On Linux, this one begins at the start.
    if let Some(place) = place_in_file(raw) {
        let _ = io::Seek::seek(&mut file, io::SeekFrom::Start(place));
    }
    Ok(file)
}

#[cfg(unix)]
fn place_in_file(number: i32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/self/fdinfo/{number}")).ok()?;
    let place = text.lines().find_map(|line| line.strip_prefix("pos:"))?;
    place.trim().parse().ok()
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

fn is_stdin(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let open = metadata_of(io::stdin().as_fd());
        open.is_ok_and(|open| std::fs::metadata(path).is_ok_and(|named| is_same(&named, &open)))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
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

/// True if there is no standard input, or output (`number` 1): this language's runtime opens /dev/null for both reading and
/// writing where the command was started without one. Redirections of a shell open it for one of the two.
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
