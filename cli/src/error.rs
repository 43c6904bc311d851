//! What can go wrong, as people and as programs see it.

use crate::text::Shown;
use serde_json::{Map, Value, json};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Everything is as asked.
pub(crate) const EXIT_OK: u8 = 0;
/// There is a verdict, and it is "not valid".
pub(crate) const EXIT_NOT_VALID: u8 = 1;
/// The command line does not make sense.
pub(crate) const EXIT_USAGE: u8 = 2;
/// A file cannot be read or written.
pub(crate) const EXIT_IO: u8 = 3;
/// A key or signature file does not hold what it should, or is open to others.
pub(crate) const EXIT_BAD_FILE: u8 = 4;

/// The signature is one by the key that it names, and nobody has said that this key is trusted.
pub(crate) const EXIT_UNKNOWN_SIGNER: u8 = 5;

/// The signature is one by a key that is trusted, but not at this time.
pub(crate) const EXIT_OUTSIDE_VALIDITY: u8 = 6;

/// There are not the signatures that a policy asks for.
pub(crate) const EXIT_POLICY_NOT_MET: u8 = 7;

/// The table that ends every help page.
macro_rules! exit_codes {
    () => {
        "\
Exit codes:
  0  done; for verify: the signature is valid
  1  the signature is not valid, or the file begins as what another format signs; for verify-tree: a
     file was changed, removed or added; for quickstart and doctor: a step did not come out as
     expected
  2  the command line is wrong
  3  a file could not be read or written, or an output file exists already
  4  a key, a signature, a list of hashes or a policy is malformed or of the wrong kind, a table has
     no records, or a secret key is one that others can read, or under another password
  5  the signature names a key that nobody has said is trusted
  6  the signature is by a key that is trusted, but not at this time; or the policy holds at another
     time
  7  a file has not the signatures that the policy asks for"
    };
}
pub(crate) use exit_codes;

/// [`exit_codes`] alone.
pub(crate) const EXIT_CODES_HELP: &str = exit_codes!();

/// The kind of an [`Error`]: a stable name for programs, and an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    SignatureInvalid,
    CheckFailed,
    Usage,
    NotFound,
    AlreadyExists,
    PermissionDenied,
    NotAFile,
    MessageChanged,
    Io,
    BadKey,
    WrongKeyType,
    WeakKey,
    BadSignatureFile,
    OpenKey,
    PasswordNeeded,
    WrongPassword,
    RefusedMessage,
    UnknownSigner,
    OutsideValidity,
    TreeDiffers,
    BadManifest,
    BadPolicy,
    PolicyNotMet,
}

impl Kind {
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Kind::SignatureInvalid
            | Kind::CheckFailed
            | Kind::RefusedMessage
            | Kind::TreeDiffers => EXIT_NOT_VALID,
            Kind::UnknownSigner => EXIT_UNKNOWN_SIGNER,
            Kind::OutsideValidity => EXIT_OUTSIDE_VALIDITY,
            Kind::PolicyNotMet => EXIT_POLICY_NOT_MET,
            Kind::Usage | Kind::PasswordNeeded => EXIT_USAGE,
            Kind::NotFound
            | Kind::AlreadyExists
            | Kind::PermissionDenied
            | Kind::NotAFile
            | Kind::MessageChanged
            | Kind::Io => EXIT_IO,
            Kind::BadKey
            | Kind::WrongKeyType
            | Kind::WeakKey
            | Kind::BadSignatureFile
            | Kind::WrongPassword
            | Kind::BadManifest
            | Kind::BadPolicy
            | Kind::OpenKey => EXIT_BAD_FILE,
        }
    }

    /// The `kind` of the JSON error object.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::SignatureInvalid => "signature_invalid",
            Kind::CheckFailed => "check_failed",
            Kind::Usage => "usage",
            Kind::NotFound => "not_found",
            Kind::AlreadyExists => "already_exists",
            Kind::PermissionDenied => "permission_denied",
            Kind::NotAFile => "not_a_file",
            Kind::MessageChanged => "message_changed",
            Kind::Io => "io",
            Kind::BadKey => "bad_key",
            Kind::WrongKeyType => "wrong_key_type",
            Kind::WeakKey => "weak_key",
            Kind::BadSignatureFile => "bad_signature_file",
            Kind::OpenKey => "open_key",
            Kind::PasswordNeeded => "password_needed",
            Kind::RefusedMessage => "refused_message",
            Kind::UnknownSigner => "unknown_signer",
            Kind::OutsideValidity => "outside_validity",
            Kind::WrongPassword => "wrong_password",
            Kind::TreeDiffers => "tree_differs",
            Kind::BadManifest => "bad_manifest",
            Kind::BadPolicy => "bad_policy",
            Kind::PolicyNotMet => "policy_not_met",
        }
    }
}

/// One failure: what happened, with which file, and what to do next.
#[derive(Clone, Debug)]
pub(crate) struct Error {
    pub(crate) kind: Kind,
    pub(crate) message: String,
    path: Option<PathBuf>,
    hint: Option<String>,
}

impl Error {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            path: None,
            hint: None,
        }
    }

    /// A system call on `path` failed; `what` names the intention: "read the key".
    pub(crate) fn io(what: &str, path: &Path, error: &io::Error) -> Self {
        let (kind, reason) = match error.kind() {
            io::ErrorKind::NotFound => (Kind::NotFound, "no such file or directory".to_owned()),
            io::ErrorKind::PermissionDenied => {
                (Kind::PermissionDenied, "permission denied".to_owned())
            }
            io::ErrorKind::AlreadyExists => {
                (Kind::AlreadyExists, "the file exists already".to_owned())
            }
            io::ErrorKind::IsADirectory => (Kind::NotAFile, "it is a directory".to_owned()),
            _ => (Kind::Io, error.to_string()),
        };
        Error::new(kind, format!("cannot {what} {}: {reason}", Shown(path))).with_path(path)
    }

    pub(crate) fn with_path(mut self, path: &Path) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What to do next.
    pub(crate) fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The same, with `hint` in the place of `old`.
    pub(crate) fn with_hint_instead(self, old: &str, hint: &str) -> Self {
        match &self.hint {
            Some(found) if found == old => self.with_hint(hint),
            _ => self,
        }
    }

    /// The same, with something that is to be known beside it.
    pub(crate) fn with_more(mut self, more: impl fmt::Display) -> Self {
        self.message = format!("{}; {more}", self.message);
        self
    }

    /// True if this error, of several, is the one that the exit code should tell: forgery before what could not be
    /// looked at, and that before what nobody has decided.
    pub(crate) fn is_worse(&self, other: &Error) -> bool {
        let rank = |error: &Error| match error.kind.exit_code() {
            EXIT_NOT_VALID => 2,
            EXIT_USAGE | EXIT_IO | EXIT_BAD_FILE => 1,
            _ => 0,
        };
        rank(self) > rank(other)
    }

    /// The JSON error object.
    pub(crate) fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("kind".into(), json!(self.kind.name()));
        object.insert("message".into(), json!(self.message));
        if let Some(path) = &self.path {
            object.insert("path".into(), json!(path.to_string_lossy()));
        }
        if let Some(hint) = &self.hint {
            object.insert("hint".into(), json!(hint));
        }
        Value::Object(object)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
