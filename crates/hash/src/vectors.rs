//! Which vectors do the work.

use lanner_simd::backend::{self, Backend};
use lanner_simd::{Avx2, Avx512Ifma, Isa, Operation, U64, baseline, portable};

/// The most lanes that any vector has.
pub(crate) const MAX_LANES: usize = 8;

/// A computation on vectors of words, one word of each message.
///
/// The method is a generic closure that can be, and must be, `#[inline(always)]`.
pub(crate) trait Kernel {
    fn run<V: U64>(self);
}

/// The widest vectors that may be used.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Vectors {
    /// One word at a time.
    Portable,
    /// Two words: NEON, WebAssembly. (Those of SSE2 have no rotation, and few registers.)
    Two,
    Four(Avx2),
    /// Eight words, and four for few messages.
    Eight(Avx512Ifma),
}

impl Vectors {
    /// Those that the processor has and the active backend permits.
    #[inline]
    pub(crate) fn active() -> Self {
        if let Some(witness) = backend::avx512() {
            return Self::Eight(witness);
        }
        if let Some(witness) = backend::avx2() {
            return Self::Four(witness);
        }
        // A module for WebAssembly has one way, because it is loaded from afar.
        if cfg!(target_family = "wasm") {
            return if backend::has_baseline() {
                Self::Two
            } else {
                Self::Portable
            };
        }
        match backend::active() {
            Backend::Neon => Self::Two,
            _ => Self::Portable,
        }
    }

    /// All that this processor has.
    #[cfg(test)]
    pub(crate) fn all() -> std::vec::Vec<Self> {
        let two = backend::list().any(|b| matches!(b, Backend::Neon | Backend::Simd128));
        [
            Some(Self::Portable),
            two.then_some(Self::Two),
            Avx2::detect().map(Self::Four),
            Avx512Ifma::detect().map(Self::Eight),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// How many words its vectors have.
    pub(crate) const fn lanes(self) -> usize {
        match self {
            Self::Portable => 1,
            Self::Two => 2,
            Self::Four(_) => 4,
            Self::Eight(_) => 8,
        }
    }

    /// How many lanes have the vectors that suit so many messages (at least one): a vector that
    /// is partly idle takes as long as a full one, which is no loss until fewer lanes would be
    /// faster.
    #[inline]
    pub(crate) const fn width(self, messages: usize) -> usize {
        match (self, messages) {
            (Self::Portable, _) | (_, 0..=1) => 1,
            (Self::Two, _) => 2,
            (Self::Four(_), _) | (Self::Eight(_), 2..=4) => 4,
            (Self::Eight(_), _) => 8,
        }
    }

    /// Runs a kernel on vectors of [`width`](Self::width) lanes, in a function of its own, and returns that width.
    #[inline]
    pub(crate) fn run(self, messages: usize, kernel: impl Kernel) -> usize {
        let width = self.width(messages);
        match (self, width) {
            (Self::Eight(witness), 8) => witness.enter(Widest(kernel)),
            (Self::Eight(witness), 4) => witness.enter(Four(kernel)),
            (Self::Four(witness), 4) => witness.enter(Widest(kernel)),
            (Self::Two, 2) => baseline(Widest(kernel)),
            _ => portable(Widest(kernel)),
        }
        width
    }
}

/// A kernel on the longest vectors of an instruction set.
pub(crate) struct Widest<K>(pub(crate) K);

impl<K: Kernel> Operation for Widest<K> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        self.0.run::<I::U64>();
    }
}

/// A kernel on vectors of four words.
pub(crate) struct Four<K>(pub(crate) K);

impl<K: Kernel> Operation for Four<K> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        self.0.run::<I::U64x4>();
    }
}

/// A kernel on vectors of eight words.
#[cfg(test)]
pub(crate) struct Eight<K>(pub(crate) K);

#[cfg(test)]
impl<K: Kernel> lanner_simd::IfmaOperation for Eight<K> {
    type Output = ();

    #[inline(always)]
    fn run<I: lanner_simd::Ifma>(self) {
        self.0.run::<I::U64x8>();
    }
}
