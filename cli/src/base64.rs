//! Base64 of what may be secret: in constant time, and without growing buffers.

use base64ct::{Base64, Base64Unpadded, Base64Url, Base64UrlUnpadded, Encoding};
use zeroize::Zeroizing;

/// Decodes one line of Base64 with padding (RFC 4648, section 4). `None` unless it is exactly that.
pub(crate) fn decode(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    decode_as::<Base64>(text)
}

/// Decodes the Base64 of web keys: URL-safe, without padding (RFC 7515, section 2).
pub(crate) fn decode_url(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    decode_as::<Base64UrlUnpadded>(text)
}

/// Decodes URL-safe Base64 with padding (RFC 4648, section 5).
pub(crate) fn decode_url_padded(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    decode_as::<Base64Url>(text)
}

fn decode_as<E: Encoding>(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(vec![0; text.len() / 4 * 3 + 3]);
    let length = E::decode(text, &mut bytes).ok()?.len();
    bytes.truncate(length);
    Some(bytes)
}

pub(crate) fn encode(bytes: &[u8]) -> Zeroizing<String> {
    Zeroizing::new(Base64::encode_string(bytes))
}

pub(crate) fn encode_url(bytes: &[u8]) -> Zeroizing<String> {
    Zeroizing::new(Base64UrlUnpadded::encode_string(bytes))
}

/// As fingerprints have it.
pub(crate) fn encode_unpadded(bytes: &[u8]) -> String {
    Base64Unpadded::encode_string(bytes)
}

/// Base64 in lines of `width` characters, each with a line feed.
pub(crate) fn encode_lines(bytes: &[u8], width: usize) -> Zeroizing<String> {
    let text = encode(bytes);
    let mut lines = Zeroizing::new(String::with_capacity(
        text.len() + text.len().div_ceil(width),
    ));
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(width.min(rest.len()));
        lines.push_str(line);
        lines.push('\n');
        rest = after;
    }
    lines
}
