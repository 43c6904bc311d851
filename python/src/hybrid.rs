//! `lanner.hybrid`: Ed25519 and FN-DSA in one signature (docs/hybrid.md). Experimental.

use lanner_fn_dsa::OsRng;
use lanner_hybrid::{
    DIGEST_LENGTH, Error, SigningKeyStandard as Secret, VerifyingKeyStandard as Public,
    signature_size, verifying_key_size,
};
use lanner_simd::stack::cleared;
use pyo3::prelude::{Bound, Py, PyAny, PyErr, PyRef, PyResult, Python, pyclass, pymethods};
use pyo3::types::{PyBytes, PyString};
use zeroize::Zeroizing;

use crate::buffers::{Octets, fixed, secret};
use crate::errors::{fault, invalid_signature, length, no_randomness, signature_length, value};
use crate::fn_dsa::{context, logarithm};
use crate::public::{Reduced, hash_of, reduced};
use crate::secrets::{MOVED_LARGE, hash_by_public, no_pickle};
use crate::work::Reading;
use crate::{arguments, files};

/// The exception of an error of signing.
fn signing_failed(error: Error) -> PyErr {
    match error {
        Error::Random => no_randomness(),
        Error::Fault => fault(),
        error => value("key", &error.to_string()),
    }
}

/// A SHA-512.
fn digest(object: &Bound<'_, PyAny>) -> PyResult<[u8; DIGEST_LENGTH]> {
    fixed("digest", object)
}

/// A secret key of hybrid signatures: a seed of 32 bytes, from which the keys of both halves are derived. Wiped when the last
/// reference goes; repr() shows nothing of it, and it is not pickled.
#[pyclass(frozen, module = "lanner.hybrid")]
pub(crate) struct SigningKey(Box<Secret>);

#[pymethods]
impl SigningKey {
    /// Takes the seed, 32 bytes, and the degree of FN-DSA, 512 or 1024.
    #[new]
    #[pyo3(signature = (seed, degree = 512))]
    fn new(
        py: Python<'_>,
        seed: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::degree)] degree: u32,
    ) -> PyResult<Self> {
        let logn = logarithm(degree)?;
        let mut bytes = Zeroizing::new([0; 32]);
        secret("seed", seed, &mut bytes)?;
        Ok(Self::of(py, logn, &bytes))
    }

    /// The same as the constructor: the key of a seed of 32 bytes and of a degree.
    #[staticmethod]
    #[pyo3(signature = (seed, degree = 512))]
    fn from_seed(
        py: Python<'_>,
        seed: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::degree)] degree: u32,
    ) -> PyResult<Self> {
        Self::new(py, seed, degree)
    }

    /// A new random key, from the generator of the operating system.
    #[staticmethod]
    #[pyo3(signature = (degree = 512))]
    fn generate(
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::degree)] degree: u32,
    ) -> PyResult<Self> {
        use lanner_fn_dsa::rand_core::TryRng;
        let logn = logarithm(degree)?;
        let mut seed = Zeroizing::new([0; 32]);
        OsRng
            .try_fill_bytes(&mut seed[..])
            .map_err(|_| no_randomness())?;
        Ok(Self::of(py, logn, &seed))
    }

    /// The key of a PKCS#8 file in DER, without a password.
    #[staticmethod]
    fn from_der(der: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::secret_from_der(der, Reading::Long).map(SigningKey)
    }

    /// The key of a PKCS#8 file in PEM, without a password.
    #[staticmethod]
    fn from_pem(pem: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::secret_from_pem(pem, Reading::Long).map(SigningKey)
    }

    /// The degree of FN-DSA: 512 or 1024.
    #[getter]
    fn degree(&self) -> u32 {
        1 << self.0.logn()
    }

    /// The public key.
    #[getter]
    fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(Box::new(self.0.verifying_key()))
    }

    /// A signature of a message: 730 bytes (degree 512) or 1344 (1024), another one each time. The context, 0 to 255 bytes,
    /// says what for.
    #[pyo3(signature = (message, context = None))]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.sign_by(py, message, context, |key, context, message, signature| {
            key.sign_bytes(&mut OsRng, context, message, signature)
        })
    }

    /// A signature as sign() makes them, and only a right one, whatever single fault of the processor or of memory happens
    /// meanwhile: it is made twice, compared and verified. Raises RuntimeError if it is not right; this key or this machine
    /// should sign no more then, before the reason is found.
    #[pyo3(signature = (message, context = None))]
    fn sign_checked<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.sign_by(py, message, context, |key, context, message, signature| {
            key.sign_bytes_checked(&mut OsRng, context, message, signature)
        })
    }

    /// A signature as sign() makes them, of the message with this SHA-512, 64 bytes, as hashlib.sha512(message).digest() has
    /// them: for messages that are read in pieces.
    #[pyo3(signature = (digest, context = None))]
    fn sign_digest<'py>(
        &self,
        py: Python<'py>,
        digest: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let digest = self::digest(digest)?;
        self.signature(py, context, |key, context, signature| {
            key.sign_digest(&mut OsRng, context, &digest, signature)
        })
    }

    /// The same as sign_checked() makes them.
    #[pyo3(signature = (digest, context = None))]
    fn sign_digest_checked<'py>(
        &self,
        py: Python<'py>,
        digest: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let digest = self::digest(digest)?;
        self.signature(py, context, |key, context, signature| {
            key.sign_digest_checked(&mut OsRng, context, &digest, signature)
        })
    }

    /// The seed, in an object that Python does not wipe. The degree is not in it: SigningKey(seed, degree) makes the key anew,
    /// and to_der() and to_pem() have both.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.seed())
    }

    /// A PKCS#8 file in DER, without a password, under an identifier of this project's own.
    fn to_der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        files::secret_to_der(py, &*self.0)
    }

    /// A PKCS#8 file in PEM, without a password, under an identifier of this project's own.
    fn to_pem<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        files::secret_to_pem(py, &*self.0)
    }

    fn __eq__(&self, other: PyRef<'_, Self>) -> bool {
        // In constant time.
        *self.0 == *other.0
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash_by_public(py, &self.verifying_key().encoded())
    }

    fn __repr__(&self) -> String {
        format!("<lanner.hybrid.SigningKey of degree {}>", self.degree())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce_ex__(slf: &Bound<'_, Self>, _protocol: &Bound<'_, PyAny>) -> PyResult<()> {
        no_pickle(slf)
    }
}

impl SigningKey {
    fn sign_by<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
        sign: impl FnOnce(&Secret, &[u8], &[u8], &mut [u8]) -> Result<(), Error> + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let message = Octets::of("message", message)?;
        let message = &*message;
        self.signature(py, context, |key, context, signature| {
            sign(key, context, message, signature)
        })
    }

    fn signature<'py>(
        &self,
        py: Python<'py>,
        context: Option<&Bound<'py, PyAny>>,
        sign: impl FnOnce(&Secret, &[u8], &mut [u8]) -> Result<(), Error> + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let context = self::context(context)?;
        let (key, context) = (&*self.0, context.as_deref().unwrap_or(b""));
        let mut signature = vec![0; signature_size(key.logn())];
        py.detach(|| sign(key, context, &mut signature))
            .map_err(signing_failed)?;
        Ok(PyBytes::new(py, &signature))
    }

    fn of(py: Python<'_>, logn: u32, seed: &[u8; 32]) -> Self {
        let make = || Secret::from_seed_of_degree(logn, seed).map(Box::new);
        let key = py.detach(|| cleared::<MOVED_LARGE, _>(make));
        SigningKey(key.expect("both degrees are supported"))
    }
}

/// A public key of hybrid signatures.
#[pyclass(frozen, module = "lanner.hybrid")]
pub(crate) struct VerifyingKey(Box<Public>);

#[pymethods]
impl VerifyingKey {
    /// Takes an encoded key: 929 bytes (degree 512) or 1825 (1024).
    #[new]
    fn new(py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = Octets::of("key", key)?;
        if ![9, 10].map(verifying_key_size).contains(&bytes.len()) {
            return Err(length("key", "929 or 1825", bytes.len()));
        }
        let bytes = &*bytes;
        py.detach(|| Public::from_bytes(bytes))
            .map(|key| VerifyingKey(Box::new(key)))
            .map_err(|_| value("key", "not an encoded hybrid key"))
    }

    /// The key of a SubjectPublicKeyInfo in DER.
    #[staticmethod]
    fn from_der(der: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::public_from_der(der, Reading::Long).map(|key| VerifyingKey(Box::new(key)))
    }

    /// The key of a SubjectPublicKeyInfo in PEM.
    #[staticmethod]
    fn from_pem(pem: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::public_from_pem(pem, Reading::Long).map(|key| VerifyingKey(Box::new(key)))
    }

    /// The degree of FN-DSA: 512 or 1024.
    #[getter]
    fn degree(&self) -> u32 {
        1 << self.0.logn()
    }

    /// Verifies a signature of 730 bytes (degree 512) or 1344 (1024), of which both halves must be valid. Raises
    /// InvalidSignature. Variable time.
    #[pyo3(signature = (message, signature, context = None))]
    fn verify(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        context: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if self.is_valid(py, message, signature, context)? {
            Ok(())
        } else {
            Err(invalid_signature())
        }
    }

    /// Whether verify() accepts the signature. Arguments of a wrong type or length are errors all the same.
    #[pyo3(signature = (message, signature, context = None))]
    fn is_valid(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        context: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let message = Octets::of("message", message)?;
        let message = &*message;
        self.verdict(py, signature, context, |key, signature, context| {
            key.verify(signature, context, message)
        })
    }

    /// Verifies a signature as verify() does, of the message with this SHA-512, 64 bytes.
    #[pyo3(signature = (digest, signature, context = None))]
    fn verify_digest(
        &self,
        py: Python<'_>,
        digest: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        context: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if self.is_valid_digest(py, digest, signature, context)? {
            Ok(())
        } else {
            Err(invalid_signature())
        }
    }

    /// Whether verify_digest() accepts the signature. Arguments of a wrong type or length are errors all the same.
    #[pyo3(signature = (digest, signature, context = None))]
    fn is_valid_digest(
        &self,
        py: Python<'_>,
        digest: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        context: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let digest = self::digest(digest)?;
        self.verdict(py, signature, context, |key, signature, context| {
            key.verify_digest(signature, context, &digest)
        })
    }

    /// The encoded key.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.encoded())
    }

    /// A SubjectPublicKeyInfo in DER, under an identifier of this project's own.
    fn to_der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        files::public_to_der(py, &*self.0)
    }

    /// A SubjectPublicKeyInfo in PEM, under an identifier of this project's own.
    fn to_pem<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        files::public_to_pem(py, &*self.0)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_bytes(py)
    }

    fn __eq__(&self, other: PyRef<'_, Self>) -> bool {
        self.encoded() == other.encoded()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash_of(py, &self.encoded())
    }

    fn __repr__(&self) -> String {
        format!("<lanner.hybrid.VerifyingKey of degree {}>", self.degree())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduced::<Self>(self.to_bytes(py))
    }
}

impl VerifyingKey {
    fn verdict(
        &self,
        py: Python<'_>,
        signature: &Bound<'_, PyAny>,
        context: Option<&Bound<'_, PyAny>>,
        verify: impl FnOnce(&Public, &[u8], &[u8]) -> Result<(), Error> + Send,
    ) -> PyResult<bool> {
        let signature = Octets::of("signature", signature)?;
        let context = self::context(context)?;
        let expected = signature_size(self.0.logn());
        if signature.len() != expected {
            return Err(signature_length(py, expected, signature.len()));
        }
        let (key, signature) = (&*self.0, &*signature);
        let context = context.as_deref().unwrap_or(b"");
        Ok(py.detach(|| verify(key, signature, context)).is_ok())
    }

    fn encoded(&self) -> Vec<u8> {
        let mut bytes = vec![0; verifying_key_size(self.0.logn())];
        self.0
            .write_bytes(&mut bytes)
            .expect("the length is the key's");
        bytes
    }
}
