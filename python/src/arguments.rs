//! Arguments that are no buffers and no keys: their errors, too, begin with the argument's name.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::{Bound, PyAny, PyAnyMethods, PyErr, PyResult};
use pyo3::types::{PyString, PyStringMethods};

use crate::errors::{value, wrong_type};

/// A function for each argument that is text.
macro_rules! texts {
    ($($name:ident)*) => {
        $(pub(crate) fn $name<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
            text(stringify!($name), object)
        })*
    };
}

texts! { profile prehash nulls encoding key_encoding message_encoding signature_encoding }

fn text<'a>(name: &str, object: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let Ok(text) = object.cast::<PyString>() else {
        return Err(wrong_type(name, "a str", object));
    };
    text.to_str().map_err(|_| value(name, "not UTF-8"))
}

pub(crate) fn strict(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    // numpy's own comes out of comparisons of its arrays.
    object
        .extract()
        .map_err(|_: PyErr| wrong_type("strict", "a bool", object))
}

/// A number that may be a degree.
pub(crate) fn degree(object: &Bound<'_, PyAny>) -> PyResult<u32> {
    object.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(object.py()) {
            let what = "512 or 1024 is needed, not a number as large as that, or below zero";
            value("degree", what)
        } else {
            wrong_type("degree", "an int", object)
        }
    })
}
