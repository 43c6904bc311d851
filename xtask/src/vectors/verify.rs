//! Edge cases of verification: every sort of key with every sort of R, and S
//! in and out of its range.
//!
//! A signature holds when the residue S·B - k·A - R is the neutral element, or
//! for a cofactored rule when it is any torsion point. The prime-order parts are
//! made to cancel through S, and the torsion parts are steered through k, by a
//! search for a message.

use lanner_vectors::own::{File, VerifyCase};
use num_bigint::BigUint;

use super::points::{large_non_canonical, no_points, torsion_encodings};
use super::stream::Stream;
use crate::model::eddsa::{Facts, Scheme, challenge, join};
use crate::model::edwards::{BASE, TORSION};
use crate::model::field::{L, int};

/// An encoded point of which all is known: scalar·B plus a torsion point.
#[derive(Clone)]
struct Known {
    name: String,
    bytes: [u8; 32],
    scalar: BigUint,
    torsion: u32,
    /// The canonical encoding of the same point.
    canonical: [u8; 32],
}

impl Known {
    fn new(name: String, scalar: BigUint, torsion: u32) -> Self {
        let bytes = BASE.mul(&scalar).add(&TORSION[torsion as usize]).encode();
        Self {
            name,
            bytes,
            scalar,
            torsion,
            canonical: bytes,
        }
    }

    fn is_canonical(&self) -> bool {
        self.bytes == self.canonical
    }
}

/// What the torsion part of the residue should be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Residue {
    Zero,
    NonZero,
}

/// The sorts of points: order L, order L plus each torsion point, and each
/// torsion point in each of its encodings: 22 in all.
fn sorts(stream: &mut Stream) -> Vec<Known> {
    let mut all = vec![Known::new("order L".to_owned(), stream.scalar(), 0)];
    for j in 1..8 {
        let name = format!("order L plus torsion {j}");
        all.push(Known::new(name, stream.scalar(), j));
    }
    for j in 0..8u32 {
        let encodings = torsion_encodings(j as usize);
        for (nth, &bytes) in encodings.iter().enumerate() {
            let form = if nth == 0 {
                String::new()
            } else {
                format!(", non-canonical {nth}")
            };
            all.push(Known {
                name: format!("torsion {j}{form}"),
                bytes,
                scalar: int(0),
                torsion: j,
                canonical: encodings[0],
            });
        }
    }
    all
}

/// Collects the cases.
struct Cases {
    list: Vec<VerifyCase>,
    stream: Stream,
}

impl Cases {
    fn push(
        &mut self,
        [a, r, s]: [&str; 3],
        key: [u8; 32],
        msg: Vec<u8>,
        sig: [u8; 64],
    ) -> &VerifyCase {
        let facts = Facts::new(Scheme::Pure, &key, &msg, &sig);
        self.list.push(VerifyCase {
            id: u32::try_from(self.list.len()).expect("few cases"),
            a: a.to_owned(),
            r: r.to_owned(),
            s: s.to_owned(),
            residue: facts.residue,
            key,
            msg,
            sig,
            accept: facts.accepted().into_iter().map(str::to_owned).collect(),
        });
        &self.list[self.list.len() - 1]
    }

    /// An R of the sort given; a part of order L gets a fresh scalar.
    fn fresh(&mut self, sort: &Known) -> Known {
        if sort.scalar == int(0) {
            return sort.clone();
        }
        Known::new(sort.name.clone(), self.stream.scalar(), sort.torsion)
    }

    /// Looks for a message whose k passes the test.
    fn search(
        &self,
        r: &[u8; 32],
        a: &[u8; 32],
        test: impl Fn(&[u8], &BigUint) -> bool,
    ) -> Option<(Vec<u8>, BigUint)> {
        // k mod 8 decides, so 300 failures mean that there is no such message.
        (0..300u32).find_map(|nth| {
            let message = format!("Lanner {}", u64::from(nth) + 300 * self.list.len() as u64);
            let message = message.into_bytes();
            let k = challenge(Scheme::Pure, r, a, &message);
            test(&message, &k).then_some((message, k))
        })
    }
}

/// The index of the torsion part of S·B - k·A - R.
fn torsion_left(a: &Known, r: &Known, k: &BigUint) -> u32 {
    let k = u32::try_from(k % 8u8).expect("below 8");
    (16 * 8 - k * a.torsion - r.torsion) % 8
}

/// A message and the S that makes the parts of order L cancel.
fn solve(cases: &Cases, a: &Known, r: &Known, wanted: Residue) -> Option<(Vec<u8>, BigUint)> {
    let zero = wanted == Residue::Zero;
    let (message, k) = cases.search(&r.bytes, &a.bytes, |_, k| {
        (torsion_left(a, r, k) == 0) == zero
    })?;
    Some((message, (&r.scalar + k * &a.scalar) % &*L))
}

/// Every sort of A with every sort of R, with the torsion parts cancelling and
/// not, and with S + L.
fn every_pair(cases: &mut Cases, a_sorts: &[Known], r_sorts: &[Known]) {
    for a in a_sorts {
        for r in r_sorts {
            let mut shifted = false;
            for wanted in [Residue::Zero, Residue::NonZero] {
                let r = cases.fresh(r);
                let Some((message, s)) = solve(cases, a, &r, wanted) else {
                    continue;
                };
                let sig = join(&r.bytes, &s);
                let case = cases.push([&a.name, &r.name, "S"], a.bytes, message.clone(), sig);
                assert_eq!(case.residue == Some(0), wanted == Residue::Zero);
                assert!(case.accepted_by("zip215"), "the equation was made to hold");
                if !shifted {
                    shifted = true;
                    let sig = join(&r.bytes, &(s + &*L));
                    cases.push([&a.name, &r.name, "S + L"], a.bytes, message, sig);
                }
            }
        }
    }
}

/// A few of each sort, for the lists that need not try every pair.
fn representatives(sorts: &[Known]) -> Vec<Known> {
    let first = |test: &dyn Fn(&Known) -> bool| {
        sorts
            .iter()
            .find(|sort| test(sort))
            .expect("the sort exists")
            .clone()
    };
    vec![
        first(&|s| s.name == "order L"),
        first(&|s| s.name == "order L plus torsion 1"),
        first(&|s| s.name == "torsion 0"),
        first(&|s| s.name == "torsion 1"),
        first(&|s| !s.is_canonical() && s.torsion == 0),
        first(&|s| !s.is_canonical() && s.torsion == 2),
    ]
}

/// Other values of S: further multiples of L, each of the three top bits, and
/// values that are plainly wrong.
fn other_values_of_s(cases: &mut Cases, a_sorts: &[Known], r_sorts: &[Known]) {
    let bit = |n: u32| BigUint::from(1u8) << n;
    for a in representatives(a_sorts) {
        for r in representatives(r_sorts) {
            let r = cases.fresh(&r);
            let solved = solve(cases, &a, &r, Residue::Zero)
                .or_else(|| solve(cases, &a, &r, Residue::NonZero));
            let (message, s) = solved.expect("one of the two");
            for (name, s) in [
                ("S + 2L", &s + &*L * 2u8),
                ("S + 15L", &s + &*L * 15u8),
                ("S + 2^253", &s + bit(253)),
                ("S + 2^254", &s + bit(254)),
                ("S + 2^255", &s + bit(255)),
                ("S + 1", (&s + 1u8) % &*L),
                ("-S - 1", (&*L * 2u8 - &s - 1u8) % &*L),
            ] {
                let sig = join(&r.bytes, &s);
                cases.push([&a.name, &r.name, name], a.bytes, message.clone(), sig);
            }
        }
    }
}

/// Under a key of small order S is free: the extremes of its range.
fn extreme_s(cases: &mut Cases, sorts: &[Known]) {
    let power = |n: u32| BigUint::from(1u8) << n;
    let values = [
        ("S = 0", int(0)),
        ("S = 1", int(1)),
        ("S = 2^252 - 1", power(252) - 1u8),
        ("S = 2^252", power(252)),
        ("S = L - 1", &*L - 1u8),
        ("S = L", L.clone()),
        ("S = L + 1", &*L + 1u8),
        ("S = 2^253 - 1", power(253) - 1u8),
        ("S = 2^253", power(253)),
        ("S = 2L - 1", &*L * 2u8 - 1u8),
        ("S = 2L", &*L * 2u8),
        ("S = 2^254 - 1", power(254) - 1u8),
        ("S = 2^255 - 1", power(255) - 1u8),
        ("S = 15L", &*L * 15u8),
        ("S = 2^256 - 1", power(256) - 1u8),
    ];
    for a in sorts.iter().filter(|sort| sort.scalar == int(0)) {
        for (name, s) in &values {
            let r = Known::new("S·B".to_owned(), s % &*L, 0);
            let (message, _) = solve(cases, a, &r, Residue::Zero).expect("k = 0 mod 8 will do");
            let sig = join(&r.bytes, s);
            cases.push([&a.name, &r.name, name], a.bytes, message, sig);
        }
    }
}

/// Signatures that hold only for a verifier that hashes a canonical encoding in
/// place of the octets it was given.
fn hashed_again(cases: &mut Cases, a_sorts: &[Known], r_sorts: &[Known]) {
    // A non-canonical key: the torsion parts cancel for one k and not for the
    // other, both ways.
    for a in a_sorts
        .iter()
        .filter(|a| !a.is_canonical() && a.torsion != 0)
    {
        for r in representatives(r_sorts) {
            let r = cases.fresh(&r);
            for true_is_zero in [false, true] {
                let found = cases.search(&r.bytes, &a.bytes, |message, k| {
                    let other = challenge(Scheme::Pure, &r.bytes, &a.canonical, message);
                    let (mine, other) = (torsion_left(a, &r, k), torsion_left(a, &r, &other));
                    (mine == 0) == true_is_zero && (other == 0) != true_is_zero
                });
                if let Some((message, _)) = found {
                    let sig = join(&r.bytes, &r.scalar);
                    let s = "S, k of the canonical A would change the residue";
                    cases.push([&a.name, &r.name, s], a.bytes, message, sig);
                }
            }
        }
    }
    // A non-canonical R under a key with a part of order L: S solved with the
    // wrong k, so nobody may accept.
    for a in representatives(a_sorts)
        .into_iter()
        .filter(|a| a.scalar != int(0))
    {
        for r in r_sorts.iter().filter(|r| !r.is_canonical()) {
            let message = format!("Lanner, hashed again {}", cases.list.len()).into_bytes();
            let k = challenge(Scheme::Pure, &r.canonical, &a.bytes, &message);
            let sig = join(&r.bytes, &((&r.scalar + k * &a.scalar) % &*L));
            let s = "S for k of the canonical R";
            let case = cases.push([&a.name, &r.name, s], a.bytes, message, sig);
            assert!(case.accept.is_empty());
        }
    }
}

/// Octets that are no point, and points with y of p or more that nobody can
/// sign for: every rule must refuse, whether it decodes them or not.
fn hopeless(cases: &mut Cases, a_sorts: &[Known], r_sorts: &[Known]) {
    let bad: Vec<(&str, [u8; 32])> = no_points()
        .into_iter()
        .map(|bytes| ("no point", bytes))
        .chain(
            large_non_canonical()
                .into_iter()
                .map(|bytes| ("y of p or more", bytes)),
        )
        .collect();
    for (name, bytes) in bad {
        let message = format!("Lanner, hopeless {}", cases.list.len()).into_bytes();
        let r = cases.fresh(&r_sorts[0]);
        let sig = join(&r.bytes, &r.scalar);
        cases.push([name, &r.name, "S = r"], bytes, message.clone(), sig);
        let zero = TORSION[0].encode();
        cases.push(
            [name, "torsion 0", "S = 0"],
            bytes,
            message.clone(),
            join(&zero, &int(0)),
        );
        for a in [&a_sorts[0], &a_sorts[8]] {
            let k = challenge(Scheme::Pure, &bytes, &a.bytes, &message);
            let sig = join(&bytes, &(k * &a.scalar % &*L));
            cases.push([&a.name, name, "S = k·a"], a.bytes, message.clone(), sig);
        }
    }
    assert!(
        cases
            .list
            .iter()
            .rev()
            .take(20)
            .all(|case| case.accept.is_empty())
    );
}

/// Ordinary signatures, and each with one thing changed.
fn ordinary(cases: &mut Cases, a_sorts: &[Known], r_sorts: &[Known]) {
    let a = &a_sorts[0];
    for length in [0usize, 1, 32, 63, 64, 111, 200] {
        let r = cases.fresh(&r_sorts[0]);
        let message = cases.stream.octets(length);
        let k = challenge(Scheme::Pure, &r.bytes, &a.bytes, &message);
        let s = (&r.scalar + k * &a.scalar) % &*L;
        let sig = join(&r.bytes, &s);
        let names = [a.name.as_str(), r.name.as_str()];
        let case = cases.push([names[0], names[1], "S"], a.bytes, message.clone(), sig);
        assert_eq!(case.accept.len(), crate::model::eddsa::Profile::ALL.len());

        let mut longer = message.clone();
        longer.push(0);
        cases.push(
            [names[0], names[1], "S, the message extended"],
            a.bytes,
            longer,
            sig,
        );
        if let Some(first) = message.first() {
            let mut changed = message.clone();
            changed[0] = first ^ 0x80;
            cases.push(
                [names[0], names[1], "S, the message changed"],
                a.bytes,
                changed,
                sig,
            );
        }
        let other = a_sorts[1].bytes;
        cases.push(["another key", names[1], "S"], other, message.clone(), sig);
        let negated = BASE.mul(&r.scalar).negate().encode();
        let sig = join(&negated, &s);
        cases.push([names[0], "-R", "S"], a.bytes, message.clone(), sig);
        let sig = join(&r.bytes, &((&*L - &s) % &*L));
        cases.push([names[0], names[1], "-S"], a.bytes, message, sig);
    }
}

/// All cases.
pub(super) fn cases() -> File<VerifyCase> {
    let a_sorts = sorts(&mut Stream::new("keys"));
    let r_sorts = sorts(&mut Stream::new("nonces"));
    assert_eq!(a_sorts.len(), 22);
    let mut cases = Cases {
        list: Vec::new(),
        stream: Stream::new("verification"),
    };
    every_pair(&mut cases, &a_sorts, &r_sorts);
    other_values_of_s(&mut cases, &a_sorts, &r_sorts);
    extreme_s(&mut cases, &a_sorts);
    hashed_again(&mut cases, &a_sorts, &r_sorts);
    hopeless(&mut cases, &a_sorts, &r_sorts);
    ordinary(&mut cases, &a_sorts, &r_sorts);
    File {
        about: "Edge cases of Ed25519 verification, and who accepts. \
                Made by `cargo xtask vectors`."
            .to_owned(),
        cases: cases.list,
    }
}
