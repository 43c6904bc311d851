//! Division steps with conditional moves: what inversion spends most of its time on.

use crate::safegcd::{self, Modulus, Steps};
use core::arch::asm;

/// A step on the words f and g, and ζ = -(δ + 1/2), which is negative exactly if δ > 0:
///
/// ```text
/// g odd and ζ < 0:  (ζ, f, g) → (-ζ - 2, g, (g - f)/2)
/// g odd:            (ζ, f, g) → (ζ - 1, f, (g + f)/2)
/// g even:           (ζ, f, g) → (ζ - 1, f, g/2)
/// ```
///
/// Everything that a step may need is computed, and moved by carries and zeros: a step waits for a difference, two
/// choices and the halving. The order is the fastest of some hundred that were measured.
macro_rules! step {
    () => {
        "lea {odd}, [{g} + {f}]
         mov {before}, {g}
         sub {before}, {f}
         lea {back}, [{z} + 2]
         neg {back}
         mov {swap}, {z}
         dec {z}
         shr {swap}, 63
         cmovnz {odd}, {before}
         mov {before}, {g}
         bt {g}, 0
         cmovc {g}, {odd}
         sar {g}, 1
         and {swap}, {before}
         cmovnz {f}, {before}
         cmovnz {z}, {back}\n"
    };
}

/// A function that does `$count` steps.
macro_rules! steps {
    ($name:ident, $count:literal) => {
        #[inline(always)]
        fn $name(zeta: &mut i64, mut f: i64, mut g: i64) -> (i64, i64) {
            // SAFETY: instructions that every x86-64 processor has; touches only the registers declared, and no memory.
            unsafe {
                asm!(
                    concat!(".rept ", $count),
                    step!(),
                    ".endr",
                    f = inout(reg) f,
                    g = inout(reg) g,
                    z = inout(reg) *zeta,
                    odd = out(reg) _,
                    before = out(reg) _,
                    swap = out(reg) _,
                    back = out(reg) _,
                    options(pure, nomem, nostack),
                );
            }
            (f, g)
        }
    };
}

steps!(nineteen, 19);
steps!(twenty, 20);

/// Division steps in assembly.
struct WithMoves;

impl Steps for WithMoves {
    #[inline(always)]
    fn steps<const STEPS: u32>(zeta: &mut i64, f: i64, g: i64) -> (i64, i64) {
        const { assert!(STEPS == 19 || STEPS == 20) }
        if STEPS == 19 {
            nineteen(zeta, f, g)
        } else {
            twenty(zeta, f, g)
        }
    }
}

/// [`safegcd::invert`].
pub(crate) fn invert(x: &[u64; 4], m: &Modulus) -> [u64; 4] {
    safegcd::invert_with::<WithMoves>(x, m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::safegcd::Portable;

    /// Words that pack any low parts of an odd f and any g, with the coefficients of a start.
    fn packed(count: u32, f: i64, g: i64) -> (i64, i64) {
        let low = (1 << 20) - 1;
        (
            ((f | 1) & low) - (1 << (21 + count)),
            (g & low) - (1 << (42 + count)),
        )
    }

    /// Every low part of one of the two numbers beside some of the other, at every turn of δ.
    #[test]
    fn steps_agree_with_portable_ones() {
        let mut state = 1i64;
        for low in 0..1 << 20 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let (any, zeta) = (
                state >> 33,
                [-1, 0, 1, -2, 2, -20, 19, 300, -300][low as usize % 9],
            );
            for (f, g) in [(low, any), (any, low)] {
                let (f19, g19) = packed(19, f, g);
                let (f20, g20) = packed(20, f, g);
                let (mut z, mut expected) = (zeta, zeta);
                assert_eq!(
                    WithMoves::steps::<19>(&mut z, f19, g19),
                    Portable::steps::<19>(&mut expected, f19, g19),
                );
                assert_eq!(z, expected);
                assert_eq!(
                    WithMoves::steps::<20>(&mut z, f20, g20),
                    Portable::steps::<20>(&mut expected, f20, g20),
                );
                assert_eq!(z, expected);
            }
        }
    }
}
