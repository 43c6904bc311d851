//! The data types of SSH (RFC 4251, section 5), in which OpenSSH writes keys, signatures and messages to agents.

/// Takes values from the front of a message. `None` means that the message is shorter than it says.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Reader(bytes)
    }

    /// The next `count` bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    pub(crate) fn number(&mut self) -> Option<u32> {
        let bytes = self.bytes(4)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?))
    }

    pub(crate) fn string(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.bytes(usize::try_from(length).ok()?)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.string()?).ok()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.0
    }
}

/// Appends a string with its length. Where `bytes` are secret, `message` has the room already.
pub(crate) fn put_string(message: &mut Vec<u8>, bytes: &[u8]) {
    let length = u32::try_from(bytes.len()).expect("what this command writes is short");
    message.extend_from_slice(&length.to_be_bytes());
    message.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        let mut message = Vec::new();
        put_string(&mut message, b"ssh-ed25519");
        put_string(&mut message, b"");
        message.push(7);
        let mut reader = Reader::new(&message);
        assert_eq!(reader.text(), Some("ssh-ed25519"));
        assert_eq!(reader.string(), Some(&b""[..]));
        assert_eq!(reader.byte(), Some(7));
        assert!(reader.is_empty());
        assert_eq!(reader.byte(), None);
    }

    #[test]
    fn what_is_short_is_refused() {
        for message in [&b""[..], b"\0\0\0", b"\0\0\0\x01", b"\xff\xff\xff\xff1"] {
            assert_eq!(Reader::new(message).string(), None);
        }
    }
}
