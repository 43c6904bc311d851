//! The names of ed25519-donna, of curve25519-donna, and of Tor's additions to the former.
//!
//! Functions that return nothing have no way to refuse. They do nothing where an output is NULL. Where an input is, a
//! signature and a shared secret become zeros, which no signature and no secret of two honest parties is, and a public key
//! of Ed25519 becomes bytes that are no point. One of X25519 becomes zeros: all bytes are a point there, and with this one,
//! of small order, every shared secret is zeros.

mod curve25519;
mod ed25519;
mod tor;
