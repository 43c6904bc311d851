//! Octets written as hexadecimal digits, of either case.

use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// Decodes hexadecimal digits.
///
/// # Panics
/// If the text is not an even number of hexadecimal digits.
pub fn decode(text: &str) -> Vec<u8> {
    base16ct::mixed::decode_vec(text).unwrap_or_else(|_| panic!("not hexadecimal: {text}"))
}

/// Encodes as lower-case hexadecimal digits.
pub fn encode(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(bytes)
}

/// Decodes hexadecimal digits to a fixed number of octets.
///
/// # Panics
/// If the text is not N octets in hexadecimal digits.
pub fn decode_array<const N: usize>(text: &str) -> [u8; N] {
    decode(text)
        .try_into()
        .unwrap_or_else(|_| panic!("not {N} octets: {text}"))
}

fn parse<'de, D: Deserializer<'de>>(text: &str) -> Result<Vec<u8>, D::Error> {
    base16ct::mixed::decode_vec(text)
        .map_err(|_| D::Error::custom(format!("not hexadecimal: {text}")))
}

/// For `#[serde(with = "crate::hex::bytes")]` on a `Vec<u8>`.
pub mod bytes {
    use super::*;

    /// Reads hexadecimal digits.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        parse::<D>(&String::deserialize(deserializer)?)
    }

    /// Writes hexadecimal digits.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&encode(bytes))
    }
}

/// For `#[serde(with = "crate::hex::array")]` on a `[u8; N]`.
pub mod array {
    use super::*;

    /// Reads hexadecimal digits of exactly N octets.
    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[u8; N], D::Error> {
        let text = String::deserialize(deserializer)?;
        parse::<D>(&text)?
            .try_into()
            .map_err(|_| D::Error::custom(format!("not {N} octets: {text}")))
    }

    /// Writes hexadecimal digits.
    pub fn serialize<S: Serializer, const N: usize>(
        bytes: &[u8; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&encode(bytes))
    }
}

/// For `#[serde(with = "crate::hex::optional")]` on an `Option<[u8; N]>`.
pub mod optional {
    use super::*;

    /// Reads null, or hexadecimal digits of exactly N octets.
    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<Option<[u8; N]>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else {
            return Ok(None);
        };
        parse::<D>(&text)?
            .try_into()
            .map(Some)
            .map_err(|_| D::Error::custom(format!("not {N} octets: {text}")))
    }

    /// Writes null, or hexadecimal digits.
    pub fn serialize<S: Serializer, const N: usize>(
        bytes: &Option<[u8; N]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => serializer.serialize_str(&encode(bytes)),
            None => serializer.serialize_none(),
        }
    }
}
