//! Formulas on points that a representation may have as whole blocks, over a frame of words.
//!
//! What a formula computes is said by those of the Edwards curve, in `edwards::models`, which ask here first.

/// The coordinates of a point as an addition leaves them, ((X : Z), (Y : T)) with x = X/Z and y = Y/T,
/// each any 256-bit value; and places for what a formula computes.
#[repr(C, align(64))]
pub(crate) struct PointFrame(pub(super) [[u64; 4]; 14]);

/// Where the block's address points: as many places lie below it.
#[cfg_attr(
    not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))),
    allow(dead_code)
)]
pub(super) const MIDDLE: usize = 4;

impl PointFrame {
    /// The point with these coordinates.
    #[inline(always)]
    pub(crate) fn new(coordinates: &[[u64; 4]; 4]) -> Self {
        let mut places = [[0; 4]; 14];
        places[..MIDDLE].copy_from_slice(coordinates);
        Self(places)
    }

    /// The point with these extended coordinates, as if an addition had just begun with it.
    #[inline(always)]
    pub(crate) fn of_extended([x, y, z, t]: [[u64; 4]; 4]) -> Self {
        let mut frame = Self::new(&[x, y, z, z]);
        frame.0[MIDDLE..2 * MIDDLE].copy_from_slice(&[x, y, z, t]);
        frame
    }

    /// X, Y, Z and T.
    #[inline(always)]
    pub(crate) fn coordinates(&self) -> &[[u64; 4]; 4] {
        self.0.first_chunk().expect("the frame is longer")
    }

    /// The point that the last addition began with, in extended coordinates, (X : Y : Z : T) with xy = T/Z: it needs them.
    #[inline(always)]
    pub(crate) fn before(&self) -> &[[u64; 4]; 4] {
        self.0[MIDDLE..].first_chunk().expect("the frame is longer")
    }
}

/// The formulas. Each replaces the coordinates in the frame.
pub(crate) struct Blocks {
    /// Twice the point.
    pub(crate) double: fn(&mut PointFrame),
    /// The sum with an affine point, given as (y + x, y - x, 2dxy).
    pub(crate) add_affine: fn(&mut PointFrame, &[[u64; 4]; 3]),
    /// The sum with a point given as (Y + X, Y - X, 2Z, 2dT).
    pub(crate) add: fn(&mut PointFrame, &[[u64; 4]; 4]),
}
