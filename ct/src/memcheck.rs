//! Talking to memcheck: valgrind's client requests.
//!
//! A client request is a sequence of instructions that does nothing on a processor (rotations of a
//! register that add up to whole turns, then an exchange of a register with itself), and that
//! valgrind recognises. The address of six words is in one register, the default answer in another,
//! where the answer comes back (valgrind manual, section "The Client Request mechanism").
//!
//! `unsafe` because this is inline assembly, and because marking goes through raw addresses.
#![allow(unsafe_code)]

use core::arch::asm;
use core::hint::black_box;

/// Requests to valgrind's core.
const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;

/// Requests to memcheck start with the letters MC.
const MAKE_MEM_UNDEFINED: usize = 0x4D43_0001;
const MAKE_MEM_DEFINED: usize = 0x4D43_0002;

fn request(code: usize, a: usize, b: usize) -> usize {
    let words = [code, a, b, 0, 0, 0];
    let mut answer = 0_usize;
    // SAFETY: outside valgrind the instructions change nothing but flags. Inside, valgrind reads the
    // six words, writes the answer, and for the codes above changes only its own notes on memory.
    // Memory is not declared untouched, so that no value stays behind in a register.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") words.as_ptr(),
            inout("rdx") answer,
            options(nostack),
        );
    }
    // SAFETY: as above.
    #[cfg(target_arch = "x86")]
    unsafe {
        asm!(
            "rol edi, 3",
            "rol edi, 13",
            "rol edi, 29",
            "rol edi, 19",
            "xchg ebx, ebx",
            in("eax") words.as_ptr(),
            inout("edx") answer,
            options(nostack),
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
    {
        // No requests are known here: it looks as if there were no valgrind.
        let _ = (words, &mut answer);
    }
    answer
}

/// Whether the program runs under valgrind.
pub(crate) fn is_present() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// How many errors valgrind has reported so far.
pub(crate) fn errors() -> usize {
    request(COUNT_ERRORS, 0, 0)
}

/// Marks bytes as secret.
pub(crate) fn classify(bytes: &[u8]) {
    let bytes = black_box(bytes);
    request(MAKE_MEM_UNDEFINED, bytes.as_ptr().addr(), bytes.len());
}

/// Marks bytes as public.
pub(crate) fn declassify(bytes: &mut [u8]) {
    let bytes = black_box(bytes);
    request(MAKE_MEM_DEFINED, bytes.as_mut_ptr().addr(), bytes.len());
}
