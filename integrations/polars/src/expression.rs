//! The expressions: from columns in pieces to a column in pieces.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, BinaryArray, Datum, Scalar, new_empty_array};
use arrow_schema::{DataType, Field};
use lanner_arrow::{Column, Error};

use crate::kernel::{Kernel, kernel};
use crate::options::Options;

/// The names of the arguments.
const ARGUMENTS: [&str; 3] = ["key", "message", "signature"];

/// What an expression gives.
#[derive(Clone, Copy)]
pub(crate) enum Gives {
    /// Whether each row is valid.
    Verdicts,
    /// Why a row is not valid.
    Reasons,
}

/// An expression, whose scheme is in its options.
#[derive(Clone, Copy)]
pub(crate) struct Expression {
    pub(crate) name: &'static str,
    pub(crate) gives: Gives,
}

/// A column, in pieces that need not be those of its neighbours.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) pieces: Vec<ArrayRef>,
}

impl Series {
    fn rows(&self) -> usize {
        self.pieces.iter().map(|piece| piece.len()).sum()
    }
}

impl Expression {
    /// The column that comes of columns with these names and types, which are looked at.
    pub(crate) fn field(self, options: &[u8], inputs: &[Field]) -> Result<Field, String> {
        let kernel = self.kernel(options)?;
        let [key, _, _] = inputs else {
            return Err(format!("{} takes three columns", self.name));
        };
        // Of no rows, the kernel looks at the types alone.
        let empty: Vec<ArrayRef> = inputs
            .iter()
            .map(|field| readable(new_empty_array(field.data_type())))
            .collect();
        let names: Vec<&str> = inputs.iter().map(|field| &field.name()[..]).collect();
        let found = self.judge(&kernel, [&empty[0], &empty[1], &empty[2]], &names, || true)?;
        Ok(Field::new(key.name(), found.data_type().clone(), true))
    }

    /// Evaluates the expression. A column of one row stands for every row. There is at least one piece of the result.
    /// `go_on` is asked every ten milliseconds or so, and ends it with an error.
    pub(crate) fn evaluate(
        self,
        options: &[u8],
        inputs: &[Series],
        go_on: impl Fn() -> bool,
    ) -> Result<Vec<ArrayRef>, String> {
        let kernel = self.kernel(options)?;
        let names: Vec<&str> = inputs.iter().map(|column| &column.name[..]).collect();
        let rows = self.rows(inputs)?;
        let [mut key, mut message, mut signature] = match inputs {
            [a, b, c] => [a, b, c].map(|column| Reader::new(column, rows)),
            _ => return Err(format!("{} takes three columns", self.name)),
        };
        let mut pieces = Vec::new();
        let mut left = rows;
        while left > 0 || pieces.is_empty() {
            let readers = [&mut key, &mut message, &mut signature];
            let step = readers
                .map(Reader::ready)
                .into_iter()
                .fold(left, usize::min);
            let columns = [&mut key, &mut message, &mut signature].map(|reader| reader.next(step));
            let columns = columns.each_ref().map(|column| &**column);
            pieces.push(self.judge(&kernel, columns, &names, &go_on)?);
            left -= step;
        }
        Ok(pieces)
    }

    fn kernel(self, options: &[u8]) -> Result<Arc<Kernel>, String> {
        let options = Options::read(options).map_err(|text| format!("{}: {text}", self.name))?;
        kernel(options).map_err(|error| format!("{}: {error}", self.name))
    }

    /// How many rows there are. Columns of one row have as many as the others.
    fn rows(self, inputs: &[Series]) -> Result<usize, String> {
        let mut rows = 1;
        for (column, argument) in inputs.iter().zip(ARGUMENTS) {
            let found = column.rows();
            if found != 1 && rows != 1 && found != rows {
                return Err(format!(
                    "{}: its argument {argument}, here {}, has {found} rows, and the ones before it {rows}",
                    self.name, column.name
                ));
            }
            if found != 1 {
                rows = found;
            }
        }
        Ok(rows)
    }

    fn judge(
        self,
        kernel: &Kernel,
        columns: [&dyn Datum; 3],
        names: &[&str],
        go_on: impl Fn() -> bool,
    ) -> Result<ArrayRef, String> {
        let judged = match self.gives {
            Gives::Verdicts => kernel
                .verify(columns, go_on)
                .map(|it| Arc::new(it) as ArrayRef),
            Gives::Reasons => kernel
                .explain(columns, go_on)
                .map(|it| Arc::new(it) as ArrayRef),
        };
        judged.map_err(|error| self.describe(&error, names))
    }

    /// An error of the kernel, with the argument and the column that it is about.
    fn describe(self, error: &Error, names: &[&str]) -> String {
        if let Error::Stopped = error {
            return format!("{}: interrupted", self.name);
        }
        let column = match error {
            Error::Type { column, .. }
            | Error::Text { column, .. }
            | Error::Width { column, .. }
            | Error::Rows { column, .. } => Some(column),
            _ => None,
        };
        let place = column.map(|column| match column {
            Column::PublicKeys => 0,
            Column::Messages => 1,
            Column::Signatures => 2,
        });
        let Some(place) = place else {
            return format!("{}: {error}", self.name);
        };
        let (argument, column) = (ARGUMENTS[place], names.get(place).unwrap_or(&""));
        let mut text = format!(
            "{}: its argument {argument}, here {column}: {error}",
            self.name
        );
        if let Error::Text { .. } = error {
            text.push_str(&format!(", such as {argument}_encoding=\"hex\""));
        }
        text
    }

    /// What is said where a column cannot be read at all.
    pub(crate) fn unreadable(self, place: usize, name: &str, why: &str) -> String {
        let argument = ARGUMENTS.get(place).unwrap_or(&"");
        format!("{}: its argument {argument}, here {name}: {why}", self.name)
    }
}

/// An array as the kernels read it: NULL has no type, and stands for bytes here.
fn readable(array: ArrayRef) -> ArrayRef {
    match array.data_type() {
        DataType::Null => Arc::new(BinaryArray::new_null(array.len())),
        _ => array,
    }
}

/// Reads a column from its first row to its last, in parts of any length.
enum Reader<'a> {
    /// One value for every row.
    Constant(ArrayRef),
    Pieces {
        left: &'a [ArrayRef],
        /// How many rows of the first piece were read.
        read: usize,
    },
}

impl<'a> Reader<'a> {
    fn new(column: &'a Series, rows: usize) -> Self {
        let only = column.pieces.iter().find(|piece| piece.len() == 1);
        match only {
            Some(piece) if rows != 1 && column.rows() == 1 => {
                Self::Constant(readable(Arc::clone(piece)))
            }
            _ => Self::Pieces {
                left: &column.pieces,
                read: 0,
            },
        }
    }

    /// How many rows can be read at once.
    fn ready(&mut self) -> usize {
        let Self::Pieces { left, read } = self else {
            return usize::MAX;
        };
        while left.len() > 1 && *read == left[0].len() {
            (*left, *read) = (&left[1..], 0);
        }
        left.first().map_or(0, |first| first.len() - *read)
    }

    /// The next rows, at most as many as are ready.
    fn next(&mut self, rows: usize) -> Box<dyn Datum> {
        match self {
            Self::Constant(value) => Box::new(Scalar::new(Arc::clone(value))),
            Self::Pieces { left, read } => {
                let part = left.first().map(|first| first.slice(*read, rows));
                *read += rows;
                Box::new(readable(
                    part.unwrap_or_else(|| new_empty_array(&DataType::Binary)),
                ))
            }
        }
    }
}
