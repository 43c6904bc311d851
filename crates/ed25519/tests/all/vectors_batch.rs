//! Batches over the vector files: each item gets the verdict that its file
//! states, whatever stands beside it.

#![cfg(feature = "batch")]

use crate::vectors_support::{PROFILES, drop_in};
use lanner_ed25519::batch::Batch;
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Signature, SignatureError, VerifyingKey, verify_batch};
use lanner_vectors::cctv::profile_of_policy;
use lanner_vectors::{outside, own};

/// A signature, and a verdict for each profile where one is stated.
struct Item {
    key: VerifyingKey,
    msg: Vec<u8>,
    sig: Signature,
    stated: Vec<(String, bool)>,
}

impl Item {
    fn new(
        key: &[u8; 32],
        msg: &[u8],
        sig: &[u8; 64],
        stated: Vec<(String, bool)>,
    ) -> Option<Self> {
        let key = VerifyingKey::from_bytes(key).ok()?;
        Some(Self {
            key,
            msg: msg.to_vec(),
            sig: Signature::from_bytes(sig),
            stated,
        })
    }

    fn stated(&self, profile: &str) -> Option<bool> {
        self.stated
            .iter()
            .find(|(name, _)| name == profile)
            .map(|(_, accepts)| *accepts)
    }
}

fn check_batches(items: &[Item]) {
    for (name, _) in PROFILES {
        let stated: Vec<&Item> = items.iter().filter(|i| i.stated(name).is_some()).collect();
        if stated.is_empty() {
            continue;
        }
        let profile: ProfileName = name.parse().expect("a profile of this name");
        let (good, bad): (Vec<&Item>, Vec<&Item>) = stated
            .iter()
            .partition(|item| item.stated(name) == Some(true));

        // Mixed with others, in sizes that take different routes.
        for size in [1, 2, 7, 64, stated.len()] {
            for group in stated.chunks(size) {
                let (msgs, sigs, keys) = split(group);
                let verdicts = Batch::new(profile, &msgs, &sigs, &keys)
                    .expect("lengths")
                    .verify_each();
                for (item, verdict) in group.iter().zip(verdicts) {
                    assert_eq!(
                        Some(verdict),
                        item.stated(name),
                        "{name} in {size}: {:?}",
                        item.sig
                    );
                }
            }
        }
        // All that are valid make a valid batch; each of the others spoils it.
        let (msgs, sigs, keys) = split(&good);
        assert!(verify_all(profile, &msgs, &sigs, &keys).is_ok(), "{name}");
        if *name == drop_in() {
            assert!(verify_batch(&msgs, &sigs, &keys).is_ok());
        }
        for (nth, spoiler) in bad.iter().enumerate() {
            let mut group: Vec<&Item> = good.iter().copied().skip(nth % 5).take(6).collect();
            group.insert(nth % (group.len() + 1), spoiler);
            let (msgs, sigs, keys) = split(&group);
            let spoiled = verify_all(profile, &msgs, &sigs, &keys);
            assert!(spoiled.is_err(), "{name}: {:?}", spoiler.sig);
            if *name == drop_in() {
                assert!(verify_batch(&msgs, &sigs, &keys).is_err());
            }
        }
        spoil_combinations(name, profile, &good, &bad);
    }
}

/// In batches so large that every profile combines them, by products too, one invalid item among
/// valid ones: foremost items that only a cofactorless rule refuses, which a
/// combination that ignores torsion would let pass.
fn spoil_combinations(name: &str, profile: ProfileName, good: &[&Item], bad: &[&Item]) {
    let size = 344;
    let valid: Vec<&Item> = good.iter().copied().cycle().take(size).collect();
    let (msgs, sigs, keys) = split(&valid);
    assert!(verify_all(profile, &msgs, &sigs, &keys).is_ok(), "{name}");

    let (torsion, other): (Vec<&Item>, Vec<&Item>) = bad
        .iter()
        .partition(|item| item.stated("zip215") == Some(true));
    for list in [torsion, other] {
        for (nth, spoiler) in list.iter().step_by(list.len() / 12 + 1).enumerate() {
            let mut group = valid.clone();
            let position = (nth * 97 + 13) % size;
            group[position] = spoiler;
            let (msgs, sigs, keys) = split(&group);
            let spoiled = verify_all(profile, &msgs, &sigs, &keys);
            assert!(spoiled.is_err(), "{name}: {:?}", spoiler.sig);
            let verdicts = Batch::new(profile, &msgs, &sigs, &keys)
                .expect("lengths")
                .verify_each();
            let refused: Vec<usize> = (0..size).filter(|&i| !verdicts[i]).collect();
            assert_eq!(refused, [position], "{name}: {:?}", spoiler.sig);
        }
    }
}

fn verify_all(
    profile: ProfileName,
    msgs: &[&[u8]],
    sigs: &[Signature],
    keys: &[VerifyingKey],
) -> Result<(), SignatureError> {
    Batch::new(profile, msgs, sigs, keys)?.verify()
}

fn split<'a>(items: &[&'a Item]) -> (Vec<&'a [u8]>, Vec<Signature>, Vec<VerifyingKey>) {
    (
        items.iter().map(|item| item.msg.as_slice()).collect(),
        items.iter().map(|item| item.sig).collect(),
        items.iter().map(|item| item.key).collect(),
    )
}

#[test]
fn own_cases() {
    let items: Vec<Item> = own::verify()
        .cases
        .iter()
        .filter_map(|case| {
            let stated = PROFILES
                .iter()
                .map(|(p, _)| ((*p).to_owned(), case.accepted_by(p)));
            Item::new(&case.key, &case.msg, &case.sig, stated.collect())
        })
        .collect();
    assert!(items.len() > 1500);
    check_batches(&items);
}

#[test]
fn cctv() {
    let Some(files) = outside("CCTV in batches") else {
        return;
    };
    let items: Vec<Item> = files
        .cctv()
        .iter()
        .filter_map(|case| {
            let stated = case
                .accept
                .iter()
                .map(|(policy, v)| (profile_of_policy(policy).to_owned(), *v));
            Item::new(&case.key, case.msg.as_bytes(), &case.sig, stated.collect())
        })
        .collect();
    check_batches(&items);
}
