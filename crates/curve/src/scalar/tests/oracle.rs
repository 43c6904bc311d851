//! What the tests of the arithmetic modulo L share, `tests/scalar.rs` among them: integers that tend to break
//! carries, and conversions to the big integers of the oracle.

// Each of the tests that share this uses a part of it.
#![allow(dead_code, unreachable_pub)]

use num_bigint::BigUint;
use proptest::prelude::*;
use std::vec::Vec;

/// L.
pub fn order() -> BigUint {
    (BigUint::from(1u8) << 252) + BigUint::from(27742317777372353535851937790883648493u128)
}

/// 2^255 − 19.
pub fn field_prime() -> BigUint {
    (BigUint::from(1u8) << 255) - BigUint::from(19u8)
}

pub fn to_big(limbs: &[u64]) -> BigUint {
    limbs
        .iter()
        .rev()
        .fold(BigUint::ZERO, |sum, &limb| (sum << 64) + limb)
}

/// The low `64·N` bits.
pub fn to_limbs<const N: usize>(x: &BigUint) -> [u64; N] {
    let mut limbs = [0; N];
    for (limb, digit) in limbs.iter_mut().zip(x.iter_u64_digits()) {
        *limb = digit;
    }
    limbs
}

/// The low `N` bytes.
pub fn to_bytes<const N: usize>(x: &BigUint) -> [u8; N] {
    let mut bytes = [0; N];
    for (byte, digit) in bytes.iter_mut().zip(x.to_bytes_le()) {
        *byte = digit;
    }
    bytes
}

/// Integers of `N` limbs: uniform, made of extreme limbs, sparse, dense, and close
/// to multiples of L, of the field prime and of powers of two.
pub fn integer<const N: usize>() -> impl Strategy<Value = [u64; N]> {
    let limb = prop_oneof![
        Just(0),
        Just(1),
        Just(u64::MAX),
        Just(u64::MAX - 1),
        Just(1 << 63),
        any::<u64>(),
    ];
    let bits = || prop::collection::vec(0..64 * N, 0..6);
    let some_bits = bits().prop_map(|bits| {
        let mut x = [0u64; N];
        for bit in bits {
            x[bit / 64] |= 1 << (bit % 64);
        }
        x
    });
    let most_bits = bits().prop_map(|bits| {
        let mut x = [u64::MAX; N];
        for bit in bits {
            x[bit / 64] &= !(1 << (bit % 64));
        }
        x
    });
    let near = (0usize..3, any::<u64>(), 0..64 * N, -20i64..20).prop_map(
        |(which, factor, bit, offset)| {
            let factor = factor >> (factor % 64);
            let centre = match which {
                0 => order() * factor,
                1 => field_prime() * factor,
                _ => BigUint::from(1u8) << bit,
            };
            let modulus = BigUint::from(1u8) << (64 * N);
            let offset = &modulus - 20u8 + BigUint::from((offset + 20) as u64);
            to_limbs(&((centre + offset) % modulus))
        },
    );
    // The wide reduction splits at bit 252: multiples of L there matter.
    let high_multiple = (any::<[u64; 4]>(), -3i64..3).prop_map(|(factor, offset)| {
        let modulus = BigUint::from(1u8) << (64 * N);
        let offset = &modulus - 3u8 + BigUint::from((offset + 3) as u64);
        to_limbs(&((order() * to_big(&factor) + offset) % modulus))
    });
    prop_oneof![
        2 => prop::array::uniform(any::<u64>()),
        2 => prop::array::uniform(limb),
        1 => some_bits,
        1 => most_bits,
        2 => near,
        1 => high_multiple,
    ]
}

/// Integers below L.
pub fn reduced() -> impl Strategy<Value = [u64; 4]> {
    integer::<4>().prop_map(|x| to_limbs(&(to_big(&x) % order())))
}

/// Every power of two, and the numbers next to it, up to 2^`bits` − 1.
pub fn around_powers_of_two(bits: u32) -> Vec<BigUint> {
    let one = || BigUint::from(1u8);
    let mut all = Vec::new();
    for bit in 0..bits {
        all.extend([(one() << bit) - 1u8, one() << bit, (one() << bit) + 1u8]);
    }
    all.push((one() << bits) - 1u8);
    all.retain(|x| x.bits() <= u64::from(bits));
    all
}
