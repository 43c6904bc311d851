//! What an expression says beside its columns.

use std::str::FromStr;

use lanner_arrow::{Encoding, Nulls};
use lanner_ed25519::profile::ProfileName;
use serde::Deserialize;

/// A signature scheme, and what is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Ed25519(ProfileName),
    /// With this context.
    FnDsa(Vec<u8>),
}

/// All options of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) rule: Rule,
    /// Of keys, messages and signatures.
    pub(crate) encodings: [Encoding; 3],
    pub(crate) nulls: Nulls,
    /// Whether a malformed row is an error.
    pub(crate) strict: bool,
}

/// In bytes.
const MAX_CONTEXT: usize = 255;

/// The options as Python has them. Either a profile or a context is there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    profile: Option<String>,
    context: Option<Vec<u8>>,
    nulls: String,
    key_encoding: String,
    message_encoding: String,
    signature_encoding: String,
    strict: bool,
}

impl Options {
    /// From a pickled dictionary.
    pub(crate) fn read(pickled: &[u8]) -> Result<Self, String> {
        let given: Given = serde_pickle::from_slice(pickled, Default::default())
            .map_err(|error| format!("the options cannot be read: {error}"))?;
        let rule = match (given.profile, given.context) {
            (Some(name), None) => ProfileName::from_str(&name)
                .map(Rule::Ed25519)
                .map_err(|error| error.to_string())?,
            (None, Some(context)) if context.len() <= MAX_CONTEXT => Rule::FnDsa(context),
            (None, Some(context)) => {
                let found = context.len();
                return Err(format!(
                    "a context has at most {MAX_CONTEXT} bytes, and this one {found}"
                ));
            }
            _ => return Err("the options name no scheme, or two".into()),
        };
        let encoding = |name: &str, value: &str| {
            let found = value.parse::<Encoding>();
            found.map_err(|error| format!("{name}={value:?}: {error}"))
        };
        Ok(Self {
            rule,
            encodings: [
                encoding("key_encoding", &given.key_encoding)?,
                encoding("message_encoding", &given.message_encoding)?,
                encoding("signature_encoding", &given.signature_encoding)?,
            ],
            nulls: match &given.nulls[..] {
                "invalid" => Nulls::Invalid,
                "propagate" => Nulls::Propagate,
                other => return Err(format!("nulls={other:?}: one of invalid, propagate")),
            },
            strict: given.strict,
        })
    }
}
