//! Key files without a password: PKCS#8 and SubjectPublicKeyInfo, in DER and PEM.

use lanner_hybrid::pkcs8::LineEnding;
use lanner_hybrid::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, Error,
};
use lanner_simd::stack::cleared;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::{Bound, PyAny, PyErr, PyResult, Python};
use pyo3::types::{PyBytes, PyString, PyStringMethods};
use zeroize::Zeroizing;

use crate::buffers::{Octets, secret_vec};
use crate::errors::{value, wrong_type};
use crate::secrets::MOVED_LARGE;

/// A secret key from PKCS#8 in DER.
pub(crate) fn secret_from_der<K: DecodePrivateKey>(der: &Bound<'_, PyAny>) -> PyResult<Box<K>> {
    let der = secret_vec("der", der)?;
    cleared::<MOVED_LARGE, _>(|| K::from_pkcs8_der(&der).map(Box::new))
        .map_err(|_| value("der", "not a PKCS#8 file of such a key without a password"))
}

/// A secret key from PKCS#8 in PEM.
pub(crate) fn secret_from_pem<K: DecodePrivateKey>(pem: &Bound<'_, PyAny>) -> PyResult<Box<K>> {
    let pem = Zeroizing::new(text(pem)?);
    cleared::<MOVED_LARGE, _>(|| K::from_pkcs8_pem(&pem).map(Box::new))
        .map_err(|_| value("pem", "not a PKCS#8 file of such a key without a password"))
}

/// A public key from SubjectPublicKeyInfo in DER.
pub(crate) fn public_from_der<K: DecodePublicKey>(der: &Bound<'_, PyAny>) -> PyResult<K> {
    K::from_public_key_der(&Octets::of("der", der)?)
        .map_err(|_| value("der", "not a SubjectPublicKeyInfo of such a key"))
}

/// A public key from SubjectPublicKeyInfo in PEM.
pub(crate) fn public_from_pem<K: DecodePublicKey>(pem: &Bound<'_, PyAny>) -> PyResult<K> {
    K::from_public_key_pem(&text(pem)?)
        .map_err(|_| value("pem", "not a SubjectPublicKeyInfo of such a key"))
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

/// The text of a PEM file: a `str`, or bytes-like, as it was read.
fn text(pem: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = pem.cast::<PyString>() {
        return Ok(String::from(text.to_cow()?.as_ref()));
    }
    let octets = secret_vec("pem", pem)
        .map_err(|_| wrong_type("pem", "a str or a bytes-like object", pem))?;
    String::from_utf8(octets.to_vec()).map_err(|_| value("pem", "not a text file"))
}

/// There was no memory.
fn unwritable(error: impl Into<Error>) -> PyErr {
    PyValueError::new_err(error.into().to_string())
}
