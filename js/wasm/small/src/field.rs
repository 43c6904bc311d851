//! Integers modulo p = 2^255 - 19 in ten signed limbs of 26 bits.
//!
//! All limbs have the same weight step, and so one row of a product is one loop body: that is what
//! makes the code small. 2^260 = 608 modulo p.
//!
//! # Bounds
//!
//! *Reduced* limbs, which products have, are below 2^26 + 2^19 in absolute value, the lowest
//! below 2^27. A factor may be a sum or difference of up to four reduced elements: limbs below
//! 10 * 2^26 = 2^29.3, and so a column, ten products, below 10 * 2^58.7 < 2^62.1.

use crate::limbs::{self, Limbs};

/// An element.
pub(crate) type Fe = Limbs;

pub(crate) const ZERO: Fe = small(0);
pub(crate) const ONE: Fe = small(1);

const WIDTH: u32 = 26;
const MASK: i64 = (1 << WIDTH) - 1;

pub(crate) const fn small(n: i64) -> Fe {
    [n, 0, 0, 0, 0, 0, 0, 0, 0, 0]
}

/// The element of a hexadecimal number of 64 digits.
pub(crate) const fn constant(hex: &str) -> Fe {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 64 {
        let digit = match hex.as_bytes()[i] {
            c @ b'0'..=b'9' => c - b'0',
            c => c - b'a' + 10,
        };
        bytes[31 - i / 2] |= digit << (4 * (1 - i % 2));
        i += 1;
    }
    limbs::load(&bytes, WIDTH)
}

#[inline(never)]
pub(crate) fn add(a: &Fe, b: &Fe) -> Fe {
    let mut c = *a;
    for i in 0..10 {
        c[i] += b[i];
    }
    c
}

#[inline(never)]
pub(crate) fn sub(a: &Fe, b: &Fe) -> Fe {
    let mut c = *a;
    for i in 0..10 {
        c[i] -= b[i];
    }
    c
}

// Columns are written out, not looped over: the engine then keeps them in registers, and what is
// regular compresses well.

#[inline(never)]
pub(crate) fn mul(a: &Fe, b: &Fe) -> Fe {
    let [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9] = *a;
    let [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9] = *b;
    reduce(&[
        a0 * b0,
        a0 * b1 + a1 * b0,
        a0 * b2 + a1 * b1 + a2 * b0,
        a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0,
        a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0,
        a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0,
        a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0,
        a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0,
        a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0,
        a0 * b9
            + a1 * b8
            + a2 * b7
            + a3 * b6
            + a4 * b5
            + a5 * b4
            + a6 * b3
            + a7 * b2
            + a8 * b1
            + a9 * b0,
        a1 * b9 + a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + a9 * b1,
        a2 * b9 + a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3 + a9 * b2,
        a3 * b9 + a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + a9 * b3,
        a4 * b9 + a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + a9 * b4,
        a5 * b9 + a6 * b8 + a7 * b7 + a8 * b6 + a9 * b5,
        a6 * b9 + a7 * b8 + a8 * b7 + a9 * b6,
        a7 * b9 + a8 * b8 + a9 * b7,
        a8 * b9 + a9 * b8,
        a9 * b9,
    ])
}

/// The module that only verifies goes without squaring of its own, for size.
#[cfg(not(feature = "sign"))]
#[inline(always)]
pub(crate) fn square(a: &Fe) -> Fe {
    mul(a, a)
}

#[cfg(feature = "sign")]
#[inline(never)]
pub(crate) fn square(a: &Fe) -> Fe {
    let [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9] = *a;
    reduce(&[
        a0 * a0,
        2 * a0 * a1,
        a1 * a1 + 2 * a0 * a2,
        2 * (a0 * a3 + a1 * a2),
        a2 * a2 + 2 * (a0 * a4 + a1 * a3),
        2 * (a0 * a5 + a1 * a4 + a2 * a3),
        a3 * a3 + 2 * (a0 * a6 + a1 * a5 + a2 * a4),
        2 * (a0 * a7 + a1 * a6 + a2 * a5 + a3 * a4),
        a4 * a4 + 2 * (a0 * a8 + a1 * a7 + a2 * a6 + a3 * a5),
        2 * (a0 * a9 + a1 * a8 + a2 * a7 + a3 * a6 + a4 * a5),
        a5 * a5 + 2 * (a1 * a9 + a2 * a8 + a3 * a7 + a4 * a6),
        2 * (a2 * a9 + a3 * a8 + a4 * a7 + a5 * a6),
        a6 * a6 + 2 * (a3 * a9 + a4 * a8 + a5 * a7),
        2 * (a4 * a9 + a5 * a8 + a6 * a7),
        a7 * a7 + 2 * (a5 * a9 + a6 * a8),
        2 * (a6 * a9 + a7 * a8),
        a8 * a8 + 2 * a7 * a9,
        2 * a8 * a9,
        a9 * a9,
    ])
}

/// From the sums of products to reduced limbs. The carries of all limbs move at once by one place,
/// and so none waits for another.
#[inline(never)]
fn reduce(c: &[i64; 19]) -> Fe {
    // What limb i keeps, and what comes from the limb below it.
    macro_rules! part {
        (0) => {
            c[0] & MASK
        };
        (19) => {
            c[18] >> WIDTH
        };
        ($i:tt) => {
            (c[$i] & MASK) + (c[$i - 1] >> WIDTH)
        };
    }
    // Below 2^37; the upper half comes down.
    macro_rules! fold {
        ($($low:tt $high:tt),+) => { [$(part!($low) + 608 * part!($high)),+] };
    }
    let r: Fe = fold!(0 10, 1 11, 2 12, 3 13, 4 14, 5 15, 6 16, 7 17, 8 18, 9 19);
    macro_rules! last {
        ($($i:tt),+) => { [(r[0] & MASK) + 608 * (r[9] >> WIDTH), $((r[$i] & MASK) + (r[$i - 1] >> WIDTH)),+] };
    }
    last!(1, 2, 3, 4, 5, 6, 7, 8, 9)
}

pub(crate) fn from_bytes(bytes: &[u8; 32]) -> Fe {
    let mut a = limbs::load(bytes, WIDTH);
    // Bit 255 is not the element's.
    a[9] &= (1 << 21) - 1;
    a
}

/// The canonical encoding.
#[inline(never)]
pub(crate) fn to_bytes(a: &Fe) -> [u8; 32] {
    let mut a = *a;
    // Below 2^255 + 2^16 in absolute value, and then from 0 to 2^255 - 1.
    carry(&mut a);
    carry(&mut a);
    a[0] += 19;
    carry(&mut a);
    // Bits from 255 on came down as 19 each: what was at least p is now itself minus p plus 19.
    a[0] -= 19;
    carry(&mut a);
    limbs::store(&a, WIDTH)
}

/// One pass of carries from below; what is above 2^255 comes down, times 19.
fn carry(a: &mut Fe) {
    for i in 0..9 {
        a[i + 1] += a[i] >> WIDTH;
        a[i] &= MASK;
    }
    a[0] += 19 * (a[9] >> 21);
    a[9] &= (1 << 21) - 1;
}
