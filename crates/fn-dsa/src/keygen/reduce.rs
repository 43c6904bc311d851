//! Reduction of F and G by multiples of f and g (Babai's round-off, a few bits a round), at the depths
//! between the integers and the full degree.
//!
//! The ascent leaves F of `LARGE_WORDS` words of 31 bits a coefficient, and f has `SMALL_WORDS`. If (F, G) solves the
//! equation, so does (F - k f, G - k g) for any polynomial k. The best k is (F adj(f) + G adj(g)) / (f adj(f) + g adj(g)),
//! whose coefficients have up to 6,300 bits (next to the integers); so it is found and subtracted from the top, in rounds. One round
//! at `shift` is
//!
//! 1. read the leading bits of F (and of G) through a window, as fixed-point numbers;
//! 2. k <- round(F (1 / f)), or round(F adj(f) / (…) + G adj(g) / (…)) with G, by the Fourier transform of `fxp`;
//! 3. F <- F - k f 2^shift (and G <- G - k g 2^shift), exactly.
//!
//! ```text
//!          31 words      bits + scale     bits                       31 from        0
//!            |                |            |                            |           |
//!      F     [ sign . . . . . . leading bits . . . . . . . . . . . . . .|. not seen .]
//!                  <--------- window: 32 integral and 32 fractional bits ->
//!                             | = 1 in the fixed-point number
//!
//!                 base + scale            base                          0
//!                             |            |                            |
//!      f                      [ . . seen . .|. . . . . not seen . . . . .]
//!                             |<- shift = bits - base: f 2^shift stands under F
//! ```
//!
//! `base` is 31 times the words of f below its upper `WINDOW_WORDS`, and `scale` how far the longest coefficient of f
//! (or g) reaches above it: at most 31 `WINDOW_WORDS`, and secret. All other positions are public. `bits` starts at the
//! length of F and falls by `reduction_bits` a round (8 to 16), down to `base`, where shift is 0. `from` is bits / 31,
//! rounded down: words of F below it are never looked at.
//!
//! Ranges. f and g are scaled once more, to at most 2^(15 - logn) at degree 2^logn: then f adj(f) + g adj(g) is below 2^31
//! at every root, so the fixed point holds it. A coefficient of k is an `i32`, below 1518500251 in absolute value,
//! because the inverse transform cannot give more; k f has one word more than f. At degree 64 or more, where f has few
//! words, k f is computed modulo that many primes of 31 bits; otherwise by the schoolbook. After each round F must fit
//! `words`, which falls as `bits` does, so that F never exceeds the `SMALL_WORDS` of f by more than shift + 30 bits. If F does not fit, the pair (f, g) is refused. The last limb in use has room above `words`, so that one round
//! cannot wrap unseen.
//!
//! The number of rounds, the shifts and all sizes are public.

use core::marker::PhantomData;

use lanner_simd::{Isa, Mask};

use super::fxp;
use super::lanes::Words;
use super::mp31::{PRIME_COUNT, PRIMES};
use super::ntt31::ntt;
use super::poly::{self, TRANSFORM_DEGREE};
use super::sizes::{
    LARGE_WORDS, SMALL_WORDS, WINDOW_WORDS, active_limbs, large_limbs, reduction_bits, small_limbs,
};
use super::solver::{Outcome, Solver, require};
use super::workspace::{Scratch, Tables};
use super::zint62::{self, Window, all_fit};
use crate::params::KeygenRule;

/// One reduction: what is public about it.
#[derive(Clone, Copy)]
struct Reduction<'a, I: Isa> {
    isa: PhantomData<I>,
    tables: &'a Tables,
    rule: KeygenRule,
    /// The degree, and its logarithm.
    n: usize,
    logn: u32,
    /// Limbs of a coefficient of f, and from one of F to the next.
    stride: usize,
    big_stride: usize,
    /// The words of f below its leading ones.
    base: usize,
    /// How many primes a product k f takes.
    count: usize,
    /// Whether products go by transforms.
    transformed: bool,
}

/// Reduces F, and G if the rule carries it, at `depth`, until they are about as long as f and g.
pub(super) fn reduce<I: Isa>(solver: &mut Solver<'_, I>, depth: u32) -> Outcome {
    let n = solver.f.len() >> depth;
    let small_words = SMALL_WORDS[depth as usize];
    let window_words = WINDOW_WORDS[depth as usize];
    let this = Reduction {
        isa: solver.isa,
        tables: solver.tables,
        rule: solver.rule,
        n,
        logn: solver.logn - depth,
        stride: small_limbs(depth),
        big_stride: large_limbs(depth),
        base: small_words - window_words,
        count: small_words + 1,
        transformed: n >= TRANSFORM_DEGREE && small_words < PRIME_COUNT,
    };
    let both = solver.both();
    let (range_f, range_g) = (solver.range_f(depth), solver.range_g(depth));
    let step = reduction_bits(solver.rule, solver.logn);
    let scale_max = 31 * window_words as u32;
    let base_bits = 31 * this.base as u32;

    let scale = this.prepare(
        solver.scratch,
        range_f.clone(),
        both.then_some(range_g.clone()),
        scale_max,
    );
    let mut words = LARGE_WORDS[depth as usize];
    let mut bits = 31 * words as u32;
    loop {
        let from = (bits / 31) as usize;
        // At first nothing of F is above.
        if from < words {
            let active = active_limbs(words);
            let shift = bits - base_bits;
            let window = Window::new(from, scale + bits % 31, scale_max + 30);
            this.quotient(solver.scratch, &window, active, both);
            let Scratch {
                saved,
                big_f,
                big_g,
                lines,
                f_hat,
                g_hat,
                k_hat,
                k,
                k_extended,
                f_limbs,
                g_limbs,
                ..
            } = &mut *solver.scratch;
            let (big_f, big_g) = (
                &mut big_f[..n * this.big_stride],
                &mut big_g[..n * this.big_stride],
            );
            if this.rule == KeygenRule::P4 && depth == 1 && shift == 32 {
                let f = &saved[range_f.clone()];
                this.subtract_at_32(big_f, f, &mut k[..n], f_hat, k_hat, lines);
            } else if this.transformed {
                this.transform_quotient(&k[..n], k_hat);
                this.subtract_transformed(big_f, active, f_hat, k_hat, shift, lines);
                if both {
                    this.subtract_transformed(big_g, active, g_hat, k_hat, shift, lines);
                }
            } else if shift < 31 * words as u32 {
                let k_extended = &mut k_extended[..2 * n];
                poly::extend(k[..n].iter().map(|&k| i64::from(k)), k_extended);
                let size = n * this.stride;
                poly::subtract_product(
                    big_f,
                    this.big_stride,
                    active,
                    &f_limbs[..size],
                    k_extended,
                    shift,
                );
                if both {
                    poly::subtract_product(
                        big_g,
                        this.big_stride,
                        active,
                        &g_limbs[..size],
                        k_extended,
                        shift,
                    );
                }
            }
            this.require_fit(solver.scratch, active, words, both)?;
        }
        if bits <= base_bits {
            return Ok(());
        }
        bits = (bits - step.min(bits)).max(base_bits);
        while words > small_words && 31 * (words - small_words) as u32 > bits - base_bits + 30 {
            this.require_fit(solver.scratch, active_limbs(words), words - 1, both)?;
            words -= 1;
            this.cut(solver.scratch, active_limbs(words), both);
        }
    }
}

impl<I: Isa> Reduction<'_, I> {
    /// Computes 1/f, or adj(f) and adj(g) over f adj(f) + g adj(g), in fixed point; and what the products
    /// need of f and g. Returns the scale: how many bits the longest coefficient has above the base.
    fn prepare(
        &self,
        scratch: &mut Scratch,
        range_f: core::ops::Range<usize>,
        range_g: Option<core::ops::Range<usize>>,
        scale_max: u32,
    ) -> u32 {
        let Scratch {
            saved,
            fixed,
            f_hat,
            g_hat,
            f_limbs,
            g_limbs,
            ..
        } = scratch;
        let f = &saved[range_f];
        let g = range_g.map(|range| &saved[range]);
        // f and g are scaled so that their largest coefficient has as many bits as the norm at this
        // degree can take: f adj(f) + g adj(g) stays below 2^31. How long they are is secret.
        let length = |x: &[i64]| {
            let base = 31 * self.base as u32;
            max(zint62::bit_length(x, self.stride), base) - base
        };
        let scale = max(length(f), g.map_or(0, length));
        let kept = min(15 - self.logn, scale);
        let window = Window::new(self.base, scale - kept, scale_max);
        let [f_inverse, g_inverse, ..] = fixed;
        let (f_inverse, g_inverse) = (&mut f_inverse[..self.n], &mut g_inverse[..self.n]);
        window.apply(f, self.stride, self.stride, f_inverse);
        fxp::fft::<I>(f_inverse);
        if let Some(g) = g {
            window.apply(g, self.stride, self.stride, g_inverse);
            fxp::fft::<I>(g_inverse);
            fxp::invert_pair_scaled::<I>(f_inverse, g_inverse, kept);
        } else {
            fxp::invert_scaled::<I>(f_inverse, kept);
        }
        for (x, hat, limbs) in [(Some(f), f_hat, f_limbs), (g, g_hat, g_limbs)] {
            if let Some(x) = x {
                if self.transformed {
                    self.transform(x, self.count, hat);
                } else {
                    poly::reverse_limbs(x, self.stride, &mut limbs[..x.len()]);
                }
            }
        }
        scale
    }

    /// x modulo the first `count` primes, transformed and with what completes the inverse transform.
    fn transform(&self, x: &[i64], count: usize, to: &mut [u32]) {
        for (i, line) in to.chunks_exact_mut(self.n).take(count).enumerate() {
            let prime = &PRIMES[i];
            zint62::residues(x, self.stride, prime, line);
            ntt::<I>(line, self.tables.powers(i), prime);
            let factor = prime.mul(prime.inverse_of_degree(self.logn), prime.r2);
            poly::scale::<I>(line, factor, prime);
        }
    }

    /// k <- round(F adj(f) / …), from the bits of F in the window.
    fn quotient(&self, scratch: &mut Scratch, window: &Window, active: usize, both: bool) {
        let n = self.n;
        let Scratch {
            big_f,
            big_g,
            fixed,
            k,
            ..
        } = scratch;
        let [f_inverse, g_inverse, quotient, quotient_g] = fixed;
        let quotient = &mut quotient[..n];
        window.apply(big_f, self.big_stride, active, quotient);
        fxp::fft::<I>(quotient);
        fxp::multiply::<I>(quotient, &f_inverse[..n]);
        if both {
            let quotient_g = &mut quotient_g[..n];
            window.apply(big_g, self.big_stride, active, quotient_g);
            fxp::fft::<I>(quotient_g);
            fxp::multiply::<I>(quotient_g, &g_inverse[..n]);
            fxp::add_assign::<I>(quotient, quotient_g);
        }
        fxp::ifft::<I>(quotient);
        for (k, &quotient) in k.iter_mut().zip(&*quotient) {
            *k = fxp::round(quotient);
        }
    }

    /// k modulo the primes, transformed.
    fn transform_quotient(&self, k: &[i32], to: &mut [u32]) {
        for (i, line) in to.chunks_exact_mut(self.n).take(self.count).enumerate() {
            for (to, &k) in line.iter_mut().zip(k) {
                *to = (k as u32).residue(PRIMES[i].p);
            }
            ntt::<I>(line, self.tables.powers(i), &PRIMES[i]);
        }
    }

    fn subtract_transformed(
        &self,
        big: &mut [i64],
        active: usize,
        hat: &[u32],
        k_hat: &[u32],
        shift: u32,
        lines: &mut [u32],
    ) {
        poly::multiply_modulo::<I>(self.tables, hat, k_hat, self.n, self.count, lines);
        poly::subtract_residues::<I>(big, self.big_stride, active, lines, self.count, shift);
    }

    /// F - k f 2^32 at depth 1 under P4, where the crate fn-dsa 0.4.0 works modulo two primes and takes, for
    /// the second, k 2^-32 modulo the first one instead of k. Keys from seeds agree only if
    /// that is done here, too. It matters below degree 512 alone: in the two degrees for use no shift is
    /// 32; and where k is zero, which it is but for degree 4, and rarely above, nothing goes wrong.
    fn subtract_at_32(
        &self,
        big: &mut [i64],
        f: &[i64],
        k: &mut [i32],
        f_hat: &mut [u32],
        k_hat: &mut [u32],
        lines: &mut [u32],
    ) {
        let n = self.n;
        let mut residues = [0; 1];
        self.transform(f, 2, f_hat);
        for i in 0..2 {
            let prime = &PRIMES[i];
            let line = &mut k_hat[i * n..(i + 1) * n];
            for (to, k) in line.iter_mut().zip(&mut *k) {
                *to = (*k as u32).residue(prime.p);
                // What the second prime gets.
                *k = prime.mul(*to, 1).centred(prime.p) as i32;
            }
            ntt::<I>(line, self.tables.powers(i), prime);
        }
        poly::multiply_modulo::<I>(self.tables, f_hat, k_hat, n, 2, lines);
        for i in 0..2 {
            let prime = &PRIMES[i];
            // 2^32, in Montgomery form.
            let factor = prime.r2;
            for (x, product) in big.chunks_exact(self.big_stride).zip(&mut lines[i * n..]) {
                zint62::residues(x, self.big_stride, prime, &mut residues);
                *product = prime.sub(residues[0], prime.mul(*product, factor));
            }
        }
        poly::from_residues::<I>(lines, 2, big, self.big_stride);
    }

    /// Whether F, and G, fit in so many words.
    fn require_fit(&self, scratch: &Scratch, active: usize, words: usize, both: bool) -> Outcome {
        let size = self.n * self.big_stride;
        require(
            all_fit(&scratch.big_f[..size], self.big_stride, active, words)
                && (!both || all_fit(&scratch.big_g[..size], self.big_stride, active, words)),
        )
    }

    /// Makes the last of the active limbs signed; what was above is its sign.
    fn cut(&self, scratch: &mut Scratch, active: usize, both: bool) {
        let size = self.n * self.big_stride;
        for big in [&mut scratch.big_f, &mut scratch.big_g]
            .into_iter()
            .take(1 + usize::from(both))
        {
            for x in big[..size].chunks_exact_mut(self.big_stride) {
                x[active - 1] = (x[active - 1] << 2) >> 2;
            }
        }
    }
}

/// The larger of two numbers below 2^31, without a branch.
fn max(a: u32, b: u32) -> u32 {
    Mask::of_less(a, b).select(a, b)
}

/// The smaller of two numbers below 2^31, without a branch.
fn min(a: u32, b: u32) -> u32 {
    a ^ b ^ max(a, b)
}
