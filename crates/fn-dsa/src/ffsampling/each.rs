//! Fast Fourier sampling of several targets over one tree, a target in each lane: number i of a polynomial is a pack, with
//! that of every target. The formulas are those of [`stored`](super::stored), and the samples of a target the same to
//! the bit; no lane trades places with another.

use lanner_simd::Task;

use crate::fft::Complex;
use crate::fpr::Lanes;
use crate::sampler::each::PairEach;
use crate::sampler::round::Generator;
use crate::sampler::wide::Wide;
use crate::sampler::{NoSample, Shape};

/// Fast Fourier sampling, as a task: it replaces the targets (t0, t1), of degree 4 at least, by samples around them.
pub(crate) struct SamplingEach<'a, L: Lanes, G: Generator> {
    /// One for each lane.
    pub(crate) sources: &'a mut [Wide<G>],
    pub(crate) shape: &'a Shape<L::Real>,
    pub(crate) t0: &'a mut [L::Pack],
    pub(crate) t1: &'a mut [L::Pack],
    pub(crate) tree: &'a [L::Real],
    /// As many packs as two polynomials have.
    pub(crate) scratch: &'a mut [L::Pack],
}

/// Number i of a polynomial.
#[inline(always)]
fn load<L: Lanes>(f: &[L::Pack], i: usize) -> Complex<L> {
    Complex::load(&f[i], &f[f.len() / 2 + i])
}

#[inline(always)]
fn store<L: Lanes>(f: &mut [L::Pack], i: usize, value: Complex<L>) {
    let half = f.len() / 2;
    let (re, im) = f.split_at_mut(half);
    value.store(&mut re[i], &mut im[i]);
}

/// Number i of a polynomial of the tree, in every lane.
#[inline(always)]
fn spread<L: Lanes>(f: &[L::Real], i: usize) -> Complex<L> {
    Complex {
        re: L::splat(f[i]),
        im: L::splat(f[f.len() / 2 + i]),
    }
}

/// The halves of f(x) = f0(x^2) + x f1(x^2) from two numbers of f.
#[inline(always)]
fn split<L: Lanes>(a: Complex<L>, b: Complex<L>, root: Complex<L>) -> (Complex<L>, Complex<L>) {
    let sum = a.add(b);
    let difference = a.sub(b).mul_conj(root);
    let f0 = Complex {
        re: sum.re.half(),
        im: sum.im.half(),
    };
    let f1 = Complex {
        re: difference.re.half(),
        im: difference.im.half(),
    };
    (f0, f1)
}

/// The inverse of [`split`].
#[inline(always)]
fn merge<L: Lanes>(f0: Complex<L>, f1: Complex<L>, root: Complex<L>) -> [Complex<L>; 2] {
    let odd = f1.mul(root);
    [f0.add(odd), f0.sub(odd)]
}

impl<L: Lanes, G: Generator> Task for SamplingEach<'_, L, G> {
    type Output = Result<(), NoSample>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        if self.t0.len() == 4 {
            return self.node_4();
        }
        let (half, quarter) = (self.t0.len() / 2, self.t0.len() / 4);
        let Self {
            sources,
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
        for i in 0..quarter {
            let (a, b) = (load::<L>(t1, 2 * i), load(t1, 2 * i + 1));
            let (f0, f1) = split(a, b, Complex::root(quarter + i));
            store(w0, i, f0);
            store(w1, i, f1);
        }
        L::outline(SamplingEach::<L, G> {
            sources: &mut *sources,
            shape,
            t0: &mut *w0,
            t1: &mut *w1,
            tree: right,
            scratch: &mut *scratch,
        })?;
        for i in 0..quarter {
            let root = Complex::root(quarter + i);
            let z = merge::<L>(load(w0, i), load(w1, i), root);
            let mut moved = z;
            for k in 0..2 {
                let j = 2 * i + k;
                let difference = load::<L>(t1, j).sub(z[k]);
                moved[k] = load::<L>(t0, j).add(difference.mul(spread(l10, j)));
                store(t1, j, z[k]);
            }
            let (f0, f1) = split(moved[0], moved[1], root);
            store(w0, i, f0);
            store(w1, i, f1);
        }
        L::outline(SamplingEach::<L, G> {
            sources,
            shape,
            t0: &mut *w0,
            t1: &mut *w1,
            tree: left,
            scratch,
        })?;
        for i in 0..quarter {
            let [a, b] = merge::<L>(load(w0, i), load(w1, i), Complex::root(quarter + i));
            store(t0, 2 * i, a);
            store(t0, 2 * i + 1, b);
        }
        Ok(())
    }
}

impl<L: Lanes, G: Generator> SamplingEach<'_, L, G> {
    /// Degree 4, all in registers.
    #[inline(always)]
    fn node_4(self) -> Result<(), NoSample> {
        let tree: &[L::Real; 12] = self.tree.first_chunk().ok_or(NoSample)?;
        let (l10, right, left) = (&tree[..4], &tree[4..8], &tree[8..]);
        let (sources, shape) = (self.sources, self.shape);
        let t1 = [load::<L>(self.t1, 0), load(self.t1, 1)];
        let z1 = half_of_4::<L, G>(sources, shape, right, t1)?;
        let mut t0 = t1;
        for k in 0..2 {
            let difference = t1[k].sub(z1[k]);
            t0[k] = load::<L>(self.t0, k).add(difference.mul(spread(l10, k)));
            store(self.t1, k, z1[k]);
        }
        let z0 = half_of_4::<L, G>(sources, shape, left, t0)?;
        for (k, z) in z0.into_iter().enumerate() {
            store(self.t0, k, z);
        }
        Ok(())
    }
}

/// Samples around targets of degree 4, over a node of degree 2.
#[inline(always)]
fn half_of_4<L: Lanes, G: Generator>(
    sources: &mut [Wide<G>],
    shape: &Shape<L::Real>,
    node: &[L::Real],
    t: [Complex<L>; 2],
) -> Result<[Complex<L>; 2], NoSample> {
    let root = Complex::root(1);
    let (t0, t1) = split(t[0], t[1], root);
    let z1 = pair::<L, G>(sources, shape, t1, node[2])?;
    let t0 = t0.add(t1.sub(z1).mul(spread(&node[..2], 0)));
    let z0 = pair::<L, G>(sources, shape, t0, node[3])?;
    Ok(merge(z0, z1, root))
}

#[inline(always)]
fn pair<L: Lanes, G: Generator>(
    sources: &mut [Wide<G>],
    shape: &Shape<L::Real>,
    centres: Complex<L>,
    inverse_deviation: L::Real,
) -> Result<Complex<L>, NoSample> {
    let [re, im] = L::outline(PairEach::<L, G> {
        sources,
        shape,
        centres: [centres.re, centres.im],
        inverse_deviation,
    })?;
    Ok(Complex { re, im })
}
