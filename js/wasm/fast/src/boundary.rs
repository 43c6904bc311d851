//! The exports of the module.
#![allow(unsafe_code)]

use crate::engine::Engine;

lanner_wasm_curve::exports!(Engine);
lanner_wasm_curve::signing_exports!();

/// Whether all of some signatures are found valid together, of which the input has `count` items.
#[unsafe(no_mangle)]
extern "C" fn b(count: usize, rules: u32) -> bool {
    let items = &state().io.as_chunks().0;
    engine().vartime_are_valid(&items[..count.min(items.len())], rules)
}
