//! Statements of the in-toto attestation framework, version 1: subjects, and what is said of them.

use crate::error::{Error, Kind};
use crate::input::Message;
use crate::json::{object, on_one_line, text};
use crate::signatures::verify;
use crate::text::{Shown, hex};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sha2::{Digest, Sha256, Sha512};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::Path;

/// The type of the payload of an envelope that has a statement in it.
pub(crate) const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

const TYPE: &str = "https://in-toto.io/Statement/v1";
/// What older programs write, with the same fields.
const OLD_TYPE: &str = "https://in-toto.io/Statement/v0.1";

/// Short names of kinds of statements.
const PREDICATE_TYPES: [(&str, &str); 6] = [
    ("slsa-provenance", "https://slsa.dev/provenance/v1"),
    ("vsa", "https://slsa.dev/verification_summary/v1"),
    ("spdx", "https://spdx.dev/Document"),
    ("cyclonedx", "https://cyclonedx.org/bom"),
    (
        "test-result",
        "https://in-toto.io/attestation/test-result/v0.1",
    ),
    ("release", "https://in-toto.io/attestation/release/v0.1"),
];

/// The URI that a user means by a kind of statement.
pub(crate) fn predicate_type(text: &str) -> Result<String, Error> {
    if let Some((_, uri)) = PREDICATE_TYPES.iter().find(|(name, _)| *name == text) {
        return Ok((*uri).to_owned());
    }
    // RFC 3986: a scheme, a colon, and no spaces.
    let scheme = text.split_once(':').map(|(scheme, _)| scheme);
    let is_uri = scheme.is_some_and(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    if is_uri && text.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(text.to_owned());
    }
    let names: Vec<&str> = PREDICATE_TYPES.iter().map(|(name, _)| *name).collect();
    Err(
        Error::new(Kind::Usage, format!("{text:?} is no kind of statement"))
            .with_hint(format!("give a URI, or one of {}", names.join(", "))),
    )
}

/// The hashes by which files are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Digests {
    pub(crate) sha256: String,
    pub(crate) sha512: String,
}

impl Digests {
    /// Reads a file once.
    pub(crate) fn of(file: &Path) -> Result<Self, Error> {
        let (mut sha256, mut sha512) = (Sha256::new(), Sha512::new());
        verify::hash(&mut Message::once(file)?, "hashing", |bytes| {
            sha256.update(bytes);
            sha512.update(bytes);
        })?;
        Ok(Digests {
            sha256: hex(&sha256.finalize()).to_string(),
            sha512: hex(&sha512.finalize()).to_string(),
        })
    }
}

/// What a statement is about.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) name: Option<String>,
    /// By the name of the function; `None` for what is no text.
    digest: HashMap<String, Option<String>>,
}

impl Subject {
    /// True if the hashes are those of a file: all that are known here, and at least one.
    pub(crate) fn is(&self, file: &Digests) -> bool {
        self.agreement(file) == Some(true)
    }

    /// True if a hash that is known here is not that of a file.
    pub(crate) fn is_other(&self, file: &Digests) -> bool {
        self.agreement(file) == Some(false)
    }

    /// Whether all hashes that are known here are those of a file; `None` if there is none.
    fn agreement(&self, file: &Digests) -> Option<bool> {
        let known = [("sha256", &file.sha256), ("sha512", &file.sha512)];
        let said = known
            .iter()
            .filter_map(|(name, hash)| Some((self.digest.get(*name)?, hash)));
        // Hexadecimal is compared as a number: other writers may have capitals.
        said.map(|(said, hash)| {
            said.as_ref()
                .is_some_and(|said| said.eq_ignore_ascii_case(hash))
        })
        .reduce(|all, one| all && one)
    }
}

/// A statement.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) predicate_type: String,
    pub(crate) subjects: Vec<Subject>,
    /// As it was signed, on one line.
    pub(crate) predicate: Box<RawValue>,
}

impl Statement {
    /// Reads the payload of an envelope whose signature was verified. The error says what is wrong with it.
    pub(crate) fn parse(payload: &[u8]) -> Result<Self, String> {
        let broken = |e: &dyn fmt::Display| format!("its JSON is broken ({e})");
        let payload = std::str::from_utf8(payload).map_err(|e| broken(&e))?;
        let fields = object(payload).map_err(|e| broken(&e))?;
        let field = |name: &str| fields.get(name).copied();
        match field("_type").and_then(text).as_deref() {
            Some(TYPE | OLD_TYPE) => {}
            other => return Err(format!("it has the unknown type {other:?}")),
        }
        let predicate_type = field("predicateType")
            .and_then(text)
            .ok_or("it has no predicateType")?;
        let subjects = field("subject")
            .and_then(|list| serde_json::from_str::<Vec<&RawValue>>(list.get()).ok())
            .filter(|subjects| !subjects.is_empty())
            .ok_or("it has no subjects")?
            .into_iter()
            .map(subject)
            .collect::<Result<_, _>>()?;
        Ok(Statement {
            predicate_type: predicate_type.into_owned(),
            subjects,
            predicate: on_one_line(field("predicate").unwrap_or(RawValue::NULL)),
        })
    }
}

fn subject(value: &RawValue) -> Result<Subject, String> {
    let broken = |e: serde_json::Error| format!("a subject has no digest, or is broken ({e})");
    let fields = object(value.get()).map_err(broken)?;
    let digest = fields.get("digest").ok_or("a subject has no digest")?;
    let digest = object(digest.get()).map_err(broken)?;
    let name = fields.get("name").copied().and_then(text);
    Ok(Subject {
        name: name.map(Cow::into_owned),
        digest: digest
            .into_iter()
            .map(|(name, hash)| (name.into_owned(), text(hash).map(Cow::into_owned)))
            .collect(),
    })
}

/// The payload: `predicate` is JSON and stays as it is, so that no number in it changes.
pub(crate) fn compose(
    predicate_type: &str,
    subjects: &[(String, &str, String)],
    predicate: &str,
) -> String {
    let subjects: Vec<Value> = subjects
        .iter()
        .map(|(name, hash, digest)| json!({ "name": name, "digest": { *hash: digest } }))
        .collect();
    format!(
        r#"{{"_type":{},"subject":{},"predicateType":{},"predicate":{predicate}}}"#,
        json!(TYPE),
        Value::Array(subjects),
        json!(predicate_type),
    )
}

/// The name of a subject: what is left of it where the file is passed on.
pub(crate) fn name_of(file: &Path) -> Result<String, Error> {
    file.file_name()
        .and_then(|name| name.to_str())
        .map(str::to_owned)
        .ok_or_else(|| {
            Error::new(
                Kind::Usage,
                format!("{} has no name in UTF-8 for a statement", Shown(file)),
            )
            .with_path(file)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_files_if_every_known_hash_is_theirs() {
        let file = Digests {
            sha256: "ab".into(),
            sha512: "cd".into(),
        };
        for (digest, expected) in [
            (json!({"sha256": "ab"}), true),
            (json!({"sha256": "AB", "sha512": "cd"}), true),
            (json!({"sha256": "ab", "sha512": "ce"}), false),
            (json!({"sha256": "ab", "blake3": "00"}), true),
            (json!({"blake3": "ab"}), false),
            (json!({}), false),
            (json!({"sha256": 7}), false),
        ] {
            let text = json!({ "digest": digest }).to_string();
            let subject = subject(&RawValue::from_string(text).unwrap()).unwrap();
            assert_eq!(subject.is(&file), expected, "{digest}");
        }
    }

    #[test]
    fn kinds() {
        assert_eq!(predicate_type("spdx").unwrap(), "https://spdx.dev/Document");
        assert_eq!(predicate_type("urn:x").unwrap(), "urn:x");
        for text in ["", "spdx2", "a b:c", "https://a b", ":x", "1a:x"] {
            assert!(predicate_type(text).is_err(), "{text}");
        }
    }
}
