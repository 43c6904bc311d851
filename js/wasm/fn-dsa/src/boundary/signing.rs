//! Keys and signatures: what the module has besides verification.

use lanner_fn_dsa::{
    SigningKeyStandard, StreamSignerStandard, sign_key_size, signature_size, vrfy_key_size,
};
use rand_core::{TryCryptoRng, TryRng};

use super::{
    DRAFT, DomainContext, Encoding, Error, LONGEST, PREHASHES, draft2026, encoding, falcon, octets,
    place,
};

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

/// A signature under way: the decoded key is at the start of its block, and this behind it. The other side may keep
/// the octets of a block elsewhere between calls; it gives them back at the same address.
type Signer<'k> = StreamSignerStandard<'k>;
type DraftSigner<'k> = draft2026::StreamSignerStandard<'k>;
type FalconSigner<'k> = falcon::StreamSignerStandard<'k>;

const KEY: usize = size_of::<Key>().next_multiple_of(16);

/// Octets of the block of a signature under way.
pub(super) const BLOCK: usize = (KEY + size_of::<Signer<'_>>()).next_multiple_of(16);

alike!(Signer<'_>, DraftSigner<'_>, FalconSigner<'_>);

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
