//! `lanner keygen`: makes a key pair.

use crate::args::Keygen;
use crate::error::{Error, Kind};
use crate::keys::{PublicKey, SecretKey};
use crate::output::{Access, Output};
use crate::report::Report;
use crate::text::{Shown, hex, key_in_words};
use serde_json::json;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Keygen) -> Result<Report, Error> {
    let public_path = match &args.public {
        Some(path) => path.clone(),
        None => default_public_path(&args.output)?,
    };
    if same_destination(&args.output, &public_path) {
        return Err(Error::new(
            Kind::Usage,
            "the secret and the public key cannot go to the same file",
        )
        .with_path(&public_path));
    }
    let secret_file = Output::new(&args.output, Access::Owner, args.force, &[])?;
    let public_file = Output::new(&public_path, Access::Default, args.force, &[])?;
    let key = SecretKey::generate(args.algorithm)?;
    let public = write_pair(&key, &secret_file, &public_file)?;
    let bytes = public.to_bytes();
    let text = format!(
        "Made an {} key pair.\n  secret key  {}  (readable by you only; keep it, give it to nobody)\n  \
         public key  {}  (give it to anybody)\n  {}\n",
        args.algorithm,
        Shown(&args.output),
        Shown(&public_path),
        key_in_words(&bytes)
    );
    Ok(Report::new(
        text,
        json!({
            "algorithm": args.algorithm.name(),
            "secret_key_file": args.output.to_string_lossy(),
            "public_key_file": public_path.to_string_lossy(),
            "public_key_hex": *hex(&bytes),
        }),
    ))
}

/// Writes both files of a key pair. The secret one comes last: a public key alone is harmless and
/// is taken back, and an old secret key is replaced only when everything else has gone well.
pub(crate) fn write_pair(
    key: &SecretKey,
    secret_file: &Output,
    public_file: &Output,
) -> Result<PublicKey, Error> {
    let public = key.public();
    let secret = secret_file.stage(key.to_pem()?.as_bytes())?;
    public_file.write(public.to_pem()?.as_bytes())?;
    secret.commit().inspect_err(|_| {
        let _ = std::fs::remove_file(public_file.path());
    })?;
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

/// True if both paths name the same directory entry, which may not exist yet.
fn same_destination(a: &Path, b: &Path) -> bool {
    let resolved = |path: &Path| {
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(parent.join(path.file_name()?))
    };
    a == b || (resolved(a).is_some() && resolved(a) == resolved(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Algorithm;

    /// Half a pair is none: if the secret key cannot be written, the public one goes too.
    #[test]
    fn half_a_pair_is_taken_back() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let secret = Output::new(&at("k.pem"), Access::Owner, false, &[]).unwrap();
        let public = Output::new(&at("k.pub.pem"), Access::Default, false, &[]).unwrap();
        std::fs::write(at("k.pem"), "precious").unwrap();
        let key = SecretKey::generate(Algorithm::Ed25519).unwrap();
        let error = write_pair(&key, &secret, &public).unwrap_err();
        assert_eq!(error.kind, Kind::AlreadyExists);
        assert_eq!(std::fs::read(at("k.pem")).unwrap(), b"precious");
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1);
    }

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
        }
        assert!(default_public_path(Path::new("..")).is_err());
    }
}
