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

use lanner_simd::Isa;

use super::fxp;
use super::gcd;
use super::lanes::Words;
use super::mp31::{PRIME_COUNT, PRIMES};
use super::ntt31::{intt, ntt};
use super::ortho::{has_zero, residues_of_small};
use super::poly::{self, TRANSFORM_DEGREE, Work};
use super::reduce::reduce;
use super::sizes::{LARGE_WORDS, SMALL_WORDS, active_limbs, large_limbs, small_limbs};
use super::solver::{Outcome, Solver, require};
use super::workspace::Scratch;
use super::zint62::{self, all_fit};
use crate::params::Q;

impl<I: Isa> Solver<'_, I> {
    /// Writes F and G, all of whose coefficients are in [-127, 127].
    pub(crate) fn solve(&mut self, big_f: &mut [i8], big_g: &mut [i8]) -> Outcome {
        self.check_invertible()?;
        self.descend();
        self.solve_deepest()?;
        for depth in (1..self.logn).rev() {
            self.ascend(depth)?;
            reduce(self, depth)?;
        }
        self.solve_top(big_f, big_g)
    }

    /// f must be invertible modulo the first prime, because the last step divides by it there.
    fn check_invertible(&mut self) -> Outcome {
        let values = &mut self.scratch.f_hat[..self.f.len()];
        residues_of_small(self.f, PRIMES[0].p, values);
        ntt::<I>(values, self.tables.powers(0), &PRIMES[0]);
        require(!has_zero(values))
    }

    /// Computes f and g at all depths.
    fn descend(&mut self) {
        // The first step is from bytes.
        let half = self.f.len() / 2;
        for (small, range) in [(self.f, self.range_f(1)), (self.g, self.range_g(1))] {
            let Scratch {
                saved,
                lines,
                g_hat,
                ..
            } = &mut *self.scratch;
            let values = &mut g_hat[..2 * half];
            residues_of_small(small, PRIMES[0].p, values);
            ntt::<I>(values, self.tables.powers(0), &PRIMES[0]);
            let line = &mut lines[..half];
            poly::multiply_pairs::<I>(0, values, line);
            intt::<I>(line, self.tables.inverses(0), &PRIMES[0]);
            poly::from_residues::<I>(lines, 1, &mut saved[range], small_limbs(1));
        }
        for depth in 1..self.logn {
            let pairs = [
                (self.range_f(depth), self.range_f(depth + 1)),
                (self.range_g(depth), self.range_g(depth + 1)),
            ];
            let n = self.f.len() >> depth;
            let count = SMALL_WORDS[depth as usize + 1];
            for (from, to) in pairs {
                let Scratch {
                    saved,
                    lines,
                    g_hat,
                    columns,
                    f_limbs,
                    g_limbs,
                    ordered,
                    ..
                } = &mut *self.scratch;
                let (saved, result) = saved.split_at_mut(to.start);
                let result = &mut result[..to.len()];
                let (stride, result_stride) = (small_limbs(depth), small_limbs(depth + 1));
                if n >= TRANSFORM_DEGREE && count <= PRIME_COUNT {
                    let tables = self.tables;
                    poly::norm_modulo::<I>(tables, &saved[from], stride, count, lines, g_hat);
                    poly::from_residues::<I>(lines, count, result, result_stride);
                } else {
                    let work = &mut Work {
                        x: f_limbs,
                        y: g_limbs,
                        ordered,
                        columns,
                    };
                    poly::norm(&saved[from], stride, result, result_stride, work);
                }
            }
        }
    }

    /// The equation in integers: F and G with Res(f) G - Res(g) F = q, 0 <= F < q Res(f) and
    /// 0 <= G < q Res(g).
    fn solve_deepest(&mut self) -> Outcome {
        let words = SMALL_WORDS[self.logn as usize];
        let limbs = small_limbs(self.logn);
        let (range_f, range_g) = (self.range_f(self.logn), self.range_g(self.logn));
        let both = self.both();
        let Scratch {
            saved,
            big_f,
            big_g,
            below,
            columns,
            ..
        } = &mut *self.scratch;
        let (res_f, res_g) = (&saved[range_f], &saved[range_g]);
        let big_f = &mut big_f[..limbs];
        let big_g = &mut big_g[..limbs];
        let (f, rest) = below.split_at_mut(limbs);
        let (g, rest) = rest.split_at_mut(limbs);
        let mut work = gcd::Scratch {
            f,
            g,
            e: &mut rest[..limbs],
        };
        require(gcd::negative_inverse(
            big_f,
            res_f,
            res_g,
            31 * words,
            &mut work,
        ))?;
        if both {
            gcd::exact_quotient(big_g, big_f, res_g, res_f, columns);
            zint62::multiply_small(big_g, i64::from(Q));
            require(all_fit(big_g, limbs, limbs, words))?;
        }
        zint62::multiply_small(big_f, i64::from(Q));
        require(all_fit(big_f, limbs, limbs, words))
    }

    /// From F and G one level deeper to unreduced ones at `depth`.
    fn ascend(&mut self, depth: u32) -> Outcome {
        let n = self.f.len() >> depth;
        let stride = small_limbs(depth);
        let below_stride = small_limbs(depth + 1);
        let from_stride = if depth + 1 == self.logn {
            below_stride
        } else {
            large_limbs(depth + 1)
        };
        let to_stride = large_limbs(depth);
        let words = LARGE_WORDS[depth as usize];
        let (range_f, range_g) = (self.range_f(depth), self.range_g(depth));
        let (tables, both) = (self.tables, self.both());
        let Scratch {
            saved,
            big_f,
            big_g,
            below,
            columns,
            lines,
            g_hat,
            f_limbs,
            g_limbs,
            ordered,
            ..
        } = &mut *self.scratch;
        for (big, factor) in [(big_f, range_g), (big_g, range_f)]
            .into_iter()
            .take(1 + usize::from(both))
        {
            let below = &mut below[..n / 2 * below_stride];
            for (from, to) in big
                .chunks_exact(from_stride)
                .zip(below.chunks_exact_mut(below_stride))
            {
                to.copy_from_slice(&from[..below_stride]);
                // What was reduced fits, so that the sign is in the top bit.
                to[below_stride - 1] = (to[below_stride - 1] << 2) >> 2;
            }
            let factor = &saved[factor];
            let big = &mut big[..n * to_stride];
            if n >= TRANSFORM_DEGREE && words < PRIME_COUNT {
                poly::lift_modulo::<I>(
                    tables,
                    below,
                    below_stride,
                    factor,
                    stride,
                    words,
                    lines,
                    &mut g_hat[..],
                );
                poly::from_residues::<I>(lines, words, big, to_stride);
            } else {
                let work = &mut Work {
                    x: f_limbs,
                    y: g_limbs,
                    ordered,
                    columns,
                };
                poly::lift(below, below_stride, factor, stride, big, to_stride, work);
            }
            require(all_fit(big, to_stride, to_stride, words))?;
            let last = active_limbs(words) - 1;
            for x in big.chunks_exact_mut(to_stride) {
                // From here on this limb is the last.
                x[last] = (x[last] << 2) >> 2;
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
        let (powers, inverses) = (self.tables.powers(0), self.tables.inverses(0));
        let Scratch {
            big_f: big,
            fixed,
            lines,
            f_hat,
            g_hat,
            k_hat,
            ..
        } = &mut *self.scratch;
        let (f_hat, g_hat, k_hat) = (&mut f_hat[..n], &mut g_hat[..n], &mut k_hat[..n]);
        let (big_hat, rest) = lines.split_at_mut(n);
        let inverse_hat = &mut rest[..n];

        // F(x^2) g(-x).
        let below = &mut inverse_hat[..n / 2];
        let stride = if self.logn == 1 {
            small_limbs(1)
        } else {
            large_limbs(1)
        };
        let active = active_limbs(SMALL_WORDS[1]);
        for (x, to) in big.chunks_exact(stride).zip(below.iter_mut()) {
            zint62::residues(&x[..active], active, prime, core::slice::from_mut(to));
        }
        ntt::<I>(below, powers, prime);
        residues_of_small(self.f, p, f_hat);
        ntt::<I>(f_hat, powers, prime);
        residues_of_small(self.g, p, g_hat);
        ntt::<I>(g_hat, powers, prime);
        poly::multiply_crossed::<I>(0, prime.r2, g_hat, below, big_hat);
        // 2^32/f.
        poly::invert::<I>(f_hat, inverse_hat, prime);

        // Numerator and denominator of k.
        let [numerator, denominator, ..] = fixed;
        let (numerator, denominator) = (&mut numerator[..n], &mut denominator[..n]);
        let complete = prime.mul(prime.inverse_of_degree(self.logn), prime.r2);
        let quotient = |g: u32, big: u32, inverse: u32| {
            // (q + g F)/f, with g times 2^32.
            prime.mul(prime.add(Q, prime.mul(g, big)), inverse)
        };
        for i in 0..n {
            let big_g = quotient(prime.mul(g_hat[i], prime.r2), big_hat[i], inverse_hat[i]);
            let f_adjoint = prime.mul(f_hat[n - 1 - i], complete);
            let g_adjoint = prime.mul(g_hat[n - 1 - i], complete);
            k_hat[i] = prime.add(
                prime.mul(f_adjoint, big_hat[i]),
                prime.mul(g_adjoint, big_g),
            );
        }
        intt::<I>(k_hat, inverses, prime);
        to_scaled(k_hat, p, numerator);
        for i in 0..n {
            let f_adjoint = prime.mul(f_hat[n - 1 - i], complete);
            let g_adjoint = prime.mul(g_hat[n - 1 - i], complete);
            k_hat[i] = prime.add(
                prime.mul(f_adjoint, f_hat[i]),
                prime.mul(g_adjoint, g_hat[i]),
            );
        }
        intt::<I>(k_hat, inverses, prime);
        to_scaled(k_hat, p, denominator);
        fxp::fft::<I>(numerator);
        fxp::fft::<I>(denominator);
        fxp::divide_by_real::<I>(numerator, &denominator[..n / 2]);
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
        intt::<I>(big_hat, inverses, prime);
        intt::<I>(inverse_hat, inverses, prime);

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

/// Residues to centred integers over 2^10, in fixed point: small enough for the transform.
fn to_scaled(from: &[u32], p: u32, to: &mut [i64]) {
    for (&x, to) in from.iter().zip(to) {
        *to = i64::from(x.centred(p) as i32) << 22;
    }
}
