//! Secrets of the caller's, wiped: objects, and bytes that the library knows nothing of.
#![allow(unsafe_code)]

use core::ffi::c_void;
use core::mem::MaybeUninit;

use zeroize::Zeroize;

/// Wipes bytes, whoever looks at them afterwards, so that no compiler leaves it out. NULL is allowed, with any length.
///
/// # Safety
///
/// Unless it is NULL, `data` points to `length` bytes that nobody else uses.
pub(crate) unsafe fn wipe(data: *mut u8, length: usize) {
    // No memory is longer.
    if data.is_null() || length > isize::MAX as usize {
        return;
    }
    // SAFETY: not NULL, and not longer than a slice may be; the rest is the caller's promise. The bytes need not have been
    // written before.
    let bytes: &mut [MaybeUninit<u8>] =
        unsafe { core::slice::from_raw_parts_mut(data.cast(), length) };
    // Stores that nothing leaves out are not joined either, and `zeroize` makes one for each byte here: whole words are
    // written where there are any.
    // SAFETY: any bytes are a word of them, written or not.
    let (before, words, after) = unsafe { bytes.align_to_mut::<MaybeUninit<u64>>() };
    before.zeroize();
    for word in words {
        // SAFETY: a word of the slice.
        unsafe { word.as_mut_ptr().write_volatile(0) };
    }
    after.zeroize();
}

/// `lanner_wipe` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_wipe(data: *mut c_void, length: usize) {
    // SAFETY: the caller's promise.
    unsafe { wipe(data.cast(), length) };
}
