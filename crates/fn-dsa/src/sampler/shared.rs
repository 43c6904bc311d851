//! Any source behind one type, so that the code of the tree is compiled once and not for each source: on
//! WebAssembly, where size counts, and where the calls cost one part in a hundred.

use super::{NoSample, SamplerRng, Shape};
use crate::fpr::{Fpr, Lanes, Real, Widest};

/// What [`SamplerRng::pair`] does, on the widest lanes.
trait Pairs {
    fn pair(
        &mut self,
        shape: &Shape<Fpr>,
        centres: [Fpr; 2],
        inverse_deviation: Fpr,
    ) -> Result<[Fpr; 2], NoSample>;
}

impl<S: SamplerRng> Pairs for S {
    fn pair(
        &mut self,
        shape: &Shape<Fpr>,
        centres: [Fpr; 2],
        inverse_deviation: Fpr,
    ) -> Result<[Fpr; 2], NoSample> {
        SamplerRng::pair::<Widest>(self, (), shape, centres, inverse_deviation)
    }
}

/// A source of any type.
pub(crate) struct Shared<'a>(&'a mut dyn Pairs);

impl<'a> Shared<'a> {
    pub(crate) fn new<S: SamplerRng>(source: &'a mut S) -> Self {
        Self(source)
    }
}

impl SamplerRng for Shared<'_> {
    #[inline(always)]
    fn pair<L: Lanes>(
        &mut self,
        _: L::Witness,
        shape: &Shape<L::Real>,
        centres: [L::Real; 2],
        inverse_deviation: L::Real,
    ) -> Result<[L::Real; 2], NoSample> {
        // One type under two names.
        let here = |x: L::Real| Fpr::from_bits(x.to_bits());
        let there = |x: Fpr| L::Real::from_bits(x.to_bits());
        let shape = Shape {
            sigma_min: here(shape.sigma_min),
            inverse_sigma: here(shape.inverse_sigma),
            tables: shape.tables,
        };
        let samples = self
            .0
            .pair(&shape, centres.map(here), here(inverse_deviation))?;
        Ok(samples.map(there))
    }
}
