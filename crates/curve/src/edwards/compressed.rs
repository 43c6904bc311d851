//! The 32-byte form of a point.

use super::EdwardsPoint;
use super::decode::{self, DecodingRule, VartimeDecodeBatch, VartimeDecodePair};
use crate::backend::{in_lanes, with_field};
use crate::traits::Identity;
use core::array::TryFromSliceError;
use core::fmt;
use core::hash::{Hash, Hasher};
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroize;

/// 32 bytes that may encode a point: y, little-endian, with the sign of x in the
/// top bit (RFC 8032, section 5.1.2).
///
/// Any bytes are allowed; decompression tells whether they encode a point.
#[derive(Clone, Copy)]
pub struct CompressedEdwardsY(pub [u8; 32]);

impl CompressedEdwardsY {
    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The bytes.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// Takes a slice of 32 bytes.
    ///
    /// # Errors
    ///
    /// If the length is another.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, TryFromSliceError> {
        bytes.try_into().map(Self)
    }

    /// The point, by the rule [`DecodingRule::Zip215`]; `None` if no point has
    /// this y. Constant time but for whether there is a point.
    #[must_use]
    pub fn decompress(&self) -> Option<EdwardsPoint> {
        with_field!(F => {
            let (exists, point) = decode::decode::<F>(&self.0);
            bool::from(exists).then(|| point.pack())
        })
    }

    /// The point, if `rule` accepts the encoding and a point has this y. Runs in
    /// variable time.
    #[must_use]
    pub fn vartime_decompress(&self, rule: DecodingRule) -> Option<EdwardsPoint> {
        if rule.vartime_accepts(&self.0) {
            self.decompress()
        } else {
            None
        }
    }

    /// The points of several encodings, each as
    /// [`vartime_decompress`](Self::vartime_decompress) gives it. Runs in variable time.
    ///
    /// Where the processor has vectors that are wide enough, encodings are decoded side by
    /// side, up to eight for little more than the time of one.
    ///
    /// # Panics
    ///
    /// If there are not as many places for points as encodings.
    ///
    /// ```
    /// use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule};
    /// use lanner_curve::constants::{ED25519_BASEPOINT_COMPRESSED, ED25519_BASEPOINT_POINT};
    ///
    /// let encodings = [ED25519_BASEPOINT_COMPRESSED, CompressedEdwardsY([2; 32])];
    /// let mut points = [None; 2];
    /// CompressedEdwardsY::vartime_decompress_batch(&encodings, DecodingRule::Canonical, &mut points);
    /// assert_eq!(points, [Some(ED25519_BASEPOINT_POINT), encodings[1].decompress()]);
    /// ```
    pub fn vartime_decompress_batch(
        encodings: &[Self],
        rule: DecodingRule,
        points: &mut [Option<EdwardsPoint>],
    ) {
        assert_eq!(encodings.len(), points.len());
        if let ([encoding], [point]) = (encodings, &mut *points) {
            *point = encoding.vartime_decompress(rule);
            return;
        }
        let batch = VartimeDecodeBatch {
            encodings,
            rule,
            points,
        };
        let Err(batch) = in_lanes(batch) else {
            return;
        };
        let (pairs, rest) = encodings.as_chunks();
        let (pairs_of_points, places) = batch.points.as_chunks_mut();
        for (pair, points) in pairs.iter().zip(pairs_of_points) {
            *points = decode::vartime_decode_pair(pair, rule);
        }
        for (encoding, point) in rest.iter().zip(places) {
            *point = encoding.vartime_decompress(rule);
        }
    }

    /// The points of two encodings (RFC 8032, section 5.1.3), as [`vartime_decompress_batch`](Self::vartime_decompress_batch)
    /// gives them: those of a key and of a signature. `None` where `rule` refuses the encoding or no point has this y. Runs
    /// in variable time.
    ///
    /// ```
    /// use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule};
    /// use lanner_curve::constants::{ED25519_BASEPOINT_COMPRESSED, ED25519_BASEPOINT_POINT};
    ///
    /// let encodings = [ED25519_BASEPOINT_COMPRESSED, CompressedEdwardsY([2; 32])];
    /// let points = CompressedEdwardsY::vartime_decompress_pair(&encodings, DecodingRule::Canonical);
    /// assert_eq!(points, [Some(ED25519_BASEPOINT_POINT), encodings[1].decompress()]);
    /// ```
    #[must_use]
    pub fn vartime_decompress_pair(
        encodings: &[Self; 2],
        rule: DecodingRule,
    ) -> [Option<EdwardsPoint>; 2] {
        in_lanes(VartimeDecodePair { encodings, rule })
            .unwrap_or_else(|_| decode::vartime_decode_pair(encodings, rule))
    }
}

impl ConstantTimeEq for CompressedEdwardsY {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl PartialEq for CompressedEdwardsY {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for CompressedEdwardsY {}

impl Hash for CompressedEdwardsY {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Identity for CompressedEdwardsY {
    fn identity() -> Self {
        let mut bytes = [0; 32];
        bytes[0] = 1;
        Self(bytes)
    }
}

impl Default for CompressedEdwardsY {
    /// The encoding of the neutral element.
    fn default() -> Self {
        Self::identity()
    }
}

impl TryFrom<&[u8]> for CompressedEdwardsY {
    type Error = TryFromSliceError;

    fn try_from(bytes: &[u8]) -> Result<Self, TryFromSliceError> {
        Self::from_slice(bytes)
    }
}

impl fmt::Debug for CompressedEdwardsY {
    /// Shows the bytes, as curve25519-dalek does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CompressedEdwardsY: {:?}", self.0)
    }
}

impl Zeroize for CompressedEdwardsY {
    /// Becomes the encoding of the neutral element.
    fn zeroize(&mut self) {
        self.0.zeroize();
        self.0[0] = 1;
    }
}
