//! Tables of multiples of any point, for many multiplications by secret scalars.
//!
//! A table has a window for each digit of a scalar: the window of digit i in radix r = 2^w holds the multiples 1 to
//! r/2 of r^i P. A multiplication reads each window whole, and adds one entry of each: no doublings
//! (Brickell, Gordon, McCurley and Wilson 1992; Bernstein, Duif, Lange, Schwabe and Yang 2011, section 4).

use super::fixed_base::{self, MulTable, NEUTRAL, magnitude};
use super::niels::{AffineNiels, PackedNiels};
use crate::backend::{HAS_FIAT, in_lanes, with_field};
use crate::ct::Mask;
use crate::edwards::models::Extended;
use crate::edwards::{CALLER_DEPTH, EdwardsPoint};
use crate::field::Field;
use crate::scalar::recode::signed_radix;
use crate::scalar::{Scalar, clamp_in_place};
use crate::traits::BasepointTable;
use core::fmt;
use core::ops::Mul;
use lanner_simd::stack::cleared;
use zeroize::{Zeroize, Zeroizing};

/// As many entries as a window has at most, in radix 256.
const MAX_ENTRIES: usize = 128;

/// How deep on the stack a multiplication by a table goes without lanes, whatever the representation.
const MUL_DEPTH: usize = if HAS_FIAT { 3008 } else { 2816 };

/// Fills windows of n entries, for digits in radix 2n. Constant time.
#[inline]
fn create<F: Field>(point: &EdwardsPoint, entries: &mut [PackedNiels], n: usize) {
    let mut power = point.unpack::<F>();
    for window in entries.chunks_mut(n) {
        let first = power.to_cached();
        let mut multiples = [power; MAX_ENTRIES];
        let multiples = &mut multiples[..n];
        for i in 1..n {
            multiples[i] = multiples[i - 1].add(&first).to_extended();
        }
        Extended::pack_niels::<MAX_ENTRIES>(multiples, window);
        power = multiples[n - 1].double().to_extended();
    }
}

/// The same, by the active backend.
fn create_any(point: &EdwardsPoint, entries: &mut [PackedNiels], n: usize) {
    with_field!(F => create::<F>(point, entries, n));
}

/// The sum of the entries that the digits ask for. Constant time.
#[inline]
fn mul<F: Field, const N: usize>(windows: &[[PackedNiels; N]], digits: &[i8]) -> EdwardsPoint {
    let mut sum = Extended::<F>::IDENTITY;
    for (window, &digit) in windows.iter().zip(digits) {
        let (magnitude, negative) = magnitude(digit);
        let entry = F::choose_entry(window, magnitude, &NEUTRAL);
        let mut point = AffineNiels::from_packed(&entry);
        point.conditional_negate(Mask::eq(negative.into(), 1));
        sum = sum.add_affine(&point).to_extended();
    }
    sum.pack()
}

/// \[n]P by a table in radix 16.
fn mul_radix_16(windows: &[[PackedNiels; 8]; 64], n: &[u8; 32]) -> EdwardsPoint {
    let digits = super::digits(n);
    if let Ok(point) = in_lanes(MulTable {
        windows,
        digits: &digits,
    }) {
        return point;
    }
    cleared::<MUL_DEPTH, _>(
        || with_field!(F => fixed_base::mul_table::<F>(windows, &digits).pack()),
    )
}

/// \[n]P by a table in radix 2^`W`.
fn mul_radix<const W: u32, const N: usize, const DIGITS: usize>(
    windows: &[[PackedNiels; N]; DIGITS],
    n: &[u8; 32],
) -> EdwardsPoint {
    let mut digits = Zeroizing::new([0; DIGITS]);
    signed_radix::<W, DIGITS>(n, &mut digits);
    cleared::<MUL_DEPTH, _>(|| with_field!(F => mul::<F, N>(windows, &digits[..])))
}

macro_rules! tables {
    ($($name:ident: $entries:literal, $digits:literal, $mul:expr, $size:literal;)*) => {$(
        #[doc = concat!("A table of multiples of a point, ", $size, " kilobytes; a multiplication takes ", $digits,
            " additions.")]
        ///
        /// Making it and multiplying by it are in constant time.
        #[derive(Clone)]
        pub struct $name(pub(crate) [[PackedNiels; $entries]; $digits]);

        impl BasepointTable for $name {
            type Point = EdwardsPoint;

            fn create(basepoint: &EdwardsPoint) -> Self {
                let mut table = Self([[[[0; 4]; 3]; $entries]; $digits]);
                create_any(basepoint, table.0.as_flattened_mut(), $entries);
                table
            }

            fn basepoint(&self) -> EdwardsPoint {
                with_field!(F => {
                    AffineNiels::<F>::from_packed(&self.0[0][0]).to_extended_inline().pack()
                })
            }

            fn mul_base(&self, scalar: &Scalar) -> EdwardsPoint {
                cleared::<CALLER_DEPTH, _>(|| $mul(&self.0, scalar.as_bytes()))
            }

            fn mul_base_clamped(&self, mut bytes: [u8; 32]) -> EdwardsPoint {
                clamp_in_place(&mut bytes);
                let product = cleared::<CALLER_DEPTH, _>(|| $mul(&self.0, &bytes));
                bytes.zeroize();
                product
            }
        }

        /// Constant time.
        impl Mul<&Scalar> for &$name {
            type Output = EdwardsPoint;

            fn mul(self, scalar: &Scalar) -> EdwardsPoint {
                self.mul_base(scalar)
            }
        }

        /// Constant time.
        impl Mul<&$name> for &Scalar {
            type Output = EdwardsPoint;

            fn mul(self, table: &$name) -> EdwardsPoint {
                table.mul_base(self)
            }
        }

        impl fmt::Debug for $name {
            /// Shows the point.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({:?})"), self.basepoint())
            }
        }
    )*};
}

tables! {
    EdwardsBasepointTable: 8, 64, mul_radix_16, "48";
    EdwardsBasepointTableRadix32: 16, 52, mul_radix::<5, 16, 52>, "78";
    EdwardsBasepointTableRadix64: 32, 43, mul_radix::<6, 32, 43>, "129";
    EdwardsBasepointTableRadix128: 64, 37, mul_radix::<7, 64, 37>, "222";
    EdwardsBasepointTableRadix256: 128, 33, mul_radix::<8, 128, 33>, "396";
}

/// The table in radix 16, by the name that goes with those of the others.
pub type EdwardsBasepointTableRadix16 = EdwardsBasepointTable;

/// Tables from others, of the same point.
macro_rules! conversions {
    ($($a:ident, $b:ident;)*) => {$(
        impl From<&$a> for $b {
            fn from(table: &$a) -> Self {
                Self::create(&table.basepoint())
            }
        }

        impl From<&$b> for $a {
            fn from(table: &$b) -> Self {
                Self::create(&table.basepoint())
            }
        }
    )*};
}

conversions! {
    EdwardsBasepointTable, EdwardsBasepointTableRadix32;
    EdwardsBasepointTable, EdwardsBasepointTableRadix64;
    EdwardsBasepointTable, EdwardsBasepointTableRadix128;
    EdwardsBasepointTable, EdwardsBasepointTableRadix256;
    EdwardsBasepointTableRadix32, EdwardsBasepointTableRadix64;
    EdwardsBasepointTableRadix32, EdwardsBasepointTableRadix128;
    EdwardsBasepointTableRadix32, EdwardsBasepointTableRadix256;
    EdwardsBasepointTableRadix64, EdwardsBasepointTableRadix128;
    EdwardsBasepointTableRadix64, EdwardsBasepointTableRadix256;
    EdwardsBasepointTableRadix128, EdwardsBasepointTableRadix256;
}
