//! What all crates need of the machine: witnesses of CPU features, a clean stack ([`stack`]),
//! and masks that stay masks ([`mask`]).
//!
//! A witness is a value that exists only where the processor (and the
//! operating system, for the wider registers) supports a feature: the only way
//! to make one is its `detect`. Code that needs the feature takes the witness
//! as an argument or keeps it in a type, and is then sound to call; `run` enters
//! a function that is compiled for the feature.
//!
//! Detection is cached by `cpufeatures`; after the first call it is one load.
//!
//! ```
//! #[cfg(target_arch = "x86_64")]
//! match lanner_cpu::Adx::detect() {
//!     Some(_) => println!("two carry chains"),
//!     None => println!("portable code"),
//! }
//! ```
#![no_std]

pub mod mask;
#[cfg(all(feature = "getrandom", not(target_family = "wasm")))]
mod os_rng;
pub mod stack;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86;
pub use mask::Mask;
#[cfg(all(feature = "getrandom", not(target_family = "wasm")))]
pub use os_rng::OsRng;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub use x86::Avx2;
#[cfg(target_arch = "x86_64")]
pub use x86::{Adx, Avx512Ifma, Bmi};

/// Work for the `run` of a witness.
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
