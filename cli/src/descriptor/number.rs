//! A descriptor that the command was started with, by its number.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::fd::BorrowedFd;

/// A descriptor of our own for the same open file, whose place in the file is the same, too: one that opened the file anew
/// would begin at its start each time, and cannot be had of a socket.
pub(super) fn duplicate(number: u32) -> io::Result<File> {
    let number = i32::try_from(number).map_err(|_| rustix::io::Errno::BADF)?;
    // SAFETY: the number is not -1, and the borrow lives for one system call, which looks the number up and duplicates what
    // it finds in one step: of one that is not open, the kernel says so. The call neither reads nor closes what others own.
    let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
    // None of the three that have a meaning.
    Ok(File::from(rustix::io::fcntl_dupfd_cloexec(descriptor, 3)?))
}
