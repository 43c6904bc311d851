//! The parts against big integers and `lanner-curve`; the scheme as a whole is tested from
//! JavaScript, against other libraries and the vectors.

use lanner_curve::edwards::{CompressedEdwardsY, EdwardsPoint};
use lanner_curve::{Scalar, constants};
use num_bigint::{BigInt, Sign};

use crate::field::{self, Quad, ZERO};
use crate::multiply::{Base, multiply_base, vartime_defect, vartime_naf};
use crate::point::{self, Point};
use lanner_wasm_vector::Four;

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
        let mut bytes = [0; 32].map(|_: u8| self.next() as u8);
        match self.next() % 4 {
            0 => bytes[1..31].fill(0xff),
            1 => bytes[1..31].fill(0),
            _ => {}
        }
        bytes
    }

    fn scalar(&mut self) -> Scalar {
        Scalar::from_bytes_mod_order(self.octets())
    }

    /// Limbs up to the bound of a factor, often at it.
    fn factor(&mut self) -> Quad {
        let mut quad = ZERO;
        for (i, limb) in quad.iter_mut().enumerate() {
            let bound = (41_i64 << if i < 5 { 26 } else { 25 }) / 10;
            *limb = Four::new([0; 4].map(|_: i32| match self.next() % 4 {
                0 => bound as i32,
                1 => -bound as i32,
                _ => (self.next() as i64 % bound) as i32,
            }));
        }
        quad
    }

    /// A point, in one of eight with a component of small order.
    fn point(&mut self) -> EdwardsPoint {
        let point = EdwardsPoint::mul_base(&self.scalar());
        match self.next() % 8 {
            0 => point + constants::EIGHT_TORSION[self.next() as usize % 8],
            _ => point,
        }
    }
}

fn prime() -> BigInt {
    (BigInt::from(1) << 255) - 19
}

fn modulo(a: &BigInt) -> BigInt {
    ((a % prime()) + prime()) % prime()
}

fn value(quad: &Quad, lane: usize) -> BigInt {
    let limb = |i: usize| BigInt::from(quad[i].words()[lane]);
    (0..5).fold(BigInt::ZERO, |sum, i| {
        sum + (limb(i) << (51 * i)) + (limb(5 + i) << (51 * i + 26))
    })
}

fn integer(bytes: &[u8]) -> BigInt {
    BigInt::from_bytes_le(Sign::Plus, bytes)
}

/// Whether limbs are as those of products are said to be.
fn is_carried(quad: &Quad) -> bool {
    quad.iter().enumerate().all(|(i, limb)| {
        let unit = 1 << if i < 5 { 26 } else { 25 };
        limb.words()
            .iter()
            .all(|&word| (0..unit + unit / 128).contains(&word))
    })
}

fn decoded(point: &EdwardsPoint) -> Point {
    let bytes = point.compress().to_bytes();
    point::vartime_decode([&bytes, &point::BASE]).unwrap()[0]
}

#[test]
fn products() {
    let mut words = Words(1);
    for _ in 0..2000 {
        let (a, b) = (words.factor(), words.factor());
        let (product, square) = (field::mul(&a, &b), field::square(&b));
        assert!(is_carried(&product) && is_carried(&square));
        for lane in 0..4 {
            let (a, b) = (value(&a, lane), value(&b, lane));
            assert_eq!(modulo(&value(&product, lane)), modulo(&(&a * &b)));
            assert_eq!(modulo(&value(&square, lane)), modulo(&(&b * &b)));
        }
    }
}

#[test]
fn squares_in_a_row() {
    let mut words = Words(2);
    for count in 0..200 {
        let a = field::mul(&words.factor(), &words.factor());
        let both = field::square_times::<2>(&a, count);
        let one = field::square_times::<1>(&a, count);
        for (lane, result) in [(0, &both), (1, &both), (0, &one)] {
            let power = BigInt::from(1) << count;
            assert_eq!(
                modulo(&value(result, lane)),
                value(&a, lane).modpow(&power, &prime())
            );
        }
    }
}

#[test]
fn encodings_of_elements() {
    let mut words = Words(3);
    let edges = [
        prime() - 1,
        prime(),
        prime() + 18,
        BigInt::from(0),
        BigInt::from(19),
    ];
    let edges = edges.map(|n| {
        let mut bytes = n.to_bytes_le().1;
        bytes.resize(32, 0);
        bytes.try_into().unwrap()
    });
    for i in 0..1000 {
        let bytes = edges.get(i).copied().unwrap_or_else(|| words.octets());
        let quad = field::quad([&bytes, &[0; 32], &[1; 32], &bytes]);
        // Without bit 255.
        let expected = modulo(&(integer(&bytes) % (BigInt::from(1) << 255)));
        for lane in [0, 3] {
            assert_eq!(integer(&field::to_bytes(&quad, lane)), expected);
            assert_eq!(field::is_zero(&quad, lane), expected == BigInt::ZERO);
        }
        // And of sums and differences.
        let factor = words.factor();
        for lane in 0..4 {
            assert_eq!(
                integer(&field::to_bytes(&factor, lane)),
                modulo(&value(&factor, lane))
            );
        }
    }
}

#[test]
fn points_come_and_go() {
    let mut words = Words(4);
    for i in 0..1000 {
        let bytes = match i % 4 {
            0 => words.point().compress().to_bytes(),
            1 => {
                // Small and large y, canonical or not, with either sign.
                let mut bytes = [if i % 8 < 4 { 0 } else { 0xff }; 32];
                bytes[0] = i as u8;
                bytes[31] = bytes[31] & 0x7f | (i as u8 & 16) << 3;
                bytes
            }
            _ => words.octets(),
        };
        let expected = CompressedEdwardsY(bytes).decompress();
        for lane in 0..2 {
            let mut both = [&point::BASE; 2];
            both[lane] = &bytes;
            let ours = point::vartime_decode(both);
            assert_eq!(ours.is_some(), expected.is_some());
            if let (Some(ours), Some(expected)) = (ours, expected) {
                let canonical = expected.compress().to_bytes();
                assert_eq!(point::encode(&ours[lane]), canonical);
                assert_eq!(point::encode_affine(&ours[lane]), canonical);
                assert_eq!(point::encode(&ours[1 - lane]), point::BASE);
                assert_eq!(point::encode_both([&ours[0], &ours[1]])[lane], canonical);
                assert_eq!(
                    point::vartime_is_small_order(&ours[lane]),
                    expected.is_small_order()
                );
            }
        }
    }
}

#[test]
fn sums() {
    let mut words = Words(5);
    for i in 0..200 {
        let p = words.point();
        let q = match i % 4 {
            0 => p,
            1 => -p,
            _ => words.point(),
        };
        let (a, b) = (decoded(&p), decoded(&q));
        let sum = point::sum(&a, &point::summand(&b));
        assert_eq!(point::encode(&sum), (p + q).compress().to_bytes());
        let difference = point::sum(&sum, &point::opposite(&point::summand(&b)));
        assert_eq!(point::encode(&difference), p.compress().to_bytes());
        assert_eq!(
            point::encode(&point::double(&sum)),
            (p + q + p + q).compress().to_bytes()
        );
        assert_eq!(
            point::encode(&point::negated(&sum)),
            (-p - q).compress().to_bytes()
        );
        assert_eq!(point::vartime_is_identity(&sum), i % 4 == 1);
    }
}

#[test]
fn multiples_of_the_base_point() {
    let mut words = Words(6);
    let mut base = Box::new(Base::EMPTY);
    for i in 0..300 {
        let mut n = match i {
            0 => [0; 32],
            1 => [0xff; 32],
            2 => [0x88; 32],
            3 => [0x77; 32],
            _ => words.octets(),
        };
        // Below 2^255: all that clamped scalars and reduced ones are.
        n[31] &= 0x7f;
        let ours = point::encode(&multiply_base(&n, &mut base));
        let scalar = Scalar::from_bytes_mod_order(n);
        assert_eq!(ours, EdwardsPoint::mul_base(&scalar).compress().to_bytes());
    }
}

#[test]
fn digits_of_scalars() {
    fn check<const MULTIPLES: usize>(words: &mut Words) {
        for i in 0..500 {
            let bits = [64, 127, 128, 160, 253, 256][i % 6];
            let number: BigInt = integer(&words.octets()) >> (256 - bits);
            let mut limbs = [0; 4];
            for (limb, digit) in limbs.iter_mut().zip(number.iter_u64_digits()) {
                *limb = digit;
            }
            if bits == 256 {
                // The last digit may borrow beyond what there is room for.
                limbs[3] >>= 1;
            }
            let number = limbs
                .iter()
                .rev()
                .fold(BigInt::ZERO, |n, &limb| (n << 64) + limb);
            let (digits, length) = vartime_naf::<MULTIPLES>(&limbs);
            assert!(digits[length..].iter().all(|&digit| digit == 0));
            let mut sum = BigInt::ZERO;
            for &digit in digits.iter().rev() {
                sum = (sum << 1) + digit;
                assert!(digit == 0 || digit % 2 != 0);
                assert!(usize::from(digit.unsigned_abs()) < 2 * MULTIPLES);
            }
            assert_eq!(sum, number);
        }
    }
    let mut words = Words(7);
    check::<4>(&mut words);
    check::<64>(&mut words);
}

#[test]
fn the_equation_of_verification() {
    let mut words = Words(8);
    let mut base = Box::new(Base::EMPTY);
    for i in 0..300 {
        let (s, a) = (words.scalar(), words.point());
        let k = match i {
            0 => Scalar::ZERO,
            1 => Scalar::ONE,
            2 => -Scalar::ONE,
            _ => words.scalar(),
        };
        let r = EdwardsPoint::mul_base(&s) - a * k;
        let off = match i % 4 {
            0 => words.point(),
            1 => constants::EIGHT_TORSION[i / 4 % 8],
            _ => EdwardsPoint::default(),
        };
        let r = r + off;
        let defect = vartime_defect(&s, &mut base, &k, &decoded(&a), &decoded(&r));
        assert_eq!(
            point::vartime_is_identity(&defect),
            off == EdwardsPoint::default()
        );
        assert_eq!(point::vartime_is_small_order(&defect), off.is_small_order());
    }
}
