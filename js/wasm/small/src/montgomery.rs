//! X25519 (RFC 7748 section 5) on the u-line.

use crate::field::{self, Map, linear, map, mul, mul2};
use crate::point::{Work, invert};
use lanner_wasm_curve::field::{Quad, ZERO, small};
use lanner_wasm_curve::vector::Four;

/// Z2, Z3, X2, X3 to A, B, D, C: A = X2 + Z2, B = X2 - Z2, C = X3 + Z3, D = X3 - Z3.
const SUMS: Map = map([[1, 0, 1, 0], [-1, 0, 1, 0], [0, -1, 0, 1], [0, 1, 0, 1]]);
/// And to A, B, A, B.
const AGAIN: Map = map([[1, 0, 1, 0], [-1, 0, 1, 0], [1, 0, 1, 0], [-1, 0, 1, 0]]);
/// The products AA, BB, DA, CB to E = AA - BB, DA - CB, AA, DA + CB.
const LEFT: Map = map([[1, -1, 0, 0], [0, 0, 1, -1], [1, 0, 0, 0], [0, 0, 1, 1]]);
/// And to 0, DA - CB, BB, DA + CB.
const RIGHT: Map = map([[0; 4], [0, 0, 1, -1], [0, 1, 0, 0], [0, 0, 1, 1]]);
/// Z2 and X2 of a point to both of the first lanes.
const Z: Map = map([[1, 0, 0, 0]; 4]);
const X: Map = map([[0, 0, 1, 0]; 4]);

/// The u of the clamped scalar times the point of a u; in constant time.
pub(crate) fn x25519(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    let mut work = Work::new();
    // X1 in the second lane.
    let mut x1 = ZERO;
    field::load(&mut x1, 1, u);
    let mut p = small([0, 1, 1, 0]);
    field::load(&mut p, 3, u);
    let mut swapped = 0;
    let (mut a, mut b, mut c): (Quad, Quad, Quad) = (ZERO, ZERO, ZERO);
    let first = Four::new([-1, 0, 0, 0]);
    for bit in (0..255_usize).rev() {
        // The clamped bits: 254 is set, 0 to 2 are not.
        let bit = match bit {
            254 => 1,
            0..3 => 0,
            _ => scalar[bit / 8] >> (bit % 8) & 1,
        };
        let mask = core::hint::black_box(-i32::from(bit));
        let both = Four::splat(swapped ^ mask);
        for limb in &mut p {
            let other = limb.order::<1, 0, 3, 2>();
            *limb = limb.xor(limb.xor(other).and(both));
        }
        swapped = mask;
        linear(&mut a, &p, SUMS);
        linear(&mut b, &p, AGAIN);
        mul(&mut work.field, &mut a, &b);
        linear(&mut c, &a, LEFT);
        linear(&mut b, &a, RIGHT);
        // a24 = 121665
        b[0] = b[0].add(Four::new([121665, 0, 0, 0]));
        // Of which the last two lanes are X2 and X3, and the first two are a24 E and (DA - CB)^2.
        linear(&mut p, &a, LEFT);
        mul(&mut work.field, &mut p, &b);
        // Z2 = (AA + a24 E) E, Z3 = (DA - CB)^2 X1.
        for i in 0..10 {
            a[i] = p[i].add(c[i].order::<2, 2, 2, 2>().and(first));
            b[i] = x1[i].add(c[i].and(first));
        }
        mul2(&mut work.field, &mut a, &b);
        for i in 0..10 {
            p[i] = Four::halves(a[i], p[i]);
        }
    }
    // The last bit is 0: nothing is left to be swapped.
    linear(&mut a, &p, Z);
    invert(&mut work, &mut a);
    linear(&mut b, &p, X);
    mul2(&mut work.field, &mut a, &b);
    field::to_bytes(&a, 0)
}
