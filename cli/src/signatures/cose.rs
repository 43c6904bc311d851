//! COSE_Sign1 (RFC 9052, section 4.2) with a detached payload, for the tools that load firmware.
//!
//! Only Ed25519 has a number that is assigned: -8 for EdDSA (RFC 9053, section 2.2), which everybody reads and which is
//! written here, and -19 for this curve alone (RFC 9864), which is read too. FN-DSA's numbers are asked for and not
//! assigned, and a hybrid has none.

use super::bare;
use crate::error::{Error, Kind};
use crate::text::Shown;
use coset::iana::{self, EnumI64};
use coset::{CborSerializable, CoseSign1, CoseSign1Builder, HeaderBuilder, TaggedCborSerializable};
use coset::{RegisteredLabelWithPrivate, SignatureContext, sig_structure_data};
use std::path::Path;

/// Ed25519 alone (RFC 9864), which the library of names is older than.
const ED25519: i64 = -19;

/// A signature whose payload is the file beside it.
#[derive(Debug)]
pub(crate) struct CoseSignature {
    message: CoseSign1,
}

/// True if a file begins as COSE_Sign1 does: its tag, an array of four, and a protected header of a few bytes. So does one bare
/// signature in some millions; those of a length that bare ones have are COSE if they are whole, and 64 bytes never are:
/// the signature alone has as many.
pub(crate) fn is_signature(bytes: &[u8]) -> bool {
    let begins = matches!(bytes, [0xd2, 0x84, 0x40..=0x58, ..]);
    begins && (!bare::is_length(bytes.len()) || bytes.len() != 64 && decode(bytes).is_ok())
}

/// With its tag or without.
fn decode(bytes: &[u8]) -> Result<CoseSign1, coset::CoseError> {
    CoseSign1::from_tagged_slice(bytes).or_else(|_| CoseSign1::from_slice(bytes))
}

fn new() -> CoseSign1Builder {
    let protected = HeaderBuilder::new()
        .algorithm(iana::Algorithm::EdDSA)
        .build();
    CoseSign1Builder::new().protected(protected)
}

/// What is signed before a payload of so many bytes.
pub(crate) fn prefix(length: u64) -> Vec<u8> {
    prefix_of(&new().build(), length)
}

/// The structure that is signed (RFC 9052, section 4.4) ends in the payload as a byte string: so with an empty one, whose
/// head is one byte, and the head of the true one in its place.
fn prefix_of(message: &CoseSign1, length: u64) -> Vec<u8> {
    let context = SignatureContext::CoseSign1;
    let mut bytes = sig_structure_data(context, message.protected.clone(), None, b"", b"");
    let empty = bytes.pop();
    debug_assert_eq!(empty, Some(0x40));
    // RFC 8949, section 3: major type 2, and the shortest form of the length.
    match length {
        0..24 => bytes.push(0x40 | length as u8),
        24..0x100 => bytes.extend([0x58, length as u8]),
        0x100..0x1_0000 => {
            bytes.push(0x59);
            bytes.extend((length as u16).to_be_bytes());
        }
        0x1_0000..0x1_0000_0000 => {
            bytes.push(0x5a);
            bytes.extend((length as u32).to_be_bytes());
        }
        _ => {
            bytes.push(0x5b);
            bytes.extend(length.to_be_bytes());
        }
    }
    bytes
}

/// The signature file.
pub(crate) fn compose(signature: Vec<u8>) -> Result<Vec<u8>, Error> {
    new()
        .signature(signature)
        .build()
        .to_tagged_vec()
        .map_err(|e| Error::new(Kind::Io, format!("cannot encode the signature: {e}")))
}

/// Reads a signature file, with or without its tag; `path` is for errors.
pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<CoseSignature, Error> {
    let bad = |why: &str| {
        let message = format!(
            "{} is not a usable COSE_Sign1 signature: {why}",
            Shown(path)
        );
        Error::new(Kind::BadSignatureFile, message).with_path(path)
    };
    let message = decode(bytes).map_err(|e| bad(&format!("its CBOR is broken ({e})")))?;
    if message.payload.is_some() {
        return Err(bad("its payload is within it, and not detached"));
    }
    let header = &message.protected.header;
    if !header.crit.is_empty() {
        return Err(bad("it has a header that must be understood, and is not"));
    }
    let algorithm = match &header.alg {
        Some(RegisteredLabelWithPrivate::Assigned(algorithm)) => algorithm.to_i64(),
        Some(RegisteredLabelWithPrivate::PrivateUse(number)) => *number,
        _ => return Err(bad("it does not say of which algorithm it is")),
    };
    if ![iana::Algorithm::EdDSA.to_i64(), ED25519].contains(&algorithm) {
        return Err(bad(&format!(
            "it is of the algorithm {algorithm}, and not of Ed25519"
        )));
    }
    if message.signature.len() != 64 {
        return Err(bad("its signature does not have 64 bytes"));
    }
    Ok(CoseSignature { message })
}

impl CoseSignature {
    pub(crate) fn signature(&self) -> &[u8] {
        &self.message.signature
    }

    /// What is signed before a payload of so many bytes.
    pub(crate) fn prefix(&self, length: u64) -> Vec<u8> {
        prefix_of(&self.message, length)
    }
}
