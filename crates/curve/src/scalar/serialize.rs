//! Scalars in `serde`: a tuple of 32 bytes, the little-endian encoding, as
//! `curve25519-dalek` writes it.

use super::Scalar;
use crate::serialize::{deserialize_bytes, serialize_bytes};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A tuple of 32 bytes.
impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_bytes(self.as_bytes(), serializer)
    }
}

/// A tuple of 32 bytes; an integer that is not below L is an error.
impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = deserialize_bytes(
            deserializer,
            "a sequence of 32 bytes whose little-endian interpretation is less than the \
             basepoint order ℓ",
        )?;
        Option::from(Self::from_canonical_bytes(bytes))
            .ok_or_else(|| Error::custom("scalar was not canonically encoded"))
    }
}
