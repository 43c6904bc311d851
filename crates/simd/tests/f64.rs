//! Every vector of floating-point values does what one value does, in each lane, to the bit.

use lanner_simd::{F64, Isa, Operation, U64, everywhere};

/// Values whose sums, products, quotients and roots round in every way: few bits, many, near one another.
fn values() -> Vec<f64> {
    let mut values = vec![
        0.0, -0.0, 1.0, -1.0, 0.1, -0.3, 3.0, 1e300, -1e-300, 2.5e-308,
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for i in 0..54_u64 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let exponent = 1023 - 40 + state % 81;
        let fraction = if i % 4 == 0 {
            u64::MAX >> 12
        } else {
            state >> 12
        };
        values.push(f64::from_bits((i & 1) << 63 | exponent << 52 | fraction));
    }
    values
}

fn read<V: F64<Real = f64>>(vector: V) -> Vec<f64> {
    let mut values = vec![7.0; V::LANES];
    vector.store(&mut V::packs_mut(&mut values)[0]);
    values
}

fn bits(values: &[f64]) -> Vec<u64> {
    let of = |x: &f64| if x.is_nan() { 0 } else { x.to_bits() };
    values.iter().map(of).collect()
}

fn arithmetic<V: F64<Real = f64>>() {
    let x = values();
    for by in [1, 5, 9, 32] {
        let y = [&x[by..], &x[..by]].concat();
        assert_eq!(V::packs(&x).len(), x.len() / V::LANES);
        let rows = x.chunks_exact(V::LANES).zip(y.chunks_exact(V::LANES));
        let packs = V::packs(&x).iter().zip(V::packs(&y));
        for ((x, y), (a, b)) in rows.zip(packs) {
            let (a, b) = (V::load(a), V::load(b));
            let check = |result: V, f: &dyn Fn(f64, f64) -> f64, what: &str| {
                let expected: Vec<f64> = x.iter().zip(y).map(|(&x, &y)| f(x, y)).collect();
                assert_eq!(bits(&read(result)), bits(&expected), "{what} {x:?} {y:?}");
            };
            check(a, &|x, _| x, "load");
            check(a + b, &|x, y| x + y, "sum");
            check(a - b, &|x, y| x - y, "difference");
            check(a * b, &|x, y| x * y, "product");
            check(-a, &|x, _| -x, "negation");
            check(a.div(b), &|x, y| x / y, "quotient");
            // The root of a subnormal value is not promised.
            let square = a * a;
            if read(square).iter().all(|x| x.is_normal() || *x == 0.0) {
                check(square.sqrt(), &|x, _| (x * x).sqrt(), "square root");
            }
            // -0 may become 0.
            let near = |x: f64| if x.abs() < 1e9 { x } else { 0.5 };
            let inputs: Vec<f64> = x.iter().map(|&x| near(x)).collect();
            let floors = read(V::load(&V::packs(&inputs)[0]).round_down());
            assert_eq!(floors, inputs.iter().map(|x| x.floor()).collect::<Vec<_>>());
            check(V::splat(x[0]), &|_, _| x[0], "splat");
            let mut words = [0; 8];
            a.to_words().store(&mut words);
            let expected: Vec<u64> = x.iter().map(|x| x.to_bits()).collect();
            assert_eq!(words[..V::LANES], expected);
            check(V::from_words(V::Words::load(&words)), &|x, _| x, "words");
        }
    }
}

fn moves<V: F64<Real = f64>, const D: usize>() {
    let w = V::LANES;
    let run: Vec<f64> = (0..2 * w).map(|i| i as f64).collect();
    let packs = V::packs(&run);
    let (even, odd) = V::unzip::<D>(V::load(&packs[0]), V::load(&packs[1]));
    let part = |part: usize| -> Vec<f64> {
        let own = |i: &usize| {
            if w == 1 {
                *i == part
            } else {
                i / D % 2 == part
            }
        };
        (0..2 * w).filter(own).map(|i| i as f64).collect()
    };
    assert_eq!(read(even), part(0));
    assert_eq!(read(odd), part(1));
    let (a, b) = V::zip::<D>(even, odd);
    assert_eq!([read(a), read(b)].concat(), run);
    let repeated: Vec<f64> = (0..w).map(|i| (i / D) as f64).collect();
    assert_eq!(read(V::load_repeated::<D>(&run)), repeated);
    let turns: Vec<f64> = (0..w).map(|i| (i % 2) as f64).collect();
    assert_eq!(read(V::alternate([run[0], run[1]], 0)), turns);
}

fn all<V: F64<Real = f64>>() {
    arithmetic::<V>();
    moves::<V, 1>();
    if V::LANES > 2 {
        moves::<V, 2>();
    }
}

#[derive(Clone)]
struct Check;

impl Operation for Check {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        println!("{}: {} values", I::NAME, I::F64::LANES);
        all::<I::F64>();
        all::<<I::F64 as F64>::Half>();
    }
}

// (On x86 without SSE2 the hardware rounds otherwise.)
#[cfg(not(all(target_arch = "x86", not(target_feature = "sse2"))))]
#[test]
fn lanes_are_values() {
    everywhere(Check);
}
