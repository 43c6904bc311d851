//! The exports of the module.
#![allow(unsafe_code)]

use crate::engine::Engine;

lanner_wasm_curve::exports!(Engine);
lanner_wasm_curve::signing_exports!();
