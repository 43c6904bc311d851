//! That what must not be is seen.

use super::super::open::Open;
use super::super::radix25::Layout;
use super::super::unknown::{Halves, Lane, Narrow, Number, Pair, Words};
use super::super::whole25::Whole;
use super::kinds::{Documented, any_carried, any_factor, any_wide, assert_carried, assert_factor};
use super::{Double51, Radix51x4, Whole25, assert_values, carried};
use crate::field::Arithmetic;
use crate::field::lanes::Quads;
use lanner_simd::{MulAdd52, MulAddF64, Pairs, U32x4, U64};

/// An integer from 0 to a bound, in every lane.
fn up_to(most: i128) -> Words<4> {
    Words([Lane::of(Number::unknown(0, most)); 4])
}

fn narrow_up_to(most: i128) -> Narrow {
    Narrow([Number::unknown(0, most); 4])
}

/// Halves from a bound below 0 to one above it.
fn halves_of(most: i128) -> Halves {
    let half = Number::unknown(-most, most);
    Halves([Pair::Halves(half, half); 4])
}

fn double_of(most: i128) -> Words<4> {
    Words([Lane::Double(Number::unknown(-most, most), 0); 4])
}

#[test]
#[should_panic(expected = "a sum has no room: 0 to 18446744073709551616")]
fn a_sum_of_64_bits() {
    let x = up_to(1 << 63);
    let _ = x.add(x);
}

#[test]
#[should_panic(expected = "a difference has no room: -1 to 0")]
fn a_difference_below_0() {
    let _ = Words::splat(0).sub(up_to(1));
}

#[test]
#[should_panic(expected = "a factor of 32 bits has no room")]
fn a_factor_of_33_bits() {
    let _ = up_to(1 << 32).mul_low32(Words::splat(1));
}

#[test]
#[should_panic(expected = "a factor of 52 bits has no room")]
fn a_factor_of_53_bits() {
    let one = U64::splat(1);
    let _ = Words::mul_add_high(one, one, up_to(1 << 52));
}

#[test]
#[should_panic(expected = "a shift to the left has no room")]
fn bits_that_a_shift_loses() {
    let _ = up_to(1 << 60).shl::<4>();
}

#[test]
#[should_panic(expected = "a product has no room: 0 to 4294967296")]
fn a_product_of_32_bits() {
    let _ = narrow_up_to(1 << 28).mul(U32x4::splat(16));
}

#[test]
#[should_panic(expected = "a limb has no room")]
fn a_limb_that_is_cut_off() {
    let _ = Narrow::pack(Words([Lane::Bits(1 << 32); 2]), Words([Lane::Bits(0); 2]));
}

#[test]
#[should_panic(expected = "a sum of halves has no room")]
fn a_sum_of_halves() {
    let x = halves_of(1 << 14);
    let _ = x.add_halves(x);
}

#[test]
#[should_panic(expected = "a sum of two products has no room")]
fn products_of_halves() {
    // Of the four least halves only.
    let x = Halves([Pair::Bits(0x8000_8000); 4]);
    let _ = x.dot(x);
}

#[test]
#[should_panic(expected = "a double has no room")]
fn a_rounded_double() {
    let x = double_of(1 << 53);
    let _ = x.add_exact(MulAddF64::sub_exact(x, double_of(1)));
}

#[test]
#[should_panic(expected = "the sum stays near the anchor")]
fn a_sum_beyond_its_binade() {
    // 1.5 * 2^103.
    let anchor = U64::splat((1023 + 103) << 52 | 1 << 51);
    let _ = Words::mul_add_anchor(double_of(1 << 51), double_of((1 << 51) + 1), anchor);
}

/// A square and a product of different limbs are not the same.
#[test]
#[should_panic(expected = "another value in lane 0")]
fn another_value() {
    let ((a, x), (b, _)) = (carried::<Whole25>(), carried::<Whole25>());
    let squares: std::vec::Vec<_> = x.iter().map(|x| x.times(x)).collect();
    assert_values::<Whole25>("a product", &Whole25::mul(&a, &b).open(), &squares);
}

#[test]
#[should_panic(expected = "limb 0 is from")]
fn limbs_beyond_their_bounds() {
    let factor: <Whole25 as Arithmetic>::Loose = any_factor::<Whole25>();
    assert_carried("a factor", &Whole25::closed(factor.open()));
}

#[test]
#[should_panic(expected = "limb 0 is from")]
fn doubles_beyond_their_bounds() {
    let product = any_carried::<Double51>().mul_wide(&any_carried());
    assert_factor::<Double51>(
        "a product",
        &<Double51 as Arithmetic>::Loose::closed(product.open()),
    );
}

/// Each limb of a factor is within its bounds, but two of them are too large together.
#[test]
#[should_panic(expected = "sum 0 is from 0 to 239")]
fn limbs_beyond_what_they_are_together() {
    let limbs = core::array::from_fn(|i| up_to(Whole25::factor(i).1));
    assert_factor::<Whole25>("a factor", &<Whole25 as Arithmetic>::Loose::closed(limbs));
}

/// Seven negatives, where four are allowed.
#[test]
#[should_panic(expected = "has no room")]
fn a_sum_of_too_many_products() {
    let negative = |_| Radix51x4::wide_neg(any_wide::<Radix51x4>(Radix51x4::wide));
    let sum = (0..7).map(negative);
    let _ = sum.reduce(Radix51x4::wide_add::<0b1111>);
}

/// Twice as large as factors are.
#[test]
#[should_panic(expected = "a factor of 32 bits has no room")]
fn factors_that_are_too_large() {
    let limbs = [up_to(1 << 28); 10];
    let _ = <Whole<Words<4>> as Layout>::mul(&limbs, &limbs);
}
