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

/// `expecting` is what messages of errors say was expected; `convert` makes the value, or says why there is none.
pub(crate) fn deserialize_bytes<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expecting: &'static str,
    convert: fn([u8; 32]) -> Result<T, &'static str>,
) -> Result<T, D::Error> {
    deserializer.deserialize_tuple(32, Bytes { expecting, convert })
}

struct Bytes<T> {
    expecting: &'static str,
    convert: fn([u8; 32]) -> Result<T, &'static str>,
}

impl<'de, T> Visitor<'de> for Bytes<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = seq
                .next_element()?
                .ok_or_else(|| Error::invalid_length(i, &"expected 32 bytes"))?;
        }
        (self.convert)(bytes).map_err(Error::custom)
    }
}
