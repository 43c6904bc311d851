//! Key files of FN-DSA and Falcon: PKCS#8 and SubjectPublicKeyInfo, in DER and in PEM, in the forms of others too; and JSON
//! Web Keys. The identifier tells the scheme, so no file is one of both.

use std::fmt::Debug;

use lanner_fn_dsa::falcon;
use lanner_fn_dsa::key_forms::{BouncyCastle, Padded};
use lanner_fn_dsa::pkcs8::der::pem::{self, LineEnding};
use lanner_fn_dsa::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use lanner_fn_dsa::{
    SigningKey512, SigningKey1024, SigningKeyStandard, SigningKeyWeak, VerifyingKey512,
    VerifyingKey1024, VerifyingKeyStandard, VerifyingKeyWeak,
};

use crate::jose;

/// What a type reads as DER, which is what it reads of the same bytes in PEM.
fn private_key<K: DecodePrivateKey + PartialEq + Debug>(file: &File<'_>) -> Option<K> {
    let key = file.der().and_then(|der| K::from_pkcs8_der(der).ok());
    if let File::Pem { text, label, .. } = file {
        let expected = key.filter(|_| *label == Some("PRIVATE KEY"));
        assert_eq!(K::from_pkcs8_pem(text).ok(), expected, "PEM and DER");
        return expected;
    }
    key
}

fn public_key<K: DecodePublicKey + PartialEq + Debug>(file: &File<'_>) -> Option<K> {
    let key = file.der().and_then(|der| K::from_public_key_der(der).ok());
    if let File::Pem { text, label, .. } = file {
        let expected = key.filter(|_| *label == Some("PUBLIC KEY"));
        assert_eq!(K::from_public_key_pem(text).ok(), expected, "PEM and DER");
        return expected;
    }
    key
}

enum File<'a> {
    Der(&'a [u8]),
    Pem {
        text: &'a str,
        /// Of the one block, as the crate of the format reads it.
        label: Option<&'a str>,
        der: Vec<u8>,
    },
}

impl<'a> File<'a> {
    fn pem(text: &'a str) -> Self {
        let (label, der) = match pem::decode_vec(text.as_bytes()) {
            Ok((label, der)) => (Some(label), der),
            Err(_) => (None, Vec::new()),
        };
        Self::Pem { text, label, der }
    }

    /// The bytes, if there are any that may be a key.
    fn der(&self) -> Option<&[u8]> {
        match self {
            Self::Der(der) => Some(der),
            Self::Pem { label, der, .. } => label.map(|_| &der[..]),
        }
    }
}

/// Several forms are read and one is written: what is written reads as the same key, and is written the same.
macro_rules! written {
    ($key:expr, $type:ty) => {{
        let key: &$type = $key;
        let written = key.to_pkcs8_der().expect("keys for use have an identifier");
        let again = <$type>::from_pkcs8_der(written.as_bytes()).expect("our own form");
        assert_eq!(&again, key);
        let twice = again.to_pkcs8_der().expect("as before");
        assert_eq!(twice.as_bytes(), written.as_bytes());
        written
    }};
}

/// Each kind of private key that a file can hold, and of what type it is not.
fn private(file: &File<'_>) {
    let main = private_key::<SigningKeyStandard>(file);
    let of_falcon = private_key::<falcon::SigningKeyStandard>(file);
    let padded = private_key::<Padded<falcon::SigningKeyStandard>>(file);
    let bouncy = private_key::<BouncyCastle<falcon::SigningKeyStandard>>(file);
    assert!(main.is_none() || of_falcon.is_none(), "of both schemes");
    assert!(padded.is_none() || bouncy.is_none(), "of two forms");

    macro_rules! of_degree {
        ($standard:expr, $small:ty, $large:ty, $weak:ty) => {
            let logn = $standard.as_ref().map(|key| key.logn());
            assert_eq!(private_key::<$small>(file).is_some(), logn == Some(9));
            assert_eq!(private_key::<$large>(file).is_some(), logn == Some(10));
            assert!(private_key::<$weak>(file).is_none(), "no toy has a file");
        };
    }
    of_degree!(main, SigningKey512, SigningKey1024, SigningKeyWeak);
    of_degree!(
        of_falcon,
        falcon::SigningKey512,
        falcon::SigningKey1024,
        falcon::SigningKeyWeak
    );

    if let Some(key) = &main {
        written!(key, SigningKeyStandard);
    }
    // What reads one form alone reads less.
    for one in [padded.map(|it| it.0), bouncy.map(|it| it.0)] {
        assert!(one.is_none() || one == of_falcon);
    }
    let Some(key) = &of_falcon else { return };
    let forms = [
        written!(key, falcon::SigningKeyStandard),
        Padded(key).to_pkcs8_der().expect("as before"),
        BouncyCastle(key).to_pkcs8_der().expect("as before"),
    ];
    for (form, written) in forms.iter().enumerate() {
        let written = File::Der(written.as_bytes());
        assert_eq!(
            private_key::<falcon::SigningKeyStandard>(&written).as_ref(),
            Some(key)
        );
        let padded = private_key::<Padded<falcon::SigningKeyStandard>>(&written);
        assert_eq!(padded.as_ref().map(|it| &it.0), (form == 1).then_some(key));
        let bouncy = private_key::<BouncyCastle<falcon::SigningKeyStandard>>(&written);
        assert_eq!(bouncy.as_ref().map(|it| &it.0), (form == 2).then_some(key));
        assert!(private_key::<SigningKeyStandard>(&written).is_none());
    }
}

/// Each kind of public key, of which a file has one form: only the identifier may differ, where there are several.
fn public(file: &File<'_>) {
    let main = public_key::<VerifyingKeyStandard>(file);
    let of_falcon = public_key::<falcon::VerifyingKeyStandard>(file);
    let padded = public_key::<Padded<falcon::VerifyingKeyStandard>>(file);
    let bouncy = public_key::<BouncyCastle<falcon::VerifyingKeyStandard>>(file);
    assert!(main.is_none() || of_falcon.is_none(), "of both schemes");
    assert!(padded.is_none() || bouncy.is_none(), "of two identifiers");

    macro_rules! of_degree {
        ($standard:expr, $small:ty, $large:ty, $weak:ty) => {
            let logn = $standard.as_ref().map(|key| key.logn());
            assert_eq!(public_key::<$small>(file).is_some(), logn == Some(9));
            assert_eq!(public_key::<$large>(file).is_some(), logn == Some(10));
            assert!(public_key::<$weak>(file).is_none(), "no toy has a file");
        };
    }
    of_degree!(main, VerifyingKey512, VerifyingKey1024, VerifyingKeyWeak);
    of_degree!(
        of_falcon,
        falcon::VerifyingKey512,
        falcon::VerifyingKey1024,
        falcon::VerifyingKeyWeak
    );

    let der = file.der().unwrap_or_default();
    if let Some(key) = &main {
        let written = key.to_public_key_der().expect("as before");
        assert_eq!(written.as_bytes(), der, "a second form of a public key");
    }
    if let Some(key) = &of_falcon {
        let written = key.to_public_key_der().expect("as before");
        let again = falcon::VerifyingKeyStandard::from_public_key_der(written.as_bytes());
        assert_eq!(again.as_ref(), Ok(key));
        assert_eq!(der.len(), written.as_bytes().len());
        let differing = der.iter().zip(written.as_bytes()).filter(|(a, b)| a != b);
        assert!(differing.count() <= 1);
    }
    if let Some(key) = &padded {
        assert_eq!(Some(&key.0), of_falcon.as_ref());
        let written = Padded(&key.0).to_public_key_der().expect("as before");
        assert_eq!(written.as_bytes(), der, "a second form of a padded key");
    }
    if let Some(key) = &bouncy {
        assert_eq!(Some(&key.0), of_falcon.as_ref());
        let written = BouncyCastle(&key.0).to_public_key_der().expect("as before");
        assert_eq!(written.as_bytes(), der, "a second form of a public key");
    }
}

/// The bytes as each kind of file.
pub fn run(data: &[u8]) {
    let der = File::Der(data);
    private(&der);
    public(&der);
    jose::web_key_of_bytes(data);
    if let Ok(text) = std::str::from_utf8(data) {
        let pem = File::pem(text);
        private(&pem);
        public(&pem);
        jose::web_key(text);
    }
}

/// Files of both degrees.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    macro_rules! add {
        ($key:expr, $public:expr) => {
            seeds.push($key.to_pkcs8_der().expect("encodes").as_bytes().to_vec());
            let pem = $key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
            seeds.push(pem.as_bytes().to_vec());
            let der = $public.to_public_key_der().expect("encodes");
            seeds.push(der.as_bytes().to_vec());
            let pem = $public.to_public_key_pem(LineEnding::CRLF);
            seeds.push(pem.expect("encodes").into_bytes());
        };
    }
    for logn in [9, 10] {
        let key = SigningKeyStandard::from_seed_of_degree(logn, &[1; 32]).expect("a key");
        let public = key.verifying_key();
        add!(key, public);
        seeds.extend(jose::web_keys(&key));
        let key = falcon::SigningKeyStandard::from_seed_of_degree(logn, &[1; 32]).expect("a key");
        let public = key.verifying_key();
        add!(key, public);
        add!(Padded(&key), Padded(&public));
        add!(BouncyCastle(&key), BouncyCastle(&public));
    }
    seeds
}
