//! Multiples of any point by secrets, in constant time, with the coordinates of the point in lanes.

use super::quad::{QuadCached, QuadPoint};
use crate::backend::{InLanes, Kind};
use crate::edwards::EdwardsPoint;
use crate::edwards::straus::Accumulator;
use crate::field::lanes::{Engine, Quads};
use lanner_simd::stack::Overwrite;

/// \[n]P for n = sum of digits\[i] 16^i, with digits in -8..=8.
pub(super) struct Mul<'a> {
    pub(super) point: &'a EdwardsPoint,
    pub(super) digits: &'a [i8; 64],
}

impl InLanes for Mul<'_> {
    type Output = EdwardsPoint;

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        kind.shares && cfg!(target_arch = "x86_64")
    }

    #[inline(always)]
    fn run<E: Engine>(self) -> EdwardsPoint {
        mul::<E::Quad>(self.point, self.digits)
    }

    #[inline(always)]
    fn overwrite_stack(_kind: Kind, with: impl Overwrite) {
        with.overwrite::<8192>();
    }
}

#[inline(always)]
fn mul<Q: Quads>(point: &EdwardsPoint, digits: &[i8; 64]) -> EdwardsPoint {
    let first = QuadPoint::<Q>::new(point);
    let one = first.to_cached();
    let mut window = [one; 8];
    let mut multiple = first;
    for entry in &mut window[1..] {
        multiple = multiple.add(&one);
        *entry = multiple.to_cached();
    }
    let mut sum = QuadPoint::<Q>::identity();
    for &digit in digits.iter().rev() {
        for _ in 0..4 {
            sum = sum.double();
        }
        sum = sum.add(&QuadCached::select(&window, digit));
    }
    sum.pack()
}
