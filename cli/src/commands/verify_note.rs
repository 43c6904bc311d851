//! `lanner verify-note`: checks a signed note.

use crate::algorithm::Algorithm;
use crate::args::note::VerifyNote;
use crate::error::{Error, Kind};
use crate::formats::Form;
use crate::formats::note::{key_hash, name_of};
use crate::keys::PublicKey;
use crate::output::{Access, Target};
use crate::report::{Report, key_facts};
use crate::signatures::guard::Guard;
use crate::signatures::note::{self, Note};
use crate::signatures::verify;
use crate::smallfile;
use crate::text::{Plain, Shown};
use serde_json::json;

pub(crate) fn run(args: &VerifyNote, json: bool) -> Result<Report, Error> {
    let path = &args.file;
    if let Some(list) = &args.signer.signers {
        return Err(
            Error::new(Kind::Usage, "a list of signers is for SSH signatures")
                .with_path(list)
                .with_hint("name the key with -k PUB or -P NAME+HASH+KEY"),
        );
    }
    let target = args
        .output
        .as_deref()
        .map(|out| {
            let what = "a text beside its own line";
            let inputs = [path.as_path()];
            Target::new(Some(out), Access::Default, args.force, json, what, &inputs)
        })
        .transpose()?;
    let signer = args.signer.read(Algorithm::Ed25519)?;
    let bytes = smallfile::read_long(path, "note")?;
    let signed = note::parse(&bytes, path)?;
    let Some((loaded, key_path)) = signer else {
        return Ok(unknown_signer(args, &signed));
    };
    let PublicKey::Verifying(key) = &loaded.key else {
        return Err(super::sign_note::only_ed25519(key_path, &loaded.key));
    };
    let Some(key_bytes) = loaded.key.as_ed25519() else {
        return Err(super::sign_note::only_ed25519(key_path, &loaded.key));
    };
    verify::refuse_weak(key, key_path)?;
    let name = match (&args.name, loaded.form) {
        (Some(_), Form::NotePublic) => {
            return Err(Error::new(
                Kind::Usage,
                format!("{} says its name itself: leave out --name", Shown(key_path)),
            ));
        }
        (Some(name), _) => name,
        (None, _) => name_of(loaded.comment.as_deref())
            .map_err(|e| e.with_hint("give it with --name NAME, or the key as NAME+HASH+KEY"))?,
    };
    Guard::default().check(signed.text.as_bytes(), path)?;
    let hash = key_hash(name, key_bytes);
    // A second one by the same key says nothing.
    let mut lines = signed.signatures.iter();
    let line = lines.find(|line| line.name == name && line.hash == hash);
    let reason = match line {
        None => Some(format!("there is no signature by {name} with this key")),
        Some(line) if verify::is_valid(key, &line.signature, signed.text.as_bytes()) => None,
        Some(_) => Some(format!("the signature by {name} is not one of this text")),
    };
    let verdict = if reason.is_none() {
        "VALID"
    } else {
        "NOT VALID"
    };
    let mut text = format!("{verdict}: {}\n", Shown(path));
    if let Some(reason) = &reason {
        text.push_str(&format!("  because      {}\n", Plain(reason)));
    }
    text.push_str(&format!("  name         {}\n", Plain(name)));
    let mut beside = loaded.beside();
    beside.comment = None;
    text.push_str(&key_facts(&loaded.key, &beside));
    let mut written = None;
    if reason.is_none()
        && let Some(target) = &target
    {
        target.write(signed.text.as_bytes())?;
        if matches!(target, Target::Stdout) {
            text.clear();
        }
        written = target.path();
    }
    let mut report = Report::new(
        text,
        json!({
            "valid": reason.is_none(),
            "note_file": path.to_string_lossy(),
            "reason": reason,
            "name": name,
            "names": names(&signed),
            "fingerprint": loaded.key.fingerprint(),
        }),
    );
    report.refusal = reason.map(|_| {
        Error::new(
            Kind::SignatureInvalid,
            format!("{} is not a valid note by {}", Shown(path), Plain(name)),
        )
        .with_path(path)
    });
    Ok(report.with_written(written))
}

fn names(note: &Note) -> Vec<&str> {
    note.signatures
        .iter()
        .map(|line| line.name.as_str())
        .collect()
}

fn unknown_signer(args: &VerifyNote, note: &Note) -> Report {
    let path = &args.file;
    let mut text = format!("UNKNOWN SIGNER: {}\n", Shown(path));
    for name in names(note) {
        text.push_str(&format!("  name         {}\n", Plain(name)));
    }
    let fields = json!({
        "valid": false,
        "note_file": path.to_string_lossy(),
        "names": names(note),
    });
    let mut report = Report::new(text, fields);
    report.refusal = Some(
        Error::new(
            Kind::UnknownSigner,
            format!("nobody has said whose note {} should be", Shown(path)),
        )
        .with_path(path)
        .with_hint("say whose it should be, with -k PUB or -P NAME+HASH+KEY"),
    );
    report
}
