//! Key generation: from a seed to f, g, F and G with f G - g F = q.
//!
//! Integers only, and the same on every platform. The tiers, from below: `lanes` (several residues or
//! fixed-point numbers side by side), `mp31` and `ntt31` (polynomials modulo 31-bit primes), `zint62` and
//! `gcd` (large integers), `fxp` (the Fourier transform in fixed point), `poly` (polynomials with large
//! coefficients), `planes` and `rows` (those that are reduced, side by side), `sizes`, `solver`, `reduce` and `ntru` (solving
//! the equation), `gauss` and `ortho` (drawing f and g).
//! `equation` checks the equation, of keys that come from outside.
//!
//! # Which keys
//!
//! A seed decides a stream, and the stream a sequence of pairs (f, g); the first pair that passes every
//! check makes the key. So keys agree with those of another implementation only if the same pairs are
//! refused. Three checks are exact in integers: the norm, the invertibility modulo q, and gcd = 1 of the
//! resultants. The others depend on roundings: the orthogonalised norm, and whether the reductions of
//! F and G at each depth keep up with the sizes that are fixed in `sizes`. Hence fixed point with one fixed
//! sequence of operations, and the same steps of reduction as the incumbents; the integers in
//! between are exact in any representation, and F and G, once reduced, are unique.
//!
//! # Termination
//!
//! [`from_stream`] draws pairs until one passes. Draws are independent, so with an acceptance rate a per pair
//! the chance of more than m pairs is (1 - a)^m. Measured over 400 keys a row (the ignored test `rates`),
//! a is 0.085 for P3 and 0.078 for P4 at degree 512, 0.045 and 0.029 at degree 1024, and at least 0.12 below,
//! but for P4 at degree 4, where it is 0.0028. More than 10,000 pairs at degree 1024 have probability below
//! 2^-400. Of the pairs that reach the NTRU equation, 93 % (P3) and 84 % (P4) are solved at degree 512, 71 %
//! and 53 % at degree 1024; the solver itself has a fixed number of rounds, and the inversion in it ends
//! because division steps do.
//!
//! # Constant time
//!
//! Best effort, in this sense: no branch, address or variable-time instruction depends on a pair that is
//! kept, except on how many pairs were refused before it, on where (which says nothing of it), and on how often
//! P4 drew its last coefficients again, which depends on one parity that is then fixed. Products of 64 bits are
//! taken to have constant time; some small processors shorten them for small operands.

#[cfg(any(feature = "sign", test))]
mod equation;
mod fxp;
mod gauss;
mod gcd;
mod lanes;
mod mp31;
mod ntru;
mod ntt31;
mod ortho;
mod planes;
mod poly;
mod reduce;
mod rows;
mod sizes;
mod solver;
mod twiddles;
mod workspace;
mod zint62;

#[cfg(test)]
mod tests;

use crate::ntt;
use crate::params::{KeygenRule, LOGN_MAX, LOGN_MIN};
#[cfg(test)]
use crate::shake::ShakeStream;
use core::marker::PhantomData;
use lanner_simd::{Isa, Operation};
use solver::Solver;

#[cfg(feature = "sign")]
pub(crate) use equation::holds as equation_holds;
pub(crate) use gauss::KeyStream;
pub(crate) use ortho::is_short;
pub(crate) use workspace::Memory;
#[cfg(feature = "keygen")]
pub(crate) use workspace::Workspace;

/// Derives a key from a seed of any length by SHAKE256. The rest is [`from_stream`]'s.
#[cfg(test)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn from_seed(
    rule: KeygenRule,
    logn: u32,
    seed: &[u8],
    f: &mut [i8],
    g: &mut [i8],
    big_f: &mut [i8],
    big_g: &mut [i8],
    memory: &mut [u32],
) {
    let mut stream = ShakeStream::new(seed);
    from_stream(rule, logn, &mut stream, f, g, big_f, big_g, memory);
}

/// Derives a key from the stream of a seed: `f`, `g`, `big_f` and `big_g`, each of n = 2^`logn`
/// coefficients, with f G - g F = q modulo X^n + 1. What is left in the memory is secret.
///
/// Deterministic. From SHAKE256 of a seed the crate fn-dsa 0.3.0 derives the same key for [`KeygenRule::P3`], and
/// fn-dsa 0.4.0 for [`KeygenRule::P4`]; from four of them (`shake256x4`) fn-dsa 0.2.0 does.
///
/// # Panics
///
/// If `logn` is not in 2..=10, or a slice has another length, or the memory is that of a workspace for lower degrees.
#[allow(clippy::too_many_arguments)]
pub(crate) fn from_stream(
    rule: KeygenRule,
    logn: u32,
    stream: &mut dyn KeyStream,
    f: &mut [i8],
    g: &mut [i8],
    big_f: &mut [i8],
    big_g: &mut [i8],
    memory: &mut [u32],
) {
    assert!((LOGN_MIN..=LOGN_MAX).contains(&logn), "no such degree");
    let n = 1 << logn;
    assert!(
        [f.len(), g.len(), big_f.len(), big_g.len()] == [n; 4],
        "length of a polynomial"
    );
    #[cfg(feature = "sign")]
    crate::fpr::prepare();
    crate::vectors::dispatch_wide(Generation {
        rule,
        logn,
        stream,
        f,
        g,
        big_f,
        big_g,
        memory,
    });
}

/// How many pairs were refused, by reason. Public: it says nothing of the pair that was kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Rejections {
    not_invertible: u32,
    too_long: u32,
    orthogonalised_too_long: u32,
    not_solved: u32,
}

#[cfg(test)]
impl Rejections {
    fn total(&self) -> u32 {
        self.not_invertible + self.too_long + self.orthogonalised_too_long + self.not_solved
    }

    fn add(&mut self, other: &Self) {
        self.not_invertible += other.not_invertible;
        self.too_long += other.too_long;
        self.orthogonalised_too_long += other.orthogonalised_too_long;
        self.not_solved += other.not_solved;
    }
}

/// [`generate`], as an operation.
struct Generation<'a> {
    rule: KeygenRule,
    logn: u32,
    // Few calls for all coefficients: another stream is no reason for another copy of the code.
    stream: &'a mut dyn KeyStream,
    f: &'a mut [i8],
    g: &'a mut [i8],
    big_f: &'a mut [i8],
    big_g: &'a mut [i8],
    memory: &'a mut [u32],
}

impl Operation for Generation<'_> {
    type Output = Rejections;

    #[inline(always)]
    fn run<I: Isa>(self) -> Rejections {
        generate::<I>(
            self.rule,
            self.logn,
            self.stream,
            self.f,
            self.g,
            self.big_f,
            self.big_g,
            self.memory,
        )
    }
}

#[allow(clippy::too_many_arguments)]
fn generate<I: Isa>(
    rule: KeygenRule,
    logn: u32,
    stream: &mut dyn KeyStream,
    f: &mut [i8],
    g: &mut [i8],
    big_f: &mut [i8],
    big_g: &mut [i8],
    memory: &mut [u32],
) -> Rejections {
    let n = f.len();
    let mut rejections = Rejections::default();
    loop {
        // The rules check in different orders, which matters where a check saves a draw.
        gauss::sample::<I>(rule, logn, stream, f);
        if rule == KeygenRule::P4 && !ntt::is_invertible(logn, f, Memory::new(memory).room(n)) {
            rejections.not_invertible += 1;
            continue;
        }
        gauss::sample::<I>(rule, logn, stream, g);
        if !is_short(f, g) {
            rejections.too_long += 1;
            continue;
        }
        if rule == KeygenRule::P3 && !ntt::is_invertible(logn, f, Memory::new(memory).room(n)) {
            rejections.not_invertible += 1;
            continue;
        }
        if !ortho::is_orthogonalised_short::<I>(rule, f, g, Memory::new(memory)) {
            rejections.orthogonalised_too_long += 1;
            continue;
        }
        let mut solver = Solver {
            isa: PhantomData::<I>,
            rule,
            logn,
            f,
            g,
            memory: &mut *memory,
        };
        if solver.solve(big_f, big_g).is_ok() {
            return rejections;
        }
        rejections.not_solved += 1;
    }
}
