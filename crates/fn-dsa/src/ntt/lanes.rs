//! Lanes: several residues modulo q side by side, as signed 16-bit integers.
//!
//! The transforms are written once over this trait; a lane type is one instruction set. The values are
//! residues *with slack*: any integer of 16 bits that is congruent. The multiplication is Montgomery's
//! with R = 2^16 in its signed form (Seiler, eprint 2018/039): it takes any 16-bit value and leaves
//! |result| <= |a| * |b| / 2^16 + q/2.

use super::tables::Zeta;
use crate::params::Q;

/// Vectors of residues.
pub(super) trait Lanes: Copy {
    /// How many.
    const COUNT: usize;
    /// What proves that the instructions exist.
    type Token: Copy;
    /// Room for one polynomial of the largest degree.
    type Poly: AsMut<[Self]>;

    fn poly(token: Self::Token) -> Self::Poly;
    /// The first `COUNT` elements.
    fn load(token: Self::Token, from: &[i16]) -> Self;
    fn store(self, to: &mut [i16]);
    fn splat(token: Self::Token, value: i16) -> Self;

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    /// As `sub`, where a wrapped operand cancels the overflow.
    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        self.sub(other)
    }
    /// The low halves of the products.
    fn mul_low(self, other: Self) -> Self;
    /// The high halves of the products, rounded down.
    fn mul_high(self, other: Self) -> Self;
    /// The high half of self * zeta - m * q, where the low halves of the products are equal.
    #[inline(always)]
    fn high_difference(self, zeta: Self, m: Self, q: Self) -> Self {
        self.mul_high(zeta).sub(m.mul_high(q))
    }
    /// Divided by 2^`BITS`, rounded down.
    fn shift_right<const BITS: i32>(self) -> Self;

    /// Makes vector i of `COUNT` vectors hold lane i of each.
    fn transpose(square: &mut [Self]);
    /// The transform and its inverse: those of the parent module, as functions of their own where size counts.
    #[inline(always)]
    fn forward(token: Self::Token, logn: u32, poly: &mut [Self], constants: Constants<Self>) {
        super::forward(token, logn, poly, constants);
    }
    #[inline(always)]
    fn inverse(
        token: Self::Token,
        logn: u32,
        scale: Zeta,
        poly: &mut [Self],
        constants: Constants<Self>,
    ) {
        super::inverse(token, logn, scale, poly, constants);
    }
    /// Twiddle factors for the layers within a vector, degree 2^`logn`: see `tables::Tail`.
    fn tail_zeta(token: Self::Token, logn: u32, inverse: bool, index: usize) -> LaneZeta<Self>;
}

/// A factor and its product with 1/q modulo 2^16, in each lane.
#[derive(Clone, Copy)]
pub(super) struct LaneZeta<L> {
    pub(super) value: L,
    pub(super) times_q_inverse: L,
}

impl<L: Lanes> LaneZeta<L> {
    /// One factor in all lanes.
    #[inline(always)]
    pub(super) fn splat(token: L::Token, zeta: Zeta) -> Self {
        Self {
            value: L::splat(token, zeta.value),
            times_q_inverse: L::splat(token, zeta.times_q_inverse),
        }
    }
}

/// Operations over the trait. A separate trait, so that a lane type cannot define them anew.
pub(super) trait LaneArithmetic: Lanes {
    /// self * zeta / R modulo q.
    #[inline(always)]
    fn montgomery_by(self, zeta: LaneZeta<Self>, q: Self) -> Self {
        // The low halves of self * zeta and of m * q are equal, so that the difference of the
        // high halves is exact.
        let m = self.mul_low(zeta.times_q_inverse);
        self.high_difference(zeta.value, m, q)
    }

    /// self * other / R modulo q.
    #[inline(always)]
    fn montgomery(self, other: Self, constants: Constants<Self>) -> Self {
        let zeta = LaneZeta {
            value: other,
            times_q_inverse: other.mul_low(constants.q_inverse),
        };
        self.montgomery_by(zeta, constants.q)
    }

    /// The representative in [-6144, 6144], for |self| <= 24576, or one within 6145 otherwise.
    #[inline(always)]
    fn center(self, constants: Constants<Self>) -> Self {
        // round(self * 5461 / 2^26), and 5461 = round(2^26 / q). The product errs by 1.6e-9 times
        // self, and half-way points between multiples of q are 1/(2q) = 4.07e-5 away: for |self|
        // up to 25000 the rounding is exact.
        let quotient = self
            .mul_high(constants.barrett)
            .add(constants.half)
            .shift_right::<10>();
        self.wrapping_sub(quotient.mul_low(constants.q))
    }

    /// The representative in [0, q) of one in (-q, q).
    #[inline(always)]
    fn canonical(self, constants: Constants<Self>) -> Self {
        // The sign, as a factor 0 or -1.
        self.sub(self.shift_right::<15>().mul_low(constants.q))
    }
}

impl<L: Lanes> LaneArithmetic for L {}

/// Constants in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Constants<L> {
    pub(super) q: L,
    q_inverse: L,
    barrett: L,
    half: L,
}

impl<L: Lanes> Constants<L> {
    #[inline(always)]
    pub(super) fn new(token: L::Token) -> Self {
        Self {
            q: L::splat(token, Q as i16),
            q_inverse: L::splat(token, super::tables::Q_INVERSE),
            barrett: L::splat(token, 5461),
            half: L::splat(token, 512),
        }
    }
}

/// One residue: the portable lanes. Sums are checked in debug builds, which proves the bounds.
#[derive(Clone, Copy)]
pub(super) struct Single(i16);

impl Lanes for Single {
    const COUNT: usize = 1;
    type Token = ();
    type Poly = [Single; crate::params::N_MAX];

    #[inline(always)]
    fn poly(_: ()) -> Self::Poly {
        [Single(0); crate::params::N_MAX]
    }

    #[inline(always)]
    fn load(_: (), from: &[i16]) -> Self {
        Self(from[0])
    }

    #[inline(always)]
    fn store(self, to: &mut [i16]) {
        to[0] = self.0;
    }

    #[inline(always)]
    fn splat(_: (), value: i16) -> Self {
        Self(value)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }

    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        Self(((i32::from(self.0) * i32::from(other.0)) >> 16) as i16)
    }

    #[inline(always)]
    fn shift_right<const BITS: i32>(self) -> Self {
        Self(self.0 >> BITS)
    }

    #[inline(always)]
    fn transpose(_: &mut [Self]) {}

    #[inline(always)]
    fn tail_zeta(_: (), _: u32, _: bool, _: usize) -> LaneZeta<Self> {
        // A vector of one residue has no layers within.
        LaneZeta {
            value: Self(0),
            times_q_inverse: Self(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centring_is_exact_where_it_says_so() {
        let constants = Constants::new(());
        for value in i16::MIN..=i16::MAX {
            let centred = i32::from(Single(value).center(constants).0);
            assert_eq!((centred - i32::from(value)) % Q as i32, 0);
            assert!(
                centred.abs()
                    <= if value.unsigned_abs() <= 24576 {
                        6144
                    } else {
                        6145
                    }
            );
            let canonical = Single(centred as i16).canonical(constants).0;
            assert_eq!(i32::from(canonical), i32::from(value).rem_euclid(Q as i32));
        }
    }

    #[test]
    fn montgomery_keeps_its_bound() {
        let constants = Constants::new(());
        for a in (i16::MIN..=i16::MAX)
            .step_by(97)
            .chain([i16::MIN, i16::MAX])
        {
            for b in (-12288..=12288).step_by(61).chain([-6144, 6144, 12288]) {
                let product = i32::from(Single(a).montgomery(Single(b), constants).0);
                let exact = i32::from(a) * i32::from(b);
                assert_eq!(((product << 16) - exact) % Q as i32, 0);
                assert!(product.abs() <= (exact.abs() >> 16) + 6146);
            }
        }
    }
}
