//! Known signatures, bit for bit, on every kind of lanes.
//!
//! What stands around the core (decoding, hashing, restarts) is written here once more, in the simplest way,
//! so that these tests stand on their own.

extern crate std;

use alloc::string::String;
use alloc::vec::Vec;

use super::*;
use crate::fft;
use crate::fpr::emulated::Emulated;
use crate::outside::{integer, integers, octets, outside};
use crate::params::SQUARED_NORM_BOUND;
use crate::sampler::source::{ReferenceChaCha20, ShakeStream};
use crate::sampler::wide::FastSource;

/// The four polynomials of a basis.
#[allow(non_snake_case)]
pub(super) struct Basis {
    pub(super) f: Vec<i8>,
    pub(super) g: Vec<i8>,
    pub(super) F: Vec<i8>,
    pub(super) G: Vec<i8>,
}

impl Basis {
    pub(super) fn borrow(&self) -> SigningBasis<'_> {
        SigningBasis {
            f: &self.f,
            g: &self.g,
            F: &self.F,
            G: &self.G,
        }
    }

    /// G = (q + g F) / f, by the transform in doubles: exact after rounding.
    #[allow(non_snake_case)]
    fn complete(logn: u32, f: Vec<i8>, g: Vec<i8>, F: Vec<i8>) -> Self {
        fpr::prepare();
        let transformed = |p: &[i8]| {
            let mut values: Vec<Fpr> = p.iter().map(|&x| Fpr::from_i32(x.into())).collect();
            fft::forward::<Fpr>(logn, &mut values);
            values
        };
        let (tf, tg, tF) = (transformed(&f), transformed(&g), transformed(&F));
        let half = f.len() / 2;
        let mut quotient = std::vec![Fpr::from_i32(0); f.len()];
        for i in 0..half {
            let at = |p: &[Fpr]| Complex {
                re: p[i],
                im: p[half + i],
            };
            let mut numerator = at(&tg).mul(at(&tF));
            // Not every kind of value has an assigning operator.
            #[allow(clippy::assign_op_pattern)]
            {
                numerator.re = numerator.re + Fpr::from_i32(12289);
            }
            let divisor = at(&tf);
            let value = numerator
                .mul_conj(divisor)
                .scale(Fpr::from_i32(1).div(divisor.norm()));
            (quotient[i], quotient[half + i]) = (value.re, value.im);
        }
        fft::inverse::<Fpr>(logn, &mut quotient);
        let G = quotient
            .iter()
            .map(|x| {
                let x = f64::from_bits(x.to_bits());
                assert!((x - x.round()).abs() < 0.01, "not an integer: {x}");
                i8::try_from(x.round() as i32).expect("a coefficient below 128")
            })
            .collect();
        Self { f, g, F, G }
    }
}

/// Bits from a byte string, from the most or from the least significant of each byte.
struct Bits<'a> {
    bytes: &'a [u8],
    position: usize,
    lsb_first: bool,
}

impl Bits<'_> {
    fn bit(&mut self) -> u32 {
        let byte = self.bytes[self.position / 8];
        let within = self.position % 8;
        self.position += 1;
        let within = if self.lsb_first { within } else { 7 - within };
        u32::from(byte >> within & 1)
    }

    fn value(&mut self, width: u32) -> u32 {
        (0..width).fold(0, |value, i| {
            let bit = self.bit();
            if self.lsb_first {
                value | bit << i
            } else {
                value << 1 | bit
            }
        })
    }

    fn signed(&mut self, width: u32) -> i8 {
        let value = self.value(width) << (32 - width);
        (value as i32 >> (32 - width)) as i8
    }

    fn compressed(&mut self) -> i16 {
        let negative = self.bit() == 1;
        let mut magnitude = self.value(7);
        while self.bit() == 0 {
            magnitude += 128;
        }
        if negative {
            -(magnitude as i16)
        } else {
            magnitude as i16
        }
    }
}

fn signing_key(logn: u32, bytes: &[u8], lsb_first: bool) -> Basis {
    assert_eq!(u32::from(bytes[0]), 0x50 + logn);
    let n = 1 << logn;
    let mut bits = Bits {
        bytes: &bytes[1..],
        position: 0,
        lsb_first,
    };
    let width = crate::params::bits_fg(logn);
    let f = (0..n).map(|_| bits.signed(width)).collect();
    let g = (0..n).map(|_| bits.signed(width)).collect();
    let big_f = (0..n).map(|_| bits.signed(8)).collect();
    Basis::complete(logn, f, g, big_f)
}

fn signature_vector(logn: u32, signature: &[u8], lsb_first: bool) -> Vec<i16> {
    let mut bits = Bits {
        bytes: &signature[41..],
        position: 0,
        lsb_first,
    };
    (0..1 << logn).map(|_| bits.compressed()).collect()
}

pub(super) fn point(logn: u32, parts: &[&[u8]], big_endian: bool) -> Vec<u16> {
    let mut stream = ShakeStream::of_parts(parts);
    let mut point = Vec::new();
    while point.len() < 1 << logn {
        let mut word = stream.next_u16();
        if big_endian {
            word = word.swap_bytes();
        }
        if word < 61445 {
            point.push(word % 12289);
        }
    }
    point
}

/// The norm of a signature, checked against the equation s1 + s2 h = c in the form
/// s1 f + s2 g = c f (mod q), which needs no h.
fn squared_norm(s1: &[i16], s2: &[i16]) -> u64 {
    s1.iter()
        .chain(s2)
        .map(|&x| (i64::from(x) * i64::from(x)) as u64)
        .sum()
}

/// Runs one attempt on every kind of lanes that this processor has, and on the emulation; all must agree.
pub(super) fn on_all_lanes<S: SamplerRng>(
    logn: u32,
    basis: &SigningBasis<'_>,
    c: &[u16],
    tables: SamplerTables,
    source: impl Fn() -> S,
) -> (Vec<i16>, Vec<i16>) {
    let n = 1 << logn;
    let mut results = Vec::new();
    type Run<'a, S> = &'a dyn Fn(&mut S, (&mut [i16], &mut [i16]));
    let mut keep = |name: &str, run: Run<'_, S>| {
        let (mut s1, mut s2) = (std::vec![0; n], std::vec![0; n]);
        run(&mut source(), (&mut s1, &mut s2));
        results.push((String::from(name), (s1, s2)));
    };
    let length = scratch_len(logn);
    keep("chosen", &|source, outputs| {
        let mut scratch = std::vec![Fpr::from_i32(0); length];
        sample(logn, basis, c, tables, source, outputs, &mut scratch).expect("a key");
    });
    keep("emulated", &|source, outputs| {
        let scratch = &mut std::vec![Emulated::default(); length];
        sample_with::<Emulated, S>(logn, basis, c, tables, source, outputs, scratch)
            .expect("a key");
    });
    macro_rules! keep_on {
        ($name:literal, $enter:expr) => {
            keep($name, &|source, outputs| {
                let scratch = &mut std::vec![Fpr::from_i32(0); length];
                $enter(Sample {
                    logn,
                    basis,
                    c,
                    tables,
                    source,
                    outputs,
                    scratch,
                })
                .expect("a key");
            })
        };
    }
    keep_on!("one lane", lanner_simd::portable);
    keep_on!("the target's lanes", lanner_simd::baseline);
    match lanner_simd::Avx2::detect() {
        Some(witness) => keep_on!("AVX2", |sample| witness.enter(sample)),
        None => std::println!("no AVX2 here: four lanes are not tested"),
    }
    let (_, first) = results.remove(0);
    for (name, other) in results {
        assert!(
            other == first,
            "{name} gives another signature (logn {logn})"
        );
    }
    first
}

#[test]
fn signatures_of_fn_dsa_0_3_0() {
    let Some(outside) = outside("signatures of fn-dsa 0.3.0") else {
        return;
    };
    let cases = outside.vectors("fndsa/pornin-fn-dsa-0.3.0-kat.j0-4.json");
    assert_eq!(cases.len(), 45);
    for case in cases {
        let logn = integer(&case["logn"]);
        let of = |name| octets(&case[name]);
        let basis = signing_key(logn, &of("sk"), false);
        let expected = signature_vector(logn, &of("sig"), false);
        let random = of("sign_random_bytes");
        let hpk = crate::shake::shake256::<64>(&[&of("vk")]);
        let (ctx, id, hv) = (of("ctx"), of("hash_id"), of("hv"));
        let prefix = if id == [0] {
            [&[0, ctx.len() as u8][..], &ctx].concat()
        } else {
            [&[1, ctx.len() as u8][..], &ctx, &id].concat()
        };
        let mut attempts = random.chunks_exact(96);
        loop {
            let (nonce, seed) = attempts.next().expect("another attempt").split_at(40);
            let c = point(logn, &[nonce, &hpk, &prefix, &hv], true);
            let source = ShakeStream::new(seed);
            let (s1, s2) = on_all_lanes(logn, &basis.borrow(), &c, SamplerTables::Rcdt72, || {
                source.clone()
            });
            if squared_norm(&s1, &s2) <= u64::from(SQUARED_NORM_BOUND[logn as usize]) {
                assert_eq!(s2, expected, "logn {logn}");
                break;
            }
        }
        assert_eq!(attempts.len(), 0);
    }
}

#[test]
fn signatures_of_fn_dsa_0_4_0() {
    let Some(outside) = outside("signatures of fn-dsa 0.4.0") else {
        return;
    };
    let cases = outside.vectors("fndsa/pornin-fn-dsa-0.4.0-kat.j0-4.json");
    assert_eq!(cases.len(), 45);
    for case in cases {
        let logn = integer(&case["logn"]);
        let of = |name| octets(&case[name]);
        let (key, signature) = (of("sk"), of("sig"));
        let basis = signing_key(logn, &key, true);
        let expected = signature_vector(logn, &signature, true);
        let hpk = crate::shake::shake256::<64>(&[&of("vk")]);
        let (ctx, id, hv) = (of("ctx"), of("hash_id"), of("hv"));
        let prefix = if id == [0] {
            [&[0, ctx.len() as u8][..], &ctx].concat()
        } else {
            [&[1, ctx.len() as u8][..], &ctx, &id].concat()
        };
        let mu = crate::shake::shake256::<64>(&[&hpk, &prefix, &hv]);
        let secret = 1 + (2 * crate::params::bits_fg(logn) as usize * (1 << logn)) / 8;
        let hsk = crate::shake::shake256::<40>(&[&key[1..secret]]);
        let seed = crate::shake::shake256::<40>(&[&hsk, &mu, &of("seed_sign")]);
        let found = (0..27_u8).find_map(|counter| {
            let mut source = ShakeStream::of_parts(&[&seed, &[counter]]);
            let mut nonce = [0; 40];
            source.fill(&mut nonce);
            let c = point(logn, &[&nonce, &mu], false);
            let (s1, s2) = on_all_lanes(logn, &basis.borrow(), &c, SamplerTables::Rcdt79, || {
                source.clone()
            });
            let short = squared_norm(&s1, &s2) <= u64::from(SQUARED_NORM_BOUND[logn as usize]);
            let flat = s1.iter().chain(&s2).all(|x| x.abs() <= 840);
            (short && flat).then_some((nonce, s2))
        });
        let (nonce, s2) = found.expect("a signature");
        assert_eq!(nonce, signature[1..41], "logn {logn}");
        assert_eq!(s2, expected, "logn {logn}");
    }
}

#[test]
fn signatures_of_falcon_py() {
    let Some(outside) = outside("signatures of falcon.py") else {
        return;
    };
    let cases = outside.vectors("falcon.py/sign_KAT.shared.json.gz");
    assert_eq!(cases.len(), 60);
    let mut restarts = 0;
    for case in cases {
        let logn = integer(&case["logn"]);
        let of = |name| integers(&case[name]);
        let basis = Basis {
            f: of("f"),
            g: of("g"),
            F: of("F"),
            G: of("G"),
        };
        let random = octets(&case["rng_bytes"]);
        let (nonce, seeds) = random.split_at(40);
        let c = point(logn, &[nonce, b"data1"], true);
        let seeds = seeds.as_chunks::<56>().0;
        for (attempt, seed) in seeds.iter().enumerate() {
            let source = ReferenceChaCha20::new(seed);
            let (s1, s2) = on_all_lanes(logn, &basis.borrow(), &c, SamplerTables::Rcdt72, || {
                source.clone()
            });
            let last = attempt + 1 == seeds.len();
            let short = squared_norm(&s1, &s2) <= u64::from(SQUARED_NORM_BOUND[logn as usize]);
            if last {
                assert!(short);
                assert_eq!(s2, integers::<i16>(&case["s2"]), "logn {logn}");
            }
            restarts += usize::from(!last);
        }
    }
    assert!(restarts > 0, "some vector restarts");
}

/// A key of its own, by key generation.
#[cfg(feature = "keygen")]
pub(super) fn fresh_key(logn: u32, seed: &[u8]) -> Basis {
    use crate::keygen;
    use crate::params::KeygenRule;
    let zeros = || std::vec![0_i8; 1 << logn];
    let mut key = Basis {
        f: zeros(),
        g: zeros(),
        F: zeros(),
        G: zeros(),
    };
    let mut work = keygen::Workspace::<1024>::new();
    keygen::from_seed(
        KeygenRule::P3,
        logn,
        seed,
        &mut key.f,
        &mut key.g,
        &mut key.F,
        &mut key.G,
        work.words(),
    );
    key
}

/// The main variant's own source, on all lanes; every vector is in its coset: s1 f + s2 g = c f modulo q,
/// because h = g / f.
#[cfg(feature = "keygen")]
#[test]
fn fast_vectors_agree_and_are_in_the_coset() {
    for logn in 2..=10_u32 {
        let key = fresh_key(logn, b"fast vectors");
        for counter in 0..4_u8 {
            let c = point(logn, &[&[counter]], true);
            let source = || FastSource::from_seed([counter; 32]);
            let (s1, s2) = on_all_lanes(logn, &key.borrow(), &c, SamplerTables::Rcdt72, source);
            let n = 1 << logn;
            let mut sums = std::vec![0_i64; n];
            let mut accumulate = |p: &[i8], s: &dyn Fn(usize) -> i64| {
                for i in 0..n {
                    for j in 0..n {
                        let product = i64::from(p[i]) * s(j);
                        if i + j < n {
                            sums[i + j] += product;
                        } else {
                            sums[i + j - n] -= product;
                        }
                    }
                }
            };
            accumulate(&key.f, &|j| i64::from(s1[j]) - i64::from(c[j]));
            accumulate(&key.g, &|j| i64::from(s2[j]));
            assert!(sums.iter().all(|sum| sum % 12289 == 0), "logn {logn}");
        }
    }
}

/// The squared norm of (s1, s2), divided by 2 n sigma^2, has the mean 1 and, nearly, the deviation
/// 1 / sqrt(n).
#[cfg(feature = "keygen")]
fn norms(logn: u32, count: u32, fast: bool) {
    let key = fresh_key(logn, b"norms");
    let n = 1 << logn;
    let (mut s1, mut s2) = (std::vec![0; n], std::vec![0; n]);
    let mut scratch = std::vec![Fpr::from_i32(0); scratch_len(logn)];
    let sigma = 1.0 / f64::from_bits(crate::sampler::tables::INVERSE_SIGMA[logn as usize]);
    let (mut sum, mut squares, mut coordinates) = (0.0, 0.0, 0.0);
    for counter in 0..count {
        let c = point(logn, &[b"norms", &counter.to_le_bytes()], true);
        let (basis, outputs) = (key.borrow(), (&mut s1[..], &mut s2[..]));
        let tables = SamplerTables::Rcdt72;
        let outcome = if fast {
            let mut seed = [0; 32];
            seed[..4].copy_from_slice(&counter.to_le_bytes());
            let mut source = FastSource::from_seed(seed);
            sample(logn, &basis, &c, tables, &mut source, outputs, &mut scratch)
        } else {
            let mut source = ShakeStream::new(&counter.to_le_bytes());
            sample(logn, &basis, &c, tables, &mut source, outputs, &mut scratch)
        };
        outcome.expect("a key");
        let norm = squared_norm(&s1, &s2) as f64 / (2.0 * n as f64 * sigma * sigma);
        sum += norm;
        squares += (norm - 1.0) * (norm - 1.0);
        let all = s1.iter().chain(&s2);
        coordinates += all.map(|&x| f64::from(x)).sum::<f64>() / sigma;
    }
    let (count, n) = (f64::from(count), n as f64);
    let mean = (sum / count - 1.0) * (n * count).sqrt();
    assert!(mean.abs() < 5.0, "mean norm: {mean} deviations from 1");
    let variance = (squares / count * n - 1.0) * (count / 2.0).sqrt();
    assert!(
        variance.abs() < 6.0,
        "variance of the norm: {variance} deviations off"
    );
    let centre = coordinates / (2.0 * n * count).sqrt();
    assert!(
        centre.abs() < 5.0,
        "sum of all coordinates: {centre} deviations from 0"
    );
}

#[cfg(feature = "keygen")]
#[test]
fn norms_are_as_they_should_be() {
    norms(9, 300, true);
    norms(9, 300, false);
    norms(10, 100, true);
}

#[cfg(feature = "keygen")]
#[test]
#[ignore = "long: 60,000 vectors"]
fn norms_are_as_they_should_be_long() {
    for logn in [9, 10] {
        norms(logn, 20_000, true);
        norms(logn, 10_000, false);
    }
}

/// A basis that is none: its determinant is 0 and not q. Signing ends with an error, or with some vector.
#[test]
fn what_is_no_basis_ends() {
    let logn = 4;
    let f: Vec<i8> = (0..16).map(|i| (i * 7 % 11) - 5).collect();
    let g: Vec<i8> = (0..16).map(|i| (i * 5 % 13) - 6).collect();
    let zero = std::vec![0; 16];
    let c = point(logn, &[b"no basis"], true);
    for basis in [
        Basis {
            f: f.clone(),
            g: g.clone(),
            F: f.clone(),
            G: g.clone(),
        },
        Basis {
            f: zero.clone(),
            g: zero.clone(),
            F: zero.clone(),
            G: zero.clone(),
        },
        Basis {
            f: f.clone(),
            g: g.clone(),
            F: zero.clone(),
            G: zero,
        },
    ] {
        let mut scratch = std::vec![Fpr::from_i32(0); scratch_len(logn)];
        let (mut s1, mut s2) = (std::vec![0; 16], std::vec![0; 16]);
        for fast in [true, false] {
            let (basis, outputs) = (basis.borrow(), (&mut s1[..], &mut s2[..]));
            let tables = SamplerTables::Rcdt72;
            let outcome = if fast {
                let mut source = FastSource::from_seed([9; 32]);
                sample(logn, &basis, &c, tables, &mut source, outputs, &mut scratch)
            } else {
                let mut source = ShakeStream::new(b"no basis");
                sample(logn, &basis, &c, tables, &mut source, outputs, &mut scratch)
            };
            let length = u64::from(SQUARED_NORM_BOUND[logn as usize]);
            assert!(outcome.is_err() || squared_norm(&s1, &s2) > length);
        }
    }
}
