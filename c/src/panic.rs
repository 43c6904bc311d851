//! The panic handlers of the libraries without Rust's standard library.
//!
//! No input reaches them. They are there because the language demands one, and say what they were told before they stop
//! for good: on bare metal to the caller's function, elsewhere on standard error.
#![allow(unsafe_code)]

use core::fmt::{self, Write};
use core::panic::PanicInfo;

/// A text that is cut where the buffer ends. The last byte stays NUL.
struct Text<const SIZE: usize> {
    bytes: [u8; SIZE],
    length: usize,
}

impl<const SIZE: usize> Text<SIZE> {
    /// What a panic is about.
    fn of(info: &PanicInfo<'_>) -> Self {
        let mut text = Self {
            bytes: [0; SIZE],
            length: 0,
        };
        // As `info` shows itself, without what fills texts up to a width, which is 2 kB in every program.
        let _ = text.write_str("liblanner: panicked");
        if let Some(location) = info.location() {
            let _ = text.write_str(" at ");
            let _ = text.write_str(location.file());
            let _ = write!(text, ":{}:{}", location.line(), location.column());
        }
        let _ = write!(text, ":\n{}", info.message());
        text
    }
}

impl<const SIZE: usize> Write for Text<SIZE> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            if let Some(slot) = self.bytes[..SIZE - 1].get_mut(self.length) {
                *slot = byte;
                self.length += 1;
            }
        }
        Ok(())
    }
}

#[cfg(not(feature = "std"))]
mod bare_metal {
    use core::ffi::{c_char, c_void};
    use core::panic::PanicInfo;
    use core::sync::atomic::{AtomicPtr, Ordering};

    use super::Text;

    /// `lanner_panic_function` of `lanner.h`: takes a text that ends with NUL.
    type Function = unsafe extern "C" fn(*const c_char);

    static FUNCTION: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());

    /// `lanner_set_panic_function` of `lanner.h`.
    #[unsafe(no_mangle)]
    extern "C" fn lanner_set_panic_function(function: Option<Function>) {
        let pointer = function.map_or(core::ptr::null_mut(), |function| function as *mut c_void);
        FUNCTION.store(pointer, Ordering::Release);
    }

    #[panic_handler]
    fn panic(info: &PanicInfo<'_>) -> ! {
        let pointer = FUNCTION.load(Ordering::Acquire);
        if !pointer.is_null() {
            let text = Text::<160>::of(info);
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
}

#[cfg(feature = "std")]
mod hosted {
    use core::ffi::{c_int, c_void};
    use core::panic::PanicInfo;

    use super::Text;

    // The C library's, as POSIX has them.
    unsafe extern "C" {
        fn write(file: c_int, bytes: *const c_void, length: usize) -> isize;
        fn abort() -> !;
    }

    #[panic_handler]
    fn panic(info: &PanicInfo<'_>) -> ! {
        let mut text = Text::<1024>::of(info);
        // In the place of the NUL, so that a text that was cut ends its line as well.
        text.bytes[text.length] = b'\n';
        // SAFETY: so many bytes are there. Whether they arrive is of no account any more.
        unsafe {
            write(2, text.bytes.as_ptr().cast(), text.length + 1);
            abort()
        }
    }
}
