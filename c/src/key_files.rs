//! Key files: PKCS#8 and SubjectPublicKeyInfo, in DER and in PEM.
#![allow(unsafe_code)]

use core::ffi::{c_char, c_int};

use lanner_ed25519::pkcs8::spki::der::pem::LineEnding;
use lanner_ed25519::pkcs8::{
    DecodePrivateKey, DecodePublicKey, Document, EncodePrivateKey, EncodePublicKey, SecretDocument,
};
use lanner_ed25519::{SigningKey, VerifyingKey};
use lanner_fn_dsa::{SigningKey512, SigningKey1024, VerifyingKey512, VerifyingKey1024};
use lanner_x25519::{PublicKey, StaticSecret};
use zeroize::{Zeroize, Zeroizing};

use crate::boundary::{array, bytes, hand_out, write};
use crate::ed25519::Key;
use crate::fn_dsa::{self, KeySlot, Public, PublicSlot};
use crate::status::Error;

/// PEM as C text: with a NUL at the end.
///
/// Wiped afterwards, as the text is that it is made from.
fn c_text(text: impl AsRef<str>) -> Zeroizing<std::vec::Vec<u8>> {
    let text = text.as_ref().as_bytes();
    // With all its room from the start, so that no copy stays behind when it grows.
    let mut bytes = Zeroizing::new(std::vec::Vec::with_capacity(text.len() + 1));
    bytes.extend_from_slice(text);
    bytes.push(0);
    bytes
}

/// The caller's PEM text.
///
/// # Safety
///
/// As [`bytes`].
unsafe fn text<'a>(pointer: *const c_char, length: usize) -> Result<&'a str, Error> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { bytes(pointer.cast(), length) }?;
    core::str::from_utf8(bytes).map_err(|_| Error::Encoding)
}

fn encoding<E>(_: E) -> Error {
    Error::Encoding
}

/// `lanner_ed25519_key_from_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_from_der(
    key: *mut Key,
    der: *const u8,
    der_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        Key::put(key, || {
            SigningKey::from_pkcs8_der(bytes(der, der_length)?).map_err(encoding)
        })
    }
}

/// `lanner_ed25519_key_from_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_from_pem(
    key: *mut Key,
    pem: *const c_char,
    pem_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        Key::put(key, || {
            SigningKey::from_pkcs8_pem(text(pem, pem_length)?).map_err(encoding)
        })
    }
}

/// `lanner_ed25519_key_to_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_to_der(
    key: *const Key,
    der: *mut u8,
    der_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(der, der_length, || {
            let document = Key::get(key)?.to_pkcs8_der().map_err(encoding)?;
            Ok(document.to_bytes())
        })
    }
}

/// `lanner_ed25519_key_to_der_v2` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_to_der_v2(
    key: *const Key,
    der: *mut u8,
    der_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(der, der_length, || {
            let document = Key::get(key)?.to_pkcs8_v2_der().map_err(encoding)?;
            Ok(document.to_bytes())
        })
    }
}

/// `lanner_ed25519_key_to_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_to_pem(
    key: *const Key,
    pem: *mut c_char,
    pem_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(pem.cast(), pem_length, || {
            let pem = Key::get(key)?.to_pkcs8_pem(LineEnding::LF);
            Ok(c_text(&*pem.map_err(encoding)?))
        })
    }
}

/// `lanner_ed25519_public_from_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_public_from_der(
    public: *mut u8,
    der: *const u8,
    der_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(public, || {
            let key = VerifyingKey::from_public_key_der(bytes(der, der_length)?);
            Ok(key.map_err(encoding)?.to_bytes())
        })
    }
}

/// `lanner_ed25519_public_from_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_public_from_pem(
    public: *mut u8,
    pem: *const c_char,
    pem_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(public, || {
            let key = VerifyingKey::from_public_key_pem(text(pem, pem_length)?);
            Ok(key.map_err(encoding)?.to_bytes())
        })
    }
}

/// `lanner_ed25519_public_to_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_public_to_der(
    public: *const u8,
    der: *mut u8,
    der_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(der, der_length, || {
            let key = VerifyingKey::from_bytes(array(public)?).map_err(|_| Error::Key)?;
            let document = key.to_public_key_der().map_err(encoding)?;
            Ok(Zeroizing::new(document.into_vec()))
        })
    }
}

/// `lanner_ed25519_public_to_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_public_to_pem(
    public: *const u8,
    pem: *mut c_char,
    pem_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(pem.cast(), pem_length, || {
            let key = VerifyingKey::from_bytes(array(public)?).map_err(|_| Error::Key)?;
            Ok(c_text(
                key.to_public_key_pem(LineEnding::LF).map_err(encoding)?,
            ))
        })
    }
}

/// The 32 bytes of a secret key that was read.
fn secret_bytes(secret: StaticSecret) -> [u8; 32] {
    let mut copy = secret.to_bytes();
    let bytes = copy;
    copy.zeroize();
    bytes
}

/// `lanner_x25519_secret_from_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_secret_from_der(
    secret: *mut u8,
    der: *const u8,
    der_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(secret, || {
            let key = StaticSecret::from_pkcs8_der(bytes(der, der_length)?);
            Ok(secret_bytes(key.map_err(encoding)?))
        })
    }
}

/// `lanner_x25519_secret_from_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_secret_from_pem(
    secret: *mut u8,
    pem: *const c_char,
    pem_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(secret, || {
            let key = StaticSecret::from_pkcs8_pem(text(pem, pem_length)?);
            Ok(secret_bytes(key.map_err(encoding)?))
        })
    }
}

/// `lanner_x25519_secret_to_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_secret_to_der(
    secret: *const u8,
    der: *mut u8,
    der_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(der, der_length, || {
            let key = StaticSecret::from(*array::<32>(secret)?);
            Ok(key.to_pkcs8_der().map_err(encoding)?.to_bytes())
        })
    }
}

/// `lanner_x25519_secret_to_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_secret_to_pem(
    secret: *const u8,
    pem: *mut c_char,
    pem_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(pem.cast(), pem_length, || {
            let key = StaticSecret::from(*array::<32>(secret)?);
            Ok(c_text(
                &*key.to_pkcs8_pem(LineEnding::LF).map_err(encoding)?,
            ))
        })
    }
}

/// `lanner_x25519_public_from_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_public_from_der(
    public: *mut u8,
    der: *const u8,
    der_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(public, || {
            let key = PublicKey::from_public_key_der(bytes(der, der_length)?);
            Ok(key.map_err(encoding)?.to_bytes())
        })
    }
}

/// `lanner_x25519_public_from_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_public_from_pem(
    public: *mut u8,
    pem: *const c_char,
    pem_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(public, || {
            let key = PublicKey::from_public_key_pem(text(pem, pem_length)?);
            Ok(key.map_err(encoding)?.to_bytes())
        })
    }
}

/// `lanner_x25519_public_to_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_public_to_der(
    public: *const u8,
    der: *mut u8,
    der_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(der, der_length, || {
            let key = PublicKey::from(*array::<32>(public)?);
            let document = key.to_public_key_der().map_err(encoding)?;
            Ok(Zeroizing::new(document.into_vec()))
        })
    }
}

/// `lanner_x25519_public_to_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_public_to_pem(
    public: *const u8,
    pem: *mut c_char,
    pem_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(pem.cast(), pem_length, || {
            let key = PublicKey::from(*array::<32>(public)?);
            Ok(c_text(
                key.to_public_key_pem(LineEnding::LF).map_err(encoding)?,
            ))
        })
    }
}

/// The PKCS#8 document of a key of the main variant.
fn fn_dsa_document(key: &fn_dsa::Key) -> Result<SecretDocument, Error> {
    match key {
        fn_dsa::Key::Main512(key) => key.to_pkcs8_der().map_err(encoding),
        fn_dsa::Key::Main1024(key) => key.to_pkcs8_der().map_err(encoding),
        fn_dsa::Key::Draft512(_) | fn_dsa::Key::Draft1024(_) => Err(Error::Unsupported),
    }
}

/// The SubjectPublicKeyInfo document of a key of the main variant.
fn fn_dsa_public_document(key: &Public) -> Result<Document, Error> {
    match key {
        Public::Main512(key) => key.to_public_key_der().map_err(encoding),
        Public::Main1024(key) => key.to_public_key_der().map_err(encoding),
        Public::Draft512(_) | Public::Draft1024(_) => Err(Error::Unsupported),
    }
}

/// `lanner_fn_dsa_key_from_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_from_der(
    key: *mut KeySlot,
    der: *const u8,
    der_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        KeySlot::put(key, || {
            let der = bytes(der, der_length)?;
            SigningKey512::from_pkcs8_der(der)
                .map(fn_dsa::Key::Main512)
                .or_else(|_| SigningKey1024::from_pkcs8_der(der).map(fn_dsa::Key::Main1024))
                .map_err(encoding)
        })
    }
}

/// `lanner_fn_dsa_key_from_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_from_pem(
    key: *mut KeySlot,
    pem: *const c_char,
    pem_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        KeySlot::put(key, || {
            let pem = text(pem, pem_length)?;
            SigningKey512::from_pkcs8_pem(pem)
                .map(fn_dsa::Key::Main512)
                .or_else(|_| SigningKey1024::from_pkcs8_pem(pem).map(fn_dsa::Key::Main1024))
                .map_err(encoding)
        })
    }
}

/// `lanner_fn_dsa_key_to_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_to_der(
    key: *const KeySlot,
    der: *mut u8,
    der_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(der, der_length, || {
            Ok(fn_dsa_document(KeySlot::get(key)?)?.to_bytes())
        })
    }
}

/// `lanner_fn_dsa_key_to_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_to_pem(
    key: *const KeySlot,
    pem: *mut c_char,
    pem_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(pem.cast(), pem_length, || {
            let pem = fn_dsa_document(KeySlot::get(key)?)?.to_pem("PRIVATE KEY", LineEnding::LF);
            Ok(c_text(&*pem.map_err(encoding)?))
        })
    }
}

/// `lanner_fn_dsa_public_from_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_public_from_der(
    public: *mut PublicSlot,
    der: *const u8,
    der_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        PublicSlot::put(public, || {
            let der = bytes(der, der_length)?;
            VerifyingKey512::from_public_key_der(der)
                .map(Public::Main512)
                .or_else(|_| VerifyingKey1024::from_public_key_der(der).map(Public::Main1024))
                .map_err(encoding)
        })
    }
}

/// `lanner_fn_dsa_public_from_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_public_from_pem(
    public: *mut PublicSlot,
    pem: *const c_char,
    pem_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        PublicSlot::put(public, || {
            let pem = text(pem, pem_length)?;
            VerifyingKey512::from_public_key_pem(pem)
                .map(Public::Main512)
                .or_else(|_| VerifyingKey1024::from_public_key_pem(pem).map(Public::Main1024))
                .map_err(encoding)
        })
    }
}

/// `lanner_fn_dsa_public_to_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_public_to_der(
    public: *const PublicSlot,
    der: *mut u8,
    der_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(der, der_length, || {
            Ok(fn_dsa_public_document(PublicSlot::get(public)?)?.into_vec())
        })
    }
}

/// `lanner_fn_dsa_public_to_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_public_to_pem(
    public: *const PublicSlot,
    pem: *mut c_char,
    pem_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(pem.cast(), pem_length, || {
            let document = fn_dsa_public_document(PublicSlot::get(public)?)?;
            let pem = document.to_pem("PUBLIC KEY", LineEnding::LF);
            Ok(c_text(pem.map_err(encoding)?))
        })
    }
}
