//! The exports of the module. Input and output lie in memory that the other side has grown; each
//! function is given addresses and lengths, and the other side wipes what it gave and the stack.
#![allow(unsafe_code)]

use core::slice;

use lanner_fn_dsa::draft2026::{self, HASH_ID_EXTMU};
use lanner_fn_dsa::falcon::{self, Encoding};
use lanner_fn_dsa::{
    DomainContext, Error, HASH_ID_RAW, HASH_ID_SHA3_256, HASH_ID_SHA3_384, HASH_ID_SHA3_512,
    HASH_ID_SHA256, HASH_ID_SHA384, HASH_ID_SHA512, HASH_ID_SHA512_256, HASH_ID_SHAKE128,
    HASH_ID_SHAKE256, HashIdentifier, SigningKeyStandard, StreamSignerStandard,
    StreamVerifierStandard, VerifyingKeyStandard, sign_key_size, signature_size, vrfy_key_size,
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

/// Octets of the random input of a signature.
const RANDOM: usize = 40;

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

/// A signature under way: the decoded key is at the start of its block, and this behind it. The other side may keep
/// the octets of a block elsewhere between calls; it gives them back at the same address.
type Signer<'k> = StreamSignerStandard<'k>;
type DraftSigner<'k> = draft2026::StreamSignerStandard<'k>;
type FalconSigner<'k> = falcon::StreamSignerStandard<'k>;

const KEY: usize = size_of::<Key>().next_multiple_of(16);

/// A verification under way: the decoded key, this, and the signature.
type Verifier<'k> = StreamVerifierStandard<'k, 'k>;
type DraftVerifier<'k> = draft2026::StreamVerifierStandard<'k, 'k>;
type FalconVerifier<'k> = falcon::StreamVerifierStandard<'k, 'k>;

const VERIFYING_KEY: usize = size_of::<VerifyingKeyStandard>().next_multiple_of(16);
const SIGNATURE: usize = VERIFYING_KEY + size_of::<Verifier<'_>>().next_multiple_of(16);

/// Octets of the longest signature, and of what `s` writes to.
const LONGEST: usize = 1600;

const BLOCK: usize = {
    let (signing, verifying) = (KEY + size_of::<Signer<'_>>(), SIGNATURE + LONGEST);
    if signing > verifying {
        signing.next_multiple_of(16)
    } else {
        verifying.next_multiple_of(16)
    }
};

macro_rules! alike {
    ($one:ty, $($other:ty),+) => {$(
        const _: () = assert!(size_of::<$other>() <= size_of::<$one>());
        const _: () = assert!(align_of::<$one>() <= 16 && align_of::<$other>() <= 16);
    )+};
}
alike!(Signer<'_>, DraftSigner<'_>, FalconSigner<'_>);
alike!(Verifier<'_>, DraftVerifier<'_>, FalconVerifier<'_>);

/// How many octets the block of a signature or a verification under way has; its address is a multiple of 16.
#[unsafe(no_mangle)]
extern "C" fn m() -> usize {
    BLOCK
}

/// Begins to sign with the decoded key at the start of the block, and with 40 random octets. False where the hash
/// function is none.
///
/// # Safety
///
/// As for `octets`; the key is one that `k` wrote for this variant.
#[unsafe(no_mangle)]
unsafe extern "C" fn b(
    variant: u32,
    block: usize,
    prehash: usize,
    context: usize,
    context_length: usize,
    random: usize,
) -> bool {
    // SAFETY: the caller's promise, for each.
    let (context, random) = unsafe { (octets(context, context_length), octets(random, RANDOM)) };
    let rng = &mut Given(random);
    let context = &DomainContext(context);
    let Some(id) = PREHASHES.get(prehash) else {
        return false;
    };
    // SAFETY: the caller's promise: the key is there, and there is room behind it.
    unsafe {
        if variant == DRAFT {
            (*place::<DraftKey>(block))
                .stream_signer(rng, context, id)
                .map(|signer| place::<DraftSigner<'_>>(block + KEY).write(signer))
        } else if encoding(variant).is_some() {
            falcon::stream_signer(&*place::<FalconKey>(block), rng)
                .map(|signer| place::<FalconSigner<'_>>(block + KEY).write(signer))
        } else {
            (*place::<Key>(block))
                .stream_signer(rng, context, id)
                .map(|signer| place::<Signer<'_>>(block + KEY).write(signer))
        }
    }
    .is_ok()
}

/// Takes the next piece of the message to sign.
///
/// # Safety
///
/// As for `octets`; `b` began this block.
#[unsafe(no_mangle)]
unsafe extern "C" fn u(variant: u32, block: usize, piece: usize, length: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let piece = octets(piece, length);
        if variant == DRAFT {
            (*place::<DraftSigner<'_>>(block + KEY)).update(piece);
        } else if encoding(variant).is_some() {
            (*place::<FalconSigner<'_>>(block + KEY)).update(piece);
        } else {
            (*place::<Signer<'_>>(block + KEY)).update(piece);
        }
    }
}

/// Three functions, and none of them inlined, or their memory stands side by side on the stack.
#[inline(never)]
fn sign_main(signer: Signer<'_>, logn: u32, output: &mut [u8]) -> Result<usize, Error> {
    let output = &mut output[..signature_size(logn)];
    signer.finish(output).map(|()| output.len())
}

#[inline(never)]
fn sign_draft(signer: DraftSigner<'_>, logn: u32, output: &mut [u8]) -> Result<usize, Error> {
    let output = &mut output[..signature_size(logn)];
    signer.finish(output).map(|()| output.len())
}

#[inline(never)]
fn sign_falcon(
    signer: FalconSigner<'_>,
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    signer.finish_as(encoding, output)
}

/// Ends the message and signs it; the length of the signature, 0 where the key makes none. The output has room
/// for 1600 octets.
///
/// # Safety
///
/// As for `octets`; `b` began this block, and it is used up afterwards.
#[unsafe(no_mangle)]
unsafe extern "C" fn s(variant: u32, block: usize, output: usize) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let output = octets(output, LONGEST);
        if variant == DRAFT {
            let logn = (*place::<DraftKey>(block)).logn();
            sign_draft(place::<DraftSigner<'_>>(block + KEY).read(), logn, output)
        } else if let Some(encoding) = encoding(variant) {
            sign_falcon(
                place::<FalconSigner<'_>>(block + KEY).read(),
                encoding,
                output,
            )
        } else {
            let logn = (*place::<Key>(block)).logn();
            sign_main(place::<Signer<'_>>(block + KEY).read(), logn, output)
        }
    }
    .unwrap_or(0)
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
