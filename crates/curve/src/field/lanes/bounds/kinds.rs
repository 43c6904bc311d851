//! What each file says of its limbs, and elements that are all of that.

use super::super::double51::Doubles51;
use super::super::mixed::Mixed;
use super::super::narrow25::Narrow;
use super::super::open::Open;
use super::super::pairs13::Pairs13;
use super::super::radix25::Lanes25;
use super::super::radix51::Lanes51;
use super::super::unknown::{self, Lane, Number, Pair, Words};
use super::super::whole25::Whole;
use super::super::{Lanes, Quads};
use crate::field::{Arithmetic, BesideNeon};
use std::vec::Vec;

/// Both included.
pub(super) type Bounds = (i128, i128);

/// What a file says of its limbs.
pub(crate) trait Documented:
    Open
    + Arithmetic<Loose: Open<Limbs = <Self as Open>::Limbs>>
    + Quads<Wide: Open<Limbs = <Self as Open>::Limbs>>
{
    const COUNT: usize;
    /// The power of two that limb i counts.
    fn weight(i: usize) -> u32;
    fn carried(i: usize) -> Bounds;
    /// Of a sum of two carried elements.
    fn sum(i: usize) -> Bounds;
    /// Of a difference of two carried elements.
    fn difference(i: usize) -> Bounds;
    /// Of a factor that is not carried.
    fn factor(i: usize) -> Bounds;
    /// What else is asked of the limbs of a factor: sums of them, and the most that each may be.
    fn together(_limbs: &[Number]) -> Vec<(Number, i128)> {
        Vec::new()
    }
    /// Of a product whose carries are not done.
    fn wide(i: usize) -> Bounds;
    /// The same with a cover.
    fn covering(i: usize) -> Bounds {
        Self::wide(i)
    }

    /// How many elements are in vectors.
    fn lanes() -> usize {
        Self::LANES
    }
    /// The limbs of each lane.
    fn read(limbs: &<Self as Open>::Limbs) -> Vec<Vec<Number>>;
    fn write(lanes: &[Vec<Number>]) -> <Self as Open>::Limbs;
    /// Of a product whose carries are not done.
    fn write_wide(lanes: &[Vec<Number>]) -> <Self as Open>::Limbs {
        Self::write(lanes)
    }
    /// The weights of the words that [`Lanes::to_lanes`] stores, and bounds of each.
    fn words() -> Vec<(u32, Bounds)>;
}

/// 2^`exponent`, rounded down.
fn power(exponent: f64) -> i128 {
    exponent.exp2() as i128
}

/// Numbers from 0 to below a bound, both for numbers of integers.
fn below(bound: i128) -> Bounds {
    (0, bound - 1)
}

fn magnitude(most: i128) -> Bounds {
    (-most, most)
}

macro_rules! read_words {
    (|$lane:ident| $number:expr, |$limb:ident| $word:expr) => {
        fn read(limbs: &<Self as Open>::Limbs) -> Vec<Vec<Number>> {
            let lanes = 0..<Self as Lanes>::LANES;
            lanes
                .map(|i| {
                    limbs
                        .iter()
                        .map(|limb| limb.0[i])
                        .map(|$lane| $number)
                        .collect()
                })
                .collect()
        }

        fn write(lanes: &[Vec<Number>]) -> <Self as Open>::Limbs {
            core::array::from_fn(|i| {
                Words(core::array::from_fn(|lane| {
                    let $limb = lanes[lane][i];
                    $word
                }))
            })
        }
    };
}

/// The five words of 64 bits: four and a small one, whose sum must have room in four.
fn four_words_and_one() -> Vec<(u32, Bounds)> {
    let any = below(1 << 64);
    let highest = below(1 << 63);
    [
        (0, any),
        (64, any),
        (128, any),
        (192, highest),
        (0, highest),
    ]
    .to_vec()
}

impl<const N: usize> Documented for Lanes51<Words<N>> {
    const COUNT: usize = 5;

    fn weight(i: usize) -> u32 {
        51 * i as u32
    }

    fn carried(_: usize) -> Bounds {
        below((1 << 51) + (1 << 19))
    }

    fn sum(i: usize) -> Bounds {
        Self::carried(i)
    }

    fn difference(i: usize) -> Bounds {
        Self::carried(i)
    }

    fn factor(i: usize) -> Bounds {
        Self::carried(i)
    }

    fn wide(_: usize) -> Bounds {
        below(power(59.1))
    }

    // Above any product.
    fn covering(_: usize) -> Bounds {
        (power(59.1), power(60.9) - 1)
    }

    read_words!(|lane| lane.integer(), |number| Lane::of(number));

    fn words() -> Vec<(u32, Bounds)> {
        four_words_and_one()[..4]
            .iter()
            .map(|&(weight, _)| (weight, below(1 << 64)))
            .collect()
    }
}

impl Documented for Doubles51<Words<4>> {
    const COUNT: usize = 5;

    fn weight(i: usize) -> u32 {
        51 * i as u32
    }

    fn carried(_: usize) -> Bounds {
        magnitude((1 << 50) + (1 << 16))
    }

    fn sum(i: usize) -> Bounds {
        Self::factor(i)
    }

    fn difference(i: usize) -> Bounds {
        Self::factor(i)
    }

    fn factor(_: usize) -> Bounds {
        magnitude((1 << 51) + (1 << 17))
    }

    fn wide(_: usize) -> Bounds {
        magnitude(1 << 58)
    }

    read_words!(
        |lane| match lane {
            // A sum of encodings without its anchors.
            Lane::Modular(_) => lane.signed(),
            _ => {
                let (number, exponent) = lane.as_double();
                number.shifted(u32::try_from(exponent).expect("an integer"))
            }
        },
        |number| Lane::Double(number, 0)
    );

    fn write_wide(lanes: &[Vec<Number>]) -> <Self as Open>::Limbs {
        core::array::from_fn(|i| Words(core::array::from_fn(|lane| Lane::Modular(lanes[lane][i]))))
    }

    fn words() -> Vec<(u32, Bounds)> {
        four_words_and_one()
    }
}

/// Sixty-fourths of the unit of limb i.
fn sixty_fourths(i: usize, count: i128) -> Bounds {
    below(count << (20 - (i & 1)))
}

macro_rules! radix25 {
    () => {
        const COUNT: usize = 10;

        fn weight(i: usize) -> u32 {
            (51 * i as u32).div_ceil(2)
        }

        fn carried(i: usize) -> Bounds {
            sixty_fourths(i, 65)
        }

        fn sum(i: usize) -> Bounds {
            sixty_fourths(i, 130)
        }

        // Even limbs below 1, odd ones below 3.04.
        fn difference(i: usize) -> Bounds {
            sixty_fourths(i, [64, 194][i & 1])
        }

        // 2.05 and 3.05.
        fn factor(i: usize) -> Bounds {
            sixty_fourths(i, [131, 195][i & 1])
        }

        // An even limb and the odd one above it.
        fn together(limbs: &[Number]) -> Vec<(Number, i128)> {
            let pairs = limbs.as_chunks::<2>().0.iter();
            pairs
                .map(|pair| (pair[0].plus(pair[1]), (215 << 20) - 1))
                .collect()
        }
    };
}

macro_rules! whole25 {
    ($whole:literal) => {
        impl Documented for Lanes25<Whole<Words<4, $whole>>> {
            radix25!();

            fn wide(i: usize) -> Bounds {
                below(power([59.1, 58.5][i & 1]))
            }

            read_words!(|lane| lane.integer(), |number| Lane::of(number));

            fn words() -> Vec<(u32, Bounds)> {
                four_words_and_one()
            }
        }
    };
}
whole25!(false);
whole25!(true);

macro_rules! narrow25 {
    ($lanes:ty) => {
        impl Documented for $lanes {
            radix25!();

            fn wide(i: usize) -> Bounds {
                Self::carried(i)
            }

            fn lanes() -> usize {
                4
            }

            fn read(limbs: &<Self as Open>::Limbs) -> Vec<Vec<Number>> {
                (0..4)
                    .map(|lane| limbs.iter().map(|limb| limb.0[lane]).collect())
                    .collect()
            }

            fn write(lanes: &[Vec<Number>]) -> <Self as Open>::Limbs {
                core::array::from_fn(|i| {
                    unknown::Narrow(core::array::from_fn(|lane| lanes[lane][i]))
                })
            }

            // The limbs, for `Field25`.
            fn words() -> Vec<(u32, Bounds)> {
                (0..10)
                    .map(|i| (Self::weight(i), Self::carried(i)))
                    .collect()
            }
        }
    };
}
narrow25!(Lanes25<Narrow<unknown::Narrow>>);
// Of the four elements in vectors.
narrow25!(Mixed<unknown::Narrow, BesideNeon>);

impl Documented for Pairs13<unknown::Halves> {
    const COUNT: usize = 20;

    fn weight(i: usize) -> u32 {
        13 * i as u32
    }

    fn carried(_: usize) -> Bounds {
        magnitude(65 << 6)
    }

    fn sum(i: usize) -> Bounds {
        Self::factor(i)
    }

    fn difference(i: usize) -> Bounds {
        Self::factor(i)
    }

    fn factor(_: usize) -> Bounds {
        magnitude((2 * 65) << 6)
    }

    fn wide(i: usize) -> Bounds {
        Self::carried(i)
    }

    fn read(limbs: &<Self as Open>::Limbs) -> Vec<Vec<Number>> {
        let halves = |lane: usize| limbs.iter().flat_map(move |limb| limb.0[lane].halves());
        (0..4).map(|lane| halves(lane).collect()).collect()
    }

    fn write(lanes: &[Vec<Number>]) -> <Self as Open>::Limbs {
        core::array::from_fn(|i| {
            unknown::Halves(core::array::from_fn(|lane| {
                Pair::Halves(lanes[lane][2 * i], lanes[lane][2 * i + 1])
            }))
        })
    }

    // For `packed_from_26`.
    fn words() -> Vec<(u32, Bounds)> {
        (0..10).map(|i| (26 * i, below(1 << 27))).collect()
    }
}

/// For each lane, any limbs within bounds.
fn any(lanes: usize, count: usize, bounds: fn(usize) -> Bounds) -> Vec<Vec<Number>> {
    let limb = |i| {
        let (low, high) = bounds(i);
        Number::unknown(low, high)
    };
    (0..lanes).map(|_| (0..count).map(limb).collect()).collect()
}

/// Any carried element in each lane.
pub(crate) fn any_carried<Q: Documented>() -> Q {
    Q::closed(Q::write(&any(Q::lanes(), Q::COUNT, Q::carried)))
}

/// Any factor that is not carried.
pub(crate) fn any_factor<Q: Documented>() -> Q::Loose {
    let lanes = any(Q::lanes(), Q::COUNT, Q::factor);
    for limbs in &lanes {
        for (sum, most) in Q::together(limbs) {
            sum.is_at_most(most);
        }
    }
    Q::Loose::closed(Q::write(&lanes))
}

/// Any product whose carries are not done, or one with a cover.
pub(super) fn any_wide<Q: Documented>(bounds: fn(usize) -> Bounds) -> Q::Wide {
    Q::Wide::closed(Q::write_wide(&any(Q::lanes(), Q::COUNT, bounds)))
}

/// Panics unless all limbs are within bounds.
pub(super) fn assert_within<Q: Documented>(
    what: &str,
    limbs: &<Q as Open>::Limbs,
    bounds: impl Fn(usize) -> Bounds,
) {
    for limbs in Q::read(limbs) {
        for (i, limb) in limbs.iter().enumerate() {
            let (low, high) = bounds(i);
            assert!(
                limb.is_within(low, high),
                "{what}: limb {i} is from {} to {}",
                limb.bounds().0,
                limb.bounds().1
            );
        }
    }
}

/// Panics unless the element is carried.
pub(crate) fn assert_carried<Q: Documented>(what: &str, element: &Q) {
    assert_within::<Q>(what, &element.open(), Q::carried);
}

/// Panics unless the limbs are together what [`any_factor`] takes for granted of every factor.
pub(super) fn assert_together<Q: Documented>(what: &str, limbs: &<Q as Open>::Limbs) {
    for limbs in Q::read(limbs) {
        for (i, (sum, most)) in Q::together(&limbs).into_iter().enumerate() {
            let (low, high) = sum.bounds();
            assert!(high <= most, "{what}: sum {i} is from {low} to {high}");
        }
    }
}

/// Panics unless the limbs are those of a factor.
pub(crate) fn assert_factor<Q: Documented>(what: &str, element: &Q::Loose) {
    let limbs = element.open();
    assert_within::<Q>(what, &limbs, Q::factor);
    assert_together::<Q>(what, &limbs);
}
