//! ed25519-dalek and x25519-dalek, as a WebAssembly module or for a runner process.

use lanner_bench_kit::{Library, Operation, Pool, Task, dalek_shaped};

/// The two libraries, without batches: those need randomness.
pub struct Dalek;

dalek_shaped!(tasks, ed25519_dalek, x25519_dalek);

impl Library for Dalek {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        tasks(task, pool)
    }
}

#[cfg(target_arch = "wasm32")]
lanner_bench_kit::wasm_exports!(Dalek);
