//! What all secret keys have in common for Python.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::{Bound, PyAny, PyResult, Python};
use pyo3::types::{PyAnyMethods, PyTypeMethods};

use crate::public::hash_of;

/// How deep on the stack a key is moved about when it becomes an object, in bytes: what is beyond the schemes' own
/// functions, which clean up after themselves.
pub(crate) const MOVED: usize = 4096;

/// The same for keys of FN-DSA, which take 6 kB themselves, several times.
pub(crate) const MOVED_LARGE: usize = 32768;

/// Refuses to pickle a secret key: a pickle is a plain copy, which ends up in files, queues and caches.
pub(crate) fn no_pickle(key: &Bound<'_, PyAny>) -> PyResult<()> {
    let name = key.get_type().fully_qualified_name()?;
    Err(PyTypeError::new_err(format!(
        "a secret key is not pickled ({name}); to_bytes() gives it away, if that is what you want"
    )))
}

/// The hash of a secret key, by its public key; other than that of the public key itself.
pub(crate) fn hash_by_public(py: Python<'_>, public_key: &[u8]) -> PyResult<isize> {
    Ok(!hash_of(py, public_key)?)
}
