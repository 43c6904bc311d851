//! A batch gives the verdicts of single verification, item by item.
#![cfg(feature = "batch")]

mod common;

use lanner_ed25519::batch::{
    COFACTORLESS_THRESHOLD, verify_batch_by_name, verify_batch_with, verify_each,
    verify_each_by_name,
};
use lanner_ed25519::profile::{Dalek, ProfileName, Strict, Zip215};
use lanner_ed25519::{Signature, Signer, SigningKey, Verifier, VerifyingKey, verify_batch};
use proptest::prelude::*;

type Item = (VerifyingKey, Vec<u8>, Signature);

/// Verifies `items` in every way and compares.
fn check(items: &[Item]) {
    let keys: Vec<VerifyingKey> = items.iter().map(|item| item.0).collect();
    let messages: Vec<&[u8]> = items.iter().map(|item| &item.1[..]).collect();
    let signatures: Vec<Signature> = items.iter().map(|item| item.2).collect();
    for &profile in ProfileName::ALL {
        let singly: Vec<bool> = items
            .iter()
            .map(|(key, message, signature)| {
                key.verify_by_name(profile, message, signature).is_ok()
            })
            .collect();
        let each = verify_each_by_name(profile, &messages, &signatures, &keys).unwrap();
        assert_eq!(each, singly, "{profile}");
        let all = verify_batch_by_name(profile, &messages, &signatures, &keys).is_ok();
        assert_eq!(all, singly.iter().all(|valid| *valid), "{profile}");
    }
    let singly = items
        .iter()
        .all(|(key, message, signature)| key.verify(message, signature).is_ok());
    assert_eq!(verify_batch(&messages, &signatures, &keys).is_ok(), singly);
}

fn honest(i: usize) -> Item {
    // Some keys repeat.
    let key = SigningKey::from_bytes(&[(i % 50) as u8; 32]);
    let message = vec![i as u8; i % 40];
    let signature = key.sign(&message);
    (key.verifying_key(), message, signature)
}

/// An encoding of the neutral element other than the canonical one.
fn odd_identity(which: u8) -> [u8; 32] {
    let mut y = [0; 32];
    y[0] = 1;
    if which & 1 == 1 {
        y = [0xff; 32];
        y[0] = 0xee;
        y[31] = 0x7f;
    }
    if which & 2 == 2 || which & 1 == 0 {
        y[31] |= 0x80;
    }
    y
}

/// Items of every kind that a batch might treat differently from a single
/// verification.
fn item() -> impl Strategy<Value = Item> {
    let message = || prop::collection::vec(any::<u8>(), 0..20);
    prop_oneof![
        4 => any::<u16>().prop_map(|i| honest(usize::from(i))),
        // Wrong message.
        1 => any::<u16>().prop_map(|i| {
            let mut item = honest(usize::from(i));
            item.1.push(0);
            item
        }),
        // A bit flipped in R or S.
        1 => (any::<u16>(), 0..512usize).prop_map(|(i, bit)| {
            let (key, message, signature) = honest(usize::from(i));
            let mut bytes = signature.to_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            (key, message, bytes.into())
        }),
        // S + L and S + 2L.
        1 => (any::<u16>(), 1..3usize).prop_map(|(i, times)| {
            let (key, message, signature) = honest(usize::from(i));
            (key, message, common::shifted(&signature, times))
        }),
        // Torsion in A and R; r = 0 makes R itself of small order.
        4 => (1u64..9, 0u64..4, 0u8..8, 0u8..8, message()).prop_map(|(a, r, ta, tr, message)| {
            let (key, signature) = common::forge(a, r, ta, tr, &message);
            (key, message, signature)
        }),
        // Weak keys.
        1 => (0u64..3, message()).prop_map(|(s, message)| {
            let (key, signature) = common::identity_forgery(s);
            (key, message, signature)
        }),
        // Weak keys and an R that is not encoded canonically.
        1 => (0u8..4, message()).prop_map(|(which, message)| {
            let (key, _) = common::identity_forgery(0);
            (key, message, Signature::from_components(odd_identity(which), [0; 32]))
        }),
        // A weak key that is not encoded canonically.
        1 => (0u8..4, 0u64..3, message()).prop_map(|(which, s, message)| {
            let (_, signature) = common::identity_forgery(s);
            let key = VerifyingKey::from_bytes(&odd_identity(which)).unwrap();
            (key, message, signature)
        }),
        // R is no point, or any point.
        1 => (any::<u16>(), any::<[u8; 32]>()).prop_map(|(i, r)| {
            let (key, message, signature) = honest(usize::from(i));
            (key, message, Signature::from_components(r, *signature.s_bytes()))
        }),
    ]
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
        let mut items: Vec<Item> = (0..COFACTORLESS_THRESHOLD).map(honest).collect();
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
    let mut items: Vec<Item> = (0..COFACTORLESS_THRESHOLD).map(honest).collect();
    let cancelling = (0u8..=255)
        .map(|m| (common::forge(3, 4, 1, 3, &[m]), m))
        .find(|((key, signature), m)| key.verify_with::<Dalek>(&[*m], signature).is_ok())
        .unwrap();
    let ((key, signature), m) = cancelling;
    items[100] = (key, vec![m], signature);
    check(&items);
    // Now one whose torsion does not.
    let (key, signature) = common::forge(3, 4, 0, 3, &[m]);
    items[200] = (key, vec![m], signature);
    check(&items);
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
        assert!(verify_batch_with::<Zip215>(m, s, k).is_err());
        assert!(verify_each::<Strict>(m, s, k).is_err());
    }
    assert!(verify_batch(&[], &[], &[]).is_ok());
    assert_eq!(verify_each::<Strict>(&[], &[], &[]).unwrap(), []);
}

/// The feature widens the drop-in name, and only that.
#[test]
fn legacy_compatibility_is_that_of_verify() {
    let (key, message, signature) = honest(9);
    let shifted = [common::shifted(&signature, 1)];
    let legacy = cfg!(feature = "legacy_compatibility");
    assert_eq!(verify_batch(&[&message], &shifted, &[key]).is_ok(), legacy);
    assert!(verify_batch_with::<Dalek>(&[&message], &shifted, &[key]).is_err());
}
