//! What a check returns.

use crate::memcheck;

/// Room for an FN-DSA key pair of degree 1024 and more.
const ROOM: usize = 6144;

/// Up to 6144 bytes in place: an allocator that runs between the marks could be reported itself.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Output {
    bytes: [u8; ROOM],
    length: usize,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            bytes: [0; ROOM],
            length: 0,
        }
    }
}

impl<const N: usize> From<[u8; N]> for Output {
    fn from(bytes: [u8; N]) -> Self {
        Self::from(&bytes[..])
    }
}

impl From<&[u8]> for Output {
    fn from(bytes: &[u8]) -> Self {
        let mut output = Self::default();
        output.extend(bytes);
        output
    }
}

impl Output {
    /// Adds bytes.
    ///
    /// # Panics
    ///
    /// There are more than 6144 of them.
    pub(crate) fn extend(&mut self, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        self.bytes[self.length..][..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// Adds another output.
    ///
    /// # Panics
    ///
    /// There is too much of it.
    pub(crate) fn append(&mut self, other: &Self) {
        self.extend(&other.bytes[..other.length]);
    }

    /// Lets `write` fill in `length` more bytes.
    ///
    /// # Panics
    ///
    /// There are more than 6144 of them.
    pub(crate) fn write(&mut self, length: usize, write: impl FnOnce(&mut [u8])) {
        write(&mut self.bytes[self.length..][..length]);
        self.length += length;
    }

    /// Marks all of it as public.
    pub(crate) fn declassify(&mut self) {
        memcheck::declassify(&mut self.bytes);
    }
}
