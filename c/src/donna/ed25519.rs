//! `ed25519.h`.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use lanner_ed25519::{Signature, VerifyingKey};

use super::curve25519::public_key;
use crate::boundary::{array, bytes, write};
use crate::ed25519::{DROP_IN, public_of_seed, sign_with_seed, verdicts};
use crate::random;
use crate::status::Error;

/// What stands for a public key where there is none: y = 2, which no point has, so that nothing is valid under it. 32 zeros
/// are a point, of order 4, and the rules of these names accept signatures under it that anybody can make.
const NO_POINT: [u8; 32] = {
    let mut bytes = [0; 32];
    bytes[0] = 2;
    bytes
};

/// `ed25519_publickey` of `ed25519.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_publickey(sk: *const u8, pk: *mut u8) {
    // SAFETY: the caller's promises. The status has nowhere to go.
    unsafe {
        write(pk, |out| {
            public_of_seed(sk, out).unwrap_or_else(|_| *out = NO_POINT);
            Ok(())
        });
    }
}

/// `ed25519_sign` of `ed25519.h`. The public key is not looked at: a signature under a key that the
/// caller chose would give the secret away.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_sign(
    m: *const u8,
    mlen: usize,
    sk: *const u8,
    _pk: *const u8,
    rs: *mut u8,
) {
    // SAFETY: the caller's promises. The status has nowhere to go.
    unsafe {
        write(rs, |out| sign_with_seed(sk, m, mlen, out));
    }
}

/// Whether a signature is valid under the rule of these names.
///
/// # Safety
///
/// The pointers as in `ed25519.h`.
pub(super) unsafe fn open(
    m: *const u8,
    mlen: usize,
    pk: *const u8,
    rs: *const u8,
) -> Result<(), Error> {
    // SAFETY: the caller's promises.
    let (m, pk, rs) = unsafe { (bytes(m, mlen)?, array(pk)?, array(rs)?) };
    VerifyingKey::verify_from_bytes(&pk, DROP_IN, m, &Signature::from_bytes(&rs))
        .map_err(|_| Error::Signature)
}

/// `ed25519_sign_open` of `ed25519.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_sign_open(
    m: *const u8,
    mlen: usize,
    pk: *const u8,
    rs: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    match unsafe { open(m, mlen, pk, rs) } {
        Ok(()) => 0,
        Err(_) => -1,
    }
}

/// The bits of the batch's result.
const SOME_INVALID: c_int = 1;
const EQUATION_FAILED: c_int = 2;

/// ed25519-donna combines up to so many signatures, while there are more than [`SINGLY`].
const COMBINED: usize = 64;
const SINGLY: usize = 3;

/// One signature of a batch: message, public key, signature.
type Item<'a> = (&'a [u8], [u8; 32], [u8; 64]);

/// The arrays of a batch, `count` elements each.
struct Arrays {
    m: *const *const u8,
    mlen: *const usize,
    pk: *const *const u8,
    rs: *const *const u8,
}

impl Arrays {
    /// The signature with an index.
    ///
    /// # Safety
    ///
    /// The arrays are not NULL and have an element `i`, with pointers as in `ed25519.h`.
    unsafe fn get<'a>(&self, i: usize) -> Result<Item<'a>, Error> {
        // SAFETY: the caller's promises. Programs of this API keep such arrays in packed structures.
        unsafe {
            let m = bytes(
                self.m.add(i).read_unaligned(),
                self.mlen.add(i).read_unaligned(),
            )?;
            let pk = array(self.pk.add(i).read_unaligned())?;
            let rs = array(self.rs.add(i).read_unaligned())?;
            Ok((m, pk, rs))
        }
    }
}

/// The result of ed25519-donna's batch for these verdicts. It depends on where its groups begin, and
/// on whether all points of a group with an invalid signature decode: only then the combined
/// equation was looked at.
///
/// # Safety
///
/// The arrays are not NULL and have `count` elements, with pointers as in `ed25519.h`; `valid` has as many.
unsafe fn batch_result(arrays: &Arrays, count: usize, valid: *const c_int) -> c_int {
    let mut result = 0;
    let mut first = 0;
    while first < count {
        let left = count - first;
        let size = if left > SINGLY {
            left.min(COMBINED)
        } else {
            left
        };
        let group = first..first + size;
        first += size;
        // SAFETY: the caller's promise.
        let is_valid = |i: usize| unsafe { valid.add(i).read_unaligned() } == 1;
        if group.clone().all(is_valid) {
            continue;
        }
        result |= SOME_INVALID;
        let decodes = |i: usize| {
            // SAFETY: the caller's promise.
            unsafe { arrays.get(i) }.is_ok_and(|(_, pk, rs)| {
                let (r, _) = rs.split_first_chunk::<32>().expect("64 is more than 32");
                VerifyingKey::from_bytes(&pk).is_ok() && VerifyingKey::from_bytes(r).is_ok()
            })
        };
        if left > SINGLY && group.clone().all(decodes) {
            result |= EQUATION_FAILED;
        }
    }
    result
}

/// `ed25519_sign_open_batch` of `ed25519.h`.
///
/// # Safety
///
/// The pointers as in `ed25519.h`.
unsafe fn open_batch(arrays: &Arrays, count: usize, valid: *mut c_int) -> c_int {
    if count == 0 {
        return 0;
    }
    // The largest of the arrays holds pointers.
    if count > isize::MAX as usize / size_of::<*const u8>() || valid.is_null() {
        return SOME_INVALID;
    }
    for i in 0..count {
        // SAFETY: the caller promises `count` elements.
        unsafe { valid.add(i).write_unaligned(0) };
    }
    if arrays.m.is_null() || arrays.mlen.is_null() || arrays.pk.is_null() || arrays.rs.is_null() {
        return SOME_INVALID;
    }
    // A NULL in one of the arrays makes that signature invalid and no other.
    let item = |i: usize| {
        // SAFETY: the caller's promises, and `i` is below `count`.
        let item = unsafe { arrays.get(i) }.ok();
        Ok(item.map(|(m, pk, rs)| (m, Signature::from_bytes(&rs), pk)))
    };
    let told = verdicts(DROP_IN, count, item, |i, is_valid| {
        // SAFETY: the caller promises `count` elements.
        unsafe { valid.add(i).write_unaligned(is_valid.into()) };
    });
    match told {
        // SAFETY: the caller's promises.
        Ok(()) => unsafe { batch_result(arrays, count, valid) },
        // `item` has no error.
        Err(_) => SOME_INVALID,
    }
}

/// `ed25519_sign_open_batch` of `ed25519.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_sign_open_batch(
    m: *const *const u8,
    mlen: *const usize,
    pk: *const *const u8,
    rs: *const *const u8,
    num: usize,
    valid: *mut c_int,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { open_batch(&Arrays { m, mlen, pk, rs }, num, valid) }
}

/// `ed25519_sign_open_batch_donna` of `ed25519_donna_tor.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_sign_open_batch_donna(
    m: *const *const u8,
    mlen: *const usize,
    pk: *const *const u8,
    rs: *const *const u8,
    num: usize,
    valid: *mut c_int,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { open_batch(&Arrays { m, mlen, pk, rs }, num, valid) }
}

/// `ed25519_randombytes_unsafe` of `ed25519.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_randombytes_unsafe(out: *mut c_void, count: usize) {
    // SAFETY: the caller's promise.
    let filled = unsafe { random::fill_pointer(out.cast(), count) };
    // The function cannot say that it failed, and its callers make keys with what it leaves behind.
    match filled {
        Ok(()) => {}
        Err(Error::Random) => panic!(
            "no randomness: the source failed, or there is none (see lanner_set_random_source)"
        ),
        Err(_) => panic!("no randomness: NULL, or a length that no memory has"),
    }
}

/// `curved25519_scalarmult_basepoint` of `ed25519.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn curved25519_scalarmult_basepoint(pk: *mut u8, e: *const u8) {
    // SAFETY: the caller's promises.
    unsafe { public_key(pk, e) }
}

/// `curved25519_scalarmult_basepoint_donna` of `ed25519_donna_tor.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn curved25519_scalarmult_basepoint_donna(pk: *mut u8, e: *const u8) {
    // SAFETY: the caller's promises.
    unsafe { public_key(pk, e) }
}
