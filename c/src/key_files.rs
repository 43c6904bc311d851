//! Key files: PKCS#8 and SubjectPublicKeyInfo, in DER and in PEM.
//!
//! Everything happens in buffers on the stack, which are wiped: there is no memory that could lack, and none
//! in which a growing text would leave copies of a secret.
#![allow(unsafe_code)]

use core::ffi::{c_char, c_int};

use lanner_ed25519::pkcs8::spki::der::asn1::{BitStringRef, OctetStringRef};
use lanner_ed25519::pkcs8::spki::der::pem::{self, LineEnding, PemLabel};
use lanner_ed25519::pkcs8::spki::der::{AnyRef, Encode};
use lanner_ed25519::pkcs8::spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};
use lanner_ed25519::pkcs8::{
    DecodePrivateKey, DecodePublicKey, ObjectIdentifier, PrivateKeyInfoRef,
};
use lanner_ed25519::{SigningKey, VerifyingKey};
use lanner_fn_dsa::{
    FALCON_512_OID, FALCON_1024_OID, FN_DSA_512_OID, FN_DSA_1024_OID, SigningKey512,
    SigningKey1024, VerifyingKey512, VerifyingKey1024, falcon,
};
use lanner_x25519::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

use crate::boundary::{DEEP, array, bytes, hand_out, secret, write, write_from};
use crate::ed25519::Key;
use crate::fn_dsa::{self, KeySlot, MAX_PUBLIC, MAX_SECRET, Public, PublicSlot, Variant};
use crate::status::Error;

/// RFC 8410 section 3: id-X25519 and id-Ed25519.
const X25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.110");
const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

/// More than what a document has beside its keys.
const FRAME: usize = 40;

/// Room for the largest document of the 32-byte keys: PKCS#8 version 2.
const SMALL_DER: usize = 2 * 32 + FRAME;

/// Room for the largest document of FN-DSA's keys, which holds both halves.
const LARGE_DER: usize = MAX_SECRET + MAX_PUBLIC + FRAME;

/// Room for the PEM text of a document: four characters for three bytes, a line's end after 64, the two
/// boundaries and a NUL.
const fn pem_room(der: usize) -> usize {
    let characters = der.div_ceil(3) * 4;
    characters + characters.div_ceil(64) + 64 + 1
}
const SMALL_PEM: usize = pem_room(SMALL_DER);
const LARGE_PEM: usize = pem_room(LARGE_DER);

/// The longest document that is read from PEM: the largest key and all its attributes.
const MAX_DER: usize = 8192;

/// How deep the parsers go on the stack with a secret key in their hands, from DER and from PEM.
const DER_DEPTH: usize = 4096;
const PEM_DEPTH: usize = MAX_DER + DER_DEPTH;
const LATTICE_PEM_DEPTH: usize = MAX_DER + 2 * DEEP;

fn encoding<E>(_: E) -> Error {
    Error::Encoding
}

/// Reads what the caller's PEM text encodes, under the label of `T`.
///
/// # Safety
///
/// As [`bytes`].
unsafe fn from_pem<T: PemLabel, R, E>(
    pointer: *const c_char,
    length: usize,
    read: impl FnOnce(&[u8]) -> Result<R, E>,
) -> Result<R, Error> {
    // SAFETY: the caller's promise.
    let text = unsafe { bytes(pointer.cast(), length) }?;
    let mut buffer = Zeroizing::new([0; MAX_DER]);
    let (label, der) = pem::decode(text, &mut *buffer).map_err(encoding)?;
    T::validate_pem_label(label).map_err(encoding)?;
    read(der).map_err(encoding)
}

/// Writes a document in DER; its length.
fn to_der(document: &impl Encode, out: &mut [u8]) -> Result<usize, Error> {
    Ok(document.encode_to_slice(out).map_err(encoding)?.len())
}

/// Writes a document in PEM as C text, with a NUL at the end, by way of the buffer `der`; its length with
/// the NUL.
fn to_pem<D: Encode + PemLabel>(
    document: &D,
    der: &mut [u8],
    out: &mut [u8],
) -> Result<usize, Error> {
    let der = document.encode_to_slice(der).map_err(encoding)?;
    let text = pem::encode(D::PEM_LABEL, LineEnding::LF, der, out).map_err(encoding)?;
    let length = text.len();
    *out.get_mut(length).ok_or(Error::Encoding)? = 0;
    Ok(length + 1)
}

fn algorithm(oid: ObjectIdentifier) -> AlgorithmIdentifierRef<'static> {
    AlgorithmIdentifierRef {
        oid,
        parameters: None::<AnyRef<'static>>,
    }
}

/// Hands the PKCS#8 document of a 32-byte secret key to `run`: version 2 with a public key, else 1
/// (RFC 8410 section 7).
fn with_secret_document<R>(
    oid: ObjectIdentifier,
    key: &[u8; 32],
    public: Option<&[u8; 32]>,
    run: impl FnOnce(&PrivateKeyInfoRef<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    // An octet string in an octet string.
    let mut inner = Zeroizing::new([0; 34]);
    inner[..2].copy_from_slice(&[0x04, 0x20]);
    inner[2..].copy_from_slice(key);
    let inner = OctetStringRef::new(&*inner).map_err(encoding)?;
    let mut document = PrivateKeyInfoRef::new(algorithm(oid), inner);
    if let Some(public) = public {
        document.public_key = Some(BitStringRef::from_bytes(public).map_err(encoding)?);
    }
    run(&document)
}

/// The SubjectPublicKeyInfo document of a public key.
fn public_document(
    oid: ObjectIdentifier,
    key: &[u8],
) -> Result<SubjectPublicKeyInfoRef<'_>, Error> {
    Ok(SubjectPublicKeyInfoRef {
        algorithm: algorithm(oid),
        subject_public_key: BitStringRef::from_bytes(key).map_err(encoding)?,
    })
}

/// A public key of Ed25519 that is a point.
///
/// # Safety
///
/// As [`array`].
unsafe fn ed25519_public(pointer: *const u8) -> Result<[u8; 32], Error> {
    // SAFETY: the caller's promise.
    let key = unsafe { array(pointer) }?;
    VerifyingKey::from_bytes(&key).map_err(|_| Error::Key)?;
    Ok(key)
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
        Key::put_from::<DER_DEPTH>(key, || {
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
        Key::put_from::<PEM_DEPTH>(key, || {
            from_pem::<PrivateKeyInfoRef<'_>, _, _>(pem, pem_length, SigningKey::from_pkcs8_der)
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
        hand_out::<SMALL_DER>(der, der_length, |out| {
            let seed = Key::get(key)?.as_bytes();
            with_secret_document(ED25519, seed, None, |document| to_der(document, out))
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
        hand_out::<SMALL_DER>(der, der_length, |out| {
            let key = Key::get(key)?;
            let public = Some(key.as_ref().as_bytes());
            with_secret_document(ED25519, key.as_bytes(), public, |document| {
                to_der(document, out)
            })
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
        hand_out::<SMALL_PEM>(pem.cast(), pem_length, |out| {
            let mut der = Zeroizing::new([0; SMALL_DER]);
            with_secret_document(ED25519, Key::get(key)?.as_bytes(), None, |document| {
                to_pem(document, &mut *der, out)
            })
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
        write(public, |out| {
            let key = VerifyingKey::from_public_key_der(bytes(der, der_length)?);
            *out = key.map_err(encoding)?.to_bytes();
            Ok(())
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
        write(public, |out| {
            let read = VerifyingKey::from_public_key_der;
            *out = from_pem::<SubjectPublicKeyInfoRef<'_>, _, _>(pem, pem_length, read)?.to_bytes();
            Ok(())
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
        hand_out::<SMALL_DER>(der, der_length, |out| {
            to_der(&public_document(ED25519, &ed25519_public(public)?)?, out)
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
        hand_out::<SMALL_PEM>(pem.cast(), pem_length, |out| {
            let key = ed25519_public(public)?;
            to_pem(&public_document(ED25519, &key)?, &mut [0; SMALL_DER], out)
        })
    }
}

/// `lanner_x25519_secret_from_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_secret_from_der(
    out: *mut u8,
    der: *const u8,
    der_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write_from::<DER_DEPTH, 32>(out, |out| {
            let key = StaticSecret::from_pkcs8_der(bytes(der, der_length)?);
            out.copy_from_slice(key.map_err(encoding)?.as_bytes());
            Ok(())
        })
    }
}

/// `lanner_x25519_secret_from_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_secret_from_pem(
    out: *mut u8,
    pem: *const c_char,
    pem_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write_from::<PEM_DEPTH, 32>(out, |out| {
            let read = StaticSecret::from_pkcs8_der;
            let key = from_pem::<PrivateKeyInfoRef<'_>, _, _>(pem, pem_length, read)?;
            out.copy_from_slice(key.as_bytes());
            Ok(())
        })
    }
}

/// `lanner_x25519_secret_to_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_secret_to_der(
    key: *const u8,
    der: *mut u8,
    der_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<SMALL_DER>(der, der_length, |out| {
            let mut copy = Zeroizing::new([0; 32]);
            let key = secret(key, &mut copy)?;
            with_secret_document(X25519, key, None, |document| to_der(document, out))
        })
    }
}

/// `lanner_x25519_secret_to_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_secret_to_pem(
    key: *const u8,
    pem: *mut c_char,
    pem_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<SMALL_PEM>(pem.cast(), pem_length, |out| {
            let mut copy = Zeroizing::new([0; 32]);
            let key = secret(key, &mut copy)?;
            let mut der = Zeroizing::new([0; SMALL_DER]);
            with_secret_document(X25519, key, None, |document| {
                to_pem(document, &mut *der, out)
            })
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
        write(public, |out| {
            let key = PublicKey::from_public_key_der(bytes(der, der_length)?);
            *out = key.map_err(encoding)?.to_bytes();
            Ok(())
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
        write(public, |out| {
            let read = PublicKey::from_public_key_der;
            *out = from_pem::<SubjectPublicKeyInfoRef<'_>, _, _>(pem, pem_length, read)?.to_bytes();
            Ok(())
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
        hand_out::<SMALL_DER>(der, der_length, |out| {
            to_der(&public_document(X25519, &array::<32>(public)?)?, out)
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
        hand_out::<SMALL_PEM>(pem.cast(), pem_length, |out| {
            let key = array::<32>(public)?;
            to_pem(&public_document(X25519, &key)?, &mut [0; SMALL_DER], out)
        })
    }
}

/// The identifier of a key.
fn fn_dsa_oid(variant: Variant, logn: u32) -> Result<ObjectIdentifier, Error> {
    match (variant, logn) {
        (Variant::Main, 9) => Ok(FN_DSA_512_OID),
        (Variant::Main, _) => Ok(FN_DSA_1024_OID),
        (Variant::Falcon, 9) => Ok(FALCON_512_OID),
        (Variant::Falcon, _) => Ok(FALCON_1024_OID),
        // It will change, and its files would be left behind.
        (Variant::Draft2026, _) => Err(Error::Unsupported),
    }
}

/// Hands the PKCS#8 document of a key to `run`, as Open Quantum Safe's provider writes it: an octet string
/// of the signing key followed by the verifying key, in an octet string.
fn with_fn_dsa_document<R>(
    key: &fn_dsa::Key,
    run: impl FnOnce(&PrivateKeyInfoRef<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    /// Tag and length of an octet string of more than 255 bytes.
    const HEADER: usize = 4;
    let oid = fn_dsa_oid(key.variant(), key.logn())?;
    let mut buffer = Zeroizing::new([0; HEADER + MAX_SECRET + MAX_PUBLIC]);
    let length = key.secret_size() + lanner_fn_dsa::vrfy_key_size(key.logn());
    let (header, keys) = buffer[..HEADER + length].split_at_mut(HEADER);
    let [high, low] = (length as u16).to_be_bytes();
    header.copy_from_slice(&[0x04, 0x82, high, low]);
    let (secret, public) = keys.split_at_mut(key.secret_size());
    key.write_secret(secret)?;
    key.write_public(public)?;
    let inner = OctetStringRef::new(&buffer[..HEADER + length]).map_err(encoding)?;
    run(&PrivateKeyInfoRef::new(algorithm(oid), inner))
}

/// Hands the SubjectPublicKeyInfo document of a key to `run`.
fn with_fn_dsa_public_document<R>(
    key: &Public,
    run: impl FnOnce(&SubjectPublicKeyInfoRef<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    let oid = fn_dsa_oid(key.variant(), key.logn())?;
    let mut buffer = [0; MAX_PUBLIC];
    let encoded = &mut buffer[..lanner_fn_dsa::vrfy_key_size(key.logn())];
    key.write_bytes(encoded)?;
    run(&public_document(oid, encoded)?)
}

/// A key of either degree, of FN-DSA or of Falcon, as the identifier says.
fn fn_dsa_key_of(der: &[u8]) -> Result<fn_dsa::Key, Error> {
    SigningKey512::from_pkcs8_der(der)
        .map(fn_dsa::Key::Main512)
        .or_else(|_| SigningKey1024::from_pkcs8_der(der).map(fn_dsa::Key::Main1024))
        .or_else(|_| falcon::SigningKey512::from_pkcs8_der(der).map(fn_dsa::Key::Falcon512))
        .or_else(|_| falcon::SigningKey1024::from_pkcs8_der(der).map(fn_dsa::Key::Falcon1024))
        .map_err(encoding)
}

/// A public key of either degree, of FN-DSA or of Falcon, as the identifier says.
fn fn_dsa_public_of(der: &[u8]) -> Result<Public, Error> {
    VerifyingKey512::from_public_key_der(der)
        .map(Public::Main512)
        .or_else(|_| VerifyingKey1024::from_public_key_der(der).map(Public::Main1024))
        .or_else(|_| falcon::VerifyingKey512::from_public_key_der(der).map(Public::Falcon512))
        .or_else(|_| falcon::VerifyingKey1024::from_public_key_der(der).map(Public::Falcon1024))
        .map_err(encoding)
}

/// `lanner_fn_dsa_key_from_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_from_der(
    key: *mut KeySlot,
    der: *const u8,
    der_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { KeySlot::put(key, || fn_dsa_key_of(bytes(der, der_length)?)) }
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
        KeySlot::put_from::<LATTICE_PEM_DEPTH>(key, || {
            from_pem::<PrivateKeyInfoRef<'_>, _, _>(pem, pem_length, fn_dsa_key_of)
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
        hand_out::<LARGE_DER>(der, der_length, |out| {
            with_fn_dsa_document(KeySlot::get(key)?, |document| to_der(document, out))
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
        hand_out::<LARGE_PEM>(pem.cast(), pem_length, |out| {
            let mut der = Zeroizing::new([0; LARGE_DER]);
            with_fn_dsa_document(KeySlot::get(key)?, |document| {
                to_pem(document, &mut *der, out)
            })
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
    unsafe { PublicSlot::put(public, || fn_dsa_public_of(bytes(der, der_length)?)) }
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
            from_pem::<SubjectPublicKeyInfoRef<'_>, _, _>(pem, pem_length, fn_dsa_public_of)
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
        hand_out::<LARGE_DER>(der, der_length, |out| {
            let public = PublicSlot::get(public)?;
            with_fn_dsa_public_document(public, |document| to_der(document, out))
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
        hand_out::<LARGE_PEM>(pem.cast(), pem_length, |out| {
            let public = PublicSlot::get(public)?;
            with_fn_dsa_public_document(public, |document| {
                to_pem(document, &mut [0; LARGE_DER], out)
            })
        })
    }
}
