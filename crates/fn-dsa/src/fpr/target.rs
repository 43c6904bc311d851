//! Targets without a trusted `f64`: the emulation.

use lanner_simd::Isa;

use super::Floating;
/// The values of this target.
pub(crate) use super::emulated::Emulated as Fpr;

impl<I: Isa> Floating for I {
    type Lanes = Fpr;
}
