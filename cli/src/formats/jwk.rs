//! JSON Web Keys of the curves (RFC 7517, RFC 8037).

use super::{Secret, Unlocked};
use crate::base64;
use crate::error::Error;
use crate::keys::{PublicKey, malformed};
use serde_json::{Value, json};
use std::path::Path;
use zeroize::Zeroizing;

/// A key file that is JSON. Its strings are wiped when they are freed, as everything in the heap is.
pub(crate) struct Jwk {
    object: Value,
}

impl Jwk {
    pub(crate) fn read(text: &[u8], path: &Path) -> Result<Self, Error> {
        let object: Value = serde_json::from_slice(text)
            .map_err(|e| malformed(path, &format!("it is not JSON ({e})")))?;
        if object.get("keys").is_some() {
            return Err(malformed(
                path,
                "it is a set of keys; give each key a file of its own",
            ));
        }
        let jwk = Jwk { object };
        match jwk.text("kty") {
            Some("OKP") => Ok(jwk),
            Some(other) => Err(malformed(
                path,
                &format!("its type is {other:?}; lanner reads keys of the type \"OKP\""),
            )),
            None => Err(malformed(path, "it is JSON, but no key")),
        }
    }

    pub(crate) fn is_secret(&self) -> bool {
        self.object.get("d").is_some()
    }

    pub(crate) fn comment(&self) -> Option<String> {
        self.text("kid").map(str::to_owned)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.object.get(name)?.as_str()
    }

    fn bytes(&self, name: &str, path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.text(name)
            .and_then(|text| base64::decode_url(text.as_bytes()))
            .filter(|bytes| bytes.len() == 32)
            .ok_or_else(|| malformed(path, &format!("its value {name:?} is not 32 bytes")))
    }

    pub(crate) fn public(&self, path: &Path) -> Result<PublicKey, Error> {
        let bytes = self.bytes("x", path)?;
        match self.text("crv") {
            Some("Ed25519") => PublicKey::ed25519(&bytes, path),
            Some("X25519") => PublicKey::x25519(&bytes, path),
            other => Err(malformed(
                path,
                &format!("its curve is {:?}", other.unwrap_or_default()),
            )),
        }
    }

    pub(crate) fn secret(&self, path: &Path) -> Result<Unlocked, Error> {
        let public = self.public(path)?;
        let bytes = self.bytes("d", path)?;
        let seed = bytes.as_slice().try_into().expect("32 bytes");
        let key = Secret::from_seed(public.algorithm(), seed, path)?;
        if key.public().to_bytes() != public.to_bytes() {
            return Err(malformed(
                path,
                "its secret key does not belong to its public key",
            ));
        }
        Ok(Unlocked {
            key,
            comment: self.comment(),
            key_id: None,
        })
    }
}

/// Writes a key of one of the curves, with its seed if it is a secret one.
pub(crate) fn write(
    curve: &str,
    public: &[u8],
    seed: Option<&[u8; 32]>,
    comment: Option<&str>,
) -> Zeroizing<String> {
    let kid = comment.map_or(String::new(), |comment| {
        format!(",\"kid\":{}", json!(comment))
    });
    let d = seed.map(|seed| base64::encode_url(seed));
    let mut text = Zeroizing::new(String::with_capacity(160 + kid.len()));
    text.push_str("{\"kty\":\"OKP\",\"crv\":\"");
    text.push_str(curve);
    text.push_str("\",\"x\":\"");
    text.push_str(&base64::encode_url(public));
    text.push('"');
    if let Some(d) = d {
        text.push_str(",\"d\":\"");
        text.push_str(&d);
        text.push('"');
    }
    text.push_str(&kid);
    text.push_str("}\n");
    text
}
