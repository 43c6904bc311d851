//! Arithmetic modulo the primes, transforms, and the residue number system.

use std::vec;
use std::vec::Vec;

use lanner_simd::{Isa, U32};
use num_bigint::BigInt;

use super::{Portable, Random, negacyclic, on_every_isa};
use crate::keygen::lanes::Words;
use crate::keygen::mp31::{PRIME_COUNT, PRIME_Q, PRIMES, Prime, fill_table};
use crate::keygen::ntt31::{intt, ntt};
use crate::keygen::poly;
use crate::keygen::workspace::{Memory, Tables, Workspace};
use crate::params::N_MAX;

fn is_prime(p: u32) -> bool {
    p > 1
        && (2..)
            .take_while(|d| d * d <= p)
            .all(|d| !p.is_multiple_of(d))
}

#[test]
fn primes_are_the_largest() {
    let largest = (0..=(1u32 << 31) / 2048 - 1)
        .rev()
        .map(|i| 2048 * i + 1)
        .filter(|&p| is_prime(p));
    let ours = PRIMES.iter().map(|prime| prime.p);
    assert!(ours.eq(largest.take(PRIME_COUNT)));
}

#[test]
fn constants_of_the_primes() {
    for prime in PRIMES.iter().chain([&PRIME_Q]) {
        let p = u64::from(prime.p);
        assert_eq!(prime.p.wrapping_mul(prime.inverse), 1);
        assert_eq!(u64::from(prime.one), (1 << 32) % p);
        assert_eq!(u128::from(prime.r2), (1u128 << 64) % u128::from(p));
        for logn in 0..=10 {
            let inverse = prime.mul(prime.inverse_of_degree(logn), 1);
            assert_eq!((u64::from(inverse) << logn) % p, 1);
        }
        // The table starts with the powers 0, 512, 256 and 768 of a root whose 1024th is -1.
        let mut table = [0; 1024];
        fill_table::<Portable>(prime, &mut table);
        let root = table[512];
        assert_eq!(prime.power(root, 1024), prime.p - prime.one);
        for (i, &x) in table.iter().enumerate() {
            let reversed = (i as u32).reverse_bits() >> 22;
            assert_eq!(x, prime.power(root, reversed));
        }
        // And backwards it has their inverses, but for the sign.
        for e in 0..10 {
            let m = 1 << e;
            for i in 0..m {
                let product = prime.mul(table[m + i], table[2 * m - 1 - i]);
                assert_eq!(product, prime.p - prime.one);
            }
        }
    }
}

/// Every operation of the lanes against integers.
fn lanes<I: Isa>() {
    type W<I> = <I as Isa>::U32;
    let n = <W<I> as U32>::LANES;
    let mut random = Random::new("lanes");
    let read = |x: W<I>| {
        let mut lanes = vec![0u32; n];
        x.store(&mut lanes);
        lanes
    };
    for prime in PRIMES.iter().chain([&PRIME_Q]) {
        let p = u64::from(prime.p);
        let modulus = prime.modulus::<W<I>>();
        // 2^-32.
        let down = u64::from(prime.mul(1, 1));
        for _ in 0..2000 {
            let a: Vec<u32> = (0..n).map(|_| random.residue(prime.p)).collect();
            let b: Vec<u32> = (0..n).map(|_| random.residue(prime.p)).collect();
            let any: Vec<u32> = (0..n).map(|_| random.word() as u32).collect();
            let (x, y, z) = (W::<I>::load(&a), W::<I>::load(&b), W::<I>::load(&any));
            let sums = read(x.add_mod(y, modulus.p));
            let differences = read(x.sub_mod(y, modulus.p));
            let products = read(x.mont_mul(y, &modulus));
            let mixed = read(z.mont_mul(y, &modulus));
            let centred = read(x.centred(modulus.p));
            let back = read(x.centred(modulus.p).residue(modulus.p));
            for i in 0..n {
                let (a, b, any) = (u64::from(a[i]), u64::from(b[i]), u64::from(any[i]));
                assert_eq!(u64::from(sums[i]), (a + b) % p);
                assert_eq!(u64::from(differences[i]), (a + p - b) % p);
                assert_eq!(u64::from(products[i]), a * b % p * down % p);
                assert_eq!(u64::from(mixed[i]), any % p * b % p * down % p);
                let expected = if a > p / 2 {
                    a as i64 - p as i64
                } else {
                    a as i64
                };
                assert_eq!(i64::from(centred[i] as i32), expected);
                assert_eq!(u64::from(back[i]), a);
            }
        }
    }
    // Blocks of 2t: first halves, second halves.
    let elements: Vec<u32> = (0..2 * n as u32).collect();
    let mut t = n / 2;
    while t > 0 {
        let (a, b) = (W::<I>::load(&elements), W::<I>::load(&elements[n..]));
        let (first, second) = W::<I>::unzip(a, b, t);
        let expect = |half: usize| -> Vec<u32> {
            elements
                .chunks(2 * t)
                .flat_map(|block| block[half * t..(half + 1) * t].to_vec())
                .collect()
        };
        assert_eq!(read(first), expect(0));
        assert_eq!(read(second), expect(1));
        let (c, d) = W::<I>::zip(first, second, t);
        assert_eq!([read(c), read(d)].concat(), elements);
        let spread = W::<I>::spread(&elements, t);
        let repeated: Vec<u32> = (0..n).map(|i| (i / t) as u32).collect();
        assert_eq!(read(spread), repeated);
        t /= 2;
    }
}

#[test]
fn lanes_are_right() {
    on_every_isa!(lanes());
}

fn naive_product(a: &[u32], b: &[u32], p: u32) -> Vec<u32> {
    let n = a.len();
    let p = u64::from(p);
    let mut product = vec![0u64; n];
    for i in 0..n {
        for j in 0..n {
            let term = u64::from(a[i]) * u64::from(b[j]) % p;
            let to = &mut product[(i + j) % n];
            *to = (*to + if i + j < n { term } else { p - term }) % p;
        }
    }
    product.iter().map(|&x| x as u32).collect()
}

fn products<I: Isa>() {
    let mut random = Random::new("products");
    for prime in PRIMES.iter().chain([&PRIME_Q]) {
        let mut powers = [0; 1024];
        fill_table::<I>(prime, &mut powers);
        for logn in 0..=10 {
            let n = 1 << logn;
            let a: Vec<u32> = (0..n).map(|_| random.residue(prime.p)).collect();
            let b: Vec<u32> = (0..n).map(|_| random.residue(prime.p)).collect();
            let (mut x, mut y) = (a.clone(), b.clone());
            ntt::<I>(&mut x, &powers, prime);
            ntt::<I>(&mut y, &powers, prime);
            let factor = prime.mul(prime.inverse_of_degree(logn), prime.r2);
            for (x, &y) in x.iter_mut().zip(&y) {
                *x = prime.mul(prime.mul(*x, y), factor);
            }
            intt::<I>(&mut x, &powers, prime);
            assert_eq!(x, naive_product(&a, &b, prime.p), "degree {n}");
        }
    }
}

#[test]
fn transforms_multiply() {
    on_every_isa!(products());
}

/// The inverse, with none of the elements zero.
fn inverses<I: Isa>() {
    let mut random = Random::new("inverses");
    let prime: &Prime = &PRIMES[0];
    for logn in 0..=10 {
        let a: Vec<u32> = (0..1 << logn)
            .map(|_| random.residue(prime.p).max(1))
            .collect();
        let mut inverse = vec![0; a.len()];
        poly::invert::<I>(&a, &mut inverse, prime);
        for (&a, &inverse) in a.iter().zip(&inverse) {
            // a times 2^32/a is 2^32.
            assert_eq!(
                u64::from(a) * u64::from(inverse) % u64::from(prime.p),
                u64::from(prime.one)
            );
        }
    }
}

#[test]
fn inverses_are_inverses() {
    on_every_isa!(inverses());
}

fn residues<I: Isa>() {
    let mut random = Random::new("residues");
    for count in 1..=PRIME_COUNT {
        // The largest bits of a signed number that is told from its residues.
        let bits = 31 * count as u32 - 1;
        for n in [2, 4, 8, 64] {
            let numbers: Vec<Vec<i64>> = (0..n).map(|_| random.number(3, bits)).collect();
            let mut lines = vec![0; count * n];
            for (i, line) in lines.chunks_exact_mut(n).enumerate() {
                let flat: Vec<i64> = numbers.concat();
                crate::keygen::zint62::residues(&flat, 3, &PRIMES[i], line);
                for (x, &residue) in numbers.iter().zip(&*line) {
                    let p = BigInt::from(PRIMES[i].p);
                    let expected = ((super::value(x) % &p) + &p) % &p;
                    assert_eq!(BigInt::from(residue), expected);
                }
            }
            let mut back = vec![0; 3 * n];
            poly::from_residues::<I>(&mut lines, count, &mut back, 3);
            assert_eq!(back, numbers.concat());
        }
    }
}

#[test]
fn residues_and_back() {
    on_every_isa!(residues());
}

/// Norms and lifts by transforms, which use pairs of slots, against the naive product.
fn slots<I: Isa>() {
    let mut random = Random::new("slots");
    let mut work = Workspace::<N_MAX>::new();
    for logn in 2..=8u32 {
        let n = 1 << logn;
        let tables = Tables::fill::<I>(n, 2, &mut Memory::new(work.words()));
        let f: Vec<i64> = (0..n).map(|_| random.below(2001) as i64 - 1000).collect();
        let big: Vec<BigInt> = f.iter().map(|&x| BigInt::from(x)).collect();
        let negated = |x: &[BigInt]| -> Vec<BigInt> {
            x.iter()
                .enumerate()
                .map(|(i, x)| if i % 2 == 1 { -x } else { x.clone() })
                .collect()
        };

        let (mut lines, mut scratch) = (vec![0; 3 * n], vec![0; 3 * n]);
        poly::norm_modulo::<I>(tables, &f, 1, 2, &mut lines, &mut scratch);
        let mut norm = vec![0; n / 2];
        poly::from_residues::<I>(&mut lines[..n], 2, &mut norm, 1);
        let expected = negacyclic(&big, &negated(&big));
        for (i, expected) in expected.iter().enumerate() {
            let ours = if i % 2 == 0 { norm[i / 2] } else { 0 };
            assert_eq!(BigInt::from(ours), *expected);
        }

        let below: Vec<i64> = (0..n / 2)
            .map(|_| random.below(1 << 31) as i64 - (1 << 30))
            .collect();
        let mut spread = vec![BigInt::ZERO; n];
        for (i, &x) in below.iter().enumerate() {
            spread[2 * i] = BigInt::from(x);
        }
        poly::lift_modulo::<I>(tables, &below, 1, &f, 1, 2, &mut lines, &mut scratch);
        let mut lifted = vec![0; n];
        poly::planes_from_residues::<I>(&mut lines, 2, &mut lifted, n);
        let lifted: Vec<BigInt> = lifted.into_iter().map(BigInt::from).collect();
        assert_eq!(lifted, negacyclic(&spread, &negated(&big)));
    }
}

#[test]
fn norms_and_lifts_by_transforms() {
    on_every_isa!(slots());
}
