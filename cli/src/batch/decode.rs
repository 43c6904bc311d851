//! What stands in a record.

use super::quotes::UNPAIRED;
use crate::algorithm::SignatureAlgorithm;
use crate::args::batch::{FieldEncoding, OWN_COLUMNS, TableForm};
use crate::base64;
use crate::json;
use crate::keys::VerifyingKey;
use crate::schemes::ed25519::profile::ProfileName;
use crate::text::unhex;
use csv::ByteRecord;
use serde_json::value::RawValue;

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
    /// The context of all signatures. With any, even an empty one, those of algorithms without one are not valid.
    pub(crate) context: Option<Vec<u8>>,
}

impl Settings<'_> {
    pub(super) fn context(&self) -> &[u8] {
        self.context.as_deref().unwrap_or_default()
    }
}

impl Settings<'_> {
    /// What stands before the verdicts.
    pub(crate) fn heading(&self) -> Vec<u8> {
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
    /// How many the first line names.
    pub(super) count: usize,
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
    /// Names and values, as they stand in the table: a number that is read and written again may be another one.
    Json(Vec<(String, Box<RawValue>)>),
    Csv(Vec<Vec<u8>>),
}

pub(super) fn line(line: Option<&[u8]>, settings: &Settings) -> Decoded {
    let failed = |why: String| Decoded {
        parts: Err(why),
        kept: Kept::Json(keep(settings, |_| None)),
    };
    let Some(line) = line else {
        return failed("the line is too long".to_owned());
    };
    // All of it, because what is not wanted of an object is not looked at closely.
    let Ok(line) = str::from_utf8(line) else {
        return failed("the line is no JSON object: it is not UTF-8".to_owned());
    };
    let object = match json::object(line) {
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
                .get(&**name)
                .ok_or_else(|| format!("there is no {name:?}"))?;
            *bytes = json_bytes(value, settings.encoding_of(part))
                .ok_or_else(|| badly_written(part, settings))?;
        }
        Ok(parts)
    })();
    let kept = keep(settings, |name| object.get(name).copied());
    Decoded {
        parts,
        kept: Kept::Json(kept),
    }
}

fn keep<'v>(
    settings: &Settings,
    find: impl Fn(&str) -> Option<&'v RawValue>,
) -> Vec<(String, Box<RawValue>)> {
    let value = |name| json::on_one_line(find(name).unwrap_or(RawValue::NULL));
    let names = settings.keep.iter();
    names.map(|name| (name.clone(), value(name))).collect()
}

/// There is no record where it would be what several have come to.
pub(super) fn record(record: Option<&ByteRecord>, settings: &Settings) -> Decoded {
    let parts = (|| {
        let record = record.ok_or(UNPAIRED)?;
        let (found, named) = (record.len(), settings.columns.count);
        if found > named {
            return Err(format!(
                "the record has {found} fields, and the first line names {named}"
            ));
        }
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
        .map(|&at| {
            record
                .and_then(|it| it.get(at))
                .unwrap_or_default()
                .to_vec()
        })
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
        FieldEncoding::Base64 => {
            // With its padding or without any, as tables in columns are read.
            let padding = match field.ends_with(b"=") {
                true => 0,
                false => field.len().wrapping_neg() % 4,
            };
            let padded = [field, &b"==="[..padding]].concat();
            base64::decode(&padded).map(|bytes| bytes.to_vec())
        }
        FieldEncoding::Raw => Some(field.to_vec()),
    }
}

fn json_bytes(value: &RawValue, encoding: FieldEncoding) -> Option<Vec<u8>> {
    if value.get().starts_with('"') {
        return bytes_of(json::text(value)?.as_bytes(), encoding);
    }
    // Numbers from 0 to 255.
    let is_list = encoding == FieldEncoding::Raw && value.get().starts_with('[');
    is_list.then(|| serde_json::from_str(value.get()).ok())?
}

/// One line of CSV.
pub(super) fn csv_line<'a>(fields: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer
        .write_record(fields)
        .expect("memory takes everything");
    writer.into_inner().expect("memory takes everything")
}
