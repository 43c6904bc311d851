//! The machine, for every crate: vectors, what proves that the processor has them, which of them do the
//! work, a clean stack ([`stack`]), how doubles round ([`rounding`]), memory for one thing after another ([`memory`]), and masks that stay masks ([`mask`]).
//!
//! | what | where |
//! |---|---|
//! | does the processor have it? | witnesses: [`Avx2`], [`Avx512Ifma`], [`Adx`], [`Bmi`] |
//! | which instructions do the work? | [`backend`] |
//! | what computes with vectors | traits, one for each kind of lane: [`U64`] with [`Groups`] and [`MulAdd52`], [`U32`], [`I64`], [`F64`] |
//! | the vectors of an instruction set | [`Isa`], for [`Operation`]s |
//!
//! # The type is the proof
//!
//! A *witness* is a value that exists only where the processor (and the operating system, for the wider
//! registers) has a feature: the only way to make one is its `detect`. The vector types of an instruction set have no
//! name outside this crate. They are reached as the associated types of an [`Isa`], and a type that is an [`Isa`]
//! has no name either, but for [`Portable`], which needs nothing of a processor: an [`Operation`] is generic over it,
//! and only [`Avx2::enter`] and its like instantiate it. So safe code that names a vector type runs where its instructions exist, and the functions that make
//! vectors from numbers need no argument that says so.
//!
//! ```
//! use lanner_simd::{Isa, Operation, U64, portable};
//!
//! /// Sums two rows of four words.
//! struct Sum<'a>(&'a mut [u64; 4], &'a [u64; 4]);
//!
//! impl Operation for Sum<'_> {
//!     type Output = ();
//!
//!     #[inline(always)]
//!     fn run<I: Isa>(self) {
//!         let sum = I::U64x4::load(self.0).add(I::U64x4::load(self.1));
//!         sum.store(self.0);
//!     }
//! }
//!
//! let mut row = [1, 2, 3, u64::MAX];
//! match lanner_simd::backend::avx2() {
//!     Some(witness) => witness.enter(Sum(&mut row, &[1; 4])),
//!     None => portable(Sum(&mut row, &[1; 4])),
//! }
//! assert_eq!(row, [2, 3, 4, 0]);
//! ```
//!
//! # Vector code stays vector code
//!
//! `enter` calls a function that is compiled for the instructions, and everything below it must be inlined
//! into that function: whatever the compiler does not inline is compiled without them, and each
//! instruction becomes a call. So all of it is `#[inline(always)]`, and long code does not go through closures, which
//! cannot promise it. Code that should be a function of its own enters once more, by [`Isa::outline`].
//!
//! # Features
//!
//! * `getrandom`: `OsRng`, the generator of the operating system; nothing on WebAssembly without WASI.
//! * `fiat`: names the backends of the curve's formally verified field in [`backend::list`]. The feature of `lanner-curve`
//!   brings it, with the field itself.
//! * `simd128`: the vectors of WebAssembly, where the target's features do not have them; elsewhere it means nothing.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod backend;
mod everywhere;
mod isa;
pub mod mask;
pub mod memory;
#[cfg(all(
    feature = "getrandom",
    not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
))]
mod os_rng;
pub mod rounding;
mod settings;
pub mod stack;
mod vector;
mod witness;

pub use backend::Backend;
pub use everywhere::{everywhere, everywhere_ifma};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use isa::scalar::floor_to_u64;
pub use isa::{
    Fma, FmaOperation, Ifma, IfmaOperation, Isa, Operation, Portable, baseline, portable,
    portable_ifma,
};
pub use mask::Mask;
#[cfg(all(
    feature = "getrandom",
    not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
))]
pub use os_rng::{NoRandomness, OsRng};
pub use vector::{
    Each, F64, Groups, I16, I64, MulAdd52, MulAddF64, Pairs, Parts, Plain, PlainPairs, PlainU32x4,
    Rows, U32, U32x4, U64, difference_of_halves, order, splat, splat_pairs, splat_u32x4,
};
pub use witness::{Adx, Avx2, Avx512Ifma, Bmi};

/// Work without vectors for the `run` of a witness, or for [`Isa::outline`].
///
/// A closure is a task, but only a named type can promise with `#[inline(always)]`
/// on its `run` that the work is compiled for the feature: where the compiler chooses
/// not to inline a closure, every vector instruction in it becomes a call.
pub trait Task {
    /// What the work gives.
    type Output;

    /// Does the work; to be implemented with `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

impl<F: FnOnce() -> R, R> Task for F {
    type Output = R;

    #[inline(always)]
    fn run(self) -> R {
        self()
    }
}

/// The program of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
