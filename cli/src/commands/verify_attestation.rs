//! `lanner verify-attestation`: checks a statement about files.

use crate::algorithm::Algorithm;
use crate::args::attest::VerifyAttestation;
use crate::attestation::{self, Digests, PAYLOAD_TYPE, Statement, Subject};
use crate::descriptor::refuse_stdin;
use crate::error::{Error, Kind};
use crate::input::is_dash;
use crate::keys::{PublicKey, VerifyingKey};
use crate::output::{Access, Target};
use crate::report::{Report, key_facts};
use crate::signatures::{dsse, verify};
use crate::smallfile;
use crate::text::{Plain, Shown};
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn run(args: &VerifyAttestation, json: bool) -> Result<Report, Error> {
    let wanted = args
        .predicate_type
        .as_deref()
        .map(attestation::predicate_type)
        .transpose()?;
    if let Some(list) = &args.signer.signers {
        return Err(Error::new(
            Kind::Usage,
            "a list of signers is for SSH signatures: an envelope does not say by which key it is",
        )
        .with_path(list)
        .with_hint("name the key with -k PUB or -P TEXT"));
    }
    let default = super::attest::default_path(&args.subjects);
    let path = match (&args.attestation, &default) {
        (Some(path), _) | (None, Some(path)) => path.as_path(),
        (None, None) => {
            return Err(Error::new(
                Kind::Usage,
                "say which file has the statement, with -s FILE",
            ));
        }
    };
    if args.subjects.iter().any(|subject| is_dash(subject)) {
        args.signer.refuse_stdin()?;
        refuse_stdin(path, "attestation")?;
    }
    let signer = args
        .signer
        .read(Algorithm::Ed25519)?
        .map(|(loaded, path)| {
            let loaded = loaded.map(|key| key.into_verifying(args.algorithm, path))?;
            verify::refuse_weak(&loaded.key, path)?;
            Ok((loaded, path))
        })
        .transpose()?;
    let target = args
        .output
        .as_deref()
        .map(|out| {
            let mut inputs: Vec<&Path> = args.subjects.iter().map(AsRef::as_ref).collect();
            inputs.push(path);
            let what = "predicates beside its own line";
            Target::new(Some(out), Access::Default, args.force, json, what, &inputs)
        })
        .transpose()?;
    let envelopes = read(path)?;
    let Some((loaded, key_path)) = signer else {
        return Ok(unknown_signer(&envelopes, path));
    };
    let trusted = Trusted::of(&envelopes, &loaded.key, wanted.as_deref());
    let verdicts = args
        .subjects
        .iter()
        .map(|file| trusted.judge(file))
        .collect::<Result<Vec<_>, _>>()?;
    let refusal = verdicts.iter().find_map(Verdict::refusal);
    let mut text: String = verdicts.iter().map(Verdict::as_text).collect();
    text.push_str(&format!(
        "  attestation  {}  (in-toto, DSSE envelope)\n  algorithm    {}\n  public key   {}\n",
        Shown(path),
        loaded.key.algorithm().description(),
        Shown(key_path),
    ));
    let public = PublicKey::Verifying(loaded.key.clone());
    text.push_str(&key_facts(&public, &loaded.beside()));
    let mut written = None;
    if refusal.is_none()
        && let Some(target) = &target
    {
        target.write(predicates(&verdicts).as_bytes())?;
        if matches!(target, Target::Stdout) {
            text.clear();
        }
        written = target.path();
    }
    let mut report = Report::new(
        text,
        json!({
            "valid": refusal.is_none(),
            "attestation_file": path.to_string_lossy(),
            "results": verdicts.iter().map(Verdict::as_json).collect::<Vec<_>>(),
            "algorithm": Algorithm::from(loaded.key.algorithm()).option(),
            "public_key_file": key_path.to_string_lossy(),
            "fingerprint": loaded.key.fingerprint(),
            "comment": loaded.comment,
        }),
    );
    report.refusal = refusal;
    Ok(report.with_written(written))
}

fn read(path: &Path) -> Result<Vec<dsse::Envelope>, Error> {
    let bytes = smallfile::read_long(path, "attestation").map_err(|e| {
        if e.kind == Kind::NotFound {
            e.with_hint("say where the statement is with -s FILE")
        } else {
            e
        }
    })?;
    dsse::parse(&bytes, path)
}

/// The statements that the signer has signed and that are of the wanted kind, and why the others are not there.
struct Trusted {
    statements: Vec<Statement>,
    reasons: Vec<String>,
}

impl Trusted {
    /// What a payload says is looked at when its signature is known to be valid, and not before.
    fn of(envelopes: &[dsse::Envelope], key: &VerifyingKey, wanted: Option<&str>) -> Trusted {
        let mut statements = Vec::new();
        let mut reasons = Vec::new();
        for envelope in envelopes {
            let data = dsse::signed_data(&envelope.payload_type, &envelope.payload);
            let mut signatures = envelope.signatures.iter();
            let verdict = if !signatures.any(|it| verify::is_valid(key, &it.signature, &data)) {
                Err("no signature of the envelope is valid under this key".to_owned())
            } else if envelope.payload_type != PAYLOAD_TYPE {
                Err(format!(
                    "the payload is of the type {:?}",
                    envelope.payload_type
                ))
            } else {
                Statement::parse(&envelope.payload).map_err(|why| format!("the statement: {why}"))
            };
            match (verdict, wanted) {
                (Ok(statement), Some(wanted)) if statement.predicate_type != wanted => {
                    reasons.push(format!(
                        "the statement is of the kind {:?}, not {wanted:?}",
                        statement.predicate_type
                    ));
                }
                (Ok(statement), _) => statements.push(statement),
                (Err(why), _) => reasons.push(why),
            }
        }
        reasons.dedup();
        Trusted {
            statements,
            reasons,
        }
    }

    /// What the statements say of a file.
    fn judge<'a>(&'a self, file: &'a Path) -> Result<Verdict<'a>, Error> {
        let digests = Digests::of(file)?;
        let about: Vec<_> = self
            .statements
            .iter()
            .filter_map(|statement| {
                let mut subjects = statement.subjects.iter();
                let subject = subjects.find(|subject| subject.is(&digests))?;
                Some((statement, subject))
            })
            .collect();
        let reason = match (&about[..], &self.statements[..]) {
            ([_, ..], _) => None,
            ([], []) => Some(self.reasons.join("; ")),
            ([], statements) => {
                let name = attestation::name_of(file).ok();
                let mut subjects = statements.iter().flat_map(|it| &it.subjects);
                let is_changed =
                    name.is_some() && subjects.any(|it| it.name == name && it.is_other(&digests));
                Some(if is_changed {
                    "a statement of this signer has its name, with another hash".to_owned()
                } else {
                    "no statement of this signer is about it".to_owned()
                })
            }
        };
        Ok(Verdict {
            file,
            about,
            reason,
        })
    }
}

/// Whether there is a statement about a file.
struct Verdict<'a> {
    file: &'a Path,
    /// The statements about it, and what each calls it. Of the first one the report tells.
    about: Vec<(&'a Statement, &'a Subject)>,
    /// Why there is none.
    reason: Option<String>,
}

impl Verdict<'_> {
    fn refusal(&self) -> Option<Error> {
        self.about.is_empty().then(|| {
            Error::new(
                Kind::SignatureInvalid,
                format!("there is no valid statement about {}", Shown(self.file)),
            )
            .with_path(self.file)
        })
    }

    fn as_text(&self) -> String {
        let shown = Shown(self.file);
        let Some((statement, subject)) = self.about.first() else {
            let why = Plain(self.reason.as_deref().unwrap_or_default());
            return format!("NOT VALID: {shown}\n  because      {why}\n");
        };
        let kind = Plain(&statement.predicate_type);
        let mut text = format!("VALID: {shown}\n  kind         {kind}\n");
        if let Some(name) = &subject.name {
            text.push_str(&format!("  name         {}\n", Plain(name)));
        }
        text
    }

    fn as_json(&self) -> Value {
        let first = self.about.first();
        json!({
            "file": self.file.to_string_lossy(),
            "valid": first.is_some(),
            "reason": self.reason,
            "predicate_type": first.map(|(statement, _)| &statement.predicate_type),
            "name": first.and_then(|(_, subject)| subject.name.as_ref()),
        })
    }
}

/// The predicates of the statements about the files, each on a line of its own and each once.
fn predicates(verdicts: &[Verdict]) -> String {
    let mut seen: Vec<&Statement> = Vec::new();
    for (statement, _) in verdicts.iter().flat_map(|verdict| &verdict.about) {
        if !seen.iter().any(|other| std::ptr::eq(*other, *statement)) {
            seen.push(statement);
        }
    }
    seen.iter()
        .map(|statement| format!("{}\n", statement.predicate.get()))
        .collect()
}

/// What can be said where nobody has said whose statement it should be.
fn unknown_signer(envelopes: &[dsse::Envelope], path: &Path) -> Report {
    let hints: Vec<&str> = envelopes
        .iter()
        .flat_map(|envelope| &envelope.signatures)
        .filter_map(|signature| signature.key_id.as_deref())
        .collect();
    let mut text = format!("UNKNOWN SIGNER: {}\n", Shown(path));
    for hint in &hints {
        let line = format!(
            "  key id       {}  (a hint that nothing protects)\n",
            Plain(hint)
        );
        text.push_str(&line);
    }
    let fields = json!({
        "valid": false,
        "attestation_file": path.to_string_lossy(),
        "results": Vec::<Value>::new(),
        "key_ids": hints,
    });
    let mut report = Report::new(text, fields);
    report.refusal = Some(
        Error::new(
            Kind::UnknownSigner,
            format!("nobody has said whose statement {} should be", Shown(path)),
        )
        .with_path(path)
        .with_hint("say whose it should be, with -k PUB or -P TEXT"),
    );
    report
}
