//! What Python hands over: bytes in place, everything else as a copy.
//!
//! Only `bytes` is immutable for certain. A `bytearray`, an array or a mapped file may be written by another thread as
//! soon as the lock of the interpreter is released, and with free-threaded Python at any time; a read-only view of one
//! forbids writing through the view and nothing more. So these are copied, before anything is checked or computed. For
//! signing that is no detail: a message that changed between the two hashes of Ed25519 would give one nonce and two
//! challenges, and from such a pair of signatures anybody computes the key.

use std::fmt::Display;
use std::ops::Deref;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyBufferError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::{Bound, Py, PyAny, PyAnyMethods, PyErr, PyResult, Python};
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBytes, PyBytesMethods, PyFrozenSet, PyMemoryView, PySet, PySlice, PyString, PyType,
};
use zeroize::Zeroizing;

use crate::errors::{Row, length, value, words, wrong_type};

/// Octets that nobody writes while they are read.
pub(crate) enum Octets<'py> {
    /// The object's own.
    Shared(Bound<'py, PyBytes>),
    /// A copy.
    Copied(Vec<u8>),
}

impl<'py> Octets<'py> {
    /// Those of the argument `name`.
    pub(crate) fn of(name: impl Display + Copy, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyBytes>() {
            Ok(bytes) => Ok(Octets::Shared(bytes.clone())),
            Err(_) => Ok(Octets::Copied(copied(object.py(), &buffer(name, object)?)?)),
        }
    }
}

impl Deref for Octets<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Octets::Shared(bytes) => bytes.as_bytes(),
            Octets::Copied(bytes) => bytes,
        }
    }
}

/// An empty vector with room for that many items, or `MemoryError`: how many there are is for the caller to say, and where
/// Rust's own functions find no room, they end the process.
pub(crate) fn room<T>(count: usize) -> PyResult<Vec<T>> {
    let mut items = Vec::new();
    items
        .try_reserve_exact(count)
        .map_err(|_| PyMemoryError::new_err(()))?;
    Ok(items)
}

/// The octets of a buffer, row by row if it has rows.
fn copied(py: Python<'_>, buffer: &PyBuffer<u8>) -> PyResult<Vec<u8>> {
    let mut octets = room(buffer.item_count())?;
    octets.resize(buffer.item_count(), 0);
    buffer.copy_to_slice(py, &mut octets)?;
    Ok(octets)
}

/// The buffer of an object, of octets.
fn buffer(name: impl Display + Copy, object: &Bound<'_, PyAny>) -> PyResult<PyBuffer<u8>> {
    match PyBuffer::get(object) {
        Ok(buffer) => return Ok(buffer),
        Err(error) if is_of_buffers(object.py(), &error) => {}
        Err(error) => return Err(error),
    }
    // Items of one byte may have another type, and who exports them need not say how they lie (ctypes), or that there is
    // but one (numpy without dimensions). A view of a view is of octets, one behind the other; nothing is copied for it.
    let view =
        view(name, object)?.ok_or_else(|| wrong_type(name, "a bytes-like object", object))?;
    let size: usize = view.getattr("itemsize")?.extract()?;
    if size != 1 {
        let what = format!("a buffer of bytes, not of items of {size} bytes,");
        return Err(wrong_type(name, &what, object));
    }
    if view.getattr("nbytes")?.extract::<usize>()? == 0 {
        return PyBuffer::get(&PyBytes::new(object.py(), b""));
    }
    let octets = view.call_method1("cast", ("B",)).map_err(|error| {
        if error.is_instance_of::<PyTypeError>(object.py()) {
            wrong_type(name, "a buffer in one piece", object)
        } else {
            error
        }
    })?;
    PyBuffer::get(&octets)
}

/// Whether an error may be what is said of an object without a buffer, or with one of another kind.
fn is_of_buffers(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyBufferError>(py)
        || error.is_instance_of::<PyValueError>(py)
}

/// The view of a bytes-like object; `None` where the object is none, which is no error of a sequence.
fn view<'py>(
    name: impl Display,
    object: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyMemoryView>>> {
    let py = object.py();
    match PyMemoryView::from(object) {
        Ok(view) => Ok(Some(view)),
        // A file that is no longer mapped, or a view that was released.
        Err(error) if error.is_instance_of::<PyValueError>(py) => {
            Err(value(name, &words(error.value(py))?))
        }
        Err(error) if is_of_buffers(py, &error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Copies the octets of the argument `name` to a place of their number. If theirs is another one, that is what comes back, and
/// nothing was copied.
pub(crate) fn copy_to(
    name: impl Display + Copy,
    object: &Bound<'_, PyAny>,
    place: &mut [u8],
) -> PyResult<Result<(), usize>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        if bytes.len() != place.len() {
            return Ok(Err(bytes.len()));
        }
        place.copy_from_slice(bytes);
        return Ok(Ok(()));
    }
    let buffer = buffer(name, object)?;
    if buffer.item_count() != place.len() {
        return Ok(Err(buffer.item_count()));
    }
    buffer.copy_to_slice(object.py(), place).map(Ok)
}

/// Exactly `N` public octets.
pub(crate) fn fixed<const N: usize>(
    name: impl Display + Copy,
    object: &Bound<'_, PyAny>,
) -> PyResult<[u8; N]> {
    let mut octets = [0; N];
    copy_to(name, object, &mut octets)?.map_err(|found| length(name, N, found))?;
    Ok(octets)
}

/// Exactly `N` secret octets: one copy, in the place of the caller's, which wipes it.
pub(crate) fn secret<const N: usize>(
    name: impl Display + Copy,
    object: &Bound<'_, PyAny>,
    copy: &mut Zeroizing<[u8; N]>,
) -> PyResult<()> {
    copy_to(name, object, &mut copy[..])?.map_err(|found| length(name, N, found))
}

/// Secret octets of any length, in a copy that is wiped.
pub(crate) fn secret_vec(
    name: impl Display + Copy,
    object: &Bound<'_, PyAny>,
) -> PyResult<Zeroizing<Vec<u8>>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return secret_copy(bytes.as_bytes());
    }
    let buffer = buffer(name, object)?;
    // Wiped also where it was copied in part.
    let mut copy = Zeroizing::new(room(buffer.item_count())?);
    copy.resize(buffer.item_count(), 0);
    buffer.copy_to_slice(object.py(), &mut copy)?;
    Ok(copy)
}

/// A copy of secret octets, which is wiped.
pub(crate) fn secret_copy(octets: &[u8]) -> PyResult<Zeroizing<Vec<u8>>> {
    let mut copy = room(octets.len())?;
    copy.extend_from_slice(octets);
    Ok(Zeroizing::new(copy))
}

/// The octets of an object that is none of the bytes-like ones, and of a kind that stands for some: of public keys, say.
pub(crate) type Special = for<'py> fn(&Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>>;

/// No object stands for octets.
pub(crate) fn nothing<'py>(_: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    Ok(None)
}

/// What an object stands for, or itself.
pub(crate) fn meant<'py>(
    object: &Bound<'py, PyAny>,
    special: Special,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(special(object)?.map_or_else(|| object.clone(), Bound::into_any))
}

/// A column of `N` octets a row: an array of shape (n, `N`), or a sequence of bytes-like objects and of what `special` knows. A row
/// of a sequence with another length is none.
pub(crate) fn column<'py, const N: usize>(
    name: &str,
    object: &Bound<'py, PyAny>,
    special: Special,
) -> PyResult<Vec<Option<[u8; N]>>> {
    if let Some((octets, [_, width])) = matrix(name, object)? {
        if width != N {
            return Err(value(
                name,
                &format!("an array of shape (n, {N}) is needed, not (n, {width})"),
            ));
        }
        let mut each = room(octets.len() / N)?;
        each.extend(octets.as_chunks::<N>().0.iter().copied().map(Some));
        return Ok(each);
    }
    rows(name, object, |name, row| {
        let mut octets = [0; N];
        let found = copy_to(name, &meant(row, special)?, &mut octets)?;
        Ok(found.is_ok().then_some(octets))
    })
}

/// A column of rows of any length: an array of shape (n, m), whose rows are messages, or a sequence of bytes-like objects and of
/// what is special.
pub(crate) enum Rows<'py> {
    Matrix {
        octets: Vec<u8>,
        width: usize,
        count: usize,
    },
    Each(Vec<Octets<'py>>),
}

impl<'py> Rows<'py> {
    /// Those of the argument `name`.
    pub(crate) fn of(name: &str, object: &Bound<'py, PyAny>, special: Special) -> PyResult<Self> {
        if let Some((octets, [count, width])) = matrix(name, object)? {
            return Ok(Rows::Matrix {
                octets,
                width,
                count,
            });
        }
        Ok(Rows::Each(rows(name, object, |name, row| {
            Octets::of(name, &meant(row, special)?)
        })?))
    }

    /// References to all rows, of which a matrix may have any number if they are empty.
    pub(crate) fn slices(&self) -> PyResult<Vec<&[u8]>> {
        let mut slices = match self {
            Rows::Matrix { count, .. } => room(*count)?,
            Rows::Each(rows) => room(rows.len())?,
        };
        match self {
            Rows::Matrix {
                octets,
                width,
                count,
            } => slices.extend((0..*count).map(|i| &octets[i * width..(i + 1) * width])),
            Rows::Each(rows) => slices.extend(rows.iter().map(|row| &**row)),
        }
        Ok(slices)
    }
}

/// A copy of a two-dimensional buffer of octets, row by row, and its shape, which is the buffer's: what the object says of its
/// length may be something else. `None` where the object is a sequence.
pub(crate) fn matrix(
    name: &str,
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<(Vec<u8>, [usize; 2])>> {
    if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyString>() {
        return Err(wrong_type(name, "a sequence or an array of rows", object));
    }
    // Before a mask of rows gets out of sight.
    whole(name, object)?;
    let octets = octets_of_void(object)?;
    // What has no buffer is taken as a sequence, and refused there if it is none.
    let Some((view, dimensions, size)) = array(name, octets.as_ref().unwrap_or(object))? else {
        return Ok(None);
    };
    if dimensions != 2 && size == 1 {
        return Err(value(
            name,
            &format!("an array of two dimensions is needed, not of {dimensions}"),
        ));
    }
    // And so is an array of rows that are not of unsigned bytes, or of objects.
    match PyBuffer::<u8>::get(&view) {
        Ok(buffer) => {
            let shape = [buffer.shape()[0], buffer.shape()[1]];
            Ok(Some((copied(object.py(), &buffer)?, shape)))
        }
        Err(error) if error.is_instance_of::<PyBufferError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// An array of numpy of the type V, whose items are octets and nothing else, as one of two dimensions; `None` of all others. Unlike the
/// type S this one keeps zeros at the end of a row.
fn octets_of_void<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    if !is_of_numpy_type(object, "V")? {
        return Ok(None);
    }
    // What has such a type and is a file, say, has no views.
    let numpy = imported(py, "numpy")?;
    let Some(arrays) = numpy.getattr_opt("ndarray")? else {
        return Ok(None);
    };
    if !object.is_instance(&arrays)? || object.getattr("ndim")?.ne(1)? {
        return Ok(None);
    }
    let dtype = object.getattr("dtype")?;
    if !dtype.getattr("fields")?.is_none() || dtype.getattr("itemsize")?.eq(0)? {
        return Ok(None);
    }
    // Without the mask that no row is under, which would have to be cut as well; and with an axis more, because only an axis of one
    // item, or without gaps, can be cut into octets.
    let array = numpy.call_method1("asarray", (object,))?;
    let index = (PySlice::full(py), py.None());
    Ok(Some(array.get_item(index)?.call_method1("view", ("u1",))?))
}

/// A module that somebody has imported, or `None`.
pub(crate) fn imported<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("sys")?
        .getattr("modules")?
        .call_method1("get", (name,))
}

/// Whether an object is one row: a buffer of octets in one dimension.
pub(crate) fn is_row(name: &str, object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(matches!(array(name, object)?, Some((_, 1, 1))))
}

/// The view of an object with a buffer, its dimensions and how many bytes an item has; `None` where it has no buffer.
fn array<'py>(
    name: &str,
    object: &Bound<'py, PyAny>,
) -> PyResult<Option<(Bound<'py, PyMemoryView>, usize, usize)>> {
    whole(name, object)?;
    let Some(view) = view(name, object)? else {
        return Ok(None);
    };
    let dimensions = view.getattr("ndim")?.extract()?;
    let size = view.getattr("itemsize")?.extract()?;
    Ok(Some((view, dimensions, size)))
}

/// Whether an object is an array of numpy of that type, by the letter that numpy has for it.
pub(crate) fn is_of_numpy_type(object: &Bound<'_, PyAny>, letter: &str) -> PyResult<bool> {
    let Some(dtype) = object.getattr_opt("dtype")? else {
        return Ok(false);
    };
    match dtype.getattr_opt("kind")? {
        Some(kind) => kind.eq(letter),
        None => Ok(false),
    }
}

/// Refuses arrays of numpy whose rows are not what somebody put there: those of type S have lost the zeros at their end, and a
/// mask says of rows that they are none, which the buffer does not.
fn whole(name: &str, object: &Bound<'_, PyAny>) -> PyResult<()> {
    if is_of_numpy_type(object, "S")? {
        let what = "numpy's type S loses zeros at the end of a row: an array of shape (n, length) is needed";
        return Err(value(name, what));
    }
    // That of pandas is a method.
    if let Some(mask) = object.getattr_opt("mask")?
        && let Some(any) = mask.getattr_opt("any")?
        && any.call0()?.is_truthy()?
    {
        return Err(value(
            name,
            "rows are masked: an array without a mask is needed",
        ));
    }
    Ok(())
}

/// The rows of a sequence, each read by `read` under a name with its index. What gives its items in an order that nobody chose is none,
/// and neither is what gives keys for items. Stops where a signal handler raises: nothing of the interpreter need run between the rows
/// of a list.
pub(crate) fn rows<'py, T>(
    name: &str,
    object: &Bound<'py, PyAny>,
    mut read: impl FnMut(Row<'_>, &Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    static MAPPING: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = object.py();
    if object.is_instance_of::<PySet>()
        || object.is_instance_of::<PyFrozenSet>()
        // The class answers by a function of Python, in which a signal handler may raise: a cast of PyO3 would lose that.
        || object.is_instance(MAPPING.import(py, "collections.abc", "Mapping")?)?
    {
        let what = "a sequence or an array of rows, which have an order,";
        return Err(wrong_type(name, what, object));
    }
    let iterator = object.try_iter().map_err(|error| {
        if error.is_instance_of::<PyTypeError>(py) {
            wrong_type(name, "a sequence or an array of rows", object)
        } else {
            error
        }
    })?;
    iterator
        .enumerate()
        .map(|(index, row)| {
            py.check_signals()?;
            read(Row(name, index), &row?)
        })
        .collect()
}
