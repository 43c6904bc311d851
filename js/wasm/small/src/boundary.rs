//! The exports of the module.
#![allow(unsafe_code)]

use crate::engine::Engine;

lanner_wasm_curve::exports!(Engine);
#[cfg(feature = "sign")]
lanner_wasm_curve::signing_exports!();

/// X25519 of two inputs to the output.
#[cfg(feature = "x25519")]
#[unsafe(no_mangle)]
extern "C" fn x() {
    let state = state();
    let product = crate::montgomery::x25519(&state.input(0), &state.input(32));
    state.io[..32].copy_from_slice(&product);
}
