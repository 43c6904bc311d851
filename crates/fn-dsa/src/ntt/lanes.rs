//! Residues modulo q side by side, in vectors of signed 16-bit integers.
//!
//! The values are residues *with slack*: any integer of 16 bits that is congruent. The multiplication is Montgomery's
//! with R = 2^16 in its signed form (Seiler, eprint 2018/039): it takes any 16-bit value and leaves
//! |result| <= |a| * |b| / 2^16 + q/2.

use lanner_simd::I16;

use super::tables::{
    INVERSE_TAIL_512, INVERSE_TAIL_1024, Q_INVERSE, TAIL_512, TAIL_1024, Zeta, zeta,
};
use crate::params::{N_MAX, Q};

/// A factor and its product with 1/q modulo 2^16, in each lane.
#[derive(Clone, Copy)]
pub(super) struct LaneZeta<V> {
    pub(super) value: V,
    pub(super) times_q_inverse: V,
}

impl<V: I16> LaneZeta<V> {
    /// One factor in all lanes.
    #[inline(always)]
    pub(super) fn splat(zeta: Zeta) -> Self {
        Self {
            value: V::splat(zeta.value),
            times_q_inverse: V::splat(zeta.times_q_inverse),
        }
    }
}

/// The factors for the layers within a vector, at an index that counts as [`super::tables::Tail`] does, for degree 2^`logn`, 9 or 10.
/// Vectors of sixteen have tables. For those of eight the factors are gathered from the one table: tables in the order
/// of the lanes would be larger than all of the code where these vectors are used.
#[inline(always)]
pub(super) fn tail_zeta<V: I16>(logn: u32, inverse: bool, index: usize) -> LaneZeta<V> {
    if V::LANES == 16 {
        let (value, times_q_inverse) = match (logn, inverse) {
            (9, false) => (&TAIL_512.value[index], &TAIL_512.times_q_inverse[index]),
            (9, true) => (
                &INVERSE_TAIL_512.value[index],
                &INVERSE_TAIL_512.times_q_inverse[index],
            ),
            (_, false) => (&TAIL_1024.value[index], &TAIL_1024.times_q_inverse[index]),
            (_, true) => (
                &INVERSE_TAIL_1024.value[index],
                &INVERSE_TAIL_1024.times_q_inverse[index],
            ),
        };
        return LaneZeta {
            value: V::load(value),
            times_q_inverse: V::load(times_q_inverse),
        };
    }
    let groups = (1 << logn) / (V::LANES * V::LANES);
    // Vectors for k = 1, 2, 4 parts, in each for all groups.
    let k = match index / groups {
        0 => 1,
        1 | 2 => 2,
        _ => 4,
    };
    let place = index - groups * (k - 1);
    let (g, s) = (place / k, place % k);
    let m = k * groups * V::LANES;
    let mut value = [0; 8];
    for (j, lane) in value.iter_mut().enumerate() {
        let block = (g * V::LANES + j) * k + s;
        let from = if inverse {
            2 * m - 1 - block
        } else {
            m + block
        };
        // Below N_MAX already.
        *lane = zeta(from % N_MAX).value;
    }
    let value = V::load(&value);
    LaneZeta {
        value,
        times_q_inverse: value.mul_low(V::splat(Q_INVERSE)),
    }
}

/// Arithmetic modulo q in every lane.
pub(super) trait Residues: I16 {
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
            .shr::<10>();
        self.wrapping_sub(quotient.mul_low(constants.q))
    }

    /// The representative in [0, q) of one in (-q, q).
    #[inline(always)]
    fn canonical(self, constants: Constants<Self>) -> Self {
        // The sign, as a factor 0 or -1.
        self.sub(self.shr::<15>().mul_low(constants.q))
    }
}

impl<V: I16> Residues for V {}

/// Constants in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Constants<V> {
    pub(super) q: V,
    q_inverse: V,
    barrett: V,
    half: V,
}

impl<V: I16> Constants<V> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            q: V::splat(Q as i16),
            q_inverse: V::splat(Q_INVERSE),
            barrett: V::splat(5461),
            half: V::splat(512),
        }
    }
}

#[cfg(test)]
mod tests {
    use lanner_simd::{Isa, Operation, everywhere};

    use super::*;

    /// What a function of one vector makes of integers, in the first lane; all lanes do the same.
    fn first<V: I16>(x: V) -> i32 {
        let mut lanes = [0; 16];
        x.store(&mut lanes);
        assert!(lanes[..V::LANES].iter().all(|&lane| lane == lanes[0]));
        lanes[0].into()
    }

    #[derive(Clone)]
    struct Centring;

    impl Operation for Centring {
        type Output = ();

        #[inline(always)]
        fn run<I: Isa>(self) {
            let constants = Constants::<I::I16>::new();
            for value in i16::MIN..=i16::MAX {
                let vector = I::I16::splat(value).center(constants);
                let centred = first(vector);
                assert_eq!((centred - i32::from(value)) % Q as i32, 0);
                let exact = value.unsigned_abs() <= 24576;
                assert!(centred.abs() <= if exact { 6144 } else { 6145 });
                let canonical = first(vector.canonical(constants));
                assert_eq!(canonical, i32::from(value).rem_euclid(Q as i32));
            }
        }
    }

    #[test]
    fn centring_is_exact_where_it_says_so() {
        everywhere(Centring);
    }

    #[derive(Clone)]
    struct Montgomery;

    impl Operation for Montgomery {
        type Output = ();

        #[inline(always)]
        fn run<I: Isa>(self) {
            let constants = Constants::<I::I16>::new();
            for a in (i16::MIN..=i16::MAX)
                .step_by(97)
                .chain([i16::MIN, i16::MAX])
            {
                for b in (-12288..=12288).step_by(61).chain([-6144, 6144, 12288]) {
                    let product = I::I16::splat(a).montgomery(I::I16::splat(b), constants);
                    let product = first(product);
                    let exact = i32::from(a) * i32::from(b);
                    assert_eq!(((product << 16) - exact) % Q as i32, 0);
                    assert!(product.abs() <= (exact.abs() >> 16) + 6146);
                }
            }
        }
    }

    /// Every factor of the tables with all integers, where the samples above have all factors.
    #[derive(Clone)]
    struct Factors;

    impl Operation for Factors {
        type Output = ();

        #[inline(always)]
        fn run<I: Isa>(self) {
            let lanes = <I::I16 as I16>::LANES;
            let q = I::I16::splat(Q as i16);
            for factor in 1..N_MAX {
                let factor = zeta(factor);
                let in_lanes = LaneZeta::<I::I16>::splat(factor);
                let bound = (i32::from(factor.value).abs() >> 1) + 6145;
                for first in (i16::MIN..=i16::MAX).step_by(lanes) {
                    let (mut integers, mut products) = ([0; 16], [0; 16]);
                    for (x, i) in integers[..lanes].iter_mut().zip(0..) {
                        *x = first + i;
                    }
                    let vector = I::I16::load(&integers);
                    vector.montgomery_by(in_lanes, q).store(&mut products);
                    for (&x, &product) in integers[..lanes].iter().zip(&products) {
                        let exact = i32::from(x) * i32::from(factor.value);
                        let multiple = exact - (i32::from(product) << 16);
                        assert_eq!(multiple % Q as i32, 0, "{x} times {}", factor.value);
                        assert!(i32::from(product).abs() <= bound);
                    }
                }
            }
        }
    }

    #[test]
    fn products_by_each_factor_of_the_tables() {
        everywhere(Factors);
    }

    #[test]
    fn montgomery_keeps_its_bound() {
        everywhere(Montgomery);
    }
}
