//! The memory behind the module's own: the input of a call, and the vectors that the call makes. None of it is given back
//! before the call is over, and then all of it is at once; so what there is to overwrite lies in one piece.
#![allow(unsafe_code)]

use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32::{memory_grow, memory_size};
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const PAGE: usize = 65536;

/// The alignment of the first octet.
const ALIGN: usize = 16;

/// The end of what was given out; 0 before the first call.
static TOP: AtomicUsize = AtomicUsize::new(0);

struct Heap;

#[global_allocator]
static HEAP: Heap = Heap;

unsafe extern "C" {
    /// Where the module's own memory ends: the linker's.
    static __heap_base: u8;
}

/// Where the heap begins.
pub(crate) fn base() -> usize {
    (&raw const __heap_base).addr().next_multiple_of(ALIGN)
}

/// The end of what was given out, all of which is given back.
pub(crate) fn reset() -> usize {
    TOP.swap(base(), Relaxed)
}

/// As many octets more, and where they begin; `None` if there is no memory.
fn take(size: usize, align: usize) -> Option<usize> {
    let start = TOP.load(Relaxed).checked_next_multiple_of(align)?;
    let end = start.checked_add(size)?;
    let missing = end.saturating_sub(memory_size(0) * PAGE);
    if missing > 0 && memory_grow(0, missing.div_ceil(PAGE)) == usize::MAX {
        return None;
    }
    TOP.store(end, Relaxed);
    Some(start)
}

/// Room for the input of a call, at [`base`]; false if there is no memory.
pub(crate) fn begin(size: usize) -> bool {
    reset();
    take(size, ALIGN).is_some()
}

// SAFETY: what is given out is behind the module's own memory, within what was grown, and given to one; it is given back
// by `reset`, when the call that asked for it is over.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size(), layout.align())
            .map_or(ptr::null_mut(), ptr::with_exposed_provenance_mut)
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
