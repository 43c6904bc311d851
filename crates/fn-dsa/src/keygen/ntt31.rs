//! Number-theoretic transforms modulo X^n + 1, n = 2^logn, over the primes of `mp31`.
//!
//! In transformed order, slots 2j and 2j + 1 hold the values at some w and at -w, and slots i and
//! n - 1 - i those at some w and at 1/w.

use lanner_simd::Isa;

use super::lanes::{Modulus, Words, operation};
use super::mp31::Prime;

/// Coefficients to values, in place: `a` of length n, `table` of at least n powers of the root.
pub(crate) fn ntt<I: Isa>(a: &mut [u32], table: &[u32], prime: &Prime) {
    operation!(
        Forward(a: &'a mut [u32], table: &'a [u32], prime: &'a Prime) -> (),
        U32 or u32, a.len() / 2, forward
    );
    I::enter(Forward(a, table, prime));
}

/// Values to coefficients times n, in place: `a` of length n, `table` of at least n powers of the root.
pub(crate) fn intt<I: Isa>(a: &mut [u32], table: &[u32], prime: &Prime) {
    operation!(
        Backward(a: &'a mut [u32], table: &'a [u32], prime: &'a Prime) -> (),
        U32 or u32, a.len() / 2, backward
    );
    I::enter(Backward(a, table, prime));
}

/// (x + s y, x - s y).
#[inline(always)]
fn cooley_tukey<W: Words>(x: W, y: W, s: W, modulus: &Modulus<W>) -> (W, W) {
    let y = y.mont_mul(s, modulus);
    (x.add_mod(y, modulus.p), x.sub_mod(y, modulus.p))
}

/// (x + y, -s (x - y)).
#[inline(always)]
fn gentleman_sande<W: Words>(x: W, y: W, s: W, modulus: &Modulus<W>) -> (W, W) {
    let difference = y.sub_mod(x, modulus.p);
    (x.add_mod(y, modulus.p), difference.mont_mul(s, modulus))
}

/// Applies a butterfly to the pairs of a layer of `m` blocks: block i has factor m + i of the table, or, where it is
/// `reversed`, 2m - 1 - i: minus the inverse of the other.
#[inline(always)]
fn layer<W: Words>(
    a: &mut [u32],
    m: usize,
    table: &[u32],
    reversed: bool,
    butterfly: impl Fn(W, W, W) -> (W, W),
) {
    let t = a.len() / (2 * m);
    let table = &table[m..2 * m];
    if t >= W::LANES {
        for (i, block) in a.chunks_exact_mut(2 * t).enumerate() {
            let s = W::splat(table[if reversed { m - 1 - i } else { i }]);
            let (first, second) = block.split_at_mut(t);
            for (x, y) in first
                .chunks_exact_mut(W::LANES)
                .zip(second.chunks_exact_mut(W::LANES))
            {
                let (u, v) = butterfly(W::load(x), W::load(y), s);
                u.store(x);
                v.store(y);
            }
        }
    } else {
        let each = W::LANES / t;
        for (i, block) in a.chunks_exact_mut(2 * W::LANES).enumerate() {
            let s = if reversed {
                let at = m - (i + 1) * each;
                W::spread(&backwards(&table[at..at + each]), t)
            } else {
                W::spread(&table[i * each..], t)
            };
            let (first, second) = block.split_at_mut(W::LANES);
            let (x, y) = W::unzip(W::load(first), W::load(second), t);
            let (u, v) = butterfly(x, y, s);
            let (u, v) = W::zip(u, v, t);
            u.store(first);
            v.store(second);
        }
    }
}

/// A few words from the last to the first: 2, 4 or 8, each number by a loop of its own, which becomes one instruction.
#[inline(always)]
fn backwards(words: &[u32]) -> [u32; 8] {
    #[inline(always)]
    fn of<const COUNT: usize>(words: &[u32], to: &mut [u32; 8]) {
        let words: &[u32; COUNT] = words.try_into().expect("so many words");
        for i in 0..COUNT {
            to[i] = words[COUNT - 1 - i];
        }
    }
    let mut reversed = [0; 8];
    match words.len() {
        2 => of::<2>(words, &mut reversed),
        4 => of::<4>(words, &mut reversed),
        _ => of::<8>(words, &mut reversed),
    }
    reversed
}

#[inline(always)]
fn forward<W: Words>(a: &mut [u32], table: &[u32], prime: &Prime) {
    let modulus = &prime.modulus();
    let mut m = 1;
    while m < a.len() {
        layer::<W>(
            a,
            m,
            table,
            false,
            #[inline(always)]
            |x, y, s| cooley_tukey(x, y, s, modulus),
        );
        m *= 2;
    }
}

#[inline(always)]
fn backward<W: Words>(a: &mut [u32], table: &[u32], prime: &Prime) {
    let modulus = &prime.modulus();
    let mut m = a.len() / 2;
    while m > 0 {
        layer::<W>(
            a,
            m,
            table,
            true,
            #[inline(always)]
            |x, y, s| gentleman_sande(x, y, s, modulus),
        );
        m /= 2;
    }
}

#[cfg(test)]
mod bounds;
