//! The exports of the module.
#![allow(unsafe_code)]

use crate::multiply::Base;

lanner_wasm_curve::exports!(Base);
lanner_wasm_curve::signing_exports!();
