//! A part of verification for engines that have points of their own.
//!
//! Nothing here knows a secret, a key or a message, and nothing is checked: whoever takes it decides
//! an equation with it, and answers for the verdict. Verification itself is `lanner-ed25519`.

pub use crate::scalar::lattice::{HalfSize, vartime_half_size};
