//! The forms that key files have, and how one is told from another.

pub(crate) mod jwk;
pub(crate) mod minisign;
pub(crate) mod note;
pub(crate) mod openssh;
pub(crate) mod pkcs8;
mod recognise;
pub(crate) mod write;

pub(crate) use crate::keys::SecretKey as Secret;
pub(crate) use recognise::{KEYS_READ, recognise};

use crate::error::{Error, Kind};
use crate::text::Shown;
use std::fmt;
use std::path::Path;
use zeroize::Zeroizing;

/// The number by which minisign and signify tell keys apart: eight bytes that need not have to do with the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyId(pub(crate) [u8; 8]);

/// As minisign prints it: the bytes are a number, least significant byte first, without leading zeros.
impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}", u64::from_le_bytes(self.0))
    }
}

/// A secret key out of a file, and what stood beside it.
pub(crate) struct Unlocked {
    pub(crate) key: Secret,
    pub(crate) comment: Option<String>,
    pub(crate) key_id: Option<KeyId>,
}

/// How bytes are written where they stand alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bare {
    Raw,
    Hex,
    Base64,
}

/// What a file is, as far as its outside tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// PKCS#8, in PEM or DER.
    Pkcs8 {
        pem: bool,
    },
    /// PKCS#8 under a password (RFC 5958, section 3).
    EncryptedPkcs8 {
        pem: bool,
    },
    /// SubjectPublicKeyInfo.
    Spki {
        pem: bool,
    },
    /// X.509.
    Certificate {
        pem: bool,
    },
    /// OpenSSH's private key file.
    OpenSsh,
    /// The line of a public key of OpenSSH.
    SshLine,
    MinisignSecret,
    SignifySecret,
    /// A public key of minisign or signify, which are the same.
    MinisignPublic,
    Jwk,
    /// The line of a key for signed notes.
    NotePublic,
    NoteSecret,
    /// Bytes of which only the length tells anything.
    Bare(Bare),
}

impl Form {
    /// How people call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Form::Pkcs8 { pem: true } => "PKCS#8, PEM",
            Form::Pkcs8 { pem: false } => "PKCS#8, DER",
            Form::EncryptedPkcs8 { pem: true } => "PKCS#8 with a password, PEM",
            Form::EncryptedPkcs8 { pem: false } => "PKCS#8 with a password, DER",
            Form::Spki { pem: true } => "SubjectPublicKeyInfo, PEM",
            Form::Spki { pem: false } => "SubjectPublicKeyInfo, DER",
            Form::Certificate { pem: true } => "X.509 certificate, PEM",
            Form::Certificate { pem: false } => "X.509 certificate, DER",
            Form::OpenSsh => "OpenSSH private key",
            Form::SshLine => "OpenSSH public key",
            Form::MinisignSecret => "minisign secret key",
            Form::SignifySecret => "signify secret key",
            Form::MinisignPublic => "minisign or signify public key",
            Form::Jwk => "JSON Web Key",
            Form::NotePublic => "public key for signed notes",
            Form::NoteSecret => "secret key for signed notes",
            Form::Bare(Bare::Raw) => "bare bytes",
            Form::Bare(Bare::Hex) => "hexadecimal",
            Form::Bare(Bare::Base64) => "Base64",
        }
    }

    /// How programs call it.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Form::Pkcs8 { pem: true } => "pkcs8-pem",
            Form::Pkcs8 { pem: false } => "pkcs8-der",
            Form::EncryptedPkcs8 { pem: true } => "encrypted-pkcs8-pem",
            Form::EncryptedPkcs8 { pem: false } => "encrypted-pkcs8-der",
            Form::Spki { pem: true } => "spki-pem",
            Form::Spki { pem: false } => "spki-der",
            Form::Certificate { pem: true } => "x509-pem",
            Form::Certificate { pem: false } => "x509-der",
            Form::OpenSsh => "openssh-private",
            Form::SshLine => "openssh-public",
            Form::MinisignSecret => "minisign-secret",
            Form::SignifySecret => "signify-secret",
            Form::MinisignPublic => "minisign-public",
            Form::Jwk => "jwk",
            Form::NotePublic => "note-public",
            Form::NoteSecret => "note-secret",
            Form::Bare(Bare::Raw) => "raw",
            Form::Bare(Bare::Hex) => "hex",
            Form::Bare(Bare::Base64) => "base64",
        }
    }
}

/// A key file whose outer coat is off.
pub(crate) struct Recognised {
    pub(crate) form: Form,
    /// What is within the PEM block, the Base64 or the digits; for text without such a coat, the text.
    pub(crate) body: Zeroizing<Vec<u8>>,
    /// What stands beside the key, outside of it.
    pub(crate) comment: Option<String>,
}

/// The password does not fit; or the file is damaged, which cannot be told apart.
pub(crate) fn wrong_password(path: &Path) -> Error {
    Error::new(
        Kind::WrongPassword,
        format!("the password does not open {}", Shown(path)),
    )
    .with_path(path)
    .with_hint("if the password is right, the file is damaged: take it from its backup")
}

/// True if the system may refuse so much memory. Else it hands out what is asked for, and to try would cost the time to wipe
/// it all.
fn may_refuse(bytes: u64) -> bool {
    #[cfg(target_os = "linux")]
    if bytes > half_of_memory() || counts_every_byte() {
        return true;
    }
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        [Resource::As, Resource::Data]
            .into_iter()
            .any(|resource| getrlimit(resource).current.is_some())
    }
    #[cfg(not(unix))]
    {
        let _ = bytes;
        true
    }
}

/// What is far more than there is, Linux refuses at once.
#[cfg(target_os = "linux")]
fn half_of_memory() -> u64 {
    let system = rustix::system::sysinfo();
    // The number is a word of the machine, of 64 bits or fewer.
    #[allow(clippy::useless_conversion)]
    let units = u64::from(system.totalram);
    units.saturating_mul(system.mem_unit.into()) / 2
}

/// True where Linux promises no more memory than it has (vm.overcommit_memory, proc_sys_vm(5)).
#[cfg(target_os = "linux")]
fn counts_every_byte() -> bool {
    std::fs::read("/proc/sys/vm/overcommit_memory").is_ok_and(|mode| mode.starts_with(b"2"))
}

/// Fails if there is no memory for what scrypt sets aside, which would otherwise end the process.
pub(crate) fn check_memory(bytes: u64, path: &Path) -> Result<(), Error> {
    let there = !may_refuse(bytes)
        || usize::try_from(bytes)
            .is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    if there {
        return Ok(());
    }
    let message = format!(
        "there is no memory for the password of the key: it takes {}",
        crate::text::size(bytes)
    );
    Err(Error::new(Kind::Io, message).with_path(path).with_hint(
        "ulimit -v says how much a process may have; the form pem takes 16 MiB: lanner convert, where there is more",
    ))
}

pub(crate) fn fill_random(bytes: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(bytes).map_err(|e| {
        Error::new(
            Kind::Io,
            format!("the operating system gives no random numbers: {e}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::KeyId;

    /// Without any limit too.
    #[test]
    #[cfg(target_os = "linux")]
    fn more_than_there_is_may_be_refused() {
        assert!(super::may_refuse(super::half_of_memory() + 1));
        assert!(super::half_of_memory() > 1 << 20);
    }

    /// What minisign 0.11 wrote beside keys with these numbers.
    #[test]
    fn numbers_have_no_leading_zeros() {
        assert_eq!(KeyId([0x34, 0x12, 0, 0, 0, 0, 0, 0]).to_string(), "1234");
        let long = KeyId([0x54, 0xa7, 0xec, 0x57, 0x34, 0x33, 0xcd, 0x2c]);
        assert_eq!(long.to_string(), "2CCD333457ECA754");
    }
}
