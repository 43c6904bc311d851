//! Bodies of the fuzz targets: one function a family of decoders. Each takes arbitrary bytes, must not panic
//! unless a property fails, and holds whatever decodes to this: encoding it gives the same bytes back
//! (or, of formats that have several forms, bytes which decode to the same value).
//!
//! The fuzzers (in `libfuzzer/`, a workspace of its own) call them with coverage as a guide; the test
//! in `tests/` calls them on any toolchain, with random bytes and with spoiled good ones.

mod agree;
pub mod backends;
pub mod batch;
mod bytes;
pub mod curve;
pub mod ed25519;
pub mod falcon_signatures;
pub mod fn_dsa_files;
pub mod fn_dsa_keys;
pub mod fn_dsa_signatures;
mod items;
pub mod x25519;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: that of the binary, too.
    pub name: &'static str,
    /// The body.
    pub run: fn(&[u8]),
    /// Inputs that decode: where a fuzzer begins.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target {
        name: "backends",
        run: backends::run,
        seeds: backends::seeds,
    },
    Target {
        name: "batch",
        run: batch::run,
        seeds: batch::seeds,
    },
    Target {
        name: "curve",
        run: curve::run,
        seeds: curve::seeds,
    },
    Target {
        name: "fn_dsa_keys",
        run: fn_dsa_keys::run,
        seeds: fn_dsa_keys::seeds,
    },
    Target {
        name: "fn_dsa_signatures",
        run: fn_dsa_signatures::run,
        seeds: fn_dsa_signatures::seeds,
    },
    Target {
        name: "falcon_signatures",
        run: falcon_signatures::run,
        seeds: falcon_signatures::seeds,
    },
    Target {
        name: "fn_dsa_files",
        run: fn_dsa_files::run,
        seeds: fn_dsa_files::seeds,
    },
    Target {
        name: "ed25519",
        run: ed25519::run,
        seeds: ed25519::seeds,
    },
    Target {
        name: "x25519",
        run: x25519::run,
        seeds: x25519::seeds,
    },
];
