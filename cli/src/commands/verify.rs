//! `lanner verify`: checks the signature of a file.

use crate::args::Verify;
use crate::error::{Error, Kind};
use crate::input::{Message, STDIN_NAME, is_dash};
use crate::keyfile::{self, Algorithm};
use crate::progress::Progress;
use crate::report::Report;
use crate::schemes::ed25519;
use crate::sigfile::{self, Signature};
use crate::text::{Shown, hex};
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
    let key = verifying_key(&args.key)?;
    let signature = sigfile::read(&signature_path)?;
    let mut message = Message::once(&args.file)?;
    let valid = verify_message(&key, signature, &mut message)?;

    let name = if from_stdin {
        Path::new(STDIN_NAME)
    } else {
        &args.file
    };
    let hex = hex(key.as_bytes());
    let text = format!(
        "{}: {}\n  signature   {}\n  algorithm   Ed25519, pure (RFC 8032), strict verification\n  \
         public key  {}\n              {}\n",
        if valid { "VALID" } else { "NOT VALID" },
        Shown(name),
        Shown(&signature_path),
        Shown(&args.key),
        *hex,
    );
    let mut report = Report::new(
        text,
        json!({
            "valid": valid,
            "file": args.file.to_string_lossy(),
            "signature_file": signature_path.to_string_lossy(),
            "algorithm": Algorithm::Ed25519.name(),
            "mode": "pure",
            "profile": "strict",
            "public_key_file": args.key.to_string_lossy(),
            "public_key_hex": *hex,
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

fn verifying_key(path: &Path) -> Result<ed25519::VerifyingKey, Error> {
    let key = keyfile::read_public(path)?.into_ed25519(path)?;
    if key.is_weak() {
        return Err(Error::new(
            Kind::WeakKey,
            format!(
                "{} is a weak key: anybody can make signatures for it",
                Shown(path)
            ),
        )
        .with_path(path)
        .with_hint("trust nothing that is signed with it; ask the signer for another key"));
    }
    Ok(key)
}

/// True if `signature` is valid for the rest of `message`, by the strict rule.
pub(crate) fn verify_message(
    key: &ed25519::VerifyingKey,
    signature: Signature,
    message: &mut Message,
) -> Result<bool, Error> {
    let Signature::Ed25519(signature) = signature;
    // Some signatures are refused before the message is looked at.
    let Ok(mut verifier) = key.verify_stream_strict(&signature) else {
        return Ok(false);
    };
    let mut progress = Progress::new("verifying", message.size());
    message.feed(&mut progress, |bytes| {
        verifier.update(bytes);
        Ok(())
    })?;
    Ok(verifier.finalize_and_verify().is_ok())
}
