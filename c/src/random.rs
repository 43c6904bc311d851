//! Randomness: the operating system's, or the caller's.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicPtr, Ordering};

use lanner_ed25519::rand_core::utils::next_word_via_fill;
use lanner_ed25519::rand_core::{TryCryptoRng, TryRng};

use crate::boundary;
use crate::status::{Error, code};

/// `lanner_random_source` of `lanner.h`: fills a buffer, returns 0 on success.
type Source = unsafe extern "C" fn(*mut c_void, usize) -> c_int;

/// The caller's source; NULL stands for the operating system's.
static SOURCE: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());

/// `lanner_set_random_source` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_set_random_source(source: Option<Source>) {
    let pointer = source.map_or(core::ptr::null_mut(), |source| source as *mut c_void);
    SOURCE.store(pointer, Ordering::Release);
}

/// Fills a buffer with randomness.
pub(crate) fn fill(buffer: &mut [u8]) -> Result<(), Error> {
    let pointer = SOURCE.load(Ordering::Acquire);
    if pointer.is_null() {
        return fill_from_system(buffer);
    }
    // SAFETY: the pointer was made from a function of this type in `lanner_set_random_source`.
    let source = unsafe { core::mem::transmute::<*mut c_void, Source>(pointer) };
    // SAFETY: a buffer of that length; the rest is what the caller promised of its function.
    match unsafe { source(buffer.as_mut_ptr().cast(), buffer.len()) } {
        0 => Ok(()),
        _ => Err(Error::Random),
    }
}

#[cfg(all(feature = "std", not(target_family = "wasm")))]
fn fill_from_system(buffer: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(buffer).map_err(|_| Error::Random)
}

#[cfg(not(all(feature = "std", not(target_family = "wasm"))))]
fn fill_from_system(_: &mut [u8]) -> Result<(), Error> {
    Err(Error::Random)
}

/// The same source as a generator.
pub(crate) struct Generator;

/// The source failed.
#[derive(Debug)]
pub(crate) struct Failed;

impl core::fmt::Display for Failed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the source of randomness failed")
    }
}

impl core::error::Error for Failed {}

impl TryRng for Generator {
    type Error = Failed;

    fn try_next_u32(&mut self) -> Result<u32, Failed> {
        next_word_via_fill(self)
    }

    fn try_next_u64(&mut self) -> Result<u64, Failed> {
        next_word_via_fill(self)
    }

    fn try_fill_bytes(&mut self, buffer: &mut [u8]) -> Result<(), Failed> {
        fill(buffer).map_err(|_| Failed)
    }
}

impl TryCryptoRng for Generator {}

/// Fills `length` bytes of the caller's memory; zeros if that fails.
///
/// # Safety
///
/// Unless it is NULL, `out` points to `length` bytes that may be written.
pub(crate) unsafe fn fill_pointer(out: *mut u8, length: usize) -> Result<(), Error> {
    if length == 0 {
        return Ok(());
    }
    if out.is_null() {
        return Err(Error::Null);
    }
    if length > isize::MAX as usize {
        return Err(Error::Length);
    }
    // SAFETY: not NULL, and the caller's promise. They may be uninitialised, so they are zeroed
    // before a reference to them is made.
    let buffer = unsafe {
        out.write_bytes(0, length);
        core::slice::from_raw_parts_mut(out, length)
    };
    fill(buffer).inspect_err(|_| buffer_clear(out, length))
}

fn buffer_clear(out: *mut u8, length: usize) {
    // SAFETY: only called by `fill_pointer`, which has checked both.
    unsafe { out.write_bytes(0, length) };
}

/// `lanner_random_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_random_bytes(out: *mut c_void, length: usize) -> c_int {
    // SAFETY: the caller's promise.
    code(unsafe { fill_pointer(out.cast(), length) })
}

/// Fills the caller's array and says how that went.
///
/// # Safety
///
/// Unless it is NULL, `out` points to `N` bytes that may be written.
pub(crate) unsafe fn write<const N: usize>(out: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { boundary::write(out, |bytes: &mut [u8; N]| fill(bytes)) }
}
