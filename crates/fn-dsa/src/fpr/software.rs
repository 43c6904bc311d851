//! Targets without a trusted `f64`: the emulation.

/// The values of this target.
pub(crate) use super::emulated::Emulated as Fpr;
