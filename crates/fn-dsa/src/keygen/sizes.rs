//! How large the numbers of the NTRU solver become: sizes in words of 31 bits by depth, where depth d has
//! polynomials of degree n/2^d with coefficients of about 2^d times the bits.
//!
//! They are part of the definition of a key: the solver fails, and new (f, g) are drawn, where a number
//! exceeds its size (Pornin, "Improved Key Pair Generation for Falcon, BAT and Hawk", eprint 2023/290; the
//! measured sizes are in table 1 of section 4.4.3 of the Falcon specification).

use crate::params::KeygenRule;

/// Words of a coefficient of f and g at a depth, and of F and G after reduction.
pub(crate) const SMALL_WORDS: [usize; 11] = [1, 1, 2, 3, 4, 8, 14, 27, 53, 104, 207];

/// Words of a coefficient of F and G at a depth, before reduction.
pub(crate) const LARGE_WORDS: [usize; 10] = [1, 2, 3, 6, 11, 21, 40, 78, 155, 308];

/// How many of the upper words of f and g decide a reduction.
pub(crate) const WINDOW_WORDS: [usize; 10] = [1, 1, 2, 2, 2, 3, 3, 4, 5, 7];

/// By how many bits one round of reduction is expected to shorten F and G.
pub(crate) const fn reduction_bits(rule: KeygenRule, logn: u32) -> u32 {
    match (rule, logn) {
        (KeygenRule::P3, 10) => 11,
        (KeygenRule::P3, 9) => 13,
        (KeygenRule::P3, _) => 16,
        (KeygenRule::P4, 10) => 8,
        (KeygenRule::P4, 9) => 9,
        (KeygenRule::P4, _) => 10,
    }
}

/// Limbs of a coefficient of f and g at a depth, and of reduced F and G.
pub(crate) const fn small_limbs(depth: u32) -> usize {
    SMALL_WORDS[depth as usize].div_ceil(2)
}

/// Limbs in which a number of so many words is kept: there is room for what one round of reduction may
/// exceed it by, so that an excess is seen.
pub(crate) const fn active_limbs(words: usize) -> usize {
    words.div_ceil(2) + 1
}

/// Limbs from one coefficient of F to the next at a depth >= 1: those of the unreduced number, and of
/// the product of a reduced coefficient from one level deeper and one of g.
pub(crate) const fn large_limbs(depth: u32) -> usize {
    let product = small_limbs(depth + 1) + small_limbs(depth);
    let active = active_limbs(LARGE_WORDS[depth as usize]);
    if product > active { product } else { active }
}

/// The least degree at which a polynomial is multiplied by transforms, where its coefficients are short enough.
pub(crate) const TRANSFORM_DEGREE: usize = 64;

/// Limbs from one coefficient of F to the next at a depth, for degree 2^`logn`. At depth 1 the words fill one limb: where
/// products go by transforms, their subtraction tells what exceeds it, and no other is kept for that.
pub(crate) const fn big_limbs(logn: u32, depth: u32) -> usize {
    if depth == 1 && 1 << (logn - 1) >= TRANSFORM_DEGREE {
        1
    } else {
        large_limbs(depth)
    }
}
