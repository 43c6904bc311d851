//! The exports of the module. Input and output lie in memory that the other side has grown; each
//! function is given addresses and lengths, and the other side wipes what it gave and the stack.
#![allow(unsafe_code)]

use core::slice;

use lanner_fn_dsa::falcon::{self, Encoding};
use lanner_fn_dsa::{
    DomainContext, Error, HASH_ID_RAW, SigningKeyStandard, VerifyingKeyStandard, draft2026,
    sign_key_size, signature_size, vrfy_key_size,
};
use rand_core::{TryCryptoRng, TryRng};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

/// The variants, by the numbers that the other side gives them.
const MAIN: u32 = 0;
const DRAFT: u32 = 1;
const FALCON_COMPRESSED: u32 = 2;
const FALCON_PADDED: u32 = 3;
const FALCON_CONSTANT_TIME: u32 = 4;

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

/// Writes the public key of a secret key; false where it is none.
///
/// # Safety
///
/// As for `octets`.
#[unsafe(no_mangle)]
unsafe extern "C" fn p(variant: u32, key: usize, key_length: usize, output: usize) -> usize {
    // SAFETY: the caller's promise.
    let key = unsafe { octets(key, key_length) };
    let write = |logn, write: &dyn Fn(&mut [u8]) -> Result<(), Error>| {
        let length = vrfy_key_size(logn);
        // SAFETY: the caller's promise.
        write(unsafe { octets(output, length) }).map(|()| length)
    };
    let length = if variant == DRAFT {
        draft2026::SigningKeyStandard::from_bytes(key).and_then(|key| {
            write(key.logn(), &|output| {
                key.verifying_key().write_bytes(output)
            })
        })
    } else {
        SigningKeyStandard::from_bytes(key).and_then(|key| {
            write(key.logn(), &|output| {
                key.verifying_key().write_bytes(output)
            })
        })
    };
    length.unwrap_or(0)
}

fn encoding(variant: u32) -> Option<Encoding> {
    match variant {
        FALCON_COMPRESSED => Some(Encoding::Compressed),
        FALCON_PADDED => Some(Encoding::Padded),
        FALCON_CONSTANT_TIME => Some(Encoding::ConstantTime),
        _ => None,
    }
}

/// Signs; the length of the signature, 0 for a key that is none. The randomness lies at the start
/// of the output, which has room for 1600 octets.
///
/// # Safety
///
/// As for `octets`.
#[unsafe(no_mangle)]
unsafe extern "C" fn s(
    variant: u32,
    key: usize,
    key_length: usize,
    context: usize,
    context_length: usize,
    message: usize,
    message_length: usize,
    output: usize,
) -> usize {
    // SAFETY: the caller's promise, for each.
    let (key, context, message, output) = unsafe {
        (
            octets(key, key_length),
            octets(context, context_length),
            octets(message, message_length),
            octets(output, 1600),
        )
    };
    let mut random = [0; RANDOM];
    random.copy_from_slice(&output[..RANDOM]);
    let rng = &mut Given(&random);
    let context = &DomainContext(context);
    let made = match (variant, encoding(variant)) {
        (MAIN, _) => SigningKeyStandard::from_bytes(key).and_then(|key| {
            let length = signature_size(key.logn());
            key.sign_bytes(rng, context, &HASH_ID_RAW, message, &mut output[..length])
                .map(|()| length)
        }),
        (DRAFT, _) => draft2026::SigningKeyStandard::from_bytes(key).and_then(|key| {
            let length = signature_size(key.logn());
            key.sign_bytes(rng, context, &HASH_ID_RAW, message, &mut output[..length])
                .map(|()| length)
        }),
        (_, Some(encoding)) => SigningKeyStandard::from_bytes(key)
            .and_then(|key| falcon::sign(&key, rng, message, encoding, output)),
        _ => Err(Error::Key),
    };
    made.unwrap_or(0)
}

/// Verifies: 1 valid, 0 not valid, 2 for a key that is none.
///
/// # Safety
///
/// As for `octets`.
#[unsafe(no_mangle)]
unsafe extern "C" fn v(
    variant: u32,
    key: usize,
    key_length: usize,
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
    let verdict = if variant == DRAFT {
        draft2026::VerifyingKeyStandard::from_bytes(key)
            .map(|key| key.try_verify(signature, context, &HASH_ID_RAW, message))
    } else {
        VerifyingKeyStandard::from_bytes(key).map(|key| match encoding(variant) {
            None => key.try_verify(signature, context, &HASH_ID_RAW, message),
            Some(encoding) if fits(encoding, key.logn(), signature) => {
                falcon::verify(&key, signature, message)
            }
            Some(_) => Err(Error::Signature),
        })
    };
    match verdict {
        Ok(Ok(())) => 1,
        Ok(Err(_)) => 0,
        Err(_) => 2,
    }
}

/// Whether a signature of Falcon is in the encoding asked for, rather than in another one.
fn fits(encoding: Encoding, logn: u32, signature: &[u8]) -> bool {
    let padded = signature.len() == signature_size(logn);
    let constant_time = signature.first().is_some_and(|head| head >> 4 == 5);
    match encoding {
        Encoding::Compressed => !constant_time,
        Encoding::Padded => padded && !constant_time,
        Encoding::ConstantTime => constant_time,
    }
}
