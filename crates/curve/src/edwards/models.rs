//! Coordinates of points, and the formulas between them.
//!
//! The curve is -x^2 + y^2 = 1 + d x^2 y^2. The formulas are those of Hisil,
//! Wong, Carter and Dawson (2008) for a = -1; d is no square, so the additions
//! are complete: they hold for all pairs of points, equal ones and the neutral
//! one included.
//!
//! Each operation comes twice: `…_inline` is part of its caller, as code in lanes must
//! be; the other is left to the compiler, which keeps scalar code small.
//!
//! ```text
//! Projective --double--> Completed --to_projective (3M)--> Projective
//! Extended ---double--->           --to_extended (4M)----> Extended
//! Extended + Cached  --add (4M)-->  Completed
//! Extended + AffineNiels --add_affine (3M)--> Completed (in `niels`)
//! ```

use super::EdwardsPoint;
use crate::field::lanes::{Lanes, MAX_LANES};
use crate::field::{Arithmetic, Field};
use subtle::Choice;

/// (X : Y : Z : T) with x = X/Z, y = Y/Z, xy = T/Z.
#[derive(Clone, Copy)]
pub(crate) struct Extended<F> {
    pub(crate) x: F,
    pub(crate) y: F,
    pub(crate) z: F,
    pub(crate) t: F,
}

/// (X : Y : Z) with x = X/Z, y = Y/Z: enough to double.
#[derive(Clone, Copy)]
pub(crate) struct Projective<F> {
    pub(crate) x: F,
    pub(crate) y: F,
    pub(crate) z: F,
}

/// ((X : Z), (Y : T)) with x = X/Z, y = Y/T: what doublings and additions give.
pub(crate) struct Completed<F: Arithmetic> {
    pub(super) x: F::Loose,
    pub(super) y: F::Loose,
    pub(super) z: F::Loose,
    pub(super) t: F::Loose,
}

/// (Y + X, Y - X, 2Z, 2dT) of an extended point: the second operand of additions.
#[derive(Clone, Copy)]
pub(crate) struct Cached<F> {
    pub(in crate::edwards) y_plus_x: F,
    pub(in crate::edwards) y_minus_x: F,
    pub(in crate::edwards) z2: F,
    pub(in crate::edwards) t2d: F,
}

impl<F: Arithmetic> Extended<F> {
    /// The neutral element (0, 1).
    pub(crate) const IDENTITY: Self = Self {
        x: F::ZERO,
        y: F::ONE,
        z: F::ONE,
        t: F::ZERO,
    };

    #[inline(always)]
    pub(crate) fn neg(&self) -> Self {
        Self {
            x: self.x.neg(),
            y: self.y,
            z: self.z,
            t: self.t.neg(),
        }
    }

    #[inline(always)]
    pub(crate) fn to_cached(self) -> Cached<F> {
        Cached {
            y_plus_x: F::carry(&self.y.add(&self.x)),
            y_minus_x: F::carry(&self.y.sub(&self.x)),
            z2: F::carry(&self.z.add(&self.z)),
            t2d: F::mul(&self.t, &F::D2),
        }
    }

    #[inline]
    pub(crate) fn double(&self) -> Completed<F> {
        self.double_inline()
    }

    #[inline(always)]
    pub(crate) fn double_inline(&self) -> Completed<F> {
        Projective {
            x: self.x,
            y: self.y,
            z: self.z,
        }
        .double_inline()
    }

    #[inline]
    pub(crate) fn add(&self, rhs: &Cached<F>) -> Completed<F> {
        self.add_inline(rhs)
    }

    /// add-2008-hwcd-3: E = B-A, F = D-C, G = D+C and H = B+A.
    #[inline(always)]
    pub(crate) fn add_inline(&self, rhs: &Cached<F>) -> Completed<F> {
        let (a, b, c) = self.products(&rhs.y_plus_x, &rhs.y_minus_x, &rhs.t2d);
        let d = F::mul(&self.z, &rhs.z2);
        Completed {
            x: b.sub(&a),
            y: b.add(&a),
            z: d.add(&c),
            t: d.sub(&c),
        }
    }

    #[inline]
    pub(crate) fn sub(&self, rhs: &Cached<F>) -> Completed<F> {
        self.sub_inline(rhs)
    }

    /// The addition of (-X2, -T2).
    #[inline(always)]
    pub(crate) fn sub_inline(&self, rhs: &Cached<F>) -> Completed<F> {
        let (a, b, c) = self.products(&rhs.y_minus_x, &rhs.y_plus_x, &rhs.t2d);
        let d = F::mul(&self.z, &rhs.z2);
        Completed {
            x: b.sub(&a),
            y: b.add(&a),
            z: d.sub(&c),
            t: d.add(&c),
        }
    }

    /// A, B and C of add-2008-hwcd-3: A = (Y1-X1)(Y2-X2), B = (Y1+X1)(Y2+X2),
    /// C = 2d T1 T2.
    #[inline(always)]
    pub(super) fn products(&self, y_plus_x: &F, y_minus_x: &F, t2d: &F) -> (F, F, F) {
        (
            F::mul(&self.y.sub(&self.x), y_minus_x),
            F::mul(&self.y.add(&self.x), y_plus_x),
            F::mul(&self.t, t2d),
        )
    }
}

impl<L: Lanes> Extended<L> {
    /// A point in each lane; those beyond the lanes that there are do not count.
    #[inline(always)]
    pub(crate) fn gather(points: &[EdwardsPoint; MAX_LANES]) -> Self {
        let mut rows = [[[0; 4]; MAX_LANES]; 4];
        for (lane, point) in points.iter().enumerate() {
            for (rows, coordinate) in rows.iter_mut().zip([point.x, point.y, point.z, point.t]) {
                rows[lane] = coordinate.0;
            }
        }
        Self {
            x: L::from_lanes(&rows[0]),
            y: L::from_lanes(&rows[1]),
            z: L::from_lanes(&rows[2]),
            t: L::from_lanes(&rows[3]),
        }
    }
}

impl<F: Field> Extended<F> {
    /// The point as it rests outside the arithmetic.
    #[inline]
    pub(crate) fn pack(&self) -> EdwardsPoint {
        EdwardsPoint {
            x: self.x.to_packed(),
            y: self.y.to_packed(),
            z: self.z.to_packed(),
            t: self.t.to_packed(),
        }
    }

    /// Whether the point is the neutral element.
    #[inline(always)]
    pub(crate) fn is_identity(&self) -> Choice {
        self.pack().is_neutral()
    }
}

#[cfg(feature = "precomputed-tables")]
impl<F: Field> Cached<F> {
    /// The coordinates as words.
    #[inline(always)]
    pub(super) fn to_words(self) -> [[u64; 4]; 4] {
        [
            self.y_plus_x.to_packed().0,
            self.y_minus_x.to_packed().0,
            self.z2.to_packed().0,
            self.t2d.to_packed().0,
        ]
    }

    #[cfg(all(test, target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
    pub(super) fn from_words(words: &[[u64; 4]; 4]) -> Self {
        let [y_plus_x, y_minus_x, z2, t2d] =
            words.map(|words| F::from_packed(&crate::field::Packed(words)));
        Self {
            y_plus_x,
            y_minus_x,
            z2,
            t2d,
        }
    }
}

impl<F: Arithmetic> Projective<F> {
    #[cfg_attr(
        not(any(feature = "alloc", feature = "precomputed-tables")),
        allow(dead_code)
    )]
    pub(crate) const IDENTITY: Self = Self {
        x: F::ZERO,
        y: F::ONE,
        z: F::ONE,
    };

    /// dbl-2008-hwcd with all four of E, F, G, H negated in pairs: 4S.
    #[inline]
    pub(crate) fn double(&self) -> Completed<F> {
        self.double_inline()
    }

    #[inline(always)]
    pub(crate) fn double_inline(&self) -> Completed<F> {
        let xx = F::square(&self.x);
        let yy = F::square(&self.y);
        let zz = F::square(&self.z);
        let sum = F::square(&self.x.add(&self.y));
        let g = yy.sub(&xx);
        Completed {
            x: F::sub_loose(&sum.sub(&xx), &yy),
            y: yy.add(&xx),
            t: F::sub_loose(&zz.add(&zz), &g),
            z: g,
        }
    }
}

impl<F: Arithmetic> Completed<F> {
    #[inline]
    pub(crate) fn to_projective(&self) -> Projective<F> {
        self.to_projective_inline()
    }

    #[inline(always)]
    pub(crate) fn to_projective_inline(&self) -> Projective<F> {
        Projective {
            x: F::mul(&self.x, &self.t),
            y: F::mul(&self.y, &self.z),
            z: F::mul(&self.z, &self.t),
        }
    }

    #[inline]
    pub(crate) fn to_extended(&self) -> Extended<F> {
        self.to_extended_inline()
    }

    #[inline(always)]
    pub(crate) fn to_extended_inline(&self) -> Extended<F> {
        Extended {
            x: F::mul(&self.x, &self.t),
            y: F::mul(&self.y, &self.z),
            z: F::mul(&self.z, &self.t),
            t: F::mul(&self.x, &self.y),
        }
    }
}

impl<F: Arithmetic> Cached<F> {
    pub(crate) const IDENTITY: Self = Self {
        y_plus_x: F::ONE,
        y_minus_x: F::ONE,
        z2: F::TWO,
        t2d: F::ZERO,
    };

    /// Y + X, Y - X, 2Z and 2dT.
    #[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
    #[inline(always)]
    pub(crate) fn coordinates(&self) -> [F; 4] {
        [self.y_plus_x, self.y_minus_x, self.z2, self.t2d]
    }

    /// `b` where the mask is set, `a` elsewhere.
    #[inline(always)]
    pub(crate) fn select(a: &Self, b: &Self, mask: F::Mask) -> Self {
        Self {
            y_plus_x: F::select(&a.y_plus_x, &b.y_plus_x, mask),
            y_minus_x: F::select(&a.y_minus_x, &b.y_minus_x, mask),
            z2: F::select(&a.z2, &b.z2, mask),
            t2d: F::select(&a.t2d, &b.t2d, mask),
        }
    }

    #[inline(always)]
    pub(crate) fn conditional_negate(&mut self, mask: F::Mask) {
        F::conditional_swap(&mut self.y_plus_x, &mut self.y_minus_x, mask);
        self.t2d = F::select(&self.t2d, &self.t2d.neg(), mask);
    }
}
