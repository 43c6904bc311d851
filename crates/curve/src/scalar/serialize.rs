//! Scalars in `serde`: a tuple of 32 bytes, the little-endian encoding, as
//! `curve25519-dalek` writes it.

use super::Scalar;
use core::fmt;
use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A tuple of 32 bytes.
impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(32)?;
        for byte in self.as_bytes() {
            tuple.serialize_element(byte)?;
        }
        tuple.end()
    }
}

/// A tuple of 32 bytes; an integer that is not below L is an error.
impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(32, Bytes)
    }
}

struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("32 bytes, the little-endian encoding of an integer below the group order")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Scalar, A::Error> {
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = seq
                .next_element()?
                .ok_or_else(|| Error::invalid_length(i, &self))?;
        }
        Option::from(Scalar::from_canonical_bytes(bytes))
            .ok_or_else(|| Error::custom("the scalar is not below the group order"))
    }
}
