//! What `system` has, by Rust's standard library.

use core::cell::Cell;
use core::ffi::c_void;

use crate::status::Error;

std::thread_local! {
    static OWN: Cell<*mut c_void> = const { Cell::new(core::ptr::null_mut()) };
}

/// The pointer of this thread; NULL at first.
pub(crate) fn thread_pointer() -> *mut c_void {
    OWN.get()
}

/// Sets the pointer of this thread.
#[expect(
    clippy::unnecessary_wraps,
    reason = "without the standard library it takes memory"
)]
pub(crate) fn set_thread_pointer(pointer: *mut c_void) -> Result<(), Error> {
    OWN.set(pointer);
    Ok(())
}
