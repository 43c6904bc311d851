//! A slow, independent model of Ed25519 (RFC 8032), X25519 (RFC 7748), Ristretto255 (RFC 9496) and hashing to the curves
//! (RFC 9380).
//!
//! Everything here is written from these RFCs over arbitrary-precision
//! integers, one formula after the other, with no thought for speed and none
//! for secrecy. It shares no code with the libraries it judges: its only helpers
//! are a big-integer crate and SHA-512. `cargo xtask vectors` derives the
//! project's own test data with it, and its tests hold it against every outside
//! file of verdicts there is.
//!
//! **Not for real keys**: every operation varies in time with its input.

pub(crate) mod eddsa;
pub(crate) mod edwards;
pub(crate) mod field;
pub(crate) mod hash_to_curve;
pub(crate) mod ristretto;
pub(crate) mod x25519;

#[cfg(test)]
mod tests;
