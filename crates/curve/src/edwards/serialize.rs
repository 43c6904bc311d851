//! Points in `serde`: a tuple of 32 bytes, the encoding, as `curve25519-dalek` writes it.

use super::{CompressedEdwardsY, EdwardsPoint};
use crate::serialize::{deserialize_bytes, serialize_bytes};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A tuple of 32 bytes, the encoding.
impl Serialize for EdwardsPoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_bytes(&self.compress().0, serializer)
    }
}

/// A tuple of 32 bytes; what [`CompressedEdwardsY::decompress`] refuses is an error.
impl<'de> Deserialize<'de> for EdwardsPoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = deserialize_bytes(deserializer, "a valid point in Edwards y + sign format")?;
        CompressedEdwardsY(bytes)
            .decompress()
            .ok_or_else(|| Error::custom("decompression failed"))
    }
}

/// A tuple of 32 bytes.
impl Serialize for CompressedEdwardsY {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_bytes(&self.0, serializer)
    }
}

/// A tuple of 32 bytes, whatever they are.
impl<'de> Deserialize<'de> for CompressedEdwardsY {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_bytes(deserializer, "32 bytes of data").map(Self)
    }
}
