//! Encoding and decoding of points (RFC 8032, sections 5.1.2 and 5.1.3).

use super::models::Extended;
use super::{CompressedEdwardsY, EdwardsPoint};
use crate::backend::{InLanes, with_field_beside_lanes};
use crate::field::chains::{before_root, invert, pow_p58, sqrt_ratio_each, with_sign};
use crate::field::lanes::{Engine, Lanes, MAX_LANES, at_once};
use crate::field::{Arithmetic, Field, Packed};
use subtle::Choice;

/// Which encodings are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodingRule {
    /// One encoding for each point, as RFC 8032 says: y is below p, and the sign
    /// bit is not set where x = 0.
    Canonical,
    /// The encodings that ZIP-215 and most libraries accept: y may be any 255-bit
    /// integer and stands for its class mod p, and the sign bit has no effect
    /// where x = 0.
    Zip215,
}

/// Whether y < p, and the sign bit is not set for y = 1 and y = -1, where x = 0.
/// In variable time.
fn is_canonical(bytes: &[u8; 32]) -> bool {
    let packed = Packed::from_bytes(bytes);
    let sign = bytes[31] & 0x80 != 0;
    let y = packed.freeze();
    let x_is_zero = y.0 == Packed::ONE.0 || y.0 == Packed::ONE.neg().0;
    y.0 == packed.0 && !(sign && x_is_zero)
}

impl DecodingRule {
    /// Whether the rule accepts this encoding of a point, if a point has that y.
    #[inline]
    pub(super) fn vartime_accepts(self, bytes: &[u8; 32]) -> bool {
        match self {
            Self::Canonical => is_canonical(bytes),
            Self::Zip215 => true,
        }
    }
}

/// The point with this y, and with an odd x where `odd` is set: (set, point), or
/// (not set, anything) if no point has that y. Constant time.
#[inline(always)]
pub(super) fn from_y<F: Arithmetic>(y: &F, odd: F::Mask) -> (F::Mask, Extended<F>) {
    let [point] = from_y_each(&[*y], &[odd]);
    point
}

/// The same for several.
#[inline(always)]
fn from_y_each<F: Arithmetic, const N: usize>(
    y: &[F; N],
    odd: &[F::Mask; N],
) -> [(F::Mask, Extended<F>); N] {
    let mut ratios = [(F::ZERO, F::ONE); N];
    for (place, y) in ratios.iter_mut().zip(y) {
        *place = ratio(y);
    }
    let roots = sqrt_ratio_each(&ratios);
    let mut points = [(odd[0], Extended::IDENTITY); N];
    for (i, (exists, x)) in roots.iter().enumerate() {
        points[i] = (*exists, with_root(&y[i], x, odd[i]));
    }
    points
}

/// u and v with x^2 = u/v = (y^2 - 1) / (d y^2 + 1); the denominator is not 0 since -1/d is no square.
#[inline(always)]
fn ratio<F: Arithmetic>(y: &F) -> (F, F) {
    let yy = F::square(y);
    let u = F::carry(&yy.sub(&F::ONE));
    let v = F::carry(&F::mul(&yy, &F::D).add(&F::ONE));
    (u, v)
}

/// The point with this y and this x or, as `odd` says, its negative.
#[inline(always)]
fn with_root<F: Arithmetic>(y: &F, x: &F, odd: F::Mask) -> Extended<F> {
    let x = F::select(x, &x.neg(), x.is_negative() ^ odd);
    Extended {
        x,
        y: *y,
        z: F::ONE,
        t: F::mul(&x, y),
    }
}

/// Decodes under the ZIP-215 rule: (1, point), or (0, anything) if no point has
/// that y. Constant time.
#[inline]
pub(super) fn decode<F: Field>(bytes: &[u8; 32]) -> (Choice, Extended<F>) {
    let y = F::from_packed(&Packed::from_bytes(bytes));
    let (exists, point) = from_y(&y, Choice::from(bytes[31] >> 7).into());
    (exists.into(), point)
}

/// What is known of an encoding before the power that its x takes.
struct Begun<F> {
    y: F,
    ratio: (F, F),
    root: F,
    power: F,
}

impl<F: Field> Begun<F> {
    #[inline(never)]
    fn new(encoding: &CompressedEdwardsY) -> Self {
        let y = F::from_packed(&Packed::from_bytes(&encoding.0));
        let ratio = ratio(&y);
        let (root, power) = before_root(&ratio);
        Self {
            y,
            ratio,
            root,
            power,
        }
    }

    /// The point, or `None` where the rule refuses the encoding, or no point has that y.
    #[inline(never)]
    fn vartime_end(
        &self,
        power: &F,
        encoding: &CompressedEdwardsY,
        rule: DecodingRule,
    ) -> Option<EdwardsPoint> {
        let (exists, x) = with_sign(&self.ratio, &F::mul(&self.root, power));
        let valid = Choice::from(exists).into() && rule.vartime_accepts(&encoding.0);
        let odd = Choice::from(encoding.0[31] >> 7);
        valid.then(|| with_root(&self.y, &x, odd.into()).pack())
    }
}

/// [`decode`] for several encodings, in variable time: `None` where the rule refuses one, or no point has that y. What is
/// done for each is a function, which a program has once.
#[inline]
fn vartime_decode_each<F: Field, const N: usize>(
    encodings: &[CompressedEdwardsY; N],
    rule: DecodingRule,
) -> [Option<EdwardsPoint>; N] {
    let begun = encodings.each_ref().map(Begun::<F>::new);
    let powers = pow_p58(&begun.each_ref().map(|begun| begun.power));
    core::array::from_fn(|i| begun[i].vartime_end(&powers[i], &encodings[i], rule))
}

/// The points of two encodings without lanes, as by `vartime_decompress`.
pub(super) fn vartime_decode_pair(
    encodings: &[CompressedEdwardsY; 2],
    rule: DecodingRule,
) -> [Option<EdwardsPoint>; 2] {
    with_field_beside_lanes!(F => if F::PAIRS {
        vartime_decode_each::<F, 2>(encodings, rule)
    } else {
        encodings.map(|encoding| {
            let [point] = vartime_decode_each::<F, 1>(&[encoding], rule);
            point
        })
    })
}

/// Decodes two encodings in lanes.
pub(super) struct VartimeDecodePair<'a> {
    pub(super) encodings: &'a [CompressedEdwardsY; 2],
    pub(super) rule: DecodingRule,
}

impl InLanes for VartimeDecodePair<'_> {
    type Output = [Option<EdwardsPoint>; 2];

    #[inline(always)]
    fn run<E: Engine>(self) -> Self::Output {
        let mut points = [None; 2];
        VartimeDecodeBatch::few::<E>(self.encodings, self.rule, &mut points);
        points
    }
}

/// Decodes several encodings in lanes.
pub(super) struct VartimeDecodeBatch<'a> {
    pub(super) encodings: &'a [CompressedEdwardsY],
    pub(super) rule: DecodingRule,
    pub(super) points: &'a mut [Option<EdwardsPoint>],
}

impl VartimeDecodeBatch<'_> {
    /// Decodes no more than the shorter vectors hold: chains of squares that wait for each other are faster in them, where
    /// there are such.
    #[inline(always)]
    fn few<E: Engine>(
        encodings: &[CompressedEdwardsY],
        rule: DecodingRule,
        points: &mut [Option<EdwardsPoint>],
    ) {
        if E::Quad::LANES < E::Many::LANES {
            Self::group::<E::Quad, 1>(encodings, rule, points);
        } else {
            Self::group::<E::Many, 1>(encodings, rule, points);
        }
    }

    /// Decodes at most N vectors of encodings.
    #[inline(always)]
    fn group<L: Lanes, const N: usize>(
        encodings: &[CompressedEdwardsY],
        rule: DecodingRule,
        points: &mut [Option<EdwardsPoint>],
    ) {
        let mut y = [L::ZERO; N];
        let mut odd = [L::mask(0); N];
        for (i, encodings) in encodings.chunks(L::LANES).enumerate() {
            let mut rows = [[0; 4]; MAX_LANES];
            let mut signs = 0;
            for (lane, encoding) in encodings.iter().enumerate() {
                rows[lane] = Packed::from_bytes(&encoding.0).0;
                signs |= encoding.0[31] >> 7 << lane;
            }
            (y[i], odd[i]) = (L::from_lanes(&rows), L::mask(signs));
        }
        let decoded = from_y_each(&y, &odd);
        let groups = encodings.chunks(L::LANES).zip(points.chunks_mut(L::LANES));
        for ((encodings, points), (exists, point)) in groups.zip(&decoded) {
            let exists = L::vartime_mask_bits(*exists);
            let (x, y, t) = (point.x.to_lanes(), point.y.to_lanes(), point.t.to_lanes());
            for (lane, encoding) in encodings.iter().enumerate() {
                let valid = exists >> lane & 1 == 1 && rule.vartime_accepts(&encoding.0);
                points[lane] = valid.then_some(EdwardsPoint {
                    x: x[lane],
                    y: y[lane],
                    z: Packed::ONE,
                    t: t[lane],
                });
            }
        }
    }
}

impl InLanes for VartimeDecodeBatch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self) {
        let lanes = E::Many::LANES;
        if self.encodings.len() <= E::Quad::LANES {
            return Self::few::<E>(self.encodings, self.rule, self.points);
        }
        let at_once = at_once::<E::Many>();
        let groups = self.encodings.chunks(at_once);
        for (encodings, points) in groups.zip(self.points.chunks_mut(at_once)) {
            if at_once > lanes && encodings.len() > lanes {
                Self::group::<E::Many, 2>(encodings, self.rule, points);
            } else {
                Self::group::<E::Many, 1>(encodings, self.rule, points);
            }
        }
    }
}

/// Encodes a point, given 1/Z.
#[inline(always)]
pub(super) fn encode_with_inverse<F: Field>(x: &F, y: &F, z_inverse: &F) -> [u8; 32] {
    let x = F::mul(x, z_inverse);
    let y = F::mul(y, z_inverse);
    encode_affine(x.to_packed(), y.to_packed())
}

/// Encodes an affine point.
#[inline(always)]
pub(super) fn encode_affine(x: Packed, y: Packed) -> [u8; 32] {
    let mut bytes = y.to_bytes();
    bytes[31] |= x.is_negative().unwrap_u8() << 7;
    bytes
}

#[inline]
pub(super) fn encode<F: Field>(point: &Extended<F>) -> [u8; 32] {
    encode_with_inverse(&point.x, &point.y, &invert(&point.z))
}

/// Encodes several points with one inversion (Montgomery's trick).
#[inline]
pub(super) fn encode_batch<F: Field>(
    points: &[EdwardsPoint],
    encodings: &mut [CompressedEdwardsY],
) {
    // Until the last pass an encoding's place keeps the product of the Z before it.
    let mut product = F::ONE;
    for (point, place) in points.iter().zip(&mut *encodings) {
        place.0 = product.to_packed().to_bytes();
        product = F::mul(&product, &F::from_packed(&point.z));
    }
    let mut inverse = invert(&product);
    for (point, place) in points.iter().zip(encodings).rev() {
        let before = F::from_packed(&Packed::from_bytes(&place.0));
        let point = point.unpack::<F>();
        place.0 = encode_with_inverse(&point.x, &point.y, &F::mul(&inverse, &before));
        inverse = F::mul(&inverse, &point.z);
    }
}
