//! The conditions on (f, g) before the NTRU equation is tried.

use lanner_simd::Isa;
use lanner_simd::mask::top_bit_u32;

use super::fxp;
use super::lanes::Words;
use super::workspace::Memory;
use crate::params::{KEYGEN_NORM_BOUND, KeygenRule, Q};

/// Whether ||(g, -f)||^2 < (1.17 sqrt(q))^2.
pub(crate) fn is_short(f: &[i8], g: &[i8]) -> bool {
    let norm = f
        .iter()
        .chain(g)
        .map(|&x| (i32::from(x) * i32::from(x)) as u32)
        .sum::<u32>();
    norm < KEYGEN_NORM_BOUND
}

/// The residues of small coefficients.
pub(crate) fn residues_of_small(f: &[i8], p: u32, to: &mut [u32]) {
    for (&x, to) in f.iter().zip(to) {
        *to = (i32::from(x) as u32).residue(p);
    }
}

/// Whether one of them is zero; each is below 2^31.
pub(crate) fn has_zero(values: &[u32]) -> bool {
    top_bit_u32(values.iter().fold(0, |any, x| any | x.wrapping_sub(1))) == 1
}

/// The bound on the squared norm of the orthogonalised vector, times 2^32: (1.17 sqrt(q))^2 for P3, and
/// (0.999 * 1.17 sqrt(q))^2 for P4.
const fn bound(rule: KeygenRule) -> i64 {
    match rule {
        KeygenRule::P3 => 72_251_709_809_335,
        KeygenRule::P4 => 72_107_278_641_426,
    }
}

/// Whether ||(q adj(f)/(f adj(f) + g adj(g)), q adj(g)/(f adj(f) + g adj(g)))||^2, as fixed point gives
/// it, is below the bound.
pub(crate) fn is_orthogonalised_short<I: Isa>(
    rule: KeygenRule,
    f: &[i8],
    g: &[i8],
    mut memory: Memory<'_>,
) -> bool {
    let n = f.len();
    let (f_hat, g_hat) = (memory.limbs(n), memory.limbs(n));
    for (small, fixed) in [(f, &mut *f_hat), (g, &mut *g_hat)] {
        for (&x, to) in small.iter().zip(fixed.iter_mut()) {
            *to = fxp::from_integer(i32::from(x));
        }
        fxp::fft::<I>(fixed);
    }
    fxp::orthogonalise::<I>(f_hat, g_hat, fxp::from_integer(Q as i32));
    fxp::ifft::<I>(f_hat);
    fxp::ifft::<I>(g_hat);
    let norm = fxp::squared_norm::<I>(f_hat).wrapping_add(fxp::squared_norm::<I>(g_hat));
    norm < bound(rule)
}
