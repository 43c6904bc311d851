//! Key files without a password: PKCS#8 and SubjectPublicKeyInfo, in DER and PEM.

use lanner_hybrid::pkcs8::LineEnding;
use lanner_hybrid::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, Error,
};
use lanner_simd::stack::cleared;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::{Bound, PyAny, PyErr, PyResult, Python};
use pyo3::types::{PyBytes, PyString, PyStringMethods};
use zeroize::Zeroizing;

use crate::buffers::{Octets, room, secret_copy, secret_vec};
use crate::errors::{value, wrong_type};
use crate::secrets::MOVED_LARGE;
use crate::work::Reading;

/// A secret key from PKCS#8 in DER.
pub(crate) fn secret_from_der<K: DecodePrivateKey + Send>(
    der: &Bound<'_, PyAny>,
    reading: Reading,
) -> PyResult<Box<K>> {
    let py = der.py();
    let der = secret_vec("der", der)?;
    let read = || cleared::<MOVED_LARGE, _>(|| K::from_pkcs8_der(&der).map(Box::new).ok());
    let refused = || value("der", "not a PKCS#8 file of such a key without a password");
    reading.run(py, read).ok_or_else(refused)
}

/// A secret key from PKCS#8 in PEM.
pub(crate) fn secret_from_pem<K: DecodePrivateKey + Send>(
    pem: &Bound<'_, PyAny>,
    reading: Reading,
) -> PyResult<Box<K>> {
    let py = pem.py();
    let refused = || value("pem", "not a PKCS#8 file of such a key without a password");
    let pem = block(pem, "PRIVATE KEY")?;
    let pem = str::from_utf8(&pem).map_err(|_| refused())?;
    let read = || cleared::<MOVED_LARGE, _>(|| K::from_pkcs8_pem(pem).map(Box::new).ok());
    reading.run(py, read).ok_or_else(refused)
}

/// A public key from SubjectPublicKeyInfo in DER.
pub(crate) fn public_from_der<K: DecodePublicKey + Send>(
    der: &Bound<'_, PyAny>,
    reading: Reading,
) -> PyResult<K> {
    let py = der.py();
    let der = Octets::of("der", der)?;
    let der = &*der;
    reading
        .run(py, || K::from_public_key_der(der).ok())
        .ok_or_else(|| value("der", "not a SubjectPublicKeyInfo of such a key"))
}

/// A public key from SubjectPublicKeyInfo in PEM.
pub(crate) fn public_from_pem<K: DecodePublicKey + Send>(
    pem: &Bound<'_, PyAny>,
    reading: Reading,
) -> PyResult<K> {
    let py = pem.py();
    let refused = || value("pem", "not a SubjectPublicKeyInfo of such a key");
    let pem = block(pem, "PUBLIC KEY")?;
    let pem = str::from_utf8(&pem).map_err(|_| refused())?;
    reading
        .run(py, || K::from_public_key_pem(pem).ok())
        .ok_or_else(refused)
}

/// PKCS#8 in DER.
pub(crate) fn secret_to_der<'py>(
    py: Python<'py>,
    key: &impl EncodePrivateKey,
) -> PyResult<Bound<'py, PyBytes>> {
    let der = key.to_pkcs8_der().map_err(unwritable)?;
    Ok(PyBytes::new(py, der.as_bytes()))
}

/// PKCS#8 in PEM.
pub(crate) fn secret_to_pem<'py>(
    py: Python<'py>,
    key: &impl EncodePrivateKey,
) -> PyResult<Bound<'py, PyString>> {
    let pem = key.to_pkcs8_pem(LineEnding::LF).map_err(unwritable)?;
    Ok(PyString::new(py, &pem))
}

/// SubjectPublicKeyInfo in DER.
pub(crate) fn public_to_der<'py>(
    py: Python<'py>,
    key: &impl EncodePublicKey,
) -> PyResult<Bound<'py, PyBytes>> {
    let der = key.to_public_key_der().map_err(unwritable)?;
    Ok(PyBytes::new(py, der.as_bytes()))
}

/// SubjectPublicKeyInfo in PEM.
pub(crate) fn public_to_pem<'py>(
    py: Python<'py>,
    key: &impl EncodePublicKey,
) -> PyResult<Bound<'py, PyString>> {
    let pem = key.to_public_key_pem(LineEnding::LF).map_err(unwritable)?;
    Ok(PyString::new(py, &pem))
}

/// The first block of a PEM file with that label, in lines of 64 characters without white space. What is there in its place is
/// said where there is none.
///
/// The file is a `str`, or bytes-like, as it was read. What stands before and behind the block is of no meaning (RFC 7468, 2),
/// and neither is how its lines are broken and indented; everything else is strict.
fn block(pem: &Bound<'_, PyAny>, label: &str) -> PyResult<Zeroizing<Vec<u8>>> {
    let file = match pem.cast::<PyString>() {
        Ok(text) => {
            let text = text.to_str().map_err(|_| value("pem", "not a text file"))?;
            secret_copy(text.as_bytes())?
        }
        Err(_) => secret_vec("pem", pem).map_err(|error| {
            if error.is_instance_of::<PyTypeError>(pem.py()) {
                wrong_type("pem", "a str or a bytes-like object", pem)
            } else {
                error
            }
        })?,
    };
    let [first, last] = ["BEGIN", "END"].map(|word| format!("-----{word} {label}-----"));
    let (_, rest) =
        split(&file, first.as_bytes()).ok_or_else(|| value("pem", &instead(&file, label)))?;
    let (body, _) = split(rest, last.as_bytes())
        .ok_or_else(|| value("pem", &format!("the block \"{label}\" has no end")))?;
    // As large as it can become, so that it never moves.
    let breaks = body.len() / LINE + 3;
    let size = first.len() + body.len() + last.len() + breaks;
    let mut block = Zeroizing::new(room(size)?);
    block.extend_from_slice(first.as_bytes());
    let visible = body.iter().filter(|octet| !octet.is_ascii_whitespace());
    for (place, octet) in visible.enumerate() {
        if place % LINE == 0 {
            block.push(b'\n');
        }
        block.push(*octet);
    }
    block.push(b'\n');
    block.extend_from_slice(last.as_bytes());
    block.push(b'\n');
    Ok(block)
}

/// What a file holds that has no block with that label.
fn instead(file: &[u8], label: &str) -> String {
    let found = split(file, b"-----BEGIN ")
        .and_then(|(_, rest)| split(rest, b"-----"))
        .and_then(|(found, _)| str::from_utf8(found).ok())
        // What is no label may be a piece of a secret.
        .filter(|found| LABELS.contains(found));
    match found {
        None => format!("no PEM file with a block \"{label}\""),
        Some("ENCRYPTED PRIVATE KEY") => {
            format!("a block \"{label}\" is needed; this key has a password")
        }
        Some(found) => format!("a block \"{label}\" is needed, not \"{found}\""),
    }
}

/// What stands in the place of what is read.
const LABELS: [&str; 7] = [
    "PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "PUBLIC KEY",
    "OPENSSH PRIVATE KEY",
    "EC PRIVATE KEY",
    "RSA PRIVATE KEY",
    "CERTIFICATE",
];

/// The characters of a line (RFC 7468, 2).
const LINE: usize = 64;

/// What stands before and behind the mark.
fn split<'a>(octets: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let place = octets
        .windows(mark.len())
        .position(|octets| octets == mark)?;
    Some((&octets[..place], &octets[place + mark.len()..]))
}

/// There was no memory.
fn unwritable(error: impl Into<Error>) -> PyErr {
    PyValueError::new_err(error.into().to_string())
}
