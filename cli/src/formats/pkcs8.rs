//! PKCS#8 under a password: PBES2 (RFC 8018) with scrypt (RFC 7914) or PBKDF2.

use super::wrong_password;
use crate::error::{Error, Kind};
use crate::keys::malformed;
use crate::password::Password;
use crate::text::Shown;
use pkcs8::EncryptedPrivateKeyInfoRef;
use pkcs8::der::asn1::{AnyRef, OctetStringRef};
use pkcs8::der::pem::{LineEnding, PemLabel};
use pkcs8::der::{Decode, Encode, Reader, SliceReader, Tag, Tagged};
use pkcs8::pkcs5::pbes2::{Kdf, Parameters, ScryptParams};
use pkcs8::pkcs5::{self, EncryptionScheme};
use pkcs8::spki::AlgorithmIdentifierRef;
use std::path::Path;
use zeroize::Zeroizing;

/// scrypt with N = 2^14, r = 8 and p = 5: 16 MiB, which is what OpenSSL takes without being told to take more.
const LOG_N: u8 = 14;
const R: u32 = 8;
const P: u32 = 5;
/// PBES2 (RFC 8018, appendix A.4), and what all encryptions of PKCS#12 begin with (RFC 7292, appendix C).
const PBES2: &str = "1.2.840.113549.1.5.13";
const PKCS12: &str = "1.2.840.113549.1.12.1.";
/// Bounds on what a file can make somebody wait for and set aside: two gigabytes to mix with, and what is mixed where r is 8
/// and p as large as it may be.
const MAX_MEMORY: u64 = (2 << 30) + (1 << 20);
const MAX_ITERATIONS: u32 = 100_000_000;

/// What protects a key, in words.
pub(crate) fn protection(der: &[u8]) -> Option<&'static str> {
    match EncryptedPrivateKeyInfoRef::from_der(der)
        .ok()?
        .encryption_algorithm
    {
        EncryptionScheme::Pbes2(parameters) => Some(match parameters.kdf {
            Kdf::Scrypt(_) => "PBES2 with scrypt",
            _ => "PBES2 with PBKDF2",
        }),
        _ => None,
    }
}

/// Decrypts EncryptedPrivateKeyInfo to the DER of PKCS#8.
pub(crate) fn decrypt(
    der: &[u8],
    password: &Password,
    path: &Path,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let info = EncryptedPrivateKeyInfoRef::from_der(der).map_err(|e| match unknown(der) {
        Some(how) => not_read(path, &how),
        None => malformed(path, &format!("its encryption is not understood ({e})")),
    })?;
    let EncryptionScheme::Pbes2(parameters) = &info.encryption_algorithm else {
        return Err(not_read(path, "PBES1, which is weak"));
    };
    if !is_bounded(&parameters.kdf) {
        return Err(malformed(
            path,
            "the costs of its encryption are out of bounds",
        ));
    }
    if let Kdf::Scrypt(scrypt) = &parameters.kdf
        && let Some(memory) = memory_of(scrypt)
    {
        super::check_memory(memory, path)?;
    }
    // In a buffer that is wiped.
    let mut buffer = Zeroizing::new(info.encrypted_data.as_bytes().to_vec());
    let length = parameters
        .decrypt_in_place(password, &mut buffer)
        .map_err(|e| match e {
            pkcs5::Error::DecryptFailed | pkcs5::Error::EncryptFailed => wrong_password(path),
            e => not_read(path, &e.to_string()),
        })?
        .len();
    buffer.truncate(length);
    // A wrong password leaves correct padding once in 256 times, and then noise.
    if !buffer.starts_with(&[0x30]) || AnyRef::from_der(&buffer).is_err() {
        return Err(wrong_password(path));
    }
    Ok(buffer)
}

/// What protects a key that is in order (RFC 5958, section 3), where the library does not know it.
fn unknown(der: &[u8]) -> Option<String> {
    let outer = AnyRef::from_der(der).ok()?;
    let mut fields = SliceReader::new(outer.value()).ok()?;
    let scheme = AlgorithmIdentifierRef::decode(&mut fields).ok()?.oid;
    let key = AnyRef::decode(&mut fields).ok()?;
    if outer.tag() != Tag::Sequence || key.tag() != Tag::OctetString || !fields.is_finished() {
        return None;
    }
    let scheme = scheme.to_string();
    Some(if scheme == PBES2 {
        "PBES2 with a cipher or a derivation that is unusual".to_owned()
    } else if scheme.starts_with(PKCS12) {
        format!("the encryption of PKCS#12 ({scheme}), which is weak")
    } else {
        format!("the encryption {scheme}")
    })
}

fn is_bounded(kdf: &Kdf) -> bool {
    match kdf {
        Kdf::Scrypt(scrypt) => {
            memory_of(scrypt).is_some_and(|memory| memory <= MAX_MEMORY)
                && scrypt.parallelization <= 1024
        }
        Kdf::Pbkdf2(pbkdf2) => pbkdf2.iteration_count <= MAX_ITERATIONS,
        _ => false,
    }
}

/// The bytes that scrypt sets aside (RFC 7914, section 6): N blocks to mix one with, and p of those that are mixed.
fn memory_of(scrypt: &ScryptParams) -> Option<u64> {
    let blocks = scrypt
        .cost_parameter
        .checked_add(u64::from(scrypt.parallelization))?;
    u64::from(scrypt.block_size)
        .checked_mul(128)?
        .checked_mul(blocks)
}

fn not_read(path: &Path, how: &str) -> Error {
    Error::new(
        Kind::BadKey,
        format!(
            "{} is protected in a way that lanner does not read: {how}",
            Shown(path)
        ),
    )
    .with_path(path)
    .with_hint(format!(
        "protect it anew with: openssl pkcs8 -topk8 -v2 aes-256-cbc -in {} -out NEW.pem",
        crate::text::shell_word(path)
    ))
}

/// Encrypts the DER of PKCS#8 to EncryptedPrivateKeyInfo.
pub(crate) fn encrypt(der: &[u8], password: &Password) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut salt = [0; 16];
    let mut iv = [0; 16];
    super::fill_random(&mut salt)?;
    super::fill_random(&mut iv)?;
    let failed =
        |e: &dyn std::fmt::Display| Error::new(Kind::Io, format!("cannot encrypt the key: {e}"));
    let costs = scrypt::Params::new(LOG_N, R, P).expect("the costs are in bounds");
    let parameters =
        Parameters::generate_scrypt_aes256cbc(costs, &salt, iv).map_err(|e| failed(&e))?;
    // Room for the padding: the encryption is in place, in a buffer that is wiped.
    let mut buffer = Zeroizing::new(vec![0; der.len() + 16]);
    buffer[..der.len()].copy_from_slice(der);
    let encrypted = parameters
        .encrypt_in_place(password, &mut buffer, der.len())
        .map_err(|e| failed(&e))?;
    let info = EncryptedPrivateKeyInfoRef {
        encryption_algorithm: parameters.into(),
        encrypted_data: OctetStringRef::new(encrypted).map_err(|e| failed(&e))?,
    };
    info.to_der().map(Zeroizing::new).map_err(|e| failed(&e))
}

/// PEM of what [`encrypt`] returns.
pub(crate) fn encrypted_pem(der: &[u8]) -> Result<Zeroizing<String>, Error> {
    let label = EncryptedPrivateKeyInfoRef::PEM_LABEL;
    pkcs8::der::pem::encode_string(label, LineEnding::LF, der)
        .map(Zeroizing::new)
        .map_err(|e| Error::new(Kind::Io, format!("cannot encode the key: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pkcs8::pkcs5::pbes2::Salt;

    /// A file of a few bytes must not take all the memory that there is.
    #[test]
    fn costs_are_bounded() {
        for (n, r, p, bounded) in [
            (1 << 14, 8, 5, true),
            (1 << 20, 8, 1, true),
            (1 << 21, 8, 1024, true),
            (1 << 22, 8, 1, false),
            (2, 65_535, 1, true),
            (2, 65_535, 1024, false),
            (2, 8, 1024, true),
            (2, 8, 1025, false),
            (u64::MAX, 8, 1, false),
            (u64::MAX - 1, 65_535, 1024, false),
        ] {
            let kdf = Kdf::Scrypt(ScryptParams {
                salt: Salt::new([0; 16]).unwrap(),
                cost_parameter: n,
                block_size: r,
                parallelization: p,
                key_length: None,
            });
            assert_eq!(is_bounded(&kdf), bounded, "{n}, {r}, {p}");
        }
    }
}
