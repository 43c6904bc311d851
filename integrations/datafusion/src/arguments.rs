//! What the functions of rows take.

use datafusion::arrow::array::{Array, ArrayRef, Datum, Scalar};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::plan_err;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::ColumnarValue;
use datafusion::scalar::ScalarValue;

/// The first three arguments.
pub(crate) const COLUMNS: [&str; 3] = ["public key", "message", "signature"];

/// The types that arguments are converted to: what holds bytes stays as it is, a bare null becomes binary, and what
/// follows the columns is text.
pub(crate) fn types(name: &str, fourth: &str, found: &[DataType]) -> Result<Vec<DataType>> {
    if !(3..=5).contains(&found.len()) {
        return plan_err!(
            "{name} takes a public key, a message and a signature, then {fourth} and an encoding if wanted: 3 to 5 arguments, not {}",
            found.len()
        );
    }
    let named = COLUMNS.into_iter().chain([fourth, "encoding"]);
    found
        .iter()
        .zip(named)
        .enumerate()
        .map(|(i, (found, argument))| match holds(found) {
            Held::Nothing if i < 3 => Ok(DataType::Binary),
            Held::Bytes | Held::Text if i < 3 => Ok(found.clone()),
            Held::Text => Ok(DataType::Utf8),
            Held::Bytes if fourth == "context" && i == 3 => Ok(DataType::Binary),
            _ if i < 3 => {
                plan_err!("{name}: the {argument} is {found}, and must be binary or text")
            }
            _ => plan_err!("{name}: the {argument} is {found}, and must be a text"),
        })
        .collect()
}

enum Held {
    Bytes,
    Text,
    Nothing,
    Else,
}

fn holds(found: &DataType) -> Held {
    match found {
        DataType::FixedSizeBinary(_)
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView => Held::Bytes,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Held::Text,
        DataType::Null => Held::Nothing,
        DataType::Dictionary(_, values) => holds(values),
        DataType::RunEndEncoded(_, values) => holds(values.data_type()),
        _ => Held::Else,
    }
}

/// A column, or a scalar that stands for every row.
pub(crate) enum Argument {
    Column(ArrayRef),
    Scalar(Scalar<ArrayRef>),
}

impl Argument {
    pub(crate) fn new(value: &ColumnarValue) -> Result<Self> {
        Ok(match value {
            ColumnarValue::Array(array) => Self::Column(array.clone()),
            ColumnarValue::Scalar(scalar) => Self::Scalar(scalar.to_scalar()?),
        })
    }

    pub(crate) fn as_datum(&self) -> &dyn Datum {
        match self {
            Self::Column(array) => array,
            Self::Scalar(scalar) => scalar,
        }
    }
}

/// A literal of text or of bytes, if it was given. Columns are refused: a rule that changes from row to row is none.
pub(crate) fn literal<'a>(
    name: &str,
    what: &str,
    value: Option<&'a ColumnarValue>,
) -> Result<Option<&'a [u8]>> {
    match value {
        None => Ok(None),
        Some(ColumnarValue::Scalar(ScalarValue::Utf8(Some(text)))) => Ok(Some(text.as_bytes())),
        Some(ColumnarValue::Scalar(ScalarValue::Binary(Some(bytes)))) => Ok(Some(bytes)),
        Some(_) => Err(DataFusionError::Plan(format!(
            "{name}: the {what} must be a literal, and not null"
        ))),
    }
}

/// A literal that is one of several names.
pub(crate) fn named<T: std::str::FromStr<Err: std::fmt::Display>>(
    name: &str,
    what: &str,
    value: Option<&ColumnarValue>,
) -> Result<Option<T>> {
    let Some(bytes) = literal(name, what, value)? else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(bytes);
    match text.parse() {
        Ok(found) => Ok(Some(found)),
        Err(error) => Err(DataFusionError::Plan(format!(
            "{name}: no {what} is called '{text}': {error}"
        ))),
    }
}
