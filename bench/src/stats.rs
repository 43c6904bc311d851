//! Medians and quartiles.

/// Three quantiles of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) lower: f64,
    pub(crate) median: f64,
    pub(crate) upper: f64,
}

impl Spread {
    /// The quartiles of a sample, by linear interpolation between its ordered values.
    ///
    /// # Panics
    ///
    /// The sample is empty.
    pub(crate) fn of(sample: &[f64]) -> Self {
        let mut ordered = sample.to_vec();
        ordered.sort_by(f64::total_cmp);
        let quantile = |q: f64| {
            let position = q * (ordered.len() - 1) as f64;
            let below = position.floor() as usize;
            let above = position.ceil() as usize;
            ordered[below] + (ordered[above] - ordered[below]) * (position - below as f64)
        };
        Self {
            lower: quantile(0.25),
            median: quantile(0.5),
            upper: quantile(0.75),
        }
    }
}

impl Spread {
    /// All three multiplied by a factor above zero.
    pub(crate) fn scale(self, factor: f64) -> Self {
        Self {
            lower: self.lower * factor,
            median: self.median * factor,
            upper: self.upper * factor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn quartiles_interpolate() {
        let spread = Spread::of(&[4.0, 1.0, 3.0, 2.0]);
        assert_eq!(
            (spread.lower, spread.median, spread.upper),
            (1.75, 2.5, 3.25)
        );
        let one = Spread::of(&[7.0]);
        assert_eq!((one.lower, one.median, one.upper), (7.0, 7.0, 7.0));
    }
}
