//! `Serialize` and `Deserialize` for keys: 32 bytes, read from bytes or from a sequence of 32 numbers.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use zeroize::Zeroizing;

use crate::errors::Cause;
use crate::{SignatureError, SigningKey, VerifyingKey};

/// Reads 32 bytes. The copy is wiped: it may be a secret key.
struct Bytes<T> {
    /// What they are.
    expected: &'static str,
    /// What the error names where bytes are not 32.
    name: &'static str,
    /// Makes the key within the visit, so that a format can add to the error where in its text the bytes stand.
    decode: fn(&[u8; 32]) -> Result<T, SignatureError>,
}

impl<'de, T> Visitor<'de> for Bytes<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<T, E> {
        let length = Cause::Length {
            name: self.name,
            length: 32,
        };
        let bytes = bytes.try_into().map_err(|_| SignatureError::from(length));
        bytes.and_then(self.decode).map_err(E::custom)
    }

    /// Wipes what it is given to keep, which the default gives back as it is.
    #[cfg(feature = "alloc")]
    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<T, E> {
        self.visit_bytes(&Zeroizing::new(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
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
        (self.decode)(&bytes).map_err(A::Error::custom)
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
        deserializer.deserialize_bytes(Bytes {
            expected: "An ed25519 signing (private) key",
            name: "SecretKey",
            decode: |bytes| Ok(SigningKey::from_bytes(bytes)),
        })
    }
}

impl Serialize for VerifyingKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.as_bytes())
    }
}

impl<'de> Deserialize<'de> for VerifyingKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Bytes {
            expected: "An ed25519 verifying (public) key",
            name: "VerifyingKey",
            decode: VerifyingKey::from_bytes,
        })
    }
}
