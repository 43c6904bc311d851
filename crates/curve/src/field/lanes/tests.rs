//! Every kind of lanes against big integers, lane by lane, with limbs at the edges of
//! what the representation allows.

use super::super::{BesideNeon, Packed};
use super::double51::Doubles51;
use super::mixed::Mixed;
use super::narrow25::Narrow;
use super::pairs13::Pairs13;
use super::radix25::Lanes25;
use super::radix51::Lanes51;
use super::whole25::Whole;
use super::{Lanes, MAX_LANES, Quads, checked, order};
use crate::field::chains::sqrt_ratio_each;
use lanner_simd::{
    Avx2, Avx512Ifma, Fma, FmaOperation, Ifma, IfmaOperation, Isa, Operation, baseline,
};
use num_bigint::BigUint;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::vec::Vec;

fn p() -> BigUint {
    (BigUint::from(1u8) << 255) - 19u8
}

pub(super) fn class(packed: &Packed) -> BigUint {
    packed
        .0
        .iter()
        .rev()
        .fold(BigUint::ZERO, |sum, word| (sum << 64) + word)
        % p()
}

/// Lanes whose limbs a test can set.
pub(super) trait Limbed: Quads {
    /// For each lane, limbs chosen by `pick` from 0 to the greatest that the
    /// representation allows; and the classes.
    fn carried(pick: impl FnMut(u64) -> u64) -> (Self, Vec<BigUint>);
}

fn classes<L: Lanes>(element: &L) -> Vec<BigUint> {
    element.to_lanes()[..L::LANES].iter().map(class).collect()
}

/// Operations that are not inlined, or every check would be compiled with a copy.
#[inline(never)]
fn mul<L: Lanes>(a: &L, b: &L) -> L {
    L::mul(a, b)
}

#[inline(never)]
fn square<L: Lanes>(a: &L) -> L {
    L::square(a)
}

#[inline(never)]
fn root_of_ratio<L: Lanes>(a: &L, b: &L) -> (u8, L) {
    let [(exists, root)] = sqrt_ratio_each(&[(*a, *b)]);
    // Beside another ratio it is the same.
    let [_, (exists_beside, root_beside)] = sqrt_ratio_each(&[(*b, L::ONE), (*a, *b)]);
    let bits = L::vartime_mask_bits(exists);
    assert_eq!(L::vartime_mask_bits(exists_beside), bits);
    assert_eq!(classes(&root_beside), classes(&root));
    (bits, root)
}

type Element<L> = (L, Vec<BigUint>);

fn map2(x: &[BigUint], y: &[BigUint], f: impl Fn(&BigUint, &BigUint) -> BigUint) -> Vec<BigUint> {
    x.iter().zip(y).map(|(x, y)| f(x, y) % p()).collect()
}

/// Elements come back from rows of words, and in another order of lanes if the rows trade places.
#[inline(never)]
fn check_rows<L: Lanes>(a: &L, b: &L) {
    let (x, y) = (a.to_words(), b.to_words());
    assert_eq!(classes(&L::from_words(&x)), classes(a));
    let mut blocks = [
        L::store_words(&[x[0], x[1], x[2], x[3]]),
        L::store_words(&[x[4], y[0], y[1], y[2]]),
        L::store_words(&[y[3], y[4], y[4], y[4]]),
    ];
    for block in &mut blocks {
        block[..L::LANES].rotate_left(1);
    }
    let [s, t, u] = blocks.map(|block| L::load_words(&block));
    let elements = [
        (L::from_words(&[s[0], s[1], s[2], s[3], t[0]]), classes(a)),
        (L::from_words(&[t[1], t[2], t[3], u[0], u[1]]), classes(b)),
    ];
    for (element, mut expected) in elements {
        expected.rotate_left(1);
        assert_eq!(classes(&element), expected);
    }
}

/// Each lane takes its entry: the first, the second, or none.
fn check_choice<L: Lanes>(values: [[Packed; MAX_LANES]; 2], bits: u8) {
    let [first, second] = values.map(|lanes| lanes[0].freeze());
    let masks = [bits, !bits & 0b1011_0101];
    let chosen = L::choose([&first.0, &second.0], &masks, 1);
    for (lane, value) in chosen.to_lanes()[..L::LANES].iter().enumerate() {
        let expected = match masks.map(|mask| mask >> lane & 1) {
            [1, 0] => first,
            [0, 1] => second,
            _ => Packed::ONE,
        };
        assert_eq!(value.freeze().0, expected.0);
    }
}

fn check<L: Quads>((a, x): &Element<L>, (b, y): &Element<L>, bits: u8) {
    let p = p();
    let bits = bits & u8::MAX >> (MAX_LANES - L::LANES);
    let minus = |x: &BigUint, y: &BigUint| x + &p - y;
    assert_eq!(classes(a), *x);
    assert_eq!(
        classes(&L::from_lanes(&a.to_lanes().map(|lane| lane.0))),
        *x
    );
    check_choice::<L>([a, b].map(|element| element.to_lanes()), bits);

    let (sum, difference) = (a.add(b), a.sub(b));
    let (sums, differences) = (map2(x, y, |x, y| x + y), map2(x, y, minus));
    assert_eq!(classes(&L::carry(&sum)), sums);
    assert_eq!(classes(&L::carry(&difference)), differences);
    assert_eq!(classes(&a.neg()), map2(x, x, |x, _| minus(&p, x)));
    let loose_sum = L::add_loose(&sum, &difference);
    let loose_difference = L::sub_loose(&sum, &difference);
    assert_eq!(classes(&L::carry(&loose_sum)), map2(x, x, |x, _| x + x));
    assert_eq!(
        classes(&L::carry(&loose_difference)),
        map2(y, y, |y, _| y + y)
    );

    assert_eq!(classes(&mul(a, b)), map2(x, y, |x, y| x * y));
    assert_eq!(
        classes(&L::mul(&loose_difference, &loose_sum)),
        map2(x, y, |x, y| x * y * 4u8)
    );
    assert_eq!(
        classes(&L::mul(&sum, &difference)),
        map2(&sums, &differences, |x, y| x * y)
    );
    assert_eq!(
        classes(&L::square(&loose_difference)),
        map2(y, y, |y, _| y * y * 4u8)
    );
    assert_eq!(classes(&square(a)), map2(x, x, |x, _| x * x));
    assert_eq!(
        classes(&L::mul_121666(&sum)),
        map2(&sums, x, |x, _| x * 121_666u32)
    );
    let product = L::mul(a, b);
    assert_eq!(
        classes(&L::carry(&product.sub(&L::square(b)))),
        map2(x, y, |x, y| x * y + &p * &p - y * y)
    );

    check_rows(a, b);

    let mask = L::mask(bits);
    assert_eq!(L::vartime_mask_bits(mask), bits);
    let picked: Vec<_> = (0..L::LANES)
        .map(|i| if bits >> i & 1 == 1 { &y[i] } else { &x[i] }.clone())
        .collect();
    let selected = L::select(a, b, mask);
    assert_eq!(classes(&selected), picked);
    let same = (0..L::LANES).fold(0, |same, i| same | u8::from(picked[i] == x[i]) << i);
    assert_eq!(L::vartime_mask_bits(a.equal(&selected)), same);
    let odd = (0..L::LANES).fold(0, |odd, i| odd | u8::from(x[i].bit(0)) << i);
    assert_eq!(L::vartime_mask_bits(a.is_negative()), odd);

    // A root for the lanes that have one.
    let (exists, root) = root_of_ratio(a, b);
    let roots = classes(&root);
    for i in 0..L::LANES {
        let square = &x[i] * &y[i] % &p;
        let euler = square.modpow(&((&p - 1u8) >> 1), &p);
        let has_root = x[i] == BigUint::ZERO || euler == BigUint::from(1u8);
        if y[i] != BigUint::ZERO {
            assert_eq!(exists >> i & 1 == 1, has_root);
        }
        if exists >> i & 1 == 1 {
            assert_eq!(&roots[i] * &roots[i] * &y[i] % &p, x[i]);
        }
    }
}

/// What the lane's own group has in another lane.
fn permuted<T: Clone>(x: &[T], order: [usize; 4]) -> Vec<T> {
    (0..x.len())
        .map(|i| x[(i & !3) | order[i & 3]].clone())
        .collect()
}

fn check_groups<L: Quads>((a, x): &Element<L>, (b, y): &Element<L>) {
    let p = p();
    const ORDER: i32 = order(3, 0, 0, 2);
    assert_eq!(classes(&a.permute::<ORDER>()), permuted(x, [3, 0, 0, 2]));
    const OTHER: i32 = order(1, 3, 2, 0);
    for (choice, order) in [(0, [3, 0, 0, 2]), (1, [1, 3, 2, 0])] {
        let by = L::order::<ORDER, OTHER>(choice.into());
        assert_eq!(classes(&a.permute_by(by)), permuted(x, order));
    }
    let blended: Vec<_> = (0..L::LANES)
        .map(|i| [x, y][[1, 0, 1, 0][i & 3]][i].clone())
        .collect();
    assert_eq!(classes(&L::blend::<0b0101>(a, b)), blended);
    let wide = L::wide_blend::<0b0101>(a.mul_wide(&L::ONE), b.mul_wide(&L::ONE));
    assert_eq!(classes(&L::narrow(wide)), blended);
    let mixed: Vec<_> = (0..L::LANES)
        .map(|i| if i & 3 == 1 { &x[i] + &p - &y[i] } else { &x[i] + &y[i] } % &p)
        .collect();
    assert_eq!(classes(&a.sum_or_difference::<0b0010>(b)), mixed);

    let product = L::narrow(L::wide_permute::<ORDER>(a.mul_wide(b)));
    let products = permuted(&map2(x, y, |x, y| x * y), [3, 0, 0, 2]);
    assert_eq!(
        classes(&L::mul(&product, &product)),
        map2(&products, &products, |x, y| x * y)
    );

    // Products of which lanes 0 and 1 are squares, or lanes 2 and 3; and such as have a factor 1.
    let b_in = |lanes: usize| -> Vec<_> {
        (0..L::LANES)
            .map(|i| {
                &x[i]
                    * if lanes >> (i & 3) & 1 == 1 {
                        &y[i]
                    } else {
                        &x[i]
                    }
                    % &p
            })
            .collect()
    };
    let (first, second) = (L::blend::<0b1100>(a, b), L::blend::<0b0011>(a, b));
    let first = L::narrow(a.mul_wide_square_half::<0>(&first));
    assert_eq!(classes(&first), b_in(0b1100));
    let second = L::narrow(a.mul_wide_square_half::<1>(&second));
    assert_eq!(classes(&second), b_in(0b0011));
    let factor = L::blend::<0b0101>(b, &L::ONE);
    let odd: Vec<_> = (0..L::LANES)
        .map(|i| if i & 1 == 1 { &x[i] * &y[i] } else { x[i].clone() } % &p)
        .collect();
    assert_eq!(classes(&L::narrow(a.mul_wide_odd_lanes(&factor))), odd);

    let exchanged: Vec<_> = (0..L::LANES)
        .map(|i| x[(i + 4) % L::LANES].clone())
        .collect();
    assert_eq!(classes(&a.swap_groups()), exchanged);

    // As many sums and differences of products as are allowed: two negatives in a lane, one
    // of them doubled, and one product besides.
    let (ab, aa, bb) = (a.mul_wide(b), a.mul_wide(a), b.mul_wide(b));
    let moved = L::wide_permute::<ORDER>(L::wide_neg(L::wide_add::<0b1111>(bb, bb)));
    let sum = L::wide_add::<0b1111>(L::wide_add::<0b1111>(ab, L::wide_neg(aa)), moved);
    let moved = permuted(&map2(y, y, |x, y| x * y), [3, 0, 0, 2]);
    let expected: Vec<_> = (0..L::LANES)
        .map(|i| (&x[i] * &y[i] + &p * &p * 3u8 - &x[i] * &x[i] - &moved[i] * 2u8) % &p)
        .collect();
    assert_eq!(classes(&L::narrow(sum)), expected);
    let partly: Vec<_> = (0..L::LANES)
        .map(|i| {
            (&x[i] * &y[i]
                + if i & 3 == 2 {
                    &x[i] * &x[i]
                } else {
                    BigUint::ZERO
                })
                % &p
        })
        .collect();
    assert_eq!(classes(&L::narrow(L::wide_add::<0b0100>(ab, aa))), partly);
    // Products that cover others.
    let partly = L::wide_add::<0b0101>(a.mul_wide_over::<0b0101>(b), aa);
    let expected_partly: Vec<_> = (0..L::LANES)
        .map(|i| (&x[i] * &y[i] + &x[i] * &x[i] * (1 - (i & 1))) % &p)
        .collect();
    assert_eq!(classes(&L::narrow(partly)), expected_partly);
    let (covering, small) = (b.square_wide_over::<0b1111>(), a.mul_121666_wide());
    assert_eq!(
        classes(&L::narrow(L::wide_sum_or_difference::<0b1111>(
            covering, small
        ))),
        map2(y, x, |y, x| y * y + &p * 121_666u32 - x * 121_666u32)
    );
    assert_eq!(
        classes(&L::narrow(L::wide_add::<0b1111>(covering, covering))),
        map2(y, y, |y, _| y * y * 2u8)
    );
    let difference = L::wide_sum_or_difference::<0b1111>(a.mul_wide_over::<0b1111>(b), bb);
    assert_eq!(
        classes(&L::narrow(difference)),
        map2(x, y, |x, y| x * y + &p * &p - y * y)
    );
    assert_eq!(
        classes(&L::narrow(a.wide_add_121666(covering))),
        map2(y, x, |y, x| y * y + x * 121_666u32)
    );
    let twice = L::wide_sum_or_difference::<0b1111>(a.twice_wide_over::<0b1111>(), ab);
    assert_eq!(
        classes(&L::narrow(twice)),
        map2(x, y, |x, y| x * 2u8 + &p * &p - x * y)
    );
    assert_eq!(classes(&L::carry(&L::to_loose(a))), *x);
    if L::SUMS_ARE_CARRIED {
        let squares = L::wide_add::<0b1111>(covering, covering);
        let squares = L::wide_add::<0b1111>(squares, squares);
        let products = L::wide_add::<0b1111>(ab, ab);
        let difference = L::wide_sum_or_difference::<0b1111>(squares, products);
        assert_eq!(
            classes(&L::narrow(difference)),
            map2(x, y, |x, y| y * y * 4u8 + &p * &p * 2u8 - x * y * 2u8)
        );
    }
    // The greatest difference.
    let difference = L::wide_sum_or_difference::<0b1111>(covering, ab);
    assert_eq!(
        classes(&L::narrow(difference)),
        map2(x, y, |x, y| y * y + &p * &p - x * y)
    );
    let narrow = L::narrow(sum);
    assert_eq!(classes(&narrow), expected);
    // Sums as factors.
    let (first, second) = (
        L::wide_add::<0b1111>(ab, L::wide_neg(aa)),
        L::wide_add::<0b1111>(bb, ab),
    );
    let [first_sums, second_sums] = [
        map2(x, y, |x, y| x * y + &p * &p - x * x),
        map2(x, y, |x, y| y * y + x * y),
    ];
    assert_eq!(
        classes(&L::mul_sums::<2>(first, second)),
        map2(&first_sums, &second_sums, |x, y| x * y)
    );
    assert_eq!(
        classes(&L::mul_sums::<4>(sum, sum)),
        map2(&expected, &expected, |x, y| x * y)
    );
    assert_eq!(
        classes(&L::narrow(a.mul_sum_or_difference::<0b0010>(b, a))),
        map2(&mixed, x, |sum, x| sum * x)
    );
    assert_eq!(
        classes(&L::narrow(a.square_sum(b))),
        map2(x, y, |x, y| (x + y) * (x + y))
    );
    // And what is narrow is a factor again.
    assert_eq!(
        classes(&L::narrow(narrow.mul_wide(&narrow))),
        map2(&expected, &expected, |x, y| x * y)
    );
}

/// Elements with every limb at one end.
fn extremes<L: Limbed>() -> Vec<Element<L>> {
    let mut elements = Vec::new();
    for low in [0u64, 1, 18, 19, 20, 38] {
        elements.push(L::carried(|max| low.min(max)));
        elements.push(L::carried(|max| max - low));
        for step in [2, 3, 7, 11] {
            let mut i = 0;
            elements.push(L::carried(|max| {
                i += 1;
                if i % step == 0 { max - low } else { low }
            }));
        }
    }
    elements
}

fn edges<L: Limbed>() {
    let step = if cfg!(miri) { 13 } else { 1 };
    let elements = extremes::<L>();
    for (i, a) in elements.iter().enumerate().step_by(step) {
        for b in elements.iter().step_by(5 * step) {
            check(a, b, i as u8);
            check_groups(a, b);
            check_groups(b, a);
        }
    }
}

/// How many random elements are tried.
const CASES: u32 = if cfg!(miri) { 2 } else { 300 };

/// So many where every operation is checked: what the limbs may be at most is among the edges.
const CHECKED_CASES: u32 = if cfg!(miri) { 2 } else { 50 };

fn random<L: Limbed>(cases: u32) {
    let words = || proptest::collection::vec(any::<u64>(), 80);
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let test = |(a, b, bits): (Vec<u64>, Vec<u64>, u8)| {
        let element = |words: Vec<u64>| {
            let mut words = words.into_iter();
            L::carried(|max| {
                let word = words.next().unwrap();
                // A quarter of the limbs at the top.
                if word & 3 == 0 {
                    max
                } else {
                    (word >> 2) % max
                }
            })
        };
        let (a, b) = (element(a), element(b));
        check(&a, &b, bits);
        check_groups(&a, &b);
        Ok(())
    };
    let mut runner = TestRunner::new(config);
    let outcome = runner.run(&(words(), words(), any::<u8>()), test);
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// What is tried with each kind of lanes.
#[derive(Clone, Copy)]
enum Suite {
    Edges,
    Random,
}

impl Suite {
    fn run<L: Limbed>(self) {
        match self {
            Self::Edges => edges::<L>(),
            Self::Random => random::<L>(CASES),
        }
    }

    fn run_checked<L: Limbed>(self) {
        match self {
            Self::Edges => edges::<L>(),
            Self::Random => random::<L>(CHECKED_CASES),
        }
    }
}

#[derive(Clone, Copy)]
struct InRadix51(Suite);

impl IfmaOperation for InRadix51 {
    type Output = ();

    fn run<I: Ifma>(self) {
        std::println!("on {}", I::NAME);
        self.0.run::<Lanes51<I::U64x4>>();
        self.0.run::<Lanes51<I::U64x8>>();
    }
}

#[derive(Clone, Copy)]
struct InDouble51(Suite);

impl FmaOperation for InDouble51 {
    type Output = ();

    fn run<I: Fma>(self) {
        std::println!("on {}", I::NAME);
        self.0.run::<Doubles51<I::U64x4>>();
    }
}

#[derive(Clone, Copy)]
struct InRadix25(Suite);

impl Operation for InRadix25 {
    type Output = ();

    fn run<I: Isa>(self) {
        std::println!("on {}", I::NAME);
        self.0.run::<Lanes25<Whole<I::U64x4>>>();
    }
}

#[cfg(any(target_arch = "aarch64", target_family = "wasm", miri))]
struct InWords32(Suite);

#[cfg(any(target_arch = "aarch64", target_family = "wasm", miri))]
impl Operation for InWords32 {
    type Output = ();

    fn run<I: Isa>(self) {
        std::println!("on {}", I::NAME);
        self.0.run::<Lanes25<Narrow<I::U32x4>>>();
        if !cfg!(target_family = "wasm") {
            self.0.run::<Mixed<I::U32x4, BesideNeon>>();
        }
        self.0.run::<Pairs13<I::Pairs>>();
    }
}

/// On every instruction set that the processor has. Its twin in plain Rust is for Miri: natively, all that is
/// inlined from it takes the compiler minutes, and `checked` is in its place.
fn in_radix51(suite: Suite) {
    #[cfg(miri)]
    lanner_simd::portable_ifma(InRadix51(suite));
    if let Some(witness) = Avx512Ifma::detect() {
        witness.enter_ifma(InRadix51(suite));
    }
}

/// The twin is `checked`.
fn in_double51(suite: Suite) {
    if let Some(witness) = Avx2::detect() {
        assert!(witness.rounds_to_nearest());
        witness.enter_fma(InDouble51(suite));
    }
}

fn in_radix25(suite: Suite) {
    #[cfg(miri)]
    lanner_simd::everywhere(InRadix25(suite));
    if lanner_simd::backend::has_baseline() {
        baseline(InRadix25(suite));
    }
    if let Some(witness) = Avx2::detect() {
        witness.enter(InRadix25(suite));
    }
}

macro_rules! suites {
    ($($name:ident: $suite:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn agrees_in_radix51() {
                in_radix51($suite);
            }

            #[test]
            fn agrees_in_double51() {
                in_double51($suite);
            }

            #[test]
            fn agrees_in_radix25() {
                in_radix25($suite);
            }

            /// With NEON, the vectors of WebAssembly, or their twin.
            #[cfg(any(target_arch = "aarch64", target_family = "wasm", miri))]
            #[test]
            fn agrees_in_words32() {
                baseline(InWords32($suite));
            }

            #[test]
            fn nothing_overflows() {
                $suite.run_checked::<Lanes51<checked::Words<4>>>();
                $suite.run_checked::<Lanes51<checked::Words<8>>>();
                $suite.run_checked::<Doubles51<checked::Words<4>>>();
                $suite.run_checked::<Lanes25<Whole<checked::Words<4>>>>();
                $suite.run_checked::<Lanes25<Narrow<checked::Narrow>>>();
                $suite.run_checked::<Mixed<checked::Narrow, BesideNeon>>();
                $suite.run_checked::<Pairs13<checked::Halves>>();
            }
        }
    )*};
}

suites! {
    at_the_edges: Suite::Edges;
    on_random_elements: Suite::Random;
}
