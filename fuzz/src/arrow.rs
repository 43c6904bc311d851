//! Columns of Ed25519 signatures in Arrow arrays of every kind against their rows one by one: nulls, texts, wrong lengths,
//! slices, dictionaries and scalars among them.

use std::sync::Arc;

use lanner_arrow::arrow_array::types::Int8Type;
use lanner_arrow::arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int8Array, LargeBinaryArray,
    LargeStringArray, Scalar, StringArray, StringViewArray,
};
use lanner_arrow::{Ed25519, Encoding, Nulls};
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Signature, VerifyingKey};

use crate::bytes::Bytes;
use crate::items::item;

/// What stands in a row of a column: nothing, bytes, or what stands for none.
#[derive(Clone, PartialEq)]
enum Value {
    Null,
    Bytes(Vec<u8>),
    /// Bytes that were written in an encoding, and then spoiled.
    Spoiled(Vec<u8>),
}

impl Value {
    /// What a row holds instead of these bytes.
    fn of(honest: Vec<u8>, bytes: &mut Bytes<'_>) -> Self {
        match bytes.below(16) {
            0 => Self::Null,
            1 => Self::Spoiled(honest),
            // Of any length.
            2 => {
                let length = bytes.below(70);
                Self::Bytes(bytes.slice(length).to_vec())
            }
            _ => Self::Bytes(honest),
        }
    }

    /// The bytes that it stands for.
    fn meant(&self, encoding: Encoding) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            // Without an encoding everything stands for itself.
            Self::Spoiled(bytes) if encoding == Encoding::Bytes => Some(bytes),
            Self::Null | Self::Spoiled(_) => None,
        }
    }

    /// What is in the array.
    fn written(&self, encoding: Encoding) -> Option<Vec<u8>> {
        let written = |bytes: &[u8]| match encoding {
            Encoding::Bytes => bytes.to_vec(),
            Encoding::Hex => bytes.iter().flat_map(|byte| hex(*byte)).collect(),
            Encoding::Base64 => base64(bytes, b"+/", true),
            Encoding::Base64Url => base64(bytes, b"-_", false),
        };
        match self {
            Self::Null => None,
            Self::Bytes(bytes) => Some(written(bytes)),
            Self::Spoiled(bytes) if encoding == Encoding::Bytes => Some(written(bytes)),
            // In no alphabet, and of a length that neither encoding can have.
            Self::Spoiled(bytes) => Some([&written(bytes)[..], b"!"].concat()),
        }
    }
}

/// Two digits, one of them a capital letter if it is a letter.
fn hex(byte: u8) -> [u8; 2] {
    [
        b"0123456789ABCDEF"[usize::from(byte >> 4)],
        b"0123456789abcdef"[usize::from(byte & 15)],
    ]
}

/// RFC 4648, sections 4 and 5.
fn base64(bytes: &[u8], last: &[u8; 2], pads: bool) -> Vec<u8> {
    let digit = |sextet: u8| match sextet {
        0..26 => b'A' + sextet,
        26..52 => b'a' + (sextet - 26),
        52..62 => b'0' + (sextet - 52),
        _ => last[usize::from(sextet - 62)],
    };
    let mut text = Vec::new();
    for group in bytes.chunks(3) {
        let mut whole = [0; 4];
        whole[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(whole);
        for i in 0..=group.len() {
            text.push(digit((bits >> (18 - 6 * i)) as u8 & 63));
        }
        if pads {
            text.resize(text.len().next_multiple_of(4), b'=');
        }
    }
    text
}

/// An array of a kind, of which the rows are a slice.
fn array(rows: &[Option<Vec<u8>>], kind: usize, sliced: usize, is_text: bool) -> ArrayRef {
    let before = std::iter::repeat_n(None, sliced);
    let rows: Vec<Option<&[u8]>> = before.chain(rows.iter().map(Option::as_deref)).collect();
    let texts = || {
        let text = |bytes| std::str::from_utf8(bytes).expect("encodings are ASCII");
        rows.iter().map(move |row| row.map(text))
    };
    let bytes = || rows.iter().copied();
    let whole: ArrayRef = match (kind % 4, is_text) {
        (0, true) => Arc::new(texts().collect::<StringArray>()),
        (1, true) => Arc::new(texts().collect::<LargeStringArray>()),
        (2, true) => Arc::new(texts().collect::<StringViewArray>()),
        (0, false) => Arc::new(bytes().collect::<BinaryArray>()),
        (1, false) => Arc::new(bytes().collect::<LargeBinaryArray>()),
        (2, false) => Arc::new(bytes().collect::<BinaryViewArray>()),
        _ => dictionary(&rows),
    };
    whole.slice(sliced, whole.len() - sliced)
}

/// Equal rows have one value; a null is a key or a value.
fn dictionary(rows: &[Option<&[u8]>]) -> ArrayRef {
    let mut values: Vec<Option<&[u8]>> = Vec::new();
    let keys: Vec<Option<i8>> = rows
        .iter()
        .enumerate()
        .map(|(at, row)| {
            if row.is_none() && at % 2 == 0 {
                return None;
            }
            let place = values.iter().position(|value| value == row);
            let place = place.unwrap_or_else(|| {
                values.push(*row);
                values.len() - 1
            });
            Some(i8::try_from(place).expect("rows are few"))
        })
        .collect();
    let values: ArrayRef = Arc::new(values.into_iter().collect::<BinaryArray>());
    let keys: Int8Array = keys.into_iter().collect();
    Arc::new(DictionaryArray::<Int8Type>::try_new(keys, values).expect("keys are within"))
}

/// Up to 40 rows, in any form.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let profile = ProfileName::ALL[bytes.below(ProfileName::ALL.len())];
    let count = bytes.below(41);
    let propagates = bytes.below(2) == 1;
    let keys_kept = bytes.below(5);
    let encodings: [Encoding; 3] = std::array::from_fn(|_| Encoding::ALL[bytes.below(4)]);
    let forms: [usize; 3] = std::array::from_fn(|_| bytes.below(16));
    // One column may be a scalar, that of the first row.
    let scalar = bytes.below(8);

    let mut columns: [Vec<Value>; 3] = std::array::from_fn(|_| Vec::new());
    for _ in 0..count {
        let item = item(&mut bytes, 24);
        let parts = [
            item.key.to_bytes().to_vec(),
            item.message,
            item.signature.to_bytes().to_vec(),
        ];
        for (column, part) in columns.iter_mut().zip(parts) {
            column.push(Value::of(part, &mut bytes));
        }
    }
    if let (Some(column), true) = (columns.get_mut(scalar), count > 0) {
        let first = column[0].clone();
        column.fill(first);
    }

    let expected: Vec<Option<bool>> = (0..count)
        .map(|row| {
            let [key, message, signature] = [0, 1, 2].map(|column| &columns[column][row]);
            if propagates && [key, message, signature].contains(&&Value::Null) {
                return None;
            }
            let is_valid = || {
                let key = key.meant(encodings[0])?.try_into().ok()?;
                let message = message.meant(encodings[1])?;
                let signature = Signature::try_from(signature.meant(encodings[2])?).ok()?;
                let key = VerifyingKey::from_bytes(key).ok()?;
                key.under(profile).verify(message, &signature).ok()
            };
            Some(is_valid().is_some())
        })
        .collect();

    let arrays: Vec<ArrayRef> = (0..3)
        .map(|column| {
            let encoding = encodings[column];
            let rows = columns[column].iter().map(|value| value.written(encoding));
            let rows: Vec<_> = rows.collect();
            let is_text = encoding != Encoding::Bytes && forms[column] >= 8;
            array(&rows, forms[column], forms[column] % 3, is_text)
        })
        .collect();
    let verifier = Ed25519::new(profile)
        .keys_kept(keys_kept)
        .key_encoding(encodings[0])
        .message_encoding(encodings[1])
        .signature_encoding(encodings[2])
        .nulls(if propagates {
            Nulls::Propagate
        } else {
            Nulls::Invalid
        });
    let verdicts = if scalar < 3 && count > 0 {
        let one = Scalar::new(arrays[scalar].slice(0, 1));
        match scalar {
            0 => verifier.verify(&one, &arrays[1], &arrays[2]),
            1 => verifier.verify(&arrays[0], &one, &arrays[2]),
            _ => verifier.verify(&arrays[0], &arrays[1], &one),
        }
    } else {
        verifier.verify(&arrays[0], &arrays[1], &arrays[2])
    };
    let verdicts = verdicts.expect("columns of right types, not strict");
    assert_eq!(verdicts.iter().collect::<Vec<_>>(), expected, "{profile}");
    let explained = verifier.explain(&arrays[0], &arrays[1], &arrays[2]);
    let explained = explained.expect("the same columns");
    assert_eq!(explained.valid.iter().collect::<Vec<_>>(), expected);
    for (row, verdict) in expected.iter().enumerate() {
        let says_why = explained.reasons.is_valid(row);
        assert_eq!(says_why, *verdict != Some(true));
    }
}

/// Columns of each kind, in each encoding.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for form in 0..16_u8 {
        for (encoding, count) in [(0_u8, 3_u8), (1, 12), (2, 33), (3, 1)] {
            let mut seed = vec![form, count, form, encoding + 1];
            seed.extend([encoding, encoding + form, encoding]);
            seed.extend([form, form + 5, form + 10, form]);
            for i in 0..count {
                // A kind, a key, and what makes up the claim and its row.
                seed.extend([8 - i % 9, i % 5]);
                seed.extend((0..9).map(|k| i.wrapping_mul(7).wrapping_add(k * k * 3)));
            }
            seeds.push(seed);
        }
    }
    seeds
}
