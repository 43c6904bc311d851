//! The samplers against known samples, and against the distribution.

extern crate std;

use alloc::string::String;
use alloc::vec::Vec;

use super::source::{ByteSource, ShakeStream};
use super::wide::FastSource;
use super::{SamplerRng, SamplerTables, Shape};
use crate::fpr::emulated::Emulated;
use crate::fpr::{Floating, Fpr, Lanes, Real};
use crate::outside::{octets, outside};
use crate::vectors::dispatch;
use lanner_simd::{Isa, Operation};

/// Bytes as falcon.py's test generator gives them: a read of several bytes is big-endian.
struct Octets {
    bytes: Vec<u8>,
    position: usize,
}

impl ByteSource for Octets {
    fn next_u8(&mut self) -> u8 {
        self.position += 1;
        self.bytes[self.position - 1]
    }

    fn next_u64(&mut self) -> u64 {
        (0..8).fold(0, |value, _| value << 8 | u64::from(self.next_u8()))
    }

    fn next_u72(&mut self) -> (u64, u8) {
        let high = self.next_u8();
        (self.next_u64(), high)
    }
}

#[test]
fn samples_of_falcon_py() {
    let Some(outside) = outside("samples of falcon.py") else {
        return;
    };
    let cases = outside.vectors("falcon.py/samplerz_KAT512.json.gz");
    assert_eq!(cases.len(), 1024);
    for case in cases {
        let bytes = &octets(&case["octets"]);
        let [mu, sigma, sigma_min] =
            ["mu", "sigma", "sigmin"].map(|name| case[name].as_f64().expect("a number"));
        let z = &case["z"];
        // On the target, and in the emulation.
        assert_eq!(
            known_sample::<Fpr>(bytes, mu, sigma, sigma_min),
            *z,
            "mu {mu}"
        );
        assert_eq!(
            known_sample::<Emulated>(bytes, mu, sigma, sigma_min),
            *z,
            "mu {mu}"
        );
    }
}

fn known_sample<R: Real>(bytes: &[u8], mu: f64, sigma: f64, sigma_min: f64) -> i32 {
    let real = |x: f64| R::from_bits(x.to_bits());
    let mut source = Octets {
        bytes: bytes.to_vec(),
        position: 0,
    };
    let shape = Shape {
        sigma_min: real(sigma_min),
        inverse_sigma: real(0.0),
        tables: SamplerTables::Rcdt72,
    };
    let z =
        super::exact::sample(&mut source, &shape, real(mu), real(1.0 / sigma)).expect("a sample");
    assert_eq!(source.position, bytes.len(), "all bytes are used");
    z
}

/// ln Gamma(x), by Stirling's series after a shift.
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 20.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

/// The probability that a chi-square variable with k degrees of freedom is at least x: the regularised upper
/// incomplete gamma function at (k/2, x/2).
pub(crate) fn chi_square_tail(k: f64, x: f64) -> f64 {
    let (a, x) = (k / 2.0, x / 2.0);
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-16 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return 1.0 - sum * scale;
    }
    // Lentz' continued fraction.
    let mut b = x + 1.0 - a;
    let mut c = 1e300;
    let mut d = 1.0 / b;
    let mut h = d;
    for i in 1..10_000 {
        let an = -f64::from(i) * (f64::from(i) - a);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        h *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    scale * h
}

#[test]
fn the_tail_of_chi_square_is_right() {
    // Tables: the 5 % and 0.1 % points for 1, 10 and 30 degrees of freedom.
    let table = [
        (1.0, 3.841_459, 0.05),
        (1.0, 10.827_566, 0.001),
        (10.0, 18.307_038, 0.05),
        (10.0, 29.588_298, 0.001),
        (30.0, 43.772_972, 0.05),
        (30.0, 59.703_064, 0.001),
    ];
    for (k, x, p) in table {
        assert!((chi_square_tail(k, x) / p - 1.0).abs() < 1e-5, "{k} {x}");
    }
}

/// The p-value of samples from a Gaussian with the given centre and deviation.
fn p_value(samples: &[i32], centre: f64, deviation: f64) -> f64 {
    let reach = (14.0 * deviation) as i32;
    let middle = centre.round() as i32;
    let rho = |z: i32| (-(f64::from(z) - centre).powi(2) / (2.0 * deviation * deviation)).exp();
    let total: f64 = (middle - reach..=middle + reach).map(rho).sum();
    let count = samples.len() as f64;
    // Cells of at least 20 expected samples; the tails are one cell each.
    let expected = |z: i32| rho(z) / total * count;
    let mut low = middle;
    while expected(low - 1) >= 20.0 {
        low -= 1;
    }
    let mut high = middle;
    while expected(high + 1) >= 20.0 {
        high += 1;
    }
    let cells = (high - low + 1) as usize;
    let mut observed = std::vec![0.0; cells];
    for &z in samples {
        assert!((z - middle).abs() <= reach, "{z} is too far from {centre}");
        observed[(z.clamp(low, high) - low) as usize] += 1.0;
    }
    let mut wanted: Vec<f64> = (low..=high).map(expected).collect();
    wanted[0] += (middle - reach..low).map(expected).sum::<f64>();
    wanted[cells - 1] += (high + 1..=middle + reach).map(expected).sum::<f64>();
    let distances = observed
        .iter()
        .zip(&wanted)
        .map(|(o, w)| (o - w).powi(2) / w);
    chi_square_tail((cells - 1) as f64, distances.sum())
}

/// Draws `count` samples for each of two centres.
fn draw<L: Lanes<Real = Fpr>, S: SamplerRng>(
    source: &mut S,
    tables: SamplerTables,
    centres: [f64; 2],
    deviation: f64,
    count: usize,
) -> [Vec<i32>; 2] {
    let fpr = |x: f64| Fpr::from_bits(x.to_bits());
    let shape = Shape::new(10, tables);
    let mut samples = [Vec::new(), Vec::new()];
    for _ in 0..count {
        let pair = source
            .pair::<L>(&shape, centres.map(fpr), fpr(1.0 / deviation))
            .expect("samples");
        for (samples, z) in samples.iter_mut().zip(pair) {
            samples.push(Real::round(z));
        }
    }
    samples
}

const CENTRES: [[f64; 2]; 4] = [
    [0.0, 0.5],
    [-0.25, 91.904_711_530_637_14],
    [0.999_999, -1e-9],
    [-33.125, 1234.75],
];

/// The extremes of degree 1024, and between: the deviations of a key lie in
/// [sigma_min, 1.17^2 sigma_min], because those of opposite leaves multiply to sigma^2 / q.
const DEVIATIONS: [f64; 3] = [1.298_280_334_344_292, 1.55, 1.777_215_9];

fn draw_fast(
    source: &mut FastSource,
    centres: [f64; 2],
    deviation: f64,
    count: usize,
) -> [Vec<i32>; 2] {
    dispatch(Draw(source, centres, deviation, count))
}

/// [`draw`] from the source of the main variant, as an operation.
struct Draw<'a>(&'a mut FastSource, [f64; 2], f64, usize);

impl Operation for Draw<'_> {
    type Output = [Vec<i32>; 2];

    #[inline(always)]
    fn run<I: Isa>(self) -> Self::Output {
        let Self(source, centres, deviation, count) = self;
        let tables = SamplerTables::Rcdt72;
        draw::<<I as Floating>::Lanes, _>(source, tables, centres, deviation, count)
    }
}

fn distributions(count: usize) {
    let mut fast = FastSource::from_seed([1; 32]);
    let mut stream = ShakeStream::new(b"the distribution of samples");
    let mut worst: (f64, String) = (1.0, String::new());
    let mut judge = |samples: &[Vec<i32>; 2], centres: [f64; 2], deviation: f64, name: &str| {
        for (samples, centre) in samples.iter().zip(centres) {
            let p = p_value(samples, centre, deviation);
            let what = std::format!("{name}, centre {centre}, deviation {deviation}: p = {p:e}");
            assert!(p > 1e-6, "{what}");
            if p < worst.0 {
                worst = (p, what);
            }
        }
        // The two are independent: so is the sum of one with the parity of the other.
        let even = |parity: i32| -> Vec<i32> {
            let pairs = samples[0].iter().zip(&samples[1]);
            pairs
                .filter(|(_, z)| **z & 1 == parity)
                .map(|(z, _)| *z)
                .collect()
        };
        for parity in [0, 1] {
            let p = p_value(&even(parity), centres[0], deviation);
            assert!(
                p > 1e-6,
                "{name}: given the other's parity {parity}, p = {p:e}"
            );
        }
    };
    for deviation in DEVIATIONS {
        for centres in CENTRES {
            let samples = draw_fast(&mut fast, centres, deviation, count);
            judge(&samples, centres, deviation, "ChaCha12");
            for tables in [SamplerTables::Rcdt72, SamplerTables::Rcdt79] {
                let samples = draw::<Fpr, _>(&mut stream, tables, centres, deviation, count);
                judge(&samples, centres, deviation, &std::format!("{tables:?}"));
            }
        }
    }
    assert!(worst.0 > 0.0 && worst.0 < 0.5, "{}", worst.1);
}

#[test]
fn samples_are_gaussian() {
    distributions(20_000);
}

/// Takes minutes.
#[test]
#[ignore = "long: 10^7 samples a case"]
fn samples_are_gaussian_long() {
    distributions(10_000_000);
}

/// What the test is worth: samplers that are off by little fail it.
#[test]
fn a_shifted_sampler_is_caught() {
    let count = 100_000;
    let mut source = FastSource::from_seed([2; 32]);
    for centres in CENTRES {
        let [samples, _] = draw_fast(&mut source, centres, 1.55, count);
        let right = p_value(&samples, centres[0], 1.55);
        assert!(right > 1e-6, "{right:e}");
        // The centre is off by a fortieth of the deviation, or the deviation by two in a hundred.
        assert!(p_value(&samples, centres[0] + 0.04, 1.55) < 1e-6);
        assert!(p_value(&samples, centres[0], 1.55 * 1.02) < 1e-6);
        // One in twenty samples is one too large.
        let shifted: Vec<i32> = samples
            .iter()
            .enumerate()
            .map(|(i, z)| z + i32::from(i % 20 == 0))
            .collect();
        assert!(p_value(&shifted, centres[0], 1.55) < 1e-6);
        // The sampler itself is given a centre or a deviation that is off by as little.
        let [moved, _] = draw_fast(&mut source, centres.map(|c| c + 0.04), 1.55, count);
        assert!(p_value(&moved, centres[0], 1.55) < 1e-6);
        let [wider, _] = draw_fast(&mut source, centres, 1.55 * 1.02, count);
        assert!(p_value(&wider, centres[0], 1.55) < 1e-6);
    }
}
