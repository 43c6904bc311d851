//! What a call says beside its columns.

use std::str::FromStr;

use datafusion_common::{Result, ScalarValue, plan_err};
use lanner_arrow::{Encoding, Nulls};
use lanner_ed25519::profile::{ProfileName, Strict};

/// A signature scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Ed25519,
    FnDsa,
}

/// What is verified: the fourth argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Ed25519(ProfileName),
    /// With this context.
    FnDsa(Vec<u8>),
}

impl Rule {
    /// `given` is the fourth argument, if there is one.
    pub(crate) fn new(scheme: Scheme, function: &str, given: Option<&ScalarValue>) -> Result<Self> {
        match (scheme, given) {
            (Scheme::Ed25519, None) => Ok(Self::Ed25519(Strict.into())),
            (Scheme::Ed25519, Some(value)) => match text(value).map(ProfileName::from_str) {
                Some(Ok(profile)) => Ok(Self::Ed25519(profile)),
                Some(Err(error)) => plan_err!("{function}: {error}"),
                None => plan_err!("{function}: the profile is text, and not {value:?}"),
            },
            (Scheme::FnDsa, None) => Ok(Self::FnDsa(Vec::new())),
            (Scheme::FnDsa, Some(value)) => match text(value).map(str::as_bytes).or(bytes(value)) {
                Some(context) if context.len() <= MAX_CONTEXT => Ok(Self::FnDsa(context.to_vec())),
                Some(context) => plan_err!(
                    "{function}: a context has at most {MAX_CONTEXT} bytes, and this one {}",
                    context.len()
                ),
                None => plan_err!("{function}: the context is bytes or text, and not {value:?}"),
            },
        }
    }
}

/// In bytes.
const MAX_CONTEXT: usize = 255;

/// How the columns are read: the fifth argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// Of keys, messages and signatures.
    pub(crate) encodings: [Encoding; 3],
    pub(crate) nulls: Nulls,
    /// Whether a malformed row is an error.
    pub(crate) strict: bool,
}

impl Options {
    /// `given` is the fifth argument, if there is one.
    pub(crate) fn new(function: &str, given: Option<&ScalarValue>) -> Result<Self> {
        let Some(value) = given else {
            return Ok(Self::default());
        };
        let Some(text) = text(value) else {
            return plan_err!("{function}: the options are text, and not {value:?}");
        };
        Self::parse(text).or_else(|why| plan_err!("{function}: {why}"))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut options = Self::default();
        let mut seen = Vec::new();
        for part in text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let (name, value) = part
                .split_once('=')
                .map(|(name, value)| (name.trim(), value.trim()))
                .ok_or_else(|| format!("the option {part:?} is not of the form name=value"))?;
            if seen.contains(&name) {
                return Err(format!("the option {name} is given twice"));
            }
            seen.push(name);
            let encoding = || {
                value
                    .parse::<Encoding>()
                    .map_err(|error| format!("the option {part:?}: {error}"))
            };
            let one_of = |values: [&str; 2]| match values.iter().position(|it| *it == value) {
                Some(place) => Ok(place == 1),
                None => Err(format!(
                    "the option {part:?}: {name} is one of {}, {}",
                    values[0], values[1]
                )),
            };
            match name {
                "key" => options.encodings[0] = encoding()?,
                "message" => options.encodings[1] = encoding()?,
                "signature" => options.encodings[2] = encoding()?,
                "nulls" => {
                    options.nulls = if one_of(["invalid", "propagate"])? {
                        Nulls::Propagate
                    } else {
                        Nulls::Invalid
                    }
                }
                "malformed" => options.strict = one_of(["invalid", "error"])?,
                _ => {
                    return Err(format!(
                        "there is no option {name}; the options are key, message, signature, nulls, malformed"
                    ));
                }
            }
        }
        Ok(options)
    }
}

/// The text of a constant that is not null.
fn text(value: &ScalarValue) -> Option<&str> {
    value.try_as_str().flatten()
}

/// The bytes of a constant that is not null.
fn bytes(value: &ScalarValue) -> Option<&[u8]> {
    match value {
        ScalarValue::Binary(bytes)
        | ScalarValue::BinaryView(bytes)
        | ScalarValue::FixedSizeBinary(_, bytes)
        | ScalarValue::LargeBinary(bytes) => bytes.as_deref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_exactly() {
        assert_eq!(Options::parse(""), Ok(Options::default()));
        let all = "key=hex,message = base64url ,signature=base64, nulls=propagate,malformed=error,";
        let expected = Options {
            encodings: [Encoding::Hex, Encoding::Base64Url, Encoding::Base64],
            nulls: Nulls::Propagate,
            strict: true,
        };
        assert_eq!(Options::parse(all), Ok(expected));
        assert_eq!(
            Options::parse("key=bytes, nulls=invalid, malformed=invalid"),
            Ok(Options::default())
        );
        for (text, why) in [
            ("hex", "not of the form name=value"),
            ("keys=hex", "there is no option keys; the options are key,"),
            ("key=Hex", "an encoding is one of bytes, hex"),
            ("nulls=false", "nulls is one of invalid, propagate"),
            ("malformed=propagate", "malformed is one of invalid, error"),
            ("key=hex,key=hex", "given twice"),
        ] {
            let error = Options::parse(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
