//! Whole keys.

use std::vec;
use std::vec::Vec;

use num_bigint::BigInt;
use sha2::{Digest, Sha256};

use core::marker::PhantomData;

use lanner_simd::Isa;

use super::{Portable, Random, negacyclic, on_every_isa};
use crate::keygen::solver::Solver;
use crate::keygen::{
    Memory, Rejections, Workspace, from_seed, from_stream, gauss, generate, ortho,
};
use crate::ntt;
use crate::outside::{octets, outside};
use crate::params::{KeygenRule, N_MAX};
use crate::shake::ShakeStream;
use crate::shake256x4::Shake256x4;

type Key = [Vec<i8>; 4];

fn key(rule: KeygenRule, logn: u32, seed: &[u8], work: &mut Workspace<N_MAX>) -> Key {
    let mut key = [(); 4].map(|()| vec![0; 1 << logn]);
    let [f, g, big_f, big_g] = &mut key;
    from_seed(rule, logn, seed, f, g, big_f, big_g, work.words());
    key
}

fn hash(key: &Key) -> [u8; 32] {
    let mut hash = Sha256::new();
    for x in key {
        hash.update(x.iter().map(|&x| x as u8).collect::<Vec<u8>>());
    }
    hash.finalize().into()
}

/// f G - g F = q, with integers that share nothing with the solver.
fn solves_equation(key: &Key) -> bool {
    let [f, g, big_f, big_g] = key
        .each_ref()
        .map(|x| x.iter().map(|&x| BigInt::from(x)).collect::<Vec<_>>());
    let (left, right) = (negacyclic(&f, &big_g), negacyclic(&g, &big_f));
    left.iter()
        .zip(&right)
        .enumerate()
        .all(|(i, (x, y))| x - y == BigInt::from(if i == 0 { 12289 } else { 0 }))
}

const RULES: [KeygenRule; 2] = [KeygenRule::P3, KeygenRule::P4];

#[test]
fn every_degree_solves_the_equation() {
    let mut work = Workspace::<N_MAX>::new();
    for rule in RULES {
        for logn in 2..=10 {
            for i in 0..(512 >> logn).clamp(1, 32) {
                let mut key = key(rule, logn, &[i as u8, 1], &mut work);
                assert!(solves_equation(&key), "{rule:?} {logn} {i}");
                let sum = key[0].iter().map(|&x| i32::from(x)).sum::<i32>();
                assert_eq!(sum & 1, 1);
                assert!(ortho::is_short(&key[0], &key[1]));
                // The check can fail.
                key[3][1] ^= 1;
                assert!(!solves_equation(&key));
            }
        }
    }
}

/// SHA-256 of f, g, F and G from a seed of 32 sevens, for logn 2 to 10. The crates fn-dsa 0.3.0 and 0.4.0
/// derive the same keys.
const PINNED: [[&str; 9]; 2] = [
    [
        "7827a7692725c39042756c2a71cced063d43bf1720fd18a90d2ac7c9a658fd5c",
        "129cbbf1e646bb8b9b559a45dbe8f824db38b65f37a08cbc23f71831f4883fee",
        "4e652153cbc21f7775476f1e060addfeef44d254d932846d3abb366eb0961429",
        "3c2990cc89e0d54f83528c47e898065bfa4c841f79bf04ba73db6526babc7785",
        "f559b1fef4d93ec9e523878d13bc4505060deb2af09b6fdba48e8341af2989c5",
        "3ab2d05cd7f0301b6951d09ee2d8840365d9e942b86ea64f52eedee569d5a813",
        "cc977f185f28b4185aee54e0fa40080103a34982541e864babfe78bc1b4352fc",
        "fcaa083d4a0187932147b8f4cd0644150b05faafb5698f486a059c703dea5a40",
        "cf96f70abf855c2c3aac31e311c4d267ea13004f90ff2a0e8406b7ec906be3cf",
    ],
    [
        "12ff818c82805e34b1a1083f4c695e93a45566454dcb620ac9c0969bde9bd226",
        "7fdf5a23a5a768efc56f95b39842cd560f3cfa889a82debf78f11ced63c5ee8f",
        "13713a9b572d72a69bca666c782d198f192542ca240412a1cd9ffe39349f9cda",
        "d5357cdd333a6fd699072903f28bc7c58f2d155ac511f266daee713fa4ce0cb2",
        "2e9745a1fdbf76ca129e6f25d83a9627db96ea782b2f9b9a314ea6390e2aa545",
        "f09aa6786daeb107bbb3c202dcf099314f197a3073ff6ea8c4139edf62bbd8b4",
        "0c6eebda993c5a1fb3294af54cbd60ef260501665c352baf1d8278321f516c10",
        "9fac8d8976ff020862aae80c2443472d0eb562bcda426de7a4655ff33ee96455",
        "5f36c5649b2cbf14b1050e3b9ce37607399d704f29561456af16f41b63a12f02",
    ],
];

#[test]
fn keys_never_change() {
    let mut work = Workspace::<N_MAX>::new();
    for (rule, pinned) in RULES.into_iter().zip(PINNED) {
        for (logn, pinned) in (2..).zip(pinned) {
            let key = key(rule, logn, &[7; 32], &mut work);
            assert_eq!(hex::encode(hash(&key)), pinned, "{rule:?} {logn}");
        }
    }
}

/// The hashes that the incumbents publish, and the keys among their signature vectors.
#[test]
fn incumbents_derive_the_same() {
    let Some(outside) = outside("keys of fn-dsa") else {
        return;
    };
    let mut work = Workspace::<N_MAX>::new();
    let file = outside.json("fndsa/pornin-keygen-hashes.i0-49.json");
    let sets = file["sets"].as_object().expect("sets by name");
    let mut count = 0;
    for (rule, version) in RULES.into_iter().zip(["fn-dsa-0.3.0", "fn-dsa-0.4.0"]) {
        let set = sets.iter().find(|(name, _)| name.starts_with(version));
        let (_, set) = set.expect("one of each version");
        for (logn, hashes) in set.as_object().expect("hashes by degree") {
            let logn = logn.strip_prefix("logn").expect("logn…");
            let logn = logn.parse().expect("a number");
            for (i, expected) in hashes.as_array().expect("a list").iter().enumerate() {
                let seed = std::format!("test{i}");
                let key = key(rule, logn, seed.as_bytes(), &mut work);
                assert_eq!(hash(&key)[..], octets(expected), "{rule:?} {logn} {i}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 300);
}

/// The first of the hashes that the crate fn-dsa-kgen 0.2.0 publishes: keys from four instances of SHAKE256.
const OF_SHAKE256X4: [(u32, [&str; 2]); 3] = [
    (
        8,
        [
            "77ebf1d3458617076b4bf2d536f773a35c70ebb698c0dacb1c37e5d3874967b1",
            "c4ca2115a1df738f72384d18cd27fe1e4825aa87214c19d8dc5b5c8396dd6ecb",
        ],
    ),
    (
        9,
        [
            "7b4ecb9d81d2c008f563f1678490defd502ce1d904c76739fcccecb0bcc4e556",
            "53026bbd37da5066a4ff98bd50ca96c99b6c3c78dfed40cf6ed203bdf36922f9",
        ],
    ),
    (
        10,
        [
            "d4da28c3159d76f13bc93d41f2dc7f087285ae1fa70e6e64421e388ace5aa49c",
            "cb3afab7b9b49f20ca20744996322ffe78b906401ecbba6ee92badceff1cb1d8",
        ],
    ),
];

#[test]
fn four_instances_derive_the_keys_of_0_2() {
    let mut work = Workspace::<N_MAX>::new();
    for (logn, hashes) in OF_SHAKE256X4 {
        for (i, expected) in hashes.into_iter().enumerate() {
            let mut key = [(); 4].map(|()| vec![0; 1 << logn]);
            let [f, g, big_f, big_g] = &mut key;
            let mut stream = Shake256x4::empty();
            stream.restart(std::format!("test{i}").as_bytes());
            let memory = work.words();
            from_stream(
                KeygenRule::P3,
                logn,
                &mut stream,
                f,
                g,
                big_f,
                big_g,
                memory,
            );
            assert_eq!(hex::encode(hash(&key)), expected, "{logn} {i}");
        }
    }
}

/// All instruction sets derive the same key.
fn isa_agrees<I: Isa>() {
    if I::NAME == Portable::NAME {
        return;
    }
    let (mut ours, mut theirs) = (Workspace::<N_MAX>::new(), Workspace::<N_MAX>::new());
    for rule in RULES {
        for logn in 2..=10 {
            for i in 0..(2048u32 >> logn).clamp(2, 100) {
                let mut keys = [(); 8].map(|()| vec![0; 1 << logn]);
                let [f, g, big_f, big_g, f2, g2, big_f2, big_g2] = &mut keys;
                let mut stream = ShakeStream::new(&i.to_le_bytes());
                let mut other = stream.clone();
                let a = generate::<I>(rule, logn, &mut stream, f, g, big_f, big_g, ours.words());
                let b = generate::<Portable>(
                    rule,
                    logn,
                    &mut other,
                    f2,
                    g2,
                    big_f2,
                    big_g2,
                    theirs.words(),
                );
                assert_eq!(keys[..4], keys[4..], "{rule:?} {logn} {i}");
                assert_eq!(a, b);
                assert_eq!(stream.next_u64(), other.next_u64());
            }
        }
    }
}

#[test]
fn instruction_sets_agree() {
    on_every_isa!(isa_agrees());
}

/// f and g whose resultants share a factor have no solution; nor has an f that is not invertible.
#[test]
fn unsolvable_pairs_are_refused() {
    let mut work = Workspace::<N_MAX>::new();
    for rule in RULES {
        for logn in [2, 4, 9] {
            let n = 1usize << logn;
            let mut random = Random::new("unsolvable");
            let mut f: Vec<i8> = (0..n).map(|_| random.below(7) as i8 - 3).collect();
            f[0] ^= 1 ^ (f.iter().fold(0, |sum, x| sum ^ x) & 1);
            let zero = vec![0i8; n];
            let mut one = zero.clone();
            one[0] = 1;
            // g = f: the resultants are equal. g = 0: one is zero. f = 1 and g = f: solved at once.
            for (f, g, solvable) in [(&f, &f, false), (&f, &zero, false), (&zero, &f, false)] {
                let (mut big_f, mut big_g) = (zero.clone(), zero.clone());
                let mut solver = Solver {
                    isa: PhantomData::<Portable>,
                    rule,
                    logn,
                    f,
                    g,
                    memory: work.words(),
                };
                assert_eq!(solver.solve(&mut big_f, &mut big_g).is_ok(), solvable);
            }
            let mut is_invertible =
                |f: &[i8]| ntt::is_invertible(logn, f, Memory::new(work.words()).room(n));
            assert!(!is_invertible(&zero));
            assert!(is_invertible(&one));
        }
    }
}

/// The draws against the tables' own probabilities: mean, variance and every single value.
#[test]
fn draws_have_the_distribution() {
    for (rule, logn, variance) in [
        (KeygenRule::P3, 8, 32.87),
        (KeygenRule::P3, 9, 16.43),
        (KeygenRule::P3, 10, 8.22),
        (KeygenRule::P4, 9, 16.43),
        (KeygenRule::P4, 10, 8.22),
    ] {
        let mut stream = ShakeStream::new(b"distribution");
        let mut f = vec![0i8; 1 << logn];
        let (mut sum, mut squares, mut count) = (0i64, 0i64, 0i64);
        for _ in 0..(1 << (20 - logn)) {
            gauss::sample::<Portable>(rule, logn, &mut stream, &mut f);
            assert_eq!(f.iter().fold(0, |sum, x| sum ^ x) & 1, 1);
            for &x in &f {
                sum += i64::from(x);
                squares += i64::from(x) * i64::from(x);
                count += 1;
            }
        }
        // Six standard deviations of the mean and of the variance.
        let (mean, measured) = (sum as f64 / count as f64, squares as f64 / count as f64);
        assert!(
            mean.abs() < 6.0 * (variance / count as f64).sqrt(),
            "{rule:?} {logn}: {mean}"
        );
        let error = 6.0 * variance * (2.0 / count as f64).sqrt();
        assert!(
            (measured - variance).abs() < error + 0.01,
            "{rule:?} {logn}: {measured}"
        );
    }
}

/// How often a pair is refused, and why. `cargo test --release -- --ignored --nocapture rates`.
#[test]
#[ignore = "measures for half a minute"]
fn rates() {
    let mut work = Workspace::<N_MAX>::new();
    for rule in RULES {
        for logn in 2..=10 {
            let keys = 400u32;
            let mut total = Rejections::default();
            let mut most = 0;
            for i in 0..keys {
                let mut key = [(); 4].map(|()| vec![0; 1 << logn]);
                let [f, g, big_f, big_g] = &mut key;
                let mut stream = ShakeStream::new(&i.to_le_bytes());
                let one =
                    generate::<Portable>(rule, logn, &mut stream, f, g, big_f, big_g, work.words());
                most = most.max(one.total());
                total.add(&one);
            }
            std::println!(
                "{rule:?} logn {logn}, {keys} keys, at most {most} refused for one: {total:?}"
            );
        }
    }
}
