//! How bytes are written in a column.

use core::fmt;
use core::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

/// How the bytes of a column are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// As they are. Of a text column, the bytes of its UTF-8.
    #[default]
    Bytes,
    /// Two hexadecimal digits for each byte, in either case, without a prefix.
    Hex,
    /// Base64 (RFC 4648, section 4), with its padding or without any; in one line, and with no bits set that no byte has.
    Base64,
    /// Base64 for URLs and names of files (RFC 4648, section 5), as [`Self::Base64`] in everything else.
    Base64Url,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Self; 4] = [Self::Bytes, Self::Hex, Self::Base64, Self::Base64Url];

    /// The name: `bytes`, `hex`, `base64` or `base64url`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Hex => "hex",
            Self::Base64 => "base64",
            Self::Base64Url => "base64url",
        }
    }

    /// Appends what `text` stands for. False if it stands for nothing; what was appended then is of no meaning.
    pub(crate) fn decode(self, text: &[u8], to: &mut Vec<u8>) -> bool {
        let engine = match self {
            Self::Bytes => {
                to.extend_from_slice(text);
                return true;
            }
            Self::Hex => {
                let start = to.len();
                // The library takes a prefix, which is not in this encoding.
                if text.starts_with(b"0x") {
                    return false;
                }
                to.resize(start + text.len() / 2, 0);
                return const_hex::decode_to_slice(text, &mut to[start..]).is_ok();
            }
            // All of the padding, or none.
            Self::Base64 if text.ends_with(b"=") => &STANDARD,
            Self::Base64 => &STANDARD_NO_PAD,
            Self::Base64Url if text.ends_with(b"=") => &URL_SAFE,
            Self::Base64Url => &URL_SAFE_NO_PAD,
        };
        engine.decode_vec(text, to).is_ok()
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// No encoding has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEncoding;

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an encoding is one of bytes, hex, base64, base64url")
    }
}

impl core::error::Error for UnknownEncoding {}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        let found = Self::ALL.into_iter().find(|it| it.as_str() == name);
        found.ok_or(UnknownEncoding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(encoding: Encoding, text: &str) -> Option<Vec<u8>> {
        let mut bytes = b"kept".to_vec();
        encoding
            .decode(text.as_bytes(), &mut bytes)
            .then(|| bytes.split_off(4))
    }

    #[test]
    fn each_is_exactly_itself() {
        for (encoding, text) in [
            (Encoding::Hex, "fbEf00"),
            (Encoding::Base64, "++8A"),
            (Encoding::Base64Url, "--8A"),
        ] {
            assert_eq!(
                decoded(encoding, text).unwrap(),
                [0xfb, 0xef, 0],
                "{encoding}"
            );
            assert_eq!(decoded(encoding, ""), Some(vec![]));
            assert_eq!(encoding.as_str().parse(), Ok(encoding));
        }
        for (encoding, text) in [
            (Encoding::Base64, "++8="),
            (Encoding::Base64, "++8"),
            (Encoding::Base64Url, "--8="),
            (Encoding::Base64Url, "--8"),
        ] {
            assert_eq!(decoded(encoding, text), Some(vec![0xfb, 0xef]), "{text}");
        }
        for (encoding, text) in [
            (Encoding::Hex, "0xfbef"),
            (Encoding::Hex, "fbe"),
            (Encoding::Hex, "fbeg"),
            (Encoding::Hex, " fbef"),
            (Encoding::Base64, "--8A"),
            (Encoding::Base64, "++8A="),
            (Encoding::Base64, "++8A+"),
            (Encoding::Base64, "+w="),
            (Encoding::Base64, "+w==="),
            (Encoding::Base64, "+x"),
            (Encoding::Base64, "="),
            // Bits that no byte has.
            (Encoding::Base64, "++9="),
            (Encoding::Base64, "++8A\n"),
            (Encoding::Base64Url, "++8A"),
            (Encoding::Base64Url, "--9="),
            (Encoding::Base64Url, "-w="),
        ] {
            assert_eq!(decoded(encoding, text), None, "{encoding}: {text}");
        }
        assert!("Hex".parse::<Encoding>().is_err());
    }
}
