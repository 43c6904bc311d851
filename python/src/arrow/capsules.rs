//! Arrays from other libraries and to them: the PyCapsule interface over Arrow's C data interface and C stream interface.
//!
//! The one file of the package with unsafe code. What it relies on is what those interfaces promise: a capsule with one of
//! the three names holds that structure, whose producer keeps the buffers alive and unchanged until it is released. Lengths and
//! pointers cannot be checked; what can be is checked by `columns.rs`.

#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, NullArray, StructArray};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::{
    PyMemoryError, PyNotImplementedError, PyOSError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::{Bound, PyAny, PyAnyMethods, PyErr, PyResult, Python};
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyTuple};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The method of an object, or none.
fn method<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    // A class has the methods of its objects, and they want an object.
    if object.is_instance_of::<pyo3::types::PyType>() {
        return Ok(None);
    }
    object.getattr_opt(name)
}

/// The structure that a capsule of that name holds.
fn structure<T>(object: &Bound<'_, PyAny>, name: &'static CStr) -> PyResult<NonNull<T>> {
    let capsule = object.cast::<PyCapsule>()?;
    // Fails where the name is another one.
    Ok(capsule.pointer_checked(Some(name))?.cast())
}

fn unusable(error: &ArrowError) -> PyErr {
    PyTypeError::new_err(error.to_string())
}

fn used() -> PyErr {
    PyValueError::new_err("what the capsule held was taken before")
}

/// The array of an object with `__arrow_c_array__`; none where it has no such method.
pub(super) fn array(object: &Bound<'_, PyAny>) -> PyResult<Option<ArrayData>> {
    let Some(method) = method(object, "__arrow_c_array__")? else {
        return Ok(None);
    };
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = method.call0()?.extract()?;
    let type_at = structure::<FFI_ArrowSchema>(&schema, SCHEMA)?;
    let array_at = structure::<FFI_ArrowArray>(&array, ARRAY)?;
    // SAFETY: the capsule `schema`, which lives until the end of this function, holds the structure, and nobody else was
    // given the capsule.
    let type_of = unsafe { type_at.as_ref() };
    if type_of.release.is_none() {
        return Err(used());
    }
    let data_type = DataType::try_from(type_of).map_err(|error| unusable(&error))?;
    // SAFETY: the capsule `array` holds the structure. It is moved out, and what stays there is marked as released, so that
    // the destructor of the capsule does nothing.
    let array = unsafe { FFI_ArrowArray::from_raw(array_at.as_ptr()) };
    if array.is_released() {
        return Err(used());
    }
    // SAFETY: the producer says that the array is of this type and as the C data interface has it.
    unsafe { imported(array, data_type) }.map(Some)
}

/// An array of that type.
///
/// # Safety
///
/// It is of that type, and as the C data interface has it.
unsafe fn imported(array: FFI_ArrowArray, data_type: DataType) -> PyResult<ArrayData> {
    // Of nulls without a type there is nothing to read, and Polars gives them a buffer, which the importer refuses.
    let nulls = || NullArray::new(array.len());
    match &data_type {
        DataType::Null => return Ok(nulls().into_data()),
        DataType::Struct(fields)
            if fields.len() == 1 && *fields[0].data_type() == DataType::Null =>
        {
            return StructArray::try_new(fields.clone(), vec![Arc::new(nulls())], None)
                .map(|table| table.into_data())
                .map_err(|error| unusable(&error));
        }
        _ => {}
    }
    // SAFETY: the caller says so.
    let data = unsafe { from_ffi_and_data_type(array, data_type) };
    data.map_err(|error| unusable(&error))
}

/// The exception of a stream that failed with one of C's error numbers. It is no `ValueError`: that is said of what the caller
/// handed over, and this comes from whoever makes the arrays.
fn failed(name: &str, code: i32, what: &str) -> PyErr {
    Python::attach(|py| {
        let what = format!("{name}: {what}");
        let is = |error: &str| -> PyResult<bool> {
            // The numbers are the system's own.
            py.import("errno")?.getattr(error)?.eq(code)
        };
        let of_code = || -> PyResult<PyErr> {
            Ok(if is("EIO")? {
                PyOSError::new_err(what.clone())
            } else if is("ENOMEM")? {
                PyMemoryError::new_err(what.clone())
            } else if is("ENOSYS")? {
                PyNotImplementedError::new_err(what.clone())
            } else {
                PyRuntimeError::new_err(what.clone())
            })
        };
        of_code().unwrap_or_else(|error| error)
    })
}

/// Arrays of one type that come one after another.
pub(super) struct Stream {
    /// The argument that they are.
    name: &'static str,
    stream: FFI_ArrowArrayStream,
    data_type: DataType,
}

impl Stream {
    /// That of the argument `name`, an object with `__arrow_c_stream__`; none where it has no such method.
    pub(super) fn of(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let Some(method) = method(object, "__arrow_c_stream__")? else {
            return Ok(None);
        };
        let capsule = method.call0()?;
        let stream_at = structure::<FFI_ArrowArrayStream>(&capsule, STREAM)?;
        // SAFETY: as for arrays: the structure is moved out of the capsule, which is left with one that is marked as released.
        let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream_at.as_ptr()) };
        if stream.release.is_none() {
            return Err(used());
        }
        let get_schema = stream.get_schema.ok_or_else(used)?;
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released, and `schema` is a place for what its function writes.
        let code = unsafe { get_schema(&mut stream, &mut schema) };
        let mut stream = Self {
            name,
            stream,
            data_type: DataType::Null,
        };
        if code != 0 {
            return Err(stream.error(code));
        }
        stream.data_type = DataType::try_from(&schema).map_err(|error| unusable(&error))?;
        Ok(Some(stream))
    }

    /// The type of all arrays.
    pub(super) fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The next array, or none after the last one. Called without the lock of the interpreter, because who makes the array
    /// may be waiting for it.
    pub(super) fn next(&mut self) -> PyResult<Option<ArrayData>> {
        let get_next = self.stream.get_next.ok_or_else(used)?;
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released before it is dropped, `&mut self` keeps other threads away, and `array` is a place
        // for what the function writes.
        let code = unsafe { get_next(&mut self.stream, &mut array) };
        if code != 0 {
            return Err(self.error(code));
        }
        if array.is_released() {
            return Ok(None);
        }
        // SAFETY: the producer says that the array is of the stream's type and as the C data interface has it.
        unsafe { imported(array, self.data_type.clone()) }.map(Some)
    }

    /// The exception of the last failure, in the words of the stream.
    fn error(&mut self, code: i32) -> PyErr {
        let without_words = format!("the stream ended with error {code}");
        let Some(get_last_error) = self.stream.get_last_error else {
            return failed(self.name, code, &without_words);
        };
        // SAFETY: the stream is not released.
        let text = unsafe { get_last_error(&mut self.stream) };
        if text.is_null() {
            return failed(self.name, code, &without_words);
        }
        // SAFETY: a string that ends in zero, and lives until the stream is used again.
        let words = unsafe { CStr::from_ptr(text) }.to_string_lossy();
        failed(self.name, code, &words)
    }
}

/// The capsule that `__arrow_c_schema__` returns.
pub(super) fn export_type<'py>(
    py: Python<'py>,
    data_type: &DataType,
) -> PyResult<Bound<'py, PyCapsule>> {
    let field = Field::new("", data_type.clone(), true);
    let schema = FFI_ArrowSchema::try_from(&field).map_err(|error| unusable(&error))?;
    // Dropping the structure releases it, unless a consumer has moved it out.
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// The capsules that `__arrow_c_array__` returns. Buffers are shared, not copied.
pub(super) fn export<'py>(py: Python<'py>, data: &ArrayData) -> PyResult<Bound<'py, PyTuple>> {
    let schema = export_type(py, data.data_type())?;
    let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(data), ARRAY)?;
    PyTuple::new(py, [schema, array])
}
