//! The fast Fourier transform over R[x] / (x^n + 1), and the pointwise formulas of signing.
//!
//! A polynomial of degree n = 2^logn in the transformed form is n/2 complex numbers: its values at
//! exp(i pi (4 rev(j) + 1) / n), for j below n/2, where rev reverses logn - 1 bits. The other roots of
//! x^n + 1 are the conjugates of these, and so are the values there. The real parts are the first
//! half of a slice of n, the imaginary parts the second. A polynomial that equals its own adjoint has
//! real values, and takes n/2 numbers.
//!
//! The order of operations is that of the Falcon specification's reference, so that signatures agree.

#[cfg(test)]
mod tests;

use lanner_simd::Task;

use crate::fpr::{Lanes, Real, root, roots};

/// Complex numbers, as many as there are lanes.
#[derive(Clone, Copy)]
pub(crate) struct Complex<L> {
    pub(crate) re: L,
    pub(crate) im: L,
}

impl<L: Lanes> Complex<L> {
    #[inline(always)]
    pub(crate) fn add(self, other: Self) -> Self {
        Self {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }

    #[inline(always)]
    pub(crate) fn sub(self, other: Self) -> Self {
        Self {
            re: self.re - other.re,
            im: self.im - other.im,
        }
    }

    #[inline(always)]
    pub(crate) fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }

    /// The product with the conjugate of another number.
    #[inline(always)]
    pub(crate) fn mul_conj(self, other: Self) -> Self {
        Self {
            re: self.re * other.re + self.im * other.im,
            im: self.im * other.re - self.re * other.im,
        }
    }

    #[inline(always)]
    pub(crate) fn scale(self, factor: L) -> Self {
        Self {
            re: self.re * factor,
            im: self.im * factor,
        }
    }

    /// The square of the absolute value.
    #[inline(always)]
    pub(crate) fn norm(self) -> L {
        self.re * self.re + self.im * self.im
    }

    #[inline(always)]
    pub(crate) fn load(re: &L::Pack, im: &L::Pack) -> Self {
        Self {
            re: L::load(re),
            im: L::load(im),
        }
    }

    #[inline(always)]
    pub(crate) fn store(self, re: &mut L::Pack, im: &mut L::Pack) {
        self.re.store(re);
        self.im.store(im);
    }

    #[inline(always)]
    pub(crate) fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
        let (x_re, y_re) = L::unzip::<D>(a.re, b.re);
        let (x_im, y_im) = L::unzip::<D>(a.im, b.im);
        (Self { re: x_re, im: x_im }, Self { re: y_re, im: y_im })
    }

    #[inline(always)]
    pub(crate) fn zip<const D: usize>(even: Self, odd: Self) -> (Self, Self) {
        let (a_re, b_re) = L::zip::<D>(even.re, odd.re);
        let (a_im, b_im) = L::zip::<D>(even.im, odd.im);
        (Self { re: a_re, im: a_im }, Self { re: b_re, im: b_im })
    }

    /// The roots j, j + 1, … of the table, each `D` times.
    #[inline(always)]
    pub(crate) fn roots<const D: usize>(j: usize) -> Self {
        let (re, im) = roots::<L, D>(j);
        Self { re, im }
    }

    /// Root j of the table in every lane.
    #[inline(always)]
    pub(crate) fn root(j: usize) -> Self {
        let (re, im) = root(j);
        Self {
            re: L::splat(re),
            im: L::splat(im),
        }
    }
}

/// What a stage does to the numbers x and y of a pair, with the root of its block. A trait and not a closure,
/// because this must be inlined.
trait Butterfly {
    fn apply<L: Lanes>(x: Complex<L>, y: Complex<L>, root: Complex<L>) -> (Complex<L>, Complex<L>);
}

struct Forward;

impl Butterfly for Forward {
    #[inline(always)]
    fn apply<L: Lanes>(x: Complex<L>, y: Complex<L>, root: Complex<L>) -> (Complex<L>, Complex<L>) {
        let y = y.mul(root);
        (x.add(y), x.sub(y))
    }
}

struct Inverse;

impl Butterfly for Inverse {
    #[inline(always)]
    fn apply<L: Lanes>(x: Complex<L>, y: Complex<L>, root: Complex<L>) -> (Complex<L>, Complex<L>) {
        (x.add(y), x.sub(y).mul_conj(root))
    }
}

/// One stage of butterflies at a distance of at least `LANES`.
#[inline(always)]
fn wide_stage<L: Lanes, B: Butterfly>(re: &mut [L::Real], im: &mut [L::Real], distance: usize) {
    let blocks = re.len() / (2 * distance);
    let chunks = re
        .chunks_exact_mut(2 * distance)
        .zip(im.chunks_exact_mut(2 * distance));
    for (i, (re, im)) in chunks.enumerate() {
        let root = Complex::<L>::root(blocks + i);
        let (x_re, y_re) = re.split_at_mut(distance);
        let (x_im, y_im) = im.split_at_mut(distance);
        let x = L::packs_mut(x_re).iter_mut().zip(L::packs_mut(x_im));
        let y = L::packs_mut(y_re).iter_mut().zip(L::packs_mut(y_im));
        for ((x_re, x_im), (y_re, y_im)) in x.zip(y) {
            let x = Complex::load(x_re, x_im);
            let y = Complex::load(y_re, y_im);
            let (x, y) = B::apply(x, y, root);
            x.store(x_re, x_im);
            y.store(y_re, y_im);
        }
    }
}

/// One stage of butterflies at a distance `D` below `LANES`.
#[inline(always)]
fn narrow_stage<L: Lanes, B: Butterfly, const D: usize>(re: &mut [L::Real], im: &mut [L::Real]) {
    let blocks = re.len() / (2 * D);
    let re = L::packs_mut(re).chunks_exact_mut(2);
    let im = L::packs_mut(im).chunks_exact_mut(2);
    for (i, (re, im)) in re.zip(im).enumerate() {
        let root = Complex::roots::<D>(blocks + i * (L::LANES / D));
        let a = Complex::<L>::load(&re[0], &im[0]);
        let b = Complex::<L>::load(&re[1], &im[1]);
        let (x, y) = Complex::unzip::<D>(a, b);
        let (x, y) = B::apply(x, y, root);
        let (a, b) = Complex::zip::<D>(x, y);
        a.store(&mut re[0], &mut im[0]);
        b.store(&mut re[1], &mut im[1]);
    }
}

/// One stage of butterflies, whatever the distance, on at least 2 * `LANES` numbers.
#[inline(always)]
fn stage<L: Lanes, B: Butterfly>(re: &mut [L::Real], im: &mut [L::Real], distance: usize) {
    if distance >= L::LANES {
        wide_stage::<L, B>(re, im, distance);
    } else if L::LANES > 4 {
        // Distances below eight: those of four lanes, which are left behind.
        stage::<L::Half, B>(re, im, distance);
    } else if distance == 1 {
        narrow_stage::<L, B, 1>(re, im);
    } else {
        // Four lanes have the distance 2 as well.
        narrow_stage::<L, B, 2>(re, im);
    }
}

/// Transforms the coefficients of a polynomial of degree 2^`logn`, in place.
///
/// The coefficients are paired as (a_i, a_(i + n/2)): that is the first stage, and it costs nothing.
#[inline(always)]
pub(crate) fn forward<L: Lanes>(logn: u32, values: &mut [L::Real]) {
    L::part(ForwardTransform::<L>(logn, values));
}

struct ForwardTransform<'a, L: Lanes>(u32, &'a mut [L::Real]);

impl<L: Lanes> Task for ForwardTransform<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(logn, values) = self;
        let (re, im) = values.split_at_mut(1 << (logn - 1));
        for level in (0..logn - 1).rev() {
            if re.len() >= 2 * L::LANES {
                stage::<L, Forward>(re, im, 1 << level);
            } else {
                stage::<L::Real, Forward>(re, im, 1 << level);
            }
        }
    }
}

/// The inverse of [`forward`].
#[inline(always)]
pub(crate) fn inverse<L: Lanes>(logn: u32, values: &mut [L::Real]) {
    L::part(InverseTransform::<L>(logn, values));
}

struct InverseTransform<'a, L: Lanes>(u32, &'a mut [L::Real]);

impl<L: Lanes> Task for InverseTransform<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(logn, values) = self;
        let (re, im) = values.split_at_mut(1 << (logn - 1));
        for level in 0..logn - 1 {
            if re.len() >= 2 * L::LANES {
                stage::<L, Inverse>(re, im, 1 << level);
            } else {
                stage::<L::Real, Inverse>(re, im, 1 << level);
            }
        }
        // 2^-(logn - 1)
        let scale = L::Real::from_bits((1023 - u64::from(logn - 1)) << 52);
        for value in values {
            *value = *value * scale;
        }
    }
}

/// [`forward`] for a polynomial in each lane: number i of every one of them is a pack.
#[inline(always)]
pub(crate) fn forward_each<L: Lanes>(logn: u32, values: &mut [L::Real]) {
    let (re, im) = values.split_at_mut(L::LANES << (logn - 1));
    for level in (0..logn - 1).rev() {
        wide_stage::<L, Forward>(re, im, L::LANES << level);
    }
}

/// The inverse of [`forward_each`].
#[inline(always)]
pub(crate) fn inverse_each<L: Lanes>(logn: u32, values: &mut [L::Real]) {
    let (re, im) = values.split_at_mut(L::LANES << (logn - 1));
    for level in 0..logn - 1 {
        wide_stage::<L, Inverse>(re, im, L::LANES << level);
    }
    // 2^-(logn - 1), as in `inverse`.
    let scale = L::splat(L::Real::from_bits((1023 - u64::from(logn - 1)) << 52));
    for pack in L::packs_mut(values) {
        (L::load(pack) * scale).store(pack);
    }
}
