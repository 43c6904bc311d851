//! The schemes, and the one place that says where they come from.

pub(crate) use lanner::{ed25519, fn_dsa, hybrid, x25519};
