//! `lanner exchange`: agrees on a shared secret.

use crate::algorithm::Algorithm;
use crate::args::{Exchange, SecretFormat};
use crate::error::{Error, Kind};
use crate::formats::Form;
use crate::keyfile;
use crate::keys::{PublicKey, without_traces};
use crate::output::{Access, Target};
use crate::report::Report;
use crate::schemes::x25519;
use crate::text::{Shown, hex};
use serde_json::json;
use std::path::Path;

pub(crate) fn run(
    args: &Exchange,
    json: bool,
    warnings: &mut Vec<String>,
) -> Result<Report, Error> {
    let target = Target::new(
        args.output.as_deref(),
        Access::Owner,
        args.force,
        json,
        "a shared secret",
        &[&args.key, &args.peer],
    )?;
    target.must_arrive("a shared secret")?;
    let mine = keyfile::read_secret(&args.key, &args.secret, warnings)?
        .key
        .into_x25519(&args.key)?;
    let theirs = keyfile::read_public(&args.peer, Algorithm::X25519)?;
    // Bytes that stand alone may be a secret key, named by mistake.
    let is_bare = matches!(theirs.form, Form::Bare(_));
    let theirs = theirs.key.into_x25519(&args.peer)?;
    let secret = agree(&mine, &theirs, &args.peer)?;
    match args.format {
        SecretFormat::Raw => target.write(secret.as_bytes())?,
        SecretFormat::Hex => {
            let mut line = hex(secret.as_bytes());
            line.push('\n');
            target.write(line.as_bytes())?;
        }
    }

    let my_public = x25519::PublicKey::from(&*mine);
    let my_fingerprint = PublicKey::X25519(my_public).fingerprint();
    let peer_fingerprint = PublicKey::X25519(theirs).fingerprint();
    let format = match args.format {
        SecretFormat::Raw => "raw",
        SecretFormat::Hex => "hex",
    };
    let (text, file) = match &target {
        Target::Stdout => (String::new(), None),
        Target::File(output) => (
            format!(
                "Agreed on a shared secret with {}.\n  secret     {}  (32 bytes, {format}; readable by \
                 you only)\n  algorithm  X25519 (RFC 7748)\n  peer       {peer_fingerprint}\nHash it with a key derivation function \
                 before use.\n",
                Shown(&args.peer),
                Shown(output.path()),
            ),
            Some(output.path().to_string_lossy()),
        ),
    };
    let report = Report::new(
        text,
        json!({
            "algorithm": Algorithm::X25519.option(),
            "fingerprint": my_fingerprint,
            "peer_fingerprint": peer_fingerprint,
            "shared_secret_file": file,
            "format": format,
            "public_key_hex": *hex(my_public.as_bytes()),
            "peer_public_key_hex": (!is_bare).then(|| hex(theirs.as_bytes()).to_string()),
        }),
    );
    Ok(report.with_written(target.path()))
}

/// X25519, refusing the all-zero result (RFC 7748, section 6.1), which would mean that the peer
/// key alone decides the secret. The secret is in the heap, where it is wiped.
pub(crate) fn agree(
    mine: &x25519::StaticSecret,
    theirs: &x25519::PublicKey,
    peer_path: &Path,
) -> Result<Box<x25519::SharedSecret>, Error> {
    without_traces(|| mine.diffie_hellman_checked(theirs).map(Box::new)).map_err(|_| {
        Error::new(
            Kind::WeakKey,
            format!(
                "{} is a weak key: the secret would be zero, known to everybody",
                Shown(peer_path)
            ),
        )
        .with_path(peer_path)
        .with_hint(
            "do not use this key; ask the other side for a new one, over a channel you trust",
        )
    })
}
