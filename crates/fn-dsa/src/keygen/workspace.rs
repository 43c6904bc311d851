//! The memory of key generation: one piece of 40 bytes a coefficient, that each step cuts up anew.
//!
//! What must stay from one step to the next has its place by the degree and the depth alone:
//!
//! ```text
//!    front                                                                    end
//!    [ (f, g) at depths 2, 3, … | work of the step … … … … | F, G of one depth below ]
//! ```
//!
//! Going down, (f, g) are added at the front, and at the end the integers F and G. Going up, a step at depth d finds F and G of
//! depth d + 1 at the end and leaves its own there; (f, g) from depth d + 1 on are not needed any more. Those of depth 1 are
//! computed twice instead of kept, because there is no room for them at depth 2.
//!
//! At the depths where polynomials are long the work is, in bytes a coefficient of the full degree (P3):
//!
//! | | drawing | full degree | depth 1 | depth 2 | depth 3 |
//! |---|---|---|---|---|---|
//! | (f, g) kept | | | | 4 | 8 |
//! | F and G | | 8 modulo p | 8 | 12 | 8 |
//! | in fixed point, and the lines in the same place | 16 | 12 | 16 | 10 | 6 |
//! | (f, g) modulo primes | | 8 | 8 | 6 | 4 |
//! | quotient | | 4 | 2 | 1 | 0.5 |
//! | powers of roots | | 4 | 4 | 3 | 2 |
//! | in all | 16 | 36 | 38 | 36 | 28.5 |

use core::mem::take;

use lanner_simd::Isa;
use lanner_simd::memory::{Integer, view_mut};

use super::mp31::{PRIMES, fill_table};
use super::sizes::small_limbs;
use crate::wiping::wipe;

/// Where the coefficients of f at a depth >= 2 start among the kept ones; those of g follow them.
pub(crate) const fn kept_at(logn: u32, depth: u32) -> usize {
    let mut at = 0;
    let mut d = 2;
    while d < depth {
        at += (2 << (logn - d)) * small_limbs(d);
        d += 1;
    }
    at
}

/// The memory of key generation for degrees up to `N`: 40 `N` bytes. Wiped when dropped.
#[repr(C, align(64))]
pub(crate) struct Workspace<const N: usize>([[u32; N]; 10]);

impl<const N: usize> Workspace<N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        // Of degrees below, the parts that do not shrink with the degree would not fit.
        const { assert!(N >= 128) }
        Self([[0; N]; 10])
    }

    pub(crate) fn words(&mut self) -> &mut [u32] {
        self.0.as_flattened_mut()
    }

    /// Overwrites everything.
    pub(crate) fn wipe(&mut self) {
        wipe(self.words(), 0);
    }
}

impl<const N: usize> Drop for Workspace<N> {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// Memory that is cut up, from the front and from the end. What is cut off holds what was there before.
pub(crate) struct Memory<'a>(&'a mut [u32]);

/// Pieces start at multiples of so many words: aligned for every vector.
const GRAIN: usize = 16;

impl<'a> Memory<'a> {
    /// All of a workspace's words.
    pub(crate) fn new(words: &'a mut [u32]) -> Self {
        Self(words)
    }

    /// The same memory, to be cut up for a while.
    pub(crate) fn rest(&mut self) -> Memory<'_> {
        Memory(self.0)
    }

    fn cut<T: Integer>(&mut self, count: usize) -> &'a mut [T] {
        let words = (count * size_of::<T>()).div_ceil(4);
        let (piece, rest) = take(&mut self.0).split_at_mut(words.next_multiple_of(GRAIN));
        self.0 = rest;
        &mut view_mut(&mut piece[..words])[..count]
    }

    /// Words of 32 bits.
    pub(crate) fn words(&mut self, count: usize) -> &'a mut [u32] {
        self.cut(count)
    }

    /// Quotients.
    pub(crate) fn integers(&mut self, count: usize) -> &'a mut [i32] {
        self.cut(count)
    }

    /// Limbs, or numbers in fixed point.
    pub(crate) fn limbs(&mut self, count: usize) -> &'a mut [i64] {
        self.cut(count)
    }

    /// Sums of products, which are zero when not in use.
    pub(crate) fn columns(&mut self, count: usize) -> &'a mut [i128] {
        let columns = self.cut(count);
        columns.fill(0);
        columns
    }

    /// The memory of a [`Room`](crate::ntt::Room) for n residues modulo q.
    pub(crate) fn room(&mut self, n: usize) -> &'a mut [i16] {
        self.cut(2 * n.div_ceil(2)).split_at_mut(n).0
    }

    /// The same for words.
    pub(crate) fn residues(&mut self, n: usize) -> &'a mut [u16] {
        self.cut(2 * n.div_ceil(2)).split_at_mut(n).0
    }

    /// Limbs at the end.
    pub(crate) fn limbs_at_end(&mut self, count: usize) -> &'a mut [i64] {
        let memory = take(&mut self.0);
        let words = 2 * count;
        let at = memory.len() - words.next_multiple_of(GRAIN);
        let (rest, piece) = memory.split_at_mut(at);
        self.0 = rest;
        view_mut(&mut piece[..words])
    }
}

/// Powers of the roots of unity modulo the first primes, in bit-reversed order, for one degree and those below.
#[derive(Clone, Copy)]
pub(crate) struct Tables<'a> {
    n: usize,
    powers: &'a [u32],
}

impl<'a> Tables<'a> {
    /// Those for degree n and `count` primes.
    pub(crate) fn fill<I: Isa>(n: usize, count: usize, memory: &mut Memory<'a>) -> Self {
        let powers = memory.words(count * n);
        for (prime, powers) in PRIMES.iter().zip(powers.chunks_exact_mut(n)) {
            fill_table::<I>(prime, powers);
        }
        Self { n, powers }
    }

    /// The powers of the root of unity modulo the prime of this index.
    pub(crate) fn powers(&self, prime: usize) -> &'a [u32] {
        &self.powers[prime * self.n..(prime + 1) * self.n]
    }
}
