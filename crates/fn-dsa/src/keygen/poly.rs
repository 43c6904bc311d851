//! Polynomials modulo X^n + 1 with large coefficients.
//!
//! A coefficient is `stride` limbs ([`zint62`]), and the coefficients follow one another; those of F and G, before they are
//! reduced, stand in [`planes`]. The product of degree and length is nearly the same at every depth: going down one, the
//! degree n halves, and the coefficients become about twice as long. So there are two ways to multiply.
//!
//! ```text
//!    n >= 64, up to 5 words:  residues     ntt        pointwise    intt      mixed radix
//!                             x mod p_i --> values --> product --> mod p_i --> limbs
//!    else:                    limbs, in planes --> sums of products of limbs --> columns --> limbs
//! ```
//!
//! Transforms work modulo `count` primes of 31 bits, as many as the result has words, at most five (`PRIME_COUNT`); the
//! residues modulo one prime are a line of n words, each in [0, p). The result is the integer in (-P/2, P/2) for the
//! product P of the primes, and has at most three limbs.
//!
//! The schoolbook takes each pair of limbs once. Planes hold one limb of all coefficients in a row, so that each sum runs
//! over adjacent numbers: at most 256 limbs of one factor, which gives sums below 2^72 in a column, and twice that for
//! the two products of a norm. F and G are reduced by [`rows`](super::rows) where vectors have four lanes; elsewhere by
//! [`subtract_product`], where k has words (below 2^31 in absolute value): a limb of k f is a sum of at most 64 products
//! below 2^93, so a carry is below 2^38.
//!
//! What is computed: the norm on the way down, f'(x^2) = f(x) f(-x); the lift on the way up, F'(x^2) g(-x); and
//! F - k f 2^shift in the reduction. In the transformed form, slots 2j and 2j + 1 are the values at w and -w. The norm is
//! the product of the two, at w^2, and the lift multiplies each by the value of g in the other slot.
//!
//! Degrees, lengths and counts are public. Coefficients are secret, and nothing branches on them or indexes by them.

use lanner_simd::Isa;

use super::lanes::{Words, operation};
use super::mp31::{PRIMES, Prime, mixed_radix};
use super::ntt31::{intt, ntt};
use super::planes;
use super::workspace::{Memory, Tables};
use super::zint62::{self, MASK};

/// The work memory of the schoolbook.
pub(crate) struct Work<'a> {
    /// The limbs of the factors.
    pub(crate) x: &'a mut [i64],
    pub(crate) y: &'a mut [i64],
    pub(crate) ordered: &'a mut [i64],
    /// Sums of products, not yet carried; zeros when not in use.
    pub(crate) columns: &'a mut [i128],
}

impl<'a> Work<'a> {
    /// That for factors of so many limbs in a plane each, and for results of so many in a coefficient.
    pub(crate) fn new(x: usize, y: usize, columns: usize, mut memory: Memory<'a>) -> Self {
        Self {
            x: memory.limbs(x),
            y: memory.limbs(y),
            ordered: memory.limbs(y),
            columns: memory.columns(columns),
        }
    }
}

/// Copies coefficients first, first + step, … limb by limb: all lowest limbs, then the next.
fn in_planes(from: &[i64], stride: usize, first: usize, step: usize, to: &mut [i64]) {
    let size = from.len() / stride / step;
    for (c, to) in to.chunks_exact_mut(size).take(stride).enumerate() {
        for (i, to) in to.iter_mut().enumerate() {
            *to = from[(first + step * i) * stride + c];
        }
    }
}

/// Adds coefficient s of x y modulo X^h + 1 to `columns`, or subtracts it; x and y limb by limb.
#[inline]
fn add_coefficient(
    x: &[i64],
    y: &[i64],
    h: usize,
    s: usize,
    negative: bool,
    ordered: &mut [i64],
    columns: &mut [i128],
) {
    let (x_limbs, y_limbs) = (x.len() / h, y.len() / h);
    // From the last limb to the first, coefficient s - i, which for i > s is minus that of h more: so each
    // column is one sum over adjacent elements.
    for (to, from) in ordered.chunks_exact_mut(h).zip(y.rchunks_exact(h)) {
        for (i, to) in to.iter_mut().enumerate() {
            *to = if i <= s {
                from[s - i]
            } else {
                -from[s + h - i]
            };
        }
    }
    for c in 0..x_limbs + y_limbs - 1 {
        let first = c.saturating_sub(y_limbs - 1);
        let last = c.min(x_limbs - 1);
        let x = &x[first * h..(last + 1) * h];
        let y = &ordered[(y_limbs - 1 + first - c) * h..];
        let (low, high) = zint62::dot(x, &y[..x.len()]);
        columns[c] += if negative { -low } else { low };
        columns[c + 1] += if negative { -high } else { high };
    }
}

/// f' with f'(x^2) = f(x) f(-x), that is, the norm fe^2 - x fo^2 of f = fe(x^2) + x fo(x^2), by the
/// schoolbook.
pub(crate) fn norm(
    f: &[i64],
    stride: usize,
    result: &mut [i64],
    result_stride: usize,
    work: &mut Work<'_>,
) {
    let h = f.len() / stride / 2;
    let even = &mut work.x[..h * stride];
    let odd = &mut work.y[..h * stride];
    in_planes(f, stride, 0, 2, even);
    in_planes(f, stride, 1, 2, odd);
    let ordered = &mut work.ordered[..h * stride];
    let columns = &mut work.columns[..(2 * stride).max(result_stride)];
    for (s, to) in result.chunks_exact_mut(result_stride).enumerate() {
        add_coefficient(even, even, h, s, false, ordered, columns);
        // x^h is -1.
        let (before, negative) = if s == 0 {
            (h - 1, false)
        } else {
            (s - 1, true)
        };
        add_coefficient(odd, odd, h, before, negative, ordered, columns);
        zint62::carry_columns(columns, result_stride, |i, limb| to[i] = limb);
    }
}

/// F'(x^2) g(-x), for F' of half the degree of g, by the schoolbook, in planes.
pub(crate) fn lift(
    below: &[i64],
    below_stride: usize,
    g: &[i64],
    stride: usize,
    result: &mut [i64],
    result_stride: usize,
    work: &mut Work<'_>,
) {
    let h = below.len() / below_stride;
    let x = &mut work.x[..below.len()];
    in_planes(below, below_stride, 0, 1, x);
    let y = &mut work.y[..h * stride];
    let ordered = &mut work.ordered[..h * stride];
    let columns = &mut work.columns[..(below_stride + stride).max(result_stride)];
    for parity in 0..2 {
        in_planes(g, stride, parity, 2, y);
        for s in 0..h {
            add_coefficient(x, y, h, s, parity == 1, ordered, columns);
            zint62::carry_columns(columns, result_stride, |i, limb| {
                result[i * 2 * h + 2 * s + parity] = limb;
            });
        }
    }
}

/// `norm` by transforms modulo `count` primes: `lines` gets the residues of the result, n/2 a line.
/// `work` has n words.
pub(crate) fn norm_modulo<I: Isa>(
    tables: Tables<'_>,
    f: &[i64],
    stride: usize,
    count: usize,
    lines: &mut [u32],
    work: &mut [u32],
) {
    let n = f.len() / stride;
    let work = &mut work[..n];
    for (i, line) in lines.chunks_exact_mut(n / 2).take(count).enumerate() {
        zint62::residues(f, stride, &PRIMES[i], work);
        ntt::<I>(work, tables.powers(i), &PRIMES[i]);
        multiply_pairs::<I>(i, work, line);
        intt::<I>(line, tables.powers(i), &PRIMES[i]);
    }
}

/// Products of the neighbours in `from`, times what completes the inverse transform.
pub(crate) fn multiply_pairs<I: Isa>(prime: usize, from: &[u32], to: &mut [u32]) {
    #[inline(always)]
    fn body<W: Words>(prime: usize, from: &[u32], to: &mut [u32]) {
        let prime = &PRIMES[prime];
        let modulus = prime.modulus::<W>();
        let factor = W::splat(prime.mul(prime.inverse_of_degree(to.len().ilog2()), prime.r2));
        for (from, to) in from
            .chunks_exact(2 * W::LANES)
            .zip(to.chunks_exact_mut(W::LANES))
        {
            let (a, b) = W::unzip(W::load(from), W::load(&from[W::LANES..]), 1);
            a.mont_mul(b, &modulus).mont_mul(factor, &modulus).store(to);
        }
    }
    operation!(
        Multiply(prime: usize, from: &'a [u32], to: &'a mut [u32]) -> (),
        U32 or u32, to.len(), body
    );
    I::enter(Multiply(prime, from, to));
}

/// `lift` by transforms modulo `count` primes: `lines` gets the residues of the result, n a line.
/// `work` has 3n/2 words.
#[allow(clippy::too_many_arguments)]
pub(crate) fn lift_modulo<I: Isa>(
    tables: Tables<'_>,
    below: &[i64],
    below_stride: usize,
    g: &[i64],
    stride: usize,
    count: usize,
    lines: &mut [u32],
    work: &mut [u32],
) {
    let n = g.len() / stride;
    let (g_hat, work) = work.split_at_mut(n);
    let below_hat = &mut work[..n / 2];
    for (i, line) in lines.chunks_exact_mut(n).take(count).enumerate() {
        zint62::residues(g, stride, &PRIMES[i], g_hat);
        ntt::<I>(g_hat, tables.powers(i), &PRIMES[i]);
        zint62::residues(below, below_stride, &PRIMES[i], below_hat);
        ntt::<I>(below_hat, tables.powers(i), &PRIMES[i]);
        let factor = PRIMES[i].mul(PRIMES[i].inverse_of_degree(n.ilog2()), PRIMES[i].r2);
        multiply_crossed::<I>(i, factor, g_hat, below_hat, line);
        intt::<I>(line, tables.powers(i), &PRIMES[i]);
    }
}

/// Slots 2j and 2j + 1 of F'(x^2) g(-x): F'(w^2) times the value of g in the other slot of the pair;
/// times `factor` / 2^64.
pub(crate) fn multiply_crossed<I: Isa>(
    prime: usize,
    factor: u32,
    g_hat: &[u32],
    below_hat: &[u32],
    to: &mut [u32],
) {
    #[inline(always)]
    fn body<W: Words>(prime: usize, factor: u32, g_hat: &[u32], below_hat: &[u32], to: &mut [u32]) {
        let modulus = PRIMES[prime].modulus::<W>();
        let factor = W::splat(factor);
        let below = below_hat.chunks_exact(W::LANES);
        let pairs = g_hat
            .chunks_exact(2 * W::LANES)
            .zip(to.chunks_exact_mut(2 * W::LANES));
        for (below, (g, to)) in below.zip(pairs) {
            let x = W::load(below).mont_mul(factor, &modulus);
            let (g0, g1) = W::unzip(W::load(g), W::load(&g[W::LANES..]), 1);
            let (a, b) = W::zip(x.mont_mul(g1, &modulus), x.mont_mul(g0, &modulus), 1);
            a.store(to);
            b.store(&mut to[W::LANES..]);
        }
    }
    operation!(
        Multiply(prime: usize, factor: u32, g_hat: &'a [u32], below_hat: &'a [u32], to: &'a mut [u32]) -> (),
        U32 or u32, below_hat.len(), body
    );
    I::enter(Multiply(prime, factor, g_hat, below_hat, to));
}

/// Turns residues modulo `count` primes, `lines` of n words, into digits in mixed radix.
fn digits<I: Isa>(lines: &mut [u32], n: usize, count: usize) {
    operation!(
        Digits(lines: &'a mut [u32], n: usize, count: usize) -> (),
        U32 or u32, n, mixed_radix
    );
    I::enter(Digits(lines, n, count));
}

/// Writes the integers with the given residues into planes.
pub(crate) fn planes_from_residues<I: Isa>(
    lines: &mut [u32],
    count: usize,
    to: &mut [i64],
    n: usize,
) {
    digits::<I>(lines, n, count);
    planes::put_digits::<I>(to, n, lines, count);
}

/// Writes the integers with the given residues as coefficients of `stride` limbs.
pub(crate) fn from_residues<I: Isa>(
    lines: &mut [u32],
    count: usize,
    to: &mut [i64],
    stride: usize,
) {
    let n = to.len() / stride;
    digits::<I>(lines, n, count);
    planes::put_numbers::<I>(to, stride, lines, count);
}

/// -k, then k.
pub(crate) fn extend(k: impl Iterator<Item = i64>, to: &mut [i64]) {
    let (negative, positive) = to.split_at_mut(to.len() / 2);
    for ((negative, positive), k) in negative.iter_mut().zip(positive).zip(k) {
        *positive = k;
        *negative = -k;
    }
}

/// Copies f limb by limb, the coefficients from the last to the first.
pub(crate) fn reverse_limbs(f: &[i64], stride: usize, to: &mut [i64]) {
    let n = f.len() / stride;
    for (c, to) in to.chunks_exact_mut(n).enumerate() {
        for (f, to) in f.chunks_exact(stride).rev().zip(to) {
            *to = f[c];
        }
    }
}

/// F <- F - k f 2^shift by the schoolbook, modulo 2^(62 active), in planes. `limbs` is f as `reverse_limbs` gives
/// it, and `k_extended` is -k, then k. One loop for all degrees: a module for WebAssembly is loaded from afar.
#[cfg(target_arch = "wasm32")]
pub(crate) fn subtract_product(
    big: &mut [i64],
    active: usize,
    limbs: &[i64],
    k_extended: &[i64],
    shift: u32,
) {
    let n = k_extended.len() / 2;
    subtract_product_of(n, big, active, limbs, k_extended, shift);
}

/// F <- F - k f 2^shift by the schoolbook, modulo 2^(62 active), in planes. `limbs` is f as `reverse_limbs` gives
/// it, and `k_extended` is -k, then k.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn subtract_product(
    big: &mut [i64],
    active: usize,
    limbs: &[i64],
    k_extended: &[i64],
    shift: u32,
) {
    match k_extended.len() / 2 {
        2 => subtract_product_of(2, big, active, limbs, k_extended, shift),
        4 => subtract_product_of(4, big, active, limbs, k_extended, shift),
        8 => subtract_product_of(8, big, active, limbs, k_extended, shift),
        16 => subtract_product_of(16, big, active, limbs, k_extended, shift),
        32 => subtract_product_of(32, big, active, limbs, k_extended, shift),
        64 => subtract_product_of(64, big, active, limbs, k_extended, shift),
        _ => unreachable!("no schoolbook at this degree"),
    }
}

#[inline(always)]
fn subtract_product_of(
    n: usize,
    big: &mut [i64],
    active: usize,
    limbs: &[i64],
    k_extended: &[i64],
    shift: u32,
) {
    let count = limbs.len() / n;
    for (j, k) in k_extended[1..].windows(n).enumerate() {
        // Coefficient m of f meets coefficient j - m of k, of which those below 0 are minus those
        // of n more.
        let mut coefficients = limbs.chunks_exact(n);
        let mut sum = 0i128;
        zint62::subtract_shifted(
            &mut big[j..active * n],
            n,
            shift,
            count,
            #[inline(always)]
            |_| {
                if let Some(f) = coefficients.next() {
                    for (f, k) in f.iter().zip(k) {
                        sum += zint62::product(*f, *k);
                    }
                    let limb = sum as i64 & MASK;
                    sum >>= 62;
                    limb
                } else {
                    sum as i64
                }
            },
        );
    }
}

/// Products modulo primes: `lines` gets the residues, n a line, of the product of two transformed
/// polynomials, of which one has what completes the inverse transform.
pub(crate) fn multiply_modulo<I: Isa>(
    tables: Tables<'_>,
    a: &[u32],
    b: &[u32],
    n: usize,
    count: usize,
    lines: &mut [u32],
) {
    #[inline(always)]
    fn body<W: Words>(a: &[u32], b: &[u32], to: &mut [u32], prime: &Prime) {
        let modulus = prime.modulus::<W>();
        let factors = a.chunks_exact(W::LANES).zip(b.chunks_exact(W::LANES));
        for ((a, b), to) in factors.zip(to.chunks_exact_mut(W::LANES)) {
            W::load(a).mont_mul(W::load(b), &modulus).store(to);
        }
    }
    operation!(
        Multiply(a: &'a [u32], b: &'a [u32], to: &'a mut [u32], prime: &'a Prime) -> (),
        U32 or u32, to.len(), body
    );
    for i in 0..count {
        let line = &mut lines[i * n..(i + 1) * n];
        let (a, b) = (&a[i * n..(i + 1) * n], &b[i * n..(i + 1) * n]);
        I::enter(Multiply(a, b, line, &PRIMES[i]));
        intt::<I>(line, tables.powers(i), &PRIMES[i]);
    }
}

/// F <- F - t 2^shift, modulo 2^(62 active), in planes of n, for t with the residues in `lines`. Returns what of F is beyond
/// 62 bits, if one limb is all that there is of it: zero if nothing is. (Longer numbers have room to see that later.)
pub(crate) fn subtract_residues<I: Isa>(
    big: &mut [i64],
    n: usize,
    active: usize,
    lines: &mut [u32],
    count: usize,
    shift: u32,
) -> u64 {
    digits::<I>(lines, n, count);
    planes::subtract_digits::<I>(big, n, active, lines, count, shift)
}

/// a <- a factor / 2^32 modulo a prime.
pub(crate) fn scale<I: Isa>(a: &mut [u32], factor: u32, prime: &Prime) {
    #[inline(always)]
    fn body<W: Words>(a: &mut [u32], factor: u32, prime: &Prime) {
        let (modulus, factor) = (prime.modulus::<W>(), W::splat(factor));
        for a in a.chunks_exact_mut(W::LANES) {
            W::load(a).mont_mul(factor, &modulus).store(a);
        }
    }
    operation!(
        Scale(a: &'a mut [u32], factor: u32, prime: &'a Prime) -> (),
        U32 or u32, a.len(), body
    );
    I::enter(Scale(a, factor, prime));
}

/// `inverses` <- 2^32 / a modulo a prime, element by element; none is zero. All inverses of a lane cost
/// one (Montgomery's trick).
pub(crate) fn invert<I: Isa>(a: &[u32], inverses: &mut [u32], prime: &Prime) {
    #[inline(always)]
    fn body<W: Words>(a: &[u32], inverses: &mut [u32], prime: &Prime) {
        let modulus = prime.modulus::<W>();
        // Products of all up to each.
        let mut product = W::splat(prime.one);
        for (a, to) in a
            .chunks_exact(W::LANES)
            .zip(inverses.chunks_exact_mut(W::LANES))
        {
            product.store(to);
            product = product.mont_mul(W::load(a), &modulus);
        }
        // Fermat: the power p - 2.
        let mut inverse = W::splat(prime.one);
        for bit in (0..31).rev() {
            inverse = inverse.mont_mul(inverse, &modulus);
            if (prime.p - 2) >> bit & 1 == 1 {
                inverse = inverse.mont_mul(product, &modulus);
            }
        }
        let one = W::splat(1);
        for (a, to) in a
            .rchunks_exact(W::LANES)
            .zip(inverses.rchunks_exact_mut(W::LANES))
        {
            let before = W::load(to);
            before
                .mont_mul(inverse, &modulus)
                .mont_mul(one, &modulus)
                .store(to);
            inverse = inverse.mont_mul(W::load(a), &modulus);
        }
    }
    operation!(
        Invert(a: &'a [u32], inverses: &'a mut [u32], prime: &'a Prime) -> (),
        U32 or u32, a.len(), body
    );
    I::enter(Invert(a, inverses, prime));
}
