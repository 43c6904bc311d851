//! Ristretto255: the functions `lanner_ristretto255_…` of `lanner.h`.
//!
//! Elements and scalars may be secrets, of whichever protocol is made of them, so everything here is treated as one.
#![allow(unsafe_code)]

use core::ffi::c_int;
use core::hint::black_box;

use lanner_curve::ristretto::{CompressedRistretto, RistrettoPoint};
use lanner_curve::scalar::Scalar;
use lanner_simd::stack::cleared;
use zeroize::Zeroizing;

use crate::boundary::{self, DEPTH, write, write_from};
use crate::random;
use crate::status::{Error, code};

/// How deep decoding, adding and encoding elements goes, which clears no stack itself: 3520 bytes on x86-64, on the
/// backend `portable32`. Multiplication clears its own.
const ELEMENT_DEPTH: usize = 4096;

/// How deep the one-way map goes, likewise: 5312 bytes.
const MAP_DEPTH: usize = 6144;

/// The scalar of the caller's 32 bytes, any integer below 2^256, modulo L.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to 32 bytes.
unsafe fn scalar(pointer: *const u8) -> Result<Zeroizing<Scalar>, Error> {
    let mut copy = Zeroizing::new([0; 32]);
    // SAFETY: the caller's promise.
    let bytes = unsafe { boundary::secret(pointer, &mut copy) }?;
    Ok(Zeroizing::new(Scalar::from_bytes_mod_order(*bytes)))
}

/// The scalar that multiplies an element: the highest bit does not count.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to 32 bytes.
unsafe fn factor(pointer: *const u8) -> Result<Zeroizing<Scalar>, Error> {
    let mut copy = Zeroizing::new([0; 32]);
    // SAFETY: the caller's promise.
    unsafe { boundary::secret(pointer, &mut copy) }?;
    copy[31] &= 0x7f;
    Ok(Zeroizing::new(Scalar::from_bytes_mod_order(*copy)))
}

/// The element that the caller's 32 bytes encode.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to 32 bytes.
unsafe fn element(pointer: *const u8) -> Result<Zeroizing<RistrettoPoint>, Error> {
    let mut copy = Zeroizing::new([0; 32]);
    // SAFETY: the caller's promise.
    let bytes = unsafe { boundary::secret(pointer, &mut copy) }?;
    let element = CompressedRistretto(*bytes).decompress();
    element.map(Zeroizing::new).ok_or(Error::Element)
}

/// The element of 64 uniformly distributed bytes.
fn from_hash(hash: &[u8; 64]) -> [u8; 32] {
    let element = Zeroizing::new(RistrettoPoint::from_uniform_bytes(hash));
    element.compress().to_bytes()
}

/// Whether all bytes are zero: all of them count, wherever the first one that is not zero stands. Constant time.
fn is_zero(bytes: &[u8; 32]) -> bool {
    // So that the compiler makes no comparisons of parts of it.
    black_box(bytes.iter().fold(0, |bits, byte| bits | byte)) == 0
}

/// The encoding of an element that must not be the neutral one, which 32 zeros encode.
fn encode(element: RistrettoPoint, out: &mut [u8; 32]) -> Result<(), Error> {
    let element = Zeroizing::new(element);
    *out = element.compress().to_bytes();
    if is_zero(out) {
        return Err(Error::Zero);
    }
    Ok(())
}

/// `lanner_ristretto255_check` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_check(point: *const u8) -> c_int {
    let check = || {
        // SAFETY: the caller's promise.
        unsafe { element(point) }.map(|_| ())
    };
    code(cleared::<ELEMENT_DEPTH, _>(check))
}

/// `lanner_ristretto255_add` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_add(p: *const u8, q: *const u8, sum: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write_from::<ELEMENT_DEPTH, 32>(sum, |out| {
            let (p, q) = (element(p)?, element(q)?);
            *out = Zeroizing::new(*p + *q).compress().to_bytes();
            Ok(())
        })
    }
}

/// `lanner_ristretto255_sub` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_sub(
    p: *const u8,
    q: *const u8,
    difference: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write_from::<ELEMENT_DEPTH, 32>(difference, |out| {
            let (p, q) = (element(p)?, element(q)?);
            *out = Zeroizing::new(*p - *q).compress().to_bytes();
            Ok(())
        })
    }
}

/// `lanner_ristretto255_from_hash` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_from_hash(hash: *const u8, point: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write_from::<MAP_DEPTH, 32>(point, |out| {
            let mut copy = Zeroizing::new([0; 64]);
            *out = from_hash(boundary::secret(hash, &mut copy)?);
            Ok(())
        })
    }
}

/// `lanner_ristretto255_random` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_random(point: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        write_from::<MAP_DEPTH, 32>(point, |out| {
            let mut bytes = Zeroizing::new([0; 64]);
            random::fill(&mut *bytes)?;
            *out = from_hash(&bytes);
            Ok(())
        })
    }
}

/// `lanner_ristretto255_mul` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_mul(
    scalar: *const u8,
    point: *const u8,
    product: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write_from::<ELEMENT_DEPTH, 32>(product, |out| {
            let (scalar, point) = (factor(scalar)?, element(point)?);
            encode(*point * *scalar, out)
        })
    }
}

/// `lanner_ristretto255_mul_base` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_mul_base(scalar: *const u8, product: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write_from::<ELEMENT_DEPTH, 32>(product, |out| {
            let scalar = factor(scalar)?;
            encode(RistrettoPoint::mul_base(&scalar), out)
        })
    }
}

/// `lanner_ristretto255_scalar_check` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_scalar_check(scalar: *const u8) -> c_int {
    let check = || {
        let mut copy = Zeroizing::new([0; 32]);
        // SAFETY: the caller's promise.
        let bytes = unsafe { boundary::secret(scalar, &mut copy) }?;
        let reduced = bool::from(Scalar::from_canonical_bytes(*bytes).is_some());
        if reduced { Ok(()) } else { Err(Error::Element) }
    };
    code(cleared::<DEPTH, _>(check))
}

/// `lanner_ristretto255_scalar_random` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_scalar_random(scalar: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        write(scalar, |out| {
            let mut bytes = Zeroizing::new([0; 64]);
            random::fill(&mut *bytes)?;
            *out = Zeroizing::new(Scalar::from_bytes_mod_order_wide(&bytes)).to_bytes();
            // Once in 2^252 times, and each time if the caller's source gives nothing but zeros.
            if is_zero(out) {
                return Err(Error::Random);
            }
            Ok(())
        })
    }
}

/// `lanner_ristretto255_scalar_reduce` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_scalar_reduce(wide: *const u8, scalar: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(scalar, |out| {
            let mut copy = Zeroizing::new([0; 64]);
            let wide = boundary::secret(wide, &mut copy)?;
            *out = Zeroizing::new(Scalar::from_bytes_mod_order_wide(wide)).to_bytes();
            Ok(())
        })
    }
}

/// `lanner_ristretto255_scalar_invert` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_scalar_invert(x: *const u8, inverse: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(inverse, |out| {
            let x = scalar(x)?;
            if *x == Scalar::ZERO {
                return Err(Error::Zero);
            }
            *out = Zeroizing::new(x.invert()).to_bytes();
            Ok(())
        })
    }
}

/// Computes a scalar of one.
///
/// # Safety
///
/// The pointers are NULL or point to 32 bytes each.
#[inline(always)]
unsafe fn unary(x: *const u8, out: *mut u8, compute: impl FnOnce(&Scalar) -> Scalar) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(out, |out| {
            let x = scalar(x)?;
            *out = Zeroizing::new(compute(&x)).to_bytes();
            Ok(())
        })
    }
}

/// Computes a scalar of two.
///
/// # Safety
///
/// The pointers are NULL or point to 32 bytes each.
#[inline(always)]
unsafe fn binary(
    x: *const u8,
    y: *const u8,
    out: *mut u8,
    compute: impl FnOnce(&Scalar, &Scalar) -> Scalar,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(out, |out| {
            let (x, y) = (scalar(x)?, scalar(y)?);
            *out = Zeroizing::new(compute(&x, &y)).to_bytes();
            Ok(())
        })
    }
}

/// `lanner_ristretto255_scalar_negate` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_scalar_negate(x: *const u8, negative: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { unary(x, negative, |x| -x) }
}

/// `lanner_ristretto255_scalar_complement` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_scalar_complement(x: *const u8, out: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { unary(x, out, |x| Scalar::ONE - x) }
}

/// `lanner_ristretto255_scalar_add` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_scalar_add(
    x: *const u8,
    y: *const u8,
    sum: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { binary(x, y, sum, |x, y| x + y) }
}

/// `lanner_ristretto255_scalar_sub` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_scalar_sub(
    x: *const u8,
    y: *const u8,
    difference: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { binary(x, y, difference, |x, y| x - y) }
}

/// `lanner_ristretto255_scalar_mul` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ristretto255_scalar_mul(
    x: *const u8,
    y: *const u8,
    product: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { binary(x, y, product, |x, y| x * y) }
}
