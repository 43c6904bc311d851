//! Sources of the sampler's randomness whose bytes have a prescribed order.

use lanner_simd::{Isa, Operation};
use zeroize::Zeroize;

pub(crate) use crate::shake::ShakeStream;
use crate::vectors::dispatch_wide;

/// A stream of uniform bytes.
#[allow(dead_code)] // the module `ahead` is not everywhere
pub(crate) trait ByteSource {
    /// The next byte.
    fn next_u8(&mut self) -> u8;
    /// The next eight bytes, little-endian.
    fn next_u64(&mut self) -> u64;
    /// The next bytes.
    fn fill(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = self.next_u8();
        }
    }
    /// How many bytes are skipped before a word of eight, so many bytes behind the seed.
    #[inline(always)]
    fn given_up(_position: usize) -> usize {
        0
    }
    /// The next nine bytes, little-endian: the low 64 bits, and the high eight.
    #[inline(always)]
    fn next_u72(&mut self) -> (u64, u8) {
        (self.next_u64(), self.next_u8())
    }
}

/// SHAKE256 of a seed: fn-dsa 0.3.0 and 0.4.0.
impl ByteSource for ShakeStream {
    #[inline(always)]
    fn next_u8(&mut self) -> u8 {
        ShakeStream::next_u8(self)
    }

    #[inline(always)]
    fn next_u64(&mut self) -> u64 {
        ShakeStream::next_u64(self)
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        ShakeStream::fill(self, bytes);
    }
}

/// A source that starts anew from 56 bytes, in its place: what the crates fn-dsa 0.2 and 0.3 draw for an attempt.
pub(crate) trait Reseed: ByteSource {
    fn reseed(&mut self, seed: &[u8; 56]);
}

impl Reseed for ShakeStream {
    fn reseed(&mut self, seed: &[u8; 56]) {
        self.restart(&[seed]);
    }
}

/// Blocks of ChaCha20 that are computed at once.
const BLOCKS: usize = 8;

/// The generator of the Falcon reference of round 3: ChaCha20 in eight interleaved blocks, of a state in
/// which the last twelve words are the seed and a block counter, which is exclusively or-ed to the last two.
///
/// Wiped when dropped.
#[derive(Clone)]
pub(crate) struct ReferenceChaCha20 {
    /// Words 4 to 15 of the initial state.
    seed: [u32; 12],
    counter: u64,
    buffer: [u8; 64 * BLOCKS],
    position: usize,
}

impl ReferenceChaCha20 {
    /// One that waits for its seed.
    pub(crate) const fn empty() -> Self {
        Self {
            seed: [0; 12],
            counter: 0,
            buffer: [0; 64 * BLOCKS],
            position: 0,
        }
    }

    #[cfg(test)]
    pub(crate) fn new(seed: &[u8; 56]) -> Self {
        let mut source = Self::empty();
        source.restart(seed);
        source
    }

    /// Becomes the source of 56 bytes, in its place: the twelve words, and the first value of the counter.
    pub(crate) fn restart(&mut self, seed: &[u8; 56]) {
        let (words, counter) = seed.split_at(48);
        for (word, bytes) in self.seed.iter_mut().zip(words.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        for (i, &byte) in (0..).zip(counter) {
            self.counter = self.counter & !(0xff << (8 * i)) | u64::from(byte) << (8 * i);
        }
        self.refill();
    }

    fn refill(&mut self) {
        // Word w of block b stands at 4 (8 w + b): a row of the matrix is one word of all blocks.
        let mut initial = [[0; BLOCKS]; 16];
        let constants = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
        for (row, word) in initial.iter_mut().zip(constants.iter().chain(&self.seed)) {
            *row = [*word; BLOCKS];
        }
        let [.., low, high] = &mut initial;
        for (low, high) in low.iter_mut().zip(high) {
            *low ^= self.counter as u32;
            *high ^= (self.counter >> 32) as u32;
            self.counter = self.counter.wrapping_add(1);
        }
        dispatch_wide(Permutation(&mut initial));
        let words = initial.as_flattened();
        for (bytes, word) in self.buffer.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        self.position = 0;
        initial.zeroize();
    }
}

/// One word of all blocks: eight lanes, for the compiler to make vectors of.
type Row = [u32; BLOCKS];

/// The block function of ChaCha20 (RFC 8439, section 2.3), of all blocks at once and in place.
struct Permutation<'a>(&'a mut [Row; 16]);

impl Operation for Permutation<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let mut state = *self.0;
        for _ in 0..10 {
            for c in 0..4 {
                quarter(&mut state, c, 4 + c, 8 + c, 12 + c);
            }
            for c in 0..4 {
                quarter(
                    &mut state,
                    c,
                    4 + (c + 1) % 4,
                    8 + (c + 2) % 4,
                    12 + (c + 3) % 4,
                );
            }
        }
        for (row, result) in self.0.iter_mut().zip(&state) {
            for (word, result) in row.iter_mut().zip(result) {
                *word = word.wrapping_add(*result);
            }
        }
        state.zeroize();
    }
}

#[inline(always)]
fn quarter(state: &mut [Row; 16], a: usize, b: usize, c: usize, d: usize) {
    for (x, y, z, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        let (from, mut sum, mut mixed) = (state[y], state[x], state[z]);
        for block in 0..BLOCKS {
            sum[block] = sum[block].wrapping_add(from[block]);
            mixed[block] = (mixed[block] ^ sum[block]).rotate_left(by);
        }
        (state[x], state[z]) = (sum, mixed);
    }
}

impl ByteSource for ReferenceChaCha20 {
    #[inline(always)]
    fn next_u8(&mut self) -> u8 {
        let byte = self.buffer[self.position];
        self.position += 1;
        if self.position == self.buffer.len() {
            self.refill();
        }
        byte
    }

    #[inline(always)]
    fn next_u64(&mut self) -> u64 {
        // The reference gives up what is left of a buffer of nine bytes or fewer.
        if self.position >= self.buffer.len() - 9 {
            self.refill();
        }
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.buffer[self.position..self.position + 8]);
        self.position += 8;
        u64::from_le_bytes(bytes)
    }

    fn fill(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            let ready = &self.buffer[self.position..];
            let (now, later) = bytes.split_at_mut(bytes.len().min(ready.len()));
            now.copy_from_slice(&ready[..now.len()]);
            self.position += now.len();
            if self.position == self.buffer.len() {
                self.refill();
            }
            bytes = later;
        }
    }

    #[inline(always)]
    fn given_up(position: usize) -> usize {
        const BUFFER: usize = 64 * BLOCKS;
        let left = BUFFER - position % BUFFER;
        if left <= 9 { left } else { 0 }
    }
}

impl Drop for ReferenceChaCha20 {
    fn drop(&mut self) {
        self.seed.zeroize();
        self.counter.zeroize();
        self.buffer.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{ByteSource, ReferenceChaCha20, Reseed, ShakeStream};
    use crate::shake256x4::Shake256x4;

    /// A source that was used before gives what a new one gives, whatever its counter was.
    #[test]
    fn restarted_is_new() {
        let used = |counter: [u8; 8]| {
            let mut seed = [3; 56];
            seed[48..].copy_from_slice(&counter);
            ReferenceChaCha20::new(&seed)
        };
        let seed = core::array::from_fn(|i| i as u8);
        let mut new = ReferenceChaCha20::new(&seed);
        let expected = [(); 100].map(|()| new.next_u64());
        for counter in [[0; 8], [0xff; 8], [0xaa; 8], [0, 0, 0, 0, 0, 0, 0, 0xff]] {
            let mut source = used(counter);
            source.next_u8();
            source.restart(&seed);
            assert_eq!([(); 100].map(|()| source.next_u64()), expected);
        }
    }

    /// Wherever a source is, a word is the eight bytes behind what is given up, and `fill` gives what single bytes are.
    #[test]
    fn words_and_runs_are_of_the_same_bytes() {
        fn check<S: ByteSource + Clone>(source: S) {
            let bytes: Vec<u8> = {
                let mut source = source.clone();
                (0..1_400).map(|_| source.next_u8()).collect()
            };
            let mut behind = source.clone();
            for position in 0..1_200 {
                let from = position + S::given_up(position);
                let word = u64::from_le_bytes(*bytes[from..].first_chunk().unwrap());
                assert_eq!(behind.clone().next_u64(), word, "{position}");
                let run = &mut [0; 150][..1 + position % 150];
                behind.clone().fill(run);
                assert_eq!(run, &bytes[position..][..run.len()], "{position}");
                behind.next_u8();
            }
        }
        let mut shake = ShakeStream::empty();
        shake.reseed(&[1; 56]);
        check(shake);
        check(ReferenceChaCha20::new(&[2; 56]));
        let mut four = Shake256x4::empty();
        four.reseed(&[3; 56]);
        check(four);
    }
}
