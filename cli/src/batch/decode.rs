//! What stands in a record.

use crate::algorithm::SignatureAlgorithm;
use crate::args::batch::{FieldEncoding, OWN_COLUMNS, TableForm};
use crate::base64;
use crate::keys::VerifyingKey;
use crate::schemes::ed25519::profile::ProfileName;
use crate::text::unhex;
use csv::ByteRecord;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// What the user has said of the table.
pub(crate) struct Settings<'s> {
    pub(crate) form: TableForm,
    /// The names of the columns of keys, messages and signatures; none for keys if there is one key for all.
    pub(crate) names: [Option<String>; 3],
    pub(crate) keep: Vec<String>,
    pub(crate) columns: Columns,
    pub(crate) encoding: FieldEncoding,
    pub(crate) message_encoding: FieldEncoding,
    pub(crate) key: Option<&'s VerifyingKey>,
    pub(crate) algorithm: Option<SignatureAlgorithm>,
    pub(crate) profile: ProfileName,
}

impl Settings<'_> {
    /// What stands before the verdicts.
    pub(super) fn heading(&self) -> Vec<u8> {
        match self.form {
            TableForm::Csv => csv_line(
                OWN_COLUMNS
                    .iter()
                    .map(|name| name.as_bytes())
                    .chain(self.keep.iter().map(String::as_bytes)),
            ),
            _ => Vec::new(),
        }
    }

    fn encoding_of(&self, part: usize) -> FieldEncoding {
        if part == MESSAGE {
            self.message_encoding
        } else {
            self.encoding
        }
    }
}

/// Where in a record of CSV the parts and the columns to keep are.
#[derive(Default)]
pub(crate) struct Columns {
    pub(super) places: [usize; 3],
    pub(super) keep: Vec<usize>,
}

pub(super) const KEY: usize = 0;
pub(super) const MESSAGE: usize = 1;
pub(super) const SIGNATURE: usize = 2;
const PARTS: [&str; 3] = ["public key", "message", "signature"];

/// What a record says: key, message and signature, of which the first is empty if there is one key for all.
pub(super) type Parts = [Vec<u8>; 3];

/// A record, or what is wrong with it, and what is kept of it.
pub(super) struct Decoded {
    pub(super) parts: Result<Parts, String>,
    pub(super) kept: Kept,
}

/// What is copied to the verdicts.
pub(super) enum Kept {
    /// Names and values.
    Json(Vec<(String, Value)>),
    Csv(Vec<Vec<u8>>),
}

pub(super) fn line(line: Option<&[u8]>, settings: &Settings) -> Decoded {
    let failed = |why: String| Decoded {
        parts: Err(why),
        kept: Kept::Json(keep(settings, |_| Value::Null)),
    };
    let Some(line) = line else {
        return failed("the line is too long".to_owned());
    };
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let object = deserializer
        .deserialize_map(ObjectVisitor)
        .and_then(|object| deserializer.end().map(|()| object));
    let mut object = match object {
        Ok(object) => object,
        Err(e) => return failed(format!("the line is no JSON object: {e}")),
    };
    let parts = (|| {
        let mut parts = Parts::default();
        for (part, bytes) in parts.iter_mut().enumerate() {
            let Some(name) = &settings.names[part] else {
                continue;
            };
            let value = object
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value)
                .ok_or_else(|| format!("there is no {name:?}"))?;
            *bytes = json_bytes(value, settings.encoding_of(part))
                .ok_or_else(|| badly_written(part, settings))?;
        }
        Ok(parts)
    })();
    let kept = keep(settings, |name| {
        let found = object.iter_mut().find(|(key, _)| key == name);
        found.map_or(Value::Null, |(_, value)| value.take())
    });
    Decoded {
        parts,
        kept: Kept::Json(kept),
    }
}

fn keep(settings: &Settings, mut find: impl FnMut(&str) -> Value) -> Vec<(String, Value)> {
    let names = settings.keep.iter();
    names.map(|name| (name.clone(), find(name))).collect()
}

pub(super) fn record(record: &ByteRecord, settings: &Settings) -> Decoded {
    let parts = (|| {
        let mut parts = Parts::default();
        for (part, bytes) in parts.iter_mut().enumerate() {
            let Some(name) = &settings.names[part] else {
                continue;
            };
            let field = record
                .get(settings.columns.places[part])
                .ok_or_else(|| format!("there is no {name:?}: the record is short"))?;
            *bytes = bytes_of(field, settings.encoding_of(part))
                .ok_or_else(|| badly_written(part, settings))?;
        }
        Ok(parts)
    })();
    let kept = settings
        .columns
        .keep
        .iter()
        .map(|&at| record.get(at).unwrap_or_default().to_vec())
        .collect();
    Decoded {
        parts,
        kept: Kept::Csv(kept),
    }
}

fn badly_written(part: usize, settings: &Settings) -> String {
    let how = match settings.encoding_of(part) {
        FieldEncoding::Hex => "in hexadecimal",
        FieldEncoding::Base64 => "in Base64",
        FieldEncoding::Raw => "a string or a list of bytes",
    };
    format!("the {} is not {how}", PARTS[part])
}

fn bytes_of(field: &[u8], encoding: FieldEncoding) -> Option<Vec<u8>> {
    match encoding {
        FieldEncoding::Hex => unhex(field).map(|bytes| bytes.to_vec()),
        FieldEncoding::Base64 => base64::decode(field).map(|bytes| bytes.to_vec()),
        FieldEncoding::Raw => Some(field.to_vec()),
    }
}

fn json_bytes(value: &Value, encoding: FieldEncoding) -> Option<Vec<u8>> {
    match value {
        Value::String(text) => bytes_of(text.as_bytes(), encoding),
        Value::Array(list) if encoding == FieldEncoding::Raw => list
            .iter()
            .map(|number| number.as_u64().and_then(|number| u8::try_from(number).ok()))
            .collect(),
        _ => None,
    }
}

/// One line of CSV.
pub(super) fn csv_line<'a>(fields: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer
        .write_record(fields)
        .expect("memory takes everything");
    writer.into_inner().expect("memory takes everything")
}

/// The fields of a JSON object, in which no name stands twice: readers differ in which one they take.
struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields: Vec<(String, Value)> = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            if fields.iter().any(|(other, _)| *other == name) {
                return Err(A::Error::custom(format!("{name:?} stands there twice")));
            }
            fields.push((name, value));
        }
        Ok(fields)
    }
}
