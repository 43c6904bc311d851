//! The 32-byte form of a point.

use core::array::TryFromSliceError;
use core::fmt;

use lanner_curve::edwards as inner;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroize;

use super::EdwardsPoint;
use crate::traits::Identity;

/// 32 bytes that may encode a point: y, little-endian, with the sign of x in the top bit (RFC 8032, section 5.1.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CompressedEdwardsY(pub [u8; 32]);

encoding!(CompressedEdwardsY, inner::CompressedEdwardsY);

impl CompressedEdwardsY {
    /// The point, or `None` if no point has this y. As ZIP 215 decodes: y is taken modulo p, and a sign on x = 0 is
    /// ignored.
    pub fn decompress(&self) -> Option<EdwardsPoint> {
        inner::CompressedEdwardsY(self.0)
            .decompress()
            .map(EdwardsPoint)
    }
}

impl Identity for CompressedEdwardsY {
    fn identity() -> Self {
        let mut bytes = [0; 32];
        bytes[0] = 1;
        CompressedEdwardsY(bytes)
    }
}

impl Default for CompressedEdwardsY {
    fn default() -> Self {
        Self::identity()
    }
}

impl Zeroize for CompressedEdwardsY {
    /// Becomes the encoding of the neutral element.
    fn zeroize(&mut self) {
        self.0.zeroize();
        self.0[0] = 1;
    }
}
