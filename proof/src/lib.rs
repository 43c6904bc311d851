//! What machine code computes, for all inputs within bounds.
//!
//! A function of x86-64, 32-bit x86 or AArch64 is run instruction by instruction, as it lies in the memory of this process, which is
//! a program of that processor and may run under an emulator; but on unknowns: each
//! register and each place in memory holds a polynomial in the inputs, and bounds. So one run through straight-line code shows
//! what it computes for every input: that a product of limbs is, mod p, the product of the numbers that the limbs stand
//! for; that limbs come out below what is promised; and wherever the compiler tests for an overflow, that there is none,
//! because a branch is only followed that is certain.
//!
//! What comes from inputs may not steer: a branch or an address that depends on them ends the run. So this
//! shows, beside, that these functions take the same way for all inputs within their bounds.
//!
//! See [`Run`].

#![cfg(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64"))]

mod machine;
mod memory;
mod polynomial;
mod unknowns;
mod word;

pub use machine::{Number, Run};
