//! Uniform bytes of a message and a tag: expand_message_xmd (RFC 9380, section 5.3.1).

use digest::array::Array;
use digest::block_api::BlockSizeUser;
use digest::{FixedOutput, HashMarker, Output, Update};

/// The longest tag that is used as it is.
const MAX_TAG: usize = 255;

/// What a tag that is longer is hashed with (RFC 9380, section 5.3.3).
const OVERSIZE: &[u8] = b"H2C-OVERSIZE-DST-";

/// DST_prime: the tag and its length.
enum Tag<'a, D: FixedOutput> {
    Short(&'a [&'a [u8]], u8),
    Hashed(Output<D>),
}

impl<'a, D: Default + Update + FixedOutput> Tag<'a, D> {
    /// Panics if the tag is empty.
    fn new(parts: &'a [&'a [u8]]) -> Self {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        assert_ne!(len, 0, "a domain separation tag must not be empty");
        if len > MAX_TAG {
            let mut hash = D::default();
            hash.update(OVERSIZE);
            absorb(&mut hash, parts);
            Self::Hashed(hash.finalize_fixed())
        } else {
            Self::Short(parts, len as u8)
        }
    }

    fn absorb_into(&self, hash: &mut D) {
        match self {
            Self::Short(parts, len) => {
                absorb(hash, parts);
                hash.update(&[*len]);
            }
            Self::Hashed(output) => {
                hash.update(output);
                hash.update(&[output.len() as u8]);
            }
        }
    }
}

fn absorb(hash: &mut impl Update, parts: &[&[u8]]) {
    for part in parts {
        hash.update(part);
    }
}

/// Fills `uniform`, at most 255 outputs of the hash and 65535 bytes. Panics if the tag is empty.
pub(super) fn expand_message<D>(message: &[&[u8]], tag: &[&[u8]], uniform: &mut [u8])
where
    D: BlockSizeUser + Default + FixedOutput + HashMarker + Update,
{
    let tag = Tag::<D>::new(tag);
    let len = u16::try_from(uniform.len()).expect("at most 65535 bytes");

    let mut hash = D::default();
    hash.update(&Array::<u8, D::BlockSize>::default());
    absorb(&mut hash, message);
    hash.update(&len.to_be_bytes());
    hash.update(&[0]);
    tag.absorb_into(&mut hash);
    let first = hash.finalize_fixed();

    let mut previous = Output::<D>::default();
    for (number, bytes) in (1u8..=255).zip(uniform.chunks_mut(first.len())) {
        // The first XOR is with zeros.
        for (byte, first) in previous.iter_mut().zip(&first) {
            *byte ^= first;
        }
        let mut hash = D::default();
        hash.update(&previous);
        hash.update(&[number]);
        tag.absorb_into(&mut hash);
        previous = hash.finalize_fixed();
        bytes.copy_from_slice(&previous[..bytes.len()]);
    }
}
