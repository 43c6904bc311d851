//! A batch gives the verdicts of single verification, item by item.
#![cfg(feature = "batch")]

use crate::common::items::{Item, honest, item};
#[cfg(feature = "rayon")]
use crate::common::over_threads;
use lanner_ed25519::batch::Batch;
use lanner_ed25519::profile::{Dalek, ProfileName, Strict, Zip215};
use lanner_ed25519::{Signature, Verifier, VerifyingKey, verify_batch};
use proptest::prelude::*;

/// Large enough for every way of combining, products over subsets included.
const LARGE: usize = 256;

/// Verifies `items` in every way and compares.
fn check(items: &[Item]) {
    let keys: Vec<VerifyingKey> = items.iter().map(|item| item.0).collect();
    let messages: Vec<&[u8]> = items.iter().map(|item| &item.1[..]).collect();
    let signatures: Vec<Signature> = items.iter().map(|item| item.2).collect();
    for &profile in ProfileName::ALL {
        let singly: Vec<bool> = items
            .iter()
            .map(|(key, message, signature)| key.under(profile).verify(message, signature).is_ok())
            .collect();
        let all_singly = singly.iter().all(|valid| *valid);
        let batch = Batch::new(profile, &messages, &signatures, &keys).unwrap();
        let aux_rand = [items.len() as u8; 32];
        for batch in [batch, batch.with_aux_rand(&aux_rand)] {
            assert_eq!(batch.verify_each(), singly, "{profile}");
            assert_eq!(batch.verify().is_ok(), all_singly, "{profile}");
            let mut into = vec![true; singly.len()];
            batch.verify_each_combined_into(&mut into).unwrap();
            assert_eq!(into, singly, "{profile}, into the caller's memory");
            #[cfg(feature = "rayon")]
            over_threads(|| {
                assert_eq!(batch.par_verify_each(), singly, "{profile}, over threads");
                let all = batch.par_verify().is_ok();
                assert_eq!(all, all_singly, "{profile}, over threads");
            });
        }
        let mut into = vec![true; singly.len()];
        batch.verify_each_into(&mut into).unwrap();
        assert_eq!(into, singly, "{profile}, without allocation");
    }
    let singly = items
        .iter()
        .all(|(key, message, signature)| key.verify(message, signature).is_ok());
    assert_eq!(verify_batch(&messages, &signatures, &keys).is_ok(), singly);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn small_batches_equal_single(items in prop::collection::vec(item(), 0..40)) {
        check(&items);
    }

    /// Mostly honest, so that combinations of many items succeed.
    #[test]
    fn batches_equal_single(
        n in 0..300usize,
        odd in prop::collection::vec((any::<prop::sample::Index>(), item()), 0..4),
    ) {
        let mut items: Vec<Item> = (0..n).map(honest).collect();
        for (at, item) in odd {
            items.insert(at.index(items.len() + 1), item);
        }
        check(&items);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// Large enough for the combination under cofactorless profiles.
    #[test]
    fn large_batches_equal_single(
        odd in prop::collection::vec((any::<prop::sample::Index>(), item()), 0..3),
    ) {
        let mut items: Vec<Item> = (0..LARGE).map(honest).collect();
        for (at, item) in odd {
            items.insert(at.index(items.len() + 1), item);
        }
        check(&items);
    }
}

/// Valid under `dalek` although A and R have torsion: it cancels. One such item
/// among many that have none.
#[test]
fn large_batches_accept_torsion_that_cancels() {
    let mut items: Vec<Item> = (0..LARGE).map(honest).collect();
    let cancelling = (0u8..=255)
        .map(|m| (crate::common::forge(3, 4, 1, 3, &[m]), m))
        .find(|((key, signature), m)| key.under(Dalek).verify(&[*m], signature).is_ok())
        .unwrap();
    let ((key, signature), m) = cancelling;
    items[100] = (key, vec![m], signature);
    check(&items);
    // Now one whose torsion does not.
    let (key, signature) = crate::common::forge(3, 4, 0, 3, &[m]);
    items[200] = (key, vec![m], signature);
    check(&items);
}

/// Torsion of these classes added to one key and to R.
fn forged(a_class: u8, r_class: u8, m: u8) -> Item {
    let (key, signature) = crate::common::forge(3, 4, a_class, r_class, &[m]);
    (key, vec![m], signature)
}

/// Keys that repeat get tables, which must neither be mixed up nor lose torsion.
#[test]
fn repeated_keys_of_every_kind() {
    let mut items = Vec::new();
    for m in 0..24 {
        items.push(honest(usize::from(m) * 50));
        items.push(honest(usize::from(m) * 50 + 1));
        items.push(forged(2, m % 8, m));
        items.push(forged(1, m % 3, m));
    }
    items[40].1.push(0);
    check(&items);
    // Far more than enter one table of keys.
    let many: Vec<Item> = items.iter().cycle().take(1100).cloned().collect();
    check(&many);
}

/// So many wrong ones that combinations no longer pay: what is left is verified with the tables of the key. Of the wrong ones
/// some have defects of small order, which a cofactored rule accepts.
#[test]
fn many_wrong_signatures_under_one_key() {
    let items: Vec<Item> = (0..128)
        .map(|m| {
            let mut item = forged(0, if m % 6 == 0 { 1 + m % 7 } else { 0 }, m);
            if m % 6 == 3 {
                item.1.push(0);
            }
            item
        })
        .collect();
    let keys: Vec<VerifyingKey> = items.iter().map(|item| item.0).collect();
    let messages: Vec<&[u8]> = items.iter().map(|item| &item.1[..]).collect();
    let signatures: Vec<Signature> = items.iter().map(|item| item.2).collect();
    for profile in [ProfileName::from(Dalek), ProfileName::from(Zip215)] {
        let batch = Batch::new(profile, &messages, &signatures, &keys).unwrap();
        for ((key, message, signature), verdict) in items.iter().zip(batch.verify_each()) {
            let single = key.under(profile).verify(message, signature).is_ok();
            assert_eq!(verdict, single, "{profile}");
        }
    }
}

#[test]
fn repeated_items_and_keys() {
    let item = honest(1);
    check(&vec![item.clone(); 70]);
    let mut items = vec![item; 70];
    items[69].1.push(1);
    check(&items);
}

#[test]
fn slices_must_have_equal_lengths() {
    let (key, message, signature) = honest(7);
    let messages = [&message[..]; 3];
    for (m, s, k) in [(2, 3, 3), (3, 2, 3), (3, 3, 2), (0, 1, 1), (1, 0, 0)] {
        let (m, s, k) = (&messages[..m], &vec![signature; s], &vec![key; k]);
        assert!(verify_batch(m, s, k).is_err());
        assert!(Batch::new(Zip215, m, s, k).is_err());
    }
    let (m, s, k) = (&messages[..2], &[signature; 2], &[key; 2]);
    let batch = Batch::new(Strict, m, s, k).unwrap();
    for length in [0, 1, 3] {
        let mut verdicts = vec![length == 3; length];
        assert!(batch.verify_each_into(&mut verdicts).is_err());
        assert!(batch.verify_each_combined_into(&mut verdicts).is_err());
        assert_eq!(verdicts, vec![length == 3; length]);
    }
    assert!(verify_batch(&[], &[], &[]).is_ok());
    let empty = Batch::new(Strict, &[], &[], &[]).unwrap();
    assert!(empty.verify().is_ok());
    assert!(empty.verify_each().is_empty());
}

/// The feature widens the drop-in name, and only that.
#[test]
fn legacy_compatibility_is_that_of_verify() {
    let (key, message, signature) = honest(9);
    let shifted = [crate::common::shifted(&signature, 1)];
    let legacy = cfg!(feature = "legacy_compatibility");
    assert_eq!(verify_batch(&[&message], &shifted, &[key]).is_ok(), legacy);
    let messages = [&message[..]];
    let exact = Batch::new(Dalek, &messages, &shifted, &[key])
        .unwrap()
        .verify();
    assert!(exact.is_err());
}
