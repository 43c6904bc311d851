//! How large limbs become, for all inputs, and what they stand for: the sources of this crate, compiled once more on vectors that
//! hold all integers within bounds.
#![allow(dead_code, unreachable_pub, clippy::needless_range_loop)]

extern crate self as lanner_wasm_curve;

#[path = "../../curve/src/each.rs"]
mod each;
#[path = "../../curve/src/edwards.rs"]
mod edwards;
/// What both crates call so.
mod field {
    pub(crate) use crate::own::*;
    pub use crate::shared::*;
}
#[path = "../../curve/src/limbs.rs"]
mod limbs;
#[path = "../src/field.rs"]
mod own;
#[path = "../src/point.rs"]
mod point;
#[path = "../../curve/src/field.rs"]
mod shared;
#[path = "../../curve/tests/unknown/mod.rs"]
mod unknown;
use unknown::vector;

use core::array::from_fn;
use edwards::IDENTITY;
use point::Work;
use unknown::{Integer, any, assert_values, assert_within, factor, forget, product, signed, word};

/// A first factor is a sum or a difference of four products, and a second one and what is squared are anything: all that words
/// hold.
#[test]
fn products_have_room() {
    let ((a, x), (b, y)) = (any(factor), any(word));
    let mut work = field::Work::NEW;
    let products: [Integer; 4] = from_fn(|i| x[i].times(&y[i]));
    let squares: [Integer; 4] = from_fn(|i| y[i].times(&y[i]));
    let of_two = |values: &[Integer; 4]| from_fn(|i| values[i % 2].clone());
    let mut ab = a;
    field::mul(&mut work, &mut ab, &b);
    assert_within("a product", &ab, product);
    assert_values("a product", &ab, &products);
    let mut ab = a;
    field::mul2(&mut work, &mut ab, &b);
    assert_within("two products", &ab, product);
    assert_values("two products", &ab, &of_two(&products));
    let mut bb = b;
    field::product(&mut work, &mut bb, None, 2);
    assert_within("a square", &bb, product);
    assert_values("a square", &bb, &squares);
    let mut bb = b;
    field::square2(&mut work, &mut bb, 1);
    assert_within("two squares", &bb, product);
    assert_values("two squares", &bb, &of_two(&squares));
    forget();
}

/// The formulas, on points whose coordinates are products or negatives of them, give such points. Summands are second factors.
#[test]
fn formulas_have_room() {
    let p = any(signed).0;
    let mut work = Work::new();
    for q in [any(signed).0, IDENTITY] {
        let mut summand = q;
        point::summand(&mut work, &mut summand, &q);
        assert_within("a summand", &summand, product);
        let mut sum = p;
        point::add(&mut work, &mut sum, &q);
        assert_within("a sum", &sum, product);
    }
    let mut twice = p;
    point::double(&mut work, &mut twice, 1);
    assert_within("twice a point", &twice, product);
    let mut negative = p;
    point::negate(&mut negative);
    assert_within("the negative of a point", &negative, signed);
    assert_within("the neutral element", &IDENTITY, product);
    forget();
}

#[test]
#[should_panic(expected = "has no room")]
fn factors_that_are_too_large_are_seen() {
    let twice = |i| {
        let (low, high) = factor(i);
        (2 * low, 2 * high)
    };
    let mut work = field::Work::NEW;
    field::mul(&mut work, &mut any(twice).0, &any(word).0);
}

#[test]
#[should_panic(expected = "another value in lane 0")]
fn another_value_is_seen() {
    let ((a, x), (b, _)) = (any(factor), any(word));
    let (mut work, mut ab) = (field::Work::NEW, a);
    field::mul(&mut work, &mut ab, &b);
    assert_values("mul", &ab, &from_fn(|i| x[i].times(&x[i])));
}
