//! Large integers and polynomials of them.

use std::vec;
use std::vec::Vec;

use num_bigint::BigInt;

use lanner_simd::Isa;
use lanner_simd::memory::view_mut;

use super::{Random, limbs_of, negacyclic, on_every_isa, planes_of, symmetric, value, values};
use crate::keygen::planes;
use crate::keygen::poly::{self, Work};
use crate::keygen::rows::{self, Subtract, SubtractBoth};
use crate::keygen::zint62::{self, MASK, Window};

/// floor(x / 2^bits) modulo 2^64, as a signed number.
fn bits_from(x: &BigInt, bits: i64) -> i64 {
    let shifted: BigInt = if bits >= 0 { x >> bits } else { x << -bits };
    let low: BigInt = shifted & ((BigInt::from(1) << 64) - 1);
    u64::try_from(&low).expect("64 bits") as i64
}

#[test]
fn sizes_of_numbers() {
    let mut random = Random::new("sizes");
    let (mut fitting, mut not) = (0, 0);
    for _ in 0..20000 {
        let limbs = 1 + random.below(5) as usize;
        let bits = 2 + random.below(62 * limbs as u64 - 2) as u32;
        let x = random.number(limbs, bits);
        let big = value(&x);
        let magnitude: BigInt = if big < BigInt::ZERO {
            -&big - 1
        } else {
            big.clone()
        };
        assert_eq!(u64::from(zint62::bit_length(&x, x.len())), magnitude.bits());
        let words = 1 + random.below(2 * limbs as u64 + 2) as usize;
        let expected = magnitude.bits() < 31 * words as u64;
        assert_eq!(zint62::excess(&x, words) == 0, expected, "{big} in {words}");
        if expected { fitting += 1 } else { not += 1 }
    }
    assert!(fitting > 1000 && not > 1000);
}

#[test]
fn windows() {
    let mut random = Random::new("windows");
    for _ in 0..20000 {
        let limbs = 1 + random.below(12) as usize;
        let x = random.number(limbs, 62 * limbs as u32);
        let base = random.below(2 * limbs as u64) as usize;
        let scale_max = random.below(248) as u32;
        let scale = random.below(u64::from(scale_max) + 1) as u32;
        let mut result = [0];
        Window::new(base, scale, scale_max).apply(&x, limbs, &mut result);
        let above: BigInt = value(&x) >> (31 * base);
        let mut expected = bits_from(&above, i64::from(scale) - 32);
        if scale.is_multiple_of(31) {
            // One bit is missing.
            expected = (expected << 1) >> 1;
        }
        assert_eq!(result[0], expected);
    }
}

#[test]
fn small_multiples_and_shifted_differences() {
    let mut random = Random::new("differences");
    for _ in 0..20000 {
        let limbs = 2 + random.below(6) as usize;
        let count = random.below(4) as usize;
        let x = random.number(limbs, 62 * limbs as u32 - 1);
        let t = random.number(count + 1, 62 * count as u32 + 61);
        let shift = random.below(62 * limbs as u64 + 70) as u32;
        let mut difference = x.clone();
        zint62::subtract_shifted(&mut difference, 1, shift, count, |i| t[i]);
        // Modulo 2^(62 limbs), in the symmetric interval.
        let expected = if shift >= 62 * limbs as u32 {
            value(&x)
        } else {
            value(&x) - (value(&t) << shift)
        };
        assert_eq!(difference, limbs_of(&symmetric(expected, limbs), limbs));

        let mut multiple = random.number(limbs, 62 * limbs as u32 - 20);
        let positive = BigInt::from(value(&multiple).magnitude().clone());
        multiple.copy_from_slice(&limbs_of(&positive, limbs));
        zint62::multiply_small(&mut multiple, 12289);
        assert_eq!(value(&multiple), positive * 12289);
    }
}

/// A polynomial of n coefficients of so many bits.
fn polynomial(random: &mut Random, n: usize, limbs: usize, bits: u32) -> Vec<i64> {
    (0..n).flat_map(|_| random.number(limbs, bits)).collect()
}

#[test]
fn norms_and_lifts_by_the_schoolbook() {
    let mut random = Random::new("schoolbook");
    for (n, stride, below_stride) in [
        (2, 27, 52),
        (2, 1, 1),
        (4, 14, 27),
        (8, 7, 14),
        (16, 4, 7),
        (32, 2, 4),
        (64, 2, 2),
        (4, 1, 3),
    ] {
        for round in 0..6 {
            let bits = 62 * stride as u32 - 1;
            let f = polynomial(&mut random, n, stride, bits);
            let big = values(&f, stride);
            let conjugate: Vec<BigInt> = big
                .iter()
                .enumerate()
                .map(|(i, x)| if i % 2 == 1 { -x } else { x.clone() })
                .collect();
            let size = n * (stride + below_stride) + 8;
            let (mut x, mut y, mut ordered) = (vec![0; size], vec![0; size], vec![0; size]);
            let mut columns = vec![0; 2 * (stride + below_stride) + 8];
            let mut work = Work {
                x: &mut x,
                y: &mut y,
                ordered: &mut ordered,
                columns: &mut columns,
            };

            let result_stride = 2 * stride + 1;
            let mut norm = vec![0; n / 2 * result_stride];
            poly::norm(&f, stride, &mut norm, result_stride, &mut work);
            let expected = negacyclic(&big, &conjugate);
            for (i, expected) in expected.iter().enumerate() {
                if i % 2 == 0 {
                    let at = i / 2 * result_stride;
                    assert_eq!(
                        value(&norm[at..at + result_stride]),
                        *expected,
                        "{n} {round}"
                    );
                }
            }

            let below = polynomial(
                &mut random,
                n / 2,
                below_stride,
                62 * below_stride as u32 - 1,
            );
            let mut spread = vec![BigInt::ZERO; n];
            for (to, x) in spread
                .iter_mut()
                .step_by(2)
                .zip(values(&below, below_stride))
            {
                *to = x;
            }
            let result_stride = stride + below_stride + 1;
            let mut lifted = vec![0; n * result_stride];
            poly::lift(
                &below,
                below_stride,
                &f,
                stride,
                &mut lifted,
                result_stride,
                &mut work,
            );
            assert_eq!(plane_values(&lifted, n), negacyclic(&spread, &conjugate));
            assert!(columns.iter().all(|&column| column == 0));
        }
    }
}

/// Numbers as planes of n limbs, and back.
fn to_planes(x: &[i64], n: usize) -> Vec<i64> {
    let stride = x.len() / n;
    (0..x.len()).map(|i| x[i % n * stride + i / n]).collect()
}

fn plane_values(planes: &[i64], n: usize) -> Vec<BigInt> {
    let of = |j| value(&planes[j..].iter().step_by(n).copied().collect::<Vec<_>>());
    (0..n).map(of).collect()
}

/// Side by side as one by one: whether numbers fit, what is in a window, and products.
fn side_by_side<I: Isa>() {
    let mut random = Random::new("planes");
    let mut seen = [0; 2];
    for n in [2, 4, 8, 16, 32, 64, 128] {
        for _ in 0..40 {
            let limbs = 1 + random.below(12) as usize;
            let bits = 62 * limbs as u32 - random.below(62) as u32;
            let words = 1 + random.below(2 * limbs as u64 + 2) as usize;
            let mut numbers = polynomial(&mut random, n, limbs, bits);
            if random.below(2) == 0 {
                // None is too long, but perhaps one by one bit.
                let short = bits.min(31 * words as u32);
                numbers = polynomial(&mut random, n, limbs, short);
                let bit = BigInt::from(1) << random.below(62 * limbs as u64 - 1);
                let x = numbers.chunks_exact_mut(limbs).last().expect("a number");
                x.copy_from_slice(&limbs_of(
                    &if words.is_multiple_of(2) {
                        bit
                    } else {
                        -bit - 1
                    },
                    limbs,
                ));
            }
            let planes = &mut to_planes(&numbers, n);

            let excess = planes::excess_of::<I>(planes, n, limbs, words);
            let fits = zint62::all_fit(&numbers, limbs, limbs, words);
            assert_eq!(excess == 0, fits, "{n} {limbs} {words}");
            seen[usize::from(fits)] += 1;

            let base = random.below(2 * limbs as u64) as usize;
            let scale_max = random.below(248) as u32;
            let scale = random.below(u64::from(scale_max) + 1) as u32;
            let window = Window::new(base, scale, scale_max);
            let (mut here, mut there) = (vec![0; n], vec![0; n]);
            window.apply(&numbers, limbs, &mut here);
            planes::look::<I>(&window, planes, limbs, &mut there);
            assert_eq!(here, there, "{n} {limbs}");
        }
    }
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}

#[test]
fn planes_are_numbers_side_by_side() {
    on_every_isa!(side_by_side());
}

fn products<I: Isa>() {
    let mut random = Random::new("subtract");
    for (n, stride) in [
        (2, 52),
        (2, 1),
        (4, 14),
        (4, 27),
        (4, 1),
        (8, 7),
        (16, 4),
        (32, 2),
        (32, 4),
        (64, 2),
    ] {
        for round in 0..12 {
            let active = 2 * stride + 3;
            let mut f = polynomial(&mut random, n, stride, 62 * stride as u32 - 1);
            let big = polynomial(&mut random, n, active, 62 * active as u32 - 40);
            let extreme = round % 3 == 0;
            let k: Vec<i64> = (0..n)
                .map(|_| match random.word() as i32 {
                    x if extreme => i64::from(x.signum()) * 1_518_500_250,
                    x => i64::from(x % 1_518_500_251),
                })
                .collect();
            if extreme {
                // All sums at their bounds.
                let longest = (1 << 61) - 1;
                f.fill(MASK);
                f.iter_mut()
                    .skip(stride - 1)
                    .step_by(stride)
                    .for_each(|x| *x = longest);
            }
            let shift = random.below(62 * (active - 1) as u64) as u32;
            let expected = {
                let k: Vec<BigInt> = k.iter().map(|&k| BigInt::from(k)).collect();
                let product = negacyclic(&k, &values(&f, stride));
                let differences: Vec<BigInt> = values(&big, active)
                    .iter()
                    .zip(product)
                    .map(|(x, y)| symmetric(x - (y << shift), active))
                    .collect();
                planes_of(&differences, active)
            };
            let mut extended = vec![0; 2 * n];
            poly::extend(k.iter().copied(), &mut extended);
            let mut limbs = vec![0; f.len()];
            poly::reverse_limbs(&f, stride, &mut limbs);
            let mut planes = to_planes(&big, n);
            poly::subtract_product(&mut planes, active, &limbs, &extended, shift);
            assert_eq!(planes, expected, "{n} {stride} {shift}");
            if rows::pays_for_both::<I>(n) {
                // With another number beside it, and alone.
                let g = polynomial(&mut random, n, stride, 62 * stride as u32 - 1);
                let mut cut = vec![0; rows::size_of_both(stride)];
                for (f, g, second) in [(&f, Some(&g), 0), (&g, Some(&f), 1), (&f, None, 0)] {
                    rows::cut_both(f, g.map(Vec::as_slice), stride, &mut cut);
                    let mut planes = [to_planes(&big, n), to_planes(&big, n)];
                    let [big_f, big_g] = &mut planes;
                    I::enter(SubtractBoth {
                        big_f: view_mut(big_f),
                        big_g: view_mut(if g.is_some() { big_g } else { &mut [] }),
                        active,
                        rows: &cut,
                        k_extended: view_mut(&mut extended),
                        shift,
                    });
                    assert_eq!(planes[second], expected, "{stride} {shift}");
                }
            }
            if rows::pays::<I>(n) {
                let mut planes = to_planes(&big, n);
                let mut cut = vec![0; rows::size(n, stride)];
                rows::cut(&f, stride, &mut cut);
                I::enter(Subtract {
                    big: view_mut(&mut planes),
                    active,
                    rows: &cut,
                    k_extended: view_mut(&mut extended),
                    shift,
                });
                assert_eq!(planes, expected, "{n} {stride} {shift}");
            }
        }
    }
}

#[test]
fn products_subtracted_by_the_schoolbook() {
    on_every_isa!(products());
}
