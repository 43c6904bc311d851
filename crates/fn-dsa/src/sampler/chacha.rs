//! The generator of the main variant on wasm's simd128: the stream of `chacha20::ChaCha12Rng`, whose code for
//! other targets has vectors, but has none for this one.

use core::arch::wasm32::*;

use chacha20::rand_core::SeedableRng;
use lanner_simd::{Isa, Operation};
use zeroize::Zeroize;

use super::round::{Generator, RUN};

/// Blocks side by side: three chains of operations keep a processor busy, and their rows fit its registers.
const BLOCKS: usize = 3;

/// ChaCha12 (RFC 8439 with twelve rounds) from a key, nonce 0, a counter of 64 bits. Wiped when dropped.
pub(crate) struct ChaCha12 {
    key: [u32; 8],
    counter: u64,
}

impl SeedableRng for ChaCha12 {
    type Seed = [u8; 32];

    fn from_seed(mut seed: [u8; 32]) -> Self {
        let mut key = [0; 8];
        for (word, bytes) in key.iter_mut().zip(seed.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        seed.zeroize();
        Self { key, counter: 0 }
    }
}

impl Drop for ChaCha12 {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

impl Generator for ChaCha12 {
    fn fill(&mut self, bytes: &mut [u8; RUN]) {
        lanner_simd::baseline(Fill(self, bytes));
    }
}

struct Fill<'a>(&'a mut ChaCha12, &'a mut [u8; RUN]);

impl Operation for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let Fill(ChaCha12 { key: k, counter }, bytes) = self;
        let constants = u32x4(0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574);
        let low = u32x4(k[0], k[1], k[2], k[3]);
        let high = u32x4(k[4], k[5], k[6], k[7]);
        for output in bytes.as_chunks_mut::<{ 64 * BLOCKS }>().0 {
            let block = |counter| Block {
                a: constants,
                b: low,
                c: high,
                // The counter, and zeros.
                d: u64x2(counter, 0),
            };
            let start = [block(*counter), block(*counter + 1), block(*counter + 2)];
            *counter += BLOCKS as u64;
            let [mut x, mut y, mut z] = start;
            for _ in 0..6 {
                // Columns, and then diagonals, turned into columns and back.
                quarter(&mut x, &mut y, &mut z);
                x.diagonals();
                y.diagonals();
                z.diagonals();
                quarter(&mut x, &mut y, &mut z);
                x.columns();
                y.columns();
                z.columns();
            }
            let (first, rest) = output.split_at_mut(64);
            let (second, third) = rest.split_at_mut(64);
            x.write(&start[0], first);
            y.write(&start[1], second);
            z.write(&start[2], third);
        }
    }
}

/// A block: four rows of four words.
#[derive(Clone, Copy)]
struct Block {
    a: v128,
    b: v128,
    c: v128,
    d: v128,
}

impl Block {
    #[inline(always)]
    fn diagonals(&mut self) {
        self.b = i32x4_shuffle::<1, 2, 3, 0>(self.b, self.b);
        self.c = i32x4_shuffle::<2, 3, 0, 1>(self.c, self.c);
        self.d = i32x4_shuffle::<3, 0, 1, 2>(self.d, self.d);
    }

    #[inline(always)]
    fn columns(&mut self) {
        self.b = i32x4_shuffle::<3, 0, 1, 2>(self.b, self.b);
        self.c = i32x4_shuffle::<2, 3, 0, 1>(self.c, self.c);
        self.d = i32x4_shuffle::<1, 2, 3, 0>(self.d, self.d);
    }

    /// a += b, d = (d ^ a) rotated by 16 bits: their halves change places.
    #[inline(always)]
    fn first(&mut self) {
        self.a = i32x4_add(self.a, self.b);
        let d = v128_xor(self.d, self.a);
        self.d = i16x8_shuffle::<1, 0, 3, 2, 5, 4, 7, 6>(d, d);
    }

    /// a += b, d = (d ^ a) rotated by 8 bits.
    #[inline(always)]
    fn third(&mut self) {
        self.a = i32x4_add(self.a, self.b);
        self.d = rotate::<8>(v128_xor(self.d, self.a));
    }

    /// c += d, b = (b ^ c) rotated.
    #[inline(always)]
    fn other<const BY: u32>(&mut self) {
        self.c = i32x4_add(self.c, self.d);
        self.b = rotate::<BY>(v128_xor(self.b, self.c));
    }

    /// Adds the start of the block, and writes it.
    #[inline(always)]
    fn write(&self, start: &Self, bytes: &mut [u8]) {
        write(i32x4_add(self.a, start.a), &mut bytes[..16]);
        write(i32x4_add(self.b, start.b), &mut bytes[16..32]);
        write(i32x4_add(self.c, start.c), &mut bytes[32..48]);
        write(i32x4_add(self.d, start.d), &mut bytes[48..]);
    }
}

#[inline(always)]
fn write(row: v128, bytes: &mut [u8]) {
    let (low, high) = bytes.split_at_mut(8);
    low.copy_from_slice(&u64x2_extract_lane::<0>(row).to_le_bytes());
    high.copy_from_slice(&u64x2_extract_lane::<1>(row).to_le_bytes());
}

#[inline(always)]
fn rotate<const N: u32>(x: v128) -> v128 {
    v128_or(i32x4_shl(x, N), u32x4_shr(x, 32 - N))
}

/// Four quarter rounds of each block, on rows, step by step in turn.
#[inline(always)]
fn quarter(x: &mut Block, y: &mut Block, z: &mut Block) {
    x.first();
    y.first();
    z.first();
    x.other::<12>();
    y.other::<12>();
    z.other::<12>();
    x.third();
    y.third();
    z.third();
    x.other::<7>();
    y.other::<7>();
    z.other::<7>();
}
