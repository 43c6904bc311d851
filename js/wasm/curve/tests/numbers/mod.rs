//! Numbers for the tests of the crates with an arithmetic of their own, which include this file: integers as
//! wide as they need to be are not for a library to depend on.

use num_bigint::{BigInt, BigUint, Sign};
use std::ops::RangeInclusive;

use lanner_wasm_curve::field::{Quad, ZERO};

#[path = "../../../../../crates/curve/src/adversary.rs"]
mod adversary;
pub(crate) use adversary::Adversary;

/// How many quads each operation has in a long run: a million elements.
pub(crate) const LONG: usize = 250_000;

/// Elements whose limbs an adversary chooses within bounds, in each lane by itself.
pub(crate) fn quad(source: &mut Adversary, bounds: impl Fn(usize) -> RangeInclusive<i64>) -> Quad {
    let mut quad = ZERO;
    for lane in 0..4 {
        source.begin();
        for (i, limb) in quad.iter_mut().enumerate() {
            let (low, high) = bounds(i).into_inner();
            let word = low + source.limb((high - low) as u64) as i64;
            limb.set(lane, word as i32);
        }
    }
    quad
}

/// The unit of a limb.
pub(crate) fn unit(i: usize) -> i64 {
    1 << if i < 5 { 26 } else { 25 }
}

/// The bounds of a first factor.
pub(crate) fn factor(i: usize) -> RangeInclusive<i64> {
    let most = 41 * unit(i) / 10;
    -most..=most
}

/// What words hold.
pub(crate) fn word(_: usize) -> RangeInclusive<i64> {
    i32::MIN.into()..=i32::MAX.into()
}

/// The bounds of a product.
pub(crate) fn product(i: usize) -> RangeInclusive<i64> {
    0..=unit(i) + unit(i) / 128 - 1
}

/// A generator of 64-bit words (Steele, Lea, Flood 2014), so that a failure repeats itself.
pub(crate) struct Words(pub(crate) u64);

impl Words {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Bytes, every other time near a corner: long runs of ones and zeros.
    pub(crate) fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32].map(|_: u8| self.word() as u8);
        match self.word() % 4 {
            0 => bytes[1..31].fill(0xff),
            1 => bytes[1..31].fill(0),
            _ => {}
        }
        bytes
    }
}

/// p = 2^255 - 19.
pub(crate) fn prime() -> BigInt {
    (BigInt::from(1) << 255) - 19
}

/// From 0 to m - 1.
pub(crate) fn modulo(a: &BigInt, m: &BigInt) -> BigInt {
    ((a % m) + m) % m
}

pub(crate) fn integer(bytes: &[u8]) -> BigInt {
    BigInt::from_bytes_le(Sign::Plus, bytes)
}

/// Of an integer from 0 to 2^256 - 1.
pub(crate) fn bytes(a: &BigInt) -> [u8; 32] {
    let mut bytes = [0; 32];
    let digits = BigUint::to_bytes_le(a.magnitude());
    bytes[..digits.len()].copy_from_slice(&digits);
    bytes
}

/// The number in a lane.
pub(crate) fn lane(quad: &Quad, lane: usize) -> BigInt {
    (0..10).fold(BigInt::ZERO, |sum, i| {
        let place = i % 2 * 5 + i / 2;
        sum + (BigInt::from(quad[place].words()[lane]) << (51 * i).div_ceil(2))
    })
}

/// The same modulo p.
pub(crate) fn class(quad: &Quad, i: usize) -> BigInt {
    modulo(&lane(quad, i), &prime())
}

/// Whether limbs are in the bounds of a product.
pub(crate) fn is_product(quad: &Quad) -> bool {
    quad.iter().enumerate().all(|(i, limb)| {
        let words = limb.words();
        words.iter().all(|&word| product(i).contains(&word.into()))
    })
}
