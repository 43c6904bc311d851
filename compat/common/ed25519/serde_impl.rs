//! `Serialize` and `Deserialize` for keys: 32 bytes, read from bytes or from a sequence of 32 numbers.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use zeroize::Zeroizing;

use crate::{SigningKey, VerifyingKey};

/// Reads 32 bytes. The copy is wiped: it may be a secret key.
struct Bytes {
    /// What they are.
    expected: &'static str,
    /// What the error names where bytes are not 32.
    name: &'static str,
}

impl<'de> Visitor<'de> for Bytes {
    type Value = Zeroizing<[u8; 32]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        match bytes.try_into() {
            Ok(array) => Ok(Zeroizing::new(array)),
            Err(_) => Err(E::custom(crate::SignatureError::from(
                crate::errors::Cause::Length {
                    name: self.name,
                    length: 32,
                },
            ))),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut bytes = Zeroizing::new([0; 32]);
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = seq
                .next_element()?
                .ok_or_else(|| A::Error::invalid_length(i, &"expected 32 bytes"))?;
        }
        let mut length = 32;
        while let Ok(Some(_)) = seq.next_element::<u8>() {
            length += 1;
        }
        if length > 32 {
            return Err(A::Error::invalid_length(length, &"expected 32 bytes"));
        }
        Ok(bytes)
    }
}

impl Serialize for SigningKey {
    /// The secret key. Whoever serialises it answers for the copies.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.as_bytes())
    }
}

impl<'de> Deserialize<'de> for SigningKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = deserializer.deserialize_bytes(Bytes {
            expected: "An ed25519 signing (private) key",
            name: "SecretKey",
        })?;
        Ok(SigningKey::from_bytes(&bytes))
    }
}

impl Serialize for VerifyingKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.as_bytes())
    }
}

impl<'de> Deserialize<'de> for VerifyingKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = deserializer.deserialize_bytes(Bytes {
            expected: "An ed25519 verifying (public) key",
            name: "VerifyingKey",
        })?;
        VerifyingKey::from_bytes(&bytes).map_err(D::Error::custom)
    }
}
