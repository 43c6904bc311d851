//! Statements of the in-toto attestation framework, version 1: subjects, and what is said of them.

use crate::error::{Error, Kind};
use crate::input::Message;
use crate::signatures::verify;
use crate::text::{Shown, hex};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256, Sha512};
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
    digest: Map<String, Value>,
}

impl Subject {
    /// True if the hashes are those of a file: all that are known here, and at least one.
    pub(crate) fn is(&self, file: &Digests) -> bool {
        let known = [("sha256", &file.sha256), ("sha512", &file.sha512)];
        let mut said = known
            .iter()
            .filter_map(|(name, hash)| Some((self.digest.get(*name)?, hash)))
            .peekable();
        // Hexadecimal is compared as a number: other writers may have capitals.
        said.peek().is_some()
            && said.all(|(said, hash)| {
                said.as_str()
                    .is_some_and(|said| said.eq_ignore_ascii_case(hash))
            })
    }
}

/// A statement.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) predicate_type: String,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) predicate: Value,
}

impl Statement {
    /// Reads the payload of an envelope whose signature was verified. The error says what is wrong with it.
    pub(crate) fn parse(payload: &[u8]) -> Result<Self, String> {
        let value: Value =
            serde_json::from_slice(payload).map_err(|e| format!("its JSON is broken ({e})"))?;
        let text = |value: &Value, name: &str| value.get(name)?.as_str().map(str::to_owned);
        match text(&value, "_type").as_deref() {
            Some(TYPE | OLD_TYPE) => {}
            other => return Err(format!("it has the unknown type {other:?}")),
        }
        let predicate_type = text(&value, "predicateType").ok_or("it has no predicateType")?;
        let subjects = value
            .get("subject")
            .and_then(Value::as_array)
            .filter(|subjects| !subjects.is_empty())
            .ok_or("it has no subjects")?
            .iter()
            .map(|subject| {
                Some(Subject {
                    name: text(subject, "name"),
                    digest: subject.get("digest")?.as_object()?.clone(),
                })
            })
            .collect::<Option<Vec<_>>>()
            .ok_or("a subject has no digest")?;
        Ok(Statement {
            predicate_type,
            subjects,
            predicate: value.get("predicate").cloned().unwrap_or(Value::Null),
        })
    }
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
            let subject = Subject {
                name: None,
                digest: digest.as_object().unwrap().clone(),
            };
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
