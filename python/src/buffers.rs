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
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::prelude::{Bound, PyAny, PyAnyMethods, PyErr, PyResult};
use pyo3::types::{PyBytes, PyBytesMethods, PyMemoryView, PyString};
use zeroize::Zeroizing;

use crate::errors::{Row, length, value, wrong_type};

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
            Err(_) => Ok(Octets::Copied(buffer(name, object)?.to_vec(object.py())?)),
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

/// The buffer of an object, of octets.
fn buffer(name: impl Display + Copy, object: &Bound<'_, PyAny>) -> PyResult<PyBuffer<u8>> {
    if let Ok(buffer) = PyBuffer::get(object) {
        return Ok(buffer);
    }
    // Items of one byte may have another type, and who exports them need not say how they lie (ctypes), or that there is
    // but one (numpy without dimensions). A view of a view is of octets, one behind the other; nothing is copied for it.
    let view = view(name, object)?;
    let size: usize = view.getattr("itemsize")?.extract()?;
    if size != 1 {
        let what = format!("a buffer of bytes, not of items of {size} bytes,");
        return Err(wrong_type(name, &what, object));
    }
    if view.getattr("nbytes")?.extract::<usize>()? == 0 {
        return PyBuffer::get(&PyBytes::new(object.py(), b""));
    }
    let octets = view
        .call_method1("cast", ("B",))
        .map_err(|_| wrong_type(name, "a buffer in one piece", object))?;
    PyBuffer::get(&octets)
}

/// The view of a bytes-like object.
fn view<'py>(
    name: impl Display + Copy,
    object: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyMemoryView>> {
    PyMemoryView::from(object).map_err(|error: PyErr| {
        let py = object.py();
        if error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyBufferError>(py) {
            wrong_type(name, "a bytes-like object", object)
        } else if error.is_instance_of::<PyValueError>(py) {
            // A file that is no longer mapped, or a view that was released.
            value(name, &error.value(py).to_string())
        } else {
            error
        }
    })
}

/// Exactly `N` public octets.
pub(crate) fn fixed<const N: usize>(
    name: impl Display + Copy,
    object: &Bound<'_, PyAny>,
) -> PyResult<[u8; N]> {
    let octets = Octets::of(name, object)?;
    octets[..]
        .try_into()
        .map_err(|_| length(name, N, octets.len()))
}

/// Exactly `N` secret octets: one copy, in the place of the caller's, which wipes it.
pub(crate) fn secret<const N: usize>(
    name: impl Display + Copy,
    object: &Bound<'_, PyAny>,
    copy: &mut Zeroizing<[u8; N]>,
) -> PyResult<()> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        if bytes.len() != N {
            return Err(length(name, N, bytes.len()));
        }
        copy.copy_from_slice(bytes);
        return Ok(());
    }
    let buffer = buffer(name, object)?;
    if buffer.item_count() != N {
        return Err(length(name, N, buffer.item_count()));
    }
    buffer.copy_to_slice(object.py(), &mut copy[..])
}

/// Secret octets of any length, in a copy that is wiped.
pub(crate) fn secret_vec(
    name: impl Display + Copy,
    object: &Bound<'_, PyAny>,
) -> PyResult<Zeroizing<Vec<u8>>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Zeroizing::new(bytes.as_bytes().to_vec()));
    }
    let buffer = buffer(name, object)?;
    let mut copy = Zeroizing::new(vec![0; buffer.item_count()]);
    buffer.copy_to_slice(object.py(), &mut copy)?;
    Ok(copy)
}

/// A column of `N` octets a row: an array of shape (n, `N`), or a sequence of bytes-like objects and of what `special` knows.
pub(crate) fn column<'py, const N: usize>(
    name: &str,
    object: &Bound<'py, PyAny>,
    special: impl Fn(&Bound<'py, PyAny>) -> Option<[u8; N]>,
) -> PyResult<Vec<[u8; N]>> {
    if let Some((octets, [_, width])) = matrix(name, object)? {
        if width != N {
            return Err(value(
                name,
                &format!("an array of shape (n, {N}) is needed, not (n, {width})"),
            ));
        }
        return Ok(octets.as_chunks::<N>().0.to_vec());
    }
    rows(name, object, |name, row| match special(row) {
        Some(octets) => Ok(octets),
        None => fixed(name, row),
    })
}

/// A column of rows of any length: an array of shape (n, m), whose rows are messages, or a sequence of bytes-like objects.
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
    pub(crate) fn of(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Some((octets, [count, width])) = matrix(name, object)? {
            return Ok(Rows::Matrix {
                octets,
                width,
                count,
            });
        }
        Ok(Rows::Each(rows(name, object, |name, row| {
            Octets::of(name, row)
        })?))
    }

    /// References to all rows.
    pub(crate) fn slices(&self) -> Vec<&[u8]> {
        match self {
            Rows::Matrix {
                octets,
                width,
                count,
            } => (0..*count)
                .map(|i| &octets[i * width..(i + 1) * width])
                .collect(),
            Rows::Each(rows) => rows.iter().map(|row| &**row).collect(),
        }
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
    // What has no buffer is taken as a sequence, and refused there if it is none.
    let Ok(view) = view(name, object) else {
        return Ok(None);
    };
    let dimensions: usize = view.getattr("ndim")?.extract()?;
    let size: usize = view.getattr("itemsize")?.extract()?;
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
            Ok(Some((buffer.to_vec(object.py())?, shape)))
        }
        Err(_) => Ok(None),
    }
}

/// The rows of a sequence, each read by `read` under a name with its index.
pub(crate) fn rows<'py, T>(
    name: &str,
    object: &Bound<'py, PyAny>,
    mut read: impl FnMut(Row<'_>, &Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let iterator = object
        .try_iter()
        .map_err(|_| wrong_type(name, "a sequence or an array of rows", object))?;
    iterator
        .enumerate()
        .map(|(index, row)| read(Row(name, index), &row?))
        .collect()
}
