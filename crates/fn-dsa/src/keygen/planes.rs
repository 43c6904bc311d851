//! The coefficients of F and G while they are reduced: limb by limb, in planes.
//!
//! ```text
//!    plane 0      [ F_0 F_1 … F_(n-1) ]   the lowest limbs
//!    plane 1      [ F_0 F_1 … F_(n-1) ]
//!      …
//!    plane active - 1                     the signed ones, and above them what is not in use any more
//! ```
//!
//! A round of the reduction does the same to every coefficient: here to as many side by side as vectors have lanes. Limbs
//! are those of [`zint62`](super::zint62).
//!
//! Degrees, lengths and public shifts are public. Numbers are secret, and nothing branches on them or indexes by them.

use lanner_simd::memory::view_mut;
use lanner_simd::{Isa, Operation, U64};

use super::mp31::{PRIME_COUNT, PRIMES, PRODUCT_WORDS};
use super::zint62::{MASK, Window};

/// Runs a function that is generic over vectors on those whose lanes n coefficients fill, n being a power of two.
macro_rules! on_vectors {
    ($isa:ident, $n:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let lanes = <$isa::U64 as lanner_simd::U64>::LANES;
        if $n >= lanes {
            $function::<$isa::U64>($($argument),*)
        } else if lanes > 4 && $n >= 4 {
            $function::<$isa::U64x4>($($argument),*)
        } else {
            $function::<$crate::keygen::lanes::Single>($($argument),*)
        }
    }};
}

/// The number in two's complement that the lower 62 bits are.
#[inline(always)]
pub(crate) fn signed<V: U64>(x: V) -> V {
    let top = V::splat(1 << 61);
    x.and(V::splat(MASK as u64)).xor(top).sub(top)
}

/// What n numbers of `active` limbs are beyond `words` words of 31 bits: zero exactly if they all fit, as that of
/// [`zint62`](super::zint62::excess).
pub(crate) fn excess_of<I: Isa>(planes: &mut [i64], n: usize, active: usize, words: usize) -> u64 {
    let planes = view_mut(planes);
    I::enter(Excess {
        planes,
        n,
        active,
        words,
    })
}

struct Excess<'a> {
    planes: &'a [u64],
    n: usize,
    active: usize,
    words: usize,
}

impl Operation for Excess<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self) -> u64 {
        on_vectors!(I, self.n, excess(&self))
    }
}

#[inline(always)]
fn excess<V: U64>(numbers: &Excess<'_>) -> u64 {
    let Excess {
        planes,
        n,
        active,
        words,
    } = *numbers;
    // The limb with the sign bit of the narrower number, then those above.
    let bit = 31 * words as u32 - 1;
    let at = (bit / 62) as usize;
    if at >= active {
        return 0;
    }
    let mask = V::splat(MASK as u64);
    let mut any = V::splat(0);
    for j in (0..n).step_by(V::LANES) {
        let last = V::load(&planes[(active - 1) * n + j..]);
        let sign = last.sign();
        let limb = sign.and(mask);
        // A signed number without its sign has none: the shift may bring zeros.
        let first = if at == active - 1 {
            last.xor(sign)
        } else {
            V::load(&planes[at * n + j..]).xor(limb)
        };
        any = any.or(first.shr_by(bit % 62)).or(if at == active - 1 {
            V::splat(0)
        } else {
            last.xor(sign)
        });
        for i in at + 1..(active - 1).max(at + 1) {
            any = any.or(V::load(&planes[i * n + j..]).xor(limb));
        }
    }
    let mut lanes = [0; 8];
    any.store(&mut lanes);
    lanes.iter().fold(0, |any, lane| any | lane)
}

/// Puts a window on numbers of `active` limbs, as many as `to` has.
pub(crate) fn look<I: Isa>(window: &Window, planes: &mut [i64], active: usize, to: &mut [i64]) {
    let (planes, to) = (view_mut(planes), view_mut(to));
    I::enter(Look {
        window,
        planes,
        n: to.len(),
        active,
        to,
    });
}

struct Look<'a> {
    window: &'a Window,
    planes: &'a [u64],
    n: usize,
    active: usize,
    to: &'a mut [u64],
}

impl Operation for Look<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        on_vectors!(I, self.n, read(self));
    }
}

#[inline(always)]
fn read<V: U64>(look: Look<'_>) {
    let Look {
        window,
        planes,
        n,
        active,
        to,
    } = look;
    for (j, to) in to.chunks_exact_mut(V::LANES).enumerate() {
        let j = j * V::LANES;
        let numbers = window.read(
            active,
            #[inline(always)]
            |i| V::load(&planes[i * n + j..]),
        );
        numbers.store(to);
    }
}

/// Numbers from which others are subtracted limb by limb, side by side.
pub(crate) struct Numbers<'a, V, const VECTORS: usize> {
    /// The planes from the next limb on, n words each, and how many they are.
    planes: &'a mut [u64],
    n: usize,
    left: usize,
    /// By how many bits what is subtracted is shifted.
    bits: u32,
    /// The limbs before, and what was borrowed: 0 or -1.
    previous: [V; VECTORS],
    borrow: [V; VECTORS],
}

impl<'a, V: U64, const VECTORS: usize> Numbers<'a, V, VECTORS> {
    /// From which so many limbs of each are in use; what is subtracted is shifted. The first of VECTORS vectors are meant.
    #[inline(always)]
    pub(crate) fn new(planes: &'a mut [u64], n: usize, active: usize, shift: u32) -> Self {
        let mut numbers = Self {
            planes,
            n,
            left: active,
            bits: shift % 62,
            previous: [V::splat(0); VECTORS],
            borrow: [V::splat(0); VECTORS],
        };
        numbers.skip((shift / 62) as usize);
        numbers
    }

    /// Whether all of them have been subtracted from.
    #[inline(always)]
    pub(crate) fn is_done(&self) -> bool {
        self.left == 0
    }

    #[inline(always)]
    fn skip(&mut self, count: usize) {
        let count = count.min(self.left);
        self.left -= count;
        let planes = core::mem::take(&mut self.planes);
        self.planes = planes.get_mut(count * self.n..).unwrap_or_default();
    }

    /// Subtracts the next limbs, of which the lower 62 bits count.
    #[inline(always)]
    pub(crate) fn subtract(&mut self, limbs: [V; VECTORS]) {
        if self.left == 0 {
            return;
        }
        for (i, limb) in limbs.into_iter().enumerate() {
            let x = &mut self.planes[i * V::LANES..];
            let state = (&mut self.previous[i], &mut self.borrow[i]);
            subtract_limb(V::load(x), limb, self.bits, self.left == 1, state).store(x);
        }
        self.skip(1);
    }

    /// Subtracts the last limbs, which are signed.
    #[inline(always)]
    pub(crate) fn subtract_last(&mut self, limbs: [V; VECTORS]) {
        self.subtract(limbs);
        // In a loop, because the closure of a map would be a function without vectors.
        let mut signs = limbs;
        for sign in &mut signs {
            *sign = sign.sign();
        }
        while !self.is_done() {
            self.subtract(signs);
        }
    }
}

/// What is left of a limb, from which one is subtracted that is shifted by `bits` together with the one before it; the last
/// ones are signed.
#[inline(always)]
pub(crate) fn subtract_limb<V: U64>(
    x: V,
    limb: V,
    bits: u32,
    last: bool,
    (previous, borrow): (&mut V, &mut V),
) -> V {
    let mask = V::splat(MASK as u64);
    let limb = limb.and(mask);
    let part = limb.shl_by(bits).and(mask).or(previous.shr_by(62 - bits));
    let difference = x.sub(part).add(*borrow);
    (*previous, *borrow) = (limb, difference.sign());
    if last {
        signed(difference)
    } else {
        difference.and(mask)
    }
}

/// The integers that lines of n words each have in mixed radix, as three limbs, of which the last is signed: numbers j to
/// j + `LANES`. They are in (-P/2, P/2), P being the product of the first `count` primes, and must not be so near to its
/// ends that their last digits do not tell their signs: they never are, by the margins of the sizes.
#[inline(always)]
fn limbs_of_digits<V: U64>(lines: &[u32], n: usize, count: usize, j: usize) -> [V; 3] {
    let word = V::splat(0x7fff_ffff);
    let mut digits = [V::splat(0); PRIME_COUNT];
    for (i, digit) in digits[..count].iter_mut().enumerate() {
        let mut words = [0; 8];
        let line = &lines[i * n + j..][..V::LANES];
        for (to, &from) in words.iter_mut().zip(line) {
            *to = u64::from(from);
        }
        *digit = V::load(&words);
    }
    // Words of 31 bits, of at most four products below 2^62 - 2^32 + 1, a digit and a carry below 2^33: below 2^64.
    let mut words = [V::splat(0); PRIME_COUNT];
    let mut carry = digits[0];
    for (k, to) in words.iter_mut().enumerate() {
        for (i, digit) in digits[..count].iter().enumerate().skip(k + 1) {
            let factor = V::splat(u64::from(PRODUCT_WORDS[i][k]));
            carry = carry.add(digit.mul_low32(factor));
        }
        *to = carry.and(word);
        carry = carry.shr::<31>();
    }
    // Those above P/2 are less by P.
    let half = V::splat(u64::from(PRIMES[count - 1].p / 2));
    let negative = half.sub(digits[count - 1]).sign();
    let mut borrow = V::splat(0);
    for (k, to) in words.iter_mut().enumerate() {
        let part = negative.and(V::splat(u64::from(PRODUCT_WORDS[count][k])));
        let difference = to.sub(part).add(borrow);
        *to = difference.and(word);
        borrow = difference.sign();
    }
    let [w0, w1, w2, w3, w4] = words;
    [
        w0.or(w1.shl::<31>()),
        w2.or(w3.shl::<31>()),
        w4.or(borrow.shl::<31>()),
    ]
}

/// F <- F - t 2^shift, modulo 2^(62 active), for t with these digits in mixed radix. Gives what of F is beyond 62 bits, if
/// one limb is all that there is of it: zero if nothing is. (Longer numbers have room to see that later.)
pub(crate) fn subtract_digits<I: Isa>(
    planes: &mut [i64],
    n: usize,
    active: usize,
    lines: &[u32],
    count: usize,
    shift: u32,
) -> u64 {
    I::enter(SubtractDigits {
        planes: view_mut(planes),
        n,
        active,
        lines,
        count,
        shift,
    })
}

struct SubtractDigits<'a> {
    planes: &'a mut [u64],
    n: usize,
    active: usize,
    lines: &'a [u32],
    count: usize,
    shift: u32,
}

impl Operation for SubtractDigits<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self) -> u64 {
        on_vectors!(I, self.n, subtract_lines(self))
    }
}

#[inline(always)]
fn subtract_lines<V: U64>(task: SubtractDigits<'_>) -> u64 {
    let SubtractDigits {
        planes,
        n,
        active,
        lines,
        count,
        shift,
    } = task;
    let mask = V::splat(MASK as u64);
    let mut beyond = V::splat(0);
    for j in (0..n).step_by(V::LANES) {
        let [low, middle, high] = limbs_of_digits::<V>(lines, n, count, j);
        if active > 1 {
            let mut numbers = Numbers::new(&mut planes[j..], n, active, shift);
            numbers.subtract([low]);
            numbers.subtract([middle]);
            numbers.subtract_last([high]);
        } else {
            // With room for the difference, of which one limb stays.
            let x = V::load(&planes[j..]);
            let mut wide = [0; 8 * 4];
            for (i, plane) in wide.chunks_exact_mut(8).enumerate() {
                if i == 0 {
                    x.and(mask)
                } else {
                    x.sign().and(mask)
                }
                .store(plane);
            }
            let mut numbers = Numbers::new(&mut wide, 8, 4, shift);
            numbers.subtract([low]);
            numbers.subtract([middle]);
            numbers.subtract_last([high]);
            let x = signed(V::load(&wide));
            for plane in wide[8..].chunks_exact(8) {
                beyond = beyond.or(V::load(plane).xor(x.sign()).and(mask));
            }
            x.store(&mut planes[j..]);
        }
    }
    let mut lanes = [0; 8];
    beyond.store(&mut lanes);
    lanes.iter().fold(0, |any, lane| any | lane)
}

/// Writes the integers with these digits in mixed radix into planes.
pub(crate) fn put_digits<I: Isa>(planes: &mut [i64], n: usize, lines: &[u32], count: usize) {
    I::enter(PutDigits {
        planes: view_mut(planes),
        n,
        lines,
        count,
    });
}

struct PutDigits<'a> {
    planes: &'a mut [u64],
    n: usize,
    lines: &'a [u32],
    count: usize,
}

impl Operation for PutDigits<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        on_vectors!(I, self.n, put_lines(self));
    }
}

#[inline(always)]
fn put_lines<V: U64>(task: PutDigits<'_>) {
    let PutDigits {
        planes,
        n,
        lines,
        count,
    } = task;
    let mask = V::splat(MASK as u64);
    let last = planes.len() / n - 1;
    for j in (0..n).step_by(V::LANES) {
        let limbs = limbs_of_digits::<V>(lines, n, count, j);
        for (i, plane) in planes.chunks_exact_mut(n).enumerate() {
            let limb = if i < 3 { limbs[i] } else { limbs[2].sign() };
            if i == last {
                signed(limb)
            } else {
                limb.and(mask)
            }
            .store(&mut plane[j..]);
        }
    }
}

/// The same into numbers of `stride` limbs, one behind the other.
pub(crate) fn put_numbers<I: Isa>(numbers: &mut [i64], stride: usize, lines: &[u32], count: usize) {
    I::enter(PutNumbers {
        numbers,
        stride,
        lines,
        count,
    });
}

struct PutNumbers<'a> {
    numbers: &'a mut [i64],
    stride: usize,
    lines: &'a [u32],
    count: usize,
}

impl Operation for PutNumbers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        on_vectors!(I, self.numbers.len() / self.stride, put_one_by_one(self));
    }
}

#[inline(always)]
fn put_one_by_one<V: U64>(task: PutNumbers<'_>) {
    let PutNumbers {
        numbers,
        stride,
        lines,
        count,
    } = task;
    let n = numbers.len() / stride;
    let mask = V::splat(MASK as u64);
    let chunks = numbers.chunks_exact_mut(V::LANES * stride);
    for (j, numbers) in chunks.enumerate() {
        let limbs = limbs_of_digits::<V>(lines, n, count, j * V::LANES);
        for i in 0..stride {
            let limb = if i < 3 { limbs[i] } else { limbs[2].sign() };
            let mut words = [0; 8];
            if i == stride - 1 {
                signed(limb)
            } else {
                limb.and(mask)
            }
            .store(&mut words);
            for (x, word) in numbers.chunks_exact_mut(stride).zip(words) {
                x[i] = word as i64;
            }
        }
    }
}
