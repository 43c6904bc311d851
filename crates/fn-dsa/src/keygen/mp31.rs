//! Arithmetic modulo primes below 2^31, in Montgomery form with R = 2^32, and the residue number
//! system of a few such primes.
//!
//! The primes are the largest below 2^31 that are 1 modulo 2048, so that each has the 2048-th roots of
//! unity that the transforms need. Five are enough: only polynomials of many small coefficients are
//! multiplied modulo primes; few large ones are multiplied as plain integers (`zint62`).

use lanner_simd::{Isa, difference_of_halves};

use super::lanes::{Modulus, Words, operation};
#[cfg(test)]
use crate::params::Q;

/// A prime p = 1 mod 2048, odd and below 2^31, and its constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prime {
    pub(crate) p: u32,
    /// 1/p mod 2^32.
    pub(crate) inverse: u32,
    /// 2^32 mod p: one, in Montgomery form.
    pub(crate) one: u32,
    /// 2^64 mod p: takes a residue to Montgomery form.
    pub(crate) r2: u32,
    /// A primitive 2048-th root of unity, in Montgomery form.
    root: u32,
}

impl Prime {
    const fn new(p: u32) -> Self {
        // Newton's iteration doubles the correct bits; p itself is right modulo 8.
        let mut inverse = p;
        let mut i = 0;
        while i < 4 {
            inverse = inverse.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(inverse)));
            i += 1;
        }
        let one = ((1u64 << 32) % p as u64) as u32;
        let r2 = ((one as u64 * one as u64) % p as u64) as u32;
        let mut prime = Self {
            p,
            inverse,
            one,
            r2,
            root: 0,
        };
        // x^((p-1)/2048) for the first x that is no square.
        let mut x = one;
        loop {
            x = (x + one) % p;
            if prime.power(x, p / 2) != one {
                break;
            }
        }
        prime.root = prime.power(x, p / 2048);
        prime
    }

    /// a b / 2^32 mod p.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(crate) fn mul(&self, a: u32, b: u32) -> u32 {
        a.mont_mul(b, &self.modulus())
    }

    /// The same for constants and for what is public: it branches.
    pub(crate) const fn mul_public(&self, a: u32, b: u32) -> u32 {
        let d = difference_of_halves(a, b, self.p, self.inverse);
        if d < self.p {
            d
        } else {
            d.wrapping_add(self.p)
        }
    }

    /// a + b mod p.
    #[inline(always)]
    pub(crate) fn add(&self, a: u32, b: u32) -> u32 {
        a.add_mod(b, self.p)
    }

    /// a - b mod p.
    #[inline(always)]
    pub(crate) fn sub(&self, a: u32, b: u32) -> u32 {
        a.sub_mod(b, self.p)
    }

    /// a^e for a public a and e, both powers in Montgomery form.
    pub(crate) const fn power(&self, a: u32, e: u32) -> u32 {
        let mut result = self.one;
        let mut bit = 32;
        while bit > 0 {
            bit -= 1;
            result = self.mul_public(result, result);
            if e >> bit & 1 == 1 {
                result = self.mul_public(result, a);
            }
        }
        result
    }

    /// 2^-logn mod p in Montgomery form: what the inverse transform leaves to its caller.
    pub(crate) const fn inverse_of_degree(&self, logn: u32) -> u32 {
        // 1/2 is (p + 1)/2.
        let half = self.mul_public(self.p.div_ceil(2), self.r2);
        self.power(half, logn)
    }

    /// The residue of an integer in [0, 2^32).
    #[inline(always)]
    pub(crate) fn reduce(&self, x: u32) -> u32 {
        // Through Montgomery form and back: exact, and free of division.
        self.mul(self.mul(x, self.r2), 1)
    }

    /// The residue of an integer in [0, 2^31), where p > 2^30.
    #[inline(always)]
    pub(crate) fn reduce_once(&self, x: u32) -> u32 {
        self.add(x, 0)
    }

    #[inline(always)]
    pub(crate) fn modulus<W: Words>(&self) -> Modulus<W> {
        Modulus {
            p: W::splat(self.p),
            inverse: W::splat(self.inverse),
        }
    }

    /// root^(2^(9-e)), which steps from entry 0 to entry 2^e of a table in bit-reversed order.
    fn steps(&self, root: u32) -> [u32; 10] {
        let mut steps = [root; 10];
        for e in (0..9).rev() {
            steps[e] = self.mul(steps[e + 1], steps[e + 1]);
        }
        steps
    }

    /// Powers of the root in bit-reversed order: entry i is root^(rev10(i)) in Montgomery form. The
    /// first n = 2^logn entries serve the transform of degree n, and backwards its inverse: the product of the
    /// entries m + i and 2m - 1 - i, for i < m and m a power of two, is root^1024 = -1.
    #[inline(always)]
    fn fill_table<W: Words>(&self, table: &mut [u32]) {
        let steps = self.steps(self.root);
        let modulus = self.modulus::<W>();
        table[0] = self.one;
        let mut m = 1;
        for step in steps {
            if m >= table.len() {
                break;
            }
            let (done, rest) = table.split_at_mut(m);
            if m < W::LANES {
                for (to, &from) in rest.iter_mut().zip(&*done) {
                    *to = self.mul(from, step);
                }
            } else {
                let step = W::splat(step);
                for (to, from) in rest
                    .chunks_exact_mut(W::LANES)
                    .zip(done.chunks_exact(W::LANES))
                {
                    W::load(from).mont_mul(step, &modulus).store(to);
                }
            }
            m *= 2;
        }
    }
}

/// [`Prime::fill_table`] with the vectors of an instruction set.
pub(crate) fn fill_table<I: Isa>(prime: &Prime, table: &mut [u32]) {
    operation!(
        Fill(prime: &'a Prime, table: &'a mut [u32]) -> (),
        U32 or u32, table.len(), fill
    );
    #[inline(always)]
    fn fill<W: Words>(prime: &Prime, table: &mut [u32]) {
        prime.fill_table::<W>(table);
    }
    I::enter(Fill(prime, table));
}

/// How many primes.
pub(crate) const PRIME_COUNT: usize = 5;

/// The five largest primes below 2^31 that are 1 modulo 2048, in descending order.
pub(crate) static PRIMES: [Prime; PRIME_COUNT] = PRIMES_CONST;

/// q, as one of them.
#[cfg(test)]
pub(crate) static PRIME_Q: Prime = Prime::new(Q);

/// Entry \[i\]\[j\], i < j: 1/p_i modulo p_j, in Montgomery form.
static INVERSES: [[u32; PRIME_COUNT]; PRIME_COUNT] = {
    let mut table = [[0; PRIME_COUNT]; PRIME_COUNT];
    let mut j = 0;
    while j < PRIME_COUNT {
        let prime = &PRIMES_CONST[j];
        let mut i = 0;
        while i < j {
            let residue = prime.mul_public(PRIMES_CONST[i].p % prime.p, prime.r2);
            table[i][j] = prime.power(residue, prime.p - 2);
            i += 1;
        }
        j += 1;
    }
    table
};

const PRIMES_CONST: [Prime; PRIME_COUNT] = [
    Prime::new(2_147_473_409),
    Prime::new(2_147_389_441),
    Prime::new(2_147_387_393),
    Prime::new(2_147_377_153),
    Prime::new(2_147_358_721),
];

/// Entry i: p_0 p_1 … p_(i-1), as words of 31 bits.
pub(crate) static PRODUCT_WORDS: [[u32; PRIME_COUNT]; PRIME_COUNT + 1] = {
    let mut table = [[0; PRIME_COUNT]; PRIME_COUNT + 1];
    table[0][0] = 1;
    let mut i = 0;
    while i < PRIME_COUNT {
        let (mut carry, mut k) = (0, 0);
        while k < PRIME_COUNT {
            carry += table[i][k] as u64 * PRIMES_CONST[i].p as u64;
            table[i + 1][k] = carry as u32 & 0x7fff_ffff;
            carry >>= 31;
            k += 1;
        }
        i += 1;
    }
    table
};

/// Garner's algorithm: residues modulo the first primes, one line of `n` each, become digits d_i with
/// x = d_0 + p_0 (d_1 + p_1 (d_2 + …)), 0 <= d_i < p_i, in place. `n` is a multiple of the lanes.
#[inline(always)]
pub(crate) fn mixed_radix<W: Words>(residues: &mut [u32], n: usize, count: usize) {
    for j in 1..count {
        let (digits, line) = residues.split_at_mut(j * n);
        let prime = &PRIMES[j];
        let modulus = prime.modulus::<W>();
        for at in (0..n).step_by(W::LANES) {
            let mut x = W::load(&line[at..]);
            for i in 0..j {
                // A digit below p_i is below 2 p_j.
                let digit = W::load(&digits[i * n + at..]).mont_mul(W::splat(prime.one), &modulus);
                let inverse = W::splat(INVERSES[i][j]);
                x = x.sub_mod(digit, modulus.p).mont_mul(inverse, &modulus);
            }
            x.store(&mut line[at..]);
        }
    }
}
