//! `lanner attest`: signs a statement about files.

use crate::algorithm::Algorithm;
use crate::args::HashName;
use crate::args::attest::Attest;
use crate::attestation::{self, Digests, PAYLOAD_TYPE};
use crate::error::{Error, Kind};
use crate::input::is_dash;
use crate::keyfile;
use crate::output::{Access, Target};
use crate::report::{Report, key_facts};
use crate::signatures::{dsse, sign};
use crate::smallfile;
use crate::text::{Plain, Shown, without_mark};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What is appended to the name of a subject for the name of its envelope.
const EXTENSION: &str = ".intoto.jsonl";

pub(crate) fn run(args: &Attest, json: bool, warnings: &mut Vec<String>) -> Result<Report, Error> {
    let predicate_type = attestation::predicate_type(&args.predicate_type)?;
    let default = default_path(&args.subjects);
    if args.output.is_none() && default.is_none() {
        return Err(Error::new(
            Kind::Usage,
            "there are several subjects: name the file to write with -o OUT",
        ));
    }
    let mut inputs: Vec<&Path> = args.subjects.iter().map(AsRef::as_ref).collect();
    inputs.extend([args.key.as_path(), args.predicate.as_path()]);
    let path = args.output.as_deref().or(default.as_deref());
    let target = Target::new(
        path,
        Access::Default,
        args.force,
        json,
        "an attestation",
        &inputs,
    )?;
    target.must_arrive("an attestation")?;
    let predicate = read_predicate(&args.predicate)?;
    let secret = keyfile::read_secret(&args.key, &args.secret, warnings)?;
    let beside = secret.beside();
    let key = secret.key.into_signing(args.algorithm, &args.key)?;
    let public = key.public();
    let subjects = subjects(args)?;
    let payload = attestation::compose(&predicate_type, &subjects, &predicate);
    let data = dsse::signed_data(PAYLOAD_TYPE, payload.as_bytes());
    let signature = sign::short(&key, &data)?;
    let fingerprint = public.fingerprint();
    target.write(&dsse::compose(
        PAYLOAD_TYPE,
        payload.as_bytes(),
        &fingerprint,
        &signature,
    ))?;
    let path = target.path();
    let mut text = String::new();
    if let Some(path) = path {
        text = format!(
            "Signed a statement about {} {}.\n  attestation  {}  (in-toto, DSSE envelope)\n  \
             kind         {}\n  algorithm    {}\n{}",
            subjects.len(),
            if subjects.len() == 1 { "file" } else { "files" },
            Shown(path),
            Plain(&predicate_type),
            public.algorithm().description(),
            key_facts(&crate::keys::PublicKey::Verifying(public.clone()), &beside),
        );
    }
    let subjects: Vec<Value> = subjects
        .iter()
        .map(|(name, hash, digest)| json!({ "name": name, "digest": { *hash: digest } }))
        .collect();
    let report = Report::new(
        text,
        json!({
            "format": "dsse",
            "attestation_file": path.map(|path| path.to_string_lossy()),
            "predicate_type": predicate_type,
            "subjects": subjects,
            "algorithm": Algorithm::from(public.algorithm()).option(),
            "fingerprint": fingerprint,
            "comment": beside.comment,
        }),
    );
    Ok(report.with_written(target.path()))
}

/// Where the envelope of one subject is.
pub(super) fn default_path(subjects: &[PathBuf]) -> Option<PathBuf> {
    let [subject] = subjects else { return None };
    if is_dash(subject) {
        return None;
    }
    let mut name = subject.clone().into_os_string();
    name.push(EXTENSION);
    Some(PathBuf::from(name))
}

/// The text of the predicate, which goes into the statement as it is.
fn read_predicate(path: &Path) -> Result<String, Error> {
    let file = smallfile::read_long(path, "predicate")?;
    let bytes = without_mark(&file);
    let bad = |why: String| {
        let message = format!("{} is no predicate: {why}", Shown(path));
        Error::new(Kind::Usage, message).with_path(path)
    };
    let value: Value =
        serde_json::from_slice(bytes).map_err(|e| bad(format!("the JSON is broken ({e})")))?;
    if !value.is_object() {
        return Err(bad("it is not a JSON object".to_owned()));
    }
    // Whoever has parsed it knows that it is UTF-8.
    let text = std::str::from_utf8(bytes).map_err(|e| bad(e.to_string()))?;
    Ok(text.trim().to_owned())
}

/// Names and hashes of the subjects. Two files of one name could not be told apart.
fn subjects(args: &Attest) -> Result<Vec<(String, &'static str, String)>, Error> {
    let mut subjects: Vec<(String, &'static str, String)> = Vec::new();
    for file in &args.subjects {
        if is_dash(file) {
            return Err(Error::new(
                Kind::Usage,
                "a subject has a name, which standard input has not",
            ));
        }
        let name = attestation::name_of(file)?;
        if subjects.iter().any(|(other, ..)| *other == name) {
            return Err(Error::new(
                Kind::Usage,
                format!("two subjects have the name {}", Plain(&name)),
            )
            .with_path(file)
            .with_hint("make a statement for each of them"));
        }
        let digests = Digests::of(file)?;
        subjects.push(match args.hash {
            HashName::Sha256 => (name, "sha256", digests.sha256),
            HashName::Sha512 => (name, "sha512", digests.sha512),
        });
    }
    Ok(subjects)
}
