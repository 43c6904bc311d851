//! Products of pairs: columns, their folding and their carries, all in memory of which the compilers know nothing.

use super::{FOLD, FOLD_HIGH, HALF, Limbs, MASK, Vector, pair, within};
use core::hint::black_box;
use lanner_simd::Pairs;

/// A sum over m of products of `$left[m]` and `$right[n - m]`, for those m of the list that pass a condition on m and
/// j = n - m.
macro_rules! column {
    ($v:ident, $n:expr, |$m:ident, $j:ident| $condition:expr, $left:expr, $right:expr; $($index:literal)*) => {{
        let sum = $v::splat(0);
        $(
            let $m: usize = $index;
            let sum = if $n >= $m {
                let $j = $n - $m;
                if $condition {
                    sum.add($left[$m].dot($right[$j]))
                } else {
                    sum
                }
            } else {
                sum
            };
        )*
        sum
    }};
}

/// (a_2j, a_2j-1) for j up to 10: what even columns of products with (b_2m, b_2m+1) want.
#[inline(always)]
fn crossed<V: Pairs>(a: &Limbs<V>) -> [V; 11] {
    let zero = V::splat(0);
    each!(J in eleven => V::halves(
        if J < 10 { a[J % 10] } else { zero },
        if J == 0 { zero } else { a[(J + 9) % 10] },
    ))
}

/// Columns n, for n from `FIRST` on, of the product of five pairs from `ROWS` on with `N` others, as of pairs that begin with
/// 0.
#[inline(always)]
fn five_columns<V: Pairs, const N: usize, const ROWS: usize, const FIRST: usize>(
    a: &Limbs<V>,
    b: &[V; N],
) -> [V; 5] {
    let left = each!(M in five => a[ROWS + M]);
    macro_rules! columns {
        ($($i:literal)*) => {
            [$({
                let n = FIRST + $i;
                column!(V, n, |m, j| j < N, left, b; 0 1 2 3 4)
            }),*]
        };
    }
    columns!(0 1 2 3 4)
}

/// Four groups of five columns 2n of a product, and four of columns 2n + 1, of which the last is 0. Those that are not known yet
/// may be anything.
struct Columns<'a, V>([[&'a [V; 5]; 4]; 2]);

impl<V: Pairs> Columns<'_, V> {
    #[inline(always)]
    fn at(&self, k: usize) -> V {
        self.0[k % 2][k / 10][k / 2 % 5]
    }

    /// Column k with what the columns from 20 on fold back to it, and what makes the sum positive.
    ///
    /// A high column is h = low + 2^16 high, with a high half that has its sign. With bit 15 turned over, the low half, too, is
    /// an integer with a sign, low - 2^15. So 2^260 h = 608 (low - 2^15) + 608 2^15 + 4864 2^13 high: a product of pairs takes
    /// the low half of one column and the high half of the one below. That is below 2^15 (608 + 4864) < 2^27.5 in magnitude,
    /// and 608 2^15 below 2^24.3.
    #[inline(always)]
    fn folded(&self, k: usize) -> V {
        let turned = |k: usize| self.at(20 + k).xor(V::splat(1 << 15));
        let below = if k > 0 { turned(k - 1) } else { V::splat(0) };
        self.at(k)
            .add(V::halves(turned(k), below).dot(V::splat(pair(FOLD, FOLD_HIGH))))
            .add(V::splat((HALF + (FOLD << 15)) as u32))
    }
}

/// Two limbs from 0 to 2^13 + 2^5, less 2^12.
#[inline(always)]
fn pack<V: Pairs>(low: V, high: V) -> V {
    V::halves(low, high.shl::<16>()).sub_halves(V::splat(pair(HALF, HALF)))
}

/// Carries ten columns from `$first` on, given by an expression, each below 2^31 in magnitude and positive with [`HALF`] in it: two
/// chains side by side, of five each. What goes over is below 2^18 in magnitude, so that the seventh limb may exceed its bits by
/// 2^5. The limbs in order, and what goes over the highest.
macro_rules! carry_ten {
    ($v:ident, |$k:ident| $column:expr) => {{
        let mask = $v::splat(MASK as u32);
        let [mut over_a, mut over_b] = [$v::splat(0); 2];
        let mut t = [$v::splat(0); 10];
        macro_rules! step {
            ($i:literal) => {
                let a = {
                    const $k: usize = $i;
                    $column
                };
                let a = if $i > 0 { a.add(over_a) } else { a };
                over_a = a.shr_signed::<13>();
                t[$i] = a.and(mask);
                let b = {
                    const $k: usize = $i + 5;
                    $column
                };
                let b = if $i > 0 { b.add(over_b) } else { b };
                over_b = b.shr_signed::<13>();
                t[$i + 5] = b.and(mask);
            };
        }
        step!(0);
        step!(1);
        step!(2);
        step!(3);
        step!(4);
        let fifth = t[5].add(over_a);
        t[6] = t[6].add(fifth.shr_signed::<13>());
        t[5] = fifth.and(mask);
        (t, over_b)
    }};
}

/// The five vectors of limbs from 10 on, of which limb 10 has yet to be carried, before it is packed, after limb 9: its
/// neighbour 11 comes alone.
struct Upper<V> {
    tenth: V,
    eleventh: V,
    packed: [V; 4],
    over: V,
}

/// Limbs 10 to 19 of ten columns.
macro_rules! upper {
    ($v:ident, |$k:ident| $column:expr) => {{
        let (t, over) = carry_ten!($v, |$k| $column);
        Upper {
            tenth: t[0],
            eleventh: t[1],
            packed: [
                pack(t[2], t[3]),
                pack(t[4], t[5]),
                pack(t[6], t[7]),
                pack(t[8], t[9]),
            ],
            over,
        }
    }};
}

/// Limbs 0 to 9 of ten columns; writes all limbs. What goes over limb 19, folded, is below 2^27.3.
macro_rules! lower {
    ($v:ident, $upper:ident, $out:ident, |$k:ident| $column:expr) => {{
        let folded = $upper.over.mul($v::splat(FOLD as u32));
        let (t, over) = carry_ten!($v, |$k| {
            let column = $column;
            if $k == 0 { column.add(folded) } else { column }
        });
        let tenth = $upper.tenth.add(over);
        let eleventh = $upper.eleventh.add(tenth.shr_signed::<13>());
        let tenth = tenth.and($v::splat(MASK as u32));
        $out[0] = pack(t[0], t[1]);
        $out[1] = pack(t[2], t[3]);
        $out[2] = pack(t[4], t[5]);
        $out[3] = pack(t[6], t[7]);
        $out[4] = pack(t[8], t[9]);
        $out[5] = pack(tenth, eleventh);
        $out[6] = $upper.packed[0];
        $out[7] = $upper.packed[1];
        $out[8] = $upper.packed[2];
        $out[9] = $upper.packed[3];
    }};
}

/// Both times ten limbs.
#[inline(always)]
fn add_five<V: Pairs>(a: &[V; 5], b: &[V; 5]) -> [V; 5] {
    each!(I in five => a[I].add(b[I]))
}

/// A named array of columns in memory that the compilers know nothing of.
macro_rules! keep {
    ($name:ident = $columns:expr) => {
        let $name = $columns;
        let $name = black_box(&$name);
    };
}

/// The product takes the place of `a`.
#[inline(always)]
pub(super) fn mul<V: Pairs>(a: &mut Limbs<V>, b: &Limbs<V>) {
    keep!(crossed = crossed(black_box(b)));
    // Columns 2n + 1 of (a_2m, a_2m+1) and (b_2j+1, b_2j).
    keep!(swapped = each!(I => b[I].swap_halves()));
    macro_rules! even {
        ($rows:literal, $first:literal) => {
            five_columns::<V, 11, $rows, $first>(black_box(&*a), black_box(crossed))
        };
    }
    macro_rules! odd {
        ($rows:literal, $first:literal) => {
            five_columns::<V, 10, $rows, $first>(black_box(&*a), black_box(swapped))
        };
    }
    // The upper half first, so that its carries are done beside the products of the lower one.
    keep!(e1 = even!(0, 5));
    keep!(e1 = add_five(&even!(5, 0), e1));
    keep!(o1 = odd!(0, 5));
    keep!(o1 = add_five(&odd!(5, 0), o1));
    keep!(o2 = odd!(0, 10));
    keep!(o2 = add_five(&odd!(5, 5), o2));
    keep!(e3 = even!(5, 10));
    keep!(o3 = odd!(5, 10));
    let columns = Columns([[e1, e1, e3, e3], [o1, o1, o2, o3]]);
    keep!(upper = upper!(V, |K| columns.folded(10 + K)));
    keep!(e0 = even!(0, 0));
    keep!(o0 = odd!(0, 0));
    keep!(e2 = even!(0, 10));
    keep!(e2 = add_five(&even!(5, 5), e2));
    let columns = Columns([[e0, e1, e2, e3], [o0, o1, o2, o3]]);
    let out = black_box(a);
    lower!(V, upper, out, |K| columns.folded(K));
}

/// Columns 2n of the square of `a`, for n from `FIRST` on, with limbs that differ counted in `doubled`: (2 a_2j, 2 a_2j-1).
///
/// For m < j - 1, twice a_2m a_2j and twice a_2m+1 a_2j-1; for m = j - 1 the latter, a square, once; and for m = j the
/// square of a_2m alone.
#[inline(always)]
fn even_squares<V: Pairs, const FIRST: usize>(a: &Limbs<V>, doubled: &[V; 11]) -> [V; 5] {
    macro_rules! columns {
        ($($i:literal)*) => {
            [$({
                let n = FIRST + $i;
                let sum = column!(V, n, |m, j| m + 1 < j && j <= 10, a, doubled; 0 1 2 3 4 5 6 7 8 9);
                let half = a[n / 2];
                let last = if n % 2 == 0 {
                    V::halves(half, V::splat(0))
                } else {
                    V::halves(doubled[n.div_ceil(2)], half)
                };
                sum.add(half.dot(last))
            }),*]
        };
    }
    columns!(0 1 2 3 4)
}

/// Columns 2n + 1 of the square of `a`: m and j change places in a_2m+1 a_2j + a_2m a_2j+1.
#[inline(always)]
fn odd_squares<V: Pairs, const FIRST: usize>(
    a: &Limbs<V>,
    swapped: &Limbs<V>,
    twice: &Limbs<V>,
) -> [V; 5] {
    macro_rules! columns {
        ($($i:literal)*) => {
            [$({
                let n = FIRST + $i;
                let sum = column!(V, n, |m, j| m < j && j <= 9, swapped, twice; 0 1 2 3 4 5 6 7 8 9);
                if n % 2 == 0 {
                    sum.add(swapped[n / 2].dot(a[n / 2]))
                } else {
                    sum
                }
            }),*]
        };
    }
    columns!(0 1 2 3 4)
}

/// The square takes the place of `a`.
#[inline(always)]
pub(super) fn square<V: Pairs>(a: &mut Limbs<V>) {
    keep!(swapped = each!(I => a[I].swap_halves()));
    keep!(twice = each!(I => a[I].add_halves(a[I])));
    keep!(doubled = crossed(twice));
    macro_rules! even {
        ($first:literal) => {
            even_squares::<V, $first>(black_box(&*a), black_box(doubled))
        };
    }
    macro_rules! odd {
        ($first:literal) => {
            odd_squares::<V, $first>(black_box(&*a), black_box(swapped), black_box(twice))
        };
    }
    keep!(e1 = even!(5));
    keep!(o1 = odd!(5));
    keep!(o2 = odd!(10));
    keep!(e3 = even!(15));
    keep!(o3 = odd!(15));
    let columns = Columns([[e1, e1, e3, e3], [o1, o1, o2, o3]]);
    keep!(upper = upper!(V, |K| columns.folded(10 + K)));
    keep!(e0 = even!(0));
    keep!(o0 = odd!(0));
    keep!(e2 = even!(10));
    let columns = Columns([[e0, e1, e2, e3], [o0, o1, o2, o3]]);
    let out = black_box(a);
    lower!(V, upper, out, |K| columns.folded(K));
}

/// 121666 times limbs of up to two units, below 2^30 each.
#[inline(always)]
pub(super) fn mul_121666<V: Pairs>(a: &mut Limbs<V>) {
    let factor = V::splat(121_666);
    let raise = V::splat(HALF as u32);
    let limbs = black_box(&*a);
    let words = each!(I => [
        limbs[I].shl::<16>().shr_signed::<16>().mul(factor),
        limbs[I].shr_signed::<16>().mul(factor),
    ]);
    let words = black_box(&words);
    let upper = upper!(V, |K| words[5 + K / 2][K % 2].add(raise));
    let out = black_box(a);
    lower!(V, upper, out, |K| words[K / 2][K % 2].add(raise));
}

/// Carries sums of up to six units, all limbs at once.
///
/// What goes over is 4 at most in magnitude, so that limbs end below 65/64, and 608 times it is below 2^11.3: added to limb 0 before
/// that is carried, halves still hold it.
#[inline(always)]
pub(super) fn narrow<V: Vector>(wide: &Limbs<V>) -> Limbs<V> {
    debug_assert!(within(wide, 6 * 65));
    let half = V::splat(pair(HALF, HALF));
    let mask = V::splat(pair(MASK, MASK));
    // 608 times what the highest half has over.
    let highest = wide[9].add_halves(half).shr_halves::<13>();
    let folded = highest.dot(V::splat(pair(0, FOLD)));
    let first = wide[0].add_halves(V::halves(folded, V::splat(0)));
    let raised = each!(I => if I == 0 { first } else { wide[I] }.add_halves(half));
    // Over from the limb above to the next word, and within a word.
    let over = each!(I => raised[I].shr_halves::<13>().swap_halves());
    each!(I => {
        let below = if I == 0 { V::splat(0) } else { over[(I + 9) % 10] };
        raised[I]
            .and(mask)
            .add_halves(V::halves(below, over[I]))
            .sub_halves(half)
    })
}
