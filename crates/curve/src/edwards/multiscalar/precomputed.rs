//! Sums in which some points take part many times.

use super::super::models::Extended;
use super::super::multiples::{CachedMultiples, vartime_straus_in_memory};
use super::super::niels::PackedNiels;
use super::super::pairs::Pairs;
use super::super::straus::Sliding;
use super::vartime_sum_in_chunks;
use crate::backend::{self, with_field};
use crate::bytes::words_from_bytes;
use crate::edwards::EdwardsPoint;
use crate::field::Field;
use crate::scalar::Scalar;
use crate::traits::VartimePrecomputedMultiscalarMul;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;

/// How many odd multiples a point has: digits of width 8.
const ODD_MULTIPLES: usize = 64;

/// From how many points on a sum in eight lanes is faster without the tables, which save half of the products of a point
/// and more.
const EIGHT_LANES_FROM: usize = 20;
/// The same for four lanes, beside which single elements are fast; beside NEON sums are left to those.
const FOUR_LANES_FROM: usize = if cfg!(target_arch = "aarch64") {
    usize::MAX
} else {
    256
};

/// Tables of multiples of points that take part in many sums, 6 kilobytes a point.
///
/// For many points a sum in lanes, as by [`VartimeMultiscalarMul`](crate::traits::VartimeMultiscalarMul), is faster than
/// tables are, and is what is computed then: with AVX-512 from 20 on, with AVX2 from 256.
///
/// ```
/// use lanner_curve::edwards::{EdwardsPoint, VartimeEdwardsPrecomputation};
/// use lanner_curve::scalar::Scalar;
/// use lanner_curve::traits::VartimePrecomputedMultiscalarMul;
///
/// let [two, three, four] = [2u64, 3, 4].map(Scalar::from);
/// let points = [two, three].map(|scalar| EdwardsPoint::mul_base(&scalar));
/// let tables = VartimeEdwardsPrecomputation::new(points);
/// let dynamic = EdwardsPoint::mul_base(&four);
/// let sum = tables.vartime_mixed_multiscalar_mul([four, two], [three], [dynamic]);
/// assert_eq!(sum, EdwardsPoint::mul_base(&Scalar::from(8u64 + 6 + 12)));
/// ```
#[derive(Clone)]
pub struct VartimeEdwardsPrecomputation {
    points: Vec<EdwardsPoint>,
    tables: Vec<[PackedNiels; ODD_MULTIPLES]>,
}

/// The odd multiples P, 3P, 5P, ….
#[inline]
fn odd_multiples<F: Field>(point: &Extended<F>) -> [PackedNiels; ODD_MULTIPLES] {
    let twice = point.double().to_extended().to_cached();
    let mut multiples = [*point; ODD_MULTIPLES];
    for i in 1..ODD_MULTIPLES {
        multiples[i] = multiples[i - 1].add(&twice).to_extended();
    }
    let mut packed = [[[0; 4]; 3]; ODD_MULTIPLES];
    Extended::pack_niels::<ODD_MULTIPLES>(&multiples, &mut packed);
    packed
}

/// Straus's sum over both kinds of terms.
#[inline]
fn vartime_sum<F: Field>(
    tables: &[[PackedNiels; ODD_MULTIPLES]],
    static_scalars: &[Scalar],
    dynamic: &[(Scalar, EdwardsPoint)],
) -> EdwardsPoint {
    let of_tables: Vec<_> = static_scalars
        .iter()
        .zip(tables)
        .map(|(scalar, table)| Sliding::vartime_from_scalar(scalar, &table[..]))
        .collect();
    let others: Vec<_> = dynamic
        .iter()
        .map(|(scalar, point)| {
            let words = words_from_bytes(scalar.as_bytes());
            Sliding::vartime_new::<4>(&words, CachedMultiples::<F>::new(&point.unpack()))
        })
        .collect();
    vartime_straus_in_memory::<F>(&(&of_tables[..], &others[..])).pack()
}

impl VartimePrecomputedMultiscalarMul for VartimeEdwardsPrecomputation {
    type Point = EdwardsPoint;

    fn new<I>(static_points: I) -> Self
    where
        I: IntoIterator,
        I::Item: Borrow<EdwardsPoint>,
    {
        let points: Vec<EdwardsPoint> = static_points
            .into_iter()
            .map(|point| *point.borrow())
            .collect();
        let tables = with_field!(F => {
            points.iter().map(|point| odd_multiples::<F>(&point.unpack())).collect()
        });
        Self { points, tables }
    }

    fn len(&self) -> usize {
        self.points.len()
    }

    fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// # Panics
    ///
    /// If there are more static scalars than static points, or not as many dynamic points as dynamic scalars.
    fn optional_mixed_multiscalar_mul<I, J, K>(
        &self,
        static_scalars: I,
        dynamic_scalars: J,
        dynamic_points: K,
    ) -> Option<EdwardsPoint>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Scalar>,
        K: IntoIterator<Item = Option<EdwardsPoint>>,
    {
        let static_scalars: Vec<Scalar> = static_scalars
            .into_iter()
            .map(|scalar| *scalar.borrow())
            .collect();
        let dynamic: Option<Vec<(Scalar, EdwardsPoint)>> =
            Pairs::new(dynamic_scalars, dynamic_points)
                .map(|(scalar, point)| Some((*scalar.borrow(), point?)))
                .collect();
        // First a point that is missing, as in curve25519-dalek.
        let dynamic = dynamic?;
        assert!(
            static_scalars.len() <= self.points.len(),
            "more static scalars than static points"
        );

        let count = static_scalars.len() + dynamic.len();
        let from = match backend::lanes() {
            8 => EIGHT_LANES_FROM,
            4 => FOUR_LANES_FROM,
            _ => usize::MAX,
        };
        if count >= from {
            let of_tables = static_scalars.iter().copied().zip(&self.points);
            let others = dynamic.iter().map(|(scalar, point)| (*scalar, point));
            // Without enough memory for that there is still Straus's sum.
            if let Some(sum) = vartime_sum_in_chunks(of_tables.chain(others), count) {
                return Some(sum);
            }
        }
        Some(with_field!(F => vartime_sum::<F>(&self.tables, &static_scalars, &dynamic)))
    }
}

impl fmt::Debug for VartimeEdwardsPrecomputation {
    /// Shows how many points there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VartimeEdwardsPrecomputation({} points)", self.len())
    }
}
