//! `SamplerZ`: integers from a discrete Gaussian of any centre (Falcon specification, section 3.9).
//!
//! A sample with centre mu and deviation sigma' in [sigma_min, sigma_max] comes from a half-Gaussian of
//! the fixed deviation sigma_max = 1.8205 by rejection: z is accepted with the probability
//! sigma_min / sigma' * exp(-x), where x is the difference of the two exponents. That factor makes the number
//! of attempts independent of mu and sigma'; the number of attempts is all that the time of a
//! sample shows, and so it shows nothing (Howe, Prest, Ricosset, Rossi, "Isochronous Gaussian sampling: from
//! inception to implementation", PQCrypto 2020).

#[cfg_attr(
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon"),
    )),
    path = "one_by_one.rs"
)]
mod ahead;
#[cfg(all(
    target_arch = "wasm32",
    any(target_feature = "simd128", feature = "simd128")
))]
mod chacha;
mod drawn;
pub(crate) mod each;
pub(crate) mod exact;
mod exp;
pub(crate) mod round;
#[cfg(target_arch = "x86_64")]
mod rows;
pub(crate) mod shared;
#[cfg(all(
    target_arch = "wasm32",
    any(target_feature = "simd128", feature = "simd128")
))]
mod simd128;
pub(crate) mod source;
pub(crate) mod tables;
pub(crate) mod wide;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use self::ahead::Ordered;
use crate::fpr::{Lanes, Real};
pub(crate) use crate::params::SamplerTables;

/// How many attempts one sample gets. An attempt succeeds with a probability above 1/2 for every key
/// that key generation makes, so the bound is met with a probability below 2^-500 then; for a
/// basis that is none it ends what would not end.
const MAX_ATTEMPTS: u32 = 512;

/// What a sampler needs to know of the degree and of the variant.
#[derive(Clone, Copy)]
pub(crate) struct Shape<R> {
    /// The smallest deviation.
    pub(crate) sigma_min: R,
    /// The inverse of the deviation of a signature.
    pub(crate) inverse_sigma: R,
    /// The table of the base distribution.
    pub(crate) tables: SamplerTables,
}

impl<R: Real> Shape<R> {
    pub(crate) fn new(logn: u32, tables: SamplerTables) -> Self {
        Self {
            sigma_min: R::from_bits(tables::SIGMA_MIN[logn as usize]),
            inverse_sigma: R::from_bits(tables::INVERSE_SIGMA[logn as usize]),
            tables,
        }
    }
}

/// The given deviations and centres admit no sample: the basis is not one of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoSample;

/// A source of randomness, and the way to draw samples from it.
///
/// The way belongs to the source because it decides which bytes make which sample: the sources of
/// [`source`] read theirs in the order that the variants prescribe, one sample after the other.
pub(crate) trait SamplerRng {
    /// Two independent samples with one inverse deviation: integers, as values.
    fn pair<L: Lanes>(
        &mut self,
        shape: &Shape<L::Real>,
        centres: [L::Real; 2],
        inverse_deviation: L::Real,
    ) -> Result<[L::Real; 2], NoSample>;
}
