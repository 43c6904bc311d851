//! Sums of many multiples, in variable time.

use super::EdwardsPoint;
use super::models::{Cached, Completed, Extended};
use super::straus::{PointAccumulator, Sliding, vartime_straus};
use crate::backend::with_field;
use crate::bytes::words_from_bytes;
use crate::field::Field;
use crate::scalar::Scalar;
use crate::scalar::recode::{signed_radix_into, signed_radix_len};
use crate::traits::VartimeMultiscalarMul;
use alloc::vec::Vec;
use core::borrow::Borrow;

/// From how many points on buckets are faster than a table for each point.
const PIPPENGER_FROM: usize = 190;

/// A vector with room for so many elements, or `None` if there is no memory for it.
fn room<T>(len: usize) -> Option<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(len).ok()?;
    Some(elements)
}

/// The sum of \[a]P over the terms; `None` if there is not enough memory.
#[inline]
fn vartime_sum<F: Field>(terms: &[(Scalar, Extended<F>)]) -> Option<Extended<F>> {
    if terms.len() < PIPPENGER_FROM {
        straus(terms)
    } else {
        pippenger(terms)
    }
}

/// Straus (1964): a table of odd multiples for each point, one chain of doublings
/// for all.
#[inline]
fn straus<F: Field>(terms: &[(Scalar, Extended<F>)]) -> Option<Extended<F>> {
    let mut multiples = room(terms.len())?;
    multiples.extend(terms.iter().map(|(scalar, point)| {
        Sliding::vartime_from_scalar(scalar, Completed::odd_multiples(point))
    }));
    Some(vartime_straus::<Completed<F>>(&multiples[..]).to_point())
}

/// The number of bits of a window for `n` points: near the least of
/// (256 / w) (n + 2^w), the number of additions.
fn window_bits(n: usize) -> u32 {
    match n {
        0..500 => 6,
        500..1_200 => 7,
        1_200..3_000 => 8,
        3_000..8_000 => 9,
        8_000..20_000 => 10,
        20_000..60_000 => 11,
        _ => 12,
    }
}

/// Pippenger (1976): for each window of the scalars, points go to the bucket of
/// their digit, and the buckets are summed with their weights. See also
/// Bernstein, Doumen, Lange and Oosterwijk (2012), section 4.
#[inline]
fn pippenger<F: Field>(terms: &[(Scalar, Extended<F>)]) -> Option<Extended<F>> {
    let bits = window_bits(terms.len());
    let windows = signed_radix_len(255, bits);
    let mut digits = room(terms.len() * windows)?;
    digits.resize(terms.len() * windows, 0i16);
    for ((scalar, _), digits) in terms.iter().zip(digits.chunks_exact_mut(windows)) {
        signed_radix_into(&words_from_bytes(scalar.as_bytes()), bits, digits);
    }
    let mut points: Vec<Cached<F>> = room(terms.len())?;
    points.extend(terms.iter().map(|(_, point)| point.to_cached()));

    let mut buckets = room(1 << (bits - 1))?;
    buckets.resize(1 << (bits - 1), Extended::<F>::IDENTITY);
    let mut sum = Extended::IDENTITY;
    for window in (0..windows).rev() {
        for _ in 0..bits {
            sum = sum.double().to_extended();
        }
        buckets.fill(Extended::IDENTITY);
        for (digits, point) in digits.chunks_exact(windows).zip(&points) {
            let digit = digits[window];
            if digit != 0 {
                let bucket = &mut buckets[usize::from(digit.unsigned_abs()) - 1];
                let result = if digit > 0 {
                    bucket.add(point)
                } else {
                    bucket.sub(point)
                };
                *bucket = result.to_extended();
            }
        }
        // Bucket i has weight i + 1: the sum of all suffix sums.
        let mut suffix = Extended::IDENTITY;
        let mut weighted = Extended::IDENTITY;
        for bucket in buckets.iter().rev() {
            suffix = suffix.add(&bucket.to_cached()).to_extended();
            weighted = weighted.add(&suffix.to_cached()).to_extended();
        }
        sum = sum.add(&weighted.to_cached()).to_extended();
    }
    Some(sum)
}

impl VartimeMultiscalarMul for EdwardsPoint {
    type Point = Self;

    fn optional_multiscalar_mul<I, J>(scalars: I, points: J) -> Option<Self>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator<Item = Option<Self>>,
    {
        with_field!(F => {
            let terms: Option<Vec<(Scalar, Extended<F>)>> = scalars
                .into_iter()
                .zip(points)
                .map(|(scalar, point)| Some((*scalar.borrow(), point?.unpack())))
                .collect();
            let terms = terms?;
            let sum = vartime_sum(&terms);
            let sum = sum.unwrap_or_else(|| {
                alloc::alloc::handle_alloc_error(core::alloc::Layout::for_value(&terms[..]))
            });
            Some(sum.pack())
        })
    }
}

impl EdwardsPoint {
    /// The sum of scalar times point over the pairs, as
    /// [`vartime_multiscalar_mul`](crate::traits::VartimeMultiscalarMul::vartime_multiscalar_mul) gives
    /// it, or `None` if there is not enough memory for it. Variable time.
    ///
    /// # Panics
    ///
    /// If there are not as many points as scalars.
    pub fn try_vartime_multiscalar_mul<'p>(
        scalars: &[Scalar],
        points: impl IntoIterator<Item = &'p Self>,
    ) -> Option<Self> {
        with_field!(F => {
            let mut terms = room(scalars.len())?;
            for point in points.into_iter().take(scalars.len()) {
                // Never beyond the room that there is.
                terms.push((scalars[terms.len()], point.unpack::<F>()));
            }
            assert_eq!(terms.len(), scalars.len());
            Some(vartime_sum(&terms)?.pack())
        })
    }
}
