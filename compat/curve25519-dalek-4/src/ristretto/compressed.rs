//! The 32-byte form of an element.

use core::array::TryFromSliceError;
use core::fmt;

use lanner_curve::ristretto as inner;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroize;

use super::RistrettoPoint;
use crate::traits::Identity;

/// 32 bytes that may encode an element.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CompressedRistretto(pub [u8; 32]);

encoding!(CompressedRistretto, inner::CompressedRistretto);

impl CompressedRistretto {
    /// The element, or `None` if the bytes are not its one encoding (RFC 9496, section 4.3.1).
    pub fn decompress(&self) -> Option<RistrettoPoint> {
        inner::CompressedRistretto(self.0)
            .decompress()
            .map(RistrettoPoint)
    }
}

impl Identity for CompressedRistretto {
    fn identity() -> Self {
        CompressedRistretto([0; 32])
    }
}

impl Zeroize for CompressedRistretto {
    /// Becomes the encoding of the neutral element.
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
