//! The C library: `cargo xtask c`, `c-install`, `dist` and `c-bench`, and its steps in the test run.
//!
//! Cargo makes a static library with a name of its own and thousands of symbols. What a C program
//! wants is gathered from it here: one object with nothing global but the declared functions, which is parted into
//! members (`split`), and one for each name of ed25519-donna and curve25519-donna, as `liblanner.a`; the same, linked with soname and
//! version script, as `liblanner.so`, and without those names as `liblanner-core.so`; and the files by
//! which pkg-config and CMake find them. (cargo-c does not serve: it neither localises symbols nor
//! links with a version script, and writes no CMake files.)

mod bare_metal;
pub(crate) mod bench;
mod beside;
pub(crate) mod build;
mod checks;
mod context;
mod data;
pub(crate) mod debug;
pub(crate) mod dist;
mod documents;
mod exports;
pub(crate) mod foreign;
mod glibc;
pub(crate) mod install;
mod instrumented;
mod layout;
mod manual;
mod packages;
mod programs;
mod recipes;
mod sizes;
mod split;
mod steps;
mod turn;
mod windows;

pub(crate) use checks::interop_program;
pub(crate) use steps::{Steps, interop_step};
