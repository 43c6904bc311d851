//! How large limbs become, for all inputs, and what they stand for: the sources of this crate, compiled once more on vectors that
//! hold all integers within bounds.
#![allow(dead_code, unreachable_pub, clippy::needless_range_loop)]

extern crate self as lanner_wasm_curve;

#[path = "../src/chain.rs"]
mod chain;
#[path = "../../curve/src/each.rs"]
mod each;
#[path = "../../curve/src/edwards.rs"]
mod edwards;
/// What both crates call so.
mod field {
    pub(crate) use crate::own::{
        Lanes, add, carry, mul, negate, number, order, quad, square, square_times, to_bytes,
    };
    pub use crate::shared::*;
}
#[path = "../src/linear.rs"]
mod linear;
#[path = "../src/field.rs"]
mod own;
#[path = "../src/point.rs"]
mod point;
#[path = "../src/product.rs"]
mod product;
#[path = "../../curve/src/field.rs"]
mod shared;
#[path = "../../curve/tests/unknown/mod.rs"]
mod unknown;
use unknown::vector;

use core::array::from_fn;
use edwards::IDENTITY;
use unknown::{
    Number, Signed, any, assert_values, assert_within, factor, forget, product, signed, unit, word,
};

/// A first factor is a sum or a difference of four products, and a second one is anything: all that words hold.
#[test]
fn products_have_room() {
    let ((a, x), (b, y)) = (any(factor), any(word));
    let ab = field::mul(&a, &b);
    assert_within("a product", &ab, product);
    assert_values("a product", &ab, &from_fn(|i| x[i].times(&y[i])));
    let bb = field::square(&b);
    assert_within("a square", &bb, product);
    assert_values("a square", &bb, &from_fn(|i| y[i].times(&y[i])));
    forget();
}

/// What is carried, whatever it was, and its value.
#[test]
fn carries_keep_the_value() {
    let (a, x) = any(word);
    let carried = field::carry(&a);
    // 19 times what a limb of 32 bits has above its unit.
    assert_within("what is carried", &carried, |i| {
        let over = if i == 0 { 19 * 64 } else { 64 };
        (-over, unit(i) - 1 + over)
    });
    assert_values("what is carried", &carried, &x);
    forget();
}

/// Squarings word by word: of a product, and so of what they leave themselves.
#[test]
fn squares_in_a_row_have_room() {
    let (a, x) = any(product);
    let squared = chain::square(&from_fn(|i| Signed(a[i % 2 * 5 + i / 2].0[0])));
    let squared = from_fn(|i| {
        let i = if i < 5 { 2 * i } else { 2 * i - 9 };
        vector::Four([
            squared[i].0,
            Number::Known(0),
            Number::Known(0),
            Number::Known(0),
        ])
    });
    assert_within("a square", &squared, product);
    let mut expected: [unknown::Integer; 4] = Default::default();
    expected[0] = x[0].times(&x[0]);
    assert_values("a square", &squared, &expected);
    forget();
}

/// The formulas, on points whose coordinates are products or negatives of them, give such points. Summands are second factors.
#[test]
fn formulas_have_room() {
    let (p, _) = any(signed);
    for q in [any(signed).0, IDENTITY] {
        let summand = point::summand(&q);
        assert_within("a summand", &summand, product);
        assert_within("its opposite", &point::opposite(&summand), signed);
        assert_within("a sum", &point::sum(&p, &q), product);
    }
    assert_within("twice a point", &point::double(&p), product);
    assert_within("the negative of a point", &point::negated(&p), signed);
    assert_within("the neutral element", &IDENTITY, product);
    forget();
}

/// What is multiplied besides: sums and differences of products, of which none has more than four.
#[test]
fn sums_are_factors() {
    let (a, b, c, d) = (any(product).0, any(product).0, any(signed).0, any(signed).0);
    let sum = field::add(&field::add(&a, &b), &field::add(&c, &d));
    assert_within("four products", &sum, factor);
    forget();
}

#[test]
#[should_panic(expected = "has no room")]
fn factors_that_are_too_large_are_seen() {
    let twice = |i| {
        let (low, high) = factor(i);
        (2 * low, 2 * high)
    };
    let _ = field::mul(&any(twice).0, &any(word).0);
}

#[test]
#[should_panic(expected = "another value in lane 0")]
fn another_value_is_seen() {
    let ((a, x), (b, _)) = (any(factor), any(word));
    assert_values("mul", &field::mul(&a, &b), &from_fn(|i| x[i].times(&x[i])));
}

#[test]
#[should_panic(expected = "limb 0 is from")]
fn limbs_beyond_their_bounds_are_seen() {
    assert_within("a factor", &any(factor).0, product);
}
