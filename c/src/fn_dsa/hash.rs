//! What is signed: the message, or a hash of it. `enum lanner_fn_dsa_hash` of `lanner.h`.

use core::ffi::c_int;

use lanner_fn_dsa::draft2026::HASH_ID_EXTMU;
use lanner_fn_dsa::{
    HASH_ID_RAW, HASH_ID_SHA3_256, HASH_ID_SHA3_384, HASH_ID_SHA3_512, HASH_ID_SHA256,
    HASH_ID_SHA384, HASH_ID_SHA512, HASH_ID_SHA512_256, HASH_ID_SHAKE128, HASH_ID_SHAKE256,
    HashIdentifier,
};

use super::Variant;
use crate::status::Error;

/// The identifiers in the order of their numbers, with the length of the hash in bytes (0: any).
const HASHES: [(HashIdentifier<'static>, usize); 11] = [
    (HASH_ID_RAW, 0),
    (HASH_ID_SHA256, 32),
    (HASH_ID_SHA384, 48),
    (HASH_ID_SHA512, 64),
    (HASH_ID_SHA512_256, 32),
    (HASH_ID_SHA3_256, 32),
    (HASH_ID_SHA3_384, 48),
    (HASH_ID_SHA3_512, 64),
    // The output of these two is not bound to one length.
    (HASH_ID_SHAKE128, 0),
    (HASH_ID_SHAKE256, 0),
    (HASH_ID_EXTMU, 64),
];

/// The number of mu, which one variant alone knows.
const EXTERNAL_MU: c_int = 10;

/// The identifier with that number, and the length of the hash in bytes (0: any).
pub(super) fn entry(
    variant: Variant,
    number: c_int,
) -> Result<(HashIdentifier<'static>, usize), Error> {
    if number == EXTERNAL_MU && variant != Variant::Draft2026 {
        return Err(Error::Unsupported);
    }
    usize::try_from(number)
        .ok()
        .and_then(|number| HASHES.get(number))
        .copied()
        .ok_or(Error::Unsupported)
}

/// The identifier with that number, for a hash value of `length` bytes: an error if the hash has another length.
pub(super) fn identifier_of_length(
    variant: Variant,
    number: c_int,
    length: usize,
) -> Result<HashIdentifier<'static>, Error> {
    match entry(variant, number)? {
        (_, wanted) if wanted != 0 && wanted != length => Err(Error::Length),
        (id, _) => Ok(id),
    }
}
