//! Bodies of the fuzz targets. Each takes arbitrary bytes, and must not panic unless a property fails. Those of decoders
//! hold whatever decodes to this: encoding it gives the same bytes back (or, of formats that have several forms, bytes
//! which decode to the same value). The others compare: every backend with every other, a batch with its signatures one by
//! one, one face with another.
//!
//! The fuzzers (in `libfuzzer/`, a workspace of its own) call them with coverage as a guide; the test
//! in `tests/` calls them on any toolchain, with random bytes, with spoiled good ones, and with the inputs that a search
//! found worth keeping ([`corpus`]).

mod agree;
pub mod arrow;
pub mod backends;
pub mod batch;
mod bytes;
pub mod c_face;
pub mod command;
pub mod corpus;
pub mod curve;
pub mod ed25519;
pub mod falcon_signatures;
pub mod fn_dsa_backends;
pub mod fn_dsa_files;
pub mod fn_dsa_keys;
pub mod fn_dsa_signatures;
pub mod hybrid;
mod items;
mod jose;
pub mod npm_modules;
mod serialized;
pub mod x25519;

/// Makes the fastest backend do what no target asks of another one, as in the builds that people use: fuzzers have debug
/// assertions, with which none with vectors is preferred.
pub fn take_vectors() {
    if let Some(fastest) = lanner_ed25519::backend::list().next() {
        lanner_ed25519::backend::force(fastest).expect("a listed backend can run");
    }
}

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: that of the binary, too.
    pub name: &'static str,
    /// The body.
    pub run: fn(&[u8]),
    /// Inputs that decode: where a fuzzer begins.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// How many spoiled inputs, and how many random ones, a test has time for on every run.
    pub rounds: usize,
}

macro_rules! targets {
    ($($name:ident: $rounds:literal,)+) => {
        /// All of them.
        pub const TARGETS: &[Target] = &[$(Target {
            name: stringify!($name),
            run: $name::run,
            seeds: $name::seeds,
            rounds: $rounds,
        }),+];
    };
}

targets! {
    arrow: 500,
    backends: 1_000,
    batch: 200,
    c_face: 2_000,
    command: 3_000,
    curve: 2_000,
    ed25519: 10_000,
    falcon_signatures: 2_000,
    fn_dsa_backends: 300,
    fn_dsa_files: 10_000,
    fn_dsa_keys: 1_000,
    fn_dsa_signatures: 2_000,
    hybrid: 1_000,
    npm_modules: 500,
    x25519: 10_000,
}
