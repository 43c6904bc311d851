//! Every vector of 32-bit words and of signed 64-bit words does what one word does, in each lane.

use lanner_simd::{
    Each, I16, I64, Ifma, IfmaOperation, Isa, Operation, Rows, U32, difference_of_halves,
    everywhere, everywhere_ifma,
};

/// Words of every length and near powers of two.
fn words() -> Vec<u64> {
    let mut words: Vec<u64> = (0..64)
        .flat_map(|i| [1_u64 << i, (1 << i) - 1, 0_u64.wrapping_sub(1 << i)])
        .collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for i in 0..192 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        words.push(state >> (i % 64));
    }
    words
}

/// The permutations are the same for both kinds of lane.
macro_rules! moves {
    ($vector:ident, $word:ty, $read:ident) => {
        let w = $vector::LANES;
        let run: Vec<$word> = (0..2 * w as $word).collect();
        let (a, b) = ($vector::load(&run), $vector::load(&run[w..]));
        let mut t = 1;
        while t == 1 || t < w {
            let (first, second) = $vector::unzip(a, b, t);
            let half = |half: usize| -> Vec<$word> {
                let own = |i: &usize| {
                    if w == 1 {
                        *i == half
                    } else {
                        i / t % 2 == half
                    }
                };
                (0..2 * w).filter(own).map(|i| i as $word).collect()
            };
            assert_eq!($read(first), half(0));
            assert_eq!($read(second), half(1));
            let (c, d) = $vector::zip(first, second, t);
            assert_eq!([$read(c), $read(d)].concat(), run);
            let spread: Vec<$word> = (0..w).map(|i| (i / t) as $word).collect();
            assert_eq!($read($vector::spread(&run, t)), spread);
            t *= 2;
        }
    };
}

fn unsigned<V: U32>() {
    let read = |vector: V| {
        let mut words = vec![0xaa; V::LANES + 1];
        vector.store(&mut words);
        assert_eq!(words.pop(), Some(0xaa), "a store writes its lanes alone");
        words
    };
    let x: Vec<u32> = words().iter().map(|&x| x as u32).collect();
    for p in [3, 12289, (1 << 30) + 1, 2_147_473_409, (1 << 31) - 1] {
        let mut inverse = 1_u32;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2_u32.wrapping_sub(inverse.wrapping_mul(p)));
        }
        let (modulus, inverse_lanes) = (V::splat(p), V::splat(inverse));
        for by in [1, 7, 100] {
            let y = [&x[by..], &x[..by]].concat();
            for (x, y) in x.chunks_exact(V::LANES).zip(y.chunks_exact(V::LANES)) {
                let check = |vector: V, f: &dyn Fn(u32, u32) -> u32, what: &str| {
                    let expected: Vec<u32> = x.iter().zip(y).map(|(&x, &y)| f(x, y)).collect();
                    assert_eq!(read(vector), expected, "{what} {x:?} {y:?} {p}");
                };
                let of =
                    |f: &dyn Fn(u32) -> u32| V::load(&x.iter().map(|&x| f(x)).collect::<Vec<_>>());
                let (a, b) = (V::load(x), V::load(y));
                check(a, &|x, _| x, "load");
                check(V::splat(x[0]), &|_, _| x[0], "splat");
                check(a.add(b), &u32::wrapping_add, "sum");
                check(a.sub(b), &u32::wrapping_sub, "difference");
                // Each in its range, whose ends are among the words.
                let twice = |x: u32| (u64::from(x) % (2 * u64::from(p))) as u32;
                let once = |x: u32| if twice(x) < p { twice(x) } else { twice(x) - p };
                check(of(&twice).subtract_once(modulus), &|x, _| once(x), "once");
                let below = |x: u32, y: u32| (x % p).wrapping_sub(y % p);
                let differences: Vec<u32> = x.iter().zip(y).map(|(&x, &y)| below(x, y)).collect();
                let residue = |x, y| {
                    if x % p < y % p {
                        below(x, y).wrapping_add(p)
                    } else {
                        below(x, y)
                    }
                };
                check(
                    V::load(&differences).add_to_negative(modulus),
                    &residue,
                    "residue",
                );
                let centred = |x: u32| {
                    if x % p > p / 2 {
                        (x % p).wrapping_sub(p)
                    } else {
                        x % p
                    }
                };
                let upper = of(&|x| x % p).subtract_from_upper_half(modulus);
                check(upper, &|x, _| centred(x), "centred");
                let halves = |x: u32, y: u32| difference_of_halves(x, y % p, p, inverse);
                let reduced = V::load(&y.iter().map(|y| y % p).collect::<Vec<_>>());
                check(
                    a.difference_of_halves(reduced, modulus, inverse_lanes),
                    &halves,
                    "halves",
                );
                for (&x, &y) in x.iter().zip(y) {
                    let product = i128::from(x) * i128::from(y % p);
                    let result = i128::from(halves(x, y) as i32);
                    let p = i128::from(p);
                    // (Beyond 2^31 it is not signed; it still is the residue or that minus p, modulo 2^32.)
                    let residue = |r: i128| ((r << 32) - product) % p == 0;
                    assert!(
                        residue(result) || residue(result + (1 << 32)),
                        "{x} {y} {p}"
                    );
                }
            }
        }
    }
    moves!(V, u32, read);
}

fn signed<V: I64>() {
    let read = |vector: V| {
        let mut words = vec![0xaa; V::LANES + 1];
        vector.store(&mut words);
        assert_eq!(words.pop(), Some(0xaa), "a store writes its lanes alone");
        words
    };
    let x: Vec<i64> = words().iter().map(|&x| x as i64).collect();
    for by in [1, 7, 100, 191] {
        let y = [&x[by..], &x[..by]].concat();
        for (x, y) in x.chunks_exact(V::LANES).zip(y.chunks_exact(V::LANES)) {
            let check = |vector: V, f: &dyn Fn(i64, i64) -> i64, what: &str| {
                let expected: Vec<i64> = x.iter().zip(y).map(|(&x, &y)| f(x, y)).collect();
                assert_eq!(read(vector), expected, "{what} {x:?} {y:?}");
            };
            let (a, b) = (V::load(x), V::load(y));
            check(a, &|x, _| x, "load");
            check(V::splat(x[0]), &|_, _| x[0], "splat");
            check(a.add(b), &i64::wrapping_add, "sum");
            check(a.sub(b), &i64::wrapping_sub, "difference");
            check(a.or(b), &|x, y| x | y, "or");
            check(a.xor(b), &|x, y| x ^ y, "xor");
            let product = |x: i64, y: i64| ((i128::from(x) * i128::from(y)) >> 32) as i64;
            check(a.mul_fixed32(b), &product, "product");
            check(a.half_up(), &|x, _| x.wrapping_add(1) >> 1, "half");
            for bits in [0, 1, 31, 63] {
                check(a.shl_by(bits), &|x, _| x << bits, "shift by a number");
            }
            check(a.shl::<33>(), &|x, _| x << 33, "left");
            check(a.shr::<31>(), &|x, _| (x as u64 >> 31) as i64, "right");
            check(a.shr::<63>(), &|x, _| (x as u64 >> 63) as i64, "right");
            check(a.sign(), &|x, _| x >> 63, "sign");
            let chosen = |x: i64, y: i64| if x < 0 { y } else { x };
            check(a.choose_by_sign(b, a), &chosen, "choice");
        }
    }
    moves!(V, i64, read);
}

#[derive(Clone)]
struct Check;

impl Operation for Check {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        println!("{}: {} and {}", I::NAME, I::U32::LANES, I::I64::LANES);
        unsigned::<I::U32>();
        signed::<I::I64>();
    }
}

#[test]
fn lanes_are_integers() {
    everywhere(Check);
}

/// Fields of 14 bits are unpacked as bit by bit, and not one beyond.
fn fields<V: I16>() {
    let bytes: Vec<u8> = words().iter().flat_map(|word| word.to_le_bytes()).collect();
    let fields_of = |from_top: bool| -> Vec<u16> {
        let bits: Vec<u16> = bytes
            .iter()
            .flat_map(|&byte| {
                (0..8).map(move |i| u16::from(byte >> if from_top { 7 - i } else { i } & 1))
            })
            .collect();
        bits.chunks_exact(14)
            .map(|bits| {
                let place = |i: usize| if from_top { 13 - i } else { i };
                bits.iter()
                    .enumerate()
                    .map(|(i, bit)| bit << place(i))
                    .sum()
            })
            .collect()
    };
    for from_top in [false, true] {
        let expected = fields_of(from_top);
        for length in (0..300).chain([bytes.len()]) {
            for count in [0, 15, 16, 17, 64, expected.len()] {
                let mut fields = vec![0xaaaa; count];
                let done = V::unpack_14(&bytes[..length], from_top, &mut fields);
                assert!(done <= count && 14 * done <= 8 * length);
                assert_eq!(fields[..done], expected[..done]);
                assert!(fields[done..].iter().all(|&field| field == 0xaaaa));
            }
        }
        if V::LANES == 16 {
            let mut fields = [0; 512];
            assert!(V::unpack_14(&bytes[..896], from_top, &mut fields) >= 480);
        }
    }
}

#[derive(Clone)]
struct CheckFields;

impl Operation for CheckFields {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        fields::<I::I16>();
    }
}

#[test]
fn fields_of_14_bits() {
    everywhere(CheckFields);
}

/// Shifts by counts of their own, and zeros counted.
fn each<V: Each>() {
    let counts = (0..66).chain([127, 128, 1 << 32, u64::MAX, u64::MAX - 63]);
    for (i, count) in counts.enumerate() {
        for word in words() {
            // Another count beside it.
            let counts: Vec<u64> = (0..V::LANES)
                .map(|lane| if lane % 8 == i % 8 { count } else { 3 })
                .collect();
            let mut shifted = vec![0; V::LANES];
            V::splat(word)
                .shl_each(V::load(&counts))
                .store(&mut shifted);
            let expected: Vec<u64> = counts
                .iter()
                .map(|&count| if count < 64 { word << count } else { 0 })
                .collect();
            assert_eq!(shifted, expected);
            V::splat(word).leading_zeros().store(&mut shifted);
            assert!(
                shifted
                    .iter()
                    .all(|&zeros| zeros == u64::from(word.leading_zeros()))
            );
        }
    }
}

/// Every pattern of words below the limit and not.
fn compaction<V: Rows>() {
    for limit in [1, 0x7fff, 0x8000, 61445, u16::MAX] {
        for pattern in 0..=u16::MAX {
            let words: [u16; 16] = std::array::from_fn(|i| {
                let i = i as u16;
                if pattern >> i & 1 == 1 {
                    (limit - 1).saturating_sub(i)
                } else {
                    limit.saturating_add(i)
                }
            });
            let below: Vec<u16> = words.into_iter().filter(|&word| word < limit).collect();
            let mut to = [0; 16];
            let count = V::compact_below(&words, limit, &mut to);
            assert_eq!(to[..count], below);
        }
    }
}

/// Rows of words do what their words do.
fn rows<V: Rows>() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u32
    };
    let read = |row: V| -> [u32; 16] {
        let mut bytes = [0; 64];
        row.store_le(&mut bytes);
        core::array::from_fn(|i| u32::from_le_bytes(bytes.as_chunks().0[i]))
    };
    for _ in 0..100 {
        let words: [[u32; 16]; 4] = core::array::from_fn(|_| core::array::from_fn(|_| next()));
        let [a, b] = [0, 1].map(|i| V::new(words[i]));
        let each = |f: fn(u32, u32) -> u32| -> [u32; 16] {
            core::array::from_fn(|i| f(words[0][i], words[1][i]))
        };
        assert_eq!(read(a), words[0]);
        assert_eq!(read(a.add(b)), each(u32::wrapping_add));
        assert_eq!(read(a.xor(b)), each(|x, y| x ^ y));
        assert_eq!(read(a.rotate_left::<7>()), each(|x, _| x.rotate_left(7)));
        assert_eq!(read(a.rotate_left::<16>()), each(|x, _| x.rotate_left(16)));
        // Word i takes word (2, 0, 3, 1).
        let from = [2, 0, 3, 1];
        let permuted: [u32; 16] = core::array::from_fn(|i| words[0][i / 4 * 4 + from[i % 4]]);
        assert_eq!(read(a.permute::<0b01_11_00_10>()), permuted);
        let row: [u32; 4] = core::array::from_fn(|i| words[2][i]);
        let spread: [u32; 16] = core::array::from_fn(|i| row[i % 4]);
        assert_eq!(read(V::spread(row)), spread);
        let transposed = V::transpose(words.map(V::new));
        for (g, result) in transposed.into_iter().enumerate() {
            let expected: [u32; 16] = core::array::from_fn(|i| words[i / 4][4 * g + i % 4]);
            assert_eq!(read(result), expected);
        }
    }
}

#[derive(Clone)]
struct CheckRows;

impl IfmaOperation for CheckRows {
    type Output = ();

    #[inline(always)]
    fn run<I: Ifma>(self) {
        rows::<I::Rows>();
        compaction::<I::Rows>();
        each::<I::U64x8>();
    }
}

#[test]
fn rows_are_words() {
    everywhere_ifma(CheckRows);
}
