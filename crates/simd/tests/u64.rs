//! Every vector of 64-bit words does what one word does, in each lane.

use lanner_simd::{
    Groups, Ifma, IfmaOperation, Isa, Mask, MulAdd52, Operation, Plain, U64, everywhere,
    everywhere_ifma, order, splat,
};

/// Words at the edges of every carry, and some between.
fn words() -> Vec<u64> {
    let mut words = vec![
        0,
        1,
        2,
        63,
        64,
        65,
        127,
        128,
        255,
        256,
        (1 << 31) - 1,
        1 << 31,
        (1 << 32) - 1,
        1 << 32,
        (1 << 32) + 1,
        (1 << 51) - 1,
        (1 << 52) - 1,
        1 << 52,
        (1 << 63) - 1,
        1 << 63,
        u64::MAX - 1,
        u64::MAX,
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..60 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        words.push(state);
    }
    words
}

#[inline(never)]
fn store<V: U64>(vector: V) -> Vec<u64> {
    let mut words = vec![0xaa; V::LANES + 1];
    vector.store(&mut words);
    assert_eq!(words.pop(), Some(0xaa), "a store writes its lanes alone");
    words
}

/// Every row of `LANES` words, with every other of three rotations.
fn for_rows<V: U64>(check: impl Fn(&[u64], &[u64], &[u64], V, V, V)) {
    let words = words();
    let rotated = |by: usize| [&words[by..], &words[..by]].concat();
    for (b, c) in [
        (rotated(1), rotated(7)),
        (rotated(19), rotated(3)),
        (words.clone(), rotated(40)),
    ] {
        for ((x, y), z) in words
            .chunks_exact(V::LANES)
            .zip(b.chunks_exact(V::LANES))
            .zip(c.chunks_exact(V::LANES))
        {
            check(x, y, z, V::load(x), V::load(y), V::load(z));
        }
    }
}

#[inline(never)]
fn map2(x: &[u64], y: &[u64], f: impl Fn(u64, u64) -> u64) -> Vec<u64> {
    x.iter().zip(y).map(|(&x, &y)| f(x, y)).collect()
}

#[inline(never)]
fn map3(x: &[u64], y: &[u64], z: &[u64], f: impl Fn(u64, u64, u64) -> u64) -> Vec<u64> {
    (0..x.len()).map(|i| f(x[i], y[i], z[i])).collect()
}

fn arithmetic<V: U64 + Plain>() {
    const { assert!(V::LANES > 0) }
    let constant = const { splat::<V>(0x0123_4567_89ab_cdef) };
    assert_eq!(store(constant), vec![0x0123_4567_89ab_cdef; V::LANES]);
    for_rows::<V>(|x, y, z, a, b, c| {
        assert_eq!(store(a), x);
        assert_eq!(store(a.add(b)), map2(x, y, u64::wrapping_add));
        assert_eq!(store(a.sub(b)), map2(x, y, u64::wrapping_sub));
        assert_eq!(store(a.and(b)), map2(x, y, |x, y| x & y));
        assert_eq!(store(a.or(b)), map2(x, y, |x, y| x | y));
        assert_eq!(store(a.xor(b)), map2(x, y, |x, y| x ^ y));
        let product = |x: u64, y: u64| u64::from(x as u32) * u64::from(y as u32);
        assert_eq!(store(a.mul_low32(b)), map2(x, y, product));
        let product = |x: u64, y: u64| (i64::from(x as i32) * i64::from(y as i32)) as u64;
        assert_eq!(store(a.mul_low32_signed(b)), map2(x, y, product));
        assert_eq!(store(a.opaque()), x);
        assert_eq!(store(a.xor3(b, c)), map3(x, y, z, |x, y, z| x ^ y ^ z));
        assert_eq!(
            store(a.choose(b, c)),
            map3(x, y, z, |x, y, z| (x & y) | (!x & z))
        );
        assert_eq!(store(a.chi(b, c)), map3(x, y, z, |x, y, z| x ^ (!y & z)));
        let mut differences = b.xor(c);
        let majority = |x, y, z| (x & y) | (x & z) | (y & z);
        assert_eq!(
            store(a.majority(b, c, &mut differences)),
            map3(x, y, z, majority)
        );
        let after = store(differences);
        assert!(after == map2(x, y, |x, y| x ^ y) || after == map2(y, z, |y, z| y ^ z));
        let shifted = |x: u64, by: u64| if by < 64 { x >> by } else { 0 };
        assert_eq!(store(a.shr_each(b)), map2(x, y, shifted));
        let signs = |x: &[u64]| {
            x.iter()
                .map(|&x| (x as i64 >> 63) as u64)
                .collect::<Vec<_>>()
        };
        assert_eq!(store(a.sign()), signs(x));
        for bits in [0, 1, 30, 31, 32, 33, 62, 63] {
            assert_eq!(store(a.shl_by(bits)), map2(x, y, |x, _| x << bits));
            assert_eq!(store(a.shr_by(bits)), map2(x, y, |x, _| x >> bits));
        }
        let tops = x
            .iter()
            .enumerate()
            .map(|(i, x)| ((x >> 63) as u32) << i)
            .sum::<u32>();
        assert_eq!(a.highest_bits(), tops);
        let small = |x: &[u64]| x.iter().map(|x| x >> 1).collect::<Vec<_>>();
        let below = |x, y| if x < y { u64::MAX } else { 0 };
        assert_eq!(
            store(a.shr::<1>().below(b.shr::<1>())),
            map2(&small(x), &small(y), below)
        );
        assert_eq!(store(V::splat(x[0])), vec![x[0]; V::LANES]);
    });
    macro_rules! shifts {
        ($($bits:literal)*) => {$(
            for_rows::<V>(|x, _, _, a, _, _| {
                assert_eq!(store(a.shl::<$bits>()), x.iter().map(|x| x << $bits).collect::<Vec<_>>());
                assert_eq!(store(a.shr::<$bits>()), x.iter().map(|x| x >> $bits).collect::<Vec<_>>());
            });
        )*};
    }
    shifts!(0 1 6 7 12 25 26 32 51 52 63);
    macro_rules! rotations {
        ($($bits:literal $rest:literal)*) => {$(
            for_rows::<V>(|x, _, _, a, _, _| {
                let rotated = x.iter().map(|x| x.rotate_left($bits)).collect::<Vec<_>>();
                assert_eq!(store(a.rotate_left::<$bits, $rest>()), rotated);
            });
        )*};
    }
    rotations!(1 63 8 56 23 41 36 28 56 8 63 1);
    let bytes: Vec<u8> = (1..=64).map(|i| i * 3).collect();
    for i in 0..V::LANES {
        let [word] = *bytes[8 * i..].as_chunks().0.first_chunk().unwrap();
        assert_eq!(store(V::load_le(&bytes))[i], u64::from_le_bytes(word));
        let [word] = *bytes[4 * i..].as_chunks().0.first_chunk().unwrap();
        assert_eq!(
            store(V::load_u32_le(&bytes))[i],
            u64::from(u32::from_le_bytes(word))
        );
    }
    let rows: Vec<[u64; 4]> = (0..8)
        .map(|i| core::array::from_fn(|j| i << 40 | j as u64))
        .collect();
    for (j, column) in V::load_columns(&rows).into_iter().enumerate() {
        let words: Vec<u64> = rows[..V::LANES].iter().map(|row| row[j]).collect();
        assert_eq!(store(column), words);
    }
    let blocks: Vec<[u8; 128]> = (0..8)
        .map(|b| core::array::from_fn(|i| (i as u8) ^ (b << 5)))
        .collect();
    let rows: Vec<&[u8; 128]> = blocks.iter().collect();
    let columns = V::load_blocks_be(&rows[..V::LANES]);
    for (i, column) in columns.into_iter().enumerate() {
        let words: Vec<u64> = rows[..V::LANES]
            .iter()
            .map(|row| u64::from_be_bytes(row.as_chunks().0[i]))
            .collect();
        assert_eq!(store(column), words);
    }
}

fn groups<V: Groups>() {
    const ORDER: i32 = order(2, 0, 3, 1);
    const OTHER: i32 = order(1, 1, 0, 2);
    let permuted = |x: &[u64], order: i32| -> Vec<u64> {
        (0..V::LANES)
            .map(|i| x[(i & 4) | (order >> (2 * (i & 3)) & 3) as usize])
            .collect()
    };
    for_rows::<V>(|x, y, _, a, b, _| {
        assert_eq!(store(a.permute::<ORDER>()), permuted(x, ORDER));
        assert_eq!(store(a.permute::<{ order(0, 1, 2, 3) }>()), x);
        for (bit, order) in [(0, ORDER), (1, OTHER)] {
            let by = V::order::<ORDER, OTHER>(Mask::of_bit(bit));
            assert_eq!(store(a.permute_by(by)), permuted(x, order));
        }
        let swapped: Vec<u64> = (0..V::LANES).map(|i| x[(i + 4) % V::LANES]).collect();
        assert_eq!(store(a.swap_groups()), swapped);
        let blended = |lanes: u8| -> Vec<u64> {
            (0..V::LANES)
                .map(|i| {
                    if lanes >> (i & 3) & 1 == 1 {
                        y[i]
                    } else {
                        x[i]
                    }
                })
                .collect()
        };
        assert_eq!(store(V::blend::<0b0110>(a, b)), blended(0b0110));
        assert_eq!(store(V::blend::<0b1001>(a, b)), blended(0b1001));
        let selected = |bits: u8| -> Vec<u64> {
            (0..V::LANES)
                .map(|i| if bits >> i & 1 == 1 { y[i] } else { x[i] })
                .collect()
        };
        for bits in [0, 1, 0b1010, 0x96, 0xff] {
            assert_eq!(store(V::select(a, b, V::lanes(bits))), selected(bits));
            assert_eq!(
                store(V::select(a, b, V::lanes(bits) | V::lanes(0x33))),
                selected(bits | 0x33)
            );
            assert_eq!(
                store(V::select(a, b, V::lanes(bits) ^ V::lanes(0x33))),
                selected(bits ^ 0x33)
            );
        }
    });
    let words = words();
    let rows: Vec<[u64; 4]> = words.as_chunks().0[..8].to_vec();
    for (j, column) in V::load_transposed(&rows).into_iter().enumerate() {
        let words: Vec<u64> = (0..V::LANES).map(|i| rows[i][j]).collect();
        assert_eq!(store(column), words);
    }
}

fn products<V: MulAdd52>() {
    const LOW: u64 = (1 << 52) - 1;
    for_rows::<V>(|x, y, z, a, b, c| {
        let product = |y, z| u128::from(y & LOW) * u128::from(z & LOW);
        let low = map3(x, y, z, |x, y, z| {
            x.wrapping_add(product(y, z) as u64 & LOW)
        });
        let high = map3(x, y, z, |x, y, z| {
            x.wrapping_add((product(y, z) >> 52) as u64)
        });
        assert_eq!(store(V::mul_add_low(a, b, c)), low);
        assert_eq!(store(V::mul_add_high(a, b, c)), high);
    });
}

#[derive(Clone)]
struct Check;

impl Operation for Check {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        println!("{}: {} words", I::NAME, I::U64::LANES);
        arithmetic::<I::U64>();
        arithmetic::<I::U64x4>();
        groups::<I::U64x4>();
    }
}

#[derive(Clone)]
struct CheckIfma;

impl IfmaOperation for CheckIfma {
    type Output = ();

    #[inline(always)]
    fn run<I: Ifma>(self) {
        arithmetic::<I::U64x8>();
        groups::<I::U64x8>();
        products::<I::U64x4>();
        products::<I::U64x8>();
    }
}

#[test]
fn lanes_are_words() {
    everywhere(Check);
    everywhere_ifma(CheckIfma);
}
