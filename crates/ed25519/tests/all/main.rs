//! The tests through the public interface, in one program: each file alone would be linked and laid out for
//! itself. `cargo test -p lanner-ed25519 --test all NAME` runs those of one file. What chooses a backend for the
//! whole process is a program of its own, beside this directory.

mod common;
mod vectors_support;

mod a_few;
mod batch;
mod blinding;
mod diagnosis;
mod drop_in;
mod faces;
mod hedged;
mod no_oracle;
mod prepared;
mod rfc8032;
mod streaming;
mod validation;
mod vectors_acvp;
mod vectors_batch;
mod vectors_cctv;
mod vectors_jose_cose;
mod vectors_keys;
mod vectors_own;
mod vectors_rfc;
mod vectors_speccheck;
mod vectors_wycheproof;
mod vectors_zip215;
mod xeddsa;
