//! Fast Fourier sampling over an LDL tree that is kept: what [`FfSampling`](super::FfSampling) computes on the way is
//! computed once.
//!
//! A node of degree n is n numbers, l10, followed by its right child and by its left one. One of degree 2 has two leaves
//! in place of children, the right one first: the inverse deviations of their samples. So the samples are drawn in the order in
//! which the tree lies in memory, (log2(n) + 1) n numbers.

use lanner_simd::{F64, Task};

use super::{
    Gram, ldl, ldl_step, merge, merge_step, on_lanes, pairs, pairs_mut, split, split_real,
    split_step,
};
use crate::fft::Complex;
use crate::fpr::Lanes;
use crate::sampler::{NoSample, SamplerRng, Shape};

/// How many numbers the tree of degree 2^logn has.
pub(crate) const fn tree_len(logn: u32) -> usize {
    (logn as usize + 1) << logn
}

/// Grows the tree of a Gram matrix, as a task. The matrix is used up.
pub(crate) struct Growing<'a, L: Lanes> {
    pub(crate) inverse_sigma: L::Real,
    pub(crate) gram: Gram<'a, L::Real>,
    pub(crate) tree: &'a mut [L::Real],
    /// As many numbers as two polynomials have.
    pub(crate) scratch: &'a mut [L::Real],
}

impl<L: Lanes> Task for Growing<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let n = self.gram.g01.len();
        if n == 2 {
            let gram = &self.gram;
            let g01 = Complex {
                re: gram.g01[0],
                im: gram.g01[1],
            };
            let (l10, d11) = ldl_step(gram.g00[0], g01, gram.g11[0]);
            (self.tree[0], self.tree[1]) = (l10.re, l10.im);
            // As a leaf of `FfSampling` has it.
            self.tree[2] = d11.sqrt() * self.inverse_sigma;
            self.tree[3] = gram.g00[0].sqrt() * self.inverse_sigma;
            return;
        }
        on_lanes!(L, 1, n / 2, ldl(&mut self.gram));
        let (l10, children) = self.tree.split_at_mut(n);
        l10.copy_from_slice(self.gram.g01);
        let (right, left) = children.split_at_mut(children.len() / 2);
        grow_child::<L>(self.inverse_sigma, self.gram.g11, right, self.scratch);
        grow_child::<L>(self.inverse_sigma, self.gram.g00, left, self.scratch);
    }
}

/// Grows the child for an entry of the diagonal.
#[inline(always)]
fn grow_child<L: Lanes>(
    inverse_sigma: L::Real,
    diagonal: &[L::Real],
    tree: &mut [L::Real],
    scratch: &mut [L::Real],
) {
    let (half, quarter) = (diagonal.len(), diagonal.len() / 2);
    let (g01, scratch) = scratch.split_at_mut(half);
    let (g00, scratch) = scratch.split_at_mut(quarter);
    let (g11, scratch) = scratch.split_at_mut(quarter);
    let mut gram = Gram { g00, g01, g11 };
    on_lanes!(L, 1, quarter, split_real(diagonal, &mut gram));
    L::outline(Growing::<L> {
        inverse_sigma,
        gram,
        tree,
        scratch,
    });
}

/// Fast Fourier sampling over a tree, as a task: it replaces the targets (t0, t1), of degree 4 at least, by samples
/// around them.
pub(crate) struct Sampling<'a, L: Lanes, S> {
    pub(crate) source: &'a mut S,
    pub(crate) shape: &'a Shape<L::Real>,
    pub(crate) t0: &'a mut [L::Real],
    pub(crate) t1: &'a mut [L::Real],
    pub(crate) tree: &'a [L::Real],
    /// As many numbers as two polynomials have.
    pub(crate) scratch: &'a mut [L::Real],
}

impl<L: Lanes, S: SamplerRng> Task for Sampling<'_, L, S> {
    type Output = Result<(), NoSample>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        if self.t0.len() == 4 {
            return self.node_4();
        }
        let (half, quarter) = (self.t0.len() / 2, self.t0.len() / 4);
        let Self {
            source,
            shape,
            t0,
            t1,
            tree,
            scratch,
        } = self;
        let (l10, children) = tree.split_at(2 * half);
        let (right, left) = children.split_at(children.len() / 2);
        let (w0, scratch) = scratch.split_at_mut(half);
        let (w1, scratch) = scratch.split_at_mut(half);
        on_lanes!(L, 1, quarter, split(t1, w0, w1));
        L::outline(Sampling::<L, S> {
            source: &mut *source,
            shape,
            t0: &mut *w0,
            t1: &mut *w1,
            tree: right,
            scratch: &mut *scratch,
        })?;
        on_lanes!(L, 1, quarter, merge_move_split((w0, w1), l10, t0, t1));
        L::outline(Sampling::<L, S> {
            source,
            shape,
            t0: &mut *w0,
            t1: &mut *w1,
            tree: left,
            scratch,
        })?;
        on_lanes!(L, 1, quarter, merge(w0, w1, t0));
        Ok(())
    }
}

impl<L: Lanes, S: SamplerRng> Sampling<'_, L, S> {
    /// Degree 4, all in registers.
    #[inline(always)]
    fn node_4(self) -> Result<(), NoSample> {
        // Two complex numbers each, at (0, 2) and (1, 3).
        let at = |p: &[L::Real], i: usize| Complex {
            re: p[i],
            im: p[i + 2],
        };
        let tree: &[L::Real; 12] = self.tree.first_chunk().ok_or(NoSample)?;
        let [t0, t1] = [&*self.t0, &*self.t1].map(|p| [at(p, 0), at(p, 1)]);
        let (source, shape) = (self.source, self.shape);
        let z1 = half_of_4::<L, S>(source, shape, &tree[4..8], t1)?;
        let t0 = [
            t0[0].add(t1[0].sub(z1[0]).mul(at(tree, 0))),
            t0[1].add(t1[1].sub(z1[1]).mul(at(tree, 1))),
        ];
        let z0 = half_of_4::<L, S>(source, shape, &tree[8..], t0)?;
        for i in 0..2 {
            (self.t0[i], self.t0[i + 2]) = (z0[i].re, z0[i].im);
            (self.t1[i], self.t1[i + 2]) = (z1[i].re, z1[i].im);
        }
        Ok(())
    }
}

/// Samples around a target of degree 4, over a node of degree 2.
#[inline(always)]
fn half_of_4<L: Lanes, S: SamplerRng>(
    source: &mut S,
    shape: &Shape<L::Real>,
    node: &[L::Real],
    t: [Complex<L::Real>; 2],
) -> Result<[Complex<L::Real>; 2], NoSample> {
    let (t0, t1) = split_step(t, 1);
    let l10 = Complex {
        re: node[0],
        im: node[1],
    };
    let [re, im] = source.pair::<L>(shape, [t1.re, t1.im], node[2])?;
    let z1 = Complex { re, im };
    let t0 = t0.add(t1.sub(z1).mul(l10));
    let [re, im] = source.pair::<L>(shape, [t0.re, t0.im], node[3])?;
    Ok(merge_step(Complex { re, im }, z1, 1))
}

/// z, merged from its halves, replaces t1, and the halves of t0 + (t1 - z) l10 replace those of z.
#[inline(always)]
fn merge_move_split<L: Lanes>(
    (w0, w1): (&mut [L::Real], &mut [L::Real]),
    l10: &[L::Real],
    t0: &[L::Real],
    t1: &mut [L::Real],
) {
    let quarter = w0.len() / 2;
    let count = quarter / L::LANES;
    let (w0_re, w0_im) = w0.split_at_mut(quarter);
    let w0_re = &mut L::packs_mut(w0_re)[..count];
    let w0_im = &mut L::packs_mut(w0_im)[..count];
    let (w1_re, w1_im) = w1.split_at_mut(quarter);
    let w1_re = &mut L::packs_mut(w1_re)[..count];
    let w1_im = &mut L::packs_mut(w1_im)[..count];
    let (l10_re, l10_im) = l10.split_at(2 * quarter);
    let l10_re = pairs(L::packs(l10_re), count);
    let l10_im = pairs(L::packs(l10_im), count);
    let (t0_re, t0_im) = t0.split_at(2 * quarter);
    let t0_re = pairs(L::packs(t0_re), count);
    let t0_im = pairs(L::packs(t0_im), count);
    let (t1_re, t1_im) = t1.split_at_mut(2 * quarter);
    let t1_re = pairs_mut(L::packs_mut(t1_re), count);
    let t1_im = pairs_mut(L::packs_mut(t1_im), count);
    for i in 0..count {
        let root = quarter + i * L::LANES;
        let z0 = Complex::<L>::load(&w0_re[i], &w0_im[i]);
        let z1 = Complex::<L>::load(&w1_re[i], &w1_im[i]);
        let z = merge_step(z0, z1, root);
        let mut moved = z;
        // Unrolls.
        #[allow(clippy::needless_range_loop)]
        for k in 0..2 {
            let l10 = Complex::load(&l10_re[i][k], &l10_im[i][k]);
            let old0 = Complex::load(&t0_re[i][k], &t0_im[i][k]);
            let old1 = Complex::load(&t1_re[i][k], &t1_im[i][k]);
            moved[k] = old0.add(old1.sub(z[k]).mul(l10));
            z[k].store(&mut t1_re[i][k], &mut t1_im[i][k]);
        }
        let (f0, f1) = split_step(moved, root);
        f0.store(&mut w0_re[i], &mut w0_im[i]);
        f1.store(&mut w1_re[i], &mut w1_im[i]);
    }
}
