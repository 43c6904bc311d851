//! Solving the NTRU equation f G - g F = q (Falcon specification, section 3.8.2; Pornin and Prest,
//! eprint 2019/015; Pornin, eprint 2023/290).
//!
//! Going down, f and g are replaced by their norms, whose degree is half and whose coefficients are
//! twice as long, until they are two integers; a Bezout relation solves the equation there. Going up,
//! F(x^2) g(-x) and G(x^2) f(-x) solve it at double the degree, and are then reduced by multiples of
//! f and g, a few bits a round, with quotients that a Fourier transform in fixed point gives.
//!
//! The two rules differ in what they compute in between: P3 carries F and G and takes its quotients
//! from both; P4 carries F alone (eprint 2025/1239) and takes smaller steps. Where a number does not
//! become as short as it must, there is no key for (f, g); this happens for the same (f, g) as in the
//! crates fn-dsa 0.3 and 0.4, because every quotient is the same.
//!
//! Time depends on the degree, on the rule, and on where the solver fails; never on an f or g that is
//! kept.

use core::marker::PhantomData;

use lanner_simd::Isa;

use super::fxp;
use super::gcd;
use super::lanes::Words;
use super::mp31::{PRIME_COUNT, PRIMES};
use super::ntt31::{intt, ntt};
use super::ortho::{has_zero, residues_of_small};
use super::planes;
use super::poly::{self, Work};
use super::reduce::Reduction;
use super::sizes::{
    LARGE_WORDS, SMALL_WORDS, TRANSFORM_DEGREE, active_limbs, big_limbs, reduction_bits,
    small_limbs,
};
use super::solver::{Outcome, Solver, require};
use super::workspace::{Memory, Tables, kept_at};
use super::zint62::{self, all_fit};
use crate::params::Q;

impl<I: Isa> Solver<'_, I> {
    /// Writes F and G, all of whose coefficients are in [-127, 127].
    pub(crate) fn solve(&mut self, big_f: &mut [i8], big_g: &mut [i8]) -> Outcome {
        self.descend()?;
        self.solve_deepest()?;
        for depth in (1..self.logn).rev() {
            self.ascend(depth)?;
        }
        self.solve_top(big_f, big_g)
    }

    /// Computes f and g at the depths from 2 on. f must be invertible modulo the first prime, because the last step
    /// divides by it there.
    fn descend(&mut self) -> Outcome {
        let n = self.f.len();
        let mut memory = Memory::new(self.memory);
        let kept = memory.limbs(kept_at(self.logn, self.logn + 1));
        let (f, g) = (memory.limbs(n / 2), memory.limbs(n / 2));
        first_norms::<I>([(self.f, &mut *f), (self.g, &mut *g)], memory.rest())?;
        for depth in 1..self.logn {
            let n = n >> depth;
            let (stride, result_stride) = (small_limbs(depth), small_limbs(depth + 1));
            let count = SMALL_WORDS[depth as usize + 1];
            let transformed = n >= TRANSFORM_DEGREE && count <= PRIME_COUNT;
            let mut memory = memory.rest();
            let tables = transformed.then(|| Tables::fill::<I>(n, count, &mut memory));
            let first = kept_at(self.logn, depth + 1);
            let (before, results) = kept.split_at_mut(first);
            let (f, g) = match depth {
                1 => (&*f, &*g),
                _ => (
                    &before[kept_at(self.logn, depth)..][..n * stride],
                    &before[kept_at(self.logn, depth)..][n * stride..],
                ),
            };
            for (from, to) in [f, g]
                .into_iter()
                .zip(results.chunks_exact_mut(n / 2 * result_stride))
            {
                let mut memory = memory.rest();
                if let Some(tables) = tables {
                    let (lines, work) = (memory.words(count * n / 2), memory.words(n));
                    poly::norm_modulo::<I>(tables, from, stride, count, lines, work);
                    poly::from_residues::<I>(lines, count, to, result_stride);
                } else {
                    let half = n / 2 * stride;
                    let columns = (2 * stride).max(result_stride);
                    let work = &mut Work::new(half, half, columns, memory);
                    poly::norm(from, stride, to, result_stride, work);
                }
            }
        }
        Ok(())
    }

    /// The equation in integers: F and G with Res(f) G - Res(g) F = q, 0 <= F < q Res(f) and
    /// 0 <= G < q Res(g).
    fn solve_deepest(&mut self) -> Outcome {
        let words = SMALL_WORDS[self.logn as usize];
        let limbs = small_limbs(self.logn);
        let both = self.both();
        let kept = self.kept(self.logn);
        let (range_f, range_g) = (self.range_f(self.logn), self.range_g(self.logn));
        let mut memory = Memory::new(self.memory);
        let kept = memory.limbs(kept);
        let (res_f, res_g) = (&kept[range_f], &kept[range_g]);
        let [big_f, big_g] = results(&mut memory, limbs);
        {
            let mut memory = memory.rest();
            let mut work = gcd::Scratch {
                f: memory.limbs(limbs),
                g: memory.limbs(limbs),
                e: memory.limbs(limbs),
            };
            require(gcd::negative_inverse(
                big_f,
                res_f,
                res_g,
                31 * words,
                &mut work,
            ))?;
        }
        if both {
            let columns = memory.columns(limbs);
            gcd::exact_quotient(big_g, big_f, res_g, res_f, columns);
            zint62::multiply_small(big_g, i64::from(Q));
            require(all_fit(big_g, limbs, limbs, words))?;
        }
        zint62::multiply_small(big_f, i64::from(Q));
        require(all_fit(big_f, limbs, limbs, words))
    }

    /// From F and G one level deeper to reduced ones at `depth`.
    fn ascend(&mut self, depth: u32) -> Outcome {
        let n = self.f.len() >> depth;
        let both = self.both();
        let stride = small_limbs(depth);
        let big_stride = big_limbs(self.logn, depth);
        let (small_words, words) = (SMALL_WORDS[depth as usize], LARGE_WORDS[depth as usize]);
        let lifts = n >= TRANSFORM_DEGREE && words < PRIME_COUNT;
        let reduces = n >= TRANSFORM_DEGREE && small_words < PRIME_COUNT;
        let kept = self.kept(depth);
        let (range_f, range_g) = (self.range_f(depth), self.range_g(depth));

        let mut memory = Memory::new(self.memory);
        let kept = memory.limbs(kept);
        let big_f = memory.limbs(n * big_stride);
        let big_g = memory.limbs(if both { n * big_stride } else { 0 });
        // The values of F and of G in fixed point, then the lines of products; f and g of depth 1 at first.
        let count = if reduces { small_words + 1 } else { 0 };
        let size = n.max(count * n / 2);
        let (first, second) = (memory.limbs(size), memory.limbs(size));
        let primes = count.max(if lifts { words } else { 0 });
        // P4 needs two at depth 1, however low the degree.
        let primes = if depth == 1 { primes.max(2) } else { primes };
        let tables = Tables::fill::<I>(n, primes, &mut memory);
        {
            let mut memory = memory.rest();
            let below_stride = small_limbs(depth + 1);
            let [below_f, below_g] = results(&mut memory, n / 2 * below_stride);
            if depth == 1 {
                let norms = [(self.f, &mut second[..n]), (self.g, &mut first[..n])];
                first_norms::<I>(norms, memory.rest())?;
            }
            let (f, g) = match depth {
                1 => (&second[..n], &first[..n]),
                _ => (&kept[range_f.clone()], &kept[range_g.clone()]),
            };
            for (below, factor, big) in [(below_f, g, &mut *big_f), (below_g, f, &mut *big_g)]
                .into_iter()
                .take(1 + usize::from(both))
            {
                let mut memory = memory.rest();
                if lifts {
                    let (lines, work) = (memory.words(words * n), memory.words(n + n / 2));
                    poly::lift_modulo::<I>(
                        tables,
                        below,
                        below_stride,
                        factor,
                        stride,
                        words,
                        lines,
                        work,
                    );
                    poly::planes_from_residues::<I>(lines, words, big, n);
                } else {
                    let columns = (below_stride + stride).max(big_stride);
                    let work = &mut Work::new(below.len(), n / 2 * stride, columns, memory);
                    poly::lift(below, below_stride, factor, stride, big, big_stride, work);
                }
                let excess = planes::excess_of::<I>(big, n, big_stride, words);
                require(zint62::is_zero(excess).declassify())?;
                // From here on this limb is the last.
                let last = active_limbs(words).min(big_stride) - 1;
                for x in &mut big[last * n..(last + 1) * n] {
                    *x = (*x << 2) >> 2;
                }
            }
        }
        let kept = (depth > 1).then(|| (&kept[range_f], &kept[range_g]));
        let mut reduction = Reduction::<I> {
            isa: PhantomData,
            tables,
            rule: self.rule,
            n,
            logn: self.logn - depth,
            depth,
            step: reduction_bits(self.rule, self.logn),
            stride,
            big_stride,
            count,
            big_f: &mut *big_f,
            big_g: &mut *big_g,
            first,
            second,
            beyond: 0,
        };
        reduction.reduce(kept, memory.rest())?;

        let [to_f, to_g] = results(&mut memory, n * stride);
        for (from, to) in [(big_f, to_f), (big_g, to_g)]
            .into_iter()
            .take(1 + usize::from(both))
        {
            for (j, to) in to.chunks_exact_mut(stride).enumerate() {
                for (i, to) in to.iter_mut().enumerate() {
                    *to = from[i * n + j];
                }
                // What was reduced fits, so that the sign is in the top bit.
                to[stride - 1] = (to[stride - 1] << 2) >> 2;
            }
        }
        Ok(())
    }

    /// The last step, at full degree, where all numbers are modulo one prime: F from depth 1 is lifted
    /// and reduced by k = round((F adj(f) + G adj(g)) / (f adj(f) + g adj(g))), with
    /// G = (q + g F) / f.
    fn solve_top(&mut self, big_f: &mut [i8], big_g: &mut [i8]) -> Outcome {
        let n = self.f.len();
        let prime = &PRIMES[0];
        let p = prime.p;
        let mut memory = Memory::new(self.memory);
        let (big_hat, inverse_hat) = (memory.words(n), memory.words(n));
        let (f_hat, g_hat) = (memory.words(n), memory.words(n));
        let tables = Tables::fill::<I>(n, 1, &mut memory);
        let powers = tables.powers(0);

        // F(x^2) g(-x).
        let below = &mut inverse_hat[..n / 2];
        let stride = small_limbs(1);
        let [big, _] = results(&mut memory.rest(), n / 2 * stride);
        zint62::residues(big, stride, prime, below);
        ntt::<I>(below, powers, prime);
        residues_of_small(self.f, p, f_hat);
        ntt::<I>(f_hat, powers, prime);
        residues_of_small(self.g, p, g_hat);
        ntt::<I>(g_hat, powers, prime);
        poly::multiply_crossed::<I>(0, prime.r2, g_hat, below, big_hat);
        // 2^32/f.
        poly::invert::<I>(f_hat, inverse_hat, prime);

        // Denominator and numerator of k. The denominator is real once it is transformed, so that half of it stays.
        let k_hat = memory.words(n);
        let fixed = memory.limbs(n + n / 2);
        let complete = prime.mul(prime.inverse_of_degree(self.logn), prime.r2);
        let quotient = |g: u32, big: u32, inverse: u32| {
            // (q + g F)/f, with g times 2^32.
            prime.mul(prime.add(Q, prime.mul(g, big)), inverse)
        };
        for i in 0..n {
            let f_adjoint = prime.mul(f_hat[n - 1 - i], complete);
            let g_adjoint = prime.mul(g_hat[n - 1 - i], complete);
            k_hat[i] = prime.add(
                prime.mul(f_adjoint, f_hat[i]),
                prime.mul(g_adjoint, g_hat[i]),
            );
        }
        intt::<I>(k_hat, powers, prime);
        to_scaled(k_hat, p, &mut fixed[..n]);
        fxp::fft::<I>(&mut fixed[..n]);
        let (denominator, numerator) = fixed.split_at_mut(n / 2);
        for i in 0..n {
            let big_g = quotient(prime.mul(g_hat[i], prime.r2), big_hat[i], inverse_hat[i]);
            let f_adjoint = prime.mul(f_hat[n - 1 - i], complete);
            let g_adjoint = prime.mul(g_hat[n - 1 - i], complete);
            k_hat[i] = prime.add(
                prime.mul(f_adjoint, big_hat[i]),
                prime.mul(g_adjoint, big_g),
            );
        }
        intt::<I>(k_hat, powers, prime);
        to_scaled(k_hat, p, numerator);
        fxp::fft::<I>(numerator);
        fxp::divide_by_real::<I>(numerator, denominator);
        fxp::ifft::<I>(numerator);
        for (to, &k) in k_hat.iter_mut().zip(&*numerator) {
            *to = (fxp::round(k) as u32).residue(p);
        }
        ntt::<I>(k_hat, powers, prime);

        // F - k f, and G again.
        for i in 0..n {
            let f = prime.mul(f_hat[i], prime.r2);
            let g = prime.mul(g_hat[i], prime.r2);
            let big_f = prime.sub(big_hat[i], prime.mul(f, k_hat[i]));
            let big_g = quotient(g, big_f, inverse_hat[i]);
            let one = prime.mul(complete, 1);
            big_hat[i] = prime.mul(big_f, one);
            inverse_hat[i] = prime.mul(big_g, one);
        }
        intt::<I>(big_hat, powers, prime);
        intt::<I>(inverse_hat, powers, prime);

        // f G - g F = q holds modulo p; for coefficients up to 127 it holds in integers, because no
        // coefficient of the left side exceeds 2 n 127^2 < p/2.
        let mut excess = false;
        for (from, to) in [(big_hat, big_f), (inverse_hat, big_g)] {
            for (&x, to) in from.iter().zip(to) {
                let x = x.centred(p);
                excess |= x.wrapping_add(127) > 254;
                *to = x as u8 as i8;
            }
        }
        require(!excess)
    }
}

/// Where F and G of a depth stand after its step, that have so many limbs each.
fn results<'a>(memory: &mut Memory<'a>, size: usize) -> [&'a mut [i64]; 2] {
    [(); 2].map(|()| memory.limbs_at_end(size))
}

/// The norms of f and g, from bytes to limbs, modulo the first prime. f must have an inverse there.
fn first_norms<I: Isa>(polys: [(&[i8], &mut [i64]); 2], mut memory: Memory<'_>) -> Outcome {
    let prime = &PRIMES[0];
    let n = polys[0].0.len();
    let powers = Tables::fill::<I>(n, 1, &mut memory).powers(0);
    let (values, line) = (memory.words(n), memory.words(n / 2));
    let mut invertible = true;
    for (i, (small, norm)) in polys.into_iter().enumerate() {
        residues_of_small(small, prime.p, values);
        ntt::<I>(values, powers, prime);
        if i == 0 {
            invertible = !has_zero(values);
        }
        poly::multiply_pairs::<I>(0, values, line);
        intt::<I>(line, powers, prime);
        poly::from_residues::<I>(line, 1, norm, small_limbs(1));
    }
    require(invertible)
}

/// Residues to centred integers over 2^10, in fixed point: small enough for the transform.
fn to_scaled(from: &[u32], p: u32, to: &mut [i64]) {
    for (&x, to) in from.iter().zip(to) {
        *to = i64::from(x.centred(p) as i32) << 22;
    }
}
