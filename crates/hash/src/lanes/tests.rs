//! Each kind of lanes against plain words.

use core::array::from_fn;

use super::{Kernel, Lanes, Portable};
use crate::testing::Random;

/// Every operation of the trait on given words.
struct Operations<'a, const M: usize> {
    input: &'a [[u64; M]; 4],
    blocks: &'a [[u8; 128]; M],
    output: &'a mut Output<M>,
}

#[derive(Debug, PartialEq)]
struct Output<const M: usize> {
    words: [[u64; M]; 27],
    blocks: [[u64; M]; 16],
}

impl<const M: usize> Kernel for Operations<'_, M> {
    #[inline(always)]
    fn run<const N: usize, L: Lanes<N>>(self, witness: L::Witness) {
        fn same<const M: usize, const N: usize>(words: [u64; M]) -> [u64; N] {
            from_fn(|i| words[i])
        }
        assert_eq!(M, N);
        let [a, b, c, d] = self.input.map(|words| L::load(witness, &same(words)));
        let mut differences = b.xor(c);
        let results = [
            L::splat(witness, self.input[0][0]),
            a,
            a.add(b),
            a.xor(b),
            a.xor3(b, c),
            a.choose(b, c),
            a.majority(b, c, &mut differences),
            // Twice, as in two rounds: the second takes what the first left.
            d.majority(a, b, &mut differences),
            a.chi(b, c),
            a.shift_right::<6>(),
            a.shift_right::<7>(),
            a.rotate_left::<1, 63>(),
            a.rotate_left::<2, 62>(),
            a.rotate_left::<3, 61>(),
            a.rotate_left::<8, 56>(),
            a.rotate_left::<14, 50>(),
            a.rotate_left::<16, 48>(),
            a.rotate_left::<21, 43>(),
            a.rotate_left::<24, 40>(),
            a.rotate_left::<32, 32>(),
            a.rotate_left::<40, 24>(),
            a.rotate_left::<45, 19>(),
            a.rotate_left::<48, 16>(),
            a.rotate_left::<50, 14>(),
            a.rotate_left::<56, 8>(),
            a.rotate_left::<61, 3>(),
            a.rotate_left::<63, 1>(),
        ];
        for (output, result) in self.output.words.iter_mut().zip(results) {
            let mut words = [0; N];
            result.store(&mut words);
            *output = same(words);
        }
        let blocks: [&[u8; 128]; N] = from_fn(|i| &self.blocks[i]);
        for (output, word) in self
            .output
            .blocks
            .iter_mut()
            .zip(L::load_blocks(witness, &blocks))
        {
            let mut words = [0; N];
            word.store(&mut words);
            *output = same(words);
        }
    }
}

fn expected<const N: usize>(input: &[[u64; N]; 4], blocks: &[[u8; 128]; N]) -> Output<N> {
    let of_lane = |lane: usize| {
        let [a, b, c, d] = input.map(|words| words[lane]);
        let majority = |a, b, c| (a & b) | (a & c) | (b & c);
        let mut words = [0; 27];
        words[..11].copy_from_slice(&[
            input[0][0],
            a,
            a.wrapping_add(b),
            a ^ b,
            a ^ b ^ c,
            (a & b) | (!a & c),
            majority(a, b, c),
            majority(d, a, b),
            a ^ (!b & c),
            a >> 6,
            a >> 7,
        ]);
        let bits = [1, 2, 3, 8, 14, 16, 21, 24, 32, 40, 45, 48, 50, 56, 61, 63];
        for (word, bits) in words[11..].iter_mut().zip(bits) {
            *word = a.rotate_left(bits);
        }
        words
    };
    Output {
        words: from_fn(|i| from_fn(|lane| of_lane(lane)[i])),
        blocks: from_fn(|i| {
            from_fn(|lane| {
                let bytes = &blocks[lane][8 * i..][..8];
                u64::from_be_bytes(bytes.try_into().unwrap())
            })
        }),
    }
}

fn check<const N: usize, L: Lanes<N>>(witness: L::Witness) {
    let mut random = Random::new();
    for _ in 0..if cfg!(miri) { 1 } else { 200 } {
        let input = from_fn(|_| from_fn(|_| random.word()));
        let blocks: [[u8; 128]; N] = from_fn(|_| random.bytes(128).try_into().unwrap());
        let mut output = Output {
            words: [[0; N]; 27],
            blocks: [[0; N]; 16],
        };
        let kernel = Operations {
            input: &input,
            blocks: &blocks,
            output: &mut output,
        };
        L::enter(witness, kernel);
        assert_eq!(output, expected(&input, &blocks), "{input:x?}");
    }
}

#[test]
fn portable_lanes() {
    check::<1, Portable<1>>(());
    check::<2, Portable<2>>(());
    check::<4, Portable<4>>(());
    check::<8, Portable<8>>(());
}

#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(miri)))]
#[test]
fn avx2_lanes() {
    match lanner_simd::Avx2::detect() {
        Some(witness) => check::<4, super::avx2::U64x4>(witness),
        None => std::println!("SKIPPED: this processor has no AVX2"),
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[test]
fn avx512_lanes() {
    match lanner_simd::Avx512Ifma::detect() {
        Some(witness) => {
            check::<4, super::avx512::U64x4>(witness);
            check::<8, super::avx512::U64x8>(witness);
        }
        None => std::println!("SKIPPED: this processor has no AVX-512"),
    }
}

#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    not(miri)
))]
#[test]
fn neon_lanes() {
    check::<2, super::neon::U64x2>(());
}

#[cfg(all(
    target_family = "wasm",
    any(feature = "simd128", target_feature = "simd128")
))]
#[test]
fn simd128_lanes() {
    check::<2, super::simd128::U64x2>(());
}
