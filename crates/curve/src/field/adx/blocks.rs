//! The blocks of assembly: single operations, and formulas whose operands stay in one frame.

use super::instructions::{
    add, add_any, at, choose, first_row, fold, fold_top, mul, mul_121666_add, product, row, square,
    square_again, square_product, store, sub, sub_any, words,
};
use super::{Assembly, Limbs, WithAdx, WithBmi};
use crate::field::blocks::{Blocks, MIDDLE, PointFrame};
use core::arch::asm;

/// What a ladder needs: (U2 : W2) and (U3 : W3), the u-coordinate of their difference, and places for
/// what a step computes.
#[repr(C, align(64))]
pub(crate) struct Ladder([Limbs; 20]);

impl Ladder {
    #[inline(always)]
    pub(super) fn new(points: [Limbs; 4], difference: Limbs) -> Self {
        let mut places = [[0; 4]; 20];
        places[..4].copy_from_slice(&points);
        places[4] = difference;
        Self(places)
    }

    /// U2, W2, U3 and W3, all of them carried.
    #[inline(always)]
    pub(super) fn points(&self) -> [Limbs; 4] {
        [self.0[0], self.0[1], self.0[2], self.0[3]]
    }
}

/// A block with all registers of the plan, in the order in which it takes them.
macro_rules! block {
    ($($line:expr),+; $($operands:tt)*) => {
        asm!(
            $($line,)+
            $($operands)*
            r4 = out(reg) _,
            r5 = out(reg) _,
            r6 = out(reg) _,
            r7 = out(reg) _,
            hi = out(reg) _,
            lo = out(reg) _,
            out("rdx") _,
        )
    };
}

/// A value raised to the power 2^n by n squarings, n > 0: carried. Takes any value.
#[inline(always)]
pub(super) fn square_times<A: Assembly>(a: &Limbs, n: u32) -> Limbs {
    // The first square makes it carried.
    let mut square = A::square(a);
    if n > 1 {
        // SAFETY: reads and writes the array and touches only the registers declared; every
        // `Assembly` has BMI2. The loop ends, because n - 1 is not 0.
        unsafe {
            block!(
                "mov {r0}, [{p}]",
                "mov {r1}, [{p} + 8]",
                "mov {r2}, [{p} + 16]",
                "mov {r3}, [{p} + 24]",
                "2:",
                square_again!(),
                "dec {q:e}",
                "jnz 2b";
                p = in(reg) &mut square,
                q = inout(reg) n - 1 => _,
                r0 = out(reg) _,
                r1 = out(reg) _,
                r2 = out(reg) _,
                r3 = out(reg) _,
                options(nostack),
            );
        }
    }
    square
}

/// A function that is a block over a frame of a point, and with another operand at `q` where it has one.
macro_rules! formula {
    ($(#[$doc:meta])* $visible:vis fn $name:ident($($q:ident: $operand:ty)?) { $($line:expr),+ $(,)? }) => {
        $(#[$doc])*
        $visible fn $name(frame: &mut PointFrame $(, $q: &$operand)?) {
            // SAFETY: reads the operand, reads and writes the frame, and touches only the registers
            // declared; the instructions are there (see the module above).
            unsafe {
                block!(
                    $($line),+;
                    s = in(reg) &mut frame.0[MIDDLE],
                    $($q = in(reg) $q,)?
                    r0 = out(reg) _,
                    r1 = out(reg) _,
                    r2 = out(reg) _,
                    r3 = out(reg) _,
                    options(nostack),
                );
            }
        }
    };
}

macro_rules! assembly {
    ($kind:ident: $type:ty) => {
        impl Assembly for $type {
            const BLOCKS: Blocks = {
                // Products are carried; `add` and `sub` have no other operands. What waits for a
                // product does not follow it at once: the orders are the best of some hundred that were measured.
                formula! {
                    /// To projective coordinates, and dbl-2008-hwcd (see `models`).
                    fn double() {
                        mul!($kind Y = CY * CZ),
                        mul!($kind X = CX * CT),
                        mul!($kind Z = CZ * CT),
                        square!($kind XX = X ^ 2),
                        add!(XY = X + Y),
                        square!($kind YY = Y ^ 2),
                        sub!(CZ = YY - XX),
                        add!(CY = YY + XX),
                        square!($kind ZZ = Z ^ 2),
                        add!(ZZ2 = ZZ + ZZ),
                        square!($kind XY2 = XY ^ 2),
                        sub_any!(CT = ZZ2 - CZ),
                        sub_any!(CX = XY2 - CY),
                    }
                }
                formula! {
                    /// To extended coordinates, and add-2008-hwcd-3 for an affine point.
                    fn add_affine(q: [Limbs; 3]) {
                        mul!($kind Y = CY * CZ),
                        mul!($kind X = CX * CT),
                        mul!($kind T = CX * CY),
                        mul!($kind Z = CZ * CT),
                        sub!(YmX = Y - X),
                        add!(YpX = Y + X),
                        mul!($kind PC = T * Q2),
                        mul!($kind PA = YmX * Q1),
                        mul!($kind PB = YpX * Q0),
                        add!(PD = Z + Z),
                        add_any!(CZ = PD + PC),
                        sub_any!(CT = PD - PC),
                        sub!(CX = PB - PA),
                        add!(CY = PB + PA),
                    }
                }
                formula! {
                    /// To extended coordinates, and add-2008-hwcd-3.
                    fn add(q: [Limbs; 4]) {
                        mul!($kind Y = CY * CZ),
                        mul!($kind X = CX * CT),
                        mul!($kind T = CX * CY),
                        mul!($kind Z = CZ * CT),
                        sub!(YmX = Y - X),
                        add!(YpX = Y + X),
                        mul!($kind PC = T * Q3),
                        mul!($kind PD = Z * Q2),
                        mul!($kind PA = YmX * Q1),
                        mul!($kind PB = YpX * Q0),
                        add!(CZ = PD + PC),
                        sub!(CT = PD - PC),
                        sub!(CX = PB - PA),
                        add!(CY = PB + PA),
                    }
                }
                Blocks {
                    double,
                    add_affine,
                    add,
                }
            };

            #[inline(always)]
            fn mul(a: &Limbs, b: &Limbs) -> Limbs {
                let (r0, r1, r2, r3): (u64, u64, u64, u64);
                // SAFETY: reads the two arrays and touches only the registers declared; the
                // instructions are there (see the module above).
                unsafe {
                    block!(
                        product!($kind ["{p}"], ["{q}"]),
                        fold!(bmi);
                        p = in(reg) a,
                        q = in(reg) b,
                        r0 = out(reg) r0,
                        r1 = out(reg) r1,
                        r2 = out(reg) r2,
                        r3 = out(reg) r3,
                        options(pure, readonly, nostack),
                    );
                }
                [r0, r1, r2, r3]
            }

            #[inline(always)]
            fn square(a: &Limbs) -> Limbs {
                let (r0, r1, r2, r3): (u64, u64, u64, u64);
                // SAFETY: as for `mul`.
                unsafe {
                    block!(
                        square_product!($kind ["{p}"]),
                        fold!($kind);
                        p = in(reg) a,
                        r0 = out(reg) r0,
                        r1 = out(reg) r1,
                        r2 = out(reg) r2,
                        r3 = out(reg) r3,
                        options(pure, readonly, nostack),
                    );
                }
                [r0, r1, r2, r3]
            }

            #[inline(always)]
            fn ladder_step(ladder: &mut Ladder, swap: u64) {
                // The step of `formulas::step`. Exchanging the points exchanges (A, B) with
                // (C, D), and so DA with CB: that changes the sign of DA - CB alone, which is
                // squared. What remains is to choose the point that is doubled.
                //
                // An operation follows well behind those that it waits for; the order is the best of
                // some hundred that were measured. It waits for carries alone.
                //
                // SAFETY: reads and writes the frame and touches only the registers declared; the
                // instructions are there (see the module above). U2, W2, U3 and W3 are carried
                // before and after, and so are products, which are all that is added or
                // subtracted.
                unsafe {
                    block!(
                        sub!(B = U2 - W2),
                        add!(A = U2 + W2),
                        sub!(D = U3 - W3),
                        add!(C = U3 + W3),
                        "test {q}, {q}",
                        choose!(B1 = B or D),
                        choose!(A1 = A or C),
                        mul!($kind DA = D * A),
                        mul!($kind CB = C * B),
                        square!($kind BB = B1 ^ 2),
                        sub!(DIFF = DA - CB),
                        add!(SUM = DA + CB),
                        square!($kind AA = A1 ^ 2),
                        sub!(E = AA - BB),
                        square!($kind DIFF2 = DIFF ^ 2),
                        mul_121666_add!(BBE = E * 121666 + BB),
                        square!($kind U3 = SUM ^ 2),
                        mul!($kind U2 = AA * BB),
                        mul!($kind W2 = E * BBE),
                        mul!($kind W3 = U1 * DIFF2);
                        s = in(reg) &mut ladder.0[MIDDLE],
                        q = in(reg) swap,
                        r0 = out(reg) _,
                        r1 = out(reg) _,
                        r2 = out(reg) _,
                        r3 = out(reg) _,
                        options(nostack),
                    );
                }
            }
        }
    };
}

assembly!(adx: WithAdx);
assembly!(bmi: WithBmi);

/// The sums alone, of CX and CY to X: in formulas they meet products, which are hardly ever at the edges
/// of what a sum may be given.
#[cfg(test)]
pub(super) mod sums {
    // The comment names the registers of the plan that a sum leaves alone: `asm!` wants all of them named.
    use super::{MIDDLE, PointFrame, add, add_any, asm, at, store, sub, sub_any, words};

    formula! {
        pub(in super::super) fn add() { add!(X = CX + CY), "/* {r4} {r5} {r6} {r7} {hi} */" }
    }
    formula! {
        pub(in super::super) fn sub() { sub!(X = CX - CY), "/* {r4} {r5} {r6} {r7} {hi} */" }
    }
    formula! {
        pub(in super::super) fn add_any() { add_any!(X = CX + CY), "/* {r4} {r5} {r6} {r7} {hi} */" }
    }
    formula! {
        pub(in super::super) fn sub_any() { sub_any!(X = CX - CY), "/* {r4} {r5} {r6} {r7} {hi} */" }
    }
}
