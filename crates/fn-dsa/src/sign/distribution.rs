//! The distribution of signatures: of the default sampler, beside the one that consumes its randomness as the variants
//! prescribe ("exact" here), and both beside the Gaussian that the scheme asks for.
//!
//! A signature of the scheme is (s1, s2) from a spherical Gaussian of deviation sigma on a coset of the lattice. A
//! sampler that is wrong shows in the signatures, and shows the key: a deviation that is off in a leaf stretches the
//! distribution along the Gram-Schmidt vectors of the secret basis, and rounding in place of sampling makes it that
//! basis' parallelepiped, which fourth moments along secret directions tell (Nguyen, Regev, "Learning a parallelepiped",
//! J. Cryptology 2009). So the tests are those of Howe, Prest, Ricosset, Rossi ("Isochronous Gaussian sampling: from
//! inception to implementation", PQCrypto 2020, section 6, and their SAGA): moments of the coordinates, the covariance of whole vectors,
//! and the shape along the directions (g, -f), (G, -F) and the second Gram-Schmidt vector, where an attacker would look.
//!
//! Everything that is refused on the way is counted, and held against what theory says of it: attempts of the sampler
//! (`Law`), vectors that are too long, vectors with a coefficient beyond the draft guess's bound. Of vectors that do not fit their
//! encoding theory says little; there both samplers are held against each other.
//!
//! Every number is a *score*: how many deviations of its own it is from what it should be. A right sampler has scores
//! above 5.5 in one of a million runs of all of them, and the seeds are fixed.

use std::vec;
use std::vec::Vec;

use super::tests::{Basis, fresh_key, point};
use super::{NoSample, SamplerRng, SamplerTables, Shape, sample, scratch_len};
use crate::codec;
use crate::fft;
use crate::fpr::{Fpr, Lanes, Real};
use crate::params::{NONCE_LENGTH, P3, P4, SQUARED_NORM_BOUND, Variant, signature_size};
use crate::rules::Ruled;
use crate::sampler::round::ROUNDS;
use crate::sampler::source::{ByteSource, ShakeStream};
use crate::sampler::tests::chi_square_tail;
use crate::sampler::wide::FastSource;

/// Above this a score is no chance.
const MOST: f64 = 5.5;

/// A real polynomial in the transformed domain: n/2 complex values.
type Values = Vec<(f64, f64)>;

fn transformed(p: impl Iterator<Item = f64>) -> Values {
    let mut values: Vec<Fpr> = p.map(|x| Fpr::from_bits(x.to_bits())).collect();
    let half = values.len() / 2;
    crate::fpr::prepare();
    fft::forward::<Fpr>(values.len().ilog2(), &mut values);
    let number = |x: &Fpr| f64::from_bits(x.to_bits());
    (0..half)
        .map(|i| (number(&values[i]), number(&values[half + i])))
        .collect()
}

fn back(values: &Values) -> Vec<f64> {
    let parts = values.iter().map(|x| x.0).chain(values.iter().map(|x| x.1));
    let mut p: Vec<Fpr> = parts.map(|x| Fpr::from_bits(x.to_bits())).collect();
    fft::inverse::<Fpr>(p.len().ilog2(), &mut p);
    p.iter().map(|x| f64::from_bits(x.to_bits())).collect()
}

/// a times the conjugate of b.
fn times_conj(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 + a.1 * b.1, a.1 * b.0 - a.0 * b.1)
}

fn norm(a: (f64, f64)) -> f64 {
    a.0 * a.0 + a.1 * a.1
}

/// A vector of two polynomials that is secret, and what is seen along its n rotations.
struct Direction {
    name: &'static str,
    values: [Values; 2],
    /// Its length.
    length: f64,
    /// Sums over the rotations: of squares and of fourth powers of the correlation with one of them.
    rho2: f64,
    rho4: f64,
    /// Sums of x^2 - 1 and of x^4 - 3 over all rotations and signatures.
    squares: f64,
    fourths: f64,
    /// How often the first rotation fell into each of as many parts of equal probability.
    parts: [u32; PARTS],
}

/// Parts of the line in which a Gaussian falls with the same probability.
const PARTS: usize = 64;

/// The part of a value: the probability of what is below it, by Abramowitz and Stegun, 26.2.17, to 7.5e-8.
fn part_of(x: f64) -> usize {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let polynomial = t
        * (0.319_381_530
            + t * (-0.356_563_782
                + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let above = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * polynomial;
    let below = if x < 0.0 { above } else { 1.0 - above };
    ((below * PARTS as f64) as usize).min(PARTS - 1)
}

impl Direction {
    fn new(name: &'static str, values: [Values; 2]) -> Self {
        let energy: Values = values[0]
            .iter()
            .zip(&values[1])
            .map(|(a, b)| (norm(*a) + norm(*b), 0.0))
            .collect();
        let correlations = back(&energy);
        let square = correlations[0];
        let rho = |power: i32| correlations.iter().map(|c| (c / square).powi(power)).sum();
        Self {
            name,
            values,
            length: square.sqrt(),
            rho2: rho(2),
            rho4: rho(4),
            squares: 0.0,
            fourths: 0.0,
            parts: [0; PARTS],
        }
    }

    fn see(&mut self, s: &[Values; 2], sigma: f64) {
        let products: Values = (0..s[0].len())
            .map(|i| {
                let a = times_conj(s[0][i], self.values[0][i]);
                let b = times_conj(s[1][i], self.values[1][i]);
                (a.0 + b.0, a.1 + b.1)
            })
            .collect();
        let along = back(&products);
        for x in &along {
            let x2 = (x / (self.length * sigma)).powi(2);
            self.squares += x2 - 1.0;
            self.fourths += x2 * x2 - 3.0;
        }
        self.parts[part_of(along[0] / (self.length * sigma))] += 1;
    }

    /// What was seen, as scores. Of two jointly Gaussian values with correlation r, the covariance of the squares is
    /// 2 r^2, and of the fourth powers 72 r^2 + 24 r^4.
    fn scores(&self, n: f64, count: f64, scores: &mut Vec<(&'static str, &'static str, f64)>) {
        let total = n * count;
        let variance = 2.0 * self.rho2 * total;
        scores.push((self.name, "variance", self.squares / variance.sqrt()));
        let variance = (72.0 * self.rho2 + 24.0 * self.rho4) * total;
        scores.push((self.name, "fourth moment", self.fourths / variance.sqrt()));
        let expected = count / PARTS as f64;
        let chi: f64 = self
            .parts
            .iter()
            .map(|&seen| (f64::from(seen) - expected).powi(2) / expected)
            .sum();
        scores.push((self.name, "shape", chi_score(chi, PARTS as f64 - 1.0)));
    }
}

/// A chi-square of k degrees of freedom as a score, by Wilson and Hilferty.
fn chi_score(chi: f64, k: f64) -> f64 {
    let spread = 2.0 / (9.0 * k);
    ((chi / k).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// What is seen of one sampler with one key.
struct Seen {
    n: f64,
    sigma: f64,
    count: f64,
    /// Sums over the coordinates of x, x^2 - 1, x^3 and x^4 - 3.
    moments: [f64; 4],
    /// Sums of the squared length in units of its mean, and of its squared difference from 1.
    lengths: [f64; 2],
    /// Sums of |s1|^2, |s2|^2 and s1 conj(s2) at each root.
    spectrum: Vec<[f64; 4]>,
    directions: Vec<Direction>,
    /// Vectors that are too long, and those that are not but do not fit the padded encoding.
    too_long: u32,
    unfit: u32,
    /// Vectors with a coefficient that the draft guess refuses.
    beyond: u32,
    /// What the sampler drew: attempts, or rounds of them.
    drawn: u64,
}

impl Seen {
    fn new(logn: u32, key: &Basis) -> Self {
        let values = |p: &[i8], sign: f64| transformed(p.iter().map(|&x| sign * f64::from(x)));
        let (f, g) = (values(&key.f, 1.0), values(&key.g, 1.0));
        // Orthogonal to all rotations of (g, -f): (f*, g*) / (f f* + g g*), times q.
        let orthogonal = |p: &Values| -> Values {
            (0..p.len())
                .map(|i| {
                    let scale = 12289.0 / (norm(f[i]) + norm(g[i]));
                    (p[i].0 * scale, -p[i].1 * scale)
                })
                .collect()
        };
        let second = [orthogonal(&f), orthogonal(&g)];
        let first = [values(&key.g, 1.0), values(&key.f, -1.0)];
        let last = [values(&key.G, 1.0), values(&key.F, -1.0)];
        let n = 1 << logn;
        Self {
            n: f64::from(n),
            sigma: 1.0 / f64::from_bits(crate::sampler::tables::INVERSE_SIGMA[logn as usize]),
            count: 0.0,
            moments: [0.0; 4],
            lengths: [0.0; 2],
            spectrum: vec![[0.0; 4]; n as usize / 2],
            directions: vec![
                Direction::new("(g, -f)", first),
                Direction::new("(G, -F)", last),
                Direction::new("Gram-Schmidt", second),
            ],
            too_long: 0,
            unfit: 0,
            beyond: 0,
            drawn: 0,
        }
    }

    fn see(&mut self, logn: u32, s1: &[i16], s2: &[i16]) {
        self.count += 1.0;
        let mut square = 0.0;
        for &x in s1.iter().chain(s2) {
            let x = f64::from(x) / self.sigma;
            square += x * x;
            for (sum, term) in
                self.moments
                    .iter_mut()
                    .zip([x, x * x - 1.0, x * x * x, x * x * x * x - 3.0])
            {
                *sum += term;
            }
        }
        let length = square / (2.0 * self.n);
        self.lengths[0] += length - 1.0;
        self.lengths[1] += (length - 1.0).powi(2);

        let s = [s1, s2].map(|s| transformed(s.iter().map(|&x| f64::from(x))));
        let unit = self.n * self.sigma * self.sigma;
        for ((sums, &a), &b) in self.spectrum.iter_mut().zip(&s[0]).zip(&s[1]) {
            let both = times_conj(a, b);
            for (sum, term) in sums.iter_mut().zip([norm(a), norm(b), both.0, both.1]) {
                *sum += term / unit;
            }
        }
        for direction in &mut self.directions {
            direction.see(&s, self.sigma);
        }

        let largest = s1.iter().chain(s2).map(|x| x.unsigned_abs()).max();
        self.beyond += u32::from(largest > Some(P4::COEFFICIENT_BOUND));
        let integer = |s: &[i16]| s.iter().map(|&x| i64::from(x) * i64::from(x)).sum::<i64>();
        let mut room = vec![0; signature_size(logn) - 1 - NONCE_LENGTH];
        if integer(s1) + integer(s2) > i64::from(SQUARED_NORM_BOUND[logn as usize]) {
            self.too_long += 1;
        } else if codec::compress(P3::RULES, s2, &mut room).is_none() {
            self.unfit += 1;
        }
    }

    fn scores(&self) -> Vec<(&'static str, &'static str, f64)> {
        let (n, count) = (self.n, self.count);
        let mut scores = vec![];
        // The variances of x, x^2, x^3 and x^4 for a Gaussian.
        for ((name, sum), variance) in ["mean", "variance", "skewness", "fourth moment"]
            .into_iter()
            .zip(self.moments)
            .zip([1.0, 2.0, 15.0, 96.0])
        {
            let deviation = (variance * 2.0 * n * count).sqrt();
            scores.push(("coordinates", name, sum / deviation));
        }
        // The squared length is a chi-square of 2 n degrees of freedom, divided by 2 n.
        let mean = self.lengths[0] * (n / count).sqrt();
        let variance = (self.lengths[1] * n / count - 1.0) * (count / 2.0).sqrt();
        scores.push(("length", "mean", mean));
        scores.push(("length", "variance", variance));
        // |s|^2 at a root is exponential; a product of two has variance 1/2 in each part.
        let mut chis = [0.0; 2];
        for &[a, b, re, im] in &self.spectrum {
            chis[0] += (a - count).powi(2) / count + (b - count).powi(2) / count;
            chis[1] += 2.0 * (re * re + im * im) / count;
        }
        for (name, chi) in ["of itself", "of s1 with s2"].into_iter().zip(chis) {
            scores.push(("covariance", name, chi_score(chi, n)));
        }
        for direction in &self.directions {
            direction.scores(n, count, &mut scores);
        }
        scores
    }

    fn worst(&self) -> (&'static str, &'static str, f64) {
        let scores = self.scores();
        let by_size = |a: &&(_, _, f64), b: &&(_, _, f64)| f64::total_cmp(&a.2.abs(), &b.2.abs());
        *scores.iter().max_by(by_size).expect("there are scores")
    }

    fn print(&self, what: &str) {
        std::println!(
            "{what}: {} vectors, {} too long, {} that do not fit, {} beyond the draft's bound, {} draws",
            self.count,
            self.too_long,
            self.unfit,
            self.beyond,
            self.drawn
        );
        for (of, name, score) in self.scores() {
            std::println!("    {of}, {name}: {score:.2}");
        }
    }
}

/// A source that knows how much was drawn from it.
trait Drawn: SamplerRng {
    fn drawn(&self) -> u64;
}

/// `count` vectors of a key, from sources that a number gives.
fn look<S: Drawn>(logn: u32, key: &Basis, count: u32, source: impl Fn(u32) -> S) -> Seen {
    let mut seen = Seen::new(logn, key);
    let n = 1 << logn;
    let (mut s1, mut s2) = (vec![0; n], vec![0; n]);
    let mut scratch = vec![Fpr::from_i32(0); scratch_len(logn)];
    for counter in 0..count {
        let c = point(logn, &[b"distribution", &counter.to_le_bytes()], true);
        let mut source = source(counter);
        let outputs = (&mut s1[..], &mut s2[..]);
        let tables = SamplerTables::Rcdt72;
        sample(
            logn,
            &key.borrow(),
            &c,
            tables,
            &mut source,
            outputs,
            &mut scratch,
        )
        .expect("a key");
        seen.see(logn, &s1, &s2);
        seen.drawn += source.drawn();
    }
    seen
}

fn fast(counter: u32) -> FastSource {
    let mut seed = [0x66; 32];
    seed[..4].copy_from_slice(&counter.to_le_bytes());
    FastSource::from_seed(seed)
}

/// The default source, which counts its rounds.
struct Rounds(FastSource, u64);

impl SamplerRng for Rounds {
    fn pair<L: Lanes>(
        &mut self,
        shape: &Shape<L::Real>,
        centres: [L::Real; 2],
        inverse_deviation: L::Real,
    ) -> Result<[L::Real; 2], NoSample> {
        let before = self.0.position();
        let pair = self.0.pair::<L>(shape, centres, inverse_deviation);
        // A pair that takes as many rounds as there are in a run has not been seen, nor will be.
        self.1 += ((ROUNDS + self.0.position() - before) % ROUNDS) as u64;
        pair
    }
}

impl Drawn for Rounds {
    fn drawn(&self) -> u64 {
        self.1
    }
}

fn rounds(counter: u32) -> Rounds {
    Rounds(fast(counter), 0)
}

/// A source of bytes which counts the attempts: each reads 72 bits first, and once.
struct Exact(ShakeStream, u64);

impl ByteSource for Exact {
    fn next_u8(&mut self) -> u8 {
        ByteSource::next_u8(&mut self.0)
    }

    fn next_u64(&mut self) -> u64 {
        ByteSource::next_u64(&mut self.0)
    }

    fn next_u72(&mut self) -> (u64, u8) {
        self.1 += 1;
        self.0.next_u72()
    }
}

impl Drawn for Exact {
    fn drawn(&self) -> u64 {
        self.1
    }
}

fn exact(counter: u32) -> Exact {
    let stream = ShakeStream::of_parts(&[b"exact", &counter.to_le_bytes()]);
    Exact(stream, 0)
}

/// Mean and variance of what one vector makes a sampler draw.
struct Law {
    mean: f64,
    variance: f64,
}

impl Law {
    /// The probability that an attempt is accepted. With a deviation s and a centre, the terms of all z that are
    /// accepted sum to sigma_min / s times s sqrt(2 pi), whatever s and the centre (to 10^-13, for s at least sigma_min), and
    /// those of all that are drawn, on both sides, to sigma_max sqrt(2 pi) + 1.
    fn accepted(logn: u32) -> f64 {
        const SIGMA_MAX: f64 = 1.8205;
        let root = (2.0 * std::f64::consts::PI).sqrt();
        let sigma_min = f64::from_bits(crate::sampler::tables::SIGMA_MIN[logn as usize]);
        sigma_min * root / (SIGMA_MAX * root + 1.0)
    }

    /// Attempts one by one, for each of 2 n samples.
    fn of_attempts(logn: u32) -> Self {
        let p = Self::accepted(logn);
        let samples = f64::from(2 << logn);
        Self {
            mean: samples / p,
            variance: samples * (1.0 - p) / (p * p),
        }
    }

    /// Rounds of four attempts, two for each sample of a pair while both are missing, four for the last one.
    fn of_rounds(logn: u32) -> Self {
        let q = (1.0 - Self::accepted(logn)).powi(2);
        let (both, one, none) = ((1.0 - q).powi(2), 2.0 * q * (1.0 - q), q * q);
        // A sample alone, which four attempts leave missing with q^2: moments of a geometric number.
        let (alone, alone2) = (1.0 / (1.0 - none), (1.0 + none) / (1.0 - none).powi(2));
        let mean = (1.0 + one * alone) / (1.0 - none);
        let square =
            (both + one * (1.0 + 2.0 * alone + alone2) + none * (1.0 + 2.0 * mean)) / (1.0 - none);
        let pairs = f64::from(1 << logn);
        Self {
            mean: pairs * mean,
            variance: pairs * (square - mean * mean),
        }
    }
}

/// What is refused, as often as it must be.
fn refusals(what: &str, logn: u32, seen: &Seen, law: &Law) {
    let Seen {
        n, sigma, count, ..
    } = *seen;
    let drawn = (seen.drawn as f64 - count * law.mean) / (count * law.variance).sqrt();
    // The squared length is a chi-square of 2 n degrees of freedom; coefficients are integers, as good as independent.
    let bound = f64::from(SQUARED_NORM_BOUND[logn as usize]) / (sigma * sigma);
    let too_long = chi_square_tail(2.0 * n, bound);
    let edge = (f64::from(P4::COEFFICIENT_BOUND) + 0.5) / sigma;
    let beyond = -(2.0 * n * (-chi_square_tail(1.0, edge * edge)).ln_1p()).exp_m1();
    let rare = |seen: u32, probability: f64| {
        let expected = probability * count;
        (f64::from(seen) - expected) / expected.max(1.0).sqrt()
    };
    for (name, score) in [
        ("draws", drawn),
        ("too long", rare(seen.too_long, too_long)),
        ("beyond the draft's bound", rare(seen.beyond, beyond)),
    ] {
        std::println!("    refused, {name}: {score:.2}");
        assert!(score.abs() < MOST, "{what}, logn {logn}: {name}: {score}");
    }
}

/// Both samplers are right, and reject equally often. (Too long is one vector in 250,000 of degree 512, by the chi-square of
/// its length, and none of 1024 that anybody has seen; one in a thousand of degree 1024 does not fit.)
fn compare(logn: u32, count: u32) {
    let key = fresh_key(logn, b"distribution");
    let seen = [
        look(logn, &key, count, rounds),
        look(logn, &key, count, exact),
    ];
    let laws = [Law::of_rounds(logn), Law::of_attempts(logn)];
    for ((what, seen), law) in ["default", "exact"].into_iter().zip(&seen).zip(&laws) {
        seen.print(what);
        let (of, name, score) = seen.worst();
        assert!(
            score.abs() < MOST,
            "{what}, logn {logn}: {of}, {name}: {score}"
        );
        refusals(what, logn, seen, law);
    }
    for (name, [a, b]) in [
        (
            "too long",
            seen.each_ref().map(|seen| f64::from(seen.too_long)),
        ),
        ("unfit", seen.each_ref().map(|seen| f64::from(seen.unfit))),
        (
            "beyond the draft's bound",
            seen.each_ref().map(|seen| f64::from(seen.beyond)),
        ),
    ] {
        let score = (a - b) / (a + b).max(1.0).sqrt();
        assert!(score.abs() < MOST, "logn {logn}: {name}: {a} and {b}");
    }
}

#[test]
fn signatures_are_spherical() {
    compare(9, 400);
    compare(10, 150);
}

/// `cargo test --release -p lanner-fn-dsa --lib -- --ignored --nocapture signatures_are_spherical_long`
///
/// `LANNER_TEST_SIGNATURES` is another number of signatures of degree 512; of 1024 there are a fifth as many.
#[test]
#[ignore = "long: 10^6 signatures of degree 512 with each sampler, 2 * 10^5 of 1024"]
fn signatures_are_spherical_long() {
    let count = match std::env::var("LANNER_TEST_SIGNATURES") {
        Ok(count) => count.parse().expect("a number"),
        Err(_) => 1_000_000,
    };
    compare(9, count);
    compare(10, count / 5);
}

/// A sampler whose deviations are off by a factor.
struct Stretched(FastSource, f64);

impl SamplerRng for Stretched {
    fn pair<L: Lanes>(
        &mut self,
        shape: &Shape<L::Real>,
        centres: [L::Real; 2],
        inverse_deviation: L::Real,
    ) -> Result<[L::Real; 2], NoSample> {
        let factor = L::Real::from_bits((1.0 / self.1).to_bits());
        self.0.pair::<L>(shape, centres, inverse_deviation * factor)
    }
}

impl Drawn for Stretched {
    fn drawn(&self) -> u64 {
        0
    }
}

/// A sampler that rounds its centre with a probability of one in some, and samples otherwise.
struct Rounding(FastSource, u32, u32);

impl SamplerRng for Rounding {
    fn pair<L: Lanes>(
        &mut self,
        shape: &Shape<L::Real>,
        centres: [L::Real; 2],
        inverse_deviation: L::Real,
    ) -> Result<[L::Real; 2], NoSample> {
        self.1 += 1;
        if self.1.is_multiple_of(self.2) {
            return Ok(centres.map(|centre| L::Real::from_i32(centre.round())));
        }
        self.0.pair::<L>(shape, centres, inverse_deviation)
    }
}

impl Drawn for Rounding {
    fn drawn(&self) -> u64 {
        0
    }
}

/// The scores see what they are there to see.
#[test]
fn wrong_samplers_are_caught() {
    let key = fresh_key(9, b"distribution");
    let caught = |what: &str, seen: &Seen| {
        let (of, name, score) = seen.worst();
        std::println!("{what}: {of}, {name}: {score:.1}");
        assert!(score.abs() > MOST, "{what}: {of}, {name}: {score}");
    };
    // Deviations that are 3 per cent too small: in a hundred signatures.
    let stretched = look(9, &key, 100, |counter| Stretched(fast(counter), 0.97));
    caught("stretched", &stretched);
    // One pair in seven rounded.
    let rounding = look(9, &key, 100, |counter| Rounding(fast(counter), 0, 7));
    caught("rounding", &rounding);
    // All of them: a parallelepiped, whose fourth moments alone would give it away.
    let babai = look(9, &key, 100, |counter| Rounding(fast(counter), 0, 1));
    caught("Babai", &babai);
    let fourth = |score: &&(_, &str, f64)| score.1 == "fourth moment" && score.2 < -MOST;
    assert!(babai.scores().iter().filter(fourth).count() > 0);
}
