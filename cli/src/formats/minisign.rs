//! Key files of minisign and of signify: a comment and one line of Base64.
//!
//! Their public keys are the same bytes. Their secret keys are not: minisign derives the mask of a secret key from the
//! password with scrypt and masks the key's number as well, signify with the key derivation of OpenSSH, and leaves the
//! number in the clear.

use super::{KeyId, Secret, Unlocked};
use crate::base64;
use crate::error::{Error, Kind};
use crate::keys::{PublicKey, malformed};
use crate::password::Password;
use crate::wire::Reader;
use blake2::Blake2b;
use blake2::digest::consts::U32;
use sha2::{Digest, Sha512};
use std::path::Path;
use zeroize::Zeroizing;

pub(crate) const COMMENT: &[u8] = b"untrusted comment: ";
/// "Ed", the number of the key, the key.
pub(crate) const PUBLIC: usize = 42;
/// "Ed", "Sc" or zeros, "B2", the salt, two costs, and [`MASKED`].
pub(crate) const MINISIGN_SECRET: usize = 158;
/// The number of the key, the seed and the public key, the hash of it all.
const MASKED: usize = 104;
/// "Ed", "BK", the rounds, the salt, a part of the hash, the number of the key, the seed and the public key.
pub(crate) const SIGNIFY_SECRET: usize = 104;
/// The costs that are written: 128 MiB, as scrypt with N = 2^17, r = 8 and p = 1.
const OPERATIONS: u64 = 4 << 20;
const MEMORY: u64 = 128 << 20;
/// What signify has.
const ROUNDS: u32 = 42;
const MAX_ROUNDS: u32 = 1 << 20;

/// The number of a key, from its 42 bytes.
pub(crate) fn read_public(bytes: &[u8], path: &Path) -> Result<(PublicKey, KeyId), Error> {
    let mut reader = Reader::new(bytes);
    match (reader.bytes(2), reader.bytes(8), reader.bytes(32)) {
        (Some(b"Ed"), Some(id), Some(key)) if reader.is_empty() => Ok((
            PublicKey::ed25519(key, path)?,
            KeyId(id.try_into().expect("eight bytes")),
        )),
        _ => Err(malformed(
            path,
            "it is no public key of minisign or signify",
        )),
    }
}

/// The 42 bytes of a public key.
pub(crate) fn public_bytes(key: &[u8; 32], id: KeyId) -> Vec<u8> {
    [&b"Ed"[..], &id.0, key].concat()
}

pub(crate) fn minisign_public(key: &[u8; 32], id: KeyId, comment: Option<&str>) -> String {
    let default = format!("minisign public key {id}");
    file(comment.unwrap_or(&default), &public_bytes(key, id)).to_string()
}

pub(crate) fn signify_public(key: &[u8; 32], id: KeyId, comment: Option<&str>) -> String {
    let comment = format!("{} public key", comment.unwrap_or("signify"));
    file(&comment, &public_bytes(key, id)).to_string()
}

/// A comment and the Base64 of `bytes`.
pub(crate) fn file(comment: &str, bytes: &[u8]) -> Zeroizing<String> {
    let body = base64::encode(bytes);
    let mut text = Zeroizing::new(String::with_capacity(
        COMMENT.len() + comment.len() + body.len() + 2,
    ));
    text.push_str("untrusted comment: ");
    text.push_str(comment);
    text.push('\n');
    text.push_str(&body);
    text.push('\n');
    text
}

/// What the user wrote in the comment of a key file, if it is not what the tools put there by themselves.
pub(crate) fn users_comment(comment: &str) -> Option<String> {
    let comment = comment.trim();
    let comment = comment
        .strip_suffix(" public key")
        .or_else(|| comment.strip_suffix(" secret key"))
        .unwrap_or(comment);
    let made_by_tool = comment.is_empty()
        || ["signify", "minisign", "minisign encrypted"].contains(&comment)
        || comment.starts_with("minisign public key ")
        || comment.starts_with("minisign encrypted secret key");
    (!made_by_tool).then(|| comment.to_owned())
}

/// True if a secret key of minisign has a password.
pub(crate) fn minisign_is_encrypted(bytes: &[u8]) -> bool {
    bytes.get(2..4) != Some(&[0, 0])
}

/// True if a secret key of signify has a password.
pub(crate) fn signify_is_encrypted(bytes: &[u8]) -> bool {
    bytes.get(4..8) != Some(&[0; 4])
}

/// The number of a secret key of signify, which stands in the clear.
pub(crate) fn signify_id(bytes: &[u8]) -> Option<KeyId> {
    bytes.get(32..40)?.try_into().ok().map(KeyId)
}

pub(crate) fn unlock_minisign(
    bytes: &[u8],
    password: Option<&Password>,
    path: &Path,
) -> Result<Unlocked, Error> {
    let mut reader = Reader::new(bytes);
    let parts = (|| {
        let head = reader.bytes(6)?;
        let salt = reader.bytes(32)?;
        let operations = u64::from_le_bytes(reader.bytes(8)?.try_into().ok()?);
        let memory = u64::from_le_bytes(reader.bytes(8)?.try_into().ok()?);
        Some((head, salt, operations, memory, reader.bytes(MASKED)?))
    })();
    let known = [&b"EdScB2"[..], b"Ed\0\0B2"];
    let (head, salt, operations, memory, masked) = parts
        .filter(|parts| known.contains(&parts.0) && reader.is_empty())
        .ok_or_else(|| malformed(path, "it is no secret key of minisign"))?;
    let mut plain = Zeroizing::new([0; MASKED]);
    plain.copy_from_slice(masked);
    if let Some(password) = password {
        apply_scrypt(&mut *plain, password, salt, operations, memory, path)?;
    }
    let (id, rest) = plain.split_at(8);
    let (pair, hash) = rest.split_at(64);
    // minisign -W leaves the hash out.
    let is_left_out = head[2] == 0 && hash == [0; 32];
    if !is_left_out && *minisign_hash(id, pair) != *hash {
        return Err(if head[2] == 0 {
            malformed(path, "its checksum is wrong")
        } else {
            super::wrong_password(path)
        });
    }
    Ok(Unlocked {
        key: Secret::ed25519_with_public(pair, path)?,
        comment: None,
        key_id: Some(KeyId(id.try_into().expect("eight bytes"))),
    })
}

fn minisign_hash(id: &[u8], pair: &[u8]) -> Zeroizing<[u8; 32]> {
    let hash = Blake2b::<U32>::new()
        .chain_update(b"Ed")
        .chain_update(id)
        .chain_update(pair)
        .finalize();
    Zeroizing::new(hash.into())
}

/// Masks or unmasks `bytes` with what scrypt makes of the password at libsodium's two costs.
fn apply_scrypt(
    bytes: &mut [u8],
    password: &Password,
    salt: &[u8],
    operations: u64,
    memory: u64,
    path: &Path,
) -> Result<(), Error> {
    let parameters = scrypt_parameters(operations, memory)
        .ok_or_else(|| malformed(path, "the costs of its encryption are out of bounds"))?;
    super::check_memory(
        (u64::from(parameters.r()) * 128) << parameters.log_n(),
        path,
    )?;
    let mut mask = Zeroizing::new([0; MASKED]);
    scrypt::scrypt(password, salt, &parameters, &mut *mask).expect("the length is in bounds");
    for (byte, mask) in bytes.iter_mut().zip(mask.iter()) {
        *byte ^= mask;
    }
    Ok(())
}

/// The parameters that libsodium's crypto_pwhash_scryptsalsa208sha256 chooses for its two costs. At most 2 GiB.
fn scrypt_parameters(operations: u64, memory: u64) -> Option<scrypt::Params> {
    const R: u64 = 8;
    const MAX_MEMORY: u64 = 2 << 30;
    let operations = operations.max(32768);
    let by_operations = operations < memory / 32;
    let max_n = if by_operations {
        operations / (R * 4)
    } else {
        memory / (R * 128)
    };
    let log_n = (1..63).find(|&log_n| 1u64 << log_n > max_n / 2)?;
    let p = if by_operations {
        1
    } else {
        ((operations / 4) >> log_n).min(0x3fff_ffff) / R
    };
    // p is bounded for the same reason as the memory: a file must not make somebody wait for days.
    let bounded = R * 128 <= MAX_MEMORY >> log_n && (1..=1024).contains(&p);
    if !bounded {
        return None;
    }
    scrypt::Params::new(u8::try_from(log_n).ok()?, R as u32, u32::try_from(p).ok()?).ok()
}

pub(crate) fn write_minisign_secret(
    pair: &[u8; 64],
    id: KeyId,
    comment: Option<&str>,
    password: Option<&Password>,
) -> Result<Zeroizing<String>, Error> {
    let mut plain = Zeroizing::new([0; MASKED]);
    plain[..8].copy_from_slice(&id.0);
    plain[8..72].copy_from_slice(pair);
    plain[72..].copy_from_slice(&*minisign_hash(&id.0, pair));
    let mut salt = [0; 32];
    let (mut operations, mut memory) = (0, 0);
    if let Some(password) = password {
        super::fill_random(&mut salt)?;
        (operations, memory) = (OPERATIONS, MEMORY);
        apply_scrypt(
            &mut *plain,
            password,
            &salt,
            operations,
            memory,
            Path::new(""),
        )?;
    }
    let mut bytes = Zeroizing::new(Vec::with_capacity(MINISIGN_SECRET));
    bytes.extend_from_slice(b"Ed");
    bytes.extend_from_slice(if password.is_some() { b"Sc" } else { b"\0\0" });
    bytes.extend_from_slice(b"B2");
    bytes.extend_from_slice(&salt);
    bytes.extend_from_slice(&operations.to_le_bytes());
    bytes.extend_from_slice(&memory.to_le_bytes());
    bytes.extend_from_slice(&*plain);
    let default = if password.is_some() {
        "minisign encrypted secret key"
    } else {
        "minisign secret key"
    };
    Ok(file(comment.unwrap_or(default), &bytes))
}

pub(crate) fn unlock_signify(
    bytes: &[u8],
    password: Option<&Password>,
    path: &Path,
) -> Result<Unlocked, Error> {
    let mut reader = Reader::new(bytes);
    let parts = (|| {
        let head = reader.bytes(4)?;
        let rounds = reader.number()?;
        let salt = reader.bytes(16)?;
        let check = reader.bytes(8)?;
        let id = reader.bytes(8)?;
        Some((head, rounds, salt, check, id, reader.bytes(64)?))
    })();
    let (_, rounds, salt, check, id, masked) = parts
        .filter(|parts| parts.0 == b"EdBK" && reader.is_empty() && parts.1 <= MAX_ROUNDS)
        .ok_or_else(|| malformed(path, "it is no secret key of signify"))?;
    let mut pair = Zeroizing::new([0; 64]);
    pair.copy_from_slice(masked);
    if let Some(password) = password {
        apply_bcrypt(&mut pair, password, salt, rounds)
            .ok_or_else(|| super::wrong_password(path))?;
    }
    if Sha512::digest(*pair)[..8] != *check {
        return Err(if rounds == 0 {
            malformed(path, "its checksum is wrong")
        } else {
            super::wrong_password(path)
        });
    }
    Ok(Unlocked {
        key: Secret::ed25519_with_public(&*pair, path)?,
        comment: None,
        key_id: Some(KeyId(id.try_into().expect("eight bytes"))),
    })
}

/// `None` if the password is empty, which this derivation does not take.
fn apply_bcrypt(bytes: &mut [u8; 64], password: &Password, salt: &[u8], rounds: u32) -> Option<()> {
    let mut mask = Zeroizing::new([0; 64]);
    bcrypt_pbkdf::bcrypt_pbkdf(password.as_slice(), salt, rounds, &mut *mask).ok()?;
    for (byte, mask) in bytes.iter_mut().zip(mask.iter()) {
        *byte ^= mask;
    }
    Some(())
}

pub(crate) fn write_signify_secret(
    pair: &[u8; 64],
    id: KeyId,
    comment: Option<&str>,
    password: Option<&Password>,
) -> Result<Zeroizing<String>, Error> {
    let mut masked = Zeroizing::new(*pair);
    let mut salt = [0; 16];
    super::fill_random(&mut salt)?;
    let check = Zeroizing::new(<[u8; 64]>::from(Sha512::digest(pair)));
    let rounds = if password.is_some() { ROUNDS } else { 0 };
    if let Some(password) = password {
        apply_bcrypt(&mut masked, password, &salt, rounds)
            .ok_or_else(|| Error::new(Kind::Usage, "the new password is empty"))?;
    }
    let mut bytes = Zeroizing::new(Vec::with_capacity(SIGNIFY_SECRET));
    bytes.extend_from_slice(b"EdBK");
    bytes.extend_from_slice(&rounds.to_be_bytes());
    bytes.extend_from_slice(&salt);
    bytes.extend_from_slice(&check[..8]);
    bytes.extend_from_slice(&id.0);
    bytes.extend_from_slice(&*masked);
    let comment = format!("{} secret key", comment.unwrap_or("signify"));
    Ok(file(&comment, &bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// libsodium's costs named interactive and sensitive, and what this module writes.
    #[test]
    fn costs_of_libsodium() {
        for (operations, memory, log_n, p) in [
            (524_288, 16 << 20, 14, 1),
            (33_554_432, 1 << 30, 20, 1),
            (OPERATIONS, MEMORY, 17, 1),
            (0, 0, 1, 512),
            (1 << 20, 1 << 40, 15, 1),
        ] {
            let parameters = scrypt_parameters(operations, memory).unwrap();
            let chosen = (parameters.log_n(), parameters.r(), parameters.p());
            assert_eq!(chosen, (log_n, 8, p), "{operations}, {memory}");
        }
        assert!(scrypt_parameters(u64::MAX, u64::MAX).is_none());
        assert!(scrypt_parameters(1 << 50, 1 << 20).is_none());
    }

    #[test]
    fn comments_of_the_tools_are_not_the_users() {
        for (comment, expected) in [
            ("minisign public key 1234567890ABCDEF", None),
            ("minisign encrypted secret key", None),
            ("minisign secret key", None),
            ("signify public key", None),
            ("signify secret key", None),
            ("alice public key", Some("alice")),
            ("alice@example.org", Some("alice@example.org")),
            ("", None),
        ] {
            assert_eq!(users_comment(comment).as_deref(), expected, "{comment}");
        }
    }
}
