//! Polynomials modulo x^n + 1 and q = 12289, and the number-theoretic transform.
//!
//! Between operations a polynomial is a slice of n canonical residues, in [0, q): either coefficients,
//! or values, slot i holding f(w^(2 rev(i) + 1)) with w = 7^(1024/n) and rev the reversal of logn
//! bits. Within an operation it is vectors of signed residues with slack (see `lanes`). One operation
//! chooses its instruction set once. Everything here takes constant time, but for the answer whether a
//! polynomial is invertible.

mod lanes;
mod tables;

use lanner_simd::memory::view_mut;
use lanner_simd::{I16, Isa, Operation, Task};

use self::lanes::{Constants, LaneZeta, Residues, tail_zeta};
use self::tables::{Zeta, inverse_scale, tail_index, zeta};
use crate::params::{Q, STANDARD_ONLY};
use crate::wiping::wipe;

/// Memory for a polynomial, aligned for the vectors of every instruction set.
#[repr(C, align(64))]
pub(crate) struct Room<const N: usize>(pub(crate) [i16; N]);

impl<const N: usize> Room<N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self([0; N])
    }
}

/// The most lanes of any lane type.
const MAX_COUNT: usize = 16;

/// The smallest degree in lanes: transpositions take as many as 256 residues, and the toy degrees are not
/// worth tables of their own.
const LOGN_MIN_LANES: u32 = 9;

/// Runs an operation for degree 2^`logn`.
#[inline(always)]
fn dispatch<O: Operation>(logn: u32, operation: O) -> O::Output {
    tables::prepare();
    if logn < LOGN_MIN_LANES && !STANDARD_ONLY {
        lanner_simd::portable(operation)
    } else {
        crate::vectors::dispatch(operation)
    }
}

/// Reads a polynomial of any kind of residues with slack.
#[inline(always)]
fn read<L: I16, T: Copy>(from: &[T], poly: &mut [L], residue: impl Fn(T) -> i16) {
    for (vector, chunk) in poly.iter_mut().zip(from.chunks_exact(L::LANES)) {
        let mut buffer = [0; MAX_COUNT];
        for (slot, &x) in buffer.iter_mut().zip(chunk) {
            *slot = residue(x);
        }
        *vector = L::load(&buffer[..L::LANES]);
    }
}

/// Writes residues as they are.
#[inline(always)]
fn write<L: I16, T>(poly: &[L], to: &mut [T], convert: impl Fn(i16) -> T) {
    for (&vector, chunk) in poly.iter().zip(to.chunks_exact_mut(L::LANES)) {
        let mut buffer = [0; MAX_COUNT];
        vector.store(&mut buffer[..L::LANES]);
        for (slot, &x) in chunk.iter_mut().zip(&buffer) {
            *slot = convert(x);
        }
    }
}

/// The coefficients of a polynomial of small values, as residues.
#[inline(always)]
fn read_small<L: I16>(from: &[i8], poly: &mut [L]) {
    read(from, poly, i16::from);
}

/// Canonical residues.
#[inline(always)]
fn read_canonical<L: I16>(from: &[u16], poly: &mut [L]) {
    read(from, poly, |x| x as i16);
}

/// Transposes each square of lanes of values into the order in which a transform leaves them, or back from it.
#[inline(always)]
fn transpose<L: I16>(poly: &mut [L]) {
    for square in poly.chunks_exact_mut(L::LANES) {
        L::transpose(square);
    }
}

/// Multiplies values, in the order in which a transform leaves them, by canonical ones.
#[inline(always)]
fn multiply_by_values<L: I16>(poly: &mut [L], values: &[u16], constants: Constants<L>) {
    let mut square = [L::splat(0); MAX_COUNT];
    let square = &mut square[..L::LANES];
    let squares = poly.chunks_exact_mut(L::LANES);
    for (x, values) in squares.zip(values.chunks_exact(L::LANES * L::LANES)) {
        read_canonical(values, square);
        L::transpose(square);
        for (x, y) in x.iter_mut().zip(&*square) {
            *x = x.montgomery(*y, constants);
        }
    }
}

/// Makes residues within (-32768, 32768) canonical.
#[inline(always)]
fn make_canonical<L: I16>(poly: &mut [L], constants: Constants<L>) {
    for vector in poly {
        *vector = vector.center(constants).canonical(constants);
    }
}

/// Makes values within (-32768, 32768), in the order in which a transform leaves them, canonical and writes them.
#[inline(always)]
fn write_values<L: I16>(poly: &mut [L], to: &mut [u16], constants: Constants<L>) {
    transpose(poly);
    make_canonical(poly, constants);
    write(poly, to, |x| x as u16);
}

/// From coefficients within [-12288, 12288] to values within (-2^15, 2^15), in an order of its own.
///
/// A layer adds to each residue a product within 6145 + |y| * 6144 / 2^16, so that from 12288 the
/// bounds after the layers are 19585, 27566, then, where each third layer centres x, 14874, 22413,
/// 30660, 15165, 22731, 31007, 15197, 22767.
#[inline(always)]
fn forward<L: I16>(logn: u32, poly: &mut [L], constants: Constants<L>) {
    let n = 1 << logn;
    let mut layer = 0;
    // Blocks of `size` residues, while a half of one fills vectors.
    let mut m = 1;
    while n / (2 * m) >= L::LANES {
        let half = n / (2 * m) / L::LANES;
        for (i, block) in poly.chunks_exact_mut(2 * half).enumerate() {
            let zeta = LaneZeta::splat(zeta(m + i));
            let (left, right) = block.split_at_mut(half);
            for (x, y) in left.iter_mut().zip(right) {
                forward_butterfly(x, y, zeta, layer % 3 == 2, constants);
            }
        }
        m *= 2;
        layer += 1;
    }
    if L::LANES == 1 {
        return;
    }
    let groups = n / (L::LANES * L::LANES);
    for (g, square) in poly.chunks_exact_mut(L::LANES).enumerate() {
        L::transpose(square);
        let mut layer = layer;
        let mut parts = 1;
        while parts < L::LANES {
            let half = L::LANES / (2 * parts);
            let first = tail_index(groups, parts, g);
            for (s, block) in square.chunks_exact_mut(2 * half).enumerate() {
                let zeta = tail_zeta::<L>(logn, false, first + s);
                let (left, right) = block.split_at_mut(half);
                for (x, y) in left.iter_mut().zip(right) {
                    forward_butterfly(x, y, zeta, layer % 3 == 2, constants);
                }
            }
            parts *= 2;
            layer += 1;
        }
    }
}

#[inline(always)]
fn forward_butterfly<L: I16>(
    x: &mut L,
    y: &mut L,
    zeta: LaneZeta<L>,
    center: bool,
    constants: Constants<L>,
) {
    let base = if center { x.center(constants) } else { *x };
    let product = y.montgomery_by(zeta, constants.q);
    *x = base.add(product);
    *y = base.sub(product);
}

/// The inverse of [`forward`], from values within [-12289, 12289], times `scale` / R. The result is
/// within [-7000, 7000].
///
/// Each layer centres the sums, and its products are within 6145 + 2^15 * 6144 / 2^16 < 9218.
#[inline(always)]
fn inverse<L: I16>(logn: u32, scale: Zeta, poly: &mut [L], constants: Constants<L>) {
    let n = 1 << logn;
    if L::LANES > 1 {
        let groups = n / (L::LANES * L::LANES);
        for (g, square) in poly.chunks_exact_mut(L::LANES).enumerate() {
            let mut parts = L::LANES / 2;
            while parts > 0 {
                let half = L::LANES / (2 * parts);
                let first = tail_index(groups, parts, g);
                for (s, block) in square.chunks_exact_mut(2 * half).enumerate() {
                    let zeta = tail_zeta::<L>(logn, true, first + s);
                    let (left, right) = block.split_at_mut(half);
                    for (x, y) in left.iter_mut().zip(right) {
                        inverse_butterfly(x, y, zeta, constants);
                    }
                }
                parts /= 2;
            }
            L::transpose(square);
        }
    }
    let mut half = 1;
    while half * L::LANES < n {
        let m = n / (2 * half * L::LANES);
        for (i, block) in poly.chunks_exact_mut(2 * half).enumerate() {
            // Minus the inverse of ZETA[m + i].
            let zeta = LaneZeta::splat(zeta(2 * m - 1 - i));
            let (left, right) = block.split_at_mut(half);
            for (x, y) in left.iter_mut().zip(right) {
                inverse_butterfly(x, y, zeta, constants);
            }
        }
        half *= 2;
    }
    let scale = LaneZeta::splat(scale);
    for vector in poly {
        *vector = vector.montgomery_by(scale, constants.q);
    }
}

#[inline(always)]
fn inverse_butterfly<L: I16>(x: &mut L, y: &mut L, zeta: LaneZeta<L>, constants: Constants<L>) {
    let sum = x.add(*y);
    let difference = y.sub(*x);
    *x = sum.center(constants);
    *y = difference.montgomery_by(zeta, constants.q);
}

/// x^(q - 2) in Montgomery's form: the inverse, or 0 for 0. `x` is within 12289.
#[inline(always)]
fn invert<L: I16>(x: L, constants: Constants<L>) -> L {
    // q - 2 = 12287 = 0b10_1111_1111_1111: from x^2 and x^5 on, twelve more ones.
    let square = |x: L| x.montgomery(x, constants);
    let mut y = square(x);
    for _ in 0..12 {
        y = square(y).montgomery(x, constants);
    }
    y
}

/// g becomes g / f, or 0 where f is 0, of values as [`forward`] leaves them: within (-2^15, 2^15) again.
#[inline(always)]
fn divide<L: I16>(g: &mut [L], f: &[L], constants: Constants<L>) {
    // x -> x * R: a Montgomery product with R^2.
    let to_montgomery = LaneZeta::splat(Zeta::new((1 << 16) % Q));
    for (&x, y) in f.iter().zip(g) {
        let inverse = invert(x.montgomery_by(to_montgomery, constants.q), constants);
        *y = y.montgomery(inverse, constants);
    }
}

/// Coefficients within [-7000, 7000], from canonical ones, centred to [-6144, 6144].
#[inline(always)]
fn subtract_from<L: I16>(c: &[u16], poly: &mut [L], constants: Constants<L>) {
    for (x, c) in poly.iter_mut().zip(c.chunks_exact(L::LANES)) {
        let mut vector = [L::splat(0)];
        read_canonical(c, &mut vector);
        *x = vector[0].sub(*x).center(constants);
    }
}

/// Centres residues within [-24576, 24576] to [-6144, 6144].
#[inline(always)]
fn center_all<L: I16>(poly: &mut [L], constants: Constants<L>) {
    for x in poly {
        *x = x.center(constants);
    }
}

/// [`forward`] as a task: a function of its own where size counts.
struct Forward<'a, L> {
    logn: u32,
    poly: &'a mut [L],
}

impl<L: I16> Task for Forward<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        forward(self.logn, self.poly, Constants::new());
    }
}

#[inline(always)]
fn transform<I: Isa>(logn: u32, poly: &mut [I::I16], constants: Constants<I::I16>) {
    if I::COMPACT {
        I::outline(Forward { logn, poly });
    } else {
        forward(logn, poly, constants);
    }
}

/// [`inverse`] as a task.
struct Inverse<'a, L> {
    logn: u32,
    scale: Zeta,
    poly: &'a mut [L],
}

impl<L: I16> Task for Inverse<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        inverse(self.logn, self.scale, self.poly, Constants::new());
    }
}

#[inline(always)]
fn invert_transform<I: Isa>(
    logn: u32,
    scale: Zeta,
    poly: &mut [I::I16],
    constants: Constants<I::I16>,
) {
    if I::COMPACT {
        I::outline(Inverse { logn, scale, poly });
    } else {
        inverse(logn, scale, poly, constants);
    }
}

struct ToValues<'a>(u32, &'a mut [u16]);

impl Operation for ToValues<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let ToValues(logn, poly) = self;
        let constants = Constants::<I::I16>::new();
        let poly = I::I16::vectors(view_mut(poly));
        transform::<I>(logn, poly, constants);
        transpose(poly);
        make_canonical(poly, constants);
    }
}

/// From coefficients to values, in a [`Room`].
pub(crate) fn to_values(logn: u32, poly: &mut [u16]) {
    debug_assert_eq!(poly.len(), 1 << logn);
    dispatch(logn, ToValues(logn, poly));
}

struct ToCoefficients<'a>(u32, &'a mut [u16]);

impl Operation for ToCoefficients<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let ToCoefficients(logn, poly) = self;
        let constants = Constants::<I::I16>::new();
        let poly = I::I16::vectors(view_mut(poly));
        transpose(poly);
        // 1/n, in Montgomery's form.
        let scale = Zeta::new(tables::inverse_degree(logn));
        invert_transform::<I>(logn, scale, poly, constants);
        make_canonical(poly, constants);
    }
}

/// From values to coefficients, in a [`Room`].
pub(crate) fn to_coefficients(logn: u32, poly: &mut [u16]) {
    debug_assert_eq!(poly.len(), 1 << logn);
    dispatch(logn, ToCoefficients(logn, poly));
}

/// The size of a signature's vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Norms {
    /// ||s1||^2 + ||s2||^2.
    pub(crate) squared: u64,
    /// The largest |coefficient| of both.
    pub(crate) largest: u16,
}

impl Norms {
    const ZERO: Norms = Norms {
        squared: 0,
        largest: 0,
    };

    /// Takes in a polynomial with coefficients within [-6145, 6145].
    #[inline(always)]
    fn include(self, poly: &[i16]) -> Self {
        let (mut squared, mut largest) = (self.squared, self.largest);
        // 64 * 6145^2 < 2^32.
        for chunk in poly.chunks(64) {
            squared += u64::from(
                chunk
                    .iter()
                    .fold(0, |sum, &x| sum + (i32::from(x) * i32::from(x)) as u32),
            );
            largest = chunk.iter().fold(largest, |m, &x| m.max(x.unsigned_abs()));
        }
        Self { squared, largest }
    }
}

/// The size of (s1, s2), of any coefficients.
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
pub(crate) fn norms(s1: &[i16], s2: &[i16]) -> Norms {
    s1.iter().chain(s2).fold(Norms::ZERO, |norms, &x| Norms {
        squared: norms.squared + u64::from(x.unsigned_abs()).pow(2),
        largest: norms.largest.max(x.unsigned_abs()),
    })
}

struct Residue<'a> {
    logn: u32,
    c: &'a [u16],
    s: &'a mut [i16],
    h_values: &'a [u16],
}

impl Operation for Residue<'_> {
    type Output = Norms;

    #[inline(always)]
    fn run<I: Isa>(self) -> Norms {
        let constants = Constants::<I::I16>::new();
        let norms = Norms::ZERO.include(self.s);
        let poly = I::I16::vectors(self.s);
        transform::<I>(self.logn, poly, constants);
        multiply_by_values(poly, self.h_values, constants);
        invert_transform::<I>(self.logn, inverse_scale(self.logn), poly, constants);
        subtract_from(self.c, poly, constants);
        norms.include(self.s)
    }
}

/// s2 becomes s1 = c - s2 * h, centred to [-6144, 6144], in a [`Room`]; and the size of (s1, s2). `c` holds coefficients, `h`
/// values; |coefficients of s2| are at most 6145.
pub(crate) fn residue(logn: u32, c: &[u16], s: &mut [i16], h_values: &[u16]) -> Norms {
    dispatch(
        logn,
        Residue {
            logn,
            c,
            s,
            h_values,
        },
    )
}

struct PublicKey<'a> {
    logn: u32,
    f: &'a [i8],
    g: &'a [i8],
    h_values: &'a mut [u16],
    rooms: (&'a mut [i16], &'a mut [i16]),
}

impl Operation for PublicKey<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<I: Isa>(self) -> bool {
        let constants = Constants::<I::I16>::new();
        let f = I::I16::vectors(self.rooms.0);
        let g = I::I16::vectors(self.rooms.1);
        read_small(self.f, f);
        read_small(self.g, g);
        transform::<I>(self.logn, f, constants);
        transform::<I>(self.logn, g, constants);
        divide(g, f, constants);
        make_canonical(f, constants);
        write_values(g, self.h_values, constants);
        // h is public, f and g are not; the quotient is within what was g.
        let zeros = has_zero(self.rooms.0);
        wipe(self.rooms.0, 0);
        wipe(self.rooms.1, 0);
        !zeros
    }
}

/// Whether one of canonical residues is zero.
#[inline(always)]
fn has_zero(poly: &[i16]) -> bool {
    poly.iter().fold(0, |zeros, &x| zeros | u16::from(x == 0)) != 0
}

/// The values of h = g / f. `false` if f is not invertible: then h is meaningless. Each room is the memory of a [`Room`].
#[inline(never)]
pub(crate) fn public_key(
    logn: u32,
    f: &[i8],
    g: &[i8],
    h_values: &mut [u16],
    rooms: (&mut [i16], &mut [i16]),
) -> bool {
    dispatch(
        logn,
        PublicKey {
            logn,
            f,
            g,
            h_values,
            rooms,
        },
    )
}

struct IsInvertible<'a>(u32, &'a [i8], &'a mut [i16]);

impl Operation for IsInvertible<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<I: Isa>(self) -> bool {
        let Self(logn, f, room) = self;
        let constants = Constants::<I::I16>::new();
        let poly = I::I16::vectors(room);
        read_small(f, poly);
        transform::<I>(logn, poly, constants);
        make_canonical(poly, constants);
        !has_zero(room)
    }
}

/// Whether f has an inverse, in a [`Room`], where its values stay.
pub(crate) fn is_invertible(logn: u32, f: &[i8], room: &mut [i16]) -> bool {
    dispatch(logn, IsInvertible(logn, f, room))
}

struct Product<'a> {
    logn: u32,
    h_values: &'a [u16],
    small: &'a [i8],
    product: &'a mut [i16],
}

impl Operation for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let constants = Constants::<I::I16>::new();
        let poly = I::I16::vectors(self.product);
        read_small(self.small, poly);
        transform::<I>(self.logn, poly, constants);
        multiply_by_values(poly, self.h_values, constants);
        invert_transform::<I>(self.logn, inverse_scale(self.logn), poly, constants);
        center_all(poly, constants);
    }
}

/// h * small, centred to [-6144, 6144], in a [`Room`]; h in values. With h = g/f and F it gives G, since
/// f * G = q + g * F.
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
#[inline(never)]
pub(crate) fn product(logn: u32, h_values: &[u16], small: &[i8], product: &mut [i16]) {
    dispatch(
        logn,
        Product {
            logn,
            h_values,
            small,
            product,
        },
    );
}

#[cfg(test)]
mod bounds;
#[cfg(test)]
mod tests;
