//! Keys, of any algorithm, and their encodings: PKCS#8 and SubjectPublicKeyInfo (RFC 8410, RFC 5958), and what OpenSSH
//! calls a key.

mod public;
mod secret;
mod ssh;

pub(crate) use ssh::{foreign_ssh_kind, is_foreign_ssh_key, is_private_ssh_name};

use crate::algorithm::{
    Algorithm, OID_ED25519, OID_X25519, SignatureAlgorithm, foreign_kind, is_falcon,
};
use crate::error::{Error, Kind};
use crate::schemes::{ed25519, fn_dsa, hybrid, x25519};
use crate::text::Shown;
use pkcs8::ObjectIdentifier;
use pkcs8::spki::AlgorithmIdentifierRef;
use std::fmt;
use std::path::Path;

/// A secret key; wiped when dropped. It is in the heap, so that moving one leaves no copy behind.
pub(crate) enum SecretKey {
    Signing(SigningKey),
    X25519(Box<x25519::StaticSecret>),
}

/// A secret key that signs.
pub(crate) enum SigningKey {
    Ed25519(Box<ed25519::SigningKey>),
    /// A key of degree 512 or 1024.
    FnDsa(Box<fn_dsa::SigningKeyStandard>),
    /// Both, with FN-DSA of degree 512 or 1024.
    Hybrid(Box<hybrid::SigningKeyStandard>),
}

/// A public key.
#[derive(Clone, Debug)]
pub(crate) enum PublicKey {
    Verifying(VerifyingKey),
    X25519(x25519::PublicKey),
}

/// A public key that verifies signatures.
#[derive(Clone, Debug)]
pub(crate) enum VerifyingKey {
    Ed25519(ed25519::VerifyingKey),
    /// A key of degree 512 or 1024.
    FnDsa(Box<fn_dsa::VerifyingKeyStandard>),
    /// Both, with FN-DSA of degree 512 or 1024.
    Hybrid(Box<hybrid::VerifyingKeyStandard>),
    /// A key in a security key (sk-ssh-ed25519), which signs SSH signatures only.
    Sk(Box<SkKey>),
}

/// The public half of a key that a FIDO authenticator holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkKey {
    pub(crate) key: ed25519::VerifyingKey,
    /// What the key is bound to: `ssh:` and perhaps more.
    pub(crate) application: String,
}

/// Runs what has secrets as values, which are copied as they are moved, and overwrites the stack that it used before
/// anything else runs: an enum that is built there and moved to the heap takes along what its unused part finds.
///
/// What comes back should be in the heap. The schemes overwrite what they use themselves, deep as they go; this is
/// for the functions between them and here, and for the decryption of keys, which take less. (`tests/cli/residue.rs` searches; what it finds depends on
/// how the compiler shares out the code: `CARGO_INCREMENTAL=0` has shown a key where other builds did not.)
pub(crate) fn without_traces<R>(operation: impl FnOnce() -> R) -> R {
    const STACK: usize = 64 * 1024;
    lanner_simd::stack::cleared::<STACK, _>(operation)
}

/// The algorithm of FN-DSA keys of degree 2^logn.
fn of_degree(logn: u32) -> SignatureAlgorithm {
    if logn == fn_dsa::FN_DSA_LOGN_512 {
        SignatureAlgorithm::FnDsa512
    } else {
        SignatureAlgorithm::FnDsa1024
    }
}

/// The hybrid with FN-DSA keys of degree 2^logn.
fn hybrid_of_degree(logn: u32) -> SignatureAlgorithm {
    if logn == hybrid::LOGN_512 {
        SignatureAlgorithm::Hybrid512
    } else {
        SignatureAlgorithm::Hybrid1024
    }
}

/// The identifiers of hybrid keys, which are this project's own.
fn is_hybrid(oid: ObjectIdentifier) -> bool {
    [hybrid::HYBRID_512_OID, hybrid::HYBRID_1024_OID].contains(&oid)
}

/// The identifier of an algorithm, which for the curves must have no parameters.
fn checked_identifier(
    identifier: &AlgorithmIdentifierRef<'_>,
    path: &Path,
) -> Result<ObjectIdentifier, Error> {
    let oid = identifier.oid;
    if identifier.parameters.is_some() && (oid == OID_ED25519 || oid == OID_X25519) {
        return Err(malformed(
            path,
            "its algorithm has parameters, which RFC 8410 forbids",
        ));
    }
    Ok(oid)
}

/// The file is a key file, but there is something wrong with the key.
pub(crate) fn malformed(path: &Path, why: &str) -> Error {
    Error::new(
        Kind::BadKey,
        format!("{} is not a usable key: {why}", Shown(path)),
    )
    .with_path(path)
    .with_hint(OF_SECRET)
}

const OF_SECRET: &str =
    "take the key from its backup, or make a new one with: lanner keygen -o KEY.pem";

/// The same where a public key is wanted, which nobody makes anew.
pub(crate) fn of_public(error: Error) -> Error {
    error.with_hint_instead(
        OF_SECRET,
        "take it again from whoever gave it to you; of your own key: lanner public KEY -o PUB",
    )
}

/// The key in `path` is of another algorithm than the one that is asked for.
pub(crate) fn wrong_algorithm(path: &Path, found: Algorithm, wanted: Algorithm) -> Error {
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is an {found} key; --alg asks for an {wanted} key",
            Shown(path)
        ),
    )
    .with_path(path)
}

/// A key of an algorithm that is none of ours.
fn foreign_key(oid: ObjectIdentifier, path: &Path) -> Error {
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is {}; lanner works with Ed25519, X25519 and FN-DSA",
            Shown(path),
            foreign_kind(oid)
        ),
    )
    .with_path(path)
    .with_hint(if is_falcon(&oid.to_string()) {
        "Falcon and FN-DSA are two schemes, and a key that signs in both lets signatures be forged across \
         them; make a key with: lanner keygen --alg fn-dsa-512 -o KEY.pem"
    } else {
        "make a key with: lanner keygen -o KEY.pem"
    })
}

/// The key in `path` does not sign, or not by the algorithm that is asked for.
fn no_signing_key(path: &Path, found: Algorithm, wanted: Option<SignatureAlgorithm>) -> Error {
    let need = match wanted {
        Some(wanted) => format!("--alg asks for an {wanted} key"),
        None => format!(
            "this command needs a key for signatures ({})",
            SignatureAlgorithm::NAMES
        ),
    };
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is an {found} key, for {}; {need}",
            Shown(path),
            found.purpose()
        ),
    )
    .with_path(path)
}

/// The key in `path` is for signatures, and key agreement is wanted.
fn no_x25519_key(path: &Path, found: SignatureAlgorithm) -> Error {
    let purpose = Algorithm::from(found).purpose();
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is an {found} key, for {purpose}; this command needs an X25519 key, for {}",
            Shown(path),
            Algorithm::X25519.purpose()
        ),
    )
    .with_path(path)
}

/// What somebody does who has a secret key of the wrong kind.
fn make_one(wanted: Algorithm) -> String {
    format!(
        "make one with: lanner keygen --alg {} -o KEY.pem",
        wanted.option()
    )
}

fn no_random_numbers(error: &dyn fmt::Display) -> Error {
    Error::new(
        Kind::Io,
        format!("the operating system gives no random numbers: {error}"),
    )
}

/// Cannot happen: the lengths are fixed.
fn encoding_error(error: &dyn fmt::Display) -> Error {
    Error::new(Kind::Io, format!("cannot encode the key: {error}"))
}
