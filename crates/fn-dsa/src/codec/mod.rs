//! Encodings of keys and signatures, strict in both directions: every value has one encoding, and
//! nothing else decodes (Falcon specification, section 3.11).
//!
//! Variants pack bits in different orders; one body serves both, and the order is a constant of the
//! variant. [`pack`] and [`unpack`] take a time that depends on lengths alone, whatever the values, so
//! that they serve secret polynomials; the compressed encoding is for signatures, which are public.

use core::mem;

use lanner_simd::{Each, I16, Ifma, IfmaOperation, Isa, Operation, Task, U64};

use crate::errors::Error;
use crate::params::{
    BITS_BIG_F, BITS_H, BitOrder, COMPRESSED_BOUND_MAX, HPK_LENGTH, NONCE_LENGTH, Q, bits_fg,
    signature_size, vrfy_key_size,
};
use crate::rules::Rules;
use crate::shake::Work;
use crate::vectors::{avx512, with_shifts};
use crate::wiping::wipe;

mod compact;

/// Whether values are packed, and those of signing keys unpacked, by few instructions in place of fast ones: each byte of a
/// module for WebAssembly is loaded from afar.
const COMPACT: bool = cfg!(target_arch = "wasm32");

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

/// How a signature is encoded (specification, section 3.11.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Compressed, of variable length, without padding.
    Compressed,
    /// Compressed, and padded with zeros to a fixed length. A signature that would be longer has no padded form, and
    /// the signer throws it away: at degree 1024 about one in a thousand, at 512 none of 20,000.
    Padded,
    /// Coefficients of a fixed width: for signatures that are secrets themselves.
    ConstantTime,
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
fn pack<R: Rules, T: Copy>(
    rules: R,
    bits: u32,
    values: &[T],
    output: &mut [u8],
    convert: impl Fn(T) -> u32,
) {
    if COMPACT {
        return compact::pack(rules, bits, values, output, convert);
    }
    debug_assert_eq!((values.len() * bits as usize).div_ceil(8), output.len());
    let (group, bytes) = group(bits);
    let pack_group = |values: &[T], output: &mut [u8]| {
        let mut window = 0;
        for (i, &value) in (0..).zip(values) {
            let value = u64::from(convert(value)) & ((1 << bits) - 1);
            window |= match rules.bit_order() {
                BitOrder::MsbFirst => value << (64 - bits - i * bits),
                BitOrder::LsbFirst => value << (i * bits),
            };
        }
        let window: [u8; 8] = match rules.bit_order() {
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
fn unpack<R: Rules, T>(
    rules: R,
    bits: u32,
    input: &[u8],
    values: &mut [T],
    convert: impl Fn(u32) -> T,
) {
    debug_assert_eq!((values.len() * bits as usize).div_ceil(8), input.len());
    let (group, bytes) = group(bits);
    let unpack_group = |g: usize, values: &mut [T]| {
        let rest = &input[g * bytes..];
        let window = match rest.first_chunk() {
            Some(&window) => window,
            // The last seven bytes.
            None => core::array::from_fn(|j| rest.get(j).copied().unwrap_or(0)),
        };
        let mut window = match rules.bit_order() {
            BitOrder::MsbFirst => u64::from_be_bytes(window),
            BitOrder::LsbFirst => u64::from_le_bytes(window),
        };
        for value in values {
            *value = convert(match rules.bit_order() {
                BitOrder::MsbFirst => (window >> (64 - bits)) as u32,
                BitOrder::LsbFirst => window as u32 & ((1 << bits) - 1),
            });
            window = match rules.bit_order() {
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
fn pack_small<R: Rules>(rules: R, bits: u32, values: &[i8], output: &mut [u8]) {
    let convert = |x| i32::from(x) as u32;
    // Constants, for speed: the widths of the two degrees in use, and all others.
    match bits {
        _ if COMPACT => pack(rules, bits, values, output, convert),
        5 => pack(rules, 5, values, output, convert),
        6 => pack(rules, 6, values, output, convert),
        8 => pack(rules, 8, values, output, convert),
        _ => pack(rules, bits, values, output, convert),
    }
}

/// The inverse of [`pack_small`]. The value -2^(bits-1) is refused; it has no negative.
fn unpack_small<R: Rules>(
    rules: R,
    bits: u32,
    input: &[u8],
    values: &mut [i8],
) -> Result<(), Error> {
    let minimum = -1 << (bits - 1);
    // As in `pack_small`.
    match bits {
        _ if COMPACT => compact::unpack(rules, bits, input, values, |value| {
            sign_extend(value, bits) as i8
        }),
        5 => unpack(rules, 5, input, values, |value| sign_extend(value, 5) as i8),
        6 => unpack(rules, 6, input, values, |value| sign_extend(value, 6) as i8),
        8 => unpack(rules, 8, input, values, |value| value as i8),
        _ => unpack(rules, bits, input, values, |value| {
            sign_extend(value, bits) as i8
        }),
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
pub(crate) fn encode_verifying_key<R: Rules>(rules: R, logn: u32, h: &[u16], output: &mut [u8]) {
    debug_assert_eq!(output.len(), vrfy_key_size(logn));
    output[0] = header::VERIFYING_KEY + logn as u8;
    pack(rules, BITS_H, h, &mut output[1..], u32::from);
}

/// Unpacks from the front of h, and tells how many.
struct UnpackH<'a, R>(R, &'a [u8], &'a mut [u16]);

impl<R: Rules> Operation for UnpackH<'_, R> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self) -> usize {
        const { assert!(BITS_H == 14) }
        let Self(rules, packed, h) = self;
        I::I16::unpack_14(packed, rules.bit_order() == BitOrder::MsbFirst, h)
    }
}

/// Decodes h, as the variant's keys hold it, into `h[..n]`. Header, length and range are checked:
/// whether the variant's type supports the degree is for the caller.
pub(crate) fn decode_verifying_key<R: Rules>(
    rules: R,
    logn: u32,
    bytes: &[u8],
    h: &mut [u16],
) -> Result<(), Error> {
    if header_logn(bytes, header::VERIFYING_KEY) != Some(logn) || bytes.len() != vrfy_key_size(logn)
    {
        return Err(Error::Key);
    }
    let h = &mut h[..1 << logn];
    let packed = &bytes[1..];
    // In vectors, as many as they take.
    let done = crate::vectors::dispatch(UnpackH(rules, packed, h));
    let rest = &packed[done * BITS_H as usize / 8..];
    unpack(rules, BITS_H, rest, &mut h[done..], |value| value as u16);
    // 14 bits each: the difference is negative where x is q or more.
    let too_large = h
        .iter()
        .fold(0, |any, &x| any | (Q as u16 - 1).wrapping_sub(x))
        & 0x8000
        != 0;
    // The rest of the last byte, at degree 2.
    let unused = (bytes.len() as u32 - 1) * 8 - (BITS_H << logn);
    let rest = match (rules.bit_order(), bytes[bytes.len() - 1]) {
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
pub(crate) fn encode_signing_key<R: Rules>(
    rules: R,
    logn: u32,
    f: &[i8],
    g: &[i8],
    big_f: &[i8],
    hpk: &[u8; HPK_LENGTH],
    output: &mut [u8],
) {
    debug_assert_eq!(output.len(), rules.sign_key_size(logn));
    let n = 1 << logn;
    let (bits_fg, bits_f) = (bits_fg(logn), BITS_BIG_F);
    output[0] = header::SIGNING_KEY + logn as u8;
    let (f_bytes, rest) = output[1..].split_at_mut(n * bits_fg as usize / 8);
    let (g_bytes, rest) = rest.split_at_mut(n * bits_fg as usize / 8);
    let (big_f_bytes, rest) = rest.split_at_mut(n * bits_f as usize / 8);
    pack_small(rules, bits_fg, &f[..n], f_bytes);
    pack_small(rules, bits_fg, &g[..n], g_bytes);
    pack_small(rules, bits_f, &big_f[..n], big_f_bytes);
    if rules.key_holds_hpk() {
        rest.copy_from_slice(hpk);
    }
}

/// Decodes the secret polynomials. A stored hash of the verifying key is for the caller to look at.
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
pub(crate) fn decode_signing_key<R: Rules>(
    rules: R,
    logn: u32,
    bytes: &[u8],
    f: &mut [i8],
    g: &mut [i8],
    big_f: &mut [i8],
) -> Result<(), Error> {
    if header_logn(bytes, header::SIGNING_KEY) != Some(logn)
        || bytes.len() != rules.sign_key_size(logn)
    {
        return Err(Error::Key);
    }
    let n = 1 << logn;
    let bits = bits_fg(logn);
    let (f_bytes, rest) = split_packed(&bytes[1..], n, bits);
    let (g_bytes, rest) = split_packed(rest, n, bits);
    let (big_f_bytes, _) = split_packed(rest, n, BITS_BIG_F);
    unpack_small(rules, bits, f_bytes, &mut f[..n])?;
    unpack_small(rules, bits, g_bytes, &mut g[..n])?;
    unpack_small(rules, BITS_BIG_F, big_f_bytes, &mut big_f[..n])
}

/// How many coefficients make a piece of an encoding: a whole number of bytes, whatever their width.
const PIECE: usize = 64;

/// The bytes of a verifying key with this h, from the first to the last.
pub(crate) fn verifying_key_in_pieces<R: Rules>(
    rules: R,
    logn: u32,
    h: &[u16],
    mut take: impl FnMut(&[u8]),
) {
    take(&[header::VERIFYING_KEY + logn as u8]);
    for h in h.chunks(PIECE) {
        let mut piece = [0; PIECE * BITS_H as usize / 8];
        let piece = &mut piece[..(h.len() * BITS_H as usize).div_ceil(8)];
        pack(rules, BITS_H, h, piece, u32::from);
        take(piece);
    }
}

/// The bytes of f and g alone, as they stand in a signing key: what the hedge of signing hashes.
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
pub(crate) fn fg_in_pieces<R: Rules>(
    rules: R,
    logn: u32,
    f: &[i8],
    g: &[i8],
    mut take: impl FnMut(&[u8]),
) {
    let bits = bits_fg(logn);
    let mut piece = [0; PIECE];
    for poly in [f, g] {
        for x in poly[..1 << logn].chunks(PIECE) {
            let piece = &mut piece[..x.len() * bits as usize / 8];
            pack_small(rules, bits, x, piece);
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
pub(crate) fn compress<R: Rules>(rules: R, s2: &[i16], output: &mut [u8]) -> Option<usize> {
    let (size, mut free) = (output.len(), output);
    let mut buffer = 0u64;
    let mut waiting = 0;
    for &x in s2 {
        let a = u32::from(x.unsigned_abs());
        if a > u32::from(rules.compressed_bound()) {
            return None;
        }
        let (low, high) = (a & 0x7f, a >> LOW_BITS);
        let sign = u32::from(x < 0);
        let length = LOW_BITS + 2 + high;
        // At most 31 + 24 bits wait.
        match rules.bit_order() {
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
            *word = match rules.bit_order() {
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
    let last = match rules.bit_order() {
        BitOrder::MsbFirst => ((buffer << (32 - waiting)) as u32).to_be_bytes(),
        BitOrder::LsbFirst => (buffer as u32).to_le_bytes(),
    };
    let (bytes, rest) = free.split_at_mut_checked(waiting.div_ceil(8) as usize)?;
    bytes.copy_from_slice(&last[..bytes.len()]);
    rest.fill(0);
    Some(size - rest.len())
}

/// Whether [`compress`] takes s2 in the room that a padded signature has. Without a branch up to the answer, for signatures
/// that stay secret.
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
pub(crate) fn has_padded_form<R: Rules>(rules: R, logn: u32, s2: &[i16]) -> bool {
    let room = 8 * (signature_size(logn) - 1 - NONCE_LENGTH);
    let (mut highs, mut largest) = (0, 0);
    for x in s2 {
        let a = x.unsigned_abs();
        highs += u32::from(a >> LOW_BITS);
        largest = largest.max(a);
    }
    let bits = (LOW_BITS as usize + 2) * s2.len() + highs as usize;
    (largest <= rules.compressed_bound()) & (bits <= room)
}

/// Reads coefficients from the front of a byte string, behind which zeros follow.
struct BitReader<'a, R> {
    bytes: &'a [u8],
    /// The next 64 bits, the very next one at the top (most significant bit first) or at the bottom.
    window: u64,
    /// Those behind them, in the same order, and how many they are: 56 at least. Bits beyond are zero or those that follow.
    next: u64,
    next_valid: i32,
    /// The byte behind them.
    at: usize,
    rules: R,
}

impl<'a, R: Rules> BitReader<'a, R> {
    #[inline(always)]
    fn new(rules: R, bytes: &'a [u8]) -> Self {
        let mut reader = Self {
            bytes,
            window: 0,
            next: 0,
            next_valid: 0,
            at: 0,
            rules,
        };
        reader.window = reader.word();
        reader.at = 8;
        reader.fill_next(reader.word());
        reader
    }

    /// The next eight bytes, behind the window and what is next, if there are so many.
    #[inline(always)]
    fn whole_word(&self) -> Option<u64> {
        let bytes = *self.bytes.get(self.at..)?.first_chunk()?;
        Some(self.word_of(bytes))
    }

    /// The next eight bytes; zeros for those that there are not.
    #[inline(always)]
    fn word(&self) -> u64 {
        self.word_at(self.at)
    }

    /// Eight bytes from a place on; zeros for those that there are not.
    #[inline(always)]
    fn word_at(&self, at: usize) -> u64 {
        let rest = self.bytes.get(at..).unwrap_or_default();
        self.word_of(match rest.first_chunk() {
            Some(bytes) => *bytes,
            None => last_word(rest),
        })
    }

    #[inline(always)]
    fn word_of(&self, bytes: [u8; 8]) -> u64 {
        match self.rules.bit_order() {
            BitOrder::MsbFirst => u64::from_be_bytes(bytes),
            BitOrder::LsbFirst => u64::from_le_bytes(bytes),
        }
    }

    /// Takes [`word`](Self::word), which may have been read before.
    #[inline(always)]
    fn fill_next(&mut self, word: u64) {
        // A whole word is laid over the bits; the bytes that fit are counted, and a part of the next one is already in
        // place when it is laid there again.
        let count = self.next_valid as u32;
        self.next |= match self.rules.bit_order() {
            BitOrder::MsbFirst => word.wrapping_shr(count),
            BitOrder::LsbFirst => word.wrapping_shl(count),
        };
        self.at = self.at.wrapping_add(((63 - self.next_valid) >> 3) as usize);
        self.next_valid |= 56;
    }

    /// Takes a coefficient off the window, as it stands there: the byte with its sign and the low part, and above that its
    /// length in bits, which is the second result. One that is too large for any variant may be another one that is too
    /// large, and what follows it, anything.
    #[inline(always)]
    fn coefficient(&mut self) -> (u16, u32) {
        // What counts is how soon the next coefficient can begin. A bit is set at the end, because some processors have no
        // instruction that counts the zeros of zero.
        let (head, length) = match self.rules.bit_order() {
            BitOrder::MsbFirst => {
                let length = LOW_BITS + 2 + 63 - (self.window << (LOW_BITS + 1) | 1).ilog2();
                let head = (self.window >> 56) as u16;
                self.window = self.window.wrapping_shl(length);
                (head, length)
            }
            BitOrder::LsbFirst => {
                let zeros = (self.window >> (LOW_BITS + 1) | 1 << 63).trailing_zeros();
                let head = u16::from(self.window as u8);
                let length = LOW_BITS + 2 + zeros;
                self.window = self.window.wrapping_shr(length);
                (head, length)
            }
        };
        (head | (length as u16) << 8, length)
    }

    /// How many bits were taken, unless a coefficient was too large.
    fn taken(&self) -> usize {
        let behind = self.at.wrapping_mul(8);
        behind.wrapping_sub((64 + self.next_valid) as usize)
    }

    /// Fills the window again after so many bits, 48 at most unless a coefficient was too large.
    #[inline(always)]
    fn refill(&mut self, bits: u32, word: u64) {
        match self.rules.bit_order() {
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
        self.fill_next(word);
    }
}

/// Sign (0 or -1) and absolute value of what [`BitReader::coefficient`] gives.
#[inline(always)]
fn parts_of<R: Rules>(rules: R, raw: i16) -> (i16, i16) {
    let (sign, low) = match rules.bit_order() {
        BitOrder::MsbFirst => (raw << 8 >> 15, raw & 0x7f),
        BitOrder::LsbFirst => (-(raw & 1), raw >> 1 & 0x7f),
    };
    let zeros = (raw >> 8) - (LOW_BITS + 2) as i16;
    (sign, zeros << LOW_BITS | low)
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
pub(crate) fn decompress<R: Rules>(rules: R, bytes: &[u8], s2: &mut [i16]) -> Option<usize> {
    Decompression::new(rules, bytes, s2).finish()
}

/// A decompression that can go on beside other work: each coefficient begins where the one before it ended, so that
/// alone it leaves most units of the processor idle.
pub(crate) struct Decompression<'a, R> {
    reader: BitReader<'a, R>,
    /// Those that are done stand here as they stood in the encoding.
    pairs: &'a mut [[i16; 2]],
    done: usize,
}

impl<'a, R: Rules> Decompression<'a, R> {
    #[inline(always)]
    pub(crate) fn new(rules: R, bytes: &'a [u8], s2: &'a mut [i16]) -> Self {
        // Two coefficients within the bound lie in a window, and leave some of those behind it.
        const { assert!(2 * (LOW_BITS + 2 + (COMPRESSED_BOUND_MAX as u32 >> LOW_BITS)) <= 56) }
        let (pairs, rest) = s2.as_chunks_mut();
        debug_assert!(rest.is_empty());
        Self {
            reader: BitReader::new(rules, bytes),
            pairs,
            done: 0,
        }
    }

    /// The next pair of coefficients, if there is one; `word` is the reader's.
    #[inline(always)]
    fn pair(&mut self, word: u64) -> Option<()> {
        let pair = self.pairs.get_mut(self.done)?;
        let (first, first_bits) = self.reader.coefficient();
        let (second, second_bits) = self.reader.coefficient();
        *pair = [first as i16, second as i16];
        self.reader.refill(first_bits + second_bits, word);
        self.done += 1;
        Some(())
    }

    /// Two in turn, until one of them is near its end: what is left is for [`finish`](Self::finish).
    #[inline(always)]
    fn in_turn(mut self, mut other: Self) -> (Self, Self) {
        while let (Some(word), Some(others)) = (self.reader.whole_word(), other.reader.whole_word())
            && self.pair(word).is_some()
            && other.pair(others).is_some()
        {}
        (self, other)
    }

    /// What is left, and the verdict: as [`decompress`].
    #[inline(always)]
    pub(crate) fn finish(mut self) -> Option<usize> {
        with_shifts(Alone(&mut self))
    }

    /// What is left of several, and whether they are encodings: in lanes, or two in turn.
    pub(crate) fn finish_all(rules: R, mut all: [Option<Self>; LANES]) -> [bool; LANES] {
        take_in_lanes(rules, &mut all);
        let mut accepted = [false; LANES];
        for (accepted, all) in accepted.chunks_mut(2).zip(all.chunks_mut(2)) {
            let mut all = all.iter_mut().map(Option::take);
            let used = match [all.next().flatten(), all.next().flatten()] {
                [Some(one), Some(other)] => Self::finish_both(one, other),
                any => any.map(|decompression| decompression?.finish()),
            };
            accepted.copy_from_slice(&used.map(|used| used.is_some()));
        }
        accepted
    }

    /// What is left of two, in turn, and their verdicts.
    fn finish_both(one: Self, other: Self) -> [Option<usize>; 2] {
        with_shifts(Both(one, other))
    }

    #[inline(always)]
    fn verdict(mut self) -> Option<usize> {
        let rules = self.reader.rules;
        while self.pair(self.reader.word()).is_some() {}
        let (bytes, taken) = (self.reader.bytes, self.reader.taken());
        let mut refused = false;
        for x in self.pairs.as_flattened_mut() {
            let (sign, a) = parts_of(rules, *x);
            // Too large, or a minus sign before a zero.
            refused |= (a > rules.compressed_bound() as i16) | ((sign < 0) & (a == 0));
            *x = (a ^ sign) - sign;
        }
        if refused {
            return None;
        }
        // Missing bits are zeros, and a coefficient ends with a one: it is too large, or ends within the bytes.
        let (used, rest) = bytes.split_at_checked(taken.div_ceil(8))?;
        let unused = used.len() * 8 - taken;
        let last = used.last().map_or(0, |&byte| match rules.bit_order() {
            BitOrder::MsbFirst => u32::from(byte) & ((1 << unused) - 1),
            BitOrder::LsbFirst => u32::from(byte) >> (8 - unused),
        });
        let clean = last == 0 && rest.iter().all(|&byte| byte == 0);
        clean.then_some(used.len())
    }
}

/// How many are decompressed in the lanes of one vector.
pub(crate) const LANES: usize = 8;

/// Takes the coefficients of eight off their bytes, a lane each, if all are there, of one degree, and there are vectors for that.
/// Verdicts are left.
fn take_in_lanes<R: Rules>(rules: R, decompressions: &mut [Option<Decompression<'_, R>>; LANES]) {
    let (BitOrder::MsbFirst, Some(witness)) = (rules.bit_order(), avx512()) else {
        return;
    };
    let [
        Some(a),
        Some(b),
        Some(c),
        Some(d),
        Some(e),
        Some(f),
        Some(g),
        Some(h),
    ] = decompressions
    else {
        return;
    };
    let all = [a, b, c, d, e, f, g, h];
    if all.iter().all(|one| one.pairs.len() == all[0].pairs.len()) {
        witness.enter_ifma(InLanes(all));
    }
}

struct InLanes<'a, 'b, R>([&'b mut Decompression<'a, R>; LANES]);

impl<R: Rules> IfmaOperation for InLanes<'_, '_, R> {
    type Output = ();

    #[inline(always)]
    fn run<I: Ifma>(self) {
        let Self(mut all) = self;
        macro_rules! vector {
            ($of:expr) => {
                I::U64x8::load(&all.each_ref().map($of))
            };
        }
        macro_rules! lanes {
            ($vector:expr) => {{
                let mut lanes = [0; LANES];
                $vector.store(&mut lanes);
                lanes
            }};
        }
        // As `BitReader` does it for one. The counts of one that is refused may be negative; nothing depends on what they do.
        let mut window = vector!(|one| one.reader.window);
        let mut next = vector!(|one| one.reader.next);
        let mut valid = vector!(|one| one.reader.next_valid as u64);
        let mut at = vector!(|one| one.reader.at as u64);
        let splat = I::U64x8::splat;
        for i in 0..all[0].pairs.len() {
            let places = lanes!(at);
            let mut words = [0; LANES];
            for ((word, one), place) in words.iter_mut().zip(&all).zip(places) {
                *word = one.reader.word_at(place as usize);
            }
            let (first, first_length) = coefficients(&mut window);
            let (second, second_length) = coefficients(&mut window);
            let pairs = lanes!(first.or(second.shl::<16>()));
            for (one, pair) in all.iter_mut().zip(pairs) {
                one.pairs[i] = [pair as i16, (pair >> 16) as i16];
            }
            let length = first_length.add(second_length);
            window = window.or(next.shr_each(splat(64).sub(length)));
            next = next.shl_each(length);
            valid = valid.sub(length);
            next = next.or(I::U64x8::load(&words).shr_each(valid));
            at = at.add(splat(63).sub(valid).shr::<3>());
            valid = valid.or(splat(56));
        }
        let (valid, at) = (lanes!(valid), lanes!(at));
        for ((one, valid), at) in all.iter_mut().zip(valid).zip(at) {
            one.done = one.pairs.len();
            (one.reader.next_valid, one.reader.at) = (valid as i32, at as usize);
        }
    }
}

/// [`BitReader::coefficient`], most significant bit first, in each lane.
#[inline(always)]
fn coefficients<L: Each>(window: &mut L) -> (L, L) {
    let tail = window.shl::<{ LOW_BITS as i32 + 1 }>().or(L::splat(1));
    let length = tail.leading_zeros().add(L::splat(u64::from(LOW_BITS) + 2));
    let raw = window.shr::<56>().or(length.shl::<8>());
    *window = window.shl_each(length);
    (raw, length)
}

/// The rest of a decompression.
struct Alone<'a, 'b, R>(&'b mut Decompression<'a, R>);

impl<R: Rules> Task for Alone<'_, '_, R> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        mem::take(self.0).verdict()
    }
}

/// The rest of two.
struct Both<'a, R>(Decompression<'a, R>, Decompression<'a, R>);

impl<R: Rules> Task for Both<'_, R> {
    type Output = [Option<usize>; 2];

    #[inline(always)]
    fn run(self) -> [Option<usize>; 2] {
        let (one, other) = self.0.in_turn(self.1);
        [one.verdict(), other.verdict()]
    }
}

/// Nothing to decompress.
impl<R: Rules> Default for Decompression<'_, R> {
    #[inline(always)]
    fn default() -> Self {
        Self {
            reader: BitReader {
                bytes: &[],
                window: 0,
                next: 0,
                next_valid: 0,
                at: 0,
                rules: R::default(),
            },
            pairs: &mut [],
            done: 0,
        }
    }
}

impl<R: Rules> Work for Decompression<'_, R> {
    #[inline(always)]
    fn step(&mut self) {
        // The last ones are left, so that nothing is called from here.
        if let Some(word) = self.reader.whole_word() {
            self.pair(word);
            if self.done & 3 == 0
                && let Some(word) = self.reader.whole_word()
            {
                self.pair(word);
            }
        }
    }
}

/// The parts of a padded signature: nonce and compressed s2, header and length checked.
pub(crate) fn split_signature(logn: u32, signature: &[u8]) -> Option<(&[u8; NONCE_LENGTH], &[u8])> {
    if logn == 0
        || signature.len() != signature_size(logn)
        || header_logn(signature, header::COMPRESSED) != Some(logn)
    {
        return None;
    }
    signature[1..].split_first_chunk()
}

/// Bits of a coefficient of s2 in the constant-time encoding, which takes no more than 2047.
pub(crate) const BITS_CONSTANT_TIME: u32 = 12;

/// Packs s2 at fixed width; `None` if a coefficient does not fit.
pub(crate) fn pack_s2<R: Rules>(rules: R, s2: &[i16], output: &mut [u8]) -> Option<()> {
    let fits = s2.iter().all(|x| x.unsigned_abs() < 2048);
    pack(rules, BITS_CONSTANT_TIME, s2, output, |x| {
        i32::from(x) as u32
    });
    fits.then_some(())
}

/// The inverse of [`pack_s2`]; -2048 is refused.
pub(crate) fn unpack_s2<R: Rules>(rules: R, input: &[u8], s2: &mut [i16]) -> Option<()> {
    unpack(rules, BITS_CONSTANT_TIME, input, s2, |value| {
        sign_extend(value, BITS_CONSTANT_TIME) as i16
    });
    let refused = s2.contains(&-2048);
    (!refused).then_some(())
}

#[cfg(test)]
mod tests;
