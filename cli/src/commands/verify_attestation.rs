//! `lanner verify-attestation`: checks a statement about files.

use crate::algorithm::Algorithm;
use crate::args::attest::VerifyAttestation;
use crate::attestation::{self, Digests, PAYLOAD_TYPE, Statement};
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
    let (statements, reasons) = trusted(&envelopes, &loaded.key, wanted.as_deref());
    let mut text = String::new();
    let mut results = Vec::new();
    let mut refusal = None;
    // The statements about the subjects, each once.
    let mut about: Vec<&Statement> = Vec::new();
    for file in &args.subjects {
        let digests = Digests::of(file)?;
        for statement in &statements {
            let is_about = statement.subjects.iter().any(|it| it.is(&digests));
            if is_about && !about.iter().any(|other| std::ptr::eq(*other, statement)) {
                about.push(statement);
            }
        }
        let found = statements.iter().find_map(|statement| {
            let mut subjects = statement.subjects.iter();
            let subject = subjects.find(|subject| subject.is(&digests))?;
            Some((statement, subject))
        });
        let shown = Shown(file);
        let reason = match (&found, statements.is_empty()) {
            (Some(_), _) => None,
            (None, true) => Some(reasons.join("; ")),
            (None, false) => Some("no statement of this signer is about it".to_owned()),
        };
        match (&found, &reason) {
            (Some((statement, subject)), _) => {
                text.push_str(&format!(
                    "VALID: {shown}\n  kind         {}\n",
                    Plain(&statement.predicate_type)
                ));
                if let Some(name) = &subject.name {
                    text.push_str(&format!("  name         {}\n", Plain(name)));
                }
            }
            (None, reason) => {
                let why = reason.as_deref().unwrap_or_default();
                text.push_str(&format!(
                    "NOT VALID: {shown}\n  because      {}\n",
                    Plain(why)
                ));
                refusal.get_or_insert_with(|| {
                    Error::new(
                        Kind::SignatureInvalid,
                        format!("there is no valid statement about {shown}"),
                    )
                    .with_path(file)
                });
            }
        }
        results.push(json!({
            "file": file.to_string_lossy(),
            "valid": found.is_some(),
            "reason": reason,
            "predicate_type": found.as_ref().map(|(statement, _)| &statement.predicate_type),
            "name": found.as_ref().and_then(|(_, subject)| subject.name.as_ref()),
        }));
    }
    text.push_str(&format!(
        "  attestation  {}  (in-toto, DSSE envelope)\n  algorithm    {}\n  public key   {}\n",
        Shown(path),
        loaded.key.algorithm().description(),
        Shown(key_path),
    ));
    let public = PublicKey::Verifying(loaded.key.clone());
    text.push_str(&key_facts(&public, &loaded.beside()));
    if refusal.is_none()
        && let Some(target) = &target
    {
        let lines: String = about
            .iter()
            .map(|statement| format!("{}\n", statement.predicate.get()))
            .collect();
        target.write(lines.as_bytes())?;
        if matches!(target, Target::Stdout) {
            text.clear();
        }
    }
    let mut report = Report::new(
        text,
        json!({
            "valid": refusal.is_none(),
            "attestation_file": path.to_string_lossy(),
            "results": results,
            "algorithm": Algorithm::from(loaded.key.algorithm()).option(),
            "public_key_file": key_path.to_string_lossy(),
            "fingerprint": loaded.key.fingerprint(),
            "comment": loaded.comment,
        }),
    );
    report.refusal = refusal;
    Ok(report)
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

/// The statements that the signer has signed and that are of the wanted kind, and why the others are not there. What
/// a payload says is looked at when its signature is known to be valid, and not before.
fn trusted(
    envelopes: &[dsse::Envelope],
    key: &VerifyingKey,
    wanted: Option<&str>,
) -> (Vec<Statement>, Vec<String>) {
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
    (statements, reasons)
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
