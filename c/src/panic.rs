//! The panic handler of the bare-metal library.
//!
//! No input reaches it. It is there because the language demands one, and it hands what it was told
//! to the caller's function before it stops for good.
#![allow(unsafe_code)]

use core::ffi::{c_char, c_void};
use core::fmt::{self, Write};
use core::sync::atomic::{AtomicPtr, Ordering};

/// `lanner_panic_function` of `lanner.h`: takes a text that ends with NUL.
type Function = unsafe extern "C" fn(*const c_char);

static FUNCTION: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());

/// `lanner_set_panic_function` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_set_panic_function(function: Option<Function>) {
    let pointer = function.map_or(core::ptr::null_mut(), |function| function as *mut c_void);
    FUNCTION.store(pointer, Ordering::Release);
}

/// A text that is cut where the buffer ends. The last byte stays NUL.
struct Text {
    bytes: [u8; 160],
    length: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            if let Some(slot) = self.bytes[..159].get_mut(self.length) {
                *slot = byte;
                self.length += 1;
            }
        }
        Ok(())
    }
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let pointer = FUNCTION.load(Ordering::Acquire);
    if !pointer.is_null() {
        let mut text = Text {
            bytes: [0; 160],
            length: 0,
        };
        let _ = write!(text, "liblanner: {info}");
        // SAFETY: the pointer was made from a function of this type, and the text ends with NUL.
        unsafe {
            let function = core::mem::transmute::<*mut c_void, Function>(pointer);
            function(text.bytes.as_ptr().cast());
        }
    }
    loop {
        core::hint::spin_loop();
    }
}
