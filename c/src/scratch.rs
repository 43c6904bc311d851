//! Memory that the caller lends.
#![allow(unsafe_code)]

use core::ffi::c_void;
use core::ops::Range;

use crate::status::Error;

/// How many bytes suffice for a `T`, wherever they begin.
pub(crate) const fn bytes_for<T>() -> usize {
    size_of::<T>() + align_of::<T>() - 1
}

/// The addresses of `length` bytes.
pub(crate) fn range<T>(pointer: *const T, length: usize) -> Range<usize> {
    let start = pointer.addr();
    start..start.saturating_add(length)
}

/// Memory of the caller's that nothing lies in which a function reads, or none. It is used once.
pub(crate) struct Scratch {
    /// NULL if none is lent.
    memory: *mut c_void,
    length: usize,
}

impl Scratch {
    /// None is lent.
    pub(crate) const NONE: Self = Self {
        memory: core::ptr::null_mut(),
        length: 0,
    };

    /// `length` bytes at `memory`, which is NULL if none are lent. They must be apart from what the function `reads`: it
    /// would read what was computed there, and sign that. What it writes comes last, and may go there.
    ///
    /// # Safety
    ///
    /// Unless it is NULL, `memory` points to `length` bytes that nobody else uses.
    pub(crate) unsafe fn apart(
        memory: *mut c_void,
        length: usize,
        reads: &[Range<usize>],
    ) -> Result<Self, Error> {
        if !memory.is_null() {
            if length > isize::MAX as usize {
                return Err(Error::Length);
            }
            let lent = range(memory, length);
            let is_in = |read: &Range<usize>| {
                !read.is_empty() && read.start < lent.end && lent.start < read.end
            };
            if reads.iter().any(is_in) {
                return Err(Error::Buffer);
            }
        }
        Ok(Self { memory, length })
    }

    /// Runs `run` with a `T` in the caller's memory, or on the stack if the caller lends none. It is
    /// dropped, and so wiped, afterwards.
    pub(crate) fn with<T, R>(
        self,
        make: fn() -> T,
        run: impl FnOnce(&mut T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        if self.memory.is_null() {
            return on_stack(make, run);
        }
        let offset = self.memory.align_offset(align_of::<T>());
        if offset > self.length || self.length - offset < size_of::<T>() {
            return Err(Error::Buffer);
        }
        // SAFETY: within the caller's memory, as was checked, aligned, and nobody else's, as `apart` was promised. It is
        // dropped once, after its only use; a panic in between ends the process.
        unsafe {
            let place = self.memory.byte_add(offset).cast::<T>();
            place.write(make());
            let result = run(&mut *place);
            place.drop_in_place();
            result
        }
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
