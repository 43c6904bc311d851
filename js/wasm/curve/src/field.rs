//! Integers modulo p = 2^255 - 19, four side by side.
//!
//! An element has ten signed limbs of 26 and 25 bits in turn; limb i of all four is one vector. The
//! even limbs come first, then the odd ones: a number is E + 2^26 O, where both are polynomials
//! in x = 2^51 with x^5 = 19, and a product of such numbers takes three products of polynomials
//! (Karatsuba and Ofman 1962).
//!
//! # Bounds
//!
//! In units of 2^26 for even limbs and of 2^25 for odd ones, in absolute value:
//!
//! * a product: below 1 + 1/128, and not negative;
//! * a first factor: up to 4.1, which sums and differences of four products are;
//! * a second factor and a number to be squared: what [`carried`] leaves, 1 + 2^-16 for those that are
//!   first factors.

use crate::each;
use crate::vector::{Four, Two};

/// An element in each of four lanes.
pub type Quad = [Four; 10];

/// Coefficients of polynomials in x = 2^51.
pub type Ring = [Four; 5];

pub const ZERO: Quad = [Four::new([0; 4]); 10];

pub const EVEN: i64 = (1 << 26) - 1;
pub const ODD: i64 = (1 << 25) - 1;

/// How a module computes with elements, at least those in lanes 0 and 1: what it leaves in the
/// others is its own.
pub trait Field {
    /// The canonical encoding of a lane.
    fn to_bytes(a: &Quad, lane: usize) -> [u8; 32];
    /// x^(2^count) y to x; `count` is not 0.
    fn square_mul(&mut self, x: &mut Quad, count: usize, y: &Quad);
}

/// A small number in each lane.
#[inline(always)]
#[must_use]
pub const fn small(numbers: [i32; 4]) -> Quad {
    let mut quad = ZERO;
    quad[0] = Four::new(numbers);
    quad
}

/// The bytes of a hexadecimal number of 64 digits.
#[must_use]
pub const fn constant(hex: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 64 {
        let digit = match hex.as_bytes()[i] {
            c @ b'0'..=b'9' => c - b'0',
            c => c - b'a' + 10,
        };
        bytes[31 - i / 2] |= digit << (4 * (1 - i % 2));
        i += 1;
    }
    bytes
}

/// z^(2^252 - 3) = z^((p - 5) / 8).
#[inline(always)]
pub fn power<F: Field>(field: &mut F, x: &mut Quad) {
    // z^(2^n - 1), with n going through the leading binary digits of 250.
    let z = *x;
    let mut n = 1;
    for place in (0..7).rev() {
        let y = *x;
        field.square_mul(x, n, &y);
        n = 250 >> place;
        if n % 2 == 1 {
            field.square_mul(x, 1, &z);
        }
    }
    field.square_mul(x, 2, &z);
}

#[inline(always)]
#[must_use]
pub fn times_19(a: Two) -> Two {
    a.add(a.shl::<1>()).add(a.shl::<4>())
}

/// An even limb and the odd one above it, carried: what the odd one has above its unit is left for the
/// next to take. `over` is what comes from below, for the lowest 19 times what the highest leaves.
#[inline(always)]
#[must_use]
pub fn carried(even: Four, odd: Four, over: Four) -> [Four; 2] {
    [
        even.and(Four::splat(EVEN as i32)).add(over),
        odd.and(Four::splat(ODD as i32)).add(even.shr::<26>()),
    ]
}

/// Sums of products of words: of two lanes, or of all four.
pub trait Sum: Copy {
    fn products(a: Four, b: Four) -> Self;
    #[must_use]
    fn plus(self, rhs: Self) -> Self;
}

/// Lanes 0 and 1.
impl Sum for Two {
    #[inline(always)]
    fn products(a: Four, b: Four) -> Self {
        a.products(b)
    }

    #[inline(always)]
    fn plus(self, rhs: Self) -> Self {
        self.add(rhs)
    }
}

/// Lanes 0 and 1, and lanes 2 and 3.
impl Sum for [Two; 2] {
    #[inline(always)]
    fn products(a: Four, b: Four) -> Self {
        [a.products(b), a.last_products(b)]
    }

    #[inline(always)]
    fn plus(self, rhs: Self) -> Self {
        [self[0].add(rhs[0]), self[1].add(rhs[1])]
    }
}

macro_rules! sum {
    ($a:ident $b:ident $(, $as:ident $bs:ident)*) => {
        S::products($a, $b)$(.plus(S::products($as, $bs)))*
    };
}

/// The product of polynomials; r is 19 b.
#[inline(always)]
#[must_use]
pub fn ring_mul<S: Sum>(a: Ring, b: Ring, r: Ring) -> [S; 5] {
    let [a0, a1, a2, a3, a4] = a;
    let [b0, b1, b2, b3, b4] = b;
    let [_, r1, r2, r3, r4] = r;
    [
        sum!(a0 b0, a1 r4, a2 r3, a3 r2, a4 r1),
        sum!(a0 b1, a1 b0, a2 r4, a3 r3, a4 r2),
        sum!(a0 b2, a1 b1, a2 b0, a3 r4, a4 r3),
        sum!(a0 b3, a1 b2, a2 b1, a3 b0, a4 r4),
        sum!(a0 b4, a1 b3, a2 b2, a3 b1, a4 b0),
    ]
}

/// The square of a polynomial; r is 19 b.
#[inline(always)]
#[must_use]
pub fn ring_square<S: Sum>(b: Ring, r: Ring) -> [S; 5] {
    let [b0, b1, b2, b3, b4] = b;
    let [_, _, _, r3, r4] = r;
    let (d0, d1, d2, d3) = (b0.add(b0), b1.add(b1), b2.add(b2), b3.add(b3));
    [
        sum!(b0 b0, d1 r4, d2 r3),
        sum!(d0 b1, d2 r4, b3 r3),
        sum!(d0 b2, b1 b1, d3 r4),
        sum!(d0 b3, d1 b2, b4 r4),
        sum!(d0 b4, d1 b3, b2 b2),
    ]
}

/// What is added to the columns of a product so that they are not negative (there is no shift that keeps
/// the sign of 64 bits): `MULTIPLE` times p, which is 2^62 less `MULTIPLE` in even limbs and 2^61 less it
/// in odd ones, and another 18 times less in the lowest.
const MULTIPLE: i64 = 1 << 36;

/// The limbs of a product from the products of its parts, carried: `even(i)` and `odd(i)` are coefficients
/// of the products of the even limbs and of the odd ones, `both(i)` of that of their sums.
///
/// For factors of 4.1 and 1 + 2^-16 units, a column is below 2^61.5 in absolute value.
#[inline(always)]
#[must_use]
pub fn combined(
    even: impl Fn(usize) -> Two,
    odd: impl Fn(usize) -> Two,
    both: impl Fn(usize) -> Two,
) -> [Two; 10] {
    carried_wide(each!(10, I => if I < 5 {
        let odd = odd((I + 4) % 5);
        let twice = odd.add(odd);
        even(I % 5)
            .add(if I == 0 { times_19(twice) } else { twice })
            .add(Two::splat((1 << 62) - if I == 0 { 19 * MULTIPLE } else { MULTIPLE }))
    } else {
        both(I % 5)
            .sub(even(I % 5))
            .sub(odd(I % 5))
            .add(Two::splat((1 << 61) - MULTIPLE))
    }))
}

/// Two chains of carries, from limb 0 to 5 and from 5 to 0 and 1, so that neither waits for the other.
/// What goes over is below 2^38, and so the lowest limb below 2^43 when it is carried again.
#[inline(always)]
fn carried_wide(mut t: [Two; 10]) -> [Two; 10] {
    macro_rules! carry {
        ($($i:literal),*) => {$(
            let (from, to) = ($i % 2 * 5 + $i / 2, ($i + 1) % 2 * 5 + ($i + 1) % 10 / 2);
            let over = if $i % 2 == 0 { t[from].shr::<26>() } else { t[from].shr::<25>() };
            t[from] = t[from].and(Two::splat(if $i % 2 == 0 { EVEN } else { ODD }));
            t[to] = t[to].add(if $i == 9 { times_19(over) } else { over });
        )*};
    }
    carry!(0, 5, 1, 6, 2, 7, 3, 8, 4, 9, 5, 0);
    t
}

/// The five limbs of 51 bits of a lane's canonical form, in an array that may be longer.
#[inline(always)]
#[must_use]
pub fn canonical<const N: usize>(quad: &Quad, lane: usize) -> [i64; N] {
    let mut a = [0; N];
    for i in 0..5 {
        let word = |j: usize| i64::from(quad[j].words()[lane % 4]);
        a[i] = word(i) + (word(5 + i) << 26);
    }
    // Below 2^255 + 2^16 in absolute value, and then from 0 to 2^255 - 1.
    carry_51(&mut a);
    carry_51(&mut a);
    a[0] += 19;
    carry_51(&mut a);
    // Bits from 255 on came down as 19 each: what was at least p is now itself minus p plus 19.
    a[0] -= 19;
    carry_51(&mut a);
    a
}

/// One pass of carries from below; what is above 2^255 comes down, times 19.
#[inline(never)]
fn carry_51<const N: usize>(a: &mut [i64; N]) {
    let mut over = 0;
    for limb in &mut a[..5] {
        *limb += over;
        over = *limb >> 51;
        *limb &= (1 << 51) - 1;
    }
    a[0] += 19 * over;
}
