//! What the C face reads: key files, keys, signatures and signed messages, objects that take pieces, elements, scalars and names. Every input lies in
//! memory of its own length, and so does every output: what goes beyond is seen by the fuzzer's sanitizer.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use lanner_c_as_a_crate as _;
use lanner_curve::ristretto::{CompressedRistretto, RistrettoPoint};
use lanner_curve::scalar::Scalar;
use lanner_ed25519::pkcs8::spki::der::pem::LineEnding;
use lanner_ed25519::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Digest, Sha512, Signer, xeddsa};
use lanner_fn_dsa::falcon::{self, Encoding, det1024};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{
    DomainContext, HASH_ID_RAW, SigningKeyStandard, VerifyingKeyStandard, draft2026, sign_key_size,
    signature_size, vrfy_key_size,
};

use crate::bytes::Bytes;
use crate::fn_dsa_signatures::MESSAGE;

// Of `enum lanner_status`.
const OK: c_int = 0;
const ERROR_STATE: c_int = -7;
const ERROR_BUFFER: c_int = -8;

// Of `enum lanner_fn_dsa_variant`.
const MAIN: c_int = 0;
const FALCON: c_int = 2;

/// An object, or the bytes of a key.
type Place = *mut c_void;
type Read = unsafe extern "C" fn(Place, *const u8, usize) -> c_int;
type HandOut = unsafe extern "C" fn(Place, *mut u8, *mut usize) -> c_int;

// As `lanner.h` declares them, but for the types behind pointers.
unsafe extern "C" {
    fn lanner_ed25519_key_from_der(key: Place, der: *const u8, length: usize) -> c_int;
    fn lanner_ed25519_key_from_pem(key: Place, pem: *const u8, length: usize) -> c_int;
    fn lanner_ed25519_key_to_der(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_ed25519_key_to_pem(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_ed25519_public_from_der(key: Place, der: *const u8, length: usize) -> c_int;
    fn lanner_ed25519_public_from_pem(key: Place, pem: *const u8, length: usize) -> c_int;
    fn lanner_ed25519_public_to_der(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_ed25519_public_to_pem(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_x25519_secret_from_der(key: Place, der: *const u8, length: usize) -> c_int;
    fn lanner_x25519_secret_from_pem(key: Place, pem: *const u8, length: usize) -> c_int;
    fn lanner_x25519_secret_to_der(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_x25519_secret_to_pem(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_x25519_public_from_der(key: Place, der: *const u8, length: usize) -> c_int;
    fn lanner_x25519_public_from_pem(key: Place, pem: *const u8, length: usize) -> c_int;
    fn lanner_x25519_public_to_der(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_x25519_public_to_pem(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_fn_dsa_key_from_der(key: Place, der: *const u8, length: usize) -> c_int;
    fn lanner_fn_dsa_key_from_pem(key: Place, pem: *const u8, length: usize) -> c_int;
    fn lanner_fn_dsa_key_to_der(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_fn_dsa_key_to_pem(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_fn_dsa_public_from_der(key: Place, der: *const u8, length: usize) -> c_int;
    fn lanner_fn_dsa_public_from_pem(key: Place, pem: *const u8, length: usize) -> c_int;
    fn lanner_fn_dsa_public_to_der(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_fn_dsa_public_to_pem(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_hybrid_key_from_der(key: Place, der: *const u8, length: usize) -> c_int;
    fn lanner_hybrid_key_from_pem(key: Place, pem: *const u8, length: usize) -> c_int;
    fn lanner_hybrid_key_to_der(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_hybrid_key_to_pem(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_hybrid_public_from_der(
        key: *mut u8,
        key_length: *mut usize,
        der: *const u8,
        length: usize,
    ) -> c_int;
    fn lanner_hybrid_public_from_pem(
        key: *mut u8,
        key_length: *mut usize,
        pem: *const u8,
        length: usize,
    ) -> c_int;
    fn lanner_hybrid_public_to_der(
        key: *const u8,
        key_length: usize,
        out: *mut u8,
        length: *mut usize,
    ) -> c_int;
    fn lanner_hybrid_public_to_pem(
        key: *const u8,
        key_length: usize,
        out: *mut u8,
        length: *mut usize,
    ) -> c_int;

    fn lanner_fn_dsa_key_scratch_bytes(degree: c_uint) -> usize;
    fn lanner_fn_dsa_key_from_bytes(
        key: Place,
        variant: c_int,
        secret: *const u8,
        length: usize,
        scratch: *mut u8,
        scratch_length: usize,
    ) -> c_int;
    fn lanner_fn_dsa_key_secret(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_fn_dsa_key_public(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_fn_dsa_key_clear(key: Place);
    fn lanner_fn_dsa_public_from_bytes(
        key: Place,
        variant: c_int,
        bytes: *const u8,
        length: usize,
    ) -> c_int;
    fn lanner_fn_dsa_public_to_bytes(key: Place, out: *mut u8, length: *mut usize) -> c_int;
    fn lanner_fn_dsa_verify(
        key: Place,
        context: *const u8,
        context_length: usize,
        hash: c_int,
        message: *const u8,
        message_length: usize,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;
    fn lanner_fn_dsa_verifier_init(
        verifier: Place,
        key: Place,
        context: *const u8,
        context_length: usize,
        hash: c_int,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;
    fn lanner_fn_dsa_verifier_update(verifier: Place, piece: *const u8, length: usize) -> c_int;
    fn lanner_fn_dsa_verifier_final(verifier: Place) -> c_int;
    fn lanner_falcon_verify_as(
        key: Place,
        encoding: c_int,
        message: *const u8,
        message_length: usize,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;
    fn lanner_falcon_verify(
        key: Place,
        message: *const u8,
        message_length: usize,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;
    fn lanner_falcon_verifier_init_as(
        verifier: Place,
        key: Place,
        encoding: c_int,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;
    fn lanner_falcon_open(
        key: Place,
        signed: *const u8,
        signed_length: usize,
        message: *mut *const u8,
        message_length: *mut usize,
    ) -> c_int;
    fn lanner_falcon_det1024_verify(
        key: Place,
        message: *const u8,
        message_length: usize,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;
    fn lanner_falcon_det1024_verify_as(
        key: Place,
        encoding: c_int,
        message: *const u8,
        message_length: usize,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;
    fn lanner_falcon_verifier_init(
        verifier: Place,
        key: Place,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;
    fn lanner_hybrid_verify_digest(
        degree: c_uint,
        key: *const u8,
        key_length: usize,
        context: *const u8,
        context_length: usize,
        digest: *const u8,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;

    fn lanner_ed25519_key_from_pair(key: Place, pair: *const u8) -> c_int;
    fn lanner_ed25519_key_pair(key: Place, pair: *mut u8) -> c_int;
    fn lanner_ed25519_public_properties(public: *const u8, properties: *mut c_uint) -> c_int;
    fn lanner_ed25519_public_to_x25519(public: *const u8, x25519: *mut u8) -> c_int;
    fn lanner_ed25519_profile_by_name(name: *const c_char) -> c_int;
    fn lanner_ed25519_profile_name(profile: c_int) -> *const c_char;
    fn lanner_ed25519_verify(
        profile: c_int,
        public: *const u8,
        message: *const u8,
        message_length: usize,
        signature: *const u8,
    ) -> c_int;
    fn lanner_ed25519_verifier_init(
        verifier: Place,
        profile: c_int,
        public: *const u8,
        signature: *const u8,
    ) -> c_int;
    fn lanner_ed25519_verifier_update(verifier: Place, piece: *const u8, length: usize) -> c_int;
    fn lanner_ed25519_verifier_final(verifier: Place) -> c_int;
    fn lanner_ed25519_prepared_init(prepared: Place, public: *const u8) -> c_int;
    fn lanner_ed25519_prepared_verify(
        prepared: Place,
        profile: c_int,
        message: *const u8,
        message_length: usize,
        signature: *const u8,
    ) -> c_int;
    fn lanner_xeddsa_verify(
        public: *const u8,
        message: *const u8,
        message_length: usize,
        signature: *const u8,
    ) -> c_int;
    fn lanner_xeddsa_verify_with_sign(
        public: *const u8,
        message: *const u8,
        message_length: usize,
        signature: *const u8,
    ) -> c_int;
    fn lanner_ristretto255_check(point: *const u8) -> c_int;
    fn lanner_ristretto255_add(p: *const u8, q: *const u8, sum: *mut u8) -> c_int;
    fn lanner_ristretto255_scalar_check(scalar: *const u8) -> c_int;
    fn lanner_ristretto255_scalar_reduce(wide: *const u8, scalar: *mut u8) -> c_int;
    fn lanner_hybrid_verify(
        degree: c_uint,
        key: *const u8,
        key_length: usize,
        context: *const u8,
        context_length: usize,
        message: *const u8,
        message_length: usize,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;
}

/// Memory of words, as C aligns objects.
struct Memory(Box<[u64]>);

impl Memory {
    /// Of as many words, with bytes in it that are no object's.
    fn new(words: usize) -> Self {
        Self(vec![0xa5a5_a5a5_a5a5_a5a5; words].into_boxed_slice())
    }

    fn place(&mut self) -> Place {
        self.0.as_mut_ptr().cast()
    }
}

// The words of the objects, as `lanner.h` has them,
const ED25519_KEY: usize = 64;
const FN_DSA_KEY: usize = 896;
const FN_DSA_PUBLIC: usize = 288;
const VERIFIER: usize = 96;
const ED25519_VERIFIER: usize = 128;
const ED25519_PREPARED: usize = 1024;
const HYBRID_KEY: usize = 896;
/// and of the 32 bytes of other keys.
const BYTES: usize = 4;

/// The bytes in memory of their own.
fn exactly(bytes: &[u8]) -> Box<[u8]> {
    bytes.into()
}

/// What a function of this kind hands out: into just enough room; and into less, where nothing is left of it.
fn handed_out(function: HandOut, place: Place) -> Result<Box<[u8]>, c_int> {
    let mut needed = 0;
    // SAFETY: an object or a key, and a length.
    let status = unsafe { function(place, null_mut(), &raw mut needed) };
    if status != OK {
        return Err(status);
    }
    let mut out = vec![0xa5; needed].into_boxed_slice();
    let mut room = needed;
    // SAFETY: the same, and as much room as is said.
    let status = unsafe { function(place, out.as_mut_ptr(), &raw mut room) };
    assert_eq!((status, room), (OK, needed));
    let mut less = vec![0xa5; needed - 1].into_boxed_slice();
    let mut room = less.len();
    // SAFETY: the same.
    let status = unsafe { function(place, less.as_mut_ptr(), &raw mut room) };
    assert_eq!((status, room), (ERROR_BUFFER, needed));
    assert!(less.iter().all(|byte| *byte == 0));
    Ok(out)
}

/// Public keys of hybrid signatures are bytes of one of two lengths. Their number is the first word of the place, 0 where
/// there is none.
const HYBRID_PUBLIC: usize = 1 + lanner_hybrid::verifying_key_size(10).div_ceil(8);

macro_rules! hybrid_public {
    ($($read:ident, $from:ident, $write:ident, $to:ident;)*) => {
        $(
            unsafe extern "C" fn $read(place: Place, text: *const u8, length: usize) -> c_int {
                let words: *mut u64 = place.cast();
                let mut room = lanner_hybrid::verifying_key_size(10);
                // SAFETY: the place has that much room behind its first word.
                unsafe {
                    let status = $from(words.add(1).cast(), &raw mut room, text, length);
                    words.write(room as u64);
                    status
                }
            }

            unsafe extern "C" fn $write(place: Place, out: *mut u8, length: *mut usize) -> c_int {
                let words: *mut u64 = place.cast();
                // SAFETY: what was put there, and the caller's promise.
                unsafe {
                    match words.read() {
                        0 => ERROR_STATE,
                        there => $to(words.add(1).cast(), there as usize, out, length),
                    }
                }
            }
        )*
    };
}

hybrid_public! {
    hybrid_public_from_der, lanner_hybrid_public_from_der, hybrid_public_to_der, lanner_hybrid_public_to_der;
    hybrid_public_from_pem, lanner_hybrid_public_from_pem, hybrid_public_to_pem, lanner_hybrid_public_to_pem;
}

/// A kind of key file.
struct File {
    from: [Read; 2],
    to: [HandOut; 2],
    /// How many words the place has: [`BYTES`], or an object's.
    words: usize,
    /// Whether the library of Rust reads it.
    reads: fn(&[u8]) -> bool,
}

const FILES: &[File] = &[
    File {
        from: [lanner_ed25519_key_from_der, lanner_ed25519_key_from_pem],
        to: [lanner_ed25519_key_to_der, lanner_ed25519_key_to_pem],
        words: ED25519_KEY,
        reads: |der| lanner_ed25519::SigningKey::from_pkcs8_der(der).is_ok(),
    },
    File {
        from: [
            lanner_ed25519_public_from_der,
            lanner_ed25519_public_from_pem,
        ],
        to: [lanner_ed25519_public_to_der, lanner_ed25519_public_to_pem],
        words: BYTES,
        reads: |der| lanner_ed25519::VerifyingKey::from_public_key_der(der).is_ok(),
    },
    File {
        from: [lanner_x25519_secret_from_der, lanner_x25519_secret_from_pem],
        to: [lanner_x25519_secret_to_der, lanner_x25519_secret_to_pem],
        words: BYTES,
        reads: |der| lanner_x25519::StaticSecret::from_pkcs8_der(der).is_ok(),
    },
    File {
        from: [lanner_x25519_public_from_der, lanner_x25519_public_from_pem],
        to: [lanner_x25519_public_to_der, lanner_x25519_public_to_pem],
        words: BYTES,
        reads: |der| lanner_x25519::PublicKey::from_public_key_der(der).is_ok(),
    },
    File {
        from: [lanner_fn_dsa_key_from_der, lanner_fn_dsa_key_from_pem],
        to: [lanner_fn_dsa_key_to_der, lanner_fn_dsa_key_to_pem],
        words: FN_DSA_KEY,
        reads: |der| {
            SigningKeyStandard::from_pkcs8_der(der).is_ok()
                || falcon::SigningKeyStandard::from_pkcs8_der(der).is_ok()
        },
    },
    File {
        from: [lanner_fn_dsa_public_from_der, lanner_fn_dsa_public_from_pem],
        to: [lanner_fn_dsa_public_to_der, lanner_fn_dsa_public_to_pem],
        words: FN_DSA_PUBLIC,
        reads: |der| {
            VerifyingKeyStandard::from_public_key_der(der).is_ok()
                || falcon::VerifyingKeyStandard::from_public_key_der(der).is_ok()
        },
    },
    File {
        from: [lanner_hybrid_key_from_der, lanner_hybrid_key_from_pem],
        to: [lanner_hybrid_key_to_der, lanner_hybrid_key_to_pem],
        words: HYBRID_KEY,
        reads: |der| lanner_hybrid::SigningKeyStandard::from_pkcs8_der(der).is_ok(),
    },
    File {
        from: [hybrid_public_from_der, hybrid_public_from_pem],
        to: [hybrid_public_to_der, hybrid_public_to_pem],
        words: HYBRID_PUBLIC,
        reads: |der| lanner_hybrid::VerifyingKeyStandard::from_public_key_der(der).is_ok(),
    },
];

/// A key file in DER or PEM: what is read is written so that it reads as the same; what is not read leaves no key.
fn key_file(mut bytes: Bytes<'_>) -> bool {
    let file = &FILES[bytes.below(FILES.len())];
    let form = bytes.below(2);
    let text = exactly(bytes.rest());
    let mut memory = Memory::new(file.words);
    // SAFETY: room for what is read, and as many bytes as are said.
    let status = unsafe { file.from[form](memory.place(), text.as_ptr(), text.len()) };
    if form == 0 {
        assert_eq!(status == OK, (file.reads)(&text), "C and Rust");
    }
    if status != OK {
        if file.words == BYTES {
            assert_eq!(*memory.0, [0; BYTES]);
        } else {
            assert_eq!(handed_out(file.to[0], memory.place()), Err(ERROR_STATE));
        }
        return false;
    }
    let [der, pem] = file
        .to
        .map(|to| handed_out(to, memory.place()).expect("a key"));
    assert_eq!(pem.last(), Some(&0), "a text of C");
    for (form, written) in [(0, &der[..]), (1, &pem[..pem.len() - 1])] {
        let (written, mut again) = (exactly(written), Memory::new(file.words));
        // SAFETY: as above.
        let status = unsafe { file.from[form](again.place(), written.as_ptr(), written.len()) };
        assert_eq!(status, OK);
        assert_eq!(handed_out(file.to[0], again.place()).as_ref(), Ok(&der));
    }
    true
}

/// The secret key of FN-DSA, Falcon or the draft guess, decoded in memory that is lent or on the stack.
fn secret_key(mut bytes: Bytes<'_>) -> bool {
    let (variant, lends) = (bytes.below(4) as c_int, bytes.below(4));
    let secret = exactly(bytes.rest());
    let degree = if secret.len() > 2000 { 1024 } else { 512 };
    // SAFETY: always sound.
    let needed = unsafe { lanner_fn_dsa_key_scratch_bytes(degree) };
    // Any place will do, and half of what is needed will not. What is lent ends where its memory does.
    let (length, start) = [(0, 0), (needed / 2, 0), (needed, 0), (needed, 1)][lends];
    let mut scratch = vec![0xa5; start + length].into_boxed_slice();
    let (lent, lent_length) = match lends {
        0 => (null_mut(), 0),
        _ => (scratch[start..].as_mut_ptr(), length),
    };
    let mut key = Memory::new(FN_DSA_KEY);
    // SAFETY: as long as is said.
    let status = unsafe {
        lanner_fn_dsa_key_from_bytes(
            key.place(),
            variant,
            secret.as_ptr(),
            secret.len(),
            lent,
            lent_length,
        )
    };
    if status != OK {
        for to in [lanner_fn_dsa_key_secret, lanner_fn_dsa_key_public] {
            assert_eq!(handed_out(to, key.place()), Err(ERROR_STATE));
        }
        return false;
    }
    assert!(lends != 1 && variant != 3);
    assert_eq!(
        handed_out(lanner_fn_dsa_key_secret, key.place()),
        Ok(secret)
    );
    let public = handed_out(lanner_fn_dsa_key_public, key.place()).expect("a key");
    // SAFETY: an object.
    unsafe { lanner_fn_dsa_key_clear(key.place()) };
    assert!(key.0.iter().all(|word| *word == 0));
    let mut memory = Memory::new(FN_DSA_PUBLIC);
    // SAFETY: as long as is said.
    let status = unsafe {
        lanner_fn_dsa_public_from_bytes(memory.place(), variant, public.as_ptr(), public.len())
    };
    assert_eq!(status, OK);
    true
}

/// A public key of them.
fn public_key(mut bytes: Bytes<'_>) -> bool {
    let variant = bytes.below(4) as c_int;
    let public = exactly(bytes.rest());
    let mut key = Memory::new(FN_DSA_PUBLIC);
    // SAFETY: as long as is said.
    let status = unsafe {
        lanner_fn_dsa_public_from_bytes(key.place(), variant, public.as_ptr(), public.len())
    };
    let expected = if status == OK {
        Ok(public)
    } else {
        Err(ERROR_STATE)
    };
    assert_eq!(
        handed_out(lanner_fn_dsa_public_to_bytes, key.place()),
        expected
    );
    status == OK
}

/// Encoded keys that signatures are verified under: by the scheme, [`MAIN`] or [`FALCON`], and the degree.
fn known(variant: c_int, logn: u32) -> Memory {
    static KNOWN: OnceLock<Vec<Box<[u8]>>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let main = [9, 10].map(|logn| encoded(&fn_dsa_key(logn).verifying_key()));
        let falcon =
            [9, 10].map(|logn| encoded(&falcon_key(logn).verifying_key().dangerous_to_fn_dsa()));
        main.into_iter().chain(falcon).collect()
    });
    let bytes = &known[(variant + logn as c_int - 9) as usize];
    let mut key = Memory::new(FN_DSA_PUBLIC);
    // SAFETY: as long as is said.
    let status = unsafe {
        lanner_fn_dsa_public_from_bytes(key.place(), variant, bytes.as_ptr(), bytes.len())
    };
    assert_eq!(status, OK);
    key
}

fn encoded(key: &VerifyingKeyStandard) -> Box<[u8]> {
    let mut bytes = vec![0; vrfy_key_size(key.logn())];
    key.write_bytes(&mut bytes).expect("the length");
    bytes.into()
}

fn fn_dsa_key(logn: u32) -> SigningKeyStandard {
    SigningKeyStandard::from_seed_of_degree(logn, &[9; 32]).expect("a degree")
}

fn falcon_key(logn: u32) -> falcon::SigningKeyStandard {
    falcon::SigningKeyStandard::from_seed_of_degree(logn, &[9; 32]).expect("a degree")
}

/// Pieces of a message for a verification that was begun, if it was.
fn in_pieces(status: c_int, verifier: &mut Memory, message: &[u8], size: usize) -> c_int {
    if status != OK {
        return status;
    }
    for piece in message.chunks(size) {
        let piece = exactly(piece);
        // SAFETY: an object, and as many bytes as are said.
        let status =
            unsafe { lanner_fn_dsa_verifier_update(verifier.place(), piece.as_ptr(), piece.len()) };
        assert_eq!(status, OK);
    }
    // SAFETY: an object.
    let [verdict, then] = unsafe {
        [
            lanner_fn_dsa_verifier_final(verifier.place()),
            lanner_fn_dsa_verifier_final(verifier.place()),
        ]
    };
    assert_eq!(then, ERROR_STATE);
    verdict
}

/// A signature of FN-DSA: whole and in pieces.
fn signature(mut bytes: Bytes<'_>) -> bool {
    let (logn, hash) = (9 + bytes.below(2) as u32, bytes.below(12) as c_int);
    let (length, size) = (bytes.below(256), 1 + bytes.below(9));
    let context = exactly(bytes.slice(length));
    let (signature, message) = (exactly(bytes.rest()), exactly(MESSAGE));
    let mut key = known(MAIN, logn);
    // SAFETY: an object, and each as long as is said.
    let verdict = unsafe {
        lanner_fn_dsa_verify(
            key.place(),
            context.as_ptr(),
            context.len(),
            hash,
            message.as_ptr(),
            message.len(),
            signature.as_ptr(),
            signature.len(),
        )
    };
    let mut verifier = Memory::new(VERIFIER);
    // SAFETY: the same; key and signature stay until the end.
    let begun = unsafe {
        lanner_fn_dsa_verifier_init(
            verifier.place(),
            key.place(),
            context.as_ptr(),
            context.len(),
            hash,
            signature.as_ptr(),
            signature.len(),
        )
    };
    let streamed = in_pieces(begun, &mut verifier, &message, size);
    // Only what has the message knows that it is too short for a hash.
    assert_eq!(streamed == OK, verdict == OK);
    verdict == OK
}

/// A signature of Falcon in each encoding, whole and in pieces; a signed message; and the deterministic mode.
fn falcon_signature(mut bytes: Bytes<'_>) -> bool {
    let (logn, size) = (9 + bytes.below(2) as u32, 1 + bytes.below(9));
    let (signature, message) = (exactly(bytes.rest()), exactly(MESSAGE));
    let mut key = known(FALCON, logn);
    let verdicts = [0, 1, 2, 3].map(|encoding| {
        // SAFETY: an object, and each as long as is said.
        let verdict = unsafe {
            lanner_falcon_verify_as(
                key.place(),
                encoding,
                message.as_ptr(),
                message.len(),
                signature.as_ptr(),
                signature.len(),
            )
        };
        let mut verifier = Memory::new(VERIFIER);
        // SAFETY: the same; key and signature stay until the end.
        let begun = unsafe {
            lanner_falcon_verifier_init_as(
                verifier.place(),
                key.place(),
                encoding,
                signature.as_ptr(),
                signature.len(),
            )
        };
        let streamed = in_pieces(begun, &mut verifier, &message, size);
        assert_eq!(streamed == OK, verdict == OK);
        verdict
    });
    assert_ne!(verdicts[3], OK, "there are three");
    // SAFETY: an object, and each as long as is said.
    let [any, deterministic] = unsafe {
        [lanner_falcon_verify, lanner_falcon_det1024_verify].map(|verify| {
            verify(
                key.place(),
                message.as_ptr(),
                message.len(),
                signature.as_ptr(),
                signature.len(),
            )
        })
    };
    assert_eq!(any == OK, verdicts.contains(&OK));
    assert!(any != OK || deterministic != OK, "two modes");
    let mut verifier = Memory::new(VERIFIER);
    // SAFETY: an object, and each as long as is said; key and signature stay until the end.
    let begun = unsafe {
        lanner_falcon_verifier_init(
            verifier.place(),
            key.place(),
            signature.as_ptr(),
            signature.len(),
        )
    };
    assert_eq!(
        in_pieces(begun, &mut verifier, &message, size) == OK,
        any == OK
    );
    let demanded = [0, 1, 2, 3].map(|encoding| {
        // SAFETY: as above.
        let verdict = unsafe {
            lanner_falcon_det1024_verify_as(
                key.place(),
                encoding,
                message.as_ptr(),
                message.len(),
                signature.as_ptr(),
                signature.len(),
            )
        };
        usize::from(verdict == OK)
    });
    let number: usize = demanded.iter().sum();
    assert_eq!(number, usize::from(deterministic == OK), "one encoding");

    let (mut inside, mut length) = (null(), usize::MAX);
    // SAFETY: as above, and places for a pointer and a length.
    let status = unsafe {
        lanner_falcon_open(
            key.place(),
            signature.as_ptr(),
            signature.len(),
            &raw mut inside,
            &raw mut length,
        )
    };
    if status == OK {
        let at = inside.addr() - signature.as_ptr().addr();
        assert!(at + length <= signature.len(), "within the signed message");
    } else {
        assert!(inside.is_null() && length == 0);
    }
    any == OK || status == OK || deterministic == OK
}

/// A hybrid key, a context and a signature, cut somewhere.
fn hybrid(mut bytes: Bytes<'_>) -> bool {
    let degree = [512, 1024, 256][bytes.below(3)];
    let (length, more) = (bytes.below(256), bytes.below(3));
    let context = exactly(bytes.slice(length));
    let key = exactly(bytes.slice(if degree == 512 { 928 } else { 1824 } + more));
    let (signature, message) = (exactly(bytes.rest()), exactly(MESSAGE));
    // SAFETY: each as long as is said.
    let verdict = unsafe {
        lanner_hybrid_verify(
            degree,
            key.as_ptr(),
            key.len(),
            context.as_ptr(),
            context.len(),
            message.as_ptr(),
            message.len(),
            signature.as_ptr(),
            signature.len(),
        )
    };
    let expected = lanner_hybrid::VerifyingKeyStandard::from_bytes(&key)
        .is_ok_and(|key| key.verify(&signature, &context, MESSAGE).is_ok());
    assert_eq!(verdict == OK, expected && degree != 256);
    let digest = exactly(&Sha512::digest(MESSAGE));
    // SAFETY: the same, and the 64 bytes of a hash.
    let by_digest = unsafe {
        lanner_hybrid_verify_digest(
            degree,
            key.as_ptr(),
            key.len(),
            context.as_ptr(),
            context.len(),
            digest.as_ptr(),
            signature.as_ptr(),
            signature.len(),
        )
    };
    assert_eq!(by_digest, verdict);
    verdict == OK
}

/// A secret key of Ed25519 with its public key.
fn pair(mut bytes: Bytes<'_>) -> bool {
    let pair = exactly(&bytes.array::<64>());
    let mut key = Memory::new(ED25519_KEY);
    // SAFETY: an object, and the 64 bytes that are read.
    let status = unsafe { lanner_ed25519_key_from_pair(key.place(), pair.as_ptr()) };
    let array = pair[..].try_into().expect("64 bytes");
    let expected = lanner_ed25519::SigningKey::from_keypair_bytes(array).is_ok();
    assert_eq!(status == OK, expected, "C and Rust");
    let mut again = vec![0xa5; 64].into_boxed_slice();
    // SAFETY: an object, and the 64 bytes that are written.
    let written = unsafe { lanner_ed25519_key_pair(key.place(), again.as_mut_ptr()) };
    if expected {
        assert_eq!((written, &again), (OK, &pair));
    } else {
        assert_eq!(written, ERROR_STATE);
    }
    expected
}

/// A signature of Ed25519 under a key that comes before it, in every form; and both as those of a key of X25519.
fn ed25519(mut bytes: Bytes<'_>) -> bool {
    let profile = bytes.below(9) as c_int;
    let public = exactly(&bytes.array::<32>());
    let (signature, message) = (exactly(&bytes.array::<64>()), exactly(MESSAGE));
    let array: &[u8; 32] = public[..].try_into().expect("32 bytes");
    let key = lanner_ed25519::VerifyingKey::from_bytes(array).ok();
    let of_bytes = lanner_ed25519::Signature::from_slice(&signature).expect("64 bytes");

    // SAFETY: the bytes that are read.
    let (verdict, prepared, mut tables) = unsafe {
        let mut tables = Memory::new(ED25519_PREPARED);
        (
            lanner_ed25519_verify(
                profile,
                public.as_ptr(),
                message.as_ptr(),
                message.len(),
                signature.as_ptr(),
            ),
            lanner_ed25519_prepared_init(tables.place(), public.as_ptr()),
            tables,
        )
    };
    // SAFETY: the name of a profile, or a null pointer.
    let name = unsafe {
        let name = lanner_ed25519_profile_name(profile);
        (!name.is_null()).then(|| CStr::from_ptr(name))
    };
    let of_name: Option<ProfileName> = name.map(|name| {
        let name = name.to_str().expect("ASCII");
        name.parse().expect("a name of the library of Rust")
    });
    let valid = |profile: ProfileName| key?.under(profile).verify(MESSAGE, &of_bytes).ok();
    let expected = of_name.and_then(valid).is_some();
    assert_eq!(verdict == OK, expected, "C and Rust");
    assert_eq!(prepared == OK, key.is_some());
    if prepared == OK {
        // SAFETY: an object, and the bytes that are read.
        let with_tables = unsafe {
            lanner_ed25519_prepared_verify(
                tables.place(),
                profile,
                message.as_ptr(),
                message.len(),
                signature.as_ptr(),
            )
        };
        assert_eq!(with_tables == OK, expected);
    }
    let mut verifier = Memory::new(ED25519_VERIFIER);
    // SAFETY: an object, and the bytes that are read.
    let in_pieces = unsafe {
        let begun = lanner_ed25519_verifier_init(
            verifier.place(),
            profile,
            public.as_ptr(),
            signature.as_ptr(),
        );
        for piece in message.chunks(3).filter(|_| begun == OK) {
            let piece = exactly(piece);
            let status =
                lanner_ed25519_verifier_update(verifier.place(), piece.as_ptr(), piece.len());
            assert_eq!(status, OK);
        }
        begun == OK && lanner_ed25519_verifier_final(verifier.place()) == OK
    };
    assert_eq!(in_pieces, expected);

    let (mut properties, mut other) = (c_uint::MAX, vec![0xa5; 32].into_boxed_slice());
    // SAFETY: the bytes that are read, and places for what is written.
    let [status, converted] = unsafe {
        [
            lanner_ed25519_public_properties(public.as_ptr(), &raw mut properties),
            lanner_ed25519_public_to_x25519(public.as_ptr(), other.as_mut_ptr()),
        ]
    };
    assert_eq!(status == OK, key.is_some());
    if let Some(key) = key {
        let sum = c_uint::from(key.is_weak())
            + 2 * c_uint::from(key.is_canonical())
            + 4 * c_uint::from(key.is_torsion_free());
        assert_eq!(properties, sum);
    }
    let honest = key.filter(|key| !key.is_weak() && key.is_torsion_free());
    assert_eq!(converted == OK, honest.is_some());
    if let Some(key) = honest {
        assert_eq!(other[..], key.to_montgomery().to_bytes());
    }

    // SAFETY: the bytes that are read.
    let of_x25519 = unsafe {
        [lanner_xeddsa_verify, lanner_xeddsa_verify_with_sign].map(|verify| {
            verify(
                public.as_ptr(),
                message.as_ptr(),
                message.len(),
                signature.as_ptr(),
            )
        })
    };
    let of_rust = [xeddsa::verify, xeddsa::verify_with_sign]
        .map(|verify| verify(array, MESSAGE, &of_bytes).is_ok());
    assert_eq!(of_x25519.map(|status| status == OK), of_rust);
    expected || of_rust[0]
}

/// Two elements of Ristretto255, the second of them as a scalar too, and both as a wide one.
fn ristretto255(mut bytes: Bytes<'_>) -> bool {
    let wide = exactly(&bytes.array::<64>());
    let halves = [exactly(&wide[..32]), exactly(&wide[32..])];
    let arrays: [[u8; 32]; 2] = halves
        .each_ref()
        .map(|half| half[..].try_into().expect("32 bytes"));
    let elements = arrays.map(|bytes| CompressedRistretto(bytes).decompress());
    let (mut sum, mut reduced) = (exactly(&[0xa5; 32]), exactly(&[0xa5; 32]));
    // SAFETY: the bytes that are read and written.
    let (checks, added, is_scalar, status) = unsafe {
        (
            halves
                .each_ref()
                .map(|half| lanner_ristretto255_check(half.as_ptr())),
            lanner_ristretto255_add(halves[0].as_ptr(), halves[1].as_ptr(), sum.as_mut_ptr()),
            lanner_ristretto255_scalar_check(halves[1].as_ptr()),
            lanner_ristretto255_scalar_reduce(wide.as_ptr(), reduced.as_mut_ptr()),
        )
    };
    assert_eq!(
        checks.map(|status| status == OK),
        elements.map(|element| element.is_some()),
        "C and Rust"
    );
    let expected = elements[0].zip(elements[1]).map(|(p, q)| p + q);
    assert_eq!(added == OK, expected.is_some());
    let expected = expected.map_or([0; 32], |element| element.compress().0);
    assert_eq!(sum[..], expected, "the sum, or nothing");
    let canonical: Option<Scalar> = Scalar::from_canonical_bytes(arrays[1]).into();
    assert_eq!(is_scalar == OK, canonical.is_some());
    let array = wide[..].try_into().expect("64 bytes");
    let expected = Scalar::from_bytes_mod_order_wide(array).to_bytes();
    assert_eq!((status, &reduced[..]), (OK, &expected[..]));
    added == OK
}

/// The name of a profile: a text of C, which ends where its memory does.
fn name(bytes: Bytes<'_>) -> bool {
    let text: Vec<u8> = bytes
        .rest()
        .iter()
        .copied()
        .take_while(|it| *it != 0)
        .collect();
    let text = CString::new(text).expect("without a zero");
    // SAFETY: a text.
    let profile = unsafe { lanner_ed25519_profile_by_name(text.as_ptr()) };
    let of_rust = text.to_str().ok().map(str::parse::<ProfileName>);
    assert_eq!(profile >= 0, of_rust.is_some_and(|it| it.is_ok()));
    if profile >= 0 {
        // SAFETY: of a profile there is a name.
        let name = unsafe { CStr::from_ptr(lanner_ed25519_profile_name(profile)) };
        assert_eq!(name, &*text);
    }
    profile >= 0
}

/// Each says whether what it got was read, or valid.
const OPERATIONS: &[fn(Bytes<'_>) -> bool] = &[
    key_file,
    secret_key,
    public_key,
    signature,
    falcon_signature,
    hybrid,
    pair,
    ed25519,
    ristretto255,
    name,
];

/// The first byte chooses what the others are.
pub fn run(data: &[u8]) {
    is_accepted(data);
}

fn is_accepted(data: &[u8]) -> bool {
    let mut bytes = Bytes::new(data);
    OPERATIONS[bytes.below(OPERATIONS.len())](bytes)
}

/// What is read, and signatures that are valid.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    // The operation, its choices, and what it reads.
    let mut add = |choices: &[u8], rest: &[u8]| seeds.push([choices, rest].concat());

    let ed25519 = lanner_ed25519::SigningKey::from_bytes(&[7; 32]);
    let x25519 = lanner_x25519::StaticSecret::from([8; 32]);
    let x25519_public = lanner_x25519::PublicKey::from(&x25519);
    macro_rules! files {
        ($secret_kind:literal $secret:expr, $public:expr) => {
            let secret = $secret.to_pkcs8_der().expect("encodes");
            add(&[0, $secret_kind, 0], secret.as_bytes());
            let text = $secret.to_pkcs8_pem(LineEnding::LF).expect("encodes");
            add(&[0, $secret_kind, 1], text.as_bytes());
            let public = $public.to_public_key_der().expect("encodes");
            add(&[0, $secret_kind + 1, 0], public.as_bytes());
            let text = $public
                .to_public_key_pem(LineEnding::CRLF)
                .expect("encodes");
            add(&[0, $secret_kind + 1, 1], text.as_bytes());
        };
    }
    files!(0 ed25519, ed25519.verifying_key());
    files!(2 x25519, x25519_public);
    add(&[6], &ed25519.to_keypair_bytes());
    let (public, signature) = (ed25519.verifying_key().to_bytes(), ed25519.sign(MESSAGE));
    for profile in 0..7 {
        add(
            &[7, profile],
            &[&public[..], &signature.to_bytes()].concat(),
        );
    }
    let signer = xeddsa::SecretKey::from_x25519(&[8; 32]);
    let signature = signer.sign(MESSAGE, &[3; 64]).to_bytes();
    add(
        &[7, 8],
        &[&signer.x25519_public_bytes()[..], &signature].concat(),
    );
    let element = RistrettoPoint::mul_base(&Scalar::from(5_u8)).compress().0;
    add(&[8], &[element; 2].concat());
    add(&[8], &[[0; 32], element].concat());
    for profile in ProfileName::ALL {
        add(&[9], profile.as_str().as_bytes());
    }
    for logn in [9, 10] {
        let degree = logn as u8 - 9;
        let (main, falcon) = (fn_dsa_key(logn), falcon_key(logn));
        files!(4 main, main.verifying_key());
        files!(4 falcon, falcon.verifying_key());

        let mut secret = vec![0; sign_key_size(logn)];
        main.write_bytes(&mut secret).expect("the length");
        for lends in 0..4 {
            add(&[1, 0, lends], &secret);
        }
        add(&[1, 2, 0], &secret);
        let public = encoded(&main.verifying_key());
        add(&[2, 0], &public);
        add(&[2, 2], &public);
        let draft = draft2026::SigningKeyStandard::from_seed_of_degree(logn, &[9; 32]);
        let draft = draft.expect("a degree");
        let mut secret = vec![0; draft2026::sign_key_size(logn)];
        draft.write_bytes(&mut secret).expect("the length");
        add(&[1, 1, 0], &secret);
        let mut public = vec![0; vrfy_key_size(logn)];
        draft
            .verifying_key()
            .write_bytes(&mut public)
            .expect("the length");
        add(&[2, 1], &public);

        let rng = &mut SeededRng::new(b"the C face");
        let mut signature = vec![0; signature_size(logn)];
        let context = DomainContext(b"context");
        main.sign_bytes(rng, &context, &HASH_ID_RAW, MESSAGE, &mut signature)
            .expect("signs");
        add(&[3, degree, 0, 7, 2], &[b"context", &*signature].concat());
        for encoding in [
            Encoding::Padded,
            Encoding::Compressed,
            Encoding::ConstantTime,
        ] {
            let mut signature = vec![0; falcon::max_signature_size(encoding, logn)];
            let length = falcon::sign(&falcon, rng, MESSAGE, encoding, &mut signature);
            signature.truncate(length.expect("signs"));
            add(&[4, degree, 2], &signature);
        }
        let mut sealed = vec![0; falcon::max_sealed_size(logn, MESSAGE.len())];
        let length = falcon::seal(&falcon, rng, MESSAGE, &mut sealed).expect("signs");
        add(&[4, degree, 2], &sealed[..length]);

        if logn == 10 {
            let key = falcon::SigningKey1024::from_seed(&[9; 32]).expect("a key");
            let mut output = vec![0; det1024::MAX_COMPRESSED_SIZE];
            let length = det1024::sign(&key, MESSAGE, &mut output).expect("signs");
            let fixed = det1024::to_constant_time(&output[..length]).expect("well-formed");
            add(&[4, degree, 2], &output[..length]);
            add(&[4, degree, 2], &fixed);
        }
        let hybrid = lanner_hybrid::SigningKeyStandard::from_seed_of_degree(logn, &[3; 32]);
        let hybrid = hybrid.expect("a degree");
        files!(6 hybrid, hybrid.verifying_key());
        let mut public = vec![0; lanner_hybrid::verifying_key_size(logn)];
        hybrid
            .verifying_key()
            .write_bytes(&mut public)
            .expect("the length");
        let mut signature = vec![0; lanner_hybrid::signature_size(logn)];
        hybrid
            .sign_bytes(rng, b"context", MESSAGE, &mut signature)
            .expect("signs");
        add(
            &[5, degree, 7, 1],
            &[b"context", &*public, &*signature].concat(),
        );
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::{is_accepted, seeds};

    #[test]
    fn seeds_are_accepted() {
        for seed in seeds() {
            let too_little_memory = seed[0] == 1 && seed[2] == 1;
            assert_eq!(is_accepted(&seed), !too_little_memory, "{:?}", &seed[..3]);
        }
    }
}
