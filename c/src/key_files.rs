//! Key files: PKCS#8 and SubjectPublicKeyInfo, in DER and in PEM.
//!
//! Everything happens in buffers on the stack, which are wiped: there is no memory that could lack, and none
//! in which a growing text would leave copies of a secret.
//!
//! A kind of key says how its documents are read and made, and where its keys lie in the caller's memory
//! ([`KeyFile`]). All else is said once, and the functions of C stand in one list.
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
use lanner_hybrid::{
    HYBRID_512_OID, HYBRID_1024_OID, VerifyingKeyStandard as HybridPublic, verifying_key_size,
};
use lanner_x25519::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

use crate::boundary::{DEEP, DEPTH, Object, Slot, array, bytes, hand_out, secret, write_from};
use crate::ed25519::{Key, public_key};
use crate::fn_dsa::{self, KeySlot, MAX_PUBLIC, MAX_SECRET, Public, PublicSlot, Variant};
use crate::hybrid;
use crate::status::Error;

/// RFC 8410 section 3: id-X25519 and id-Ed25519.
const X25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.110");
const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

/// The most bytes of what is written, of each kind of key: the constants of `lanner.h`. Of PEM with a NUL.
const SECRET_DER: usize = 48;
const SECRET_DER_V2: usize = 83;
const SECRET_PEM: usize = 128;
const PUBLIC_DER: usize = 44;
const PUBLIC_PEM: usize = 128;
const FN_DSA_SECRET_DER: usize = 4124;
const FN_DSA_SECRET_PEM: usize = 5641;
const FN_DSA_PUBLIC_DER: usize = 1813;
const FN_DSA_PUBLIC_PEM: usize = 2511;
const HYBRID_SECRET_DER: usize = 50;
const HYBRID_SECRET_PEM: usize = 125;
const HYBRID_PUBLIC_DER: usize = 1845;
const HYBRID_PUBLIC_PEM: usize = 2552;

/// The longest public key of hybrid signatures.
const HYBRID_MAX_PUBLIC: usize = verifying_key_size(10);

/// The longest document that is read from PEM: the largest key and all its attributes.
const MAX_DER: usize = 8192;

/// How deep the parsers go on the stack with a secret key in their hands, from DER and from PEM.
const DER_DEPTH: usize = 4096;
const PEM_DEPTH: usize = MAX_DER + DER_DEPTH;
const LATTICE_DER_DEPTH: usize = 2 * DEEP;
const LATTICE_PEM_DEPTH: usize = MAX_DER + LATTICE_DER_DEPTH;
const HYBRID_DER_DEPTH: usize = 2 * DEEP;
const HYBRID_PEM_DEPTH: usize = MAX_DER + HYBRID_DER_DEPTH;

fn encoding<E>(_: E) -> Error {
    Error::Encoding
}

/// Memory of the caller's that holds a `K`.
trait Place<K> {
    /// Puts in the key that `make` returns, or zeros if it fails, and clears `D` bytes of the stack.
    ///
    /// # Safety
    ///
    /// Unless it is NULL, `place` points to such memory, which nobody else uses.
    unsafe fn put<const D: usize>(
        place: *mut Self,
        make: impl FnOnce() -> Result<K, Error>,
    ) -> c_int;
}

/// An object.
impl<K: Object, const WORDS: usize> Place<K> for Slot<K, WORDS> {
    #[inline(always)]
    unsafe fn put<const D: usize>(
        place: *mut Self,
        make: impl FnOnce() -> Result<K, Error>,
    ) -> c_int {
        // SAFETY: the caller's promise.
        unsafe { Slot::put_from::<D>(place, make) }
    }
}

/// The bytes of a key; their first one is what the caller points to.
impl<K: AsRef<[u8]>> Place<K> for u8 {
    #[inline(always)]
    unsafe fn put<const D: usize>(
        place: *mut u8,
        make: impl FnOnce() -> Result<K, Error>,
    ) -> c_int {
        // SAFETY: the caller's promise: 32 bytes.
        unsafe {
            write_from::<D, 32>(place, |out| {
                out.copy_from_slice(make()?.as_ref());
                Ok(())
            })
        }
    }
}

/// PKCS#8, for secret keys.
type Secret<'a> = PrivateKeyInfoRef<'a>;

/// SubjectPublicKeyInfo, for public keys.
type Subject<'a> = SubjectPublicKeyInfoRef<'a>;

/// A kind of key that files hold.
trait KeyFile: Sized {
    /// Where the caller has such a key.
    type Place: Place<Self>;

    /// What the file is: [`Secret`] or [`Subject`].
    type Document<'a>: Encode + PemLabel;

    /// Decodes a document in DER.
    fn decode(der: &[u8]) -> Result<Self, Error>;

    /// Hands the document of the caller's key to `run`.
    ///
    /// # Safety
    ///
    /// Unless it is NULL, `place` points to a key, or to an object that was cleared.
    unsafe fn with_document<R>(
        place: *const Self::Place,
        run: impl FnOnce(&Self::Document<'_>) -> Result<R, Error>,
    ) -> Result<R, Error>;
}

impl KeyFile for SigningKey {
    type Place = Key;
    type Document<'a> = Secret<'a>;

    fn decode(der: &[u8]) -> Result<Self, Error> {
        SigningKey::from_pkcs8_der(der).map_err(encoding)
    }

    unsafe fn with_document<R>(
        place: *const Key,
        run: impl FnOnce(&Secret<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        // SAFETY: the caller's promise.
        let key = unsafe { Key::get(place) }?;
        with_secret_document(ED25519, key.as_bytes(), None, run)
    }
}

impl KeyFile for VerifyingKey {
    type Place = u8;
    type Document<'a> = Subject<'a>;

    fn decode(der: &[u8]) -> Result<Self, Error> {
        VerifyingKey::from_public_key_der(der).map_err(encoding)
    }

    unsafe fn with_document<R>(
        place: *const u8,
        run: impl FnOnce(&Subject<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        // SAFETY: the caller's promise. Bytes that are no point are no key, and are not written.
        let key = unsafe { public_key(place) }?;
        run(&public_document(ED25519, key.as_bytes())?)
    }
}

impl KeyFile for StaticSecret {
    type Place = u8;
    type Document<'a> = Secret<'a>;

    fn decode(der: &[u8]) -> Result<Self, Error> {
        StaticSecret::from_pkcs8_der(der).map_err(encoding)
    }

    unsafe fn with_document<R>(
        place: *const u8,
        run: impl FnOnce(&Secret<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let mut copy = Zeroizing::new([0; 32]);
        // SAFETY: the caller's promise.
        let key = unsafe { secret(place, &mut copy) }?;
        with_secret_document(X25519, key, None, run)
    }
}

impl KeyFile for PublicKey {
    type Place = u8;
    type Document<'a> = Subject<'a>;

    fn decode(der: &[u8]) -> Result<Self, Error> {
        PublicKey::from_public_key_der(der).map_err(encoding)
    }

    unsafe fn with_document<R>(
        place: *const u8,
        run: impl FnOnce(&Subject<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        // SAFETY: the caller's promise.
        let key = unsafe { array::<32>(place) }?;
        run(&public_document(X25519, &key)?)
    }
}

/// Of either degree, of FN-DSA or of Falcon, as the identifier in the file says.
impl KeyFile for fn_dsa::Key {
    type Place = KeySlot;
    type Document<'a> = Secret<'a>;

    fn decode(der: &[u8]) -> Result<Self, Error> {
        SigningKey512::from_pkcs8_der(der)
            .map(fn_dsa::Key::Main512)
            .or_else(|_| SigningKey1024::from_pkcs8_der(der).map(fn_dsa::Key::Main1024))
            .or_else(|_| falcon::SigningKey512::from_pkcs8_der(der).map(fn_dsa::Key::Falcon512))
            .or_else(|_| falcon::SigningKey1024::from_pkcs8_der(der).map(fn_dsa::Key::Falcon1024))
            .map_err(encoding)
    }

    /// As Open Quantum Safe's provider writes it: an octet string of the signing key followed by the verifying
    /// key, in an octet string.
    unsafe fn with_document<R>(
        place: *const KeySlot,
        run: impl FnOnce(&Secret<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        /// Tag and length of an octet string of more than 255 bytes.
        const HEADER: usize = 4;
        // SAFETY: the caller's promise.
        let key = unsafe { KeySlot::get(place) }?;
        let oid = fn_dsa_oid(key.variant(), key.logn())?;
        let mut buffer = Zeroizing::new([0; HEADER + MAX_SECRET + MAX_PUBLIC]);
        let (header, keys) = buffer.split_at_mut(HEADER);
        let mut length = key.encode(keys)?;
        length += key.encode_public(&mut keys[length..])?;
        let [high, low] = (length as u16).to_be_bytes();
        header.copy_from_slice(&[0x04, 0x82, high, low]);
        let inner = OctetStringRef::new(&buffer[..HEADER + length]).map_err(encoding)?;
        run(&PrivateKeyInfoRef::new(algorithm(oid), inner))
    }
}

/// Of either degree, of FN-DSA or of Falcon, as the identifier in the file says.
impl KeyFile for Public {
    type Place = PublicSlot;
    type Document<'a> = Subject<'a>;

    fn decode(der: &[u8]) -> Result<Self, Error> {
        VerifyingKey512::from_public_key_der(der)
            .map(Public::Main512)
            .or_else(|_| VerifyingKey1024::from_public_key_der(der).map(Public::Main1024))
            .or_else(|_| falcon::VerifyingKey512::from_public_key_der(der).map(Public::Falcon512))
            .or_else(|_| falcon::VerifyingKey1024::from_public_key_der(der).map(Public::Falcon1024))
            .map_err(encoding)
    }

    unsafe fn with_document<R>(
        place: *const PublicSlot,
        run: impl FnOnce(&Subject<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        // SAFETY: the caller's promise.
        let key = unsafe { PublicSlot::get(place) }?;
        let oid = fn_dsa_oid(key.variant(), key.logn())?;
        let mut buffer = [0; MAX_PUBLIC];
        let length = key.encode(&mut buffer)?;
        run(&public_document(oid, &buffer[..length])?)
    }
}

/// Of either degree, as the identifier in the file says: the seed, without further framing.
impl KeyFile for hybrid::Key {
    type Place = hybrid::KeySlot;
    type Document<'a> = Secret<'a>;

    fn decode(der: &[u8]) -> Result<Self, Error> {
        lanner_hybrid::SigningKey512::from_pkcs8_der(der)
            .map(hybrid::Key::Of512)
            .or_else(|_| {
                lanner_hybrid::SigningKey1024::from_pkcs8_der(der).map(hybrid::Key::Of1024)
            })
            .map_err(encoding)
    }

    unsafe fn with_document<R>(
        place: *const hybrid::KeySlot,
        run: impl FnOnce(&Secret<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        // SAFETY: the caller's promise.
        let key = unsafe { hybrid::KeySlot::get(place) }?;
        let seed = OctetStringRef::new(key.seed()).map_err(encoding)?;
        run(&PrivateKeyInfoRef::new(
            algorithm(hybrid_oid(key.logn())),
            seed,
        ))
    }
}

fn hybrid_oid(logn: u32) -> ObjectIdentifier {
    match logn {
        9 => HYBRID_512_OID,
        _ => HYBRID_1024_OID,
    }
}

/// Writes a public key of hybrid signatures, of which the caller has no object; the length.
fn encode_hybrid(key: &HybridPublic, out: &mut [u8]) -> Result<usize, Error> {
    let length = verifying_key_size(key.logn());
    let out = out.get_mut(..length).ok_or(Error::Buffer)?;
    key.write_bytes(out).map_err(encoding)?;
    Ok(length)
}

/// The same of the key in a document in DER.
fn hybrid_public(der: &[u8], out: &mut [u8]) -> Result<usize, Error> {
    encode_hybrid(
        &HybridPublic::from_public_key_der(der).map_err(encoding)?,
        out,
    )
}

/// Hands the document of such a key to `run`: of what was decoded, since the caller's bytes may be others by now. What is no key is
/// not written.
fn with_hybrid_public<R>(
    key: &[u8],
    run: impl FnOnce(&Subject<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    let key = HybridPublic::from_bytes(key).map_err(|_| Error::Key)?;
    let mut buffer = [0; HYBRID_MAX_PUBLIC];
    let length = encode_hybrid(&key, &mut buffer)?;
    run(&public_document(hybrid_oid(key.logn()), &buffer[..length])?)
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
    run: impl FnOnce(&Secret<'_>) -> Result<R, Error>,
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
fn public_document(oid: ObjectIdentifier, key: &[u8]) -> Result<Subject<'_>, Error> {
    Ok(SubjectPublicKeyInfoRef {
        algorithm: algorithm(oid),
        subject_public_key: BitStringRef::from_bytes(key).map_err(encoding)?,
    })
}

/// Reads the caller's DER into the caller's memory; clears `D` bytes of the stack.
///
/// # Safety
///
/// `place` as in [`Place::put`], the text as in [`bytes`].
#[inline(always)]
unsafe fn from_der<K: KeyFile, const D: usize>(
    place: *mut K::Place,
    der: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { K::Place::put::<D>(place, || K::decode(bytes(der, length)?)) }
}

/// A PEM text without what may follow it: spaces and blank lines, and the NUL that ends a text of C.
fn without_end(text: &[u8]) -> &[u8] {
    text.strip_suffix(b"\0").unwrap_or(text).trim_ascii_end()
}

/// The lines of a text that a mailer wrapped anew (RFC 2045 section 6.8). RFC 7468 section 2 lets those who read take any width.
const MIME_WIDTH: usize = 76;

/// Reads a PEM text with lines of a width; its label, and how many bytes there are. Where lines end is not looked for: that would
/// be to choose by characters of a secret.
fn unwrap<'a>(text: &'a [u8], width: usize, out: &mut [u8]) -> Result<(&'a str, usize), Error> {
    let mut decoder = pem::Decoder::new_wrapped(text, width).map_err(encoding)?;
    let length = decoder.remaining_len();
    let out = out.get_mut(..length).ok_or(Error::Encoding)?;
    decoder.decode(out).map_err(encoding)?;
    match decoder.is_finished() {
        true => Ok((decoder.type_label(), length)),
        false => Err(Error::Encoding),
    }
}

/// Hands what a PEM text of a kind of document encodes to `decode`.
#[inline(always)]
fn with_der<D: PemLabel, R>(
    text: &[u8],
    decode: impl FnOnce(&[u8]) -> Result<R, Error>,
) -> Result<R, Error> {
    let mut buffer = Zeroizing::new([0; MAX_DER]);
    let text = without_end(text);
    let widths = [pem::BASE64_WRAP_WIDTH, MIME_WIDTH, text.len()];
    let mut read = widths
        .iter()
        .map(|width| unwrap(text, *width, &mut *buffer));
    let (label, length) = read.find_map(Result::ok).ok_or(Error::Encoding)?;
    D::validate_pem_label(label).map_err(encoding)?;
    decode(&buffer[..length])
}

/// Reads the caller's PEM text into the caller's memory; clears `D` bytes of the stack.
///
/// # Safety
///
/// `place` as in [`Place::put`], the text as in [`bytes`].
#[inline(always)]
unsafe fn from_pem<K: KeyFile, const D: usize>(
    place: *mut K::Place,
    text: *const c_char,
    length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        K::Place::put::<D>(place, || {
            with_der::<K::Document<'static>, _>(bytes(text.cast(), length)?, K::decode)
        })
    }
}

/// Writes a document in DER; its length.
fn encode(document: &impl Encode, out: &mut [u8]) -> Result<usize, Error> {
    Ok(document.encode_to_slice(out).map_err(encoding)?.len())
}

/// Writes a document of at most `DER` bytes in PEM with a NUL at its end; the length of both.
#[inline(always)]
fn encode_pem<const DER: usize, D: Encode + PemLabel>(
    document: &D,
    out: &mut [u8],
) -> Result<usize, Error> {
    let mut der = Zeroizing::new([0; DER]);
    let written = encode(document, &mut *der)?;
    let text = pem::encode(D::PEM_LABEL, LineEnding::LF, &der[..written], out);
    let end = text.map_err(encoding)?.len();
    *out.get_mut(end).ok_or(Error::Encoding)? = 0;
    Ok(end + 1)
}

/// Writes the document of the caller's key in DER, of at most `DER` bytes.
///
/// # Safety
///
/// `place` as in [`KeyFile::with_document`], the rest as in [`hand_out`].
#[inline(always)]
unsafe fn to_der<K: KeyFile, const DER: usize>(
    place: *const K::Place,
    out: *mut u8,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<DER>(out, length, |out| {
            K::with_document(place, |document| encode(document, out))
        })
    }
}

/// Writes the document of the caller's key in PEM as C text: a document of at most `DER` bytes, a text of at
/// most `PEM` with the NUL at its end, which its length counts.
///
/// # Safety
///
/// `place` as in [`KeyFile::with_document`], the rest as in [`hand_out`].
#[inline(always)]
unsafe fn to_pem<K: KeyFile, const DER: usize, const PEM: usize>(
    place: *const K::Place,
    out: *mut c_char,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<PEM>(out.cast(), length, |out| {
            K::with_document(place, |document| encode_pem::<DER, _>(document, out))
        })
    }
}

/// The functions of C for each kind of key: behind those that read stands how much of the stack is cleared, and
/// behind those that write how long the result may be.
macro_rules! functions {
    ($($key:ty: $from_der:ident $der_depth:ident, $from_pem:ident $pem_depth:ident, $to_der:ident $der:ident, $to_pem:ident $pem:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $from_der(
                key: *mut <$key as KeyFile>::Place,
                der: *const u8,
                length: usize,
            ) -> c_int {
                // SAFETY: the caller's promises.
                unsafe { from_der::<$key, $der_depth>(key, der, length) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn $from_pem(
                key: *mut <$key as KeyFile>::Place,
                text: *const c_char,
                length: usize,
            ) -> c_int {
                // SAFETY: the caller's promises.
                unsafe { from_pem::<$key, $pem_depth>(key, text, length) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn $to_der(
                key: *const <$key as KeyFile>::Place,
                out: *mut u8,
                length: *mut usize,
            ) -> c_int {
                // SAFETY: the caller's promises.
                unsafe { to_der::<$key, $der>(key, out, length) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn $to_pem(
                key: *const <$key as KeyFile>::Place,
                out: *mut c_char,
                length: *mut usize,
            ) -> c_int {
                // SAFETY: the caller's promises.
                unsafe { to_pem::<$key, $der, $pem>(key, out, length) }
            }
        )*
    };
}

functions! {
    SigningKey:
        lanner_ed25519_key_from_der DER_DEPTH, lanner_ed25519_key_from_pem PEM_DEPTH,
        lanner_ed25519_key_to_der SECRET_DER, lanner_ed25519_key_to_pem SECRET_PEM;
    VerifyingKey:
        lanner_ed25519_public_from_der DEPTH, lanner_ed25519_public_from_pem DEPTH,
        lanner_ed25519_public_to_der PUBLIC_DER, lanner_ed25519_public_to_pem PUBLIC_PEM;
    StaticSecret:
        lanner_x25519_secret_from_der DER_DEPTH, lanner_x25519_secret_from_pem PEM_DEPTH,
        lanner_x25519_secret_to_der SECRET_DER, lanner_x25519_secret_to_pem SECRET_PEM;
    PublicKey:
        lanner_x25519_public_from_der DEPTH, lanner_x25519_public_from_pem DEPTH,
        lanner_x25519_public_to_der PUBLIC_DER, lanner_x25519_public_to_pem PUBLIC_PEM;
    fn_dsa::Key:
        lanner_fn_dsa_key_from_der LATTICE_DER_DEPTH, lanner_fn_dsa_key_from_pem LATTICE_PEM_DEPTH,
        lanner_fn_dsa_key_to_der FN_DSA_SECRET_DER, lanner_fn_dsa_key_to_pem FN_DSA_SECRET_PEM;
    Public:
        lanner_fn_dsa_public_from_der DEPTH, lanner_fn_dsa_public_from_pem DEPTH,
        lanner_fn_dsa_public_to_der FN_DSA_PUBLIC_DER, lanner_fn_dsa_public_to_pem FN_DSA_PUBLIC_PEM;
    hybrid::Key:
        lanner_hybrid_key_from_der HYBRID_DER_DEPTH, lanner_hybrid_key_from_pem HYBRID_PEM_DEPTH,
        lanner_hybrid_key_to_der HYBRID_SECRET_DER, lanner_hybrid_key_to_pem HYBRID_SECRET_PEM;
}

/// `lanner_hybrid_public_from_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_hybrid_public_from_der(
    key: *mut u8,
    key_length: *mut usize,
    der: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<HYBRID_MAX_PUBLIC>(key, key_length, |out| {
            hybrid_public(bytes(der, length)?, out)
        })
    }
}

/// `lanner_hybrid_public_from_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_hybrid_public_from_pem(
    key: *mut u8,
    key_length: *mut usize,
    text: *const c_char,
    length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<HYBRID_MAX_PUBLIC>(key, key_length, |out| {
            let text = bytes(text.cast(), length)?;
            with_der::<Subject<'_>, _>(text, |der| hybrid_public(der, out))
        })
    }
}

/// `lanner_hybrid_public_to_der` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_hybrid_public_to_der(
    key: *const u8,
    key_length: usize,
    out: *mut u8,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<HYBRID_PUBLIC_DER>(out, length, |out| {
            with_hybrid_public(bytes(key, key_length)?, |document| encode(document, out))
        })
    }
}

/// `lanner_hybrid_public_to_pem` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_hybrid_public_to_pem(
    key: *const u8,
    key_length: usize,
    out: *mut c_char,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<HYBRID_PUBLIC_PEM>(out.cast(), length, |out| {
            with_hybrid_public(bytes(key, key_length)?, |document| {
                encode_pem::<HYBRID_PUBLIC_DER, _>(document, out)
            })
        })
    }
}

/// `lanner_ed25519_key_to_der_v2` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_to_der_v2(
    key: *const Key,
    out: *mut u8,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<SECRET_DER_V2>(out, length, |out| {
            let key = Key::get(key)?;
            let public = Some(key.as_ref().as_bytes());
            with_secret_document(ED25519, key.as_bytes(), public, |document| {
                encode(document, out)
            })
        })
    }
}
