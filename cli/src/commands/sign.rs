//! `lanner sign`: signs a file.

use crate::args::Sign;
use crate::error::{Error, Kind};
use crate::input::{Message, STDIN_NAME, is_dash};
use crate::keyfile;
use crate::keys::SigningKey;
use crate::output::{Access, Target};
use crate::progress::Progress;
use crate::report::Report;
use crate::schemes::{
    ed25519::{self, SignStreamError},
    fn_dsa::{self, DOMAIN_NONE, HASH_ID_RAW, StreamError},
};
use crate::sigfile::{self, Signature};
use crate::text::{Shown, hex, key_in_words};
use serde_json::json;
use std::path::Path;

pub(crate) fn run(args: &Sign, json: bool, warnings: &mut Vec<String>) -> Result<Report, Error> {
    let from_stdin = is_dash(&args.file);
    let default = (!from_stdin).then(|| sigfile::default_path(&args.file));
    let path = args.output.as_deref().or(default.as_deref());
    let target = Target::new(
        path,
        Access::Default,
        args.force,
        json,
        "a signature",
        &[&args.key, &args.file],
    )?;
    let key = keyfile::read_secret(&args.key, args.open_key.into(), warnings)?
        .into_signing(args.algorithm, &args.key)?;
    let mut message = Message::rewindable(&args.file)?;
    let signature = sign_message(&key, &mut message, &args.file)?;
    let bytes = signature.to_bytes();
    target.write(&bytes)?;

    let public = key.public().to_bytes();
    let name = if from_stdin {
        Path::new(STDIN_NAME)
    } else {
        &args.file
    };
    let (text, file) = match &target {
        Target::Stdout => (String::new(), None),
        Target::File(output) => (
            format!(
                "Signed {}.\n  signature   {}\n  algorithm   {}\n  public key  {}\n",
                Shown(name),
                Shown(output.path()),
                key.algorithm().description(),
                key_in_words(&public),
            ),
            Some(output.path().to_string_lossy()),
        ),
    };
    Ok(Report::new(
        text,
        json!({
            "file": args.file.to_string_lossy(),
            "signature_file": file,
            "signature_hex": *hex(&bytes),
            "algorithm": key.algorithm().name(),
            "mode": "pure",
            "public_key_hex": *hex(&public),
        }),
    ))
}

/// Signs what `message` holds from its first byte to its end.
pub(crate) fn sign_message(
    key: &SigningKey,
    message: &mut Message,
    path: &Path,
) -> Result<Signature, Error> {
    match key {
        SigningKey::Ed25519(key) => sign_ed25519(key, message, path),
        SigningKey::FnDsa(key) => sign_fn_dsa(key, message),
    }
}

/// Reads the message twice.
fn sign_ed25519(
    key: &ed25519::SigningKey,
    message: &mut Message,
    path: &Path,
) -> Result<Signature, Error> {
    let total = message.size().map(|size| size.saturating_mul(2));
    let mut progress = Progress::new("signing", total);
    let result = key.sign_stream(|sink| {
        message.rewind()?;
        message.feed(&mut progress, |bytes| {
            sink.update(bytes);
            Ok(())
        })
    });
    match result {
        Ok(signature) => Ok(Signature::Ed25519(signature)),
        Err(SignStreamError::Source(error)) => Err(error),
        // `MessageChanged`: a signature over two messages at once would give the key away.
        Err(_) => Err(Error::new(
            Kind::MessageChanged,
            format!("{} changed while it was being signed", Shown(path)),
        )
        .with_path(path)
        .with_hint("nothing was signed; wait until nobody writes to the file, or sign a copy")),
    }
}

/// Reads the message once, and again in the rare case that the first attempt at a signature comes out too
/// long: with a fresh nonce, which is hashed before the message.
fn sign_fn_dsa(
    key: &fn_dsa::SigningKeyStandard,
    message: &mut Message,
) -> Result<Signature, Error> {
    let mut signature = vec![0; fn_dsa::signature_size(key.logn())];
    let result = key.sign_stream(
        &mut getrandom::SysRng,
        &DOMAIN_NONE,
        &HASH_ID_RAW,
        &mut signature,
        |sink| {
            let mut progress = Progress::new("signing", message.size());
            message.rewind()?;
            message.feed(&mut progress, |bytes| {
                sink.update(bytes);
                Ok(())
            })
        },
    );
    match result {
        Ok(()) => Ok(Signature::FnDsa(signature.into())),
        Err(StreamError::Source(error)) => Err(error),
        Err(StreamError::Sign(fn_dsa::Error::Random)) => Err(Error::new(
            Kind::Io,
            "the operating system gives no random numbers",
        )),
        Err(error) => Err(
            Error::new(Kind::BadKey, format!("the key does not sign: {error}"))
                .with_hint("make a new one with: lanner keygen"),
        ),
    }
}
