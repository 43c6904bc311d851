//! The extension interface of DuckDB in C: what is called when the extension is loaded, and what the database calls with rows.
//!
//! The one file with unsafe code. What it relies on is what that interface promises: the table of the database's functions is of
//! the version that was asked for; vectors are flat where a function is called, and have as many rows as the chunk. The
//! database gives the table for the time of loading; so the functions that are used are copied out of it, and nothing behind
//! the last one of version 1.2.0 is looked at, which older databases do not have.

#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_void};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::OnceLock;

use arrow_array::LargeBinaryArray;
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};
use libduckdb_sys::{
    DUCKDB_TYPE_DUCKDB_TYPE_BLOB, DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN, DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR,
    duckdb_connection, duckdb_data_chunk, duckdb_database, duckdb_delete_callback_t,
    duckdb_ext_api_v1, duckdb_extension_access, duckdb_extension_info, duckdb_function_info,
    duckdb_logical_type, duckdb_scalar_function, duckdb_scalar_function_set,
    duckdb_scalar_function_t, duckdb_state, duckdb_state_DuckDBSuccess, duckdb_string_t,
    duckdb_type, duckdb_vector, idx_t,
};

use crate::function::{FUNCTIONS, Function};
use crate::kernel::{Judged, Scheme};

/// The version of the interface that has all functions below: the oldest stable one.
const VERSION: &core::ffi::CStr = c"v1.2.0";

macro_rules! functions {
    ($(fn $name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of the database that are used here.
        struct Database {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Database {
            /// Copies them out of the table; none if one is missing.
            ///
            /// # Safety
            ///
            /// The table has the functions of [`VERSION`].
            unsafe fn new(table: *const duckdb_ext_api_v1) -> Option<Self> {
                // SAFETY: each of them lies within the table. No reference to the whole is made, which may be shorter than
                // the type says.
                unsafe { Some(Self { $($name: (*table).$name?,)* }) }
            }
        }
    };
}

functions! {
    fn duckdb_connect(duckdb_database, *mut duckdb_connection) -> duckdb_state;
    fn duckdb_disconnect(*mut duckdb_connection);
    fn duckdb_create_logical_type(duckdb_type) -> duckdb_logical_type;
    fn duckdb_destroy_logical_type(*mut duckdb_logical_type);
    fn duckdb_create_scalar_function_set(*const c_char) -> duckdb_scalar_function_set;
    fn duckdb_destroy_scalar_function_set(*mut duckdb_scalar_function_set);
    fn duckdb_add_scalar_function_to_set(duckdb_scalar_function_set, duckdb_scalar_function) -> duckdb_state;
    fn duckdb_register_scalar_function_set(duckdb_connection, duckdb_scalar_function_set) -> duckdb_state;
    fn duckdb_create_scalar_function() -> duckdb_scalar_function;
    fn duckdb_destroy_scalar_function(*mut duckdb_scalar_function);
    fn duckdb_scalar_function_set_name(duckdb_scalar_function, *const c_char);
    fn duckdb_scalar_function_set_special_handling(duckdb_scalar_function);
    fn duckdb_scalar_function_add_parameter(duckdb_scalar_function, duckdb_logical_type);
    fn duckdb_scalar_function_set_return_type(duckdb_scalar_function, duckdb_logical_type);
    fn duckdb_scalar_function_set_extra_info(duckdb_scalar_function, *mut c_void, duckdb_delete_callback_t);
    fn duckdb_scalar_function_set_function(duckdb_scalar_function, duckdb_scalar_function_t);
    fn duckdb_scalar_function_get_extra_info(duckdb_function_info) -> *mut c_void;
    fn duckdb_scalar_function_set_error(duckdb_function_info, *const c_char);
    fn duckdb_data_chunk_get_column_count(duckdb_data_chunk) -> idx_t;
    fn duckdb_data_chunk_get_size(duckdb_data_chunk) -> idx_t;
    fn duckdb_data_chunk_get_vector(duckdb_data_chunk, idx_t) -> duckdb_vector;
    fn duckdb_vector_get_data(duckdb_vector) -> *mut c_void;
    fn duckdb_vector_get_validity(duckdb_vector) -> *mut u64;
    fn duckdb_vector_ensure_validity_writable(duckdb_vector);
    fn duckdb_vector_assign_string_element_len(duckdb_vector, idx_t, *const c_char, idx_t);
}

/// Those of the copy of DuckDB that has loaded the extension: one for all of its databases. A process may have another copy,
/// in another library, which is not served.
static DATABASE: OnceLock<Database> = OnceLock::new();

/// What the database calls when it loads the extension, by a name that begins with that of the file. False if it cannot be
/// loaded; the reason then is with the database.
///
/// # Safety
///
/// The arguments are those of the interface, in version 1.2.0 or later.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn lanner_init_c_api(
    info: duckdb_extension_info,
    access: *const duckdb_extension_access,
) -> bool {
    // SAFETY: the table of what can be asked for while the extension is loaded.
    let access = unsafe { &*access };
    let loaded = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the arguments are as the interface has them.
        unsafe { load(info, access) }
    }));
    match loaded.unwrap_or_else(|_| Err("lanner panicked, which is a bug".into())) {
        Ok(loaded) => loaded,
        Err(text) => {
            let text = CString::new(text).unwrap_or_default();
            if let Some(set_error) = access.set_error {
                // SAFETY: the database copies the text.
                unsafe { set_error(info, text.as_ptr()) };
            }
            false
        }
    }
}

/// False if the database has said itself why not.
///
/// # Safety
///
/// As [`lanner_init_c_api`].
unsafe fn load(
    info: duckdb_extension_info,
    access: &duckdb_extension_access,
) -> Result<bool, String> {
    let (Some(get_api), Some(get_database)) = (access.get_api, access.get_database) else {
        return Err("lanner: the database has no functions to offer".into());
    };
    // SAFETY: the arguments are as the interface has them. The table lives while the extension is loaded.
    let table: *const duckdb_ext_api_v1 = unsafe { get_api(info, VERSION.as_ptr()) }.cast();
    if table.is_null() {
        return Ok(false);
    }
    // SAFETY: the table is of that version.
    let database = unsafe { Database::new(table) };
    let database = database.ok_or("lanner: the database lacks a function of its interface")?;
    let connect = database.duckdb_connect;
    let database = DATABASE.get_or_init(|| database);
    if !ptr::fn_addr_eq(database.duckdb_connect, connect) {
        return Err(
            "lanner: another copy of DuckDB in this process has loaded the extension; a process has one that does".into(),
        );
    }
    // SAFETY: the database that loads the extension, or null.
    let handle = unsafe { get_database(info) };
    if handle.is_null() {
        return Ok(false);
    }
    let mut connection: duckdb_connection = ptr::null_mut();
    // SAFETY: `handle` points to the database, and `connection` is a place for what is made.
    let connected = unsafe { (database.duckdb_connect)(*handle, &mut connection) };
    if connected != duckdb_state_DuckDBSuccess {
        return Err("lanner: no connection to the database".into());
    }
    let registered = FUNCTIONS
        .iter()
        // SAFETY: the connection is open.
        .try_for_each(|function| unsafe { register(database, connection, function) });
    // SAFETY: the connection is ours.
    unsafe { (database.duckdb_disconnect)(&mut connection) };
    registered.map(|()| true)
}

const BYTES: duckdb_type = DUCKDB_TYPE_DUCKDB_TYPE_BLOB;
const TEXT: duckdb_type = DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR;

/// The types of arguments, and what is called with such.
///
/// Where there is no function for text, the database makes bytes of a literal and of a parameter, and reads `\x` as an escape
/// then: the bytes would be others than those of the text. So there is one for text in every place. A message in text
/// is its UTF-8, and so is a context; keys and signatures in text are refused.
fn overloads(
    scheme: Scheme,
) -> impl Iterator<Item = ([duckdb_type; 3], Option<duckdb_type>, Called)> {
    let fourths: &[_] = match scheme {
        Scheme::Ed25519 => &[None, Some(TEXT)],
        Scheme::FnDsa => &[None, Some(BYTES), Some(TEXT)],
    };
    let each = |fourth| {
        (0..8).map(move |place| {
            let [key, message, signature] =
                [4, 2, 1].map(|bit| if place & bit == 0 { BYTES } else { TEXT });
            let called: Called = if key == TEXT {
                refuse::<KEY>
            } else if signature == TEXT {
                refuse::<SIGNATURE>
            } else {
                call
            };
            ([key, message, signature], fourth, called)
        })
    };
    fourths.iter().copied().flat_map(each)
}

/// What the database calls.
type Called = unsafe extern "C" fn(duckdb_function_info, duckdb_data_chunk, duckdb_vector);

/// Adds a function to the database, for all types of its arguments.
///
/// # Safety
///
/// The connection is open.
unsafe fn register(
    database: &Database,
    connection: duckdb_connection,
    function: &'static Function,
) -> Result<(), String> {
    let gives = if function.explains {
        TEXT
    } else {
        DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN
    };
    // SAFETY: whatever is made here is handed to the functions that take it, and destroyed once, because the database
    // copies it. What a function knows of itself is static.
    unsafe {
        let mut set = (database.duckdb_create_scalar_function_set)(function.name.as_ptr());
        let mut state = duckdb_state_DuckDBSuccess;
        for (three, fourth, called) in overloads(function.scheme) {
            let mut made = (database.duckdb_create_scalar_function)();
            (database.duckdb_scalar_function_set_name)(made, function.name.as_ptr());
            // A null is a row that is not valid, and not a null before it is asked.
            (database.duckdb_scalar_function_set_special_handling)(made);
            for argument in three.into_iter().chain(fourth) {
                let mut of = (database.duckdb_create_logical_type)(argument);
                (database.duckdb_scalar_function_add_parameter)(made, of);
                (database.duckdb_destroy_logical_type)(&mut of);
            }
            let mut of = (database.duckdb_create_logical_type)(gives);
            (database.duckdb_scalar_function_set_return_type)(made, of);
            (database.duckdb_destroy_logical_type)(&mut of);
            let itself = ptr::from_ref(function).cast_mut().cast();
            (database.duckdb_scalar_function_set_extra_info)(made, itself, None);
            (database.duckdb_scalar_function_set_function)(made, Some(called));
            state |= (database.duckdb_add_scalar_function_to_set)(set, made);
            (database.duckdb_destroy_scalar_function)(&mut made);
        }
        state |= (database.duckdb_register_scalar_function_set)(connection, set);
        (database.duckdb_destroy_scalar_function_set)(&mut set);
        if state == duckdb_state_DuckDBSuccess {
            Ok(())
        } else {
            Err(format!(
                "lanner: the database takes no function {}",
                function.name()
            ))
        }
    }
}

/// The places of arguments.
const KEY: usize = 0;
const SIGNATURE: usize = 2;

/// What the database calls with rows in which the argument at that place is text, and is to be bytes.
unsafe extern "C" fn refuse<const PLACE: usize>(
    info: duckdb_function_info,
    _: duckdb_data_chunk,
    _: duckdb_vector,
) {
    let Some(database) = DATABASE.get() else {
        // It has registered this function, so it is there.
        return;
    };
    // SAFETY: what the function knows of itself was given by `register`.
    let function: &'static Function =
        unsafe { &*(database.duckdb_scalar_function_get_extra_info)(info).cast() };
    let name = if PLACE == KEY { "key" } else { "signature" };
    let text = format!(
        "{}: its {name} is text, and a BLOB is needed: unhex(...) or from_base64(...) makes one, of text in that encoding",
        function.name()
    );
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: the database copies the text.
    unsafe { (database.duckdb_scalar_function_set_error)(info, text.as_ptr()) };
}

/// What the database calls with rows.
unsafe extern "C" fn call(
    info: duckdb_function_info,
    input: duckdb_data_chunk,
    output: duckdb_vector,
) {
    let Some(database) = DATABASE.get() else {
        // It has registered this function, so it is there.
        return;
    };
    let called = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the arguments are as the interface has them.
        unsafe { evaluate(database, info, input, output) }
    }));
    if let Err(text) = called.unwrap_or_else(|_| Err("lanner panicked, which is a bug".into())) {
        let text = CString::new(text.replace('\0', "")).unwrap_or_default();
        // SAFETY: the database copies the text.
        unsafe { (database.duckdb_scalar_function_set_error)(info, text.as_ptr()) };
    }
}

/// # Safety
///
/// The arguments are those of a call, with columns of bytes or text as [`register`] says.
unsafe fn evaluate(
    database: &Database,
    info: duckdb_function_info,
    input: duckdb_data_chunk,
    output: duckdb_vector,
) -> Result<(), String> {
    // SAFETY: what the function knows of itself was given by `register`.
    let function: &'static Function =
        unsafe { &*(database.duckdb_scalar_function_get_extra_info)(info).cast() };
    // SAFETY: the chunk is that of the call.
    let (count, rows) = unsafe {
        (
            (database.duckdb_data_chunk_get_column_count)(input),
            (database.duckdb_data_chunk_get_size)(input),
        )
    };
    let rows = usize::try_from(rows).map_err(|_| "too many rows")?;
    if rows == 0 {
        return Ok(());
    }
    let columns: Vec<Strings<'_>> = (0..count)
        // SAFETY: the chunk has so many columns, of bytes or text, with so many rows.
        .map(|i| unsafe {
            Strings::new(
                database,
                (database.duckdb_data_chunk_get_vector)(input, i),
                rows,
            )
        })
        .collect();
    let mut start = 0;
    while start < rows {
        let part = start..end_of_part(&columns, start..rows);
        let arrays: Vec<LargeBinaryArray> = columns
            .iter()
            .map(|column| column.array(part.clone()))
            .collect();
        function.evaluate(&arrays, |at, judged| {
            // SAFETY: the vector is for what this function gives, and has a place for every row.
            unsafe { put(database, output, start + at, &judged) }
        })?;
        start = part.end;
    }
    Ok(())
}

/// The row behind those that are copied at once: as many as have some megabytes, and at least one. A constant is one value for the
/// database and a value of each row here, so that a long document for all rows would be thousands of copies of it.
fn end_of_part(columns: &[Strings<'_>], rows: Range<usize>) -> usize {
    /// What is judged at once has no more than this either (`lanner_arrow`).
    const BYTES: usize = 8 << 20;
    let mut bytes = 0;
    for row in rows.clone() {
        bytes += columns
            .iter()
            .map(|column| column.value(row).len())
            .sum::<usize>();
        if bytes > BYTES {
            // It has room for this row only if it is alone.
            return row.max(rows.start + 1);
        }
    }
    rows.end
}

/// A column as the database has it.
struct Strings<'a> {
    values: &'a [duckdb_string_t],
    nulls: Option<NullBuffer>,
}

impl Strings<'_> {
    /// # Safety
    ///
    /// The vector is flat, of bytes or text, has so many rows, and is there as long as what is returned.
    unsafe fn new(database: &Database, vector: duckdb_vector, rows: usize) -> Self {
        // SAFETY: the data of such a vector are strings, and its validity, if it has any, a bit for each row.
        unsafe {
            let values: *const duckdb_string_t = (database.duckdb_vector_get_data)(vector).cast();
            let validity = (database.duckdb_vector_get_validity)(vector).cast_const();
            let nulls = (!validity.is_null()).then(|| {
                let words = std::slice::from_raw_parts(validity, rows.div_ceil(64));
                let words: Vec<u64> = words.iter().map(|word| word.to_le()).collect();
                NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(words), 0, rows))
            });
            Self {
                values: std::slice::from_raw_parts(values, rows),
                nulls,
            }
        }
    }

    /// The bytes in a row; none for a null, in whose place anything may stand.
    fn value(&self, row: usize) -> &[u8] {
        match &self.nulls {
            Some(nulls) if nulls.is_null(row) => &[],
            // SAFETY: a value that is not null.
            _ => unsafe { bytes(&self.values[row]) },
        }
    }

    /// A copy of some rows: values lie where the database has put each of them.
    fn array(&self, rows: Range<usize>) -> LargeBinaryArray {
        let values = || rows.clone().map(|row| self.value(row));
        let lengths: Vec<usize> = values().map(<[u8]>::len).collect();
        let mut data = Vec::with_capacity(lengths.iter().sum());
        values().for_each(|value| data.extend_from_slice(value));
        let nulls = self
            .nulls
            .as_ref()
            .map(|nulls| nulls.slice(rows.start, rows.len()));
        LargeBinaryArray::new(
            OffsetBuffer::from_lengths(lengths),
            Buffer::from_vec(data),
            nulls,
        )
    }
}

/// The bytes of a value: short ones lie within it.
///
/// # Safety
///
/// The value is one, and not what stands for a null.
unsafe fn bytes(value: &duckdb_string_t) -> &[u8] {
    // SAFETY: both shapes begin with the length, which tells them apart.
    unsafe {
        let length = value.value.inlined.length as usize;
        let start = match value.value.inlined.inlined.get(..length) {
            Some(short) => short.as_ptr(),
            None => value.value.pointer.ptr.cast_const(),
        };
        std::slice::from_raw_parts(start.cast(), length)
    }
}

/// Writes what is said of some rows.
///
/// # Safety
///
/// The vector has the type of what is said, and a place for each of these rows.
unsafe fn put(database: &Database, output: duckdb_vector, start: usize, judged: &Judged) {
    match judged {
        Judged::Verdicts(verdicts) => {
            // SAFETY: the data of such a vector are booleans of one byte.
            let places: *mut bool = unsafe { (database.duckdb_vector_get_data)(output) }.cast();
            for (i, valid) in verdicts.values().iter().enumerate() {
                // SAFETY: there is a place for each row.
                unsafe { places.add(start + i).write(valid) };
            }
        }
        Judged::Reasons(reasons) => {
            // SAFETY: the validity, once it is writable, has a bit for each row.
            let validity = unsafe {
                (database.duckdb_vector_ensure_validity_writable)(output);
                (database.duckdb_vector_get_validity)(output)
            };
            for (i, reason) in reasons.iter().enumerate() {
                let row = start + i;
                match reason {
                    // SAFETY: the database copies the text into the vector.
                    Some(text) => unsafe {
                        (database.duckdb_vector_assign_string_element_len)(
                            output,
                            row as idx_t,
                            text.as_ptr().cast(),
                            text.len() as idx_t,
                        );
                    },
                    // SAFETY: the bit of the row.
                    None => unsafe { *validity.add(row / 64) &= !(1 << (row % 64)) },
                }
            }
        }
    }
}
