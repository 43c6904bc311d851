//! `lanner verify`: checks the signature of a file.

use crate::args::Verify;
use crate::error::{Error, Kind};
use crate::input::{Message, STDIN_NAME, is_dash};
use crate::keyfile;
use crate::keys::VerifyingKey;
use crate::progress::Progress;
use crate::report::Report;
use crate::schemes::ed25519::profile::Strict;
use crate::schemes::fn_dsa::{DOMAIN_NONE, HASH_ID_RAW};
use crate::sigfile::{self, Signature};
use crate::text::{Shown, hex, key_in_words};
use serde_json::json;
use std::path::Path;

pub(crate) fn run(args: &Verify) -> Result<Report, Error> {
    let from_stdin = is_dash(&args.file);
    let signature_path = match &args.signature {
        Some(path) if is_dash(path) => {
            return Err(
                Error::new(Kind::Usage, "a signature cannot come from standard input")
                    .with_hint("save it as a file and name that with -s SIG"),
            );
        }
        Some(path) => path.clone(),
        None if from_stdin => {
            return Err(Error::new(
                Kind::Usage,
                "for standard input, say which signature file belongs to it",
            )
            .with_hint("add -s SIG"));
        }
        None => sigfile::default_path(&args.file),
    };
    let key = keyfile::read_public(&args.key)?.into_verifying(args.algorithm, &args.key)?;
    refuse_weak(&key, &args.key)?;
    let signature = sigfile::read(&signature_path, key.algorithm())?;
    let mut message = Message::once(&args.file)?;
    let valid = verify_message(&key, &signature, &mut message)?;

    let name = if from_stdin {
        Path::new(STDIN_NAME)
    } else {
        &args.file
    };
    let public = key.to_bytes();
    // FN-DSA has no choice of rules.
    let profile = matches!(key, VerifyingKey::Ed25519(_)).then_some("strict");
    let text = format!(
        "{}: {}\n  signature   {}\n  algorithm   {}{}\n  public key  {}\n              {}\n",
        if valid { "VALID" } else { "NOT VALID" },
        Shown(name),
        Shown(&signature_path),
        key.algorithm().description(),
        profile.map_or(String::new(), |name| format!(", {name} verification")),
        Shown(&args.key),
        key_in_words(&public),
    );
    let mut report = Report::new(
        text,
        json!({
            "valid": valid,
            "file": args.file.to_string_lossy(),
            "signature_file": signature_path.to_string_lossy(),
            "algorithm": key.algorithm().name(),
            "mode": "pure",
            "profile": profile,
            "public_key_file": args.key.to_string_lossy(),
            "public_key_hex": *hex(&public),
        }),
    );
    if !valid {
        report.refusal = Some(
            Error::new(
                Kind::SignatureInvalid,
                format!("the signature of {} is not valid", Shown(name)),
            )
            .with_path(&args.file)
            .with_hint(
                "the file, the signature or the key is not the one that belongs to the others",
            ),
        );
    }
    Ok(report)
}

fn refuse_weak(key: &VerifyingKey, path: &Path) -> Result<(), Error> {
    match key {
        VerifyingKey::Ed25519(key) if key.is_weak() => Err(Error::new(
            Kind::WeakKey,
            format!(
                "{} is a weak key: anybody can make signatures for it",
                Shown(path)
            ),
        )
        .with_path(path)
        .with_hint("trust nothing that is signed with it; ask the signer for another key")),
        _ => Ok(()),
    }
}

/// True if `signature` is valid for the rest of `message`; for Ed25519, by the strict rule.
pub(crate) fn verify_message(
    key: &VerifyingKey,
    signature: &Signature,
    message: &mut Message,
) -> Result<bool, Error> {
    let mut progress = Progress::new("verifying", message.size());
    verify_fed(key, signature, |update| {
        message.feed(&mut progress, |bytes| {
            update(bytes);
            Ok(())
        })
    })
}

/// True if `signature` is valid for the message that `feed` hands over, piece by piece.
pub(crate) fn verify_fed(
    key: &VerifyingKey,
    signature: &Signature,
    feed: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<(), Error>,
) -> Result<bool, Error> {
    // Some signatures are refused before the message is looked at.
    match (key, signature) {
        (VerifyingKey::Ed25519(key), Signature::Ed25519(signature)) => {
            let Ok(mut verifier) = key.under(Strict).verify_stream(signature) else {
                return Ok(false);
            };
            feed(&mut |bytes| verifier.update(bytes))?;
            Ok(verifier.finalize_and_verify().is_ok())
        }
        (VerifyingKey::FnDsa(key), Signature::FnDsa(signature)) => {
            let Ok(mut verifier) = key.verify_stream(signature, &DOMAIN_NONE, &HASH_ID_RAW) else {
                return Ok(false);
            };
            feed(&mut |bytes| verifier.update(bytes))?;
            Ok(verifier.finish().is_ok())
        }
        // A signature of another algorithm than the key's.
        _ => Ok(false),
    }
}
