//! What the two modules that compute Ed25519 themselves have in common: `small`, written for few
//! bytes, and `fast`, written for speed.
//!
//! Here is what is the same in both: vectors of four lanes, the elements in them and their bounds
//! ([`field`]), the formulas of points as matrices ([`edwards`]), integers modulo L ([`scalar`]), the constants of
//! SHA-512 and its schedule ([`constants`], [`schedule`]), the steps of signing and verifying between which the caller hands the message over, and the
//! rules of the profiles ([`scheme`], [`rule`]), and what a module exports ([`exports!`]).
//!
//! What they do in ways of their own they say by two traits, [`Field`](field::Field) and
//! [`Engine`](scheme::Engine):
//!
//! | | `small` | `fast` |
//! |---|---|---|
//! | products of elements | loops over memory, one copy of the code for all kinds | unrolled, in parts that fit the registers of engines |
//! | many squarings | as products, two lanes of four | word by word, without vectors |
//! | formulas | a linear map read from a word, two bits for a number | shuffles that the compiler derives from the same matrix |
//! | base point | combs of four teeth | a table of 52 windows |
//! | verification | windows over 253 bits | scalars of half the size; one equation for many signatures |
//! | SHA-512 | rolled up; who signs has the schedule in vectors | eight rounds at a time, the schedule in vectors beside them |
//!
//! One body over such a choice would be the slower one for `fast` or the larger one for `small`.
#![no_std]
// Formulas are written with the indices that the papers have.
#![allow(clippy::needless_range_loop)]

mod each;

pub mod constants;
pub mod edwards;
pub mod exports;
pub mod field;
pub mod limbs;
pub mod rule;
pub mod scalar;
pub mod schedule;
pub mod scheme;
pub mod vector;
