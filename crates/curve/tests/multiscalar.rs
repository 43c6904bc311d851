//! Sums of many multiples, on every backend.
#![cfg(feature = "alloc")]

mod common;

use common::{cases, on_every_backend, points, scalars};
use lanner_curve::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION, RISTRETTO_BASEPOINT_POINT};
use lanner_curve::edwards::{EdwardsPoint, VartimeEdwardsPrecomputation};
use lanner_curve::ristretto::RistrettoPoint;
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::{
    MultiscalarMul, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul,
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn sums_of_few_multiples(terms in prop::collection::vec((scalars(), points()), 0..6)) {
        on_every_backend(|_| {
            let (scalars, points): (Vec<_>, Vec<_>) = terms.iter().copied().unzip();
            let expected: EdwardsPoint = terms.iter().map(|(s, p)| s * p).sum();
            assert_eq!(EdwardsPoint::multiscalar_mul(&scalars, &points), expected);
            assert_eq!(EdwardsPoint::vartime_multiscalar_mul(&scalars, &points), expected);
        });
    }
}

/// Scalars, and points whose multiples of the base are known, with torsion; and the sum.
struct Terms {
    scalars: Vec<Scalar>,
    points: Vec<EdwardsPoint>,
    sum: EdwardsPoint,
}

impl Terms {
    /// From scalars, and as many logarithms and components of small order.
    fn new(terms: impl Iterator<Item = (Scalar, Scalar, EdwardsPoint)>) -> Self {
        let (mut scalars, mut points) = (Vec::new(), Vec::new());
        let mut log = Scalar::ZERO;
        let mut torsion = EdwardsPoint::default();
        // Logarithms repeat.
        let mut known: Vec<(Scalar, EdwardsPoint)> = Vec::new();
        for (scalar, point_log, small) in terms {
            let point = match known.iter().find(|(log, _)| *log == point_log) {
                Some(&(_, point)) => point,
                None => {
                    let point = EdwardsPoint::mul_base(&point_log);
                    known.push((point_log, point));
                    point
                }
            };
            log += scalar * point_log;
            torsion += small * Scalar::from(u64::from(scalar[0] & 7));
            scalars.push(scalar);
            points.push(point + small);
        }
        Self {
            scalars,
            points,
            sum: EdwardsPoint::mul_base(&log) + torsion,
        }
    }

    /// The points with Z = 1, as decoding gives them.
    fn decoded(mut self) -> Self {
        for point in &mut self.points {
            *point = point.compress().decompress().expect("it is a point");
        }
        self
    }

    fn check(&self, what: &str) {
        let n = self.points.len();
        on_every_backend(|backend| {
            assert_eq!(
                EdwardsPoint::vartime_multiscalar_mul(&self.scalars, &self.points),
                self.sum,
                "{n} {what}, {backend}"
            );
            assert_eq!(
                EdwardsPoint::try_vartime_multiscalar_mul(&self.scalars, &self.points),
                Some(self.sum),
                "{n} {what}, {backend}"
            );
        });
    }
}

/// Scalars of every length, and at the edges of the recodings.
fn scalar(i: u64) -> Scalar {
    let wide = Scalar::from_bytes_mod_order_wide(&[(7 * i + 3) as u8; 64]);
    match i % 13 {
        0 => -Scalar::from(i),
        1 => Scalar::from(i),
        2 => Scalar::from_bytes_mod_order([i as u8; 32]),
        3 => Scalar::ZERO,
        4 => Scalar::ONE,
        5 => -Scalar::ONE,
        6 => Scalar::from(u128::MAX),
        7 => Scalar::from(u128::MAX) + Scalar::ONE,
        8 => Scalar::from(0x8080_8080_8080_8080_8080_8080_8080_8080u128 >> (i % 29)),
        _ => wide,
    }
}

/// A term of every kind: points repeat, as equal ones and as P and -P, and some have a component of small
/// order.
fn term(i: u64) -> (Scalar, Scalar, EdwardsPoint) {
    let log = Scalar::from(i % 11) * Scalar::from(u64::MAX);
    let log = if i.is_multiple_of(3) { -log } else { log };
    (scalar(i), log, EIGHT_TORSION[(i / 5 % 8) as usize])
}

/// Around the sizes at which buckets take over, where their windows widen, and where lanes are full.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn sums_of_many_multiples() {
    let sizes = (0..40).chain([63, 64, 65, 129, 188, 190, 257, 500, 513, 1200, 2049]);
    for n in sizes {
        Terms::new((0..n).map(term)).check("terms");
        Terms::new((0..n).map(term))
            .decoded()
            .check("decoded terms");
    }
}

/// The sum is cut into chunks of 2^13.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn sums_of_more_multiples_than_are_summed_at_once() {
    for n in [8192, 16385] {
        Terms::new((0..n).map(term)).check("terms");
    }
}

/// In constant time, around the sizes at which lanes are full and a group ends.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn constant_time_sums() {
    for n in (0..20).chain([33, 64, 511, 512, 513]) {
        let terms = Terms::new((0..n).map(term));
        on_every_backend(|backend| {
            assert_eq!(
                EdwardsPoint::multiscalar_mul(&terms.scalars, &terms.points),
                terms.sum,
                "{n} terms, {backend}"
            );
            // Of an iterator that does not know how many there are.
            let points = terms.points.iter().filter(|_| true);
            let scalars = terms.scalars.iter().filter(|_| true);
            assert_eq!(EdwardsPoint::multiscalar_mul(scalars, points), terms.sum);
        });
    }
}

/// With tables of some of the points, of all, and of more than there are scalars.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn sums_with_tables() {
    for n in [0, 1, 2, 7, 20, 130, 260] {
        let terms = Terms::new((0..n).map(term));
        let (scalars, points) = (&terms.scalars[..], &terms.points[..]);
        on_every_backend(|backend| {
            for of_tables in [0, points.len() / 3, points.len()] {
                let tables = VartimeEdwardsPrecomputation::new(&points[..of_tables]);
                assert_eq!(tables.len(), of_tables);
                assert_eq!(tables.is_empty(), of_tables == 0);
                let (first, rest) = scalars.split_at(of_tables);
                let sum = tables.vartime_mixed_multiscalar_mul(first, rest, &points[of_tables..]);
                assert_eq!(sum, terms.sum, "{n} terms, {of_tables} tables, {backend}");
            }
            let tables = VartimeEdwardsPrecomputation::new(points);
            assert_eq!(tables.vartime_multiscalar_mul(scalars), terms.sum);
            let few = &scalars[..scalars.len() / 2];
            let expected = EdwardsPoint::vartime_multiscalar_mul(few, &points[..few.len()]);
            assert_eq!(tables.vartime_multiscalar_mul(few), expected);
        });
    }
}

#[test]
#[should_panic(expected = "more static scalars than static points")]
fn a_table_for_each_scalar() {
    let tables = VartimeEdwardsPrecomputation::new([ED25519_BASEPOINT_POINT]);
    let _ = tables.vartime_multiscalar_mul([Scalar::ONE; 2]);
}

#[test]
fn a_missing_dynamic_point_is_told() {
    let tables = VartimeEdwardsPrecomputation::new([ED25519_BASEPOINT_POINT]);
    let none = tables.optional_mixed_multiscalar_mul([Scalar::ONE], [Scalar::ONE], [None]);
    assert_eq!(none, None);
    // Before what would panic.
    let none = tables.optional_mixed_multiscalar_mul([Scalar::ONE; 2], [Scalar::ONE], [None]);
    assert_eq!(none, None);
}

#[test]
fn a_precomputation_shows_its_length_alone() {
    let tables = VartimeEdwardsPrecomputation::new([ED25519_BASEPOINT_POINT; 3]);
    let shown = format!("{tables:?}");
    assert_eq!(shown, "VartimeEdwardsPrecomputation(3 points)");
}

/// As a combined check of signatures has them: half of the scalars have 128 bits. And sums of these alone.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn sums_with_short_scalars() {
    let coefficient = |i: u64| {
        let wide = scalar(13 * i + 12).to_bytes();
        Scalar::from(u128::from_le_bytes(*wide.first_chunk().unwrap()) << (i % 3))
    };
    for n in [4, 9, 16, 33, 64, 200, 1024] {
        let long = (0..=n).map(|i| (scalar(13 * i + 11), Scalar::from(i), EIGHT_TORSION[0]));
        let short = (0..n).map(|i| {
            let (_, log, small) = term(i);
            (coefficient(i), log, small)
        });
        Terms::new(short.clone().chain(long))
            .decoded()
            .check("of a batch");
        Terms::new(short).decoded().check("short scalars");
    }
}

/// Short scalars of ones, of which the last digit carries into a window that would not be looked at if it were left out.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn sums_with_short_scalars_that_carry() {
    for bits in 100..=128 {
        let ones = Scalar::from(u128::MAX >> (128 - bits));
        for n in [200, 700] {
            let long = (0..3).map(|i| (scalar(13 * i + 11), Scalar::from(i), EIGHT_TORSION[0]));
            let short = (0..n).map(|i| {
                let (_, log, small) = term(i);
                (ones, log, small)
            });
            Terms::new(short.chain(long))
                .decoded()
                .check(&format!("with scalars of {bits} ones"));
        }
    }
}

/// All points go to one bucket of each window, which is cut into pieces.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn sums_with_one_scalar() {
    for n in [17u64, 64, 300, 1000] {
        for scalar in [
            Scalar::ZERO,
            Scalar::ONE,
            -Scalar::ONE,
            Scalar::from(u128::MAX),
            scalar(12),
        ] {
            let same = (0..n).map(|_| (scalar, Scalar::from(5u64), EIGHT_TORSION[1]));
            Terms::new(same).check("equal terms");
            let opposite = (0..n).map(|i| {
                let log = Scalar::from(i / 2 + 1);
                let log = if i.is_multiple_of(2) { log } else { -log };
                (scalar, log, EIGHT_TORSION[(i % 2 * 4) as usize])
            });
            Terms::new(opposite).decoded().check("opposite terms");
        }
    }
}

/// Sums that are the neutral element, and sums of neutral elements.
#[test]
fn sums_of_nothing() {
    for n in [0, 1, 20, 100] {
        let neutral = (0..n).map(|i| (scalar(i), Scalar::ZERO, EIGHT_TORSION[0]));
        Terms::new(neutral).decoded().check("neutral elements");
        let small = (0..n).map(|i| (scalar(i), Scalar::ZERO, EIGHT_TORSION[(i % 8) as usize]));
        Terms::new(small).decoded().check("points of small order");
    }
}

/// A sum that left out the terms without a partner would be a wrong verdict that nobody sees. The lengths are such as
/// every way of summing takes, and on both sides of a chunk's end; the iterators do not tell them.
#[test]
#[cfg_attr(not(panic = "unwind"), ignore = "panics are not caught")]
fn there_are_as_many_points_as_scalars() {
    /// By name, of so many scalars and so many points.
    type Sum = (&'static str, fn(usize, usize));
    let sums: [Sum; 5] = [
        ("in constant time", |scalars, points| {
            EdwardsPoint::multiscalar_mul(untold(Scalar::ONE, scalars), untold(BASE, points));
        }),
        ("in variable time", |scalars, points| {
            let points = untold(BASE, points);
            EdwardsPoint::vartime_multiscalar_mul(untold(Scalar::ONE, scalars), points);
        }),
        ("of Ristretto", |scalars, points| {
            let points = untold(RISTRETTO_BASEPOINT_POINT, points);
            RistrettoPoint::vartime_multiscalar_mul(untold(Scalar::ONE, scalars), points);
        }),
        ("that may fail", |scalars, points| {
            let points = vec![BASE; points];
            let _ = EdwardsPoint::try_vartime_multiscalar_mul(&vec![Scalar::ONE; scalars], &points);
        }),
        ("beside tables", |scalars, points| {
            let tables = VartimeEdwardsPrecomputation::new([BASE]);
            let scalars = untold(Scalar::ONE, scalars);
            tables.vartime_mixed_multiscalar_mul([Scalar::ONE], scalars, untold(BASE, points));
        }),
    ];
    for (name, sum) in sums {
        for (scalars, points) in [
            (0, 1),
            (1, 0),
            (2, 1),
            (1, 2),
            (100, 99),
            (512, 513),
            (8193, 8192),
        ] {
            let refused = std::panic::catch_unwind(|| sum(scalars, points)).expect_err(name);
            let words = refused.downcast_ref::<&str>();
            assert_eq!(words, Some(&"not as many points as scalars"), "{name}");
        }
    }
}

const BASE: EdwardsPoint = ED25519_BASEPOINT_POINT;

/// An iterator that does not know how long it is.
fn untold<T: Clone>(element: T, len: usize) -> impl Iterator<Item = T> {
    let mut left = len;
    std::iter::from_fn(move || {
        left = left.checked_sub(1)?;
        Some(element.clone())
    })
}

#[test]
fn a_missing_point_is_told() {
    let scalars = [Scalar::ONE; 2];
    let points = [Some(ED25519_BASEPOINT_POINT), None];
    assert_eq!(
        EdwardsPoint::optional_multiscalar_mul(scalars, points),
        None
    );
}
