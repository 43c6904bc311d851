//! JSON as it is written: values that are handed on are not read, because a number that is read and written again may be another
//! one, and in objects no name stands twice, because readers differ in which one they take.

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

/// The fields of an object.
pub(crate) type Object<'t> = HashMap<Cow<'t, str>, &'t RawValue>;

/// The object that a text is. What is in its values is not looked at closely.
pub(crate) fn object(text: &str) -> serde_json::Result<Object<'_>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let object = deserializer.deserialize_map(ObjectVisitor)?;
    deserializer.end().map(|()| object)
}

/// The text that a value is.
pub(crate) fn text(value: &RawValue) -> Option<Cow<'_, str>> {
    let Text(text) = serde_json::from_str(value.get()).ok()?;
    Some(text)
}

/// The same value on one line: a line feed, or a carriage return, which ends lines to some readers, is white space wherever it
/// stands.
pub(crate) fn on_one_line(value: &RawValue) -> Box<RawValue> {
    const ENDS: [char; 2] = ['\r', '\n'];
    if !value.get().contains(ENDS) {
        return value.to_owned();
    }
    RawValue::from_string(value.get().replace(ENDS, " ")).expect("JSON with other white space")
}

/// A string: what stands there, unless something in it is escaped.
#[derive(Deserialize)]
struct Text<'t>(#[serde(borrow)] Cow<'t, str>);

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = HashMap::new();
        while let Some((Text(name), value)) = map.next_entry()? {
            match fields.entry(name) {
                Entry::Vacant(place) => place.insert(value),
                Entry::Occupied(place) => {
                    let name = place.key();
                    return Err(A::Error::custom(format!("{name:?} stands there twice")));
                }
            };
        }
        Ok(fields)
    }
}
