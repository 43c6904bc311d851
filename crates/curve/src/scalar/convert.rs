//! Scalars from the unsigned integers of the language.

use super::Scalar;

macro_rules! from_unsigned {
    ($($int:ty),*) => {$(
        /// The scalar of this value, which is below L.
        impl From<$int> for Scalar {
            fn from(value: $int) -> Self {
                let mut bytes = [0; 32];
                bytes[..size_of::<$int>()].copy_from_slice(&value.to_le_bytes());
                Self { bytes }
            }
        }
    )*};
}

from_unsigned!(u8, u16, u32, u64, u128);
