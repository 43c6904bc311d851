//! `lanner.fn_dsa`: FN-DSA in the main variant of lanner-fn-dsa, degrees 512 and 1024.

use lanner_fn_dsa::{
    DOMAIN_NONE, DomainContext, Error, HASH_ID_RAW, HASH_ID_SHA3_256, HASH_ID_SHA3_384,
    HASH_ID_SHA3_512, HASH_ID_SHA256, HASH_ID_SHA384, HASH_ID_SHA512, HASH_ID_SHA512_256,
    HASH_ID_SHAKE128, HASH_ID_SHAKE256, HashIdentifier, OsRng, SigningKeyStandard as Secret,
    VerifyingKeyStandard as Public, sign_key_size, signature_size, vrfy_key_size,
};
use lanner_simd::stack::cleared;
use pyo3::prelude::{
    Bound, Py, PyAny, PyErr, PyRef, PyResult, Python, pyclass, pyfunction, pymethods,
};
use pyo3::types::{PyBytes, PyString};
use zeroize::Zeroizing;

use crate::buffers::{Octets, Rows, nothing, secret, secret_vec};
use crate::errors::{fault, invalid_signature, length, no_randomness, signature_length, value};
use crate::public::{Reduced, hash_of, reduced};
use crate::secrets::{MOVED_LARGE, hash_by_public, no_pickle};
use crate::work::{Reading, in_chunks};
use crate::{arguments, files};

/// The logarithm of a degree.
pub(crate) fn logarithm(degree: u32) -> PyResult<u32> {
    match degree {
        512 => Ok(9),
        1024 => Ok(10),
        _ => Err(value(
            "degree",
            &format!("512 or 1024 is needed, not {degree}"),
        )),
    }
}

/// A context of at most 255 bytes; none is empty.
pub(crate) fn context<'py>(object: Option<&Bound<'py, PyAny>>) -> PyResult<Option<Octets<'py>>> {
    let Some(object) = object else {
        return Ok(None);
    };
    let context = Octets::of("context", object)?;
    if context.len() < 256 {
        Ok(Some(context))
    } else {
        Err(length("context", "0 to 255", context.len()))
    }
}

/// The hashes that can stand in the place of a message, by the names that hashlib has, with their lengths. Those of SHAKE are as
/// long as FIPS 204, 5.4, has them for other signatures.
pub(crate) const PREHASHES: [(&str, HashIdentifier<'static>, usize); 9] = [
    ("sha256", HASH_ID_SHA256, 32),
    ("sha384", HASH_ID_SHA384, 48),
    ("sha512", HASH_ID_SHA512, 64),
    ("sha512_256", HASH_ID_SHA512_256, 32),
    ("sha3_256", HASH_ID_SHA3_256, 32),
    ("sha3_384", HASH_ID_SHA3_384, 48),
    ("sha3_512", HASH_ID_SHA3_512, 64),
    ("shake_128", HASH_ID_SHAKE128, 32),
    ("shake_256", HASH_ID_SHAKE256, 64),
];

/// What the message is: itself, or a hash by the function of this name, whose length it has.
fn identifier(
    prehash: Option<&Bound<'_, PyAny>>,
    message: &Octets<'_>,
) -> PyResult<HashIdentifier<'static>> {
    let Some(prehash) = prehash else {
        return Ok(HASH_ID_RAW);
    };
    let name = arguments::prehash(prehash)?;
    let known = PREHASHES.iter().find(|(known, ..)| *known == name);
    let Some((_, id, size)) = known else {
        let names = PREHASHES.map(|(name, ..)| name).join(", ");
        return Err(value("prehash", &format!("one of {names} is needed")));
    };
    if message.len() != *size {
        return Err(length("message, which is a hash,", size, message.len()));
    }
    Ok(*id)
}

/// The exception of an error of signing.
fn signing_failed(error: Error) -> PyErr {
    match error {
        Error::Random => no_randomness(),
        Error::Fault => fault(),
        error => value("key", &error.to_string()),
    }
}

/// A secret key of FN-DSA, of degree 512 or 1024. Wiped when the last reference goes; repr() shows nothing of it, and it is
/// not pickled.
#[pyclass(frozen, module = "lanner.fn_dsa")]
pub(crate) struct SigningKey(Box<Secret>);

#[pymethods]
impl SigningKey {
    /// Takes an encoded key: 1281 bytes (degree 512) or 2305 (1024).
    #[new]
    fn new(py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = secret_vec("key", key)?;
        if ![9, 10].map(sign_key_size).contains(&bytes.len()) {
            let needed = match bytes.len() {
                32 => "1281 or 2305 (for a seed there is from_seed)",
                _ => "1281 or 2305",
            };
            return Err(length("key", needed, bytes.len()));
        }
        py.detach(|| cleared::<MOVED_LARGE, _>(|| Secret::from_bytes(&bytes).map(Box::new)))
            .map(SigningKey)
            .map_err(|_| value("key", "not an encoded key of FN-DSA"))
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

    /// The key of a seed of 32 bytes: always the same one.
    #[staticmethod]
    #[pyo3(signature = (seed, degree = 512))]
    fn from_seed(
        py: Python<'_>,
        seed: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::degree)] degree: u32,
    ) -> PyResult<Self> {
        let logn = logarithm(degree)?;
        let mut bytes = Zeroizing::new([0; 32]);
        secret("seed", seed, &mut bytes)?;
        Ok(Self::of(py, logn, &bytes))
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

    /// The degree: 512 or 1024.
    #[getter]
    fn degree(&self) -> u32 {
        1 << self.0.logn()
    }

    /// The public key.
    #[getter]
    fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(Box::new(self.0.verifying_key()))
    }

    /// A signature of a message: 666 bytes (degree 512) or 1280 (1024), another one each time. The context, 0 to 255 bytes,
    /// says what for. With prehash, a name of hashlib ("sha512", "sha3_256", ...; "shake_128" and "shake_256" of 32 and 64
    /// bytes), the message is its hash, which the caller has computed: a signature of a hash is none of a message.
    #[pyo3(signature = (message, context = None, *, prehash = None))]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
        prehash: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.sign_by(
            py,
            message,
            context,
            prehash,
            |key, context, id, message, signature| {
                key.sign_bytes(&mut OsRng, context, id, message, signature)
            },
        )
    }

    /// A signature as sign() makes them, and only a right one, whatever single fault of the processor or of memory happens
    /// meanwhile: it is made twice, compared and verified. Raises RuntimeError if it is not right; this key or this machine
    /// should sign no more then, before the reason is found.
    #[pyo3(signature = (message, context = None, *, prehash = None))]
    fn sign_checked<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
        prehash: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.sign_by(
            py,
            message,
            context,
            prehash,
            |key, context, id, message, signature| {
                key.sign_bytes_checked(&mut OsRng, context, id, message, signature)
            },
        )
    }

    /// The encoded key, in an object that Python does not wipe.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, sign_key_size(self.0.logn()), |bytes| {
            self.0.write_bytes(bytes).expect("the length is the key's");
            Ok(())
        })
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
        format!("<lanner.fn_dsa.SigningKey of degree {}>", self.degree())
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
        prehash: Option<&Bound<'py, PyAny>>,
        sign: impl FnOnce(
            &Secret,
            &DomainContext<'_>,
            &HashIdentifier<'_>,
            &[u8],
            &mut [u8],
        ) -> Result<(), Error>
        + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let message = Octets::of("message", message)?;
        let context = self::context(context)?;
        let id = identifier(prehash, &message)?;
        let (key, message) = (&*self.0, &*message);
        let context = context.as_deref().map_or(DOMAIN_NONE, DomainContext);
        let mut signature = vec![0; signature_size(key.logn())];
        py.detach(|| sign(key, &context, &id, message, &mut signature))
            .map_err(signing_failed)?;
        Ok(PyBytes::new(py, &signature))
    }

    fn of(py: Python<'_>, logn: u32, seed: &[u8; 32]) -> Self {
        let make = || Secret::from_seed_of_degree(logn, seed).map(Box::new);
        let key = py.detach(|| cleared::<MOVED_LARGE, _>(make));
        SigningKey(key.expect("both degrees are supported"))
    }
}

/// A public key of FN-DSA, of degree 512 or 1024.
#[pyclass(frozen, module = "lanner.fn_dsa")]
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
            .map_err(|_| value("key", "not an encoded key of FN-DSA"))
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

    /// The degree: 512 or 1024.
    #[getter]
    fn degree(&self) -> u32 {
        1 << self.0.logn()
    }

    /// Verifies a signature of 666 bytes (degree 512) or 1280 (1024); with prehash, of a hash, as sign() makes them. Raises
    /// InvalidSignature. Variable time.
    #[pyo3(signature = (message, signature, context = None, *, prehash = None))]
    fn verify(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        context: Option<&Bound<'_, PyAny>>,
        prehash: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if self.is_valid(py, message, signature, context, prehash)? {
            Ok(())
        } else {
            Err(invalid_signature())
        }
    }

    /// Whether verify() accepts the signature. Arguments of a wrong type or length are errors all the same.
    #[pyo3(signature = (message, signature, context = None, *, prehash = None))]
    fn is_valid(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        context: Option<&Bound<'_, PyAny>>,
        prehash: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let message = Octets::of("message", message)?;
        let signature = Octets::of("signature", signature)?;
        let context = self::context(context)?;
        let id = identifier(prehash, &message)?;
        let expected = signature_size(self.0.logn());
        if signature.len() != expected {
            return Err(signature_length(py, expected, signature.len()));
        }
        let (key, message, signature) = (&*self.0, &*message, &*signature);
        let context = context.as_deref().map_or(DOMAIN_NONE, DomainContext);
        let verdict = py.detach(|| key.try_verify(signature, &context, &id, message));
        Ok(verdict.is_ok())
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
        *self.0 == *other.0
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash_of(py, &self.encoded())
    }

    fn __repr__(&self) -> String {
        format!("<lanner.fn_dsa.VerifyingKey of degree {}>", self.degree())
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

/// The bytes of a public key that is an object.
pub(crate) fn key_octets<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let key = object.cast::<VerifyingKey>().ok();
    Ok(key.map(|key| key.get().to_bytes(object.py())))
}

/// Verifies many signatures under one context: verdict i is what VerifyingKey(public_keys[i]).verify(messages[i],
/// signatures[i], context) says, and False where key or signature have a wrong length or do not decode.
///
/// The columns are arrays of unsigned bytes of shape (n, length), or sequences of bytes-like objects (keys also as
/// VerifyingKey). Raises ValueError where they have different lengths, or arrays a shape that no key and no signature has.
/// Ctrl-C stops it.
#[pyfunction]
#[pyo3(signature = (public_keys, messages, signatures, context = None))]
pub(crate) fn verify_batch(
    py: Python<'_>,
    public_keys: &Bound<'_, PyAny>,
    messages: &Bound<'_, PyAny>,
    signatures: &Bound<'_, PyAny>,
    context: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<bool>> {
    let context = self::context(context)?;
    let context = context.as_deref().map_or(DOMAIN_NONE, DomainContext);
    let keys = Rows::of("public_keys", public_keys, key_octets)?;
    let messages = Rows::of("messages", messages, nothing)?;
    let signatures = Rows::of("signatures", signatures, nothing)?;
    of_some_degree("public_keys", &keys, [9, 10].map(vrfy_key_size))?;
    of_some_degree("signatures", &signatures, [9, 10].map(signature_size))?;
    let (keys, messages, signatures) = (keys.slices()?, messages.slices()?, signatures.slices()?);
    let count = keys.len();
    for (name, found) in [
        ("messages", messages.len()),
        ("signatures", signatures.len()),
    ] {
        if found != count {
            return Err(value(
                name,
                &format!("{found} rows, and public_keys has {count}"),
            ));
        }
    }
    in_chunks(py, count, |rows| {
        let mut verdicts = vec![false; rows.len()];
        // Decoded keys take 2 kB each.
        for (start, verdicts) in rows.clone().step_by(EACH).zip(verdicts.chunks_mut(EACH)) {
            let part = start..start + verdicts.len();
            judge(
                &context,
                &keys[part.clone()],
                &messages[part.clone()],
                &signatures[part],
                verdicts,
            );
        }
        verdicts
    })
}

/// Refuses an array of which no row has one of the two lengths.
fn of_some_degree(name: &str, rows: &Rows<'_>, lengths: [usize; 2]) -> PyResult<()> {
    match rows {
        Rows::Matrix { width, .. } if !lengths.contains(width) => {
            let [small, large] = lengths;
            let what = format!(
                "an array of shape (n, {small}) or (n, {large}) is needed, not (n, {width})"
            );
            Err(value(name, &what))
        }
        _ => Ok(()),
    }
}

/// Rows that are verified side by side.
const EACH: usize = 32;

/// The verdicts of some rows.
fn judge(
    context: &DomainContext<'_>,
    keys: &[&[u8]],
    messages: &[&[u8]],
    signatures: &[&[u8]],
    verdicts: &mut [bool],
) {
    let mut decoded = vec![None; keys.len()];
    Public::from_bytes_each(keys, &mut decoded);
    let rows: Vec<usize> = (0..keys.len())
        .filter(|row| decoded[*row].is_some())
        .collect();
    let keys: Vec<&Public> = decoded.iter().filter_map(Option::as_ref).collect();
    let messages: Vec<&[u8]> = rows.iter().map(|row| messages[*row]).collect();
    let signatures: Vec<&[u8]> = rows.iter().map(|row| signatures[*row]).collect();
    let mut found = vec![false; rows.len()];
    Public::verify_each(
        &keys,
        &signatures,
        context,
        &HASH_ID_RAW,
        &messages,
        &mut found,
    )
    .expect("columns of one length, and a context that was checked");
    for (row, valid) in rows.iter().zip(found) {
        verdicts[*row] = valid;
    }
}
