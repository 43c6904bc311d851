//! Products whose carries are not done, and their sums.

use super::super::unknown::{Integer, forget};
use super::kinds::{Documented, any_carried, any_wide, assert_carried};
use super::{assert_is, carried, lanes_of, map2};
use std::vec::Vec;

/// Products whose carries are not done.
pub(super) fn wide_products<Q: Documented>() {
    let ((a, x), (b, y)) = (carried::<Q>(), carried::<Q>());
    let products = map2(&x, &y, Integer::times);
    let squares = map2(&x, &x, Integer::times);
    let multiples = map2(&x, &x, |x, _| x.scaled(121_666));
    macro_rules! is_wide {
        ($($what:literal $wide:expr, $bounds:expr, $expected:expr;)*) => {$(
            let wide = $wide;
            assert_is::<Q>($what, &wide, $bounds, $expected);
            assert_is::<Q>($what, &Q::narrow(wide), Q::carried, $expected);
        )*};
    }
    let twice = map2(&x, &x, Integer::plus);
    // With a cover in some lanes.
    let either = |i| (Q::wide(i).0, Q::covering(i).1);
    is_wide! {
        "mul_wide" a.mul_wide(&b), Q::wide, &products;
        "mul_wide_over" a.mul_wide_over::<0>(&b), Q::wide, &products;
        "mul_wide_over" a.mul_wide_over::<0b1111>(&b), Q::covering, &products;
        "mul_wide_over" a.mul_wide_over::<0b0101>(&b), either, &products;
        "square_wide_over" a.square_wide_over::<0>(), Q::wide, &squares;
        "square_wide_over" a.square_wide_over::<0b1111>(), Q::covering, &squares;
        "square_wide_over" a.square_wide_over::<0b0101>(), either, &squares;
        "twice_wide_over" a.twice_wide_over::<0>(), Q::wide, &twice;
        "twice_wide_over" a.twice_wide_over::<0b1111>(), Q::covering, &twice;
        "mul_121666_wide" a.mul_121666_wide(), Q::wide, &multiples;
    }
    // Factors that are the same in some lanes, or 1 there.
    let first = Q::blend::<0b1100>(&a, &b);
    let expected = lanes_of(0b1100, &products, &squares);
    let second = Q::blend::<0b0011>(&a, &b);
    let expected_second = lanes_of(0b0011, &products, &squares);
    let odd = Q::blend::<0b0101>(&b, &Q::ONE);
    let expected_odd = lanes_of(0b0101, &x, &products);
    is_wide! {
        "mul_wide_square_half" a.mul_wide_square_half::<0>(&first), Q::wide, &expected;
        "mul_wide_square_half" a.mul_wide_square_half::<1>(&second), Q::wide, &expected_second;
        "mul_wide_odd_lanes" a.mul_wide_odd_lanes(&odd), Q::wide, &expected_odd;
    }
    let mixed = lanes_of(
        0b0010,
        &map2(&x, &y, Integer::minus),
        &map2(&x, &y, Integer::plus),
    );
    let of_sum = a.mul_sum_or_difference::<0b0010>(&b, &a);
    assert_is::<Q>(
        "mul_sum_or_difference",
        &of_sum,
        Q::wide,
        &map2(&mixed, &x, Integer::times),
    );
    let sums = map2(&x, &y, Integer::plus);
    let square = a.square_sum(&b);
    assert_is::<Q>(
        "square_sum",
        &square,
        Q::wide,
        &map2(&sums, &sums, Integer::times),
    );
    forget();
}

/// A product, its negative, or that of twice it: as many of them as it counts.
#[derive(Clone, Copy, Debug)]
enum Term {
    Product,
    Negative,
    NegativeOfTwice,
    Covering,
}

impl Term {
    fn count(self) -> usize {
        match self {
            Self::Product | Self::Negative => 1,
            Self::NegativeOfTwice | Self::Covering => 2,
        }
    }

    fn wide<Q: Documented>(self) -> Q::Wide {
        let product = || any_wide::<Q>(Q::wide);
        match self {
            Self::Product => product(),
            Self::Negative => Q::wide_neg(product()),
            Self::NegativeOfTwice => Q::wide_neg(Q::wide_add::<0b1111>(product(), product())),
            Self::Covering => any_wide::<Q>(Q::covering),
        }
    }
}

/// All sums of terms that count as many as that, in every order.
fn sums_of(terms: &[Term], count: usize) -> Vec<Vec<Term>> {
    let mut all = Vec::new();
    for &term in terms {
        if term.count() == count {
            all.push([term].to_vec());
        }
        if term.count() < count {
            for mut rest in sums_of(terms, count - term.count()) {
                rest.push(term);
                all.push(rest);
            }
        }
    }
    all
}

fn sum<Q: Documented>(terms: &[Term]) -> Q::Wide {
    let wide = |term: &Term| term.wide::<Q>();
    let sum = terms
        .iter()
        .map(wide)
        .reduce(|a, b| Q::wide_add::<0b1111>(a, b));
    sum.expect("there is a term")
}

const SIGNED: [Term; 4] = [
    Term::Product,
    Term::Negative,
    Term::NegativeOfTwice,
    Term::Covering,
];

/// What products come to together.
pub(super) fn wide_sums<Q: Documented>() {
    for terms in sums_of(&SIGNED, 4) {
        assert_carried("a sum of products", &Q::narrow(sum::<Q>(&terms)));
        forget();
    }
    // Differences with what is covered, and the same in some lanes alone.
    for plus in sums_of(&[Term::Covering], 2) {
        for minus in sums_of(&[Term::Product], 1) {
            let (plus, minus) = (sum::<Q>(&plus), sum::<Q>(&minus));
            let difference = Q::wide_sum_or_difference::<0b1111>(plus, minus);
            assert_carried("a difference", &Q::narrow(difference));
            let mixed = Q::wide_sum_or_difference::<0b0010>(plus, minus);
            assert_carried("a sum or a difference", &Q::narrow(mixed));
            let small = any_carried::<Q>();
            assert_carried("121666 times more", &Q::narrow(small.wide_add_121666(plus)));
            forget();
        }
    }
    // As factors.
    for terms in sums_of(&SIGNED[..3], 2) {
        for others in sums_of(&SIGNED[..3], 2) {
            let product = Q::mul_sums::<2>(sum::<Q>(&terms), sum::<Q>(&others));
            assert_carried("a product of sums", &product);
            forget();
        }
    }
    for terms in sums_of(&SIGNED[..3], 4) {
        for others in [[Term::Negative; 4], [Term::Product; 4]] {
            let (terms, others) = (sum::<Q>(&terms), sum::<Q>(&others));
            assert_carried("a product of sums", &Q::mul_sums::<4>(terms, others));
            assert_carried("a product of sums", &Q::mul_sums::<4>(others, terms));
            forget();
        }
    }
    if Q::SUMS_ARE_CARRIED {
        for terms in sums_of(&[Term::Product, Term::Covering], 8) {
            assert_carried("a sum of eight products", &Q::narrow(sum::<Q>(&terms)));
            forget();
        }
        for count in 1..=4 {
            let plus = sum::<Q>(&[Term::Covering].repeat(count));
            let minus = sum::<Q>(&[Term::Product].repeat(count));
            let difference = Q::wide_sum_or_difference::<0b1111>(plus, minus);
            assert_carried("a difference of sums", &Q::narrow(difference));
            forget();
        }
    }
}

/// The values of sums, one of each kind.
pub(super) fn values_of_sums<Q: Documented>() {
    let ((a, x), (b, y)) = (carried::<Q>(), carried::<Q>());
    let (ab, aa, bb) = (a.mul_wide(&b), a.mul_wide(&a), b.mul_wide(&b));
    let xy = map2(&x, &y, Integer::times);
    let xx = map2(&x, &x, Integer::times);
    let yy = map2(&y, &y, Integer::times);
    let negative = Q::wide_neg(Q::wide_add::<0b1111>(bb, bb));
    let sum = Q::wide_add::<0b1111>(Q::wide_add::<0b1111>(ab, Q::wide_neg(aa)), negative);
    let expected = map2(&map2(&xy, &xx, Integer::minus), &yy, |x, yy| {
        x.minus(&yy.scaled(2))
    });
    assert_is::<Q>("a sum", &Q::narrow(sum), Q::carried, &expected);
    let covering = b.square_wide_over::<0b1111>();
    let mixed = Q::wide_sum_or_difference::<0b0010>(covering, ab);
    let differences = map2(&yy, &xy, Integer::minus);
    let expected = lanes_of(0b0010, &differences, &map2(&yy, &xy, Integer::plus));
    assert_is::<Q>(
        "a sum or a difference",
        &Q::narrow(mixed),
        Q::carried,
        &expected,
    );
    let difference = Q::wide_sum_or_difference::<0b1111>(covering, ab);
    assert_is::<Q>(
        "a difference",
        &Q::narrow(difference),
        Q::carried,
        &differences,
    );
    let more = a.wide_add_121666(covering);
    let expected = map2(&yy, &x, |yy, x| yy.plus(&x.scaled(121_666)));
    assert_is::<Q>("121666 times more", &Q::narrow(more), Q::carried, &expected);
    let product = Q::mul_sums::<2>(Q::wide_add::<0b1111>(ab, Q::wide_neg(aa)), covering);
    assert_carried("a product of sums", &product);
    forget();
}
