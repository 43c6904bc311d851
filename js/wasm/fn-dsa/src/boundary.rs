//! The exports of the module. Input and output lie in memory that the other side has grown; each
//! function is given addresses and lengths, and the other side wipes what it gave and the stack.
//! Here is what verifies, and what all of them share; `signing` has the rest.
#![allow(unsafe_code)]

use core::mem::MaybeUninit;
use core::slice;

use lanner_fn_dsa::draft2026::{self, HASH_ID_EXTMU};
use lanner_fn_dsa::falcon::{self, Encoding};
use lanner_fn_dsa::{
    DomainContext, Error, HASH_ID_RAW, HASH_ID_SHA3_256, HASH_ID_SHA3_384, HASH_ID_SHA3_512,
    HASH_ID_SHA256, HASH_ID_SHA384, HASH_ID_SHA512, HASH_ID_SHA512_256, HASH_ID_SHAKE128,
    HASH_ID_SHAKE256, HashIdentifier, StreamVerifierStandard, VerifyingKeyStandard,
};

/// The one has room for the others.
macro_rules! alike {
    ($one:ty, $($other:ty),+) => {$(
        const _: () = assert!(size_of::<$other>() <= size_of::<$one>());
        const _: () = assert!(align_of::<$one>() <= 16 && align_of::<$other>() <= 16);
    )+};
}

#[cfg(feature = "sign")]
mod signing;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

/// The variants, by the numbers that the other side gives them; 0 is the main one.
const DRAFT: u32 = 1;
const FALCON_COMPRESSED: u32 = 2;
const FALCON_PADDED: u32 = 3;
const FALCON_CONSTANT_TIME: u32 = 4;

/// What a message is, by the numbers that the other side gives: itself, or a hash value.
const PREHASHES: [HashIdentifier<'static>; 11] = [
    HASH_ID_RAW,
    HASH_ID_SHA256,
    HASH_ID_SHA384,
    HASH_ID_SHA512,
    HASH_ID_SHA512_256,
    HASH_ID_SHA3_256,
    HASH_ID_SHA3_384,
    HASH_ID_SHA3_512,
    HASH_ID_SHAKE128,
    HASH_ID_SHAKE256,
    HASH_ID_EXTMU,
];

/// # Safety
///
/// `length` octets from `address` on are memory that the other side owns and leaves alone during
/// the call, and that is given once.
unsafe fn octets<'a>(address: usize, length: usize) -> &'a mut [u8] {
    let start = core::ptr::with_exposed_provenance_mut(address);
    // SAFETY: the caller's promise; octets have no alignment, and any value is one.
    unsafe { slice::from_raw_parts_mut(start, length) }
}

fn place<T>(address: usize) -> *mut T {
    core::ptr::with_exposed_provenance_mut(address)
}

fn encoding(variant: u32) -> Option<Encoding> {
    match variant {
        FALCON_COMPRESSED => Some(Encoding::Compressed),
        FALCON_PADDED => Some(Encoding::Padded),
        FALCON_CONSTANT_TIME => Some(Encoding::ConstantTime),
        _ => None,
    }
}

/// A verification under way: the decoded key, this, and the signature.
type Verifier<'k> = StreamVerifierStandard<'k, 'k>;
type DraftVerifier<'k> = draft2026::StreamVerifierStandard<'k, 'k>;
type FalconVerifier<'k> = falcon::StreamVerifierStandard<'k, 'k>;

const VERIFYING_KEY: usize = size_of::<VerifyingKeyStandard>().next_multiple_of(16);
const SIGNATURE: usize = VERIFYING_KEY + size_of::<Verifier<'_>>().next_multiple_of(16);

/// Octets of the longest signature, and of what `s` writes to.
const LONGEST: usize = 1600;

/// Octets of the block of a verification under way.
const VERIFYING: usize = (SIGNATURE + LONGEST).next_multiple_of(16);

#[cfg(feature = "sign")]
const BLOCK: usize = if signing::BLOCK > VERIFYING {
    signing::BLOCK
} else {
    VERIFYING
};
#[cfg(not(feature = "sign"))]
const BLOCK: usize = VERIFYING;

alike!(Verifier<'_>, DraftVerifier<'_>, FalconVerifier<'_>);

/// How many octets the block of a signature or a verification under way has; its address is a multiple of 16.
#[unsafe(no_mangle)]
extern "C" fn m() -> usize {
    BLOCK
}

/// Begins to verify: 1 to go on, 0 not valid, 2 for a key that is none.
///
/// # Safety
///
/// As for `octets`.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)] // An address and a length for each.
unsafe extern "C" fn w(
    variant: u32,
    block: usize,
    key: usize,
    key_length: usize,
    prehash: usize,
    context: usize,
    context_length: usize,
    signature: usize,
    signature_length: usize,
) -> usize {
    // SAFETY: the caller's promise, for each.
    let (key, context, signature) = unsafe {
        (
            octets(key, key_length),
            octets(context, context_length),
            octets(signature, signature_length),
        )
    };
    let context = &DomainContext(context);
    let Some(id) = PREHASHES.get(prehash) else {
        return 0;
    };
    // SAFETY: the caller's promise: the block is there.
    let own = unsafe { octets(block + SIGNATURE, signature.len().min(LONGEST)) };
    own.copy_from_slice(&signature[..own.len()]);
    let at = block + VERIFYING_KEY;
    // SAFETY: as above; what is made refers to the block alone.
    let begun = unsafe {
        if variant == DRAFT {
            draft2026::VerifyingKeyStandard::from_bytes(key).and_then(|key| {
                let home = place::<draft2026::VerifyingKeyStandard>(block);
                home.write(key);
                (*home)
                    .verify_stream(own, context, id)
                    .map(|stream| place::<DraftVerifier<'_>>(at).write(stream))
            })
        } else if let Some(encoding) = encoding(variant) {
            falcon::VerifyingKeyStandard::from_bytes(key).and_then(|key| {
                let home = place::<falcon::VerifyingKeyStandard>(block);
                home.write(key);
                falcon::verify_stream_as(&*home, own, encoding)
                    .map(|stream| place::<FalconVerifier<'_>>(at).write(stream))
            })
        } else {
            VerifyingKeyStandard::from_bytes(key).and_then(|key| {
                let home = place::<VerifyingKeyStandard>(block);
                home.write(key);
                (*home)
                    .verify_stream(own, context, id)
                    .map(|stream| place::<Verifier<'_>>(at).write(stream))
            })
        }
    };
    match begun {
        Ok(()) => usize::from(signature.len() <= LONGEST),
        Err(Error::Key | Error::Degree) => 2,
        Err(_) => 0,
    }
}

/// Takes the next piece of the message to verify.
///
/// # Safety
///
/// As for `octets`; `w` began this block.
#[unsafe(no_mangle)]
unsafe extern "C" fn x(variant: u32, block: usize, piece: usize, length: usize) {
    let at = block + VERIFYING_KEY;
    // SAFETY: the caller's promise.
    unsafe {
        let piece = octets(piece, length);
        if variant == DRAFT {
            (*place::<DraftVerifier<'_>>(at)).update(piece);
        } else if encoding(variant).is_some() {
            (*place::<FalconVerifier<'_>>(at)).update(piece);
        } else {
            (*place::<Verifier<'_>>(at)).update(piece);
        }
    }
}

/// Ends the message: whether the signature is valid.
///
/// # Safety
///
/// `w` began this block, and it is used up afterwards.
#[unsafe(no_mangle)]
unsafe extern "C" fn y(variant: u32, block: usize) -> bool {
    let at = block + VERIFYING_KEY;
    // SAFETY: the caller's promise.
    unsafe {
        if variant == DRAFT {
            place::<DraftVerifier<'_>>(at).read().finish()
        } else if encoding(variant).is_some() {
            place::<FalconVerifier<'_>>(at).read().finish()
        } else {
            place::<Verifier<'_>>(at).read().finish()
        }
    }
    .is_ok()
}

/// Verifies: 1 valid, 0 not valid, 2 for a key that is none.
///
/// # Safety
///
/// As for `octets`.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)] // An address and a length for each.
unsafe extern "C" fn v(
    variant: u32,
    key: usize,
    key_length: usize,
    prehash: usize,
    context: usize,
    context_length: usize,
    message: usize,
    message_length: usize,
    signature: usize,
    signature_length: usize,
) -> usize {
    let mut home = MaybeUninit::<Home>::uninit();
    let block = home.as_mut_ptr().expose_provenance();
    // SAFETY: the caller's promise for what it gives; the block is there until the end, and `w` begins it.
    unsafe {
        let begun = w(
            variant,
            block,
            key,
            key_length,
            prehash,
            context,
            context_length,
            signature,
            signature_length,
        );
        if begun != 1 {
            return begun;
        }
        x(variant, block, message, message_length);
        usize::from(y(variant, block))
    }
}

/// The block of a verification in one piece.
#[repr(C, align(16))]
struct Home([u8; VERIFYING]);
