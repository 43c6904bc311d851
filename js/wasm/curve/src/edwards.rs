//! Points of edwards25519, -x^2 + y^2 = 1 + d x^2 y^2, in extended coordinates (Hisil, Wong,
//! Carter, Dawson 2008): X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z, side by side in four lanes.
//!
//! A formula is products of linear maps. The maps are matrices here, and what computes them is each
//! module's own.

use crate::field::{self, Field, Quad, small};

pub type Point = Quad;

/// A point as a summand: Y - X, Y + X, 2Z, 2dT.
pub type Summand = Quad;

/// 2d, where d = -121665/121666.
pub const TWICE_D: [u8; 32] =
    field::constant("2406d9dc56dffce7198e80f2eef3d13000e0149a8283b156ebd69b9426b2f159");

pub const IDENTITY: Point = small([0, 1, 1, 0]);

/// The base point's encoding, y = 4/5.
pub const BASE: [u8; 32] = {
    let mut bytes = [0x66; 32];
    bytes[0] = 0x58;
    bytes
};

/// A linear map of lanes: row i says what of each goes to lane i.
pub type Matrix = [[i32; 4]; 4];

/// X, Y, Z, T to the first factors of a sum: Y - X, Y + X, Z, T. The second factor is a summand.
pub const FACTORS: Matrix = [[-1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]];

/// From the products A, B, C, D to E, G, F, E and F, H, G, H, whose products are X = EF, Y = GH, Z = FG,
/// T = EH: A = (Y1 - X1)(Y2 - X2), B = (Y1 + X1)(Y2 + X2), C = 2 Z1 Z2, D = 2 d T1 T2, and E = B - A,
/// F = C - D, G = C + D, H = B + A. The formulas are complete: any two points, in constant time.
pub const SUM: [Matrix; 2] = [
    [[-1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, -1], [-1, 1, 0, 0]],
    [[0, 0, 1, -1], [1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0]],
];

/// What is squared in a doubling: X, Y, Z, X + Y.
pub const SQUARED: Matrix = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0]];

/// From the squares A, B, C, D, to the factors as in [`SUM`]. All four change their sign against the
/// paper, which the products do not show: E = A + B - D, F = 2C + G, G = A - B, H = A + B.
pub const DOUBLE: [Matrix; 2] = [
    [[1, 1, 0, -1], [1, -1, 0, 0], [1, -1, 2, 0], [1, 1, 0, -1]],
    [[1, -1, 2, 0], [1, 1, 0, 0], [1, -1, 0, 0], [1, 1, 0, 0]],
];

/// A point to its negative.
pub const NEGATIVE: Matrix = [[-1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, -1]];

/// The encoding of a point with Z = 1.
#[inline(never)]
#[must_use]
pub fn encode_affine<F: Field>(p: &Point) -> [u8; 32] {
    let mut bytes = F::to_bytes(p, 1);
    bytes[31] |= F::to_bytes(p, 0)[0] << 7;
    bytes
}

/// Whether bytes are the same; one copy of the comparison. Not in constant time.
#[inline(never)]
#[must_use]
pub fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    a == b
}

/// Not in constant time.
#[inline(never)]
#[must_use]
pub fn vartime_is_zero<F: Field>(a: &Quad, lane: usize) -> bool {
    same(&F::to_bytes(a, lane), &[0; 32])
}
