//! Many operations at once give what the single ones give, bit for bit, on every backend.

#[cfg(feature = "fast")]
#[path = "all/common/mod.rs"]
mod common;

use lanner_curve::backend;
use lanner_ed25519::{Signature, Signer, SigningKey, VerifyingKey};
use proptest::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Seeds and messages for so many operations. Lengths differ, and cross the blocks of the hash.
fn inputs(count: usize) -> (Vec<[u8; 32]>, Vec<Vec<u8>>) {
    let seeds = (0..count).map(|i| core::array::from_fn(|k| (i * 89 + k * 7 + 1) as u8));
    let messages = (0..count).map(|i| vec![i as u8; i * 37 % 300]);
    (seeds.collect(), messages.collect())
}

/// The backends are a choice of the process, so tests take turns.
fn on_every_backend(test: impl Fn()) {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for backend in backend::list() {
        backend::force(backend).expect("a listed backend can run");
        test();
    }
}

fn check(seeds: &[[u8; 32]], messages: &[Vec<u8>]) {
    let expected: Vec<SigningKey> = seeds.iter().map(SigningKey::from_bytes).collect();
    let mut keys = vec![None; seeds.len()];
    SigningKey::from_bytes_each(seeds, &mut keys);
    let mut public = vec![None; seeds.len()];
    VerifyingKey::from_secret_keys_each(seeds, &mut public);
    for ((key, public), expected) in keys.iter().zip(&public).zip(&expected) {
        let key = key.as_ref().expect("every seed is a key");
        assert_eq!(key.to_keypair_bytes(), expected.to_keypair_bytes());
        assert_eq!(key.to_scalar(), expected.to_scalar());
        for public in [key.verifying_key(), public.expect("every seed has one")] {
            assert_eq!(public, expected.verifying_key());
            assert_eq!(public.to_edwards(), expected.verifying_key().to_edwards());
            // A key of both its forms, the point included, verifies.
            let signature = expected.sign(b"message");
            assert!(public.verify_strict(b"message", &signature).is_ok());
        }
        // The prefix is the same too.
        assert_eq!(key.sign(b"message"), expected.sign(b"message"));
    }

    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let by: Vec<&SigningKey> = expected.iter().collect();
    let mut signatures = vec![Signature::from_bytes(&[0xff; 64]); messages.len()];
    SigningKey::sign_each_by(&by, &messages, &mut signatures);
    for ((key, message), signature) in by.iter().zip(&messages).zip(&signatures) {
        assert_eq!(*signature, key.sign(message));
    }
    if let Some(key) = by.first() {
        key.sign_each(&messages, &mut signatures);
        for (message, signature) in messages.iter().zip(&signatures) {
            assert_eq!(*signature, key.sign(message));
        }
    }
}

#[test]
fn every_number_of_keys_and_signatures() {
    on_every_backend(|| {
        for count in 0..=33 {
            let (seeds, messages) = inputs(count);
            check(&seeds, &messages);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn any_keys_and_messages(
        items in prop::collection::vec(
            (any::<[u8; 32]>(), prop::collection::vec(any::<u8>(), 0..400)),
            0..34,
        ),
    ) {
        let (seeds, messages): (Vec<_>, Vec<_>) = items.into_iter().unzip();
        on_every_backend(|| check(&seeds, &messages));
    }
}

#[test]
#[should_panic(expected = "assertion")]
fn as_many_places_as_messages() {
    let key = SigningKey::from_bytes(&[1; 32]);
    key.sign_each(&[b"one", b"two"], &mut [Signature::from_bytes(&[0; 64])]);
}

/// Verdicts under keys with tables.
#[cfg(feature = "fast")]
mod prepared {
    use super::on_every_backend;
    use crate::common::items::{Item, honest, item};
    use lanner_ed25519::batch::PreparedBatch;
    use lanner_ed25519::profile::{ProfileName, Strict};
    use lanner_ed25519::{PreparedVerifyingKey, Signature, VerifyingKey};
    use proptest::prelude::*;

    /// How many are valid, under all profiles together.
    fn check(items: &[Item]) -> usize {
        let keys: Vec<_> = items
            .iter()
            .map(|item| PreparedVerifyingKey::new(&item.0))
            .collect();
        let keys: Vec<_> = keys.iter().collect();
        let messages: Vec<&[u8]> = items.iter().map(|item| &item.1[..]).collect();
        let signatures: Vec<Signature> = items.iter().map(|item| item.2).collect();
        let mut valid = 0;
        for &profile in ProfileName::ALL {
            let batch = PreparedBatch::new(profile, &messages, &signatures, &keys).unwrap();
            let mut verdicts = vec![true; items.len()];
            batch.verify_each_into(&mut verdicts).unwrap();
            for (item, verdict) in items.iter().zip(verdicts) {
                let (key, message, signature): (VerifyingKey, _, _) = (item.0, &item.1, &item.2);
                let single = key.under(profile).verify(message, signature).is_ok();
                assert_eq!(verdict, single, "{profile} {key:?} {signature:?}");
                valid += usize::from(verdict);
            }
        }
        valid
    }

    #[test]
    fn every_number_of_verdicts() {
        on_every_backend(|| {
            for count in 0..=33 {
                let mut items: Vec<Item> = (0..count).map(honest).collect();
                // One of them on another message.
                if let Some(item) = items.last_mut() {
                    item.1.push(1);
                }
                let valid = check(&items);
                assert_eq!(valid, ProfileName::ALL.len() * count.saturating_sub(1));
            }
        });
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn verdicts_equal_single(items in prop::collection::vec(item(), 0..34)) {
            on_every_backend(|| {
                check(&items);
            });
        }
    }

    #[test]
    fn slices_of_one_length() {
        let (key, message, signature) = honest(1);
        let key = PreparedVerifyingKey::new(&key);
        let messages: [&[u8]; 1] = [&message];
        assert!(PreparedBatch::new(Strict, &messages, &[signature; 2], &[&key]).is_err());
        let (signatures, keys) = ([signature], [&key]);
        let batch = PreparedBatch::new(Strict, &messages, &signatures, &keys).unwrap();
        let mut verdicts = [true; 2];
        assert!(batch.verify_each_into(&mut verdicts).is_err());
        assert_eq!(verdicts, [true; 2]);
    }
}
