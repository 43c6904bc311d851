//! What a policy says of one file and its signatures.

use super::document::{Policy, Rule};
use crate::error::{Error, Kind};
use crate::input::Message;
use crate::keys::PublicKey;
use crate::signatures::sshsig::{Hash, SshSignature};
use crate::signatures::{self, Signature, verify};
use crate::text::Shown;
use crate::time::Moment;
use crate::tree::Entry;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What became of one signature file.
#[derive(Clone)]
pub(crate) struct Heard {
    pub(crate) path: PathBuf,
    /// It is a signature of the file, and nothing else, whoever's.
    pub(crate) is_signature: bool,
    /// Whose signature it is, if it is valid and the policy knows the key.
    pub(crate) signer: Option<String>,
    pub(crate) fingerprint: Option<String>,
    pub(crate) algorithm: Option<String>,
    /// Why it counts for nothing.
    pub(crate) why_not: Option<String>,
    /// Why it does not count for all rules that are about the file.
    pub(crate) but: Option<String>,
}

/// What one rule has found.
pub(crate) struct Count<'a> {
    pub(crate) rule: &'a Rule,
    pub(crate) signers: BTreeSet<String>,
}

impl Count<'_> {
    pub(crate) fn is_met(&self) -> bool {
        self.signers.len() >= self.rule.threshold
    }
}

/// What came out for one file.
pub(crate) struct Standing<'a> {
    pub(crate) counts: Vec<Count<'a>>,
    pub(crate) heard: Vec<Heard>,
    /// Why the file is out of the question, whatever the signatures.
    pub(crate) why: Option<String>,
}

impl Standing<'_> {
    /// All rules that match the file are met, and there is one.
    pub(crate) fn is_met(&self) -> bool {
        self.why.is_none() && !self.counts.is_empty() && self.counts.iter().all(Count::is_met)
    }
}

/// Looks at a file with what was heard of its signatures.
pub(crate) fn of<'a>(
    policy: &'a Policy,
    entry: &Entry,
    signatures: &[Heard],
    time: Moment,
) -> Standing<'a> {
    let mut standing = Standing {
        counts: policy
            .rules
            .iter()
            .filter(|rule| rule.is_about(&entry.name.0))
            .map(|rule| Count {
                rule,
                signers: BTreeSet::new(),
            })
            .collect(),
        heard: Vec::new(),
        why: None,
    };
    if let Some(what) = entry.other {
        standing.why = Some(format!("it is {what}"));
        return standing;
    }
    if standing.counts.is_empty() {
        standing.why = Some("no rule is about it".to_owned());
        return standing;
    }
    for signature in signatures {
        let mut heard = signature.clone();
        if let (Some(name), Some(algorithm)) = (&signature.signer, &signature.algorithm) {
            let late = !policy.signers[name].period.holds_at(time);
            let mut reasons = BTreeSet::new();
            let mut counted = false;
            for count in &mut standing.counts {
                let rule = count.rule;
                let algorithms = rule.algorithms.as_ref();
                if !rule.signers.contains(name) {
                    reasons.insert("its signer is none of the rule");
                } else if algorithms.is_some_and(|names| !names.contains(algorithm)) {
                    reasons.insert("the rule does not allow its algorithm");
                } else if late || !rule.period.holds_at(time) {
                    reasons.insert("its signer may sign at another time only");
                } else {
                    count.signers.insert(name.clone());
                    counted = true;
                }
            }
            let reasons: Vec<_> = reasons.into_iter().collect();
            let reasons = Some(reasons.join("; ")).filter(|text| !text.is_empty());
            if counted {
                heard.but = reasons;
            } else {
                heard.why_not = reasons;
            }
        }
        standing.heard.push(heard);
    }
    standing
}

/// The signature in a file, or why there is none. What cannot be read at all is an error.
pub(crate) fn signature(path: &Path) -> Result<Result<Box<SshSignature>, String>, Error> {
    match signatures::read(path, None, 0) {
        Ok(Signature::Ssh(signature)) => Ok(Ok(signature)),
        Ok(other) => Ok(Err(format!(
            "{} is a {}; SSH signatures count",
            Shown(path),
            other.format().name()
        ))),
        Err(error)
            if matches!(
                error.kind,
                Kind::BadSignatureFile | Kind::BadKey | Kind::WrongKeyType
            ) =>
        {
            Ok(Err(error.message))
        }
        Err(error) => Err(error),
    }
}

/// Listens to what is called as a signature of a file.
///
/// It is one if all that stands in it is a signature of the file: whatever else there is could be anything, and would lie among
/// files that somebody has signed. So nothing may stand in the field that nobody signs; the purpose is the policy's; and it
/// is valid, by whatever key. Of a key in a security key, the name of the application is free to choose: where the policy
/// does not name the key, it must be that of SSH.
pub(crate) fn hear(
    policy: &Policy,
    digests: &mut Digests,
    file: &Entry,
    path: PathBuf,
    signature: &SshSignature,
) -> Result<Heard, Error> {
    let public = &signature.public;
    let owner = policy.owner(public);
    let algorithm = PublicKey::Verifying(public.clone()).algorithm().option();
    let why_not = if signature.has_reserved {
        Some("it has something in its reserved field, which nobody signs".to_owned())
    } else if signature.namespace != policy.namespace {
        Some(format!(
            "it is for the namespace {:?}, not {:?}",
            signature.namespace, policy.namespace
        ))
    } else if owner.is_none() && signature.has_free_words() {
        Some("the policy does not name its key, whose application is not that of SSH".to_owned())
    } else if file.other.is_some() || !signature.is_valid(digests.of(&file.path, signature)?) {
        Some("it is not valid".to_owned())
    } else {
        None
    };
    let is_signature = why_not.is_none();
    let unknown = || {
        owner
            .is_none()
            .then(|| "the policy does not name its key".to_owned())
    };
    Ok(Heard {
        path,
        is_signature,
        signer: owner.filter(|_| is_signature).map(str::to_owned),
        fingerprint: Some(public.fingerprint()),
        algorithm: Some(algorithm),
        why_not: why_not.or_else(unknown),
        but: None,
    })
}

/// The hashes of a file, each computed once.
#[derive(Default)]
pub(crate) struct Digests {
    sha256: Option<Vec<u8>>,
    sha512: Option<Vec<u8>>,
}

impl Digests {
    fn of(&mut self, file: &Path, signature: &SshSignature) -> Result<&[u8], Error> {
        let place = match signature.hash {
            Hash::Sha256 => &mut self.sha256,
            Hash::Sha512 => &mut self.sha512,
        };
        if place.is_none() {
            let mut hasher = signature.hash.hasher();
            verify::hash(&mut Message::once(file)?, "verifying", |bytes| {
                hasher.update(bytes)
            })?;
            *place = Some(hasher.finish());
        }
        Ok(place.as_deref().expect("it was computed"))
    }
}
