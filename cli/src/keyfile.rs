//! Key files: what they hold, who may read them, and what is said of files that hold no key of ours.

use crate::algorithm::Algorithm;
use crate::args::{OpenKey, SecretArgs, SignerArgs};
use crate::descriptor::refuse_stdin;
use crate::error::{Error, Kind};
use crate::formats::jwk::Jwk;
use crate::formats::openssh::{self, Container};
use crate::formats::write::Beside;
use crate::formats::{Form, KeyId, Recognised, Unlocked, minisign, note, pkcs8, recognise};
use crate::keys::{PublicKey, SecretKey, malformed, of_public, without_traces};
use crate::output::old_name;
use crate::password::Password;
use crate::smallfile::{self, SmallFile};
use crate::text::{Shown, shell_word};
use ::pkcs8::der::{Decode, Encode};
use std::fs::Metadata;
use std::path::Path;

/// A key out of a file, and what the file says beside it.
pub(crate) struct Loaded<K> {
    pub(crate) key: K,
    pub(crate) form: Form,
    pub(crate) comment: Option<String>,
    pub(crate) key_id: Option<KeyId>,
    /// The file has a password.
    pub(crate) encrypted: bool,
}

impl<K> Loaded<K> {
    pub(crate) fn beside(&self) -> Beside {
        Beside {
            comment: self.comment.clone(),
            key_id: self.key_id,
        }
    }

    /// The same beside another key, which is made of this one.
    pub(crate) fn map<L>(
        self,
        make: impl FnOnce(K) -> Result<L, Error>,
    ) -> Result<Loaded<L>, Error> {
        Ok(Loaded {
            key: make(self.key)?,
            form: self.form,
            comment: self.comment,
            key_id: self.key_id,
            encrypted: self.encrypted,
        })
    }
}

/// Reads a secret key, in whatever form. Remarks that the user should hear go to `warnings`.
pub(crate) fn read_secret(
    path: &Path,
    args: &SecretArgs,
    warnings: &mut Vec<String>,
) -> Result<Loaded<SecretKey>, Error> {
    without_traces(|| {
        let file = read_key_file(path).map_err(|e| hint_at_old(e, path))?;
        let recognised = recognise(&file.bytes, path)?;
        secret_of(&recognised, &file.metadata, path, args, warnings)
    })
}

/// True if what was recognised is a secret key.
pub(crate) fn is_secret(recognised: &Recognised, path: &Path) -> Result<bool, Error> {
    Ok(match recognised.form {
        Form::Pkcs8 { .. }
        | Form::EncryptedPkcs8 { .. }
        | Form::OpenSsh
        | Form::MinisignSecret
        | Form::SignifySecret
        | Form::NoteSecret => true,
        Form::Jwk => Jwk::read(&recognised.body, path)?.is_secret(),
        // The seed and the public key of Ed25519; no public key is as long.
        Form::Bare(_) => recognised.body.len() == 64,
        Form::Spki { .. }
        | Form::Certificate { .. }
        | Form::SshLine
        | Form::MinisignPublic
        | Form::NotePublic => false,
    })
}

/// True if what was recognised has a password.
pub(crate) fn is_encrypted(recognised: &Recognised, path: &Path) -> Result<bool, Error> {
    let body = &recognised.body;
    Ok(match recognised.form {
        Form::EncryptedPkcs8 { .. } => true,
        Form::OpenSsh => Container::read(body, path)?.is_encrypted(),
        Form::MinisignSecret => minisign::minisign_is_encrypted(body),
        Form::SignifySecret => minisign::signify_is_encrypted(body),
        _ => false,
    })
}

/// The secret key in a file that was recognised.
pub(crate) fn secret_of(
    recognised: &Recognised,
    metadata: &Metadata,
    path: &Path,
    args: &SecretArgs,
    warnings: &mut Vec<String>,
) -> Result<Loaded<SecretKey>, Error> {
    let Recognised {
        form,
        body,
        comment,
    } = recognised;
    let is_seed = matches!(form, Form::Bare(_)) && args.seed().is_some();
    if !is_seed && !is_secret(recognised, path)? {
        return Err(not_secret(*form, body.len(), path));
    }
    if !is_seed && args.seed().is_some() {
        return Err(Error::new(
            Kind::Usage,
            format!(
                "{} says itself what it is ({}): leave out --seed",
                Shown(path),
                form.name()
            ),
        )
        .with_path(path));
    }
    if let Some(remark) = remark_on_access(metadata, path) {
        match args.open_key() {
            OpenKey::Accept => warnings.push(remark),
            OpenKey::Refuse => return Err(is_open(path, remark, args)),
        }
    }
    let encrypted = is_encrypted(recognised, path)?;
    let password = match (encrypted, args.password().is_given()) {
        (true, _) => Some(args.password().get(path)?),
        (false, false) => None,
        (false, true) => {
            return Err(
                Error::new(Kind::Usage, format!("{} has no password", Shown(path)))
                    .with_path(path)
                    .with_hint(
                        "leave the password out; to protect the key with one: lanner convert",
                    ),
            );
        }
    };
    let unlocked = unlock(recognised, password.as_ref(), args.seed(), path)?;
    Ok(Loaded {
        key: unlocked.key,
        form: *form,
        comment: unlocked.comment.or_else(|| comment.clone()),
        key_id: unlocked.key_id,
        encrypted,
    })
}

pub(crate) fn unlock(
    recognised: &Recognised,
    password: Option<&Password>,
    seed: Option<Algorithm>,
    path: &Path,
) -> Result<Unlocked, Error> {
    let body = &recognised.body;
    let alone = |key| Unlocked {
        key,
        comment: None,
        key_id: None,
    };
    match (recognised.form, password) {
        (Form::EncryptedPkcs8 { .. }, Some(password)) => {
            let der = pkcs8::decrypt(body, password, path)?;
            SecretKey::from_der(&der, path).map(alone)
        }
        (Form::Pkcs8 { .. }, _) => SecretKey::from_der(body, path).map(alone),
        (Form::OpenSsh, _) => Container::read(body, path)?.unlock(password, path),
        (Form::MinisignSecret, _) => minisign::unlock_minisign(body, password, path),
        (Form::SignifySecret, _) => minisign::unlock_signify(body, password, path),
        (Form::Jwk, _) => Jwk::read(body, path)?.secret(path),
        (Form::NoteSecret, _) => note::read_secret(body, path),
        (Form::Bare(_), _) => match (body.as_slice().try_into(), seed) {
            (Ok(bytes), Some(algorithm)) => SecretKey::from_seed(algorithm, bytes, path),
            (Err(_), Some(_)) if body.len() != 64 => {
                Err(malformed(path, "a bare secret key has 32 bytes"))
            }
            _ => SecretKey::ed25519_with_public(body, path),
        }
        .map(alone),
        // The form was checked before.
        (form, _) => Err(not_secret(form, body.len(), path)),
    }
}

/// Reads a public key, in whatever form. 32 bytes that stand alone are one of `bare`.
pub(crate) fn read_public(path: &Path, bare: Algorithm) -> Result<Loaded<PublicKey>, Error> {
    let file = read_key_file(path)?;
    let recognised = recognise(&file.bytes, path);
    recognised
        .and_then(|recognised| public_of(&recognised, path, bare))
        .map_err(of_public)
}

/// A public key that stands on the command line, in any form that is text. `option` is what it stands after.
pub(crate) fn inline_public(text: &str, option: &str) -> Result<Loaded<PublicKey>, Error> {
    text_public(text, option, &format!("what stands after {option}"))
}

/// A public key in any form that is text. `name` is what it is called in errors, `what` where it is none.
pub(crate) fn text_public(text: &str, name: &str, what: &str) -> Result<Loaded<PublicKey>, Error> {
    let path = Path::new(name);
    let wrong =
        |hint: &str| Error::new(Kind::Usage, format!("{what} is not a public key")).with_hint(hint);
    let recognised = recognise(text.as_bytes(), path).map_err(|_| {
        wrong(
            "give the line of OpenSSH, PEM, a JSON Web Key, hexadecimal or Base64; a file is named with -k",
        )
    })?;
    if is_secret(&recognised, path)? {
        return Err(wrong(
            "what is on a command line, other users can see: secret keys stay in files",
        ));
    }
    // In a policy or a script, its names and times would stand as if somebody looked at them.
    if matches!(recognised.form, Form::Certificate { .. }) {
        return Err(wrong("it is a certificate: name its file with -k FILE"));
    }
    public_of(&recognised, path, Algorithm::Ed25519).map_err(of_public)
}

/// The public key in a file that was recognised. Secret keys are refused.
pub(crate) fn public_of(
    recognised: &Recognised,
    path: &Path,
    bare: Algorithm,
) -> Result<Loaded<PublicKey>, Error> {
    let Recognised {
        form,
        body,
        comment,
    } = recognised;
    if is_secret(recognised, path)? {
        return Err(not_public(*form, path));
    }
    let mut comment = comment.clone();
    let mut key_id = None;
    let key = match form {
        Form::Spki { .. } => PublicKey::from_der(body, path)?,
        Form::Certificate { .. } => {
            let (key, subject) = certificate(body, path)?;
            comment = Some(subject);
            key
        }
        Form::SshLine => {
            let (key, beside) = openssh::read_public_line(body, path)?;
            comment = beside;
            key
        }
        Form::MinisignPublic => {
            let (key, id) = minisign::read_public(body, path)?;
            key_id = Some(id);
            key
        }
        Form::NotePublic => {
            let (key, name) = note::read_public(body, path)?;
            comment = Some(name);
            key
        }
        Form::Jwk => {
            let jwk = Jwk::read(body, path)?;
            comment = jwk.comment();
            jwk.public(path)?
        }
        _ => match (body.len(), bare) {
            (32, Algorithm::X25519) => PublicKey::x25519(body, path)?,
            (32, _) => PublicKey::ed25519(body, path).map_err(|e| {
                e.with_hint(
                    "they may be a secret key, or a public key of X25519: take the public key again from whoever gave it to \
                     you; of your own key: lanner public KEY -o PUB",
                )
            })?,
            (929 | 1825, _) => PublicKey::hybrid(body, path)?,
            _ => PublicKey::fn_dsa(body, path)?,
        },
    };
    Ok(Loaded {
        key,
        form: *form,
        comment,
        key_id,
        encrypted: false,
    })
}

/// The public key in a certificate, and whom the certificate names. Who signed it, and until when it is valid, is not
/// looked at: the user trusts the file.
fn certificate(der: &[u8], path: &Path) -> Result<(PublicKey, String), Error> {
    let broken =
        |e: ::pkcs8::der::Error| malformed(path, &format!("the certificate is broken ({e})"));
    let certificate = x509_cert::Certificate::from_der(der).map_err(broken)?;
    let fields = certificate.tbs_certificate();
    let info = fields.subject_public_key_info().to_der().map_err(broken)?;
    Ok((
        PublicKey::from_der(&info, path)?,
        fields.subject().to_string(),
    ))
}

/// A key is secret, and who verifies or writes to somebody has no business with it.
fn not_public(form: Form, path: &Path) -> Error {
    let error = Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is a secret key; the public key is needed here",
            Shown(path)
        ),
    )
    .with_path(path);
    match form {
        Form::Bare(_) => error.with_hint("64 bytes are a secret key of Ed25519, or a signature"),
        _ => error.with_hint(format!(
            "derive it with: lanner public {} -o PUBLIC.pem. If somebody else sent you this file, \
             tell them: it lets anybody act in their name",
            shell_word(path)
        )),
    }
}

/// A key is public, or bytes that could be either.
fn not_secret(form: Form, length: usize, path: &Path) -> Error {
    if matches!(form, Form::Bare(_)) && length == 32 {
        return either(path).with_hint(
            "if they are the secret key, say of which algorithm: --seed ed25519, x25519, ed25519+fn-dsa-512 or \
             ed25519+fn-dsa-1024",
        );
    }
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is a public key; the secret key is needed here",
            Shown(path)
        ),
    )
    .with_path(path)
}

/// Bytes that nothing tells apart: keys of the curves are as long, secret ones and public ones.
pub(crate) fn either(path: &Path) -> Error {
    Error::new(
        Kind::BadKey,
        format!(
            "{} holds 32 bytes that stand alone, which may be a secret or a public key",
            Shown(path)
        ),
    )
    .with_path(path)
}

pub(crate) fn read_key_file(path: &Path) -> Result<SmallFile, Error> {
    let file = smallfile::read(path, "key")?;
    check_size(&file, path)?;
    Ok(file)
}

/// Refuses what is too large for a key.
pub(crate) fn check_size(file: &SmallFile, path: &Path) -> Result<(), Error> {
    if file.is_too_large() {
        return Err(Error::new(
            Kind::BadKey,
            format!("{} is too large for a key file", Shown(path)),
        )
        .with_path(path)
        .with_hint("is the order of the arguments right? Key files have 32 bytes to 10 kB"));
    }
    Ok(())
}

/// A run of `keygen --force` that was killed may have left the old key under another name.
fn hint_at_old(error: Error, path: &Path) -> Error {
    let old = old_name(path);
    if error.kind == Kind::NotFound && old.symlink_metadata().is_ok() {
        error.with_hint(format!(
            "an interrupted keygen --force has saved the old key; to have it back: mv {} {}",
            shell_word(&old),
            shell_word(path)
        ))
    } else {
        error
    }
}

/// Says so if other users may read or write the secret key. If the file is the user's own, anybody else
/// counts, as for ssh. If it is somebody else's, it may be meant for a group that the user is in, and only
/// those outside the group count. What comes through a pipe has no permissions.
fn remark_on_access(metadata: &Metadata, path: &Path) -> Option<String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let is_own = metadata.uid() == rustix::process::getuid().as_raw();
        let others = if is_own { 0o077 } else { 0o007 };
        (metadata.is_file() && metadata.mode() & others != 0).then(|| {
            format!(
                "other users of this machine may read or write {} (mode {:04o}); to stop that: chmod 600 {}",
                Shown(path),
                metadata.mode() & 0o7777,
                shell_word(path)
            )
        })
    }
    #[cfg(not(unix))]
    {
        let _ = (metadata, path);
        None
    }
}

/// The refusal of such a key.
fn is_open(path: &Path, remark: String, args: &SecretArgs) -> Error {
    Error::new(Kind::OpenKey, remark)
        .with_path(path)
        .with_hint(if args.password().is_for_git() {
            "if somebody may have read it, make a new key"
        } else {
            "if somebody may have read it, make a new key; --allow-open-key uses it as it is"
        })
}

impl SignerArgs {
    /// Refuses files that are standard input by another name, where the message comes from there.
    pub(crate) fn refuse_stdin(&self) -> Result<(), Error> {
        if let Some(path) = &self.key {
            refuse_stdin(path, "key")?;
        }
        if let Some(path) = &self.signers {
            refuse_stdin(path, "list of signers")?;
        }
        Ok(())
    }

    /// The key, if one was given, and what it is called in messages.
    pub(crate) fn read(
        &self,
        bare: Algorithm,
    ) -> Result<Option<(Loaded<PublicKey>, &Path)>, Error> {
        let inline =
            |text: &str, option| Ok(Some((inline_public(text, option)?, Path::new(option))));
        match (&self.key, &self.public_key, &self.key_base64) {
            (Some(path), ..) => Ok(Some((read_public(path, bare)?, path))),
            (_, Some(text), _) => inline(text, "--public-key"),
            (_, _, Some(text)) => inline(text, "--key-base64"),
            _ => Ok(None),
        }
    }
}
