//! `SamplerZ` with the randomness consumed as the variants prescribe, where programs are small or doubles slow: one attempt
//! after the other.

use super::source::ByteSource;
use super::{NoSample, SamplerRng, Shape};
use crate::fpr::Lanes;

/// A source of samples over one of bytes.
pub(crate) struct Ordered<S>(S);

impl<S: ByteSource> Ordered<S> {
    /// One over a source that waits for its seed.
    pub(crate) const fn new(source: S) -> Self {
        Self(source)
    }

    /// The source, to be seeded anew.
    pub(crate) fn restart(&mut self) -> &mut S {
        &mut self.0
    }
}

impl<S: ByteSource> SamplerRng for Ordered<S> {
    #[inline(always)]
    fn pair<L: Lanes>(
        &mut self,
        shape: &Shape<L::Real>,
        centres: [L::Real; 2],
        inverse_deviation: L::Real,
    ) -> Result<[L::Real; 2], NoSample> {
        self.0.pair::<L>(shape, centres, inverse_deviation)
    }
}
