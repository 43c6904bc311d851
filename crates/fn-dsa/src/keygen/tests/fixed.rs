//! Fixed-point numbers and their Fourier transform.

use std::vec;
use std::vec::Vec;

use lanner_simd::{I64, Isa};
use num_bigint::BigInt;

use super::{Portable, Random, on_every_isa};
use crate::keygen::fxp::{self, fft, ifft};
use crate::keygen::lanes::Fixed;
use crate::keygen::twiddles::{TWIDDLES_IM, TWIDDLES_RE};

/// Every operation: the portable lane against big integers, the others against the portable lane.
fn lanes<I: Isa>() {
    type X<I> = <I as Isa>::I64;
    let n = <X<I> as I64>::LANES;
    let mut random = Random::new("fixed lanes");
    let read = |x: X<I>| {
        let mut lanes = vec![0i64; n];
        x.store(&mut lanes);
        lanes
    };
    for _ in 0..4000 {
        let a: Vec<i64> = (0..n).map(|_| random.word() as i64).collect();
        let b: Vec<i64> = (0..n).map(|_| random.word() as i64).collect();
        let bits = random.below(16) as u32;
        let (x, y) = (X::<I>::load(&a), X::<I>::load(&b));
        let results = [
            x.add(y),
            x.sub(y),
            x.mul(y),
            x.half_up(),
            x.div(y),
            x.shl_by(bits),
            x.neg(),
        ];
        let results = results.map(read);
        for i in 0..n {
            let (a, b) = (a[i], b[i]);
            let expected = [
                a.wrapping_add(b),
                a.wrapping_sub(b),
                ((i128::from(a) * i128::from(b)) >> 32) as i64,
                a.wrapping_add(1) >> 1,
                Fixed::div(a, b),
                a << bits,
                a.wrapping_neg(),
            ];
            for (result, expected) in results.iter().zip(expected) {
                assert_eq!(result[i], expected, "{a} {b}");
            }
        }
    }
    let elements: Vec<i64> = (0..2 * n as i64).collect();
    let mut t = n / 2;
    while t > 0 {
        let (a, b) = (X::<I>::load(&elements), X::<I>::load(&elements[n..]));
        let (first, second) = X::<I>::unzip(a, b, t);
        let expect = |half: usize| -> Vec<i64> {
            elements
                .chunks(2 * t)
                .flat_map(|block| block[half * t..(half + 1) * t].to_vec())
                .collect()
        };
        assert_eq!(read(first), expect(0));
        assert_eq!(read(second), expect(1));
        let (c, d) = X::<I>::zip(first, second, t);
        assert_eq!([read(c), read(d)].concat(), elements);
        let repeated: Vec<i64> = (0..n).map(|i| (i / t) as i64).collect();
        assert_eq!(read(X::<I>::spread(&elements, t)), repeated);
        t /= 2;
    }
}

#[test]
fn lanes_are_right() {
    on_every_isa!(lanes());
}

/// The quotient is the exact one, rounded to nearest, halves away from zero, wherever it fits.
#[test]
fn quotients_are_exact() {
    let mut random = Random::new("quotients");
    let mut checked = 0;
    while checked < 20000 {
        let (a, b) = (random.word() as i64, random.word() as i64);
        if b == 0 || a == i64::MIN || b == i64::MIN {
            continue;
        }
        let (x, y) = (
            BigInt::from(a.unsigned_abs()),
            BigInt::from(b.unsigned_abs()),
        );
        let nearest = ((x << 33) + &y) / (y << 1);
        let Ok(nearest) = i64::try_from(&nearest) else {
            continue;
        };
        let expected = if (a < 0) == (b < 0) {
            nearest
        } else {
            -nearest
        };
        assert_eq!(Fixed::div(a, b), expected, "{a} / {b}");
        checked += 1;
    }
}

/// cos(x) 2^120 for x 2^120, by its series.
fn cosine(x: &BigInt) -> BigInt {
    let mut term: BigInt = BigInt::from(1) << 120;
    let mut sum = term.clone();
    let mut k = 0;
    while term != BigInt::ZERO {
        let once: BigInt = (&term * x) >> 120;
        let twice: BigInt = (once * x) >> 120;
        term = -twice / ((k + 1) * (k + 2));
        k += 2;
        sum += &term;
    }
    sum
}

#[test]
fn twiddles_are_rounded_right() {
    // Machin: pi = 16 atan(1/5) - 4 atan(1/239).
    let arctangent = |x: i32| {
        let mut power: BigInt = (BigInt::from(1) << 140) / x;
        let (mut sum, mut k) = (power.clone(), 1);
        while power != BigInt::ZERO {
            power = -power / (x * x);
            k += 2;
            sum += &power / k;
        }
        sum
    };
    let pi: BigInt = (arctangent(5) * 16 - arctangent(239) * 4) >> 20;
    let rounded =
        |x: BigInt| i64::try_from(&((x + (BigInt::from(1) << 87)) >> 88)).expect("at most one");
    for i in 1..512usize {
        let h = 1 << i.ilog2();
        let angle: BigInt = &pi * ((h + i) as u32).reverse_bits().wrapping_shr(22) / 1024;
        assert_eq!(TWIDDLES_RE[i], rounded(cosine(&angle)));
        assert_eq!(TWIDDLES_IM[i], rounded(cosine(&(&pi / 2 - angle))));
    }
}

/// The transform gives the values at exp(i pi (4 rev(j) + 1)/n), and its inverse the coefficients.
#[test]
fn transform_gives_values() {
    let mut random = Random::new("values");
    for logn in 1..=10u32 {
        let n = 1usize << logn;
        let f: Vec<i32> = (0..n).map(|_| random.below(255) as i32 - 127).collect();
        let mut x: Vec<i64> = f.iter().map(|&f| fxp::from_integer(f)).collect();
        fft::<Portable>(&mut x);
        for j in 0..n / 2 {
            let reversed = if logn == 1 {
                0
            } else {
                (j as u32).reverse_bits() >> (33 - logn)
            };
            let angle = std::f64::consts::PI * f64::from(4 * reversed + 1) / n as f64;
            let (mut re, mut im) = (0.0, 0.0);
            for (k, &f) in f.iter().enumerate() {
                re += f64::from(f) * (angle * k as f64).cos();
                im += f64::from(f) * (angle * k as f64).sin();
            }
            let scale = 4294967296.0;
            assert!((x[j] as f64 / scale - re).abs() < 1e-4, "{logn} {j}");
            assert!((x[j + n / 2] as f64 / scale - im).abs() < 1e-4);
        }
        ifft::<Portable>(&mut x);
        for (&x, &f) in x.iter().zip(&f) {
            assert_eq!(fxp::round(x), f);
            assert!((x - fxp::from_integer(f)).abs() < 1 << 12);
        }
    }
}

/// The squared norm of x, into y.
fn norm<I: Isa>(x: &[i64], y: &mut [i64]) {
    y[0] = fxp::squared_norm::<I>(x);
}

/// Whatever goes in, the instruction sets agree to the bit.
fn same_bits<I: Isa>() {
    let mut random = Random::new("same bits");
    for logn in 1..=10 {
        let n = 1 << logn;
        let mut polynomial = || -> Vec<i64> { (0..n).map(|_| random.word() as i64).collect() };
        let (a, b) = (polynomial(), polynomial());
        type Task<'a> = &'a dyn Fn(bool, &mut Vec<i64>, &mut Vec<i64>);
        let both = |task: Task<'_>| {
            let (mut x, mut y) = (a.clone(), b.clone());
            task(true, &mut x, &mut y);
            let (mut u, mut v) = (a.clone(), b.clone());
            task(false, &mut u, &mut v);
            assert_eq!(x, u);
            assert_eq!(y, v);
        };
        macro_rules! check {
            (|$x:ident, $y:ident| $($function:ident)::+($($argument:expr),*)) => {
                both(&|portable, $x, $y| {
                    if portable {
                        $($function)::+::<Portable>($($argument),*);
                    } else {
                        $($function)::+::<I>($($argument),*);
                    }
                })
            };
        }
        check!(|x, _y| fft(x));
        check!(|x, _y| ifft(x));
        check!(|x, y| fxp::multiply(x, y));
        check!(|x, y| fxp::add_assign(x, y));
        check!(|x, y| fxp::divide_by_real(x, &y[..n / 2]));
        check!(|x, _y| fxp::invert_scaled(x, 5));
        check!(|x, y| fxp::invert_pair_scaled(x, y, 5));
        check!(|x, y| fxp::orthogonalise(x, y, fxp::from_integer(12289)));
        check!(|x, y| norm(x, y));
    }
}

#[test]
fn instruction_sets_agree() {
    on_every_isa!(same_bits());
}
