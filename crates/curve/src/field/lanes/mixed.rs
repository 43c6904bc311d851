//! Eight elements: four in the lanes of vectors, and four that are single.
//!
//! Where a processor multiplies words as fast as it multiplies in vectors, neither is worth much alone, and both
//! are at work at once: they are different units. One product of lanes is several hundred instructions, further than a processor
//! looks ahead; so its parts and the four products of single elements are written in turn.
//!
//! | lanes 0 to 3 | lanes 4 to 7 |
//! |---|---|
//! | [`narrow25`](super::narrow25), one vector a limb | a [`Single`] each |
//!
//! Bounds are those of both. Wide values of single elements are carried.

use super::super::radix25::Field25;
use super::super::{Arithmetic, Field, Operand, Packed};
use super::narrow25::{self, Narrow, Vector};
use super::radix25::{Lanes25, Layout, Limbs, Loose25};
use super::{Constants, Lanes, MAX_LANES, Quads};
use core::array::from_fn;
use core::ops::{BitOr, BitXor};
use lanner_simd::Task;
use subtle::Choice;

/// A representation of single elements beside lanes.
pub(crate) trait Single: Field<Limbs: Copy> {
    /// The limbs of the constants of [`Arithmetic`].
    const CONSTANTS: Constants<Self::Limbs, 1>;
    /// From carried limbs.
    fn from_limbs(limbs: Self::Limbs) -> Self;
    /// The product, computed where it is written.
    #[inline(always)]
    fn mul_in_order(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self::mul(lhs, rhs)
    }
    /// The square, computed where it is written.
    #[inline(always)]
    fn square_in_order(value: &impl Operand<Self>) -> Self {
        Self::square(value)
    }
}

impl Single for Field25 {
    const CONSTANTS: Constants<Self::Limbs, 1> = Constants {
        zero: [Self::ZERO.to_limbs()],
        one: [Self::ONE.to_limbs()],
        two: [Self::TWO.to_limbs()],
        d: [Self::D.to_limbs()],
        d2: [Self::D2.to_limbs()],
        sqrt_m1: [Self::SQRT_M1.to_limbs()],
    };

    #[inline(always)]
    fn from_limbs(limbs: Self::Limbs) -> Self {
        Self::from_limbs(limbs)
    }
}

type Quad<V> = Lanes25<Narrow<V>>;
type LooseQuad<V> = Loose25<Narrow<V>>;

/// The limbs of eight elements.
#[derive(Clone, Copy)]
pub(crate) struct Both<V: Vector, F: Single> {
    lanes: Limbs<Narrow<V>>,
    singles: [F::Limbs; 4],
}

/// Eight carried elements.
#[derive(Clone, Copy)]
pub(crate) struct Mixed<V: Vector, F: Single>(Both<V, F>);

/// Eight sums or differences.
#[derive(Clone, Copy)]
pub(crate) struct LooseMixed<V: Vector, F: Single>(Both<V, F>);

/// Eight products, or sums of a few: those of single elements are carried.
#[derive(Clone, Copy)]
pub(crate) struct WideMixed<V: Vector, F: Single> {
    lanes: <Quad<V> as Quads>::Wide,
    singles: [F; 4],
}

/// The limbs of the four elements in vectors; the single ones are 0.
#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
mod limbs {
    use super::{Both, Limbs, LooseMixed, Mixed, Narrow, Quad, Quads, Single, Vector, WideMixed};
    use crate::field::lanes::open::Open;

    fn closed<V: Vector, F: Single>(lanes: Limbs<Narrow<V>>) -> Both<V, F> {
        let singles = [*F::ZERO.limbs(); 4];
        Both { lanes, singles }
    }

    impl<V: Vector, F: Single> Open for Mixed<V, F> {
        type Limbs = Limbs<Narrow<V>>;

        fn closed(limbs: Limbs<Narrow<V>>) -> Self {
            Self(closed(limbs))
        }

        fn open(&self) -> Limbs<Narrow<V>> {
            self.0.lanes
        }
    }

    impl<V: Vector, F: Single> Open for LooseMixed<V, F> {
        type Limbs = Limbs<Narrow<V>>;

        fn closed(limbs: Limbs<Narrow<V>>) -> Self {
            Self(closed(limbs))
        }

        fn open(&self) -> Limbs<Narrow<V>> {
            self.0.lanes
        }
    }

    impl<V: Vector, F: Single> Open for WideMixed<V, F> {
        type Limbs = Limbs<Narrow<V>>;

        fn closed(limbs: Limbs<Narrow<V>>) -> Self {
            let lanes = <Quad<V> as Quads>::Wide::closed(limbs);
            let singles = [F::ZERO; 4];
            Self { lanes, singles }
        }

        fn open(&self) -> Limbs<Narrow<V>> {
            self.lanes.open()
        }
    }
}

/// A decision for each element.
#[derive(Clone, Copy)]
pub(crate) struct Mask<V: Vector, F: Single> {
    lanes: <Quad<V> as Arithmetic>::Mask,
    singles: [F::Mask; 4],
}

/// A permutation of both groups.
#[derive(Clone, Copy)]
pub(crate) struct Order<V: Vector, F: Single> {
    lanes: <Quad<V> as Quads>::Order,
    orders: [i32; 2],
    choice: F::Mask,
}

/// A factor, given its limbs.
#[derive(Clone, Copy)]
struct Factor<F: Single>(F::Limbs);

impl<F: Single> Operand<F> for Factor<F> {
    #[inline(always)]
    fn limbs(&self) -> &F::Limbs {
        &self.0
    }
}

impl<V: Vector, F: Single> Operand<Self> for Mixed<V, F> {
    #[inline(always)]
    fn limbs(&self) -> &Both<V, F> {
        &self.0
    }
}

impl<V: Vector, F: Single> Operand<Mixed<V, F>> for LooseMixed<V, F> {
    #[inline(always)]
    fn limbs(&self) -> &Both<V, F> {
        &self.0
    }
}

impl<V: Vector, F: Single> BitOr for Mask<V, F> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, rhs: Self) -> Self {
        Self {
            lanes: self.lanes | rhs.lanes,
            singles: from_fn(|i| self.singles[i] | rhs.singles[i]),
        }
    }
}

impl<V: Vector, F: Single> BitXor for Mask<V, F> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, rhs: Self) -> Self {
        Self {
            lanes: self.lanes ^ rhs.lanes,
            singles: from_fn(|i| self.singles[i] ^ rhs.singles[i]),
        }
    }
}

impl<V: Vector, F: Single> Both<V, F> {
    /// The lanes, checked to be a factor.
    #[inline(always)]
    fn factor(&self) -> &Limbs<Narrow<V>> {
        if cfg!(debug_assertions) {
            LooseQuad::<V>::from_limbs(self.lanes).limbs();
        }
        &self.lanes
    }

    #[inline(always)]
    fn loose(&self) -> LooseQuad<V> {
        LooseQuad::<V>::from_limbs(self.lanes)
    }

    #[inline(always)]
    fn single(&self, i: usize) -> Factor<F> {
        Factor(self.singles[i])
    }
}

impl<V: Vector, F: Single> Mixed<V, F> {
    #[inline(always)]
    fn new(lanes: &Quad<V>, singles: [F; 4]) -> Self {
        Self(Both {
            lanes: *lanes.limbs(),
            singles: singles.map(|single| *single.limbs()),
        })
    }

    #[inline(always)]
    fn lanes(&self) -> Quad<V> {
        Quad::<V>::from_limbs(self.0.lanes)
    }

    #[inline(always)]
    fn single(&self, i: usize) -> F {
        F::from_limbs(self.0.singles[i])
    }

    #[inline(always)]
    fn singles(&self) -> [F; 4] {
        from_fn(|i| self.single(i))
    }
}

impl<V: Vector, F: Single> LooseMixed<V, F> {
    #[inline(always)]
    fn new(lanes: &LooseQuad<V>, singles: [F::Loose; 4]) -> Self {
        Self(Both {
            lanes: *lanes.limbs(),
            singles: singles.map(|single| *single.limbs()),
        })
    }
}

#[inline(always)]
const fn constant<V: Vector, F: Single>(
    lanes: Limbs<Narrow<V>>,
    [single]: [F::Limbs; 1],
) -> Mixed<V, F> {
    Mixed(Both {
        lanes,
        singles: [single; 4],
    })
}

/// The products of both, in turn.
struct Mul<'a, V: Vector, F: Single>(&'a Both<V, F>, &'a Both<V, F>);

impl<V: Vector, F: Single> Task for Mul<'_, V, F> {
    type Output = Both<V, F>;

    #[inline(always)]
    fn run(self) -> Both<V, F> {
        let Self(a, b) = self;
        let product = |i| *F::mul_in_order(&a.single(i), &b.single(i)).limbs();
        let mut singles = [product(0); 4];
        let lanes = narrow25::mul(a.factor(), b.factor(), |part| {
            singles[part + 1] = product(part + 1);
        });
        Both { lanes, singles }
    }
}

/// The squares of both, in turn.
struct Square<'a, V: Vector, F: Single>(&'a Both<V, F>);

impl<V: Vector, F: Single> Task for Square<'_, V, F> {
    type Output = Both<V, F>;

    #[inline(always)]
    fn run(self) -> Both<V, F> {
        let a = self.0;
        let square = |i| *F::square_in_order(&a.single(i)).limbs();
        let mut singles = [a.singles[0]; 4];
        let lanes = narrow25::square(a.factor(), |part| singles[part] = square(part));
        Both { lanes, singles }
    }
}

impl<V: Vector, F: Single> Arithmetic for Mixed<V, F> {
    type Limbs = Both<V, F>;
    type Loose = LooseMixed<V, F>;
    type Mask = Mask<V, F>;

    const ZERO: Self = constant(Narrow::<V>::CONSTANTS.zero, F::CONSTANTS.zero);
    const ONE: Self = constant(Narrow::<V>::CONSTANTS.one, F::CONSTANTS.one);
    const TWO: Self = constant(Narrow::<V>::CONSTANTS.two, F::CONSTANTS.two);
    const D: Self = constant(Narrow::<V>::CONSTANTS.d, F::CONSTANTS.d);
    const D2: Self = constant(Narrow::<V>::CONSTANTS.d2, F::CONSTANTS.d2);
    const SQRT_M1: Self = constant(Narrow::<V>::CONSTANTS.sqrt_m1, F::CONSTANTS.sqrt_m1);

    #[inline(always)]
    fn add(&self, rhs: &Self) -> LooseMixed<V, F> {
        LooseMixed::new(
            &self.lanes().add(&rhs.lanes()),
            from_fn(|i| self.single(i).add(&rhs.single(i))),
        )
    }

    #[inline(always)]
    fn sub(&self, rhs: &Self) -> LooseMixed<V, F> {
        LooseMixed::new(
            &self.lanes().sub(&rhs.lanes()),
            from_fn(|i| self.single(i).sub(&rhs.single(i))),
        )
    }

    #[inline(always)]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> LooseMixed<V, F> {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        LooseMixed::new(
            &Quad::<V>::add_loose(&a.loose(), &b.loose()),
            from_fn(|i| F::add_loose(&a.single(i), &b.single(i))),
        )
    }

    #[inline(always)]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> LooseMixed<V, F> {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        LooseMixed::new(
            &Quad::<V>::sub_loose(&a.loose(), &b.loose()),
            from_fn(|i| F::sub_loose(&a.single(i), &b.single(i))),
        )
    }

    #[inline(always)]
    fn carry(value: &impl Operand<Self>) -> Self {
        let a = value.limbs();
        Self::new(
            &Quad::<V>::carry(&a.loose()),
            from_fn(|i| F::carry(&a.single(i))),
        )
    }

    #[inline(always)]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(V::outline(Mul(lhs.limbs(), rhs.limbs())))
    }

    #[inline(always)]
    fn square(value: &impl Operand<Self>) -> Self {
        Self(V::outline(Square(value.limbs())))
    }

    #[inline(always)]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        let a = value.limbs();
        Self::new(
            &Quad::<V>::mul_121666(&a.loose()),
            from_fn(|i| F::mul_121666(&a.single(i))),
        )
    }

    #[inline(always)]
    fn select(a: &Self, b: &Self, mask: Mask<V, F>) -> Self {
        Self::new(
            &Quad::<V>::select(&a.lanes(), &b.lanes(), mask.lanes),
            from_fn(|i| F::select(&a.single(i), &b.single(i), mask.singles[i])),
        )
    }

    #[inline(always)]
    fn equal(&self, other: &Self) -> Mask<V, F> {
        Mask {
            lanes: self.lanes().equal(&other.lanes()),
            singles: from_fn(|i| self.single(i).equal(&other.single(i))),
        }
    }

    #[inline(always)]
    fn is_negative(&self) -> Mask<V, F> {
        Mask {
            lanes: self.lanes().is_negative(),
            singles: from_fn(|i| self.single(i).is_negative()),
        }
    }
}

impl<V: Vector, F: Single> Lanes for Mixed<V, F> {
    const LANES: usize = 8;
    const IN_PAIRS: bool = false;

    #[inline(always)]
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> Self {
        Self::new(
            &Quad::<V>::from_lanes(values),
            from_fn(|i| F::from_packed(&Packed(values[4 + i]))),
        )
    }

    #[inline(always)]
    fn to_lanes(&self) -> [Packed; MAX_LANES] {
        let mut values = self.lanes().to_lanes();
        for (i, value) in values[4..].iter_mut().enumerate() {
            *value = self.single(i).to_packed();
        }
        values
    }

    #[inline(always)]
    fn mask(bits: u8) -> Mask<V, F> {
        Mask {
            lanes: Quad::<V>::mask(bits & 0b1111),
            singles: from_fn(|i| Choice::from(bits >> (4 + i) & 1).into()),
        }
    }

    #[inline(always)]
    fn vartime_mask_bits(mask: Mask<V, F>) -> u8 {
        let bits = Quad::<V>::vartime_mask_bits(mask.lanes);
        (0..4).fold(bits, |bits, i| {
            bits | Choice::from(mask.singles[i]).unwrap_u8() << (4 + i)
        })
    }

    // Rows trade places between the groups, so that single elements have the words of lanes.
    type Word = [u64; MAX_LANES];

    #[inline(always)]
    fn to_words(&self) -> [Self::Word; 5] {
        let lanes = self.lanes().to_words();
        let mut words = [[0; MAX_LANES]; 5];
        for (word, lanes) in words.iter_mut().zip(lanes) {
            word[..4].copy_from_slice(&lanes);
        }
        for i in 0..4 {
            let limbs = Field25::from_packed(&self.single(i).to_packed()).to_limbs();
            for (word, pair) in words.iter_mut().zip(limbs.as_chunks().0) {
                let [even, odd]: [u32; 2] = *pair;
                word[4 + i] = u64::from(even) | u64::from(odd) << 32;
            }
        }
        words
    }

    #[inline(always)]
    fn from_words(words: &[Self::Word; 5]) -> Self {
        let single = |i: usize| {
            let limbs = from_fn(|j| (words[j / 2][4 + i] >> (32 * (j & 1))) as u32);
            F::from_packed(&Field25::from_limbs(limbs).to_packed())
        };
        Self::new(
            &Quad::<V>::from_words(&words.map(|[a, b, c, d, ..]| [a, b, c, d])),
            from_fn(single),
        )
    }

    #[inline(always)]
    fn load_words(rows: &[[u64; 4]; MAX_LANES]) -> [Self::Word; 4] {
        from_fn(|j| from_fn(|i| rows[i][j]))
    }

    #[inline(always)]
    fn store_words(words: &[Self::Word; 4]) -> [[u64; 4]; MAX_LANES] {
        from_fn(|i| from_fn(|j| words[j][i]))
    }
}

/// Lane i of an order.
const fn from(order: i32, i: usize) -> usize {
    (order >> (2 * i) & 3) as usize
}

impl<V: Vector, F: Single> Quads for Mixed<V, F> {
    type Wide = WideMixed<V, F>;
    const LATE_CARRIES: bool = false;
    type Order = Order<V, F>;

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> Order<V, F> {
        Order {
            lanes: Quad::<V>::order::<A, B>(choice),
            orders: [A, B],
            choice: choice.into(),
        }
    }

    #[inline(always)]
    fn permute_by(&self, order: Order<V, F>) -> Self {
        let ([a, b], singles) = (order.orders, self.singles());
        Self::new(
            &self.lanes().permute_by(order.lanes),
            from_fn(|i| F::select(&singles[from(a, i)], &singles[from(b, i)], order.choice)),
        )
    }

    #[inline(always)]
    fn mul_wide(&self, rhs: &Self) -> WideMixed<V, F> {
        WideMixed {
            lanes: self.lanes().mul_wide(&rhs.lanes()),
            singles: from_fn(|i| F::mul(&self.single(i), &rhs.single(i))),
        }
    }

    #[inline(always)]
    fn narrow(wide: WideMixed<V, F>) -> Self {
        Self::new(&Quad::<V>::narrow(wide.lanes), wide.singles)
    }

    #[inline(always)]
    fn wide_add<const LANES: u8>(a: WideMixed<V, F>, b: WideMixed<V, F>) -> WideMixed<V, F> {
        WideMixed {
            lanes: Quad::<V>::wide_add::<LANES>(a.lanes, b.lanes),
            singles: from_fn(|i| {
                if LANES >> i & 1 == 1 {
                    F::carry(&a.singles[i].add(&b.singles[i]))
                } else {
                    a.singles[i]
                }
            }),
        }
    }

    #[inline(always)]
    fn wide_neg(a: WideMixed<V, F>) -> WideMixed<V, F> {
        WideMixed {
            lanes: Quad::<V>::wide_neg(a.lanes),
            singles: a.singles.map(|single| single.neg()),
        }
    }

    #[inline(always)]
    fn wide_permute<const ORDER: i32>(a: WideMixed<V, F>) -> WideMixed<V, F> {
        WideMixed {
            lanes: Quad::<V>::wide_permute::<ORDER>(a.lanes),
            singles: from_fn(|i| a.singles[from(ORDER, i)]),
        }
    }

    #[inline(always)]
    fn wide_blend<const LANES: u8>(a: WideMixed<V, F>, b: WideMixed<V, F>) -> WideMixed<V, F> {
        WideMixed {
            lanes: Quad::<V>::wide_blend::<LANES>(a.lanes, b.lanes),
            singles: from_fn(|i| [a.singles[i], b.singles[i]][usize::from(LANES >> i & 1)]),
        }
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(&self) -> Self {
        let singles = self.singles();
        Self::new(
            &self.lanes().permute::<ORDER>(),
            from_fn(|i| singles[from(ORDER, i)]),
        )
    }

    #[inline(always)]
    fn swap_groups(&self) -> Self {
        let mut values = self.to_lanes();
        values.rotate_left(4);
        Self::from_lanes(&values.map(|value| value.0))
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: &Self, b: &Self) -> Self {
        Self::new(
            &Quad::<V>::blend::<LANES>(&a.lanes(), &b.lanes()),
            from_fn(|i| [a, b][usize::from(LANES >> i & 1)].single(i)),
        )
    }

    #[inline(always)]
    fn sum_or_difference<const MINUS: u8>(&self, rhs: &Self) -> Self {
        Self::new(
            &self.lanes().sum_or_difference::<MINUS>(&rhs.lanes()),
            from_fn(|i| {
                let (a, b) = (self.single(i), rhs.single(i));
                if MINUS >> i & 1 == 1 {
                    F::carry(&a.sub(&b))
                } else {
                    F::carry(&a.add(&b))
                }
            }),
        )
    }
}

#[cfg(test)]
impl<V: Vector, F: Single> super::tests::Limbed for Mixed<V, F> {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, std::vec::Vec<num_bigint::BigUint>) {
        let (lanes, mut classes) = Quad::<V>::carried(&mut pick);
        let singles = from_fn(|_| Packed(from_fn(|_| pick(u64::MAX))));
        classes.extend(singles.iter().map(super::tests::class));
        (
            Self::new(&lanes, singles.map(|single| F::from_packed(&single))),
            classes,
        )
    }
}
