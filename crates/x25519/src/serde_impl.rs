//! `Serialize` and `Deserialize` as x25519-dalek derives them: a public key is a newtype of a coordinate, which is a newtype of
//! 32 numbers; a secret key is a newtype of 32 numbers. Most formats do not write newtypes.

use core::fmt;

use lanner_curve::MontgomeryPoint;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
#[cfg(feature = "static_secrets")]
use {crate::StaticSecret, serde::de::DeserializeSeed, zeroize::Zeroizing};

use crate::PublicKey;

impl Serialize for PublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct("PublicKey", &self.0)
    }
}

impl<'de> Deserialize<'de> for PublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_newtype_struct("PublicKey", PublicKeyVisitor)
            .map(PublicKey)
    }
}

struct PublicKeyVisitor;

impl<'de> Visitor<'de> for PublicKeyVisitor {
    type Value = MontgomeryPoint;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tuple struct PublicKey")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<MontgomeryPoint, D::Error> {
        MontgomeryPoint::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<MontgomeryPoint, A::Error> {
        seq.next_element()?
            .ok_or_else(|| Error::invalid_length(0, &"tuple struct PublicKey with 1 element"))
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
        let bytes = deserializer.deserialize_newtype_struct("StaticSecret", SecretVisitor)?;
        Ok(StaticSecret::from(*bytes))
    }
}

#[cfg(feature = "static_secrets")]
struct SecretVisitor;

#[cfg(feature = "static_secrets")]
impl<'de> Visitor<'de> for SecretVisitor {
    type Value = Zeroizing<[u8; 32]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tuple struct StaticSecret")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        Numbers.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        seq.next_element_seed(Numbers)?
            .ok_or_else(|| Error::invalid_length(0, &"tuple struct StaticSecret with 1 element"))
    }
}

/// Reads 32 numbers of a secret key, and wipes its copy.
#[cfg(feature = "static_secrets")]
struct Numbers;

#[cfg(feature = "static_secrets")]
impl<'de> DeserializeSeed<'de> for Numbers {
    type Value = Zeroizing<[u8; 32]>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_tuple(32, self)
    }
}

#[cfg(feature = "static_secrets")]
impl<'de> Visitor<'de> for Numbers {
    type Value = Zeroizing<[u8; 32]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of length 32")
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
