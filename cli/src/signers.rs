//! Who may sign: files as `ssh-keygen -Y verify -f` reads them (allowed_signers in ssh-keygen's manual).
//!
//! Each line is a list of patterns of names, options, and a key. A file that cannot be understood whole is refused: a
//! line that is passed over might be the one that forbids.

use crate::base64;
use crate::error::{Error, Kind};
use crate::keys::{PublicKey, VerifyingKey, is_foreign_ssh_key};
use crate::smallfile;
use crate::text::{Shown, without_mark};
use crate::time::Moment;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// One line.
#[derive(Debug)]
struct Entry {
    principals: String,
    namespaces: Option<String>,
    after: Option<Moment>,
    before: Option<Moment>,
    authority: bool,
    /// `None` for a key of an algorithm that is none of ours, which signs nothing here.
    key: Option<VerifyingKey>,
    line: usize,
}

/// A file that says who may sign.
#[derive(Debug)]
pub(crate) struct Signers {
    path: PathBuf,
    entries: Vec<Entry>,
}

/// What a file of signers says of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It may sign now, in the name that was asked for or as one that these patterns match.
    Trusted { principals: String },
    /// The key stands there for other names, or not at all.
    Unknown,
    /// It stands there for other namespaces; `line` is the first of those that say for which.
    OtherNamespace { line: usize, namespaces: String },
    /// It stands there, but may not sign at this time; `line` is the first of those that say when it may.
    OutsideValidity { line: usize },
}

impl Signers {
    /// Reads a file of signers.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let file = smallfile::read_long(path, "list of signers").map_err(|e| match e.kind {
            Kind::NotFound => e.with_hint(
                "to make one: echo \"NAME $(lanner convert PUB --to openssh)\" > LIST, with a line for each signer",
            ),
            _ => e,
        })?;
        Self::parse(&file, path)
    }

    /// Reads the content of such a file; `path` is for errors.
    pub(crate) fn parse(file: &[u8], path: &Path) -> Result<Self, Error> {
        let text = text_of(file, path)?;
        let mut entries = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                entries.push(entry(line, number, path)?);
            }
        }
        Ok(Signers {
            path: path.to_owned(),
            entries,
        })
    }

    /// What the file says of `key`, for a signature in `namespace` at `time`; in the name of `principal`, if that is
    /// given.
    pub(crate) fn standing(
        &self,
        key: &VerifyingKey,
        principal: Option<&str>,
        namespace: Option<&str>,
        time: Moment,
    ) -> Result<Standing, Error> {
        let blob = key.ssh_blob();
        let mut standing = Standing::Unknown;
        for entry in &self.entries {
            let is_same = entry.key.as_ref().is_some_and(|key| key.ssh_blob() == blob);
            let matches = principal.is_none_or(|name| is_in_list(name, &entry.principals));
            if !is_same || !matches {
                continue;
            }
            if entry.authority {
                return Err(self.authority(entry));
            }
            if let (Some(list), Some(namespace)) = (&entry.namespaces, namespace)
                && !is_in_list(namespace, list)
            {
                if standing == Standing::Unknown {
                    standing = Standing::OtherNamespace {
                        line: entry.line,
                        namespaces: list.clone(),
                    };
                }
                continue;
            }
            let too_early = entry.after.is_some_and(|after| time < after);
            let too_late = entry.before.is_some_and(|before| time > before);
            if too_early || too_late {
                if !matches!(standing, Standing::OutsideValidity { .. }) {
                    standing = Standing::OutsideValidity { line: entry.line };
                }
                continue;
            }
            return Ok(Standing::Trusted {
                principals: entry.principals.clone(),
            });
        }
        Ok(standing)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Certificates are not read, and a line for an authority must not be taken for one of a signer.
    fn authority(&self, entry: &Entry) -> Error {
        Error::new(
            Kind::BadKey,
            format!(
                "{}, line {}: the key is that of a certificate authority, and lanner does not read SSH \
                 certificates",
                Shown(&self.path),
                entry.line
            ),
        )
        .with_path(&self.path)
        .with_hint("give the signers' own keys lines of their own")
    }
}

fn bad(path: &Path, line: usize, why: &str) -> Error {
    Error::new(
        Kind::BadKey,
        format!("{}, line {line}, is not understood: {why}", Shown(path)),
    )
    .with_path(path)
    .with_hint(
        "a line is: NAMES [OPTIONS] KEY-TYPE BASE64 [COMMENT], as ssh-keygen(1) says under ALLOWED SIGNERS; \
         lanner convert PUB --to openssh prints it from KEY-TYPE on",
    )
}

/// The text of a file, which is UTF-8.
fn text_of<'a>(file: &'a [u8], path: &Path) -> Result<&'a str, Error> {
    let bytes = without_mark(file);
    std::str::from_utf8(bytes).map_err(|e| {
        let before = &bytes[..e.valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        bad(path, line, "it is not UTF-8")
    })
}

fn entry(line: &str, number: usize, path: &Path) -> Result<Entry, Error> {
    let bad = |why: &str| bad(path, number, why);
    let (principals, rest) = word(line).ok_or_else(|| bad("a quotation mark is not closed"))?;
    // OpenSSH takes out the first pair of marks wherever it stands, and may end the word behind it: only one around the whole
    // word is the same to both.
    let principals = principals
        .strip_prefix('"')
        .and_then(|names| names.strip_suffix('"'))
        .unwrap_or(principals)
        .to_owned();
    if principals.contains('"') {
        return Err(bad("there is a quotation mark within the names"));
    }
    let (first, after_first) = word(rest).ok_or_else(|| bad("a quotation mark is not closed"))?;
    let (options, rest) = if is_key_type(first) {
        ("", rest)
    } else {
        (first, after_first)
    };
    let mut words = rest.split_ascii_whitespace();
    let (Some(kind), Some(body)) = (words.next(), words.next()) else {
        return Err(bad("there is no key"));
    };
    if !is_key_type(kind) {
        return Err(bad("there is no type of key where one should be"));
    }
    let blob = base64::decode(body.as_bytes()).ok_or_else(|| bad("the key is not Base64"))?;
    let key = match PublicKey::from_ssh_blob(&blob, path) {
        Ok(PublicKey::Verifying(key)) if key.ssh_name() == kind => Some(key),
        Ok(PublicKey::X25519(_)) if crate::keys::is_private_ssh_name(kind.as_bytes()) => {
            return Err(bad("a key of X25519 signs nothing"));
        }
        Ok(_) => return Err(bad("the type of the key is not the one within")),
        // RSA and others may stand there; they sign nothing that this command verifies.
        Err(error) if error.kind == Kind::WrongKeyType => None,
        Err(_) => return Err(bad("the key is broken")),
    };
    let mut entry = Entry {
        principals,
        namespaces: None,
        after: None,
        before: None,
        authority: false,
        key,
        line: number,
    };
    for option in split_options(options) {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(quoted(value).map_err(bad)?)),
            None => (option, None),
        };
        let time = || Moment::parse(value.unwrap_or_default()).map_err(bad);
        match (name.to_ascii_lowercase().as_str(), value) {
            ("cert-authority", None) => entry.authority = true,
            ("namespaces", Some(list)) if !list.is_empty() && entry.namespaces.is_none() => {
                entry.namespaces = Some(list.to_owned());
            }
            ("valid-after", Some(_)) if entry.after.is_none() => entry.after = Some(time()?),
            ("valid-before", Some(_)) if entry.before.is_none() => entry.before = Some(time()?),
            _ => {
                return Err(bad(&format!(
                    "the option {name:?} is unknown, or stands there twice"
                )));
            }
        }
    }
    if entry.principals.is_empty() {
        return Err(bad("there are no names"));
    }
    let is_never = |after, before| after >= before;
    if let (Some(after), Some(before)) = (entry.after, entry.before)
        && is_never(after, before)
    {
        return Err(bad("it ends before it begins"));
    }
    Ok(entry)
}

fn is_key_type(word: &str) -> bool {
    ["ssh-", "sk-ssh-", "ecdsa-", "sk-ecdsa-", "rsa-"]
        .iter()
        .any(|prefix| word.starts_with(prefix))
        || crate::keys::is_private_ssh_name(word.as_bytes())
}

/// The first word of a line, in which quotation marks protect spaces, and what follows it.
fn word(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ' ' | '\t' if !quoted => return Some((&text[..at], text[at..].trim_start())),
            _ => {}
        }
    }
    (!quoted).then_some((text, ""))
}

/// Options, between commas that are not within quotation marks.
fn split_options(text: &str) -> Vec<&str> {
    let mut options = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                options.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.is_empty() {
        options.push(&text[start..]);
    }
    options
}

/// What stands between the quotation marks of an option, as OpenSSH wants it.
fn quoted(value: &str) -> Result<&str, &'static str> {
    value
        .strip_prefix('"')
        .and_then(|value| value.strip_suffix('"'))
        .filter(|value| !value.contains(['"', '\\']))
        .ok_or(
            "what an option says stands between quotation marks, as in valid-before=\"20300101Z\"",
        )
}

/// True if one of the patterns in a list matches and none that begins with an exclamation mark does.
fn is_in_list(name: &str, list: &str) -> bool {
    let mut found = false;
    for pattern in list.split(',') {
        match pattern.strip_prefix('!') {
            Some(pattern) if matches(name.as_bytes(), pattern.as_bytes()) => return false,
            Some(_) => {}
            None => found |= matches(name.as_bytes(), pattern.as_bytes()),
        }
    }
    found
}

/// Patterns as OpenSSH has them: `*` is any run of characters, `?` is one.
pub(crate) fn matches(name: &[u8], pattern: &[u8]) -> bool {
    let (mut n, mut p) = (0, 0);
    // Where to go back to: the last star, and what it has taken so far.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == b'?' || c == name[n] => {
                n += 1;
                p += 1;
            }
            _ => match &mut star {
                Some((at, taken)) => {
                    *taken += 1;
                    (n, p) = (*taken, *at + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

/// True if a list of revoked keys, one line of OpenSSH for each, names the key. A list that is not understood is an
/// error, and so is a binary one (a KRL).
pub(crate) fn is_revoked(key: &VerifyingKey, path: &Path) -> Result<bool, Error> {
    let file = smallfile::read_long(path, "list of revoked keys")?;
    if file.starts_with(b"SSHKRL") {
        return Err(Error::new(
            Kind::BadKey,
            format!(
                "{} is a binary list of revoked keys (a KRL), which lanner does not read",
                Shown(path)
            ),
        )
        .with_path(path)
        .with_hint("give a list with the line of each public key"));
    }
    let blob = key.ssh_blob();
    let text = text_of(&file, path)?;
    let mut revoked = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let found = revoked_blob(line, path).map_err(|why| {
            bad(path, number, why).with_hint(
                "a line is: KEY-TYPE BASE64 [COMMENT], as lanner convert PUB --to openssh prints it",
            )
        })?;
        revoked |= *found == blob;
    }
    Ok(revoked)
}

/// The key of a line, as SSH has it. It must be whole, also if it is none of ours: one that is cut short may have been the
/// key that is asked for, and certificates revoke the key that they are of.
fn revoked_blob(line: &str, path: &Path) -> Result<Zeroizing<Vec<u8>>, &'static str> {
    let mut words = line.split_ascii_whitespace();
    let (kind, blob) = words
        .next()
        .filter(|word| is_key_type(word))
        .and_then(|kind| Some((kind, base64::decode(words.next()?.as_bytes())?)))
        .ok_or("there is no public key")?;
    match PublicKey::from_ssh_blob(&blob, path) {
        Ok(key) if key.ssh_name() == kind => Ok(blob),
        Ok(_) => Err("the type of the key is not the one within"),
        Err(_) if is_foreign_ssh_key(kind, &blob) => Ok(blob),
        Err(error) if error.kind == Kind::WrongKeyType => {
            Err("the key is broken, or it is a certificate, or of a kind that lanner does not know")
        }
        Err(_) => Err("the key is broken"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (name, pattern, expected) in [
            ("alice@example.org", "alice@example.org", true),
            ("alice@example.org", "*@example.org", true),
            ("alice@example.org", "*", true),
            ("alice@example.org", "a?ice@*.org", true),
            ("alice@example.org", "bob@*", false),
            ("alice@example.org", "*@example.com,*@example.org", true),
            ("alice@example.org", "*@example.org,!alice@*", false),
            ("alice@example.org", "!alice@*,*@example.org", false),
            ("alice@example.org", "!bob@*", false),
            ("Alice@example.org", "alice@example.org", false),
            ("", "*", true),
            ("", "?", false),
            ("aab", "*ab", true),
            ("ababa", "*aba?", false),
        ] {
            assert_eq!(is_in_list(name, pattern), expected, "{name} {pattern}");
        }
        // A pattern that takes exponential time in naive matchers.
        assert!(!is_in_list(
            &"a".repeat(5000),
            &format!("{}b", "a*".repeat(200))
        ));
    }

    #[test]
    fn words_and_options() {
        assert_eq!(word("a b c"), Some(("a", "b c")));
        assert_eq!(word("\"a b\" c"), Some(("\"a b\"", "c")));
        assert_eq!(word("\"a b c"), None);
        let options = "cert-authority,namespaces=\"a,b\",valid-after=\"20200101\"";
        let split = [
            "cert-authority",
            "namespaces=\"a,b\"",
            "valid-after=\"20200101\"",
        ];
        assert_eq!(split_options(options), split);
        assert!(split_options("").is_empty());
    }
}
