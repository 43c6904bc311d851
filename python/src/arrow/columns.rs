//! The three columns: what Python hands over, as pieces in which every column has the same rows.

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, Datum, FixedSizeBinaryArray, LargeBinaryArray, Scalar, make_array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType};
use lanner_arrow::Encoding;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::{Bound, PyAny, PyAnyMethods, PyErr, PyResult, Python};
use pyo3::types::{
    PyBytes, PyBytesMethods, PyFloat, PyFloatMethods, PyList, PyListMethods, PyString,
    PyStringMethods,
};

use super::capsules::{self, Stream};
use crate::buffers::{Octets, Special, imported, is_of_numpy_type, is_row, matrix, room, rows};
use crate::errors::{value, words};

/// What stands for any of the forms in an error.
const FORMS: &str =
    "an Arrow column, an array of shape (n, length) or a sequence of bytes-like objects";

/// One column.
pub(super) enum Column {
    /// One value for every row.
    Scalar(Scalar<ArrayRef>),
    /// Rows, in one array or in several.
    Rows {
        name: &'static str,
        /// What gives further arrays.
        stream: Option<Stream>,
        /// The array that is being read.
        array: ArrayRef,
        /// Its first row that was not handed out.
        from: usize,
    },
}

/// Which column it is, and what of Python it takes that others do not.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Keys, also as objects.
    PublicKeys(Special),
    /// Messages, which in text stand for themselves.
    Messages,
    Signatures,
}

impl Kind {
    /// The argument's name.
    fn name(self) -> &'static str {
        match self {
            Self::PublicKeys(_) => "public_keys",
            Self::Messages => "messages",
            Self::Signatures => "signatures",
        }
    }

    /// The octets of an object that stands for some, unless text is to be decoded.
    fn special<'py>(
        self,
        name: impl Display,
        object: &Bound<'py, PyAny>,
        encoding: Encoding,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Self::PublicKeys(special) = self else {
            return Ok(None);
        };
        let octets = special(object)?;
        if octets.is_some() && encoding != Encoding::Bytes {
            let what = "a key that is an object is in no encoding: bytes must be named";
            return Err(value(name, what));
        }
        Ok(octets)
    }

    /// Text as it is read: in an encoding, or as a message that it is itself.
    fn text<'a>(
        self,
        name: impl Display,
        text: &'a Bound<'_, PyString>,
        encoding: Encoding,
    ) -> PyResult<Cow<'a, str>> {
        match self {
            // Halves of characters, which JSON may have, are in no encoding, and neither is what stands for them then: such a row is
            // not valid, and ends nothing.
            _ if encoding != Encoding::Bytes => Ok(text.to_string_lossy()),
            Self::Messages => match text.to_str() {
                Ok(text) => Ok(Cow::Borrowed(text)),
                Err(_) => Err(value(name, "not UTF-8")),
            },
            Self::PublicKeys(_) | Self::Signatures => Err(value(name, UNNAMED)),
        }
    }
}

/// Why text is refused.
const UNNAMED: &str =
    "text, of which must be said which encoding it is in: hex, base64 or base64url";

/// Why a buffer in one dimension is no column of messages: of a key or a signature its length says that it is one row.
const ONE_MESSAGE: &str = "a buffer of one dimension is one message or many of one byte: bytes or str are needed for one message \
    for every row, and an array of two dimensions or a sequence for many";

impl Column {
    /// That of an argument. Text stands for bytes if it is in an encoding, or as a message of itself.
    pub(super) fn of(kind: Kind, object: &Bound<'_, PyAny>, encoding: Encoding) -> PyResult<Self> {
        let name = kind.name();
        let is_message = matches!(kind, Kind::Messages);
        let written = |data_type: &DataType| {
            if is_message || encoding != Encoding::Bytes || !is_text(data_type) {
                return Ok(());
            }
            Err(value(name, UNNAMED))
        };
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Self::scalar(bytes.as_bytes());
        }
        if let Ok(string) = object.cast::<PyString>() {
            return Self::scalar(kind.text(name, string, encoding)?.as_bytes());
        }
        if let Some(octets) = kind.special(name, object, encoding)? {
            return Self::scalar(octets.as_bytes());
        }
        if is_of_objects(object)? {
            return Err(PyTypeError::new_err(format!(
                "{name}: a column of the type Object has places in memory for values: a list of bytes-like objects is needed"
            )));
        }
        let named = |error: PyErr| about(name, error);
        let (stream, array) = if let Some(data) = capsules::array(object).map_err(named)? {
            written(data.data_type())?;
            (None, bytes_of(name, data)?)
        } else if let Some(stream) = Stream::of(name, object).map_err(named)? {
            written(stream.data_type())?;
            // Of the right type, until the first one is read.
            let none = ArrayData::new_empty(stream.data_type());
            (Some(stream), bytes_of(name, none)?)
        } else if is_row(name, object)? {
            if is_message {
                return Err(value(name, ONE_MESSAGE));
            }
            return Self::scalar(&Octets::of(name, object)?);
        } else {
            (None, from_buffers(kind, object, encoding)?)
        };
        Ok(Self::Rows {
            name,
            stream,
            array,
            from: 0,
        })
    }

    fn scalar(bytes: &[u8]) -> PyResult<Self> {
        let mut octets = room(bytes.len())?;
        octets.extend_from_slice(bytes);
        let offsets = OffsetBuffer::from_lengths([octets.len()]);
        let array = LargeBinaryArray::new(offsets, Buffer::from_vec(octets), None);
        Ok(Self::Scalar(Scalar::new(Arc::new(array))))
    }

    /// How many rows lie in the array that is being read; a new one is read if none do. None for a scalar, 0 at the end.
    fn ahead(&mut self) -> PyResult<Option<usize>> {
        let Self::Rows {
            name,
            stream,
            array,
            from,
        } = self
        else {
            return Ok(None);
        };
        while let (true, Some(source)) = (*from == array.len(), stream.as_mut()) {
            match source.next().map_err(|error| about(name, error))? {
                Some(data) => (*array, *from) = (bytes_of(name, data)?, 0),
                None => *stream = None,
            }
        }
        Ok(Some(array.len() - *from))
    }

    /// The next rows, of which there are as many.
    fn take(&mut self, count: usize) -> Box<dyn Datum> {
        match self {
            Self::Scalar(scalar) => Box::new(scalar.clone()),
            Self::Rows { array, from, .. } => {
                let part = array.slice(*from, count);
                *from += count;
                Box::new(part)
            }
        }
    }
}

/// Public keys, messages and signatures.
pub(super) struct Columns {
    columns: [Column; 3],
    /// Rows that were handed out.
    done: usize,
    begun: bool,
}

/// Rows that are judged in one call.
pub(super) struct Piece {
    pub(super) columns: [Box<dyn Datum>; 3],
    /// The number of the first one.
    pub(super) first: usize,
}

impl Columns {
    pub(super) fn new(columns: [Column; 3]) -> PyResult<Self> {
        // Where all is known beforehand, it is said beforehand.
        let mut expected: Option<(&str, usize)> = None;
        for column in &columns {
            if let Column::Rows {
                name,
                stream: None,
                array,
                ..
            } = column
            {
                match expected {
                    Some((first, count)) if count != array.len() => {
                        let what = format!("{} rows, and {first} has {count}", array.len());
                        return Err(value(name, &what));
                    }
                    Some(_) => {}
                    None => expected = Some((name, array.len())),
                }
            }
        }
        if columns
            .iter()
            .all(|column| matches!(column, Column::Scalar(_)))
        {
            return Err(PyTypeError::new_err(format!(
                "public_keys: {FORMS} is needed, as all three are single values"
            )));
        }
        Ok(Self {
            columns,
            done: 0,
            begun: false,
        })
    }

    /// The next piece: none after the last one, and one without rows if there are no rows at all, so that types are looked at.
    pub(super) fn next(&mut self) -> PyResult<Option<Piece>> {
        let mut ahead: Option<(&str, usize)> = None;
        for column in &mut self.columns {
            let (Some(more), Column::Rows { name, .. }) = (column.ahead()?, &*column) else {
                continue;
            };
            let done = self.done;
            ahead = match ahead {
                None => Some((name, more)),
                Some((first, least)) if (least == 0) == (more == 0) => {
                    Some((first, least.min(more)))
                }
                Some((first, 0)) => {
                    let what = format!("more than {done} rows, and {first} has {done}");
                    return Err(value(name, &what));
                }
                Some((first, _)) => {
                    return Err(value(name, &format!("{done} rows, and {first} has more")));
                }
            };
        }
        let count = ahead.map_or(0, |(_, count)| count);
        if count == 0 && self.begun {
            return Ok(None);
        }
        let first = self.done;
        (self.done, self.begun) = (first + count, true);
        Ok(Some(Piece {
            columns: self.columns.each_mut().map(|column| column.take(count)),
            first,
        }))
    }
}

/// An error of an object's own, with the name of the argument before it.
fn about(name: &str, error: PyErr) -> PyErr {
    Python::attach(|py| {
        let what = match words(error.value(py)) {
            Ok(words) => format!("{name}: {words}"),
            Err(error) => return error,
        };
        if error.is_instance_of::<PyTypeError>(py) {
            PyTypeError::new_err(what)
        } else if error.is_instance_of::<PyValueError>(py) {
            PyValueError::new_err(what)
        } else {
            error
        }
    })
}

/// Whether an object is a column of Polars of the type Object, or a table of one such column. What it hands over are eight bytes for each
/// row, of which no part says that they are the place of an object in memory.
fn is_of_objects(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let is_object = |dtype: &Bound<'_, PyAny>| PyResult::Ok(dtype.str()? == "Object");
    if let Some(dtype) = object.getattr_opt("dtype")? {
        return is_object(&dtype);
    }
    let Some(dtypes) = object.getattr_opt("dtypes")? else {
        return Ok(false);
    };
    match dtypes.cast::<PyList>() {
        Ok(dtypes) if dtypes.len() == 1 => is_object(&dtypes.get_item(0)?),
        _ => Ok(false),
    }
}

/// Whether a column of that type is text.
fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        DataType::RunEndEncoded(_, values) => is_text(values.data_type()),
        DataType::Struct(fields) if fields.len() == 1 => is_text(fields[0].data_type()),
        _ => false,
    }
}

/// An array from elsewhere as one that is read: a table of one column as this column, and text as bytes.
fn bytes_of(name: &str, data: ArrayData) -> PyResult<ArrayRef> {
    let data = match data.data_type() {
        DataType::Struct(fields) if fields.len() == 1 && data.null_count() == 0 => {
            data.child_data()[0].slice(data.offset(), data.len())
        }
        DataType::Struct(fields) if fields.len() == 1 => {
            let what =
                "a table of one column has a null in the place of a row: the column is needed";
            return Err(value(name, what));
        }
        DataType::Struct(fields) => {
            let count = fields.len();
            let what = format!("{name}: one column is needed, not a table of {count}");
            return Err(PyTypeError::new_err(what));
        }
        _ => data,
    };
    // A slice without rows may come without the bytes that its one offset points behind.
    let data = if data.is_empty() {
        ArrayData::new_empty(data.data_type())
    } else {
        data
    };
    checked(data)
        .map(make_array)
        .map_err(|error| value(name, &error.to_string()))
}

/// The data with its text as bytes, after a look at every offset and index: who made the array may have had them from a file
/// and not looked. Whether text is UTF-8 is of no meaning here.
fn checked(data: ArrayData) -> Result<ArrayData, ArrowError> {
    let children = data.child_data().iter().cloned().map(checked);
    let children = children.collect::<Result<Vec<_>, _>>()?;
    let data_type = match data.data_type() {
        DataType::Utf8 => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        DataType::Dictionary(keys, _) => {
            DataType::Dictionary(keys.clone(), Box::new(children[0].data_type().clone()))
        }
        DataType::RunEndEncoded(ends, values) => {
            let values = values.as_ref().clone();
            let values = values.with_data_type(children[1].data_type().clone());
            DataType::RunEndEncoded(ends.clone(), Arc::new(values))
        }
        // What holds no bytes is refused by its type.
        other => other.clone(),
    };
    data.into_builder()
        .data_type(data_type)
        .child_data(children)
        .build()
}

/// What stands for no value among objects of Python: `None`, and of pandas its own objects and what is not a number, which it puts
/// in the place of missing values of any type.
struct Missing<'py>([Option<Bound<'py, PyAny>>; 2]);

impl<'py> Missing<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        // Whoever has its objects has imported it.
        let pandas = imported(py, "pandas")?;
        Ok(Self([
            pandas.getattr_opt("NA")?,
            pandas.getattr_opt("NaT")?,
        ]))
    }

    fn is(&self, row: &Bound<'py, PyAny>) -> bool {
        row.is_none()
            || row.cast::<PyFloat>().is_ok_and(|row| row.value().is_nan())
            || self.0.iter().flatten().any(|missing| row.is(missing))
    }
}

/// A column in a buffer of two dimensions, or of a sequence; a copy, because another thread may write there.
fn from_buffers(kind: Kind, object: &Bound<'_, PyAny>, encoding: Encoding) -> PyResult<ArrayRef> {
    let name = kind.name();
    if let Some((octets, [count, width])) = matrix(name, object)? {
        if width == 0 {
            let mut offsets = room(count.saturating_add(1))?;
            offsets.resize(count + 1, 0_i64);
            let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
            let none = Buffer::from_vec(octets);
            return Ok(Arc::new(LargeBinaryArray::new(offsets, none, None)));
        }
        let width = i32::try_from(width).map_err(|_| value(name, "rows of at most 2 GiB"))?;
        let array = FixedSizeBinaryArray::try_new(width, Buffer::from_vec(octets), None);
        return match array {
            Ok(array) => Ok(Arc::new(array)),
            Err(error) => Err(value(name, &error.to_string())),
        };
    }
    if matches!(kind, Kind::Messages)
        && encoding == Encoding::Bytes
        && is_of_numpy_type(object, "U")?
    {
        let what = "numpy's type U loses zeros at the end of a row: a list of str is needed";
        return Err(value(name, what));
    }
    let mut octets = Vec::new();
    let mut add = |row: &[u8]| -> PyResult<i64> {
        let full = |_| PyMemoryError::new_err(());
        octets.try_reserve(row.len()).map_err(full)?;
        octets.extend_from_slice(row);
        Ok(i64::try_from(octets.len()).expect("memory has no more bytes"))
    };
    let mut offsets = vec![0_i64];
    let mut known = Vec::new();
    let missing = Missing::new(object.py())?;
    let each = rows(name, object, |name, row| {
        let is_missing = missing.is(row);
        known.push(!is_missing);
        let end = if is_missing {
            add(b"")?
        } else if let Ok(text) = row.cast::<PyString>() {
            add(kind.text(name, text, encoding)?.as_bytes())?
        } else if let Some(octets) = kind.special(name, row, encoding)? {
            add(octets.as_bytes())?
        } else {
            add(&Octets::of(name, row)?)?
        };
        offsets.push(end);
        Ok(())
    });
    each?;
    let nulls = known
        .iter()
        .any(|known| !known)
        .then(|| NullBuffer::from(known));
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Ok(Arc::new(LargeBinaryArray::new(
        offsets,
        Buffer::from_vec(octets),
        nulls,
    )))
}
