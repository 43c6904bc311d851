//! What machine code computes, for all inputs within bounds.
//!
//! A function of x86-64 is run instruction by instruction, as it lies in the memory of this process, but on unknowns: each
//! register and each place in memory holds a polynomial in the inputs, and bounds. So one run through straight-line code shows
//! what it computes for every input: that a product of limbs is, mod p, the product of the numbers that the limbs stand
//! for; that limbs come out below what is promised; and wherever the compiler tests for an overflow, that there is none,
//! because a branch is only followed that is certain.
//!
//! What comes from inputs may not steer: a branch or an address that depends on them ends the run. So this
//! shows, beside, that these functions take the same way for all inputs within their bounds.
//!
//! See [`Run`].

mod machine;
mod memory;
mod polynomial;
mod unknowns;
mod word;

pub use machine::{Number, Run};
