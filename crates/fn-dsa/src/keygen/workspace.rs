//! The memory of key generation, by name.

use lanner_simd::{Isa, Operation};

use super::mp31::{PRIME_Q, PRIMES};
use super::sizes::{large_limbs, small_limbs};
use crate::params::{LOGN_MAX, N_MAX};
use crate::wiping::wipe;

/// Where the coefficients of f at a depth >= 1 start among the saved ones; those of g follow them.
pub(crate) const fn saved_at(logn: u32, depth: u32) -> usize {
    let mut at = 0;
    let mut d = 1;
    while d < depth {
        at += (2 << (logn - d)) * small_limbs(d);
        d += 1;
    }
    at
}

/// The largest size that F has at any depth, in limbs.
const fn largest_big() -> usize {
    let mut largest = 0;
    let mut depth = 1;
    while depth < LOGN_MAX {
        let size = large_limbs(depth) << (LOGN_MAX - depth);
        largest = if size > largest { size } else { largest };
        depth += 1;
    }
    largest
}

/// The largest degree, excluded, at which coefficients are multiplied by the schoolbook.
const SCHOOLBOOK: usize = 128;

/// The largest size of a polynomial at those degrees, in limbs.
const PLANES: usize = 2 * SCHOOLBOOK;

const SAVED: usize = saved_at(LOGN_MAX, LOGN_MAX + 1);
const BIG: usize = largest_big();
const COLUMNS: usize = large_limbs(LOGN_MAX - 1) + 1;

/// Powers of the roots of unity, in bit-reversed order.
pub(crate) struct Tables {
    /// For the prime p_i, N_MAX / 2^i entries: the larger the numbers, the lower the degree.
    powers: [u32; 2 * N_MAX],
    inverses: [u32; 2 * N_MAX],
    /// For q.
    pub(crate) powers_q: [u32; N_MAX],
    /// Whether they have been filled, and for which degree.
    filled: u32,
}

impl Tables {
    const fn span(prime: usize) -> (usize, usize) {
        (2 * N_MAX - ((2 * N_MAX) >> prime), N_MAX >> prime)
    }

    /// The powers of the root of unity modulo the prime of this index.
    pub(crate) fn powers(&self, prime: usize) -> &[u32] {
        let (at, length) = Self::span(prime);
        &self.powers[at..at + length]
    }

    /// The powers of the inverse of that root.
    pub(crate) fn inverses(&self, prime: usize) -> &[u32] {
        let (at, length) = Self::span(prime);
        &self.inverses[at..at + length]
    }

    /// Fills what degree 2^logn needs, if that was not done before.
    pub(crate) fn fill<I: Isa>(&mut self, logn: u32) {
        if self.filled >= logn {
            return;
        }
        self.filled = logn;
        I::enter(Fill(self, logn));
    }
}

/// [`Tables::fill`], as an operation.
struct Fill<'a>(&'a mut Tables, u32);

impl Operation for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let Self(tables, logn) = self;
        for (i, prime) in PRIMES.iter().enumerate() {
            let (at, length) = Tables::span(i);
            let range = at..at + (length >> (LOGN_MAX - logn)).max(1);
            prime.fill_table::<I::U32>(false, &mut tables.powers[range.clone()]);
            prime.fill_table::<I::U32>(true, &mut tables.inverses[range]);
        }
        PRIME_Q.fill_table::<I::U32>(false, &mut tables.powers_q[..1 << logn]);
    }
}

/// The memory of key generation, about 140 kB; for reuse. Wiped when dropped.
///
/// The secret parts are wiped by [`Workspace::wipe`], too, after each key.
pub(crate) struct Workspace {
    pub(crate) tables: Tables,
    pub(crate) scratch: Scratch,
}

/// What holds secrets.
pub(crate) struct Scratch {
    /// (f, g) at the depths >= 1.
    pub(crate) saved: [i64; SAVED],
    /// F, and G, at the present depth.
    pub(crate) big_f: [i64; BIG],
    pub(crate) big_g: [i64; BIG],
    /// F and G of one level deeper; at the deepest, the numbers of the inversion.
    pub(crate) below: [i64; N_MAX],
    /// Sums of products, not yet carried.
    pub(crate) columns: [i128; COLUMNS],
    /// Polynomials in fixed point.
    pub(crate) fixed: [[i64; N_MAX]; 4],
    /// Lines of residues.
    pub(crate) lines: [u32; 2 * N_MAX],
    /// f, and g, modulo primes, transformed.
    pub(crate) f_hat: [u32; N_MAX],
    pub(crate) g_hat: [u32; N_MAX],
    /// The quotient of a reduction modulo primes, transformed.
    pub(crate) k_hat: [u32; N_MAX],
    pub(crate) k: [i32; N_MAX],
    /// -k, then k.
    pub(crate) k_extended: [i64; 2 * SCHOOLBOOK],
    /// f, and g, limb by limb.
    pub(crate) f_limbs: [i64; PLANES],
    pub(crate) g_limbs: [i64; PLANES],
    /// The reordered limbs of one factor.
    pub(crate) ordered: [i64; PLANES],
}

impl Workspace {
    pub(crate) const fn new() -> Self {
        Self {
            tables: Tables {
                powers: [0; 2 * N_MAX],
                inverses: [0; 2 * N_MAX],
                powers_q: [0; N_MAX],
                filled: 0,
            },
            scratch: Scratch {
                saved: [0; SAVED],
                big_f: [0; BIG],
                big_g: [0; BIG],
                below: [0; N_MAX],
                columns: [0; COLUMNS],
                fixed: [[0; N_MAX]; 4],
                lines: [0; 2 * N_MAX],
                f_hat: [0; N_MAX],
                g_hat: [0; N_MAX],
                k_hat: [0; N_MAX],
                k: [0; N_MAX],
                k_extended: [0; 2 * SCHOOLBOOK],
                f_limbs: [0; PLANES],
                g_limbs: [0; PLANES],
                ordered: [0; PLANES],
            },
        }
    }
}

impl Scratch {
    /// Overwrites everything.
    pub(crate) fn wipe(&mut self) {
        let Self {
            saved,
            big_f,
            big_g,
            below,
            columns,
            fixed,
            lines,
            f_hat,
            g_hat,
            k_hat,
            k,
            k_extended,
            f_limbs,
            g_limbs,
            ordered,
        } = self;
        wipe(saved, 0);
        wipe(big_f, 0);
        wipe(big_g, 0);
        wipe(below, 0);
        wipe(columns, 0);
        wipe(fixed.as_flattened_mut(), 0);
        wipe(lines, 0);
        wipe(f_hat, 0);
        wipe(g_hat, 0);
        wipe(k_hat, 0);
        wipe(k, 0);
        wipe(k_extended, 0);
        wipe(f_limbs, 0);
        wipe(g_limbs, 0);
        wipe(ordered, 0);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.wipe();
    }
}
