//! The emulation and the other ways to compute against the hardware, and every lane type against
//! one lane.

extern crate std;

use lanner_simd::{F64, Isa, Operation};

use super::emulated::Emulated;
use super::{Floating, Fpr, Lanes, Real};
use alloc::vec::Vec;

/// A small generator for tests (SplitMix64).
#[derive(Clone)]
pub(crate) struct TestRng(pub(crate) u64);

impl TestRng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A double with an exponent of 2^-`spread` to 2^`spread` and an adversarial fraction: long runs of equal
/// bits, few bits, and anything.
fn adversarial(rng: &mut TestRng, spread: u64) -> f64 {
    let mut fraction = rng.next() >> 12;
    match rng.next() % 8 {
        0 => fraction = 0,
        1 => fraction = (1 << 52) - 1,
        2 => fraction = (1 << 52) - (1 << (rng.next() % 52)),
        3 => fraction = (1 << (rng.next() % 53)) - 1,
        4 => fraction = 1 << (rng.next() % 52),
        5 => fraction &= 0xf,
        _ => {}
    }
    let exponent = 1023 - spread + rng.next() % (2 * spread + 1);
    let sign = rng.next() << 63;
    if rng.next().is_multiple_of(64) {
        return f64::from_bits(sign);
    }
    f64::from_bits(sign | (exponent << 52) | (fraction & ((1 << 52) - 1)))
}

/// Pairs for the binary operations: unrelated, near each other, and cancelling ones.
fn pairs(count: usize) -> impl Iterator<Item = (f64, f64)> {
    let mut rng = TestRng(1);
    (0..count).map(move |_| {
        let spread = [1, 3, 60, 120, 400][(rng.next() % 5) as usize];
        let x = adversarial(&mut rng, spread);
        let y = adversarial(&mut rng, spread);
        let y = match rng.next() % 8 {
            0 => f64::from_bits(x.to_bits() ^ (1 << (rng.next() % 56))),
            1 => -f64::from_bits(x.to_bits().wrapping_add(rng.next() % 5)),
            2 => -x,
            3 => x,
            _ => y,
        };
        // A flipped bit of a zero makes a subnormal, which is outside of the contract.
        (x, if y.is_subnormal() { 0.0 } else { y })
    })
}

/// Fewer where the tests are likely to run emulated.
#[cfg(not(all(target_arch = "x86", not(target_feature = "sse2"))))]
const PAIRS: usize = if cfg!(target_arch = "x86_64") {
    2_000_000
} else {
    200_000
};

// (On x86 without SSE2 the hardware keeps no contract.)
#[cfg(not(all(target_arch = "x86", not(target_feature = "sse2"))))]
#[test]
fn the_emulation_is_the_hardware() {
    let e = |x: f64| Emulated::from_bits(x.to_bits());
    let mut zeros = 0;
    for (x, y) in pairs(PAIRS) {
        let same = |ours: Emulated, theirs: f64, what: &str| {
            // Subnormal results are zeros by contract.
            let theirs = if theirs.is_subnormal() {
                theirs * 0.0
            } else {
                theirs
            };
            assert_eq!(
                ours.to_bits(),
                theirs.to_bits(),
                "{what} of {x:e} and {y:e}"
            );
        };
        same(e(x) + e(y), x + y, "sum");
        same(e(x) - e(y), x - y, "difference");
        same(e(x) * e(y), x * y, "product");
        same(-e(x), -x, "negation");
        same(e(x).half(), x * 0.5, "half");
        if y != 0.0 {
            same(e(x).div(e(y)), x / y, "quotient");
        }
        let magnitude = x.abs();
        same(e(magnitude).sqrt(), magnitude.sqrt(), "square root");
        let target = Fpr::from_bits(magnitude.to_bits()).sqrt();
        same(
            Emulated::from_bits(target.to_bits()),
            magnitude.sqrt(),
            "the target's square root",
        );
        zeros += usize::from(x + y == 0.0);
    }
    assert!(zeros > PAIRS / 2000, "cancellation must occur");
    let huge = f64::from_bits(0x7fe0_1234_5678_9abc);
    assert_eq!((e(huge) * e(huge)).to_bits(), f64::INFINITY.to_bits());
    assert_eq!((e(huge) + e(huge)).to_bits(), f64::INFINITY.to_bits());
    assert_eq!((e(-huge) * e(huge)).to_bits(), f64::NEG_INFINITY.to_bits());
    for zero in [0.0, -0.0_f64] {
        assert_eq!(e(zero).sqrt().to_bits(), zero.to_bits());
    }
}

/// The nearest integer with ties to even, and the floor, in integers: on x86 without SSE2 those of the
/// standard library are off by one at times.
fn nearest_and_floor(x: f64) -> (i32, i32) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1075;
    let magnitude = i64::try_from(bits & ((1 << 52) - 1) | 1 << 52).unwrap();
    let (whole, rest, half) = match exponent {
        0.. => (magnitude << exponent, 0, 1),
        -60..0 => {
            let whole = magnitude >> -exponent;
            (
                whole,
                magnitude - (whole << -exponent),
                1 << (-exponent - 1),
            )
        }
        // Zero and what is next to it.
        _ => (0, i64::from(x != 0.0), 2),
    };
    let up = rest > half || (rest == half && whole & 1 == 1);
    let (nearest, floor) = if bits >> 63 == 0 {
        (whole + i64::from(up), whole)
    } else {
        (-(whole + i64::from(up)), -(whole + i64::from(rest != 0)))
    };
    (nearest.try_into().unwrap(), floor.try_into().unwrap())
}

fn conversions<R: Real>() {
    let mut rng = TestRng(2);
    let of = |x: f64| R::from_bits(x.to_bits());
    let check = |x: f64| {
        let (nearest, floor) = nearest_and_floor(x);
        assert_eq!(of(x).round(), nearest, "round {x:e}");
        assert_eq!(of(x).floor(), floor, "floor {x:e}");
        // The rest needs arithmetic that keeps the contract.
        if cfg!(all(target_arch = "x86", not(target_feature = "sse2"))) {
            return;
        }
        assert_eq!(nearest, x.round_ties_even() as i32);
        assert_eq!(floor, x.floor() as i32);
        let (_, rest) = of(x).floor_and_rest();
        assert_eq!(rest.to_bits(), (x - x.floor()).to_bits(), "rest of {x:e}");
        let fraction = (x * 2.0_f64.powi(-31)).abs();
        let fixed = (fraction * 2.0_f64.powi(63)).floor() as u64;
        assert_eq!(of(fraction).to_fixed63(), fixed, "fixed {fraction:e}");
        let tiny = fraction * 2.0_f64.powi(-40);
        let fixed = (tiny * 2.0_f64.powi(63)).floor() as u64;
        assert_eq!(of(tiny).to_fixed63(), fixed, "fixed {tiny:e}");
    };
    for i in -3000..3000 {
        for step in [0.0, 0.25, 0.5, 0.75] {
            check(f64::from(i) + step);
        }
        check(f64::from(i) + f64::EPSILON * 256.0);
        check(f64::from(i) - f64::EPSILON * 256.0);
    }
    for _ in 0..200_000 {
        let x = adversarial(&mut rng, 29);
        check(x);
        check((x * 4.0).floor() / 4.0);
    }
    for i in [0, 1, -1, 2, i32::MAX, i32::MIN, i32::MIN + 1, 12289, -12289] {
        assert_eq!(R::from_i32(i).to_bits(), f64::from(i).to_bits(), "{i}");
    }
    for _ in 0..100_000 {
        let i = rng.next() as i32 >> (rng.next() % 32);
        assert_eq!(R::from_i32(i).to_bits(), f64::from(i).to_bits(), "{i}");
    }
}

#[test]
fn conversions_of_the_target() {
    conversions::<Fpr>();
}

#[test]
fn conversions_of_the_emulation() {
    conversions::<Emulated>();
}

/// The lanes of an instruction set against single values: the bits of every rounding, and the half.
#[derive(Clone)]
struct Comparison;

impl Operation for Comparison {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        compare::<<I as Floating>::Lanes>();
    }
}

fn compare<L: Lanes>() {
    let of = |x: f64| L::Real::from_bits(x.to_bits());
    let (x, y): (Vec<L::Real>, Vec<L::Real>) =
        pairs(64 * 1024).map(|(x, y)| (of(x), of(y))).unzip();
    type Binary<T> = fn(T, T) -> T;
    type Pair<L> = (Binary<L>, Binary<<L as F64>::Real>, &'static str);
    let operations: [Pair<L>; 7] = [
        (|x, y| x + y, |x, y| x + y, "sum"),
        (|x, y| x - y, |x, y| x - y, "difference"),
        (|x, y| x * y, |x, y| x * y, "product"),
        (|x, y| x.div(y), |x, y| x.div(y), "quotient"),
        (|x, _| -x, |x, _| -x, "negation"),
        (|x, _| x.half(), |x, _| x.half(), "half"),
        (|x, _| x.sqrt(), |x, _| x.sqrt(), "square root"),
    ];
    let mut out = std::vec![of(0.0); x.len()];
    for (lanes, single, what) in operations {
        let packs = L::packs(&x).iter().zip(L::packs(&y));
        for ((x, y), out) in packs.zip(L::packs_mut(&mut out)) {
            lanes(L::load(x), L::load(y)).store(out);
        }
        for (i, out) in out.iter().enumerate() {
            let expected = f64::from_bits(single(x[i], y[i]).to_bits());
            let result = f64::from_bits(out.to_bits());
            let same = result.to_bits() == expected.to_bits();
            assert!(same || (result.is_nan() && expected.is_nan()), "{what} {i}");
        }
    }
}

#[test]
fn the_lanes_agree_with_one() {
    lanner_simd::everywhere(Comparison);
}
