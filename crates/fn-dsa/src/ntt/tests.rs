use super::*;
use crate::params::{LOGN_MAX, LOGN_MIN, N_MAX};
use crate::shake::ShakeStream;
use alloc::vec;
use alloc::vec::Vec;

const QI: i64 = Q as i64;

/// a * b modulo x^n + 1 and q, by the definition.
fn slow_product(a: &[i64], b: &[i64]) -> Vec<i64> {
    let n = a.len();
    let mut product = vec![0; n];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            let sign = if i + j < n { 1 } else { -1 };
            product[(i + j) % n] = (product[(i + j) % n] + sign * x * y).rem_euclid(QI);
        }
    }
    product
}

fn centred(x: i64) -> i16 {
    let x = x.rem_euclid(QI);
    (if x > QI / 2 { x - QI } else { x }) as i16
}

/// Residues: random ones, the largest, alternating extremes, a single one.
fn polynomials(n: usize) -> Vec<Vec<u16>> {
    let mut random = ShakeStream::new(b"polynomials");
    let top = (Q - 1) as u16;
    vec![
        (0..n).map(|_| random.next_u16() % Q as u16).collect(),
        (0..n).map(|_| random.next_u16() % Q as u16).collect(),
        vec![top; n],
        (0..n).map(|i| if i % 2 == 0 { top } else { 0 }).collect(),
        (0..n).map(|i| if i < n / 2 { 0 } else { top }).collect(),
        (0..n).map(|i| u16::from(i == 1)).collect(),
    ]
}

fn wide(poly: &[u16]) -> Vec<i64> {
    poly.iter().map(|&x| i64::from(x)).collect()
}

/// Every operation against the definitions, for one degree.
#[derive(Clone)]
struct Check(u32);

impl Operation for Check {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        check::<I>(self.0);
    }
}

/// A polynomial in a room.
struct InRoom(Room<N_MAX>, usize);

impl InRoom {
    fn of(poly: &[u16]) -> Self {
        let mut room = Self(Room::new(), poly.len());
        room.words().copy_from_slice(poly);
        room
    }

    fn zero(n: usize) -> Self {
        Self(Room::new(), n)
    }

    fn integers(&mut self) -> &mut [i16] {
        &mut self.0.0[..self.1]
    }

    fn words(&mut self) -> &mut [u16] {
        view_mut(self.integers())
    }
}

fn check<I: Isa>(logn: u32) {
    let n = 1 << logn;
    let power = |x: i64, e: usize| (0..e).fold(1, |y, _| y * x % QI);
    let w = power(7, 1024 / n);
    for poly in polynomials(n) {
        let mut room = InRoom::of(&poly);
        let values = room.words();
        ToValues(logn, values).run::<I>();
        // Some slots by Horner's rule.
        for slot in [0, 1, 2 % n, n / 2 - 1, n / 2, n - 1] {
            let reversed = slot.reverse_bits() >> (usize::BITS - logn);
            let root = power(w, 2 * reversed + 1);
            let value = poly
                .iter()
                .rev()
                .fold(0, |sum, &x| (sum * root + i64::from(x)) % QI);
            assert_eq!(i64::from(values[slot]), value, "slot {slot} of {n}");
        }
        ToCoefficients(logn, values).run::<I>();
        assert_eq!(values, poly);
    }
    let polys = polynomials(n);
    let small_sets: Vec<Vec<i16>> = vec![
        polys[0].iter().map(|&x| x as i16 % 2048).collect(),
        (0..n)
            .map(|i| if i % 3 == 0 { -2047 } else { 2047 })
            .collect(),
        vec![-2047; n],
    ];
    for h in &polys {
        let mut room = InRoom::of(h);
        let h_values = room.words();
        ToValues(logn, h_values).run::<I>();
        for (s2, c) in small_sets.iter().zip(&polys) {
            let s2_wide: Vec<i64> = s2.iter().map(|&x| i64::from(x)).collect();
            let expected: Vec<i16> = slow_product(&wide(h), &s2_wide)
                .iter()
                .zip(c)
                .map(|(&x, &c)| centred(i64::from(c) - x))
                .collect();
            let mut room = InRoom::zero(n);
            let s1 = room.integers();
            s1.copy_from_slice(s2);
            let norms = Residue {
                logn,
                c,
                s: s1,
                h_values,
            }
            .run::<I>();
            assert_eq!(s1, expected);
            let both = || s1.iter().chain(s2);
            let squared: i64 = both().map(|&x| i64::from(x).pow(2)).sum();
            assert_eq!(norms.squared, squared as u64);
            assert_eq!(
                norms.largest,
                both().map(|x| x.unsigned_abs()).max().unwrap()
            );
        }
    }
    // f = x + small noise is invertible or not, by chance; f * h = g tells.
    let mut random = ShakeStream::new(b"small");
    let mut seen = [0; 2];
    for round in 0..12 {
        let mut small =
            || -> Vec<i8> { (0..n).map(|_| (random.next_u8() % 15) as i8 - 7).collect() };
        let (mut f, g) = (small(), small());
        if round == 5 {
            f.fill(0);
        }
        if round == 6 {
            f.fill(-127);
        }
        let mut h = vec![0; n];
        let mut rooms = [(); 2].map(|()| InRoom::zero(n));
        let [first, second] = &mut rooms;
        let invertible = PublicKey {
            logn,
            f: &f,
            g: &g,
            h_values: &mut h,
            rooms: (first.integers(), second.integers()),
        }
        .run::<I>();
        let wiped = |room: &mut InRoom| room.integers().iter().all(|&x| x == 0);
        assert!(rooms.iter_mut().all(wiped));
        let f_words: Vec<u16> = f
            .iter()
            .map(|&x| i64::from(x).rem_euclid(QI) as u16)
            .collect();
        let mut room = InRoom::of(&f_words);
        let f_values = room.words();
        ToValues(logn, f_values).run::<I>();
        assert_eq!(invertible, f_values.iter().all(|&x| x != 0));
        let mut room = InRoom::zero(n);
        assert_eq!(
            IsInvertible(logn, &f, room.integers()).run::<I>(),
            invertible
        );
        seen[usize::from(invertible)] += 1;
        if invertible {
            let mut room = InRoom::zero(n);
            let product = room.integers();
            Product {
                logn,
                h_values: &h,
                small: &f,
                product,
            }
            .run::<I>();
            assert!(product.iter().zip(&g).all(|(&x, &y)| x == i16::from(y)));
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

#[test]
fn operations_are_what_they_are_named_for() {
    // As `dispatch` does.
    tables::prepare();
    for logn in LOGN_MIN..LOGN_MIN_LANES {
        lanner_simd::portable(Check(logn));
    }
    for logn in LOGN_MIN_LANES..=LOGN_MAX {
        lanner_simd::everywhere(Check(logn));
    }
}
