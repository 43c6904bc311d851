//! For `#[serde(with = "lanner_ed25519::serde_compat")]` on a [`Signature`]:
//! reads every form in which signatures have been serialised, writes today's.
//!
//! Versions 1 and 2 of the crates `ed25519` and `ed25519-dalek` wrote a signature as
//! a tuple of 64 numbers; version 3 writes upper-case hexadecimal to formats for
//! humans and bytes to the others. Data of both kinds is about. This module
//! reads, from a format for humans that describes itself (JSON, TOML, RON…), a
//! sequence of 64 numbers, bytes, or 128 hexadecimal digits of either case.
//! Of a binary format it asks for bytes, which version 3 wrote, and takes what
//! that gives in their place: the numbers of version 2 where the format says
//! what stands there (MessagePack by `rmp-serde`, CBOR by `ciborium`, but not
//! out of a `ciborium::Value`), and digits by `rmp-serde` alone. A format that
//! does not describe itself (postcard, bincode) cannot tell one from the other:
//! there it reads version 3's, and [`numbers`] those of versions 1 and 2.
//!
//! What a binary format has in an enumeration with a tag, an untagged one or a
//! flattened field is read as well; there, `Signature` by itself asks for digits
//! and does not read what it wrote.
//!
//! ```
//! use lanner_ed25519::Signature;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Record {
//!     #[serde(with = "lanner_ed25519::serde_compat")]
//!     signature: Signature,
//! }
//!
//! let old = format!("{{\"signature\":{:?}}}", [0x2a; 64]);
//! let record: Record = serde_json::from_str(&old)?;
//! assert_eq!(record.signature, Signature::from_bytes(&[0x2a; 64]));
//! assert!(serde_json::to_string(&record)?.starts_with("{\"signature\":\"2A2A"));
//! # Ok::<(), serde_json::Error>(())
//! ```

use core::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::Signature;
use crate::serde_impl::BytesVisitor;

/// Writes a signature as version 3 of the crate `ed25519` does.
///
/// # Errors
///
/// Those of the serializer.
pub fn serialize<S: Serializer>(signature: &Signature, serializer: S) -> Result<S::Ok, S::Error> {
    signature.serialize(serializer)
}

/// Reads a signature in any of the forms that the [module](self) lists.
///
/// # Errors
///
/// If the data is none of them.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Signature, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(SignatureVisitor)
    } else {
        // The hint of version 3's form; formats that describe themselves ignore it.
        deserializer.deserialize_bytes(SignatureVisitor)
    }
}

/// For `#[serde(with = "lanner_ed25519::serde_compat::numbers")]` on a [`Signature`]: reads and writes a tuple of 64 numbers, as
/// versions 1 and 2 of the crates `ed25519` and `ed25519-dalek` did.
///
/// For data of formats that do not describe themselves (bincode, postcard), where such a tuple is the 64 bytes alone, and for
/// programs whose peers still have those versions.
///
/// ```
/// use lanner_ed25519::Signature;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Record {
///     #[serde(with = "lanner_ed25519::serde_compat::numbers")]
///     signature: Signature,
/// }
///
/// let signature = Signature::from_bytes(&[0x2a; 64]);
/// let stored = postcard::to_allocvec(&Record { signature })?;
/// assert_eq!(stored, [0x2a; 64]);
/// let record: Record = postcard::from_bytes(&stored)?;
/// assert_eq!(record.signature, signature);
/// # Ok::<(), postcard::Error>(())
/// ```
pub mod numbers {
    use serde::de::Deserializer;
    use serde::ser::{SerializeTuple, Serializer};

    use super::SignatureVisitor;
    use crate::{SIGNATURE_LENGTH, Signature};

    /// Writes a signature as 64 numbers.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(
        signature: &Signature,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(SIGNATURE_LENGTH)?;
        for byte in signature.to_bytes() {
            tuple.serialize_element(&byte)?;
        }
        tuple.end()
    }

    /// Reads a signature of 64 numbers.
    ///
    /// # Errors
    ///
    /// If the data is not that.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Signature, D::Error> {
        deserializer.deserialize_tuple(SIGNATURE_LENGTH, SignatureVisitor)
    }
}

struct SignatureVisitor;

impl<'de> Visitor<'de> for SignatureVisitor {
    type Value = Signature;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an Ed25519 signature (64 bytes or 128 hexadecimal digits)")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Signature, E> {
        let bytes = BytesVisitor::<64>("an Ed25519 signature").visit_bytes(bytes)?;
        Ok(Signature::from_bytes(&bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Signature, A::Error> {
        let bytes = BytesVisitor::<64>("an Ed25519 signature").visit_seq(seq)?;
        Ok(Signature::from_bytes(&bytes))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Signature, E> {
        text.parse()
            .map_err(|_| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}
