//! Whether points have a component of small order, one or many at once, by characters of the group.
//!
//! The points of the curve are a cyclic group of order 8L. On the Montgomery curve
//! E: v^2 = u^3 + A u^2 + u the one rational point of order 2 is (0, 0), and dividing by it gives the
//! curve E': V^2 = U (U - A - 2)(U - A + 2), which has as many points, but all three of order 2:
//!
//! ```text
//!        φ^ (kernel {O, (0, 0)})
//!   E'  ────────────────────────►  E        φ^(U, V) = (u, v) with u = w^2, w = V / 2U,
//!  Z/4 × Z/2 × Z/L               Z/8 × Z/L   v = w (U - (A^2 - 4)/U) / -4
//! ```
//!
//! Let t in Z/8 be the component of small order of a point P = (u, v). Two exponentiations tell
//! whether it is 0:
//!
//! 1. P is in the image of φ^ exactly if u is a square (descent by a 2-isogeny; Pornin, eprint
//!    2022/1164, halves points by two steps of the kind), and the image has index 2: that is, t is
//!    even. Given w with w^2 = u, the point Q = (U, 2wU) with U = A + 2u - 2v/w is mapped to P; the
//!    other root, -w, gives Q + (0, 0).
//! 2. E' modulo the points with t = 0 and the kernel is cyclic of order 4, and Tate's pairing with
//!    a point T of order 4 is its character: p - 1 is a multiple of 4. (Of 8 it is not, which is why
//!    no pairing tells t on E itself; Koshelev, eprint 2022/037.) With T the image of a point of
//!    order 8 of E, plus (0, 0), the pairing is 1 on the kernel. Its tangent there goes through
//!    (A + 2, 0), so the function with divisor 4(T) - 4(O) is
//!
//!    ```text
//!    f = (V - λ (U - A - 2))^2 / (U - A - 2),   λ = sqrt(A + 2) + 2
//!    ```
//!
//!    and f(Q)^((p - 1)/4) is a fourth root of unity to the power t/2. So t = 0 exactly if f(Q) is a
//!    fourth power.
//!
//! The value f(Q), up to fourth powers, is a [`TorsionCharacter`]. It is 0 exactly if Q = ±T + (0 or
//! (0, 0)) or U = A + 2, where t is not 0: never for a point free of torsion other than the neutral
//! element, whose value is 1.
//!
//! # Many values
//!
//! Characters are homomorphisms: where many must be 1, it is enough that products of them are. For
//! each of 128 rounds a subset of the values is drawn at random; its product is a fourth power if
//! all values are. If one is none, then whatever the others of a round multiply to, at most one
//! of "with it" and "without it" is a fourth power, and the round misses it with probability at most
//! 1/2. Products cost about 35 multiplications for each value, where an exponentiation has 254
//! squarings; the exponentiations of 128 products are a fixed cost.

use super::models::{Cached, Extended};
use super::torsion::EIGHT_TORSION;
use super::{EdwardsPoint, GroupEquation};
use crate::backend::{InLanes, Kind, in_lanes, with_field};
use crate::field::chains::{quartic_symbols, sqrt_ratio_each};
use crate::field::lanes::{Engine, Lanes, MAX_LANES, Quads, at_once};
use crate::field::{Arithmetic, Field, Packed};
use subtle::{Choice, ConstantTimeEq};

/// What a point tells of its component of small order: an element of the field, of which only
/// counts whether it is a fourth power. It is one exactly if the component is the neutral element.
///
/// [`EdwardsPoint::vartime_torsion_characters`] computes it.
#[derive(Clone, Copy)]
pub struct TorsionCharacter(Packed);

/// The constants of the formulas in a representation.
struct Constants<F> {
    /// A square root of -(A + 2).
    sqrt_minus_a_plus_2: F,
    /// sqrt(A + 2) + 2.
    lambda: F,
    /// A + 2.
    a_plus_2: F,
}

impl<F: Field> Constants<F> {
    #[inline(always)]
    fn new() -> Self {
        Self {
            sqrt_minus_a_plus_2: F::from_frozen(&SQRT_MINUS_A_PLUS_2),
            lambda: F::from_frozen(&LAMBDA),
            a_plus_2: F::from_frozen(&A_PLUS_2),
        }
    }
}

impl<L: Lanes> Constants<L> {
    #[inline(always)]
    fn in_lanes() -> Self {
        Self {
            sqrt_minus_a_plus_2: L::from_lanes(&[SQRT_MINUS_A_PLUS_2.0; MAX_LANES]),
            lambda: L::from_lanes(&[LAMBDA.0; MAX_LANES]),
            a_plus_2: L::from_lanes(&[A_PLUS_2.0; MAX_LANES]),
        }
    }
}

impl<F: Arithmetic> Constants<F> {
    /// For each point (set, f(Q) up to a fourth power) if the component of small order is even, else
    /// (not set, any). The neutral element gives (not set, any) too. The values are carried.
    #[inline(always)]
    fn characters<const N: usize>(&self, points: &[Extended<F>; N]) -> [(F::Mask, F); N] {
        let mut ratios = [(F::ZERO, F::ONE); N];
        for (ratio, point) in ratios.iter_mut().zip(points) {
            let (sum, difference) = (point.z.add(&point.y), point.z.sub(&point.y));
            *ratio = (F::carry(&sum), F::carry(&difference));
        }
        // u = (Z + Y)/(Z - Y) = w^2.
        let mut characters = sqrt_ratio_each(&ratios);
        for ((_, w), point) in characters.iter_mut().zip(points) {
            // v = sqrt(-(A + 2)) u Z/X, so v/w = sqrt(-(A + 2)) w Z/X. With n = (u - 1 - v/w) X it
            // is U - A - 2 = 2n/X and U = (2n + (A + 2) X)/X.
            let u_minus_1 = F::square(w).sub(&F::ONE);
            let v_over_w = F::mul(&F::mul(&self.sqrt_minus_a_plus_2, w), &point.z);
            let n = F::carry(&F::mul(&u_minus_1, &point.x).sub(&v_over_w));
            // V - λ (U - A - 2) = 2m/X, and so f = 2 m^2/(n X).
            let u = F::add_loose(&n.add(&n), &F::mul(&self.a_plus_2, &point.x));
            let m = F::mul(w, &u).sub(&F::mul(&self.lambda, &n));
            let denominator = F::mul(&n, &point.x);
            let cube = F::mul(&F::square(&denominator), &denominator);
            let value = F::mul(&F::square(&m), &cube);
            *w = F::carry(&value.add(&value));
        }
        characters
    }
}

/// The characters of points; `None` if the component of small order is odd.
#[inline]
fn vartime_characters<F: Field, const N: usize>(points: &[Extended<F>; N]) -> [Option<F>; N] {
    let computed = Constants::new().characters(points);
    core::array::from_fn(|i| {
        let (is_even, value) = computed[i];
        if Choice::from(is_even).into() {
            return Some(value);
        }
        bool::from(points[i].is_identity()).then_some(F::ONE)
    })
}

/// The character of one point.
#[inline]
fn vartime_character<F: Field>(point: &Extended<F>) -> Option<F> {
    let [character] = vartime_characters(&[*point]);
    character
}

/// Whether all of some values are fourth powers other than 0.
#[inline]
fn vartime_are_one<F: Field, const N: usize>(values: &[F; N]) -> bool {
    let symbols = quartic_symbols(values);
    symbols
        .iter()
        .all(|symbol| symbol.to_packed().ct_eq(&Packed::ONE).into())
}

/// Whether the point is in the subgroup of order L, in variable time.
#[inline]
fn vartime_is_torsion_free<F: Field>(point: &Extended<F>) -> bool {
    vartime_character(point).is_some_and(|value| vartime_are_one(&[value]))
}

/// A point with the same component of small order as R + \[k]A: of k its remainder mod 8 counts.
#[inline]
fn vartime_residue<F: Field>(equation: &GroupEquation) -> Extended<F> {
    let (r, a) = (equation.r.unpack::<F>(), equation.a.unpack::<F>());
    let k = equation.k.as_bytes()[0] % 8;
    if k == 0 {
        return r;
    }
    let cached = a.to_cached();
    let mut sum = a;
    for bit in (0..k.ilog2()).rev() {
        sum = sum.double().to_extended();
        if k >> bit & 1 == 1 {
            sum = sum.add(&cached).to_extended();
        }
    }
    sum.add(&r.to_cached()).to_extended()
}

/// Characters in lanes.
struct VartimeCharacters<'a> {
    equations: &'a [GroupEquation],
    characters: &'a mut [Option<TorsionCharacter>],
}

impl VartimeCharacters<'_> {
    /// The same as `vartime_residue`, for as many equations as there are lanes, or fewer.
    #[inline(always)]
    fn residues<L: Quads>(equations: &[GroupEquation]) -> Extended<L> {
        let mut r = [EIGHT_TORSION[0]; MAX_LANES];
        let mut a = [EIGHT_TORSION[0]; MAX_LANES];
        // Bit i of `bits[j]` is bit j of k in lane i.
        let mut bits = [0u8; 3];
        for (lane, equation) in equations.iter().enumerate() {
            (r[lane], a[lane]) = (equation.r, equation.a);
            for (j, bits) in bits.iter_mut().enumerate() {
                *bits |= (equation.k.as_bytes()[0] >> j & 1) << lane;
            }
        }
        let (r, a) = (Extended::<L>::gather(&r), Extended::<L>::gather(&a));
        let first = L::mask(bits[2]);
        let sum = Extended {
            x: L::select(&L::ZERO, &a.x, first),
            y: L::select(&L::ONE, &a.y, first),
            z: L::select(&L::ONE, &a.z, first),
            t: L::select(&L::ZERO, &a.t, first),
        };
        let a = a.to_cached();
        let multiple = Cached::select(&Cached::IDENTITY, &a, L::mask(bits[1]));
        let sum = sum.double_inline().add_in_lanes(&multiple);
        let multiple = Cached::select(&Cached::IDENTITY, &a, L::mask(bits[0]));
        let sum = sum.double_in_lanes().add_in_lanes(&multiple);
        sum.add_in_lanes(&r.to_cached()).to_extended_inline()
    }
}

impl VartimeCharacters<'_> {
    /// The characters of at most N vectors of equations.
    #[inline(always)]
    fn group<E: Engine, const N: usize>(
        equations: &[GroupEquation],
        characters: &mut [Option<TorsionCharacter>],
        constants: &Constants<E::Many>,
    ) {
        let lanes = E::Many::LANES;
        let mut points = [Extended::IDENTITY; N];
        for (point, equations) in points.iter_mut().zip(equations.chunks(lanes)) {
            *point = Self::residues::<E::Many>(equations);
        }
        let computed = constants.characters(&points);
        let groups = equations.chunks(lanes).zip(characters.chunks_mut(lanes));
        for ((equations, characters), (is_even, values)) in groups.zip(&computed) {
            let (is_even, values) = (E::Many::vartime_mask_bits(*is_even), values.to_lanes());
            for (lane, character) in characters.iter_mut().enumerate() {
                *character = if is_even >> lane & 1 == 1 {
                    Some(TorsionCharacter(values[lane]))
                } else {
                    // It is an odd component, or the neutral element.
                    vartime_character(&vartime_residue::<E::Field>(&equations[lane]))
                        .map(|value| TorsionCharacter(value.to_packed()))
                };
            }
        }
    }
}

impl InLanes for VartimeCharacters<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self) {
        let constants = Constants::<E::Many>::in_lanes();
        let lanes = E::Many::LANES;
        let at_once = at_once::<E::Many>();
        let groups = self.equations.chunks(at_once);
        for (equations, characters) in groups.zip(self.characters.chunks_mut(at_once)) {
            if at_once > lanes && equations.len() > lanes {
                Self::group::<E, 2>(equations, characters, &constants);
            } else {
                Self::group::<E, 1>(equations, characters, &constants);
            }
        }
    }
}

/// Whether all of some values are fourth powers, in lanes.
struct VartimeAllOne<'a>(&'a [TorsionCharacter]);

impl VartimeAllOne<'_> {
    /// The same for at most N vectors of them.
    #[inline(always)]
    fn group<L: Lanes, const N: usize>(values: &[TorsionCharacter]) -> bool {
        let mut vectors = [L::ONE; N];
        for (vector, values) in vectors.iter_mut().zip(values.chunks(L::LANES)) {
            *vector = gather(values);
        }
        let mut ones = u8::MAX;
        for symbols in quartic_symbols(&vectors) {
            ones &= L::vartime_mask_bits(symbols.equal(&L::ONE));
        }
        u16::from(ones) & ((1 << L::LANES) - 1) == (1 << L::LANES) - 1
    }
}

impl InLanes for VartimeAllOne<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<E: Engine>(self) -> bool {
        let (lanes, at_once) = (E::Many::LANES, at_once::<E::Many>());
        for values in self.0.chunks(at_once) {
            let all_one = if at_once > lanes && values.len() > lanes {
                Self::group::<E::Many, 2>(values)
            } else {
                Self::group::<E::Many, 1>(values)
            };
            if !all_one {
                return false;
            }
        }
        true
    }
}

/// Some values and ones.
#[inline(always)]
fn gather<L: Lanes>(values: &[TorsionCharacter]) -> L {
    let mut rows = [Packed::ONE.0; MAX_LANES];
    for (row, value) in rows.iter_mut().zip(values) {
        *row = value.0.0;
    }
    L::from_lanes(&rows)
}

/// Whether all of some values are fourth powers, without lanes.
#[inline]
fn vartime_all_one<F: Field>(values: &[TorsionCharacter]) -> bool {
    let value = |value: &TorsionCharacter| F::from_packed(&value.0);
    let (pairs, rest) = if F::PAIRS {
        values.as_chunks::<2>()
    } else {
        (&[][..], values)
    };
    pairs
        .iter()
        .all(|pair| vartime_are_one(&pair.each_ref().map(value)))
        && rest.iter().all(|one| vartime_are_one(&[value(one)]))
}

/// Characters without lanes.
#[inline]
fn vartime_characters_of<F: Field>(
    equations: &[GroupEquation],
    characters: &mut [Option<TorsionCharacter>],
) {
    let (mut equations, mut characters) = (equations, characters);
    let pack = |value: F| TorsionCharacter(value.to_packed());
    if F::PAIRS {
        let (pairs, pairs_of_characters);
        (pairs, equations) = equations.as_chunks();
        (pairs_of_characters, characters) = characters.as_chunks_mut();
        for (pair, characters) in pairs.iter().zip(pairs_of_characters) {
            let points: [_; 2] = pair.each_ref().map(vartime_residue::<F>);
            *characters = vartime_characters(&points).map(|value| value.map(pack));
        }
    }
    for (equation, character) in equations.iter().zip(characters) {
        *character = vartime_character(&vartime_residue::<F>(equation)).map(pack);
    }
}

/// The products of subsets, in lanes: lane i has the factors at i in all the groups of eight.
struct VartimeProducts<'a> {
    values: &'a [TorsionCharacter],
    subsets: &'a [[u8; ROUNDS]],
    products: &'a mut [TorsionCharacter; ROUNDS],
}

/// How many rounds go through all the values together.
const ROUNDS_AT_ONCE: usize = 16;

impl InLanes for VartimeProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        // Other lanes multiply no faster than single elements do that are in place already.
        kind.wide
    }

    #[inline(always)]
    fn run<E: Engine>(self) {
        debug_assert_eq!(E::Many::LANES, GROUP);
        for start in (0..ROUNDS).step_by(ROUNDS_AT_ONCE) {
            let mut products = [E::Many::ONE; ROUNDS_AT_ONCE];
            // Three groups at once: one multiplication by one of eight products.
            for (values, subsets) in self.values.chunks(3 * GROUP).zip(self.subsets.chunks(3)) {
                let mut groups = values.chunks(GROUP);
                let mut next = || groups.next().unwrap_or_default();
                let (a, b, c) = (next(), next(), next());
                let (a, b, c) = (
                    gather::<E::Many>(a),
                    gather::<E::Many>(b),
                    gather::<E::Many>(c),
                );
                let (ab, ac, bc) = (
                    E::Many::mul(&a, &b),
                    E::Many::mul(&a, &c),
                    E::Many::mul(&b, &c),
                );
                let abc = E::Many::mul(&ab, &c);
                // A group that is not there has ones.
                let last = subsets.len() - 1;
                for (i, product) in products.iter_mut().enumerate() {
                    let in_a = E::Many::mask(subsets[0][start + i]);
                    let in_b = E::Many::mask(subsets[last.min(1)][start + i]);
                    let in_c = E::Many::mask(subsets[last][start + i]);
                    let none = E::Many::select(&E::Many::ONE, &a, in_a);
                    let with_b = E::Many::select(&b, &ab, in_a);
                    let with_c = E::Many::select(&c, &ac, in_a);
                    let with_both = E::Many::select(&bc, &abc, in_a);
                    let without_c = E::Many::select(&none, &with_b, in_b);
                    let with_c = E::Many::select(&with_c, &with_both, in_b);
                    let factor = E::Many::select(&without_c, &with_c, in_c);
                    *product = E::Many::mul_in_place(product, &factor);
                }
            }
            for (i, product) in products.iter().enumerate() {
                let lanes = product.to_lanes();
                let mut product = E::Field::from_packed(&lanes[0]);
                for lane in &lanes[1..GROUP] {
                    product = E::Field::mul(&product, &E::Field::from_packed(lane));
                }
                self.products[start + i] = TorsionCharacter(product.to_packed());
            }
        }
    }
}

/// The products of subsets, one element after the other: all products of half a group are made
/// first, and each round then takes one.
#[inline]
fn vartime_products<F: Field>(
    values: &[TorsionCharacter],
    subsets: &[[u8; ROUNDS]],
    products: &mut [TorsionCharacter; ROUNDS],
) {
    const HALF: usize = GROUP / 2;
    let mut sums = [F::ONE; ROUNDS];
    let mut table = [F::ONE; 1 << HALF];
    for (values, subsets) in values.chunks(GROUP).zip(subsets) {
        for (half, values) in values.chunks(HALF).enumerate() {
            let mut size = 1;
            for value in values {
                let value = F::from_packed(&value.0);
                table[size] = value;
                for i in 1..size {
                    table[size + i] = F::mul(&table[i], &value);
                }
                size *= 2;
            }
            for (sum, subset) in sums.iter_mut().zip(subsets) {
                let index = usize::from(subset >> (HALF * half)) % size;
                if index != 0 {
                    *sum = F::mul(sum, &table[index]);
                }
            }
        }
    }
    for (product, sum) in products.iter_mut().zip(&sums) {
        *product = TorsionCharacter(sum.to_packed());
    }
}

/// Values that a byte of a subset speaks of.
const GROUP: usize = TorsionCharacter::GROUP;
const ROUNDS: usize = TorsionCharacter::ROUNDS;

impl TorsionCharacter {
    /// How many values one byte of a subset speaks of.
    pub const GROUP: usize = 8;
    /// How many products [`vartime_products_are_one`](Self::vartime_products_are_one) tests.
    pub const ROUNDS: usize = 128;

    /// Whether all of the points that these are of have no component of small order. Exact, and in
    /// variable time: one exponentiation for each, several at once where the processor has
    /// vectors that are wide enough.
    #[must_use]
    pub fn vartime_all_one(values: &[Self]) -> bool {
        in_lanes(VartimeAllOne(values))
            .unwrap_or_else(|VartimeAllOne(values)| with_field!(F => vartime_all_one::<F>(values)))
    }

    /// The same by products over 128 subsets, from some two hundred values on in less time: bit j of
    /// `subsets[i][round]` says whether value 8i + j is a factor in the round. Bits without a value
    /// have no effect.
    ///
    /// If all points are free of a component of small order, the answer is `true`. If not,
    /// it is `false` except with probability 2^-128 for bits that are random and that nobody could
    /// foresee. In variable time.
    ///
    /// # Panics
    ///
    /// If there is not one element of `subsets` for each group of eight values, the last perhaps
    /// smaller.
    #[must_use]
    pub fn vartime_products_are_one(values: &[Self], subsets: &[[u8; Self::ROUNDS]]) -> bool {
        assert_eq!(values.len().div_ceil(Self::GROUP), subsets.len());
        let mut products = [Self(Packed::ONE); ROUNDS];
        let in_groups = VartimeProducts {
            values,
            subsets,
            products: &mut products,
        };
        if let Err(VartimeProducts { products, .. }) = in_lanes(in_groups) {
            with_field!(F => vartime_products::<F>(values, subsets, products));
        }
        Self::vartime_all_one(&products)
    }
}

impl EdwardsPoint {
    /// Whether the point is in the subgroup of prime order L, that is, has no small-order
    /// component, in variable time: about a quarter of the time of
    /// [`is_torsion_free`](Self::is_torsion_free).
    ///
    /// ```
    /// use lanner_curve::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
    ///
    /// assert!(ED25519_BASEPOINT_POINT.vartime_is_torsion_free());
    /// assert!(!(ED25519_BASEPOINT_POINT + EIGHT_TORSION[4]).vartime_is_torsion_free());
    /// ```
    #[must_use]
    pub fn vartime_is_torsion_free(&self) -> bool {
        with_field!(F => vartime_is_torsion_free::<F>(&self.unpack()))
    }

    /// For each equation \[S]B = R + \[k]A what its two sides tell of the component of small order
    /// by which they differ, which is that of R + \[k]A; `None` if its order is 8. The sides have the same
    /// component exactly if [`TorsionCharacter::vartime_all_one`] holds for the character. In variable
    /// time.
    ///
    /// Costs about as much as decoding a point, and as that is done for several at once where the
    /// processor has vectors that are wide enough.
    ///
    /// # Panics
    ///
    /// If there are not as many places for characters as equations.
    ///
    /// ```
    /// use lanner_curve::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
    /// use lanner_curve::edwards::{EdwardsPoint, GroupEquation, TorsionCharacter};
    /// use lanner_curve::scalar::Scalar;
    ///
    /// let characters = |r| {
    ///     let (k, a) = (Scalar::from(3u64), ED25519_BASEPOINT_POINT + EIGHT_TORSION[2]);
    ///     let equation = GroupEquation { s: Scalar::ZERO, r, k, a };
    ///     let mut character = [None];
    ///     EdwardsPoint::vartime_torsion_characters(&[equation], &mut character);
    ///     character[0]
    /// };
    /// let is_one = |character| TorsionCharacter::vartime_all_one(&[character]);
    /// // 3 times 2, and 2 or 4 or 5, mod 8.
    /// assert_eq!(characters(EIGHT_TORSION[2]).map(is_one), Some(true));
    /// assert_eq!(characters(EIGHT_TORSION[4]).map(is_one), Some(false));
    /// assert_eq!(characters(EIGHT_TORSION[5]).map(is_one), None);
    /// ```
    pub fn vartime_torsion_characters(
        equations: &[GroupEquation],
        characters: &mut [Option<TorsionCharacter>],
    ) {
        assert_eq!(equations.len(), characters.len());
        let all = VartimeCharacters {
            equations,
            characters,
        };
        if let Err(VartimeCharacters { characters, .. }) = in_lanes(all) {
            with_field!(F => vartime_characters_of::<F>(equations, characters));
        }
    }
}

impl core::fmt::Debug for TorsionCharacter {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("TorsionCharacter").finish_non_exhaustive()
    }
}

/// A + 2 of the Montgomery curve, with A = 486662.
const A_PLUS_2: Packed = Packed([486_664, 0, 0, 0]);

/// sqrt(A + 2) + 2.
const LAMBDA: Packed = Packed([
    0x165db7106377bbda,
    0x9ca5ee38d7b56c9c,
    0x3de05885280b5910,
    0x141b0b6806563d50,
]);

/// A square root of -(A + 2).
const SQRT_MINUS_A_PLUS_2: Packed = Packed([
    0xcc6e04aaff457e06,
    0xc5a1d3d14b7d1a82,
    0xd27b08dc03fc4f7e,
    0x0f26edf460a006bb,
]);
