//! Ten limbs of 26 and 25 bits in turn in each lane, for a multiplication of 32 bits.
//!
//! Limb i has weight 2^ceil(25.5 i). Bounds, in units of 2^26 for even limbs and of
//! 2^25 for odd ones:
//!
//! * carried: below 1 + 1/64;
//! * a factor: even limbs below 2.05 and odd ones below 3.05, and an even limb and the
//!   odd one above it together below 2^32 / 19, which is 3.36 * 2^26;
//! * from `add`: below 2.04, and from `sub`: even limbs below 1 and odd ones below
//!   3.04, so that both are factors;
//! * `add_loose` and `sub_loose` carry;
//! * wide, a product whose carries are not done: even limbs below 2^59.1 for carried
//!   factors, odd ones below 2^58.5.

use super::super::{Arithmetic, Operand, Packed};
use super::{Lanes, MAX_LANES, Mul32, Part32, Quads, limb_by_limb};
use core::borrow::Borrow;
use lanner_simd::Task;
use subtle::Choice;

type Limbs<V> = [V; 10];

/// An array of ten, with an expression for each index: for closures see `radix51`.
macro_rules! each {
    ($i:ident => $limb:expr) => {
        $crate::field::lanes::radix25::each!($i $limb, 0 1 2 3 4 5 6 7 8 9)
    };
    ($i:ident $limb:expr, $($index:literal)*) => {
        [$({
            const $i: usize = $index;
            $limb
        }),*]
    };
}
pub(super) use each;

/// The constants of [`Arithmetic`], the same in every lane.
pub(crate) struct Constants<V> {
    pub(super) zero: Limbs<V>,
    pub(super) one: Limbs<V>,
    pub(super) two: Limbs<V>,
    pub(super) d: Limbs<V>,
    pub(super) d2: Limbs<V>,
    pub(super) sqrt_m1: Limbs<V>,
}

/// The [`Constants`] of a vector, given what has one word in every lane.
macro_rules! constants {
    (|$word:ident| $splat:expr) => {{
        use $crate::field::{packed, radix25::Field25};

        macro_rules! limbs {
            ($words:expr) => {{
                let narrow = Field25::from_words($words).to_limbs();
                let mut limbs = [{
                    let $word = 0u64;
                    $splat
                }; 10];
                let mut i = 0;
                while i < 10 {
                    let $word = narrow[i] as u64;
                    limbs[i] = $splat;
                    i += 1;
                }
                limbs
            }};
        }
        $crate::field::lanes::radix25::Constants {
            zero: limbs!([0; 4]),
            one: limbs!([1, 0, 0, 0]),
            two: limbs!(packed::TWO),
            d: limbs!(packed::D),
            d2: limbs!(packed::D2),
            sqrt_m1: limbs!(packed::SQRT_M1),
        }
    }};
}
pub(super) use constants;

/// The number of bits of limb `i`.
pub(super) const fn bits(i: usize) -> u32 {
    26 - (i as u32 & 1)
}

pub(super) const fn mask(i: usize) -> u64 {
    (1 << bits(i)) - 1
}

/// k p, limb by limb.
pub(super) const fn multiple_of_p(k: u64) -> [u64; 10] {
    let mut limbs = [0; 10];
    let mut i = 0;
    while i < 10 {
        limbs[i] = k * (mask(i) - if i == 0 { 18 } else { 0 });
        i += 1;
    }
    limbs
}

/// Above every carried element.
const TWO_P: [u64; 10] = multiple_of_p(2);
/// Above every factor.
const FOUR_P: [u64; 10] = multiple_of_p(4);
/// Above twice any product of carried factors, and four of them below 2^63.
const WIDE_P: [u64; 10] = multiple_of_p(3 << 33);

/// A carried element in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Lanes25<V>(Limbs<V>);

/// A sum or difference in each lane, good as a factor.
#[derive(Clone, Copy)]
pub(crate) struct Loose25<V>(Limbs<V>);

/// A product in each lane, or a sum of a few.
#[derive(Clone, Copy)]
pub(crate) struct Wide25<V>(Limbs<V>);

/// Whether limb i of every lane is below `even` or `odd` sixty-fourths of its unit.
// Not inlined: it is in every operation of debug builds, and compiling them would take minutes.
#[inline(never)]
fn within<V: Mul32>(limbs: &Limbs<V>, even: u64, odd: u64) -> bool {
    limbs.iter().enumerate().all(|(i, limb)| {
        let most = [even, odd][i & 1] << (bits(i) - 6);
        limb.store().iter().all(|&word| word < most)
    })
}

impl<V: Mul32> Operand<Self> for Lanes25<V> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs<V> {
        debug_assert!(within(&self.0, 65, 65));
        &self.0
    }
}

impl<V: Mul32> Operand<Lanes25<V>> for Loose25<V> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs<V> {
        debug_assert!(is_factor(&self.0));
        &self.0
    }
}

#[inline(never)]
fn is_factor<V: Mul32>(a: &Limbs<V>) -> bool {
    let sums = core::array::from_fn(|i| a[i & !1].add(a[i | 1]));
    within(a, 131, 195) && within(&sums, 215, 430)
}

/// A limb's bits, and what is above them: for vectors and for parts.
macro_rules! split {
    ($vector:ident, $limb:expr, $i:expr) => {
        if $i & 1 == 0 {
            ($limb.and($vector::splat(mask(0))), $limb.shr::<26>())
        } else {
            ($limb.and($vector::splat(mask(1))), $limb.shr::<25>())
        }
    };
}

/// Carries limbs below 8 units, all at once.
#[inline(always)]
fn carry_narrow<V: Mul32>(limbs: &Limbs<V>) -> Limbs<V> {
    let parts = each!(I => split!(V, limbs[I], I));
    each!(I => if I == 0 {
        parts[0].0.add(V::mul_low32(parts[9].1, V::splat(19)))
    } else {
        parts[I].0.add(parts[I - 1].1)
    })
}

/// 19 a, for a below 2^59.
#[inline(always)]
fn times_19<P: Part32>(a: P) -> P {
    let a = a.opaque();
    a.add(a.shl::<1>()).add(a.shl::<4>().opaque())
}

/// 19 a, for a below 2^32 / 19.
#[inline(always)]
fn nineteenfold<P: Part32>(a: P) -> P {
    P::mul_low32(a, P::splat(19)).opaque()
}

/// Carries the ten sums of a product, or of a few, each below 2^63.
///
/// Two chains side by side, from 0 to 5 and from 5 to 0. After the last step limb 1 may exceed its
/// bits by 19 * 2^38 / 2^26 and limb 6 by 2^37 / 2^25, both below 2^18.
#[inline(always)]
fn carry_wide<P: Part32>(limbs: &Limbs<P>) -> Limbs<P> {
    let mut t = *limbs;
    let mut over;
    macro_rules! carry {
        ($from:literal -> $to:literal) => {
            (t[$from], over) = split!(P, t[$from], $from);
            t[$to] = t[$to].add(over);
        };
    }
    carry!(0 -> 1);
    carry!(5 -> 6);
    carry!(1 -> 2);
    carry!(6 -> 7);
    carry!(2 -> 3);
    carry!(7 -> 8);
    carry!(3 -> 4);
    carry!(8 -> 9);
    carry!(4 -> 5);
    (t[9], over) = split!(P, t[9], 9);
    t[0] = t[0].add(times_19(over));
    carry!(5 -> 6);
    carry!(0 -> 1);
    t
}

/// Polynomials of degree 4 modulo x^5 = 19, where x = 2^51.
type Ring<P> = [P; 5];

/// The sum of products of limbs.
macro_rules! column {
    ($x:ident $i:literal $y:ident $j:literal $(, $xs:ident $is:literal $ys:ident $js:literal)*) => {
        P::mul_low32($x[$i], $y[$j])$(.add(P::mul_low32($xs[$is], $ys[$js])))*
    };
}

// These loops are unrolled late, and so the sums of one product keep together; written out, they
// are mixed with those of the other products, and spilled.
#[inline(always)]
fn ring_mul<P: Part32>(a: &Ring<P>, b: &Ring<P>) -> Ring<P> {
    let mut r = *b;
    for limb in &mut r[1..] {
        *limb = nineteenfold(*limb);
    }
    let mut sum = *b;
    for limb in &mut sum {
        *limb = P::mul_low32(a[0], *limb);
    }
    for i in 1..5 {
        for k in 0..5 {
            let factor = if k >= i { b[k - i] } else { r[k + 5 - i] };
            sum[k] = sum[k].add(P::mul_low32(a[i], factor));
        }
    }
    sum
}

/// With y = 2^26 an element is E + O y, of even and of odd limbs, and y^2 = 2x: the
/// product is (E E' + 2x O O') + (E O' + O E') y, and by Karatsuba the second is
/// (E + O)(E' + O') - E E' - O O'.
///
/// For factors, sums are below (3.36 * 2^26)^2 * (1 + 4 * 19) < 2^61.8.
#[inline(always)]
fn mul<P: Part32>(a: &Limbs<P>, b: &Limbs<P>) -> Limbs<P> {
    let evens = |a: &Limbs<P>| [a[0], a[2], a[4], a[6], a[8]];
    let odds = |a: &Limbs<P>| [a[1], a[3], a[5], a[7], a[9]];
    let (mut s, mut t) = (evens(a), evens(b));
    for k in 0..5 {
        s[k] = s[k].add(a[2 * k + 1]);
        t[k] = t[k].add(b[2 * k + 1]);
    }
    let cross = ring_mul(&s, &t);
    let oo = ring_mul(&odds(a), &odds(b));
    let ee = ring_mul(&evens(a), &evens(b));
    let mut sum = *a;
    for k in 0..5 {
        sum[2 * k + 1] = cross[k].sub(oo[k]).sub(ee[k]);
        let oo2 = oo[(k + 4) % 5].add(oo[(k + 4) % 5]);
        sum[2 * k] = ee[k].add(if k == 0 { times_19(oo2) } else { oo2 });
    }
    sum
}

/// As in `radix25` for one element: equal terms are taken once and doubled, `d` is
/// 2 a, and an odd limb times an odd one counts twice more, so `q` is 4 a for those.
///
/// For factors, sums are below 2^61.8.
#[inline(always)]
fn square<P: Part32>(a: &Limbs<P>) -> Limbs<P> {
    let d = each!(I => a[I].add(a[I]));
    let q = each!(I => d[I].add(d[I]));
    let r = each!(I => nineteenfold(a[I]));
    [
        column!(a 0 a 0, q 1 r 9, d 2 r 8, q 3 r 7, d 4 r 6, d 5 r 5),
        column!(d 0 a 1, d 2 r 9, d 3 r 8, d 4 r 7, d 5 r 6),
        column!(d 0 a 2, d 1 a 1, q 3 r 9, d 4 r 8, q 5 r 7, a 6 r 6),
        column!(d 0 a 3, d 1 a 2, d 4 r 9, d 5 r 8, d 6 r 7),
        column!(d 0 a 4, q 1 a 3, a 2 a 2, q 5 r 9, d 6 r 8, d 7 r 7),
        column!(d 0 a 5, d 1 a 4, d 2 a 3, d 6 r 9, d 7 r 8),
        column!(d 0 a 6, q 1 a 5, d 2 a 4, d 3 a 3, q 7 r 9, a 8 r 8),
        column!(d 0 a 7, d 1 a 6, d 2 a 5, d 3 a 4, d 8 r 9),
        column!(d 0 a 8, q 1 a 7, d 2 a 6, q 3 a 5, a 4 a 4, d 9 r 9),
        column!(d 0 a 9, d 1 a 8, d 2 a 7, d 3 a 6, d 4 a 5),
    ]
}

/// A hundred products cost much more than a call, and inlined into formulas they would spill
/// registers: they are tasks for [`Mul32::outline`], done on one part after the other.
macro_rules! task {
    ($task:ident($($factor:ident),+ $(; $n:ident)?) $body:expr) => {
        struct $task<'a, V> {
            $($factor: &'a Limbs<V>,)+
            $($n: u32,)?
        }

        impl<V: Mul32> Task for $task<'_, V> {
            type Output = Limbs<V>;

            #[inline(always)]
            fn run(self) -> Limbs<V> {
                let mut result = V::CONSTANTS.zero;
                for index in 0..V::PARTS {
                    $(let $factor = V::part(self.$factor, index);)+
                    $(let $factor: &Limbs<V::Part> = $factor.borrow();)+
                    $(let $n = self.$n;)?
                    V::set_part(&mut result, index, $body);
                }
                result
            }
        }
    };
}
task!(Mul(a, b) carry_wide(&mul(a, b)));
task!(MulWide(a, b) mul(a, b));
task!(Square(a) carry_wide(&square(a)));
task!(SquareTimes(a; n) {
    let mut limbs = *a;
    for _ in 0..n {
        limbs = carry_wide(&square(&each!(I => limbs[I].opaque())));
    }
    limbs
});
task!(Carry(a) carry_wide(a));

/// a - b + 2p or 4p.
#[inline(always)]
fn difference<V: Mul32>(a: &Limbs<V>, b: &Limbs<V>, p: &[u64; 10]) -> Limbs<V> {
    each!(I => a[I].add(V::splat(p[I])).sub(b[I]))
}

impl<V: Mul32> Arithmetic for Lanes25<V> {
    type Limbs = Limbs<V>;
    type Loose = Loose25<V>;
    type Mask = V::Mask;

    const ZERO: Self = Self(V::CONSTANTS.zero);
    const ONE: Self = Self(V::CONSTANTS.one);
    const TWO: Self = Self(V::CONSTANTS.two);
    const D: Self = Self(V::CONSTANTS.d);
    const D2: Self = Self(V::CONSTANTS.d2);
    const SQRT_M1: Self = Self(V::CONSTANTS.sqrt_m1);

    #[inline(always)]
    fn add(&self, rhs: &Self) -> Loose25<V> {
        let (a, b) = (self.limbs(), rhs.limbs());
        Loose25(each!(I => a[I].add(b[I])))
    }

    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Loose25<V> {
        // Even limbs give their excess to the odd ones.
        let limbs = difference(self.limbs(), rhs.limbs(), &TWO_P);
        Loose25(each!(I => if I & 1 == 0 {
            split!(V, limbs[I], I).0
        } else {
            limbs[I].add(split!(V, limbs[I - 1], I - 1).1)
        }))
    }

    #[inline(always)]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose25<V> {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        Loose25(carry_narrow(&each!(I => a[I].add(b[I]))))
    }

    #[inline(always)]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose25<V> {
        Loose25(carry_narrow(&difference(lhs.limbs(), rhs.limbs(), &FOUR_P)))
    }

    #[inline(always)]
    fn carry(value: &impl Operand<Self>) -> Self {
        Self(carry_narrow(value.limbs()))
    }

    #[inline(always)]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(V::outline(Mul {
            a: lhs.limbs(),
            b: rhs.limbs(),
        }))
    }

    #[inline(always)]
    fn square(value: &impl Operand<Self>) -> Self {
        Self(V::outline(Square { a: value.limbs() }))
    }

    #[inline(always)]
    fn square_times(value: &impl Operand<Self>, n: u32) -> Self {
        debug_assert!(n > 0);
        Self(V::outline(SquareTimes {
            a: value.limbs(),
            n,
        }))
    }

    #[inline(always)]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        let (limbs, factor) = (value.limbs(), V::splat(121_666));
        let a = &each!(I => V::mul_low32(limbs[I], factor));
        Self(Carry { a }.run())
    }

    #[inline(always)]
    fn select(a: &Self, b: &Self, mask: V::Mask) -> Self {
        Self(each!(I => V::select(a.0[I], b.0[I], mask)))
    }

    #[inline(always)]
    fn equal(&self, other: &Self) -> V::Mask {
        V::mask(bits_of(
            &Self::carry(&self.sub(other)).to_lanes(),
            Packed::is_zero,
        ))
    }

    #[inline(always)]
    fn is_negative(&self) -> V::Mask {
        V::mask(bits_of(&self.to_lanes(), Packed::is_negative))
    }
}

/// One bit for each lane.
#[inline(always)]
pub(super) fn bits_of(lanes: &[Packed; MAX_LANES], decide: impl Fn(Packed) -> Choice) -> u8 {
    lanes
        .iter()
        .enumerate()
        .fold(0, |bits, (i, &lane)| bits | decide(lane).unwrap_u8() << i)
}

impl<V: Mul32> Lanes for Lanes25<V> {
    const LANES: usize = V::LANES;

    #[inline(always)]
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> Self {
        let [a, b, c, d] = V::load_transposed(values);
        let (even, odd) = (V::splat(mask(0)), V::splat(mask(1)));
        let top = d.shr::<38>();
        // The top bit is worth 19.
        let over = V::mul_low32(top.shr::<25>(), V::splat(19));
        Self([
            a.and(even).add(over),
            a.shr::<26>().and(odd),
            a.shr::<51>().or(b.shl::<13>()).and(even),
            b.shr::<13>().and(odd),
            b.shr::<38>(),
            c.and(odd),
            c.shr::<25>().and(even),
            c.shr::<51>().or(d.shl::<13>()).and(odd),
            d.shr::<12>().and(even),
            top.and(odd),
        ])
    }

    #[inline(always)]
    fn to_lanes(&self) -> [Packed; MAX_LANES] {
        // After this pass only limb 0 can exceed its bits.
        let mut t = *self.limbs();
        let mut over = V::splat(0);
        // Not an iterator: see `each`.
        #[allow(clippy::needless_range_loop)]
        for i in 0..10 {
            let limb = t[i].add(over);
            (t[i], over) = split!(V, limb, i);
        }
        t[0] = t[0].add(V::mul_low32(over, V::splat(19)));
        let words = [
            t[1].shl::<26>().or(t[2].shl::<51>()),
            t[2].shr::<13>().or(t[3].shl::<13>()).or(t[4].shl::<38>()),
            t[5].or(t[6].shl::<25>()).or(t[7].shl::<51>()),
            t[7].shr::<13>().or(t[8].shl::<12>()).or(t[9].shl::<38>()),
        ];
        let words = [
            words[0].store(),
            words[1].store(),
            words[2].store(),
            words[3].store(),
        ];
        let lowest = t[0].store();
        core::array::from_fn(|lane| {
            Packed::from_words_plus(core::array::from_fn(|i| words[i][lane]), lowest[lane])
        })
    }

    #[inline(always)]
    fn mask(bits: u8) -> V::Mask {
        V::mask(bits)
    }

    #[inline(always)]
    fn vartime_mask_bits(mask: V::Mask) -> u8 {
        let words = V::select(V::splat(0), V::splat(1), mask).store();
        (0..V::LANES).fold(0, |bits, i| bits | (words[i] as u8) << i)
    }
}

impl<V: Mul32> Quads for Lanes25<V> {
    limb_by_limb!(Wide25);

    #[inline(always)]
    fn mul_wide(&self, rhs: &Self) -> Wide25<V> {
        Wide25(V::outline(MulWide {
            a: self.limbs(),
            b: rhs.limbs(),
        }))
    }

    #[inline(always)]
    fn narrow(wide: Wide25<V>) -> Self {
        debug_assert!(within(&wide.0, 1 << 43, 1 << 44));
        Self(Carry { a: &wide.0 }.run())
    }

    #[inline(always)]
    fn wide_neg(a: Wide25<V>) -> Wide25<V> {
        debug_assert!(within(&a.0, (3 << 39) - (1 << 19), (3 << 39) - (1 << 19)));
        Wide25(each!(I => V::splat(WIDE_P[I]).sub(a.0[I])))
    }

    #[inline(always)]
    fn sum_or_difference<const MINUS: u8>(&self, rhs: &Self) -> Self {
        let (a, b) = (self.limbs(), rhs.limbs());
        let minus = difference(a, b, &TWO_P);
        Self(carry_narrow(
            &each!(I => V::blend::<MINUS>(a[I].add(b[I]), minus[I])),
        ))
    }
}

#[cfg(test)]
impl<V: Mul32> super::tests::Limbed for Lanes25<V> {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, std::vec::Vec<num_bigint::BigUint>) {
        use num_bigint::BigUint;
        let mut limbs = [[0; MAX_LANES]; 10];
        let mut classes = std::vec::Vec::new();
        let p = (BigUint::from(1u8) << 255) - 19u8;
        for lane in 0..V::LANES {
            let mut sum = BigUint::ZERO;
            for (i, limb) in limbs.iter_mut().enumerate() {
                limb[lane] = pick((65 << (bits(i) - 6)) - 1);
                sum += BigUint::from(limb[lane]) << (51 * i).div_ceil(2);
            }
            classes.push(sum % &p);
        }
        (Self(limbs.map(|limb| V::load(&limb))), classes)
    }
}
