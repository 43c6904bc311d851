//! How large limbs become, for all inputs, and what they stand for: the code of this module run on lanes that hold all
//! integers within bounds ([`unknown`]).
//!
//! Shown for each kind of limbs: from elements whose limbs are anything that the head of its file allows, no lane overflows, no
//! factor is longer than its instruction takes and no double is rounded; results are within what the file says of them, so
//! that they may be what the next operation takes; and they stand for the sum, difference, product or square mod p.
//!
//! What a type says of its limbs holds wherever elements are handed on. Only sums of products have no type that counts them:
//! the largest that `Quads` allows are tried here, and the formulas that make them beside those
//! (`edwards/precomputed/quad/bounds.rs`, `edwards/late_carries/bounds.rs`, `montgomery/ladder/bounds.rs`).
//!
//! Not here: that each instruction set does what the traits of `lanner_simd` say (samples in its tests), and what compilers make of
//! it; the four single elements of `mixed`, which are no vectors; choices of table entries and exchanges of words, which
//! compute nothing; and what `Packed` makes of the words that elements become.

mod kinds;
mod seen;
mod sums;

pub(crate) use kinds::{Documented, any_carried, any_factor, assert_carried, assert_factor};

use super::double51::Doubles51;
use super::mixed::Mixed;
use super::narrow25::Narrow;
use super::open::Open;
use super::order;
use super::pairs13::Pairs13;
use super::radix25::Lanes25;
use super::radix51::Lanes51;
use super::unknown::{self, Integer, Number, Words, at_rest, forget, loaded};
use super::whole25::Whole;
use crate::field::BesideNeon;
use kinds::{Bounds, assert_together, assert_within};
use std::vec::Vec;

/// What is done with every kind of lanes.
pub(crate) trait WithAnyLimbs: Copy {
    fn run<Q: Documented>(self);
}

type Radix51x4 = Lanes51<Words<4>>;
type Radix51x8 = Lanes51<Words<8>>;
type Double51 = Doubles51<Words<4>>;
/// Parts of two lanes.
type Whole25 = Lanes25<Whole<Words<4>>>;
/// One part.
type Undivided25 = Lanes25<Whole<Words<4, true>>>;
type Narrow25 = Lanes25<Narrow<unknown::Narrow>>;
type Mixed25 = Mixed<unknown::Narrow, BesideNeon>;
type Pairs = Pairs13<unknown::Halves>;

/// Runs a check with every kind of lanes.
pub(crate) fn with_any_limbs(check: impl WithAnyLimbs) {
    check.run::<Radix51x4>();
    check.run::<Radix51x8>();
    check.run::<Double51>();
    check.run::<Whole25>();
    check.run::<Undivided25>();
    check.run::<Narrow25>();
    check.run::<Mixed25>();
    check.run::<Pairs>();
    forget();
}

/// What the limbs of each lane stand for.
fn value<Q: Documented>(limbs: &<Q as Open>::Limbs) -> Vec<Integer> {
    let sum = |limbs: Vec<Number>| {
        let weighted = limbs.into_iter().enumerate();
        Integer::sum(weighted.map(|(i, limb)| (limb, Q::weight(i))))
    };
    Q::read(limbs).into_iter().map(sum).collect()
}

/// An element, and what it stands for in each lane.
type Element<T> = (T, Vec<Integer>);

fn element<Q: Documented, T: Open<Limbs = <Q as Open>::Limbs>>(limbs: T) -> Element<T> {
    let values = value::<Q>(&limbs.open());
    (limbs, values)
}

fn carried<Q: Documented>() -> Element<Q> {
    element::<Q, Q>(any_carried())
}

fn factor<Q: Documented>() -> Element<Q::Loose> {
    element::<Q, Q::Loose>(any_factor::<Q>())
}

fn map2(x: &[Integer], y: &[Integer], f: impl Fn(&Integer, &Integer) -> Integer) -> Vec<Integer> {
    x.iter().zip(y).map(|(x, y)| f(x, y)).collect()
}

/// Panics unless the limbs stand for these values mod p.
fn assert_values<Q: Documented>(what: &str, limbs: &<Q as Open>::Limbs, expected: &[Integer]) {
    let values = value::<Q>(limbs);
    for (lane, (value, expected)) in values.iter().zip(expected).enumerate() {
        assert!(
            value.minus(expected).vanishes(),
            "{what}: another value in lane {lane}"
        );
    }
}

/// Panics unless a result is within bounds and stands for these values.
fn assert_is<Q: Documented>(
    what: &str,
    result: &impl Open<Limbs = <Q as Open>::Limbs>,
    bounds: impl Fn(usize) -> Bounds,
    expected: &[Integer],
) {
    let limbs = result.open();
    assert_within::<Q>(what, &limbs, bounds);
    assert_values::<Q>(what, &limbs, expected);
}

fn sums_and_differences<Q: Documented>() {
    let ((a, x), (b, y)) = (carried::<Q>(), carried::<Q>());
    let sums = map2(&x, &y, Integer::plus);
    let differences = map2(&x, &y, Integer::minus);
    // Each of these may be a factor next, and so may what is carried.
    let (sum, difference) = (a.add(&b), a.sub(&b));
    assert_is::<Q>("add", &sum, Q::sum, &sums);
    assert_is::<Q>("sub", &difference, Q::difference, &differences);
    assert_factor::<Q>("add", &sum);
    assert_factor::<Q>("sub", &difference);
    assert_together::<Q>("carried", &a.open());
    let negatives = map2(&x, &x, |x, _| x.scaled(-1));
    assert_is::<Q>("neg", &a.neg(), Q::carried, &negatives);
    // What is true of these is within what is true of every factor.
    for i in 0..Q::COUNT {
        let (low, high) = Q::factor(i);
        for bounds in [Q::carried(i), Q::sum(i), Q::difference(i)] {
            assert!(low <= bounds.0 && bounds.1 <= high, "limb {i} of a factor");
        }
    }

    let ((c, z), (d, w)) = (factor::<Q>(), factor::<Q>());
    assert_is::<Q>("carry", &Q::carry(&c), Q::carried, &z);
    assert_is::<Q>("carry", &Q::carry(&a), Q::carried, &x);
    macro_rules! loose {
        ($(($lhs:ident $of_lhs:ident, $rhs:ident $of_rhs:ident))*) => {$(
            let sum = Q::add_loose(&$lhs, &$rhs);
            assert_is::<Q>("add_loose", &sum, Q::carried, &map2(&$of_lhs, &$of_rhs, Integer::plus));
            let difference = Q::sub_loose(&$lhs, &$rhs);
            let differences = map2(&$of_lhs, &$of_rhs, Integer::minus);
            assert_is::<Q>("sub_loose", &difference, Q::carried, &differences);
        )*};
    }
    loose!((c z, d w) (c z, b y) (a x, d w) (a x, b y));
    let loose = Q::to_loose(&a);
    assert_is::<Q>("to_loose", &loose, Q::factor, &x);
    assert_factor::<Q>("to_loose", &loose);
    let mixed = lanes_of(0b0110, &differences, &sums);
    let result = a.sum_or_difference::<0b0110>(&b);
    assert_is::<Q>("sum_or_difference", &result, Q::carried, &mixed);
    forget();
}

/// In the lanes of a mask, of each group, the first, elsewhere the second.
fn lanes_of(mask: usize, first: &[Integer], second: &[Integer]) -> Vec<Integer> {
    let lane = |i: usize| [second, first][mask >> (i & 3) & 1][i].clone();
    (0..first.len()).map(lane).collect()
}

fn products<Q: Documented>() {
    let ((a, x), (b, y)) = (carried::<Q>(), carried::<Q>());
    let ((c, z), (d, w)) = (factor::<Q>(), factor::<Q>());
    macro_rules! products {
        ($(($lhs:ident $of_lhs:ident, $rhs:ident $of_rhs:ident))*) => {$(
            let product = Q::mul(&$lhs, &$rhs);
            assert_is::<Q>("mul", &product, Q::carried, &map2(&$of_lhs, &$of_rhs, Integer::times));
        )*};
    }
    products!((a x, b y) (c z, d w) (c z, b y) (a x, d w));
    let squares = map2(&x, &x, Integer::times);
    assert_is::<Q>("square", &Q::square(&a), Q::carried, &squares);
    let of_factor = map2(&z, &z, Integer::times);
    assert_is::<Q>("square", &Q::square(&c), Q::carried, &of_factor);
    assert_is::<Q>(
        "square_times",
        &Q::square_times(&a, 1),
        Q::carried,
        &squares,
    );
    assert_is::<Q>(
        "square_times",
        &Q::square_times(&c, 1),
        Q::carried,
        &of_factor,
    );
    // From the second on, each is of a carried one.
    assert_carried("square_times", &Q::square_times(&c, 3));
    let multiples = |x: &[Integer]| map2(x, x, |x, _| x.scaled(121_666));
    assert_is::<Q>("mul_121666", &Q::mul_121666(&c), Q::carried, &multiples(&z));
    assert_is::<Q>("mul_121666", &Q::mul_121666(&a), Q::carried, &multiples(&x));

    assert_carried("select", &Q::select(&a, &b, Q::mask(0)));
    let by = Q::order::<{ order(0, 1, 2, 3) }, { order(3, 0, 0, 2) }>(0.into());
    assert_carried("permute_by", &a.permute_by(by));
    forget();
}

/// A value that no other lane or word has, of which both halves are different ones.
fn tag(lane: usize, word: usize) -> u64 {
    let tag = 2 * (4 * lane + word) as u64;
    (tag + 2) << 32 | (tag + 1)
}

/// Elements from words at rest, and back.
fn words<Q: Documented>() {
    let rows = core::array::from_fn(|lane| core::array::from_fn(|word| tag(lane, word)));
    let (element, _) = at_rest(|| Q::from_lanes(&rows));
    let value_of = |lane: usize| {
        let words = (0..4).flat_map(|word| {
            let (tag, weight) = (tag(lane, word), 64 * word as u32);
            match loaded(tag, 64) {
                Some(number) => [Some((number, weight)), None],
                // In halves.
                None => [(tag & u64::from(u32::MAX), 0), (tag >> 32, 32)]
                    .map(|(half, more)| Some((loaded(half, 32)?, weight + more))),
            }
        });
        Integer::sum(words.flatten())
    };
    let values: Vec<Integer> = (0..Q::lanes()).map(value_of).collect();
    assert_is::<Q>("from_lanes", &element, Q::carried, &values);

    // Zeros in a lane, or the largest value below 2^255: whatever is between.
    let largest = [u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 1];
    let (chosen, _) = at_rest(|| Q::choose([&[0; 4], &largest], &[0b0101, 0b1010], 1));
    assert_carried("choose", &chosen);

    let element = any_carried::<Q>();
    let values = value::<Q>(&element.open());
    let (_, stored) = at_rest(|| element.to_lanes());
    let words = Q::words();
    for (lane, value) in values.iter().enumerate() {
        let number = |i: usize| stored[Q::lanes() * i + lane];
        for (i, &(_, (low, high))) in words.iter().enumerate() {
            assert!(number(i).is_within(low, high), "word {i} of a lane");
        }
        let weighted = words.iter().enumerate();
        let sum = Integer::sum(weighted.map(|(i, &(weight, _))| (number(i), weight)));
        assert!(sum.minus(value).vanishes(), "the words are another value");
    }
    forget();
}

/// The same element from words of another shape.
fn rows<Q: Documented>() {
    let element = any_carried::<Q>();
    let values = value::<Q>(&element.open());
    let again = Q::from_words(&element.to_words());
    assert_is::<Q>("from_words", &again, Q::carried, &values);
    forget();
}

/// Where words at rest are vectors.
#[test]
fn words_of_another_shape() {
    rows::<Radix51x4>();
    rows::<Radix51x8>();
    rows::<Double51>();
    rows::<Whole25>();
}
/// Everything, for one kind of lanes.
macro_rules! kinds {
    ($($name:ident: $lanes:ident;)*) => {$(
        mod $name {
            use super::{$lanes, sums};

            #[test]
            fn sums_and_differences() {
                super::sums_and_differences::<$lanes>();
            }

            #[test]
            fn products() {
                super::products::<$lanes>();
            }

            #[test]
            fn words() {
                super::words::<$lanes>();
            }

            #[test]
            fn wide_products() {
                sums::wide_products::<$lanes>();
            }

            #[test]
            fn wide_sums() {
                sums::wide_sums::<$lanes>();
                sums::values_of_sums::<$lanes>();
            }
        }
    )*};
}

kinds! {
    radix51_in_four_lanes: Radix51x4;
    radix51_in_eight_lanes: Radix51x8;
    double51: Double51;
    whole25_in_two_parts: Whole25;
    whole25_in_one_part: Undivided25;
    narrow25: Narrow25;
    mixed: Mixed25;
    pairs13: Pairs;
}
