//! Whether f G - g F = q modulo X^n + 1, over the integers: what makes four short polynomials a key.
//!
//! A coefficient of f G - g F is a sum of 2n products of numbers within 127, so that it is below 2^26 in size. One that is q
//! modulo a prime p near 2^31 therefore is q. And a polynomial is the constant q modulo p if all of its n values
//! are: four transforms decide, and none of them has to be inverted.

use lanner_simd::{Isa, Operation};

use super::lanes::Words;
use super::mp31::{PRIMES, Prime};
use super::ntt31::ntt;
use super::workspace::{Memory, Tables};
use crate::params::Q;

/// Whether the equation holds for f, g, F and G: all of n = 2, 4, … 1024 coefficients within [-127, 127]. Constant
/// time. Takes 16 bytes a coefficient, and leaves secrets in them.
pub(crate) fn holds(parts: [&[i8]; 4], memory: Memory<'_>) -> bool {
    crate::vectors::dispatch_wide(Difference(parts, memory)) == 0
}

/// Zero if the equation holds for f, g, F and G.
struct Difference<'a>([&'a [i8]; 4], Memory<'a>);

impl Operation for Difference<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<I: Isa>(self) -> u32 {
        let Self([f, g, big_f, big_g], mut memory) = self;
        let prime = &PRIMES[0];
        let n = f.len();
        let table = Tables::fill::<I>(n, 1, &mut memory).powers(0);
        let [x, y, product] = [(); 3].map(|()| memory.words(n));

        values::<I>(prime, f, table, x);
        values::<I>(prime, big_g, table, y);
        for ((to, x), y) in product.iter_mut().zip(&*x).zip(&*y) {
            *to = prime.mul(*x, *y);
        }
        values::<I>(prime, g, table, x);
        values::<I>(prime, big_f, table, y);
        // Products lose a factor 2^32, and so does what they are compared with.
        let q = prime.mul(Q, 1);
        let mut any = 0;
        for ((fg, x), y) in product.iter().zip(&*x).zip(&*y) {
            any |= prime.sub(*fg, prime.mul(*x, *y)) ^ q;
        }
        any
    }
}

/// The values of a polynomial.
#[inline(always)]
fn values<I: Isa>(prime: &Prime, from: &[i8], table: &[u32], to: &mut [u32]) {
    for (to, &x) in to.iter_mut().zip(from) {
        *to = (i32::from(x) as u32).residue(prime.p);
    }
    ntt::<I>(to, table, prime);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keygen::workspace::Workspace;
    use alloc::vec;
    use alloc::vec::Vec;

    /// f G - g F, by the definition.
    fn slow(f: &[i8], g: &[i8], big_f: &[i8], big_g: &[i8]) -> Vec<i64> {
        let n = f.len();
        let mut result = vec![0; n];
        for i in 0..n {
            for j in 0..n {
                let term =
                    i64::from(f[i]) * i64::from(big_g[j]) - i64::from(g[i]) * i64::from(big_f[j]);
                result[(i + j) % n] += if i + j < n { term } else { -term };
            }
        }
        result
    }

    fn agrees(f: &[i8], g: &[i8], big_f: &[i8], big_g: &[i8]) -> bool {
        let mut q = vec![0; f.len()];
        q[0] = i64::from(Q);
        let expected = slow(f, g, big_f, big_g) == q;
        let parts = [f, g, big_f, big_g];
        let mut work = Workspace::<1024>::new();
        assert_eq!(holds(parts, Memory::new(work.words())), expected);
        let difference = Difference(parts, Memory::new(work.words()));
        assert_eq!(lanner_simd::portable(difference) == 0, expected);
        expected
    }

    /// 127 * 97 - 2 * 15 = 12289, at each degree and turned by a power of X.
    #[test]
    fn the_definition_agrees() {
        for logn in 1..=10 {
            let n = 1usize << logn;
            let constant = |x: i8| {
                let mut poly = vec![0; n];
                poly[0] = x;
                poly
            };
            let (f, g) = (constant(127), constant(15));
            let (big_f, big_g) = (constant(2), constant(97));
            assert!(agrees(&f, &g, &big_f, &big_g));
            // x^a x^(n - a) = -1.
            let turned = |poly: &[i8], by: usize| {
                let mut turned = vec![0; n];
                for (i, &x) in poly.iter().enumerate() {
                    turned[(i + by) % n] = if i + by < n { x } else { -x };
                }
                turned
            };
            let a = n / 2;
            let minus: Vec<i8> = big_g.iter().map(|x| -x).collect();
            assert!(agrees(&turned(&f, a), &g, &big_f, &turned(&minus, n - a)));
            for at in [0, 1, n / 2, n - 1] {
                let mut wrong = big_g.clone();
                wrong[at] ^= 1;
                assert!(!agrees(&f, &g, &big_f, &wrong));
            }
            assert!(!agrees(&f, &constant(0), &big_f, &big_g));
            assert!(!agrees(&f, &g, &constant(0), &big_g));
        }
    }

    /// The largest sums that there are stay what they are, and a multiple of q is not q.
    #[test]
    fn extremes() {
        for logn in [1, 5, 9, 10] {
            let n = 1usize << logn;
            let (plus, minus) = (vec![127; n], vec![-127; n]);
            assert!(!agrees(&plus, &plus, &minus, &plus));
            assert!(!agrees(&minus, &plus, &plus, &plus));
            // 2 q, and -q.
            let mut f = vec![0; n];
            f[0] = 127;
            f[1] = 127;
            let zero = vec![0; n];
            let mut big_g = vec![0; n];
            big_g[0] = 97;
            assert!(!agrees(&f, &zero, &zero, &big_g));
        }
    }
}
