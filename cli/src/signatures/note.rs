//! Signed notes (the specification signed-note of C2SP): a text that people can read, an empty line, and lines of
//! signatures by keys that have names.

use crate::base64;
use crate::error::{Error, Kind};
use crate::formats::note::{KeyHash, is_name};
use crate::text::Shown;
use std::path::Path;

/// What lines of signatures begin with: a dash that is as wide as the letter M.
const DASH: &str = "\u{2014} ";

/// More signatures than this are no note.
const MAX_SIGNATURES: usize = 100;

/// A line of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoteSignature {
    pub(crate) name: String,
    pub(crate) hash: KeyHash,
    pub(crate) signature: Vec<u8>,
}

/// A note, of which nothing is checked.
#[derive(Debug)]
pub(crate) struct Note {
    /// What is signed, with the line feed at its end.
    pub(crate) text: String,
    pub(crate) signatures: Vec<NoteSignature>,
}

/// The text of a note: UTF-8 without control characters other than line feeds, and one of these at the end.
pub(crate) fn check_text(bytes: &[u8], path: &Path) -> Result<String, Error> {
    let bad = |why: &str| {
        let message = format!("{} is no text for a note: {why}", Shown(path));
        Error::new(Kind::BadSignatureFile, message).with_path(path)
    };
    let text = std::str::from_utf8(bytes).map_err(|_| bad("it is not UTF-8"))?;
    if text.chars().any(|c| c < ' ' && c != '\n') {
        return Err(bad("there are control characters in it, tabs perhaps"));
    }
    if !text.ends_with('\n') {
        return Err(bad("its last line has no line feed"));
    }
    Ok(text.to_owned())
}

/// Reads a note; `path` is for errors.
pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Note, Error> {
    let whole = check_text(bytes, path)?;
    let (text, lines) = whole
        .rsplit_once("\n\n")
        .filter(|(_, lines)| !lines.is_empty())
        .ok_or_else(|| bad(path, "there is no empty line with signatures after it"))?;
    let signatures = lines
        .lines()
        .map(|line| signature(line).ok_or_else(|| bad(path, "a line of a signature is broken")))
        .collect::<Result<Vec<_>, _>>()?;
    if signatures.len() > MAX_SIGNATURES {
        return Err(bad(path, "there are too many signatures"));
    }
    Ok(Note {
        text: format!("{text}\n"),
        signatures,
    })
}

fn signature(line: &str) -> Option<NoteSignature> {
    let (name, body) = line.strip_prefix(DASH)?.split_once(' ')?;
    let bytes = base64::decode(body.as_bytes())?;
    let (hash, signature) = bytes.split_first_chunk()?;
    (is_name(name) && !signature.is_empty()).then(|| NoteSignature {
        name: name.to_owned(),
        hash: *hash,
        signature: signature.to_vec(),
    })
}

impl Note {
    /// The note as it is written.
    pub(crate) fn compose(&self) -> Vec<u8> {
        let mut note = format!("{}\n", self.text);
        for line in &self.signatures {
            let bytes = [&line.hash[..], &line.signature].concat();
            note.push_str(DASH);
            note.push_str(&line.name);
            note.push(' ');
            note.push_str(&base64::encode(&bytes));
            note.push('\n');
        }
        note.into_bytes()
    }
}

fn bad(path: &Path, why: &str) -> Error {
    Error::new(
        Kind::BadSignatureFile,
        format!("{} is no signed note: {why}", Shown(path)),
    )
    .with_path(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in the documentation of golang.org/x/mod/sumdb/note.
    const EXAMPLE: &str = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem \
        is.\n\n\u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6\
        RyyBwJnAM=\n";

    #[test]
    fn the_example_of_gos_documentation() {
        let note = parse(EXAMPLE.as_bytes(), Path::new("n")).unwrap();
        assert!(note.text.ends_with("is.\n") && note.signatures.len() == 1);
        assert_eq!(note.signatures[0].name, "PeterNeumann");
        assert_eq!(note.signatures[0].hash, [0xc7, 0x4f, 0x20, 0xa3]);
        assert_eq!(note.compose(), EXAMPLE.as_bytes());
    }

    #[test]
    fn what_is_no_note() {
        for text in [
            "",
            "text\n",
            "text\n\n",
            "text\n\n\u{2014} a AAAAAAA=",
            "text\n\n\u{2014} a AAAAAA==\n",
            "text\n\n\u{2014} a+b AAAAAAA=\n",
            "text\n\n\u{2014}  AAAAAAA=\n",
            "text\n\n- a AAAAAAA=\n",
            "text\n\n\u{2014} a AAAAAAA=\n\n",
            "te\txt\n\n\u{2014} a AAAAAAA=\n",
            "text\r\n\r\n\u{2014} a AAAAAAA=\r\n",
        ] {
            assert!(parse(text.as_bytes(), Path::new("n")).is_err(), "{text:?}");
        }
        let good = "text\n\n\u{2014} a AAAAAAA=\n";
        assert!(parse(good.as_bytes(), Path::new("n")).is_ok());
        // The last empty line counts.
        let note = parse(format!("a\n\n{good}").as_bytes(), Path::new("n")).unwrap();
        assert_eq!(note.text, "a\n\ntext\n");
    }
}
