//! `ed25519_donna_tor.h`: secret keys of 64 bytes, the scalar and the nonce prefix.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_ed25519::hazmat::{
    ExpandedSecretKey, blind_public_key, blind_secret_key, expand_secret_key, mul_by_group_order,
    verifying_key_from_x25519,
};
use lanner_ed25519::{Signature, SigningKey, VerifyingKey};
use zeroize::Zeroizing;

use super::ed25519::open;
use crate::boundary::{array, bytes, secret, write, write_out, zero_out};
use crate::random;
use crate::status::{Error, OK};

/// What these functions return: 0, or -1 for every failure.
fn flatten(status: c_int) -> c_int {
    if status == OK { 0 } else { -1 }
}

/// `ed25519_donna_selftest` of `ed25519_donna_tor.h`: RFC 8032 section 7.1, test 3, through the
/// functions below it.
#[unsafe(no_mangle)]
extern "C" fn ed25519_donna_selftest() -> c_int {
    const SEED: [u8; 32] = [
        0xc5, 0xaa, 0x8d, 0xf4, 0x3f, 0x9f, 0x83, 0x7b, 0xed, 0xb7, 0x44, 0x2f, 0x31, 0xdc, 0xb7,
        0xb1, 0x66, 0xd3, 0x85, 0x35, 0x07, 0x6f, 0x09, 0x4b, 0x85, 0xce, 0x3a, 0x2e, 0x0b, 0x44,
        0x58, 0xf7,
    ];
    const PUBLIC: [u8; 32] = [
        0xfc, 0x51, 0xcd, 0x8e, 0x62, 0x18, 0xa1, 0xa3, 0x8d, 0xa4, 0x7e, 0xd0, 0x02, 0x30, 0xf0,
        0x58, 0x08, 0x16, 0xed, 0x13, 0xba, 0x33, 0x03, 0xac, 0x5d, 0xeb, 0x91, 0x15, 0x48, 0x90,
        0x80, 0x25,
    ];
    const MESSAGE: [u8; 2] = [0xaf, 0x82];
    const SIGNATURE: [u8; 64] = [
        0x62, 0x91, 0xd6, 0x57, 0xde, 0xec, 0x24, 0x02, 0x48, 0x27, 0xe6, 0x9c, 0x3a, 0xbe, 0x01,
        0xa3, 0x0c, 0xe5, 0x48, 0xa2, 0x84, 0x74, 0x3a, 0x44, 0x5e, 0x36, 0x80, 0xd7, 0xdb, 0x5a,
        0xc3, 0xac, 0x18, 0xff, 0x9b, 0x53, 0x8d, 0x16, 0xf2, 0x90, 0xae, 0x67, 0xf7, 0x60, 0x98,
        0x4d, 0xc6, 0x59, 0x4a, 0x7c, 0x15, 0xe9, 0x71, 0x6e, 0xd2, 0x8d, 0xc0, 0x27, 0xbe, 0xce,
        0xea, 0x1e, 0xc4, 0x0a,
    ];
    let key = SigningKey::from_bytes(&SEED);
    let expanded = ExpandedSecretKey::from(&SEED);
    let signature = expanded.sign(&MESSAGE);
    let works = key.verifying_key().to_bytes() == PUBLIC
        && signature.to_bytes() == SIGNATURE
        && key
            .verify_strict(&MESSAGE, &Signature::from_bytes(&SIGNATURE))
            .is_ok()
        && key.verify_strict(&[], &signature).is_err();
    if works { 0 } else { -1 }
}

/// `ed25519_donna_seckey` of `ed25519_donna_tor.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_donna_seckey(sk: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    flatten(unsafe {
        write(sk, |out: &mut [u8; 64]| {
            let mut seed = Zeroizing::new([0; 32]);
            random::fill(&mut *seed)?;
            out.copy_from_slice(&*expand_secret_key(&seed));
            Ok(())
        })
    })
}

/// `ed25519_donna_seckey_expand` of `ed25519_donna_tor.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_donna_seckey_expand(sk: *mut u8, seed: *const u8) -> c_int {
    // SAFETY: the caller's promises.
    flatten(unsafe {
        write(sk, |out: &mut [u8; 64]| {
            let mut copy = Zeroizing::new([0; 32]);
            out.copy_from_slice(&*expand_secret_key(secret(seed, &mut copy)?));
            Ok(())
        })
    })
}

/// `ed25519_donna_pubkey` of `ed25519_donna_tor.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_donna_pubkey(pk: *mut u8, sk: *const u8) -> c_int {
    // SAFETY: the caller's promises.
    flatten(unsafe {
        write(pk, |out| {
            let mut copy = Zeroizing::new([0; 64]);
            let secret = ExpandedSecretKey::from_unclamped_bytes(secret(sk, &mut copy)?);
            *out = VerifyingKey::from(&secret).to_bytes();
            Ok(())
        })
    })
}

/// `ed25519_donna_keygen` of `ed25519_donna_tor.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_donna_keygen(pk: *mut u8, sk: *mut u8) -> c_int {
    if pk.is_null() {
        // SAFETY: the caller's promise.
        unsafe { zero_out(sk, 64) };
        return -1;
    }
    let mut public = [0; 32];
    // SAFETY: the caller's promises. Where there is no secret key, the public one becomes zero.
    unsafe {
        let status = write(sk, |out| {
            let mut seed = Zeroizing::new([0; 32]);
            random::fill(&mut *seed)?;
            out.copy_from_slice(&*expand_secret_key(&seed));
            let secret = ExpandedSecretKey::from_unclamped_bytes(out);
            public = VerifyingKey::from(&secret).to_bytes();
            Ok(())
        });
        write_out(pk, &public);
        flatten(status)
    }
}

/// `ed25519_donna_open` of `ed25519_donna_tor.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_donna_open(
    signature: *const u8,
    m: *const u8,
    mlen: usize,
    pk: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    match unsafe { open(m, mlen, pk, signature) } {
        Ok(()) => 0,
        Err(_) => -1,
    }
}

/// `ed25519_donna_sign` of `ed25519_donna_tor.h`. The public key is not looked at, as in
/// `ed25519_sign`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_donna_sign(
    sig: *mut u8,
    m: *const u8,
    mlen: usize,
    sk: *const u8,
    _pk: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    flatten(unsafe {
        write(sig, |out| {
            let mut copy = Zeroizing::new([0; 64]);
            let secret = ExpandedSecretKey::from_unclamped_bytes(secret(sk, &mut copy)?);
            *out = secret.sign(bytes(m, mlen)?).to_bytes();
            Ok(())
        })
    })
}

/// `ed25519_donna_blind_secret_key` of `ed25519_donna_tor.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_donna_blind_secret_key(
    out: *mut u8,
    inp: *const u8,
    param: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    flatten(unsafe {
        write(out, |out: &mut [u8; 64]| {
            let mut copy = Zeroizing::new([0; 64]);
            let secret = ExpandedSecretKey::from_unclamped_bytes(secret(inp, &mut copy)?);
            let blinded = blind_secret_key(&secret, &array(param)?);
            out.copy_from_slice(&*blinded.to_unclamped_bytes());
            Ok(())
        })
    })
}

/// `ed25519_donna_blind_public_key` of `ed25519_donna_tor.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_donna_blind_public_key(
    out: *mut u8,
    inp: *const u8,
    param: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    flatten(unsafe {
        write(out, |out| {
            let param = array(param)?;
            let key = VerifyingKey::from_bytes(&array(inp)?).map_err(|_| Error::Key)?;
            *out = blind_public_key(&key, &param).to_bytes();
            Ok(())
        })
    })
}

/// `ed25519_donna_pubkey_from_curve25519_pubkey` of `ed25519_donna_tor.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_donna_pubkey_from_curve25519_pubkey(
    out: *mut u8,
    inp: *const u8,
    signbit: c_int,
) -> c_int {
    // SAFETY: the caller's promises.
    flatten(unsafe {
        write(out, |out| {
            let key = verifying_key_from_x25519(&array(inp)?, signbit != 0);
            *out = key.map_err(|_| Error::Key)?.to_bytes();
            Ok(())
        })
    })
}

/// `ed25519_donna_scalarmult_with_group_order` of `ed25519_donna_tor.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ed25519_donna_scalarmult_with_group_order(
    out: *mut u8,
    pubkey: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    flatten(unsafe {
        write(out, |out| {
            let key = VerifyingKey::from_bytes(&array(pubkey)?).map_err(|_| Error::Key)?;
            *out = mul_by_group_order(&key);
            Ok(())
        })
    })
}
