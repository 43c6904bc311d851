//! What a policy file says.

use super::pattern::Pattern;
use crate::algorithm::Algorithm;
use crate::error::{Error, Kind};
use crate::keyfile::text_public;
use crate::keys::VerifyingKey;
use crate::signatures::{sshsig, verify};
use crate::text::{Plain, Shown};
use crate::time::Moment;
use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::Path;
use toml::value::Datetime;

/// The version of the format that is written here.
const VERSION: u64 = 1;

/// A whole number, and errors that say so.
struct Whole(u64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfNumber;

        impl Visitor<'_> for OfNumber {
            type Value = Whole;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, such as 2")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Whole, E> {
                Ok(Whole(number))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Whole, E> {
                self.visit_i128(number.into())
            }

            fn visit_i128<E: de::Error>(self, number: i128) -> Result<Whole, E> {
                let what = format!("integer `{number}`");
                let whole = u64::try_from(number);
                let whole = whole.map_err(|_| E::invalid_value(Unexpected::Other(&what), &self));
                whole.map(Whole)
            }
        }

        deserializer.deserialize_u64(OfNumber)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
struct Document {
    version: Whole,
    namespace: Option<String>,
    not_before: Option<Datetime>,
    not_after: Option<Datetime>,
    #[serde(default)]
    signer: Vec<SignerTable>,
    #[serde(default)]
    rule: Vec<RuleTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
struct SignerTable {
    name: String,
    keys: Vec<String>,
    not_before: Option<Datetime>,
    not_after: Option<Datetime>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
struct RuleTable {
    files: Vec<String>,
    signers: Vec<String>,
    threshold: Whole,
    algorithms: Option<Vec<String>>,
    not_before: Option<Datetime>,
    not_after: Option<Datetime>,
    #[serde(default)]
    required: bool,
}

/// When something holds: from the first moment to the last.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Period {
    from: Option<Moment>,
    until: Option<Moment>,
}

impl Period {
    pub(crate) fn holds_at(self, time: Moment) -> bool {
        self.from.is_none_or(|from| time >= from) && self.until.is_none_or(|until| time <= until)
    }
}

/// Somebody who signs.
#[derive(Debug)]
pub(crate) struct Signer {
    pub(crate) period: Period,
}

/// Whose signatures some files need.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) files: Vec<Pattern>,
    pub(crate) signers: BTreeSet<String>,
    pub(crate) threshold: usize,
    /// As `--alg` calls them; `None` for all.
    pub(crate) algorithms: Option<BTreeSet<String>>,
    pub(crate) period: Period,
    /// Some file must match.
    pub(crate) required: bool,
}

impl Rule {
    pub(crate) fn is_about(&self, name: &[u8]) -> bool {
        self.files.iter().any(|pattern| pattern.matches(name))
    }

    /// The patterns, for messages.
    pub(crate) fn title(&self) -> String {
        let patterns: Vec<&str> = self.files.iter().map(Pattern::text).collect();
        patterns.join(", ")
    }
}

/// A policy that was read.
#[derive(Debug)]
pub(crate) struct Policy {
    pub(crate) namespace: String,
    pub(crate) period: Period,
    pub(crate) signers: BTreeMap<String, Signer>,
    pub(crate) rules: Vec<Rule>,
    /// Whose key it is, by its encoding. A key is one signer's.
    owners: HashMap<Vec<u8>, String>,
}

impl Policy {
    /// Reads a policy; `path` is for errors.
    pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        let text =
            std::str::from_utf8(bytes).map_err(|_| bad(path, "it is not UTF-8".to_owned()))?;
        let document: Document =
            toml::from_str(text).map_err(|e| bad(path, what_is_wrong(&e, text)))?;
        let bad = |why: String| bad(path, why);
        let Whole(version) = document.version;
        if version != VERSION {
            return Err(bad(format!("it has the unknown version {version}")));
        }
        let namespace = document
            .namespace
            .unwrap_or_else(|| sshsig::FILE_NAMESPACE.to_owned());
        if sshsig::check_namespace(Some(&namespace)).is_err() {
            return Err(bad("its namespace is not one word".to_owned()));
        }
        let mut policy = Policy {
            namespace,
            period: period(document.not_before, document.not_after).map_err(&bad)?,
            signers: BTreeMap::new(),
            rules: Vec::new(),
            owners: HashMap::new(),
        };
        for signer in document.signer {
            policy.add_signer(signer).map_err(&bad)?;
        }
        for rule in document.rule {
            let rule = policy.rule(rule).map_err(&bad)?;
            policy.rules.push(rule);
        }
        if policy.rules.is_empty() {
            return Err(bad("it has no rule".to_owned()));
        }
        Ok(policy)
    }

    fn add_signer(&mut self, table: SignerTable) -> Result<(), String> {
        let name = table.name;
        let shown = Plain(&name).to_string();
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err("a signer has no name, or one that is no single line".to_owned());
        }
        if table.keys.is_empty() {
            return Err(format!("the signer {shown} has no keys"));
        }
        for text in &table.keys {
            let key = text_public(text, "it", "it")
                .and_then(|loaded| loaded.key.into_verifying(None, Path::new("it")))
                .map_err(|e| format!("a key of {shown} cannot be used: {}", e.message))?;
            verify::refuse_weak(&key, Path::new("it"))
                .map_err(|e| format!("a key of {shown} cannot be used: {}", e.message))?;
            // Also twice under one name: each key counts for one signer, and somebody has mistaken two for one.
            if let Some(other) = self.owners.insert(key.ssh_blob(), name.clone()) {
                return Err(format!(
                    "a key of {shown} stands there already, as one of {}",
                    Plain(&other)
                ));
            }
        }
        let signer = Signer {
            period: period(table.not_before, table.not_after)?,
        };
        match self.signers.insert(name, signer) {
            Some(_) => Err(format!("the signer {shown} stands there twice")),
            None => Ok(()),
        }
    }

    fn rule(&self, table: RuleTable) -> Result<Rule, String> {
        if table.files.is_empty() {
            return Err("a rule has no files".to_owned());
        }
        let mut files = Vec::new();
        for text in &table.files {
            files.push(Pattern::new(text).map_err(|why| format!("{:?}: {why}", text))?);
        }
        let title = table.files.join(", ");
        let title = Plain(&title);
        let Whole(threshold) = table.threshold;
        if threshold == 0 {
            return Err(format!("the rule for {title} asks for no signature"));
        }
        let mut signers = BTreeSet::new();
        for name in table.signers {
            if !self.signers.contains_key(&name) {
                return Err(format!(
                    "the rule for {title} names the signer {}, who is not there",
                    Plain(&name)
                ));
            }
            if let Some(name) = signers.replace(name) {
                return Err(format!("the rule for {title} names {} twice", Plain(&name)));
            }
        }
        let threshold = usize::try_from(threshold).unwrap_or(usize::MAX);
        if threshold > signers.len() {
            return Err(format!(
                "the rule for {title} asks for {threshold} signers and names {}",
                signers.len()
            ));
        }
        let algorithms = match table.algorithms {
            None => None,
            Some(names) => {
                let known: Vec<String> = Algorithm::signing().map(Algorithm::option).collect();
                if let Some(name) = names.iter().find(|name| !known.contains(name)) {
                    return Err(format!(
                        "{name:?} is no algorithm that signs: there are {}",
                        known.join(", ")
                    ));
                }
                let names: BTreeSet<String> = names.into_iter().collect();
                if names.is_empty() {
                    return Err(format!("the rule for {title} allows no algorithm"));
                }
                Some(names)
            }
        };
        Ok(Rule {
            files,
            signers,
            threshold,
            algorithms,
            period: period(table.not_before, table.not_after)?,
            required: table.required,
        })
    }

    /// Whose key it is.
    pub(crate) fn owner(&self, key: &VerifyingKey) -> Option<&str> {
        self.owners.get(&key.ssh_blob()).map(String::as_str)
    }
}

/// The message of the parser, which names things out of the file, and where that is; without the line, in which anything may
/// stand.
fn what_is_wrong(error: &toml::de::Error, text: &str) -> String {
    let message = Plain(error.message());
    match error.span().and_then(|span| text.get(..span.start)) {
        Some(before) => format!("line {}: {message}", before.matches('\n').count() + 1),
        None => message.to_string(),
    }
}

fn period(from: Option<Datetime>, until: Option<Datetime>) -> Result<Period, String> {
    let moment = |time: Option<Datetime>| {
        time.map(|time| {
            Moment::of_rfc3339(&time.to_string()).ok_or_else(|| {
                format!("{time} is not a time with its zone, such as 2027-12-31T23:59:59Z")
            })
        })
        .transpose()
    };
    let period = Period {
        from: moment(from)?,
        until: moment(until)?,
    };
    match (period.from, period.until) {
        (Some(from), Some(until)) if from > until => {
            Err("a not-after lies before its not-before".to_owned())
        }
        _ => Ok(period),
    }
}

fn bad(path: &Path, why: String) -> Error {
    Error::new(
        Kind::BadPolicy,
        format!("{} is not a usable policy: {why}", Shown(path)),
    )
    .with_path(path)
}
