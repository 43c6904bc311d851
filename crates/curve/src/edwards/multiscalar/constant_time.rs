//! Sums of multiples by secret scalars: Straus (1964) with fixed windows, in constant time.
//!
//! Each point has a table of its multiples 1 to 8, of which every entry is read for each digit; the doublings are shared.
//! In lanes the points are dealt out, each lane doubles and adds for itself, and the sums of the lanes meet at the
//! end.

use super::super::models::{Cached, Completed, Extended, Projective};
use super::super::pairs::Pairs;
use super::super::variable_base;
use crate::backend::{self, HAS_FIAT, InLanes, Kind, in_lanes, with_field};
use crate::edwards::EdwardsPoint;
use crate::field::lanes::{Engine, Lanes, MAX_LANES};
use crate::field::{Arithmetic, Field};
use crate::scalar::Scalar;
use crate::scalar::recode::{digit_masks, signed_radix};
use crate::traits::MultiscalarMul;
use alloc::vec::Vec;
use core::borrow::Borrow;
use lanner_simd::stack::{Overwrite, cleared};
use zeroize::{Zeroize, optimization_barrier};

/// So many terms are summed at once: it bounds the memory, which is about 1.6 kilobytes a term, and more terms at once
/// would save little.
const CHUNK: usize = 512;

/// From how many terms on eight lanes are faster than single elements.
const EIGHT_LANES_FROM: usize = 3;
/// The same for four lanes.
const FOUR_LANES_FROM: usize = 8;

/// How deep the frames are that collect the terms and add up the sums.
const CALLER_DEPTH: usize = 3072;

/// How deep on the stack a sum without lanes goes, whatever the representation.
const SUM_DEPTH: usize = if HAS_FIAT { 6336 } else { 5440 };

/// Terms of a sum: the digits of scalars in radix 16, and points.
struct Terms {
    digits: Vec<[i8; 64]>,
    points: Vec<EdwardsPoint>,
}

impl Terms {
    /// With room for so many, so that nothing is left behind where vectors were.
    fn new(len: usize) -> Self {
        Self {
            digits: Vec::with_capacity(len),
            points: Vec::with_capacity(len),
        }
    }

    /// Whether one more term goes in without another vector.
    fn has_room(&self) -> bool {
        self.points.len() < self.points.capacity().min(self.digits.capacity())
    }

    fn push(&mut self, scalar: &Scalar, point: &EdwardsPoint) {
        self.digits.push([0; 64]);
        let digits = self.digits.last_mut().expect("it was pushed");
        signed_radix::<4, 64>(scalar.as_bytes(), digits);
        self.points.push(*point);
    }

    /// The sum of all terms.
    fn sum(&self) -> EdwardsPoint {
        let from = match backend::lanes() {
            8 => EIGHT_LANES_FROM,
            _ => FOUR_LANES_FROM,
        };
        if self.points.len() >= from
            && let Ok(sum) = in_lanes(SumInLanes(self))
        {
            return sum;
        }
        cleared::<SUM_DEPTH, _>(|| with_field!(F => self.sum_single::<F>().pack()))
    }

    #[inline]
    fn sum_single<F: Field>(&self) -> Extended<F> {
        let mut windows = Windows::with_capacity(self.points.len());
        for point in &self.points {
            windows.0.push([Cached::IDENTITY; 8]);
            let window = windows.0.last_mut().expect("it was pushed");
            variable_base::fill(window, &point.unpack());
        }
        let mut sum: Completed<F> = Projective::IDENTITY.double();
        for position in (0..64).rev() {
            for _ in 0..4 {
                sum = sum.to_projective().double();
            }
            for (window, digits) in windows.0.iter().zip(&self.digits) {
                let entry = variable_base::select(window, digits[position]);
                sum = sum.to_extended().add(&entry);
            }
        }
        sum.to_extended()
    }
}

impl Drop for Terms {
    fn drop(&mut self) {
        self.digits.as_mut_slice().as_flattened_mut().zeroize();
        self.points.zeroize();
    }
}

/// The multiples of points, overwritten when dropped.
struct Windows<F: Arithmetic>(Vec<[Cached<F>; 8]>);

impl<F: Arithmetic> Windows<F> {
    #[inline(always)]
    fn with_capacity(len: usize) -> Self {
        Self(Vec::with_capacity(len))
    }
}

impl<F: Arithmetic> Drop for Windows<F> {
    #[inline(always)]
    fn drop(&mut self) {
        for window in &mut self.0 {
            *window = [Cached::IDENTITY; 8];
        }
        optimization_barrier(&self.0[..]);
    }
}

/// The sum in lanes.
struct SumInLanes<'a>(&'a Terms);

impl InLanes for SumInLanes<'_> {
    type Output = EdwardsPoint;
    const FIELD_BESIDE_DOUBLES: bool = true;

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        kind.shares
    }

    #[inline(always)]
    fn run<E: Engine>(self) -> EdwardsPoint {
        let lanes = E::Many::LANES;
        let Terms { digits, points } = self.0;
        let mut windows = Windows::<E::Many>::with_capacity(points.len().div_ceil(lanes));
        for points in points.chunks(lanes) {
            let mut group = [EdwardsPoint::default(); MAX_LANES];
            group[..points.len()].copy_from_slice(points);
            windows.0.push([Cached::IDENTITY; 8]);
            let window = windows.0.last_mut().expect("it was pushed");
            fill(window, Extended::gather(&group));
        }
        let mut sum: Completed<E::Many> = Projective::IDENTITY.double_inline();
        for position in (0..64).rev() {
            for _ in 0..4 {
                sum = sum.to_projective_inline().double_inline();
            }
            for (window, digits) in windows.0.iter().zip(digits.chunks(lanes)) {
                let mut bytes = 0;
                for (lane, digits) in digits.iter().enumerate() {
                    bytes |= u64::from(digits[position] as u8) << (8 * lane);
                }
                let entry = select(window, bytes);
                sum = sum.to_extended_inline().add_inline(&entry);
            }
        }
        sum_of_lanes::<E>(&sum.to_extended_inline()).pack()
    }

    #[inline(always)]
    fn overwrite_stack(_kind: Kind, with: impl Overwrite) {
        // Lanes of 32-bit x86 have few registers.
        if cfg!(target_arch = "x86") {
            with.overwrite::<21504>();
        } else {
            with.overwrite::<19456>();
        }
    }
}

/// The multiples 1 to 8 of the points in the lanes.
#[inline(always)]
fn fill<L: Lanes>(window: &mut [Cached<L>; 8], points: Extended<L>) {
    let first = points.to_cached();
    let mut multiple = points;
    window[0] = first;
    for entry in &mut window[1..] {
        multiple = multiple.add_inline(&first).to_extended_inline();
        *entry = multiple.to_cached();
    }
}

/// In each lane \[digit] for the digit in its byte, in -8..=8: reads all eight entries.
#[inline(always)]
fn select<L: Lanes>(window: &[Cached<L>; 8], digits: u64) -> Cached<L> {
    let (masks, negative) = digit_masks(digits);
    let mut entry = Cached::IDENTITY;
    for (multiple, mask) in window.iter().zip(masks) {
        entry = Cached::select(&entry, multiple, L::mask(mask));
    }
    entry.conditional_negate(L::mask(negative));
    entry
}

/// The sum of the points in all lanes.
#[inline(always)]
fn sum_of_lanes<E: Engine>(points: &Extended<E::Many>) -> Extended<E::Field> {
    let (x, y) = (points.x.to_lanes(), points.y.to_lanes());
    let (z, t) = (points.z.to_lanes(), points.t.to_lanes());
    let mut sum = Extended::<E::Field>::IDENTITY;
    for lane in 0..E::Many::LANES {
        let point = EdwardsPoint {
            x: x[lane],
            y: y[lane],
            z: z[lane],
            t: t[lane],
        };
        sum = sum.add(&point.unpack().to_cached()).to_extended();
    }
    sum
}

/// In constant time: the doublings are shared, and lanes share the terms out. It takes up to 1.6 kilobytes for each
/// term, and for at most 512 terms at once; all of it is overwritten in the end.
impl MultiscalarMul for EdwardsPoint {
    type Point = Self;

    fn multiscalar_mul<I, J>(scalars: I, points: J) -> Self
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Self>,
    {
        cleared::<CALLER_DEPTH, _>(|| {
            let mut all = Pairs::new(scalars, points).peekable();
            let mut sum = Self::default();
            while all.peek().is_some() {
                // An iterator may know how many there are.
                let mut terms = Terms::new(CHUNK.min(all.size_hint().0.max(16)));
                while terms.has_room() {
                    let Some((scalar, point)) = all.next() else {
                        break;
                    };
                    terms.push(scalar.borrow(), point.borrow());
                }
                sum += terms.sum();
            }
            sum
        })
    }
}
