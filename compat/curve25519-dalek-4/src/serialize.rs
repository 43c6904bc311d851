//! `Serialize` and `Deserialize`: tuples of 32 bytes, as version 4 writes them.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple, Serializer};
use zeroize::Zeroizing;

use crate::edwards::{CompressedEdwardsY, EdwardsPoint};
use crate::montgomery::MontgomeryPoint;
use crate::ristretto::{CompressedRistretto, RistrettoPoint};
use crate::scalar::Scalar;

/// A type whose form is 32 bytes.
trait Form: Sized {
    /// What a visitor expects, in the words of the original, which are in the errors of formats.
    const EXPECTED: &'static str;
    /// What is wrong with 32 bytes that are none.
    const WRONG: &'static str;

    fn bytes(&self) -> [u8; 32];
    fn of(bytes: &[u8; 32]) -> Option<Self>;
}

/// Reads 32 bytes. The copy is wiped: it may be a secret scalar.
struct FormVisitor<T>(PhantomData<T>);

impl<'de, T: Form> Visitor<'de> for FormVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        let mut bytes = Zeroizing::new([0; 32]);
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = seq
                .next_element()?
                .ok_or_else(|| A::Error::invalid_length(i, &"expected 32 bytes"))?;
        }
        T::of(&bytes).ok_or_else(|| A::Error::custom(T::WRONG))
    }
}

macro_rules! tuples {
    ($($Type:ty)*) => {$(
        impl Serialize for $Type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut tuple = serializer.serialize_tuple(32)?;
                for byte in self.bytes() {
                    tuple.serialize_element(&byte)?;
                }
                tuple.end()
            }
        }

        impl<'de> Deserialize<'de> for $Type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_tuple(32, FormVisitor(PhantomData))
            }
        }
    )*};
}

tuples!(Scalar EdwardsPoint CompressedEdwardsY RistrettoPoint CompressedRistretto);

impl Form for Scalar {
    const EXPECTED: &'static str = "a sequence of 32 bytes whose little-endian interpretation is less than the basepoint \
                                    order ℓ";
    const WRONG: &'static str = "scalar was not canonically encoded";

    fn bytes(&self) -> [u8; 32] {
        self.to_bytes()
    }

    fn of(bytes: &[u8; 32]) -> Option<Self> {
        Scalar::from_canonical_bytes(*bytes).into()
    }
}

impl Form for EdwardsPoint {
    const EXPECTED: &'static str = "a valid point in Edwards y + sign format";
    const WRONG: &'static str = "decompression failed";

    fn bytes(&self) -> [u8; 32] {
        self.compress().0
    }

    fn of(bytes: &[u8; 32]) -> Option<Self> {
        CompressedEdwardsY(*bytes).decompress()
    }
}

impl Form for CompressedEdwardsY {
    const EXPECTED: &'static str = "32 bytes of data";
    const WRONG: &'static str = "";

    fn bytes(&self) -> [u8; 32] {
        self.0
    }

    fn of(bytes: &[u8; 32]) -> Option<Self> {
        Some(CompressedEdwardsY(*bytes))
    }
}

impl Form for RistrettoPoint {
    const EXPECTED: &'static str = "a valid point in Ristretto format";
    const WRONG: &'static str = "decompression failed";

    fn bytes(&self) -> [u8; 32] {
        self.compress().0
    }

    fn of(bytes: &[u8; 32]) -> Option<Self> {
        CompressedRistretto(*bytes).decompress()
    }
}

impl Form for CompressedRistretto {
    const EXPECTED: &'static str = "32 bytes of data";
    const WRONG: &'static str = "";

    fn bytes(&self) -> [u8; 32] {
        self.0
    }

    fn of(bytes: &[u8; 32]) -> Option<Self> {
        Some(CompressedRistretto(*bytes))
    }
}

/// As the derived implementation of a newtype writes it.
impl Serialize for MontgomeryPoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct("MontgomeryPoint", &self.0)
    }
}

impl<'de> Deserialize<'de> for MontgomeryPoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
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
                seq.next_element()?.map(MontgomeryPoint).ok_or_else(|| {
                    A::Error::invalid_length(0, &"tuple struct MontgomeryPoint with 1 element")
                })
            }
        }

        deserializer.deserialize_newtype_struct("MontgomeryPoint", Newtype)
    }
}
