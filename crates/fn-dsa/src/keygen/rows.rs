//! F - k f 2^shift in lanes, several coefficients of the product side by side.
//!
//! k has words, below 2^31 in absolute value. The limbs of f are cut up two by two, into five words of 25 bits, the last
//! of 24 and at the end signed:
//!
//! ```text
//!    limb   [          0 : 62          |          1 : 62          ]
//!    word   [  0 : 25  |  1 : 25  |  2 : 25  |  3 : 25  | 4 : 24  ]
//! ```
//!
//! A row is the five words of one coefficient of f; the rows of a pair of limbs follow one another, and so do the pairs. A
//! word of k f is a sum of at most 64 products below 2^31 2^25, and fits 64 bits with its sign and the carry from below.
//! Words become limbs where they are, and the limbs are subtracted in [`planes`](super::planes). At degree 2, where two
//! coefficients do not fill a vector, F and G are in one.
//!
//! Degrees, lengths and the shift are public. Numbers are secret, and nothing branches on them or indexes by them.

use lanner_simd::{Isa, Mask, Operation, U64};

use super::planes::{Numbers, subtract_limb};

/// Words in two limbs.
const WORDS: usize = 5;

/// Bits of a word but the last.
const BITS: i32 = 25;
const LAST_BITS: i32 = 62 * 2 - 4 * BITS;

/// The words of one coefficient of f in a pair of limbs.
type Row = [i32; WORDS];

/// Whether the vectors of this instruction set take a product at this degree.
pub(crate) const fn pays<I: Isa>(n: usize) -> bool {
    <I::U64 as U64>::LANES >= 4 && n >= 4
}

/// How many words the rows of n coefficients of so many limbs have.
pub(crate) const fn size(n: usize, stride: usize) -> usize {
    WORDS * n * stride.div_ceil(2)
}

/// Cuts up f, the coefficients from the last to the first.
pub(crate) fn cut(f: &[i64], stride: usize, rows: &mut [i32]) {
    let n = f.len() / stride;
    let (rows, _) = rows.as_chunks_mut::<WORDS>();
    for (pair, rows) in rows.chunks_exact_mut(n).enumerate() {
        for (f, row) in f.rchunks_exact(stride).zip(rows) {
            *row = words_of(f, pair);
        }
    }
}

/// The words of a pair of limbs.
#[inline(always)]
fn words_of(f: &[i64], pair: usize) -> Row {
    let low = f[2 * pair];
    // Above the last limb stands its sign.
    let high = f.get(2 * pair + 1).copied();
    let high = high.unwrap_or(Mask::of_sign(low).word());
    // The upper bits of a lower limb are those of its sign as well, or zeros.
    let word = |x: i64| (x & ((1 << BITS) - 1)) as i32;
    [
        word(low),
        word(low >> BITS),
        word(low >> (2 * BITS) | high << (62 - 2 * BITS)),
        word(high >> (3 * BITS - 62)),
        (high >> (4 * BITS - 62)) as i32,
    ]
}

/// F <- F - k f 2^shift, modulo 2^(62 active).
pub(crate) struct Subtract<'a> {
    /// F, in planes.
    pub(crate) big: &'a mut [u64],
    pub(crate) active: usize,
    /// f, as [`cut`] leaves it.
    pub(crate) rows: &'a [i32],
    /// -k, then k.
    pub(crate) k_extended: &'a [u64],
    pub(crate) shift: u32,
}

impl Operation for Subtract<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        match (self.k_extended.len() / 2, <I::U64 as U64>::LANES) {
            (4, _) => self.subtract::<I::U64x4, 1>(),
            (_, 8) => self.subtract::<I::U64, 1>(),
            _ => self.subtract::<I::U64x4, 2>(),
        }
    }
}

impl Subtract<'_> {
    #[inline(always)]
    fn subtract<V: U64, const VECTORS: usize>(self) {
        let n = self.k_extended.len() / 2;
        let tile = V::LANES * VECTORS;
        let (rows, _) = self.rows.as_chunks::<WORDS>();
        for first in (0..n).step_by(tile) {
            // Coefficient j of k f is the sum of all f_m k_(j - m), and those of k below 0 are minus those of n more.
            let k = &self.k_extended[1 + first..][..n - 1 + tile];
            let mut numbers = Numbers::new(&mut self.big[first..], n, self.active, self.shift);
            let mut carry = [V::splat(0); VECTORS];
            for rows in rows.chunks_exact(n) {
                if numbers.is_done() {
                    break;
                }
                for limbs in limbs(sums(rows, k), &mut carry) {
                    numbers.subtract(limbs);
                }
            }
            numbers.subtract_last(carry);
        }
    }
}

/// The words of coefficients of a product that stand side by side, not yet carried.
#[inline(always)]
fn sums<V: U64, const VECTORS: usize>(rows: &[Row], k: &[u64]) -> [[V; VECTORS]; WORDS] {
    let mut sums = [[V::splat(0); VECTORS]; WORDS];
    for (m, row) in rows.iter().enumerate() {
        let mut factors = [V::splat(0); VECTORS];
        for (i, factor) in factors.iter_mut().enumerate() {
            *factor = V::load(&k[m + i * V::LANES..]);
        }
        for (sums, &word) in sums.iter_mut().zip(row) {
            let word = V::splat(i64::from(word) as u64);
            for (sum, factor) in sums.iter_mut().zip(factors) {
                *sum = sum.add(factor.mul_low32_signed(word));
            }
        }
    }
    sums
}

/// Two limbs of words, in [0, 2^62), and what is above them.
#[inline(always)]
fn limbs<V: U64, const VECTORS: usize>(
    sums: [[V; VECTORS]; WORDS],
    carry: &mut [V; VECTORS],
) -> [[V; VECTORS]; 2] {
    let mut limbs = [[V::splat(0); VECTORS]; 2];
    let word = V::splat((1 << BITS) - 1);
    let last_word = V::splat((1 << LAST_BITS) - 1);
    for (i, carry) in carry.iter_mut().enumerate() {
        let w0 = sums[0][i].add(*carry);
        let w1 = sums[1][i].add(above::<V, BITS>(w0));
        let w2 = sums[2][i].add(above::<V, BITS>(w1));
        let w3 = sums[3][i].add(above::<V, BITS>(w2));
        let w4 = sums[4][i].add(above::<V, BITS>(w3));
        *carry = above::<V, LAST_BITS>(w4);
        let low = w0.and(word).or(w1.and(word).shl::<25>());
        limbs[0][i] = low.or(w2.shl::<52>().shr::<2>());
        let middle = w2.and(word).shr::<12>();
        let high = w3.and(word).shl::<13>();
        limbs[1][i] = middle.or(high).or(w4.and(last_word).shl::<38>());
    }
    limbs
}

/// x / 2^`COUNT`, rounded down, of a number in two's complement.
#[inline(always)]
fn above<V: U64, const COUNT: i32>(x: V) -> V {
    let offset = V::splat(1 << 63);
    x.add(offset)
        .shr::<COUNT>()
        .sub(V::splat(1 << (63 - COUNT)))
}

/// Whether the vectors of this instruction set take F and G together: at degree 2.
pub(crate) const fn pays_for_both<I: Isa>(n: usize) -> bool {
    <I::U64 as U64>::LANES >= 4 && n == 2
}

/// How many words [`cut_both`] writes for numbers of so many limbs.
pub(crate) const fn size_of_both(stride: usize) -> usize {
    2 * WORDS * 4 * stride.div_ceil(2)
}

/// Cuts up f and g of degree 2, in the order of [`cut`], each word twice: (f, f, g, g). There may be no g.
pub(crate) fn cut_both(f: &[i64], g: Option<&[i64]>, stride: usize, to: &mut [u64]) {
    let (to, _) = to.as_chunks_mut::<4>();
    for (i, to) in to.chunks_exact_mut(WORDS).enumerate() {
        let number = 1 - i % 2;
        let words = |x: &[i64]| words_of(&x[number * stride..(number + 1) * stride], i / 2);
        let (f, g) = (words(f), g.map_or([0; WORDS], words));
        for ((to, f), g) in to.iter_mut().zip(f).zip(g) {
            *to = [f, f, g, g].map(|word| i64::from(word) as u64);
        }
    }
}

/// [`Subtract`] for F and G of degree 2 at once.
pub(crate) struct SubtractBoth<'a> {
    /// In planes; G may be empty.
    pub(crate) big_f: &'a mut [u64],
    pub(crate) big_g: &'a mut [u64],
    pub(crate) active: usize,
    /// f and g, as [`cut_both`] leaves them.
    pub(crate) rows: &'a [u64],
    /// -k, then k.
    pub(crate) k_extended: &'a [u64],
    pub(crate) shift: u32,
}

impl Operation for SubtractBoth<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        self.subtract::<I::U64x4>();
    }
}

impl SubtractBoth<'_> {
    #[inline(always)]
    fn subtract<V: U64>(self) {
        let k = |i: usize| {
            let (a, b) = (self.k_extended[i], self.k_extended[i + 1]);
            V::load(&[a, b, a, b])
        };
        let (k0, k1) = (k(1), k(2));
        let (f, _) = self.big_f.as_chunks_mut::<2>();
        let (g, _) = self.big_g.as_chunks_mut::<2>();
        let (mut at, bits) = ((self.shift / 62) as usize, self.shift % 62);
        let (mut previous, mut borrow) = (V::splat(0), V::splat(0));
        macro_rules! subtract {
            ($limb:expr) => {
                if at < self.active {
                    let [f0, f1] = f[at];
                    let [g0, g1] = g.get(at).copied().unwrap_or_default();
                    let x = V::load(&[f0, f1, g0, g1]);
                    let state = (&mut previous, &mut borrow);
                    let last = at == self.active - 1;
                    let mut words = [0; 4];
                    subtract_limb(x, $limb, bits, last, state).store(&mut words);
                    f[at] = [words[0], words[1]];
                    if let Some(g) = g.get_mut(at) {
                        *g = [words[2], words[3]];
                    }
                    at += 1;
                }
            };
        }
        let mut carry = [V::splat(0)];
        for rows in self.rows.chunks_exact(8 * WORDS) {
            let mut sums = [[V::splat(0)]; WORDS];
            for (i, sum) in sums.iter_mut().enumerate() {
                let first = k0.mul_low32_signed(V::load(&rows[4 * i..]));
                let second = k1.mul_low32_signed(V::load(&rows[4 * (WORDS + i)..]));
                *sum = [first.add(second)];
            }
            for [limb] in limbs(sums, &mut carry) {
                subtract!(limb);
            }
        }
        let [carry] = carry;
        subtract!(carry);
        while at < self.active {
            subtract!(carry.sign());
        }
    }
}
