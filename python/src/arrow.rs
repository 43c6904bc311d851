//! `lanner.arrow`: signatures in columns, by lanner-arrow.

mod capsules;
mod columns;

use std::iter;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::LargeStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Datum, LargeStringArray, StructArray, make_array,
};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::{DataType, Field};
use lanner_arrow::{Column as Which, Ed25519, Encoding, Error, FnDsa, Nulls, Reason};
use lanner_ed25519::profile::ProfileName;
use pyo3::IntoPyObjectExt;
use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::{
    Bound, Py, PyAny, PyAnyMethods, PyErr, PyResult, Python, pyclass, pyfunction, pymethods,
};
use pyo3::pyclass::CompareOp;
use pyo3::types::slice::PySliceIndices;
use pyo3::types::{
    PyBool, PyBytes, PyCapsule, PyDict, PyDictMethods, PyIterator, PyList, PyListMethods,
    PySequence, PySlice, PySliceMethods, PyString, PyTuple,
};

use crate::arguments;
use crate::buffers::Special;
use crate::ed25519::profile;
use crate::errors::{Row, value};
use crate::fn_dsa::context;
use crate::work::Watch;
use capsules::Stream;
use columns::{Column, Columns, Kind, Piece};

/// One verdict for each row, as an Arrow array of booleans: pyarrow.array(verdicts), polars.Series(verdicts), numpy.asarray and
/// columns of pandas take it. It is a sequence, which equals other verdicts, lists and tuples of the same. A verdict is None
/// where a null is propagated.
#[pyclass(frozen, sequence, module = "lanner.arrow")]
pub(crate) struct Verdicts(BooleanArray);

/// Why rows are not valid, as an Arrow array of strings: the name of the reason, None where the row is valid. A sequence, as
/// Verdicts is.
// Large ones, of which there may be any number, and which libraries take that know no views.
#[pyclass(frozen, sequence, module = "lanner.arrow")]
pub(crate) struct Reasons(LargeStringArray);

/// What explain() says: verdicts and reasons, also as one Arrow table with the columns valid and reason.
#[pyclass(frozen, module = "lanner.arrow")]
pub(crate) struct Explained {
    /// One verdict for each row.
    #[pyo3(get)]
    valid: Py<Verdicts>,
    /// The name of the reason of each row that is not valid.
    #[pyo3(get)]
    reasons: Py<Reasons>,
}

/// What stands in square brackets behind a sequence.
enum Place {
    Row(usize),
    Rows(PySliceIndices),
}

impl Place {
    /// That of a key, in a sequence of so many rows; negative numbers count from the end.
    fn of(key: &Bound<'_, PyAny>, rows: usize) -> PyResult<Self> {
        if let Ok(slice) = key.cast::<PySlice>() {
            let rows = isize::try_from(rows).expect("memory has no more rows");
            return Ok(Self::Rows(slice.indices(rows)?));
        }
        let index: isize = key.extract()?;
        let row = if index < 0 {
            rows.checked_sub(index.unsigned_abs())
        } else {
            Some(index.unsigned_abs())
        };
        row.filter(|row| *row < rows)
            .map(Self::Row)
            .ok_or_else(|| PyIndexError::new_err("there is no such row"))
    }
}

/// The numbers of the rows of a slice.
fn numbers(slice: &PySliceIndices) -> impl Iterator<Item = usize> {
    let step = slice.step;
    // The number after the last one may be none.
    iter::successors(Some(slice.start), move |row| row.checked_add(step))
        .take(slice.slicelength)
        .map(isize::unsigned_abs)
}

#[pymethods]
impl Verdicts {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        match Place::of(key, self.0.len())? {
            Place::Row(row) => self.at(row).into_bound_py_any(py),
            Place::Rows(slice) => {
                let rows = numbers(&slice).map(|row| self.at(row));
                Verdicts(rows.collect()).into_bound_py_any(py)
            }
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_pylist(py)?.try_iter()
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(not_one())
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        comparison: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        // Otherwise `verify(…) == False` would be False whatever the verdicts are.
        if other.is_instance_of::<PyBool>() {
            return Err(not_one());
        }
        let same = other
            .cast::<Self>()
            .ok()
            .map(|other| self.0 == other.get().0);
        compared(|| self.to_pylist(other.py()), other, comparison, same)
    }

    /// How many of the verdicts equal the value.
    #[pyo3(signature = (value, /))]
    fn count<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.to_pylist(value.py())?.call_method1("count", (value,))
    }

    /// The number of the first row from start on and before stop that equals the value. Raises ValueError where there is none.
    #[pyo3(signature = (value, start = 0, stop = isize::MAX, /))]
    fn index<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        start: isize,
        stop: isize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.to_pylist(value.py())?
            .call_method1("index", (value, start, stop))
    }

    /// The verdicts as a list of bool and None.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.0.iter())
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("verdicts are bits: a copy is needed"));
        }
        let numpy = py.import("numpy")?;
        let options = PyDict::new(py);
        options.set_item("dtype", dtype)?;
        if self.0.null_count() > 0 {
            let of_objects = match dtype {
                Some(dtype) => numpy
                    .call_method1("dtype", (dtype,))?
                    .getattr("kind")?
                    .eq("O")?,
                None => false,
            };
            if of_objects {
                return numpy.call_method("array", (self.to_pylist(py)?,), Some(&options));
            }
            let what = "numpy has no nulls among its booleans: take dtype=object, to_pylist() or an Arrow library";
            return Err(PyValueError::new_err(what));
        }
        let bytes = self.0.values().iter().map(u8::from).collect::<Vec<_>>();
        let bytes = PyBytes::new(py, &bytes);
        let array = numpy.call_method1("frombuffer", (bytes, "?"))?;
        // Writable, as arrays are.
        numpy.call_method("array", (array,), Some(&options))
    }

    /// The schema of the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::export_type(py, self.0.data_type())
    }

    /// The array of the Arrow PyCapsule interface. There is one type only, whichever is requested.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        capsules::export(py, &self.0.to_data())
    }

    fn __repr__(&self) -> String {
        let (rows, invalid) = (self.0.len(), lanner_arrow::count_invalid(&self.0));
        format!("<lanner.arrow.Verdicts of {rows} rows, {invalid} not valid>")
    }

    /// What a pickle makes them of.
    #[staticmethod]
    fn _of(rows: Vec<Option<bool>>) -> Self {
        Self(rows.into())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Remade<'py, (Bound<'py, PyList>,)>> {
        remade::<Self, _>(py, (self.to_pylist(py)?,))
    }
}

impl Verdicts {
    fn at(&self, row: usize) -> Option<bool> {
        self.0.is_valid(row).then(|| self.0.value(row))
    }
}

#[pymethods]
impl Reasons {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        match Place::of(key, self.0.len())? {
            Place::Row(row) => self.at(row).into_bound_py_any(py),
            Place::Rows(slice) => {
                let rows = numbers(&slice).map(|row| self.at(row));
                Reasons(rows.collect()).into_bound_py_any(py)
            }
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_pylist(py)?.try_iter()
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        comparison: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let same = other
            .cast::<Self>()
            .ok()
            .map(|other| self.0 == other.get().0);
        compared(|| self.to_pylist(other.py()), other, comparison, same)
    }

    /// How many of the reasons equal the value.
    #[pyo3(signature = (value, /))]
    fn count<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.to_pylist(value.py())?.call_method1("count", (value,))
    }

    /// The number of the first row from start on and before stop that equals the value. Raises ValueError where there is none.
    #[pyo3(signature = (value, start = 0, stop = isize::MAX, /))]
    fn index<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        start: isize,
        stop: isize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.to_pylist(value.py())?
            .call_method1("index", (value, start, stop))
    }

    /// The reasons as a list of str and None.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        // There are few of them: one object each, in memory and in pickles.
        let names = self
            .0
            .iter()
            .map(|name| name.map(|name| PyString::intern(py, name)));
        PyList::new(py, names)
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            let what = "reasons are no objects of Python: a copy is needed";
            return Err(PyValueError::new_err(what));
        }
        let options = PyDict::new(py);
        match dtype {
            Some(dtype) => options.set_item("dtype", dtype)?,
            None => options.set_item("dtype", "O")?,
        }
        let numpy = py.import("numpy")?;
        numpy.call_method("array", (self.to_pylist(py)?,), Some(&options))
    }

    /// The schema of the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::export_type(py, self.0.data_type())
    }

    /// The array of the Arrow PyCapsule interface. There is one type only, whichever is requested.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        capsules::export(py, &self.0.to_data())
    }

    fn __repr__(&self) -> String {
        format!("<lanner.arrow.Reasons of {} rows>", self.0.len())
    }

    /// What a pickle makes them of.
    #[staticmethod]
    fn _of(rows: Vec<Option<String>>) -> Self {
        Self(rows.into_iter().collect())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Remade<'py, (Bound<'py, PyList>,)>> {
        remade::<Self, _>(py, (self.to_pylist(py)?,))
    }
}

impl Reasons {
    fn at(&self, row: usize) -> Option<&str> {
        self.0.is_valid(row).then(|| self.0.value(row))
    }
}

/// Verdicts stand where one is wanted.
fn not_one() -> PyErr {
    PyValueError::new_err(
        "many verdicts are not one: ask for all(verdicts), or for count_invalid(verdicts)",
    )
}

/// Compares a sequence, as which `list` gives it, with an object; `same` where that is of the same class. With other classes Python
/// goes on, and asks the object.
fn compared<'py>(
    list: impl FnOnce() -> PyResult<Bound<'py, PyList>>,
    other: &Bound<'py, PyAny>,
    comparison: CompareOp,
    same: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = other.py();
    let is_equal = match comparison {
        CompareOp::Eq => true,
        CompareOp::Ne => false,
        _ => return Ok(py.NotImplemented().into_bound(py)),
    };
    let equal = match same {
        Some(same) => same,
        None if other.is_instance_of::<PyList>() => list()?.eq(other)?,
        None if other.is_instance_of::<PyTuple>() => list()?.to_tuple().eq(other)?,
        None => return Ok(py.NotImplemented().into_bound(py)),
    };
    (equal == is_equal).into_bound_py_any(py)
}

/// Says of both classes of sequences that they are some (`collections.abc.Sequence`).
pub(crate) fn register(py: Python<'_>) -> PyResult<()> {
    PySequence::register::<Verdicts>(py)?;
    PySequence::register::<Reasons>(py)
}

/// A function, and the arguments from which it makes the object anew.
type Remade<'py, A> = (Bound<'py, PyAny>, A);

/// What an object of the class is pickled and copied as.
fn remade<C: PyTypeInfo, A>(py: Python<'_>, arguments: A) -> PyResult<Remade<'_, A>> {
    Ok((C::type_object(py).getattr("_of")?, arguments))
}

#[pymethods]
impl Explained {
    fn __len__(&self) -> usize {
        self.valid.get().0.len()
    }

    /// The schema of the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::export_type(py, self.table()?.data_type())
    }

    /// The table of the Arrow PyCapsule interface. There is one type only, whichever is requested.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        capsules::export(py, &self.table()?.to_data())
    }

    fn __repr__(&self) -> String {
        let valid = &self.valid.get().0;
        let (rows, invalid) = (valid.len(), lanner_arrow::count_invalid(valid));
        format!("<lanner.arrow.Explained of {rows} rows, {invalid} not valid>")
    }

    /// What a pickle makes it of.
    #[staticmethod]
    fn _of(valid: Py<Verdicts>, reasons: Py<Reasons>) -> Self {
        Self { valid, reasons }
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Remade<'py, (Py<Verdicts>, Py<Reasons>)>> {
        remade::<Self, _>(py, (self.valid.clone_ref(py), self.reasons.clone_ref(py)))
    }
}

impl Explained {
    /// Both columns as one array; buffers are shared.
    fn table(&self) -> PyResult<StructArray> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.valid.get().0.clone()),
            Arc::new(self.reasons.get().0.clone()),
        ];
        let fields = vec![
            Field::new("valid", DataType::Boolean, true),
            Field::new("reason", DataType::LargeUtf8, true),
        ];
        StructArray::try_new(fields.into(), columns, None)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

/// What is said of the columns, whatever the scheme.
#[derive(Clone, Copy, PartialEq)]
struct Options {
    encodings: [Encoding; 3],
    nulls: Nulls,
    strict: bool,
}

impl Options {
    fn new(nulls: &str, encodings: [&str; 3], strict: bool) -> PyResult<Self> {
        let nulls = match nulls {
            "invalid" => Nulls::Invalid,
            "propagate" => Nulls::Propagate,
            other => {
                let what = format!("'{other}' is none of invalid, propagate");
                return Err(value("nulls", &what));
            }
        };
        let encoding = |name: &str, text: &str| {
            text.parse::<Encoding>().map_err(|_| {
                let names = Encoding::ALL.map(Encoding::as_str).join(", ");
                value(name, &format!("'{text}' is none of {names}"))
            })
        };
        let [keys, messages, signatures] = encodings;
        Ok(Self {
            encodings: [
                encoding("key_encoding", keys)?,
                encoding("message_encoding", messages)?,
                encoding("signature_encoding", signatures)?,
            ],
            nulls,
            strict,
        })
    }

    /// The columns, read so; `keys` are objects that are public keys.
    fn columns(&self, columns: [&Bound<'_, PyAny>; 3], keys: Special) -> PyResult<Columns> {
        let [public_keys, messages, signatures] = columns;
        let [a, b, c] = self.encodings;
        Columns::new([
            Column::of(Kind::PublicKeys(keys), public_keys, a)?,
            Column::of(Kind::Messages, messages, b)?,
            Column::of(Kind::Signatures, signatures, c)?,
        ])
    }
}

/// A kernel with the options.
macro_rules! with_options {
    ($kernel:expr, $options:expr) => {{
        let [keys, messages, signatures] = $options.encodings;
        $kernel
            .key_encoding(keys)
            .message_encoding(messages)
            .signature_encoding(signatures)
            .nulls($options.nulls)
            .strict($options.strict)
    }};
}

/// The kernels that were used last, each for what it was chosen by: they keep the keys that they have decoded, which engines
/// profit from that call once for some thousand rows.
struct Kernels<C, K>(Mutex<Vec<(C, Arc<K>)>>);

impl<C: PartialEq, K> Kernels<C, K> {
    /// How many are kept.
    const KEPT: usize = 4;

    const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn get(&self, choice: C, make: impl FnOnce(&C) -> K) -> Arc<K> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|(other, _)| *other == choice);
        let entry = match found {
            Some(place) => kept.remove(place),
            None => {
                let kernel = Arc::new(make(&choice));
                (choice, kernel)
            }
        };
        let kernel = Arc::clone(&entry.1);
        kept.insert(0, entry);
        kept.truncate(Self::KEPT);
        kernel
    }
}

static ED25519: Kernels<(ProfileName, Options), Ed25519> = Kernels::new();
static FN_DSA: Kernels<(Vec<u8>, Options), FnDsa> = Kernels::new();

fn ed25519(profile: &str, options: Options) -> PyResult<Arc<Ed25519>> {
    let choice = (self::profile(profile)?, options);
    Ok(ED25519.get(choice, |(profile, options)| {
        with_options!(Ed25519::new(*profile), options)
    }))
}

fn fn_dsa(context: Option<&Bound<'_, PyAny>>, options: Options) -> PyResult<Arc<FnDsa>> {
    let context = self::context(context)?.map_or(Vec::new(), |context| context.to_vec());
    Ok(FN_DSA.get((context, options), |(context, options)| {
        let kernel = FnDsa::with_context(context).expect("its length was checked");
        with_options!(kernel, options)
    }))
}

/// The exception of an error of a kernel, of which the first row has a number.
fn raised(error: &Error, first: usize) -> PyErr {
    match error {
        Error::Type { column, found } => PyTypeError::new_err(format!(
            "{column}: binary data or text is needed, not {found}"
        )),
        Error::Width { column, found, .. } => {
            let kind = match column {
                Which::PublicKeys => "public key",
                _ => "signature",
            };
            value(column, &format!("no {kind} has {found} bytes"))
        }
        Error::Malformed { row, reason } => {
            let row = |column: &Which| Row(which(*column), first + row).to_string();
            match reason {
                Reason::Text(column) => value(row(column), "not in the encoding"),
                Reason::Length(column) => value(row(column), "a wrong length"),
                reason => PyValueError::new_err(reason.to_string()),
            }
        }
        error => PyValueError::new_err(error.to_string()),
    }
}

fn which(column: Which) -> &'static str {
    match column {
        Which::PublicKeys => "public_keys",
        Which::Messages => "messages",
        Which::Signatures => "signatures",
    }
}

/// What a kernel is asked: columns, and whether to go on.
type Asked<'a> = ([&'a dyn Datum; 3], &'a dyn Fn() -> bool);

/// Judges the columns piece by piece, without the lock of the interpreter. Stops where a signal handler raises.
fn judge<P>(
    py: Python<'_>,
    mut columns: Columns,
    kernel: impl Fn(Asked<'_>) -> Result<P, Error> + Send,
    mut take: impl FnMut(P) + Send,
) -> PyResult<()> {
    py.detach(move || {
        let watch = Watch::new();
        while let Some(Piece { columns, first }) = columns.next()? {
            let judged = kernel((columns.each_ref().map(|column| &**column), &|| {
                watch.go_on()
            }));
            match judged {
                Ok(part) => take(part),
                Err(error) => return Err(watch.raised().unwrap_or_else(|| raised(&error, first))),
            }
        }
        Ok(())
    })
}

/// Verdicts that grow.
#[derive(Default)]
struct Growing {
    first: Option<BooleanArray>,
    /// Once there is more than one part.
    more: Option<(BooleanBufferBuilder, Option<BooleanBufferBuilder>)>,
}

impl Growing {
    fn extend(&mut self, part: BooleanArray) {
        let Some(first) = &self.first else {
            self.first = Some(part);
            return;
        };
        let (values, known) = self.more.get_or_insert_with(|| {
            let mut values = BooleanBufferBuilder::new(first.len() + part.len());
            values.append_buffer(first.values());
            let known = first.nulls().map(|nulls| {
                let mut known = BooleanBufferBuilder::new(first.len() + part.len());
                known.append_buffer(nulls.inner());
                known
            });
            (values, known)
        });
        if let Some(nulls) = part.nulls() {
            let known = known.get_or_insert_with(|| {
                let mut known = BooleanBufferBuilder::new(values.len() + part.len());
                known.append_n(values.len(), true);
                known
            });
            known.append_buffer(nulls.inner());
        } else if let Some(known) = known {
            known.append_n(part.len(), true);
        }
        values.append_buffer(part.values());
    }

    fn finish(self) -> Verdicts {
        Verdicts(match (self.first, self.more) {
            (_, Some((mut values, known))) => {
                let known = known.map(|mut known| NullBuffer::new(known.finish()));
                BooleanArray::new(values.finish(), known)
            }
            (Some(only), None) => only,
            (None, None) => BooleanArray::from(Vec::<bool>::new()),
        })
    }
}

/// Verdicts of a kernel.
macro_rules! verdicts {
    ($py:expr, $columns:expr, $kernel:expr) => {{
        let (kernel, mut verdicts) = ($kernel, Growing::default());
        judge(
            $py,
            $columns,
            |([keys, messages, signatures], go_on)| {
                kernel.verify_while(keys, messages, signatures, go_on)
            },
            |part| verdicts.extend(part),
        )?;
        Ok(verdicts.finish())
    }};
}

/// Verdicts and reasons of a kernel.
macro_rules! explained {
    ($py:expr, $columns:expr, $kernel:expr) => {{
        let (kernel, mut verdicts) = ($kernel, Growing::default());
        let mut reasons = LargeStringBuilder::new();
        judge(
            $py,
            $columns,
            |([keys, messages, signatures], go_on)| {
                kernel.explain_while(keys, messages, signatures, go_on)
            },
            |part| {
                verdicts.extend(part.valid);
                reasons.extend(&part.reasons);
            },
        )?;
        Ok(Explained {
            valid: Py::new($py, verdicts.finish())?,
            reasons: Py::new($py, Reasons(reasons.finish()))?,
        })
    }};
}

/// A function over three columns: what of a kernel it gives, and by which kernel, which one argument of its own chooses.
macro_rules! over_columns {
    ($(#[$doc:meta])* $name:ident -> $given:ident, $judged:ident by $kernel:ident($(#[$read:meta])? $choice:ident: $Choice:ty = $default:tt)) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = (
            public_keys, messages, signatures, *, $choice = $default, nulls = "invalid", key_encoding = "bytes",
            message_encoding = "bytes", signature_encoding = "bytes", strict = false
        ))]
        #[expect(clippy::too_many_arguments, reason = "each has its name in Python")]
        pub(crate) fn $name(
            py: Python<'_>,
            public_keys: &Bound<'_, PyAny>,
            messages: &Bound<'_, PyAny>,
            signatures: &Bound<'_, PyAny>,
            $(#[$read])? $choice: $Choice,
            #[pyo3(from_py_with = arguments::nulls)] nulls: &str,
            #[pyo3(from_py_with = arguments::key_encoding)] key_encoding: &str,
            #[pyo3(from_py_with = arguments::message_encoding)] message_encoding: &str,
            #[pyo3(from_py_with = arguments::signature_encoding)] signature_encoding: &str,
            #[pyo3(from_py_with = arguments::strict)] strict: bool,
        ) -> PyResult<$given> {
            let encodings = [key_encoding, message_encoding, signature_encoding];
            let options = Options::new(nulls, encodings, strict)?;
            let kernel = $kernel($choice, options)?;
            let columns = [public_keys, messages, signatures];
            let columns = options.columns(columns, crate::$kernel::key_octets)?;
            $judged!(py, columns, kernel)
        }
    };
}

over_columns! {
    /// Verifies Ed25519 signatures in columns: verdict i is what VerifyingKey(public_keys[i]).is_valid(messages[i], signatures[i])
    /// says under the profile, and False where a key or a signature has a wrong length or does not decode.
    ///
    /// A column is whatever has the Arrow PyCapsule interface (arrays and chunked arrays of pyarrow, series of polars and pandas,
    /// tables and results of one column): binary, fixed-size binary, views, text, dictionaries of these, read where they lie. Or it
    /// is an array of unsigned bytes of shape (n, length), or a sequence of bytes-like objects, str and None (or a missing value of
    /// pandas), which are copied; or one bytes or str for every row, for keys and signatures any bytes-like object. Keys are taken as
    /// objects, too, under the profile of this call whichever their own methods have. Text is read in the encoding that key_encoding,
    /// message_encoding and signature_encoding name: "hex", "base64" or "base64url"; a message in text without one ("bytes") is its
    /// UTF-8.
    ///
    /// A row with a null is False, or with nulls="propagate" None. With strict=True a wrong length, or text that does not decode,
    /// raises ValueError. A column of a wrong type raises TypeError, one with another number of rows ValueError. Other threads
    /// run meanwhile, and Ctrl-C stops it.
    verify -> Verdicts, verdicts by ed25519(#[pyo3(from_py_with = arguments::profile)] profile: &str = "strict")
}

over_columns! {
    /// The verdicts of verify(), and beside each row that is not valid the reason, for people who look for the fault: null_key,
    /// null_message, null_signature, text_key, text_message, text_signature (not in its encoding), key_length, signature_length,
    /// key_encoding, weak_key, r_encoding, s_range, or equation. What is decided must be decided by the verdict alone.
    explain -> Explained, explained by ed25519(#[pyo3(from_py_with = arguments::profile)] profile: &str = "strict")
}

over_columns! {
    /// Verifies FN-DSA signatures in columns, of degree 512 and 1024 in one column if need be, all under one context: as verify()
    /// in everything else.
    verify_fn_dsa -> Verdicts, verdicts by fn_dsa(context: Option<&Bound<'_, PyAny>> = None)
}

over_columns! {
    /// The verdicts of verify_fn_dsa(), and beside each row that is not valid the reason: as explain() has them, of which the last
    /// are key_encoding and signature.
    explain_fn_dsa -> Explained, explained by fn_dsa(context: Option<&Bound<'_, PyAny>> = None)
}

/// How many verdicts are not True: the invalid rows, and those that are None. Takes Verdicts, and any column of booleans with
/// the Arrow PyCapsule interface.
#[pyfunction]
pub(crate) fn count_invalid(py: Python<'_>, verdicts: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(verdicts) = verdicts.cast::<Verdicts>() {
        return Ok(lanner_arrow::count_invalid(&verdicts.get().0));
    }
    let count = |data: arrow_data::ArrayData| {
        let array = make_array(data);
        match array.as_boolean_opt() {
            Some(verdicts) => Ok(lanner_arrow::count_invalid(verdicts)),
            // Of nulls without a type none is True.
            None if *array.data_type() == DataType::Null => Ok(array.len()),
            None => Err(PyTypeError::new_err(format!(
                "verdicts: booleans are needed, not {}",
                array.data_type()
            ))),
        }
    };
    if let Some(data) = capsules::array(verdicts)? {
        return count(data);
    }
    let Some(mut stream) = Stream::of("verdicts", verdicts)? else {
        let what = "an Arrow column of booleans";
        return Err(crate::errors::wrong_type("verdicts", what, verdicts));
    };
    py.detach(|| {
        count(arrow_data::ArrayData::new_empty(stream.data_type()))?;
        let mut sum = 0;
        while let Some(data) = stream.next()? {
            sum += count(data)?;
        }
        Ok(sum)
    })
}
