//! `lanner.ed25519`: Ed25519 (RFC 8032) under named verification profiles.

use lanner_ed25519::batch::Batch;
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{
    Digest, PreparedVerifyingKey as Prepared, Sha512, Signature, SignatureError,
    SigningKey as Secret, VerifyingKey as Public,
};
use lanner_simd::stack::cleared;
use pyo3::intern;
use pyo3::prelude::{Bound, Py, PyAny, PyRef, PyResult, Python, pyclass, pyfunction, pymethods};
use pyo3::types::{PyAnyMethods, PyBytes, PyString};
use zeroize::Zeroizing;

use crate::buffers::{Octets, Rows, column, copy_to, fixed, meant, nothing, room, secret};
use crate::errors::{fault, invalid_signature, length, no_randomness, signature_length, value};
use crate::prehash::Prehash;
use crate::public::{Reduced, hash_of, hex, reduced};
use crate::secrets::{MOVED, hash_by_public, no_pickle};
use crate::work::{Reading, in_chunks, release_if_long};
use crate::{arguments, files, x25519};

/// The names of all profiles.
pub(crate) fn profile_names() -> Vec<&'static str> {
    ProfileName::ALL.iter().map(|name| name.as_str()).collect()
}

/// The profile of that name.
pub(crate) fn profile(name: &str) -> PyResult<ProfileName> {
    name.parse().map_err(|_| {
        value(
            "profile",
            &format!("'{name}' is none of {}", profile_names().join(", ")),
        )
    })
}

/// The signature in these 64 bytes.
fn signature(object: &Bound<'_, PyAny>) -> PyResult<Signature> {
    let mut bytes = [0; 64];
    copy_to("signature", object, &mut bytes)?
        .map_err(|found| signature_length(object.py(), bytes.len(), found))?;
    Ok(Signature::from_bytes(&bytes))
}

/// A context of Ed25519ctx, which is not empty, or of Ed25519ph.
fn context<'py>(object: &Bound<'py, PyAny>, least: usize) -> PyResult<Octets<'py>> {
    let context = Octets::of("context", object)?;
    if (least..256).contains(&context.len()) {
        Ok(context)
    } else {
        let lengths = format_args!("{least} to 255").to_string();
        Err(length("context", lengths, context.len()))
    }
}

/// A secret key of Ed25519: 32 bytes. Wiped when the last reference goes; repr() shows nothing of it, and it is not
/// pickled.
#[pyclass(frozen, module = "lanner.ed25519")]
pub(crate) struct SigningKey(Box<Secret>);

#[pymethods]
impl SigningKey {
    /// Takes the 32 bytes that RFC 8032 calls the private key, others the seed.
    #[new]
    fn new(key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut bytes = Zeroizing::new([0; 32]);
        secret("key", key, &mut bytes)?;
        Ok(SigningKey(cleared::<MOVED, _>(|| {
            Box::new(Secret::from_bytes(&bytes))
        })))
    }

    /// A new random key, from the generator of the operating system.
    #[staticmethod]
    fn generate() -> PyResult<Self> {
        cleared::<MOVED, _>(|| Secret::generate_from_os().map(Box::new))
            .map(SigningKey)
            .map_err(|_| no_randomness())
    }

    /// The key of 64 bytes: the secret key, then the public key. Raises ValueError unless they belong together.
    #[staticmethod]
    fn from_keypair(keypair: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut bytes = Zeroizing::new([0; 64]);
        secret("keypair", keypair, &mut bytes)?;
        cleared::<MOVED, _>(|| Secret::from_keypair_bytes(&bytes).map(Box::new))
            .map(SigningKey)
            .map_err(|_| value("keypair", "the public key is not that of the secret key"))
    }

    /// The key of a PKCS#8 file in DER (RFC 8410), without a password.
    #[staticmethod]
    fn from_der(der: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::secret_from_der(der, Reading::Short).map(SigningKey)
    }

    /// The key of a PKCS#8 file in PEM (RFC 8410), without a password.
    #[staticmethod]
    fn from_pem(pem: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::secret_from_pem(pem, Reading::Short).map(SigningKey)
    }

    /// The public key.
    #[getter]
    fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(self.0.verifying_key())
    }

    /// The signature of a message: 64 bytes. Constant time in all but the length.
    fn sign<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        use lanner_ed25519::Signer;
        let message = Octets::of("message", message)?;
        let (key, message) = (&*self.0, &*message);
        let signature = release_if_long(py, message.len(), || key.sign(message));
        Ok(PyBytes::new(py, &signature.to_bytes()))
    }

    /// The signature that sign() makes, and only that, whatever single fault of the processor or of memory happens meanwhile: it
    /// is made twice, compared and verified. Raises RuntimeError if it is not right; this key or this machine should sign no
    /// more then, before the reason is found.
    fn sign_checked<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let message = Octets::of("message", message)?;
        let (key, message) = (&*self.0, &*message);
        made(
            py,
            release_if_long(py, message.len(), || key.sign_checked(message)),
        )
    }

    /// The Ed25519ctx signature of a message: 64 bytes. The context, 1 to 255 bytes, says what for: a protocol, say.
    fn sign_ctx<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        context: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.signs_ctx(py, message, context, Secret::sign_ctx)
    }

    /// The signature that sign_ctx() makes, as sign_checked() makes it.
    fn sign_ctx_checked<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        context: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.signs_ctx(py, message, context, Secret::sign_ctx_checked)
    }

    /// The Ed25519ph signature of a message, which is hashed once, by SHA-512: 64 bytes. The context has 0 to 255 bytes.
    #[pyo3(signature = (message, context = None))]
    fn sign_ph<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.signs_ph(py, message, context, Secret::sign_prehashed)
    }

    /// The signature that sign_ph() makes, as sign_checked() makes it. The message is hashed once: a fault in that is not seen.
    #[pyo3(signature = (message, context = None))]
    fn sign_ph_checked<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.signs_ph(py, message, context, Secret::sign_prehashed_checked)
    }

    /// The signature that sign_ph() makes of a message, from the 64 bytes of SHA-512 of it, as hashlib.file_digest() computes
    /// them of a file.
    #[pyo3(signature = (digest, context = None))]
    fn sign_prehashed<'py>(
        &self,
        py: Python<'py>,
        digest: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.signs_digest(py, digest, context, Secret::sign_prehashed)
    }

    /// The signature that sign_prehashed() makes, as sign_checked() makes it.
    #[pyo3(signature = (digest, context = None))]
    fn sign_prehashed_checked<'py>(
        &self,
        py: Python<'py>,
        digest: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.signs_digest(py, digest, context, Secret::sign_prehashed_checked)
    }

    /// The signatures of many messages (a sequence of bytes-like objects, or an array of shape (n, m)): bit for bit those of
    /// sign(), made several at a time.
    fn sign_many<'py>(
        &self,
        py: Python<'py>,
        messages: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let messages = Rows::of("messages", messages, nothing)?;
        let messages = messages.slices()?;
        let mut objects = room(messages.len())?;
        let mut signatures = vec![Signature::from_bytes(&[0; 64]); 1024];
        for messages in messages.chunks(1024) {
            let (key, signatures) = (&*self.0, &mut signatures[..messages.len()]);
            py.detach(|| key.sign_each(messages, signatures));
            py.check_signals()?;
            let signatures = signatures.iter();
            objects.extend(signatures.map(|signature| PyBytes::new(py, &signature.to_bytes())));
        }
        Ok(objects)
    }

    /// The secret key of X25519 that belongs to verifying_key.to_x25519(). Signing and agreeing by one key is safe in many
    /// protocols and not in all: prefer two keys.
    fn to_x25519(&self) -> x25519::SecretKey {
        let mut bytes = Zeroizing::new([0; 32]);
        cleared::<MOVED, _>(|| bytes.copy_from_slice(&self.0.to_x25519_secret_bytes()));
        x25519::SecretKey::of(&bytes)
    }

    /// The 32 bytes, in an object that Python does not wipe.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.as_bytes())
    }

    /// A PKCS#8 file in DER (RFC 8410, version 1: the secret key alone), without a password.
    fn to_der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        files::secret_to_der(py, &*self.0)
    }

    /// A PKCS#8 file in PEM (RFC 8410, version 1: the secret key alone), without a password.
    fn to_pem<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        files::secret_to_pem(py, &*self.0)
    }

    fn __eq__(&self, other: PyRef<'_, Self>) -> bool {
        // In constant time.
        *self.0 == *other.0
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash_by_public(py, self.0.verifying_key().as_bytes())
    }

    fn __repr__(&self) -> &'static str {
        "<lanner.ed25519.SigningKey>"
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
    fn signs_ctx<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        context: &Bound<'py, PyAny>,
        sign: impl Fn(&Secret, &[u8], &[u8]) -> Result<Signature, SignatureError> + Sync,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let message = Octets::of("message", message)?;
        let context = self::context(context, 1)?;
        let (key, message, context) = (&*self.0, &*message, &*context);
        let signature = release_if_long(py, message.len(), || sign(key, context, message));
        made(py, signature)
    }

    fn signs_ph<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
        sign: impl Fn(&Secret, Sha512, Option<&[u8]>) -> Result<Signature, SignatureError> + Sync,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let message = Octets::of("message", message)?;
        let context = context
            .map(|context| self::context(context, 0))
            .transpose()?;
        let (key, message, context) = (&*self.0, &*message, context.as_deref());
        let signature = release_if_long(py, message.len(), || {
            sign(key, Sha512::new_with_prefix(message), context)
        });
        made(py, signature)
    }

    fn signs_digest<'py>(
        &self,
        py: Python<'py>,
        digest: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
        sign: impl Fn(&Secret, Prehash, Option<&[u8]>) -> Result<Signature, SignatureError>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let digest = Prehash(fixed("digest", digest)?);
        let context = context
            .map(|context| self::context(context, 0))
            .transpose()?;
        made(py, sign(&self.0, digest, context.as_deref()))
    }
}

/// The signature. All that can be wrong with it is that it was checked and is not right: the length of its context was looked at.
fn made(
    py: Python<'_>,
    signature: Result<Signature, SignatureError>,
) -> PyResult<Bound<'_, PyBytes>> {
    let signature = signature.map_err(|_| fault())?;
    Ok(PyBytes::new(py, &signature.to_bytes()))
}

/// Turns a verdict into an exception.
fn verdict(valid: Result<(), SignatureError>) -> PyResult<()> {
    valid.map_err(|_| invalid_signature())
}

/// A public key of Ed25519.
#[pyclass(frozen, module = "lanner.ed25519")]
pub(crate) struct VerifyingKey(Public);

#[pymethods]
impl VerifyingKey {
    /// Takes 32 bytes. Raises ValueError where they are no point of the curve; encodings that are not canonical decode,
    /// and the profile decides about them.
    #[new]
    fn new(key: &Bound<'_, PyAny>) -> PyResult<Self> {
        Public::from_bytes(&fixed("key", key)?)
            .map(VerifyingKey)
            .map_err(|_| value("key", "not the encoding of a point of the curve"))
    }

    /// The key of a SubjectPublicKeyInfo in DER (RFC 8410).
    #[staticmethod]
    fn from_der(der: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::public_from_der(der, Reading::Short).map(VerifyingKey)
    }

    /// The key of a SubjectPublicKeyInfo in PEM (RFC 8410).
    #[staticmethod]
    fn from_pem(pem: &Bound<'_, PyAny>) -> PyResult<Self> {
        files::public_from_pem(pem, Reading::Short).map(VerifyingKey)
    }

    /// Verifies a signature of 64 bytes under a profile, a name of PROFILES. Raises InvalidSignature. Variable time.
    #[pyo3(signature = (message, signature, *, profile = "strict"))]
    fn verify(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::profile)] profile: &str,
    ) -> PyResult<()> {
        verdict(self.checked(py, message, signature, profile)?)
    }

    /// Whether verify() accepts the signature. Arguments of a wrong type or length are errors all the same.
    #[pyo3(signature = (message, signature, *, profile = "strict"))]
    fn is_valid(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::profile)] profile: &str,
    ) -> PyResult<bool> {
        Ok(self.checked(py, message, signature, profile)?.is_ok())
    }

    /// Verifies an Ed25519ctx signature; the context has 1 to 255 bytes. Raises InvalidSignature.
    #[pyo3(signature = (message, signature, context, *, profile = "strict"))]
    fn verify_ctx(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        context: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::profile)] profile: &str,
    ) -> PyResult<()> {
        let verifier = self.0.under(self::profile(profile)?);
        let message = Octets::of("message", message)?;
        let signature = self::signature(signature)?;
        let context = self::context(context, 1)?;
        let (message, context) = (&*message, &*context);
        verdict(release_if_long(py, message.len(), || {
            verifier.verify_ctx(context, message, &signature)
        }))
    }

    /// Verifies an Ed25519ph signature; the context has 0 to 255 bytes. Raises InvalidSignature.
    #[pyo3(signature = (message, signature, context = None, *, profile = "strict"))]
    fn verify_ph(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        context: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::profile)] profile: &str,
    ) -> PyResult<()> {
        let verifier = self.0.under(self::profile(profile)?);
        let message = Octets::of("message", message)?;
        let signature = self::signature(signature)?;
        let context = context
            .map(|context| self::context(context, 0))
            .transpose()?;
        let (message, context) = (&*message, context.as_deref());
        verdict(release_if_long(py, message.len(), || {
            verifier.verify_prehashed(Sha512::new_with_prefix(message), context, &signature)
        }))
    }

    /// What verify_ph() does with a message, of the 64 bytes of SHA-512 of it. Raises InvalidSignature.
    #[pyo3(signature = (digest, signature, context = None, *, profile = "strict"))]
    fn verify_prehashed(
        &self,
        digest: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        context: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::profile)] profile: &str,
    ) -> PyResult<()> {
        let verifier = self.0.under(self::profile(profile)?);
        let digest = Prehash(fixed("digest", digest)?);
        let signature = self::signature(signature)?;
        let context = context
            .map(|context| self::context(context, 0))
            .transpose()?;
        verdict(verifier.verify_prehashed(digest, context.as_deref(), &signature))
    }

    /// The key with tables of 6 kB, which verifies faster: for a key that verifies often.
    fn prepare(&self) -> PreparedVerifyingKey {
        PreparedVerifyingKey(Box::new(Prepared::new(&self.0)))
    }

    /// Whether the key has small order, so that anybody can sign under it: strict and libsodium refuse it.
    #[getter]
    fn is_weak(&self) -> bool {
        self.0.is_weak()
    }

    /// The public key of X25519 whose secret is SigningKey.to_x25519(). Raises ValueError for keys that nobody makes
    /// honestly: weak ones, and those with a component of small order.
    fn to_x25519(&self) -> PyResult<x25519::PublicKey> {
        let bytes = self.0.to_x25519_public_bytes();
        bytes
            .map(|bytes| x25519::PublicKey(bytes.into()))
            .map_err(|_| value("key", "weak, or with a component of small order"))
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
        format!("<lanner.ed25519.VerifyingKey {}>", hex(self.0.as_bytes()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduced::<Self>(self.to_bytes(py))
    }
}

impl VerifyingKey {
    fn checked(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        profile: &str,
    ) -> PyResult<Result<(), SignatureError>> {
        let verifier = self.0.under(self::profile(profile)?);
        verify(py, message, signature, |message, signature| {
            verifier.verify(message, signature)
        })
    }
}

/// What every key does with a signature, the check itself apart.
fn verify(
    py: Python<'_>,
    message: &Bound<'_, PyAny>,
    signature: &Bound<'_, PyAny>,
    check: impl Fn(&[u8], &Signature) -> Result<(), SignatureError> + Sync,
) -> PyResult<Result<(), SignatureError>> {
    let message = Octets::of("message", message)?;
    let signature = self::signature(signature)?;
    let message = &*message;
    Ok(release_if_long(py, message.len(), || {
        check(message, &signature)
    }))
}

/// A public key of Ed25519 with its tables, made by VerifyingKey.prepare().
#[pyclass(frozen, module = "lanner.ed25519")]
pub(crate) struct PreparedVerifyingKey(Box<Prepared>);

#[pymethods]
impl PreparedVerifyingKey {
    /// As VerifyingKey.verify().
    #[pyo3(signature = (message, signature, *, profile = "strict"))]
    fn verify(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::profile)] profile: &str,
    ) -> PyResult<()> {
        verdict(self.checked(py, message, signature, profile)?)
    }

    /// As VerifyingKey.is_valid().
    #[pyo3(signature = (message, signature, *, profile = "strict"))]
    fn is_valid(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::profile)] profile: &str,
    ) -> PyResult<bool> {
        Ok(self.checked(py, message, signature, profile)?.is_ok())
    }

    /// The key without its tables.
    #[getter]
    fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(self.0.verifying_key())
    }

    fn __eq__(&self, other: PyRef<'_, Self>) -> bool {
        self.0.verifying_key() == other.0.verifying_key()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.verifying_key().__hash__(py)
    }

    fn __repr__(&self) -> String {
        let key = self.0.verifying_key();
        format!(
            "<lanner.ed25519.PreparedVerifyingKey {}>",
            hex(key.as_bytes())
        )
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    // Tables are made anew: that takes less time than it takes to read them.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (VerifyingKey,))> {
        let prepare = py.get_type::<VerifyingKey>().getattr("prepare")?;
        Ok((prepare, (self.verifying_key(),)))
    }
}

impl PreparedVerifyingKey {
    fn checked(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        profile: &str,
    ) -> PyResult<Result<(), SignatureError>> {
        let verifier = self.0.under(self::profile(profile)?);
        verify(py, message, signature, |message, signature| {
            verifier.verify(message, signature)
        })
    }
}

/// The bytes of a public key that is an object: of the classes above, or of those in the place of PyNaCl's and cryptography's.
pub(crate) fn key_octets<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let py = object.py();
    if object.is_instance_of::<PyBytes>() {
        Ok(None)
    } else if let Ok(key) = object.cast::<VerifyingKey>() {
        Ok(Some(key.get().to_bytes(py)))
    } else if let Ok(key) = object.cast::<PreparedVerifyingKey>() {
        Ok(Some(key.get().verifying_key().to_bytes(py)))
    } else if let Some(encoded) = object.getattr_opt(intern!(py, "_encoded"))?
        && let Some(octets) = encoded.getattr_opt(intern!(py, "octets"))?
    {
        // An EncodedKey of _encoded.py.
        Ok(octets.cast_into().ok())
    } else {
        Ok(None)
    }
}

/// Whether a signature is valid under a key of 32 bytes that is used once: faster than VerifyingKey(public_key).verify(…), and
/// False where the bytes are no point of the curve. The key may be an object of the public keys of this package: the profile is
/// that of this call. Arguments of a wrong type or length are errors.
#[pyfunction]
#[pyo3(signature = (public_key, message, signature, *, profile = "strict"))]
pub(crate) fn is_valid(
    py: Python<'_>,
    public_key: &Bound<'_, PyAny>,
    message: &Bound<'_, PyAny>,
    signature: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::profile)] profile: &str,
) -> PyResult<bool> {
    let profile = self::profile(profile)?;
    let key = fixed("public_key", &meant(public_key, key_octets)?)?;
    let message = Octets::of("message", message)?;
    let signature = self::signature(signature)?;
    let message = &*message;
    Ok(release_if_long(py, message.len(), || {
        Public::verify_from_bytes(&key, profile, message, &signature).is_ok()
    }))
}

/// Verifies many signatures: verdict i is what VerifyingKey(public_keys[i]).verify(messages[i], signatures[i]) says, and False
/// where the key is no point of the curve, or key or signature have a wrong length. They are combined or computed side by
/// side, and the verdicts are those of one by one.
///
/// public_keys and signatures are arrays of unsigned bytes of shape (n, 32) and (n, 64), or sequences of bytes-like objects
/// (keys also as objects of the public keys of this package, under the profile of this call whichever their own methods have);
/// messages is an array of shape (n, m), or a sequence of bytes-like objects. Raises ValueError where the columns have different lengths, or arrays another shape. Ctrl-C stops it.
#[pyfunction]
#[pyo3(signature = (public_keys, messages, signatures, *, profile = "strict"))]
pub(crate) fn verify_batch(
    py: Python<'_>,
    public_keys: &Bound<'_, PyAny>,
    messages: &Bound<'_, PyAny>,
    signatures: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::profile)] profile: &str,
) -> PyResult<Vec<bool>> {
    let profile = self::profile(profile)?;
    let keys = column::<32>("public_keys", public_keys, key_octets)?;
    let messages = Rows::of("messages", messages, nothing)?;
    let messages = messages.slices()?;
    let signatures = column::<64>("signatures", signatures, nothing)?;
    let count = keys.len();
    for (name, found) in [
        ("messages", messages.len()),
        ("signatures", signatures.len()),
    ] {
        if found != count {
            let what = format!("{found} rows, and public_keys has {count}");
            return Err(value(name, &what));
        }
    }
    in_chunks(py, count, |rows| {
        judge(
            profile,
            &keys[rows.clone()],
            &messages[rows.clone()],
            &signatures[rows],
        )
    })
}

/// The verdicts of some rows.
fn judge(
    profile: ProfileName,
    keys: &[Option<[u8; 32]>],
    messages: &[&[u8]],
    signatures: &[Option<[u8; 64]>],
) -> Vec<bool> {
    let mut verdicts = vec![false; keys.len()];
    // Those that have a key and a signature, side by side.
    let whole = |row: usize| Some((row, keys[row]?, signatures[row]?));
    let rows: Vec<_> = (0..keys.len()).filter_map(whole).collect();
    let keys: Vec<[u8; 32]> = rows.iter().map(|(_, key, _)| *key).collect();
    let mut decoded = vec![None; keys.len()];
    Public::from_bytes_each(&keys, &mut decoded);
    let rows = rows.into_iter().zip(&decoded);
    let rows: Vec<_> = rows
        .filter_map(|((row, _, signature), key)| Some((row, (*key)?, signature)))
        .collect();
    let keys: Vec<Public> = rows.iter().map(|(_, key, _)| *key).collect();
    let signatures = rows
        .iter()
        .map(|(_, _, signature)| Signature::from_bytes(signature));
    let signatures: Vec<Signature> = signatures.collect();
    let messages: Vec<&[u8]> = rows.iter().map(|(row, _, _)| messages[*row]).collect();
    let batch = Batch::new(profile, &messages, &signatures, &keys);
    let valid = batch.expect("columns of one length").verify_each();
    for ((row, _, _), valid) in rows.into_iter().zip(valid) {
        verdicts[row] = valid;
    }
    verdicts
}
