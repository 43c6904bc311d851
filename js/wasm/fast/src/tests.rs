//! The parts against big integers and `lanner-curve`; the scheme as a whole is tested from
//! JavaScript, against other libraries and the vectors.

#[path = "../../curve/tests/numbers/mod.rs"]
mod numbers;

use lanner_curve::edwards::{CompressedEdwardsY, EdwardsPoint};
use lanner_curve::{Scalar, constants};
use num_bigint::BigInt;

use self::numbers::{
    Adversary, LONG, Words, class, factor, integer, is_product, lane, modulo, prime, product, quad,
    word,
};
use crate::batch::Item;
use crate::characters::vartime_have_none;
use crate::engine::Engine;
use crate::field::{self, Lanes};
use crate::half_size::vartime_half_size;
use crate::hash::Hash;
use crate::linear::{linear, terms};
use crate::multiply::{Base, Form, multiply_base, vartime_defect};
use crate::point;
use lanner_wasm_curve::edwards::{
    BASE, DOUBLE, FACTORS, IDENTITY, Matrix, NEGATIVE, Point, SQUARED, SUM, encode_affine,
    vartime_is_zero,
};
use lanner_wasm_curve::field::Quad;
use lanner_wasm_curve::rule;
use lanner_wasm_curve::scheme::{Engine as _, vartime_is_identity, vartime_is_small_order};

fn scalar(words: &mut Words) -> Scalar {
    Scalar::from_bytes_mod_order(words.bytes())
}

/// A point, in one of eight with a component of small order.
fn point(words: &mut Words) -> EdwardsPoint {
    let point = EdwardsPoint::mul_base(&scalar(words));
    match words.word() % 8 {
        0 => point + constants::EIGHT_TORSION[words.word() as usize % 8],
        _ => point,
    }
}

fn is_small_order(p: &Point) -> bool {
    vartime_is_small_order::<Engine>(&mut Lanes(2), &mut p.clone())
}

fn decoded(point: &EdwardsPoint) -> Point {
    let bytes = point.compress().to_bytes();
    point::vartime_decode([&bytes, &BASE]).unwrap()[0]
}

/// A second factor is anything that words hold.
fn check_products(count: usize, source: &mut Adversary) {
    for _ in 0..count {
        let (a, b) = (quad(source, factor), quad(source, word));
        let (product, square) = (field::mul(&a, &b), field::square(&b));
        assert!(is_product(&product) && is_product(&square));
        for i in 0..4 {
            let (x, y) = (class(&a, i), class(&b, i));
            assert_eq!(class(&product, i), modulo(&(&x * &y), &prime()));
            assert_eq!(class(&square, i), modulo(&(&y * &y), &prime()));
        }
    }
}

#[test]
fn products() {
    check_products(2000, &mut Adversary::new(1));
}

#[test]
#[ignore = "long: a million elements"]
fn products_long() {
    check_products(LONG, &mut Adversary::new(2));
}

fn check_squares(count: usize, powers: u64, source: &mut Adversary) {
    for _ in 0..count {
        let a = quad(source, product);
        let n = source.below(powers) as usize;
        let both = field::square_times(&a, n, 2);
        let one = field::square_times(&a, n, 1);
        for (lane, result) in [(0, &both), (1, &both), (0, &one)] {
            let power = (0..n).fold(class(&a, lane), |x, _| modulo(&(&x * &x), &prime()));
            assert_eq!(class(result, lane), power, "{n} squares");
        }
    }
}

#[test]
fn squares_in_a_row() {
    check_squares(200, 200, &mut Adversary::new(3));
}

/// Of which two lanes are looked at.
#[test]
#[ignore = "long: a million elements"]
fn squares_in_a_row_long() {
    check_squares(2 * LONG, 4, &mut Adversary::new(4));
}

fn check_encodings(count: usize, source: &mut Adversary) {
    for _ in 0..count {
        let bytes = [(); 4].map(|()| source.bytes());
        let loaded = field::quad(bytes.each_ref());
        // Sums and differences, what is carried, and anything.
        let (factor, any) = (quad(source, factor), quad(source, word));
        let carried = field::carry(&any);
        for (lane, bytes) in bytes.iter().enumerate() {
            // Without bit 255.
            let expected = integer(bytes) % (BigInt::from(1) << 255) % prime();
            assert_eq!(integer(&field::to_bytes(&loaded, lane)), expected);
            assert_eq!(
                vartime_is_zero::<Lanes>(&loaded, lane),
                expected == BigInt::ZERO
            );
            for element in [&factor, &carried, &any] {
                assert_eq!(
                    integer(&field::to_bytes(element, lane)),
                    class(element, lane)
                );
            }
            assert_eq!(class(&carried, lane), class(&any, lane));
        }
    }
}

#[test]
fn encodings_of_elements() {
    check_encodings(1000, &mut Adversary::new(5));
}

#[test]
#[ignore = "long: a million elements"]
fn encodings_of_elements_long() {
    check_encodings(LONG, &mut Adversary::new(6));
}

#[test]
fn linear_maps_are_those_of_their_rows() {
    let source = &mut Adversary::new(9);
    let check = |a: &Quad, b: Quad, rows: Matrix| {
        for (i, row) in rows.iter().enumerate() {
            let expected: BigInt = (0..4).map(|j| lane(a, j) * row[j]).sum();
            assert_eq!(lane(&b, i), expected);
        }
    };
    for _ in 0..100 {
        let a = quad(source, product);
        check(&a, linear!(a, FACTORS), FACTORS);
        check(&a, linear!(a, SUM[0]), SUM[0]);
        check(&a, linear!(a, SUM[1]), SUM[1]);
        check(&a, linear!(a, SQUARED), SQUARED);
        check(&a, linear!(a, DOUBLE[0]), DOUBLE[0]);
        check(&a, linear!(a, DOUBLE[1]), DOUBLE[1]);
        check(&a, linear!(a, NEGATIVE), NEGATIVE);
    }
    // The first shuffle of a formula multiplies nothing.
    for rows in [FACTORS, SUM[0], SUM[1], SQUARED, DOUBLE[0], DOUBLE[1]] {
        assert!(terms(&rows)[0].is_plain());
    }
}

#[test]
fn points_come_and_go() {
    let mut words = Words(4);
    for i in 0..1000 {
        let bytes = match i % 4 {
            0 => point(&mut words).compress().to_bytes(),
            1 => {
                // Small and large y, canonical or not, with either sign.
                let mut bytes = [if i % 8 < 4 { 0 } else { 0xff }; 32];
                bytes[0] = i as u8;
                bytes[31] = bytes[31] & 0x7f | (i as u8 & 16) << 3;
                bytes
            }
            _ => words.bytes(),
        };
        let expected = CompressedEdwardsY(bytes).decompress();
        for lane in 0..2 {
            let mut both = [&BASE; 2];
            both[lane] = &bytes;
            let ours = point::vartime_decode(both);
            assert_eq!(ours.is_some(), expected.is_some());
            if let (Some(ours), Some(expected)) = (ours, expected) {
                let canonical = expected.compress().to_bytes();
                assert_eq!(point::encode(&ours[lane]), canonical);
                assert_eq!(encode_affine::<Lanes>(&ours[lane]), canonical);
                assert_eq!(point::encode(&ours[1 - lane]), BASE);
                assert_eq!(point::encode_both([&ours[0], &ours[1]])[lane], canonical);
                assert_eq!(is_small_order(&ours[lane]), expected.is_small_order());
            }
        }
    }
}

#[test]
fn sums() {
    let mut words = Words(5);
    for i in 0..200 {
        let p = point(&mut words);
        let q = match i % 4 {
            0 => p,
            1 => -p,
            _ => point(&mut words),
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
        assert_eq!(vartime_is_identity::<Lanes>(&sum), i % 4 == 1);
    }
}

#[test]
fn multiples_of_the_base_point() {
    let mut words = Words(6);
    let mut base = Box::new(Base::NONE);
    for i in 0..300 {
        let mut n = match i {
            0 => [0; 32],
            1 => [0xff; 32],
            2 => [0x88; 32],
            3 => [0x77; 32],
            _ => words.bytes(),
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
    fn check(words: &mut Words, multiples: usize) {
        for i in 0..500 {
            let bits = [64, 127, 128, 160, 253, 256][i % 6];
            let number: BigInt = integer(&words.bytes()) >> (256 - bits);
            let mut form = Form::EMPTY;
            form.vartime_set(&number.to_bytes_le().1, multiples);
            let Form { digits, length } = form;
            assert!(digits[length..].iter().all(|&digit| digit == 0));
            assert!(length == 0 || digits[length - 1] != 0);
            let mut sum = BigInt::ZERO;
            for &digit in digits.iter().rev() {
                sum = (sum << 1) + digit;
                assert!(digit == 0 || digit % 2 != 0);
                assert!(usize::from(digit.unsigned_abs()) < 2 * multiples);
            }
            assert_eq!(sum, number);
        }
    }
    let mut words = Words(7);
    check(&mut words, 4);
    check(&mut words, 64);
}

/// The length in bits of numbers of half the size, for what one seldom meets and for what the library does.
#[test]
fn half_sizes() {
    let order = integer(&(-Scalar::ONE).to_bytes()) + 1;
    let modulus = &order * 8;
    let mut words = Words(10);
    let (mut short, mut none) = (0, 0);
    const COUNT: usize = 3000;
    for i in 0..COUNT {
        let k = scalar(&mut words);
        let number = match i {
            // No quotient can be told from 64 bits, or it is too large for the code.
            0..250 => integer(k.as_bytes()) >> i,
            250..490 => (integer(k.as_bytes()) >> 245) << (i - 250),
            490..560 => &order - 1 - (i - 490),
            560..620 => &order / (i - 550),
            // Any, none of them near a corner.
            _ => {
                [(); 4]
                    .iter()
                    .fold(BigInt::ZERO, |n, ()| (n << 64) + words.word())
                    % &order
            }
        };
        let mut bytes = number.to_bytes_le().1;
        bytes.resize(32, 0);
        let half = vartime_half_size(&bytes.try_into().unwrap());
        let (u, v) = (integer(&half.u), integer(&half.v));
        let signed = if half.negative { -&u } else { u.clone() };
        assert_eq!(modulo(&(signed - &v * &number), &modulus), BigInt::ZERO);
        // Odd, and not a multiple of L: prime to 8L.
        assert!(half.v[0] & 1 == 1 && v < order);
        if i >= 620 {
            short += usize::from(u.bits().max(v.bits()) <= 128);
            none += usize::from(v.bits() == 1);
            assert!(u.bits().max(v.bits()) < 160);
        }
    }
    assert!(short > (COUNT - 620) * 3 / 5 && none == 0);
}

#[test]
fn hashes() {
    use lanner_wasm_curve::constants::Constants;
    use sha2::Digest;

    let mut constants = Constants::EMPTY;
    constants.fill();
    let mut words = Words(11);
    for length in (0..600).chain([16384]) {
        let message: Vec<u8> = (0..length).map(|_| words.word() as u8).collect();
        let mut hash = Hash::EMPTY;
        hash.start(&constants);
        // In pieces of all lengths.
        let mut rest = &message[..];
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(1 + words.word() as usize % rest.len());
            hash.update(&constants, piece);
            rest = others;
        }
        assert_eq!(
            hash.finish(&constants)[..],
            sha2::Sha512::digest(&message)[..]
        );
    }
}

#[test]
fn the_equation_of_verification() {
    let mut words = Words(8);
    let mut base = Box::new(Base::NONE);
    for i in 0..300 {
        let (s, a) = (scalar(&mut words), point(&mut words));
        let k = match i {
            0 => Scalar::ZERO,
            1 => Scalar::ONE,
            2 => -Scalar::ONE,
            _ => scalar(&mut words),
        };
        let r = EdwardsPoint::mul_base(&s) - a * k;
        let off = match i % 4 {
            0 => point(&mut words),
            1 => constants::EIGHT_TORSION[i / 4 % 8],
            _ => EdwardsPoint::default(),
        };
        let r = r + off;
        let defect = vartime_defect(
            s.as_bytes(),
            &mut base,
            k.as_bytes(),
            &[decoded(&a), decoded(&r)],
        );
        assert_eq!(
            vartime_is_identity::<Lanes>(&defect),
            off == EdwardsPoint::default()
        );
        assert_eq!(is_small_order(&defect), off.is_small_order());
    }
}

#[test]
fn components_of_small_order() {
    let mut words = Words(12);
    let mut met = [0; 2];
    for i in 0..200 {
        let free = [0; 4].map(|_: i32| EdwardsPoint::mul_base(&scalar(&mut words)));
        let mut points = free.each_ref().map(decoded);
        assert!(vartime_have_none(points.each_ref()));
        let (lane, torsion) = (i % 4, constants::EIGHT_TORSION[i / 4 % 8]);
        // Also where Z is not 1.
        let other = point::summand(&decoded(&torsion));
        points[lane] = point::sum(&points[lane], &other);
        let expected = torsion == constants::EIGHT_TORSION[0];
        assert_eq!(vartime_have_none(points.each_ref()), expected);
        met[usize::from(expected)] += 1;
        // A component alone, and the neutral element, which is left to others.
        points[lane] = point::sum(&IDENTITY, &other);
        assert!(!vartime_have_none(points.each_ref()));
    }
    assert!(met[0] > 0 && met[1] > 0);
}

/// A signature that is valid but for `error`, and what is added to R. Key and R have components of small order often, which
/// cancel.
fn item(words: &mut Words, error: &EdwardsPoint, wrong_s: bool) -> Item {
    let (a, r, mut digest) = (scalar(words), scalar(words), [0; 64]);
    digest[..32].copy_from_slice(&words.bytes());
    digest[32..].copy_from_slice(&words.bytes());
    let k = Scalar::from_bytes_mod_order_wide(&digest);
    let torsion = match words.word() % 2 {
        0 => constants::EIGHT_TORSION[0],
        _ => constants::EIGHT_TORSION[words.word() as usize % 8],
    };
    let multiple: EdwardsPoint = (0..k.to_bytes()[0] % 8).map(|_| torsion).sum();
    let key = EdwardsPoint::mul_base(&a) + torsion;
    let r_point = EdwardsPoint::mul_base(&r) - multiple + error;
    let mut s = r + k * a;
    if wrong_s {
        s += Scalar::ONE;
    }
    let mut item = [0; 160];
    item[..32].copy_from_slice(&r_point.compress().to_bytes());
    item[32..64].copy_from_slice(&s.to_bytes());
    item[64..96].copy_from_slice(&key.compress().to_bytes());
    item[96..].copy_from_slice(&digest);
    item
}

#[test]
fn batches() {
    let mut words = Words(13);
    let mut engine = Box::new(Engine::EMPTY);
    engine.prepare();
    let mut met = [0; 2];
    for round in 0..240 {
        let count = [1, 2, 3, 4, 5, 8, 9, 17][round % 8];
        let place = words.word() as usize % count;
        // Nothing, a component of small order, an S that is another one, a key that is no point.
        let kind = round / 8 % 5;
        let torsion = 1 + words.word() as usize % 7;
        let items: Vec<Item> = (0..count)
            .map(|i| {
                let kind = if i == place { kind } else { 0 };
                let error = constants::EIGHT_TORSION[if kind == 1 { torsion } else { 0 }];
                let mut item = item(&mut words, &error, kind == 2);
                if kind == 3 {
                    // y = 2, of which there is no point.
                    item[64..96].copy_from_slice(&field::number(2));
                }
                if kind == 4 {
                    item[95] ^= 128;
                }
                item
            })
            .collect();
        for rules in [0, rule::COFACTORED, rule::LARGE_ORDER, rule::CANONICAL_KEY] {
            let expected = kind == 0 || kind == 1 && rules & rule::COFACTORED != 0;
            assert_eq!(
                engine.vartime_are_valid(&items, rules),
                expected,
                "round {round}, rules {rules}"
            );
            met[usize::from(expected)] += 1;
        }
    }
    assert!(met[0] > 100 && met[1] > 100);
    // As many as there is room for, and more.
    let mut items: Vec<Item> = (0..65)
        .map(|_| item(&mut words, &constants::EIGHT_TORSION[0], false))
        .collect();
    assert!(engine.vartime_are_valid(&items[..64], rule::LARGE_ORDER));
    assert!(engine.vartime_are_valid(&[], 0));
    assert!(!engine.vartime_are_valid(&items, rule::LARGE_ORDER));
    // Two errors that would cancel without the numbers z.
    let error = EdwardsPoint::mul_base(&scalar(&mut words));
    items[3] = item(&mut words, &error, false);
    items[40] = item(&mut words, &-error, false);
    assert!(!engine.vartime_are_valid(&items[..64], rule::COFACTORED));
}
