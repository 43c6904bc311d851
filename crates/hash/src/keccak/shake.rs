//! SHAKE128 and SHAKE256 of several messages (FIPS 202, 6.2).

use core::array::from_fn;
use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop, zeroize_stack};

use super::permutation::{WORDS, permute_with};
use crate::parts::Parts;
use crate::vectors::Vectors;

/// SHAKE128 of `N` messages: blocks of 21 words, 168 bytes.
pub type Shake128<const N: usize> = Shake<21, N>;

/// SHAKE256 of `N` messages: blocks of 17 words, 136 bytes.
pub type Shake256<const N: usize> = Shake<17, N>;

/// The longest rate in bytes.
const MAX_RATE: usize = 168;

/// `N` streams of SHAKE, one of each of `N` messages, with blocks of `RATE` words of 64 bits:
/// [`Shake128`] and [`Shake256`] are the two that are standardised.
///
/// All streams advance together, a block at a time. A block is given as words, the same word
/// of every stream side by side; a word stands for eight bytes of its stream in little-endian
/// order.
///
/// Four and eight streams fit the vectors; other numbers work, and cost as much as the next
/// larger of these.
///
/// Constant time in the bytes of the messages, not in their lengths. The states are wiped when
/// dropped.
///
/// ```
/// use lanner_hash::keccak::Shake256;
///
/// // Four generators from one seed.
/// let seed = [7; 32];
/// let mut generators = Shake256::<4>::new([0, 1, 2, 3].map(|i| [seed.to_vec(), vec![i]]));
/// let first: &[[u64; 4]; 17] = generators.next_block();
/// let of_the_last = first[0][3];
///
/// let mut bytes = [0; 136];
/// generators.copy_block(3, &mut bytes);
/// assert_eq!(bytes[..8], of_the_last.to_le_bytes());
/// let second = generators.next_block();
/// # assert_ne!(second[0][3], of_the_last);
/// ```
pub struct Shake<const RATE: usize, const N: usize> {
    states: [[u64; N]; WORDS],
    /// Whether `next_block` has given the present block.
    given: bool,
}

impl<const RATE: usize, const N: usize> Shake<RATE, N> {
    /// Absorbs `N` messages.
    ///
    /// A message is a list of parts, and means their concatenation: `&[&[u8]]`,
    /// `[&[u8]; 3]`, `[Vec<u8>; 1]` and so on. Lengths may differ between the messages; the time is
    /// that of the longest.
    #[must_use]
    pub fn new<M, P>(messages: [M; N]) -> Self
    where
        M: AsRef<[P]>,
        P: AsRef<[u8]>,
    {
        Self::new_with(Vectors::active(), messages)
    }

    /// `new` on a vectors.
    pub(super) fn new_with<M, P>(vectors: Vectors, messages: [M; N]) -> Self
    where
        M: AsRef<[P]>,
        P: AsRef<[u8]>,
    {
        const { assert!(0 < RATE && 8 * RATE <= MAX_RATE) };
        let mut messages = messages.map(|message| Some(Parts::new(message)));
        let mut sponge = Self {
            states: [[0; N]; WORDS],
            given: false,
        };
        // The states of the messages that have ended while others go on.
        let mut parked = Parked {
            states: [[0; N]; WORDS],
            lanes: [false; N],
        };
        let mut buffer = [0; MAX_RATE];
        let block = &mut buffer[..8 * RATE];
        loop {
            let mut ended = [false; N];
            for (lane, message) in messages.iter_mut().enumerate() {
                let Some(parts) = message else { continue };
                let filled = parts.read::<P>(block);
                if filled < block.len() {
                    // The two bits that mean SHAKE (6.2), and the padding (5.1).
                    block[filled..].fill(0);
                    block[filled] = 0x1f;
                    block[8 * RATE - 1] |= 0x80;
                    *message = None;
                    ended[lane] = true;
                }
                sponge.add(lane, block);
            }
            permute_with(vectors, &mut sponge.states);
            if messages.iter().all(Option::is_none) {
                break;
            }
            for lane in (0..N).filter(|&lane| ended[lane]) {
                parked.park(lane, &sponge.states);
            }
        }
        parked.bring_back(&mut sponge.states);
        buffer.zeroize();
        sponge
    }

    /// Adds a block to one state.
    fn add(&mut self, lane: usize, block: &[u8]) {
        let (words, _) = block.as_chunks();
        for (row, word) in self.states.iter_mut().zip(words) {
            row[lane] ^= u64::from_le_bytes(*word);
        }
    }

    /// The next block of every stream: word `i` of stream `j` at `[i][j]`.
    pub fn next_block(&mut self) -> &[[u64; N]; RATE] {
        self.next_block_with(Vectors::active())
    }

    /// `next_block` on a vectors.
    pub(super) fn next_block_with(&mut self, vectors: Vectors) -> &[[u64; N]; RATE] {
        if self.given {
            permute_with(vectors, &mut self.states);
        }
        self.given = true;
        self.block()
    }

    /// The present block of every stream: what [`next_block`](Self::next_block) gave last, or,
    /// before its first call, will give.
    #[must_use]
    pub fn block(&self) -> &[[u64; N]; RATE] {
        self.states
            .first_chunk()
            .expect("a rate is less than a state")
    }

    /// The present block of one stream.
    ///
    /// # Panics
    ///
    /// If `stream` is not less than `N`.
    #[must_use]
    pub fn words(&self, stream: usize) -> [u64; RATE] {
        from_fn(|i| self.states[i][stream])
    }

    /// Copies the beginning of the present block of one stream, as bytes; 8 · `RATE` at
    /// most.
    ///
    /// # Panics
    ///
    /// If `stream` is not less than `N`, or `bytes` is longer than a block.
    pub fn copy_block(&self, stream: usize, bytes: &mut [u8]) {
        assert!(bytes.len() <= 8 * RATE, "one block");
        for (bytes, row) in bytes.chunks_mut(8).zip(&self.states) {
            bytes.copy_from_slice(&row[stream].to_le_bytes()[..bytes.len()]);
        }
    }
}

impl<const RATE: usize, const N: usize> fmt::Debug for Shake<RATE, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shake").finish_non_exhaustive()
    }
}

impl<const RATE: usize, const N: usize> Drop for Shake<RATE, N> {
    fn drop(&mut self) {
        self.states = [[0; N]; WORDS];
        zeroize::optimization_barrier(self);
        // The frame of a permutation that was called from here.
        zeroize_stack::<2048>();
    }
}

impl<const RATE: usize, const N: usize> ZeroizeOnDrop for Shake<RATE, N> {}

/// States at rest.
struct Parked<const N: usize> {
    states: [[u64; N]; WORDS],
    lanes: [bool; N],
}

impl<const N: usize> Parked<N> {
    fn park(&mut self, lane: usize, states: &[[u64; N]; WORDS]) {
        self.lanes[lane] = true;
        for (parked, row) in self.states.iter_mut().zip(states) {
            parked[lane] = row[lane];
        }
    }

    fn bring_back(&self, states: &mut [[u64; N]; WORDS]) {
        for lane in (0..N).filter(|&lane| self.lanes[lane]) {
            for (parked, row) in self.states.iter().zip(&mut *states) {
                row[lane] = parked[lane];
            }
        }
    }
}

impl<const N: usize> Drop for Parked<N> {
    fn drop(&mut self) {
        self.states = [[0; N]; WORDS];
        zeroize::optimization_barrier(self);
    }
}
