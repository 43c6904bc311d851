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

use lanner_simd::memory::view_mut;
use lanner_simd::{Isa, Mask};

use super::fxp;
use super::lanes::Words;
use super::mp31::PRIMES;
use super::ntt31::ntt;
use super::planes;
use super::poly;
use super::rows::{self, Subtract, SubtractBoth};
use super::sizes::{LARGE_WORDS, SMALL_WORDS, WINDOW_WORDS, active_limbs};
use super::solver::{Outcome, require};
use super::workspace::{Memory, Tables};
use super::zint62::{self, Window, is_zero};
use crate::params::KeygenRule;

/// One reduction.
pub(super) struct Reduction<'a, I: Isa> {
    pub(super) isa: PhantomData<I>,
    pub(super) tables: Tables<'a>,
    pub(super) rule: KeygenRule,
    /// The degree, and its logarithm.
    pub(super) n: usize,
    pub(super) logn: u32,
    pub(super) depth: u32,
    /// By how many bits a round is expected to shorten F and G.
    pub(super) step: u32,
    /// Limbs of a coefficient of f, and planes of F.
    pub(super) stride: usize,
    pub(super) big_stride: usize,
    /// How many primes a product k f takes, or 0 if it does not go by transforms.
    pub(super) count: usize,
    /// F, and G if the rule carries it, in [`planes`].
    pub(super) big_f: &'a mut [i64],
    pub(super) big_g: &'a mut [i64],
    /// The values of F and of G in fixed point, n numbers each; and then lines of residues, `count` each. At depth 1 they
    /// hold g and f until the first round, and f stays where G is not carried.
    pub(super) first: &'a mut [i64],
    pub(super) second: &'a mut [i64],
    /// Not zero if a coefficient has not fitted its only limb.
    pub(super) beyond: u64,
}

/// What the rounds take from f and g.
struct Prepared<'a> {
    /// How many bits the longest coefficient has above the base.
    scale: u32,
    /// 1/f, or adj(f) and adj(g) over f adj(f) + g adj(g), transformed.
    f_inverse: &'a mut [i64],
    g_inverse: &'a mut [i64],
    /// f and g modulo primes, transformed, with what completes the inverse transform.
    f_hat: &'a mut [u32],
    g_hat: &'a mut [u32],
    /// f and g limb by limb, where products are those of the schoolbook; and -k, then k.
    f_limbs: &'a mut [i64],
    g_limbs: &'a mut [i64],
    /// The same cut up, where those are computed in lanes.
    f_rows: &'a mut [i32],
    g_rows: &'a mut [i32],
    both_rows: &'a mut [i64],
    k_extended: &'a mut [i64],
    /// The quotient of a round.
    k: &'a mut [i32],
}

impl<I: Isa> Reduction<'_, I> {
    fn both(&self) -> bool {
        matches!(self.rule, KeygenRule::P3)
    }

    fn small_words(&self) -> usize {
        SMALL_WORDS[self.depth as usize]
    }

    fn window_words(&self) -> usize {
        WINDOW_WORDS[self.depth as usize]
    }

    /// The words of f below its leading ones.
    fn base(&self) -> usize {
        self.small_words() - self.window_words()
    }

    /// The limbs in use of numbers of so many words.
    fn active(&self, words: usize) -> usize {
        active_limbs(words).min(self.big_stride)
    }

    /// Reduces F, and G if the rule carries it, until they are about as long as f and g: `kept`, but at depth 1.
    pub(super) fn reduce(
        &mut self,
        kept: Option<(&[i64], &[i64])>,
        mut memory: Memory<'_>,
    ) -> Outcome {
        let n = self.n;
        let both = self.both();
        let small_words = self.small_words();
        let scale_max = 31 * self.window_words() as u32;
        let base_bits = 31 * self.base() as u32;

        let prepared = &mut self.prepare(kept, scale_max, &mut memory);
        let scale = prepared.scale;
        let mut words = LARGE_WORDS[self.depth as usize];
        let mut bits = 31 * words as u32;
        loop {
            let from = (bits / 31) as usize;
            // At first nothing of F is above.
            if from < words {
                let active = self.active(words);
                let shift = bits - base_bits;
                let window = Window::new(from, scale + bits % 31, scale_max + 30);
                self.quotient(prepared, &window, active);
                if self.rule == KeygenRule::P4 && self.depth == 1 && shift == 32 {
                    self.subtract_at_32(&mut prepared.k[..n], memory.rest());
                } else if self.count > 0 {
                    self.transform_quotient(prepared.k);
                    self.subtract_transformed(false, active, prepared.f_hat, shift);
                    if both {
                        self.subtract_transformed(true, active, prepared.g_hat, shift);
                    }
                } else if shift < 31 * words as u32 {
                    self.subtract_products(prepared, active, shift);
                }
                self.require_fit(active, words)?;
            }
            if bits <= base_bits {
                return Ok(());
            }
            bits = (bits - self.step.min(bits)).max(base_bits);
            while words > small_words && 31 * (words - small_words) as u32 > bits - base_bits + 30 {
                self.require_fit(self.active(words), words - 1)?;
                words -= 1;
                self.cut(self.active(words));
            }
        }
    }

    /// Computes 1/f, or adj(f) and adj(g) over f adj(f) + g adj(g), in fixed point; and what the products
    /// need of f and g.
    fn prepare<'m>(
        &self,
        kept: Option<(&[i64], &[i64])>,
        scale_max: u32,
        memory: &mut Memory<'m>,
    ) -> Prepared<'m> {
        let n = self.n;
        let both = self.both();
        let (f, g) = kept.unwrap_or((&self.second[..n], &self.first[..n]));
        let g = both.then_some(g);
        let of_g = |size: usize| if both { size } else { 0 };
        let hat = self.count * n;
        let (limbs, rows, both_rows) = if self.count > 0 {
            (0, 0, 0)
        } else if rows::pays::<I>(n) {
            (0, rows::size(n, self.stride), 0)
        } else if rows::pays_for_both::<I>(n) {
            (0, 0, rows::size_of_both(self.stride))
        } else {
            (n * self.stride, 0, 0)
        };
        let mut prepared = Prepared {
            scale: 0,
            f_inverse: memory.limbs(n),
            g_inverse: memory.limbs(of_g(n)),
            f_hat: memory.words(hat),
            g_hat: memory.words(of_g(hat)),
            f_limbs: memory.limbs(limbs),
            g_limbs: memory.limbs(of_g(limbs)),
            f_rows: memory.integers(rows),
            g_rows: memory.integers(of_g(rows)),
            both_rows: memory.limbs(both_rows),
            k_extended: memory.limbs(if self.count > 0 { 0 } else { 2 * n }),
            k: memory.integers(n),
        };
        // f and g are scaled so that their largest coefficient has as many bits as the norm at this
        // degree can take: f adj(f) + g adj(g) stays below 2^31. How long they are is secret.
        let length = |x: &[i64]| {
            let base = 31 * self.base() as u32;
            max(zint62::bit_length(x, self.stride), base) - base
        };
        let scale = max(length(f), g.map_or(0, length));
        let kept = min(15 - self.logn, scale);
        let window = Window::new(self.base(), scale - kept, scale_max);
        let (f_inverse, g_inverse) = (&mut *prepared.f_inverse, &mut *prepared.g_inverse);
        window.apply(f, self.stride, f_inverse);
        fxp::fft::<I>(f_inverse);
        if let Some(g) = g {
            window.apply(g, self.stride, g_inverse);
            fxp::fft::<I>(g_inverse);
            fxp::invert_pair_scaled::<I>(f_inverse, g_inverse, kept);
        } else {
            fxp::invert_scaled::<I>(f_inverse, kept);
        }
        if rows::pays_for_both::<I>(n) && self.count == 0 {
            rows::cut_both(f, g, self.stride, view_mut(prepared.both_rows));
            prepared.scale = scale;
            return prepared;
        }
        for (x, hat, limbs, rows) in [
            (
                Some(f),
                &mut *prepared.f_hat,
                &mut *prepared.f_limbs,
                &mut *prepared.f_rows,
            ),
            (
                g,
                &mut *prepared.g_hat,
                &mut *prepared.g_limbs,
                &mut *prepared.g_rows,
            ),
        ] {
            if let Some(x) = x {
                if self.count > 0 {
                    self.transform(x, hat);
                } else if rows::pays::<I>(n) {
                    rows::cut(x, self.stride, rows);
                } else {
                    poly::reverse_limbs(x, self.stride, limbs);
                }
            }
        }
        prepared.scale = scale;
        prepared
    }

    /// x modulo the first primes, as many as there are lines, transformed and with what completes the inverse transform.
    fn transform(&self, x: &[i64], to: &mut [u32]) {
        for (i, line) in to.chunks_exact_mut(self.n).enumerate() {
            let prime = &PRIMES[i];
            zint62::residues(x, self.stride, prime, line);
            ntt::<I>(line, self.tables.powers(i), prime);
            let factor = prime.mul(prime.inverse_of_degree(self.logn), prime.r2);
            poly::scale::<I>(line, factor, prime);
        }
    }

    /// k <- round(F adj(f) / …), from the bits of F in the window.
    fn quotient(&mut self, prepared: &mut Prepared<'_>, window: &Window, active: usize) {
        let n = self.n;
        let quotient = &mut self.first[..n];
        planes::look::<I>(window, self.big_f, active, quotient);
        fxp::fft::<I>(quotient);
        fxp::multiply::<I>(quotient, prepared.f_inverse);
        if matches!(self.rule, KeygenRule::P3) {
            let quotient_g = &mut self.second[..n];
            planes::look::<I>(window, self.big_g, active, quotient_g);
            fxp::fft::<I>(quotient_g);
            fxp::multiply::<I>(quotient_g, prepared.g_inverse);
            fxp::add_assign::<I>(quotient, quotient_g);
        }
        fxp::ifft::<I>(quotient);
        for (k, &quotient) in prepared.k.iter_mut().zip(&*quotient) {
            *k = fxp::round(quotient);
        }
    }

    /// k modulo the primes, transformed, in the place of the values of F.
    fn transform_quotient(&mut self, k: &[i32]) {
        let lines = view_mut(self.first).chunks_exact_mut(self.n);
        for (i, line) in lines.take(self.count).enumerate() {
            for (to, &k) in line.iter_mut().zip(k) {
                *to = (k as u32).residue(PRIMES[i].p);
            }
            ntt::<I>(line, self.tables.powers(i), &PRIMES[i]);
        }
    }

    /// F - k f 2^shift, or that of G, with lines in the place of the values of G.
    fn subtract_transformed(&mut self, of_g: bool, active: usize, hat: &[u32], shift: u32) {
        let (n, count) = (self.n, self.count);
        let big = if of_g {
            &mut *self.big_g
        } else {
            &mut *self.big_f
        };
        let lines = view_mut(self.second);
        poly::multiply_modulo::<I>(self.tables, hat, view_mut(self.first), n, count, lines);
        self.beyond |= poly::subtract_residues::<I>(big, n, active, lines, count, shift);
    }

    /// F - k f 2^shift, and G, by the schoolbook.
    fn subtract_products(&mut self, prepared: &mut Prepared<'_>, active: usize, shift: u32) {
        let (n, both) = (self.n, self.both());
        let k = prepared.k.iter().map(|&k| i64::from(k));
        poly::extend(k, prepared.k_extended);
        if rows::pays_for_both::<I>(n) {
            I::enter(SubtractBoth {
                big_f: view_mut(self.big_f),
                big_g: view_mut(self.big_g),
                active,
                rows: view_mut(prepared.both_rows),
                k_extended: view_mut(prepared.k_extended),
                shift,
            });
            return;
        }
        let numbers = [
            (&mut *self.big_f, &*prepared.f_limbs, &*prepared.f_rows),
            (&mut *self.big_g, &*prepared.g_limbs, &*prepared.g_rows),
        ];
        for (big, limbs, rows) in numbers.into_iter().take(1 + usize::from(both)) {
            if rows::pays::<I>(n) {
                I::enter(Subtract {
                    big: view_mut(big),
                    active,
                    rows,
                    k_extended: view_mut(prepared.k_extended),
                    shift,
                });
            } else {
                let k = &*prepared.k_extended;
                poly::subtract_product(big, active, limbs, k, shift);
            }
        }
    }

    /// F - k f 2^32 at depth 1 under P4, where the crate fn-dsa 0.4.0 works modulo two primes and takes, for
    /// the second, k 2^-32 modulo the first one instead of k. Keys from seeds agree only if
    /// that is done here, too. It matters below degree 512 alone: in the two degrees for use no shift is
    /// 32; and where k is zero, which it is but for degree 4, and rarely above, nothing goes wrong.
    fn subtract_at_32(&mut self, k: &mut [i32], mut memory: Memory<'_>) {
        let n = self.n;
        let (f_hat, lines) = (memory.words(2 * n), memory.words(2 * n));
        let k_hat: &mut [u32] = view_mut(&mut self.first[..n]);
        let mut residues = [0; 1];
        // G is not carried, and f is still there.
        for (i, line) in f_hat.chunks_exact_mut(n).enumerate() {
            let prime = &PRIMES[i];
            zint62::residues(&self.second[..n], self.stride, prime, line);
            ntt::<I>(line, self.tables.powers(i), prime);
            let factor = prime.mul(prime.inverse_of_degree(self.logn), prime.r2);
            poly::scale::<I>(line, factor, prime);
        }
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
            for (at, product) in lines[i * n..(i + 1) * n].iter_mut().enumerate() {
                // Two limbs at most.
                let mut x = [0; 2];
                let x = &mut x[..self.big_stride];
                for (x, plane) in x.iter_mut().zip(self.big_f.chunks_exact(n)) {
                    *x = plane[at];
                }
                zint62::residues(x, self.big_stride, prime, &mut residues);
                *product = prime.sub(residues[0], prime.mul(*product, factor));
            }
        }
        poly::planes_from_residues::<I>(lines, 2, self.big_f, n);
    }

    /// Whether F, and G, fit in so many words.
    fn require_fit(&mut self, active: usize, words: usize) -> Outcome {
        let mut any = self.beyond;
        for big in [&mut *self.big_f, &mut *self.big_g] {
            if !big.is_empty() {
                any |= planes::excess_of::<I>(big, self.n, active, words);
            }
        }
        require(is_zero(any).declassify())
    }

    /// Makes the last of the active limbs signed; what was above is its sign.
    fn cut(&mut self, active: usize) {
        for big in [&mut *self.big_f, &mut *self.big_g] {
            if !big.is_empty() {
                for x in &mut big[(active - 1) * self.n..active * self.n] {
                    *x = (*x << 2) >> 2;
                }
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
