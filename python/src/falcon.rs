//! `lanner.falcon`: signatures of Falcon as NIST's third round had it, verified.

use lanner_fn_dsa::falcon::{
    Encoding, VerifyingKeyStandard as Public, max_signature_size, verify_as,
};
use lanner_fn_dsa::vrfy_key_size;
use pyo3::prelude::{Bound, PyAny, PyRef, PyResult, Python, pyclass, pymethods};
use pyo3::types::{PyBytes, PyString};

use crate::buffers::Octets;
use crate::errors::{invalid_signature, length, signature_length, value};
use crate::public::{Reduced, hash_of, reduced};
use crate::work::Reading;
use crate::{arguments, files};

/// The names of the encodings.
pub(crate) const ENCODINGS: [&str; 3] = ["padded", "compressed", "constant-time"];

/// The encoding of that name.
fn encoding(name: &str) -> PyResult<Encoding> {
    match name {
        "padded" => Ok(Encoding::Padded),
        "compressed" => Ok(Encoding::Compressed),
        "constant-time" => Ok(Encoding::ConstantTime),
        _ => Err(value(
            "encoding",
            &format!("'{name}' is none of {}", ENCODINGS.join(", ")),
        )),
    }
}

/// A public key of Falcon, of degree 512 or 1024. Its bytes could be those of a key of FN-DSA as well: a key pair is for one of
/// the two, because signatures of the one can be signatures of the other, of messages that nobody signed.
#[pyclass(frozen, module = "lanner.falcon")]
pub(crate) struct VerifyingKey(Box<Public>);

#[pymethods]
impl VerifyingKey {
    /// Takes an encoded key: 897 bytes (degree 512) or 1793 (1024).
    #[new]
    fn new(py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = Octets::of("key", key)?;
        if ![9, 10].map(vrfy_key_size).contains(&bytes.len()) {
            return Err(length("key", "897 or 1793", bytes.len()));
        }
        let bytes = &*bytes;
        py.detach(|| Public::from_bytes(bytes))
            .map(|key| VerifyingKey(Box::new(key)))
            .map_err(|_| value("key", "not an encoded key of Falcon"))
    }

    /// The key of a SubjectPublicKeyInfo in DER, as Open Quantum Safe's provider and Bouncy Castle write them.
    #[staticmethod]
    fn from_der(der: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::public_from_der(der, Reading::Long).map(|key| VerifyingKey(Box::new(key)))
    }

    /// The key of a SubjectPublicKeyInfo in PEM.
    #[staticmethod]
    fn from_pem(pem: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::public_from_pem(pem, Reading::Long).map(|key| VerifyingKey(Box::new(key)))
    }

    /// The degree: 512 or 1024.
    #[getter]
    fn degree(&self) -> u32 {
        1 << self.0.logn()
    }

    /// Verifies a signature in one encoding, a name of ENCODINGS: "padded" (666 bytes, or 1280 with degree 1024), "compressed"
    /// (at most 752 or 1462) or "constant-time" (809 or 1577). Anybody can turn a signature of one encoding into one of
    /// another, so it is valid in none but the one that is named. Raises InvalidSignature. Variable time.
    #[pyo3(signature = (message, signature, *, encoding))]
    fn verify(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::encoding)] encoding: &str,
    ) -> PyResult<()> {
        if self.is_valid(py, message, signature, encoding)? {
            Ok(())
        } else {
            Err(invalid_signature())
        }
    }

    /// Whether verify() accepts the signature. Arguments of a wrong type or length are errors all the same.
    #[pyo3(signature = (message, signature, *, encoding))]
    fn is_valid(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::encoding)] encoding: &str,
    ) -> PyResult<bool> {
        let encoding = self::encoding(encoding)?;
        let message = Octets::of("message", message)?;
        let signature = Octets::of("signature", signature)?;
        let (most, found) = (max_signature_size(encoding, self.0.logn()), signature.len());
        let varies = encoding == Encoding::Compressed;
        if found > most || found < most && !varies {
            let expected = if varies {
                format!("at most {most}")
            } else {
                most.to_string()
            };
            return Err(signature_length(py, expected, found));
        }
        let (key, message, signature) = (&*self.0, &*message, &*signature);
        let verdict = py.detach(|| verify_as(key, signature, message, encoding));
        Ok(verdict.is_ok())
    }

    /// The encoded key.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.encoded())
    }

    /// A SubjectPublicKeyInfo in DER, as Open Quantum Safe's provider writes it.
    fn to_der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        files::public_to_der(py, &*self.0)
    }

    /// A SubjectPublicKeyInfo in PEM, as Open Quantum Safe's provider writes it.
    fn to_pem<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        files::public_to_pem(py, &*self.0)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_bytes(py)
    }

    fn __eq__(&self, other: PyRef<'_, Self>) -> bool {
        *self.0 == *other.0
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash_of(py, &self.encoded())
    }

    fn __repr__(&self) -> String {
        format!("<lanner.falcon.VerifyingKey of degree {}>", self.degree())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduced::<Self>(self.to_bytes(py))
    }
}

impl VerifyingKey {
    fn encoded(&self) -> Vec<u8> {
        let mut bytes = vec![0; vrfy_key_size(self.0.logn())];
        self.0
            .write_bytes(&mut bytes)
            .expect("the length is the key's");
        bytes
    }
}
