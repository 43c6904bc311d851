//! The exports of the module. Input and output lie in memory that the other side has grown; each
//! function is given addresses and lengths, and the other side wipes what it gave and the stack.
#![allow(unsafe_code)]

use core::slice;

use lanner_fn_dsa::draft2026::{self, HASH_ID_EXTMU};
use lanner_fn_dsa::falcon::{self, Encoding};
use lanner_fn_dsa::{
    DomainContext, Error, HASH_ID_RAW, HASH_ID_SHA3_256, HASH_ID_SHA3_384, HASH_ID_SHA3_512,
    HASH_ID_SHA256, HASH_ID_SHA384, HASH_ID_SHA512, HASH_ID_SHA512_256, HASH_ID_SHAKE128,
    HASH_ID_SHAKE256, HashIdentifier, SigningKeyStandard, VerifyingKeyStandard, sign_key_size,
    signature_size, vrfy_key_size,
};
use rand_core::{TryCryptoRng, TryRng};

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

/// A decoded secret key of the main variant, of the draft guess, and of Falcon: plain values without
/// addresses, so that the other side can keep the octets of one between calls.
type Key = SigningKeyStandard;
type DraftKey = draft2026::SigningKeyStandard;
type FalconKey = falcon::SigningKeyStandard;

const _: () = assert!(size_of::<Key>() == size_of::<DraftKey>() && align_of::<Key>() <= 16);
const _: () = assert!(align_of::<DraftKey>() <= 16);
const _: () = assert!(size_of::<Key>() == size_of::<FalconKey>() && align_of::<FalconKey>() <= 16);

/// Octets of the random input of a signature: more than any variant takes.
const RANDOM: usize = 96;

/// Randomness that the other side gave; it is an error if it does not suffice.
struct Given<'a>(&'a [u8]);

/// The given randomness is used up.
#[derive(Debug)]
struct UsedUp;

impl core::fmt::Display for UsedUp {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the randomness is used up")
    }
}

impl core::error::Error for UsedUp {}

impl TryRng for Given<'_> {
    type Error = UsedUp;

    fn try_next_u32(&mut self) -> Result<u32, UsedUp> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, UsedUp> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), UsedUp> {
        let (taken, rest) = self.0.split_at_checked(output.len()).ok_or(UsedUp)?;
        output.copy_from_slice(taken);
        self.0 = rest;
        Ok(())
    }
}

impl TryCryptoRng for Given<'_> {}

/// # Safety
///
/// `length` octets from `address` on are memory that the other side owns and leaves alone during
/// the call, and that is given once.
unsafe fn octets<'a>(address: usize, length: usize) -> &'a mut [u8] {
    let start = core::ptr::with_exposed_provenance_mut(address);
    // SAFETY: the caller's promise; octets have no alignment, and any value is one.
    unsafe { slice::from_raw_parts_mut(start, length) }
}

/// Makes a key pair from a seed of 32 octets: the secret key, and after it the public key. Tells the
/// length of the secret key, 0 for an error.
///
/// # Safety
///
/// As for `octets`.
#[unsafe(no_mangle)]
unsafe extern "C" fn g(variant: u32, logn: u32, seed: usize, output: usize) -> usize {
    let mut bytes = [0; 32];
    // SAFETY: the caller's promise.
    bytes.copy_from_slice(unsafe { octets(seed, 32) });
    let (secret, public) = match variant {
        DRAFT => (draft2026::sign_key_size(logn), vrfy_key_size(logn)),
        _ => (sign_key_size(logn), vrfy_key_size(logn)),
    };
    // SAFETY: the caller's promise.
    let output = unsafe { octets(output, secret + public) };
    let (secret, public) = output.split_at_mut(secret);
    let made = if variant == DRAFT {
        draft2026::SigningKeyStandard::from_seed_of_degree(logn, &bytes).and_then(|key| {
            key.write_bytes(secret)?;
            key.verifying_key().write_bytes(public)
        })
    } else {
        SigningKeyStandard::from_seed_of_degree(logn, &bytes).and_then(|key| {
            key.write_bytes(secret)?;
            key.verifying_key().write_bytes(public)
        })
    };
    if made.is_ok() { secret.len() } else { 0 }
}

/// How many octets a decoded key has.
#[unsafe(no_mangle)]
extern "C" fn n() -> usize {
    size_of::<Key>()
}

/// Decodes a secret key to `output`, which has room for `n()` octets and an address that 16 divides.
/// False for octets that are no key.
///
/// # Safety
///
/// As for `octets`.
#[unsafe(no_mangle)]
unsafe extern "C" fn k(variant: u32, key: usize, key_length: usize, output: usize) -> bool {
    // SAFETY: the caller's promise.
    let key = unsafe { octets(key, key_length) };
    // SAFETY: the caller's promise: there is room, and nothing that would have to be dropped.
    unsafe {
        if variant == DRAFT {
            DraftKey::from_bytes(key).map(|key| place::<DraftKey>(output).write(key))
        } else if encoding(variant).is_some() {
            FalconKey::from_bytes(key).map(|key| place::<FalconKey>(output).write(key))
        } else {
            Key::from_bytes(key).map(|key| place::<Key>(output).write(key))
        }
    }
    .is_ok()
}

fn place<T>(address: usize) -> *mut T {
    core::ptr::with_exposed_provenance_mut(address)
}

/// Writes the public key of a decoded secret key, and tells its length.
///
/// # Safety
///
/// As for `octets`; the key is one that `k` wrote for this variant.
#[unsafe(no_mangle)]
unsafe extern "C" fn p(variant: u32, key: usize, output: usize) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        if variant == DRAFT {
            let key = &*place::<DraftKey>(key);
            let output = octets(output, vrfy_key_size(key.logn()));
            key.verifying_key()
                .write_bytes(output)
                .map(|()| output.len())
        } else if encoding(variant).is_some() {
            let key = &*place::<FalconKey>(key);
            let output = octets(output, vrfy_key_size(key.logn()));
            key.verifying_key()
                .write_bytes(output)
                .map(|()| output.len())
        } else {
            let key = &*place::<Key>(key);
            let output = octets(output, vrfy_key_size(key.logn()));
            key.verifying_key()
                .write_bytes(output)
                .map(|()| output.len())
        }
    }
    .unwrap_or(0)
}

fn encoding(variant: u32) -> Option<Encoding> {
    match variant {
        FALCON_COMPRESSED => Some(Encoding::Compressed),
        FALCON_PADDED => Some(Encoding::Padded),
        FALCON_CONSTANT_TIME => Some(Encoding::ConstantTime),
        _ => None,
    }
}

/// What a signature of the main variant or of the draft guess is made from.
type Framed<'a> = (&'a DomainContext<'a>, &'a HashIdentifier<'static>, &'a [u8]);

/// Three functions, and none of them inlined, or their memory stands side by side on the stack.
#[inline(never)]
fn sign_main(
    key: &Key,
    rng: &mut Given<'_>,
    (context, id, message): Framed<'_>,
    output: &mut [u8],
) -> Result<usize, Error> {
    let output = &mut output[..signature_size(key.logn())];
    key.sign_bytes(rng, context, id, message, output)
        .map(|()| output.len())
}

#[inline(never)]
fn sign_draft(
    key: &DraftKey,
    rng: &mut Given<'_>,
    (context, id, message): Framed<'_>,
    output: &mut [u8],
) -> Result<usize, Error> {
    let output = &mut output[..signature_size(key.logn())];
    key.sign_bytes(rng, context, id, message, output)
        .map(|()| output.len())
}

#[inline(never)]
fn sign_falcon(
    key: &FalconKey,
    rng: &mut Given<'_>,
    message: &[u8],
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    falcon::sign(key, rng, message, encoding, output)
}

/// Signs with a decoded key; the length of the signature, 0 where the key makes none. The randomness lies at
/// the start of the output, which has room for 1600 octets.
///
/// # Safety
///
/// As for `octets`; the key is one that `k` wrote for this variant.
#[unsafe(no_mangle)]
unsafe extern "C" fn s(
    variant: u32,
    key: usize,
    prehash: usize,
    context: usize,
    context_length: usize,
    message: usize,
    message_length: usize,
    output: usize,
) -> usize {
    // SAFETY: the caller's promise, for each.
    let (context, message, output) = unsafe {
        (
            octets(context, context_length),
            octets(message, message_length),
            octets(output, 1600),
        )
    };
    let mut random = [0; RANDOM];
    random.copy_from_slice(&output[..RANDOM]);
    let rng = &mut Given(&random);
    let context = &DomainContext(context);
    let Some(id) = PREHASHES.get(prehash) else {
        return 0;
    };
    let made = if variant == DRAFT {
        // SAFETY: the caller's promise.
        let key = unsafe { &*place::<DraftKey>(key) };
        sign_draft(key, rng, (context, id, message), output)
    } else if let Some(encoding) = encoding(variant) {
        // SAFETY: the caller's promise.
        let key = unsafe { &*place::<FalconKey>(key) };
        sign_falcon(key, rng, message, encoding, output)
    } else {
        // SAFETY: the caller's promise.
        let key = unsafe { &*place::<Key>(key) };
        sign_main(key, rng, (context, id, message), output)
    };
    made.unwrap_or(0)
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
    // SAFETY: the caller's promise, for each.
    let (key, context, message, signature) = unsafe {
        (
            octets(key, key_length),
            octets(context, context_length),
            octets(message, message_length),
            octets(signature, signature_length),
        )
    };
    let context = &DomainContext(context);
    let Some(id) = PREHASHES.get(prehash) else {
        return 0;
    };
    let verdict = if variant == DRAFT {
        draft2026::VerifyingKeyStandard::from_bytes(key)
            .and_then(|key| key.try_verify(signature, context, id, message))
    } else if let Some(encoding) = encoding(variant) {
        falcon::verify_with_encoded_key_as(key, signature, message, encoding)
    } else {
        VerifyingKeyStandard::from_bytes(key)
            .and_then(|key| key.try_verify(signature, context, id, message))
    };
    match verdict {
        Ok(()) => 1,
        Err(Error::Key | Error::Degree) => 2,
        Err(_) => 0,
    }
}
