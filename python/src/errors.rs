//! The exceptions of the package, and the words for mistakes in arguments.

use std::fmt::{self, Display, Formatter};

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::{Bound, Py, PyAny, PyErr, PyResult, Python};
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAnyMethods, PyDict, PyDictMethods, PyStringMethods, PyType, PyTypeMethods};

create_exception!(
    lanner,
    InvalidSignature,
    PyException,
    "The signature is not valid. It is not said why."
);

create_exception!(
    lanner,
    NonContributory,
    PyValueError,
    "A key agreement had nothing of the other party: its public key is a point of small order (RFC 7748, 6.1)."
);

/// `InvalidSignature`, with the same words always.
pub(crate) fn invalid_signature() -> PyErr {
    InvalidSignature::new_err("the signature is not valid")
}

/// The class `InvalidSignatureLength`: a signature of a wrong length is a mistake in an argument to whoever made it and not valid to
/// whoever received it, and the second, whose handlers may know `InvalidSignature` alone, did not choose the length.
pub(crate) fn invalid_signature_length_type(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    // PyO3 makes exceptions of one base alone.
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.get_or_try_init(py, || {
        let bases = (
            py.get_type::<InvalidSignature>(),
            py.get_type::<PyValueError>(),
        );
        let attributes = PyDict::new(py);
        attributes.set_item("__module__", "lanner")?;
        attributes.set_item(
            "__doc__",
            "The signature is not valid: none of the scheme, or of the key, has its length.",
        )?;
        let class = py
            .get_type::<PyType>()
            .call1(("InvalidSignatureLength", bases, attributes))?;
        Ok::<_, PyErr>(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py))
}

/// `InvalidSignatureLength`.
pub(crate) fn signature_length(py: Python<'_>, expected: impl Display, found: usize) -> PyErr {
    match invalid_signature_length_type(py) {
        Ok(class) => PyErr::from_type(class.clone(), wrong_length("signature", expected, found)),
        Err(error) => error,
    }
}

/// An argument by its name, or a row of it.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a>(pub(crate) &'a str, pub(crate) usize);

impl Display for Row<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.0, self.1)
    }
}

/// A `ValueError` that begins with the name of the argument.
pub(crate) fn value(name: impl Display, what: &str) -> PyErr {
    PyValueError::new_err(format!("{name}: {what}"))
}

/// A `ValueError` about a length in bytes.
pub(crate) fn length(name: impl Display, expected: impl Display, found: usize) -> PyErr {
    PyValueError::new_err(wrong_length(name, expected, found))
}

fn wrong_length(name: impl Display, expected: impl Display, found: usize) -> String {
    format!("{name}: {expected} bytes are needed, not {found}")
}

/// What `str()` gives of an object. `Display` of PyO3 asks for the same and hands what is raised meanwhile, by the handler of a
/// signal say, to `sys.unraisablehook` along with the object: the interruption would be lost, and the object shown.
pub(crate) fn words(object: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(object.str()?.to_string_lossy().into_owned())
}

/// A `TypeError` that says what was expected and what came.
pub(crate) fn wrong_type(name: impl Display, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found = match found.get_type().name() {
        // As it is: see `words`.
        Ok(found) => found.to_string_lossy().into_owned(),
        Err(error) => return error,
    };
    PyTypeError::new_err(format!("{name}: {expected} is needed, not {found}"))
}

/// A signature that did not pass its check.
pub(crate) fn fault() -> PyErr {
    PyRuntimeError::new_err(
        "the signature did not pass its check: the processor or the memory failed",
    )
}

/// The operating system gave no random bytes.
pub(crate) fn no_randomness() -> PyErr {
    PyOSError::new_err("the operating system gives no random bytes")
}
