//! The parts against big integers and a hash library; the scheme as a whole is tested from
//! JavaScript, against other libraries and the vectors.

#[path = "../../curve/tests/numbers/mod.rs"]
mod numbers;

use num_bigint::{BigInt, Sign};
use sha2::Digest;

use self::numbers::{
    Adversary, LONG, Words, bytes as octets, class, factor, integer, is_product, lane, modulo,
    prime, product, quad, word,
};
use crate::engine::Engine;
use crate::field::{self, Map};
use crate::point::{self, Work};
use crate::sha512::Sha512;
use lanner_wasm_curve::constants::Constants;
use lanner_wasm_curve::edwards::{self, BASE, Point};
use lanner_wasm_curve::field::{Quad, ZERO, constant};
use lanner_wasm_curve::scheme::{vartime_is_identity, vartime_is_small_order};
use lanner_wasm_curve::vector::Four;
use lanner_wasm_curve::{limbs, scalar};

fn load(numbers: [&[u8; 32]; 4]) -> Quad {
    let mut quad = ZERO;
    for (lane, bytes) in numbers.into_iter().enumerate() {
        field::load(&mut quad, lane, bytes);
    }
    quad
}

fn order() -> BigInt {
    (BigInt::from(1) << 252) + BigInt::from(27742317777372353535851937790883648493_u128)
}

fn value(a: &[i64], width: usize) -> BigInt {
    a.iter()
        .rev()
        .fold(BigInt::ZERO, |sum, limb| (sum << width) + limb)
}

fn check_limbs(count: usize, source: &mut Adversary) {
    for _ in 0..count {
        let bytes = source.bytes();
        for width in [28_u32, 51] {
            let limbs = limbs::load(&bytes, width);
            assert_eq!(value(&limbs, width as usize), integer(&bytes));
            assert_eq!(limbs::store(&limbs, width), bytes);
        }
    }
}

#[test]
fn limbs_come_and_go() {
    check_limbs(1000, &mut Adversary::new(1));
}

#[test]
#[ignore = "long: a million numbers"]
fn limbs_come_and_go_long() {
    check_limbs(4 * LONG, &mut Adversary::new(2));
}

/// A second factor is anything that words hold.
fn check_products(count: usize, source: &mut Adversary) {
    let mut work = field::Work::NEW;
    for _ in 0..count {
        let (a, b) = (quad(source, factor), quad(source, word));
        let mut product = a;
        field::mul(&mut work, &mut product, &b);
        let mut square = b;
        field::product(&mut work, &mut square, None, 2);
        assert!(is_product(&product));
        assert!(is_product(&square));
        let (mut product2, mut square2) = (a, b);
        field::mul2(&mut work, &mut product2, &b);
        field::square2(&mut work, &mut square2, 1);
        for i in 0..4 {
            let (x, y) = (class(&a, i), class(&b, i));
            assert_eq!(class(&product, i), &x * &y % prime());
            assert_eq!(class(&square, i), &y * &y % prime());
            assert_eq!(lane(&product2, i), lane(&product, i % 2));
            assert_eq!(lane(&square2, i), lane(&square, i % 2));
        }
    }
}

#[test]
#[ignore = "long: a million elements"]
fn products_long() {
    check_products(LONG, &mut Adversary::new(3));
}

#[test]
fn products_are_right_at_the_bounds() {
    check_products(3000, &mut Adversary::new(4));
    let mut work = field::Work::NEW;
    // All limbs at the bounds, in all combinations of signs.
    for a in [4, -4] {
        for b in [i32::MAX, i32::MIN] {
            let mut x = ZERO;
            for i in 0..10 {
                x[i] = Four::new([a << if i < 5 { 26 } else { 25 }; 4]);
            }
            let y = [Four::new([b; 4]); 10];
            let expected = class(&x, 0) * class(&y, 0) % prime();
            field::mul(&mut work, &mut x, &y);
            assert!(is_product(&x));
            assert_eq!(class(&x, 3), expected);
        }
    }
}

#[test]
fn linear_maps_are_those_of_their_rows() {
    let (mut words, mut source) = (Words(8), Adversary::new(5));
    for _ in 0..300 {
        let a = quad(&mut source, product);
        let rows = [(); 4].map(|()| [(); 4].map(|()| (words.word() % 4) as i32 - 2));
        let map: Map = field::map(rows);
        let mut b = ZERO;
        field::linear(&mut b, &a, map);
        for (i, row) in rows.iter().enumerate() {
            let expected: BigInt = (0..4).map(|j| lane(&a, j) * row[j]).sum();
            assert_eq!(lane(&b, i), expected);
        }
    }
}

fn check_encodings(count: usize, source: &mut Adversary) {
    for _ in 0..count {
        let any = quad(source, word);
        // What is loaded has 255 bits at most.
        let below = [(); 4].map(|()| {
            let mut bytes = source.bytes();
            bytes[31] &= 0x7f;
            bytes
        });
        let loaded = load(below.each_ref());
        for i in 0..4 {
            assert_eq!(field::to_bytes(&any, i), octets(&class(&any, i)));
            let expected = octets(&(integer(&below[i]) % prime()));
            assert_eq!(field::to_bytes(&loaded, i), expected);
        }
    }
}

#[test]
#[ignore = "long: a million elements"]
fn encodings_are_canonical_long() {
    check_encodings(LONG, &mut Adversary::new(6));
}

#[test]
fn encodings_are_canonical() {
    let p = prime();
    check_encodings(3000, &mut Adversary::new(7));
    for near in -40..40 {
        let mut bytes = octets(&modulo(&(&p + near), &(BigInt::from(1) << 255)));
        let expected = octets(&modulo(&integer(&bytes), &p));
        let zero = [0; 32];
        let quad = load([&zero, &bytes, &zero, &zero]);
        assert_eq!(field::to_bytes(&quad, 1), expected);
        assert_eq!(field::to_bytes(&quad, 2), zero);
        bytes[31] |= 0x80;
        let quad = load([&zero, &zero, &zero, &bytes]);
        assert_eq!(field::to_bytes(&quad, 3), expected);
    }
}

fn check_inverses(count: usize, source: &mut Adversary) {
    let mut work = Work::new();
    for _ in 0..count {
        let a = quad(source, factor);
        let mut b = a;
        point::invert(&mut work, &mut b);
        for i in 0..2 {
            let (x, y) = (class(&a, i), class(&b, i));
            let expected = BigInt::from(i32::from(x != BigInt::ZERO));
            assert_eq!(&x * &y % prime(), expected);
            assert_eq!(y == BigInt::ZERO, x == BigInt::ZERO);
        }
    }
}

#[test]
#[ignore = "long: a hundred thousand elements"]
fn inverses_long() {
    check_inverses(LONG / 5, &mut Adversary::new(8));
}

#[test]
fn inverses_are_right() {
    let mut work = Work::new();
    check_inverses(50, &mut Adversary::new(9));
    let mut zero = ZERO;
    point::invert(&mut work, &mut zero);
    assert_eq!(field::to_bytes(&zero, 0), [0; 32]);
}

/// x and y of a point.
fn affine(point: &Point) -> [BigInt; 2] {
    let p = prime();
    let z = class(point, 2).modpow(&(&p - 2), &p);
    [class(point, 0) * &z % &p, class(point, 1) * &z % &p]
}

#[test]
fn points_are_decoded() {
    let mut words = Words(9);
    let mut work = Work::new();
    let p = prime();
    let d = modulo(
        &(BigInt::from(-121665) * BigInt::from(121666).modpow(&(&p - 2), &p)),
        &p,
    );
    // The square of x that belongs to an encoding, if there is one.
    let xx = |bytes: &[u8; 32]| {
        let mut y = *bytes;
        y[31] &= 0x7f;
        let yy = integer(&y).pow(2) % &p;
        let v: BigInt = (&d * &yy + 1) % &p;
        let xx = modulo(&((yy - 1) * v.modpow(&(&p - 2), &p)), &p);
        (xx.modpow(&((&p - 1) / 2), &p) <= BigInt::from(1)).then_some(xx)
    };
    let mut valid = 0;
    let mut check = |a: [u8; 32], b: [u8; 32]| {
        let mut points = [ZERO; 2];
        let decoded = point::vartime_decode(&mut work, &mut points, [&a, &b]);
        let squares = [xx(&a), xx(&b)];
        assert_eq!(decoded, squares.iter().all(Option::is_some), "{a:?} {b:?}");
        if decoded {
            valid += 1;
            for ((point, bytes), xx) in points.iter().zip([a, b]).zip(squares) {
                let [x, y] = affine(point);
                let mut expected = bytes;
                expected[31] &= 0x7f;
                assert_eq!(y, integer(&expected) % &p);
                assert_eq!(&x * &x % &p, xx.unwrap());
                if x != BigInt::ZERO {
                    assert_eq!(u8::from(x.bit(0)), bytes[31] >> 7);
                }
                assert_eq!(class(point, 3), &x * &y % &p);
                let canonical = field::to_bytes(point, 1) == expected
                    && (x != BigInt::ZERO || bytes[31] >> 7 == 0);
                assert_eq!(edwards::encode_affine::<Work>(point) == bytes, canonical);
            }
        }
    };
    for _ in 0..200 {
        check(words.bytes(), words.bytes());
    }
    // Around p, where encodings are not canonical, and around 0; with both signs.
    for near in -25..25 {
        let mut bytes = octets(&modulo(&(&p + near), &(BigInt::from(1) << 255)));
        check(BASE, bytes);
        bytes[31] |= 0x80;
        check(bytes, BASE);
    }
    assert!((50..250).contains(&valid), "{valid}");
}

fn check_scalar(a: [u8; 32], b: [u8; 32], c: [u8; 32]) {
    let expected = modulo(&(integer(&a) * integer(&b) + integer(&c)), &order());
    assert_eq!(
        scalar::multiply_add(&a, &b, &c),
        octets(&expected),
        "{a:?} {b:?} {c:?}"
    );
}

/// Any octets, or such as are next to a multiple of L.
fn scalar_bytes(source: &mut Adversary) -> [u8; 32] {
    let bytes = source.bytes();
    if source.below(3) != 0 {
        return bytes;
    }
    let multiple = integer(&bytes) / order() * order();
    let near: BigInt = multiple + source.below(80) - 40;
    if near.sign() == Sign::Minus || near.bits() > 256 {
        return bytes;
    }
    octets(&near)
}

fn check_scalars(count: usize, source: &mut Adversary) {
    for _ in 0..count {
        let [a, b, c] = [(); 3].map(|()| scalar_bytes(source));
        check_scalar(a, b, c);
        let mut digest = [0; 64];
        digest[..32].copy_from_slice(&a);
        digest[32..].copy_from_slice(&b);
        let expected = octets(&(integer(&digest) % order()));
        assert_eq!(scalar::reduce_wide(&digest), expected, "{digest:?}");
        assert_eq!(scalar::is_reduced(&c), integer(&c) < order(), "{c:?}");
    }
}

#[test]
#[ignore = "long: a million scalars"]
fn scalars_are_reduced_long() {
    check_scalars(4 * LONG, &mut Adversary::new(10));
}

#[test]
fn scalars_are_reduced() {
    let l = order();
    check_scalars(5000, &mut Adversary::new(11));
    // Around the multiples of L, and the largest.
    check_scalar([255; 32], [255; 32], [255; 32]);
    let mut one = [0; 32];
    one[0] = 1;
    for multiple in 0..16 {
        for offset in -3..4 {
            let n: BigInt = &l * multiple + offset;
            if n.sign() != Sign::Minus {
                check_scalar(octets(&n), one, [0; 32]);
            }
        }
    }
}

#[test]
fn hashes_are_those_of_the_library() {
    let mut words = Words(6);
    let mut constants = Constants::EMPTY;
    constants.fill();
    let mut data = std::vec::Vec::new();
    for _ in 0..300 {
        let mut hash = Sha512::EMPTY;
        hash.start(&constants);
        let at = words.word() as usize % (data.len() + 1);
        hash.update(&constants, &data[..at]);
        hash.update(&constants, &data[at..]);
        assert_eq!(hash.finish(&constants)[..], sha2::Sha512::digest(&data)[..]);
        data.push(words.word() as u8);
    }
}

#[test]
fn multiplication_distributes() {
    let mut words = Words(7);
    let mut work = Work::new();
    let mut points = [ZERO; 2];
    assert!(point::vartime_decode(&mut work, &mut points, [&BASE; 2]));
    let base = points[0];
    assert_eq!(point::encode(&mut work, &points), [BASE; 2]);
    let mut combs = [[ZERO; 16]; 4];
    point::combs(&mut work, &mut combs, &base);
    let (mut few, mut many) = ([ZERO; 8], [ZERO; 32]);
    point::odd_multiples(&mut work, &mut few, &base);
    point::odd_multiples(&mut work, &mut many, &base);
    let mut secret = |a: &[u8; 32], b: &[u8; 32]| {
        let mut points = [ZERO; 2];
        point::multiply(&mut work, &mut points[0], a, &combs);
        point::multiply(&mut work, &mut points[1], b, &combs);
        point::encode(&mut work, &points)
    };
    // L times the base point is the identity; L + 1 and 1 times are itself.
    let one = octets(&BigInt::from(1));
    let identity = one;
    assert_eq!(
        secret(&octets(&order()), &octets(&(order() + 1))),
        [identity, BASE]
    );
    assert_eq!(secret(&one, &[0; 32]), [BASE, identity]);
    let mut work = Work::new();
    let mut public = |a: &[u8; 32], b: &[u8; 32]| {
        let mut points = [ZERO; 2];
        let terms = [(a, &many[..]), (b, &few[..])];
        point::vartime_multiply(&mut work, &mut points[0], &terms);
        let terms = [(b, &few[..]), (a, &many[..])];
        point::vartime_multiply(&mut work, &mut points[1], &terms);
        point::encode(&mut work, &points)
    };
    for i in 0..40 {
        let [mut a, mut b] = [words.bytes(), words.bytes()];
        // Below 2^253; and with runs of ones at the top.
        a[31] &= 0x1f;
        b[31] = if i % 2 == 0 { 0x1f } else { b[31] & 0x1f };
        let sum = octets(&modulo(&(integer(&a) + integer(&b)), &order()));
        let [expected, other] = secret(&sum, &a);
        assert_eq!(public(&a, &b), [expected; 2]);
        assert_eq!(public(&a, &[0; 32]), [other; 2]);
    }
}

#[test]
fn small_orders_are_told() {
    let mut work = Work::new();
    let mut points = [ZERO; 2];
    // Of order 8, and y = -1, of order 2, and y = 0, of order 4.
    let eight = constant("05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826");
    let two = octets(&(prime() - 1));
    for encodings in [[&eight, &two], [&[0; 32], &eight]] {
        assert!(point::vartime_decode(&mut work, &mut points, encodings));
        for p in &points {
            assert!(vartime_is_small_order::<Engine>(&mut work, &mut p.clone()));
            assert!(!vartime_is_identity::<Work>(p));
        }
    }
    assert!(point::vartime_decode(
        &mut work,
        &mut points,
        [&BASE, &octets(&BigInt::from(1))]
    ));
    assert!(!vartime_is_small_order::<Engine>(
        &mut work,
        &mut points[0].clone()
    ));
    assert!(vartime_is_identity::<Work>(&points[1]));
    // p - p
    let mut sum = points[0];
    let mut negative = sum;
    point::negate(&mut negative);
    let mut t = ZERO;
    point::summand(&mut work, &mut t, &negative);
    point::add(&mut work, &mut sum, &t);
    assert!(vartime_is_identity::<Work>(&sum));
}

/// RFC 7748 section 5.2.
#[cfg(feature = "x25519")]
#[test]
fn the_ladder_gives_what_the_rfc_says() {
    let mut k = [0; 32];
    k[0] = 9;
    let mut u = k;
    for _ in 0..1000 {
        let next = crate::montgomery::x25519(&k, &u);
        u = k;
        k = next;
    }
    let hex: std::string::String = k.iter().map(|byte| std::format!("{byte:02x}")).collect();
    assert_eq!(
        hex,
        "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"
    );
}
