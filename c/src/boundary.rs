//! What comes in through pointers, and how results go out.
//!
//! C promises little. A pointer that is not NULL leads to memory of the length that the header names: that is
//! the caller's one promise, and what every `# Safety` here comes down to. Everything else is checked, in an
//! order that all functions keep:
//!
//! ```text
//!    memory of the caller                         stack of the library
//!
//!    pointers, lengths   ── 1 checked ─────────>  an error, or
//!    inputs              ── 2 read, or copied ─>  slices of public data, copies of the rest
//!                                                        │ 3 checked and computed with
//!    outputs, *length    <─ 4 written ──────────  the result, or zeros
//!                                                        │ 5 wiped, and the stack below cleared
//! ```
//!
//! - **Pointers.** None is followed before it was compared with NULL. Bytes, and the lengths that `size_t *`
//!   points to, may lie anywhere: they are read and written unaligned. Objects must be aligned as C aligns
//!   them, and are refused otherwise.
//! - **Lengths.** Rust has no slice of more than `isize::MAX` bytes, so a longer one is an error before a slice
//!   is made of it. Data of length 0 may have any pointer. An output has a bound that the function knows, and
//!   no more than that is ever filled with zeros, whatever a `*length` says that nobody has set.
//! - **Overlaps.** No reference into the caller's memory is used after the first byte of output is written. An
//!   output may therefore lie on an input, on another output, or on both, in any way. The functions that write
//!   while they still read (batches, and many agreements at once) say in the header what may not overlap.
//! - **Copies before checks.** What is checked before it is used is copied first, and the copy is checked: in
//!   memory that processes share, bytes can change between the check and the use, and a key whose halves do
//!   not belong together gives its secret away. Objects and messages are read where they lie.
//! - **Failure.** Outputs become zeros, so that a caller who does not look at the status uses no half of a result,
//!   and nothing that was there before. `README.md` has the exceptions.
//! - **Panics.** No input leads to one. Should the code contradict itself all the same, the process ends where
//!   it stands: nothing unwinds into C, and nobody sees an object that is half written.
//! - **Secrets.** A function that handles them computes its result in a place that is wiped, and clears what it
//!   used of the stack before it returns, also when it fails.
//!
//! An object of the caller's is an array of 64-bit words in C. Its first word tells what it is:
//!
//! ```text
//!    word 0       1                                                    WORDS
//!    ┌───────────┬───────────────────────────────┬────────────────────────┐
//!    │ T::TAG    │ the value: extent() bytes     │ zeros                  │   initialised
//!    ├───────────┼───────────────────────────────┴────────────────────────┤
//!    │ 0         │ zeros                                                  │   cleared
//!    ├───────────┼────────────────────────────────────────────────────────┤
//!    │ another   │                                                        │   of another type: refused
//!    └───────────┴────────────────────────────────────────────────────────┘
//! ```
//!
//! Its value is plain memory: it owns nothing, needs no destructor, and holds no pointer to code, so a caller may
//! copy it with `memcpy`, move it and overwrite it.
#![allow(unsafe_code)]

use core::ffi::c_int;
use core::hint::black_box;
use core::mem::{MaybeUninit, align_of, size_of};
use core::ops::{Range, RangeInclusive};

use lanner_simd::stack::{cleared, overwrite};
use zeroize::{Zeroize, Zeroizing};

use crate::status::{Error, OK, code};
use crate::wipe::wipe;

/// A slice of the caller's memory. NULL is allowed when `length` is 0.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to `length` initialised bytes, which nobody writes while the
/// result is in use.
pub(crate) unsafe fn bytes<'a>(pointer: *const u8, length: usize) -> Result<&'a [u8], Error> {
    if length == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Error::Null);
    }
    if length > isize::MAX as usize {
        return Err(Error::Length);
    }
    // SAFETY: not NULL, and not longer than a slice may be; the rest is the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(pointer, length) })
}

/// A context of one of the lengths that the scheme allows. The length is looked at first: whatever was handed over in its
/// place, no pointer with a length that the scheme does not have is read.
///
/// # Safety
///
/// As [`bytes`].
pub(crate) unsafe fn context<'a>(
    pointer: *const u8,
    length: usize,
    allowed: RangeInclusive<usize>,
) -> Result<&'a [u8], Error> {
    if !allowed.contains(&length) {
        return Err(Error::Context);
    }
    // SAFETY: the caller's promise.
    unsafe { bytes(pointer, length) }
}

/// A copy of a fixed number of the caller's bytes.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to `N` initialised bytes.
pub(crate) unsafe fn array<const N: usize>(pointer: *const u8) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    // SAFETY: the caller's promise.
    unsafe { copy(pointer, &mut bytes) }?;
    Ok(bytes)
}

/// A copy of a fixed number of the caller's secret bytes, in place, so that it is in one place only.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to `N` initialised bytes.
pub(crate) unsafe fn secret<const N: usize>(
    pointer: *const u8,
    into: &mut Zeroizing<[u8; N]>,
) -> Result<&[u8; N], Error> {
    // SAFETY: the caller's promise.
    unsafe { copy(pointer, &mut **into) }?;
    Ok(into)
}

/// Copies as many of the caller's bytes as `into` holds.
///
/// Whatever is checked before it is used is copied first, and the copy is checked: another thread may
/// write to memory that processes share. The compiler cannot go back to the original behind that, because
/// it does not know what [`black_box`] makes of the copy.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to as many initialised bytes.
pub(crate) unsafe fn copy(pointer: *const u8, into: &mut [u8]) -> Result<(), Error> {
    if pointer.is_null() {
        return Err(Error::Null);
    }
    // SAFETY: not NULL, and the caller's promise; `into` is ours, so they do not overlap.
    unsafe { core::ptr::copy_nonoverlapping(pointer, into.as_mut_ptr(), into.len()) };
    black_box(into);
    Ok(())
}

/// How deep the frames are between a function of C and the operation of a scheme: what is cleared of the
/// stack after each call that may handle secrets. The schemes clear their own.
pub(crate) const DEPTH: usize = 1024;

/// The same for functions that make a signing key of FN-DSA, which is several times on the stack on its way to the
/// slot: how often is decided anew in each build.
pub(crate) const DEEP: usize = 26624;

/// The same for what begins to verify: objects with bytes that nobody writes, whose parts are on the stack on their way to
/// the slot.
pub(crate) const BEGINNING: usize = 4096;

/// Computes `N` bytes and writes them to `out`: zeros if `compute` fails. It gets a place that is filled
/// with zeros, and what it leaves there is wiped.
///
/// # Safety
///
/// Unless it is NULL, `out` points to `N` bytes that may be written.
#[inline(always)]
pub(crate) unsafe fn write<const N: usize>(
    out: *mut u8,
    compute: impl FnOnce(&mut [u8; N]) -> Result<(), Error>,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { write_from::<DEPTH, N>(out, compute) }
}

/// Computes and writes like [`write`], and clears `D` bytes of the stack, as deep as `compute` goes.
///
/// # Safety
///
/// Unless it is NULL, `out` points to `N` bytes that may be written.
#[inline(always)]
pub(crate) unsafe fn write_from<const D: usize, const N: usize>(
    out: *mut u8,
    compute: impl FnOnce(&mut [u8; N]) -> Result<(), Error>,
) -> c_int {
    if out.is_null() {
        return Error::Null.code();
    }
    let mut value = Zeroizing::new([0; N]);
    let result = cleared::<D, _>(|| compute(&mut value));
    if result.is_err() {
        value.zeroize();
    }
    // SAFETY: not NULL, `N` writable bytes by the caller's promise.
    unsafe { write_out(out, &*value) };
    code(result)
}

/// How many of many operations are taken in at a time: enough for the widest vectors.
pub(crate) const GROUP: usize = 16;

/// Computes from each of `count` secrets of 32 bytes a result of as many bytes, for a group at a time, and writes the
/// results to `out`, which may be `secrets`.
///
/// # Safety
///
/// `secrets` and `out` are NULL or point to 32 times `count` bytes, which may be read and written; they are the same or
/// do not overlap.
#[inline(always)]
pub(crate) unsafe fn write_each(
    secrets: *const u8,
    count: usize,
    out: *mut u8,
    compute: impl Fn(&[[u8; 32]], &mut [[u8; 32]]),
) -> c_int {
    // Before anything else, so that nothing is written to an array that cannot be there.
    if count > isize::MAX as usize / 32 {
        return Error::Length.code();
    }
    if count == 0 {
        return OK;
    }
    if out.is_null() {
        return Error::Null.code();
    }
    if secrets.is_null() {
        // SAFETY: not NULL, and the caller promises that much room.
        unsafe { out.write_bytes(0, 32 * count) };
        return Error::Null.code();
    }
    for first in (0..count).step_by(GROUP) {
        let size = GROUP.min(count - first);
        let mut inputs = Zeroizing::new([[0; 32]; GROUP]);
        let mut results = Zeroizing::new([[0; 32]; GROUP]);
        let (inputs, results) = (&mut inputs[..size], &mut results[..size]);
        // SAFETY: the caller's promises, for a part of the arrays. The inputs are not looked at after the first byte of
        // output.
        unsafe {
            core::ptr::copy_nonoverlapping(
                secrets.add(32 * first),
                inputs.as_flattened_mut().as_mut_ptr(),
                32 * size,
            );
            cleared::<DEPTH, _>(|| compute(inputs, results));
            write_out(out.add(32 * first), results.as_flattened());
        }
    }
    OK
}

/// Computes an output whose length the object in a slot tells, at most `MAX` bytes, and writes it: zeros if `compute` fails, and
/// nothing without the object. No secret: the place where it is computed is not wiped.
///
/// # Safety
///
/// `slot` as in [`Slot::get`]. Unless it is NULL, `out` points to as many bytes as `length` says, and they may be written.
#[inline(always)]
pub(crate) unsafe fn write_sized<const MAX: usize, T: Object, const WORDS: usize>(
    slot: *const Slot<T, WORDS>,
    out: *mut u8,
    length: impl FnOnce(&T) -> usize,
    compute: impl FnOnce(&T, &mut [u8]) -> Result<(), Error>,
) -> c_int {
    if out.is_null() {
        return Error::Null.code();
    }
    // SAFETY: the caller's promise.
    let object = match unsafe { Slot::get(slot) } {
        Ok(object) => object,
        Err(error) => return error.code(),
    };
    let mut value = [0; MAX];
    let value = &mut value[..length(object)];
    let result = cleared::<DEPTH, _>(|| compute(object, value));
    if result.is_err() {
        value.fill(0);
    }
    // SAFETY: not NULL, and the caller's promise.
    unsafe { write_out(out, value) };
    code(result)
}

/// Writes bytes to where a function puts its result.
///
/// # Safety
///
/// `out` points to as many bytes as there are in `value`, and they may be written.
pub(crate) unsafe fn write_out(out: *mut u8, value: &[u8]) {
    // SAFETY: the caller's promise; `value` is ours, so they do not overlap.
    unsafe { core::ptr::copy_nonoverlapping(value.as_ptr(), out, value.len()) };
}

/// Fills an output with zeros, of a function that has another one and cannot write that. NULL is allowed.
///
/// # Safety
///
/// Unless it is NULL, `out` points to `length` bytes that may be written.
pub(crate) unsafe fn zero_out(out: *mut u8, length: usize) {
    if !out.is_null() {
        // SAFETY: not NULL, and the caller's promise.
        unsafe { out.write_bytes(0, length) };
    }
}

/// Hands out at most `MAX` bytes whose number the caller may not know: `length` holds the room at
/// `out` before, and what is needed afterwards. If `out` is NULL, that is all. `encode` gets a place for
/// them, and returns their number; what it leaves there is wiped.
///
/// If it fails, `out` is filled with zeros, as far as there is room, and for `MAX` bytes at most: a length that was never set
/// does no more harm than that.
///
/// # Safety
///
/// `length` is NULL or points to a length, and `out` is NULL or has room for as much or for `MAX` bytes.
#[inline(always)]
pub(crate) unsafe fn hand_out<const MAX: usize>(
    out: *mut u8,
    length: *mut usize,
    encode: impl FnOnce(&mut [u8; MAX]) -> Result<usize, Error>,
) -> c_int {
    if length.is_null() {
        return Error::Null.code();
    }
    // SAFETY: not NULL, and the caller's promise.
    let room = unsafe { length.read_unaligned() };
    let mut encoded = Zeroizing::new([0; MAX]);
    let result = cleared::<DEPTH, _>(|| encode(&mut encoded));
    let (needed, status) = match result {
        Ok(needed) if out.is_null() => (needed, OK),
        Ok(needed) if room < needed => (needed, Error::Buffer.code()),
        Ok(needed) => {
            // SAFETY: not NULL, with room enough.
            unsafe { write_out(out, &encoded[..needed]) };
            (needed, OK)
        }
        Err(error) => (0, error.code()),
    };
    if status != OK && !out.is_null() {
        // SAFETY: the caller promises that much room.
        unsafe { out.write_bytes(0, room.min(MAX)) };
    }
    // SAFETY: not NULL, and the caller's promise.
    unsafe { length.write_unaligned(needed) };
    status
}

/// Memory of the caller that holds a `T` between calls: what `lanner.h` declares as an array of
/// `WORDS` 64-bit words. The tag tells an initialised object from a fresh or cleared one.
///
/// C aligns it as a word. A `T` that wants more is moved out and back ([`Self::absorb`]), so that a
/// copy of the words is a copy of the object wherever it lies.
///
/// Never made in Rust; `Slot` only gives the layout to a pointer.
#[repr(C)]
pub(crate) struct Slot<T, const WORDS: usize> {
    tag: u64,
    value: Packed<T>,
}

#[repr(C, packed)]
struct Packed<T>(MaybeUninit<T>);

/// A type that lives in the caller's memory.
pub(crate) trait Object: Sized {
    /// Distinguishes initialised objects of this type. Not zero. A type whose layout changes gets another tag, whether its
    /// name changes or not: memory that processes share, or that was kept, may hold what another version made, and that is
    /// to be refused and not misread.
    const TAG: u64;

    /// How many bytes of the value mean anything, from its first one on. The rest of the slot becomes
    /// zero, so that a smaller object leaves nothing of a larger one that was there before. Among them may be some that
    /// nobody writes: [`Slot::put_from`] sees to it that they bring nothing along that the caller's stack held.
    fn extent(&self) -> usize {
        size_of::<Self>()
    }
}

impl<T: Object, const WORDS: usize> Slot<T, WORDS> {
    /// The C declaration has room for the object.
    const FITS: () = assert!(size_of::<Self>() <= WORDS * size_of::<u64>());

    /// The object may be used where it lies, which is right after the tag.
    const IN_PLACE: () = assert!(align_of::<T>() <= align_of::<u64>());

    fn check(slot: *const Self) -> Result<(), Error> {
        const { Self::FITS };
        if slot.is_null() {
            Err(Error::Null)
        } else if !slot.is_aligned() {
            Err(Error::Alignment)
        } else {
            Ok(())
        }
    }

    /// Whether there is an object.
    ///
    /// # Safety
    ///
    /// Unless it is NULL, `slot` points to an object of the C type that was initialised, cleared or
    /// zeroed.
    unsafe fn require(slot: *const Self) -> Result<(), Error> {
        Self::check(slot)?;
        // SAFETY: aligned and not NULL; the caller promises that the words are initialised.
        if unsafe { (*slot).tag } == T::TAG {
            Ok(())
        } else {
            Err(Error::State)
        }
    }

    /// The addresses of an object.
    pub(crate) fn range(slot: *const Self) -> Range<usize> {
        let start = slot.addr();
        start..start.saturating_add(WORDS * size_of::<u64>())
    }

    fn value(slot: *mut Self) -> *mut T {
        // SAFETY: only called for slots that passed `check`; no reference is made.
        unsafe { (&raw mut (*slot).value).cast() }
    }

    /// The object in a slot.
    ///
    /// # Safety
    ///
    /// Unless it is NULL, `slot` points to an object of the C type that was initialised, cleared or
    /// zeroed, and that nobody changes while the result is in use.
    pub(crate) unsafe fn get<'a>(slot: *const Self) -> Result<&'a T, Error> {
        const { Self::IN_PLACE };
        // SAFETY: the caller's promise.
        unsafe { Self::require(slot) }?;
        // SAFETY: the tag is only ever written together with a value, and the slot is aligned.
        Ok(unsafe { &*Self::value(slot.cast_mut()) })
    }

    /// Lets the object in a slot take a piece of the caller's data. A piece that is refused must not be forgotten, so
    /// there is no object any more then, and whoever goes on is told.
    ///
    /// # Safety
    ///
    /// The piece as in [`bytes`]. Unless it is NULL, `slot` points to an object of the C type that was
    /// initialised, cleared or zeroed, and that nobody else uses.
    pub(crate) unsafe fn absorb(
        slot: *mut Self,
        piece: *const u8,
        piece_length: usize,
        take: impl FnOnce(&mut T, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { Self::require(slot) }?;
        let value = Self::value(slot);
        // SAFETY: the caller's promise.
        let taken = unsafe { bytes(piece, piece_length) }.and_then(|piece| {
            if value.is_aligned() {
                // SAFETY: an object, aligned, and nobody else's.
                take(unsafe { &mut *value }, piece)
            } else {
                // SAFETY: an object; it is put back before anybody sees the slot again. A panic in
                // between ends the process.
                unsafe {
                    let mut moved = value.read_unaligned();
                    let result = take(&mut moved, piece);
                    value.write_unaligned(moved);
                    result
                }
            }
        });
        if taken.is_err() {
            // SAFETY: the caller's promise.
            unsafe { Self::clear(slot) };
        }
        taken
    }

    /// Puts an object into a slot, which may hold anything before; clears it if that fails.
    ///
    /// # Safety
    ///
    /// Unless it is NULL, `slot` points to memory of the C type that nobody else uses.
    #[inline(always)]
    pub(crate) unsafe fn put(slot: *mut Self, make: impl FnOnce() -> Result<T, Error>) -> c_int {
        // SAFETY: the caller's promise.
        unsafe { Self::put_from::<DEPTH>(slot, make) }
    }

    /// Puts an object in like [`Self::put`], and clears `D` bytes of the stack, as deep as `make` goes.
    ///
    /// # Safety
    ///
    /// Unless it is NULL, `slot` points to memory of the C type that nobody else uses.
    #[inline(always)]
    pub(crate) unsafe fn put_from<const D: usize>(
        slot: *mut Self,
        make: impl FnOnce() -> Result<T, Error>,
    ) -> c_int {
        if let Err(error) = Self::check(slot) {
            // SAFETY: the caller's promise.
            unsafe { Self::clear(slot) };
            return error.code();
        }
        // Its bytes move into the slot, so it is not dropped, and what stays here is wiped. Some of them nobody ever
        // writes, such as the rest of a hash's buffer: they are what its places on the stack held before, here and below,
        // so that is to be nothing of the caller's.
        let mut made = MaybeUninit::<Result<T, Error>>::uninit();
        // SAFETY: our own.
        let wipe_made = |made: &mut MaybeUninit<Result<T, Error>>| unsafe {
            wipe(made.as_mut_ptr().cast(), size_of_val(made));
        };
        wipe_made(&mut made);
        overwrite::<D>();
        cleared::<D, _>(|| {
            made.write(make());
        });
        // SAFETY: it was initialised in the call before.
        let status = match unsafe { made.assume_init_ref() } {
            Ok(value) => {
                let extent = value.extent();
                debug_assert!(extent <= size_of::<T>());
                // SAFETY: checked above, and the caller's promise. The slot's bytes are written, never
                // read or dropped: what was there before is not known to be an object. The inputs,
                // which may lie there, have been read.
                unsafe {
                    Self::clear(slot);
                    let bytes = core::ptr::from_ref(value).cast::<MaybeUninit<u8>>();
                    let place = Self::value(slot).cast::<MaybeUninit<u8>>();
                    core::ptr::copy_nonoverlapping(bytes, place, extent);
                    (&raw mut (*slot).tag).write(T::TAG);
                }
                OK
            }
            Err(error) => {
                // SAFETY: the caller's promise.
                unsafe { Self::clear(slot) };
                error.code()
            }
        };
        wipe_made(&mut made);
        status
    }

    /// Takes the object out of a slot and clears the slot.
    ///
    /// # Safety
    ///
    /// Unless it is NULL, `slot` points to an object of the C type that was initialised, cleared or
    /// zeroed, and that nobody else uses.
    pub(crate) unsafe fn take(slot: *mut Self) -> Result<T, Error> {
        // SAFETY: the caller's promise.
        unsafe { Self::require(slot) }?;
        // SAFETY: there is an object; `clear` makes sure that it is not taken twice.
        let value = unsafe { Self::value(slot).read_unaligned() };
        // SAFETY: the caller's promise.
        unsafe { Self::clear(slot) };
        Ok(value)
    }

    /// Wipes all bytes of a slot, which need not be aligned: a copy of an object may lie anywhere. NULL is allowed.
    ///
    /// No object needs more than that when it goes: each of them is plain memory.
    ///
    /// # Safety
    ///
    /// Unless it is NULL, `slot` points to memory of the C type that nobody else uses.
    pub(crate) unsafe fn clear(slot: *mut Self) {
        const { Self::FITS };
        // SAFETY: the C type has `WORDS` words, and the caller's promise.
        unsafe { wipe(slot.cast(), WORDS * size_of::<u64>()) };
    }
}
