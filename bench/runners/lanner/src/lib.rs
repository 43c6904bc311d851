//! Lanner, as a WebAssembly module or for a runner process.

use lanner_bench_kit::{Library, Operation, Pool, Task, dalek_shaped};

/// Ed25519 and X25519, on the backend that is active.
pub struct Lanner;

dalek_shaped!(tasks, lanner_ed25519, lanner_x25519);

impl Library for Lanner {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        tasks(task, pool)
    }
}

#[cfg(target_arch = "wasm32")]
lanner_bench_kit::wasm_exports!(Lanner);
