//! Five limbs of 51 bits in each lane, for a multiplication of 52 bits.
//!
//! Bounds:
//!
//! * carried, and so a factor: limbs below 2^51 + 2^19;
//! * wide, a product whose carries are not done: limbs below 2^59.1.
//!
//! The multiplication wants factors below 2^52, so a sum is always carried: loose
//! values are carried values here.

use super::super::{Arithmetic, Field, Operand, Packed, packed, radix51::Field51};
use super::{Constants, Lanes, MAX_LANES, Quads, bits_of, mask_of, store_transposed};
use lanner_simd::{MulAdd52, Plain};
use subtle::Choice;

type Limbs<V> = [V; 5];

/// An array of five, with an expression for each index. Not a closure, because closures
/// are not always inlined, and then are not compiled for the vector's instructions.
macro_rules! each {
    ($i:ident => $limb:expr) => {
        [
            {
                const $i: usize = 0;
                $limb
            },
            {
                const $i: usize = 1;
                $limb
            },
            {
                const $i: usize = 2;
                $limb
            },
            {
                const $i: usize = 3;
                $limb
            },
            {
                const $i: usize = 4;
                $limb
            },
        ]
    };
}
pub(super) use each;

/// Vectors for this radix, with constants: whatever is plain data has them.
pub(crate) trait Vector: MulAdd52 {
    const CONSTANTS: Constants<Self, 5>;
}

impl<V: MulAdd52 + Plain> Vector for V {
    const CONSTANTS: Constants<Self, 5> = CONSTANTS.in_lanes();
}

/// The limbs of the constants of [`Arithmetic`].
pub(super) const CONSTANTS: Constants<u64, 5> = Constants {
    zero: [0; 5],
    one: [1, 0, 0, 0, 0],
    two: [2, 0, 0, 0, 0],
    d: Field51::from_words(packed::D).to_limbs(),
    d2: Field51::from_words(packed::D2).to_limbs(),
    sqrt_m1: Field51::from_words(packed::SQRT_M1).to_limbs(),
};

const LOW_51: u64 = (1 << 51) - 1;
/// 2p, limb by limb.
const TWO_P: [u64; 5] = [
    2 * (LOW_51 - 18),
    2 * LOW_51,
    2 * LOW_51,
    2 * LOW_51,
    2 * LOW_51,
];

/// An element in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Lanes51<V>(Limbs<V>);

/// A product in each lane, or a sum of a few.
#[derive(Clone, Copy)]
pub(crate) struct Wide51<V>(Limbs<V>);

/// The bound of carried limbs. Not inlined: it is for debug builds only.
#[inline(never)]
fn is_carried<V: Vector>(limbs: &Limbs<V>) -> bool {
    let in_bounds = |word: &u64| *word < (1 << 51) + (1 << 19);
    limbs.iter().all(|limb| {
        let mut words = [0; MAX_LANES];
        limb.store(&mut words);
        words.iter().all(in_bounds)
    })
}

impl<V: Vector> Operand<Self> for Lanes51<V> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs<V> {
        debug_assert!(is_carried(&self.0));
        &self.0
    }
}

/// Moves what is above 51 bits to the next limb, from the top one times 19 to the
/// lowest, all at once. Limbs of any size end below 2^51 + 19 * 2^13, and limbs
/// below 2^53 below 2^51 + 19 * 4.
#[inline(always)]
fn carry<V: Vector>(limbs: &Limbs<V>) -> Limbs<V> {
    let high = each!(I => limbs[I].shr::<51>());
    let mask = V::splat(LOW_51);
    let low = each!(I => limbs[I].and(mask));
    [
        V::mul_add_low(low[0], high[4], V::splat(19)),
        low[1].add(high[0]),
        low[2].add(high[1]),
        low[3].add(high[2]),
        low[4].add(high[3]),
    ]
}

/// low\[k\] has weight 2^51k, high\[k\] has weight 2^(51k + 52), for k from 0 to 8: with
/// 2^255 = 19 folds them to five limbs.
///
/// A column has at most five terms of each kind, low ones below 2^52 and high ones below
/// 2^50.01: a limb is below (5 + 4 * 2^-1 + 19 * (4 + 5 * 2^-1)) * 2^52 < 2^59.1.
#[inline(always)]
fn fold<V: Vector>(low: &[V; 9], high: &[V; 9]) -> Limbs<V> {
    each!(K => {
        let over = high[K + 4].shl::<1>();
        let over = if K < 4 { over.add(low[(K + 5) % 9]) } else { over };
        let over = over.add(over.shl::<1>()).add(over.shl::<4>());
        let sum = low[K].add(over);
        if K == 0 { sum } else { sum.add(high[(K + 8) % 9].shl::<1>()) }
    })
}

#[inline(always)]
fn mul<V: Vector>(a: &Limbs<V>, b: &Limbs<V>) -> Limbs<V> {
    let mut low = [V::splat(0); 9];
    let mut high = low;
    for i in 0..5 {
        for j in 0..5 {
            low[i + j] = V::mul_add_low(low[i + j], a[i], b[j]);
            high[i + j] = V::mul_add_high(high[i + j], a[i], b[j]);
        }
    }
    fold(&low, &high)
}

#[inline(always)]
fn square<V: Vector>(a: &Limbs<V>) -> Limbs<V> {
    // The products of different limbs count twice.
    let mut low = [V::splat(0); 9];
    let mut high = low;
    for i in 0..5 {
        for j in i + 1..5 {
            low[i + j] = V::mul_add_low(low[i + j], a[i], a[j]);
            high[i + j] = V::mul_add_high(high[i + j], a[i], a[j]);
        }
    }
    for k in 1..8 {
        low[k] = low[k].shl::<1>();
        high[k] = high[k].shl::<1>();
    }
    for i in 0..5 {
        low[2 * i] = V::mul_add_low(low[2 * i], a[i], a[i]);
        high[2 * i] = V::mul_add_high(high[2 * i], a[i], a[i]);
    }
    fold(&low, &high)
}

/// 121666 a.
#[inline(always)]
fn mul_121666<V: Vector>(a: &Limbs<V>) -> Limbs<V> {
    let (zero, factor) = (V::splat(0), V::splat(121_666));
    let low = each!(I => V::mul_add_low(zero, a[I], factor));
    // Below 2^17.
    let high = each!(I => V::mul_add_high(zero, a[I], factor));
    each!(K => if K == 0 {
        V::mul_add_low(low[0], high[4], V::splat(2 * 19))
    } else {
        low[K].add(high[(K + 4) % 5].shl::<1>())
    })
}

impl<V: Vector> Arithmetic for Lanes51<V> {
    type Limbs = Limbs<V>;
    type Loose = Self;
    type Mask = V::Lanes;

    const ZERO: Self = Self(V::CONSTANTS.zero);
    const ONE: Self = Self(V::CONSTANTS.one);
    const TWO: Self = Self(V::CONSTANTS.two);
    const D: Self = Self(V::CONSTANTS.d);
    const D2: Self = Self(V::CONSTANTS.d2);
    const SQRT_M1: Self = Self(V::CONSTANTS.sqrt_m1);

    #[inline(always)]
    fn add(&self, rhs: &Self) -> Self {
        let (a, b) = (self.limbs(), rhs.limbs());
        Self(carry(&each!(I => a[I].add(b[I]))))
    }

    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Self {
        Self(carry(&difference(self.limbs(), rhs.limbs())))
    }

    #[inline(always)]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(*lhs.limbs()).add(&Self(*rhs.limbs()))
    }

    #[inline(always)]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(*lhs.limbs()).sub(&Self(*rhs.limbs()))
    }

    #[inline(always)]
    fn carry(value: &impl Operand<Self>) -> Self {
        Self(*value.limbs())
    }

    #[inline(always)]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(carry(&mul(lhs.limbs(), rhs.limbs())))
    }

    #[inline(always)]
    fn square(value: &impl Operand<Self>) -> Self {
        Self(carry(&square(value.limbs())))
    }

    #[inline(always)]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        Self(carry(&mul_121666(value.limbs())))
    }

    #[inline(always)]
    fn select(a: &Self, b: &Self, mask: V::Lanes) -> Self {
        Self(each!(I => V::select(a.0[I], b.0[I], mask)))
    }

    #[inline(always)]
    fn equal(&self, other: &Self) -> V::Lanes {
        V::lanes(bits_of(&self.sub(other).to_lanes(), Packed::is_zero))
    }

    #[inline(always)]
    fn is_negative(&self) -> V::Lanes {
        V::lanes(bits_of(&self.to_lanes(), Packed::is_negative))
    }
}

/// a - b + 2p.
#[inline(always)]
fn difference<V: Vector>(a: &Limbs<V>, b: &Limbs<V>) -> Limbs<V> {
    each!(I => a[I].add(V::splat(TWO_P[I])).sub(b[I]))
}

/// The limbs of 256-bit values, word by word: 51 bits each, and 52 in the top one.
#[inline(always)]
fn limbs_of_words<V: Vector>(&[a, b, c, d]: &[V; 4]) -> Limbs<V> {
    let mask = V::splat(LOW_51);
    [
        a.and(mask),
        a.shr::<51>().or(b.shl::<13>()).and(mask),
        b.shr::<38>().or(c.shl::<26>()).and(mask),
        c.shr::<25>().or(d.shl::<39>()).and(mask),
        d.shr::<12>(),
    ]
}

impl<V: Vector> Lanes for Lanes51<V> {
    const LANES: usize = V::LANES;

    #[inline(always)]
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> Self {
        // The top limb keeps bit 255: it is below 2^52, and may need the carry.
        Self(carry(&limbs_of_words(&V::load_transposed(values))))
    }

    #[inline(always)]
    fn choose<const N: usize>(entries: [&[u64; 4]; N], masks: &[u8; N], otherwise: u64) -> Self {
        let mut words = [V::splat(0); 4];
        words[0] = V::splat(otherwise);
        for i in 0..N {
            let lanes = V::lanes(masks[i]);
            for k in 0..4 {
                words[k] = V::select(words[k], V::splat(entries[i][k]), lanes);
            }
        }
        // Below 2^255, all limbs have 51 bits.
        Self(limbs_of_words(&words))
    }

    #[inline(always)]
    fn to_lanes(&self) -> [Packed; MAX_LANES] {
        let limbs = carry(self.limbs());
        let limbs = each!(I => {
            let mut words = [0; MAX_LANES];
            limbs[I].store(&mut words);
            words
        });
        core::array::from_fn(|lane| {
            Field51::from_limbs(core::array::from_fn(|i| limbs[i][lane])).to_packed()
        })
    }

    #[inline(always)]
    fn mask(bits: u8) -> V::Lanes {
        V::lanes(bits)
    }

    #[inline(always)]
    fn vartime_mask_bits(mask: V::Lanes) -> u8 {
        let mut words = [0; MAX_LANES];
        V::select(V::splat(0), V::splat(1), mask).store(&mut words);
        (0..V::LANES).fold(0, |bits, i| bits | (words[i] as u8) << i)
    }

    type Word = V;

    #[inline(always)]
    fn to_words(&self) -> [V; 5] {
        self.0
    }

    #[inline(always)]
    fn from_words(words: &[V; 5]) -> Self {
        Self(*words)
    }

    #[inline(always)]
    fn load_words(rows: &[[u64; 4]; MAX_LANES]) -> [V; 4] {
        V::load_transposed(rows)
    }

    #[inline(always)]
    fn store_words(words: &[V; 4]) -> [[u64; 4]; MAX_LANES] {
        store_transposed(words)
    }
}

/// 1280 p, limb by limb: above twice any product, and four of them below 2^64.
const WIDE_P: [u64; 5] = [
    (LOW_51 - 18) * 1280,
    LOW_51 * 1280,
    LOW_51 * 1280,
    LOW_51 * 1280,
    LOW_51 * 1280,
];

impl<V: Vector> Quads for Lanes51<V> {
    type Wide = Wide51<V>;
    const LATE_CARRIES: bool = true;
    type Order = V::Order;

    #[inline(always)]
    fn wide_add<const LANES: u8>(a: Wide51<V>, b: Wide51<V>) -> Wide51<V> {
        Wide51(each!(I => V::blend::<LANES>(a.0[I], a.0[I].add(b.0[I]))))
    }

    #[inline(always)]
    fn wide_permute<const ORDER: i32>(a: Wide51<V>) -> Wide51<V> {
        Wide51(each!(I => a.0[I].permute::<ORDER>()))
    }

    #[inline(always)]
    fn wide_blend<const LANES: u8>(a: Wide51<V>, b: Wide51<V>) -> Wide51<V> {
        Wide51(each!(I => V::blend::<LANES>(a.0[I], b.0[I])))
    }

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> V::Order {
        V::order::<A, B>(mask_of(choice))
    }

    #[inline(always)]
    fn permute_by(&self, order: V::Order) -> Self {
        Self(each!(I => self.0[I].permute_by(order)))
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(&self) -> Self {
        Self(each!(I => self.0[I].permute::<ORDER>()))
    }

    #[inline(always)]
    fn swap_groups(&self) -> Self {
        Self(each!(I => self.0[I].swap_groups()))
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: &Self, b: &Self) -> Self {
        Self(each!(I => V::blend::<LANES>(a.0[I], b.0[I])))
    }

    #[inline(always)]
    fn mul_wide(&self, rhs: &Self) -> Wide51<V> {
        Wide51(mul(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn narrow(wide: Wide51<V>) -> Self {
        Self(carry(&wide.0))
    }

    #[inline(always)]
    fn wide_neg(a: Wide51<V>) -> Wide51<V> {
        Wide51(each!(I => V::splat(WIDE_P[I]).sub(a.0[I])))
    }

    #[inline(always)]
    fn sum_or_difference<const MINUS: u8>(&self, rhs: &Self) -> Self {
        let (a, b) = (self.limbs(), rhs.limbs());
        let minus = difference(a, b);
        Self(carry(
            &each!(I => V::blend::<MINUS>(a[I].add(b[I]), minus[I])),
        ))
    }
}

#[cfg(test)]
impl<V: Vector> super::tests::Limbed for Lanes51<V> {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, std::vec::Vec<num_bigint::BigUint>) {
        use num_bigint::BigUint;
        let mut limbs = [[0; MAX_LANES]; 5];
        let mut classes = std::vec::Vec::new();
        let p = (BigUint::from(1u8) << 255) - 19u8;
        for lane in 0..V::LANES {
            let mut sum = BigUint::ZERO;
            for (i, limb) in limbs.iter_mut().enumerate() {
                limb[lane] = pick((1 << 51) + (1 << 19) - 1);
                sum += BigUint::from(limb[lane]) << (51 * i);
            }
            classes.push(sum % &p);
        }
        (Self(limbs.map(|limb| V::load(&limb))), classes)
    }
}
