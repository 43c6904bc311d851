//! Blocks of assembly against the formulas that they stand for, computed by the portable
//! representation, with operands at the edges of what each block may be given.

use super::blocks::sums;
use super::{Assembly, Ladder, Limbs, WithAdx, WithBmi};
use crate::field::blocks::PointFrame;
use crate::field::formulas::{Line, step};
use crate::field::radix51::Field51;
use crate::field::{Arithmetic, Field, Packed};
use std::vec::Vec;

/// The edges of carried values: around 0, p, 2^255 and the bound.
const CARRIED: [Limbs; 14] = [
    [0, 0, 0, 0],
    [1, 0, 0, 0],
    [18, 0, 0, 0],
    [u64::MAX, 0, 0, 0],
    [0, u64::MAX, u64::MAX, u64::MAX >> 1],
    [u64::MAX - 19, u64::MAX, u64::MAX, u64::MAX >> 1],
    [u64::MAX - 18, u64::MAX, u64::MAX, u64::MAX >> 1],
    [u64::MAX - 17, u64::MAX, u64::MAX, u64::MAX >> 1],
    [u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 1],
    [0, 0, 0, 1 << 63],
    [19, 0, 0, 1 << 63],
    [(1 << 11) - 1, 0, 0, 1 << 63],
    [0, 0, 0, 1 << 62],
    [u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 2],
];

/// Random words (xorshift), among them the edges.
struct Source(u64);

impl Source {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A carried value: an edge three times out of four.
    fn carried(&mut self) -> Limbs {
        match self.word() as usize % 4 {
            0 => [
                self.word(),
                self.word(),
                self.word(),
                self.word() & (u64::MAX >> 1),
            ],
            _ => CARRIED[self.word() as usize % CARRIED.len()],
        }
    }
}

fn is_carried(limbs: &Limbs) -> bool {
    limbs[3] >> 63 == 0 || (limbs[1..3] == [0; 2] && limbs[3] << 1 == 0 && limbs[0] < 1 << 11)
}

fn freeze(limbs: &Limbs) -> [u64; 4] {
    Packed(*limbs).freeze().0
}

fn portable(limbs: &Limbs) -> Field51 {
    Field51::from_packed(&Packed(*limbs))
}

/// How many tuples of operands each block is tried with.
const ROUNDS: usize = 40_000;

fn ladder_steps<A: Assembly>() {
    let mut source = Source(0x1234_5678_9abc_def1);
    for round in 0..ROUNDS {
        let points: [Limbs; 4] = core::array::from_fn(|_| source.carried());
        let difference = source.carried();
        let swap = round as u64 & 1;
        let mut ladder = Ladder::new(points, difference);
        A::ladder_step(&mut ladder, swap);

        let [u2, w2, u3, w3] = points.each_ref().map(portable);
        let (mut p, mut q) = (Line { u: u2, w: w2 }, Line { u: u3, w: w3 });
        if swap == 1 {
            (p, q) = (q, p);
        }
        step(&mut p, &mut q, &portable(&difference));
        let expected: Vec<_> = [p.u, p.w, q.u, q.w]
            .iter()
            .map(|x| x.to_packed().freeze().0)
            .collect();
        let computed = ladder.points();
        assert!(
            computed.iter().all(is_carried),
            "{points:x?} {difference:x?}"
        );
        assert_eq!(
            computed.each_ref().map(freeze)[..],
            expected[..],
            "{points:x?} {difference:x?} {swap}"
        );
    }
}

/// A sum of two values at the edges, by assembly and by the portable representation.
fn check_sum(a: &Limbs, b: &Limbs, sum: fn(&mut PointFrame), negative: bool) {
    let mut frame = PointFrame::new(&[*a, *b, [0; 4], [0; 4]]);
    sum(&mut frame);
    let expected = if negative {
        portable(a).sub(&portable(b))
    } else {
        portable(a).add(&portable(b))
    };
    let expected = Field51::carry(&expected).to_packed().freeze().0;
    assert_eq!(freeze(&frame.0[4]), expected, "{a:x?} {b:x?} {negative}");
}

#[test]
fn sums_at_the_edges() {
    let mut any = CARRIED.to_vec();
    for low in 0..80 {
        any.push([u64::MAX - low, u64::MAX, u64::MAX, u64::MAX]);
        any.push([low, 0, 0, 0]);
    }
    for a in &any {
        for b in &any {
            check_sum(a, b, sums::add_any, false);
            check_sum(a, b, sums::sub_any, true);
            if is_carried(a) && is_carried(b) {
                check_sum(a, b, sums::add, false);
                check_sum(a, b, sums::sub, true);
            }
        }
    }
}

macro_rules! suites {
    ($($name:ident: $assembly:ty, $witness:ty;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn climbs_ladders() {
                if <$witness>::detect().is_some() {
                    ladder_steps::<$assembly>();
                }
            }
        }
    )*};
}

suites! {
    adx: WithAdx, lanner_simd::Adx;
    bmi: WithBmi, lanner_simd::Bmi;
}
