//! Multiples of points, for speed: of the base point from tables that are made when they are first
//! needed, and sums of multiples with scalars of half the size.

use core::hint::black_box;
use core::sync::atomic::{Ordering::SeqCst, compiler_fence};

use crate::half_size::vartime_half_size;
use crate::point::{double, negated, opposite, sum, summand, vartime_decode};
use lanner_wasm_curve::each;
use lanner_wasm_curve::edwards::{BASE, IDENTITY, Point, Summand};
use lanner_wasm_curve::field::ZERO;
use lanner_wasm_curve::scalar::multiply_add;
use lanner_wasm_curve::vector::Four;

/// Odd multiples 1, 3, 5, …
pub(crate) type Odd<const N: usize> = [Summand; N];

/// How many of the base point, and of a point that is multiplied once by a scalar of half the size.
const OFTEN: usize = 64;
pub(crate) const ONCE: usize = 4;

/// The digits of a secret scalar: bits of each, how many there are, and how large they are at most.
const WIDTH: usize = 5;
const WINDOWS: usize = 52;
const LARGEST: usize = 16;

/// The multiples 1, 2, 3, … of a point.
type Window = [Summand; LARGEST];

/// Multiples of the base point B. All zeros where nothing has been made yet.
pub(crate) struct Base {
    /// Window i holds those of 32^i B.
    windows: [Window; WINDOWS],
    has_windows: bool,
    /// Of B, and of 2^128 B.
    odd: [Odd<OFTEN>; 2],
    has_odd: bool,
}

impl Base {
    pub(crate) const NONE: Self = Self {
        windows: [[ZERO; LARGEST]; WINDOWS],
        has_windows: false,
        odd: [[ZERO; OFTEN]; 2],
        has_odd: false,
    };

    fn windows(&mut self) -> &[Window; WINDOWS] {
        if !self.has_windows {
            let mut point = base_point();
            for window in &mut self.windows {
                let first = summand(&point);
                for (i, multiple) in window.iter_mut().enumerate() {
                    if i > 0 {
                        point = sum(&point, &first);
                    }
                    *multiple = summand(&point);
                }
                point = double(&point);
            }
            // Not before: the engine may break a call off at any time, and what comes after it relies on the whole table.
            compiler_fence(SeqCst);
            self.has_windows = true;
        }
        &self.windows
    }

    pub(crate) fn odd(&mut self) -> &[Odd<OFTEN>; 2] {
        if !self.has_odd {
            let mut point = base_point();
            for odd in &mut self.odd {
                fill_odd(odd, &point);
                for _ in 0..128 {
                    point = double(&point);
                }
            }
            compiler_fence(SeqCst);
            self.has_odd = true;
        }
        &self.odd
    }
}

fn base_point() -> Point {
    vartime_decode([&BASE; 2]).map_or(IDENTITY, |[point, _]| point)
}

pub(crate) fn fill_odd<const N: usize>(odd: &mut Odd<N>, point: &Point) {
    let twice = summand(&double(point));
    let mut multiple = *point;
    for (i, entry) in odd.iter_mut().enumerate() {
        if i > 0 {
            multiple = sum(&multiple, &twice);
        }
        *entry = summand(&multiple);
    }
}

/// \[n]B for n below 2^255, in constant time.
pub(crate) fn multiply_base(n: &[u8; 32], base: &mut Base) -> Point {
    // n = sum of digits 32^i, from -16 to 16: one of 16 or more borrows from the next, and the last, which has none, is 0 or
    // 1, and does not.
    let mut sum_of_multiples = IDENTITY;
    let mut carry = 0;
    for (i, window) in base.windows().iter().enumerate() {
        let octet = |at: usize| n.get(at).map_or(0, |&octet| i32::from(octet));
        let at = WIDTH * i / 8;
        let bits = (octet(at) | octet(at + 1) << 8) >> (WIDTH * i % 8);
        let digit = (bits & 31) + carry;
        carry = if i + 1 < WINDOWS {
            (digit + 16) >> 5
        } else {
            0
        };
        sum_of_multiples = sum(&sum_of_multiples, &select(window, digit - 32 * carry));
    }
    sum_of_multiples
}

/// The multiple of a digit from -16 to 16, in constant time.
#[inline(never)]
fn select(window: &Window, digit: i32) -> Summand {
    /// Limb 0 of the identity as a summand: Y - X, Y + X, 2Z, 2dT.
    const NONE: Four = Four::new([1, 1, 2, 0]);
    let digit = black_box(digit);
    let sign = digit >> 31;
    let magnitude = (digit ^ sign) - sign;
    let is = |n: i32| Four::splat(black_box(((magnitude ^ n) - 1) >> 31));
    let mut chosen = ZERO;
    chosen[0] = NONE.and(is(0));
    for (n, multiple) in (1..).zip(window) {
        let mask = is(n);
        chosen = each!(10, I => chosen[I].or(multiple[I].and(mask)));
    }
    let negative = opposite(&chosen);
    let (same, other) = (Four::splat(!sign), Four::splat(sign));
    each!(10, I => chosen[I].and(same).or(negative[I].and(other)))
}

/// The most digits of a form.
pub(crate) const DIGITS: usize = 257;

/// The non-adjacent form of an integer.
pub(crate) struct Form {
    /// The integer is the sum of digits 2^i, each 0, or odd and below the double of the number of odd multiples that
    /// serve them.
    pub(crate) digits: [i8; DIGITS],
    /// How many there are.
    pub(crate) length: usize,
}

impl Form {
    pub(crate) const EMPTY: Self = Self {
        digits: [0; DIGITS],
        length: 0,
    };

    /// Of an integer of at most 32 octets, little-endian; `multiples` are a power of 2, at most 64. All digits have been
    /// zeros. Not in constant time.
    #[inline(never)]
    pub(crate) fn vartime_set(&mut self, integer: &[u8], multiples: usize) {
        let mask = 4 * multiples as u32 - 1;
        let octet = |i: usize| integer.get(i).map_or(0, |&octet| u32::from(octet));
        let (mut at, mut carry) = (0, 0);
        while at < DIGITS {
            let bits = (octet(at / 8) | octet(at / 8 + 1) << 8) >> (at % 8);
            let window = (bits & mask) + carry;
            if window.is_multiple_of(2) {
                // To the next digit; what is carried stays.
                at += (window | (mask + 1)).trailing_zeros() as usize;
                continue;
            }
            carry = u32::from(2 * window > mask);
            self.digits[at] = (window as i32 - (carry * (mask + 1)) as i32) as i8;
            self.length = at + 1;
            at += mask.count_ones() as usize;
        }
    }
}

/// A sum of multiples: integers, and odd multiples of their points.
type Terms<'a> = [(&'a [u8], &'a [Summand]); 4];

/// The forms of the integers of a sum, and the length of the longest one. A function of its own: within its caller the
/// compiler's order of the forms' addresses was not the same in every build. Not in constant time.
#[inline(never)]
fn vartime_set_all(forms: &mut [Form; 4], terms: &Terms) -> usize {
    let mut length = 0;
    for (form, (integer, table)) in forms.iter_mut().zip(terms) {
        form.vartime_set(integer, table.len());
        length = length.max(form.length);
    }
    length
}

/// sum + \[digit]P, given odd multiples of P; not in constant time.
#[inline(never)]
pub(crate) fn vartime_add(sum_so_far: &Point, digit: i8, odd: &[Summand]) -> Point {
    let Some(multiple) = odd.get(usize::from(digit.unsigned_abs() / 2)) else {
        return *sum_so_far;
    };
    if digit < 0 {
        sum(sum_so_far, &opposite(multiple))
    } else {
        sum(sum_so_far, multiple)
    }
}

/// \[s]B - \[k]A - R times a number prime to 8L, so that it is 0, or of small order, exactly if
/// that is; k is below L. Not in constant time.
///
/// With u = v k modulo 8L, where both have half the size, it is \[v s mod L]B - \[u]A - \[v]R, and the
/// multiple of B is cut in two.
pub(crate) fn vartime_defect(
    s: &[u8; 32],
    base: &mut Base,
    k: &[u8; 32],
    [a, r]: &[Point; 2],
) -> Point {
    let half = vartime_half_size(k);
    let multiple_of_s = multiply_add(&half.v, s, &[0; 32]);
    let (low, high) = multiple_of_s.split_at(16);
    let mut odd = [[ZERO; ONCE]; 2];
    fill_odd(&mut odd[0], &if half.negative { *a } else { negated(a) });
    fill_odd(&mut odd[1], &negated(r));
    let [of_base, of_higher] = base.odd();
    let terms: Terms = [
        (&half.u, &odd[0]),
        (&half.v, &odd[1]),
        (low, of_base),
        (high, of_higher),
    ];
    let mut forms = [Form::EMPTY; 4];
    let length = vartime_set_all(&mut forms, &terms);
    let mut sum = IDENTITY;
    for i in (0..length.min(DIGITS)).rev() {
        sum = double(&sum);
        for (form, (_, table)) in forms.iter().zip(terms) {
            if form.digits[i] != 0 {
                sum = vartime_add(&sum, form.digits[i], table);
            }
        }
    }
    sum
}
