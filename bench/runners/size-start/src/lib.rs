//! The start of a bare-metal program, for measuring what it takes.
//!
//! As it is built for flash, a program runs its task on inputs that the compiler cannot see and
//! stops. With the feature `stack` it paints the stack below itself, runs the task, and looks how
//! far down the paint has gone; it tells that number by Linux's system calls, so that an emulator
//! of user programs can run it.

#![no_std]

use core::hint::black_box;

/// Signs and verifies: from the seed to whether its signature on the message is valid.
pub type Task = fn(&[u8; 32], &[u8]) -> bool;

/// Defines the entry and the panic handler of a program with a task.
#[macro_export]
macro_rules! program {
    ($task:expr) => {
        /// Where the program begins.
        #[unsafe(no_mangle)]
        pub extern "C" fn _start() -> ! {
            $crate::start($task)
        }

        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
            $crate::stop(101)
        }
    };
}

#[inline(never)]
fn run(task: Task) -> bool {
    task(&black_box([7; 32]), black_box(&[1, 2, 3]))
}

/// Runs the task and stops.
#[cfg(not(feature = "stack"))]
pub fn start(task: Task) -> ! {
    stop(i32::from(!black_box(run(task))))
}

/// Stops.
#[cfg(not(feature = "stack"))]
pub fn stop(code: i32) -> ! {
    black_box(code);
    loop {}
}

#[cfg(feature = "stack")]
pub use measure::{start, stop};

#[cfg(feature = "stack")]
mod measure {
    use core::arch::asm;

    use super::{Task, run};

    /// How far down the stack is painted: more than any of the programs needs.
    const DEPTH: usize = 256 * 1024;
    /// What lies between the painter's own frame and the paint.
    const MARGIN: usize = 256;
    const PAINT: u32 = 0x5AA5_C33C;

    /// Runs the task on a painted stack, prints how many bytes it used, and exits.
    #[inline(never)]
    pub fn start(task: Task) -> ! {
        let top: usize;
        // SAFETY: reads the stack pointer.
        unsafe { asm!("mov {}, sp", out(reg) top, options(nomem, nostack, preserves_flags)) };
        let bottom = (top - DEPTH) & !3;
        let words = (DEPTH - MARGIN) / 4;
        // SAFETY: all below the stack pointer is free, and the emulator's stack is larger.
        let paint = |i: usize| unsafe { (bottom as *mut u32).add(i).write_volatile(PAINT) };
        (0..words).for_each(paint);
        let right = run(task);
        // SAFETY: as before; these words have been written.
        let painted =
            |i: &usize| unsafe { (bottom as *const u32).add(*i).read_volatile() } == PAINT;
        let untouched = (0..words).take_while(painted).count();
        print((top - bottom) - untouched * 4);
        stop(i32::from(!right || untouched == 0))
    }

    /// One of Linux's system calls.
    fn call(number: usize, a: usize, b: usize, c: usize) {
        // SAFETY: write reads the buffer that the caller lends; exit does not return. r7, which the
        // compiler keeps for itself on this target, is put back.
        unsafe {
            asm!(
                "mov {save}, r7",
                "mov r7, {number}",
                "svc #0",
                "mov r7, {save}",
                number = in(reg) number,
                save = out(reg) _,
                inout("r0") a => _,
                in("r1") b,
                in("r2") c,
            );
        }
    }

    fn print(mut number: usize) {
        let mut digits = [b'\n'; 12];
        let mut at = 11;
        loop {
            at -= 1;
            digits[at] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        call(4, 1, digits[at..].as_ptr() as usize, 12 - at);
    }

    /// Exits.
    pub fn stop(code: i32) -> ! {
        loop {
            call(1, code as usize, 0, 0);
        }
    }
}
