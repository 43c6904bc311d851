//! The board: where a program begins, files and exit by semihosting (Arm, "Semihosting for AArch32 and AArch64"), the
//! clock, and a stack that is painted.

use core::arch::{asm, naked_asm};

/// The vectors behind the initial stack pointer, which the linker script writes: reset, and the two faults that end a
/// program.
#[unsafe(link_section = ".vectors")]
#[used]
static VECTORS: [extern "C" fn() -> !; 3] = [reset, fault, fault];

/// Where the processor begins. A function without a frame: the stack pointer is the one of the vectors.
#[unsafe(naked)]
#[unsafe(no_mangle)]
extern "C" fn reset() -> ! {
    naked_asm!("bl {main}", "b .", main = sym crate::main)
}

extern "C" fn fault() -> ! {
    exit(2)
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(101)
}

/// The crates fn-dsa are linked with `alloc`, by a feature of one of their dependencies, and allocate nothing.
struct NoAllocator;

// SAFETY: it never gives memory.
unsafe impl core::alloc::GlobalAlloc for NoAllocator {
    unsafe fn alloc(&self, _: core::alloc::Layout) -> *mut u8 {
        exit(3)
    }

    unsafe fn dealloc(&self, _: *mut u8, _: core::alloc::Layout) {}
}

#[global_allocator]
static ALLOCATOR: NoAllocator = NoAllocator;

/// One request to the host.
fn call(operation: usize, block: &[usize]) -> usize {
    let result;
    // SAFETY: the host reads the block, and what the block points to as the operation has it.
    unsafe {
        asm!(
            "bkpt 0xab",
            inout("r0") operation => result,
            in("r1") block.as_ptr(),
            options(nostack)
        );
    }
    result
}

/// Ends the program with a code.
pub(crate) fn exit(code: usize) -> ! {
    // SYS_EXIT_EXTENDED, ADP_Stopped_ApplicationExit.
    call(0x20, &[0x20026, code]);
    loop {}
}

/// Ends the program unless something holds.
pub(crate) fn demand(holds: bool) {
    if !holds {
        exit(1);
    }
}

fn open(name: &str, mode: usize) -> usize {
    // SYS_OPEN takes names with a zero behind them.
    let mut path = [0; 64];
    path[..name.len()].copy_from_slice(name.as_bytes());
    let file = call(0x01, &[path.as_ptr() as usize, mode, name.len()]);
    demand(file != usize::MAX);
    file
}

/// Fills a buffer from a file of its length.
pub(crate) fn read(name: &str, bytes: &mut [u8]) {
    let file = open(name, 1);
    // SYS_READ tells how many bytes it did not read.
    demand(call(0x06, &[file, bytes.as_mut_ptr() as usize, bytes.len()]) == 0);
    call(0x02, &[file]);
}

/// Writes a file.
pub(crate) fn write(name: &str, bytes: &[u8]) {
    let file = open(name, 5);
    demand(call(0x05, &[file, bytes.as_ptr() as usize, bytes.len()]) == 0);
    call(0x02, &[file]);
}

/// The first timer of the board (CMSDK APB timer): control, value, reload. It counts down at 25 MHz.
const TIMER: *mut u32 = 0x4000_0000 as *mut u32;

/// Instructions between two ticks, where QEMU gives each one nanosecond (`-icount shift=0`).
const PER_TICK: u64 = 40;

/// Bytes of code and constants of the program: where they end, as the linker script says, because they begin at 0.
pub(crate) fn flash() -> usize {
    unsafe extern "C" {
        static FLASH_END: u8;
    }
    (&raw const FLASH_END) as usize
}

/// What a task took.
pub(crate) struct Taken {
    /// Bytes of stack.
    pub(crate) stack: usize,
    /// Instructions, to within some dozens.
    pub(crate) instructions: u64,
}

/// How far down the stack is painted: more than any of the tasks needs.
const DEPTH: usize = 1 << 20;
/// What lies between the painter's own frame and the paint.
const MARGIN: usize = 64;
const PAINT: u32 = 0x5aa5_c33c;

/// Runs a task on a painted stack.
#[inline(never)]
pub(crate) fn measure(task: impl FnOnce()) -> Taken {
    let top: usize;
    // SAFETY: reads the stack pointer.
    unsafe { asm!("mov {}, sp", out(reg) top, options(nomem, nostack, preserves_flags)) };
    let bottom = (top - DEPTH) & !3;
    let words = (DEPTH - MARGIN) / 4;
    for i in 0..words {
        // SAFETY: all below the stack pointer is free memory of the board.
        unsafe { (bottom as *mut u32).add(i).write_volatile(PAINT) };
    }
    // SAFETY: registers of the board.
    let before = unsafe {
        TIMER.write_volatile(0);
        TIMER.add(2).write_volatile(u32::MAX);
        TIMER.add(1).write_volatile(u32::MAX);
        TIMER.write_volatile(1);
        TIMER.add(1).read_volatile()
    };
    alone(task);
    // SAFETY: as before.
    let after = unsafe { TIMER.add(1).read_volatile() };
    let untouched = (0..words)
        // SAFETY: as before; these words have been written.
        .take_while(|i| unsafe { (bottom as *const u32).add(*i).read_volatile() } == PAINT)
        .count();
    demand(untouched > 0);
    Taken {
        stack: (top - bottom) - 4 * untouched,
        instructions: u64::from(before - after) * PER_TICK,
    }
}

/// In a frame of its own, below the painter's.
#[inline(never)]
fn alone(task: impl FnOnce()) {
    task();
}
