//! A column as rows of bytes, whatever its type.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, Datum, FixedSizeBinaryArray, LargeBinaryArray,
    LargeStringArray, StringArray, StringViewArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;

use crate::{Column, Encoding, Error};

/// The values of a column, without what says which row has which.
#[derive(Clone, Copy)]
enum Values<'a> {
    Fixed(&'a FixedSizeBinaryArray),
    Binary(&'a BinaryArray),
    LargeBinary(&'a LargeBinaryArray),
    BinaryView(&'a BinaryViewArray),
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    Utf8View(&'a StringViewArray),
    /// There are none: every row is null.
    Null,
}

impl<'a> Values<'a> {
    fn new(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::FixedSizeBinary(_) => Self::Fixed(array.as_fixed_size_binary()),
            DataType::Binary => Self::Binary(array.as_binary()),
            DataType::LargeBinary => Self::LargeBinary(array.as_binary()),
            DataType::BinaryView => Self::BinaryView(array.as_binary_view()),
            DataType::Utf8 => Self::Utf8(array.as_string()),
            DataType::LargeUtf8 => Self::LargeUtf8(array.as_string()),
            DataType::Utf8View => Self::Utf8View(array.as_string_view()),
            DataType::Null => Self::Null,
            _ => return None,
        })
    }

    fn is_text(self) -> bool {
        matches!(self, Self::Utf8(_) | Self::LargeUtf8(_) | Self::Utf8View(_))
    }

    /// The bytes at a place, which is not null.
    fn get(self, place: usize) -> &'a [u8] {
        match self {
            Self::Fixed(array) => array.value(place),
            Self::Binary(array) => array.value(place),
            Self::LargeBinary(array) => array.value(place),
            Self::BinaryView(array) => array.value(place),
            Self::Utf8(array) => array.value(place).as_bytes(),
            Self::LargeUtf8(array) => array.value(place).as_bytes(),
            Self::Utf8View(array) => array.value(place).as_bytes(),
            Self::Null => &[],
        }
    }
}

/// Finds the value of a row.
type Lookup = fn(&dyn Array, usize) -> usize;

/// Which value a row has.
enum Places<'a> {
    /// Row i has value i.
    Same,
    /// Every row has value 0.
    Scalar,
    /// What stands under a row: by the key of a dictionary, or by the run that the row is in.
    Looked(&'a dyn Array, Lookup),
}

/// A column of keys, messages or signatures.
pub(crate) struct Bytes<'a> {
    values: Values<'a>,
    /// Which values are null.
    nulls: Option<NullBuffer>,
    places: Places<'a>,
    /// Which rows are null because of `places`.
    row_nulls: Option<NullBuffer>,
    /// Of rows; none for a scalar.
    pub(crate) rows: Option<usize>,
    /// Of values.
    distinct: usize,
    pub(crate) encoding: Encoding,
}

impl<'a> Bytes<'a> {
    /// `lengths` are those that the decoded bytes may have; none are given for messages.
    pub(crate) fn new(
        datum: &'a dyn Datum,
        column: Column,
        encoding: Encoding,
        lengths: &[usize],
    ) -> Result<Self, Error> {
        let (array, is_scalar) = datum.get();
        let type_error = || Error::Type {
            column,
            found: array.data_type().clone(),
        };
        let (values, places): (&'a dyn Array, _) = match array.data_type() {
            DataType::Dictionary(_, _) => {
                let dictionary = array.as_any_dictionary_opt().ok_or_else(type_error)?;
                let keys = dictionary.keys();
                let lookup = lookup_of(keys.data_type()).ok_or_else(type_error)?;
                (dictionary.values().as_ref(), Places::Looked(keys, lookup))
            }
            DataType::RunEndEncoded(_, _) => {
                let (values, lookup) = runs(array).ok_or_else(type_error)?;
                (values.as_ref(), Places::Looked(array, lookup))
            }
            _ => (array, Places::Same),
        };
        let places = if is_scalar && matches!(places, Places::Same) {
            Places::Scalar
        } else {
            places
        };
        // Run-end encoded arrays have nulls among their values only.
        let row_nulls = match &places {
            Places::Looked(keys, _) => keys.nulls().cloned(),
            _ => None,
        };
        let count = values.len();
        let nulls = values
            .nulls()
            .filter(|nulls| nulls.null_count() > 0)
            .cloned();
        let values = Values::new(values).ok_or_else(type_error)?;
        let distinct = match values {
            Values::Null => 0,
            _ => count,
        };
        if encoding == Encoding::Bytes && values.is_text() && !lengths.is_empty() {
            return Err(Error::Text {
                column,
                found: array.data_type().clone(),
            });
        }
        if let (Values::Fixed(array), false) = (values, lengths.is_empty()) {
            let width = usize::try_from(array.value_length()).unwrap_or(0);
            if !lengths
                .iter()
                .any(|&length| encoded_lengths(encoding, length).contains(&width))
            {
                return Err(Error::Width {
                    column,
                    found: width,
                    encoding,
                });
            }
        }
        Ok(Self {
            values,
            nulls,
            places,
            row_nulls,
            rows: (!is_scalar).then(|| array.len()),
            distinct,
            encoding,
        })
    }

    /// The place of a row's value among [`Self::distinct`] ones; none if the row is null.
    pub(crate) fn place(&self, row: usize) -> Option<usize> {
        let row = if self.rows.is_none() { 0 } else { row };
        if self
            .row_nulls
            .as_ref()
            .is_some_and(|nulls| nulls.is_null(row))
        {
            return None;
        }
        let place = match &self.places {
            Places::Same => row,
            Places::Scalar => 0,
            Places::Looked(array, lookup) => lookup(*array, row),
        };
        // A column of type Null has no values. A scalar of no rows, and a dictionary's key that it has no value for, cannot be
        // made; they would be null.
        let exists = place < self.distinct;
        let is_null = self
            .nulls
            .as_ref()
            .is_some_and(|nulls| exists && nulls.is_null(place));
        (exists && !is_null).then_some(place)
    }

    /// The bytes of a value, as they are written.
    pub(crate) fn value(&self, place: usize) -> &'a [u8] {
        self.values.get(place)
    }

    /// How many values there are for all rows; none if each row has its own.
    pub(crate) fn distinct(&self) -> Option<usize> {
        (!matches!(self.places, Places::Same)).then_some(self.distinct)
    }
}

/// Reads a column as the kernels do: `each` gets the number of each row and its bytes, none if the row is null or its text does
/// not decode. A scalar is one row. Errors name the column `name`, of which any length is taken.
///
/// # Errors
///
/// The type is none that holds bytes.
pub fn each_value(
    column: &dyn Datum,
    name: Column,
    encoding: Encoding,
    mut each: impl FnMut(usize, Option<&[u8]>),
) -> Result<(), Error> {
    let column = Bytes::new(column, name, encoding, &[])?;
    let mut decoded = Vec::new();
    for row in 0..column.rows.unwrap_or(1) {
        let written = column.place(row).map(|place| column.value(place));
        if encoding == Encoding::Bytes {
            each(row, written);
        } else {
            decoded.clear();
            let decodes = written.is_some_and(|text| encoding.decode(text, &mut decoded));
            each(row, decodes.then_some(&decoded[..]));
        }
    }
    Ok(())
}

/// The lengths of text that stands for `length` bytes: with padding and without, where there is any.
fn encoded_lengths(encoding: Encoding, length: usize) -> [usize; 2] {
    match encoding {
        Encoding::Bytes => [length; 2],
        Encoding::Hex => [2 * length; 2],
        Encoding::Base64 | Encoding::Base64Url => {
            [length.div_ceil(3) * 4, (4 * length).div_ceil(3)]
        }
    }
}

/// What reads the keys of a dictionary.
fn lookup_of(keys: &DataType) -> Option<Lookup> {
    use arrow_array::types::{Int8Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};

    macro_rules! lookup {
        ($type:ty) => {
            // A key that is negative or too large is no place at all.
            |keys, row| {
                usize::try_from(keys.as_primitive::<$type>().value(row)).unwrap_or(usize::MAX)
            }
        };
    }
    Some(match keys {
        DataType::Int8 => lookup!(Int8Type),
        DataType::Int16 => lookup!(Int16Type),
        DataType::Int32 => lookup!(Int32Type),
        DataType::Int64 => lookup!(Int64Type),
        DataType::UInt8 => lookup!(UInt8Type),
        DataType::UInt16 => lookup!(UInt16Type),
        DataType::UInt32 => lookup!(UInt32Type),
        DataType::UInt64 => lookup!(UInt64Type),
        _ => return None,
    })
}

/// The values of a run-end encoded array, and what finds the one of a row.
fn runs(array: &dyn Array) -> Option<(&ArrayRef, Lookup)> {
    macro_rules! runs_of {
        ($type:ty) => {
            if let Some(runs) = array.as_run_opt::<$type>() {
                return Some((runs.values(), |runs, row| {
                    runs.as_run::<$type>().get_physical_index(row)
                }));
            }
        };
    }
    runs_of!(Int16Type);
    runs_of!(Int32Type);
    runs_of!(Int64Type);
    None
}
