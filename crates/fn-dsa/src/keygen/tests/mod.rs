//! Each tier against big integers or naive formulas, on every instruction set that this processor has, and whole
//! keys against what the incumbent crates derive.

mod digits;
mod fixed;
mod gcd;
mod keys;
mod large;
mod modular;

use lanner_simd::Portable;
use num_bigint::{BigInt, Sign};
use std::vec::Vec;

use super::zint62::MASK;
use crate::shake::ShakeStream;

/// Calls a generic function with every instruction set that has lanes of its own.
macro_rules! on_every_isa {
    ($function:ident()) => {{
        #[derive(Clone)]
        struct Every;
        impl lanner_simd::Operation for Every {
            type Output = ();

            #[inline(always)]
            fn run<I: lanner_simd::Isa>(self) {
                $function::<I>();
            }
        }
        lanner_simd::portable(Every);
        if let Some(witness) = lanner_simd::Avx2::detect() {
            witness.enter(Every);
        }
        if let Some(witness) = lanner_simd::Avx512Ifma::detect() {
            witness.enter(Every);
        }
    }};
}
use on_every_isa;

/// Reproducible random numbers, many of them extreme.
struct Random(ShakeStream);

impl Random {
    fn new(seed: &str) -> Self {
        Self(ShakeStream::new(seed.as_bytes()))
    }

    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A number of up to 64 bits, of every length, and often nearly a power of two.
    fn word(&mut self) -> u64 {
        let x = self.0.next_u64() >> self.below(64);
        match self.below(4) {
            0 => (1u64 << self.below(64)).wrapping_sub(self.below(3)),
            1 => u64::MAX.wrapping_sub(x),
            _ => x,
        }
    }

    /// A residue modulo p, often extreme.
    fn residue(&mut self, p: u32) -> u32 {
        match self.below(6) {
            0 => self.below(3) as u32,
            1 => p - 1 - self.below(3) as u32,
            2 => p / 2 + self.below(3) as u32,
            _ => self.below(u64::from(p)) as u32,
        }
    }

    /// A signed number that fits in `bits` bits, as limbs.
    fn number(&mut self, limbs: usize, bits: u32) -> Vec<i64> {
        let full = |this: &mut Self| match this.below(8) {
            0 => BigInt::ZERO,
            1 => BigInt::from(1),
            2 => (BigInt::from(1) << (bits - 1)) - 1,
            3 => -(BigInt::from(1) << (bits - 1)),
            4 => -BigInt::from(1),
            _ => {
                let length = 1 + this.below(u64::from(bits - 1));
                let mut bytes = std::vec![0; bits as usize / 8 + 1];
                this.0.fill(&mut bytes);
                let x = BigInt::from_bytes_le(Sign::Plus, &bytes) % (BigInt::from(1) << length);
                if this.below(2) == 0 { x } else { -x }
            }
        };
        limbs_of(&full(self), limbs)
    }
}

/// The value of limbs.
fn value(x: &[i64]) -> BigInt {
    x.iter()
        .rev()
        .fold(BigInt::ZERO, |sum, &limb| (sum << 62) + limb)
}

/// A value as limbs, of which the last is signed.
fn limbs_of(x: &BigInt, limbs: usize) -> Vec<i64> {
    let mut rest = x.clone();
    let mut result = Vec::new();
    for i in 0..limbs {
        if i == limbs - 1 {
            result.push(i64::try_from(&rest).expect("it fits"));
        } else {
            let limb: BigInt = &rest & BigInt::from(MASK);
            result.push(i64::try_from(&limb).expect("62 bits"));
            rest >>= 62;
        }
    }
    result
}

/// The product modulo X^n + 1.
fn negacyclic(a: &[BigInt], b: &[BigInt]) -> Vec<BigInt> {
    let n = a.len();
    let mut product = std::vec![BigInt::ZERO; n];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            if i + j < n {
                product[i + j] += x * y;
            } else {
                product[i + j - n] -= x * y;
            }
        }
    }
    product
}

/// The values of the coefficients of a polynomial in memory.
fn values(x: &[i64], stride: usize) -> Vec<BigInt> {
    x.chunks_exact(stride).map(value).collect()
}

/// Numbers as planes, each of one limb of all of them.
fn planes_of(numbers: &[BigInt], limbs: usize) -> Vec<i64> {
    let each: Vec<Vec<i64>> = numbers.iter().map(|x| limbs_of(x, limbs)).collect();
    (0..limbs)
        .flat_map(|i| each.iter().map(move |x| x[i]))
        .collect()
}

/// The number in [-2^(62 limbs - 1), 2^(62 limbs - 1)) that is the same modulo 2^(62 limbs).
fn symmetric(x: BigInt, limbs: usize) -> BigInt {
    let modulus = BigInt::from(1) << (62 * limbs);
    let x: BigInt = (x % &modulus + &modulus) % &modulus;
    if x >= &modulus >> 1 { x - modulus } else { x }
}
