//! Keccak-f\[1600\] (FIPS 202, 3.2 and 3.3), on lanes.

use core::mem;

use lanner_simd::{Bmi, Isa, Operation, U64, portable};

use super::Work;
use crate::vectors::{Four, Kernel, MAX_LANES, Vectors, Widest};

/// The words of a state; word x + 5y is the standard's lane (x, y).
pub(super) const WORDS: usize = 25;

/// The constants of iota, by the shift register of 3.2.5.
static ROUND: [u64; 24] = {
    let mut constants = [0; 24];
    let mut register = 1u8;
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j <= 6 {
            constants[round] |= ((register & 1) as u64) << ((1 << j) - 1);
            // x^8 = x^6 + x^5 + x^4 + 1
            register = register << 1 ^ if register >> 7 == 1 { 0x71 } else { 0 };
            j += 1;
        }
        round += 1;
    }
    constants
};

/// Permutes `N` states; word `i` of state `j` is at `states[i][j]`.
#[inline]
pub(super) fn permute_with<const N: usize>(vectors: Vectors, states: &mut [[u64; N]; WORDS]) {
    let mut first = 0;
    while first < N {
        let rest = N - first;
        if vectors.width(rest) <= rest {
            let states = states.as_flattened_mut();
            first += vectors.run(
                rest,
                Permute {
                    states,
                    stride: N,
                    first,
                },
            );
        } else {
            first += permute_few(vectors, states, first);
        }
    }
}

/// Permutes one state, word by word. Any vectors but the portable one may use the instructions for the
/// words that its processors have, too.
#[inline]
pub(super) fn permute_one_with(vectors: Vectors, state: &mut [u64; WORDS]) {
    if let Vectors::Eight(witness) = vectors {
        return witness.enter(Four(PermuteOne(state)));
    }
    let kernel = Widest(PermuteOne(state));
    match Bmi::detect() {
        Some(witness) if !matches!(vectors, Vectors::Portable) => witness.enter(kernel),
        _ => portable(kernel),
    }
}

/// [`permute_one_with`], with the steps of other work between the rounds where vectors leave the units for words idle.
#[inline]
pub(super) fn permute_one_beside_with<W: Work>(
    vectors: Vectors,
    state: &mut [u64; WORDS],
    work: &mut W,
) {
    match vectors {
        Vectors::Eight(witness) => witness.enter(Beside(state, work)),
        _ => permute_one_with(vectors, state),
    }
}

/// The last states, fewer than the vectors have lanes.
fn permute_few<const N: usize>(
    vectors: Vectors,
    states: &mut [[u64; N]; WORDS],
    first: usize,
) -> usize {
    let rest = N - first;
    let mut wide = Wide([[0; MAX_LANES]; WORDS]);
    for (wide, row) in wide.0.iter_mut().zip(&*states) {
        wide[..rest].copy_from_slice(&row[first..]);
    }
    let kernel = Permute {
        states: wide.0.as_flattened_mut(),
        stride: MAX_LANES,
        first: 0,
    };
    let done = vectors.run(rest, kernel).min(rest);
    for (wide, row) in wide.0.iter().zip(states) {
        row[first..][..done].copy_from_slice(&wide[..done]);
    }
    done
}

/// A copy of states; wiped when dropped.
struct Wide([[u64; MAX_LANES]; WORDS]);

impl Drop for Wide {
    fn drop(&mut self) {
        self.0 = [[0; MAX_LANES]; WORDS];
        zeroize::optimization_barrier(self);
    }
}

/// Permutes the states `first`, `first` + 1, … of `stride` states side by side.
pub(super) struct Permute<'a> {
    pub(super) states: &'a mut [u64],
    pub(super) stride: usize,
    pub(super) first: usize,
}

impl Kernel for Permute<'_> {
    #[inline(always)]
    fn run<V: U64>(self) {
        let Permute {
            states,
            stride,
            first,
        } = self;
        // Unrolled by hand, or the words would go through memory. A row outside is a bug here.
        macro_rules! load {
            ($($i:literal)+) => {
                [$(V::load(&states[$i * stride + first..])),+]
            };
        }
        let a = load!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
        let a = rounds(a, &mut ());
        macro_rules! store {
            ($($i:literal)+) => {$(
                a[$i].store(&mut states[$i * stride + first..]);
            )+};
        }
        store!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
    }
}

/// Permutes one state, in every lane.
struct PermuteOne<'a>(&'a mut [u64; WORDS]);

impl Kernel for PermuteOne<'_> {
    #[inline(always)]
    fn run<V: U64>(self) {
        permute_in_lanes::<V, ()>(self.0, &mut ());
    }
}

/// The same in vectors of four words, beside other work.
struct Beside<'a, W>(&'a mut [u64; WORDS], &'a mut W);

impl<W: Work> Operation for Beside<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        permute_in_lanes::<I::U64x4, W>(self.0, self.1);
    }
}

#[inline(always)]
fn permute_in_lanes<V: U64, W: Work>(state: &mut [u64; WORDS], work: &mut W) {
    macro_rules! load {
        ($($i:literal)+) => { [$(V::splat(state[$i])),+] };
    }
    let a = load!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
    let a = rounds(a, work);
    macro_rules! store {
        ($($i:literal)+) => {$(
            let mut words = [0; MAX_LANES];
            a[$i].store(&mut words);
            state[$i] = words[0];
        )+};
    }
    store!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
}

#[inline(always)]
fn rounds<V: U64, W: Work>(mut a: [V; WORDS], work: &mut W) -> [V; WORDS] {
    // Of this frame, so that it is in registers.
    let mut own = mem::take(work);
    for &constant in &ROUND {
        a = round(&a, V::splat(constant));
        own.step();
    }
    *work = own;
    a
}

/// One round: theta, rho, pi, chi and iota.
#[inline(always)]
fn round<V: U64>(a: &[V; WORDS], constant: V) -> [V; WORDS] {
    macro_rules! column {
        ($x:literal) => {
            a[$x]
                .xor3(a[$x + 5], a[$x + 10])
                .xor3(a[$x + 15], a[$x + 20])
        };
    }
    let c = [column!(0), column!(1), column!(2), column!(3), column!(4)];
    let turned = [
        c[0].rotate_left::<1, 63>(),
        c[1].rotate_left::<1, 63>(),
        c[2].rotate_left::<1, 63>(),
        c[3].rotate_left::<1, 63>(),
        c[4].rotate_left::<1, 63>(),
    ];

    // Lane (x, y) after theta. Without an instruction for three operands, the sum of the two
    // columns is a common expression of five lanes.
    macro_rules! theta {
        ($x:literal, $y:literal) => {
            a[$x + 5 * $y].xor3(c[($x + 4) % 5], turned[($x + 1) % 5])
        };
    }
    // Rho as well.
    macro_rules! rho {
        ($x:literal, $y:literal, $bits:literal) => {
            theta!($x, $y).rotate_left::<$bits, { 64 - $bits }>()
        };
    }
    // Pi: the lanes that it brings to each row.
    let row0 = [
        theta!(0, 0),
        rho!(1, 1, 44),
        rho!(2, 2, 43),
        rho!(3, 3, 21),
        rho!(4, 4, 14),
    ];
    let row1 = [
        rho!(3, 0, 28),
        rho!(4, 1, 20),
        rho!(0, 2, 3),
        rho!(1, 3, 45),
        rho!(2, 4, 61),
    ];
    let row2 = [
        rho!(1, 0, 1),
        rho!(2, 1, 6),
        rho!(3, 2, 25),
        rho!(4, 3, 8),
        rho!(0, 4, 18),
    ];
    let row3 = [
        rho!(4, 0, 27),
        rho!(0, 1, 36),
        rho!(1, 2, 10),
        rho!(2, 3, 15),
        rho!(3, 4, 56),
    ];
    let row4 = [
        rho!(2, 0, 62),
        rho!(3, 1, 55),
        rho!(4, 2, 39),
        rho!(0, 3, 41),
        rho!(1, 4, 2),
    ];

    macro_rules! chi {
        ($row:ident, $x:literal) => {
            $row[$x].chi($row[($x + 1) % 5], $row[($x + 2) % 5])
        };
    }
    [
        chi!(row0, 0).xor(constant),
        chi!(row0, 1),
        chi!(row0, 2),
        chi!(row0, 3),
        chi!(row0, 4),
        chi!(row1, 0),
        chi!(row1, 1),
        chi!(row1, 2),
        chi!(row1, 3),
        chi!(row1, 4),
        chi!(row2, 0),
        chi!(row2, 1),
        chi!(row2, 2),
        chi!(row2, 3),
        chi!(row2, 4),
        chi!(row3, 0),
        chi!(row3, 1),
        chi!(row3, 2),
        chi!(row3, 3),
        chi!(row3, 4),
        chi!(row4, 0),
        chi!(row4, 1),
        chi!(row4, 2),
        chi!(row4, 3),
        chi!(row4, 4),
    ]
}
