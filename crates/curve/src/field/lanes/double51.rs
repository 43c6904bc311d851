//! Five limbs of 51 bits in each lane, in doubles, for a multiplication and addition that rounds once.
//!
//! A limb is an integer, of either sign, that a double holds exactly. Its products have up to 103 bits, and are had in
//! two halves ([`product`]): rounded to a multiple of 2^51, and the rest. Both come as encodings that are integers plus a
//! constant ([`MulAddF64`]), so that columns are sums of integers.
//!
//! Bounds of the magnitudes of limbs:
//!
//! * carried: 2^50 + 2^16;
//! * loose, a sum or difference of two carried ones: 2^51 + 2^17. A product takes one of them, not two: the other
//!   is carried before;
//! * wide, a product whose carries are not done, in two's complement: 2^58, and 2^61 for sums.

use super::super::{Arithmetic, Operand, Packed, packed, radix51::Field51};
use super::radix51::each;
use super::{Constants, Lanes, MAX_LANES, Quads, bits_of, mask_of, store_transposed};
use lanner_simd::{MulAddF64, Parts, Plain, Task};
use subtle::Choice;

type Limbs<V> = [V; 5];

/// Vectors for this radix, with constants: whatever is plain data has them.
pub(crate) trait Vector: MulAddF64 + Parts {
    const CONSTANTS: Constants<Self, 5>;

    /// Whether a condition holds for the word of every lane: for debug builds.
    fn all(self, holds: impl Fn(u64) -> bool) -> bool {
        let mut words = [0; MAX_LANES];
        self.store(&mut words);
        words.iter().all(|&word| holds(word))
    }
}

impl<V: MulAddF64 + Parts + Plain> Vector for V {
    const CONSTANTS: Constants<Self, 5> = CONSTANTS.in_lanes();
}

/// The encodings of limbs from -2^50 to 2^50, for words of a value below p.
const fn limbs_of(words: [u64; 4]) -> [u64; 5] {
    let unsigned = Field51::from_words(words).to_limbs();
    let mut limbs = [0; 5];
    let mut i = 0;
    while i < 5 {
        limbs[i] += unsigned[i] as i64;
        if limbs[i] >= 1 << 50 {
            limbs[i] -= 1 << 51;
            limbs[(i + 1) % 5] += if i == 4 { 19 } else { 1 };
        }
        i += 1;
    }
    each!(I => (limbs[I] as f64).to_bits())
}

/// The limbs of the constants of [`Arithmetic`].
pub(super) const CONSTANTS: Constants<u64, 5> = Constants {
    zero: [0; 5],
    one: limbs_of([1, 0, 0, 0]),
    two: limbs_of(packed::TWO),
    d: limbs_of(packed::D),
    d2: limbs_of(packed::D2),
    sqrt_m1: limbs_of(packed::SQRT_M1),
};

const LOW_51: u64 = (1 << 51) - 1;
const SIGN: u64 = 1 << 63;

/// 2^n.
const fn power(n: i32) -> u64 {
    ((1023 + n) as u64) << 52
}

/// 1.5 * 2^n.
const fn anchor(n: i32) -> u64 {
    power(n) | 1 << 51
}

/// The anchor of upper halves, multiples of 2^51.
const HIGH: u64 = anchor(103);
/// The anchor of lower halves, integers.
const LOW: u64 = anchor(52);
/// The sum of both values, a double too: 2^51 is the unit of its last place.
const BOTH: u64 = HIGH + 3;

/// An element in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Doubles51<V>(Limbs<V>);

/// A sum or difference in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Loose51<V>(Limbs<V>);

/// A product in each lane, or a sum of a few.
#[derive(Clone, Copy)]
pub(crate) struct Wide51<V>(Limbs<V>);

#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
super::open::open!(V: Vector; Doubles51, Loose51, Wide51);

/// Whether every limb is an integer of at most that magnitude. Not inlined: it is for debug builds only.
#[inline(never)]
fn within<V: Vector>(limbs: &Limbs<V>, most: f64) -> bool {
    limbs.iter().all(|limb| {
        limb.all(|word| {
            let value = f64::from_bits(word);
            (-most..=most).contains(&value) && (value as i64) as f64 == value
        })
    })
}

/// Whether sums of products are as small as [`narrow`] wants them.
#[inline(never)]
fn is_wide<V: Vector>(limbs: &Limbs<V>) -> bool {
    let in_bounds = |word: u64| (word as i64).unsigned_abs() <= 1 << 61;
    limbs.iter().all(|limb| limb.all(in_bounds))
}

const CARRIED: f64 = ((1u64 << 50) + (1 << 16)) as f64;

impl<V: Vector> Operand<Self> for Doubles51<V> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs<V> {
        debug_assert!(within(&self.0, CARRIED));
        &self.0
    }
}

impl<V: Vector> Operand<Doubles51<V>> for Loose51<V> {
    const LOOSE: bool = true;

    #[inline(always)]
    fn limbs(&self) -> &Limbs<V> {
        debug_assert!(within(&self.0, 2.0 * CARRIED));
        &self.0
    }
}

/// The encodings of LOW + l and HIGH + 2^51 h, with a b = l + 2^51 h and |l| <= 2^50, for |a b| <= 2^102.
///
/// BOTH less the rounded sum is LOW - 2^51 h, a multiple of 2^51 below 2^103, and so exact; and so is LOW + l.
#[inline(always)]
fn product<V: Vector>(a: V, b: V) -> (V, V) {
    let high = V::mul_add_anchor(a, b, V::splat(HIGH)).in_order();
    let low = V::mul_add_exact(a, b, V::splat(BOTH).sub_exact(high));
    (low, high)
}

/// Ten columns of weights 2^51k, sums of encodings; `$counts` sums up the anchors that are in them.
macro_rules! columns {
    ($v:ident, |$i:ident, $j:ident| $factors:expr; $(($x:literal $y:literal))*) => {{
        let mut columns = [$v::splat(0); 10];
        $({
            const $i: usize = $x;
            const $j: usize = $y;
            const K: usize = $x + $y;
            let (a, b) = $factors;
            let (low, high) = product(a, b);
            columns[K] = columns[K].add_encodings(low).in_order();
            columns[K + 1] = columns[K + 1].add_encodings(high).in_order();
        })*
        const ANCHORS: [u64; 5] = anchors(&[$([$x, $y]),*]);
        fold(&columns, &ANCHORS)
    }};
}

/// What the anchors of so many products are in the sums of [`fold`], modulo 2^64.
const fn anchors(products: &[[usize; 2]]) -> [u64; 5] {
    let mut columns = [0u64; 10];
    let mut n = 0;
    while n < products.len() {
        let k = products[n][0] + products[n][1];
        columns[k] = columns[k].wrapping_add(LOW);
        columns[k + 1] = columns[k + 1].wrapping_add(HIGH);
        n += 1;
    }
    each!(K => columns[K].wrapping_add(columns[K + 5].wrapping_mul(19)))
}

/// With 2^255 = 19, ten columns to five, less their anchors.
///
/// A column has at most five low halves, up to 2^50, and five high ones, up to 2^50 + 2^17: a limb is at most
/// (1 + 19 * 9) (2^50 + 2^17) < 2^58.
#[inline(always)]
fn fold<V: Vector>(columns: &[V; 10], anchors: &[u64; 5]) -> Limbs<V> {
    each!(K => {
        let over = columns[K + 5].in_order();
        let twice = over.add_encodings(over).in_order();
        let eighteenfold = twice.add_encodings(over.shl::<4>()).in_order();
        columns[K]
            .add_encodings(over)
            .add_encodings(eighteenfold)
            .add_encodings(V::splat(anchors[K].wrapping_neg()))
    })
}

// The highest columns come first: they are wanted first, and those that are summed together are neighbours.
#[inline(always)]
fn mul_inlined<V: Vector>(a: &Limbs<V>, b: &Limbs<V>) -> Limbs<V> {
    columns!(V, |I, J| (a[I], b[J]);
        (4 4) (3 4) (4 3) (2 4) (3 3) (4 2) (1 4) (2 3) (3 2) (4 1) (0 4) (1 3) (2 2) (3 1) (4 0)
        (0 3) (1 2) (2 1) (3 0) (0 2) (1 1) (2 0) (0 1) (1 0) (0 0))
}

/// Of carried elements: products of different limbs count twice, and a doubled limb is as large as a loose one.
#[inline(always)]
fn square_inlined<V: Vector>(a: &Limbs<V>) -> Limbs<V> {
    let twice = each!(I => a[I].add_exact(a[I]));
    columns!(V, |I, J| (if I == J { a[I] } else { twice[I] }, a[J]);
        (4 4) (3 4) (2 4) (3 3) (1 4) (2 3) (0 4) (1 3) (2 2) (0 3) (1 2) (0 2) (1 1) (0 1) (0 0))
}

#[inline(always)]
fn mul_121666<V: Vector>(a: &Limbs<V>) -> Limbs<V> {
    let factor = V::splat(121_666f64.to_bits());
    columns!(V, |I, J| (a[I + J], factor); (4 0) (3 0) (2 0) (1 0) (0 0))
}

/// Carries wide limbs, all at once, each to the nearest multiple of 2^51.
///
/// With 2^62 + 2^50 added, a limb is positive: low + 2^51 c, for 0 <= low < 2^51 and c within 2^11 of 2^11, is the limb
/// low - 2^50 and a carry of c - 2^11. The low part is put into the encoding of 2^52 + low. So a limb ends below 2^50 + 19 *
/// 2^11.
#[inline(always)]
fn narrow_inlined<V: Vector>(wide: &Limbs<V>) -> Limbs<V> {
    const RAISE: u64 = (1 << 62) + (1 << 50);
    const fn sunk(weight: u64) -> u64 {
        (((1 << 52) + (1 << 50) + weight * (1 << 11)) as f64).to_bits()
    }
    debug_assert!(is_wide(wide));
    let raised = each!(I => wide[I].add_encodings(V::splat(RAISE)));
    let over = raised[4].shr::<51>().mul_low32(V::splat(19));
    each!(I => {
        let low = raised[I].and(V::splat(LOW_51)).or(V::splat(power(52)));
        let (carry, sunk) = if I == 0 {
            (over, sunk(19))
        } else {
            (raised[(I + 4) % 5].shr::<51>(), sunk(1))
        };
        low.add(carry).sub_exact(V::splat(sunk))
    })
}

/// Carries loose limbs and sums of a few, up to 2^54.
#[inline(always)]
fn carry_inlined<V: Vector>(limbs: &Limbs<V>) -> Limbs<V> {
    let one = V::splat(power(0));
    let high = V::splat(HIGH);
    let over = each!(I => V::mul_add_anchor(limbs[I], one, high).sub_exact(high));
    each!(I => {
        const UNIT: u64 = if I == 0 {
            (19.0 / (1u64 << 51) as f64).to_bits()
        } else {
            power(-51)
        };
        let low = limbs[I].sub_exact(over[I]);
        V::mul_add_exact(over[(I + 4) % 5], V::splat(UNIT), low)
    })
}

once_if_checked!(mul(a, b) mul_inlined);
once_if_checked!(square(a) square_inlined);
once_if_checked!(narrow(wide) narrow_inlined);
once_if_checked!(carry(limbs) carry_inlined);

#[inline(always)]
fn is_loose<V: Vector, O: Operand<Doubles51<V>>>(_: &O) -> bool {
    O::LOOSE
}

/// The limbs, carried if they are not.
#[inline(always)]
fn carried<V: Vector, O: Operand<Doubles51<V>>>(value: &O) -> Limbs<V> {
    if O::LOOSE {
        carry(value.limbs())
    } else {
        *value.limbs()
    }
}

/// As for `whole25`: tasks for [`Parts::outline`].
macro_rules! task {
    ($task:ident($($factor:ident),+ $(; $n:ident)?) $body:expr) => {
        struct $task<'a, V> {
            $($factor: &'a Limbs<V>,)+
            $($n: u32,)?
        }

        impl<V: Vector> Task for $task<'_, V> {
            type Output = Limbs<V>;

            #[inline(always)]
            fn run(self) -> Limbs<V> {
                let Self { $($factor,)+ $($n)? } = self;
                $body
            }
        }
    };
}
task!(Mul(a, b) narrow(&mul(a, b)));
task!(Square(a) narrow(&square(a)));
task!(SquareWide(a) square(a));
task!(SquareTimes(a; n) {
    let mut limbs = *a;
    for _ in 0..n {
        limbs = narrow(&square(&limbs));
    }
    limbs
});

impl<V: Vector> Arithmetic for Doubles51<V> {
    type Limbs = Limbs<V>;
    type Loose = Loose51<V>;
    type Mask = V::Lanes;

    const ZERO: Self = Self(V::CONSTANTS.zero);
    const ONE: Self = Self(V::CONSTANTS.one);
    const TWO: Self = Self(V::CONSTANTS.two);
    const D: Self = Self(V::CONSTANTS.d);
    const D2: Self = Self(V::CONSTANTS.d2);
    const SQRT_M1: Self = Self(V::CONSTANTS.sqrt_m1);

    #[inline(always)]
    fn add(&self, rhs: &Self) -> Loose51<V> {
        let (a, b) = (self.limbs(), rhs.limbs());
        Loose51(each!(I => a[I].add_exact(b[I])))
    }

    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Loose51<V> {
        let (a, b) = (self.limbs(), rhs.limbs());
        Loose51(each!(I => a[I].sub_exact(b[I])))
    }

    #[inline(always)]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose51<V> {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        Loose51(carry(&each!(I => a[I].add_exact(b[I]))))
    }

    #[inline(always)]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose51<V> {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        Loose51(carry(&each!(I => a[I].sub_exact(b[I]))))
    }

    #[inline(always)]
    fn carry(value: &impl Operand<Self>) -> Self {
        Self(carried(value))
    }

    #[inline(always)]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        if is_loose(lhs) && is_loose(rhs) {
            let a = &carry(a);
            Self(V::outline(Mul { a, b }))
        } else {
            Self(V::outline(Mul { a, b }))
        }
    }

    #[inline(always)]
    fn square(value: &impl Operand<Self>) -> Self {
        Self(V::outline(Square { a: &carried(value) }))
    }

    #[inline(always)]
    fn square_times(value: &impl Operand<Self>, n: u32) -> Self {
        debug_assert!(n > 0);
        Self(V::outline(SquareTimes {
            a: &carried(value),
            n,
        }))
    }

    #[inline(always)]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        Self(narrow(&mul_121666(value.limbs())))
    }

    #[inline(always)]
    fn select(a: &Self, b: &Self, mask: V::Lanes) -> Self {
        Self(each!(I => V::select(a.0[I], b.0[I], mask)))
    }

    #[inline(always)]
    fn equal(&self, other: &Self) -> V::Lanes {
        let difference = Self::carry(&self.sub(other)).to_lanes();
        V::lanes(bits_of(&difference, Packed::is_zero))
    }

    #[inline(always)]
    fn is_negative(&self) -> V::Lanes {
        V::lanes(bits_of(&self.to_lanes(), Packed::is_negative))
    }

    #[inline(always)]
    fn neg(&self) -> Self {
        let sign = V::splat(SIGN);
        Self(each!(I => self.0[I].xor(sign)))
    }
}

impl<V: Vector> Lanes for Doubles51<V> {
    const LANES: usize = V::LANES;

    #[inline(always)]
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> Self {
        let [a, b, c, d] = V::load_transposed(values);
        let mask = V::splat(LOW_51);
        // The top limb keeps bit 255.
        Self(narrow(&[
            a.and(mask),
            a.shr::<51>().or(b.shl::<13>()).and(mask),
            b.shr::<38>().or(c.shl::<26>()).and(mask),
            c.shr::<25>().or(d.shl::<39>()).and(mask),
            d.shr::<12>(),
        ]))
    }

    #[inline(always)]
    fn choose_entries<const N: usize, const C: usize>(
        windows: &[[[[u64; 4]; C]; N]],
        numbers: &[u8; MAX_LANES],
        neutral: &[u64; C],
    ) -> [Self; C] {
        // A value fills a vector. A number has the place that it is not below of, while it is below the next.
        let mut rows = [[[0; 4]; MAX_LANES]; C];
        for lane in 0..V::LANES {
            let number = V::splat(numbers[lane].into()).opaque();
            let mut below = number.below(V::splat(1));
            let mut values = [below; C];
            for c in 0..C {
                values[c] = V::load(&[neutral[c], 0, 0, 0]).and(below);
            }
            let mut bound = 1;
            for entry in &windows[lane] {
                bound += 1;
                let before = below;
                below = number.below(V::splat(bound));
                let mask = below.xor(before).opaque();
                for c in 0..C {
                    values[c] = values[c].or(V::load(&entry[c]).and(mask));
                }
            }
            for c in 0..C {
                values[c].store(&mut rows[c][lane]);
            }
        }
        let mut chosen = [Self::ZERO; C];
        for c in 0..C {
            chosen[c] = Self::from_lanes(&rows[c]);
        }
        chosen
    }

    #[inline(always)]
    fn to_lanes(&self) -> [Packed; MAX_LANES] {
        /// 2p, limb by limb, less the anchor: limbs become positive integers.
        const TWO_P: [u64; 5] =
            each!(I => (2 * (LOW_51 - if I == 0 { 18 } else { 0 })).wrapping_sub(LOW));
        let limbs = self.limbs();
        let mask = V::splat(LOW_51);
        let mut t = each!(I => limbs[I].add_exact(V::splat(LOW)).add_encodings(V::splat(TWO_P[I])));
        let mut over = V::splat(0);
        // Not an iterator: closures are not always inlined.
        #[allow(clippy::needless_range_loop)]
        for i in 0..5 {
            let limb = t[i].add(over);
            (t[i], over) = (limb.and(mask), limb.shr::<51>());
        }
        let lowest = t[0].add(over.mul_low32(V::splat(19)));
        let words = [
            t[1].shl::<51>(),
            t[1].shr::<13>().or(t[2].shl::<38>()),
            t[2].shr::<26>().or(t[3].shl::<25>()),
            t[3].shr::<39>().or(t[4].shl::<12>()),
            lowest,
        ];
        let mut rows = [[0; MAX_LANES]; 5];
        for i in 0..5 {
            words[i].store(&mut rows[i]);
        }
        core::array::from_fn(|lane| {
            Packed::from_words_plus(core::array::from_fn(|i| rows[i][lane]), rows[4][lane])
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

impl<V: Vector> Quads for Doubles51<V> {
    type Wide = Wide51<V>;
    const LATE_CARRIES: bool = true;
    const SHARES_CODE: bool = true;
    type Order = V::Order;

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> V::Order {
        V::order::<A, B>(mask_of(choice))
    }

    #[inline(always)]
    fn permute_by(&self, order: V::Order) -> Self {
        Self(each!(I => self.0[I].permute_by(order)))
    }

    #[inline(always)]
    fn mul_wide(&self, rhs: &Self) -> Wide51<V> {
        Wide51(mul(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn square_wide_over<const LANES: u8>(&self) -> Wide51<V> {
        Wide51(V::outline(SquareWide { a: self.limbs() }))
    }

    #[inline(always)]
    fn mul_121666_wide(&self) -> Wide51<V> {
        Wide51(mul_121666(self.limbs()))
    }

    #[inline(always)]
    fn wide_sum_or_difference<const MINUS: u8>(a: Wide51<V>, b: Wide51<V>) -> Wide51<V> {
        Wide51(each!(I => {
            let (plus, minus) = (a.0[I].add_encodings(b.0[I]), a.0[I].sub_encodings(b.0[I]));
            match MINUS & 0b1111 {
                0 => plus,
                0b1111 => minus,
                _ => V::blend::<MINUS>(plus, minus),
            }
        }))
    }

    #[inline(always)]
    fn narrow(wide: Wide51<V>) -> Self {
        Self(narrow(&wide.0))
    }

    #[inline(always)]
    fn wide_add<const LANES: u8>(a: Wide51<V>, b: Wide51<V>) -> Wide51<V> {
        Wide51(each!(I => V::blend::<LANES>(a.0[I], a.0[I].add_encodings(b.0[I]))))
    }

    #[inline(always)]
    fn to_loose(value: &Self) -> Loose51<V> {
        Loose51(value.0)
    }

    #[inline(always)]
    fn wide_neg(a: Wide51<V>) -> Wide51<V> {
        Wide51(each!(I => V::splat(0).sub_encodings(a.0[I])))
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
    fn sum_or_difference<const MINUS: u8>(&self, rhs: &Self) -> Self {
        let (a, b) = (self.limbs(), rhs.limbs());
        let sign = V::blend::<MINUS>(V::splat(0), V::splat(SIGN));
        Self(carry(&each!(I => a[I].add_exact(b[I].xor(sign)))))
    }
}

#[cfg(test)]
impl<V: Vector> super::tests::Limbed for Doubles51<V> {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, std::vec::Vec<num_bigint::BigUint>) {
        use num_bigint::BigUint;
        let mut limbs = [[0; MAX_LANES]; 5];
        let mut classes = std::vec::Vec::new();
        let p = (BigUint::from(1u8) << 255) - 19u8;
        let most = CARRIED as u64;
        for lane in 0..V::LANES {
            // From -most to most: the sum is of limbs plus `most`, and a multiple of p more.
            let mut sum = BigUint::ZERO;
            for (i, limb) in limbs.iter_mut().enumerate() {
                let picked = pick(2 * most);
                limb[lane] = (picked as f64 - CARRIED).to_bits();
                sum += (BigUint::from(picked) + &p * most - most) << (51 * i);
            }
            classes.push(sum % &p);
        }
        (Self(limbs.map(|limb| V::load(&limb))), classes)
    }
}
