//! Twiddle factors of the number-theoretic transform, computed when the crate is compiled.
//!
//! x^n + 1 splits into two factors x^(n/2) -+ r, each of these again, down to linear factors. With m
//! blocks, block i splits by r = ZETA[m + i] = 7^((1024/2m) * (2 rev(i) + 1)), rev the reversal of the
//! bits of i below m: the same for all degrees, since 7 is a primitive 2048-th root of unity modulo q.

use crate::params::{N_MAX, Q};

/// 1/q modulo 2^16, signed.
pub(super) const Q_INVERSE: i16 = {
    // Newton's iteration doubles the number of right bits, from 3.
    let q = Q as u16;
    let mut x = q;
    let mut i = 0;
    while i < 4 {
        x = x.wrapping_mul(2u16.wrapping_sub(q.wrapping_mul(x)));
        i += 1;
    }
    x as i16
};

/// A factor in Montgomery form, centred, and its product with 1/q modulo 2^16.
#[derive(Clone, Copy)]
#[cfg_attr(test, derive(Debug, PartialEq, Eq))]
pub(super) struct Zeta {
    pub(super) value: i16,
    pub(super) times_q_inverse: i16,
}

impl Zeta {
    /// The factor x, in [0, q).
    pub(super) const fn new(x: u32) -> Self {
        let montgomery = (x << 16) % Q;
        let value = if montgomery > Q / 2 {
            montgomery as i16 - Q as i16
        } else {
            montgomery as i16
        };
        Self {
            value,
            times_q_inverse: value.wrapping_mul(Q_INVERSE),
        }
    }
}

/// x^e modulo q.
pub(super) const fn power(x: u32, e: u32) -> u32 {
    let mut result = 1;
    let mut i = 32;
    while i > 0 {
        i -= 1;
        result = result * result % Q;
        if e >> i & 1 == 1 {
            result = result * x % Q;
        }
    }
    result
}

/// The primitive 2048-th root of unity.
const ROOT: u32 = 7;

/// The table of the module's page; index 0 is not used.
#[cfg(not(all(target_arch = "wasm32", not(target_feature = "atomics"))))]
static ZETA: [Zeta; N_MAX] = zetas();

/// Comes before the first [`zeta`], where the table is not in the program.
#[cfg(not(all(target_arch = "wasm32", not(target_feature = "atomics"))))]
#[inline(always)]
pub(super) fn prepare() {}

/// ZETA[i].
#[cfg(not(all(target_arch = "wasm32", not(target_feature = "atomics"))))]
#[inline(always)]
pub(super) fn zeta(i: usize) -> Zeta {
    ZETA[i]
}

/// Tells all of the table, each factor with its index, of which `N_MAX` - 1 is the last.
#[cfg(any(test, all(target_arch = "wasm32", not(target_feature = "atomics"))))]
fn tell_zetas(mut tell: impl FnMut(usize, i16)) {
    let mut power = 1;
    for exponent in 1_u32..1024 {
        power = power * ROOT % Q;
        // m + i, reversed in ten bits, is (1024 / 2m) (2 rev(i) + 1).
        tell(
            (exponent.reverse_bits() >> 22) as usize,
            Zeta::new(power).value,
        );
    }
}

/// The table on WebAssembly: computed before it is first used, because each byte of a module is loaded from afar.
#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
mod computed {
    use core::cell::Cell;
    use core::sync::atomic::{Ordering::SeqCst, compiler_fence};

    use lanner_simd::memory::Alone;

    use super::{Q_INVERSE, Zeta, tell_zetas};
    use crate::params::N_MAX;

    /// 0 until [`prepare`] has come.
    static VALUES: Alone<[Cell<i16>; N_MAX]> = Alone([const { Cell::new(0) }; N_MAX]);

    /// What is told last.
    const LAST: usize = N_MAX - 1;

    #[inline]
    pub(in crate::ntt) fn prepare() {
        if VALUES.0[LAST].get() == 0 {
            compute();
        }
    }

    #[cold]
    #[inline(never)]
    fn compute() {
        tell_zetas(|i, value| {
            if i == LAST {
                // Not before: the engine may break a call off at any time, and what comes after it relies on the whole table.
                compiler_fence(SeqCst);
            }
            VALUES.0[i].set(value);
        });
    }

    /// ZETA[i].
    #[inline(always)]
    pub(in crate::ntt) fn zeta(i: usize) -> Zeta {
        // There are no more: the remainder only tells the compiler so.
        let value = VALUES.0[i % N_MAX].get();
        Zeta {
            value,
            times_q_inverse: value.wrapping_mul(Q_INVERSE),
        }
    }
}
#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
pub(super) use computed::{prepare, zeta};

/// All of them.
#[cfg_attr(
    all(target_arch = "wasm32", not(target_feature = "atomics")),
    allow(dead_code)
)]
const fn zetas() -> [Zeta; N_MAX] {
    let mut table = [Zeta::new(0); N_MAX];
    let mut m = 1;
    while m < N_MAX {
        let bits = m.trailing_zeros();
        let mut i = 0;
        while i < m {
            // reverse_bits of 0 bits would shift by 32.
            let reversed = if bits == 0 {
                0
            } else {
                (i as u32).reverse_bits() >> (32 - bits)
            };
            let exponent = 1024 / (2 * m as u32) * (2 * reversed + 1);
            table[m + i] = Zeta::new(power(ROOT, exponent));
            i += 1;
        }
        m *= 2;
    }
    table
}

/// R^2 / n: takes the factor 1/n of the inverse transform, and of one product in Montgomery's form.
pub(super) const fn inverse_scale(logn: u32) -> Zeta {
    Zeta::new((inverse_degree(logn) << 16) % Q)
}

/// 1/n: a power of 1/2.
pub(super) const fn inverse_degree(logn: u32) -> u32 {
    power(Q.div_ceil(2), logn)
}

/// The factors of the layers within vectors of `COUNT` lanes, for degree `N`: lane j of the vectors
/// that come out of the g-th transposition is block g * COUNT + j of those with COUNT elements. When
/// such a block has been split into k parts, part s of it uses, in lane j, the factor
/// ZETA[m + (g * COUNT + j) * k + s] with m = k * N / COUNT. The vectors stand in the order
/// k = 1, 2, 4, …, within that of g, within that of s. The inverse transform uses, at the same places,
/// ZETA[2m - 1 - …], which is minus the inverse.
pub(super) struct Tail<const N: usize, const COUNT: usize> {
    pub(super) value: [[i16; COUNT]; N],
    pub(super) times_q_inverse: [[i16; COUNT]; N],
}

pub(super) static TAIL_512: Tail<30, 16> = Tail::new(2, false);
pub(super) static TAIL_1024: Tail<60, 16> = Tail::new(4, false);
pub(super) static INVERSE_TAIL_512: Tail<30, 16> = Tail::new(2, true);
pub(super) static INVERSE_TAIL_1024: Tail<60, 16> = Tail::new(4, true);

/// Index of the first vector for k, for group g.
#[inline(always)]
pub(super) const fn tail_index(groups: usize, k: usize, g: usize) -> usize {
    // 1 + 2 + … + k/2 = k - 1 vectors in each group come first.
    groups * (k - 1) + g * k
}

impl<const VECTORS: usize, const COUNT: usize> Tail<VECTORS, COUNT> {
    /// For `groups` transpositions: `VECTORS` is groups * (COUNT - 1).
    const fn new(groups: usize, inverse: bool) -> Self {
        assert!(VECTORS == groups * (COUNT - 1));
        let zeta = zetas();
        let mut tail = Self {
            value: [[0; COUNT]; VECTORS],
            times_q_inverse: [[0; COUNT]; VECTORS],
        };
        let mut k = 1;
        while k < COUNT {
            let m = k * groups * COUNT;
            let mut g = 0;
            while g < groups {
                let mut s = 0;
                while s < k {
                    let mut j = 0;
                    while j < COUNT {
                        let block = (g * COUNT + j) * k + s;
                        let from = if inverse {
                            2 * m - 1 - block
                        } else {
                            m + block
                        };
                        let to = tail_index(groups, k, g) + s;
                        tail.value[to][j] = zeta[from].value;
                        tail.times_q_inverse[to][j] = zeta[from].times_q_inverse;
                        j += 1;
                    }
                    s += 1;
                }
                g += 1;
            }
            k *= 2;
        }
        tail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_computed_later() {
        let (mut told, mut last) = (0, 0);
        tell_zetas(|i, value| {
            assert_eq!(value, zeta(i).value, "{i}");
            // By 0 the table tells what is missing.
            assert_ne!(value, 0, "{i}");
            told += i;
            last = i;
        });
        assert_eq!(told, N_MAX * (N_MAX - 1) / 2);
        // The others are there if this one is.
        assert_eq!(last, N_MAX - 1);
    }

    #[test]
    fn constants_are_what_they_say() {
        assert_eq!((Q as i16).wrapping_mul(Q_INVERSE), 1);
        assert_eq!(power(ROOT, 1024), Q - 1);
        // ZETA[1] is a root of -1, and r of block i squared is that of its parent (or minus it).
        let plain = |zeta: Zeta| {
            let inverse_r = power(65536 % Q, Q - 2);
            (i32::from(zeta.value).rem_euclid(Q as i32) as u32) * inverse_r % Q
        };
        assert_eq!(power(plain(zeta(1)), 2), Q - 1);
        for i in 2..N_MAX {
            let parent = plain(zeta(i / 2));
            let expected = if i % 2 == 0 { parent } else { Q - parent };
            assert_eq!(power(plain(zeta(i)), 2), expected);
            let m = 1 << i.ilog2();
            assert_eq!(plain(zeta(i)) * plain(zeta(3 * m - 1 - i)) % Q, Q - 1);
        }
    }
}
