//! Fast Fourier sampling (Falcon specification, algorithm 11), over the LDL tree computed on the way.
//!
//! Given a target (t0, t1) and the Gram matrix of a basis, it finds integers (z0, z1) near the target, distributed as a
//! Gaussian on the lattice. A node of degree n has the Gram matrix (g00, g01; adj(g01), g11) and does four things:
//!
//! ```text
//!     Gram (g00, g01, g11), target (t0, t1), degree n
//!       |  LDL: l10 = adj(g01) / g00,  d11 = g11 - l10 g01
//!       |
//!       |-- right: d11 and t1 split, a node of degree n/2 ---> z1
//!       |          t0 <- t0 + (t1 - z1) l10
//!       '-- left:  g00 and t0 split, a node of degree n/2 ---> z0
//!
//!     degree n        1 node      2n integers in all
//!     degree n/2      2 nodes
//!     …
//!     degree 2        n/2 nodes, each with two leaves: a leaf is one pair of integers
//! ```
//!
//! To split f is to write f(x) = f0(x^2) + x f1(x^2). A real polynomial d = f0(x^2) + x f1(x^2) on the diagonal gives the
//! child the Gram matrix with g00 = g11 = f0 and g01 = f1; a target gives it (f0, f1). The right half comes before the left
//! one, because the left one's target depends on its result; so the order of the samples is fixed.
//!
//! The tree is never stored: a Gram matrix is used up on the way down, and each level keeps one of half the degree, and a
//! target, in scratch memory (2n numbers, then n, and so on). Degree 4 and below are done in registers.
//!
//! Ranges: a leaf with the entry d of the diagonal samples with the deviation sigma / sqrt(d). For the basis of a key it is
//! in [sigma_min, sigma_max], because key generation bounds the orthogonalised norm; for others the sampler may end with
//! [`NoSample`]. All polynomials are in the form of [`crate::fft`]: n/2 complex numbers, the real parts first; diagonal
//! entries are real and take n/2 numbers. All values are secret; degrees and the order of operations are public.

pub(crate) mod each;
pub(crate) mod stored;

use lanner_simd::{F64, Task};

use crate::fft::Complex;
use crate::fpr::{Lanes, Real};
use crate::params::STANDARD_ONLY;
use crate::sampler::{NoSample, SamplerRng, Shape};

/// How many values [`FfSampling`] needs as scratch, for n = 2^logn.
pub(crate) const fn scratch_len(logn: u32) -> usize {
    // Per level, the Gram matrix and the target in half the degree: 2 n at the first, then half
    // of that at each further level.
    4 << logn
}

/// A Gram matrix of degree 2^logn: g00 and g11 are real (n/2 numbers), g01 is not (n numbers).
pub(crate) struct Gram<'a, R> {
    pub(crate) g00: &'a mut [R],
    pub(crate) g01: &'a mut [R],
    pub(crate) g11: &'a mut [R],
}

/// Runs a formula on as many lanes as there are values for; there are `$least` values at least.
macro_rules! on_lanes {
    ($lanes:ident, $least:literal, $values:expr, $function:ident($($argument:expr),*)) => {
        if <$lanes as F64>::LANES <= $least || $values >= <$lanes as F64>::LANES {
            $function::<$lanes>($($argument),*)
        } else if $values >= <<$lanes as F64>::Half as F64>::LANES {
            $function::<<$lanes as F64>::Half>($($argument),*)
        } else {
            $function::<<$lanes as F64>::Real>($($argument),*)
        }
    };
}
pub(crate) use on_lanes;

/// The two packs that belong to each pack of half the degree, `count` times.
///
/// Loops below run over an index and not over zipped iterators: with slices of one known length, the
/// bounds are checked once, and nothing else is left of them.
#[inline(always)]
fn pairs<P>(packs: &[P], count: usize) -> &[[P; 2]] {
    &packs.as_chunks().0[..count]
}

#[inline(always)]
fn pairs_mut<P>(packs: &mut [P], count: usize) -> &mut [[P; 2]] {
    &mut packs.as_chunks_mut().0[..count]
}

#[inline(always)]
fn ldl_step<L: Lanes>(g00: L, g01: Complex<L>, g11: L) -> (Complex<L>, L) {
    let inverse = L::splat(L::Real::from_bits(ONE)).div(g00);
    let mu = g01.scale(inverse);
    let d11 = g11 - (mu.re * g01.re + mu.im * g01.im);
    let l10 = Complex {
        re: mu.re,
        im: -mu.im,
    };
    (l10, d11)
}

/// The encoding of 1.
const ONE: u64 = 0x3ff0_0000_0000_0000;

/// LDL decomposition: g01 becomes l10, and g11 becomes d11; d00 is g00.
#[inline(always)]
fn ldl<L: Lanes>(gram: &mut Gram<'_, L::Real>) {
    let g00 = L::packs(gram.g00);
    let count = g00.len();
    let (re, im) = gram.g01.split_at_mut(gram.g00.len());
    let re = &mut L::packs_mut(re)[..count];
    let im = &mut L::packs_mut(im)[..count];
    let g11 = &mut L::packs_mut(gram.g11)[..count];
    for i in 0..count {
        let g01 = Complex::<L>::load(&re[i], &im[i]);
        let (l10, d11) = ldl_step(L::load(&g00[i]), g01, L::load(&g11[i]));
        d11.store(&mut g11[i]);
        l10.store(&mut re[i], &mut im[i]);
    }
}

/// The halves of a real polynomial d(x) = f0(x^2) + x f1(x^2), of which f0 is real, from two packs.
#[inline(always)]
fn split_real_step<L: Lanes>(d: [L; 2], root: usize) -> (L, Complex<L>) {
    let (a, b) = L::unzip::<1>(d[0], d[1]);
    let root = Complex::<L>::roots::<1>(root);
    let difference = (a - b).half();
    let f1 = Complex {
        re: difference * root.re,
        im: -(difference * root.im),
    };
    ((a + b).half(), f1)
}

/// The Gram matrix of degree n/2 that belongs to a real diagonal entry with the halves f0 and f1:
/// g00 = g11 = f0 and g01 = f1.
#[inline(always)]
fn split_real<L: Lanes>(d: &[L::Real], gram: &mut Gram<'_, L::Real>) {
    let quarter = d.len() / 2;
    let count = quarter / L::LANES;
    let d = pairs(L::packs(d), count);
    let (re, im) = gram.g01.split_at_mut(quarter);
    let re = &mut L::packs_mut(re)[..count];
    let im = &mut L::packs_mut(im)[..count];
    let g00 = &mut L::packs_mut(gram.g00)[..count];
    let g11 = &mut L::packs_mut(gram.g11)[..count];
    for i in 0..count {
        let d = [L::load(&d[i][0]), L::load(&d[i][1])];
        let (f0, f1) = split_real_step(d, quarter + i * L::LANES);
        f0.store(&mut g00[i]);
        f0.store(&mut g11[i]);
        f1.store(&mut re[i], &mut im[i]);
    }
}

/// The halves of f(x) = f0(x^2) + x f1(x^2), from two packs.
#[inline(always)]
fn split_step<L: Lanes>(f: [Complex<L>; 2], root: usize) -> (Complex<L>, Complex<L>) {
    let (a, b) = Complex::unzip::<1>(f[0], f[1]);
    let sum = a.add(b);
    let difference = a.sub(b).mul_conj(Complex::roots::<1>(root));
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

#[inline(always)]
fn split<L: Lanes>(f: &[L::Real], f0: &mut [L::Real], f1: &mut [L::Real]) {
    let quarter = f0.len() / 2;
    let count = quarter / L::LANES;
    let (re, im) = f.split_at(2 * quarter);
    let (re, im) = (pairs(L::packs(re), count), pairs(L::packs(im), count));
    let (f0_re, f0_im) = f0.split_at_mut(quarter);
    let f0_re = &mut L::packs_mut(f0_re)[..count];
    let f0_im = &mut L::packs_mut(f0_im)[..count];
    let (f1_re, f1_im) = f1.split_at_mut(quarter);
    let f1_re = &mut L::packs_mut(f1_re)[..count];
    let f1_im = &mut L::packs_mut(f1_im)[..count];
    for i in 0..count {
        let f = [
            Complex::<L>::load(&re[i][0], &im[i][0]),
            Complex::<L>::load(&re[i][1], &im[i][1]),
        ];
        let (f0, f1) = split_step(f, quarter + i * L::LANES);
        f0.store(&mut f0_re[i], &mut f0_im[i]);
        f1.store(&mut f1_re[i], &mut f1_im[i]);
    }
}

/// The inverse of [`split_step`].
#[inline(always)]
fn merge_step<L: Lanes>(f0: Complex<L>, f1: Complex<L>, root: usize) -> [Complex<L>; 2] {
    let odd = f1.mul(Complex::roots::<1>(root));
    let (a, b) = Complex::zip::<1>(f0.add(odd), f0.sub(odd));
    [a, b]
}

/// The inverse of [`split`].
#[inline(always)]
fn merge<L: Lanes>(f0: &[L::Real], f1: &[L::Real], f: &mut [L::Real]) {
    let quarter = f0.len() / 2;
    let count = quarter / L::LANES;
    let (f0_re, f0_im) = f0.split_at(quarter);
    let (f0_re, f0_im) = (&L::packs(f0_re)[..count], &L::packs(f0_im)[..count]);
    let (f1_re, f1_im) = f1.split_at(quarter);
    let (f1_re, f1_im) = (&L::packs(f1_re)[..count], &L::packs(f1_im)[..count]);
    let (re, im) = f.split_at_mut(2 * quarter);
    let re = pairs_mut(L::packs_mut(re), count);
    let im = pairs_mut(L::packs_mut(im), count);
    for i in 0..count {
        let f0 = Complex::<L>::load(&f0_re[i], &f0_im[i]);
        let f1 = Complex::<L>::load(&f1_re[i], &f1_im[i]);
        let [a, b] = merge_step(f0, f1, quarter + i * L::LANES);
        a.store(&mut re[i][0], &mut im[i][0]);
        b.store(&mut re[i][1], &mut im[i][1]);
    }
}

/// z, merged from its halves, replaces t1, and t0 moves by (t1 - z) l10.
#[inline(always)]
fn merge_and_move<L: Lanes>(
    (z0, z1): (&[L::Real], &[L::Real]),
    l10: &[L::Real],
    t0: &mut [L::Real],
    t1: &mut [L::Real],
) {
    let quarter = z0.len() / 2;
    let count = quarter / L::LANES;
    let (z0_re, z0_im) = z0.split_at(quarter);
    let (z0_re, z0_im) = (&L::packs(z0_re)[..count], &L::packs(z0_im)[..count]);
    let (z1_re, z1_im) = z1.split_at(quarter);
    let (z1_re, z1_im) = (&L::packs(z1_re)[..count], &L::packs(z1_im)[..count]);
    let (l10_re, l10_im) = l10.split_at(2 * quarter);
    let l10_re = pairs(L::packs(l10_re), count);
    let l10_im = pairs(L::packs(l10_im), count);
    let (t0_re, t0_im) = t0.split_at_mut(2 * quarter);
    let t0_re = pairs_mut(L::packs_mut(t0_re), count);
    let t0_im = pairs_mut(L::packs_mut(t0_im), count);
    let (t1_re, t1_im) = t1.split_at_mut(2 * quarter);
    let t1_re = pairs_mut(L::packs_mut(t1_re), count);
    let t1_im = pairs_mut(L::packs_mut(t1_im), count);
    for i in 0..count {
        let z0 = Complex::<L>::load(&z0_re[i], &z0_im[i]);
        let z1 = Complex::<L>::load(&z1_re[i], &z1_im[i]);
        let z = merge_step(z0, z1, quarter + i * L::LANES);
        // Unrolls.
        #[allow(clippy::needless_range_loop)]
        for k in 0..2 {
            let l10 = Complex::load(&l10_re[i][k], &l10_im[i][k]);
            let old0 = Complex::load(&t0_re[i][k], &t0_im[i][k]);
            let old1 = Complex::load(&t1_re[i][k], &t1_im[i][k]);
            let moved = old0.add(old1.sub(z[k]).mul(l10));
            moved.store(&mut t0_re[i][k], &mut t0_im[i][k]);
            z[k].store(&mut t1_re[i][k], &mut t1_im[i][k]);
        }
    }
}

/// Fast Fourier sampling in one degree, n = 2^logn for targets of n numbers, n being 2 at least.
///
/// Run as a task, it replaces the targets (t0, t1) by samples around them (in the transformed form). The
/// Gram matrix is used up.
pub(crate) struct FfSampling<'a, L: Lanes, S> {
    pub(crate) source: &'a mut S,
    pub(crate) shape: &'a Shape<L::Real>,
    pub(crate) t0: &'a mut [L::Real],
    pub(crate) t1: &'a mut [L::Real],
    pub(crate) gram: Gram<'a, L::Real>,
    /// At least [`scratch_len`] values.
    pub(crate) scratch: &'a mut [L::Real],
}

impl<L: Lanes, S: SamplerRng> Task for FfSampling<'_, L, S> {
    type Output = Result<(), NoSample>;

    #[inline(always)]
    fn run(mut self) -> Self::Output {
        match self.t0.len() {
            2 if !STANDARD_ONLY => self.root_2(),
            4 if !STANDARD_ONLY => L::outline(Degree4(&mut self)),
            _ => L::outline(Node(&mut self)),
        }
    }
}

/// A node of degree 8 or more. One frame of this is on the stack for each level, so that it should be small: what computes
/// is in functions of their own.
struct Node<'s, 'a, L: Lanes, S>(&'s mut FfSampling<'a, L, S>);

impl<L: Lanes, S: SamplerRng> Task for Node<'_, '_, L, S> {
    type Output = Result<(), NoSample>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.0.node()
    }
}

/// A node of degree 4.
struct Degree4<'s, 'a, L: Lanes, S>(&'s mut FfSampling<'a, L, S>);

impl<L: Lanes, S: SamplerRng> Task for Degree4<'_, '_, L, S> {
    type Output = Result<(), NoSample>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.0.node_4()
    }
}

impl<L: Lanes, S: SamplerRng> FfSampling<'_, L, S> {
    #[inline(always)]
    fn node(&mut self) -> Result<(), NoSample> {
        L::outline(Split::<'_, '_, true, L, S>(self));
        self.sample_half()?;
        L::outline(Split::<'_, '_, false, L, S>(self));
        self.sample_half()?;
        L::outline(Merge(self));
        Ok(())
    }

    /// Writes the halves of t1 and of the diagonal for the right half of the tree, or of t0 for the left one, to the
    /// first numbers of the scratch.
    #[inline(always)]
    fn split_half(&mut self, right: bool) {
        let quarter = self.t0.len() / 4;
        let (diagonal, target) = match right {
            true => (&*self.gram.g11, &*self.t1),
            false => (&*self.gram.g00, &*self.t0),
        };
        let (t0, t1, mut gram, _) = half_of_scratch(2 * quarter, self.scratch);
        on_lanes!(L, 2, quarter, split_real(diagonal, &mut gram));
        on_lanes!(L, 2, quarter, split(target, t0, t1));
    }

    /// Samples around what [`split_half`](Self::split_half) wrote, in the place of the targets.
    #[inline(always)]
    fn sample_half(&mut self) -> Result<(), NoSample> {
        let half = self.t0.len() / 2;
        let (t0, t1, gram, scratch) = half_of_scratch(half, self.scratch);
        let mut node = FfSampling::<L, S> {
            source: self.source,
            shape: self.shape,
            t0,
            t1,
            gram,
            scratch,
        };
        if half == 4 {
            L::outline(Degree4(&mut node))
        } else {
            L::outline(Node(&mut node))
        }
    }

    /// Degree 4, all in registers: it is here that most of the nodes are.
    #[inline(always)]
    fn node_4(&mut self) -> Result<(), NoSample> {
        // Two complex numbers each, at (0, 2) and (1, 3).
        let at = |p: &[L::Real], i: usize| Complex {
            re: p[i],
            im: p[i + 2],
        };
        let g00 = [self.gram.g00[0], self.gram.g00[1]];
        let (t0, t1, g01) = (&*self.t0, &*self.t1, &*self.gram.g01);
        let (t0, t1) = ([at(t0, 0), at(t0, 1)], [at(t1, 0), at(t1, 1)]);
        let (l10_0, d11_0) = ldl_step(g00[0], at(g01, 0), self.gram.g11[0]);
        let (l10_1, d11_1) = ldl_step(g00[1], at(g01, 1), self.gram.g11[1]);

        let z1 = self.half_of_4([d11_0, d11_1], t1)?;
        let t0 = [
            t0[0].add(t1[0].sub(z1[0]).mul(l10_0)),
            t0[1].add(t1[1].sub(z1[1]).mul(l10_1)),
        ];
        let z0 = self.half_of_4(g00, t0)?;
        for i in 0..2 {
            (self.t0[i], self.t0[i + 2]) = (z0[i].re, z0[i].im);
            (self.t1[i], self.t1[i + 2]) = (z1[i].re, z1[i].im);
        }
        Ok(())
    }

    /// Degree 2, where that is all.
    #[cold]
    fn root_2(&mut self) -> Result<(), NoSample> {
        let at = |p: &[L::Real]| Complex { re: p[0], im: p[1] };
        let gram = (self.gram.g00[0], at(self.gram.g01), self.gram.g11[0]);
        let (t0, t1) = (at(self.t0), at(self.t1));
        let (z0, z1) = self.node_2(gram, t0, t1)?;
        (self.t0[0], self.t0[1]) = (z0.re, z0.im);
        (self.t1[0], self.t1[1]) = (z1.re, z1.im);
        Ok(())
    }

    /// Samples around a target of degree 4, for a real diagonal entry.
    #[inline(always)]
    fn half_of_4(
        &mut self,
        d: [L::Real; 2],
        t: [Complex<L::Real>; 2],
    ) -> Result<[Complex<L::Real>; 2], NoSample> {
        let (f0, f1) = split_real_step(d, 1);
        let (t0, t1) = split_step(t, 1);
        let (z0, z1) = self.node_2((f0, f1, f0), t0, t1)?;
        Ok(merge_step(z0, z1, 1))
    }

    /// Degree 2: one complex number each, and two pairs of integers. The Gram matrix is (g00, g01, g11).
    #[inline(always)]
    #[allow(clippy::type_complexity)]
    fn node_2(
        &mut self,
        (g00, g01, g11): (L::Real, Complex<L::Real>, L::Real),
        t0: Complex<L::Real>,
        t1: Complex<L::Real>,
    ) -> Result<(Complex<L::Real>, Complex<L::Real>), NoSample> {
        let (l10, d11) = ldl_step(g00, g01, g11);
        let z1 = self.leaf(d11, t1)?;
        let z0 = self.leaf(g00, t0.add(t1.sub(z1).mul(l10)))?;
        Ok((z0, z1))
    }

    /// A pair of integers around a target, for one entry of the diagonal.
    #[inline(always)]
    fn leaf(&mut self, d: L::Real, t: Complex<L::Real>) -> Result<Complex<L::Real>, NoSample> {
        let inverse_deviation = d.sqrt() * self.shape.inverse_sigma;
        let centres = [t.re, t.im];
        let [re, im] = self
            .source
            .pair::<L>(self.shape, centres, inverse_deviation)?;
        Ok(Complex { re, im })
    }
}

/// Where a node of degree `half` has its target, its Gram matrix and the rest of the scratch.
#[inline(always)]
#[allow(clippy::type_complexity)]
fn half_of_scratch<R>(
    half: usize,
    scratch: &mut [R],
) -> (&mut [R], &mut [R], Gram<'_, R>, &mut [R]) {
    let (t0, scratch) = scratch.split_at_mut(half);
    let (t1, scratch) = scratch.split_at_mut(half);
    let (g01, scratch) = scratch.split_at_mut(half);
    let (g00, scratch) = scratch.split_at_mut(half / 2);
    let (g11, scratch) = scratch.split_at_mut(half / 2);
    (t0, t1, Gram { g00, g01, g11 }, scratch)
}

/// What comes before a half: the decomposition, and the split of t1 for the right one; z1, by which t0 moves, and the split of
/// t0 for the left one.
struct Split<'s, 'a, const RIGHT: bool, L: Lanes, S>(&'s mut FfSampling<'a, L, S>);

impl<const RIGHT: bool, L: Lanes, S: SamplerRng> Task for Split<'_, '_, RIGHT, L, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let node = self.0;
        let (half, quarter) = (node.t0.len() / 2, node.t0.len() / 4);
        if RIGHT {
            on_lanes!(L, 2, half, ldl(&mut node.gram));
            node.split_half(true);
        } else {
            let (w0, w1) = node.scratch[..2 * half].split_at(half);
            let (t0, t1) = (&mut *node.t0, &mut *node.t1);
            on_lanes!(
                L,
                2,
                quarter,
                merge_and_move((w0, w1), node.gram.g01, t0, t1)
            );
            node.split_half(false);
        }
    }
}

/// After the halves: z0.
struct Merge<'s, 'a, L: Lanes, S>(&'s mut FfSampling<'a, L, S>);

impl<L: Lanes, S: SamplerRng> Task for Merge<'_, '_, L, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let node = self.0;
        let (half, quarter) = (node.t0.len() / 2, node.t0.len() / 4);
        let (w0, w1) = node.scratch[..2 * half].split_at(half);
        on_lanes!(L, 2, quarter, merge(w0, w1, node.t0));
    }
}

impl<R> Gram<'_, R> {
    pub(crate) fn reborrow(&mut self) -> Gram<'_, R> {
        Gram {
            g00: self.g00,
            g01: self.g01,
            g11: self.g11,
        }
    }
}
