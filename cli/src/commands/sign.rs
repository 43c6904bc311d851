//! `lanner sign`: signs files.

use crate::agent;
use crate::algorithm::Algorithm;
use crate::args::Sign;
use crate::descriptor::refuse_stdin;
use crate::error::{Error, Kind};
use crate::formats::KeyId;
use crate::formats::write::{Beside, derived_key_id};
use crate::input::{Message, STDIN_NAME, Source, is_dash};
use crate::keyfile;
use crate::keys::{PublicKey, SigningKey, VerifyingKey};
use crate::output::{Access, Surroundings, Target};
use crate::paths::resolved;
use crate::report::{Report, key_facts};
use crate::signatures::sshsig::{self, Hash};
use crate::signatures::{Format, cose, minisign, sign, verify};
use crate::text::{Plain, Shown, hex};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::Path;
use std::time::SystemTime;

pub(crate) fn run(args: &Sign, json: bool, warnings: &mut Vec<String>) -> Result<Report, Error> {
    check(args)?;
    let inputs: Vec<&Path> = args
        .files
        .iter()
        .chain([&args.key])
        .map(AsRef::as_ref)
        .collect();
    let mut surroundings = Surroundings::of(&inputs);
    let targets: Vec<Target> = args
        .files
        .iter()
        .map(|file| target(args, file, json, &mut surroundings))
        .collect::<Result<_, _>>()?;
    refuse_same_targets(args, &targets)?;
    let signer = Signer::read(args, warnings)?;
    let mut text = String::new();
    let mut results = Vec::new();
    for (file, target) in args.files.iter().zip(&targets) {
        let bytes = signer
            .content(Source::File(file))
            .map_err(|e| after(e, &results))?;
        target.write(&bytes).map_err(|e| after(e, &results))?;
        let path = target.path();
        if let Some(path) = path {
            text.push_str(&format!(
                "Signed {}.\n  signature    {}  ({})\n",
                Shown(name_of(file)),
                Shown(path),
                args.format.name(),
            ));
        }
        results.push(json!({
            "file": file.to_string_lossy(),
            "signature_file": path.map(|path| path.to_string_lossy()),
            "signature_hex": *hex(&bytes),
        }));
    }
    if !text.is_empty() {
        text.push_str(&signer.facts());
    }
    let report = Report::new(text, signer.fields(results));
    Ok(report.with_written(targets.iter().filter_map(Target::path)))
}

fn reads_stdin(args: &Sign) -> bool {
    args.files.iter().any(|file| is_dash(file))
}

/// The failure of one of several files says what was done before it.
fn after(error: Error, done: &[Value]) -> Error {
    match done.len() {
        0 => error,
        1 => error.with_more("one signature was written before that"),
        n => error.with_more(format!("{n} signatures were written before that")),
    }
}

fn name_of(file: &Path) -> &Path {
    if is_dash(file) {
        Path::new(STDIN_NAME)
    } else {
        file
    }
}

/// Refuses what does not go together. An option that would have no effect is a mistake.
pub(crate) fn check(args: &Sign) -> Result<(), Error> {
    let usage = |message: String| Err(Error::new(Kind::Usage, message));
    let format = args.format;
    let unused = |option: &str| usage(format!("{option} does not apply to a {}", format.name()));
    if args.output.is_some() && args.files.len() > 1 {
        return usage("-o names one signature file, and there are several files".to_owned());
    }
    if args.files.iter().filter(|file| is_dash(file)).count() > 1 {
        return usage("standard input is named twice".to_owned());
    }
    if format != Format::Ssh && args.namespace.is_some() {
        return unused("--namespace");
    }
    if format != Format::Ssh && args.hash.is_some() {
        return unused("--hash");
    }
    if !format.is_bare() {
        args.context.refuse(&format!("a {}", format.name()))?;
    }
    args.context.bytes()?;
    if format != Format::Minisign && args.trusted_comment.is_some() {
        return unused("--trusted-comment");
    }
    if format != Format::Minisign && args.legacy {
        return unused("--legacy");
    }
    if !matches!(format, Format::Minisign | Format::Signify) && args.comment.is_some() {
        return unused("--comment");
    }
    if args.agent && format != Format::Ssh {
        return Err(no_bare_by_agent());
    }
    if args.agent && args.secret.is_used() {
        return usage("the options for secret keys do not apply to --agent".to_owned());
    }
    super::check_comment(args.comment.as_deref())?;
    super::check_comment(args.trusted_comment.as_deref())?;
    sshsig::check_namespace(args.namespace.as_deref())
}

/// Each signature has a file of its own.
fn refuse_same_targets(args: &Sign, targets: &[Target]) -> Result<(), Error> {
    let mut taken = HashSet::new();
    for (target, file) in targets.iter().zip(&args.files) {
        let Some(path) = target.path() else { continue };
        if !taken.insert(resolved(path)) {
            return Err(Error::new(
                Kind::Usage,
                format!("{} is named twice", Shown(name_of(file))),
            )
            .with_path(file)
            .with_hint("name each file once; nothing was signed"));
        }
    }
    Ok(())
}

fn target(
    args: &Sign,
    file: &Path,
    json: bool,
    surroundings: &mut Surroundings<'_>,
) -> Result<Target, Error> {
    let default = (!is_dash(file)).then(|| args.format.path_for(file));
    let path = args.output.as_deref().or(default.as_deref());
    let what = "a signature";
    let target = Target::among(path, Access::Default, args.force, json, what, surroundings)?;
    target.must_arrive(what)?;
    Ok(target)
}

/// A key, and how it signs.
pub(crate) struct Signer<'a> {
    args: &'a Sign,
    /// `None` if an agent has it.
    key: Option<SigningKey>,
    public: VerifyingKey,
    beside: Beside,
    key_id: KeyId,
}

impl<'a> Signer<'a> {
    /// Reads the key that the options name.
    pub(crate) fn read(args: &'a Sign, warnings: &mut Vec<String>) -> Result<Self, Error> {
        if reads_stdin(args) {
            refuse_stdin(&args.key, "key")?;
        }
        if args.agent {
            let loaded = keyfile::read_public(&args.key, Algorithm::Ed25519)?
                .map(|key| key.into_verifying(args.algorithm, &args.key))?;
            Signer::new(args, loaded.beside(), loaded.key, None)
        } else {
            let mut secret = args.secret.clone();
            if reads_stdin(args) {
                secret = secret.before_message()?;
            }
            let loaded = keyfile::read_secret(&args.key, &secret, warnings)?
                .map(|key| key.into_signing(args.algorithm, &args.key))?;
            let public = loaded.key.public();
            Signer::new(args, loaded.beside(), public, Some(loaded.key))
        }
    }

    fn new(
        args: &'a Sign,
        mut beside: Beside,
        public: VerifyingKey,
        key: Option<SigningKey>,
    ) -> Result<Self, Error> {
        let named = PublicKey::Verifying(public.clone());
        let by_number = matches!(args.format, Format::Minisign | Format::Signify);
        if (by_number || args.format == Format::Cose) && named.as_ed25519().is_none() {
            return Err(Error::new(
                Kind::WrongKeyType,
                format!(
                    "{} is an {} key; a {} is one of Ed25519",
                    Shown(&args.key),
                    public.algorithm(),
                    args.format.name()
                ),
            )
            .with_path(&args.key));
        }
        if !public.algorithm().has_context() {
            args.context
                .refuse(&format!("a signature of {}", public.algorithm()))?;
        }
        let key_id = beside.key_id.unwrap_or_else(|| derived_key_id(&named));
        if by_number {
            beside.key_id = Some(key_id);
        }
        Ok(Signer {
            args,
            key,
            public,
            beside,
            key_id,
        })
    }

    fn hash(&self) -> Hash {
        self.args.hash.map_or(Hash::Sha512, Hash::from)
    }

    fn namespace(&self) -> &str {
        self.args
            .namespace
            .as_deref()
            .unwrap_or(sshsig::FILE_NAMESPACE)
    }

    /// What exactly is signed, in a word for programs.
    fn mode(&self) -> &'static str {
        match self.args.format {
            Format::Ssh => "hashed",
            Format::Minisign if !self.args.legacy => "prehashed",
            Format::Raw | Format::Base64 if self.hash_of_bare().is_some() => "prehashed",
            _ => "pure",
        }
    }

    /// The hash that the scheme itself takes of a message.
    fn hash_of_bare(&self) -> Option<&'static str> {
        self.public.algorithm().hash_of_bare()
    }

    /// The signature file for a message.
    pub(crate) fn content(&self, source: Source<'_>) -> Result<Vec<u8>, Error> {
        let short = |message: &[u8]| match &self.key {
            Some(key) => sign::short(key, message),
            // Of SSH signatures only, as was checked.
            None => agent::sign(&self.public, message),
        };
        match self.args.format {
            Format::Ssh => {
                let mut hasher = self.hash().hasher();
                let mut message = source.once()?;
                verify::hash(&mut message, "hashing", |bytes| hasher.update(bytes))?;
                let digest = hasher.finish();
                sshsig::compose(&self.public, self.namespace(), self.hash(), &digest, short)
            }
            Format::Minisign => {
                let signature = if self.args.legacy {
                    self.bare(source)?
                } else {
                    short(&minisign_hash(&mut source.once()?)?)?
                };
                let comment = self.args.comment.as_deref();
                let default = self.trusted_comment(source.path());
                minisign::compose_minisign(
                    &signature,
                    !self.args.legacy,
                    self.key_id,
                    comment.unwrap_or("signature from lanner"),
                    self.args.trusted_comment.as_ref().unwrap_or(&default),
                    short,
                )
            }
            Format::Signify => {
                let comment = self.args.comment.as_deref();
                let comment = comment.unwrap_or("signature from lanner");
                Ok(minisign::compose_signify(
                    &self.bare(source)?,
                    self.key_id,
                    comment,
                ))
            }
            Format::Raw => self.bare(source),
            Format::Cose => {
                let Some(key) = &self.key else {
                    return Err(no_bare_by_agent());
                };
                let mut message = source.rewindable()?;
                let length = message.known_size(source.path())?;
                let prefix = cose::prefix(length);
                cose::compose(sign::payload(
                    key,
                    &prefix,
                    length,
                    &mut message,
                    source.path(),
                )?)
            }
            Format::Base64 => {
                let text = crate::base64::encode(&self.bare(source)?);
                Ok(format!("{}\n", *text).into_bytes())
            }
        }
    }

    /// What a bare signature is bound to, where there can be such a thing.
    fn context(&self) -> Option<Vec<u8>> {
        let has_one = self.args.format.is_bare() && self.public.algorithm().has_context();
        // It was looked at before the key.
        has_one.then(|| self.args.context.bytes().unwrap_or_default())
    }

    fn bare(&self, source: Source<'_>) -> Result<Vec<u8>, Error> {
        match &self.key {
            Some(key) => {
                let context = self.context().unwrap_or_default();
                let mut message = if sign::reads_once(key) {
                    source.once()?
                } else {
                    source.rewindable()?
                };
                sign::file(key, &context, &mut message, source.path())
            }
            None => Err(no_bare_by_agent()),
        }
    }

    /// What minisign writes unless it is told otherwise.
    fn trusted_comment(&self, file: &Path) -> String {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let seconds = now.map_or(0, |now| now.as_secs());
        let name = file.file_name().map(Path::new).unwrap_or(file);
        let hashed = if self.args.legacy { "" } else { "\thashed" };
        format!("timestamp:{seconds}\tfile:{}{hashed}", Shown(name))
    }

    /// The lines of the report that are about all files.
    pub(crate) fn facts(&self) -> String {
        let how = match self.args.format {
            Format::Ssh => format!(
                "{}, of the {} in the namespace {:?}",
                self.public.algorithm().name_and_standing(),
                self.hash().name(),
                self.namespace()
            ),
            Format::Minisign if !self.args.legacy => {
                format!("{}, of the BLAKE2b-512", self.public.algorithm())
            }
            _ => self.public.algorithm().description().to_owned(),
        };
        let key = PublicKey::Verifying(self.public.clone());
        format!(
            "  algorithm    {}\n{}",
            Plain(&how),
            key_facts(&key, &self.beside)
        )
    }

    pub(crate) fn fields(&self, results: Vec<Value>) -> Value {
        let format = self.args.format;
        let hash = match format {
            Format::Ssh => Some(self.hash().id()),
            Format::Minisign if !self.args.legacy => Some("blake2b-512"),
            Format::Raw | Format::Base64 => self.hash_of_bare(),
            _ => None,
        };
        json!({
            "format": format.id(),
            "algorithm": Algorithm::from(self.public.algorithm()).option(),
            "mode": self.mode(),
            "hash": hash,
            "namespace": (format == Format::Ssh).then(|| self.namespace()),
            "context_hex": self.context().map(|context| hex(&context).to_string()),
            "fingerprint": self.public.fingerprint(),
            "key_id": self.beside.key_id.map(|id| id.to_string()),
            "comment": self.beside.comment,
            "public_key_hex": *hex(&self.public.to_bytes()),
            "results": results,
        })
    }
}

/// An agent is handed nothing that somebody else has composed.
fn no_bare_by_agent() -> Error {
    Error::new(
        Kind::Usage,
        "an agent makes SSH signatures only: leave out --format",
    )
}

/// The hash that minisign signs.
pub(crate) fn minisign_hash(message: &mut Message) -> Result<Vec<u8>, Error> {
    use blake2::Digest;
    let mut hasher = minisign::hasher();
    verify::hash(message, "hashing", |bytes| hasher.update(bytes))?;
    Ok(hasher.finalize().to_vec())
}
