//! SHAKE and SHA-3 (FIPS 202) over the permutation of `lanner-hash` or, elsewhere than on x86-64, RISC-V 64 and
//! WebAssembly, of the crate `keccak`.
//!
//! The sponge is kept here, and not taken from `sha3`, because the code around it reads the state in
//! place: hashing to a point and the generators consume whole words of a block, and they are where
//! most of the time of a verification goes. The public types have the names and methods that
//! programs written for the crate fn-dsa use.

use zeroize::Zeroize;

/// The state of Keccak-f\[1600\]: 25 words, lane (x, y) at index x + 5y.
type State = [u64; 25];

/// Applies Keccak-f\[1600\].
#[inline]
fn permute(state: &mut State) {
    #[cfg(any(
        target_arch = "x86_64",
        target_arch = "wasm32",
        target_arch = "riscv64"
    ))]
    lanner_hash::keccak::permute_one(state);
    #[cfg(not(any(
        target_arch = "x86_64",
        target_arch = "wasm32",
        target_arch = "riscv64"
    )))]
    keccak::Keccak::new().with_f1600(|f1600| f1600(state));
}

/// Work in small pieces that can be done while a state is permuted.
#[cfg(not(any(target_arch = "x86_64", target_arch = "wasm32")))]
pub(crate) trait Work: Default {
    #[allow(dead_code)] // nothing is idle here
    fn step(&mut self);
}
#[cfg(not(any(target_arch = "x86_64", target_arch = "wasm32")))]
impl Work for () {
    fn step(&mut self) {}
}
#[cfg(any(target_arch = "x86_64", target_arch = "wasm32"))]
pub(crate) use lanner_hash::keccak::Work;

/// Applies Keccak-f\[1600\] and, where that leaves units of the processor idle, some pieces of other work meanwhile.
#[inline]
fn permute_beside<W: Work>(state: &mut State, work: &mut W) {
    #[cfg(target_arch = "x86_64")]
    lanner_hash::keccak::permute_one_beside(state, work);
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = work;
        permute(state);
    }
}

/// Applies it to four states: word i of state j is `states[i][j]`.
#[cfg(any(feature = "keygen", feature = "sign"))]
pub(crate) fn permute_four(states: &mut [[u64; 4]; 25]) {
    #[cfg(all(
        any(target_arch = "x86_64", target_arch = "wasm32"),
        not(feature = "no_avx2")
    ))]
    lanner_hash::keccak::permute(states);
    #[cfg(not(all(
        any(target_arch = "x86_64", target_arch = "wasm32"),
        not(feature = "no_avx2")
    )))]
    for j in 0..4 {
        let mut state = states.map(|words| words[j]);
        permute(&mut state);
        for (words, word) in states.iter_mut().zip(state) {
            words[j] = word;
        }
        state.zeroize();
    }
}

/// A sponge that absorbs bytes and then, after [`Sponge::pad`], gives bytes. `RATE` is in bytes and a
/// multiple of 8. Wiped when dropped.
#[derive(Clone)]
pub(crate) struct Sponge<const RATE: usize> {
    state: State,
    /// While absorbing: how many bytes of the block are taken, below `RATE`. While squeezing: how
    /// many were given, at most `RATE`.
    position: usize,
}

impl<const RATE: usize> Sponge<RATE> {
    pub(crate) const fn new() -> Self {
        Self {
            state: [0; 25],
            position: 0,
        }
    }

    /// Back to the state after [`Sponge::new`], overwriting what was.
    pub(crate) fn clear(&mut self) {
        self.state.zeroize();
        self.position.zeroize();
    }

    pub(crate) fn absorb(&mut self, mut input: &[u8]) {
        // Up to a word boundary byte by byte, then whole words, then the rest.
        while !self.position.is_multiple_of(8) {
            let Some((&byte, rest)) = input.split_first() else {
                return;
            };
            self.absorb_byte(byte);
            input = rest;
        }
        let (words, tail) = input.as_chunks::<8>();
        for word in words {
            self.state[self.position / 8] ^= u64::from_le_bytes(*word);
            self.advance(8);
        }
        for &byte in tail {
            self.absorb_byte(byte);
        }
    }

    #[inline]
    fn absorb_byte(&mut self, byte: u8) {
        self.state[self.position / 8] ^= u64::from(byte) << (8 * (self.position % 8));
        self.advance(1);
    }

    #[inline]
    fn advance(&mut self, bytes: usize) {
        self.position += bytes;
        if self.position == RATE {
            permute(&mut self.state);
            self.position = 0;
        }
    }

    /// Ends the input, with the suffix that tells SHAKE from SHA-3 (FIPS 202, section 6), and makes
    /// the first block of output.
    pub(crate) fn pad(&mut self, suffix: u8) {
        self.pad_beside(suffix, &mut ());
    }

    /// [`pad`](Self::pad), beside other work.
    #[inline]
    pub(crate) fn pad_beside<W: Work>(&mut self, suffix: u8, work: &mut W) {
        self.state[self.position / 8] ^= u64::from(suffix) << (8 * (self.position % 8));
        self.state[RATE / 8 - 1] ^= 1 << 63;
        permute_beside(&mut self.state, work);
        self.position = 0;
    }

    pub(crate) fn squeeze(&mut self, mut output: &mut [u8]) {
        // Up to a word boundary byte by byte, then whole words, then the rest.
        while !self.position.is_multiple_of(8) {
            let Some((byte, rest)) = output.split_first_mut() else {
                return;
            };
            *byte = self.next_u8();
            output = rest;
        }
        let (mut words, tail) = output.as_chunks_mut::<8>();
        while !words.is_empty() {
            self.refill_if_empty();
            let ready = &self.state[self.position / 8..RATE / 8];
            let (now, later) = words.split_at_mut(words.len().min(ready.len()));
            for (word, ready) in now.iter_mut().zip(ready) {
                *word = ready.to_le_bytes();
            }
            self.position += 8 * now.len();
            words = later;
        }
        for byte in tail {
            *byte = self.next_u8();
        }
    }

    #[inline]
    fn refill_if_empty(&mut self) {
        if self.position == RATE {
            permute(&mut self.state);
            self.position = 0;
        }
    }

    /// The next byte.
    #[inline]
    pub(crate) fn next_u8(&mut self) -> u8 {
        self.refill_if_empty();
        let byte = (self.state[self.position / 8] >> (8 * (self.position % 8))) as u8;
        self.position += 1;
        byte
    }

    /// The next `N` bytes as a little-endian integer, `N` at most 8.
    #[inline]
    fn next_bytes<const N: usize>(&mut self) -> u64 {
        if N == 8 && self.position.is_multiple_of(8) {
            self.refill_if_empty();
            let word = self.state[self.position / 8];
            self.position += 8;
            word
        } else if self.position + 8 < RATE {
            // All in this block, and the word after the first one exists.
            let at = self.position / 8;
            let low = u128::from(self.state[at]) | u128::from(self.state[at + 1]) << 64;
            self.position += N;
            let value = (low >> (8 * ((self.position - N) % 8))) as u64;
            value & (u64::MAX >> (64 - 8 * N))
        } else {
            (0..N).fold(0, |value, i| value | u64::from(self.next_u8()) << (8 * i))
        }
    }

    /// The next two bytes, little-endian.
    #[inline]
    pub(crate) fn next_u16(&mut self) -> u16 {
        self.next_bytes::<2>() as u16
    }

    /// The next eight bytes, little-endian.
    #[inline]
    pub(crate) fn next_u64(&mut self) -> u64 {
        self.next_bytes::<8>()
    }

    /// The next whole block of output, as words, made beside other work; what was left of the last one is skipped.
    #[inline]
    pub(crate) fn block_beside<W: Work>(&mut self, work: &mut W) -> &[u64] {
        if self.position != 0 {
            permute_beside(&mut self.state, work);
        }
        self.position = RATE;
        &self.state[..RATE / 8]
    }
}

impl<const RATE: usize> Drop for Sponge<RATE> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The rate of SHAKE256 in bytes.
pub(crate) const RATE_256: usize = 136;

/// The suffixes of FIPS 202: the domain bits and the first bit of the padding.
pub(crate) const SUFFIX_SHAKE: u8 = 0x1f;
const SUFFIX_SHA3: u8 = 0x06;

/// SHAKE256 of a seed as a stream of bytes and little-endian words: the generator of key generation,
/// and of signing where it has to be the incumbent's.
#[derive(Clone)]
pub(crate) struct ShakeStream(Sponge<RATE_256>);

// Each feature uses some of these.
#[cfg_attr(not(all(feature = "keygen", feature = "sign")), allow(dead_code))]
impl ShakeStream {
    /// One that waits for its seed.
    pub(crate) const fn empty() -> Self {
        Self(Sponge::new())
    }

    /// The stream of `seed`, of any length.
    pub(crate) fn new(seed: &[u8]) -> Self {
        Self::of_parts(&[seed])
    }

    /// The stream of the concatenation of `parts`.
    #[inline(always)]
    pub(crate) fn of_parts(parts: &[&[u8]]) -> Self {
        let mut stream = Self(Sponge::new());
        stream.restart(parts);
        stream
    }

    /// Becomes the stream of the concatenation of `parts`, in its place: where it is secret, it does not move.
    pub(crate) fn restart(&mut self, parts: &[&[u8]]) {
        self.0.clear();
        for part in parts {
            self.0.absorb(part);
        }
        self.0.pad(SUFFIX_SHAKE);
    }

    /// The next byte.
    #[inline]
    pub(crate) fn next_u8(&mut self) -> u8 {
        self.0.next_u8()
    }

    /// The next two bytes, little-endian.
    #[inline]
    pub(crate) fn next_u16(&mut self) -> u16 {
        self.0.next_u16()
    }

    /// The next eight bytes, little-endian.
    #[inline]
    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// The next `output.len()` bytes.
    pub(crate) fn fill(&mut self, output: &mut [u8]) {
        self.0.squeeze(output);
    }
}

/// A random generator that gives SHAKE256 of its seed: deterministic, for tests and wherever all
/// randomness has to come from one secret seed.
///
/// As random as its seed is; two with the same seed give the same bytes. Wiped when dropped.
#[derive(Clone)]
pub struct SeededRng(ShakeStream);

impl SeededRng {
    /// The generator of a seed of any length.
    #[must_use]
    pub fn new(seed: &[u8]) -> Self {
        Self(ShakeStream::new(seed))
    }

    /// That of the concatenation of `parts`.
    #[cfg(feature = "sign")]
    pub(crate) fn of_parts(parts: &[&[u8]]) -> Self {
        Self(ShakeStream::of_parts(parts))
    }
}

impl rand_core::TryRng for SeededRng {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut bytes = [0; 4];
        self.0.fill(&mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> {
        self.0.fill(dst);
        Ok(())
    }
}

impl rand_core::TryCryptoRng for SeededRng {}

impl core::fmt::Debug for SeededRng {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SeededRng").finish_non_exhaustive()
    }
}

/// SHAKE256 of the concatenation of `parts`.
pub(crate) fn shake256<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let mut output = [0; N];
    shake256_to(parts, &mut output);
    output
}

/// SHAKE256 of the parts, for what is secret: the output goes into its place.
pub(crate) fn shake256_to(parts: &[&[u8]], output: &mut [u8]) {
    ShakeStream::of_parts(parts).fill(output);
}

/// SHAKE (FIPS 202), an extendable-output function: [`SHAKE128`] or [`SHAKE256`].
///
/// Input goes in by [`inject`](Self::inject); [`flip`](Self::flip) ends it; output comes by
/// [`extract`](Self::extract), as much as is wanted. Constant time in all but the lengths; wiped when
/// dropped.
///
/// ```
/// use lanner_fn_dsa::SHAKE256;
///
/// let mut shake = SHAKE256::new();
/// shake.inject(b"abc");
/// shake.flip();
/// let mut output = [0; 4];
/// shake.extract(&mut output);
/// assert_eq!(output, [0x48, 0x33, 0x66, 0x60]);
/// ```
#[derive(Clone)]
pub struct SHAKE<const SZ: usize> {
    sponge: Xof,
    flipped: bool,
}

/// SHAKE128.
pub type SHAKE128 = SHAKE<128>;

/// SHAKE256.
pub type SHAKE256 = SHAKE<256>;

#[derive(Clone)]
enum Xof {
    Shake128(Sponge<168>),
    Shake256(Sponge<RATE_256>),
}

impl<const SZ: usize> SHAKE<SZ> {
    /// A new object, ready for input. `SZ` is 128 or 256; another value does not compile.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(SZ == 128 || SZ == 256) }
        Self {
            sponge: if SZ == 128 {
                Xof::Shake128(Sponge::new())
            } else {
                Xof::Shake256(Sponge::new())
            },
            flipped: false,
        }
    }

    /// Absorbs the next piece of the input.
    ///
    /// # Panics
    ///
    /// After [`flip`](Self::flip).
    pub fn inject(&mut self, src: &[u8]) {
        assert!(!self.flipped, "the input has ended");
        match &mut self.sponge {
            Xof::Shake128(sponge) => sponge.absorb(src),
            Xof::Shake256(sponge) => sponge.absorb(src),
        }
    }

    /// Ends the input.
    ///
    /// # Panics
    ///
    /// If it has ended before.
    pub fn flip(&mut self) {
        assert!(!self.flipped, "the input has ended");
        self.flipped = true;
        match &mut self.sponge {
            Xof::Shake128(sponge) => sponge.pad(SUFFIX_SHAKE),
            Xof::Shake256(sponge) => sponge.pad(SUFFIX_SHAKE),
        }
    }

    /// Writes the next `dst.len()` bytes of the output.
    ///
    /// # Panics
    ///
    /// Before [`flip`](Self::flip).
    pub fn extract(&mut self, dst: &mut [u8]) {
        assert!(self.flipped, "the input has not ended");
        match &mut self.sponge {
            Xof::Shake128(sponge) => sponge.squeeze(dst),
            Xof::Shake256(sponge) => sponge.squeeze(dst),
        }
    }

    /// Back to the state after [`new`](Self::new).
    pub fn reset(&mut self) {
        *self = Self::new();
    }
}

/// Says nothing of the state, which may be secret.
impl<const SZ: usize> core::fmt::Debug for SHAKE<SZ> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "SHAKE<{SZ}> {{ .. }}")
    }
}

impl<const SZ: usize> Default for SHAKE<SZ> {
    fn default() -> Self {
        Self::new()
    }
}

macro_rules! sha3 {
    ($name:ident, $bits:literal) => {
        #[doc = concat!("SHA3-", stringify!($bits), " (FIPS 202).")]
        ///
        /// Constant time in all but the length of the input; wiped when dropped.
        #[derive(Clone)]
        pub struct $name(Sponge<{ 200 - $bits / 4 }>);

        impl $name {
            /// A new object, ready for input.
            #[must_use]
            pub fn new() -> Self {
                Self(Sponge::new())
            }

            /// Absorbs the next piece of the input.
            pub fn update(&mut self, src: &[u8]) {
                self.0.absorb(src);
            }

            /// The hash of the input, after which the object is new again.
            pub fn digest(&mut self) -> [u8; $bits / 8] {
                let mut digest = [0; $bits / 8];
                self.0.pad(SUFFIX_SHA3);
                self.0.squeeze(&mut digest);
                self.reset();
                digest
            }

            /// Back to the state after [`new`](Self::new).
            pub fn reset(&mut self) {
                self.0 = Sponge::new();
            }
        }

        /// Says nothing of the state, which may be secret.
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

sha3!(SHA3_224, 224);
sha3!(SHA3_256, 256);
sha3!(SHA3_384, 384);
sha3!(SHA3_512, 512);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use sha3::digest::{Digest, ExtendableOutput, Update, XofReader};

    fn message(length: usize) -> Vec<u8> {
        (0..length).map(|i| (i * 7 + i / 251) as u8).collect()
    }

    /// Every length around the block sizes, cut in two at every place, against the crate `sha3`.
    #[test]
    fn agrees_with_sha3() {
        for length in (0..20).chain(128..180).chain([271, 272, 273, 1000]) {
            let message = message(length);
            let (left, right) = message.split_at(length / 3);

            let mut ours = SHAKE256::new();
            ours.inject(left);
            ours.inject(right);
            ours.flip();
            let mut theirs = sha3::Shake256::default();
            theirs.update(&message);
            let mut theirs = theirs.finalize_xof();
            for take in [1, 5, 130, 300] {
                let (mut a, mut b) = (vec![0; take], vec![0; take]);
                ours.extract(&mut a);
                theirs.read(&mut b);
                assert_eq!(a, b);
            }

            let mut ours = SHAKE128::new();
            ours.inject(&message);
            ours.flip();
            let (mut a, mut b) = ([0; 400], [0; 400]);
            ours.extract(&mut a);
            let mut theirs = sha3::Shake128::default();
            theirs.update(&message);
            theirs.finalize_xof().read(&mut b);
            assert_eq!(a, b);

            macro_rules! check {
                ($($name:ident $theirs:ident),+) => {$(
                    let mut ours = $name::new();
                    ours.update(&message);
                    assert_eq!(ours.digest()[..], sha3::$theirs::digest(&message)[..]);
                    assert_eq!(ours.digest()[..], sha3::$theirs::digest(b"")[..]);
                )+};
            }
            check!(SHA3_224 Sha3_224, SHA3_256 Sha3_256, SHA3_384 Sha3_384, SHA3_512 Sha3_512);
        }
    }

    #[test]
    fn words_are_the_bytes_of_the_stream() {
        let mut bytes = ShakeStream::new(b"seed");
        let mut words = bytes.clone();
        for i in 0..3000 {
            let mut buffer = [0; 8];
            match i % 5 {
                0 => {
                    bytes.fill(&mut buffer[..1]);
                    assert_eq!(words.next_u8(), buffer[0]);
                }
                1 | 3 => {
                    bytes.fill(&mut buffer[..2]);
                    assert_eq!(words.next_u16(), u16::from_le_bytes([buffer[0], buffer[1]]));
                }
                _ => {
                    bytes.fill(&mut buffer);
                    assert_eq!(words.next_u64(), u64::from_le_bytes(buffer));
                }
            }
        }
    }

    #[test]
    fn blocks_are_the_stream() {
        let mut stream = ShakeStream::new(b"seed");
        let mut sponge = stream.0.clone();
        for _ in 0..4 {
            for &word in sponge.block_beside(&mut ()) {
                assert_eq!(stream.next_u64(), word);
            }
        }
    }
}
