//! The signing core: a short vector of the lattice's coset, from a basis, a target and randomness. Lines 3, 6, 7 and
//! 9 of algorithm 10 of the Falcon specification; the others are in [`attempts`](crate::attempts).
//!
//! What surrounds it (hashing, the bounds on the norm, the encoding, restarts and their seeds) differs
//! between the variants and stands elsewhere.

#[cfg(all(test, feature = "keygen"))]
mod distribution;
pub(crate) mod stored;
#[cfg(test)]
mod tests;

use lanner_simd::{F64, Isa, Operation, Task};

use crate::ffsampling::{self, FfSampling, Gram, on_lanes};
use crate::fft::{self, Complex};
use crate::fpr::{self, Floating, Fpr, Lanes, Real};
use crate::sampler::shared::Shared;
use crate::sampler::tables::INVERSE_Q;
use crate::sampler::{NoSample, SamplerRng, SamplerTables, Shape};
use crate::vectors::dispatch;

/// The short basis (g, -f; G, -F) of a signing key; each polynomial has n = 2^logn coefficients.
#[derive(Clone, Copy)]
#[allow(non_snake_case)] // F and G are other polynomials than f and g.
pub(crate) struct SigningBasis<'a> {
    pub(crate) f: &'a [i8],
    pub(crate) g: &'a [i8],
    pub(crate) F: &'a [i8],
    pub(crate) G: &'a [i8],
}

/// How many values [`sample`] needs as scratch, for n = 2^logn: 8 n.
pub(crate) const fn scratch_len(logn: u32) -> usize {
    // Targets and Gram matrix, 2 n each, and the scratch of the sampler, which the basis shares.
    (4 << logn) + ffsampling::scratch_len(logn)
}

/// Draws a vector (s1, s2) with s1 + s2 h = c (mod q), from a Gaussian around 0.
///
/// `c` has n = 2^logn coefficients in [0, q); `scratch` has at least [`scratch_len`] values,
/// aligned to 32 bytes for the best speed; what it holds afterwards is secret. The norm is not checked. Time depends on the number
/// of rejections in the sampler alone.
///
/// # Errors
///
/// The basis is not one of a key: its Gram matrix admits no sample.
pub(crate) fn sample<S: SamplerRng>(
    logn: u32,
    basis: &SigningBasis<'_>,
    c: &[u16],
    tables: SamplerTables,
    source: &mut S,
    (s1, s2): (&mut [i16], &mut [i16]),
    scratch: &mut [Fpr],
) -> Result<(), NoSample> {
    fpr::prepare();
    let scratch = &mut scratch[..scratch_len(logn)];
    dispatch(Sample {
        logn,
        basis,
        c,
        tables,
        source,
        outputs: (s1, s2),
        scratch,
    })
}

/// [`sample`], as an operation.
struct Sample<'a, S> {
    logn: u32,
    basis: &'a SigningBasis<'a>,
    c: &'a [u16],
    tables: SamplerTables,
    source: &'a mut S,
    outputs: (&'a mut [i16], &'a mut [i16]),
    scratch: &'a mut [Fpr],
}

impl<S: SamplerRng> Operation for Sample<'_, S> {
    type Output = Result<(), NoSample>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Self::Output {
        let Self {
            logn,
            basis,
            c,
            tables,
            source,
            outputs,
            scratch,
        } = self;
        if cfg!(target_family = "wasm") && I::F64::LANES > 1 {
            let source = &mut Shared::<<I as Floating>::Lanes>::new(source);
            sample_with::<<I as Floating>::Lanes, _>(
                logn, basis, c, tables, source, outputs, scratch,
            )
        } else {
            sample_with::<<I as Floating>::Lanes, _>(
                logn, basis, c, tables, source, outputs, scratch,
            )
        }
    }
}

/// [`sample`] on the given lanes.
fn sample_with<L: Lanes, S: SamplerRng>(
    logn: u32,
    basis: &SigningBasis<'_>,
    c: &[u16],
    tables: SamplerTables,
    source: &mut S,
    (s1, s2): (&mut [i16], &mut [i16]),
    scratch: &mut [L::Real],
) -> Result<(), NoSample> {
    let n = 1 << logn;
    assert!(
        [basis.f, basis.g, basis.F, basis.G]
            .iter()
            .all(|p| p.len() == n)
    );
    assert!(c.len() == n && s1.len() == n && s2.len() == n && scratch.len() == scratch_len(logn));
    let (kept, rest) = scratch.split_at_mut(4 * n);
    let (t0, kept) = kept.split_at_mut(n);
    let (t1, kept) = kept.split_at_mut(n);
    let (g01, kept) = kept.split_at_mut(n);
    let (g00, g11) = kept.split_at_mut(n / 2);
    let mut gram = Gram { g00, g01, g11 };
    let prepare = Preparation::<L> {
        basis,
        c,
        basis_values: rest,
        gram: gram.reborrow(),
        t0,
        t1,
    };
    // Line 3: t = (c, 0) B^-1.
    L::outline(prepare);
    let sampling = FfSampling::<L, S> {
        source,
        shape: &Shape::new(logn, tables),
        t0,
        t1,
        gram,
        scratch: rest,
    };
    // Line 6: z by fast Fourier sampling, in the place of t.
    L::outline(sampling)?;
    let finish = Finish::<L> {
        basis,
        c,
        basis_values: rest,
        z0: t0,
        z1: t1,
        s1,
        s2,
    };
    // Lines 7 and 9: s = (t - z) B, as integers.
    L::outline(finish);
    Ok(())
}

/// Before the sampling: the Gram matrix, and the target in the coordinates of the basis.
struct Preparation<'a, L: Lanes> {
    basis: &'a SigningBasis<'a>,
    c: &'a [u16],
    basis_values: &'a mut [L::Real],
    gram: Gram<'a, L::Real>,
    t0: &'a mut [L::Real],
    t1: &'a mut [L::Real],
}

impl<L: Lanes> Task for Preparation<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let logn = self.c.len().ilog2();
        let b = transformed_basis::<L>(logn, self.basis, self.basis_values);
        for (t, &c) in self.t0.iter_mut().zip(self.c) {
            *t = L::Real::from_i32(i32::from(c));
        }
        fft::forward::<L>(logn, self.t0);
        on_lanes!(
            L,
            1,
            self.c.len() / 2,
            gram_and_target(b, &mut self.gram, self.t0, self.t1)
        );
    }
}

/// After the sampling: the lattice point (z0, z1) B, and its difference from the target.
struct Finish<'a, L: Lanes> {
    basis: &'a SigningBasis<'a>,
    c: &'a [u16],
    basis_values: &'a mut [L::Real],
    z0: &'a mut [L::Real],
    z1: &'a mut [L::Real],
    s1: &'a mut [i16],
    s2: &'a mut [i16],
}

impl<L: Lanes> Task for Finish<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let logn = self.c.len().ilog2();
        let b = transformed_basis::<L>(logn, self.basis, self.basis_values);
        difference::<L>(b, self.c, (self.z0, self.z1), (self.s1, self.s2));
    }
}

/// (c, 0) - (z0, z1) B. z is used up.
#[inline(always)]
fn difference<L: Lanes>(
    basis: &[L::Real],
    c: &[u16],
    (z0, z1): (&mut [L::Real], &mut [L::Real]),
    (s1, s2): (&mut [i16], &mut [i16]),
) {
    let logn = c.len().ilog2();
    on_lanes!(L, 1, c.len() / 2, lattice_point(basis, z0, z1));
    fft::inverse::<L>(logn, z0);
    fft::inverse::<L>(logn, z1);
    for ((s, z), c) in s1.iter_mut().zip(z0).zip(c) {
        *s = (*c as i16).wrapping_sub(z.round() as i16);
    }
    for (s, z) in s2.iter_mut().zip(z1) {
        *s = 0_i16.wrapping_sub(z.round() as i16);
    }
}

/// The basis (b00, b01; b10, b11) = (g, -f; G, -F), transformed.
#[inline(always)]
fn transformed_basis<'a, L: Lanes>(
    logn: u32,
    basis: &SigningBasis<'_>,
    values: &'a mut [L::Real],
) -> &'a [L::Real] {
    let polynomials = [(basis.g, 1), (basis.f, -1), (basis.G, 1), (basis.F, -1)];
    for (values, (polynomial, sign)) in values.chunks_exact_mut(1 << logn).zip(polynomials) {
        for (value, &x) in values.iter_mut().zip(polynomial) {
            *value = L::Real::from_i32(sign * i32::from(x));
        }
        fft::forward::<L>(logn, values);
    }
    &values[..4 << logn]
}

/// A transformed basis in packs.
struct BasisPacks<'a, L: Lanes> {
    re: [&'a [L::Pack]; 4],
    im: [&'a [L::Pack]; 4],
}

impl<'a, L: Lanes> BasisPacks<'a, L> {
    #[inline(always)]
    fn new(basis: &'a [L::Real]) -> Self {
        let half = basis.len() / 8;
        let mut packs = Self {
            re: [&[]; 4],
            im: [&[]; 4],
        };
        for (k, polynomial) in basis.chunks_exact(2 * half).take(4).enumerate() {
            let (re, im) = polynomial.split_at(half);
            packs.re[k] = L::packs(re);
            packs.im[k] = L::packs(im);
        }
        packs
    }

    /// (b00, b01, b10, b11) in pack i.
    #[inline(always)]
    fn at(&self, i: usize) -> [Complex<L>; 4] {
        [
            Complex::load(&self.re[0][i], &self.im[0][i]),
            Complex::load(&self.re[1][i], &self.im[1][i]),
            Complex::load(&self.re[2][i], &self.im[2][i]),
            Complex::load(&self.re[3][i], &self.im[3][i]),
        ]
    }
}

/// The Gram matrix of a basis, and the target (t0, t1) = c B^-1, from c in place of t0.
#[inline(always)]
fn gram_and_target<L: Lanes>(
    basis: &[L::Real],
    gram: &mut Gram<'_, L::Real>,
    t0: &mut [L::Real],
    t1: &mut [L::Real],
) {
    let half = basis.len() / 8;
    let basis = BasisPacks::<L>::new(basis);
    let (g01_re, g01_im) = gram.g01.split_at_mut(half);
    let (g01_re, g01_im) = (L::packs_mut(g01_re), L::packs_mut(g01_im));
    let (g00, g11) = (L::packs_mut(gram.g00), L::packs_mut(gram.g11));
    let (t0_re, t0_im) = t0.split_at_mut(half);
    let (t0_re, t0_im) = (L::packs_mut(t0_re), L::packs_mut(t0_im));
    let (t1_re, t1_im) = t1.split_at_mut(half);
    let (t1_re, t1_im) = (L::packs_mut(t1_re), L::packs_mut(t1_im));
    let scale = L::splat(L::Real::from_bits(INVERSE_Q));
    for i in 0..g00.len() {
        let [b00, b01, b10, b11] = basis.at(i);
        (b00.norm() + b01.norm()).store(&mut g00[i]);
        (b10.norm() + b11.norm()).store(&mut g11[i]);
        let g01 = b00.mul_conj(b10).add(b01.mul_conj(b11));
        g01.store(&mut g01_re[i], &mut g01_im[i]);
        let c = Complex::load(&t0_re[i], &t0_im[i]);
        c.mul(b11).scale(scale).store(&mut t0_re[i], &mut t0_im[i]);
        c.mul(b01).scale(-scale).store(&mut t1_re[i], &mut t1_im[i]);
    }
}

/// (z0, z1) B, in place.
#[inline(always)]
fn lattice_point<L: Lanes>(basis: &[L::Real], z0: &mut [L::Real], z1: &mut [L::Real]) {
    let half = basis.len() / 8;
    let basis = BasisPacks::<L>::new(basis);
    let (z0_re, z0_im) = z0.split_at_mut(half);
    let (z0_re, z0_im) = (L::packs_mut(z0_re), L::packs_mut(z0_im));
    let (z1_re, z1_im) = z1.split_at_mut(half);
    let (z1_re, z1_im) = (L::packs_mut(z1_re), L::packs_mut(z1_im));
    for i in 0..z0_re.len() {
        let [b00, b01, b10, b11] = basis.at(i);
        let z0 = Complex::load(&z0_re[i], &z0_im[i]);
        let z1 = Complex::load(&z1_re[i], &z1_im[i]);
        let first = z0.mul(b00).add(z1.mul(b10));
        let second = z0.mul(b01).add(z1.mul(b11));
        first.store(&mut z0_re[i], &mut z0_im[i]);
        second.store(&mut z1_re[i], &mut z1_im[i]);
    }
}
