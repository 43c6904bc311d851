//! What all public keys have in common for Python.

use pyo3::PyTypeInfo;
use pyo3::prelude::{Bound, PyResult, Python};
use pyo3::types::{PyAnyMethods, PyBytes, PyType};

/// A class, and the arguments that make the object anew.
pub(crate) type Reduced<'py> = (Bound<'py, PyType>, (Bound<'py, PyBytes>,));

/// What a public key is pickled and copied as, by every protocol.
pub(crate) fn reduced<'py, K: PyTypeInfo>(key: Bound<'py, PyBytes>) -> Reduced<'py> {
    (K::type_object(key.py()), (key,))
}

/// The hash that Python has for these bytes, salted as it salts them.
pub(crate) fn hash_of(py: Python<'_>, bytes: &[u8]) -> PyResult<isize> {
    PyBytes::new(py, bytes).hash()
}

/// The bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
