//! `lanner keygen`: makes a key pair.

use crate::algorithm::Algorithm;
use crate::args::Keygen;
use crate::error::{Error, Kind};
use crate::formats::write::{self, Beside, Encoding, derived_key_id};
use crate::keys::{PublicKey, SecretKey};
use crate::output::PairOutput;
use crate::report::{Report, key_facts};
use crate::text::{Shown, hex};
use serde_json::json;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Keygen) -> Result<Report, Error> {
    let public_path = match &args.public {
        Some(path) => path.clone(),
        None => default_public_path(&args.output)?,
    };
    super::check_comment(args.comment.as_deref())?;
    refuse_public_name(&args.output).map_err(|e| {
        e.with_hint("-o names the secret key; --public says where the public one goes, which else lies beside it")
    })?;
    let files = PairOutput::new(&args.output, &public_path, args.force)?;
    if !args.encoding.can_encrypt() && !args.new_password.is_none_wanted() {
        return Err(Error::new(
            Kind::Usage,
            format!(
                "a secret key in the form {:?} cannot have a password",
                args.encoding.name()
            ),
        )
        .with_hint("if that is all right, say --no-password"));
    }
    let password = args.new_password.get(&args.output)?;
    let key = SecretKey::generate(args.algorithm)?;
    let public = key.public();
    let mut beside = Beside {
        comment: args.comment.clone(),
        key_id: None,
    };
    if matches!(args.encoding, Encoding::Minisign | Encoding::Signify) {
        beside.key_id = Some(derived_key_id(&public));
    }
    // First, so that a form that this key does not have costs nothing.
    let public_file = write::public(&public, args.encoding, &beside)?;
    let secret_file = write::secret(&key, args.encoding, &beside, password.as_ref())?;
    files.write(&secret_file, &public_file)?;
    let bytes = public.to_bytes();
    let protection = if password.is_some() {
        "under your password"
    } else {
        "without a password: who has the file can sign"
    };
    let protection = match args.algorithm {
        Algorithm::X25519 if password.is_none() => "without a password",
        _ => protection,
    };
    let standing = args.algorithm.standing().map_or(String::new(), |standing| {
        format!("  algorithm    {} ({standing})\n", args.algorithm)
    });
    let text = format!(
        "Made an {} key pair.\n  secret key   {}  (readable by you only, {protection})\n  \
         public key   {}  (give it to anybody)\n{standing}{}",
        args.algorithm,
        Shown(&args.output),
        Shown(&public_path),
        key_facts(&public, &beside),
    );
    let report = Report::new(
        text,
        json!({
            "algorithm": args.algorithm.option(),
            "secret_key_file": args.output.to_string_lossy(),
            "public_key_file": public_path.to_string_lossy(),
            "format": args.encoding.name(),
            "encrypted": password.is_some(),
            "comment": beside.comment,
            "fingerprint": public.fingerprint(),
            "key_id": beside.key_id.map(|id| id.to_string()),
            "public_key_hex": *hex(&bytes),
        }),
    );
    Ok(report.with_written([args.output.as_path(), &public_path]))
}

/// Writes both files of a key pair, or neither.
pub(crate) fn write_pair(key: &SecretKey, files: &PairOutput) -> Result<PublicKey, Error> {
    let public = key.public();
    files.write(key.to_pem()?.as_bytes(), public.to_pem()?.as_bytes())?;
    Ok(public)
}

/// `alice.pem` has `alice.pub.pem` beside it, any other name gets `.pub`.
pub(crate) fn default_public_path(secret: &Path) -> Result<PathBuf, Error> {
    let (Some(stem), Some(name)) = (secret.file_stem(), secret.file_name()) else {
        return Err(Error::new(
            Kind::Usage,
            format!("{} is not the name of a file to write", Shown(secret)),
        )
        .with_path(secret));
    };
    let is_pem = secret
        .extension()
        .is_some_and(|extension| extension == "pem");
    let mut public = if is_pem { stem } else { name }.to_owned();
    public.push(OsStr::new(if is_pem { ".pub.pem" } else { ".pub" }));
    Ok(secret.with_file_name(public))
}

/// Refuses to write a secret key under a name that people give away.
pub(super) fn refuse_public_name(path: &Path) -> Result<(), Error> {
    // There are file systems that know no case.
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().to_ascii_lowercase());
    let is_public = |name: String| {
        let forms = [".pem", ".der", ".jwk"].iter();
        let stem = forms.into_iter().find_map(|form| name.strip_suffix(form));
        stem.unwrap_or(&name).ends_with(".pub")
    };
    if !name.is_some_and(is_public) {
        return Ok(());
    }
    Err(Error::new(
        Kind::Usage,
        format!(
            "the secret key would have the name of a public one, {}",
            Shown(path)
        ),
    )
    .with_path(path))
}

/// The secret key whose public one is called so by default, if there is such a name.
pub(crate) fn default_secret_path(public: &Path) -> Option<PathBuf> {
    let name = public.file_name()?.to_str()?;
    let stem = name
        .strip_suffix(".pub.pem")
        .map(|stem| format!("{stem}.pem"));
    let secret = stem.or_else(|| name.strip_suffix(".pub").map(str::to_owned))?;
    let secret = public.with_file_name(secret);
    (default_public_path(&secret).ok()? == public).then_some(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_names() {
        for (secret, public) in [
            ("alice.pem", "alice.pub.pem"),
            ("keys/alice.pem", "keys/alice.pub.pem"),
            ("/k/alice", "/k/alice.pub"),
            ("alice.key", "alice.key.pub"),
            (".pem", ".pem.pub"),
        ] {
            assert_eq!(
                default_public_path(Path::new(secret)).unwrap(),
                Path::new(public)
            );
            assert_eq!(
                default_secret_path(Path::new(public)).as_deref(),
                Some(Path::new(secret))
            );
        }
        for public in [
            "alice",
            "alice.pem",
            ".pub",
            ".pub.pem",
            "alice.pem.pub",
            "/",
        ] {
            assert_eq!(default_secret_path(Path::new(public)), None, "{public}");
        }
        assert!(default_public_path(Path::new("..")).is_err());
    }
}
