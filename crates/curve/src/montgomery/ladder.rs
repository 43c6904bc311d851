//! The Montgomery ladder (RFC 7748, section 5; Costello and Smith 2017), in
//! constant time.

#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
mod bounds;

use super::MontgomeryPoint;
use crate::backend::{InLanes, Kind, has_adx};
use crate::field::formulas::{Line, step};
use crate::field::lanes::{Engine, Lanes, MAX_LANES, Quads, order};
use crate::field::{Arithmetic, Field, Packed, chains::invert};
use core::hint::black_box;
use lanner_simd::stack::Overwrite;
use subtle::Choice;

/// The u-coordinate of 2^doublings nP for the bits of n, most significant first; 0 for the
/// point at infinity.
#[inline]
pub(super) fn ladder<F: Field>(
    u: &Packed,
    bits: impl Iterator<Item = Choice>,
    doublings: u32,
) -> Packed {
    let (u, w) = F::ladder(&F::from_packed(u), bits);
    affine(u, w, doublings)
}

/// The u-coordinate of 2^doublings times the point (u : w): half of a step of the ladder each.
#[inline(always)]
fn affine<F: Field>(mut u: F, mut w: F, doublings: u32) -> Packed {
    for _ in 0..doublings {
        let (aa, bb) = (F::square(&u.add(&w)), F::square(&u.sub(&w)));
        let e = aa.sub(&bb);
        u = F::mul(&aa, &bb);
        w = F::mul(&e, &bb.add(&F::mul_121666(&e)));
    }
    F::mul(&u, &invert(&w)).to_packed()
}

/// [`ladder`] in four lanes: (U2, W2, U3, W3) of both points of the ladder side by side
/// (Hisil, Eğrice and Yassı 2020, and Nath and Sarkar 2020, have such ladders).
pub(super) struct Ladder<'u, I> {
    pub(super) u: &'u Packed,
    pub(super) bits: I,
    pub(super) doublings: u32,
}

impl<I: Iterator<Item = Choice>> InLanes for Ladder<'_, I> {
    type Output = Packed;

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        kind.wide || !(kind.fast_field || has_adx())
    }

    #[inline(always)]
    fn run<E: Engine>(self) -> Packed {
        let mut rows = [[0; 4]; MAX_LANES];
        rows[3] = self.u.0;
        // (1, 1, 1, U) and (1, 0, U, 1).
        let u = E::Quad::from_lanes(&rows);
        let difference = E::Quad::blend::<0b1000>(&E::Quad::ONE, &u);
        let state = E::Quad::blend::<0b0010>(&E::Quad::ONE, &E::Quad::ZERO);
        let state = E::Quad::blend::<0b0100>(&state, &u.permute::<{ order(3, 3, 3, 3) }>());
        let mut sums = state
            .permute::<{ order(0, 0, 2, 2) }>()
            .sum_or_difference::<0b1010>(&state.permute::<{ order(1, 1, 3, 3) }>());
        let small = E::Quad::mul_121666(&E::Quad::ONE);
        let mut swapped = Choice::from(0);
        for bit in self.bits {
            sums = step_in_lanes(&sums, swapped ^ bit, &difference, &small);
            swapped = bit;
        }
        let order = E::Quad::order::<{ order(0, 1, 2, 3) }, { order(2, 3, 0, 1) }>(swapped);
        let lanes = sums.permute_by(order).to_lanes();
        let (plus, minus) = (
            E::Field::from_packed(&lanes[0]),
            E::Field::from_packed(&lanes[1]),
        );
        // Twice U and twice W.
        let (u, w) = (plus.add(&minus), plus.sub(&minus));
        affine(E::Field::carry(&u), E::Field::carry(&w), self.doublings)
    }

    #[inline(always)]
    fn overwrite_stack(kind: Kind, with: impl Overwrite) {
        // With AVX-512; other lanes have a deeper frame.
        if kind.wide {
            with.overwrite::<2304>();
        } else {
            with.overwrite::<4800>();
        }
    }
}

/// [`step`] on (A, B, C, D) after exchanging the points if `swap` is set, given (1, 1, 1,
/// difference) and 121666: the sums and differences (A, B, C, D) of the next coordinates
/// (U2, W2, U3, W3), which themselves are never carried.
#[inline(always)]
fn step_in_lanes<Q: Quads>(sums: &Q, swap: Choice, difference: &Q, small: &Q) -> Q {
    let abcd = Q::order::<{ order(0, 1, 2, 3) }, { order(2, 3, 0, 1) }>(swap);
    let abcd = sums.permute_by(abcd);
    let abba = if Q::DEAR_CHOICES {
        abcd.permute::<{ order(0, 1, 1, 0) }>()
    } else {
        let abba = Q::order::<{ order(0, 1, 1, 0) }, { order(2, 3, 3, 2) }>(swap);
        sums.permute_by(abba)
    };
    // (AA, BB, CB, DA).
    let products = abcd.mul_wide_square_half::<0>(&abba);
    // (AA, E, DA + CB, DA - CB), with E = AA - BB.
    let minus = Q::wide_neg(products);
    let left = Q::wide_permute::<{ order(0, 0, 3, 3) }>(products);
    let right = Q::wide_blend::<0b1010>(
        Q::wide_permute::<{ order(1, 1, 2, 2) }>(products),
        Q::wide_permute::<{ order(1, 1, 2, 2) }>(minus),
    );
    let left = Q::narrow(Q::wide_add::<0b1110>(left, right));
    let bb = Q::wide_permute::<{ order(1, 1, 1, 1) }>(products);
    // (BB, 121666, DA + CB, DA - CB).
    let right = Q::blend::<0b0010>(&Q::blend::<0b0001>(&left, &Q::narrow(bb)), small);
    // (AA BB, BB + 121666 E, (DA + CB)^2, (DA - CB)^2).
    let next = Q::narrow(Q::wide_add::<0b0010>(
        left.mul_wide_square_half::<1>(&right),
        bb,
    ));
    // Times (1, E, 1, difference).
    let factor = Q::blend::<0b0010>(difference, &left);
    let products = next.mul_wide_odd_lanes(&factor);
    let minus = Q::wide_neg(products);
    let right = Q::wide_blend::<0b1010>(
        Q::wide_permute::<{ order(1, 1, 3, 3) }>(products),
        Q::wide_permute::<{ order(1, 1, 3, 3) }>(minus),
    );
    let left = Q::wide_permute::<{ order(0, 0, 2, 2) }>(products);
    Q::narrow(Q::wide_add::<0b1111>(left, right))
}

/// Several ladders, one in each lane.
pub(super) struct Ladders<'a> {
    /// The scalars, below 2^255, as little-endian bytes.
    pub(super) scalars: &'a [[u8; 32]],
    pub(super) points: &'a [MontgomeryPoint],
    pub(super) products: &'a mut [MontgomeryPoint],
}

impl InLanes for Ladders<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self) {
        let lanes = E::Many::LANES;
        // Two vectors share an inversion.
        let groups = self.scalars.chunks(2 * lanes);
        let groups = groups.zip(self.points.chunks(2 * lanes));
        for ((scalars, points), products) in groups.zip(self.products.chunks_mut(2 * lanes)) {
            let mut u = [Packed::ZERO; 2 * MAX_LANES];
            let mut w = [Packed::ZERO; 2 * MAX_LANES];
            let vectors = scalars.chunks(lanes).zip(points.chunks(lanes));
            for (i, (scalars, points)) in vectors.enumerate() {
                let mut rows = [[0; 4]; MAX_LANES];
                for (row, point) in rows.iter_mut().zip(points) {
                    *row = Packed::from_bytes(&point.0).0;
                }
                let difference = E::Many::from_lanes(&rows);
                let (us, ws) = if E::Many::LATE_CARRIES {
                    ladder_of_sums(&difference, scalars)
                } else {
                    ladder_in_each(&difference, scalars)
                };
                u[i * lanes..][..lanes].copy_from_slice(&us.to_lanes()[..lanes]);
                w[i * lanes..][..lanes].copy_from_slice(&ws.to_lanes()[..lanes]);
            }
            // One inversion for all (Montgomery's trick), with 1 in the place of a W that
            // is 0, whose U is multiplied by 0 in the end.
            let mut before = [E::Field::ONE; 2 * MAX_LANES];
            let mut product = E::Field::ONE;
            for lane in 0..scalars.len() {
                before[lane] = product;
                product = E::Field::mul(&product, &or_one::<E::Field>(&w[lane]));
            }
            let mut inverse = invert(&product);
            for lane in (0..scalars.len()).rev() {
                let here = E::Field::mul(&inverse, &before[lane]);
                inverse = E::Field::mul(&inverse, &or_one::<E::Field>(&w[lane]));
                let u = E::Field::mul(&E::Field::from_packed(&u[lane]), &here);
                let u = E::Field::select(&u, &E::Field::ZERO, w[lane].is_zero().into());
                products[lane] = MontgomeryPoint(u.to_packed().to_bytes());
            }
        }
    }

    #[inline(always)]
    fn overwrite_stack(kind: Kind, with: impl Overwrite) {
        if kind.wide {
            with.overwrite::<9216>();
        } else if cfg!(target_arch = "aarch64") {
            // Above the frames that the compiler makes, 6480 and below it 1500: no scan looks there.
            with.overwrite::<10240>();
        } else if cfg!(target_pointer_width = "64") {
            with.overwrite::<9984>();
        } else {
            with.overwrite::<10624>();
        }
    }
}

/// The value, or 1 for 0.
#[inline(always)]
fn or_one<F: Field>(value: &Packed) -> F {
    F::select(&F::from_packed(value), &F::ONE, value.is_zero().into())
}

/// [`bits_at`] all 256 places.
#[inline(always)]
fn bits_of_each(scalars: &[[u8; 32]]) -> [u8; 256] {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    let mut bits = [0; 256];
    for (i, places) in bits.chunks_exact_mut(8).enumerate() {
        let mut bytes = [0; 8];
        for (byte, scalar) in bytes.iter_mut().zip(scalars) {
            *byte = scalar[i];
        }
        let bytes = u64::from_le_bytes(bytes);
        for (j, place) in places.iter_mut().enumerate() {
            // Bit 8i of the word goes to bit 56 + i of the product; the other products meet neither that nor each
            // other.
            *place = ((bytes >> j & LOWEST).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
        }
    }
    bits
}

/// The bits at one place of as many scalars as there are lanes or fewer, a bit for each lane.
#[inline(always)]
fn bits_at(scalars: &[[u8; 32]], place: usize) -> u8 {
    let mut bits = 0;
    for (lane, scalar) in scalars.iter().enumerate() {
        bits |= (scalar[place / 8] >> (place % 8) & 1) << lane;
    }
    bits
}

/// U + W and U - W of a point on the projective u-line, which is what a step takes: so the
/// coordinates themselves are never carried.
#[derive(Clone, Copy)]
struct Sums<L> {
    plus: L,
    minus: L,
}

impl<L: Quads> Sums<L> {
    /// From U, which covers W, and W.
    #[inline(always)]
    fn new(u: L::Wide, w: L::Wide) -> Self {
        Self {
            plus: L::narrow(L::wide_sum_or_difference::<0>(u, w)),
            minus: L::narrow(L::wide_sum_or_difference::<0b1111>(u, w)),
        }
    }
}

/// [`step`] with products that are carried only where they are factors, after exchanging the points in the lanes of `swap`.
/// That decides which point is doubled; of the sum it changes a sign, which is squared.
#[inline(always)]
fn step_of_sums<L: Quads>(p: &mut Sums<L>, q: &mut Sums<L>, difference: &L, swap: L::Mask) {
    let plus = L::select(&p.plus, &q.plus, swap);
    let minus = L::select(&p.minus, &q.minus, swap);
    let aa = plus.square_wide_over::<0b1111>();
    let bb = minus.square_wide_over::<0>();
    let e = L::narrow(L::wide_sum_or_difference::<0b1111>(aa, bb));
    let (da, cb) = (
        q.minus.mul_wide_over::<0b1111>(&p.plus),
        q.plus.mul_wide_over::<0>(&p.minus),
    );
    let crossed = Sums::<L>::new(da, cb);
    let uu = L::narrow(aa).mul_wide_over::<0b1111>(&L::narrow(bb));
    let f = L::narrow(e.wide_add_121666(bb));
    *p = Sums::new(uu, e.mul_wide_over::<0>(&f));
    *q = Sums::new(
        crossed.plus.square_wide_over::<0b1111>(),
        L::square(&crossed.minus).mul_wide_over::<0>(difference),
    );
}

/// [`ladder_in_each`] by way of the sums and differences of coordinates.
#[inline(always)]
fn ladder_of_sums<L: Quads>(u: &L, scalars: &[[u8; 32]]) -> (L, L) {
    let mut p = Sums {
        plus: L::ONE,
        minus: L::ONE,
    };
    let mut q = Sums {
        plus: L::carry(&u.add(&L::ONE)),
        minus: L::carry(&u.sub(&L::ONE)),
    };
    let mut swapped = 0;
    for &bits in bits_of_each(scalars)[..255].iter().rev() {
        let mask = L::mask(black_box(swapped ^ bits));
        swapped = bits;
        step_of_sums(&mut p, &mut q, u, mask);
    }
    let mask = L::mask(swapped);
    L::conditional_swap(&mut p.plus, &mut q.plus, mask);
    L::conditional_swap(&mut p.minus, &mut q.minus, mask);
    // Twice U and twice W.
    (
        L::carry(&p.plus.add(&p.minus)),
        L::carry(&p.plus.sub(&p.minus)),
    )
}

/// [`ladder`] in each lane, for as many scalars as there are or fewer: (U, W).
#[inline(always)]
fn ladder_in_each<L: Lanes>(u: &L, scalars: &[[u8; 32]]) -> (L, L) {
    let mut p = Line {
        u: L::ONE,
        w: L::ZERO,
    };
    let mut q = Line { u: *u, w: L::ONE };
    let mut swapped = 0;
    for i in (0..255).rev() {
        let bits = bits_at(scalars, i);
        let mask = L::mask(black_box(swapped ^ bits));
        L::conditional_swap(&mut p.u, &mut q.u, mask);
        L::conditional_swap(&mut p.w, &mut q.w, mask);
        swapped = bits;
        step(&mut p, &mut q, u);
    }
    let mask = L::mask(swapped);
    L::conditional_swap(&mut p.u, &mut q.u, mask);
    L::conditional_swap(&mut p.w, &mut q.w, mask);
    (p.u, p.w)
}
