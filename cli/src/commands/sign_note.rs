//! `lanner sign-note`: signs a text that people can read.

use crate::args::note::SignNote;
use crate::error::{Error, Kind};
use crate::formats::note::{is_name, key_hash, name_of, public_line};
use crate::keyfile;
use crate::keys::PublicKey;
use crate::output::{Access, Target};
use crate::report::{Report, key_facts};
use crate::signatures::guard::Guard;
use crate::signatures::note::{self, Note, NoteSignature};
use crate::signatures::sign;
use crate::smallfile;
use crate::text::{Plain, Shown};
use serde_json::json;
use std::path::PathBuf;

pub(crate) fn run(
    args: &SignNote,
    json: bool,
    warnings: &mut Vec<String>,
) -> Result<Report, Error> {
    let path = &args.file;
    let default = {
        let mut name = path.clone().into_os_string();
        name.push(".note");
        PathBuf::from(name)
    };
    let out = args.output.as_deref().unwrap_or(&default);
    let inputs = [path.as_path(), &args.key];
    let what = "a signed note";
    let target = Target::new(Some(out), Access::Default, args.force, json, what, &inputs)?;
    target.must_arrive(what)?;
    if let Some(name) = &args.name
        && !is_name(name)
    {
        return Err(Error::new(
            Kind::Usage,
            "the name of a key has no spaces and no plus sign",
        ));
    }
    let bytes = smallfile::read_long(path, "text")?;
    let mut signed = if args.add {
        note::parse(&bytes, path)?
    } else {
        Note {
            text: note::check_text(&bytes, path)?,
            signatures: Vec::new(),
        }
    };
    // The text itself is what is signed, and texts must not be what other formats sign.
    Guard::default().check(signed.text.as_bytes(), path)?;
    let secret = keyfile::read_secret(&args.key, &args.secret, warnings)?;
    let mut beside = secret.beside();
    let key = secret.key.into_signing(None, &args.key)?;
    let public = PublicKey::Verifying(key.public());
    let Some(key_bytes) = public.as_ed25519() else {
        return Err(only_ed25519(&args.key, &public));
    };
    let name = match &args.name {
        Some(name) => name.clone(),
        None => name_of(beside.comment.as_deref())
            .map_err(|e| e.with_hint("give it with --name NAME, say example.org/releases"))?
            .to_owned(),
    };
    let hash = key_hash(&name, key_bytes);
    let mut others = signed.signatures.iter();
    if others.any(|other| other.name == name && other.hash == hash) {
        return Err(Error::new(
            Kind::Usage,
            format!("{} has a signature of this key already", Shown(path)),
        )
        .with_path(path));
    }
    signed.signatures.push(NoteSignature {
        name: name.clone(),
        hash,
        signature: sign::short(&key, signed.text.as_bytes())?,
    });
    target.write(&signed.compose())?;
    let verifier = public_line(&name, key_bytes);
    let mut text = String::new();
    let file = target.path();
    if let Some(file) = file {
        // The name is in the key for verifiers.
        beside.comment = None;
        text = format!(
            "Signed {}.\n  note         {}\n  verifiers    {}\n{}",
            Shown(path),
            Shown(file),
            Plain(&verifier),
            key_facts(&public, &beside)
        );
    }
    let report = Report::new(
        text,
        json!({
            "file": path.to_string_lossy(),
            "note_file": file.map(|file| file.to_string_lossy()),
            "name": name,
            "verifier_key": verifier,
            "signatures": signed.signatures.len(),
            "fingerprint": public.fingerprint(),
        }),
    );
    Ok(report.with_written(target.path()))
}

/// The specification has numbers for algorithms, and none for those of others here.
pub(super) fn only_ed25519(path: &std::path::Path, key: &PublicKey) -> Error {
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is an {} key; notes are signed with Ed25519",
            Shown(path),
            key.algorithm()
        ),
    )
    .with_path(path)
}
