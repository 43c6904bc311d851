//! Four lanes as two vectors of two: 128-bit registers.

use super::{MAX_LANES, Mul32, Part32, Vector, radix25};
use core::borrow::Borrow;
use core::hint::black_box;
use core::ops::{BitOr, BitXor};
use lanner_simd::Task;
use subtle::Choice;

/// Two lanes.
pub(crate) trait Half: Part32 {
    const CONSTANTS: radix25::Constants<Pair<Self>>;

    fn new(words: [u64; 2]) -> Self;
    fn words(self) -> [u64; 2];
    fn or(self, rhs: Self) -> Self;
    fn xor(self, rhs: Self) -> Self;
    /// Lane i of a, and then lane j of b.
    fn pick(a: Self, i: usize, b: Self, j: usize) -> Self;

    /// As [`Mul32::outline`].
    fn outline<T: Task>(task: T) -> T::Output;
}

/// Lanes 0 and 1, and lanes 2 and 3.
#[derive(Clone, Copy)]
pub(crate) struct Pair<H>(pub(super) [H; 2]);

/// All ones or all zeros in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Mask<H>([H; 2]);

impl<H: Half> BitOr for Mask<H> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, rhs: Self) -> Self {
        Self([self.0[0].or(rhs.0[0]), self.0[1].or(rhs.0[1])])
    }
}

impl<H: Half> BitXor for Mask<H> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, rhs: Self) -> Self {
        Self([self.0[0].xor(rhs.0[0]), self.0[1].xor(rhs.0[1])])
    }
}

/// The first order, or the second where the mask is set.
#[derive(Clone, Copy)]
pub(crate) struct Order<H>(i32, i32, Mask<H>);

impl<H: Half> Pair<H> {
    /// The order is public.
    #[inline(always)]
    fn permute_by_public(self, order: i32) -> Self {
        let from = |lane: i32| (order >> (2 * lane) & 3) as usize;
        let (a, b, c, d) = (from(0), from(1), from(2), from(3));
        Self([
            H::pick(self.0[a >> 1], a & 1, self.0[b >> 1], b & 1),
            H::pick(self.0[c >> 1], c & 1, self.0[d >> 1], d & 1),
        ])
    }
}

impl<H: Half> Vector for Pair<H> {
    const LANES: usize = 4;
    type Mask = Mask<H>;
    type Order = Order<H>;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self([H::splat(word); 2])
    }

    #[inline(always)]
    fn load(words: &[u64; MAX_LANES]) -> Self {
        Self([H::new([words[0], words[1]]), H::new([words[2], words[3]])])
    }

    #[inline(always)]
    fn store(self) -> [u64; MAX_LANES] {
        let ([a, b], [c, d]) = (self.0[0].words(), self.0[1].words());
        [a, b, c, d, 0, 0, 0, 0]
    }

    #[inline(always)]
    fn load_transposed(rows: &[[u64; 4]; MAX_LANES]) -> [Self; 4] {
        // Words 0 and 1 of a row, and words 2 and 3.
        let row = |i: usize| {
            let [a, b, c, d] = rows[i];
            [H::new([a, b]), H::new([c, d])]
        };
        let (first, second, third, fourth) = (row(0), row(1), row(2), row(3));
        let word = |i: usize| {
            let (half, lane) = (i >> 1, i & 1);
            Self([
                H::pick(first[half], lane, second[half], lane),
                H::pick(third[half], lane, fourth[half], lane),
            ])
        };
        [word(0), word(1), word(2), word(3)]
    }

    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        Self([self.0[0].add(rhs.0[0]), self.0[1].add(rhs.0[1])])
    }

    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        Self([self.0[0].sub(rhs.0[0]), self.0[1].sub(rhs.0[1])])
    }

    #[inline(always)]
    fn and(self, rhs: Self) -> Self {
        Self([self.0[0].and(rhs.0[0]), self.0[1].and(rhs.0[1])])
    }

    #[inline(always)]
    fn or(self, rhs: Self) -> Self {
        Self([self.0[0].or(rhs.0[0]), self.0[1].or(rhs.0[1])])
    }

    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        Self([self.0[0].shl::<N>(), self.0[1].shl::<N>()])
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        Self([self.0[0].shr::<N>(), self.0[1].shr::<N>()])
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(self) -> Self {
        self.permute_by_public(ORDER)
    }

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> Order<H> {
        let word = u64::from(black_box(choice.unwrap_u8())).wrapping_neg();
        Order(A, B, Mask([H::splat(word); 2]))
    }

    #[inline(always)]
    fn permute_by(self, order: Order<H>) -> Self {
        let Order(a, b, mask) = order;
        Self::select(self.permute_by_public(a), self.permute_by_public(b), mask)
    }

    #[inline(always)]
    fn swap_groups(self) -> Self {
        self
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        let from = |lane: usize| [a, b][usize::from(LANES >> lane & 1)].0[lane >> 1];
        Self([
            H::pick(from(0), 0, from(1), 1),
            H::pick(from(2), 0, from(3), 1),
        ])
    }

    #[inline(always)]
    fn mask(bits: u8) -> Mask<H> {
        let bits = u64::from(black_box(bits));
        let word = |lane: u32| (bits >> lane & 1).wrapping_neg();
        Mask([H::new([word(0), word(1)]), H::new([word(2), word(3)])])
    }

    #[inline(always)]
    fn select(a: Self, b: Self, mask: Mask<H>) -> Self {
        let half = |i: usize| a.0[i].xor(mask.0[i].and(a.0[i].xor(b.0[i])));
        Self([half(0), half(1)])
    }
}

impl<H: Half> Mul32 for Pair<H> {
    const CONSTANTS: radix25::Constants<Self> = H::CONSTANTS;

    type Part = H;
    const PARTS: usize = 2;

    #[inline(always)]
    fn part<const N: usize>(limbs: &[Self; N], index: usize) -> impl Borrow<[H; N]> {
        let mut part = [limbs[0].0[index]; N];
        for (part, limb) in part.iter_mut().zip(limbs) {
            *part = limb.0[index];
        }
        part
    }

    #[inline(always)]
    fn set_part<const N: usize>(limbs: &mut [Self; N], index: usize, part: [H; N]) {
        for (limb, part) in limbs.iter_mut().zip(part) {
            limb.0[index] = part;
        }
    }

    #[inline(always)]
    fn mul_low32(a: Self, b: Self) -> Self {
        Self([H::mul_low32(a.0[0], b.0[0]), H::mul_low32(a.0[1], b.0[1])])
    }

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        H::outline(task)
    }
}
