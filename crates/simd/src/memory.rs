//! Memory seen as integers of another width: so that one piece of it serves for one thing after another.
#![allow(unsafe_code)]

/// Integers: whatever bytes there are, they are a value, and none of them is padding.
///
/// # Safety
///
/// That must be so.
pub unsafe trait Integer: Copy + 'static {}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        // SAFETY: every byte of it counts, and may have any value.
        unsafe impl Integer for $integer {}
    )*};
}
integers!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128);

/// The same memory as integers of another type. What is read depends on the order of bytes, unless it was written as that
/// type before.
///
/// # Panics
///
/// If the memory is not aligned for the other type, or has no whole number of them.
///
/// ```
/// use lanner_simd::memory::view_mut;
///
/// let mut memory = [0_u64; 4];
/// view_mut::<_, u16>(&mut memory).fill(1);
/// assert_eq!(memory, [0x0001_0001_0001_0001; 4]);
/// ```
#[inline]
#[must_use]
pub fn view_mut<A: Integer, B: Integer>(memory: &mut [A]) -> &mut [B] {
    // SAFETY: integers, either way.
    unsafe { recast_mut(memory) }
}

/// The same memory as values of another type.
///
/// # Safety
///
/// Any bytes make values of both types, and neither has padding.
#[inline(always)]
pub(crate) unsafe fn recast_mut<A, B>(memory: &mut [A]) -> &mut [B] {
    // SAFETY: the caller's promise.
    let (before, values, after) = unsafe { memory.align_to_mut() };
    assert!(
        before.is_empty() && after.is_empty(),
        "memory that is aligned, and a whole number of values"
    );
    values
}

#[cfg(test)]
mod tests {
    use super::view_mut;

    #[test]
    fn views_have_the_same_bytes() {
        let mut memory = [0_i64; 4];
        view_mut::<_, i8>(&mut memory).fill(-1);
        assert_eq!(memory, [-1; 4]);
        assert_eq!(view_mut::<_, u32>(&mut memory), [u32::MAX; 8]);
        assert!(view_mut::<i64, u16>(&mut []).is_empty());
    }

    #[test]
    #[should_panic(expected = "aligned")]
    fn views_are_whole() {
        let _ = view_mut::<_, u64>(&mut [0_u32; 3]);
    }
}

/// A value that a static may hold though it is not [`Sync`], such as one of [`Cell`](core::cell::Cell)s: on targets where a
/// program has one thread.
#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
#[derive(Debug)]
pub struct Alone<T>(pub T);

// SAFETY: there is no other thread: without the instructions that share a memory, each has an instance of its own.
#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
unsafe impl<T> Sync for Alone<T> {}
