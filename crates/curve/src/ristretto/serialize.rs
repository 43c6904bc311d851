//! Elements in `serde`: a tuple of 32 bytes, the encoding, as `curve25519-dalek` writes it.

use super::{CompressedRistretto, RistrettoPoint};
use crate::serialize::{deserialize_bytes, serialize_bytes};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A tuple of 32 bytes, the encoding.
impl Serialize for RistrettoPoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_bytes(&self.compress().0, serializer)
    }
}

/// A tuple of 32 bytes; one that encodes no element is an error.
impl<'de> Deserialize<'de> for RistrettoPoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = deserialize_bytes(deserializer, "a valid point in Ristretto format")?;
        CompressedRistretto(bytes)
            .decompress()
            .ok_or_else(|| Error::custom("decompression failed"))
    }
}

/// A tuple of 32 bytes.
impl Serialize for CompressedRistretto {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_bytes(&self.0, serializer)
    }
}

/// A tuple of 32 bytes, whatever they are.
impl<'de> Deserialize<'de> for CompressedRistretto {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_bytes(deserializer, "32 bytes of data").map(Self)
    }
}
