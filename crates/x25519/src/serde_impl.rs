//! `Serialize` and `Deserialize`: an array of 32 numbers, as the derived
//! implementations of x25519-dalek write it.

use core::fmt;

use crate::PublicKey;
#[cfg(feature = "static_secrets")]
use crate::StaticSecret;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use zeroize::Zeroizing;

/// Reads a newtype of an array of 32 bytes. Its copy is wiped: it may be a
/// secret key.
struct ArrayVisitor;

impl<'de> Visitor<'de> for ArrayVisitor {
    type Value = Zeroizing<[u8; 32]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of 32 bytes")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_tuple(32, ArrayVisitor)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut bytes = Zeroizing::new([0; 32]);
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = seq
                .next_element()?
                .ok_or_else(|| A::Error::invalid_length(i, &self))?;
        }
        Ok(bytes)
    }
}

impl Serialize for PublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct("PublicKey", self.as_bytes())
    }
}

impl<'de> Deserialize<'de> for PublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = deserializer.deserialize_newtype_struct("PublicKey", ArrayVisitor)?;
        Ok(PublicKey::from(*bytes))
    }
}

#[cfg(feature = "static_secrets")]
impl Serialize for StaticSecret {
    /// The secret key, not clamped. Whoever serialises it answers for the
    /// copies.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct("StaticSecret", self.as_bytes())
    }
}

#[cfg(feature = "static_secrets")]
impl<'de> Deserialize<'de> for StaticSecret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = deserializer.deserialize_newtype_struct("StaticSecret", ArrayVisitor)?;
        Ok(StaticSecret::from(*bytes))
    }
}
