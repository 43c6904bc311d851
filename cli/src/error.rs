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

/// The table that ends every help page.
pub(crate) const EXIT_CODES_HELP: &str = "\
Exit codes:
  0  done; for verify: the signature is valid
  1  the signature is not valid; for quickstart: a step did not come out as expected
  2  the command line is wrong
  3  a file could not be read or written, or an output file exists already
  4  a key or signature file is malformed, of the wrong kind, or a secret key that others can read";

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
}

impl Kind {
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Kind::SignatureInvalid | Kind::CheckFailed => EXIT_NOT_VALID,
            Kind::Usage => EXIT_USAGE,
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
        }
    }
}

/// One failure: what happened, with which file, and what to do next.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) kind: Kind,
    message: String,
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
