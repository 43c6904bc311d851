//! Coordinates in `serde`: a newtype of a tuple of 32 bytes, as `curve25519-dalek` derives it.

use super::MontgomeryPoint;
use core::fmt;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A newtype of a tuple of 32 bytes.
impl Serialize for MontgomeryPoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct("MontgomeryPoint", &self.0)
    }
}

/// A newtype of a tuple of 32 bytes, whatever they are.
impl<'de> Deserialize<'de> for MontgomeryPoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct("MontgomeryPoint", Newtype)
    }
}

struct Newtype;

impl<'de> Visitor<'de> for Newtype {
    type Value = MontgomeryPoint;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tuple struct MontgomeryPoint")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<MontgomeryPoint, D::Error> {
        <[u8; 32]>::deserialize(deserializer).map(MontgomeryPoint)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<MontgomeryPoint, A::Error> {
        let bytes = seq.next_element()?.ok_or_else(|| {
            Error::invalid_length(0, &"tuple struct MontgomeryPoint with 1 element")
        })?;
        Ok(MontgomeryPoint(bytes))
    }
}
