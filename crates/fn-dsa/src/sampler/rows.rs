//! The generator of the main variant: ChaCha12, four blocks in a vector of AVX-512 where the processor has it, else as
//! the crate `chacha20` computes it.

use chacha20::ChaCha12Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use lanner_simd::{Ifma, IfmaOperation, Rows};
use zeroize::Zeroize;

use super::round::{Generator, RUN};
use crate::vectors::avx512;

/// ChaCha12 (RFC 8439 with twelve rounds) from a key, nonce 0, a counter of 64 bits. Wiped when dropped.
///
/// A struct and not an enum of the two ways: moving an enum copies what is in none of its fields, too, and what was
/// on the stack there.
pub(crate) struct ChaCha12 {
    in_rows: bool,
    /// Zeros unless the blocks are computed in rows.
    key: [u32; 8],
    /// The number of the next block.
    counter: u64,
    /// With a key of zeros unless the crate computes the blocks.
    words: ChaCha12Rng,
}

impl SeedableRng for ChaCha12 {
    type Seed = [u8; 32];

    fn from_seed(mut seed: [u8; 32]) -> Self {
        let in_rows = avx512().is_some();
        let mut key = [0; 8];
        if in_rows {
            for (word, bytes) in key.iter_mut().zip(seed.as_chunks::<4>().0) {
                *word = u32::from_le_bytes(*bytes);
            }
            seed.zeroize();
        }
        Self {
            in_rows,
            key,
            counter: 0,
            words: ChaCha12Rng::from_seed(seed),
        }
    }
}

impl Generator for ChaCha12 {
    fn fill(&mut self, bytes: &mut [u8; RUN]) {
        if !self.in_rows {
            self.words.fill_bytes(bytes);
        } else if let Some(witness) = avx512() {
            witness.enter_ifma(Fill(self, bytes));
        } else {
            // The backend has changed.
            lanner_simd::portable_ifma(Fill(self, bytes));
        }
    }
}

impl Drop for ChaCha12 {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

/// Fills a run.
struct Fill<'a>(&'a mut ChaCha12, &'a mut [u8; RUN]);

/// Blocks of a vector.
const BLOCKS: usize = 4;

impl IfmaOperation for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Ifma>(self) {
        let Fill(ChaCha12 { key, counter, .. }, bytes) = self;
        let [k0, k1, k2, k3, k4, k5, k6, k7] = *key;
        let constants = I::Rows::spread([0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        let (low, high) = (
            I::Rows::spread([k0, k1, k2, k3]),
            I::Rows::spread([k4, k5, k6, k7]),
        );
        const { assert!(RUN.is_multiple_of(3 * 64 * BLOCKS)) }
        // Three chains of operations keep a processor busy.
        for output in bytes.as_chunks_mut::<{ 3 * 64 * BLOCKS }>().0 {
            let mut start = [[constants, low, high, constants]; 3];
            for [.., counters] in &mut start {
                let mut words = [0; 16];
                for words in words.as_chunks_mut::<4>().0 {
                    (words[0], words[1]) = (*counter as u32, (*counter >> 32) as u32);
                    *counter += 1;
                }
                *counters = I::Rows::new(words);
            }
            let [mut x, mut y, mut z] = start;
            for _ in 0..6 {
                quarter(&mut x, &mut y, &mut z);
                to_diagonals(&mut x);
                to_diagonals(&mut y);
                to_diagonals(&mut z);
                quarter(&mut x, &mut y, &mut z);
                to_columns(&mut x);
                to_columns(&mut y);
                to_columns(&mut z);
            }
            let (first, rest) = output.split_at_mut(64 * BLOCKS);
            let (second, third) = rest.split_at_mut(64 * BLOCKS);
            write(&x, &start[0], first);
            write(&y, &start[1], second);
            write(&z, &start[2], third);
        }
    }
}

/// Rows of four blocks.
type Blocks<R> = [R; 4];

macro_rules! step {
    ($blocks:ident, $sum:literal, $by:literal, $mixed:literal, $bits:literal) => {
        $blocks[$sum] = $blocks[$sum].add($blocks[$by]);
        $blocks[$mixed] = $blocks[$mixed].xor($blocks[$sum]).rotate_left::<$bits>();
    };
}

/// Four quarter rounds of each block, on rows, step by step in turn.
#[inline(always)]
fn quarter<R: Rows>(x: &mut Blocks<R>, y: &mut Blocks<R>, z: &mut Blocks<R>) {
    macro_rules! all {
        ($sum:literal, $by:literal, $mixed:literal, $bits:literal) => {
            step!(x, $sum, $by, $mixed, $bits);
            step!(y, $sum, $by, $mixed, $bits);
            step!(z, $sum, $by, $mixed, $bits);
        };
    }
    all!(0, 1, 3, 16);
    all!(2, 3, 1, 12);
    all!(0, 1, 3, 8);
    all!(2, 3, 1, 7);
}

/// The orders of the words of a row, turned by one, two and three places.
const ONE: i32 = 0b00_11_10_01;
const TWO: i32 = 0b01_00_11_10;
const THREE: i32 = 0b10_01_00_11;

/// Turns rows, so that diagonals become columns.
#[inline(always)]
fn to_diagonals<R: Rows>(blocks: &mut Blocks<R>) {
    blocks[1] = blocks[1].permute::<ONE>();
    blocks[2] = blocks[2].permute::<TWO>();
    blocks[3] = blocks[3].permute::<THREE>();
}

/// The inverse.
#[inline(always)]
fn to_columns<R: Rows>(blocks: &mut Blocks<R>) {
    blocks[1] = blocks[1].permute::<THREE>();
    blocks[2] = blocks[2].permute::<TWO>();
    blocks[3] = blocks[3].permute::<ONE>();
}

/// Adds the start of four blocks, and writes them.
#[inline(always)]
fn write<R: Rows>(blocks: &Blocks<R>, start: &Blocks<R>, output: &mut [u8]) {
    let sums = [
        blocks[0].add(start[0]),
        blocks[1].add(start[1]),
        blocks[2].add(start[2]),
        blocks[3].add(start[3]),
    ];
    let outputs = output.as_chunks_mut::<64>().0;
    for (block, output) in R::transpose(sums).into_iter().zip(outputs) {
        block.store_le(output);
    }
}
