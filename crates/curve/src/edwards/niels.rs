//! Affine points as tables keep them, and their addition.

use crate::edwards::models::{Completed, Extended};
use crate::edwards::straus::{AddedTo, OddMultiples};
#[cfg(any(feature = "alloc", feature = "precomputed-tables"))]
use crate::field::chains::invert;
#[cfg(feature = "precomputed-tables")]
use crate::field::chains::vartime_invert;
use crate::field::lanes::{Lanes, MAX_LANES};
use crate::field::{Arithmetic, Field, Packed};

/// (y + x, y - x, 2dxy) of an affine point.
#[derive(Clone, Copy)]
pub(crate) struct AffineNiels<F> {
    y_plus_x: F,
    y_minus_x: F,
    xy2d: F,
}

/// The affine Niels form as tables keep it: words of the three coordinates, each in
/// [0, p).
pub(crate) type PackedNiels = [[u64; 4]; 3];

impl<F: Arithmetic> Extended<F> {
    #[inline]
    pub(crate) fn add_affine(&self, rhs: &AffineNiels<F>) -> Completed<F> {
        self.add_affine_inline(rhs)
    }

    #[inline(always)]
    pub(crate) fn add_affine_inline(&self, rhs: &AffineNiels<F>) -> Completed<F> {
        let (a, b, c) = self.products(&rhs.y_plus_x, &rhs.y_minus_x, &rhs.xy2d);
        let d = self.z.add(&self.z);
        Completed {
            x: b.sub(&a),
            y: b.add(&a),
            z: F::add_loose(&d, &c),
            t: F::sub_loose(&d, &c),
        }
    }

    #[inline]
    pub(crate) fn sub_affine(&self, rhs: &AffineNiels<F>) -> Completed<F> {
        self.sub_affine_inline(rhs)
    }

    #[inline(always)]
    pub(crate) fn sub_affine_inline(&self, rhs: &AffineNiels<F>) -> Completed<F> {
        let (a, b, c) = self.products(&rhs.y_minus_x, &rhs.y_plus_x, &rhs.xy2d);
        let d = self.z.add(&self.z);
        Completed {
            x: b.sub(&a),
            y: b.add(&a),
            z: F::sub_loose(&d, &c),
            t: F::add_loose(&d, &c),
        }
    }
}

impl<F: Field> AffineNiels<F> {
    #[inline(always)]
    pub(crate) fn from_packed(words: &PackedNiels) -> Self {
        Self {
            y_plus_x: F::from_frozen(&Packed(words[0])),
            y_minus_x: F::from_frozen(&Packed(words[1])),
            xy2d: F::from_frozen(&Packed(words[2])),
        }
    }
}

impl<L: Lanes> AffineNiels<L> {
    /// A point in each lane: y + x, y - x and 2dxy.
    #[inline(always)]
    pub(crate) fn from_lanes(rows: &[[[u64; 4]; MAX_LANES]; 3]) -> Self {
        Self {
            y_plus_x: L::from_lanes(&rows[0]),
            y_minus_x: L::from_lanes(&rows[1]),
            xy2d: L::from_lanes(&rows[2]),
        }
    }

    /// In each lane the point of the window whose mask has the bit of the lane, the neutral element in lanes that no
    /// mask has. Reads the whole window, in constant time.
    #[inline(always)]
    pub(super) fn choose(window: &[PackedNiels; 8], masks: &[u8; 8]) -> Self {
        let [a, b, c, d, e, f, g, h] = window;
        let coordinate = |i: usize| [&a[i], &b[i], &c[i], &d[i], &e[i], &f[i], &g[i], &h[i]];
        Self {
            y_plus_x: L::choose(coordinate(0), masks, 1),
            y_minus_x: L::choose(coordinate(1), masks, 1),
            xy2d: L::choose(coordinate(2), masks, 0),
        }
    }
}

// Of points that are computed: sums of many multiples need them.
#[cfg_attr(not(feature = "alloc"), allow(dead_code))]
impl<F: Arithmetic> AffineNiels<F> {
    pub(crate) const IDENTITY: Self = Self {
        y_plus_x: F::ONE,
        y_minus_x: F::ONE,
        xy2d: F::ZERO,
    };

    /// Of a point with Z = 1.
    #[inline(always)]
    pub(crate) fn from_affine(point: &Extended<F>) -> Self {
        Self {
            y_plus_x: F::carry(&point.y.add(&point.x)),
            y_minus_x: F::carry(&point.y.sub(&point.x)),
            xy2d: F::mul(&point.t, &F::D2),
        }
    }

    /// From the coordinates y + x, y - x and 2dxy.
    #[inline(always)]
    pub(crate) fn from_coordinates([y_plus_x, y_minus_x, xy2d]: [F; 3]) -> Self {
        Self {
            y_plus_x,
            y_minus_x,
            xy2d,
        }
    }

    /// The coordinates y + x, y - x and 2dxy.
    #[inline(always)]
    pub(crate) fn coordinates(&self) -> [F; 3] {
        [self.y_plus_x, self.y_minus_x, self.xy2d]
    }

    #[inline(always)]
    pub(crate) fn neg(&self) -> Self {
        Self {
            y_plus_x: self.y_minus_x,
            y_minus_x: self.y_plus_x,
            xy2d: self.xy2d.neg(),
        }
    }

    /// The point, with Z = 4: a sum begins with it for one product.
    #[inline(always)]
    pub(crate) fn to_extended_inline(self) -> Extended<F> {
        // 2x and 2y.
        let x = F::carry(&self.y_plus_x.sub(&self.y_minus_x));
        let y = F::carry(&self.y_plus_x.add(&self.y_minus_x));
        Extended {
            x: F::carry(&x.add(&x)),
            y: F::carry(&y.add(&y)),
            z: F::carry(&F::TWO.add(&F::TWO)),
            t: F::mul(&x, &y),
        }
    }

    #[inline(always)]
    pub(crate) fn conditional_negate(&mut self, mask: F::Mask) {
        F::conditional_swap(&mut self.y_plus_x, &mut self.y_minus_x, mask);
        self.xy2d = F::select(&self.xy2d, &self.xy2d.neg(), mask);
    }
}

#[cfg(any(feature = "alloc", feature = "precomputed-tables"))]
impl<F: Field> Extended<F> {
    /// The affine Niels forms of several points, with one inversion in variable
    /// time (Montgomery's trick).
    #[cfg(feature = "precomputed-tables")]
    #[inline]
    pub(super) fn vartime_pack_niels<const N: usize>(points: &[Self; N]) -> [PackedNiels; N] {
        let (mut before, mut packed) = ([F::ONE; N], [[[0; 4]; 3]; N]);
        Self::pack_niels_by(points, &mut before, &mut packed, vartime_invert);
        packed
    }

    /// The same in constant time, for at most `N` points.
    #[inline]
    pub(super) fn pack_niels<const N: usize>(points: &[Self], packed: &mut [PackedNiels]) {
        let mut before = [F::ONE; N];
        Self::pack_niels_by(points, &mut before[..points.len()], packed, invert);
    }

    /// `before` has a place for each point.
    #[inline(always)]
    fn pack_niels_by(
        points: &[Self],
        before: &mut [F],
        packed: &mut [PackedNiels],
        invert: impl Fn(&F) -> F,
    ) {
        let mut product = F::ONE;
        for (point, before) in points.iter().zip(&mut *before) {
            *before = product;
            product = F::mul(&product, &point.z);
        }
        let mut inverse = invert(&product);
        for ((point, before), packed) in points.iter().zip(before).zip(packed).rev() {
            let z_inverse = F::mul(&inverse, before);
            inverse = F::mul(&inverse, &point.z);
            let (x, y) = (F::mul(&point.x, &z_inverse), F::mul(&point.y, &z_inverse));
            *packed = [
                F::carry(&y.add(&x)).to_packed().freeze().0,
                F::carry(&y.sub(&x)).to_packed().freeze().0,
                F::mul(&F::mul(&x, &y), &F::D2).to_packed().freeze().0,
            ];
        }
    }
}

impl OddMultiples for [PackedNiels] {
    #[inline(always)]
    fn count(&self) -> usize {
        self.len()
    }
}

impl<F: Field> AddedTo<Completed<F>> for [PackedNiels] {
    #[inline(always)]
    fn add(&self, sum: Completed<F>, entry: usize) -> Completed<F> {
        sum.to_extended()
            .add_affine(&AffineNiels::from_packed(&self[entry]))
    }

    #[inline(always)]
    fn sub(&self, sum: Completed<F>, entry: usize) -> Completed<F> {
        sum.to_extended()
            .sub_affine(&AffineNiels::from_packed(&self[entry]))
    }
}
