//! Numbers told from their residues, in planes.

use std::vec;
use std::vec::Vec;

use lanner_simd::Isa;
use num_bigint::BigInt;

use super::{Random, limbs_of, on_every_isa, planes_of, symmetric, value};
use crate::keygen::mp31::{PRIME_COUNT, PRIMES};
use crate::keygen::{poly, zint62};

/// As many numbers as a degree has, so many residues of each, line by line, and what the numbers are.
fn draw(random: &mut Random, n: usize, count: usize, bits: u32) -> (Vec<u32>, Vec<BigInt>) {
    let numbers: Vec<Vec<i64>> = (0..n).map(|_| random.number(3, bits)).collect();
    let mut lines = vec![0; count * n];
    for (line, prime) in lines.chunks_exact_mut(n).zip(&PRIMES) {
        zint62::residues(&numbers.concat(), 3, prime, line);
    }
    (lines, numbers.iter().map(|x| value(x)).collect())
}

/// The limbs of numbers, and of differences; each in its range.
fn digits<I: Isa>() {
    let mut random = Random::new("digits");
    for n in [2, 4, 8, 16, 64] {
        for count in 1..=PRIME_COUNT {
            for round in 0..12 {
                // The largest that are told from so many residues.
                let longest = 31 * count as u32 - 1;

                let planes = 1 + random.below(5) as usize;
                let bits = longest.min(62 * planes as u32);
                let (mut lines, numbers) = draw(&mut random, n, count, bits);
                let mut here = vec![0; n * planes];
                poly::planes_from_residues::<I>(&mut lines, count, &mut here, n);
                assert_eq!(here, planes_of(&numbers, planes), "{n} {count} {planes}");

                let active = 2 + random.below(5) as usize;
                let big: Vec<BigInt> = (0..n)
                    .map(|_| value(&random.number(active, 62 * active as u32)))
                    .collect();
                let shift = match round {
                    0 => 0,
                    1 => 62,
                    _ => random.below(62 * active as u64 + 70) as u32,
                };
                let (mut lines, numbers) = draw(&mut random, n, count, longest);
                let mut here = planes_of(&big, active);
                let beyond =
                    poly::subtract_residues::<I>(&mut here, n, active, &mut lines, count, shift);
                let differences: Vec<BigInt> = big
                    .iter()
                    .zip(&numbers)
                    .map(|(x, t)| symmetric(x - (t << shift), active))
                    .collect();
                assert_eq!(here, planes_of(&differences, active), "{n} {count} {shift}");
                assert_eq!(beyond, 0);
            }
        }
    }
}

#[test]
fn digits_become_limbs() {
    on_every_isa!(digits());
}

/// Numbers of one limb: differences are right where they fit 62 bits, and where one does not, that is seen.
fn one_limb<I: Isa>() {
    let mut random = Random::new("one limb");
    let mut seen = [0; 2];
    for round in 0..1200 {
        let n = 2 << random.below(4);
        let shift = random.below(62) as u32;
        // Every other time there is room for all.
        let (x_bits, t_bits) = match round % 2 {
            0 => (61, (61 - shift).clamp(2, 60)),
            _ => (62, 60),
        };
        let x: Vec<BigInt> = (0..n).map(|_| value(&random.number(1, x_bits))).collect();
        let (mut lines, t) = draw(&mut random, n, 2, t_bits);
        let mut here = planes_of(&x, 1);
        let beyond = poly::subtract_residues::<I>(&mut here, n, 1, &mut lines, 2, shift);
        let differences: Vec<BigInt> = x.iter().zip(&t).map(|(x, t)| x - (t << shift)).collect();
        let fits = differences.iter().all(|x| *x == symmetric(x.clone(), 1));
        assert_eq!(beyond == 0, fits, "{shift} {differences:?}");
        if fits {
            assert_eq!(here, planes_of(&differences, 1));
        }
        seen[usize::from(fits)] += 1;
    }
    assert!(seen[0] > 150 && seen[1] > 150, "{seen:?}");
}

#[test]
fn one_limb_tells_what_does_not_fit() {
    on_every_isa!(one_limb());
}

#[test]
fn symmetric_is_what_limbs_hold() {
    for (x, y) in [
        (0, 0),
        (-1, -1),
        (1 << 61, -1 << 61),
        (-1 << 61, -1 << 61),
        (1 << 62, 0),
    ] {
        let x: i64 = x;
        assert_eq!(symmetric(BigInt::from(x), 1), BigInt::from(y));
        assert_eq!(limbs_of(&BigInt::from(y), 1), [y]);
    }
}
