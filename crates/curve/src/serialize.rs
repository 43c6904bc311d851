//! Tuples of 32 bytes in `serde`: how `curve25519-dalek` writes scalars and points.

use core::fmt;
use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserializer, Serializer};

pub(crate) fn serialize_bytes<S: Serializer>(
    bytes: &[u8; 32],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple(32)?;
    for byte in bytes {
        tuple.serialize_element(byte)?;
    }
    tuple.end()
}

/// `expecting` is what messages of errors say was expected.
pub(crate) fn deserialize_bytes<'de, D: Deserializer<'de>>(
    deserializer: D,
    expecting: &'static str,
) -> Result<[u8; 32], D::Error> {
    deserializer.deserialize_tuple(32, Bytes(expecting))
}

struct Bytes(&'static str);

impl<'de> Visitor<'de> for Bytes {
    type Value = [u8; 32];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<[u8; 32], A::Error> {
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = seq
                .next_element()?
                .ok_or_else(|| Error::invalid_length(i, &"expected 32 bytes"))?;
        }
        Ok(bytes)
    }
}
