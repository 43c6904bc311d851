//! Whether two samples of times have the same mean, by Welch's t-test, as in Reparaz, Balasch and Verbauwhede, "Dude, is my
//! code constant time?" (DATE 2017): on all times, and on those below each of some limits, because what disturbs a
//! measurement makes it longer, and a small difference drowns in the long ones.

/// So many limits.
const LIMITS: usize = 20;

/// As many times of either class as decide anything.
const LEAST: f64 = 500.0;

/// The class of a measurement: false where the secret was always the same.
pub(super) type Class = bool;

/// Number, mean and sum of squared distances, updated one time after the other (Welford 1962).
#[derive(Clone, Copy, Default)]
struct Moments {
    number: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, x: f64) {
        self.number += 1.0;
        let distance = x - self.mean;
        self.mean += distance / self.number;
        self.squares += distance * (x - self.mean);
    }

    /// The variance of the mean.
    fn variance(&self) -> f64 {
        self.squares / (self.number - 1.0) / self.number
    }
}

/// Times in nanoseconds, by class.
pub(super) struct Test {
    /// The first ones, of which the limits are taken.
    first: Vec<(Class, f64)>,
    calibration: usize,
    /// For each limit, the last of which is none, the moments of both classes.
    below: Vec<(f64, [Moments; 2])>,
}

/// What a test says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// The largest |t| of all limits.
    pub(crate) t: f64,
    /// The difference of the means there, in nanoseconds: other secrets less the same one.
    pub(crate) difference: f64,
    /// All times that were taken.
    pub(crate) number: u64,
}

impl Test {
    /// Limits are taken of the first so many times, which then count as well.
    pub(super) fn new(calibration: usize) -> Self {
        Self {
            first: Vec::with_capacity(calibration),
            calibration,
            below: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, class: Class, nanoseconds: f64) {
        if self.below.is_empty() {
            self.first.push((class, nanoseconds));
            if self.first.len() == self.calibration {
                self.calibrate();
            }
            return;
        }
        for (limit, moments) in &mut self.below {
            if nanoseconds < *limit {
                moments[usize::from(class)].add(nanoseconds);
            }
        }
    }

    fn calibrate(&mut self) {
        let first = core::mem::take(&mut self.first);
        let mut sorted: Vec<f64> = first.iter().map(|(_, time)| *time).collect();
        sorted.sort_by(f64::total_cmp);
        // Denser towards the long times, as there.
        let quantile = |i: usize| 1.0 - 0.5_f64.powf(10.0 * (i + 1) as f64 / LIMITS as f64);
        let at = |i| sorted[((sorted.len() - 1) as f64 * quantile(i)) as usize];
        self.below = (0..LIMITS).map(|i| (at(i), Default::default())).collect();
        self.below.push((f64::INFINITY, Default::default()));
        for (class, time) in first {
            self.add(class, time);
        }
    }

    /// `None` where too few times were taken.
    pub(super) fn verdict(&self) -> Option<Times> {
        let number = self.below.last()?.1.iter().map(|m| m.number).sum::<f64>();
        let verdicts = self.below.iter().filter_map(|(_, [same, other])| {
            let enough = same.number >= LEAST && other.number >= LEAST;
            let difference = other.mean - same.mean;
            let deviation = (same.variance() + other.variance()).sqrt();
            (enough && deviation > 0.0).then(|| Times {
                t: (difference / deviation).abs(),
                difference,
                number: number as u64,
            })
        });
        verdicts.max_by(|a, b| a.t.total_cmp(&b.t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times around 1000, with outliers, of which those of other secrets are longer by `longer`.
    fn sample(longer: f64, outliers: bool) -> Times {
        let mut test = Test::new(1000);
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(0x5851_F42D_4C95_7F2D)
                .wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        for _ in 0..100_000 {
            let class = next() < 0.5;
            // Nearly normal, with a deviation of 10.
            let noise = ((0..12).map(|_| next()).sum::<f64>() - 6.0) * 10.0;
            let disturbed = if outliers && next() < 0.02 {
                50_000.0
            } else {
                0.0
            };
            let time = 1000.0 + noise + disturbed + if class { longer } else { 0.0 };
            test.add(class, time);
        }
        test.verdict().expect("they are enough")
    }

    #[test]
    fn means_that_are_equal_and_that_are_not() {
        for outliers in [false, true] {
            let equal = sample(0.0, outliers);
            assert!(equal.t < 4.5, "{equal:?}");
            assert_eq!(equal.number, 100_000);
            let longer = sample(1.0, outliers);
            assert!(longer.t > 10.0, "{longer:?}");
            assert!((0.5..1.5).contains(&longer.difference), "{longer:?}");
            let shorter = sample(-1.0, outliers);
            assert!(shorter.t > 10.0 && shorter.difference < 0.0, "{shorter:?}");
        }
    }

    /// Of the times without a limit, against the formula on paper.
    #[test]
    fn the_statistic_is_welch_s() {
        let mut moments = [Moments::default(); 2];
        [1.0, 2.0, 3.0, 4.0]
            .into_iter()
            .for_each(|x| moments[0].add(x));
        [2.0, 4.0, 6.0].into_iter().for_each(|x| moments[1].add(x));
        // Means 2.5 and 4, variances 5/3 and 4.
        assert!((moments[0].mean - 2.5).abs() < 1e-12 && (moments[1].mean - 4.0).abs() < 1e-12);
        assert!((moments[0].variance() - 5.0 / 12.0).abs() < 1e-12);
        assert!((moments[1].variance() - 4.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn few_times_say_nothing() {
        let mut test = Test::new(1000);
        (0..1200).for_each(|i| test.add(i % 4 == 0, f64::from(i % 7)));
        assert!(test.verdict().is_none());
    }
}
