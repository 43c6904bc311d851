//! Encodings of keys and signatures, strict in both directions: every value has one encoding, and
//! nothing else decodes (Falcon specification, section 3.11).
//!
//! Variants pack bits in different orders; one body serves both, and the order is a constant of the
//! variant. [`pack`] and [`unpack`] take a time that depends on lengths alone, whatever the values, so
//! that they serve secret polynomials; the compressed encoding is for signatures, which are public.

use crate::errors::Error;
use crate::params::{
    BITS_BIG_F, BITS_H, BitOrder, HPK_LENGTH, NONCE_LENGTH, Q, Variant, bits_fg, signature_size,
    vrfy_key_size,
};

/// The high half of the first byte of each kind of object; the low half is logn.
pub(crate) mod header {
    pub(crate) const VERIFYING_KEY: u8 = 0x00;
    pub(crate) const SIGNING_KEY: u8 = 0x50;
    /// Compressed with the nonce: padded and unpadded signatures.
    pub(crate) const COMPRESSED: u8 = 0x30;
    /// The compressed s2 within a blob of the NIST interface, where the nonce stands elsewhere.
    pub(crate) const NIST_BLOB: u8 = 0x20;
    /// Fixed width: the constant-time encoding of signatures.
    pub(crate) const CONSTANT_TIME: u8 = 0x50;
}

/// The logn in the header of `bytes`, if the rest of the header is `kind`.
pub(crate) fn header_logn(bytes: &[u8], kind: u8) -> Option<u32> {
    let &first = bytes.first()?;
    (first & 0xf0 == kind).then_some(u32::from(first & 0x0f))
}

/// Packs values of `bits` bits (at most 25), without gaps. `output` has the exact length. (Only at degree 2
/// does a polynomial end within a byte, whose rest is zero.)
pub(crate) fn pack<V: Variant>(
    bits: u32,
    values: impl ExactSizeIterator<Item = u32>,
    output: &mut [u8],
) {
    debug_assert_eq!((values.len() * bits as usize).div_ceil(8), output.len());
    let mask = (1 << bits) - 1;
    let mut bytes = output.iter_mut();
    let mut buffer = 0u32;
    // Fewer than 8 bits wait in the buffer between values.
    let mut waiting = 0;
    for value in values {
        let value = value & mask;
        match V::BIT_ORDER {
            BitOrder::MsbFirst => buffer = buffer << bits | value,
            BitOrder::LsbFirst => buffer |= value << waiting,
        }
        waiting += bits;
        while waiting >= 8 {
            waiting -= 8;
            let byte = match V::BIT_ORDER {
                BitOrder::MsbFirst => (buffer >> waiting) as u8,
                BitOrder::LsbFirst => {
                    let low = buffer as u8;
                    buffer >>= 8;
                    low
                }
            };
            if let Some(slot) = bytes.next() {
                *slot = byte;
            }
        }
    }
    if let Some(slot) = bytes.next() {
        *slot = match V::BIT_ORDER {
            BitOrder::MsbFirst => (buffer << (8 - waiting)) as u8,
            BitOrder::LsbFirst => buffer as u8,
        };
    }
}

/// Calls `take(i, value)` for each value of `bits` bits (at most 25) in `input`.
#[inline(always)]
pub(crate) fn unpack<V: Variant>(bits: u32, input: &[u8], mut take: impl FnMut(usize, u32)) {
    let mask = (1 << bits) - 1;
    let count = input.len() * 8 / bits as usize;
    let extract = |window: [u8; 4], offset: u32| match V::BIT_ORDER {
        BitOrder::MsbFirst => u32::from_be_bytes(window) << offset >> (32 - bits),
        BitOrder::LsbFirst => u32::from_le_bytes(window) >> offset & mask,
    };
    for i in 0..count {
        let bit = i * bits as usize;
        let rest = &input[bit / 8..];
        let window = match rest.first_chunk() {
            Some(&window) => window,
            // The last three bytes.
            None => core::array::from_fn(|j| rest.get(j).copied().unwrap_or(0)),
        };
        take(i, extract(window, bit as u32 % 8));
    }
}

/// Sign-extends the low `bits` bits.
#[inline(always)]
fn sign_extend(value: u32, bits: u32) -> i32 {
    (value << (32 - bits)) as i32 >> (32 - bits)
}

/// Packs small signed values in two's complement.
fn pack_small<V: Variant>(bits: u32, values: &[i8], output: &mut [u8]) {
    pack::<V>(
        bits,
        values.iter().map(|&value| i32::from(value) as u32),
        output,
    );
}

/// The inverse of [`pack_small`]. The value -2^(bits-1) is refused; it has no negative.
fn unpack_small<V: Variant>(bits: u32, input: &[u8], values: &mut [i8]) -> Result<(), Error> {
    debug_assert_eq!(values.len() * bits as usize, input.len() * 8);
    let minimum = -1 << (bits - 1);
    let mut refused = 0;
    unpack::<V>(bits, input, |i, value| {
        let value = sign_extend(value, bits);
        refused |= u32::from(value == minimum);
        values[i] = value as i8;
    });
    if refused == 0 {
        Ok(())
    } else {
        Err(Error::Key)
    }
}

/// Splits off the first `n * bits / 8` bytes.
fn split_packed(bytes: &[u8], n: usize, bits: u32) -> (&[u8], &[u8]) {
    bytes.split_at(n * bits as usize / 8)
}

/// Encodes h, given as the variant's keys hold it.
pub(crate) fn encode_verifying_key<V: Variant>(logn: u32, h: &[u16], output: &mut [u8]) {
    debug_assert_eq!(output.len(), vrfy_key_size(logn));
    output[0] = header::VERIFYING_KEY + logn as u8;
    pack::<V>(BITS_H, h.iter().map(|&x| u32::from(x)), &mut output[1..]);
}

/// Decodes h, as the variant's keys hold it, into `h[..n]`. Header, length and range are checked:
/// whether the variant's type supports the degree is for the caller.
pub(crate) fn decode_verifying_key<V: Variant>(
    logn: u32,
    bytes: &[u8],
    h: &mut [u16],
) -> Result<(), Error> {
    if header_logn(bytes, header::VERIFYING_KEY) != Some(logn) || bytes.len() != vrfy_key_size(logn)
    {
        return Err(Error::Key);
    }
    let mut largest = 0;
    unpack::<V>(BITS_H, &bytes[1..], |i, value| {
        largest = largest.max(value);
        h[i] = value as u16;
    });
    // The rest of the last byte, at degree 2.
    let unused = (bytes.len() as u32 - 1) * 8 - (BITS_H << logn);
    let rest = match (V::BIT_ORDER, bytes[bytes.len() - 1]) {
        (BitOrder::MsbFirst, last) => u32::from(last) & ((1 << unused) - 1),
        (BitOrder::LsbFirst, last) => u32::from(last) >> (8 - unused),
    };
    if largest < Q && (unused == 0 || rest == 0) {
        Ok(())
    } else {
        Err(Error::Key)
    }
}

/// Encodes the secret polynomials; `hpk` is the hash of the verifying key, used if the variant's keys
/// hold it.
pub(crate) fn encode_signing_key<V: Variant>(
    logn: u32,
    f: &[i8],
    g: &[i8],
    big_f: &[i8],
    hpk: &[u8; HPK_LENGTH],
    output: &mut [u8],
) {
    debug_assert_eq!(output.len(), V::sign_key_size(logn));
    let n = 1 << logn;
    let (bits_fg, bits_f) = (bits_fg(logn), BITS_BIG_F);
    output[0] = header::SIGNING_KEY + logn as u8;
    let (f_bytes, rest) = output[1..].split_at_mut(n * bits_fg as usize / 8);
    let (g_bytes, rest) = rest.split_at_mut(n * bits_fg as usize / 8);
    let (big_f_bytes, rest) = rest.split_at_mut(n * bits_f as usize / 8);
    pack_small::<V>(bits_fg, &f[..n], f_bytes);
    pack_small::<V>(bits_fg, &g[..n], g_bytes);
    pack_small::<V>(bits_f, &big_f[..n], big_f_bytes);
    if V::KEY_HOLDS_HPK {
        rest.copy_from_slice(hpk);
    }
}

/// Decodes the secret polynomials. A stored hash of the verifying key is for the caller to look at.
pub(crate) fn decode_signing_key<V: Variant>(
    logn: u32,
    bytes: &[u8],
    f: &mut [i8],
    g: &mut [i8],
    big_f: &mut [i8],
) -> Result<(), Error> {
    if header_logn(bytes, header::SIGNING_KEY) != Some(logn)
        || bytes.len() != V::sign_key_size(logn)
    {
        return Err(Error::Key);
    }
    let n = 1 << logn;
    let bits = bits_fg(logn);
    let (f_bytes, rest) = split_packed(&bytes[1..], n, bits);
    let (g_bytes, rest) = split_packed(rest, n, bits);
    let (big_f_bytes, _) = split_packed(rest, n, BITS_BIG_F);
    unpack_small::<V>(bits, f_bytes, &mut f[..n])?;
    unpack_small::<V>(bits, g_bytes, &mut g[..n])?;
    unpack_small::<V>(BITS_BIG_F, big_f_bytes, &mut big_f[..n])
}

/// Encodes f and g alone, as they stand in a signing key: what the hedge of signing hashes.
/// Returns how many bytes of `output` were used.
pub(crate) fn encode_fg<V: Variant>(logn: u32, f: &[i8], g: &[i8], output: &mut [u8]) -> usize {
    let n = 1 << logn;
    let bits = bits_fg(logn);
    let (f_bytes, rest) = output.split_at_mut(n * bits as usize / 8);
    let (g_bytes, _) = rest.split_at_mut(n * bits as usize / 8);
    pack_small::<V>(bits, &f[..n], f_bytes);
    pack_small::<V>(bits, &g[..n], g_bytes);
    2 * f_bytes.len()
}

/// Bits of the low part of a compressed coefficient, which is written as it is.
const LOW_BITS: u32 = 7;

/// Compresses s2: for each x a sign bit, the low 7 bits of |x|, and |x| >> 7 in unary. Returns the
/// number of bytes that hold it, unless that is more than `output` has, or a coefficient is above the
/// variant's bound. What follows in `output` is zeroed.
pub(crate) fn compress<V: Variant>(s2: &[i16], output: &mut [u8]) -> Option<usize> {
    let mut bytes = output.iter_mut();
    let mut written = 0;
    let mut buffer = 0u64;
    let mut waiting = 0;
    for &x in s2 {
        let a = u32::from(x.unsigned_abs());
        if a > u32::from(V::COMPRESSED_BOUND) {
            return None;
        }
        let (low, high) = (a & 0x7f, a >> LOW_BITS);
        let sign = u32::from(x < 0);
        let length = LOW_BITS + 2 + high;
        // At most 7 + 24 bits wait.
        match V::BIT_ORDER {
            BitOrder::MsbFirst => {
                let code = (sign << LOW_BITS | low) << (high + 1) | 1;
                buffer = buffer << length | u64::from(code);
            }
            BitOrder::LsbFirst => {
                let code = sign | low << 1 | 1 << (LOW_BITS + 1 + high);
                buffer |= u64::from(code) << waiting;
            }
        }
        waiting += length;
        while waiting >= 8 {
            waiting -= 8;
            *bytes.next()? = match V::BIT_ORDER {
                BitOrder::MsbFirst => (buffer >> waiting) as u8,
                BitOrder::LsbFirst => {
                    let low = buffer as u8;
                    buffer >>= 8;
                    low
                }
            };
            written += 1;
        }
    }
    if waiting > 0 {
        *bytes.next()? = match V::BIT_ORDER {
            BitOrder::MsbFirst => (buffer << (8 - waiting)) as u8,
            BitOrder::LsbFirst => buffer as u8,
        };
        written += 1;
    }
    bytes.for_each(|byte| *byte = 0);
    Some(written)
}

/// Reads bits from the front of a byte string, up to 56 at a time.
struct BitReader<'a, V> {
    bytes: &'a [u8],
    /// The next bits, the very next one at the top (most significant bit first) or at the bottom.
    window: u64,
    /// How many bits of the window count. Bits beyond are either zero or those that follow.
    valid: u32,
    variant: core::marker::PhantomData<V>,
}

impl<'a, V: Variant> BitReader<'a, V> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            window: 0,
            valid: 0,
            variant: core::marker::PhantomData,
        }
    }

    /// Makes at least 56 bits valid, or all that are left.
    #[inline(always)]
    fn refill(&mut self) {
        if let Some(&chunk) = self.bytes.first_chunk() {
            // A whole word is laid over the window; the bytes that fit are counted, and a part of
            // the next one is already in place when it is laid there again.
            self.window |= match V::BIT_ORDER {
                BitOrder::MsbFirst => u64::from_be_bytes(chunk) >> self.valid,
                BitOrder::LsbFirst => u64::from_le_bytes(chunk) << self.valid,
            };
            self.bytes = &self.bytes[((63 - self.valid) / 8) as usize..];
            self.valid |= 56;
        } else {
            while self.valid <= 56 {
                let Some((&byte, rest)) = self.bytes.split_first() else {
                    break;
                };
                self.window |= match V::BIT_ORDER {
                    BitOrder::MsbFirst => u64::from(byte) << (56 - self.valid),
                    BitOrder::LsbFirst => u64::from(byte) << self.valid,
                };
                self.valid += 8;
                self.bytes = rest;
            }
        }
    }

    /// The first eight bits of the window, as sign and low part, and the zeros after them.
    #[inline(always)]
    fn peek(&self) -> (bool, u16, u32) {
        match V::BIT_ORDER {
            BitOrder::MsbFirst => (
                self.window >> 63 != 0,
                (self.window >> 56) as u16 & 0x7f,
                (self.window << 8).leading_zeros(),
            ),
            BitOrder::LsbFirst => (
                self.window & 1 != 0,
                (self.window >> 1) as u16 & 0x7f,
                (self.window >> 8).trailing_zeros(),
            ),
        }
    }

    #[inline(always)]
    fn consume(&mut self, bits: u32) {
        match V::BIT_ORDER {
            BitOrder::MsbFirst => self.window <<= bits,
            BitOrder::LsbFirst => self.window >>= bits,
        }
        self.valid -= bits;
    }
}

/// Decompresses s2. Returns the number of bytes read, the last of them possibly in part. Everything
/// after the last coefficient must be zero: both the rest of its byte and all other bytes, so that the
/// result is unique. Also refused: missing bits, "minus zero", a coefficient above the variant's bound.
pub(crate) fn decompress<V: Variant>(bytes: &[u8], s2: &mut [i16]) -> Option<usize> {
    let mut reader = BitReader::<V>::new(bytes);
    // A coefficient takes at most 9 + 15 bits, so that two fit into one refill.
    const { assert!(V::COMPRESSED_BOUND < 2048) }
    let mut refused = false;
    for pair in s2.chunks_mut(2) {
        reader.refill();
        for x in pair {
            let (negative, low, zeros) = reader.peek();
            let length = LOW_BITS + 2 + zeros;
            if zeros > u32::from(V::COMPRESSED_BOUND) >> LOW_BITS || length > reader.valid {
                return None;
            }
            reader.consume(length);
            let a = low | (zeros as u16) << LOW_BITS;
            refused |= (negative & (a == 0)) | (a > V::COMPRESSED_BOUND);
            let mask = -i16::from(negative);
            *x = (a as i16 ^ mask) - mask;
        }
    }
    // Only the bits that count: what stands beyond them in the window is counted among the bytes.
    let rest = match V::BIT_ORDER {
        _ if reader.valid == 0 => 0,
        BitOrder::MsbFirst => reader.window >> (64 - reader.valid),
        BitOrder::LsbFirst => reader.window << (64 - reader.valid),
    };
    let used = bytes.len() - reader.bytes.len() - (reader.valid / 8) as usize;
    let clean = rest == 0 && reader.bytes.iter().all(|&byte| byte == 0);
    (clean && !refused).then_some(used)
}

/// The parts of a padded signature: nonce and compressed s2, header and length checked.
pub(crate) fn split_signature(logn: u32, signature: &[u8]) -> Option<(&[u8; NONCE_LENGTH], &[u8])> {
    if signature.len() != signature_size(logn)
        || header_logn(signature, header::COMPRESSED) != Some(logn)
    {
        return None;
    }
    signature[1..].split_first_chunk()
}

/// Bits of a coefficient of s2 in the constant-time encoding, which takes no more than 2047.
pub(crate) const BITS_CONSTANT_TIME: u32 = 12;

/// Packs s2 at fixed width; `None` if a coefficient does not fit.
pub(crate) fn pack_s2<V: Variant>(s2: &[i16], output: &mut [u8]) -> Option<()> {
    let fits = s2.iter().all(|x| x.unsigned_abs() < 2048);
    pack::<V>(
        BITS_CONSTANT_TIME,
        s2.iter().map(|&x| i32::from(x) as u32),
        output,
    );
    fits.then_some(())
}

/// The inverse of [`pack_s2`]; -2048 is refused.
pub(crate) fn unpack_s2<V: Variant>(input: &[u8], s2: &mut [i16]) -> Option<()> {
    let mut refused = false;
    unpack::<V>(BITS_CONSTANT_TIME, input, |i, value| {
        let value = sign_extend(value, BITS_CONSTANT_TIME);
        refused |= value == -2048;
        s2[i] = value as i16;
    });
    (!refused).then_some(())
}

#[cfg(test)]
mod tests;
