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

/// Values to coefficients times n, in place: `a` of length n, `table` of at least n powers of the
/// inverse of the root.
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

/// (x + y, s (x - y)).
#[inline(always)]
fn gentleman_sande<W: Words>(x: W, y: W, s: W, modulus: &Modulus<W>) -> (W, W) {
    let difference = x.sub_mod(y, modulus.p);
    (x.add_mod(y, modulus.p), difference.mont_mul(s, modulus))
}

/// Applies a butterfly to the pairs of a layer of `m` blocks: block i has factor m + i of the table.
#[inline(always)]
fn layer<W: Words>(a: &mut [u32], m: usize, table: &[u32], butterfly: impl Fn(W, W, W) -> (W, W)) {
    let t = a.len() / (2 * m);
    if t >= W::LANES {
        for (block, &s) in a.chunks_exact_mut(2 * t).zip(&table[m..]) {
            let s = W::splat(s);
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
        for (block, s) in a
            .chunks_exact_mut(2 * W::LANES)
            .zip(table[m..2 * m].chunks_exact(W::LANES / t))
        {
            let (first, second) = block.split_at_mut(W::LANES);
            let (x, y) = W::unzip(W::load(first), W::load(second), t);
            let (u, v) = butterfly(x, y, W::spread(s, t));
            let (u, v) = W::zip(u, v, t);
            u.store(first);
            v.store(second);
        }
    }
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
            #[inline(always)]
            |x, y, s| gentleman_sande(x, y, s, modulus),
        );
        m /= 2;
    }
}
