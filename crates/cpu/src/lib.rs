//! Witnesses of CPU features.
//!
//! A witness is a value that exists only where the processor (and the
//! operating system, for the wider registers) supports a feature: the only way
//! to make one is its `detect`. Code that needs the feature takes the witness
//! as an argument or keeps it in a type, and is then sound to call.
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

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub use x86_64::Adx;
