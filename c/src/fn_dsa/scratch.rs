//! Memory that the caller lends.
#![allow(unsafe_code)]

use core::ffi::c_void;

use crate::status::Error;

/// How many bytes suffice for a `T`, wherever they begin.
pub(super) const fn bytes_for<T>() -> usize {
    size_of::<T>() + align_of::<T>() - 1
}

/// Runs `run` with a `T` in the caller's memory, or on the stack if the caller lends none. It is
/// dropped, and so wiped, afterwards.
///
/// # Safety
///
/// Unless it is NULL, `memory` points to `length` bytes that nobody else uses.
pub(super) unsafe fn with<T, R>(
    memory: *mut c_void,
    length: usize,
    make: fn() -> T,
    run: impl FnOnce(&mut T) -> Result<R, Error>,
) -> Result<R, Error> {
    if memory.is_null() {
        return on_stack(make, run);
    }
    let offset = memory.align_offset(align_of::<T>());
    if offset > length || length - offset < size_of::<T>() {
        return Err(Error::Buffer);
    }
    // SAFETY: within the caller's memory, as was checked, aligned, and nobody else's. It is dropped
    // once, after its only use; a panic in between ends the process.
    unsafe {
        let place = memory.byte_add(offset).cast::<T>();
        place.write(make());
        let result = run(&mut *place);
        place.drop_in_place();
        result
    }
}

/// Not inlined, so that the room on the stack is taken only where it is used.
#[inline(never)]
fn on_stack<T, R>(
    make: fn() -> T,
    run: impl FnOnce(&mut T) -> Result<R, Error>,
) -> Result<R, Error> {
    run(&mut make())
}
