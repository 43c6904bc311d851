//! Sums of many multiples: in constant time in [`constant_time`], and in variable time:
//!
//! | how | for |
//! |---|---|
//! | Straus: a table for each point, one chain of doublings | few points |
//! | [`buckets`]: Pippenger | many, without lanes |
//! | [`lanes`]: Pippenger, the points of a window sorted by bucket | more than a few, in lanes |
//!
//! Combined checks of signatures are sums of this kind, and what they have in common is made use of: their points come
//! decoded, so with Z = 1, and half of their scalars have 128 bits.

mod buckets;
mod constant_time;
mod lanes;
mod precomputed;

pub use precomputed::VartimeEdwardsPrecomputation;

use super::EdwardsPoint;
use super::base::vartime_join;
use super::models::Extended;
use super::multiples::{CachedMultiples, vartime_straus_in_memory};
use super::pairs::Pairs;
use super::straus::Sliding;
use crate::backend::{self, in_lanes, with_field};
use crate::bytes::words_from_bytes;
use crate::field::chains::invert;
use crate::field::{Field, Packed};
use crate::scalar::Scalar;
use crate::traits::VartimeMultiscalarMul;
use alloc::vec::Vec;
use core::borrow::Borrow;

/// From how many points on buckets in eight lanes are faster than Straus.
const EIGHT_LANES_FROM: usize = 9;
/// The same for four lanes: single elements are fast beside those of AVX2. Beside NEON sums are left to them: in lanes
/// they take as many products, and points that are sorted and gathered take a third of the instructions more.
const FOUR_LANES_FROM: usize = if cfg!(target_arch = "x86_64") {
    44
} else if cfg!(target_arch = "aarch64") {
    usize::MAX
} else {
    22
};

/// So many terms are summed at once: it bounds the memory, which is about 500 bytes a term in lanes, and more terms
/// at once would save little.
const CHUNK: usize = 1 << 13;

/// A vector with room for so many elements, or `None` if there is no memory for it.
fn room<T>(len: usize) -> Option<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(len).ok()?;
    Some(elements)
}

/// Pairs of a scalar and a point, those with long scalars first.
struct Terms {
    scalars: Vec<[u64; 4]>,
    points: Vec<EdwardsPoint>,
    /// How many have scalars of more than 128 bits.
    long: usize,
    /// All scalars are below 2^bits.
    bits: u32,
    /// The scalars from `long` on are below 2^short_bits.
    short_bits: u32,
}

fn bits_of(scalar: &[u64; 4]) -> u32 {
    let top = (0..4).rev().find(|&i| scalar[i] != 0);
    top.map_or(0, |i| 64 * (i as u32 + 1) - scalar[i].leading_zeros())
}

impl Terms {
    fn new(len: usize) -> Option<Self> {
        Some(Self {
            scalars: room(len)?,
            points: room(len)?,
            long: 0,
            bits: 1,
            short_bits: 0,
        })
    }

    /// Never beyond the room that there is.
    fn push(&mut self, scalar: &Scalar, point: &EdwardsPoint) {
        let scalar = words_from_bytes(scalar.as_bytes());
        let bits = bits_of(&scalar);
        self.bits = self.bits.max(bits);
        self.scalars.push(scalar);
        self.points.push(*point);
        if bits > 128 {
            let last = self.points.len() - 1;
            self.scalars.swap(self.long, last);
            self.points.swap(self.long, last);
            self.long += 1;
        } else {
            self.short_bits = self.short_bits.max(bits);
        }
    }

    /// Makes Z = 1, with one inversion for all points (Montgomery's trick).
    #[inline]
    fn normalize<F: Field>(&mut self) {
        if self.points.iter().all(|point| point.z.0 == Packed::ONE.0) {
            return;
        }
        let projective = |point: &&mut EdwardsPoint| point.z.0 != Packed::ONE.0;
        // Until the last pass T's place keeps the product of the Z before.
        let mut product = F::ONE;
        for point in self.points.iter_mut().filter(projective) {
            point.t = product.to_packed();
            product = F::mul(&product, &F::from_packed(&point.z));
        }
        let mut inverse = invert(&product);
        for point in self.points.iter_mut().rev().filter(projective) {
            let Extended { x, y, z, t: before } = point.unpack::<F>();
            let z_inverse = F::mul(&inverse, &before);
            inverse = F::mul(&inverse, &z);
            let (x, y) = (F::mul(&x, &z_inverse), F::mul(&y, &z_inverse));
            *point = Extended {
                x,
                y,
                z: F::ONE,
                t: F::mul(&x, &y),
            }
            .pack();
            point.z = Packed::ONE;
        }
    }
}

/// The sum of \[a]P over the terms; `None` if there is not enough memory.
#[inline]
fn vartime_sum(terms: &mut Terms) -> Option<EdwardsPoint> {
    let from = match backend::lanes() {
        8 => EIGHT_LANES_FROM,
        4 => FOUR_LANES_FROM,
        _ => usize::MAX,
    };
    if terms.points.len() >= from {
        with_field!(F => terms.normalize::<F>());
        if let Ok(parts) = in_lanes(lanes::VartimeBuckets(terms)) {
            let parts = parts?;
            return Some(vartime_join(&parts.sums, parts.shift));
        }
    }
    with_field!(F => {
        let (width, by_buckets) = buckets::plan(terms);
        let sum = if straus_cost(terms) <= by_buckets {
            straus::<F>(terms)?
        } else {
            terms.normalize::<F>();
            buckets::pippenger::<F>(terms, width)?
        };
        Some(sum.pack())
    })
}

/// What Straus takes, in products.
fn straus_cost(terms: &Terms) -> usize {
    let short = terms.points.len() - terms.long;
    // A table of eight, and an addition of eight products for each sixth bit.
    let one = |bits: u32| 8 * 9 + bits as usize * 8 / 6;
    terms.long * one(terms.bits) + short * one(terms.short_bits) + 7 * terms.bits as usize
}

/// Straus (1964): a table of odd multiples for each point, one chain of doublings
/// for all.
#[inline]
fn straus<F: Field>(terms: &Terms) -> Option<Extended<F>> {
    let mut multiples = room(terms.points.len())?;
    multiples.extend(
        terms
            .scalars
            .iter()
            .zip(&terms.points)
            .map(|(scalar, point)| {
                Sliding::vartime_new::<4>(scalar, CachedMultiples::<F>::new(&point.unpack()))
            }),
    );
    Some(vartime_straus_in_memory::<F>(&multiples[..]))
}

impl VartimeMultiscalarMul for EdwardsPoint {
    type Point = Self;

    fn optional_multiscalar_mul<I, J>(scalars: I, points: J) -> Option<Self>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator<Item = Option<Self>>,
    {
        let pairs: Option<Vec<(Scalar, Self)>> = Pairs::new(scalars, points)
            .map(|(scalar, point)| Some((*scalar.borrow(), point?)))
            .collect();
        let pairs = pairs?;
        let terms = pairs.iter().map(|(scalar, point)| (*scalar, point));
        Some(
            vartime_sum_in_chunks(terms, pairs.len()).unwrap_or_else(|| {
                alloc::alloc::handle_alloc_error(core::alloc::Layout::for_value(&pairs[..]))
            }),
        )
    }
}

/// The sum over so many terms, of which there must be as many, chunk by chunk; `None` if there is not enough memory.
fn vartime_sum_in_chunks<'p>(
    mut terms: impl Iterator<Item = (Scalar, &'p EdwardsPoint)>,
    mut len: usize,
) -> Option<EdwardsPoint> {
    let mut sum = EdwardsPoint::default();
    while len > 0 {
        let mut chunk = Terms::new(len.min(CHUNK))?;
        let size = len.min(CHUNK);
        for _ in 0..size {
            let (scalar, point) = terms.next().expect("len terms");
            chunk.push(&scalar, point);
        }
        sum += vartime_sum(&mut chunk)?;
        len -= size;
    }
    Some(sum)
}

impl EdwardsPoint {
    /// The sum of scalar times point over the pairs, as
    /// [`vartime_multiscalar_mul`](crate::traits::VartimeMultiscalarMul::vartime_multiscalar_mul) gives
    /// it, or `None` if there is not enough memory for it. It takes up to 2 kilobytes for
    /// each pair, and for at most 2^13 pairs at once. Variable time.
    ///
    /// # Panics
    ///
    /// If there are not as many points as scalars.
    pub fn try_vartime_multiscalar_mul<'p>(
        scalars: &[Scalar],
        points: impl IntoIterator<Item = &'p Self>,
    ) -> Option<Self> {
        let mut terms = Pairs::new(scalars.iter().copied(), points);
        let sum = vartime_sum_in_chunks(&mut terms, scalars.len())?;
        // The pairs panic here if there are more points.
        assert!(terms.next().is_none(), "len terms");
        Some(sum)
    }
}
