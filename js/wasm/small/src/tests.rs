//! The parts against big integers and a hash library; the scheme as a whole is tested from
//! JavaScript, against other libraries and the vectors.

use num_bigint::{BigInt, BigUint, Sign};
use sha2::Digest;

use crate::field::{self, Fe};
use crate::{limbs, point, scalar, sha512::Sha512};

/// A generator of 64-bit words (Steele, Lea, Flood 2014), so that a failure repeats itself.
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Octets, every other time near a corner: long runs of ones and zeros.
    fn octets(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for byte in &mut bytes {
            *byte = self.next() as u8;
        }
        match self.next() % 4 {
            0 => bytes[1..31].fill(0xff),
            1 => bytes[1..31].fill(0),
            _ => {}
        }
        bytes
    }

    /// Limbs up to the bound of a factor, often at the bound.
    fn factor(&mut self) -> Fe {
        let bound = 10_i64 * (1 << 26);
        [(); 10].map(|()| match self.next() % 4 {
            0 => bound,
            1 => -bound,
            _ => self.next() as i64 % bound,
        })
    }
}

fn prime() -> BigInt {
    (BigInt::from(1) << 255) - 19
}

fn order() -> BigInt {
    (BigInt::from(1) << 252) + BigInt::from(27742317777372353535851937790883648493_u128)
}

fn modulo(a: &BigInt, m: &BigInt) -> BigInt {
    ((a % m) + m) % m
}

fn value(a: &[i64], width: usize) -> BigInt {
    a.iter()
        .rev()
        .fold(BigInt::ZERO, |sum, limb| (sum << width) + limb)
}

fn integer(bytes: &[u8]) -> BigInt {
    BigInt::from_bytes_le(Sign::Plus, bytes)
}

fn octets(a: &BigInt) -> [u8; 32] {
    let mut bytes = [0; 32];
    let digits = BigUint::to_bytes_le(a.magnitude());
    bytes[..digits.len()].copy_from_slice(&digits);
    bytes
}

#[test]
fn limbs_come_and_go() {
    let mut words = Words(1);
    for _ in 0..1000 {
        let bytes = words.octets();
        for width in [26_u32, 28] {
            let limbs = limbs::load(&bytes, width);
            assert_eq!(value(&limbs, width as usize), integer(&bytes));
            assert_eq!(limbs::store(&limbs, width), bytes);
        }
    }
}

#[test]
fn products_are_right_at_the_bounds() {
    let mut words = Words(2);
    for _ in 0..5000 {
        let (a, b) = (words.factor(), words.factor());
        let c = field::mul(&a, &b);
        let p = prime();
        assert_eq!(
            modulo(&value(&c, 26), &p),
            modulo(&(value(&a, 26) * value(&b, 26)), &p)
        );
        assert!(c[0].abs() < 1 << 27, "{c:?}");
        assert!(c[1..].iter().all(|l| l.abs() < (1 << 26) + (1 << 19)));
        assert_eq!(
            modulo(&value(&field::square(&a), 26), &p),
            modulo(&(value(&a, 26) * value(&a, 26)), &p)
        );
    }
}

#[test]
fn encodings_are_canonical() {
    let mut words = Words(3);
    let p = prime();
    for _ in 0..5000 {
        let a = words.factor();
        assert_eq!(field::to_bytes(&a), octets(&modulo(&value(&a, 26), &p)));
    }
    for near in -40..40 {
        let mut bytes = octets(&modulo(&(&p + near), &(BigInt::from(1) << 255)));
        let expected = octets(&modulo(&integer(&bytes), &p));
        assert_eq!(field::to_bytes(&field::from_bytes(&bytes)), expected);
        bytes[31] |= 0x80;
        assert_eq!(field::to_bytes(&field::from_bytes(&bytes)), expected);
    }
}

#[test]
fn inverses_are_right() {
    let mut words = Words(4);
    for _ in 0..50 {
        let a = words.factor();
        let product = field::mul(&a, &point::invert(&a));
        assert_eq!(field::to_bytes(&product), field::to_bytes(&field::ONE));
    }
    assert_eq!(field::to_bytes(&point::invert(&field::ZERO)), [0; 32]);
}

#[test]
fn scalars_are_reduced() {
    let mut words = Words(5);
    let l = order();
    let check = |a: [u8; 32], b: [u8; 32], c: [u8; 32]| {
        let expected = modulo(&(integer(&a) * integer(&b) + integer(&c)), &l);
        assert_eq!(
            scalar::multiply_add(&a, &b, &c),
            octets(&expected),
            "{a:?} {b:?} {c:?}"
        );
    };
    for _ in 0..5000 {
        check(words.octets(), words.octets(), words.octets());
    }
    // Around the multiples of L, and the largest.
    check([255; 32], [255; 32], [255; 32]);
    let mut one = [0; 32];
    one[0] = 1;
    for multiple in 0..16 {
        for offset in -3..4 {
            let n: BigInt = &l * multiple + offset;
            if n.sign() != Sign::Minus {
                check(octets(&n), one, [0; 32]);
            }
        }
    }
}

#[test]
fn hashes_are_those_of_the_library() {
    let mut words = Words(6);
    let mut data = std::vec::Vec::new();
    for _ in 0..300 {
        let mut hash = Sha512::EMPTY;
        hash.start();
        let at = words.next() as usize % (data.len() + 1);
        hash.update(&data[..at]);
        hash.update(&data[at..]);
        assert_eq!(hash.finish()[..], sha2::Sha512::digest(&data)[..]);
        data.push(words.next() as u8);
    }
}

#[test]
fn multiplication_distributes() {
    let mut words = Words(7);
    let base = point::vartime_decode(&point::BASE).expect("the base point");
    assert_eq!(point::encode(&base), point::BASE);
    let mut comb = point::EMPTY;
    point::comb(&mut comb, &base);
    // L times the base point is the identity; (L - 1) its negative.
    let mut one = [0; 32];
    one[0] = 1;
    assert_eq!(
        point::encode(&point::multiply(&[(&octets(&order()), &comb)], true)),
        one
    );
    for _ in 0..20 {
        let (a, b) = (words.octets(), words.octets());
        let sum = octets(&modulo(&(integer(&a) + integer(&b)), &order()));
        let together = point::multiply(&[(&a, &comb), (&b, &comb)], false);
        let at_once = point::multiply(&[(&sum, &comb)], true);
        assert_eq!(point::encode(&together), point::encode(&at_once));
    }
}
