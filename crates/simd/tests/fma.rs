//! Multiplications and additions of doubles in one rounding do in each lane what `f64::mul_add` does.
#![cfg(not(miri))]

use lanner_simd::{Avx2, Fma, FmaOperation, MulAddF64, U64};

/// Values such as lanes hold: integers with few bits and with many, of either sign, and constants beside them.
fn values() -> Vec<f64> {
    let mut values = vec![0.0, -0.0, 1.0, -1.0, 3.0, 19.0, 121_666.0];
    for n in [25, 50, 51, 52, 103] {
        let power = 2f64.powi(n);
        values.extend([power, -power, power + 1.0, power - 1.0, 1.5 * power]);
    }
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for i in 0..60 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        values.push((state as i64 >> (12 + i % 3)) as f64);
    }
    values
}

struct Check;

impl FmaOperation for Check {
    type Output = usize;

    fn run<I: Fma>(self) -> usize {
        let values = values();
        let mut inexact = 0;
        for (i, &a) in values.iter().enumerate() {
            for (j, &b) in values.iter().enumerate() {
                let row = |from: usize| -> Vec<f64> {
                    (0..4)
                        .map(|lane| values[(from + lane) % values.len()])
                        .collect()
                };
                let (x, y, z) = (row(i), row(j), row(i + 2 * j));
                let vector = |row: &[f64]| {
                    I::U64x4::load(&row.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
                };
                let (vx, vy, vz) = (vector(&x), vector(&y), vector(&z));
                let check = |result: I::U64x4, expected: &dyn Fn(usize) -> u64| {
                    let mut words = [0; 4];
                    result.store(&mut words);
                    assert_eq!(words, core::array::from_fn(expected), "{x:?} {y:?} {z:?}");
                };
                let fused = |k: usize| x[k].mul_add(y[k], z[k]).to_bits();
                check(I::U64x4::mul_add_exact(vx, vy, vz), &fused);
                check(I::U64x4::mul_add_anchor(vx, vy, vz), &fused);
                check(vx.add_exact(vy), &|k| (x[k] + y[k]).to_bits());
                check(vx.sub_exact(vy), &|k| (x[k] - y[k]).to_bits());
                check(vx.add_encodings(vy), &|k| {
                    x[k].to_bits().wrapping_add(y[k].to_bits())
                });
                check(vx.sub_encodings(vy), &|k| {
                    x[k].to_bits().wrapping_sub(y[k].to_bits())
                });
                check(vx.in_order(), &|k| x[k].to_bits());
                inexact += usize::from(a.mul_add(b, z[0]) != a * b + z[0]);
            }
        }
        inexact
    }
}

#[test]
fn one_rounding_in_each_lane() {
    if let Some(cpu) = Avx2::detect() {
        assert!(cpu.enter_fma(Check) > 0, "two roundings differ from one");
    }
}
