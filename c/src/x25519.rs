//! X25519: the functions `lanner_x25519_…` of `lanner.h`.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_curve::montgomery::MontgomeryPoint;
use lanner_simd::stack::cleared;
use lanner_x25519::{PublicKey, StaticSecret, x25519_base_each, x25519_each};
use zeroize::Zeroizing;

use crate::boundary::{self, DEPTH, GROUP, array, bytes, write, write_each, write_out};
use crate::random;
use crate::status::{Error, OK};

/// The public key of the caller's secret key.
///
/// # Safety
///
/// `secret` is NULL or points to 32 bytes.
pub(crate) unsafe fn derive(secret: *const u8, out: &mut [u8; 32]) -> Result<(), Error> {
    let mut copy = Zeroizing::new([0; 32]);
    // SAFETY: the caller's promise.
    let secret = unsafe { boundary::secret(secret, &mut copy) }?;
    *out = PublicKey::from(&StaticSecret::from(*secret)).to_bytes();
    Ok(())
}

/// The secret that the caller's secret key shares with a public key, be it zero or not.
///
/// # Safety
///
/// The pointers are NULL or point to 32 bytes each.
pub(crate) unsafe fn agree(
    secret: *const u8,
    theirs: *const u8,
    out: &mut [u8; 32],
) -> Result<(), Error> {
    let mut copy = Zeroizing::new([0; 32]);
    // SAFETY: the caller's promises.
    let (secret, theirs) = unsafe { (boundary::secret(secret, &mut copy)?, array(theirs)?) };
    let shared = StaticSecret::from(*secret).diffie_hellman(&PublicKey::from(theirs));
    out.copy_from_slice(shared.as_bytes());
    Ok(())
}

/// The caller's point times the caller's integer, which is not clamped.
///
/// # Safety
///
/// The pointers are NULL or point to 32 bytes each.
pub(crate) unsafe fn multiply(
    scalar: *const u8,
    point: *const u8,
    out: &mut [u8; 32],
) -> Result<(), Error> {
    let mut copy = Zeroizing::new([0; 32]);
    // SAFETY: the caller's promises.
    let (scalar, point) = unsafe { (boundary::secret(scalar, &mut copy)?, array(point)?) };
    // All 256, so that the time does not tell how many there are.
    let bits = (0..256_usize).rev();
    let bits = bits.map(|i| scalar[i / 8] >> (i % 8) & 1 == 1);
    *out = MontgomeryPoint(point).mul_bits_be(bits).to_bytes();
    Ok(())
}

/// The same secret, or an error if it is zero.
///
/// # Safety
///
/// The pointers are NULL or point to 32 bytes each.
unsafe fn agree_checked(
    secret: *const u8,
    theirs: *const u8,
    out: &mut [u8; 32],
) -> Result<(), Error> {
    let mut copy = Zeroizing::new([0; 32]);
    // SAFETY: the caller's promises.
    let (secret, theirs) = unsafe { (boundary::secret(secret, &mut copy)?, array(theirs)?) };
    let shared = StaticSecret::from(*secret).diffie_hellman_checked(&PublicKey::from(theirs));
    out.copy_from_slice(shared.map_err(|_| Error::NonContributory)?.as_bytes());
    Ok(())
}

/// `lanner_x25519_generate` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_generate(secret: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { random::write::<32>(secret) }
}

/// `lanner_x25519_public` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_public(secret: *const u8, public: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { write(public, |out| derive(secret, out)) }
}

/// `lanner_x25519` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519(
    secret: *const u8,
    their_public: *const u8,
    shared: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { write(shared, |out| agree_checked(secret, their_public, out)) }
}

/// `lanner_x25519_unchecked` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_unchecked(
    secret: *const u8,
    their_public: *const u8,
    shared: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { write(shared, |out| agree(secret, their_public, out)) }
}

/// `lanner_x25519_unclamped` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_unclamped(
    scalar: *const u8,
    point: *const u8,
    product: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { write(product, |out| multiply(scalar, point, out)) }
}

/// `lanner_x25519_public_each` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_public_each(
    secrets: *const u8,
    count: usize,
    publics: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { write_each(secrets, count, publics, x25519_base_each) }
}

/// Keys that stand one after the other.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to 32 times `count` initialised bytes, which nobody writes meanwhile,
/// and which are at most half of the address space.
unsafe fn keys<'a>(pointer: *const u8, count: usize) -> Result<&'a [[u8; 32]], Error> {
    // SAFETY: the caller's promise.
    let (keys, _) = unsafe { bytes(pointer, 32 * count) }?.as_chunks();
    Ok(keys)
}

/// The shared secrets of at most [`GROUP`] pairs, written to `shared`; whether none is zero.
///
/// # Safety
///
/// `secrets` and `publics` as in [`keys`]; `shared` has room for as much.
unsafe fn group(
    secrets: *const u8,
    publics: *const u8,
    count: usize,
    shared: *mut u8,
) -> Result<bool, Error> {
    let mut agreed = Zeroizing::new([[0; 32]; GROUP]);
    let agreed = &mut agreed[..count];
    // SAFETY: the caller's promises. The inputs are not looked at after the first byte of output.
    unsafe {
        cleared::<DEPTH, _>(|| {
            x25519_each(keys(secrets, count)?, keys(publics, count)?, agreed);
            Ok(())
        })?;
        write_out(shared, agreed.as_flattened());
    }
    // All bytes of a secret count, wherever the first one that is not zero stands.
    let mut contributory = true;
    for secret in agreed {
        contributory &= secret.iter().fold(0, |bits, byte| bits | byte) != 0;
    }
    Ok(contributory)
}

/// `lanner_x25519_each` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_each(
    secrets: *const u8,
    publics: *const u8,
    count: usize,
    shared: *mut u8,
) -> c_int {
    // Before anything else, so that nothing is written to an array that cannot be there.
    if count > isize::MAX as usize / 32 {
        return Error::Length.code();
    }
    if count == 0 {
        return OK;
    }
    if shared.is_null() {
        return Error::Null.code();
    }
    if secrets.is_null() || publics.is_null() {
        // SAFETY: not NULL, and the caller promises that much room.
        unsafe { shared.write_bytes(0, 32 * count) };
        return Error::Null.code();
    }
    let mut status = OK;
    for first in (0..count).step_by(GROUP) {
        let at = 32 * first;
        // SAFETY: the caller's promises, for a part of the arrays. Where `shared` is one of the inputs,
        // a group writes over what it has read itself.
        let contributory = unsafe {
            group(
                secrets.add(at),
                publics.add(at),
                GROUP.min(count - first),
                shared.add(at),
            )
        };
        if contributory != Ok(true) {
            status = Error::NonContributory.code();
        }
    }
    status
}
