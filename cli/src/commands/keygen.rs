//! `lanner keygen`: makes a key pair.

use crate::args::Keygen;
use crate::error::{Error, Kind};
use crate::keys::{PublicKey, SecretKey};
use crate::output::PairOutput;
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
    let files = PairOutput::new(&args.output, &public_path, args.force)?;
    let key = SecretKey::generate(args.algorithm)?;
    let public = write_pair(&key, &files)?;
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
        }
        assert!(default_public_path(Path::new("..")).is_err());
    }
}
