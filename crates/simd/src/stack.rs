//! Overwriting the stack that a finished operation used.
#![allow(unsafe_code)]

use core::mem::MaybeUninit;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use core::arch::wasm32::v128 as Block;
#[cfg(all(target_arch = "wasm64", target_feature = "simd128"))]
pub(crate) use core::arch::wasm64::v128 as Block;
/// What one store writes: sixteen bytes on x86 and with the vectors of WebAssembly, where every compiler keeps a volatile
/// one whole.
#[cfg(target_arch = "x86")]
pub(crate) use core::arch::x86::__m128i as Block;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use core::arch::x86_64::__m128i as Block;
#[cfg(not(any(
    target_arch = "x86",
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_family = "wasm", target_feature = "simd128")
)))]
pub(crate) type Block = u64;

/// Runs `operation`, then overwrites the `DEPTH` bytes of stack below it: also when it panics.
///
/// Code that handles secrets wipes what it names. What it cannot name are the copies that a compiler
/// makes: spilled registers, arguments, values on their way. They stay in the frames of functions that have
/// returned until other calls overwrite them. This overwrites them at once.
///
/// `DEPTH`, a multiple of 64, should be as deep as the operation goes on the stack, and no deeper, so that
/// a thread whose stack is enough for the operation is enough for this too, but for the 768 bytes more that are
/// overwritten under an operating system. What lies in the caller's own frame stays: the operation should return
/// what is public, and write secrets through a reference.
///
/// ```
/// let mut sum = 0_u64;
/// lanner_simd::stack::cleared::<256, _>(|| {
///     let secret = [3_u64; 16];
///     sum = secret.iter().sum();
/// });
/// assert_eq!(sum, 48);
/// ```
#[inline(always)]
pub fn cleared<const DEPTH: usize, R>(operation: impl FnOnce() -> R) -> R {
    let _overwriting = Overwriting::<DEPTH>;
    outlined(operation)
}

/// Overwrites when dropped: after the return, and when unwinding.
struct Overwriting<const DEPTH: usize>;

impl<const DEPTH: usize> Drop for Overwriting<DEPTH> {
    #[inline(always)]
    fn drop(&mut self) {
        overwrite::<DEPTH>();
    }
}

/// The frames of the operation begin where those of [`overwrite`] do: both are called from one frame.
#[inline(never)]
fn outlined<R>(operation: impl FnOnce() -> R) -> R {
    operation()
}

/// Overwrites the `DEPTH` bytes of stack below the caller with zeros: what [`cleared`] does in the end, for operations
/// whose depth is known only when they run. `DEPTH` is a multiple of 64.
///
/// The operation must have been called from the same frame, and must not have been inlined there.
#[inline(never)]
pub fn overwrite<const DEPTH: usize>() {
    fill::<Block, DEPTH>();
}

/// Overwrites the stack with the widest stores that are at hand.
pub trait Overwrite: Copy {
    /// [`overwrite`].
    fn overwrite<const DEPTH: usize>(self);
}

/// [`Overwrite`] with what every processor of the target has.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Overwrite for Baseline {
    #[inline(always)]
    fn overwrite<const DEPTH: usize>(self) {
        overwrite::<DEPTH>();
    }
}

/// How much more than an operation's depth is overwritten, in bytes. Depths are those of release builds of this project; what
/// is inlined where, and so how deep an operation reaches, is decided anew by each compiler and in each program. Nothing where
/// stacks are short, and in a build that shows that the depths alone are enough (`ct/`).
const MARGIN: usize = if cfg!(any(unix, windows)) && !cfg!(lanner_stack = "shallow") {
    768
} else {
    0
};

/// Writes zeros to an array of its own, which lies where the operation's frames were.
///
/// The stores are volatile, so that the compiler keeps them although nobody reads the array. `B` is what one of them
/// writes: zero must be a value of it.
#[inline(always)]
pub(crate) fn fill<B: Copy, const DEPTH: usize>() {
    const { assert!(DEPTH != 0 && DEPTH.is_multiple_of(64)) }
    // Aligned as a return address is, not as blocks are: so the array begins right below the return address.
    #[cfg_attr(target_pointer_width = "64", repr(C, align(8)))]
    #[cfg_attr(not(target_pointer_width = "64"), repr(C, align(4)))]
    struct Area<const DEPTH: usize>([u8; MARGIN], [u8; DEPTH]);
    let mut area = MaybeUninit::<Area<DEPTH>>::uninit();
    let area = area.as_mut_ptr().cast::<u8>();
    let depth = MARGIN + DEPTH;
    // Nothing is called from here, not even what builds for size do not inline: the frames of that would lie below the array,
    // with the registers of the operation's caller in them.
    let misaligned = area.addr().wrapping_neg() % align_of::<B>();
    // SAFETY: Every word and every block lies within the array and is aligned: the array is to words, and the
    // blocks, one fewer than would fit, begin at the first place that is aligned for them. Zero is a value of
    // both types.
    unsafe {
        let blocks = area.add(misaligned).cast::<B>();
        for i in 0..depth / size_of::<B>() - 1 {
            blocks.add(i).write_volatile(core::mem::zeroed());
        }
        // What the blocks leave at either end.
        let word = |i: usize| area.cast::<usize>().add(i).write_volatile(0);
        let block = size_of::<B>() / size_of::<usize>();
        let depth = depth / size_of::<usize>();
        (0..block).for_each(word);
        (depth - block..depth).for_each(word);
    }
}
