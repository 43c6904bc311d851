//! The plugin interface of Polars, version 0.1, which its engines have had since Python's polars 0.20.6: symbols that the engine
//! looks up by name, and columns as the structures of Arrow's C data interface.
//!
//! The one file with unsafe code. What it relies on is what that interface promises: the engine asks for the version first and
//! refuses one that it does not speak; pointers and lengths belong together; columns are handed over for good, those of a type
//! question are lent; and a message is fetched by the thread in which the call failed. Buffers are shared with the engine both
//! ways, and released by whoever made them.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::{Array, ArrayRef, NullArray, make_array};
use arrow_schema::{DataType, Field};

use crate::expression::{Expression, Gives, Series};

/// Major and minor version, as the engine asks for them.
const VERSION: u32 = 1;

/// How often SIGINT has come.
static INTERRUPTIONS: AtomicUsize = AtomicUsize::new(0);

/// Counts SIGINT (Ctrl-C) from now on, beside whoever handles it. To be called once.
///
/// The engine ends its queries at this signal, but looks for it only between two calls of a plugin, each of which may have
/// a whole column.
pub(crate) fn count_interruptions() -> std::io::Result<()> {
    let count = || {
        INTERRUPTIONS.fetch_add(1, Ordering::Relaxed);
    };
    // SAFETY: an atomic addition may be done in the handler of a signal.
    unsafe { signal_hook::low_level::register(signal_hook::consts::SIGINT, count) }.map(drop)
}

/// A column that is handed over: its name and type, and its pieces.
#[repr(C)]
pub(crate) struct SeriesExport {
    field: *mut FFI_ArrowSchema,
    /// Each in a place of its own, which the consumer moves it out of.
    arrays: *mut *mut FFI_ArrowArray,
    len: usize,
    /// Frees everything but the arrays.
    release: Option<unsafe extern "C" fn(*mut SeriesExport)>,
    private_data: *mut c_void,
}

impl Drop for SeriesExport {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the producer's own function, called once, as it sets `release` to null.
            unsafe { release(self) }
        }
    }
}

/// What a column that is handed over consists of.
struct Parts {
    field: *mut FFI_ArrowSchema,
    arrays: Box<[*mut FFI_ArrowArray]>,
}

/// Frees a column that [`export`] made, without its arrays, which the consumer has moved out.
unsafe extern "C" fn release(export: *mut SeriesExport) {
    // SAFETY: `export` is one of ours that was not released, and its private data are the parts that it was made of.
    let parts = unsafe {
        (*export).release = None;
        Box::from_raw((*export).private_data.cast::<Parts>())
    };
    // SAFETY: each pointer is of a box, and nothing else frees it.
    unsafe {
        drop(Box::from_raw(parts.field));
        for place in &parts.arrays {
            drop(Box::from_raw(place.cast::<ManuallyDrop<FFI_ArrowArray>>()));
        }
    }
}

/// Hands a column over.
fn export(name: &str, pieces: Vec<ArrayRef>) -> Result<SeriesExport, String> {
    let data_type = match pieces.first() {
        Some(piece) => piece.data_type().clone(),
        None => DataType::Null,
    };
    let field = FFI_ArrowSchema::try_from(Field::new(name, data_type, true))
        .map_err(|error| error.to_string())?;
    let arrays: Box<[_]> = pieces
        .iter()
        .map(|piece| Box::into_raw(Box::new(FFI_ArrowArray::new(&piece.to_data()))))
        .collect();
    let parts = Box::into_raw(Box::new(Parts {
        field: Box::into_raw(Box::new(field)),
        arrays,
    }));
    // SAFETY: the parts were just made, and live until the column is released.
    let (field, arrays) = unsafe { ((*parts).field, &mut (*parts).arrays) };
    Ok(SeriesExport {
        field,
        arrays: arrays.as_mut_ptr(),
        len: arrays.len(),
        release: Some(release),
        private_data: parts.cast(),
    })
}

/// A column that was handed over, with its arrays.
struct Import {
    /// Has the name and the type.
    export: SeriesExport,
    arrays: Vec<FFI_ArrowArray>,
}

/// Takes the columns.
///
/// # Safety
///
/// At `columns` are `count` of them, which are given away.
unsafe fn take(columns: *const SeriesExport, count: usize) -> Vec<Import> {
    let mut taken = Vec::with_capacity(count);
    for i in 0..count {
        // SAFETY: the engine forgets its own copy.
        let export = unsafe { ptr::read(columns.add(i)) };
        let arrays = (0..export.len)
            // SAFETY: there are so many pointers, each to an array. It is moved out, and an empty one takes its place.
            .map(|i| unsafe { FFI_ArrowArray::from_raw(*export.arrays.add(i)) })
            .collect();
        taken.push(Import { export, arrays });
    }
    taken
}

impl Import {
    fn field(&self, expression: Expression, place: usize) -> Result<Field, String> {
        // SAFETY: the field lives until the column is released.
        let field = unsafe { &*self.export.field };
        read_field(expression, place, field)
    }

    /// The column, of which `field` is name and type.
    fn series(self, expression: Expression, place: usize, field: &Field) -> Result<Series, String> {
        let mut pieces: Vec<ArrayRef> = Vec::with_capacity(self.arrays.len());
        for array in self.arrays {
            if *field.data_type() == DataType::Null {
                // There is nothing to read, and the engine gives it a buffer, which the importer refuses.
                pieces.push(Arc::new(NullArray::new(array.len())));
                continue;
            }
            // SAFETY: the engine says that the array is of this type and as the C data interface has it.
            let data = unsafe { from_ffi_and_data_type(array, field.data_type().clone()) };
            let data = data
                .map_err(|error| expression.unreadable(place, field.name(), &error.to_string()))?;
            pieces.push(make_array(data));
        }
        Ok(Series {
            name: field.name().clone(),
            pieces,
        })
    }
}

fn read_field(
    expression: Expression,
    place: usize,
    field: &FFI_ArrowSchema,
) -> Result<Field, String> {
    let name = field.name().unwrap_or("");
    match Field::try_from(field) {
        // So the engine hands over objects of Python: the bytes of their addresses. None of its own types has a fixed width.
        Ok(found) if matches!(found.data_type(), DataType::FixedSizeBinary(_)) => {
            Err(expression.unreadable(place, name, "a column of objects holds no bytes"))
        }
        Ok(found) => Ok(found),
        Err(error) => Err(expression.unreadable(place, name, &error.to_string())),
    }
}

/// What a plugin is given as bytes.
///
/// # Safety
///
/// There are `length` of them, unless there are none.
unsafe fn bytes<'a>(start: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: as this function asks for.
    unsafe { std::slice::from_raw_parts(start, length) }
}

thread_local! {
    /// Why the last call in this thread failed.
    static FAILURE: RefCell<CString> = RefCell::default();
}

/// Keeps the reason of a failure, and panics away from the engine. The result of a call that fails is left as it is: empty.
fn guarded(expression: Expression, work: impl FnOnce() -> Result<(), String>) {
    let done = catch_unwind(AssertUnwindSafe(work));
    let done =
        done.unwrap_or_else(|_| Err(format!("{} panicked, which is a bug", expression.name)));
    if let Err(mut text) = done {
        text.retain(|letter| letter != '\0');
        FAILURE.set(CString::new(text).unwrap_or_default());
    }
}

/// The version of the interface.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn _polars_plugin_get_version() -> u32 {
    VERSION
}

/// Why the last call in this thread failed.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn _polars_plugin_get_last_error_message() -> *const c_char {
    FAILURE.with_borrow(|text| text.as_ptr())
}

/// What the two symbols of an expression do.
macro_rules! expressions {
    ($($evaluate:ident, $field:ident: $name:literal, $gives:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C" fn $evaluate(
            columns: *const SeriesExport,
            count: usize,
            options: *const u8,
            options_length: usize,
            result: *mut SeriesExport,
            _: *const c_void,
        ) {
            let expression = Expression { name: $name, gives: Gives::$gives };
            guarded(expression, || {
                // SAFETY: what the interface says of these arguments.
                let columns = unsafe { take(columns, count) };
                // SAFETY: the same.
                let options = unsafe { bytes(options, options_length) };
                let exported = evaluate(expression, columns, options)?;
                // SAFETY: `result` is a place for a column, and what is there owns nothing.
                unsafe { result.write(exported) };
                Ok(())
            });
        }

        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C" fn $field(
            fields: *const FFI_ArrowSchema,
            count: usize,
            result: *mut FFI_ArrowSchema,
            options: *const u8,
            options_length: usize,
        ) {
            let expression = Expression { name: $name, gives: Gives::$gives };
            guarded(expression, || {
                // SAFETY: what the interface says of these arguments.
                let fields = unsafe { std::slice::from_raw_parts(fields, count) };
                // SAFETY: the same.
                let options = unsafe { bytes(options, options_length) };
                let field = field(expression, fields, options)?;
                // SAFETY: `result` is a place for a field, and what is there owns nothing.
                unsafe { result.write(field) };
                Ok(())
            });
        }
    )*};
}

expressions! {
    _polars_plugin_ed25519_verify, _polars_plugin_field_ed25519_verify: "ed25519_verify", Verdicts;
    _polars_plugin_ed25519_explain, _polars_plugin_field_ed25519_explain: "ed25519_explain", Reasons;
    _polars_plugin_fn_dsa_verify, _polars_plugin_field_fn_dsa_verify: "fn_dsa_verify", Verdicts;
    _polars_plugin_fn_dsa_explain, _polars_plugin_field_fn_dsa_explain: "fn_dsa_explain", Reasons;
}

fn evaluate(
    expression: Expression,
    columns: Vec<Import>,
    options: &[u8],
) -> Result<SeriesExport, String> {
    let fields = (columns.iter().enumerate())
        .map(|(place, column)| column.field(expression, place))
        .collect::<Result<Vec<_>, _>>()?;
    // Before the arrays are read: of types that no expression takes, they stay as they are.
    let field = expression.field(options, &fields)?;
    let series = (columns.into_iter().zip(&fields).enumerate())
        .map(|(place, (column, field))| column.series(expression, place, field))
        .collect::<Result<Vec<_>, _>>()?;
    let interruptions = || INTERRUPTIONS.load(Ordering::Relaxed);
    let before = interruptions();
    let pieces = expression.evaluate(options, &series, || interruptions() == before)?;
    export(field.name(), pieces)
}

fn field(
    expression: Expression,
    fields: &[FFI_ArrowSchema],
    options: &[u8],
) -> Result<FFI_ArrowSchema, String> {
    let fields = (fields.iter().enumerate())
        .map(|(place, field)| read_field(expression, place, field))
        .collect::<Result<Vec<_>, _>>()?;
    let field = expression.field(options, &fields)?;
    FFI_ArrowSchema::try_from(&field).map_err(|error| error.to_string())
}
