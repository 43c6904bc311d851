//! Key generation, and the sizes.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_uint, c_void};

use lanner_fn_dsa::{
    KeyPairGenerator, KeyPairGenerator512, KeyPairGenerator1024, SigningSpace, draft2026, falcon,
    signature_size, vrfy_key_size,
};
use lanner_simd::stack::cleared;
use zeroize::{Zeroize, Zeroizing};

use super::any::{MAX_PUBLIC, MAX_SECRET};
use super::{Variant, logn, status};
use crate::boundary::{DEPTH, copy, write_out, zero_out};
use crate::random;
use crate::scratch::{Scratch, bytes_for, range};
use crate::status::{Error, OK};

/// `lanner_fn_dsa_secret_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_fn_dsa_secret_bytes(variant: c_int, degree: c_uint) -> usize {
    match (Variant::of(variant), logn(degree)) {
        (Ok(variant), Ok(logn)) => variant.secret_size(logn),
        _ => 0,
    }
}

/// `lanner_fn_dsa_public_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_fn_dsa_public_bytes(degree: c_uint) -> usize {
    logn(degree).map_or(0, vrfy_key_size)
}

/// `lanner_fn_dsa_signature_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_fn_dsa_signature_bytes(degree: c_uint) -> usize {
    logn(degree).map_or(0, signature_size)
}

/// `lanner_fn_dsa_keygen_scratch_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_fn_dsa_keygen_scratch_bytes(degree: c_uint) -> usize {
    match degree {
        512 => bytes_for::<KeyPairGenerator512>(),
        1024 => bytes_for::<KeyPairGenerator1024>(),
        _ => 0,
    }
}

/// `lanner_fn_dsa_sign_scratch_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_fn_dsa_sign_scratch_bytes(degree: c_uint) -> usize {
    match degree {
        512 => bytes_for::<SigningSpace<512>>(),
        1024 => bytes_for::<SigningSpace<1024>>(),
        _ => 0,
    }
}

/// Makes the key pair of a seed and writes both halves.
///
/// # Safety
///
/// The pointers as in `lanner.h`.
unsafe fn make(
    variant: c_int,
    degree: c_uint,
    seed: impl FnOnce(&mut [u8; 32]) -> Result<(), Error>,
    secret_out: *mut u8,
    public_out: *mut u8,
    scratch: Result<Scratch, Error>,
) -> c_int {
    let (variant, logn) = match (Variant::of(variant), logn(degree)) {
        (Ok(variant), Ok(logn)) => (variant, logn),
        // Nobody knows how long the outputs are.
        (Err(error), _) | (_, Err(error)) => return error.code(),
    };
    let (secret_size, public_size) = (variant.secret_size(logn), vrfy_key_size(logn));
    if secret_out.is_null() || public_out.is_null() {
        // SAFETY: the caller's promises.
        unsafe {
            zero_out(secret_out, secret_size);
            zero_out(public_out, public_size);
        }
        return Error::Null.code();
    }
    let mut secret = Zeroizing::new([0; MAX_SECRET]);
    let mut public = [0; MAX_PUBLIC];
    let secret = &mut secret[..secret_size];
    let public = &mut public[..public_size];
    let made = cleared::<DEPTH, _>(|| {
        let scratch = scratch?;
        macro_rules! generate {
            ($generator:ty, $seed:expr) => {
                scratch.with(<$generator>::new, |generator| {
                    generator
                        .keygen_from_seed(logn, $seed, secret, public)
                        .map_err(status)
                })
            };
        }
        let mut copy = Zeroizing::new([0; 32]);
        seed(&mut copy)?;
        match (variant, degree) {
            (Variant::Main, 512) => generate!(KeyPairGenerator512, &copy),
            (Variant::Main, _) => generate!(KeyPairGenerator1024, &copy),
            (Variant::Draft2026, 512) => generate!(draft2026::KeyPairGenerator512, &copy),
            (Variant::Draft2026, _) => generate!(draft2026::KeyPairGenerator1024, &copy),
            (Variant::Falcon, 512) => generate!(falcon::KeyPairGenerator512, &copy),
            (Variant::Falcon, _) => generate!(falcon::KeyPairGenerator1024, &copy),
        }
    });
    if made.is_err() {
        secret.zeroize();
        public.fill(0);
    }
    // SAFETY: not NULL, and the caller's promise.
    unsafe {
        write_out(secret_out, secret);
        write_out(public_out, public);
    }
    made.map_or_else(Error::code, |()| OK)
}

/// `lanner_fn_dsa_keygen` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_keygen(
    variant: c_int,
    degree: c_uint,
    secret: *mut u8,
    public: *mut u8,
    scratch: *mut c_void,
    scratch_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        make(
            variant,
            degree,
            |seed| random::fill(seed),
            secret,
            public,
            Scratch::apart(scratch, scratch_length, &[]),
        )
    }
}

/// `lanner_fn_dsa_keygen_seeded` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_keygen_seeded(
    variant: c_int,
    degree: c_uint,
    seed: *const u8,
    secret: *mut u8,
    public: *mut u8,
    scratch: *mut c_void,
    scratch_length: usize,
) -> c_int {
    let reads = [range(seed, 32)];
    // SAFETY: the caller's promises.
    let seed = |into: &mut [u8; 32]| unsafe { copy(seed, into) };
    // SAFETY: the caller's promises.
    unsafe {
        let scratch = Scratch::apart(scratch, scratch_length, &reads);
        make(variant, degree, seed, secret, public, scratch)
    }
}
