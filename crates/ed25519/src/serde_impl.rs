//! `Serialize` and `Deserialize` for keys: 32 bytes. (`Signature` has its own
//! in the crate `ed25519`.)
//!
//! Written as bytes, in the sense of serde. Read from bytes or, for formats
//! such as JSON that have none, from a sequence of 32 numbers.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use zeroize::Zeroizing;

use crate::{SigningKey, VerifyingKey};

/// Reads `N` bytes and wipes its copy of them: they may be a secret key.
pub(crate) struct BytesVisitor<const N: usize>(pub(crate) &'static str);

impl<'de, const N: usize> Visitor<'de> for BytesVisitor<N> {
    type Value = Zeroizing<[u8; N]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({N} bytes)", self.0)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        match bytes.try_into() {
            Ok(array) => Ok(Zeroizing::new(array)),
            Err(_) => Err(E::invalid_length(bytes.len(), &self)),
        }
    }

    /// Wipes what it is given to keep, which the default gives back as it is.
    #[cfg(feature = "alloc")]
    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Self::Value, E> {
        self.visit_bytes(&Zeroizing::new(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut bytes = Zeroizing::new([0; N]);
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = seq
                .next_element()?
                .ok_or_else(|| A::Error::invalid_length(i, &self))?;
        }
        let mut len = N;
        while seq.next_element::<u8>()?.is_some() {
            len += 1;
        }
        if len > N {
            return Err(A::Error::invalid_length(len, &self));
        }
        Ok(bytes)
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
        let bytes = deserializer.deserialize_bytes(BytesVisitor::<32>("an Ed25519 secret key"))?;
        Ok(SigningKey::from_bytes(&bytes))
    }
}

impl Serialize for VerifyingKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.as_bytes())
    }
}

impl<'de> Deserialize<'de> for VerifyingKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(PointVisitor)
    }
}

const POINT: BytesVisitor<32> = BytesVisitor("an Ed25519 public key");

/// Decodes within the visit, so that a format can add to the error where in its text the bytes stand.
struct PointVisitor;

impl<'de> Visitor<'de> for PointVisitor {
    type Value = VerifyingKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        POINT.expecting(f)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<VerifyingKey, E> {
        POINT.visit_bytes(bytes).and_then(|bytes| point(&bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<VerifyingKey, A::Error> {
        POINT.visit_seq(seq).and_then(|bytes| point(&bytes))
    }
}

fn point<E: Error>(bytes: &[u8; 32]) -> Result<VerifyingKey, E> {
    VerifyingKey::from_bytes(bytes).map_err(|_| E::custom("not a point of the curve"))
}
