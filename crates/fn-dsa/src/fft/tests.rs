//! The transform against its definition, the table against the float library, lanes against one lane. Where the roots are
//! computed, callers see to it that they are there; so do these tests.

extern crate std;

use alloc::vec::Vec;

use lanner_simd::{Isa, Operation};

use super::*;
use crate::fpr::emulated::Emulated;
use crate::fpr::tests::TestRng;
use crate::fpr::{Floating, Fpr, roots};

fn reversed(k: usize, bits: u32) -> usize {
    (0..bits).fold(0, |sum, bit| sum | (k >> bit & 1) << (bits - 1 - bit))
}

#[test]
fn roots_are_what_they_say() {
    let pi = std::f64::consts::PI;
    for j in 1..512_usize {
        let k = reversed(j + (1 << j.ilog2()), 10);
        let angle = pi * k as f64 / 1024.0;
        let (re, im) = (roots::RE[j], roots::IM[j]);
        assert!((f64::from_bits(re) - angle.cos()).abs() < 1e-15, "{j}");
        assert!((f64::from_bits(im) - angle.sin()).abs() < 1e-15, "{j}");
        // On the unit circle as well as doubles can be.
        let (re, im) = (f64::from_bits(re), f64::from_bits(im));
        assert!((re.mul_add(re, im * im) - 1.0).abs() < 3e-16, "{j}");
    }
}

fn polynomial(rng: &mut TestRng, logn: u32) -> Vec<f64> {
    (0..1 << logn)
        .map(|_| (rng.next() % 8192) as f64 - 4096.0)
        .collect()
}

#[test]
fn the_transform_is_its_definition() {
    crate::fpr::prepare();
    let mut rng = TestRng(10);
    for logn in 1..=10_u32 {
        let n = 1 << logn;
        let p = polynomial(&mut rng, logn);
        let real = |x: &f64| Fpr::from_bits(x.to_bits());
        let mut transformed: Vec<Fpr> = p.iter().map(real).collect();
        forward::<Fpr>(logn, &mut transformed);
        let double = |x: &Fpr| f64::from_bits(x.to_bits());
        let values: Vec<f64> = transformed.iter().map(double).collect();
        for j in 0..n / 2 {
            let power = 4 * reversed(j, logn - 1) + 1;
            let angle = |i: usize| std::f64::consts::PI * ((power * i) % (2 * n)) as f64 / n as f64;
            let re: f64 = p.iter().enumerate().map(|(i, x)| x * angle(i).cos()).sum();
            let im: f64 = p.iter().enumerate().map(|(i, x)| x * angle(i).sin()).sum();
            assert!(
                (values[j] - re).abs() < 1e-7,
                "logn {logn}, {j}: {} {re}",
                values[j]
            );
            assert!((values[n / 2 + j] - im).abs() < 1e-7, "logn {logn}, {j}");
        }
        inverse::<Fpr>(logn, &mut transformed);
        for (x, y) in p.iter().zip(&transformed) {
            assert!((x - double(y)).abs() < 1e-9, "logn {logn}");
        }
    }
}

struct Both<'a, L: Lanes>(u32, &'a mut [L::Real], &'a mut [L::Real]);

impl<L: Lanes> Task for Both<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        forward::<L>(self.0, self.1);
        self.2.copy_from_slice(self.1);
        inverse::<L>(self.0, self.2);
    }
}

/// The bits of the transform, and of its inverse.
fn bits<L: Lanes>(logn: u32, p: &[f64]) -> (Vec<u64>, Vec<u64>) {
    let mut values: Vec<L::Real> = p.iter().map(|x| L::Real::from_bits(x.to_bits())).collect();
    let mut back = values.clone();
    L::outline(Both::<L>(logn, &mut values, &mut back));
    let bits = |values: &[L::Real]| values.iter().map(|x| x.to_bits()).collect();
    (bits(&values), bits(&back))
}

/// Every transform, against that of single values.
#[derive(Clone)]
struct Agreement;

impl Operation for Agreement {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let mut rng = TestRng(11);
        for logn in 1..=10 {
            let p = polynomial(&mut rng, logn);
            let expected = bits::<Fpr>(logn, &p);
            let emulated = bits::<Emulated>(logn, &p);
            assert!(emulated == expected, "emulated, logn {logn}");
            let lanes = bits::<<I as Floating>::Lanes>(logn, &p);
            assert!(lanes == expected, "{}, logn {logn}", I::NAME);
        }
    }
}

#[test]
fn all_lanes_give_the_same_bits() {
    crate::fpr::prepare();
    lanner_simd::everywhere(Agreement);
}
