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
use crate::wiping::wipe;

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

/// So many values of `bits` bits, at most 8 or an even number up to 16, fill whole bytes and fit into one
/// word: their number, and that of the bytes.
#[inline(always)]
fn group(bits: u32) -> (usize, usize) {
    let values = if bits <= 8 { 8 } else { 4 };
    debug_assert!(bits * values <= 64 && (bits * values).is_multiple_of(8));
    (values as usize, (bits * values / 8) as usize)
}

/// Converts values to `bits` bits each (see [`group`]) and packs them, without gaps. `output` has the exact
/// length. (Only at degree 2 does a polynomial end within a byte, whose rest is zero.) For speed `bits` is
/// a constant where this is inlined, as for [`unpack`].
#[inline(always)]
fn pack<V: Variant, T: Copy>(
    bits: u32,
    values: &[T],
    output: &mut [u8],
    convert: impl Fn(T) -> u32,
) {
    debug_assert_eq!((values.len() * bits as usize).div_ceil(8), output.len());
    let (group, bytes) = group(bits);
    let pack_group = |values: &[T], output: &mut [u8]| {
        let mut window = 0;
        for (i, &value) in (0..).zip(values) {
            let value = u64::from(convert(value)) & ((1 << bits) - 1);
            window |= match V::BIT_ORDER {
                BitOrder::MsbFirst => value << (64 - bits - i * bits),
                BitOrder::LsbFirst => value << (i * bits),
            };
        }
        let window: [u8; 8] = match V::BIT_ORDER {
            BitOrder::MsbFirst => u64::to_be_bytes(window),
            BitOrder::LsbFirst => u64::to_le_bytes(window),
        };
        for (to, byte) in output.iter_mut().zip(window) {
            *to = byte;
        }
    };
    let groups = values.len() / group;
    let (values, last_values) = values.split_at(groups * group);
    let (output, last_output) = output.split_at_mut(groups * bytes);
    let outputs = output.chunks_exact_mut(bytes);
    for (values, output) in values.chunks_exact(group).zip(outputs) {
        pack_group(values, output);
    }
    // Only degrees below a group leave an incomplete one.
    pack_group(last_values, last_output);
}

/// Unpacks values of `bits` bits and converts them.
#[inline(always)]
fn unpack<V: Variant, T>(bits: u32, input: &[u8], values: &mut [T], convert: impl Fn(u32) -> T) {
    debug_assert_eq!((values.len() * bits as usize).div_ceil(8), input.len());
    let (group, bytes) = group(bits);
    let unpack_group = |g: usize, values: &mut [T]| {
        let rest = &input[g * bytes..];
        let window = match rest.first_chunk() {
            Some(&window) => window,
            // The last seven bytes.
            None => core::array::from_fn(|j| rest.get(j).copied().unwrap_or(0)),
        };
        let mut window = match V::BIT_ORDER {
            BitOrder::MsbFirst => u64::from_be_bytes(window),
            BitOrder::LsbFirst => u64::from_le_bytes(window),
        };
        for value in values {
            *value = convert(match V::BIT_ORDER {
                BitOrder::MsbFirst => (window >> (64 - bits)) as u32,
                BitOrder::LsbFirst => window as u32 & ((1 << bits) - 1),
            });
            window = match V::BIT_ORDER {
                BitOrder::MsbFirst => window << bits,
                BitOrder::LsbFirst => window >> bits,
            };
        }
    };
    let groups = values.len() / group;
    let (values, last) = values.split_at_mut(groups * group);
    for (g, values) in values.chunks_exact_mut(group).enumerate() {
        unpack_group(g, values);
    }
    // The incomplete group, which only degrees below a group have.
    unpack_group(groups, last);
}

/// Sign-extends the low `bits` bits.
#[inline(always)]
fn sign_extend(value: u32, bits: u32) -> i32 {
    (value << (32 - bits)) as i32 >> (32 - bits)
}

/// Packs small signed values in two's complement.
fn pack_small<V: Variant>(bits: u32, values: &[i8], output: &mut [u8]) {
    let convert = |x| i32::from(x) as u32;
    // Constants, for speed: the widths of the two degrees in use, and all others.
    match bits {
        5 => pack::<V, i8>(5, values, output, convert),
        6 => pack::<V, i8>(6, values, output, convert),
        8 => pack::<V, i8>(8, values, output, convert),
        _ => pack::<V, i8>(bits, values, output, convert),
    }
}

/// The inverse of [`pack_small`]. The value -2^(bits-1) is refused; it has no negative.
fn unpack_small<V: Variant>(bits: u32, input: &[u8], values: &mut [i8]) -> Result<(), Error> {
    let minimum = -1 << (bits - 1);
    // As in `pack_small`.
    match bits {
        5 => unpack::<V, i8>(5, input, values, |value| sign_extend(value, 5) as i8),
        6 => unpack::<V, i8>(6, input, values, |value| sign_extend(value, 6) as i8),
        8 => unpack::<V, i8>(8, input, values, |value| value as i8),
        _ => unpack::<V, i8>(bits, input, values, |value| sign_extend(value, bits) as i8),
    }
    // Without a branch: these are secrets.
    let refused = values
        .iter()
        .fold(0, |any, &x| any | u8::from(x == minimum));
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
    pack::<V, u16>(BITS_H, h, &mut output[1..], u32::from);
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
    let h = &mut h[..1 << logn];
    unpack::<V, u16>(BITS_H, &bytes[1..], h, |value| value as u16);
    // 14 bits each: the difference is negative where x is q or more.
    let too_large = h
        .iter()
        .fold(0, |any, &x| any | (Q as u16 - 1).wrapping_sub(x))
        & 0x8000
        != 0;
    // The rest of the last byte, at degree 2.
    let unused = (bytes.len() as u32 - 1) * 8 - (BITS_H << logn);
    let rest = match (V::BIT_ORDER, bytes[bytes.len() - 1]) {
        (BitOrder::MsbFirst, last) => u32::from(last) & ((1 << unused) - 1),
        (BitOrder::LsbFirst, last) => u32::from(last) >> (8 - unused),
    };
    if !too_large && (unused == 0 || rest == 0) {
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
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
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

/// How many coefficients make a piece of an encoding: a whole number of bytes, whatever their width.
const PIECE: usize = 64;

/// The bytes of a verifying key with this h, from the first to the last.
pub(crate) fn verifying_key_in_pieces<V: Variant>(
    logn: u32,
    h: &[u16],
    mut take: impl FnMut(&[u8]),
) {
    take(&[header::VERIFYING_KEY + logn as u8]);
    for h in h.chunks(PIECE) {
        let mut piece = [0; PIECE * BITS_H as usize / 8];
        let piece = &mut piece[..(h.len() * BITS_H as usize).div_ceil(8)];
        pack::<V, u16>(BITS_H, h, piece, u32::from);
        take(piece);
    }
}

/// The bytes of f and g alone, as they stand in a signing key: what the hedge of signing hashes.
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
pub(crate) fn fg_in_pieces<V: Variant>(logn: u32, f: &[i8], g: &[i8], mut take: impl FnMut(&[u8])) {
    let bits = bits_fg(logn);
    let mut piece = [0; PIECE];
    for poly in [f, g] {
        for x in poly[..1 << logn].chunks(PIECE) {
            let piece = &mut piece[..x.len() * bits as usize / 8];
            pack_small::<V>(bits, x, piece);
            take(piece);
        }
    }
    wipe(&mut piece, 0);
}

/// Bits of the low part of a compressed coefficient, which is written as it is.
const LOW_BITS: u32 = 7;

/// Compresses s2: for each x a sign bit, the low 7 bits of |x|, and |x| >> 7 in unary. Returns the
/// number of bytes that hold it, unless that is more than `output` has, or a coefficient is above the
/// variant's bound. What follows in `output` is zeroed.
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
pub(crate) fn compress<V: Variant>(s2: &[i16], output: &mut [u8]) -> Option<usize> {
    let (size, mut free) = (output.len(), output);
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
        // At most 31 + 24 bits wait.
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
        if waiting >= 32 {
            waiting -= 32;
            let (word, rest) = free.split_first_chunk_mut()?;
            *word = match V::BIT_ORDER {
                BitOrder::MsbFirst => ((buffer >> waiting) as u32).to_be_bytes(),
                BitOrder::LsbFirst => {
                    let low = buffer as u32;
                    buffer >>= 32;
                    low.to_le_bytes()
                }
            };
            free = rest;
        }
    }
    let last = match V::BIT_ORDER {
        BitOrder::MsbFirst => ((buffer << (32 - waiting)) as u32).to_be_bytes(),
        BitOrder::LsbFirst => (buffer as u32).to_le_bytes(),
    };
    let (bytes, rest) = free.split_at_mut_checked(waiting.div_ceil(8) as usize)?;
    bytes.copy_from_slice(&last[..bytes.len()]);
    rest.fill(0);
    Some(size - rest.len())
}

/// Reads coefficients from the front of a byte string, behind which zeros follow.
struct BitReader<'a, V> {
    bytes: &'a [u8],
    /// The next 64 bits, the very next one at the top (most significant bit first) or at the bottom.
    window: u64,
    /// Those behind them, in the same order, and how many they are: 56 at least. Bits beyond are zero or those that follow.
    next: u64,
    next_valid: i32,
    /// The byte behind them.
    at: usize,
    variant: core::marker::PhantomData<V>,
}

impl<'a, V: Variant> BitReader<'a, V> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut reader = Self {
            bytes,
            window: 0,
            next: 0,
            next_valid: 0,
            at: 8,
            variant: core::marker::PhantomData,
        };
        reader.window = reader.word(0);
        reader.fill_next();
        reader
    }

    /// Eight bytes from a place on.
    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
        let bytes = match self.bytes.get(at..) {
            Some(rest) => match rest.first_chunk() {
                Some(bytes) => *bytes,
                None => last_word(rest),
            },
            None => [0; 8],
        };
        match V::BIT_ORDER {
            BitOrder::MsbFirst => u64::from_be_bytes(bytes),
            BitOrder::LsbFirst => u64::from_le_bytes(bytes),
        }
    }

    #[inline(always)]
    fn fill_next(&mut self) {
        // A whole word is laid over the bits; the bytes that fit are counted, and a part of the next one is already in
        // place when it is laid there again.
        let word = self.word(self.at);
        let count = self.next_valid as u32;
        self.next |= match V::BIT_ORDER {
            BitOrder::MsbFirst => word.wrapping_shr(count),
            BitOrder::LsbFirst => word.wrapping_shl(count),
        };
        self.at = self.at.wrapping_add(((63 - self.next_valid) / 8) as usize);
        self.next_valid |= 56;
    }

    /// Takes a coefficient off the window, as its sign (0 or -1), its absolute value, and its length. One that is too
    /// large for any variant may be another one that is too large, and what follows it, anything.
    #[inline(always)]
    fn coefficient(&mut self) -> (i16, u16, u32) {
        // What counts is how soon the next coefficient can begin: after three operations.
        let (sign, low, high) = match V::BIT_ORDER {
            BitOrder::MsbFirst => {
                let zeros = (self.window << (LOW_BITS + 1)).leading_zeros();
                let head = (self.window >> 56) as u8;
                self.window = (self.window << (LOW_BITS + 2)).wrapping_shl(zeros);
                ((head >> 7), head & 0x7f, zeros)
            }
            BitOrder::LsbFirst => {
                let zeros = (self.window >> (LOW_BITS + 1)).trailing_zeros();
                let head = self.window as u8;
                self.window = (self.window >> (LOW_BITS + 2)).wrapping_shr(zeros);
                (head & 1, head >> 1, zeros)
            }
        };
        let a = u16::from(low) | (high as u16) << LOW_BITS;
        (-i16::from(sign), a, LOW_BITS + 2 + high)
    }

    /// Fills the window again after so many bits, 48 at most unless a coefficient was too large.
    #[inline(always)]
    fn refill(&mut self, bits: u32) {
        match V::BIT_ORDER {
            BitOrder::MsbFirst => {
                self.window |= self.next.wrapping_shr(64_u32.wrapping_sub(bits));
                self.next = self.next.wrapping_shl(bits);
            }
            BitOrder::LsbFirst => {
                self.window |= self.next.wrapping_shl(64_u32.wrapping_sub(bits));
                self.next = self.next.wrapping_shr(bits);
            }
        }
        self.next_valid -= bits as i32;
        self.fill_next();
    }
}

/// Fewer than eight bytes, and zeros.
#[cold]
#[inline(never)]
fn last_word(bytes: &[u8]) -> [u8; 8] {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    word
}

/// Decompresses s2. Returns the number of bytes read, the last of them possibly in part. Everything
/// after the last coefficient must be zero: both the rest of its byte and all other bytes, so that the
/// result is unique. Also refused: missing bits, "minus zero", a coefficient above the variant's bound.
pub(crate) fn decompress<V: Variant>(bytes: &[u8], s2: &mut [i16]) -> Option<usize> {
    // Two coefficients within the bound lie in a window, and leave some of those behind it.
    const { assert!(2 * (LOW_BITS + 2 + (V::COMPRESSED_BOUND as u32 >> LOW_BITS)) <= 56) }
    let mut reader = BitReader::<V>::new(bytes);
    let (pairs, rest) = s2.as_chunks_mut::<2>();
    debug_assert!(rest.is_empty());
    let (mut minus_signs, mut taken) = (0, 0);
    for pair in pairs {
        let mut bits = 0;
        for x in pair {
            let (sign, a, length) = reader.coefficient();
            minus_signs -= sign;
            *x = (a as i16 ^ sign) - sign;
            bits += length;
        }
        taken += bits as usize;
        reader.refill(bits);
    }
    let bound = V::COMPRESSED_BOUND as i16;
    let too_large = s2
        .iter()
        .fold(false, |any, &x| any | (x > bound) | (x < -bound));
    // More minus signs than negative coefficients: one stands before a zero.
    let negative: i16 = s2.iter().map(|&x| i16::from(x < 0)).sum();
    if too_large | (minus_signs != negative) {
        return None;
    }
    // Missing bits are zeros, and a coefficient ends with a one: it is too large, or ends within the bytes.
    let (used, rest) = bytes.split_at_checked(taken.div_ceil(8))?;
    let unused = used.len() * 8 - taken;
    let last = used.last().map_or(0, |&byte| match V::BIT_ORDER {
        BitOrder::MsbFirst => u32::from(byte) & ((1 << unused) - 1),
        BitOrder::LsbFirst => u32::from(byte) >> (8 - unused),
    });
    let clean = last == 0 && rest.iter().all(|&byte| byte == 0);
    clean.then_some(used.len())
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
    pack::<V, i16>(BITS_CONSTANT_TIME, s2, output, |x| i32::from(x) as u32);
    fits.then_some(())
}

/// The inverse of [`pack_s2`]; -2048 is refused.
pub(crate) fn unpack_s2<V: Variant>(input: &[u8], s2: &mut [i16]) -> Option<()> {
    unpack::<V, i16>(BITS_CONSTANT_TIME, input, s2, |value| {
        sign_extend(value, BITS_CONSTANT_TIME) as i16
    });
    let refused = s2.contains(&-2048);
    (!refused).then_some(())
}

#[cfg(test)]
mod tests;
