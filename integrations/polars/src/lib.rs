//! Ed25519 and FN-DSA as expressions of Polars: the library behind the Python package `lanner_polars`.
//!
//! It has two faces. To the engine it is an expression plugin (`interface.rs`): columns come and go through Arrow's C data
//! interface, on the engine's threads, without Python. To Python it is a module with one function, which looks at the options
//! of an expression when that is made. Nothing here takes a secret, and nothing is constant in time.

#![deny(unsafe_code)]

mod expression;
mod interface;
mod kernel;
mod options;

#[pyo3::pymodule(gil_used = false)]
mod _native {
    use pyo3::exceptions::PyValueError;
    use pyo3::types::PyModule;
    use pyo3::{Bound, PyResult, pyfunction};

    use crate::interface::count_interruptions;
    use crate::options::Options;

    /// When the module is imported, and so after Polars: a handler that the program sets later is the program's alone, for
    /// both.
    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        Ok(count_interruptions()?)
    }

    /// Raises ValueError for options that the expressions do not take. They are pickled, as the engine hands them over.
    #[pyfunction]
    fn check(options: &[u8]) -> PyResult<()> {
        match Options::read(options) {
            Ok(_) => Ok(()),
            Err(text) => Err(PyValueError::new_err(text)),
        }
    }
}
