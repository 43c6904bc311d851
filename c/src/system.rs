//! What the library takes from the C library where it does without Rust's standard library: memory, and a pointer that
//! each thread has for itself. (Randomness comes by the crate `getrandom`, the last word before the end by `panic`.)
//!
//! Rust's standard library ends a process with a backtrace. What finds and prints the names for it (unwinding, DWARF,
//! decompression, demangling) is a quarter of a megabyte in each program that the static library is linked into, and all
//! of it is reachable from every check of an index.
#![allow(unsafe_code)]

use alloc::alloc::{GlobalAlloc, Layout};
use core::ffi::{c_int, c_uint, c_void};
use core::sync::atomic::{AtomicU32, Ordering};

use crate::status::Error;

// The C library's, as POSIX has them.
unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn realloc(old: *mut c_void, size: usize) -> *mut c_void;
    fn posix_memalign(out: *mut *mut c_void, alignment: usize, size: usize) -> c_int;
    fn free(memory: *mut c_void);
    // A key is an unsigned int on Linux, with every C library.
    fn pthread_key_create(
        key: *mut c_uint,
        at_end: Option<unsafe extern "C" fn(*mut c_void)>,
    ) -> c_int;
    fn pthread_key_delete(key: c_uint) -> c_int;
    fn pthread_getspecific(key: c_uint) -> *mut c_void;
    fn pthread_setspecific(key: c_uint, pointer: *const c_void) -> c_int;
}

/// The allocator of the process.
struct Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

/// Whether `malloc` aligns as the layout wants: as two words on every target here, but an allocator may give less to what
/// is smaller than that.
fn is_plain(layout: Layout) -> bool {
    layout.align() <= 2 * size_of::<usize>() && layout.align() <= layout.size()
}

// SAFETY: the functions of C do what the trait asks for: what they return is NULL, or memory of that size and alignment
// until it is freed, and nothing unwinds.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size();
        if is_plain(layout) {
            // SAFETY: any size will do.
            return unsafe { malloc(size) }.cast();
        }
        let mut memory = core::ptr::null_mut();
        let alignment = layout.align().max(size_of::<usize>());
        // SAFETY: a power of two and a multiple of the size of a pointer, and room for one.
        match unsafe { posix_memalign(&raw mut memory, alignment, size) } {
            0 => memory.cast(),
            _ => core::ptr::null_mut(),
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_plain(layout) {
            // SAFETY: any size will do.
            return unsafe { calloc(1, layout.size()) }.cast();
        }
        // SAFETY: the caller's promise.
        let memory = unsafe { self.alloc(layout) };
        if !memory.is_null() {
            // SAFETY: so many bytes, fresh.
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, _: Layout) {
        // SAFETY: it is one of the functions above that gave it, as the caller promises.
        unsafe { free(memory.cast()) };
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the new size is one that a layout may have.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        if is_plain(layout) && is_plain(new) {
            // SAFETY: as in `dealloc`.
            return unsafe { realloc(memory.cast(), size) }.cast();
        }
        // SAFETY: the caller's promises; the two do not overlap, since both are allocated.
        unsafe {
            let moved = self.alloc(new);
            if !moved.is_null() {
                core::ptr::copy_nonoverlapping(memory, moved, layout.size().min(size));
                self.dealloc(memory, layout);
            }
            moved
        }
    }
}

/// 1 + the key under which threads keep their pointer; 0 as long as there is none. The process has it until its end, and
/// so the shared libraries stay loaded (`-z nodelete`): were they loaded anew, each time would take another one of the
/// thousand or so that a process has. Deleting it at the end is no way: threads may still run here while a process ends.
static KEY: AtomicU32 = AtomicU32::new(0);

/// The pointer of this thread; NULL at first.
pub(crate) fn thread_pointer() -> *mut c_void {
    match KEY.load(Ordering::Acquire) {
        0 => core::ptr::null_mut(),
        // SAFETY: a key that was made, and is never deleted.
        key => unsafe { pthread_getspecific(key - 1) },
    }
}

/// Sets the pointer of this thread.
///
/// # Errors
///
/// There is no memory, or no key; not where it was set to something else than NULL before.
pub(crate) fn set_thread_pointer(pointer: *mut c_void) -> Result<(), Error> {
    let key = key().ok_or(Error::Memory)?;
    // SAFETY: a key that was made, and is never deleted.
    match unsafe { pthread_setspecific(key, pointer) } {
        0 => Ok(()),
        _ => Err(Error::Memory),
    }
}

/// The key, which the first call makes.
fn key() -> Option<c_uint> {
    let known = KEY.load(Ordering::Acquire);
    if known != 0 {
        return Some(known - 1);
    }
    let mut made: c_uint = 0;
    // SAFETY: room for a key.
    if unsafe { pthread_key_create(&raw mut made, None) } != 0 {
        return None;
    }
    match KEY.compare_exchange(0, made + 1, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Some(made),
        Err(others) => {
            // SAFETY: nobody else has seen this one.
            unsafe { pthread_key_delete(made) };
            Some(others - 1)
        }
    }
}

/// What the parts of Rust's library that are compiled already name for unwinding. Nothing unwinds here; an exception of
/// C++ that comes this far all the same is told so, and ends the process (`_URC_FATAL_PHASE1_ERROR`).
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() -> c_int {
    3
}
