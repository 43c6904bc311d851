//! Values in `serde` that are so many bytes: read out of numbers, and out of bytes where the type has them, as its own decoder
//! reads these, and in no other number.

use serde::Serialize;
use serde::de::value::{BytesDeserializer, Error};
use serde::de::{DeserializeOwned, IntoDeserializer};

fn text<T: Serialize>(value: T) -> String {
    serde_json::to_string(&value).expect("numbers are JSON")
}

/// `of` is the decoder; `from_bytes` says whether the type asks for bytes, which some formats have, and not for numbers.
pub(crate) fn agrees<T: DeserializeOwned + Serialize>(
    data: &[u8],
    from_bytes: bool,
    of: impl Fn(&[u8]) -> Option<T>,
) {
    let expected = of(data).map(text);
    let numbers = text(data);
    let read = serde_json::from_str::<T>(&numbers).ok().map(text);
    assert_eq!(read, expected, "numbers");
    let bytes = T::deserialize(BytesDeserializer::<Error>::new(data));
    assert_eq!(
        bytes.ok().map(text),
        expected.clone().filter(|_| from_bytes)
    );
    // A key is asked for as a sequence, or as a newtype of one, which this deserializer has not.
    if from_bytes {
        let sequence = T::deserialize(data.to_vec().into_deserializer());
        let sequence: Result<T, Error> = sequence;
        assert_eq!(sequence.ok().map(text), expected, "a sequence");
    }
    if let Some(written) = &expected {
        let again: T = serde_json::from_str(written).expect("our own form");
        assert_eq!(&text(again), written);
    }

    // The input as the text itself. A string is bytes to JSON's reader, if such are asked for.
    let read = serde_json::from_slice::<T>(data).ok().map(text);
    match serde_json::from_slice::<Vec<u8>>(data) {
        Ok(numbers) => assert_eq!(read, of(&numbers).map(text), "a text"),
        Err(_) => assert!(read.is_none() || from_bytes, "no list of numbers"),
    }
}

/// The bytes as the numbers of a JSON text.
pub(crate) fn seed(bytes: &[u8]) -> Vec<u8> {
    text(bytes).into_bytes()
}
