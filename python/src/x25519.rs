//! `lanner.x25519`: key agreement (RFC 7748).

use lanner_simd::stack::cleared;
use lanner_x25519::{PublicKey as Public, StaticSecret};
use pyo3::prelude::{Bound, Py, PyAny, PyRef, PyResult, Python, pyclass, pymethods};
use pyo3::types::{PyBytes, PyString};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::buffers::{fixed, secret};
use crate::errors::{NonContributory, no_randomness};
use crate::files;
use crate::public::{Reduced, hash_of, hex, reduced};
use crate::secrets::{MOVED, hash_by_public, no_pickle};
use crate::work::Reading;

/// A secret key of X25519: 32 bytes, which are clamped whenever they are used. Wiped when the last reference goes;
/// repr() shows nothing of it, and it is not pickled.
#[pyclass(frozen, module = "lanner.x25519")]
pub(crate) struct SecretKey(Box<StaticSecret>);

impl SecretKey {
    /// The key of 32 bytes, which the caller wipes.
    pub(crate) fn of(bytes: &[u8; 32]) -> Self {
        SecretKey(cleared::<MOVED, _>(|| Box::new(StaticSecret::from(*bytes))))
    }
}

#[pymethods]
impl SecretKey {
    /// Takes 32 bytes.
    #[new]
    fn new(key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut bytes = Zeroizing::new([0; 32]);
        secret("key", key, &mut bytes)?;
        Ok(Self::of(&bytes))
    }

    /// A new random key, from the generator of the operating system.
    #[staticmethod]
    fn generate() -> PyResult<Self> {
        cleared::<MOVED, _>(|| StaticSecret::generate_from_os().map(Box::new))
            .map(SecretKey)
            .map_err(|_| no_randomness())
    }

    /// The key of a PKCS#8 file in DER (RFC 8410), without a password.
    #[staticmethod]
    fn from_der(der: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::secret_from_der(der, Reading::Short).map(SecretKey)
    }

    /// The key of a PKCS#8 file in PEM (RFC 8410), without a password.
    #[staticmethod]
    fn from_pem(pem: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::secret_from_pem(pem, Reading::Short).map(SecretKey)
    }

    /// The public key.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(Public::from(&*self.0))
    }

    /// The secret that this key shares with the owner of the other public key (a PublicKey, or its 32 bytes): 32 bytes,
    /// not uniformly random, so derive keys from them. Constant time.
    ///
    /// Raises NonContributory, a ValueError, where the result is all zero (RFC 7748, 6.1).
    fn exchange<'py>(
        &self,
        py: Python<'py>,
        public_key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let other = match public_key.cast::<PublicKey>() {
            Ok(key) => key.get().0,
            Err(_) => Public::from(fixed::<32>("public_key", public_key)?),
        };
        let mut bytes = Zeroizing::new([0; 32]);
        let contributory = cleared::<MOVED, _>(|| {
            let shared = self.0.diffie_hellman_checked(&other);
            if let Ok(shared) = &shared {
                bytes.copy_from_slice(shared.as_bytes());
            }
            shared.is_ok()
        });
        if contributory {
            Ok(PyBytes::new(py, &bytes[..]))
        } else {
            Err(NonContributory::new_err(
                "public_key: a point of small order, so the shared secret would be all zero",
            ))
        }
    }

    /// The 32 bytes, in an object that Python does not wipe.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.as_bytes())
    }

    /// A PKCS#8 file in DER, without a password.
    fn to_der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        files::secret_to_der(py, &*self.0)
    }

    /// A PKCS#8 file in PEM, without a password.
    fn to_pem<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        files::secret_to_pem(py, &*self.0)
    }

    fn __eq__(&self, other: PyRef<'_, Self>) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash_by_public(py, self.public_key().0.as_bytes())
    }

    fn __repr__(&self) -> &'static str {
        "<lanner.x25519.SecretKey>"
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

/// A public key of X25519: 32 bytes, of which all are accepted (RFC 7748, 5).
#[pyclass(frozen, module = "lanner.x25519")]
pub(crate) struct PublicKey(pub(crate) Public);

#[pymethods]
impl PublicKey {
    /// Takes 32 bytes.
    #[new]
    fn new(key: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(PublicKey(Public::from(fixed::<32>("key", key)?)))
    }

    /// The key of a SubjectPublicKeyInfo in DER (RFC 8410).
    #[staticmethod]
    fn from_der(der: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::public_from_der(der, Reading::Short).map(PublicKey)
    }

    /// The key of a SubjectPublicKeyInfo in PEM (RFC 8410).
    #[staticmethod]
    fn from_pem(pem: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::public_from_pem(pem, Reading::Short).map(PublicKey)
    }

    /// The 32 bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.as_bytes())
    }

    /// A SubjectPublicKeyInfo in DER.
    fn to_der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        files::public_to_der(py, &self.0)
    }

    /// A SubjectPublicKeyInfo in PEM.
    fn to_pem<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        files::public_to_pem(py, &self.0)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_bytes(py)
    }

    fn __eq__(&self, other: PyRef<'_, Self>) -> bool {
        self.0.as_bytes() == other.0.as_bytes()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash_of(py, self.0.as_bytes())
    }

    fn __repr__(&self) -> String {
        format!("<lanner.x25519.PublicKey {}>", hex(self.0.as_bytes()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduced::<Self>(self.to_bytes(py))
    }
}
