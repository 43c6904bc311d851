//! Names, sizes and bytes as text.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::path::Path;
use zeroize::Zeroizing;

/// A path for people: control characters are escaped, so that a file name cannot steer the
/// terminal or fake a second line of output.
pub(crate) struct Shown<'a>(pub(crate) &'a Path);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escaped(&self.0.to_string_lossy(), is_unsafe_to_print, f)
    }
}

/// Text out of a file, for people: as [`Shown`], but for tabs, which minisign puts between the parts of a trusted comment.
pub(crate) struct Plain<'a>(pub(crate) &'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escaped(self.0, |c| c != '\t' && is_unsafe_to_print(c), f)
    }
}

fn escaped(
    text: &str,
    is_escaped: impl Fn(char) -> bool,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for c in text.chars() {
        if is_escaped(c) {
            write!(f, "{}", c.escape_unicode())?;
        } else {
            f.write_char(c)?;
        }
    }
    Ok(())
}

/// A text without the mark (U+FEFF) that some editors put before it. It is invisible, and part of no format here.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    match bytes.strip_prefix("\u{feff}".as_bytes()) {
        // Bytes that are no text may begin so by chance.
        Some(text) if std::str::from_utf8(text).is_ok() => text,
        _ => bytes,
    }
}

/// Control characters, and the marks that reverse the direction of a line of text.
fn is_unsafe_to_print(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A line of JSON that means the same, with all of these characters escaped: the format itself asks for that of some, and
/// terminals obey others as well. They stand in strings alone.
pub(crate) fn in_json(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    for c in line.chars() {
        if is_unsafe_to_print(c) {
            let _ = write!(escaped, "\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// One word of a command line that a reader can paste into a POSIX shell. Control characters are escaped, as in [`Shown`], which
/// takes a shell of POSIX.1-2024; bash, zsh and ksh have had it for long.
pub(crate) fn shell_word(path: &Path) -> String {
    let text: Cow<'_, str> = path.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    if !text.is_empty() && text.chars().all(plain) && !text.starts_with('-') {
        return text.into_owned();
    }
    // A leading dash would read as an option.
    let prefix = if text.starts_with('-') { "./" } else { "" };
    if text.chars().any(is_unsafe_to_print) {
        return format!("$'{prefix}{}'", in_escapes(&text));
    }
    format!("'{prefix}{}'", text.replace('\'', r"'\''"))
}

/// What stands between the marks of `$'…'`.
fn in_escapes(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if is_unsafe_to_print(c) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(escaped, "\\{byte:03o}");
            }
        } else {
            if "\\'".contains(c) {
                escaped.push('\\');
            }
            escaped.push(c);
        }
    }
    escaped
}

/// A number of bytes for people: "3.2 KiB".
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes == 1 {
        return "1 byte".to_owned();
    }
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    // 1023.95 would round up to "1024.0".
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// Lower-case hexadecimal; the buffer is wiped when dropped.
pub(crate) fn hex(bytes: &[u8]) -> Zeroizing<String> {
    // Reserved at once, with room for a line feed: growing would leave copies behind.
    let mut text = Zeroizing::new(String::with_capacity(2 * bytes.len() + 1));
    for &byte in bytes {
        for nibble in [byte >> 4, byte & 15] {
            // Arithmetic, not a table: `bytes` may be secret.
            let letter = (9u8.wrapping_sub(nibble) >> 7) * (b'a' - b'0' - 10);
            text.push(char::from(b'0' + nibble + letter));
        }
    }
    text
}

/// The bytes that hexadecimal digits stand for, or `None` if there are other characters. In constant time for each
/// digit that is one.
pub(crate) fn unhex(digits: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    if !digits.len().is_multiple_of(2) || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    // Arithmetic, not a table: a letter has the bit 0x40, and 9 must be added to its last four bits.
    let nibble = |digit: u8| (digit & 15) + 9 * (digit >> 6);
    let pairs = digits.chunks_exact(2);
    let mut bytes = Zeroizing::new(Vec::with_capacity(pairs.len()));
    bytes.extend(pairs.map(|pair| nibble(pair[0]) << 4 | nibble(pair[1])));
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_of_every_byte() {
        let all: Vec<u8> = (0..=255).collect();
        let expected: String = all.iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(*hex(&all), expected);
        assert_eq!(*unhex(expected.as_bytes()).unwrap(), all);
        assert_eq!(*unhex(expected.to_uppercase().as_bytes()).unwrap(), all);
        assert!(unhex(b"0g").is_none() && unhex(b"012").is_none());
    }

    #[test]
    fn sizes() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB"),
            (1024 * 1024 - 1, "1.0 MiB"),
            (5 << 30, "5.0 GiB"),
            (u64::MAX, "16.0 EiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn shell_words() {
        for (path, word) in [
            ("a/b-c.txt", "a/b-c.txt"),
            ("two words", "'two words'"),
            ("it's", r"'it'\''s'"),
            ("$(reboot)", "'$(reboot)'"),
            ("-n", "'./-n'"),
            ("", "''"),
            ("a\n\u{1b}[2J'\\", r"$'a\012\033[2J\'\\'"),
            ("-\u{202e}1", r"$'./-\342\200\2561'"),
        ] {
            assert_eq!(shell_word(Path::new(path)), word);
        }
    }

    #[test]
    fn json_means_the_same() {
        let value = serde_json::json!({ "a\u{9b}": "b\u{7f}\u{202e}\n\u{1b}é\u{1f600}" });
        let line = in_json(&value.to_string());
        assert_eq!(
            line,
            "{\"a\\u009b\":\"b\\u007f\\u202e\\n\\u001bé\u{1f600}\"}"
        );
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&line).unwrap(),
            value
        );
    }

    #[test]
    fn control_characters_are_escaped() {
        let shown = Shown(Path::new("a\n\u{1b}[2Jb\u{202e}")).to_string();
        assert_eq!(shown, r"a\u{a}\u{1b}[2Jb\u{202e}");
        assert_eq!(Shown(Path::new("a\tb")).to_string(), r"a\u{9}b");
        assert_eq!(Plain("a\tb\n\r").to_string(), "a\tb\\u{a}\\u{d}");
    }
}
