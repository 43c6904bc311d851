//! The extension module `lanner._native`: what the modules of the Python package `lanner` are made of.
//!
//! Thin: arguments are checked and copied where they must be (`buffers.rs`), the lock of the interpreter is released
//! around long work (`work.rs`), and the schemes' own crates do the rest.

mod arguments;
mod arrow;
mod buffers;
mod ed25519;
mod errors;
mod falcon;
mod files;
mod fn_dsa;
mod hybrid;
mod prehash;
mod public;
mod secrets;
mod work;
mod x25519;

/// What `lanner.arrow`, `lanner.ed25519`, `lanner.x25519`, `lanner.fn_dsa`, `lanner.hybrid` and `lanner.falcon` export, each in a
/// module of its own.
#[pyo3::pymodule(gil_used = false)]
mod _native {
    use pyo3::prelude::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pyo3::pymodule]
    mod ed25519 {
        #[pymodule_export]
        use crate::ed25519::{
            PreparedVerifyingKey, SigningKey, VerifyingKey, is_valid, verify_batch,
        };
    }

    #[pyo3::pymodule]
    mod arrow {
        #[pymodule_export]
        use crate::arrow::{
            Explained, Reasons, Verdicts, count_invalid, explain, explain_fn_dsa, verify,
            verify_fn_dsa,
        };
    }

    #[pyo3::pymodule]
    mod x25519 {
        #[pymodule_export]
        use crate::x25519::{PublicKey, SecretKey};
    }

    #[pyo3::pymodule]
    mod fn_dsa {
        #[pymodule_export]
        use crate::fn_dsa::{SigningKey, VerifyingKey, verify_batch};
    }

    #[pyo3::pymodule]
    mod hybrid {
        #[pymodule_export]
        use crate::hybrid::{SigningKey, VerifyingKey};
    }

    #[pyo3::pymodule]
    mod falcon {
        #[pymodule_export]
        use crate::falcon::VerifyingKey;
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add(
            "InvalidSignature",
            py.get_type::<crate::errors::InvalidSignature>(),
        )?;
        module.add(
            "InvalidSignatureLength",
            crate::errors::invalid_signature_length_type(py)?,
        )?;
        module.add(
            "NonContributory",
            py.get_type::<crate::errors::NonContributory>(),
        )?;
        crate::arrow::register(py)?;
        module.add("PROFILES", crate::ed25519::profile_names())?;
        module.add("ENCODINGS", crate::falcon::ENCODINGS)?;
        module.add("PREHASHES", crate::fn_dsa::PREHASHES.map(|(name, ..)| name))?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
