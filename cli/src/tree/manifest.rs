//! Lists of files with their hashes, as `sha256sum` writes them and checks them.
//!
//! In the form of GNU a line is the hash, two spaces and the name; in that of BSD it is `SHA256 (name) = hash`. A line
//! whose name has a backslash, a line feed or a carriage return begins with a backslash, and in the name these are
//! `\\`, `\n` and `\r`. A line that begins with `#` is a comment, as to `sha256sum -c`.

use super::Name;
use super::hash::TreeHash;
use crate::error::{Error, Kind};
use crate::text::{Shown, hex, unhex};
use std::collections::BTreeMap;
use std::path::Path;

/// The forms of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Gnu,
    Bsd,
}

impl Form {
    pub(crate) fn id(self) -> &'static str {
        match self {
            Form::Gnu => "gnu",
            Form::Bsd => "bsd",
        }
    }
}

/// A list that was read.
#[derive(Debug)]
pub(crate) struct Manifest {
    pub(crate) hash: TreeHash,
    pub(crate) digests: BTreeMap<Name, Vec<u8>>,
}

/// The list of these files.
pub(crate) fn compose<'a>(
    hash: TreeHash,
    form: Form,
    files: impl IntoIterator<Item = (&'a Name, &'a [u8])>,
) -> Vec<u8> {
    let mut list = Vec::new();
    for (name, digest) in files {
        let (name, is_escaped) = escaped(&name.0);
        if is_escaped {
            list.push(b'\\');
        }
        let digits = hex(digest);
        match form {
            Form::Gnu => {
                list.extend_from_slice(digits.as_bytes());
                list.extend_from_slice(b"  ");
                list.extend_from_slice(&name);
            }
            Form::Bsd => {
                list.extend_from_slice(hash.tag().as_bytes());
                list.extend_from_slice(b" (");
                list.extend_from_slice(&name);
                list.extend_from_slice(b") = ");
                list.extend_from_slice(digits.as_bytes());
            }
        }
        list.push(b'\n');
    }
    list
}

fn escaped(name: &[u8]) -> (Vec<u8>, bool) {
    let mut text = Vec::with_capacity(name.len());
    for &byte in name {
        match byte {
            b'\\' => text.extend_from_slice(b"\\\\"),
            b'\n' => text.extend_from_slice(b"\\n"),
            b'\r' => text.extend_from_slice(b"\\r"),
            _ => text.push(byte),
        }
    }
    let is_escaped = text.len() != name.len();
    (text, is_escaped)
}

/// Reads a list; `path` is for errors. Lines do not always tell the function: `wanted` is the user's word, and the
/// name of the list decides where there is none.
pub(crate) fn parse(
    bytes: &[u8],
    path: &Path,
    wanted: Option<TreeHash>,
) -> Result<Manifest, Error> {
    let by_name = TreeHash::ALL.into_iter().find(|hash| {
        path.file_name()
            .is_some_and(|name| name == hash.file_name())
    });
    let mut hash = wanted;
    let mut digests = BTreeMap::new();
    let Some(body) = bytes.strip_suffix(b"\n") else {
        return Err(bad(path, 1, "it is empty, or its last line is cut short"));
    };
    for (number, line) in (1..).zip(body.split(|&byte| byte == b'\n')) {
        let bad = |why: &str| bad(path, number, why);
        if line.starts_with(b"#") {
            continue;
        }
        let line = Line::parse(line).ok_or_else(|| {
            bad("there should be a hash, two spaces and a name, or SHA256 (name) = hash")
        })?;
        let found = match line.hash {
            Some(found) => found,
            // 64 digits may be of two functions.
            None if line.digest.len() == 64 => TreeHash::Sha512,
            None => match hash.or(by_name) {
                Some(TreeHash::Blake3) => TreeHash::Blake3,
                _ => TreeHash::Sha256,
            },
        };
        if found != *hash.get_or_insert(found) {
            return Err(bad(
                "the hash is of another function than asked for, or than in the lines before",
            ));
        }
        if line.digest.len() * 2 != found.digits() {
            return Err(bad("the hash has the wrong length"));
        }
        let name = safe_name(line.name).map_err(bad)?;
        if digests.insert(name, line.digest).is_some() {
            return Err(bad("the name stands there twice"));
        }
    }
    match hash {
        Some(hash) if !digests.is_empty() => Ok(Manifest { hash, digests }),
        _ => Err(bad(path, 1, "there are only comments")),
    }
}

struct Line {
    hash: Option<TreeHash>,
    digest: Vec<u8>,
    name: Vec<u8>,
}

impl Line {
    fn parse(line: &[u8]) -> Option<Line> {
        let (line, is_escaped) = match line.strip_prefix(b"\\") {
            Some(line) => (line, true),
            None => (line, false),
        };
        let tagged = TreeHash::ALL.into_iter().find_map(|hash| {
            let rest = line.strip_prefix(hash.tag().as_bytes())?;
            Some((hash, rest.strip_prefix(b" (")?))
        });
        let (hash, name, digits) = match tagged {
            Some((hash, rest)) => {
                const MIDDLE: &[u8] = b") = ";
                let at = rest.windows(MIDDLE.len()).rposition(|it| it == MIDDLE)?;
                (Some(hash), &rest[..at], &rest[at + MIDDLE.len()..])
            }
            None => {
                let at = line.iter().position(|&byte| byte == b' ')?;
                let (digits, rest) = line.split_at(at);
                // The star is for bytes as they are, which everything is.
                let name = rest.strip_prefix(b"  ").or(rest.strip_prefix(b" *"))?;
                (None, name, digits)
            }
        };
        // What is not escaped must not need to be.
        if name.contains(&b'\r') {
            return None;
        }
        Some(Line {
            hash,
            digest: unhex(digits)?.to_vec(),
            name: if is_escaped {
                unescaped(name)?
            } else {
                name.to_vec()
            },
        })
    }
}

fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut name = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        name.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            _ => byte,
        });
    }
    Some(name)
}

/// A name that leads nowhere but below the directory.
fn safe_name(name: Vec<u8>) -> Result<Name, &'static str> {
    // As `sha256sum ./*` and `find .` have them.
    let name = name.strip_prefix(b"./").unwrap_or(&name);
    if name.starts_with(b"/") {
        return Err("the name is absolute");
    }
    if cfg!(windows) && name.iter().any(|byte| b"\\:".contains(byte)) {
        return Err("the name means something else on this system");
    }
    if name.contains(&0) {
        return Err("the name has a zero byte");
    }
    for part in name.split(|&byte| byte == b'/') {
        match part {
            b".." => return Err("the name leads out of the directory"),
            b"" | b"." => return Err("the name has an empty part"),
            _ => {}
        }
    }
    Ok(Name(name.to_vec()))
}

fn bad(path: &Path, line: usize, why: &str) -> Error {
    Error::new(
        Kind::BadManifest,
        format!(
            "{}, line {line}, is no line of a list of hashes: {why}",
            Shown(path)
        ),
    )
    .with_path(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&[u8]]) -> Vec<Name> {
        names.iter().map(|name| Name(name.to_vec())).collect()
    }

    #[test]
    fn lists_come_back() {
        let names = names(&[
            b"a",
            b"a b",
            b"d/e",
            b"x\\y",
            b"x\ny",
            b"x\ry",
            b"(a) = b",
            b"\xff",
            b"*a",
            b" a",
            b"SHA256 (a) = b",
        ]);
        for hash in TreeHash::ALL {
            let digest = vec![0xa5; hash.digits() / 2];
            for form in [Form::Gnu, Form::Bsd] {
                let list = compose(hash, form, names.iter().map(|name| (name, &digest[..])));
                let path = Path::new(hash.file_name());
                let read = parse(&list, path, None).unwrap();
                assert_eq!(read.hash, hash);
                assert_eq!(read.digests.len(), names.len());
                assert!(names.iter().all(|name| read.digests[name] == digest));
            }
        }
    }

    #[test]
    fn comments() {
        let h = "0".repeat(64);
        let list = format!("# d: 2 bytes\nSHA256 (d) = {h}\n#{h}  e\n#\nSHA256 (#f) = {h}\n");
        let read = parse(list.as_bytes(), Path::new("CHECKSUM"), None).unwrap();
        assert!(read.digests.keys().eq(&names(&[b"#f", b"d"])));
    }

    #[test]
    fn lines_that_are_refused() {
        let h = "0".repeat(64);
        let path = Path::new("SHA256SUMS");
        for (text, word) in [
            (String::new(), "empty"),
            (format!("{h}  a"), "cut short"),
            (format!("{h}  /a\n"), "absolute"),
            (format!("{h}  ../a\n"), "out of"),
            (format!("{h}  a/../b\n"), "out of"),
            (format!("{h}  a//b\n"), "empty part"),
            (format!("{h}  a/./b\n"), "empty part"),
            (format!("{h}  a/\n"), "empty part"),
            (format!("{h}  \n"), "empty part"),
            (format!("{h}  a\0b\n"), "zero"),
            (format!("{h}  a\n{h}  ./a\n"), "twice"),
            (format!("{h} a\n"), "two spaces"),
            (format!("{h}  a\r\n"), "two spaces"),
            (format!("\\{h}  a\\tb\n"), "two spaces"),
            (format!("\\{h}  a\\\n"), "two spaces"),
            (format!("{}  a\n", &h[1..]), "two spaces"),
            (format!("{}  a\n", &h[2..]), "length"),
            (
                format!("SHA256 (a) = {h}\nSHA512 (b) = {h}{h}\n"),
                "another function",
            ),
            (format!("SHA512 (a) = {h}\n"), "length"),
            (format!("MD5 (a) = {h}\n"), "two spaces"),
            (format!("{h}  a\n\n"), "two spaces"),
            (format!("{h}  a\n #\n"), "two spaces"),
            (format!("# {h}  a\n"), "only comments"),
            (format!("{h}  a\n# c"), "cut short"),
        ] {
            let error = parse(text.as_bytes(), path, None).unwrap_err();
            assert!(error.message.contains(word), "{text:?}: {error}");
        }
        let list = format!("{h}  a\n");
        assert!(parse(list.as_bytes(), path, Some(TreeHash::Sha512)).is_err());
        let read = |path: &str, wanted| {
            parse(list.as_bytes(), Path::new(path), wanted)
                .unwrap()
                .hash
        };
        assert_eq!(read("BLAKE3SUMS", None), TreeHash::Blake3);
        assert_eq!(read("x", Some(TreeHash::Blake3)), TreeHash::Blake3);
        assert_eq!(read("x", None), TreeHash::Sha256);
    }
}
