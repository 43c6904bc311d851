//! Any source behind one type, so that the code of the tree is compiled once and not for each source: on
//! WebAssembly, where size counts, and where the calls cost one part in a hundred.

use super::{NoSample, SamplerRng, Shape};
use crate::fpr::{Lanes, Real};

/// What [`SamplerRng::pair`] does, on the lanes `V`.
trait Pairs<V: Lanes> {
    fn pair(
        &mut self,
        shape: &Shape<V::Real>,
        centres: [V::Real; 2],
        inverse_deviation: V::Real,
    ) -> Result<[V::Real; 2], NoSample>;
}

impl<V: Lanes, S: SamplerRng> Pairs<V> for S {
    fn pair(
        &mut self,
        shape: &Shape<V::Real>,
        centres: [V::Real; 2],
        inverse_deviation: V::Real,
    ) -> Result<[V::Real; 2], NoSample> {
        SamplerRng::pair::<V>(self, shape, centres, inverse_deviation)
    }
}

/// A source of any type.
pub(crate) struct Shared<'a, V>(&'a mut dyn Pairs<V>);

impl<'a, V: Lanes> Shared<'a, V> {
    pub(crate) fn new<S: SamplerRng>(source: &'a mut S) -> Self {
        Self(source)
    }
}

impl<V: Lanes> SamplerRng for Shared<'_, V> {
    #[inline(always)]
    fn pair<L: Lanes>(
        &mut self,
        shape: &Shape<L::Real>,
        centres: [L::Real; 2],
        inverse_deviation: L::Real,
    ) -> Result<[L::Real; 2], NoSample> {
        // One type under two names.
        let here = |x: L::Real| V::Real::from_bits(x.to_bits());
        let there = |x: V::Real| L::Real::from_bits(x.to_bits());
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
