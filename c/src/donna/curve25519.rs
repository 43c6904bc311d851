//! `curve25519.h`.
#![allow(unsafe_code)]

use lanner_x25519::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

use crate::boundary::{array, write};

/// `curve25519_donna` of `curve25519.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn curve25519_donna(mypublic: *mut u8, secret: *const u8, basepoint: *const u8) {
    // SAFETY: the caller's promises. The status has nowhere to go.
    unsafe {
        write(mypublic, || {
            let secret = Zeroizing::new(*array::<32>(secret)?);
            let basepoint = PublicKey::from(*array::<32>(basepoint)?);
            Ok(StaticSecret::from(*secret)
                .diffie_hellman(&basepoint)
                .to_bytes())
        });
    }
}

/// The public key of a secret key.
///
/// # Safety
///
/// The pointers are NULL or point to 32 bytes each.
pub(super) unsafe fn public_key(public: *mut u8, secret: *const u8) {
    // SAFETY: the caller's promises. The status has nowhere to go.
    unsafe {
        write(public, || {
            let secret = Zeroizing::new(*array::<32>(secret)?);
            Ok(PublicKey::from(&StaticSecret::from(*secret)).to_bytes())
        });
    }
}

/// `curve25519_donna_basepoint` of `curve25519.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn curve25519_donna_basepoint(mypublic: *mut u8, secret: *const u8) {
    // SAFETY: the caller's promises.
    unsafe { public_key(mypublic, secret) }
}
