//! Signature files: their forms, what each signs, and how one is told from another.

pub(crate) mod bare;
pub(crate) mod cose;
pub(crate) mod dsse;
pub(crate) mod guard;
pub(crate) mod minisign;
pub(crate) mod note;
pub(crate) mod read;
pub(crate) mod sign;
pub(crate) mod sshsig;
pub(crate) mod verify;

pub(crate) use read::read;

use crate::algorithm::SignatureAlgorithm;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The forms of signature files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// As ssh-keygen -Y sign writes them (SSHSIG): of a hash of the file, for one purpose
    Ssh,
    /// The bare bytes of the signature; for Ed25519, as openssl pkeyutl -rawin has them
    #[value(alias = "openssl")]
    Raw,
    /// The same in Base64
    Base64,
    /// As minisign writes them
    Minisign,
    /// As signify writes them
    Signify,
    /// COSE_Sign1 with the file as its detached payload, for tools that load firmware
    Cose,
}

impl Format {
    /// True if it is the bytes of the signature and nothing else.
    pub(crate) fn is_bare(self) -> bool {
        matches!(self, Format::Raw | Format::Base64)
    }

    /// One for each ending of a name, in the order in which signatures are looked for.
    pub(crate) const ENDINGS: [Format; 3] = [Format::Ssh, Format::Minisign, Format::Cose];

    /// How the command line and JSON call it.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Format::Ssh => "ssh",
            Format::Raw => "raw",
            Format::Base64 => "base64",
            Format::Minisign => "minisign",
            Format::Signify => "signify",
            Format::Cose => "cose",
        }
    }

    /// How people call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Ssh => "SSH signature",
            Format::Raw => "bare signature",
            Format::Base64 => "bare signature in Base64",
            Format::Minisign => "minisign signature",
            Format::Signify => "signify signature",
            Format::Cose => "COSE_Sign1 signature",
        }
    }

    /// What is appended to the name of a file for the name of its signature.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Format::Minisign => ".minisig",
            Format::Cose => ".cose",
            _ => ".sig",
        }
    }

    /// Where a signature of `message` goes unless the user says otherwise.
    pub(crate) fn path_for(self, message: &Path) -> PathBuf {
        let mut name = OsString::from(message);
        name.push(self.extension());
        PathBuf::from(name)
    }
}

/// Where the signature of `message` is, unless the user says otherwise: under the name of the form that is `wanted`, and without
/// a word, under the first name that is there.
pub(crate) fn usual_path(message: &Path, wanted: Option<Format>) -> PathBuf {
    if let Some(format) = wanted {
        return format.path_for(message);
    }
    let mut paths = Format::ENDINGS.map(|format| format.path_for(message));
    let first = paths.iter().position(|path| path.exists());
    std::mem::take(&mut paths[first.unwrap_or(0)])
}

/// A signature out of a file.
#[derive(Debug)]
pub(crate) enum Signature {
    Ssh(Box<sshsig::SshSignature>),
    /// Of minisign or signify.
    Minisign(Box<minisign::Minisig>),
    Cose(Box<cose::CoseSignature>),
    /// Bytes of which only the length tells anything.
    Bare {
        bytes: Vec<u8>,
        format: Format,
    },
}

impl Signature {
    pub(crate) fn format(&self) -> Format {
        match self {
            Signature::Ssh(_) => Format::Ssh,
            Signature::Minisign(signature) if signature.trusted.is_none() => Format::Signify,
            Signature::Minisign(_) => Format::Minisign,
            Signature::Cose(_) => Format::Cose,
            Signature::Bare { format, .. } => *format,
        }
    }

    /// The algorithm that it says it is of. Bare bytes say nothing.
    pub(crate) fn algorithm(&self) -> Option<SignatureAlgorithm> {
        match self {
            Signature::Ssh(signature) => Some(signature.public.algorithm()),
            Signature::Minisign(_) | Signature::Cose(_) => Some(SignatureAlgorithm::Ed25519),
            Signature::Bare { .. } => None,
        }
    }
}
