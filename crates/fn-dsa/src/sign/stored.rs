//! The signing core with the transformed basis and the LDL tree at hand: for one target, and for several side by side.
//! The results are those of [`sample`](super::sample), to the bit.

use lanner_simd::{F64, Isa, Operation, Task};

use super::{BasisPacks, SigningBasis, difference, transformed_basis};
use crate::ffsampling::each::SamplingEach;
use crate::ffsampling::stored::{Growing, Sampling, tree_len};
use crate::ffsampling::{Gram, on_lanes};
use crate::fft::{self, Complex};
use crate::fpr::{self, Floating, Fpr, Lanes, Real};
use crate::params::{LOGN_MAX, N_MAX};
use crate::sampler::shared::Shared;
use crate::sampler::tables::INVERSE_Q;
use crate::sampler::wide::FastSource;
use crate::sampler::{NoSample, SamplerRng, SamplerTables, Shape};
use crate::vectors::{dispatch, dispatch_widest};
use crate::wiping::wipe;

/// The transformed basis of a key and its LDL tree: (5 + log2(`N`)) `N` numbers of 8 bytes, at 512 and less one row
/// more. Wiped when dropped.
pub(crate) struct StoredTree<const N: usize> {
    /// 0 while there is none.
    pub(crate) logn: u32,
    tables: SamplerTables,
    basis: [[Fpr; N]; 4],
    tree: [[Fpr; N]; LOGN_MAX as usize + 1],
}

/// How many numbers are needed as scratch, for growing a tree and for sampling over it.
const fn scratch_len(logn: u32) -> usize {
    4 << logn
}

impl<const N: usize> StoredTree<N> {
    /// None yet.
    pub(crate) const EMPTY: Self = Self {
        logn: 0,
        tables: SamplerTables::Rcdt72,
        basis: [[Fpr::ZERO; N]; 4],
        tree: [[Fpr::ZERO; N]; LOGN_MAX as usize + 1],
    };

    /// Becomes the tree of a basis of degree 2^`logn`, 4 at least. `scratch` has `scratch_len` numbers, and secrets
    /// afterwards.
    pub(crate) fn grow(
        &mut self,
        logn: u32,
        basis: &SigningBasis<'_>,
        tables: SamplerTables,
        scratch: &mut [Fpr],
    ) {
        const { assert!(N <= N_MAX) }
        assert!(logn >= 2 && basis.f.len() == 1 << logn);
        fpr::prepare();
        (self.logn, self.tables) = (logn, tables);
        dispatch_widest(Grow {
            stored: self,
            basis,
            scratch: &mut scratch[..scratch_len(logn)],
        });
    }

    /// Becomes empty.
    pub(crate) fn wipe(&mut self) {
        wipe(self.basis.as_flattened_mut(), Fpr::ZERO);
        wipe(self.tree.as_flattened_mut(), Fpr::ZERO);
        self.logn = 0;
    }

    fn basis(&self) -> &[Fpr] {
        &self.basis.as_flattened()[..4 << self.logn]
    }

    fn tree(&self) -> &[Fpr] {
        &self.tree.as_flattened()[..tree_len(self.logn)]
    }

    /// As [`sample`](super::sample).
    pub(crate) fn sample<S: SamplerRng>(
        &self,
        c: &[u16],
        source: &mut S,
        (s1, s2): (&mut [i16], &mut [i16]),
        scratch: &mut [Fpr],
    ) -> Result<(), NoSample> {
        let n = 1 << self.logn;
        assert!(self.logn >= 2 && c.len() == n && s1.len() == n && s2.len() == n);
        dispatch(Sample {
            stored: self,
            c,
            source,
            outputs: (s1, s2),
            scratch: &mut scratch[..scratch_len(self.logn)],
        })
    }

    /// [`sample`](Self::sample) for as many targets at once as there are lanes now; how many that is.
    pub(crate) fn sample_each(&self, space: &mut SpaceEach<N>) -> Result<usize, NoSample> {
        assert!(self.logn >= 2);
        dispatch_widest(SampleEach {
            stored: self,
            space,
        })
    }
}

impl<const N: usize> Drop for StoredTree<N> {
    fn drop(&mut self) {
        self.wipe();
    }
}

struct Grow<'a, const N: usize> {
    stored: &'a mut StoredTree<N>,
    basis: &'a SigningBasis<'a>,
    scratch: &'a mut [Fpr],
}

impl<const N: usize> Operation for Grow<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        grow::<<I as Floating>::Lanes, N>(self.stored, self.basis, self.scratch);
    }
}

#[inline(always)]
fn grow<L: Lanes<Real = Fpr>, const N: usize>(
    stored: &mut StoredTree<N>,
    basis: &SigningBasis<'_>,
    scratch: &mut [Fpr],
) {
    let (logn, n) = (stored.logn, 1 << stored.logn);
    let shape = Shape::<Fpr>::new(logn, stored.tables);
    let b = transformed_basis::<L>(logn, basis, stored.basis.as_flattened_mut());
    let (g01, scratch) = scratch.split_at_mut(n);
    let (g00, scratch) = scratch.split_at_mut(n / 2);
    let (g11, scratch) = scratch.split_at_mut(n / 2);
    let mut gram = Gram { g00, g01, g11 };
    on_lanes!(L, 1, n / 2, gram_matrix(b, &mut gram));
    L::outline(Growing::<L> {
        inverse_sigma: shape.inverse_sigma,
        gram,
        tree: &mut stored.tree.as_flattened_mut()[..tree_len(logn)],
        scratch,
    });
}

/// The Gram matrix of a basis.
#[inline(always)]
fn gram_matrix<L: Lanes>(basis: &[L::Real], gram: &mut Gram<'_, L::Real>) {
    let half = basis.len() / 8;
    let basis = BasisPacks::<L>::new(basis);
    let (g01_re, g01_im) = gram.g01.split_at_mut(half);
    let (g01_re, g01_im) = (L::packs_mut(g01_re), L::packs_mut(g01_im));
    let (g00, g11) = (L::packs_mut(gram.g00), L::packs_mut(gram.g11));
    for i in 0..g00.len() {
        let [b00, b01, b10, b11] = basis.at(i);
        (b00.norm() + b01.norm()).store(&mut g00[i]);
        (b10.norm() + b11.norm()).store(&mut g11[i]);
        let g01 = b00.mul_conj(b10).add(b01.mul_conj(b11));
        g01.store(&mut g01_re[i], &mut g01_im[i]);
    }
}

struct Sample<'a, S, const N: usize> {
    stored: &'a StoredTree<N>,
    c: &'a [u16],
    source: &'a mut S,
    outputs: (&'a mut [i16], &'a mut [i16]),
    scratch: &'a mut [Fpr],
}

impl<S: SamplerRng, const N: usize> Operation for Sample<'_, S, N> {
    type Output = Result<(), NoSample>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Self::Output {
        let Self {
            stored,
            c,
            source,
            outputs,
            scratch,
        } = self;
        if cfg!(target_family = "wasm") && I::F64::LANES > 1 {
            let source = &mut Shared::<<I as Floating>::Lanes>::new(source);
            sample::<<I as Floating>::Lanes, _, N>(stored, c, source, outputs, scratch)
        } else {
            sample::<<I as Floating>::Lanes, _, N>(stored, c, source, outputs, scratch)
        }
    }
}

fn sample<L: Lanes<Real = Fpr>, S: SamplerRng, const N: usize>(
    stored: &StoredTree<N>,
    c: &[u16],
    source: &mut S,
    (s1, s2): (&mut [i16], &mut [i16]),
    scratch: &mut [Fpr],
) -> Result<(), NoSample> {
    let (t0, scratch) = scratch.split_at_mut(c.len());
    let (t1, scratch) = scratch.split_at_mut(c.len());
    let basis = stored.basis();
    L::outline(Before::<L> { basis, c, t0, t1 });
    L::outline(Sampling::<L, S> {
        source,
        shape: &Shape::new(stored.logn, stored.tables),
        t0,
        t1,
        tree: stored.tree(),
        scratch,
    })?;
    L::outline(After::<L> {
        basis,
        c,
        z: (t0, t1),
        outputs: (s1, s2),
    });
    Ok(())
}

/// The target in the coordinates of the basis, as a task.
struct Before<'a, L: Lanes> {
    basis: &'a [L::Real],
    c: &'a [u16],
    t0: &'a mut [L::Real],
    t1: &'a mut [L::Real],
}

impl<L: Lanes> Task for Before<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (t, &c) in self.t0.iter_mut().zip(self.c) {
            *t = L::Real::from_i32(i32::from(c));
        }
        fft::forward::<L>(self.c.len().ilog2(), self.t0);
        on_lanes!(L, 1, self.c.len() / 2, target(self.basis, self.t0, self.t1));
    }
}

/// (t0, t1) = c B^-1, from c in place of t0.
#[inline(always)]
fn target<L: Lanes>(basis: &[L::Real], t0: &mut [L::Real], t1: &mut [L::Real]) {
    let half = basis.len() / 8;
    let basis = BasisPacks::<L>::new(basis);
    let (t0_re, t0_im) = t0.split_at_mut(half);
    let (t0_re, t0_im) = (L::packs_mut(t0_re), L::packs_mut(t0_im));
    let (t1_re, t1_im) = t1.split_at_mut(half);
    let (t1_re, t1_im) = (L::packs_mut(t1_re), L::packs_mut(t1_im));
    let scale = L::splat(L::Real::from_bits(INVERSE_Q));
    for i in 0..t0_re.len() {
        let [_, b01, _, b11] = basis.at(i);
        let c = Complex::load(&t0_re[i], &t0_im[i]);
        c.mul(b11).scale(scale).store(&mut t0_re[i], &mut t0_im[i]);
        c.mul(b01).scale(-scale).store(&mut t1_re[i], &mut t1_im[i]);
    }
}

/// The vector, as a task.
struct After<'a, L: Lanes> {
    basis: &'a [L::Real],
    c: &'a [u16],
    z: (&'a mut [L::Real], &'a mut [L::Real]),
    outputs: (&'a mut [i16], &'a mut [i16]),
}

impl<L: Lanes> Task for After<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        difference::<L>(self.basis, self.c, self.z, self.outputs);
    }
}

/// The most lanes of any vectors.
pub(crate) const MAX_LANES: usize = 8;

/// How many targets [`StoredTree::sample_each`] has.
pub(crate) fn lanes() -> usize {
    struct Count;
    impl Operation for Count {
        type Output = usize;

        #[inline(always)]
        fn run<I: Isa>(self) -> usize {
            <<I as Floating>::Lanes as F64>::LANES
        }
    }
    dispatch_widest(Count)
}

/// Targets side by side, and the memory for them.
#[repr(C, align(64))]
pub(crate) struct SpaceEach<const N: usize> {
    scratch: [[[Fpr; N]; MAX_LANES]; 4],
    pub(crate) c: [[u16; N]; MAX_LANES],
    pub(crate) s1: [[i16; N]; MAX_LANES],
    pub(crate) s2: [[i16; N]; MAX_LANES],
    pub(crate) sources: [FastSource; MAX_LANES],
}

impl<const N: usize> SpaceEach<N> {
    pub(crate) fn new() -> Self {
        Self {
            scratch: [[[Fpr::ZERO; N]; MAX_LANES]; 4],
            c: [[0; N]; MAX_LANES],
            s1: [[0; N]; MAX_LANES],
            s2: [[0; N]; MAX_LANES],
            sources: core::array::from_fn(|_| FastSource::empty()),
        }
    }

    pub(crate) fn wipe(&mut self) {
        wipe(
            self.scratch.as_flattened_mut().as_flattened_mut(),
            Fpr::ZERO,
        );
        wipe(self.c.as_flattened_mut(), 0);
        wipe(self.s1.as_flattened_mut(), 0);
        wipe(self.s2.as_flattened_mut(), 0);
        for source in &mut self.sources {
            source.forget();
        }
    }
}

struct SampleEach<'a, const N: usize> {
    stored: &'a StoredTree<N>,
    space: &'a mut SpaceEach<N>,
}

impl<const N: usize> Operation for SampleEach<'_, N> {
    type Output = Result<usize, NoSample>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Self::Output {
        sample_each::<<I as Floating>::Lanes, N>(self.stored, self.space)
    }
}

fn sample_each<L: Lanes<Real = Fpr>, const N: usize>(
    stored: &StoredTree<N>,
    space: &mut SpaceEach<N>,
) -> Result<usize, NoSample> {
    let n = 1 << stored.logn;
    let numbers = space.scratch.as_flattened_mut().as_flattened_mut();
    let (t0, rest) = numbers.split_at_mut(n * L::LANES);
    let (t1, rest) = rest.split_at_mut(n * L::LANES);
    let rest = &mut rest[..2 * n * L::LANES];
    let basis = stored.basis();
    let c = &space.c;
    L::outline(BeforeEach::<L, N> { basis, c, t0, t1 });
    L::outline(SamplingEach::<L, _> {
        sources: &mut space.sources[..L::LANES],
        shape: &Shape::new(stored.logn, stored.tables),
        t0: L::packs_mut(t0),
        t1: L::packs_mut(t1),
        tree: stored.tree(),
        scratch: L::packs_mut(rest),
    })?;
    L::outline(AfterEach::<L, N> {
        basis,
        c,
        z: (t0, t1),
        outputs: (&mut space.s1, &mut space.s2),
    });
    Ok(L::LANES)
}

/// [`Before`], a target in each lane.
struct BeforeEach<'a, L: Lanes, const N: usize> {
    basis: &'a [L::Real],
    c: &'a [[u16; N]; MAX_LANES],
    t0: &'a mut [L::Real],
    t1: &'a mut [L::Real],
}

/// (b00, b01, b10, b11) in place i, in every lane.
#[inline(always)]
fn basis_at<L: Lanes>(basis: &[L::Real], i: usize) -> [Complex<L>; 4] {
    let half = basis.len() / 8;
    macro_rules! polynomials {
        ($($k:literal)+) => {
            [$(Complex {
                re: L::splat(basis[2 * $k * half + i]),
                im: L::splat(basis[(2 * $k + 1) * half + i]),
            }),+]
        };
    }
    polynomials!(0 1 2 3)
}

impl<L: Lanes, const N: usize> Task for BeforeEach<'_, L, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let half = self.basis.len() / 8;
        for (i, t) in self.t0.chunks_exact_mut(L::LANES).enumerate() {
            for (t, c) in t.iter_mut().zip(self.c) {
                *t = L::Real::from_i32(i32::from(c[i]));
            }
        }
        fft::forward_each::<L>(half.ilog2() + 1, self.t0);
        let (t0_re, t0_im) = L::packs_mut(self.t0).split_at_mut(half);
        let (t1_re, t1_im) = L::packs_mut(self.t1).split_at_mut(half);
        let scale = L::splat(L::Real::from_bits(INVERSE_Q));
        for i in 0..half {
            let [_, b01, _, b11] = basis_at::<L>(self.basis, i);
            let c = Complex::load(&t0_re[i], &t0_im[i]);
            c.mul(b11).scale(scale).store(&mut t0_re[i], &mut t0_im[i]);
            c.mul(b01).scale(-scale).store(&mut t1_re[i], &mut t1_im[i]);
        }
    }
}

/// [`After`], a target in each lane.
struct AfterEach<'a, L: Lanes, const N: usize> {
    basis: &'a [L::Real],
    c: &'a [[u16; N]; MAX_LANES],
    z: (&'a mut [L::Real], &'a mut [L::Real]),
    outputs: (&'a mut [[i16; N]; MAX_LANES], &'a mut [[i16; N]; MAX_LANES]),
}

impl<L: Lanes, const N: usize> Task for AfterEach<'_, L, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let half = self.basis.len() / 8;
        let logn = half.ilog2() + 1;
        let (z0, z1) = self.z;
        let (z0_re, z0_im) = L::packs_mut(z0).split_at_mut(half);
        let (z1_re, z1_im) = L::packs_mut(z1).split_at_mut(half);
        for i in 0..half {
            let [b00, b01, b10, b11] = basis_at::<L>(self.basis, i);
            let a = Complex::load(&z0_re[i], &z0_im[i]);
            let b = Complex::load(&z1_re[i], &z1_im[i]);
            let first = a.mul(b00).add(b.mul(b10));
            let second = a.mul(b01).add(b.mul(b11));
            first.store(&mut z0_re[i], &mut z0_im[i]);
            second.store(&mut z1_re[i], &mut z1_im[i]);
        }
        fft::inverse_each::<L>(logn, z0);
        fft::inverse_each::<L>(logn, z1);
        let (s1, s2) = self.outputs;
        for (lane, ((s1, s2), c)) in s1.iter_mut().zip(s2).zip(self.c).take(L::LANES).enumerate() {
            let z0 = z0.chunks_exact(L::LANES).map(|z| z[lane]);
            let z1 = z1.chunks_exact(L::LANES).map(|z| z[lane]);
            for ((s, z), c) in s1.iter_mut().zip(z0).zip(c) {
                *s = (*c as i16).wrapping_sub(z.round() as i16);
            }
            for (s, z) in s2.iter_mut().zip(z1) {
                *s = 0_i16.wrapping_sub(z.round() as i16);
            }
        }
    }
}

#[cfg(all(test, feature = "keygen"))]
mod tests {
    extern crate std;

    use std::boxed::Box;
    use std::vec::Vec;

    use super::*;
    use crate::sign::tests::{fresh_key, point};

    /// Targets, and the vectors for them.
    #[derive(Clone)]
    struct Each<'a> {
        stored: &'a StoredTree<512>,
        targets: &'a [Vec<u16>],
        expected: &'a [(Vec<i16>, Vec<i16>)],
    }

    fn source(lane: usize) -> FastSource {
        FastSource::from_seed([lane as u8; 32])
    }

    impl Operation for Each<'_> {
        type Output = ();

        #[inline(always)]
        fn run<I: Isa>(self) {
            let mut space = Box::new(SpaceEach::<512>::new());
            for (lane, target) in self.targets.iter().enumerate() {
                space.c[lane][..target.len()].copy_from_slice(target);
                space.sources[lane] = source(lane);
            }
            let sampled = sample_each::<<I as Floating>::Lanes, 512>(self.stored, &mut space);
            assert!(sampled.is_ok(), "{}", I::NAME);
            for lane in 0..<<I as Floating>::Lanes as F64>::LANES {
                let (s1, s2) = &self.expected[lane];
                assert_eq!(space.s1[lane][..s1.len()], s1[..], "{} {lane}", I::NAME);
                assert_eq!(space.s2[lane][..s2.len()], s2[..], "{} {lane}", I::NAME);
            }
        }
    }

    /// On the vectors of every instruction set: what signs many would otherwise sign again what came out wrong, one by one.
    #[test]
    fn targets_side_by_side_are_single_ones() {
        for logn in [2, 5, 9] {
            let n = 1 << logn;
            let key = fresh_key(logn, b"side by side");
            let mut scratch = std::vec![Fpr::ZERO; scratch_len(logn)];
            let mut stored = Box::new(StoredTree::<512>::EMPTY);
            stored.grow(logn, &key.borrow(), SamplerTables::Rcdt72, &mut scratch);
            let targets: Vec<_> = (0..MAX_LANES as u8)
                .map(|lane| point(logn, &[b"target", &[lane]], false))
                .collect();
            let expected: Vec<_> = (0..)
                .zip(&targets)
                .map(|(lane, target)| {
                    let (mut s1, mut s2) = (std::vec![0; n], std::vec![0; n]);
                    let outputs = (&mut *s1, &mut *s2);
                    let sampled = stored.sample(target, &mut source(lane), outputs, &mut scratch);
                    assert!(sampled.is_ok(), "a key");
                    (s1, s2)
                })
                .collect();
            lanner_simd::everywhere(Each {
                stored: &stored,
                targets: &targets,
                expected: &expected,
            });
        }
    }
}
