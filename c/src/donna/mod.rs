//! The names of ed25519-donna, of curve25519-donna, and of Tor's additions to the former.
//!
//! Functions that return nothing have no way to refuse. They do nothing where an output is NULL, and
//! give zeros where an input is: no signature and no shared secret is all zero.

mod curve25519;
mod ed25519;
mod tor;
