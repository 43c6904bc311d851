//! `lanner inspect`: says what a file is.

use super::inspect_signature;
use crate::algorithm::Algorithm;
use crate::args::Inspect;
use crate::error::Error;
use crate::formats::openssh::Container;
use crate::formats::{Form, KEYS_READ, KeyId, Recognised, minisign, pkcs8, recognise};
use crate::keyfile::{self, Loaded};
use crate::keys::{PublicKey, SecretKey, VerifyingKey, without_traces};
use crate::report::Report;
use crate::signatures::{bare, read};
use crate::smallfile;
use crate::text::{Plain, Shown, hex};
use serde_json::json;
use std::path::Path;
use zeroize::Zeroizing;

/// The hint where a file is nothing that is known.
const NEITHER: &str = "nor is it a signature as OpenSSH, minisign, signify, signed notes or COSE have them; what lanner \
                       reads: lanner sign --help, lanner public --help";

/// What is known of a key without its password.
struct Facts {
    form: Form,
    is_secret: bool,
    encrypted: bool,
    protection: Option<&'static str>,
    public: Option<PublicKey>,
    key_id: Option<KeyId>,
    comment: Option<String>,
}

pub(crate) fn run(args: &Inspect) -> Result<Report, Error> {
    let path = &args.file;
    without_traces(|| {
        let file = smallfile::read(path, "key")?;
        // Of a message that stands after a signature, the beginning will do.
        if let Some(signature) = read::of_known_form(&file.bytes, path)? {
            return Ok(inspect_signature::report(&signature, path).into_result());
        }
        keyfile::check_size(&file, path)?;
        if let Some(bytes) = bare_signature(&file.bytes, path) {
            return Ok(inspect_signature::bare(&bytes, path).into_result());
        }
        let recognised = recognise(&file.bytes, path)
            .map_err(|error| error.with_hint_instead(KEYS_READ, NEITHER))?;
        let facts = facts(&recognised, path)?;
        Ok(report(&facts, path).into_result())
    })
}

/// The bytes of what is a bare signature, by its length alone. 64 bytes are one unless they are the secret key of Ed25519 with
/// its public key beside it.
fn bare_signature(file: &[u8], path: &Path) -> Option<Zeroizing<Vec<u8>>> {
    match recognise(file, path) {
        Ok(recognised) => {
            let body = recognised.body;
            let is_one = matches!(recognised.form, Form::Bare(_))
                && body.len() == 64
                && SecretKey::ed25519_with_public(&body, path).is_err();
            is_one.then(|| Zeroizing::new(body.to_vec()))
        }
        Err(_) if bare::is_length(file.len()) => Some(Zeroizing::new(file.to_vec())),
        Err(_) => bare::from_base64(file).map(Zeroizing::new),
    }
}

/// 32 bytes that stand alone may be a key of either curve, secret or public.
fn is_ambiguous(recognised: &Recognised) -> bool {
    matches!(recognised.form, Form::Bare(_)) && recognised.body.len() == 32
}

fn facts(recognised: &Recognised, path: &Path) -> Result<Facts, Error> {
    let body = &recognised.body;
    let mut facts = Facts {
        form: recognised.form,
        is_secret: keyfile::is_secret(recognised, path)?,
        encrypted: keyfile::is_encrypted(recognised, path)?,
        protection: None,
        public: None,
        key_id: None,
        comment: recognised.comment.clone(),
    };
    // Nothing may be said of them that would give a secret key away.
    if is_ambiguous(recognised) {
        return Ok(facts);
    }
    if !facts.is_secret {
        let loaded = keyfile::public_of(recognised, path, Algorithm::Ed25519)?;
        let Loaded {
            key,
            comment,
            key_id,
            ..
        } = loaded;
        facts.public = Some(key);
        facts.comment = comment;
        facts.key_id = key_id;
        return Ok(facts);
    }
    match (recognised.form, facts.encrypted) {
        (Form::EncryptedPkcs8 { .. }, _) => facts.protection = pkcs8::protection(body),
        (Form::OpenSsh, true) => {
            facts.public = Some(Container::read(body, path)?.public(path)?);
            facts.protection = Some("bcrypt");
        }
        (Form::MinisignSecret, true) => facts.protection = Some("scrypt"),
        (Form::SignifySecret, true) => {
            facts.key_id = minisign::signify_id(body);
            facts.protection = Some("bcrypt");
        }
        _ => {
            let unlocked = keyfile::unlock(recognised, None, None, path)?;
            facts.public = Some(SecretKey::public(&unlocked.key));
            facts.key_id = unlocked.key_id;
            facts.comment = unlocked.comment.or(facts.comment);
        }
    }
    Ok(facts)
}

fn report(facts: &Facts, path: &Path) -> Report {
    // Of every other public key it is known which it is.
    let is_ambiguous = !facts.is_secret && facts.public.is_none();
    let what = match (facts.is_secret, is_ambiguous) {
        (true, _) => "secret key",
        (false, true) => "32 bytes: a secret key, or a public key (of Ed25519 or X25519)",
        (false, false) => "public key",
    };
    let mut text = format!("{}: {what}\n", Shown(path));
    let mut line = |name: &str, value: &str| {
        text.push_str(&format!("  {name:<11}  {value}\n"));
    };
    line("form", facts.form.name());
    let algorithm = facts.public.as_ref().map(PublicKey::algorithm);
    if let Some(algorithm) = algorithm {
        line("algorithm", algorithm.name());
    }
    if facts.is_secret {
        line(
            "password",
            match (facts.encrypted, facts.protection) {
                (true, Some(how)) => how,
                (true, None) => "yes",
                (false, _) => "none",
            },
        );
    }
    let fingerprint = facts.public.as_ref().map(PublicKey::fingerprint);
    match &fingerprint {
        Some(fingerprint) => line("fingerprint", fingerprint),
        None if is_ambiguous => {}
        None => line("fingerprint", "known with the password: lanner public"),
    }
    if let Some(id) = facts.key_id {
        line("key number", &id.to_string());
    }
    let application = match &facts.public {
        Some(PublicKey::Verifying(VerifyingKey::Sk(key))) => Some(key.application.clone()),
        _ => None,
    };
    if let Some(application) = &application {
        line("application", &Plain(application).to_string());
    }
    if let Some(comment) = &facts.comment {
        line("comment", &Plain(comment).to_string());
    }
    Report::new(
        text,
        json!({
            "file": path.to_string_lossy(),
            "kind": if facts.is_secret { "secret_key" } else if is_ambiguous { "bare_32_bytes" } else { "public_key" },
            "format": facts.form.id(),
            "algorithm": algorithm.map(Algorithm::option),
            "encrypted": facts.encrypted,
            "protection": facts.protection,
            "fingerprint": fingerprint,
            "key_id": facts.key_id.map(|id| id.to_string()),
            "comment": facts.comment,
            "application": application,
            "public_key_hex": facts.public.as_ref().map(|key| hex(&key.to_bytes()).to_string()),
        }),
    )
}
