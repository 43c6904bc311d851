//! What the benchmark and its runner processes share: the inputs, the tasks, and the protocol.
//!
//! A library under measurement implements [`Library`]. It is measured inside the benchmark's own
//! process, or, where it needs flags, a target or a language of its own, by a runner process that
//! [`serve`](serve::serve)s it, or inside a WebAssembly module that [`wasm_exports`] makes.

#[macro_use]
mod dalek_shaped;
#[macro_use]
mod fn_dsa_shaped;
pub mod judge;
mod operation;
pub mod pairs;
mod pool;
#[macro_use]
mod ristretto_shaped;
pub mod serve;
mod task;
pub mod wasm;

pub use fn_dsa_shaped::FixedBytes;
pub use operation::{Library, Operation, each, runs};
pub use pool::{Pool, SINGLES};
pub use task::{
    BATCHES, FN_DSA_KEYS, FN_DSA_MANY, FN_DSA_PAIRS, FnDsa, MANY, Ristretto, SUMS, Scheme, Task,
};
