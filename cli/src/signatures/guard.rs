//! Keeps the formats apart: what one signs must never be what another one means.
//!
//! Formats that wrap a message (SSHSIG, DSSE, COSE, the hybrid signatures) sign bytes that begin with a mark of their own.
//! Formats that sign the bytes of a file would sign the very same bytes if a file began with such a mark, and so a
//! signature of a file could be passed off as that of a commit. They refuse such files, when signing and when verifying.

use crate::error::{Error, Kind};
use crate::text::Shown;
use std::path::Path;

/// The marks, and whose they are.
const MARKS: [(&[u8], &str); 4] = [
    (b"SSHSIG", "an SSH signature"),
    (b"DSSEv1 ", "a DSSE envelope"),
    (b"LannerHybrid", "a hybrid signature"),
    // An array of four, of which the first is a text of ten characters.
    (b"\x84\x6aSignature1", "a COSE signature"),
];
const LONGEST: usize = 12;

/// Looks at the first bytes of a message as they go by.
#[derive(Default)]
pub(crate) struct Guard {
    first: [u8; LONGEST],
    length: usize,
}

impl Guard {
    /// Fails once the message is known to begin with a mark; `path` is for the error.
    pub(crate) fn check(&mut self, bytes: &[u8], path: &Path) -> Result<(), Error> {
        if self.length == LONGEST || bytes.is_empty() {
            return Ok(());
        }
        let taken = bytes.len().min(LONGEST - self.length);
        self.first[self.length..self.length + taken].copy_from_slice(&bytes[..taken]);
        self.length += taken;
        let first = &self.first[..self.length];
        match mark_of(first) {
            None => Ok(()),
            Some(whose) => Err(Error::new(
                Kind::RefusedMessage,
                format!(
                    "{} begins with what {whose} signs; a bare signature of it could be passed off as one",
                    Shown(path)
                ),
            )
            .with_path(path)
            .with_hint("use --format ssh, which signs a hash of the file")),
        }
    }
}

/// Whose mark a message begins with, if it is one of those.
pub(crate) fn mark_of(message: &[u8]) -> Option<&'static str> {
    let mut marks = MARKS.iter();
    let found = marks.find(|(mark, _)| message.starts_with(mark));
    found.map(|&(_, whose)| whose)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_however_they_are_cut() {
        let path = Path::new("m");
        for (mark, _) in MARKS {
            assert!(mark.len() <= LONGEST);
            for cut in 0..=mark.len() {
                let (a, b) = mark.split_at(cut);
                let mut guard = Guard::default();
                let results = [a, b, b"rest"].map(|bytes| guard.check(bytes, path).is_err());
                assert_ne!(results, [false; 3], "{mark:?} cut at {cut}");
            }
            let mut guard = Guard::default();
            assert!(guard.check(&mark[..mark.len() - 1], path).is_ok());
            let mut guard = Guard::default();
            guard.check(b" ", path).unwrap();
            assert!(guard.check(mark, path).is_ok(), "not at the beginning");
        }
    }
}
